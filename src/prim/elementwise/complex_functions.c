/* complex_functions.c - makes functions of complex numbers from functions of real ones: formulas in
 * c128, also for c64, with both parts rounded once.
 *
 * The error is small relative to |result|: a part that is much smaller than the other one may have
 * a larger relative error. */
#include <math.h>
#include "prim/elementwise/elementwise.h"
#undef complex /* complex.h's word for _Complex: here it names a row */

#define C128(number) emit_scalar(b, TSR_C128, number)
#define PAIR(p, q) OF_2(complex, p, q)
#define RE(z) OF_1(real, z)
#define IM(z) OF_1(imag, z)
#define FINITE(p) IS(lt, OF_1(abs, p), F64(INFINITY))

var by_c128(build *b, var z, var (*formula)(build *, var))
{
	const tsr_dtype dtype = build_type(b, z)->dtype;

	if (dtype_kind(dtype) != KIND_COMPLEX) return (var){0};
	return emit_convert(b, formula(b, emit_convert(b, z, TSR_C128)), dtype);
}

static var scaled(build *b, var z, var by) { return PAIR(MUL(RE(z), by), MUL(IM(z), by)); }
static var is_zero_of(build *b, var z)
{
	return BOTH(IS(eq, RE(z), F64(0)), IS(eq, IM(z), F64(0)));
}

/* C's fmax and fmin: if one number is a NaN they give the other one */
static var larger(build *b, var x, var y)
{
	return SELECT(EITHER(IS(ge, x, y), IS(ne, y, y)), x, y);
}
static var smaller(build *b, var x, var y)
{
	return SELECT(EITHER(IS(le, x, y), IS(ne, y, y)), x, y);
}

static var angle(build *b, var y, var x) { return OF_2(atan2, y, x); }

static var infinite_either(build *b, var z)
{
	return EITHER(IS(eq, OF_1(abs, RE(z)), F64(INFINITY)),
	              IS(eq, OF_1(abs, IM(z)), F64(INFINITY)));
}

/* -1 where the sign bit is set, else 1; a number from 0 on with this sign */
static var sign_of(build *b, var y)
{
	const bitcast_params bits = {TSR_I64};
	const var top = emit(b, &tsr__prim_bitcast_convert_type, &bits, &y, 1);

	return SELECT(IS(lt, top, emit_scalar(b, TSR_I64, 0)), F64(-1), F64(1));
}

static var with_sign(build *b, var size, var y) { return MUL(size, sign_of(b, y)); }

/* z / |z|; halves where |z| overflows */
var sign_complex(build *b, var z)
{
	const var large = BOTH(BOTH(FINITE(RE(z)), FINITE(IM(z))), OF_1(not, FINITE(OF_1(abs, z))));
	const var near = SELECT(large, scaled(b, z, F64(0.5)), z), size = OF_1(abs, near);

	return SELECT(is_zero_of(b, z), z, PAIR(DIV(RE(near), size), DIV(IM(near), size)));
}

/* grow (cos turn + i sin turn); for turn = 0 exactly (grow, turn), which keeps the sign of the
 * zero */
static var turned(build *b, var grow, var turn)
{
	const var all = PAIR(MUL(grow, OF_1(cos, turn)), MUL(grow, OF_1(sin, turn)));
	const var gone = C128(0);

	return SELECT(IS(eq, turn, F64(0)), PAIR(grow, turn),
	              SELECT(IS(eq, grow, F64(0)), gone, all));
}

/* from this real part on, a power that may overflow although its product with a cosine does not */
static var is_far(build *b, var z, double from)
{
	return BOTH(BOTH(IS(ge, RE(z), F64(from)), FINITE(RE(z))), IS(ne, IM(z), F64(0)));
}

/* where e^x would overflow, e^(x/2) is multiplied in twice: e^x cos y may still be finite */
var exp_complex(build *b, var z)
{
	const var x = RE(z), usual = OF_1(not, is_far(b, z, 709));
	const var power = OF_1(exp, SELECT(usual, x, MUL(x, F64(0.5))));
	const var part = turned(b, power, IM(z));

	return SELECT(usual, part, scaled(b, part, power));
}

var exp2_complex(build *b, var z)
{
	const var x = RE(z), usual = OF_1(not, is_far(b, z, 1023));
	const var power = OF_1(exp2, SELECT(usual, x, MUL(x, F64(0.5))));
	const var part = turned(b, power, MUL(IM(z), F64(0x1.62e42fefa39efp-1)));

	return SELECT(usual, part, scaled(b, part, power));
}

