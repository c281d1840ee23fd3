/* positional.c - checks the arguments of the public constructors of positional shardings. */
#include "lib/lib.h"

const tsr_sharding *tsr_sharding_positional_at(const char *where, tsr_ctx *ctx, tsr_dims dims,
                                               const tsr_positional_args *given)
{
	TURN_OF(ctx, where, handle_sharding(ctx, NULL));
	const call_site site = {ctx, where, "sharding_positional"};

	if (!ctx_ok(where, site.op, ctx)) return handle_sharding(ctx, NULL);
	const tsr_positional_args *a = KEYWORDS(tsr_positional_args, where, ctx, given);
	if (!a || !dims_ok(&site, "dims", &dims, true)) return handle_sharding(ctx, NULL);
	if (!a->devices != !a->device_count) {
		fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		     "%s: .devices and .device_count go together; TSR_DEVICES(ids) gives both",
		     site.op);
		return handle_sharding(ctx, NULL);
	}
	return handle_sharding(ctx,
	                       positional_make(&ctx->shards, where, a->devices, a->device_count,
	                                       dims_of(&dims), dims_count(&dims)));
}

/* fills in the context. false: recorded */
static bool positional_ok(call_site *site, const tsr_sharding *s)
{
	if (!sharding_ok(site->where, site->op, s)) return false;
	site->ctx = s->ctx;
	if (sharding_is_positional(s)) return true;
	str text = {.base = &s->ctx->base};
	sharding_text(&text, s);
	fail(text.base, site->where, TSR_ERROR_SHARDING,
	     "%s: the sharding is %s, and must be one of tsr_sharding_positional", site->op,
	     text.s ? text.s : "?");
	str_free(&text);
	return false;
}

const tsr_sharding *tsr_sharding_reshape_at(const char *where, const tsr_sharding *s, tsr_dims dims)
{
	tsr_ctx *ctx = s ? s->ctx : NULL;
	TURN_OF(ctx, where, handle_sharding(ctx, NULL));
	call_site site = {ctx, where, "sharding_reshape"};

	if (!positional_ok(&site, s) || !dims_ok(&site, "dims", &dims, true))
		return handle_sharding(ctx, NULL);
	return handle_sharding(
		ctx, positional_reshape(&ctx->shards, where, s, dims_of(&dims), dims_count(&dims)));
}

/* a set of dims; not given: all. false: recorded */
static bool read_dims(const call_site *site, const tsr_dims *given, int ndim, uint64_t *dims)
{
	*dims = dims_given(given) ? 0 : ~(uint64_t)0;
	if (!dims_ok(site, ".dim", given, false)) return false;
	for (int i = 0; i < dims_count(given); i++) {
		const int64_t d = dims_of(given)[i], from_front = d < 0 ? d + ndim : d;
		const bool there = from_front >= 0 && from_front < ndim;
		if (!there || *dims >> from_front & 1)
			return fail_op(site, TSR_ERROR_ARGUMENT,
			               there ? ".dim names dim %lld twice; the grid has %d"
			                     : ".dim names dim %lld, and the grid has %d",
			               (long long)d, ndim);
		*dims |= (uint64_t)1 << from_front;
	}
	return true;
}

const tsr_sharding *tsr_sharding_replicate_at(const char *where, const tsr_sharding *s,
                                              const tsr_replicate_args *given)
{
	tsr_ctx *ctx = s ? s->ctx : NULL;
	TURN_OF(ctx, where, handle_sharding(ctx, NULL));
	call_site site = {ctx, where, "sharding_replicate"};
	uint64_t dims;

	if (!positional_ok(&site, s)) return handle_sharding(ctx, NULL);
	const tsr_replicate_args *a = KEYWORDS(tsr_replicate_args, where, ctx, given);
	if (!a || !read_dims(&site, &a->dim, s->spec.ndim, &dims))
		return handle_sharding(ctx, NULL);
	return handle_sharding(ctx, positional_replicate(&ctx->shards, where, s, dims, a->drop));
}
