/* collectives.c - records the collectives that partition makes, and their reasons (pass/report/).
 * TSR_DEBUG=C prints it:
 *
 *     pass collectives
 *     f(%0: f32[8,6], %1: f32[6,4]) -> f32[8,4] {
 *       %2: f32[8,6] = sharding_constraint %0 mesh=(x:2,y:3) to=[[x,y]] open=[]
 *       %3: f32[8,4] = dot_general %2 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *             dtype=f32
 *       %4: f32[8,4] = sharding_constraint %3 mesh=(x:2,y:3) to=[[]] open=[]
 *       return %4
 *     }
 *     gives
 *     the collectives that partition made for f, over Mesh('x': 2, 'y': 3):
 *       psum over y: f32[8,4], [x,-] sum y -> [x,-], 85 bytes, 0.5 us
 *       all_gather over x: f32[8,4], [x,-] -> [-,-], 64 bytes, 0.5 us
 *     2 in all: each device receives 149 bytes, 1.0 us by the planner's numbers
 *
 * The equations that a walk has appended are looked at after each of its steps. The exchanges among
 * them were made here, unless they are copies of the user's own collectives, which are skipped. An
 * exchange in a scan counts for each of its steps; how often a while turns nobody knows.
 *
 * Exchanges that no result needs are not there in the end, and not recorded. The blocks of %3 would
 * need an exchange, but nobody wants them: the windows are taken from %2.
 *
 *     pass collectives
 *     f(%0: f32[8], %1: f32[]) -> f32[8,3] {
 *       %2: f32[8] = sharding_constraint %0 mesh=(x:4) to=[[x]] open=[]
 *       %3: f32[10] = pad %2 %1 low=[1] high=[1] interior=[0]
 *       %4: f32[8,3] = patches %3 along=[0] sizes=[3] strides=[1] dilations=[1]
 *       return %4
 *     }
 *     gives
 *     the collectives that partition made for f, over Mesh('x': 4):
 *       ppermute over x: f32[1]{x} -> f32[1]{x}, 4 bytes, 0.5 us
 *       ppermute over x: f32[1]{x} -> f32[1]{x}, 4 bytes, 0.5 us
 *     2 in all: each device receives 8 bytes, 1.0 us by the planner's numbers */
#include "pass/partition/partition.h"

void record_inside(partitioning *own, const eqn *e)
{
	own->recorded = 0;
	if (own->report) own->build_number = ++own->report->builds;
	if (e->prim == &tsr__prim_scan)
		own->turns *= (double)((const scan_params *)e->params)->length;
	own->in_while = own->in_while || e->prim == &tsr__prim_while;
}

void record_copied(partitioning *p) { p->recorded = build_neqns(p->b); }

/* ---- for what it is */

/* why the row that asks needs a dim whole that is to be gathered; NULL: it does not say */
static const char *whole_reason(const ask *a, const layout *from, const layout *to)
{
	const cutting *c = a->cut;

	if (a->kind == ASK_WHOLE) {
		const char *row = a->e->prim->no_rule[COL_FACTORS];
		return row ? row : "no dim of its results is cut as its operands are";
	}
	for (int i = 0; a->kind == ASK_OPERAND && c && from && i < c->f.nslots; i++) {
		const int dim = c->f.slot[i].dim, factor = c->f.slot[i].factor;
		if (c->f.slot[i].value == a->operand && axes_in(to, dim) < axes_in(from, dim) &&
		    c->f.kind[factor] == FACTOR_REPLICATE)
			return c->f.why[factor];
	}
	return NULL;
}

static void put_why(str *s, const ask *a)
{
	const char *row = a->e ? a->e->prim->name : "";

	switch (a->kind) {
	case ASK_OPERAND: str_printf(s, "operand %d of %s", a->operand, row); return;
	case ASK_WHOLE:
		str_printf(s, "operand %d of %s, which each device computes whole", a->operand,
		           row);
		return;
	case ASK_TERMS: str_printf(s, "the terms of %s, which devices hold parts of", row); return;
	case ASK_BLOCKS: str_printf(s, "%s, whose blocks need elements of others", row); return;
	case ASK_CONSTRAINT: str_put(s, "a constraint"); return;
	case ASK_MODEL: str_put(s, "a value that is placed like another one"); return;
	case ASK_MAP: str_printf(s, "operand %d of shard_map", a->operand); return;
	case ASK_MAP_RESULT: str_printf(s, "result %d of shard_map", a->operand); return;
	case ASK_INSIDE: str_printf(s, "operand %d of %s", a->operand, row); return;
	case ASK_RESULT: str_printf(s, "result %d", a->operand); return;
	case ASK_NOTHING: str_put(s, "the program"); return;
	}
}

static void put_cure(str *s, const ask *a, const char *whole, const char *from, const char *to)
{
	switch (a->kind) {
	case ASK_OPERAND:
	case ASK_INSIDE:
	case ASK_MAP:
		if (whole)
			str_put(s, "cut another dim of it");
		else if (from)
			str_printf(s, "make it %s where it is made, or the others as it is, %s",
			           to, from);
		return;
	case ASK_WHOLE:
		str_put(s, "keep it whole from the beginning, or write this in a tsr_shard_map");
		return;
	case ASK_TERMS:
		str_put(s, "cut a dim that is not summed, or want the result in parts");
		return;
	case ASK_BLOCKS: str_put(s, "cut another dim"); return;
	case ASK_CONSTRAINT:
		str_printf(s, "have it %s from the beginning, or leave out the constraint",
		           to ? to : "there");
		return;
	case ASK_MODEL: str_put(s, "place the model as the value is"); return;
	case ASK_MAP_RESULT:
	case ASK_RESULT:
		str_printf(s, "take it as it is%s%s", from ? ", " : "", from ? from : "");
		return;
	case ASK_NOTHING: return;
	}
}

