/* linalg_body.h - implements the algorithms of linear algebra on one matrix, for one dtype;
 * linalg_numbers.c includes it for each. NUMBER is an element, and REAL its real part. */

/* Cholesky and Banachiewicz: row by row, y[i][j] from the rows of y up to j. Element i, j of L L^H
 * is the sum over k <= j of L[i][k] conj(L[j][k]), so
 *
 *     L[i][j] = (x[i][j] - sum over k < j of L[i][k] conj(L[j][k])) / L[j][j]
 *     L[j][j] = sqrt(x[j][j] - sum over k < j of |L[j][k]|^2)
 *
 * Where the number under the root is not above 0 there is no factor: its elements that are not 0
 * become NaN */
static void OF(cholesky)(int64_t n, const void *from, void *to)
{
	const NUMBER *x = from;
	NUMBER *y = to;
	bool failed = false;

	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++) {
			NUMBER sum = j > i ? 0 : x[i * n + j];
			for (int64_t k = 0; k < j && j <= i; k++)
				sum -= TIMES(y[i * n + k], CONJ(y[j * n + k]));
			if (j < i) sum = sum / REAL_PART(y[j * n + j]);
			if (j == i) failed = failed || !(REAL_PART(sum) > 0);
			y[i * n + j] = j == i ? ROOT(REAL_PART(sum)) : sum;
		}
	for (int64_t i = 0; failed && i < n * n; i++)
		if (i % n <= i / n) y[i] = NAN;
}

/* n columns side by side (of b from the right: rows), by substitution. a[i * down + k * along] is
 * what y[k] is multiplied by in row i; one column's elements are `next` apart, columns `step` */
static inline __attribute__((always_inline)) void
OF(solve_abreast)(const triangular_solve_params *p, int64_t m, int64_t n, const NUMBER *a,
                  int64_t next, int64_t step, const NUMBER *b, NUMBER *y)
{
	const bool turned = p->transpose_a == p->left_side, rising = p->lower != turned;
	const int64_t down = turned ? 1 : m, along = turned ? m : 1;

	for (int64_t at = 0; at < m; at++) {
		const int64_t i = rising ? at : m - 1 - at;
		NUMBER sum[ABREAST];
		for (int64_t c = 0; c < n; c++) sum[c] = b[i * next + c * step];
		for (int64_t before = 0; before < at; before++) {
			const int64_t k = rising ? before : m - 1 - before;
			const NUMBER given = a[i * down + k * along];
			const NUMBER factor = p->conjugate_a ? CONJ(given) : given;
			for (int64_t c = 0; c < n; c++)
				sum[c] -= TIMES(factor, y[k * next + c * step]);
		}
		const NUMBER pivot = p->conjugate_a ? CONJ(a[i * m + i]) : a[i * m + i];
		for (int64_t c = 0; c < n; c++)
			y[i * next + c * step] = p->unit_diagonal ? sum[c] : OVER(sum[c], pivot);
	}
}

/* Several columns at a time do not wait for each other: eight take little longer than one */
static void OF(triangular_solve)(const triangular_solve_params *p, int64_t m, int64_t columns,
                                 const void *of, const void *from, void *to)
{
	const NUMBER *a = of, *b = from;
	NUMBER *y = to;
	const int64_t next = p->left_side ? columns : 1, step = p->left_side ? 1 : m;
	int64_t done = 0;

	for (; p->left_side && columns - done >= ABREAST; done += ABREAST)
		OF(solve_abreast)(p, m, ABREAST, a, next, 1, b + done, y + done);
	for (; done < columns; done += ABREAST) {
		const int64_t left = columns - done, at = done * step;
		OF(solve_abreast)
		(p, m, left < ABREAST ? left : ABREAST, a, next, step, b + at, y + at);
	}
}

/* ---- Householder: x becomes beta e_1 by I - tau v v^H with v_1 = 1, beta of the sign against x_1,
 * as LAPACK has it: |beta| is the size of x, v = (x - beta e_1) / (x_1 - beta) and
 * tau = (beta - x_1) / beta. Nothing is cancelled, since x_1 and -beta have one sign.
 *
 *     x = 3 4    beta = -5    v = 1 0.5    tau = 1.6    x - tau v (v^H x) = 3 4 - 8 4 = -5 0
 *
 * Elements of x, which beta and the others of v replace then, are step apart */
static NUMBER OF(reflector)(NUMBER *x, int64_t n, int64_t step)
{
	const NUMBER alpha = x[0];
	REAL scale = SIZE(alpha), sum = 0;
	bool is_done = alpha == REAL_PART(alpha);

	for (int64_t i = 1; i < n; i++) {
		is_done = is_done && x[i * step] == 0;
		scale = LARGER(scale, SIZE(x[i * step]));
	}
	if (is_done) return 0;
	for (int64_t i = 0; i < n; i++) {
		const REAL part = SIZE(x[i * step]) / scale;
		sum += part * part;
	}
	const REAL beta = signbit(REAL_PART(alpha)) ? scale * ROOT(sum) : -scale * ROOT(sum);
	for (int64_t i = 1; i < n; i++) x[i * step] = OVER(x[i * step], alpha - beta);
	x[0] = beta;
	return (beta - alpha) / beta;
}

