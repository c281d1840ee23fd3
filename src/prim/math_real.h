/* math_real.h - our own elementary functions of one real number, which math.c includes for f32 and
 * for f64.
 *
 * It says what REAL is, BITS, the unsigned integer of the same width, FUSED, its fma, COPYSIGN, and
 * OF(name), which is name_f32 or name_f64. nodes.c repeats these functions in kernels; series.h has
 * their numbers. */

#define F(number) ((REAL)OF(form).number)
/* the bits below the exponent */
#define FRACTION (((BITS)1 << OF(form).mantissa) - 1)

static inline BITS OF(bits_of)(REAL x)
{
	BITS u;

	memcpy(&u, &x, sizeof u);
	return u;
}

static inline REAL OF(number_of)(BITS u)
{
	REAL x;

	memcpy(&x, &u, sizeof x);
	return x;
}

/* a polynomial by Horner's rule */
static inline REAL OF(horner)(REAL x, const series *s)
{
	REAL q = (REAL)s->c[0];

	for (int i = 1; i < s->n; i++) q = FUSED(q, x, (REAL)s->c[i]);
	return q;
}

/* the same in less time where it is long and xx = x^2 is there: its even and its odd powers, which
 * do not wait for each other, are added at the end */
static inline REAL OF(two_chains)(REAL x, REAL xx, const series *s)
{
	REAL q[2] = {(REAL)s->c[0], (REAL)s->c[1]};

	for (int i = 2; i < s->n; i++) q[i % 2] = FUSED(q[i % 2], xx, (REAL)s->c[i]);
	return FUSED(q[s->n % 2], x, q[(s->n - 1) % 2]);
}

static inline REAL OF(within)(REAL x, REAL low, REAL high)
{
	return x < low ? low : x > high ? high : x;
}

/* 2^n from a number to which to_exponent was added */
static inline REAL OF(power_of_two)(REAL shifted)
{
	return OF(number_of)(OF(bits_of)(shifted) << OF(form).mantissa);
}

/* 2^n m, where `shifted` is to_exponents + n: m is multiplied by two powers with about half of n
 * each. The first product is exact; the second one rounds once, also to a denormal number, or
 * becomes infinite */
static inline REAL OF(times_power)(REAL m, REAL shifted)
{
	const BITS n = OF(bits_of)(shifted), half = n >> 1;

	return m * OF(number_of)(half << OF(form).mantissa) *
	       OF(number_of)((n - half) << OF(form).mantissa);
}

/* e^x = 2^n e^r with x - r = n ln 2, where n is the integer nearest to x / ln 2; it is 0 below the
 * limits and infinite above. Example: e^2 = 2^3 e^r, where r = 2 - 3 ln 2 = -0.0794 */
REAL OF(exp)(REAL x)
{
	const REAL limited = OF(within)(x, F(exp_limits[0]), F(exp_limits[1]));
	const REAL shifted = FUSED(limited, F(per_ln2), F(to_exponents));
	const REAL n = shifted - F(to_exponents);
	const REAL r = FUSED(n, -F(ln2_low), FUSED(n, -F(ln2_high), limited));

	return OF(times_power)(OF(horner)(r, &OF(form).exp), shifted);
}

REAL OF(exp2)(REAL x)
{
	const REAL limited = OF(within)(x, F(exp2_limits[0]), F(exp2_limits[1]));
	const REAL shifted = limited + F(to_exponents), r = limited - (shifted - F(to_exponents));

	return OF(times_power)(OF(horner)(r, &OF(form).exp2), shifted);
}

/* e^x = 2^n e^r with n as above, where x - n ln 2 is r + c: r is rounded and c is what rounding
 * lost. e^(r + c) = 1 + r + t with t = c + r^2 q(r), so the result is 2^n t + (2^n r + (2^n - 1)).
 * It is taken half as large until the end, so that the largest 2^n does not overflow. Example:
 * e^2 - 1 is 2^3 * 0.0031 + (2^3 * -0.0794 + 7) */
REAL OF(expm1)(REAL x)
{
	const REAL limited = OF(within)(x, F(expm1_limits[0]), F(expm1_limits[1]));
	const REAL shifted = FUSED(limited, F(per_ln2), F(to_exponent));
	const REAL n = shifted - F(to_exponent), rough = FUSED(n, -F(ln2_high), limited);
	const REAL r = FUSED(n, -F(ln2_low), rough), c = FUSED(n, -F(ln2_low), rough - r);
	const REAL rr = r * r, t = FUSED(rr, OF(two_chains)(r, rr, &OF(form).expm1), c);
	const REAL s = OF(power_of_two)(shifted - 1);
	const REAL half = FUSED(s, t, FUSED(s, r, s - (REAL)0.5));

	return COPYSIGN(n == 0 ? r + t : 2 * half, x);
}

/* k from bits with k + bias in the exponent: that sum is put below the 1 of `whole` = 2^mantissa,
 * where it counts ones */
static inline REAL OF(exponent_of)(BITS bits, REAL whole_and_bias)
{
	return OF(number_of)(bits >> OF(form).mantissa | OF(bits_of)(F(whole))) - whole_and_bias;
}

/* f and k of a normal x = 2^k (1 + f) with 2^-1/2 <= 1 + f < 2^1/2; k is given less what
 * whole_and_bias has above to_field. Example: 6 = 2^3 * (1 - 0.25) */
