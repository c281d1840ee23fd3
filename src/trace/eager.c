/* eager.c - runs an operation outside a trace as a program, made once for the operation and the
 * types of its operands. That of a primitive has one equation; apply.c makes that of a public
 * function.
 *
 * Example, operations on f32 arrays of so many elements:
 *
 *     neg 4
 *     neg 4
 *     neg 5
 *     cos 4
 *
 * So many programs there are after each of them:
 *
 *     1 1 2 3
 *
 * A loop or a branch is such an operation, too, with programs inside. Its program is made at each
 * call, of the bodies that were just traced: an error in them names their lines, and the bodies of
 * two calls may be equal but for these. What was compiled is found all the same
 * (runtime/executables.c). */
#include "trace/trace.h"

static bool same_operation(const void *entry, const void *key)
{
	const eager_key *known = &((const eager_entry *)entry)->key, *want = key;

	if (known->what != want->what || known->n != want->n || known->nbytes != want->nbytes ||
	    memcmp(known->types, want->types, (size_t)known->n * sizeof *known->types) != 0)
		return false;
	if (known->fields) return params_same(known->fields, known->params, want->params);
	return !known->nbytes || !memcmp(known->params, want->params, known->nbytes);
}

static uint64_t operation_hash(const eager_key *key)
{
	const uint64_t h = hash_bytes(key->types, (size_t)key->n * sizeof *key->types,
	                              (uint64_t)(uintptr_t)key->what);

	return key->fields   ? hash_u64(params_hash(key->fields, key->params), h)
	       : key->nbytes ? hash_bytes(key->params, key->nbytes, h)
			     : h;
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

eager_entry *eager_find(tsr_ctx *ctx, eager_key *key)
{
	key->hash = operation_hash(key);
	eager_entry *op = table_find(&ctx->eager, key->hash, same_operation, key);

	if (op) cached_pin(&ctx->cache, &op->cached);
	return op;
}

eager_entry *eager_keep(tsr_ctx *ctx, const eager_key *key, program *p, const int *out, int nout)
{
	arena *a = p ? arena_make(&ctx->base) : NULL;
	eager_entry *op = a ? arena_alloc(a, sizeof *op) : NULL;

	if (!op) {
		program_release(p);
		arena_free(a);
		return NULL;
	}
	*op = (eager_entry){
		.key = *key, .hash = key->hash, .program = p, .nout = nout, .arena = a};
	op->key.types = arena_copy(a, key->types, (size_t)key->n * sizeof *key->types);
	op->key.params = key->fields ? params_copy(a, key->fields, key->params, NULL)
	                             : arena_copy(a, key->params, key->nbytes);
	op->out = arena_copy(a, out, (size_t)nout * sizeof *out);
	if (op->key.types && op->key.params && op->out && table_add(&ctx->eager, op->hash, op)) {
		cache_add(ctx, &op->cached, arena_bytes(a), entry_evict);
		return op;
	}
	entry_free(op);
	return NULL;
}

/* ---- of one equation */

static program *one_equation(const operation *o, const type *const *types)
{
	build *b = build_begin(&o->site->ctx->ir, o->prim->name, NULL, 0);

	if (!b) return NULL;
	const int nout = prim_nout(o->prim, o->params, o->n);
	var *io = arena_array(build_arena(b), (size_t)o->n + (size_t)nout + 1, sizeof *io);
	bool ok = io;
	for (int i = 0; ok && i < o->n; i++) ok = (io[i] = build_input(b, types[i])).id;
	if (ok && build_eqn(b, o->prim, o->params, io, o->n, io + o->n, o->site->where))
		return build_end(b, io + o->n, nout);
	build_abandon(b);
	return NULL;
}

static bool run_cached(const operation *o, const type *const *types, array *const *x, array **out)
{
	tsr_ctx *ctx = o->site->ctx;
	eager_key key = {.what = o->prim,
	                 .fields = o->prim->params,
	                 .params = o->params,
	                 .n = o->n,
	                 .types = types};
	eager_entry *op = eager_find(ctx, &key);

	if (!op) op = eager_keep(ctx, &key, one_equation(o, types), NULL, 0);
	if (!op) return false;
	const bool ok = run_program(ctx, o->site->where, op->program, x,
	                            &(run_options){.one_line = true}, out);
	cached_unpin(&op->cached);
	return ok;
}

static bool run_once(const operation *o, const type *const *types, array *const *x, array **out)
{
	program *p = one_equation(o, types);
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
	const bool ok = (o->prim->edges ? run_once : run_cached)(o, types, x, out);
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
