/* gamma.c - elementwise rows of the gamma function and its kin: gamma, lgamma, digamma, zeta,
 * polygamma. All are computed in f64, also for narrower dtypes. digamma, zeta and polygamma are the
 * series that XLA has (xla/hlo/builder/lib/math.cc, chlo's legalisation). digamma is the derivative
 * of
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
#include "prim/elementwise/elementwise.h"

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

static var horner(build *b, var x, const double *by, int n)
{
	var sum = F64(by[0]);

	for (int i = 1; i < n; i++) sum = FMA(sum, x, F64(by[i]));
	return sum;
}

static var from_whole(build *b, var w) { return SUB(w, OF_1(floor, ADD(w, F64(0.5)))); }

/* f, or 1 / f for w < 3/2 */
static var factor(build *b, var w)
{
	var f = F64(1);

	for (int i = 1; i <= MOST_FACTORS; i++) {
		const var one = SUB(w, F64(i));
		f = MUL(f, SELECT(IS(ge, one, F64(1.5)), one, F64(1)));
	}
	return SELECT(IS(lt, w, F64(0.5)), MUL(w, ADD(F64(1), w)),
	              SELECT(IS(lt, w, F64(1.5)), w, f));
}

/* R(1 / w^2) / w */
var beyond_stirling_of(build *b, var w)
{
	return DIV(horner(b, DIV(F64(1), MUL(w, w)), by_far, FAR_TERMS), w);
}

/* |sin(pi w)| */
static var sine_of_turn(build *b, var w)
{
	const var part = SUB(w, OF_1(floor, w));

	return OF_1(sin, MUL(F64(pi), SELECT(IS(gt, part, F64(0.5)), SUB(F64(1), part), part)));
}

/* as two factors, the second one for a product that may be too large, or too small by reflection.
 * Where it is whole and has a last digit below 1, it is rounded to that. It is infinite from 171.7
 * on, and by reflection 0 */
static var gamma_of(build *b, var z)
{
	const var left = IS(lt, z, F64(-0.5)), size = SELECT(left, NEG(z), z);
	const var w = SELECT(IS(gt, size, F64(200)), F64(200), size);
	const var far = IS(ge, w, F64(far_from));
	const var y = from_whole(b, w), f = factor(b, w), sine = sine_of_turn(b, size);
	const var at_2 = FMA(y, horner(b, y, by_gamma, NEAR_TERMS), F64(1));
	const var half = OF_2(pow, w, SUB(DIV(w, F64(2)), F64(0.25)));
	const var rest = OF_1(exp, beyond_stirling_of(b, w));
	const var less = MUL(MUL(OF_1(exp, NEG(w)), rest), F64(root_2pi));
	const var near = SELECT(IS(lt, w, F64(1.5)), DIV(at_2, f), MUL(at_2, f));
	const var first = SELECT(far, MUL(half, less), near), second = SELECT(far, half, F64(1));
	const var value = MUL(first, second), down = OF_1(floor, size);
	const var turned = DIV(DIV(DIV(F64(pi), MUL(size, sine)), first), second);
	const var minus = IS(eq, MUL(OF_1(floor, DIV(down, F64(2))), F64(2)), down);
	const var some = SELECT(minus, NEG(turned), turned);
	const var whole = BOTH(IS(eq, z, OF_1(floor, z)), IS(lt, value, F64(0x1p52)));
	const var right = SELECT(whole, OF_1(floor, ADD(value, F64(0.5))), value);

	return SELECT(left, SELECT(IS(eq, sine, F64(0)), F64(NAN), some), right);
}

F64_ROW(gamma, "the gamma function: (x - 1)! of a whole number",
        MUL(dx, MUL(ans, OF_1(digamma, x))), gamma_of(b, x))

static var lgamma_of(build *b, var z)
{
	const var left = IS(lt, z, F64(-0.5)), w = SELECT(left, NEG(z), z);
	const var y = from_whole(b, w), f = factor(b, w), far = IS(ge, w, F64(far_from));
	const var log = OF_1(log, SELECT(far, w, OF_1(abs, f))), sine = sine_of_turn(b, w);
	const var small = MUL(y, horner(b, y, by_lgamma, NEAR_TERMS));
	const var near = SELECT(IS(lt, w, F64(1.5)), SUB(small, log), ADD(small, log));
	const var rest = ADD(F64(log_root_2pi_less_half), beyond_stirling_of(b, w));
	const var beyond = FMA(SUB(w, F64(0.5)), SUB(log, F64(1)), rest);
	const var value = SELECT(far, beyond, near);
	const var turned = SUB(OF_1(log, DIV(F64(pi), MUL(w, sine))), value);
	const var pole = BOTH(left, IS(eq, sine, F64(0)));
	const var endless = EITHER(IS(eq, w, F64(INFINITY)), pole);

	return SELECT(endless, F64(INFINITY), SELECT(left, turned, value));
}

