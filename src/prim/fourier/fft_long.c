/* fft_long.c - Fourier transforms of long lines, in stages that workers share.
 *
 * A line is a matrix of r rows and c columns whose columns are transformed, as many at a time as
 * there are lanes; element k of column j is multiplied by w^(j k), and then rows are transformed.
 * Of the 6 numbers 0 .. 5, with w = e^(-2 pi i / 6), r = 2 and c = 3:
 *
 *     0 1 2    columns    3   5   7    powers    3   5        7         rows    15 -3+1.7i -3-1.7i
 *     3 4 5              -3  -3  -3             -3  -1.5+2.6i 1.5+2.6i          -3+5.2i -3 -3-5.2i
 *
 * Read by columns, this is the transform: 15, -3+5.2i, -3+1.7i, -3, -3-1.7i, -3-5.2i.
 *
 * Where a prime factor is above FFT_LONGEST_PRIME, a transform is a convolution with a convenient
 * length: w^(j k) = c(j) c(k) / c(k - j) with c(k) = w^(k^2 / 2) (Bluestein). The stages of rfft:
 *
 *     of 2^20 numbers        tables powers columns rows pairs
 *     of 2 * 10007 numbers   tables powers chirp columns rows before columns rows between columns
 *                            rows after pairs
 *
 * A stage reads what the one before has written, so all parts finish it together. Which part does
 * what changes no bit: each takes runs of columns, of rows or of elements for itself. */
#include "prim/fourier/fft.h"

/* ---- a line as a matrix */

/* elements first, first + 1, ... of a line, each the first one of a line of every `every`-th */
static fft_place beside(const fft_plan *p, const fft_place *line, int64_t first, int64_t end,
                        int64_t every)
{
	fft_place to = *line;

	to.count = (int)(end - first < p->v->lanes ? end - first : p->v->lanes);
	for (int l = 0; l < to.count; l++) to.at[l] = line->at[0] + (first + l) * line->step;
	to.step = every * line->step;
	return to;
}

static void do_columns(const fft_plan *p, const fft_place *from, const fft_place *to, double scale)
{
	const int64_t rows = p->rows.n, columns = p->columns.n;
	int64_t j, end;

	(void)to, (void)scale;
	for (fft_share_of(p, columns, &j, &end); j < end; j += p->v->lanes) {
		const fft_place some = beside(p, from, j, end, columns);
		if (j % FFT_MOST_LANES == 0)
			fft_fill_first(p->real, &p->circle, rows, j, p->twist.first);
		p->v->load(&some, rows, p->x);
		p->v->twist(&p->twist, rows, columns, j, some.count,
		            p->v->transform(&p->rows, p->x, p->y), p->turned);
	}
}

static void do_rows(const fft_plan *p, const fft_place *from, const fft_place *to, double scale)
{
	const int64_t rows = p->rows.n, columns = p->columns.n;
	const size_t bytes = (size_t)(columns * p->v->lanes) * fft_number_size(p);
	int64_t k, end;

	(void)from;
	for (fft_share_of(p, rows, &k, &end); k < end; k += p->v->lanes) {
		const fft_place some = beside(p, to, k, end, rows);
		char *const here = (char *)p->turned + (size_t)(k / p->v->lanes) * bytes;
		p->v->store(&some, columns, p->v->transform(&p->columns, here, p->y), scale);
	}
}

/* ---- convolutions of p->line with p->kernel */

static c128 swapped(c128 z) { return __builtin_complex(cimag(z), creal(z)); }

static void do_before(const fft_plan *p, const fft_place *from, const fft_place *to, double scale)
{
	int64_t k, end;

	(void)to, (void)scale;
	for (fft_share_of(p, p->size, &k, &end); k < end; k++) {
		const int64_t at = from->at[0] + k * from->step;
		c128 z = 0;
		if (k < p->m) {
			const double im =
				from->imag ? fft_get_part(p->real, from, at + from->imag) : 0;
			z = __builtin_complex(fft_get_part(p->real, from, at), im);
			z = mul_c128(z, fft_get(p->real, p->chirp, k));
		}
		fft_put(p->real, p->line, k, z);
	}
}

