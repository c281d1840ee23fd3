/* picture.c - the table that JAX's visualize_array_sharding draws: who holds which part.
 *
 * Rows are the parts of dim 0 and columns those of dim 1; an array of one dim is one row. A cell
 * names the devices that hold the part, and its size follows that of the part: the array is 10
 * lines high, or `scale` times as many, a character is 2.5 times as high as wide, and cells are
 * from min_width to max_width wide before the blanks at both ends are taken off. As long as the
 * table fits into max_width columns the picture is the original's, byte for byte. Where it does
 * not, the original squeezes columns until names get lost; here columns share them evenly, names
 * are broken behind commas, and a table whose names need more columns becomes wider. Dims of size
 * 0, which the original refuses, are drawn as if all parts were equal.
 *
 * In colour there are no borders: a cell is an area of one colour of the palette tab20b (of d3 and
 * matplotlib), with its text in black on light colours and in white on dark ones; cell k of n takes
 * colour k * step mod n of n evenly spaced ones, so that neighbours differ. */
#include <stdlib.h>
#include "lib/pictures/pictures.h"

enum { HEIGHT = 10 };

static const char device_kind[] = "CPU ";

typedef struct cell {
	int64_t ndevices, *device;        /* ids, ascending */
	int64_t drawn;                    /* how many of them the lines so far name */
	int64_t length;                   /* of the text in one line */
	int64_t top, bottom, left, right; /* blanks around it */
} cell;

typedef struct picture {
	str *out;
	const sharding *sharding;
	const int64_t *dims;
	int ndim;
	bool colour;
	double height; /* of the whole, in lines */
	const picture_options *options;
	int64_t rows, columns;
	cell *cell;
	int64_t *devices; /* of all cells, one cell after another */
	int64_t *width;   /* of the columns */
} picture;

/* ---- which devices are in which cell */

static int64_t cell_of_device(const picture *p, int64_t k)
{
	if (p->ndim == 1) return sharding_part(p->sharding, 0, k);
	return sharding_part(p->sharding, 0, k) * p->columns + sharding_part(p->sharding, 1, k);
}

