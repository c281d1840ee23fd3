/* product.c - computes products of matrices: it cuts the result into blocks for workers to share.
 *
 * Example:
 *
 *     f(%0: f32[1024,512], %1: f32[512,512]) -> f32[1024,512] {
 *       %2: f32[1024,512] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *         dtype=f32
 *       return %2
 *     }
 *
 * The result has four blocks of 512 rows and 256 columns, each of which is an item:
 *
 *     the plan of f: 1 steps, 0 bytes of scratch memory
 *       0  product 1024x512x512 f32  in0, in1 -> out0  .., 4 items, shared: ..
 *
 * As a picture:
 *
 *                        columns 0 to 255    256 to 511
 *     rows 0 to 511           item 0           item 1
 *     rows 512 to 1023        item 2           item 3
 *
 * An item takes 256 elements of the contracted dim at a time, which are a chain of each sum
 * (docs/numerics.md). It goes through the columns of %1 by panels, which are as wide as a tile
 * (tile.c), and through the rows of %0, tile by tile:
 *
 *                            columns of %1: 64, 64, ..
 *     6 rows of %0           tile, tile, ..
 *     6 rows                 tile, tile, ..
 *     ..
 *
 * Lines of %1 are read where they are, unless they are far apart: then the first tile of a panel
 * copies them to the stack, 64 KiB, for the tiles below it. Operands of larger products are laid
 * out before, once for all items (pass/fuse/panels.c).
 *
 * A matrix times its own transpose is symmetric:
 *
 *     s(%0: f32[1536,512]) -> f32[1536,1536] {
 *       %1: f32[1536,1536] = dot_general %0 %0 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[]
 *         dtype=f32
 *       return %1
 *     }
 *
 * Items are square blocks on the diagonal, of which one half is computed, and above it.
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
 * Its rows are read where they are:
 *
 *     the plan of c: 1 steps, 0 bytes of scratch memory
 *       0  product 16384x144x32 f32  in0, in1 -> out0  .., 32 items, shared: .. */
#include <string.h>
#include "engine/cpu/native/jit.h"
#include "engine/cpu/native/products/multiply.h"
#include "engine/cpu/native/products/view.h"

/* ---- parts */

/* Each matrix of c is cut into blocks. There are fewer than BLOCKS_FEW only if their sides would be
 * shorter than BLOCK_LEAST, since what a block reads is packed again for each block. No bit depends
 * on that */
typedef struct blocks {
	int64_t rows, columns;       /* of a block */
	int64_t by_rows, by_columns; /* blocks */
} blocks;

static int64_t part_of(int64_t n, int64_t count, int64_t multiple)
{
	return shares(shares(n, count), multiple) * multiple;
}

static const tile_kind *kind_of(const matrix_product *p)
{
	return p->pairs ? tiles_of_pairs() : tiles_of(p->dtype);
}

/* no panel that b is laid out in is cut */
static int64_t multiple_of_columns(const matrix_product *p)
{
	const int64_t columns = panel_columns(kind_of(p), &p->b.own, &p->b.sum);

	return columns ? columns : MULTIPLE;
}

/* each side is cut in the same way, also where blocks are fewer */
static blocks square_blocks_of(const matrix_product *p)
{
	int64_t n = shares(p->m, TUNE_BLOCK_SIDE);

	while (p->batch * n * (n + 1) / 2 < TUNE_BLOCKS_FEW && p->m >= (n + 1) * TUNE_BLOCK_LEAST)
		n++;
	const int64_t rows = part_of(p->m, n, MULTIPLE), count = shares(p->m, rows);
	return (blocks){rows, rows, count, count};
}

static int64_t chains_of(const matrix_product *p) { return shares(p->k, TILE_DEPTH); }

/* Are there a few rows by lines of memory, and enough chains that workers share these? */
static bool is_long(const matrix_product *p)
{
	const view_dims *own = &p->b.own;

	return p->m <= THIN_ROWS && p->from == p->dtype && own->n && own->stride[own->n - 1] == 1 &&
	       chains_of(p) >= 2 * TUNE_BLOCKS_FEW;
}

