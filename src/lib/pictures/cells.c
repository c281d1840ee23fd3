/* cells.c - finds the cells of a picture: the devices that hold each part of an array, the size of
 * each cell in characters, and the breaks of its text into lines.
 *
 * Rows are the parts of one dim and columns those of another; where one dim is shown there is one
 * row. A cell's size follows that of its part: the array is 10 lines high, or `scale` times as
 * many, a character is 2.5 times as high as wide, and cells are from min_width to max_width wide
 * before the blanks at both ends are taken off. As long as all fits into max_width columns the
 * sizes are those of JAX's visualize_array_sharding. Where it does not, the original squeezes
 * columns until names get lost; here columns share them evenly, names are broken behind commas, and
 * a table whose names need more columns becomes wider. Dims of size 0, which the original refuses,
 * are drawn as if all parts were equal. */
#include <stdlib.h>
#include "lib/pictures/pictures.h"

enum { HEIGHT = 10 };

static int column_dim(const picture *p) { return p->shown.dim[p->shown.n - 1]; }
static int row_dim(const picture *p) { return p->shown.n == 2 ? p->shown.dim[0] : -1; }

void picture_range(const picture *p, int d, int64_t part, int64_t *start, int64_t *stop)
{
	const int64_t dim = p->dims[d], parts = sharding_parts(p->sharding, d);
	const int64_t block = dim / parts + (dim % parts != 0);

	*start = part > 0 && block > dim / part ? dim : part * block;
	*stop = block > dim - *start ? dim : *start + block;
}

/* tab20b of d3 and matplotlib */
const uint8_t picture_palette[PICTURE_COLOURS][3] = {
	{57, 59, 121},   {82, 84, 163},   {107, 110, 207}, {156, 158, 222}, {99, 121, 57},
	{140, 162, 82},  {181, 207, 107}, {206, 219, 156}, {140, 109, 49},  {189, 158, 57},
	{231, 186, 82},  {231, 203, 148}, {132, 60, 57},   {173, 73, 74},   {214, 97, 107},
	{231, 150, 156}, {123, 65, 115},  {165, 81, 148},  {206, 109, 189}, {222, 158, 214},
};

/* ---- which devices are in which cell */

static int64_t cell_of_device(const picture *p, int64_t k)
{
	const int down = row_dim(p), across = column_dim(p);
	const int64_t row = down < 0 ? 0 : sharding_part(p->sharding, down, k);

	return row * p->columns + sharding_part(p->sharding, across, k);
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
		picture_cell *c = &p->cell[cell_of_device(p, k)];
		c->device[c->ndevices++] = sharding_device(p->sharding, k);
	}
	for (int64_t i = 0; i < ncells; i++) {
		picture_cell *c = &p->cell[i];
		qsort(c->device, (size_t)c->ndevices, sizeof *c->device, by_value);
		c->length = (int64_t)sizeof PICTURE_KIND - 1 + c->ndevices - 1;
		for (int64_t d = 0; d < c->ndevices; d++) c->length += number_length(c->device[d]);
	}
}

/* ---- sizes */

/* the size of part number `part` as a fraction of its dim */
static double share(const picture *p, int d, int64_t part)
{
	int64_t start, stop;

	if (p->dims[d] == 0) return 1 / (double)sharding_parts(p->sharding, d);
	picture_range(p, d, part, &start, &stop);
	return (double)(stop - start) / (double)p->dims[d];
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
	picture_cell *c = &p->cell[row * p->columns + column];
	const double first = (double)p->dims[p->shown.dim[0]];
	const double across = p->shown.n == 2 ? (double)p->dims[p->shown.dim[1]] : 1;
	const double aspect = first > 0 ? across / first : 1, whole = p->height * aspect;
	const double base_width = whole < 1e15 ? (double)(int64_t)whole : whole;
	const double wide = share(p, column_dim(p), column) * base_width * 2.5;
	const int64_t least = p->options.min_width, most = p->options.max_width;
	const int64_t wanted = wide < (double)least  ? least
	                       : wide > (double)most ? most
	                                             : (int64_t)wide;
	const int64_t width = wanted > most ? most : wanted;
	const int64_t height =
		p->shown.n == 1 ? 1 : (int64_t)(share(p, row_dim(p), row) * p->height);

	pad(width - 2, c->length, p->options.colour, &c->left, &c->right);
	pad(height - 2, 0, p->options.colour, &c->top, &c->bottom);
}

/* the longest piece of a cell's text that is never broken: the kind and the first id, or an id */
static int64_t longest_piece(const picture_cell *c)
{
	int64_t longest = 0;

	for (int64_t d = 0; d < c->ndevices; d++) {
		const int64_t kind = d ? 0 : (int64_t)sizeof PICTURE_KIND - 1;
		const int64_t length = kind + number_length(c->device[d]) + (d + 1 < c->ndevices);
		if (length > longest) longest = length;
	}
	return longest;
}

