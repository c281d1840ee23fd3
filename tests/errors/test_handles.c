/* test_handles.c - operands and arguments that are no values: NULL, stale, of another context,
 * traced; wrong numbers and kinds of arguments. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

TSR_TREE_TYPE(pair, { tsr *w, *b; });
TSR_TREE_TYPE(three, { tsr *p, *q, *r; });
TSR_TREE_TYPE(with_void, { tsr *w; void *user; });
TSR_TREE_TYPE(with_number, { tsr *w[256]; double rate; });

static tsr *null_second_operand(world *w)
{
	return WRONG(w, tsr_add(w->a, (tsr *)NULL));
}

static tsr *null_first_operand(world *w)
{
	return WRONG(w, tsr_dot(NULL, w->b));
}

static tsr *null_in_concatenate(world *w)
{
	return WRONG(w, tsr_concatenate(0, w->a, NULL, w->a));
}

static tsr *null_in_where(world *w)
{
	return WRONG(w, tsr_where((tsr *)NULL, w->a, 0));
}

static tsr *null_argument(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, tsr_neg);
	return WRONG(w, tsr_call(f, (tsr *)NULL));
}

/* operands of one call that are checked one list after the other */
static tsr *otherwise_elsewhere(world *w)
{
	tsr *test = tsr_gt(w->a, 0);
	return WRONG(w, tsr_select(&test, &w->a, 1, w->elsewhere));
}

static tsr *choices_elsewhere(world *w)
{
	tsr *which = tsr_zeros(w->ctx, TSR_DIMS(8, 16), .dtype = TSR_I32);
	return WRONG(w, tsr_choose(which, &w->elsewhere, 1, TSR_CLIP));
}

/* ---- stale handles */

static tsr *made_in_a_scope(world *w)
{
	TSR_SCOPE(w->ctx);
	return tsr_neg(w->a);
}

static tsr *scope_has_ended(world *w)
{
	tsr *stale = made_in_a_scope(w);
	return WRONG(w, tsr_exp(stale));
}

static tsr *scope_has_ended_second_operand(world *w)
{
	tsr *stale = made_in_a_scope(w);
	return WRONG(w, tsr_mul(w->a, stale));
}

static tsr *scope_has_ended_argument(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, tsr_neg);
	tsr *stale = made_in_a_scope(w);
	return WRONG(w, tsr_call(f, stale));
}

static tsr *scope_has_ended_put(world *w)
{
	tsr *stale = made_in_a_scope(w);
	return WRONG(w, tsr_put(stale, w->mesh, TSR_P("x")));
}

static tsr *scope_has_ended_read(world *w)
{
	float out[128];
	tsr *stale = made_in_a_scope(w);
	const bool read = WRONG(w, tsr_read(stale, out, sizeof out));
	return read ? w->a : NULL;
}

static tsr *slot_was_dropped(world *w)
{
	tsr *slot = NULL;
	tsr_set(&slot, w->a);
	tsr *stale = slot;
	tsr_drop(&slot);
	return WRONG(w, tsr_sin(stale));
}

static tsr *slot_was_set_anew(world *w)
{
	tsr *slot = NULL;
	tsr_set(&slot, w->a);
	tsr *stale = slot;
	tsr_set(&slot, w->b);
	tsr_drop(&slot);
	return WRONG(w, tsr_cos(stale));
}

static tsr *leaked;

static tsr *leaks(tsr *x)
{
	leaked = tsr_mul(x, 2);
	return tsr_neg(x);
}

static tsr *trace_has_ended(world *w)
{
	tsr_call(tsr_jit(w->ctx, leaks), w->a);
	return WRONG(w, tsr_exp(leaked));
}

static tsr *uses_leaked(tsr *x)
{
	return tsr_add(x, leaked);
}

static tsr *trace_has_ended_inside_another(world *w)
{
	tsr_call(tsr_jit(w->ctx, leaks), w->a);
	return tsr_call(tsr_jit(w->ctx, uses_leaked), w->a);
}

/* ---- contexts */

static tsr *operand_of_another_context(world *w)
{
	return WRONG(w, tsr_add(w->a, w->elsewhere));
}

static tsr *argument_of_another_context(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, tsr_neg);
	return WRONG(w, tsr_call(f, w->elsewhere));
}

static tsr *second_argument_of_another_context(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, tsr_dot);
	return WRONG(w, tsr_call(f, w->a, w->elsewhere));
}

static tsr *initial_of_another_context(world *w)
{
	tsr *theirs = tsr_scalar(w->other, 1, .dtype = TSR_I32);
	return WRONG(w, tsr_sum(w->a, .initial = TSR_ARG(theirs)));
}

