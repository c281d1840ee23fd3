/* test_trees.c - a function of each leaf, paths, and all leaves as one vector. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>
#define D TSR_DIMS

enum { LAYERS = 3 };
/* fields with the names of their types, trees in arrays, arrays in trees */
TSR_TREE_TYPE(attention, { tsr *Wq, *Wk, *Wv, *Wo; });
TSR_TREE_TYPE(mlp, { tsr *w[2], *b; });
TSR_TREE_TYPE(layer, {
	attention attention;
	mlp mlp;
});
TSR_TREE_TYPE(net, {
	tsr *embed;
	layer layer[LAYERS];
	tsr *grid[2][3];
	layer last;
});
TSR_TREE_TYPE(pair, { tsr *w, *b; });
TSR_TREE_TYPE(coder, {
	pair up[LAYERS], down[LAYERS];
	tsr *scale;
});

static int open_ctx(void **state)
{
	*state = tsr_open();
	return 0;
}
static int close_ctx(void **state) { return tsr_close(*state); }

static tsr *count(tsr_ctx *ctx, int64_t n) { return tsr_arange(ctx, n, .dtype = TSR_F32); }

/* ---- paths */

static void paths_are_those_of_c(void **state)
{
	static net n;
	static coder c;
	static const struct {
		tsr **leaf;
		const char *path;
	} cases[] = {
		{&n.embed, "embed"},
		{&n.layer[0].attention.Wq, "layer[0].attention.Wq"},
		{&n.layer[1].attention.Wo, "layer[1].attention.Wo"},
		{&n.layer[1].mlp.w[0], "layer[1].mlp.w[0]"},
		{&n.layer[2].mlp.w[1], "layer[2].mlp.w[1]"},
		{&n.layer[2].mlp.b, "layer[2].mlp.b"},
		{&n.grid[0][0], "grid[0][0]"},
		{&n.grid[1][2], "grid[1][2]"},
		{&n.last.attention.Wv, "last.attention.Wv"},
		{&n.last.mlp.b, "last.mlp.b"},
	};
	const tsr_tree t = TSR_TREE(net, &n);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(tsr_tree_path(t, (size_t)(cases[i].leaf - n.leaf)),
		                    cases[i].path);
	assert_string_equal(tsr_tree_path(TSR_TREE(mlp, &n.layer[1].mlp), 1), "w[1]");
	assert_string_equal(tsr_tree_path(TSR_TREE(coder, &c), 9), "down[1].b");
	assert_string_equal(tsr_tree_path(TSR_TREE(coder, &c), 12), "scale");
	assert_string_equal(tsr_tree_path(TSR_LEAVES(n.leaf, t.count), 4), "[4]");
}

/* types that are written by hand, as in C++, and fields that the text does not tell */
static const tsr_tree_unit by_hand;
static const tsr_tree_type in = {"{ tsr *w, *b; }", 2, "in", &by_hand};
static const tsr_tree_type out = {"{ in x[2]; tsr *y; }", 5, "out", &by_hand};
static const tsr_tree_type part = {"{ in x[2]; other o; }", 7, "part", &by_hand};
static const tsr_tree_type alone = {"{ in x[2]; tsr *y; }", 5, "out", NULL};
static const tsr_tree_type *const listed[] = {&in, &out, &part};
static const tsr_tree_unit by_hand = {listed, listed + 3};

static void paths_of_types_by_hand(void **state)
{
	tsr *leaf[7] = {0};
	const tsr_tree known = {.leaf = leaf, .count = 5, .type = &out};
	const tsr_tree lonely = {.leaf = leaf, .count = 5, .type = &alone};
	const tsr_tree foreign = {.leaf = leaf, .count = 7, .type = &part};

	(void)state;
	assert_string_equal(tsr_tree_path(known, 3), "x[1].b");
	assert_string_equal(tsr_tree_path(lonely, 3), "leaf[3]");
	assert_string_equal(tsr_tree_path(foreign, 6), "leaf[6]");
}

static void no_leaf_has_no_path(void **state)
{
	tsr_ctx *ctx = *state;
	pair p = {.w = count(ctx, 2)};

	assert_string_equal(tsr_tree_path(TSR_TREE(pair, &p), 2), "");
	assert_int_equal(tsr_status(ctx), TSR_ERROR_ARGUMENT);
	assert_non_null(strstr(tsr_message(ctx), "tree_path: there is no leaf 2 in a tree of 2"));
	tsr_clear(ctx);
}

/* ---- a function of each leaf */

static tsr *descend(tsr *w, tsr *g, tsr *rate) { return tsr_sub(w, tsr_mul(rate, g)); }

