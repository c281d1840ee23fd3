/* multiply.c - computes a block of a product: tiles of it, panel by panel of b, and of these one
 * chain of sums after the other.
 *
 * 512 rows of a by 512 columns of b, 600 elements of which are summed:
 *
 *     chain 0, elements 0 to 255      columns 0 to 63     rows 0 to 5, 6 to 11, ..
 *                                     columns 64 to 127   rows 0 to 5, 6 to 11, ..
 *                                     ..
 *     chain 1, elements 256 to 511    likewise, and each sum is added to what is there
 *     chain 2, elements 512 to 599    likewise
 *
 * So what is used again soon is near: a tile's rows, 6 KiB, and a panel, 64 KiB, which all rows
 * are multiplied with. Where no panel is copied for that, rows go in groups, each through all
 * chains, so that their results stay in a cache (rows_at_once).
 *
 * An epilogue (native.h) follows the last chain of a group of rows: 192 rows of 512 columns are 384
 * KiB. Behind each panel its results would be nearer still, but what else it reads would come in
 * pieces of 256 bytes. */
#include "engine/cpu/native/products/multiply.h"
#include "engine/cpu/native/products/ahead.h"
#include "engine/cpu/native/jit.h"

/* those that tiles compute, some of which there are not */
static int64_t rows_of(const tile_width *of, int64_t m) { return shares(m, of->rows) * of->rows; }

/* The widest tiles, unless they would compute 1 row in 64 more than the next ones: 8 rows are two
 * tiles of six, or one of eight */
static const tile_width *widest_for(const tile_kind *kind, int64_t m)
{
	const tile_width *of = kind->width;

	return 64 * (rows_of(of, m) - rows_of(of + 1, m)) > m ? of + 1 : of;
}

/* those of the panels that b is laid out in; or as many panels as need be, about as wide as each
 * other */
static const tile_width *width_for(const multiplication *x, int64_t columns)
{
	const tile_width *of = widest_for(x->kind, x->m);
	const int64_t laid_out = panel_columns(x->kind, x->b.own, x->b.sum);
	const int64_t each = laid_out ? laid_out : shares(columns, shares(columns, of->columns));

	if (laid_out) of = x->kind->width;
	while (of < x->kind->width + TILE_WIDTHS - 1 && of[1].columns >= each) of++;
	return of;
}

/* ---- a panel: columns column .. column + n - 1 of x, and contracted elements */

/* Lines of b are read where they are, if that is no slower than to copy them, and to read the copy
 * for each tile of m rows */
static void take_lines(const multiplication *x, const panel_part *part, int64_t m, char *room,
                       tile *t)
{
	const reading *read = x->b.read;
	const bool near = side_step(&x->b, x->b.sum) <= TUNE_LINES_APART || m < TUNE_PACKED_ROWS;

	if (x->pairs) {
		pairs_panel(x, part, room, t);
		return;
	}
	t->apart_b = side_step(&x->b, x->b.sum);
	t->b = read->from == read->to ? panel_in_place(&x->b, part) : NULL;
	t->copy = near ? NULL : room;
	if (t->b) return;
	t->copy = NULL;
	panel_pack(&x->b, part, room);
	t->b = room;
	t->apart_b = part->width * read->wide;
}

void widen_rows(const multiplication *x, const char *const *row, int n, int64_t k, int64_t depth,
                char *to)
{
	const reading *read = x->a.read;
	const int64_t step = side_step(&x->a, x->a.sum);
	tile_run runs[TILE_DEPTH], *end = runs_find(&x->a, k, depth, runs);

	for (int r = 0; r < n; r++)
		for (const tile_run *of = runs; of < end; of++) {
			const char *from = row[r] + of->offset;
			if (step == read->item) read->line(to, from, of->length);
			for (int64_t j = 0; step != read->item && j < of->length; j++)
				read->line(to + j * read->wide, from + j * step, 1);
			to += of->length * read->wide;
		}
}

/* a tile of rows that are of another dtype than the sums */
static void multiply_widened(const multiplication *x, const tile_width *with,
                             const panel_part *part, tile t)
{
	_Alignas(64) char room[TILE_ROWS * TILE_DEPTH * 8];
	const int64_t depth = part->lines;
	const tile_run all = {0, depth};
	const char *row[TILE_ROWS];

	widen_rows(x, t.row, t.nrows, part->line, depth, room);
	for (int r = 0; r < with->rows; r++)
		row[r] = room + least(r, t.nrows - 1) * depth * x->a.read->wide;
	t.row = row;
	t.next = NULL;
	t.runs = &all;
	t.end = &all + 1;
	t.step = x->a.read->wide;
	with->multiply(&t);
}

