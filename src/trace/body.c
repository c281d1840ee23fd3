/* body.c - running a C body on traced leaves, by its form. */
#include "trace/trace.h"

/* casts to the form's own type, one a form; the number of forms is the price of natural C functions
 */
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

static tsr *run_natural(const tsr_fn *fn, const tsr_arg *a)
{
	const tsr_raw f = fn->body.raw;
	tsr *x[4] = {0};
	const bool tree = fn->body.form >= TSR_FORM_TREE_0;
	const int nhandles = (int)fn->body.form - (tree ? TSR_FORM_TREE_0 : TSR_FORM_CTX);

	for (int i = 0; i < nhandles; i++) x[i] = a[i + tree].as.one;
	switch (fn->body.form) {
	case TSR_FORM_CTX: return ((body_ctx)f)(fn->ctx);
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

static bool check_arity(const tsr_fn *fn, const char *where, const tsr_arg *arg, size_t n)
{
	const bool tree = fn->body.form >= TSR_FORM_TREE_0;
	const size_t want = (size_t)fn->body.form - (tree ? TSR_FORM_TREE_0 - 1 : TSR_FORM_CTX);

	if (n != want)
		return fail(&fn->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "%s takes %zu argument%s, got %zu", fn->name, want,
		            want == 1 ? "" : "s", n);
	for (size_t i = 0; i < n; i++) {
		const bool want_tree = tree && i == 0;
		if ((arg[i].kind == TSR_KIND_TREE) != want_tree)
			return fail(&fn->ctx->base, where, TSR_ERROR_ARGUMENT,
			            "%s takes %s as args[%zu], got %s", fn->name,
			            want_tree ? "a tree" : "one handle", i,
			            want_tree ? "one handle" : "a tree");
	}
	return true;
}

static bool one_result(const tsr_fn *fn, const char *where, arena *a, tsr *result, tsr ***out,
                       int *nout, result_shape *shape)
{
	static const int one = 1;

	if (!result)
		return fail(&fn->ctx->base, where, TSR_ERROR_HANDLE, "the body of %s returned NULL",
		            fn->name);
	*out = arena_copy(a, &result, sizeof result);
	*nout = 1;
	*shape = (result_shape){1, &one};
	return *out != NULL;
}

static bool run_frame(const tsr_fn *fn, const char *where, arena *a, const tsr_arg *arg, size_t n,
                      tsr_tree captures, tsr ***out, int *nout, result_shape *shape)
{
	tsr_frame f = {
		.ctx = fn->ctx, .fn = fn, .arena = a, .nargs = n, .arg = arg, .captures = captures};

	((body_frame)fn->body.raw)(&f);
	if (!f.returned)
		return fail(&fn->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "the body of %s returned nothing: end it with tsr_return(frame, ...)",
		            fn->name);
	*out = f.out;
	*nout = f.nout;
	*shape = (result_shape){f.nshape, f.shape};
	return true;
}

/* what the body returned must still be alive: kept out of the scopes that it opened */
static bool check_results(const tsr_fn *fn, const char *where, tsr *const *out, int n)
{
	tsr *poison;

	for (int i = 0; i < n; i++) {
		if (!out[i]) continue;
		const tsr_ctx *ctx = operands_check(where, "result", &out[i], 1, &poison);
		if (ctx == fn->ctx) continue;
		if (ctx)
			fail(&fn->ctx->base, where, TSR_ERROR_HANDLE,
			     "result %d of %s belongs to another context", i, fn->name);
		return false;
	}
	return true;
}

bool body_run(const tsr_fn *fn, const char *where, arena *a, const tsr_arg *arg, size_t n,
              tsr_tree captures, tsr ***out, int *nout, result_shape *shape)
{
	bool ok;

	if (fn->body.fn)
		ok = call_fn(fn->body.fn, where, arg, n, a, out, nout, shape, NULL);
	else if (fn->body.form == TSR_FORM_FRAME)
		ok = run_frame(fn, where, a, arg, n, captures, out, nout, shape);
	else
		ok = check_arity(fn, where, arg, n) &&
		     one_result(fn, where, a, run_natural(fn, arg), out, nout, shape);
	return ok && check_results(fn, where, *out, *nout);
}
