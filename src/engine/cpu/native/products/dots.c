/* dots.c - multiplies rows by columns that are contiguous in memory, as in a matrix times a vector,
 * or two vectors.
 *
 * A vector then reads what one chain takes one after the other. So squares of columns are turned
 * over in registers (squares.h): a row of them has numbers of neighbouring results. They are
 * multiplied with one number of the row, where there is one, in four groups side by side:
 *
 *     column 0 of b    0 1 2 3 ..            number 0 of 8 columns   x a[0]  |
 *     column 1         0 1 2 3 ..     ->     number 1                x a[1]  | added up, 8 chains
 *     ..                                     ..                              | of a group
 *     column 7         0 1 2 3 ..            number 7                x a[7]  |
 *
 * Of few columns the blocks of one result are what is side by side: column 0 is then what block 0
 * takes of an operand, column 1 what block 1 takes, and both operands are turned over.
 *
 * So a matrix is read in 32 streams, and what they come to next is fetched meanwhile: the processor
 * does not see so many by itself. Both lines of 16 f32 are used up before the next column is read,
 * since lines of columns that are 4,096 bytes apart share one place of a cache. */
#include "engine/cpu/native/products/multiply.h"
#include "engine/cpu/native/products/squares.h"
#include "engine/cpu/native/products/view.h"
#include <string.h>
#ifdef __x86_64__

enum {
	GROUPS = 4, /* of columns, which together are as many as a step of chains takes */
	WIDEST = 8, /* a group */
	STRIP = GROUPS * WIDEST
};

typedef struct dots {
	const char *const *a; /* rows of as many numbers, and where these begin */
	int64_t first, depth;
	const char *const *b; /* columns, and where they begin: bytes */
	int64_t at;
	char *sum; /* rows of STRIP numbers: the chains of columns */
} dots;
typedef struct pairs { /* columns of both operands */
	const char *const *a, *const *b;
	char *sum; /* the chain of each pair */
} pairs;

#define FOR(i_, n_) WRITTEN_OUT for (int i_ = 0; i_ < (n_); i_++)
#define TO(number_) (number_ *)(void *)
#define FROM(number_) (const number_ *)(const void *)

/* The last square begins earlier than its numbers do, so that it ends with them: it skips some */
#define DEFINE_DOTS(name_, load_, number_, vector_, item_, lanes_, rows_, suffix_) \
	static __attribute__((target("avx,fma,f16c"))) void name_(const dots *d) \
	{ \
		const int64_t depth = d->depth; \
		const number_ *a[rows_]; \
		FOR(r, rows_) a[r] = FROM(number_) d->a[r] + d->first; \
		vector_ sum[GROUPS][rows_], s[lanes_]; \
		int64_t k = 0; \
		FOR(g, GROUPS) FOR(r, rows_) sum[g][r] = _mm256_setzero_##suffix_(); \
		for (; k + 2 * (lanes_) <= depth; k += 2 * (lanes_)) FOR(g, GROUPS) \
			{ \
				const char *const *b = d->b + g * (lanes_); \
				FOR(i, lanes_) \
				__builtin_prefetch(b[i] + d->at + k * (item_) + TUNE_DOT_AHEAD, 0, \
				                   2); \
				FOR(h, 2) \
				{ \
					square_##load_(b, d->at + (k + h * (lanes_)) * (item_), \
					               s); \
					FOR(u, lanes_) \
					FOR(r, rows_) \
					sum[g][r] = _mm256_fmadd_##suffix_( \
						_mm256_set1_##suffix_(a[r][k + h * (lanes_) + u]), \
						s[u], sum[g][r]); \
				} \
			} \
		for (; k < depth; k += (lanes_)) { \
			const int64_t from = least(k, depth - (lanes_)); \
			FOR(g, GROUPS) \
			{ \
				square_##load_(d->b + g * (lanes_), d->at + from * (item_), s); \
				for (int64_t u = k - from; u < (lanes_); u++) FOR(r, rows_) \
				sum[g][r] = _mm256_fmadd_##suffix_( \
					_mm256_set1_##suffix_(a[r][from + u]), s[u], sum[g][r]); \
			} \
		} \
		FOR(g, GROUPS) \
		FOR(r, rows_) \
		_mm256_storeu_##suffix_(TO(number_) d->sum + r * STRIP + g * (lanes_), sum[g][r]); \
	}
