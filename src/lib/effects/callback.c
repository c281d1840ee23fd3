/* callback.c - C functions that programs call, and their row.
 *
 * The fn of a callback is that of a body, callback_body, whose .env says what to call: it binds the
 * row on its arguments. */
#include "lib/lib.h"
#include "pass/pass.h"

/* ---- the row */

static const callback_params *params_of(const eqn *e) { return e->params; }

static int callback_results(const void *params, int nin)
{
	(void)nin;
	return ((const callback_params *)params)->results.n;
}

/* results of an impure one may differ wherever it is called */
static bool callback_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const callback_params *p = params_of(e);
	axis_set varying = own_axes(e);

	if (p->effect == CALLBACK_DEBUG && p->results.n)
		return fail(build_base(b), e->where, TSR_ERROR_TYPE,
		            "callback: a debug callback has no results");
	if (p->effect != CALLBACK_PURE && !check_effect_axes(b, e, in)) return false;
	for (int i = 0; i < e->nin; i++) varying |= in[i]->varying;
	for (int i = 0; i < p->results.n; i++)
		if (!(out[i] = type_vary(build_ir(b), p->results.v[i], varying))) return false;
	return true;
}

static unsigned callback_effects(const eqn *e)
{
	static const unsigned effects[] = {[CALLBACK_PURE] = 0,
	                                   [CALLBACK_IO] = EFFECT_SEEN,
	                                   [CALLBACK_ORDERED] = EFFECT_SEEN | EFFECT_ORDERED,
	                                   [CALLBACK_DEBUG] = EFFECT_SEEN};

	return effects[params_of(e)->effect];
}

/* for f(%0: ...) with tangents, though there is none: who wants it can give one */
static void callback_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	(void)x, (void)dx, (void)y;
	for (int j = 0; j < e->nout; j++) dy[j] = (var){0};
	fail(build_base(b), e->where, TSR_ERROR_UNSUPPORTED,
	     "the callback %s has no derivative: what a C function computes cannot be "
	     "differentiated. Put tsr_stop_gradient around its operands, or compute the derivative "
	     "in another way",
	     params_of(e)->function.name);
	build_fail(b);
}

static tsr_host_type host_type(const type *t)
{
	return (tsr_host_type){t->dtype, t->ndim, t->dims, t->size};
}

/* Handles that the function makes end with the call. The frame of the outermost call is guarded:
 * nobody may close the context before it returns, or is left */
static bool call_user(tsr_ctx *ctx, const callback_params *p, const tsr_host_call *c)
{
	const int before = ctx->host_calls;
	volatile uintptr_t on_frame;
	FLOAT_DEFAULT;
	tsr_scope *scope = scope_open(&ctx->handles, false);

	if (!scope) return false;
	if (!before) {
		ctx->host_scope = scope;
		ctx->host_in_use = ctx->in_use;
		guard_set(&ctx->host_call, &on_frame, __builtin_alloca(GUARD_ROOM));
	}
	ctx->host_calls = before + 1;
	const watch_state was = watch_note(ctx->processes, WATCH_USER);
	const bool ok = ((tsr_host_fn *)p->function.at)(c);
	watch_note(ctx->processes, was);
	ctx->host_calls = before;
	scope_close(scope);
	return ok;
}

static bool callback_host(const host_args *a)
{
	const eqn *e = a->eqn;
	const callback_params *p = params_of(e);
	tsr_ctx *ctx = (tsr_ctx *)a->base; /* it begins with it */
	const size_t n = (size_t)(e->nin + e->nout), mark = error_mark(a->base);
	tsr_host_type few[16], *types = few;

	if (n > ARRAY_LEN(few) && !(types = mem_array(a->base, n, sizeof *types))) return false;
	for (int i = 0; i < e->nin; i++) types[i] = host_type(a->in[i]);
	for (int j = 0; j < e->nout; j++) types[e->nin + j] = host_type(a->out[j]);
	const bool ok = call_user(ctx, p,
	                          &(tsr_host_call){.ctx = ctx,
	                                           .user = p->function.user,
	                                           .nin = (size_t)e->nin,
	                                           .nout = (size_t)e->nout,
	                                           .in = a->x,
	                                           .out = a->y,
	                                           .in_type = types,
	                                           .out_type = types + e->nin});
	if (types != few) mem_free(a->base, types);
	if (failed_since(a->base, mark)) return false;
	return ok || fail(a->base, e->where, TSR_ERROR_USER, "the callback %s has failed",
	                  p->function.name);
}

static const char *const effect_words[] = {"pure", "io", "ordered", "debug", NULL};
static const field callback_fields[] = {
	{"function", offsetof(callback_params, function), FIELD_FUNCTION, NULL},
	{"results", offsetof(callback_params, results), FIELD_TYPES, NULL},
	{"effect", offsetof(callback_params, effect), FIELD_WORD, effect_words},
	{"axes", offsetof(callback_params, axes), FIELD_AXES, NULL},
	{NULL, 0, 0, NULL},
};
const tsr_prim tsr__prim_callback = {
	.name = "callback",
	.doc = "calls a C function of the user",
	.flags = PRIM_OWN_VARYING | PRIM_OWN_WEAK,
	.nin = -1,
	.nout = -1,
	.results = callback_results,
	.params = callback_fields,
	.types = callback_types,
	.factors = effect_factors,
	.effects = callback_effects,
	.jvp = callback_jvp,
	.batch = batch_in_turn,
	.host = callback_host,
	TSR_NO_RULE(COL_TRANSPOSE, "what a C function computes is not known to be linear"),
	CALLS_THE_USER,
};