/* a, of which the rows are as long as v, becomes (I - tau v v^H) a */
static void OF(reflect)(NUMBER tau, const NUMBER *v, int64_t n, int64_t step, NUMBER *a,
                        int64_t columns, int64_t row)
{
	for (int64_t j = 0; j < columns; j++) {
		NUMBER sum = a[j];
		for (int64_t i = 1; i < n; i++) sum += TIMES(CONJ(v[i * step]), a[i * row + j]);
		sum = TIMES(tau, sum);
		a[j] -= sum;
		for (int64_t i = 1; i < n; i++) a[i * row + j] -= TIMES(v[i * step], sum);
	}
}

/* x = q r, q m x columns; work: m x n, and one more for each column */
static void OF(qr)(int64_t m, int64_t n, int64_t columns, const void *from, void *to_q, void *to_r,
                   void *work)
{
	NUMBER *a = work, *tau = a + m * n, *q = to_q, *r = to_r;
	const int64_t k = m < n ? m : n;

	if (m && n) memcpy(a, from, (size_t)(m * n) * sizeof *a);
	for (int64_t i = 0; i < k; i++) {
		NUMBER *v = a + i * n + i;
		tau[i] = OF(reflector)(v, m - i, n);
		OF(reflect)(CONJ(tau[i]), v, m - i, n, v + 1, n - i - 1, n);
	}
	for (int64_t i = 0; i < columns; i++)
		for (int64_t j = 0; j < n; j++) r[i * n + j] = j < i ? 0 : a[i * n + j];
	for (int64_t i = 0; i < m * columns; i++) q[i] = i / columns == i % columns;
	for (int64_t i = k - 1; i >= 0; i--) OF(reflect)
	(tau[i], a + i * n + i, m - i, n, q + i * columns + i, columns - i, columns);
}

/* ---- lu: column by column, with the row whose element is largest. What is below the diagonal is
 * how often the row above was taken away:
 *
 *     1 2    rows change    3 4    row 1 - 1/3 row 0    3     4
 *     3 4                   1 2                         1/3   2/3 */
static void OF(lu)(int64_t m, int64_t n, const void *from, void *to, int32_t *pivots, int32_t *rows)
{
	NUMBER *y = to;

	if (m && n) memcpy(y, from, (size_t)(m * n) * sizeof *y);
	for (int64_t i = 0; i < m; i++) rows[i] = (int32_t)i;
	for (int64_t k = 0; k < m && k < n; k++) {
		int64_t best = k;
		for (int64_t i = k + 1; i < m; i++)
			if (PARTS(y[i * n + k]) > PARTS(y[best * n + k])) best = i;
		pivots[k] = (int32_t)best;
		const int32_t row = rows[k];
		rows[k] = rows[best];
		rows[best] = row;
		for (int64_t j = 0; j < n; j++) {
			const NUMBER upper = y[k * n + j];
			y[k * n + j] = y[best * n + j];
			y[best * n + j] = upper;
		}
		for (int64_t i = k + 1; i < m && y[k * n + k] != 0; i++) {
			y[i * n + k] = OVER(y[i * n + k], y[k * n + k]);
			for (int64_t j = k + 1; j < n; j++)
				y[i * n + j] -= TIMES(y[i * n + k], y[k * n + j]);
		}
	}
}

/* ---- eigh and svd: Jacobi. Columns p and q of n elements, `step` apart, become c p - s u* q and
 * s u p + c q, where u is of size 1: a small angle leaves both as they are, whatever u is */
static void OF(rotate)(NUMBER *p, NUMBER *q, int64_t n, int64_t step, REAL c, REAL s, NUMBER u)
{
	for (int64_t i = 0; i < n; i++) {
		const NUMBER a = p[i * step], b = q[i * step];
		p[i * step] = c * a - s * TIMES(CONJ(u), b);
		q[i * step] = s * TIMES(u, a) + c * b;
	}
}

/* The rotation that makes [a |g|; |g| b] diagonal: its tangent, and *c, its cosine. The element
 * beside the diagonal afterwards is c s (a - b) + (c^2 - s^2) |g|, which is 0 where
 * t^2 + 2 theta t - 1 = 0 for t = s / c and theta = (b - a) / (2 |g|). Of its two roots, whose
 * product is -1, this is the smaller one: the angle is at most pi / 4, and sweeps converge */
