/* test_s2_layer.c - the transformer layer of the second seed as plain array code: attention of 16
 * heads and two products, tensor parallel over one axis of the mesh, the batch over the other.
 * test_s2_layer runs it cut down, test_s2_layer full as it was published (it takes an
 * interpreter half a minute). */
#include "support/golden.h"
#include "support/recorded_bytes.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

enum { HEADS = 16, KERNELS = 6, ARGS = 1 + KERNELS };

/* [batch, length, HEADS * size] -> [batch, HEADS, length, size] */
static tsr *heads(tsr *x)
{
	return tsr_transpose(tsr_reshape(x, D(tsr_dim(x, 0), tsr_dim(x, 1), HEADS, -1)),
	                     .perm = D(0, 2, 1, 3));
}

/* w: the kernels of queries, keys, values and of what comes out */
static tsr *attention(tsr *x, tsr *const *w)
{
	tsr *q = heads(tsr_dot(x, w[0])), *k = heads(tsr_dot(x, w[1]));
	tsr *v = heads(tsr_dot(x, w[2]));
	q = tsr_mul(q, 1 / sqrt((double)tsr_dim(x, 2)));
	tsr *scores = tsr_softmax(tsr_einsum("bhqd,bhkd->bhqk", q, k), -1);
	tsr *out = tsr_einsum("bhqk,bhkd->bhqd", scores, v);
	out = tsr_reshape(tsr_transpose(out, .perm = D(0, 2, 1, 3)), tsr_shape(x));
	return tsr_dot(out, w[3]);
}

/* x and the kernels, as arguments */
static tsr *layer_of(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0), *w[KERNELS];

	for (size_t i = 0; i < KERNELS; i++) w[i] = tsr_frame_arg(frame, 1 + i);
	x = tsr_add(x, attention(x, w));
	return tsr_add(x, tsr_dot(tsr_relu(tsr_dot(x, w[4])), w[5]));
}

static void layer(tsr_frame *frame) { tsr_return(frame, layer_of(frame)); }

static void sum_of_squares(tsr_frame *frame)
{
	tsr_return(frame, tsr_sum(tsr_square(layer_of(frame))));
}

static tsr_mesh *grid(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"data", 2}, {"model", 2}); }

/* ---- kernels at the start */

static void initialisers(void **state)
{
	static const struct {
		const char *id, *name;
		tsr_initializer *init;
	} cases[] = {
		{"s2.kaiming_normal", "kaiming_normal", tsr_init_kaiming_normal},
		{"s2.kaiming_normal", "lecun_normal", tsr_init_lecun_normal},
		{"s2.kaiming_normal", "glorot_normal", tsr_init_glorot_normal},
		{"s2.kaiming_normal", "kaiming_uniform", tsr_init_kaiming_uniform},
		{"s2.kaiming_normal", "lecun_uniform", tsr_init_lecun_uniform},
		{"s2.kaiming_normal", "glorot_uniform", tsr_init_glorot_uniform},
		{"s2.kaiming_normal", "xavier_uniform", tsr_init_xavier_uniform},
	};
	tsr_ctx *ctx = *state;
	tsr *key = tsr_key(ctx, 0), *keys[4];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		golden_equal(cases[i].init(key, D(6, 10)), cases[i].id, cases[i].name);
	golden_equal(key, "s2.kaiming_normal", "key");
	for (int i = 0; i < 4; i++) keys[i] = tsr_fold_in(key, i);
	golden_equal(tsr_stack(0, keys[0], keys[1], keys[2], keys[3]), "s2.kaiming_normal",
	             "rngs_params");
}

/* The arguments where the notebook has them */
static void drawn(tsr_ctx *ctx, int64_t length, int64_t h, tsr **args)
{
	const tsr_spec columns = TSR_SPEC(NULL, "model"), rows = TSR_SPEC("model", NULL);
	const tsr_param params[KERNELS] = {{D(h, h), tsr_init_kaiming_normal, columns},
	                                   {D(h, h), tsr_init_kaiming_normal, columns},
	                                   {D(h, h), tsr_init_kaiming_normal, columns},
	                                   {D(h, h), tsr_init_kaiming_normal, rows},
	                                   {D(h, 4 * h), tsr_init_kaiming_normal, columns},
	                                   {D(4 * h, h), tsr_init_kaiming_normal, rows}};
	tsr_mesh *m = grid(ctx);
	tsr *key = tsr_key(ctx, 0);

	args[0] = tsr_put(tsr_normal(key, D(2, length, h)), m, P("data", NULL));
	assert_true(tsr_make_params(TSR_LEAVES(args + 1, KERNELS), key, m, params, KERNELS));
	for (int k = 0; k < KERNELS; k++) golden_sharded(args[1 + k], m, params[k].spec);
}

