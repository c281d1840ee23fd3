/* nodes.c - functions of one or two real numbers as nodes: math.c step for step, so that the bits
 * are the same. Where math.c returns early, a select at the end picks the result. */
#include <math.h>
#include "prim/nodes.h"
#include "prim/series.h"

static kvar call_1(kernel *k, kfn f, kvar a) { return k_call(k, f, &a, 1); }
static kvar f32(kernel *k, double x) { return k_number(k, TSR_F32, x); }
static kvar f64(kernel *k, double x) { return k_number(k, TSR_F64, x); }
static kvar u32(kernel *k, uint32_t x) { return k_const(k, TSR_U32, &x); }

#define F(x) f32(k, x)
#define FMA(a, b, c) k_fma(k, a, b, c)

/* a polynomial by Horner's rule */
static kvar horner(kernel *k, kvar x, const float *c, size_t n)
{
	kvar q = F(c[0]);

	for (size_t i = 1; i < n; i++) q = FMA(q, x, F(c[i]));
	return q;
}

#define SERIES(name, x) horner(k, x, name##_series, ARRAY_LEN(name##_series))

/* ---- f32 forms of math.c */

static kvar bits_of(kernel *k, kvar x) { return k_bitcast(k, x, TSR_U32); }
static kvar float_of(kernel *k, kvar bits) { return k_bitcast(k, bits, TSR_F32); }

static kvar exponent(kernel *k, kvar n) { return float_of(k, K2(SHL, n, u32(k, 23))); }
static kvar power_of_two(kernel *k, kvar shifted) { return exponent(k, bits_of(k, shifted)); }

static kvar times_power(kernel *k, kvar m, kvar shifted)
{
	const kvar n = bits_of(k, shifted), half = K2(SHR, n, u32(k, 1));

	return K2(MUL, K2(MUL, m, exponent(k, half)), exponent(k, K2(SUB, n, half)));
}

static kvar at_least(kernel *k, kvar x, double low) { return KSEL(K2(LT, x, F(low)), F(low), x); }
static kvar at_most(kernel *k, kvar x, double high) { return KSEL(K2(GT, x, F(high)), F(high), x); }

static kvar within(kernel *k, kvar x, double low, double high)
{
	return at_most(k, at_least(k, x, low), high);
}

static kvar exp_own(kernel *k, kvar x)
{
	const kvar limited = within(k, x, -104, 89);
	const kvar shifted = FMA(limited, F(0x1.715476p+0), F(TO_EXPONENTS));
	const kvar n = K2(SUB, shifted, F(TO_EXPONENTS));
	const kvar r = FMA(n, F(-LN2_LOW), FMA(n, F(-LN2_HIGH), limited));

	return times_power(k, SERIES(exp, r), shifted);
}

static kvar exp2_own(kernel *k, kvar x)
{
	const kvar limited = within(k, x, -151, 128), shifted = K2(ADD, limited, F(TO_EXPONENTS));
	const kvar r = K2(SUB, limited, K2(SUB, shifted, F(TO_EXPONENTS)));

	return times_power(k, SERIES(exp2, r), shifted);
}

static kvar exp_split(kernel *k, kvar x, kvar *shifted)
{
	*shifted = FMA(x, F(0x1.715476p+0), F(TO_EXPONENT));
	const kvar n = K2(SUB, *shifted, F(TO_EXPONENT)), rough = FMA(n, F(-LN2_HIGH), x);
	const kvar r = FMA(n, F(-LN2_LOW), rough);
	const kvar lost = FMA(n, F(-LN2_LOW), K2(SUB, rough, r));
	return K2(ADD, r, FMA(K2(MUL, r, r), SERIES(expm1, r), lost));
}

static kvar expm1_own(kernel *k, kvar x)
{
	kvar shifted;
	const kvar p = exp_split(k, within(k, x, -25, 89), &shifted);
	const kvar half = power_of_two(k, K2(SUB, shifted, F(1)));
	const kvar far = K2(MUL, F(2), FMA(half, p, K2(SUB, half, F(0.5))));

	return K2(COPYSIGN, KSEL(K2(EQ, shifted, F(TO_EXPONENT)), p, far), x);
}

