/* tile.c - computes tiles of products, written out for each instruction set.
 *
 *                      columns of b: 4 vectors of 16
 *     row 0 of a    x  [ 4 vectors of sums ]
 *     row 1         x  [                   ]
 *     ..                                      24 sums are in registers
 *     row 5         x  [                   ]
 *
 * In each step, one number of each row is multiplied with the same 4 vectors of b: 10 loads for 24
 * products. Each sum takes its products one after the other, in the order of the contracted index,
 * and begins with +0, whatever the width of vectors and the place in the tile.
 *
 * Each tile has a twin that also stores the vectors of b, one line behind the other, for the tiles
 * below it: stores take no time beside 24 products. */
#include "engine/cpu/native/products/ahead.h"
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>

#define FOR_VECTORS(v_, vectors_) WRITTEN_OUT for (int v_ = 0; v_ < (vectors_); v_++)
#define FOR_ROWS(r_, rows_) WRITTEN_OUT for (int r_ = 0; r_ < (rows_); r_++)
#define OMITTED(what_)
#define IN_PLACE(what_) what_
#define DEFINE_TILE(name_, set_, number_, vector_, lanes_, rows_, vectors_, prefix_, suffix_, \
                    STEP_, COPY_) \
	static __attribute__((target(set_))) void name_(const tile *t) \
	{ \
		enum { COLUMNS = (vectors_) * (lanes_) }; \
		const char *b = t->b; \
		char *copy = t->copy; \
		const int64_t apart = t->apart_b, step = t->step; \
		number_ part[rows_][COLUMNS]; \
		tile_lines ahead = *t->ahead; \
		const char *c = t->c, *const last = c + (t->nrows - 1) * t->apart_c; \
		for (; t->depth < (rows_)*TUNE_AHEAD_STEPS && c < last; c += t->apart_c) \
			ahead_results(c, (int)sizeof *part); \
		vector_ sum[rows_][vectors_]; \
		FOR_ROWS(r, rows_) \
		FOR_VECTORS(v, vectors_) sum[r][v] = prefix_##setzero_##suffix_(); \
		for (const tile_run *of = t->runs; of < t->end; of++) { \
			const char *x[rows_]; \
			FOR_ROWS(r, rows_) x[r] = t->row[r] + of->offset; \
			for (int64_t j = 0, left = of->length; left > 0; \
			     left -= TUNE_AHEAD_STEPS) { \
				const int64_t end = j + step * least(left, TUNE_AHEAD_STEPS); \
				if (t->next) \
					ahead_rows(t, rows_, of->offset + j, of->offset + end); \
				for (int64_t n = t->each; n > 0; n--) \
					ahead_lines(&ahead, (int)sizeof *part); \
				ahead_results(c, (int)sizeof *part); \
				c += c < last ? t->apart_c : 0; \
				for (; j != end; j += step, b += apart) { \
					vector_ w[vectors_]; \
					FOR_VECTORS(v, vectors_) \
					w[v] = prefix_##loadu_##suffix_( \
						(const number_ *)(const void *)b + v * (lanes_)); \
					FOR_VECTORS(v, vectors_) \
					COPY_(prefix_##storeu_##suffix_( \
						(number_ *)(void *)copy + v * (lanes_), w[v])); \
					copy += sizeof *part; \
					FOR_ROWS(r, rows_) \
					{ \
						const vector_ one = prefix_##set1_##suffix_(*( \
							const number_ *)(const void *)(x[r] + j)); \
						FOR_VECTORS(v, vectors_) \
						sum[r][v] = STEP_(one, w[v], sum[r][v]); \
					} \
				} \
			} \
		} \
		*t->ahead = ahead; \
		const bool whole = t->nrows == (rows_) && t->ncolumns == COLUMNS; \
		if (whole && t->adds) { \
			FOR_ROWS(r, rows_) \
			FOR_VECTORS(v, vectors_) \
			sum[r][v] = prefix_##add_##suffix_( \
				prefix_##loadu_##suffix_( \
					(const number_ *)(const void *)(t->c + r * t->apart_c) + \
					v * (lanes_)), \
				sum[r][v]); \
		} \
		FOR_ROWS(r, rows_) \
		{ \
			number_ *to = \
				whole ? (number_ *)(void *)(t->c + r * t->apart_c) : part[r]; \
			FOR_VECTORS(v, vectors_) \
			prefix_##storeu_##suffix_(to + v * (lanes_), sum[r][v]); \
		} \
		for (int r = 0; !whole && r < t->nrows; r++) { \
			number_ *to = (number_ *)(void *)(t->c + r * t->apart_c); \
			for (int j = 0; t->adds && j < t->ncolumns; j++) \
				part[r][j] = to[j] + part[r][j]; \
			memcpy(to, part[r], (size_t)t->ncolumns * sizeof(number_)); \
		} \
	}

