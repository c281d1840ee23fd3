/* call.c - calls a fn: it traces the body, caches that by all that the body can see, and then
 * records an equation in the enclosing trace or runs it.
 *
 * Example:
 *
 *     static tsr *layer(tsr *x) { return tsr_tanh(x); }
 *     static tsr *net(tsr *x)
 *     {
 *             tsr_fn *f = tsr_jit(x, layer);
 *             return tsr_call(f, tsr_call(f, x));
 *     }
 *
 * layer runs once: the second call finds what was traced for f32[4], and both equations have the
 * same program, which later passes transform once:
 *
 *     net(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = call %0 program=layer(%0: f32[4]) -> f32[4] { .. }
 *       %2: f32[4] = call %1 program=layer(%0: f32[4]) -> f32[4] { .. }
 *       return %2
 *     } */
#include "trace/trace.h"

/* ---- the key of a tracing */

static bool same_key(const void *entry, const void *key)
{
	const traced_key *a = &((const traced *)entry)->key, *b = key;

	if (a->ntypes != b->ntypes || a->nargs != b->nargs || a->naxes != b->naxes ||
	    a->unchecked != b->unchecked || a->lift_varying != b->lift_varying ||
	    a->mesh != b->mesh)
		return false;
	for (int i = 0; i < a->ntypes; i++)
		if (a->types[i] != b->types[i]) return false;
	for (int i = 0; i < a->nargs; i++)
		if (a->counts[i] != b->counts[i] || !tree_type_same(a->trees[i], b->trees[i]))
			return false;
	for (int i = 0; i < a->naxes; i++) {
		const axis *x = &a->axes[i], *y = &b->axes[i];
		if (!axes_same(x, 1, y, 1) || x->mesh != y->mesh || strcmp(x->name, y->name) != 0)
			return false;
	}
	return true;
}

static uint64_t key_hash(const traced_key *k)
{
	uint64_t h = hash_bytes(k->types, (size_t)k->ntypes * sizeof *k->types, (uint64_t)k->nargs);

	h = hash_bytes(k->counts, (size_t)k->nargs * sizeof *k->counts, h);
	for (int i = 0; i < k->nargs; i++)
		if (k->trees[i]) h = hash_str(k->trees[i]->fields, h);
	for (int i = 0; i < k->naxes; i++)
		h = hash_str(k->axes[i].name, hash_u64((uint64_t)k->axes[i].size, h));
	h = hash_u64((uint64_t)(uintptr_t)k->mesh, h);
	return hash_u64(k->unchecked, hash_u64(k->lift_varying, h));
}

/* In an unchecked map a derivative, also one that rules say, is with respect to the variable of
 * each device by itself. Its argument therefore varies over the axes of the map, even if its type
 * says that all devices have the same value */
static const type *argument_type(const fn *fn, const leaves *args, int i, axis_set lift)
{
	const type *t = args->types ? args->types[i] : trace_type(fn->ctx, args->leaf[i].handle);

	return t && fn->kind >= FN_CUSTOM_JVP ? type_vary(&fn->ctx->ir, t, t->varying | lift) : t;
}

/* what a body can see of where its fn is called */
static void key_surroundings(const tsr_ctx *ctx, traced_key *k)
{
	const trace *t = ctx->trace;

	k->mesh = ctx->in_use.mesh;
	if (!t) return;
	k->axes = build_axes(t->build, &k->naxes);
	k->unchecked = t->unchecked;
	k->lift_varying = t->lift_varying;
}

static bool key_make(const fn_call *c, traced_key *k)
{
	const fn *fn = c->fn;
	const leaves *args = &c->args;
	arena *a = c->scratch;
	const int ncaptures = (int)fn->captures.count;
	int *counts = arena_array(a, (size_t)args->nargs + 1, sizeof *counts);

	*k = (traced_key){.ntypes = args->n + ncaptures, .nargs = args->nargs, .counts = counts};
	key_surroundings(fn->ctx, k);
	const size_t ntypes = (size_t)k->ntypes + 1; /* one piece of memory for both lists */
	void *room = arena_array(a, ntypes + (size_t)args->nargs + 1, sizeof(void *));
	if (!room || !counts) return false;
	k->types = room;
	k->trees = (const tsr_tree_type **)room + ntypes;
	for (int i = 0; i < args->n; i++)
		if (args->leaf[i].handle &&
		    !(k->types[i] = argument_type(fn, args, i, k->lift_varying)))
			return false;
	for (int i = 0; i < ncaptures; i++)
		if (c->capture[i] &&
		    !(k->types[args->n + i] = trace_type(fn->ctx, c->capture[i])))
			return false;
	for (int i = 0; i < args->nargs; i++) {
		const tsr_arg *arg = &args->arg[i];
		counts[i] = arg->kind == TSR_KIND_TREE ? (int)arg->as.tree.count : -1;
		if (arg->kind == TSR_KIND_TREE) k->trees[i] = arg->as.tree.type;
	}
	return true;
}

