/* direct.c - products of a view by few columns, straight from where the view's elements lie.
 *
 * A library copies both operands before it multiplies them, so that it finds them one behind the
 * other. That pays where each element is used often. In a convolution with 64 results it is used 64
 * times, and copying would take a fifth of the time. So here b alone is copied, some columns of it
 * at a time, and of a view some rows at once are read where they are:
 *
 *                 columns of b: 64
 *     row 0    x  [ 4 vectors of sums ]
 *     row 1    x  [                   ]
 *     ..                                   24 sums are in registers
 *     row 5    x  [                   ]
 *
 * In each step, one number of each row is multiplied with the same 4 vectors of b. */
#include <string.h>
#include "engine/cpu/native/jit.h"
#include "engine/cpu/native/view.h"
#if defined(TSR_OPENBLAS) && defined(__x86_64__)
#include <immintrin.h>

enum { TILE_ROWS = 6 };

typedef struct run { /* of columns of the view, elements one behind the other */
	int64_t offset, length;
} run;
/* rows of a view, times the lines of b as they are packed; c has nrows rows and ncolumns columns */
typedef struct tile {
	const void *row[TILE_ROWS];
	const run *runs, *end;
	const void *b;
	char *c;
	int64_t apart; /* bytes from a row of c to the next */
	int nrows, ncolumns;
} tile;

/* written out, so that sums are in registers */
#ifdef __clang__
#define WRITTEN_OUT _Pragma("unroll")
#else
#define WRITTEN_OUT _Pragma("GCC unroll 8")
#endif
#define FOR_VECTORS(v_, vectors_) WRITTEN_OUT for (int v_ = 0; v_ < (vectors_); v_++)
#define FOR_ROWS(r_) WRITTEN_OUT for (int r_ = 0; r_ < TILE_ROWS; r_++)
#define DEFINE_TILE(name_, set_, number_, vector_, lanes_, vectors_, prefix_, suffix_) \
	static __attribute__((target(set_))) void name_(const tile *t) \
	{ \
		const number_ *b = t->b; \
		number_ part[TILE_ROWS][(vectors_) * (lanes_)]; \
		vector_ sum[TILE_ROWS][vectors_]; \
		FOR_ROWS(r) FOR_VECTORS(v, vectors_) sum[r][v] = prefix_##setzero_##suffix_(); \
		for (const run *of = t->runs; of < t->end; of++) { \
			const number_ *x[TILE_ROWS]; \
			FOR_ROWS(r) x[r] = (const number_ *)t->row[r] + of->offset; \
			for (int64_t j = 0; j < of->length; j++, b += (vectors_) * (lanes_)) { \
				vector_ w[vectors_]; \
				FOR_VECTORS(v, vectors_) \
					w[v] = prefix_##loadu_##suffix_(b + v * (lanes_)); \
				FOR_ROWS(r) { \
					const vector_ one = prefix_##set1_##suffix_(x[r][j]); \
					FOR_VECTORS(v, vectors_) \
						sum[r][v] = prefix_##fmadd_##suffix_(one, w[v], \
						                                     sum[r][v]); \
				} \
			} \
		} \
		const bool whole = t->nrows == TILE_ROWS && t->ncolumns == (vectors_) * (lanes_); \
		FOR_ROWS(r) { \
			number_ *to = whole ? (number_ *)(void *)(t->c + r * t->apart) : part[r]; \
			FOR_VECTORS(v, vectors_) \
				prefix_##storeu_##suffix_(to + v * (lanes_), sum[r][v]); \
		} \
		for (int r = 0; !whole && r < t->nrows; r++) \
			memcpy(t->c + r * t->apart, part[r], \
			       (size_t)t->ncolumns * sizeof(number_)); \
	}

DEFINE_TILE(tile_f32_512_4, "avx512f", float, __m512, 16, 4, _mm512_, ps)
DEFINE_TILE(tile_f32_512_2, "avx512f", float, __m512, 16, 2, _mm512_, ps)
DEFINE_TILE(tile_f32_512_1, "avx512f", float, __m512, 16, 1, _mm512_, ps)
DEFINE_TILE(tile_f64_512_4, "avx512f", double, __m512d, 8, 4, _mm512_, pd)
DEFINE_TILE(tile_f64_512_2, "avx512f", double, __m512d, 8, 2, _mm512_, pd)
DEFINE_TILE(tile_f64_512_1, "avx512f", double, __m512d, 8, 1, _mm512_, pd)
DEFINE_TILE(tile_f32_256_2, "avx2,fma", float, __m256, 8, 2, _mm256_, ps)
DEFINE_TILE(tile_f32_256_1, "avx2,fma", float, __m256, 8, 1, _mm256_, ps)
DEFINE_TILE(tile_f64_256_2, "avx2,fma", double, __m256d, 4, 2, _mm256_, pd)
DEFINE_TILE(tile_f64_256_1, "avx2,fma", double, __m256d, 4, 1, _mm256_, pd)

