/* unroll.c - loops of known length whose steps are written out, as many for each turn as their
 * `unroll` says.
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
	const program *body;
	int consts, ncarry, nxs, nys;
	var *x; /* operands of the body: constants, carry, slices. The carry is that so far */
	var *y; /* results of the body */
} steps;

static bool steps_begin(steps *s, build *b, const scan_params *p, const var *x)
{
	const int consts = (int)p->consts, carry = (int)p->carry;
	const program *body = p->body;

	*s = (steps){b,
	             body,
	             consts,
	             carry,
	             body->nin - consts - carry,
	             body->nout - carry,
	             arena_array(build_arena(b), (size_t)body->nin + 1, sizeof *s->x),
	             arena_array(build_arena(b), (size_t)body->nout + 1, sizeof *s->y)};
	for (int i = 0; s->x && i < consts + carry; i++) s->x[i] = x[i];
	return s->x && s->y;
}

static const var *carry_of(const steps *s) { return s->x + s->consts; }

/* element i along dim 0 */
static var slice_at(build *b, var x, int64_t i)
{
	const type *t = build_type(b, x);

	return emit_reshape(b, emit_part(b, x, 0, i, i + 1), t->dims + 1, t->ndim - 1);
}

/* x with other dims in front, in place of its first `skip` */
static var with_front(build *b, var x, const int64_t *front, int nfront, int skip)
{
	if (is_zero(x)) return x; /* the build has failed */
	const type *t = build_type(b, x);
	const int ndim = t->ndim - skip + nfront;
	int64_t *dims = arena_array(build_arena(b), (size_t)ndim + 1, sizeof *dims);

	if (!dims) {
		build_fail(b);
		return (var){0};
	}
	for (int d = 0; d < ndim; d++) dims[d] = d < nfront ? front[d] : t->dims[d - nfront + skip];
	return emit_reshape(b, x, dims, ndim);
}

static bool step(steps *s, const var *xs, int64_t i)
{
	for (int k = 0; k < s->nxs; k++) s->x[s->consts + s->ncarry + k] = slice_at(s->b, xs[k], i);
	if (build_failed(s->b) || !build_inline(s->b, s->body, s->x, s->y, NULL)) return false;
	for (int k = 0; k < s->ncarry; k++) s->x[s->consts + k] = s->y[k];
	return true;
}

/* n steps, at least one, on slices [from, from + n) of xs; ys: their results, stacked */
static bool write_out(steps *s, const var *xs, int64_t from, int64_t n, bool reverse, var *ys)
{
	var *list = arena_array(build_arena(s->b), (size_t)n * (size_t)s->nys + 1, sizeof *list);

	for (int64_t k = 0; list && k < n; k++) {
		const int64_t i = reverse ? n - 1 - k : k;
		if (!step(s, xs, from + i)) return false;
		for (int y = 0; y < s->nys; y++)
			list[y * n + i] =
				with_front(s->b, s->y[s->ncarry + y], (int64_t[]){1}, 1, 0);
	}
	for (int y = 0; list && y < s->nys && !build_failed(s->b); y++)
		ys[y] = emit_join(s->b, list + y * n, (int)n, 0);
	return list && !build_failed(s->b);
}

/* the body of a loop whose turns are n steps each */
static program *turn_of(const scan_params *p, int64_t n)
{
	const program *body = p->body;
	const int before = (int)(p->consts + p->carry);
	build *b = build_begin(body->ir, body->name, body->axes, body->naxes);
	var *x = b ? arena_array(build_arena(b), (size_t)(body->nin + body->nout) + 1, sizeof *x)
	           : NULL;
	bool ok = x;
	steps s;

	for (int i = 0; ok && i < body->nin; i++) {
		const type *t = type_of(body, body->in[i]);
		if (i >= before) t = type_stack(body->ir, t, n);
		ok = t && (x[i] = build_input(b, t)).id;
	}
	var *y = x ? x + body->nin : NULL;
	ok = ok && steps_begin(&s, b, p, x) &&
	     write_out(&s, x + before, 0, n, p->reverse, y + s.ncarry);
	for (int i = 0; ok && i < s.ncarry; i++) y[i] = carry_of(&s)[i];
	if (ok) return build_end(b, y, body->nout);
	build_abandon(b);
	return NULL;
}

/* `turns` of n steps each, as a loop on slices [from, from + turns * n); the carry of s goes on */
static bool loop_of_turns(steps *s, const scan_params *p, const var *xs, int64_t turns, int64_t n,
                          int64_t from, var *ys)
{
	build *b = s->b;
	scan_params own = *p;
	const int nin = s->consts + s->ncarry + s->nxs, nout = s->ncarry + s->nys;
	var *x = arena_array(build_arena(b), (size_t)(nin + nout) + 1, sizeof *x), *y = x + nin;

	own.length = turns;
	own.unroll = 1;
	if (!x || !(own.body = build_keep(b, turn_of(p, n)))) return false;
	for (int i = 0; i < s->consts + s->ncarry; i++) x[i] = s->x[i];
	for (int k = 0; k < s->nxs; k++)
		x[s->consts + s->ncarry + k] =
			with_front(b, emit_part(b, xs[k], 0, from, from + turns * n),
		                   (int64_t[]){turns, n}, 2, 1);
	emit_all(b, &tsr__prim_scan, &own, x, nin, y);
	if (build_failed(b)) return false;
	for (int i = 0; i < s->ncarry; i++) s->x[s->consts + i] = y[i];
	for (int k = 0; k < s->nys; k++)
		ys[k] = with_front(b, y[s->ncarry + k], (int64_t[]){turns * n}, 1, 2);
	return !build_failed(b);
}

/* what is left over comes last: at the end of xs, or at their beginning where they are read
 * backwards */
static bool turns_and_rest(steps *s, const scan_params *p, const var *xs, int64_t n, var *ys)
{
	const int64_t turns = p->length / n, rest = p->length % n;
	var *last = arena_array(build_arena(s->b), (size_t)s->nys + 1, sizeof *last);

	if (!last || !loop_of_turns(s, p, xs, turns, n, p->reverse ? rest : 0, ys)) return false;
	if (!rest) return true;
	if (!write_out(s, xs, p->reverse ? 0 : turns * n, rest, p->reverse, last)) return false;
	for (int k = 0; k < s->nys; k++)
		ys[k] = emit_join(
			s->b, p->reverse ? (var[]){last[k], ys[k]} : (var[]){ys[k], last[k]}, 2, 0);
	return !build_failed(s->b);
}

/* fewer than two turns are no loop */
static bool unroll_scan(value_map *v, const eqn *e)
{
	const scan_params *p = e->params;
	build *b = v->to;
	const var *x = values_list(v, e->in, e->nin);
	var *y = arena_array(build_arena(b), (size_t)e->nout + 1, sizeof *y);
	steps s;

	if (!x || !y || !steps_begin(&s, b, p, x)) return false;
	const var *xs = x + s.consts + s.ncarry;
	var *ys = y + s.ncarry;
	build_at(b, e->where);
	if (p->length / p->unroll >= 2) {
		if (!turns_and_rest(&s, p, xs, p->unroll, ys)) return false;
	} else if (p->length) {
		if (!write_out(&s, xs, 0, p->length, p->reverse, ys)) return false;
	}
	for (int i = 0; i < s.ncarry; i++) y[i] = carry_of(&s)[i];
	for (int k = s.ncarry; k < e->nout && !p->length; k++)
		y[k] = emit_zeros(b, type_of(v->from, e->out[k]));
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
