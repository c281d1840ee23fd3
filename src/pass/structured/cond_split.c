/* cond_split.c - a choice in two halves. The known choice also returns the residuals that its
 * branches leave for the unknown one.
 *
 * The last operand is unknown. The branch that multiplies by it needs a cosine, which the known
 * choice returns; the other branch returns zero in its place:
 *
 *     pass split 110
 *     f(%0: bool[], %1: f32[], %2: f32[]) -> f32[] {
 *       %3: f32[] = cond %0 %1 %2 branches=[(%0: f32[], %1: f32[]) -> f32[] {
 *         return %1
 *       }, (%0: f32[], %1: f32[]) -> f32[] {
 *         %2: f32[] = cos %0
 *         %3: f32[] = mul %2 %1
 *         return %3
 *       }]
 *       return %3
 *     }
 *     gives
 *     f(%0: bool[], %1: f32[]) -> bool[], f32[] {
 *       %2: f32[] = cond %0 %1 branches=[(%0: f32[]) -> f32[] {
 *         return 0.0:f32
 *       }, (%0: f32[]) -> f32[] {
 *         %1: f32[] = cos %0
 *         return %1
 *       }]
 *       return %0 %2
 *     }
 *     f(%0: f32[], %1: bool[], %2: f32[]) -> f32[] {
 *       %3: f32[] = cond %1 %0 %2 branches=[(%0: f32[], %1: f32[]) -> f32[] {
 *         return %0
 *       }, (%0: f32[], %1: f32[]) -> f32[] {
 *         %2: f32[] = mul %1 %0
 *         return %2
 *       }]
 *       return %3
 *     }
 *
 * Each residual has a slot. Residuals of different branches share a slot if they have one type,
 * because a device takes only one branch; a branch that has nothing for a slot puts zeros there.
 * Known operands are not residuals: the unknown choice takes them itself. Nor is what a branch
 * computes from no operand at all: the unknown choice computes it again (it may vary over fewer
 * axes than a result must). */
#include "pass/structured/structured.h"

typedef enum residual_kind { IN_SLOT, OF_OPERAND, CONSTANT } residual_kind;
typedef struct cond_residual {
	residual_kind kind;
	int at; /* slot, or operand, or number among the constants */
} cond_residual;

typedef struct slot {
	const type *of;
	int next; /* of the same type, or -1 */
} slot;

typedef struct branch {
	halves of;       /* of the branch */
	halves constant; /* the halves of its known half: what needs no operand, and the rest */
	cond_residual *residual;
} branch;

typedef struct split {
	splitting *s;
	const eqn *e;
	const bool *known; /* operands that are */
	bool *known_out;
	branch *branch;
	int n, nslots, slots_cap;
	slot *slot;
	table chains; /* of slots, by type */
	int *place;   /* of each operand: 1 + its number among those taken again, or 0 */
	int ntaken;
} split;

static void split_free(split *w)
{
	for (int k = 0; w->branch && k < w->n; k++) {
		halves_free(&w->branch[k].of);
		halves_free(&w->branch[k].constant);
	}
	table_free(&w->chains, NULL);
}

/* results that one branch does not know are unknown in all */
static bool split_branches(split *w, const bool *known)
{
	bool *stays;
	const halves *h = split_inside(w->s->known, w->e, known, &stays, w->known_out);

	bool ok = h;

	for (int k = 0; h && k < w->n; k++) w->branch[k].of = h[k];
	for (int k = 0; ok && k < w->n; k++)
		ok = halves_trim(&w->branch[k].of, build_arena(w->s->known), NULL);
	return ok;
}

static bool split_constants(split *w, branch *br)
{
	const program *p = br->of.known;
	bool *none = flags(w->s->known, p->nin), *must = flags(w->s->known, p->nout);

	if (!none || !must) return false;
	for (int i = 0; i < known_results(&br->of); i++) must[i] = true;
	return pass_split_pure(p, build_arena(w->s->known), none, must, &br->constant);
}

/* the slots of one type: a chain, and the next one that the residuals of a branch can take */
typedef struct chain {
	const type *of;
	int first, last, next; /* -1: none */
	const branch *at;
} chain;

static bool same_chain(const void *entry, const void *key)
{
	return ((const chain *)entry)->of == key;
}