/* from the widest to the narrowest */
static const struct width {
	int bytes; /* of vectors of the instruction set */
	tsr_dtype dtype;
	int columns;
	void (*multiply)(const tile *);
} widths[] = {
	{64, TSR_F32, 64, tile_f32_512_4}, {64, TSR_F32, 32, tile_f32_512_2},
	{64, TSR_F32, 16, tile_f32_512_1}, {64, TSR_F64, 32, tile_f64_512_4},
	{64, TSR_F64, 16, tile_f64_512_2}, {64, TSR_F64, 8, tile_f64_512_1},
	{32, TSR_F32, 16, tile_f32_256_2}, {32, TSR_F32, 8, tile_f32_256_1},
	{32, TSR_F64, 8, tile_f64_256_2},  {32, TSR_F64, 4, tile_f64_256_1},
};

/* the widest one that these columns fill, or the narrowest; NULL: there is none here */
static const struct width *width_for(tsr_dtype dtype, int64_t columns)
{
	const int bytes = instructions_chosen();
	const struct width *found = NULL;

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		if (widths[i].bytes != bytes || widths[i].dtype != dtype) continue;
		found = &widths[i];
		if (found->columns <= columns) break;
	}
	return found;
}

bool product_is_direct(const matrix_product *p)
{
	return p->view && !p->view_b && !p->transpose_a && p->n <= TUNE_DIRECT_COLUMNS &&
	       p->k <= TUNE_DIRECT_DEPTH && width_for(p->dtype, p->n);
}

/* n columns of b from `first` on, in lines of `width`: those that there are not are 0 */
static void pack_columns(const matrix_product *p, const char *b, int64_t item, int64_t first,
                         int64_t n, int64_t width, char *to)
{
	for (int64_t k = 0; k < p->k; k++, to += width * item) {
		if (!p->transpose_b)
			memcpy(to, b + (k * p->n + first) * item, (size_t)(n * item));
		for (int64_t j = 0; p->transpose_b && j < n; j++)
			memcpy(to + j * item, b + ((first + j) * p->k + k) * item, (size_t)item);
		if (n < width) memset(to + n * item, 0, (size_t)((width - n) * item));
	}
}

/* The last tile of rows may lack some: it reads its last row more than once */
static void multiply_rows(const matrix_product *p, const struct width *with, tile t, const char *a,
                          int64_t first, int64_t rows, int64_t item)
{
	view_place row = place_of(&p->view->rows, first);

	for (int64_t i = 0; i < rows; i += TILE_ROWS, t.c += TILE_ROWS * t.apart) {
		t.nrows = rows - i < TILE_ROWS ? (int)(rows - i) : TILE_ROWS;
		for (int r = 0; r < TILE_ROWS; r++) {
			t.row[r] = r < t.nrows ? a + row.offset * item : t.row[t.nrows - 1];
			if (r < t.nrows) place_move(&row, 1);
		}
		with->multiply(&t);
	}
}

/* where the columns of a row lie */
static run *find_runs(const matrix_product *p, run *to)
{
	view_place at = place_of(&p->view->columns, 0);

	for (int64_t left = p->k; left > 0; left -= to++->length) {
		*to = (run){at.offset, to_the_end(&at)};
		place_move(&at, to->length);
	}
	return to;
}

void product_direct(const matrix_product *p, const char *a, const char *b, char *c, int64_t first,
                    int64_t rows, int64_t columns)
{
	const int64_t item = p->dtype == TSR_F32 ? 4 : 8;
	char *memory = blas_room();
	run *runs = (run *)(void *)memory, *end = find_runs(p, runs);
	char *room = memory + TUNE_DIRECT_DEPTH * sizeof *runs;

	for (int64_t j = 0; j < columns;) {
		const struct width *with = width_for(p->dtype, columns - j);
		const int64_t n = columns - j < with->columns ? columns - j : with->columns;
		pack_columns(p, b, item, j, n, with->columns, room);
		const tile t = {.runs = runs,
		                .end = end,
		                .b = room,
		                .c = c + j * item,
		                .apart = p->n * item,
		                .ncolumns = (int)n};
		multiply_rows(p, with, t, a, first, rows, item);
		j += n;
	}
	blas_room_free(memory);
}

#else /* a library computes them */

bool product_is_direct(const matrix_product *p)
{
	(void)p;
	return false;
}

void product_direct(const matrix_product *p, const char *a, const char *b, char *c, int64_t first,
                    int64_t rows, int64_t columns)
{
	(void)p, (void)a, (void)b, (void)c, (void)first, (void)rows, (void)columns;
}

#endif
