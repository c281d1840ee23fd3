/* keys.c - keys of random numbers, and the bits that they give.
 *
 * Everything comes from one row, random_bits, which gives two words for each place of an array, or
 * for any number as a place: 64 random bits, or as two words a new key. In the older form of JAX
 * (.threefry_original of tsr_open) the places of an array are paired instead. */
#include "lib/random/draw.h"

/* ---- bits by place */

/* bits of the places from `first` on */
static tsr *bits_from(const call_site *site, tsr *key, tsr *first, tsr_dtype dtype,
                      const sample_box *at)
{
	const int n = dims_count(&at->dims);
	int64_t strides[MAX_NDIM];

	if (handle_is_poison(first)) return first;
	dims_strides(dims_of(&at->whole), n, strides);
	const random_bits_params p = {dtype, {n, dims_of(&at->dims)}, {n, strides}};
	return bind(site, &tsr__prim_random_bits, &p, (tsr *[]){key, first}, 2);
}

/* the first place of a part: the sum of its indices times their strides */
static tsr *first_place(const call_site *site, const sample_box *at)
{
	tsr *first = constant(site, TSR_U64, &(tsr_arg){.kind = TSR_KIND_INT, .as.i = 0});
	int64_t strides[MAX_NDIM];

	dims_strides(dims_of(&at->whole), dims_count(&at->whole), strides);
	for (int d = 0; at->start && d < dims_count(&at->whole); d++) {
		tsr *index = RTO(TSR_U64, tsr_index_at(site->where, at->start, 0, d));
		first = R2(add, first, R2(mul, index, strides[d]));
	}
	return first;
}

/* ---- bits in pairs: of n words, word i and word i + (n + 1) / 2 come of the counters with these
 * numbers; a last counter without a word is 0 */

static tsr *paired_words(const call_site *site, tsr *key, int64_t n)
{
	const int64_t half = n / 2 + n % 2;
	const tsr_dims dims = TSR_DIMS(half);
	const tsr_iota_args u32 = {.size = sizeof u32, .dtype = TSR_U32};
	tsr *low = tsr_iota_at(site->where, site->ctx, dims, 0, &u32), *word[2];
	tsr *high = R2(add, low, half), *key0 = tsr_index_at(site->where, key, 0, 0);
	tsr *key1 = tsr_index_at(site->where, key, 0, 1);

	if (n % 2) high = R3(where, R2(eq, high, n), 0, high);
	if (!tsr_threefry2x32_at(site->where, tsr_arg_one(key0), tsr_arg_one(key1),
	                         tsr_arg_one(low), tsr_arg_one(high), word))
		return word[0];
	return tsr_slice_at(site->where, tsr_concatenate_at(site->where, 0, word, 2), 0, 0, n);
}

/* u64 of two halves */
static tsr *joined(const call_site *site, tsr *upper, tsr *lower)
{
	return R2(bitwise_or, R2(shift_left, RTO(TSR_U64, upper), 32), RTO(TSR_U64, lower));
}

/* n elements of 8 or 16 bits are the words' bytes, from the lowest on; those of 64 bits have their
 * upper halves first, and all lower halves behind */
static tsr *paired_bits(const call_site *site, tsr *key, tsr_dtype dtype, int64_t n)
{
	const char *where = site->where;
	const int width = dtype_bits(dtype), each = width < 32 ? 32 / width : 1;
	tsr *words = paired_words(site, key, width == 64 ? 2 * n : n / each + (n % each != 0));

	if (width == 32) return words;
	if (width == 64)
		return joined(site, tsr_slice_at(where, words, 0, 0, n),
		              tsr_slice_at(where, words, 0, n, 2 * n));
	const tsr_dims all = TSR_DIMS(-1), pair = TSR_DIMS(-1, 1), parts = TSR_DIMS(each);
	const tsr_iota_args u32 = {.size = sizeof u32, .dtype = TSR_U32};
	tsr *down = R2(mul, tsr_iota_at(where, site->ctx, parts, 0, &u32), width);
	tsr *bits = R2(shift_right, tsr_reshape_at(where, words, pair), down);
	return tsr_slice_at(where, tsr_reshape_at(where, RTO(dtype, bits), all), 0, 0, n);
}

static int64_t size_of(const tsr_dims *dims)
{
	int64_t n = 1;

	for (int d = 0; d < dims_count(dims); d++) n *= dims_of(dims)[d];
	return n;
}

static tsr *original_bits(const call_site *site, tsr *key, tsr_dtype dtype, const tsr_dims *dims)
{
	const int64_t n = size_of(dims);

	if (n > INT32_MAX)
		return refuse_op(site, TSR_ERROR_UNSUPPORTED,
		                 "%lld elements are too many for .threefry_original: at most 2^31 "
		                 "- 1 are",
		                 (long long)n);
	if (n == 0) return zeros_of(site, (etype){dtype, false}, dims_of(dims), dims_count(dims));
	return reshape_to(site, paired_bits(site, key, dtype, n), dims_of(dims), dims_count(dims));
}

tsr *bits_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at)
{
	if (handle_is_poison(key)) return key;
	if (site->ctx->threefry_original) return original_bits(site, key, dtype, &at->dims);
	return bits_from(site, key, first_place(site, at), dtype, at);
}

/* ---- keys */

/* the two words of u64[...], the upper one first: u32[..., 2] */
static tsr *words_of_bits(const call_site *site, tsr *bits)
{
	tsr *word[2] = {RTO(TSR_U32, R2(shift_right, bits, 32)), RTO(TSR_U32, bits)};

	return tsr_stack_at(site->where, -1, word, 2);
}

