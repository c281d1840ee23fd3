/* collective_trials.h - the trials of the collectives' rules: each row with many parameters, over
 * every ordered choice of the axes of a grid, whole and in groups. */
#ifndef TSR_TESTS_COLLECTIVE_TRIALS_H
#define TSR_TESTS_COLLECTIVE_TRIALS_H
#include "transform/collective_rig.h"

typedef struct trial {
	grid g;
	const tsr_prim *prim;
	const void *params; /* begins with a collective, but for pcast */
	operand x[MOST_OPERANDS];
	int nx;
	bool wild; /* ragged lists outside of all bounds, of which there is no adjoint */
} trial;

typedef void trial_visit(rig *, const trial *);

static inline const collective *on_of(const trial *t) { return t->params; }

/* ---- trials: every row, over every ordered choice of axes of a grid */

typedef struct choice {
	rig *w;
	grid g;
	trial_visit *visit;
	collective on;
	int64_t axes[MOST_AXES], size; /* of all these axes */
	axis_set set;
	ints group[POINTS];
	int64_t member[POINTS];
	bool uneven;
} choice;

static inline int64_t members_of(const choice *c)
{
	return c->on.groups.n ? c->group[0].n : c->size;
}

/* the operand varies over all axes, then only over those that are named */
static inline void try_one(const choice *c, const tsr_prim *prim, const void *params, operand x)
{
	trial t = {.g = c->g, .prim = prim, .params = params, .x = {x}, .nx = 1};

	c->w->dice = hash_u64(c->w->dice, 1);
	t.x[0].over = axes_below(c->g.n);
	c->visit(c->w, &t);
	if (c->set == t.x[0].over) return;
	t.x[0].over = c->set;
	c->visit(c->w, &t);
}

#define ARRAY(dtype_, ...) \
	(operand) \
	{ \
		.dtype = dtype_, .ndim = (int)ARRAY_LEN(((int64_t[]){__VA_ARGS__})), .dims = { \
			__VA_ARGS__ \
		} \
	}
#define SCALAR(dtype_) ((operand){.dtype = dtype_})

static inline operand rough(operand x)
{
	x.rough = true;
	return x;
}

static inline void try_reductions(const choice *c)
{
	for (int to = 0; to <= !c->on.groups.n; to++) {
		const preduce_params p = {c->on, to};
		try_one(c, &tsr__prim_psum, &p, ARRAY(TSR_F32, 2, 3));
		try_one(c, &tsr__prim_psum, &p, SCALAR(TSR_C64));
		try_one(c, &tsr__prim_psum, &p, ARRAY(TSR_I8, 2));
		try_one(c, &tsr__prim_pmax, &p, rough(ARRAY(TSR_F32, 2, 3)));
		try_one(c, &tsr__prim_pmax, &p, SCALAR(TSR_BOOL));
		try_one(c, &tsr__prim_pmin, &p, rough(ARRAY(TSR_F16, 6)));
		try_one(c, &tsr__prim_pmin, &p, ARRAY(TSR_U8, 0, 2));
	}
}

static inline void try_gathers(const choice *c)
{
	for (int to = 0; to <= !c->on.groups.n; to++)
		for (int64_t at = 0; at < 5; at++) {
			const bool tiled = at < 2;
			const all_gather_params p = {c->on, tiled ? at : at - 2, tiled, to};
			try_one(c, &tsr__prim_all_gather, &p, rough(ARRAY(TSR_F32, 2, 3)));
		}
	try_one(c, &tsr__prim_all_gather, &(all_gather_params){.on = c->on}, SCALAR(TSR_C64));
}

static inline void try_scatters(const choice *c)
{
	for (int64_t at = 0; at < 6; at++) {
		const psum_scatter_params p = {c->on, at % 3, at < 3};
		operand x = ARRAY(at % 2 ? TSR_BF16 : TSR_F32, 2, 1, 3);
		x.dims[p.dim] = members_of(c) * (p.tiled ? 2 : 1);
		try_one(c, &tsr__prim_psum_scatter, &p, x);
	}
}

static inline void try_exchanges(const choice *c)
{
	for (int64_t at = 0; at < 18; at++) {
		const all_to_all_params p = {c->on, at % 3, at / 3 % 3, at < 9};
		operand x = rough(ARRAY(TSR_F32, 2, 3, 1));
		x.dims[p.split] = members_of(c) * (p.tiled ? 2 : 1);
		try_one(c, &tsr__prim_all_to_all, &p, x);
	}
}

enum { PERMUTATIONS = 7 };

