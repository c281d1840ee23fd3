/* test_s1.c - the cells of the second seed, the pmap cookbook: maps without and with collectives,
 * maps inside maps, Rule 30 by exchange of halos, gradients; and mapped dims. */
#include "support/golden.h"
#include "support/recorded_bytes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS
#define P TSR_P

enum { S = TSR_ERROR_SHARDING, A = TSR_ERROR_ARGUMENT, T = TSR_ERROR_TYPE };
#define WRONG(id, name, code, ...) \
	golden_error(ctx, code, "test_s1.c", id, name, (const char *const[]){__VA_ARGS__, NULL}, \
	             (const char *const[]){"pmap of ", NULL})

static tsr *floats(tsr_ctx *ctx, int64_t n) { return tsr_arange(ctx, n, .dtype = TSR_F32); }
static tsr *numbers(tsr_ctx *ctx, int64_t n) { return tsr_arange(ctx, n, .dtype = TSR_I32); }

/* ---- without communication */

static void square(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_pmap(ctx, tsr_square);
	tsr *y = tsr_call(f, numbers(ctx, 7)), *xf = floats(ctx, 7);

	golden_equal(numbers(ctx, 7), "s1.square", "x");
	golden_equal(y, "s1.square", "result");
	golden_same_text(tsr_text(y), "s1.square", "printed");
	golden_moves(MOVED(f, numbers(ctx, 7)), "s1.square", "pmap.moves");
	golden_grads(f, &xf, NULL, "s1.square",
	             "f32.ct f32.loss f32.grad_x f32.value_and_grad.moves");
	tsr_call(f, numbers(ctx, 9));
	WRONG("s1.square", "error_too_many", S, "9", "8");
	tsr_call(tsr_pmap(ctx, tsr_add), floats(ctx, 4), floats(ctx, 3));
	WRONG("s1.square", "error_sizes_differ", T, "4", "3");
	tsr_call(tsr_pmap(ctx, tsr_neg, .in = TSR_MAPPED(TSR_UNMAPPED)), 1.0);
	WRONG("s1.square", "error_no_mapped_argument", A, "at least one argument", "mapped");
}

static void add(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = golden_load(ctx, "s1.add", "x"), *y = golden_load(ctx, "s1.add", "y");
	tsr *batch = tsr_call(tsr_vmap(ctx, tsr_add), x, y);
	tsr *sum = tsr_call(tsr_pmap(ctx, tsr_add), x, y);
	char printed[256];

	golden_equal(batch, "s1.add", "vmap");
	golden_equal(sum, "s1.add", "pmap");
	snprintf(printed, sizeof printed, "%s\n%s", tsr_text(batch), tsr_text(sum));
	golden_same_text(printed, "s1.add", "printed");
	golden_grads(tsr_pmap(ctx, tsr_add), (tsr *[]){x, y}, NULL, "s1.add",
	             "ct loss grad_x grad_y value_and_grad.moves");
}

static tsr *tanh_of_dot(tsr *x, tsr *y) { return tsr_tanh(tsr_dot(x, y)); }

static void programs(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *xs = tsr_ones(ctx, D(8, 2, 3)), *ys = tsr_ones(ctx, D(8, 3, 4));
	tsr_fn *batch = tsr_vmap(ctx, tanh_of_dot), *map = tsr_pmap(ctx, tanh_of_dot);

	golden_equal(xs, "s1.jaxprs", "xs");
	golden_equal(ys, "s1.jaxprs", "ys");
	golden_equal(tsr_call(batch, xs, ys), "s1.jaxprs", "vmap");
	golden_equal(tsr_call(map, xs, ys), "s1.jaxprs", "pmap");
	/* a product of all, and a map over products */
	assert_non_null(strstr(tsr_fn_text(batch, xs, ys), ": f32[8,2,4] = dot_general"));
	assert_non_null(strstr(tsr_fn_text(map, xs, ys), ": f32[8,2,4] = shard_map"));
	assert_non_null(strstr(tsr_fn_text(map, xs, ys), ": f32[2,4]{_pmap} = dot_general"));
	tsr *x[] = {golden_load(ctx, "s1.jaxprs", "xs_random"),
	            golden_load(ctx, "s1.jaxprs", "ys_random")};
	golden_moves(MOVED(map, xs, ys), "s1.jaxprs", "pmap.moves");
	golden_grads(map, x, NULL, "s1.jaxprs",
	             "random.ct random.loss random.grad_xs random.grad_ys "
	             "random.value_and_grad.moves");
	golden_grads(batch, x, NULL, "s1.jaxprs",
	             "random_vmap.ct random_vmap.loss random_vmap.grad_xs "
	             "random_vmap.grad_ys random_vmap.value_and_grad.moves");
}

