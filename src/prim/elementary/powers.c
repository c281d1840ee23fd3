/* powers.c - the steps of sinh, cosh, asinh, acosh, atanh and cbrt of f32 and f64, and of hypot of
 * f64, with the bits of SLEEF 3.5, by exponentials, logarithms and roots of pairs (pairs.h).
 *
 * e^x = 2^n e^r with n the integer nearest to x / ln 2, and log x = e ln 2 + log m with 3/4 <= m <
 * 3/2, where log m is a series of s = (m - 1) / (m + 1). The cube root of x = 2^e d is
 * 2^(e / 3) d^(1/3), by a polynomial and one step of Newton.
 *
 * For example, log(1 + sqrt(2)) = log(2 * 1.20711) = 0.69315 + 0.18823, and -2^1 0.5^(1/3) 2^(1/3):
 *
 *     asinh 1     gives  0.88137
 *     cbrt -8     gives  -2.0 */
#include <math.h>
#include "prim/elementary/pairs.h"

/* 2^n x by two factors, the first one with n / 2, rounded down */
var times_power(build *b, var x, var n)
{
	const var half = OF_2(shift_right_arithmetic, n, WHOLE(1));

	return MUL(MUL(x, power_of_two(b, x, half)), power_of_two(b, x, SUB(n, half)));
}

/* n with 2^n <= x < 2^(n + 1), of a positive x */
static var exponent_of(build *b, var x)
{
	const bool wide = is_wide(b, x);
	const int up = wide ? 300 : 64;
	const var small = IS(lt, x, NUM(wide ? 4.9090934652977266E-91 : 0x1p-64));
	const var y = SELECT(small, MUL(NUM(ldexp(1, up)), x), x);
	const var n = SUB(exponent_field(b, y), WHOLE(bias(b, x)));

	return SELECT(small, SUB(n, WHOLE(up)), n);
}

/* ---- e^x of pairs */

reduction exp_reduction(build *b, pair d)
{
	const var x = d.high;
	const bool wide = is_wide(b, x);
	const double per_ln2 = 1.442695040888963407359924681001892137426645954152985934135449406931;
	const double high = wide ? -.69314718055966295651160180568695068359375 : -0.693145751953125;
	const double low = wide ? -.28235290563031577122588448175013436025525412068e-12
	                        : -1.428606765330187045e-06f;
	const var q = OF_1(round, MUL(total(b, d), NUM(per_ln2)));
	const pair s = pair_sum(b, d, alone(MUL(q, NUM(high))));

	return (reduction){emit_convert(b, q, whole_dtype(b, x)),
	                   pair_sum(b, s, alone(MUL(q, NUM(low))))};
}

static pair rest_of_exp_f32(build *b, pair s)
{
	const var x = s.high;
	const var u = HORNER(x, +0.1980960224e-3f, +0.1394256484e-2f, +0.8333456703e-2f,
	                     +0.4166637361e-1f);
	const pair third = alone(NUM(+0.166666659414234244790680580464e+0f));
	const pair a = pair_sum(b, pair_mul(b, s, alone(u)), third);
	const pair c = pair_sum(b, pair_mul(b, s, a), alone(NUM(0.5)));
	const pair t = pair_sum(b, s, pair_mul(b, pair_square(b, s), c));

	return pair_add(b, alone(NUM(1)), t);
}

static pair rest_of_exp_f64(build *b, pair s)
{
	const var x = s.high;
	const var u = HALVES(x, +0.1602472219709932072e-9, +0.2092255183563157007e-8,
	                     +0.2505230023782644465e-7, +0.2755724800902135303e-6,
	                     +0.2755731892386044373e-5, +0.2480158735605815065e-4,
	                     +0.1984126984148071858e-3, +0.1388888888886763255e-2,
	                     +0.8333333333333347095e-2, +0.4166666666666669905e-1);
	const pair fourth = pair_square(b, pair_square(b, s)), one = alone(NUM(1));
	const pair sixth = alone(NUM(+0.1666666666666666574e+0));
	const pair a = pair_add(b, alone(NUM(0.5)), pair_mul(b, s, sixth));
	const pair c = pair_add(b, one, pair_mul(b, a, s));
	const pair t = pair_add(b, one, pair_mul(b, c, s));

	return pair_add(b, t, pair_mul(b, fourth, alone(u)));
}

/* 0 where d is so small that 2^n would be none */
pair exp_of_pair(build *b, pair d)
{
	const var x = d.high;
	const reduction r = exp_reduction(b, d);
	const pair t = is_wide(b, x) ? rest_of_exp_f64(b, r.rest) : rest_of_exp_f32(b, r.rest);
	const var none = IS(lt, x, NUM(is_wide(b, x) ? -1000 : -104));

	return (pair){SELECT(none, NUM(0), times_power(b, t.high, r.n)),
	              SELECT(none, NUM(0), times_power(b, t.low, r.n))};
}

/* ---- log of pairs */

