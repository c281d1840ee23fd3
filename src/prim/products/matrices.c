/* matrices.c - finds the products of matrices in a dot_general, with their elements where they are
 * in memory.
 *
 * The heads of an attention, queries [2,128,8,32] times keys [2,128,8,32], summed over the last
 * dim, for each of the dims 0 and 2:
 *
 *              batch 2 x 8       own 128      sum 32
 *     strides  32768, 32         256          1
 *
 * are 16 products of 128 x 32 numbers and 32 x 128, and nothing moves. */
#include "prim/prim.h"

/* one more dim, inside of those that are there. false: they are too many */
static bool add_dim(view_dims *to, int64_t size, int64_t stride)
{
	const int last = to->n - 1;

	if (size == 1) return true;
	if (last >= 0 && to->stride[last] == size * stride) {
		to->size[last] *= size;
		to->stride[last] = stride;
		return true;
	}
	if (to->n == VIEW_DIMS) return false;
	to->size[to->n] = size;
	to->stride[to->n++] = stride;
	return true;
}

static bool add_dims(view_dims *to, const type *t, const ints *dims, const int64_t *stride)
{
	to->n = 0;
	for (int i = 0; i < dims->n; i++)
		if (!add_dim(to, t->dims[dims->v[i]], stride[dims->v[i]])) return false;
	return true;
}

bool matrix_view_of(const eqn *e, const type *t, int operand, const int64_t *stride,
                    matrix_view *to)
{
	const dot_params *d = e->params;
	const ints *batch = operand ? &d->batch_b : &d->batch_a;
	const ints *contract = operand ? &d->contract_b : &d->contract_a;

	to->own.n = 0;
	for (int i = 0; i < t->ndim; i++)
		if (!has_int(batch, i) && !has_int(contract, i) &&
		    !add_dim(&to->own, t->dims[i], stride[i]))
			return false;
	return add_dims(&to->batch, t, batch, stride) && add_dims(&to->sum, t, contract, stride);
}

static int64_t size_along(const type *t, const ints *dims)
{
	int64_t size = 1;

	for (int i = 0; i < dims->n; i++) size *= t->dims[dims->v[i]];
	return size;
}

static bool view_of(const eqn *e, const type *t, int operand, matrix_view *to)
{
	int64_t stride[MAX_NDIM];

	dims_strides(t->dims, t->ndim, stride);
	return matrix_view_of(e, t, operand, stride, to);
}

bool product_of(const program *p, const eqn *e, matrix_product *out)
{
	const dot_params *d = e->params;
	const type *a = type_of(p, e->in[0]), *b = type_of(p, e->in[1]);

	if (!a->size || !b->size) return false;
	const int64_t batch = size_along(a, &d->batch_a), k = size_along(a, &d->contract_a);
	*out = (matrix_product){.dtype = dot_sum_dtype(a->dtype, d->dtype),
	                        .from = a->dtype,
	                        .to = d->dtype,
	                        .batch = batch,
	                        .m = a->size / batch / k,
	                        .n = b->size / batch / k,
	                        .k = k,
	                        .symmetric = e->in[0].id == e->in[1].id &&
	                                     ints_same(&d->contract_a, &d->contract_b) &&
	                                     ints_same(&d->batch_a, &d->batch_b),
	                        .pairs = d->precision == DOT_BF16_PAIRS && a->dtype == TSR_BF16};
	return view_of(e, a, 0, &out->a) && view_of(e, b, 1, &out->b);
}
