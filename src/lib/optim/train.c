/* train.c - whole steps: parameters and state become the next ones.
 *
 * tsr_train_step(ctx, loss, opt) is one fn, whose program is that of the loss and its gradient, and
 * then for each leaf one kernel of the optimiser. Parameters and state are donated, so that the new
 * ones are made in their memory. */
#include "lib/optim/optim.h"

/* ---- in a trace */

/* the gradient is brought to where the state is that it goes into: along the axes of .zero each
 * device then needs its part of the sum alone. State of some of the parts is cut so */
static bool optimizer_trace(const tsr_optimizer *o, const char *where, tsr_tree grads,
                            tsr_tree params, tsr_tree state)
{
	tsr_ctx *ctx = o->ctx;
	const task t = {.of = o,
	                .site = {.ctx = ctx, .where = where},
	                .n = params.count,
	                .param = params.leaf,
	                .update = grads.leaf,
	                .state = state.leaf};
	const call_site *site = &t.site;

	const asked_call outer = asked_begin(where, "optimizer_update");
	const bool ok = part_all(&t);
	for (size_t k = 0; ok && k < params.count; k++) {
		if (!grads.leaf[k]) continue;
		const tsr_arg p = HANDLE(params.leaf[k]);
		const tsr_arg next = TO(dtype_of_operand(p), ADD(p, HANDLE(grads.leaf[k])));
		params.leaf[k] = tsr_shard_alike_at(where, next.as.one, p.as.one);
	}
	asked_here = outer;
	return ok;
}

/* ---- what is given */

static bool masks_fit(const call_site *site, const tsr_optimizer *o, size_t n)
{
	if (o->nmask && o->nmask != n)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "the .mask of %s is for %zu leaves, and the parameters have %zu",
		               o->rule->name, o->nmask, n);
	for (int i = 0; i < o->nparts; i++)
		if (!masks_fit(site, o->part[i], n)) return false;
	return true;
}

static bool param_fits(const call_site *site, const tsr_tree *params, size_t k)
{
	call_site of = *site;
	tsr *x = params->leaf[k];

	if (!x) return true;
	if (!operands_check(&of, &x, 1)) return false;
	if (dtype_kind(handle_type(x)->dtype) >= KIND_FLOAT) return true;
	str name = {.base = &site->ctx->base};
	str_put(&name, "params");
	tree_leaf_text(&name, params->type, k);
	fail_op(site, TSR_ERROR_TYPE, "%s is %s; parameters are floating or complex",
	        name.s ? name.s : "?", tsr_type_text(x));
	str_free(&name);
	return false;
}

static bool params_fit(const call_site *site, const tsr_optimizer *o, const tsr_tree *params)
{
	if (!ctx_alive(site->ctx) || !optimizer_ok(site->ctx, site->where, site->op, o))
		return false;
	if (!params->count || !params->leaf)
		return fail_op(site, TSR_ERROR_ARGUMENT, "the tree of parameters has no leaves");
	if (params->count > INT32_MAX)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "the tree of parameters has more than 2^31 leaves");
	for (size_t k = 0; k < params->count; k++)
		if (!param_fits(site, params, k)) return false;
	return masks_fit(site, o, params->count);
}

static bool same_dims(const type *a, const type *b)
{
	return a->ndim == b->ndim &&
	       !memcmp(a->dims, b->dims, (size_t)a->ndim * sizeof *a->dims);
}

static bool lists_fit(const call_site *site, const tsr_optimizer *o, const tsr_tree *grads,
                      const tsr_tree *params, const tsr_tree *state)
{
	const size_t n = params->count, wanted = part_leaves(o, n);
	call_site of = *site;

	if (grads->count != n || !grads->leaf)
		return fail_op(site, TSR_ERROR_ARGUMENT, "%zu gradients for %zu parameters",
		               grads->leaf ? grads->count : 0, n);
	if (state->count != wanted || (wanted && !state->leaf))
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "the state has %zu leaves; for %zu parameters it is %zu: "
		               "tsr_optimizer_init makes it",
		               state->leaf ? state->count : 0, n, wanted);
	for (size_t k = 0; k < n; k++) {
		tsr *both[] = {grads->leaf[k], params->leaf[k]};
		if (!both[0]) continue;
		if (!operands_check(&of, both, 2)) return false;
		if (same_dims(handle_type(both[0]), handle_type(both[1]))) continue;
		str types = {.base = &site->ctx->base};
		str_printf(&types, "%s for a parameter ", tsr_type_text(both[0]));
		str_put(&types, tsr_type_text(both[1]));
		fail_op(site, TSR_ERROR_TYPE, "gradient %zu is %s", k, types.s ? types.s : "?");
		str_free(&types);
		return false;
	}
	return true;
}

/* the context of a call; never NULL */
static tsr_ctx *ctx_for(const tsr_optimizer *o, const tsr_tree *params)
{
	for (size_t k = 0; !(o && o->ctx) && params->leaf && k < params->count; k++)
		if (params->leaf[k]) return ctx_or_here(tsr_ctx_of(params->leaf[k]));
	return ctx_or_here(o ? o->ctx : NULL);
}

