/* test_hoist.c - products that leave loops: the right ones, and the same results to the bit as the
 * steps written out, without a loop to leave. */
#include "support/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS

/* ---- bodies: carry h and slice x, both f32[3]; what they capture is u, v: f32[3,3] and the wide
 * w: f32[3,20] */

static tsr *u, *v, *w;

static void slice_by_constant(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);
	h = tsr_tanh(tsr_add(tsr_dot(h, v), tsr_dot(x, u)));
	tsr_return(f, h, tsr_mul(h, x));
}

static void two_in_a_row(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);
	tsr *y = tsr_dot(v, tsr_maximum(tsr_dot(x, u), 0.1));
	tsr_return(f, tsr_add(tsr_mul(h, 0.5), y), y);
}

static void of_constants(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1), *both = tsr_dot(u, v);
	tsr_return(f, tsr_dot(h, both), tsr_add(x, tsr_index(both, 0, 1)));
}

/* there is nothing else that the loop takes */
static void of_constants_alone(tsr_frame *f) { tsr_return(f, tsr_frame_arg(f, 0), tsr_dot(u, v)); }

static void of_the_carry(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_dot(tsr_add(h, x), u), x);
}

static void of_two_slices(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_add(h, tsr_dot(x, x)), tsr_dot(tsr_mul(tsr_dot(x, x), x), u));
}

static void too_large(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_add(h, tsr_sum(tsr_dot(x, w))), x);
}

static tsr *by_u(tsr *x) { return tsr_dot(x, u); }
static tsr *by_v(tsr *x) { return tsr_dot(x, v); }
static void in_a_branch(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_add(h, tsr_cond(tsr_gt(tsr_sum(x), 0), by_u, by_v, x)), x);
}

static void inner_step(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_mul(h, tsr_dot(u, tsr_mul(tsr_index(v, 0, 0), x))), h);
}

/* each inner step multiplies u by a vector made of one number of x: that leaves both loops */
static void in_an_inner_loop(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1), *all;
	tsr_scan_into(TSR_OUT(&h, &all), inner_step, h, x);
	tsr_return(f, tsr_div(h, 8), all);
}

static const struct hoist_case {
	const char *name;
	void (*step)(tsr_frame *);
	int outside, inside; /* products */
} cases[] = {
	{"slice_by_constant", slice_by_constant, 1, 1},
	{"two_in_a_row", two_in_a_row, 2, 0},
	{"of_constants", of_constants, 1, 1},
	{"of_constants_alone", of_constants_alone, 1, 0},
	{"of_the_carry", of_the_carry, 0, 1},
	{"of_two_slices", of_two_slices, 0, 2},
	{"too_large", too_large, 0, 1},
	{"in_a_branch", in_a_branch, 0, 2},
	{"in_an_inner_loop", in_an_inner_loop, 1, 0},
};

typedef struct how {
	const struct hoist_case *of;
	int unroll;
	bool reverse;
} how;

static void scan(tsr_frame *f)
{
	const how *how = tsr_frame_env(f);
	tsr *h = tsr_frame_arg(f, 0), *xs = tsr_frame_arg(f, 1), *all;
	u = tsr_frame_arg(f, 2), v = tsr_frame_arg(f, 3), w = tsr_frame_arg(f, 4);
	tsr_scan_into(TSR_OUT(&h, &all), how->of->step, h, xs, .unroll = how->unroll,
	              .reverse = how->reverse);
	tsr_return(f, h, all);
}

static void loss(tsr_frame *f)
{
	const how *how = tsr_frame_env(f);
	tsr *h = tsr_frame_arg(f, 0), *xs = tsr_frame_arg(f, 1), *all;
	u = tsr_frame_arg(f, 2), v = tsr_frame_arg(f, 3), w = tsr_frame_arg(f, 4);
	tsr_scan_into(TSR_OUT(&h, &all), how->of->step, h, xs, .unroll = how->unroll,
	              .reverse = how->reverse);
	tsr_return(f, tsr_add(tsr_sum(h), tsr_sum(tsr_square(all))));
}

static tsr *range(tsr_ctx *ctx, int64_t n) { return tsr_sin(tsr_arange(ctx, n, .dtype = TSR_F32)); }

enum { STEPS = 5 };
static tsr *in[5];
#define INPUTS in[0], in[1], in[2], in[3], in[4]