static void use_output(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = numbers(ctx, 8), *y = tsr_call(tsr_pmap(ctx, tsr_square), x), *z = tsr_div(y, 2);

	golden_equal(x, "s1.use_output", "x");
	golden_equal(y, "s1.use_output", "y");
	golden_equal(z, "s1.use_output", "z");
	golden_same_text(tsr_text(z), "s1.use_output", "print_z");
	golden_same_text(tsr_sharding_picture(y), "s1.use_output", "visualize_y");
	/* numpy computes the sines of integers in double */
	golden_equal(tsr_sin(tsr_astype(y, TSR_F64)), "s1.use_output", "sin_y");
}

/* ---- collectives */

static tsr *normalize(tsr *x) { return tsr_div(x, tsr_psum(x, "i")); }

static void normalizes(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = floats(ctx, 4);
	tsr_fn *f = tsr_pmap(ctx, normalize, .axis = "i");
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"i", 4});
	tsr *y = tsr_call(f, x);

	golden_equal(x, "s1.normalize", "x");
	golden_equal(y, "s1.normalize", "result");
	golden_same_text(tsr_text(y), "s1.normalize", "printed");
	golden_same_text(tsr_text(tsr_call(f, x)), "s1.normalize", "printed_decorator");
	tsr_fn *map = tsr_shard_map(mesh, normalize, .sig = "[i] -> [i]");
	tsr_fn *unchecked = tsr_shard_map(mesh, normalize, .sig = "[i] -> [i]", .unchecked = true);
	golden_moves(MOVED(f, x), "s1.normalize", "pmap.moves");
	golden_grads(f, &x, NULL, "s1.normalize", "ct loss grad_x value_and_grad.moves");
	golden_grads(map, &x, NULL, "s1.normalize",
	             "shard_map_vma.ct shard_map_vma.loss shard_map_vma.grad_x "
	             "shard_map_vma.value_and_grad.moves");
	golden_grads(unchecked, &x, NULL, "s1.normalize",
	             "shard_map_novma.ct shard_map_novma.loss shard_map_novma.grad_x "
	             "shard_map_novma.value_and_grad.moves");
}

static void three_norms(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0);
	tsr_return(frame, tsr_div(x, tsr_psum(x, "rows")), tsr_div(x, tsr_psum(x, "cols")),
	           tsr_div(x, tsr_psum(x, "rows*cols")));
}

/* x, ct0, ct1, ct2 -> the sum over ct * norms of x; .env: the map */
static void weighted_norms(tsr_frame *frame)
{
	tsr_fn *const *f = tsr_frame_env(frame);
	tsr *norm[3], *sum = NULL;

	tsr_call_into(TSR_OUT(&norm[0], &norm[1], &norm[2]), *f, tsr_frame_arg(frame, 0));
	for (size_t k = 0; k < 3; k++) {
		tsr *one = tsr_sum(tsr_mul(norm[k], tsr_frame_arg(frame, k + 1)));
		sum = sum ? tsr_add(sum, one) : one;
	}
	tsr_return(frame, sum);
}

