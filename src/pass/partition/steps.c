/* steps.c - the steps of a plan as equations: from one layout of a value to another, as the planner
 * says (shard/reshard.c).
 *
 *     pass partition
 *     f(%0: f32[9]) -> f32[9] {
 *       %1: f32[9] = sharding_constraint %0 mesh=(x:2,y:2) to=[[x*y]] open=[]
 *       %2: f32[9] = sin %1
 *       %3: f32[9] = sharding_constraint %2 mesh=(x:2,y:2) to=[[x]] open=[]
 *       return %3
 *     }
 *     gives
 *     axes (x, y of (x:2,y:2)) f(%0: f32[3]{x,y}) -> f32[5]{x} {
 *       %1: i32[5] = iota dtype=i32 dims=[5] dim=0
 *       %2: i32[5] = add %1 0:i32
 *       %3: i32[5]{x} = pcast %2 axes=(x)
 *       %4: i32[]{x} = axis_index axes=(x)
 *       %5: i32[5]{x} = broadcast_in_dim %4 dims=[5] at=[]
 *       %6: bool[5]{x} = lt %3 %5
 *       %7: f32[3]{x,y} = sin %0
 *       %8: f32[6]{x} = all_gather %7 axes=(y) dim=0 tiled=true to=invarying
 *       %9: f32[7]{x} = pad %8 0.0:f32 low=[1] high=[0] interior=[0]
 *       %10: i32[]{x} = mul %4 -1:i32
 *       %11: i32[]{x} = add %10 1:i32
 *       %12: f32[5]{x} = dynamic_slice %9 %11 dims=[5]
 *       %13: f32[1]{x} = slice %8 start=[5] stop=[6] step=[1]
 *       %14: f32[1]{x} = ppermute %13 axes=(x) perm=[0>1]
 *       %15: f32[5]{x} = pad %14 0.0:f32 low=[0] high=[4] interior=[0]
 *       %16: f32[5]{x} = select_n %6 %12 %15
 *       return %16
 *     }
 *
 * Each step is one collective; to cut is a dynamic_slice at the device's own index. Here it is a
 * gather, %8, of blocks of 3, 3, 3 and 0 indices, with room for three each. Two devices then have
 * six indices with room for as many, and are to have five and four: the first one sends the last
 * of its six on, %14. Where blocks are as they are to be, nothing follows a gather. */
#include "pass/partition/partition.h"

ints axes_of_dim(partitioning *p, const layout *l, int dim, int first)
{
	int64_t *v = arena_array(p->scratch, MAX_AXES, sizeof *v);
	ints axes = {0, v};

	for (int i = 0, k = 0; v && i < l->n; i++)
		if (l->dim[i] == dim && k++ >= first) v[axes.n++] = l->axis[i];
	return axes;
}

/* a step: what changes, and the number for new padding */
typedef struct change {
	partitioning *p;
	const type *whole;
	const layout *from, *to;
	const void *number;
	bool *kept; /* what padding held before it holds now, and what is new is the number */
} change;

/* the size of a dim's blocks behind the step */
static int64_t block_of(const change *c, int dim)
{
	return layout_block(c->to, c->p->size, c->whole->dims, dim);
}

bool cut_dims(partitioning *p, var x, const ints *by, const int64_t *block, var *out)
{
	const type *t = build_type(p->b, x);
	var *operand = arena_array(p->scratch, (size_t)t->ndim + 1, sizeof *operand);
	tsr_dtype dtype = TSR_I32;

	if (!operand) return false;
	operand[0] = x;
	for (int d = 0; d < t->ndim; d++)
		if (t->dims[d] > INT32_MAX) dtype = TSR_I64;
	for (int d = 0; d < t->ndim; d++)
		if (!block_start(p, &by[d], block[d], dtype, &operand[1 + d])) return false;
	return build_eqn(p->b, &tsr__prim_dynamic_slice, &(dynamic_slice_params){{t->ndim, block}},
	                 operand, 1 + t->ndim, out, p->where);
}

bool resized(partitioning *p, var x, int dim, int64_t size, const void *number, var *out)
{
	const type *t = build_type(p->b, x);
	const var fill = element_like(p, t, number);

	if (!fill.id) return false;
	build_at(p->b, p->where);
	*out = emit_pad_dim(p->b, x, dim, 0, size - t->dims[dim], fill);
	return out->id;
}

/* x in blocks of another size along the axes that cut a dim already: devices get from others what
 * they lack, as rows of a window (windows.c) */
static bool regrouped(const change *c, var x, const layout *l, int dim, int64_t size, var *out)
{
	partitioning *p = c->p;
	const ints axes = axes_of_dim(p, l, dim, 0);
	const int64_t parts = layout_parts(l, p->size, dim), all = c->whole->dims[dim];
	const int64_t has = build_type(p->b, x)->dims[dim];
	window w = {.size = parts * has, .parts = parts, .length = size}, *const windows[] = {&w};
	var part;

	w.first = arena_array(p->scratch, (size_t)parts, sizeof *w.first);
	w.needs = arena_array(p->scratch, (size_t)parts, sizeof *w.needs);
	if (!axes.v || !w.first || !w.needs) return false;
	for (int64_t k = 0; k < parts; k++) {
		const int64_t first = k * size, end = first + size < all ? first + size : all;
		w.first[k] = first;
		w.needs[k] = first < end ? (index_range){first, end} : (index_range){0, 0};
	}
	*c->kept = false;
	build_at(p->b, p->where);
	return block_start(p, &axes, 1, index_dtype(parts * (has + size)), &part) &&
	       windows_take(p, x, dim, &axes, part, true, (const window *const *)windows, 1, out);
}

