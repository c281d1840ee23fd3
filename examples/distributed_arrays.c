/* distributed_arrays.c - the cells of the notebook "JAX Distributed Arrays", one after the other:
 * distributed_arrays [--full]
 *
 * Plain array code; where arrays are put decides which device computes what. The large networks are
 * cut down; --full takes the sizes of the notebook, which needs 1.5 GB, and on two cores some 15
 * minutes. */
#include <string.h>
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS

/* what cells leave for later ones */
typedef struct notebook {
	tsr_ctx *ctx;
	bool full;
	tsr_mesh *mesh;
	tsr *key, *x, *w1, *w2, *targets;
	tsr_fn *loss_and_grad_fn;
} notebook;

static void print_shape(tsr_ctx *ctx, const char *before, tsr *x)
{
	tsr_printf(ctx, "%s(%d, %d)\n", before, (int)tsr_dim(x, 0), (int)tsr_dim(x, 1));
}

/* ---- jax.Array: a form, here with all that can be chosen in it */

static void array(notebook *n, const int64_t *mesh_shape, tsr_spec partition_spec)
{
	TSR_SCOPE(n->ctx);
	tsr_mesh *mesh = tsr_mesh_make(n->ctx, {"data", mesh_shape[0]}, {"model", mesh_shape[1]});
	tsr *M = tsr_put(tsr_reshape(tsr_arange(n->ctx, 16), D(8, 2)), mesh, partition_spec);

	tsr_printf(n->ctx, "Input Array:\n%s\n", tsr_text(tsr_gather_whole(M)));
	print_shape(n->ctx, "shape: ", M);
	tsr_printf(n->ctx, "\n");
	tsr_show_sharding(M);
	tsr_show_shards(M, .whole = tsr_gather_whole(M));
	tsr_show_shards(M, .whole = tsr_gather_whole(M), .devices = true);
}

static void jax_array(notebook *n)
{
	const int64_t mesh_shape[][2] = {{4, 2}, {2, 4}, {1, 8}, {8, 1}};
	const tsr_spec partition_spec[] = {
		TSR_SPEC(), TSR_SPEC("data", NULL), TSR_SPEC(NULL, "model"),
		TSR_SPEC("model", NULL), TSR_SPEC("data", "model"), TSR_SPEC("model", "data"),
		TSR_SPEC(NULL, "data"), TSR_SPEC("data*model", NULL), TSR_SPEC("model*data", NULL),
	};

	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 9; k++) array(n, mesh_shape[i], partition_spec[k]);
}

/* ---- products of arrays that all devices have */

static void print_sharding(tsr_ctx *ctx, const char *title, tsr *x, tsr_mesh *mesh)
{
	tsr_printf(ctx, "%s sharding:\n", title);
	tsr_show_sharding(x);
	tsr_show_shards(x, .whole = tsr_gather_whole(x), .mesh = mesh, .devices = true);
}

static void positional_sharding(notebook *n)
{
	TSR_SCOPE(n->ctx);
	tsr_mesh *mesh = tsr_mesh_make(n->ctx, {"data", 4}, {"model", 2});
	const tsr_sharding *s = tsr_sharding_positional(n->ctx, D(8));
	tsr *x = tsr_reshape(tsr_arange(n->ctx, 2 * 8), D(4, 4));
	tsr *y = tsr_put_sharding(
		x, tsr_sharding_replicate(tsr_sharding_reshape(s, D(1, 8)), .dim = D(1)));
	tsr *z = tsr_put_sharding(
		x, tsr_sharding_replicate(tsr_sharding_reshape(s, D(8, 1)), .dim = D(0)));

	print_sharding(n->ctx, "lhs", y, mesh);
	print_sharding(n->ctx, "rhs", z, mesh);
	print_sharding(n->ctx, "out", tsr_dot(y, z), mesh);
}

/* ---- batch data parallelism */

/* a two-layer network: max(x * w1, 0) * w2 */
static tsr *mlp(tsr *x, tsr *w1, tsr *w2)
{
	tsr *u = tsr_maximum(tsr_dot(x, w1), 0); /* [B, H_1] @ [H_1, H_2] -> [B, H_2] */
	return tsr_dot(u, w2);                   /* [B, H_2] @ [H_2, H_1] -> [B, H_1] */
}

static tsr *cross_entropy(tsr *logits, tsr *targets)
{
	return tsr_neg(tsr_sum(tsr_mul(targets, tsr_log_softmax(logits, -1)), .dims = D(-1)));
}

static tsr *loss_fn(tsr *x, tsr *w1, tsr *w2, tsr *targets)
{
	return tsr_sum(cross_entropy(mlp(x, w1, w2), targets));
}

