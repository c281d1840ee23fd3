/* schur_body.h - computes similar matrices, for one dtype: reductions by reflections to Hessenberg
 * and to tridiagonal form, Schur forms by the QR algorithm, and eigenvectors from these.
 * linalg_body.h includes it. COMPLEX is the complex number whose parts are REAL.
 *
 * A reflection h = I - tau v v^H, with v_1 = 1, of rows and columns at, at + 1, ... makes h^H a h
 * of a matrix a, and q h of a q by which a was made, so that q a q^H stays what it was. Here one
 * with v = (1, 0.5) makes 5 of -3 and -4; rows 1 and 2 have eigenvalues that are not real:
 *
 *     hessenberg [1 2 1; -3 1 0; -4 0 1]
 *       gives  [1 -2.0 -1.0; 5.0 1.0 0.0; 0.5 0.0 1.0] [1.6 0]
 *     schur [1 2 1; -3 1 0; -4 0 1]
 *       gives  [1 -2.0 -1.0; 5.0 1.0 0.0; 0.0 0.0 1.0] [1 0 0; 0 -0.6 -0.8; 0 -0.8 0.6]
 *
 * Here the last row is alone already, and the first two are parted:
 *
 *     schur [1 2 0; 3 1 4; 0 0 2]
 *       gives  [3.4495 1.0 -3.0984; 0.0 -1.4495 2.5298; 0 0 2.0]
 *              [-0.6325 -0.7746 0.0; -0.7746 0.6325 0.0; 0 0 1.0] */

/* a, whose rows have as many elements as v, becomes a (I - tau v v^H) */
static void OF(reflect_rows)(NUMBER tau, const NUMBER *v, int64_t n, int64_t step, NUMBER *a,
                             int64_t rows, int64_t row)
{
	for (int64_t i = 0; i < rows; i++, a += row) {
		NUMBER sum = a[0];
		for (int64_t j = 1; j < n; j++) sum += TIMES(a[j], v[j * step]);
		sum = TIMES(sum, tau);
		a[0] -= sum;
		for (int64_t j = 1; j < n; j++) a[j] -= TIMES(sum, CONJ(v[j * step]));
	}
}

typedef struct OF(reflection) {
	NUMBER tau;
	const NUMBER *v; /* m elements, step apart */
	int64_t m, step, at;
} OF(reflection);

/* h^H a h, but for the columns before `from`, and q h */
static void OF(turn)(int64_t n, NUMBER *a, NUMBER *q, const OF(reflection) *h, int64_t from)
{
	OF(reflect)(CONJ(h->tau), h->v, h->m, h->step, a + h->at * n + from, n - from, n);
	OF(reflect_rows)(h->tau, h->v, h->m, h->step, a + h->at, n, n);
	if (q) OF(reflect_rows)(h->tau, h->v, h->m, h->step, q + h->at, n, n);
}

/* ---- to Hessenberg form: of each column, one element below the diagonal is left. Below that are
 * the vectors, without their first elements; taus may be NULL */

static void OF(reduce)(int64_t n, NUMBER *a, NUMBER *q, NUMBER *taus)
{
	for (int64_t k = 0; k + 1 < n; k++) {
		NUMBER *v = a + (k + 1) * n + k;
		const NUMBER tau = OF(reflector)(v, n - k - 1, n);
		OF(turn)(n, a, q, &(OF(reflection)){tau, v, n - k - 1, n, k + 1}, k + 1);
		if (taus) taus[k] = tau;
	}
}

static void OF(hessenberg)(int64_t n, const void *from, void *to, void *taus)
{
	if (n) memcpy(to, from, (size_t)(n * n) * sizeof(NUMBER));
	OF(reduce)(n, to, NULL, taus);
}

/* ---- to tridiagonal form, of Hermitian matrices */

/* h^H a h of the lower half of a, n x n: a - v w^H - w v^H with p = tau a v and
 * w = p - tau / 2 (p^H v) v */
static void OF(turn_half)(int64_t n, int64_t row, NUMBER *a, NUMBER tau, const NUMBER *v, NUMBER *w)
{
	NUMBER both = 0;

	for (int64_t i = 0; i < n; i++) {
		NUMBER sum = 0;
		for (int64_t j = 0; j < n; j++) {
			const NUMBER here = j > i ? CONJ(a[j * row + i]) : a[i * row + j];
			sum += TIMES(here, v[j * row]);
		}
		w[i] = TIMES(tau, sum);
		both += TIMES(CONJ(w[i]), v[i * row]);
	}
	both = TIMES(tau, both) / 2;
	for (int64_t i = 0; i < n; i++) w[i] -= TIMES(both, v[i * row]);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j <= i; j++)
			a[i * row + j] -= TIMES(v[i * row], CONJ(w[j])) +
			                  TIMES(w[i], CONJ(v[j * row]));
}