static pair log_of_pair(build *b, pair d)
{
	const var x = d.high;
	const bool wide = is_wide(b, x);
	const var e = exponent_of(b, MUL(x, NUM(wide ? 1.0 / 0.75 : (double)(1.0f / 0.75f))));
	const var less = SUB(WHOLE(0), e);
	const pair m = wide ? (pair){times_power(b, d.high, less), times_power(b, d.low, less)}
	                    : pair_scale(b, d, power_of_two(b, x, less));
	const pair s = pair_div(b, pair_sum(b, m, alone(NUM(-1))), pair_sum(b, m, alone(NUM(1))));
	const pair ss = pair_square(b, s);
	const var u = wide ? HALVES(ss.high, 0.13860436390467167910856, 0.131699838841615374240845,
	                            0.153914168346271945653214, 0.181816523941564611721589,
	                            0.22222224632662035403996, 0.285714285511134091777308,
	                            0.400000000000914013309483)
	                   : HORNER(ss.high, 0.2392828464508056640625f,
	                            0.28518211841583251953125f, 0.400005877017974853515625f);
	const var t = FMA(u, ss.high, NUM(wide ? 0.666666666666664853302393
	                                       : 0.666666686534881591796875f));
	const pair ln2 = wide ? pair_of(b, x, 0.693147180559945286226764,
	                                2.319046813846299558417771e-17)
	                      : pair_of(b, x, 0.69314718246459960938f, -1.904654323148236017e-09f);
	const pair whole = pair_mul(b, ln2, alone(emit_convert(b, e, dtype_of(b, x))));
	const pair sum = pair_add(b, whole, pair_scale(b, s, NUM(2)));

	return pair_add(b, sum, pair_mul(b, pair_mul(b, ss, s), alone(t)));
}

/* ---- hypot: m sqrt(1 + (n / m)^2) with m the larger and n the smaller of |x| and |y|. Where m is
 * denormal both are multiplied first */

var hypot_steps(build *b, var given_x, var given_y)
{
	const var x = OF_1(abs, given_x), y = OF_1(abs, given_y);
	const var least = SELECT(IS(lt, x, y), x, y), most = SELECT(IS(gt, x, y), x, y);
	const var small = IS(lt, most, F64(0x1p-1022)), up = F64(0x1p54);
	const var over = SELECT(small, MUL(least, up), least);
	const var under = SELECT(small, MUL(most, up), most);
	const pair t = pair_div(b, alone(over), alone(under));
	const pair root = pair_root(b, pair_sum(b, pair_square(b, t), alone(F64(1))));
	const var far = total(b, pair_mul(b, root, alone(most)));
	const var some = SELECT(is_nan(b, far), F64(INFINITY), far);
	const var value = SELECT(IS(eq, least, F64(0)), most, some);
	const var known = SELECT(EITHER(is_nan(b, x), is_nan(b, y)), F64(NAN), value);

	return SELECT(EITHER(is_infinite(b, x), is_infinite(b, y)), F64(INFINITY), known);
}

/* ---- sinh, cosh: (e^x - e^-x) / 2 and (e^x + e^-x) / 2 */

/* of f(|x|) / 2, which is infinite beyond the largest x */
static var half_of(build *b, var x, pair twice)
{
	const var half = MUL(total(b, twice), NUM(0.5));
	const var above = IS(gt, OF_1(abs, x), NUM(is_wide(b, x) ? 710 : 89));

	return SELECT(EITHER(above, is_nan(b, half)), NUM(INFINITY), half);
}

static var nan_as(build *b, var x, var y) { return SELECT(is_nan(b, x), NUM(NAN), y); }

var sinh_of_pairs(build *b, var x)
{
	const pair e = exp_of_pair(b, alone(OF_1(abs, x)));
	const pair twice = pair_sub(b, e, pair_inverse(b, e));

	return nan_as(b, x, turned_by(b, half_of(b, x, twice), x));
}

var cosh_of_pairs(build *b, var x)
{
	const pair e = exp_of_pair(b, alone(OF_1(abs, x)));

	return nan_as(b, x, half_of(b, x, pair_add(b, e, pair_inverse(b, e))));
}

/* ---- asinh: log(x + sqrt(x^2 + 1)), for |x| > 1 with |x| sqrt((1 / x)^2 + 1). acosh: log(x +
 * sqrt(x + 1) sqrt(x - 1)). atanh: log((1 + x) / (1 - x)) / 2 */

static var is_beyond_root(build *b, var x) /* where x^2 is infinite */
{
	const double root = is_wide(b, x) ? 1.3407807929942596355e+154 : 18446743523953729536.0;

	return IS(gt, OF_1(abs, x), NUM(root));
}

