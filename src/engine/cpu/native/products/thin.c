/* thin.c - multiplies a few rows by a matrix b. That takes as long as b is read, so b is read as it
 * comes.
 *
 * Where columns are one behind the other, 8 lines of b at a time are multiplied with 8 numbers of
 * one row, or 4 with 4 of two; or 2. Their sums are in memory that stays in the nearest cache:
 *
 *     line 0 of b    x a[0]  |
 *     line 1         x a[1]  | added up to the sums, one after the other
 *     ..                     |
 *     line 7         x a[7]  |
 *
 * So 8 streams go through memory, whatever the distance of lines, and what they come to next is
 * fetched meanwhile; a tile would take 192 bytes of each line, and start 256 times anew. Workers
 * share blocks of lines (product.c), so that each reads memory from one end to the other. */
#include "engine/cpu/native/products/multiply.h"
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>

/* rows of sums are no power of two apart, which would be one place in a cache */
enum { BESIDE = 16 };

typedef struct strip { /* rows of numbers, and lines of b */
	const char *a; /* rows, one number for each line, `depth` numbers apart */
	int64_t depth, at, lines;
	const char *b;
	int64_t apart;   /* bytes from a line to the next */
	char *sum;       /* rows of n sums each */
	int64_t n, sums; /* numbers from a row of sums to the next */
} strip;

#define FOR(i_, n_) WRITTEN_OUT for (int i_ = 0; i_ < (n_); i_++)
/* some lines at a time, beginning with line t->at; returns the first one that is left */
#define DEFINE_STRIP(name_, set_, number_, vector_, lanes_, rows_, lines_, prefix_, suffix_, fma_) \
	static __attribute__((target(set_))) int64_t name_(const strip *t) \
	{ \
		const number_ *a = (const void *)t->a; \
		int64_t i = t->at; \
		for (; i + (lines_) <= t->lines; i += (lines_)) { \
			const char *b = t->b + i * t->apart; \
			vector_ x[rows_][lines_]; \
			FOR(r, rows_) \
			FOR(l, lines_) x[r][l] = prefix_##set1_##suffix_(a[r * t->depth + i + l]); \
			int64_t j = 0; \
			for (; j + (lanes_) <= t->n; j += (lanes_)) { \
				vector_ s[rows_]; \
				FOR(l, lines_) \
				__builtin_prefetch(b + l * t->apart + \
				                           j * (int64_t)sizeof(number_) + \
				                           TUNE_THIN_AHEAD, \
				                   0, 2); \
				FOR(r, rows_) \
				s[r] = prefix_##loadu_##suffix_((number_ *)(void *)t->sum + \
				                                r * t->sums + j); \
				FOR(l, lines_) \
				{ \
					const vector_ w = prefix_##loadu_##suffix_( \
						(const number_ *)(const void *)(b + \
					                                        l * t->apart) + \
						j); \
					FOR(r, rows_) \
					s[r] = prefix_##fmadd_##suffix_(x[r][l], w, s[r]); \
				} \
				FOR(r, rows_) \
				prefix_##storeu_##suffix_( \
					(number_ *)(void *)t->sum + r * t->sums + j, s[r]); \
			} \
			for (; j < t->n; j++) FOR(r, rows_) \
			FOR(l, lines_) \
			{ \
				number_ *s = (number_ *)(void *)t->sum + r * t->sums + j; \
				*s = fma_(a[r * t->depth + i + l], \
				          ((const number_ *)(const void *)(b + l * t->apart))[j], \
				          *s); \
			} \
		} \
		return i; \
	}