static kvar log_own(kernel *k, kvar x)
{
	const kvar small = K2(LT, x, F(0x1p-126)), y = KSEL(small, K2(MUL, x, F(0x1p+32)), x);
	const kvar above = K2(SUB, bits_of(k, y), u32(k, 0x3f3504f3));
	const kvar power = K2(AND, above, u32(k, 0xff800000));
	const kvar f = K2(SUB, float_of(k, K2(SUB, bits_of(k, y), power)), F(1));
	const kvar n = K2(SUB, power, KSEL(small, u32(k, 32u << 23), u32(k, 0)));
	const kvar kf = k_convert(k, k_bitcast(k, n, TSR_I32), TSR_F32);
	const kvar low = FMA(K2(MUL, f, f), SERIES(log, f), FMA(kf, F(-0x1.05c61p-52), f));
	const kvar inside = K2(AND, K2(GT, x, F(0)), K2(LE, x, F(0x1.fffffep127)));
	const kvar outside = KSEL(K2(GT, x, F(0)), x, F(NAN));

	return KSEL(inside, FMA(kf, F(0x1.62e43p-24), low),
	            KSEL(K2(EQ, x, F(0)), F(-INFINITY), outside));
}

static kvar log1p_own(kernel *k, kvar x)
{
	const kvar above = K2(SUB, k_bitcast(k, K2(ADD, F(1), x), TSR_U32), u32(k, 0x3f400000));
	const kvar bits = K2(AND, above, u32(k, 0xff800000)), near = K2(EQ, bits, u32(k, 0));
	const kvar scale = k_bitcast(k, K2(SUB, u32(k, 0x40800000), bits), TSR_F32);
	const kvar shifted = FMA(scale, K2(MUL, F(0.25), x), FMA(F(0.25), scale, F(-1)));
	const kvar f = KSEL(near, x, shifted), q = FMA(K2(MUL, f, f), SERIES(log1p, f), f);
	const kvar n = K2(MUL, k_convert(k, k_bitcast(k, bits, TSR_I32), TSR_F32), F(0x1p-23));
	const kvar far = FMA(n, F(0x1.62e43p-1), FMA(n, F(-0x1.05c61p-29), q));
	const kvar inside = K2(AND, K2(GT, x, F(-1)), K2(LE, x, F(0x1.fffffep127)));
	const kvar outside = KSEL(K2(GT, x, F(0)), x, F(NAN));

	return KSEL(K2(EQ, x, F(-1)), F(-INFINITY), KSEL(inside, KSEL(near, q, far), outside));
}

static kvar logistic_own(kernel *k, kvar x)
{
	const kvar e = exp_own(k, K1(NEG, K1(ABS, x)));

	return K2(DIV, KSEL(K2(LT, x, F(0)), e, F(1)), K2(ADD, F(1), e));
}

/* ---- f64 forms */

static kvar log1p_double(kernel *k, kvar x)
{
	return KSEL(K2(GT, x, f64(k, 0x1p+60)), call_1(k, KFN_LOG, x), call_1(k, KFN_LOG1P, x));
}

static kvar logistic_double(kernel *k, kvar x)
{
	const kvar far = K2(LT, x, f64(k, -37));
	const kvar power = call_1(k, KFN_EXP, KSEL(far, x, K1(NEG, x)));

	return KSEL(far, power, K2(DIV, f64(k, 1), K2(ADD, f64(k, 1), power)));
}

static kvar one_over(kernel *k, kvar x) { return K2(DIV, KNUM(x, 1), x); }

/* ---- of both dtypes */

static kvar tanh_own(kernel *k, kvar x, const tanh_form *t)
{
	const bool wide = k_dtype(k, x) == TSR_F64;
	const kvar limited = KSEL(K2(LT, x, KNUM(x, -t->limit)), KNUM(x, -t->limit),
	                          KSEL(K2(GT, x, KNUM(x, t->limit)), KNUM(x, t->limit), x));
	const kvar shifted = FMA(limited, KNUM(x, t->per_step), KNUM(x, t->to_exponent));
	const kvar n = K2(SUB, shifted, KNUM(x, t->to_exponent));
	const kvar near = FMA(n, KNUM(x, -t->half_ln2), limited);
	const kvar h = t->rest != 0 ? FMA(n, KNUM(x, -t->rest), near) : near, z = K2(MUL, h, h);
	const kvar bits = k_bitcast(k, shifted, wide ? TSR_U64 : TSR_U32);
	const kvar s = k_bitcast(k, K2(SHL, bits, KNUM(bits, t->mantissa)), k_dtype(k, x));
	const kvar above = K2(ADD, s, KNUM(x, 1)), below = K2(SUB, KNUM(x, 1), s);
	kvar w = KNUM(x, t->series[0]);

	for (int i = 1; i < t->n; i++) w = FMA(w, z, KNUM(x, t->series[i]));
	w = K2(MUL, w, h);
	return K2(DIV, FMA(w, above, K1(NEG, below)), FMA(K1(NEG, w), below, above));
}

