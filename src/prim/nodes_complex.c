/* nodes_complex.c - functions of complex numbers as nodes: complex.c step for step, so that the
 * bits are the same. Where complex.c returns early, a select at the end picks the result. */
#include <math.h>
#include "prim/nodes.h"

/* words for formulas in f64 */
#define NUM(x) k_number(k, TSR_F64, x)
#define PAIR(a, b) k_complex(k, a, b)
#define RE(z) K1(RE, z)
#define IM(z) K1(IM, z)
#define ADD(a, b) K2(ADD, a, b)
#define SUB(a, b) K2(SUB, a, b)
#define MUL(a, b) K2(MUL, a, b)
#define DIV(a, b) K2(DIV, a, b)
#define NEG(a) K1(NEG, a)
#define ABS(a) K1(ABS, a)
#define SQRT(a) K1(SQRT, a)
#define FMA(a, b, c) k_fma(k, a, b, c)
#define IS(op, a, b) K2(op, a, b)
#define BOTH(a, b) K2(AND, a, b)
#define EITHER(a, b) K2(OR, a, b)
#define NOT(a) K1(NOT, a)
#define FINITE(a) IS(LT, ABS(a), NUM(INFINITY))

static kvar scaled(kernel *k, kvar z, kvar by) { return PAIR(MUL(RE(z), by), MUL(IM(z), by)); }
static kvar is_zero_of(kernel *k, kvar z)
{
	return BOTH(IS(EQ, RE(z), NUM(0)), IS(EQ, IM(z), NUM(0)));
}

/* C's fmax and fmin: if one number is a NaN they give the other one */
static kvar larger(kernel *k, kvar a, kvar b)
{
	return KSEL(EITHER(IS(GE, a, b), IS(NE, b, b)), a, b);
}
static kvar smaller(kernel *k, kvar a, kvar b)
{
	return KSEL(EITHER(IS(LE, a, b), IS(NE, b, b)), a, b);
}

static kvar hypotenuse(kernel *k, kvar z)
{
	return k_call(k, KFN_HYPOT, (kvar[]){RE(z), IM(z)}, 2);
}
static kvar angle(kernel *k, kvar y, kvar x) { return k_call(k, KFN_ATAN2, (kvar[]){y, x}, 2); }

/* ---- of c128 */

static kvar infinite(kernel *k, kvar a)
{
	const kvar size = KSEL(IS(EQ, ABS(a), NUM(INFINITY)), NUM(1), NUM(0));

	return KSEL(IS(EQ, a, a), K2(COPYSIGN, size, a), NUM(0));
}

static kvar finite_both(kernel *k, kvar z) { return BOTH(FINITE(RE(z)), FINITE(IM(z))); }
static kvar infinite_either(kernel *k, kvar z)
{
	return EITHER(IS(EQ, ABS(RE(z)), NUM(INFINITY)), IS(EQ, ABS(IM(z)), NUM(INFINITY)));
}

static kvar quotient_at_infinity(kernel *k, kvar z, kvar w)
{
	const kvar above = BOTH(infinite_either(k, z), finite_both(k, w));
	const kvar under = BOTH(infinite_either(k, w), finite_both(k, z));
	const kvar a = KSEL(above, infinite(k, RE(z)), RE(z));
	const kvar b = KSEL(above, infinite(k, IM(z)), IM(z));
	const kvar c = KSEL(under, infinite(k, RE(w)), RE(w));
	const kvar d = KSEL(under, infinite(k, IM(w)), IM(w));
	const kvar by = KSEL(above, NUM(INFINITY), KSEL(under, NUM(0), NUM(NAN)));

	return PAIR(MUL(by, ADD(MUL(a, c), MUL(b, d))), MUL(by, SUB(MUL(b, c), MUL(a, d))));
}

static kvar quotient(kernel *k, kvar z, kvar w)
{
	const kvar a = RE(z), b = IM(z), c = RE(w), d = IM(w);
	const kvar by_re = IS(GE, ABS(c), ABS(d));
	const kvar big = KSEL(by_re, c, d), little = KSEL(by_re, d, c);
	const kvar r = DIV(little, big), under = FMA(little, r, big);
	const kvar re = KSEL(by_re, FMA(b, r, a), FMA(a, r, b));
	const kvar im = KSEL(by_re, FMA(NEG(a), r, b), FMA(b, r, NEG(a)));

	return KSEL(is_zero_of(k, w), PAIR(DIV(a, c), DIV(b, c)),
	            PAIR(DIV(re, under), DIV(im, under)));
}

