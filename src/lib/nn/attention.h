/* attention.h - attention, as the functions that are made of it share it.
 *
 * The heads of the queries are kv_heads groups, one for each head of the keys and values. Scores
 * are products over the head, [batch, kv_heads, groups, queries, keys]. */
#ifndef TSR_SRC_LIB_NN_ATTENTION_H
#define TSR_SRC_LIB_NN_ATTENTION_H
#include "lib/formula.h"

typedef struct attention {
	call_site site;
	int64_t batch, queries, keys, kv_heads, groups, head;
	tsr_dtype dtype, softmax; /* of the operands; in which their softmax is computed */
	double scale;             /* of the scores */
	bool causal;              /* a query sees no key that is behind it */
	tsr *query;               /* [batch, kv_heads, groups, queries, head] */
	tsr *key, *value;         /* [batch, kv_heads, keys, head] */
	tsr *bias, *mask;         /* as the scores, or of size 1 where all have the same; or NULL */
	/* Which of the keys the first query is at, an integer: those behind the last query do not
	 * count. Not given: at key 0, and all keys count */
	tsr_arg first;
} attention;

/* ---- attention.c */
/* Reads a query [batch, queries, heads, head], and a key and a value [batch, keys, kv_heads, head];
 * with a bias and a mask that are broadcast to [batch, heads, queries, keys], or NULL. false:
 * recorded */
bool attention_read(attention *, tsr *const x[3], tsr *bias, tsr *mask);
/* the values, weighed: [batch, queries, heads, head] */
tsr *attend(const attention *);
/* The scores of some queries and keys, in the dtype of the softmax, of which the first ones are
 * `row` and `column`: -0.7 times the largest f32 where a key does not count */
tsr_arg attention_scores(const attention *, tsr *query, tsr *key, tsr *bias, tsr *mask,
                         tsr_arg row, tsr_arg column);

/* ---- attention_blocks.c */
/* The same as attend(), [batch, kv_heads, groups, queries, head], with scores of so many queries
 * and keys at a time; of floats */
tsr *attend_by_blocks(const attention *, int64_t queries, int64_t keys);

/* ---- rotary.c */
/* x [.., length, heads, head] turned, where `first` is the place of row 0 */
tsr *rotated(const call_site *, tsr *x, const tsr_arg *position, double base);

#endif
