/* test_shards_text.c - tables of the contents of devices: their arrangement by a mesh, parts that
 * are short or empty, print options, refused calls. JAX's own tables are among the golden tests
 * (golden.s3, golden.s3_net). The texts here are those of Python's tabulate and of NumPy.
 *
 * cmocka.h comes last: it makes fail() a macro. */
#include "lib/pictures/pictures.h"
#include "support/heads.h"
#include "support/quiet.h"
#include <tsr/tsr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

static int opened(void **state)
{
	*state = tsr_open(.devices = 8, .log = log_nothing);
	return 0;
}

static int closed(void **state) { return tsr_close(*state); }

static tsr *counted(tsr_ctx *ctx) { return tsr_reshape(tsr_arange(ctx, 16), D(8, 2)); }

/* ---- where the cells are */

static void one_device(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_arange(ctx, 3);

	assert_string_equal(tsr_shards_text(x), "╒═════════╕\n"
	                                        "│ [0 1 2] │\n"
	                                        "╘═════════╛\n");
	x = tsr_put_device(tsr_eq(tsr_scalar(ctx, 1), 1), 5);
	assert_string_equal(tsr_shards_text(x, .devices = true, .precision = 3), "╒═══════╕\n"
	                                                                         "│ cpu:5 │\n"
	                                                                         "│       │\n"
	                                                                         "│ True  │\n"
	                                                                         "╘═══════╛\n");
}

static void one_axis(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 4});
	tsr *x = tsr_put(tsr_reshape(tsr_arange(ctx, 8), D(4, 2)), m, P("x"));

	assert_string_equal(tsr_shards_text(x), "╒═════════╤═════════╤═════════╤═════════╕\n"
	                                        "│ [[0 1]] │ [[2 3]] │ [[4 5]] │ [[6 7]] │\n"
	                                        "╘═════════╧═════════╧═════════╧═════════╛\n");
	tsr_mesh *down = tsr_mesh_make(ctx, {"y", 4}, {"z", 1});
	assert_string_equal(tsr_shards_text(x, .mesh = down), "╒═════════╕\n"
	                                                      "│ [[0 1]] │\n"
	                                                      "├─────────┤\n"
	                                                      "│ [[2 3]] │\n"
	                                                      "├─────────┤\n"
	                                                      "│ [[4 5]] │\n"
	                                                      "├─────────┤\n"
	                                                      "│ [[6 7]] │\n"
	                                                      "╘═════════╛\n");
}

/* a table for each place along the first axis, all with the same columns */
static void three_axes(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"a", 2}, {"b", 2}, {"c", 2});

	assert_string_equal(tsr_shards_text(tsr_put(counted(ctx), m, P("a*b", "c"))),
	                    "a=0\n"
	                    "╒════════╤════════╕\n"
	                    "│ [[0]   │ [[1]   │\n"
	                    "│  [2]]  │  [3]]  │\n"
	                    "├────────┼────────┤\n"
	                    "│ [[4]   │ [[5]   │\n"
	                    "│  [6]]  │  [7]]  │\n"
	                    "╘════════╧════════╛\n"
	                    "a=1\n"
	                    "╒════════╤════════╕\n"
	                    "│ [[ 8]  │ [[ 9]  │\n"
	                    "│  [10]] │  [11]] │\n"
	                    "├────────┼────────┤\n"
	                    "│ [[12]  │ [[13]  │\n"
	                    "│  [14]] │  [15]] │\n"
	                    "╘════════╧════════╛\n");
}

static void four_axes(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"a", 2}, {"b", 1}, {"c", 2}, {"d", 1});

	assert_string_equal(tsr_shards_text(tsr_put(tsr_arange(ctx, 4), m, P("a*c"))),
	                    "a=0 b=0\n"
	                    "╒═════╕\n"
	                    "│ [0] │\n"
	                    "├─────┤\n"
	                    "│ [1] │\n"
	                    "╘═════╛\n"
	                    "a=1 b=0\n"
	                    "╒═════╕\n"
	                    "│ [2] │\n"
	                    "├─────┤\n"
	                    "│ [3] │\n"
	                    "╘═════╛\n");
}

/* the examples at the heads of the sources */
static void heads(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"a", 2}, {"b", 1}, {"c", 2});
	char *head = head_indented("src/lib/pictures/device_values.c");
	tsr *x = tsr_put(tsr_arange(ctx, 4), m, P("a*c"));
	base b;
	grid g;

	assert_non_null(head);
	assert_non_null(strstr(head, tsr_shards_text(x)));
	free(head);
	assert_true(base_init(&b, NULL, NULL, 0));
	str text = {.base = &b};
	assert_true(grid_make(&b, &g, 2, 2));
	str_put(&g.cell[0], "[[0 1]\n [2 3]]");
	str_put(&g.cell[1], "a");
	str_put(&g.cell[2], "[[4 5]]");
	str_put(&g.cell[3], "ä");
	grid_measure(&g);
	grid_draw(&text, &g, 0, 2);
	assert_non_null(head = head_indented("src/lib/pictures/grid.c"));
	assert_non_null(strstr(head, text.s));
	free(head);
	str_free(&text);
	grid_free(&b, &g);
	base_fini(&b);
}

