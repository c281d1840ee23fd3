/* compile.c - the way of the data: program -> per-device program -> executable -> arrays.
 *
 * The first page to read. src/trace records programs on whole arrays. The pipeline turns such a
 * program into one that every device runs on its own blocks, and the engine makes that executable.
 * A run first moves the operands to where the program wants them:
 *
 *     run_program:  choose_device
 *                   -> compile_program (unless it is in the cache: pipeline -> engine.compile)
 *                   -> operands to their shardings -> engine.start, wait -> arrays */
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

static size_t compiled_bytes(const compiled *c)
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

/* ---- where a program runs */

typedef struct running {
	tsr_ctx *ctx;
	const char *where;
	const program *program;
	array *const *in;
	int committed;             /* the first committed operand, or -1 */
	const sharding *over;      /* on the devices that operands are moved to; NULL: none are */
	compiled *c;
	bool commit;               /* are the results committed? */
	size_t mark;               /* error_mark as it began */
	const run_options *options;
} running;

static void held_by_text(str *s, const sharding *sh)
{
	devices_text(s, sharding_devices(sh), sharding_ndevices(sh));
}

/* "args[0].w of type f32[8]" */
static void put_operand_name(str *s, const void *of, int i)
{
	const running *r = of;
	const run_options *o = r->options;

	if (o && o->put_name)
		o->put_name(s, o->names, i);
	else
		str_printf(s, "operand %d", i);
	str_put(s, " of type ");
	type_text(s, r->in[i]->type, NULL, 0);
}

/* "args[0].w of type f32[8] is on device ids [0, 1]" */
static void put_operand(const running *r, str *s, int i)
{
	put_operand_name(s, r, i);
	str_put(s, " is on device ids ");
	held_by_text(s, r->in[i]->sharding);
}

static bool incompatible(const running *r, int i, int j)
{
	str a = {.base = &r->ctx->base}, b = a;

	put_operand(r, &a, i);
	put_operand(r, &b, j);
	fail(a.base, r->where, TSR_ERROR_SHARDING,
	     "incompatible devices for %s: %s and %s; put both on the same devices first",
	     r->program->name ? r->program->name : "this operation", a.s ? a.s : "?",
	     b.s ? b.s : "?");
	str_free(&a);
	str_free(&b);
	return false;
}

/* an operand that the run moves has no say in where that is */
static bool is_committed(const running *r, int i, const sharding *over)
{
	return r->in[i]->committed &&
	       (!over || sharding_same_devices(r->in[i]->sharding, over));
}

/* all committed operands must be on one set of devices */
static bool check_devices(running *r)
{
	const mesh *m = r->options ? r->options->over : NULL;

	r->over = m ? sharding_replicated_on(&r->ctx->shards, m) : NULL;
	if (m && !r->over) return false;
	r->committed = -1;
	for (int i = 0; i < r->program->nin; i++) {
		if (!is_committed(r, i, r->over)) continue;
		if (r->committed < 0)
			r->committed = i;
		else if (!sharding_same_devices(r->in[r->committed]->sharding, r->in[i]->sharding))
			return incompatible(r, r->committed, i);
	}
	return true;
}

/* where a program runs that has no mesh */
static int64_t choose_device(running *r)
{
	const sharding *held = r->committed < 0 ? NULL : r->in[r->committed]->sharding;

	r->commit = held && sharding_ndevices(held) == 1;
	return held ? sharding_device(held, 0) : r->ctx->home;
}

/* the executable; for a program whose operands stay where they are, one for their shardings */
static compiled *compile_running(running *r)
{
	const int n = r->program->nin;
	const sharding *small[16], **held = n <= (int)ARRAY_LEN(small) ? small : NULL;

	if (r->committed < 0 || !array_held(r->in[r->committed]))
		return compile_program(r->ctx, r->where, r->program, NULL, choose_device(r));
	if (!held && !(held = mem_array(&r->ctx->base, (size_t)n, sizeof *held))) return NULL;
	for (int i = 0; i < n; i++)
		held[i] = is_committed(r, i, r->over) ? array_held(r->in[i]) : NULL;
	compiled *c = compile_program(r->ctx, r->where, r->program, held, choose_device(r));
	if (held != small) mem_free(&r->ctx->base, held);
	return c;
}

static bool check_mesh(const running *r)
{
	const mesh *m = r->c->placed.mesh;

	if (!m || r->committed < 0) return true;
	const sharding *held = r->in[r->committed]->sharding;
	if (held->mesh == m) return true;
	const sharding *all = sharding_replicated_on(&r->ctx->shards, m);
	if (!all) return false;
	if (sharding_same_devices(held, all)) return true;
	str a = {.base = &r->ctx->base}, b = {.base = &r->ctx->base};
	put_operand(r, &a, r->committed);
	held_by_text(&b, all);
	fail(&r->ctx->base, r->where, TSR_ERROR_SHARDING,
	     "incompatible devices for %s: %s, and it computes on device ids %s: put the first "
	     "there",
	     r->program->name ? r->program->name : "this program", a.s ? a.s : "?",
	     b.s ? b.s : "?");
	str_free(&a);
	str_free(&b);
	return false;
}

