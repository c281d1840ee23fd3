/* layout_table.c - keeps a table of layouts for each place where a program occurs, and the ties
 * between them: the edges of the equations that hold programs.
 *
 *     pass partition
 *     f(%0: f32[8], %1: f32[3,8]) -> f32[8], f32[3,8] {
 *       %2: f32[8] = shard_map %0 mesh=(x:2) axes=(x) in=[[x]] out=[[x]] body=(%0: f32[4]{x}) ->
 *             f32[4]{x} {
 *         %1: f32[4]{x} = sin %0
 *         return %1
 *       }
 *       %3: f32[8], %4: f32[3,8] = scan %2 %1 length=3 consts=0 carry=1 unroll=1 reverse=false
 *             body=(%0: f32[8], %1: f32[8]) -> f32[8], f32[8] {
 *         %2: f32[8] = add %0 %1
 *         return %2 %2
 *       }
 *       return %3 %4
 *     }
 *     gives
 *     axes (x of (x:2)) f(%0: f32[4]{x}, %1: f32[3,4]{x}) -> f32[4]{x}, f32[3,4]{x} {
 *       %2: f32[4]{x} = sin %0
 *       %3: f32[4]{x}, %4: f32[3,4]{x} = scan %2 %1 length=3 consts=0 carry=1 unroll=1
 *             body=(%0: f32[4]{x}, %1: f32[4]{x}) -> f32[4]{x}, f32[4]{x} {
 *         %2: f32[4]{x} = add %0 %1
 *         return %2 %2
 *       }
 *       return %3 %4
 *     }
 *
 * The carry is one tie: of the operand %2, which is cut, the input %0 of the body, its first result
 * and %3. They have the layout [x], so the sum does, and with it %1 and the second result. A step
 * takes a slice of its third operand: that one has the layout [-,x], whatever else is wanted of it
 * outside; dim 0 is the loop's. All branches of a choice take and give their values in the same
 * layouts.
 *
 * What decides which way the program goes is whole on all devices, and so all go the same way:
 * programs inside equations may exchange. */
#include "pass/partition/partition.h"

/* How many variables of programs inside equations have places: a program that is twice in one that
 * is twice in another, and so on, has no end. The others are whole */
enum { MOST_PLACED = 100000 };

static bool places_fill(partitioning *, const program *, places *);

/* whole, if it is no layout */
static void hold(partitioning *p, places *to, var v, const sharding *at, axis_set closed)
{
	if (!layout_of(p, at, type_of(to->program, v), to->at[v.id])) *to->at[v.id] = (layout){0};
	to->closed[v.id] = closed;
}

static bool place_constraint(partitioning *p, const eqn *e, places *to)
{
	const constraint_params *c = e->params;

	const int id = e->out[0].id;

	if (!layout_like(p, c->to.v[0], type_of(to->program, e->out[0]), to->at[id]))
		*to->at[id] = (layout){0};
	to->closed[id] = ALL_CLOSED;
	to->open[e->out[0].id] = &c->open;
	return true;
}

/* ---- ties */

static tie *tie_make(partitioning *p, int values, axis_set closed)
{
	tie *t = arena_alloc(p->scratch, sizeof *t);

	if (!t || !(t->value = arena_array(p->scratch, (size_t)values, sizeof *t->value)))
		return NULL;
	t->closed = closed;
	return t;
}

/* the axes that a map makes manual, as entries of the table; of other equations none */
static axis_set entries_made(const partitioning *p, const eqn *e)
{
	const ints *manual = params_field(e->prim, e->params, FIELD_MANUAL);
	const mesh *const *m = params_field(e->prim, e->params, FIELD_MESH);
	axis_set set = 0;

	for (int i = 0; manual && i < manual->n; i++)
		set |= axis_bit(entry_of(p, *m, (int)manual->v[i]));
	return set;
}

static void goes_in(tie *t, const places *in, var v) { t->value[t->nin++] = (struct tied){in, v}; }

/* a tie for each operand and result, but for an operand that says which program is run. What is
 * carried has one in common */