static tsr *where_of_another_context(world *w)
{
	tsr *theirs = tsr_full(w->other, TSR_DIMS(), true);
	return WRONG(w, tsr_sum(w->a, .where = theirs));
}

static tsr *mesh_of_another_context(world *w)
{
	tsr_mesh *mesh = tsr_mesh_make(w->other, {"x", 4});
	return WRONG(w, tsr_put(w->a, mesh, TSR_P("x")));
}

static tsr *fn_of_another_context(world *w)
{
	tsr_fn *f = tsr_jit(w->other, tsr_neg);
	return tsr_call(WRONG(w, tsr_jit(w->ctx, f)), w->a);
}

/* ---- values that are not known yet */

static int body_line;

static tsr *reads_item(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_item(x) > 0 ? x : tsr_neg(x);
}

static tsr *item_of_a_traced_value(world *w)
{
	tsr *y = tsr_call(tsr_jit(w->ctx, reads_item), tsr_scalar(w->ctx, 1.0));
	w->line = body_line;
	return y;
}

static tsr *reads_all(tsr *x)
{
	float out[6];
	body_line = __LINE__ + 1;
	return tsr_read(x, out, sizeof out) ? x : NULL;
}

static tsr *read_of_a_traced_value(world *w)
{
	tsr *y = tsr_call(tsr_jit(w->ctx, reads_all), w->v);
	w->line = body_line;
	return y;
}

static tsr *compares(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_allclose(x, x, 0, 0) ? x : tsr_neg(x);
}

static tsr *allclose_of_a_traced_value(world *w)
{
	tsr *y = tsr_call(tsr_jit(w->ctx, compares), w->v);
	w->line = body_line;
	return y;
}

static tsr *item_of_many(world *w)
{
	const double x = WRONG(w, tsr_item(w->a));
	return x == x ? w->a : NULL;
}

static tsr *item_int_of_none(world *w)
{
	tsr *none = tsr_zeros(w->ctx, TSR_DIMS(0));
	const int64_t x = WRONG(w, tsr_item_int(none));
	return x == 0 ? NULL : w->a;
}

static tsr *read_of_wrong_size(world *w)
{
	float out[100];
	const bool read = WRONG(w, tsr_read(w->a, out, sizeof out));
	return read ? w->a : NULL;
}

/* ---- arguments and results of fns */

static tsr *too_few_arguments(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, tsr_dot, .name = "product");
	return WRONG(w, tsr_call(f, w->a));
}

static tsr *too_many_arguments(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, tsr_neg, .name = "minus");
	return WRONG(w, tsr_call(f, w->a, w->b, w->v));
}

static tsr *no_argument(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, tsr_neg, .name = "minus");
	return WRONG(w, tsr_call(f));
}

static tsr *takes_a_tree(tsr_tree t, tsr *x)
{
	const pair *p = TSR_TREE_OF(pair, t);
	return tsr_add(tsr_dot(x, p->w), p->b);
}

static tsr *tree_for_a_handle(world *w)
{
	pair p = {.w = w->a, .b = w->b};
	tsr_fn *f = tsr_jit(w->ctx, tsr_dot, .name = "product");
	return WRONG(w, tsr_call(f, w->a, TSR_TREE(pair, &p)));
}

static tsr *handle_for_a_tree(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, takes_a_tree, .name = "layer");
	return WRONG(w, tsr_call(f, w->b, w->a));
}

static tsr *another_tree(world *w)
{
	three p = {.p = w->a, .q = w->b, .r = w->v};
	tsr_fn *f = tsr_jit(w->ctx, takes_a_tree, .name = "layer");
	return tsr_call(f, TSR_TREE(three, &p), w->a);
}

static void two_results(tsr_frame *frame)
{
	tsr_return(frame, tsr_frame_arg(frame, 0), tsr_neg(tsr_frame_arg(frame, 0)));
}

static tsr *one_place_for_two_results(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, two_results, .name = "both");
	return WRONG(w, tsr_call(f, w->a));
}

static tsr *three_places_for_two_results(world *w)
{
	tsr *y[3];
	tsr_fn *f = tsr_jit(w->ctx, two_results, .name = "both");
	WRONG(w, tsr_call_into(TSR_OUT(&y[0], &y[1], &y[2]), f, w->a));
	return y[2];
}

static tsr *tree_place_for_a_handle(world *w)
{
	three y = {0};
	tsr_fn *f = tsr_jit(w->ctx, tsr_neg, .name = "minus");
	WRONG(w, tsr_call_into(TSR_OUT(TSR_TREE(three, &y)), f, w->a));
	return y.q;
}

