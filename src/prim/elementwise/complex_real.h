/* complex_real.h - computes quotients, roots and the larger of complex numbers, in f64, in the
 * words of words.h: complex.c includes it for C and for kernels. A complex number is an array of
 * its parts, and the last argument gets the result. The includer says what SIZE is, |z|, and
 * EXTREME, the larger or the smaller of two real numbers. */

static inline CONDITION OF(finite_both) ARGS(const REAL z[2])
{
	const REAL x = z[0];

	return BOTH(LT(ABS(x), N(INFINITY)), LT(ABS(z[1]), N(INFINITY)));
}

static inline CONDITION OF(infinite_either) ARGS(const REAL z[2])
{
	const REAL x = z[0];

	return EITHER(EQ(ABS(x), N(INFINITY)), EQ(ABS(z[1]), N(INFINITY)));
}

/* +-1 for an infinite part, +-0 for a finite one, with the sign of x; 0 for a NaN */
static inline REAL OF(infinite) ARGS(REAL x)
{
	const REAL size = SELECT(EQ(ABS(x), N(INFINITY)), N(1), N(0));

	return SELECT(EQ(x, x), COPYSIGN(size, x), N(0));
}

/* For a quotient of which both parts came out as NaN, as in C (annex G): an infinite number over a
 * finite one is infinite, a finite one over an infinite one is 0. Only the infinite parts decide
 * the signs. */
static inline void OF(quotient_at_infinity) ARGS(const REAL z[2], const REAL w[2], REAL q[2])
{
	const REAL x = z[0];
	const CONDITION above = BOTH(CALL(infinite_either, z), CALL(finite_both, w));
	const CONDITION under = BOTH(CALL(infinite_either, w), CALL(finite_both, z));
	const REAL u = SELECT(above, CALL(infinite, x), x);
	const REAL v = SELECT(above, CALL(infinite, z[1]), z[1]);
	const REAL c = SELECT(under, CALL(infinite, w[0]), w[0]);
	const REAL d = SELECT(under, CALL(infinite, w[1]), w[1]);
	const REAL by = SELECT(above, N(INFINITY), SELECT(under, N(0), N(NAN)));

	q[0] = MUL(by, ADD(MUL(u, c), MUL(v, d)));
	q[1] = MUL(by, SUB(MUL(v, c), MUL(u, d)));
}

/* Smith's quotient, by way of r = d / c or c / d: the sum of c^2 and d^2, which might overflow, is
 * never formed. For a divisor 0 each part is divided by c. */
static inline void OF(quotient) ARGS(const REAL z[2], const REAL w[2], REAL q[2])
{
	const REAL x = z[0], u = x, v = z[1], c = w[0], d = w[1];
	const CONDITION by_re = GE(ABS(c), ABS(d)), none = BOTH(EQ(c, N(0)), EQ(d, N(0)));
	const REAL big = SELECT(by_re, c, d), little = SELECT(by_re, d, c);
	const REAL r = DIV(little, big), under = FMA(little, r, big);
	const REAL re = SELECT(by_re, FMA(v, r, u), FMA(u, r, v));
	const REAL im = SELECT(by_re, FMA(NEG(u), r, v), FMA(v, r, NEG(u)));
	REAL far[2];

	q[0] = far[0] = SELECT(none, DIV(u, c), DIV(re, under));
	q[1] = far[1] = SELECT(none, DIV(v, c), DIV(im, under));
	const CONDITION both = BOTH(NE(q[0], q[0]), NE(q[1], q[1]));
	WHERE_NEEDED(both) CALL(quotient_at_infinity, z, w, far);
	q[0] = SELECT(both, far[0], q[0]);
	q[1] = SELECT(both, far[1], q[1]);
}

/* With t = sqrt((|x| + |z|) / 2): t + i y / (2 t) for x >= 0, and |y| / (2 t) +- i t for x < 0.
 * Very large and very small numbers are first scaled by a power of 4, and the result is scaled back
 * by its root. A NaN in either part of z gives a NaN in both parts. */
static inline void OF(root) ARGS(const REAL z[2], REAL y[2])
{
	const REAL x = z[0], u = ABS(x), v = ABS(z[1]);
	const REAL m = SELECT(EITHER(GE(u, v), NE(v, v)), u, v); /* C's fmax */
	const REAL by = SELECT(GT(m, N(0x1p+1000)), N(0x1p-8),
	                       SELECT(LT(m, N(0x1p-1000)), N(0x1p+60), N(1)));
	const REAL back = DIV(N(1), SQRT(by)), scaled[2] = {MUL(z[0], by), MUL(z[1], by)};
	const REAL half = ADD(MUL(N(0.5), ABS(scaled[0])), MUL(N(0.5), SIZE(scaled)));
	const REAL t = SQRT(half), share = DIV(ABS(scaled[1]), MUL(N(2), t));
	const REAL other = SELECT(EQ(ABS(t), N(INFINITY)), N(0), share);
	const CONDITION right = GE(scaled[0], N(0));
	const CONDITION none = EQ(m, N(0)), endless = EQ(v, N(INFINITY));
	const CONDITION nan = EITHER(NE(z[0], z[0]), NE(z[1], z[1]));
	const REAL large = MUL(t, back), small = MUL(other, back);
	const REAL re = SELECT(right, large, small);
	const REAL im = COPYSIGN(SELECT(right, small, large), scaled[1]);

	y[0] = SELECT(nan, N(NAN), SELECT(none, N(0), SELECT(endless, N(INFINITY), re)));
	y[1] = SELECT(nan, N(NAN), SELECT(none, z[1], SELECT(endless, z[1], im)));
}

/* Compares by real part, then by imaginary part. If any part is NaN, both parts of the result are.
 * Parts that compare equal are picked as real numbers are: +0 is above -0. */
static inline void OF(extreme) ARGS(const REAL z[2], const REAL w[2], bool largest, REAL y[2])
{
	const REAL x = z[0], re = EXTREME(largest, x, w[0]);
	const CONDITION nan = EITHER(EITHER(NE(x, x), NE(z[1], z[1])),
	                             EITHER(NE(w[0], w[0]), NE(w[1], w[1])));
	const REAL im = SELECT(EQ(x, w[0]), EXTREME(largest, z[1], w[1]),
	                       SELECT(EQ(re, x), z[1], w[1]));

	y[0] = SELECT(nan, N(NAN), re);
	y[1] = SELECT(nan, N(NAN), im);
}
