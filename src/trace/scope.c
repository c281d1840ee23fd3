/* scope.c - reads names of axes: those that are bound where an operation is called.
 *
 * Example, on a mesh x:2:
 *
 *     static tsr *astray(tsr *x) { return tsr_psum(x, "y"); }
 *     x = tsr_call(tsr_shard_map(mesh, astray, .sig = "[x] -> [x]"), x);
 *
 * The names are looked up while the body is traced, so that the error has the line of the call, and
 * can say what there is:
 *
 *     ..: unbound axis name: y; in scope there is x. To fix this, call psum under .. */
#include "trace/trace.h"

bool in_trace(const tsr_ctx *ctx) { return ctx->trace != NULL; }
bool trace_unchecked(const tsr_ctx *ctx) { return ctx->trace && ctx->trace->unchecked; }

const axis *trace_axes(const tsr_ctx *ctx, int *n)
{
	*n = 0;
	return ctx->trace ? build_axes(ctx->trace->build, n) : NULL;
}

static bool fail_unbound(const call_site *site, const char *name, size_t len)
{
	str s = {.base = &site->ctx->base};
	int n, named = 0;
	const axis *axes = trace_axes(site->ctx, &n);

	for (int i = 0; i < n; i++)
		if (axes[i].name && !axis_unnamed(axes[i].name))
			str_printf(&s, "%s%s", named++ ? ", " : "in scope there is ", axes[i].name);
	fail(&site->ctx->base, site->where, TSR_ERROR_SHARDING,
	     "unbound axis name: %.*s; %s. To fix this, call %s under tsr_shard_map with a mesh "
	     "that has this axis and makes it manual, or under tsr_vmap or tsr_pmap with it as "
	     ".axis",
	     (int)len, name, s.s ? s.s : "no axis is in scope", site->op);
	str_free(&s);
	return false;
}

static bool axis_read(const call_site *site, const char *name, size_t len, int64_t *out)
{
	int n;
	const axis *axes = trace_axes(site->ctx, &n);
	const int entry = n ? axis_named(axes, n, name, len) : -1;

	*out = entry;
	return entry >= 0 || fail_unbound(site, name, len);
}

bool axes_read(const call_site *site, const char *text, int64_t out[MAX_AXES], int *n)
{
	*n = 0;
	if (!text || !*text)
		return fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
		            "%s needs the name of an axis, got none", site->op);
	for (const char *at = text;; at++) {
		at += strspn(at, " ");
		const size_t span = strcspn(at, "*");
		size_t len = span;
		while (len && at[len - 1] == ' ') len--;
		if (!len || *n == MAX_AXES)
			return fail_op(site, TSR_ERROR_ARGUMENT,
			               "\"%s\" is not an axis name or a product like \"x*y\"",
			               text);
		if (!axis_read(site, at, len, &out[*n])) return false;
		for (int i = 0; i < *n; i++)
			if (out[i] == out[*n])
				return fail_op(site, TSR_ERROR_SHARDING,
				               "axis %.*s is named twice in \"%s\"", (int)len, at,
				               text);
		++*n;
		at += span;
		if (!*at) return true;
	}
}

tsr *vary(const call_site *site, tsr *x, axis_set varying)
{
	var v;

	if (!site->ctx->trace || !trace_var(site->ctx->trace, x, &v)) return poison_of(site->ctx);
	v = build_vary(site->ctx->trace->build, v, varying, site->where);
	return v.id ? trace_handle(site->ctx->trace, v) : poison_of(site->ctx);
}
