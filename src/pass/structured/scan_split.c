/* scan_split.c - a loop of known length in two. The known loop stacks what the unknown one needs
 * from each step.
 *
 * The carry is unknown; the constant %0 and the values %2 are known:
 *
 *     pass split 101
 *     f(%0: f32[], %1: f32[], %2: f32[3]) -> f32[] {
 *       %3: f32[] = scan %0 %1 %2 length=3 consts=1 carry=1 unroll=1 body=(%0: f32[], %1: f32[],
 *             %2: f32[]) -> f32[] {
 *         %3: f32[] = sin %0
 *         %4: f32[] = cos %2
 *         %5: f32[] = mul %3 %4
 *         %6: f32[] = mul %5 %1
 *         return %6
 *       }
 *       return %3
 *     }
 *     gives
 *     f(%0: f32[], %1: f32[3]) -> f32[3] {
 *       %2: f32[] = sin %0
 *       %3: f32[3] = scan %2 %1 length=3 consts=1 carry=0 unroll=1 body=(%0: f32[],
 *             %1: f32[]) -> f32[] {
 *         %2: f32[] = cos %1
 *         %3: f32[] = mul %0 %2
 *         return %3
 *       }
 *       return %3
 *     }
 *     f(%0: f32[], %1: f32[3]) -> f32[] {
 *       %2: f32[] = scan %0 %1 length=3 consts=0 carry=1 unroll=1 body=(%0: f32[], %1: f32[]) ->
 *             f32[] {
 *         %2: f32[] = mul %1 %0
 *         return %2
 *       }
 *       return %2
 *     }
 *
 * What is the same at every step is computed once, before the known loop, and is a constant of both
 * loops; as a residual it would be stored once for each step. A slice of a known operand is not a
 * residual either: the unknown loop takes the operand itself. */
#include "pass/structured/scan.h"

typedef struct scan_residual {
	int constant; /* its number among the results of the hoisted program, or -1 */
	int operand;  /* the known operand whose slice it is, or -1 */
} scan_residual;

typedef struct loops {
	splitting *s;
	scan_parts of;
	const bool *known; /* operands that are */
	bool *stays;       /* the same without what is carried and becomes unknown */
	halves body;       /* of the scan's body */
	halves hoisted;    /* of the known one: from constants alone, and the rest */
	scan_residual *residual;
	var *constants; /* results of what was hoisted, in the known half */
	var *stacked;   /* of each residual that is stacked */
} loops;

static int known_results(const halves *h) { return h->known->nout - h->nresiduals; }

/* splits the known half of the body once more: which residuals depend on its constants alone? */
static bool hoist(loops *l)
{
	const program *p = l->body.known;
	build *b = l->s->known;
	bool *constant = flags(b, p->nin), *must = flags(b, p->nout);
	int n = 0;

	if (!constant || !must) return false;
	for (int i = 0; i < l->of.consts; i++)
		if (l->stays[i]) constant[n++] = true;
	for (int k = 0; k < known_results(&l->body); k++) must[k] = true;
	return pass_split_pure(p, build_arena(b), constant, must, &l->hoisted);
}

/* by variable of the known half of the body: 1 + the operand of the scan whose slice it is, or 0 */
static int *slices(const loops *l)
{
	const program *p = l->body.known;
	int *of = numbers(l->s->known, p->nvars), k = 0;

	for (int i = 0; of && i < l->of.nin; i++) {
		if (!l->stays[i]) continue;
		if (i >= l->of.first_xs) of[p->in[k].id] = 1 + i;
		k++;
	}
	return of;
}

static bool find_residuals(loops *l)
{
	const program *p = l->body.known;
	const int first = known_results(&l->body), *slice = slices(l);
	int n = 0;

	l->residual = arena_array(build_arena(l->s->known), (size_t)l->body.nresiduals + 1,
	                          sizeof *l->residual);
	if (!l->residual || !slice) return false;
	for (int i = 0; i < l->body.nresiduals; i++) {
		const bool constant = l->hoisted.known_out[first + i];
		l->residual[i] = (scan_residual){constant ? n++ : -1,
		                                 constant ? -1 : slice[p->out[first + i].id] - 1};
	}
	return true;
}

