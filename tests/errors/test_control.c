/* test_control.c - branches that differ, carries that change, predicates of a wrong type,
 * lengths that do not fit, and collectives that only some devices reach. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#define D TSR_DIMS
TSR_TREE_TYPE(state, { tsr *count, *total; });

static tsr *same(tsr *x) { return x; }
static tsr *negate(tsr *x) { return tsr_neg(x); }
static tsr *total(tsr *x) { return tsr_sum(x); }
static tsr *as_int(tsr *x) { return tsr_astype(x, TSR_I32); }
static tsr *add(tsr *a, tsr *b) { return tsr_add(a, b); }
static world *here;
static tsr *wrong_in_body(tsr *x) { return WRONG(here, tsr_dot(x, tsr_ones(x, D(5)))); }
static void two_results(tsr_frame *f) { tsr_return(f, tsr_frame_arg(f, 0), tsr_frame_arg(f, 0)); }
static tsr *yes(tsr *x) { return tsr_ge(tsr_sum(x), 0); }
static tsr *row(tsr *x) { return tsr_ge(x, 0); }
static tsr *number(tsr *x) { return tsr_sum(x); }
static tsr *step(tsr *i, tsr *x) { return tsr_add(x, i); }
static tsr *halved(tsr *i, tsr *x) { return tsr_add(tsr_div(x, 2), i); }
static tsr *shrink(tsr *i, tsr *x)
{
	(void)i;
	return tsr_mul(x, 0.5f);
}

static tsr *second(tsr *a, tsr *b)
{
	(void)a;
	return b;
}

/* ---- cond and switch */
#define CASE(name, call) static tsr *name(world *w) { return WRONG(w, call); }
CASE(pred_with_dims, tsr_cond(tsr_gt(w->v, 0), same, negate, w->v))
CASE(pred_complex, tsr_cond(tsr_astype(tsr_sum(w->v), TSR_C64), same, negate, w->v))
CASE(pred_null, tsr_cond((tsr *)NULL, same, negate, w->v))
CASE(operand_elsewhere, tsr_cond(tsr_gt(tsr_sum(w->v), 0), same, negate, w->elsewhere))
CASE(branches_of_other_dims, tsr_cond(true, same, total, w->v))
CASE(branches_of_other_dtypes, tsr_cond(true, same, as_int, w->v))
CASE(branches_of_other_structure, tsr_cond(true, same, two_results, w->v))
CASE(branch_takes_two, tsr_cond(true, same, add, w->v))
static tsr *branch_fails(world *w)
{
	here = w;
	return tsr_cond(true, same, wrong_in_body, w->v);
}
CASE(two_values_for_one, tsr_cond(true, two_results, two_results, w->v))
CASE(index_with_dims, tsr_switch(w->i, TSR_BRANCHES(same, negate), w->v))
CASE(index_float, tsr_switch(tsr_sum(w->v), TSR_BRANCHES(same, negate), w->v))
CASE(third_branch_differs, tsr_switch(0, TSR_BRANCHES(same, negate, total), w->v))
CASE(no_branches_of_x, tsr_switch(0, ((tsr_branches){NULL, 0}), w->v))
CASE(body_null, tsr_cond(true, (tsr *(*)(tsr *))NULL, same, w->v))
CASE(body_elsewhere, tsr_cond(true, tsr_jit(w->other, same), same, w->v))

