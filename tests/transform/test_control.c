/* test_control.c - control flow forward: the results of each function, outside bodies and traced,
 * with trees and captures, on devices that go different ways, and for no steps at all or very
 * many. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>

#define D TSR_DIMS

static bool holds(tsr *x, int n, const double *want)
{
	bool same = tsr_size(x) == n;

	if (!same) printf("%d elements wanted: %s\n", n, tsr_message(tsr_ctx_of(x)));
	for (int i = 0; same && i < n; i++) {
		const double got = tsr_item(tsr_index(tsr_ravel(x), 0, i));
		if (got != want[i]) printf("element %d is %g, not %g\n", i, got, want[i]);
		same = got == want[i];
	}
	return same;
}
/* a message holds the text of what is asserted, so that is kept short */
#define HOLDS(x, ...) \
	do { \
		const double want_[] = {__VA_ARGS__}; \
		const bool holds_ = holds(x, (int)(sizeof want_ / sizeof *want_), want_); \
		assert_true(holds_); \
	} while (0)

static tsr *count_to(tsr_ctx *ctx, int64_t n) { return tsr_astype(tsr_arange(ctx, n), TSR_F32); }

static tsr *negate(tsr *x) { return tsr_neg(x); }
static tsr *same(tsr *x) { return x; }
static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *add(tsr *a, tsr *b) { return tsr_add(a, b); }
static tsr *below_1000(tsr *x) { return tsr_lt(x, 1000); }

/* ---- cond and switch */

static tsr *absolute(tsr *x) { return tsr_cond(tsr_lt(x, 0), negate, same, x); }

