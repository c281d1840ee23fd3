/* gamma.c - elementwise rows of the gamma function and its kin: gamma, lgamma, digamma, zeta,
 * polygamma. All are computed in f64, also for narrower dtypes; functions and nodes step by step
 * alike. digamma, zeta and polygamma are the series that XLA has (xla/hlo/builder/lib/math.cc,
 * chlo's legalisation). digamma is the derivative of
 *
 * Lanczos, A Precision Approximation of the Gamma Function (1964), with g = 7 and the coefficients
 * of P. Godfrey: for z >= 1/2, x = z - 1, t = x + 7.5 and S(x) = c0 + sum of ci / (x + i),
 * log gamma(z) = log sqrt(2 pi) + (x + 1/2) log t - t + log S(x). Left of 1/2 by reflection:
 * gamma(z) gamma(1 - z) = pi / sin(pi z).
 *
 *     gamma [5 -0.5 0]     gives  [24 -3.54491 inf]
 *     lgamma [5 -0.5 0]    gives  [3.17805 1.26551 inf]
 *     digamma 1            gives  -0.57722
 *     zeta 2 1             gives  1.64493
 *     polygamma 1 1        gives  1.64493 */
#include <math.h>
#include "prim/in_f64.h"

static const double pi = 3.14159265358979323846;

/* ---- gamma, lgamma. For w from -1/2 to 7.5, with y = w - n of the nearest whole number n:
 * gamma(w) = gamma(2 + y) f, where f is (w - 1) (w - 2) ... (2 + y), or 1 / w for n = 1 and
 * 1 / (w (w + 1)) for n = 0; gamma(2 + y) = 1 + y H(y), and log gamma(2 + y) = y L(y): so lgamma
 * has its zeros at 1 and 2, and all its digits near them. Beyond 7.5 by Stirling's formula, where
 * log gamma(w) = (w - 1/2) log w - w + log sqrt(2 pi) + R(1 / w^2) / w. Left of -1/2 by reflection:
 * gamma(w) gamma(-w) = -pi / (w sin(pi w)). H, L and R are polynomials through Chebyshev's points,
 * the highest power first */

enum { NEAR_TERMS = 20, FAR_TERMS = 7, MOST_FACTORS = 5 };
static const double by_gamma[NEAR_TERMS] = {
	6.566145752712689e-07, -1.3131191509664216e-06, 1.8051430716886604e-06,
	-3.609421076900372e-06, 7.652457677804413e-06, -1.5296289519910945e-05,
	3.0448012248631827e-05, -6.078180215145502e-05, 0.00012167442301820698,
	-0.00024094266875000244, 0.0004903884092456326, -0.0009195737556751735,
	0.002103933342304082, -0.0028526458243686085, 0.011154045718099517,
	-0.00026698206868206766, 0.07424901075351413, 0.0815769192470858, 0.4118403304264397,
	0.42278433509846713};
static const double by_lgamma[NEAR_TERMS] = {
	6.379047507619774e-08, -1.3412819758517287e-07, 2.0304806751615227e-07,
	-4.303558760359961e-07, 9.578663334114758e-07, -2.0449201467015115e-06,
	4.374374916915131e-06, -9.438458716242811e-06, 2.050726741605779e-05,
	-4.4926351103833334e-05, 9.945750909889392e-05, -0.00022315475074520367,
	0.0005096695248853096, -0.0011927539120010226, 0.002890510330738737,
	-0.0073855510286681535, 0.02058080842778457, -0.06735230105319814, 0.3224670334241132,
	0.42278433509846713};
static const double by_far[FAR_TERMS] = {
	0.004915438477086982, -0.001883462005502802, 0.000841351480772293,
	-0.0005952356552865964, 0.0007936507864954393, -0.0027777777777698684,
	0.08333333333333333};
static const double far_from = 7.5, root_2pi = 2.50662827463100050242;
static const double log_root_2pi_less_half = 0.41893853320467274178;

static double horner(double x, const double *by, int n)
{
	double sum = by[0];

	for (int i = 1; i < n; i++) sum = fma(sum, x, by[i]);
	return sum;
}