static int by_value(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t number_length(int64_t n)
{
	int64_t length = 1 + (n < 0);

	for (; n / 10; n /= 10) length++;
	return length;
}

static void find_devices(picture *p)
{
	const int64_t n = sharding_ndevices(p->sharding), ncells = p->rows * p->columns;
	int64_t *next = p->devices;

	for (int64_t k = 0; k < n; k++) p->cell[cell_of_device(p, k)].ndevices++;
	for (int64_t i = 0; i < ncells; i++) {
		p->cell[i].device = next;
		next += p->cell[i].ndevices;
		p->cell[i].ndevices = 0;
	}
	for (int64_t k = 0; k < n; k++) {
		cell *c = &p->cell[cell_of_device(p, k)];
		c->device[c->ndevices++] = sharding_device(p->sharding, k);
	}
	for (int64_t i = 0; i < ncells; i++) {
		cell *c = &p->cell[i];
		qsort(c->device, (size_t)c->ndevices, sizeof *c->device, by_value);
		c->length = (int64_t)sizeof device_kind - 1 + c->ndevices - 1;
		for (int64_t d = 0; d < c->ndevices; d++) c->length += number_length(c->device[d]);
	}
}

/* ---- sizes */

/* the size of part number `part` as a fraction of its dim */
static double share(const picture *p, int d, int64_t part)
{
	const int64_t dim = p->dims[d], parts = sharding_parts(p->sharding, d);

	if (dim == 0) return 1 / (double)parts;
	const int64_t block = dim / parts + (dim % parts != 0);
	const int64_t start = part > dim / block ? dim : part * block;
	return (double)(dim - start < block ? dim - start : block) / (double)dim;
}

/* of all but a colour's wider cells, which have a blank more on each side */
static void pad(int64_t size, int64_t text, bool wider, int64_t *before, int64_t *after)
{
	const int64_t room = size - text, half = (room - (room < 0 && room % 2)) / 2;

	*before = half + wider;
	*after = room - half + wider;
	if (*before < 0) *before = 0;
	if (*after < 0) *after = 0;
}

static void size_cell(picture *p, int64_t row, int64_t column)
{
	cell *c = &p->cell[row * p->columns + column];
	const double across = p->ndim == 2 ? (double)p->dims[1] : 1, down = (double)p->dims[0];
	const double aspect = down > 0 ? across / down : 1, whole = p->height * aspect;
	const double base_width = whole < 1e15 ? (double)(int64_t)whole : whole;
	const double wide = share(p, p->ndim - 1, column) * base_width * 2.5;
	const int64_t least = p->options->min_width, most = p->options->max_width;
	const int64_t wanted = wide < (double)least  ? least
	                       : wide > (double)most ? most
	                                             : (int64_t)wide;
	const int64_t width = wanted > most ? most : wanted;
	const int64_t height = p->ndim == 1 ? 1 : (int64_t)(share(p, 0, row) * p->height);

	pad(width - 2, c->length, p->colour, &c->left, &c->right);
	pad(height - 2, 0, p->colour, &c->top, &c->bottom);
}

/* the longest piece of a cell's text that is never broken: the kind and the first id, or an id */
static int64_t longest_piece(const cell *c)
{
	int64_t longest = 0;

	for (int64_t d = 0; d < c->ndevices; d++) {
		const int64_t kind = d ? 0 : (int64_t)sizeof device_kind - 1;
		const int64_t length = kind + number_length(c->device[d]) + (d + 1 < c->ndevices);
		if (length > longest) longest = length;
	}
	return longest;
}

static void size_columns(picture *p)
{
	const int64_t borders = p->colour ? 0 : p->columns + 1;
	int64_t total = borders;

	for (int64_t j = 0; j < p->columns; j++) {
		for (int64_t i = 0; i < p->rows; i++) {
			const cell *c = &p->cell[i * p->columns + j];
			const int64_t width = c->left + c->length + c->right;
			if (width > p->width[j]) p->width[j] = width;
		}
		total += p->width[j];
	}
	if (total <= p->options->max_width) return;
	const int64_t even = (p->options->max_width - borders) / p->columns;
	for (int64_t j = 0; j < p->columns; j++) {
		int64_t width = even;
		for (int64_t i = 0; i < p->rows; i++) {
			cell *c = &p->cell[i * p->columns + j];
			const int64_t piece = longest_piece(c);
			if (piece > width) width = piece;
			c->left = c->right = 0;
		}
		if (width < p->width[j]) p->width[j] = width;
	}
}

/* ---- one cell's text, broken into lines */

/* How many devices from number `first` on are named on one line of `width`, and its length. */
static int64_t line_span(const cell *c, int64_t first, int64_t width, int64_t *length)
{
	int64_t n = 0;

	*length = first ? 0 : (int64_t)sizeof device_kind - 1;
	while (first + n < c->ndevices) {
		const int64_t comma = first + n + 1 < c->ndevices;
		const int64_t more = number_length(c->device[first + n]) + comma;
		if (n && *length + more > width) break;
		*length += more;
		n++;
	}
	return n;
}

static int64_t line_count(const cell *c, int64_t width)
{
	int64_t lines = 0, length;

	for (int64_t at = 0; at < c->ndevices; lines++) at += line_span(c, at, width, &length);
	return lines;
}

static void put_many(str *s, const char *what, int64_t n)
{
	for (; n > 0; n--) str_put(s, what);
}

static void put_names(str *s, const cell *c, int64_t first, int64_t n)
{
	if (first == 0 && n) str_put(s, device_kind);
	for (int64_t d = first; d < first + n; d++)
		str_printf(s, d + 1 < c->ndevices ? "%lld," : "%lld", (long long)c->device[d]);
}

/* ---- colour */

static const uint8_t tab20b[20][3] = {
	{57, 59, 121},   {82, 84, 163},   {107, 110, 207}, {156, 158, 222}, {99, 121, 57},
	{140, 162, 82},  {181, 207, 107}, {206, 219, 156}, {140, 109, 49},  {189, 158, 57},
	{231, 186, 82},  {231, 203, 148}, {132, 60, 57},   {173, 73, 74},   {214, 97, 107},
	{231, 150, 156}, {123, 65, 115},  {165, 81, 148},  {206, 109, 189}, {222, 158, 214},
};

/* Cell number k of n: the palette at index / (n - 1), where the index goes on by half of n. */
static const uint8_t *colour_of(int64_t k, int64_t n)
{
	const int64_t step = n / 2 + (n % 2 == 0);
	const int64_t index = k * step % n; /* at most 2^20 devices */
	const double at = n > 1 ? (double)index * (1 / (double)(n - 1)) : 0;
	const int entry = (int)(at * 20);

	return tab20b[index == n - 1 && n > 1 ? 19 : entry > 19 ? 19 : entry];
}

static void put_style(str *s, const uint8_t *c)
{
	const bool light = c[0] * 0.299 + c[1] * 0.587 + c[2] * 0.114 > 186;

	str_put(s, light ? "\x1b[38;2;0;0;0;" : "\x1b[38;2;255;255;255;");
	str_printf(s, "48;2;%d;%d;%dm", c[0], c[1], c[2]);
}

/* ---- drawing */

/* The next line of a cell, which is its number `line`: blanks, or names, centred. */
static void draw_line(const picture *p, int64_t i, int64_t j, int64_t line)
{
	cell *c = &p->cell[i * p->columns + j];
	const int64_t width = p->width[j], first = c->drawn;
	int64_t length = 0, left = 0;

	if (line >= c->top && first < c->ndevices) {
		c->drawn += line_span(c, first, width, &length);
		left = c->left + (width - c->left - c->right - length) / 2;
	}
	if (p->colour) put_style(p->out, colour_of(i * p->columns + j, p->rows * p->columns));
	put_many(p->out, " ", left);
	put_names(p->out, c, first, c->drawn - first);
	put_many(p->out, " ", width - left - length);
	if (p->colour) str_put(p->out, "\x1b[0m");
}

static void draw_border(const picture *p, const char *left, const char *middle, const char *right)
{
	if (p->colour) return;
	for (int64_t j = 0; j < p->columns; j++) {
		str_put(p->out, j ? middle : left);
		put_many(p->out, "─", p->width[j]);
	}
	str_put(p->out, right);
	str_put(p->out, "\n");
}

static void draw_row(const picture *p, int64_t i)
{
	int64_t lines = 0;

	for (int64_t j = 0; j < p->columns; j++) {
		const cell *c = &p->cell[i * p->columns + j];
		const int64_t n = c->top + line_count(c, p->width[j]) + c->bottom;
		if (n > lines) lines = n;
	}
	for (int64_t line = 0; line < lines; line++) {
		for (int64_t j = 0; j < p->columns; j++) {
			if (!p->colour) str_put(p->out, "│");
			draw_line(p, i, j, line);
		}
		str_put(p->out, p->colour ? "\n" : "│\n");
	}
}

void picture_draw(str *out, const sharding *s, const int64_t *dims, int ndim,
                  const picture_options *o)
{
	base *b = out->base;
	picture p = {.out = out, .sharding = s, .dims = dims, .ndim = ndim, .colour = o->colour,
	             .height = (double)(int64_t)(HEIGHT * o->scale), .options = o};
	FLOAT_DEFAULT;

	p.rows = ndim == 1 ? 1 : sharding_parts(s, 0);
	p.columns = sharding_parts(s, ndim - 1);
	p.cell = mem_array(b, (size_t)(p.rows * p.columns), sizeof *p.cell);
	p.devices = mem_array(b, (size_t)sharding_ndevices(s), sizeof *p.devices);
	p.width = mem_array(b, (size_t)p.columns, sizeof *p.width);
	if (p.cell && p.devices && p.width) {
		find_devices(&p);
		for (int64_t i = 0; i < p.rows; i++)
			for (int64_t j = 0; j < p.columns; j++) size_cell(&p, i, j);
		size_columns(&p);
		draw_border(&p, "┌", "┬", "┐");
		for (int64_t i = 0; i < p.rows; i++) {
			if (i) draw_border(&p, "├", "┼", "┤");
			draw_row(&p, i);
		}
		draw_border(&p, "└", "┴", "┘");
	} else {
		out->lost = true;
	}
	mem_free(b, p.cell);
	mem_free(b, p.devices);
	mem_free(b, p.width);
}