/* ---- run */

static array *move_operand(const char *where, array *in, const sharding *to)
{
	array *plain = array_contiguous(in);
	array *moved = plain ? array_place(where, plain, to, plain->committed) : NULL;

	array_release(plain);
	return moved;
}

/* flat gets one reference to each block */
static bool gather_operand(const running *r, int i, buffer **flat)
{
	array *in = r->in[i];
	const placing *to = &r->c->in[i];
	const bool there = in->sharding == to->sharding && array_is_plain(in);
	array *moved = there ? NULL : move_operand(r->where, in, to->sharding);
	const array *held = there ? in : moved;
	const int64_t n = r->c->set.n;
	const bool ok = held;

	for (int64_t k = 0; ok && k < n; k++)
		flat[i * n + k] = buffer_retain(held->shard[to->at ? to->at[k] : k]);
	array_release(moved);
	return ok;
}

/* Donated operands lose their shards here, so that the engine holds the last reference and can
 * reuse the memory. */
static bool gather_operands(const running *r, const run_options *o, buffer **flat)
{
	const int nin = r->program->nin;
	bool ok = true;

	memset(flat, 0, (size_t)(nin * r->c->set.n) * sizeof *flat);
	for (int i = 0; ok && i < nin; i++) ok = gather_operand(r, i, flat);
	for (int i = 0; ok && o && o->donated && i < nin; i++)
		if (o->donated[i]) ok = array_donate(r->in[i], o->donated_text);
	for (int64_t i = 0; !ok && i < nin * r->c->set.n; i++) tsr__buffer_release(flat[i]);
	return ok;
}

/* lets go of n buffers; false */
static bool release_all(buffer *const *b, int64_t n)
{
	for (int64_t i = 0; i < n; i++) tsr__buffer_release(b[i]);
	return false;
}

/* takes the references in flat, also on failure */
static bool make_results(const running *r, buffer *const *flat, array **out)
{
	const compiled *c = r->c;
	const int64_t n = c->set.n;
	const int nout = c->global->nout;
	int made = 0;

	for (; made < nout; made++) {
		const placing *to = &c->out[made];
		const type *t = type_of(c->global, c->global->out[made]);
		array *y = out[made] = array_make(r->ctx, t, to->sharding, r->commit);
		if (!y) break;
		for (int64_t k = 0; k < n; k++)
			y->shard[to->at ? to->at[k] : k] = flat[made * n + k];
	}
	if (made == nout) return true;
	for (int64_t i = made * n; i < nout * n; i++) tsr__buffer_release(flat[i]);
	while (made-- > 0) array_release(out[made]);
	return false;
}

/* Buffers for results that can be made right in the caller's memory: no operand is there, and there
 * is one device. The other results are copied there at the end. *into: NULL if there are none */
static bool find_wanted(const running *r, buffer *const *in, buffer ***into)
{
	const run_options *o = r->options;
	const compiled *c = r->c;
	const int nin = c->global->nin;

	*into = NULL;
	if (!o || !o->into || (c->placed.mesh && c->placed.mesh->size > 1)) return true;
	*into = memset(o->room, 0, (size_t)c->global->nout * sizeof **into);
	for (int i = 0; i < c->global->nout; i++) {
		const caller_memory *m = o->into[i];
		bool apart = m;
		for (int k = 0; apart && k < nin; k++) apart = !memory_has(m, in[k]);
		const int memory = r->ctx->devices[c->set.device[0]].memory;
		if (apart && !memory_buffer(r->ctx, m, memory, &o->room[i])) return false;
	}
	return true;
}

/* operands that are held until the results were looked at; NULL: error recorded */
static buffer **hold_operands(const running *r, buffer *const *in, int64_t n)
{
	buffer **held = mem_array(&r->ctx->base, (size_t)n + 1, sizeof *held);

	for (int64_t i = 0; held && i < n; i++) held[i] = buffer_retain(in[i]);
	return held;
}

static void release_arrays(const running *r, array **out)
{
	for (int i = 0; i < r->c->global->nout; i++) array_release(out[i]);
}

/* letter N: no results where they have NaN */
static bool look_for_nan(const running *r, buffer **held, array **out)
{
	const bool ok = results_without_nan(&(checked_run){.ctx = r->ctx,
	                                                   .where = r->where,
	                                                   .c = r->c,
	                                                   .in = held,
	                                                   .put_operand = put_operand_name,
	                                                   .of = r},
	                                    out);

	if (!ok) release_arrays(r, out);
	return ok;
}

static call_name call_of(const running *r)
{
	return (call_name){.hash = r->c->call.hash,
	                   .name = r->c->call.name,
	                   .where = r->where,
	                   .errors_before = r->mark};
}

