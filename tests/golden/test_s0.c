/* test_s0.c - the cells of the first seed: a matrix product over a 4x2 mesh, its pictures, and
 * a check that a map is slice, run, concatenate. */
#include "support/golden.h"
#include "support/recorded_bytes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

static tsr_mesh *grid(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"x", 4}, {"y", 2}); }

/* the order of a ring of eight on a torus, which the seed printed */
static const int64_t ring[8] = {0, 1, 2, 3, 6, 7, 4, 5};

static tsr_mesh *ring_grid(tsr_ctx *ctx)
{
	return tsr_mesh_make_devices(ctx, ring, 8, {"x", 4}, {"y", 2});
}

static void devices_are(const tsr_mesh *mesh, tsr_ctx *ctx, const char *id, const char *name)
{
	int32_t device[8];
	for (int k = 0; k < 8; k++) device[k] = (int32_t)tsr_mesh_device(mesh, k);
	golden_equal(tsr_from(ctx, device, TSR_I32, D(4, 2)), id, name);
}

static void mesh(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx);
	devices_are(m, ctx, "s0.mesh", "device_ids");
	assert_string_equal(tsr_mesh_text(m), "Mesh('x': 4, 'y': 2, axis_types=(Auto, Auto), "
	                    "device_ids=[[0, 1], [2, 3], [4, 5], [6, 7]])");
}

/* ---- the product */

static tsr *matmul_block(tsr *a_block, tsr *b_block)
{
	tsr *c_partial = tsr_dot(a_block, b_block);
	return tsr_psum(c_partial, "y");
}

static tsr_fn *matmul_on(tsr_mesh *m, bool unchecked)
{
	return tsr_shard_map(m, matmul_block, .in = TSR_SPECS(P("x", "y"), P("y", NULL)),
	                     .out = TSR_SPECS(P("x", NULL)), .unchecked = unchecked);
}

/* device[k] holds rows 2 * (k / 2) and the next one, all columns */
static void two_rows_a_pair(tsr *c, const int64_t *device)
{
	assert_int_equal(tsr_shard_count(c), 8);
	for (int64_t k = 0; k < 8; k++) {
		tsr_shard s;
		assert_true(tsr_shard_of(c, k, &s));
		assert_int_equal(s.device, device[k]);
		assert_int_equal(s.ndim, 2);
		assert_int_equal(s.start[0], k / 2 * 2);
		assert_int_equal(s.stop[0], k / 2 * 2 + 2);
		assert_int_equal(s.start[1], 0);
		assert_int_equal(s.stop[1], 4);
		assert_int_equal(s.replica, k % 2);
	}
}

static void matmul_basic(void **state)
{
	static const int64_t in_order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx);
	tsr *a = golden_load(ctx, "s0.matmul_basic", "a");
	tsr *b = golden_load(ctx, "s0.matmul_basic", "b");
	tsr_fn *checked = matmul_on(m, false), *unchecked = matmul_on(m, true);
	tsr *c = tsr_call(checked, a, b), *free_c = tsr_call(unchecked, a, b), *d[2];

	golden_equal(c, "s0.matmul_basic", "c");
	golden_equal(free_c, "s0.matmul_basic", "c");
	golden_equal(tsr_call(tsr_jit(ctx, checked), a, b), "s0.matmul_basic", "c");
	golden_moves(MOVED(checked, a, b), "s0.matmul_basic", "forward.moves");
	golden_moves(MOVED(unchecked, a, b), "s0.matmul_basic", "forward_novma.moves");
	golden_grads(checked, (tsr *[]){a, b}, d, "s0.matmul_basic",
	             "ct loss grad_a grad_b value_and_grad.moves");
	golden_sharded(d[0], m, P("x", "y"));
	golden_sharded(d[1], m, P("y", NULL));
	golden_grads(unchecked, (tsr *[]){a, b}, d, "s0.matmul_basic",
	             "novma.ct novma.loss novma.grad_a novma.grad_b novma.value_and_grad.moves");
	golden_sharded(d[0], m, P("x", "y"));
	golden_sharded(d[1], m, P("y", NULL));
	golden_sharded(c, m, P("x", NULL));
	golden_sharded(free_c, m, P("x", NULL));
	two_rows_a_pair(c, in_order);
	golden_same_text(tsr_sharding_picture(c), "s0.matmul_basic", "visualize_c");
	golden_truth(tsr_allclose(tsr_dot(a, b), c, 1e-2, 1e-2), "s0.matmul_basic", "allclose");
}

