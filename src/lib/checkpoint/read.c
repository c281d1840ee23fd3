/* read.c - reads the needed parts of files, each file once and from its beginning to its end.
 *
 * A chunk of a file is read whole, and checked, if nearly all of it is needed, or if something that
 * is needed begins or ends in it. So no more is read than 1.05 of what is needed, and two chunks of
 * each piece. Of other chunks, as where the columns of a matrix go to several processes, only the
 * runs are read, which cannot be checked then:
 *
 *     chunk   0       1       2       3       4
 *     needed     ------ -   -   -   - --------  -
 *     read    ========- -   -   -   - ============
 *
 * where = is checked. Runs that are less than 256 bytes apart are read as one. */
#include <stdlib.h>
#include "lib/checkpoint/checkpoint.h"

enum { UNIT = 64, UNITS = CHUNK / UNIT, GAP = 4 }; /* GAP: units */

/* runs of equal distance that are in a chunk */
typedef struct range {
	size_t from, bytes; /* of the first one, in the data; of each */
	int64_t count, from_stride, to, to_stride;
} range;

/* the next runs of a need before `hi`, the first of which begins at `lo` or sooner; false: none */
static bool next_range(const need *x, int64_t *at, bool *ended, size_t lo, size_t hi, range *r)
{
	const int last = x->n - 1;
	const size_t run = (size_t)x->run;

	if (*ended) return false;
	size_t from = x->begin + (size_t)x->from_begin;
	int64_t to = x->to_begin;
	for (int d = 0; d < x->n; d++) {
		from += (size_t)(at[d] * x->from[d]);
		to += at[d] * x->to[d];
	}
	if (from >= hi) return false;
	const size_t skip = from < lo ? lo - from : 0;
	*r = (range){from + skip, run - skip, 1, 0, to + (int64_t)skip, 0};
	if (from + run > hi) r->bytes = hi - from - skip; /* more of it is in the next chunk */
	if (from + run > hi) return true;
	if (!skip && x->n) {
		const int64_t fit = 1 + (int64_t)(hi - from - run) / x->from[last];
		const int64_t left = x->count[last] - at[last];
		r->count = fit < left ? fit : left;
		r->from_stride = x->from[last];
		r->to_stride = x->to[last];
		at[last] += r->count - 1;
	}
	*ended = !dims_next(at, x->count, x->n);
	return true;
}

/* does the run go on behind the range? Then next_range gives it again */
static bool goes_on(const range *r, size_t hi) { return r->from + r->bytes >= hi; }

/* ---- a file */

typedef struct reading {
	const device_file *file;
	need **need;     /* by place */
	size_t n, first; /* the first that has not ended */
	size_t data;
	char *chunk;
	uint64_t unit[UNITS / 64]; /* those that are needed */
} reading;

static void mark(reading *r, size_t begin, size_t end)
{
	for (size_t u = begin / UNIT; u <= (end - 1) / UNIT; u++)
		r->unit[u / 64] |= UINT64_C(1) << u % 64;
}

static bool is_marked(const reading *r, size_t u) { return r->unit[u / 64] >> u % 64 & 1; }

static size_t last_byte(const need *x)
{
	int64_t at = x->from_begin + x->run - 1;

	for (int d = 0; d < x->n; d++) at += (x->count[d] - 1) * x->from[d];
	return x->begin + (size_t)at;
}

/* marks what is needed between lo and hi; is the chunk to be read whole? */
static bool look_at(reading *r, size_t lo, size_t hi)
{
	int64_t at[MAX_NDIM];
	size_t bytes = 0;
	bool edge = false;

	memset(r->unit, 0, sizeof r->unit);
	for (size_t k = r->first; k < r->n && r->need[k]->begin < hi; k++) {
		const need *x = r->need[k];
		bool ended = x->ended || x->again;
		range g;
		if (ended) continue;
		edge |= (x->first >= lo && x->first < hi) || (x->last >= lo && x->last < hi);
		memcpy(at, x->at, (size_t)x->n * sizeof *at);
		while (next_range(x, at, &ended, lo, hi, &g)) {
			bytes += (size_t)g.count * g.bytes;
			for (int64_t i = 0; i < g.count; i++) {
				const size_t from = g.from - lo + (size_t)(i * g.from_stride);
				mark(r, from, from + g.bytes);
			}
			if (goes_on(&g, hi)) break;
		}
	}
	return edge || bytes >= (hi - lo) / 21 * 20;
}

