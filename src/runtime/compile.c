/* compile.c - the way of the data: program -> per-device program -> executable -> arrays.
 *
 * The first page to read. What src/trace records comes here as a program on whole arrays; the
 * pipeline turns it into one that every device runs on its own blocks, the engine makes that
 * executable, and running it takes arrays to where the program wants them:
 *
 *     run_program:  choose_device -> compile_program (cache? pipeline -> engine.compile) ->
 * operands to their shardings
 *                   -> engine.run -> arrays */
#include "runtime/runtime.h"

typedef struct key {
	const program *program;
	int64_t device;
} key; /* device: counts for a program without a mesh */

static bool same_program(const void *entry, const void *k)
{
	const compiled *c = entry;
	const key *want = k;

	return (c->placed.mesh || c->one == want->device) && program_same(c->global, want->program);
}

void compiled_free(base *bs, void *entry)
{
	compiled *c = entry;

	if (c->executable) c->engine->type->release(c->executable);
	placed_free(&c->placed);
	program_release(c->global);
	mem_free(bs, c);
}

void forget_executables(tsr_ctx *ctx)
{
	table_free(&ctx->executables, compiled_free);
	table_free(&ctx->eager, ctx->eager_free);
	ctx->executables.base = ctx->eager.base = &ctx->base;
}

/* A program may name several meshes over the same devices in different orders; its devices are in
 * the order of the first one. *at: where these stand in the mesh of s, NULL for the same order. */
static bool order_in(const compiled *c, const sharding *s, const int64_t **at)
{
	int64_t most = 0;

	if (!s || !s->mesh || mesh_same_devices(s->mesh, c->placed.mesh)) return true;
	for (int64_t k = 0; k < c->set.n; k++)
		most = c->set.device[k] > most ? c->set.device[k] : most;
	int64_t *by_id = arena_array(c->placed.arena, (size_t)most + 1, sizeof *by_id);
	int64_t *order = arena_array(c->placed.arena, (size_t)c->set.n, sizeof *order);
	if (!by_id || !order) return false;
	for (int64_t k = 0; k < s->mesh->size; k++) by_id[s->mesh->device[k]] = k;
	for (int64_t k = 0; k < c->set.n; k++) order[k] = by_id[c->set.device[k]];
	*at = order;
	return true;
}

static bool orders_make(compiled *c)
{
	c->in_at = arena_array(c->placed.arena, (size_t)c->global->nin + 1, sizeof *c->in_at);
	c->out_at = arena_array(c->placed.arena, (size_t)c->global->nout + 1, sizeof *c->out_at);
	if (!c->in_at || !c->out_at) return false;
	for (int i = 0; i < c->global->nin; i++)
		if (!order_in(c, c->placed.in[i], &c->in_at[i])) return false;
	for (int i = 0; i < c->global->nout; i++)
		if (!order_in(c, c->placed.out[i], &c->out_at[i])) return false;
	return true;
}

static bool compile_into(tsr_ctx *ctx, const char *where, compiled *c)
{
	if (!pipeline(c->global, where, &c->placed)) return false;
	c->set = c->placed.mesh ? (device_set){c->placed.mesh->size, c->placed.mesh->device}
	                        : (device_set){1, &c->one};
	if (!orders_make(c)) return false;
	c->executable = ctx->engine->type->compile(ctx->engine, c->placed.program, c->set);
	return c->executable != NULL;
}

const compiled *compile_program(tsr_ctx *ctx, const char *where, const program *p, int64_t one,
                                bool *made)
{
	compiled *c = table_find(&ctx->executables, p->hash, same_program, &(key){p, one});

	*made = !c;
	if (c) return c;
	if (!(c = mem_zalloc(&ctx->base, sizeof *c))) return NULL;
	*c = (compiled){.global = p, .one = one, .engine = ctx->engine};
	program_retain(p);
	if (compile_into(ctx, where, c) && table_add(&ctx->executables, p->hash, c)) return c;
	compiled_free(&ctx->base, c);
	return NULL;
}

