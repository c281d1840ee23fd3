/* fft_lines.c - eval of fft: lines to blocks, long lines, and inconvenient lengths.
 *
 * A line of up to TUNE_FFT_BLOCK complex numbers is transformed in a block, with others beside it.
 * A longer one is a matrix of r rows and c columns whose columns are transformed, as many at a time
 * as there are lanes; element k of column j is multiplied by w^(j k), and then rows are
 * transformed. Of the 6 numbers 0 .. 5, with w = e^(-2 pi i / 6), r = 2 and c = 3:
 *
 *     0 1 2    columns    3   5   7    powers    3   5        7         rows    15 -3+1.7i -3-1.7i
 *     3 4 5              -3  -3  -3             -3  -1.5+2.6i 1.5+2.6i          -3+5.2i -3 -3-5.2i
 *
 * Read by columns, this is the transform: 15, -3+5.2i, -3+1.7i, -3, -3-1.7i, -3-5.2i.
 *
 * An inverse is a transform whose operand and result have their parts swapped. Real numbers of an
 * even count are taken for half as many complex ones. Where a prime factor is above
 * FFT_LONGEST_PRIME, a transform is a convolution with a convenient length:
 * w^(j k) = c(j) c(k) / c(k - j) with c(k) = w^(k^2 / 2) (Bluestein). */
#include <math.h>
#include "prim/fft.h"
#include "prim/places.h"

static const fft_params *params_of(const eqn *e) { return e->params; }

/* ---- one line as a matrix */

static fft_place line_of(void *x, int64_t at, int64_t step, int64_t imag)
{
	return (fft_place){.x = x, .at = {at}, .step = step, .imag = imag, .count = 1};
}

static fft_place numbers_of(void *x) { return line_of(x, 0, 2, 1); }

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

static void transform_long(const fft_plan *p, const fft_place *from, const fft_place *to,
                           double scale)
{
	const int64_t rows = p->rows.n, columns = p->columns.n;
	const size_t bytes = (size_t)(columns * p->v->lanes) * fft_number_size(p);

	for (int64_t j = 0; j < columns; j += p->v->lanes) {
		const fft_place some = beside(p, from, j, columns, columns);
		if (j % FFT_MOST_LANES == 0)
			fft_fill_first(p->real, &p->circle, rows, j, p->twist.first);
		p->v->load(&some, rows, p->x);
		p->v->twist(&p->twist, rows, columns, j, some.count,
		            p->v->transform(&p->rows, p->x, p->y), p->turned);
	}
	for (int64_t k = 0; k < rows; k += p->v->lanes) {
		const fft_place some = beside(p, to, k, rows, rows);
		char *const here = (char *)p->turned + (size_t)(k / p->v->lanes) * bytes;
		p->v->store(&some, columns, p->v->transform(&p->columns, here, p->y), scale);
	}
}

/* ---- convolutions */

static c128 swapped(c128 z) { return __builtin_complex(cimag(z), creal(z)); }

static void fill_chirp(const fft_plan *p)
{
	const fft_place line = numbers_of(p->line), made = numbers_of(p->kernel);

	for (int64_t k = 0, square = 0; k < p->m; k++) {
		const c128 c = fft_root(square, 2 * p->m); /* square is k^2 modulo 2m */
		fft_put(p->real, p->chirp, k, c);
		fft_put(p->real, p->back, k, conj(c));
		square = (square + 2 * k + 1) % (2 * p->m);
	}
	for (int64_t k = 0; k < p->size; k++) fft_put(p->real, p->line, k, 0);
	for (int64_t k = 0; k < p->m; k++) {
		const c128 c = fft_get(p->real, p->back, k);
		fft_put(p->real, p->line, k, c);
		if (k) fft_put(p->real, p->line, p->size - k, c);
	}
	if (p->is_long) {
		transform_long(p, &line, &made, 1 / (double)p->size);
		return;
	}
	p->v->load(&line, p->size, p->x);
	p->v->store(&made, p->size, p->v->transform(&p->columns, p->x, p->y), 1 / (double)p->size);
}