/* ---- loops */
CASE(carry_changes_dims, tsr_while(yes, total, w->v))
CASE(carry_changes_dtype, tsr_fori(0, 3, shrink, w->i))
CASE(carry_becomes_float, tsr_fori(0, 3, halved, w->i))
CASE(number_takes_no_array, tsr_scan(add, 0, w->a))
CASE(while_pred_with_dims, tsr_while(row, same, w->v))
CASE(while_pred_is_a_number, tsr_while(number, same, w->v))
CASE(body_gives_too_many, tsr_while(yes, two_results, w->v))
CASE(fori_of_floats, tsr_fori(0, tsr_sum(w->v), step, w->v))
CASE(fori_of_a_float, tsr_fori(0.5, 3, step, w->v))
CASE(fori_of_arrays, tsr_fori(w->i, 3, step, w->v))
CASE(fori_of_two_dtypes, tsr_fori(tsr_astype(tsr_sum(w->i), TSR_I64), tsr_sum(w->i), step, w->v))
CASE(fori_of_too_many, tsr_fori(0, 1, two_results, w->v, w->v, w->v, w->v, w->v, w->v, w->v, 1))
CASE(fori_unrolled_backwards, tsr_fori_unrolled(-1, 0, 3, step, w->v))
CASE(fori_unrolled_unknown, tsr_fori_unrolled(2, 0, tsr_sum(w->i), step, w->v))
CASE(batches_of_none, tsr_map_batched(0, same, w->v))
CASE(batches_of_scalars, tsr_map_batched(2, same, tsr_sum(w->v)))
CASE(batches_of_lengths, tsr_map_batched(2, add, w->v, w->i))
CASE(lengths_differ, tsr_map(add, w->v, w->i))
CASE(length_disagrees, tsr_scan(add, 0, w->v, .length = 5))
CASE(call_of_none, tsr_call(tsr_jit(w->ctx, same), TSR_NONE))
CASE(no_length, tsr_scan(same, w->v, TSR_NONE))
CASE(no_leading_dim, tsr_map(same, tsr_sum(w->v)))
CASE(length_negative, tsr_scan(same, w->v, TSR_NONE, .length = -1))
CASE(scan_gives_no_carry, tsr_scan(second, w->v, w->a))

static void drops_a_leaf(tsr_frame *f)
{
	const state *s = TSR_TREE_OF(state, tsr_frame_tree(f, 0));
	state next = {.total = s->total};
	tsr_return(f, TSR_TREE(state, &next));
}
static void counts_in_floats(tsr_frame *f)
{
	const state *s = TSR_TREE_OF(state, tsr_frame_tree(f, 0));
	state next = {.count = tsr_add(s->count, 0.5f), .total = s->total};
	tsr_return(f, TSR_TREE(state, &next));
}
static tsr *tree_loses_a_leaf(world *w)
{
	state s = {.count = tsr_sum(w->i), .total = w->v};
	return WRONG(w, tsr_scan(drops_a_leaf, TSR_TREE(state, &s), TSR_NONE, .length = 2));
}
static tsr *leaf_changes_dtype(world *w)
{
	state s = {.count = tsr_sum(w->i), .total = w->v};
	return WRONG(w, tsr_scan(counts_in_floats, TSR_TREE(state, &s), TSR_NONE, .length = 2));
}

/* ---- reverse mode */
static tsr *small(tsr *x) { return tsr_lt(x, 100); }
static tsr *doubled(tsr *x) { return tsr_mul(x, 2); }
static tsr *grows(tsr *x) { return WRONG(here, tsr_while(small, doubled, tsr_sum(x))); }
static tsr *counts(tsr *x)
{
	return WRONG(here, tsr_fori(0, tsr_scalar(x, 3), step, tsr_sum(x)));
}
static tsr *grad_of_while(world *w)
{
	here = w;
	return tsr_call(tsr_grad(w->ctx, grows), w->v);
}
static tsr *grad_of_dynamic_fori(world *w)
{
	here = w;
	return tsr_call(tsr_grad(w->ctx, counts), w->v);
}

/* ---- associative_scan */
static tsr *sums(tsr *a, tsr *b) { return tsr_sum(tsr_add(a, b)); }
CASE(associative_changes_dims, tsr_associative_scan(sums, w->v))
CASE(associative_dim, tsr_associative_scan(add, w->v, .dim = D(1)))

/* ---- on the mesh x:4, y:2, whose blocks of w->a are f32[2,8] */
#define MAPPED_AS(name, is_unchecked, call) \
	static tsr *name##_in(tsr *x) { world *w = here; return WRONG(w, call); } \
	static tsr *name(world *w) \
	{ \
		here = w; \
		tsr_fn *f = tsr_shard_map(w->mesh, name##_in, .sig = "[x,y] -> [x,y]", \
		                          .unchecked = is_unchecked); \
		return tsr_call(f, w->a); \
	}