/* both weights are drawn from one key, as in the notebook */
static void init_model(notebook *n, int64_t H_1, int64_t H_2)
{
	tsr *k[2];

	tsr_split_key(n->key, k, 2);
	tsr_set(&n->w1, tsr_div(tsr_normal(k[0], D(H_1, H_2)), tsr_sqrt(tsr_scalar(n->ctx, H_1))));
	tsr_set(&n->w2, tsr_div(tsr_normal(k[0], D(H_2, H_1)), tsr_sqrt(tsr_scalar(n->ctx, H_2))));
}

static void init_data(notebook *n, int64_t B, int64_t H_1, int64_t C)
{
	tsr *k[2];

	tsr_split_key(n->key, k, 2);
	tsr_set(&n->x, tsr_normal(k[0], D(B, H_1)));
	tsr_set(&n->targets, tsr_randint(k[1], D(B, 1), 0, C));
}

static void put_all(notebook *n, const tsr_sharding *data, const tsr_sharding *w1,
                    const tsr_sharding *w2)
{
	tsr_set(&n->x, tsr_put_sharding(n->x, data));
	tsr_set(&n->targets, tsr_put_sharding(n->targets, data));
	tsr_set(&n->w1, tsr_put_sharding(n->w1, w1));
	tsr_set(&n->w2, tsr_put_sharding(n->w2, w2));
}

/* the batch is split, and each device has all of the model */
static void put_batch(notebook *n)
{
	const tsr_sharding *s = tsr_sharding_positional(n->ctx, D(8, 1));
	const tsr_sharding *whole = tsr_sharding_replicate(s);

	put_all(n, s, whole, whole);
}

/* small, to see what is where */
static void small_model(notebook *n)
{
	TSR_SCOPE(n->ctx);
	n->mesh = tsr_mesh_make(n->ctx, {"data", 8}, {"model", 1});
	init_model(n, 4, 4);
	init_data(n, 8 * 2, 4, 8);
	put_batch(n);
}

static void batch_of_data(notebook *n) { tsr_print(tsr_gather_whole(n->x), .precision = 3); }

static void on_devices(notebook *n)
{
	tsr_show_shards(n->x, .whole = tsr_gather_whole(n->x), .devices = true, .precision = 3);
}

static void loss_and_grad(notebook *n)
{
	n->loss_and_grad_fn = tsr_jit(n->ctx, tsr_value_and_grad(n->ctx, loss_fn, .wrt = D(1, 2)));
}

static void train(notebook *n)
{
	const double lr = 0.01;

	for (int i = 0; i < 100; i++) {
		TSR_SCOPE(n->ctx); /* what a step makes ends with it, but for what tsr_set keeps */
		tsr *loss, *dw1, *dw2;
		tsr_call_into(TSR_OUT(&loss, &dw1, &dw2), n->loss_and_grad_fn, n->x, n->w1, n->w2,
		              n->targets);
		tsr_set(&n->w1, tsr_sub(n->w1, tsr_mul(lr, dw1)));
		tsr_set(&n->w2, tsr_sub(n->w2, tsr_mul(lr, dw2)));
		if (i % 10 == 0) tsr_printf(n->ctx, "Step: %d %.2f\n", i, tsr_item(loss));
	}
}

static void print_time(notebook *n)
{
	tsr_timing t = tsr_time(10, 5, n->loss_and_grad_fn, n->x, n->w1, n->w2, n->targets);
	tsr_printf(n->ctx, "%s\n", tsr_timing_text(n->ctx, t));
}

/* larger, so that computing takes longer than all else: on all devices, and on one */
static void large_model(notebook *n)
{
	TSR_SCOPE(n->ctx);
	const int64_t B = n->full ? 8192 : 64, H = n->full ? 4096 : 32, C = n->full ? 32000 : 250;

	init_model(n, H, H), init_data(n, B, H, C);
	put_batch(n);
}

static void time_on_device_0(notebook *n)
{
	TSR_SCOPE(n->ctx);
	notebook d0 = *n;
	d0.x = tsr_put_device(n->x, 0), d0.targets = tsr_put_device(n->targets, 0);
	d0.w1 = tsr_put_device(n->w1, 0), d0.w2 = tsr_put_device(n->w2, 0);
	print_time(&d0);
}

/* ---- batch and model parallelism */

