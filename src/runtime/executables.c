/* executables.c - makes the executable of a program, and keeps it for equal programs.
 *
 * Two calls of a function trace the same program twice. The second finds the executable of the
 * first: programs are compared by structure, the devices or shardings of their operands, and their
 * lines in the source, not by address.
 *
 * Example, each run once on the same device:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = add %0 1.0:f32
 *       return %1
 *     }
 *     g(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = add %0 1.0:f32
 *       return %1
 *     }
 *     h(%0: f32[8]) -> f32[8] {
 *       %1: f32[8] = add %0 1.0:f32
 *       return %1
 *     }
 *
 * So many executables there are then:
 *
 *     after f: 1    after g: 1    after h: 2 */
#include "runtime/runtime.h"

typedef struct key {
	const program *program;
	const sharding *const *held; /* by operand; NULL: none */
	int64_t device;              /* of a program without a mesh */
	bool *lost;     /* set where there was no memory to compare lines, which is recorded */
} key;

static bool same_program(const void *entry, const void *k)
{
	const compiled *c = entry;
	const key *want = k;

	if (!c->placed.mesh && c->one != want->device) return false;
	if (!c->held != !want->held) return false;
	for (int i = 0; c->held && i < c->global->nin; i++)
		if (c->held[i] != want->held[i]) return false;
	if (want->program == c->global || want->program == c->caller) return true;
	if (!program_same(c->global, want->program) ||
	    !program_same_meshes(c->global, want->program)) /* results are on them */
		return false;
	const size_t mark = error_mark(want->program->ir->base);
	if (program_lines(c->global, want->program, NULL, NULL)) return true;
	*want->lost = *want->lost || failed_since(want->program->ir->base, mark);
	return false;
}

static void compiled_free(base *bs, compiled *c)
{
	if (c->executable) c->engine->type->release(c->executable);
	placed_free(&c->placed);
	program_release(c->global);
	program_release(c->caller);
	mem_free(bs, c);
}

static void compiled_evict(tsr_ctx *ctx, cached *entry)
{
	compiled *c = (compiled *)entry;

	cached_forget(ctx, entry);
	table_remove(&ctx->executables, c->global->hash, c);
	compiled_free(&ctx->base, c);
}

size_t compiled_bytes(const compiled *c)
{
	return mem_bytes(c) + arena_bytes(c->placed.arena) +
	       (c->executable ? c->engine->type->bytes(c->executable) : 0);
}

/* A program may name several meshes over the same devices in different orders; its devices are in
 * the order of the first one. at[k] gets which shard of s the k-th device has; *at is NULL if the
 * order is the same. */
static bool order_in(const compiled *c, const sharding *s, const int64_t **at)
{
	if (!s || !s->mesh || mesh_same_devices(s->mesh, c->placed.mesh)) return true;
	int64_t *order = arena_array(c->placed.arena, (size_t)c->set.n, sizeof *order);
	if (!order) return false;
	for (int64_t k = 0; k < c->set.n; k++)
		order[k] = sharding_local(s, sharding_place(s, c->set.device[k]));
	*at = order;
	return true;
}

/* an operand or result without a sharding is whole on every device */
static const sharding *sharding_for(tsr_ctx *ctx, const compiled *c, const sharding *given)
{
	if (given) return given;
	return c->placed.mesh ? sharding_whole_on(&ctx->shards, c->placed.mesh)
	                      : sharding_one(&ctx->shards, NULL, c->one);
}

/* of n operands or results */
static placing *places_make(tsr_ctx *ctx, const compiled *c, const sharding *const *given, int n)
{
	placing *p = arena_array(c->placed.arena, (size_t)n + 1, sizeof *p);

	for (int i = 0; p && i < n; i++)
		if (!(p[i].sharding = sharding_for(ctx, c, given[i])) ||
		    !order_in(c, given[i], &p[i].at))
			return NULL;
	return p;
}

static int process_of(const tsr_ctx *ctx, int64_t device) { return ctx->devices[device].process; }

/* does some group of any process have members in several? */
static bool exchanges_leave(const program *p)
{
	bool leave = false;

	for (int i = 0; i < p->neqns && !leave; i++) {
		const eqn *e = &p->eqns[i];
		for (inner k = {0}; !leave && inner_next(e->prim, e->params, &k);)
			leave = exchanges_leave(k.program);
		if (!leave && eqn_exchanges(e))
			leave = collective_level(p, e->params) > LEVEL_MEMORY;
	}
	return leave;
}

