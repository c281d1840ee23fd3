/* unroll.c - writes out the steps of loops of known length, as many for each turn as their `unroll`
 * says.
 *
 * Two steps a turn, of five: two turns, and one step behind them.
 *
 *     pass unroll
 *     f(%0: f32[]) -> f32[] {
 *       %1: f32[] = scan %0 length=5 consts=0 carry=1 unroll=2 body=(%0: f32[]) -> f32[] {
 *         %1: f32[] = sin %0
 *         return %1
 *       }
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[]) -> f32[] {
 *       %1: f32[] = scan %0 length=2 consts=0 carry=1 unroll=1 body=(%0: f32[]) -> f32[] {
 *         %1: f32[] = sin %0
 *         %2: f32[] = sin %1
 *         return %2
 *       }
 *       %2: f32[] = sin %1
 *       return %2
 *     }
 *
 * A turn of a loop costs an engine something, whatever it computes, and what is in one turn can
 * be simplified and fused together. It is the pass that writes steps out, and not the tracer, so
 * that derivatives and batches are made of one body. Equations and their order stay what they
 * are, and so do the bits of the results. Fewer than two turns are no loop. */
#include "pass/pass.h"

/* the steps of a loop that are written out one behind the other */
typedef struct steps {
	build *b;
	const eqn *e; /* the scan */
	const scan_params *p;
	const program *body;
	var *x; /* operands of the body: the carry is that so far */
	var *y; /* results of the body */
} steps;

static bool is_sliced(const steps *s, int operand)
{
	return operand_role(s->e, operand).of->kind == EDGE_SLICE;
}

static bool steps_begin(steps *s, build *b, const eqn *e, const var *x)
{
	const size_t nin = (size_t)e->nin + 1, nout = (size_t)e->nout + 1;

	*s = (steps){b,
	             e,
	             e->params,
	             inner_first(e),
	             arena_array(build_arena(b), nin, sizeof *s->x),
	             arena_array(build_arena(b), nout, sizeof *s->y)};
	for (int i = 0; s->x && i < e->nin; i++) s->x[i] = x[i];
	return s->x && s->y;
}

/* the carry so far, as results of the loop */
static void give_carry(const steps *s, var *y)
{
	for (int r = 0; r < s->e->nout; r++) {
		const int back = edge_back(s->e, r);
		if (back >= 0) y[r] = s->x[back];
	}
}

static void take_carry(const steps *s, const var *y)
{
	for (int r = 0; r < s->e->nout; r++) {
		const int back = edge_back(s->e, r);
		if (back >= 0) s->x[back] = y[r];
	}
}

/* element i along dim 0 */
static var slice_at(build *b, var x, int64_t i)
{
	return emit_dims(b, emit_part(b, x, 0, i, i + 1), 0, 1, NULL, 0);
}

/* xs: operands of the loop, of which those that are sliced are read */
static bool step(const steps *s, const var *xs, int64_t i)
{
	for (int k = 0; k < s->e->nin; k++)
		if (is_sliced(s, k)) s->x[k] = slice_at(s->b, xs[k], i);
	if (build_failed(s->b) || !build_inline(s->b, s->body, s->x, s->y, NULL)) return false;
	take_carry(s, s->y);
	return true;
}

/* n steps, at least one, on slices [from, from + n) of xs; y: results of the loop, of which those
 * that are stacked are set */
static bool write_out(const steps *s, const var *xs, int64_t from, int64_t n, var *y)
{
	const int nout = s->e->nout;
	var *list = arena_array(build_arena(s->b), (size_t)n * (size_t)nout + 1, sizeof *list);

	for (int64_t k = 0; list && k < n; k++) {
		const int64_t i = s->p->reverse ? n - 1 - k : k;
		if (!step(s, xs, from + i)) return false;
		for (int r = 0; r < nout; r++)
			if (edge_back(s->e, r) < 0)
				list[r * n + i] = emit_dims(s->b, s->y[r], 0, 0, (int64_t[]){1}, 1);
	}
	for (int r = 0; list && r < nout && !build_failed(s->b); r++)
		if (edge_back(s->e, r) < 0) y[r] = emit_join(s->b, list + r * n, (int)n, 0);
	return list && !build_failed(s->b);
}