static bool read_marked(reading *r, size_t lo, size_t hi)
{
	const size_t units = (hi - lo + UNIT - 1) / UNIT;

	for (size_t u = 0, end; u < units; u = end) {
		size_t gap = 0;
		for (end = u + 1; end < units && is_marked(r, u) && gap <= GAP; end++)
			gap = is_marked(r, end) ? 0 : gap + 1;
		if (!is_marked(r, u)) continue;
		end -= gap;
		const size_t stop = end * UNIT < hi - lo ? end * UNIT : hi - lo;
		if (!device_file_read(r->file, lo + u * UNIT, stop - u * UNIT, r->chunk + u * UNIT))
			return false;
	}
	return true;
}

static bool read_chunk(reading *r, size_t lo, size_t hi)
{
	if (!look_at(r, lo, hi)) return read_marked(r, lo, hi);
	return device_file_read(r->file, lo, hi - lo, r->chunk) &&
	       device_file_check(r->file, lo / CHUNK, r->chunk, hi - lo);
}

static bool write_range(const need *x, const range *g, char *from)
{
	engine *of = x->block->engine;
	const int64_t dims[2] = {g->count, (int64_t)g->bytes};
	const int64_t there[2] = {g->from_stride, 1}, here[2] = {g->to_stride, 1};

	if (x->leaf->dtype == TSR_BOOL)
		for (int64_t i = 0; i < g->count; i++)
			npy_native(from + i * g->from_stride, g->bytes, TSR_BOOL, false);
	return engine_did(of, "write",
	                  of->type->write(x->block, (elements){g->to, here}, from, there,
	                                  &(extent){dims, 2, 1}));
}

/* copies from the chunk to the blocks that need it */
static bool deal(reading *r, size_t lo, size_t hi)
{
	for (size_t k = r->first; k < r->n && r->need[k]->begin < hi; k++) {
		need *x = r->need[k];
		range g;
		while (next_range(x, x->at, &x->ended, lo, hi, &g)) {
			if (!write_range(x, &g, r->chunk + (g.from - lo))) return false;
			if (goes_on(&g, hi)) break;
		}
	}
	while (r->first < r->n && r->need[r->first]->ended) r->first++;
	return true;
}

/* where the next byte from lo on is that somebody needs; PTRDIFF_MAX: nobody needs more */
static size_t next_needed(const reading *r, size_t lo)
{
	size_t next = PTRDIFF_MAX;

	for (size_t k = r->first; k < r->n && r->need[k]->begin < next; k++) {
		const need *x = r->need[k];
		int64_t at[MAX_NDIM];
		bool ended = x->ended;
		range g;
		memcpy(at, x->at, (size_t)x->n * sizeof *at);
		if (next_range(x, at, &ended, lo, PTRDIFF_MAX, &g) && g.from < next) next = g.from;
	}
	return next;
}