/* another mesh of the same devices: each value stays with its device */
static void another_mesh(void **state)
{
	tsr_ctx *ctx = *state;
	const int64_t ids[] = {3, 1, 2, 0};
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 4});
	tsr_mesh *grid = tsr_mesh_make_devices(ctx, ids, 4, {"x", 2}, {"y", 2});
	tsr *x = tsr_put(tsr_arange(ctx, 8), line, P("x"));

	assert_string_equal(tsr_shards_text(x, .mesh = grid, .devices = true),
	                    "╒═══════╤═══════╕\n"
	                    "│ cpu:3 │ cpu:1 │\n"
	                    "│       │       │\n"
	                    "│ [6 7] │ [2 3] │\n"
	                    "├───────┼───────┤\n"
	                    "│ cpu:2 │ cpu:0 │\n"
	                    "│       │       │\n"
	                    "│ [4 5] │ [0 1] │\n"
	                    "╘═══════╧═══════╛\n");
}

/* a grid of devices without names: its dims arrange them, and a set is side by side */
static void positional(void **state)
{
	tsr_ctx *ctx = *state;
	const tsr_sharding *s = tsr_sharding_positional(ctx, D(4, 1));
	tsr *x = tsr_put_sharding(tsr_reshape(tsr_arange(ctx, 4), D(4, 1)), s), *y;

	assert_string_equal(tsr_shards_text(x), "╒═══════╕\n"
	                                        "│ [[0]] │\n"
	                                        "├───────┤\n"
	                                        "│ [[1]] │\n"
	                                        "├───────┤\n"
	                                        "│ [[2]] │\n"
	                                        "├───────┤\n"
	                                        "│ [[3]] │\n"
	                                        "╘═══════╛\n");
	s = tsr_sharding_replicate(tsr_sharding_reshape(s, D(2, 2)), .dim = D(0));
	y = tsr_put_sharding(tsr_reshape(tsr_arange(ctx, 4), D(1, 4)), s);
	assert_string_equal(tsr_shards_text(y, .devices = true),
	                    "╒═════════╤═════════╤═════════╤═════════╕\n"
	                    "│ cpu:0   │ cpu:2   │ cpu:1   │ cpu:3   │\n"
	                    "│         │         │         │         │\n"
	                    "│ [[0 1]] │ [[0 1]] │ [[2 3]] │ [[2 3]] │\n"
	                    "╘═════════╧═════════╧═════════╧═════════╛\n");
	s = tsr_sharding_positional(ctx, D(2, 1, 2));
	x = tsr_put_sharding(tsr_reshape(tsr_arange(ctx, 4), D(2, 1, 2)), s);
	assert_string_equal(tsr_shards_text(x), "dim 0=0\n"
	                                        "╒═════════╤═════════╕\n"
	                                        "│ [[[0]]] │ [[[1]]] │\n"
	                                        "╘═════════╧═════════╛\n"
	                                        "dim 0=1\n"
	                                        "╒═════════╤═════════╕\n"
	                                        "│ [[[2]]] │ [[[3]]] │\n"
	                                        "╘═════════╧═════════╛\n");
}

/* ---- what is in them */

/* a dim of 2 over 4 devices, and one of 8 over 3: what JAX refuses */
static void short_and_empty_parts(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"data", 4}, {"model", 2});
	tsr *x = tsr_put(counted(ctx), m, P("model", "data"));

	assert_string_equal(tsr_shards_text(x), "╒═══════╤════════╕\n"
	                                        "│ [[0]  │ [[ 8]  │\n"
	                                        "│  [2]  │  [10]  │\n"
	                                        "│  [4]  │  [12]  │\n"
	                                        "│  [6]] │  [14]] │\n"
	                                        "├───────┼────────┤\n"
	                                        "│ [[1]  │ [[ 9]  │\n"
	                                        "│  [3]  │  [11]  │\n"
	                                        "│  [5]  │  [13]  │\n"
	                                        "│  [7]] │  [15]] │\n"
	                                        "├───────┼────────┤\n"
	                                        "│ []    │ []     │\n"
	                                        "├───────┼────────┤\n"
	                                        "│ []    │ []     │\n"
	                                        "╘═══════╧════════╛\n");
	x = tsr_put(tsr_arange(ctx, 8), tsr_mesh_make(ctx, {"x", 3}), P("x"));
	assert_string_equal(tsr_shards_text(x), "╒═════════╤═════════╤═══════╕\n"
	                                        "│ [0 1 2] │ [3 4 5] │ [6 7] │\n"
	                                        "╘═════════╧═════════╧═══════╛\n");
}

