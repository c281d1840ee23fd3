/* svg.c - a picture as an SVG document, of the cells that the text has, in proportion.
 *
 *     f32[8,16]
 *     NamedSharding(mesh=Mesh('x': 2, 'y': 2), spec=P('x', 'y'))
 *     dim 0 down, dim 1 across
 *              0:8       8:16
 *          +---------++---------+
 *      0:4 |  CPU 0  ||  CPU 1  |     one rectangle for each cell, and beside rows and columns the
 *          +---------++---------+     indices that they hold
 *          +---------++---------+
 *      4:8 |  CPU 2  ||  CPU 3  |
 *          +---------++---------+
 *
 * It needs nothing but itself: no style sheet, script, font or picture from elsewhere. Names of
 * devices are black or white, whichever is clearer on their cell. All other text has a grey between
 * both, with a contrast of 4 to 1 to white as well as to the backgrounds of dark pages, because a
 * picture cannot know what it is put on. A cell without elements is an outline. Pointing at a cell
 * shows its indices along all dims, and its devices. */
#include "lib/pictures/pictures.h"

/* pixels: a character of the font, which is FONT high, is a little narrower than WIDE */
enum { WIDE = 8, HIGH = 20, FONT = 13, GAP = 2, MARGIN = 8, BASELINE = 5 };
enum { LINE = 120 }; /* characters of the longest line above the picture */
#define GREY "#7d7d7d"

typedef struct drawing {
	str *out;
	const picture *p;
	str sharding, caption; /* lines above the picture, as `type` is */
	const char *type;
	int64_t left, top; /* where the first cell begins */
	int64_t width, height;
} drawing;

/* ---- sizes */

static int64_t digits_of(int64_t n)
{
	int64_t count = 1;

	for (; n >= 10; n /= 10) count++;
	return count;
}

static void grow(int64_t *most, int64_t n)
{
	if (n > *most) *most = n;
}

/* how many characters "0:8" has, the indices of a part */
static int64_t range_length(const drawing *d, int dim, int64_t part)
{
	int64_t start, stop;

	picture_range(d->p, dim, part, &start, &stop);
	return digits_of(start) + 1 + digits_of(stop);
}

/* room for names and for the indices above them, with half a character at both ends */
static int64_t cell_width(const drawing *d, int64_t column)
{
	int64_t most = d->p->width[column];

	grow(&most, range_length(d, d->p->shown.dim[d->p->shown.n - 1], column));
	return (most + 1) * WIDE;
}

static int64_t cell_height(const drawing *d, int64_t row)
{
	return picture_row_lines(d->p, row) * HIGH;
}

static void size_document(drawing *d)
{
	const picture *p = d->p;
	int64_t labels = 0;

	for (int64_t i = 0; p->shown.n == 2 && i < p->rows; i++)
		grow(&labels, range_length(d, p->shown.dim[0], i) + 1);
	d->left = MARGIN + labels * WIDE;
	d->top = MARGIN + 4 * HIGH;
	d->width = d->left;
	d->height = d->top + MARGIN;
	for (int64_t j = 0; j < p->columns; j++) d->width += cell_width(d, j) + GAP;
	for (int64_t i = 0; i < p->rows; i++) d->height += cell_height(d, i) + GAP;
	grow(&d->width, MARGIN + (int64_t)strlen(d->type) * WIDE);
	grow(&d->width, MARGIN + (int64_t)d->sharding.len * WIDE);
	grow(&d->width, MARGIN + (int64_t)d->caption.len * WIDE);
	d->width += MARGIN;
}

/* ---- parts of the document */

static void put_text(str *out, int64_t x, int64_t y, const char *text)
{
	str_printf(out, "<text x=\"%lld\" y=\"%lld\">", (long long)x, (long long)y);
	str_markup(out, text);
	str_put(out, "</text>\n");
}

/* the indices of a part, "0:8", at the place of its text */
static void put_range(const drawing *d, int dim, int64_t part, int64_t x, int64_t y)
{
	int64_t start, stop;

	picture_range(d->p, dim, part, &start, &stop);
	str_printf(d->out, "<text x=\"%lld\" y=\"%lld\">%lld:%lld</text>\n", (long long)x,
	           (long long)y, (long long)start, (long long)stop);
}

static void put_labels(const drawing *d)
{
	const picture *p = d->p;
	int64_t x = d->left, y = d->top;

	str_put(d->out, "<g fill=\"" GREY "\">\n");
	put_text(d->out, MARGIN, MARGIN + FONT, d->type);
	put_text(d->out, MARGIN, MARGIN + FONT + HIGH, d->sharding.s ? d->sharding.s : "");
	put_text(d->out, MARGIN, MARGIN + FONT + 2 * HIGH, d->caption.s ? d->caption.s : "");
	str_put(d->out, "<g text-anchor=\"middle\">\n");
	for (int64_t j = 0; j < p->columns; x += cell_width(d, j++) + GAP)
		put_range(d, p->shown.dim[p->shown.n - 1], j, x + cell_width(d, j) / 2,
		          d->top - BASELINE);
	str_put(d->out, "</g>\n<g text-anchor=\"end\">\n");
	for (int64_t i = 0; p->shown.n == 2 && i < p->rows; i++) {
		const int64_t high = cell_height(d, i);
		put_range(d, p->shown.dim[0], i, d->left - WIDE, y + high / 2 + BASELINE);
		y += high + GAP;
	}
	str_put(d->out, "</g>\n</g>\n");
}