static void do_between(const fft_plan *p, const fft_place *from, const fft_place *to, double scale)
{
	int64_t k, end;

	(void)from, (void)to, (void)scale;
	for (fft_share_of(p, p->size, &k, &end); k < end; k++) {
		const c128 z = fft_get(p->real, p->line, k);
		fft_put(p->real, p->line, k, swapped(mul_c128(z, fft_get(p->real, p->kernel, k))));
	}
}

static void do_after(const fft_plan *p, const fft_place *from, const fft_place *to, double scale)
{
	int64_t k, end;

	(void)from, (void)scale;
	for (fft_share_of(p, p->m, &k, &end); k < end; k++) {
		const c128 z = swapped(fft_get(p->real, p->line, k));
		const c128 y = mul_c128(z, fft_get(p->real, p->chirp, k));
		const int64_t at = to->at[0] + k * to->step;
		fft_put_part(p->real, to, at, creal(y));
		if (to->imag) fft_put_part(p->real, to, at + to->imag, cimag(y));
	}
}

/* ---- real numbers */

static void copy_number(const fft_plan *p, const fft_place *from, int64_t i, const fft_place *to,
                        int64_t k, double imag)
{
	const int64_t at = from->at[0] + i * from->step, to_at = to->at[0] + k * to->step;

	fft_put_part(p->real, to, to_at, fft_get_part(p->real, from, at));
	fft_put_part(p->real, to, to_at + to->imag,
	             imag * fft_get_part(p->real, from, at + from->imag));
}

/* elements k and m - k, of as many k from this one on as there are lanes */
static void do_some_pairs(const fft_plan *p, const fft_place *from, const fft_place *to, int64_t k,
                          int64_t end)
{
	const fft_place back =
		fft_line(from->x, from->at[0] + p->m * from->step, -from->step, 1);
	const fft_place to_back = fft_line(to->x, to->at[0] + p->m * to->step, -to->step, 1);
	const fft_place a = beside(p, from, k, end, 1), b = beside(p, &back, k, end, 1);
	const fft_place to_a = beside(p, to, k, end, 1), to_b = beside(p, &to_back, k, end, 1);
	const int64_t first = k - k % FFT_MOST_LANES;
	const size_t behind = (size_t)(k - first) * tsr_dtype_size(p->real);

	fft_put(p->real, p->pairs.first, 0, fft_power(&p->ends, first));
	const fft_powers w = {p->pairs.first, (char *)p->pairs.behind + behind};
	p->v->load(&a, 1, p->x);
	p->v->load(&b, 1, p->y);
	(p->type == FFT_RFFT ? p->v->untangle_pairs : p->v->tangle_pairs)(&w, p->x, p->y);
	p->v->store(&to_b, 1, p->y, 1);
	p->v->store(&to_a, 1, p->x, 1);
}

/* The pairs for which k <= m / 2. 0 is paired with m: of rfft that is the same number, of irfft
 * both are taken for real. from may be to */
static void do_pairs(const fft_plan *p, const fft_place *from, const fft_place *to, double scale)
{
	int64_t k, end;
	double a = 0, b = 0;

	(void)scale;
	fft_share_of(p, p->m / 2 + 1, &k, &end);
	const bool first = k == 0 && end > 0;
	if (first && p->type == FFT_RFFT) copy_number(p, to, 0, to, p->m, 1);
	if (first) {
		a = fft_get_part(p->real, from, from->at[0]);
		b = fft_get_part(p->real, from, from->at[0] + p->m * from->step);
	}
	for (; k < end; k += p->v->lanes) do_some_pairs(p, from, to, k, end);
	if (first && p->type == FFT_IRFFT)
		fft_put(p->real, to->x, 0, __builtin_complex(a - b, a + b));
}

