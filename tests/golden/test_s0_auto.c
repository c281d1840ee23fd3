/* test_s0_auto.c - the products of the first seed as plain array code: where the operands are
 * decides where the results are, eagerly and jitted. */
#include "support/golden.h"
#include "support/recorded_bytes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#define P TSR_P

static tsr *product(tsr *a, tsr *b) { return tsr_dot(a, b); }

static tsr *constrained(tsr *a, tsr *b)
{
	return tsr_constrain(tsr_dot(a, b), tsr_mesh_make(a, {"x", 4}, {"y", 2}), P("x", NULL));
}

/* The seed says by a constraint that c is split over x; without one it is there too */
static void matmul_reference(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *a = tsr_put(golden_load(ctx, "s0.matmul_reference", "a"), m, P("x", "y"));
	tsr *b = tsr_put(golden_load(ctx, "s0.matmul_reference", "b"), m, P("y", NULL)), *d[2];
	tsr_fn *f = tsr_jit(ctx, constrained), *g = tsr_jit(ctx, product);
	tsr *c = tsr_call(f, a, b), *eager = tsr_dot(a, b);
	tsr *unconstrained = tsr_call(g, a, b);

	golden_equal(c, "s0.matmul_reference", "c");
	golden_equal(unconstrained, "s0.matmul_unconstrained", "c");
	golden_equal(eager, "s0.matmul_unconstrained", "c");
	golden_sharded(c, m, P("x", NULL));
	golden_sharded(unconstrained, m, P("x", NULL));
	golden_sharded(eager, m, P("x", NULL));
	golden_truth(tsr_allclose(c, eager, 1e-2, 1e-2), "s0.matmul_reference", "allclose");
	golden_moves(MOVED(f, a, b), "s0.matmul_reference", "forward.moves");
	golden_moves(MOVED(g, a, b), "s0.matmul_unconstrained", "forward.moves");
	golden_grads(f, (tsr *[]){a, b}, d, "s0.matmul_reference",
	             "ct loss grad_a grad_b value_and_grad.moves");
	golden_sharded(d[0], m, P("x", "y"));
	golden_sharded(d[1], m, P("y", NULL));
}

/* the operands of the six products by hand, and what the two kinds of them come to */
static void matmul_auto(void **state)
{
	static const struct {
		tsr_spec left, out;
		const char *id, *name, *free, *to_rows, *whole;
	} cases[] = {
		{TSR_SPEC("i", NULL), TSR_SPEC("i", NULL), "s0x.matmul_auto", "out_rows",
	         "rows_free.moves", "rows_to_rows.moves", "rows_to_replicated.moves"},
		{TSR_SPEC(NULL, "i"), TSR_SPEC(NULL), "s0x.matmul_auto", "out_cols",
	         "cols_free.moves", "cols_to_rows.moves", "cols_to_replicated.moves"},
	};
	tsr_ctx *ctx = *state;
	tsr_mesh *ring = tsr_mesh_make(ctx, {"i", 4});
	tsr *lhs = golden_load(ctx, "s0x.matmul_allgather", "lhs");
	tsr *rhs = tsr_put(golden_load(ctx, "s0x.matmul_allgather", "rhs"), ring, P("i", NULL));
	tsr_fn *f = tsr_jit(ctx, product);
	tsr_fn *to_rows = tsr_jit(ctx, product, .mesh = ring, .out = TSR_SPECS(P("i", NULL)));
	tsr_fn *whole = tsr_jit(ctx, product, .mesh = ring, .out = TSR_SPECS(P()));

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		tsr *l = tsr_put(lhs, ring, cases[i].left);
		tsr *out[] = {tsr_call(f, l, rhs), tsr_matmul(l, rhs)};
		for (int eager = 0; eager < 2; eager++) {
			golden_equal(out[eager], cases[i].id, cases[i].name);
			golden_sharded(out[eager], ring, cases[i].out);
		}
		golden_moves(MOVED(f, l, rhs), cases[i].id, cases[i].free);
		golden_moves(MOVED(to_rows, l, rhs), cases[i].id, cases[i].to_rows);
		golden_moves(MOVED(whole, l, rhs), cases[i].id, cases[i].whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(matmul_reference, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(matmul_auto, golden_open, golden_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
