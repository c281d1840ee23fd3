/* replicate.c - control flow on many devices as control flow on one.
 *
 * The predicate differs between the two devices, and so there are two choices:
 *
 *     pass replicate
 *     axes (x of (x:2)) f(%0: bool[]{x}, %1: f32[]{x}) -> f32[]{x} {
 *       %2: f32[]{x} = cond %0 %1 branches=[(%0: f32[]{x}) -> f32[]{x} {
 *         return %0
 *       }, (%0: f32[]{x}) -> f32[]{x} {
 *         %1: f32[]{x} = sin %0
 *         return %1
 *       }]
 *       return %2
 *     }
 *     gives
 *     f(%0: bool[], %1: bool[], %2: f32[], %3: f32[]) -> f32[], f32[] {
 *       %4: f32[] = cond %0 %2 branches=[(%0: f32[]) -> f32[] {
 *         return %0
 *       }, (%0: f32[]) -> f32[] {
 *         %1: f32[] = sin %0
 *         return %1
 *       }]
 *       %5: f32[] = cond %1 %3 branches=[(%0: f32[]) -> f32[] {
 *         return %0
 *       }, (%0: f32[]) -> f32[] {
 *         %1: f32[] = sin %0
 *         return %1
 *       }]
 *       return %4 %5
 *     }
 *     operand 0 on each device: 0 1
 *     operand 1 on each device: 2 3
 *     result 0 on each device: 0 1
 *
 * Operands and results become one for each instance. Where the predicate is the same for a crew,
 * one equation serves all of it; where it differs, each part of the crew that shares one gets an
 * equation of its own. A carry shares what both its first value and the body's results share: the
 * body is made again until that is so. */
#include "pass/replicate.h"
#include "pass/structured/structured.h"

/* an equation for a crew, which is the program's or a part of it */
typedef struct crewed {
	replicating *r;
	const eqn *eqn;
	crew *crew;
	axis_set parted;             /* as in replicating */
	const instances **in, **out; /* of operands and results */
	replicating *inside;         /* by program */
} crewed;

/* ---- its operands and results */

/* the instances of the operands in the crew */
static const instances **shares(const crewed *w)
{
	const eqn *e = w->eqn;
	const instances **of = arena_array(w->r->all->arena, (size_t)e->nin + 1, sizeof *of);

	for (int i = 0; of && i < e->nin; i++) {
		const copies *c = copies_of(w->r, e->in[i]);
		if (!c || !(of[i] = instances_within(w->crew, w->r->crew, c->of))) return NULL;
	}
	return of;
}

static int count_of(const instances *const *of, int n)
{
	int count = 0;

	for (int i = 0; i < n; i++) count += of[i]->n;
	return count;
}

/* by instance, the number of the value it is one of */
static int *values_of(const crewed *w, const instances *const *of, int n)
{
	int *list = numbers(w->r->to, count_of(of, n)), at = 0;

	for (int i = 0; list && i < n; i++)
		for (int j = 0; j < of[i]->n; j++) list[at++] = i;
	return list;
}

/* a variable for each of these instances, which share no more than the values do. t: their crew */
static var *flat(replicating *r, const crew *t, const var *x, int n, const instances *const *of)
{
	var *v = arena_array(r->all->arena, (size_t)count_of(of, n) + 1, sizeof *v);

	for (int i = 0, at = 0; v && i < n; i++) {
		const copies *c = copies_of(r, x[i]);
		for (int j = 0; j < of[i]->n; j++) {
			const int position = t->device[of[i]->first[j]];
			v[at++] = copy_at(c, crew_find(r->crew, position));
		}
	}
	return v;
}

/* ---- its programs */

static bool crewed_begin(crewed *w, replicating *r, const eqn *e, crew *t, axis_set parted)
{
	arena *a = r->all->arena;

	*w = (crewed){.r = r, .eqn = e, .crew = t, .parted = parted};
	w->in = shares(w);
	w->out = arena_array(a, (size_t)e->nout + 1, sizeof *w->out);
	w->inside = arena_array(a, (size_t)programs_in(e) + 1, sizeof *w->inside);
	for (int j = 0; w->out && j < e->nout; j++) w->out[j] = t->one;
	return w->in && w->out && w->inside;
}

static void crewed_end(const crewed *w)
{
	for (int k = 0; w->inside && k < programs_in(w->eqn); k++) {
		build_abandon(w->inside[k].to);
		w->inside[k].to = NULL;
	}
}

static bool make_program(const crewed *w, int which, const program *p)
{
	replication *all = w->r->all;
	const instances **in = arena_array(all->arena, (size_t)p->nin + 1, sizeof *in);

	for (int i = 0; in && i < p->nin; i++) in[i] = w->in[edge_operand(w->eqn, which, i)];
	return in && replicate_begin(&w->inside[which], all, w->crew, w->parted, p, in);
}

