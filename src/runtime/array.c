/* array.c - makes arrays of shards, and moves boxes between shards, host memory and other
 * shardings.
 *
 * Example:
 *
 *     x:2 y:2 [x] 4
 *
 * Devices that hold the same elements in one memory share a buffer, so replicas there cost nothing.
 * Whoever writes into a buffer must see that nobody else holds it:
 *
 *     device 0: 0:2     device 1: 0:2, with device 0
 *     device 2: 2:4     device 3: 2:4, with device 2 */
#include "runtime/boxes.h"

void counted_retain(void *object)
{
	atomic_fetch_add_explicit(&((counted *)object)->refs, 1, memory_order_relaxed);
}

void counted_release(void *object)
{
	counted *c = object;

	if (c && atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) == 1) c->free(object);
}

static void array_free(void *object)
{
	array *a = object;

	for (int64_t i = 0; i < a->nshards; i++) tsr__buffer_release(a->shard[i]);
	mem_free(&a->ctx->base, a->strides);
	mem_free(&a->ctx->base, a->donated);
	mem_free(&a->ctx->base, a);
}

bool array_donate(array *a, const char *text)
{
	const size_t size = strlen(text) + 1;

	if (!(a->donated = mem_alloc(&a->ctx->base, size))) return false;
	memcpy(a->donated, text, size);
	for (int64_t i = 0; i < a->nshards; i++) {
		tsr__buffer_release(a->shard[i]);
		a->shard[i] = NULL;
	}
	return true;
}

array *array_make(tsr_ctx *ctx, const type *t, const sharding *s, bool committed)
{
	const int64_t n = sharding_nhere(s);
	array *a = mem_zalloc(&ctx->base, sizeof *a + (size_t)n * sizeof *a->shard);

	if (!a) return NULL;
	*a = (array){.counted = {1, array_free},
	             .ctx = ctx,
	             .type = t,
	             .sharding = s,
	             .committed = committed,
	             .nshards = n};
	return a;
}

array *array_typed(const array *a, const type *t)
{
	array *same = t ? array_make(a->ctx, t, a->sharding, a->committed) : NULL;

	if (!same) return NULL;
	const size_t bytes = (size_t)t->ndim * sizeof *a->strides;
	if (a->strides && !(same->strides = mem_alloc(&a->ctx->base, bytes + 1))) {
		array_release(same);
		return NULL;
	}
	if (a->strides) memcpy(same->strides, a->strides, bytes);
	for (int64_t i = 0; i < a->nshards; i++) same->shard[i] = buffer_retain(a->shard[i]);
	return same;
}

static const device *device_of(const tsr_ctx *ctx, const sharding *s, int64_t k)
{
	return &ctx->devices[sharding_device(s, k)];
}

int64_t array_bytes(const array *a)
{
	return a->type->size * (int64_t)tsr_dtype_size(a->type->dtype);
}

/* ---- blocks: the padded storage of one shard */

int64_t block_bytes(const array *a) { return sharding_block_bytes(a->sharding, a->type); }

buffer *block_copy(const type *t, buffer *from, const int64_t *strides)
{
	engine *of = from->engine;
	int64_t dense[MAX_NDIM];
	const extent x = {t->dims, t->ndim, tsr_dtype_size(t->dtype)};
	buffer *b = buffer_alloc(of, from->memory, (size_t)t->size * x.size, false);

	type_strides(t, dense);
	if (!b || t->size == 0 ||
	    engine_did(of, "copy",
	               of->type->copy(b, (elements){0, dense}, from,
	                              (elements){0, strides ? strides : dense}, &x)))
		return b;
	tsr__buffer_release(b);
	return NULL;
}

static buffer *buffer_copy(buffer *from)
{
	engine *of = from->engine;
	const int64_t bytes = (int64_t)from->bytes, one = 1;
	const extent x = {&bytes, 1, 1};
	buffer *b = buffer_alloc(of, from->memory, from->bytes, false);
	const elements all = {0, &one};

	if (!b || engine_did(of, "copy", of->type->copy(b, all, from, all, &x))) return b;
	tsr__buffer_release(b);
	return NULL;
}

