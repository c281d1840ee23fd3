/* cuts.c - sees the layouts of an equation's values along its factors, as axes that cut these.
 *
 *     pass partition
 *     f(%0: f32[8,6], %1: f32[6,4]) -> f32[8,4] {
 *       %2: f32[8,6] = shard_map %0 mesh=(x:2,y:2) axes=(x,y) in=[[x,y]] out=[[x,y]]
 *             body=(%0: f32[4,3]{x,y}) -> f32[4,3]{x,y} {
 *         %1: f32[4,3]{x,y} = sin %0
 *         return %1
 *       }
 *       %3: f32[8,4] = dot_general %2 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *             dtype=f32
 *       return %3
 *     }
 *     gives
 *     axes (x, y of (x:2,y:2)) f(%0: f32[4,3]{x,y}, %1: f32[3,4]{y}) -> f32[4,4]{x} {
 *       %2: f32[4,3]{x,y} = sin %0
 *       %3: f32[3,4]{x,y} = pcast %1 axes=(x)
 *       %4: f32[4,4]{x,y} = dot_general %2 %3 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *             dtype=f32
 *       %5: f32[4,4]{x} = psum %4 axes=(y) to=invarying
 *       return %5
 *     }
 *
 * The product has the factors "ab,bc->ac | b sum". Its first operand has the layout [x,y]: x cuts
 * a, and the result has [x,-]; y cuts b, so the second operand is wanted as [y,-], and each device
 * adds up a term of its block. Nothing cuts c. */
#include "pass/partition/partition.h"

/* the factors of dims that have several, and those for whose padding no number will do */
static uint64_t even_factors(const cutting *c)
{
	const factors *f = &c->f;
	uint64_t set = 0;

	for (int i = 0; i < f->nslots; i++) {
		const int value = f->slot[i].value, factor = f->slot[i].factor;
		bool even = value < c->e->nin &&
		            eqn_needs(c->e, c->type, f, value, factor) == PAD_NONE;
		for (int k = 0; k < f->nslots && !even; k++)
			even = k != i && f->slot[k].value == value &&
			       f->slot[k].dim == f->slot[i].dim;
		if (even) set |= (uint64_t)1 << factor;
	}
	return set;
}

bool cutting_make(cutting *c, bool by_mesh, const eqn *e, const type *const *type,
                  const layout_axis *axis)
{
	c->by_mesh = by_mesh;
	c->e = e;
	c->type = type;
	c->axis = axis;
	if (!e->prim->factors || eqn_effects(e)) return false;
	factors_begin(&c->f);
	e->prim->factors(e, type, type + e->nin, &c->f);
	c->even = even_factors(c);
	c->whole = by_mesh ? c->f.rounds : 0;
	memset(c->shift, 0, (size_t)c->f.nslots * sizeof *c->shift);
	return !c->f.full;
}

/* is a variable a run of another one's indices of this dim, and all of those of others? */
static bool is_run(const places *in, const eqn *e, int dim)
{
	if (!e || e->prim != &tsr__prim_slice) return false;
	const type *x = type_of(in->program, e->in[0]), *y = type_of(in->program, e->out[0]);
	const slice_params *p = e->params;

	for (int d = 0; d < x->ndim; d++)
		if (d != dim && x->dims[d] != y->dims[d]) return false;
	return p->step.v[dim] == 1;
}

static bool slot_moves(const cutting *c, int slot, int operand)
{
	return c->f.slot[slot].value == operand &&
	       c->f.kind[c->f.slot[slot].factor] == FACTOR_PERMUTE;
}

/* the one slot of an operand along which elements move; -1: none, or several */
static int moving_slot(const cutting *c, int operand)
{
	int slot = -1;

	for (int i = 0; i < c->f.nslots; i++) {
		if (!slot_moves(c, i, operand)) continue;
		if (slot >= 0) return -1;
		slot = i;
	}
	return slot;
}

static bool moves_along_dim(const cutting *c, int operand, int dim)
{
	for (int i = 0; i < c->f.nslots; i++)
		if (slot_moves(c, i, operand) && c->f.slot[i].dim == dim) return true;
	return false;
}

const eqn *pad_before(const cutting *c, const places *in, int operand)
{
	const eqn *e = in->made[c->e->in[operand].id];

	if (!e || e->prim != &tsr__prim_pad) return NULL;
	const pad_params *p = e->params;
	for (int d = 0; d < p->low.n; d++) {
		if (!p->low.v[d] && !p->high.v[d] && !p->interior.v[d]) continue;
		if (p->low.v[d] < 0 || p->high.v[d] < 0 || p->interior.v[d] ||
		    !moves_along_dim(c, operand, d))
			return NULL;
	}
	return e;
}

