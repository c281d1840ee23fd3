/* test_s3_net.c - the two-layer network of the third seed as plain array code: trained over the
 * batch, over batch and model, and with all operands split over both axes of the mesh. Where the
 * inputs are decides where everything is computed. */
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

static tsr_mesh *grid(tsr_ctx *ctx, int64_t data, int64_t model)
{
	return tsr_mesh_make(ctx, {"data", data}, {"model", model});
}

static tsr *mlp(tsr *x, tsr *w1, tsr *w2) { return tsr_dot(tsr_maximum(tsr_dot(x, w1), 0), w2); }

/* the sum over the batch and the classes of -targets * log_softmax(mlp) */
static tsr *loss_fn(tsr *x, tsr *w1, tsr *w2, tsr *targets)
{
	tsr *logits = mlp(x, w1, w2);
	tsr *log_softmax = tsr_sub(logits, tsr_logsumexp(logits, .dims = D(-1), .keep = true));
	return tsr_sum(tsr_neg(tsr_sum(tsr_mul(targets, log_softmax), .dims = D(-1))));
}

static tsr_fn *loss_and_grad(tsr_ctx *ctx)
{
	return tsr_jit(ctx, tsr_value_and_grad(ctx, loss_fn, .wrt = D(1, 2)));
}

/* ---- training over the batch */

enum { STEPS = 100 };

typedef struct training { /* names of records */
	const char *id, *x, *y, *w1, *w2, *picture_x, *picture_w1, *shards, *mlp, *loss, *dw1, *dw2,
		*losses, *w1_end, *w2_end, *log, *moves;
} training;

static const training trainings[] = {
	{"s3.dp_training", "x", "y", "w1", "w2", "visualize_x", "visualize_w1", "shards_x", "mlp0",
         "loss0", "dw1_0", "dw2_0", "losses", "w1_end", "w2_end", "training_log",
         "loss_and_grad.moves"},
	/* of the numbers that the notebook's JAX drew */
	{"s3.dp_training_nonpartitionable", "x", "y", "w1", "w2", "visualize_x", "visualize_w1",
         "shards_x", "mlp0", "loss0", "dw1_0", "dw2_0", "losses", "w1_end", "w2_end",
         "training_log", "loss_and_grad.moves"},
};

typedef struct state {
	tsr *x, *y, *w1, *w2, *loss, *dw1, *dw2;
} state;

static void step(tsr_fn *f, state *s)
{
	tsr_call_into(TSR_OUT(&s->loss, &s->dw1, &s->dw2), f, s->x, s->w1, s->w2, s->y);
}

static void first_step(tsr_fn *f, state *s, const tsr_mesh *m, const training *c)
{
	golden_same_text(tsr_sharding_picture(s->x), c->id, c->picture_x);
	golden_same_text(tsr_sharding_picture(s->w1), c->id, c->picture_w1);
	golden_same_text(tsr_shards_text(s->x, .devices = true, .precision = 3), c->id, c->shards);
	tsr *logits = mlp(s->x, s->w1, s->w2);
	golden_equal(logits, c->id, c->mlp);
	golden_sharded(logits, m, P("data"));
	step(f, s);
	golden_equal(s->loss, c->id, c->loss);
	golden_equal(s->dw1, c->id, c->dw1);
	golden_equal(s->dw2, c->id, c->dw2);
	golden_sharded(s->loss, m, P());
	golden_sharded(s->dw1, m, P());
	golden_sharded(s->dw2, m, P());
	golden_moves(MOVED(f, s->x, s->w1, s->w2, s->y), c->id, c->moves);
}

static void train(tsr_fn *f, state *s, const tsr_mesh *m, const training *c)
{
	const double lr = 0.01;
	float losses[STEPS];
	char log[512] = "";

	for (int i = 0; i < STEPS; i++) {
		step(f, s);
		s->w1 = tsr_sub(s->w1, tsr_mul(lr, s->dw1));
		s->w2 = tsr_sub(s->w2, tsr_mul(lr, s->dw2));
		losses[i] = (float)tsr_item(s->loss);
		const size_t at = strlen(log);
		if (i % 10 == 0)
			snprintf(log + at, sizeof log - at, "Step: %d %.2f\n", i,
			         (double)losses[i]);
	}
	golden_equal(tsr_from(s->x, losses, TSR_F32, D(STEPS)), c->id, c->losses);
	golden_equal(s->w1, c->id, c->w1_end);
	golden_equal(s->w2, c->id, c->w2_end);
	golden_sharded(s->w1, m, P());
	golden_sharded(s->w2, m, P());
	golden_same_text(log, c->id, c->log);
}