/* elements: each device has one, and what moves then is recorded */
static void check_norms(tsr_ctx *ctx, tsr_fn *f, tsr *norm[3], bool elements)
{
	tsr *x = tsr_reshape(floats(ctx, 8), D(4, 2)), *loss, *dx;
	tsr *ct0 = golden_load(ctx, "s1.nested", "ct0");
	tsr *ct1 = golden_load(ctx, "s1.nested", "ct1");
	tsr *ct2 = golden_load(ctx, "s1.nested", "ct2");

	golden_equal(x, "s1.nested", "x");
	tsr_call_into(TSR_OUT(&norm[0], &norm[1], &norm[2]), f, x);
	golden_equal(norm[0], "s1.nested", "a");
	golden_equal(norm[1], "s1.nested", "b");
	golden_equal(norm[2], "s1.nested", "c");
	tsr_fn *both = tsr_value_and_grad(ctx, weighted_norms, TSR_ENV(&f));
	tsr_call_into(TSR_OUT(&loss, &dx), both, x, ct0, ct1, ct2);
	if (!elements) return;
	golden_moves(MOVED(f, x), "s1.nested", "shard_map_2d.moves");
	golden_moves(MOVED(tsr_jit(ctx, both), x, ct0, ct1, ct2), "s1.nested",
	             "value_and_grad.moves");
	golden_equal(loss, "s1.nested", "loss");
	golden_equal(dx, "s1.nested", "grad_x");
}

static void nested(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *norm[3];
	char printed[512];

	check_norms(ctx, tsr_pmap(ctx, tsr_pmap(ctx, three_norms, .axis = "cols"), .axis = "rows"),
	            norm, false);
	snprintf(printed, sizeof printed, "%s\n%s", tsr_text(norm[0]),
	         tsr_text(tsr_sum(norm[0], .dims = D(0))));
	golden_same_text(printed, "s1.nested", "printed");
	tsr_fn *one = tsr_vmap(ctx, three_norms, .axis = "cols");
	check_norms(ctx, tsr_pmap(ctx, one, .axis = "rows"), norm, false);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"rows", 4}, {"cols", 2});
	check_norms(ctx, tsr_shard_map(mesh, three_norms, .sig = "[rows,cols] -> [rows,cols] "
	                                                         "[rows,cols] [rows,cols]"),
	            norm, true);
	golden_same_text(tsr_sharding_picture(norm[0]), "s1.nested", "visualize_sm_a");
	golden_same_text(tsr_sharding_picture(norm[1]), "s1.nested", "visualize_sm_b");
	golden_same_text(tsr_sharding_picture(norm[2]), "s1.nested", "visualize_sm_c");
}

/* ---- Rule 30 */

enum { STEPS = 20, CELLS = 40 };

static tsr *step(tsr *board) /* bool[5] on each device */
{
	tsr *first = tsr_slice(board, 0, 0, 1), *last = tsr_slice(board, 0, -1, TSR_END);
	tsr *left = tsr_ppermute(last, "i", TSR_SHIFT(1));
	tsr *right = tsr_ppermute(first, "i", TSR_SHIFT(-1));
	tsr *all = tsr_concatenate(0, left, board, right);
	tsr *center = tsr_slice(all, 0, 1, -1);
	left = tsr_slice(all, 0, 0, -2);
	right = tsr_slice(all, 0, 2, TSR_END);
	return tsr_bitwise_xor(left, tsr_bitwise_or(center, right));
}

static void put_board(tsr *board, char *plain, char *bars)
{
	bool cells[CELLS];

	assert_true(tsr_read(board, cells, sizeof cells));
	for (int i = 0; i < CELLS; i++)
		plain[strlen(plain)] = bars[strlen(bars)] = cells[i] ? '*' : ' ';
	strcat(plain, "\n");
	strcat(bars, "|\n");
}

static void rule30(void **state)
{
	tsr_ctx *ctx = *state;
	static char plain[(STEPS + 1) * (CELLS + 1) + 1], bars[(STEPS + 1) * (CELLS + 2) + 1];
	tsr *board[STEPS + 1];
	tsr_fn *f = tsr_pmap(ctx, step, .axis = "i");

	memset(plain, 0, sizeof plain);
	memset(bars, 0, sizeof bars);
	board[0] = tsr_from(ctx, (bool[CELLS]){[CELLS / 2] = true}, TSR_BOOL, D(8, CELLS / 8));
	for (int k = 0; k < STEPS; k++) board[k + 1] = tsr_call(f, board[k]);
	for (int k = 0; k <= STEPS; k++) put_board(board[k], plain, bars);
	golden_equal(tsr_stack_list(0, board, STEPS + 1), "s1.rule30", "boards");
	golden_same_text(plain, "s1.rule30", "printed");
	golden_same_text(bars, "s1.rule30", "printed_bars");
	golden_moves(MOVED(f, board[0]), "s1.rule30", "step.moves");
}

