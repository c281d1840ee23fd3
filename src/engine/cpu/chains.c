/* chains.c - joins waves of steps, so that one worker does steps that depend on each other while
 * their data is in a cache.
 *
 * Example, vectors of 32 bytes:
 *
 *     heads(%0: f32[8,96,96], %1: f32[8,96,96]) -> f32[8,96,96] {
 *       %2: f32[8,96,96] = dot_general %0 %1
 *             contract_a=[2] contract_b=[1] batch_a=[0] batch_b=[0] dtype=f32
 *       %3: f32[8,96,96] = rev %2 dims=[1]
 *       %4: f32[8,96,96] = tanh %3
 *       %5: f32[8,96,96] = dot_general %4 %1
 *             contract_a=[2] contract_b=[1] batch_a=[0] batch_b=[0] dtype=f32
 *       return %5
 *     }
 *
 * asks for eight products, the tanh of each from the last row to the first, and eight products
 * again:
 *
 *     the plan of heads: 3 steps, 589824 bytes of scratch memory
 *       kernel 0: rev tanh
 *       0  product 96x96x96 f32, 8 times  in0, in1 -> scratch+0  .., 8 items, 0-2 in 8 pieces
 *       1  kernel 0  scratch+0 -> scratch+294912  .., 8 items, 0-2 in 8 pieces
 *       2  product 96x96x96 f32, 8 times  scratch+294912, in1 -> out0  .., 8 items, 0-2 in 8 pieces
 *
 * The steps 0 to 2 are done together:
 *
 *              piece 0      piece 1            piece 7
 *     step 0   product 0    product 1          product 7
 *                 |            |                  |
 *     step 1   item 0       item 1             item 7
 *                 |            |                  |
 *     step 2   product 0    product 1          product 7
 *
 * Matrix 1 of a step needs matrix 1 of the step before it and nothing else. So each matrix is a
 * chain, and workers claim chains. They wait for each other once instead of three times, and the
 * results of a step are still in the cache of the worker that reads them. Devices that compute on
 * their own are chains too.
 *
 * Chains are found by looking at memory. A step that is alone in its wave is split into as many
 * parts as all such steps can be; others are parts as they are. Parts touch spans of memory. Two
 * that touch the same byte, one of them writing, hang together, and so do all parts that hang
 * together with one of them. Nothing else orders steps that compute. So chains that are done in any
 * order, with the parts of each in the order of waves, write the same bytes. */
#include <stdlib.h>
#include "engine/cpu/cpu.h"

typedef struct part {
	stretch of;
	double cost;
	int32_t chain; /* a part before it that it hangs together with, or itself */
} part;
typedef struct touch {
	span at;
	int32_t part;
	bool writes;
} touch;

typedef struct chains {
	const coded *c;
	int32_t first, end; /* steps */
	double time;        /* of all of them */
	int32_t nparts, ntouches;
	part part[TUNE_CHAIN_PARTS];
	touch touch[TUNE_CHAIN_TOUCHES];
} chains;

/* ---- how steps can be split */

/* The items of a step as equal runs. Run k touches of the args in `cut` (bits) only the k-th of as
 * many equal runs of bytes */
typedef struct runs {
	int64_t n;
	uint64_t cut;
} runs;

/* Are the matrices of a batch one behind the other? */
static bool is_row(const matrix_view *v, int64_t batch, int64_t size)
{
	return batch == 1 || (v->batch.n == 1 && v->batch.stride[0] == size);
}

static runs runs_of_product(const matrix_product *p)
{
	const bool a = is_row(&p->a, p->batch, p->m * p->k),
		   b = is_row(&p->b, p->batch, p->n * p->k);

	return (runs){p->batch, 4u | (b ? 2u : 0) | a};
}

static runs runs_of(const coded *c, const step *x)
{
	if (x->kind == STEP_KERNEL) return (runs){x->items, c->code[x->unit].cut};
	if (x->kind == STEP_PRODUCT && !x->product->phase) return runs_of_product(x->product);
	return (runs){1, 0};
}

/* of the steps that are alone in their waves */
static int64_t split_of(const coded *c, int32_t first, int32_t end)
{
	int64_t common = 0;

	for (int32_t i = first, next; i < end; i = next) {
		next = wave_end(c->plan, i);
		if (next == i + 1) common = common_divisor(common, runs_of(c, &c->plan->step[i]).n);
	}
	for (int64_t n = common < TUNE_CHAIN_SPLIT ? common : TUNE_CHAIN_SPLIT; n > 1; n--)
		if (common % n == 0) return n;
	return 1;
}

/* ---- parts, and what they touch */

static bool add_touches(chains *x, const step *s, uint64_t cuts, int64_t k, int64_t split)
{
	for (int32_t j = 0; j < s->nargs; j++) {
		const bool cut = split > 1 && j < 64 && (cuts >> j & 1);
		const int64_t bytes = cut ? s->bytes[j] / split : s->bytes[j];
		const place at = {s->arg[j].root, s->arg[j].offset + (cut ? k * bytes : 0)};
		touch *t = &x->touch[x->ntouches];
		if (x->ntouches == TUNE_CHAIN_TOUCHES) return false;
		if (!bytes || !span_of(x->c->plan, at, bytes, &t->at)) continue;
		t->part = x->nparts;
		t->writes = j >= s->nargs - s->nresults;
		x->ntouches++;
	}
	return true;
}