/* pairs of permutation `which`: shifts, backwards, none, a cycle of every other, and two by chance,
 * one of them with gaps */
static inline int permutation(const choice *c, int which, int64_t *pairs)
{
	const int64_t n = members_of(c);
	int64_t order[POINTS];
	int count = 0;

	for (int64_t i = 0; i < n; i++) {
		const int64_t k = which < 5 ? i : (int64_t)(rig_dice(c->w) % (uint64_t)(i + 1));
		order[i] = order[k];
		order[k] = i;
	}
	for (int64_t i = 0; i < n; i++) {
		const int64_t to[PERMUTATIONS] = {(i + 1) % n, (i + n - 1) % n, n - 1 - i, 0,
		                                  (i + 2) % n, order[i],        order[i]};
		if (which == 3 || (which == 4 && i % 2) || (which == 6 && i % 3 == 1)) continue;
		pairs[count++] = i;
		pairs[count++] = to[which];
	}
	return count;
}

static inline void try_moves(const choice *c)
{
	int64_t pairs[2 * POINTS];

	for (int i = 0; i < PERMUTATIONS; i++) {
		const ppermute_params p = {c->on, {permutation(c, i, pairs), pairs}};
		try_one(c, &tsr__prim_ppermute, &p, rough(ARRAY(TSR_F32, 2, 2)));
		try_one(c, &tsr__prim_ppermute, &p, SCALAR(i % 2 ? TSR_BOOL : TSR_C64));
	}
	for (int64_t i = 0; i < 3; i++) {
		pbroadcast_params p = {c->on, i * (members_of(c) - 1) / 2, COLL_TO_VARYING};
		try_one(c, &tsr__prim_pbroadcast, &p, rough(ARRAY(TSR_F32, 3, 2)));
		p.to = COLL_TO_INVARYING;
		if (!c->on.groups.n)
			try_one(c, &tsr__prim_pbroadcast, &p, rough(ARRAY(TSR_F32, 3, 2)));
	}
}

static inline void try_index(const choice *c)
{
	const axes_params p = {c->on};
	const trial t = {.g = c->g, .prim = &tsr__prim_axis_index, .params = &p};

	c->visit(c->w, &t);
}

static inline void try_equal(const choice *c)
{
	operand x = ARRAY(TSR_F32, 2, 3);

	x.same = c->set;
	try_one(c, &tsr__prim_assume_equal, &(axes_params){c->on}, x);
}

/* the operand varies over the other axes only */
static inline void try_cast(const choice *c)
{
	const pcast_params p = {c->on.axes};
	trial t = {.g = c->g, .prim = &tsr__prim_pcast, .params = &p, .nx = 1};

	t.x[0] = rough(ARRAY(TSR_F32, 2, 3));
	t.x[0].over = axes_below(c->g.n) & ~c->set;
	c->visit(c->w, &t);
}

/* ---- ragged_all_to_all: member k sends (k + j + i) % 3 rows to member j as entry i of two, packed
 * without gaps on both sides */

enum { PARCELS = 2 };

static inline int64_t rows_sent(int64_t from, int64_t to, int64_t i) { return (from + to + i) % 3; }

/* member of a point over the axes of the choice that is being tried, and how many there are */
static const choice *ragged_over;

static inline int64_t member_at(const int64_t *at, int64_t *place)
{
	const collective *on = &ragged_over->on;
	int64_t index = 0;

	for (int i = 0; i < on->axes.n; i++)
		index = index * ragged_over->g.size[on->axes.v[i]] + at[on->axes.v[i]];
	*place = index;
	for (int g = 0; g < on->groups.n; g++)
		for (int k = 0; k < on->groups.group[g].n; k++)
			if (on->groups.group[g].v[k] == index) *place = k;
	return members_of(ragged_over);
}

static inline double input_offset(const grid *g, const int64_t *at, int64_t entry)
{
	int64_t me, sum = 0;

	(void)g;
	member_at(at, &me);
	for (int64_t k = 0; k < entry; k++) sum += rows_sent(me, k / PARCELS, k % PARCELS);
	return (double)sum;
}

static inline double send_size(const grid *g, const int64_t *at, int64_t entry)
{
	int64_t me;

	(void)g;
	member_at(at, &me);
	return (double)rows_sent(me, entry / PARCELS, entry % PARCELS);
}

static inline double recv_size(const grid *g, const int64_t *at, int64_t entry)
{
	int64_t me;

	(void)g;
	member_at(at, &me);
	return (double)rows_sent(entry / PARCELS, me, entry % PARCELS);
}

