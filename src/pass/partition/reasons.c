/* reasons.c - records why values are where propagation has them (pass/report/). TSR_DEBUG=P prints
 * it:
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
	if (!p->report) return true;
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

/* ---- the record */

typedef struct recording {
	report *to;
	const decisions *d;
	const layout_axis *size;
	const mesh *mesh;
	bool lost;
} recording;

static void record_places(recording *, const places *, int depth);

/* the text, kept in the record; it is freed here */
static const char *kept(recording *r, str *s)
{
	const char *text = s->lost ? NULL : arena_str(r->to->arena, s->s ? s->s : "");

	str_free(s);
	r->lost = r->lost || !text;
	return text;
}

static const char *kept_text(recording *r, const char *text)
{
	str s = {.base = r->to->base};

	str_put(&s, text);
	return kept(r, &s);
}

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

/* axes that one equation brought to the value together have one reason */
static const report_reason *reasons_of(recording *r, const layout *at, int *n)
{
	const decision *first = next_about(r->d->first, at);
	int most = 0;

	*n = 0;
	for (const decision *d = first; d; d = next_about(d->next, at)) most++;
	report_reason *to = arena_array(r->to->arena, (size_t)most + 1, sizeof *to);
	for (const decision *d = to ? first : NULL, *next; d; d = next) {
		str axes = {.base = r->to->base}, as = {.base = r->to->base};
		str_put(&axes, r->mesh->axis[d->axis].name);
		next = next_about(d->next, at);
		for (; next && same_reason(d, next); next = next_about(next->next, at))
			str_printf(&axes, ", %s", r->mesh->axis[next->axis].name);
		if (d->from) str_printf(&as, "%%%d", d->from - 1);
		to[(*n)++] = (report_reason){kept(r, &axes), d->from ? kept(r, &as) : NULL,
		                             kept_text(r, d->text), d->round,
		                             d->where ? kept_text(r, base_name(d->where)) : NULL};
	}
	r->lost = r->lost || !to;
	return to;
}

static void append(recording *r, const report_value *is)
{
	report_value *new = arena_copy(r->to->arena, is, sizeof *is);

	r->lost = r->lost || !new;
	if (!new) return;
	*r->to->last_value = new;
	r->to->last_value = &new->next;
}

/* e: the equation that makes it; NULL: an input. held: why it is where it is, if it is held */
static void record_value(recording *r, const places *in, var v, const eqn *e, const char *held,
                         int depth)
{
	const type *t = type_of(in->program, v);
	const layout *at = in->at[v.id];
	const double item = (double)tsr_dtype_size(t->dtype);
	str name = {.base = r->to->base}, type = name, lies = name;
	report_value value = {.kind = e ? REPORT_MADE : REPORT_INPUT,
	                      .depth = depth,
	                      .made_by = e ? e->prim->name : NULL,
	                      .bytes = item,
	                      .whole_bytes = item * (double)t->size,
	                      .held = in->closed[v.id] ? held : NULL};

	str_printf(&name, "%%%d", v.id - 1);
	type_text(&type, t, in->program->axes, in->program->naxes);
	layout_text(&lies, at, t->ndim, r->mesh);
	value.name = kept(r, &name);
	value.type = kept(r, &type);
	value.at = kept(r, &lies);
	value.where = e && e->where ? kept_text(r, base_name(e->where)) : NULL;
	for (int d = 0; d < t->ndim; d++)
		value.bytes *= (double)layout_block(at, r->size, t->dims, d);
	for (int i = 0; i < in->program->nout; i++)
		value.is_result = value.is_result || in->program->out[i].id == v.id;
	value.reason = reasons_of(r, at, &value.nreasons);
	append(r, &value);
}

static void record_equation(recording *r, const places *in, int i, int depth)
{
	const eqn *e = &in->program->eqns[i];
	const inside *k = in->inside[i];
	const bool map = e->prim == &tsr__prim_shard_map;
	const char *held = map ? "held, as shard_map gives it" : "held, as a constraint says";

	for (int j = 0; j < e->nout; j++) record_value(r, in, e->out[j], e, held, depth);
	for (int n = 0; k && n < k->n; n++) {
		append(r, &(report_value){
				  .kind = REPORT_PROGRAM, .depth = depth, .name = e->prim->name});
		record_places(r, &k->program[n], depth + 1);
	}
}

static void record_places(recording *r, const places *in, int depth)
{
	const program *p = in->program;

	for (int i = 0; i < p->nin; i++)
		record_value(r, in, p->in[i], NULL, "held, where the caller has it", depth);
	for (int i = 0; i < p->neqns; i++) record_equation(r, in, i, depth);
}

bool decisions_record(const partitioning *p, const decisions *d, const places *in)
{
	recording r = {p->report, d, p->size, p->fine, false};

	if (d) record_places(&r, in, 0);
	return !r.lost;
}
