/* test_s0x_specs.c - the effect of specs on values that are the same along an axis, the axes of
 * varying values, and a broken promise. */
#include "support/golden.h"
#include "support/recorded_bytes.h"
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

static tsr_mesh *grid(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"i", 4}, {"j", 2}); }
static tsr_mesh *pair(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"i", 2}); }

/* ---- an argument whose spec leaves out an axis */

static tsr_dims block_shape;

static tsr *peek(tsr *block)
{
	block_shape = tsr_shape(block);
	return block;
}

static void replicated_in(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx);
	tsr *x = golden_load(ctx, "s0x.replicated_in", "x"), *floats = tsr_astype(x, TSR_F32);
	char shape[32];

	tsr *y = tsr_call(tsr_shard_map(m, peek, .sig = "[i,-] -> [i,j]"), x);
	golden_equal(y, "s0x.replicated_in", "y");
	golden_sharded(y, m, P("i", "j"));
	assert_int_equal(block_shape.d[0], 3);
	snprintf(shape, sizeof shape, "(%" PRId64 ", %" PRId64 ")", block_shape.d[1],
	         block_shape.d[2]);
	golden_same_text(shape, "s0x.replicated_in", "block_shape");

	tsr_fn *checked = tsr_shard_map(m, tsr_square, .sig = "[i,-] -> [i,j]");
	tsr_fn *unchecked = tsr_shard_map(m, tsr_square, .sig = "[i,-] -> [i,j]",
	                                  .unchecked = true);
	golden_grads(checked, &floats, NULL, "s0x.replicated_in",
	             "f32.ct f32.loss f32.grad_x f32.value_and_grad.moves");
	golden_grads(unchecked, &floats, NULL, "s0x.replicated_in",
	             "f32_novma.ct f32_novma.loss f32_novma.grad_x f32_novma.value_and_grad.moves");
}

/* ---- a captured constant under three specs */

TSR_TREE_TYPE(constant, { tsr *k; });

static void captured(tsr_frame *frame)
{
	const constant *c = TSR_TREE_OF(constant, tsr_frame_captures(frame));
	tsr_return(frame, c->k);
}

static tsr *untiled(tsr_mesh *m, tsr *k, tsr_spec out)
{
	constant c = {.k = k};
	tsr *z = tsr_call(tsr_shard_map(m, captured, .out = TSR_SPECS(out),
	                                .captures = TSR_TREE(constant, &c)));
	golden_sharded(z, m, out);
	return z;
}

static void untile(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx);
	tsr *k = tsr_full(ctx, D(1, 1), 3.0);

	tsr *z = untiled(m, k, P("i", "j"));
	golden_equal(z, "s0x.untile", "z_ij");
	golden_same_text(tsr_text(z), "s0x.untile", "print_ij");
	z = untiled(m, k, P("i", NULL));
	golden_equal(z, "s0x.untile", "z_i");
	golden_same_text(tsr_text(z), "s0x.untile", "print_i");
	z = untiled(m, k, P(NULL, NULL));
	golden_equal(z, "s0x.untile", "z_none");
	golden_same_text(tsr_text(z), "s0x.untile", "print_none");
}

/* ---- psum makes a value the same, so that a spec may leave the axis out */

static tsr *psum_j(tsr *v) { return tsr_psum(v, "j"); }
static tsr *psum_i(tsr *v) { return tsr_psum(v, "i"); }
static tsr *psum_ij(tsr *v) { return tsr_psum(v, "i*j"); }

static void psum_untile(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = grid(ctx);
	tsr *x = golden_load(ctx, "s0x.psum_untile", "x"), *floats = tsr_astype(x, TSR_F32);

	tsr_fn *f = tsr_shard_map(m, psum_j, .sig = "[i,j] -> [i,-]");
	golden_equal(tsr_call(f, x), "s0x.psum_untile", "y_j");
	golden_sharded(tsr_call(f, x), m, P("i", NULL));
	golden_moves(MOVED(f, x), "s0x.psum_untile", "psum_j.moves");
	golden_grads(f, &floats, NULL, "s0x.psum_untile",
	             "j.ct j.loss j.grad_x j.value_and_grad.moves");
	f = tsr_shard_map(m, psum_i, .sig = "[i,j] -> [-,j]");
	golden_equal(tsr_call(f, x), "s0x.psum_untile", "y_i");
	golden_sharded(tsr_call(f, x), m, P(NULL, "j"));
	golden_moves(MOVED(f, x), "s0x.psum_untile", "psum_i.moves");
	golden_grads(f, &floats, NULL, "s0x.psum_untile",
	             "i.ct i.loss i.grad_x i.value_and_grad.moves");
	f = tsr_shard_map(m, psum_ij, .sig = "[i,j] -> [-,-]");
	golden_equal(tsr_call(f, x), "s0x.psum_untile", "y_ij");
	golden_sharded(tsr_call(f, x), m, P());
	golden_moves(MOVED(f, x), "s0x.psum_untile", "psum_ij.moves");
	golden_grads(f, &floats, NULL, "s0x.psum_untile",
	             "ij.ct ij.loss ij.grad_x ij.value_and_grad.moves");
}

