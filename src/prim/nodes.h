/* nodes.h - functions of numbers as nodes of a kernel, with the bits of the functions of the same
 * names in math.c and complex.c; and words for formulas made of nodes.
 *
 * The words need a `kernel *k` in scope. A condition is a bool; a select computes both its
 * values. */
#ifndef TSR_SRC_PRIM_NODES_H
#define TSR_SRC_PRIM_NODES_H
#include "kernel/kernel.h"

#define K1(op, a) k_unary(k, K_##op, a)
#define K2(op, a, b) k_binary(k, K_##op, a, b)
#define KNUM(like, number) k_number(k, k_dtype(k, like), number)
#define KSEL(condition, if_true, if_false) k_select(k, condition, if_true, if_false)

/* of f32, f64 and complex numbers */
kvar k_exp(kernel *, kvar), k_exp2(kernel *, kvar), k_expm1(kernel *, kvar);
kvar k_log(kernel *, kvar), k_log1p(kernel *, kvar), k_logistic(kernel *, kvar);
kvar k_tanh(kernel *, kvar), k_sin(kernel *, kvar), k_cos(kernel *, kvar);
kvar k_sqrt(kernel *, kvar), k_rsqrt(kernel *, kvar), k_pow(kernel *, kvar, kvar);
/* of any number */
kvar k_sign(kernel *, kvar), k_abs(kernel *, kvar), k_square(kernel *, kvar);
kvar k_div(kernel *, kvar, kvar), k_max(kernel *, kvar, kvar), k_min(kernel *, kvar, kvar);
kvar k_is_finite(kernel *, kvar);

/* ---- nodes_complex.c: of c64 and c128, where the name has a real form too */
kvar k_exp_complex(kernel *, kvar), k_exp2_complex(kernel *, kvar);
kvar k_expm1_complex(kernel *, kvar), k_log_complex(kernel *, kvar);
kvar k_log1p_complex(kernel *, kvar), k_logistic_complex(kernel *, kvar);
kvar k_tanh_complex(kernel *, kvar), k_sin_complex(kernel *, kvar), k_cos_complex(kernel *, kvar);
kvar k_sinh_complex(kernel *, kvar), k_cosh_complex(kernel *, kvar), k_tan_complex(kernel *, kvar);
kvar k_asin_complex(kernel *, kvar), k_acos_complex(kernel *, kvar);
kvar k_atan_complex(kernel *, kvar), k_asinh_complex(kernel *, kvar);
kvar k_acosh_complex(kernel *, kvar), k_atanh_complex(kernel *, kvar);
kvar k_sqrt_complex(kernel *, kvar), k_rsqrt_complex(kernel *, kvar);
kvar k_pow_complex(kernel *, kvar, kvar), k_sign_complex(kernel *, kvar);
kvar k_abs_complex(kernel *, kvar), k_square_complex(kernel *, kvar);
kvar k_div_complex(kernel *, kvar, kvar);
/* of the two op_ K_MAX or K_MIN */
kvar k_extreme_complex(kernel *, kop op_, kvar, kvar);

#endif