/* of all columns, and of as many elements as others, at most */
static blocks row_blocks_of(const matrix_product *p)
{
	const int64_t most = TUNE_BLOCK_SIDE * TUNE_BLOCK_SIDE / p->n;
	int64_t count = shares(p->m, least(most > MULTIPLE ? most : MULTIPLE, TUNE_BLOCK_SIDE));

	while (p->batch * count < TUNE_BLOCKS_FEW && p->m / count >= 2 * TUNE_BLOCK_LEAST)
		count *= 2;
	const int64_t rows = part_of(p->m, count, MULTIPLE);
	return (blocks){rows, p->n, shares(p->m, rows), 1};
}

static blocks blocks_of(const matrix_product *p)
{
	if (p->symmetric) return square_blocks_of(p);
	if (p->whole_rows) return row_blocks_of(p);
	const int64_t wide = p->m <= THIN_ROWS ? THIN_COLUMNS : TUNE_BLOCK_SIDE;
	int64_t by_rows = shares(p->m, TUNE_BLOCK_SIDE), by_columns = shares(p->n, wide);

	while (p->batch * by_rows * by_columns < TUNE_BLOCKS_FEW && !is_long(p)) {
		const int64_t rows = p->m / by_rows, columns = p->n / by_columns;
		const bool across = columns >= rows;
		if ((across ? columns : rows) < 2 * TUNE_BLOCK_LEAST) break;
		*(across ? &by_columns : &by_rows) *= 2;
	}
	const blocks b = {.rows = part_of(p->m, by_rows, MULTIPLE),
	                  .columns = part_of(p->n, by_columns, multiple_of_columns(p))};
	return (blocks){b.rows, b.columns, shares(p->m, b.rows), shares(p->n, b.columns)};
}

/* of one matrix; of a symmetric one those that are not below the diagonal */
static int64_t count_of(const matrix_product *p, const blocks *s)
{
	return s->by_rows * (p->symmetric ? s->by_rows + 1 : 2 * s->by_columns) / 2;
}

/* ---- a block */

/* an operand of matrix number `matrix` */
static side side_of(const matrix_product *p, const matrix_view *v, int64_t matrix, const char *at)
{
	const tsr_dtype wide = p->pairs ? kind_of(p)->dtype : p->dtype;
	const reading *read = reading_of(p->from, wide);

	return (side){at + place_of(&v->batch, matrix).offset * read->item, &v->own, &v->sum, read};
}

/* where the rows of a are. Those of the last tile that there are not are the last one */
static void find_rows(const multiplication *x, const char **to)
{
	view_place row = place_of(x->a.own, x->row);
	int64_t i = 0;

	for (; i < x->m; i++, place_move(&row, 1)) to[i] = x->a.at + row.offset * x->a.read->item;
	for (const int64_t end = i + 2 * TILE_ROWS; i < end; i++) to[i] = to[i - 1];
}

/* ---- symmetric results */

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
MIRROR(uint16_t)
MIRROR(uint32_t)
MIRROR(uint64_t)