/* the arena keeps all that a key points to. false: no memory */
static bool key_copy(arena *a, traced_key *to, const traced_key *from)
{
	axis *axes = arena_copy(a, from->axes, (size_t)from->naxes * sizeof *axes);

	*to = *from;
	to->axes = axes;
	to->types = arena_copy(a, from->types, (size_t)from->ntypes * sizeof *from->types);
	to->counts = arena_copy(a, from->counts, (size_t)from->nargs * sizeof *from->counts);
	to->trees = arena_copy(a, from->trees, (size_t)from->nargs * sizeof *from->trees);
	bool ok = axes && to->types && to->counts && to->trees;
	for (int i = 0; ok && i < to->nargs; i++)
		ok = !to->trees[i] || (to->trees[i] = tree_type_keep(a, to->trees[i]));
	for (int i = 0; ok && i < to->naxes; i++)
		ok = (axes[i].name = arena_str(a, axes[i].name)) &&
		     (!axes[i].over || (axes[i].over = arena_str(a, axes[i].over)));
	return ok;
}

/* a tracing with a copy of this key */
static traced *traced_make(fn *fn, const traced_key *key)
{
	arena *a = arena_make(&fn->ctx->base);
	traced *t = a ? arena_alloc(a, sizeof *t) : NULL;

	if (!t || !key_copy(a, &t->key, key)) {
		arena_free(a);
		return NULL;
	}
	t->fn = fn;
	t->arena = a;
	return t;
}

void traced_free(traced *t)
{
	if (!t) return;
	for (size_t i = 0; i < t->nlifted; i++) handle_drop(&t->lifted[i]);
	program_release(t->alone);
	program_release(t->program);
	if (!t->fn->ctx->cache.closed) fn_unhold(t->linear);
	arena_free(t->arena);
}

static void traced_evict(tsr_ctx *ctx, cached *entry)
{
	traced *t = (traced *)entry;

	cached_forget(ctx, entry);
	table_remove(&t->fn->traces, t->key.hash, t);
	if (t->fn->latest == t) t->fn->latest = NULL;
	traced_free(t);
}

/* puts a new tracing into the cache, pinned */
static bool traced_keep(traced *t)
{
	fn *f = t->fn;

	if (!table_add(&f->traces, t->key.hash, t)) return false;
	cache_add(f->ctx, &t->cached, arena_bytes(t->arena), traced_evict);
	cached_count(f->ctx, &f->cached, arena_bytes(f->arena) + mem_bytes(f->traces.slot));
	return true;
}

void traced_done(traced *t)
{
	fn *f = t->fn;

	if (t->cacheable)
		cached_unpin(&t->cached);
	else
		traced_free(t);
	fn_unhold(f);
}

/* ---- operands and the cache */

static bool read_captures(fn_call *c)
{
	const tsr_tree *captures = &c->fn->captures;
	call_site site = {.where = c->where, .op = "a capture"};

	if (!captures->count) return true;
	c->capture = arena_array(c->scratch, captures->count, sizeof *c->capture);
	if (!c->capture) return false;
	for (size_t i = 0; i < captures->count; i++) {
		tsr *h = c->capture[i] = captures->leaf[i];
		if (h && operands_check(&site, &h, 1) != c->fn->ctx) return false;
	}
	return true;
}

static bool list_operands(fn_call *c, const traced *t)
{
	const size_t ncaptures = c->fn->captures.count;

	c->n = 0;
	c->x = arena_array(c->scratch, (size_t)c->args.n + ncaptures + t->nlifted + 1,
	                   sizeof *c->x);
	if (!c->x) return false;
	for (int i = 0; i < c->args.n; i++)
		if (c->args.leaf[i].handle) c->x[c->n++] = c->args.leaf[i].handle;
	for (size_t i = 0; i < ncaptures; i++)
		if (c->capture[i]) c->x[c->n++] = c->capture[i];
	for (size_t i = 0; i < t->nlifted; i++) c->x[c->n++] = t->lifted[i];
	return true;
}

