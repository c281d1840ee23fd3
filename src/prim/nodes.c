/* nodes.c - functions of one or two real numbers as nodes: math_real.h, and for pow math.c,
 * step for step, so that the bits are the same. Where that returns early, a select at the end picks
 * the result. */
#include <math.h>
#include "prim/nodes.h"
#include "prim/series.h"

static kvar call_1(kernel *k, kfn f, kvar a) { return k_call(k, f, &a, 1); }
/* a number of the dtype of x */
#define N(number) KNUM(x, number)
#define FMA(a, b, c) k_fma(k, a, b, c)

/* ---- math_real.h */

static const real_form *form_of(kernel *k, kvar x)
{
	return k_dtype(k, x) == TSR_F64 ? &form_f64 : &form_f32;
}

static kvar horner(kernel *k, kvar x, const series *s)
{
	kvar q = N(s->c[0]);

	for (int i = 1; i < s->n; i++) q = FMA(q, x, N(s->c[i]));
	return q;
}

static kvar two_chains(kernel *k, kvar x, kvar xx, const series *s)
{
	kvar q[2] = {N(s->c[0]), N(s->c[1])};

	for (int i = 2; i < s->n; i++) q[i % 2] = FMA(q[i % 2], xx, N(s->c[i]));
	return FMA(q[s->n % 2], x, q[(s->n - 1) % 2]);
}

static kvar bits_of(kernel *k, kvar x)
{
	return k_bitcast(k, x, k_dtype(k, x) == TSR_F64 ? TSR_U64 : TSR_U32);
}

static kvar number_of(kernel *k, kvar bits)
{
	return k_bitcast(k, bits, k_dtype(k, bits) == TSR_U64 ? TSR_F64 : TSR_F32);
}

static kvar within(kernel *k, kvar x, double low, double high)
{
	const kvar above = KSEL(K2(LT, x, N(low)), N(low), x);

	return KSEL(K2(GT, above, N(high)), N(high), above);
}

/* the low bits of `bits` as the exponent of a number with the form f */
static kvar exponent(kernel *k, const real_form *f, kvar bits)
{
	return number_of(k, K2(SHL, bits, KNUM(bits, f->mantissa)));
}

static kvar times_power(kernel *k, kvar m, kvar shifted)
{
	const real_form *f = form_of(k, m);
	const kvar n = bits_of(k, shifted), half = K2(SHR, n, KNUM(n, 1));

	return K2(MUL, K2(MUL, m, exponent(k, f, half)), exponent(k, f, K2(SUB, n, half)));
}

kvar k_exp(kernel *k, kvar x)
{
	const real_form *f = form_of(k, x);
	const kvar limited = within(k, x, f->exp_limits[0], f->exp_limits[1]);
	const kvar shifted = FMA(limited, N(f->per_ln2), N(f->to_exponents));
	const kvar n = K2(SUB, shifted, N(f->to_exponents));
	const kvar r = FMA(n, N(-f->ln2_low), FMA(n, N(-f->ln2_high), limited));

	return times_power(k, horner(k, r, &f->exp), shifted);
}

kvar k_exp2(kernel *k, kvar x)
{
	const real_form *f = form_of(k, x);
	const kvar limited = within(k, x, f->exp2_limits[0], f->exp2_limits[1]);
	const kvar shifted = K2(ADD, limited, N(f->to_exponents));
	const kvar r = K2(SUB, limited, K2(SUB, shifted, N(f->to_exponents)));

	return times_power(k, horner(k, r, &f->exp2), shifted);
}

kvar k_expm1(kernel *k, kvar x)
{
	const real_form *f = form_of(k, x);
	const kvar limited = within(k, x, f->expm1_limits[0], f->expm1_limits[1]);
	const kvar shifted = FMA(limited, N(f->per_ln2), N(f->to_exponent));
	const kvar n = K2(SUB, shifted, N(f->to_exponent));
	const kvar rough = FMA(n, N(-f->ln2_high), limited), r = FMA(n, N(-f->ln2_low), rough);
	const kvar c = FMA(n, N(-f->ln2_low), K2(SUB, rough, r));
	const kvar rr = K2(MUL, r, r), t = FMA(rr, two_chains(k, r, rr, &f->expm1), c);
	const kvar s = exponent(k, f, bits_of(k, K2(SUB, shifted, N(1))));
	const kvar half = FMA(s, t, FMA(s, r, K2(SUB, s, N(0.5))));

	return K2(COPYSIGN, KSEL(K2(EQ, n, N(0)), K2(ADD, r, t), K2(MUL, N(2), half)), x);
}

