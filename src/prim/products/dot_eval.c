/* dot_eval.c - evaluates dot_general: each result is the sum of the chains of its blocks
 * (docs/numerics.md, "Dot products").
 *
 * A chain takes the 256 products of a block one after the other, and waits for each. So chains of
 * DOT_ABREAST results go on side by side:
 *
 *               columns of b: 32
 *     row 0  x  [ chains of a block ]   their elements of the block are copied to scratch memory,
 *     row 1  x  [                   ]   one row for each step, and serve 64 rows of a
 *     ..
 *     row 63 x  [                   ] */
#include <math.h>
#include "prim/products/dot.h"
#include "prim/cursors.h"

enum { ROWS = 64 }; /* of the results that share what is copied */

typedef struct dot_cursors {
	cursor batch_a, batch_b, free_a, free_b, sum_a, sum_b;
	int64_t nbatch, na, nb, count;
} dot_cursors;

static void cursor_free_dims(cursor *c, int64_t *n, const type *t, const ints *batch,
                             const ints *contract)
{
	*n = 1;
	for (int d = 0; d < t->ndim; d++) {
		if (has_int(batch, d) || has_int(contract, d)) continue;
		cursor_dim(c, t->dims[d], dims_stride(t, d));
		*n *= t->dims[d];
	}
}

static void cursors_of_pairs(cursor *ca, cursor *cb, int64_t *n, const type *const *in,
                             const ints *a, const ints *b)
{
	*n = 1;
	for (int i = 0; i < a->n; i++) {
		const int da = (int)a->v[i], db = (int)b->v[i];
		cursor_dim(ca, in[0]->dims[da], dims_stride(in[0], da));
		cursor_dim(cb, in[1]->dims[db], dims_stride(in[1], db));
		*n *= in[0]->dims[da];
	}
}

/* only for a result that has elements: then only contracted dims can be empty */
static void dot_cursors_make(dot_cursors *w, const eqn *e, const type *const *in)
{
	const dot_params *p = e->params;

	memset(w, 0, sizeof *w);
	cursors_of_pairs(&w->batch_a, &w->batch_b, &w->nbatch, in, &p->batch_a, &p->batch_b);
	cursors_of_pairs(&w->sum_a, &w->sum_b, &w->count, in, &p->contract_a, &p->contract_b);
	cursor_free_dims(&w->free_a, &w->na, in[0], &p->batch_a, &p->contract_a);
	cursor_free_dims(&w->free_b, &w->nb, in[1], &p->batch_b, &p->contract_b);
}

/* results of a batch: up to ROWS rows from `row` on, up to DOT_ABREAST columns from `column` on.
 * free_a and free_b are at the first of them */
typedef struct tile {
	const eval_args *args;
	const dot_cursors *w;
	dot_chains *chains;
	int64_t row, column;
	int rows, columns;
	dot_term parts; /* of the operands; precision DOT_EXACT: these themselves */
	int precision;
	/* scratch memory: ROWS rows of DOT_ABREAST numbers, likewise where there are parts, and
	 * SUM_BLOCK rows */
	void *sum, *all, *block;
} tile;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void put_row(const tile *t, int row, tsr_dtype dtype, const void *sum)
{
	const tsr_dtype to = t->args->out[0]->dtype;
	const dot_cursors *w = t->w;
	const int64_t at = ((t->row + row) * w->nb + t->column) * (int64_t)tsr_dtype_size(to);

	dtype_convert(to, (char *)t->args->y[0] + at, dtype, sum, t->columns);
}

/* x becomes its part number `which` */
#define DEFINE_PARTS(suffix_, number_) \
	static void take_part_##suffix_(const tile *t, number_ *x, int n, int which) \
	{ \
		for (int i = 0; t->precision != DOT_EXACT && i < n; i++) { \
			float rest = (float)x[i], high = bf16_to_f32(f32_to_bf16(rest)); \
			for (int k = which; k > 0; k--) { \
				rest = isfinite(high) ? rest - high : 0; \
				high = bf16_to_f32(f32_to_bf16(rest)); \
			} \
			x[i] = high; \
		} \
	}