static void map_and_zip(void **state)
{
	tsr_ctx *ctx = *state;
	pair w = {.w = count(ctx, 3), .b = NULL}, g, v;

	assert_true(tsr_tree_map(TSR_TREE(pair, &g), tsr_ones_like, TSR_TREE(pair, &w)));
	assert_null(g.b);
	assert_true(tsr_tree_zip(TSR_TREE(pair, &v), descend, TSR_TREE(pair, &w),
	                         TSR_TREE(pair, &g), 0.5));
	assert_true(tsr_array_equal(v.w, tsr_sub(w.w, 0.5)));
	assert_int_equal(tsr_dtype_of(v.w), TSR_F32);
	/* in place, with a handle for all leaves, by a fn */
	assert_true(tsr_tree_zip(TSR_TREE(pair, &v), tsr_jit(ctx, descend), TSR_TREE(pair, &v),
	                         TSR_TREE(pair, &g), tsr_scalar(ctx, 1.5)));
	assert_true(tsr_array_equal(v.w, tsr_sub(w.w, 2.0)));
	/* what is made of numbers alone is strong */
	assert_true(tsr_tree_zip(TSR_TREE(pair, &g), descend, 3.0, TSR_TREE(pair, &w), 0));
	assert_false(tsr_is_weak(g.w));
}

static tsr *squares(tsr_tree t)
{
	pair y;

	if (!tsr_tree_map(TSR_TREE(pair, &y), tsr_square, t)) return tsr_poison(NULL);
	return tsr_add(tsr_sum(y.w), tsr_sum(y.b));
}

/* in a body, and through derivatives */
static void map_in_a_body(void **state)
{
	tsr_ctx *ctx = *state;
	pair w = {.w = count(ctx, 3), .b = count(ctx, 2)}, g;

	tsr_call_into(TSR_OUT(TSR_TREE(pair, &g)), tsr_grad(ctx, squares), TSR_TREE(pair, &w));
	assert_true(tsr_array_equal(g.w, tsr_mul(2, w.w)));
	assert_true(tsr_array_equal(g.b, tsr_mul(2, w.b)));
}

static tsr *spread(tsr *x) { return tsr_put(x, NULL, TSR_P("x")); }

/* a C function is called as it stands: it may place leaves, which a fn cannot */
static void map_may_place(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 4);
	TSR_MESH(tsr_mesh_make(ctx, {"x", 4}));
	pair w = {.w = count(ctx, 8), .b = count(ctx, 4)};

	assert_true(tsr_tree_map(TSR_TREE(pair, &w), spread, TSR_TREE(pair, &w)));
	assert_int_equal(tsr_shard_count(w.b), 4);
	assert_int_equal(tsr_dim(tsr_shard_data(w.w, 3), 0), 2);
	assert_int_equal(tsr_close(ctx), 0);
}

static tsr *of_three_alone(tsr *x) { return tsr_add(x, tsr_zeros(x, D(3))); }
static tsr *null_of(tsr *x) { return (void)x, NULL; }

static void assert_fails(tsr_ctx *ctx, bool ok, tsr_code code, const char *says)
{
	assert_false(ok);
	assert_int_equal(tsr_status(ctx), code);
	if (!strstr(tsr_message(ctx), says)) fail_msg("%s\nlacks %s", tsr_message(ctx), says);
	tsr_clear(ctx);
}

static void mistakes_name_the_leaf(void **state)
{
	tsr_ctx *ctx = *state;
	pair w = {.w = count(ctx, 3), .b = count(ctx, 2)}, half = {.w = w.w}, y;
	mlp m = {.b = count(ctx, 2)};
	const tsr_tree t = TSR_TREE(pair, &w), to = TSR_TREE(pair, &y);

	assert_fails(ctx, tsr_tree_map(to, of_three_alone, t), TSR_ERROR_TYPE, "at the leaf b");
	assert_true(tsr_is_poison(y.b) && !tsr_is_poison(y.w));
	assert_fails(ctx, tsr_tree_map(to, null_of, t), TSR_ERROR_HANDLE, "returned NULL");
	assert_true(tsr_is_poison(y.w));
	assert_fails(ctx, tsr_tree_map(to, tsr_neg, TSR_TREE(mlp, &m)), TSR_ERROR_ARGUMENT,
	             "args[0] has 3 leaves, and the tree of the results 2");
	assert_fails(ctx, tsr_tree_map(to, tsr_add, t), TSR_ERROR_ARGUMENT,
	             "takes 2 handles, and is given 1");
	assert_fails(ctx, tsr_tree_map(to, squares, t), TSR_ERROR_ARGUMENT, "of 1 to 4 handles");
	assert_fails(ctx, tsr_tree_zip(to, tsr_add, t, TSR_TREE(pair, &half)), TSR_ERROR_ARGUMENT,
	             "a leaf is absent that another tree has: args[1].b");
	assert_fails(ctx, tsr_tree_zip(to, tsr_add, w.w, 1), TSR_ERROR_ARGUMENT, "no tree");
	pair tall = {.w = tsr_reshape(w.w, D(3, 1)), .b = w.b};
	assert_fails(ctx,
	             tsr_put_tree(to, TSR_TREE(pair, &tall), tsr_mesh_make(ctx, {"x", 1}),
	                          .spec = TSR_FOR_ALL(TSR_P(NULL, "x"))),
	             TSR_ERROR_SHARDING, "at the leaf b");
	half.b = y.w;
	assert_fails(ctx, tsr_tree_allclose(t, TSR_TREE(pair, &half), 0, 0), TSR_ERROR_HANDLE,
	             "args[1].b is poison");
	half.b = w.w;
	assert_fails(ctx, tsr_tree_allclose(t, TSR_TREE(pair, &half), 0, 0), TSR_ERROR_TYPE,
	             "at the leaf b");
}