static int by_place(const void *x, const void *y)
{
	const need *a = *(const need *const *)x, *b = *(const need *const *)y;

	if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
	if (a->from_begin != b->from_begin) return a->from_begin < b->from_begin ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* the needs of one piece, by place */
static void join_needs(need **x, size_t n)
{
	size_t last = 0;

	for (size_t k = 0; k < n; k++)
		if (last_byte(x[k]) > last) last = last_byte(x[k]);
	for (size_t k = 0; k < n; k++) {
		x[k]->first = x[0]->begin + (size_t)x[0]->from_begin;
		x[k]->last = last;
		x[k]->again = k && x[k]->from_begin == x[k - 1]->from_begin;
	}
}

/* finds the places of the pieces in the file; false: recorded */
static bool place_needs(device_file *f, need **x, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (!device_file_find(f, x[k]->leaf, x[k]->piece_start, x[k]->piece_dims,
		                      &x[k]->begin))
			return false;
	qsort(x, n, sizeof *x, by_place);
	for (size_t k = 0, m; k < n; k += m) {
		for (m = 1; k + m < n && x[k + m]->begin == x[k]->begin;) m++;
		join_needs(x + k, m);
	}
	return true;
}

static bool read_needed(device_file *f, need **x, size_t n, char *chunk)
{
	reading r = {.file = f, .need = x, .n = n, .chunk = chunk};

	if (!place_needs(f, x, n)) return false;
	r.data = f->saved->bytes - f->saved->header;
	for (size_t next, hi = 0; (next = next_needed(&r, hi)) != PTRDIFF_MAX;) {
		const size_t lo = next / CHUNK * CHUNK;
		hi = r.data - lo < CHUNK ? r.data : lo + CHUNK;
		if (!read_chunk(&r, lo, hi) || !deal(&r, lo, hi)) return false;
	}
	return true;
}

/* finds the pieces, and checks all data */
static bool check_all(device_file *f, need **x, size_t n, char *chunk)
{
	const size_t data = f->saved->bytes - f->saved->header;

	if (n && !place_needs(f, x, n)) return false;
	for (size_t at = 0; at < data; at += CHUNK) {
		const size_t bytes = data - at < CHUNK ? data - at : CHUNK;
		if (!device_file_read(f, at, bytes, chunk) ||
		    !device_file_check(f, at / CHUNK, chunk, bytes))
			return false;
	}
	return true;
}

/* ---- all files */

static int by_device(const void *x, const void *y)
{
	const need *a = *(const need *const *)x, *b = *(const need *const *)y;

	return a->device < b->device ? -1 : a->device > b->device;
}

typedef bool read_file(device_file *, need **, size_t n, char *chunk);

static bool read_one(const checkpoint *c, const saved_file *saved, need **x, size_t n,
                     read_file *how, char *chunk)
{
	device_file f;
	const bool ok = device_file_open(&f, c, saved) && how(&f, x, n, chunk);

	device_file_close(&f);
	return ok;
}

/* the needs of each file, which must exist. all: also files that nobody needs */
static bool read_files(const checkpoint *c, needs *of, read_file *how, bool all)
{
	char *chunk = mem_alloc(c->base, CHUNK);
	size_t file = 0;
	bool ok = chunk;

	if (of->n) qsort(of->need, of->n, sizeof *of->need, by_device);
	for (size_t i = 0, n; ok && i < of->n; i += n) {
		const int64_t device = of->need[i]->device;
		for (n = 1; i + n < of->n && of->need[i + n]->device == device;) n++;
		for (; ok && file < c->nfiles && c->file[file].device < device; file++)
			ok = !all || read_one(c, &c->file[file], NULL, 0, how, chunk);
		if (ok && (file == c->nfiles || c->file[file].device != device))
			ok = checkpoint_fail(c, TSR_ERROR_FILE,
			                     INDEX_NAME ": device %lld has no "
			                                "file, and a piece of the leaf \"%.200s\"",
			                     (long long)device, of->need[i]->leaf->name);
		ok = ok && read_one(c, &c->file[file++], &of->need[i], n, how, chunk);
	}
	for (; ok && all && file < c->nfiles; file++)
		ok = read_one(c, &c->file[file], NULL, 0, how, chunk);
	mem_free(c->base, chunk);
	return ok;
}

bool needs_read(const checkpoint *c, needs *of) { return read_files(c, of, read_needed, false); }

bool checkpoint_check(const checkpoint *c)
{
	needs all = {.arena = c->arena};
	bool ok = true;

	for (size_t k = 0; ok && k < c->nleaves; k++)
		ok = !c->leaf[k].dtype || needs_add_all(c, &all, &c->leaf[k]);
	ok = ok && read_files(c, &all, check_all, true);
	needs_free(&all);
	return ok;
}