/* the instances of the results suit all programs: these have to give equally many. *grown: what is
 * carried shares less than before */
static bool join_results(const crewed *w, int which, const program *p, bool *grown)
{
	for (int k = 0; k < p->nout; k++) {
		const int r = edge_result(w->eqn, which, k), back = edge_back(w->eqn, r);
		const instances **of = back < 0 ? &w->out[r] : &w->in[back], *before = *of;
		*of = instances_join(w->crew, before, copies_of(&w->inside[which], p->out[k])->of);
		if (!*of) return false;
		*grown = *grown || (back >= 0 && *of != before);
		w->out[r] = *of;
	}
	return true;
}

static bool try_programs(const crewed *w, bool *grown)
{
	int which = 0;

	*grown = false;
	for (inner k = {0}; inner_next(w->eqn->prim, w->eqn->params, &k); which++)
		if (edge_gives(w->eqn, which) && (!make_program(w, which, k.program) ||
		                                  !join_results(w, which, k.program, grown)))
			return false;
	if (*grown) crewed_end(w);
	return true;
}

typedef struct settled { /* what was found for an equation on a crew */
	const eqn *eqn;
	const instances **before, **after; /* of its operands */
} settled;

static bool same_equation(const void *entry, const void *key)
{
	return ((const settled *)entry)->eqn == key;
}

static settled *settled_of(crew *t, const eqn *e)
{
	const uint64_t hash = hash_u64((uint64_t)(uintptr_t)e, 0);
	settled *known = table_find(&t->settled, hash, same_equation, e);

	if (known || !(known = arena_alloc(t->arena, sizeof *known))) return known;
	known->eqn = e;
	return table_add(&t->settled, hash, known) ? known : NULL;
}

/* Does this share no more than that? */
static bool refines(crew *t, const instances *const *in, const instances *const *than, int n)
{
	bool all = true;

	for (int i = 0; all && i < n; i++) all = instances_join(t, in[i], than[i]) == in[i];
	return all;
}

/* A loop inside other loops is visited again, mostly with operands that share less than before.
 * Then its carry shares no more than it did, so the search starts from what was found last; from
 * the beginning, it would double the work at each level of a nest. */
static bool start_from(const crewed *w, const settled *known)
{
	const int n = w->eqn->nin;
	bool ok = true;

	if (!known->before || !refines(w->crew, w->in, known->before, n)) return true;
	for (int i = 0; ok && i < n; i++)
		ok = (w->in[i] = instances_join(w->crew, w->in[i], known->after[i]));
	return ok;
}

/* makes the programs that give results, for a carry that shares exactly what their results share */
static bool settle(const crewed *w)
{
	arena *a = w->r->all->arena;
	const size_t bytes = (size_t)w->eqn->nin * sizeof *w->in;
	const instances **before = arena_copy(a, w->in, bytes);
	settled *known = settled_of(w->crew, w->eqn);
	bool grown = true;

	if (!before || !known || !start_from(w, known)) return false;
	while (grown)
		if (!try_programs(w, &grown)) return false;
	known->before = before;
	return (known->after = arena_copy(a, w->in, bytes));
}

/* ---- which way its devices go */

/* those of the crew that go one way together, of whom `of` share what decides it, a value that
 * varies over these axes */
static const instances *parting(const crewed *w, const instances *of, axis_set over)
{
	if (!in_turn(w->eqn, over)) return of;
	const instances *alike = instances_over(w->r->all, w->crew, over);
	return alike ? instances_join(w->crew, of, alike) : NULL;
}

/* by the operand that says which program is run */
static const instances *ways_in(const crewed *w)
{
	for (bundle in = {0}; operands_next(w->eqn, &in);)
		if (in.of->kind == EDGE_WHICH)
			return parting(w, w->in[in.first],
			               type_of(w->r->from, w->eqn->in[in.first])->varying);
	return w->crew->one;
}

/* by the program that says whether a loop goes on, which is made now */
static const instances *ways_on(const crewed *w)
{
	int which = 0;

	for (inner k = {0}; inner_next(w->eqn->prim, w->eqn->params, &k); which++) {
		const var test = k.program->out[0];
		if (edge_gives(w->eqn, which)) continue;
		if (!make_program(w, which, k.program)) return NULL;
		return parting(w, copies_of(&w->inside[which], test)->of,
		               type_of(k.program, test)->varying);
	}
	return w->crew->one;
}

/* ---- the equation */

