/* attention_blocks.c - computes attention with memory linear in the length: the scores of one block
 * of queries and keys are there at a time, and its derivative computes them again.
 *
 * A block of queries goes through the blocks of keys with three numbers a query: the largest score
 * m so far, the sum l of e^(score - m), and the values y weighed by the same. A larger score makes
 * what there is smaller (Milakov and Gimelshein, 2018; Dao et al., 2022). One query, four scores in
 * blocks of two, and values that are numbers:
 *
 *     scores 0 1 | 3 2, values 1 2 | 3 4
 *     block 0    m = 1    l = e^-1 + 1                    y = e^-1 + 2
 *     block 1    m = 3    l = e^-2 l + 1 + e^-1           y = e^-2 y + 3 + 4 e^-1
 *     result     y / l = (1 e^0 + 2 e^1 + 3 e^3 + 4 e^2) / (e^0 + e^1 + e^3 + e^2)
 *
 * m cancels in the result, so it is a constant for derivatives. It starts as the lowest number, not
 * as -inf: of a block of scores that are all -inf, -inf - m must not be NaN.
 *
 * It is a map over the blocks of queries of a scan over the blocks of keys, in a remat, and not a
 * custom rule, which would know one direction alone: so it has forward and reverse mode, to any
 * order. Blocks of keys that no query of the block may see are left out, but not beside a mask or a
 * bias: these may leave a query nothing but keys that it must not see, which all count then. */
#include <math.h>
#include "lib/linalg/products.h"
#include "lib/nn/attention.h"

/* what is the same for all blocks */
typedef struct blocks {
	const attention *of;
	int64_t queries, keys; /* of a block */
	int64_t nqueries, nkeys; /* blocks */
	bool skips;
	tsr *key, *value; /* [nkeys, batch, kv_heads, keys, head] */
	tsr *bias, *mask; /* those of all queries alike */
} blocks;

/* a block of queries; the bias and the mask of its queries */
typedef struct strip {
	const blocks *all;
	tsr *query, *row, *bias, *mask;
} strip;

