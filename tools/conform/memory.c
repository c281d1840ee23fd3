/* memory.c - buffers: allocated, cleared, wrapped, read, written, copied, borrowed, released. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "conform.h"

enum { DEVICES = 4 };

/* an array of 3 x 5 elements, as rows, as columns, backwards, with gaps */
static const struct layout {
	int64_t first, strides[2], elements; /* in elements; the last: how many it spans */
} layouts[] = {
	{0, {5, 1}, 15}, {0, {1, 3}, 15}, {14, {-5, -1}, 15}, {3, {20, 3}, 60}, {2, {7, 1}, 24},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };
static const int64_t box[] = {3, 5};

typedef struct box_view {
	int64_t strides[2];
	elements at;
	extent extent;
} box_view;

static void view(box_view *v, const struct layout *l, size_t size)
{
	for (int d = 0; d < 2; d++) v->strides[d] = l->strides[d] * (int64_t)size;
	v->at = (elements){l->first * (int64_t)size, v->strides};
	v->extent = (extent){box, 2, size};
}

/* byte i of element [a, b] */
static unsigned char byte_of(int64_t a, int64_t b, size_t i)
{
	return (unsigned char)(a * 53 + b * 11 + (int64_t)i * 7 + 1);
}

static void fill(unsigned char *data, const struct layout *l, size_t size)
{
	for (int64_t a = 0; a < box[0]; a++)
		for (int64_t b = 0; b < box[1]; b++)
			for (size_t i = 0; i < size; i++) {
				const int64_t at = l->first + a * l->strides[0] + b * l->strides[1];
				data[(size_t)at * size + i] = byte_of(a, b, i);
			}
}

static bool is_filled(const unsigned char *data, const struct layout *l, size_t size)
{
	for (int64_t a = 0; a < box[0]; a++)
		for (int64_t b = 0; b < box[1]; b++)
			for (size_t i = 0; i < size; i++) {
				const int64_t at = l->first + a * l->strides[0] + b * l->strides[1];
				if (data[(size_t)at * size + i] != byte_of(a, b, i)) return false;
			}
	return true;
}

/* all bytes of a buffer, for free() */
static unsigned char *all_bytes(buffer *b)
{
	const int64_t one = 1, bytes = (int64_t)b->bytes;
	unsigned char *data = calloc(b->bytes + 1, 1);

	b->engine->type->read(b, (elements){0, &one}, data, &one, &(extent){&bytes, 1, 1});
	return data;
}

/* what is not part of the box is as it was: 0 */
static bool only_filled(buffer *b, const struct layout *l, size_t size)
{
	unsigned char *data = all_bytes(b), *want = calloc(b->bytes + 1, 1);
	fill(want, l, size);
	const bool same = memcmp(data, want, b->bytes) == 0;

	free(data);
	free(want);
	return same;
}

static void boxes_of(trial *t, engine *e, const struct layout *host, const struct layout *mine,
                     size_t size, int memory)
{
	const engine_type *by = e->type;
	const size_t bytes = (size_t)mine->elements * size;
	unsigned char *from = calloc((size_t)host->elements, size);
	unsigned char *back = calloc((size_t)host->elements, size);
	box_view h, m;
	view(&h, host, size);
	view(&m, mine, size);
	fill(from, host, size);
	buffer *b = by->alloc(e, memory, bytes, true);
	buffer *other =
		by->alloc(e, (memory + 1) % (e->devices[DEVICES - 1].memory + 1), bytes, true);

	if (check(t, b && other, "alloc of %zu bytes fails", bytes)) {
		check(t, by->write(b, m.at, from + h.at.offset, h.strides, &m.extent),
		      "write fails");
		check(t, only_filled(b, mine, size),
		      "write of elements of %zu bytes puts them elsewhere", size);
		check(t, by->copy(other, m.at, b, m.at, &m.extent), "copy fails");
		check(t, only_filled(other, mine, size), "copy between two memories, %zu bytes",
		      size);
		check(t,
		      by->read(other, m.at, back + h.at.offset, h.strides, &m.extent) &&
		              is_filled(back, host, size),
		      "read of elements of %zu bytes", size);
	}
	tsr__buffer_release(b);
	tsr__buffer_release(other);
	free(from);
	free(back);
}

static void check_boxes(trial *t, engine *e)
{
	for (size_t size = 1; size <= 16; size *= 2)
		for (int i = 0; i < LAYOUTS; i++)
			for (int j = 0; j < LAYOUTS; j++)
				boxes_of(t, e, &layouts[i], &layouts[j], size,
				         e->devices[(i + j) % DEVICES].memory);
}

