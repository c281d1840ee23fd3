/* tracing.c - runs a body once on handles of a trace: arguments and captures are inputs, and
 * the results a program.
 *
 * Example:
 *
 *     static tsr *scaled_by(tsr *x)
 *     {
 *             runs++;
 *             return tsr_mul(x, factor);
 *     }
 *     tsr_fn *f = tsr_jit(ctx, scaled_by, .captures = TSR_LEAVES(&factor, 1));
 *     tsr *y = tsr_call(f, one);
 *     factor = tsr_scalar(ctx, 3.f);
 *     tsr *u = tsr_call(f, one);
 *
 * factor is 2 at first. While the body runs, the slot holds an input of the trace, so one program
 * serves every value that the slot has later:
 *
 *     y = 2, u = 3, runs = 1 */
#include "trace/trace.h"

typedef struct inside { /* what the body is given */
	trace *trace;
	map_scope scope;     /* shard_map */
	const sharding **in; /* shard_map: of each leaf */
	tsr_arg *args;
	tsr_tree captures;
} inside;

static bool input_for(const inside *to, const type *t, var *input)
{
	return (*input = build_input(to->trace->build, t)).id;
}

/* arguments again, with handles of the trace in place of the caller's */
static bool make_args(const tracing *g, const type *const *types, inside *to)
{
	const leaves *given = g->args;
	tsr **own = arena_array(g->scratch, (size_t)given->n + 1, sizeof *own);
	int at = 0;
	var input;

	to->args = arena_array(g->scratch, (size_t)given->nargs + 1, sizeof *to->args);
	if (!own || !to->args || !pins_fit(g)) return false;
	for (int i = 0; i < given->n; i++) {
		if (!types[i]) continue;
		if (!input_for(to, types[i], &input) || !pin_argument(g, to->trace, i, &input))
			return false;
		own[i] = trace_handle(to->trace, input);
	}
	for (int i = 0; i < given->nargs; i++) {
		const tsr_arg *arg = &given->arg[i];
		const tsr_tree *tree = &arg->as.tree;
		if (arg->kind == TSR_KIND_TREE) {
			const tsr_tree inner = {
				.leaf = own + at, .count = tree->count, .type = tree->type};
			to->args[i] = (tsr_arg){.kind = TSR_KIND_TREE, .as.tree = inner};
			at += (int)tree->count;
		} else {
			to->args[i] = (tsr_arg){.kind = TSR_KIND_ONE, .as.one = own[at++]};
		}
	}
	return true;
}

/* types: of the captures where the fn is called */
static bool make_captures(const fn *fn, arena *a, const type *const *types, inside *to)
{
	const size_t n = fn->captures.count;
	tsr **own = arena_array(a, n + 1, sizeof *own);
	var input;

	if (!own) return false;
	for (size_t i = 0; i < n; i++) {
		if (!types[i]) continue;
		const axis_set varying = types[i]->varying | to->trace->lift_varying;
		const type *t = type_vary(&fn->ctx->ir, types[i], varying);
		if (!t || !input_for(to, t, &input)) return false;
		own[i] = trace_handle(to->trace, input);
	}
	to->captures = (tsr_tree){.leaf = own, .count = n, .type = fn->captures.type};
	return true;
}

/* While the body runs, the capture slots hold handles of the trace. A body of any form that reads a
 * slot therefore reads an input of its program. One that has the same handle from elsewhere lifts
 * it, as a value of that moment. */
static bool body_with_captures(const tracing *g, const inside *in, results *out)
{
	const fn *fn = g->fn;
	const size_t mark = error_mark(&fn->ctx->base);

	in->trace->slots[0] =
		arena_copy(g->scratch, g->capture, fn->captures.count * sizeof *g->capture);
	in->trace->slots[1] = in->captures.leaf;
	if (!in->trace->slots[0]) return false;
	for (size_t i = 0; i < fn->captures.count; i++) fn->captures.leaf[i] = in->captures.leaf[i];
	const bool ok = body_run(g, in->args, in->captures, out);
	in->trace->slots[0] = NULL;
	for (size_t i = 0; i < fn->captures.count; i++) fn->captures.leaf[i] = g->capture[i];
	/* an error in the body may have spoilt what it returned, such as a NaN that was read from
	 * poison */
	return ok && !failed_since(&fn->ctx->base, mark);
}

