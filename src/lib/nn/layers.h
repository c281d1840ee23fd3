/* layers.h - declares the checks that layers share: operands of one dtype, some of them absent,
 * and texts about those that do not fit. */
#ifndef TSR_SRC_LIB_LAYERS_H
#define TSR_SRC_LIB_LAYERS_H
#include "lib/formula.h"

enum { LAYER_OPERANDS = 16 }; /* of a layer, at most */

/* Checks n operands, of which those behind the first `needed` ones may be NULL. Gives the dtype
 * that they are computed with: the given one, a float or complex one; not given: their common one,
 * of integers f32. 0: recorded, return poison of the site's context */
tsr_dtype layer_dtype(call_site *, tsr_dtype given, tsr *const *x, int n, int needed);
/* converts those that are not NULL. false: one is poison */
bool layer_convert(const call_site *, tsr_dtype, tsr **x, int n);
/* both. false: recorded */
bool layer_operands(call_site *, tsr_dtype given, tsr **x, int n, int needed);
/* has it these dims? false: recorded, with the name of the parameter */
bool parameter_fits(const call_site *, const char *name, tsr *x, const int64_t *dims, int ndim);
/* operands that may be absent */
static inline tsr *add_bias(const call_site *site, tsr *y, tsr *bias)
{
	return bias ? ADD(HANDLE(y), HANDLE(bias)).as.one : y;
}

#endif
