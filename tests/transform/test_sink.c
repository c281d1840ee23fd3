/* test_sink.c - sums of products that leave loops: the right ones, each the product of the operands
 * of all steps, to the bit, in every form of the loop and on every engine. */
#include "support/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS

/* ---- bodies: carry c: f32[3,4] and h: f32[4]; slices x: f32[3] and y: f32[4]; other result z, at
 * first x; fixed: f32[4] */

TSR_TREE_TYPE(carried, { tsr *c, *h; });
TSR_TREE_TYPE(sliced, { tsr *x, *y; });
typedef struct values {
	tsr *c, *h, *x, *y, *z;
} values;
static tsr *fixed;

static tsr *outer(tsr *a, tsr *b) { return tsr_dot_general(a, b); }

/* the same, with a dim of size 1 that is summed */
static tsr *of_rows(tsr *a, tsr *b)
{
	return tsr_dot_general(tsr_reshape(a, D(1, 3)), tsr_reshape(b, D(4, 1)), .contract_a = D(0),
	                       .contract_b = D(1));
}

/* with so long a dim that the operands are larger than the product */
static tsr *of_long_rows(tsr *a, tsr *b)
{
	return tsr_dot_general(tsr_broadcast_to(a, D(5, 3)), tsr_broadcast_to(b, D(5, 4)),
	                       .contract_a = D(0), .contract_b = D(0));
}

static void add(values *v, tsr *product) { v->c = tsr_add(v->c, product); }

static void of_slices(values *v) { add(v, outer(v->x, v->y)); }
static void of_computed(values *v)
{
	v->h = v->z = tsr_sin(tsr_add(v->h, v->y));
	v->c = tsr_add(outer(v->x, v->h), v->c);
}
static void of_the_carry(values *v)
{
	add(v, outer(v->x, v->h));
	v->h = tsr_mul(v->h, v->y);
}
static void of_a_dim(values *v) { add(v, of_rows(v->x, tsr_cos(v->y))); }
static void two_at_once(values *v)
{
	v->c = tsr_add(tsr_add(outer(v->x, v->h), of_rows(v->x, tsr_cos(v->y))), v->c);
	v->h = tsr_mul(v->h, v->y);
}
static void one_by_one(values *v)
{
	add(v, outer(v->x, v->h));
	add(v, outer(tsr_sin(v->x), v->y));
	v->h = tsr_mul(v->h, v->y);
}
static void is_read(values *v)
{
	v->h = tsr_sin(tsr_add(v->h, tsr_index(v->c, 0, 0)));
	of_slices(v);
}
static void is_given(values *v)
{
	of_slices(v);
	v->z = tsr_sum(v->c);
}
static void is_scaled(values *v)
{
	v->c = tsr_mul(v->c, 0.5);
	of_slices(v);
}
static void is_subtracted_from(values *v) { v->c = tsr_sub(v->c, outer(v->x, v->y)); }
static void is_doubled(values *v) { add(v, tsr_sub(outer(v->x, v->y), v->c)); }
static void product_is_read(values *v)
{
	tsr *product = outer(v->x, v->y);
	add(v, product);
	v->h = tsr_index(product, 0, 0);
}
static void of_a_constant(values *v) { add(v, outer(v->x, fixed)); }
static void with_more(values *v) { add(v, tsr_add(outer(v->x, v->y), 1)); }
static void of_matrices(values *v) { add(v, of_long_rows(v->x, v->y)); }
static void is_turned(values *v) { add(v, tsr_transpose(outer(v->y, v->x))); }

static const struct sink_case {
	const char *name;
	void (*step)(values *);
	int behind; /* products that leave with the sum; 0: it stays */
} cases[] = {
	{"of_slices", of_slices, 1},
	{"of_computed", of_computed, 1},
	{"of_the_carry", of_the_carry, 1},
	{"of_a_dim", of_a_dim, 1},
	{"two_at_once", two_at_once, 2},
	{"one_by_one", one_by_one, 2},
	{"is_read", is_read, 0},
	{"is_given", is_given, 0},
	{"is_scaled", is_scaled, 0},
	{"is_subtracted_from", is_subtracted_from, 0},
	{"is_doubled", is_doubled, 0},
	{"product_is_read", product_is_read, 0},
	{"of_a_constant", of_a_constant, 0},
	{"with_more", with_more, 0},
	{"of_matrices", of_matrices, 0},
	{"is_turned", is_turned, 0},
};