static void OF(reverse)(NUMBER *x, int64_t n)
{
	for (int64_t i = 0, j = n - 1; i < j; i++, j--) {
		const NUMBER kept = x[i];
		x[i] = x[j];
		x[j] = kept;
	}
}

/* The upper half, with rows and columns from the last to the first, is a lower one. The other half
 * stays as it is. work: n */
static void OF(tridiagonal)(int64_t n, bool lower, const void *from, void *to, void *to_d,
                            void *to_e, void *to_taus, void *work)
{
	NUMBER *a = to, *taus = to_taus;
	REAL *d = to_d, *e = to_e;

	if (n) memcpy(a, from, (size_t)(n * n) * sizeof *a);
	if (!lower) OF(reverse)(a, n * n);
	for (int64_t k = 0; k < n; k++) a[k * n + k] = REAL_PART(a[k * n + k]);
	for (int64_t k = 0; k + 1 < n; k++) {
		NUMBER *v = a + (k + 1) * n + k;
		taus[k] = OF(reflector)(v, n - k - 1, n);
		const NUMBER beta = v[0];
		v[0] = 1;
		OF(turn_half)(n - k - 1, n, v + 1, taus[k], v, work);
		v[0] = beta;
	}
	if (!lower) OF(reverse)(a, n * n);
	if (!lower && n) OF(reverse)(taus, n - 1);
	for (int64_t k = 0; k < n; k++) d[k] = REAL_PART(a[k * n + k]);
	for (int64_t k = 0; k + 1 < n; k++)
		e[k] = REAL_PART(lower ? a[(k + 1) * n + k] : a[k * n + k + 1]);
}

/* ---- to Schur form: a upper triangular, but that a real one has, for each two eigenvalues that
 * are not real, two rows [x b; c x] with b c < 0 */

/* a, and q, with rows, and columns, i and j exchanged */
static void OF(exchange)(int64_t n, NUMBER *a, NUMBER *q, int64_t i, int64_t j)
{
	OF(swap_columns)(a, n, n, i, j);
	OF(swap_columns)(a, n, 1, i * n, j * n);
	if (q) OF(swap_columns)(q, n, n, i, j);
}

/* the last of the rows lo .. hi - 1 (of columns, with the two steps exchanged) that has nothing in
 * these but on the diagonal; -1: none */
static int64_t OF(alone)(const NUMBER *a, int64_t down, int64_t along, int64_t lo, int64_t hi)
{
	for (int64_t i = hi - 1; i >= lo; i--) {
		int64_t j = lo;
		while (j < hi && (j == i || a[i * down + j * along] == 0)) j++;
		if (j == hi) return i;
	}
	return -1;
}

/* A row that is alone becomes the last one, a column the first one: their eigenvalues are exact */
static void OF(isolate)(int64_t n, NUMBER *a, NUMBER *q)
{
	int64_t lo = 0, hi = n, i;

	while (lo < hi && (i = OF(alone)(a, n, 1, lo, hi)) >= 0) OF(exchange)(n, a, q, i, --hi);
	while (lo < hi && (i = OF(alone)(a, 1, n, lo, hi)) >= 0) OF(exchange)(n, a, q, i, lo++);
}

/* [a b; c d] has the eigenvalues d + z and d - b c / z, where z is the larger root of
 * z^2 - (a - d) z = b c, and an eigenvector (z, c) of the first. false: z is not real, as it must
 * be */
static bool OF(far_root)(NUMBER half, NUMBER bc, NUMBER *z)
{
	const NUMBER square = TIMES(half, half) + bc; /* half: (a - d) / 2 */

	if (!IS_COMPLEX && REAL_PART(square) < 0) return false;
	const NUMBER root = ROOT(square), more = half + root, less = half - root;
	*z = SIZE(more) < SIZE(less) ? less : more;
	return true;
}

/* Parts rows i and i + 1, behind which t is zero. Without real eigenvalues, they become such that
 * their elements on the diagonal are equal */
