/* test_s2.c - the cells of the second seed but for its layers: products of matrices with weights or
 * activations gathered by hand, by a jit of that, and as plain code, and the four collectives of
 * its benchmark. */
#include "support/golden.h"
#include "support/recorded_bytes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

static tsr_mesh *grid(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"data", 2}, {"model", 2}); }

/* np.allclose() */
static bool close_to(tsr *a, tsr *b) { return tsr_allclose(a, b, 1e-5, 1e-8); }

/* gradients are where their arguments are */
static void placed_alike(tsr *const *d, tsr *const *x, int n)
{
	for (int i = 0; i < n; i++)
		assert_true(tsr_sharding_equivalent(tsr_sharding_of(d[i]), tsr_sharding_of(x[i]),
		                                    tsr_ndim(x[i])));
}

/* ---- what is drawn: one key for all */

static void data(void **state)
{
	static const struct {
		const char *id, *x, *A, *W1, *W2;
		bool original; /* the random stream before JAX 0.5 */
	} cases[] = {
		{"s2.data", "x", "A", "W1", "W2", false},
		{"s2.data_nonpartitionable", "x", "A", "W1", "W2", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		tsr_ctx *ctx = tsr_open(.devices = 8, .threefry_original = cases[i].original);
		tsr *key = tsr_key(ctx, 0);
		golden_equal(key, "s2.data", "key");
		golden_equal(tsr_normal(key, D(4, 10)), cases[i].id, cases[i].x);
		golden_equal(tsr_normal(key, D(10, 10)), cases[i].id, cases[i].A);
		golden_equal(tsr_normal(key, D(10, 40)), cases[i].id, cases[i].W1);
		golden_equal(tsr_normal(key, D(40, 10)), cases[i].id, cases[i].W2);
		assert_int_equal(tsr_close(ctx), 0);
	}
}

/* ---- FSDP: the weight is split by rows, and gathered for the product */

static tsr *gathered(tsr *x, tsr *A)
{
	return tsr_matmul(x, tsr_all_gather(A, "data", .dim = D(0), .tiled = true));
}

static void fsdp_matmul(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx);
	tsr *x = tsr_put(golden_load(ctx, "s2.fsdp_matmul", "x"), m, P("data", NULL));
	tsr *A = tsr_put(golden_load(ctx, "s2.fsdp_matmul", "A"), m, P("data", NULL));
	tsr_fn *f = tsr_shard_map(m, gathered, .in = TSR_SPECS(P("data", NULL), P("data", NULL)),
	                          .out = TSR_SPECS(P("data", NULL)));
	tsr_fn *unchecked = tsr_shard_map(m, gathered, .unchecked = true,
	                                  .in = TSR_SPECS(P("data", NULL), P("data", NULL)),
	                                  .out = TSR_SPECS(P("data", NULL)));
	tsr_fn *automatic = tsr_jit(ctx, tsr_matmul);
	tsr *B = tsr_call(f, x, A), *whole = tsr_matmul(x, A), *in[] = {x, A}, *d[2];

	golden_equal(B, "s2.fsdp_matmul", "B");
	golden_equal(whole, "s2.fsdp_matmul", "B_non_sharded");
	golden_truth(close_to(B, whole), "s2.fsdp_matmul", "np_allclose");
	golden_same_text(tsr_sharding_picture(B), "s2.fsdp_matmul", "visualize_B");
	golden_same_text(tsr_sharding_picture(x), "s2.fsdp_matmul", "visualize_x");
	golden_same_text(tsr_sharding_picture(A), "s2.fsdp_matmul", "visualize_A");
	golden_grads(f, in, d, "s2.fsdp_matmul", "ct loss grad_x grad_A value_and_grad.moves");
	placed_alike(d, in, 2);
	golden_grads(unchecked, in, NULL, "s2.fsdp_matmul",
	             "novma.ct novma.loss novma.grad_x novma.grad_A novma.value_and_grad.moves");
	golden_grads(automatic, in, NULL, "s2.fsdp_matmul",
	             "automatic.ct automatic.loss automatic.grad_x automatic.grad_A "
	             "automatic.value_and_grad.moves");
	golden_moves(MOVED(f, x, A), "s2.fsdp_matmul", "shard_map.moves");
	golden_moves(MOVED(automatic, x, A), "s2.fsdp_matmul", "automatic.moves");

	x = tsr_put(golden_load(ctx, "s2.data_nonpartitionable", "x"), m, P("data", NULL));
	A = tsr_put(golden_load(ctx, "s2.data_nonpartitionable", "A"), m, P("data", NULL));
	golden_equal(tsr_call(f, x, A), "s2.fsdp_matmul", "B_nonpartitionable");
}

