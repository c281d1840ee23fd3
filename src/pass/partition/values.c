/* values.c - values in the layouts that equations want them in: what stands for them already, cut,
 * gathered and sent on as the planner says (shard/reshard.c).
 *
 *     pass partition
 *     f(%0: f32[4,4]) -> f32[4,4] {
 *       %1: f32[4,4] = shard_map %0 mesh=(x:2) axes=(x) in=[[x]] out=[[x]]
 *             body=(%0: f32[2,4]{x}) -> f32[2,4]{x} {
 *         %1: f32[2,4]{x} = sin %0
 *         return %1
 *       }
 *       %2: f32[4,4] = shard_map %1 mesh=(x:2) axes=(x) in=[[-,x]] out=[[-,x]]
 *             body=(%0: f32[4,2]{x}) -> f32[4,2]{x} {
 *         %1: f32[4,2]{x} = cos %0
 *         return %1
 *       }
 *       return %2
 *     }
 *     gives
 *     axes (x of (x:2)) f(%0: f32[2,4]{x}) -> f32[4,2]{x} {
 *       %1: f32[2,4]{x} = sin %0
 *       %2: f32[4,2]{x} = all_to_all %1 axes=(x) split=1 concat=0 tiled=true
 *       %3: f32[4,2]{x} = cos %2
 *       return %3
 *     }
 *
 * Each step of a plan is one collective; to cut is a dynamic_slice at the device's own index. A
 * value keeps the forms that it has got, so that nothing is sent twice. */
#include "pass/partition/partition.h"

/* ---- layouts and shardings */

bool layout_of(const partitioning *p, const sharding *s, const type *whole, layout *to)
{
	*to = (layout){0};
	if (!s || s->mesh != p->mesh) return false;
	for (int d = 0; d < s->spec.ndim; d++)
		for (int i = s->spec.start[d]; i < s->spec.start[d + 1]; i++)
			layout_cut(to, d, s->spec.axis[i]);
	return s->spec.ndim <= whole->ndim && layout_divides(to, p->size, whole->dims, whole->ndim);
}

const sharding *sharding_of(const partitioning *p, const layout *l)
{
	spec_room room = {0};

	for (int i = 0; i < l->n; i++) {
		while (room.ndim <= l->dim[i]) room.start[++room.ndim] = i;
		room.axis[i] = l->axis[i];
		room.start[room.ndim] = i + 1;
	}
	return sharding_of_room(build_ir(p->b)->shards, p->mesh, &room);
}

const type *block_type(partitioning *p, const type *whole, const layout *l)
{
	int64_t *dims = arena_array(p->scratch, (size_t)whole->ndim + 1, sizeof *dims);

	if (!dims) return NULL;
	for (int d = 0; d < whole->ndim; d++) dims[d] = layout_block(l, p->size, whole->dims, d);
	return type_shaped(build_ir(p->b), whole, dims, whole->ndim, layout_axes(l));
}

/* ---- steps of a plan */

/* the axes of a dim from its `first` one on */
static ints axes_of_dim(partitioning *p, const layout *l, int dim, int first)
{
	int64_t *v = arena_array(p->scratch, MAX_AXES, sizeof *v);
	ints axes = {0, v};

	for (int i = 0, k = 0; v && i < l->n; i++)
		if (l->dim[i] == dim && k++ >= first) v[axes.n++] = l->axis[i];
	return axes;
}

static int axes_in(const layout *l, int dim)
{
	int n = 0;

	for (int i = 0; i < l->n; i++) n += l->dim[i] == dim;
	return n;
}

static var small_int(partitioning *p, tsr_dtype dtype, int64_t value)
{
	const int32_t narrow = (int32_t)value;

	return build_literal(p->b, dtype, dtype == TSR_I64 ? (const void *)&value : &narrow);
}

/* a device's index over these axes, times the size of a block */
static bool block_start(partitioning *p, const ints *axes, int64_t size, tsr_dtype dtype, var *out)
{
	if (axes->n == 0) return (*out = small_int(p, dtype, 0)).id;
	const axes_params on = {{*axes, {0, NULL}}};
	var index, factor = small_int(p, dtype, size);
	if (!factor.id || !build_eqn(p->b, &tsr__prim_axis_index, &on, NULL, 0, &index, p->where))
		return false;
	if (dtype == TSR_I64 &&
	    !build_eqn(p->b, &tsr__prim_convert_element_type, &(dtype_params){.dtype = TSR_I64},
	               &index, 1, &index, p->where))
		return false;
	return build_eqn(p->b, &tsr__prim_mul, NULL, (var[]){index, factor}, 2, out, p->where);
}