static void OF(part)(int64_t n, NUMBER *t, NUMBER *q, int64_t i)
{
	NUMBER *top = t + i * n + i, *low = top + n, v[2];

	for (int pass = 0; pass < 3 && low[0] != 0; pass++) {
		const NUMBER half = (top[0] - low[1]) / 2, sum = top[1] + low[0];
		const bool parts = OF(far_root)(half, TIMES(top[1], low[0]), v);
		if (parts) {
			v[1] = low[0];
		} else if (half == 0) {
			return;
		} else { /* the angle whose double has the tangent -2 half / sum */
			v[0] = ROOT(REAL_PART(4 * half * half + sum * sum)) + SIZE(sum);
			v[1] = REAL_PART(sum) < 0 ? 2 * half : -2 * half;
		}
		const NUMBER mean = (top[0] + low[1]) / 2, tau = OF(reflector)(v, 2, 1);
		OF(turn)(n, t, q, &(OF(reflection)){tau, v, 2, 1, i}, i);
		if (parts)
			low[0] = 0;
		else
			top[0] = low[1] = mean;
	}
}

/* One step with rows lo .. hi - 1, at least three, of which each has an element before the
 * diagonal (Francis, 1961): the first column of t^2 - (x + y) t + x y - bc begins with a
 * reflection, and others make the matrix a Hessenberg one again. [x b; c y] are the last two rows,
 * whose eigenvalues are the shifts; where these are real, the one nearer to y is, twice, as in
 * LAPACK */
static void OF(qr_step)(int64_t n, NUMBER *t, NUMBER *q, int64_t lo, int64_t hi, bool other)
{
	const NUMBER *a = t + lo * n + lo, *end = t + (hi - 2) * n + hi - 2;
	NUMBER x = end[0], y = end[n + 1], bc = TIMES(end[1], end[n]), far, v[3];

	if (other) { /* numbers that are none of these end a circle */
		const REAL size = SIZE(end[n]) + SIZE(end[-1]);
		x = y = y + size * (REAL)0.75;
		bc = -size * size * (REAL)0.4375;
	} else if (OF(far_root)((x - y) / 2, bc, &far)) {
		x = y = far == 0 ? y : y - OVER(bc, far);
		bc = 0;
	}
	const NUMBER from_x = x - a[0], from_y = y - a[0];
	v[0] = OVER(TIMES(from_x, from_y) - bc, a[n]) + a[1];
	v[1] = a[n + 1] - a[0] - from_x - from_y;
	v[2] = a[2 * n + 1];
	for (int64_t k = lo; k + 1 < hi; k++) {
		const int64_t m = hi - k < 3 ? 2 : 3;
		for (int64_t i = 0; k > lo && i < m; i++) v[i] = t[(k + i) * n + k - 1];
		const NUMBER tau = OF(reflector)(v, m, 1);
		for (int64_t i = 0; k > lo && i < m; i++) t[(k + i) * n + k - 1] = i ? 0 : v[0];
		OF(turn)(n, t, q, &(OF(reflection)){tau, v, m, 1, k}, k);
	}
}

/* is the element before the diagonal in row i no more than rounding? The largest numbers are
 * near 1 */
static bool OF(ends)(int64_t n, const NUMBER *t, int64_t i)
{
	const REAL sizes = SIZE(t[(i - 1) * n + i - 1]) + SIZE(t[i * n + i]);

	return SIZE(t[i * n + i - 1]) <= EPSILON * sizes + LEAST / EPSILON;
}

/* The QR algorithm on a Hessenberg matrix; false: it finds no end */
static bool OF(qr_steps)(int64_t n, NUMBER *t, NUMBER *q)
{
	for (int64_t hi = n, lo, steps = 0; hi > 0; steps++) {
		for (lo = hi - 1; lo > 0 && !OF(ends)(n, t, lo);) lo--;
		if (lo > 0) t[lo * n + lo - 1] = 0;
		if (hi - lo > 2 && steps == MOST_STEPS) return false;
		if (hi - lo > 2) {
			OF(qr_step)(n, t, q, lo, hi, steps % 10 == 9);
			continue;
		}
		if (hi - lo == 2) OF(part)(n, t, q, lo);
		hi = lo;
		steps = -1;
	}
	return true;
}

/* t divided by the power of two at its largest number, which is given; if that is not finite, t
 * stays */
static REAL OF(near_one)(NUMBER *t, int64_t n)
{
	const REAL largest = OF(largest)(t, n);
	int exponent = 1;

	if (!isfinite(largest)) return largest;
	if (largest > 0) frexp((double)largest, &exponent);
	const REAL power = (REAL)ldexp(1, exponent - 1);
	for (int64_t i = 0; i < n; i++) t[i] = t[i] / power;
	return power;
}

