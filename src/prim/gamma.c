/* gamma.c - elementwise rows of the gamma function and its kin: lgamma, digamma, zeta, polygamma.
 * All are computed in f64, also for narrower dtypes, by the series that XLA has
 * (xla/hlo/builder/lib/math.cc, chlo's legalisation); functions and nodes step by step alike.
 *
 * Lanczos, A Precision Approximation of the Gamma Function (1964), with g = 7 and the coefficients
 * of P. Godfrey: for z >= 1/2, x = z - 1, t = x + 7.5 and S(x) = c0 + sum of ci / (x + i),
 * log gamma(z) = log sqrt(2 pi) + (x + 1/2) log t - t + log S(x). Left of 1/2 by reflection:
 * gamma(z) gamma(1 - z) = pi / sin(pi z).
 *
 *     lgamma [5 -0.5 0]    gives  [3.17805 1.26551 inf]
 *     digamma 1            gives  -0.57722
 *     zeta 2 1             gives  1.64493
 *     polygamma 1 1        gives  1.64493 */
#include <math.h>
#include "prim/in_f64.h"

static const double lanczos[] = {
	0.99999999999980993227684700473478, 676.520368121885098567009190444019,
	-1259.13921672240287047156078755283, 771.3234287776530788486528258894,
	-176.61502916214059906584551354,    12.507343278686904814458936853,
	-0.13857109526572011689554707,      9.984369578019570859563e-6,
	1.50563273514931155834e-7};
enum { TERMS = sizeof lanczos / sizeof *lanczos };
static const double pi = 3.14159265358979323846, log_pi = 1.14472988584940017414;
static const double log_root_2pi = 0.91893853320467274178, log_of_7_5 = 2.01490302054226475;

/* ---- lgamma */

double lgamma_f64(double z)
{
	const double size = fabs(z), part = size - floor(size);
	const double x = z < 0.5 ? -z : z - 1, t = 7.5 + x, log_t = log_of_7_5 + log1p_f64(x / 7.5);
	double sum = lanczos[0];

	for (int i = 1; i < TERMS; i++) sum += lanczos[i] / (x + i);
	const double y = (x + 0.5 - t / log_t) * log_t + log_root_2pi + log_f64(sum);
	const double under = log_f64(sin_f64(pi * (part > 0.5 ? 1 - part : part)));
	const double reflected = isfinite(under) ? log_pi - under - y : -under;

	return isinf(z) ? INFINITY : z < 0.5 ? reflected : y;
}

static kvar k_lgamma_f64(kernel *k, kvar z)
{
	const kvar size = K1(ABS, z), part = LESS(size, K1(FLOOR, size));
	const kvar left = IS(LT, z, N(0.5)), x = KSEL(left, K1(NEG, z), LESS(z, N(1)));
	const kvar t = PLUS(N(7.5), x), log_t = PLUS(N(log_of_7_5), k_log1p(k, OVER(x, N(7.5))));
	kvar sum = N(lanczos[0]);

	for (int i = 1; i < TERMS; i++) sum = PLUS(sum, OVER(N(lanczos[i]), PLUS(x, N(i))));
	const kvar grown = TIMES(LESS(PLUS(x, N(0.5)), OVER(t, log_t)), log_t);
	const kvar y = PLUS(PLUS(grown, N(log_root_2pi)), k_log(k, sum));
	const kvar near = KSEL(IS(GT, part, N(0.5)), LESS(N(1), part), part);
	const kvar under = k_log(k, k_sin(k, TIMES(N(pi), near)));
	const kvar reflected =
		KSEL(k_is_finite(k, under), LESS(LESS(N(log_pi), under), y), K1(NEG, under));

	return KSEL(IS(EQ, size, N(INFINITY)), N(INFINITY), KSEL(left, reflected, y));
}

BY_F64(lgamma)
UNARY_ROW(lgamma, "log |gamma(x)|", 130, FLOAT, MUL(dx, OF_1(digamma, x)),
          in_f64(k, a, k_lgamma_f64), REAL_OF(lgamma, a)(a))

/* ---- digamma: the derivative of the series, log t - 7 / t + S'(x) / S(x); the reflection adds
 * -pi / tan(pi z) */

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
	const double size = exp_f64(lgamma_f64(m + 1)) * zeta_f64(m + 1, x);

	if (m < 0 || m != floor(m)) return NAN;
	return m == 0 ? digamma_f64(x) : fmod(m, 2) == 0 ? -size : size;
}

static kvar k_polygamma_f64(kernel *k, kvar m, kvar x)
{
	const kvar next = PLUS(m, N(1));
	const kvar size = TIMES(k_exp(k, k_lgamma_f64(k, next)), k_zeta_f64(k, next, x));
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