array *array_apart(const array *a)
{
	array *copy = array_typed(a, a->type);

	for (int64_t i = 0; copy && i < a->nshards; i++) {
		const int64_t k = sharding_here(a->sharding, i);
		const int64_t first = sharding_first(a->sharding, k);
		buffer *b = a->shard[i], **to = &copy->shard[i];
		if (!b) continue;
		tsr__buffer_release(*to);
		*to = first < k && array_shard(a, first) == b
		              ? buffer_retain(array_shard(copy, first))
		              : buffer_copy(b);
		if (*to) continue;
		array_release(copy);
		return NULL;
	}
	return copy;
}

/* ---- host memory */

static buffer *block_from_boxes(tsr_ctx *ctx, const type *t, box_source *source, void *of,
                                const sharding *s, int64_t k)
{
	const size_t bytes = (size_t)sharding_block_bytes(s, t);
	int64_t to[MAX_NDIM], from[MAX_NDIM];
	box mine;

	sharding_box(s, t->dims, t->ndim, k, mine.start, mine.stop);
	bool empty = !t->size;
	for (int d = 0; d < t->ndim; d++) empty |= mine.start[d] >= mine.stop[d];
	empty |= !source;
	const void *data = empty ? NULL : source(of, mine.start, mine.stop, from);
	if (!data && !empty) return NULL;
	buffer *b = buffer_alloc(ctx->engine, device_of(ctx, s, k)->memory, bytes,
	                         !box_is_dense(s, t));
	if (!b || empty) return b;
	block_strides(s, t, to);
	const strided_piece there = {NULL, (char *)(uintptr_t)data, mine.start, from};
	if (common_copy(&(strided_piece){b, NULL, mine.start, to}, &there, &mine, t)) return b;
	tsr__buffer_release(b);
	return NULL;
}

/* Replicas in one memory share a buffer: shard i, of device k, is that of the first device that has
 * the same box, if it is in the same memory. */
static bool share_replica(const tsr_ctx *ctx, array *a, int64_t i, int64_t k)
{
	const int64_t first = sharding_first(a->sharding, k);
	buffer *same = first == k ? NULL : array_shard(a, first);

	if (!same || same->memory != device_of(ctx, a->sharding, k)->memory) return false;
	a->shard[i] = buffer_retain(same);
	return true;
}

array *array_from_boxes(tsr_ctx *ctx, const type *t, box_source *source, void *of,
                        const sharding *s, bool committed)
{
	array *a = array_make(ctx, t, s, committed);

	for (int64_t i = 0; a && i < a->nshards; i++) {
		const int64_t k = sharding_here(s, i);
		if (share_replica(ctx, a, i, k)) continue;
		if ((a->shard[i] = block_from_boxes(ctx, t, source, of, s, k))) continue;
		array_release(a);
		return NULL;
	}
	return a;
}

/* the host's memory as a source of boxes */
typedef struct host_data {
	const char *data;
	const int64_t *strides;
	int ndim;
} host_data;

static const void *box_of_host(void *of, const int64_t *start, const int64_t *stop,
                               int64_t *strides)
{
	const host_data *h = of;

	(void)stop;
	memcpy(strides, h->strides, (size_t)h->ndim * sizeof *strides);
	return h->data + offset_at(start, NULL, strides, h->ndim);
}

array *array_from_host(tsr_ctx *ctx, const type *t, const void *data, const sharding *s,
                       bool committed)
{
	int64_t strides[MAX_NDIM];

	type_strides(t, strides);
	return array_from_boxes(ctx, t, box_of_host, &(host_data){data, strides, t->ndim}, s,
	                        committed);
}

array *array_filled(tsr_ctx *ctx, const type *t, const void *element, const sharding *s,
                    bool committed)
{
	static const int64_t again[MAX_NDIM];

	return array_from_boxes(ctx, t, box_of_host, &(host_data){element, again, t->ndim}, s,
	                        committed);
}

