/* propagate.c - decides where every value of a program shall be, from the places of some: operands,
 * and the values that shard_map takes and gives.
 *
 *     pass partition
 *     f(%0: f32[8,6], %1: f32[6,4], %2: f32[4]) -> f32[8,4] {
 *       %3: f32[8,6] = shard_map %0 mesh=(x:2) axes=(x) in=[[x]] out=[[x]]
 *             body=(%0: f32[4,6]{x}) -> f32[4,6]{x} {
 *         %1: f32[4,6]{x} = sin %0
 *         return %1
 *       }
 *       %4: f32[8,4] = dot_general %3 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *             dtype=f32
 *       %5: f32[8,4] = broadcast_in_dim %2 dims=[8,4] at=[1]
 *       %6: f32[8,4] = add %4 %5
 *       return %6
 *     }
 *     gives
 *     axes (x of (x:2)) f(%0: f32[4,6]{x}, %1: f32[6,4], %2: f32[4]) -> f32[4,4]{x} {
 *       %3: f32[4,6]{x} = sin %0
 *       %4: f32[6,4]{x} = pcast %1 axes=(x)
 *       %5: f32[4,4]{x} = dot_general %3 %4 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *             dtype=f32
 *       %6: f32[4,4] = broadcast_in_dim %2 dims=[4,4] at=[1]
 *       %7: f32[4,4]{x} = pcast %6 axes=(x)
 *       %8: f32[4,4]{x} = add %5 %7
 *       return %8
 *     }
 *
 * %3 has the layout [x,-]. The product passes that to %4, the sum passes it to %6 and back to %5,
 * and each device broadcasts its own rows alone.
 *
 * An equation's values share factors. Along each factor the longest list of axes that begins as all
 * others do is taken over by the values that have less of it; none is ever made shorter, and a
 * value takes no axis that it has already. Values that are `held` take nothing, but for open dims.
 *
 * Good ways go first, so that they decide where two disagree. In rounds, each until nothing
 * changes: equations that only pass values on and whose operands nobody else reads; those with
 * other readers; factors that pass through any equation, but not into the new dims of a broadcast;
 * those that are joined too; and broadcasts. This is the order of the public partitioner of XLA
 * (openxla/shardy/docs/propagation.md), with its directions.
 *
 * In one more round what is whole until then goes where its model is (prim/placement/model.c),
 * and takes with it what it is made of. To cut what is whole moves nothing, and makes a psum a
 * psum_scatter. */
#include "pass/partition/partition.h"

enum { BROADCASTS = 4, MODELS, ROUNDS }; /* of rounds */
enum direction { FORWARD = 1, BACKWARD = 2 };

typedef struct spread {
	const layout_axis *axis;
	/* of an equation, by value */
	const type **type;
	layout **at; /* NULL: a literal */
	axis_set *closed;  /* it does not take these, ... */
	const ints **open; /* but for these dims; NULL: none */
	bool *once;        /* nothing else reads it */
	int *id;           /* the variable; 0: it is tied */
	cutting c;
	int round;
	bool changed;
	decisions *why; /* NULL: nobody asks */
} spread;

/* ---- what an equation takes part in */

static bool only_passes(const cutting *c)
{
	for (int f = 0; f < c->f.n; f++)
		if (c->f.kind[f] != FACTOR_PASS) return false;
	return true;
}

/* a dim of the result is a new one */
static bool broadcasts(const cutting *c)
{
	for (int f = 0; f < c->f.n; f++)
		if (c->f.kind[f] == FACTOR_FREE) return true;
	return false;
}

static bool is_read_once(const spread *s)
{
	for (int i = 0; i < s->c.e->nin; i++)
		if (s->type[i]->ndim && !s->once[i]) return false;
	return true;
}

static unsigned directions(const spread *s, int round)
{
	if (round < 2 && (!only_passes(&s->c) || broadcasts(&s->c))) return 0;
	if (round == 0 && !is_read_once(s)) return 0;
	return round < BROADCASTS && broadcasts(&s->c) ? BACKWARD : FORWARD | BACKWARD;
}

