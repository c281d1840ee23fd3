/* fft_lanes.h - computes Fourier transforms of as many lines as a vector has lanes, for one dtype
 * and one size of vectors; fft_lanes.c includes it for each.
 *
 * Nothing here mixes lanes but to read and to write them, and nothing is contracted. So the numbers
 * of a line are the same in any lane of any vector. A block of the lines a, b, c and d, in vectors
 * of 4 lanes, and the memory that it is read from, where the parts of a number are together:
 *
 *     memory   ar0 ai0 ar1 ai1 ..     block   ar0 br0 cr0 dr0     real parts of elements 0
 *              br0 bi0 br1 bi1 ..             ai0 bi0 ci0 di0     imaginary parts of elements 0
 *              cr0 ci0 cr1 ci1 ..             ar1 br1 cr1 dr1
 *              dr0 di0 dr1 di1 ..             ai1 bi1 ci1 di1
 *
 * So two elements of four lines are a square of numbers, whose rows become its columns. */
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define CHOOSE(list) PASTE(list, LANES)

typedef REAL OF(vector) __attribute__((vector_size(LANES * sizeof(REAL))));
/* one that may be anywhere in memory */
typedef REAL OF(loose)
	__attribute__((vector_size(LANES * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
#define VECTOR OF(vector)
#define LOOSE OF(loose)

/* ---- lines to blocks and back */

/* Rows become columns: each round puts the halves of the rows between each other.
 *
 *     a0 a1 a2 a3        a0 c0 a1 c1        a0 b0 c0 d0
 *     b0 b1 b2 b3        a2 c2 a3 c3        a1 b1 c1 d1
 *     c0 c1 c2 c3        b0 d0 b1 d1        a2 b2 c2 d2
 *     d0 d1 d2 d3        b2 d2 b3 d3        a3 b3 c3 d3 */
INLINE void OF(turn)(VECTOR *row)
{
	VECTOR next[LANES];

	for (int size = 1; size < LANES; size *= 2) {
		UNROLL for (int i = 0; i < LANES / 2; i++)
		{
			const VECTOR a = row[i], b = row[i + LANES / 2];
			next[2 * i] = __builtin_shufflevector(a, b, CHOOSE(LOW_));
			next[2 * i + 1] = __builtin_shufflevector(a, b, CHOOSE(HIGH_));
		}
		UNROLL for (int i = 0; i < LANES; i++) row[i] = next[i];
	}
}

/* are all lanes there, of complex numbers whose parts are together? */
static bool OF(is_full)(const fft_place *p)
{
	return p->count == LANES && (p->imag == 1 || p->imag == -1);
}

/* the same element of all lines, one behind the other */
static bool OF(is_beside)(const fft_place *p)
{
	bool beside = OF(is_full)(p);

	for (int l = 1; beside && l < LANES; l++) beside = p->at[l] == p->at[0] + 2 * l;
	return beside;
}

/* the number of elements that are read and written by rows of whole vectors */
static int64_t OF(in_rows)(const fft_place *p, int64_t n)
{
	return OF(is_full)(p) && p->step == 2 ? n - n % (LANES / 2) : 0;
}

TARGET static void OF(load)(const fft_place *p, int64_t n, void *of)
{
	VECTOR *y = of, row[LANES];
	const REAL *x = p->x;
	const int turned = p->imag < 0; /* the imaginary part comes first */
	int64_t k = 0;

	if (OF(is_beside)(p))
		for (x += p->at[0] - turned; k < n; k++, x += p->step) {
			const VECTOR a = *(const LOOSE *)x, b = *(const LOOSE *)(x + LANES);
			y[2 * k + turned] = __builtin_shufflevector(a, b, CHOOSE(EVEN_));
			y[2 * k + !turned] = __builtin_shufflevector(a, b, CHOOSE(ODD_));
		}
	for (; k < OF(in_rows)(p, n); k += LANES / 2) {
		UNROLL for (int l = 0; l < LANES; l++) row[l] =
			*(const LOOSE *)(x + p->at[l] - turned + 2 * k);
		OF(turn)(row);
		UNROLL for (int j = 0; j < LANES; j++) y[2 * k + (j ^ turned)] = row[j];
	}
	for (; k < n; k++) {
		y[2 * k] = y[2 * k + 1] = (VECTOR){0};
		for (int l = 0; l < p->count; l++) {
			const REAL *z = x + p->at[l] + k * p->step;
			y[2 * k][l] = *z;
			if (p->imag) y[2 * k + 1][l] = z[p->imag];
		}
	}
}

TARGET static void OF(store)(const fft_place *p, int64_t n, const void *of, double by)
{
	const VECTOR *y = of;
	VECTOR row[LANES];
	const REAL scale = (REAL)by;
	REAL *x = p->x;
	const int turned = p->imag < 0;
	int64_t k = 0;

	if (OF(is_beside)(p))
		for (x += p->at[0] - turned; k < n; k++, x += p->step) {
			const VECTOR a = y[2 * k + turned] * scale, b = y[2 * k + !turned] * scale;
			*(LOOSE *)x = __builtin_shufflevector(a, b, CHOOSE(LOW_));
			*(LOOSE *)(x + LANES) = __builtin_shufflevector(a, b, CHOOSE(HIGH_));
		}
	for (; k < OF(in_rows)(p, n); k += LANES / 2) {
		UNROLL for (int j = 0; j < LANES; j++) row[j] = y[2 * k + (j ^ turned)] * scale;
		OF(turn)(row);
		UNROLL for (int l = 0; l < LANES; l++)
			*(LOOSE *)(x + p->at[l] - turned + 2 * k) = row[l];
	}
	for (; k < n; k++)
		for (int l = 0; l < p->count; l++) {
			REAL *z = x + p->at[l] + k * p->step;
			*z = y[2 * k][l] * scale;
			if (p->imag) z[p->imag] = y[2 * k + 1][l] * scale;
		}
}

/* ---- passes: with n = done * p * rest, where x has transforms of `done` elements, those of
 * done * p elements, of which each is p transforms (Stockham: results are in order). Of the six
 * numbers 0 .. 5, with w = e^(-2 pi i / 6):
 *
 *     before       0 1 2                3 4 5                     done 1, rest 3
 *     pass of 2    3 5 7                -3 -3w -3w^2              x(i) + x(i + 3), and their
 *                                                                 difference times w^i
 *     pass of 3    15 -3+5.2i -3+1.7i   -3 -3-1.7i -3-5.2i        done 2, rest 1: the transform
 *                                                                 of 3 5 7 at 0, 2 and 4, that of
 *                                                                 the other three at 1, 3 and 5 */
typedef struct OF(pass) {
	int64_t n, done, rest;
	const REAL *root;
} OF(pass);

/* what element i of `rest` is multiplied by in part j: root[j * done * i] */
#define ROOT_OF(j) (p->root + 2 * (j) * p->done * i)
#define PUT(j, re, im) \
	do { \
		const VECTOR re_ = (re), im_ = (im); \
		const REAL *const w_ = ROOT_OF(j); \
		VECTOR *const to_ = y + 2 * (j) * p->rest * p->done; \
		to_[0] = i ? re_ * w_[0] - im_ * w_[1] : re_; \
		to_[1] = i ? re_ * w_[1] + im_ * w_[0] : im_; \
	} while (0)
#define X(j) const VECTOR r##j = x[2 * (j) * p->rest], i##j = x[2 * (j) * p->rest + 1]

/* x and y at element i of transform k */
#define EACH(radix, from, to) \
	for (int64_t k = 0; k < p->done; k++) \
		for (int64_t i = 0; i < p->rest; i++) { \
			const VECTOR *const x = (from) + 2 * (i + p->rest * (radix) * k); \
			VECTOR *const y = (to) + 2 * (i + p->rest * k);
#define EACH_END }

TARGET static void OF(pass_2)(const OF(pass) * p, const VECTOR *from, VECTOR *to)
{
	EACH(2, from, to)
	X(0);
	X(1);
	PUT(0, r0 + r1, i0 + i1);
	PUT(1, r0 - r1, i0 - i1);
	EACH_END
}

TARGET static void OF(pass_3)(const OF(pass) * p, const VECTOR *from, VECTOR *to)
{
	const REAL s = (REAL)0x1.bb67ae8584caap-1; /* sin(2 pi / 3) */

	EACH(3, from, to)
	X(0);
	X(1);
	X(2);
	const VECTOR ar = r1 + r2, ai = i1 + i2, br = (r1 - r2) * s, bi = (i1 - i2) * s;
	const VECTOR cr = r0 - ar * (REAL)0.5, ci = i0 - ai * (REAL)0.5;
	PUT(0, r0 + ar, i0 + ai);
	PUT(1, cr + bi, ci - br);
	PUT(2, cr - bi, ci + br);
	EACH_END
}

TARGET static void OF(pass_4)(const OF(pass) * p, const VECTOR *from, VECTOR *to)
{
	EACH(4, from, to)
	X(0);
	X(1);
	X(2);
	X(3);
	const VECTOR ar = r0 + r2, ai = i0 + i2, br = r0 - r2, bi = i0 - i2;
	const VECTOR cr = r1 + r3, ci = i1 + i3, dr = r1 - r3, di = i1 - i3;
	PUT(0, ar + cr, ai + ci);
	PUT(1, br + di, bi - dr);
	PUT(2, ar - cr, ai - ci);
	PUT(3, br - di, bi + dr);
	EACH_END
}

TARGET static void OF(pass_5)(const OF(pass) * p, const VECTOR *from, VECTOR *to)
{
	/* cosines and sines of 2 pi / 5 and 4 pi / 5 */
	const REAL c1 = (REAL)0x1.3c6ef372fe95p-2, c2 = (REAL)-0x1.9e3779b97f4a8p-1;
	const REAL s1 = (REAL)0x1.e6f0e134454ffp-1, s2 = (REAL)0x1.2cf2304755a5ep-1;

	EACH(5, from, to)
	X(0);
	X(1);
	X(2);
	X(3);
	X(4);
	const VECTOR ar = r1 + r4, ai = i1 + i4, br = r1 - r4, bi = i1 - i4;
	const VECTOR cr = r2 + r3, ci = i2 + i3, dr = r2 - r3, di = i2 - i3;
	const VECTOR er = r0 + ar * c1 + cr * c2, ei = i0 + ai * c1 + ci * c2;
	const VECTOR fr = r0 + ar * c2 + cr * c1, fi = i0 + ai * c2 + ci * c1;
	const VECTOR gr = br * s1 + dr * s2, gi = bi * s1 + di * s2;
	const VECTOR hr = br * s2 - dr * s1, hi = bi * s2 - di * s1;
	PUT(0, r0 + ar + cr, i0 + ai + ci);
	PUT(1, er + gi, ei - gr);
	PUT(2, fr + hi, fi - hr);
	PUT(3, fr - hi, fi + hr);
	PUT(4, er - gi, ei + gr);
	EACH_END
}

/* any other prime: by the sums that define a transform */
TARGET static void OF(pass_of)(const OF(pass) * p, int64_t prime, const VECTOR *from, VECTOR *to)
{
	const int64_t turn = p->n / prime;

	EACH(prime, from, to)
	for (int64_t q = 0; q < prime; q++) {
		VECTOR re = x[0], im = x[1];
		for (int64_t j = 1; j < prime; j++) {
			const REAL *w = p->root + 2 * (j * q % prime * turn);
			const VECTOR xr = x[2 * j * p->rest], xi = x[2 * j * p->rest + 1];
			re += xr * w[0] - xi * w[1];
			im += xr * w[1] + xi * w[0];
		}
		PUT(q, re, im);
	}
	EACH_END
}

TARGET static void *OF(transform)(const fft_product *f, void *x, void *y)
{
	OF(pass) p = {.n = f->n, .done = 1, .root = f->root};

	for (int i = 0; i < f->nfactors; i++) {
		const int64_t factor = f->factor[i];
		void *const from = x;
		p.rest = p.n / p.done / factor;
		switch (factor) {
		case 2: OF(pass_2)(&p, x, y); break;
		case 3: OF(pass_3)(&p, x, y); break;
		case 4: OF(pass_4)(&p, x, y); break;
		case 5: OF(pass_5)(&p, x, y); break;
		default: OF(pass_of)(&p, factor, x, y);
		}
		p.done *= factor;
		x = y;
		y = from;
	}
	return x;
}

/* ---- products */

TARGET static void OF(multiply)(int64_t n, void *of, const void *factor, bool swapped)
{
	VECTOR *x = of;
	const REAL *w = factor;

	for (int64_t k = 0; k < n; k++, x += 2, w += 2) {
		const VECTOR re = x[0] * w[0] - x[1] * w[1], im = x[0] * w[1] + x[1] * w[0];
		x[swapped] = re;
		x[!swapped] = im;
	}
}

TARGET static void OF(twist)(const fft_powers *p, int64_t rows, int64_t columns, int64_t j,
                             int count, const void *of, void *to)
{
	const REAL *first = p->first, *behind = (const REAL *)p->behind + j % FFT_MOST_LANES;
	const VECTOR *x = of;
	VECTOR *y = (VECTOR *)to + 2 * j, re[LANES], im[LANES];

	for (int64_t k = 0; k < rows; k += LANES, y += 2 * columns) {
		for (int64_t i = 0; i < LANES; i++) {
			re[i] = im[i] = (VECTOR){0};
			if (k + i >= rows) continue;
			const REAL *w = first + 2 * (k + i);
			const REAL *v = behind + 2 * FFT_MOST_LANES * (k + i);
			const VECTOR vr = *(const LOOSE *)v;
			const VECTOR vi = *(const LOOSE *)(v + FFT_MOST_LANES);
			const VECTOR wr = vr * w[0] - vi * w[1], wi = vr * w[1] + vi * w[0];
			const VECTOR xr = x[2 * (k + i)], xi = x[2 * (k + i) + 1];
			re[i] = xr * wr - xi * wi;
			im[i] = xr * wi + xi * wr;
		}
		OF(turn)(re);
		OF(turn)(im);
		for (int l = 0; l < count; l++) {
			y[2 * l] = re[l];
			y[2 * l + 1] = im[l];
		}
	}
}

/* ---- real numbers, two by two the parts of complex ones. With z = the transform of these, of m
 * elements, and y that of the real ones, e(k) = (z(k) + z(m - k)*) / 2 and
 * o(k) = (z(k) - z(m - k)*) / 2i are the transforms of those with even and with odd numbers, and
 * y(k) = e(k) + w^k o(k) */
INLINE void OF(untangle_pair)(VECTOR wr, VECTOR wi, const VECTOR *a, const VECTOR *b, VECTOR *to_a,
                              VECTOR *to_b)
{
	const REAL half = (REAL)0.5;
	const VECTOR er = (a[0] + b[0]) * half, ei = (a[1] - b[1]) * half;
	const VECTOR qr = (a[1] + b[1]) * half, qi = (b[0] - a[0]) * half;
	const VECTOR tr = qr * wr - qi * wi, ti = qr * wi + qi * wr;

	to_a[0] = er + tr;
	to_a[1] = ei + ti;
	to_b[0] = er - tr;
	to_b[1] = ti - ei;
}

INLINE void OF(tangle_pair)(VECTOR wr, VECTOR wi, const VECTOR *a, const VECTOR *b, VECTOR *to_a,
                            VECTOR *to_b)
{
	const VECTOR er = a[0] + b[0], ei = a[1] - b[1], tr = a[0] - b[0], ti = a[1] + b[1];
	const VECTOR qr = tr * wr + ti * wi, qi = ti * wr - tr * wi;

	to_a[0] = ei + qr;
	to_a[1] = er - qi;
	to_b[0] = qr - ei;
	to_b[1] = er + qi;
}

TARGET static void OF(untangle)(int64_t m, const void *root, const void *from, void *to)
{
	const VECTOR *x = from, none = {0};
	VECTOR *y = to;

	for (int64_t k = 0; k <= m / 2; k++) {
		const REAL *w = (const REAL *)root + 2 * k;
		OF(untangle_pair)
		(none + w[0], none + w[1], x + 2 * k, x + 2 * ((m - k) % m), y + 2 * k,
		 y + 2 * (m - k));
	}
}

TARGET static void OF(tangle)(int64_t m, const void *root, const void *from, void *to)
{
	const VECTOR *x = from, none = {0};
	VECTOR *y = to, lost[2];

	for (int64_t k = 0; k <= m / 2; k++) {
		const REAL *w = (const REAL *)root + 2 * k;
		const VECTOR a[2] = {x[2 * k], k ? x[2 * k + 1] : none};
		const VECTOR b[2] = {x[2 * (m - k)], k ? x[2 * (m - k) + 1] : none};
		OF(tangle_pair)
		(none + w[0], none + w[1], a, b, y + 2 * k, k ? y + 2 * (m - k) : lost);
	}
}

/* conjugates, and behind them what follows from these: n numbers in all, of real ones */
TARGET static void OF(mirror)(int64_t n, void *of)
{
	VECTOR *x = of;

	x[1] = (VECTOR){0};
	for (int64_t k = 1; k <= n / 2; k++) {
		x[2 * (n - k)] = x[2 * k];
		x[2 * (n - k) + 1] = x[2 * k + 1];
		x[2 * k + 1] = -x[2 * k + 1];
	}
}

TARGET static void OF(untangle_pairs)(const fft_powers *p, void *x, void *partner)
{
	const REAL *w = p->first, *v = p->behind;
	const VECTOR vr = *(const LOOSE *)v, vi = *(const LOOSE *)(v + FFT_MOST_LANES);

	OF(untangle_pair)
	(vr * w[0] - vi * w[1], vr * w[1] + vi * w[0], x, partner, x, partner);
}

TARGET static void OF(tangle_pairs)(const fft_powers *p, void *x, void *partner)
{
	const REAL *w = p->first, *v = p->behind;
	const VECTOR vr = *(const LOOSE *)v, vi = *(const LOOSE *)(v + FFT_MOST_LANES);

	OF(tangle_pair)
	(vr * w[0] - vi * w[1], vr * w[1] + vi * w[0], x, partner, x, partner);
}

static const fft_lanes OF(functions) = {
	.lanes = LANES,
	.load = OF(load),
	.store = OF(store),
	.transform = OF(transform),
	.multiply = OF(multiply),
	.twist = OF(twist),
	.untangle = OF(untangle),
	.tangle = OF(tangle),
	.mirror = OF(mirror),
	.untangle_pairs = OF(untangle_pairs),
	.tangle_pairs = OF(tangle_pairs),
};

#undef PASTE_
#undef PASTE
#undef CHOOSE
#undef VECTOR
#undef LOOSE
#undef ROOT_OF
#undef PUT
#undef X
#undef EACH
#undef EACH_END
#undef REAL
#undef LANES
#undef OF