static REAL OF(angle)(REAL a, REAL b, REAL g, REAL *c)
{
	const REAL theta = (b - a) / (2 * g);
	const REAL size = theta < 0 ? -theta : theta;
	const REAL t = 1 / (size + ROOT(1 + size * size));

	*c = 1 / ROOT(1 + t * t);
	return theta < 0 ? -t : t;
}

static void OF(swap_columns)(NUMBER *x, int64_t n, int64_t step, int64_t i, int64_t j)
{
	for (int64_t k = 0; k < n; k++) {
		const NUMBER kept = x[k * step + i];
		x[k * step + i] = x[k * step + j];
		x[k * step + j] = kept;
	}
}

/* one rotation for each pair of rows; false: there was none left that changes anything */
static bool OF(eigh_sweep)(int64_t n, NUMBER *a, NUMBER *v, REAL least)
{
	bool changed = false;

	for (int64_t p = 0; p < n; p++)
		for (int64_t q = p + 1; q < n; q++) {
			const NUMBER g = a[p * n + q];
			const REAL size = SIZE(g);
			if (!(size > least)) continue;
			REAL c;
			const REAL t = OF(angle)(REAL_PART(a[p * n + p]), REAL_PART(a[q * n + q]),
			                         size, &c);
			const NUMBER u = g / size;
			OF(rotate)(a + p, a + q, n, n, c, t * c, u);
			OF(rotate)(a + p * n, a + q * n, n, 1, c, t * c, CONJ(u));
			OF(rotate)(v + p, v + q, n, n, c, t * c, u);
			a[p * n + q] = a[q * n + p] = 0;
			changed = true;
		}
	return changed;
}

static void OF(set_nan)(REAL *x, int64_t n)
{
	for (int64_t i = 0; i < n; i++) x[i] = NAN;
}

/* the largest size among n numbers; not finite if one of them is not */
static REAL OF(largest)(const NUMBER *x, int64_t n)
{
	REAL most = 0;

	for (int64_t i = 0; i < n; i++)
		if (!(SIZE(x[i]) <= most)) {
			most = SIZE(x[i]);
			if (!isfinite(most)) break;
		}
	return most;
}

/* Cyclic Jacobi. work: n x n. The lower triangle of x is read, or the upper one */
static void OF(eigh)(int64_t n, bool lower, const void *from, void *to_v, void *to_w, void *work)
{
	const NUMBER *x = from;
	NUMBER *a = work, *v = to_v;
	REAL *w = to_w;

	for (int64_t i = 0; i < n * n; i++) {
		const int64_t row = i / n, column = i % n;
		const bool here = lower ? column <= row : column >= row;
		const NUMBER z = here ? x[i] : CONJ(x[column * n + row]);
		a[i] = row == column ? REAL_PART(z) : z;
		v[i] = row == column;
	}
	const REAL largest = OF(largest)(a, n * n);
	for (int sweep = 0; isfinite(largest) && sweep < SWEEPS; sweep++)
		if (!OF(eigh_sweep)(n, a, v, largest * EPSILON / 4)) break;
	for (int64_t i = 0; i < n; i++) w[i] = REAL_PART(a[i * n + i]);
	if (!isfinite(largest)) {
		OF(set_nan)(w, n);
		OF(set_nan)((REAL *)v, n * n * (int64_t)(sizeof *v / sizeof *w));
	}
	for (int64_t i = 0; i < n; i++) { /* in rising order */
		int64_t best = i;
		for (int64_t j = i + 1; j < n; j++)
			if (w[j] < w[best]) best = j;
		const REAL value = w[i];
		w[i] = w[best];
		w[best] = value;
		OF(swap_columns)(v, n, n, i, best);
	}
}

/* p^H q of columns of n elements */
static NUMBER OF(inner)(const NUMBER *p, const NUMBER *q, int64_t n, int64_t step)
{
	NUMBER sum = 0;

	for (int64_t i = 0; i < n; i++) sum += TIMES(CONJ(p[i * step]), q[i * step]);
	return sum;
}

/* makes each two of the first k columns of x orthogonal, and turns those of v, k x k, alike */
static bool OF(svd_sweep)(int64_t n, int64_t k, NUMBER *x, int64_t step, NUMBER *v)
{
	bool changed = false;

	for (int64_t p = 0; p < k; p++)
		for (int64_t q = p + 1; q < k; q++) {
			const REAL a = REAL_PART(OF(inner)(x + p, x + p, n, step));
			const REAL b = REAL_PART(OF(inner)(x + q, x + q, n, step));
			const NUMBER g = OF(inner)(x + p, x + q, n, step);
			const REAL size = SIZE(g);
			if (!(size > EPSILON * ROOT((REAL)n) * ROOT(a) * ROOT(b))) continue;
			REAL c;
			const REAL t = OF(angle)(a, b, size, &c);
			OF(rotate)(x + p, x + q, n, step, c, t * c, g / size);
			OF(rotate)(v + p, v + q, k, k, c, t * c, g / size);
			changed = true;
		}
	return changed;
}