static void size_columns(picture *p)
{
	const int64_t borders = p->options.colour ? 0 : p->columns + 1;
	int64_t total = borders;

	for (int64_t j = 0; j < p->columns; j++) {
		for (int64_t i = 0; i < p->rows; i++) {
			const picture_cell *c = &p->cell[i * p->columns + j];
			const int64_t width = c->left + c->length + c->right;
			if (width > p->width[j]) p->width[j] = width;
		}
		total += p->width[j];
	}
	if (total <= p->options.max_width) return;
	const int64_t even = (p->options.max_width - borders) / p->columns;
	for (int64_t j = 0; j < p->columns; j++) {
		int64_t width = even;
		for (int64_t i = 0; i < p->rows; i++) {
			picture_cell *c = &p->cell[i * p->columns + j];
			const int64_t piece = longest_piece(c);
			if (piece > width) width = piece;
			c->left = c->right = 0;
		}
		if (width < p->width[j]) p->width[j] = width;
	}
}

/* ---- a cell's text, broken into lines */

/* How many devices from number `first` on are named on one line of `width`, and its length. */
int64_t picture_line(const picture_cell *c, int64_t first, int64_t width, int64_t *length)
{
	int64_t n = 0;

	*length = first ? 0 : (int64_t)sizeof PICTURE_KIND - 1;
	while (first + n < c->ndevices) {
		const int64_t comma = first + n + 1 < c->ndevices;
		const int64_t more = number_length(c->device[first + n]) + comma;
		if (n && *length + more > width) break;
		*length += more;
		n++;
	}
	return n;
}

int64_t picture_lines(const picture_cell *c, int64_t width)
{
	int64_t lines = 0, length;

	for (int64_t at = 0; at < c->ndevices; lines++) at += picture_line(c, at, width, &length);
	return lines;
}

void picture_names(str *s, const picture_cell *c, int64_t first, int64_t n)
{
	if (first == 0 && n) str_put(s, PICTURE_KIND);
	for (int64_t d = first; d < first + n; d++)
		str_printf(s, d + 1 < c->ndevices ? "%lld," : "%lld", (long long)c->device[d]);
}

/* ---- which dims */

shown_dims picture_dims(const sharding *s, int ndim)
{
	shown_dims shown = {.n = 0};

	if (ndim <= 2) return ndim == 1 ? (shown_dims){1, {0}} : (shown_dims){2, {0, 1}};
	for (int d = 0; d < ndim && shown.n < 2; d++)
		if (sharding_parts(s, d) > 1) shown.dim[shown.n++] = d;
	return shown.n ? shown : (shown_dims){1, {0}};
}

bool picture_has_all_dims(const picture *p)
{
	for (int i = 0; i < p->shown.n; i++)
		if (p->shown.dim[i] != i) return false;
	return p->shown.n == p->ndim;
}

/* "; dim 1 is cut too", "; dims 1 and 3 are cut too", or nothing, of the dims that are not drawn */
static void put_other_cuts(str *s, const picture *p)
{
	int cut[MAX_AXES], n = 0; /* an axis cuts one dim at most */

	for (int d = 0; d < p->sharding->spec.ndim; d++)
		if (d != row_dim(p) && d != column_dim(p) && sharding_parts(p->sharding, d) > 1)
			cut[n++] = d;
	if (!n) return;
	str_put(s, n == 1 ? "; dim " : "; dims ");
	for (int i = 0; i < n; i++)
		str_printf(s, !i ? "%d" : i < n - 1 ? ", %d" : " and %d", cut[i]);
	str_put(s, n == 1 ? " is cut too" : " are cut too");
}

void picture_caption(str *s, const picture *p)
{
	if (row_dim(p) >= 0) str_printf(s, "dim %d down, ", row_dim(p));
	str_printf(s, "dim %d across", column_dim(p));
	if (picture_has_all_dims(p)) return;
	str_put(s, ", of [");
	str_dims(s, p->dims, p->ndim);
	str_put(s, "]");
	put_other_cuts(s, p);
}

/* ---- all of it */

bool picture_make(base *b, picture *p)
{
	const sharding *s = p->sharding;
	const shown_dims shown = p->shown;

	p->height = (double)(int64_t)(HEIGHT * p->options.scale);
	p->rows = shown.n == 1 ? 1 : sharding_parts(s, row_dim(p));
	p->columns = sharding_parts(s, column_dim(p));
	p->cell = mem_array(b, (size_t)(p->rows * p->columns), sizeof *p->cell);
	p->devices = mem_array(b, (size_t)sharding_ndevices(s), sizeof *p->devices);
	p->width = mem_array(b, (size_t)p->columns, sizeof *p->width);
	if (!p->cell || !p->devices || !p->width) return false;
	find_devices(p);
	for (int64_t i = 0; i < p->rows; i++)
		for (int64_t j = 0; j < p->columns; j++) size_cell(p, i, j);
	size_columns(p);
	return true;
}

void picture_free(base *b, picture *p)
{
	mem_free(b, p->cell);
	mem_free(b, p->devices);
	mem_free(b, p->width);
}

int64_t picture_row_lines(const picture *p, int64_t i)
{
	int64_t lines = 0;

	for (int64_t j = 0; j < p->columns; j++) {
		const picture_cell *c = &p->cell[i * p->columns + j];
		const int64_t n = c->top + picture_lines(c, p->width[j]) + c->bottom;
		if (n > lines) lines = n;
	}
	return lines;
}
