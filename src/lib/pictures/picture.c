/* picture.c - a picture as text: the table that JAX's visualize_array_sharding draws, byte for byte
 * as long as names fit.
 *
 * A cell names the devices that hold the part. In colour there are no borders: a cell is an area of
 * one colour, with its text in black on light colours and in white on dark ones. */
#include "lib/pictures/pictures.h"

/* JAX's choice. Cell number k of n has the palette at index / (n - 1), where the index goes on by a
 * little more than half of n, so that neighbours differ, but for those of n = 2, which are alike */
static const uint8_t *colour_of(int64_t k, int64_t n)
{
	const int64_t step = n / 2 + (n % 2 == 0);
	const int64_t index = k * step % n; /* at most 2^20 devices */
	const double at = n > 1 ? (double)index * (1 / (double)(n - 1)) : 0;
	const int entry = (int)(at * PICTURE_COLOURS);

	return picture_palette[entry < PICTURE_COLOURS ? entry : PICTURE_COLOURS - 1];
}

static void put_style(str *s, const uint8_t *c)
{
	const bool light = c[0] * 0.299 + c[1] * 0.587 + c[2] * 0.114 > 186;

	str_put(s, light ? "\x1b[38;2;0;0;0;" : "\x1b[38;2;255;255;255;");
	str_printf(s, "48;2;%d;%d;%dm", c[0], c[1], c[2]);
}

/* ---- drawing */

/* The next line of a cell, which is its number `line`: blanks, or names, centred. */
static void draw_line(str *out, const picture *p, int64_t i, int64_t j, int64_t line)
{
	picture_cell *c = &p->cell[i * p->columns + j];
	const int64_t width = p->width[j], first = c->drawn;
	int64_t length = 0, left = 0;

	if (line >= c->top && first < c->ndevices) {
		c->drawn += picture_line(c, first, width, &length);
		left = c->left + (width - c->left - c->right - length) / 2;
	}
	if (p->options.colour) put_style(out, colour_of(i * p->columns + j, p->rows * p->columns));
	str_many(out, " ", left);
	picture_names(out, c, first, c->drawn - first);
	str_many(out, " ", width - left - length);
	if (p->options.colour) str_put(out, "\x1b[0m");
}

static void draw_border(str *out, const picture *p, const char *left, const char *middle,
                        const char *right)
{
	if (p->options.colour) return;
	for (int64_t j = 0; j < p->columns; j++) {
		str_put(out, j ? middle : left);
		str_many(out, "─", p->width[j]);
	}
	str_put(out, right);
	str_put(out, "\n");
}

static void draw_row(str *out, const picture *p, int64_t i)
{
	const int64_t lines = picture_row_lines(p, i);

	for (int64_t line = 0; line < lines; line++) {
		for (int64_t j = 0; j < p->columns; j++) {
			if (!p->options.colour) str_put(out, "│");
			draw_line(out, p, i, j, line);
		}
		str_put(out, p->options.colour ? "\n" : "│\n");
	}
}

void picture_draw(str *out, picture *p)
{
	FLOAT_DEFAULT;

	if (picture_make(out->base, p)) {
		if (!picture_has_all_dims(p)) {
			picture_caption(out, p);
			str_put(out, "\n");
		}
		draw_border(out, p, "┌", "┬", "┐");
		for (int64_t i = 0; i < p->rows; i++) {
			if (i) draw_border(out, p, "├", "┼", "┤");
			draw_row(out, p, i);
		}
		draw_border(out, p, "└", "┴", "┘");
	} else {
		out->lost = true;
	}
	picture_free(out->base, p);
}
