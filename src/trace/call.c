/* call.c - a call of a fn: its tracing, cached by what the body can see, and then an equation in
 * the enclosing trace or a run. */
#include "trace/trace.h"

/* ---- the key of a tracing */

static bool same_key(const void *entry, const void *key)
{
	const traced *a = entry, *b = key;

	if (a->ntypes != b->ntypes || a->nargs != b->nargs || a->naxes != b->naxes ||
	    a->unchecked != b->unchecked)
		return false;
	for (int i = 0; i < a->ntypes; i++)
		if (a->types[i] != b->types[i]) return false;
	for (int i = 0; i < a->nargs; i++)
		if (a->counts[i] != b->counts[i] || !tree_type_same(a->trees[i], b->trees[i]))
			return false;
	for (int i = 0; i < a->naxes; i++) {
		const axis *x = &a->axes[i], *y = &b->axes[i];
		if (x->kind != y->kind || x->size != y->size || x->mesh != y->mesh ||
		    x->position != y->position || strcmp(x->name, y->name) != 0)
			return false;
	}
	return true;
}

static uint64_t key_hash(const traced *k)
{
	uint64_t h = hash_bytes(k->types, (size_t)k->ntypes * sizeof *k->types, (uint64_t)k->nargs);

	h = hash_bytes(k->counts, (size_t)k->nargs * sizeof *k->counts, h);
	for (int i = 0; i < k->nargs; i++)
		if (k->trees[i]) h = hash_str(k->trees[i]->fields, h);
	for (int i = 0; i < k->naxes; i++)
		h = hash_str(k->axes[i].name, hash_u64((uint64_t)k->axes[i].size, h));
	return hash_u64(k->unchecked, h);
}

/* a tree type of our own, for the caller's may be gone by the next call */
static const tsr_tree_type *keep_tree_type(arena *a, const tsr_tree_type *t)
{
	tsr_tree_type *copy = arena_alloc(a, sizeof *copy);

	if (!copy) return NULL;
	*copy = (tsr_tree_type){t->fields ? arena_str(a, t->fields) : NULL, t->count,
	                        t->name ? arena_str(a, t->name) : NULL};
	return (t->fields && !copy->fields) || (t->name && !copy->name) ? NULL : copy;
}

static bool key_make(const tsr_fn *fn, arena *a, const leaves *args, tsr *const *capture, traced *k)
{
	const int ncaptures = (int)fn->captures.count;
	int *counts = arena_array(a, (size_t)args->nargs + 1, sizeof *counts);
	const axis *scope = trace_axes(fn->ctx, &k->naxes);

	k->ntypes = args->n + ncaptures;
	k->nargs = args->nargs;
	k->types = arena_array(a, (size_t)k->ntypes + 1, sizeof *k->types);
	k->trees = arena_array(a, (size_t)args->nargs + 1, sizeof *k->trees);
	k->axes = arena_copy(a, scope, (size_t)k->naxes * sizeof *scope);
	k->counts = counts;
	k->unchecked = trace_unchecked(fn->ctx);
	if (!k->types || !k->trees || !k->axes || !counts) return false;
	for (int i = 0; i < args->n; i++)
		k->types[i] =
			args->leaf[i].handle ? trace_type(fn->ctx, args->leaf[i].handle) : NULL;
	for (int i = 0; i < ncaptures; i++)
		k->types[args->n + i] = capture[i] ? trace_type(fn->ctx, capture[i]) : NULL;
	for (int i = 0; i < args->n; i++)
		if (args->leaf[i].handle && !k->types[i]) return false;
	for (int i = 0; i < ncaptures; i++)
		if (capture[i] && !k->types[args->n + i]) return false;
	for (int i = 0; i < args->nargs; i++) {
		const tsr_arg *arg = &args->arg[i];
		counts[i] = arg->kind == TSR_KIND_TREE ? (int)arg->as.tree.count : -1;
		if (arg->kind == TSR_KIND_TREE && arg->as.tree.type &&
		    !(k->trees[i] = keep_tree_type(a, arg->as.tree.type)))
			return false;
	}
	for (int i = 0; i < k->naxes; i++)
		if (!(((axis *)(uintptr_t)k->axes)[i].name = arena_str(a, scope[i].name)))
			return false;
	k->hash = key_hash(k);
	return true;
}

