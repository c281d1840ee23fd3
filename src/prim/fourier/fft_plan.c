/* fft_plan.c - plans the Fourier transform of a length: its factors, memory and powers. */
#include <math.h>
#include "prim/fourier/fft.h"
#include "prim/cursors.h"

/* ---- powers */

/* e^(-2 pi i k / n), 0 <= k < n, by numbers of the first eighth of the circle */
static c128 fft_root(int64_t k, int64_t n)
{
	const double turn = 2 * 0x1.921fb54442d18p+1;

	if (2 * k > n) return conj(fft_root(n - k, n));
	if (4 * k > n) { /* past a quarter: the other side of the axis */
		const c128 r = fft_root(n - 2 * k, 2 * n);
		return __builtin_complex(-creal(r), cimag(r));
	}
	if (8 * k > n) { /* the sine of the rest of the quarter is the cosine */
		const double rest = turn * ((double)(n - 4 * k) / (4 * (double)n));
		return __builtin_complex(sin_f64(rest), -cos_f64(rest));
	}
	const double angle = turn * ((double)k / (double)n);
	return __builtin_complex(cos_f64(angle), -sin_f64(angle));
}

/* the first `count` of n; quarters of the circle are alike */
static void fill_roots(tsr_dtype real, int64_t n, int64_t count, void *to)
{
	const int64_t quarter = n / 4;

	for (int64_t k = 0; k < count; k++) {
		if (n % 4 || k <= quarter) {
			fft_put(real, to, k, fft_root(k, n));
		} else {
			const c128 before = fft_get(real, to, k - quarter);
			fft_put(real, to, k, __builtin_complex(cimag(before), -creal(before)));
		}
	}
}

static int bits_of(int64_t n)
{
	int bits = 0;

	while ((int64_t)1 << 2 * bits < n) bits++;
	return bits;
}

/* w^e of e = coarse * 2^bits + fine: two tables of sqrt(n) powers instead of one of n */
c128 fft_power(const fft_circle *c, int64_t e)
{
	return mul_c128(c->coarse[e >> c->bits], c->fine[e & (((int64_t)1 << c->bits) - 1)]);
}

static void fill_circle(const fft_plan *p, const fft_circle *c)
{
	int64_t k, end;

	for (fft_share_of(p, (int64_t)1 << c->bits, &k, &end); k < end; k++) {
		c->fine[k] = fft_root(k % c->n, c->n);
		c->coarse[k] = fft_root((k << c->bits) % c->n, c->n);
	}
}

void fft_fill_first(tsr_dtype real, const fft_circle *c, int64_t rows, int64_t first, void *to)
{
	for (int64_t k = 0; k < rows; k++) fft_put(real, to, k, fft_power(c, k * first));
}

/* w^(k l) for a row k and all l */
static void fill_behind(tsr_dtype real, const fft_circle *c, int64_t k, void *to)
{
	const fft_place p = {.x = to};

	for (int64_t l = 0; l < FFT_MOST_LANES; l++) {
		const c128 z = fft_power(c, k * l % c->n);
		fft_put_part(real, &p, l, creal(z));
		fft_put_part(real, &p, l + FFT_MOST_LANES, cimag(z));
	}
}

/* ---- lengths */

static int64_t least_factor(int64_t n)
{
	if (n % 4 == 0) return 4;
	for (int64_t p = 2; p <= FFT_LONGEST_PRIME; p++)
		if (n % p == 0) return p;
	return n;
}

/* n, or if it has a large prime factor the least convenient length for a convolution: at least
 * 2 n - 1, so that terms that wrap around overlap no result, and 1, 3, 5, 9 or 15 times a power of
 * two. 131 would take 261, and 288 = 9 * 32 is the least of 512, 384, 320, 288 and 480 */
static int64_t convenient(int64_t n)
{
	static const int64_t odd[] = {1, 3, 5, 9, 15};
	int64_t rest = n, best = 0;

	while (rest > 1 && least_factor(rest) <= FFT_LONGEST_PRIME) rest /= least_factor(rest);
	for (size_t i = 0; rest > 1 && i < ARRAY_LEN(odd); i++) {
		int64_t size = odd[i];
		while (size < 2 * n - 1) size *= 2;
		if (!best || size < best) best = size;
	}
	return rest > 1 ? best : n;
}

static fft_product factors_of(int64_t n)
{
	fft_product f = {.n = n};

	for (; n > 1; n /= f.factor[f.nfactors - 1]) f.factor[f.nfactors++] = (int)least_factor(n);
	return f;
}

/* the largest divisor up to the root */
static int64_t rows_of_line(int64_t n)
{
	int64_t rows = (int64_t)sqrt((double)n);

	while (n % rows) rows--;
	return rows;
}

/* ---- plans */

static void *take(fft_room *r, int64_t n, size_t item)
{
	void *here = r->at ? r->at + r->bytes : NULL;

	r->bytes += ((size_t)n * item + 63) / 64 * 64;
	return here;
}

/* for each part as many */
static void *take_own(fft_room *r, const fft_plan *p, int64_t n, size_t item)
{
	const size_t each = ((size_t)n * item + 63) / 64 * 64;
	char *all = take(r, p->share.parts, each);

	return all ? all + (size_t)p->share.room * each : NULL;
}

