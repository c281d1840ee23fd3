/* told.c - the collectives that partition makes, as text: what TSR_DEBUG=C asks for.
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
 * The equations that a walk has appended are looked at after each of its steps. What exchanges
 * among them was made here, unless it is a copy of the user's own collective, which is skipped.
 * What stands in a scan counts for each of its steps; how often a while turns nobody knows.
 *
 * What no result needs is not there in the end, and not told. The blocks of %3 would need an
 * exchange, but nobody wants them: the windows are taken from %2.
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

typedef struct told { /* a collective */
	const char *text;
	double bytes, ns;
	int build, eqn; /* which equation of which build it is */
	struct told *next;
} told;

struct telling {
	told *first, **last;
	int builds;
};

bool telling_begin(partitioning *p)
{
	p->turns = 1;
	if (!debugs(build_ir(p->b), 'C')) return true;
	if (!(p->telling = arena_alloc(p->scratch, sizeof *p->telling))) return false;
	p->telling->last = &p->telling->first;
	return true;
}

void tell_inside(partitioning *own, const eqn *e)
{
	own->ntold = 0;
	if (own->telling) own->telling_of = ++own->telling->builds;
	if (e->prim == &tsr__prim_scan)
		own->turns *= (double)((const scan_params *)e->params)->length;
	own->in_while = own->in_while || e->prim == &tsr__prim_while;
}

void tell_copied(partitioning *p) { p->ntold = build_neqns(p->b); }

/* ---- what a collective costs */

/* the types of an equation's operands, then of its results; NULL: no memory */
static const type **types_told(partitioning *p, const eqn *e)
{
	const type **t = arena_array(p->scratch, (size_t)(e->nin + e->nout) + 1, sizeof *t);

	for (int i = 0; t && i < e->nin; i++) t[i] = build_type(p->b, e->in[i]);
	for (int i = 0; t && i < e->nout; i++) t[e->nin + i] = build_type(p->b, e->out[i]);
	return t;
}

static void put_cost(str *s, double bytes, double ns)
{
	str_printf(s, bytes == 1 ? "%.0f byte, " : "%.0f bytes, ", bytes);
	str_printf(s, ns < 1e6 ? "%.1f us" : "%.1f ms", ns < 1e6 ? ns / 1e3 : ns / 1e6);
}

/* ---- the walk */

/* "psum over x: f32[8], [-] sum x -> [-]"; where the layouts are not known, "ppermute over x:
 * f32[1] -> f32[1]", the types of blocks */
static void put_collective(str *s, const partitioning *p, const eqn *e, const type *whole,
                           const layout *from, const layout *to)
{
	const ints *axes = &((const collective *)e->params)->axes;

	str_printf(s, "  %s over ", e->prim->name);
	for (int i = 0; i < axes->n; i++)
		str_printf(s, "%s%s", i ? "*" : "", p->axes[axes->v[i]].name);
	str_put(s, ": ");
	type_text(s, from ? whole : build_type(p->b, e->in[0]), p->axes, p->naxes);
	str_put(s, from ? ", " : " -> ");
	if (from) layout_text(s, from, whole->ndim, p->fine);
	if (from) str_put(s, " -> ");
	if (from) layout_text(s, to, whole->ndim, p->fine);
	if (!from) type_text(s, build_type(p->b, e->out[0]), p->axes, p->naxes);
	str_put(s, ", ");
}

static bool tell_one(partitioning *p, const eqn *e, const type *whole, const layout *from,
                     const layout *to)
{
	const char *where = e->where ? e->where : p->where;
	const type **types = types_told(p, e);
	str s = {.base = p->bs};

	if (!types) return false;
	const double bytes = eqn_received(e, types, types + e->nin, p->axes);
	const double ns = collectives_ns(1, bytes);
	put_collective(&s, p, e, whole, from, to);
	put_cost(&s, bytes, ns);
	if (p->turns != 1) str_printf(&s, ", %.0f times", p->turns);
	if (p->in_while) str_put(&s, " at each turn of a while");
	if (where) str_printf(&s, "  # %s", base_name(where));
	told *t = arena_alloc(p->scratch, sizeof *t);
	const char *text = s.s && !s.lost ? arena_str(p->scratch, s.s) : NULL;
	str_free(&s);
	if (!t || !text) return false;
	*t = (told){text, bytes * p->turns, ns * p->turns, p->telling_of, p->ntold, NULL};
	*p->telling->last = t;
	p->telling->last = &t->next;
	return true;
}

bool tell(partitioning *p, const type *whole, const layout *from, const layout *to)
{
	bool ok = true;

	for (; p->telling && ok && p->ntold < build_neqns(p->b); p->ntold++) {
		const eqn *e = build_eqn_at(p->b, p->ntold);
		if (eqn_exchanges(e) && e->prim != &tsr__prim_assume_equal)
			ok = tell_one(p, e, whole, from, to);
	}
	return ok;
}

bool tell_rest(partitioning *p) { return tell(p, NULL, NULL, NULL); }

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

bool tell_needed(partitioning *p, const var *out, int nout)
{
	struct telling *all = p->telling;
	const bool *needed = all ? needed_eqns(p, out, nout) : NULL;

	for (told **t = all ? &all->first : NULL; needed && *t;) {
		if ((*t)->build == p->telling_of && !needed[(*t)->eqn])
			*t = (*t)->next;
		else
			t = &(*t)->next;
	}
	if (needed)
		for (all->last = &all->first; *all->last;) all->last = &(*all->last)->next;
	return !all || needed;
}

/* ---- the text */

void telling_print(const partitioning *p, const program *global)
{
	str s = {.base = p->bs};
	double bytes = 0, ns = 0;
	int n = 0;

	if (!p->telling || !p->mesh) return;
	str_printf(&s, "the collectives that partition made for %s, over ",
	           global->name ? global->name : "a program");
	mesh_text(&s, p->fine);
	str_put(&s, p->telling->first ? ":\n" : ": none\n");
	for (const told *t = p->telling->first; t; t = t->next, n++) {
		str_printf(&s, "%s\n", t->text);
		bytes += t->bytes;
		ns += t->ns;
	}
	if (n) str_printf(&s, "%d in all: each device receives ", n);
	if (n) put_cost(&s, bytes, ns);
	if (n) str_put(&s, " by the planner's numbers\n");
	debug_text(&s);
}