/* ---- tracing */

typedef struct inside { /* what the body is given */
	trace *trace;
	map_scope scope;     /* shard_map */
	const sharding **in; /* shard_map: of each leaf */
	tsr_arg *args;
	tsr_tree captures;
} inside;

static bool input_for(inside *to, const type *t, tsr **handle, var *input)
{
	*input = build_input(to->trace->build, t);
	if (!input->id) return false;
	*handle = trace_handle(to->trace, *input);
	return true;
}

/* arguments again, with handles of the trace in place of the caller's */
static bool make_args(arena *a, const leaves *given, const type *const *types, inside *to)
{
	tsr **own = arena_array(a, (size_t)given->n + 1, sizeof *own);
	int at = 0;
	var input;

	to->args = arena_array(a, (size_t)given->nargs + 1, sizeof *to->args);
	if (!own || !to->args) return false;
	for (int i = 0; i < given->n; i++)
		if (types[i] && !input_for(to, types[i], &own[i], &input)) return false;
	for (int i = 0; i < given->nargs; i++) {
		const tsr_arg *g = &given->arg[i];
		if (g->kind == TSR_KIND_TREE)
			to->args[i] =
				(tsr_arg){TSR_KIND_TREE,
			                  {.tree = {own + at, g->as.tree.count, g->as.tree.type}}};
		else
			to->args[i] = (tsr_arg){TSR_KIND_ONE, {.one = own[at]}};
		at += g->kind == TSR_KIND_TREE ? (int)g->as.tree.count : 1;
	}
	return true;
}

/* types: of the captures where the fn is called */
static bool make_captures(const tsr_fn *fn, arena *a, const type *const *types, inside *to)
{
	const size_t n = fn->captures.count;
	tsr **own = arena_array(a, n + 1, sizeof *own);
	var input;

	if (!own) return false;
	for (size_t i = 0; i < n; i++) {
		if (!types[i]) continue;
		const axis_set varying = types[i]->varying | to->trace->lift_varying;
		const type *t = type_vary(&fn->ctx->ir, types[i], varying);
		if (!t || !input_for(to, t, &own[i], &input)) return false;
	}
	to->captures = (tsr_tree){own, n, fn->captures.type};
	return true;
}

/* While the body runs, the capture slots hold the trace's handles, so that a body in any form that
 * reads a slot reads the input, and one that reads the same handle elsewhere does not. */
static bool body_with_captures(const tsr_fn *fn, const char *where, arena *scratch,
                               const inside *in, size_t nargs, tsr *const *capture, tsr ***out,
                               int *n, result_shape *shape)
{
	const size_t mark = error_mark(&fn->ctx->base);

	for (size_t i = 0; i < fn->captures.count; i++) fn->captures.leaf[i] = in->captures.leaf[i];
	const bool ok = body_run(fn, where, scratch, in->args, nargs, in->captures, out, n, shape);
	for (size_t i = 0; i < fn->captures.count; i++) fn->captures.leaf[i] = capture[i];
	/* what went wrong in the body may stand in what it returned: a NaN that was read, say */
	return ok && !failed_since(&fn->ctx->base, mark);
}

