/* turned.c - add_patches of a library's product is a product of patches: the transpose of a
 * convolution is one too, of what it is given and the kernel, turned over.
 *
 *     pass fuse
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
 *       %2: f32[8,20,20,32] = call %0 program=pad(%0: f32[8,16,16,32]) -> f32[8,20,20,32] {
 *         %1: f32[8,20,20,32] = pad %0 0.0:f32 low=[0,2,2,0] high=[0,2,2,0] interior=[0,0,0,0]
 *         return %1
 *       }
 *       %3: f32[3,3,32,16] = call %1 program=transpose(%0: f32[3,3,16,32]) -> f32[3,3,32,16] {
 *         %1: f32[3,3,16,32] = rev %0 dims=[0,1]
 *         %2: f32[3,3,32,16] = transpose %1 perm=[0,1,3,2]
 *         return %2
 *       }
 *       %4: f32[8,18,18,16] = call %2 %3
 *           program=dot_general(%0: f32[8,20,20,32], %1: f32[3,3,32,16]) -> f32[8,18,18,16] {
 *         %2: f32[8,18,18,32,3,3] =
 *             patches %0 along=[1,2] sizes=[3,3] strides=[1,1] dilations=[1,1]
 *         %3: f32[8,18,18,3,3,32] = transpose %2 perm=[0,1,2,4,5,3]
 *         %4: f32[8,18,18,16] = dot_general %3 %1 contract_a=[3,4,5] contract_b=[0,1,2]
 *             batch_a=[] batch_b=[] dtype=f32
 *         return %4
 *       }
 *       return %4
 *     }
 *
 * So the array %3, nine times as large as the result, is never made. This is so where windows go in
 * steps of 1, and where the product has the dims of windows from one operand and those they go
 * along from the other. Steps of 2 would multiply with zeros, three times of four. */
#include "pass/fuse/fuse.h"

static bool has(const ints *list, int64_t entry)
{
	for (int i = 0; i < list->n; i++)
		if (list->v[i] == entry) return true;
	return false;
}

typedef struct dim_of { /* an operand of a product, and its dim */
	int operand, dim;
} dim_of;

/* the dims of a product's result; batch dims are those of the first operand */
static void read_dims(const program *p, const eqn *product, dim_of *to)
{
	const dot_params *d = product->params;
	int at = 0;

	for (int i = 0; i < d->batch_a.n; i++) to[at++] = (dim_of){0, (int)d->batch_a.v[i]};
	for (int k = 0; k < 2; k++) {
		const ints *batch = k ? &d->batch_b : &d->batch_a;
		const ints *contract = k ? &d->contract_b : &d->contract_a;
		for (int i = 0; i < type_of(p, product->in[k])->ndim; i++)
			if (!has(batch, i) && !has(contract, i))
				to[at++] = (dim_of){k, i};
	}
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
	int along;            /* the operand with the dims that windows go along */
	dim_of dim[MAX_NDIM]; /* by dim of the patches */
} turning;

/* the product behind the operand of add_patches, through a transpose */
static bool find_product(const program *p, const eqn *e, turning *to)
{
	const eqn *made = maker_before(p, e, e->in[0]);
	const ints *perm = NULL;
	dim_of dim[MAX_NDIM];

	if (made && uses_of(p, e->in[0]) == 1 && made->prim == &tsr__prim_transpose) {
		perm = &((const transpose_params *)made->params)->perm;
		if (uses_of(p, made->in[0]) > 1) return false;
		made = maker_before(p, made, made->in[0]);
	}
	if (!made || made->prim != &tsr__prim_dot_general || uses_of(p, made->out[0]) > 1)
		return false;
	to->product = made;
	read_dims(p, made, dim);
	for (int d = 0; d < type_of(p, e->in[0])->ndim; d++)
		to->dim[d] = dim[perm ? perm->v[d] : d];
	return true;
}

/* are dims of windows those of one operand, what they go along the other's, and in what is summed
 * there runs that can be gathered? */
static bool fits(const program *p, const eqn *e, turning *t)
{
	const add_patches_params *a = e->params;
	const dot_params *d = t->product->params;
	const int n = a->windows.along.n;

	if (d->batch_a.n || !n) return false;
	t->along = t->dim[a->windows.along.v[0]].operand;
	for (int i = 0; i < n; i++)
		if (t->dim[a->windows.along.v[i]].operand != t->along ||
		    t->dim[a->dims.n + i].operand == t->along || a->windows.strides.v[i] != 1)
			return false;
	const type *x = type_of(p, t->product->in[t->along]);
	return has(t->along ? &d->contract_b : &d->contract_a, x->ndim - 1);
}

bool product_turns(const target *on, const program *p, const eqn *e)
{
	matrix_product product;
	turning t;

	return e->prim == &tsr__prim_add_patches && find_product(p, e, &t) && fits(p, e, &t) &&
	       maker_of(on, p, t.product, &product) == BY_LIBRARY;
}