/* also one along which the equation is not cut: its result may be where its operand is all the
 * same, since to cut it there again costs nothing. But what a collective does not cut is of the
 * members, and goes from dim to dim */
static bool takes_part(const cutting *c, int factor, int round)
{
	const factor_kind kind = c->f.kind[factor];

	if (c->e->prim->flags & PRIM_COLLECTIVE && !factor_is_cut(c, factor)) return false;
	if (kind == FACTOR_REDUCE) return round > 2 && factor_is_cut(c, factor);
	return c->f.size[factor] > 1 && (round > 2 || factor_is_cut(c, factor));
}

/* ---- along one factor */

static int alike(const axis_list *a, const axis_list *b)
{
	int n = 0;

	while (n < a->n && n < b->n && a->axis[n] == b->axis[n]) n++;
	return n;
}

/* the longest list that all others agree with; size: of the largest value that has it */
static axis_list common(const spread *s, int factor, unsigned to, double *size)
{
	const eqn *e = s->c.e;
	axis_list longest = {0}, has;
	int limit = MAX_AXES;

	*size = 0;
	for (int pass = 0; pass < 2; pass++)
		for (int v = 0; v < e->nin + e->nout; v++) {
			if (!s->at[v] || !value_has(&s->c, v, factor)) continue;
			factor_axes(&s->c, v, s->at[v], factor, &has);
			const int same = alike(&has, &longest);
			if (same < has.n && same < longest.n && same < limit) limit = same;
			const bool leads = to & (v < e->nin ? FORWARD : BACKWARD);
			if (pass == 0 && leads && has.n > longest.n) longest = has;
			if (pass == 1 && has.n && has.n >= longest.n &&
			    (double)s->type[v]->size > *size)
				*size = (double)s->type[v]->size;
		}
	if (longest.n > limit) longest.n = limit;
	return longest;
}

/* what is left of a slot when these axes have cut it */
static int64_t rest_of(const cutting *c, int slot, const axis_list *axes)
{
	int64_t rest = factor_slot_size(&c->f, slot);

	for (int k = 0; k < axes->n; k++) rest /= c->axis[axes->axis[k]].size;
	return rest;
}

/* the dim where the next axis of a factor would be in the layout of a value, and the parts that are
 * left of the factor there; -1: the dim has axes that are none of its factors', or a factor before
 * this one is not all cut */
static int place_in(const cutting *c, int value, const layout *l, int factor, const axis_list *has,
                    int64_t *rest)
{
	int dim = -1, before = 0;

	for (int i = 0; i < c->f.nslots; i++) {
		if (c->f.slot[i].value != value || c->f.slot[i].factor != factor) continue;
		dim = c->f.slot[i].dim;
		*rest = rest_of(c, i, has);
	}
	for (int i = 0; i < c->f.nslots; i++) {
		axis_list major;
		if (c->f.slot[i].value != value || c->f.slot[i].dim != dim) continue;
		if (c->f.slot[i].factor == factor) break;
		factor_axes(c, value, l, c->f.slot[i].factor, &major);
		if (rest_of(c, i, &major) > 1) return -1;
		before += major.n;
	}
	return axes_in(l, dim) == before + has->n ? dim : -1;
}

/* the axes that may not cut a dim of a value further: those that do already, and closed ones */
static axis_set closed_to(const spread *s, int value, int dim)
{
	const ints *open = s->open[value];
	const axis_set has = layout_axes(s->at[value]);

	for (int i = 0; open && i < open->n; i++)
		if (open->v[i] == dim) return has;
	return has | s->closed[value];
}

/* May the axis cut what is left of a factor? Where elements move, blocks are of another size than
 * those that they come from: nobody needs parts of parts that hold one element */