static tsr *returns_null(tsr *x)
{
	(void)x;
	return NULL;
}

static tsr *body_gives_null(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, returns_null, .name = "nothing");
	return WRONG(w, tsr_call(f, w->a));
}

static tsr *body_gives_null_in_a_map(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, returns_null, .sig = "[x] -> [x]", .name = "nothing");
	return WRONG(w, tsr_call(f, w->a));
}

static void returns_nothing(tsr_frame *frame)
{
	(void)!tsr_neg(tsr_frame_arg(frame, 0));
}

static tsr *body_without_return(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, returns_nothing, .name = "silent");
	return WRONG(w, tsr_call(f, w->a));
}

static void returns_twice(tsr_frame *frame)
{
	tsr_return(frame, tsr_frame_arg(frame, 0));
	tsr_return(frame, tsr_frame_arg(frame, 0));
}

static tsr *body_with_two_returns(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, returns_twice, .name = "eager");
	return tsr_call(f, w->a);
}

static void asks_for_more(tsr_frame *frame)
{
	tsr_return(frame, tsr_frame_arg(frame, 3));
}

static tsr *frame_argument_out_of_range(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, asks_for_more, .name = "greedy");
	return tsr_call(f, w->a, w->b);
}

static tsr *leaf_that_is_stale(world *w)
{
	pair p = {.w = w->b, .b = made_in_a_scope(w)};
	tsr_fn *f = tsr_jit(w->ctx, takes_a_tree, .name = "layer");
	return WRONG(w, tsr_call(f, TSR_TREE(pair, &p), w->a));
}

static tsr *leaf_that_is_absent(world *w)
{
	pair p = {.w = w->b};
	tsr_fn *f = tsr_jit(w->ctx, takes_a_tree, .name = "layer");
	return tsr_call(f, TSR_TREE(pair, &p), w->a);
}

static tsr *trees_of_different_size(world *w)
{
	pair p = {0};
	three q = {.p = w->a, .q = w->b, .r = w->v};
	tsr_set_tree(TSR_TREE(pair, &p), TSR_TREE(three, &q));
	return p.w;
}

static tsr *null_body(world *w)
{
	tsr *(*body)(tsr *) = NULL;
	return tsr_call(WRONG(w, tsr_jit(w->ctx, body)), w->a);
}

static tsr *env_without_size(world *w)
{
	tsr_fn *f = WRONG(w, tsr_jit(w->ctx, tsr_neg, .env = "abc"));
	return tsr_call(f, w->a);
}

/* ---- the caller's own errors, and which one stays */

static tsr *raised(world *w)
{
	return WRONG(w, tsr_fail(w->a, "rate must not be negative"));
}

static tsr *raises(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_fail(x, "odd number of heads");
}

static tsr *raised_in_a_body(world *w)
{
	tsr *y = tsr_call(tsr_jit(w->ctx, raises, .name = "attention"), w->a);
	w->line = body_line;
	return y;
}

static tsr *raised_in_a_body_of_a_body(world *w)
{
	tsr_fn *inner = tsr_jit(w->ctx, raises, .name = "attention");
	tsr_fn *outer = tsr_jit(w->ctx, inner, .name = "block");
	tsr *y = tsr_call(outer, w->a);
	w->line = body_line;
	return y;
}

static tsr *first_one_stays(world *w)
{
	tsr *y = WRONG(w, tsr_fail(w->a, "the first"));
	tsr_fail(w->a, "the second");
	(void)!tsr_dot(w->a, w->a);
	return tsr_add(y, w->a);
}

static tsr *poison_says_no_more(world *w)
{
	tsr *y = WRONG(w, tsr_dot(w->a, w->a));
	return tsr_sum(tsr_reshape(tsr_exp(tsr_mul(y, 2)), TSR_DIMS(3)), .dims = TSR_DIMS(7));
}

/* ---- fields that C takes for handles */

static tsr *first_leaf(tsr_tree t) { return t.leaf[0]; }

static tsr *void_field(world *w)
{
	int mine = 42;
	with_void t = {{w->a, &mine}};
	return WRONG(w, tsr_call(tsr_jit(w->ctx, first_leaf), TSR_TREE(with_void, &t)));
}

static tsr *void_field_absent(world *w)
{
	with_void t = {{w->a, NULL}};
	return WRONG(w, tsr_call(tsr_jit(w->ctx, first_leaf), TSR_TREE(with_void, &t)));
}

