/* attention.c - attention by the products of queries and keys: jax.nn's formula
 * (jax/_src/nn/functions.py). */
#include <math.h>
#include "lib/linalg/products.h"
#include "lib/nn/attention.h"

static bool read_shapes(attention *c, tsr *const x[3])
{
	const type *q = handle_type(x[0]), *k = handle_type(x[1]), *v = handle_type(x[2]);
	const bool four = q->ndim == 4 && k->ndim == 4 && dims_same(k->dims, 4, v->dims, v->ndim);

	if (!four || q->dims[0] != k->dims[0] || q->dims[3] != k->dims[3] || !k->dims[2] ||
	    q->dims[2] % k->dims[2] || q->dtype != k->dtype || k->dtype != v->dtype)
		return fail_types(&c->site, "takes a query, key and value that fit, not", x, 3);
	c->batch = q->dims[0], c->queries = q->dims[1], c->head = q->dims[3];
	c->keys = k->dims[1], c->kv_heads = k->dims[2], c->groups = q->dims[2] / k->dims[2];
	c->dtype = q->dtype;
	return true;
}

/* What broadcasts to [batch, heads, queries, keys] with its heads in groups; dims of 1 stay.
 * Poison: recorded */
static tsr *in_groups(const attention *c, tsr *x)
{
	call_site own = c->site;
	const int64_t all[] = {c->batch, c->kv_heads * c->groups, c->queries, c->keys};
	int64_t dims[5] = {1, 1, 1, 1, 1};

	if (!operands_check(&own, &x, 1)) return poison_of(own.ctx);
	if (handle_is_poison(broadcast_checked(&c->site, x, all, 4))) return poison_of(own.ctx);
	const type *t = handle_type(x);
	for (int d = 4 - t->ndim; d < 4; d++) {
		const int64_t size = t->dims[d - 4 + t->ndim];
		if (d == 1 && size != 1) {
			dims[1] = c->kv_heads;
			dims[2] = c->groups;
		} else {
			dims[d + (d > 0)] = size;
		}
	}
	return reshape_to(&c->site, x, dims, 5);
}

bool attention_read(attention *c, tsr *const x[3], tsr *bias, tsr *mask)
{
	if (!read_shapes(c, x)) return false;
	const int64_t dims[] = {c->batch, c->queries, c->kv_heads, c->groups, c->head};
	const call_site *site = &c->site;
	tsr *query = reshape_to(site, x[0], dims, 5);

	c->query = turn_dims(site, query, (int64_t[]){0, 2, 3, 1, 4}, 5);
	c->key = turn_dims(site, x[1], (int64_t[]){0, 2, 1, 3}, 4);
	c->value = turn_dims(site, x[2], (int64_t[]){0, 2, 1, 3}, 4);
	c->bias = bias ? in_groups(c, bias) : NULL;
	c->mask = mask ? in_groups(c, mask) : NULL;
	return !(bias && handle_is_poison(c->bias)) && !(mask && handle_is_poison(c->mask));
}

/* scores, and the lowest number there is where a key does not count */
static tsr_arg masked(const attention *c, tsr_arg scores, tsr *mask, tsr_arg row, tsr_arg column)
{
	const call_site *site = &c->site;
	const tsr_arg least = NUM(-0.7 * 0x1.fffffep127);
	const bool from = given_arg(&c->first);

	if (mask) scores = WHERE(HANDLE(mask), scores, least);
	if ((!c->causal && !from) || handle_is_poison(scores.as.one)) return scores;
	const type *t = handle_type(scores.as.one);
	const tsr_iota_args of = {.size = sizeof of};
	const tsr_dims dims = TSR_DIMS(t->dims[3], t->dims[4]);
	const tsr_arg key =
		ADD(HANDLE(tsr_iota_at(site->where, c->site.ctx, dims, 1, &of)), column);
	tsr_arg last = INT(c->queries - 1);
	if (c->causal) last = ADD(HANDLE(tsr_iota_at(site->where, c->site.ctx, dims, 0, &of)), row);
	if (from) last = ADD(last, c->first);
	return WHERE(IS(le, key, last), scores, least);
}

tsr_arg attention_scores(const attention *c, tsr *query, tsr *key, tsr *bias, tsr *mask,
                         tsr_arg row, tsr_arg column)
{
	const call_site *site = &c->site;
	tsr *const x[] = {query, key};
	tsr *products = einsum_of(&c->site, "bkgth,bksh->bkgts", x, 2, dtype_wide(c->dtype));
	tsr_arg scores = MUL(HANDLE(products), NUM(c->scale));

	if (bias) scores = ADD(scores, HANDLE(bias));
	return TO(c->softmax, masked(c, scores, mask, row, column));
}

static tsr *attend_at_once(const attention *c)
{
	const call_site *site = &c->site;
	const tsr_softmax_args all = {.size = sizeof all};
	const tsr_arg scores = attention_scores(c, c->query, c->key, c->bias, c->mask, INT(0),
	                                        INT(0));
	const tsr_arg shares = HANDLE(tsr_softmax_at(site->where, scores.as.one, -1, &all));
	tsr *const pair[] = {TO(c->dtype, shares).as.one, c->value};

	return einsum_of(&c->site, "bkgts,bksh->bkgth", pair, 2, 0);
}

/* More scores of a head than these are computed by blocks */
static bool wants_blocks(const attention *c)
{
	return dtype_kind(c->dtype) == KIND_FLOAT &&
	       (double)c->queries * (double)c->keys > TUNE_SCORES_AT_ONCE;
}

tsr *attend(const attention *c)
{
	const int64_t dims[] = {c->batch, c->queries, c->kv_heads * c->groups, c->head};
	tsr *y = wants_blocks(c) ? attend_by_blocks(c, TUNE_BLOCK_QUERIES, TUNE_BLOCK_KEYS)
	                         : attend_at_once(c);

	if (handle_is_poison(y)) return y;
	y = turn_dims(&c->site, y, (int64_t[]){0, 3, 1, 2, 4}, 5);
	return reshape_to(&c->site, y, dims, 4);
}

tsr *lib_dot_product_attention(call_site *site, tsr *query, tsr *key, tsr *value,
                               const tsr_attention_args *a)
{
	attention c = {.site = *site, .softmax = TSR_F32, .causal = a->causal};
	tsr *const x[3] = {query, key, value};

	if (!operands_check(&c.site, x, 3) || !attention_read(&c, x, a->bias, a->mask))
		return poison_of(c.site.ctx);
	c.scale = a->scale != 0 ? a->scale : 1 / sqrt((double)c.head);
	return attend(&c);
}