static bool result_vars(inside *in, arena *a, tsr *const *returned, int n, var **out)
{
	*out = arena_array(a, (size_t)n + 1, sizeof **out);
	if (!*out) return false;
	for (int i = 0; i < n; i++)
		if (returned[i] && !trace_var(in->trace, returned[i], &(*out)[i])) return false;
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
static bool make_map(const tsr_fn *fn, const inside *in, const leaves *args, traced *t,
                     const sharding **out, int nout)
{
	shard_map_params *m = arena_alloc(t->arena, sizeof *m);
	const sharding **specs = arena_array(t->arena, (size_t)t->program->nin + 1, sizeof *specs);
	const sharding *whole = sharding_replicated_on(&fn->ctx->shards, fn->mesh);
	const int64_t *manual = arena_copy(t->arena, in->scope.manual.v,
	                                   (size_t)in->scope.manual.n * sizeof *manual);
	const sharding **outs = arena_copy(t->arena, out, (size_t)nout * sizeof *outs);
	int n = 0;

	if (!m || !specs || !whole || !manual || !outs) return false;
	for (int i = 0; i < args->n; i++)
		if (args->leaf[i].handle) specs[n++] = in->in[i];
	while (n < t->program->nin) specs[n++] = whole;
	*m = (shard_map_params){fn->mesh,      {in->scope.manual.n, manual},
	                        {n, specs},    {nout, outs},
	                        fn->unchecked, t->program};
	t->map = m;
	return true;
}

static bool keep_lifted(traced *t, trace *from)
{
	t->lifted = arena_array(t->arena, from->nlifted + 1, sizeof *t->lifted);
	if (!t->lifted) return false;
	for (size_t i = 0; i < from->nlifted; i++) {
		t->lifted[i] = from->lifted[i].handle;
		from->lifted[i].handle = NULL;
	}
	t->nlifted = from->nlifted;
	return true;
}

static bool run_body(const tsr_fn *fn, const char *where, arena *scratch, const leaves *args,
                     tsr *const *capture, inside *in, traced *t)
{
	const type **types = t->types;
	const sharding **out = NULL;
	result_shape shape;
	tsr **returned;
	var *result;
	int n, packed;

	if (fn->kind == FN_SHARD_MAP) {
		in->in = arena_array(scratch, (size_t)args->n + 1, sizeof *in->in);
		types = arena_array(scratch, (size_t)args->n + 1, sizeof *types);
		if (!in->in || !types ||
		    !map_inputs(fn, where, scratch, args, t->types, &in->scope, in->in, types))
			return false;
	}
	if (!make_args(scratch, args, types, in) ||
	    !make_captures(fn, scratch, t->types + args->n, in) ||
	    !body_with_captures(fn, where, scratch, in, (size_t)args->nargs, capture, &returned, &n,
	                        &shape))
		return false;
	if (!result_vars(in, scratch, returned, n, &result) || !keep_shape(t, &shape)) return false;
	if (fn->kind == FN_SHARD_MAP) {
		out = arena_array(scratch, (size_t)n + 1, sizeof *out);
		if (!out || !map_outputs(fn, where, in->trace, &in->scope, &shape, n, out, result))
			return false;
	}
	if (!pack_results(t, result, out, n, &packed) || !keep_lifted(t, in->trace)) return false;
	t->cacheable = !t->nlifted;
	t->program = trace_end(in->trace, result, packed);
	return t->program && (fn->kind != FN_SHARD_MAP || make_map(fn, in, args, t, out, packed));
}

enum { MAX_DEPTH = 100 };

static bool trace_body(tsr_fn *fn, const char *where, arena *scratch, const leaves *args,
                       tsr *const *capture, traced *t)
{
	inside *in = arena_alloc(scratch, sizeof *in);
	const axis *axes = t->axes;
	int naxes = t->naxes;
	bool unchecked = t->unchecked;
	const bool failed_before = failed(&fn->ctx->base);

	if (!in) return false;
	if (fn->ctx->trace && fn->ctx->trace->depth == MAX_DEPTH)
		return fail(&fn->ctx->base, where, TSR_ERROR_UNSUPPORTED,
		            "traces are nested %d deep: does a body call its own fn?", MAX_DEPTH);
	if (fn->kind == FN_SHARD_MAP) {
		if (!map_scope_find(fn, where, scratch, &in->scope)) return false;
		axes = in->scope.axes;
		naxes = in->scope.naxes;
		unchecked = fn->unchecked;
	}
	in->trace = trace_begin(fn->ctx, fn->name, axes, naxes, unchecked);
	if (in->trace && fn->kind == FN_SHARD_MAP)
		in->trace->lift_varying |= map_lift_varying(fn, &in->scope);
	tsr_scope *scope = in->trace ? scope_open(&fn->ctx->handles, false) : NULL;
	const bool ok = scope && run_body(fn, where, scratch, args, capture, in, t);
	if (in->trace && in->trace->build) trace_end(in->trace, NULL, 0);
	scope_close(scope);
	counted_release(in->trace);
	fn->traced++;
	if (!ok && !failed_before)
		fail_note(&fn->ctx->base, "while tracing %s, called at %s", fn->name,
		          where ? base_name(where) : "an unknown place");
	return ok;
}

void traced_free(base *bs, void *entry)
{
	traced *t = entry;

	(void)bs;
	if (!t) return;
	for (size_t i = 0; i < t->nlifted; i++) handle_drop(&t->lifted[i]);
	program_release(t->alone);
	program_release(t->program);
	arena_free(t->arena);
}

void traced_done(tsr_fn *fn, traced *t)
{
	if (!t->cacheable) traced_free(&fn->ctx->base, t);
}

/* ---- operands and the cache */

static bool read_captures(const tsr_fn *fn, const char *where, arena *scratch, tsr ***out)
{
	tsr *poison;

	*out = arena_array(scratch, fn->captures.count + 1, sizeof **out);
	if (!*out) return false;
	for (size_t i = 0; i < fn->captures.count; i++) {
		tsr *h = (*out)[i] = fn->captures.leaf[i];
		if (h && operands_check(where, "a capture", &h, 1, &poison) != fn->ctx)
			return false;
	}
	return true;
}

static bool list_operands(const tsr_fn *fn, arena *scratch, const leaves *args, tsr *const *capture,
                          const traced *t, tsr ***out, int *n)
{
	tsr **x = *out = arena_array(scratch, (size_t)args->n + fn->captures.count + t->nlifted + 1,
	                             sizeof *x);

	*n = 0;
	if (!x) return false;
	for (int i = 0; i < args->n; i++)
		if (args->leaf[i].handle) x[(*n)++] = args->leaf[i].handle;
	for (size_t i = 0; i < fn->captures.count; i++)
		if (capture[i]) x[(*n)++] = capture[i];
	for (size_t i = 0; i < t->nlifted; i++) x[(*n)++] = t->lifted[i];
	return true;
}

static bool use_text(const tsr_fn *fn, const char *where, const leaves *args, traced *t)
{
	const program *p = fn->text;
	int *out = arena_array(t->arena, (size_t)p->nout + 1, sizeof *out),
	    *ones = arena_array(t->arena, (size_t)p->nout + 1, sizeof *ones);

	if (!out || !ones) return false;
	if (p->naxes)
		return fail(&fn->ctx->base, where, TSR_ERROR_TEXT,
		            "%s is a per-device program (it has axes): it cannot be called",
		            fn->name);
	if (args->n != p->nin)
		return fail(&fn->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "%s takes %d argument%s, got %d", fn->name, p->nin,
		            p->nin == 1 ? "" : "s", args->n);
	for (int i = 0; i < p->nin; i++) {
		if (t->types[i] == type_of(p, p->in[i])) continue;
		str want = {.base = &fn->ctx->base}, got = {.base = &fn->ctx->base};
		type_text(&want, type_of(p, p->in[i]), NULL, 0);
		if (t->types[i]) type_text(&got, t->types[i], NULL, 0);
		fail(&fn->ctx->base, where, TSR_ERROR_TYPE, "%s: args[%d] must be %s, got %s",
		     fn->name, i, want.s ? want.s : "?", got.s ? got.s : "nothing");
		str_free(&want);
		str_free(&got);
		return false;
	}
	for (int i = 0; i < p->nout; i++) out[i] = i, ones[i] = 1;
	program_retain(p);
	t->program = p;
	t->out = out;
	t->nout = p->nout;
	t->shape = (result_shape){p->nout, ones};
	t->cacheable = true;
	return true;
}

traced *trace_fn(tsr_fn *fn, const char *where, arena *scratch, const leaves *args, tsr ***operand,
                 int *noperands)
{
	arena *a = arena_make(&fn->ctx->base);
	traced *t = a ? arena_alloc(a, sizeof *t) : NULL;
	tsr **capture;

	if (!t) {
		arena_free(a);
		return NULL;
	}
	t->arena = a;
	bool ok = read_captures(fn, where, scratch, &capture) && key_make(fn, a, args, capture, t);
	traced *known = ok ? table_find(&fn->traces, t->hash, same_key, t) : NULL;
	if (known) {
		traced_free(&fn->ctx->base, t);
		return list_operands(fn, scratch, args, capture, known, operand, noperands) ? known
		                                                                            : NULL;
	}
	ok = ok &&
	     (fn->kind == FN_TEXT ? use_text(fn, where, args, t)
	                          : trace_body(fn, where, scratch, args, capture, t)) &&
	     list_operands(fn, scratch, args, capture, t, operand, noperands) &&
	     (!t->cacheable || table_add(&fn->traces, t->hash, t));
	if (ok) return t;
	traced_free(&fn->ctx->base, t);
	return NULL;
}

/* ---- the call */

const program *traced_program(tsr_fn *fn, const char *where, traced *t, tsr *const *x, int n)
{
	if (!t->map) return t->program;
	if (t->alone) return t->alone;
	build *b = build_begin(&fn->ctx->ir, fn->name, NULL, 0);
	var *io = b ? arena_array(build_arena(b), (size_t)n + (size_t)t->map->out.n + 1, sizeof *io)
	            : NULL;
	bool ok = io;
	for (int i = 0; ok && i < n; i++)
		ok = (io[i] = build_input(b, trace_type(fn->ctx, x[i]))).id;
	if (ok && build_eqn(b, &tsr__prim_shard_map, t->map, io, n, io + n, where))
		return t->alone = build_end(b, io + n, t->map->out.n);
	build_abandon(b);
	return NULL;
}

static bool run_operands(tsr_fn *fn, const char *where, arena *scratch, traced *t, tsr *const *x,
                         int n, tsr **out, int nout)
{
	array **in = arena_array(scratch, (size_t)n + (size_t)nout + 1, sizeof *in),
	      **results = in ? in + n : NULL;
	const program *p = in ? traced_program(fn, where, t, x, n) : NULL;
	const bool failed_before = failed(&fn->ctx->base);

	if (!p) return false;
	for (int i = 0; i < n; i++) in[i] = handle_slot_of(x[i])->payload;
	if (!run_program(fn->ctx, where, p, in, results)) {
		if (!failed_before)
			fail_note(&fn->ctx->base, "while running %s, called at %s", fn->name,
			          where ? base_name(where) : "an unknown place");
		return false;
	}
	for (int i = 0; i < nout; i++) out[i] = handle_of_array(fn->ctx, results[i]);
	return true;
}

static bool call_traced(tsr_fn *fn, const char *where, arena *scratch, traced *t, tsr *const *x,
                        int n, tsr **out)
{
	const int nout = t->map ? t->map->out.n : t->program->nout;
	tsr **result = arena_array(scratch, (size_t)nout + 1, sizeof *result);

	if (!result) return false;
	const bool ok = !in_trace(fn->ctx) ? run_operands(fn, where, scratch, t, x, n, result, nout)
	                : t->map ? bind_all(fn->ctx, where, &tsr__prim_shard_map, t->map, x, n,
	                                    result, nout)
	                         : bind_all(fn->ctx, where, &tsr__prim_call,
	                                    &(call_params){t->program}, x, n, result, nout);
	for (int i = 0; ok && i < t->nout; i++) out[i] = t->out[i] < 0 ? NULL : result[t->out[i]];
	return ok;
}

bool call_fn(tsr_fn *fn, const char *where, const tsr_arg *arg, size_t n, arena *scratch,
             tsr ***out, int *nout, result_shape *shape)
{
	leaves args;
	tsr **x;
	int nx;

	fn->calls++;
	if (fn->poison || !leaves_read(fn->ctx, scratch, where, fn->name, arg, n, &args))
		return false;
	traced *t = trace_fn(fn, where, scratch, &args, &x, &nx);
	if (!t) return false;
	int *count = arena_copy(scratch, t->shape.count, (size_t)t->shape.n * sizeof *count);
	*out = arena_array(scratch, (size_t)t->nout + 1, sizeof **out);
	*nout = t->nout;
	*shape = (result_shape){t->shape.n, count};
	const bool ok = *out && count && call_traced(fn, where, scratch, t, x, nx, *out);
	traced_done(fn, t);
	return ok;
}
