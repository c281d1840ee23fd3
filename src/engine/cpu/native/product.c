/* product.c - products of matrices by OpenBLAS, one single-threaded call for each part.
 *
 * The archive is linked in and hidden, so it neither meets a BLAS of the host program nor shares
 * its settings. On a processor that is newer than itself, the library falls back to code that is
 * five times slower, unless the environment names a processor. The link wraps its getenv, so that
 * we name one, which has the instructions that code is made for (cmake/Native.cmake).
 *
 * Example:
 *
 *     f(%0: f32[2048,512], %1: f32[512,1024]) -> f32[2048,1024] {
 *       %2: f32[2048,1024] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *         dtype=f32
 *       return %2
 *     }
 *
 * The result has four blocks of 1024 rows and 512 columns, each of which is an item:
 *
 *     the plan of f: 1 steps, 0 bytes of scratch memory
 *       0  product 2048x512x1024 f32  in0, in1 -> out0  .., 4 items, shared: ..
 *
 * As a picture:
 *
 *                        columns 0 to 511    512 to 1023
 *     rows 0 to 1023          item 0           item 1
 *     rows 1024 to 2047       item 2           item 3 */
#include <stdlib.h>
#include <string.h>
#include "engine/cpu/native/jit.h"
#ifdef TSR_OPENBLAS
#include <cblas.h>

char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);

/* Sandybridge is the newest of its processors without AVX2 */
static const char *core_type(void)
{
	const int bytes = instructions_chosen();

	return bytes == 64 ? "SkylakeX" : bytes == 32 ? "Haswell" : bytes ? "Sandybridge" : NULL;
}

/* OpenBLAS settings in the environment are meant for the host's own copy; ours ignores them
 */
char *__wrap_getenv(const char *name)
{
	if (strcmp(name, "OPENBLAS_CORETYPE") == 0) return (char *)(uintptr_t)core_type();
	return strncmp(name, "OPENBLAS_", 9) == 0 ? NULL : __real_getenv(name);
}

/* ---- parts */

/* Each matrix of c is cut into blocks: its columns first, down to BLOCK_GOOD, then its rows. There
 * are fewer than BLOCKS_FEW only if their sides would be shorter than BLOCK_LEAST, since what a
 * block reads is packed again for each block. Sides are multiples of what the library takes at a
 * time. Each block is one call, whichever worker makes it: the order of the library's sums depends
 * on the sizes of the call */
enum { MULTIPLE = 16 };

typedef struct blocks {
	int64_t rows, columns;       /* of a block */
	int64_t by_rows, by_columns; /* blocks */
} blocks;

static int64_t shares(int64_t n, int64_t most) { return (n + most - 1) / most; }

static int64_t side(int64_t n, int64_t count)
{
	return (shares(n, count) + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
}

static blocks blocks_of(const matrix_product *p)
{
	int64_t by_rows = shares(p->m, TUNE_BLOCK_ROWS),
		by_columns = shares(p->n, TUNE_BLOCK_COLUMNS);

	while (by_rows * by_columns < TUNE_BLOCKS_FEW) {
		const int64_t rows = p->m / by_rows, columns = p->n / by_columns;
		const bool across = columns >= 2 * TUNE_BLOCK_GOOD || columns >= rows;
		if ((across ? columns : rows) < 2 * TUNE_BLOCK_LEAST) break;
		*(across ? &by_columns : &by_rows) *= 2;
	}
	const blocks b = {.rows = side(p->m, by_rows), .columns = side(p->n, by_columns)};
	return (blocks){b.rows, b.columns, shares(p->m, b.rows), shares(p->n, b.columns)};
}

static bool fits_int(int64_t n) { return n > 0 && n <= INT32_MAX; }

int64_t product_parts(const matrix_product *p)
{
	const bool known = (p->dtype == TSR_F32 || p->dtype == TSR_F64) && fits_int(p->m) &&
	                   fits_int(p->n) && fits_int(p->k);
	const blocks b = blocks_of(p);

	return known ? p->batch * b.by_rows * b.by_columns : 0;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void product_part(const matrix_product *p, const blocks *s, int64_t part, const char *a,
                         const char *b, char *c)
{
	const CBLAS_TRANSPOSE ta = p->transpose_a ? CblasTrans : CblasNoTrans;
	const CBLAS_TRANSPOSE tb = p->transpose_b ? CblasTrans : CblasNoTrans;
	const int64_t size = p->dtype == TSR_F32 ? 4 : 8,
		      matrix = part / s->by_columns / s->by_rows;
	const int64_t row = part / s->by_columns % s->by_rows * s->rows;
	const int64_t column = part % s->by_columns * s->columns;
	const int m = (int)least(s->rows, p->m - row), n = (int)least(s->columns, p->n - column);
	const int k = (int)p->k, lda = (int)(p->transpose_a ? p->m : p->k),
		  ldb = (int)(p->transpose_b ? p->k : p->n), ldc = (int)p->n;

	a += (matrix * p->m * p->k + row * (p->transpose_a ? 1 : p->k)) * size;
	b += (matrix * p->k * p->n + column * (p->transpose_b ? p->k : 1)) * size;
	c += ((matrix * p->m + row) * p->n + column) * size;
	blas_begin();
	if (p->dtype == TSR_F32)
		cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, (const float *)(const void *)a, lda,
		            (const float *)(const void *)b, ldb, 0, (float *)(void *)c, ldc);
	else
		cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1, (const double *)(const void *)a, lda,
		            (const double *)(const void *)b, ldb, 0, (double *)(void *)c, ldc);
	blas_end();
}

void product_compute(const matrix_product *p, const void *a, const void *b, void *c, int64_t first,
                     int64_t end)
{
	const blocks s = blocks_of(p);

	for (int64_t part = first; part < end; part++) product_part(p, &s, part, a, b, c);
}

#else /* kernels compute all products */

int64_t product_parts(const matrix_product *p)
{
	(void)p;
	return 0;
}

void product_compute(const matrix_product *p, const void *a, const void *b, void *c, int64_t first,
                     int64_t end)
{
	(void)p, (void)a, (void)b, (void)c, (void)first, (void)end;
}

#endif