typedef struct how {
	const struct sink_case *of;
	int unroll;
	bool reverse;
} how;

static void step(tsr_frame *f)
{
	const how *how = tsr_frame_env(f);
	const carried *c = TSR_TREE_OF(carried, tsr_frame_tree(f, 0));
	const sliced *x = TSR_TREE_OF(sliced, tsr_frame_tree(f, 1));
	values v = {c->c, c->h, x->x, x->y, x->x};

	how->of->step(&v);
	tsr_return(f, TSR_TREE(carried, (&(carried){.c = v.c, .h = v.h})), v.z);
}

#define WITH(make, body, h) make(ctx, body, .env = (h), .env_size = sizeof *(h))

static void scan(tsr_frame *f)
{
	const how *how = tsr_frame_env(f);
	carried c = {.c = tsr_frame_arg(f, 0), .h = tsr_frame_arg(f, 1)};
	sliced x = {.x = tsr_frame_arg(f, 2), .y = tsr_frame_arg(f, 3)};
	tsr_ctx *ctx = tsr_ctx_of(c.c);
	tsr *z;
	fixed = tsr_frame_arg(f, 4);
	tsr_scan_into(TSR_OUT(TSR_TREE(carried, &c), &z), WITH(tsr_jit, step, how),
	              TSR_TREE(carried, &c), TSR_TREE(sliced, &x), .unroll = how->unroll,
	              .reverse = how->reverse);
	tsr_return(f, c.c, c.h, z);
}

static tsr *range(tsr_ctx *ctx, int64_t n) { return tsr_sin(tsr_arange(ctx, n, .dtype = TSR_F32)); }

enum { STEPS = 20 };
static tsr *in[5];
#define INPUTS in[0], in[1], in[2], in[3], in[4]

static int open(void **state)
{
	tsr_ctx *ctx = *state = tsr_open(.devices = 2);
	in[0] = tsr_reshape(range(ctx, 12), D(3, 4));
	in[1] = tsr_cos(range(ctx, 4));
	in[2] = tsr_reshape(range(ctx, 3 * STEPS), D(STEPS, 3));
	in[3] = tsr_cos(tsr_reshape(range(ctx, 4 * STEPS), D(STEPS, 4)));
	in[4] = range(ctx, 4);
	return 0;
}

static int count(const char *text, const char *until, const char *word)
{
	int n = 0;

	for (; (text = strstr(text, word)) && (!until || text < until); text++) n++;
	return n;
}

/* the last loop */
static const char *loop_in(const char *text)
{
	const char *loop = NULL;

	while ((text = strstr(text, "= scan "))) loop = text++;
	return loop;
}

/* products in it, and the others */
static void count_products(const char *text, int *inside, int *outside)
{
	const char *loop = loop_in(text);

	*inside = loop ? count(loop, strstr(loop, "    return"), "= dot_general") : 0;
	*outside = count(text, NULL, "= dot_general") - *inside;
}

static void which_leave(void **state)
{
	tsr_ctx *ctx = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const how h = {.of = &cases[i], .unroll = 1};
		const char *text = tsr_fn_compiled_text(WITH(tsr_jit, scan, &h), INPUTS);
		const char *loop = loop_in(text);
		const bool stays = loop && strstr(loop, "-> f32[3,4]");
		int inside, behind;
		count_products(text, &inside, &behind);
		if (stays != !cases[i].behind || (!stays && behind != cases[i].behind))
			fail_msg("%s: %d products inside, %d behind:\n%s", cases[i].name, inside,
			         behind, text);
	}
}

/* without slices there is nothing beside which the operands would be small */
static tsr *without_slices(tsr *i, tsr *c)
{
	tsr *a = tsr_sin(tsr_add(fixed, i));
	return tsr_add(c, outer(tsr_slice(a, 0, 0, 3), a));
}