/* of each: number of vectors, and rows, so that their sums, the vectors and a number of a row fill
 * the registers */
#define TILES_512(_, ...) \
	_(4, 6, __VA_ARGS__) _(3, 8, __VA_ARGS__) _(2, 8, __VA_ARGS__) _(1, 8, __VA_ARGS__)
#define TILES_OF_16(_, ...) _(3, 4, __VA_ARGS__) _(2, 6, __VA_ARGS__) _(1, 8, __VA_ARGS__)
#define TILE(vectors_, rows_, set_, name_, number_, vector_, lanes_, prefix_, suffix_) \
	DEFINE_TILE(name_##_##vectors_, set_, number_, vector_, lanes_, rows_, vectors_, prefix_, \
	            suffix_, prefix_##fmadd_##suffix_, OMITTED) \
	DEFINE_TILE(name_##_##vectors_##_copying, set_, number_, vector_, lanes_, rows_, vectors_, \
	            prefix_, suffix_, prefix_##fmadd_##suffix_, IN_PLACE)
/* of pairs of bf16 */
#define PAIR_STEP(a_, b_, sum_) _mm512_dpbf16_ps(sum_, (__m512bh)(a_), (__m512bh)(b_))
#define TILE_OF_PAIRS(vectors_, rows_, set_, name_) \
	DEFINE_TILE(name_##_##vectors_, set_, float, __m512, 16, rows_, vectors_, _mm512_, ps, \
	            PAIR_STEP, OMITTED)
#define WIDTH(vectors_, rows_, name_, lanes_) \
	{rows_, (vectors_) * (lanes_), name_##_##vectors_, name_##_##vectors_##_copying},
#define WIDTH_OF_PAIRS(vectors_, rows_, name_, lanes_) \
	{rows_, (vectors_) * (lanes_), name_##_##vectors_, NULL},

TILES_512(TILE, "avx512f,prfchw", f32_512, float, __m512, 16, _mm512_, ps)
TILES_512(TILE, "avx512f,prfchw", f64_512, double, __m512d, 8, _mm512_, pd)
TILES_512(TILE_OF_PAIRS, "avx512f,avx512bf16,prfchw", pairs_512)
TILES_OF_16(TILE, "avx2,fma,prfchw", f32_256, float, __m256, 8, _mm256_, ps)
TILES_OF_16(TILE, "avx2,fma,prfchw", f64_256, double, __m256d, 4, _mm256_, pd)
TILES_OF_16(TILE, "avx,fma,prfchw", f32_128, float, __m128, 4, _mm_, ps)
TILES_OF_16(TILE, "avx,fma,prfchw", f64_128, double, __m128d, 2, _mm_, pd)

static const tile_kind kinds[] = {
	{64, TSR_F32, {TILES_512(WIDTH, f32_512, 16)}},
	{64, TSR_F64, {TILES_512(WIDTH, f64_512, 8)}},
	{64, TSR_BF16, {TILES_512(WIDTH_OF_PAIRS, pairs_512, 16)}},
	{32, TSR_F32, {TILES_OF_16(WIDTH, f32_256, 8)}},
	{32, TSR_F64, {TILES_OF_16(WIDTH, f64_256, 4)}},
	{16, TSR_F32, {TILES_OF_16(WIDTH, f32_128, 4)}},
	{16, TSR_F64, {TILES_OF_16(WIDTH, f64_128, 2)}},
};

const tile_kind *tiles_of(tsr_dtype dtype)
{
	const int bytes = instructions_chosen();

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].bytes == bytes && kinds[i].dtype == dtype) return &kinds[i];
	return NULL;
}

const tile_kind *tiles_of_pairs(void)
{
	return tiles_of(instructions_take_pairs() && pairs_agree() ? TSR_BF16 : TSR_F32);
}

#else /* kernels compute them */

const tile_kind *tiles_of(tsr_dtype dtype)
{
	(void)dtype;
	return NULL;
}

const tile_kind *tiles_of_pairs(void) { return NULL; }

#endif