static inline REAL OF(split)(REAL x, REAL whole_and_bias, REAL *k)
{
	const BITS root = OF(bits_of)(F(root_half));
	const BITS above = OF(bits_of)(x) + (OF(bits_of)(1) - root);

	*k = OF(exponent_of)(above, whole_and_bias);
	return OF(number_of)((above & FRACTION) + root) - 1;
}

/* log x = k ln 2 + f + f^2 Q(f). A denormal x is taken 2^mantissa times as large. Example: log 6 =
 * 3 ln 2 + log(1 - 0.25) */
REAL OF(log)(REAL x)
{
	const bool small = x < F(least_normal);
	const REAL down = F(to_field) + (small ? F(mantissa) : 0);
	REAL k;
	const REAL f = OF(split)(small ? x * F(whole) : x, down, &k), ff = f * f;

	if (!(x > 0) || x > F(most)) return x == 0 ? -INFINITY : x > 0 ? x : NAN;
	return FUSED(k, F(ln2),
	             f + FUSED(ff, OF(two_chains)(f, ff, &OF(form).log), k * F(ln2_rest)));
}

/* 1 + x = 2^k (1 + f) with -1/4 <= f < 1/2; log(1 + x) = k ln 2 + f + f^2 Q(f) */
REAL OF(log1p)(REAL x)
{
	const BITS one = OF(bits_of)(1), four = OF(bits_of)(4);
	const BITS above = OF(bits_of)(1 + x) + (one - OF(bits_of)((REAL)0.75));
	const REAL k = OF(exponent_of)(above, F(to_field));
	/* 4 / 2^k, a normal number for every k */
	const REAL scale = OF(number_of)(four + one - (above & ~FRACTION));
	const REAL far = FUSED(scale, (REAL)0.25 * x, FUSED((REAL)0.25, scale, -1));
	const REAL f = k == 0 ? x : far, ff = f * f, q = OF(two_chains)(f, ff, &OF(form).log1p);

	if (x == -1) return -INFINITY;
	if (!(x > -1) || x > F(most)) return x > 0 ? x : NAN;
	return k == 0 ? FUSED(ff, q, f) : FUSED(k, F(ln2), f + FUSED(ff, q, k * F(ln2_rest)));
}

/* e / (1 + e) or 1 / (1 + e) with e = e^-|x|, which may be denormal */
REAL OF(logistic)(REAL x)
{
	const REAL e = OF(exp)(x < 0 ? x : -x);

	return (x < 0 ? e : 1) / (1 + e);
}

/* With n the integer nearest to 2x / ln 2, h = x - n ln 2 / 2, S = 2^n and w = tanh(h) = h P(h^2),
 * e^2x is S (1 + w) / (1 - w), so
 *
 *     tanh x = (e^2x - 1) / (e^2x + 1) = (w (S + 1) - (1 - S)) / ((S + 1) - w (1 - S))
 *
 * For n = 0 that is (2w - 0) / 2, which keeps the sign of zero. From the limit on it is 1. -x turns
 * the signs of n and w, and makes S, S + 1 and 1 - S as many times smaller: only the sign
 * changes */
REAL OF(tanh)(REAL x)
{
	const REAL limited = OF(within)(x, -F(tanh_limit), F(tanh_limit));
	const REAL shifted = FUSED(limited, F(per_half_ln2), F(to_exponent));
	const REAL n = shifted - F(to_exponent), near = FUSED(n, -F(half_ln2), limited);
	const REAL h = OF(form).half_ln2_rest == 0 ? near : FUSED(n, -F(half_ln2_rest), near);
	const REAL w = h * OF(horner)(h * h, &OF(form).tanh), s = OF(power_of_two)(shifted);

	return FUSED(w, s + 1, -(1 - s)) / FUSED(-w, 1 - s, s + 1);
}

/* sin(|x| + m pi / 2), with the sign turned where the top bit of `sign` is set. With n the integer
 * nearest to |x| / (pi / 2) and r = |x| - n pi / 2 it is sin(r) or cos(r), as n + m is even or odd,
 * and negative where the second bit of n + m is set. (r + r^3 S of -0 would be +0; so it is |x|.)
 * Example: sin 2 = cos r, where n = 1 and r = 2 - pi / 2 = 0.4292 */
static inline REAL OF(turned)(REAL x, BITS m, BITS sign)
{
	const int top = 8 * (int)sizeof(BITS) - 1;
	const REAL a = COPYSIGN(x, 1), to_integer = (REAL)1.5 * F(whole);
	const REAL shifted = FUSED(a, F(per_quarter), to_integer), n = shifted - to_integer;
	REAL r = a;

	for (int i = 0; i < 3; i++) r = FUSED(n, -F(quarter[i]), r);
	const REAL z = r * r, s = FUSED(r * z, OF(horner)(z, &OF(form).sin), r);
	const BITS turns = OF(bits_of)(shifted) + m;
	const REAL size = turns & 1 ? OF(horner)(z, &OF(form).cos) : s;
	return OF(number_of)(OF(bits_of)(size) ^ ((turns << (top - 1) ^ sign) & (BITS)1 << top));
}

REAL OF(sin)(REAL x)
{
	if (COPYSIGN(x, 1) >= F(sine_limit)) return OF(sin_far)(x);
	return OF(turned)(x, 0, OF(bits_of)(x));
}

REAL OF(cos)(REAL x)
{
	return COPYSIGN(x, 1) >= F(sine_limit) ? OF(cos_far)(x) : OF(turned)(x, 1, 0);
}

#undef F
#undef FRACTION