/* ---- the tracing */

/* the program of a call, by the kind of its fn */
static bool make_by_kind(const tracing *g, traced *t)
{
	switch (g->fn->kind) {
	case FN_JIT:
	case FN_SHARD_MAP: return trace_body(g, t);
	case FN_TEXT: return use_text(g, t);
	case FN_REMAT: return trace_remat(g, t);
	case FN_CUSTOM_JVP:
	case FN_CUSTOM_VJP: return trace_custom(g, t);
	default: break;
	}
	if (!(g->fn->kind == FN_VMAP   ? trace_vmap(g, t)
	      : g->fn->kind == FN_PMAP ? trace_pmap(g, t)
	                               : trace_derived(g, t)))
		return false;
	debug_print(t->program, "transform");
	return true;
}

/* if it can be made, it holds its fn. The body may be left, and then the arena gives that back */
static bool make_traced(const fn_call *c, traced *t)
{
	arena *scratch = call_arena(c->fn->ctx);
	const traced_key *k = &t->key;
	const tracing g = {c->fn,      c->where, scratch, &c->args, k->types, k->types + c->args.n,
	                   c->capture, k->axes,  k->naxes};
	base *bs = &c->fn->ctx->base;
	const double begin = profile_start(bs);
	const bool ok = scratch && fn_hold_in(scratch, c->fn) && make_by_kind(&g, t);

	profile_done(bs, "trace", c->fn->name, c->where, begin);
	if (ok) fn_hold(c->fn);
	call_arena_free(c->fn->ctx, scratch);
	return ok;
}

/* what TSR_DEBUG=r asks for: a body that gives another program the second time is not pure */
static bool traces_again(const fn_call *c, traced *t, const traced *known)
{
	base *bs = &c->fn->ctx->base;
	str difference = {.base = bs};

	if (!make_traced(c, t)) return false;
	fn_unhold(c->fn); /* the known one holds it */
	const bool same = debug_same(known->program, t->program, &difference);
	if (!same)
		fail(bs, c->where, TSR_ERROR_ARGUMENT,
		     "%s is not pure: traced again for arguments of the same types it gave "
		     "another program: %s. A body may read its arguments, .env and .captures",
		     c->fn->name, difference.s ? difference.s : "its literals differ");
	str_free(&difference);
	return same;
}

/* the tracing with this key, or NULL. Most calls are like the one before, which is tried first */
static traced *find_traced(fn *fn, traced_key *key)
{
	if (fn->latest && same_key(fn->latest, key)) return fn->latest;
	key->hash = key_hash(key);
	return fn->latest = table_find(&fn->traces, key->hash, same_key, key);
}

/* checks a tracing from the cache by tracing again, if TSR_DEBUG=r asks for that */
static bool check_known(const fn_call *c, const traced_key *key, const traced *known)
{
	fn *fn = c->fn;

	if (!debugs(&fn->ctx->ir, 'r') || fn->kind == FN_TEXT) return true;
	traced *again = traced_make(fn, key);
	const bool same = again && traces_again(c, again, known);
	traced_free(again);
	return same;
}

/* has the body ended nothing that its own call was given, by tsr_drop(), say? false: recorded */
static bool operands_stand(const fn_call *c)
{
	for (int i = 0; i < c->n; i++)
		if (!handle_live(c->x[i]))
			return fail(&c->fn->ctx->base, c->where, TSR_ERROR_HANDLE,
			            "the body of %s dropped operand %d of the call that traced it",
			            c->fn->name, i);
	return true;
}

/* from the cache if it can be; NULL: recorded */
static traced *get_traced(fn_call *c)
{
	fn *fn = c->fn;
	traced_key key;

	if (!read_captures(c) || !key_make(c, &key)) return NULL;
	traced *t = find_traced(fn, &key);
	if (t) {
		fn->hits++;
		fn_hold(fn);
		cached_pin(&fn->ctx->cache, &t->cached);
		if (check_known(c, &key, t) && list_operands(c, t)) return t;
		traced_done(t);
		return NULL;
	}
	t = traced_make(fn, &key);
	const bool made = t && make_traced(c, t);
	if (made && list_operands(c, t) && operands_stand(c) && (!t->cacheable || traced_keep(t)))
		return t;
	traced_free(t);
	if (made) fn_unhold(fn);
	return NULL;
}