int64_t count_executables(const tsr_ctx *ctx, const program *p)
{
	int64_t n = 0;

	for (size_t at = 0; at < ctx->executables.cap; at++) {
		const compiled *c = table_at(&ctx->executables, at);
		n += c && program_same(c->global, p);
	}
	return n;
}

/* ---- where a program runs */

static bool program_has_mesh(const program *p)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (e->prim == &tsr__prim_shard_map) return true;
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			if (program_has_mesh(k.program)) return true;
	}
	return false;
}

static bool same_devices(tsr_ctx *ctx, const sharding *a, const sharding *b)
{
	const int64_t n = sharding_ndevices(a);

	if (a == b || (a->mesh && a->mesh == b->mesh)) return true;
	return n == sharding_ndevices(b) &&
	       same_device_set(&ctx->base, sharding_devices(a), sharding_devices(b), n);
}

static void held_by_text(str *s, const sharding *sh)
{
	devices_text(s, sharding_devices(sh), sharding_ndevices(sh));
}

static bool incompatible(tsr_ctx *ctx, const char *where, const program *p, array *const *in, int i,
                         int j)
{
	str t[2] = {{.base = &ctx->base}, {.base = &ctx->base}},
	    d[2] = {{.base = &ctx->base}, {.base = &ctx->base}};
	const int at[2] = {i, j};

	for (int k = 0; k < 2; k++) {
		type_text(&t[k], in[at[k]]->type, NULL, 0);
		held_by_text(&d[k], in[at[k]]->sharding);
	}
	fail(&ctx->base, where, TSR_ERROR_SHARDING,
	     "incompatible devices for %s: operand %d of type %s is on device ids %s and operand "
	     "%d of type %s is on device ids %s; "
	     "put both on the same devices first",
	     p->name ? p->name : "this operation", i, t[0].s ? t[0].s : "?", d[0].s ? d[0].s : "?",
	     j, t[1].s ? t[1].s : "?", d[1].s ? d[1].s : "?");
	for (int k = 0; k < 2; k++) {
		str_free(&t[k]);
		str_free(&d[k]);
	}
	return false;
}

/* all committed operands must be on one set of devices; *first is one of them, or -1 */
static bool check_devices(tsr_ctx *ctx, const char *where, const program *p, array *const *in,
                          int *first)
{
	*first = -1;
	for (int i = 0; i < p->nin; i++) {
		if (!in[i]->committed) continue;
		if (*first < 0)
			*first = i;
		else if (!same_devices(ctx, in[*first]->sharding, in[i]->sharding))
			return incompatible(ctx, where, p, in, *first, i);
	}
	return true;
}

/* UNTIL AUTOMATIC MODE: a program without maps whose operands are on several devices gathers them
 * once, computes on the first of these devices, and leaves the result there uncommitted. With
 * operands on one device it runs on that one. */
static int64_t choose_device(array *const *in, int committed, bool *commit)
{
	*commit = committed >= 0 && sharding_ndevices(in[committed]->sharding) == 1;
	return committed < 0 ? 0 : sharding_device(in[committed]->sharding, 0);
}

static bool check_mesh(tsr_ctx *ctx, const char *where, const compiled *c, const program *p,
                       array *const *in, int committed)
{
	const sharding *all =
		c->placed.mesh ? sharding_replicated_on(&ctx->shards, c->placed.mesh) : NULL;

	if (!c->placed.mesh || committed < 0) return true;
	if (!all) return false;
	if (same_devices(ctx, in[committed]->sharding, all)) return true;
	str a = {.base = &ctx->base}, b = {.base = &ctx->base};
	held_by_text(&a, in[committed]->sharding);
	held_by_text(&b, all);
	fail(&ctx->base, where, TSR_ERROR_SHARDING,
	     "incompatible devices for %s: operand %d is on device ids %s and a shard_map inside "
	     "runs on device ids %s; put the operand "
	     "on the devices of the mesh first",
	     p->name ? p->name : "this program", committed, a.s ? a.s : "?", b.s ? b.s : "?");
	str_free(&a);
	str_free(&b);
	return false;
}

/* ---- run */

