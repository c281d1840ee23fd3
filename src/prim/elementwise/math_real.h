/* math_real.h - computes our own elementary functions of real numbers, in the words of words.h:
 * math.c includes it for f32, f64 and kernels, and elementary/rows.c for programs. So a function is
 * written once, and kernels and programs have its bits.
 *
 * The includer says what POWER is, of a positive number, and beyond which exponents the result does
 * not change: MOST_BY; and, by WIDE, whether the functions of f64 alone are wanted, too. */

/* a polynomial by Horner's rule */
static inline REAL OF(horner) ARGS(REAL x, const series *s)
{
	REAL q = N(s->c[0]);

	for (int i = 1; i < s->n; i++) q = FMA(q, x, N(s->c[i]));
	return q;
}

/* the same in less time where it is long and xx = x^2 is there: its even and its odd powers, which
 * do not wait for each other, are added at the end */
static inline REAL OF(two_chains) ARGS(REAL x, REAL xx, const series *s)
{
	REAL q[2] = {N(s->c[0]), N(s->c[1])};

	for (int i = 2; i < s->n; i++) q[i % 2] = FMA(q[i % 2], xx, N(s->c[i]));
	return FMA(q[s->n % 2], x, q[(s->n - 1) % 2]);
}

static inline REAL OF(within) ARGS(REAL x, double low, double high)
{
	const REAL above = SELECT(LT(x, N(low)), N(low), x);

	return SELECT(GT(above, N(high)), N(high), above);
}

/* the low bits of x, to which to_exponent was added, as an exponent: 2^n */
static inline REAL OF(power_of_two) ARGS(REAL x)
{
	return NUMBER_OF(SHL(BITS_OF(x), B(FORM.mantissa)));
}

/* 2^n x, where `shifted` is to_exponents + n: x is multiplied by two powers with about half of n
 * each. The first product is exact; the second one rounds once, also to a denormal number, or
 * becomes infinite */
static inline REAL OF(times_power) ARGS(REAL x, REAL shifted)
{
	const BITS n = BITS_OF(shifted), half = SHR(n, B(1));
	const REAL first = NUMBER_OF(SHL(half, B(FORM.mantissa)));

	return MUL(MUL(x, first), NUMBER_OF(SHL(SUB(n, half), B(FORM.mantissa))));
}

/* e^x = 2^n e^r with x - r = n ln 2, where n is the integer nearest to x / ln 2; it is 0 below the
 * limits and infinite above. Example: e^2 = 2^3 e^r, where r = 2 - 3 ln 2 = -0.0794 */
REAL OF(exp) ARGS(REAL x)
{
	const REAL limited = CALL(within, x, FORM.exp_limits[0], FORM.exp_limits[1]);
	const REAL shifted = FMA(limited, F(per_ln2), F(to_exponents));
	const REAL n = SUB(shifted, F(to_exponents));
	const REAL r = FMA(n, N(-FORM.ln2_low), FMA(n, N(-FORM.ln2_high), limited));

	return CALL(times_power, CALL(horner, r, &FORM.exp), shifted);
}

REAL OF(exp2) ARGS(REAL x)
{
	const REAL limited = CALL(within, x, FORM.exp2_limits[0], FORM.exp2_limits[1]);
	const REAL shifted = ADD(limited, F(to_exponents));
	const REAL r = SUB(limited, SUB(shifted, F(to_exponents)));

	return CALL(times_power, CALL(horner, r, &FORM.exp2), shifted);
}

/* e^x = 2^n e^r with n as above, where x - n ln 2 is r + c: r is rounded and c is what rounding
 * lost. e^(r + c) = 1 + r + t with t = c + r^2 q(r), so the result is 2^n t + (2^n r + (2^n - 1)).
 * It is taken half as large until the end, so that the largest 2^n does not overflow. Example:
 * e^2 - 1 is 2^3 * 0.0031 + (2^3 * -0.0794 + 7) */
REAL OF(expm1) ARGS(REAL x)
{
	const REAL limited = CALL(within, x, FORM.expm1_limits[0], FORM.expm1_limits[1]);
	const REAL shifted = FMA(limited, F(per_ln2), F(to_exponent));
	const REAL n = SUB(shifted, F(to_exponent)), rough = FMA(n, N(-FORM.ln2_high), limited);
	const REAL r = FMA(n, N(-FORM.ln2_low), rough);
	const REAL c = FMA(n, N(-FORM.ln2_low), SUB(rough, r));
	const REAL rr = MUL(r, r), t = FMA(rr, CALL(two_chains, r, rr, &FORM.expm1), c);
	const REAL s = CALL(power_of_two, SUB(shifted, N(1)));
	const REAL half = FMA(s, t, FMA(s, r, SUB(s, N(0.5))));

	return COPYSIGN(SELECT(EQ(n, N(0)), ADD(r, t), MUL(N(2), half)), x);
}