/* x, whose dim is cut as the layout says, in blocks of this size. Those of 9 rows on 2 devices have
 * 5, or 6 if each of them is two of the blocks that 4 devices have */
static bool in_blocks(const change *c, var x, const layout *l, int dim, int64_t size, var *out)
{
	const int64_t has = build_type(c->p->b, x)->dims[dim], least = has < size ? has : size;

	*out = x;
	if (has == size) return true;
	if (layout_parts(l, c->p->size, dim) == 1 || c->whole->dims[dim] <= least)
		return resized(c->p, x, dim, size, c->number, out);
	return regrouped(c, x, l, dim, size, out);
}

/* before a dim is cut further: in blocks that are whole blocks of `to` */
static bool ready_to_cut(const change *c, var x, int dim, var *out)
{
	const int64_t more = layout_parts(c->to, c->p->size, dim) /
	                     layout_parts(c->from, c->p->size, dim);

	return in_blocks(c, x, c->from, dim, more * block_of(c, dim), out);
}

static bool slice_to(const change *c, var x, var *out)
{
	const int ndim = c->whole->ndim;
	ints *by = arena_array(c->p->scratch, (size_t)ndim + 1, sizeof *by);
	const int64_t *block = block_dims(c->p, c->whole, c->to);

	if (!by || !block) return false;
	for (int d = 0; d < ndim; d++) {
		by[d] = axes_of_dim(c->p, c->to, d, axes_in(c->from, d));
		if (!by[d].v || (by[d].n && !ready_to_cut(c, x, d, &x))) return false;
	}
	return cut_dims(c->p, x, by, block, out);
}

static bool gather_to(const change *c, var x, var *out)
{
	*out = x;
	for (int d = 0; d < c->whole->ndim; d++) {
		const ints axes = axes_of_dim(c->p, c->from, d, axes_in(c->to, d));
		const all_gather_params g = {{axes, {0, NULL}}, d, true, COLL_TO_INVARYING};
		if (!axes.v) return false;
		if (!axes.n) continue;
		if (!build_eqn(c->p->b, &tsr__prim_all_gather, &g, out, 1, out, c->p->where) ||
		    !in_blocks(c, *out, c->to, d, block_of(c, d), out))
			return false;
	}
	return true;
}

static int dim_that_gains(const layout *from, const layout *to, int ndim)
{
	int d = 0;

	while (d < ndim && axes_in(to, d) <= axes_in(from, d)) d++;
	return d;
}

static bool trade_to(const change *c, var x, var *out)
{
	const int ndim = c->whole->ndim, concat = dim_that_gains(c->to, c->from, ndim);
	const int split = dim_that_gains(c->from, c->to, ndim);
	const ints axes = axes_of_dim(c->p, c->from, concat, axes_in(c->to, concat));
	const all_to_all_params t = {{axes, {0, NULL}}, split, concat, true};

	return axes.v && ready_to_cut(c, x, split, &x) &&
	       build_eqn(c->p->b, &tsr__prim_all_to_all, &t, &x, 1, out, c->p->where) &&
	       in_blocks(c, *out, c->to, concat, block_of(c, concat), out);
}

static bool scatter_to(const change *c, var x, var *out)
{
	const int dim = dim_that_gains(c->from, c->to, c->whole->ndim);
	const ints axes = axes_of_dim(c->p, c->to, dim, axes_in(c->from, dim));
	const psum_scatter_params s = {{axes, {0, NULL}}, dim, true};

	return axes.v && ready_to_cut(c, x, dim, &x) &&
	       build_eqn(c->p->b, &tsr__prim_psum_scatter, &s, &x, 1, out, c->p->where);
}

static bool sum_over(partitioning *p, var x, axis_set over, var *out)
{
	int64_t axes[MAX_AXES];
	const preduce_params s = {{axes_listed(over, axes), {0, NULL}}, COLL_TO_INVARYING};

	return build_eqn(p->b, &tsr__prim_psum, &s, &x, 1, out, p->where);
}

/* the number of the block that a device at these coordinates holds, over all dims */
static int64_t block_at(const partitioning *p, const layout *l, const int64_t *at)
{
	int64_t index = 0;

	for (int i = 0; i < l->n; i++) index = index * p->size[l->axis[i]].size + at[l->axis[i]];
	return index;
}

static void coordinates(const partitioning *p, const ints *axes, int64_t member, int64_t *at)
{
	for (int i = axes->n; i-- > 0;) {
		at[axes->v[i]] = member % p->size[axes->v[i]].size;
		member /= p->size[axes->v[i]].size;
	}
}

