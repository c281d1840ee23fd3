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
 *     rows 1024 to 2047       item 2           item 3
 *
 * A matrix times its own transpose is symmetric:
 *
 *     s(%0: f32[1536,512]) -> f32[1536,1536] {
 *       %1: f32[1536,1536] = dot_general %0 %0 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[]
 *         dtype=f32
 *       return %1
 *     }
 *
 * Items are square blocks on the diagonal, of which the library computes one half, and above it.
 * What an item has computed it also writes to the other side of the diagonal:
 *
 *     the plan of s: 1 steps, 0 bytes of scratch memory
 *       0  product 1536x512x1536 f32, symmetric  in0, in0 -> out0  .., 6 items, shared: ..
 *
 *     +---------+---------+---------+
 *     | item 0  | item 1  | item 2  |
 *     +---------+---------+---------+
 *     | of 1    | item 3  | item 4  |
 *     +---------+---------+---------+
 *     | of 2    | of 4    | item 5  |
 *     +---------+---------+---------+
 *
 * An operand may be a view of an array, such as the patches of a convolution:
 *
 *     c(%0: f32[16,34,34,16], %1: f32[3,3,16,32]) -> f32[16,32,32,32] {
 *       %2: f32[16,32,32,16,3,3] =
 *         patches %0 along=[1,2] sizes=[3,3] strides=[1,1] dilations=[1,1]
 *       %3: f32[16,32,32,3,3,16] = transpose %2 perm=[0,1,2,4,5,3]
 *       %4: f32[16,32,32,32] = dot_general %3 %1 contract_a=[3,4,5] contract_b=[0,1,2]
 *         batch_a=[] batch_b=[] dtype=f32
 *       return %4
 *     }
 *
 * Each item gathers its rows of it, some at a time:
 *
 *     the plan of c: 1 steps, 0 bytes of scratch memory
 *       0  product 16384x144x32 f32, a gathered  in0, in1 -> out0  .., 16 items, shared: .. */
#include <stdlib.h>
#include <string.h>
#include "engine/cpu/native/jit.h"
#include "engine/cpu/native/view.h"
#ifdef TSR_OPENBLAS
#include <cblas.h>

char *__wrap_getenv(const char *name);

/* Sandybridge is the newest of its processors without AVX2 */
static const char *core_type(void)
{
	const int bytes = instructions_chosen();

	return bytes == 64 ? "SkylakeX" : bytes == 32 ? "Haswell" : bytes ? "Sandybridge" : NULL;
}

/* OpenBLAS settings in the environment are meant for the host's own copy; ours ignores them. LLVM
 * asks here too */
