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
 * value keeps the forms that it has got, so that nothing is sent twice. Where dims do not divide,
 * what is cut is filled up before to whole blocks, and what was put together is cut off behind. */
#include "pass/partition/partition.h"

/* ---- layouts and shardings */

bool layout_of(const partitioning *p, const sharding *s, const type *whole, layout *to)
{
	*to = (layout){0};
	if (!s || s->mesh != p->mesh) return false;
	for (int d = 0; d < s->spec.ndim; d++)
		for (int i = s->spec.start[d]; i < s->spec.start[d + 1]; i++)
			layout_cut(to, d, s->spec.axis[i]);
	return s->spec.ndim <= whole->ndim;
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

static int64_t *block_dims(partitioning *p, const type *whole, const layout *l)
{
	int64_t *dims = arena_array(p->scratch, (size_t)whole->ndim + 1, sizeof *dims);

	for (int d = 0; dims && d < whole->ndim; d++)
		dims[d] = layout_block(l, p->size, whole->dims, d);
	return dims;
}

const type *block_type(partitioning *p, const type *whole, const layout *l)
{
	int64_t *dims = block_dims(p, whole, l);

	if (!dims) return NULL;
	return type_shaped(build_ir(p->b), whole, dims, whole->ndim, layout_axes(l));
}

/* ---- steps of a plan */

ints axes_of_dim(partitioning *p, const layout *l, int dim, int first)
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

/* a step: what changes, and the number for new padding */
typedef struct change {
	partitioning *p;
	const type *whole;
	const layout *from, *to;
	const void *number;
} change;

static int64_t block_of(const change *c, const layout *l, int dim)
{
	return layout_block(l, c->p->size, c->whole->dims, dim);
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

/* x with dims of these sizes: cut off at the end, or filled up with a number */
static bool resized(partitioning *p, var x, const int64_t *dims, const void *number, var *out)
{
	const type *t = build_type(p->b, x);
	int64_t *none = arena_array(p->scratch, (size_t)t->ndim + 1, sizeof *none);
	int64_t *high = arena_array(p->scratch, (size_t)t->ndim + 1, sizeof *high);

	*out = x;
	if (!none || !high) return false;
	if (dims_same(t->dims, t->ndim, dims, t->ndim)) return true;
	for (int d = 0; d < t->ndim; d++) high[d] = dims[d] - t->dims[d];
	const pad_params pad = {{t->ndim, none}, {t->ndim, high}, {t->ndim, none}};
	const var operand[] = {x, element_like(p, t, number)};
	return operand[1].id &&
	       build_eqn(p->b, &tsr__prim_pad, &pad, operand, 2, out, p->where);
}

/* dims of whole blocks: as many of each as the axes that are new in `to` cut it into */
static int64_t *dims_to_cut(const change *c)
{
	partitioning *p = c->p;
	const int ndim = c->whole->ndim;
	int64_t *dims = arena_array(p->scratch, (size_t)ndim + 1, sizeof *dims);

	for (int d = 0; dims && d < ndim; d++) {
		const int64_t parts = layout_parts(c->from, p->size, d);
		const int64_t after = layout_parts(c->to, p->size, d);
		dims[d] = after > parts ? after / parts * block_of(c, c->to, d)
		                        : block_of(c, c->from, d);
	}
	return dims;
}

static bool resized_to(const change *c, const layout *l, var x, var *out)
{
	int64_t *dims = block_dims(c->p, c->whole, l);

	return dims && resized(c->p, x, dims, c->number, out);
}

static bool slice_to(const change *c, var x, var *out)
{
	const int ndim = c->whole->ndim;
	ints *by = arena_array(c->p->scratch, (size_t)ndim + 1, sizeof *by);
	const int64_t *full = dims_to_cut(c), *block = block_dims(c->p, c->whole, c->to);

	if (!by || !full || !block) return false;
	for (int d = 0; d < ndim; d++) {
		by[d] = axes_of_dim(c->p, c->to, d, axes_in(c->from, d));
		if (!by[d].v) return false;
	}
	return resized(c->p, x, full, c->number, &x) && cut_dims(c->p, x, by, block, out);
}

static bool gather_to(const change *c, var x, var *out)
{
	*out = x;
	for (int d = 0; d < c->whole->ndim; d++) {
		const ints axes = axes_of_dim(c->p, c->from, d, axes_in(c->to, d));
		const all_gather_params g = {{axes, {0, NULL}}, d, true, COLL_TO_INVARYING};
		if (!axes.v) return false;
		if (axes.n && !build_eqn(c->p->b, &tsr__prim_all_gather, &g, out, 1, out,
		                         c->p->where))
			return false;
	}
	return resized_to(c, c->to, *out, out);
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
	const ints axes = axes_of_dim(c->p, c->from, concat, axes_in(c->to, concat));
	const all_to_all_params t = {
		{axes, {0, NULL}}, dim_that_gains(c->from, c->to, ndim), concat, true};
	const int64_t *full = dims_to_cut(c);

	return axes.v && full && resized(c->p, x, full, c->number, &x) &&
	       build_eqn(c->p->b, &tsr__prim_all_to_all, &t, &x, 1, out, c->p->where) &&
	       resized_to(c, c->to, *out, out);
}

static bool scatter_to(const change *c, var x, var *out)
{
	const int dim = dim_that_gains(c->from, c->to, c->whole->ndim);
	const ints axes = axes_of_dim(c->p, c->to, dim, axes_in(c->from, dim));
	const psum_scatter_params s = {{axes, {0, NULL}}, dim, true};
	const int64_t *full = dims_to_cut(c);

	return axes.v && full && resized(c->p, x, full, c->number, &x) &&
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

/* all at once: what differs is gathered, and cut */
static bool exchange_to(const change *c, var x, var *out)
{
	layout both = {.n = 0};

	for (int d = 0; d < c->whole->ndim; d++) {
		const int n = layout_common(c->from, c->to, c->p->size, c->whole->dims, d);
		for (int i = 0, k = 0; i < c->from->n && k < n; i++)
			if (c->from->dim[i] == d) layout_cut(&both, d, c->from->axis[i]), k++;
	}
	const change gather = {c->p, c->whole, c->from, &both, c->number};
	const change slice = {c->p, c->whole, &both, c->to, c->number};
	return gather_to(&gather, x, out) && slice_to(&slice, *out, out);
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

/* Of this machine: nothing leaves a memory */
static const reshard_cost in_memory = {{500, 2000, 20000}, {0.1, 0.2, 1}};

double collectives_ns(int n, double bytes)
{
	return n * in_memory.start[LEVEL_MEMORY] + bytes * in_memory.byte[LEVEL_MEMORY];
}

bool reshard(partitioning *p, var x, const type *whole, const layout *from, const layout *to,
             const void *number, var *out)
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
	for (int i = 0; ok && i < plan.n; i++) {
		const layout *at = i ? &plan.step[i - 1].to : from;
		const change step = {p, whole, at, &plan.step[i].to, number};
		ok = step_to(&step, &plan.step[i], out);
	}
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
form *spot_add(partitioning *p, spot *s, var v, const layout *at, const sharding *cut)
{
	form *f = arena_alloc(p->scratch, sizeof *f);

	if (!f) return NULL;
	*f = (form){.v = v, .at = at ? *at : (layout){0}, .cut = cut, .next = s->form};
	const axis_set over = cut ? entries_of(p, cut) : layout_axes(&f->at);
	f->v = build_vary(p->b, v, over, p->where);
	s->form = f;
	return f->v.id ? f : NULL;
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

static bool is_padded_with(const form *f, const type *whole, padding want)
{
	_Alignas(16) unsigned char number[16];

	if (!f->padding) return false;
	padding_number(want, whole->dtype, number);
	return memcmp(f->padding, number, tsr_dtype_size(whole->dtype)) == 0;
}

/* the form in another layout */
static form *moved(partitioning *p, spot *s, const form *f, const layout *to, const void *number,
                   padding with)
{
	/* what is sent on keeps its padding, and the rest is new */
	const bool known = !f->at.partial && (!has_padding(p, s->whole, &f->at) ||
	                                      is_padded_with(f, s->whole, with));
	var v;

	if (!reshard(p, f->v, s->whole, &f->at, to, number, &v)) return NULL;
	form *new = spot_add(p, s, v, to, NULL);
	if (new && known) new->padding = number;
	return new;
}

static form *filled(partitioning *p, spot *s, const form *f, const void *number)
{
	var v;

	if (!fill_padding(p, f->v, s->whole, &f->at, number, &v)) return NULL;
	form *new = spot_add(p, s, v, &f->at, NULL);
	if (new) new->padding = number;
	return new;
}

/* one that is there already; NULL: none */
static const form *ready(const partitioning *p, const spot *s, const layout *to, padding want)
{
	const bool any = want == PAD_ANY || !has_padding(p, s->whole, to);

	for (const form *f = s->form; f; f = f->next)
		if (!f->cut && layout_same(&f->at, to) &&
		    (any || is_padded_with(f, s->whole, want)))
			return f;
	return NULL;
}

const form *spot_form(partitioning *p, spot *s, const layout *to, padding want)
{
	const form *f = ready(p, s, to, want);
	unsigned char *number;
	var v;

	if (f) return f;
	if (!(number = arena_alloc(p->scratch, 16))) return NULL;
	padding_number(want, s->whole->dtype, number);
	if (!(f = form_for(s, to)) && /* a block over another mesh */
	    (!glue(p, s->form, s->whole->ndim, &v) ||
	     !(f = spot_add(p, s, v, &(layout){0}, NULL))))
		return NULL;
	if (!layout_same(&f->at, to) && !moved(p, s, f, to, number, want)) return NULL;
	f = ready(p, s, to, want);
	return f ? f : filled(p, s, form_for(s, to), number);
}

bool spot_value(partitioning *p, spot *s, const layout *to, var *out)
{
	const form *f = spot_form(p, s, to, PAD_ANY);

	if (f) *out = f->v;
	return f;
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