/* (e^x - 1) cos y - 2 sin^2(y/2) + i e^x sin y; where e^x would overflow, e^z */
var expm1_complex(build *b, var z)
{
	const var y = IM(z), s = OF_1(sin, MUL(y, F64(0.5))), less_one = OF_1(expm1, RE(z));
	const var re = FMA(less_one, OF_1(cos, y), MUL(MUL(F64(-2), s), s));

	const var power = exp_complex(b, z), far = is_far(b, z, 709);

	return SELECT(IS(eq, y, F64(0)), PAIR(less_one, y),
	              PAIR(SELECT(far, RE(power), re), IM(power)));
}

/* log |z|. With m >= n the absolute values of the parts, it is log1p((m - 1)(m + 1) + n^2) / 2 for
 * m near 1, where log |z| would cancel. */
static var log_abs(build *b, var z)
{
	const var x = OF_1(abs, RE(z)), y = OF_1(abs, IM(z));
	const var m = larger(b, x, y), n = smaller(b, x, y);
	const var near = BOTH(IS(gt, m, F64(0.5)), IS(lt, m, F64(2)));
	const var large = BOTH(IS(gt, m, F64(0x1p+1000)), FINITE(m));
	const var product = FMA(SUB(m, F64(1)), ADD(m, F64(1)), MUL(n, n));
	const var l = OF_1(log, OF_1(abs, SELECT(large, scaled(b, z, F64(0x1p-60)), z)));

	return SELECT(near, MUL(OF_1(log1p, product), F64(0.5)),
	              SELECT(large, ADD(l, F64(60 * 0x1.62e42fefa39efp-1)), l));
}

/* size and turn, or NaN twice */
static var log_pair(build *b, var size, var turn)
{
	return PAIR(SELECT(IS(eq, turn, turn), size, F64(NAN)), turn);
}

var log_complex(build *b, var z)
{
	return log_pair(b, log_abs(b, z), angle(b, IM(z), RE(z)));
}

/* near 0, |1 + z|^2 - 1 = x (2 + x) + y^2 */
var log1p_complex(build *b, var z)
{
	const var x = RE(z), y = IM(z), more = ADD(F64(1), x);
	const var near = BOTH(IS(lt, OF_1(abs, x), F64(0.5)), IS(lt, OF_1(abs, y), F64(0.5)));
	const var size = FMA(x, ADD(F64(2), x), MUL(y, y));

	return log_pair(
		b, SELECT(near, MUL(OF_1(log1p, size), F64(0.5)), log_abs(b, PAIR(more, y))),
		angle(b, y, more));
}

/* e^z / (1 + e^z) or 1 / (1 + e^-z), whichever exponential does not overflow */
var logistic_complex(build *b, var z)
{
	const var left = IS(lt, RE(z), F64(0)), power = exp_complex(b, SELECT(left, z, NEG(z)));
	const var above = SELECT(left, power, C128(1));

	return DIV(above, PAIR(ADD(F64(1), RE(power)), IM(power)));
}

/* with u = tanh x, v = tan y: (u (1 + v^2) + i v (1 - u^2)) / (1 + u^2 v^2), where
 * 1 - u^2 = 4 w / (1 + w)^2 with w = e^(-2|x|) */
var tanh_complex(build *b, var z)
{
	const var x = RE(z), y = IM(z), u = OF_1(tanh, x), v = DIV(OF_1(sin, y), OF_1(cos, y));
	const var w = OF_1(exp, MUL(F64(-2), OF_1(abs, x))), uv = MUL(u, v);
	const var under = FMA(uv, uv, F64(1)), one_more = ADD(F64(1), w);
	const var re = DIV(MUL(u, FMA(v, v, F64(1))), under);
	const var im = DIV(MUL(v, DIV(MUL(F64(4), w), MUL(one_more, one_more))), under);

	const var flat = IS(eq, y, F64(0));
	const var far = BOTH(IS(eq, OF_1(abs, x), F64(INFINITY)), IS(ne, v, v));

	return SELECT(EITHER(flat, far), PAIR(u, SELECT(flat, y, F64(0))), PAIR(re, im));
}

/* t cosh y and t sinh y, where cosh y = (e^y + e^-y) / 2 and sinh y = (e^y - e^-y) / 2. Beyond 40
 * the size of both is e^|y| / 2; e^(|y| / 2) is multiplied in twice, so that nothing overflows but
 * the product with t */
