/* cases_products.c - measures products: of whole and of sharded matrices, of other dtypes, of small
 * matrices and of vectors; a transformer's layer and its gradient, and partitioning 24 of them. */
#include "bench.h"
#include <math.h>
#define P TSR_P
#define D TSR_DIMS

/* ---- x y of square matrices on one device */

static void call_2(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0], b->in[1]); }
static double product_flops(const int64_t *size) { return 2 * pow((double)size[0], 3); }

static void setup_square(bench *b, tsr *(*body)(tsr *, tsr *), tsr_dtype dtype, double scale)
{
	const int64_t n = b->size[0];

	b->fn = tsr_jit(b->ctx, body);
	for (uint32_t i = 0; i < 2; i++)
		b->in[i] = tsr_astype(scattered(b->ctx, i + 1, D(n, n), scale), dtype);
}

static tsr *plain(tsr *x, tsr *y) { return tsr_matmul(x, y); }
static tsr *whole(tsr *x, tsr *y) { return tsr_matmul(x, y, .dtype = TSR_I32); }

/* results of bf16 are widened for whoever compares them */
static tsr *narrow(tsr *x, tsr *y) { return tsr_astype(tsr_matmul(x, y), TSR_F32); }

static tsr *paired(tsr *x, tsr *y)
{
	return tsr_astype(tsr_matmul(x, y, .precision = TSR_BF16_PAIRS), TSR_F32);
}

static void setup_f32(bench *b) { setup_square(b, plain, TSR_F32, 2); }
static void setup_f64(bench *b) { setup_square(b, plain, TSR_F64, 2); }
static void setup_i8(bench *b) { setup_square(b, whole, TSR_I8, 200); }
static void setup_bf16(bench *b) { setup_square(b, narrow, TSR_BF16, 2); }
static void setup_pairs(bench *b) { setup_square(b, paired, TSR_BF16, 2); }

/* of f32, which is rounded to bf16 */
static void setup_pairs_f32(bench *b) { setup_square(b, paired, TSR_F32, 2); }

/* ---- x y where the dim in between is split: the sum of the devices' products, whole or in rows */

static tsr *contract(tsr *x, tsr *y) { return tsr_psum(tsr_matmul(x, y), "i"); }

static tsr *scatter(tsr *x, tsr *y)
{
	return tsr_psum_scatter(tsr_matmul(x, y), "i", .tiled = true);
}

/* block `by` further on than this device's, of n */
static tsr *rows(tsr *x, tsr *me, int64_t by, int64_t n)
{
	const int64_t size = tsr_dim(x, 0) / n;
	return tsr_dynamic_slice(x, 0, tsr_mul(tsr_rem(tsr_add(me, by), n), size), size);
}

/* each device adds its part to a sum that comes by */
static tsr *scatter_ring(tsr *x, tsr *y)
{
	const int64_t n = tsr_axis_size(x, "i");
	tsr *me = tsr_axis_index(x, "i"), *sum = tsr_matmul(rows(x, me, 1, n), y);

	for (int64_t t = 1; t < n; t++) {
		sum = tsr_ppermute(sum, "i", TSR_SHIFT(-1));
		sum = tsr_add(sum, tsr_matmul(rows(x, me, t + 1, n), y));
	}
	return sum;
}

/* rows of x by all of y, whose rows are gathered */
static tsr *gather(tsr *x, tsr *y)
{
	return tsr_matmul(x, tsr_all_gather(y, "i", .tiled = true));
}

static void setup_sharded(bench *b, tsr *(*body)(tsr *, tsr *), const char *sig, tsr_spec of_x)
{
	setup_f32(b);
	b->fn = tsr_jit(b->ctx, tsr_shard_map(b->mesh, body, .sig = sig));
	b->in[0] = tsr_put(b->in[0], b->mesh, of_x);
	b->in[1] = tsr_put(b->in[1], b->mesh, P("i"));
}

static void setup_contract(bench *b)
{
	setup_sharded(b, contract, "[-,i] [i] -> [-]", P(NULL, "i"));
}

static void setup_gather(bench *b) { setup_sharded(b, gather, "[i] [i] -> [i]", P("i")); }

static void setup_scatter(bench *b)
{
	setup_sharded(b, scatter, "[-,i] [i] -> [i]", P(NULL, "i"));
}

static void setup_ring(bench *b)
{
	setup_sharded(b, scatter_ring, "[-,i] [i] -> [i]", P(NULL, "i"));
}

/* ---- the products of JAX's pmap cookbook: x x.t on each device */