char *__wrap_getenv(const char *name)
{
	if (strcmp(name, "OPENBLAS_CORETYPE") == 0) return (char *)(uintptr_t)core_type();
	return strncmp(name, "OPENBLAS_", 9) == 0 ? NULL : (char *)(uintptr_t)environment(name);
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

/* each side is cut in the same way, also where blocks are fewer */
static blocks square_blocks_of(const matrix_product *p)
{
	int64_t n = shares(p->m, TUNE_BLOCK_COLUMNS);

	while (n * (n + 1) / 2 < TUNE_BLOCKS_FEW && p->m >= (n + 1) * TUNE_BLOCK_LEAST) n++;
	const int64_t rows = side(p->m, n), count = shares(p->m, rows);
	return (blocks){rows, rows, count, count};
}

static blocks blocks_of(const matrix_product *p)
{
	if (p->symmetric) return square_blocks_of(p);
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

/* of one matrix; of a symmetric one those that are not below the diagonal */
static int64_t count_of(const matrix_product *p, const blocks *s)
{
	return s->by_rows * (p->symmetric ? s->by_rows + 1 : 2 * s->by_columns) / 2;
}

static bool fits_int(int64_t n) { return n > 0 && n <= INT32_MAX; }

int64_t product_parts(const matrix_product *p)
{
	const bool known = (p->dtype == TSR_F32 || p->dtype == TSR_F64) && fits_int(p->m) &&
	                   fits_int(p->n) && fits_int(p->k);
	const blocks b = blocks_of(p);

	return known && blas_ready() ? p->batch * count_of(p, &b) : 0;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- a part: a call of the library, or several where an operand is gathered */

typedef struct lines { /* of a matrix in memory, bytes and elements apart */
	const char *at;
	int64_t apart;
} lines;
typedef struct multiplication {
	int64_t m, n, k;
	lines a, b, c;
	bool adds; /* to c */
} multiplication;

static void multiply(const matrix_product *p, const multiplication *x)
{
	const CBLAS_TRANSPOSE ta = p->transpose_a ? CblasTrans : CblasNoTrans;
	const CBLAS_TRANSPOSE tb = p->transpose_b ? CblasTrans : CblasNoTrans;
	const int m = (int)x->m, n = (int)x->n, k = (int)x->k;
	const int lda = (int)x->a.apart, ldb = (int)x->b.apart, ldc = (int)x->c.apart;
	const void *a = x->a.at, *b = x->b.at;
	void *c = (void *)(uintptr_t)x->c.at;

	if (p->dtype == TSR_F32)
		cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, x->adds, c, ldc);
	else
		cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, x->adds, c, ldc);
}

/* ---- symmetric results */

static void multiply_half(const matrix_product *p, const multiplication *x)
{
	const CBLAS_TRANSPOSE t = p->transpose_a ? CblasTrans : CblasNoTrans;
	const int n = (int)x->n, k = (int)x->k, lda = (int)x->a.apart, ldc = (int)x->c.apart;
	void *c = (void *)(uintptr_t)x->c.at;

	if (p->dtype == TSR_F32)
		cblas_ssyrk(CblasRowMajor, CblasUpper, t, n, k, 1, (const void *)x->a.at, lda, 0, c,
		            ldc);
	else
		cblas_dsyrk(CblasRowMajor, CblasUpper, t, n, k, 1, (const void *)x->a.at, lda, 0, c,
		            ldc);
}

/* to[j, i] = from[i, j] for m x n elements, or those above the diagonal: squares of 16 at a time,
 * so that lines of both sides stay in a cache */
#define MIRROR(real) \
	static void mirror_##real(const real *from, real *to, int64_t m, int64_t n, int64_t apart, \
	                          bool above) \
	{ \
		for (int64_t r = 0; r < m; r += 16) \
			for (int64_t s = above ? r : 0; s < n; s += 16) \
				for (int64_t j = s; j < least(s + 16, n); j++) \
					for (int64_t i = r; i < least(r + 16, above ? j : m); i++) \
						to[j * apart + i] = from[i * apart + j]; \
	}
MIRROR(float)
MIRROR(double)

/* the block of x is above the diagonal, or on it; `other`: the block on the other side */
static void multiply_symmetric(const matrix_product *p, const multiplication *x, char *other)
{
	const bool on = other == x->c.at;

	if (on)
		multiply_half(p, x);
	else
		multiply(p, x);
	if (p->dtype == TSR_F32)
		mirror_float((const void *)x->c.at, (void *)other, x->m, x->n, p->n, on);
	else
		mirror_double((const void *)x->c.at, (void *)other, x->m, x->n, p->n, on);
}

/* ---- a gathered operand */

typedef struct region { /* of the operand that is gathered */
	int64_t row, rows, column, columns;
} region;

static void gather(const matrix_view *v, int64_t item, const char *from, const region *of, char *to)
{
	const view_place first = place_of(&v->columns, of->column);
	view_place row = place_of(&v->rows, of->row), column;

	for (int64_t i = 0; i < of->rows; i++, place_move(&row, 1)) {
		column = first;
		for (int64_t left = of->columns, run; left > 0; left -= run) {
			run = least(left, to_the_end(&column));
			memcpy(to, from + (row.offset + column.offset) * item,
			       (size_t)(run * item));
			to += run * item;
			place_move(&column, run);
		}
	}
}

/* `of` has been gathered at `room`. What it contracts of the other operand is multiplied with it,
 * and makes those lines or columns of c that it does not contract, from `own` on */