#define MAPPED(name, call) MAPPED_AS(name, false, call)
static tsr *equal(tsr *x) { return tsr_zeros(x, D(2, 8)); }
static tsr *first(tsr *x) { return tsr_lt(tsr_axis_index(x, "x"), 1); }
static tsr *sum_of_x(tsr *x) { return tsr_pcast(tsr_psum(x, "x"), "x"); }
static tsr *alone(tsr *x) { return WRONG(here, tsr_psum(x, "x")); }
static tsr *alone_in_scan(tsr *x) { return tsr_scan(sum_of_x, x, TSR_NONE, .length = 2); }
static tsr *to_x_only(tsr *x) { return tsr_psum(x, "y"); }

MAPPED(carry_varies_later, tsr_scan(add, equal(x), tsr_reshape(x, D(1, 2, 8))))
MAPPED(carry_varies_no_more, tsr_scan(to_x_only, x, TSR_NONE, .length = 2))
MAPPED(branch_varies_less, tsr_cond(true, same, equal, x))
MAPPED(fori_by_device, tsr_fori(0, tsr_axis_index(x, "x"), step, equal(x)))
MAPPED(exchange_in_a_branch, tsr_cond(first(x), sum_of_x, same, x))
MAPPED(exchange_deep_in_a_branch, tsr_cond(first(x), alone_in_scan, same, x))
MAPPED(exchange_in_a_while, tsr_while(first, sum_of_x, x))
MAPPED_AS(alone_in_a_branch, true, tsr_cond(first(x), alone, same, x))
MAPPED_AS(alone_in_a_while, true, tsr_while(first, alone, x))