enum { ROWS, COLUMNS };

static tsr *squared(tsr *x) { return tsr_dot(x, tsr_t(x)); }

static void setup_cookbook(bench *b)
{
	const tsr_dims dims = D(tsr_mesh_size(b->mesh), b->size[ROWS], b->size[COLUMNS]);

	b->fn = tsr_pmap(b->ctx, squared, .axis = "i");
	b->in[0] = tsr_put(scattered(b->ctx, 1, dims, 2), b->mesh, P("i"));
}

static void call_1(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0]); }

/* of one half of each, which is symmetric */
static double cookbook_flops(const int64_t *size)
{
	return 8 * (double)size[ROWS] * (double)(size[ROWS] + 1) * (double)size[COLUMNS];
}

/* ---- the squares of many rows, and their products, added up */

static tsr *gram(tsr *x) { return tsr_matmul(tsr_t(x), x); }

static void setup_gram(bench *b)
{
	b->fn = tsr_jit(b->ctx, gram);
	b->in[0] = scattered(b->ctx, 1, D(b->size[ROWS], b->size[COLUMNS]), 2);
}

static double gram_flops(const int64_t *size)
{
	return 2 * (double)size[ROWS] * pow((double)size[COLUMNS], 2);
}

static void setup_dot(bench *b)
{
	b->fn = tsr_jit(b->ctx, tsr_dot);
	for (uint32_t i = 0; i < 2; i++) b->in[i] = scattered(b->ctx, i + 1, D(b->size[0]), 2);
}

/* a vector times a matrix */
static void setup_vector(bench *b)
{
	const int64_t n = b->size[0];

	b->fn = tsr_jit(b->ctx, tsr_dot);
	b->in[0] = scattered(b->ctx, 1, D(n), 2);
	b->in[1] = scattered(b->ctx, 2, D(n, n), 2);
}

/* a matrix times a vector, whose numbers are both read along rows */
static void setup_matrix(bench *b)
{
	setup_vector(b);
	tsr *v = b->in[0];
	b->in[0] = b->in[1];
	b->in[1] = v;
}

/* many small matrices */
static void setup_small(bench *b)
{
	const int64_t n = b->size[1];

	b->fn = tsr_jit(b->ctx, tsr_matmul);
	for (uint32_t i = 0; i < 2; i++)
		b->in[i] = scattered(b->ctx, i + 1, D(b->size[0], n, n), 2);
}

static double small_flops(const int64_t *size)
{
	return 2 * (double)size[0] * pow((double)size[1], 3);
}

static double vector_bytes(const int64_t *size) { return 4 * pow((double)size[0], 2); }
static double dot_bytes(const int64_t *size) { return 8 * (double)size[0]; }

/* ---- a transformer's layer: attention and a perceptron, each added to what it gets. On a mesh
 * "data" splits the batch, and "model" the heads and the wide layer */

/* sizes of a case: batch, length, features, heads, layers where there are several */
enum { BATCH, LENGTH, FEATURES, HEADS, LAYERS };
enum { WQ, WK, WV, WO, W1, W2, WEIGHTS };
static int64_t per_head; /* features of a head, in the body that is being traced */

static tsr *softmax(tsr *x)
{
	tsr *most = tsr_stop_gradient(tsr_max(x, .dims = D(-1), .keep = true));
	tsr *e = tsr_exp(tsr_sub(x, most));
	return tsr_div(e, tsr_sum(e, .dims = D(-1), .keep = true));
}

/* [batch, length, features] -> [batch, heads, length, features of a head] */
static tsr *heads_of(tsr *x, tsr *w)
{
	tsr *y = tsr_matmul(x, w);
	const tsr_dims apart = D(tsr_dim(y, 0), tsr_dim(y, 1), tsr_dim(y, 2) / per_head, per_head);
	return tsr_transpose(tsr_reshape(y, apart), .perm = D(0, 2, 1, 3));
}

static tsr *attention(tsr_tree w, tsr *x)
{
	const double scale = 1 / sqrt((double)tsr_dim(x, 2));
	tsr *q = tsr_mul(heads_of(x, w.leaf[WQ]), scale);
	tsr *k = heads_of(x, w.leaf[WK]), *v = heads_of(x, w.leaf[WV]);
	tsr *scores = softmax(tsr_matmul(q, tsr_transpose(k, .perm = D(0, 1, 3, 2))));
	tsr *y = tsr_transpose(tsr_matmul(scores, v), .perm = D(0, 2, 1, 3));
	const tsr_dims joined = D(tsr_dim(y, 0), tsr_dim(y, 1), tsr_dim(y, 2) * per_head);
	return tsr_matmul(tsr_reshape(y, joined), w.leaf[WO]);
}