static var times_cosh(build *b, var t, var y)
{
	const var a = OF_1(abs, y), far = IS(gt, a, F64(40));
	const var power = OF_1(exp, SELECT(far, MUL(a, F64(0.5)), a));
	const var near = MUL(t, MUL(F64(0.5), ADD(power, DIV(F64(1), power))));

	return SELECT(far, MUL(MUL(t, MUL(F64(0.5), power)), power), near);
}

/* with s = e^|y| - 1, which loses nothing near 0: (s + s / (s + 1)) / 2 */
static var times_sinh(build *b, var t, var y)
{
	const var a = OF_1(abs, y), far = IS(gt, a, F64(40));
	const var half = OF_1(exp, MUL(a, F64(0.5))), s = OF_1(expm1, a);
	const var near = MUL(F64(0.5), ADD(s, DIV(s, ADD(s, F64(1)))));
	const var part = MUL(t, with_sign(b, SELECT(far, MUL(F64(0.5), half), near), y));

	return SELECT(far, MUL(part, half), part);
}

/* x = 0 gives the real part 0, even if cosh is infinite */
var sin_complex(build *b, var z)
{
	const var x = RE(z), y = IM(z), re = times_cosh(b, OF_1(sin, x), y);

	return PAIR(SELECT(IS(eq, x, F64(0)), x, re), times_sinh(b, OF_1(cos, x), y));
}

/* x = 0 gives the imaginary part 0 with the sign of -x y; +0 if y is a NaN */
var cos_complex(build *b, var z)
{
	const var x = RE(z), y = IM(z), im = times_sinh(b, NEG(OF_1(sin, x)), y);
	const var flat = SELECT(IS(ne, y, y), F64(0), MUL(NEG(x), sign_of(b, y)));

	return PAIR(times_cosh(b, OF_1(cos, x), y), SELECT(IS(eq, x, F64(0)), flat, im));
}

/* With z turned over, y + ix, functions of one kind are those of the other: sinh z = -i sin(iz),
 * sin is odd, and sin(conj z) = conj sin(z), so that sinh(x + iy) is sin(y + ix) turned over */
static var turned_over(build *b, var z) { return PAIR(IM(z), RE(z)); }

var sinh_complex(build *b, var z) { return turned_over(b, sin_complex(b, turned_over(b, z))); }
var tan_complex(build *b, var z) { return turned_over(b, tanh_complex(b, turned_over(b, z))); }

var cosh_complex(build *b, var z)
{
	const var y = cos_complex(b, turned_over(b, z));

	return PAIR(RE(y), NEG(IM(y)));
}

static var arc_far(build *b, var z)
{
	return PAIR(OF_1(abs, IM(z)), ADD(log_abs(b, z), F64(0x1.62e42fefa39efp-1)));
}

/* The inverse functions, after Hull, Fairgrieve and Tang, Implementing the complex arcsine and
 * arccosine functions using exception handling (ACM TOMS 23, 1997). For x, y >= 0, r = |z + 1|,
 * s = |z - 1| and a = (r + s) / 2, asin z has the real part atan2(x, b) with b^2 = (a + x)(a - x),
 * and the imaginary part h = log(a + sqrt(a^2 - 1)). a - x and a - 1 are sums of what is positive:
 * 2 (a - x) = y^2 / (r + x + 1) + (s + 1 - x), and s + 1 - x = y^2 / (s + x - 1). For x < 1 y^2
 * may be too small for a number. Far off b = y and h = log 2|z|. arc gives b + ih */
static var arc(build *b, var z)
{
	const var x = OF_1(abs, RE(z)), y = OF_1(abs, IM(z)), one = F64(1);
	const var r = OF_1(abs, PAIR(ADD(x, one), y));
	const var s = OF_1(abs, PAIR(SUB(x, one), y)), a = MUL(F64(0.5), ADD(r, s));
	const var far = ADD(r, ADD(x, one)), near = ADD(s, OF_1(abs, SUB(x, one)));
	const var half = MUL(F64(0.5), ADD(a, x)), sum = ADD(DIV(MUL(y, y), far), near);
	const var shares = ADD(DIV(one, far), DIV(one, near));
	const var root = SELECT(IS(le, x, one), OF_1(sqrt, MUL(half, sum)),
	                        MUL(y, OF_1(sqrt, MUL(half, shares))));
	const var q = MUL(F64(0.5), ADD(DIV(y, far), DIV(y, near)));
	const var inner = ADD(MUL(y, q), MUL(OF_1(sqrt, y), OF_1(sqrt, MUL(q, ADD(a, one)))));
	const var less = MUL(F64(0.5), sum), outer = ADD(less, OF_1(sqrt, MUL(less, ADD(a, one))));
	const var h = OF_1(log1p, SELECT(IS(lt, x, one), inner, outer));

	return SELECT(IS(ge, larger(b, x, y), F64(0x1p+28)), arc_far(b, z), PAIR(root, h));
}