bool array_readable(const char *where, const array *a, bool printer)
{
	const int64_t k = a->committed ? sharding_lacking(a->sharding, printer) : -1;

	return k < 0 ||
	       fail(&a->ctx->base, where, TSR_ERROR_UNSUPPORTED,
	            "the array spans devices of other processes (its shard on device %lld "
	            "is in process %d, this is process %d); tsr_gather_whole() gives every "
	            "process the whole",
	            (long long)sharding_device(a->sharding, k),
	            device_of(a->ctx, a->sharding, k)->process, a->ctx->process);
}

static bool all_here(const char *where, const array *a)
{
	return array_readable(where, a, false);
}

bool array_to_host(const char *where, const array *a, void *out, const int64_t *strides)
{
	const type *t = a->type;
	int64_t from[MAX_NDIM], dense[MAX_NDIM];
	box part;

	if (!sharding_is_replicated(a->sharding) && !all_here(where, a)) return false;
	if (t->size == 0) return true;
	array_strides(a, from);
	type_strides(t, dense);
	for (int64_t i = 0; i < a->nshards; i++) {
		const int64_t k = sharding_here(a->sharding, i);
		const int64_t first = sharding_first(a->sharding, k);
		if (!a->shard[i] || (first != k && array_shard(a, first))) continue;
		sharding_box(a->sharding, t->dims, t->ndim, k, part.start, part.stop);
		bool empty = false;
		for (int d = 0; d < t->ndim; d++) empty = empty || part.start[d] >= part.stop[d];
		if (!empty &&
		    !common_copy(&(strided_piece){NULL, out, NULL, strides ? strides : dense},
		                 &(strided_piece){a->shard[i], NULL, part.start, from}, &part, t))
			return false;
		if (sharding_is_replicated(a->sharding)) return true;
	}
	return sharding_is_replicated(a->sharding) ? all_here(where, a) : true;
}

/* ---- from one sharding to another */

static bool box_same(const box *a, const box *b, int ndim)
{
	return memcmp(a->start, b->start, (size_t)ndim * sizeof *a->start) == 0 &&
	       memcmp(a->stop, b->stop, (size_t)ndim * sizeof *a->stop) == 0;
}

/* the shard of `a` with this very box, if it is in this memory and its storage has the same shape
 */
static buffer *find_same(const array *a, const box *want, const sharding *s, int memory)
{
	const type *t = a->type;
	int64_t mine[MAX_NDIM], theirs[MAX_NDIM], first[MAX_NDIM], count[MAX_NDIM];
	box b;

	if (a->strides || !parts_touched(a->sharding, a->type, want, first, count)) return NULL;
	sharding_block_dims(a->sharding, t->dims, t->ndim, mine);
	sharding_block_dims(s, t->dims, t->ndim, theirs);
	if (!dims_same(mine, t->ndim, theirs, t->ndim)) return NULL;
	const int64_t k = sharding_holder(a->sharding, first, 0);
	sharding_box(a->sharding, t->dims, t->ndim, k, b.start, b.stop);
	buffer *x = array_shard(a, k);
	const bool same = x && x->memory == memory && box_same(&b, want, t->ndim) &&
	                  x->align >= tsr_dtype_size(t->dtype);
	return same ? x : NULL;
}

static bool fill_block(const array *from, const sharding *s, const box *want, buffer *b)
{
	const type *t = from->type;
	int64_t in[MAX_NDIM], out[MAX_NDIM], first[MAX_NDIM], count[MAX_NDIM];
	int64_t at[MAX_NDIM] = {0}, part[MAX_NDIM];
	box theirs, common;

	if (!parts_touched(from->sharding, t, want, first, count)) return true;
	array_strides(from, in);
	block_strides(s, t, out);
	do {
		for (int d = 0; d < t->ndim; d++) part[d] = first[d] + at[d];
		const int64_t k = sharding_holder(from->sharding, part, 0);
		sharding_box(from->sharding, t->dims, t->ndim, k, theirs.start, theirs.stop);
		if (boxes_meet(&theirs, want, t->ndim, &common) &&
		    !common_copy(&(strided_piece){b, NULL, want->start, out},
		                 &(strided_piece){array_shard(from, k), NULL, theirs.start, in},
		                 &common, t))
			return false;
	} while (dims_next(at, count, t->ndim));
	return true;
}

