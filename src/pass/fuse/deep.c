/* deep.c - a large product with few results, which workers could not share, is a sum of products,
 * each of a part of what is contracted: the gradient of a convolution by its kernel is one product
 * for each image.
 *
 *     pass fuse
 *     f(%0: f32[8,66,66,4], %1: f32[8,64,64,16]) -> f32[3,3,4,16] {
 *       %2: f32[8,64,64,4,3,3] = patches %0 along=[1,2] sizes=[3,3] strides=[1,1] dilations=[1,1]
 *       %3: f32[8,64,64,3,3,4] = transpose %2 perm=[0,1,2,4,5,3]
 *       %4: f32[3,3,4,16] = dot_general %3 %1 contract_a=[0,1,2] contract_b=[0,1,2]
 *           batch_a=[] batch_b=[] dtype=f32
 *       return %4
 *     }
 *     gives
 *     f(%0: f32[8,66,66,4], %1: f32[8,64,64,16]) -> f32[3,3,4,16] {
 *       %2: f32[8,3,3,4,16] = call %0 %1
 *           program=dot_general(%0: f32[8,66,66,4], %1: f32[8,64,64,16]) -> f32[8,3,3,4,16] {
 *         %2: f32[8,64,64,4,3,3] =
 *             patches %0 along=[1,2] sizes=[3,3] strides=[1,1] dilations=[1,1]
 *         %3: f32[8,64,64,3,3,4] = transpose %2 perm=[0,1,2,4,5,3]
 *         %4: f32[8,3,3,4,16] = dot_general %3 %1 contract_a=[1,2] contract_b=[1,2]
 *             batch_a=[0] batch_b=[0] dtype=f32
 *         return %4
 *       }
 *       %3: f32[3,3,4,16] = call %2 program=reduce_sum(%0: f32[8,3,3,4,16]) -> f32[3,3,4,16] {
 *         %1: f32[3,3,4,16] = reduce_sum %0 dims=[0]
 *         return %1
 *       }
 *       return %3
 *     }
 *
 * This is so where the contracted dims stand first in both operands, but for a batch, so that parts
 * are matrices as well. If there is one dim, it is cut into up to TUNE_DEEP_PARTS parts. They are
 * longer than results are wide, so that adding the results is little beside making them. */
#include "pass/fuse/fuse.h"

typedef struct deep {
	int taken;     /* contracted dims, the first ones, that number the parts */
	int64_t parts; /* 1: it stays as it is */
} deep;

/* the first n dims, in their order, and then the first of these */
static bool stand_first(const ints *batch, const ints *contract)
{
	for (int i = 0; i < batch->n; i++)
		if (batch->v[i] != i) return false;
	return contract->v[0] == batch->n;
}

/* of a product that the library takes: its contracted dims are a run */
static deep deep_of(const target *on, const program *p, const eqn *e)
{
	const deep none = {0, 1};
	const dot_params *d = e->params;
	matrix_product x;
	deep y = {0, 1};

	if (e->prim != &tsr__prim_dot_general || maker_of(on, p, e, &x) != BY_LIBRARY ||
	    !stand_first(&d->batch_a, &d->contract_a) || !stand_first(&d->batch_b, &d->contract_b))
		return none;
	const double work = (double)x.batch * (double)x.m * (double)x.n * (double)x.k;
	const int64_t blocks = on->product_parts ? on->product_parts(&x) : x.batch;
	if (work < on->packed_work || blocks >= TUNE_BLOCKS_FEW) return none;
	const int64_t *size = type_of(p, e->in[0])->dims + d->batch_a.n;
	for (; y.taken + 1 < d->contract_a.n && y.parts == 1; y.taken++) y.parts *= size[y.taken];
	if (d->contract_a.n == 1)
		while (y.parts < TUNE_DEEP_PARTS && size[0] % (2 * y.parts) == 0) y.parts *= 2;
	return x.k / y.parts >= x.m && x.k / y.parts >= x.n ? y : none;
}

bool product_is_deep(const target *on, const program *p, const eqn *e)
{
	return deep_of(on, p, e).parts > 1;
}

/* a dim as two, the parts and what is in one */
static var in_parts(build *b, var x, int dim, int64_t parts)
{
	const type *t = build_type(b, x);
	int64_t dims[MAX_NDIM];

	for (int d = 0; d < t->ndim; d++) dims[d + (d > dim)] = t->dims[d];
	dims[dim] = parts;
	dims[dim + 1] = t->dims[dim] / parts;
	return emit_reshape(b, x, dims, t->ndim + 1);
}

var product_in_parts(build *b, const target *on, const program *p, const eqn *e, var x, var y)
{
	const dot_params *d = e->params;
	const deep to = deep_of(on, p, e);
	const int batch = d->batch_a.n, taken = to.taken ? to.taken : 1;
	int64_t dims[MAX_NDIM];

	for (int i = 0; i < MAX_NDIM; i++) dims[i] = i;
	const ints rest = {to.taken ? d->contract_a.n - taken : 1, dims + batch + taken};
	const ints first = {batch + taken, dims};
	if (!to.taken) {
		x = in_parts(b, x, batch, to.parts);
		y = in_parts(b, y, batch, to.parts);
	}
	const var made = emit(b, e->prim, &(dot_params){rest, rest, first, first, d->dtype},
	                      (var[]){x, y}, 2);
	return emit_sum(b, made, dims + batch, taken);
}
