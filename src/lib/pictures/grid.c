/* grid.c - texts in the frame that Python's tabulate calls "fancy_grid".
 *
 * A column is as wide as the longest line in it, and a row as high as the cell with most lines;
 * texts are at the left and at the top. Widths are counted in characters, not in bytes:
 *
 *     ╒═════════╤═══╕
 *     │ [[0 1]  │ a │
 *     │  [2 3]] │   │
 *     ├─────────┼───┤
 *     │ [[4 5]] │ ä │
 *     ╘═════════╧═══╛
 */
#include "lib/pictures/pictures.h"

bool grid_make(base *b, grid *g, int64_t rows, int64_t columns)
{
	*g = (grid){.rows = rows, .columns = columns};
	g->cell = mem_array(b, (size_t)(rows * columns), sizeof *g->cell);
	g->width = mem_array(b, (size_t)columns, sizeof *g->width);
	for (int64_t i = 0; g->cell && i < rows * columns; i++) g->cell[i].base = b;
	g->rest = mem_array(b, (size_t)columns, sizeof *g->rest);
	return g->cell && g->width && g->rest;
}

void grid_free(base *b, grid *g)
{
	for (int64_t i = 0; g->cell && i < g->rows * g->columns; i++) str_free(&g->cell[i]);
	mem_free(b, g->cell);
	mem_free(b, g->width);
	mem_free(b, g->rest);
}

/* the first line of what is left of a text, which is shortened by it; NULL: there is no more */
static const char *next_line(const char **text, size_t *length)
{
	const char *line = *text;

	if (!line) return NULL;
	*length = strcspn(line, "\n");
	*text = line[*length] ? line + *length + 1 : NULL;
	return line;
}

/* those of UTF-8: each has one byte that does not continue another */
static int64_t characters(const char *text, size_t n)
{
	int64_t count = 0;

	for (size_t i = 0; i < n; i++) count += ((unsigned char)text[i] & 0xC0) != 0x80;
	return count;
}

void grid_measure(const grid *g)
{
	size_t n;

	for (int64_t i = 0; i < g->rows * g->columns; i++) {
		int64_t *width = &g->width[i % g->columns];
		const char *text = g->cell[i].s;
		for (const char *line; (line = next_line(&text, &n));)
			if (characters(line, n) > *width) *width = characters(line, n);
	}
}

static void put_bar(str *out, const grid *g, const char *const bar[4])
{
	for (int64_t j = 0; j < g->columns; j++) {
		str_put(out, bar[j ? 2 : 0]);
		str_many(out, bar[1], g->width[j] + 2);
	}
	str_put(out, bar[3]);
	str_put(out, "\n");
}

/* the next line of a text, filled up to the width of its column */
static void put_line(str *out, const char **text, int64_t width)
{
	size_t n = 0;
	const char *line = next_line(text, &n);

	str_put(out, "│ ");
	if (line) str_putn(out, line, n);
	str_many(out, " ", width - (line ? characters(line, n) : 0) + 1);
}

static void put_row(str *out, const grid *g, const str *cell)
{
	bool more = false;

	for (int64_t j = 0; j < g->columns; j++) more |= (g->rest[j] = cell[j].s) != NULL;
	while (more) {
		more = false;
		for (int64_t j = 0; j < g->columns; j++) {
			put_line(out, &g->rest[j], g->width[j]);
			more |= g->rest[j] != NULL;
		}
		str_put(out, "│\n");
	}
}

void grid_draw(str *out, const grid *g, int64_t first, int64_t n)
{
	put_bar(out, g, (const char *[]){"╒", "═", "╤", "╕"});
	for (int64_t i = first; i < first + n; i++) {
		if (i > first) put_bar(out, g, (const char *[]){"├", "─", "┼", "┤"});
		put_row(out, g, &g->cell[i * g->columns]);
	}
	put_bar(out, g, (const char *[]){"╘", "═", "╧", "╛"});
}
