/* custom_programs.c - makes the programs that the equation of a custom fn holds of those that were
 * traced.
 *
 * Operands are those of the call: leaves of the arguments that are there, captures, and what the
 * body and the rules have lifted. Every program takes all of them, but for backward, which gets
 * what it reads as further residuals. A leaf without a tangent has no result in backward.
 *
 * Example, for a backward that reads z, a value of the body around:
 *
 *     static tsr *sine_backward(tsr *c, tsr *dy) { return tsr_mul(tsr_mul(c, dy), z); }
 *     z = tsr_exp(x);
 *     return tsr_call(tsr_custom_vjp(x, tsr_sin, sine_forward, sine_backward), x);
 *
 * z is the second operand of all programs, and forward gives it to backward:
 *
 *     sine(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = exp %0
 *       %2: f32[4] = custom_vjp %0 %1 wrt=[0] ..
 *       } forward=tsr_sin(%0: f32[4], %1: f32[4]) -> f32[4], f32[4], f32[4] {
 *         %2: f32[4] = sin %0
 *         %3: f32[4] = cos %0
 *         return %2 %3 %1
 *       } backward=tsr_sin(%0: f32[4], %1: f32[4], %2: f32[4]) -> f32[4] { .. }
 *       return %2
 *     } */
#include "trace/derive/custom.h"

/* the equations of a body or rule; leaf: its arguments that are there; operand: all operands, with
 * its captures and the values that it has lifted. Gives its results by leaf; NULL: failed */
static var *put_traced(const custom *c, build *b, const traced_fn *q, const var *leaf,
                       const var *operand)
{
	const program *p = q->p;
	const int ncaptures = c->nown - c->nleaves, nleaves = p->nin - ncaptures - q->nlifted;
	var *x = arena_array(build_arena(b), (size_t)(p->nin + p->nout + q->out.of.n) + 1,
	                     sizeof *x);

	if (!x) return NULL;
	var *y = x + p->nin, *of = y + p->nout;
	for (int i = 0; i < nleaves; i++) x[i] = leaf[i];
	for (int i = 0; i < ncaptures; i++) x[nleaves + i] = operand[c->nleaves + i];
	for (int i = 0; i < q->nlifted; i++)
		x[nleaves + ncaptures + i] = operand[c->nown + q->first + i];
	if (!build_inline(b, p, x, y, NULL)) return NULL;
	for (int i = 0; i < q->out.of.n; i++)
		if (q->result[i] >= 0) of[i] = y[q->result[i]];
	return of;
}

typedef struct making { /* a program: its inputs and results so far */
	build *b;
	var *x, *out;
	int n, nout;
} making;

/* NULL: failed, as everywhere below */
static program *ended(const making *m, bool ok)
{
	if (ok && !build_failed(m->b)) return build_end(m->b, m->out, m->nout);
	build_abandon(m->b);
	return NULL;
}

static bool making_begin(const custom *c, making *m, int more, int nout)
{
	const program *p = c->body.p;

	*m = (making){.b = build_begin(p->ir, c->g->fn->name, c->g->axes, c->g->naxes)};
	if (!m->b) return false;
	m->x = arena_array(build_arena(m->b), (size_t)(c->n + more) + 1, sizeof *m->x);
	m->out = arena_array(build_arena(m->b), (size_t)nout + 1, sizeof *m->out);
	return m->x && m->out;
}

static bool add_input(making *m, const type *t) { return (m->x[m->n++] = build_input(m->b, t)).id; }

static bool add_inputs(making *m, const type *const *types, int n)
{
	bool ok = true;

	for (int i = 0; ok && i < n; i++)
		if (types[i]) ok = add_input(m, types[i]);
	return ok;
}

/* the results that are wanted, of these types; y: by leaf */
static bool add_results(making *m, const var *y, const sides *want)
{
	for (int i = 0; i < want->of.n; i++) {
		const type *t = want->types[i];
		if (!t) continue;
		var v = emit_as(m->b, y[i], etype_of(t));
		if (v.id) v = build_vary(m->b, v, t->varying, NULL);
		m->out[m->nout++] = emit_instance(m->b, v, t);
	}
	return !build_failed(m->b);
}

static program *make_body(const custom *c)
{
	making m;
	const sides *out = &c->body.out;
	bool ok = making_begin(c, &m, 0, out->of.n) && add_inputs(&m, c->operand, c->n);
	const var *y = ok ? put_traced(c, m.b, &c->body, m.x, m.x) : NULL;

	return ended(&m, y && add_results(&m, y, out));
}