#define NO_PARTS(suffix_, number_) \
	static void take_part_##suffix_(const tile *t, number_ *x, int n, int which) \
	{ \
		(void)t, (void)x, (void)n, (void)which; \
	}
DEFINE_PARTS(f32, float)
DEFINE_PARTS(f64, double)
NO_PARTS(u64, uint64_t)
NO_PARTS(c64, c64)
NO_PARTS(c128, c128)

static bool lies_in_rows(const cursor *free)
{
	return free->ndim && free->stride[free->ndim - 1] == 1;
}

/* elements k .. k + n - 1 of each column, side by side; and the chains of the same elements of each
 * row, added to what is there */
#define DEFINE_DOT(suffix_, number_, dtype_) \
	static void copy_block_##suffix_(const tile *t, int64_t k, int n) \
	{ \
		const dot_cursors *w = t->w; \
		const bool rows = lies_in_rows(&w->free_b); \
		number_ x[SUM_BLOCK], *to = t->block; \
		cursor outer = rows ? w->sum_b : w->free_b, first = rows ? w->free_b : w->sum_b; \
		cursor_skip(rows ? &outer : &first, k); \
		first.at += w->batch_b.at; \
		for (int i = 0; i < (rows ? n : t->columns); i++, cursor_next(&outer, 1)) { \
			number_ *read = rows ? to + i * DOT_ABREAST : x; \
			const int run = rows ? t->columns : n; \
			cursor inner = first; \
			inner.at += outer.at; \
			gather_##suffix_(read, t->args->in[1]->dtype, t->args->x[1], &inner, run); \
			take_part_##suffix_(t, read, run, t->parts.b); \
			for (int j = 0; !rows && j < n; j++) to[j * DOT_ABREAST + i] = x[j]; \
		} \
	} \
	static void add_block_##suffix_(const tile *t, int64_t k, int n) \
	{ \
		const dot_cursors *w = t->w; \
		number_ x[SUM_BLOCK], made[DOT_ABREAST]; \
		cursor row = w->free_a, first = w->sum_a; \
		cursor_skip(&first, k); \
		first.at += w->batch_a.at; \
		for (int i = 0; i < t->rows; i++, cursor_next(&row, 1)) { \
			number_ *to = (number_ *)t->sum + i * DOT_ABREAST; \
			cursor c = first; \
			c.at += row.at; \
			gather_##suffix_(x, t->args->in[0]->dtype, t->args->x[0], &c, n); \
			take_part_##suffix_(t, x, n, t->parts.a); \
			t->chains(x, t->block, n, k ? made : to); \
			for (int j = 0; k && j < t->columns; j++) to[j] += made[j]; \
		} \
	} \
	static void sum_up_##suffix_(const tile *t) \
	{ \
		for (int64_t k = 0; k == 0 || k < t->w->count; k += SUM_BLOCK) { \
			const int n = (int)least(SUM_BLOCK, t->w->count - k); \
			copy_block_##suffix_(t, k, n); \
			add_block_##suffix_(t, k, n); \
		} \
	} \
	/* the sum of a term, added to those before; a NaN among these does not count beside the \
	 * last term */ \
	static void add_term_##suffix_(const tile *t, bool last) \
	{ \
		number_ *all = t->all, *sum = t->sum; \
		for (int i = 0; i < t->rows * DOT_ABREAST; i++) { \
			if (last && all[i] != all[i]) all[i] = 0; \
			all[i] += sum[i]; \
		} \
	} \
	static void dot_tile_##suffix_(tile *t) \
	{ \
		const dot_term *term; \
		const int n = dot_terms(t->precision, &term); \
		for (int i = 0; i < n; i++) { \
			t->parts = term[i]; \
			sum_up_##suffix_(t); \
			if (i == 0 && n > 1) \
				memcpy(t->all, t->sum, ROWS * DOT_ABREAST * sizeof(number_)); \
			if (i > 0) add_term_##suffix_(t, i == n - 1); \
		} \
		for (int i = 0; i < t->rows; i++) \
			put_row(t, i, dtype_, \
			        (number_ *)(n > 1 ? t->all : t->sum) + i * DOT_ABREAST); \
	}