static void dp_training(void **ctx)
{
	tsr_mesh *m = grid(*ctx, 8, 1);
	tsr_fn *f = loss_and_grad(*ctx);

	for (size_t i = 0; i < sizeof trainings / sizeof *trainings; i++) {
		const training *c = &trainings[i];
		state s = {
			.x = tsr_put(golden_load(*ctx, c->id, c->x), m, P("data", NULL)),
			.y = tsr_put(golden_load(*ctx, c->id, c->y), m, P("data", NULL)),
			.w1 = tsr_put(golden_load(*ctx, c->id, c->w1), m, P()),
			.w2 = tsr_put(golden_load(*ctx, c->id, c->w2), m, P()),
		};
		first_step(f, &s, m, c);
		train(f, &s, m, c);
	}
	assert_int_equal(tsr_fn_stats(f).traces, 1);
}

/* ---- over batch and model; the same whole on one device */

static void dp_tp_large_cut(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx, 4, 2);
	tsr_fn *f = loss_and_grad(ctx);
	tsr *x = golden_load(ctx, "s3.dp_tp_large_cut", "x");
	tsr *w1 = golden_load(ctx, "s3.dp_tp_large_cut", "w1");
	tsr *w2 = golden_load(ctx, "s3.dp_tp_large_cut", "w2");
	tsr *t = golden_load(ctx, "s3.dp_tp_large_cut", "t"), *loss, *dw1, *dw2;

	x = tsr_put_device(x, 0);
	tsr_call_into(TSR_OUT(&loss, &dw1, &dw2), f, x, w1, w2, t);
	golden_equal(loss, "s3.dp_tp_large_cut", "loss_device0");
	x = tsr_put(x, m, P("data", NULL));
	w1 = tsr_put(w1, m, P(NULL, "model"));
	w2 = tsr_put(w2, m, P("model", NULL));
	t = tsr_put(t, m, P("data", NULL));
	tsr_call_into(TSR_OUT(&loss, &dw1, &dw2), f, x, w1, w2, t);
	golden_equal(loss, "s3.dp_tp_large_cut", "loss_sharded");
	golden_equal(dw1, "s3.dp_tp_large_cut", "dw1");
	golden_equal(dw2, "s3.dp_tp_large_cut", "dw2");
	golden_sharded(loss, m, P());
	golden_sharded(dw1, m, P(NULL, "model"));
	golden_sharded(dw2, m, P("model"));
	golden_moves(MOVED(f, x, w1, w2, t), "s3.dp_tp_large_cut", "loss_and_grad.moves");
}

/* ---- all operands over both axes */

/* "y: P('data', 'model') on mesh(data=4,model=2)" */
static int say_where(char *to, size_t size, const char *name, tsr *x)
{
	const char *text = tsr_sharding_text(tsr_sharding_of(x)), *spec = strstr(text, "spec=");
	assert_non_null(spec);
	return snprintf(to, size, "%s%.*s on mesh(data=4,model=2)\n", name,
	                (int)strlen(spec + 5) - 1, spec + 5);
}

static tsr *product(tsr *a, tsr *b) { return tsr_dot(a, b); }

static void eager_shardings(tsr *x, tsr *w_1, tsr *w_2)
{
	char text[256];
	tsr *y = tsr_dot(x, w_1), *u = tsr_maximum(y, 0), *z = tsr_dot(u, w_2);
	tsr_fn *dot = tsr_jit(x, product);
	int at = say_where(text, sizeof text, "y: ", y);
	at += say_where(text + at, sizeof text - (size_t)at, "u: ", u);
	say_where(text + at, sizeof text - (size_t)at, "z: ", z);
	golden_same_text(text, "s3.mlp_2d", "eager_shardings");
	golden_moves(MOVED(dot, x, w_1), "s3.mlp_2d", "eager_dot_1.moves");
	golden_moves(MOVED(dot, u, w_2), "s3.mlp_2d", "eager_dot_2.moves");
}

static void printed(tsr *const *shown, const char *id, const char *name)
{
	static const char *const title[] = {"X (8, 4)", "w_1 (4, 8)", "w_2 (8, 4)", "Z (8, 4)"};
	char text[1 << 13] = "";

	for (int i = 0, at = 0; i < 4; i++)
		at += snprintf(text + at, sizeof text - (size_t)at, "%s\n%s", title[i],
		               tsr_shards_text(shown[i], .precision = 3));
	golden_same_text(text, id, name);
}

/* the sum over ct * mlp */
static tsr *weighted(tsr *x, tsr *w_1, tsr *w_2, tsr *ct)
{
	return tsr_sum(tsr_mul(mlp(x, w_1, w_2), ct));
}

