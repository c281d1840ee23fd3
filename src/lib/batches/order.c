/* order.c - shuffles the rows of an epoch by its key. */
#include "lib/batches/batches.h"
#include "lib/random/draw.h"

static tsr *key_of_words(const call_site *site, const uint32_t *word)
{
	const type *t = type_make(&site->ctx->ir, TSR_U32, &(int64_t){2}, 1, 0);
	const sharding *s =
		t ? sharding_one(&site->ctx->shards, site->where, site->ctx->home) : NULL;

	return handle_of_array(site->ctx, s ? array_from_host(site->ctx, t, word, s, false) : NULL);
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
	const array *a = handle_array(site->where, tsr_astype_at(site->where, order, TSR_I64));
	return a && array_to_host(site->where, a, out, NULL);
}