/* by[d]: the axes along which dim d is cut into parts of block[d] */
static bool cut_dims(partitioning *p, var x, const ints *by, const int64_t *block, var *out)
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

static bool slice_to(partitioning *p, var x, const layout *from, const layout *to, var *out)
{
	const type *t = build_type(p->b, x);
	ints *by = arena_array(p->scratch, (size_t)t->ndim + 1, sizeof *by);
	int64_t *block = arena_array(p->scratch, (size_t)t->ndim + 1, sizeof *block);

	if (!by || !block) return false;
	for (int d = 0; d < t->ndim; d++) {
		by[d] = axes_of_dim(p, to, d, axes_in(from, d));
		if (!by[d].v) return false;
		block[d] = t->dims[d];
		for (int i = 0; i < by[d].n; i++) block[d] /= p->size[by[d].v[i]].size;
	}
	return cut_dims(p, x, by, block, out);
}

static bool gather_to(partitioning *p, var x, const layout *from, const layout *to, int ndim,
                      var *out)
{
	*out = x;
	for (int d = 0; d < ndim; d++) {
		const ints axes = axes_of_dim(p, from, d, axes_in(to, d));
		const all_gather_params g = {{axes, {0, NULL}}, d, true, COLL_TO_INVARYING};
		if (!axes.v) return false;
		if (axes.n && !build_eqn(p->b, &tsr__prim_all_gather, &g, out, 1, out, p->where))
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

static bool trade_to(partitioning *p, var x, const layout *from, const layout *to, int ndim,
                     var *out)
{
	const int concat = dim_that_gains(to, from, ndim), split = dim_that_gains(from, to, ndim);
	const ints axes = axes_of_dim(p, from, concat, axes_in(to, concat));
	const all_to_all_params t = {{axes, {0, NULL}}, split, concat, true};

	return axes.v && build_eqn(p->b, &tsr__prim_all_to_all, &t, &x, 1, out, p->where);
}

static bool scatter_to(partitioning *p, var x, const layout *from, const layout *to, int ndim,
                       var *out)
{
	const int dim = dim_that_gains(from, to, ndim);
	const ints axes = axes_of_dim(p, to, dim, axes_in(from, dim));
	const psum_scatter_params s = {{axes, {0, NULL}}, dim, true};

	return axes.v && build_eqn(p->b, &tsr__prim_psum_scatter, &s, &x, 1, out, p->where);
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

static bool step_to(partitioning *p, const reshard_step *s, const layout *from, int ndim, var *x)
{
	switch (s->kind) {
	case RESHARD_SLICE: return slice_to(p, *x, from, &s->to, x);
	case RESHARD_PERMUTE: return permute_to(p, *x, from, &s->to, s->axes, x);
	case RESHARD_ALL_TO_ALL: return trade_to(p, *x, from, &s->to, ndim, x);
	case RESHARD_ALL_GATHER: return gather_to(p, *x, from, &s->to, ndim, x);
	case RESHARD_REDUCE_SCATTER: return scatter_to(p, *x, from, &s->to, ndim, x);
	case RESHARD_ALL_REDUCE: return sum_over(p, *x, s->axes, x);
	case RESHARD_EXCHANGE: break; /* of whole blocks: gather what differs, and cut */
	}
	layout both = {.n = 0};
	for (int i = 0; i < from->n; i++) {
		const int d = from->dim[i], at = axes_in(&both, d);
		const ints a = axes_of_dim(p, from, d, at), b = axes_of_dim(p, &s->to, d, at);
		if (!a.v || !b.v) return false;
		if (b.n && a.v[0] == b.v[0])
			layout_cut(&both, d, from->axis[i]);
	}
	return gather_to(p, *x, from, &both, ndim, x) && slice_to(p, *x, &both, &s->to, x);
}

/* Of this machine: nothing leaves a memory */
static const reshard_cost in_memory = {{500, 2000, 20000}, {0.1, 0.2, 1}};

bool reshard(partitioning *p, var x, const type *whole, const layout *from, const layout *to,
             var *out)
{
	const reshard_case c = {.ndim = whole->ndim,
	                        .naxes = p->mesh ? p->mesh->naxes : 0,
	                        .dims = whole->dims,
	                        .item = (int64_t)tsr_dtype_size(whole->dtype),
	                        .axis = p->size,
	                        .from = *from,
	                        .to = *to,
	                        .cost = &in_memory};
	reshard_plan plan;

	*out = x;
	if (layout_same(from, to)) return true;
	arena *looked_at = arena_make(p->bs); /* hundreds of layouts, of which few are used */
	bool ok = looked_at && reshard_make(looked_at, &c, &plan);
	for (int i = 0; ok && i < plan.n; i++)
		ok = step_to(p, &plan.step[i], i ? &plan.step[i - 1].to : from, whole->ndim, out);
	arena_free(looked_at);
	return ok;
}

/* ---- forms */

int entry_of(const partitioning *p, const mesh *m, int position)
{
	int i = 0;

	while (p->axes[i].mesh != m || p->axes[i].position != position) i++;
	return i;
}

axis_set entries_of(const partitioning *p, const sharding *s)
{
	axis_set set = 0;

	for (int i = 0; i < s->mesh->naxes; i++)
		if (s->axes >> i & 1) set |= axis_bit(entry_of(p, s->mesh, i));
	return set;
}

/* A block varies over the axes that cut the value, even where its elements happen to be alike */
bool spot_add(partitioning *p, spot *s, var v, const layout *at, const sharding *cut)
{
	form *f = arena_alloc(p->scratch, sizeof *f);

	if (!f) return false;
	*f = (form){.v = v, .at = at ? *at : (layout){0}, .cut = cut, .next = s->form};
	const axis_set over = cut ? entries_of(p, cut) : layout_axes(&f->at);
	f->v = build_vary(p->b, v, over, p->where);
	s->form = f;
	return f->v.id;
}

/* the axes of a sharding by dim, as entries of the table */
static bool entries_by_dim(partitioning *p, const sharding *s, int ndim, ints *by)
{
	for (int d = 0; d < ndim; d++) {
		int64_t *v = arena_array(p->scratch, MAX_AXES, sizeof *v);
		by[d] = (ints){0, v};
		if (!v) return false;
		for (int i = d < s->spec.ndim ? s->spec.start[d] : 0;
		     d < s->spec.ndim && i < s->spec.start[d + 1]; i++)
			v[by[d].n++] = entry_of(p, s->mesh, s->spec.axis[i]);
	}
	return true;
}

static bool glue(partitioning *p, const form *f, int ndim, var *out)
{
	ints *by = arena_array(p->scratch, (size_t)ndim + 1, sizeof *by);

	if (!by || !entries_by_dim(p, f->cut, ndim, by)) return false;
	*out = f->v;
	for (int d = 0; d < ndim; d++) {
		const all_gather_params g = {{by[d], {0, NULL}}, d, true, COLL_TO_INVARYING};
		if (by[d].n && !build_eqn(p->b, &tsr__prim_all_gather, &g, out, 1, out, p->where))
			return false;
	}
	return true;
}

/* the form in this layout, or else the one that is cut along fewest axes, since to cut costs
 * nothing. NULL: there is none over our mesh */
static const form *form_for(const spot *s, const layout *to)
{
	const form *least = NULL;

	for (const form *f = s->form; f; f = f->next) {
		if (f->cut) continue;
		if (layout_same(&f->at, to)) return f;
		if (!least || f->at.n < least->at.n) least = f;
	}
	return least;
}

bool spot_value(partitioning *p, spot *s, const layout *to, var *out)
{
	const form *f = form_for(s, to);
	const layout none = {0};
	var v;

	if (!f) { /* a block over another mesh */
		if (!glue(p, s->form, s->whole->ndim, &v) || !spot_add(p, s, v, &none, NULL))
			return false;
		f = s->form;
	}
	*out = f->v;
	if (layout_same(&f->at, to)) return true;
	if (!reshard(p, f->v, s->whole, &f->at, to, &v)) return false;
	if (!spot_add(p, s, v, to, NULL)) return false;
	*out = s->form->v;
	return true;
}

bool spot_block(partitioning *p, spot *s, const sharding *want, var *out)
{
	const layout none = {0};
	layout to;

	if (!p->depth && layout_of(p, want, s->whole, &to)) return spot_value(p, s, &to, out);
	for (const form *f = s->form; f; f = f->next)
		if (f->cut == want) return (*out = f->v).id;
	if (!spot_value(p, s, &none, out)) return false;
	if (!want->axes) return true;
	const int ndim = s->whole->ndim;
	ints *by = arena_array(p->scratch, (size_t)ndim + 1, sizeof *by);
	int64_t *block = arena_array(p->scratch, (size_t)ndim + 1, sizeof *block);
	if (!by || !block || !entries_by_dim(p, want, ndim, by)) return false;
	sharding_block_dims(want, s->whole->dims, ndim, block);
	return cut_dims(p, *out, by, block, out);
}
