/* shards.c - the shards of arrays: queries, pieces, and arrays made of pieces. */
#include "lib/lib.h"

const tsr_sharding *tsr_sharding_of(const tsr *x)
{
	call_site site = {.op = "sharding_of"};
	const array *a = is_traced(x) ? NULL : array_checked(&site, x);

	return a ? a->sharding : NULL;
}

int64_t tsr_shard_count(const tsr *x)
{
	call_site site = {.op = "shard_count"};
	const array *a = array_checked(&site, x);

	return a ? sharding_ndevices(a->sharding) : 0;
}

static array *array_with_shard(call_site *site, const tsr *x, int64_t k)
{
	array *a = array_checked(site, x);
	const int64_t n = a ? sharding_ndevices(a->sharding) : 0;

	if (a && (k < 0 || k >= n)) {
		fail(&a->ctx->base, site->where, TSR_ERROR_ARGUMENT, "%s: shard %lld of %lld",
		     site->op, (long long)k, (long long)n);
		return NULL;
	}
	if (a && a->type->ndim > TSR_MAX_NDIM) {
		fail(&a->ctx->base, site->where, TSR_ERROR_UNSUPPORTED,
		     "%s: an array of %d dims does not fit a tsr_shard", site->op, a->type->ndim);
		return NULL;
	}
	return a;
}

bool tsr_shard_of_at(const char *where, const tsr *x, int64_t k, tsr_shard *out)
{
	TURN_OF(tsr_ctx_of(x), where, false);
	call_site site = {.where = where, .op = "shard_of"};
	const array *a = array_with_shard(&site, x, k);

	if (!a) return false;
	if (!out)
		return fail(&a->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "shard_of: the record to fill is NULL");
	shard_fill(a->sharding, a->type->dims, a->type->ndim, k, out);
	return true;
}

static bool shard_here(const char *where, const char *op, const array *a, int64_t k)
{
	if (array_shard(a, k)) return true;
	return fail(&a->ctx->base, where, TSR_ERROR_UNSUPPORTED,
	            "%s: shard %lld is on device %lld of another process; tsr_gather_whole() gives "
	            "every process the whole",
	            op, (long long)k, (long long)sharding_device(a->sharding, k));
}

/* strides of a shard's storage, in bytes */
static void storage_strides(const array *a, int64_t *strides)
{
	int64_t block[MAX_NDIM];

	sharding_block_dims(a->sharding, a->type->dims, a->type->ndim, block);
	dims_strides(block, a->type->ndim, strides);
	for (int d = 0; d < a->type->ndim; d++)
		strides[d] = a->strides ? a->strides[d]
		                        : strides[d] * (int64_t)tsr_dtype_size(a->type->dtype);
}

array *shard_piece(array *a, int64_t k)
{
	int64_t start[MAX_NDIM], stop[MAX_NDIM], strides[MAX_NDIM];
	tsr_ctx *ctx = a->ctx;

	sharding_box(a->sharding, a->type->dims, a->type->ndim, k, start, stop);
	for (int d = 0; d < a->type->ndim; d++) stop[d] -= start[d];
	const type *t = type_make(&ctx->ir, a->type->dtype, stop, a->type->ndim, 0);
	const sharding *one = sharding_one(&ctx->shards, NULL, sharding_device(a->sharding, k));
	array *piece = t && one ? array_make(ctx, t, one, true) : NULL;
	if (!piece) return NULL;
	if (!a->strides && t->size * (int64_t)tsr_dtype_size(t->dtype) == block_bytes(a)) {
		piece->shard[0] = buffer_retain(array_shard(a, k));
		return piece;
	}
	storage_strides(a, strides);
	piece->shard[0] = block_copy(t, array_shard(a, k), strides);
	if (piece->shard[0]) return piece;
	array_release(piece);
	return NULL;
}

tsr *tsr_shard_data_at(const char *where, const tsr *x, int64_t k)
{
	TURN_OF(tsr_ctx_of(x), where, poison_of(tsr_ctx_of(x)));
	call_site site = {.where = where, .op = "shard_data"};
	array *a = array_with_shard(&site, x, k);

	if (!a || !shard_here(where, "shard_data", a, k)) return poison_of(site.ctx);
	return handle_of_array(site.ctx, shard_piece(a, k));
}

const void *tsr_shard_borrow_at(const char *where, const tsr *x, int64_t k, int64_t *strides)
{
	TURN_OF(tsr_ctx_of(x), where, NULL);
	call_site site = {.where = where, .op = "shard_borrow"};
	const array *a = array_with_shard(&site, x, k);
	int64_t own[MAX_NDIM];

	if (!a || !shard_here(where, "shard_borrow", a, k)) return NULL;
	storage_strides(a, own);
	if (strides) memcpy(strides, own, (size_t)a->type->ndim * sizeof *own);
	buffer *b = array_shard(a, k);
	const void *data = b->engine->type->borrow(b);
	if (!data)
		fail(&a->ctx->base, where, TSR_ERROR_UNSUPPORTED,
		     "shard_borrow: the host cannot read the memory of device %lld; tsr_shard_data "
		     "and tsr_read copy it",
		     (long long)sharding_device(a->sharding, k));
	return data;
}

