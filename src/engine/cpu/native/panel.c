/* panel.c - copies a panel of b, so that a tile finds its lines one behind the other.
 *
 * Of b with 2 lines and 5 columns, in panels of 4 columns:
 *
 *     0 1 2 3 4         0 1 2 3  5 6 7 8   4 0 0 0  9 0 0 0
 *     5 6 7 8 9         panel 0            panel 1
 *
 * Where columns are what is one behind the other in memory, squares are transposed in registers. */
#include "engine/cpu/native/panel.h"
#include <string.h>
#include "engine/cpu/native/view.h"
#ifdef __x86_64__
#include <immintrin.h>
#endif

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* of dims: what is between elements along the last one, in bytes */
static int64_t step_of(const view_dims *of, int64_t item)
{
	return of->n ? of->stride[of->n - 1] * item : item;
}

tile_run *runs_find(const side *s, int64_t first, int64_t n, tile_run *to)
{
	view_place at = place_of(s->sum, first);

	for (; n > 0; n -= to++->length) {
		*to = (tile_run){at.offset * s->item, least(n, to_the_end(&at))};
		place_move(&at, to->length);
	}
	return to;
}

/* ---- lines that are runs of columns */

/* short ones, for which a call of memcpy takes long */
#ifdef __x86_64__
static __attribute__((target("avx"))) void copy_line(char *to, const char *from, int64_t bytes)
{
	int64_t i = 0;

	for (; i + 32 <= bytes; i += 32)
		_mm256_storeu_ps((float *)(void *)(to + i),
		                 _mm256_loadu_ps((const float *)(const void *)(from + i)));
	for (; i < bytes; i += 4) memcpy(to + i, from + i, 4);
}
#else
static void copy_line(char *to, const char *from, int64_t bytes)
{
	memcpy(to, from, (size_t)bytes);
}
#endif

static void copy_apart(char *to, const char *from, int64_t n, int64_t step, int64_t item)
{
	for (int64_t j = 0; j < n; j++) memcpy(to + j * item, from + j * step, (size_t)item);
}

/* a line whose columns are n elements of dims, from a place on */
static void pack_line(const side *b, view_place column, const char *from, int64_t n, char *to)
{
	const int64_t step = step_of(b->own, b->item);

	for (int64_t run; n > 0; n -= run, to += run * b->item) {
		run = least(n, to_the_end(&column));
		if (step == b->item)
			copy_line(to, from + column.offset * b->item, run * b->item);
		else
			copy_apart(to, from + column.offset * b->item, run, step, b->item);
		place_move(&column, run);
	}
}

static void pack_lines(const side *b, const panel_part *of, char *to)
{
	const view_place first = place_of(b->own, of->column);
	view_place line = place_of(b->sum, of->line);

	for (int64_t i = 0; i < of->lines; i++, place_move(&line, 1), to += of->width * b->item)
		pack_line(b, first, b->at + line.offset * b->item, of->n, to);
}

const char *panel_in_place(const side *b, const panel_part *of)
{
	const view_place column = place_of(b->own, of->column), line = place_of(b->sum, of->line);

	if (of->n < of->width || step_of(b->own, b->item) != b->item || !b->own->n ||
	    to_the_end(&column) < of->n || !b->sum->n || to_the_end(&line) < of->lines)
		return NULL;
	return b->at + (line.offset + column.offset) * b->item;
}

/* ---- columns that are runs of lines */

enum { MOST_COLUMNS = TILE_BYTES / 4 };

