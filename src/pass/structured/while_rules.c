/* while_rules.c - the transformations of a loop that ends when its condition says so. There is no
 * transpose: it would need residuals of every step, and nobody knows how many steps there are.
 *
 * Each element of the batch ends on its own. The loop goes on as long as any element does, and
 * elements that have ended keep their values:
 *
 *     pass batch 10
 *     axes (i: 4) f(%0: f32[], %1: f32[]) -> f32[] {
 *       %2: f32[] = while %1 %0 cond_consts=0 body_consts=1 cond=(%0: f32[]) -> bool[] {
 *         %1: bool[] = lt %0 9.0:f32
 *         return %1
 *       } body=(%0: f32[], %1: f32[]) -> f32[] {
 *         %2: f32[] = add %0 %1
 *         return %2
 *       }
 *       return %2
 *     }
 *     gives
 *     f(%0: f32[4], %1: f32[]) -> f32[4] {
 *       %2: f32[4] = while %1 %0 cond_consts=0 body_consts=1 cond=(%0: f32[4]) -> bool[] {
 *         %1: bool[4] = lt %0 9.0:f32
 *         %2: bool[] = reduce_or %1 dims=[0]
 *         return %2
 *       } body=(%0: f32[], %1: f32[4]) -> f32[4] {
 *         %2: bool[4] = lt %1 9.0:f32
 *         %3: f32[4] = broadcast_in_dim %0 dims=[4] at=[]
 *         %4: f32[4] = add %3 %1
 *         %5: f32[4] = select_n %2 %1 %4
 *         return %5
 *       }
 *       return %2
 *     } */
#include "pass/structured/structured.h"

/* ---- split: the known part of the carry gets a loop of its own, if the condition needs nothing
 * else. The unknown loop computes everything again: steps cannot leave residuals, since arrays for
 * them would have to be made before the number of steps is known */

/* does the condition look at known operands only? */
static bool cond_is_known(build *b, const eqn *e, const bool *known, bool *is)
{
	const program *cond = ((const while_params *)e->params)->cond;
	const bool yes = true;
	bool *used = flags(b, cond->nin);
	program *p = used ? pass_prune(cond, &yes, used) : NULL;

	if (!p) return false;
	program_release(p);
	*is = true;
	for (int i = 0; i < cond->nin; i++)
		*is = *is && (known[edge_operand(e, WHILE_COND, i)] || !used[i]);
	return true;
}

/* the loop of what is known; of: the known half of the body */
static void emit_known(splitting *s, const eqn *e, const bool *known, const bool *yknown,
                       const program *of)
{
	const program *cond = ((const while_params *)e->params)->cond;
	const bool yes = true;
	int *tests = numbers(s->known, cond->nin), n = 0;
	rebuilt to;

	if (!tests || !rebuild_begin(&to, s->known, e, e->nin, e->nout)) return;
	for (int i = 0; i < e->nin; i++)
		if (known[i]) rebuild_takes(&to, operand_role(e, i), s->x_known[i]);
	for (int k = 0; k < e->nout; k++)
		if (yknown[k]) rebuild_gives(&to, result_role(e, k), &s->y_known[k]);
	for (int i = 0; i < cond->nin; i++)
		if (known[edge_operand(e, WHILE_COND, i)]) tests[n++] = i;
	rebuild_put(&to, (program *[]){arranged(pass_prune(cond, &yes, NULL), tests, n,
	                                        (const int[]){0}, 1),
	                               retained(of)});
}

/* the loop as it is, but for the effects, which the known one has */
static void split_silent(splitting *s, const eqn *e, const bool *known)
{
	while_params p = *(const while_params *)e->params;
	eqn own = *e;

	p.cond = build_keep(s->known, pass_silent(p.cond));
	p.body = build_keep(s->known, pass_silent(p.body));
	own.params = &p;
	if (p.cond && p.body) split_whole(s, &own, known);
}

void while_split(splitting *s, const eqn *e, const bool *known, bool *yknown)
{
	build *b = s->known;
	bool *stays, *out = flags(b, e->nout), is = false;
	halves *h = out ? split_inside(b, e, known, &stays, out) : NULL;

	if (!h) return;
	if (cond_is_known(b, e, stays, &is)) {
		is = is && memchr(out, true, (size_t)e->nout);
		if (is) emit_known(s, e, stays, out, h[1].known);
		if (is && eqn_has_effects(e))
			split_silent(s, e, known);
		else
			split_whole(s, e, known);
		for (int k = 0; k < e->nout; k++) yknown[k] = is && out[k];
	} else {
		build_fail(b);
	}
	halves_free(&h[1]);
}

