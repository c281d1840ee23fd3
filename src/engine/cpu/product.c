/* product.c - which equations are products of matrices as libraries know them. */
#include "engine/cpu/cpu.h"

static int64_t size_of(const type *t, int first, int n)
{
	int64_t size = 1;

	for (int d = first; d < first + n; d++) size *= t->dims[d];
	return size;
}

bool product_of(const program *p, const eqn *e, native_product *out)
{
	const dot_params *d = e->params;
	const type *a = type_of(p, e->in[0]), *b = type_of(p, e->in[1]);
	bool a_first, b_first;

	if ((d->dtype != TSR_F32 && d->dtype != TSR_F64) || a->dtype != d->dtype ||
	    b->dtype != d->dtype || !is_matrix(a, &d->batch_a, &d->contract_a, &a_first) ||
	    !is_matrix(b, &d->batch_b, &d->contract_b, &b_first))
		return false;
	const int64_t batch = size_of(a, 0, d->batch_a.n);
	const int64_t k =
		size_of(a, a_first ? d->batch_a.n : a->ndim - d->contract_a.n, d->contract_a.n);
	if (!a->size || !b->size) return false;
	*out = (native_product){.dtype = d->dtype,
	                        .batch = batch,
	                        .m = a->size / batch / k,
	                        .n = b->size / batch / k,
	                        .k = k,
	                        .transpose_a = a_first,
	                        .transpose_b = !b_first};
	return true;
}
