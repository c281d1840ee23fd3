/* scan_rules.c - the transformations of a loop of known length. What moves, is unknown, or is
 * mapped in a carry must be so before and after each step, so each rule looks for the least such
 * set, from the initial carry on: it grows at most once for each part of the carry. */
#include "pass/structured/structured.h"

typedef struct parts { /* of operands and results */
	const scan_params *p;
	int consts, carry, xs, first_carry, first_xs, nin, nout;
} parts;

static parts parts_of(const eqn *e)
{
	const scan_params *p = e->params;
	const int consts = (int)p->consts, carry = (int)p->carry;

	return (parts){p,      consts,         carry,  e->nin - consts - carry,
	               consts, consts + carry, e->nin, e->nout};
}

/* carry[k] |= out[k]; true: it grew, and in[first + k] with it */
static bool grow(const parts *s, bool *carry, const bool *out)
{
	bool grew = false;

	for (int k = 0; k < s->carry; k++) {
		grew = grew || (out[k] && !carry[k]);
		carry[k] = carry[k] || out[k];
	}
	return grew;
}

/* the equation with another body, whose reference it takes */
static void finish(build *b, const scan_params *of, int consts, int carry, program *body,
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

/* ---- jvp: constants, carry and xs are each followed by the tangents of those that move */

static program *jvp_body(build *b, const parts *s, bool *moves, bool *moves_out)
{
	bool *must = flags(b, s->nout);
	program *jvp = NULL;

	while (must && !build_failed(b)) {
		for (int k = 0; k < s->carry; k++) must[k] = moves[s->first_carry + k];
		jvp = pass_jvp(s->p->body, moves, must, moves_out);
		if (!jvp || !grow(s, moves + s->first_carry, moves_out)) break;
		program_release(jvp);
		jvp = NULL;
	}
	if (!jvp) build_fail(b);
	return jvp;
}

/* numbers [from, to), then, for those that move, that of their tangent */
static int *with_tangents(int *list, int from, int to, const bool *moves, int *tangent)
{
	for (int i = from; i < to; i++) *list++ = i;
	for (int i = from; i < to; i++)
		if (moves[i]) *list++ = (*tangent)++;
	return list;
}

static program *arranged_jvp(build *b, const parts *s, program *jvp, const bool *moves,
                             const bool *moves_out)
{
	int *in = numbers(b, 2 * s->nin), *out = numbers(b, 2 * s->nout), *at;
	int tangent = s->nin;

	if (!in || !out) {
		program_release(jvp);
		return NULL;
	}
	at = with_tangents(in, 0, s->first_carry, moves, &tangent);
	at = with_tangents(at, s->first_carry, s->first_xs, moves, &tangent);
	at = with_tangents(at, s->first_xs, s->nin, moves, &tangent);
	const int nin = (int)(at - in);
	tangent = s->nout;
	at = with_tangents(out, 0, s->carry, moves_out, &tangent);
	at = with_tangents(at, s->carry, s->nout, moves_out, &tangent);
	return arranged(jvp, in, nin, out, (int)(at - out));
}

static var *append_moving(build *b, var *to, const var *x, const var *dx, int from, int until,
                          const bool *moves)
{
	for (int i = from; i < until; i++) *to++ = x[i];
	for (int i = from; i < until; i++)
		if (moves[i]) *to++ = emit_instance(b, dx[i], build_type(b, x[i]));
	return to;
}

static const var *take_moving(const var *made, int from, int until, const bool *moves, var *y,
                              var *dy)
{
	for (int k = from; k < until; k++) y[k] = *made++;
	for (int k = from; k < until; k++)
		if (moves[k]) dy[k] = *made++;
	return made;
}

void scan_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const parts s = parts_of(e);
	bool *moves = flags(b, s.nin), *moves_out = flags(b, s.nout);
	var *operand = values(b, 2 * s.nin), *made = values(b, 2 * s.nout);
	int consts = s.consts, carry = s.carry;

	if (!moves || !moves_out || !operand || !made) return;
	for (int i = 0; i < s.nin; i++) moves[i] = !is_zero(dx[i]);
	program *jvp = jvp_body(b, &s, moves, moves_out);
	if (!jvp) return;
	for (int i = 0; i < s.consts; i++) consts += moves[i];
	for (int i = 0; i < s.carry; i++) carry += moves[s.first_carry + i];
	program *body = arranged_jvp(b, &s, jvp, moves, moves_out);
	var *at = append_moving(b, operand, x, dx, 0, s.first_carry, moves);
	at = append_moving(b, at, x, dx, s.first_carry, s.first_xs, moves);
	at = append_moving(b, at, x, dx, s.first_xs, s.nin, moves);
	finish(b, s.p, consts, carry, body, operand, (int)(at - operand), made);
	const var *from = take_moving(made, 0, s.carry, moves_out, y, dy);
	take_moving(from, s.carry, s.nout, moves_out, y, dy);
}

