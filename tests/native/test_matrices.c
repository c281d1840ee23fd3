/* test_matrices.c - products of matrices, part by part: parts make up the whole, each part its own
 * elements and nothing else, the same bits in whatever order, and those of docs/numerics.md. */
#include <math.h>
#include "native_rig.h"

static const struct shape {
	int64_t batch, m, n, k;
} shapes[] = {
	{1, 1, 1, 1},     {1, 64, 64, 64},  {3, 65, 63, 70},   {7, 16, 129, 40}, {1, 513, 33, 64},
	{1, 33, 1030, 9}, {1, 256, 256, 5}, {1, 257, 255, 90}, {1, 530, 520, 3}, {2, 1, 700, 300},
	{1, 17, 50, 256}, {1, 9, 49, 257},  {1, 8, 47, 800},
	{1, 1, 1030, 600}, {2, 2, 67, 261}, {1, 3, 129, 40},  {1, 4, 1100, 515}, {1, 90, 1, 300},
};

typedef struct matrices {
	matrix_product p;
	bool transpose_a, transpose_b;
	size_t item, na, nb, nc;
	char *a, *b, *c;
	const char *at[2]; /* operands: a and b, or what one is gathered from */
} matrices;

static double number_at(const matrices *x, const char *of, int64_t i)
{
	return x->item == 4 ? (double)((const float *)(const void *)of)[i]
	                    : ((const double *)(const void *)of)[i];
}

static char *numbers(size_t n, size_t item, uint64_t seed)
{
	char *of = malloc(n * item);

	assert_non_null(of);
	for (size_t i = 0; i < n; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		const double x = (double)(int32_t)(seed >> 32) / 0x1p31;
		if (item == 4)
			((float *)(void *)of)[i] = (float)x;
		else
			((double *)(void *)of)[i] = x;
	}
	return of;
}

static view_dims one_dim(int64_t size, int64_t stride) { return (view_dims){1, {size}, {stride}}; }

static matrices matrices_make(const struct shape *s, int way)
{
	const int64_t m = s->m, n = s->n, k = s->k;
	const bool ta = way & 1, tb = way & 2;
	const tsr_dtype dtype = way & 4 ? TSR_F64 : TSR_F32;
	matrices x = {.p = {.dtype = dtype,
	                    .from = dtype,
	                    .to = dtype,
	                    .batch = s->batch,
	                    .m = m,
	                    .n = n,
	                    .k = k,
	                    .a = {one_dim(s->batch, m * k), one_dim(m, ta ? 1 : k),
	                          one_dim(k, ta ? m : 1)},
	                    .b = {one_dim(s->batch, k * n), one_dim(n, tb ? k : 1),
	                          one_dim(k, tb ? 1 : n)}},
	              .transpose_a = ta,
	              .transpose_b = tb,
	              .item = way & 4 ? 8 : 4,
	              .na = (size_t)(s->batch * m * k),
	              .nb = (size_t)(s->batch * k * n),
	              .nc = (size_t)(s->batch * m * n)};

	x.a = numbers(x.na, x.item, 1);
	x.b = numbers(x.nb, x.item, 2);
	x.at[0] = x.a;
	x.at[1] = x.b;
	x.c = malloc(x.nc * x.item);
	assert_non_null(x.c);
	memset(x.c, 0xff, x.nc * x.item); /* NaN */
	return x;
}

static void matrices_free(matrices *x)
{
	free(x->a);
	free(x->b);
	free(x->c);
}

/* chains of 256, one after the other */
static double summed(const matrices *x, int64_t a, int64_t step_a, int64_t b, int64_t step_b)
{
	double sum = 0, chain = 0;

	for (int64_t k = 0; k < x->p.k; k++, a += step_a, b += step_b) {
		const double p = number_at(x, x->a, a), q = number_at(x, x->b, b);
		chain = x->item == 4 ? (double)fmaf((float)p, (float)q, (float)chain)
		                     : fma(p, q, chain);
		if (k + 1 < x->p.k && (k + 1) % 256) continue;
		sum = k < 256        ? chain
		      : x->item == 4 ? (double)((float)sum + (float)chain)
		                     : sum + chain;
		chain = 0;
	}
	return sum;
}

