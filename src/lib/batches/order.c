/* order.c - the order in which an epoch has the rows. */
#include "lib/batches/batches.h"
#include "lib/random/draw.h"

static tsr *key_of_words(const call_site *site, const uint32_t *word)
{
	const type *t = type_make(&site->ctx->ir, TSR_U32, &(int64_t){2}, 1, 0);
	const sharding *s =
		t ? sharding_one(&site->ctx->shards, site->where, site->ctx->home) : NULL;

	return handle_of_array(site->ctx, s ? array_from_host(site->ctx, t, word, s, false) : NULL);
}

/* integers of any size, widened where they are: from the last to the first, since the wide ones
 * overtake the narrow ones */
static bool numbers_read(const char *where, const tsr *x, int64_t n, int64_t *out)
{
	const array *a = handle_array(where, x);

	if (!a || !array_to_host(where, a, out, NULL)) return false;
	if (a->type->dtype == TSR_I32) {
		const int32_t *narrow = (const int32_t *)(const void *)out;
		for (int64_t i = n - 1; i >= 0; i--) {
			int32_t one;
			memcpy(&one, narrow + i, sizeof one);
			out[i] = one;
		}
	}
	return true;
}

bool epoch_order(const call_site *site, const uint32_t *key, int64_t epoch, int64_t rows,
                 int64_t *out)
{
	const tsr_permutation_args none = {.size = sizeof none};

	for (int64_t i = 0; !key && i < rows; i++) out[i] = i;
	if (!key || !rows) return true;
	TSR_SCOPE(site->ctx);
	tsr *of_epoch = tsr_fold_in_at(site->where, key_of_words(site, key), TSR_ARG(epoch));
	tsr *order = tsr_permutation_at(site->where, of_epoch, TSR_ARG(rows), &none);
	return numbers_read(site->where, order, rows, out);
}