static void print_options(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 2});
	tsr *x = tsr_put(tsr_div(tsr_arange(ctx, 20, .dtype = TSR_F32), 3), m, P("x"));

	assert_string_equal(tsr_shards_text(x, .precision = 3, .linewidth = 30),
	                    "╒══════════════════════════╤══════════════════════════╕\n"
	                    "│ [0.    0.333 0.667 1.    │ [3.333 3.667 4.    4.333 │\n"
	                    "│  1.333 1.667 2.    2.333 │  4.667 5.    5.333 5.667 │\n"
	                    "│  2.667 3.   ]            │  6.    6.333]            │\n"
	                    "╘══════════════════════════╧══════════════════════════╛\n");
	x = tsr_put(tsr_arange(ctx, 20), m, P("x"));
	assert_string_equal(tsr_shards_text(x, .threshold = 5),
	                    "╒═══════════════════╤═════════════════════════╕\n"
	                    "│ [0 1 2 ... 7 8 9] │ [10 11 12 ... 17 18 19] │\n"
	                    "╘═══════════════════╧═════════════════════════╛\n");
}

/* memory with strides, of which a device's part is every second element */
static void wrapped_memory(void **state)
{
	tsr_ctx *ctx = *state;
	static int32_t numbers[] = {0, 9, 1, 9, 2, 9, 3, 9};
	tsr *x = tsr_wrap(ctx, numbers, TSR_I32, D(4), .strides = D(8));

	assert_string_equal(tsr_shards_text(x), "╒═══════════╕\n"
	                                        "│ [0 1 2 3] │\n"
	                                        "╘═══════════╛\n");
}

/* ---- what is refused */

static void refused(tsr_ctx *ctx, const char *text, int code, const char *part)
{
	assert_string_equal(text, "");
	assert_int_equal(tsr_status(ctx), code);
	if (!strstr(tsr_message(ctx), part)) fail_msg("%s: no %s", tsr_message(ctx), part);
	tsr_clear(ctx);
}

static tsr *of_traced(tsr *x)
{
	tsr_show_shards(x);
	return x;
}

static void refusals(void **state)
{
	tsr_ctx *ctx = *state, *other = tsr_open(.devices = 8, .log = log_nothing);
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 4});
	const int64_t ids[] = {0, 1, 2, 4};
	tsr *x = tsr_put(tsr_arange(ctx, 8), m, P("x"));

	refused(ctx, tsr_shards_text(x, .mesh = tsr_mesh_make(ctx, {"x", 8})), TSR_ERROR_SHARDING,
	        "shards_text: .mesh is over the devices [0, 1, 2, 3, 4, 5, 6, 7] and the array "
	        "over [0, 1, 2, 3]");
	refused(ctx, tsr_shards_text(x, .mesh = tsr_mesh_make_devices(ctx, ids, 4, {"x", 4})),
	        TSR_ERROR_SHARDING, "[0, 1, 2, 4]");
	refused(ctx, tsr_shards_text(tsr_put_device(x, 3), .mesh = m), TSR_ERROR_SHARDING, "[3]");
	refused(ctx, tsr_shards_text(x, .mesh = tsr_mesh_make(other, {"x", 4})), TSR_ERROR_HANDLE,
	        "another context");
	refused(ctx, tsr_shards_text(tsr_poison(ctx)), TSR_ERROR_HANDLE, "poison");
	tsr_call(tsr_jit(ctx, of_traced), x);
	refused(ctx, "", TSR_ERROR_HANDLE, "traced");
	tsr_mesh *none = tsr_mesh_make(ctx, {"x", 9});
	tsr_clear(ctx);
	refused(ctx, tsr_shards_text(x, .mesh = none), TSR_ERROR_HANDLE, "poison");
	assert_int_equal(tsr_close(other), 0);
}

static void shown(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_put(tsr_arange(ctx, 8), tsr_mesh_make(ctx, {"x", 4}), P("x"));
	char got[4096];
	FILE *file = tmpfile();

	assert_non_null(file);
	fflush(stdout);
	const int kept = dup(STDOUT_FILENO);
	dup2(fileno(file), STDOUT_FILENO);
	tsr_show_shards(x, .devices = true);
	fflush(stdout);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	rewind(file);
	got[fread(got, 1, sizeof got - 1, file)] = 0;
	fclose(file);
	assert_string_equal(got, tsr_shards_text(x, .devices = true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_device, opened, closed),
		cmocka_unit_test_setup_teardown(one_axis, opened, closed),
		cmocka_unit_test_setup_teardown(three_axes, opened, closed),
		cmocka_unit_test_setup_teardown(four_axes, opened, closed),
		cmocka_unit_test_setup_teardown(heads, opened, closed),
		cmocka_unit_test_setup_teardown(another_mesh, opened, closed),
		cmocka_unit_test_setup_teardown(positional, opened, closed),
		cmocka_unit_test_setup_teardown(short_and_empty_parts, opened, closed),
		cmocka_unit_test_setup_teardown(print_options, opened, closed),
		cmocka_unit_test_setup_teardown(wrapped_memory, opened, closed),
		cmocka_unit_test_setup_teardown(refusals, opened, closed),
		cmocka_unit_test_setup_teardown(shown, opened, closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
