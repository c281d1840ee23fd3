/* test_scopes.c - how long handles live, when two fns are the same, and when a body runs: through
 * the public API alone. */
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>

#define D TSR_DIMS
TSR_TREE_TYPE(pair, { tsr *w, *b; });

static int released;

static void count_release(void *user, void *data)
{
	(void)user;
	(void)data;
	released++;
}

static float memory[4] = {1, 2, 3, 4};

/* an array whose end can be seen */
static tsr *watched(tsr_ctx *ctx)
{
	return tsr_wrap(ctx, memory, TSR_F32, D(4), .release = count_release);
}

/* ---- every way out of a block */

static tsr *leaves_by_return(tsr_ctx *ctx, bool early)
{
	TSR_SCOPE(ctx);
	tsr *x = watched(ctx);
	if (early)
		return NULL;
	return tsr_keep(tsr_neg(x));
}

static void leaves_by_goto(tsr_ctx *ctx)
{
	{
		TSR_SCOPE(ctx);
		watched(ctx);
		{
			TSR_SCOPE(ctx);
			watched(ctx);
			goto out;
		}
	}
out:
	return;
}

static void test_ways_out(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open();
	released = 0;
	for (int k = 0; k < 3; k++) {
		TSR_SCOPE(ctx);
		watched(ctx);
		if (k == 0)
			continue;
		if (k == 1)
			break;
	}
	assert_int_equal(released, 2);
	leaves_by_return(ctx, true);
	assert_int_equal(released, 3);
	tsr *y = leaves_by_return(ctx, false);
	assert_int_equal(released, 4);
	assert_true(tsr_item(tsr_sum(y)) == -10);
	leaves_by_goto(ctx);
	assert_int_equal(released, 6);
	watched(ctx);
	assert_int_equal(released, 6);
	assert_int_equal(tsr_close(ctx), 0);
	assert_int_equal(released, 7);
}

/* memory goes back when scopes end */
static void test_memory_is_flat(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.debug = "c"); /* compiled at once, not on the way */
	size_t held = 0;
	for (int k = 0; k < 200; k++) {
		{
			TSR_SCOPE(ctx);
			tsr *x = tsr_ones(ctx, D(1000));
			for (int i = 0; i < 5; i++)
				x = tsr_add(tsr_mul(x, 2), 1);
			assert_true(tsr_item(tsr_sum(x)) == 63000);
		}
		if (k == 0)
			held = tsr_memory(ctx).in_use;
	}
	assert_int_equal(tsr_memory(ctx).in_use, held);
	assert_true(tsr_memory(ctx).peak > held + 4000);
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- keep, set, drop */

static void test_keep(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *outer = tsr_ones(ctx, D(2)), *kept = NULL, *twice = NULL, *lost = NULL;
	{
		TSR_SCOPE(ctx);
		{
			TSR_SCOPE(ctx);
			kept = tsr_keep(tsr_add(outer, 1));
			twice = tsr_keep(tsr_keep(tsr_add(outer, 2)));
			assert_ptr_equal(tsr_keep(outer), outer);
		}
		assert_true(tsr_item(tsr_sum(kept)) == 4);
		assert_true(tsr_item(tsr_sum(twice)) == 6);
		lost = twice;
		kept = tsr_keep(kept);
	}
	assert_true(tsr_item(tsr_sum(kept)) == 4);
	assert_true(tsr_is_poison(tsr_neg(lost)));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_HANDLE);
	tsr_clear(ctx);
	assert_true(tsr_item(tsr_sum(tsr_keep(kept))) == 4);
	assert_true(tsr_is_poison(tsr_keep(tsr_poison(ctx))));
	assert_int_equal(tsr_close(ctx), 0);
}

static void test_set_and_drop(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *slot = NULL, *second = NULL;
	released = 0;
	{
		TSR_SCOPE(ctx);
		tsr_set(&slot, watched(ctx));
		tsr_set(&second, slot);
		tsr_set(&slot, slot);
	}
	assert_int_equal(released, 0);
	assert_true(tsr_item(tsr_sum(slot)) == 10);
	tsr_set(&slot, tsr_zeros(ctx, D(2)));
	assert_int_equal(released, 0);
	assert_true(tsr_item(tsr_sum(second)) == 10);
	tsr_drop(&second);
	assert_int_equal(released, 1);
	assert_null(second);
	tsr_drop(&second);
	tsr_set(&second, tsr_poison(ctx));
	assert_true(tsr_is_poison(second));
	tsr_set(&second, NULL);
	assert_true(tsr_is_poison(second));
	tsr_drop(&second);
	tsr_clear(ctx);
	tsr_set(&slot, watched(ctx));
	assert_int_equal(tsr_close(ctx), 0);
	assert_int_equal(released, 2);
}

