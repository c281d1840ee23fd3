/* complex.c - computes products, quotients, sizes, roots and the larger of complex numbers, for
 * reductions and linear algebra; but for products also as nodes of a kernel, from complex_real.h.
 *
 * Written once, for c128. A c64 is widened exactly and computed as c128, and each part of the
 * result is rounded once; only products are computed in f32. */
#include <math.h>
#include "prim/elementwise/nodes.h"
#include "prim/numbers.h"

static c128 c128_of(double re, double im) { return __builtin_complex(re, im); }
#define PARTS(z) ((const double[]){creal(z), cimag(z)})

#define WORDS_F64
#define SIZE(z) hypot_f64(z[0], z[1])
#define EXTREME(largest, a, b) ((largest) ? max_f64(a, b) : min_f64(a, b))
#include "prim/elementwise/words.h"
#include "prim/elementwise/complex_real.h"
#include "prim/elementwise/words_end.h"
#undef SIZE
#undef EXTREME

c128 div_c128(c128 z, c128 w)
{
	double q[2];

	quotient_f64(PARTS(z), PARTS(w), q);
	return c128_of(q[0], q[1]);
}

c128 sqrt_c128(c128 z)
{
	double y[2];

	root_f64(PARTS(z), y);
	return c128_of(y[0], y[1]);
}

#define PRODUCT(suffix, complex_, re, im) \
	complex_ mul_##suffix(complex_ z, complex_ w) \
	{ \
		return __builtin_complex(re(z) * re(w) - im(z) * im(w), \
		                         re(z) * im(w) + im(z) * re(w)); \
	}
PRODUCT(c64, c64, crealf, cimagf)
PRODUCT(c128, c128, creal, cimag)

static c128 extreme(c128 z, c128 w, bool largest)
{
	double y[2];

	extreme_f64(PARTS(z), PARTS(w), largest, y);
	return c128_of(y[0], y[1]);
}

c128 max_c128(c128 z, c128 w) { return extreme(z, w, true); }
c128 min_c128(c128 z, c128 w) { return extreme(z, w, false); }
c64 max_c64(c64 z, c64 w) { return (c64)max_c128((c128)z, (c128)w); }
c64 min_c64(c64 z, c64 w) { return (c64)min_c128((c128)z, (c128)w); }

double abs_c128(c128 z) { return hypot_f64(creal(z), cimag(z)); }

/* ---- c64 by c128 */

c64 sqrt_c64(c64 z) { return (c64)sqrt_c128((c128)z); }
c64 div_c64(c64 z, c64 w) { return (c64)div_c128((c128)z, (c128)w); }
float abs_c64(c64 z) { return (float)abs_c128((c128)z); }

/* ---- as nodes: of floats and complex numbers */

static kvar hypotenuse(kernel *k, const kvar z[2]) { return k_call(k, KFN_HYPOT, z, 2); }

#define WORDS_NODES
#define SIZE(z) hypotenuse(k, z)
#define EXTREME(largest, a, b) k_binary(k, (largest) ? K_MAX : K_MIN, a, b)
#include "prim/elementwise/words.h"
#include "prim/elementwise/complex_real.h"
#include "prim/elementwise/words_end.h"

static kvar wide(kernel *k, kvar z) { return k_convert(k, z, TSR_C128); }
#define WIDE_PARTS(z) ((const kvar[]){K1(RE, wide(k, z)), K1(IM, wide(k, z))})
static bool of_complex(const kernel *k, kvar a)
{
	return dtype_kind(k_dtype(k, a)) == KIND_COMPLEX;
}

kvar k_sqrt(kernel *k, kvar a)
{
	kvar y[2];

	if (!of_complex(k, a)) return K1(SQRT, a);
	k_root(k, WIDE_PARTS(a), y);
	return k_convert(k, k_complex(k, y[0], y[1]), k_dtype(k, a));
}

kvar k_abs(kernel *k, kvar a)
{
	if (!of_complex(k, a)) return K1(ABS, a);
	return k_convert(k, hypotenuse(k, WIDE_PARTS(a)), dtype_real(k_dtype(k, a)));
}

kvar k_div(kernel *k, kvar a, kvar b)
{
	kvar q[2];

	if (!of_complex(k, a)) return K2(DIV, a, b);
	k_quotient(k, WIDE_PARTS(a), WIDE_PARTS(b), q);
	return k_convert(k, k_complex(k, q[0], q[1]), k_dtype(k, a));
}

static kvar extreme_node(kernel *k, kop op, kvar a, kvar b)
{
	kvar y[2];

	if (!of_complex(k, a)) return k_binary(k, op, a, b);
	const kvar parts[2][2] = {{K1(RE, a), K1(IM, a)}, {K1(RE, b), K1(IM, b)}};
	k_extreme(k, parts[0], parts[1], op == K_MAX, y);
	return k_complex(k, y[0], y[1]);
}

kvar k_max(kernel *k, kvar a, kvar b) { return extreme_node(k, K_MAX, a, b); }
kvar k_min(kernel *k, kvar a, kvar b) { return extreme_node(k, K_MIN, a, b); }