static bool result_vars(inside *in, arena *a, const results *returned, var **out)
{
	*out = arena_array(a, (size_t)returned->n + 1, sizeof **out);
	if (!*out) return false;
	for (int i = 0; i < returned->n; i++)
		if (returned->leaf[i] && !trace_var(in->trace, returned->leaf[i], &(*out)[i]))
			return false;
	return true;
}

static bool keep_shape(traced *t, const result_shape *shape)
{
	int *count = arena_copy(t->arena, shape->count, (size_t)shape->n * sizeof *count);

	t->shape = (result_shape){shape->n, count};
	return count != NULL;
}

/* results without the absent ones; t->out says which leaf is which */
static bool pack_results(traced *t, var *result, const sharding **specs, int n, int *packed)
{
	int *out = arena_array(t->arena, (size_t)n + 1, sizeof *out);

	if (!out) return false;
	*packed = 0;
	for (int i = 0; i < n; i++) {
		out[i] = result[i].id ? *packed : -1;
		if (!result[i].id) continue;
		if (specs) specs[*packed] = specs[i];
		result[(*packed)++] = result[i];
	}
	t->out = out;
	t->nout = n;
	return true;
}

/* the parameters of the shard_map equation: blocks for arguments, whole values for captures and
 * what was lifted */
static bool make_map(const fn *fn, const inside *in, const leaves *args, traced *t,
                     const sharding **out, int nout)
{
	shard_map_params *m = arena_alloc(t->arena, sizeof *m);
	const sharding **specs = arena_array(t->arena, (size_t)t->program->nin + 1, sizeof *specs);
	const sharding *whole = sharding_replicated_on(&fn->ctx->shards, fn->map.mesh);
	const int64_t *manual = arena_copy(t->arena, in->scope.manual.v,
	                                   (size_t)in->scope.manual.n * sizeof *manual);
	const sharding **outs = arena_copy(t->arena, out, (size_t)nout * sizeof *outs);
	int n = 0;

	if (!m || !specs || !whole || !manual || !outs) return false;
	for (int i = 0; i < args->n; i++)
		if (args->leaf[i].handle) specs[n++] = in->in[i];
	while (n < t->program->nin) specs[n++] = whole;
	*m = (shard_map_params){fn->map.mesh,      {in->scope.manual.n, manual},
	                        {n, specs},    {nout, outs},
	                        fn->map.unchecked, t->program};
	t->map = m;
	return true;
}

/* behind what a body traced before has lifted */
static bool keep_lifted(traced *t, trace *from)
{
	tsr **all = arena_array(t->arena, t->nlifted + from->nlifted + 1, sizeof *all);

	if (!all) return false;
	for (size_t i = 0; i < t->nlifted; i++) all[i] = t->lifted[i];
	t->lifted = all;
	for (size_t i = 0; i < from->nlifted; i++) {
		all[t->nlifted++] = from->lifted[i].handle;
		from->lifted[i].handle = NULL;
	}
	return true;
}

static bool run_body(const tracing *g, inside *in, traced *t)
{
	const fn *fn = g->fn;
	const bool map = fn->kind == FN_SHARD_MAP;
	const sharding **out = NULL;
	const type **types = (const type **)(uintptr_t)g->types;
	results returned;
	var *result;
	int packed;

	if (map) {
		in->in = arena_array(g->scratch, (size_t)g->args->n + 1, sizeof *in->in);
		types = arena_array(g->scratch, (size_t)g->args->n + 1, sizeof *types);
		if (!in->in || !types || !map_inputs(g, &in->scope, in->in, types)) return false;
	}
	if (!make_args(g, types, in) ||
	    !make_captures(fn, g->scratch, g->capture_types, in) ||
	    !body_with_captures(g, in, &returned) ||
	    !result_vars(in, g->scratch, &returned, &result) ||
	    !pin_results(g, in->trace, &returned, result) || !keep_shape(t, &returned.shape))
		return false;
	const int n = returned.n;
	if (map) {
		out = arena_array(g->scratch, (size_t)n + 1, sizeof *out);
		if (!out || !map_outputs(g, in->trace, &in->scope, &returned, out, result))
			return false;
	}
	if (!pack_results(t, result, out, n, &packed) || !keep_lifted(t, in->trace) ||
	    !nest_copy(t->arena, NULL, &in->trace->pmaps, &t->pmaps))
		return false;
	t->cacheable = !t->nlifted && !t->in_own_rule;
	t->program = pass_done(trace_program(in->trace, result, packed), "trace");
	return t->program && (!map || make_map(fn, in, g->args, t, out, packed));
}

