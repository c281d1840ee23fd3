/* make_derived.c - makes the fns of tsr_grad and its kin, and the linear functions at a point.
 *
 * Example:
 *
 *     tsr_fn *h = tsr_hessian(ctx, energy);
 *     tsr_fn *of_rows = tsr_jacfwd(ctx, tsr_jacrev(ctx, energy));
 *
 * A hessian has no rule of its own, and is the same fn as these two. Forward is the outer one,
 * since it keeps no values of the inner derivative, as reverse would:
 *
 *     h == of_rows */
#include "trace/trace.h"

/* ---- derivatives */

static bool read_wrt(fn *key, const call_site *s, const tsr_dims *wrt)
{
	base *bs = &s->ctx->base;

	if (wrt->d[0] < 0 || wrt->d[0] > 1 + TSR_MAX_ARGS)
		return fail_op(s, TSR_ERROR_ARGUMENT,
		               ".wrt is no list of arguments: write TSR_DIMS(0, 2)");
	key->derive.nwrt = wrt->d[0] ? (int)wrt->d[0] - 1 : 0;
	if (wrt->d[0] && (key->derive.nwrt < 1 || key->derive.nwrt > TSR_MAX_ARGS))
		return fail_op(s, TSR_ERROR_ARGUMENT,
		               ".wrt is no list of arguments: write .wrt = TSR_DIMS(0)");
	for (int i = 0; i < key->derive.nwrt; i++) {
		const int64_t arg = wrt->d[i + 1];
		if (arg < 0 || arg >= TSR_MAX_ARGS)
			return fail_op(s, TSR_ERROR_ARGUMENT,
			               ".wrt names argument %lld; they are numbered 0 to %d",
			               (long long)arg, TSR_MAX_ARGS - 1);
		key->derive.wrt[i] = (int)arg;
		for (int k = 0; k < i; k++)
			if (key->derive.wrt[k] == key->derive.wrt[i])
				return fail_op(s, TSR_ERROR_ARGUMENT,
				               ".wrt names argument %d twice", (int)arg);
	}
	return true;
}

/* keywords that only some of them have */
static bool check_keywords(const call_site *s, fn_kind kind, const tsr_grad_args *a)
{
	const bool forward = kind == FN_JVP || kind == FN_JACFWD || strcmp(s->op, "hessian") == 0;

	if (a->holomorphic && kind == FN_JVP)
		return fail(&s->ctx->base, s->where, TSR_ERROR_ARGUMENT,
		            "jvp has no .holomorphic: it takes complex arguments as they are");
	return !a->allow_int || !forward ||
	       fail(&s->ctx->base, s->where, TSR_ERROR_ARGUMENT,
	            "%s has no .allow_int; tsr_grad, tsr_value_and_grad and tsr_jacrev have",
	            s->op);
}

static tsr_fn *derived(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                       const tsr_grad_args *given, fn_kind kind, const char *op)
{
	const tsr_grad_args *a = KEYWORDS(tsr_grad_args, where, ctx, given);
	if (!a) return fn_poison(ctx);
	const call_site site = {ctx, where, name_asked(where, op)};
	char room[256];
	fn key;

	if (!ctx_ok(where, op, ctx)) return fn_poison(ctx);
	if (!fn_head(&key, &site, body, FN_KEYWORDS(a))) return fn_poison(ctx);
	key.kind = kind;
	key.name = fn_name_of(&key, a->name, text, room, sizeof room);
	key.derive.nvalues = a->has_aux;
	key.derive.holomorphic = a->holomorphic;
	key.derive.allow_int = a->allow_int;
	if (!check_keywords(&site, kind, a) || !read_wrt(&key, &site, &a->wrt))
		return fn_poison(ctx);
	return fn_give(ctx, fn_intern(ctx, &key));
}

#define DERIVED(name, kind) \
	tsr_fn *tsr_##name##_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text, \
	                        const tsr_grad_args *args) \
	{ \
		return derived(where, ctx, body, text, args, kind, #name); \
	}
DERIVED(grad, FN_GRAD)
DERIVED(value_and_grad, FN_VALUE_AND_GRAD)
DERIVED(jvp, FN_JVP)
DERIVED(jacfwd, FN_JACFWD)
DERIVED(jacrev, FN_JACREV)

/* jacfwd of jacrev: the inner fn has one result for each argument in .wrt, and all are
 * differentiated again */
tsr_fn *tsr_hessian_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                       const tsr_grad_args *args)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	tsr_fn *rows = derived(where, ctx, body, text, args, FN_JACREV, "hessian");
	fn *inner = fn_of_handle(rows);

	if (!inner) return rows;
	fn key = {.kind = FN_JACFWD,
	          .body = {.form = -1, .fn = inner},
	          .name = inner->name,
	          .captures = inner->captures,
	          .derive = inner->derive};
	if (key.derive.nvalues) key.derive.nvalues = key.derive.nwrt ? key.derive.nwrt : 1;
	tsr_fn *made = fn_give(ctx, fn_intern(ctx, &key));
	tsr_fn_release_at(where, rows);
	return made;
}

/* ---- linear functions at a point */

/* held; NULL: recorded */
static fn *linear_head(const call_site *site, tsr_fn *of, fn_kind kind, int nvalues)
{
	fn key;

	if (!of) return fn_of(site->where, site->op, of);
	if (!fn_head(&key, site, (tsr_body){.fn = of}, (fn_keywords){0})) return NULL;
	key.kind = kind;
	key.name = key.body.fn->name;
	key.derive.nvalues = nvalues;
	return fn_intern(site->ctx, &key);
}

static tsr_linearized linear_at(const char *where, const tsr_out *outs, size_t nout, tsr_fn *of,
                            const tsr_arg *args, size_t n, fn_kind kind, int nvalues,
                            const char *op)
{
	tsr_linearized l = {.fn = fn_poison(tsr_fn_ctx(of))};
	const call_site site = {tsr_fn_ctx(of), where, op};
	fn *head = linear_head(&site, of, kind, nvalues);

	call_linear(&site, outs, nout, head, args, n, &l);
	fn_unhold(head);
	return l;
}

/* nvalues: results that are differentiated; 0: all */
#define LINEAR(name, kind, nvalues) \
	tsr_linearized tsr_##name##_at(const char *where, const tsr_out *outs, size_t nout, \
	                           tsr_fn *fn, const tsr_arg *args, size_t n) \
	{ \
		return linear_at(where, outs, nout, fn, args, n, kind, nvalues, #name); \
	}
LINEAR(linearize, FN_LINEARIZE, 0)
LINEAR(linearize_aux, FN_LINEARIZE, 1)
LINEAR(vjp, FN_VJP, 0)
LINEAR(vjp_aux, FN_VJP, 1)

tsr_linearized tsr_linear_transpose_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	return linear_at(where, NULL, 0, fn, args, n, FN_LINEAR_TRANSPOSE, 0, "linear_transpose");
}