static bool make_ties(partitioning *p, const eqn *e, const places *at, inside *k)
{
	const int values = k->n + 2; /* of the operand, of each program, and the result */
	const axis_set own = entries_made(p, e);

	for (bundle s = {0}; operands_next(e, &s);)
		for (int i = s.first; s.of->kind != EDGE_WHICH && i < s.first + s.n; i++) {
			if (!(k->in[i] = tie_make(p, values, own))) return false;
			goes_in(k->in[i], at, e->in[i]);
		}
	for (int j = 0; j < e->nout; j++) {
		const int back = edge_back(e, j);
		k->out[j] = back < 0 ? tie_make(p, values, own) : k->in[back];
		if (!k->out[j]) return false;
	}
	return true;
}

/* what program `which` takes and gives */
static void tie_program(const eqn *e, int which, inside *k)
{
	places *at = &k->program[which];
	const program *p = at->program;

	for (int i = 0; i < p->nin; i++) {
		tie *t = k->in[edge_operand(e, which, i)];
		t->type = type_of(p, p->in[i]);
		at->at[p->in[i].id] = &t->at;
	}
	for (int i = 0; i < p->nout; i++) {
		const int j = edge_result(e, which, i);
		if (j < 0) continue;
		k->out[j]->type = type_of(p, p->out[i]);
		at->out[i] = &k->out[j]->at;
		goes_in(k->out[j], at, p->out[i]);
	}
}

/* what the equation gives: the stack of all slices, and the whole of all blocks, are other values,
 * which come out */
static void tie_results(const eqn *e, places *at, const inside *k)
{
	for (bundle s = {0}; results_next(e, &s);)
		for (int j = s.first; j < s.first + s.n; j++) {
			tie *t = k->out[j];
			if (s.of->kind == EDGE_SLICE || s.of->kind == EDGE_BLOCK)
				t->value[t->nin + t->nout++] = (struct tied){at, e->out[j]};
			else
				at->at[e->out[j].id] = &t->at;
		}
}

static bool place_inside(partitioning *p, const eqn *e, places *at, inside **to)
{
	arena *a = p->scratch;
	inside *k = arena_alloc(a, sizeof *k);
	bool ok = k;
	int which = 0;

	for (inner i = {0}; ok && inner_next(e->prim, e->params, &i);) {
		p->placed += i.program->nvars;
		k->n++;
	}
	if (ok && p->placed > MOST_PLACED) return true;
	ok = ok && (k->in = arena_array(a, (size_t)e->nin + 1, sizeof *k->in)) &&
	     (k->out = arena_array(a, (size_t)e->nout + 1, sizeof *k->out)) &&
	     (k->program = arena_array(a, (size_t)k->n, sizeof *k->program)) &&
	     make_ties(p, e, at, k);
	for (inner i = {0}; ok && inner_next(e->prim, e->params, &i); which++) {
		ok = places_fill(p, i.program, &k->program[which]);
		if (ok) tie_program(e, which, k);
	}
	if (!ok) return false;
	tie_results(e, at, k);
	*to = k;
	return true;
}

/* ---- maps */

/* does the map leave axes of the program's mesh, which may cut its blocks? */
static bool leaves_axes(const partitioning *p, const shard_map_params *sm)
{
	const program *body = sm->body;
	int manual = 0;

	for (int i = 0; i < body->naxes; i++) manual += body->axes[i].mesh == sm->mesh;
	return sm->mesh == p->mesh && manual < sm->mesh->naxes;
}

/* The layouts that its specs say. A map's results have these, and behind them what the axes that it
 * leaves cut of their blocks */
static bool place_map(partitioning *p, const eqn *e, int i, places *to)
{
	const shard_map_params *sm = e->params;
	layout *l = arena_array(p->scratch, (size_t)e->nin + 1, sizeof *l);

	to->map[i] = l;
	for (int k = 0; l && k < e->nin; k++)
		if (!layout_of(p, sm->in.v[k], type_of(to->program, e->in[k]), &l[k]))
			l[k] = (layout){0};
	if (!l || (leaves_axes(p, sm) && !place_inside(p, e, to, &to->inside[i]))) return false;
	const axis_set closed = to->inside[i] ? entries_made(p, e) : ALL_CLOSED;
	for (int k = 0; k < e->nout; k++) hold(p, to, e->out[k], sm->out.v[k], closed);
	return true;
}

/* ---- a program */