#define DEFINE_PAIRS(name_, load_, number_, vector_, item_, lanes_, suffix_) \
	static __attribute__((target("avx,fma,f16c"))) void name_(const pairs *d) \
	{ \
		enum { NEXT = GROUPS * (lanes_)*TILE_DEPTH * (item_) }; \
		vector_ sum[GROUPS]; \
		FOR(g, GROUPS) sum[g] = _mm256_setzero_##suffix_(); \
		for (int64_t k = 0; k < TILE_DEPTH * (item_); k += 2 * (lanes_) * (item_)) \
			FOR(g, GROUPS) \
			{ \
				const char *const *a = d->a + g * (lanes_); \
				const char *const *b = d->b + g * (lanes_); \
				FOR(i, lanes_) __builtin_prefetch(a[i] + k + NEXT, 0, 2); \
				FOR(i, lanes_) __builtin_prefetch(b[i] + k + NEXT, 0, 2); \
				FOR(h, 2) \
				{ \
					vector_ s[lanes_], t[lanes_]; \
					square_##load_(a, k + h * (lanes_) * (item_), s); \
					square_##load_(b, k + h * (lanes_) * (item_), t); \
					FOR(u, lanes_) \
					sum[g] = _mm256_fmadd_##suffix_(s[u], t[u], sum[g]); \
				} \
			} \
		FOR(g, GROUPS) \
		_mm256_storeu_##suffix_(TO(number_) d->sum + g * (lanes_), sum[g]); \
	}