static int open(void **state)
{
	tsr_ctx *ctx = *state = tsr_open(.devices = 2);
	in[0] = range(ctx, 3);
	in[1] = tsr_reshape(range(ctx, 3 * STEPS), D(STEPS, 3));
	in[2] = tsr_reshape(range(ctx, 9), D(3, 3));
	in[3] = tsr_cos(in[2]);
	in[4] = tsr_reshape(range(ctx, 60), D(3, 20));
	return 0;
}

#define WITH(make, body, h) make(ctx, body, .env = (h), .env_size = sizeof *(h))

static int count(const char *text, const char *until, const char *word)
{
	int n = 0;

	for (; (text = strstr(text, word)) && (!until || text < until); text++) n++;
	return n;
}

/* products outside of the loop and inside, in the program that the engine gets */
static void check_products(const struct hoist_case *c, const char *text)
{
	const char *loop = strstr(text, "= scan ");
	assert_non_null(loop);
	const int outside = count(text, loop, "= dot_general"),
		  inside = count(loop, NULL, "= dot_general");
	if (outside != c->outside || inside != c->inside)
		fail_msg("%s: %d products outside, %d inside:\n%s", c->name, outside, inside,
		         text);
}

static void which_leave(void **state)
{
	tsr_ctx *ctx = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const how h = {.of = &cases[i], .unroll = 1};
		check_products(&cases[i],
		               tsr_fn_compiled_text(WITH(tsr_jit, scan, &h), INPUTS));
	}
}

static void largest(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_add(h, tsr_max(tsr_dot(x, u), .dims = D(0))));
}

static tsr *scan_of_many(tsr *h, tsr *xs, tsr *w_)
{
	u = w_;
	return tsr_scan(largest, h, xs);
}

/* a slice of many vectors stays */
static void many_vectors(void **state)
{
	tsr_ctx *ctx = *state;
	const struct hoist_case few = {.name = "64 vectors", .outside = 1};
	const struct hoist_case many = {.name = "65 vectors", .inside = 1};
	tsr_fn *f = tsr_jit(ctx, scan_of_many);
	check_products(&few, tsr_fn_compiled_text(f, in[0], tsr_ones(ctx, D(2, 64, 3)), in[2]));
	check_products(&many, tsr_fn_compiled_text(f, in[0], tsr_ones(ctx, D(2, 65, 3)), in[2]));
}

static tsr *along_rows(tsr *h, tsr *x) { return tsr_sin(tsr_add(tsr_dot(u, h), x)); }

static tsr *scan_along_rows(tsr *h, tsr *xs, tsr *matrix)
{
	u = matrix;
	return tsr_scan(along_rows, h, xs);
}

/* a matrix that the carry is multiplied with along its rows is transposed before the loop, where
 * that pays, and the steps give the same bits */
static void rows_are_turned(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *h = range(ctx, 40), *xs = tsr_reshape(range(ctx, 360), D(9, 40));
	tsr *matrix = tsr_reshape(range(ctx, 1600), D(40, 40));
	tsr_fn *f = tsr_jit(ctx, scan_along_rows);
	const char *text = tsr_fn_compiled_text(f, h, xs, matrix);

	assert_int_equal(count(text, strstr(text, "= scan "), "= transpose"), 1);
	assert_int_equal(count(text, NULL, "= transpose"), 1);
	tsr *y = tsr_call(f, h, xs, matrix);
	for (int i = 0; i < 9; i++) h = tsr_sin(tsr_add(tsr_dot(matrix, h), tsr_index(xs, 0, i)));
	assert_true(tsr_array_equal(y, h));
	text = tsr_fn_compiled_text(f, in[0], in[1], in[2]);
	assert_int_equal(count(text, NULL, "= transpose"), 0);
}

static int lines;
static void count_lines(void *user, int level, const char *text)
{
	(void)user, (void)level;
	lines += count(text, NULL, "after hoist");
}