/* `down`: what is to be subtracted */
static kvar exponent_of(kernel *k, const real_form *f, kvar bits, kvar down)
{
	const kvar field = K2(SHR, bits, KNUM(bits, f->mantissa));

	return K2(SUB, number_of(k, K2(OR, field, bits_of(k, KNUM(down, f->whole)))), down);
}

/* gives f, and k as *n */
static kvar split(kernel *k, kvar x, kvar down, kvar *n)
{
	const real_form *t = form_of(k, x);
	const kvar root = bits_of(k, N(t->root_half));
	const kvar above = K2(ADD, bits_of(k, x), K2(SUB, bits_of(k, N(1)), root));
	const kvar fraction = K2(AND, above, KNUM(above, t->whole - 1));

	*n = exponent_of(k, t, above, down);
	return K2(SUB, number_of(k, K2(ADD, fraction, root)), N(1));
}

kvar k_log(kernel *k, kvar x)
{
	const real_form *t = form_of(k, x);
	const kvar small = K2(LT, x, N(t->least_normal));
	const kvar down = KSEL(small, N(t->to_field + t->mantissa), N(t->to_field));
	kvar n;
	const kvar f = split(k, KSEL(small, K2(MUL, x, N(t->whole)), x), down, &n);
	const kvar ff = K2(MUL, f, f), q = two_chains(k, f, ff, &t->log);
	const kvar low = FMA(ff, q, K2(MUL, n, N(t->ln2_rest)));
	const kvar inside = K2(AND, K2(GT, x, N(0)), K2(LE, x, N(t->most)));
	const kvar outside = KSEL(K2(GT, x, N(0)), x, N(NAN));

	return KSEL(inside, FMA(n, N(t->ln2), K2(ADD, f, low)),
	            KSEL(K2(EQ, x, N(0)), N(-INFINITY), outside));
}

kvar k_log1p(kernel *k, kvar x)
{
	const real_form *t = form_of(k, x);
	const kvar one = bits_of(k, N(1)), y = bits_of(k, K2(ADD, N(1), x));
	const kvar above = K2(ADD, y, K2(SUB, one, bits_of(k, N(0.75))));
	const kvar power = K2(SUB, above, K2(AND, above, KNUM(above, t->whole - 1)));
	const kvar n = exponent_of(k, t, above, N(t->to_field)), near = K2(EQ, n, N(0));
	const kvar scale = number_of(k, K2(SUB, K2(ADD, bits_of(k, N(4)), one), power));
	const kvar shifted = FMA(scale, K2(MUL, N(0.25), x), FMA(N(0.25), scale, N(-1)));
	const kvar f = KSEL(near, x, shifted), ff = K2(MUL, f, f);
	const kvar q = two_chains(k, f, ff, &t->log1p),
		   low = FMA(ff, q, K2(MUL, n, N(t->ln2_rest)));
	const kvar far = FMA(n, N(t->ln2), K2(ADD, f, low));
	const kvar inside = K2(AND, K2(GT, x, N(-1)), K2(LE, x, N(t->most)));
	const kvar outside = KSEL(K2(GT, x, N(0)), x, N(NAN));

	return KSEL(K2(EQ, x, N(-1)), N(-INFINITY),
	            KSEL(inside, KSEL(near, FMA(ff, q, f), far), outside));
}

kvar k_logistic(kernel *k, kvar x)
{
	const kvar e = k_exp(k, K1(NEG, K1(ABS, x)));

	return K2(DIV, KSEL(K2(LT, x, N(0)), e, N(1)), K2(ADD, N(1), e));
}

kvar k_tanh(kernel *k, kvar x)
{
	const real_form *f = form_of(k, x);
	const kvar limited = within(k, x, -f->tanh_limit, f->tanh_limit);
	const kvar shifted = FMA(limited, N(f->per_half_ln2), N(f->to_exponent));
	const kvar n = K2(SUB, shifted, N(f->to_exponent));
	const kvar near = FMA(n, N(-f->half_ln2), limited);
	const kvar h = f->half_ln2_rest == 0 ? near : FMA(n, N(-f->half_ln2_rest), near);
	const kvar w = K2(MUL, h, horner(k, K2(MUL, h, h), &f->tanh));
	const kvar s = exponent(k, f, bits_of(k, shifted));
	const kvar above = K2(ADD, s, N(1)), below = K2(SUB, N(1), s);

	return K2(DIV, FMA(w, above, K1(NEG, below)), FMA(K1(NEG, w), below, above));
}

