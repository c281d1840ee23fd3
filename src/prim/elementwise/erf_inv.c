/* erf_inv.c - defines the row of the inverse error function, the material of normal random numbers:
 * with the bits of JAX for f32 (erf_inv_real.h).
 *
 *     erf_inv [0 0.5 0.999 1]    gives  [0 0.47694 2.3268 inf] */
#include "prim/elementwise/elementwise.h"

#define ERF_INV_OF(a) _Generic((a), float : erf_inv_f32, double : erf_inv_f64)(a)
/* sqrt(pi) / 2 e^(y^2) with y the result */
UNARY_ROW(erf_inv, "the number whose error function is x", 50, FLOAT,
          MUL(NUM(0.88622692545275801365), MUL(dx, OF_1(exp, OF_1(square, ans)))),
          k_erf_inv(k, a), ERF_INV_OF(a))