#define STRIPS(name_, set_, number_, vector_, lanes_, prefix_, suffix_, fma_) \
	DEFINE_STRIP(name_##_1, set_, number_, vector_, lanes_, 1, 8, prefix_, suffix_, fma_) \
	DEFINE_STRIP(name_##_2, set_, number_, vector_, lanes_, 2, 4, prefix_, suffix_, fma_) \
	DEFINE_STRIP(name_##_4, set_, number_, vector_, lanes_, 4, 2, prefix_, suffix_, fma_) \
	DEFINE_STRIP(name_##_rest, set_, number_, vector_, lanes_, 1, 1, prefix_, suffix_, fma_)
STRIPS(f32_512, "avx512f,fma", float, __m512, 16, _mm512_, ps, __builtin_fmaf)
STRIPS(f64_512, "avx512f,fma", double, __m512d, 8, _mm512_, pd, __builtin_fma)
STRIPS(f32_256, "avx2,fma", float, __m256, 8, _mm256_, ps, __builtin_fmaf)
STRIPS(f64_256, "avx2,fma", double, __m256d, 4, _mm256_, pd, __builtin_fma)
STRIPS(f32_128, "avx,fma", float, __m128, 4, _mm_, ps, __builtin_fmaf)
STRIPS(f64_128, "avx,fma", double, __m128d, 2, _mm_, pd, __builtin_fma)

static const struct strips {
	int bytes;
	tsr_dtype dtype;
	int64_t (*rows[3])(const strip *); /* 1, 2 and 4 */
	int64_t (*rest)(const strip *);    /* one row, one line */
} kinds[] = {
#define KIND(bytes_, dtype_, name_) \
	{ \
		bytes_, dtype_, {name_##_1, name_##_2, name_##_4}, name_##_rest \
	}
	KIND(64, TSR_F32, f32_512), KIND(64, TSR_F64, f64_512), KIND(32, TSR_F32, f32_256),
	KIND(32, TSR_F64, f64_256), KIND(16, TSR_F32, f32_128), KIND(16, TSR_F64, f64_128),
};

static const struct strips *strips_of(const multiplication *x)
{
	const struct strips *of = kinds;

	while (of->bytes != x->kind->bytes || of->dtype != x->kind->dtype) of++;
	return of;
}

/* all lines of t, whose rows are a chain; which: 0, 1 or 2 for 1, 2 or 4 rows */
static void multiply_strip(const struct strips *with, int which, strip t)
{
	const int64_t wide = with->dtype == TSR_F32 ? 4 : 8;

	memset(t.sum, 0, (size_t)((t.sums << which) * wide));
	t.at = with->rows[which](&t);
	for (int r = 0; t.at < t.lines && r < 1 << which; r++) {
		with->rest(&t);
		t.a += t.depth * wide;
		t.sum += t.sums * wide;
	}
}

static int which_of(const multiplication *x) { return x->m == 1 ? 0 : x->m == 2 ? 1 : 2; }

/* columns j .. j + n - 1 */
static void multiply_columns(const multiplication *x, int64_t j, int64_t n)
{
	_Alignas(64) char a[THIN_ROWS * TILE_DEPTH * 8], sum[THIN_BYTES + THIN_ROWS * BESIDE * 8],
		part[THIN_BYTES + THIN_ROWS * BESIDE * 8];
	const int which = which_of(x);
	const int64_t wide = x->b.read->wide, sums = n + BESIDE;

	for (int64_t k = 0; k < x->k; k += TILE_DEPTH) {
		const panel_part of = {x->first + k, least(x->k - k, TILE_DEPTH), x->column + j, n,
		                       n};
		widen_rows(x, x->rows, 1 << which, of.line, of.lines, a);
		multiply_strip(strips_of(x), which,
		               (strip){.a = a,
		                       .depth = of.lines,
		                       .lines = of.lines,
		                       .b = panel_in_place(&x->b, &of),
		                       .apart = side_step(&x->b, x->b.sum),
		                       .sum = k ? part : sum,
		                       .n = n,
		                       .sums = sums});
		if (k) add_lines(x->kind->dtype, sum, part, sums << which, 0, 1);
	}
	for (int64_t r = 0; r < x->m; r++)
		x->write->line(x->c.at + r * x->c.apart + j * x->write->item, sum + r * sums * wide,
		               n);
}

/* are all columns lines of memory, for each chain? */
bool is_thin(const multiplication *x)
{
	const panel_part all = {x->first, x->k, x->column, x->n, x->n};

	return x->m <= THIN_ROWS && x->b.read->from == x->b.read->to && panel_in_place(&x->b, &all);
}

void multiply_thin(const multiplication *x)
{
	const int64_t part = least(THIN_COLUMNS, (THIN_BYTES / x->b.read->wide) >> which_of(x));

	for (int64_t j = 0; j < x->n; j += part) multiply_columns(x, j, least(x->n - j, part));
}

#else /* kernels compute products */

bool is_thin(const multiplication *x) { return (void)x, false; }
void multiply_thin(const multiplication *x) { (void)x; }

#endif