/* ---- split: the known loop stacks what the other one needs of each step. What is the same at
 * every step is computed once, before the known loop, and is a constant of both; slices of a known
 * operand are taken from it again */

typedef struct residual {
	int constant; /* its number among the results of the hoisted program, or -1 */
	int operand;  /* the known operand whose slice it is, or -1 */
} residual;

typedef struct loops {
	splitting *s;
	parts of;
	halves body;    /* of the scan's body */
	halves hoisted; /* of the known one: from constants alone, and the rest */
	residual *residual;
	var *constants; /* results of what was hoisted, in the known half */
	var *stacked;   /* of each residual that is stacked */
} loops;

static bool split_body(loops *l, const bool *known)
{
	const parts *s = &l->of;
	build *b = l->s->known;
	bool *in = flags(b, s->nin), *must = flags(b, s->nout), *unknown = flags(b, s->carry);
	bool again = true;

	if (!in || !must || !unknown) return false;
	for (int i = 0; i < s->nin; i++) in[i] = known[i];
	for (int k = 0; k < s->carry; k++) unknown[k] = !known[s->first_carry + k];
	while (again) {
		for (int k = 0; k < s->carry; k++) {
			must[k] = unknown[k];
			in[s->first_carry + k] = !unknown[k];
		}
		if (!pass_split(s->p->body, build_arena(b), in, must, &l->body)) return false;
		for (int k = 0; k < s->carry; k++) must[k] = !l->body.known_out[k];
		again = grow(s, unknown, must);
		if (again) halves_free(&l->body);
	}
	return true;
}

static int known_results(const halves *h) { return h->known->nout - h->nresiduals; }

/* is operand i of the scan an input of the known half of its body? A known initial carry of an
 * unknown carry is not */
static bool is_known(const loops *l, const bool *known, int i)
{
	const int k = i - l->of.first_carry;

	return known[i] && (k < 0 || k >= l->of.carry || l->body.known_out[k]);
}

/* the known half of the body again in two: what its constants alone decide of the residuals */
static bool hoist(loops *l, const bool *known)
{
	const program *p = l->body.known;
	build *b = l->s->known;
	bool *constant = flags(b, p->nin), *must = flags(b, p->nout);
	int n = 0;

	if (!constant || !must) return false;
	for (int i = 0; i < l->of.consts; i++)
		if (known[i]) constant[n++] = true;
	for (int k = 0; k < known_results(&l->body); k++) must[k] = true;
	return pass_split(p, build_arena(b), constant, must, &l->hoisted);
}

/* the operand of the scan that input i of the known half is */
static int operand_of(const loops *l, const bool *known, int input)
{
	for (int i = 0; i < l->of.nin; i++)
		if (is_known(l, known, i) && input-- == 0) return i;
	return -1;
}

