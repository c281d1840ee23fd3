/* test_s0x_matmul.c - the six products of sharded matrices on a ring of four: gather the right
 * side, or scatter the sum, at once, overlapped as a ring, and with half blocks going both ways. */
#include "support/golden.h"
#include "support/recorded_bytes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#define P TSR_P

static tsr *forward(tsr *x) { return tsr_ppermute(x, "i", TSR_SHIFT(1)); }
static tsr *backward(tsr *x) { return tsr_ppermute(x, "i", TSR_SHIFT(-1)); }

/* (me + by) mod n, by > -n */
static tsr *neighbour(tsr *me, int64_t by, int64_t n)
{
	return tsr_rem(tsr_add(me, by + n), n);
}

/* block k of `size` columns of m, and of `size` rows */
static tsr *columns(tsr *m, tsr *k, int64_t size)
{
	return tsr_dynamic_slice(m, 1, tsr_mul(k, size), size);
}

static tsr *rows(tsr *m, tsr *k, int64_t size)
{
	return tsr_dynamic_slice(m, 0, tsr_mul(k, size), size);
}

/* the low or the high half of block k */
static tsr *low(tsr *k) { return tsr_mul(2, k); }
static tsr *high(tsr *k) { return tsr_add(tsr_mul(2, k), 1); }

/* ---- rows of l against all rows of r */

static tsr *gather(tsr *l, tsr *r)
{
	return tsr_matmul(l, tsr_all_gather(r, "i", .tiled = true));
}

static tsr *gather_ring(tsr *l, tsr *r)
{
	const int64_t n = tsr_axis_size(l, "i"), w = tsr_dim(r, 0);
	tsr *me = tsr_axis_index(l, "i"), *sum = tsr_matmul(columns(l, me, w), r);
	for (int64_t t = 1; t < n; t++) {
		r = forward(r);
		sum = tsr_add(sum, tsr_matmul(columns(l, neighbour(me, -t, n), w), r));
	}
	return sum;
}

static tsr *gather_bidi(tsr *l, tsr *r)
{
	const int64_t n = tsr_axis_size(l, "i"), w = tsr_dim(r, 0) / 2;
	tsr *me = tsr_axis_index(l, "i"), *half[2];
	tsr_split(r, 0, half, 2);
	tsr *sum = tsr_add(tsr_matmul(columns(l, low(me), w), half[0]),
	                   tsr_matmul(columns(l, high(me), w), half[1]));
	for (int64_t t = 1; t < n; t++) {
		half[0] = forward(half[0]);
		half[1] = backward(half[1]);
		tsr *left = columns(l, low(neighbour(me, -t, n)), w);
		tsr *right = columns(l, high(neighbour(me, t, n)), w);
		sum = tsr_add(tsr_add(sum, tsr_matmul(left, half[0])),
		              tsr_matmul(right, half[1]));
	}
	return sum;
}

/* ---- the contracting dim is split */

static tsr *scatter(tsr *l, tsr *r)
{
	return tsr_psum_scatter(tsr_matmul(l, r), "i", .tiled = true);
}

static tsr *scatter_ring(tsr *l, tsr *r)
{
	const int64_t n = tsr_axis_size(l, "i"), h = tsr_dim(l, 0) / n;
	tsr *me = tsr_axis_index(l, "i");
	tsr *sum = tsr_matmul(rows(l, neighbour(me, 1, n), h), r);
	for (int64_t t = 1; t < n; t++)
		sum = tsr_add(backward(sum), tsr_matmul(rows(l, neighbour(me, t + 1, n), h), r));
	return sum;
}

static tsr *scatter_bidi(tsr *l, tsr *r)
{
	const int64_t n = tsr_axis_size(l, "i"), h = tsr_dim(l, 0) / (2 * n);
	tsr *me = tsr_axis_index(l, "i");
	tsr *down = tsr_matmul(rows(l, low(neighbour(me, -1, n)), h), r);
	tsr *up = tsr_matmul(rows(l, high(neighbour(me, 1, n)), h), r);
	for (int64_t t = 1; t < n; t++) {
		tsr *left = rows(l, low(neighbour(me, -t - 1, n)), h);
		tsr *right = rows(l, high(neighbour(me, t + 1, n)), h);
		down = tsr_add(forward(down), tsr_matmul(left, r));
		up = tsr_add(backward(up), tsr_matmul(right, r));
	}
	return tsr_concatenate(0, down, up);
}

/* ---- the table */

typedef struct product {
	const char *id, *names;
	tsr *(*body)(tsr *, tsr *);
	tsr_spec left;
} product;

#define ROWS    TSR_SPEC("i", NULL)
#define COLUMNS TSR_SPEC(NULL, "i")

static product products[] = {
	{"s0x.matmul_allgather",
         "lhs rhs out ct loss grad_lhs grad_rhs allclose "
         "forward.moves value_and_grad.moves",
         gather, ROWS},
	{"s0x.matmul_allgather_ring",
         "lhs rhs out ct loss grad_lhs grad_rhs allclose "
         "forward.moves value_and_grad.moves",
         gather_ring, ROWS},
	{"s0x.matmul_allgather_bidi",
         "lhs rhs out ct loss grad_lhs grad_rhs allclose "
         "forward.moves value_and_grad.moves",
         gather_bidi, ROWS},
	{"s0x.matmul_psumscatter",
         "lhs rhs out ct loss grad_lhs grad_rhs allclose "
         "forward.moves value_and_grad.moves",
         scatter, COLUMNS},
	{"s0x.matmul_psumscatter_ring",
         "lhs rhs out ct loss grad_lhs grad_rhs allclose "
         "forward.moves value_and_grad.moves",
         scatter_ring, COLUMNS},
	{"s0x.matmul_psumscatter_bidi",
         "lhs rhs out ct loss grad_lhs grad_rhs allclose "
         "forward.moves value_and_grad.moves",
         scatter_bidi, COLUMNS},
};

static void run(void **state)
{
	const product *p = *state;
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *ring = tsr_mesh_make(ctx, {"i", 4});
	tsr *lhs = tsr_put(golden_load(ctx, p->id, "lhs"), ring, p->left);
	tsr *rhs = tsr_put(golden_load(ctx, p->id, "rhs"), ring, P("i", NULL)), *d[2];

	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = tsr_shard_map(ring, p->body, .name = p->id,
		                          .in = TSR_SPECS(p->left, P("i", NULL)),
		                          .out = TSR_SPECS(P("i", NULL)),
		                          .unchecked = unchecked > 0);
		tsr *out = tsr_call(f, lhs, rhs);
		golden_equal(out, p->id, "out");
		golden_moves(MOVED(f, lhs, rhs), p->id, "forward.moves");
		golden_grads(f, (tsr *[]){lhs, rhs}, d, p->id,
		             "ct loss grad_lhs grad_rhs value_and_grad.moves");
		golden_sharded(d[0], ring, p->left);
		golden_sharded(d[1], ring, P("i", NULL));
		golden_sharded(out, ring, P("i", NULL));
		golden_truth(tsr_allclose(out, tsr_matmul(lhs, rhs), 1e-3, 1e-3), p->id,
		             "allclose");
		assert_true(tsr_array_equal(out, tsr_call(tsr_jit(ctx, f), lhs, rhs)));
	}
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	enum { PRODUCTS = sizeof products / sizeof *products };
	struct CMUnitTest tests[PRODUCTS];
	for (size_t i = 0; i < PRODUCTS; i++)
		tests[i] = (struct CMUnitTest){.name = products[i].id, .test_func = run,
		                               .initial_state = &products[i]};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
