/* needs.c - finds the bytes of each stored piece that an array's blocks are loaded from.
 *
 * Both are cut into boxes; where two overlap there is a need. An f32[4,6] was saved on two devices,
 * cut along its second dim, and device 0 wants rows 0 and 1:
 *
 *     file of device 0, piece [0:4,0:3]: 2 runs of 12 bytes, from 0, 12 to 0, 24 of the block
 *     file of device 1, piece [0:4,3:6]: 2 runs of 12 bytes, from 0, 12 to 12, 36 of the block
 *
 * Which pieces overlap a box follows from the leaf's mesh and spec. */
#include "lib/checkpoint/checkpoint.h"

typedef struct adding {
	const checkpoint *of;
	needs *to;
	const saved_leaf *leaf;
} adding;

static int64_t *kept(const adding *a, const int64_t *list, int n)
{
	return arena_copy(a->to->arena, list, (size_t)n * sizeof *list);
}

/* a need of the piece that has part[d] of each dim; NULL: recorded */
static need *add_need(const adding *a, const int64_t *part)
{
	const saved_leaf *leaf = a->leaf;
	const int64_t k = sharding_holder(leaf->sharding, part, 0);
	int64_t start[MAX_NDIM], stop[MAX_NDIM];
	need *x = arena_alloc(a->to->arena, sizeof *x);

	if (!x ||
	    !mem_room(a->of->base, (void **)&a->to->need, a->to->n, &a->to->cap, sizeof(need *)))
		return NULL;
	sharding_box(leaf->sharding, leaf->dims, leaf->ndim, k, start, stop);
	for (int d = 0; d < leaf->ndim; d++) stop[d] -= start[d];
	x->leaf = leaf;
	x->device = sharding_device(leaf->sharding, k);
	x->piece_start = kept(a, start, leaf->ndim);
	x->piece_dims = kept(a, stop, leaf->ndim);
	return x->piece_start && x->piece_dims ? a->to->need[a->to->n++] = x : NULL;
}

static void dense_strides(const int64_t *dims, int ndim, size_t item, int64_t *strides)
{
	dims_strides(dims, ndim, strides);
	for (int d = 0; d < ndim; d++) strides[d] *= (int64_t)item;
}

/* the box of a block */
typedef struct wanted {
	const array *of;
	buffer *block;
	int64_t start[MAX_NDIM], stop[MAX_NDIM];
	int64_t strides[MAX_NDIM]; /* bytes, in the block */
} wanted;

/* the runs that a box and a piece have in common */
static bool find_runs(const adding *a, need *x, const wanted *w)
{
	const int ndim = a->leaf->ndim;
	const size_t item = tsr_dtype_size(a->leaf->dtype);
	int64_t count[MAX_NDIM], from[MAX_NDIM];
	int n = ndim;

	dense_strides(x->piece_dims, ndim, item, from);
	for (int d = 0; d < ndim; d++) {
		const int64_t piece_stop = x->piece_start[d] + x->piece_dims[d];
		const int64_t start =
			w->start[d] > x->piece_start[d] ? w->start[d] : x->piece_start[d];
		count[d] = (w->stop[d] < piece_stop ? w->stop[d] : piece_stop) - start;
		x->from_begin += (start - x->piece_start[d]) * from[d];
		x->to_begin += (start - w->start[d]) * w->strides[d];
	}
	x->run = (int64_t)item;
	for (; n && (count[n - 1] == 1 || (from[n - 1] == x->run && w->strides[n - 1] == x->run));
	     n--)
		x->run *= count[n - 1];
	x->n = n;
	x->block = w->block;
	x->count = kept(a, count, n);
	x->from = kept(a, from, n);
	x->to = kept(a, w->strides, n);
	x->at = arena_array(a->to->arena, (size_t)n + 1, sizeof *x->at);
	return x->count && x->from && x->to && x->at;
}

/* the parts of each dim that the box overlaps, one after the other */
static bool add_box(const adding *a, const wanted *w)
{
	const saved_leaf *leaf = a->leaf;
	int64_t block[MAX_NDIM], first[MAX_NDIM], count[MAX_NDIM], part[MAX_NDIM];
	int64_t at[MAX_NDIM] = {0};

	sharding_block_dims(leaf->sharding, leaf->dims, leaf->ndim, block);
	for (int d = 0; d < leaf->ndim; d++) {
		if (w->start[d] >= w->stop[d]) return true;
		first[d] = w->start[d] / block[d];
		count[d] = (w->stop[d] - 1) / block[d] - first[d] + 1;
	}
	do {
		for (int d = 0; d < leaf->ndim; d++) part[d] = first[d] + at[d];
		need *x = add_need(a, part);
		if (!x || (w->of && !find_runs(a, x, w))) return false;
	} while (dims_next(at, count, leaf->ndim));
	return true;
}

bool needs_add(const checkpoint *c, needs *to, const saved_leaf *leaf, const array *x)
{
	const adding a = {c, to, leaf};
	int64_t block[MAX_NDIM];
	wanted w = {.of = x};

	sharding_block_dims(x->sharding, leaf->dims, leaf->ndim, block);
	dense_strides(block, leaf->ndim, tsr_dtype_size(leaf->dtype), w.strides);
	for (int64_t i = 0; i < x->nshards; i++) {
		const int64_t k = sharding_here(x->sharding, i);
		const int64_t first = sharding_first(x->sharding, k);
		w.block = x->shard[i];
		if (first != k && array_shard(x, first) == w.block) continue;
		sharding_box(x->sharding, leaf->dims, leaf->ndim, k, w.start, w.stop);
		if (!add_box(&a, &w)) return false;
	}
	return true;
}

bool needs_add_all(const checkpoint *c, needs *to, const saved_leaf *leaf)
{
	const adding a = {c, to, leaf};
	wanted w = {0};
	bool empty = false;

	for (int d = 0; d < leaf->ndim; d++) {
		w.stop[d] = leaf->dims[d];
		empty |= !leaf->dims[d];
	}
	if (!empty) return add_box(&a, &w);
	need *x = add_need(&a, w.start); /* all of it, by the first device */
	if (x) x->piece_dims = leaf->dims;
	return x;
}

void needs_free(needs *n) { mem_free(arena_base(n->arena), n->need); }
