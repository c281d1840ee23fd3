/* scan_rules.c - what the rules of a loop of known length share, and its transpose: the loop
 * backwards, on cotangents of the carry.
 *
 *     pass transpose 01
 *     f(%0: f32[], %1: f32[]) -> f32[] {
 *       %2: f32[] = scan %0 %1 length=3 consts=1 carry=1 unroll=1 body=(%0: f32[], %1: f32[]) ->
 *             f32[] {
 *         %2: f32[] = mul %0 %1
 *         return %2
 *       }
 *       return %2
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[]) -> f32[] {
 *       %2: f32[] = scan %0 %1 length=3 consts=1 carry=1 unroll=1 reverse=true body=(%0: f32[],
 *             %1: f32[]) -> f32[] {
 *         %2: f32[] = mul %1 %0
 *         return %2
 *       }
 *       return %2
 *     } */
#include "pass/structured/scan.h"

scan_parts scan_parts_of(const eqn *e)
{
	const scan_params *p = e->params;
	const int consts = (int)p->consts, carry = (int)p->carry;

	return (scan_parts){p,      consts,         carry,  e->nin - consts - carry,
	                    consts, consts + carry, e->nin, e->nout};
}

void scan_finish(build *b, const scan_params *of, int consts, int carry, program *body,
                 const var *x, int nx, var *y)
{
	const scan_params p = {.length = of->length,
	                       .consts = consts,
	                       .carry = carry,
	                       .unroll = of->unroll,
	                       .reverse = of->reverse,
	                       .body = build_keep(b, body)};

	if (p.body) emit_all(b, &tsr__prim_scan, &p, x, nx, y);
}

/* ---- transpose: the loop backwards. Its carry is the cotangents of the constants, which add up,
 * and those of the carry */

typedef struct backward {
	const eqn *e;
	scan_parts of;
	bool *linear, *given, *arrives; /* by input, result, input of the body */
	int constants, known_xs;        /* that are not linear */
} backward;

/* Finds the least part of the carry that has cotangents. w->given: which results have */
static bool find_given(build *b, backward *w, const var *ct)
{
	const scan_parts *s = &w->of;
	bool again = true;

	for (int k = 0; k < s->nout; k++) w->given[k] = !is_zero(ct[k]);
	while (again) {
		program *body = pass_transpose(s->p->body, w->linear, w->given, w->arrives);
		program_release(body);
		if (!body) build_fail(b);
		if (!body) return false;
		again = false;
		for (int k = 0; k < s->carry; k++)
			if (w->arrives[s->first_carry + k] && !w->given[k])
				again = w->given[k] = true;
	}
	return true;
}

/* a linear constant has a sum in the carry if a cotangent arrives at it */
static bool adds_up(const backward *w, int i) { return w->linear[i] && w->arrives[i]; }

/* The body. Inputs: constants, sums so far, cotangents of the carry, known xs, cotangents of ys;
 * results: sums, cotangents of the carry, those of xs. The transposed program takes what is known,
 * then the cotangents, and gives one of each linear input */
static program *back_body(build *b, const backward *w)
{
	const scan_parts *s = &w->of;
	program *p = pass_transpose(s->p->body, w->linear, w->given, NULL);
	build *to = p ? build_begin(p->ir, p->name, p->axes, p->naxes) : NULL;
	var *x = values(b, p ? p->nin : 0), *y = values(b, p ? p->nout : 0);
	var *sum = values(b, s->consts), *out = values(b, s->nin);
	int known = 0, ct = w->constants + w->known_xs, n = 0, k = 0;
	bool ok = to && x && y && sum && out;

	for (int i = 0; ok && i < w->constants; i++, known++)
		ok = (x[known] = build_input(to, type_of(p, p->in[known]))).id;
	for (int i = 0; ok && i < s->consts; i++)
		if (adds_up(w, i))
			ok = (sum[i] = build_input(to, type_of(s->p->body, s->p->body->in[i]))).id;
	for (int i = 0; ok && i < s->carry; i++)
		if (w->given[i]) {
			ok = (x[ct] = build_input(to, type_of(p, p->in[ct]))).id;
			ct++;
		}
	for (int i = 0; ok && i < w->known_xs; i++, known++)
		ok = (x[known] = build_input(to, type_of(p, p->in[known]))).id;
	for (; ok && ct < p->nin; ct++) ok = (x[ct] = build_input(to, type_of(p, p->in[ct]))).id;
	ok = ok && build_inline(to, p, x, y, NULL);
	for (int i = 0; ok && i < s->nin; i++) {
		if (!w->linear[i]) continue;
		const var dx = y[k++];
		const int c = i - s->first_carry;
		if (i < s->consts ? adds_up(w, i) : c < s->carry ? w->given[c] : w->arrives[i])
			out[n++] = i < s->consts ? emit_add(to, sum[i], dx) : dx;
	}
	program_release(p);
	if (ok && !build_failed(to)) return build_end(to, out, n);
	build_abandon(to);
	return NULL;
}