/* lines ahead to ask for at a time, so that all are asked for while a panel is multiplied by so
 * many tiles */
static int64_t lines_at_once(const tile_lines *ahead, int64_t tiles)
{
	const int64_t times = tiles * TILE_DEPTH / TUNE_AHEAD_STEPS;
	const int64_t pieces = (ahead->left + 1) * shares(ahead->bytes, TILE_BYTES);

	return times ? shares(pieces, times) : 1;
}

/* m rows of x from row i on; c: of the first of them, at the panel's first column */
static void multiply_panel(const multiplication *x, const tile_width *with, const panel_part *part,
                           int64_t i, int64_t m, lines c, tile_lines *ahead)
{
	_Alignas(64) char room[TILE_DEPTH * TILE_BYTES];
	tile_run runs[TILE_DEPTH];
	const bool widened = x->a.read->from != x->a.read->to;
	/* rows from there on are below the diagonal */
	const int64_t below = x->above ? part->column + part->n - x->row : i + m;
	const int64_t end = least(i + m, below);
	/* later panels find the rows in a cache */
	const bool far = part->column == x->column;
	tile t = {.row = x->rows + i,
	          .runs = runs,
	          .end = runs_find(&x->a, part->line, part->lines, runs),
	          .step = side_step(&x->a, x->a.sum),
	          .depth = part->lines,
	          .c = c.at,
	          .apart_c = c.apart,
	          .ncolumns = (int)part->n,
	          .adds = part->line > x->first,
	          .ahead = ahead,
	          .each = lines_at_once(ahead, shares(end - i, with->rows))};

	take_lines(x, part, m, room, &t);
	for (; i < end; i += with->rows) {
		t.nrows = (int)least(end - i, with->rows);
		t.next = far && i + with->rows < end ? t.row + with->rows : NULL;
		if (x->pairs)
			pairs_tile(x, with, part, t);
		else if (widened)
			multiply_widened(x, with, part, t);
		else if (t.copy) {
			with->copying(&t);
			t.b = t.copy;
			t.apart_b = part->width * x->b.read->wide;
			t.copy = NULL;
		} else
			with->multiply(&t);
		t.row += with->rows;
		t.c += with->rows * c.apart;
	}
}

/* rows i .. i + m - 1 of the block are there: its epilogue, if it has one, computes them */
static void follow(const multiplication *x, int64_t i, int64_t m)
{
	const native_epilogue *e = x->epilogue;
	const int64_t row = x->above_rows + x->row + i;

	if (e) e->run(e->x, row, row + m, x->column, x->column + x->n);
}

/* ---- a block */

enum { PAGE = 4096, WHOLE_TILES = 24 /* rows, of six and of eight */ };

static panel_part part_at(const multiplication *x, const tile_width *with, int64_t j, int64_t k)
{
	return (panel_part){x->first + k, least(x->k - k, TILE_DEPTH), x->column + j,
	                    least(x->n - j, with->columns), with->columns};
}

/* the part that comes after this one: of the next panel, or of the next chain. false: this one is
 * the last */
static bool next_part(const multiplication *x, const panel_part *at, panel_part *next)
{
	const int64_t j = at->column + at->n - x->column, k = at->line + at->lines - x->first;

	if (j < x->n)
		*next = part_at(x, width_for(x, x->n - j), j, at->line - x->first);
	else if (k < x->k)
		*next = part_at(x, width_for(x, x->n), 0, k);
	return j < x->n || k < x->k;
}

/* what is to be asked for while a panel is computed: the next one. The first one is asked for at
 * once */
static tile_lines lines_ahead(const multiplication *x, const panel_part *at)
{
	panel_part next;

	if (at->column == x->column && at->line == x->first) {
		tile_lines own = panel_lines(&x->b, at);
		while (own.left > 0) ahead_lines(&own, LINE_BYTES);
	}
	return panel_lines(&x->b, next_part(x, at, &next) ? &next : at);
}

