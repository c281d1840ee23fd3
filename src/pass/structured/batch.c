/* batch.c - makes the batch of a row that holds programs, where all elements go one way.
 *
 * The carry is mapped after the first step, so it is from the beginning. A slice has the batch in
 * front, so the whole has the dim of the steps in front of the batch:
 *
 *     pass batch 010
 *     axes (i: 4) f(%0: f32[], %1: f32[], %2: f32[3]) -> f32[], f32[3] {
 *       %3: f32[], %4: f32[3] = scan %1 %0 %2 length=3 consts=1 carry=1 unroll=1 body=(%0: f32[],
 *             %1: f32[], %2: f32[]) -> f32[], f32[] {
 *         %3: f32[] = mul %0 %1
 *         %4: f32[] = mul %0 %2
 *         return %3 %4
 *       }
 *       return %3 %4
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[4], %2: f32[3]) -> f32[4], f32[4,3] {
 *       %3: f32[4] = broadcast_in_dim %0 dims=[4] at=[]
 *       %4: f32[4], %5: f32[3,4] = scan %1 %3 %2 length=3 consts=1 carry=1 unroll=1
 *             body=(%0: f32[4], %1: f32[4], %2: f32[]) -> f32[4], f32[4] {
 *         %3: f32[4] = mul %0 %1
 *         %4: f32[4] = broadcast_in_dim %2 dims=[4] at=[]
 *         %5: f32[4] = mul %0 %4
 *         return %3 %5
 *       }
 *       %6: f32[4,3] = transpose %5 perm=[1,0]
 *       return %4 %6
 *     } */
#include "pass/structured/structured.h"

static bool make(void *user, int which, const program *p, const bool *in, const bool *must,
                 bool *out)
{
	const batched *w = user;

	program_release(w->made[which]);
	return (w->made[which] = pass_batch(p, w->to, in, must, out));
}

/* the programs that say whether a loop goes on come when its carry is known */
static bool make_tests(batched *w)
{
	int which = 0;

	for (inner k = {0}; inner_next(w->eqn->prim, w->eqn->params, &k); which++) {
		if (edge_gives(w->eqn, which)) continue;
		const program *p = k.program;
		bool *in = flags(w->b, p->nin);
		for (int i = 0; in && i < p->nin; i++)
			in[i] = w->in[edge_operand(w->eqn, which, i)];
		if (!in || !make(w, which, p, in, NULL, &w->apart)) return false;
	}
	return true;
}

bool batch_programs(batched *w)
{
	if (flow_settle(w->b, &(flow){w->eqn, w->in, w->out, make, w}) && make_tests(w))
		return true;
	build_fail(w->b);
	batched_release(w);
	return false;
}

void batched_release(const batched *w)
{
	for (int k = 0; k < programs_in(w->eqn); k++) program_release(w->made[k]);
}

bool batched_begin(batched *w, build *b, const eqn *e, const batching *to, const bool *mapped,
                   bool *ymapped)
{
	*w = (batched){b, e, to, mapped, flags(b, e->nin), ymapped,
	               room_inside(b, e, sizeof *w->made), false};
	if (!w->in || !w->made) return false;
	memcpy(w->in, mapped, (size_t)e->nin * sizeof *mapped);
	return batch_programs(w);
}

var batched_operand(const batched *w, const var *x, int i)
{
	return !w->in[i] || w->mapped[i]
	               ? x[i]
	               : emit_vary(w->b, emit_repeat(w->b, x[i], w->to->size), w->to->varying);
}

void batched_finish(const batched *w, const var *x, var *y)
{
	const eqn *e = w->eqn;
	const void *params = with_programs(w->b, e, w->made);
	var *operand = var_room(w->b, e->nin);

	if (!params || !operand) return;
	for (bundle s = {0}; operands_next(e, &s);)
		for (int i = s.first; i < s.first + s.n; i++) {
			operand[i] = batched_operand(w, x, i);
			if (s.of->kind == EDGE_SLICE && w->in[i])
				operand[i] = emit_move_dim(w->b, operand[i], 0, 1);
		}
	emit_all(w->b, e->prim, params, operand, e->nin, y);
	for (bundle s = {0}; results_next(e, &s);)
		for (int r = s.first; r < s.first + s.n; r++)
			if (s.of->kind == EDGE_SLICE && w->out[r])
				y[r] = emit_move_dim(w->b, y[r], 1, 0);
}

void batch_inside(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                  var *y, bool *ymapped)
{
	batched w;

	if (batched_begin(&w, b, e, to, mapped, ymapped)) batched_finish(&w, x, y);
}