static kvar div_wide(kernel *k, kvar z, kvar w)
{
	const kvar q = quotient(k, z, w);
	const kvar none = BOTH(IS(NE, RE(q), RE(q)), IS(NE, IM(q), IM(q)));

	return KSEL(none, quotient_at_infinity(k, z, w), q);
}

static kvar sign_wide(kernel *k, kvar z)
{
	const kvar large = BOTH(BOTH(FINITE(RE(z)), FINITE(IM(z))), NOT(FINITE(hypotenuse(k, z))));
	const kvar near = KSEL(large, scaled(k, z, NUM(0.5)), z), size = hypotenuse(k, near);

	return KSEL(is_zero_of(k, z), z, PAIR(DIV(RE(near), size), DIV(IM(near), size)));
}

static kvar turned(kernel *k, kvar grow, kvar turn)
{
	const kvar all = PAIR(MUL(grow, k_cos(k, turn)), MUL(grow, k_sin(k, turn)));
	const kvar gone = PAIR(NUM(0), NUM(0));

	return KSEL(IS(EQ, turn, NUM(0)), PAIR(grow, turn), KSEL(IS(EQ, grow, NUM(0)), gone, all));
}

/* from this real part on, a power that may overflow although its product with a cosine does not */
static kvar is_far(kernel *k, kvar z, double from)
{
	return BOTH(BOTH(IS(GE, RE(z), NUM(from)), FINITE(RE(z))), IS(NE, IM(z), NUM(0)));
}

static kvar exp_wide(kernel *k, kvar z)
{
	const kvar x = RE(z), usual = NOT(is_far(k, z, 709));
	const kvar power = k_exp(k, KSEL(usual, x, MUL(x, NUM(0.5))));
	const kvar part = turned(k, power, IM(z));

	return KSEL(usual, part, scaled(k, part, power));
}

static kvar exp2_wide(kernel *k, kvar z)
{
	const kvar x = RE(z), usual = NOT(is_far(k, z, 1023));
	const kvar power = k_exp2(k, KSEL(usual, x, MUL(x, NUM(0.5))));
	const kvar part = turned(k, power, MUL(IM(z), NUM(0x1.62e42fefa39efp-1)));

	return KSEL(usual, part, scaled(k, part, power));
}

static kvar expm1_wide(kernel *k, kvar z)
{
	const kvar y = IM(z), s = k_sin(k, MUL(y, NUM(0.5))), less_one = k_expm1(k, RE(z));
	const kvar re = FMA(less_one, k_cos(k, y), MUL(MUL(NUM(-2), s), s));

	const kvar power = exp_wide(k, z), far = is_far(k, z, 709);

	return KSEL(IS(EQ, y, NUM(0)), PAIR(less_one, y),
	            PAIR(KSEL(far, RE(power), re), IM(power)));
}

static kvar log_abs(kernel *k, kvar z)
{
	const kvar a = ABS(RE(z)), b = ABS(IM(z)), m = larger(k, a, b), n = smaller(k, a, b);
	const kvar near = BOTH(IS(GT, m, NUM(0.5)), IS(LT, m, NUM(2)));
	const kvar large = BOTH(IS(GT, m, NUM(0x1p+1000)), FINITE(m));
	const kvar product = FMA(SUB(m, NUM(1)), ADD(m, NUM(1)), MUL(n, n));
	const kvar l = k_log(k, hypotenuse(k, KSEL(large, scaled(k, z, NUM(0x1p-60)), z)));

	return KSEL(near, MUL(k_log1p(k, product), NUM(0.5)),
	            KSEL(large, ADD(l, NUM(60 * 0x1.62e42fefa39efp-1)), l));
}

/* size and turn, or NaN twice */
static kvar log_pair(kernel *k, kvar size, kvar turn)
{
	return PAIR(KSEL(IS(EQ, turn, turn), size, NUM(NAN)), turn);
}

static kvar log_wide(kernel *k, kvar z)
{
	return log_pair(k, log_abs(k, z), angle(k, IM(z), RE(z)));
}

