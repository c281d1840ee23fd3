/* run.c - runs a program on arrays: the way of the data.
 *
 * The first page to read. src/trace records programs on whole arrays. The pipeline (src/pass) turns
 * such a program into one that every device runs on its own blocks, and an engine makes that
 * executable:
 *
 *     run_program      check_devices       committed operands are on one set of devices
 *                      compile_running     an executable: from the cache, or pipeline -> engine
 *                      check_mesh          ... for the devices of its mesh
 *       run_compiled   gather_operands     operands to their shardings, as blocks
 *                      find_wanted         results in the caller's memory
 *                      run_here            engine.start, wait -> arrays; or
 *                      run_together        the same, as the other processes do
 *                      place_error         of what failed, at the line of this call */
#include "runtime/run.h"

static bool run_compiled(const running *, array **out);
static bool run_alone(const running *, buffer *const *in, buffer *const *into, array **out);
static bool run_together(const running *, buffer *const *in, buffer *const *into, array **out);
static call_name call_of(const running *);

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
	const bool ok = check_mesh(&r) && run_compiled(&r, out);
	const bool now = !before && c->executable && ctx->engine->type->compiled(c->executable);
	if (now) cached_count(ctx, &c->cached, compiled_bytes(c));
	if (o) o->compiled = now;
	if (!ok && !failed_before) place_error(&r, c);
	cached_unpin(&c->cached);
	return ok;
}

static bool run_compiled(const running *r, array **out)
{
	const compiled *c = r->c;
	const int64_t nin = c->global->nin * c->set.n;
	buffer **in = c->block, **into = NULL, **held = NULL;
	const bool looks = debugs(&r->ctx->ir, 'N');

	bool ok = gather_operands(r, in);
	if (ok && looks) ok = (held = hold_operands(r, in, nin)) || release_blocks(in, nin);
	if (ok) ok = find_wanted(r, in, &into) || release_blocks(in, nin);
	if (!ok && c->team) { /* the others begin to run it */
		const call_name call = call_of(r);
		call_skip(r->ctx->processes, c->team, &call);
	}
	ok = ok && (c->team ? run_together : run_alone)(r, in, into, out);
	for (int i = 0; into && i < c->global->nout; i++) tsr__buffer_release(into[i]);
	if (!looks) return ok;
	ok = ok && look_for_nan(r, held, out);
	for (int64_t i = 0; held && i < nin; i++) tsr__buffer_release(held[i]);
	mem_free(&r->ctx->base, held);
	return ok;
}

/* ---- alone, or together with other processes */

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

/* others that wait for this process see that it computes, and that it moves */
static bool run_alone(const running *r, buffer *const *in, buffer *const *into, array **out)
{
	const watch_state before = watch_note(r->ctx->processes, WATCH_CALL);
	const bool ok = run_here(r, in, into, out);

	watch_note(r->ctx->processes, before);
	return ok;
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

	if (!find_way(c, &call.way)) return call_skip(ps, c->team, &call), release_blocks(in, nin);
	if (!call_begin(ps, c->team, &call)) return release_blocks(in, nin);
	c->engine->way = ps->way;
	c->best_way = ps->best_way;
	const bool here = run_here(r, in, into, out);
	if (call_end(ps, here)) return true;
	if (here) release_results(r, out);
	return false;
}

void run_left(tsr_ctx *ctx)
{
	if (!ctx->processes || !ctx->processes->in) return;
	fail(&ctx->base, ctx->processes->call.where, TSR_ERROR_USER,
	     "a callback left the program by longjmp");
	call_end(ctx->processes, false);
}