static bool find_residuals(loops *l, const bool *known)
{
	const program *p = l->body.known;
	const int first = known_results(&l->body);
	int n = 0;

	l->residual = arena_array(build_arena(l->s->known), (size_t)l->body.nresiduals + 1,
	                          sizeof(residual));
	if (!l->residual) return false;
	for (int i = 0; i < l->body.nresiduals; i++) {
		residual *r = &l->residual[i];
		*r = (residual){l->hoisted.known_out[first + i] ? n++ : -1, -1};
		for (int k = 0; r->constant < 0 && k < p->nin; k++) {
			if (p->in[k].id != p->out[first + i].id) continue;
			const int operand = operand_of(l, known, k);
			if (operand >= l->of.first_xs) r->operand = operand;
		}
	}
	return true;
}

/* the constants that were hoisted: residuals of the scan's body, then what the known loop reads */
static bool emit_hoisted(loops *l, const bool *known)
{
	build *b = l->s->known;
	const program *p = l->hoisted.known;
	var *x = values(b, l->of.consts);
	int n = 0;

	l->constants = values(b, p->nout);
	if (!x || !l->constants) return false;
	for (int i = 0; i < l->of.consts; i++)
		if (known[i]) x[n++] = l->s->x_known[i];
	return build_inline(b, p, x, l->constants, NULL);
}

/* The body of the known loop, hoisted.unknown, takes carry and xs, then constants; its results are
 * carry, ys, residuals that are no constants */
static bool emit_known(loops *l, const bool *known)
{
	const parts *s = &l->of;
	build *b = l->s->known;
	program *p = l->hoisted.unknown;
	const int nconsts = l->hoisted.nresiduals, rest = p->nin - nconsts;
	const int nresults = known_results(&l->body);
	int *in = numbers(b, p->nin), *out = numbers(b, p->nout);
	var *x = values(b, p->nin), *made = values(b, p->nout + 1);
	int carry = 0, n = 0, at = nresults;

	l->stacked = values(b, l->body.nresiduals);
	if (!in || !out || !x || !made || !l->stacked) return false;
	for (int i = 0; i < nconsts; i++) {
		x[n] = l->constants[known_results(&l->hoisted) + i];
		in[n++] = rest + i;
	}
	for (int i = s->first_carry, k = 0; i < s->nin; i++) {
		if (!is_known(l, known, i)) continue;
		carry += i < s->first_xs;
		x[n] = l->s->x_known[i];
		in[n++] = k++;
	}
	n = 0;
	for (int k = 0; k < nresults; k++) out[n++] = k;
	for (int i = 0; i < l->body.nresiduals; i++) {
		if (l->residual[i].constant >= 0) continue;
		if (l->residual[i].operand < 0) out[n++] = at;
		at++;
	}
	program_retain(p);
	finish(b, s->p, nconsts, carry, arranged(p, in, p->nin, out, n), x, p->nin, made);
	n = 0;
	for (int k = 0; k < s->nout; k++)
		if (l->body.known_out[k]) l->s->y_known[k] = made[n++];
	for (int i = 0; i < l->body.nresiduals; i++)
		if (l->residual[i].constant < 0 && l->residual[i].operand < 0)
			l->stacked[i] = made[n++];
	return true;
}

/* residual i as an operand of the unknown loop */
static var residual_operand(const loops *l, int i)
{
	const residual *r = &l->residual[i];

	return split_carry(l->s, r->constant >= 0  ? l->constants[r->constant]
	                         : r->operand >= 0 ? l->s->x_known[r->operand]
	                                           : l->stacked[i]);
}

/* an operand that the unknown loop takes: an initial carry may be known */
static var unknown_operand(const loops *l, const bool *known, int i)
{
	return known[i] ? split_carry(l->s, l->s->x_known[i]) : l->s->x_unknown[i];
}

typedef struct operands { /* of the unknown loop, and the inputs of its body that they are */
	var *x;
	int *in, n, next; /* next: of the operands of the scan, which are the first inputs */
} operands;

static void unknown_operands(loops *l, const bool *known, operands *to, int from, int until)
{
	for (int i = from; i < until; i++) {
		if (is_known(l, known, i)) continue;
		to->x[to->n] = unknown_operand(l, known, i);
		to->in[to->n++] = to->next++;
	}
}

