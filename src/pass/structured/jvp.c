/* jvp.c - makes the tangents of a row that holds programs: it takes and gives tangents behind the
 * values of their bundle, and so do the programs inside.
 *
 * The first part of the carry moves. After one step the second one moves too, so its tangent starts
 * at zero:
 *
 *     pass jvp 10
 *     f(%0: f32[], %1: f32[]) -> f32[], f32[] {
 *       %2: f32[], %3: f32[] = scan %0 %1 length=3 consts=0 carry=2 unroll=1 body=(%0: f32[],
 *             %1: f32[]) -> f32[], f32[] {
 *         %2: f32[] = sin %0
 *         return %2 %0
 *       }
 *       return %2 %3
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[], %2: f32[]) -> f32[], f32[], f32[], f32[] {
 *       %3: f32[], %4: f32[], %5: f32[], %6: f32[] =
 *             scan %0 %1 %2 0.0:f32 length=3 consts=0 carry=4 unroll=1 body=(%0: f32[],
 *                   %1: f32[], %2: f32[], %3: f32[]) -> f32[], f32[], f32[], f32[] {
 *         %4: f32[] = sin %0
 *         %5: f32[] = cos %0
 *         %6: f32[] = mul %2 %5
 *         return %4 %0 %6 %2
 *       }
 *       return %3 %4 %5 %6
 *     }
 *
 * Only one branch has a tangent; the other one gives zero:
 *
 *     pass jvp 010
 *     f(%0: bool[], %1: f32[], %2: f32[]) -> f32[] {
 *       %3: f32[] = cond %0 %1 %2 branches=[(%0: f32[], %1: f32[]) -> f32[] {
 *         return %1
 *       }, (%0: f32[], %1: f32[]) -> f32[] {
 *         %2: f32[] = sin %0
 *         return %2
 *       }]
 *       return %3
 *     }
 *     gives
 *     f(%0: bool[], %1: f32[], %2: f32[], %3: f32[]) -> f32[], f32[] {
 *       %4: f32[], %5: f32[] = cond %0 %1 %2 %3 branches=[(%0: f32[], %1: f32[], %2: f32[]) ->
 *             f32[], f32[] {
 *         return %1 0.0:f32
 *       }, (%0: f32[], %1: f32[], %2: f32[]) -> f32[], f32[] {
 *         %3: f32[] = sin %0
 *         %4: f32[] = cos %0
 *         %5: f32[] = mul %2 %4
 *         return %3 %5
 *       }]
 *       return %4 %5
 *     } */
#include "pass/structured/structured.h"

typedef struct jvp {
	build *b;
	const eqn *e;
	bool *moves, *moves_out; /* by operand, result */
	program **made;          /* references */
} jvp;

static bool make(void *user, int which, const program *p, const bool *in, const bool *must,
                 bool *out)
{
	program **made = user;

	program_release(made[which]);
	return (made[which] = pass_jvp(p, in, must, out));
}

/* what the operands say of the inputs of programs that give results: only these have tangents */
static bool find_moving(jvp *w, const var *dx)
{
	int which = 0;

	for (inner k = {0}; inner_next(w->e->prim, w->e->params, &k); which++)
		for (int i = 0; edge_gives(w->e, which) && i < k.program->nin; i++) {
			const int at = edge_operand(w->e, which, i);
			w->moves[at] = !is_zero(dx[at]);
		}
	return flow_settle(w->b, &(flow){w->e, w->moves, w->moves_out, make, w->made});
}

/* program number `which`, which gives no results, with inputs for tangents: it ignores them */
static program *with_tangents(const jvp *w, int which, const program *p)
{
	var *y = NULL;
	build *b = remake(p, &y);

	for (int i = 0; b && i < p->nin; i++)
		if (w->moves[edge_operand(w->e, which, i)] &&
		    !build_input(b, type_of(p, p->in[i])).id)
			build_fail(b);
	return remade(b, true, y, p->nout);
}

static void list_values(const jvp *w, rebuilt *to, const var *x, const var *dx, var *y, var *dy)
{
	const eqn *e = w->e;

	for (int i = 0; i < e->nin; i++) rebuild_takes(to, operand_role(e, i), x[i]);
	for (int i = 0; i < e->nin; i++)
		if (w->moves[i])
			rebuild_takes(to, operand_role(e, i),
			              emit_instance(w->b, dx[i], build_type(w->b, x[i])));
	for (int r = 0; r < e->nout; r++) rebuild_gives(to, result_role(e, r), &y[r]);
	for (int r = 0; r < e->nout; r++)
		if (w->moves_out[r]) rebuild_gives(to, result_role(e, r), &dy[r]);
}

void jvp_inside(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	jvp w = {b, e, flags(b, e->nin), flags(b, e->nout), room_inside(b, e, sizeof(program *))};
	rebuilt to;
	int which = 0;

	if (!w.moves || !w.moves_out || !w.made ||
	    !rebuild_begin(&to, b, e, 2 * e->nin, 2 * e->nout))
		return;
	if (!find_moving(&w, dx)) {
		for (int k = 0; k < programs_in(e); k++) program_release(w.made[k]);
		return;
	}
	for (inner k = {0}; inner_next(e->prim, e->params, &k); which++)
		if (!edge_gives(e, which)) w.made[which] = with_tangents(&w, which, k.program);
	list_values(&w, &to, x, dx, y, dy);
	rebuild_put(&to, w.made);
}