static tsr *number_behind_256_leaves(world *w)
{
	with_number t = {.w = {w->a}, .rate = 0.5};
	return WRONG(w, tsr_call(tsr_jit(w->ctx, first_leaf), TSR_TREE(with_number, &t)));
}

static tsr *void_field_of_captures(world *w)
{
	with_void t = {{w->a, NULL}};
	tsr_fn *f = WRONG(w, tsr_jit(w->ctx, tsr_neg, .captures = TSR_TREE(with_void, &t)));
	return tsr_call(f, w->a);
}

static const mistake table[] = {
	MISTAKE(void_field, TSR_ERROR_TYPE, "with_void", "void *user", ".env"),
	MISTAKE(void_field_absent, TSR_ERROR_TYPE, "with_void", "void *user"),
	MISTAKE(number_behind_256_leaves, TSR_ERROR_TYPE, "with_number", "double rate"),
	MISTAKE(void_field_of_captures, TSR_ERROR_TYPE, "with_void", "void *user"),
	MISTAKE(otherwise_elsewhere, TSR_ERROR_HANDLE, "select", "another context"),
	MISTAKE(choices_elsewhere, TSR_ERROR_HANDLE, "choose", "another context"),
	MISTAKE(null_second_operand, TSR_ERROR_HANDLE, "add", "NULL"),
	MISTAKE(null_first_operand, TSR_ERROR_HANDLE, "dot", "NULL"),
	MISTAKE(null_in_concatenate, TSR_ERROR_HANDLE, "concatenate", "NULL"),
	MISTAKE(null_in_where, TSR_ERROR_HANDLE, "where", "NULL"),
	MISTAKE(null_argument, TSR_ERROR_HANDLE, "NULL", "args[0]"),
	MISTAKE(scope_has_ended, TSR_ERROR_HANDLE, "exp", "scope"),
	MISTAKE(scope_has_ended_second_operand, TSR_ERROR_HANDLE, "mul", "scope"),
	MISTAKE(scope_has_ended_argument, TSR_ERROR_HANDLE, "scope"),
	MISTAKE(scope_has_ended_put, TSR_ERROR_HANDLE, "put", "scope"),
	MISTAKE(scope_has_ended_read, TSR_ERROR_HANDLE, "read", "scope"),
	MISTAKE(slot_was_dropped, TSR_ERROR_HANDLE, "sin"),
	MISTAKE(slot_was_set_anew, TSR_ERROR_HANDLE, "cos"),
	MISTAKE(trace_has_ended, TSR_ERROR_HANDLE, "exp"),
	MISTAKE(trace_has_ended_inside_another, TSR_ERROR_HANDLE, "add", "while tracing"),
	MISTAKE(operand_of_another_context, TSR_ERROR_HANDLE, "add", "context"),
	MISTAKE(argument_of_another_context, TSR_ERROR_HANDLE, "context"),
	MISTAKE(second_argument_of_another_context, TSR_ERROR_HANDLE, "args[1]", "context"),
	MISTAKE(initial_of_another_context, TSR_ERROR_HANDLE, "sum", "operand 1", "context"),
	MISTAKE(where_of_another_context, TSR_ERROR_HANDLE, "sum", "operand 1", "context"),
	MISTAKE(mesh_of_another_context, TSR_ERROR_HANDLE, "put", "context"),
	MISTAKE(fn_of_another_context, TSR_ERROR_ARGUMENT, "context"),
	MISTAKE(item_of_a_traced_value, TSR_ERROR_HANDLE, "traced", "cond",
	        "while tracing reads_item"),
	MISTAKE(read_of_a_traced_value, TSR_ERROR_HANDLE, "traced", "cond",
	        "while tracing reads_all"),
	MISTAKE(allclose_of_a_traced_value, TSR_ERROR_HANDLE, "cond", "while tracing compares"),
	MISTAKE(item_of_many, TSR_ERROR_TYPE, "item", "one element", "128"),
	MISTAKE(item_int_of_none, TSR_ERROR_TYPE, "item", "one element", "0"),
	MISTAKE(read_of_wrong_size, TSR_ERROR_ARGUMENT, "read", "512", "400"),
	MISTAKE(too_few_arguments, TSR_ERROR_ARGUMENT, "product", "2", "1"),
	MISTAKE(too_many_arguments, TSR_ERROR_ARGUMENT, "minus", "1", "3"),
	MISTAKE(no_argument, TSR_ERROR_ARGUMENT, "minus", "1", "0"),
	MISTAKE(tree_for_a_handle, TSR_ERROR_ARGUMENT, "product", "args[1]", "tree"),
	MISTAKE(handle_for_a_tree, TSR_ERROR_ARGUMENT, "layer", "args[0]", "tree"),
	MISTAKE(another_tree, TSR_ERROR_ARGUMENT, ": a tree of type three", "pair",
	        "while tracing layer"),
	MISTAKE(one_place_for_two_results, TSR_ERROR_ARGUMENT, "both", "2", "tsr_call_into"),
	MISTAKE(three_places_for_two_results, TSR_ERROR_ARGUMENT, "both", "2", "3"),
	MISTAKE(tree_place_for_a_handle, TSR_ERROR_ARGUMENT, "minus", "3"),
	MISTAKE(body_gives_null, TSR_ERROR_HANDLE, "nothing", "NULL"),
	MISTAKE(body_gives_null_in_a_map, TSR_ERROR_HANDLE, "nothing", "NULL"),
	MISTAKE(body_without_return, TSR_ERROR_ARGUMENT, "silent", "tsr_return"),
	MISTAKE(body_with_two_returns, TSR_ERROR_ARGUMENT, "while tracing eager"),
	MISTAKE(frame_argument_out_of_range, TSR_ERROR_ARGUMENT, "3", "2", "while tracing greedy"),
	MISTAKE(leaf_that_is_stale, TSR_ERROR_HANDLE, "layer", "args[0]", "stale"),
	MISTAKE(leaf_that_is_absent, TSR_ERROR_HANDLE, "add", "NULL", "while tracing layer"),
	MISTAKE(trees_of_different_size, TSR_ERROR_ARGUMENT, "2", "3"),
	MISTAKE(null_body, TSR_ERROR_ARGUMENT, "NULL"),
	MISTAKE(env_without_size, TSR_ERROR_ARGUMENT, "env_size"),
	MISTAKE(raised, TSR_ERROR_USER, "rate must not be negative"),
	MISTAKE(raised_in_a_body, TSR_ERROR_USER, "odd number of heads", "while tracing attention"),
	MISTAKE(raised_in_a_body_of_a_body, TSR_ERROR_USER, "odd number of heads",
	        "while tracing attention", "while tracing block"),
	MISTAKE(first_one_stays, TSR_ERROR_USER, "the first"),
	MISTAKE(poison_says_no_more, TSR_ERROR_TYPE, "dot", "(8, 16)"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_handles.c", table, sizeof table / sizeof *table), 0);
}

/* an error that nobody has read is logged at the end, once */
static void test_unread_error(void **state)
{
	(void)state;
	int logged = 0;
	tsr_ctx *ctx = tsr_open(.log = mistakes_log, .user = &logged);
	tsr_fail(ctx, "unread");
	assert_int_equal(logged, 0);
	assert_int_equal(tsr_close(ctx), TSR_ERROR_USER);
	assert_int_equal(logged, 1);
}

static tsr *needs_a_row(tsr *x)
{
	return tsr_dot(x, x);
}

/* the trace that failed is not kept: the same fn works with arguments that fit */
static void test_failed_trace_is_forgotten(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.log = mistakes_log);
	tsr_fn *f = tsr_jit(ctx, needs_a_row);
	for (int k = 0; k < 3; k++) {
		assert_true(tsr_is_poison(tsr_call(f, tsr_ones(ctx, TSR_DIMS(2, 3)))));
		assert_int_equal(tsr_status(ctx), TSR_ERROR_TYPE);
		tsr_clear(ctx);
		assert_true(tsr_item(tsr_call(f, tsr_ones(ctx, TSR_DIMS(4)))) == 4);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* owned slots keep what they hold when a call fails */
static void test_owned_slots_survive(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.log = mistakes_log);
	pair p = {0};
	tsr_set(&p.w, tsr_ones(ctx, TSR_DIMS(2, 3)));
	tsr_set(&p.b, tsr_ones(ctx, TSR_DIMS(5)));
	tsr_fn *f = tsr_jit(ctx, takes_a_tree);
	tsr_call_into(TSR_OUT(TSR_OWN(pair, &p)), f, TSR_TREE(pair, &p), p.w);
	assert_int_equal(tsr_status(ctx), TSR_ERROR_TYPE);
	tsr_clear(ctx);
	assert_true(tsr_item(tsr_sum(p.w)) == 6 && tsr_item(tsr_sum(p.b)) == 5);
	tsr_drop_tree(TSR_TREE(pair, &p));
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_unread_error),
		cmocka_unit_test(test_failed_trace_is_forgotten),
		cmocka_unit_test(test_owned_slots_survive),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
