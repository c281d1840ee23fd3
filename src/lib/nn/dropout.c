/* dropout.c - a layer that drops elements at random: flax's Dropout.
 *
 * Which ones depends on the key and their places alone. So x that is cut over a mesh loses the
 * elements that x on one device does. */
#include "lib/nn/layers.h"

/* A mask of the dims of x, but for those along which it is the same everywhere: there it has size
 * 1, and so has the whole that it is a part of, which begins at 0. false: recorded */
static bool mask_of(const call_site *site, const tsr_dropout_args *a, tsr *x, tsr_dims *dims,
                    tsr_uniform_args *part)
{
	const type *t = handle_type(x);
	int64_t same[MAX_NDIM];
	tsr_arg start = HANDLE(a->start);

	if (!dims_listed(site, ".broadcast_dims", &a->broadcast_dims, t->ndim, same) ||
	    !dims_put(site, dims, t->dims, t->ndim))
		return false;
	*part = (tsr_uniform_args){.size = sizeof *part, .whole = a->whole, .start = a->start};
	const bool is_part = a->start && dims_count(&a->whole) == t->ndim;
	for (int i = 0; i < dims_count(&a->broadcast_dims); i++) {
		dims->d[1 + same[i]] = 1;
		if (!is_part) continue;
		const tsr_arg each = HANDLE(iota_of(site, TSR_I32, (int64_t[]){t->ndim}, 1, 0));
		part->whole.d[1 + same[i]] = 1;
		start = WHERE(IS(eq, each, INT(same[i])), INT(0), start);
	}
	if (is_part) part->start = start.as.one;
	return true;
}

static bool dropout_ok(call_site *site, tsr *key, tsr *x, double rate)
{
	tsr *const both[] = {x, key};

	if (!operands_check(site, both, key ? 2 : 1)) return false;
	if (dtype_kind(handle_type(x)->dtype) < KIND_FLOAT)
		return fail_types(site, "drops elements of floats, not of", &x, 1);
	return (rate >= 0 && rate <= 1) ||
	       fail_op(site, TSR_ERROR_ARGUMENT, "the rate must be between 0 and 1, and is %g",
	               rate);
}

tsr *lib_dropout(call_site *site, tsr *key, tsr *x, double rate, const tsr_dropout_args *a)
{
	tsr_uniform_args part;
	tsr_dims dims;

	if (!dropout_ok(site, key, x, rate) || !mask_of(site, a, x, &dims, &part))
		return poison_of(site->ctx);
	if (a->deterministic || rate == 0) return x;
	if (rate == 1) return tsr_zeros_like_at(site->where, x);
	if (!key) return refuse_op(site, TSR_ERROR_HANDLE, "the key is NULL");
	const tsr_arg unit = HANDLE(tsr_uniform_at(site->where, key, dims, &part));
	return WHERE(IS(lt, unit, NUM(1 - rate)), DIV(HANDLE(x), NUM(1 - rate)), NUM(0)).as.one;
}