/* column j of x becomes one of size 1 that is orthogonal to those before it: what is left of a unit
 * vector without its parts along them, of one that leaves enough */
static void OF(complete)(NUMBER *x, int64_t n, int64_t step, int64_t j)
{
	REAL left = 0;

	for (int64_t unit = 0; unit < n && left * left * (REAL)(2 * n) < 1; unit++) {
		for (int64_t i = 0; i < n; i++) x[i * step + j] = i == unit;
		for (int64_t k = 0; k < 2 * j; k++) { /* twice, since the first time rounds */
			const NUMBER *at = x + k % j;
			const NUMBER part = OF(inner)(at, x + j, n, step);
			for (int64_t i = 0; i < n; i++)
				x[i * step + j] -= TIMES(part, at[i * step]);
		}
		left = ROOT(REAL_PART(OF(inner)(x + j, x + j, n, step)));
	}
	for (int64_t i = 0; i < n; i++) x[i * step + j] /= left;
}

/* the sizes of the first k columns of x, in falling order, to s; the columns, and those of v, in
 * that order, and columns of size 1 */
static void OF(svd_order)(int64_t n, int64_t k, int64_t columns, NUMBER *x, NUMBER *v, REAL *s)
{
	for (int64_t j = 0; j < k; j++) s[j] = ROOT(REAL_PART(OF(inner)(x + j, x + j, n, columns)));
	for (int64_t j = 0; j < k; j++) {
		int64_t best = j;
		for (int64_t i = j + 1; i < k; i++)
			if (s[i] > s[best]) best = i;
		const REAL value = s[j];
		s[j] = s[best];
		s[best] = value;
		OF(swap_columns)(x, n, columns, j, best);
		OF(swap_columns)(v, k, k, j, best);
	}
	for (int64_t j = 0; j < columns; j++) {
		if (j >= k || s[j] == 0)
			OF(complete)(x, n, columns, j);
		else
			for (int64_t i = 0; i < n; i++) x[i * columns + j] /= s[j];
	}
}

/* One-sided Jacobi (Hestenes), of x or, where it is wide, of x^H: its columns are turned until they
 * are orthogonal. u NULL: s alone. work: the larger side x (with full the same) the smaller one,
 * and the smaller side squared */
static void OF(svd)(int64_t m, int64_t n, bool full, const void *from, void *to_s, void *to_u,
                    void *to_vh, void *work)
{
	const bool wide = m < n;
	const int64_t rows = wide ? n : m, k = wide ? m : n, columns = full ? rows : k;
	const NUMBER *x = from;
	NUMBER *left = work, *v = left + rows * columns, *u = to_u, *vh = to_vh;
	REAL *s = to_s, largest = OF(largest)(x, m * n);
	const REAL scale = largest == 0 ? 1 : largest;

	for (int64_t i = 0; i < rows * columns; i++) {
		const int64_t row = i / columns, j = i % columns;
		const NUMBER here = j >= k ? 0 : wide ? CONJ(x[j * n + row]) : x[row * n + j];
		left[i] = here / scale;
	}
	for (int64_t i = 0; i < k * k; i++) v[i] = i / k == i % k;
	for (int sweep = 0; isfinite(largest) && sweep < SWEEPS; sweep++)
		if (!OF(svd_sweep)(rows, k, left, columns, v)) break;
	OF(svd_order)(rows, k, columns, left, v, s);
	for (int64_t j = 0; j < k; j++) s[j] *= scale;
	if (!isfinite(largest)) {
		const int64_t parts = sizeof *left / sizeof *s;
		OF(set_nan)(s, k);
		OF(set_nan)((REAL *)left, (rows * columns + k * k) * parts);
	}
	for (int64_t i = 0; u && i < rows * columns; i++) {
		const int64_t row = i / columns, j = i % columns;
		*(wide ? &vh[j * n + row] : &u[i]) = wide ? CONJ(left[i]) : left[i];
	}
	for (int64_t i = 0; u && i < k * k; i++)
		*(wide ? &u[i] : &vh[i % k * k + i / k]) = wide ? v[i] : CONJ(v[i]);
}

#include "prim/linear/schur_body.h"

static const matrix_algorithms OF(algorithms) = {
	.cholesky = OF(cholesky),
	.triangular_solve = OF(triangular_solve),
	.lu = OF(lu),
	.qr = OF(qr),
	.eigh = OF(eigh),
	.svd = OF(svd),
	.hessenberg = OF(hessenberg),
	.tridiagonal = OF(tridiagonal),
	.schur = OF(schur),
	.eig = OF(eig),
};

#undef NUMBER
#undef REAL
#undef OF
