/* views.c - products of patches read their elements in the array that these are of, so that no
 * array of patches is made.
 *
 *     pass fuse
 *     f(%0: f32[8,18,18,16], %1: f32[3,3,16,32]) -> f32[8,16,16,32] {
 *       %2: f32[8,16,16,16,3,3] = patches %0 along=[1,2] sizes=[3,3] strides=[1,1] dilations=[1,1]
 *       %3: f32[8,16,16,3,3,16] = transpose %2 perm=[0,1,2,4,5,3]
 *       %4: f32[8,16,16,32] = dot_general %3 %1 contract_a=[3,4,5] contract_b=[0,1,2]
 *           batch_a=[] batch_b=[] dtype=f32
 *       return %4
 *     }
 *     gives
 *     f(%0: f32[8,18,18,16], %1: f32[3,3,16,32]) -> f32[8,16,16,32] {
 *       %2: f32[8,16,16,32] = call %0 %1
 *           program=dot_general(%0: f32[8,18,18,16], %1: f32[3,3,16,32]) -> f32[8,16,16,32] {
 *         %2: f32[8,16,16,16,3,3] =
 *             patches %0 along=[1,2] sizes=[3,3] strides=[1,1] dilations=[1,1]
 *         %3: f32[8,16,16,3,3,16] = transpose %2 perm=[0,1,2,4,5,3]
 *         %4: f32[8,16,16,32] = dot_general %3 %1 contract_a=[3,4,5] contract_b=[0,1,2]
 *             batch_a=[] batch_b=[] dtype=f32
 *         return %4
 *       }
 *       return %2
 *     }
 *
 * A patch is a box of the array, so along each dim of %3 elements are a fixed number apart: 5184,
 * 288, 16, 288, 16 and 1 elements. Neighbours that are one run are one dim. So the matrix of 2048
 * rows and 144 columns has rows of 8 x 16 x 16 with the strides 5184, 288 and 16, and columns of
 * 3 x 48 with the strides 288 and 1. */
#include "pass/fuse/fuse.h"

/* what makes a value, before an equation; NULL: an input */
static const eqn *maker_before(const program *p, const eqn *e, var v)
{
	while (e-- > p->eqns)
		for (int k = 0; k < e->nout; k++)
			if (e->out[k].id == v.id) return e;
	return NULL;
}

/* from an operand back to the patches that it is. false: it is none */
static bool find_chain(const program *p, const eqn *product, int operand, gathered *to)
{
	var v = product->in[operand];
	const eqn *e = product;

	for (to->n = 0; to->n < VIEW_EQUATIONS;) {
		e = maker_before(p, e, v);
		if (!e || (e->prim != &tsr__prim_transpose && e->prim != &tsr__prim_patches))
			return false;
		to->eqn[to->n++] = e;
		v = to->base = e->in[0];
		if (e->prim == &tsr__prim_patches) return true;
	}
	return false;
}

/* the strides of an operand of the equation, as those of its result */
static void pass_through(const eqn *e, int ndim, int64_t *stride)
{
	int64_t from[MAX_NDIM];

	memcpy(from, stride, (size_t)ndim * sizeof *from);
	if (e->prim == &tsr__prim_transpose) {
		const ints *perm = &((const transpose_params *)e->params)->perm;
		for (int d = 0; d < ndim; d++) stride[d] = from[perm->v[d]];
		return;
	}
	const patches_params *w = e->params;
	for (int i = 0; i < w->along.n; i++) {
		stride[w->along.v[i]] = from[w->along.v[i]] * w->strides.v[i];
		stride[ndim + i] = from[w->along.v[i]] * w->dilations.v[i];
	}
}

/* Rows are read one run after the other, which takes as long as runs are many */
static bool has_runs(const matrix_view *v, tsr_dtype dtype)
{
	const view_dims *of[] = {&v->sum, &v->own};

	for (int i = 0; i < 2; i++) {
		const int last = of[i]->n - 1;
		if (last >= 0 && of[i]->stride[last] == 1)
			return of[i]->size[last] * (int64_t)tsr_dtype_size(dtype) >=
			       TUNE_GATHER_RUN;
	}
	return false;
}

static bool find_view(const program *p, const eqn *product, int operand, gathered *to)
{
	int64_t stride[MAX_NDIM];

	if (!find_chain(p, product, operand, to)) return false;
	const type *base = type_of(p, to->base), *t = type_of(p, product->in[operand]);
	dims_strides(base->dims, base->ndim, stride);
	for (int i = to->n - 1; i >= 0; i--)
		pass_through(to->eqn[i], type_of(p, to->eqn[i]->in[0])->ndim, stride);
	to->operand = operand;
	return matrix_view_of(product, t, operand, stride, &to->view) &&
	       has_runs(&to->view, t->dtype);
}

bool product_gathers(const program *p, const eqn *product, gathered *to)
{
	return find_view(p, product, 0, to) || find_view(p, product, 1, to);
}
