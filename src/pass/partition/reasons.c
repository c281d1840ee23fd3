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
 * to values outside (layout_table.c). */
#include <stdlib.h>
#include "pass/partition/partition.h"

typedef struct decision {
	const layout *at; /* of the values that it is about */
	int axis;
	int round;        /* from 1 on; 0: before them */
	int from;         /* the variable that has the axis, too; 0: the text says it */
	const char *text; /* the row and its factors */
	const char *where;
	int order;        /* of all */
	struct decision *next;
} decision;

struct decisions {
	arena *arena;
	base *base;
	decision *first, **last;
	int n;
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
	new->order = d->n++;
	*d->last = new;
	d->last = &new->next;
}

void decide(decisions *d, const layout *at, int axis, int round, int from, const cutting *c)
{
	const char *text = !d ? NULL : from ? row_text(d, c) : "what it is tied to";

	if (text) add(d, &(decision){at, axis, round + 1, from, text, c->e->where, 0, NULL});
}

void decide_all(decisions *d, const layout *at, const char *text, const char *where)
{
	for (int i = 0; d && i < at->n; i++)
		add(d, &(decision){at, at->axis[i], 0, 0, text, where, 0, NULL});
}

/* ---- the record */

typedef struct recording {
	report *to;
	const decision **of; /* sorted by layout; those of one layout in their order */
	int n;
	const layout_axis *size;
	const mesh *mesh;
} recording;

static void record_places(recording *, const places *, int depth);

static int by_layout(const void *a, const void *b)
{
	const decision *const *x = a, *const *y = b;
	const uintptr_t p = (uintptr_t)(*x)->at, q = (uintptr_t)(*y)->at;

	return p == q ? (*x)->order - (*y)->order : p < q ? -1 : 1;
}

static bool sort_decisions(recording *r, const decisions *d)
{
	r->of = arena_array(d->arena, (size_t)d->n + 1, sizeof(decision *));
	for (const decision *x = r->of ? d->first : NULL; x; x = x->next) r->of[r->n++] = x;
	if (r->n) qsort(r->of, (size_t)r->n, sizeof *r->of, by_layout);
	return r->of;
}

/* the first decision about a layout, and how many there are */
static const decision *const *about(const recording *r, const layout *at, int *n)
{
	int first = 0;

	for (int end = r->n; first < end;) {
		const int middle = first + (end - first) / 2;
		if ((uintptr_t)r->of[middle]->at < (uintptr_t)at) first = middle + 1;
		else end = middle;
	}
	*n = 0;
	while (first + *n < r->n && r->of[first + *n]->at == at) ++*n;
	return r->of + first;
}

static bool same_reason(const decision *a, const decision *b)
{
	return a->from == b->from && a->round == b->round && a->where == b->where &&
	       strcmp(a->text, b->text) == 0;
}

/* axes that one equation brought to the value together have one reason */
static const report_reason *reasons_of(recording *r, const layout *at, int *n)
{
	report *to = r->to;
	int most;
	const decision *const *all = about(r, at, &most);
	report_reason *reason = arena_array(to->arena, (size_t)most + 1, sizeof *reason);

	*n = 0;
	to->lost = to->lost || !reason;
	for (int i = 0, next; reason && i < most; i = next) {
		const decision *d = all[i];
		str axes = {.base = to->base}, as = axes;
		str_put(&axes, r->mesh->axis[d->axis].name);
		for (next = i + 1; next < most && same_reason(d, all[next]); next++)
			str_printf(&axes, ", %s", r->mesh->axis[all[next]->axis].name);
		if (d->from) str_printf(&as, "%%%d", d->from - 1);
		reason[(*n)++] = (report_reason){report_keep(to, &axes),
		                                 d->from ? report_keep(to, &as) : NULL,
		                                 report_keep_text(to, d->text), d->round,
		                                 report_keep_place(to, d->where)};
	}
	return reason;
}

static void append(recording *r, const report_value *is)
{
	report_value *new = arena_copy(r->to->arena, is, sizeof *is);

	r->to->lost = r->to->lost || !new;
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
	str name = {.base = r->to->base}, lies = name;
	report_value value = {.kind = e ? REPORT_MADE : REPORT_INPUT,
	                      .depth = depth,
	                      .made_by = e ? e->prim->name : NULL,
	                      .bytes = item,
	                      .whole_bytes = item * (double)t->size,
	                      .held = in->closed[v.id] ? held : NULL};

	str_printf(&name, "%%%d", v.id - 1);
	layout_text(&lies, at, t->ndim, r->mesh);
	value.name = report_keep(r->to, &name);
	value.type = report_keep_type(r->to, t, in->program->axes, in->program->naxes);
	value.at = report_keep(r->to, &lies);
	value.where = report_keep_place(r->to, e ? e->where : NULL);
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
	const char *held = e->prim == &tsr__prim_shard_map     ? "held, as shard_map gives it"
	                   : e->prim == &tsr__prim_shard_alike ? "held, as what it is alike to"
	                                                       : "held, as a constraint says";

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
	recording r = {.to = p->report, .size = p->size, .mesh = p->fine};

	if (!d) return true;
	if (!sort_decisions(&r, d)) return false;
	record_places(&r, in, 0);
	return !r.to->lost;
}