static void check_element(const matrices *x, int64_t at)
{
	const matrix_product *p = &x->p;
	const int64_t j = at % p->n, i = at / p->n % p->m, batch = at / p->n / p->m;
	const int64_t a = batch * p->m * p->k + i * (x->transpose_a ? 1 : p->k);
	const int64_t b = batch * p->k * p->n + j * (x->transpose_b ? p->k : 1);
	const double want = summed(x, a, x->transpose_a ? p->m : 1, b, x->transpose_b ? 1 : p->n);

	if (number_at(x, x->c, at) != want)
		fail_msg("%lldx%lldx%lld, element %lld: %a, not %a", (long long)p->m,
		         (long long)p->k, (long long)p->n, (long long)at, number_at(x, x->c, at),
		         want);
}

/* from the last part to the first one, and then some of them at once */
static void check_parts(const native_type *t, matrices *x)
{
	const int64_t parts = t->product_parts(&x->p);
	const size_t bytes = x->nc * x->item;
	size_t made = 0;
	char *again = malloc(bytes);

	assert_non_null(again);
	assert_true(parts >= x->p.batch);
	for (int64_t part = parts - 1; part >= 0; part--) {
		memcpy(again, x->c, bytes);
		t->product(&x->p, NULL, x->at[0], x->at[1], x->c, part, part + 1);
		for (size_t i = 0; i < x->nc; i++) {
			if (!memcmp(again + i * x->item, x->c + i * x->item, x->item)) continue;
			made++;
			assert_true(isnan(number_at(x, again, (int64_t)i)));
		}
	}
	assert_int_equal(made, x->nc);
	for (size_t i = 0; i < x->nc; i += 1 + x->nc / 2000) check_element(x, (int64_t)i);
	memset(again, 0xff, bytes);
	t->product(&x->p, NULL, x->at[0], x->at[1], again, 0, (parts + 1) / 2);
	t->product(&x->p, NULL, x->at[0], x->at[1], again, (parts + 1) / 2, parts);
	assert_memory_equal(again, x->c, bytes);
	free(again);
}

/* a matrix times its own transpose, and the other way round */
static void symmetric_is_made_by_half(void **state)
{
	static const struct shape squares[] = {
		{1, 1, 1, 7},     {1, 64, 64, 64},   {3, 65, 65, 70},     {2, 300, 300, 33},
		{1, 513, 513, 9}, {1, 700, 700, 20}, {2, 1100, 1100, 17},
	};
	const native_type *t = natives_get()->type;

	(void)state;
	for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
		for (int way = 1; way < 8; way++) {
			if ((way & 3) != 1 && (way & 3) != 2) continue;
			matrices x = matrices_make(&squares[i], way);
			const int64_t n = x.p.n;
			x.p.symmetric = true;
			memcpy(x.b, x.a, x.na * x.item);
			x.at[1] = x.at[0];
			check_parts(t, &x);
			for (int64_t at = 0; at < n * n; at++)
				assert_true(number_at(&x, x.c, at) ==
				            number_at(&x, x.c, at % n * n + at / n));
			matrices_free(&x);
		}
}

static void parts_make_up_the_whole(void **state)
{
	const native_type *t = natives_get()->type;

	(void)state;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		for (int way = 0; way < 8; way++) {
			matrices x = matrices_make(&shapes[i], way);
			check_parts(t, &x);
			matrices_free(&x);
		}
}

/* ---- an operand that is gathered */

/* n as two dims */
static view_dims two_dims(int64_t n, int64_t outer, int64_t inner)
{
	int64_t last = 7;

	while (n % last) last--;
	return (view_dims){2, {n / last, last}, {outer, inner}};
}

static int64_t offset_of(const view_dims *d, int64_t at)
{
	return at / d->size[1] * d->stride[0] + at % d->size[1] * d->stride[1];
}