DEFINE_DOT(f32, float, TSR_F32)
DEFINE_DOT(f64, double, TSR_F64)
DEFINE_DOT(u64, uint64_t, TSR_U64)
DEFINE_DOT(c64, c64, TSR_C64)
DEFINE_DOT(c128, c128, TSR_C128)

static void dot_tile(tsr_dtype sum, tile *t)
{
	switch (sum) {
	case TSR_F32: dot_tile_f32(t); break;
	case TSR_F64: dot_tile_f64(t); break;
	case TSR_C64: dot_tile_c64(t); break;
	case TSR_C128: dot_tile_c128(t); break;
	default: dot_tile_u64(t); break;
	}
}

/* Chains of columns that a tile does not have are computed with the others, and would take a
 * hundred times as long where the memory has numbers below the normal ones */
static void clear_columns(tile *t, size_t item)
{
	const size_t rows = (size_t)least(SUM_BLOCK, t->w->count);

	if (t->columns > 1 && t->columns < DOT_ABREAST)
		memset(t->block, 0, rows * DOT_ABREAST * item);
}

static void dot_batch(const eval_args *args, dot_cursors *w, tsr_dtype sum, int64_t batch)
{
	const cursor rows = w->free_a, columns = w->free_b;
	const size_t item = tsr_dtype_size(sum);
	const size_t rows_bytes = ROWS * DOT_ABREAST * item;
	tile t = {.args = args, .w = w, .sum = args->scratch};

	t.precision = ((const dot_params *)args->eqn->params)->precision;
	t.all = (char *)args->scratch + rows_bytes;
	t.block = (char *)t.all + (t.precision == DOT_EXACT ? 0 : rows_bytes);
	for (int64_t i = 0; i < w->na; i += ROWS)
		for (int64_t j = 0; j < w->nb; j += DOT_ABREAST) {
			w->free_a = rows;
			w->free_b = columns;
			cursor_skip(&w->free_a, i);
			cursor_skip(&w->free_b, j);
			t.row = batch * w->na + i;
			t.column = j;
			t.rows = (int)least(ROWS, w->na - i);
			t.columns = (int)least(DOT_ABREAST, w->nb - j);
			t.chains =
				dot_chains_of(sum, t.precision == DOT_BF16_PAIRS, t.columns == 1);
			clear_columns(&t, item);
			dot_tile(sum, &t);
		}
	w->free_a = rows;
	w->free_b = columns;
}

/* that sums are taken in here: whole numbers and bools (whether any product is true) in 64 bits */
static tsr_dtype summed_in(const type *operand, const type *result)
{
	const tsr_dtype sum = dot_sum_dtype(operand->dtype, result->dtype);

	return dtype_kind(sum) < KIND_FLOAT ? TSR_U64 : sum;
}

void dot_general_eval(const eval_args *args)
{
	dot_cursors w;

	if (!args->out[0]->size) return;
	dot_cursors_make(&w, args->eqn, args->in);
	for (int64_t g = 0; g < w.nbatch; g++) {
		dot_batch(args, &w, summed_in(args->in[0], args->out[0]), g);
		cursor_next(&w.batch_a, 1);
		cursor_next(&w.batch_b, 1);
	}
}

size_t dot_general_scratch(const eqn *e, const type *const *in)
{
	const dot_params *p = e->params;
	const type result = {.dtype = p->dtype};
	const size_t rows = p->precision == DOT_EXACT ? ROWS : 2 * ROWS;

	return (rows + SUM_BLOCK) * DOT_ABREAST * tsr_dtype_size(summed_in(in[0], &result));
}