static tsr *plain(tsr *x, tsr *W1, tsr *W2) { return tsr_matmul(tsr_matmul(x, W1), W2); }

/* ---- TP: activations and weights are split along what is multiplied */

static tsr *by_columns(tsr *x, tsr *W1, tsr *W2)
{
	x = tsr_all_gather(x, "model", .dim = D(1), .tiled = true);
	return tsr_psum_scatter(plain(x, W1, W2), "model", .dim = D(1), .tiled = true);
}

static void tp_mlp(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx);
	tsr *x = golden_load(ctx, "s2.tp_mlp", "x");
	tsr *W1 = golden_load(ctx, "s2.tp_mlp", "W1"), *W2 = golden_load(ctx, "s2.tp_mlp", "W2");
	tsr_fn *f = tsr_shard_map(
		m, by_columns, .out = TSR_SPECS(P(NULL, "model")),
		.in = TSR_SPECS(P(NULL, "model"), P(NULL, "model"), P("model", NULL)));
	tsr_fn *automatic = tsr_jit(ctx, plain);
	tsr *B = tsr_call(f, x, W1, W2), *whole = plain(x, W1, W2);
	tsr *in[] = {tsr_put(x, m, P(NULL, "model")), tsr_put(W1, m, P(NULL, "model")),
	             tsr_put(W2, m, P("model", NULL))}, *d[3];
	char shape[64];

	golden_equal(B, "s2.tp_mlp", "B");
	golden_equal(whole, "s2.tp_mlp", "B_non_sharded");
	golden_truth(close_to(B, whole), "s2.tp_mlp", "np_allclose");
	snprintf(shape, sizeof shape, "(%d, %d)", (int)tsr_dim(B, 0), (int)tsr_dim(B, 1));
	golden_same_text(shape, "s2.tp_mlp", "printed");
	golden_same_text(tsr_sharding_picture(B), "s2.tp_mlp", "visualize_B");
	golden_grads(f, in, d, "s2.tp_mlp", "ct loss grad_x grad_W1 grad_W2 value_and_grad.moves");
	placed_alike(d, in, 3);
	golden_grads(automatic, in, NULL, "s2.tp_mlp",
	             "automatic.ct automatic.loss automatic.grad_x automatic.grad_W1 "
	             "automatic.grad_W2 automatic.value_and_grad.moves");
	golden_moves(MOVED(f, in[0], in[1], in[2]), "s2.tp_mlp", "shard_map.moves");
	golden_moves(MOVED(automatic, in[0], in[1], in[2]), "s2.tp_mlp", "automatic.moves");
}

/* ---- both */

static tsr *weights_gathered(tsr *x, tsr *W1, tsr *W2)
{
	W1 = tsr_all_gather(W1, "data", .dim = D(0), .tiled = true);
	W2 = tsr_all_gather(W2, "data", .dim = D(1), .tiled = true);
	return by_columns(x, W1, W2);
}

