/* figures.c - prints the measurements of collectives as a table.
 *
 * Example: memory allows 40 GB to be read and written in a second. A psum of 1 MB on each of 4
 * devices reads 4 MB and writes 1, in 250 microseconds:
 *
 *                   bytes a device        time      GB/s  of the bound
 *     psum               1,500,000      250 µs         6          50 %
 *     all_gather         3,000,000      250 µs        12          80 %
 *     ppermute           1,000,000      260 ns         -    not copied
 *     all_to_all    -  the devices divide no dim of a block
 *
 * GB/s are the bytes that a device receives in a second; the share counts what all devices read and
 * write. */
#include "lib/timing/timing.h"

/* text in a column of this width, to the right */
static void put_right(str *s, int width, const char *text)
{
	for (const char *c = text; *c; c++) width -= (*c & 0xc0) != 0x80;
	while (width-- > 0) str_put(s, " ");
	str_put(s, text);
}

static void put_column(str *s, int width, str *text)
{
	put_right(s, width, text->s ? text->s : "");
	str_free(text);
}

/* 1,500,000 */
static void put_whole(str *s, double x)
{
	str digits = {.base = s->base};

	str_real(&digits, x, 'f', 0);
	for (size_t i = 0; i < digits.len; i++) {
		if (i && (digits.len - i) % 3 == 0) str_put(s, ",");
		str_putn(s, digits.s + i, 1);
	}
	str_free(&digits);
}

static void put_name(str *s, const char *name)
{
	str_put(s, name);
	for (size_t n = strlen(name); n < 12; n++) str_put(s, " ");
}

static void put_figures(str *s, const figures *f, double rate)
{
	const moved_bytes *b = &f->bytes;
	str column = {.base = s->base};

	put_whole(&column, b->received);
	put_column(s, 16, &column);
	seconds_text(&column, f->seconds);
	put_column(s, 12, &column);
	if (b->moved > 0) str_real(&column, b->received / f->seconds / 1e9, 'g', 3);
	else str_put(&column, "-");
	put_column(s, 10, &column);
	if (b->moved > 0) str_real(&column, 100 * b->moved / f->seconds / rate, 'f', 0);
	str_put(&column, b->moved > 0 ? " %" : "not copied");
	put_column(s, 14, &column);
}

static void put_head(str *s)
{
	put_name(s, "");
	put_right(s, 16, "bytes a device");
	put_right(s, 12, "time");
	put_right(s, 10, "GB/s");
	put_right(s, 14, "of the bound");
	str_put(s, "\n");
}

void figures_table(str *s, const figures *f, size_t n, double rate)
{
	put_head(s);
	for (size_t i = 0; i < n; i++) {
		put_name(s, f[i].name);
		if (f[i].why_not) str_printf(s, "  -  %s", f[i].why_not);
		else put_figures(s, &f[i], rate);
		str_put(s, "\n");
	}
}
