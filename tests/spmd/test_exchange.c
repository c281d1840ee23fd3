/* test_exchange.c - every collective over every choice of axes on meshes 1, 2, 4, 2x2, 4x2 and
 * 2x2x2 (support/exchanges.h), for all dtypes that make sense: the library against the oracle of
 * recipes. */
#include "support/exchanges.h"
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void every_dtype(exchanges *x)
{
	for (int d = 1; d < TSR_DTYPE_COUNT_; d++)
		if (exchanges_have(x, (tsr_dtype)d)) exchanges_compare(x, (tsr_dtype)d);
}

/* all dtypes over one axis of the meshes 4 and 4x2, otherwise one after the other */
static void some_dtypes(exchanges *x)
{
	static int last;
	const bool has_dims = x->e.kind >= EX_ALL_GATHER && x->e.kind <= EX_PSWAPAXES;

	if (x->r.axis[0].size == 4 && x->e.over.n == 1 && !x->e.ngroups &&
	    (x->e.at == 1 || !has_dims)) {
		every_dtype(x);
		return;
	}
	last = last % (TSR_DTYPE_COUNT_ - 1) + 1;
	const tsr_dtype dtype = x->e.kind == EX_AXIS_INDEX ? TSR_I32 : (tsr_dtype)last;
	if (exchanges_have(x, dtype)) exchanges_compare(x, dtype);
}

static void test_every_collective(void **state)
{
	(void)state;
	static const int meshes[][4] = {{1}, {2}, {4}, {2, 2}, {4, 2}, {2, 2, 2}};
	static exchanges x;
	int count = 0;

	for (size_t k = 0; k < sizeof meshes / sizeof *meshes; k++) {
		x = exchanges_open(meshes[k], (const int[]){0}, some_dtypes);
		exchanges_try_all(&x);
		count += exchanges_close(&x);
	}
	print_message("%d exchanges\n", count);
	assert_true(count > 1000);
}

/* groups of several sizes, where they are legal */
static void test_uneven_groups(void **state)
{
	(void)state;
	static const exchange uneven[] = {
		{.ngroups = 2, .group_size = {1, 3}, .member = {2, 0, 3, 1}},
		{.ngroups = 3, .group_size = {2, 1, 1}, .member = {3, 0, 1, 2}},
		{.ngroups = 4, .group_size = {1, 1, 1, 1}, .member = {0, 1, 2, 3}}};
	static const exchange_kind kinds[] = {EX_PSUM, EX_PMAX, EX_PMIN};
	static exchanges x;

	x = exchanges_open((const int[]){4, 2, 0}, (const int[]){0}, NULL);
	for (size_t k = 0; k < sizeof uneven / sizeof *uneven; k++)
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
			x.e = uneven[k];
			x.e.kind = kinds[i];
			x.e.over = (axis_list){1, {0}};
			every_dtype(&x);
		}
	exchanges_close(&x);
}

/* complex numbers move and add as pairs: f((1 + 2i) x) = (1 + 2i) f(x) */
static void compare_turned(exchanges *x, tsr_dtype dtype)
{
	const double _Complex turn = 1 + 2 * _Complex_I;
	const double *in, *want;
	tsr *left = NULL, *right = NULL;

	exchanges_make(x, TSR_F32, &in, &want);
	tsr *real = form_array(x->ctx, &x->r.region[0].value[0], in, dtype);
	recipe_run(x->ctx, &x->r, dtype, (tsr *[]){tsr_mul(real, turn)}, &left);
	recipe_run(x->ctx, &x->r, dtype, &real, &right);
	assert_int_equal(tsr_dtype_of(left), dtype);
	assert_true(tsr_array_equal(left, tsr_mul(right, turn)));
}

static void test_complex(void **state)
{
	(void)state;
	static exchanges x;

	x = exchanges_open((const int[]){4, 2, 0}, (const int[]){0}, NULL);
	x.e = (exchange){.over = {1, {0}}, .nsource = 4, .source = {2, 0, 3, 1}};
	for (int dtype = TSR_C64; dtype <= TSR_C128; dtype++)
		for (int kind = 0; kind < EX_AXIS_INDEX; kind++) {
			x.e.kind = (exchange_kind)kind;
			if (!exchanges_have(&x, (tsr_dtype)dtype) || kind == EX_RAGGED) continue;
			compare_turned(&x, (tsr_dtype)dtype);
		}
	exchanges_close(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_collective),
		cmocka_unit_test(test_uneven_groups),
		cmocka_unit_test(test_complex),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