#define A TSR_ERROR_ARGUMENT
#define T TSR_ERROR_TYPE
#define S TSR_ERROR_SHARDING
static const mistake table[] = {
	MISTAKE(pred_with_dims, T, "Pred must be a scalar", "bool[6]"),
	MISTAKE(pred_complex, T, "Pred type must be either boolean or number", "c64[]"),
	MISTAKE(pred_null, TSR_ERROR_HANDLE, "cond", "predicate", "NULL"),
	MISTAKE(operand_elsewhere, TSR_ERROR_HANDLE, "args[0]", "another context"),
	MISTAKE(branches_of_other_dims, T, "cond branches must have equal output types",
	        "false_fn", "f32[]", "true_fn", "f32[6]", "shapes do not match"),
	MISTAKE(branches_of_other_dtypes, T, "i32[6]", "f32[6]", "dtypes do not match"),
	MISTAKE(branches_of_other_structure, T, "same structure", "false_fn", "true_fn", "2"),
	MISTAKE(branch_takes_two, A, "false_fn takes 2 arguments, got 1"),
	MISTAKE(branch_fails, T, "dot", "while tracing false_fn"),
	MISTAKE(two_values_for_one, A, "cond", "2 values", "tsr_cond_into"),
	MISTAKE(index_with_dims, T, "Index must be a scalar", "i32[8]"),
	MISTAKE(index_float, T, "Index type must be an integer", "f32[]"),
	MISTAKE(third_branch_differs, T, "switch branches", "branch 0", "branch 2", "f32[6]"),
	MISTAKE(no_branches_of_x, A, "switch", "no branches"),
	MISTAKE(body_null, A, "cond", "NULL"),
	MISTAKE(body_elsewhere, A, "cond", "another context"),
	MISTAKE(carry_changes_dims, T, "while body function carry input and carry output must have "
	        "equal types", "args[0]", "f32[6]", "f32[]", "shapes do not match"),
	MISTAKE(fori_unrolled_backwards, A, "unroll cannot be negative"),
	MISTAKE(fori_unrolled_unknown, A, "unrolled", "bounds are C numbers"),
	MISTAKE(batches_of_none, A, "batch_size must be at least 1", "got 0"),
	MISTAKE(batches_of_scalars, T, "map_batched", "no leading dim"),
	MISTAKE(batches_of_lengths, T, "map_batched", "different leading dim sizes"),
	MISTAKE(carry_becomes_float, TSR_ERROR_TYPE, "0.0 in place of 0"),
	MISTAKE(carry_changes_dtype, T, "fori body", "args[1]", "i32[8]", "f32[8]", "dtypes"),
	MISTAKE(number_takes_no_array, T, "args[0]", "f32[]", "f32[16]", "shapes"),
	MISTAKE(while_pred_with_dims, T, "must return a boolean scalar", "bool[6]"),
	MISTAKE(while_pred_is_a_number, T, "must return a boolean scalar", "f32[]"),
	MISTAKE(body_gives_too_many, T, "same structure", "1", "2"),
	MISTAKE(fori_of_floats, T, "integer scalar", "f32[]"),
	MISTAKE(fori_of_a_float, T, "fori", "integer"),
	MISTAKE(fori_of_arrays, T, "integer scalar", "i32[8]"),
	MISTAKE(fori_of_two_dtypes, T, "lower and upper arguments to fori must have equal types",
	        "i64", "i32"),
	MISTAKE(fori_of_too_many, A, "fori", "7", "8"),
	MISTAKE(lengths_differ, T, "map got values with different leading dim sizes: 6, 8"),
	MISTAKE(length_disagrees, T, ".length of 5", "disagrees", "6"),
	MISTAKE(call_of_none, A, "args[0] is left out (TSR_NONE)"),
	MISTAKE(no_length, A, "no values to scan over", ".length not provided"),
	MISTAKE(no_leading_dim, T, "no leading dim to scan over", "args[0]"),
	MISTAKE(length_negative, A, "negative"),
	MISTAKE(scan_gives_no_carry, T, "args[0]", "f32[6]", "f32[16]"),
	MISTAKE(tree_loses_a_leaf, T, "same structure", "args[0].count is absent"),
	MISTAKE(leaf_changes_dtype, T, "args[0].count", "i32[]", "f32[]", "dtypes do not match"),
	MISTAKE(grad_of_while, TSR_ERROR_UNSUPPORTED, "reverse-mode", "while", "tsr_scan",
	        "tsr_fori"),
	MISTAKE(grad_of_dynamic_fori, TSR_ERROR_UNSUPPORTED, "reverse-mode", "C numbers"),
	MISTAKE(associative_changes_dims, T, "fn must give values like those it takes", "f32[3]",
	        "f32[]"),
	MISTAKE(associative_dim, A, "associative_scan", "1"),
	MISTAKE(carry_varies_later, T, "args[0]", "f32[2,8]", "f32[2,8]{x,y}",
	        "applying tsr_pcast(..., \"x*y\", .to = TSR_TO_VARYING) to the initial carry",
	        "tsr_zeros_like"),
	MISTAKE(carry_varies_no_more, T, "args[0]", "f32[2,8]{x,y}", "f32[2,8]{x}",
	        "the manual axis types do not match"),
	MISTAKE(branch_varies_less, T, "false_fn",
	        "applying tsr_pcast(..., \"x*y\", .to = TSR_TO_VARYING) to the output of false_fn"),
	MISTAKE(fori_by_device, T, "args[1]", "f32[2,8]{x}",
	        "tsr_pcast(..., \"x\", .to = TSR_TO_VARYING)", "predicate varies"),
	MISTAKE(exchange_in_a_branch, S, "this cond varies over axes \"x\"",
	        "psum at test_control.c", "for ever"),
	MISTAKE(exchange_deep_in_a_branch, S, "this cond varies over axes \"x\"", "psum at"),
	MISTAKE(exchange_in_a_while, S, "this while varies over axes \"x\"", "psum at"),
	MISTAKE(alone_in_a_branch, S, "psum", "{0}", "{2,4,6}", "while running cond"),
	MISTAKE(alone_in_a_while, S, "psum", "while running while", "test_control.c"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_control.c", table, sizeof table / sizeof *table), 0);
}

/* without a handle, and without an open context */
static void test_no_context(void **state)
{
	(void)state;
	assert_true(tsr_is_poison(tsr_while(yes, same, 1)));
	assert_true(tsr_is_poison(tsr_associative_scan(add, TSR_NONE)));
	assert_true(tsr_is_poison(tsr_scan(add, 0, TSR_NONE, .length = 3)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_no_context),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
