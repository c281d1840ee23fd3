/* control.c - loops and branches as jumps.
 *
 * The carry of a loop stands where its results are, and its body writes it there; slices are roots
 * that move from step to step. */
#include "engine/cpu/cpu.h"

int result_from(const eqn *e, int operand)
{
	int64_t first = 0, n = 0;

	if (e->prim == &tsr__prim_dynamic_update_slice) {
		n = 1;
	} else if (e->prim == &tsr__prim_scan) {
		first = ((const scan_params *)e->params)->consts;
		n = ((const scan_params *)e->params)->carry;
	} else if (e->prim == &tsr__prim_while) {
		const while_params *p = e->params;
		first = p->cond_consts + p->body_consts;
		n = e->nout;
	}
	return operand >= first && operand < first + n ? (int)(operand - first) : -1;
}

/* ---- jumps */

static int32_t here(const schedule *s) { return (int32_t)s->nsteps; }

/* a step with targets that are set later; they start where it stands. NULL: no memory */
static int32_t *step_jump(schedule *s, step_kind kind, const eqn *e, int ntargets)
{
	step *x = add_step(s, kind, e);

	if (!x) return NULL;
	s->nwaves++;
	x->ntargets = ntargets;
	x->target = arena_array(s->arena, (size_t)ntargets, sizeof *x->target);
	return x->target;
}

static step *last_step(const schedule *s) { return &s->step[s->nsteps - 1]; }

/* goes on at one of the targets, by the scalar at a place */
static int32_t *step_switch(schedule *s, const eqn *e, place at, bool predicate, int ntargets)
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

	for (int i = 0; want && i < e->nout; i++) want[i] = (wanted){level_place(l, e->out[i]), -1};
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
	const wanted *want = results_here(l, e);
	const place *in = operands_here(l, e, 1);
	int32_t **end = arena_array(l->arena, (size_t)branch->n, sizeof *end);

	if (!want || !in || !end) return false;
	int32_t *target = step_switch(s, e, level_place(l, e->in[0]),
	                              type_of(l->p, e->in[0])->dtype == TSR_BOOL, branch->n);
	if (!target) return false;
	for (int k = 0; k < branch->n; k++) {
		target[k] = here(s);
		if (!schedule_program(s, l, branch->v[k], in, want)) return false;
		if (!(end[k] = step_jump(s, STEP_GO, e, 1))) return false;
	}
	for (int k = 0; k < branch->n; k++) *end[k] = here(s);
	return true;
}

/* ---- loops */

/* the carry begins as the operands from `first` on */
static bool begin_carry(level *l, const eqn *e, int first, int n)
{
	for (int i = 0; i < n; i++)
		if (!step_copy(l->s, e, level_place(l, e->in[first + i]), level_place(l, e->out[i]),
		               value_bytes(type_of(l->p, e->out[i]))))
			return false;
	l->s->nwaves++;
	return true;
}

/* inputs and wanted results of a body: `first` constants, and the carry, which is where the results
 * are; room for what follows */
static bool body_places(const level *l, const eqn *e, int first, int consts, int n, place **in,
                        wanted **want)
{
	*in = arena_array(l->arena, (size_t)(e->nin + e->nout) + 1, sizeof **in);
	*want = arena_array(l->arena, (size_t)e->nout + 1, sizeof **want);
	if (!*in || !*want) return false;
	for (int i = 0; i < consts; i++) (*in)[i] = level_place(l, e->in[first + i]);
	for (int i = 0; i < n; i++) {
		(*in)[consts + i] = level_place(l, e->out[i]);
		(*want)[i] = (wanted){(*in)[consts + i], consts + i};
	}
	return true;
}

static bool schedule_while(level *l, const eqn *e)
{
	schedule *s = l->s;
	const while_params *w = e->params;
	const int cc = (int)w->cond_consts, bc = (int)w->body_consts, n = e->nout;
	place *in, *body_in;
	wanted *want, *body_want;

	if (!begin_carry(l, e, cc + bc, n) || !body_places(l, e, 0, cc, n, &in, &want) ||
	    !body_places(l, e, cc, bc, n, &body_in, &body_want))
		return false;
	const place go_on = {l->root, level_borrow(l, 1)};
	const int32_t top = here(s);
	if (go_on.offset < 0 || !schedule_program(s, l, w->cond, in, &(wanted){go_on, -1}))
		return false;
	int32_t *target = step_switch(s, e, go_on, true, 2);
	if (!target) return false;
	target[1] = here(s);
	int32_t *back = schedule_program(s, l, w->body, body_in, body_want)
	                        ? step_jump(s, STEP_GO, e, 1)
	                        : NULL;
	if (!back) return false;
	*back = top;
	target[0] = here(s);
	return true;
}

/* slices of xs or ys: a root each that moves through the whole */
static place slice_place(const level *l, var whole, int64_t length, slice *out)
{
	const int64_t bytes = value_bytes(type_of(l->p, whole));

	*out = (slice){root_add(l->s, (root){.kind = ROOT_SLICE,
	                                     .whole = level_place(l, whole),
	                                     .bytes = bytes}),
	               length ? bytes / length : 0};
	return (place){out->root, 0};
}

static bool schedule_scan(level *l, const eqn *e)
{
	schedule *s = l->s;
	const scan_params *p = e->params;
	const int consts = (int)p->consts, carry = (int)p->carry, first = consts + carry;
	const int nslices = e->nin - first + e->nout - carry;
	slice *slices = arena_array(s->arena, (size_t)nslices + 1, sizeof *slices);
	place *in;
	wanted *want;
	int at = 0;

	if (!slices || !begin_carry(l, e, consts, carry) ||
	    !body_places(l, e, 0, consts, carry, &in, &want))
		return false;
	for (int i = first; i < e->nin; i++)
		if ((in[i] = slice_place(l, e->in[i], p->length, &slices[at++])).root < 0)
			return false;
	for (int i = carry; i < e->nout; i++) {
		want[i] = (wanted){slice_place(l, e->out[i], p->length, &slices[at++]), -1};
		if (want[i].at.root < 0) return false;
	}
	const int32_t counter = s->ncounters++;
	int32_t *skip = step_jump(s, STEP_LOOP, e, 1);
	if (!skip) return false;
	last_step(s)->counter = counter;
	last_step(s)->length = p->length;
	const int32_t top = here(s);
	if (!step_jump(s, STEP_SLICES, e, 1)) return false;
	*last_step(s) = (step){.kind = STEP_SLICES,
	                       .wave = last_step(s)->wave,
	                       .where = e->where,
	                       .units = 1,
	                       .counter = counter,
	                       .length = p->length,
	                       .reverse = p->reverse,
	                       .nslices = nslices,
	                       .slices = slices};
	if (!schedule_program(s, l, p->body, in, want)) return false;
	int32_t *back = step_jump(s, STEP_NEXT, e, 1);
	if (!back) return false;
	last_step(s)->counter = counter;
	last_step(s)->length = p->length;
	*back = top;
	*skip = here(s);
	return true;
}

/* ---- any */

bool schedule_control(level *l, const eqn *e)
{
	int32_t *end;
	bool ok;

	if (!level_place_results(l, e, NULL) || !(end = step_jump(l->s, STEP_ALONE, e, 1)))
		return false;
	if (e->prim == &tsr__prim_cond)
		ok = schedule_cond(l, e);
	else if (e->prim == &tsr__prim_while)
		ok = schedule_while(l, e);
	else
		ok = schedule_scan(l, e);
	if (ok) *end = here(l->s);
	return ok;
}