static chain *find_chain(split *w, const branch *br, const type *t)
{
	chain *c = table_find(&w->chains, t->hash, same_chain, t);

	if (!c) {
		c = arena_alloc(build_arena(w->s->known), sizeof *c);
		if (!c || !table_add(&w->chains, t->hash, c)) return NULL;
		*c = (chain){.of = t, .first = -1, .last = -1};
	}
	if (c->at != br) c->next = c->first;
	c->at = br;
	return c;
}

/* a slot of this type that the branch has not used; -1: no memory */
static int find_slot(split *w, const branch *br, const type *t)
{
	chain *c = t ? find_chain(w, br, t) : NULL;

	if (!c) return -1;
	const int known = c->next;
	if (known >= 0) {
		c->next = w->slot[known].next;
		return known;
	}
	const int made = w->nslots++;
	w->slot[made] = (slot){t, -1};
	if (c->last >= 0) w->slot[c->last].next = made;
	if (c->first < 0) c->first = made;
	c->last = made;
	return made;
}

/* Everything that leaves a choice varies at least as its index does. If a branch in an unchecked
 * region has made a value equal on devices (by a gather to invarying), it varies in its slot all
 * the same, and is declared equal again afterwards */
static const type *slot_type(const split *w, const type *t)
{
	return type_vary(build_ir(w->s->known), t, t->varying | w->s->in[0]->varying);
}

static var again(build *b, var slot, const type *t)
{
	return emit_equal(b, slot, build_type(b, slot)->varying & ~t->varying);
}

static bool find_residuals(split *w, branch *br)
{
	const program *p = br->of.known;
	const int which = (int)(br - w->branch), first = known_results(&br->of);
	const int *operand = residual_operands(w->s->known, w->e, which, &br->of, w->known);
	int constants = 0;

	br->residual = arena_array(build_arena(w->s->known), (size_t)br->of.nresiduals + 1,
	                           sizeof *br->residual);
	if (!br->residual || !operand) return false;
	for (int i = 0; i < br->of.nresiduals; i++) {
		const type *t = type_of(p, p->out[first + i]);
		cond_residual *r = &br->residual[i];
		if (br->constant.known_out[first + i])
			*r = (cond_residual){CONSTANT, constants++};
		else if (operand[i] >= 0)
			*r = (cond_residual){OF_OPERAND, operand[i]};
		else
			*r = (cond_residual){IN_SLOT, find_slot(w, br, slot_type(w, t))};
		if (r->at < 0) return false;
		if (r->kind == OF_OPERAND && !w->place[r->at]) w->place[r->at] = ++w->ntaken;
	}
	return true;
}

/* known operands -> known results, slots */
static program *known_branch(const split *w, const branch *br)
{
	const int first = known_results(&br->of);
	var *y = NULL;
	build *b = remake(br->of.known, &y);
	var *out = b ? var_room(b, first + w->nslots) : NULL;

	for (int i = 0; out && i < first; i++) out[i] = y[i];
	for (int i = 0; out && i < br->of.nresiduals; i++)
		if (br->residual[i].kind == IN_SLOT)
			out[first + br->residual[i].at] =
				emit_vary(b, y[first + i], w->slot[br->residual[i].at].of->varying);
	for (int s = 0; out && s < w->nslots; s++)
		out[first + s] = emit_instance(b, out[first + s], w->slot[s].of);
	return remade(b, true, out, first + w->nslots);
}

/* unknown operands, known operands that are taken again, slots -> unknown results */
static program *unknown_branch(const split *w, const branch *br)
{
	const program *p = br->of.unknown, *known = br->of.known, *constant = br->constant.known;
	const int own = p->nin - br->of.nresiduals;
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	var *in = b ? var_room(b, own + w->ntaken + w->nslots) : NULL;
	const type **types =
		b ? arena_array(build_arena(b), (size_t)w->ntaken + 1, sizeof *types) : NULL;
	var *x = b ? var_room(b, p->nin + p->nout + constant->nout) : NULL;
	bool ok = in && x && types;

	for (int i = 1, k = 0; ok && i < w->e->nin; k += w->known[i++])
		if (w->place[i]) types[w->place[i] - 1] = type_of(known, known->in[k]);
	for (int i = 0; ok && i < own; i++)
		ok = (x[i] = in[i] = build_input(b, type_of(p, p->in[i]))).id;
	for (int i = 0; ok && i < w->ntaken; i++) ok = (in[own + i] = build_input(b, types[i])).id;
	for (int s = 0; ok && s < w->nslots; s++)
		ok = (in[own + w->ntaken + s] = build_input(b, w->slot[s].of)).id;
	var *made = x ? x + p->nin + p->nout : NULL;
	ok = ok && build_inline(b, constant, NULL, made, NULL);
	for (int i = 0; ok && i < br->of.nresiduals; i++) {
		const cond_residual *r = &br->residual[i];
		x[own + i] = r->kind == CONSTANT     ? made[r->at]
		             : r->kind == OF_OPERAND ? in[own + w->place[r->at] - 1]
		                                     : again(b, in[own + w->ntaken + r->at],
		                                             type_of(p, p->in[own + i]));
	}
	ok = ok && !build_failed(b) && build_inline(b, p, x, x + p->nin, NULL);
	return remade(b, ok, x ? x + p->nin : x, p->nout);
}

