/* test_attention.c - attention by blocks is attention at once: its values, its derivatives in both
 * modes and to the second order, in batches, and split over devices; with memory that is linear in
 * the length. With TSR_PART=1/5 a fifth of the cases. */
#include "support/near.h"
#include "support/part.h"
#include "lib/nn/attention.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS
#define P TSR_P

/* the bias and the mask are broadcast to the scores where their dims are given */
typedef struct attention_case {
	int64_t queries, keys, heads, kv_heads;
	tsr_dims bias, mask;
	bool causal;
	int64_t first; /* of the first query, behind a cache; -1: there is none */
	int64_t block_queries, block_keys;
} attention_case;

#define DIMS(n, ...) {.d = {1 + n, __VA_ARGS__}}
#define NONE {.d = {1}}
static const attention_case cases[] = {
	{6, 8, 2, 2, NONE, NONE, false, -1, 3, 4},
	{7, 8, 2, 2, NONE, NONE, false, -1, 3, 3},
	{7, 7, 4, 2, NONE, NONE, true, -1, 2, 3},
	{5, 9, 2, 1, NONE, NONE, true, -1, 2, 2},
	{9, 5, 2, 1, NONE, NONE, true, -1, 4, 2},
	{7, 7, 4, 2, DIMS(4, 2, 4, 7, 7), NONE, true, -1, 3, 2},
	{7, 8, 4, 2, NONE, DIMS(4, 2, 1, 1, 8), false, -1, 3, 3},
	{7, 7, 2, 2, NONE, DIMS(4, 2, 1, 1, 7), true, -1, 3, 3},
	{5, 7, 2, 2, DIMS(3, 2, 1, 7), DIMS(2, 5, 7), false, -1, 3, 3},
	{5, 7, 2, 2, DIMS(2, 5, 7), DIMS(3, 2, 5, 7), false, -1, 2, 8},
	{3, 9, 2, 2, NONE, NONE, true, 4, 2, 2},
	{3, 9, 2, 2, NONE, NONE, false, 4, 2, 2},
	{1, 3, 1, 1, NONE, NONE, false, -1, 128, 256},
};

enum { Q, K, V, BIAS, OPERANDS, BATCH = 2, HEAD = 4 };

/* the operands that have derivatives, of which the bias may be absent, and the mask or NULL */
typedef struct inputs {
	tsr *x[OPERANDS], *mask;
} inputs;
#define TREES(in) TSR_LEAVES((tsr **)(uintptr_t)(in)->x, OPERANDS), \
	TSR_LEAVES((tsr **)(uintptr_t)&(in)->mask, 1)

static bool is_given(const tsr_dims *dims) { return dims->d[0] > 1; }