/* The processes that have to run it together, because it exchanges values between them, or because
 * one of them has effects for all. NULL: each can run it alone. false: recorded */
static bool find_team(tsr_ctx *ctx, const mesh *m, compiled *c)
{
	const program *p = c->placed.program;
	const sharding *all = sharding_replicated_on(&ctx->shards, m);

	if (!m->list->nhere || !(p->effects || exchanges_leave(p))) return true;
	return all && (c->team = team_of_shardings(ctx, all, all));
}

/* the devices that are here run the program */
static bool find_devices(tsr_ctx *ctx, compiled *c)
{
	const mesh *m = c->placed.mesh;
	const bool elsewhere = !m && process_of(ctx, c->one) != ctx->process;

	c->set = m ? (device_set){m->size, m->device} : (device_set){!elsewhere, &c->one};
	const device_list *l = m ? m->list : NULL;
	if (!l || !l->here) return true;
	int64_t *ours = arena_array(c->placed.arena, (size_t)l->nhere + 1, sizeof *ours);
	for (int64_t i = 0; ours && i < l->nhere; i++) ours[i] = l->id[l->here[i]];
	c->set = (device_set){l->nhere, ours};
	return ours && find_team(ctx, m, c);
}

/* what the program computes, and where: nothing that differs between processes */
static bool call_hash(tsr_ctx *ctx, const compiled *c, uint64_t *out)
{
	str text = {.base = &ctx->base};

	program_print(&text, c->placed.program, 0); /* its hash has addresses of callbacks */
	const bool ok = !text.lost && text.s;
	uint64_t hash = hash_u64(hash_str(text.s, 0), c->placed.mesh->hash);
	str_free(&text);

	for (int i = 0; i < c->global->nin; i++)
		hash = hash_u64(sharding_id(c->in[i].sharding), hash);
	for (int i = 0; i < c->global->nout; i++)
		hash = hash_u64(sharding_id(c->out[i].sharding), hash);
	*out = hash;
	return ok;
}

static bool make_executable(tsr_ctx *ctx, const char *where, compiled *c)
{
	const sharding *const *held = c->held;

	if (!pipeline(c->global, held, where, NULL, &c->placed)) return false;
	if (held && !(c->held = arena_copy(c->placed.arena, held,
	                                   (size_t)c->global->nin * sizeof *held)))
		return false;
	if (where && !(c->where = arena_str(c->placed.arena, where))) return false;
	if (!find_devices(ctx, c) ||
	    !(c->in = places_make(ctx, c, c->placed.in, c->global->nin)) ||
	    !(c->out = places_make(ctx, c, c->placed.out, c->global->nout)))
		return false;
	c->block = arena_array(c->placed.arena,
	                       (size_t)((c->global->nin + c->global->nout) * c->set.n) + 1,
	                       sizeof(buffer *));
	if (!c->block) return false;
	c->call.name = c->global->name;
	if (c->team && !call_hash(ctx, c, &c->call.hash)) return false;
	if (!c->set.n) return true;
	c->executable = ctx->engine->type->compile(ctx->engine, c->placed.program, c->set);
	return engine_did(ctx->engine, "compile", c->executable);
}

static bool compile_into(tsr_ctx *ctx, const char *where, compiled *c)
{
	const double begin = profile_start(&ctx->base);
	const watch_state before = watch_note(ctx->processes, WATCH_COMPILING);
	const bool ok = make_executable(ctx, where, c);

	watch_note(ctx->processes, before);
	profile_done(&ctx->base, "compile", c->global->name, where, begin);
	return ok;
}

static compiled *found(tsr_ctx *ctx, compiled *c, const program *p)
{
	cached_pin(&ctx->cache, &c->cached);
	if (p == c->global || p == c->caller) return c;
	program_release(c->caller);
	c->caller = p;
	program_retain(p);
	return c;
}

compiled *compile_program(tsr_ctx *ctx, const char *where, const program *p,
                          const sharding *const *held, int64_t one)
{
	bool lost = false;
	const key want = {p, held, one, &lost};
	compiled *c = table_find(&ctx->executables, p->hash, same_program, &want);

	if (c) return found(ctx, c, p);
	if (lost) return NULL;
	if (!(c = mem_zalloc(&ctx->base, sizeof *c))) return NULL;
	*c = (compiled){.global = p, .one = one, .held = held, .engine = ctx->engine};
	program_retain(p);
	if (compile_into(ctx, where, c) && table_add(&ctx->executables, p->hash, c)) {
		cache_add(ctx, &c->cached, compiled_bytes(c), compiled_evict);
		return c;
	}
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