var asinh_of_pairs(build *b, var x)
{
	const var size = OF_1(abs, x), large = IS(gt, size, NUM(1));
	const pair inverse = pair_inverse(b, alone(x));
	const pair base = {SELECT(large, inverse.high, size), SELECT(large, inverse.low, NUM(0))};
	const pair root = pair_root(b, pair_sum(b, pair_square(b, base), alone(NUM(1))));
	const pair far = pair_mul(b, root, alone(size)), near = pair_select(b, large, far, root);
	const pair sum = pair_normal(b, pair_sum(b, near, alone(x)));
	const var y = total(b, log_of_pair(b, sum));
	const var none = EITHER(is_beyond_root(b, x), is_nan(b, y));
	const var some = nan_as(b, x, SELECT(none, signed_as(b, INFINITY, x), y));

	return SELECT(BOTH(IS(eq, x, NUM(0)), is_below_zero(b, x)), x, some);
}

var acosh_of_pairs(build *b, var x)
{
	const pair above = pair_root(b, pair_sum(b, alone(x), alone(NUM(1))));
	const pair below = pair_root(b, pair_sum(b, alone(x), alone(NUM(-1))));
	const pair sum = pair_sum(b, pair_mul(b, above, below), alone(x));
	const var y = total(b, log_of_pair(b, sum));
	const var none = EITHER(is_beyond_root(b, x), is_nan(b, y));
	const var some = SELECT(none, NUM(INFINITY), y), one = NUM(1);

	return SELECT(IS(lt, x, one), NUM(NAN), nan_as(b, x, SELECT(IS(eq, x, one), NUM(0), some)));
}

var atanh_steps(build *b, var x)
{
	const var size = OF_1(abs, x);
	const pair one = alone(NUM(1));
	const pair q = pair_div(b, pair_sum(b, one, alone(size)),
	                        pair_sum(b, one, alone(NEG(size))));
	const var half = MUL(total(b, log_of_pair(b, q)), NUM(0.5));
	const var some = SELECT(IS(eq, size, NUM(1)), NUM(INFINITY), half);

	return turned_by(b, SELECT(IS(gt, size, NUM(1)), NUM(NAN), some), x);
}

/* ---- cbrt: x = 2^e d with 1/2 <= d < 1; e = 3 q + r, where 2048 and 6144 keep them positive */

/* d^(-1/3), roughly */
static var inverse_cbrt(build *b, var d)
{
	if (is_wide(b, d))
		return HORNER(d, -0.640245898480692909870982, 2.96155103020039511818595,
		              -5.73353060922947843636166, 6.03990368989458747961407,
		              -3.85841935510444988821632, 2.2307275302496609725722);
	return HORNER(d, -0.601564466953277587890625f, 2.8208892345428466796875f,
	              -5.532182216644287109375f, 5.898262500762939453125f,
	              -3.8095417022705078125f, 2.2241256237030029296875f);
}

/* 2^(r / 3) for r = 0, 1, 2 */
static pair third_power(build *b, var x, var r)
{
	const bool wide = is_wide(b, x);
	const pair one = wide ? pair_of(b, x, 1.2599210498948731907, -2.5899333753005069177e-17)
	                      : pair_of(b, x, 1.2599210739135742188f, -2.4018701694217270415e-08f);
	const pair two = wide ? pair_of(b, x, 1.5874010519681995834, -1.0869008194197822986e-16)
	                      : pair_of(b, x, 1.5874010324478149414f, 1.9520385308169352356e-08f);
	const var is_two = IS(eq, r, NUM(2)), is_one = IS(eq, r, NUM(1));

	return pair_select(b, is_two, two, pair_select(b, is_one, one, pair_of(b, x, 1, 0)));
}

/* d^(1/3) by that power */
static pair cbrt_of(build *b, var d, pair by)
{
	const var x = d, rough = inverse_cbrt(b, d), square = MUL(rough, rough);
	const var left = is_wide(b, d) ? product_less(b, d, MUL(square, square), rough)
	                               : less_product(b, rough, d, MUL(square, square));
	const double third = is_wide(b, d) ? 1.0 / 3 : -1.0 / 3;
	const var z = SUB(rough, MUL(left, NUM(third)));
	const pair zz = pair_mul(b, alone(z), alone(z));
	const pair again = pair_mul(b, pair_mul(b, zz, zz), alone(d));
	const var off = total(b, pair_sum(b, again, alone(NEG(z))));
	const var more = MUL(MUL(NUM(-2.0 / 3), off), z);

	return pair_mul(b, pair_mul(b, pair_sum(b, zz, alone(more)), alone(d)), by);
}

var cbrt_steps(build *b, var x)
{
	const var e = ADD(exponent_of(b, OF_1(abs, x)), WHOLE(1));
	const var d = times_power(b, x, SUB(WHOLE(0), e));
	const var t = ADD(emit_convert(b, e, dtype_of(b, x)), NUM(6144));
	const var q = OF_1(floor, MUL(t, NUM(1.0 / 3))), r = SUB(t, MUL(q, NUM(3)));
	const pair by = third_power(b, x, r), y = cbrt_of(b, OF_1(abs, d), by);
	const var n = SUB(emit_convert(b, q, whole_dtype(b, x)), WHOLE(2048));
	const var z = times_power(b, total(b, y), n);
	const var whole = EITHER(is_infinite(b, x), IS(eq, x, NUM(0)));

	return SELECT(whole, x, turned_by(b, z, x));
}