/* n from bits with n + bias in the exponent: that sum is put below the 1 of `whole` = 2^mantissa,
 * where it counts ones. x: whole and the bias */
static inline REAL OF(exponent_of) ARGS(BITS bits, REAL x)
{
	return SUB(NUMBER_OF(OR(SHR(bits, B(FORM.mantissa)), BITS_OF(F(whole)))), x);
}

/* f and n of a normal x = 2^n (1 + f) with 2^-1/2 <= 1 + f < 2^1/2; n is given less what
 * whole_and_bias has above to_field. Example: 6 = 2^3 * (1 - 0.25) */
static inline REAL OF(split) ARGS(REAL x, REAL whole_and_bias, REAL *n)
{
	const BITS root = BITS_OF(F(root_half));
	const BITS above = ADD(BITS_OF(x), SUB(BITS_OF(N(1)), root));

	*n = CALL(exponent_of, above, whole_and_bias);
	return SUB(NUMBER_OF(ADD(AND(above, B(FORM.whole - 1)), root)), N(1));
}

/* log x = n ln 2 + f + f^2 Q(f). A denormal x is taken 2^mantissa times as large. Example: log 6 =
 * 3 ln 2 + log(1 - 0.25) */
REAL OF(log) ARGS(REAL x)
{
	const CONDITION small = LT(x, F(least_normal));
	const REAL down = SELECT(small, N(FORM.to_field + FORM.mantissa), F(to_field));
	REAL n;
	const REAL f = CALL(split, SELECT(small, MUL(x, F(whole)), x), down, &n);
	const REAL ff = MUL(f, f), q = CALL(two_chains, f, ff, &FORM.log);
	const REAL low = FMA(ff, q, MUL(n, F(ln2_rest)));
	const CONDITION inside = BOTH(GT(x, N(0)), LE(x, F(most)));
	const REAL outside = SELECT(GT(x, N(0)), x, N(NAN));

	return SELECT(inside, FMA(n, F(ln2), ADD(f, low)),
	              SELECT(EQ(x, N(0)), N(-INFINITY), outside));
}

/* 1 + x = 2^n (1 + f) with -1/4 <= f < 1/2; log(1 + x) = n ln 2 + f + f^2 Q(f). `scale` is 4 / 2^n,
 * a normal number for every n */
REAL OF(log1p) ARGS(REAL x)
{
	const BITS one = BITS_OF(N(1)), y = BITS_OF(ADD(N(1), x));
	const BITS above = ADD(y, SUB(one, BITS_OF(N(0.75))));
	const BITS power = SUB(above, AND(above, B(FORM.whole - 1)));
	const REAL n = CALL(exponent_of, above, F(to_field));
	const CONDITION near = EQ(n, N(0));
	const REAL scale = NUMBER_OF(SUB(ADD(BITS_OF(N(4)), one), power));
	const REAL shifted = FMA(scale, MUL(N(0.25), x), FMA(N(0.25), scale, N(-1)));
	const REAL f = SELECT(near, x, shifted), ff = MUL(f, f);
	const REAL q = CALL(two_chains, f, ff, &FORM.log1p);
	const REAL far = FMA(n, F(ln2), ADD(f, FMA(ff, q, MUL(n, F(ln2_rest)))));
	const CONDITION inside = BOTH(GT(x, N(-1)), LE(x, F(most)));
	const REAL outside = SELECT(GT(x, N(0)), x, N(NAN));

	return SELECT(EQ(x, N(-1)), N(-INFINITY),
	              SELECT(inside, SELECT(near, FMA(ff, q, f), far), outside));
}

/* e / (1 + e) or 1 / (1 + e) with e = e^-|x|, which may be denormal */
REAL OF(logistic) ARGS(REAL x)
{
	const REAL e = CALL(exp, NEG(ABS(x)));

	return DIV(SELECT(LT(x, N(0)), e, N(1)), ADD(N(1), e));
}

/* With n the integer nearest to 2x / ln 2, h = x - n ln 2 / 2, S = 2^n and w = tanh(h) = h P(h^2),
 * e^2x is S (1 + w) / (1 - w), so
 *
 *     tanh x = (e^2x - 1) / (e^2x + 1) = (w (S + 1) - (1 - S)) / ((S + 1) - w (1 - S))
 *
 * For n = 0 that is (2w - 0) / 2, which keeps the sign of zero. From the limit on it is 1. -x turns
 * the signs of n and w, and makes S, S + 1 and 1 - S as many times smaller: only the sign
 * changes */