/* what a scope owns is released too, and copies of the handle end with it */
static void test_drop_of_a_result(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *y = watched(ctx), *copy = y, *none = NULL, *poison = tsr_poison(ctx);
	released = 0;
	tsr_drop(&y);
	assert_int_equal(released, 1);
	assert_null(y);
	assert_true(tsr_is_poison(tsr_neg(copy)));
	assert_non_null(strstr(tsr_message(ctx), "stale handle"));
	tsr_clear(ctx);
	tsr_drop(&copy);
	tsr_drop(&none);
	tsr_drop(&poison);
	tsr_drop(NULL);
	assert_int_equal(tsr_close(ctx), 0);
	assert_int_equal(released, 1);
}

/* a body that drops what its call was given */
static tsr *given;
static tsr *drops_it(tsr *x)
{
	tsr_drop(&given);
	return tsr_neg(x);
}

static void test_drop_in_a_body(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	given = watched(ctx);
	tsr *y = tsr_call(tsr_jit(ctx, drops_it), given);
	assert_true(tsr_is_poison(y));
	assert_non_null(strstr(tsr_message(ctx), "dropped operand 0 of the call that traced it"));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_HANDLE);
}

/* a handle kept in a slot is none of any scope's: keep leaves it alone */
static void test_owned_is_no_scopes(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open();
	tsr *slot = NULL;
	{
		TSR_SCOPE(ctx);
		tsr_set(&slot, tsr_ones(ctx, D(3)));
		assert_ptr_equal(tsr_keep(slot), slot);
	}
	assert_true(tsr_item(tsr_sum(slot)) == 3);
	tsr_drop(&slot);
	assert_int_equal(tsr_close(ctx), 0);
}

static tsr *update(tsr_tree t)
{
	const pair *p = TSR_TREE_OF(pair, t);
	return tsr_add(p->w, p->b);
}

static void update_both(tsr_frame *frame)
{
	const pair *p = TSR_TREE_OF(pair, tsr_frame_tree(frame, 0));
	pair next = *p;
	next.w = tsr_add(p->w, 1);
	next.b = p->w;
	tsr_return(frame, TSR_TREE(pair, &next));
}

