/* cases_attention.c - attention of one sequence of size[0] places with size[1] heads of size[2],
 * and its gradients by queries, keys and values. */
#include "bench.h"
#define D TSR_DIMS

static tsr *every_key(tsr *q, tsr *k, tsr *v) { return tsr_dot_product_attention(q, k, v); }
static tsr *causal(tsr *q, tsr *k, tsr *v)
{
	return tsr_dot_product_attention(q, k, v, .causal = true);
}

static tsr *squares(tsr *x) { return tsr_sum(tsr_square(x)); }
static tsr *every_key_loss(tsr *q, tsr *k, tsr *v) { return squares(every_key(q, k, v)); }
static tsr *causal_loss(tsr *q, tsr *k, tsr *v) { return squares(causal(q, k, v)); }

static void setup(bench *b, tsr_fn *fn)
{
	const tsr_dims dims = D(1, b->size[0], b->size[1], b->size[2]);

	b->fn = tsr_jit(b->ctx, fn);
	for (uint32_t i = 0; i < 3; i++) b->in[i] = scattered(b->ctx, 1 + i, dims, 4);
}

#define GRADIENT(loss) tsr_grad(b->ctx, loss, .wrt = D(0, 1, 2))
static void setup_every_key(bench *b) { setup(b, tsr_jit(b->ctx, every_key)); }
static void setup_causal(bench *b) { setup(b, tsr_jit(b->ctx, causal)); }
static void setup_every_key_grad(bench *b) { setup(b, GRADIENT(every_key_loss)); }
static void setup_causal_grad(bench *b) { setup(b, GRADIENT(causal_loss)); }

static void call(bench *b, tsr **out)
{
	out[0] = tsr_call(b->fn, b->in[0], b->in[1], b->in[2]);
}

static void call_grad(bench *b, tsr **out)
{
	tsr_call_into(TSR_OUT(&out[0], &out[1], &out[2]), b->fn, b->in[0], b->in[1], b->in[2]);
}

/* Two products of all queries and keys, and five more for the gradients, where scores are made
 * again; half of that where half of the scores count */
static double product(const int64_t *size)
{
	return 2 * (double)size[0] * (double)size[0] * (double)size[1] * (double)size[2];
}
static double flops(const int64_t *size) { return 2 * product(size); }
static double causal_flops(const int64_t *size) { return product(size); }
static double grad_flops(const int64_t *size) { return 7 * product(size); }
static double causal_grad_flops(const int64_t *size) { return 3.5 * product(size); }

#define SIZES .size = {4096, 8, 64}, .tiny = {530, 1, 4}, .devices = 1, .limit = LIMIT_FMA, \
	.bar = 1.5, .rtol = 1e-4

const bench_case cases_attention[] = {
	{.name = "attention", .what = "attention, f32[1,4096,8,64]", SIZES, .step = call,
	 .setup = setup_every_key, .work = flops},
	{.name = "attention_causal", .what = "the same, causal", SIZES, .step = call,
	 .setup = setup_causal, .work = causal_flops},
	{.name = "attention_grad", .what = "gradient of attention", SIZES, .step = call_grad,
	 .setup = setup_every_key_grad, .work = grad_flops},
	{.name = "attention_causal_grad", .what = "the same, causal", SIZES, .step = call_grad,
	 .setup = setup_causal_grad, .work = causal_grad_flops},
	{0},
};
