/* dropout.c - a layer that drops elements at random: flax's Dropout.
 *
 * Which ones depends on the key and their places alone. So x that is cut over a mesh loses the
 * elements that x on one device does. */
#include "lib/nn/layers.h"

/* the dims of the mask; false: recorded */
static bool mask_dims(const call_site *site, const tsr_dims *broadcast, const type *x,
                      tsr_dims *mask)
{
	int64_t dims[MAX_NDIM], same[MAX_NDIM];

	memcpy(dims, x->dims, (size_t)x->ndim * sizeof *dims);
	if (!dims_listed(site, ".broadcast_dims", broadcast, x->ndim, same)) return false;
	for (int i = 0; i < dims_count(broadcast); i++) dims[same[i]] = 1;
	return dims_put(site, mask, dims, x->ndim);
}

static bool dropout_ok(call_site *site, tsr *key, tsr *x, double rate)
{
	tsr *const both[] = {x, key};

	if (!operands_check(site, both, key ? 2 : 1)) return false;
	if (dtype_kind(handle_type(x)->dtype) < KIND_FLOAT)
		return fail_types(site, "drops elements of floats, not of", &x, 1);
	return (rate >= 0 && rate <= 1) ||
	       fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
	            "%s: the rate must be between 0 and 1, and is %g", site->op, rate);
}

tsr *lib_dropout(const char *where, tsr *key, tsr *x, double rate, const tsr_dropout_args *given)
{
	const tsr_dropout_args *a = KEYWORDS(tsr_dropout_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	call_site site = {.where = where, .op = "dropout"};
	tsr_uniform_args part = {.size = sizeof part, .whole = a->whole, .start = a->start};
	tsr_dims dims;

	if (!dropout_ok(&site, key, x, rate) ||
	    !mask_dims(&site, &a->broadcast_dims, handle_type(x), &dims))
		return poison_of(site.ctx);
	if (a->deterministic || rate == 0) return x;
	if (rate == 1) return tsr_zeros_like_at(where, x);
	if (!key) return refuse(&site, TSR_ERROR_HANDLE, "%s: the key is NULL", site.op);
	const tsr_arg unit = HANDLE(tsr_uniform_at(where, key, dims, &part));
	return WHERE(IS(lt, unit, NUM(1 - rate)), DIV(HANDLE(x), NUM(1 - rate)), NUM(0)).as.one;
}
