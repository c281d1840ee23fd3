/* nodes.c - functions of one or two real numbers as nodes: math.c step for step, so that the bits
 * are the same. Where math.c returns early, a select at the end picks the result. */
#include <math.h>
#include "prim/nodes.h"

static kvar call_1(kernel *k, kfn f, kvar a) { return k_call(k, f, &a, 1); }
static kvar f32(kernel *k, double x) { return k_number(k, TSR_F32, x); }
static kvar f64(kernel *k, double x) { return k_number(k, TSR_F64, x); }
static kvar u32(kernel *k, uint32_t x) { return k_const(k, TSR_U32, &x); }

#define F(x) f32(k, x)
#define FMA(a, b, c) k_fma(k, a, b, c)

/* the polynomial by Horner's rule, the first coefficient that of the highest degree */
static kvar horner(kernel *k, kvar x, const double *c, int n)
{
	kvar q = F(c[0]);

	for (int i = 1; i < n; i++) q = FMA(q, x, F(c[i]));
	return q;
}

/* ---- f32 forms of math.c */

/* of an i32 n */
static kvar power_of_two(kernel *k, kvar n)
{
	const kvar bits = K2(SHL, K2(ADD, n, KNUM(n, 127)), KNUM(n, 23));

	return k_bitcast(k, bits, TSR_F32);
}

/* p, and the i32 n */
static kvar exp_split(kernel *k, kvar x, kvar *n)
{
	static const double c[] = {0x1.3b88c2p-13, 0x1.6d2e48p-10, 0x1.1155a8p-7,
	                           0x1.555502p-5,  0x1.55552cp-3,  0.5};
	const kvar to_integer = F(0x1.8p23), shifted = FMA(x, F(0x1.715476p+0f), to_integer);
	const kvar whole = K2(SUB, shifted, to_integer);
	const kvar rough = FMA(whole, F(-0x1.62e4p-1), x);
	const kvar r = FMA(whole, F(-0x1.7f7d1cp-20), rough);
	const kvar lost = FMA(whole, F(-0x1.7f7d1cp-20), K2(SUB, rough, r));
	const kvar q = horner(k, r, c, (int)ARRAY_LEN(c));
	const kvar bits =
		K2(SUB, k_bitcast(k, shifted, TSR_I32), k_bitcast(k, to_integer, TSR_I32));

	*n = KSEL(K2(EQ, x, x), bits, KNUM(bits, 0));
	return K2(ADD, r, FMA(K2(MUL, r, r), q, lost));
}

/* x brought into [low, high]; a NaN stays */
static kvar limited(kernel *k, kvar x, double low, double high)
{
	return KSEL(K2(LT, x, F(low)), F(low), KSEL(K2(GT, x, F(high)), F(high), x));
}

static kvar expm1_own(kernel *k, kvar x)
{
	kvar n;
	const kvar p = exp_split(k, limited(k, x, -25, 89), &n);
	const kvar half = power_of_two(k, K2(SUB, n, KNUM(n, 1)));
	const kvar far = K2(MUL, F(2), FMA(half, p, K2(SUB, half, F(0.5))));

	return K2(COPYSIGN, KSEL(K2(EQ, n, KNUM(n, 0)), p, far), x);
}

static kvar log1p_series(kernel *k, kvar f)
{
	static const double c[] = {
		0x1.310c58p-5,  -0x1.73ed3ap-4, 0x1.df2b54p-4, -0x1.04bfe4p-3, 0x1.246452p-3,
		-0x1.5518fcp-3, 0x1.999754p-3,  -0x1.00007p-2, 0x1.55555ap-2,  -0.5};

	return FMA(K2(MUL, f, f), horner(k, f, c, (int)ARRAY_LEN(c)), f);
}

static kvar log1p_own(kernel *k, kvar x)
{
	const kvar above = K2(SUB, k_bitcast(k, K2(ADD, F(1), x), TSR_U32), u32(k, 0x3f400000));
	const kvar bits = K2(AND, above, u32(k, 0xff800000)), near = K2(EQ, bits, u32(k, 0));
	const kvar scale = k_bitcast(k, K2(SUB, u32(k, 0x40800000), bits), TSR_F32);
	const kvar shifted = FMA(scale, K2(MUL, F(0.25), x), FMA(F(0.25), scale, F(-1)));
	const kvar q = log1p_series(k, KSEL(near, x, shifted));
	const kvar n = K2(MUL, k_convert(k, k_bitcast(k, bits, TSR_I32), TSR_F32), F(0x1p-23));
	const kvar far = FMA(n, F(0x1.62e43p-1), FMA(n, F(-0x1.05c61p-29), q));
	const kvar inside = K2(AND, K2(GT, x, F(-1)), K2(LE, x, F(0x1.fffffep127)));
	const kvar outside = KSEL(K2(GT, x, F(0)), x, F(NAN));

	return KSEL(K2(EQ, x, F(-1)), F(-INFINITY), KSEL(inside, KSEL(near, q, far), outside));
}

static kvar tanh_own(kernel *k, kvar x)
{
	static const double c[] = {-0x1.9921a2p-8, 0x1.58e518p-6, -0x1.b91e7ep-5, 0x1.110ceep-3,
	                           -0x1.55554ap-2};
	const kvar a = K1(ABS, x), z = K2(MUL, x, x), twice = K2(MUL, F(2), a);
	const kvar near = FMA(K2(MUL, a, z), horner(k, z, c, (int)ARRAY_LEN(c)), a);
	kvar n;
	const kvar p = exp_split(k, KSEL(K2(GT, twice, F(20)), F(20), twice), &n);
	const kvar s = power_of_two(k, n);
	const kvar far = K2(SUB, F(1), K2(DIV, F(2), FMA(s, p, K2(ADD, s, F(1)))));

	return K2(COPYSIGN, KSEL(K2(LT, a, F(0.55f)), near, far), x);
}

static kvar logistic_own(kernel *k, kvar x)
{
	kvar n;
	const kvar inner =
		KSEL(K2(GT, x, F(30)), F(-30), KSEL(K2(LT, x, F(-104)), F(104), K1(NEG, x)));
	const kvar p = exp_split(k, inner, &n);
	const kvar low = K2(LT, n, KNUM(n, 24)), small = K2(GT, n, KNUM(n, 64));
	const kvar s = power_of_two(k, KSEL(small, K2(SUB, n, KNUM(n, 64)), n));
	const kvar under = KSEL(low, FMA(s, p, K2(ADD, s, F(1))),
	                        K2(ADD, s, FMA(s, p, KSEL(small, F(0), F(1)))));

	return K2(MUL, K2(DIV, F(1), under), KSEL(small, F(0x1p-64), F(1)));
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

SLEEF(exp, KFN_EXP)
SLEEF(exp2, KFN_EXP2)
SLEEF(log, KFN_LOG)
SLEEF(sin, KFN_SIN)
SLEEF(cos, KFN_COS)
BY_DTYPE(expm1, expm1_own(k, a), call_1(k, KFN_EXPM1, a))
BY_DTYPE(log1p, log1p_own(k, a), log1p_double(k, a))
BY_DTYPE(tanh, tanh_own(k, a), call_1(k, KFN_TANH, a))
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