static void emit_known(const split *w, program **branch, var *slot)
{
	const eqn *e = w->e;
	const splitting *s = w->s;
	rebuilt to;

	if (!rebuild_begin(&to, s->known, e, e->nin, e->nout + w->nslots)) return;
	for (int i = 0; i < e->nin; i++)
		if (w->known[i]) rebuild_takes(&to, operand_role(e, i), s->x_known[i]);
	for (int k = 0; k < e->nout; k++)
		if (w->known_out[k]) rebuild_gives(&to, result_role(e, k), &s->y_known[k]);
	for (int k = 0; k < w->nslots; k++)
		rebuild_gives(&to, gives_as(e, EDGE_SAME, NULL), &slot[k]);
	for (int k = 0; k < w->n; k++) branch[k] = known_branch(w, &w->branch[k]);
	rebuild_put(&to, branch);
}

static void emit_unknown(const split *w, program **branch, const var *slot)
{
	const eqn *e = w->e;
	splitting *s = w->s;
	const role same = takes_as(e, EDGE_SAME, NULL);
	var *again = var_room(s->unknown, w->ntaken);
	rebuilt to;

	if (!again || !rebuild_begin(&to, s->unknown, e, 2 * e->nin + w->nslots, e->nout)) return;
	rebuild_takes(&to, operand_role(e, 0), split_carry(s, s->x_known[0]));
	for (int i = 1; i < e->nin; i++) {
		if (!w->known[i]) rebuild_takes(&to, same, s->x_unknown[i]);
		if (w->place[i]) again[w->place[i] - 1] = split_carry(s, s->x_known[i]);
	}
	for (int k = 0; k < w->ntaken; k++) rebuild_takes(&to, same, again[k]);
	for (int k = 0; k < w->nslots; k++) rebuild_takes(&to, same, split_carry(s, slot[k]));
	for (int k = 0; k < e->nout; k++)
		if (!w->known_out[k]) rebuild_gives(&to, result_role(e, k), &s->y_unknown[k]);
	for (int k = 0; k < w->n; k++) branch[k] = unknown_branch(w, &w->branch[k]);
	rebuild_put(&to, branch);
}

static void emit_halves(const split *w)
{
	program **branch = room_inside(w->s->known, w->e, sizeof *branch);
	var *slot = var_room(w->s->known, w->nslots);

	if (!branch || !slot) return;
	emit_known(w, branch, slot);
	emit_unknown(w, branch, slot);
}

void cond_split(splitting *s, const eqn *e, const bool *known, bool *yknown)
{
	split w = {.s = s, .e = e, .known = known, .n = programs_in(e)};
	arena *a = build_arena(s->known);
	bool ok = true;

	w.chains.base = build_base(s->known);
	if (!known[0]) {
		split_whole(s, e, known);
		return;
	}
	w.known_out = yknown;
	w.branch = arena_array(a, (size_t)w.n, sizeof *w.branch);
	w.place = numbers(s->known, e->nin);
	ok = w.branch && w.place && split_branches(&w, known);
	for (int k = 0; ok && k < w.n; k++) w.slots_cap += w.branch[k].of.nresiduals;
	ok = ok && (w.slot = arena_array(a, (size_t)w.slots_cap + 1, sizeof *w.slot));
	for (int k = 0; ok && k < w.n; k++)
		ok = split_constants(&w, &w.branch[k]) && find_residuals(&w, &w.branch[k]);
	if (ok)
		emit_halves(&w);
	else
		build_fail(s->known);
	split_free(&w);
}
