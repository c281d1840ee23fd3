/* outside.c - exports the functions of tsr/engine/ to engines from outside. Each calls a function
 * of src/ that does the work. */
#include "comm/comm.h"
#include "engine/engine.h"
#include "prim/prim.h"

void tsr__program_retain(const program *p) { program_retain(p); }
void tsr__program_release(const program *p) { program_release(p); }
buffer *tsr__buffer_retain(buffer *b) { return buffer_retain(b); }

/* ---- equations: what their rows say */

eqn_reach tsr__eqn_reach(const eqn *e)
{
	if (e->prim->run) return REACH_ALL;
	if (e->prim->host) return REACH_HOST;
	return e->prim->flags & PRIM_COLLECTIVE ? REACH_GROUP : REACH_DEVICE;
}

const char *tsr__eqn_name(const eqn *e) { return e->prim->name; }
bool tsr__eqn_effects(const eqn *e) { return own_effects(e); }
axis_set tsr__eqn_axes(const eqn *e) { return own_axes(e); }

const char *tsr__eqn_why_not(const eqn *e)
{
	const char *why = e->prim->no_rule[COL_EVAL];

	return prim_has(e->prim, COL_EVAL) ? NULL : why ? why : "it has no eval rule";
}

const program *tsr__eqn_expansion(const eqn *e) { return eqn_steps(e); }
void tsr__eqn_eval(const eval_args *args) { eqn_eval(args); }
bool tsr__eqn_call(const host_args *args) { return args->eqn->prim->host(args); }
int64_t tsr__eqn_parts(const eqn *e, const type *const *in) { return eqn_parts(e, in); }
int64_t tsr__eqn_phases(const eqn *e, const type *const *in) { return eqn_phases(e, in); }
size_t tsr__eqn_scratch(const eqn *e, const type *const *in) { return eqn_scratch(e, in); }
bool tsr__eqn_run(const run_args *args) { return args->eqn->prim->run(args); }
const field *tsr__eqn_fields(const eqn *e) { return e->prim->params; }
bool tsr__eqn_next(const eqn *e, inner *i) { return inner_next(e->prim, e->params, i); }

bool tsr__groups_make(engine *of, arena *a, const program *p, const eqn *e, device_set set,
                      member_groups *out)
{
	const collective *on = e->params;

	return member_groups_make(of->base, a, p, set, &on->axes, &on->groups, out);
}

const int64_t *tsr__devices_alike(engine *of, arena *a, const program *p, device_set set,
                                  axis_set over)
{
	return devices_alike(of->base, a, p, set, over);
}

bool tsr__effect_groups_make(engine *of, arena *a, const program *p, const eqn *e, device_set set,
                             effect_groups *out)
{
	return effect_groups_make(of->base, a, p, e, set, of->devices, out);
}

/* ---- exchanges with other processes */

bool tsr__exchange_begin(engine *of, flight *f, message *out, int nout, message *in, int nin)
{
	return flight_begin(of->processes, f, out, nout, in, nin);
}

bool tsr__exchange_end(engine *of, flight *f, const message *in, int nin)
{
	return flight_end(of->processes, f, in, nin);
}

void tsr__exchange_poke(engine *of)
{
	if (of->processes) flights_poke(of->processes);
}

bool tsr__exchange_fail(engine *of) { return of->processes && call_fail(of->processes); }

/* ---- errors and memory */

bool tsr__fail(engine *of, const char *where, tsr_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfail(of->base, where, code, format, args);
	va_end(args);
	return false;
}

bool tsr__cancelled(engine *of, const char *where) { return host_cancelled(of, where); }
arena *tsr__arena_make(engine *of) { return arena_make(of->base); }
void *tsr__arena_alloc(arena *a, size_t size) { return arena_alloc(a, size); }
void tsr__arena_free(arena *a) { arena_free(a); }
size_t tsr__arena_bytes(const arena *a) { return arena_bytes(a); }