static kvar turned(kernel *k, kvar x, int m, bool with_sign)
{
	const real_form *f = form_of(k, x);
	const int top = dtype_bits(k_dtype(k, x)) - 1;
	const kvar a = K1(ABS, x), to_integer = N(1.5 * f->whole);
	const kvar shifted = FMA(a, N(f->per_quarter), to_integer);
	const kvar n = K2(SUB, shifted, to_integer);
	kvar r = a, turns = bits_of(k, shifted);

	for (int i = 0; i < 3; i++) r = FMA(n, N(-f->quarter[i]), r);
	const kvar z = K2(MUL, r, r), s = FMA(K2(MUL, r, z), horner(k, z, &f->sin), r);
	if (m) turns = K2(ADD, turns, KNUM(turns, m));
	const kvar odd = K2(NE, K2(AND, turns, KNUM(turns, 1)), KNUM(turns, 0));
	const kvar size = bits_of(k, KSEL(odd, horner(k, z, &f->cos), s));
	kvar sign = K2(SHL, turns, KNUM(turns, top - 1));
	if (with_sign) sign = K2(XOR, sign, bits_of(k, x));
	sign = K2(AND, sign, K2(SHL, KNUM(turns, 1), KNUM(turns, top)));
	return number_of(k, K2(XOR, size, sign));
}

/* SLEEF is called for the lanes that need it, if there are any */
static kvar sine_of(kernel *k, kvar x, kfn of)
{
	const kvar near = of == KFN_SIN ? turned(k, x, 0, true) : turned(k, x, 1, false);
	kvar far = near;

	if (k_if(k, K2(GE, K1(ABS, x), N(form_of(k, x)->sine_limit)))) far = call_1(k, of, x);
	k_else(k);
	return k_end(k, far, near);
}

kvar k_sin(kernel *k, kvar x) { return sine_of(k, x, KFN_SIN); }
kvar k_cos(kernel *k, kvar x) { return sine_of(k, x, KFN_COS); }

/* ---- math.c */

/* 2^(by log2 size) of f64 */
static kvar power_wide(kernel *k, kvar size, kvar by)
{
	kvar n;
	const kvar f = split(k, size, KNUM(size, form_f64.to_field), &n);
	const kvar s = K2(DIV, f, K2(ADD, KNUM(f, 2), f));
	const kvar log2 = FMA(s, horner(k, K2(MUL, s, s), &form_pow.log2), n);
	const kvar z = within(k, K2(MUL, by, log2), form_pow.limits[0], form_pow.limits[1]);
	const kvar shifted = K2(ADD, z, KNUM(z, form_f64.to_exponent));
	const kvar r = K2(SUB, z, K2(SUB, shifted, KNUM(z, form_f64.to_exponent)));
	const kvar q = two_chains(k, r, K2(MUL, r, r), &form_pow.exp2);

	return K2(MUL, q, exponent(k, &form_f64, bits_of(k, shifted)));
}

/* (a - sum) + b + more, where sum is a + b */
static kvar left_of(kernel *k, kvar a, kvar b, kvar sum, kvar more)
{
	return K2(ADD, K2(ADD, K2(SUB, a, sum), b), more);
}

static kvar log2_in_two(kernel *k, kvar x, kvar *low)
{
	const struct wide_power_form *form = &form_wide_pow;
	const kvar small = K2(LT, x, N(form_f64.least_normal)), two = N(2);
	const kvar down =
		KSEL(small, N(form_f64.to_field + form_f64.mantissa), N(form_f64.to_field));
	kvar n;
	const kvar f = split(k, KSEL(small, K2(MUL, x, N(form_f64.whole)), x), down, &n);
	const kvar over = K2(ADD, two, f), inverse = K2(DIV, N(1), over), s = K2(MUL, f, inverse);
	const kvar rest = K2(MUL, s, K2(SUB, f, K2(SUB, over, two)));
	const kvar s_low = K2(MUL, K2(SUB, FMA(K1(NEG, s), over, f), rest), inverse);
	const kvar w = K2(MUL, s, s);
	const kvar w_low = K2(ADD, FMA(s, s, K1(NEG, w)), K2(MUL, K2(MUL, two, s), s_low));
	const kvar q = two_chains(k, w, K2(MUL, w, w), &form->log2), more = K2(MUL, w, q);
	const kvar third = N(form->third[0]), v = K2(ADD, third, more);
	const kvar v_low = left_of(k, third, more, v, FMA(w_low, q, N(form->third[1])));
	const kvar b = K2(MUL, w, v);
	const kvar b_low =
		K2(ADD, FMA(w, v, K1(NEG, b)), FMA(w, v_low, K2(MUL, w_low, v)));
	const kvar factor = N(form->factor[0]), g = K2(ADD, factor, b);
	const kvar g_low = left_of(k, factor, b, g, K2(ADD, b_low, N(form->factor[1])));
	const kvar y = K2(MUL, s, g);
	const kvar y_low =
		K2(ADD, FMA(s, g, K1(NEG, y)), FMA(s, g_low, K2(MUL, s_low, g)));
	const kvar sum = K2(ADD, n, y);

	*low = left_of(k, n, y, sum, y_low);
	return sum;
}