/* emits what was hoisted: residuals of the scan's body, then what the known loop reads of it */
static bool emit_hoisted(loops *l)
{
	build *b = l->s->known;
	const program *p = l->hoisted.known;
	var *x = values(b, l->of.consts);
	int n = 0;

	l->constants = values(b, p->nout);
	if (!x || !l->constants) return false;
	for (int i = 0; i < l->of.consts; i++)
		if (l->stays[i]) x[n++] = l->s->x_known[i];
	return build_inline(b, p, x, l->constants, NULL);
}

/* The body of the known loop is hoisted.unknown: it takes carry and xs, then constants, and gives
 * carry, ys, and the residuals that are not constants */
static bool emit_known(loops *l)
{
	const scan_parts *s = &l->of;
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
		if (!l->stays[i]) continue;
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
	scan_finish(b, s->p, nconsts, carry, arranged(p, in, p->nin, out, n), x, p->nin, made);
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
	const scan_residual *r = &l->residual[i];

	return split_carry(l->s, r->constant >= 0  ? l->constants[r->constant]
	                         : r->operand >= 0 ? l->s->x_known[r->operand]
	                                           : l->stacked[i]);
}

/* an operand that the unknown loop takes: an initial carry may be known */
static var unknown_operand(const loops *l, int i)
{
	return l->known[i] ? split_carry(l->s, l->s->x_known[i]) : l->s->x_unknown[i];
}

typedef struct operands { /* of the unknown loop, and the inputs of its body that they are */
	var *x;
	int *in, n, next; /* next: of the operands of the scan, which are the first inputs */
} operands;

static void unknown_operands(loops *l, operands *to, int from, int until)
{
	for (int i = from; i < until; i++) {
		if (l->stays[i]) continue;
		to->x[to->n] = unknown_operand(l, i);
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
static bool emit_unknown(loops *l)
{
	const scan_parts *s = &l->of;
	build *b = l->s->unknown;
	program *p = l->body.unknown;
	int *out = numbers(b, p->nout), n = 0;
	var *made = values(b, p->nout);
	operands to = {values(b, p->nin), numbers(b, p->nin), 0, 0};

	if (!to.in || !out || !to.x || !made) return false;
	unknown_operands(l, &to, 0, s->first_carry);
	residual_operands(l, &to, true);
	const int consts = to.n;
	unknown_operands(l, &to, s->first_carry, s->first_xs);
	const int carry = to.n - consts;
	unknown_operands(l, &to, s->first_xs, s->nin);
	residual_operands(l, &to, false);
	for (int k = 0; k < p->nout; k++) out[k] = k;
	program_retain(p);
	scan_finish(b, s->p, consts, carry, arranged(p, to.in, to.n, out, p->nout), to.x, to.n,
	            made);
	for (int k = 0; k < s->nout; k++)
		if (!l->body.known_out[k]) l->s->y_unknown[k] = made[n++];
	return true;
}

static bool emit_loops(loops *l)
{
	return hoist(l) && find_residuals(l) && emit_hoisted(l) && emit_known(l) && emit_unknown(l);
}

/* is nothing computed from what is known? */
static bool nothing_known(const loops *l)
{
	return !known_results(&l->body) && !l->body.known->neqns;
}

void scan_split(splitting *s, const eqn *e, const bool *known, bool *yknown)
{
	loops l = {.s = s, .of = scan_parts_of(e), .known = known};
	const halves *h = split_inside(s->known, e, known, &l.stays, yknown);
	bool ok = h;

	if (ok) l.body = *h;
	if (ok && nothing_known(&l))
		split_whole(s, e, known);
	else
		ok = ok && emit_loops(&l);
	if (!ok) build_fail(s->known);
	halves_free(&l.hoisted);
	halves_free(&l.body);
}