/* t, of numbers near 1, to its Schur form, and q, which may be NULL */
static bool OF(to_schur)(int64_t n, NUMBER *t, NUMBER *q)
{
	for (int64_t i = 0; q && i < n * n; i++) q[i] = i / n == i % n;
	OF(isolate)(n, t, q);
	OF(reduce)(n, t, q, NULL);
	for (int64_t i = 2; i < n; i++)
		for (int64_t j = 0; j < i - 1; j++) t[i * n + j] = 0;
	return OF(qr_steps)(n, t, q);
}

static void OF(schur)(int64_t n, const void *from, void *to_t, void *to_q)
{
	NUMBER *t = to_t;

	if (n) memcpy(t, from, (size_t)(n * n) * sizeof *t);
	const REAL power = OF(near_one)(t, n * n);
	const bool done = isfinite(power) && OF(to_schur)(n, t, to_q);
	for (int64_t i = 0; i < n * n; i++) t[i] = t[i] * power;
	if (done) return;
	OF(set_nan)(to_t, n * n * PARTS_OF(NUMBER));
	OF(set_nan)(to_q, n * n * PARTS_OF(NUMBER));
}

/* ---- eigenvalues and eigenvectors */

/* t becomes d^-1 t d, where d has powers of two, so that what a row and its column have beside the
 * diagonal is of one size (Parlett and Reinsch, 1969) */
static void OF(balance)(int64_t n, NUMBER *t, REAL *d)
{
	bool changed = true;

	for (int64_t i = 0; i < n; i++) d[i] = 1;
	for (int sweep = 0; changed && sweep < SWEEPS; sweep++) {
		changed = false;
		for (int64_t i = 0; i < n; i++) {
			REAL row = 0, down = 0;
			int of_row, of_column;
			for (int64_t j = 0; j < n; j++) {
				row += j == i ? 0 : SIZE(t[i * n + j]);
				down += j == i ? 0 : SIZE(t[j * n + i]);
			}
			if (row == 0 || down == 0) continue;
			frexp((double)row, &of_row);
			frexp((double)down, &of_column);
			const REAL by = (REAL)ldexp(1, (of_row - of_column) / 2);
			if (down * by + row / by >= (REAL)0.95 * (row + down)) continue;
			for (int64_t j = 0; j < n; j++) t[j * n + i] = t[j * n + i] * by;
			for (int64_t j = 0; j < n; j++) t[i * n + j] = t[i * n + j] / by;
			d[i] *= by;
			changed = true;
		}
	}
}

/* of a Schur form. Of two that are conjugate, the first has the positive imaginary part */
static void OF(eigenvalues)(int64_t n, const NUMBER *t, COMPLEX *w)
{
	for (int64_t i = 0; i < n; i++) {
		const NUMBER *at = t + i * n + i;
		w[i] = at[0];
		if (i + 1 == n || at[n] == 0) continue;
		const REAL size = ROOT(SIZE(at[1])) * ROOT(SIZE(at[n]));
		w[i] = __builtin_complex(REAL_PART(at[0]), size);
		w[++i] = __builtin_complex(REAL_PART(at[0]), -size);
	}
}

/* A Schur form t, or its adjoint with rows and columns from the last to the first, which is one
 * too: its eigenvectors are those from the left */
typedef struct OF(form) {
	int64_t n;
	const NUMBER *t;
	bool left;
} OF(form);

static COMPLEX OF(entry)(const OF(form) *f, int64_t i, int64_t j)
{
	const int64_t n = f->n;

	return f->left ? CONJ(f->t[(n - 1 - j) * n + n - 1 - i]) : f->t[i * n + j];
}

/* z, or `least` if it is nearer to 0 */
static COMPLEX OF(away)(COMPLEX z, REAL least) { return SIZE(z) < least ? least : z; }

/* row i of (s - w) x = 0, without the columns up to `from` */
static COMPLEX OF(rest)(const OF(form) *s, int64_t i, int64_t from, int64_t to, const COMPLEX *x)
{
	COMPLEX sum = 0;

	for (int64_t j = from; j < to; j++) sum -= TIMES(OF(entry)(s, i, j), x[j]);
	return sum;
}

/* The x of s x = w x for the eigenvalue w of row i, or of rows i - 1 and i. It is zero behind
 * these, and follows from the last row to the first. Where w is there again, a difference of 0
 * counts as one that rounding might make; x is divided by what becomes too large */