#define DOTS(name_, number_, vector_, item_, lanes_, suffix_) \
	DEFINE_DOTS(name_##_1, name_, number_, vector_, item_, lanes_, 1, suffix_) \
	DEFINE_DOTS(name_##_2, name_, number_, vector_, item_, lanes_, 2, suffix_) \
	DEFINE_DOTS(name_##_4, name_, number_, vector_, item_, lanes_, 4, suffix_) \
	DEFINE_PAIRS(name_##_pairs, name_, number_, vector_, item_, lanes_, suffix_)
DOTS(f32, float, __m256, 4, 8, ps)
DOTS(f16, float, __m256, 2, 8, ps)
DOTS(bf16, float, __m256, 2, 8, ps)
DOTS(f64, double, __m256d, 8, 4, pd)
DOTS(wide, double, __m256d, 4, 4, pd)

static const struct dot_kind {
	tsr_dtype from, to;
	int64_t lanes;
	void (*rows[3])(const dots *); /* 1, 2 and 4 */
	void (*pairs)(const pairs *);
} kinds[] = {
#define KIND(from_, to_, lanes_, name_) \
	{ \
		from_, to_, lanes_, {name_##_1, name_##_2, name_##_4}, name_##_pairs \
	}
	KIND(TSR_F32, TSR_F32, 8, f32),   KIND(TSR_F16, TSR_F32, 8, f16),
	KIND(TSR_BF16, TSR_F32, 8, bf16), KIND(TSR_F64, TSR_F64, 4, f64),
	KIND(TSR_F32, TSR_F64, 4, wide),
};

static const struct dot_kind *kind_of(const multiplication *x)
{
	const struct dot_kind *of = kinds;

	while (of->from != x->b.read->from || of->to != x->b.read->to) of++;
	return of;
}

/* ---- columns side by side */

/* n columns from `first` on; those that there are not are the last one */
static void find_columns(const side *b, int64_t first, int64_t n, int64_t all, const char **to)
{
	view_place at = place_of(b->own, first);

	for (int64_t i = 0; i < all; i++) {
		to[i] = b->at + at.offset * b->read->item;
		if (i + 1 < n) place_move(&at, 1);
	}
}

/* rows of a as they are, or `depth` elements from k on, widened; returns where these begin */
static int64_t find_rows(const multiplication *x, int n, int64_t k, int64_t depth, const char **to,
                         char *room)
{
	const reading *read = x->a.read;
	const bool wide = read->from != read->to || !is_run(&x->a);

	for (int r = 0; r < n; r++) to[r] = wide ? room + r * depth * read->wide : x->rows[r];
	if (wide) widen_rows(x, x->rows, n, k, depth, room);
	return wide ? 0 : k;
}

/* columns j .. j + n - 1, n <= the columns of all groups */
static void multiply_strip(const multiplication *x, int64_t j, int64_t n)
{
	_Alignas(64) char room[THIN_ROWS * TILE_DEPTH * 8], sum[THIN_ROWS * STRIP * 8],
		part[THIN_ROWS * STRIP * 8];
	const struct dot_kind *with = kind_of(x);
	const int which = x->m == 1 ? 0 : x->m == 2 ? 1 : 2;
	const reading *read = x->b.read;
	const char *column[STRIP], *row[THIN_ROWS];

	find_columns(&x->b, x->column + j, n, GROUPS * with->lanes, column);
	for (int64_t k = 0; k < x->k; k += TILE_DEPTH) {
		const int64_t depth = least(x->k - k, TILE_DEPTH);
		with->rows[which](
			&(dots){.a = row,
		                .first = find_rows(x, 1 << which, x->first + k, depth, row, room),
		                .depth = depth,
		                .b = column,
		                .at = (x->first + k) * read->item,
		                .sum = k ? part : sum});
		if (k) add_lines(x->kind->dtype, sum, part, STRIP << which, 0, 1);
	}
	for (int64_t r = 0; r < x->m; r++)
		x->write->line(x->c.at + r * x->c.apart + j * x->write->item,
		               sum + r * STRIP * read->wide, n);
}

void multiply_dots(const multiplication *x)
{
	const int64_t strip = GROUPS * kind_of(x)->lanes;

	for (int64_t j = 0; j < x->n; j += strip) multiply_strip(x, j, least(x->n - j, strip));
}

/* ---- blocks side by side */

/* n blocks of a row and a column, from the one that begins at element k; those that there are not
 * are the last one */
static void whole_blocks(const multiplication *x, const char *a, const char *b, int64_t k,
                         int64_t n, char *chains)
{
	const int64_t step = TILE_DEPTH * x->b.read->item;
	const char *of_a[STRIP], *of_b[STRIP];

	for (int64_t i = 0; i < STRIP; i++) {
		const int64_t at = k * x->b.read->item + least(i, n - 1) * step;
		of_a[i] = a + at;
		of_b[i] = b + at;
	}
	kind_of(x)->pairs(&(pairs){of_a, of_b, chains});
}

/* the last block, of `depth` elements */
static void last_block(const multiplication *x, int64_t row, const char *b, int64_t k,
                       int64_t depth, char *chains)
{
	_Alignas(64) char room[TILE_DEPTH * 8];
	const char *column[STRIP], *a = room;

	widen_rows(x, x->rows + row, 1, k, depth, room);
	for (int64_t i = 0; i < STRIP; i++) column[i] = b;
	kind_of(x)->rows[0](&(dots){
		.a = &a, .depth = depth, .b = column, .at = k * x->b.read->item, .sum = chains});
}

/* of each pair of a row and a column the chains of n blocks, the first of which is number `first`:
 * as they are, or added to the sums */
static void multiply_pairs(const multiplication *x, const char *const *column, int64_t first,
                           int64_t n, char *sums)
{
	_Alignas(64) char chains[STRIP * 8];
	const int64_t wide = x->b.read->wide, k = x->first + first * TILE_DEPTH;
	const int64_t depth = least(x->k - first * TILE_DEPTH, TILE_DEPTH);

	for (int64_t i = 0; i < x->m * x->n; i++) {
		const int64_t row = i / x->n;
		const char *b = column[i % x->n];
		if (depth == TILE_DEPTH)
			whole_blocks(x, x->rows[row], b, k, n, chains);
		else
			last_block(x, row, b, k, depth, chains);
		for (int64_t c = 0; x->apart && c < n; c++)
			memcpy(x->c.at + (first + c) * x->apart + i * wide, chains + c * wide,
			       (size_t)wide);
		if (x->apart) continue;
		if (!first) memcpy(sums + i * wide, chains, (size_t)wide);
		add_lines(x->kind->dtype, sums + i * wide, chains + !first * wide, 1, 1,
		          n - !first);
	}
}

void multiply_blocks(const multiplication *x)
{
	_Alignas(64) char sums[DOT_COLUMNS * DOT_COLUMNS * 8];
	const int64_t whole = x->k / TILE_DEPTH, all = shares(x->k, TILE_DEPTH);
	const int64_t step = GROUPS * kind_of(x)->lanes;
	const char *column[DOT_COLUMNS];

	find_columns(&x->b, x->column, x->n, x->n, column);
	for (int64_t i = 0, n; i < all; i += n) {
		n = i < whole ? least(whole - i, step) : 1;
		multiply_pairs(x, column, i, n, sums);
	}
	for (int64_t r = 0; !x->apart && r < x->m; r++)
		x->write->line(x->c.at + r * x->c.apart, sums + r * x->n * x->b.read->wide, x->n);
}

/* ---- which products these are: their columns are lines, and hold a square */

static bool has_columns(const multiplication *x)
{
	return is_run(&x->b) && x->b.sum->size[0] >= WIDEST;
}

bool has_dots(const multiplication *x)
{
	return x->m <= THIN_ROWS && x->n >= DOT_COLUMNS && has_columns(x);
}

bool has_blocks(const multiplication *x)
{
	return x->apart || (x->m < DOT_COLUMNS && x->n < DOT_COLUMNS && x->k >= TUNE_DOT_LONG &&
	                    has_columns(x) && is_run(&x->a));
}

#else /* kernels compute products */

bool has_dots(const multiplication *x) { return (void)x, false; }
bool has_blocks(const multiplication *x) { return (void)x, false; }
void multiply_dots(const multiplication *x) { (void)x; }
void multiply_blocks(const multiplication *x) { (void)x; }

#endif