/* A body that calls its own fn would be traced for ever, and must fail before the stack is used up.
 * A trace takes a few KiB of stack, and the body what it likes. The stack is looked at on every
 * LOOK_EACH-th level; STACK_NEEDED is enough for the traces until the next look, and then for the
 * passes, which recurse as deep as the traces */
enum { MAX_DEPTH = 100, LOOK_EACH = 4, STACK_NEEDED = 80 << 10 };

static bool check_depth(const tracing *g)
{
	base *bs = &g->fn->ctx->base;
	const int depth = g->fn->ctx->trace ? g->fn->ctx->trace->depth : 0;

	if (depth == MAX_DEPTH)
		return fail(bs, g->where, TSR_ERROR_UNSUPPORTED,
		            "traces are nested %d deep: does a body call its own fn?", depth);
	if (depth % LOOK_EACH != LOOK_EACH - 1) return true;
	const size_t left = stack_left();
	return left >= STACK_NEEDED ||
	       fail(bs, g->where, TSR_ERROR_UNSUPPORTED,
	            "traces are nested %d deep, and %zu KiB are left of the thread's stack: does "
	            "a body call its own fn? Otherwise give the thread a larger stack",
	            depth, left >> 10);
}

/* are results of this body not checked to be equal along axes? */
static bool is_unchecked(const fn *fn, bool outside)
{
	return fn->kind == FN_SHARD_MAP ? fn->map.unchecked : fn->kind == FN_PMAP || outside;
}

/* axes over which values from outside are taken to vary */
static axis_set lift_varying(const fn *fn, const inside *in, int naxes)
{
	if (fn->kind == FN_PMAP) return axis_bit(naxes - 1);
	return fn->kind == FN_SHARD_MAP ? map_lift_varying(fn, &in->scope) : 0;
}

/* runs the body in a trace of its own, which ends however the body is left */
static bool run_in_trace(const tracing *g, inside *in, traced *t, const axis *axes, int naxes)
{
	fn *fn = g->fn;
	const bool map = fn->kind == FN_SHARD_MAP;
	const trace_of of = {fn->name, g->where,
	                     &fn->captures,
	                     axes,     naxes,
	                     is_unchecked(fn, t->key.unchecked),
	                     map ? fn->map.mesh : NULL};
	__attribute__((cleanup(trace_unwound))) trace *running = trace_begin(fn->ctx, &of);
	trace *const done = running;
	volatile uintptr_t on_frame;

	if (!done) return false;
	/* the outermost trace sets aside room on the stack: a call on the context from a frame
	 * within that room shows that its body, and all inner ones, have been left */
	guard_set(&done->body, &on_frame, __builtin_alloca(done->outer ? 1 : GUARD_ROOM));
	done->lift_varying |= lift_varying(fn, in, naxes);
	done->own_lift = done->lift_varying;
	done->made = t;
	in->trace = done;
	const bool ok = run_body(g, in, t);
	running = NULL;
	trace_end(done);
	return ok;
}

bool trace_body(const tracing *g, traced *t)
{
	fn *fn = g->fn;
	inside *in = arena_alloc(g->scratch, sizeof *in);
	const axis *axes = g->axes;
	int naxes = g->naxes;
	const bool failed_before = failed(&fn->ctx->base);

	if (!in || !check_depth(g)) return false;
	if (fn->kind == FN_SHARD_MAP) {
		if (!map_scope_find(g, &in->scope)) return false;
		axes = in->scope.axes;
		naxes = in->scope.naxes;
	}
	const bool ok = run_in_trace(g, in, t, axes, naxes);
	fn->traced++;
	if (!ok && !failed_before)
		fail_note(&fn->ctx->base, "while tracing %s, called at %s", fn->name,
		          g->where ? base_name(g->where) : "an unknown place");
	return ok;
}
