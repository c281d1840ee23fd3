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
	int at; /* slot, or operand without the index, or number among the constants */
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
	const bool *known; /* of the operands without the index */
	bool *known_out;
	branch *branch;
	int n, nslots, slots_cap;
	slot *slot;
	table chains; /* of slots, by type */
	int *place;   /* of each known operand: 1 + its number among those taken again, or 0 */
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

	for (int k = 0; h && k < w->n; k++) w->branch[k].of = h[k];
	return h;
}

static int results_of(const halves *h) { return h->known->nout - h->nresiduals; }

static bool split_constants(split *w, branch *br)
{
	const program *p = br->of.known;
	bool *none = flags(w->s->known, p->nin), *must = flags(w->s->known, p->nout);

	if (!none || !must) return false;
	for (int i = 0; i < results_of(&br->of); i++) must[i] = true;
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

/* by variable of the known half of a branch: 1 + the input it is, or 0 */
static int *inputs_of(const split *w, const program *p)
{
	int *input = numbers(w->s->known, p->nvars);

	for (int k = 0; input && k < p->nin; k++) input[p->in[k].id] = 1 + k;
	return input;
}

static bool find_residuals(split *w, branch *br)
{
	const program *p = br->of.known;
	const int first = results_of(&br->of), *input = inputs_of(w, p);
	int constants = 0;

	br->residual = arena_array(build_arena(w->s->known), (size_t)br->of.nresiduals + 1,
	                           sizeof *br->residual);
	if (!br->residual || !input) return false;
	for (int i = 0; i < br->of.nresiduals; i++) {
		const var v = p->out[first + i];
		cond_residual *r = &br->residual[i];
		if (br->constant.known_out[first + i])
			*r = (cond_residual){CONSTANT, constants++};
		else if (input[v.id])
			*r = (cond_residual){OF_OPERAND, input[v.id] - 1};
		else
			*r = (cond_residual){IN_SLOT,
			                     find_slot(w, br, slot_type(w, type_of(p, v)))};
		if (r->at < 0) return false;
		if (r->kind == OF_OPERAND && !w->place[r->at]) w->place[r->at] = ++w->ntaken;
	}
	return true;
}

/* known operands -> known results, slots */
static program *known_branch(const split *w, const branch *br)
{
	const int first = results_of(&br->of);
	var *y = NULL;
	build *b = remake(br->of.known, &y);
	var *out = b ? values(b, first + w->nslots) : NULL;

	for (int i = 0; out && i < first; i++) out[i] = y[i];
	for (int i = 0; out && i < br->of.nresiduals; i++)
		if (br->residual[i].kind == IN_SLOT)
			out[first + br->residual[i].at] =
				emit_vary(b, y[first + i], w->slot[br->residual[i].at].of->varying);
	for (int s = 0; out && s < w->nslots; s++)
		out[first + s] = emit_instance(b, out[first + s], w->slot[s].of);
	return remade(b, out, first + w->nslots);
}

/* unknown operands, known operands that are taken again, slots -> unknown results */
static program *unknown_branch(const split *w, const branch *br)
{
	const program *p = br->of.unknown, *known = br->of.known, *constant = br->constant.known;
	const int own = p->nin - br->of.nresiduals;
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	var *in = b ? values(b, own + w->ntaken + w->nslots) : NULL;
	const type **types =
		b ? arena_array(build_arena(b), (size_t)w->ntaken + 1, sizeof *types) : NULL;
	var *x = b ? values(b, p->nin + p->nout + constant->nout) : NULL;
	bool ok = in && x && types;

	for (int i = 0; ok && i < known->nin; i++)
		if (w->place[i]) types[w->place[i] - 1] = type_of(known, known->in[i]);
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
	if (ok && !build_failed(b) && build_inline(b, p, x, x + p->nin, NULL))
		return build_end(b, x + p->nin, p->nout);
	build_abandon(b);
	return NULL;
}

static void emit_halves(split *w)
{
	splitting *s = w->s;
	const int nin = w->e->nin - 1, nout = w->e->nout;
	program **known = programs_room(s->known, w->e), **unknown = programs_room(s->known, w->e);
	var *x = values(s->known, nin + 1), *y = values(s->known, nout + w->nslots);
	var *ux = values(s->unknown, 2 * nin + w->nslots + 1), *uy = values(s->unknown, nout);
	int nx = 0, nu = 0, at = 0;

	if (!known || !unknown || !x || !y || !ux || !uy) return;
	for (int k = 0; k < w->n; k++) {
		known[k] = known_branch(w, &w->branch[k]);
		unknown[k] = unknown_branch(w, &w->branch[k]);
	}
	x[nx++] = s->x_known[0];
	for (int i = 0; i < nin; i++)
		if (w->known[i]) x[nx++] = s->x_known[i + 1];
	const void *params = with_programs(s->known, w->e, known);
	if (params) emit_all(s->known, w->e->prim, params, x, nx, y);
	for (int i = 0; i < nout; i++)
		if (w->known_out[i]) s->y_known[i] = y[at++];
	ux[nu++] = split_carry(s, x[0]);
	for (int i = 0; i < nin; i++)
		if (!w->known[i]) ux[nu++] = s->x_unknown[i + 1];
	for (int i = 1; i < nx; i++)
		if (w->place[i - 1]) ux[nu + w->place[i - 1] - 1] = split_carry(s, x[i]);
	nu += w->ntaken;
	for (int k = 0; k < w->nslots; k++) ux[nu++] = split_carry(s, y[at + k]);
	params = with_programs(s->unknown, w->e, unknown);
	if (params) emit_all(s->unknown, w->e->prim, params, ux, nu, uy);
	at = 0;
	for (int i = 0; i < nout; i++)
		if (!w->known_out[i]) s->y_unknown[i] = uy[at++];
}

void cond_split(splitting *s, const eqn *e, const bool *known, bool *yknown)
{
	split w = {.s = s, .e = e, .known = known + 1, .n = programs_in(e)};
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
