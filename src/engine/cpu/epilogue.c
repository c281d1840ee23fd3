/* epilogue.c - finds kernels that follow products, and lets the products compute them window by
 * window, while the results are in the nearest caches.
 *
 * Example, vectors of 32 bytes:
 *
 *     layer(%0: f32[256,300], %1: f32[300,320], %2: f32[320]) -> f32[256,320] {
 *       %3: f32[256,320] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *         dtype=f32
 *       %4: f32[256,320] = broadcast_in_dim %2 dims=[256,320] at=[1]
 *       %5: f32[256,320] = add %3 %4
 *       %6: f32[256,320] = max %5 0.0:f32
 *       return %6
 *     }
 *
 * Step 1 has nothing left to do:
 *
 *     the plan of layer: 2 steps, 327680 bytes of scratch memory
 *       kernel 0: broadcast_in_dim add max
 *       0  product 256x300x320 f32  in0, in1 -> scratch+0  .., 4 items, then 1, shared: 4 pieces
 *       1  kernel 0  scratch+0, in2 -> out0  ..
 *
 * Step 0 has four blocks of 128 rows and 160 columns, and each goes through its columns by panels.
 * Behind the last sums of a panel comes the kernel, for the same rows and columns:
 *
 *     in turn       |- panel -|- panel -| ..  of all blocks  |- kernel, all rows and columns -|
 *     by windows    |- panel -|k|- panel -|k| ..
 *
 * The kernel has to read the product where it writes its own results, or in the same row
 * (native/window.c), and it runs before the end of the product's wave. So in that wave nothing else
 * may write what it reads, and nothing may read or write what it writes; the product itself reads
 * its operands to the end. Small results stay in a cache anyway. */
#include "engine/cpu/cpu.h"

enum { ARG_C = 2 };

typedef struct search {
	coded *c;
	int32_t first, end; /* the steps of the wave before the kernel's */
	int32_t *of;        /* the list epilogue_of */
	bool no_memory;
} search;

static const step *step_at(const search *x, int32_t i) { return &x->c->plan->step[i]; }

/* ---- memory */

static bool args_overlap(const search *x, const step *a, int32_t i, const step *b, int32_t j)
{
	return spans_overlap(x->c->plan, a->arg[i], a->bytes[i], b->arg[j], b->bytes[j]);
}

static bool is_result(const step *x, int32_t arg) { return arg >= x->nargs - x->nresults; }

/* does one of them write what the other one reads or writes? */
static bool in_conflict(const search *x, const step *a, const step *b)
{
	for (int32_t i = 0; i < a->nargs; i++)
		for (int32_t j = 0; j < b->nargs; j++)
			if ((is_result(a, i) || is_result(b, j)) && args_overlap(x, a, i, b, j))
				return true;
	return false;
}

/* The operand of the kernel that is the product, if it uses the product's memory in no other way
 * and leaves its operands alone; -1 */
static int32_t operand_of_product(const search *x, const step *k, const step *p)
{
	int32_t found = -1;

	for (int32_t i = 0; i < k->nargs; i++) {
		const bool same = same_place(k->arg[i], p->arg[ARG_C]) &&
		                  k->bytes[i] == p->bytes[ARG_C];
		if (!same && args_overlap(x, k, i, p, ARG_C)) return -1;
		if (same && !is_result(k, i) && found >= 0) return -1;
		if (same && !is_result(k, i)) found = i;
		for (int32_t j = 0; is_result(k, i) && j < ARG_C; j++)
			if (args_overlap(x, k, i, p, j)) return -1;
	}
	return found;
}

/* ---- the choice */

static bool can_have_one(const search *x, int32_t i)
{
	const step *s = step_at(x, i);
	const matrix_product *p = s->kind == STEP_PRODUCT ? s->product : NULL;

	return p && !x->of[i] && !p->phase && !p->symmetric &&
	       (s->bytes[ARG_C] >= TUNE_EPILOGUE_BYTES || x->c->share_all);
}

static bool others_conflict(const search *x, const step *k, int32_t product)
{
	for (int32_t i = x->first; i < x->end; i++)
		if (i != product && in_conflict(x, k, step_at(x, i))) return true;
	return false;
}

static bool takes(const search *x, const step *k, const native_window *w)
{
	const coded *c = x->c;

	return c->native->takes_windows(c->machine, c->plan->unit[k->unit].kernel, w);
}

/* Parts with all columns, if they are as many as workers */
static bool takes_rows(search *x, const step *k, step *p, native_window *w)
{
	matrix_product *rows = arena_copy(x->c->plan->arena, p->product, sizeof *rows);

	w->whole_rows = true;
	x->no_memory = x->no_memory || !rows;
	if (!rows || w->columns > TUNE_EPILOGUE_ROW || !takes(x, k, w)) return false;
	rows->whole_rows = true;
	const int64_t parts = x->c->native->product_parts(rows);
	if (parts < x->c->workers && parts < p->items) return false;
	p->product = rows;
	p->items = parts;
	return true;
}

/* can product i compute kernel k? */
static bool fits(search *x, const step *k, int32_t i, native_window *w)
{
	step *p = &x->c->plan->step[i];
	const int32_t input = can_have_one(x, i) ? operand_of_product(x, k, p) : -1;

	if (input < 0 || p->nargs + k->nargs > TUNE_SHARED_ARGS || others_conflict(x, k, i))
		return false;
	*w = (native_window){.rows = p->product->batch * p->product->m,
	                     .columns = p->product->n,
	                     .input = input,
	                     .dtype = p->product->dtype};
	return takes(x, k, w) || takes_rows(x, k, p, w);
}

/* ---- what follows from it */

static void add_epilogue(search *x, int32_t product, int32_t kernel, const native_window *w)
{
	coded *c = x->c;
	step *k = &c->plan->step[kernel];

	c->epilogue[c->nepilogues++] =
		(epilogue){.product = product, .kernel = kernel, .window = *w};
	x->of[product] = c->nepilogues;
	c->plan->step[product].cost += k->cost;
	k->cost = 0;
	k->items = 0;
}

/* by the first product that can compute it */
static void find_product(search *x, int32_t kernel)
{
	native_window w;

	for (int32_t i = x->first; i < x->end; i++)
		if (fits(x, step_at(x, kernel), i, &w)) {
			add_epilogue(x, i, kernel, &w);
			return;
		}
}

/* a wave comes before step x->end, which is reached from there alone */
static bool may_follow(const search *x)
{
	return x->end > 0 && step_computes(step_at(x, x->first)) && !x->c->entered[x->end];
}

bool epilogues_find(coded *c)
{
	const schedule *s = c->plan;
	search x = {.c = c, .of = arena_array(s->arena, s->nsteps + 1, sizeof *x.of)};

	c->epilogue_of = x.of;
	c->epilogue = arena_array(s->arena, s->nsteps + 1, sizeof *c->epilogue);
	if (!x.of || !c->epilogue) return false;
	for (int32_t i = 0, end; i < (int32_t)s->nsteps; i = end) {
		const bool computes = step_computes(&s->step[i]);
		end = computes ? wave_end(s, i) : i + 1;
		x.end = i;
		for (int32_t k = i; computes && may_follow(&x) && k < end; k++)
			if (s->step[k].kind == STEP_KERNEL) find_product(&x, k);
		x.first = i;
	}
	return !x.no_memory;
}