/* a copy from one layout to another, and of an element that is there once to all of them */
static void check_copies(trial *t, engine *e)
{
	const engine_type *by = e->type;
	const int64_t none[] = {0, 0}, rows[] = {20, 4};
	const int32_t seven = 7;
	box_view a, b;

	view(&a, &layouts[1], 8);
	view(&b, &layouts[3], 8);
	buffer *x = by->alloc(e, 0, 120, true), *y = by->alloc(e, 0, 480, true);
	unsigned char data[120];
	fill(data, &layouts[1], 8);
	check(t,
	      x && y && by->write(x, a.at, data, a.strides, &a.extent) &&
	              by->copy(y, b.at, x, a.at, &a.extent) && only_filled(y, &layouts[3], 8),
	      "copy from columns to rows with gaps");
	check(t, y && by->write(y, (elements){0, rows}, &seven, none, &(extent){box, 2, 4}),
	      "write of one element to many places");
	unsigned char *all = y ? all_bytes(y) : NULL;
	for (int i = 0; all && i < 15; i++)
		check(t, memcmp(all + 4 * i, &seven, 4) == 0, "one element, to place %d", i);
	free(all);
	tsr__buffer_release(x);
	tsr__buffer_release(y);
}

static void check_alloc(trial *t, engine *e)
{
	for (int64_t k = 0; k < DEVICES; k++)
		for (size_t bytes = 0; bytes < 5000; bytes = bytes * 3 + 1) {
			buffer *b = e->type->alloc(e, e->devices[k].memory, bytes, true);
			if (!check(t, b, "alloc of %zu bytes fails", bytes)) continue;
			check(t,
			      b->bytes == bytes && b->memory == e->devices[k].memory &&
			              b->engine == e && b->align && !(b->align & (b->align - 1)) &&
			              b->refs == 1,
			      "the header of a buffer of %zu bytes", bytes);
			unsigned char *data = all_bytes(b);
			bool clear = true;
			for (size_t i = 0; i < bytes; i++) clear = clear && !data[i];
			check(t, clear, "%zu bytes are not cleared", bytes);
			const unsigned char *host = e->type->borrow(b);
			check(t, !host || (uintptr_t)host % b->align == 0, "align of a buffer");
			check(t, !host || memcmp(host, data, bytes) == 0,
			      "borrow shows other bytes");
			check(t, e->type->ready(b, false) && e->type->ready(b, true),
			      "a buffer that no run makes is not ready");
			free(data);
			tsr__buffer_release(b);
		}
}

static void check_no_memory(trial *t, tsr_ctx *ctx, engine *e)
{
	buffer *b = e->type->alloc(e, 0, SIZE_MAX / 4, false);

	check(t, !b, "alloc of a quarter of all addresses gives a buffer");
	check_error(t, ctx, TSR_ERROR_MEMORY, "alloc of a quarter of all addresses");
	b = e->type->alloc(e, 0, 8, false);
	check(t, b, "alloc fails after another one has failed");
	tsr__buffer_release(b);
}

typedef struct wrapped {
	int count;
	void *data;
} wrapped;

static void count_release(void *user, void *data)
{
	wrapped *w = user;

	w->count++;
	w->data = data;
}

static void check_wrap(trial *t, engine *e)
{
	int64_t data[6] = {1, -2, 3, -4, 5, -6};
	wrapped w = {0};
	buffer *b = e->type->wrap(e, 0, data, sizeof data, false, count_release, &w);

	if (!check(t, b, "wrap fails")) return;
	unsigned char *seen = all_bytes(b);
	check(t, b->bytes == sizeof data && memcmp(seen, data, sizeof data) == 0,
	      "a wrapped buffer has other bytes");
	free(seen);
	check(t, e->type->borrow(b) ? w.count == 0 : w.count <= 1,
	      "a wrapped buffer is given back while it is held");
	tsr__buffer_release(tsr__buffer_retain(b));
	tsr__buffer_release(b);
	check(t, w.count == 1 && w.data == data, "release of wrapped memory was called %d times",
	      w.count);
	b = e->type->wrap(e, 0, data, sizeof data, true, NULL, NULL);
	check(t, b, "wrap without release fails");
	tsr__buffer_release(b);
}

static void *release_all(void *buffers)
{
	for (buffer **b = buffers; *b; b++) tsr__buffer_release(*b);
	return NULL;
}

/* release is legal from any thread, also while another one allocates */
static void check_threads(trial *t, engine *e)
{
	enum { MANY = 200 };
	buffer *some[MANY + 1] = {0};
	pthread_t thread;

	for (int i = 0; i < MANY; i++) some[i] = e->type->alloc(e, 0, (size_t)i * 50, false);
	if (!check(t, pthread_create(&thread, NULL, release_all, some) == 0, "no thread")) return;
	for (int i = 0; i < MANY; i++)
		tsr__buffer_release(e->type->alloc(e, 0, (size_t)i * 40, true));
	pthread_join(thread, NULL);
}

void conform_memory(trial *t)
{
	for (int memories = 1; memories <= DEVICES; memories *= 2) {
		tsr_ctx *ctx = trial_open(t, NULL, DEVICES, memories);
		engine *e = ctx ? tsr__ctx_engine(ctx) : NULL;
		if (!ctx) continue;
		check_alloc(t, e);
		check_boxes(t, e);
		check_copies(t, e);
		check_wrap(t, e);
		check_threads(t, e);
		check_no_memory(t, ctx, e);
		trial_close(t, ctx, TSR_OK);
	}
}
