/* pieces.c - finds the pieces of arrays that this process writes.
 *
 * Of the devices that hold the same box, the first one in the order of the mesh writes it, without
 * padding. Of an f32[8] on 4 devices, mesh x:2, y:2, cut along y:
 *
 *     device 0 holds [0:4] and writes it
 *     device 1 holds [4:8] and writes it
 *     device 2 holds [0:4]
 *     device 3 holds [4:8]
 *
 * A device whose box is empty writes nothing. Of an array without elements device 0 writes all, so
 * that its dims follow from its pieces. In a file the larger elements come first, so each
 * piece is aligned to its own. */
#include <stdlib.h>
#include "lib/checkpoint/checkpoint.h"

/* ---- a piece in memory */

void piece_copy(const piece *p, size_t from, size_t n, char *to)
{
	if (!p->strides) {
		memcpy(to, p->data + from, n);
		return;
	}
	int64_t at[MAX_NDIM], run = (int64_t)tsr_dtype_size(p->dtype);
	int outer = p->ndim;

	for (; outer && (p->dims[outer - 1] == 1 || p->strides[outer - 1] == run); outer--)
		run *= p->dims[outer - 1];
	int64_t rest = (int64_t)from / run;
	size_t skip = (size_t)((int64_t)from % run);
	for (int d = outer; d-- > 0; rest /= p->dims[d]) at[d] = rest % p->dims[d];
	while (n) {
		const char *row = p->data;
		const size_t here = (size_t)run - skip < n ? (size_t)run - skip : n;
		for (int d = 0; d < outer; d++) row += at[d] * p->strides[d];
		memcpy(to, row + skip, here);
		to += here;
		n -= here;
		skip = 0;
		dims_next(at, p->dims, outer);
	}
}

static bool is_dense(const piece *p, const int64_t *strides)
{
	int64_t bytes = (int64_t)tsr_dtype_size(p->dtype);

	for (int d = p->ndim; d-- > 0; bytes *= p->dims[d])
		if (p->dims[d] > 1 && strides[d] != bytes) return false;
	return true;
}

static void dense_strides(const int64_t *dims, int ndim, size_t item, int64_t *strides)
{
	dims_strides(dims, ndim, strides);
	for (int d = 0; d < ndim; d++) strides[d] *= (int64_t)item;
}

/* what the host cannot read where it is; false: recorded */
static bool copy_data(base *b, buffer *from, const int64_t *strides, piece *p)
{
	const size_t item = tsr_dtype_size(p->dtype);
	const extent x = {p->dims, p->ndim, item};
	int64_t dense[MAX_NDIM];

	dense_strides(p->dims, p->ndim, item, dense);
	p->data = p->own = mem_alloc(b, p->bytes + 1);
	return p->own &&
	       (!p->bytes || engine_did(from->engine, "read",
	                                from->engine->type->read(from, (elements){0, strides},
	                                                         p->own, dense, &x)));
}

/* where the host finds it; false: recorded */
static bool find_data(base *b, arena *a, const array *of, buffer *held, piece *p)
{
	const engine_type *e = held->engine->type;
	int64_t *strides = arena_array(a, (size_t)p->ndim + 1, sizeof *strides);
	int64_t block[MAX_NDIM];

	if (!strides) return false;
	sharding_block_dims(of->sharding, of->type->dims, p->ndim, block);
	dense_strides(block, p->ndim, tsr_dtype_size(p->dtype), strides);
	if (of->strides) memcpy(strides, of->strides, (size_t)p->ndim * sizeof *strides);
	if (!engine_did(held->engine, "ready", e->ready(held, true))) return false;
	if (!(p->data = e->borrow(held))) return copy_data(b, held, strides, p);
	p->held = buffer_retain(held);
	if (!is_dense(p, strides)) p->strides = strides;
	return true;
}

/* ---- who writes what */

typedef struct finding {
	const call_site *site;
	arena *arena;
	pieces *out;
	size_t cap;
	struct placed_piece {
		int64_t device;
		size_t piece;
	} * placed;
	size_t placed_cap;
	const char *quoted, *twice; /* the name of the leaf */
} finding;

/* what device k writes; false: nothing */
static bool box_of(const array *x, int64_t k, int64_t *start, int64_t *stop)
{
	const type *t = x->type;
	bool has = true;

	sharding_box(x->sharding, t->dims, t->ndim, k, start, stop);
	for (int d = 0; d < t->ndim; d++) has &= start[d] < stop[d];
	if (t->size) return has;
	memset(start, 0, (size_t)t->ndim * sizeof *start);
	memcpy(stop, t->dims, (size_t)t->ndim * sizeof *stop);
	return k == 0;
}