/* printed, and simplified again, only if something leaves */
static void others_stay_as_they_are(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		tsr_ctx *ctx = tsr_open(.log = count_lines, .debug = "q");
		tsr *x = tsr_ones(ctx, D(3)), *xs = tsr_ones(ctx, D(STEPS, 3));
		tsr *square = tsr_ones(ctx, D(3, 3)), *wide = tsr_ones(ctx, D(3, 20));
		const how h = {.of = &cases[i], .unroll = 1};
		tsr *y[2];
		lines = 0;
		tsr_call_into(TSR_OUT(&y[0], &y[1]), WITH(tsr_jit, scan, &h), x, xs, square, square,
		              wide);
		assert_int_equal(tsr_status(ctx), TSR_OK);
		assert_int_equal(lines, cases[i].outside > 0);
		tsr_close(ctx);
	}
}

static void same_results(void **state)
{
	tsr_ctx *ctx = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int reverse = 0; reverse < 2; reverse++) {
			const how h = {&cases[i], 1, reverse},
				  out = {&cases[i], TSR_UNROLL_ALL, reverse};
			tsr *y[2], *want[2];
			tsr_call_into(TSR_OUT(&y[0], &y[1]), WITH(tsr_jit, scan, &h), INPUTS);
			tsr_call_into(TSR_OUT(&want[0], &want[1]), WITH(tsr_jit, scan, &out),
			              INPUTS);
			SAME(y[0], want[0]);
			SAME(y[1], want[1]);
		}
}

/* the order of the sums over steps differs between the two */
static void same_derivatives(void **state)
{
	tsr_ctx *ctx = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const how h = {&cases[i], 1, false}, out = {&cases[i], TSR_UNROLL_ALL, false};
		tsr *d[4], *want[4];
		tsr_call_into(
			TSR_OUT(&d[0], &d[1], &d[2], &d[3]),
			tsr_grad(ctx, loss, .env = &h, .env_size = sizeof h, .wrt = D(0, 1, 2, 3)),
			INPUTS);
		tsr_call_into(TSR_OUT(&want[0], &want[1], &want[2], &want[3]),
		              tsr_grad(ctx, loss, .env = &out, .env_size = sizeof out,
		                       .wrt = D(0, 1, 2, 3)),
		              INPUTS);
		for (int k = 0; k < 4; k++) ALIKE(d[k], want[k], 2e-5);
	}
}

/* the slices of each device meet a matrix of its own */
static void in_map(tsr_frame *f)
{
	const how *how = tsr_frame_env(f);
	tsr *h = tsr_frame_arg(f, 0), *xs = tsr_frame_arg(f, 1), *all;
	u = tsr_add(tsr_frame_arg(f, 2), tsr_axis_index(tsr_ctx_of(xs), "x"));
	v = tsr_frame_arg(f, 3), w = tsr_frame_arg(f, 4);
	tsr_scan_into(TSR_OUT(&h, &all), how->of->step, tsr_pcast(h, "x", .to = TSR_TO_VARYING), xs,
	              .unroll = how->unroll);
	tsr_return(f, tsr_psum(h, "x"), all);
}

static void in_maps(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr *xs = tsr_reshape(range(ctx, 24), D(8, 3));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const how h = {&cases[i], 1, false}, out = {&cases[i], TSR_UNROLL_ALL, false};
		tsr *y[2], *want[2];
		tsr_fn *f = tsr_shard_map(mesh, in_map, .sig = "[] [x] [] [] [] -> [] [x]",
		                          .env = &h, .env_size = sizeof h);
		check_products(&cases[i], tsr_fn_compiled_text(f, in[0], xs, in[2], in[3], in[4]));
		tsr_call_into(TSR_OUT(&y[0], &y[1]), f, in[0], xs, in[2], in[3], in[4]);
		tsr_call_into(TSR_OUT(&want[0], &want[1]),
		              tsr_shard_map(mesh, in_map, .sig = "[] [x] [] [] [] -> [] [x]",
		                            .env = &out, .env_size = sizeof out),
		              in[0], xs, in[2], in[3], in[4]);
		SAME(y[0], want[0]);
		SAME(y[1], want[1]);
	}
}

static int close(void **state)
{
	tsr_close(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(which_leave),
		cmocka_unit_test(many_vectors),
		cmocka_unit_test(rows_are_turned),
		cmocka_unit_test(others_stay_as_they_are),
		cmocka_unit_test(same_results),
		cmocka_unit_test(same_derivatives),
		cmocka_unit_test(in_maps),
	};

	return cmocka_run_group_tests(tests, open, close);
}