static void cond_takes_one_branch(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr_fn *f = tsr_jit(ctx, absolute);
	tsr *three = tsr_scalar(ctx, 3.f);

	(void)state;
	HOLDS(tsr_call(f, -3.f), 3);
	HOLDS(tsr_call(f, 3.f), 3);
	HOLDS(tsr_cond(true, twice, negate, three), 6);
	HOLDS(tsr_cond(0, twice, negate, three), -3);
	HOLDS(tsr_cond(tsr_scalar(ctx, 0.5f), twice, negate, three), 6);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void switch_clamps(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_scalar(ctx, 3.f);
	const struct {
		int64_t index;
		double want;
	} cases[] = {{-5, -3}, {0, -3}, {1, 3}, {2, 6}, {3, 6}, {INT64_MAX, 6}, {INT64_MIN, -3}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		tsr *index = tsr_astype(tsr_scalar(ctx, cases[i].index), TSR_I64);
		HOLDS(tsr_switch(index, TSR_BRANCHES(negate, same, twice), x), cases[i].want);
	}
	HOLDS(tsr_switch(tsr_astype(tsr_scalar(ctx, 4000000000u), TSR_U32),
	                 TSR_BRANCHES(negate, same, twice), x),
	      6);
	HOLDS(tsr_switch(tsr_astype(tsr_scalar(ctx, -1), TSR_I8), TSR_BRANCHES(negate, twice), x),
	      -3);
	HOLDS(tsr_switch(7, TSR_BRANCHES(twice), x), 6);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static tsr *make_1(tsr_ctx *ctx) { return tsr_scalar(ctx, 1); }
static tsr *make_2(tsr_ctx *ctx) { return tsr_scalar(ctx, 2); }

static void branches_without_operands(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	HOLDS(tsr_cond(tsr_scalar(ctx, true), make_1, make_2), 1);
	HOLDS(tsr_switch(tsr_scalar(ctx, 1), TSR_BRANCHES(make_1, make_2)), 2);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

TSR_TREE_TYPE(pair, { tsr *sum, *part; });

/* a tree and a handle in, a handle and a tree with an absent leaf out */
static void left(tsr_frame *f)
{
	const pair *p = TSR_TREE_OF(pair, tsr_frame_tree(f, 0));
	pair out = {.sum = tsr_add(p->sum, tsr_frame_arg(f, 1))};
	tsr_return(f, p->part, TSR_TREE(pair, &out));
}
static void right(tsr_frame *f)
{
	const pair *p = TSR_TREE_OF(pair, tsr_frame_tree(f, 0));
	pair out = {.sum = tsr_sub(p->sum, tsr_frame_arg(f, 1))};
	tsr_return(f, tsr_neg(p->part), TSR_TREE(pair, &out));
}

static void branches_of_trees(void **state)
{
	tsr_ctx *ctx = tsr_open();
	pair in = {.sum = tsr_scalar(ctx, 10.f), .part = tsr_scalar(ctx, 1)}, out;
	tsr *part;

	(void)state;
	tsr_cond_into(TSR_OUT(&part, TSR_TREE(pair, &out)), tsr_scalar(ctx, false), left, right,
	              TSR_TREE(pair, &in), 4.f);
	HOLDS(part, -1);
	HOLDS(out.sum, 6);
	assert_null(out.part);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- loops */

static tsr *i_below_5(tsr *i, tsr *x)
{
	(void)x;
	return tsr_lt(i, 5);
}
static void triple(tsr_frame *f)
{
	tsr_return(f, tsr_add(tsr_frame_arg(f, 0), 1), tsr_mul(tsr_frame_arg(f, 1), 3));
}
static tsr *never(tsr *x) { return tsr_ne(tsr_sum(x), tsr_sum(x)); }
static tsr *add_step(tsr *i, tsr *x) { return tsr_add(x, i); }

static void while_goes_on(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *i, *x = count_to(ctx, 3), *y;

	(void)state;
	HOLDS(tsr_while(below_1000, twice, tsr_scalar(ctx, 3.f)), 1536);
	HOLDS(tsr_while(never, twice, x), 0, 1, 2);
	tsr_while_into(TSR_OUT(&i, &y), i_below_5, triple, 0, x);
	HOLDS(i, 5);
	HOLDS(y, 0, 243, 486);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void fori_counts(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_scalar(ctx, 100), *ten = tsr_scalar(ctx, 10);

	(void)state;
	HOLDS(tsr_fori(0, 10, add_step, x), 145);
	HOLDS(tsr_fori(-3, 2, add_step, x), 95);
	HOLDS(tsr_fori(5, 5, add_step, x), 100);
	HOLDS(tsr_fori(5, -5, add_step, x), 100);
	HOLDS(tsr_fori(0, ten, add_step, x), 145);
	HOLDS(tsr_fori(ten, 12, add_step, x), 121);
	HOLDS(tsr_fori(ten, ten, add_step, x), 100);
	HOLDS(tsr_fori(INT64_C(5000000000), INT64_C(5000000002), add_step, tsr_astype(x, TSR_I64)),
	      10000000101.);
	HOLDS(tsr_fori(tsr_scalar(ctx, (uint8_t)0), tsr_scalar(ctx, (uint8_t)255), add_step, x),
	      100 + 254 * 255 / 2);
	assert_non_null(strstr(tsr_fn_text(tsr_jit(ctx, absolute), x), "cond"));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void running(tsr_frame *f)
{
	tsr *sum = tsr_add(tsr_frame_arg(f, 0), tsr_frame_arg(f, 1));
	tsr_return(f, sum, tsr_mul(sum, 10));
}
static tsr *one_more(tsr *n) { return tsr_add(n, 1); }
static void halves(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);
	tsr_return(f, tsr_mul(x, 0.5f), tsr_sum(x));
}

static void scan_steps_and_stacks(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = count_to(ctx, 4), *sum, *ys, *grid = tsr_reshape(count_to(ctx, 6), D(3, 2));

	(void)state;
	tsr_scan_into(TSR_OUT(&sum, &ys), running, 0, x);
	HOLDS(sum, 6);
	HOLDS(ys, 0, 10, 30, 60);
	tsr_scan_into(TSR_OUT(&sum, &ys), running, 0.f, x, .reverse = true, .unroll = 3);
	HOLDS(sum, 6);
	HOLDS(ys, 60, 60, 50, 30);
	HOLDS(tsr_scan(add, tsr_zeros(ctx, D(2)), grid), 6, 9);
	HOLDS(tsr_scan(tsr_jit(ctx, one_more), 0, TSR_NONE, .length = 7), 7);
	tsr_scan_into(TSR_OUT(&ys, &sum), halves, TSR_NONE, grid);
	HOLDS(ys, 0, .5, 1, 1.5, 2, 2.5);
	HOLDS(sum, 1, 5, 9);
	HOLDS(tsr_map(add, grid, tsr_mul(grid, 10)), 0, 11, 22, 33, 44, 55);
	tsr_map_into(TSR_OUT(&ys, &sum), halves, grid);
	HOLDS(sum, 1, 5, 9);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void no_steps(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *none = tsr_zeros(ctx, D(0, 3)), *sum, *ys;

	(void)state;
	tsr_scan_into(TSR_OUT(&sum, &ys), running, tsr_ones(ctx, D(3)), none);
	HOLDS(sum, 1, 1, 1);
	assert_int_equal(tsr_dim(ys, 0), 0);
	assert_int_equal(tsr_dim(ys, 1), 3);
	tsr_map_into(TSR_OUT(&ys, &sum), halves, none);
	assert_int_equal(tsr_size(sum), 0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* a loop allocates as much as one step does */
static void memory_is_flat(void **state)
{
	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		size_t peak[2];
		for (int i = 0; i < 2; i++) {
			const int steps = i ? 20000 : 10;
			tsr_ctx *ctx = tsr_open(.devices = 8);
			tsr *x = count_to(ctx, 16);
			tsr *y = turn ? tsr_fori(0, steps, add_step, x)
			              : tsr_fori(0, tsr_scalar(ctx, steps), add_step, x);
			assert_false(tsr_is_poison(y));
			peak[i] = tsr_memory(ctx).peak;
			assert_int_equal(tsr_close(ctx), TSR_OK);
		}
		assert_true(peak[1] <= peak[0]);
	}
}

/* ---- associative_scan */

static tsr *product(tsr *a, tsr *b) { return tsr_dot(a, b); }
static tsr *products(tsr *a, tsr *b) { return tsr_call(tsr_vmap(a, product), a, b); }
static tsr *larger(tsr *a, tsr *b) { return tsr_maximum(a, b); }
/* the composition of x -> a x + b, one after the other */
static void affine(tsr_frame *f)
{
	const pair *p = TSR_TREE_OF(pair, tsr_frame_tree(f, 0));
	const pair *q = TSR_TREE_OF(pair, tsr_frame_tree(f, 1));
	pair r = {.sum = tsr_mul(p->sum, q->sum),
	          .part = tsr_add(tsr_mul(q->sum, p->part), q->part)};
	tsr_return(f, TSR_TREE(pair, &r));
}

static void associative_scan_is_all_prefixes(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	for (int64_t n = 0; n < 20; n++) {
		tsr *x = count_to(ctx, n), *y = tsr_associative_scan(add, x);
		tsr *z = tsr_associative_scan(add, x, .reverse = true);
		assert_int_equal(tsr_size(y), n);
		for (int64_t k = 0; k < n; k++) {
			HOLDS(tsr_index(y, 0, k), (double)(k * (k + 1) / 2));
			HOLDS(tsr_index(z, 0, k), (double)(n * (n - 1) / 2 - k * (k - 1) / 2));
		}
	}
	tsr *wide = tsr_reshape(count_to(ctx, 12), D(2, 6));
	HOLDS(tsr_associative_scan(add, wide, .dim = D(-1)), 0, 1, 3, 6, 10, 15, 6, 13, 21, 30, 40,
	      51);
	HOLDS(tsr_associative_scan(add, wide), 0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16);
	tsr *zeros = tsr_neg(tsr_zeros(ctx, D(5)));
	assert_true(signbit(tsr_item(tsr_index(tsr_associative_scan(larger, zeros), 0, 4))));
	tsr *m = tsr_reshape(count_to(ctx, 12), D(3, 2, 2)),
	    *all = tsr_associative_scan(products, m);
	tsr *last = tsr_dot(tsr_dot(tsr_index(m, 0, 0), tsr_index(m, 0, 1)), tsr_index(m, 0, 2));
	assert_true(tsr_array_equal(tsr_index(all, 0, 2), last));
	pair p = {.sum = tsr_full(ctx, D(6), 2), .part = count_to(ctx, 6)}, r;
	tsr_associative_scan_into(TSR_OUT(TSR_TREE(pair, &r)), affine, TSR_TREE(pair, &p));
	HOLDS(r.sum, 2, 4, 8, 16, 32, 64);
	HOLDS(r.part, 0, 1, 4, 11, 26, 57);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* the larger sum of two, with its part */
static void best(tsr_frame *f)
{
	const pair *p = TSR_TREE_OF(pair, tsr_frame_tree(f, 0));
	const pair *q = TSR_TREE_OF(pair, tsr_frame_tree(f, 1));
	tsr *first = tsr_gt(p->sum, q->sum);
	pair r = {.sum = tsr_where(first, p->sum, q->sum),
	          .part = tsr_where(first, p->part, q->part)};
	tsr_return(f, TSR_TREE(pair, &r));
}

static tsr *sum_below(tsr *x) { return tsr_reduce(add, x, 3); }

static void reduce_takes_any_fn(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	for (int64_t n = 0; n < 20; n++) {
		const double sum = (double)(3 + n * (n - 1) / 2);
		HOLDS(sum_below(count_to(ctx, n)), sum);
		HOLDS(tsr_call(tsr_jit(ctx, sum_below), count_to(ctx, n)), sum);
	}
	tsr *x = tsr_from(ctx, ((float[]){1, 7, 2, 5, 0, 3}), TSR_F32, D(2, 3));
	HOLDS(tsr_reduce(larger, x, -INFINITY, .dims = D(0)), 5, 7, 3);
	HOLDS(tsr_reduce(larger, x, 4, .dims = D(1)), 7, 5);
	HOLDS(tsr_reduce(larger, x, 0, .dims = (TSR_DIMS())), 1, 7, 2, 5, 0, 3);
	HOLDS(tsr_reduce_window_by(larger, x, 0, D(2, 2)), 7, 7);
	HOLDS(tsr_call(tsr_grad(ctx, sum_below), count_to(ctx, 5)), 1, 1, 1, 1, 1);
	pair p = {.sum = x, .part = tsr_reshape(count_to(ctx, 6), D(2, 3))}, r;
	pair none = {.sum = tsr_scalar(ctx, -1.f), .part = tsr_scalar(ctx, 9.f)};
	tsr_reduce_into(TSR_OUT(TSR_TREE(pair, &r)), best, TSR_TREE(pair, &p),
	                TSR_TREE(pair, &none), .dims = D(1));
	HOLDS(r.sum, 7, 5);
	HOLDS(r.part, 1, 3);
	tsr *bad = tsr_reduce(add, x, x);
	assert_non_null(strstr(tsr_message(ctx), "init must have a scalar for each leaf of x"));
	tsr_clear(ctx);
	bad = tsr_reduce_window_by(larger, x, 0, D(2));
	assert_true(tsr_is_poison(bad));
	assert_non_null(strstr(tsr_message(ctx), "the window has 1 dims, and x has 2"));
	tsr_clear(ctx);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- what bodies reach: values of other traces, captures, records, other control flow */

static tsr *outer_value;
static tsr *add_outer(tsr *x) { return tsr_add(x, outer_value); }
static tsr *add_outer_step(tsr *i, tsr *x) { return tsr_add(x, tsr_mul(outer_value, i)); }
static tsr *below_outer(tsr *x) { return tsr_lt(x, outer_value); }

static tsr *reaches_out(tsr *x)
{
	outer_value = tsr_mul(x, 10);
	tsr *y = tsr_cond(tsr_gt(x, 0), add_outer, twice, x); /* 11 x */
	y = tsr_fori(0, 3, add_outer_step, y);                /* + 30 x */
	y = tsr_scan(add_outer, y, TSR_NONE, .length = 2);    /* + 20 x */
	outer_value = tsr_mul(y, 4);
	return tsr_while(below_outer, twice, y); /* 4 times that */
}

static void bodies_reach_out(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	HOLDS(reaches_out(tsr_scalar(ctx, 1.f)), 244);
	HOLDS(tsr_call(tsr_jit(ctx, reaches_out), 1.f), 244);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static tsr *slot;
typedef struct factor {
	float by;
} factor;
static void scale(tsr_frame *f)
{
	const factor *k = tsr_frame_env(f);
	tsr *shift = tsr_frame_captures(f).leaf[0];
	tsr_return(f, tsr_add(tsr_mul(tsr_frame_arg(f, 0), k->by), shift));
}

static void env_and_captures(void **state)
{
	tsr_ctx *ctx = tsr_open();
	const factor three = {3};
	tsr_fn *f = tsr_jit(ctx, scale, TSR_ENV(&three), .captures = TSR_LEAVES(&slot, 1));

	(void)state;
	slot = tsr_scalar(ctx, 1.f);
	HOLDS(tsr_cond(true, f, negate, tsr_scalar(ctx, 2.f)), 7);
	HOLDS(tsr_scan(f, 1.f, TSR_NONE, .length = 3), 40);
	slot = tsr_scalar(ctx, 0.f);
	HOLDS(tsr_while(below_1000, f, 1.f), 2187);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static tsr *row_sum(tsr *sum, tsr *row) { return tsr_scan(add, sum, row); }
static tsr *half(tsr *n) { return tsr_shift_right(n, 1); }
static tsr *three_n_plus_1(tsr *n) { return one_more(tsr_mul(n, 3)); }
static tsr *collatz_step(tsr *n) { return tsr_cond(tsr_rem(n, 2), three_n_plus_1, half, n); }
static tsr *not_1(tsr *n, tsr *steps)
{
	(void)steps;
	return tsr_ne(n, 1);
}
static void collatz_and_count(tsr_frame *f)
{
	tsr_return(f, collatz_step(tsr_frame_arg(f, 0)), one_more(tsr_frame_arg(f, 1)));
}
static tsr *collatz(tsr *n)
{
	tsr *last, *steps;
	tsr_while_into(TSR_OUT(&last, &steps), not_1, collatz_and_count, n, 0);
	return steps;
}

static void loops_in_loops(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	HOLDS(tsr_scan(row_sum, 0.f, tsr_reshape(count_to(ctx, 12), D(3, 4))), 66);
	HOLDS(tsr_map(collatz, tsr_add(tsr_arange(ctx, 7), 1)), 0, 1, 7, 2, 5, 8, 16);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* C numbers take the dtype of what the body makes of them */
static tsr *add_half(tsr *x) { return tsr_add(x, 0.5f); }
static tsr *to_f64(tsr *x) { return tsr_astype(x, TSR_F64); }

static void numbers_are_weak(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	tsr *y = tsr_scan(add, 0, count_to(ctx, 4));
	assert_int_equal(tsr_dtype_of(y), TSR_F32);
	y = tsr_scan(add, 0, tsr_astype(tsr_arange(ctx, 4), TSR_I8));
	assert_int_equal(tsr_dtype_of(y), TSR_I8);
	y = tsr_scan(tsr_jit(ctx, add_half), 0, TSR_NONE, .length = 2);
	assert_int_equal(tsr_dtype_of(y), TSR_F32);
	HOLDS(y, 1);
	y = tsr_scan(tsr_jit(ctx, to_f64), 1, TSR_NONE, .length = 2);
	assert_int_equal(tsr_dtype_of(y), TSR_F64);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- text */

static tsr *everything(tsr *x)
{
	outer_value = tsr_sum(x);
	tsr *sum, *ys;
	tsr_scan_into(TSR_OUT(&sum, &ys), running, 0, x, .reverse = true);
	tsr *y = tsr_while(below_outer, twice, sum);
	y = tsr_switch(tsr_astype(y, TSR_I32), TSR_BRANCHES(negate, add_outer, same), y);
	return tsr_add(tsr_cond(tsr_gt(y, 0), negate, twice, y), tsr_fori(0, 3, add_step, ys));
}

static void text_reads_back(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_add(count_to(ctx, 4), 0.25f);

	(void)state;
	const char *text = tsr_fn_text(tsr_jit(ctx, everything), x);
	tsr_fn *f = tsr_parse(ctx, text);
	assert_string_equal(tsr_program_text(f), text);
	assert_true(tsr_array_equal(tsr_call(f, x), everything(x)));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- on the devices of a mesh */

static tsr *position(tsr *x) { return tsr_axis_index(x, "x"); }
static tsr *branch_by_device(tsr *x)
{
	return tsr_switch(position(x), TSR_BRANCHES(negate, same, twice), x);
}
static tsr *i_below_device(tsr *i, tsr *x) { return tsr_lt(i, position(x)); }
static tsr *steps_by_device(tsr *x)
{
	tsr *i = tsr_pcast(tsr_scalar(x, 0), "x"), *y;
	tsr_while_into(TSR_OUT(&i, &y), i_below_device, triple, i, x);
	return y;
}
static tsr *fori_by_device(tsr *x) { return tsr_fori(0, position(x), add_step, x); }
static tsr *total_in_branch(tsr *x) { return tsr_psum(x, "x"); }
static tsr *ten(tsr *x) { return tsr_full(x, D(1), 10.f); }
static tsr *exchange_in_branch(tsr *x)
{
	tsr *all = tsr_psum(tsr_sum(x), "x");
	return tsr_cond(tsr_gt(all, 0), total_in_branch, ten, x);
}
/* only devices along y go different ways, and the sum is over x */
static tsr *exchange_across(tsr *x)
{
	tsr *odd = tsr_eq(tsr_axis_index(x, "y"), 1);
	return tsr_cond(odd, total_in_branch, tsr_jit(x, ten), x);
}
static tsr *swap_step(tsr *x) { return tsr_ppermute(x, "x", TSR_SHIFT(1)); }
static tsr *exchange_in_loop(tsr *x) { return tsr_scan(swap_step, x, TSR_NONE, .length = 3); }
/* captured from outside a branch that devices enter alone */
static tsr *captured_in_branch(tsr *x)
{
	outer_value = tsr_full(x, D(1), 100);
	return tsr_cond(tsr_gt(position(x), 1), add_outer, same, x);
}

static void devices_go_different_ways(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr *x = tsr_add(count_to(ctx, 4), 1);

	(void)state;
#define ON_X(body) tsr_call(tsr_shard_map(mesh, body, .sig = "[x] -> [x]"), x)
	HOLDS(ON_X(branch_by_device), -1, 2, 6, 8);
	HOLDS(ON_X(steps_by_device), 1, 6, 27, 108);
	HOLDS(ON_X(fori_by_device), 1, 2, 4, 7);
	HOLDS(ON_X(exchange_in_loop), 2, 3, 4, 1);
	HOLDS(ON_X(captured_in_branch), 1, 2, 103, 104);
	HOLDS(tsr_call(tsr_shard_map(mesh, exchange_in_branch, .sig = "[x] -> []"), x), 10);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void exchange_along_another_axis(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr_fn *f = tsr_shard_map(mesh, exchange_across, .sig = "[x*y] -> [y]");

	(void)state;
	HOLDS(tsr_call(f, count_to(ctx, 8)), 10, 16);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* maps inside control flow, and control flow around them */
static tsr_mesh *grid;
static tsr *add_position(tsr *x) { return tsr_add(x, tsr_axis_index(x, "x")); }
static tsr *map_step(tsr *x)
{
	return tsr_call(tsr_shard_map(grid, add_position, .sig = "[x] -> [x]"), x);
}
static tsr *sum_below_100(tsr *x) { return tsr_lt(tsr_sum(x), 100); }

static void maps_inside(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr *x = count_to(ctx, 4);

	(void)state;
	grid = tsr_mesh_make(ctx, {"x", 4});
	HOLDS(tsr_scan(map_step, x, TSR_NONE, .length = 3), 0, 4, 8, 12);
	HOLDS(tsr_cond(tsr_gt(tsr_sum(x), 0), map_step, same, x), 0, 2, 4, 6);
	HOLDS(tsr_while(sum_below_100, map_step, x), 0, 17, 34, 51);
	HOLDS(tsr_map(map_step, tsr_reshape(count_to(ctx, 8), D(2, 4))), 0, 2, 4, 6, 4, 6, 8, 10);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static tsr *add_all(tsr *sum, tsr *x) { return tsr_add(sum, x); }

/* what is made like a block varies like it, and can be carried; what the first device says to all
 * leaves the map whole */
static tsr *row_sums(tsr *x)
{
	return tsr_scan(add_all, tsr_zeros_like(tsr_index(x, 0, 0)), x);
}
static tsr *doubled_once(tsr *x) { return tsr_mul(x, tsr_add(tsr_ones_like(x), tsr_ones_like(x))); }
static tsr *until_100(tsr *x)
{
	return tsr_while(sum_below_100, doubled_once, tsr_add(tsr_zeros_like(x), 1));
}
static tsr *of_the_last(tsr *x) { return tsr_pbroadcast(x, "x", 1, .to = TSR_TO_INVARYING); }
static tsr *with_last(tsr *x)
{
	return tsr_psum(tsr_sum(tsr_mul(of_the_last(x), x)), "x");
}
static tsr *slopes(tsr *x) { return tsr_call(tsr_grad(x, with_last), x); }

/* device i sends to (3 i + 1) mod n, by computed pairs */
static tsr *threefold(tsr *x)
{
	const int n = (int)tsr_axis_size(x, "x");
	int pairs[8][2];

	for (int i = 0; i < n; i++) pairs[i][0] = i, pairs[i][1] = (3 * i + 1) % n;
	return tsr_ppermute(x, "x", TSR_PAIRS_OF(pairs, (size_t)n));
}

static void computed_pairs(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr_fn *f = tsr_shard_map(tsr_mesh_make(ctx, {"x", 4}), threefold, .sig = "[x] -> [x]");

	(void)state;
	HOLDS(tsr_call(f, count_to(ctx, 4)), 1, 0, 3, 2);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void like_a_block(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 2);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr *x = count_to(ctx, 4), *rows = tsr_reshape(count_to(ctx, 8), D(4, 2));

	(void)state;
	HOLDS(tsr_call(tsr_shard_map(mesh, row_sums, .sig = "[x,-] -> [x]"), rows), 2, 4, 10, 12);
	HOLDS(tsr_call(tsr_shard_map(mesh, until_100, .sig = "[x] -> [x]"), x), 64, 64, 64, 64);
	HOLDS(tsr_call(tsr_shard_map(mesh, of_the_last, .sig = "[x] -> []"), x), 2, 3);
	/* sum over devices of x[1] . x[i]: by x[0] it is x[1], by x[1] it is x[0] + 2 x[1] */
	HOLDS(tsr_call(tsr_shard_map(mesh, slopes, .sig = "[x] -> [x]"), x), 2, 3, 4, 7);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* in unchecked maps types say nothing: what is carried may vary later than it does first */
static tsr *unchecked_carry(tsr *x)
{
	return tsr_scan(add_all, tsr_zeros(x, D()), tsr_reshape(x, D(-1)));
}
static tsr *one_varies(tsr *x) { return tsr_cond(tsr_gt(tsr_sum(x), 3), tsr_jit(x, ten), same, x); }

static void unchecked_maps(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 2);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr *x = count_to(ctx, 4), *y = count_to(ctx, 2);

	(void)state;
	tsr_fn *f = tsr_shard_map(mesh, unchecked_carry, .sig = "[x] -> []", .unchecked = true);
	HOLDS(tsr_call(f, x), 1);
	f = tsr_shard_map(mesh, one_varies, .sig = "[x] -> [x]", .unchecked = true);
	HOLDS(tsr_call(f, tsr_mul(y, 4)), 0, 10);
	f = tsr_shard_map(mesh, exchange_in_branch, .sig = "[x] -> []", .unchecked = true);
	HOLDS(tsr_call(f, tsr_add(y, 1)), 3);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cond_takes_one_branch),
		cmocka_unit_test(switch_clamps),
		cmocka_unit_test(branches_without_operands),
		cmocka_unit_test(branches_of_trees),
		cmocka_unit_test(while_goes_on),
		cmocka_unit_test(fori_counts),
		cmocka_unit_test(scan_steps_and_stacks),
		cmocka_unit_test(no_steps),
		cmocka_unit_test(memory_is_flat),
		cmocka_unit_test(associative_scan_is_all_prefixes),
		cmocka_unit_test(reduce_takes_any_fn),
		cmocka_unit_test(bodies_reach_out),
		cmocka_unit_test(env_and_captures),
		cmocka_unit_test(loops_in_loops),
		cmocka_unit_test(numbers_are_weak),
		cmocka_unit_test(text_reads_back),
		cmocka_unit_test(devices_go_different_ways),
		cmocka_unit_test(exchange_along_another_axis),
		cmocka_unit_test(maps_inside),
		cmocka_unit_test(computed_pairs),
		cmocka_unit_test(like_a_block),
		cmocka_unit_test(unchecked_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