/* the window of a slot, of a dim of this size, in which the operand begins at `shift` */
static void shift_window(cutting *c, int slot, int64_t shift, int64_t size)
{
	factors *f = &c->f;
	const factor_window *has = factor_window_of(f, slot);
	factor_window w = has ? *has : (factor_window){0, 1, 0, 0, 1};

	c->shift[slot] = shift;
	w.size = size;
	w.low += shift * w.every;
	w.high += shift * w.every;
	if (!has) f->slot[slot].window = (int16_t)++f->nwindows;
	f->window[f->slot[slot].window - 1] = w;
}

/* Of %1 = slice %0 start=[3] ..., index i is index i + 3 of %0. Where an equation needs i - 1 of
 * %1, that is i + 2 of %0. Of %1 = pad %0 .. low=[3] .., index i is i - 3 of %0, if there is one */
var see_through(cutting *c, const places *in, int operand)
{
	const int slot = moving_slot(c, operand);
	const eqn *pad = pad_before(c, in, operand);
	const var own = c->e->in[operand];
	var x = own;
	int64_t shift = 0;

	for (int i = 0; pad && i < c->f.nslots; i++) {
		const int dim = c->f.slot[i].dim;
		if (slot_moves(c, i, operand))
			shift_window(c, i, -((const pad_params *)pad->params)->low.v[dim],
			             type_of(in->program, pad->in[0])->dims[dim]);
	}
	if (pad || slot < 0) return pad ? pad->in[0] : x;
	const int dim = c->f.slot[slot].dim;
	for (; is_run(in, in->made[x.id], dim); x = in->made[x.id]->in[0])
		shift += ((const slice_params *)in->made[x.id]->params)->start.v[dim];
	if (x.id != own.id) shift_window(c, slot, shift, type_of(in->program, x)->dims[dim]);
	return x;
}

bool factor_is_even(const cutting *c, int factor) { return c->even >> factor & 1; }

bool value_has(const cutting *c, int value, int factor)
{
	for (int i = 0; i < c->f.nslots; i++)
		if (c->f.slot[i].value == value && c->f.slot[i].factor == factor) return true;
	return false;
}

bool factor_is_cut(const cutting *c, int factor)
{
	const factor_kind kind = c->f.kind[factor];

	if (kind == FACTOR_REPLICATE || c->whole >> factor & 1) return false;
	for (int j = 0; kind != FACTOR_REDUCE && j < c->e->nout; j++)
		if (!value_has(c, c->e->nin + j, factor)) return false;
	return c->f.size[factor] > 1 && (!(c->f.own >> factor & 1) || c->e->prim->local);
}

/* ---- from layouts to axes along factors, and back */

void factor_axes(const cutting *c, int value, const layout *l, int factor, axis_list *to)
{
	int dim = -1, at = 0, end = 0;

	to->n = 0;
	for (int i = 0; i < c->f.nslots; i++) {
		if (c->f.slot[i].value != value) continue;
		if (c->f.slot[i].dim != dim) {
			dim = c->f.slot[i].dim;
			for (at = 0; at < l->n && l->dim[at] < dim;) at++;
			for (end = at; end < l->n && l->dim[end] == dim;) end++;
		}
		const bool found = c->f.slot[i].factor == factor;
		const bool even = factor_is_even(c, c->f.slot[i].factor);
		int64_t rest = factor_slot_size(&c->f, i);
		for (; at < end && (!even || rest % c->axis[l->axis[at]].size == 0); at++) {
			rest /= c->axis[l->axis[at]].size;
			if (found) to->axis[to->n++] = l->axis[at];
		}
		if (found) return;
		if (rest > 1) at = end;
	}
}

int64_t axes_parts(const cutting *c, const axis_list *l)
{
	int64_t parts = 1;

	for (int i = 0; i < l->n; i++) parts *= c->axis[l->axis[i]].size;
	return parts;
}

int axes_that_fit(const cutting *c, int factor, const axis_list *l)
{
	int64_t rest = c->f.size[factor];
	int n = 0;

	if (!factor_is_even(c, factor)) return l->n;
	for (; n < l->n && rest % c->axis[l->axis[n]].size == 0; n++)
		rest /= c->axis[l->axis[n]].size;
	return n;
}

bool axes_divide(const cutting *c, int factor, const axis_list *l)
{
	return c->f.size[factor] % axes_parts(c, l) == 0;
}

layout factors_layout(const cutting *c, int value, const axis_list *by_factor)
{
	layout l = {0};

	for (int i = 0; i < c->f.nslots; i++) {
		const axis_list *axes = &by_factor[c->f.slot[i].factor];
		if (c->f.slot[i].value != value) continue;
		for (int k = 0; k < axes->n; k++) layout_cut(&l, c->f.slot[i].dim, axes->axis[k]);
	}
	return l;
}

/* ---- the choice */

