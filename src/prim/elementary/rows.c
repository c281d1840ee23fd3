/* rows.c - makes functions as programs of rows: those that math.c has, with the same bits, from the
 * same text (elementwise/words.h).
 *
 * What is SLEEF's of them, sin and cos of large numbers among it, are the steps of circle.c and
 * powers.c.
 *
 *     exp 1        gives  2.71828
 *     tanh 0.5     gives  0.46212
 *     sin 1        gives  0.84147 */
#include <math.h>
#include "prim/elementary/pairs.h"

static var (*const sleef_steps[KFNS])(build *, var) = {
	[KFN_SIN] = far_sin_steps,    [KFN_COS] = far_cos_steps,    [KFN_SINH] = sinh_of_pairs,
	[KFN_COSH] = cosh_of_pairs,   [KFN_ASINH] = asinh_of_pairs, [KFN_ACOSH] = acosh_of_pairs,
};

static var power_of(build *, var x, var by);

#undef POWER
#define WORDS_STEPS
#define WIDE
#define MOST_BY (is_wide(b, x) ? form_f64.most : form_pow.most)
#define POWER(x, by) power_of(b, x, by)
#define SIZE(z) hypot_steps(b, z[0], z[1])
#define EXTREME(largest, p, q) ((largest) ? OF_2(max, p, q) : OF_2(min, p, q))
#include "prim/elementwise/words.h"
#include "prim/elementwise/math_real.h"
#include "prim/elementwise/erf_inv_real.h"
#include "prim/elementwise/hyperbolic_real.h"
#include "prim/elementwise/complex_real.h"

static var power_of(build *b, var x, var by)
{
	if (is_wide(b, x)) return power_long_steps(b, x, by);
	const var size = emit_convert(b, x, TSR_F64), wide = emit_convert(b, by, TSR_F64);
	return emit_convert(b, power_short_steps(b, size, wide), TSR_F32);
}

/* of a c128 */
var complex_sqrt_steps(build *b, var z)
{
	const var parts[2] = {OF_1(real, z), OF_1(imag, z)};
	var y[2];

	root_steps(b, parts, y);
	return OF_2(complex, y[0], y[1]);
}
#include "prim/elementwise/words_end.h"