static void multiply_gathered(const matrix_product *p, multiplication x, const region *of,
                              int64_t own, int64_t item, const char *room)
{
	const bool rows = p->view_b ? !p->transpose_b : p->transpose_a;
	const int64_t from = rows ? of->row : of->column;
	lines *const gathered = p->view_b ? &x.b : &x.a, *const other = p->view_b ? &x.a : &x.b;
	const bool along = p->view_b ? !p->transpose_a : p->transpose_b;

	*gathered = (lines){room, of->columns};
	other->at += from * (along ? 1 : other->apart) * item;
	x.c.at += own * (p->view_b ? 1 : x.c.apart) * item;
	x.k = rows ? of->rows : of->columns;
	*(p->view_b ? &x.n : &x.m) = rows ? of->columns : of->rows;
	x.adds = from;
	multiply(p, &x);
}

/* Blocks of the gathered operand at a time, which stay in a cache */
static void product_gathered(const matrix_product *p, const multiplication *x, int64_t matrix,
                             int64_t first, int64_t item)
{
	const bool contracts_rows = p->view_b ? !p->transpose_b : p->transpose_a;
	const int64_t own = p->view_b ? x->n : x->m;
	const int64_t rows = contracts_rows ? x->k : own, columns = contracts_rows ? own : x->k;
	const int64_t high = side(rows, shares(rows, TUNE_GATHER_ROWS));
	const int64_t wide = side(columns, shares(columns, TUNE_GATHER_COLUMNS));
	const char *from = (p->view_b ? x->b.at : x->a.at) +
	                   place_of(&p->view->batch, matrix).offset * item;
	char *room = blas_room();

	for (int64_t i = 0; i < rows; i += high)
		for (int64_t j = 0; j < columns; j += wide) {
			region of = {i, least(high, rows - i), j, least(wide, columns - j)};
			region all = of;
			*(contracts_rows ? &all.column : &all.row) += first;
			gather(p->view, item, from, &all, room);
			multiply_gathered(p, *x, &of, contracts_rows ? j : i, item, room);
		}
	blas_room_free(room);
}

typedef struct block {
	int64_t matrix, row, column; /* the matrix of a batch; the block's first element */
} block;

static block block_of(const matrix_product *p, const blocks *s, int64_t part)
{
	const int64_t count = count_of(p, s), matrix = part / count;
	int64_t row = 0, column = part % count;

	if (p->symmetric) {
		for (int64_t n = s->by_rows; column >= n; n--, row++) column -= n;
		column += row;
	} else {
		row = column / s->by_columns;
		column %= s->by_columns;
	}
	return (block){matrix, row * s->rows, column * s->columns};
}

static void product_part(const matrix_product *p, const blocks *s, int64_t part, const char *a,
                         const char *b, char *c)
{
	const block at = block_of(p, s, part);
	const int64_t size = p->dtype == TSR_F32 ? 4 : 8, matrix = at.matrix, row = at.row,
		      column = at.column;
	multiplication x = {.m = least(s->rows, p->m - row),
	                    .n = least(s->columns, p->n - column),
	                    .k = p->k,
	                    .a = {a, p->transpose_a ? p->m : p->k},
	                    .b = {b, p->transpose_b ? p->k : p->n},
	                    .c = {c, p->n}};

	x.c.at += ((matrix * p->m + row) * p->n + column) * size;
	if (!p->view || p->view_b)
		x.a.at += (matrix * p->m * p->k + row * (p->transpose_a ? 1 : p->k)) * size;
	if (!p->view || !p->view_b)
		x.b.at += (matrix * p->k * p->n + column * (p->transpose_b ? p->k : 1)) * size;
	blas_begin();
	if (product_is_direct(p))
		product_direct(p, x.a.at + place_of(&p->view->batch, matrix).offset * size, x.b.at,
		               (char *)(uintptr_t)x.c.at, row, x.m, x.n);
	else if (p->symmetric)
		multiply_symmetric(p, &x, c + ((matrix * p->m + column) * p->n + row) * size);
	else if (p->view)
		product_gathered(p, &x, matrix, p->view_b ? column : row, size);
	else
		multiply(p, &x);
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