static kvar k_horner(kernel *k, kvar x, const double *by, int n)
{
	kvar sum = N(by[0]);

	for (int i = 1; i < n; i++) sum = k_fma(k, sum, x, N(by[i]));
	return sum;
}

static double from_whole(double w) { return w - floor(w + 0.5); }
static kvar k_from_whole(kernel *k, kvar w)
{
	return LESS(w, K1(FLOOR, PLUS(w, N(0.5))));
}

/* f, or 1 / f for w < 3/2 */
static double factor(double w)
{
	double f = 1;

	for (int i = 1; i <= MOST_FACTORS; i++) f *= w - i >= 1.5 ? w - i : 1;
	return w < 0.5 ? w * (1 + w) : w < 1.5 ? w : f;
}

static kvar k_factor(kernel *k, kvar w)
{
	kvar f = N(1);

	for (int i = 1; i <= MOST_FACTORS; i++) {
		const kvar one = LESS(w, N(i));
		f = TIMES(f, KSEL(IS(GE, one, N(1.5)), one, N(1)));
	}
	return KSEL(IS(LT, w, N(0.5)), TIMES(w, PLUS(N(1), w)), KSEL(IS(LT, w, N(1.5)), w, f));
}

/* R(1 / w^2) / w */
double beyond_stirling_f64(double w) { return horner(1 / (w * w), by_far, FAR_TERMS) / w; }
static kvar k_beyond_stirling(kernel *k, kvar w)
{
	return OVER(k_horner(k, OVER(N(1), TIMES(w, w)), by_far, FAR_TERMS), w);
}

/* |sin(pi w)| */
static double sine_of_turn(double w)
{
	const double part = w - floor(w);

	return sin_f64(pi * (part > 0.5 ? 1 - part : part));
}

static kvar k_sine_of_turn(kernel *k, kvar w)
{
	const kvar part = LESS(w, K1(FLOOR, w));

	return k_sin(k, TIMES(N(pi), KSEL(IS(GT, part, N(0.5)), LESS(N(1), part), part)));
}

/* as two factors, the second one for a product that may be too large, or too small by reflection.
 * Where it is whole and has a last digit below 1, it is rounded to that */
static double gamma_f64(double z)
{
	const double most = 200; /* infinite from 171.7 on, and by reflection 0 */
	const bool left = z < -0.5;
	const double size = left ? -z : z, w = size > most ? most : size;
	const bool near = !(w >= far_from);
	const double y = from_whole(w), f = factor(w), sine = sine_of_turn(size);
	const double at_2 = fma(y, horner(y, by_gamma, NEAR_TERMS), 1);
	const double half = pow_f64(w, w / 2 - 0.25);
	const double less = exp_f64(-w) * exp_f64(beyond_stirling_f64(w)) * root_2pi;
	const double first = near ? w < 1.5 ? at_2 / f : at_2 * f : half * less;
	const double second = near ? 1 : half, value = first * second;
	const double turned = pi / (size * sine) / first / second, down = floor(size);
	const bool minus = floor(down / 2) * 2 == down;

	if (left) return sine == 0 ? NAN : minus ? -turned : turned;
	return z == floor(z) && value < 0x1p52 ? floor(value + 0.5) : value;
}

static kvar k_gamma_f64(kernel *k, kvar z)
{
	const kvar left = IS(LT, z, N(-0.5)), size = KSEL(left, K1(NEG, z), z);
	const kvar w = KSEL(IS(GT, size, N(200)), N(200), size), far = IS(GE, w, N(far_from));
	const kvar y = k_from_whole(k, w), f = k_factor(k, w), sine = k_sine_of_turn(k, size);
	const kvar at_2 = k_fma(k, y, k_horner(k, y, by_gamma, NEAR_TERMS), N(1));
	const kvar half = k_pow(k, w, LESS(OVER(w, N(2)), N(0.25)));
	const kvar rest = k_exp(k, k_beyond_stirling(k, w));
	const kvar less = TIMES(TIMES(k_exp(k, K1(NEG, w)), rest), N(root_2pi));
	const kvar near = KSEL(IS(LT, w, N(1.5)), OVER(at_2, f), TIMES(at_2, f));
	const kvar first = KSEL(far, TIMES(half, less), near), second = KSEL(far, half, N(1));
	const kvar value = TIMES(first, second), down = K1(FLOOR, size);
	const kvar turned = OVER(OVER(OVER(N(pi), TIMES(size, sine)), first), second);
	const kvar minus = IS(EQ, TIMES(K1(FLOOR, OVER(down, N(2))), N(2)), down);
	const kvar some = KSEL(minus, K1(NEG, turned), turned);
	const kvar whole = K2(AND, IS(EQ, z, K1(FLOOR, z)), IS(LT, value, N(0x1p52)));
	const kvar right = KSEL(whole, K1(FLOOR, PLUS(value, N(0.5))), value);

	return KSEL(left, KSEL(IS(EQ, sine, N(0)), N(NAN), some), right);
}

