/* test_layout.c - the public operations that move elements, as JAX and NumPy have them: slices with
 * negative steps, joining and parting, new dims, one bound, starts in several dims. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include "unit/seen.h"
#include <cmocka.h>

#define D    TSR_DIMS
#define LEN(a) (sizeof(a) / sizeof *(a))

static tsr *grid(tsr_ctx *ctx, int64_t rows, int64_t cols)
{
	return tsr_reshape(tsr_arange(ctx, rows * cols), D(rows, cols));
}

/* ---- slices: the texts are NumPy's of numpy.arange(5)[start:stop:step] */

static void slices_are_pythons(void **state)
{
	static const struct {
		int64_t start, stop, step;
		const char *want;
	} cases[] = {
		{TSR_END, TSR_BEGIN, -1, "(5) 4 3 2 1 0"}, {TSR_END, TSR_BEGIN, -2, "(3) 4 2 0"},
		{3, TSR_BEGIN, -1, "(4) 3 2 1 0"},         {3, 0, -1, "(3) 3 2 1"},
		{-1, -4, -1, "(3) 4 3 2"},                 {-2, 0, -2, "(2) 3 1"},
		{4, -1, -1, "(0)"},                        {0, 3, -1, "(0)"},
		{9, 2, -1, "(2) 4 3"},                     {-9, TSR_BEGIN, -1, "(0)"},
		{0, TSR_BEGIN, -1, "(1) 0"},               {TSR_END, TSR_BEGIN, INT64_MIN, "(1) 4"},
		{TSR_END, TSR_BEGIN, -7, "(1) 4"},         {1, TSR_END, 2, "(2) 1 3"},
		{-9, 9, 4, "(2) 0 4"},                     {3, 3, 1, "(0)"},
		{TSR_END, TSR_BEGIN, 1, "(0)"},            {0, TSR_END, INT64_MAX, "(1) 0"},
	};
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_arange(ctx, 5);

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		SEES(tsr_slice_strided(x, D(cases[i].start), D(cases[i].stop),
		                       .steps = D(cases[i].step)), cases[i].want);
	SEES(tsr_slice_strided(grid(ctx, 3, 4), D(TSR_END, 1), D(TSR_BEGIN, TSR_END),
	                       .steps = D(-2, 2)), "(2,2) 9 11 1 3");
	SEES(tsr_slice_strided(tsr_zeros(ctx, D(0)), D(TSR_END), D(TSR_BEGIN), .steps = D(-1)),
	     "(0)");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static tsr *backwards(tsr *x)
{
	tsr *y = tsr_slice_strided(x, D(TSR_END), D(TSR_BEGIN), .steps = D(-2));
	return tsr_sum(tsr_mul(y, tsr_arange(x, tsr_dim(y, 0), .dtype = TSR_F32)));
}

static void slices_have_derivatives_and_batches(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_astype(grid(ctx, 2, 5), TSR_F32);

	(void)state;
	SEES(tsr_call(tsr_grad(ctx, backwards), tsr_index(x, 0, 0)), "(5) 2 0 1 0 0");
	SEES(tsr_call(tsr_vmap(ctx, backwards), x), "(2) 2 17");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- parting and joining */

static void split_at_indices(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_arange(ctx, 6), *part[3], *half[2];

	(void)state;
	assert_true(tsr_split(x, 0, part, 3, .indices = D(2, 5)));
	SEES(part[0], "(2) 0 1");
	SEES(part[1], "(3) 2 3 4");
	SEES(part[2], "(1) 5");
	assert_true(tsr_split(x, -1, part, 3, .indices = D(0, 6)));
	SEES(part[0], "(0)");
	SEES(part[1], "(6) 0 1 2 3 4 5");
	SEES(part[2], "(0)");
	assert_true(tsr_split(grid(ctx, 2, 3), 1, half, 2, .indices = D(1)));
	SEES(half[1], "(2,2) 1 2 4 5");
	assert_true(tsr_split(x, 0, half, 1, .indices = D()));
	SEES(half[0], "(6) 0 1 2 3 4 5");
	assert_true(tsr_split(x, 0, part, 3));
	SEES(part[1], "(2) 2 3");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void joined_lists_and_flat(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = grid(ctx, 2, 2), *row[20];

	(void)state;
	SEES(tsr_concatenate(TSR_FLAT, x, tsr_arange(ctx, 3), tsr_scalar(ctx, 7)),
	     "(8) 0 1 2 3 0 1 2 7");
	assert_int_equal(tsr_dtype_of(tsr_concatenate(TSR_FLAT, x, tsr_ones(ctx, D()))), TSR_F32);
	for (int i = 0; i < 20; i++) row[i] = tsr_full(ctx, D(1), i);
	SEES(tsr_concatenate_list(0, row, 3), "(3) 0 1 2");
	SEES(tsr_concatenate_list(TSR_FLAT, row, 2), "(2) 0 1");
	SEES(tsr_stack_list(1, row, 12), "(1,12) 0 1 2 3 4 5 6 7 8 9 10 11");
	assert_int_equal(tsr_dim(tsr_stack_list(0, row, 20), 0), 20);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void several_new_dims(void **state)
{
	const struct {
		tsr_dims dims;
		const char *want;
	} cases[] = {
		{D(0), "(1,2,3) 0 1 2 3 4 5"},      {D(-1), "(2,3,1) 0 1 2 3 4 5"},
		{D(0, 2), "(1,2,1,3) 0 1 2 3 4 5"}, {D(-1, 0), "(1,2,3,1) 0 1 2 3 4 5"},
		{D(), "(2,3) 0 1 2 3 4 5"},         {D(1, 2, 4), "(2,1,1,3,1) 0 1 2 3 4 5"},
	};
	tsr_ctx *ctx = tsr_open();

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		SEES(tsr_expand_dims(grid(ctx, 2, 3), cases[i].dims), cases[i].want);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- one bound */

static tsr *above_two(tsr *x) { return tsr_sum(tsr_clamp(2, x, TSR_NONE)); }

static void clamp_with_one_bound(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_arange(ctx, 5);

	(void)state;
	SEES(tsr_clamp(2, x, TSR_NONE), "(5) 2 2 2 3 4");
	SEES(tsr_clamp(TSR_NONE, x, tsr_scalar(ctx, 3)), "(5) 0 1 2 3 3");
	SEES(tsr_clamp(TSR_NONE, x, TSR_NONE), "(5) 0 1 2 3 4");
	SEES(tsr_clamp_at(NULL, TSR_NONE, tsr_arg_one(x), tsr_arg_int(3)), "(5) 0 1 2 3 3");
	SEES(tsr_clamp(3, x, 1), "(5) 1 1 1 1 1");
	assert_int_equal(tsr_dtype_of(tsr_clamp(2, x, TSR_NONE)), TSR_I32);
	assert_int_equal(tsr_dtype_of(tsr_clamp(TSR_NONE, x, 2.5)), TSR_F32);
	SEES(tsr_call(tsr_grad(ctx, above_two), tsr_arange(ctx, 5, .dtype = TSR_F32, .start = 0.5)),
	     "(5) 0 0 1 1 1");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- starts in several dims: as lax.dynamic_slice, which moves them so that the part fits */

static tsr *part_at(tsr *x, tsr *i, tsr *j) { return tsr_dynamic_slice_dims(x, D(2, 2), i, j); }
static tsr *sum_at(tsr *x, tsr *i) { return tsr_sum(tsr_dynamic_slice_dims(x, D(2, 2), i, 1)); }
static tsr *with_part(tsr *x, tsr *part, tsr *i)
{
	return tsr_dynamic_update_dims(x, part, i, tsr_add(i, 1));
}

static void starts_in_several_dims(void **state)
{
	static const struct {
		int i, j;
		const char *part, *with;
	} cases[] = {
		{0, 1, "(2,2) 1 2 5 6", "(3,4) 0 9 9 3 4 9 9 7 8 9 10 11"},
		{1, 2, "(2,2) 6 7 10 11", "(3,4) 0 1 2 3 4 5 9 9 8 9 9 9"},
		{7, 7, "(2,2) 6 7 10 11", "(3,4) 0 1 2 3 4 5 9 9 8 9 9 9"},
		{-2, -3, "(2,2) 5 6 9 10", "(3,4) 0 1 2 3 4 9 9 7 8 9 9 11"},
		{-9, -1, "(2,2) 2 3 6 7", "(3,4) 0 1 9 9 4 5 9 9 8 9 10 11"},
	};
	tsr_ctx *ctx = tsr_open();
	tsr *x = grid(ctx, 3, 4), *nines = tsr_full(ctx, D(2, 2), 9);
	tsr_fn *f = tsr_jit(ctx, part_at);

	(void)state;
	for (size_t k = 0; k < LEN(cases); k++) {
		const int i = cases[k].i, j = cases[k].j;
		SEES(tsr_dynamic_slice_dims(x, D(2, 2), i, j), cases[k].part);
		SEES(tsr_call(f, x, tsr_scalar(ctx, i), tsr_scalar(ctx, j, .dtype = TSR_I64)),
		     cases[k].part);
		SEES(tsr_dynamic_update_dims(x, nines, i, tsr_scalar(ctx, j)), cases[k].with);
	}
	SEES(tsr_dynamic_slice_dims(tsr_scalar(ctx, 5), D()), "() 5");
	SEES(tsr_dynamic_update_dims(tsr_scalar(ctx, 5), tsr_scalar(ctx, 6)), "() 6");
	tsr *reals = tsr_astype(x, TSR_F32);
	SEES(tsr_call(tsr_grad(ctx, sum_at), reals, 1), "(3,4) 0 0 0 0 0 1 1 0 0 1 1 0");
	SEES(tsr_call(tsr_vmap(ctx, with_part, .in = TSR_MAPPED(TSR_UNMAPPED, TSR_UNMAPPED, 0)), x,
	              nines, tsr_arange(ctx, 2)),
	     "(2,3,4) 0 9 9 3 4 9 9 7 8 9 10 11 0 1 2 3 4 5 9 9 8 9 9 9");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_are_pythons),
		cmocka_unit_test(slices_have_derivatives_and_batches),
		cmocka_unit_test(split_at_indices),
		cmocka_unit_test(joined_lists_and_flat),
		cmocka_unit_test(several_new_dims),
		cmocka_unit_test(clamp_with_one_bound),
		cmocka_unit_test(starts_in_several_dims),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