/* ---- fns */

typedef struct callback_env { /* without padding: it is compared byte by byte */
	tsr_host_fn *function;
	void *user;
	int64_t effect, nresults;
	struct {
		int64_t dtype;
		tsr_dims dims;
	} result[TSR_MAX_ARGS];
} callback_env;

/* the handles of all arguments, also those in trees */
static tsr **operands_of(tsr_frame *f, int *n)
{
	size_t most = 0, at = 0;

	for (size_t k = 0; k < f->nargs; k++) most += tsr_frame_tree(f, k).count;
	tsr **x = arena_array(f->arena, most + 1, sizeof *x);
	for (size_t k = 0; x && k < f->nargs; k++) {
		const tsr_tree t = tsr_frame_tree(f, k);
		for (size_t i = 0; i < t.count; i++)
			if (t.leaf[i]) x[at++] = t.leaf[i];
	}
	*n = (int)at;
	return x;
}

static const type **result_types(tsr_frame *f, const callback_env *env)
{
	const type **t = arena_array(f->arena, (size_t)env->nresults + 1, sizeof *t);

	for (int64_t i = 0; t && i < env->nresults; i++) {
		const tsr_dims *dims = &env->result[i].dims;
		t[i] = type_make(&f->ctx->ir, (tsr_dtype)env->result[i].dtype, dims_of(dims),
		                 dims_count(dims), 0);
		if (!t[i]) return NULL;
	}
	return t;
}

/* The equation has no place: that is where the fn is called */
static void callback_body(tsr_frame *f)
{
	const call_site site = {f->ctx, NULL, f->fn->name};
	const callback_env *env = tsr_frame_env(f);
	const type **results = result_types(f, env);
	tsr_arg out[TSR_MAX_ARGS];
	tsr *y[TSR_MAX_ARGS];
	int64_t room[MAX_AXES];
	int n;
	tsr **x = operands_of(f, &n);

	if (!results || !x) return;
	callback_params p = {.function = {(void (*)(void))env->function, env->user, f->fn->name},
	                     .results = {(int)env->nresults, results},
	                     .effect = (int)env->effect};
	if (p.effect != CALLBACK_PURE) p.axes = effect_axes(f->ctx, room);
	if (!bind_all(&(operation){&site, &tsr__prim_callback, &p, x, n}, y, p.results.n)) return;
	for (int i = 0; i < p.results.n; i++) out[i] = tsr_arg_one(y[i]);
	tsr_return_at(NULL, f, out, (size_t)p.results.n);
}

static bool read_results(const call_site *site, const tsr_result_type *given, callback_env *env)
{
	for (; env->nresults < TSR_MAX_ARGS && given[env->nresults].dtype; env->nresults++) {
		const tsr_result_type *r = &given[env->nresults];
		if (!dtype_given_ok(site, r->dtype) || !dims_ok(site, ".dims", &r->dims, true))
			return false;
		env->result[env->nresults].dtype = r->dtype;
		if (!dims_put(site, &env->result[env->nresults].dims, dims_of(&r->dims),
		              dims_count(&r->dims)))
			return false;
	}
	return true;
}

/* effect: CALLBACK_IO is ordered where the keywords say so */
static tsr_fn *make(const call_site *site, tsr_host_fn *function, const char *text, int effect,
                    const tsr_callback_args *given)
{
	tsr_ctx *ctx = site->ctx;
	TURN_OF(ctx, site->where, fn_poison(ctx));
	const tsr_callback_args *a = KEYWORDS(tsr_callback_args, site->where, ctx, given);
	if (!a || !ctx_ok(site->where, site->op, ctx)) return fn_poison(ctx);
	const bool ordered = effect == CALLBACK_IO && a->ordered;
	callback_env env = {.function = function,
	                    .user = a->user,
	                    .effect = ordered ? CALLBACK_ORDERED : effect};

	if (!function || (effect == CALLBACK_DEBUG && a->results[0].dtype)) {
		fail_op(site, TSR_ERROR_ARGUMENT,
		        function ? "a debug callback has no results" : "the function is NULL");
		return fn_poison(ctx);
	}
	if (!read_results(site, a->results, &env)) return fn_poison(ctx);
	const tsr_jit_args how = {
		.size = sizeof how, .name = a->name, .env = &env, .env_size = sizeof env,
		.env_mask = env_of_library};
	return tsr_jit_at(site->where, ctx,
	                  (tsr_body){.form = TSR_FORM_FRAME, .raw = (tsr_raw)callback_body}, text,
	                  &how);
}

tsr_fn *tsr_pure_callback_at(const char *where, tsr_ctx *ctx, tsr_host_fn *function,
                             const char *text, const tsr_callback_args *args)
{
	return make(&(call_site){ctx, where, "pure_callback"}, function, text, CALLBACK_PURE, args);
}

tsr_fn *tsr_io_callback_at(const char *where, tsr_ctx *ctx, tsr_host_fn *function, const char *text,
                           const tsr_callback_args *args)
{
	return make(&(call_site){ctx, where, "io_callback"}, function, text, CALLBACK_IO, args);
}

tsr_fn *tsr_debug_callback_at(const char *where, tsr_ctx *ctx, tsr_host_fn *function,
                              const char *text, const tsr_callback_args *args)
{
	return make(&(call_site){ctx, where, "debug_callback"}, function, text, CALLBACK_DEBUG,
	            args);
}