/* ---- types in a body */

static char types[1024];

/* one line as JAX writes it: "what: float32[2,2]{V:(i,j)}" */
static void note(const char *what, tsr *x)
{
	const bool i = tsr_varying(x, "i"), j = tsr_varying(x, "j");
	size_t at = strlen(types);
	at += (size_t)snprintf(types + at, sizeof types - at, "%s: %s[", what,
	                       tsr_dtype_of(x) == TSR_I32 ? "int32" : "float32");
	for (int d = 0; d < tsr_ndim(x); d++)
		at += (size_t)snprintf(types + at, sizeof types - at, "%s%" PRId64, d ? "," : "",
		                       tsr_dim(x, d));
	snprintf(types + at, sizeof types - at, "]%s\n",
	         i && j ? "{V:(i,j)}" : i ? "{V:i}" : j ? "{V:j}" : "");
}

static tsr *typed(tsr *v)
{
	types[0] = 0;
	note("x", v);
	tsr *rows = tsr_psum(v, "j"), *all = tsr_psum(v, "i*j");
	note("psum over j", rows);
	note("psum over i,j", all);
	note("axis_index i", tsr_axis_index(v, "i"));
	note("pcast of that psum over i", tsr_pcast(all, "i", .to = TSR_TO_VARYING));
	note("all_gather over j", tsr_all_gather(v, "j", .tiled = true));
	note("all_gather to invarying",
	     tsr_all_gather(v, "j", .tiled = true, .to = TSR_TO_INVARYING));
	note("psum_scatter over j", tsr_psum_scatter(v, "j", .dim = D(1), .tiled = true));
	note("x + psum", tsr_add(v, all));
	return rows;
}

static void vma_types(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_reshape(tsr_arange(ctx, 32, .dtype = TSR_F32), D(8, 4));
	tsr *sum = tsr_call(tsr_shard_map(grid(ctx), typed, .sig = "[i,j] -> [i]"), x);
	assert_false(tsr_is_poison(sum));
	golden_same_text(types, "s0x.vma_types", "types");
}

static tsr *product(tsr *p, tsr *q) { return tsr_mul(p, q); }

/* the operand that is the same everywhere is cast without being asked */
static void pvary(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = pair(ctx);
	tsr *x = tsr_arange(ctx, 6, .dtype = TSR_F32), *y = tsr_arange(ctx, 3, .dtype = TSR_F32);
	tsr_fn *checked = tsr_shard_map(m, product, .sig = "[i] [] -> [i]");
	tsr_fn *unchecked = tsr_shard_map(m, product, .sig = "[i] [] -> [i]", .unchecked = true);

	golden_grads(checked, (tsr *[]){x, y}, NULL, "s0x.pvary_jaxpr",
	             "vma.ct vma.loss vma.grad_x vma.grad_y vma.value_and_grad.moves");
	golden_grads(unchecked, (tsr *[]){x, y}, NULL, "s0x.pvary_jaxpr",
	             "novma.ct novma.loss novma.grad_x novma.grad_y novma.value_and_grad.moves");
	assert_non_null(strstr(tsr_fn_text(checked, x, y), "pcast"));
	assert_null(strstr(tsr_fn_text(unchecked, x, y), "pcast"));
}

/* blocks that differ, said to be the same: unchecked, the first device's is taken */
static void wrong_promise(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = pair(ctx);
	tsr_fn *f = tsr_shard_map(m, peek, .sig = "[i] -> []", .unchecked = true);
	tsr *y = tsr_call(f, golden_load(ctx, "s0x.wrong_promise", "x"));
	golden_equal(y, "s0x.wrong_promise", "unchecked");
	golden_sharded(y, m, P());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(replicated_in, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(untile, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(psum_untile, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(vma_types, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(pvary, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(wrong_promise, golden_open, golden_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