/* an integer, of C or an array without dims */
static bool integer_ok(call_site *site, const tsr_arg *x)
{
	if (x->kind == TSR_KIND_INT || x->kind == TSR_KIND_UINT) return true;
	if (x->kind != TSR_KIND_ONE)
		return fail(&site->ctx->base, site->where, TSR_ERROR_TYPE,
		            "%s takes an integer: a C one, or an array without dims", site->op);
	if (!operands_check(site, &(tsr *){x->as.one}, 1)) return false;
	const type *t = handle_type(x->as.one);
	if (!t->ndim && is_integer(t->dtype)) return true;
	return fail(&site->ctx->base, site->where, TSR_ERROR_TYPE,
	            "%s takes one integer, but got %s: tsr_vmap() takes each in turn", site->op,
	            tsr_type_text(x->as.one));
}

/* Of an integer of at most 32 bits the upper word is 0, also of a negative one. */
tsr *tsr_key_at(const char *where, tsr_ctx *ctx, tsr_arg seed)
{
	TURN_OF(ctx, where, poison_of(ctx));
	call_site own = {ctx, where, "key"}, *const site = &own;
	tsr *word[2];

	if (!ctx_ok(where, "key", ctx) || !integer_ok(site, &seed)) return poison_of(own.ctx);
	if (seed.kind == TSR_KIND_ONE) {
		tsr *of = seed.as.one, *bits = RTO(TSR_U64, of);
		const bool long_one = dtype_bits(handle_type(of)->dtype) == 64;
		word[0] = RTO(TSR_U32, long_one ? R2(shift_right, bits, 32) : R1(zeros_like, of));
		word[1] = RTO(TSR_U32, bits);
		return tsr_stack_at(where, 0, word, 2);
	}
	for (int i = 0; i < 2; i++)
		word[i] =
			constant(site, TSR_U32,
		                 &(tsr_arg){.kind = TSR_KIND_UINT,
		                            .as.u = i ? seed.as.u & UINT32_MAX : seed.as.u >> 32});
	return tsr_stack_at(where, 0, word, 2);
}

/* in the older form a key is a pair of neighbours in an array of words */
static tsr *split_sample(const call_site *site, const draw *d, tsr *key, const sample_box *at,
                         tsr *const *x)
{
	const int n = dims_count(&d->dims);
	sample_box words = *at;

	(void)x;
	if (!site->ctx->threefry_original)
		return words_of_bits(site, bits_of_key(site, key, TSR_U64, at));
	if (!dims_insert(site, &words.dims, n, 2)) return poison_of(site->ctx);
	return bits_of_key(site, key, TSR_U32, &words);
}

tsr *key_of_each(const call_site *site, tsr *key, const sample_box *at)
{
	const tsr_dims *dims = &at->dims, pairs = TSR_DIMS(size_of(dims), 2);

	if (!site->ctx->threefry_original) return bits_of_key(site, key, TSR_U64, at);
	tsr *words = original_bits(site, key, TSR_U32, &pairs);
	tsr *keys = joined(site, tsr_index_at(site->where, words, 1, 0),
	                   tsr_index_at(site->where, words, 1, 1));
	return reshape_to(site, keys, dims_of(dims), dims_count(dims));
}

static tsr *split(call_site *site, tsr *key, tsr_dims dims)
{
	draw d = {.sample = split_sample, .dims = dims};

	if (!draw_begin(site, key, &d, TSR_U32, DRAWS_BITS)) return poison_of(site->ctx);
	if (dims_count(&dims) == TSR_MAX_NDIM)
		return refuse_op(site, TSR_ERROR_UNSUPPORTED, "keys have at most %d dims",
		                 TSR_MAX_NDIM - 1);
	return draw_run(site, &d, key, NULL, NULL, 0);
}

tsr *tsr_split_keys_at(const char *where, tsr *key, tsr_dims dims)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	return split(&(call_site){.where = where, .op = "split_keys"}, key, dims);
}

bool keys_of_key(const call_site *site, tsr *key, tsr **out, size_t n)
{
	call_site own = *site;
	tsr *keys = split(&own, key, TSR_DIMS((int64_t)n));
	bool ok = !handle_is_poison(keys);

	for (size_t i = 0; i < n; i++) {
		out[i] = ok ? tsr_index_at(site->where, keys, 0, (int64_t)i) : keys;
		ok = ok && !handle_is_poison(out[i]);
	}
	for (size_t i = 0; !ok && i < n; i++) out[i] = poison_of(own.ctx);
	return ok;
}

bool lib_split_key(call_site *site, tsr *key, tsr **out, size_t n)
{
	return keys_of_key(site, key, out, n);
}

/* ---- fold_in */

static tsr *fold_in_sample(const call_site *site, const draw *d, tsr *key, const sample_box *at,
                           tsr *const *x)
{
	tsr *number = RTO(TSR_U64, RTO(TSR_U32, x[0]));

	(void)d;
	return words_of_bits(site, bits_from(site, key, number, TSR_U64, at));
}

tsr *tsr_fold_in_at(const char *where, tsr *key, tsr_arg data)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	call_site site = {.where = where, .op = "fold_in"};
	const draw d = {.sample = fold_in_sample, .dims = TSR_DIMS()};

	if (!key_ok(&site, key) || !integer_ok(&site, &data)) return poison_of(site.ctx);
	return draw_run(&site, &d, key, NULL, &data, 1);
}