/* operand k is one whose elements overlap in a smaller array, as those of patches do */
static void check_gathered(const native_type *t, const struct shape *s, int way, int k)
{
	matrices x = matrices_make(s, way);
	const bool sums_rows = k ? !x.transpose_b : x.transpose_a;
	const int64_t own = k ? s->n : s->m;
	const int64_t rows = sums_rows ? s->k : own, columns = sums_rows ? own : s->k;
	const view_dims row = two_dims(rows, 9, 2), column = two_dims(columns, 11, 1);
	const int64_t n = 17 * s->batch + 9 * rows + 11 * columns;
	char *from = numbers((size_t)n, x.item, 3), *to = k ? x.b : x.a;

	for (int64_t b = 0, at = 0; b < s->batch; b++)
		for (int64_t i = 0; i < rows; i++)
			for (int64_t j = 0; j < columns; j++, at++)
				memcpy(to + (size_t)at * x.item,
				       from + (size_t)(17 * b + offset_of(&row, i) +
				                       offset_of(&column, j)) *
				                       x.item,
				       x.item);
	*(k ? &x.p.b : &x.p.a) = (matrix_view){.batch = one_dim(s->batch, 17),
	                                       .own = sums_rows ? column : row,
	                                       .sum = sums_rows ? row : column};
	x.at[k] = from;
	check_parts(t, &x);
	free(from);
	matrices_free(&x);
}

static matrix_product of_f32(int64_t batch, int64_t m, int64_t n, int64_t k)
{
	return (matrix_product){.dtype = TSR_F32,
	                        .from = TSR_F32,
	                        .to = TSR_F32,
	                        .batch = batch,
	                        .m = m,
	                        .n = n,
	                        .k = k};
}

static void operands_are_gathered(void **state)
{
	const native_type *t = natives_get()->type;
	static const struct shape larger = {2, 1040, 24, 600};

	(void)state;
	for (int way = 0; way < 8; way++)
		for (int k = 0; k < 2; k++) {
			for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
				check_gathered(t, &shapes[i], way, k);
			check_gathered(t, &larger, way, k);
		}
}

/* the chains of a product, part by part from the last one, and then what they give together */
static void check_chains(const native_type *t, const struct shape *s, int way, bool symmetric)
{
	matrices x = matrices_make(s, way);
	const size_t bytes = x.nc * x.item, n = (size_t)(s->k + 255) / 256;
	char *chains = malloc(n * bytes), *joined = malloc(bytes);
	matrix_product p = x.p;

	assert_true(chains && joined);
	p.symmetric = symmetric;
	if (symmetric) x.at[1] = x.at[0];
	t->product(&p, NULL, x.at[0], x.at[1], x.c, 0, t->product_parts(&p));
	p.phase = PRODUCT_CHAINS;
	for (int64_t part = t->product_parts(&p); part-- > 0;)
		t->product(&p, NULL, x.at[0], x.at[1], chains, part, part + 1);
	p.phase = PRODUCT_JOINED;
	for (int64_t part = t->product_parts(&p); part-- > 0;)
		t->product(&p, NULL, chains, chains, joined, part, part + 1);
	assert_memory_equal(joined, x.c, bytes);
	free(chains);
	free(joined);
	matrices_free(&x);
}

static void chains_make_up_the_whole(void **state)
{
	static const struct shape deep[] = {
		{1, 64, 64, 1000}, {2, 30, 70, 513}, {1, 3, 90, 700}, {1, 80, 1, 600},
	};
	const native_type *t = natives_get()->type;

	(void)state;
	for (int way = 0; way < 8; way++)
		for (size_t i = 0; i < sizeof deep / sizeof *deep; i++)
			check_chains(t, &deep[i], way,
			             i == 0 && ((way & 3) == 1 || (way & 3) == 2));
}

/* large ones have work for several workers, and batches as many parts as matrices */
static void large_ones_have_parts(void **state)
{
	const native_type *t = natives_get()->type;
	const matrix_product square = of_f32(1, 1024, 1024, 64);
	const matrix_product tall = of_f32(1, 4096, 64, 64);
	const matrix_product many = of_f32(50, 64, 64, 64);

	(void)state;
	assert_true(t->product_parts(&square) >= 4);
	assert_true(t->product_parts(&tall) >= 4);
	assert_int_equal(t->product_parts(&many), 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parts_make_up_the_whole),
	                                   cmocka_unit_test(symmetric_is_made_by_half),
	                                   cmocka_unit_test(chains_make_up_the_whole),
		cmocka_unit_test(large_ones_have_parts),
	                                   cmocka_unit_test(operands_are_gathered)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