static kvar log1p_wide(kernel *k, kvar z)
{
	const kvar x = RE(z), y = IM(z), more = ADD(NUM(1), x);
	const kvar near = BOTH(IS(LT, ABS(x), NUM(0.5)), IS(LT, ABS(y), NUM(0.5)));
	const kvar size = FMA(x, ADD(NUM(2), x), MUL(y, y));

	return log_pair(
		k, KSEL(near, MUL(k_log1p(k, size), NUM(0.5)), log_abs(k, PAIR(more, y))),
		angle(k, y, more));
}

static kvar logistic_wide(kernel *k, kvar z)
{
	const kvar left = IS(LT, RE(z), NUM(0)), power = exp_wide(k, KSEL(left, z, NEG(z)));
	const kvar above = KSEL(left, power, PAIR(NUM(1), NUM(0)));

	return div_wide(k, above, PAIR(ADD(NUM(1), RE(power)), IM(power)));
}

static kvar tanh_wide(kernel *k, kvar z)
{
	const kvar x = RE(z), y = IM(z), u = k_tanh(k, x), v = DIV(k_sin(k, y), k_cos(k, y));
	const kvar w = k_exp(k, MUL(NUM(-2), ABS(x))), uv = MUL(u, v);
	const kvar under = FMA(uv, uv, NUM(1)), one_more = ADD(NUM(1), w);
	const kvar re = DIV(MUL(u, FMA(v, v, NUM(1))), under);
	const kvar im = DIV(MUL(v, DIV(MUL(NUM(4), w), MUL(one_more, one_more))), under);

	const kvar flat = IS(EQ, y, NUM(0));
	const kvar far = BOTH(IS(EQ, ABS(x), NUM(INFINITY)), IS(NE, v, v));

	return KSEL(EITHER(flat, far), PAIR(u, KSEL(flat, y, NUM(0))), PAIR(re, im));
}

static kvar times_cosh(kernel *k, kvar t, kvar y)
{
	const kvar a = ABS(y), far = IS(GT, a, NUM(40));
	const kvar power = k_exp(k, KSEL(far, MUL(a, NUM(0.5)), a));
	const kvar near = MUL(t, MUL(NUM(0.5), ADD(power, DIV(NUM(1), power))));

	return KSEL(far, MUL(MUL(t, MUL(NUM(0.5), power)), power), near);
}

static kvar times_sinh(kernel *k, kvar t, kvar y)
{
	const kvar a = ABS(y), far = IS(GT, a, NUM(40));
	const kvar half = k_exp(k, MUL(a, NUM(0.5))), s = k_expm1(k, a);
	const kvar near = MUL(NUM(0.5), ADD(s, DIV(s, ADD(s, NUM(1)))));
	const kvar part = MUL(t, K2(COPYSIGN, KSEL(far, MUL(NUM(0.5), half), near), y));

	return KSEL(far, MUL(part, half), part);
}

static kvar sin_wide(kernel *k, kvar z)
{
	const kvar x = RE(z), y = IM(z), re = times_cosh(k, k_sin(k, x), y);

	return PAIR(KSEL(IS(EQ, x, NUM(0)), x, re), times_sinh(k, k_cos(k, x), y));
}

static kvar cos_wide(kernel *k, kvar z)
{
	const kvar x = RE(z), y = IM(z), im = times_sinh(k, NEG(k_sin(k, x)), y);
	const kvar flat = KSEL(IS(NE, y, y), NUM(0), MUL(NEG(x), K2(COPYSIGN, NUM(1), y)));

	return PAIR(times_cosh(k, k_cos(k, x), y), KSEL(IS(EQ, x, NUM(0)), flat, im));
}

static kvar turned_over(kernel *k, kvar z) { return PAIR(IM(z), RE(z)); }

static kvar sinh_wide(kernel *k, kvar z) { return turned_over(k, sin_wide(k, turned_over(k, z))); }
static kvar tan_wide(kernel *k, kvar z) { return turned_over(k, tanh_wide(k, turned_over(k, z))); }

static kvar cosh_wide(kernel *k, kvar z)
{
	const kvar y = cos_wide(k, turned_over(k, z));

	return PAIR(RE(y), NEG(IM(y)));
}

static kvar arc_far(kernel *k, kvar z)
{
	return PAIR(ABS(IM(z)), ADD(log_abs(k, z), NUM(0x1.62e42fefa39efp-1)));
}

