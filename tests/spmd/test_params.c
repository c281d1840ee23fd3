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
	                         {D(64), tsr_init_ones, TSR_SPEC()}};

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
		assert_ptr_equal(tsr_sharding_of(cut.leaf[k]), tsr_sharding_make(mesh, p->spec));
		assert_int_equal(tsr_shard_count(cut.leaf[k]), DEVICES);
	}
	tsr_param plain[LEAVES];
	for (int k = 0; k < LEAVES; k++)
		plain[k] = (tsr_param){params[k].dims, params[k].init, P()};
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

/* ---- each initialiser */

static tsr *half(tsr *key, tsr_dims dims)
{
	return tsr_init_constant(key, dims, .value = TSR_ARG(0.5));
}
static tsr *in_a_disk(tsr *key, tsr_dims dims)
{
	return tsr_init_variance_scaling(key, dims, .distribution = TSR_INIT_UNIFORM,
	                                 .mode = TSR_FAN_GEO_AVG, .dtype = TSR_C64);
}

static const struct {
	const char *name;
	tsr_initializer *init;
	int64_t dims[3]; /* 0: there are two */
} initialisers[] = {
#define OF_TWO(name) \
	{ \
#name, tsr_init_##name, { 8, 4, 0 } \
	}
	OF_TWO(zeros),
	OF_TWO(ones),
	OF_TWO(uniform),
	OF_TWO(normal),
	OF_TWO(truncated_normal),
	OF_TWO(variance_scaling),
	OF_TWO(glorot_uniform),
	OF_TWO(glorot_normal),
	OF_TWO(xavier_uniform),
	OF_TWO(xavier_normal),
	OF_TWO(lecun_uniform),
	OF_TWO(lecun_normal),
	OF_TWO(he_uniform),
	OF_TWO(he_normal),
	OF_TWO(kaiming_uniform),
	OF_TWO(kaiming_normal),
	OF_TWO(orthogonal),
	{"delta_orthogonal", tsr_init_delta_orthogonal, {8, 2, 4}},
	{"constant", half, {8, 4, 0}},
	{"in a disk", in_a_disk, {8, 4, 0}},
};

static tsr *initialised(tsr_frame *frame)
{
	const size_t k = *(const size_t *)tsr_frame_env(frame);
	const int64_t *n = initialisers[k].dims;

	return initialisers[k].init(tsr_frame_arg(frame, 0),
	                            n[2] ? D(n[0], n[1], n[2]) : D(n[0], n[1]));
}
static void initialise(tsr_frame *frame) { tsr_return(frame, initialised(frame)); }

/* a batch of keys gives what each of them gives, and devices with parts what one has with all */
static void initialisers_in_batches_and_in_parts(void **state)
{
	(void)state;
	tsr_mesh *mesh;
	tsr_ctx *ctx = opened(&mesh);
	tsr *keys = tsr_split_keys(tsr_key(ctx, 3), D(3)), *one[3], *whole, *cut;

	for (size_t k = 0; k < sizeof initialisers / sizeof *initialisers; k++) {
		TSR_SCOPE(ctx);
		tsr_fn *f = tsr_jit(ctx, initialise, TSR_ENV(&k));
		const int64_t *n = initialisers[k].dims;
		tsr_param param = {n[2] ? D(n[0], n[1], n[2]) : D(n[0], n[1]), initialisers[k].init,
		                   P()};
		for (int i = 0; i < 3; i++) one[i] = tsr_call(f, tsr_index(keys, 0, i));
		bool ok = tsr_allclose(tsr_call(tsr_vmap(ctx, f), keys), tsr_stack_list(0, one, 3),
		                       1e-6, 1e-6);
		ok = ok && tsr_make_params(TSR_LEAVES(&whole, 1), tsr_key(ctx, 4), NULL, &param, 1);
		param.spec = P("x", "y");
		ok = ok && tsr_make_params(TSR_LEAVES(&cut, 1), tsr_key(ctx, 4), mesh, &param, 1);
		if (!ok || !tsr_array_equal(whole, cut)) fail_msg("%s", initialisers[k].name);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- mistakes */

static tsr *one_more(tsr *key, tsr_dims dims) { return tsr_init_normal(key, D(dims.d[1] + 1)); }
static tsr *nothing(tsr *key, tsr_dims dims) { return (void)key, (void)dims, NULL; }
static tsr *of_no_dims(tsr *key, tsr_dims dims)
{
	return (void)dims, tsr_init_he_normal(key, D(3));
}

static void mistakes_name_the_leaf(void **state)
{
	static const struct {
		tsr_initializer *init;
		tsr_spec spec;
		int64_t n;
		tsr_code code;
		const char *says;
	} cases[] = {
		{one_more, TSR_SPEC(), 5, TSR_ERROR_TYPE,
	         "make_params: an initialiser made f32[9], and not [8]"},
		{one_more, TSR_SPEC(), 5, TSR_ERROR_TYPE, "at the leaf layer[1].bias"},
		{nothing, TSR_SPEC(), 5, TSR_ERROR_HANDLE, "an initialiser returned NULL"},
		{of_no_dims, TSR_SPEC(), 5, TSR_ERROR_TYPE, "give at least 2 dims, or .in"},
		{NULL, TSR_SPEC(), 5, TSR_ERROR_ARGUMENT,
	         "entry 3 of the table has no initialiser"},
		{tsr_init_ones, TSR_SPEC(), 4, TSR_ERROR_ARGUMENT,
	         "the table has 4 entries, and the tree 5 leaves"},
		{tsr_init_ones, TSR_SPEC("z"), 5, TSR_ERROR_SHARDING, "z"},
		{tsr_init_ones, TSR_SPEC(NULL, "x"), 5, TSR_ERROR_SHARDING, "rank"},
	};
	(void)state;
	tsr_mesh *mesh;
	tsr_ctx *ctx = opened(&mesh);
	net w;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		tsr_param params[LEAVES];
		for (int k = 0; k < LEAVES; k++) params[k] = (tsr_param){D(8), tsr_init_ones, P()};
		params[3].init = cases[i].init;
		params[3].spec = cases[i].spec;
		assert_false(tsr_make_params(TSR_TREE(net, &w), tsr_key(ctx, 0), mesh, params,
		                             (size_t)cases[i].n));
		assert_int_equal(tsr_status(ctx), cases[i].code);
		if (!strstr(tsr_message(ctx), cases[i].says))
			fail_msg("%s\nlacks %s", tsr_message(ctx), cases[i].says);
		for (int k = 0; k < LEAVES; k++) assert_true(tsr_is_poison(w.leaf[k]));
		tsr_clear(ctx);
	}
	const tsr_param needs_a_mesh = {D(8), tsr_init_ones, P("x")};
	assert_false(
		tsr_make_params(TSR_LEAVES(w.leaf, 1), tsr_key(ctx, 0), NULL, &needs_a_mesh, 1));
	assert_non_null(strstr(tsr_message(ctx), "the mesh is NULL, and none is in use"));
	tsr_clear(ctx);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaves_are_numbered),
		cmocka_unit_test(each_device_makes_its_own_part),
		cmocka_unit_test(nothing_is_ever_whole),
		cmocka_unit_test(initialisers_in_batches_and_in_parts),
		cmocka_unit_test(mistakes_name_the_leaf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
