/* dual.h - nested dual numbers, for oracles of derivatives: a number of `levels` levels is a
 * polynomial in e0, e1, ... with e^2 = 0, and has 2^levels coefficients. The index of a coefficient
 * is the set of its e's as bits: with two levels they are those of 1, e0, e1 and e0 e1. The value
 * is the first coefficient, and the derivative along the newest level is the upper half. */
#ifndef TSR_TESTS_DUAL_H
#define TSR_TESTS_DUAL_H

enum { DUAL_LEVELS = 4, DUAL_MOST = 1 << DUAL_LEVELS };

/* a function of one real variable */
typedef enum curve {
	CURVE_NEG,
	CURVE_SIN,
	CURVE_COS,
	CURVE_TANH,
	CURVE_LOGISTIC,
	CURVE_EXP,
	CURVE_LOG,
	CURVE_SQRT,
	CURVE_SQUARE,
	CURVE_CUBE,
	CURVE_INVERSE,
	CURVE_ABS,
	CURVE_RELU,
	CURVE_FLOOR
} curve;

/* y may not be x */
void dual_curve(int levels, curve, const double *x, double *y);
void dual_add(int levels, const double *a, const double *b, double *y);
void dual_sub(int levels, const double *a, const double *b, double *y);
void dual_scale(int levels, double k, const double *a, double *y);
/* y may be neither a nor b */
void dual_mul(int levels, const double *a, const double *b, double *y);
/* y += a * b */
void dual_mul_add(int levels, const double *a, const double *b, double *y);
void dual_number(int levels, double k, double *y); /* without derivatives */

#endif
