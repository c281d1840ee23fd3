/* random_gamma_real.h - draws one gamma number; random_gamma.c includes it for f32, also used
 * for narrower dtypes, and for f64. It says what REAL is, FUSED, its fma, and OF(name), which is
 * name_f32 or name_f64. */

/* every operation of narrower dtypes is rounded to these */
#define R(x) OF(rounded)(x, of->dtype)

static REAL OF(fused)(REAL a, REAL b, REAL c, const floats *of)
{
	return of->width < 32 ? R(R(a * b) + c) : FUSED(a, b, c);
}

/* sqrt(2) erf_inv(u) of a uniform u from the number of the dtype above -1 to 1 */
static REAL OF(normal)(rkey key, const floats *of)
{
	const REAL low = (REAL)(of->step / 2 - 1), u = R(2 * (REAL)unit_of(key, of) + low);

	return R(R(OF(erf_inv)(u)) * R((REAL)M_SQRT2));
}

/* is the trial with x^2 and V refused? */
static bool OF(refused)(REAL xx, REAL v, REAL u, REAL d, const floats *of)
{
	if (!(u >= R(1 - R(R((REAL)0.0331) * R(xx * xx))))) return false;
	const REAL more = R(R(1 - v) + R(OF(log)(v)));
	return R(OF(log)(u)) >= OF(fused)(d, more, R(xx / 2), of);
}

/* V, for d = alpha - 1/3 */
static REAL OF(cube)(rkey key, REAL d, const floats *of)
{
	const REAL c = R(R((REAL)(1.0 / 3)) * R((REAL)(1 / sqrt((double)d))));

	if (!(d - d == 0)) return 1; /* infinite, or NaN */
	for (;; key = split(key, 0, 3)) {
		rkey next = split(key, 1, 3);
		REAL x, v;
		do {
			x = OF(normal)(split(next, 1, 2), of);
			next = split(next, 0, 2);
			v = OF(fused)(x, c, 1, of);
		} while (v <= 0);
		v = R(R(v * v) * v);
		const REAL u = (REAL)unit_of(split(key, 2, 3), of);
		if (!OF(refused)(R(x * x), v, u, d, of)) return v;
	}
}

static REAL OF(gamma)(uint64_t words, REAL alpha, const floats *of, const random_gamma_params *p)
{
	const rkey key = {{(uint32_t)(words >> 32), (uint32_t)words}, p->original};
	const bool large = alpha >= 1;
	const REAL d = R((large ? alpha : R(alpha + 1)) - R((REAL)(1.0 / 3)));
	const REAL v = OF(cube)(split(key, 0, 2), d, of);
	const REAL y = p->log ? R(R(OF(log)(d)) + R(OF(log)(v))) : R(d * v);

	if (large) return y;
	const REAL u = (REAL)unit_of(split(key, 1, 2), of), power = R(1 / alpha);
	if (!p->log) return R(y * R(OF(pow)(R(1 - u), power)));
	return u == 0 ? y : R(y + R(R(OF(log1p)(-u)) * power));
}
#undef R
