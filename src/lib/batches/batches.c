/* batches.c - the public batches: opened, given one after the other, closed. */
#include "lib/batches/batches.h"
#include "lib/random/draw.h"

enum { MOST_AHEAD = 1024 };

struct tsr_batches {
	tsr_ctx *ctx; /* NULL: it could not be opened */
	bool closed;
	row_file *file;
	const sharding **to; /* where the rows of each file are put */
	tsr **given;         /* slots with the latest batch */
	int nfiles;
	int64_t rows, each; /* in the files, and in a batch */
	int64_t count;      /* batches of an epoch */
	bool keyed, committed;
	uint32_t key[2];
	int64_t *order;      /* of the epoch that is asked for */
	int64_t order_epoch; /* -1: none yet */
	int64_t asked, next; /* numbers of batches since the beginning of epoch 0 */
	bool ended;          /* the caller knows that the epoch before has ended */
	prefetch ahead;
};

/* of contexts that have no memory for one */
static tsr_batches nothing = {.closed = true};

static void close_batches(void *of)
{
	tsr_batches *b = of;
	base *at = &b->ctx->base;

	if (b->closed) return;
	b->closed = true;
	if (b->ahead.batch) prefetch_end(at, &b->ahead);
	for (int i = 0; b->file && i < b->nfiles; i++) row_file_close(&b->file[i]);
	mem_free(at, b->order);
}

/* ---- opening */

static bool open_files(const char *where, tsr_batches *b, const char *const *path)
{
	for (int i = 0; i < b->nfiles; i++) b->file[i].reader.fd = -1;
	for (int i = 0; i < b->nfiles; i++) {
		row_file *c = &b->file[i];
		c->path = path[i] ? arena_str(b->ctx->arena, path[i]) : NULL;
		if ((path[i] && !c->path) || !row_file_open(&b->ctx->base, where, c)) return false;
		if (c->rows != b->file[0].rows)
			return fail(&b->ctx->base, where, TSR_ERROR_TYPE,
			            "batches: %s has %lld rows, and %s has %lld: each batch takes "
			            "the same rows of all files",
			            b->file[0].path, (long long)b->file[0].rows, c->path,
			            (long long)c->rows);
	}
	b->rows = b->file[0].rows;
	return true;
}

static bool sizes_ok(const char *where, tsr_batches *b, const tsr_batches_args *a)
{
	base *at = &b->ctx->base;

	if (b->each < 1)
		return fail(at, where, TSR_ERROR_ARGUMENT,
		            "batches: a batch must have a row at least, got %lld",
		            (long long)b->each);
	if (a->first < 0)
		return fail(at, where, TSR_ERROR_ARGUMENT,
		            "batches: .first must not be negative, got %lld", (long long)a->first);
	if (a->prefetch < -1 || a->prefetch > MOST_AHEAD)
		return fail(at, where, TSR_ERROR_ARGUMENT,
		            "batches: .prefetch is from 1 to %d, or -1 for none, got %d",
		            MOST_AHEAD, a->prefetch);
	b->count = b->rows / b->each + (a->short_last && b->rows % b->each);
	return b->count || fail(at, where, TSR_ERROR_ARGUMENT,
	                        "batches: the files have %lld rows, fewer than a batch of %lld; "
	                        ".short_last = true gives a shorter one",
	                        (long long)b->rows, (long long)b->each);
}

/* the words of the key, which is no longer needed itself */
static bool key_read(const char *where, tsr_batches *b, tsr *key)
{
	call_site site = {b->ctx, where, "batches"};

	if (!(b->keyed = key != NULL)) return true;
	if (!key_ok(&site, key)) return false;
	if (site.ctx != b->ctx)
		return fail(&b->ctx->base, where, TSR_ERROR_HANDLE,
		            "batches: the key belongs to another context");
	const array *a = handle_array(where, key);
	return a && array_to_host(where, a, b->key, NULL);
}

static bool shardings_find(const char *where, tsr_batches *b, const tsr_batches_args *a)
{
	const call_site site = {b->ctx, where, "batches"};
	const bool over_mesh = a->mesh || a->spec.n1;
	const mesh *m = over_mesh ? mesh_found(where, site.op, b->ctx, a->mesh) : NULL;
	const tsr_spec whole = TSR_P();
	spec_room room;

	if (!m) {
		for (int i = 0; i < b->nfiles; i++)
			b->to[i] = sharding_one(&b->ctx->shards, where, b->ctx->home);
		return !over_mesh && b->to[0];
	}
	b->committed = true;
	if (!spec_read(&b->ctx->base, where, site.op, m, a->spec.n1 ? &a->spec : &whole, &room))
		return false;
	const sharding *s = sharding_of_room(&b->ctx->shards, m, &room);
	for (int i = 0; i < b->nfiles; i++) {
		b->to[i] = s;
		if (!s || !sharding_fits(&b->ctx->base, where, s, b->file[i].npy.ndim))
			return false;
	}
	return true;
}