/* where a factor comes behind others in a dim, are these cut into parts of 1? */
static bool is_next(const cutting *c, int factor, const axis_list *by_factor)
{
	for (int i = 1; i < c->f.nslots; i++) {
		if (c->f.slot[i].factor != factor) continue;
		for (int k = 0; k < i; k++) {
			const int before = c->f.slot[k].factor;
			if (c->f.slot[k].value == c->f.slot[i].value &&
			    c->f.slot[k].dim == c->f.slot[i].dim &&
			    axes_parts(c, &by_factor[before]) != c->f.size[before])
				return false;
		}
	}
	return true;
}

typedef struct candidate { /* a longer list for a factor */
	int factor;
	axis_list axes;
	double held; /* elements of the values that are cut so */
	int rank;    /* of the kinds: those that pass through the equation come first */
	int64_t parts;
} candidate;

static bool begins(const axis_list *l, const axis_list *with)
{
	return l->n >= with->n && memcmp(l->axis, with->axis, (size_t)with->n) == 0;
}

static bool is_better(const candidate *a, const candidate *b)
{
	if (a->held != b->held) return a->held > b->held;
	if (a->rank != b->rank) return a->rank < b->rank;
	return a->parts > b->parts;
}

typedef struct choice {
	const cutting *c;
	const layout *const *at;
	axis_list *by_factor;
	axis_set used;
	candidate best;
} choice;

/* Where a factor that is the row's own is joined, the result may be nearly as large as the operand,
 * which would be cheaper to gather: a sum sends all of it twice */
static bool joins_too_much(const cutting *c, int factor)
{
	int64_t operand = 0, result = 0;

	if (c->f.kind[factor] != FACTOR_REDUCE || factor_same_row(&c->f, factor)) return false;
	for (int v = 0; v < c->e->nin + c->e->nout; v++)
		if (v >= c->e->nin)
			result += c->type[v]->size;
		else if (value_has(c, v, factor))
			operand += c->type[v]->size;
	return operand / 2 <= result;
}

/* Elements that devices take out of their parts of an operand are summed, with -0 for what a device
 * has not. That is exact, but for a tree that is filled up with +0: -0 + 0 is 0 */
static bool is_taken(const cutting *c, int factor)
{
	return c->f.kind[factor] == FACTOR_REDUCE && c->f.op[factor] == FACTOR_SUM &&
	       dtype_kind(c->type[0]->dtype) >= KIND_FLOAT;
}

/* Where elements move, blocks of the result are made only if they stay where they are made: to put
 * the result together again would cost what gathering the operands does */
static void consider(choice *s, int factor, const axis_list *axes)
{
	static const int ranks[] = {
		[FACTOR_REDUCE] = 1, [FACTOR_PERMUTE] = 2, [FACTOR_REPLICATE] = 3};
	const cutting *c = s->c;
	const factor_kind kind = c->f.kind[factor];
	candidate new = {factor, *axes, 0, ranks[kind], axes_parts(c, axes)};

	if (c->by_mesh && is_taken(c, factor) && new.parts & (new.parts - 1)) return;
	for (int v = 0; v < c->e->nin + c->e->nout; v++) {
		axis_list has = {0};
		if (s->at[v]) factor_axes(c, v, s->at[v], factor, &has);
		if (begins(&has, axes)) new.held += (double)c->type[v]->size;
		else if (kind == FACTOR_PERMUTE && v >= c->e->nin) return;
	}
	if (s->best.factor < 0 || is_better(&new, &s->best)) s->best = new;
}

/* all lists for a factor that go on from its present one as the layout of a value does */
static void consider_value(choice *s, int value, int factor)
{
	const axis_list *now = &s->by_factor[factor];
	axis_list has;

	factor_axes(s->c, value, s->at[value], factor, &has);
	has.n = axes_that_fit(s->c, factor, &has);
	if (!begins(&has, now) || joins_too_much(s->c, factor)) return;
	axis_list part = *now;
	while (part.n < has.n && !(s->used >> has.axis[part.n] & 1)) {
		part.axis[part.n] = has.axis[part.n];
		part.n++;
		consider(s, factor, &part);
	}
}

void choose_cuts(const cutting *c, const layout *const *at, uint64_t whole, axis_list *by_factor)
{
	choice s = {.c = c, .at = at, .by_factor = by_factor};

	for (int f = 0; f < c->f.n; f++) by_factor[f].n = 0;
	do {
		s.best.factor = -1;
		for (int f = 0; f < c->f.n; f++) {
			if (whole >> f & 1 || !factor_is_cut(c, f) || !is_next(c, f, by_factor))
				continue;
			for (int v = 0; v < c->e->nin + c->e->nout; v++)
				if (at[v]) consider_value(&s, v, f);
		}
		if (s.best.factor < 0) return;
		by_factor[s.best.factor] = s.best.axes;
		for (int i = 0; i < s.best.axes.n; i++) s.used |= axis_bit(s.best.axes.axis[i]);
	} while (true);
}
