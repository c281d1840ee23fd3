/* igamma.c - elementwise rows of the incomplete gamma function: igamma, igammac, igamma_grad_a,
 * random_gamma_grad. A series near 0 and a continued fraction beyond (Cephes, igam.c), each with
 * its derivative by a, as in JAX (jax/_src/lax/special.py); in f64 also for narrower dtypes. Near a
 * large a, where they would take about 9 sqrt(a) terms, Temme's expansion (DLMF 8.12.3). How many
 * terms they take depends on the numbers, so kernels do not have them.
 *
 *     igamma 1 2               gives  0.86466
 *     igammac 1 2              gives  0.13534
 *     igamma_grad_a 1 2        gives  -0.22083
 *     random_gamma_grad 1 2    gives  1.63169 */
#include <math.h>
#include "prim/elementwise/elementwise.h"

enum { MOST_TERMS = 2000 };
static const double least_share = 0x1p-53; /* of a term that still counts */

typedef enum igamma_mode { VALUE, BY_A, OF_SAMPLE } igamma_mode;

/* Of f = g e^(log_scale), with g' and d the derivatives of g and log_scale by a: f, f', or -f' over
 * the density e^(log_scale) / x */
static double as_wanted(igamma_mode mode, double g, double dg, double d, double log_scale, double x)
{
	if (mode == VALUE) return g * exp_f64(log_scale);
	if (mode == BY_A) return (dg + g * d) * exp_f64(log_scale);
	return -(dg * x + g * x * d); /* g may be next to the largest number */
}

/* x^a e^-x / gamma(a + 1) (1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) + ...) */
static double series(igamma_mode mode, double a, double x, double log_scale, double d)
{
	double sum = 1, term = 1, dsum = 0, dterm = 0, r = a;

	for (int i = 0; i < MOST_TERMS; i++) {
		r += 1;
		dterm = dterm * (x / r) - term * x / (r * r);
		dsum += dterm;
		term *= x / r;
		sum += term;
		const bool more = mode == VALUE ? term > least_share * sum
		                                : fabs(dterm) > least_share * fabs(dsum);
		if (!more) break;
	}
	return as_wanted(mode, sum / a, dsum / a, d, log_scale, x);
}

/* the numerator and the denominator of a continued fraction, and their derivatives by a */
typedef struct fraction {
	double p, q, dp, dq;
} fraction;

static fraction scaled(fraction f, double by)
{
	return (fraction){f.p * by, f.q * by, f.dp * by, f.dq * by};
}

/* 1 less that, as x^a e^-x / gamma(a) times a continued fraction, step by step */
static double continued(igamma_mode mode, double a, double x, double log_scale, double d)
{
	fraction last = {1, x, 0, 0}, f = {x + 1, (x + 2 - a) * x, 0, -x};
	double y = 1 - a, z = x + y + 1, g = f.p / f.q, dg = -g * f.dq / f.q;

	if (mode != OF_SAMPLE && exp_f64(log_scale) == 0) return 0;
	/* far away the first term is all, and the others overflow */
	if (x > 0x1p500 && a < x * 0x1p-53)
		return as_wanted(mode, 1 / x, 1 / x / x, d, log_scale, x);
	for (int c = 1; c <= MOST_TERMS; c++) {
		y += 1, z += 2;
		const double yc = y * c;
		const fraction next = {f.p * z - last.p * yc, f.q * z - last.q * yc,
		                       f.dp * z - f.p - last.dp * yc + last.p * c,
		                       f.dq * z - f.q - last.dq * yc + last.q * c};
		double change = 1;
		last = f, f = next;
		if (f.q != 0) {
			const double r = f.p / f.q, dr = (f.dp - r * f.dq) / f.q;
			change = mode == VALUE ? fabs((g - r) / r) : fabs(dr - dg);
			g = r, dg = dr;
		}
		if (fabs(f.p) > 0x1p+53) {
			f = scaled(f, 0x1p-53);
			last = scaled(last, 0x1p-53);
		}
		if (!(change > least_share)) break;
	}
	return as_wanted(mode, g, dg, d, log_scale, x);
}

/* ---- near a large a: with l = x / a and e^2 / 2 = l - 1 - log l, where e has the sign of l - 1,
 * the share below x is erfc(-e sqrt(a / 2)) / 2 - S, where
 * S = e^(-a e^2 / 2) / sqrt(2 pi a) (C0(e) + C1(e) / a + C2(e) / a^2 + ...) */

static bool is_near(double a, double x) { return a > 0x1p15 && fabs(x - a) < 0.05 * a; }

enum { TEMME_C0 = 8, TEMME_C1 = 5, TEMME_C2 = 2, ETA_TERMS = 14 };
static const double temme_0[TEMME_C0] = {
	-0.333333333333333333,   0.0833333333333333333, -0.0148148148148148148,
	0.00115740740740740741,  0.0003527336860670194, -0.000178755144032921811,
	0.0000391926317852243778, -2.18544851067999216e-6};
static const double temme_1[TEMME_C1] = {-0.00185185185185185185, -0.00347222222222222222,
                                         0.0026455026455026455, -0.000990226337448559671,
                                         0.000205761316872427984};
