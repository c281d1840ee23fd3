/* decided.c - why values are where propagation has them, as text: what TSR_DEBUG=P asks for.
 *
 *     pass decisions
 *     f(%0: f32[8,6], %1: f32[6,4]) -> f32[4] {
 *       %2: f32[8,6] = sharding_constraint %0 mesh=(x:2) to=[[x]] open=[]
 *       %3: f32[8,4] = dot_general %2 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *             dtype=f32
 *       %4: f32[4] = reduce_sum %3 dims=[0]
 *       return %4
 *     }
 *     gives
 *     where propagation has the values of f, over Mesh('x': 2):
 *       %0: f32[8,6] [x,-]: x as %2, by sharding_constraint ab->ab, round 1
 *       %1: f32[6,4] [-,-]: nothing cuts it
 *       %2: f32[8,6] [x,-]: held, as a constraint says
 *       %3: f32[8,4] [x,-]: x as %2, by dot_general ab,bc->ac | b sum, round 3
 *       %4: f32[4] [-]: nothing cuts it
 *
 * propagate.c says of each axis along which it cuts a value what decided it: the equation with its
 * factors, the value that had the axis already, and the round. What an earlier round decides, a
 * later one does not change. The inputs of programs inside equations, and what these give, are tied
 * to values outside (places.c). */
#include "pass/partition/partition.h"

typedef struct decision {
	const layout *at; /* of the values that it is about */
	int axis;
	int round;        /* from 1 on; 0: before them */
	int from;         /* the variable that has the axis, too; 0: the text says it */
	const char *text; /* the row and its factors */
	const char *where;
	struct decision *next;
} decision;

struct decisions {
	arena *arena;
	base *base;
	decision *first, **last;
	bool lost; /* there was no memory */
};

bool decisions_begin(partitioning *p, decisions **to)
{
	*to = NULL;
	if (!debugs(p->ir, 'P')) return true;
	if (!(*to = arena_alloc(p->scratch, sizeof **to))) return false;
	**to = (decisions){.arena = p->scratch, .base = p->bs};
	(*to)->last = &(*to)->first;
	return true;
}

bool decisions_lost(const decisions *d) { return d && d->lost; }

/* "dot_general ab,bc->ac | b sum" */
static const char *row_text(decisions *d, const cutting *c)
{
	const int n = c->e->nin + c->e->nout;
	int *ndims = arena_array(d->arena, (size_t)n + 1, sizeof *ndims);
	str s = {.base = d->base};

	for (int v = 0; ndims && v < n; v++) ndims[v] = c->type[v]->ndim;
	str_printf(&s, "%s ", c->e->prim->name);
	if (ndims) factors_text(&s, &c->f, c->e->nin, ndims, n);
	const char *text = ndims && s.s && !s.lost ? arena_str(d->arena, s.s) : NULL;
	str_free(&s);
	d->lost = d->lost || !text;
	return text;
}

static void add(decisions *d, const decision *is)
{
	decision *new = arena_copy(d->arena, is, sizeof *is);

	d->lost = d->lost || !new;
	if (!new) return;
	*d->last = new;
	d->last = &new->next;
}

void decide(decisions *d, const layout *at, int axis, int round, int from, const cutting *c)
{
	const char *text = !d ? NULL : from ? row_text(d, c) : "what it is tied to";

	if (text) add(d, &(decision){at, axis, round + 1, from, text, c->e->where, NULL});
}

void decide_all(decisions *d, const layout *at, const char *text, const char *where)
{
	for (int i = 0; d && i < at->n; i++)
		add(d, &(decision){at, at->axis[i], 0, 0, text, where, NULL});
}

/* ---- the text */

typedef struct report {
	str s;
	const decisions *d;
	const mesh *mesh;
} report;

static void put_places(report *r, const places *in, int indent);

static const decision *next_about(const decision *d, const layout *at)
{
	while (d && d->at != at) d = d->next;
	return d;
}

static bool same_reason(const decision *a, const decision *b)
{
	return a->from == b->from && a->round == b->round && a->where == b->where &&
	       strcmp(a->text, b->text) == 0;
}

static void put_reason(str *s, const decision *d)
{
	if (d->from)
		str_printf(s, " as %%%d, by %s", d->from - 1, d->text);
	else
		str_printf(s, " as %s", d->text);
	if (d->round) str_printf(s, ", round %d", d->round);
	if (d->where) str_printf(s, ", at %s", base_name(d->where));
}

/* "x, y as %0, by ...; z as %1, by ..." */
static void put_reasons(report *r, const layout *at, const char *first)
{
	const decision *d = next_about(r->d->first, at), *next;

	if (!d && !*first) str_put(&r->s, "nothing cuts it");
	for (; d; d = next, first = "; ") {
		next = next_about(d->next, at);
		str_printf(&r->s, "%s%s", first, r->mesh->axis[d->axis].name);
		for (; next && same_reason(d, next); next = next_about(next->next, at))
			str_printf(&r->s, ", %s", r->mesh->axis[next->axis].name);
		put_reason(&r->s, d);
	}
}

/* held: why it is, if it is */
static void put_value(report *r, const places *in, var v, const char *held, int indent)
{
	const type *t = type_of(in->program, v);
	const layout *at = in->at[v.id];

	if (!in->closed[v.id]) held = NULL;
	str_printf(&r->s, "%*s%%%d: ", indent, "", v.id - 1);
	type_text(&r->s, t, in->program->axes, in->program->naxes);
	str_put(&r->s, " ");
	layout_text(&r->s, at, t->ndim, r->mesh);
	str_printf(&r->s, ": %s", held ? held : "");
	put_reasons(r, at, held ? "; " : "");
	str_put(&r->s, "\n");
}

static void put_equation(report *r, const places *in, int i, int indent)
{
	const eqn *e = &in->program->eqns[i];
	const inside *k = in->inside[i];
	const bool map = e->prim == &tsr__prim_shard_map;
	const char *held = map ? "held, as shard_map gives it" : "held, as a constraint says";

	for (int j = 0; j < e->nout; j++) put_value(r, in, e->out[j], held, indent);
	for (int n = 0; k && n < k->n; n++) {
		str_printf(&r->s, "%*sinside %s:\n", indent, "", e->prim->name);
		put_places(r, &k->program[n], indent + 2);
	}
}

static void put_places(report *r, const places *in, int indent)
{
	const program *p = in->program;

	for (int i = 0; i < p->nin; i++)
		put_value(r, in, p->in[i], "held, where the caller has it", indent);
	for (int i = 0; i < p->neqns; i++) put_equation(r, in, i, indent);
}

void decisions_print(const decisions *d, const places *in, const mesh *m)
{
	const char *name = in->program->name;
	report r = {.s = {.base = d ? d->base : NULL}, .d = d, .mesh = m};

	if (!d) return;
	str_printf(&r.s, "where propagation has the values of %s, over ",
	           name ? name : "a program");
	mesh_text(&r.s, m);
	str_put(&r.s, ":\n");
	put_places(&r, in, 2);
	debug_text(&r.s);
}