/* *here: all of `from` is in this process; looked at once */
static buffer *place_block(const char *where, const array *from, const sharding *s, int64_t k,
                           bool *here)
{
	tsr_ctx *ctx = from->ctx;
	const type *t = from->type;
	const int memory = device_of(ctx, s, k)->memory;
	box want;

	sharding_box(s, t->dims, t->ndim, k, want.start, want.stop);
	buffer *same = find_same(from, &want, s, memory);
	if (same) return buffer_retain(same);
	if (!*here && !(*here = all_here(where, from))) return NULL;
	const size_t bytes = (size_t)sharding_block_bytes(s, t);
	buffer *b = buffer_alloc(ctx->engine, memory, bytes, !box_is_dense(s, t));
	if (!b || t->size == 0 || fill_block(from, s, &want, b)) return b;
	tsr__buffer_release(b);
	return NULL;
}

array *array_place(const char *where, array *from, const sharding *s, bool committed)
{
	if (from->sharding == s && from->committed == committed) return array_retain(from);
	if (transfer_needed(from, s)) return array_transfer(where, from, s, committed);
	array *a = array_make(from->ctx, from->type, s, committed);
	bool here = false;
	for (int64_t i = 0; a && i < a->nshards; i++) {
		const int64_t k = sharding_here(s, i);
		if (share_replica(a->ctx, a, i, k)) continue;
		if ((a->shard[i] = place_block(where, from, s, k, &here))) continue;
		array_release(a);
		return NULL;
	}
	return a;
}

/* a mesh of the first device of each process */
static const sharding *all_homes(tsr_ctx *ctx)
{
	int64_t n = 0, *ids = mem_array(&ctx->base, (size_t)ctx->nprocesses, sizeof *ids);

	for (int64_t id = 0; ids && id < ctx->ndevices; id++)
		if (!id || ctx->devices[id].process != ctx->devices[id - 1].process) ids[n++] = id;
	const mesh *m =
		ids ? mesh_positional(&ctx->shards, NULL, &n, 1, ids, (size_t)n, NULL) : NULL;
	mem_free(&ctx->base, ids);
	return m ? sharding_whole_on(&ctx->shards, m) : NULL;
}

array *array_gather(const char *where, array *a)
{
	tsr_ctx *ctx = a->ctx;
	const sharding *home = sharding_one(&ctx->shards, where, ctx->home), *all = home;

	if (!home || (a->sharding == home && !a->committed)) return home ? array_retain(a) : NULL;
	if (!ctx->processes) return array_place(where, a, home, false);
	if (!(all = all_homes(ctx))) return NULL;
	array *spread = array_place(where, a, all, true);
	array *whole = spread ? array_make(ctx, a->type, home, false) : NULL;
	if (whole) whole->shard[0] = buffer_retain(spread->shard[0]);
	array_release(spread);
	return whole;
}

bool array_is_plain(const array *a)
{
	const size_t item = tsr_dtype_size(a->type->dtype);

	const buffer *b = sharding_ndevices(a->sharding) == 1 ? array_shard(a, 0) : NULL;

	return !a->strides && (!b || b->align >= item);
}

array *array_contiguous(array *a)
{
	if (array_is_plain(a)) return array_retain(a);
	array *copy = array_make(a->ctx, a->type, a->sharding, a->committed);
	if (!copy) return NULL;
	copy->shard[0] = block_copy(a->type, a->shard[0], a->strides);
	if (copy->shard[0]) return copy;
	array_release(copy);
	return NULL;
}
