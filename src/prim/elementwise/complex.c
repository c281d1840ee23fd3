/* complex.c - computes products, quotients, sizes, roots and the larger of complex numbers, for
 * reductions and linear algebra; quotients and roots are written once, for C and for kernels.
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
#include "prim/elementwise/words.h"
#include "prim/elementwise/complex_real.h"
#include "prim/elementwise/words_end.h"
#undef SIZE

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

/* Compares by real part, then by imaginary part. If any part is NaN, both parts of the result are.
 * Parts that compare equal are picked as real numbers are: +0 is above -0. */
static c128 extreme(c128 z, c128 w, double (*pick)(double, double))
{
	const double a = creal(z), b = cimag(z), c = creal(w), d = cimag(w);

	if (a != a || b != b || c != c || d != d) return c128_of(NAN, NAN);
	return c128_of(pick(a, c), a == c ? pick(b, d) : pick(a, c) == a ? b : d);
}

c128 max_c128(c128 z, c128 w) { return extreme(z, w, max_f64); }
c128 min_c128(c128 z, c128 w) { return extreme(z, w, min_f64); }
c64 max_c64(c64 z, c64 w) { return (c64)max_c128((c128)z, (c128)w); }
c64 min_c64(c64 z, c64 w) { return (c64)min_c128((c128)z, (c128)w); }

c128 round_c128(c128 z) { return c128_of(rint(creal(z)), rint(cimag(z))); }
double abs_c128(c128 z) { return hypot_f64(creal(z), cimag(z)); }

/* ---- c64 by c128 */

c64 sqrt_c64(c64 z) { return (c64)sqrt_c128((c128)z); }
c64 round_c64(c64 z) { return (c64)round_c128((c128)z); }
c64 div_c64(c64 z, c64 w) { return (c64)div_c128((c128)z, (c128)w); }
float abs_c64(c64 z) { return (float)abs_c128((c128)z); }

/* ---- as nodes */

static kvar hypotenuse(kernel *k, const kvar z[2]) { return k_call(k, KFN_HYPOT, z, 2); }

#define WORDS_NODES
#define SIZE(z) hypotenuse(k, z)
#include "prim/elementwise/words.h"
#include "prim/elementwise/complex_real.h"
#include "prim/elementwise/words_end.h"

static kvar wide(kernel *k, kvar z) { return k_convert(k, z, TSR_C128); }
#define WIDE_PARTS(z) ((const kvar[]){K1(RE, wide(k, z)), K1(IM, wide(k, z))})

kvar k_sqrt_complex(kernel *k, kvar z)
{
	kvar y[2];

	k_root(k, WIDE_PARTS(z), y);
	return k_convert(k, k_complex(k, y[0], y[1]), k_dtype(k, z));
}

kvar k_abs_complex(kernel *k, kvar z)
{
	return k_convert(k, hypotenuse(k, WIDE_PARTS(z)), dtype_real(k_dtype(k, z)));
}

kvar k_div_complex(kernel *k, kvar z, kvar w)
{
	kvar q[2];

	k_quotient(k, WIDE_PARTS(z), WIDE_PARTS(w), q);
	return k_convert(k, k_complex(k, q[0], q[1]), k_dtype(k, z));
}

kvar k_extreme_complex(kernel *k, kop op, kvar z, kvar w)
{
	const kvar a = K1(RE, z), b = K1(IM, z), c = K1(RE, w), d = K1(IM, w);
	const kvar re = k_binary(k, op, a, c), im = k_binary(k, op, b, d);
	const kvar none = K2(OR, K2(OR, K2(NE, a, a), K2(NE, b, b)),
	                         K2(OR, K2(NE, c, c), K2(NE, d, d)));
	const kvar nan = KNUM(a, NAN);

	return KSEL(none, k_complex(k, nan, nan),
	            k_complex(k, re, KSEL(K2(EQ, a, c), im, KSEL(K2(EQ, re, a), b, d))));
}