static void loop_alone(tsr_frame *f)
{
	fixed = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_fori(0, STEPS, without_slices, tsr_frame_arg(f, 0)));
}

static void not_much_larger(void **state)
{
	tsr_ctx *ctx = *state;
	int inside, behind;

	count_products(tsr_fn_compiled_text(tsr_jit(ctx, loop_alone), in[0], in[4]), &inside,
	               &behind);
	assert_int_equal(inside, 1);
	assert_int_equal(behind, 0);
}

static void same_however_written(void **state)
{
	static const int unrolls[] = {2, 7, TSR_UNROLL_ALL};
	tsr_ctx *ctx = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int k = 0; k < 6; k++) {
			const how h = {&cases[i], 1, k / 3},
				  out = {&cases[i], unrolls[k % 3], k / 3};
			tsr *y[3], *want[3];
			tsr_call_into(TSR_OUT(&y[0], &y[1], &y[2]), WITH(tsr_jit, scan, &h),
			              INPUTS);
			tsr_call_into(TSR_OUT(&want[0], &want[1], &want[2]),
			              WITH(tsr_jit, scan, &out), INPUTS);
			for (int r = 0; r < 3; r++) SAME(y[r], want[r]);
		}
}

/* one step after the other, each a call: the sum is added in another order */
static void near_the_steps(void **state)
{
	tsr_ctx *ctx = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int reverse = 0; reverse < 2; reverse++) {
			const how h = {&cases[i], 1, reverse};
			carried c = {.c = in[0], .h = in[1]};
			tsr *y[3], *z;
			fixed = in[4];
			tsr_fn *one = WITH(tsr_jit, step, &h);
			for (int k = 0; k < STEPS; k++) {
				const int at = reverse ? STEPS - 1 - k : k;
				sliced x = {.x = tsr_index(in[2], 0, at),
				            .y = tsr_index(in[3], 0, at)};
				tsr_call_into(TSR_OUT(TSR_TREE(carried, &c), &z), one,
				              TSR_TREE(carried, &c), TSR_TREE(sliced, &x));
			}
			tsr_call_into(TSR_OUT(&y[0], &y[1], &y[2]), WITH(tsr_jit, scan, &h),
			              INPUTS);
			ALIKE(y[0], c.c, 1e-5);
			ALIKE(y[1], c.h, 1e-5);
		}
}

static void is_the_product(void **state)
{
	tsr_ctx *ctx = *state;
	const how h = {&cases[0], 1, false}, computed = {&cases[1], 1, false};
	tsr *y[3], *steps = in[2];

	tsr_call_into(TSR_OUT(&y[0], &y[1], &y[2]), WITH(tsr_jit, scan, &h), INPUTS);
	SAME(y[0],
	     tsr_add(in[0], tsr_dot_general(steps, in[3], .contract_a = D(0), .contract_b = D(0))));
	tsr_call_into(TSR_OUT(&y[0], &y[1], &y[2]), WITH(tsr_jit, scan, &computed), INPUTS);
	SAME(y[0],
	     tsr_add(in[0], tsr_dot_general(steps, y[2], .contract_a = D(0), .contract_b = D(0))));
}

/* ---- in programs around it */

static tsr *add_outer(tsr *c, tsr *x)
{
	return tsr_add(c, outer(tsr_slice(x, 0, 0, 6), tsr_slice(x, 0, 6, 14)));
}

static tsr *sum_up(tsr *c, tsr *xs) { return tsr_scan(add_outer, c, xs); }
static tsr *sum_up_all(tsr *c, tsr *xs) { return tsr_scan(sum_up, c, xs); }

/* what the inner loop leaves is a product that the outer one adds up */
static void leave_all_loops(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *c = tsr_reshape(range(ctx, 48), D(6, 8));
	tsr *xs = tsr_reshape(range(ctx, 280), D(10, 2, 14));
	tsr_fn *fn = tsr_jit(ctx, sum_up_all);
	int inside, behind;

	count_products(tsr_fn_compiled_text(fn, c, xs), &inside, &behind);
	assert_int_equal(inside, 0);
	assert_int_equal(behind, 1);
	SAME(tsr_call(fn, c, xs),
	     tsr_add(c, tsr_dot_general(tsr_slice(xs, 2, 0, 6), tsr_slice(xs, 2, 6, 14),
	                                .contract_a = D(0, 1), .contract_b = D(0, 1))));
}