/* squares of 8 x 8 numbers of 4 bytes, or 4 x 4 of 8: x[j] has what becomes column j */
#ifdef __x86_64__
static __attribute__((target("avx"))) void square_4(const char *const *x, int64_t at, char *to,
                                                    int64_t apart)
{
	__m256 r[8], s[8];

	WRITTEN_OUT for (int i = 0; i < 8; i++) r[i] =
		_mm256_loadu_ps((const float *)(const void *)(x[i] + at));
	WRITTEN_OUT for (int i = 0; i < 8; i += 2)
	{
		s[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
		s[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
	}
	WRITTEN_OUT for (int i = 0; i < 8; i += 4) WRITTEN_OUT for (int j = 0; j < 2; j++)
	{
		r[i + 2 * j] = _mm256_shuffle_ps(s[i + j], s[i + 2 + j], 0x44);
		r[i + 2 * j + 1] = _mm256_shuffle_ps(s[i + j], s[i + 2 + j], 0xee);
	}
	WRITTEN_OUT for (int i = 0; i < 4; i++)
	{
		_mm256_storeu_ps((float *)(void *)(to + i * apart),
		                 _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
		_mm256_storeu_ps((float *)(void *)(to + (i + 4) * apart),
		                 _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
	}
}

static __attribute__((target("avx"))) void square_8(const char *const *x, int64_t at, char *to,
                                                    int64_t apart)
{
	__m256d r[4], s[4];

	WRITTEN_OUT for (int i = 0; i < 4; i++) r[i] =
		_mm256_loadu_pd((const double *)(const void *)(x[i] + at));
	WRITTEN_OUT for (int i = 0; i < 4; i += 2)
	{
		s[i] = _mm256_unpacklo_pd(r[i], r[i + 1]);
		s[i + 1] = _mm256_unpackhi_pd(r[i], r[i + 1]);
	}
	WRITTEN_OUT for (int i = 0; i < 2; i++)
	{
		_mm256_storeu_pd((double *)(void *)(to + i * apart),
		                 _mm256_permute2f128_pd(s[i], s[i + 2], 0x20));
		_mm256_storeu_pd((double *)(void *)(to + (i + 2) * apart),
		                 _mm256_permute2f128_pd(s[i], s[i + 2], 0x31));
	}
}
#endif

/* n lines of the columns x, from `at` on */
static void turn(const char *const *x, int64_t at, int64_t n, const side *b, const panel_part *of,
                 char *to)
{
	const int64_t item = b->item, apart = of->width * item, step = step_of(b->sum, item);
	int64_t j = 0, i = 0;

#ifdef __x86_64__
	const int64_t square = 32 / item;
	for (; step == item && j + square <= of->n; j += square)
		for (i = 0; i + square <= n; i += square)
			(item == 4 ? square_4 : square_8)(x + j, at + i * item,
			                                  to + i * apart + j * item, apart);
	for (int64_t k = i; k < n; k++)
		for (int64_t l = 0; l < j; l++)
			memcpy(to + k * apart + l * item, x[l] + at + k * step, (size_t)item);
#endif
	for (i = 0; i < n; i++)
		for (int64_t l = j; l < of->n; l++)
			memcpy(to + i * apart + l * item, x[l] + at + i * step, (size_t)item);
}

static void pack_columns(const side *b, const panel_part *of, char *to)
{
	const char *x[MOST_COLUMNS];
	view_place column = place_of(b->own, of->column), line = place_of(b->sum, of->line);

	for (int64_t j = 0; j < of->n; j++, place_move(&column, 1))
		x[j] = b->at + column.offset * b->item;
	for (int64_t left = of->lines, run; left > 0; left -= run) {
		run = least(left, to_the_end(&line));
		turn(x, line.offset * b->item, run, b, of, to);
		to += run * of->width * b->item;
		place_move(&line, run);
	}
}

void panel_pack(const side *b, const panel_part *of, char *to)
{
	for (int64_t i = 0; of->n < of->width && i < of->lines; i++)
		memset(to + (i * of->width + of->n) * b->item, 0,
		       (size_t)((of->width - of->n) * b->item));
	if (step_of(b->sum, b->item) == b->item && step_of(b->own, b->item) != b->item)
		pack_columns(b, of, to);
	else
		pack_lines(b, of, to);
}
