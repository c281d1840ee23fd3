/* cond_batch.c - a batch of a choice.
 *
 * If all elements of a batch share one index, the choice stays a choice. If each has its own, every
 * branch is computed for all elements, and each element takes the result of its branch:
 *
 *     pass batch 10
 *     axes (i: 4) f(%0: bool[], %1: i32[]) -> i32[] {
 *       %2: i32[] = cond %0 %1 branches=[(%0: i32[]) -> i32[] {
 *         return 0:i32
 *       }, (%0: i32[]) -> i32[] {
 *         %1: i32[] = neg %0
 *         return %1
 *       }]
 *       return %2
 *     }
 *     gives
 *     f(%0: bool[4], %1: i32[]) -> i32[4] {
 *       %2: bool[4] = broadcast_in_dim %0 dims=[4] at=[0]
 *       %3: i32[4] = broadcast_in_dim 0:i32 dims=[4] at=[]
 *       %4: i32[] = neg %1
 *       %5: i32[4] = broadcast_in_dim %4 dims=[4] at=[]
 *       %6: i32[4] = select_n %2 %3 %5
 *       return %6
 *     }
 *
 * What a branch makes of elements that are not its own may be infinite or NaN, and so may its
 * derivative. So no cotangent may reach these elements, unless a collective over the batch carries
 * something from them to others. */
#include "pass/structured/structured.h"

/* a select by `which`, which has one predicate for each element of the batch */
static var choose(build *b, var which, var if_true, var if_false)
{
	const type *t = is_zero(if_true) ? NULL : build_type(b, if_true);
	const int64_t first = 0;

	if (!t || build_failed(b)) return (var){0};
	return emit_select(b, emit_broadcast(b, which, t->dims, t->ndim, &first), if_true,
	                   if_false);
}

/* Which elements take branch k? An index out of range takes the first or the last branch */
static var takes(build *b, var index, int k, int last)
{
	const tsr_dtype dtype = is_zero(index) ? TSR_BOOL : build_type(b, index)->dtype;
	const tsr_prim *is = k == last ? &tsr__prim_ge : k ? &tsr__prim_eq : &tsr__prim_le;

	if (dtype == TSR_BOOL) return k ? index : emit_1(b, &tsr__prim_not, index);
	return emit_2(b, is, index, emit_scalar(b, dtype, k));
}

/* x for all elements of the batch; no derivative goes to those that do not take this branch */
static var guarded(build *b, const batching *to, var here, var x, bool mapped)
{
	if (!mapped) x = emit_repeat(b, x, to->size);
	if (is_zero(x) || !has_tangent(build_type(b, x)->dtype)) return x;
	return choose(b, here, x, emit_1(b, &tsr__prim_stop_gradient, x));
}

static void batch_all(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                      var *y, bool *ymapped)
{
	const programs *of = &((const cond_params *)e->params)->branches;
	bool *must = flags(b, e->nout), *in = flags(b, e->nin);
	var *own = var_room(b, e->nin), *made = var_room(b, e->nout);

	if (!must || !in || !own || !made) return;
	for (int i = 0; i < e->nout; i++) must[i] = true;
	for (int k = 0; k < of->n && !build_failed(b); k++) {
		const var here = takes(b, x[0], k, of->n - 1);
		const bool exchanges = has_axis(of->v[k]->names, to->axis);
		for (int i = 1; i < e->nin; i++) {
			const bool moves = !exchanges && has_tangent(build_type(b, x[i])->dtype);
			in[i] = mapped[i] || moves;
			own[i] = moves ? guarded(b, to, here, x[i], mapped[i]) : x[i];
			if (in[i] && own[i].id) own[i] = emit_vary(b, own[i], to->varying);
		}
		program *p =
			build_failed(b) ? NULL : pass_batch(of->v[k], to, in + 1, must, ymapped);
		if (!p || !build_inline(b, p, own + 1, made, NULL)) build_fail(b);
		program_release(p);
		for (int i = 0; i < e->nout; i++)
			y[i] = k ? choose(b, here, made[i], y[i]) : made[i];
	}
}

void cond_batch(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                var *y, bool *ymapped)
{
	if (mapped[0] && eqn_has_effects(e))
		batch_in_turn(b, e, to, x, mapped, y, ymapped);
	else if (mapped[0])
		batch_all(b, e, to, x, mapped, y, ymapped);
	else
		batch_inside(b, e, to, x, mapped, y, ymapped);
}
