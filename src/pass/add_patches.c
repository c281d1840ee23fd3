/* add_patches.c - replaces add_patches of a product by a product of patches: the transpose of a
 * convolution is a convolution too, of its operand and the flipped kernel.
 *
 *     pass add_patches
 *     f(%0: f32[8,16,16,32], %1: f32[3,3,16,32]) -> f32[8,18,18,16] {
 *       %2: f32[8,16,16,3,3,16] = dot_general %0 %1 contract_a=[3] contract_b=[3]
 *           batch_a=[] batch_b=[] dtype=f32
 *       %3: f32[8,16,16,16,3,3] = transpose %2 perm=[0,1,2,5,3,4]
 *       %4: f32[8,18,18,16] =
 *           add_patches %3 along=[1,2] sizes=[3,3] strides=[1,1] dilations=[1,1] dims=[8,18,18,16]
 *       return %4
 *     }
 *     gives
 *     f(%0: f32[8,16,16,32], %1: f32[3,3,16,32]) -> f32[8,18,18,16] {
 *       %2: f32[8,20,20,32] = pad %0 0.0:f32 low=[0,2,2,0] high=[0,2,2,0] interior=[0,0,0,0]
 *       %3: f32[8,18,18,32,3,3] =
 *           patches %2 along=[1,2] sizes=[3,3] strides=[1,1] dilations=[1,1]
 *       %4: f32[8,18,18,3,3,32] = transpose %3 perm=[0,1,2,4,5,3]
 *       %5: f32[3,3,16,32] = rev %1 dims=[0,1]
 *       %6: f32[3,3,32,16] = transpose %5 perm=[0,1,3,2]
 *       %7: f32[8,18,18,16] = dot_general %4 %6 contract_a=[3,4,5] contract_b=[0,1,2]
 *           batch_a=[] batch_b=[] dtype=f32
 *       return %7
 *     }
 *
 * So the array %3, nine times as large as the result, is never made. This is so where the product
 * has the dims of windows from one operand and those they go along from the other.
 *
 * Where windows go in steps of s, elements s q + r of the result get terms only from the elements
 * r, r + s, ... of windows: for each r, a phase, they are a convolution in steps of 1 with these
 * elements of the kernel. For windows of 3 in steps of 2, the elements c[i] that are added, and the
 * kernel k[0] k[1] k[2]:
 *
 *     result       0          1          2                  3          4
 *     r = 0        c0 k0                 c1 k0 + c0 k2                 c1 k2
 *     r = 1                   c0 k1                         c1 k1
 *
 * Phases are put between each other in the end.
 *
 * The new product adds in another order (docs/numerics.md, "Windows"), so the pass runs for all
 * engines, before anything is cut, and dims and dtypes alone decide. */
#include "pass/pass.h"

enum { MOST_STEP = 4 };
enum { OF_FIRST, OF_SECOND, BOTH };

typedef struct dim_of { /* an operand of a product, and its dim; of BOTH: its place in the batch */
	int operand, dim;
} dim_of;

static const ints *batch_of(const dot_params *d, int operand)
{
	return operand == OF_SECOND ? &d->batch_b : &d->batch_a;
}

static const ints *contract_of(const dot_params *d, int operand)
{
	return operand == OF_SECOND ? &d->contract_b : &d->contract_a;
}

/* the dims of a product's result */
static void read_dims(const program *p, const eqn *product, dim_of *to)
{
	const dot_params *d = product->params;
	int at = 0;

	for (int i = 0; i < d->batch_a.n; i++) to[at++] = (dim_of){BOTH, i};
	for (int k = OF_FIRST; k <= OF_SECOND; k++)
		for (int i = 0; i < type_of(p, product->in[k])->ndim; i++)
			if (!has_int(batch_of(d, k), i) && !has_int(contract_of(d, k), i))
				to[at++] = (dim_of){k, i};
}