static const sharding *sharding_for(tsr_ctx *ctx, const compiled *c, const sharding *given)
{
	if (given) return given;
	return c->placed.mesh ? sharding_replicated_on(&ctx->shards, c->placed.mesh)
	                      : sharding_one(&ctx->shards, NULL, c->one);
}

/* flat gets one reference to each block */
static bool gather_operand(tsr_ctx *ctx, const char *where, const compiled *c, array *in, int i,
                           buffer **flat)
{
	const int64_t n = c->set.n;
	const sharding *want = sharding_for(ctx, c, c->placed.in[i]);
	array *plain = want ? array_contiguous(where, in) : NULL;
	array *held = plain ? array_place(where, plain, want, plain->committed) : NULL;
	bool ok = held;

	for (int64_t k = 0; ok && k < n; k++) {
		buffer *block = held->shard[c->in_at[i] ? c->in_at[i][k] : k];
		flat[i * n + k] = buffer_retain(block);
		if (!block)
			ok = fail(&ctx->base, where, TSR_ERROR_UNSUPPORTED,
			          "running on devices of other processes needs a communicator, and "
			          "this context has none");
	}
	array_release(plain);
	array_release(held);
	return ok;
}

/* What is donated loses its shards here, so that the engine has the last reference. */
static bool gather_operands(tsr_ctx *ctx, const char *where, const compiled *c, array *const *in,
                            const run_options *o, buffer **flat)
{
	const int nin = c->global->nin;
	bool ok = true;

	for (int i = 0; ok && i < nin; i++) ok = gather_operand(ctx, where, c, in[i], i, flat);
	for (int i = 0; ok && o && o->donated && i < nin; i++)
		if (o->donated[i]) ok = array_donate(in[i], o->donated_text);
	for (int64_t i = 0; !ok && i < nin * c->set.n; i++) tsr__buffer_release(flat[i]);
	return ok;
}

static bool make_results(tsr_ctx *ctx, const compiled *c, bool commit, buffer *const *flat,
                         array **out)
{
	const int64_t n = c->set.n;

	for (int i = 0; i < c->global->nout; i++) {
		const sharding *s = sharding_for(ctx, c, c->placed.out[i]);
		out[i] = s ? array_make(ctx, type_of(c->global, c->global->out[i]), s, commit)
		           : NULL;
		if (!out[i]) {
			while (i-- > 0) array_release(out[i]);
			return false;
		}
		for (int64_t k = 0; k < n; k++)
			out[i]->shard[c->out_at[i] ? c->out_at[i][k] : k] =
				buffer_retain(flat[i * n + k]);
	}
	return true;
}

static bool run_compiled(tsr_ctx *ctx, const char *where, const compiled *c, bool commit,
                         array *const *in, const run_options *o, array **out)
{
	const size_t n = (size_t)c->set.n, nin = (size_t)c->global->nin * n,
		     nout = (size_t)c->global->nout * n;
	buffer **flat = mem_array(&ctx->base, nin + nout + 1, sizeof *flat);
	buffer **results = flat ? flat + nin : NULL;

	if (!flat) return false;
	bool ok = gather_operands(ctx, where, c, in, o, flat) &&
	          c->engine->type->run(c->executable, flat, results);
	if (ok) {
		ok = make_results(ctx, c, commit, results, out);
		for (size_t i = 0; i < nout; i++) tsr__buffer_release(results[i]);
	}
	mem_free(&ctx->base, flat);
	return ok;
}

bool run_program(tsr_ctx *ctx, const char *where, const program *p, array *const *in,
                 run_options *o, array **out)
{
	int committed;
	bool commit = true, made = false;
	int64_t one = 0;
	FLOAT_DEFAULT;

	if (!check_devices(ctx, where, p, in, &committed)) return false;
	if (!program_has_mesh(p)) one = choose_device(in, committed, &commit);
	const compiled *c = compile_program(ctx, where, p, one, &made);
	if (o) o->compiled = made;
	return c && check_mesh(ctx, where, c, p, in, committed) &&
	       run_compiled(ctx, where, c, commit, in, o, out);
}
