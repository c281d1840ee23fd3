/* stored.c - arrays of ours from arrays in files: each device takes its own part of the file.
 *
 * A device's box is a number of runs. Of an f32[4,6] that is cut in two along its second dim,
 * device 1 has four runs of three elements, at the bytes
 *
 *     12 36 60 84, each of 12 bytes
 *
 * in the file. If the file is mapped and has the elements as they are in memory, they are copied
 * from there. Otherwise the runs are put one behind the other in a room, made native there, and
 * copied from that. */
#include "lib/files/files.h"

typedef struct source {
	file_reader *file;
	const stored *of;
	tsr_ctx *ctx;
	int ndim;
	size_t item;
	int64_t dims[MAX_NDIM], strides[MAX_NDIM]; /* bytes, in the file */
	int order[MAX_NDIM];                       /* its dims, the slowest first */
	char *room;
	size_t room_bytes;
} source;

/* ---- the dims as they are in the file */

static void exchange(int64_t *a, int64_t *b)
{
	const int64_t kept = *a;

	*a = *b;
	*b = kept;
}

static void find_strides(source *s, bool turned)
{
	int64_t stride = (int64_t)s->item;
	const int n = s->ndim = s->of->ndim;

	memcpy(s->dims, s->of->dims, (size_t)n * sizeof *s->dims);
	for (int i = 0; i < n; i++) {
		const int d = s->of->fortran ? i : n - 1 - i;
		s->order[n - 1 - i] = d;
		s->strides[d] = stride;
		stride *= s->dims[d] ? s->dims[d] : 1;
	}
	if (!turned) return;
	exchange(&s->dims[n - 1], &s->dims[n - 2]);
	exchange(&s->strides[n - 1], &s->strides[n - 2]);
	for (int i = 0; i < n; i++)
		if (s->order[i] >= n - 2) s->order[i] = 2 * n - 3 - s->order[i];
}

/* ---- runs of a box */

typedef struct runs {
	int n; /* dims that count them, the slowest first */
	int64_t dims[MAX_NDIM], strides[MAX_NDIM];
	size_t offset, bytes; /* of the first one, in the elements of the array; of each */
} runs;

/* gap: runs that are no further apart than that are taken for one */
static void find_runs(const source *s, const int64_t *start, const int64_t *stop, int64_t gap,
                      runs *r)
{
	int64_t offset = 0, bytes = (int64_t)s->item;

	r->n = s->ndim;
	for (int i = 0; i < s->ndim; i++) {
		const int d = s->order[i];
		r->dims[i] = stop[d] - start[d];
		r->strides[i] = s->strides[d];
		offset += start[d] * s->strides[d];
	}
	for (; r->n; r->n--) {
		const int64_t count = r->dims[r->n - 1], stride = r->strides[r->n - 1];
		if (count > 1 && stride - bytes > gap) break;
		bytes += (count - 1) * stride;
	}
	r->offset = (size_t)offset;
	r->bytes = (size_t)bytes;
}

static size_t run_offset(const runs *r, const int64_t *at)
{
	size_t offset = r->offset;

	for (int i = 0; i < r->n; i++) offset += (size_t)(at[i] * r->strides[i]);
	return offset;
}

static void want_box(const source *s, const int64_t *start, const int64_t *stop)
{
	enum { PAGE = 4096 };
	int64_t at[MAX_NDIM] = {0};
	runs r;

	find_runs(s, start, stop, PAGE, &r);
	do file_wants(s->file, s->of->offset + run_offset(&r, at), r.bytes);
	while (dims_next(at, r.dims, r.n));
}

/* ---- boxes in a room of their own */

static bool make_room(source *s, size_t bytes)
{
	base *b = &s->ctx->base;

	if (bytes <= s->room_bytes) return true;
	mem_free(b, s->room);
	s->room_bytes = 0;
	if (!(s->room = mem_alloc(b, bytes))) return false;
	s->room_bytes = bytes;
	return true;
}

static bool fill_room(source *s, const runs *r)
{
	int64_t at[MAX_NDIM] = {0};
	char *to = s->room;

	do {
		const size_t offset = run_offset(r, at);
		const void *run = s->of->unpacked ? s->of->unpacked + offset
		                                  : file_part(s->file, s->of->offset + offset,
		                                              r->bytes, to);
		if (!run) return false;
		if (run != to) memcpy(to, run, r->bytes);
		to += r->bytes;
	} while (dims_next(at, r->dims, r->n));
	return true;
}

/* the box as it is in the room: its dims in the order of the file */
static const void *staged_box(source *s, const int64_t *start, const int64_t *stop,
                              int64_t *strides)
{
	int64_t bytes = (int64_t)s->item;
	runs r;

	for (int i = s->ndim; i-- > 0; bytes *= stop[s->order[i]] - start[s->order[i]])
		strides[s->order[i]] = bytes;
	find_runs(s, start, stop, 0, &r);
	if (!make_room(s, (size_t)bytes) || !fill_room(s, &r)) return NULL;
	npy_native(s->room, (size_t)bytes, s->of->dtype, s->of->swapped);
	return s->room;
}

static const void *box_of_file(void *of, const int64_t *start, const int64_t *stop,
                               int64_t *strides)
{
	source *s = of;
	const stored *x = s->of;
	const char *all = x->unpacked         ? x->unpacked
	                  : s->file->mapped ? s->file->bytes + x->offset
	                                    : NULL;

	if (!all || x->swapped || x->dtype == TSR_BOOL) return staged_box(s, start, stop, strides);
	if (!x->unpacked) want_box(s, start, stop);
	memcpy(strides, s->strides, (size_t)s->ndim * sizeof *strides);
	for (int d = 0; d < s->ndim; d++) all += start[d] * strides[d];
	return all;
}

array *stored_array(tsr_ctx *ctx, file_reader *file, const stored *of, bool turned,
                    const sharding *where, bool committed)
{
	source s = {.file = file, .of = of, .ctx = ctx, .item = tsr_dtype_size(of->dtype)};

	find_strides(&s, turned);
	const type *t = type_make(&ctx->ir, of->dtype, s.dims, s.ndim, 0);
	array *a = t && file_unchanged(file)
	                   ? array_from_boxes(ctx, t, box_of_file, &s, where, committed)
	                   : NULL;
	mem_free(&ctx->base, s.room);
	return a;
}