static int uses_of(const program *p, var v)
{
	int n = 0;

	for (int i = 0; i < p->neqns; i++)
		for (int k = 0; k < p->eqns[i].nin; k++) n += p->eqns[i].in[k].id == v.id;
	for (int i = 0; i < p->nout; i++) n += p->out[i].id == v.id;
	return n;
}

typedef struct turning {
	const eqn *product;
	int along;               /* the operand with the dims that windows go along */
	dim_of dim[MAX_NDIM];    /* by dim of the patches */
	int64_t phase[MAX_NDIM]; /* by window */
} turning;

static const eqn *maker_of_value(const program *p, var v)
{
	for (int i = 0; i < p->neqns; i++)
		for (int k = 0; k < p->eqns[i].nout; k++)
			if (p->eqns[i].out[k].id == v.id) return &p->eqns[i];
	return NULL;
}

/* the product behind the operand of add_patches, through a transpose */
static bool find_product(const program *p, const eqn *e, turning *to)
{
	const eqn *made = maker_of_value(p, e->in[0]);
	const ints *perm = NULL;
	dim_of dim[MAX_NDIM];

	if (made && uses_of(p, e->in[0]) == 1 && made->prim == &tsr__prim_transpose) {
		perm = &((const transpose_params *)made->params)->perm;
		if (uses_of(p, made->in[0]) > 1) return false;
		made = maker_of_value(p, made->in[0]);
	}
	if (!made || made->prim != &tsr__prim_dot_general || uses_of(p, made->out[0]) > 1)
		return false;
	to->product = made;
	read_dims(p, made, dim);
	for (int d = 0; d < type_of(p, e->in[0])->ndim; d++)
		to->dim[d] = dim[perm ? perm->v[d] : d];
	return true;
}

/* are dims of windows those of one operand, and what they go along the other's; has each phase
 * elements, and what is summed runs that can be gathered? */
static bool fits(const program *p, const eqn *e, turning *t)
{
	const add_patches_params *a = e->params;
	const dot_params *d = t->product->params;
	const int n = a->windows.along.n;

	t->along = n ? t->dim[a->windows.along.v[0]].operand : BOTH;
	if (t->along == BOTH) return false;
	for (int i = 0; i < n; i++) {
		const int64_t step = a->windows.strides.v[i];
		if (t->dim[a->windows.along.v[i]].operand != t->along ||
		    t->dim[a->dims.n + i].operand != !t->along)
			return false;
		if (step > 1 && (step > MOST_STEP || step > a->windows.sizes.v[i] ||
		                 a->windows.dilations.v[i] > 1))
			return false;
	}
	const type *x = type_of(p, t->product->in[t->along]);
	return has_int(contract_of(d, t->along), x->ndim - 1);
}

/* Adding patches of what is small is as fast */
static bool is_large(const program *p, const eqn *product)
{
	matrix_product x;

	return product_of(p, product, &x) && dtype_kind(x.dtype) >= KIND_FLOAT && x.from == x.to &&
	       (double)x.batch * (double)x.m * (double)x.n * (double)x.k >= TUNE_TURNED_WORK;
}

/* ---- the new product */

/* the window at place k of those that are summed: the one along the k-th of the dims, as they rise
 * in the operand */
static int window_at(const turning *t, const patches_params *w, int k)
{
	for (int i = 0; i < w->along.n; i++) {
		int before = 0;
		for (int j = 0; j < w->along.n; j++)
			before += t->dim[w->along.v[j]].dim < t->dim[w->along.v[i]].dim;
		if (before == k) return i;
	}
	return 0;
}

/* how many elements of window i this phase has */
static int64_t elements_of(const turning *t, const patches_params *w, int i)
{
	const int64_t step = w->strides.v[i];

	return (w->sizes.v[i] - t->phase[i] + step - 1) / step;
}

/* what windows go along, padded so that there are as many as results of a phase, its patches, and
 * of these first the batch, then the dims that the product keeps, windows, and what it sums */