/* ---- derivatives */

static tsr *x_of_f, *sines;

static tsr *inner(tsr *z)
{
	tsr *slope = tsr_mul(tsr_cos(z), tsr_tan(tsr_sum(sines)));
	return tsr_mul(slope, tsr_sum(tsr_tanh(x_of_f)));
}

static tsr *sum_of_inner(tsr *w) { return tsr_sum(tsr_call(tsr_pmap(w, inner), w)); }

static tsr *gradient(tsr *x)
{
	x_of_f = x;
	sines = tsr_sin(x);
	return tsr_call(tsr_grad(x, sum_of_inner), x);
}

/* the same with a batch inside of the map */
static tsr *sum_of_batch(tsr *w) { return tsr_sum(tsr_call(tsr_vmap(w, inner), w)); }

static tsr *gradient_of_batch(tsr *x)
{
	x_of_f = x;
	sines = tsr_sin(x);
	return tsr_call(tsr_grad(x, sum_of_batch), x);
}

/* and by hand, an element on each device */
static tsr *gradient_of_element(tsr *v)
{
	tsr *row = tsr_all_gather(tsr_reshape(v, D()), "n");
	tsr *slope = tsr_mul(tsr_neg(tsr_sin(v)), tsr_tan(tsr_sum(tsr_sin(row))));
	return tsr_mul(slope, tsr_sum(tsr_tanh(row)));
}

static tsr *sum_of_elements(tsr *x)
{
	tsr_mesh *m = tsr_mesh_make(x, {"o", 4}, {"n", 2});
	return tsr_sum(tsr_call(tsr_shard_map(m, gradient_of_element, .sig = "[o,n] -> [o,n]"), x));
}

static tsr *sum_of_gradients(tsr *x)
{
	return tsr_sum(tsr_call(tsr_pmap(x, gradient), x));
}

static void grad_in_pmap(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_pmap(ctx, gradient), *df = tsr_grad(ctx, sum_of_gradients);
	tsr *x = tsr_reshape(floats(ctx, 8), D(4, 2)), *x64 = tsr_astype(x, TSR_F64);

	golden_equal(x, "s1.grad_in_pmap", "x");
	golden_equal(tsr_call(f, x), "s1.grad_in_pmap", "f_x");
	golden_equal(tsr_call(df, x), "s1.grad_in_pmap", "grad_sum_f_x");
	golden_equal(tsr_call(f, x64), "s1.grad_in_pmap", "f_x_f64");
	golden_equal(tsr_call(df, x64), "s1.grad_in_pmap", "grad_f64");
	golden_grads(f, &x, NULL, "s1.grad_in_pmap", "f.ct f.loss f.grad_x");
	tsr_fn *batch = tsr_pmap(ctx, gradient_of_batch);
	golden_grads(batch, &x, NULL, "s1.grad_in_pmap",
	             "f.ct f.loss f.grad_x f.value_and_grad.moves");

	tsr_mesh *m = tsr_mesh_make(ctx, {"o", 4}, {"n", 2});
	tsr *placed = tsr_put(x, m, P("o", "n"));
	f = tsr_shard_map(m, gradient_of_element, .sig = "[o,n] -> [o,n]");
	df = tsr_jit(ctx, tsr_grad(ctx, sum_of_elements));
	golden_equal(tsr_call(f, placed), "s1.grad_in_pmap", "f_x");
	golden_equal(tsr_call(df, placed), "s1.grad_in_pmap", "grad_sum_f_x");
	golden_moves(MOVED(f, placed), "s1.grad_in_pmap", "shard_map_2d.moves");
	golden_moves(MOVED(df, placed), "s1.grad_in_pmap", "shard_map_2d_grad.moves");
}

/* ---- dims and devices */

static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *sum_over_i(tsr *x) { return tsr_psum(x, "i"); }
static tsr *number(tsr *x) { return tsr_axis_index(x, "i"); }
static tsr *one_more(tsr *x) { return tsr_add(x, 1); }

