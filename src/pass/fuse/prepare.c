/* prepare.c - prepares a program for fusion: replaces equations that workers could not share, and
 * copies values in equations of their own before they are joined to received ones.
 *
 *     pass fuse
 *     f(%0: f32[4096]) -> f32[8192] {
 *       %1: f32[4096] = transfer_begin %0 number=1 to=[1] from=[1] types=[f32[4096]]
 *       %2: f32[4096] = transfer_end %0 %1 number=1 to=[1] from=[1] types=[f32[4096]]
 *       %3: f32[8192] = concatenate %0 %2 dim=0
 *       return %3
 *     }
 *     gives
 *     f(%0: f32[4096]) -> f32[8192] {
 *       %1: f32[4096] = transfer_begin %0 number=1 to=[1] from=[1] types=[f32[4096]]
 *       %2: f32[4096] = transfer_end %0 %1 number=1 to=[1] from=[1] types=[f32[4096]]
 *       %3: f32[4096] = copy %0
 *       %4: f32[8192] = concatenate %3 %2 dim=0
 *       return %4
 *     }
 *
 * What is received comes right where it is joined (engine/plan/values.c), and the rest is copied
 * there while it travels: the concatenation could only do that behind the end. */
#include "pass/fuse/fuse.h"

typedef struct preparing {
	const target *on;
	const program *p;
	int32_t *maker;         /* by variable: 1 + its equation; NULL: nothing is received */
	packed_operand *packed; /* operands that were */
} preparing;

/* ---- what is joined to received values */

/* the equation that makes the memory of a value, of which it is all; NULL: there is none */
static const eqn *maker_in(const preparing *w, var v)
{
	const eqn *e;

	do {
		e = w->maker[v.id] ? &w->p->eqns[w->maker[v.id] - 1] : NULL;
		if (e && e->nin) v = e->in[0];
	} while (e && (e->prim == &tsr__prim_reshape || e->prim == &tsr__prim_squeeze ||
	               e->prim == &tsr__prim_expand_dims));
	return e;
}

static bool is_received(const preparing *w, var v)
{
	const eqn *e = maker_in(w, v);

	return e && e->prim == &tsr__prim_transfer_end;
}

/* a long copy that joins received values to others */
static bool joins_received(const preparing *w, const eqn *e)
{
	bool any = false;

	if (!w->maker || e->prim != &tsr__prim_concatenate ||
	    eqn_kind_of(w->on, w->p, e) != EQN_ALONE)
		return false;
	for (int i = 0; i < e->nin; i++) any = any || is_received(w, e->in[i]);
	return any;
}

/* Is it memory that has another name too, so that it cannot be made where it is joined? */
static bool is_elsewhere(const preparing *w, var v)
{
	const eqn *e = maker_in(w, v);

	for (int i = 0; i < w->p->nout; i++)
		if (w->p->out[i].id == v.id) return true;
	return !e || e->prim == &tsr__prim_optimization_barrier ||
	       eqn_kind_of(w->on, w->p, e) == EQN_PLAIN;
}

static var join_copies(build *b, const preparing *w, const eqn *e, const var *in)
{
	var *x = arena_copy(build_arena(b), in, (size_t)e->nin * sizeof *x);

	if (!x) return build_fail(b), (var){0};
	for (int i = 0; i < e->nin; i++)
		if (!is_received(w, e->in[i]) && is_elsewhere(w, e->in[i]))
			x[i] = emit_1(b, &tsr__prim_copy, x[i]);
	return emit(b, e->prim, e->params, x, e->nin);
}

static bool find_makers(preparing *w)
{
	const program *p = w->p;
	bool receives = false;

	for (int i = 0; i < p->neqns; i++)
		receives = receives || p->eqns[i].prim == &tsr__prim_transfer_end;
	if (!receives) return true;
	w->maker = mem_array(p->ir->base, (size_t)p->nvars, sizeof *w->maker);
	for (int v = 0; w->maker && v < p->nvars; v++) w->maker[v] = 0;
	for (int i = 0; w->maker && i < p->neqns; i++)
		for (int j = 0; j < p->eqns[i].nout; j++) w->maker[p->eqns[i].out[j].id] = i + 1;
	return w->maker;
}

/* ---- what workers share */

/* elements are put into memory that somebody has made */
static bool puts_into_number(const program *p, const eqn *e)
{
	return e->prim->put && p->vars[e->in[0].id].literal;
}

static var put_into_copy(build *b, const eqn *e, const var *in)
{
	var *x = arena_copy(build_arena(b), in, (size_t)e->nin * sizeof *x);

	if (!x) {
		build_fail(b);
		return (var){0};
	}
	x[0] = emit_1(b, &tsr__prim_copy, in[0]);
	return emit(b, e->prim, e->params, x, e->nin);
}

static bool is_due(const preparing *w, const eqn *e)
{
	return puts_into_number(w->p, e) || put_has_parts(w->on, w->p, e) ||
	       sum_has_parts(w->on, w->p, e) || joins_received(w, e) ||
	       product_wants_packing(w->on, w->p, e, false);
}

static var made_of(preparing *w, build *b, const eqn *e, const var *in)
{
	if (puts_into_number(w->p, e)) return put_into_copy(b, e, in);
	if (put_has_parts(w->on, w->p, e)) return put_of_parts(b, w->on, w->p, e, in);
	if (e->prim == &tsr__prim_concatenate) return join_copies(b, w, e, in);
	if (e->prim == &tsr__prim_dot_general)
		return product_packed(b, w->on, w->p, e, in, false, &w->packed);
	return sum_of_parts(b, w->on, w->p, e, in[0]);
}

static bool copy_due(void *user, value_map *v, const eqn *e)
{
	preparing *w = user;

	if (loop_wants_packing(w->on, e)) return hoist_packing(v, w->on, e);
	if (!is_due(w, e)) return copy_equation(v, e);
	const var *in = values_list(v, e->in, e->nin);
	if (!in) return false;
	build_at(v->to, e->where);
	const var y = made_of(w, v->to, e, in);
	return values_set(v, e, &y);
}

/* a loop does not need what was laid out before it */
static program *alive(program *made, bool loops)
{
	program *live = made && loops ? pass_dead(made) : NULL;

	if (!loops) return made;
	program_release(made);
	return live;
}

static program *replace(preparing *w)
{
	bool due = false, loops = false;

	for (int i = 0; i < w->p->neqns; i++) {
		due = due || is_due(w, &w->p->eqns[i]);
		loops = loops || loop_wants_packing(w->on, &w->p->eqns[i]);
	}
	return due || loops ? alive(copy_with(w->p, copy_due, w), loops) : retained(w->p);
}

const program *fuse_prepare(const target *on, const program *p)
{
	preparing w = {.on = on, .p = p};
	const program *made = find_makers(&w) ? replace(&w) : NULL;

	mem_free(p->ir->base, w.maker);
	return made;
}