static void fsdp_tp_mlp(void **state)
{
	const tsr_spec spec = TSR_SPEC("data", "model"), other = TSR_SPEC("model", "data");
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx);
	tsr *x = golden_load(ctx, "s2.fsdp_tp_mlp", "x");
	tsr *W1 = golden_load(ctx, "s2.fsdp_tp_mlp", "W1");
	tsr *W2 = golden_load(ctx, "s2.fsdp_tp_mlp", "W2");
	tsr_fn *f = tsr_shard_map(m, weights_gathered, .in = TSR_SPECS(spec, spec, other),
	                          .out = TSR_SPECS(spec));
	tsr_fn *g = tsr_jit(ctx, f, .mesh = m, .in = TSR_SPECS(spec, spec, other),
	                    .out = TSR_SPECS(spec));
	tsr_fn *automatic = tsr_jit(ctx, plain);
	tsr *B = tsr_call(f, x, W1, W2), *B_pjit = tsr_call(g, x, W1, W2);
	tsr *whole = plain(x, W1, W2);
	tsr *in[] = {tsr_put(x, m, spec), tsr_put(W1, m, spec), tsr_put(W2, m, other)}, *d[3];
	char close[32];

	golden_equal(B, "s2.fsdp_tp_mlp", "B");
	golden_equal(B_pjit, "s2.fsdp_tp_mlp", "B_pjit");
	golden_equal(whole, "s2.fsdp_tp_mlp", "B_non_sharded");
	snprintf(close, sizeof close, "%s %s", close_to(B, whole) ? "True" : "False",
	         close_to(B, B_pjit) ? "True" : "False");
	golden_same_text(close, "s2.fsdp_tp_mlp", "np_allclose");
	golden_same_text(tsr_sharding_picture(B), "s2.fsdp_tp_mlp", "visualize_B");
	golden_same_text(tsr_sharding_picture(B_pjit), "s2.fsdp_tp_mlp", "visualize_B_pjit");
	golden_grads(f, in, d, "s2.fsdp_tp_mlp",
	             "ct loss grad_x grad_W1 grad_W2 value_and_grad.moves");
	placed_alike(d, in, 3);
	golden_grads(automatic, in, NULL, "s2.fsdp_tp_mlp",
	             "automatic.ct automatic.loss automatic.grad_x automatic.grad_W1 "
	             "automatic.grad_W2 automatic.value_and_grad.moves");
	golden_moves(MOVED(f, in[0], in[1], in[2]), "s2.fsdp_tp_mlp", "shard_map.moves");
	golden_moves(MOVED(g, in[0], in[1], in[2]), "s2.fsdp_tp_mlp", "pjit.moves");
	golden_moves(MOVED(automatic, in[0], in[1], in[2]), "s2.fsdp_tp_mlp", "automatic.moves");

	tsr_fn *told = tsr_jit(ctx, plain, .mesh = m, .out = TSR_SPECS(spec));
	tsr *B_told = tsr_call(told, in[0], in[1], in[2]);
	golden_equal(B_told, "s2.fsdp_tp_mlp", "B_non_sharded");
	golden_sharded(B_told, m, spec);
	golden_moves(MOVED(told, in[0], in[1], in[2]), "s2.fsdp_tp_mlp",
	             "automatic_to_data_model.moves");
}

/* ---- the collectives of the benchmark: of blocks of rows, or of all that each device has */

static tsr *all_gather(tsr *x) { return tsr_all_gather(x, "data", .dim = D(0), .tiled = true); }
static tsr *all_reduce(tsr *x) { return tsr_psum(x, "data"); }
static tsr *reduce_scatter(tsr *x)
{
	return tsr_psum_scatter(x, "data", .dim = D(0), .tiled = true);
}
static tsr *all_to_all(tsr *x)
{
	return tsr_all_to_all(x, "data", .split = D(1), .concat = D(0), .tiled = true);
}

typedef struct exchange {
	const char *id, *result, *picture, *moves;
	const char *grads, *checked; /* checked: of the map that checks */
	tsr *(*body)(tsr *);
	tsr_spec in, out;
} exchange;

static const exchange exchanges[] = {
	{"s2.collectives", "all_gather", "visualize_all_gather", "all_gather.moves",
         "all_gather.ct all_gather.loss all_gather.grad_X all_gather.value_and_grad.moves", NULL,
         all_gather, TSR_SPEC("data", NULL), TSR_SPEC(NULL, NULL)},
	{"s2.collectives", "all_reduce", "visualize_all_reduce", "all_reduce.moves",
         "all_reduce.ct all_reduce.loss all_reduce.grad_X all_reduce.value_and_grad.moves",
         "all_reduce_vma.ct all_reduce_vma.loss all_reduce_vma.grad_X "
         "all_reduce_vma.value_and_grad.moves",
         all_reduce, TSR_SPEC(NULL, NULL), TSR_SPEC(NULL, NULL)},
	{"s2.collectives", "reduce_scatter", "visualize_reduce_scatter", "reduce_scatter.moves",
         "reduce_scatter.ct reduce_scatter.loss reduce_scatter.grad_X "
         "reduce_scatter.value_and_grad.moves",
         "reduce_scatter_vma.ct reduce_scatter_vma.loss reduce_scatter_vma.grad_X "
         "reduce_scatter_vma.value_and_grad.moves",
         reduce_scatter, TSR_SPEC(NULL, NULL), TSR_SPEC("data", NULL)},
	{"s2.collectives", "all_to_all", "visualize_all_to_all", "all_to_all.moves",
         "all_to_all.ct all_to_all.loss all_to_all.grad_X all_to_all.value_and_grad.moves",
         "all_to_all_vma.ct all_to_all_vma.loss all_to_all_vma.grad_X "
         "all_to_all_vma.value_and_grad.moves",
         all_to_all, TSR_SPEC("data", NULL), TSR_SPEC(NULL, "data")},
};

