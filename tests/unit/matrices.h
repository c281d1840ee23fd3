/* matrices.h - functions that the tests of linear algebra share: small matrices, by letters, in
 * expressions with `c` as the context, and sums to derive functions of matrices. */
#ifndef TSR_TESTS_MATRICES_H
#define TSR_TESTS_MATRICES_H
#include <tsr/tsr.h>

#define D TSR_DIMS
#define MATRIX(rows, ...) tsr_reshape(F64(c, __VA_ARGS__), D(rows, -1))
/* positive definite: symmetric, Hermitian */
#define A    MATRIX(3, 4, 1, 2, 1, 5, 3, 2, 3, 6)
#define H    tsr_reshape(C128(c, 4, 1 + I, 2, 1 - I, 5, 3 * I, 2, -3 * I, 6), D(3, 3))
/* of any shape: square, tall, wide, complex */
#define B    MATRIX(3, 1, 2, 3, 4, 5, 6)
#define BT   tsr_t(B)
#define M    MATRIX(3, 1, 2, 0, 3, 1, 4, 2, 5, 1)
#define T    MATRIX(3, 1, 2, 3, 4, 5, 7)
#define WD   tsr_t(T)
#define C \
	tsr_reshape(C128(c, 1, 2 + I, 2 * I, 3 + I, 1, 4, 2 + 3 * I, 5 + I, 1 + I), D(3, 3))
/* weights */
#define W    MATRIX(3, 1, 2, 3, 4, 5, 6, 7, 8, 9)
#define GRAD(f, ...)   tsr_call(tsr_grad(c, f), __VA_ARGS__)
#define GRAD_1(f, ...) tsr_call(tsr_grad(c, f, .wrt = D(1)), __VA_ARGS__)

static inline tsr *weighed(tsr *x, tsr *w) { return tsr_sum(tsr_mul(x, w)); }
static inline tsr *waves(tsr *x) { return tsr_sum(tsr_sin(x)); }

/* result k of several */
static inline tsr *part(int k, bool (*of)(tsr *, tsr **), tsr *x)
{
	tsr *y[4];

	return of(x, y) ? y[k] : tsr_ones(x, D(0));
}

#endif