BY_F64(gamma)
UNARY_ROW(gamma, "the gamma function: (x - 1)! of a whole number", 200, FLOAT,
          MUL(dx, MUL(ans, OF_1(digamma, x))), in_f64(k, a, k_gamma_f64), REAL_OF(gamma, a)(a))

double lgamma_f64(double z)
{
	const bool left = z < -0.5;
	const double w = left ? -z : z, y = from_whole(w), f = factor(w);
	const bool far = w >= far_from;
	const double log = log_f64(far ? w : fabs(f)), sine = sine_of_turn(w);
	const double near = y * horner(y, by_lgamma, NEAR_TERMS);
	const double rest = log_root_2pi_less_half + beyond_stirling_f64(w);
	const double value = far ? fma(w - 0.5, log - 1, rest) : w < 1.5 ? near - log : near + log;

	if (isinf(w) || (left && sine == 0)) return INFINITY;
	return left ? log_f64(pi / (w * sine)) - value : value;
}

static kvar k_lgamma_f64(kernel *k, kvar z)
{
	const kvar left = IS(LT, z, N(-0.5)), w = KSEL(left, K1(NEG, z), z);
	const kvar y = k_from_whole(k, w), f = k_factor(k, w), far = IS(GE, w, N(far_from));
	const kvar log = k_log(k, KSEL(far, w, K1(ABS, f))), sine = k_sine_of_turn(k, w);
	const kvar small = TIMES(y, k_horner(k, y, by_lgamma, NEAR_TERMS));
	const kvar near = KSEL(IS(LT, w, N(1.5)), LESS(small, log), PLUS(small, log));
	const kvar rest = PLUS(N(log_root_2pi_less_half), k_beyond_stirling(k, w));
	const kvar beyond = k_fma(k, LESS(w, N(0.5)), LESS(log, N(1)), rest);
	const kvar value = KSEL(far, beyond, near);
	const kvar turned = LESS(k_log(k, OVER(N(pi), TIMES(w, sine))), value);
	const kvar pole = K2(AND, left, IS(EQ, sine, N(0)));
	const kvar endless = K2(OR, IS(EQ, w, N(INFINITY)), pole);

	return KSEL(endless, N(INFINITY), KSEL(left, turned, value));
}

/* log gamma(1 + y) for |y| <= 1/2, also where 1 + y is rounded */
double lgamma1p_f64(double y) { return y * horner(y, by_lgamma, NEAR_TERMS) - log1p_f64(y); }

BY_F64(lgamma)
UNARY_ROW(lgamma, "log |gamma(x)|", 130, FLOAT, MUL(dx, OF_1(digamma, x)),
          in_f64(k, a, k_lgamma_f64), REAL_OF(lgamma, a)(a))

/* ---- digamma: the derivative of the series, log t - 7 / t + S'(x) / S(x); the reflection adds
 * -pi / tan(pi z) */

static const double lanczos[] = {
	0.99999999999980993227684700473478, 676.520368121885098567009190444019,
	-1259.13921672240287047156078755283, 771.3234287776530788486528258894,
	-176.61502916214059906584551354,    12.507343278686904814458936853,
	-0.13857109526572011689554707,      9.984369578019570859563e-6,
	1.50563273514931155834e-7};
enum { TERMS = sizeof lanczos / sizeof *lanczos };
static const double log_of_7_5 = 2.01490302054226475;