static void axes(void **state)
{
	static const int64_t reversed[] = {7, 6, 5, 4, 3, 2, 1, 0};
	tsr_ctx *ctx = *state;
	tsr *x = tsr_reshape(floats(ctx, 24), D(2, 4, 3)), *ones = tsr_ones(ctx, D(2, 3));
#define TWICE(in_dim, out_dim) \
	tsr_call(tsr_pmap(ctx, twice, .in = TSR_MAPPED(in_dim), .out = TSR_MAPPED(out_dim)), x)

	golden_equal(x, "s1.axes", "x");
	golden_equal(TWICE(1, 0), "s1.axes", "in1_out0");
	golden_equal(TWICE(1, 1), "s1.axes", "in1_out1");
	golden_equal(TWICE(2, 1), "s1.axes", "in2_out1");
	golden_equal(tsr_call(tsr_pmap(ctx, tsr_add, .in = TSR_MAPPED(1, TSR_UNMAPPED)), x, ones),
	             "s1.axes", "broadcast");
	golden_equal(tsr_call(tsr_pmap(ctx, sum_over_i, .axis = "i", .in = TSR_MAPPED(1),
	                               .out = TSR_MAPPED(TSR_UNMAPPED)),
	                      x),
	             "s1.axes", "out_none");
	golden_equal(tsr_call(tsr_pmap(ctx, number, .axis = "i"), floats(ctx, 5)), "s1.axes",
	             "axis_index");
	tsr *y = tsr_call(tsr_pmap(ctx, one_more, TSR_DEVICES(reversed)), floats(ctx, 8));
	golden_equal(y, "s1.axes", "devices_reversed");
	golden_same_text(tsr_sharding_picture(y), "s1.axes", "visualize_devices_reversed");
}

static void axes_that_are_wrong(void **state)
{
	static const int64_t none[1];
	tsr_ctx *ctx = *state;
	tsr *four = floats(ctx, 4), *three = floats(ctx, 3);

	tsr_call(tsr_pmap(ctx, tsr_neg, .axis_size = 3), four);
	WRONG("s1.axes", "error_axis_size", T, "axis_size", "3", "4");
	tsr_call(tsr_pmap(ctx, tsr_neg, .devices = none), four);
	golden_error(ctx, A, "test_s1.c", "s1.axes", "error_empty_devices",
	             (const char *const[]){"devices", NULL},
	             (const char *const[]){"pmap: ", ".device_count", NULL});
	tsr_call(tsr_vmap(ctx, tsr_add), four, three);
	golden_error(ctx, T, "test_s1.c", "s1.axes", "error_vmap_sizes",
	             (const char *const[]){"got inconsistent sizes", "4", "3", NULL},
	             (const char *const[]){"vmap of ", "args[0]", "args[1]", NULL});
	tsr_call(tsr_vmap(ctx, tsr_neg, .in = TSR_MAPPED(2)), four);
	golden_error(ctx, A, "test_s1.c", "s1.axes", "error_vmap_rank",
	             (const char *const[]){"rank should be at least 3", "2", "1", NULL},
	             (const char *const[]){"vmap of ", "args[0]", NULL});
	tsr *three_bools = tsr_zeros(ctx, D(3), .dtype = TSR_BOOL);
	tsr *two_bools = tsr_zeros(ctx, D(2), .dtype = TSR_BOOL);
	assert_true(tsr_is_poison(tsr_bitwise_xor(three_bools, two_bools)));
	golden_error(ctx, T, "test_s1.c", "s1.axes", "error_bitwise_shapes",
	             (const char *const[]){"got incompatible shapes for broadcasting: (3,), (2,)",
	                                   NULL},
	             (const char *const[]){"bitwise_xor", NULL});
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, golden_open, golden_close)
	const struct CMUnitTest tests[] = {
		TEST(square),       TEST(add),          TEST(programs),
		TEST(use_output),   TEST(normalizes),   TEST(nested),
		TEST(rule30),       TEST(grad_in_pmap), TEST(axes),
		TEST(axes_that_are_wrong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