static bool fits(const spread *s, int value, int factor, int dim, int64_t rest, int axis)
{
	const layout_axis *axes = s->axis;
	const int64_t *dims = s->type[value]->dims;
	layout more = *s->at[value];

	if (factor_is_even(&s->c, factor)) return rest % axes[axis].size == 0;
	layout_cut(&more, dim, axis);
	return s->c.f.kind[factor] != FACTOR_PERMUTE ||
	       layout_block(&more, axes, dims, dim) < layout_block(s->at[value], axes, dims, dim);
}

static bool lists(const axis_list *l, int axis)
{
	return memchr(l->axis, axis, (size_t)l->n) != NULL;
}

/* notes what value the axis comes from */
static void note(const spread *s, int value, int factor, int axis)
{
	int from = value;
	axis_list has = {0};

	for (int v = 0; s->why && v < s->c.e->nin + s->c.e->nout && !lists(&has, axis); v++) {
		if (v == value || !s->at[v] || !value_has(&s->c, v, factor)) continue;
		factor_axes(&s->c, v, s->at[v], factor, &has);
		from = v;
	}
	decide(s->why, s->at[value], axis, s->round, s->id[from], &s->c);
}

/* a value takes over as much of a list as it can */
static void take(spread *s, int value, int factor, const axis_list *list)
{
	layout *l = s->at[value];
	axis_list has;

	if (!l || !value_has(&s->c, value, factor)) return;
	factor_axes(&s->c, value, l, factor, &has);
	if (alike(&has, list) < has.n) return;
	int64_t rest;
	const int dim = place_in(&s->c, value, l, factor, &has, &rest);
	if (dim < 0) return;
	for (int k = has.n; k < list->n; k++) {
		if (closed_to(s, value, dim) >> list->axis[k] & 1 ||
		    !fits(s, value, factor, dim, rest, list->axis[k]))
			return;
		rest /= s->axis[list->axis[k]].size;
		layout_cut(l, dim, list->axis[k]);
		note(s, value, factor, list->axis[k]);
		s->changed = true;
	}
}

/* Results first: in an elementwise equation an operand takes no more than the result has, or the
 * value would be cut there and put together again behind */
static void spread_factor(spread *s, int factor, unsigned to)
{
	const eqn *e = s->c.e;
	double size;
	axis_list list = common(s, factor, to, &size), of_result;

	list.n = axes_that_fit(&s->c, factor, &list);
	if (!list.n) return;
	for (int j = 0; j < e->nout; j++) take(s, e->nin + j, factor, &list);
	if (e->prim->flags & PRIM_ELEMENTWISE) {
		factor_axes(&s->c, e->nin, s->at[e->nin], factor, &of_result);
		list.n = alike(&list, &of_result);
	}
	for (int i = 0; i < e->nin; i++) take(s, i, factor, &list);
}

/* ---- an equation */

static void set_value(spread *s, int value, const places *in, var x)
{
	s->type[value] = type_of(in->program, x);
	s->at[value] = in->program->vars[x.id].literal ? NULL : in->at[x.id];
	s->closed[value] = in->closed[x.id];
	s->open[value] = in->open[x.id];
	s->once[value] = in->uses[x.id] <= 1;
	s->id[value] = x.id;
}

/* factors of large values first */
static void spread_factors(spread *s, int round)
{
	const unsigned to = directions(s, round);
	double size[MAX_FACTORS];
	bool done[MAX_FACTORS] = {false};

	if (!to) return;
	for (int f = 0; f < s->c.f.n; f++) {
		done[f] = !takes_part(&s->c, f, round);
		if (!done[f]) done[f] = !common(s, f, to, &size[f]).n;
	}
	for (;;) {
		int best = -1;
		for (int f = 0; f < s->c.f.n; f++)
			if (!done[f] && (best < 0 || size[f] > size[best])) best = f;
		if (best < 0) return;
		done[best] = true;
		spread_factor(s, best, to);
	}
}