/* ends program number `which` */
static program *inner_end(const crewed *w, int which)
{
	replicating *inner = &w->inside[which];
	const program *p = inner->from;
	const instances **of = arena_array(w->r->all->arena, (size_t)p->nout + 1, sizeof *of);

	for (int k = 0; of && k < p->nout; k++) {
		const int r = edge_result(w->eqn, which, k);
		of[k] = r < 0 ? w->crew->one : w->out[r];
	}
	const var *out = of ? flat(inner, w->crew, p->out, p->nout, of) : NULL;
	return out ? replicate_end(inner, out, count_of(of, p->nout)) : NULL;
}

/* y: by device of the program's crew */
static bool crewed_emit(const crewed *w, var *y)
{
	replicating *r = w->r;
	const eqn *e = w->eqn;
	const crew *t = w->crew;
	const int nx = count_of(w->in, e->nin), ny = count_of(w->out, e->nout);
	const int *in = values_of(w, w->in, e->nin), *out = values_of(w, w->out, e->nout);
	const var *x = flat(r, t, e->in, e->nin, w->in);
	var *made = arena_array(r->all->arena, (size_t)ny + 1, sizeof *made);
	program **inside = room_inside(r->to, e, sizeof *inside);

	if (!in || !out || !x || !made || !inside) return false;
	for (int k = 0; k < programs_in(e); k++) inside[k] = inner_end(w, k);
	const void *params = similar_params(r->to, e, operands_like(r->to, e, in, nx), nx,
	                                    results_like(r->to, e, out, ny), ny, inside);
	if (!params || !build_eqn_exact(r->to, e->prim, params, x, nx, made, e->where, e->note))
		return false;
	for (int j = 0; j < e->nout; j++) {
		for (int k = 0; k < t->n; k++)
			y[(int64_t)j * r->crew->n + crew_find(r->crew, t->device[k])] =
				made[w->out[j]->of[k]];
		made += w->out[j]->n;
	}
	return true;
}

/* The axes along which devices may go different ways, by the types of what decides that */
static axis_set parting_axes(const program *p, const eqn *e)
{
	axis_set over = 0;
	int which = 0;

	for (bundle in = {0}; operands_next(e, &in);)
		if (in.of->kind == EDGE_WHICH) over |= type_of(p, e->in[in.first])->varying;
	for (inner k = {0}; inner_next(e->prim, e->params, &k); which++)
		if (!edge_gives(e, which)) over |= type_of(k.program, k.program->out[0])->varying;
	return over;
}

static bool replicate_on(replicating *r, const eqn *e, crew *t, axis_set parted, var *y);

static bool replicate_parts(replicating *r, const eqn *e, crew *t, const instances *ways,
                            const int *order, axis_set parted, var *y)
{
	crew *const *part = crew_parts(t, ways);
	bool ok = part;

	for (int c = 0; ok && c < ways->n; c++)
		ok = replicate_on(r, e, part[order ? order[c] : c], parted, y);
	return ok;
}

/* Where processes exchange inside, all must part their devices alike, and go the ways in one order.
 * So types decide, not what this process knows of its devices besides. *ok: of the parts, if there
 * are any */
static bool parts_by_type(replicating *r, const eqn *e, crew *t, axis_set over, var *y, bool *ok)
{
	const instances *ways = instances_over(r->all, t, over);

	*ok = ways;
	if (!ways || ways->n == 1) return !ways;
	crew *const *part = crew_parts(t, ways);
	const int *order = part ? parts_in_order(r, part, ways->n, over) : NULL;
	*ok = order && replicate_parts(r, e, t, ways, order, r->parted | over, y);
	return true;
}

static bool exchanges_inside(const eqn *e)
{
	bool exchanges = false;

	for (inner k = {0}; inner_next(e->prim, e->params, &k);)
		exchanges = exchanges || k.program->exchanges;
	return exchanges;
}

static bool replicate_on(replicating *r, const eqn *e, crew *t, axis_set parted, var *y)
{
	const bool crosses = r->all->crosses && exchanges_inside(e);
	crewed w;
	bool ok;

	if (crosses) {
		const axis_set over = parting_axes(r->from, e);
		if (parts_by_type(r, e, t, over, y, &ok)) return ok;
		parted |= over;
	}
	ok = crewed_begin(&w, r, e, t, parted);
	const instances *ways = ok ? ways_in(&w) : NULL;
	if (ways && ways->n == 1) ways = settle(&w) ? ways_on(&w) : NULL;
	if (ways && ways->n == 1) ok = crewed_emit(&w, y);
	crewed_end(&w);
	if (!ways || ways->n == 1) return ok && ways;
	if (crosses) return r->all->fits = false;
	return replicate_parts(r, e, t, ways, NULL, parted, y);
}

bool replicate_inside(replicating *r, const eqn *e)
{
	const size_t n = (size_t)e->nout * (size_t)r->crew->n;
	var *y = arena_array(r->all->arena, n + 1, sizeof *y);

	return y && replicate_on(r, e, r->crew, r->parted, y) && copies_give(r, e, y);
}
