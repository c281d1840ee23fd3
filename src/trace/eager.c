/* eager.c - an operation outside a trace: a program of one equation, made once for its primitive,
 * parameters and operand types.
 *
 * A loop or a branch is such an operation, too, with programs inside. Its program is made at each
 * call, of the bodies that were just traced: an error in them names their lines, and the bodies of
 * two calls may be equal but for these. What was compiled is found all the same
 * (runtime/compile.c). */
#include "trace/trace.h"

typedef struct eager_entry {
	cached cached;
	uint64_t hash;
	const tsr_prim *prim;
	const void *params;
	int n;
	const type **types;
	program *program;
	arena *arena;
} eager_entry;

static bool same_operation(const void *entry, const void *key)
{
	const eager_entry *op = entry, *want = key;

	return op->prim == want->prim && op->n == want->n &&
	       memcmp(op->types, want->types, (size_t)op->n * sizeof *op->types) == 0 &&
	       (!op->prim->params || params_same(op->prim->params, op->params, want->params));
}

static uint64_t operation_hash(const eager_entry *op)
{
	const uint64_t h = hash_bytes(op->types, (size_t)op->n * sizeof *op->types,
	                              (uint64_t)(uintptr_t)op->prim);

	return op->prim->params ? hash_u64(params_hash(op->prim->params, op->params), h) : h;
}

static program *one_equation(const call_site *site, const eager_entry *op)
{
	build *b = build_begin(&site->ctx->ir, op->prim->name, NULL, 0);

	if (!b) return NULL;
	const int nout = prim_nout(op->prim, op->params, op->n);
	var *io = arena_array(build_arena(b), (size_t)op->n + (size_t)nout + 1, sizeof *io);
	bool ok = io;
	for (int i = 0; ok && i < op->n; i++) ok = (io[i] = build_input(b, op->types[i])).id;
	if (ok && build_eqn(b, op->prim, op->params, io, op->n, io + op->n, site->where))
		return build_end(b, io + op->n, nout);
	build_abandon(b);
	return NULL;
}

static void entry_free(eager_entry *op)
{
	program_release(op->program);
	arena_free(op->arena);
}

static void entry_evict(tsr_ctx *ctx, cached *entry)
{
	eager_entry *op = (eager_entry *)entry;

	cached_forget(ctx, entry);
	table_remove(&ctx->eager, op->hash, op);
	entry_free(op);
}

/* pinned */
static eager_entry *entry_make(const call_site *site, const eager_entry *key, uint64_t hash)
{
	arena *a = arena_make(&site->ctx->base);
	eager_entry *op = a ? arena_alloc(a, sizeof *op) : NULL;

	if (!op) {
		arena_free(a);
		return NULL;
	}
	*op = *key;
	op->arena = a;
	op->hash = hash;
	op->types = arena_copy(a, key->types, (size_t)key->n * sizeof *key->types);
	op->params =
		key->prim->params ? params_copy(a, key->prim->params, key->params, NULL) : NULL;
	if (op->types && (op->params || !key->prim->params) &&
	    (op->program = one_equation(site, key)) && table_add(&site->ctx->eager, hash, op)) {
		cache_add(site->ctx, &op->cached, arena_bytes(a), entry_evict);
		return op;
	}
	entry_free(op);
	return NULL;
}

static bool run_cached(const operation *o, const eager_entry *key, array *const *x, array **out)
{
	const uint64_t hash = operation_hash(key);
	eager_entry *op = table_find(&o->site->ctx->eager, hash, same_operation, key);

	if (op)
		cached_pin(&o->site->ctx->cache, &op->cached);
	else
		op = entry_make(o->site, key, hash);
	if (!op) return false;
	const bool ok = run_program(o->site->ctx, o->site->where, op->program, x, NULL, out);
	cached_unpin(&op->cached);
	return ok;
}

static bool run_once(const operation *o, const eager_entry *key, array *const *x, array **out)
{
	program *p = one_equation(o->site, key);
	const bool ok = p && run_program(o->site->ctx, o->site->where, p, x, NULL, out);

	program_release(p);
	return ok;
}

static bool run_arrays(const operation *o, array *const *x, array **out)
{
	const type *small[16], **types = small;

	if (o->n > (int)ARRAY_LEN(small) &&
	    !(types = mem_array(&o->site->ctx->base, (size_t)o->n, sizeof *types)))
		return false;
	for (int i = 0; i < o->n; i++) types[i] = x[i]->type;
	const eager_entry key = {.prim = o->prim, .params = o->params, .n = o->n, .types = types};
	const bool ok = (o->prim->edges ? run_once : run_cached)(o, &key, x, out);
	if (types != small) mem_free(&o->site->ctx->base, types);
	return ok;
}

bool eager_run(const operation *o, tsr **out, int nout)
{
	array *small[16], **room = small;
	const size_t need = (size_t)o->n + (size_t)nout;

	if (need > ARRAY_LEN(small) && !(room = mem_array(&o->site->ctx->base, need, sizeof *room)))
		return false;
	for (int i = 0; i < o->n; i++) room[i] = handle_slot_of(o->x[i])->payload;
	const bool ok = run_arrays(o, room, room + o->n);
	for (int j = 0; ok && j < nout; j++) out[j] = handle_of_array(o->site->ctx, room[o->n + j]);
	if (room != small) mem_free(&o->site->ctx->base, room);
	return ok;
}
