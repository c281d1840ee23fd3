/* test_library.c - products that a library computes: their parts make up the whole, each part its
 * own elements and nothing else, the same bits in whatever order and beside other threads, and
 * right within the rounding of a sum. */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
#include "native_rig.h"

static const struct shape {
	int64_t batch, m, n, k;
} shapes[] = {
	{1, 1, 1, 1},     {1, 64, 64, 64},  {3, 65, 63, 70},   {7, 16, 129, 40}, {1, 513, 33, 64},
	{1, 33, 1030, 9}, {1, 256, 256, 5}, {1, 257, 255, 90}, {1, 530, 520, 3}, {2, 1, 700, 300},
};

typedef struct matrices {
	matrix_product p;
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

static matrices matrices_make(const struct shape *s, int way)
{
	matrices x = {.p = {.dtype = way & 4 ? TSR_F64 : TSR_F32,
	                    .batch = s->batch,
	                    .m = s->m,
	                    .n = s->n,
	                    .k = s->k,
	                    .transpose_a = way & 1,
	                    .transpose_b = way & 2},
	              .item = way & 4 ? 8 : 4,
	              .na = (size_t)(s->batch * s->m * s->k),
	              .nb = (size_t)(s->batch * s->k * s->n),
	              .nc = (size_t)(s->batch * s->m * s->n)};

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

static void check_element(const matrices *x, int64_t at)
{
	const matrix_product *p = &x->p;
	const int64_t j = at % p->n, i = at / p->n % p->m, batch = at / p->n / p->m;
	const int64_t a = batch * p->m * p->k, b = batch * p->k * p->n;
	double sum = 0, size = 0;

	for (int64_t k = 0; k < p->k; k++) {
		const double term =
			number_at(x, x->a, a + (p->transpose_a ? k * p->m + i : i * p->k + k)) *
			number_at(x, x->b, b + (p->transpose_b ? j * p->k + k : k * p->n + j));
		sum += term;
		size += fabs(term);
	}
	const double bound = size * (double)(p->k + 1) * (x->item == 4 ? 0x1p-24 : 0x1p-52);
	if (!(fabs(number_at(x, x->c, at) - sum) <= bound))
		fail_msg("%lldx%lldx%lld, element %lld: %g, not %g", (long long)p->m,
		         (long long)p->n, (long long)p->k, (long long)at, number_at(x, x->c, at),
		         sum);
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
		t->product(&x->p, x->at[0], x->at[1], x->c, part, part + 1);
		for (size_t i = 0; i < x->nc; i++) {
			if (!memcmp(again + i * x->item, x->c + i * x->item, x->item)) continue;
			made++;
			assert_true(isnan(number_at(x, again, (int64_t)i)));
		}
	}
	assert_int_equal(made, x->nc);
	for (size_t i = 0; i < x->nc; i += 1 + x->nc / 2000) check_element(x, (int64_t)i);
	memset(again, 0xff, bytes);
	t->product(&x->p, x->at[0], x->at[1], again, 0, (parts + 1) / 2);
	t->product(&x->p, x->at[0], x->at[1], again, (parts + 1) / 2, parts);
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
			const int64_t parts = t->product_parts(&x.p);
			if (parts) check_parts(t, &x);
			for (int64_t at = 0; parts && at < n * n; at++)
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
			if (t->product_parts(&x.p)) check_parts(t, &x);
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
	const bool contracts_rows = k ? !x.p.transpose_b : x.p.transpose_a;
	const int64_t own = k ? s->n : s->m;
	const int64_t rows = contracts_rows ? s->k : own, columns = contracts_rows ? own : s->k;
	const matrix_view v = {.batch = {1, {s->batch}, {17}},
	                       .rows = two_dims(rows, 9, 2),
	                       .columns = two_dims(columns, 11, 1)};
	const int64_t n = 17 * s->batch + 9 * rows + 11 * columns;
	char *from = numbers((size_t)n, x.item, 3), *to = k ? x.b : x.a;

	for (int64_t b = 0, at = 0; b < s->batch; b++)
		for (int64_t i = 0; i < rows; i++)
			for (int64_t j = 0; j < columns; j++, at++)
				memcpy(to + (size_t)at * x.item,
				       from + (size_t)(17 * b + offset_of(&v.rows, i) +
				                       offset_of(&v.columns, j)) * x.item,
				       x.item);
	x.p.view = &v;
	x.p.view_b = k;
	x.at[k] = from;
	check_parts(t, &x);
	free(from);
	matrices_free(&x);
}

static matrix_product of_f32(int64_t batch, int64_t m, int64_t n, int64_t k)
{
	return (matrix_product){.dtype = TSR_F32, .batch = batch, .m = m, .n = n, .k = k};
}

static void operands_are_gathered(void **state)
{
	const native_type *t = natives_get()->type;
	static const struct shape larger = {2, 1040, 24, 600};

	(void)state;
	const matrix_product eight = of_f32(1, 8, 8, 8);
	if (!t->product_parts(&eight)) return;
	for (int way = 0; way < 8; way++)
		for (int k = 0; k < 2; k++) {
			for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
				check_gathered(t, &shapes[i], way, k);
			check_gathered(t, &larger, way, k);
		}
}

/* large ones have work for several workers, and batches as many parts as matrices */
static void large_ones_have_parts(void **state)
{
	const native_type *t = natives_get()->type;
	const matrix_product square = of_f32(1, 1024, 1024, 64);
	const matrix_product tall = of_f32(1, 4096, 64, 64);
	const matrix_product many = of_f32(50, 64, 64, 64);

	(void)state;
	if (!t->product_parts(&square)) return; /* built without a library */
	assert_true(t->product_parts(&square) >= 4);
	assert_true(t->product_parts(&tall) >= 4);
	assert_int_equal(t->product_parts(&many), 50);
}

/* ---- several threads at once */

enum { THREADS = 2, TIMES = 3000, SIDE = 128 };

typedef struct caller {
	const native_type *type;
	const matrices *x;
	atomic_int *arrived; /* all of them start at once, as often as there are times */
	char *c;
	int wrong;
} caller;

static void *call_often(void *of)
{
	caller *who = of;
	const matrices *x = who->x;
	const int64_t parts = who->type->product_parts(&x->p);

	for (int i = 1; i <= TIMES; i++) {
		atomic_fetch_add(who->arrived, 1);
		for (int spins = 1; atomic_load(who->arrived) < THREADS * i; spins++)
			if (spins % 10000 == 0) sched_yield();
		who->type->product(&x->p, x->a, x->b, who->c, 0, parts);
		who->wrong += memcmp(who->c, x->c, x->nc * x->item) != 0;
	}
	return NULL;
}

static void threads_do_not_meet(void **state)
{
	const native_type *t = natives_get()->type;
	matrices x = matrices_make(&(struct shape){1, SIDE, SIDE, SIDE}, 0);
	const int64_t parts = t->product_parts(&x.p);
	atomic_int arrived;
	pthread_t thread[THREADS];
	caller who[THREADS];

	(void)state;
	atomic_init(&arrived, 0);
	t->product(&x.p, x.a, x.b, x.c, 0, parts);
	for (int i = 0; i < THREADS && parts; i++) {
		who[i] = (caller){t, &x, &arrived, malloc(x.nc * x.item), 0};
		assert_non_null(who[i].c);
		assert_int_equal(pthread_create(&thread[i], NULL, call_often, &who[i]), 0);
	}
	for (int i = 0; i < THREADS && parts; i++) {
		pthread_join(thread[i], NULL);
		assert_int_equal(who[i].wrong, 0);
		free(who[i].c);
	}
	matrices_free(&x);
}

/* ---- children of a fork while other threads compute */

enum { FORKS = 400, BUSY = 4 };

typedef struct busy {
	const native_type *type;
	const matrices *x;
	atomic_bool done;
} busy;

static void *compute_until_done(void *of)
{
	busy *b = of;
	const matrices *x = b->x;
	char *c = malloc(x->nc * x->item);

	while (c && !atomic_load(&b->done))
		b->type->product(&x->p, x->a, x->b, c, 0, b->type->product_parts(&x->p));
	free(c);
	return NULL;
}

static bool child_computes(const native_type *t, matrices *x)
{
	int status = 0;
	const pid_t child = fork();

	if (child == 0) {
		alarm(10);
		t->product(&x->p, x->a, x->b, x->c, 0, t->product_parts(&x->p));
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void children_compute(void **state)
{
	const native_type *t = natives_get()->type;
	matrices x = matrices_make(&(struct shape){1, SIDE, SIDE, SIDE}, 0);
	busy b = {.type = t, .x = &x};
	pthread_t thread[BUSY];
	int good = 0;

	(void)state;
	if (t->product_parts(&x.p)) { /* built with a library */
		for (int i = 0; i < BUSY; i++)
			assert_int_equal(pthread_create(&thread[i], NULL, compute_until_done, &b),
			                 0);
		while (good < FORKS && child_computes(t, &x)) good++;
		atomic_store(&b.done, true);
		for (int i = 0; i < BUSY; i++) pthread_join(thread[i], NULL);
		assert_int_equal(good, FORKS);
	}
	matrices_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_make_up_the_whole),
		cmocka_unit_test(symmetric_is_made_by_half),
		cmocka_unit_test(large_ones_have_parts),
		cmocka_unit_test(operands_are_gathered),
		cmocka_unit_test(threads_do_not_meet), cmocka_unit_test(children_compute)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
