/* scan_split.c - splits a loop of known length into a known and an unknown one. The known loop
 * stacks what the unknown one needs from each step.
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
#include "pass/structured/structured.h"

typedef struct scan_residual {
	int operand;  /* the known operand that it is, or a slice of; -1: none */
	int constant; /* its number among the results of the hoisted program, or -1 */
	var stacked;  /* the slices of all steps, if it is neither */
} scan_residual;

typedef struct loops {
	splitting *s;
	const eqn *e;
	const bool *known; /* operands that are */
	bool *stays;       /* the same without what is carried and becomes unknown */
	halves body;       /* of the scan's body */
	halves hoisted;    /* of the known one: from constants alone, and the rest */
	scan_residual *residual;
	var *constants; /* results of what was hoisted, in the known half */
} loops;

static bool is_same(const loops *l, int operand)
{
	return operand_role(l->e, operand).of->kind == EDGE_SAME;
}

/* what a step can compute again from what it keeps is not stacked */
static bool trim(loops *l)
{
	bool *same = flags(l->s->known, l->body.known->nin);
	int n = 0;

	if (!same) return false;
	for (int i = 0; i < l->e->nin; i++)
		if (l->stays[i]) same[n++] = is_same(l, i);
	return halves_trim(&l->body, build_arena(l->s->known), same);
}

/* splits the known half of the body once more: which residuals depend on its constants alone? */
static bool hoist(loops *l)
{
	const program *p = l->body.known;
	build *b = l->s->known;
	bool *constant = flags(b, p->nin), *must = flags(b, p->nout);
	int n = 0;

	if (!constant || !must) return false;
	for (int i = 0; i < l->e->nin; i++)
		if (l->stays[i]) constant[n++] = is_same(l, i);
	for (int k = 0; k < known_results(&l->body); k++) must[k] = true;
	return pass_split_pure(p, build_arena(b), constant, must, &l->hoisted);
}

static bool find_residuals(loops *l)
{
	build *b = l->s->known;
	const bool *constant = l->hoisted.known_out + known_results(&l->body);
	const int *operand = residual_operands(b, l->e, 0, &l->body, l->stays);
	int n = 0;

	l->residual = arena_array(build_arena(b), (size_t)l->body.nresiduals + 1,
	                          sizeof *l->residual);
	if (!l->residual || !operand) return false;
	for (int i = 0; i < l->body.nresiduals; i++)
		l->residual[i] = (scan_residual){operand[i], constant[i] ? n++ : -1, {0}};
	return true;
}

/* emits what was hoisted: residuals of the scan's body, then what the known loop reads of it */
static bool emit_hoisted(loops *l)
{
	build *b = l->s->known;
	const program *p = l->hoisted.known;
	var *x = var_room(b, l->e->nin);
	int n = 0;

	l->constants = var_room(b, p->nout);
	if (!x || !l->constants) return false;
	for (int i = 0; i < l->e->nin; i++)
		if (l->stays[i] && is_same(l, i)) x[n++] = l->s->x_known[i];
	return build_inline(b, p, x, l->constants, NULL);
}

/* The body of the known loop is hoisted.unknown: it takes carry and xs, then constants, and gives
 * carry, ys, and the residuals that are not constants */
static bool emit_known(loops *l)
{
	const eqn *e = l->e;
	build *b = l->s->known;
	rebuilt to;

	if (!rebuild_begin(&to, b, e, e->nin + l->hoisted.nresiduals,
	                   e->nout + l->body.nresiduals))
		return false;
	for (int i = 0; i < e->nin; i++)
		if (l->stays[i] && !is_same(l, i))
			rebuild_takes(&to, operand_role(e, i), l->s->x_known[i]);
	for (int i = 0; i < l->hoisted.nresiduals; i++)
		rebuild_takes(&to, takes_as(e, EDGE_SAME, NULL),
		              l->constants[known_results(&l->hoisted) + i]);
	for (int k = 0; k < e->nout; k++)
		if (l->body.known_out[k]) rebuild_gives(&to, result_role(e, k), &l->s->y_known[k]);
	for (int i = 0; i < l->body.nresiduals; i++) {
		scan_residual *r = &l->residual[i];
		const role none = {0}, slice = gives_as(e, EDGE_SLICE, NULL);
		if (r->constant < 0) rebuild_gives(&to, r->operand < 0 ? slice : none, &r->stacked);
	}
	rebuild_put(&to, (program *[]){retained(l->hoisted.unknown)});
	return true;
}

/* the unknown loop takes an operand: an initial carry may be known */
static void take_operand(const loops *l, rebuilt *to, int i)
{
	rebuild_takes(to, operand_role(l->e, i),
	              l->known[i] ? split_carry(l->s, l->s->x_known[i]) : l->s->x_unknown[i]);
}

static void take_residual(const loops *l, rebuilt *to, const scan_residual *r)
{
	const bool constant = r->constant >= 0;

	if (r->operand >= 0)
		take_operand(l, to, r->operand);
	else
		rebuild_takes(to, takes_as(l->e, constant ? EDGE_SAME : EDGE_SLICE, NULL),
		              split_carry(l->s,
		                          constant ? l->constants[r->constant] : r->stacked));
}

static bool emit_unknown(loops *l)
{
	const eqn *e = l->e;
	rebuilt to;

	if (!rebuild_begin(&to, l->s->unknown, e, e->nin + l->body.nresiduals, e->nout))
		return false;
	for (int i = 0; i < e->nin; i++)
		if (!l->stays[i]) take_operand(l, &to, i);
	for (int i = 0; i < l->body.nresiduals; i++) take_residual(l, &to, &l->residual[i]);
	for (int k = 0; k < e->nout; k++)
		if (!l->body.known_out[k])
			rebuild_gives(&to, result_role(e, k), &l->s->y_unknown[k]);
	rebuild_put(&to, (program *[]){retained(l->body.unknown)});
	return true;
}

static bool emit_loops(loops *l)
{
	return trim(l) && hoist(l) && find_residuals(l) && emit_hoisted(l) && emit_known(l) &&
	       emit_unknown(l);
}

/* is nothing computed from what is known? */
static bool nothing_known(const loops *l)
{
	return !known_results(&l->body) && !l->body.known->neqns;
}

void scan_split(splitting *s, const eqn *e, const bool *known, bool *yknown)
{
	loops l = {.s = s, .e = e, .known = known};
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