static var turned_patches(build *b, const turning *t, const add_patches_params *a, var x)
{
	const patches_params *w = &a->windows;
	const dot_params *d = t->product->params;
	const ints *batch = batch_of(d, t->along), *contract = contract_of(d, t->along);
	const int n = w->along.n, ndim = build_type(b, x)->ndim;
	const var zero = emit_scalar(b, build_type(b, x)->dtype, 0);
	int64_t along[MAX_NDIM], sizes[MAX_NDIM], ones[MAX_NDIM], dilations[MAX_NDIM];
	int64_t low[MAX_NDIM] = {0}, high[MAX_NDIM] = {0}, between[MAX_NDIM] = {0};
	int64_t perm[MAX_NDIM];
	int at = 0;

	if (is_zero(x)) return x;
	for (int k = 0; k < n; k++) {
		const int i = window_at(t, w, k);
		const int64_t step = w->strides.v[i], size = a->dims.v[w->along.v[i]];
		along[k] = t->dim[w->along.v[i]].dim;
		sizes[k] = elements_of(t, w, i);
		dilations[k] = w->dilations.v[i];
		ones[k] = 1;
		low[along[k]] = (sizes[k] - 1) * dilations[k];
		high[along[k]] = (size + step - 1) / step - build_type(b, x)->dims[along[k]];
	}
	const pad_params pads = {{ndim, low}, {ndim, high}, {ndim, between}};
	const patches_params own = {{n, along}, {n, sizes}, {n, ones}, {n, dilations}};
	x = emit(b, &tsr__prim_pad, &pads, (var[]){x, zero}, 2);
	x = emit(b, &tsr__prim_patches, &own, &x, 1);
	for (int i = 0; i < batch->n; i++) perm[at++] = batch->v[i];
	for (int dim = 0; dim < ndim; dim++)
		if (!has_int(batch, dim) && !has_int(contract, dim)) perm[at++] = dim;
	for (int i = 0; i < n; i++) perm[at++] = ndim + i;
	for (int i = 0; i < contract->n; i++) perm[at++] = contract->v[i];
	return emit_transpose(b, x, perm);
}

/* the elements of windows that this phase has */
static var kernel_of_phase(build *b, const turning *t, const add_patches_params *a, var y)
{
	const patches_params *w = &a->windows;
	int64_t start[MAX_NDIM] = {0}, step[MAX_NDIM];
	bool all = true;

	if (is_zero(y)) return y;
	const type *type = build_type(b, y);
	for (int d = 0; d < type->ndim; d++) step[d] = 1;
	for (int i = 0; i < w->along.n; i++) {
		const int d = t->dim[a->dims.n + i].dim;
		start[d] = t->phase[i];
		step[d] = w->strides.v[i];
		all = all && step[d] == 1;
	}
	const slice_params some = {{type->ndim, start}, {type->ndim, type->dims},
	                           {type->ndim, step}};
	return all ? y : emit(b, &tsr__prim_slice, &some, &y, 1);
}

/* the other operand, turned over: the batch, windows, what is summed, and the other dims */
static var turned_kernel(build *b, const turning *t, const add_patches_params *a, var y)
{
	y = kernel_of_phase(b, t, a, y);
	if (is_zero(y)) return y;
	const dot_params *d = t->product->params;
	const ints *batch = batch_of(d, !t->along), *contract = contract_of(d, !t->along);
	const int n = a->windows.along.n, ndim = build_type(b, y)->ndim;
	bool window[MAX_NDIM] = {false};
	int64_t perm[MAX_NDIM], dims[MAX_NDIM];
	int at = 0, k = 0;

	for (int i = 0; i < batch->n; i++) perm[at++] = batch->v[i];
	for (int i = 0; i < n; i++) {
		const int which = window_at(t, &a->windows, i);
		window[perm[at++] = t->dim[a->dims.n + which].dim] = true;
	}
	for (int dim = 0; dim < ndim; dim++)
		if (window[dim]) dims[k++] = dim;
	for (int i = 0; i < contract->n; i++) perm[at++] = contract->v[i];
	for (int dim = 0; dim < ndim; dim++)
		if (!window[dim] && !has_int(batch, dim) && !has_int(contract, dim))
			perm[at++] = dim;
	y = emit(b, &tsr__prim_rev, &(dims_params){{n, dims}}, &y, 1);
	return emit_transpose(b, y, perm);
}