traced *trace_fn(fn_call *c)
{
	trace *around = c->fn->ctx->trace;

	if (!around) return get_traced(c);
	traced *t = get_traced(c);
	if (!t || nest_note(around, c->where, &t->pmaps)) return t;
	traced_done(t);
	return NULL;
}

int shape_group(const result_shape *shape, int i, int *index)
{
	int g = 0;

	while (i >= shape->count[g]) i -= shape->count[g++];
	*index = i;
	return g;
}

/* ---- the call */

const program *traced_program(const fn_call *c, traced *t)
{
	fn *fn = c->fn;
	const int n = c->n;

	if (!t->map) return t->program;
	if (t->alone) return t->alone;
	build *b = build_begin(&fn->ctx->ir, fn->name, t->key.axes, t->key.naxes);
	var *io = b ? arena_array(build_arena(b), (size_t)n + (size_t)t->map->out.n + 1, sizeof *io)
	            : NULL;
	bool ok = io;
	for (int i = 0; ok && i < n; i++)
		ok = (io[i] = build_input(b, trace_type(fn->ctx, c->x[i]))).id;
	if (ok && build_eqn(b, &tsr__prim_shard_map, t->map, io, n, io + n, c->where))
		return t->alone = build_end(b, io + n, t->map->out.n);
	build_abandon(b);
	return NULL;
}

/* the name of operand number `at`; names: the fn_call */
static void put_operand_name(str *s, const void *names, int at)
{
	const fn_call *c = names;
	const tsr_tree *captures = &c->fn->captures;

	for (int i = 0; i < c->args.n; i++)
		if (c->args.leaf[i].handle && at-- == 0) {
			leaf_text(s, &c->args, i);
			return;
		}
	for (size_t i = 0; i < captures->count; i++)
		if (captures->leaf[i] && at-- == 0) {
			str_printf(s, ".captures slot %zu", i);
			if (captures->type) str_put(s, ", .captures");
			if (captures->type) tree_leaf_text(s, captures->type, i);
			return;
		}
	str_printf(s, "value %d that the body takes from outside", at);
}

/* What has the caller's memory as its place is made right there if its type will not change any
 * more (as_default), and once if there are several places for it. false: recorded */
static bool aim_results(const fn_call *c, const traced *t, const program *p, const places *to,
                        run_options *o)
{
	const call_site site = {c->fn->ctx, c->where, c->fn->name};

	if (!to || !to->memory) return true;
	const type **types = arena_array(c->scratch, (size_t)t->nout + 1, sizeof *types);
	const caller_memory **into = arena_array(c->scratch, (size_t)p->nout, sizeof *into);
	if (!types || !into) return false;
	for (int i = 0; i < t->nout; i++) {
		const type *made = t->out[i] < 0 ? NULL : type_of(p, p->out[t->out[i]]);
		if (!made) continue;
		const etype usual = etype_default(&site.ctx->base, etype_of(made));
		types[i] = type_as(&site.ctx->ir, made, usual);
		if (!types[i]) return false;
		if (types[i] == made && !into[t->out[i]])
			into[t->out[i]] = places_memory(to, i);
	}
	o->into = into;
	o->room = arena_array(c->scratch, (size_t)p->nout, sizeof *o->room);
	return o->room && places_typed(&site, to, types);
}

/* a tsr_pmap, or what was made of one without tsr_jit */
static bool is_pmap(const fn *f)
{
	while (f && f->kind != FN_PMAP && f->kind != FN_JIT && f->kind != FN_SHARD_MAP)
		f = f->body.fn;
	return f && f->kind == FN_PMAP;
}

/* The mesh whose devices take arguments from wherever they are: that of a tsr_pmap, which the user
 * has not made. NULL: there is none */
static const mesh *mesh_taking(const fn_call *c, const program *p)
{
	for (int i = 0; is_pmap(c->fn) && i < p->neqns; i++)
		if (p->eqns[i].prim == &tsr__prim_shard_map)
			return ((const shard_map_params *)p->eqns[i].params)->mesh;
	return NULL;
}

