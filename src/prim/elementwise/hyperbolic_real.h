/* hyperbolic_real.h - computes hyperbolic functions from those of SLEEF, in the words of words.h:
 * math.c includes it for f32, f64 and kernels, and elementary/rows.c for programs. */

/* SLEEF's are infinite where e^x is. From there on both are e^x / 2 = (e^(x/2) / 2) e^(x/2) */
static inline REAL OF(half_exp) ARGS(REAL x)
{
	const REAL half = N(0.5), root = CALL(exp, MUL(half, x));

	return MUL(MUL(half, root), root);
}

static inline CONDITION OF(is_beyond_exp) ARGS(REAL x)
{
	return GT(x, N(FORM.mantissa == form_f32.mantissa ? 88 : 709));
}

static inline REAL OF(turned_as) ARGS(REAL x, REAL number)
{
	return SELECT(LT(x, N(0)), NEG(number), number);
}

REAL OF(sinh) ARGS(REAL x)
{
	const REAL size = ABS(x), far = CALL(turned_as, x, CALL(half_exp, size));

	return SELECT(CALL(is_beyond_exp, size), far, SLEEF(SINH, x));
}

REAL OF(cosh) ARGS(REAL x)
{
	const REAL size = ABS(x);

	return SELECT(CALL(is_beyond_exp, size), CALL(half_exp, size), SLEEF(COSH, x));
}

/* SLEEF's are infinite where x^2 is. From 2^30 on both are ln 2x = ln x + ln 2 to the last digit:
 * asinh(x) - ln 2x is 1 / (4 x^2), which is 2^-62 there */
static inline REAL OF(ln_2x) ARGS(REAL x) { return ADD(CALL(log, x), N(M_LN2)); }
static inline CONDITION OF(is_far) ARGS(REAL x) { return GE(x, N(1 << 30)); }

REAL OF(asinh) ARGS(REAL x)
{
	const REAL size = ABS(x), far = CALL(turned_as, x, CALL(ln_2x, size));

	return SELECT(CALL(is_far, size), far, SLEEF(ASINH, x));
}

REAL OF(acosh) ARGS(REAL x)
{
	return SELECT(CALL(is_far, x), CALL(ln_2x, x), SLEEF(ACOSH, x));
}