/* ---- the state before the first step */

/* makes it in a scope of its own, and then owns it */
static bool state_owned(const task *t, tsr_tree owned)
{
	tsr_scope *scope = tsr_scope_open(t->site.ctx);
	const bool ok = scope && state_init(t) &&
	                tsr_set_tree_at(t->site.where, owned,
	                                (tsr_tree){.leaf = t->state, .count = owned.count});

	tsr_scope_close(scope);
	if (!ok) tsr_drop_tree(owned);
	return ok;
}

tsr_tree tsr_optimizer_init_at(const char *where, const tsr_optimizer *o, tsr_tree params)
{
	const tsr_tree none = {.count = 0};
	tsr_ctx *ctx = ctx_for(o, &params);
	TURN_OF(ctx, where, none);
	const call_site site = {ctx, where, "optimizer_init"};

	if (!params_fit(&site, o, &params)) return none;
	const size_t n = part_leaves(o, params.count);
	tsr_tree state = {.leaf = scope_bytes(ctx, (n + 1) * sizeof(tsr *)), .count = n};
	arena *scratch = call_arena(ctx);
	task t = {.of = o,
	          .site = {.ctx = ctx, .where = where},
	          .n = params.count,
	          .param = params.leaf};
	bool ok = state.leaf && scratch;
	if (ok) t.state = in_trace(ctx) ? state.leaf
	                                : arena_array(scratch, n + 1, sizeof *t.state);
	ok = ok && t.state && (in_trace(ctx) ? state_init(&t) : state_owned(&t, state));
	call_arena_free(ctx, scratch);
	return ok ? state : none;
}

/* ---- a step outside of bodies is a fn */

typedef struct step_env { /* no padding */
	const tsr_optimizer *opt;
	int64_t has_aux;
} step_env;

static tsr_tree tree_copy(arena *a, tsr_tree x)
{
	x.leaf = arena_copy(a, x.leaf, x.count * sizeof *x.leaf);
	return x;
}

static void update_body(tsr_frame *f)
{
	const step_env *e = tsr_frame_env(f);
	const char *where = f->ctx->trace->where;
	tsr_tree x[3];

	for (size_t i = 0; i < 3; i++) {
		x[i] = tree_copy(f->arena, tsr_frame_tree_at(where, f, i));
		if (!x[i].leaf) return;
	}
	if (optimizer_trace(e->opt, where, x[0], x[1], x[2]))
		tsr_return_at(where, f, (tsr_arg[]){tsr_arg_tree(x[1]), tsr_arg_tree(x[2])}, 2);
}

/* of FN_JIT; held for the caller. NULL: recorded */
static fn *step_fn(tsr_ctx *ctx, const char *name, void (*body)(tsr_frame *), const step_env *e,
                   fn *const *used, uint32_t donate)
{
	fn key = {.kind = FN_JIT,
	          .name = name,
	          .env = e,
	          .env_size = sizeof *e,
	          .env_mask = env_of_library,
	          .body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)body},
	          .used = used,
	          .nused = used != NULL,
	          .donate = donate};

	return fn_intern(ctx, &key);
}

static bool update_eagerly(const call_site *site, const tsr_optimizer *o, const tsr_arg lists[3])
{
	fn *f = step_fn(site->ctx, "optimizer_update", update_body, &(step_env){o, 0}, NULL, 0);
	arena *scratch = call_arena(site->ctx);
	const tsr_out outs[] = {{.own = TSR_PLACE_OWN, .to = lists[1].as.tree},
	                        {.own = TSR_PLACE_OWN, .to = lists[2].as.tree}};
	places to = {outs, 2, NULL};
	results r = {0};
	const bool ok = f && scratch &&
	                call_fn(f, site->where, lists, 3, scratch, &to, &r, NULL) &&
	                places_give(site, scratch, &to, &r);

	call_arena_free(site->ctx, scratch);
	fn_unhold(f);
	return ok;
}

/* in a trace; false: recorded, and nothing is replaced */
static bool update_in_body(const call_site *site, const tsr_optimizer *o, tsr_tree grads,
                           tsr_tree params, tsr_tree state)
{
	arena *scratch = call_arena(site->ctx);
	tsr_tree to[] = {params, state}, x[3] = {{.count = 0}};
	bool ok = scratch;

	if (ok) {
		x[0] = tree_copy(scratch, grads);
		x[1] = tree_copy(scratch, params);
		x[2] = tree_copy(scratch, state);
		ok = x[0].leaf && x[1].leaf && x[2].leaf &&
		     optimizer_trace(o, site->where, x[0], x[1], x[2]);
	}
	for (int i = 0; ok && i < 2; i++)
		for (size_t k = 0; k < to[i].count; k++) to[i].leaf[k] = x[i + 1].leaf[k];
	call_arena_free(site->ctx, scratch);
	return ok;
}