static void residual_operands(loops *l, operands *to, bool constant)
{
	const int first = l->body.unknown->nin - l->body.nresiduals;

	for (int r = 0; r < l->body.nresiduals; r++) {
		if ((l->residual[r].constant >= 0) != constant) continue;
		to->x[to->n] = residual_operand(l, r);
		to->in[to->n++] = first + r;
	}
}

/* constants, carry, xs, each with its residuals */
static bool emit_unknown(loops *l, const bool *known)
{
	const parts *s = &l->of;
	build *b = l->s->unknown;
	program *p = l->body.unknown;
	int *out = numbers(b, p->nout), n = 0;
	var *made = values(b, p->nout);
	operands to = {values(b, p->nin), numbers(b, p->nin), 0, 0};

	if (!to.in || !out || !to.x || !made) return false;
	unknown_operands(l, known, &to, 0, s->first_carry);
	residual_operands(l, &to, true);
	const int consts = to.n;
	unknown_operands(l, known, &to, s->first_carry, s->first_xs);
	const int carry = to.n - consts;
	unknown_operands(l, known, &to, s->first_xs, s->nin);
	residual_operands(l, &to, false);
	for (int k = 0; k < p->nout; k++) out[k] = k;
	program_retain(p);
	finish(b, s->p, consts, carry, arranged(p, to.in, to.n, out, p->nout), to.x, to.n, made);
	for (int k = 0; k < s->nout; k++)
		if (!l->body.known_out[k]) l->s->y_unknown[k] = made[n++];
	return true;
}

void scan_split(splitting *s, const eqn *e, const bool *known, bool *yknown)
{
	loops l = {.s = s, .of = parts_of(e)};

	const bool ok = split_body(&l, known) && hoist(&l, known) && find_residuals(&l, known) &&
	                emit_hoisted(&l, known) && emit_known(&l, known) && emit_unknown(&l, known);
	if (!ok) build_fail(s->known);
	for (int k = 0; ok && k < e->nout; k++) yknown[k] = l.body.known_out[k];
	halves_free(&l.hoisted);
	halves_free(&l.body);
}

/* ---- transpose: the loop backwards. Its carry is the cotangents of the constants, which add up,
 * and those of the carry */

typedef struct backward {
	const eqn *e;
	parts of;
	bool *linear, *given, *arrives; /* by input, result, input of the body */
	int constants, known_xs;        /* that are not linear */
} backward;

/* the least set of the carry that has cotangents: given is that of all results */
static bool find_given(build *b, backward *w, const var *ct)
{
	const parts *s = &w->of;
	bool again = true;

	for (int k = 0; k < s->nout; k++) w->given[k] = !is_zero(ct[k]);
	while (again) {
		program *body = pass_transpose(s->p->body, w->linear, w->given, w->arrives);
		program_release(body);
		if (!body) build_fail(b);
		if (!body) return false;
		again = grow(s, w->given, w->arrives + s->first_carry);
	}
	return true;
}

/* linear constants get a place in the carry if something arrives */
static bool adds_up(const backward *w, int i) { return w->linear[i] && w->arrives[i]; }

/* The body. Inputs: constants, sums so far, cotangents of the carry, known xs, cotangents of ys;
 * results: sums, cotangents of the carry, those of xs. The transposed program takes what is known,
 * then the cotangents, and gives one of each linear input */
static program *back_body(build *b, const backward *w)
{
	const parts *s = &w->of;
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

/* results of p that depend on the inputs in */
static bool depends(build *b, const program *p, const bool *in, bool *out)
{
	bool *is = flags(b, p->nvars);

	if (!is) return false;
	for (int i = 0; i < p->nin; i++) is[p->in[i].id] = in[i];
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		bool some = false;
		for (int k = 0; k < e->nin; k++) some = some || is[e->in[k].id];
		for (int k = 0; k < e->nout; k++) is[e->out[k].id] = some;
	}
	for (int k = 0; k < p->nout; k++) out[k] = is[p->out[k].id];
	return true;
}

/* A part of the carry is linear if it begins so, or becomes so: then its known beginning, mostly
 * zeros, has no cotangent, and the rest is as if it had */
