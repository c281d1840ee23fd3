/* program.c - creates and frees programs, and answers questions about equations and rows. */
#include "program/program.h"

void program_retain(const program *p)
{
	program *counted = (program *)(uintptr_t)p;

	atomic_fetch_add_explicit(&counted->refs, 1, memory_order_relaxed);
}

/* the program is in its own arena; inner programs are released by what params_copy deferred */
void program_release(const program *p)
{
	program *counted = (program *)(uintptr_t)p;

	if (!p || atomic_fetch_sub_explicit(&counted->refs, 1, memory_order_acq_rel) != 1) return;
	atomic_fetch_sub_explicit(&p->ir->bytes, p->bytes, memory_order_relaxed);
	arena_free(p->arena);
}

const void *params_field(const tsr_prim *prim, const void *params, field_kind kind)
{
	for (const field *f = prim->params; f && f->name; f++)
		if (f->kind == kind) return (const char *)params + f->offset;
	return NULL;
}

bool inner_next(const tsr_prim *prim, const void *params, inner *i)
{
	int at = i->field ? i->at + 1 : 0;

	for (const field *f = i->field ? i->field : prim->params; f && f->name; f++, at = 0) {
		const void *value = (const char *)params + f->offset;
		const programs one = {1, value}, *many = value;
		const bool alone = f->kind == FIELD_PROGRAM || f->kind == FIELD_RULE;
		const programs *list = alone ? &one : f->kind == FIELD_PROGRAMS ? many : NULL;
		if (!list || at >= list->n) continue;
		*i = (inner){f, at, (const program **)(uintptr_t)&list->v[at], list->v[at]};
		return true;
	}
	return false;
}

static const program *params_program(const tsr_prim *prim, const void *params)
{
	const program *last = NULL;

	for (inner i = {0}; inner_next(prim, params, &i);) last = i.program;
	return last;
}

const program *eqn_program(const eqn *e) { return params_program(e->prim, e->params); }

const program *inner_first(const eqn *e)
{
	inner i = {0};

	return inner_next(e->prim, e->params, &i) ? i.program : NULL;
}

unsigned own_effects(const eqn *e) { return e->prim->effects ? e->prim->effects(e) : 0; }

unsigned eqn_effects(const eqn *e)
{
	unsigned effects = own_effects(e);

	for (inner i = {0}; inner_next(e->prim, e->params, &i);)
		if (i.field->kind != FIELD_RULE) effects |= i.program->effects;
	return effects;
}

bool eqn_makes_nothing(const program *p, const eqn *e)
{
	for (int j = 0; j < e->nout; j++)
		if (type_of(p, e->out[j])->size) return false;
	return e->nout && !eqn_has_effects(e);
}

bool eqn_exchanges(const eqn *e) { return e->prim->flags & PRIM_COLLECTIVE && e->nin; }

/* how many devices a group has, the largest one */
static double group_size(const collective *on, const axis *axes)
{
	double n = 1;
	int most = 0;

	for (int i = 0; i < on->axes.n; i++) n *= (double)axes[on->axes.v[i]].size;
	for (int i = 0; i < on->groups.n; i++)
		most = on->groups.group[i].n > most ? on->groups.group[i].n : most;
	return on->groups.n ? most : n;
}

double eqn_received(const eqn *e, const type *const *in, const type *const *out, const axis *axes)
{
	const double n = eqn_exchanges(e) && e->prim->received ? group_size(e->params, axes) : 1;

	return n > 1 ? e->prim->received(e, in, out, n) : 0;
}

bool prim_holds_programs(const tsr_prim *p)
{
	return params_field(p, "", FIELD_PROGRAM) || params_field(p, "", FIELD_PROGRAMS) ||
	       prim_has_rules(p);
}

bool prim_has_rules(const tsr_prim *p) { return params_field(p, "", FIELD_RULE); }

int prim_nout(const tsr_prim *prim, const void *params, int nin)
{
	if (prim->nout >= 0) return prim->nout;
	if (prim->results) return prim->results(params, nin);
	const program *p = params_program(prim, params);
	return p ? p->nout : 0;
}

static const char *const column_names[COLUMNS] = {
	[COL_TYPES] = "types",   [COL_FACTORS] = "factors",     [COL_LOCAL] = "local",
	[COL_JVP] = "jvp",       [COL_TRANSPOSE] = "transpose", [COL_BATCH] = "batch",
	[COL_SPLIT] = "split",   [COL_EFFECTS] = "effects",
	[COL_COST] = "cost",     [COL_EVAL] = "eval",           [COL_LOWER] = "lower",
	[COL_MEMBERS] = "members", [COL_RECEIVED] = "received",
	[COL_REPLICATE] = "replicate",
	[COL_EDGES] = "edges",
};

const char *column_name(column c) { return column_names[c]; }

bool prim_has(const tsr_prim *p, column c)
{
	switch (c) {
	case COL_TYPES: return p->types;
	case COL_FACTORS: return p->factors;
	case COL_LOCAL: return p->local;
	case COL_JVP: return p->jvp;
	case COL_TRANSPOSE: return p->transpose;
	case COL_BATCH: return p->batch;
	case COL_SPLIT: return p->split;
	case COL_EFFECTS: return p->effects;
	case COL_COST: return p->cost > 0 || p->expand;
	case COL_EVAL: return p->eval || p->expand || p->run || p->host;
	case COL_LOWER: return p->lower || p->expand || p->put;
	case COL_MEMBERS: return p->members;
	case COL_RECEIVED: return p->received;
	case COL_REPLICATE: return p->replicate;
	case COL_EDGES: return p->edges;
	case COLUMNS: break;
	}
	return false;
}