static tsr *perceptron(tsr_tree w, tsr *x)
{
	return tsr_matmul(tsr_relu(tsr_matmul(x, w.leaf[W1])), w.leaf[W2]);
}

static tsr *layer(tsr_tree w, tsr *x)
{
	x = tsr_add(x, attention(w, x));
	return tsr_add(x, perceptron(w, x));
}

static tsr *layer_on_mesh(tsr_tree w, tsr *x)
{
	x = tsr_add(x, tsr_psum(attention(w, x), "model"));
	return tsr_add(x, tsr_psum(perceptron(w, x), "model"));
}

static tsr *loss(tsr_tree w, tsr *x) { return tsr_mean(tsr_square(layer(w, x))); }
static tsr *loss_on_mesh(tsr_tree w, tsr *x)
{
	return tsr_pmean(tsr_mean(tsr_square(layer_on_mesh(w, x))), "data");
}

static tsr_tree weights_of(bench *b) { return TSR_LEAVES(b->state, WEIGHTS); }

/* those behind which a sum is are split along their first dim */
static const tsr_spec split[WEIGHTS] = {
	TSR_SPEC(NULL, "model"), TSR_SPEC(NULL, "model"), TSR_SPEC(NULL, "model"),
	TSR_SPEC("model"),       TSR_SPEC(NULL, "model"), TSR_SPEC("model")};

static void setup_layer(bench *b, tsr_fn *fn)
{
	const int64_t n = b->size[FEATURES], wide = 4 * n;

	per_head = n / b->size[HEADS];
	b->fn = tsr_jit(b->ctx, fn);
	b->in[0] = scattered(b->ctx, 1, D(b->size[BATCH], b->size[LENGTH], n), 2);
	for (int k = 0; k < WEIGHTS; k++) {
		const tsr_dims dims = D(k == W2 ? wide : n, k == W1 ? wide : n);
		const double scale = 2 / sqrt((double)dims.d[1]);
		tsr_set(&b->state[k], scattered(b->ctx, 2 + (uint32_t)k, dims, scale));
	}
}

static void setup_layer_one(bench *b) { setup_layer(b, tsr_jit(b->ctx, layer)); }
static void setup_grad_one(bench *b) { setup_layer(b, tsr_grad(b->ctx, loss)); }

static tsr_mesh *mesh_of_4(bench *b)
{
	return tsr_mesh_make(b->ctx, {"data", 2}, {"model", 2});
}

static void setup_on_mesh(bench *b, tsr_fn *map)
{
	setup_layer(b, map);
	b->in[0] = tsr_put(b->in[0], mesh_of_4(b), P("data"));
	for (int k = 0; k < WEIGHTS; k++)
		tsr_set(&b->state[k], tsr_put(b->state[k], mesh_of_4(b), split[k]));
}

static void setup_layer_4(bench *b)
{
	setup_on_mesh(b, tsr_shard_map(mesh_of_4(b), layer_on_mesh,
	                               .in = {TSR_FOR_EACH(split), TSR_FOR_ALL(P("data"))},
	                               .out = TSR_SPECS(P("data"))));
}

static void setup_grad_4(bench *b)
{
	setup_on_mesh(b, tsr_shard_map(mesh_of_4(b), tsr_grad(b->ctx, loss_on_mesh),
	                               .in = {TSR_FOR_EACH(split), TSR_FOR_ALL(P("data"))},
	                               .out = {TSR_FOR_EACH(split)}));
}

static void call_layer(bench *b, tsr **out)
{
	out[0] = tsr_call(b->fn, weights_of(b), b->in[0]);
}

static void call_grad(bench *b, tsr **out)
{
	tsr *g[WEIGHTS];
	tsr_call_into(TSR_OUT(TSR_LEAVES(g, WEIGHTS)), b->fn, weights_of(b), b->in[0]);
	out[0] = g[WQ];
	out[1] = g[WO];
	out[2] = g[W1];
	out[3] = g[W2];
}

/* ---- the gradient of many layers in plain array code: the program that 4x4x4 devices run is made
 * and printed, and does not run */

static tsr *deep_loss(tsr_tree w, tsr *x)
{
	for (int64_t k = 0; k < tsr_dim(w.leaf[WQ], 0); k++) {
		tsr *own[WEIGHTS];
		for (int i = 0; i < WEIGHTS; i++) own[i] = tsr_index(w.leaf[i], 0, k);
		x = layer(TSR_LEAVES(own, WEIGHTS), x);
	}
	return tsr_mean(tsr_square(x));
}