/* the block of x, which is above the diagonal or on it, to the other side */
static void mirror(const multiplication *x, char *other)
{
	const int64_t item = x->write->item, apart = x->c.apart / item;
	const void *from = x->c.at;

	switch (item) {
	case 2: mirror_uint16_t(from, (void *)other, x->m, x->n, apart, x->above); break;
	case 4: mirror_uint32_t(from, (void *)other, x->m, x->n, apart, x->above); break;
	default: mirror_uint64_t(from, (void *)other, x->m, x->n, apart, x->above); break;
	}
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

/* k elements of the contracted index from `first` on; apart: multiply.h */
static void product_part(const matrix_product *p, const native_epilogue *epilogue,
                         const blocks *s, int64_t part, int64_t first, int64_t k, int64_t apart,
                         const char *a, const char *b, char *c)
{
	const block at = block_of(p, s, part);
	const writing *write = writing_of(p->dtype, p->to);
	const char *rows[MOST_BLOCK + 2 * TILE_ROWS];
	char *own = c + at.matrix * p->m * p->n * write->item;
	const multiplication x = {
		.kind = kind_of(p),
		.row = at.row,
		.m = least(s->rows, p->m - at.row),
		.column = at.column,
		.n = least(s->columns, p->n - at.column),
		.first = first,
		.k = k,
		.a = side_of(p, &p->a, at.matrix, a),
		.b = side_of(p, &p->b, at.matrix, b),
		.rows = rows,
		.pairs = p->pairs,
		.write = write,
		.c = {own + (at.row * p->n + at.column) * write->item, p->n * write->item},
		.above = p->symmetric && at.row == at.column,
		.apart = apart,
		.epilogue = epilogue,
		.above_rows = at.matrix * p->m};

	find_rows(&x, rows);
	multiply(&x);
	if (p->symmetric) mirror(&x, own + (at.column * p->n + at.row) * write->item);
}

/* ---- all of it, or its chains, or what these give together */

/* that an item takes in that phase: where results are few, blocks are what is side by side */
static int64_t chains_at_once(const matrix_product *p)
{
	const bool runs = p->a.sum.n == 1 && p->a.sum.stride[0] == 1 && p->b.sum.n == 1 &&
	                  p->b.sum.stride[0] == 1;

	return p->m < DOT_COLUMNS && p->n < DOT_COLUMNS && runs && !p->pairs ? TUNE_DOT_CHAINS_EACH
	                                                                     : 1;
}

/* so many results are joined at a time */
enum { JOINED = 1024 };

static void join(const matrix_product *p, int64_t part, const char *chains, char *c)
{
	const writing *write = writing_of(p->dtype, p->to);
	const int64_t all = p->batch * p->m * p->n, at = part * JOINED;
	const int64_t n = least(all - at, JOINED);
	_Alignas(64) char sum[JOINED * 8];

	chains += at * write->wide;
	memcpy(sum, chains, (size_t)(n * write->wide));
	add_lines(p->dtype, sum, chains + all * write->wide, n, all, chains_of(p) - 1);
	write->line(c + at * write->item, sum, n);
}

static void compute_part(const matrix_product *p, const native_epilogue *epilogue, int64_t part,
                         const char *a, const char *b, char *c)
{
	const blocks s = blocks_of(p);
	const int64_t count = p->batch * count_of(p, &s);
	const int64_t many = chains_at_once(p), chain = part / count * many;
	const int64_t apart = p->batch * p->m * p->n * writing_of(p->dtype, p->to)->item;

	if (p->phase == PRODUCT_JOINED)
		join(p, part, a, c);
	else if (p->phase == PRODUCT_CHAINS)
		product_part(p, NULL, &s, part % count, chain * TILE_DEPTH,
		             least(p->k - chain * TILE_DEPTH, many * TILE_DEPTH),
		             many > 1 ? apart : 0, a, b, c + chain * apart);
	else
		product_part(p, epilogue, &s, part, 0, p->k, 0, a, b, c);
}

static int64_t parts_of(const matrix_product *p)
{
	const blocks b = blocks_of(p);
	const int64_t count = p->batch * count_of(p, &b);
	const bool known = (tiles_of(p->dtype) || p->dtype == TSR_I32) &&
	                   reading_of(p->from, p->dtype) && writing_of(p->dtype, p->to);

	if (!known) return 0;
	if (p->phase == PRODUCT_JOINED) return shares(p->batch * p->m * p->n, JOINED);
	return p->phase == PRODUCT_CHAINS ? shares(chains_of(p), chains_at_once(p)) * count : count;
}

/* a matrix times a vector is the vector times the matrix turned over, whose result is the same line
 * of memory */
static bool is_upright(const matrix_product *p) { return p->n == 1 && p->m > 1; }

static matrix_product laid(const matrix_product *p)
{
	matrix_product q = *p;

	q.m = p->n;
	q.n = p->m;
	q.a = p->b;
	q.b = p->a;
	return q;
}

int64_t product_parts(const matrix_product *p)
{
	const matrix_product q = is_upright(p) ? laid(p) : *p;

	return parts_of(&q);
}

void product_compute(const matrix_product *p, const native_epilogue *epilogue, const void *a,
                     const void *b, void *c, int64_t first, int64_t end)
{
	const matrix_product q = is_upright(p) ? laid(p) : *p;

	const bool swap = is_upright(p) && p->phase != PRODUCT_JOINED;
	for (int64_t part = first; part < end; part++)
		compute_part(&q, epilogue, part, swap ? b : a, swap ? a : b, c);
}