/* the place of a dim among those of the new product's result: the batch, then those of the operand
 * that windows go along, then those of the other one */
static int rank_of(const turning *t, dim_of dim)
{
	return dim.operand == BOTH ? 0 : dim.operand == t->along ? 1 : 2;
}

static int place_in(const turning *t, int ndim, dim_of dim)
{
	int before = 0;

	for (int d = 0; d < ndim; d++) {
		const int apart = rank_of(t, t->dim[d]) - rank_of(t, dim);
		before += apart ? apart < 0 : t->dim[d].dim < dim.dim;
	}
	return before;
}

/* of a phase */
static var product_of_phase(value_map *v, const turning *t, const add_patches_params *a)
{
	const int ndim = a->dims.n, n = a->windows.along.n;
	const dot_params *d = t->product->params;
	build *b = v->to;
	int64_t batch[MAX_NDIM], first[MAX_NDIM], last[MAX_NDIM], perm[MAX_NDIM];
	const var x = turned_patches(b, t, a, values_get(v, t->product->in[t->along]));
	const var y = turned_kernel(b, t, a, values_get(v, t->product->in[!t->along]));

	if (build_failed(b)) return (var){0};
	const int of_batch = d->batch_a.n, summed = n + d->contract_a.n;
	for (int i = 0; i < of_batch; i++) batch[i] = i;
	for (int i = 0; i < summed; i++) {
		last[i] = build_type(b, x)->ndim - summed + i;
		first[i] = of_batch + i;
	}
	const dot_params own = {{summed, last},    {summed, first}, {of_batch, batch},
	                        {of_batch, batch}, d->dtype,        d->precision};
	for (int i = 0; i < ndim; i++) perm[i] = place_in(t, ndim, t->dim[i]);
	return emit_transpose(b, emit(b, &tsr__prim_dot_general, &own, (var[]){x, y}, 2), perm);
}

/* parts of equal types, whose elements along a dim alternate */
static var alternating(build *b, var *part, int n, int dim)
{
	const int64_t behind = dim + 1;
	const dims_params at = {{1, &behind}};

	for (int i = 0; i < n; i++)
		part[i] = emit(b, &tsr__prim_expand_dims, &at, &part[i], 1);
	return emit_merged(b, emit_join(b, part, n, dim + 1), dim);
}

/* all phases along windows from i on */
static var phases_from(value_map *v, turning *t, const add_patches_params *a, int i)
{
	build *b = v->to;
	var part[MOST_STEP] = {{0}};

	if (i == a->windows.along.n) return product_of_phase(v, t, a);
	const int step = (int)a->windows.strides.v[i], dim = (int)a->windows.along.v[i];
	for (int r = 0; r < step; r++) {
		t->phase[i] = r;
		part[r] = phases_from(v, t, a, i + 1);
	}
	if (step == 1 || build_failed(b)) return part[0];
	return emit_part(b, alternating(b, part, step, dim), dim, 0, a->dims.v[dim]);
}

static bool turn(value_map *v, const eqn *e)
{
	turning t = {0};

	if (!find_product(v->from, e, &t) || !is_large(v->from, t.product) || !fits(v->from, e, &t))
		return copy_equation(v, e);
	build_at(v->to, e->where);
	const var y = phases_from(v, &t, e->params, 0);
	return values_set(v, e, &y);
}

static bool adds_patches(const eqn *e) { return e->prim == &tsr__prim_add_patches; }

program *pass_add_patches(const program *p)
{
	return rewritten_alive(&(rewriting){"add_patches", adds_patches, turn}, p);
}
