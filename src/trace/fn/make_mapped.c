/* make_mapped.c - makes the fns of tsr_vmap and tsr_pmap of keywords.
 *
 * Example:
 *
 *     tsr_fn *f = tsr_vmap(ctx, tsr_sin, .axis = "my batch");
 *     y = tsr_call(f, x);
 *
 * What can be checked without arguments is checked here, so that the error has the line of the
 * keyword. The fn is poison then, and its call adds no error:
 *
 *     ..: vmap: 'my batch' cannot name an .axis; use letters, digits, '_' and '.' */
#include "trace/trace.h"

static bool read_mapped(const call_site *site, const char *side, const tsr_mapped *from,
                        mapped_dims *to, int *n)
{
	for (*n = 0; *n < TSR_MAX_ARGS && from[*n].count; ++*n) {
		const tsr_mapped *m = &from[*n];
		if (m->count < 0 || m->count > INT32_MAX || !m->dim)
			return fail_op(site, TSR_ERROR_ARGUMENT,
			               ".%s[%d] has a count and no list of dims", side, *n);
		to[*n] = (mapped_dims){(int)m->count, m->dim};
	}
	return true;
}

bool is_product(const char *text)
{
	size_t names = 0, stars = 0, len;

	for (const char *at = text; *at; at++) stars += *at == '*';
	for (const char *at = text, *name; (name = product_next(&at, &len)); names++)
		if (!name_fits(name, len)) return false;
	return names == stars + 1;
}

static bool check_axis(const call_site *site, const char *axis, int64_t size)
{
	if (size < 0) return fail_op(site, TSR_ERROR_ARGUMENT, ".axis_size is negative");
	return !axis || name_fits(axis, strlen(axis)) ||
	       fail_op(site, TSR_ERROR_ARGUMENT,
	               "'%s' cannot name an .axis; use letters, digits, '_' and '.'", axis);
}

static bool read_dims(const call_site *site, const tsr_mapped *in, const tsr_mapped *out,
                      fn_mapped *to)
{
	return check_axis(site, to->axis, to->axis_size) &&
	       read_mapped(site, "in", in, to->in_dims, &to->nin_dims) &&
	       read_mapped(site, "out", out, to->out_dims, &to->nout_dims);
}

tsr_fn *tsr_vmap_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                    const tsr_vmap_args *given)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const tsr_vmap_args *a = KEYWORDS(tsr_vmap_args, where, ctx, given);
	if (!a) return fn_poison(ctx);
	call_site site = {ctx, where, "vmap"};
	char room[256];
	fn key;

	if (!ctx_ok(where, "vmap", ctx)) return fn_poison(ctx);
	site.op = name_asked(where, site.op);
	if (!fn_head(&key, &site, body, FN_KEYWORDS(a))) return fn_poison(ctx);
	key.kind = FN_VMAP;
	key.name = fn_name_of(&key, a->name, text, room, sizeof room);
	key.mapped.axis = a->axis;
	key.mapped.spmd_axis = a->spmd_axis;
	key.mapped.axis_size = a->axis_size;
	if (!read_dims(&site, a->in, a->out, &key.mapped)) return fn_poison(ctx);
	if (!a->spmd_axis || is_product(a->spmd_axis)) return fn_give(ctx, fn_intern(ctx, &key));
	fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
	     "vmap: .spmd_axis \"%s\" is not an axis name or a product like \"x*y\"", a->spmd_axis);
	return fn_poison(ctx);
}

/* ---- pmap */

static bool read_devices(const call_site *site, const tsr_pmap_args *a, fn_mapped *to)
{
	if (a->device_count && !a->devices)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".device_count is %zu, and .devices is no list of ids",
		               a->device_count);
	if (a->devices && !a->device_count)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".devices has ids, and .device_count does not say how many: "
		               "TSR_DEVICES(ids) gives both");
	if (a->device_count > (size_t)site->ctx->ndevices)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".device_count is %zu, and the context has %lld devices",
		               a->device_count, (long long)site->ctx->ndevices);
	to->device = a->devices;
	to->ndevices = a->device_count;
	return true;
}

tsr_fn *tsr_pmap_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                    const tsr_pmap_args *given)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const tsr_pmap_args *a = KEYWORDS(tsr_pmap_args, where, ctx, given);
	if (!a) return fn_poison(ctx);
	const call_site site = {ctx, where, "pmap"};
	char room[256];
	fn key;

	if (!ctx_ok(where, "pmap", ctx)) return fn_poison(ctx);
	if (!fn_head(&key, &site, body, FN_KEYWORDS(a))) return fn_poison(ctx);
	key.kind = FN_PMAP;
	key.name = fn_name_of(&key, a->name, text, room, sizeof room);
	key.mapped.axis = a->axis;
	key.mapped.axis_size = a->axis_size;
	if (!donate_read(&site, &a->donate, &key.donate) ||
	    !read_devices(&site, a, &key.mapped) ||
	    !read_dims(&site, a->in, a->out, &key.mapped))
		return fn_poison(ctx);
	return fn_give(ctx, fn_intern(ctx, &key));
}