static void setup_deep(bench *b)
{
	const int64_t n = b->size[FEATURES], count = b->size[LAYERS];
	tsr_mesh *mesh = tsr_mesh_make(b->ctx, {"data", 4}, {"model", 4}, {"length", 4});

	per_head = n / b->size[HEADS];
	b->fn = tsr_jit(b->ctx, tsr_grad(b->ctx, deep_loss));
	b->in[0] = scattered(b->ctx, 1, D(b->size[BATCH], b->size[LENGTH], n), 2);
	b->in[0] = tsr_put(b->in[0], mesh, P("data", "length"));
	for (int k = 0; k < WEIGHTS; k++) {
		const tsr_dims dims = D(count, k == W2 ? 4 * n : n, k == W1 ? 4 * n : n);
		const bool sums = k == WO || k == W2;
		const tsr_spec spec = sums ? P(NULL, "model") : P(NULL, NULL, "model");
		tsr *w = scattered(b->ctx, 2 + (uint32_t)k, dims, 2 / sqrt((double)dims.d[2]));
		tsr_set(&b->state[k], tsr_put(w, mesh, spec));
	}
}

static void print_grad(bench *b, tsr **out)
{
	if (tsr_fn_compiled_text(b->fn, weights_of(b), b->in[0])) out[0] = b->in[0];
}

/* twelve products of all positions with square matrices, and the scores and their use */
static double layer_flops(const int64_t *size)
{
	const double all = (double)(size[BATCH] * size[LENGTH]), n = (double)size[FEATURES];
	return 2 * all * n * (12 * n + 2 * (double)size[LENGTH]);
}

static double grad_flops(const int64_t *size) { return 3 * layer_flops(size); }

#define SQUARE .tiny = {40}, .step = call_2, .work = product_flops
#define OF_F32 \
	SQUARE, .devices = 1, .setup = setup_f32, .limit = LIMIT_FMA, .rtol = 1e-5, .bar = 1.05, \
	.c = HAND_PRODUCT, .c_bar = 0.98
#define OF_F64 \
	SQUARE, .devices = 1, .setup = setup_f64, .rtol = 1e-14, .bar = 1.05, \
	.c = HAND_PRODUCT_F64, .c_bar = 0.98
#define OF_I8   SQUARE, .devices = 1, .rtol = 0
#define OF_BF16 SQUARE, .devices = 1, .rtol = 1e-2
/* on 4 devices, in little more time than on one */
#define SHARDED \
	SQUARE, .devices = 4, .size = {4096}, .limit = LIMIT_FMA, .rtol = 1e-4, \
	.than = "product_4096", .than_bar = 1 / 1.06
#define MATRIX \
	.devices = 1, .tiny = {130}, .setup = setup_matrix, .step = call_2, .limit = LIMIT_SUM, \
	.work = vector_bytes, .rtol = 1e-3
#define SMALL \
	.devices = 1, .tiny = {30, 5}, .setup = setup_small, .step = call_2, .limit = LIMIT_FMA, \
	.work = small_flops, .rtol = 1e-4
#define LAYER .size = {2, 128, 1024, 16}, .tiny = {2, 6, 16, 4}, .limit = LIMIT_FMA, .rtol = 1e-4
#define FORWARD LAYER, .step = call_layer, .work = layer_flops
#define BACKWARD LAYER, .step = call_grad, .work = grad_flops

