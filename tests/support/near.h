/* near.h - compares the elements of an array with numbers written in the test. A difference ends
 * the running test, and says where and what. */
#ifndef TSR_TESTS_NEAR_H
#define TSR_TESTS_NEAR_H
#include <complex.h>
#include <tsr/tsr.h>

/* f64[n] of these numbers */
#define F64(owner, ...) \
	tsr_from(owner, ((const double[]){__VA_ARGS__}), TSR_F64, \
	         TSR_DIMS(sizeof((double[]){__VA_ARGS__}) / sizeof(double)))
/* c128[n] */
#define C128(owner, ...) \
	tsr_from(owner, ((const double _Complex[]){__VA_ARGS__}), TSR_C128, \
	         TSR_DIMS(sizeof((double _Complex[]){__VA_ARGS__}) / sizeof(double _Complex)))

/* x has just these elements, row-major, of any dtype and dims: NEAR(x, 1, 2 + 3 * I). Floats may be
 * off by a few units of their precision */
#define NEAR(x, ...) \
	near_at(TSR_HERE, (x), (const double _Complex[]){__VA_ARGS__}, \
	        sizeof((double _Complex[]){__VA_ARGS__}) / sizeof(double _Complex), 1)
/* the same, to within `tolerance` of the largest number */
#define CLOSE(x, tolerance, ...) \
	near_at(TSR_HERE, (x), (const double _Complex[]){__VA_ARGS__}, \
	        sizeof((double _Complex[]){__VA_ARGS__}) / sizeof(double _Complex), tolerance)
void near_at(const char *where, tsr *x, const double _Complex *want, size_t n, double tolerance);

/* got and want have the same dtype, dims and elements: exactly, or to within `tolerance` */
#define SAME(got, want) same_at(TSR_HERE, (got), (want), 0)
#define ALIKE(got, want, tolerance) same_at(TSR_HERE, (got), (want), (tolerance))
void same_at(const char *where, tsr *got, tsr *want, double tolerance);

/* the dims of x: SHAPE(x, 2, 3); none: SCALAR(x) */
#define SCALAR(x)     shape_at(TSR_HERE, (x), TSR_DIMS())
#define SHAPE(x, ...) shape_at(TSR_HERE, (x), TSR_DIMS(__VA_ARGS__))
void shape_at(const char *where, tsr *x, tsr_dims dims);

/* setup and teardown of a cmocka test: *state is a context with 8 devices, closed without error */
int near_open(void **state);
int near_close(void **state);

#endif