/* the body of a loop whose turns are n steps each */
static program *turn_of(const steps *of, int64_t n)
{
	const program *body = of->body;
	build *b = build_begin(body->ir, body->name, body->axes, body->naxes);
	var *x = b ? var_room(b, body->nin + body->nout) : NULL;
	bool ok = x;
	steps s;

	for (int i = 0; ok && i < body->nin; i++) {
		const type *t = type_of(body, body->in[i]);
		if (is_sliced(of, i)) t = type_stack(body->ir, t, n);
		ok = t && (x[i] = build_input(b, t)).id;
	}
	var *y = x ? x + body->nin : NULL;
	ok = ok && steps_begin(&s, b, of->e, x) && write_out(&s, x, 0, n, y);
	if (ok) give_carry(&s, y);
	return remade(b, ok, y, body->nout);
}

/* `turns` of n steps each, as a loop on slices [from, from + turns * n); the carry of s goes on */
static bool loop_of_turns(const steps *s, const var *xs, int64_t turns, int64_t n, int64_t from,
                          var *y)
{
	build *b = s->b;
	scan_params own = *s->p;
	var *x = var_room(b, s->e->nin);

	own.length = turns;
	own.unroll = 1;
	if (!x || !(own.body = build_keep(b, turn_of(s, n)))) return false;
	for (int i = 0; i < s->e->nin; i++)
		x[i] = is_sliced(s, i)
		               ? emit_dims(b, emit_part(b, xs[i], 0, from, from + turns * n), 0, 1,
		                           (int64_t[]){turns, n}, 2)
		               : s->x[i];
	emit_all(b, &tsr__prim_scan, &own, x, s->e->nin, y);
	if (build_failed(b)) return false;
	take_carry(s, y);
	for (int r = 0; r < s->e->nout; r++)
		if (edge_back(s->e, r) < 0) y[r] = emit_merged(b, y[r], 0);
	return !build_failed(b);
}

/* what is left over comes last: at the end of xs, or at their beginning where they are read
 * backwards */
static bool turns_and_rest(const steps *s, const var *xs, int64_t n, var *y)
{
	const int64_t turns = s->p->length / n, rest = s->p->length % n;
	const bool reverse = s->p->reverse;
	var *last = var_room(s->b, s->e->nout);

	if (!last || !loop_of_turns(s, xs, turns, n, reverse ? rest : 0, y)) return false;
	if (!rest) return true;
	if (!write_out(s, xs, reverse ? 0 : turns * n, rest, last)) return false;
	for (int r = 0; r < s->e->nout; r++)
		if (edge_back(s->e, r) < 0)
			y[r] = emit_join(s->b,
			                 reverse ? (var[]){last[r], y[r]} : (var[]){y[r], last[r]},
			                 2, 0);
	return !build_failed(s->b);
}

/* fewer than two turns are no loop */
static bool unroll_scan(value_map *v, const eqn *e)
{
	build *b = v->to;
	const var *x = values_list(v, e->in, e->nin);
	var *y = var_room(b, e->nout);
	steps s;

	if (!x || !y || !steps_begin(&s, b, e, x)) return false;
	build_at(b, e->where);
	if (s.p->length / s.p->unroll >= 2) {
		if (!turns_and_rest(&s, x, s.p->unroll, y)) return false;
	} else if (s.p->length) {
		if (!write_out(&s, x, 0, s.p->length, y)) return false;
	}
	for (int r = 0; r < e->nout && !s.p->length; r++)
		y[r] = emit_zeros(b, type_of(v->from, e->out[r]));
	give_carry(&s, y);
	return values_set(v, e, y);
}

static bool unrolls(const eqn *e)
{
	return e->prim == &tsr__prim_scan && ((const scan_params *)e->params)->unroll > 1;
}

program *pass_unroll(const program *p)
{
	return rewritten(&(rewriting){"unroll", unrolls, unroll_scan}, p);
}