bool tsr_optimizer_update_at(const char *where, const tsr_optimizer *o, tsr_tree grads,
                             tsr_tree params, tsr_tree state)
{
	tsr_ctx *ctx = ctx_for(o, &params);
	TURN_OF(ctx, where, false);
	const call_site site = {ctx, where, "optimizer_update"};

	if (!params_fit(&site, o, &params) || !lists_fit(&site, o, &grads, &params, &state))
		return false;
	if (in_trace(ctx)) return update_in_body(&site, o, grads, params, state);
	return update_eagerly(&site, o, (tsr_arg[]){tsr_arg_tree(grads), tsr_arg_tree(params),
	                                            tsr_arg_tree(state)});
}

/* ---- training */

/* the leaves of group g of the results */
static tsr_tree group_of(const results *r, int g)
{
	tsr_tree x = {.leaf = r->leaf};

	for (int i = 0; i < g; i++) x.leaf += r->shape.count[i];
	x.count = (size_t)r->shape.count[g];
	return x;
}

/* used[0]: the loss and its gradient */
static void step_body(tsr_frame *f)
{
	const step_env *e = tsr_frame_env(f);
	const char *where = f->ctx->trace->where;
	const call_site site = {f->ctx, where, f->fn->name};
	const size_t nargs = tsr_frame_count(f);
	tsr_arg args[TSR_MAX_ARGS], out[TSR_MAX_ARGS + 2];
	results r;

	if (nargs < 2) {
		fail(&f->ctx->base, where, TSR_ERROR_ARGUMENT,
		     "%s takes parameters, state, and what the loss takes besides; it got %zu "
		     "arguments",
		     site.op, nargs);
		return;
	}
	tsr_tree params = tsr_frame_tree_at(where, f, 0), state = tsr_frame_tree_at(where, f, 1);
	if (!params_fit(&site, e->opt, &params)) return;
	args[0] = f->arg[0];
	for (size_t i = 2; i < nargs; i++) args[i - 1] = f->arg[i];
	if (!call_fn(f->fn->used[0], where, args, nargs - 1, f->arena, NULL, &r, NULL)) return;
	const int naux = r.shape.n - 2;
	tsr_tree grads = group_of(&r, r.shape.n - 1);
	params = tree_copy(f->arena, params);
	state = tree_copy(f->arena, state);
	if (!params.leaf || !state.leaf || !lists_fit(&site, e->opt, &grads, &params, &state) ||
	    !optimizer_trace(e->opt, where, grads, params, state))
		return;
	out[0] = tsr_arg_one(r.leaf[0]);
	out[1] = tsr_arg_tree(params);
	out[2] = tsr_arg_tree(state);
	for (int i = 0; i < naux; i++) out[3 + i] = tsr_arg_tree(group_of(&r, 1 + i));
	tsr_return_at(where, f, out, (size_t)(3 + naux));
}

tsr_fn *tsr_train_step_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                          const tsr_optimizer *o, const tsr_train_step_args *given)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const tsr_train_step_args *a = KEYWORDS(tsr_train_step_args, where, ctx, given);

	if (!a || !ctx_ok(where, "train_step", ctx) || !optimizer_ok(ctx, where, "train_step", o))
		return fn_poison(ctx);
	const tsr_grad_args of_loss = {.size = sizeof of_loss, .has_aux = a->has_aux};
	const asked_call outer = asked_begin(where, "train_step");
	tsr_fn *h = tsr_value_and_grad_at(where, ctx, body, text, &of_loss);
	asked_here = outer;
	fn *loss = fn_is_poison(h) ? NULL : fn_of(where, "train_step", h);
	if (!loss) return fn_poison(ctx);
	fn *made = step_fn(ctx, a->name ? a->name : "train_step", step_body,
	                   &(step_env){o, a->has_aux}, &loss, 3);
	tsr_fn_release_at(where, h);
	return fn_give(ctx, made);
}

tsr *tsr_train_at(const char *where, tsr_fn *step, tsr_tree params, tsr_tree state,
                  const tsr_arg *args, size_t n)
{
	tsr_arg all[TSR_MAX_ARGS] = {tsr_arg_tree(params), tsr_arg_tree(state)};
	tsr *loss = NULL;
	const tsr_out outs[] = {{.to = {.leaf = &loss, .count = 1}},
	                        {.own = TSR_PLACE_OWN, .to = params},
	                        {.own = TSR_PLACE_OWN, .to = state}};

	const fn *f = fn_of(where, "train", step);
	if (!f) return poison_of(tsr_fn_ctx(step));
	if (n > TSR_MAX_ARGS - 2 || (n && !args)) {
		fail(&f->ctx->base, where, TSR_ERROR_ARGUMENT,
		     args ? "train: at most %d arguments besides parameters and state"
		          : "train: the list of arguments is NULL",
		     TSR_MAX_ARGS - 2);
		return poison_of(f->ctx);
	}
	for (size_t i = 0; i < n; i++) all[2 + i] = args[i];
	tsr_call_into_at(where, outs, 3, step, all, n + 2);
	return loss;
}