static tsr *wave(tsr_ctx *ctx, tsr_dims dims, double f)
{
	int64_t n = 1;
	for (int64_t d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	return tsr_reshape(tsr_sin(tsr_mul(tsr_arange(ctx, n, .dtype = TSR_F64), f)), dims);
}

/* of the last row of a mask nothing counts */
static tsr *make_mask(tsr_ctx *ctx, tsr_dims dims)
{
	tsr *mask = tsr_gt(wave(ctx, dims, 1.7), -0.4);
	const int64_t rows = tsr_dim(mask, -2);

	if (rows == 1) return mask;
	return tsr_logical_and(mask, tsr_lt(tsr_iota(ctx, dims, tsr_ndim(mask) - 2), rows - 1));
}

static inputs make_inputs(tsr_ctx *ctx, const attention_case *c, double f)
{
	return (inputs){{wave(ctx, D(BATCH, c->queries, c->heads, HEAD), 1.3 * f),
	                 wave(ctx, D(BATCH, c->keys, c->kv_heads, HEAD), 0.7 * f),
	                 wave(ctx, D(BATCH, c->keys, c->kv_heads, HEAD), 2.1 * f),
	                 is_given(&c->bias) ? wave(ctx, c->bias, 0.9 * f) : NULL},
	                is_given(&c->mask) ? make_mask(ctx, c->mask) : NULL};
}

/* what a fn is made of */
typedef struct how {
	const attention_case *of;
	int64_t blocks; /* or at once */
} how;

static tsr *attention_of(const how *h, tsr *const x[OPERANDS], tsr *mask)
{
	const attention_case *of = h->of;
	const tsr_dims dims = tsr_shape(x[Q]);
	attention c = {.site = {tsr_ctx_of(x[Q]), NULL, "attention"},
	               .softmax = TSR_F64,
	               .causal = of->causal,
	               .scale = 0.5};

	if (of->first >= 0) c.first = tsr_arg_one(tsr_scalar(x[Q], of->first, .dtype = TSR_I32));
	assert_true(attention_read(&c, x, x[BIAS], mask));
	if (!h->blocks) return attend(&c);
	tsr *y = attend_by_blocks(&c, of->block_queries, of->block_keys);
	return tsr_reshape(tsr_transpose(y, .perm = D(0, 3, 1, 2, 4)), dims);
}

static void value(tsr_frame *f)
{
	const tsr_tree x = tsr_frame_tree(f, 0), mask = tsr_frame_tree(f, 1);
	tsr_return(f, attention_of(tsr_frame_env(f), x.leaf, mask.leaf[0]));
}

static void loss(tsr_frame *f)
{
	const tsr_tree x = tsr_frame_tree(f, 0), mask = tsr_frame_tree(f, 1);
	tsr *y = attention_of(tsr_frame_env(f), x.leaf, mask.leaf[0]);
	tsr_return(f, tsr_sum(tsr_mul(tsr_square(y), tsr_sin(y))));
}

static tsr_fn *value_fn(tsr_ctx *ctx, const how *h)
{
	return tsr_jit(ctx, value, .env = h, .env_size = sizeof *h);
}

static tsr_fn *gradient_fn(tsr_ctx *ctx, const how *h)
{
	return tsr_grad(ctx, loss, .env = h, .env_size = sizeof *h);
}

#define FOR_CASES(c) \
	for (const attention_case *c = cases; c < cases + sizeof cases / sizeof *cases; c++) \
		if (!is_left_out())

static void same_operands(tsr *const *got, tsr *const *want, double tolerance)
{
	for (int i = 0; i < OPERANDS; i++) {
		assert_int_equal(!got[i], !want[i]);
		if (want[i]) ALIKE(got[i], want[i], tolerance);
	}
}

/* ---- */

static void values(void **state)
{
	tsr_ctx *ctx = *state;
	FOR_CASES(c) {
		const how blocks = {c, 1}, once = {c, 0};
		const inputs in = make_inputs(ctx, c, 1);
		ALIKE(tsr_call(value_fn(ctx, &blocks), TREES(&in)),
		      tsr_call(value_fn(ctx, &once), TREES(&in)), 1e-13);
	}
}

static void gradients(void **state)
{
	tsr_ctx *ctx = *state;
	FOR_CASES(c) {
		const how blocks = {c, 1}, once = {c, 0};
		const inputs in = make_inputs(ctx, c, 1);
		tsr *got[OPERANDS] = {NULL}, *want[OPERANDS] = {NULL};
		tsr_call_into(TSR_OUT(TSR_LEAVES(got, OPERANDS)), gradient_fn(ctx, &blocks),
		              TREES(&in));
		tsr_call_into(TSR_OUT(TSR_LEAVES(want, OPERANDS)), gradient_fn(ctx, &once),
		              TREES(&in));
		same_operands(got, want, 1e-12);
	}
}

/* forward mode of values, and of gradients: products of the Hessian and a direction */
static void forward_mode(void **state)
{
	tsr_ctx *ctx = *state;
	FOR_CASES(c) {
		const how each[2] = {{c, 1}, {c, 0}};
		const inputs in = make_inputs(ctx, c, 1), d = make_inputs(ctx, c, 0.6);
		const tsr_tree dx = TSR_LEAVES((tsr **)(uintptr_t)d.x, OPERANDS);
		tsr *y[2], *dy[2], *g[2][OPERANDS] = {{NULL}}, *dg[2][OPERANDS] = {{NULL}};
		for (int i = 0; i < 2; i++) {
			tsr_call_into(TSR_OUT(&y[i], &dy[i]),
			              tsr_jvp(ctx, value_fn(ctx, &each[i]), .wrt = D(0)),
			              TREES(&in), dx);
			tsr_call_into(TSR_OUT(TSR_LEAVES(g[i], OPERANDS),
			                      TSR_LEAVES(dg[i], OPERANDS)),
			              tsr_jvp(ctx, gradient_fn(ctx, &each[i]), .wrt = D(0)),
			              TREES(&in), dx);
		}
		ALIKE(dy[0], dy[1], 1e-12);
		same_operands(dg[0], dg[1], 1e-11);
	}
}

/* the gradient along a direction, by central differences */
static void differences(void **state)
{
	tsr_ctx *ctx = *state;
	const double h = 1e-5;
	FOR_CASES(c) {
		const how blocks = {c, 1};
		tsr_fn *fn = tsr_jit(ctx, loss, .env = &blocks, .env_size = sizeof blocks);
		const inputs in = make_inputs(ctx, c, 1), d = make_inputs(ctx, c, 0.6);
		inputs low = in, high = in;
		tsr *g[OPERANDS] = {NULL};
		double slope = 0;
		tsr_call_into(TSR_OUT(TSR_LEAVES(g, OPERANDS)), gradient_fn(ctx, &blocks),
		              TREES(&in));
		for (int i = 0; i < OPERANDS; i++) {
			if (!in.x[i]) continue;
			slope += tsr_item(tsr_sum(tsr_mul(g[i], d.x[i])));
			low.x[i] = tsr_sub(in.x[i], tsr_mul(d.x[i], h));
			high.x[i] = tsr_add(in.x[i], tsr_mul(d.x[i], h));
		}
		const double up = tsr_item(tsr_call(fn, TREES(&high)));
		const double down = tsr_item(tsr_call(fn, TREES(&low)));
		assert_true(fabs((up - down) / (2 * h) - slope) < 1e-7 * (1 + fabs(slope)));
	}
}

static void batches(void **state)
{
	tsr_ctx *ctx = *state;
	enum { N = 3 };
	FOR_CASES(c) {
		const how blocks = {c, 1};
		inputs in[N], all = {{NULL}, NULL};
		tsr *y[N], *g[OPERANDS], *each[N][OPERANDS] = {{NULL}};
		for (int k = 0; k < N; k++) {
			in[k] = make_inputs(ctx, c, 1 + 0.1 * k);
			y[k] = tsr_call(value_fn(ctx, &blocks), TREES(&in[k]));
			tsr_call_into(TSR_OUT(TSR_LEAVES(each[k], OPERANDS)),
			              gradient_fn(ctx, &blocks), TREES(&in[k]));
		}
		for (int i = 0; i < OPERANDS; i++)
			if (in[0].x[i]) all.x[i] = tsr_stack(0, in[0].x[i], in[1].x[i], in[2].x[i]);
		if (in[0].mask) all.mask = tsr_stack(0, in[0].mask, in[1].mask, in[2].mask);
		ALIKE(tsr_call(tsr_vmap(ctx, value_fn(ctx, &blocks)), TREES(&all)),
		      tsr_stack(0, y[0], y[1], y[2]), 1e-13);
		memset(g, 0, sizeof g);
		tsr_call_into(TSR_OUT(TSR_LEAVES(g, OPERANDS)),
		              tsr_vmap(ctx, gradient_fn(ctx, &blocks)), TREES(&all));
		for (int i = 0; i < OPERANDS; i++) {
			if (!g[i]) continue;
			ALIKE(g[i], tsr_stack(0, each[0][i], each[1][i], each[2][i]), 1e-12);
		}
	}
}

/* the batch and the heads over devices, where these can be cut and are in no operand alone */
static void split(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", 2}, {"model", 2});
	const tsr_spec heads = TSR_SPEC("data", NULL, "model");
	const tsr_spec scores = TSR_SPEC("data", "model");
	FOR_CASES(c) {
		const how blocks = {c, 1};
		const inputs in = make_inputs(ctx, c, 1);
		const bool cut = !is_given(&c->bias) || tsr_ndim(in.x[BIAS]) == 4;
		if (c->kv_heads % 2 || !cut || is_given(&c->mask)) continue;
		const tsr_spec specs[] = {heads, heads, heads, scores};
		tsr_fn *map = tsr_shard_map(mesh, value_fn(ctx, &blocks),
		                            .in = {TSR_FOR_EACH(specs), TSR_FOR_ALL(P())},
		                            .out = {TSR_FOR_ALL(heads)});
		tsr_fn *automatic = tsr_jit(ctx, value_fn(ctx, &blocks), .mesh = mesh,
		                            .in = {TSR_FOR_EACH(specs)});
		tsr *want = tsr_call(value_fn(ctx, &blocks), TREES(&in));
		ALIKE(tsr_call(map, TREES(&in)), want, 1e-13);
		ALIKE(tsr_call(automatic, TREES(&in)), want, 1e-13);
		assert_true(tsr_expect_collectives("", map, TREES(&in)));
		assert_true(tsr_expect_collectives("", automatic, TREES(&in)));
		tsr_fn *back = tsr_jit(ctx, gradient_fn(ctx, &blocks), .mesh = mesh,
		                       .in = {TSR_FOR_EACH(specs)});
		tsr *got[OPERANDS] = {NULL}, *g[OPERANDS] = {NULL};
		tsr_call_into(TSR_OUT(TSR_LEAVES(got, OPERANDS)), back, TREES(&in));
		tsr_call_into(TSR_OUT(TSR_LEAVES(g, OPERANDS)), gradient_fn(ctx, &blocks),
		              TREES(&in));
		same_operands(got, g, 1e-12);
		assert_true(tsr_expect_collectives("", back, TREES(&in)));
	}
}

/* ---- memory */

static tsr *sum_of_attention(tsr *q, tsr *k, tsr *v)
{
	return tsr_sum(tsr_dot_product_attention(q, k, v, .causal = true));
}

/* of one head of 4 numbers: all scores of the longer one have 16 MiB */
static size_t peak_of(int64_t length)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_ones(ctx, D(1, length, 1, HEAD)), *g[3];
	tsr_call_into(TSR_OUT(&g[0], &g[1], &g[2]),
	              tsr_grad(ctx, sum_of_attention, .wrt = D(0, 1, 2)), x, x, x);
	const size_t peak = tsr_memory(ctx).peak;
	assert_int_equal(tsr_close(ctx), TSR_OK);
	return peak;
}

static void memory(void **state)
{
	(void)state;
	const size_t half = peak_of(1024), whole = peak_of(2048);
	assert_true(whole < 8 << 20);
	assert_true((double)whole < 2.1 * (double)half);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),   cmocka_unit_test(gradients),
		cmocka_unit_test(forward_mode), cmocka_unit_test(differences),
		cmocka_unit_test(batches),  cmocka_unit_test(split),
		cmocka_unit_test(memory),
	};

	return cmocka_run_group_tests(tests, near_open, near_close);
}