static void spread_equation(spread *s, const places *in, const eqn *e, int round)
{
	for (int i = 0; i < e->nin; i++) set_value(s, i, in, e->in[i]);
	for (int j = 0; j < e->nout; j++) set_value(s, e->nin + j, in, e->out[j]);
	if (!cutting_make(&s->c, in->program->ir->by_mesh, e, s->type, s->axis)) return;
	for (int i = 0; i < e->nin; i++) {
		set_value(s, i, in, see_through(&s->c, in, i));
		if (is_model(e, i)) s->at[i] = NULL; /* it leads in a round of its own */
	}
	spread_factors(s, round);
}

/* a value that a map takes, and that has no layout yet, gets the one that the map wants */
static void spread_map(spread *s, const places *in, const eqn *e, const layout *wanted)
{
	for (int i = 0; i < e->nin; i++) {
		const int id = e->in[i].id;
		if (in->closed[id] & layout_axes(&wanted[i]) || in->at[id]->n || !wanted[i].n)
			continue;
		*in->at[id] = wanted[i];
		decide_all(s->why, in->at[id], "shard_map takes it", e->where);
		s->changed = true;
	}
}

/* a value that follows a model, and that has no layout yet, gets that of the model */
static void spread_model(spread *s, const places *in, const eqn *e)
{
	const layout *model = in->at[e->in[1].id];
	layout *to = in->at[e->out[0].id];
	const int more = type_of(in->program, e->out[0])->ndim -
	                 type_of(in->program, e->in[1])->ndim;

	if (in->closed[e->out[0].id] & layout_axes(model) || to->n || !model->n) return;
	for (int i = 0; i < model->n; i++) layout_cut(to, model->dim[i] + more, model->axis[i]);
	decide_all(s->why, to, "its model is there", e->where);
	s->changed = true;
}

/* ---- programs inside an equation */

/* Inside a loop, a slice has the dims of the whole but for the first. Inside a map, a block has a
 * part of a dim that the spec cuts: the dim is so many blocks, behind which the block's own axes
 * cut */
static void tie_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	const type *const of[] = {in[0], out[0]};
	const int ndim = in[0]->ndim < out[0]->ndim ? in[0]->ndim : out[0]->ndim;

	(void)e;
	for (int d = 0; d < ndim; d++) {
		const int64_t a = in[0]->dims[in[0]->ndim - ndim + d],
			      b = out[0]->dims[out[0]->ndim - ndim + d];
		factor_new(f, a < b ? a : b, FACTOR_PASS);
	}
	for (int v = 0; v < 2; v++)
		for (int d = 0; d < ndim; d++) {
			const int at = of[v]->ndim - ndim + d;
			const int64_t block = f->size[d], size = of[v]->dims[at];
			if (size > block && block)
				factor_at(f, v, at, factor_new(f, size / block, FACTOR_PASS));
			factor_at(f, v, at, d);
		}
}

static const tsr_prim tie_row = {
	.name = "tie", .flags = PRIM_ELEMENTWISE, .factors = tie_factors};

/* Two values that are alike may be held in places that have nothing in common, and then none of
 * these is common to the equation. So each passes its place to its result, and the second one goes
 * first: the results have one layout (share_layouts) */
static void spread_alike(spread *s, const places *in, const eqn *e, int round)
{
	for (int i = e->nin - 1; i >= 0; i--) {
		const eqn one = {.prim = &tie_row, .nin = 1, .nout = 1, .where = e->where};
		set_value(s, 0, in, e->in[i]);
		set_value(s, 1, in, e->out[i]);
		if (cutting_make(&s->c, false, &one, s->type, s->axis)) spread_factors(s, round);
	}
}

/* what is tied passes its layout on as an elementwise equation does, from what goes in to what
 * comes out */
static void spread_tied(spread *s, tie *t, int which, int round)
{
	const eqn e = {.prim = &tie_row, .nin = 1, .nout = 1};
	const int value = which < t->nin ? 0 : 1, other = 1 - value;

	set_value(s, value, t->value[which].in, t->value[which].v);
	s->id[value] = 0; /* of another program, perhaps */
	s->type[other] = t->type;
	s->at[other] = &t->at;
	s->closed[other] = t->closed;
	s->open[other] = NULL;
	s->once[other] = true;
	s->id[other] = 0;
	if (cutting_make(&s->c, false, &e, s->type, s->axis)) spread_factors(s, round);
}