/* the size of a part with the sign of z there; a NaN counts as + */
static var signed_as(build *b, var size, var part)
{
	return with_sign(b, size, SELECT(IS(eq, part, part), part, F64(0)));
}

var asin_complex(build *b, var z)
{
	const var x = RE(z), bh = arc(b, z), turn = angle(b, OF_1(abs, x), RE(bh));

	return PAIR(signed_as(b, turn, x), signed_as(b, IM(bh), IM(z)));
}

var acos_complex(build *b, var z)
{
	const var bh = arc(b, z);

	return PAIR(angle(b, RE(bh), RE(z)), NEG(signed_as(b, IM(bh), IM(z))));
}

/* i acos z above the real axis, -i acos z below */
var acosh_complex(build *b, var z)
{
	const var bh = arc(b, z);

	return PAIR(IM(bh), signed_as(b, angle(b, RE(bh), RE(z)), IM(z)));
}

/* For x, y >= 0 (log1p(4 x / ((1 - x)^2 + y^2)) / 4, atan2(2 y, (1 - x)(1 + x) - y^2) / 2); far off
 * (x / |z|^2, pi / 2); near 1, where y^2 is too small, the real part is log(2 / y) / 2 */
var atanh_complex(build *b, var z)
{
	const var x = OF_1(abs, RE(z)), y = OF_1(abs, IM(z)), m = larger(b, x, y), one = F64(1);
	const var p = DIV(x, m), q = DIV(y, m), less = SUB(one, x), yy = MUL(y, y);
	const var share = DIV(MUL(F64(4), x), FMA(less, less, yy));
	const var low = MUL(F64(0.5), SUB(F64(0x1.62e42fefa39efp-1), OF_1(log, y)));
	const var near = BOTH(IS(eq, x, one), IS(lt, y, F64(0x1p-300)));
	const var re = SELECT(near, low, MUL(F64(0.25), OF_1(log1p, share)));
	const var im =
		MUL(F64(0.5), angle(b, MUL(F64(2), y), FMA(less, ADD(one, x), NEG(yy))));
	const var far = IS(ge, m, F64(0x1p+60)), thin = DIV(p, MUL(m, FMA(p, p, MUL(q, q))));
	const var re_far = SELECT(IS(eq, m, F64(INFINITY)), F64(0), thin);
	const var im_far = SELECT(IS(ne, y, y), y, F64(0x1.921fb54442d18p+0));

	return PAIR(signed_as(b, SELECT(far, re_far, re), RE(z)),
	            signed_as(b, SELECT(far, im_far, im), IM(z)));
}

var asinh_complex(build *b, var z)
{
	return turned_over(b, asin_complex(b, turned_over(b, z)));
}
var atan_complex(build *b, var z)
{
	return turned_over(b, atanh_complex(b, turned_over(b, z)));
}

/* If a part is infinite, the result is 0. The imaginary part of z then only decides the sign of the
 * imaginary zero, and a NaN counts as +. */
var rsqrt_complex(build *b, var z)
{
	const var y = IM(z), sign = sign_of(b, SELECT(IS(eq, y, y), y, F64(1)));

	return SELECT(infinite_either(b, z), PAIR(F64(0), MUL(sign, F64(-0.0))),
	              DIV(C128(1), OF_1(sqrt, z)));
}

/* e^(w log z); z^0 = 1^w = 1, and 0 to a power with a positive real part is 0 */
var pow_complex(build *b, var z, var w)
{
	const var gone = BOTH(is_zero_of(b, z), IS(gt, RE(w), F64(0)));
	const var usual = exp_complex(b, MUL(w, log_complex(b, z)));
	const var of_one = BOTH(IS(eq, RE(z), F64(1)), IS(eq, IM(z), F64(0)));

	return SELECT(EITHER(is_zero_of(b, w), of_one), C128(1),
	              SELECT(gone, C128(0), usual));
}