static bool places_room(partitioning *p, const program *from, places *to)
{
	const size_t nvars = (size_t)from->nvars, neqns = (size_t)from->neqns;
	arena *a = p->scratch;
	layout *own = arena_array(a, nvars, sizeof *own);

	*to = (places){.program = from,
	               .at = arena_array(a, nvars, sizeof *to->at),
	               .closed = arena_array(a, nvars, sizeof *to->closed),
	               .open = arena_array(a, nvars, sizeof *to->open),
	               .uses = arena_array(a, nvars, sizeof *to->uses),
	               .made = arena_array(a, nvars, sizeof *to->made),
	               .out = arena_array(a, (size_t)from->nout + 1, sizeof *to->out),
	               .map = arena_array(a, neqns + 1, sizeof *to->map),
	               .inside = arena_array(a, neqns + 1, sizeof *to->inside)};
	for (int v = 0; own && to->at && v < from->nvars; v++) to->at[v] = &own[v];
	return own && to->at && to->closed && to->open && to->uses && to->made && to->out &&
	       to->map && to->inside;
}

bool is_model(const eqn *e, int operand)
{
	return operand == 1 && e->prim == &tsr__prim_placed_like;
}

/* who makes each variable, and how many read it */
static void note_ends(const program *from, const eqn **made, int *uses)
{
	for (int i = 0; i < from->neqns; i++) {
		const eqn *e = &from->eqns[i];
		for (int k = 0; k < e->nin; k++) uses[e->in[k].id] += !is_model(e, k);
		for (int k = 0; k < e->nout; k++) made[e->out[k].id] = e;
	}
	for (int k = 0; k < from->nout; k++) uses[from->out[k].id]++;
}

static bool place_equation(partitioning *p, const eqn *e, int i, places *to)
{
	if (e->prim == &tsr__prim_shard_map) return place_map(p, e, i, to);
	if (e->prim == &tsr__prim_sharding_constraint) return place_constraint(p, e, to);
	return !prim_holds_programs(e->prim) || place_inside(p, e, to, &to->inside[i]);
}

static bool places_fill(partitioning *p, const program *from, places *to)
{
	static const layout whole = {0};
	bool ok = places_room(p, from, to);

	if (!ok) return false;
	note_ends(from, to->made, to->uses);
	for (int k = 0; k < from->nout; k++) to->out[k] = &whole;
	for (int i = 0; ok && i < from->neqns; i++) ok = place_equation(p, &from->eqns[i], i, to);
	return ok;
}

places *places_make(partitioning *p, const program *from)
{
	places *to = arena_alloc(p->scratch, sizeof *to);

	p->placed = 0;
	return to && places_fill(p, from, to) ? to : NULL;
}

void places_held_alike(places *at)
{
	const program *p = at->program;

	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (e->prim != &tsr__prim_shard_alike || !at->closed[e->in[1].id]) continue;
		for (int k = 0; k < 2; k++) {
			*at->at[e->out[k].id] = *at->at[e->in[1].id];
			at->closed[e->out[k].id] = at->closed[e->in[1].id];
			at->open[e->out[k].id] = at->open[e->in[1].id];
		}
	}
}

/* ---- what others read */

static layout layout_outside(const tie *t, const type *whole)
{
	layout l = {0};

	for (int i = 0; t && i < t->at.n; i++)
		layout_cut(&l, t->at.dim[i] + whole->ndim - t->type->ndim, t->at.axis[i]);
	return l;
}

layout layout_in(const inside *k, const type *whole, int operand)
{
	return layout_outside(k ? k->in[operand] : NULL, whole);
}

layout layout_out(const inside *k, const type *whole, int result)
{
	return layout_outside(k ? k->out[result] : NULL, whole);
}

static void key_layout(str *s, const layout *l)
{
	const char n = (char)l->n;

	str_putn(s, &n, 1);
	str_putn(s, (const char *)l->dim, (size_t)l->n);
	str_putn(s, (const char *)l->axis, (size_t)l->n);
}

void places_key(str *s, const places *at)
{
	const program *p = at->program;

	for (int v = 1; v < p->nvars; v++) key_layout(s, at->at[v]);
	for (int k = 0; k < p->nout; k++) key_layout(s, at->out[k]);
	for (int i = 0; i < p->neqns; i++) {
		const inside *k = at->inside[i];
		if (!prim_holds_programs(p->eqns[i].prim)) continue;
		str_put(s, k ? "+" : "-");
		for (int n = 0; k && n < k->n; n++) places_key(s, &k->program[n]);
	}
}