static void matmul_basic_tpu_order(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = ring_grid(ctx);
	tsr *a = golden_load(ctx, "s0.matmul_basic", "a");
	tsr *b = golden_load(ctx, "s0.matmul_basic", "b");
	tsr_fn *f = matmul_on(m, false);
	tsr *c = tsr_call(f, a, b);

	golden_moves(MOVED(f, a, b), "s0.matmul_basic_tpu_order", "forward.moves");
	devices_are(m, ctx, "s0.matmul_basic_tpu_order", "device_ids");
	golden_equal(c, "s0.matmul_basic_tpu_order", "c");
	golden_sharded(c, m, P("x", NULL));
	two_rows_a_pair(c, ring);
	golden_same_text(tsr_sharding_picture(c), "s0.matmul_basic_tpu_order", "visualize_c");
}

static void visualize_abc(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx);
	tsr *a = tsr_reshape(tsr_arange(ctx, 8 * 16, .dtype = TSR_F32), D(8, 16));
	tsr *b = tsr_reshape(tsr_arange(ctx, 16 * 4, .dtype = TSR_F32), D(16, 4));
	char printed[4096];

	a = tsr_put(a, m, P("x", "y"));
	b = tsr_put(b, m, P("y", NULL));
	tsr *c = tsr_call(matmul_on(m, false), a, b);
	golden_equal(a, "s0.visualize_abc", "a");
	golden_equal(b, "s0.visualize_abc", "b");
	golden_equal(c, "s0.visualize_abc", "c");
	golden_same_text(tsr_sharding_picture(a), "s0.visualize_abc", "visualize_a");
	golden_same_text(tsr_sharding_picture(b), "s0.visualize_abc", "visualize_b");
	golden_same_text(tsr_sharding_picture(c), "s0.visualize_abc", "visualize_c");
	snprintf(printed, sizeof printed, "a blocks:\n%sb blocks:\n%sc blocks:\n%s",
	         tsr_sharding_picture(a), tsr_sharding_picture(b), tsr_sharding_picture(c));
	golden_same_text(printed, "s0.visualize_abc", "printed");
}

/* ---- a map is slice, run, concatenate */

static tsr *gram(tsr *x) { return tsr_dot(tsr_t(x), x); }

static tsr *slice_run_concatenate(tsr *y)
{
	tsr *block[4];
	assert_true(tsr_split(y, 0, block, 4));
	for (int i = 0; i < 4; i++) block[i] = gram(block[i]);
	return tsr_concatenate(0, block[0], block[1], block[2], block[3]);
}

static void check_shmap(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"i", 4});
	tsr *y = golden_load(ctx, "s0.check_shmap", "y");
	tsr_fn *g = tsr_shard_map(m, gram, .in = TSR_SPECS(P("i")), .out = TSR_SPECS(P("i")));
	tsr *ans = tsr_call(g, y);

	golden_equal(ans, "s0.check_shmap", "ans");
	golden_sharded(ans, m, P("i"));
	golden_same_text(tsr_sharding_picture(ans), "s0.check_shmap", "visualize_ans");
	golden_truth(tsr_allclose(ans, slice_run_concatenate(y), 1e-2, 1e-2), "s0.check_shmap",
	             "printed");
	tsr *floats = tsr_astype(y, TSR_F32);
	golden_moves(MOVED(g, y), "s0.check_shmap", "forward.moves");
	golden_grads(g, &floats, NULL, "s0.check_shmap",
	             "f32.ct f32.loss f32.grad_y f32.value_and_grad.moves");
}

/* ---- a batch is slice, run, stack */

static tsr *square_sum(tsr *x) { return tsr_dot(x, x); }

static tsr *slice_run_stack(tsr *xs)
{
	tsr *y[4];
	for (int i = 0; i < 4; i++) y[i] = square_sum(tsr_index(xs, 0, i));
	return tsr_stack(0, y[0], y[1], y[2], y[3]);
}

static void check_vmap(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *xs = golden_load(ctx, "s0.check_vmap", "xs");
	tsr *floats = golden_load(ctx, "s0.check_vmap", "xs_f32");
	tsr_fn *f = tsr_vmap(ctx, square_sum, .in = TSR_MAPPED(0), .out = TSR_MAPPED(0));
	tsr *ans = tsr_call(f, xs);

	golden_equal(ans, "s0.check_vmap", "ans");
	golden_truth(tsr_allclose(ans, slice_run_stack(xs), 1e-2, 1e-2), "s0.check_vmap",
	             "printed");
	golden_grads(f, &floats, NULL, "s0.check_vmap",
	             "f32.ct f32.loss f32.grad_xs f32.value_and_grad.moves");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(mesh, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(matmul_basic, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(matmul_basic_tpu_order, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(visualize_abc, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(check_shmap, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(check_vmap, golden_open, golden_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