/* of an odd count: the first half of a transform, which says all, and back */
static void do_half(const fft_plan *p, const fft_place *from, const fft_place *to, double scale)
{
	int64_t k, end;

	(void)scale;
	for (fft_share_of(p, p->n / 2 + 1, &k, &end); k < end; k++)
		copy_number(p, from, k, to, k, 1);
}

static void do_mirror(const fft_plan *p, const fft_place *from, const fft_place *to, double scale)
{
	int64_t k, end;

	(void)scale;
	for (fft_share_of(p, p->n / 2 + 1, &k, &end); k < end; k++) {
		copy_number(p, from, k, to, k, k ? -1 : 0);
		if (k) copy_number(p, from, k, to, p->n - k, 1);
	}
}

/* ---- stages */

static void do_tables(const fft_plan *p, const fft_place *from, const fft_place *to, double scale)
{
	(void)from, (void)to, (void)scale;
	fft_fill_tables(p);
}

static void do_powers(const fft_plan *p, const fft_place *from, const fft_place *to, double scale)
{
	(void)from, (void)to, (void)scale;
	fft_fill_powers(p);
}

static void do_chirp(const fft_plan *p, const fft_place *from, const fft_place *to, double scale)
{
	(void)from, (void)to, (void)scale;
	fft_fill_chirp(p);
}

static void add(fft_stages *s, fft_work *work, const fft_place *from, const fft_place *to,
                double scale)
{
	s->v[s->n++] = (struct fft_stage){work, *from, *to, scale};
}

static void add_matrix(fft_stages *s, const fft_place *from, const fft_place *to, double scale)
{
	add(s, do_columns, from, to, scale);
	add(s, do_rows, from, to, scale);
}

/* m complex numbers */
static void add_complex(fft_stages *s, const fft_plan *p, const fft_place *from,
                        const fft_place *to, double scale)
{
	const fft_place line = fft_numbers(p->line);

	if (p->size == p->m) {
		add_matrix(s, from, to, scale);
		return;
	}
	add(s, do_before, from, to, 1);
	add_matrix(s, &line, &line, 1);
	add(s, do_between, from, to, 1);
	add_matrix(s, &line, &line, scale);
	add(s, do_after, from, to, 1);
}

static void add_tables(fft_stages *s, const fft_plan *p)
{
	const fft_place line = fft_numbers(p->line), kernel = fft_numbers(p->kernel);

	add(s, do_tables, &line, &line, 1);
	add(s, do_powers, &line, &line, 1);
	if (p->size != p->m) {
		add(s, do_chirp, &line, &line, 1);
		add_matrix(s, &line, &kernel, 1 / (double)p->size);
	}
	s->tables = s->n;
}

void fft_stages_of(const fft_plan *p, const fft_place *from, const fft_place *to, fft_stages *s)
{
	const fft_place other = fft_numbers(p->other);
	const fft_place in = fft_parts_swapped(*from), out = fft_parts_swapped(*to);
	const fft_place reals = fft_as_complex(p, p->type == FFT_RFFT ? *from : *to);
	const fft_place turned = fft_parts_swapped(reals);
	const double scale = 1 / (double)p->n;

	s->n = 0;
	add_tables(s, p);
	switch (p->type) {
	case FFT_FFT: add_complex(s, p, from, to, 1); break;
	case FFT_IFFT: add_complex(s, p, &in, &out, scale); break;
	case FFT_RFFT:
		add_complex(s, p, &reals, p->half ? to : &other, 1);
		if (p->half)
			add(s, do_pairs, to, to, 1);
		else
			add(s, do_half, &other, to, 1);
		break;
	default:
		add(s, p->half ? do_pairs : do_mirror, from, &other, 1);
		add_complex(s, p, &other, p->half ? &turned : &reals, scale);
	}
}
