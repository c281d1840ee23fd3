/* panel.c - copies a panel of an operand, so that a tile finds its lines one behind the other.
 *
 * Of b with 2 lines and 5 columns, in panels of 4 columns:
 *
 *     0 1 2 3 4         0 1 2 3  5 6 7 8   4 0 0 0  9 0 0 0
 *     5 6 7 8 9         panel 0            panel 1
 *
 * Where columns are what is one behind the other in memory, squares are transposed in registers. */
#include "engine/cpu/native/products/multiply.h"
#include <string.h>
#include "engine/cpu/native/products/view.h"

int64_t side_step(const side *s, const view_dims *of)
{
	return s->read->item * (of->n ? of->stride[of->n - 1] : 1);
}

int64_t panel_columns(const tile_kind *kind, const view_dims *own, const view_dims *sum)
{
	const int column = own->n - 1, line = sum->n - 1;

	if (!kind || column < 1 || line < 0 || own->stride[column] != 1 ||
	    own->size[column] != sum->stride[line])
		return 0;
	for (int w = 0; w < TILE_WIDTHS - 1; w++) /* one vector is less than a panel */
		if (kind->width[w].columns == own->size[column]) return own->size[column];
	return 0;
}

tile_run *runs_find(const side *s, int64_t first, int64_t n, tile_run *to)
{
	view_place at = place_of(s->sum, first);

	for (; n > 0; n -= to++->length) {
		*to = (tile_run){at.offset * s->read->item, least(n, to_the_end(&at))};
		place_move(&at, to->length);
	}
	return to;
}

const char *panel_in_place(const side *b, const panel_part *of)
{
	const view_place column = place_of(b->own, of->column), line = place_of(b->sum, of->line);

	if (of->n < of->width || side_step(b, b->own) != b->read->item || !b->own->n ||
	    to_the_end(&column) < of->n || !b->sum->n || to_the_end(&line) < of->lines)
		return NULL;
	return b->at + (line.offset + column.offset) * b->read->item;
}

/* ---- lines that are runs of columns */

enum { VECTOR = 16 }; /* bytes of the shortest one: each tile has columns of whole vectors */

/* a line whose columns are n elements of dims, from a place on */
static void pack_line(const side *b, view_place column, const char *from, int64_t n, char *to)
{
	const reading *read = b->read;
	const int64_t step = side_step(b, b->own);

	for (int64_t run; n > 0; n -= run, to += run * read->wide) {
		const char *at = from + column.offset * read->item;
		run = least(n, to_the_end(&column));
		if (step == read->item) read->line(to, at, run);
		for (int64_t j = 0; step != read->item && j < run; j++)
			read->line(to + j * read->wide, at + j * step, 1);
		place_move(&column, run);
	}
}

/* lines that are `apart` from each other; what copies a vector is written out */
static void copy_lines(const char *from, int64_t apart, int64_t lines, int64_t bytes, char *to)
{
	for (int64_t i = 0; i < lines; i++, from += apart)
		for (int64_t j = 0; j < bytes; j += VECTOR, to += VECTOR)
			memcpy(to, from + j, VECTOR);
}

static void pack_lines(const side *b, const panel_part *of, char *to)
{
	const view_place first = place_of(b->own, of->column);
	view_place line = place_of(b->sum, of->line);
	const char *at = b->read->from == b->read->to ? panel_in_place(b, of) : NULL;
	const int64_t bytes = of->width * b->read->wide;

	if (at && bytes % VECTOR == 0) {
		copy_lines(at, side_step(b, b->sum), of->lines, bytes, to);
		return;
	}
	for (int64_t i = 0; i < of->lines; i++, place_move(&line, 1))
		pack_line(b, first, b->at + line.offset * b->read->item, of->n,
		          to + i * of->width * b->read->wide);
}

tile_lines panel_lines(const side *b, const panel_part *of)
{
	const view_place column = place_of(b->own, of->column), line = place_of(b->sum, of->line);
	const int64_t item = b->read->item, across = side_step(b, b->own),
		      along = side_step(b, b->sum);
	const char *at = b->at + (line.offset + column.offset) * item;
	const bool whole = to_the_end(&column) >= of->n && to_the_end(&line) >= of->lines;

	if (whole && across == item) return (tile_lines){at, along, of->n * item, 0, of->lines - 1};
	if (whole && along == item) return (tile_lines){at, across, of->lines * item, 0, of->n - 1};
	return (tile_lines){.at = at};
}

/* ---- columns that are runs of lines */

enum { MOST_COLUMNS = TILE_BYTES / 4 };

/* n lines of the columns x, from `at` on: squares, and what remains of lines and of columns */
static void turn(const char *const *x, int64_t at, int64_t n, const side *b, const panel_part *of,
                 char *to)
{
	const reading *read = b->read;
	const int64_t apart = of->width * read->wide, square = read->square;
	const int64_t lines = n - n % square, columns = of->n - of->n % square;

	for (int64_t j = 0; j < columns; j += square)
		for (int64_t i = 0; i < lines; i += square)
			read->turned(x + j, at + i * read->item, to + i * apart + j * read->wide,
			             apart);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = i < lines ? columns : 0; j < of->n; j++)
			read->line(to + i * apart + j * read->wide, x[j] + at + i * read->item, 1);
}

static void pack_columns(const side *b, const panel_part *of, char *to)
{
	const char *x[MOST_COLUMNS];
	const reading *read = b->read;
	view_place column = place_of(b->own, of->column), line = place_of(b->sum, of->line);

	for (int64_t j = 0; j < of->n; j++, place_move(&column, 1))
		x[j] = b->at + column.offset * read->item;
	for (int64_t left = of->lines, run; left > 0; left -= run) {
		run = least(left, to_the_end(&line));
		turn(x, line.offset * read->item, run, b, of, to);
		to += run * of->width * read->wide;
		place_move(&line, run);
	}
}

void panel_pack(const side *b, const panel_part *of, char *to)
{
	const int64_t item = b->read->item, wide = b->read->wide;

	for (int64_t i = 0; of->n < of->width && i < of->lines; i++)
		memset(to + (i * of->width + of->n) * wide, 0,
		       (size_t)((of->width - of->n) * wide));
	if (side_step(b, b->sum) == item && side_step(b, b->own) != item)
		pack_columns(b, of, to);
	else
		pack_lines(b, of, to);
}