/* Whole blocks change devices: from [a,b] to [b,a] on axes a and b of 2, the devices, which hold
 *
 *     (0,0) (0,1) (1,0) (1,1)    want    (0,0) (1,0) (0,1) (1,1)
 *
 * so the second and the third change places, and the others send to themselves. Where several hold
 * one block, and as many want it, the first of them sends to the first, and so on; those that have
 * it keep it as far as that goes */
static bool permute_to(partitioning *p, var x, const layout *from, const layout *to, axis_set over,
                       var *out)
{
	int64_t room[MAX_AXES], n = 1, at[MAX_AXES] = {0};
	const ints axes = axes_listed(over, room);

	for (int i = 0; i < axes.n; i++) n *= p->size[axes.v[i]].size;
	int64_t *pairs = arena_array(p->scratch, (size_t)n * 2, sizeof *pairs);
	int64_t *holds = arena_array(p->scratch, (size_t)n, sizeof *holds);
	bool *sent = arena_array(p->scratch, (size_t)n, sizeof *sent);
	if (!pairs || !holds || !sent) return false;
	for (int64_t k = 0; k < n; k++) {
		coordinates(p, &axes, k, at);
		holds[k] = block_at(p, from, at);
	}
	for (int64_t k = 0; k < n; k++) {
		coordinates(p, &axes, k, at);
		pairs[2 * k + 1] = k;
		pairs[2 * k] = holds[k] == block_at(p, to, at) ? k : -1;
		sent[k] = pairs[2 * k] == k;
	}
	for (int64_t k = 0; k < n; k++) {
		coordinates(p, &axes, k, at);
		const int64_t wants = block_at(p, to, at);
		for (int64_t i = 0; pairs[2 * k] < 0 && i < n; i++) {
			if (sent[i] || holds[i] != wants) continue;
			sent[i] = true;
			pairs[2 * k] = i;
		}
	}
	const ppermute_params move = {{axes, {0, NULL}}, {(int)(2 * n), pairs}};
	*out = build_vary(p->b, x, over, p->where);
	if (!out->id || !build_eqn(p->b, &tsr__prim_ppermute, &move, out, 1, out, p->where))
		return false;
	*out = emit_equal(p->b, *out, over & ~layout_axes(to));
	return out->id;
}

/* a layout as pairs of a place among the axes and a dim */
static ints cuts_of(const change *c, const layout *l, const ints *axes)
{
	int64_t *v = arena_array(c->p->scratch, 2 * (size_t)l->n + 1, sizeof *v);

	for (int i = 0; v && i < l->n; i++) {
		v[2 * i] = 0;
		while (axes->v[v[2 * i]] != l->axis[i]) v[2 * i]++;
		v[2 * i + 1] = l->dim[i];
	}
	return (ints){2 * l->n, v};
}

/* all at once, among all devices along axes that cut before or then */
static bool exchange_to(const change *c, var x, var *out)
{
	partitioning *p = c->p;
	int64_t room[MAX_AXES], sizes[MAX_AXES];
	const ints axes = axes_listed(layout_axes(c->from) | layout_axes(c->to), room);
	const exchange_params e = {{axes, {0, NULL}},
	                           {axes.n, sizes},
	                           {c->whole->ndim, c->whole->dims},
	                           cuts_of(c, c->from, &axes),
	                           cuts_of(c, c->to, &axes)};

	if (!e.from.v || !e.to.v) return false;
	for (int i = 0; i < axes.n; i++) sizes[i] = p->size[axes.v[i]].size;
	*out = build_vary(p->b, x, layout_axes(c->from), p->where);
	*c->kept = false;
	return out->id && build_eqn(p->b, &tsr__prim_exchange, &e, out, 1, out, p->where);
}

static bool step_to(const change *c, const reshard_step *s, var *x)
{
	switch (s->kind) {
	case RESHARD_SLICE: return slice_to(c, *x, x);
	case RESHARD_PERMUTE: return permute_to(c->p, *x, c->from, c->to, s->axes, x);
	case RESHARD_ALL_TO_ALL: return trade_to(c, *x, x);
	case RESHARD_ALL_GATHER: return gather_to(c, *x, x);
	case RESHARD_REDUCE_SCATTER: return scatter_to(c, *x, x);
	case RESHARD_ALL_REDUCE: return sum_over(c->p, *x, s->axes, x);
	case RESHARD_EXCHANGE: return exchange_to(c, *x, x);
	}
	return false;
}

bool reshard(partitioning *p, var x, const type *whole, const layout *from, const layout *to,
             const void *number, var *out, bool *kept)
{
	*out = x;
	*kept = !from->partial;
	if (layout_same(from, to)) return true;
	const reshard_plan *plan = plan_of(p, whole, from, to);
	bool ok = plan && record_rest(p);
	for (int i = 0; ok && i < plan->n; i++) {
		const layout *at = i ? &plan->step[i - 1].to : from;
		const change step = {p, whole, at, &plan->step[i].to, number, kept};
		ok = step_to(&step, &plan->step[i], out) && record_moved(p, whole, at, step.to);
	}
	return ok;
}