static kvar arc(kernel *k, kvar z)
{
	const kvar x = ABS(RE(z)), y = ABS(IM(z)), one = NUM(1);
	const kvar r = hypotenuse(k, PAIR(ADD(x, one), y));
	const kvar s = hypotenuse(k, PAIR(SUB(x, one), y)), a = MUL(NUM(0.5), ADD(r, s));
	const kvar far = ADD(r, ADD(x, one)), near = ADD(s, ABS(SUB(x, one)));
	const kvar half = MUL(NUM(0.5), ADD(a, x)), sum = ADD(DIV(MUL(y, y), far), near);
	const kvar shares = ADD(DIV(one, far), DIV(one, near));
	const kvar b = KSEL(IS(LE, x, one), SQRT(MUL(half, sum)), MUL(y, SQRT(MUL(half, shares))));
	const kvar q = MUL(NUM(0.5), ADD(DIV(y, far), DIV(y, near)));
	const kvar inner = ADD(MUL(y, q), MUL(SQRT(y), SQRT(MUL(q, ADD(a, one)))));
	const kvar less = MUL(NUM(0.5), sum), outer = ADD(less, SQRT(MUL(less, ADD(a, one))));
	const kvar h = k_log1p(k, KSEL(IS(LT, x, one), inner, outer));

	return KSEL(IS(GE, larger(k, x, y), NUM(0x1p+28)), arc_far(k, z), PAIR(b, h));
}

static kvar signed_as(kernel *k, kvar size, kvar part)
{
	return K2(COPYSIGN, size, KSEL(IS(EQ, part, part), part, NUM(0)));
}

static kvar asin_wide(kernel *k, kvar z)
{
	const kvar x = RE(z), bh = arc(k, z), turn = angle(k, ABS(x), RE(bh));

	return PAIR(signed_as(k, turn, x), signed_as(k, IM(bh), IM(z)));
}

static kvar acos_wide(kernel *k, kvar z)
{
	const kvar bh = arc(k, z);

	return PAIR(angle(k, RE(bh), RE(z)), NEG(signed_as(k, IM(bh), IM(z))));
}

static kvar acosh_wide(kernel *k, kvar z)
{
	const kvar bh = arc(k, z);

	return PAIR(IM(bh), signed_as(k, angle(k, RE(bh), RE(z)), IM(z)));
}

static kvar atanh_wide(kernel *k, kvar z)
{
	const kvar x = ABS(RE(z)), y = ABS(IM(z)), m = larger(k, x, y), one = NUM(1);
	const kvar p = DIV(x, m), q = DIV(y, m), less = SUB(one, x), yy = MUL(y, y);
	const kvar share = DIV(MUL(NUM(4), x), FMA(less, less, yy));
	const kvar low = MUL(NUM(0.5), SUB(NUM(0x1.62e42fefa39efp-1), k_log(k, y)));
	const kvar near = BOTH(IS(EQ, x, one), IS(LT, y, NUM(0x1p-300)));
	const kvar re = KSEL(near, low, MUL(NUM(0.25), k_log1p(k, share)));
	const kvar im =
		MUL(NUM(0.5), angle(k, MUL(NUM(2), y), FMA(less, ADD(one, x), NEG(yy))));
	const kvar far = IS(GE, m, NUM(0x1p+60)), thin = DIV(p, MUL(m, FMA(p, p, MUL(q, q))));
	const kvar re_far = KSEL(IS(EQ, m, NUM(INFINITY)), NUM(0), thin);
	const kvar im_far = KSEL(IS(NE, y, y), y, NUM(0x1.921fb54442d18p+0));

	return PAIR(signed_as(k, KSEL(far, re_far, re), RE(z)),
	            signed_as(k, KSEL(far, im_far, im), IM(z)));
}

static kvar asinh_wide(kernel *k, kvar z)
{
	return turned_over(k, asin_wide(k, turned_over(k, z)));
}
static kvar atan_wide(kernel *k, kvar z)
{
	return turned_over(k, atanh_wide(k, turned_over(k, z)));
}

static kvar sqrt_usual(kernel *k, kvar z, kvar m)
{
	const kvar by = KSEL(IS(GT, m, NUM(0x1p+1000)), NUM(0x1p-8),
	                     KSEL(IS(LT, m, NUM(0x1p-1000)), NUM(0x1p+60), NUM(1)));
	const kvar back = DIV(NUM(1), SQRT(by)), near = scaled(k, z, by), x = RE(near),
		   y = IM(near);
	const kvar t = SQRT(ADD(MUL(NUM(0.5), ABS(x)), MUL(NUM(0.5), hypotenuse(k, near))));
	const kvar other = KSEL(IS(EQ, ABS(t), NUM(INFINITY)), NUM(0), DIV(ABS(y), MUL(NUM(2), t)));
	const kvar right = IS(GE, x, NUM(0)), large = MUL(t, back), small = MUL(other, back);

	return PAIR(KSEL(right, large, small), K2(COPYSIGN, KSEL(right, small, large), y));
}

