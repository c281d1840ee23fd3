/* kernels.h - verifies, prints and evaluates kernels, to test lowerings and engines. */
#ifndef TSR_TESTS_KERNELS_H
#define TSR_TESTS_KERNELS_H
#include "kernel/kernel.h"

/* ---- kernel_verify.c */
bool kernel_verify(const kernel *); /* false: an error is recorded */

/* ---- kernel_print.c */
void kernel_print(str *, const kernel *);
const char *kop_name(kop);
const char *kfn_name(kfn);

/* ---- kernel_eval.c: evaluates a kernel by obvious loops. Inputs and results are contiguous and
 * row-major; a result that elements are put into is made a copy of its input first. false: no
 * memory, or an index out of range (recorded) */
bool kernel_eval(const kernel *, const void *const *x, void *const *y);

#endif