/* ---- by dtype */

#define BY_DTYPE(name, of_f32, of_f64) \
	kvar k_##name(kernel *k, kvar a) \
	{ \
		switch (k_dtype(k, a)) { \
		case TSR_F32: return of_f32; \
		case TSR_F64: return of_f64; \
		default: return k_##name##_complex(k, a); \
		} \
	}
#define SLEEF(name, fn) BY_DTYPE(name, call_1(k, fn, a), call_1(k, fn, a))

BY_DTYPE(exp, exp_own(k, a), call_1(k, KFN_EXP, a))
BY_DTYPE(exp2, exp2_own(k, a), call_1(k, KFN_EXP2, a))
BY_DTYPE(log, log_own(k, a), call_1(k, KFN_LOG, a))
SLEEF(sin, KFN_SIN)
SLEEF(cos, KFN_COS)
BY_DTYPE(expm1, expm1_own(k, a), call_1(k, KFN_EXPM1, a))
BY_DTYPE(log1p, log1p_own(k, a), log1p_double(k, a))
BY_DTYPE(tanh, tanh_own(k, a, &tanh_f32_form), tanh_own(k, a, &tanh_f64_form))
BY_DTYPE(logistic, logistic_own(k, a), logistic_double(k, a))
BY_DTYPE(sqrt, K1(SQRT, a), K1(SQRT, a))
BY_DTYPE(rsqrt, one_over(k, K1(SQRT, a)), one_over(k, K1(SQRT, a)))

kvar k_pow(kernel *k, kvar a, kvar b)
{
	if (dtype_kind(k_dtype(k, a)) == KIND_COMPLEX) return k_pow_complex(k, a, b);
	return k_call(k, KFN_POW, (kvar[]){a, b}, 2);
}

kvar k_div(kernel *k, kvar a, kvar b)
{
	if (dtype_kind(k_dtype(k, a)) == KIND_COMPLEX) return k_div_complex(k, a, b);
	return K2(DIV, a, b);
}

static kvar extreme(kernel *k, kop op, kvar a, kvar b)
{
	if (dtype_kind(k_dtype(k, a)) == KIND_COMPLEX) return k_extreme_complex(k, op, a, b);
	return k_binary(k, op, a, b);
}

kvar k_max(kernel *k, kvar a, kvar b) { return extreme(k, K_MAX, a, b); }
kvar k_min(kernel *k, kvar a, kvar b) { return extreme(k, K_MIN, a, b); }

/* of a complex number both parts */
kvar k_is_finite(kernel *k, kvar a)
{
	if (dtype_kind(k_dtype(k, a)) == KIND_COMPLEX)
		return K2(AND, k_is_finite(k, K1(RE, a)), k_is_finite(k, K1(IM, a)));
	return K2(LT, K1(ABS, a), KNUM(a, INFINITY));
}

kvar k_square(kernel *k, kvar a)
{
	if (dtype_kind(k_dtype(k, a)) == KIND_COMPLEX) return k_square_complex(k, a);
	return K2(MUL, a, a);
}

kvar k_sign(kernel *k, kvar a)
{
	const enum dtype_kind kind = dtype_kind(k_dtype(k, a));

	if (kind == KIND_COMPLEX) return k_sign_complex(k, a);
	const kvar zero = KNUM(a, 0), one = KNUM(a, 1);
	if (kind == KIND_UINT) return KSEL(K2(GT, a, zero), one, zero);
	return KSEL(K2(GT, a, zero), one, KSEL(K2(LT, a, zero), KNUM(a, -1), a));
}

kvar k_abs(kernel *k, kvar a)
{
	const enum dtype_kind kind = dtype_kind(k_dtype(k, a));

	if (kind == KIND_COMPLEX) return k_abs_complex(k, a);
	if (kind == KIND_FLOAT) return K1(ABS, a);
	if (kind != KIND_INT) return a;
	return KSEL(K2(LT, a, KNUM(a, 0)), K1(NEG, a), a);
}