static const double temme_2[TEMME_C2] = {0.0041335978835978836, -0.00268132716049382716};

/* c[0] + c[1] x + ..., and its derivative */
static double polynomial(const double *c, int n, double x, double *slope)
{
	double y = 0, dy = 0;

	for (int i = n - 1; i >= 0; i--) {
		dy = dy * x + y;
		y = y * x + c[i];
	}
	*slope = dy;
	return y;
}

/* e of d = l - 1: d sqrt(2 (d - log(1 + d)) / d^2), and (d - log(1 + d)) / d^2 is
 * 1 / 2 - d / 3 + d^2 / 4 - ... */
static double eta_of(double d)
{
	double y = 0;

	for (int i = ETA_TERMS; i >= 2; i--) y = y * -d + 1.0 / i;
	return d * sqrt(2 * y);
}

typedef struct temme {
	double eta, size;  /* e; e^(-a e^2 / 2) / sqrt(2 pi a) */
	double sum, slope; /* C0 + C1 / a + ..., and its derivative by a */
} temme;

static temme temme_of(double a, double d)
{
	const double eta = eta_of(d), t = eta * sqrt(a / 2);
	double by_eta[3], c[3];

	c[0] = polynomial(temme_0, TEMME_C0, eta, &by_eta[0]);
	c[1] = polynomial(temme_1, TEMME_C1, eta, &by_eta[1]);
	c[2] = polynomial(temme_2, TEMME_C2, eta, &by_eta[2]);
	const double eta_by_a = -(eta == 0 ? 1 : d / eta) / a;
	const double all_by_eta = by_eta[0] + (by_eta[1] + by_eta[2] / a) / a;
	return (temme){eta, exp_f64(-t * t) / sqrt(a * 6.28318530717958647693),
	               c[0] + (c[1] + c[2] / a) / a,
	               all_by_eta * eta_by_a - (c[1] + 2 * c[2] / a) / a / a};
}

/* the share below x, or with sign -1 that above */
static double share_near(double a, double x, double sign)
{
	const temme s = temme_of(a, (x - a) / a);

	const double t = -sign * s.eta * sqrt(a / 2);

	return kfn_f64(KFN_ERFC, &t) / 2 - sign * s.size * s.sum;
}

/* the derivative of the share below by a, or the one of x at a fixed share: that over the density
 * -x^(a-1) e^-x / gamma(a), which is size times a / x and what Stirling's formula leaves */
static double slope_near(igamma_mode mode, double a, double x, double beyond)
{
	const double d = (x - a) / a;
	const temme s = temme_of(a, d);
	const double turned = s.eta == 0 ? 1 : d / s.eta;
	const double by_a =
		-turned + s.eta / 2 - s.sum * (log1p_f64(d) - 0.5 / a) - s.slope;

	if (mode == BY_A) return by_a * s.size;
	return -by_a * (x / a) * exp_f64(beyond);
}

/* the share of the whole integral below x, or above; the derivative of the one below by a; that of
 * x at a fixed share */
static double below(double a, double x, double log_scale)
{
	if (!(x >= 0 && a >= 0) || (x == 0 && a == 0)) return NAN;
	if (x == 0 || a == 0 || isinf(x)) return x == 0 ? 0 : 1;
	if (is_near(a, x)) return share_near(a, x, 1);
	return x > 1 && x > a ? 1 - continued(VALUE, a, x, log_scale, 0)
	                      : series(VALUE, a, x, log_scale, 0);
}

/* 1 less that where it is near 1: with g = x^a / gamma(a + 1), the share is
 * g (1 + a (-x / (a + 1) + x^2 / (2 (a + 2)) - ...)), so the rest is 1 - g, which is small too,
 * less g times the other terms. less: g - 1 */
static double above_small(double a, double x, double less)
{
	double sum = 0, power = 1;

	for (int i = 1; i < MOST_TERMS; i++) {
		power *= -x / i;
		const double term = power / (a + i);
		sum += term;
		if (!(fabs(term) > least_share * fabs(sum))) break;
	}
	return -less - (1 + less) * a * sum;
}

static double above(double a, double x, double log_scale, double less)
{
	if (!(x >= 0 && a >= 0) || (x == 0 && a == 0)) return NAN;
	if (x == 0 || a == 0 || isinf(x)) return x == 0 ? 1 : 0;
	if (is_near(a, x)) return share_near(a, x, -1);
	if (x < 1 && a <= 0.5) return above_small(a, x, less);
	return x < 1 || x < a ? 1 - series(VALUE, a, x, log_scale, 0)
	                      : continued(VALUE, a, x, log_scale, 0);
}

static double slope(igamma_mode mode, double a, double x, double log_scale, double d, double beyond)
{
	if (!(x >= 0 && a > 0)) return NAN;
	if (x == 0) return 0;
	if (is_near(a, x)) return slope_near(mode, a, x, beyond);
	if (x > 1 && x > a) return -continued(mode, a, x, log_scale, d);
	return series(mode, a, x, log_scale, d);
}

/* ---- what these take besides a and x */