const bench_case cases_products[] = {
	{.name = "product_1024", .what = "f32 product, n = 1024", OF_F32, .size = {1024}},
	{.name = "product_2048", .what = "f32 product, n = 2048", OF_F32, .size = {2048}},
	{.name = "product_4096", .what = "f32 product, n = 4096", OF_F32, .size = {4096}},
	{.name = "product_f64", .what = "f64 product, n = 1024", OF_F64, .size = {1024}},
	{.name = "product_f64_2048", .what = "f64 product, n = 2048", OF_F64, .size = {2048}},
	{.name = "product_f64_4096", .what = "f64 product, n = 4096", OF_F64, .size = {4096}},
	{.name = "contract_4", .what = "f32 product, n = 4096, its sum on 4 devices", SHARDED,
         .setup = setup_contract},
	{.name = "gather_4", .what = "f32 product, n = 4096, an operand gathered", SHARDED,
         .setup = setup_gather},
	{.name = "scatter_4", .what = "f32 product, n = 4096, its sum scattered", SHARDED,
         .setup = setup_scatter},
	{.name = "ring_4",
         .what = "the same as a ring, each step's product while a sum moves", SHARDED,
         .setup = setup_ring},
	{.name = "cookbook",
         .what = "pmap of x x.t, eight f32[2500,3000]",
         .setup = setup_cookbook,
         .step = call_1,
         .devices = 8,
         .size = {2500, 3000},
         .tiny = {50, 60},
         .limit = LIMIT_FMA,
         .work = cookbook_flops,
         .rtol = 1e-4,
         .bar = 1},
	{.name = "dot",
         .what = "product of two vectors, f32[100000]",
         .setup = setup_dot,
         .step = call_2,
         .devices = 1,
         .size = {100000},
         .tiny = {1300},
         .limit = LIMIT_SUM,
         .work = dot_bytes,
         .rtol = 1e-3},
	{.name = "vector_4096",
         .what = "a vector times f32[4096,4096]",
         .setup = setup_vector,
         .step = call_2,
         .devices = 1,
         .size = {4096},
         .tiny = {130},
         .limit = LIMIT_SUM,
         .work = vector_bytes,
         .rtol = 1e-3},
	{.name = "dot_4m",
         .what = "the same, f32[4000000]",
         .setup = setup_dot,
         .step = call_2,
         .devices = 1,
         .size = {4000000},
         .tiny = {13000},
         .limit = LIMIT_SUM,
         .work = dot_bytes,
         .rtol = 1e-3},
	{.name = "matrix_1024", .what = "f32[1024,1024] times a vector", MATRIX, .size = {1024}},
	{.name = "matrix_4096", .what = "f32[4096,4096] times a vector", MATRIX, .size = {4096}},
	{.name = "small_products", .what = "10000 products of f32[8,8]", SMALL, .size = {10000, 8},
         .bar = 2},
	{.name = "small_products_32", .what = "4000 products of f32[32,32]", SMALL,
         .size = {4000, 32}},
	{.name = "product_i8", .what = "product of i8[1024,1024], i32", OF_I8, .size = {1024},
         .setup = setup_i8, .bar = 2},
	{.name = "product_bf16", .what = "product of bf16[1024,1024]", OF_BF16, .size = {1024},
         .setup = setup_bf16},
	{.name = "product_bf16_4096", .what = "product of bf16[4096,4096]", OF_BF16, .size = {4096},
         .setup = setup_bf16, .bar = 1.3},
	{.name = "bf16_pairs", .what = "product of bf16[1024,1024], by pairs", OF_BF16,
         .size = {1024}, .setup = setup_pairs},
	{.name = "bf16_pairs_4096", .what = "product of bf16[4096,4096], by pairs", OF_BF16,
         .size = {4096}, .setup = setup_pairs, .bar = 2},
	{.name = "f32_pairs_4096", .what = "product of f32[4096,4096], by pairs of bf16", OF_BF16,
         .size = {4096}, .setup = setup_pairs_f32},
	{.name = "gram",
         .what = "x.t x of f32[65536,64]",
         .setup = setup_gram,
         .step = call_1,
         .devices = 1,
         .size = {65536, 64},
         .tiny = {60, 9},
         .limit = LIMIT_FMA,
         .work = gram_flops,
         .rtol = 1e-3},
	{.name = "layer",
         .what = "a transformer's layer, f32[2,128,1024], 16 heads",
         .setup = setup_layer_one,
         .devices = 1,
         FORWARD,
         .bar = 1.2},
	{.name = "layer_grad",
         .what = "the gradient of its mean square by the weights",
         .setup = setup_grad_one,
         .devices = 1,
         BACKWARD,
         .bar = 1.2},
	{.name = "layer_4",
         .what = "the layer on 2x2 devices",
         .setup = setup_layer_4,
         .devices = 4,
         FORWARD,
         .bar = 1.3},
	{.name = "layer_grad_4",
         .what = "its gradient on 2x2 devices",
         .setup = setup_grad_4,
         .devices = 4,
         BACKWARD,
         .bar = 1.3},
	{.name = "partition_24",
	 .what = "partitioning 24 layers' gradient for 4x4x4 devices; JAX traces and compiles it",
	 .setup = setup_deep, .step = print_grad, .devices = 64, .size = {4, 64, 64, 8, 24},
	 .tiny = {4, 8, 16, 4, 2}, .rtol = 1e-6, .bar = 30},
	{0},
};