/* a batch of loops has products with a dim for the batch */
static void of_a_batch(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *c = tsr_reshape(range(ctx, 96), D(2, 6, 8));
	tsr *xs = tsr_reshape(range(ctx, 280), D(2, 10, 14));

	SAME(tsr_call(tsr_vmap(ctx, sum_up), c, xs),
	     tsr_add(c, tsr_dot_general(tsr_slice(xs, 2, 0, 6), tsr_slice(xs, 2, 6, 14),
	                                .batch_a = D(0), .batch_b = D(0), .contract_a = D(1),
	                                .contract_b = D(1))));
}

/* each device has a sum of its own */
static tsr *in_map(tsr *c, tsr *xs)
{
	return tsr_psum(sum_up(tsr_pcast(c, "x", .to = TSR_TO_VARYING), xs), "x");
}

static void in_maps(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr_fn *map = tsr_shard_map(mesh, in_map, .sig = "[] [x] -> []");
	tsr *c = tsr_reshape(range(ctx, 48), D(6, 8));
	tsr *xs = tsr_reshape(range(ctx, 280), D(20, 14)), *half[2];

	for (int k = 0; k < 2; k++) half[k] = sum_up(c, tsr_slice(xs, 0, 10 * k, 10 * k + 10));
	SAME(tsr_call(map, c, xs), tsr_add(half[0], half[1]));
}

/* the cotangent of a matrix that all steps multiply by */
static void by_matrix(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);
	h = tsr_tanh(tsr_add(tsr_dot(h, fixed), x));
	tsr_return(f, h, h);
}

static tsr *matrix_loss(tsr *matrix, tsr *h, tsr *xs)
{
	tsr *all;
	fixed = matrix;
	tsr_scan_into(TSR_OUT(&h, &all), by_matrix, h, xs);
	return tsr_sum(tsr_square(all));
}

/* each step adds 0.6 as i32, which is 0; 2.4 would be 2 */
static tsr *adds_truncated(tsr *sum, tsr *x)
{
	return tsr_add(sum, tsr_dot_general(x, x, .dtype = TSR_I32));
}

static tsr *sum_truncated(tsr *x)
{
	tsr *sum = tsr_zeros(tsr_ctx_of(x), D(2, 2), .dtype = TSR_I32);

	tsr_scan_into(TSR_OUT(&sum), adds_truncated, sum, x);
	return sum;
}

static void casts_to_whole_numbers_stay(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_full(ctx, D(4, 2), 0.8), *y = tsr_call(tsr_jit(ctx, sum_truncated), x);

	SAME(y, tsr_zeros(ctx, D(2, 2), .dtype = TSR_I32));
}

static void of_gradients(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *matrix = tsr_reshape(range(ctx, 16), D(4, 4));
	tsr_fn *grad = tsr_jit(ctx, tsr_grad(ctx, matrix_loss));
	int inside, behind;

	count_products(tsr_fn_compiled_text(grad, matrix, in[1], in[3]), &inside, &behind);
	assert_int_equal(inside, 1); /* the cotangent of h */
	assert_int_equal(behind, 2); /* that of the matrix; and the loop forwards */
}

static int close(void **state)
{
	tsr_close(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(which_leave),    cmocka_unit_test(not_much_larger),
		cmocka_unit_test(is_the_product), cmocka_unit_test(same_however_written),
		cmocka_unit_test(near_the_steps), cmocka_unit_test(leave_all_loops),
		cmocka_unit_test(of_a_batch),     cmocka_unit_test(in_maps),
		cmocka_unit_test(of_gradients),   cmocka_unit_test(casts_to_whole_numbers_stay),
	};

	return cmocka_run_group_tests(tests, open, close);
}
