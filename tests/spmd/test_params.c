/* test_params.c - initialisers, and trees of parameters that are drawn where they are to be. What
 * initialisers draw is compared with JAX in tests/peer and, as recorded, in
 * tests/golden/test_s2_layer.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

TSR_TREE_TYPE(dense, { tsr *kernel, *bias; });
TSR_TREE_TYPE(net, {
	dense layer[2];
	tsr *scale;
});
enum { LEAVES = 5, DEVICES = 8 };

static tsr *small(tsr *key, tsr_dims dims) { return tsr_init_normal(key, dims, .stddev = 0.02); }

static const tsr_param *table_of_net(void)
{
	static tsr_param params[LEAVES];
	const tsr_param all[] = {{D(64, 128), tsr_init_kaiming_normal, TSR_SPEC(NULL, "x")},
	                         {D(128), tsr_init_zeros, TSR_SPEC("x")},
	                         {D(128, 64), tsr_init_glorot_uniform, TSR_SPEC("x*y")},
	                         {D(64), small, TSR_SPEC("y")},
	                         {D(64), tsr_init_ones, {0}}};

	return memcpy(params, all, sizeof all);
}

static tsr_ctx *opened(tsr_mesh **mesh)
{
	tsr_ctx *ctx = tsr_open(.devices = DEVICES);

	*mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	return ctx;
}

/* leaf k has key fold_in(key, k), and the same numbers wherever it is */
static void leaves_are_numbered(void **state)
{
	(void)state;
	tsr_mesh *mesh;
	tsr_ctx *ctx = opened(&mesh);
	const tsr_param *params = table_of_net();
	tsr *key = tsr_key(ctx, 7);
	net cut, whole;

	assert_true(tsr_make_params(TSR_TREE(net, &cut), key, mesh, params, LEAVES));
	for (int k = 0; k < LEAVES; k++) {
		const tsr_param *p = &params[k];
		tsr *y = p->init(tsr_fold_in(key, k), p->dims);
		assert_true(tsr_array_equal(cut.leaf[k], y));
		assert_ptr_equal(tsr_sharding_of(cut.leaf[k]),
		                 tsr_sharding_make(mesh, p->spec.n1 ? p->spec : P()));
		assert_int_equal(tsr_shard_count(cut.leaf[k]), DEVICES);
	}
	tsr_param plain[LEAVES];
	for (int k = 0; k < LEAVES; k++)
		plain[k] = (tsr_param){params[k].dims, params[k].init, {0}};
	assert_true(tsr_make_params(TSR_TREE(net, &whole), key, NULL, plain, LEAVES));
	assert_true(tsr_tree_allclose(TSR_TREE(net, &cut), TSR_TREE(net, &whole), 0, 0));
	assert_int_equal(tsr_shard_count(whole.scale), 1);
	{
		TSR_MESH(mesh);
		assert_true(tsr_make_params(TSR_TREE(net, &whole), key, NULL, params, LEAVES));
	}
	assert_ptr_equal(tsr_sharding_of(whole.scale), tsr_sharding_of(cut.scale));
	assert_int_equal(tsr_close(ctx), 0);
}

static void draw_net(tsr_frame *frame)
{
	net w;

	if (!tsr_make_params(TSR_TREE(net, &w), tsr_frame_arg(frame, 0), NULL, table_of_net(),
	                     LEAVES))
		tsr_return(frame, tsr_poison(NULL));
	else
		tsr_return(frame, TSR_TREE(net, &w));
}

/* what each device runs has no collective, and no value of the dims of a leaf that is cut */
static void each_device_makes_its_own_part(void **state)
{
	(void)state;
	tsr_mesh *mesh;
	tsr_ctx *ctx = opened(&mesh);
	TSR_MESH(mesh);
	tsr *key = tsr_key(ctx, 7);
	tsr_fn *f = tsr_jit(ctx, draw_net);
	const char *text = tsr_fn_compiled_text(f, key);

	assert_true(tsr_expect_collectives("collectives=0 bytes=0", f, key));
	assert_non_null(strstr(text, "f32[64,32]"));
	assert_non_null(strstr(text, "f32[16,64]"));
	if (strstr(text, "[64,128]") || strstr(text, "[128,64]") || strstr(text, "[128]"))
		fail_msg("%s", text);
	assert_int_equal(tsr_close(ctx), 0);
}

enum { SIDE = 1024 };

/* All devices share one memory here: together they need as much as one copy, or two where an
 * interpreter keeps what it computes from */
static void nothing_is_ever_whole(void **state)
{
	(void)state;
	tsr_mesh *mesh;
	tsr_ctx *ctx = opened(&mesh);
	const tsr_param param = {D(SIDE, SIDE), tsr_init_he_normal, TSR_SPEC("x*y")};
	tsr *w, *key = tsr_key(ctx, 1);
	tsr_engine_info engine = {.size = sizeof engine};
	const double before = (double)tsr_memory(ctx).in_use;

	assert_true(tsr_engine(ctx, &engine));
	assert_true(tsr_make_params(TSR_LEAVES(&w, 1), key, mesh, &param, 1));
	const double peak = ((double)tsr_memory(ctx).peak - before) / (4.0 * SIDE * SIDE);
	if (!(peak < (engine.compiles ? 1.3 : 2.3))) fail_msg("%g of a kernel", peak);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaves_are_numbered),
		cmocka_unit_test(each_device_makes_its_own_part),
		cmocka_unit_test(nothing_is_ever_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