/* m complex numbers of a long line */
static void convolve_long(const fft_plan *p, const fft_place *from, const fft_place *to,
                          double scale)
{
	const fft_place line = numbers_of(p->line);

	for (int64_t k = 0; k < p->size; k++) {
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
	transform_long(p, &line, &line, 1);
	for (int64_t k = 0; k < p->size; k++) {
		const c128 z = fft_get(p->real, p->line, k);
		fft_put(p->real, p->line, k, swapped(mul_c128(z, fft_get(p->real, p->kernel, k))));
	}
	transform_long(p, &line, &line, scale);
	for (int64_t k = 0; k < p->m; k++) {
		const c128 z = swapped(fft_get(p->real, p->line, k));
		const c128 y = mul_c128(z, fft_get(p->real, p->chirp, k));
		const int64_t at = to->at[0] + k * to->step;
		fft_put_part(p->real, to, at, creal(y));
		if (to->imag) fft_put_part(p->real, to, at + to->imag, cimag(y));
	}
}

static void complex_long(const fft_plan *p, const fft_place *from, const fft_place *to,
                         double scale)
{
	if (p->size == p->m)
		transform_long(p, from, to, scale);
	else
		convolve_long(p, from, to, scale);
}

/* the same in a block: of x, with y for room, or the other way round */
static void *complex_block(const fft_plan *p, void *x, void *y)
{
	const size_t item = (size_t)p->v->lanes * fft_number_size(p);

	if (p->size == p->m) return p->v->transform(&p->columns, x, y);
	p->v->multiply(p->m, x, p->chirp, false);
	memset((char *)x + (size_t)p->m * item, 0, (size_t)(p->size - p->m) * item);
	void *z = p->v->transform(&p->columns, x, y);
	p->v->multiply(p->size, z, p->kernel, true);
	z = p->v->transform(&p->columns, z, z == x ? y : x);
	p->v->multiply(p->m, z, p->back, true);
	return z;
}

/* ---- lines as the equation has them: places of its elements, imag 1 where they are complex */

static fft_place parts_swapped(fft_place p)
{
	for (int l = 0; l < p.count; l++) p.at[l] += p.imag;
	p.imag = -p.imag;
	return p;
}

/* real numbers, two by two; or as the real parts of complex ones */
static fft_place as_complex(const fft_plan *p, fft_place at)
{
	at.imag = p->half ? at.step : 0;
	if (p->half) at.step *= 2;
	return at;
}

static void do_block(const fft_plan *p, fft_place from, fft_place to)
{
	const double scale = 1 / (double)p->n;
	void *z;

	switch (p->type) {
	case FFT_FFT:
		p->v->load(&from, p->n, p->x);
		p->v->store(&to, p->n, complex_block(p, p->x, p->y), 1);
		break;
	case FFT_IFFT:
		from = parts_swapped(from);
		to = parts_swapped(to);
		p->v->load(&from, p->n, p->x);
		p->v->store(&to, p->n, complex_block(p, p->x, p->y), scale);
		break;
	case FFT_RFFT:
		from = as_complex(p, from);
		p->v->load(&from, p->m, p->x);
		z = complex_block(p, p->x, p->y);
		if (p->half) {
			void *const whole = z == p->x ? p->y : p->x;
			p->v->untangle(p->m, p->halves, z, whole);
			z = whole;
		}
		p->v->store(&to, p->n / 2 + 1, z, 1);
		break;
	default:
		p->v->load(&from, p->n / 2 + 1, p->x);
		to = as_complex(p, to);
		if (p->half) {
			p->v->tangle(p->m, p->halves, p->x, p->y);
			to = parts_swapped(to);
			z = complex_block(p, p->y, p->x);
		} else {
			p->v->mirror(p->n, p->x);
			z = complex_block(p, p->x, p->y);
		}
		p->v->store(&to, p->m, z, scale);
	}
}

/* pairs of elements k and m - k for which k <= m / 2, as many at a time as there are lanes; 0 is
 * paired with m. from may be to */
static void do_pairs(const fft_plan *p, const fft_place *from, const fft_place *to)
{
	const int64_t end = p->m / 2 + 1;
	fft_place back = line_of(from->x, from->at[0] + p->m * from->step, -from->step, 1);
	fft_place to_back = line_of(to->x, to->at[0] + p->m * to->step, -to->step, 1);

	for (int64_t k = 0; k < end; k += p->v->lanes) {
		const fft_place a = beside(p, from, k, end, 1), b = beside(p, &back, k, end, 1);
		const fft_place to_a = beside(p, to, k, end, 1),
				to_b = beside(p, &to_back, k, end, 1);
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
}

static void copy_number(const fft_plan *p, const fft_place *from, int64_t i, const fft_place *to,
                        int64_t k, double imag)
{
	const int64_t at = from->at[0] + i * from->step, to_at = to->at[0] + k * to->step;

	fft_put_part(p->real, to, to_at, fft_get_part(p->real, from, at));
	fft_put_part(p->real, to, to_at + to->imag,
	             imag * fft_get_part(p->real, from, at + from->imag));
}

static void rfft_long(const fft_plan *p, const fft_place *from, const fft_place *to)
{
	const fft_place reals = as_complex(p, *from), other = numbers_of(p->other);

	if (p->half) {
		complex_long(p, &reals, to, 1);
		copy_number(p, to, 0, to, p->m, 1);
		do_pairs(p, to, to);
		return;
	}
	complex_long(p, &reals, &other, 1);
	for (int64_t k = 0; k <= p->n / 2; k++) copy_number(p, &other, k, to, k, 1);
}

static void irfft_long(const fft_plan *p, const fft_place *from, const fft_place *to)
{
	const fft_place other = numbers_of(p->other), reals = as_complex(p, *to);
	const fft_place turned = parts_swapped(reals);

	if (p->half) { /* the first and the last one are taken for real */
		const double a = fft_get_part(p->real, from, from->at[0]);
		const double b = fft_get_part(p->real, from, from->at[0] + p->m * from->step);
		do_pairs(p, from, &other);
		fft_put(p->real, p->other, 0, __builtin_complex(a - b, a + b));
		complex_long(p, &other, &turned, 1 / (double)p->n);
		return;
	}
	for (int64_t k = 0; k <= p->n / 2; k++) {
		copy_number(p, from, k, &other, k, k ? -1 : 0);
		if (k) copy_number(p, from, k, &other, p->n - k, 1);
	}
	complex_long(p, &other, &reals, 1 / (double)p->n);
}

static void do_long(const fft_plan *p, const fft_place *from, const fft_place *to)
{
	const fft_place turned = parts_swapped(*from), to_turned = parts_swapped(*to);

	switch (p->type) {
	case FFT_FFT: complex_long(p, from, to, 1); break;
	case FFT_IFFT: complex_long(p, &turned, &to_turned, 1 / (double)p->n); break;
	case FFT_RFFT: rfft_long(p, from, to); break;
	default: irfft_long(p, from, to);
	}
}

/* ---- the columns */

/* lines that stay in one part: those of a block */
static int64_t lines_together(const eqn *e)
{
	return params_of(e)->length > TUNE_FFT_BLOCK ? 1 : FFT_MOST_LANES;
}

/* not many: each part has memory and tables of its own */
int64_t fft_parts(const eqn *e, const type *const *in)
{
	const int64_t each = lines_together(e), most = TUNE_FFT_PARTS;
	const int64_t blocks = (lines_of(in[0], (int)params_of(e)->dim) + each - 1) / each;

	return blocks < 1 ? 1 : blocks < most ? blocks : most;
}

static int64_t first_line(const eqn *e, const type *x, int64_t part, int64_t parts)
{
	const int64_t each = lines_together(e), lines = lines_of(x, (int)params_of(e)->dim);
	const int64_t blocks = (lines + each - 1) / each;
	const int64_t first = (blocks / parts * part + blocks % parts * part / parts) * each;

	return first < lines ? first : lines;
}

size_t fft_scratch(const eqn *e, const type *const *in)
{
	fft_room count = {.bytes = 64}; /* to align it, too */

	fft_plan_in(&count, params_of(e), dtype_real(in[0]->dtype));
	return count.bytes;
}

/* the next lines, up to so many */
static fft_place lines_at(cursor *c, const void *x, tsr_dtype dtype, int64_t stride, int64_t n)
{
	const int64_t unit = dtype == dtype_real(dtype) ? 1 : 2;
	fft_place p = {.x = (void *)(uintptr_t)x, .step = stride * unit, .imag = 1};

	for (p.count = 0; p.count < n; p.count++) {
		p.at[p.count] = c->at * unit;
		cursor_next(c, 1);
	}
	return p;
}

void fft_eval(const eval_args *args)
{
	const fft_params *f = params_of(args->eqn);
	const type *x = args->in[0], *y = args->out[0];
	const int64_t parts = fft_parts(args->eqn, args->in);
	const int64_t end = args->end ? args->end : parts;
	fft_room r = {.at = (char *)(((uintptr_t)args->scratch + 63) / 64 * 64)};
	const fft_plan p = fft_plan_in(&r, f, dtype_real(x->dtype));
	const int64_t stride = dims_stride(x, (int)f->dim);
	cursor from = cursor_across(x, (int)f->dim), to = cursor_across(y, (int)f->dim);
	const int64_t first = first_line(args->eqn, x, args->first, parts);
	const int64_t last = first_line(args->eqn, x, end, parts);
	const int64_t most = p.is_long ? 1 : p.v->lanes;

	fft_fill_tables(&p);
	if (p.chirp) fill_chirp(&p);
	cursor_skip(&from, first);
	cursor_skip(&to, first);
	for (int64_t line = first; line < last; line += most) {
		const int64_t n = last - line < most ? last - line : most;
		const fft_place in = lines_at(&from, args->x[0], x->dtype, stride, n);
		const fft_place out = lines_at(&to, args->y[0], y->dtype, stride, n);
		if (p.is_long)
			do_long(&p, &in, &out);
		else
			do_block(&p, in, out);
	}
}