static void OF(substitute)(const OF(form) *s, COMPLEX w, int64_t i, COMPLEX *x)
{
	const int64_t end = i + 1;

	for (int64_t k = 0; k < s->n; k++) x[k] = k == i;
	if (i > 0 && OF(entry)(s, i, i - 1) != 0) {
		const COMPLEX b = OF(entry)(s, i - 1, i), c = OF(entry)(s, i, i - 1);
		const COMPLEX from_w = w - OF(entry)(s, i, i);
		const bool by_row = SIZE(b) >= SIZE(c);
		x[i] = by_row ? from_w : c;
		x[--i] = by_row ? b : from_w;
	}
	while (--i >= 0) {
		const COMPLEX a = OF(entry)(s, i, i) - w, y = OF(rest)(s, i, i + 1, end, x);
		REAL size;
		if (i > 0 && OF(entry)(s, i, i - 1) != 0) { /* [a b; c a] (x, x') = (y', y) */
			const COMPLEX b = OF(entry)(s, i - 1, i), c = OF(entry)(s, i, i - 1);
			const COMPLEX above = OF(rest)(s, i - 1, i + 1, end, x);
			const COMPLEX det = OF(away)(TIMES(a, a) - TIMES(b, c),
			                             EPSILON * EPSILON);
			x[i] = OVER(TIMES(a, y) - TIMES(c, above), det);
			i--;
			x[i] = OVER(TIMES(a, above) - TIMES(b, y), det);
			size = LARGER(SIZE(x[i]), SIZE(x[i + 1]));
		} else {
			x[i] = OVER(y, OF(away)(a, EPSILON));
			size = SIZE(x[i]);
		}
		for (int64_t k = i; size > 1 / EPSILON && k < end; k++) x[k] = x[k] / size;
	}
}

/* column j of y, of size 1, with its largest element, the first of these, real and positive */
static void OF(to_unit)(int64_t n, COMPLEX *y, int64_t j)
{
	int64_t best = 0;
	REAL sum = 0;

	for (int64_t i = 1; i < n; i++)
		if (SIZE(y[i * n + j]) > SIZE(y[best * n + j])) best = i;
	const COMPLEX largest = y[best * n + j];
	for (int64_t i = 0; i < n; i++) {
		COMPLEX *here = y + i * n + j;
		*here = i == best ? 1 : OVER(*here, largest);
		const REAL size = SIZE(*here);
		sum += size * size;
	}
	for (int64_t i = 0; i < n; i++) y[i * n + j] = y[i * n + j] / ROOT(sum);
}

/* column j of y: d q x for the eigenvalue w[j], or d^-1 q x of those from the left. x: n numbers */
static void OF(eigenvectors)(const OF(form) *s, const NUMBER *q, const REAL *d, const COMPLEX *w,
                             COMPLEX *x, COMPLEX *y)
{
	const int64_t n = s->n;

	for (int64_t j = 0; j < n; j++) {
		const int64_t row = s->left ? n - 1 - j : j;
		const bool pair = row + 1 < n && OF(entry)(s, row + 1, row) != 0;
		OF(substitute)(s, s->left ? CONJ(w[j]) : w[j], row + pair, x);
		for (int64_t i = 0; i < n; i++) {
			COMPLEX sum = 0;
			for (int64_t k = 0; k < n; k++)
				sum += TIMES(q[i * n + k], x[s->left ? n - 1 - k : k]);
			y[i * n + j] = s->left ? sum / d[i] : sum * d[i];
		}
		OF(to_unit)(n, y, j);
	}
}

/* left, right: NULL where they are not wanted. work: 2 n + 3 rows */
static void OF(eig)(int64_t n, const void *from, void *to_w, void *left, void *right, void *work)
{
	NUMBER *t = work, *q = t + n * n;
	COMPLEX *w = to_w, *x = (COMPLEX *)(q + n * n), *to[] = {right, left};
	REAL *d = (REAL *)(x + n);

	if (n) memcpy(t, from, (size_t)(n * n) * sizeof *t);
	const REAL power = OF(near_one)(t, n * n);
	bool done = isfinite(power);
	if (done) {
		OF(balance)(n, t, d);
		done = OF(to_schur)(n, t, left || right ? q : NULL);
	}
	if (done) OF(eigenvalues)(n, t, w);
	for (int side = 0; side < 2; side++) {
		const OF(form) s = {n, t, side};
		if (to[side] && done) OF(eigenvectors)(&s, q, d, w, x, to[side]);
		if (to[side] && !done) OF(set_nan)((REAL *)to[side], 2 * n * n);
	}
	for (int64_t i = 0; done && i < n; i++) w[i] = w[i] * power;
	if (!done) OF(set_nan)((REAL *)w, 2 * n);
}