/* log of x^a e^-x / gamma(a). For a large a, and x near it, these are cancelled; by Stirling's
 * formula it is a (log(1 + d) - d) + log(a / 2 pi) / 2 - ..., for d = (x - a) / a */
static var log_scale_of(build *b, var a, var x)
{
	const var d = DIV(SUB(x, a), a);
	const var near = BOTH(BOTH(IS(ge, a, F64(8)), IS(lt, a, F64(0x1p52))),
	                      IS(lt, OF_1(abs, d), F64(0.5)));
	const var by_stirling = ADD(MUL(a, SUB(OF_1(log1p, d), d)),
	                            MUL(F64(0.5), OF_1(log, DIV(a, F64(6.28318530717958647693)))));
	const var far = SUB(SUB(MUL(a, OF_1(log, x)), x), OF_1(lgamma, a));

	return SELECT(near, SUB(by_stirling, beyond_stirling_of(b, a)), far);
}

static int prepare_share(build *b, const eqn *e, const var *in, var *y)
{
	const var a = widened(b, in[0]), x = widened(b, in[1]);

	(void)e;
	y[0] = log_scale_of(b, a, x);
	y[1] = OF_1(expm1, SUB(MUL(a, OF_1(log, x)), lgamma1p_of(b, a)));
	return 2;
}

/* the derivative of log_scale, where the series takes gamma(a + 1) */
static int prepare_slope(build *b, const eqn *e, const var *in, var *y)
{
	const var a = widened(b, in[0]), x = widened(b, in[1]);
	const var beyond = BOTH(IS(gt, x, F64(1)), IS(gt, x, a));

	(void)e;
	y[0] = log_scale_of(b, a, x);
	y[1] = SUB(OF_1(log, x), OF_1(digamma, SELECT(beyond, a, ADD(a, F64(1)))));
	y[2] = beyond_stirling_of(b, a);
	return 3;
}

/* ---- rows */

#define IN_F64(expression) _Generic((a), float : (float)(expression), double : (expression))
/* of x, here a, and y; more[k][i]: what was prepared */
#define IGAMMA_ROW(prim_, doc_, prepare_, expression_, ...) \
	ELEMENTWISE_TYPES(prim_, FLOAT, TSR_DTYPE_DEFAULT) \
	static void prim_##_eval(const eval_args *args) \
	{ \
		const double *const *more = (const double *const *)args->x + 2; \
		EVAL_2(FLOAT, LOOP_2, IN_F64(expression_)) \
	} \
	const tsr_prim tsr__prim_##prim_ = { \
		.flags = PRIM_ELEMENTWISE | PRIM_CALLED, \
		.name = #prim_, .doc = doc_, .cost = 2000, .nin = 2, .nout = 1, \
		.types = prim_##_types, .factors = factors_elementwise, \
		.batch = batch_elementwise, .parts = parts_of_elements, .prepare = prepare_, \
		.eval = prim_##_eval, NOT_LINEAR, \
		TSR_NO_RULE(COL_LOWER, "how many terms it takes depends on the numbers"), \
		__VA_ARGS__ \
	};
#define NO_SECOND_SLOPE TSR_NO_RULE(COL_JVP, "as in JAX it has none")

/* y^(x - 1) e^-y / gamma(x) */
static var density(build *b, var x, var y, var ans)
{
	const var less = emit_spread(b, SUB(x, NUM(1)), ans);
	const var power = MUL(less, emit_spread(b, OF_1(log, y), ans));
	const var whole = emit_spread(b, OF_1(lgamma, x), ans);

	return OF_1(exp, SUB(SUB(power, emit_spread(b, y, ans)), whole));
}

/* the slope of the share below */
static var below_tangent(build *b, var x, var y, var ans, var dx, var dy)
{
	var by_x = dx, by_y = dy;

	if (!is_zero(dx)) by_x = MUL(dx, OF_2(igamma_grad_a, x, y));
	if (!is_zero(dy)) by_y = MUL(dy, density(b, x, y, ans));
	return ADD(by_x, by_y);
}

TANGENT_2(igamma, below_tangent(b, x, y, ans, dx, dy))
TANGENT_2(igammac, NEG(below_tangent(b, x, y, ans, dx, dy)))
IGAMMA_ROW(igamma, "the share of gamma(x) that the integral up to y gives", prepare_share,
           below((double)a, (double)b, more[0][i]), .jvp = igamma_jvp)
IGAMMA_ROW(igammac, "the share of gamma(x) that the integral from y on gives", prepare_share,
           above((double)a, (double)b, more[0][i], more[1][i]), .jvp = igammac_jvp)
#define SLOPE_OF(mode) slope(mode, (double)a, (double)b, more[0][i], more[1][i], more[2][i])
IGAMMA_ROW(igamma_grad_a, "the derivative of igamma by x", prepare_slope, SLOPE_OF(BY_A),
           NO_SECOND_SLOPE)
IGAMMA_ROW(random_gamma_grad, "the derivative by x of the y with a given share", prepare_slope,
           SLOPE_OF(OF_SAMPLE), NO_SECOND_SLOPE)