static bool find_linear(build *b, backward *w, const var *x)
{
	const parts *s = &w->of;
	bool *out = flags(b, s->nout), again = out;

	for (int i = 0; i < s->nin; i++) w->linear[i] = is_zero(x[i]);
	while (again) {
		if (!depends(b, s->p->body, w->linear, out)) return false;
		again = grow(s, w->linear + s->first_carry, out);
	}
	return out;
}

static bool begin_back(build *b, backward *w, const var *x, const var *ct)
{
	const parts *s = &w->of;

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
	backward w = {.e = e, .of = parts_of(e)};
	const parts *s = &w.of;
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
	finish(b, &back, w.constants, sums + carry, back_body(b, &w), operand, n, made);
	n = 0;
	for (int i = 0; i < s->nin; i++) {
		const int c = i - s->first_carry;
		if (i < s->consts  ? adds_up(&w, i)
		    : c < s->carry ? w.given[c]
		                   : w.linear[i] && w.arrives[i])
			dx[i] = made[n++];
	}
}

/* ---- batch: each slice of a mapped operand has the batch in front, so the scanned dim goes before
 * it */

static program *batch_body(build *b, const parts *s, const batching *to, bool *in, bool *out)
{
	bool *must = flags(b, s->nout);
	program *body = NULL;

	while (must && !body) {
		for (int k = 0; k < s->carry; k++) must[k] = in[s->first_carry + k];
		body = pass_batch(s->p->body, to, in, must, out);
		if (!body) build_fail(b);
		if (!body || !grow(s, in + s->first_carry, out)) return body;
		program_release(body);
		body = NULL;
	}
	return NULL;
}

void scan_batch(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                var *y, bool *ymapped)
{
	const parts s = parts_of(e);
	bool *in = flags(b, s.nin);
	var *operand = values(b, s.nin);

	if (!in || !operand) return;
	for (int i = 0; i < s.nin; i++) in[i] = mapped[i];
	program *body = batch_body(b, &s, to, in, ymapped);
	if (!body) return;
	for (int i = 0; i < s.nin; i++) {
		operand[i] = x[i];
		if (i >= s.first_xs && mapped[i]) operand[i] = emit_move_dim(b, x[i], 0, 1);
		if (in[i] == mapped[i]) continue;
		operand[i] = emit_repeat(b, x[i], to->size);
		if (operand[i].id) operand[i] = build_vary(b, operand[i], to->varying, e->where);
	}
	finish(b, s.p, s.consts, s.carry, body, operand, s.nin, y);
	for (int k = s.carry; k < s.nout; k++)
		if (ymapped[k]) y[k] = emit_move_dim(b, y[k], 1, 0);
}

/* ---- prune: a part of the carry that another one needs stays */

const void *scan_prune(build *b, const eqn *e, bool *used_out, bool *used_in)
{
	const parts s = parts_of(e);
	scan_params *own = arena_copy(build_arena(b), s.p, sizeof *own);
	int *in = numbers(b, s.nin), *out = numbers(b, s.nout), nin = 0, nout = 0;
	bool again = true;

	if (!own || !in || !out) return NULL;
	while (again) {
		program *less = pass_prune(s.p->body, used_out, used_in);
		program_release(less);
		if (!less) return NULL;
		again = grow(&s, used_out, used_in + s.first_carry);
	}
	for (int k = 0; k < s.carry; k++) used_in[s.first_carry + k] = used_out[k];
	own->consts = own->carry = 0;
	for (int i = 0; i < s.nin; i++) {
		if (!used_in[i]) continue;
		own->consts += i < s.first_carry;
		own->carry += i >= s.first_carry && i < s.first_xs;
		in[nin++] = i;
	}
	for (int k = 0; k < s.nout; k++)
		if (used_out[k]) out[nout] = nout, nout++;
	own->body =
		build_keep(b, arranged(pass_prune(s.p->body, used_out, NULL), in, nin, out, nout));
	return own->body ? own : NULL;
}
