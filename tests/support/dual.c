/* dual.c - arithmetic of nested dual numbers.
 *
 * A function: f(x + dx e) = f(x) + f'(x) dx e, where x and dx have one level less. */
#include "support/dual.h"
#include <math.h>
#include <string.h>

void dual_number(int levels, double k, double *y)
{
	memset(y, 0, sizeof *y << levels);
	y[0] = k;
}

void dual_add(int levels, const double *a, const double *b, double *y)
{
	for (int m = 0; m < 1 << levels; m++) y[m] = a[m] + b[m];
}

void dual_sub(int levels, const double *a, const double *b, double *y)
{
	for (int m = 0; m < 1 << levels; m++) y[m] = a[m] - b[m];
}

void dual_scale(int levels, double k, const double *a, double *y)
{
	for (int m = 0; m < 1 << levels; m++) y[m] = k * a[m];
}

void dual_mul_add(int levels, const double *a, const double *b, double *y)
{
	for (int m = 0; m < 1 << levels; m++)
		for (int s = m;; s = (s - 1) & m) {
			y[m] += a[s] * b[m & ~s];
			if (!s) break;
		}
}

void dual_mul(int levels, const double *a, const double *b, double *y)
{
	dual_number(levels, 0, y);
	dual_mul_add(levels, a, b, y);
}

static double value_of(curve c, double x)
{
	switch (c) {
	case CURVE_NEG: return -x;
	case CURVE_SIN: return sin(x);
	case CURVE_COS: return cos(x);
	case CURVE_TANH: return tanh(x);
	case CURVE_LOGISTIC: return 1 / (1 + exp(-x));
	case CURVE_EXP: return exp(x);
	case CURVE_LOG: return log(x);
	case CURVE_SQRT: return sqrt(x);
	case CURVE_SQUARE: return x * x;
	case CURVE_CUBE: return x * x * x;
	case CURVE_INVERSE: return 1 / x;
	case CURVE_ABS: return fabs(x);
	case CURVE_RELU: return x > 0 ? x : 0;
	default: return floor(x);
	}
}

/* the slope at x, where y is the value */
static void slope_of(int levels, curve c, const double *x, const double *y, double *s)
{
	double t[DUAL_MOST];

	switch (c) {
	case CURVE_SIN: dual_curve(levels, CURVE_COS, x, s); break;
	case CURVE_COS:
		dual_curve(levels, CURVE_SIN, x, t);
		dual_scale(levels, -1, t, s);
		break;
	case CURVE_TANH: /* 1 - y^2 */
		dual_mul(levels, y, y, t);
		dual_scale(levels, -1, t, s);
		s[0] += 1;
		break;
	case CURVE_LOGISTIC: /* y - y^2 */
		dual_mul(levels, y, y, t);
		dual_sub(levels, y, t, s);
		break;
	case CURVE_EXP: memcpy(s, y, sizeof *s << levels); break;
	case CURVE_LOG: dual_curve(levels, CURVE_INVERSE, x, s); break;
	case CURVE_SQRT: /* 1 / 2y */
		dual_curve(levels, CURVE_INVERSE, y, t);
		dual_scale(levels, 0.5, t, s);
		break;
	case CURVE_SQUARE: dual_scale(levels, 2, x, s); break;
	case CURVE_CUBE:
		dual_mul(levels, x, x, t);
		dual_scale(levels, 3, t, s);
		break;
	case CURVE_INVERSE: /* -y^2 */
		dual_mul(levels, y, y, t);
		dual_scale(levels, -1, t, s);
		break;
	case CURVE_NEG: dual_number(levels, -1, s); break;
	case CURVE_ABS: dual_number(levels, x[0] < 0 ? -1 : 1, s); break;
	case CURVE_RELU: dual_number(levels, x[0] > 0, s); break;
	default: dual_number(levels, 0, s); break;
	}
}

void dual_curve(int levels, curve c, const double *x, double *y)
{
	double s[DUAL_MOST];

	if (!levels) {
		y[0] = value_of(c, x[0]);
		return;
	}
	const int half = 1 << (levels - 1);
	dual_curve(levels - 1, c, x, y);
	slope_of(levels - 1, c, x, y, s);
	dual_mul(levels - 1, s, x + half, y + half);
}