/* after one row that stays, what members before this one send there, and earlier parcels */
static inline double output_offset(const grid *g, const int64_t *at, int64_t entry)
{
	const int64_t to = entry / PARCELS;
	int64_t me, sum = 1;

	(void)g;
	member_at(at, &me);
	for (int64_t k = 0; k < me * PARCELS; k++) sum += rows_sent(k / PARCELS, to, k % PARCELS);
	for (int64_t i = 0; i < entry % PARCELS; i++) sum += rows_sent(me, to, i);
	return (double)sum;
}

/* offsets and sizes outside, which are brought inside; some beyond all signed integers */
static inline double anything(const grid *g, const int64_t *at, int64_t entry)
{
	int64_t hash = entry * 7 + 3;

	for (int i = 0; i < g->n; i++) hash = hash * 5 + at[i];
	return hash % 7 ? (double)(hash % 13 - 4) : 0x1.8p63;
}

static inline void try_ragged(const choice *c)
{
	const axes_params p = {c->on};
	const int64_t n = members_of(c);
	trial t = {.g = c->g, .prim = &tsr__prim_ragged_all_to_all, .params = &p, .nx = 6};
	double (*const lists[])(const grid *, const int64_t *,
	                        int64_t) = {input_offset, send_size, output_offset, recv_size};
	static const tsr_dtype dtypes[] = {TSR_U64, TSR_I64, TSR_I32, TSR_U8};

	ragged_over = c;
	t.x[0] = ARRAY(TSR_F32, 2 * PARCELS * n, 2);
	t.x[1] = ARRAY(TSR_F32, 2 * PARCELS * n + 2, 2);
	for (int wild = 0; wild < 2; wild++) {
		t.wild = wild;
		for (int i = 0; i < 4; i++) {
			t.x[2 + i] = ARRAY(dtypes[i], PARCELS * n);
			t.x[2 + i].number = wild ? anything : lists[i];
		}
		for (int i = 0; i < 6; i++) t.x[i].over = axes_below(c->g.n);
		c->visit(c->w, &t);
	}
}

/* ---- choices */

/* two groups if they can be equal, or one of each member; in an order by chance */
static inline void choose_groups(choice *c, bool uneven)
{
	const int64_t n = c->size % 2 ? c->size : 2;

	c->uneven = uneven;
	for (int64_t i = 0; i < c->size; i++) {
		const int64_t k = (int64_t)(rig_dice(c->w) % (uint64_t)(i + 1));
		c->member[i] = c->member[k];
		c->member[k] = i;
	}
	if (uneven) {
		c->group[0] = (ints){(int)c->size - 1, c->member};
		c->group[1] = (ints){1, c->member + c->size - 1};
	} else {
		const int each = (int)(c->size / n);
		for (int64_t i = 0; i < n; i++) c->group[i] = (ints){each, c->member + i * each};
	}
	c->on.groups = (groups){uneven ? 2 : (int)n, c->group};
}

static inline void try_rows(const choice *c)
{
	try_reductions(c);
	try_index(c);
	if (c->uneven) return;
	try_gathers(c);
	try_scatters(c);
	try_exchanges(c);
	try_moves(c);
	try_ragged(c);
	if (c->on.groups.n) return;
	try_equal(c);
	try_cast(c);
}

static inline void try_choice(rig *w, const grid *g, trial_visit *to, const int64_t *axes, int n)
{
	choice c = {.w = w, .g = *g, .visit = to, .size = 1};

	for (int i = 0; i < n; i++) {
		c.axes[i] = axes[i];
		c.size *= g->size[axes[i]];
		c.set |= axis_bit(axes[i]);
	}
	c.on.axes = (ints){n, c.axes};
	try_rows(&c);
	if (c.size < 2) return;
	choose_groups(&c, false);
	try_rows(&c);
	if (c.size < 3) return;
	choose_groups(&c, true);
	try_rows(&c);
}

static inline void each_choice(rig *w, const grid *g, trial_visit *to, int64_t *axes, int n)
{
	if (n) try_choice(w, g, to, axes, n);
	for (int64_t next = 0; next < g->n; next++) {
		bool taken = false;
		for (int i = 0; i < n; i++) taken = taken || axes[i] == next;
		if (taken) continue;
		axes[n] = next;
		each_choice(w, g, to, axes, n + 1);
	}
}

static inline void each_grid(const grid *grids, size_t n, trial_visit *to)
{
	static rig w;

	for (size_t i = 0; i < n; i++) {
		int64_t axes[MOST_AXES];
		rig_open(&w);
		each_choice(&w, &grids[i], to, axes, 0);
		rig_close(&w);
	}
}

#endif