/* ---- batch: if the condition is not mapped, one loop serves the whole batch. Otherwise the loop
 * goes on as long as any element does, all of the carry is mapped, and elements that have ended
 * keep their values */

/* does any element go on? */
static program *any_of(const program *cond)
{
	build *b = build_begin(cond->ir, cond->name, cond->axes, cond->naxes);
	const var *x = b ? inputs_like(b, cond, 0) : NULL;
	const reduce_params all = {{1, (const int64_t[]){0}}};
	var pred;
	const bool ok = x && build_inline(b, cond, x, &pred, NULL);

	if (ok) pred = emit(b, &tsr__prim_reduce_or, &all, &pred, 1);
	return remade(b, ok, &pred, 1);
}

/* `which` has one flag an element; like: a value with the batch in front */
static var for_each(build *b, var which, var like)
{
	const type *t = build_type(b, like);
	const int64_t first = 0;

	return t->ndim == 1 ? which : emit_broadcast(b, which, t->dims, t->ndim, &first);
}

/* Constants of cond, of the body, carry -> the next carry; elements that have ended keep theirs.
 * tests: constants of cond */
static bool step_into(build *b, int tests, const program *cond, const program *body, var *out)
{
	const int carry = body->nout, consts = body->nin - carry;
	var *x = var_room(b, cond->nin), *in = var_room(b, body->nin), *next = var_room(b, carry);
	var goes_on;

	if (!x || !in || !next) return false;
	for (int i = 0; i < tests; i++)
		if (!(x[i] = build_input(b, type_of(cond, cond->in[i]))).id) return false;
	for (int i = 0; i < body->nin; i++)
		if (!(in[i] = build_input(b, type_of(body, body->in[i]))).id) return false;
	for (int k = 0; k < carry; k++) x[tests + k] = in[consts + k];
	if (!build_inline(b, cond, x, &goes_on, NULL) || !build_inline(b, body, in, next, NULL))
		return false;
	for (int k = 0; k < carry; k++) {
		const var was = in[consts + k];
		out[k] = emit_select(b, for_each(b, goes_on, was), next[k], was);
	}
	return !build_failed(b);
}

static program *step_of(int tests, const program *cond, const program *body)
{
	build *b = build_begin(body->ir, body->name, body->axes, body->naxes);
	var *out = b ? var_room(b, body->nout) : NULL;

	return remade(b, out && step_into(b, tests, cond, body, out), out, body->nout);
}

/* The loop for elements that end on their own. The body asks the condition too, so it has its
 * constants as well, before its own */
static void batch_apart(batched *w, const var *x, var *y)
{
	const eqn *e = w->eqn;
	rebuilt to;

	for (int r = 0; r < e->nout; r++) w->in[edge_back(e, r)] = true;
	if (!batch_programs(w)) return;
	const program *cond = w->made[WHILE_COND], *body = w->made[WHILE_BODY];
	const int tests = cond->nin - body->nout;
	const bool room = rebuild_begin(&to, w->b, e, tests + e->nin, e->nout);
	program *inside[] = {room ? any_of(cond) : NULL, room ? step_of(tests, cond, body) : NULL};
	batched_release(w);
	if (!room) return;
	for (bundle s = {0}; operands_next(e, &s);) {
		const bool own = s.of->kind == EDGE_SAME && edge_inside(s.of, WHILE_BODY);
		for (int i = 0; own && i < tests; i++)
			rebuild_takes(&to, (role){s.of, NULL}, x[edge_operand(e, WHILE_COND, i)]);
		for (int i = s.first; i < s.first + s.n; i++)
			rebuild_takes(&to, (role){s.of, NULL}, batched_operand(w, x, i));
	}
	for (int r = 0; r < e->nout; r++) rebuild_gives(&to, result_role(e, r), &y[r]);
	rebuild_put(&to, inside);
}

void while_batch(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                 var *y, bool *ymapped)
{
	batched w;

	if (!batched_begin(&w, b, e, to, mapped, ymapped)) return;
	if (!w.apart) {
		batched_finish(&w, x, y);
	} else if (eqn_has_effects(e)) {
		batched_release(&w);
		batch_in_turn(b, e, to, x, mapped, y, ymapped);
	} else {
		batch_apart(&w, x, y);
	}
}