static kvar exp2_of_sum(kernel *k, kvar x, kvar low)
{
	const kvar to = N(form_f64.to_exponents), ln2 = N(form_f64.ln2), shifted = K2(ADD, x, to);
	const kvar r = K2(SUB, x, K2(SUB, shifted, to)), u = K2(MUL, r, ln2);
	const kvar rest = FMA(r, N(form_f64.ln2_rest), K2(MUL, low, ln2));
	const kvar u_low = K2(ADD, FMA(r, ln2, K1(NEG, u)), rest), uu = K2(MUL, u, u);
	const kvar t = K2(MUL, uu, two_chains(k, u, uu, &form_f64.expm1)), one = K2(ADD, N(1), u);
	const kvar more = FMA(u_low, K2(ADD, one, t), t);
	const kvar tail = K2(ADD, K2(SUB, u, K2(SUB, one, N(1))), more);

	return times_power(k, K2(ADD, one, tail), shifted);
}

/* size^by of f64 */
static kvar power_of_f64(kernel *k, kvar size, kvar by)
{
	const struct wide_power_form *form = &form_wide_pow;
	kvar low;
	const kvar log2 = log2_in_two(k, size, &low), far = K2(MUL, by, log2);
	const kvar z = within(k, far, form->limits[0], form->limits[1]);
	const kvar rest = K2(ADD, FMA(by, log2, K1(NEG, z)), K2(MUL, by, low));

	return exp2_of_sum(k, z, KSEL(K2(EQ, z, far), rest, KNUM(z, 0)));
}

kvar k_pow(kernel *k, kvar x, kvar y)
{
	const bool wide = k_dtype(k, x) == TSR_F64;
	const double most = wide ? form_f64.most : form_pow.most;
	const kvar size = K1(ABS, x), edge = K2(EQ, K2(ADD, size, size), size);
	const kvar limited = within(k, y, -most, most);
	const kvar by = KSEL(edge, K2(MUL, y, N(INFINITY)), limited);
	const kvar in_f64[] = {k_convert(k, size, TSR_F64), k_convert(k, by, TSR_F64)};
	const kvar power = wide ? power_of_f64(k, size, by)
	                        : k_convert(k, power_wide(k, in_f64[0], in_f64[1]), TSR_F32);
	const kvar half = K2(MUL, N(0.5), y);
	const kvar whole = K2(EQ, K1(FLOOR, y), y);
	const kvar odd = K2(AND, whole, K2(NE, K1(FLOOR, half), half));
	const kvar below = K2(AND, K2(LT, x, N(0)), whole);
	const kvar valid = K2(OR, K2(OR, K2(GE, x, N(0)), edge), below);
	const kvar one = K2(OR, K2(EQ, x, N(1)), K2(EQ, y, N(0)));
	const kvar of_odd = KSEL(odd, K2(COPYSIGN, power, x), power);

	return KSEL(one, N(1), KSEL(valid, of_odd, N(NAN)));
}

/* ---- by dtype */

kvar k_rsqrt(kernel *k, kvar x) { return K2(DIV, N(1), K1(SQRT, x)); }

kvar k_sqrt(kernel *k, kvar a)
{
	if (dtype_kind(k_dtype(k, a)) == KIND_COMPLEX) return k_sqrt_complex(k, a);
	return K1(SQRT, a);
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

kvar k_sign(kernel *k, kvar a)
{
	const enum dtype_kind kind = dtype_kind(k_dtype(k, a));

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