/* ---- the walk */

static const char *layout_kept(partitioning *p, const layout *l, int ndim)
{
	str s = {.base = p->bs};

	layout_text(&s, l, ndim, p->fine);
	return report_keep(p->report, &s);
}

static double bytes_of(partitioning *p, const eqn *e)
{
	const type **t = arena_array(p->scratch, (size_t)(e->nin + e->nout) + 1, sizeof *t);

	for (int i = 0; t && i < e->nin; i++) t[i] = build_type(p->b, e->in[i]);
	for (int i = 0; t && i < e->nout; i++) t[e->nin + i] = build_type(p->b, e->out[i]);
	return t ? eqn_received(e, t, t + e->nin, p->axes) : 0;
}

/* the layouts of a whole are not known where a row exchanges between blocks of its own */
static bool record_one(partitioning *p, const eqn *e, const type *whole, const layout *from,
                       const layout *to)
{
	report *r = p->report;
	const ints *axes = &((const collective *)e->params)->axes;
	const char *where = e->where ? e->where : p->where;
	str why = {.base = p->bs}, cure = why;

	const type *before = build_type(p->b, e->in[0]), *behind = build_type(p->b, e->out[0]);
	const double bytes = bytes_of(p, e);
	report_move *m = arena_alloc(r->arena, sizeof *m);
	if (!m) return false;
	*m = (report_move){.row = e->prim->name,
	                   .axes = report_keep_axes(r, p->axes, axes),
	                   .type = report_keep_type(r, from ? whole : before, p->axes, p->naxes),
	                   .from = from ? layout_kept(p, from, whole->ndim) : NULL,
	                   .to = from ? layout_kept(p, to, whole->ndim) : NULL,
	                   .becomes = from ? NULL
	                                   : report_keep_type(r, behind, p->axes, p->naxes),
	                   .bytes = bytes,
	                   .ns = collectives_ns(axes_level(p->axes, axes), 1, bytes),
	                   .times = p->turns,
	                   .in_while = p->in_while,
	                   .where = report_keep_place(r, where),
	                   .whole = whole_reason(&p->ask, from, to),
	                   .build = p->build_number,
	                   .eqn = p->recorded};
	put_why(&why, &p->ask);
	put_cure(&cure, &p->ask, m->whole, m->from, m->to);
	m->why = report_keep(r, &why);
	m->cure = report_keep(r, &cure);
	m->number = ++r->nmoves;
	*r->last_move = m;
	r->last_move = &m->next;
	build_set_cause(p->b, p->recorded, m->number);
	return !r->lost;
}

bool record_moved(partitioning *p, const type *whole, const layout *from, const layout *to)
{
	bool ok = true;

	for (; p->report && ok && p->recorded < build_neqns(p->b); p->recorded++) {
		const eqn *e = build_eqn_at(p->b, p->recorded);
		if (eqn_exchanges(e) && e->prim != &tsr__prim_assume_equal)
			ok = record_one(p, e, whole, from, to);
	}
	return ok;
}

bool record_rest(partitioning *p) { return record_moved(p, NULL, NULL, NULL); }

/* by equation: does a result need it, or has it effects? */
static bool *needed_eqns(partitioning *p, const var *out, int nout)
{
	const int n = build_neqns(p->b);
	int most = 0; /* the last value that an equation makes */

	for (int i = 0; i < n; i++) {
		const eqn *e = build_eqn_at(p->b, i);
		for (int j = 0; j < e->nout; j++) most = e->out[j].id > most ? e->out[j].id : most;
	}
	bool *eqns = arena_array(p->scratch, (size_t)n + 1, sizeof *eqns);
	bool *vars = arena_array(p->scratch, (size_t)most + 1, sizeof *vars);
	if (!eqns || !vars) return NULL;
	for (int i = 0; i < nout; i++)
		if (out[i].id <= most) vars[out[i].id] = true;
	for (int i = n; i-- > 0;) {
		const eqn *e = build_eqn_at(p->b, i);
		eqns[i] = eqn_has_effects(e);
		for (int j = 0; j < e->nout; j++) eqns[i] = eqns[i] || vars[e->out[j].id];
		for (int j = 0; eqns[i] && j < e->nin; j++)
			if (e->in[j].id <= most) vars[e->in[j].id] = true;
	}
	return eqns;
}

bool record_needed(partitioning *p, const var *out, int nout)
{
	report *r = p->report;
	const bool *needed = r ? needed_eqns(p, out, nout) : NULL;

	for (report_move **m = r ? &r->first_move : NULL; needed && *m;) {
		if ((*m)->build == p->build_number && !needed[(*m)->eqn])
			*m = (*m)->next;
		else
			m = &(*m)->next;
	}
	if (needed)
		for (r->last_move = &r->first_move; *r->last_move;)
			r->last_move = &(*r->last_move)->next;
	return !r || needed;
}