/* result leaves -> results of the equation, absent ones -1, as the body's are */
bool give_body(custom *c)
{
	const sides *out = &c->body.out;
	int *count = arena_array(c->t->arena, (size_t)out->of.nargs + 1, sizeof *count);

	for (int k = 0; count && k < out->of.nargs; k++) count[k] = group_size(out, k);
	int *to = arena_array(c->t->arena, (size_t)out->of.n + 1, sizeof *to), n = 0;
	for (int i = 0; to && i < out->of.n; i++) to[i] = out->types[i] ? n++ : -1;
	c->t->out = to;
	c->t->nout = out->of.n;
	c->t->shape = (result_shape){out->of.nargs, count};
	return count && to && (c->t->program = make_body(c));
}

/* the leaves of a rule: those of the body's arguments, then tangents, which are behind all
 * operands */
program *make_rule(const custom *c, const sides *want)
{
	making m;
	const traced_fn *q = &c->rule[0];
	const int first = c->body.in.of.n, ntangents = q->in.of.n - first;
	bool ok = making_begin(c, &m, ntangents, want->of.n) && add_inputs(&m, c->operand, c->n) &&
	          add_inputs(&m, q->in.types + first, ntangents);
	var *leaf = ok ? arena_array(build_arena(m.b), (size_t)m.n + 1, sizeof *leaf) : NULL;

	for (int i = 0; leaf && i < c->nleaves; i++) leaf[i] = m.x[i];
	for (int i = c->n; leaf && i < m.n; i++) leaf[c->nleaves + i - c->n] = m.x[i];
	const var *y = leaf ? put_traced(c, m.b, q, leaf, m.x) : NULL;
	return ended(&m, y && add_results(&m, y, want));
}

/* what backward reads besides its arguments */
static bool is_read_back(const custom *c, int operand)
{
	const traced_fn *q = &c->rule[1];
	const int lifted = operand - c->nown - q->first;

	return operand >= c->nown ? lifted >= 0 && lifted < q->nlifted : operand >= c->nleaves;
}

program *make_forward(const custom *c)
{
	making m;
	const traced_fn *q = &c->rule[0];
	const int first = c->body.out.of.n;
	bool ok = making_begin(c, &m, 0, q->out.of.n + c->n) && add_inputs(&m, c->operand, c->n);
	const var *y = ok ? put_traced(c, m.b, q, m.x, m.x) : NULL;

	ok = y && add_results(&m, y, &c->body.out);
	for (int i = first; ok && i < q->out.of.n; i++)
		if (y[i].id) m.out[m.nout++] = y[i];
	for (int i = 0; ok && i < c->n; i++)
		if (is_read_back(c, i)) m.out[m.nout++] = m.x[i];
	return ended(&m, ok);
}

program *make_backward(const custom *c, const sides *want)
{
	making m;
	const traced_fn *q = &c->rule[1];
	const int nres = c->rule[0].out.of.n - c->body.out.of.n, ncts = q->in.of.n - nres;
	bool ok = making_begin(c, &m, q->in.of.n, want->of.n) && add_inputs(&m, q->in.types, nres);
	var *operand = ok ? arena_array(build_arena(m.b), 2 * (size_t)(c->n + q->in.of.n) + 1,
	                                sizeof *operand)
	                  : NULL,
	    *leaf = operand ? operand + c->n : NULL;
	int n = 0;

	for (int i = 0; operand && i < m.n; i++) leaf[n++] = m.x[i];
	for (int i = 0; operand && ok && i < c->n; i++) {
		if (!is_read_back(c, i)) continue;
		ok = add_input(&m, c->operand[i]);
		operand[i] = m.x[m.n - 1];
	}
	const int before = m.n;
	ok = ok && operand && add_inputs(&m, q->in.types + nres, ncts);
	for (int i = before; ok && i < m.n; i++) leaf[n++] = m.x[i];
	const var *y = ok ? put_traced(c, m.b, q, leaf, operand) : NULL;
	return ended(&m, y && add_results(&m, y, want));
}

program *make_no_rule(const custom *c, const sides *want)
{
	making m;
	const sides *out = &c->body.out;
	bool ok = making_begin(c, &m, 0, want->of.n) && add_inputs(&m, c->operand, c->n);
	const var *y = ok ? put_traced(c, m.b, &c->body, m.x, m.x) : NULL;

	ok = y && add_results(&m, y, out);
	for (int i = out->of.n; ok && i < want->of.n; i++)
		if (want->types[i])
			m.out[m.nout++] = emit_instance(m.b, (var){0}, want->types[i]);
	return ended(&m, ok);
}