/* A dim as n blocks of so many elements, the last one padded by zeros: the blocks become dim 0 */
static tsr *in_blocks(const call_site *site, tsr *x, int dim, int64_t n, int64_t each)
{
	if (handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	const int ndim = t->ndim;
	const int64_t none[5] = {0};
	int64_t more[5] = {0}, dims[6], perm[6] = {dim};
	tsr_dims low, high;

	more[dim] = n * each - t->dims[dim];
	for (int d = 0; d < ndim; d++) {
		dims[d + (d > dim)] = t->dims[d];
		perm[d + 1] = d + (d >= dim);
	}
	dims[dim] = n;
	dims[dim + 1] = each;
	if (!dims_put(site, &low, none, ndim) || !dims_put(site, &high, more, ndim))
		return poison_of(site->ctx);
	if (more[dim]) x = tsr_pad_at(site->where, x, low, high, INT(0), NULL);
	return turn_dims(site, reshape_to(site, x, dims, ndim + 1), perm, ndim + 1);
}

/* what differs from block to block along a dim, in blocks; NULL: it is the same for all */
static tsr *cut(const call_site *site, tsr *x, int dim, int64_t n, int64_t each)
{
	return x && handle_type(x)->dims[dim] != 1 ? in_blocks(site, x, dim, n, each) : NULL;
}

/* ---- a block of queries and keys */

/* the trees of a scan's body: the state of a strip, and a block of keys */
enum { MOST, SUM, VALUES, STATE };
enum { KEY, VALUE, COLUMN, BIAS, MASK, BLOCK };

static tsr_arg tree_of(tsr **leaf, size_t n)
{
	return (tsr_arg){.kind = TSR_KIND_TREE, .as.tree = {.leaf = leaf, .count = n}};
}

static tsr_arg block_scores(const strip *s, tsr *const *x)
{
	const blocks *b = s->all;
	const attention *c = b->of;
	const call_site *site = &c->site;
	const tsr_arg column = HANDLE(x[COLUMN]);
	const tsr_arg scores = attention_scores(c, s->query, x[KEY], x[BIAS] ? x[BIAS] : s->bias,
	                                        x[MASK] ? x[MASK] : s->mask, HANDLE(s->row),
	                                        column);

	if (b->nkeys * b->keys == c->keys) return scores;
	const tsr_arg key = ADD(HANDLE(iota_of(&c->site, TSR_I32, &b->keys, 1, 0)), column);
	return WHERE(IS(lt, key, INT(c->keys)), scores, NUM(-INFINITY));
}

static const strip *strip_of(tsr_frame *f) { return *(const strip *const *)tsr_frame_env(f); }

static void add_block(tsr_frame *f)
{
	const strip *s = strip_of(f);
	const call_site *site = &s->all->of->site;
	const tsr_dtype dtype = s->all->of->dtype, wide = dtype_wide(dtype);
	const tsr_reduce_args top = {.size = sizeof top, .dims = TSR_DIMS(-1), .keep = true};
	const tsr_sum_args all = {.size = sizeof all, .dims = TSR_DIMS(-1), .keep = true};
	tsr *const *state = tsr_frame_tree(f, 0).leaf, *const *x = tsr_frame_tree(f, 1).leaf;
	const tsr_arg before = HANDLE(state[MOST]), scores = block_scores(s, x);
	const tsr_arg largest = HANDLE(tsr_max_at(site->where, STOPPED(scores).as.one, &top));
	const tsr_arg most = OP_2(maximum, before, largest);
	const tsr_arg shares = OP_1(exp, SUB(scores, most)), less = OP_1(exp, SUB(before, most));
	const tsr_arg sum = HANDLE(tsr_sum_at(site->where, shares.as.one, &all));
	tsr *const pair[] = {TO(dtype, shares).as.one, x[VALUE]};
	const tsr_arg values = HANDLE(einsum_of(site, "bkgts,bksh->bkgth", pair, 2, wide));
	tsr *next[STATE] = {
		[MOST] = most.as.one,
		[SUM] = ADD(MUL(HANDLE(state[SUM]), less), sum).as.one,
		[VALUES] = ADD(MUL(HANDLE(state[VALUES]), TO(wide, less)), values).as.one,
	};

	tsr_return_at(site->where, f, (tsr_arg[]){tree_of(next, STATE)}, 1);
}

static void leave_out(tsr_frame *f)
{
	const tsr_arg state = {.kind = TSR_KIND_TREE, .as.tree = tsr_frame_tree(f, 0)};

	tsr_return_at(NULL, f, &state, 1);
}

/* a body that reads a record, whose address is its .env; what the record has is lifted */
static tsr_fn *body_with(const call_site *site, void (*body)(tsr_frame *), const void *record)
{
	const tsr_jit_args named = {.size = sizeof named,
	                            .name = "attention",
	                            .env = &record,
	                            .env_size = sizeof record};
	const tsr_body of = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)body};

	return tsr_jit_at(site->where, site->ctx, of, site->op, &named);
}

static tsr_body body_of(tsr_fn *fn) { return (tsr_body){.fn = fn}; }

/* adds the block, if its first key counts for the last query of the strip */
static void add_seen_block(tsr_frame *f)
{
	const strip *s = strip_of(f);
	const attention *c = s->all->of;
	const call_site *site = &c->site;
	const tsr_body same = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)leave_out};
	const tsr_tree state = tsr_frame_tree(f, 0), block = tsr_frame_tree(f, 1);
	const tsr_arg given[] = {tree_of(state.leaf, STATE), tree_of(block.leaf, BLOCK)};
	tsr *next[STATE] = {NULL};
	tsr_arg last = INT(c->queries - 1);

	if (c->causal) last = ADD(HANDLE(s->row), INT(s->all->queries - 1));
	if (given_arg(&c->first)) last = ADD(last, c->first);
	tsr_fn *add = body_with(&c->site, add_block, s);
	tsr_cond_into_at(site->where, (tsr_out[]){{.to = {.leaf = next, .count = STATE}}}, 1,
	                 IS(le, HANDLE(block.leaf[COLUMN]), last), body_of(add), same, given, 2);
	tsr_fn_release(add);
	tsr_return_at(site->where, f, (tsr_arg[]){tree_of(next, STATE)}, 1);
}

/* ---- a strip: a block of queries, and all keys */

/* the tree of a block of queries */
enum { QUERY, ROW, STRIP_BIAS, STRIP_MASK, STRIP };

/* 0, each, .. of n blocks */
static tsr *block_starts(const call_site *site, int64_t n, int64_t each)
{
	return MUL(HANDLE(iota_of(site, TSR_I32, &n, 1, 0)), INT(each)).as.one;
}

