/* jvp.c - forward mode: each equation is followed by those of its tangents.
 *
 * The first input moves, so the program takes a tangent for it, and gives one of its result:
 *
 *     pass jvp 10
 *     f(%0: f32[], %1: f32[]) -> f32[] {
 *       %2: f32[] = sin %0
 *       %3: f32[] = mul %2 %1
 *       return %3
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[], %2: f32[]) -> f32[], f32[] {
 *       %3: f32[] = sin %0
 *       %4: f32[] = mul %3 %1
 *       %5: f32[] = cos %0
 *       %6: f32[] = mul %2 %5
 *       %7: f32[] = mul %6 %1
 *       return %4 %7
 *     }
 *
 * A tangent that is zero is not computed: it is a variable without id, here that of %1. Rules
 * see this, and emit nothing for it, so that what does not depend on the moving inputs costs
 * nothing. */
#include "pass/pass.h"

typedef struct jvp {
	value_map x, dx; /* of the values, and of their tangents */
	build *b;
} jvp;

static bool any_there(const var *v, int n)
{
	for (int i = 0; i < n; i++)
		if (!is_zero(v[i])) return true;
	return false;
}

static bool no_tangents(const program *p, const eqn *e)
{
	for (int j = 0; j < e->nout; j++)
		if (has_tangent(type_of(p, e->out[j])->dtype)) return false;
	return true;
}

static bool jvp_eqn(jvp *j, const eqn *e)
{
	const program *p = j->x.from;
	var *x = values_list(&j->x, e->in, e->nin);
	var *dx = var_room(j->b, e->nin);
	var *y = var_room(j->b, 2 * e->nout);

	if (!x || !dx || !y) return false;
	var *dy = y + e->nout;
	for (int i = 0; i < e->nin; i++) dx[i] = j->dx.of[e->in[i].id];
	const bool still = !any_there(dx, e->nin) || no_tangents(p, e);
	if (!still && !e->prim->jvp) return rule_missing(j->b, e, COL_JVP, NULL);
	if ((still || !prim_holds_programs(e->prim)) && !build_copy(j->b, e, p->naxes, x, y, NULL))
		return false;
	build_at(j->b, e->where);
	if (!still) e->prim->jvp(j->b, e, x, dx, y, dy);
	for (int i = 0; i < e->nout; i++)
		if (!has_tangent(type_of(p, e->out[i])->dtype)) dy[i] = (var){0};
	return values_set(&j->x, e, y) && values_set(&j->dx, e, dy);
}

static bool jvp_walk(jvp *j, const bool *moves_in)
{
	const program *p = j->x.from;

	for (int i = 0; i < p->nin; i++)
		if (!(j->x.of[p->in[i].id] = build_input(j->b, type_of(p, p->in[i]))).id)
			return false;
	for (int i = 0; i < p->nin; i++)
		if (moves_in[i] &&
		    !(j->dx.of[p->in[i].id] = build_input(j->b, type_of(p, p->in[i]))).id)
			return false;
	for (int i = 0; i < p->neqns; i++)
		if (!jvp_eqn(j, &p->eqns[i])) return false;
	return true;
}

static program *jvp_finish(jvp *j, const bool *must, bool *moves_out)
{
	const program *p = j->x.from;
	var *out = var_room(j->b, 2 * p->nout);
	int n = p->nout;

	if (!out) return NULL;
	for (int i = 0; i < p->nout; i++) {
		const type *t = type_of(p, p->out[i]);
		var dy = j->dx.of[p->out[i].id];
		out[i] = values_get(&j->x, p->out[i]);
		dy = emit_as(j->b, dy, etype_of(t));
		if (must && must[i]) dy = emit_instance(j->b, dy, t);
		moves_out[i] = !is_zero(dy);
		if (moves_out[i]) out[n++] = dy;
	}
	if (build_failed(j->b)) return NULL;
	build *b = j->b;
	j->b = NULL;
	return build_end(b, out, n);
}

static program *jvp_make(const program *p, const bool *moves_in, const bool *must, bool *moves_out)
{
	jvp j = {.b = build_begin(p->ir, p->name, p->axes, p->naxes)};
	program *made = NULL;

	if (!j.b) return NULL;
	if (values_init(&j.x, p, j.b) && values_init(&j.dx, p, j.b) && jvp_walk(&j, moves_in))
		made = jvp_finish(&j, must, moves_out);
	build_abandon(j.b);
	return made;
}

program *pass_jvp(const program *p, const bool *moves_in, const bool *must, bool *moves_out)
{
	const size_t nin = (size_t)p->nin, nout = (size_t)p->nout;
	memo m;

	if (memo_begin(&m, "jvp", p, MEMO_PARTS({moves_in, nin}, {must, must ? nout : 0}),
	               moves_out, nout))
		m.to[0] = jvp_make(p, moves_in, must, moves_out);
	return pass_done(memo_end(&m), "jvp");
}
