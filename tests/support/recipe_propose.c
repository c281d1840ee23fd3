/* recipe_propose.c - proposes the single steps of recipes: operands are taken at random, and a step
 * with operands that do not fit is not taken. */
#include "support/recipe_draw.h"
#include <string.h>

/* ---- chance */

static uint64_t next_random(uint64_t *state)
{
	/* splitmix64, Steele, Lea and Flood 2014 */
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

int dice_below(uint64_t *dice, int n) { return (int)(next_random(dice) >> 33) % n; }
bool dice_chance(uint64_t *dice, int percent) { return dice_below(dice, 100) < percent; }

void dice_shuffle(uint64_t *dice, int *v, int n)
{
	for (int i = 0; i < n; i++) v[i] = i;
	for (int i = n - 1; i > 0; i--) {
		const int j = dice_below(dice, i + 1), t = v[i];
		v[i] = v[j];
		v[j] = t;
	}
}

double recipe_number(uint64_t *state) { return (double)(next_random(state) >> 11) * 0x1p-52 - 1; }

uint32_t mesh_bits(const recipe *r) { return (1u << r->nmesh) - 1; }

axis_list some_axes(uint64_t *dice, const recipe *r, uint32_t set, int percent, int least)
{
	axis_list list = {0};

	for (int round = 0; round < 2; round++)
		for (int first = r->naxes ? dice_below(dice, r->naxes) : 0, k = 0; k < r->naxes;
		     k++) {
			const int axis = (first + k) % r->naxes;
			const bool wanted = round ? list.n < least : dice_chance(dice, percent);
			if (wanted && (set & ~axis_bits(&list)) >> axis & 1)
				list.at[list.n++] = axis;
		}
	return list;
}

void split_by(split *cut, int dim, int axis)
{
	axis_list *entry = &cut->dim[dim];

	if (dim >= cut->n) cut->n = dim + 1;
	entry->at[entry->n++] = axis;
}

int size_most(const recipe *r) { return r->whole ? 128 : 48; }

/* ---- values */

const form *form_of(const site *s, int value) { return &s->g->value[value]; }

int last_value(const site *s)
{
	int v = s->g->nvalues - 1;

	while (v > 0 && form_of(s, v)->key) v--;
	return v;
}

/* mostly one that nothing uses yet */
int some_value(site *s)
{
	const int n = s->g->nvalues;
	int v;

	for (int tries = 0; tries < 5 && s->g->idle && dice_chance(s->dice, 80); tries++) {
		v = dice_below(s->dice, n);
		if (s->g->idle >> v & 1) return v;
	}
	do v = dice_below(s->dice, n);
	while (form_of(s, v)->key);
	return v;
}

static void use(region *g, int value) { g->idle &= ~(1ull << value); }

static void use_operands(region *g, const step *t)
{
	const nest *n = &t->nest;

	for (int k = 0; k < t->nin; k++) use(g, t->in[k]);
	if (t->op != OP_NEST) return;
	for (int k = 0; k < n->nargs; k++) use(g, n->arg[k]);
	for (int k = 0; n->kind == NEST_JVP && k < n->nwrt; k++) use(g, n->tangent[k]);
	if (n->kind == NEST_COND) use(g, n->pred);
}

int step_add(site *s, step *t, const form *made, int n)
{
	region *g = s->g;

	if (g->nsteps == RECIPE_STEPS || g->nvalues + n > RECIPE_VALUES) return -1;
	t->first = g->nvalues;
	t->nout = n;
	t->negative = dice_chance(s->dice, 25);
	use_operands(g, t);
	for (int k = 0; k < n; k++) {
		if (!made[k].key) g->idle |= 1ull << g->nvalues;
		g->value[g->nvalues++] = made[k];
	}
	g->step[g->nsteps++] = *t;
	return t->first;
}

static int add(site *s, step *t, const form *made) { return step_add(s, t, made, 1); }

int add_unary(site *s, op code, int x)
{
	step t = {.op = code, .in = {x}, .nin = 1, .k = 0.5, .k2 = 0.25};
	const form y = *form_of(s, x);

	return add(s, &t, &y);
}

axis_list listed(uint32_t bits)
{
	axis_list a = {0};

	for (int k = 0; k < RECIPE_AXES; k++)
		if (bits >> k & 1) a.at[a.n++] = k;
	return a;
}

int add_cast(site *s, int x, uint32_t axes)
{
	step t = {.op = OP_PCAST, .in = {x}, .nin = 1, .ex.over = listed(axes)};
	form y = *form_of(s, x);

	y.varying |= axes;
	return axes ? add(s, &t, &y) : x;
}

int add_psum(site *s, int x, uint32_t axes)
{
	step t = {.op = OP_EXCHANGE, .in = {x}, .nin = 1};
	form y = *form_of(s, x);

	t.ex = (exchange){.kind = s->r->whole ? EX_PSUM : EX_PMEAN, .over = listed(axes)};
	y.varying &= ~axes;
	return axes ? add(s, &t, &y) : x;
}

int add_reduction(site *s, op code, int x)
{
	const form *f = form_of(s, x), y = {.varying = f->varying};
	step t = {.op = code, .in = {x}, .nin = 1, .ndims = f->ndim};

	for (int d = 0; d < f->ndim; d++) t.dims[d] = d;
	return f->ndim ? add(s, &t, &y) : x;
}

int add_expanded(site *s, int x)
{
	form y = *form_of(s, x);
	step t = {.op = OP_EXPAND, .in = {x}, .nin = 1};

	memmove(y.dim + 1, y.dim, sizeof y.dim - sizeof *y.dim);
	y.dim[0] = 1;
	y.ndim++;
	return add(s, &t, &y);
}

int add_fitted(site *s, int x, const form *like)
{
	form y = *like;
	step t = {.op = OP_BROADCAST, .nin = 1};

	if (form_same(form_of(s, x), like)) return x;
	x = add_reduction(s, s->r->whole ? OP_SUM : OP_MEAN, x);
	if (x < 0 || !y.ndim) return x;
	t.in[0] = x;
	y.varying = form_of(s, x)->varying;
	return add(s, &t, &y);
}

int add_sum(site *s, int a, int b)
{
	step t = {.op = OP_ADD, .in = {a, add_fitted(s, b, form_of(s, a))}, .nin = 2};

	if (t.in[1] < 0) return -1;
	form y = *form_of(s, a);
	y.varying |= form_of(s, t.in[1])->varying;
	return add(s, &t, &y);
}

/* ---- steps of one point. `to` begins as the form of the first operand */

static bool fits_broadcast(const site *s, const form *a, const form *b, form *to)
{
	const form *longer = a->ndim >= b->ndim ? a : b, *other = longer == a ? b : a;
	const int shift = longer->ndim - other->ndim;
	const uint32_t varying = a->varying | b->varying;

	*to = *longer;
	to->varying = varying;
	for (int d = 0; d < other->ndim; d++) {
		int *dim = &to->dim[d + shift];
		if (*dim == 1)
			*dim = other->dim[d];
		else if (other->dim[d] != 1 && other->dim[d] != *dim)
			return false;
	}
	return form_size(to) <= size_most(s->r);
}

void drop_dim(form *f, int d)
{
	memmove(f->dim + d, f->dim + d + 1, (size_t)(f->ndim - d - 1) * sizeof *f->dim);
	f->ndim--;
}

void insert_dim(form *f, int d, int size)
{
	memmove(f->dim + d + 1, f->dim + d, (size_t)(f->ndim - d) * sizeof *f->dim);
	f->dim[d] = size;
	f->ndim++;
}

static bool fits_reduction(site *s, step *t, form *to)
{
	const form *a = form_of(s, t->in[0]);

	t->keep = dice_chance(s->dice, 40);
	for (int d = a->ndim - 1; d >= 0; d--) {
		if (!dice_chance(s->dice, 50)) continue;
		t->dims[t->ndims++] = d;
		if (t->keep)
			to->dim[d] = 1;
		else
			drop_dim(to, d);
	}
	if (t->op == OP_MAX && !form_size(a)) return false;
	return t->ndims && form_size(a) <= (t->op == OP_PROD ? 8 : size_most(s->r));
}

static bool fits_along(site *s, step *t, form *to)
{
	t->keep = dice_chance(s->dice, 50);
	if (t->op == OP_SORT_BY) {
		if (!form_same(to, form_of(s, t->in[1]))) t->in[1] = t->in[0];
		to->varying |= form_of(s, t->in[1])->varying;
	}
	return to->ndim > 0;
}

/* whole numbers or truths: JAX takes no dtype of a product of another kind */
static int draw_kind_of(site *s)
{
	if (s->limits->jax || !dice_chance(s->dice, 25)) return 0;
	return !s->r->whole ? 1 + dice_below(s->dice, 2) : s->r->dtype == TSR_F32 ? 2 : 0;
}

static bool fits_dot(site *s, step *t, form *to)
{
	const form *a = form_of(s, t->in[0]), *b = form_of(s, t->in[1]);

	if (a->ndim < 1 || a->ndim > 2 || b->ndim < 1 || b->ndim > 2) return false;
	t->at = a->ndim - 1;
	t->to = 0;
	*to = (form){.varying = a->varying | b->varying};
	if (a->ndim == 2) insert_dim(to, 0, a->dim[0]);
	if (b->ndim == 2) insert_dim(to, to->ndim, b->dim[1]);
	t->k = draw_kind_of(s);
	return a->dim[t->at] == b->dim[0] && form_size(to) <= size_most(s->r);
}

static bool fits_dot_general(site *s, step *t, form *to)
{
	const form *a = form_of(s, t->in[0]), *b = form_of(s, t->in[1]);

	if (!a->ndim || !b->ndim || a->ndim + b->ndim - 2 > RECIPE_NDIM - 1) return false;
	t->at = dice_below(s->dice, a->ndim);
	t->to = dice_below(s->dice, b->ndim);
	t->stop = dice_below(s->dice, a->ndim);
	t->stride = dice_below(s->dice, b->ndim);
	t->k = draw_kind_of(s);
	t->keep = t->stop != t->at && t->stride != t->to && a->dim[t->stop] == b->dim[t->stride];
	*to = (form){.varying = a->varying | b->varying};
	if (t->keep) insert_dim(to, 0, a->dim[t->stop]);
	for (int d = 0; d < a->ndim; d++)
		if (d != t->at && !(t->keep && d == t->stop)) insert_dim(to, to->ndim, a->dim[d]);
	for (int d = 0; d < b->ndim; d++)
		if (d != t->to && !(t->keep && d == t->stride)) insert_dim(to, to->ndim, b->dim[d]);
	return a->dim[t->at] == b->dim[t->to] && form_size(to) <= size_most(s->r);
}

static bool fits_transpose(site *s, step *t, form *to)
{
	const form *a = form_of(s, t->in[0]);
	const int by = a->ndim ? 1 + dice_below(s->dice, a->ndim) : 0;
	const bool back = dice_chance(s->dice, 50);

	for (int d = 0; d < a->ndim; d++) {
		t->dims[d] = back ? a->ndim - 1 - (d + by) % a->ndim : (d + by) % a->ndim;
		to->dim[d] = a->dim[t->dims[d]];
	}
	t->ndims = a->ndim;
	return a->ndim >= 2;
}

static bool fits_reshape(site *s, form *to)
{
	const int size = form_size(to), first = 1 + dice_below(s->dice, 4);

	to->ndim = 1;
	to->dim[0] = size;
	if (size % first == 0 && dice_chance(s->dice, 70)) {
		to->ndim = 2;
		to->dim[0] = first;
		to->dim[1] = size / first;
	}
	return true;
}

static bool fits_broadcast_to(site *s, form *to)
{
	const int new_dims = dice_below(s->dice, 2);

	for (int d = 0; d < to->ndim; d++)
		if (to->dim[d] == 1) to->dim[d] = 1 + dice_below(s->dice, 3);
	if (to->ndim < 3 && new_dims) insert_dim(to, 0, 1 + dice_below(s->dice, 4));
	return form_size(to) <= size_most(s->r);
}

static bool fits_join(site *s, step *t, form *to)
{
	const form *a = form_of(s, t->in[0]), *b = form_of(s, t->in[1]);

	to->varying = a->varying | b->varying;
	if (a->ndim != b->ndim || form_size(a) + form_size(b) > size_most(s->r)) return false;
	for (int d = 0; d < a->ndim; d++)
		if (a->dim[d] != b->dim[d] && (d != t->at || t->op == OP_STACK)) return false;
	if (t->op == OP_STACK) {
		t->at = dice_below(s->dice, a->ndim + 1);
		insert_dim(to, t->at, 2);
	} else if (a->ndim)
		to->dim[t->at] += b->dim[t->at];
	return t->op == OP_STACK ? to->ndim < RECIPE_NDIM : a->ndim > 0;
}

static bool fits_slice(site *s, step *t, form *to)
{
	int *dim = &to->dim[t->at];

	if (!to->ndim) return false;
	const int least = !s->r->whole || (*dim && dice_chance(s->dice, 85));
	t->start = dice_below(s->dice, *dim + 1 - least);
	t->stop = t->start + least + dice_below(s->dice, *dim - t->start + 1 - least);
	t->stride = 1 + dice_below(s->dice, 2);
	*dim = (t->stop - t->start + t->stride - 1) / t->stride;
	return true;
}

static bool fits_pad(site *s, step *t, form *to)
{
	int *dim = &to->dim[t->at];

	if (!to->ndim || !*dim) return false;
	t->start = dice_below(s->dice, 2);
	t->stop = dice_below(s->dice, 2);
	t->stride = 1 + dice_chance(s->dice, 30);
	t->k = (s->r->whole ? 1 : 0.5) * dice_below(s->dice, 2);
	*dim = t->start + t->stop + (*dim - 1) * t->stride + 1;
	return form_size(to) <= size_most(s->r);
}

void draw_start(site *s, step *t, form *to)
{
	uint32_t axes = 0;

	for (int i = 0; i < s->g->bound.n; i++) {
		const axis_info *a = &s->r->axis[s->g->bound.at[i]];
		if (a->name && (!s->limits->jax || a->mesh)) axes |= 1u << s->g->bound.at[i];
	}
	axes &= ~s->g->nameless;
	const axis_list one = some_axes(s->dice, s->r, axes, 0, dice_chance(s->dice, 70));
	t->axis = one.n ? one.at[0] : -1;
	t->start = dice_below(s->dice, 4);
	if (one.n) to->varying |= 1u << t->axis;
}

static bool fits_dynamic(site *s, step *t, form *to)
{
	const form *a = form_of(s, t->in[0]), *b = form_of(s, t->in[1]);

	if (!a->ndim || !a->dim[t->at]) return false;
	if (t->op == OP_DYNAMIC_SLICE)
		to->dim[t->at] = t->stop = 1 + dice_below(s->dice, a->dim[t->at]);
	else {
		if (a->ndim != b->ndim) return false;
		for (int d = 0; d < a->ndim; d++)
			if (d == t->at ? b->dim[d] > a->dim[d] : b->dim[d] != a->dim[d])
				return false;
		to->varying |= b->varying;
	}
	draw_start(s, t, to);
	return true;
}

static bool fits_made(site *s, step *t, form *to)
{
	to->varying = 0;
	t->nin = 0;
	t->k = s->r->whole ? dice_below(s->dice, 7) - 3 : 0.25 * (1 + dice_below(s->dice, 6));
	if (t->op == OP_IOTA) return to->ndim > 0;
	to->ndim = dice_below(s->dice, 3);
	for (int d = 0; d < to->ndim; d++) to->dim[d] = 1 + dice_below(s->dice, 4);
	return true;
}

static bool fits_local(site *s, step *t, form *to)
{
	switch (t->op) {
	case OP_AFFINE:
		t->k = 0.25 * (1 + dice_below(s->dice, 8)) - 1.125;
		t->k2 = 0.5 * dice_below(s->dice, 3) - 0.5;
		if (!s->r->whole) return true;
		t->k = dice_below(s->dice, 6) - 2;
		t->k2 = dice_below(s->dice, 3) - 1;
		return true;
	case OP_REM: t->k = s->r->whole ? 5 : 0.75; return true;
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_RATIO:
	case OP_MAXIMUM:
	case OP_MINIMUM:
	case OP_PICK: return fits_broadcast(s, form_of(s, t->in[0]), form_of(s, t->in[1]), to);
	case OP_SUM:
	case OP_MEAN:
	case OP_MAX:
	case OP_PROD:
	case OP_LOGSUMEXP: return fits_reduction(s, t, to);
	case OP_CUMSUM:
	case OP_SORT_BY: return fits_along(s, t, to);
	case OP_DOT: return fits_dot(s, t, to);
	case OP_DOT_GENERAL: return fits_dot_general(s, t, to);
	case OP_TRANSPOSE: return fits_transpose(s, t, to);
	case OP_RESHAPE: return fits_reshape(s, to);
	case OP_FLIP: return to->ndim > 0;
	case OP_EXPAND:
		t->at = dice_below(s->dice, to->ndim + 1);
		if (to->ndim < 3) insert_dim(to, t->at, 1);
		return form_of(s, t->in[0])->ndim < 3;
	case OP_SQUEEZE:
		if (!to->ndim || to->dim[t->at] != 1) return false;
		drop_dim(to, t->at);
		return true;
	case OP_BROADCAST: return fits_broadcast_to(s, to);
	case OP_CONCAT:
	case OP_STACK: return fits_join(s, t, to);
	case OP_SLICE: return fits_slice(s, t, to);
	case OP_PAD: return fits_pad(s, t, to);
	case OP_DYNAMIC_SLICE:
	case OP_DYNAMIC_UPDATE: return fits_dynamic(s, t, to);
	case OP_IOTA:
	case OP_FULL: return fits_made(s, t, to);
	default: return true;
	}
}

static int operands_of(op code)
{
	switch (code) {
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_RATIO:
	case OP_MAXIMUM:
	case OP_MINIMUM:
	case OP_PICK:
	case OP_SORT_BY:
	case OP_DOT:
	case OP_DOT_GENERAL:
	case OP_CONCAT:
	case OP_STACK:
	case OP_DYNAMIC_UPDATE: return 2;
	default: return 1;
	}
}

/* ---- any of them */

static bool propose_cast(site *s)
{
	const int x = some_value(s);
	uint32_t bound = 0;

	for (int i = 0; i < s->g->bound.n; i++) bound |= 1u << s->g->bound.at[i];
	if (s->r->mixed) bound = s->g->manual; /* of others types may say it already */
	const uint32_t axes = bound & mesh_bits(s->r) & ~form_of(s, x)->varying;
	const axis_list some = some_axes(s->dice, s->r, axes, 50, 1);
	return !s->g->unchecked && axes && add_cast(s, x, axis_bits(&some)) >= 0;
}

/* any dims over any axes that are left: they need not divide */
static bool propose_constraint(site *s)
{
	step t = {.axis = -1, .op = OP_CONSTRAIN, .in = {some_value(s)}, .nin = 1};
	const form *f = form_of(s, t.in[0]);
	const axis_list some =
		some_axes(s->dice, s->r, mesh_bits(s->r) & ~bound_bits(s, true), 70, 0);

	if (s->r->own_meshes || !some.n || !f->ndim) return false;
	for (int i = 0; i < some.n; i++) split_by(&t.cut, dice_below(s->dice, f->ndim), some.at[i]);
	return add(s, &t, f) >= 0;
}

/* operations that make whole numbers of whole numbers */
static bool makes_whole(op code)
{
	static const op fractions[] = {OP_SIN,  OP_COS,          OP_TANH,  OP_LOGISTIC, OP_EXP,
	                               OP_CUBE, OP_LOG1P_SQUARE, OP_SQRT1, OP_RATIO,    OP_PICK,
	                               OP_MEAN, OP_PROD,         OP_LOGSUMEXP};

	for (size_t i = 0; i < sizeof fractions / sizeof(op); i++)
		if (code == fractions[i]) return false;
	return true;
}

static op some_operation(site *s)
{
	op code;

	do code = (op)dice_below(s->dice, OP_PCAST);
	while (s->r->whole && !makes_whole(code));
	if (s->r->whole || !dice_chance(s->dice, 25)) return code;
	return dice_chance(s->dice, 50) ? OP_TANH : OP_SIN;
}

/* the transposed matrix, as the first operand of a product with itself */
static int add_transposed(site *s, int x)
{
	step t = {.axis = -1, .op = OP_TRANSPOSE, .in = {x}, .nin = 1, .ndims = 2, .dims = {1, 0}};
	form y = *form_of(s, x);

	y.dim[0] = form_of(s, x)->dim[1];
	y.dim[1] = form_of(s, x)->dim[0];
	return add(s, &t, &y);
}

bool propose_step(site *s)
{
	step t = {.axis = -1, .op = some_operation(s)};

	if (!s->r->whole && dice_chance(s->dice, 10)) return propose_random(s);
	if (nameable(s) && dice_chance(s->dice, 40)) return propose_exchange(s);
	if (s->g->bound.n && dice_chance(s->dice, 6)) return propose_cast(s);
	if (!s->limits->jax && dice_chance(s->dice, 8)) return propose_constraint(s);
	t.nin = operands_of(t.op);
	t.in[0] = some_value(s);
	t.in[1] = t.nin > 1 ? some_value(s) : 0;
	if (t.op == OP_DOT && form_of(s, t.in[0])->ndim == 2 && dice_chance(s->dice, 30)) {
		t.in[1] = t.in[0];
		if ((t.in[0] = add_transposed(s, t.in[0])) < 0) return false;
	}
	const form *a = form_of(s, t.in[0]);
	form to = *a;
	t.at = a->ndim ? dice_below(s->dice, a->ndim) : 0;
	return fits_local(s, &t, &to) && add(s, &t, &to) >= 0;
}