static kvar sqrt_wide(kernel *k, kvar z)
{
	const kvar x = RE(z), y = IM(z), m = larger(k, ABS(x), ABS(y));
	const kvar endless = IS(EQ, ABS(y), NUM(INFINITY));

	const kvar none = EITHER(IS(NE, x, x), IS(NE, y, y));
	const kvar some = KSEL(IS(EQ, m, NUM(0)), PAIR(NUM(0), y),
	                       KSEL(endless, PAIR(NUM(INFINITY), y), sqrt_usual(k, z, m)));

	return KSEL(none, PAIR(NUM(NAN), NUM(NAN)), some);
}

static kvar rsqrt_wide(kernel *k, kvar z)
{
	const kvar y = IM(z), sign = K2(COPYSIGN, NUM(1), KSEL(IS(EQ, y, y), y, NUM(1)));

	return KSEL(infinite_either(k, z), PAIR(NUM(0), MUL(sign, NUM(-0.0))),
	            div_wide(k, PAIR(NUM(1), NUM(0)), sqrt_wide(k, z)));
}

static kvar pow_wide(kernel *k, kvar z, kvar w)
{
	const kvar gone = BOTH(is_zero_of(k, z), IS(GT, RE(w), NUM(0)));
	const kvar usual = exp_wide(k, MUL(w, log_wide(k, z)));
	const kvar of_one = BOTH(IS(EQ, RE(z), NUM(1)), IS(EQ, IM(z), NUM(0)));

	return KSEL(EITHER(is_zero_of(k, w), of_one), PAIR(NUM(1), NUM(0)),
	            KSEL(gone, PAIR(NUM(0), NUM(0)), usual));
}

kvar k_extreme_complex(kernel *k, kop op, kvar z, kvar w)
{
	const kvar a = RE(z), b = IM(z), c = RE(w), d = IM(w);
	const kvar re = k_binary(k, op, a, c), im = k_binary(k, op, b, d);
	const kvar none = EITHER(EITHER(IS(NE, a, a), IS(NE, b, b)),
	                         EITHER(IS(NE, c, c), IS(NE, d, d)));
	const kvar nan = KNUM(a, NAN);

	return KSEL(none, PAIR(nan, nan),
	            PAIR(re, KSEL(IS(EQ, a, c), im, KSEL(IS(EQ, re, a), b, d))));
}

kvar k_square_complex(kernel *k, kvar z)
{
	const kvar x = RE(z), y = IM(z);

	return PAIR(MUL(SUB(x, y), ADD(x, y)), MUL(KNUM(x, 2), MUL(x, y)));
}

/* ---- c64 by c128, each part rounded once */

static kvar wide(kernel *k, kvar z) { return k_convert(k, z, TSR_C128); }

#define BY_C128(name) \
	kvar k_##name##_complex(kernel *k, kvar z) \
	{ \
		return k_convert(k, name##_wide(k, wide(k, z)), k_dtype(k, z)); \
	}
BY_C128(exp) BY_C128(exp2) BY_C128(expm1) BY_C128(log) BY_C128(log1p) BY_C128(logistic)
BY_C128(tanh) BY_C128(sin) BY_C128(cos) BY_C128(sqrt) BY_C128(rsqrt) BY_C128(sign)
BY_C128(sinh) BY_C128(cosh) BY_C128(tan) BY_C128(asin) BY_C128(acos) BY_C128(atan)
BY_C128(asinh) BY_C128(acosh) BY_C128(atanh)

kvar k_abs_complex(kernel *k, kvar z)
{
	return k_convert(k, hypotenuse(k, wide(k, z)), dtype_real(k_dtype(k, z)));
}

kvar k_div_complex(kernel *k, kvar z, kvar w)
{
	return k_convert(k, div_wide(k, wide(k, z), wide(k, w)), k_dtype(k, z));
}

kvar k_pow_complex(kernel *k, kvar z, kvar w)
{
	return k_convert(k, pow_wide(k, wide(k, z), wide(k, w)), k_dtype(k, z));
}