static int64_t larger(int64_t a, int64_t b) { return a < b ? b : a; }

static fft_circle circle_in(fft_room *r, int64_t n)
{
	fft_circle c = {.n = n, .bits = bits_of(n)};

	c.fine = take(r, (int64_t)1 << c.bits, sizeof *c.fine);
	c.coarse = take(r, (int64_t)1 << c.bits, sizeof *c.coarse);
	return c;
}

static fft_powers powers_in(fft_room *r, const fft_plan *p, int64_t rows)
{
	fft_powers made;

	made.first = take_own(r, p, rows, fft_number_size(p));
	made.behind = take(r, rows * FFT_MOST_LANES, fft_number_size(p));
	return made;
}

fft_plan fft_plan_in(fft_room *r, const fft_params *f, tsr_dtype real, fft_share share)
{
	const bool of_reals = f->type == FFT_RFFT || f->type == FFT_IRFFT;
	fft_plan p = {.v = fft_lanes_of(real),
	              .share = share,
	              .real = real,
	              .type = f->type,
	              .n = f->length};

	p.half = of_reals && p.n % 2 == 0;
	p.m = p.half ? p.n / 2 : p.n;
	p.size = convenient(p.m);
	p.is_long = p.size > TUNE_FFT_BLOCK;
	const size_t item = fft_number_size(&p);
	const int64_t rows = p.is_long ? rows_of_line(p.size) : 1, columns = p.size / rows;
	const int64_t elements = p.is_long ? columns : larger(p.size, p.m + 1);
	p.rows = factors_of(rows);
	p.columns = factors_of(columns);
	p.rows.root = take(r, rows, item);
	p.columns.root = take(r, columns, item);
	p.x = take_own(r, &p, elements * FFT_MOST_LANES, item);
	p.y = take_own(r, &p, elements * FFT_MOST_LANES, item);
	if (p.half && !p.is_long) p.halves = take(r, p.m / 2 + 1, item);
	if (p.size != p.m) {
		p.chirp = take(r, p.m, item);
		p.back = take(r, p.m, item);
		p.kernel = take(r, p.size, item);
	}
	if (p.size != p.m) p.line = take(r, p.size, item);
	if (!p.is_long) return p;
	if (of_reals) p.other = take(r, p.n + 1, item);
	p.turned = take(r, (rows + FFT_MOST_LANES) * columns, item);
	p.circle = circle_in(r, p.size);
	p.twist = powers_in(r, &p, rows);
	if (p.half) p.ends = circle_in(r, p.n);
	if (p.half) p.pairs = powers_in(r, &p, 1);
	return p;
}

/* ---- tables, of which each part fills its share */

void fft_share_of(const fft_plan *p, int64_t n, int64_t *first, int64_t *end)
{
	const fft_share s = p->share;
	const int64_t runs = (n + FFT_MOST_LANES - 1) / FFT_MOST_LANES;
	const int64_t from = part_first(runs, s.parts, s.part) * FFT_MOST_LANES;
	const int64_t to = part_first(runs, s.parts, s.part + 1) * FFT_MOST_LANES;

	*first = from < n ? from : n;
	*end = to < n ? to : n;
}

void fft_fill_tables(const fft_plan *p)
{
	const bool first = p->share.part == 0, last = p->share.part == p->share.parts - 1;

	if (first) fill_roots(p->real, p->rows.n, p->rows.n, p->rows.root);
	if (last) fill_roots(p->real, p->columns.n, p->columns.n, p->columns.root);
	if (p->halves) fill_roots(p->real, p->n, p->m / 2 + 1, p->halves);
	if (p->is_long) fill_circle(p, &p->circle);
	if (p->is_long && p->half) fill_circle(p, &p->ends);
}

void fft_fill_powers(const fft_plan *p)
{
	const size_t row = FFT_MOST_LANES * fft_number_size(p);
	int64_t k, end;

	for (fft_share_of(p, p->rows.n, &k, &end); k < end; k++)
		fill_behind(p->real, &p->circle, k, (char *)p->twist.behind + (size_t)k * row);
	if (p->half && p->share.part == 0) fill_behind(p->real, &p->ends, 1, p->pairs.behind);
}

__extension__ typedef unsigned __int128 large;

void fft_fill_chirp(const fft_plan *p)
{
	int64_t k, end;

	fft_share_of(p, p->m, &k, &end);
	int64_t square = (int64_t)((large)k * (large)k % (large)(2 * p->m)); /* of k, modulo 2m */
	for (; k < end; k++) {
		fft_put(p->real, p->chirp, k, fft_root(square, 2 * p->m));
		const c128 back = conj(fft_get(p->real, p->chirp, k));
		fft_put(p->real, p->back, k, back);
		fft_put(p->real, p->line, k, back);
		if (k) fft_put(p->real, p->line, p->size - k, back);
		square = (square + 2 * k + 1) % (2 * p->m);
	}
	fft_share_of(p, p->size - 2 * p->m + 1, &k, &end);
	for (; k < end; k++) fft_put(p->real, p->line, p->m + k, 0);
}