static void spread_tie(spread *s, tie *t, int round)
{
	for (int i = t ? t->nin + t->nout : 0; i-- > 0;) spread_tied(s, t, i, round);
}

static void sweep(spread *s, const places *in, int round, bool back);

static void spread_ties(spread *s, const eqn *e, const inside *k, int round)
{
	for (int j = 0; j < e->nout; j++) spread_tie(s, k->out[j], round);
	for (int i = 0; i < e->nin; i++) spread_tie(s, k->in[i], round);
}

/* Programs inside go first, since a loop runs its body many times; but the body of a map runs once,
 * and like any program begins with its inputs. There and back until nothing changes, so that a
 * sweep goes through a chain of maps and branches as through one of plain equations */
static void spread_inside(spread *s, const eqn *e, const inside *k, int round, bool back)
{
	bool changed = s->changed;

	do {
		s->changed = false;
		if (e->prim == &tsr__prim_shard_map) spread_ties(s, e, k, round);
		for (int n = 0; n < k->n; n++) sweep(s, &k->program[n], round, back);
		spread_ties(s, e, k, round);
		changed |= s->changed;
		back = !back;
	} while (s->changed);
	s->changed = changed;
}

static void sweep(spread *s, const places *in, int round, bool back)
{
	const program *p = in->program;

	for (int k = 0; k < p->neqns; k++) {
		const int i = back ? p->neqns - 1 - k : k;
		const eqn *e = &p->eqns[i];
		if (round == MODELS && is_model(e, 1)) spread_model(s, in, e);
		if (in->map[i]) spread_map(s, in, e, in->map[i]);
		if (in->inside[i])
			spread_inside(s, e, in->inside[i], round, back);
		else if (e->prim == &tsr__prim_shard_alike)
			spread_alike(s, in, e, round);
		else if (!in->map[i])
			spread_equation(s, in, e, round);
	}
}

/* ---- all of it */

/* results that are alike have one layout */
static void share_layouts(const places *in)
{
	const program *p = in->program;

	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		const inside *k = in->inside[i];
		if (e->prim == &tsr__prim_shard_alike)
			in->at[e->out[1].id] = in->at[e->out[0].id];
		for (int n = 0; k && n < k->n; n++) share_layouts(&k->program[n]);
	}
}

static int most_values(const places *in)
{
	const program *p = in->program;
	int most = 2; /* of a tie */

	for (int i = 0; i < p->neqns; i++) {
		const inside *k = in->inside[i];
		if (p->eqns[i].nin + p->eqns[i].nout > most)
			most = p->eqns[i].nin + p->eqns[i].nout;
		for (int n = 0; k && n < k->n; n++) {
			const int within = most_values(&k->program[n]);
			if (within > most) most = within;
		}
	}
	return most;
}

bool propagate(arena *a, const places *in, const layout_axis *axis, decisions *why)
{
	spread *s = arena_alloc(a, sizeof *s);
	const size_t most = (size_t)most_values(in);

	if (!s) return false;
	*s = (spread){.axis = axis,
	              .type = arena_array(a, most, sizeof *s->type),
	              .at = arena_array(a, most, sizeof *s->at),
	              .closed = arena_array(a, most, sizeof *s->closed),
	              .once = arena_array(a, most, sizeof *s->once),
	              .open = arena_array(a, most, sizeof *s->open),
	              .id = arena_array(a, most, sizeof *s->id),
	              .why = why};
	if (!s->type || !s->at || !s->closed || !s->once || !s->open || !s->id) return false;
	share_layouts(in);
	for (s->round = 0; s->round < ROUNDS; s->round++) {
		bool back = true;
		do {
			back = !back;
			s->changed = false;
			sweep(s, in, s->round, back);
		} while (s->changed);
	}
	return !decisions_lost(why);
}