static tsr *called(tsr_fn *f, tsr *const *x)
{
	return tsr_call(f, x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
}

static double moved(tsr_fn *f, tsr *const *x)
{
	return MOVED(f, x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
}

/* with respect to the kernels */
static tsr_fn *gradients_of_squares(tsr_ctx *ctx)
{
	return tsr_jit(ctx, tsr_grad(ctx, sum_of_squares, .wrt = D(1, 2, 3, 4, 5, 6)));
}

/* ---- the layer */

static void transformer_small(void **state)
{
	static const struct {
		const char *id, *name;
	} in[ARGS] = {
		{"s2.transformer_small", "X"},         {"s2.transformer_small", "kernel_Wq"},
		{"s2.transformer_small", "kernel_Wk"}, {"s2.transformer_small", "kernel_Wv"},
		{"s2.transformer_small", "kernel_Wo"}, {"s2.transformer_small", "kernel_W1"},
		{"s2.transformer_small", "kernel_W2"},
	};
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx);
	tsr *x[ARGS], *wide[ARGS], *d[ARGS];
	tsr_fn *f = tsr_jit(ctx, layer);
	tsr_fn *grad = gradients_of_squares(ctx);

	drawn(ctx, 16, 64, x);
	for (int i = 0; i < ARGS; i++) {
		golden_equal(x[i], in[i].id, in[i].name);
		wide[i] = tsr_astype(x[i], TSR_F64);
	}
	tsr *y = called(f, x);
	golden_equal(y, "s2.transformer_small", "y");
	golden_equal(called(f, wide), "s2.transformer_small", "y_f64");
	golden_sharded(y, m, P("data"));
	golden_same_text(tsr_sharding_picture(tsr_reshape(y, D(2, -1))), "s2.transformer_small",
	                 "visualize_y_as_2_rows");
	golden_moves(moved(f, x), "s2.transformer_small", "forward.moves");

	golden_grads(f, x, d, "s2.transformer_small",
	             "ct loss grad_X grad_Wq grad_Wk grad_Wv grad_Wo grad_W1 grad_W2");
	for (int i = 0; i < ARGS; i++)
		golden_sharded(d[i], m, tsr_sharding_spec(tsr_sharding_of(x[i])));
	golden_moves(moved(grad, x), "s2.transformer_small", "grad.moves");
}

/* what JAX drew before 0.5 */
static void transformer_small_of_old(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 8, .threefry_original = true);
	tsr *x[ARGS];

	drawn(ctx, 16, 64, x);
	golden_equal(x[0], "s2.transformer_small_nonpartitionable", "X");
	golden_sampled(x[1], "s2.transformer_small_nonpartitionable",
	               "kernel_Wq.idx kernel_Wq.samples");
	golden_sampled(called(tsr_jit(ctx, layer), x), "s2.transformer_small_nonpartitionable",
	               "y.idx y.samples");
	assert_int_equal(tsr_close(ctx), 0);
}

/* as the notebook has it */
static void transformer(void **state)
{
	static const struct {
		const char *id, *samples;
	} in[ARGS] = {
		{"s2.transformer", "X.idx X.samples"},
		{"s2.transformer", "kernel_Wq.idx kernel_Wq.samples"},
		{"s2.transformer", "kernel_Wk.idx kernel_Wk.samples"},
		{"s2.transformer", "kernel_Wv.idx kernel_Wv.samples"},
		{"s2.transformer", "kernel_Wo.idx kernel_Wo.samples"},
		{"s2.transformer", "kernel_W1.idx kernel_W1.samples"},
		{"s2.transformer", "kernel_W2.idx kernel_W2.samples"},
	};
	tsr_ctx *ctx = *state;
	tsr *x[ARGS];
	tsr_fn *f = tsr_jit(ctx, layer);

	drawn(ctx, 128, 1024, x);
	for (int i = 0; i < ARGS; i++) golden_sampled(x[i], in[i].id, in[i].samples);
	tsr *y = called(f, x);
	golden_sampled(y, "s2.transformer", "y.idx y.samples");
	golden_sharded(y, grid(ctx), P("data"));
	golden_same_text(tsr_sharding_picture(tsr_reshape(y, D(2, -1))), "s2.transformer",
	                 "visualize_y_as_2_rows");
	golden_moves(moved(f, x), "s2.transformer", "forward.moves");
	golden_moves(moved(gradients_of_squares(ctx), x), "s2.transformer", "grad.moves");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest cut[] = {
		cmocka_unit_test_setup_teardown(initialisers, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(transformer_small, golden_open, golden_close),
		cmocka_unit_test(transformer_small_of_old),
	};
	const struct CMUnitTest full[] = {
		cmocka_unit_test_setup_teardown(transformer, golden_open, golden_close),
	};
	if (argc > 1 && !strcmp(argv[1], "full")) return cmocka_run_group_tests(full, NULL, NULL);
	return cmocka_run_group_tests(cut, NULL, NULL);
}
