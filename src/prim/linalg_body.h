/* linalg_body.h - the algorithms of linear algebra on one matrix, for one dtype; linalg_numbers.c
 * says which. NUMBER is an element, and REAL its real part. */

/* Cholesky and Banachiewicz: row by row, y[i][j] from the rows of y up to j. Without a factor, NaN
 * stands for what is not 0 */
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

/* One column after the other (of b from the right: row), by substitution. a[i * down + k * along]
 * is what y[k] is multiplied by in row i */
static void OF(triangular_solve)(const triangular_solve_params *p, int64_t m, int64_t columns,
                                 const void *of, const void *from, void *to)
{
	const NUMBER *a = of, *b = from;
	NUMBER *y = to;
	const bool turned = p->transpose_a == p->left_side, rising = p->lower != turned;
	const int64_t down = turned ? 1 : m, along = turned ? m : 1;
	const int64_t next = p->left_side ? columns : 1, step = p->left_side ? 1 : m;

	for (int64_t column = 0; column < columns; column++, b += step, y += step)
		for (int64_t at = 0; at < m; at++) {
			const int64_t i = rising ? at : m - 1 - at;
			NUMBER sum = b[i * next];
			for (int64_t before = 0; before < at; before++) {
				const int64_t k = rising ? before : m - 1 - before;
				const NUMBER factor = a[i * down + k * along];
				sum -= TIMES(p->conjugate_a ? CONJ(factor) : factor, y[k * next]);
			}
			const NUMBER pivot = a[i * m + i];
			y[i * next] = p->unit_diagonal
			                    ? sum
			                    : OVER(sum, p->conjugate_a ? CONJ(pivot) : pivot);
		}
}

static const matrix_algorithms OF(algorithms) = {
	.cholesky = OF(cholesky),
	.triangular_solve = OF(triangular_solve),
};

#undef NUMBER
#undef REAL
#undef OF
#undef CONJ
#undef REAL_PART
#undef ROOT
#undef TIMES
#undef OVER