var lgamma1p_of(build *b, var y)
{
	return SUB(MUL(y, horner(b, y, by_lgamma, NEAR_TERMS)), OF_1(log1p, y));
}

F64_ROW(lgamma, "log |gamma(x)|", MUL(dx, OF_1(digamma, x)), lgamma_of(b, x))

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

static var digamma_of(build *b, var z)
{
	const var left = IS(lt, z, F64(0.5)), x = SELECT(left, NEG(z), SUB(z, F64(1)));
	const var t = ADD(F64(7.5), x);
	const var log_t = ADD(F64(log_of_7_5), OF_1(log1p, DIV(x, F64(7.5))));
	const var whole = OF_1(abs, OF_1(floor, ADD(z, F64(0.5))));
	const var turn = MUL(F64(pi), ADD(z, whole));
	var sum = F64(lanczos[0]), slope = F64(0);

	for (int i = 1; i < TERMS; i++) {
		const var share = DIV(F64(lanczos[i]), ADD(x, F64(i)));
		sum = ADD(sum, share);
		slope = SUB(slope, DIV(share, ADD(x, F64(i))));
	}
	const var y = SUB(ADD(log_t, DIV(slope, sum)), DIV(F64(7), t));
	const var reflected = SUB(y, DIV(MUL(F64(pi), OF_1(cos, turn)), OF_1(sin, turn)));
	const var pole = BOTH(IS(le, z, F64(0)), IS(eq, z, OF_1(floor, z)));

	return SELECT(pole, F64(NAN), SELECT(left, reflected, y));
}

F64_ROW(digamma, "the derivative of log gamma(x)", MUL(dx, OF_2(polygamma, NUM(1), x)),
        digamma_of(b, x))

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

static var zeta_of(build *b, var x, var q)
{
	const var a = ADD(q, F64(FIRST_TERMS)), per_square = DIV(F64(1), MUL(a, a));
	var sum = F64(0), rest = FLAT, power = FLAT;

	for (int i = 0; i <= FIRST_TERMS; i++) {
		power = OF_2(pow, ADD(q, F64(i)), NEG(x));
		if (i < FIRST_TERMS) sum = ADD(sum, power);
	}
	for (int i = REST_TERMS - 1; i > 0; i--) {
		const var by = MUL(ADD(x, F64(2 * i)), ADD(x, F64(2 * i - 1)));
		const var next = F64(1 / bernoulli[i]);
		rest = MUL(MUL(by, per_square), is_zero(rest) ? next : ADD(rest, next));
	}
	const var part = MUL(DIV(x, a), ADD(F64(1 / bernoulli[0]), rest));
	const var tail = MUL(power, ADD(ADD(DIV(a, SUB(x, F64(1))), F64(0.5)), part));
	const var known = IS(lt, OF_1(abs, power), MUL(OF_1(abs, sum), F64(0x1p-52)));
	const var left = IS(le, q, F64(0)), pole = BOTH(left, IS(eq, q, OF_1(floor, q)));
	const var even = IS(eq, OF_2(rem, x, F64(2)), F64(0));
	const var none = EITHER(IS(lt, x, F64(1)), BOTH(left, IS(ne, x, OF_1(floor, x))));
	const var endless = EITHER(IS(eq, x, F64(1)), BOTH(pole, even));
	const var some = SELECT(pole, F64(NAN), SELECT(known, sum, ADD(sum, tail)));

	return SELECT(endless, F64(INFINITY), SELECT(none, F64(NAN), some));
}

ELEMENTWISE_TYPES(zeta, FLOAT, TSR_DTYPE_DEFAULT)
EXPAND_F64_2(zeta, zeta_of(b, x, y))
const tsr_prim tsr__prim_zeta = {
	EXPANDED(zeta, "the sum of (y + n)^-x for all n from 0 on", 2),
	TSR_NO_RULE(COL_JVP, "as in JAX it has none"),
	NOT_LINEAR,
};

/* ---- polygamma: derivative m of digamma, (-1)^(m + 1) m! zeta(m + 1, x) */

static var polygamma_of(build *b, var m, var x)
{
	const var next = ADD(m, F64(1)), size = MUL(gamma_of(b, next), zeta_of(b, next, x));
	const var none = EITHER(IS(lt, m, F64(0)), IS(ne, m, OF_1(floor, m)));
	const var even = IS(eq, OF_2(rem, m, F64(2)), F64(0));
	const var some = SELECT(even, NEG(size), size);

	return SELECT(none, F64(NAN), SELECT(IS(eq, m, F64(0)), digamma_of(b, x), some));
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

ELEMENTWISE_TYPES(polygamma, FLOAT, TSR_DTYPE_DEFAULT)
EXPAND_F64_2(polygamma, polygamma_of(b, x, y))
TANGENT_2(polygamma, polygamma_tangent(b, e, x, y, ans, dx, dy))
const tsr_prim tsr__prim_polygamma = {
	EXPANDED(polygamma, "derivative x, a whole number, of digamma at y", 2),
	SLOPE(polygamma),
};
