/* fsdp_tp.c - the cells of a notebook on FSDP and tensor parallelism, one after the other: products
 * of split weights and activations, gathered by hand, by a fn with specs of its arguments, and by
 * plain code; and a benchmark of collectives. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS

static const tsr_spec rows = TSR_SPEC("data", NULL), columns = TSR_SPEC(NULL, "data");

static tsr_mesh *grid(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"data", 2}, {"model", 2}); }

static void assert_allclose(tsr *a, tsr *b)
{
	a = tsr_gather_whole(a), b = tsr_gather_whole(b);
	if (tsr_allclose(a, b, 1e-5, 1e-8)) return;
	fprintf(stderr, "%s\nis not\n%s\n", tsr_text(a), tsr_text(b));
	exit(1);
}

/* ---- FSDP-style sharding: the weight is split by rows, and gathered for the product */

static tsr *fsdp_matmul(tsr *x, tsr *A)
{
	A = tsr_all_gather(A, "data", .dim = D(0), .tiled = true);
	return tsr_matmul(x, A);
}

static void fsdp_style_sharding(tsr_ctx *ctx, tsr *key)
{
	TSR_SCOPE(ctx);
	TSR_MESH(grid(ctx));

	tsr *x = tsr_put(tsr_normal(key, D(4, 10)), NULL, rows);
	tsr *A = tsr_put(tsr_normal(key, D(10, 10)), NULL, rows);
	tsr_fn *sharded_matmul = tsr_shard_map(NULL, fsdp_matmul, .in = TSR_SPECS(rows, rows),
	                                       .out = TSR_SPECS(rows));
	tsr *B = tsr_call(sharded_matmul, x, A);
	assert_allclose(B, tsr_matmul(x, A));
	tsr_show_sharding(B);
}

/* ---- column-wise tensor parallelism for an MLP: activations are gathered, and sums scattered */

static tsr *tp_matmul(tsr *x, tsr *W1, tsr *W2)
{
	x = tsr_all_gather(x, "model", .dim = D(1), .tiled = true); /* [B, D_y] -> [B, D] */
	tsr *temp = tsr_matmul(x, W1); /* [B, D] * [D, F_y] -> [B, F_y] */
	temp = tsr_matmul(temp, W2);   /* [B, F_y] * [F_y, D] -> [B, D], terms of a sum over y */
	return tsr_psum_scatter(temp, "model", .dim = D(1), .tiled = true);
}

static tsr *plain(tsr *x, tsr *W1, tsr *W2) { return tsr_matmul(tsr_matmul(x, W1), W2); }

static void column_wise_tensor_parallelism(tsr_ctx *ctx, tsr *key)
{
	TSR_SCOPE(ctx);
	TSR_MESH(grid(ctx));
	tsr *x = tsr_normal(key, D(4, 10));
	tsr *W1 = tsr_normal(key, D(10, 40)), *W2 = tsr_normal(key, D(40, 10));

	tsr_fn *sharded_matmul = tsr_shard_map(
		NULL, tp_matmul, .out = TSR_SPECS(P(NULL, "model")),
		.in = TSR_SPECS(P(NULL, "model"), P(NULL, "model"), P("model", NULL)));
	tsr *B = tsr_call(sharded_matmul, x, W1, W2);
	assert_allclose(B, plain(x, W1, W2));
	tsr_printf(ctx, "(%lld, %lld)\n", (long long)tsr_dim(B, 0), (long long)tsr_dim(B, 1));
	tsr_show_sharding(B);
}

/* ---- FSDP and TP style sharding */

static tsr *fsdp_tp_matmul(tsr *x, tsr *W1, tsr *W2)
{
	W1 = tsr_all_gather(W1, "data", .dim = D(0), .tiled = true);
	W2 = tsr_all_gather(W2, "data", .dim = D(1), .tiled = true);
	return tp_matmul(x, W1, W2);
}

static void fsdp_tp_style_sharding(tsr_ctx *ctx, tsr *key)
{
	TSR_SCOPE(ctx);
	TSR_MESH(grid(ctx));
	const tsr_spec spec = P("data", "model"), turned = P("model", "data");
	tsr *x = tsr_normal(key, D(4, 10));
	tsr *W1 = tsr_normal(key, D(10, 40)), *W2 = tsr_normal(key, D(40, 10));

	tsr_fn *by_hand = tsr_shard_map(NULL, fsdp_tp_matmul, .out = TSR_SPECS(spec),
	                                .in = TSR_SPECS(spec, spec, turned));
	tsr_fn *pjit =
		tsr_jit(ctx, by_hand, .in = TSR_SPECS(spec, spec, turned), .out = TSR_SPECS(spec));
	tsr *B = tsr_call(by_hand, x, W1, W2);
	tsr *B_pjit = tsr_call(pjit, x, W1, W2);
	assert_allclose(B, plain(x, W1, W2));
	assert_allclose(B, B_pjit);
	tsr_show_sharding(B);

	/* plain code that is told where its arrays are, and its result shall be */
	tsr_fn *automatic =
		tsr_jit(ctx, plain, .in = TSR_SPECS(spec, spec, turned), .out = TSR_SPECS(spec));
	tsr *B_plain = tsr_call(automatic, x, W1, W2);
	assert_allclose(B, B_plain);
	tsr_show_sharding(B_plain);
}

/* ---- benchmarking communication */

static tsr *all_to_all(tsr *x)
{
	return tsr_all_to_all(x, "data", .split = D(1), .concat = D(0), .tiled = true);
}

static double seconds(void)
{
	struct timespec now;

	timespec_get(&now, TIME_UTC);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* the notebook stops its clock before it waits for results; this one waits */
static void benchmark_func(tsr_ctx *ctx, tsr_fn *fn, tsr *X, int num_iters)
{
	tsr *X_after_fn = NULL;
	const double start = seconds();

	tsr_show_sharding(X);
	for (int i = 0; i < 5; i++) X_after_fn = tsr_call(fn, X);
	tsr_wait(X_after_fn);
	tsr_printf(ctx, "Warmup time: %g seconds\n", seconds() - start);
	const tsr_timing timing = tsr_time(1, num_iters, fn, X);
	tsr_show_sharding(X_after_fn);
	tsr_printf(ctx, "Time per iteration: %g seconds\n", timing.mean);
}

static void benchmarking_communication(tsr_ctx *ctx, tsr *key)
{
	TSR_SCOPE(ctx);
	TSR_MESH(tsr_mesh_make(ctx, {"data", 4}));
	tsr *X = tsr_put(tsr_normal(key, D(1000, 1000)), NULL, rows);
	tsr_fn *fn = tsr_shard_map(NULL, all_to_all, .in = TSR_SPECS(rows),
	                           .out = TSR_SPECS(columns), .unchecked = true);

	tsr_printf(ctx, "all to all\n");
	benchmark_func(ctx, fn, X, 25);
	tsr *X_T = tsr_call(fn, X);
	tsr *X_T_T = tsr_call(fn, X_T);
	assert_allclose(X, X_T_T);
	tsr_bench_collectives(tsr_sharding_mesh(tsr_sharding_of(X)), "data", X); /* all of them */
}

int main(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr *key = tsr_key(ctx, 0);

	fsdp_style_sharding(ctx, key);
	column_wise_tensor_parallelism(ctx, key);
	fsdp_tp_style_sharding(ctx, key);
	benchmarking_communication(ctx, key);
	return tsr_close(ctx);
}