/* for flow_settle: the results of p that depend on inputs that are linear */
static bool depends(void *b, int which, const program *p, const bool *in, const bool *must,
                    bool *out)
{
	bool *is = flags(b, p->nvars);

	(void)which;
	if (!is) return false;
	for (int i = 0; i < p->nin; i++) is[p->in[i].id] = in[i];
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		bool some = false;
		for (int k = 0; k < e->nin; k++) some = some || is[e->in[k].id];
		for (int k = 0; k < e->nout; k++) is[e->out[k].id] = some;
	}
	for (int k = 0; k < p->nout; k++) out[k] = must[k] || is[p->out[k].id];
	return true;
}

/* A part of the carry is linear if it starts linear, or becomes so. In the second case its known
 * initial value, mostly zeros, simply gets no cotangent */
static bool find_linear(build *b, backward *w, const var *x)
{
	bool *out = flags(b, w->of.nout);

	for (int i = 0; i < w->of.nin; i++) w->linear[i] = is_zero(x[i]);
	return out && flow_settle(b, &(flow){w->e, w->linear, out, depends, b});
}

static bool begin_back(build *b, backward *w, const var *x, const var *ct)
{
	const scan_parts *s = &w->of;

	w->linear = flags(b, s->nin);
	w->given = flags(b, s->nout);
	w->arrives = flags(b, s->nin);
	if (!w->linear || !w->given || !w->arrives || !find_linear(b, w, x)) return false;
	for (int i = 0; i < s->nin; i++) {
		w->constants += i < s->consts && !w->linear[i];
		w->known_xs += i >= s->first_xs && !w->linear[i];
		if (w->linear[i] || i < s->first_carry || i >= s->first_xs) continue;
		not_linear(b, w->e, "a part of its carry does not depend on what it is linear in");
		return false;
	}
	return find_given(b, w, ct);
}

void scan_transpose(build *b, const eqn *e, const type *const *in, const var *x, const var *ct,
                    var *dx)
{
	backward w = {.e = e, .of = scan_parts_of(e)};
	const scan_parts *s = &w.of;
	var *operand = values(b, 2 * s->nin + s->nout), *made = values(b, s->nin);
	int n = 0, sums = 0, carry = 0;

	if (!operand || !made || !begin_back(b, &w, x, ct)) return;
	for (int i = 0; i < s->consts; i++)
		if (!w.linear[i]) operand[n++] = x[i];
	for (int i = 0; i < s->consts; i++)
		if (adds_up(&w, i)) operand[n++] = emit_zeros(b, in[i]), sums++;
	for (int k = 0; k < s->carry; k++)
		if (w.given[k])
			operand[n++] = emit_instance(b, ct[k], in[s->first_carry + k]), carry++;
	for (int i = s->first_xs; i < s->nin; i++)
		if (!w.linear[i]) operand[n++] = x[i];
	for (int k = s->carry; k < s->nout; k++)
		if (w.given[k]) operand[n++] = ct[k];
	scan_params back = *s->p;
	back.reverse = !back.reverse;
	scan_finish(b, &back, w.constants, sums + carry, back_body(b, &w), operand, n, made);
	n = 0;
	for (int i = 0; i < s->nin; i++) {
		const int c = i - s->first_carry;
		if (i < s->consts  ? adds_up(&w, i)
		    : c < s->carry ? w.given[c]
		                   : w.linear[i] && w.arrives[i])
			dx[i] = made[n++];
	}
}