REAL OF(tanh) ARGS(REAL x)
{
	const REAL limited = CALL(within, x, -FORM.tanh_limit, FORM.tanh_limit);
	const REAL shifted = FMA(limited, F(per_half_ln2), F(to_exponent));
	const REAL n = SUB(shifted, F(to_exponent)), near = FMA(n, N(-FORM.half_ln2), limited);
	const REAL h = FORM.half_ln2_rest == 0 ? near : FMA(n, N(-FORM.half_ln2_rest), near);
	const REAL w = MUL(h, CALL(horner, MUL(h, h), &FORM.tanh));
	const REAL s = CALL(power_of_two, shifted), above = ADD(s, N(1)), below = SUB(N(1), s);

	return DIV(FMA(w, above, NEG(below)), FMA(NEG(w), below, above));
}

/* sin(|x| + m pi / 2), turned over where x is negative if with_sign. With n the integer nearest to
 * |x| / (pi / 2) and r = |x| - n pi / 2 it is sin(r) or cos(r), as n + m is even or odd, and
 * negative where the second bit of n + m is set. (r + r^3 S of -0 would be +0; so it is |x|.)
 * Example: sin 2 = cos r, where n = 1 and r = 2 - pi / 2 = 0.4292 */
static inline REAL OF(turned) ARGS(REAL x, int m, bool with_sign)
{
	const REAL a = ABS(x), to_integer = N(1.5 * FORM.whole);
	const REAL shifted = FMA(a, F(per_quarter), to_integer), n = SUB(shifted, to_integer);
	BITS turns = BITS_OF(shifted), sign;
	REAL r = a;

	for (int i = 0; i < 3; i++) r = FMA(n, N(-FORM.quarter[i]), r);
	const REAL z = MUL(r, r), s = FMA(MUL(r, z), CALL(horner, z, &FORM.sin), r);
	if (m) turns = ADD(turns, B(m));
	const CONDITION odd = NE(AND(turns, B(1)), B(0));
	const BITS size = BITS_OF(SELECT(odd, CALL(horner, z, &FORM.cos), s));
	sign = SHL(turns, B(TOP_BIT - 1));
	if (with_sign) sign = XOR(sign, BITS_OF(x));
	return NUMBER_OF(XOR(size, AND(sign, SHL(B(1), B(TOP_BIT)))));
}

/* of large numbers SLEEF's */
REAL OF(sin) ARGS(REAL x)
{
	const CONDITION far = GE(ABS(x), F(sine_limit));
	REAL y;

	RARELY(y, far, SLEEF(SIN, x), CALL(turned, x, 0, true));
	return y;
}

REAL OF(cos) ARGS(REAL x)
{
	const CONDITION far = GE(ABS(x), F(sine_limit));
	REAL y;

	RARELY(y, far, SLEEF(COS, x), CALL(turned, x, 1, false));
	return y;
}

#ifdef WIDE
/* ---- powers of positive numbers, in f64 */

/* For f32, x^by = 2^(by log2 x). With x = 2^k (1 + f) as above and s = f / (2 + f), log2 x =
 * k + log2((1 + s) / (1 - s)) = k + s P(s^2). That gives numbers for 0 and infinity too, -1023 and
 * 1024. Example: 6^2 = 2^(2 * 2.585), where s = -0.25 / 1.75 */
static inline REAL OF(power_short) ARGS(REAL x, REAL by)
{
	REAL n;
	const REAL f = CALL(split, x, N(form_f64.to_field), &n), s = DIV(f, ADD(N(2), f));
	const REAL log2 = FMA(s, CALL(horner, MUL(s, s), &form_pow.log2), n);
	const REAL z = CALL(within, MUL(by, log2), form_pow.limits[0], form_pow.limits[1]);
	const REAL shifted = ADD(z, N(form_f64.to_exponent));
	const REAL r = SUB(z, SUB(shifted, N(form_f64.to_exponent)));
	const REAL q = CALL(two_chains, r, MUL(r, r), &form_pow.exp2);

	return MUL(q, CALL(power_of_two, shifted));
}

/* (p - sum) + q + more, where sum is p + q */
static inline REAL OF(left_of) ARGS(REAL p, REAL q, REAL sum, REAL more)
{
	return ADD(ADD(SUB(p, sum), q), more);
}

/* log2 of x as a sum, *rest the smaller part. As above k + log2((1 + s) / (1 - s)), with s, and the
 * first two terms of its series, in pairs of numbers; what a sum or product loses by rounding goes
 * to the second one. Of a denormal x k is found 2^52 times as large */