static void test_owned_results(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open();
	pair p = {0};
	tsr_set(&p.w, tsr_scalar(ctx, 1.0));
	tsr_set(&p.b, tsr_scalar(ctx, 0.0));
	tsr_fn *step = tsr_jit(ctx, update_both);
	size_t held = 0;
	for (int k = 0; k < 100; k++) {
		TSR_SCOPE(ctx);
		tsr_call_into(TSR_OUT(TSR_OWN(pair, &p)), step, TSR_TREE(pair, &p));
		if (k == 50)
			held = tsr_memory(ctx).in_use;
	}
	assert_int_equal(tsr_memory(ctx).in_use, held);
	assert_true(tsr_item(p.w) == 101 && tsr_item(p.b) == 100);
	assert_true(tsr_item(tsr_call(tsr_jit(ctx, update), TSR_TREE(pair, &p))) == 201);
	assert_int_equal(tsr_fn_stats(step).traces, 1);
	tsr_drop_tree(TSR_TREE(pair, &p));
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- stale handles are noticed while their slot is reused up to 63 times */

static void test_stale_after_reuse(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *slot = NULL;
	tsr_set(&slot, tsr_ones(ctx, D(2)));
	tsr *stale = slot;
	tsr_drop(&slot);
	for (int k = 0; k < 62; k++) {
		tsr_set(&slot, tsr_zeros(ctx, D(2)));
		assert_true(tsr_is_poison(tsr_neg(stale)));
		assert_int_equal(tsr_status(ctx), TSR_ERROR_HANDLE);
		assert_ptr_equal(tsr_ctx_of(stale), ctx);
		tsr_clear(ctx);
		tsr_drop(&slot);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* many handles at a time, the oldest stay stale while slots go round */
static void test_many_stale(void **state)
{
	(void)state;
	enum { MANY = 500 };
	static tsr *old[MANY];
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	for (int round = 0; round < 20; round++) {
		TSR_SCOPE(ctx);
		for (int k = 0; k < MANY; k++) {
			tsr *x = tsr_scalar(ctx, k);
			if (round == 0)
				old[k] = x;
			else if (k % 50 == 0) {
				assert_true(tsr_is_poison(tsr_neg(old[k])));
				tsr_clear(ctx);
			}
			assert_int_equal(tsr_item_int(x), k);
		}
	}
	assert_int_equal(tsr_close(ctx), 0);
}

static double nest(tsr_ctx *ctx, tsr *x, int depth)
{
	TSR_SCOPE(ctx);
	watched(ctx);
	tsr *y = tsr_add(x, 1);
	return depth == 1 ? tsr_item(tsr_sum(y)) : nest(ctx, y, depth - 1);
}

static void test_32_nested_scopes(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open();
	released = 0;
	assert_true(nest(ctx, tsr_zeros(ctx, D(1)), 32) == 32);
	assert_int_equal(released, 32);
	assert_int_equal(tsr_close(ctx), 0);
}

/* ending a scope ends those inside it; ending one twice is nothing */
static void test_scopes_by_hand(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	released = 0;
	tsr_scope *a = tsr_scope_open(ctx);
	watched(ctx);
	tsr_scope *b = tsr_scope_open(ctx);
	watched(ctx);
	tsr_scope *c = tsr_scope_open(ctx);
	tsr *x = watched(ctx);
	tsr_scope_close_(&b);
	assert_null(b);
	assert_int_equal(released, 2);
	assert_true(tsr_is_poison(tsr_neg(x)));
	tsr_clear(ctx);
	tsr_scope_close_(&c);
	tsr_scope_close_(&b);
	assert_int_equal(released, 2);
	watched(ctx);
	tsr_scope_close_(&a);
	assert_int_equal(released, 4);
	tsr_scope *open = tsr_scope_open(ctx);
	assert_non_null(open);
	watched(ctx);
	assert_int_equal(tsr_close(ctx), 0);
	assert_int_equal(released, 5);
}

/* ---- when a body runs */

static int runs;

static tsr *twice(tsr *x)
{
	runs++;
	return tsr_mul(x, 2);
}

static void test_cached_traces(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open();
	tsr_fn *f = tsr_jit(ctx, twice);
	runs = 0;
	for (int k = 0; k < 5; k++)
		tsr_call(f, tsr_full(ctx, D(3), (double)k));
	assert_int_equal(runs, 1);
	tsr_call(f, tsr_ones(ctx, D(4)));
	assert_int_equal(runs, 2);
	tsr_call(f, tsr_ones(ctx, D(3), .dtype = TSR_I32));
	assert_int_equal(runs, 3);
	tsr_call(f, tsr_ones(ctx, D(3)));
	tsr_call(f, tsr_ones(ctx, D(4)));
	assert_int_equal(runs, 3);
	assert_int_equal(tsr_fn_stats(f).calls, 9);
	assert_int_equal(tsr_fn_stats(f).traces, 3);
	tsr_fn_text(f, tsr_ones(ctx, D(4)));
	assert_int_equal(runs, 3);
	assert_int_equal(tsr_close(ctx), 0);
}

static void test_maps_are_cached(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	runs = 0;
	for (int k = 0; k < 5; k++) {
		tsr_fn *f = tsr_jit(ctx, tsr_shard_map(mesh, twice, .sig = "[x] -> [x]"));
		assert_true(tsr_item(tsr_sum(tsr_call(f, tsr_ones(ctx, D(8))))) == 16);
	}
	assert_int_equal(runs, 1);
	tsr_call(tsr_shard_map(mesh, twice, .sig = "[] -> []"), tsr_ones(ctx, D(8)));
	assert_int_equal(runs, 2);
	assert_int_equal(tsr_close(ctx), 0);
}

/* the place of a committed array is none of the trace's business */
static void test_placement_does_not_retrace(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr_fn *f = tsr_shard_map(mesh, twice, .sig = "[x] -> [x]");
	tsr *x = tsr_arange(ctx, 8);
	runs = 0;
	tsr *a = tsr_call(f, x), *b = tsr_call(f, tsr_put(x, mesh, TSR_P("x")));
	tsr *c = tsr_call(f, tsr_put(x, mesh, TSR_P()));
	assert_true(tsr_array_equal(a, b) && tsr_array_equal(b, c));
	assert_int_equal(runs, 1);
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- which fns are the same */

struct hyper { double rate; int64_t steps; };

static void scaled(tsr_frame *frame)
{
	const struct hyper *h = tsr_frame_env(frame);
	runs++;
	tsr_return(frame, tsr_mul(tsr_frame_arg(frame, 0), h ? h->rate : 1.0));
}

static void test_identity(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	struct hyper a = {0.5, 1}, b = {0.5, 1}, c = {0.25, 1};
	tsr_fn *f = tsr_jit(ctx, scaled, TSR_ENV(&a));
	assert_ptr_equal(f, tsr_jit(ctx, scaled, TSR_ENV(&a)));
	assert_ptr_equal(f, tsr_jit(ctx, scaled, TSR_ENV(&b)));
	assert_ptr_not_equal(f, tsr_jit(ctx, scaled, TSR_ENV(&c)));
	assert_ptr_not_equal(f, tsr_jit(ctx, scaled));
	assert_ptr_not_equal(f, tsr_jit(ctx, twice));
	assert_ptr_equal(tsr_jit(ctx, tsr_jit(ctx, twice)), tsr_jit(ctx, tsr_jit(ctx, twice)));
	assert_ptr_equal(tsr_shard_map(mesh, twice, .sig = "[x,-] -> [x]"),
	                 tsr_shard_map(mesh, twice, .in = TSR_SPECS(TSR_P("x", NULL)),
	                               .out = TSR_SPECS(TSR_P("x"))));
	assert_ptr_not_equal(tsr_shard_map(mesh, twice, .sig = "[x] -> [x]"),
	                     tsr_shard_map(mesh, twice, .sig = "[x] -> [x]", .unchecked = true));
	a.rate = 100;
	assert_true(tsr_item(tsr_call(f, tsr_scalar(ctx, 8.0))) == 4);
	assert_ptr_not_equal(f, tsr_jit(ctx, scaled, TSR_ENV(&a)));
	assert_int_equal(tsr_close(ctx), 0);
}

/* equal records are one fn, whatever was in their padding, where the compiler can clear it; where
 * it cannot, that is told once */
struct deal { double strike; char kind; };

static tsr_fn *with_padding(tsr_ctx *ctx, int padding)
{
	struct deal d;
	memset(&d, padding, sizeof d);
	d.strike = 2;
	d.kind = 1;
	const struct deal *same = &d;
	return tsr_jit(ctx, scaled, .name = "scaled", TSR_ENV(same));
}

static void count_env(void *user, int level, const char *text)
{
	(void)level;
	*(int *)user += strstr(text, "different .env") != NULL;
}

static void test_padding(void **state)
{
	(void)state;
	int told = 0;
	tsr_ctx *ctx = tsr_open(.log = count_env, .user = &told);
	tsr_fn *f = with_padding(ctx, 0);
#if !defined __clang__
	for (int i = 1; i < 40; i++) assert_ptr_equal(f, with_padding(ctx, i));
	assert_int_equal(told, 0);
#endif
	tsr *key = tsr_key(ctx, 1); /* what the library is written with is nobody's .env */
	for (int i = 0; i < 40; i++) assert_int_equal(tsr_dim(tsr_uniform(key, TSR_DIMS(i)), 0), i);
	assert_int_equal(told, 0);
	for (int i = 0; i < 40; i++) f = tsr_jit(ctx, scaled, TSR_ENV((&(struct hyper){i, 0})));
	assert_int_equal(tsr_fn_stats(f).calls, 0);
	assert_int_equal(told, 1);
	assert_int_equal(tsr_close(ctx), 0);
}

static void test_equal_texts(void **state)
{
	static const char sine[] = "f(%0: f32[2]) -> f32[2] {\n%1: f32[2] = sin %0\nreturn %1\n}\n",
			  cosine[] =
				  "f(%0: f32[2]) -> f32[2] {\n%1: f32[2] = cos %0\nreturn %1\n}\n";
	tsr_ctx *ctx = tsr_open();
	tsr_fn *f[2];

	(void)state;
	for (int i = 0; i < 2; i++) f[i] = tsr_parse(ctx, sine);
	assert_ptr_equal(f[0], f[1]);
	assert_ptr_not_equal(f[0], tsr_parse(ctx, cosine));
	assert_int_equal(tsr_close(ctx), 0);
}

static void test_env_belongs_to_the_trace(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open();
	runs = 0;
	for (int k = 0; k < 6; k++) {
		const struct hyper h = {k % 2 ? 2.0 : 3.0, 0};
		const double y = tsr_item(tsr_call(tsr_jit(ctx, scaled, TSR_ENV(&h)), 5.0));
		assert_true(y == (k % 2 ? 10 : 15));
	}
	assert_int_equal(runs, 2);
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- captures are read afresh at each call */

static void adds_captures(tsr_frame *frame)
{
	const pair *p = TSR_TREE_OF(pair, tsr_frame_captures(frame));
	runs++;
	tsr_return(frame, tsr_add(tsr_frame_arg(frame, 0), tsr_mul(p->w, p->b)));
}

static void test_captures(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	pair p = {0}, other = {0};
	tsr_set(&p.w, tsr_scalar(ctx, 2.0));
	tsr_set(&p.b, tsr_scalar(ctx, 3.0));
	other = p;
	tsr_fn *f = tsr_jit(ctx, adds_captures, .captures = TSR_TREE(pair, &p));
	assert_ptr_equal(f, tsr_jit(ctx, adds_captures, .captures = TSR_TREE(pair, &p)));
	assert_ptr_not_equal(f, tsr_jit(ctx, adds_captures, .captures = TSR_TREE(pair, &other)));
	runs = 0;
	assert_true(tsr_item(tsr_call(f, 1.0)) == 7);
	tsr_set(&p.w, tsr_scalar(ctx, 10.0));
	assert_true(tsr_item(tsr_call(f, 1.0)) == 31);
	assert_int_equal(runs, 1);
	tsr_set(&p.w, tsr_ones(ctx, D(2)));
	assert_true(tsr_item(tsr_sum(tsr_call(f, 1.0))) == 8);
	assert_int_equal(runs, 2);
	tsr_drop(&p.w);
	assert_true(tsr_is_poison(tsr_call(f, 1.0)));
	tsr_clear(ctx);
	tsr_drop(&p.b);
	assert_int_equal(tsr_close(ctx), 0);
}

/* captures of a body that a map calls, and of one that calls a map */
static void test_captures_in_maps(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 2);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	pair p = {0};
	tsr_set(&p.w, tsr_scalar(ctx, 2.0));
	tsr_set(&p.b, tsr_scalar(ctx, 3.0));
	tsr_fn *f = tsr_shard_map(mesh, adds_captures, .sig = "[x] -> [x]",
	                          .captures = TSR_TREE(pair, &p));
	tsr_fn *g = tsr_jit(ctx, f);
	assert_true(tsr_item(tsr_sum(tsr_call(f, tsr_zeros(ctx, D(4))))) == 24);
	tsr_set(&p.b, tsr_scalar(ctx, 4.0));
	assert_true(tsr_item(tsr_sum(tsr_call(f, tsr_zeros(ctx, D(4))))) == 32);
	assert_true(tsr_item(tsr_sum(tsr_call(g, tsr_zeros(ctx, D(4))))) == 32);
	tsr_set(&p.b, tsr_scalar(ctx, 5.0));
	assert_true(tsr_item(tsr_sum(tsr_call(g, tsr_zeros(ctx, D(4))))) == 40);
	tsr_drop_tree(TSR_TREE(pair, &p));
	assert_int_equal(tsr_close(ctx), 0);
}

/* a handle reached in another way is lifted, and the body then runs at each call */

static tsr *global;

static tsr *uses_global(tsr *x)
{
	runs++;
	return tsr_add(x, global);
}

static void test_lifted(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open();
	tsr_fn *f = tsr_jit(ctx, uses_global);
	runs = 0;
	for (int k = 0; k < 4; k++) {
		global = tsr_scalar(ctx, k);
		assert_true(tsr_item(tsr_call(f, 10)) == 10 + k);
	}
	assert_int_equal(runs, 4);
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- an eager operation is not traced again */

/* compiled at once: where runs take long, they may be compiled only after hundreds of them */
static void test_eager_is_cached(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.debug = "c");
	tsr *x = tsr_ones(ctx, D(16));
	size_t held = 0;
	for (int k = 0; k < 1000; k++) {
		{
			TSR_SCOPE(ctx);
			(void)!tsr_sum(tsr_exp(tsr_add(tsr_mul(x, 2.0), x)));
		}
		if (k == 2)
			held = tsr_memory(ctx).in_use;
	}
	/* had it been traced or compiled again, programs would have piled up */
	assert_int_equal(tsr_memory(ctx).in_use, held);
	assert_int_equal(tsr_close(ctx), 0);
}

/* scopes in a body end within the trace, and a kept value leaves it */

static tsr *scoped_body(tsr *x)
{
	TSR_SCOPE(x);
	{
		TSR_SCOPE(x);
		(void)!tsr_exp(x);
	}
	return tsr_keep(tsr_mul(x, 3));
}

static void test_scopes_in_a_body(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 2);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr *x = tsr_ones(ctx, D(4));
	assert_true(tsr_item(tsr_sum(tsr_call(tsr_jit(ctx, scoped_body), x))) == 12);
	tsr_fn *f = tsr_shard_map(mesh, scoped_body, .sig = "[x] -> [x]");
	assert_true(tsr_item(tsr_sum(tsr_call(f, x))) == 12);
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- an outermost scope that grows in a loop is told once, with the line and the cure */

static char told[2][1024];
static int tellings;
static void keep_warnings(void *user, int level, const char *text)
{
	(void)user;
	if (level == 1 && tellings < 2) strncpy(told[tellings++], text, sizeof *told - 1);
}

static void test_growth_is_told(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = keep_warnings);
	tsr *w = tsr_ones(ctx, D(3)), *other = NULL;
	char line[80];

	(void)state;
	tellings = 0;
	for (int i = 0; i < 12000; i++) {
		other = tsr_mul(w, 1e-3);
		snprintf(line, sizeof line, "test_scopes.c:%d: this line has made", __LINE__ + 1);
		w = tsr_sub(w, tsr_neg(other));
	}
	assert_int_equal(tellings, 1);
	assert_non_null(strstr(told[0], line));
	assert_non_null(strstr(told[0], "In a loop write TSR_SCOPE(ctx);"));
	assert_int_equal(tsr_close(ctx), 0);
}

/* 1 GiB in values of 4 MiB */
static void test_large_growth_is_told(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = keep_warnings);
	tsr *w = tsr_zeros(ctx, D(1 << 20));

	(void)state;
	tellings = 0;
	for (int i = 0; i < 600 && !tellings; i++) w = tsr_neg(w);
	assert_int_equal(tellings, 1);
	assert_int_equal(tsr_close(ctx), 0);
}

/* values in scopes, values that are kept, and values of many lines are what they should be */
static void test_nothing_is_told(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = keep_warnings);
	tsr *w = NULL, *kept[4000];

	(void)state;
	tellings = 0;
	tsr_set(&w, tsr_ones(ctx, D(3)));
	for (int i = 0; i < 20000; i++) {
		TSR_SCOPE(ctx);
		tsr_set(&w, tsr_sub(w, tsr_mul(w, 1e-3)));
	}
	for (int i = 0; i < 4000; i++) kept[i] = tsr_zeros(ctx, D(3));
	assert_false(tsr_is_poison(kept[3999]));
	assert_int_equal(tellings, 0);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways_out),
		cmocka_unit_test(test_memory_is_flat),
		cmocka_unit_test(test_keep),
		cmocka_unit_test(test_set_and_drop),
		cmocka_unit_test(test_drop_of_a_result),
		cmocka_unit_test(test_drop_in_a_body),
		cmocka_unit_test(test_owned_is_no_scopes),
		cmocka_unit_test(test_owned_results),
		cmocka_unit_test(test_stale_after_reuse),
		cmocka_unit_test(test_many_stale),
		cmocka_unit_test(test_32_nested_scopes),
		cmocka_unit_test(test_scopes_by_hand),
		cmocka_unit_test(test_cached_traces),
		cmocka_unit_test(test_maps_are_cached),
		cmocka_unit_test(test_placement_does_not_retrace),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_padding),
		cmocka_unit_test(test_equal_texts),
		cmocka_unit_test(test_env_belongs_to_the_trace),
		cmocka_unit_test(test_captures),
		cmocka_unit_test(test_captures_in_maps),
		cmocka_unit_test(test_lifted),
		cmocka_unit_test(test_eager_is_cached),
		cmocka_unit_test(test_scopes_in_a_body),
		cmocka_unit_test(test_growth_is_told),
		cmocka_unit_test(test_large_growth_is_told),
		cmocka_unit_test(test_nothing_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