/* Rows whose part of a chain and whose results stay in the cache of a core, beside a panel:
 *
 *     2 MiB, f32, 512 columns    rows * (256 + 512) * 4 + 64 KiB <= 1 MiB: 312, but at most 192
 *     512 KiB                                                   <= 256 KiB: 48 */
static int64_t rows_in_cache(const multiplication *x)
{
	const int64_t cache = topology_cache(2);
	const int64_t each = (TILE_DEPTH + x->n) * x->b.read->wide;
	const int64_t rows = (cache / 2 - TILE_DEPTH * TILE_BYTES) / each;

	if (!cache || rows > TUNE_ROWS_AT_ONCE) return TUNE_ROWS_AT_ONCE;
	return rows < 2 * WHOLE_TILES ? WHOLE_TILES : rows / WHOLE_TILES * WHOLE_TILES;
}

/* Rows that are multiplied with all columns before the next ones are. Panels that are copied would
 * be copied again for these. So all rows come first then, unless they are pages apart: their parts
 * share the few places of a cache that a piece of a page may have, and 512 drive each other out */
static int64_t rows_at_once(const multiplication *x)
{
	const bool pages = x->m > 1 && (x->rows[1] - x->rows[0]) % PAGE == 0;
	const bool laid_out = panel_columns(x->kind, x->b.own, x->b.sum);
	const int64_t rows = laid_out ? rows_in_cache(x) : TUNE_ROWS_AT_ONCE;
	const int64_t times = (x->m + rows / 2) / rows;

	if ((!pages && !laid_out) || times < 2) return x->m;
	return shares(shares(x->m, times), WHOLE_TILES) * WHOLE_TILES;
}

/* rows i .. i + m - 1, and the contracted elements of the chain at k */
static void multiply_chain(const multiplication *x, int64_t k, int64_t i, int64_t m)
{
	for (int64_t j = 0; j < x->n;) {
		const tile_width *with = width_for(x, x->n - j);
		const panel_part part = part_at(x, with, j, k);
		const lines c = {x->c.at + i * x->c.apart + j * x->write->item, x->c.apart};
		tile_lines ahead = lines_ahead(x, &part);
		multiply_panel(x, with, &part, i, m, c, &ahead);
		j += part.n;
	}
}

/* chain by chain: sums are where the results are */
static void multiply_plain(const multiplication *x)
{
	const int64_t rows = rows_at_once(x);

	for (int64_t i = 0; i < x->m; i += rows) {
		const int64_t m = least(rows, x->m - i);
		for (int64_t k = 0; k < x->k; k += TILE_DEPTH) multiply_chain(x, k, i, m);
		follow(x, i, m);
	}
}

/* the same for results of a narrower dtype: sums are in memory of their own, for some rows of a
 * panel, until all chains are added */
static void multiply_rounded(const multiplication *x)
{
	enum { ROWS = 256 };
	_Alignas(64) char sum[ROWS * TILE_BYTES];

	for (int64_t j = 0, n; j < x->n; j += n) {
		const tile_width *with = width_for(x, x->n - j);
		n = least(x->n - j, with->columns);
		for (int64_t i = 0; i < x->m; i += ROWS) {
			const int64_t m = least(x->m - i, ROWS);
			for (int64_t k = 0; k < x->k; k += TILE_DEPTH) {
				const panel_part part = part_at(x, with, j, k);
				tile_lines ahead = panel_lines(&x->b, &part);
				multiply_panel(x, with, &part, i, m, (lines){sum, TILE_BYTES},
				               &ahead);
			}
			for (int64_t r = 0; r < m; r++)
				x->write->line(x->c.at + (i + r) * x->c.apart + j * x->write->item,
				               sum + r * TILE_BYTES, n);
		}
	}
	follow(x, 0, x->m);
}

typedef void way(const multiplication *);

/* NULL: by tiles */
static way *special_way(const multiplication *x)
{
	if (has_integers(x)) return multiply_integers;
	if (x->pairs) return NULL;
	if (has_blocks(x)) return multiply_blocks;
	if (has_dots(x)) return multiply_dots;
	return is_thin(x) ? multiply_thin : NULL;
}

void multiply(const multiplication *x)
{
	way *const special = special_way(x);

	if (!special) {
		(x->write->from == x->write->to ? multiply_plain : multiply_rounded)(x);
		return;
	}
	special(x);
	follow(x, 0, x->m);
}