/* takes the references in `in` */
static bool run_here(const running *r, buffer *const *in, buffer *const *into, array **out)
{
	const compiled *c = r->c;
	const engine_type *e = c->engine->type;
	buffer **results = c->block + c->global->nin * c->set.n;

	return (!c->executable || engine_did(c->engine, "wait",
	                                     run_to_end(e, c->executable, in, into, results))) &&
	       make_results(r, results, out);
}

/* in which way this process can run it. false: recorded */
static bool find_way(const compiled *c, int *way)
{
	const engine_type *e = c->engine->type;

	*way = 0;
	if (e->way && !engine_did(c->engine, "way", e->way(c->executable, c->best_way, way)))
		return false;
	if (*way < 0) *way = WAY_ANY;
	return true;
}

/* all processes that run it begin together, and learn whether it went well everywhere */
static bool run_together(const running *r, buffer *const *in, buffer *const *into, array **out)
{
	compiled *c = r->c;
	processes *ps = r->ctx->processes;
	const int64_t nin = c->global->nin * c->set.n;
	call_name call = call_of(r);

	if (!find_way(c, &call.way)) return call_skip(ps, c->team, &call), release_all(in, nin);
	if (!call_begin(ps, c->team, &call)) return release_all(in, nin);
	c->engine->way = ps->way;
	c->best_way = ps->best_way;
	const bool here = run_here(r, in, into, out);
	if (call_end(ps, here)) return true;
	if (here) release_arrays(r, out);
	return false;
}

void run_left(tsr_ctx *ctx)
{
	if (!ctx->processes || !ctx->processes->in) return;
	fail(&ctx->base, ctx->processes->call.where, TSR_ERROR_USER,
	     "a callback left the program by longjmp");
	call_end(ctx->processes, false);
}

static bool run_compiled(const running *r, const run_options *o, array **out)
{
	const compiled *c = r->c;
	const int64_t nin = c->global->nin * c->set.n;
	buffer **in = c->block, **into = NULL, **held = NULL;
	const bool looks = debugs(&r->ctx->ir, 'N');

	bool ok = gather_operands(r, o, in);
	if (ok && looks) ok = (held = hold_operands(r, in, nin)) || release_all(in, nin);
	if (ok) ok = find_wanted(r, in, &into) || release_all(in, nin);
	if (!ok && c->team) { /* the others begin to run it */
		const call_name call = call_of(r);
		call_skip(r->ctx->processes, c->team, &call);
	}
	ok = ok && (c->team ? run_together : run_here)(r, in, into, out);
	for (int i = 0; into && i < c->global->nout; i++) tsr__buffer_release(into[i]);
	if (!looks) return ok;
	ok = ok && look_for_nan(r, held, out);
	for (int64_t i = 0; held && i < nin; i++) tsr__buffer_release(held[i]);
	mem_free(&r->ctx->base, held);
	return ok;
}

/* An executable has the lines of the program that it was made for, which may be another caller's;
 * and the line of that call, where a pass has added something. An operation outside a body has one
 * line, that of its call, unless the bodies of its caller are inside */
typedef struct relocation {
	const running *r;
	const compiled *c; /* NULL: it could not be made */
	const char *first; /* where the error stood */
} relocation;

static const char *line_here(void *of, const char *was)
{
	const relocation *at = of;
	const running *r = at->r;
	const compiled *c = at->c;
	const bool one_line = r->options && r->options->one_line;
	const char *line = NULL;

	if (one_line ? strcmp(was, at->first) == 0 : c && c->where && strcmp(was, c->where) == 0)
		return r->where;
	if (c && c->caller == r->program) program_lines(c->global, c->caller, was, &line);
	return line;
}

static void place_error(const running *r, const compiled *c)
{
	const char *was = error_place(&r->ctx->base);
	arena *a = was ? arena_make(&r->ctx->base) : NULL;
	const char *first = a ? arena_str(a, was) : NULL;

	if (first) error_move(&r->ctx->base, line_here, &(relocation){r, c, first});
	arena_free(a);
}

bool run_program(tsr_ctx *ctx, const char *where, const program *p, array *const *in,
                 run_options *o, array **out)
{
	running r = {.ctx = ctx, .where = where, .program = p, .in = in, .options = o};
	r.mark = error_mark(&ctx->base);
	FLOAT_DEFAULT;

	if (!check_devices(&r)) return false;
	const bool failed_before = failed(&ctx->base);
	compiled *c = compile_running(&r);
	if (!c && !failed_before) place_error(&r, NULL);
	if (!c) return false;
	r.c = c;
	r.commit = r.commit || c->placed.mesh;
	const bool before = c->executable && ctx->engine->type->compiled(c->executable);
	const bool ok = check_mesh(&r) && run_compiled(&r, o, out);
	const bool now = !before && c->executable && ctx->engine->type->compiled(c->executable);
	if (now) cached_count(ctx, &c->cached, compiled_bytes(c));
	if (o) o->compiled = now;
	if (!ok && !failed_before) place_error(&r, c);
	cached_unpin(&c->cached);
	return ok;
}