/* Where the gradients are. In JAX's program ct is a constant, of which its partitioner makes one
 * for each use, so that the loss has no say in where the gradients take it. Here it is an
 * argument, and the gradients alone are where they are recorded. Beside the loss that of w_1 is
 * split along its other dim, as in JAX where ct is an argument. */
static void mlp_2d_gradients(tsr *const *in, tsr *ct, const tsr_mesh *m)
{
	tsr *loss, *d[3], *beside[3];
	tsr_fn *f = tsr_jit(m, tsr_grad(m, weighted, .wrt = D(0, 1, 2)));
	tsr_fn *both = tsr_jit(m, tsr_value_and_grad(m, weighted, .wrt = D(0, 1, 2)));

	tsr_call_into(TSR_OUT(&d[0], &d[1], &d[2]), f, in[0], in[1], in[2], ct);
	golden_equal(d[0], "s3.mlp_2d", "grad_X");
	golden_equal(d[1], "s3.mlp_2d", "grad_w_1");
	golden_equal(d[2], "s3.mlp_2d", "grad_w_2");
	golden_sharded(d[0], m, P("data"));
	golden_sharded(d[1], m, P("model"));
	golden_sharded(d[2], m, P("model"));
	golden_moves(MOVED(f, in[0], in[1], in[2], ct), "s3.mlp_2d", "value_and_grad.moves");
	tsr_call_into(TSR_OUT(&loss, &beside[0], &beside[1], &beside[2]), both, in[0], in[1], in[2],
	              ct);
	golden_sharded(loss, m, P());
	golden_sharded(beside[0], m, P("data"));
	golden_sharded(beside[1], m, P(NULL, "model"));
	golden_sharded(beside[2], m, P("model"));
	golden_moves(MOVED(both, in[0], in[1], in[2], ct), "s3.mlp_2d", "value_and_grad.moves");
}

static void mlp_2d(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx, 4, 2);
	tsr *in[3] = {
		tsr_put(golden_load(ctx, "s3.mlp_2d", "X"), m, P("data", "model")),
		tsr_put(golden_load(ctx, "s3.mlp_2d", "w_1"), m, P("data", "model")),
		tsr_put(golden_load(ctx, "s3.mlp_2d", "w_2"), m, P("data", "model")),
	};
	tsr_fn *f = tsr_jit(ctx, mlp);
	tsr *z = mlp(in[0], in[1], in[2]), *z_jit = tsr_call(f, in[0], in[1], in[2]);
	char where[128];

	eager_shardings(in[0], in[1], in[2]);
	golden_equal(z, "s3.mlp_2d", "z");
	golden_same_text(tsr_sharding_picture(z), "s3.mlp_2d", "visualize_z");
	printed((tsr *[]){in[0], in[1], in[2], z}, "s3.mlp_2d", "printed");
	golden_equal(z_jit, "s3.mlp_2d", "z");
	golden_same_text(tsr_sharding_picture(z_jit), "s3.mlp_2d", "visualize_z_jit");
	say_where(where, sizeof where, "", z_jit);
	golden_same_text(where, "s3.mlp_2d", "jit_sharding");
	golden_moves(MOVED(f, in[0], in[1], in[2]), "s3.mlp_2d", "mlp.moves");
	golden_grads(f, in, NULL, "s3.mlp_2d", "ct loss grad_X grad_w_1 grad_w_2");
	mlp_2d_gradients(in, golden_load(ctx, "s3.mlp_2d", "ct"), m);
}

/* the numbers that the notebook's JAX drew */
static void mlp_2d_nonpartitionable(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx, 4, 2);
	tsr *x = golden_load(ctx, "s3.mlp_2d_nonpartitionable", "X");
	tsr *w_1 = golden_load(ctx, "s3.mlp_2d_nonpartitionable", "w_1");
	tsr *w_2 = golden_load(ctx, "s3.mlp_2d_nonpartitionable", "w_2");

	x = tsr_put(x, m, P("data", "model"));
	w_1 = tsr_put(w_1, m, P("data", "model"));
	w_2 = tsr_put(w_2, m, P("data", "model"));
	tsr *z = mlp(x, w_1, w_2);
	golden_equal(z, "s3.mlp_2d_nonpartitionable", "z");
	golden_same_text(tsr_sharding_picture(z), "s3.mlp_2d_nonpartitionable", "visualize_z");
	printed((tsr *[]){x, w_1, w_2, z}, "s3.mlp_2d_nonpartitionable", "printed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(dp_training, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(dp_tp_large_cut, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(mlp_2d, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(mlp_2d_nonpartitionable, golden_open, golden_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
