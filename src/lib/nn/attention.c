/* attention.c - attention by the products of queries and keys: jax.nn's formula
 * (jax/_src/nn/functions.py).
 *
 * The heads of the queries, N = K G of them, are K groups of G, one group for each head of the keys
 * and values. Scores are products over the head, [batch, K, G, queries, keys]. */
#include <math.h>
#include "lib/formula.h"
#include "lib/linalg/products.h"

typedef struct attention {
	call_site site;
	int64_t batch, queries, keys, heads, kv_heads, head;
	tsr_dtype dtype;
} attention;

static bool read_shapes(attention *c, tsr *const x[3])
{
	const type *q = handle_type(x[0]), *k = handle_type(x[1]), *v = handle_type(x[2]);
	const bool four = q->ndim == 4 && k->ndim == 4 && dims_same(k->dims, 4, v->dims, v->ndim);

	if (!four || q->dims[0] != k->dims[0] || q->dims[3] != k->dims[3] || !k->dims[2] ||
	    q->dims[2] % k->dims[2] || q->dtype != k->dtype || k->dtype != v->dtype)
		return fail_types(&c->site, "takes a query, key and value that fit, not", x, 3);
	c->batch = q->dims[0], c->queries = q->dims[1], c->heads = q->dims[2], c->head = q->dims[3];
	c->keys = k->dims[1], c->kv_heads = k->dims[2], c->dtype = q->dtype;
	return true;
}

/* what broadcasts to [batch, N, queries, keys] as [batch, K, G, queries, keys]. Poison: recorded */
static tsr *in_groups(const attention *c, tsr *x)
{
	call_site own = c->site;
	const int64_t all[] = {c->batch, c->heads, c->queries, c->keys};
	const int64_t groups[] = {c->batch, c->kv_heads, c->heads / c->kv_heads, c->queries,
	                          c->keys};

	if (!operands_check(&own, &x, 1)) return poison_of(own.ctx);
	return reshape_to(&c->site, broadcast_checked(&c->site, x, all, 4), groups, 5);
}

/* scores, and the lowest number there is where a key does not count */
static tsr_arg masked(const attention *c, tsr_arg scores, const tsr_attention_args *a)
{
	const char *where = c->site.where;
	const tsr_arg least = NUM(-0.7 * 0x1.fffffep127);

	if (a->mask) scores = WHERE(HANDLE(in_groups(c, a->mask)), scores, least);
	if (!a->causal) return scores;
	const tsr_iota_args of = {.size = sizeof of};
	const tsr_dims dims = TSR_DIMS(c->queries, c->keys);
	const tsr_arg query = HANDLE(tsr_iota_at(where, c->site.ctx, dims, 0, &of));
	const tsr_arg key = HANDLE(tsr_iota_at(where, c->site.ctx, dims, 1, &of));
	return WHERE(IS(le, key, query), scores, least);
}

tsr *lib_dot_product_attention(const char *where, tsr *query, tsr *key, tsr *value,
                                  const tsr_attention_args *given)
{
	const tsr_attention_args *a = KEYWORDS(tsr_attention_args, where, tsr_ctx_of(query), given);
	if (!a) return poison_of(tsr_ctx_of(query));
	attention c = {.site = {.where = where, .op = "dot_product_attention"}};
	tsr *x[3] = {query, key, value};
	const tsr_softmax_args all = {.size = sizeof all};

	if (!operands_check(&c.site, x, 3) || !read_shapes(&c, x)) return poison_of(c.site.ctx);
	const double scale = a->scale != 0 ? a->scale : 1 / sqrt((double)c.head);
	const int64_t groups[] = {c.batch, c.queries, c.kv_heads, c.heads / c.kv_heads, c.head};
	const int64_t own[] = {c.batch, c.queries, c.heads, c.head};
	x[0] = reshape_to(&c.site, x[0], groups, 5);
	tsr_arg scores = HANDLE(einsum_of(&c.site, "btkgh,bskh->bkgts", x, 2, dtype_wide(c.dtype)));
	scores = MUL(scores, NUM(scale));
	if (a->bias) scores = ADD(scores, HANDLE(in_groups(&c, a->bias)));
	scores = masked(&c, scores, a);
	tsr *shares = tsr_softmax_at(where, TO(TSR_F32, scores).as.one, -1, &all);
	tsr *const pair[] = {TO(c.dtype, HANDLE(shares)).as.one, x[2]};
	tsr *y = einsum_of(&c.site, "bkgts,bskh->btkgh", pair, 2, 0);
	return reshape_to(&c.site, y, own, 4);
}