/* which part of a dim is in a cell; -1: none alone, the dim is not shown */
static int64_t part_in(const picture *p, int dim, int64_t row, int64_t column)
{
	if (dim == p->shown.dim[p->shown.n - 1]) return column;
	return p->shown.n == 2 && dim == p->shown.dim[0] ? row : -1;
}

/* "[0:4, :, 0:8] on CPU 0,1"; has it elements? */
static bool put_content(const drawing *d, int64_t row, int64_t column)
{
	const picture *p = d->p;
	const picture_cell *c = &p->cell[row * p->columns + column];
	bool some = true;

	for (int dim = 0; dim < p->ndim; dim++) {
		const int64_t part = part_in(p, dim, row, column);
		int64_t start = 0, stop = p->dims[dim];
		if (part >= 0) picture_range(p, dim, part, &start, &stop);
		some &= start < stop;
		str_put(d->out, dim ? ", " : "[");
		if (part >= 0)
			str_printf(d->out, "%lld:%lld", (long long)start, (long long)stop);
		else
			str_put(d->out, ":");
	}
	str_put(d->out, "] on ");
	picture_names(d->out, c, 0, c->ndevices);
	return some;
}

/* cells have other colours than those beside, above and below them, and across their corners */
static const uint8_t *colour_of(int64_t row, int64_t column)
{
	return picture_palette[(3 * row + 7 * column) % PICTURE_COLOURS];
}

static void put_fill(str *out, const uint8_t *c, bool some)
{
	const bool light = c[0] * 0.299 + c[1] * 0.587 + c[2] * 0.114 > 117;

	if (some)
		str_printf(out, " fill=\"#%02x%02x%02x\"/>\n<g fill=\"%s\">\n", c[0], c[1], c[2],
		           light ? "#000" : "#fff");
	else
		str_put(out, " fill=\"none\" stroke=\"" GREY
		             "\" stroke-dasharray=\"4 3\"/>\n<g fill=\"" GREY "\">\n");
}

/* in pixels */
typedef struct area {
	int64_t x, y, wide, high;
} area;

static void put_cell(const drawing *d, int64_t row, int64_t column, area in)
{
	const picture *p = d->p;
	const picture_cell *c = &p->cell[row * p->columns + column];
	const int64_t width = p->width[column];
	const int64_t lines = picture_lines(c, width);
	int64_t at = in.y + (in.high - (lines - 1) * HIGH) / 2 + BASELINE, length;

	str_put(d->out, "<g><title>");
	const bool some = put_content(d, row, column);
	str_printf(d->out, "</title><rect x=\"%lld\" y=\"%lld\" width=\"%lld\" height=\"%lld\"",
	           (long long)in.x, (long long)in.y, (long long)in.wide, (long long)in.high);
	put_fill(d->out, colour_of(row, column), some);
	for (int64_t first = 0, n; first < c->ndevices; first += n, at += HIGH) {
		n = picture_line(c, first, width, &length);
		str_printf(d->out, "<text x=\"%lld\" y=\"%lld\">", (long long)(in.x + in.wide / 2),
		           (long long)at);
		picture_names(d->out, c, first, n);
		str_put(d->out, "</text>\n");
	}
	str_put(d->out, "</g></g>\n");
}

static void put_document(const drawing *d)
{
	const picture *p = d->p;
	int64_t y = d->top;

	str_printf(d->out,
	           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%lld\" height=\"%lld\" "
	           "viewBox=\"0 0 %lld %lld\" role=\"img\" font-family=\"monospace\" "
	           "font-size=\"%d\">\n<title>",
	           (long long)d->width, (long long)d->height, (long long)d->width,
	           (long long)d->height, FONT);
	str_markup(d->out, d->type);
	str_put(d->out, ", ");
	str_markup(d->out, d->sharding.s ? d->sharding.s : "");
	str_put(d->out, "</title>\n");
	put_labels(d);
	str_put(d->out, "<g text-anchor=\"middle\">\n");
	for (int64_t i = 0; i < p->rows; i++) {
		area in = {.x = d->left, .y = y, .high = cell_height(d, i)};
		for (int64_t j = 0; j < p->columns; j++) {
			in.wide = cell_width(d, j);
			put_cell(d, i, j, in);
			in.x += in.wide + GAP;
		}
		y += in.high + GAP;
	}
	str_put(d->out, "</g>\n</svg>\n");
}

/* Shortens a text to a line: that of a positional sharding has a line for each row of its grid */
static void shorten(str *s)
{
	const size_t n = s->s ? strcspn(s->s, "\n") : 0, most = n < LINE ? n : LINE;

	if (most == s->len) return;
	s->len = most;
	str_put(s, "...");
}

void picture_svg(str *out, picture *p, const char *type)
{
	base *b = out->base;
	drawing d = {
		.out = out, .p = p, .type = type, .sharding = {.base = b}, .caption = {.base = b}};
	FLOAT_DEFAULT;

	sharding_text(&d.sharding, p->sharding);
	shorten(&d.sharding);
	picture_caption(&d.caption, p);
	if (picture_make(b, p) && !d.sharding.lost && !d.caption.lost) {
		size_document(&d);
		put_document(&d);
	} else {
		out->lost = true;
	}
	picture_free(b, p);
	str_free(&d.sharding);
	str_free(&d.caption);
}
