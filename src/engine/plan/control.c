/* control.c - jumps, and branches made of them.
 *
 * Example:
 *
 *     f(%0: bool[], %1: f32[100]) -> f32[100] {
 *       %2: f32[100] = cond %0 %1 branches=[no(%0: f32[100]) -> f32[100] {
 *         return %0
 *       }, yes(%0: f32[100]) -> f32[100] {
 *         %1: f32[100] = sin %0
 *         return %1
 *       }]
 *       return %2
 *     }
 *
 * The branches follow one another, and each leaves its results where those of the cond should be.
 * Step 0 marks the whole, which an engine may do at once:
 *
 *     the plan of f: 6 steps, 128 bytes of scratch memory
 *       kernel 0: sin
 *       0  all up to 6
 *       1  by in0 to 2, 4
 *       2  copy 400 bytes  in1 -> out0  ..
 *       3  to 6
 *       4  kernel 0  in1 -> out0  ..
 *       5  to 6 */
#include "engine/plan/plan.h"

static int uses_of(const program *p, var v)
{
	int n = 0;

	for (int i = 0; i < p->neqns; i++)
		for (int k = 0; k < p->eqns[i].nin; k++) n += p->eqns[i].in[k].id == v.id;
	return n;
}

/* the input that a kernel puts elements into, and reads nothing of besides */
static int held_by(const program *p)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		for (int k = 0; e->prim->put && k < p->nin; k++)
			if (e->in[0].id == p->in[k].id && uses_of(p, p->in[k]) == 1) return k;
	}
	return -1;
}

int updated_operand(const eqn *e)
{
	if (e->prim->flags & PRIM_UPDATES) return 0;
	return e->prim == &tsr__prim_call ? held_by(((const call_params *)e->params)->program) : -1;
}

int operand_of(const eqn *e, int result)
{
	const int updated = updated_operand(e);

	if (updated >= 0) return updated;
	return e->prim->edges ? edge_back(e, result) : -1;
}

/* ---- jumps */

int32_t next_step(const schedule *s) { return (int32_t)s->nsteps; }

int32_t *step_jump(schedule *s, step_kind kind, const eqn *e, int ntargets)
{
	step *x = add_step(s, kind, e);

	if (!x) return NULL;
	s->nwaves++;
	x->ntargets = ntargets;
	x->target = arena_array(s->arena, (size_t)ntargets, sizeof *x->target);
	return x->target;
}

step *last_step(const schedule *s) { return &s->step[s->nsteps - 1]; }

int32_t *step_switch(schedule *s, const eqn *e, place at, bool predicate, int ntargets)
{
	int32_t *target = step_jump(s, STEP_SWITCH, e, ntargets);
	const int64_t bytes = predicate ? 1 : 4;

	if (!target) return NULL;
	step *x = last_step(s);
	x->predicate = predicate;
	x->nargs = 1;
	x->arg = arena_copy(s->arena, &at, sizeof at);
	x->bytes = arena_copy(s->arena, &bytes, sizeof bytes);
	return x->arg && x->bytes ? target : NULL;
}

/* ---- cond */

static wanted *results_here(const level *l, const eqn *e)
{
	wanted *want = arena_array(l->arena, (size_t)e->nout + 1, sizeof *want);

	for (int i = 0; want && i < e->nout; i++)
		want[i] = (wanted){level_place(l, e->out[i]), -1, 0};
	return want;
}

static place *operands_here(const level *l, const eqn *e, int first)
{
	place *in = arena_array(l->arena, (size_t)(e->nin - first) + 1, sizeof *in);

	for (int i = first; in && i < e->nin; i++) in[i - first] = level_place(l, e->in[i]);
	return in;
}

static bool schedule_cond(level *l, const eqn *e)
{
	schedule *s = l->s;
	const programs *branch = &((const cond_params *)e->params)->branches;
	wanted *want = results_here(l, e);
	const place *in = operands_here(l, e, 1);
	int32_t **end = arena_array(l->arena, (size_t)branch->n, sizeof *end);

	if (!want || !in || !end) return false;
	int32_t *target = step_switch(s, e, level_place(l, e->in[0]),
	                              type_of(l->p, e->in[0])->dtype == TSR_BOOL, branch->n);
	if (!target) return false;
	for (int k = 0; k < branch->n; k++) {
		target[k] = next_step(s);
		if (!schedule_program(s, l, branch->v[k], in, want)) return false;
		if (!(end[k] = step_jump(s, STEP_GO, e, 1))) return false;
	}
	for (int k = 0; k < branch->n; k++) *end[k] = next_step(s);
	return true;
}

/* ---- any */

bool schedule_control(level *l, const eqn *e)
{
	int32_t *end;
	bool ok;

	if (!level_place_results(l, e, NULL) || !(end = step_jump(l->s, STEP_WHOLE, e, 1)))
		return false;
	if (e->prim == &tsr__prim_cond)
		ok = schedule_cond(l, e);
	else if (e->prim == &tsr__prim_while)
		ok = schedule_while(l, e);
	else
		ok = schedule_scan(l, e);
	if (ok) *end = next_step(l->s);
	return ok;
}