static bool run_operands(const fn_call *c, traced *t, const places *to, tsr **out, int nout)
{
	fn *fn = c->fn;
	const int n = c->n;
	run_options options = {.put_name = put_operand_name, .names = c};
	array **in = arena_array(c->scratch, (size_t)n + (size_t)nout + 1, sizeof *in),
	      **made = in ? in + n : NULL;
	const program *p = in ? traced_program(c, t) : NULL;
	const bool failed_before = failed(&fn->ctx->base);

	if (!p || !aim_results(c, t, p, to, &options)) return false;
	options.over = mesh_taking(c, p);
	for (int i = 0; i < n; i++) in[i] = handle_slot_of(c->x[i])->payload;
	bool ok = pins_met(c, in) && donate_operands(c, in, &options) &&
	          run_program(fn->ctx, c->where, p, in, &options, made);
	fn->compiles += options.compiled;
	if (ok && !(ok = pin_arrays(c, t, made)))
		for (int i = 0; i < nout; i++) array_release(made[i]);
	if (!ok) {
		if (!failed_before)
			fail_note(&fn->ctx->base, "while running %s, called at %s", fn->name,
			          c->where ? base_name(c->where) : "an unknown place");
		return false;
	}
	for (int i = 0; i < nout; i++) out[i] = handle_of_array(fn->ctx, made[i]);
	return true;
}

/* Inside an unchecked map, captures and lifted values vary over more axes in the body than where
 * they come from */
static bool vary_operands(fn_call *c, const program *p)
{
	const call_site site = {c->fn->ctx, c->where, c->fn->name};
	int outer;

	trace_axes(site.ctx, &outer);
	for (int i = 0; in_trace(site.ctx) && i < c->n; i++) {
		const axis_set varying = type_of(p, p->in[i])->varying & axes_below(outer);
		if (handle_is_poison(c->x[i] = vary(&site, c->x[i], varying))) return false;
	}
	return true;
}

static bool call_traced(fn_call *c, traced *t, const places *to, tsr **out)
{
	const call_site site = {c->fn->ctx, c->where, c->fn->name};
	const int nout = t->map ? t->map->out.n : t->program->nout;
	tsr **result = arena_array(c->scratch, (size_t)nout + 1, sizeof *result);

	if (!result || !vary_operands(c, t->program)) return false;
	const operation call =
		t->map ? (operation){&site, &tsr__prim_shard_map, t->map, c->x, c->n}
		: t->prim ? (operation){&site, t->prim, t->params, c->x, c->n}
			  : (operation){&site, &tsr__prim_call, &(call_params){t->program}, c->x,
	                                c->n};
	const bool ok = in_trace(site.ctx) ? bind_all(&call, result, nout)
	                                   : run_operands(c, t, to, result, nout);
	const int nresiduals = t->linear ? t->shape.count[t->shape.n - 1] : 0;
	for (int i = 0; ok && i < t->nout; i++) {
		out[i] = t->out[i] < 0 ? NULL : result[t->out[i]];
		if (out[i] && i < t->nout - nresiduals) out[i] = as_default(&site, out[i]);
	}
	return ok;
}

/* the last group of a derivative at a point is its residuals, which go to no place */
static bool check_places(const call_site *s, arena *scratch, const traced *t, places *to)
{
	const result_shape given = {t->shape.n - (t->linear != NULL), t->shape.count};

	return !to || places_fit(s, scratch, to, &given);
}

bool call_fn(fn *fn, const char *where, const tsr_arg *arg, size_t n, arena *scratch, places *to,
             results *out, tsr_fn **linear)
{
	const call_site site = {fn->ctx, where, fn->name};
	fn_call c = {.fn = fn, .where = where, .scratch = scratch};

	fn->calls++;
	if (!leaves_read(&site, scratch, arg, n, &c.args)) return false;
	traced *t = trace_fn(&c);
	if (!t) return false;
	int *count = arena_copy(scratch, t->shape.count, (size_t)t->shape.n * sizeof *count);
	*out = (results){arena_array(scratch, (size_t)t->nout + 1, sizeof *out->leaf),
	                 t->nout,
	                 {t->shape.n, count}};
	const bool ok = out->leaf && count && check_places(&site, scratch, t, to) &&
	                call_traced(&c, t, to, out->leaf);
	if (ok && linear) *linear = fn_give(fn->ctx, fn_hold(t->linear));
	traced_done(t);
	return ok;
}
