/* test_macros.c - the promises of the macros of the public headers about their arguments, and
 * operations as values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>

TSR_TREE_TYPE(pair, { tsr *a, *b; });

/* a compound literal as an initialiser is an extension, as gcc says with -Wpedantic */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
static const tsr_dims of_the_file = TSR_DIMS(2, 3), none = TSR_DIMS();
#pragma GCC diagnostic pop

static tsr *difference(tsr_tree t)
{
	const pair *p = TSR_TREE_OF(pair, t);
	return tsr_sub(p->a, p->b);
}
static tsr *pick(tsr_ctx *ctx, int *calls, int value)
{
	*calls = *calls * 10 + value;
	return tsr_scalar(ctx, value);
}

/* memory of blocks that have ended is used again here */
static void __attribute__((noinline)) spoil(void)
{
	volatile char room[4096];
	memset((char *)(uintptr_t)room, 0x41, sizeof room);
}

static void literal_lives_until_the_call_returns(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open();
	tsr_fn *f = tsr_jit(ctx, difference);
	tsr *one = tsr_scalar(ctx, 1), *two = tsr_scalar(ctx, 2);
	tsr *y = NULL;

	assert_int_equal(tsr_item(tsr_call(f, TSR_TREE(pair, (&(pair){.a = two, .b = one})))), 1);
	spoil();
	tsr_call_into(TSR_OUT(&y), f, TSR_TREE(pair, (&(pair){.a = one, .b = two})));
	assert_int_equal(tsr_item(y), -1);
	assert_int_equal(tsr_item(tsr_call(f, TSR_LEAVES(((tsr *[]){two, one}), 2))), 1);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void arguments_are_evaluated_once_from_left_to_right(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open();
	int calls = 0;
	tsr_fn *f = tsr_jit(ctx, tsr_sub);

	assert_int_equal(tsr_item(tsr_call(f, pick(ctx, &calls, 1), pick(ctx, &calls, 2))), -1);
	assert_int_equal(calls, 12);
	assert_int_equal(tsr_item(tsr_sub(pick(ctx, &calls, 3), pick(ctx, &calls, 4))), -1);
	assert_int_equal(calls, 1234);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void dims_at_file_scope(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open();

	assert_int_equal(tsr_size(tsr_zeros(ctx, of_the_file)), 6);
	assert_int_equal(tsr_ndim(tsr_zeros(ctx, none)), 0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- values */

static tsr *product(tsr *x) { return tsr_psum(x, "i"); }

static void operations_are_values(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open();
	const tsr *x = tsr_arange(ctx, 6, .dtype = TSR_F32);
	tsr *rows = tsr_reshape(tsr_arange(ctx, 6, .dtype = TSR_F32), TSR_DIMS(2, 3));
	tsr *sums = tsr_call(tsr_vmap(ctx, tsr_sum), rows);
	tsr *twice = tsr_call(tsr_vmap(ctx, tsr_add), rows, rows);
	tsr *(*reduce)(tsr *) = tsr_mean;
	tsr *(*collective)(tsr *, const char *) = tsr_psum;
	int64_t (*size)(const tsr *, int) = tsr_dim;
	double (*item)(const tsr *) = tsr_item;

	assert_true(tsr_array_equal(sums, tsr_from(ctx, (float[]){3, 12}, TSR_F32, TSR_DIMS(2))));
	assert_true(tsr_array_equal(twice, tsr_mul(rows, 2)));
	assert_true(item(reduce(rows)) == 2.5);
	assert_int_equal(size(x, -1), 6);
	assert_non_null(collective);
	twice = tsr_call(tsr_vmap(ctx, product, .axis = "i"), sums);
	assert_int_equal(tsr_item(tsr_index(twice, 0, 0)), 15);
	/* what a debugger calls: no macro, no keyword */
	assert_true((tsr_item)((tsr_sum)((tsr_full)(ctx, of_the_file, 0.5))) == 3);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(literal_lives_until_the_call_returns),
		cmocka_unit_test(arguments_are_evaluated_once_from_left_to_right),
		cmocka_unit_test(dims_at_file_scope),
		cmocka_unit_test(operations_are_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
