/* test_indices.c - the public operations at indices that an array holds: jnp's take,
 * take_along_axis and x.at[], lax's gather and scatter. The texts are what JAX 0.10.2 gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include "unit/seen.h"
#include <cmocka.h>

#define D TSR_DIMS
#define LEN(a) (sizeof(a) / sizeof *(a))

#define INTS(ctx, dims, ...) \
	tsr_from(ctx, ((int32_t[]){__VA_ARGS__}), TSR_I32, dims)

/* 0 1 2 3, 4 5 6 7, 8 9 10 11 */
static tsr *grid(tsr_ctx *ctx) { return tsr_reshape(tsr_arange(ctx, 12), D(3, 4)); }

/* ---- take */

static void rows_and_columns(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = grid(ctx), *i = INTS(ctx, D(5), 2, 0, -1, 3, -4);

	(void)state;
	SEES(tsr_astype(tsr_take(x, 0, i), TSR_F64),
	     "(5,4) 8 9 10 11 0 1 2 3 8 9 10 11 -2.14748e+09 -2.14748e+09 -2.14748e+09 "
	     "-2.14748e+09 -2.14748e+09 -2.14748e+09 -2.14748e+09 -2.14748e+09");
	SEES(tsr_take(x, 0, i, .mode = TSR_CLIP),
	     "(5,4) 8 9 10 11 0 1 2 3 0 1 2 3 8 9 10 11 0 1 2 3");
	SEES(tsr_take(x, 0, i, .mode = TSR_WRAP),
	     "(5,4) 8 9 10 11 0 1 2 3 8 9 10 11 0 1 2 3 8 9 10 11");
	SEES(tsr_take(x, -1, INTS(ctx, D(2, 2), 1, -1, 0, 2)),
	     "(3,2,2) 1 3 0 2 5 7 4 6 9 11 8 10");
	SEES(tsr_take(x, TSR_FLAT, INTS(ctx, D(3), 11, -1, 5)), "(3) 11 11 5");
	SEES(tsr_take(x, 1, tsr_scalar(ctx, 2)), "(3) 2 6 10");
	SEES(tsr_take(x, 1, tsr_zeros(ctx, D(0), .dtype = TSR_U8)), "(3,0)");
	SEES(tsr_take(tsr_zeros(ctx, D(0, 2)), 0, tsr_zeros(ctx, D(3, 0), .dtype = TSR_I32)),
	     "(3,0,2)");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* sizes beyond the dtype of the indices */
static void narrow_indices(void **state)
{
	static const tsr_dtype dtypes[] = {TSR_I8, TSR_U8, TSR_I64, TSR_U64};
	static const enum tsr_index_mode modes[] = {TSR_FILL_OR_DROP, TSR_CLIP, TSR_WRAP};
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_arange(ctx, 1000);

	(void)state;
	for (size_t d = 0; d < LEN(dtypes); d++)
		for (size_t m = 0; m < LEN(modes); m++) {
			tsr *i = tsr_astype(INTS(ctx, D(2), 1, 100), dtypes[d]);
			SEES(tsr_take(x, 0, i, .mode = modes[m]), "(2) 1 100");
		}
	tsr *below = tsr_astype(INTS(ctx, D(1), -100), TSR_I8);
	SEES(tsr_take(x, 0, below), "(1) 900");
	SEES(tsr_take(x, 0, below, .mode = TSR_WRAP), "(1) 900");
	SEES(tsr_slice(tsr_at_set(x, 0, below, 5), 0, 899, 902), "(3) 899 5 901");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void along_a_dim(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_astype(grid(ctx), TSR_F32), *i = INTS(ctx, D(3, 2), 0, -1, 3, 4, -4, -5);

	(void)state;
	SEES(tsr_take_along(x, 1, i), "(3,2) 0 3 7 nan 8 nan");
	SEES(tsr_take_along(x, -1, i, .mode = TSR_CLIP), "(3,2) 0 3 7 7 8 8");
	SEES(tsr_take_along(x, 0, INTS(ctx, D(1, 4), 0, 1, 2, -1)), "(1,4) 0 5 10 11");
	SEES(tsr_take_along(x, 1, INTS(ctx, D(3, 1), 1, 0, 3)), "(3,1) 1 4 11");
	SEES(tsr_take_along(x, 1, INTS(ctx, D(1, 2), 2, 1)), "(3,2) 2 1 6 5 10 9");
	SEES(tsr_take_along(tsr_slice(x, 0, 0, 1), 1, INTS(ctx, D(3, 2), 2, 1, 0, 0, 3, 3)),
	     "(3,2) 2 1 0 0 3 3");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- updates */

static void updates_at_indices(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_arange(ctx, 4, .start = 2);
	tsr *i = INTS(ctx, D(6), 0, 0, 3, -1, 9, -9), *u = tsr_arange(ctx, 6, .start = 1);

	(void)state;
	SEES(tsr_at_set(x, 0, i, u), "(4) 2 3 4 4");
	SEES(tsr_at_set(x, 0, i, u, .mode = TSR_CLIP), "(4) 6 3 4 5");
	SEES(tsr_at_add(x, 0, i, u), "(4) 5 3 4 12");
	SEES(tsr_at_add(x, 0, i, u, .mode = TSR_CLIP), "(4) 11 3 4 17");
	SEES(tsr_at_mul(x, 0, i, u), "(4) 4 3 4 60");
	SEES(tsr_at_mul(x, 0, i, u, .mode = TSR_CLIP), "(4) 24 3 4 300");
	SEES(tsr_at_min(x, 0, i, u), "(4) 1 3 4 3");
	SEES(tsr_at_max(x, 0, i, u), "(4) 2 3 4 5");
	SEES(tsr_at_max(x, 0, i, u, .mode = TSR_CLIP), "(4) 6 3 4 5");
	x = grid(ctx);
	SEES(tsr_at_add(x, 1, INTS(ctx, D(2), 1, 1), INTS(ctx, D(1, 2), 10, 100)),
	     "(3,4) 0 111 2 3 4 115 6 7 8 119 10 11");
	SEES(tsr_at_set(x, 0, INTS(ctx, D(2, 1), 0, 2), 7),
	     "(3,4) 7 7 7 7 4 5 6 7 7 7 7 7");
	SEES(tsr_at_set(x, 0, tsr_scalar(ctx, 1), tsr_arange(ctx, 4, .start = 1)),
	     "(3,4) 0 1 2 3 1 2 3 4 8 9 10 11");
	SEES(tsr_at_set(tsr_zeros(ctx, D(0)), 0, INTS(ctx, D(1), 0), 1, .mode = TSR_CLIP), "(0)");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- the general forms */

static void windows(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = grid(ctx), *i = INTS(ctx, D(2, 2), 0, 1, 2, 9);

	(void)state;
	SEES(tsr_gather(x, i, D(1, 2), .offset_dims = D(1), .collapsed_slice_dims = D(0),
	                .start_index_map = D(0, 1), .mode = TSR_CLIP), "(2,2) 1 2 10 11");
	SEES(tsr_gather(x, i, D(1, 2), .offset_dims = D(-1), .collapsed_slice_dims = D(-2),
	                .start_index_map = D(-2, -1), .mode = TSR_PROMISE_IN_BOUNDS),
	     "(2,2) 1 2 10 11");
	SEES(tsr_gather(x, INTS(ctx, D(3, 1), 0, 1, 3), D(1, 1), .collapsed_slice_dims = D(1),
	                .start_index_map = D(1), .operand_batching_dims = D(0),
	                .start_indices_batching_dims = D(0)), "(3) 0 5 11");
	SEES(tsr_scatter(x, i, INTS(ctx, D(2, 2), 1, 2, 3, 4), .update_window_dims = D(1),
	                 .inserted_window_dims = D(0), .scatter_dims_to_operand_dims = D(0, 1),
	                 .combine = TSR_COMBINE_MUL), "(3,4) 0 1 4 3 4 5 6 7 8 9 10 11");
	SEES(tsr_scatter(x, i, INTS(ctx, D(2, 2), 1, 2, 3, 4), .update_window_dims = D(1),
	                 .inserted_window_dims = D(0), .scatter_dims_to_operand_dims = D(0, 1),
	                 .mode = TSR_CLIP), "(3,4) 0 1 2 3 4 5 6 7 8 9 3 4");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- in bodies: f32[3], with the indices 1 1 0 9 */

static tsr *the_indices(tsr *x)
{
	return tsr_concatenate(0, tsr_full(x, D(2), 1, .dtype = TSR_I32),
	                       tsr_arange(x, 2, .start = 0, .step = 9));
}
static tsr *weighted(tsr *y)
{
	return tsr_sum(tsr_mul(y, tsr_arange(y, tsr_dim(y, 0), .start = 1, .dtype = TSR_F32)));
}
static tsr *taken(tsr *x) { return weighted(tsr_take(x, 0, the_indices(x))); }
static tsr *put(tsr *u) { return weighted(tsr_at_set(tsr_zeros(u, D(3)), 0, the_indices(u), u)); }
static tsr *ones_at(tsr *x, tsr *i) { return tsr_at_add(x, 0, i, 1); }
static tsr *of_row(tsr *x, tsr *i) { return tsr_take(x, 0, i, .mode = TSR_CLIP); }
/* one of the updates is out of bounds, and equal to what it would meet if it were not */
static tsr *largest(tsr *u)
{
	tsr *i = tsr_arange(u, 2, .start = 9, .step = -9, .dtype = TSR_I32);
	return weighted(tsr_at_max(tsr_zeros(u, D(3)), 0, i, u));
}
static tsr *products(tsr *u)
{
	return weighted(tsr_at_mul(u, 0, tsr_zeros(u, D(2), .dtype = TSR_I32), u));
}

static void derivatives_and_batches(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = grid(ctx), *i = INTS(ctx, D(2, 1), 0, 2);

	(void)state;
	SEES(tsr_call(tsr_grad(ctx, taken), tsr_ones(ctx, D(3))), "(3) 3 3 0");
	SEES(tsr_call(tsr_grad(ctx, put), tsr_ones(ctx, D(4))), "(4) 0 2 1 0");
	SEES(tsr_call(tsr_grad(ctx, largest), tsr_arange(ctx, 2, .dtype = TSR_F32)), "(2) 0 1");
	SEES(tsr_call(tsr_vmap(ctx, ones_at, .in = TSR_MAPPED(TSR_UNMAPPED, 0)), x, i),
	     "(2,3,4) 1 2 3 4 4 5 6 7 8 9 10 11 0 1 2 3 4 5 6 7 9 10 11 12");
	SEES(tsr_call(tsr_vmap(ctx, of_row), x, INTS(ctx, D(3, 2), 0, 3, 1, 1, 3, 9)),
	     "(3,2) 0 3 5 5 11 11");
	assert_true(tsr_is_poison(tsr_call(tsr_grad(ctx, products), tsr_ones(ctx, D(2)))));
	assert_non_null(strstr(tsr_message(ctx), "unique_indices"));
	tsr_close(ctx);
}

/* ---- indices and counts of what is larger than i32, by their types: nothing here is computed */

#define LONG ((int64_t)3 << 30)
#define LONG_CASE(name, call) \
	static tsr *name(tsr *x) { return call; }
LONG_CASE(argmax, tsr_argmax(x))
LONG_CASE(argmin, tsr_argmin(x, .dim = D(0), .keep = true))
LONG_CASE(nanargmax, tsr_nanargmax(tsr_astype(x, TSR_F16)))
LONG_CASE(nanargmin, tsr_nanargmin(tsr_astype(x, TSR_F16)))
LONG_CASE(argsort, tsr_argsort(x))
LONG_CASE(count_nonzero, tsr_count_nonzero(x))
LONG_CASE(bincount, tsr_bincount(x, 3))
LONG_CASE(searchsorted, tsr_searchsorted(x, tsr_slice(x, 0, 0, 2)))
LONG_CASE(digitize, tsr_digitize(tsr_slice(x, 0, 0, 2), x))
LONG_CASE(iota, tsr_iota(x, D(LONG), 0))
LONG_CASE(arange, tsr_arange(tsr_ctx_of(x), LONG))
LONG_CASE(arange_from, tsr_arange(tsr_ctx_of(x), 2, .start = 4e9))
LONG_CASE(indices, tsr_indices(tsr_ctx_of(x), D(LONG)))
LONG_CASE(permutation, tsr_permutation(tsr_key(tsr_ctx_of(x), 1), LONG))
LONG_CASE(categorical, tsr_categorical(tsr_key(tsr_ctx_of(x), 1), tsr_astype(x, TSR_F16)))

static tsr *raveled(tsr *x)
{
	tsr *i = tsr_iota(x, D(2), 0);

	return tsr_ravel_multi_index(((tsr *[]){i, i}), D(LONG, 2), TSR_CLIP);
}

static tsr *unraveled(tsr *x)
{
	tsr *out[2];

	return tsr_unravel_index(tsr_iota(x, D(2), 0), D(LONG, 2), out) ? out[0] : NULL;
}

static tsr *best(tsr *x)
{
	tsr *out[2];

	return tsr_top_k(x, 2, out) ? out[1] : NULL;
}

static const struct {
	const char *name;
	tsr *(*of)(tsr *);
} long_cases[] = {
	{"argmax", argmax}, {"argmin", argmin}, {"nanargmax", nanargmax}, {"nanargmin", nanargmin},
	{"argsort", argsort}, {"count_nonzero", count_nonzero}, {"bincount", bincount},
	{"searchsorted", searchsorted}, {"digitize", digitize}, {"iota", iota}, {"arange", arange},
	{"arange_from", arange_from}, {"indices", indices}, {"permutation", permutation},
	{"categorical", categorical}, {"raveled", raveled}, {"unraveled", unraveled},
	{"best", best},
};

static tsr *all_long(tsr *one)
{
	tsr *x = tsr_zeros(one, D(LONG), .dtype = TSR_U8);

	for (size_t i = 0; i < LEN(long_cases); i++) {
		tsr *y = long_cases[i].of(x);
		if (tsr_dtype_of(y) != TSR_I64)
			fail_msg("%s gives %s", long_cases[i].name, tsr_type_text(y));
	}
	return one;
}

static void places_beyond_i32(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	tsr *one = tsr_call(tsr_jit(ctx, all_long), tsr_scalar(ctx, 1));
	assert_int_equal(tsr_dtype_of(one), TSR_I32);
	assert_int_equal(tsr_dtype_of(tsr_argmax(grid(ctx))), TSR_I32);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_columns),   cmocka_unit_test(narrow_indices),
		cmocka_unit_test(along_a_dim),        cmocka_unit_test(updates_at_indices),
		cmocka_unit_test(windows),            cmocka_unit_test(derivatives_and_batches),
		cmocka_unit_test(places_beyond_i32),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