static inline REAL OF(log2_in_two) ARGS(REAL x, REAL *rest)
{
	const struct wide_power_form *form = &form_wide_pow;
	const CONDITION small = LT(x, N(form_f64.least_normal));
	const REAL down = SELECT(small, N(form_f64.to_field + form_f64.mantissa),
	                         N(form_f64.to_field));
	REAL n;
	const REAL f = CALL(split, SELECT(small, MUL(x, N(form_f64.whole)), x), down, &n);
	const REAL over = ADD(N(2), f), inverse = DIV(N(1), over), s = MUL(f, inverse);
	const REAL lost = MUL(s, SUB(f, SUB(over, N(2))));
	const REAL s_low = MUL(SUB(FMA(NEG(s), over, f), lost), inverse);
	const REAL w = MUL(s, s);
	const REAL w_low = ADD(FMA(s, s, NEG(w)), MUL(MUL(N(2), s), s_low));
	const REAL q = CALL(two_chains, w, MUL(w, w), &form->log2), more = MUL(w, q);
	const REAL third = N(form->third[0]), v = ADD(third, more);
	const REAL v_low = CALL(left_of, third, more, v, FMA(w_low, q, N(form->third[1])));
	const REAL c = MUL(w, v);
	const REAL c_low = ADD(FMA(w, v, NEG(c)), FMA(w, v_low, MUL(w_low, v)));
	const REAL factor = N(form->factor[0]), g = ADD(factor, c);
	const REAL g_low = CALL(left_of, factor, c, g, ADD(c_low, N(form->factor[1])));
	const REAL y = MUL(s, g);
	const REAL y_low = ADD(FMA(s, g, NEG(y)), FMA(s, g_low, MUL(s_low, g)));
	const REAL sum = ADD(n, y);

	*rest = CALL(left_of, n, y, sum, y_low);
	return sum;
}

/* 2^(x + low), where low is small: 2^n e^(u + u_low) with n the integer nearest to x */
static inline REAL OF(exp2_of_sum) ARGS(REAL x, REAL low)
{
	const REAL to = N(form_f64.to_exponents), ln2 = N(form_f64.ln2), shifted = ADD(x, to);
	const REAL r = SUB(x, SUB(shifted, to)), u = MUL(r, ln2);
	const REAL rest = FMA(r, N(form_f64.ln2_rest), MUL(low, ln2));
	const REAL u_low = ADD(FMA(r, ln2, NEG(u)), rest), uu = MUL(u, u);
	const REAL t = MUL(uu, CALL(two_chains, u, uu, &form_f64.expm1)), one = ADD(N(1), u);
	const REAL more = FMA(u_low, ADD(one, t), t);
	const REAL tail = ADD(SUB(u, SUB(one, N(1))), more);

	return CALL(times_power, ADD(one, tail), shifted);
}

/* For f64, the same with a logarithm of twice as many digits: of 2^1023.9 the last one is 63 places
 * below the first digit of the exponent */
static inline REAL OF(power_long) ARGS(REAL x, REAL by)
{
	const struct wide_power_form *form = &form_wide_pow;
	REAL low;
	const REAL log2 = CALL(log2_in_two, x, &low), far = MUL(by, log2);
	const REAL z = CALL(within, far, form->limits[0], form->limits[1]);
	const REAL rest = ADD(FMA(by, log2, NEG(z)), MUL(by, low));

	return CALL(exp2_of_sum, z, SELECT(EQ(z, far), rest, N(0)));
}
#endif

/* x^y is a power of |x|, negative where x is and y is odd. That of 0 and infinity is made infinite;
 * other x take an infinite y as a finite one, so that 1 and -1 to it are 2^0 */
REAL OF(pow) ARGS(REAL x, REAL y)
{
	const REAL size = ABS(x);
	const CONDITION edge = EQ(ADD(size, size), size);
	const REAL limited = CALL(within, y, -MOST_BY, MOST_BY);
	const REAL power = POWER(size, SELECT(edge, MUL(y, N(INFINITY)), limited));
	const REAL half = MUL(N(0.5), y);
	const CONDITION whole = EQ(FLOOR(y), y);
	const CONDITION odd = BOTH(whole, NE(FLOOR(half), half));
	const CONDITION below = BOTH(LT(x, N(0)), whole);
	const CONDITION valid = EITHER(EITHER(GE(x, N(0)), edge), below);
	const CONDITION one = EITHER(EQ(x, N(1)), EQ(y, N(0)));
	const REAL of_odd = SELECT(odd, COPYSIGN(power, x), power);

	return SELECT(one, N(1), SELECT(valid, of_odd, N(NAN)));
}
