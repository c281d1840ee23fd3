/* body.c - runs a C body by its form, on traced leaves.
 *
 * Example:
 *
 *     tsr_call(tsr_jit(ctx, tsr_add), x);
 *
 * tsr_jit notes the form of its argument (_Generic), because C allows a call only by the type that
 * a function has. The arguments are compared with the form before the body runs:
 *
 *     ..: tsr_add takes 2 arguments, got 1 .. */
#include "trace/trace.h"

/* one function type for each form, because C requires that a function is called as what it is. That
 * is the price of bodies that are plain C functions */
typedef tsr *(*body_ctx)(tsr_ctx *);
typedef tsr *(*body_1)(tsr *);
typedef tsr *(*body_2)(tsr *, tsr *);
typedef tsr *(*body_3)(tsr *, tsr *, tsr *);
typedef tsr *(*body_4)(tsr *, tsr *, tsr *, tsr *);
typedef tsr *(*body_t0)(tsr_tree);
typedef tsr *(*body_t1)(tsr_tree, tsr *);
typedef tsr *(*body_t2)(tsr_tree, tsr *, tsr *);
typedef tsr *(*body_t3)(tsr_tree, tsr *, tsr *, tsr *);
typedef void (*body_frame)(tsr_frame *);

tsr *body_call(int64_t form, tsr_raw f, tsr_ctx *ctx, const tsr_arg *a)
{
	tsr *x[4] = {0};
	const bool tree = form >= TSR_FORM_TREE_0;
	const int nhandles = (int)form - (tree ? TSR_FORM_TREE_0 : TSR_FORM_CTX);

	for (int i = 0; i < nhandles; i++) x[i] = a[i + tree].as.one;
	switch (form) {
	case TSR_FORM_CTX: return ((body_ctx)f)(ctx);
	case TSR_FORM_1: return ((body_1)f)(x[0]);
	case TSR_FORM_2: return ((body_2)f)(x[0], x[1]);
	case TSR_FORM_3: return ((body_3)f)(x[0], x[1], x[2]);
	case TSR_FORM_4: return ((body_4)f)(x[0], x[1], x[2], x[3]);
	case TSR_FORM_TREE_0: return ((body_t0)f)(a[0].as.tree);
	case TSR_FORM_TREE_1: return ((body_t1)f)(a[0].as.tree, x[0]);
	case TSR_FORM_TREE_2: return ((body_t2)f)(a[0].as.tree, x[0], x[1]);
	case TSR_FORM_TREE_3: return ((body_t3)f)(a[0].as.tree, x[0], x[1], x[2]);
	default: return NULL;
	}
}

static bool check_arity(const tracing *g, const tsr_arg *arg)
{
	const fn *fn = g->fn;
	const size_t n = (size_t)g->args->nargs;
	const bool tree = fn->body.form >= TSR_FORM_TREE_0;
	const size_t want = (size_t)fn->body.form - (tree ? TSR_FORM_TREE_0 - 1 : TSR_FORM_CTX);

	if (n != want)
		return fail(&fn->ctx->base, g->where, TSR_ERROR_ARGUMENT,
		            "%s takes %zu argument%s, got %zu", fn->name, want,
		            want == 1 ? "" : "s", n);
	for (size_t i = 0; i < n; i++) {
		const bool want_tree = tree && i == 0;
		if ((arg[i].kind == TSR_KIND_TREE) != want_tree)
			return fail(&fn->ctx->base, g->where, TSR_ERROR_ARGUMENT,
			            "%s takes %s as args[%zu], got %s", fn->name,
			            want_tree ? "a tree" : "one handle", i,
			            want_tree ? "one handle" : "a tree");
	}
	return true;
}

static bool one_result(const tracing *g, tsr *result, results *out)
{
	static const int one = 1;

	if (!result)
		return fail(&g->fn->ctx->base, g->where, TSR_ERROR_HANDLE,
		            "the body of %s returned NULL", g->fn->name);
	*out = (results){arena_copy(g->scratch, &result, sizeof result), 1, {1, &one}};
	return out->leaf != NULL;
}

static bool run_frame(const tracing *g, const tsr_arg *arg, tsr_tree captures, results *out)
{
	const fn *fn = g->fn;
	tsr_frame f = {.ctx = fn->ctx,
	               .fn = fn,
	               .arena = g->scratch,
	               .nargs = (size_t)g->args->nargs,
	               .arg = arg,
	               .captures = captures};

	((body_frame)fn->body.raw)(&f);
	if (!f.returned)
		return fail(&fn->ctx->base, g->where, TSR_ERROR_ARGUMENT,
		            "the body of %s returned nothing: end it with tsr_return(frame, ...)",
		            fn->name);
	*out = (results){f.out, f.nout, {f.nshape, f.shape}};
	return true;
}

/* a result from a scope that the body opened must have been kept (tsr_keep): it must still be
 * alive */
static bool check_results(const tracing *g, const results *out)
{
	call_site site = {.where = g->where, .op = "result"};

	for (int i = 0; i < out->n; i++) {
		if (!out->leaf[i]) continue;
		const tsr_ctx *ctx = operands_check(&site, &out->leaf[i], 1);
		if (ctx == g->fn->ctx) continue;
		if (ctx)
			fail(&g->fn->ctx->base, g->where, TSR_ERROR_HANDLE,
			     "result %d of %s belongs to another context", i, g->fn->name);
		return false;
	}
	return true;
}

bool body_run(const tracing *g, const tsr_arg *args, tsr_tree captures, results *out)
{
	const fn *fn = g->fn;
	const size_t n = (size_t)g->args->nargs;
	bool ok;

	if (fn->body.fn)
		ok = call_fn(fn->body.fn, g->where, args, n, g->scratch, NULL, out, NULL);
	else if (fn->body.form == TSR_FORM_FRAME)
		ok = run_frame(g, args, captures, out);
	else
		ok = check_arity(g, args) &&
		     one_result(g, body_call(fn->body.form, fn->body.raw, fn->ctx, args), out);
	return ok && check_results(g, out);
}