double digamma_f64(double z)
{
	const double x = z < 0.5 ? -z : z - 1, t = 7.5 + x, log_t = log_of_7_5 + log1p_f64(x / 7.5);
	const double turn = pi * (z + fabs(floor(z + 0.5)));
	double sum = lanczos[0], slope = 0;

	for (int i = 1; i < TERMS; i++) {
		const double share = lanczos[i] / (x + i);
		sum += share;
		slope -= share / (x + i);
	}
	const double y = log_t + slope / sum - 7 / t;
	const double reflected = y - pi * cos_f64(turn) / sin_f64(turn);

	if (z <= 0 && z == floor(z)) return NAN;
	return z < 0.5 ? reflected : y;
}

static kvar k_digamma_f64(kernel *k, kvar z)
{
	const kvar left = IS(LT, z, N(0.5)), x = KSEL(left, K1(NEG, z), LESS(z, N(1)));
	const kvar t = PLUS(N(7.5), x), log_t = PLUS(N(log_of_7_5), k_log1p(k, OVER(x, N(7.5))));
	const kvar turn = TIMES(N(pi), PLUS(z, K1(ABS, K1(FLOOR, PLUS(z, N(0.5))))));
	kvar sum = N(lanczos[0]), slope = N(0);

	for (int i = 1; i < TERMS; i++) {
		const kvar share = OVER(N(lanczos[i]), PLUS(x, N(i)));
		sum = PLUS(sum, share);
		slope = LESS(slope, OVER(share, PLUS(x, N(i))));
	}
	const kvar y = LESS(PLUS(log_t, OVER(slope, sum)), OVER(N(7), t));
	const kvar reflected = LESS(y, OVER(TIMES(N(pi), k_cos(k, turn)), k_sin(k, turn)));
	const kvar pole = K2(AND, IS(LE, z, N(0)), IS(EQ, z, K1(FLOOR, z)));

	return KSEL(pole, N(NAN), KSEL(left, reflected, y));
}

BY_F64(digamma)
UNARY_ROW(digamma, "the derivative of log gamma(x)", 130, FLOAT,
          MUL(dx, OF_2(polygamma, NUM(1), x)), in_f64(k, a, k_digamma_f64),
          REAL_OF(digamma, a)(a))

/* ---- zeta: the sum of (q + n)^-x for n = 0, 1, ... Ten terms, and the rest by Euler and
 * Maclaurin: with a = q + 10,
 * a^-x (a / (x - 1) + 1/2 + x / a (B2 / 2! + (x + 1)(x + 2) / a^2 (B4 / 4! + ...))) */

enum { FIRST_TERMS = 10, REST_TERMS = 12 };
/* (2 i)! / B(2 i) */
static const double bernoulli[REST_TERMS] = {
	12,
	-720,
	30240,
	-1209600,
	47900160,
	-1.8924375803183791606e9,
	7.47242496e10,
	-2.950130727918164224e12,
	1.1646782814350067249e14,
	-4.5979787224074726105e15,
	1.8152105401943546773e17,
	-7.1661652561756670113e18};

static double zeta_f64(double x, double q)
{
	double sum = 0, rest = 0, power = 0;
	const double a = q + FIRST_TERMS, per_square = 1 / (a * a);

	for (int i = 0; i <= FIRST_TERMS; i++) {
		power = pow_f64(q + i, -x);
		if (i < FIRST_TERMS) sum += power;
	}
	for (int i = REST_TERMS - 1; i > 0; i--)
		rest = (x + 2 * i) * (x + (2 * i - 1)) * per_square * (rest + 1 / bernoulli[i]);
	const double tail = power * (a / (x - 1) + 0.5 + x / a * (1 / bernoulli[0] + rest));
	const bool known = fabs(power) < fabs(sum) * 0x1p-52, pole = q <= 0 && q == floor(q);

	if (x == 1 || (pole && fmod(x, 2) == 0)) return INFINITY;
	if (x < 1 || (q <= 0 && x != floor(x))) return NAN;
	return pole ? NAN : known ? sum : sum + tail;
}