/* ---- all leaves as one vector */

static void norm_and_size(void **state)
{
	tsr_ctx *ctx = *state;
	pair w = {.w = tsr_full(ctx, D(2, 2), 2.0), .b = tsr_full(ctx, D(2), 3)}, none = {0};
	tsr *z[] = {tsr_complex(3.0, tsr_scalar(ctx, 4.0)), NULL, tsr_full(ctx, D(11), 1)};

	assert_int_equal(tsr_tree_size(TSR_TREE(pair, &w)), 6);
	assert_int_equal(tsr_tree_size(TSR_TREE(pair, &none)), 0);
	assert_float_equal(tsr_item(tsr_tree_norm(TSR_TREE(pair, &w))), sqrt(34), 1e-6);
	assert_float_equal(tsr_item(tsr_tree_norm(TSR_LEAVES(z, 3))), 6, 1e-6);
	assert_int_equal(tsr_dtype_of(tsr_tree_norm(TSR_LEAVES(z, 3))), TSR_F32);
	assert_int_equal(tsr_item(tsr_tree_norm(TSR_TREE(pair, &none))), 0);
}

static tsr *norm_of(tsr_tree t) { return tsr_tree_norm(t); }

/* w / |w|, the gradient of the norm */
static void norm_has_a_gradient(void **state)
{
	tsr_ctx *ctx = *state;
	pair w = {.w = count(ctx, 3), .b = count(ctx, 2)}, g, wanted;

	tsr_call_into(TSR_OUT(TSR_TREE(pair, &g)), tsr_grad(ctx, norm_of), TSR_TREE(pair, &w));
	assert_true(tsr_tree_zip(TSR_TREE(pair, &wanted), tsr_div, TSR_TREE(pair, &w),
	                         tsr_tree_norm(TSR_TREE(pair, &w))));
	assert_true(tsr_tree_allclose(TSR_TREE(pair, &g), TSR_TREE(pair, &wanted), 1e-6, 1e-7));
	assert_false(tsr_tree_allclose(TSR_TREE(pair, &g), TSR_TREE(pair, &w), 1e-6, 1e-7));
}

/* in a batch, and cut over devices: as one by one, and whole */
static void norm_of_a_batch_and_of_parts(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr *key = tsr_key(ctx, 1), *one[2], *y[4];
	pair w = {.w = tsr_normal(key, D(4, 8)), .b = tsr_normal(key, D(4, 2, 3))}, cut;
	tsr *batch = tsr_call(tsr_vmap(ctx, norm_of), TSR_TREE(pair, &w));

	for (int i = 0; i < 4; i++) {
		one[0] = tsr_index(w.w, 0, i), one[1] = tsr_index(w.b, 0, i);
		y[i] = tsr_tree_norm(TSR_LEAVES(one, 2));
	}
	assert_true(tsr_allclose(batch, tsr_stack(0, y[0], y[1], y[2], y[3]), 1e-6, 0));
	assert_true(tsr_put_tree(TSR_TREE(pair, &cut), TSR_TREE(pair, &w), mesh,
	                         .spec = TSR_FOR_ALL(TSR_P("x"))));
	assert_true(tsr_allclose(tsr_tree_norm(TSR_TREE(pair, &cut)),
	                         tsr_tree_norm(TSR_TREE(pair, &w)), 1e-6, 0));
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(paths_are_those_of_c, open_ctx, close_ctx),
		cmocka_unit_test_setup_teardown(paths_of_types_by_hand, open_ctx, close_ctx),
		cmocka_unit_test_setup_teardown(no_leaf_has_no_path, open_ctx, close_ctx),
		cmocka_unit_test_setup_teardown(map_and_zip, open_ctx, close_ctx),
		cmocka_unit_test_setup_teardown(map_in_a_body, open_ctx, close_ctx),
		cmocka_unit_test(map_may_place),
		cmocka_unit_test_setup_teardown(mistakes_name_the_leaf, open_ctx, close_ctx),
		cmocka_unit_test_setup_teardown(norm_and_size, open_ctx, close_ctx),
		cmocka_unit_test_setup_teardown(norm_has_a_gradient, open_ctx, close_ctx),
		cmocka_unit_test(norm_of_a_batch_and_of_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