static bool open_batches(const char *where, tsr_batches *b, const char *const *path,
                         const tsr_batches_args *a)
{
	arena *in = b->ctx->arena;

	b->file = arena_array(in, (size_t)b->nfiles, sizeof *b->file);
	b->to = arena_array(in, (size_t)b->nfiles, sizeof *b->to);
	b->given = arena_array(in, (size_t)b->nfiles, sizeof *b->given);
	if (!b->file || !b->to || !b->given || !arena_defer(in, close_batches, b) ||
	    !open_files(where, b, path) || !sizes_ok(where, b, a) || !key_read(where, b, a->key) ||
	    !shardings_find(where, b, a))
		return false;
	b->order = mem_array(&b->ctx->base, (size_t)b->rows, sizeof *b->order);
	b->order_epoch = -1;
	b->asked = b->next = a->first;
	b->ahead = (prefetch){.file = b->file,
	                      .nfiles = b->nfiles,
	                      .most = 1 + (a->prefetch < 0 ? 0
	                                   : a->prefetch   ? a->prefetch
	                                                   : 2)};
	return b->order &&
	       prefetch_begin(&b->ctx->base, &b->ahead, b->each < b->rows ? b->each : b->rows);
}

tsr_batches *tsr_batches_open_at(const char *where, tsr_ctx *ctx, const char *const *path, size_t n,
                                 int64_t rows, const tsr_batches_args *given)
{
	TURN_OF(ctx, where, &nothing);
	const tsr_batches_args *a = KEYWORDS(tsr_batches_args, where, ctx, given);

	if (!a || !ctx_ok(where, "batches", ctx)) return &nothing;
	if (!path || !n || n > INT32_MAX) {
		fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		     "batches: there must be a file at least");
		return &nothing;
	}
	tsr_batches *b = arena_alloc(ctx->arena, sizeof *b);
	if (!b) return &nothing;
	*b = (tsr_batches){.ctx = ctx, .nfiles = (int)n, .each = rows, .ended = true};
	if (open_batches(where, b, path, a)) return b;
	close_batches(b);
	return &nothing;
}

/* ---- one after the other */

/* rows of the batch with a number; the order of its epoch is made where it is not there yet */
static bool ask(const call_site *site, tsr_batches *b)
{
	const int64_t epoch = b->asked / b->count, first = b->asked % b->count * b->each;
	const int64_t n = b->rows - first < b->each ? b->rows - first : b->each;

	if (epoch != b->order_epoch) {
		b->order_epoch = -1;
		if (!epoch_order(site, b->keyed ? b->key : NULL, epoch, b->rows, b->order))
			return false;
		b->order_epoch = epoch;
	}
	memcpy(prefetch_next(&b->ahead, n), b->order + first, (size_t)n * sizeof *b->order);
	prefetch_ask(&b->ahead);
	b->asked++;
	return true;
}

static bool was_read(const char *where, const tsr_batches *b, const batch *k)
{
	for (int i = 0; i < b->nfiles; i++)
		if (!file_unchanged(&b->file[i].reader)) return false;
	return !k->error || fail(&b->ctx->base, where, TSR_ERROR_FILE, "batches: %s: %s",
	                         b->file[k->failed].path, strerror(k->error));
}

static tsr *array_of_rows(tsr_batches *b, const batch *k, int i)
{
	const npy *f = &b->file[i].npy;
	int64_t dims[MAX_NDIM];

	memcpy(dims, f->dims, (size_t)f->ndim * sizeof *dims);
	dims[0] = k->n;
	const type *t = type_make(&b->ctx->ir, f->dtype, dims, f->ndim, 0);
	return handle_of_array(
		b->ctx, t ? array_from_host(b->ctx, t, k->data[i], b->to[i], b->committed) : NULL);
}

static bool give(const char *where, tsr_batches *b, const batch *k, tsr **out)
{
	bool ok = was_read(where, b, k);

	for (int i = 0; ok && i < b->nfiles; i++) {
		TSR_SCOPE(b->ctx);
		ok = tsr_set_at(where, &b->given[i], array_of_rows(b, k, i));
		if (ok) out[i] = b->given[i];
	}
	return ok;
}

static bool next_batch(const call_site *site, tsr_batches *b, tsr **out)
{
	while (prefetch_has_room(&b->ahead))
		if (!ask(site, b)) return false;
	const batch *k = prefetch_take(&b->ahead);
	b->next++;
	return give(site->where, b, k, out);
}

static bool can_give(const char *where, const tsr_batches *b, tsr *const *out, size_t n)
{
	base *at = &b->ctx->base;

	if (b->closed)
		return fail(at, where, TSR_ERROR_HANDLE, "batches_next: the batches are closed");
	if (in_trace(b->ctx))
		return fail(
			at, where, TSR_ERROR_HANDLE,
			"batches_next: a body is being traced: read outside of bodies, and pass "
			"the arrays to the fn");
	return (out && n == (size_t)b->nfiles) ||
	       fail(at, where, TSR_ERROR_ARGUMENT,
	            "batches_next: a batch has %d arrays, one a file, got room for %zu", b->nfiles,
	            out ? n : 0);
}

bool tsr_batches_next_at(const char *where, tsr_batches *b, tsr **out, size_t n)
{
	tsr_ctx *ctx = b ? b->ctx : NULL;

	for (size_t i = 0; out && i < n; i++) out[i] = poison_of(ctx);
	if (!ctx) return false;
	TURN_OF(ctx, where, false);
	const call_site site = {ctx, where, "batches_next"};

	if (!can_give(where, b, out, n)) return false;
	if (b->next % b->count == 0 && !b->ended) {
		b->ended = true;
		return false;
	}
	b->ended = false;
	return next_batch(&site, b, out);
}

int64_t tsr_batches_count(const tsr_batches *b) { return b ? b->count : 0; }

void tsr_batches_close(tsr_batches *b)
{
	if (!b || !b->ctx) return;
	TURN_OF(b->ctx, NULL, );
	close_batches(b);
	for (int i = 0; i < b->nfiles; i++)
		if (b->given[i]) tsr_drop(&b->given[i]);
}