static kvar k_zeta_f64(kernel *k, kvar x, kvar q)
{
	const kvar a = PLUS(q, N(FIRST_TERMS)), per_square = OVER(N(1), TIMES(a, a));
	kvar sum = N(0), rest = N(0), power = N(0);

	for (int i = 0; i <= FIRST_TERMS; i++) {
		power = k_pow(k, PLUS(q, N(i)), K1(NEG, x));
		if (i < FIRST_TERMS) sum = PLUS(sum, power);
	}
	for (int i = REST_TERMS - 1; i > 0; i--) {
		const kvar by = TIMES(PLUS(x, N(2 * i)), PLUS(x, N(2 * i - 1)));
		rest = TIMES(TIMES(by, per_square), PLUS(rest, N(1 / bernoulli[i])));
	}
	const kvar part = TIMES(OVER(x, a), PLUS(N(1 / bernoulli[0]), rest));
	const kvar tail = TIMES(power, PLUS(PLUS(OVER(a, LESS(x, N(1))), N(0.5)), part));
	const kvar known = IS(LT, K1(ABS, power), TIMES(K1(ABS, sum), N(0x1p-52)));
	const kvar left = IS(LE, q, N(0)), pole = K2(AND, left, IS(EQ, q, K1(FLOOR, q)));
	const kvar even = IS(EQ, K2(REM, x, N(2)), N(0));
	const kvar none = K2(OR, IS(LT, x, N(1)), K2(AND, left, IS(NE, x, K1(FLOOR, x))));
	const kvar endless = K2(OR, IS(EQ, x, N(1)), K2(AND, pole, even));
	const kvar some = KSEL(pole, N(NAN), KSEL(known, sum, PLUS(sum, tail)));

	return KSEL(endless, N(INFINITY), KSEL(none, N(NAN), some));
}

ELEMENTWISE_TYPES(zeta, FLOAT, TSR_DTYPE_DEFAULT)
BY_F64_2(zeta)

static void zeta_eval(const eval_args *args)
{
	EVAL_2(FLOAT, LOOP_2, REAL_OF(zeta, a)(a, b))
}

LOWER_2(zeta, in_f64_2(k, a, b, k_zeta_f64))
const tsr_prim tsr__prim_zeta = {
	ELEMENTWISE(zeta, "the sum of (y + n)^-x for all n from 0 on", 1500, 2),
	TSR_NO_RULE(COL_JVP, "as in JAX it has none"),
	NOT_LINEAR,
};

/* ---- polygamma: derivative m of digamma, (-1)^(m + 1) m! zeta(m + 1, x) */

static double polygamma_f64(double m, double x)
{
	const double size = gamma_f64(m + 1) * zeta_f64(m + 1, x);

	if (m < 0 || m != floor(m)) return NAN;
	return m == 0 ? digamma_f64(x) : fmod(m, 2) == 0 ? -size : size;
}

static kvar k_polygamma_f64(kernel *k, kvar m, kvar x)
{
	const kvar next = PLUS(m, N(1));
	const kvar size = TIMES(k_gamma_f64(k, next), k_zeta_f64(k, next, x));
	const kvar none = K2(OR, IS(LT, m, N(0)), IS(NE, m, K1(FLOOR, m)));
	const kvar even = IS(EQ, K2(REM, m, N(2)), N(0));
	const kvar some = KSEL(even, K1(NEG, size), size);

	return KSEL(none, N(NAN), KSEL(IS(EQ, m, N(0)), k_digamma_f64(k, x), some));
}

/* m counts derivatives: there is none by it */
static var polygamma_tangent(build *b, const eqn *e, var m, var x, var ans, var dm,
                             var dx)
{
	if (!is_zero(dm)) {
		rule_missing(b, e, COL_JVP, "there is no derivative by how often is derived");
		build_fail(b);
		return (var){0};
	}
	return MUL(dx, OF_2(polygamma, emit_spread(b, ADD(m, NUM(1)), ans), x));
}

BY_F64_2(polygamma)
BINARY_ROW(polygamma, "derivative x, a whole number, of digamma at y", 1800, FLOAT,
           polygamma_tangent(b, e, x, y, ans, dx, dy), in_f64_2(k, a, b, k_polygamma_f64),
           REAL_OF(polygamma, a)(a, b))
