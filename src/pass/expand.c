/* expand.c - replaces each equation of a row with a formula (its column `expand`) by the equations
 * of that formula, on the same arrays, and then functions by their steps (its column `steps`): a
 * formula may call functions, so steps come second. Only rows that an engine has to know are left.
 *
 *     pass expand
 *     f(%0: c64[4]) -> c64[4] {
 *       %1: c64[4] = square %0
 *       return %1
 *     }
 *     gives
 *     f(%0: c64[4]) -> c64[4] {
 *       %1: f32[4] = real %0
 *       %2: f32[4] = imag %0
 *       %3: f32[4] = sub %1 %2
 *       %4: f32[4] = add %1 %2
 *       %5: f32[4] = mul %3 %4
 *       %6: f32[4] = mul %1 %2
 *       %7: f32[4] = mul 2.0:f32 %6
 *       %8: c64[4] = complex %5 %7
 *       return %8
 *     } */
#include "pass/pass.h"

static bool is_expanded(const eqn *e) { return eqn_expansion(e); }
static bool has_steps(const eqn *e) { return eqn_steps(e); }

/* a number that represents all elements, as an array of them: the formula may take it alone */
static var as_array(build *b, var x, const type *whole)
{
	const var y = build_type(b, x)->ndim == whole->ndim
	                      ? x
	                      : emit_broadcast(b, x, whole->dims, whole->ndim, NULL);

	return emit_vary(b, y, whole->varying);
}

static bool is_one_number(build *b, var x) { return build_type(b, x)->ndim == 0; }

/* the equations of a scalar program, on arrays. What is computed of literals alone is one number,
 * and an array of it beside others. A condition chooses element by element, so one of two numbers
 * is chosen from an array of the first */
static var write_steps(build *b, const program *p, const var *in, const type *whole)
{
	var *made = mem_array(p->ir->base, (size_t)p->nvars, sizeof *made);
	var x[MOST_EXPANDED], y = {0};

	if (!made) build_fail(b);
	if (!made) return y;
	for (int i = 0; i < p->nin; i++) made[p->in[i].id] = in[i];
	for (int v = 1; v < p->nvars; v++)
		if (p->vars[v].literal)
			made[v] = build_literal_as(b, p->vars[v].type, p->vars[v].literal);
	for (int i = 0; i < p->neqns && !build_failed(b); i++) {
		const eqn *e = &p->eqns[i];
		bool flat = true;
		for (int k = 0; k < e->nin; k++) {
			x[k] = made[e->in[k].id];
			flat = flat && is_one_number(b, x[k]);
		}
		for (int k = 0; k < e->nin && !flat; k++)
			if (!p->vars[e->in[k].id].literal) x[k] = as_array(b, x[k], whole);
		if (e->prim == &tsr__prim_select_n && p->vars[e->in[1].id].literal &&
		    p->vars[e->in[2].id].literal)
			for (int k = 1; k < 3; k++) x[k] = as_array(b, x[k], whole);
		made[e->out[0].id] = emit(b, e->prim, e->params, x, e->nin);
	}
	if (!build_failed(b)) y = made[p->out[0].id];
	mem_free(p->ir->base, made);
	return y;
}

static bool write_expansion(value_map *v, const eqn *e)
{
	const type *whole = type_of(v->from, e->out[0]);
	const var *in = values_list(v, e->in, e->nin);
	var x[MOST_EXPANDED], y = {0};

	if (!in) return false;
	for (int i = 0; i < e->nin; i++) x[i] = as_array(v->to, in[i], whole);
	if (!build_failed(v->to)) y = write_steps(v->to, eqn_steps(e), x, whole);
	return !build_failed(v->to) && values_set(v, e, &y);
}

program *pass_expand(const program *p)
{
	program *few = rewritten(&(rewriting){"expand", is_expanded, write_expansion}, p);
	program *made = few ? rewritten(&(rewriting){"expand", has_steps, write_expansion}, few)
	                    : NULL;

	program_release(few);
	return made;
}