static bool add_piece(finding *f, const saved_leaf *leaf, const array *x, int64_t i, int64_t k)
{
	base *b = &f->site->ctx->base;
	const int n = x->type->ndim;
	int64_t start[MAX_NDIM], stop[MAX_NDIM];

	if (!box_of(x, k, start, stop)) return true;
	if (!mem_room(b, (void **)&f->out->piece, f->out->n, &f->cap, sizeof *f->out->piece))
		return false;
	piece *p = &f->out->piece[f->out->n];
	int64_t *dims = arena_array(f->arena, (size_t)n + 1, sizeof *dims);
	*p = (piece){.quoted = f->quoted,
	             .twice = f->twice,
	             .dtype = leaf->dtype,
	             .ndim = n,
	             .dims = dims};
	p->start = arena_copy(f->arena, start, (size_t)n * sizeof *start);
	if (!dims || !p->start) return false;
	p->bytes = tsr_dtype_size(p->dtype);
	for (int d = 0; d < n; d++) p->bytes *= (size_t)(dims[d] = stop[d] - start[d]);
	f->out->n++;
	if (!find_data(b, f->arena, x, x->shard[i], p)) return false;
	if (!mem_room(b, (void **)&f->placed, f->out->n - 1, &f->placed_cap, sizeof *f->placed))
		return false;
	f->placed[f->out->n - 1].device = sharding_device(x->sharding, k);
	f->placed[f->out->n - 1].piece = f->out->n - 1;
	return true;
}

/* a text in quotes, in the arena; NULL: no memory */
static const char *quote(arena *a, const char *text)
{
	str s = {.base = arena_base(a)};

	json_text(&s, text);
	const char *quoted = s.lost ? NULL : arena_copy(a, s.s, s.len + 1);
	str_free(&s);
	return quoted;
}

static bool add_leaf(finding *f, const saved_leaf *leaf, const array *x)
{
	f->quoted = quote(f->arena, leaf->name);
	f->twice = f->quoted ? quote(f->arena, f->quoted) : NULL;
	if (!f->twice) return false;
	for (int64_t i = 0; i < x->nshards; i++) {
		const int64_t k = sharding_here(x->sharding, i);
		if (sharding_first(x->sharding, k) == k && !add_piece(f, leaf, x, i, k))
			return false;
	}
	return true;
}

static int by_device(const void *x, const void *y)
{
	const struct placed_piece *a = x, *b = y;

	if (a->device != b->device) return a->device < b->device ? -1 : 1;
	return a->piece < b->piece ? -1 : a->piece > b->piece;
}

static int larger_first(const void *x, const void *y)
{
	const piece *a = *(piece *const *)x, *b = *(piece *const *)y;
	const size_t na = tsr_dtype_size(a->dtype), nb = tsr_dtype_size(b->dtype);

	return na != nb ? (na > nb ? -1 : 1) : a < b ? -1 : a > b;
}

/* ---- files */

static bool make_file(finding *f, piece_file *to, const struct placed_piece *of, size_t n)
{
	to->device = of->device;
	to->n = n;
	if (!(to->piece = arena_array(f->arena, n, sizeof *to->piece))) return false;
	for (size_t k = 0; k < n; k++) to->piece[k] = &f->out->piece[of[k].piece];
	qsort(to->piece, n, sizeof *to->piece, larger_first);
	for (size_t k = 0; k < n; k++) {
		to->piece[k]->begin = to->data;
		to->data += to->piece[k]->bytes;
	}
	to->header = mem_alloc(&f->site->ctx->base, header_room(to));
	return to->header;
}

static bool make_files(finding *f)
{
	pieces *p = f->out;

	if (p->n) qsort(f->placed, p->n, sizeof *f->placed, by_device);
	if (!(p->file = arena_array(f->arena, p->n + 1, sizeof *p->file))) return false;
	for (size_t i = 0, n; i < p->n; i += n) {
		for (n = 1; i + n < p->n && f->placed[i + n].device == f->placed[i].device;) n++;
		if (!make_file(f, &p->file[p->nfiles++], &f->placed[i], n)) return false;
	}
	return true;
}

bool pieces_find(const call_site *site, arena *a, const saved_leaf *leaf, array *const *x, size_t n,
                 pieces *out)
{
	finding f = {.site = site, .arena = a, .out = out};
	bool ok = true;

	for (size_t k = 0; ok && k < n; k++) ok = !x[k] || add_leaf(&f, &leaf[k], x[k]);
	ok = ok && make_files(&f);
	mem_free(&site->ctx->base, f.placed);
	return ok;
}

void pieces_free(base *b, pieces *p)
{
	for (size_t k = 0; k < p->n; k++) {
		tsr__buffer_release(p->piece[k].held);
		mem_free(b, p->piece[k].own);
	}
	for (size_t k = 0; k < p->nfiles; k++) mem_free(b, p->file[k].header);
	mem_free(b, p->piece);
	p->piece = NULL;
	p->n = p->nfiles = 0;
}