static bool add_parts(chains *x, int32_t i, int64_t split)
{
	const step *s = &x->c->plan->step[i];
	const epilogue *e = epilogue_of(x->c, i);
	const runs r = runs_of(x->c, s);
	const int64_t items = s->items / split;

	for (int64_t k = 0; items && k < split; k++) {
		if (x->nparts == TUNE_CHAIN_PARTS || !add_touches(x, s, r.cut, k, split) ||
		    (e && !add_touches(x, &x->c->plan->step[e->kernel], e->code.cut, k, split)))
			return false;
		x->part[x->nparts] =
			(part){{i, k * items, (k + 1) * items}, s->cost / (double)split, x->nparts};
		x->nparts++;
	}
	return true;
}

static int by_memory(const void *a, const void *b)
{
	const span *x = &((const touch *)a)->at, *y = &((const touch *)b)->at;

	if (x->memory != y->memory) return x->memory < y->memory ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

/* ---- what hangs together */

static int32_t chain_of(part *p, int32_t i)
{
	while (p[i].chain != i) i = p[i].chain = p[p[i].chain].chain;
	return i;
}

static void tie(part *p, int32_t a, int32_t b)
{
	a = chain_of(p, a);
	b = chain_of(p, b);
	if (a < b)
		p[b].chain = a;
	else
		p[a].chain = b;
}

static void tie_all(chains *x)
{
	qsort(x->touch, (size_t)x->ntouches, sizeof *x->touch, by_memory);
	for (int32_t i = 0; i < x->ntouches; i++)
		for (int32_t j = i + 1; j < x->ntouches; j++) {
			const touch *a = &x->touch[i], *b = &x->touch[j];
			if (a->at.memory != b->at.memory || b->at.from >= a->at.to) break;
			if (a->writes || b->writes) tie(x->part, a->part, b->part);
		}
}

/* Are there enough chains of about the same length, and none so long that it would be waited for?
 */
static bool is_worth_it(chains *x)
{
	double length[TUNE_CHAIN_PARTS] = {0}, longest = 0;
	const int least = x->c->workers > TUNE_CHAINS_LEAST ? x->c->workers : TUNE_CHAINS_LEAST;

	for (int32_t i = 0; i < x->nparts; i++) {
		double *of = &length[chain_of(x->part, i)];
		*of += x->part[i].cost;
		if (*of > longest) longest = *of;
	}
	if (x->c->share_all) return x->time > longest;
	return longest <= TUNE_CHAIN_LONG && x->time >= least * longest * (1 - 1e-9);
}

/* the steps first .. end - 1, some waves, as chains that are worth it */
static bool find(chains *x, const coded *c, int32_t first, int32_t end)
{
	const int64_t split = split_of(c, first, end);

	x->c = c;
	x->first = first;
	x->end = end;
	x->nparts = x->ntouches = 0;
	x->time = steps_time(c, first, end);
	if (x->time < 2 * TUNE_PIECE_LEAST && !c->share_all) return false;
	for (int32_t i = first, next; i < end; i = next) {
		next = wave_end(c->plan, i);
		for (int32_t j = i; j < next; j++)
			if (!add_parts(x, j, next == i + 1 ? split : 1)) return false;
	}
	tie_all(x);
	return is_worth_it(x);
}

/* ---- the pieces */

/* its parts, chain by chain; a piece ends where a chain does */
static bool lay_out(chains *x, shared_wave *to)
{
	arena *a = x->c->plan->arena;
	stretch *of = arena_array(a, (size_t)x->nparts, sizeof *of);
	int32_t *begin = arena_array(a, (size_t)x->nparts + 1, sizeof *begin);
	const int32_t want = pieces_of(x->c, x->time);
	int32_t n = 0, pieces = 0;
	double before = 0;

	if (!of || !begin) return false;
	for (int32_t chain = 0; chain < x->nparts; chain++) {
		if (x->part[chain].chain != chain) continue;
		for (int32_t i = chain; i < x->nparts; i++)
			if (chain_of(x->part, i) == chain) {
				of[n++] = x->part[i].of;
				before += x->part[i].cost;
			}
		if (before * want >= x->time * (pieces + 1) || n == x->nparts) begin[++pieces] = n;
	}
	*to = (shared_wave){x->first, x->end, pieces, begin, of, .cost = x->time};
	return true;
}

/* A run may be told to stop at steps with numbers, exchanges and effects */
static bool may_follow(const coded *c, int32_t i)
{
	const step *x = &c->plan->step[i];

	return i < (int32_t)c->plan->nsteps && step_computes(x) && !x->number && !c->entered[i];
}

bool chains_find(const coded *c, int32_t first, shared_wave *to, bool *found)
{
	const schedule *s = c->plan;
	chains *x = mem_alloc(c->base, sizeof *x);
	int32_t end = wave_end(s, first), last = 0;

	if (!x) return false;
	while (may_follow(c, end) && find(x, c, first, wave_end(s, end)))
		last = end = wave_end(s, end);
	*found = last;
	const bool ok = !last || (find(x, c, first, last) && lay_out(x, to));
	mem_free(c->base, x);
	return ok;
}