static void batch_and_model_parallelism(notebook *n)
{
	TSR_SCOPE(n->ctx);
	const int64_t B = 8, H_1 = 2, H_2 = 4;

	n->mesh = tsr_mesh_make(n->ctx, {"data", 4}, {"model", 2});
	tsr *X = tsr_reshape(tsr_arange(n->ctx, B * H_1), D(B, H_1));
	tsr *w1 = tsr_mul(3, tsr_reshape(tsr_arange(n->ctx, H_1 * H_2), D(H_1, H_2)));
	tsr *w2 = tsr_mul(7, tsr_reshape(tsr_arange(n->ctx, H_2 * H_1), D(H_2, H_1)));

	/* the batch is split; along "model" all devices have the same data */
	X = tsr_put(X, n->mesh, P("data", NULL));
	tsr_printf(n->ctx, "Placement of input_data, split on batch dimension\n\n [[ 0,  1],\n"
	                   "  [ 2,  3],\n  --------\n  [ 4,  5],\n  [ 6,  7],\n  --------\n"
	                   "  [ 8,  9],\n  [10, 11],\n  --------\n  [12, 13],\n  [14, 15]]\n\n");
	tsr_show_shards(X, .whole = tsr_gather_whole(X));
	tsr *w_1 = tsr_put(w1, n->mesh, P(NULL, "model"));
	tsr_printf(n->ctx, "Placement of w_1, split on columns\n\n"
	                   "[[ 0  3  | 6  9]\n [12 15  | 18 21]]\n\n");
	tsr_show_shards(w_1, .whole = tsr_gather_whole(w_1));
	tsr *w_2 = tsr_put(w2, n->mesh, P("model", NULL));
	tsr_printf(n->ctx, "Placement of w_2, split on rows\n\n"
	                   "[[ 0  7]\n [14 21]\n -------\n [28 35]\n [42 49]]\n\n");
	tsr_show_shards(w_2, .whole = tsr_gather_whole(w_2));

	tsr *Y = tsr_maximum(tsr_matmul(X, w_1), 0);
	tsr *Z = tsr_matmul(Y, w_2);
	tsr_show_shards(Z, .whole = tsr_gather_whole(Z));
}

static void large_model_2d(notebook *n)
{
	TSR_SCOPE(n->ctx);
	if (n->full) init_model(n, 512, 1024), init_data(n, 8192, 512, 32000);
	if (!n->full) init_model(n, 16, 32), init_data(n, 64, 16, 250);
	put_all(n, tsr_sharding_make(n->mesh, P("data", NULL)),
	        tsr_sharding_make(n->mesh, P(NULL, "model")),
	        tsr_sharding_make(n->mesh, P("model", NULL)));
}

static void print_shapes(notebook *n)
{
	tsr *all[] = {n->x, n->targets, n->w1, n->w2};
	for (int i = 0; i < 4; i++) print_shape(n->ctx, "", all[i]);
}

static void print_shards(tsr_ctx *ctx, const char *name, tsr *x)
{
	print_shape(ctx, name, x);
	tsr_show_shards(x, .whole = tsr_gather_whole(x), .precision = 3);
}

/* data and weights are split over both axes */
static void everything_split(notebook *n)
{
	TSR_SCOPE(n->ctx);
	init_model(n, 4, 8);
	init_data(n, 8, 4, 32000);
	const tsr_sharding *s = tsr_sharding_make(n->mesh, P("data", "model"));
	put_all(n, s, s, s);
	tsr *z = mlp(n->x, n->w1, n->w2);
	print_shards(n->ctx, "X ", n->x);
	print_shards(n->ctx, "w_1 ", n->w1);
	print_shards(n->ctx, "w_2 ", n->w2);
	print_shards(n->ctx, "Z ", z);
}

/* what each device runs, for Graphviz: | dot -Tpng */
static void dot_graph(notebook *n)
{
	tsr_printf(n->ctx, "%s", tsr_fn_compiled_graph(tsr_jit(n->ctx, mlp), n->x, n->w1, n->w2));
}

static void sharding_of_z(notebook *n) { tsr_show_sharding(mlp(n->x, n->w1, n->w2)); }

int main(int argc, char **argv)
{
	void (*const cells[])(notebook *) = {
		jax_array, positional_sharding, small_model, batch_of_data, on_devices,
		loss_and_grad, train, large_model, print_time, time_on_device_0,
		batch_and_model_parallelism, large_model_2d, print_shapes, print_time,
		everything_split, dot_graph, sharding_of_z,
	};
	notebook n = {.ctx = tsr_open(.devices = 8),
	              .full = argc > 1 && strcmp(argv[1], "--full") == 0};

	n.key = tsr_key(n.ctx, 0);
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) cells[i](&n);
	return tsr_close(n.ctx);
}