bool tsr_is_fully_replicated(const tsr *x)
{
	call_site site = {.op = "is_fully_replicated"};
	const array *a = array_checked(&site, x);

	return a && sharding_is_replicated(a->sharding);
}

/* ---- from pieces */

/* checks that a piece is on one device: on that of its shard, if the user placed it */
static bool piece_is_home(const char *where, const array *whole, const array *piece, int64_t k)
{
	const int64_t want = sharding_device(whole->sharding, k);
	const int64_t got = sharding_device(piece->sharding, 0);
	const int64_t n = sharding_ndevices(piece->sharding);

	if (n == 1 && (!piece->committed || got == want)) return true;
	return fail(&whole->ctx->base, where, TSR_ERROR_SHARDING,
	            n > 1 ? "from_shards: piece %lld must be on device %lld alone, and has %lld "
	                    "shards"
	                  : "from_shards: piece %lld must be on device %lld, and is on device %lld",
	            (long long)k, (long long)want, (long long)(n > 1 ? n : got));
}

static void put_type_of(str *s, tsr_dtype dtype, const int64_t *dims, int ndim)
{
	str_printf(s, "%s[", tsr_dtype_name(dtype));
	str_dims(s, dims, ndim);
	str_put(s, "]");
}

static bool piece_fits(const char *where, const array *whole, const array *piece, int64_t k)
{
	int64_t start[MAX_NDIM], stop[MAX_NDIM];
	str want = {.base = &whole->ctx->base}, got = {.base = &whole->ctx->base};

	sharding_box(whole->sharding, whole->type->dims, whole->type->ndim, k, start, stop);
	for (int d = 0; d < whole->type->ndim; d++) stop[d] -= start[d];
	if (piece->type->dtype == whole->type->dtype &&
	    dims_same(piece->type->dims, piece->type->ndim, stop, whole->type->ndim))
		return true;
	put_type_of(&want, whole->type->dtype, stop, whole->type->ndim);
	type_text(&got, piece->type, NULL, 0);
	fail(&whole->ctx->base, where, TSR_ERROR_TYPE,
	     "from_shards: piece %lld must be %s, the type of that shard, got %s", (long long)k,
	     want.s ? want.s : "?", got.s ? got.s : "?");
	str_free(&want);
	str_free(&got);
	return false;
}

static bool piece_copy(array *whole, const array *piece, int64_t k)
{
	engine *of = whole->ctx->engine;
	const type *t = piece->type;
	const extent x = {t->dims, t->ndim, tsr_dtype_size(t->dtype)};
	const int memory = whole->ctx->devices[sharding_device(whole->sharding, k)].memory;
	const int64_t i = sharding_local(whole->sharding, k);
	int64_t to[MAX_NDIM], from[MAX_NDIM];

	buffer *b = whole->shard[i] = buffer_alloc(of, memory, (size_t)block_bytes(whole), true);
	if (!b) return false;
	storage_strides(whole, to);
	storage_strides(piece, from);
	return t->size == 0 ||
	       engine_did(of, "copy",
	                  of->type->copy(b, (elements){0, to}, array_shard(piece, 0),
	                                 (elements){0, from}, &x));
}

tsr *tsr_from_shards_at(const char *where, tsr_ctx *ctx, const tsr_sharding *s, tsr_dims dims,
                        tsr *const *piece, size_t n)
{
	TURN_OF(ctx, where, poison_of(ctx));
	call_site site = {ctx, where, "from_shards"};

	if (!ctx_ok(where, "from_shards", ctx) || !sharding_ok(where, "from_shards", s))
		return poison_of(ctx);
	if (s->ctx != ctx)
		return refuse_op(&site, TSR_ERROR_SHARDING, "the sharding is of another context");
	const int64_t here = sharding_nhere(s), due = here ? here : 1;
	if ((int64_t)n != due)
		return refuse_op(&site, TSR_ERROR_SHARDING,
		                 here ? "expected %lld pieces (that many devices of the sharding "
		                        "are in this process), got %zu"
		                      : "expected %lld piece, for its dtype alone (no device of "
		                        "the sharding is in this process), got %zu",
		                 (long long)due, n);
	if (operands_check(&site, piece, (int)n) != ctx || !sharding_dims_fit(&site, s, &dims))
		return poison_of(ctx);
	const type *t = type_make(&ctx->ir, handle_type(piece[0])->dtype, dims_of(&dims),
	                          dims_count(&dims), 0);
	array *whole = t ? array_make(ctx, t, s, true) : NULL;
	for (int64_t i = 0; whole && i < here; i++) {
		const array *p = handle_array(where, piece[i]);
		const int64_t k = sharding_here(s, i);
		if (p && piece_is_home(where, whole, p, k) && piece_fits(where, whole, p, k) &&
		    piece_copy(whole, p, k))
			continue;
		array_release(whole);
		whole = NULL;
	}
	return handle_of_array(ctx, whole);
}
