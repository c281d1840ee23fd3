/* boxes.c - finds the boxes that parts of an array share, and copies boxes between device memory
 * and the host's.
 *
 * Example, elements 2 to 6 of an array of f32 over four devices:
 *
 *     x:4 [x] 10
 *
 * Parts are 3 long. To read the elements, each device that has some copies its piece of them, and
 * no other device is asked:
 *
 *     parts 0 to 2
 *     device 0: 2:3, at byte 8 of its block
 *     device 1: 3:6, at byte 0 of its block
 *     device 2: 6:7, at byte 0 of its block */
#include "runtime/boxes.h"

void block_strides(const sharding *s, const type *t, int64_t *strides)
{
	int64_t block[MAX_NDIM];

	sharding_block_dims(s, t->dims, t->ndim, block);
	dims_strides(block, t->ndim, strides);
	for (int d = 0; d < t->ndim; d++) strides[d] *= (int64_t)tsr_dtype_size(t->dtype);
}

int64_t sharding_block_bytes(const sharding *s, const type *t)
{
	int64_t block[MAX_NDIM], bytes = 0;

	sharding_block_dims(s, t->dims, t->ndim, block);
	dims_bytes(t->dtype, block, t->ndim, &bytes);
	return bytes;
}

void array_strides(const array *a, int64_t *strides)
{
	if (a->strides)
		memcpy(strides, a->strides, (size_t)a->type->ndim * sizeof *strides);
	else
		block_strides(a->sharding, a->type, strides);
}

void type_strides(const type *t, int64_t *strides)
{
	dims_strides(t->dims, t->ndim, strides);
	for (int d = 0; d < t->ndim; d++) strides[d] *= (int64_t)tsr_dtype_size(t->dtype);
}

int64_t offset_at(const int64_t *at, const int64_t *origin, const int64_t *strides, int ndim)
{
	int64_t offset = 0;

	for (int d = 0; d < ndim; d++) offset += (at[d] - (origin ? origin[d] : 0)) * strides[d];
	return offset;
}

/* the part that both boxes share; false if that is empty */
bool boxes_meet(const box *a, const box *b, int ndim, box *common)
{
	for (int d = 0; d < ndim; d++) {
		common->start[d] = a->start[d] > b->start[d] ? a->start[d] : b->start[d];
		common->stop[d] = a->stop[d] < b->stop[d] ? a->stop[d] : b->stop[d];
		if (common->start[d] >= common->stop[d]) return false;
	}
	return true;
}

/* at least one of the two is a block */
bool common_copy(const strided_piece *to, const strided_piece *from, const box *common,
                const type *t)
{
	engine *of = (to->block ? to : from)->block->engine;
	const engine_type *e = of->type;
	int64_t dims[MAX_NDIM];
	const int ndim = t->ndim;
	const elements at = {offset_at(common->start, to->origin, to->strides, ndim), to->strides};
	const elements there = {offset_at(common->start, from->origin, from->strides, ndim),
	                        from->strides};
	const extent x = {dims, ndim, tsr_dtype_size(t->dtype)};

	for (int d = 0; d < ndim; d++) dims[d] = common->stop[d] - common->start[d];
	if (!to->block)
		return engine_did(
			of, "read",
			e->read(from->block, there, to->data + at.offset, at.strides, &x));
	if (from->block)
		return engine_did(of, "copy", e->copy(to->block, at, from->block, there, &x));
	return engine_did(of, "write",
	                  e->write(to->block, at, from->data + there.offset, there.strides, &x));
}

bool box_is_dense(const sharding *s, const type *t)
{
	return sharding_is_replicated(s) || sharding_divides(s, t->dims, t->ndim);
}

bool parts_touched(const sharding *s, const type *t, const box *want, int64_t *first,
                   int64_t *count)
{
	int64_t block[MAX_NDIM];

	sharding_block_dims(s, t->dims, t->ndim, block);
	for (int d = 0; d < t->ndim; d++) {
		if (want->start[d] >= want->stop[d]) return false;
		first[d] = want->start[d] / block[d];
		count[d] = (want->stop[d] - 1) / block[d] - first[d] + 1;
	}
	return true;
}