/* the state before the first block, which varies as all operands of the blocks do */
static void begin_state(const strip *s, tsr *state[STATE])
{
	const attention *c = s->all->of;
	const type *t = handle_type(s->query);
	const tsr_arg lowest = NUM(-0x1.fffffep127), zero = NUM(0);
	const etype sums = {c->softmax, false}, wide = {dtype_wide(c->dtype), false};
	int64_t dims[5];
	tsr *all[STATE + 7];
	size_t n = STATE;

	memcpy(dims, t->dims, sizeof dims);
	all[VALUES] = full_of(&c->site, wide, dims, 5, &zero);
	dims[4] = 1;
	all[MOST] = full_of(&c->site, sums, dims, 5, &lowest);
	all[SUM] = full_of(&c->site, sums, dims, 5, &zero);
	tsr *const others[] = {s->query, s->all->key, s->all->value, s->bias, s->mask,
	                       c->first.kind == TSR_KIND_ONE ? c->first.as.one : NULL};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i]) all[n++] = others[i];
	vary_alike(&c->site, all, n);
	memcpy(state, all, STATE * sizeof *state);
}

static void do_strip(tsr_frame *f)
{
	const blocks *b = *(const blocks *const *)tsr_frame_env(f);
	const attention *c = b->of;
	const call_site *site = &c->site;
	tsr *const *x = tsr_frame_tree(f, 0).leaf;
	const strip s = {b, x[QUERY], x[ROW], x[STRIP_BIAS] ? x[STRIP_BIAS] : b->bias,
	                 x[STRIP_MASK] ? x[STRIP_MASK] : b->mask};
	const tsr_scan_args plain = {.size = sizeof plain};
	tsr *state[STATE], *end[STATE] = {NULL};
	tsr *of_keys[BLOCK] = {b->key, b->value, block_starts(site, b->nkeys, b->keys),
	                       cut(site, s.bias, 4, b->nkeys, b->keys),
	                       cut(site, s.mask, 4, b->nkeys, b->keys)};

	begin_state(&s, state);
	tsr_fn *step = body_with(site, b->skips ? add_seen_block : add_block, &s);
	tsr_scan_into_at(site->where, (tsr_out[]){{.to = {.leaf = end, .count = STATE}}}, 1,
	                 body_of(step), tree_of(state, STATE), tree_of(of_keys, BLOCK), &plain);
	tsr_fn_release(step);
	const tsr_arg sum = TO(dtype_wide(c->dtype), HANDLE(end[SUM]));
	const tsr_arg y = TO(c->dtype, DIV(HANDLE(end[VALUES]), sum));
	tsr_return_at(site->where, f, &y, 1);
}

/* ---- all strips */

/* [blocks, batch, kv_heads, groups, queries, head] as attend_by_blocks() gives it */
static tsr *from_blocks(const blocks *b, tsr *y)
{
	const attention *c = b->of;
	const int64_t dims[] = {c->batch, c->kv_heads, c->groups, b->nqueries * b->queries,
	                        c->head};

	if (handle_is_poison(y)) return y;
	y = turn_dims(&c->site, y, (int64_t[]){1, 2, 3, 0, 4, 5}, 6);
	return tsr_slice_at(c->site.where, reshape_to(&c->site, y, dims, 5), 3, 0, c->queries);
}

tsr *attend_by_blocks(const attention *c, int64_t queries, int64_t keys)
{
	const call_site *site = &c->site;
	const int64_t n = (c->queries + queries - 1) / queries, m = (c->keys + keys - 1) / keys;
	blocks b = {.of = c,
	            .queries = (c->queries + n - 1) / n,
	            .keys = (c->keys + m - 1) / m,
	            .nqueries = n,
	            .nkeys = m,
	            .skips = (c->causal || given_arg(&c->first)) && !c->bias && !c->mask,
	            .bias = c->bias,
	            .mask = c->mask};

	b.key = in_blocks(site, c->key, 2, m, b.keys);
	b.value = in_blocks(site, c->value, 2, m, b.keys);
	tsr *of_queries[STRIP] = {in_blocks(site, c->query, 3, n, b.queries),
	                          block_starts(site, n, b.queries),
	                          cut(site, c->bias, 3, n, b.queries),
	                          cut(site, c->mask, 3, n, b.queries)};
	const blocks *const record = &b;
	const tsr_remat_args named = {.size = sizeof named,
	                              .name = "attention",
	                              .env = &record,
	                              .env_size = sizeof record};
	const tsr_body body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)do_strip};
	tsr_fn *strips = tsr_remat_at(site->where, site->ctx, body, site->op, &named);
	const tsr_arg each = tree_of(of_queries, STRIP);
	tsr *y = tsr_map_at(site->where, body_of(strips), &each, 1);
	tsr_fn_release(strips);
	return from_blocks(&b, y);
}
