/* dot.h - declares the eval of dot_general (dot_eval.c), and chains of fused steps, for each size
 * of vectors (dot_chains.c). */
#ifndef TSR_SRC_PRIM_DOT_H
#define TSR_SRC_PRIM_DOT_H
#include "prim/prim.h"

/* ---- products/dot_eval.c */
void dot_general_eval(const eval_args *);
size_t dot_general_scratch(const eqn *, const type *const *in);

/* ---- products/dot_chains.c: sum[j] = fma(a[k], b[k * DOT_ABREAST + j], sum[j]) for k = 0 .. n -
 * 1, from +0 on, for j < DOT_ABREAST results side by side. Numbers are of the dtype that sums are
 * taken in: f32, f64, u64, c64, c128 */
enum { DOT_ABREAST = 32 };
typedef void dot_chains(const void *a, const void *b, int n, void *sum);
/* pairs: of f32, by pairs; one: of the results, only the first */
dot_chains *dot_chains_of(tsr_dtype sum, bool pairs, bool one);

#endif
