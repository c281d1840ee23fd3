/* values.h - small arrays on the host and the results of programs on them, for the tests of
 * transformations: equations are evaluated one by one by their rows, every block in memory of its
 * exact size.
 *
 * A lab owns all values and programs that are made in it, until lab_clear(). */
#ifndef TSR_TESTS_VALUES_H
#define TSR_TESTS_VALUES_H
#include <complex.h>
#include "pass/pass.h"

typedef struct value {
	const type *type;
	void *data;
} value;

typedef struct lab {
	base base;
	device device[4];
	shards shards;
	ir ir;
	arena *arena;
	struct kept *kept;        /* blocks and programs */
	uint64_t dice;            /* state of the random numbers */
	char about[256], set[64]; /* what is being checked and of which operands, for reports */
	int failures;
} lab;

lab *lab_open(uint64_t seed);
void lab_close(lab *);
void lab_clear(lab *);

/* counts a failure and prints it, with what is being checked and, if there is one, the program */
void lab_fail(lab *, const program *, const char *format, ...) PRINTF_LIKE(3, 4);
/* p, which the lab now owns; NULL is a failure that tells the library's error */
program *lab_keep(lab *, program *p, const char *made_by);
/* what a pass makes, while every request for memory fails once: that is an error each time, and
 * nothing is lost. The number of requests */
int64_t lab_without_memory(lab *, const program *, program *(*pass)(const program *));
/* pass_fuse, for one instruction set whatever the processor has */
static inline program *lab_fuse(const program *p) { return pass_fuse(p, target_of(32)); }
/* NULL: an error is recorded in lab->base */
program *lab_parse(lab *, const char *text);

/* ---- random numbers */
uint64_t dice_bits(lab *);
int64_t dice_roll(lab *, int64_t lo, int64_t hi); /* in [lo, hi] */
double dice_in(lab *, double lo, double hi);

/* ---- values */
bool inexact(tsr_dtype); /* float or complex */
value value_zeros(lab *, const type *);
/* Points for n operands, operand i between bounds[i]. Floats and the parts of complex numbers are
 * all different where bounds are alike, and their fractions in [0.1, 0.4]: away from whole numbers
 * and halves, and from each other. Integers are in [-3, 5]. */
void values_points(lab *, const value *, int n, const double (*bounds)[2]);
/* a tangent or cotangent: numbers in [0.5, 1.5] of either sign. parts: 1 real, 2 imaginary, 3
 * both */
value value_direction(lab *, const type *, int parts);
/* here and there an infinity, a NaN or a zero of either sign */
void value_specials(lab *, const value *);
value value_as(lab *, const value *, tsr_dtype);                    /* converted */
value value_element(lab *, const value *, int64_t);                 /* one along dim 0 */
value value_sum_elements(lab *, const value *);                     /* all along dim 0 */
value value_step(lab *, const value *x, double h, const value *dx); /* x + h dx */
double _Complex value_at(const value *, int64_t);
void value_set(const value *, int64_t, double _Complex);

double eps_of(tsr_dtype);            /* 2^-10 for f16, 2^-52 for f64, ... */
double value_largest(const value *); /* the largest finite |x|, 1 or more */
/* Do they have the same dtype, dims and elements, NaNs alike? -1, or the element that differs */
int64_t value_same(const value *, const value *);
/* |got - want| <= tolerance * value_largest(want) for each element: -1, or one that is not */
int64_t value_close(const value *got, const value *want, double tolerance);

/* ---- programs of local rows, and of calls of such, on values: of one device, on which pcast does
 * nothing. false: a failure */
bool lab_run(lab *, const program *, const value *in, value *out);

#endif
