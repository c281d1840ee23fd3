/* nodes.h - functions of numbers as nodes of a kernel, with the bits of the functions of the same
 * names in math.c and complex.c; and short names for nodes.
 *
 * The names need a `kernel *k` in scope. A condition is a bool; a select computes both its
 * values. */
#ifndef TSR_SRC_PRIM_NODES_H
#define TSR_SRC_PRIM_NODES_H
#include "kernel/kernel.h"

#define K1(op, a) k_unary(k, K_##op, a)
#define K2(op, a, b) k_binary(k, K_##op, a, b)
#define KNUM(like, number) k_number(k, k_dtype(k, like), number)
#define KSEL(condition, if_true, if_false) k_select(k, condition, if_true, if_false)

/* ---- math.c: of f32 and f64 */
kvar k_exp(kernel *, kvar), k_exp2(kernel *, kvar), k_expm1(kernel *, kvar);
kvar k_log(kernel *, kvar), k_log1p(kernel *, kvar), k_logistic(kernel *, kvar);
kvar k_tanh(kernel *, kvar), k_sin(kernel *, kvar), k_cos(kernel *, kvar);
kvar k_erf_inv(kernel *, kvar), k_sinh(kernel *, kvar), k_cosh(kernel *, kvar);
kvar k_asinh(kernel *, kvar), k_acosh(kernel *, kvar), k_pow(kernel *, kvar, kvar);

/* ---- complex.c: of floats and complex numbers */
kvar k_sqrt(kernel *, kvar), k_abs(kernel *, kvar);
kvar k_div(kernel *, kvar, kvar), k_max(kernel *, kvar, kvar), k_min(kernel *, kvar, kvar);

#endif