/* ---- the new product */

/* the window that stands at place k of what is summed: that along the k-th of the dims, as they
 * rise in the operand */
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

/* what windows go along, padded, its patches, and of these first the dims that the product keeps,
 * then windows, then what it sums */
static var turned_patches(build *b, const turning *t, const add_patches_params *a, var x)
{
	const patches_params *w = &a->windows;
	const dot_params *d = t->product->params;
	const ints *contract = t->along ? &d->contract_b : &d->contract_a;
	const int n = w->along.n, ndim = build_type(b, x)->ndim;
	const var zero = emit_scalar(b, build_type(b, x)->dtype, 0);
	int64_t along[MAX_NDIM], sizes[MAX_NDIM], ones[MAX_NDIM], dilations[MAX_NDIM];
	int64_t beside[MAX_NDIM] = {0}, between[MAX_NDIM] = {0}, perm[MAX_NDIM];
	int at = 0;

	for (int k = 0; k < n; k++) {
		const int i = window_at(t, w, k);
		along[k] = t->dim[w->along.v[i]].dim;
		sizes[k] = w->sizes.v[i];
		dilations[k] = w->dilations.v[i];
		ones[k] = 1;
		beside[along[k]] = (sizes[k] - 1) * dilations[k];
	}
	const pad_params pads = {{ndim, beside}, {ndim, beside}, {ndim, between}};
	const patches_params own = {{n, along}, {n, sizes}, {n, ones}, {n, dilations}};
	x = emit(b, &tsr__prim_pad, &pads, (var[]){x, zero}, 2);
	x = emit(b, &tsr__prim_patches, &own, &x, 1);
	for (int dim = 0; dim < ndim; dim++)
		if (!has(contract, dim)) perm[at++] = dim;
	for (int i = 0; i < n; i++) perm[at++] = ndim + i;
	for (int i = 0; i < contract->n; i++) perm[at++] = contract->v[i];
	return emit_transpose(b, x, perm);
}

/* the other operand, turned over: windows, what is summed, and the other dims */
static var turned_kernel(build *b, const turning *t, const add_patches_params *a, var y)
{
	const dot_params *d = t->product->params;
	const ints *contract = t->along ? &d->contract_a : &d->contract_b;
	const int n = a->windows.along.n, ndim = build_type(b, y)->ndim;
	bool window[MAX_NDIM] = {false};
	int64_t perm[MAX_NDIM], dims[MAX_NDIM];
	int at = 0, k = 0;

	for (int i = 0; i < n; i++) {
		const int which = window_at(t, &a->windows, i);
		window[perm[at++] = t->dim[a->dims.n + which].dim] = true;
	}
	for (int dim = 0; dim < ndim; dim++)
		if (window[dim]) dims[k++] = dim;
	for (int i = 0; i < contract->n; i++) perm[at++] = contract->v[i];
	for (int dim = 0; dim < ndim; dim++)
		if (!window[dim] && !has(contract, dim)) perm[at++] = dim;
	y = emit(b, &tsr__prim_rev, &(dims_params){{n, dims}}, &y, 1);
	return emit_transpose(b, y, perm);
}

/* how many dims the result of the new product has before this one */
static int place_in(const turning *t, int ndim, dim_of dim)
{
	int before = 0;

	for (int d = 0; d < ndim; d++)
		before += (t->dim[d].operand == t->along) != (dim.operand == t->along)
		                  ? dim.operand != t->along
		                  : t->dim[d].dim < dim.dim;
	return before;
}

var product_turned(value_map *v, const eqn *e)
{
	const add_patches_params *a = e->params;
	const int ndim = a->dims.n, n = a->windows.along.n;
	build *b = v->to;
	int64_t first[MAX_NDIM], last[MAX_NDIM], perm[MAX_NDIM];
	turning t;

	if (!find_product(v->from, e, &t) || !fits(v->from, e, &t)) {
		build_fail(b);
		return (var){0};
	}
	const dot_params *d = t.product->params;
	const var x = turned_patches(b, &t, a, values_get(v, t.product->in[t.along]));
	const var y = turned_kernel(b, &t, a, values_get(v, t.product->in[!t.along]));
	if (build_failed(b)) return (var){0};
	const int summed = n + d->contract_a.n, kept = build_type(b, x)->ndim - summed;
	for (int i = 0; i < summed; i++) {
		last[i] = kept + i;
		first[i] = i;
	}
	const dot_params own = {{summed, last}, {summed, first}, {0}, {0}, d->dtype};
	for (int i = 0; i < ndim; i++) perm[i] = place_in(&t, ndim, t.dim[i]);
	return emit_transpose(b, emit(b, &tsr__prim_dot_general, &own, (var[]){x, y}, 2), perm);
}