/* of 1000 x 1000, in the same order */
static const struct {
	const char *id, *samples, *picture, *moves;
} large[] = {
	{"s2.collectives_1000", "all_gather.idx all_gather.samples", "visualize_all_gather",
         "all_gather.moves"},
	{"s2.collectives_1000", "all_reduce.idx all_reduce.samples", "visualize_all_reduce",
         "all_reduce.moves"},
	{"s2.collectives_1000", "reduce_scatter.idx reduce_scatter.samples",
         "visualize_reduce_scatter", "reduce_scatter.moves"},
	{"s2.collectives_1000", "all_to_all.idx all_to_all.samples", "visualize_all_to_all",
         "all_to_all.moves"},
};

static tsr_fn *map_of(tsr_mesh *m, const exchange *c, bool unchecked)
{
	return tsr_shard_map(m, c->body, .in = TSR_SPECS(c->in), .out = TSR_SPECS(c->out),
	                     .unchecked = unchecked);
}

/* What is split by columns once more: the map wants rows, which is an exchange more, as in JAX */
static void exchanged_twice(tsr_mesh *m, tsr *x, const char *id, const char *picture,
                            const char *close, const char *moves)
{
	tsr_fn *transpose = map_of(m, &exchanges[3], true);
	tsr *once = tsr_call(transpose, x), *twice = tsr_call(transpose, once);

	golden_truth(close_to(x, twice), id, close);
	golden_same_text(tsr_sharding_picture(twice), id, picture);
	golden_moves(MOVED(transpose, once), id, moves);
}

static void collectives(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"data", 4});
	tsr *x = tsr_put(golden_load(ctx, "s2.collectives", "X"), m, P("data", NULL));

	golden_same_text(tsr_sharding_picture(x), "s2.collectives", "visualize_X");
	for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++) {
		const exchange *c = &exchanges[i];
		tsr_fn *f = map_of(m, c, true);
		tsr *y = tsr_call(f, x);
		golden_equal(y, c->id, c->result);
		golden_same_text(tsr_sharding_picture(y), c->id, c->picture);
		golden_moves(MOVED(f, x), c->id, c->moves);
		golden_grads(f, &x, NULL, c->id, c->grads);
		if (c->checked) golden_grads(map_of(m, c, false), &x, NULL, c->id, c->checked);
	}
	exchanged_twice(m, x, "s2.collectives", "visualize_X_T_T", "np_allclose",
	                "all_to_all_twice.moves");
}

static void collectives_1000(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"data", 4});
	tsr *x = tsr_put(tsr_normal(tsr_key(ctx, 0), D(1000, 1000)), m, P("data", NULL));

	golden_sampled(x, "s2.collectives_1000", "X.idx X.samples");
	golden_same_text(tsr_sharding_picture(x), "s2.collectives_1000", "visualize_X");
	for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++) {
		tsr_fn *f = map_of(m, &exchanges[i], true);
		tsr *y = tsr_call(f, x);
		golden_sampled(y, large[i].id, large[i].samples);
		golden_same_text(tsr_sharding_picture(y), large[i].id, large[i].picture);
		golden_moves(MOVED(f, x), large[i].id, large[i].moves);
	}
	exchanged_twice(m, x, "s2.collectives_1000", "visualize_X_T_T", "np_allclose",
	                "all_to_all_twice.moves");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data),
		cmocka_unit_test_setup_teardown(fsdp_matmul, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(tp_mlp, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(fsdp_tp_mlp, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(collectives, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(collectives_1000, golden_open, golden_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
