/* test_check_finite.c - values that are infinite or NaN are found where the user looks for them:
 * the value, its first such element, and the device. */
#include "support/mistakes.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#define U TSR_ERROR_USER

static world *here;
/* passes x on, checked */
static tsr *checked(tsr *x)
{
	here->line = __LINE__ + 1;
	tsr_check_finite(x, "the loss");
	return x;
}
static tsr *of_log(tsr *x) { return tsr_sum(checked(tsr_log(x))); }
static tsr *step(tsr *c) { return checked(tsr_mul(c, 1e20)); }

/* f32[8,16] of ones, and one other element */
static tsr *ones_but(world *w, int at, float value)
{
	float x[128];

	here = w;
	for (int i = 0; i < 128; i++) x[i] = i == at ? value : 1;
	return tsr_copy(tsr_from(w->ctx, x, TSR_F32, TSR_DIMS(8, 16)));
}

static tsr *at_once(world *w)
{
	checked(ones_but(w, 35, NAN));
	return NULL;
}
static tsr *scalar(world *w)
{
	here = w;
	checked(tsr_full(w->ctx, TSR_DIMS(), INFINITY));
	return NULL;
}
static tsr *complex_number(world *w)
{
	here = w;
	checked(tsr_astype(tsr_full(w->ctx, TSR_DIMS(2), -INFINITY), TSR_C64));
	return NULL;
}
static tsr *jitted(world *w) { return tsr_call(tsr_jit(w->ctx, of_log), ones_but(w, 17, -1)); }
static tsr *gradient(world *w) { return tsr_call(tsr_grad(w->ctx, of_log), ones_but(w, 17, 0)); }
static tsr *again(world *w)
{
	tsr_fn *f = tsr_remat(w->ctx, of_log);
	return tsr_call(tsr_grad(w->ctx, f), ones_but(w, 17, 0));
}
static tsr *mapped(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, checked, .sig = "[x,y] -> [x,y]");
	return tsr_call(f, ones_but(w, 5 * 16 + 9, NAN));
}
static tsr *one_of_batch(world *w)
{
	return tsr_call(tsr_vmap(w->ctx, checked), ones_but(w, 5 * 16 + 9, NAN));
}
static tsr *loop(tsr *x) { return tsr_scan(step, x, TSR_NONE, .length = 5); }
static tsr *in_loop(world *w) { return tsr_call(tsr_jit(w->ctx, loop), ones_but(w, 0, 1)); }
static tsr *in_eager_loop(world *w) { return loop(ones_but(w, 0, 1)); }
/* the same loop, from other lines than the one that was compiled */
static tsr *checked_here(tsr *x)
{
	here->line = __LINE__ + 1;
	tsr_check_finite(x, "the loss");
	return x;
}
static tsr *step_here(tsr *c) { return checked_here(tsr_mul(c, 1e20)); }
static tsr *in_second_loop(world *w)
{
	tsr *small = ones_but(w, 0, 1);
	tsr_scan(step, tsr_mul(small, 0), TSR_NONE, .length = 4);
	return tsr_scan(step_here, small, TSR_NONE, .length = 4);
}
static tsr *same(tsr *x) { return x; }
static tsr *in_eager_branch(world *w)
{
	tsr *x = ones_but(w, 35, NAN);
	return tsr_cond(tsr_lt(tsr_min(tsr_sign(x)), 2), same, checked, x);
}
static tsr *cut(world *w)
{
	tsr *x = tsr_put(ones_but(w, 5 * 16 + 9, NAN), w->mesh, TSR_P("x", "y"));
	return tsr_call(tsr_jit(w->ctx, checked), x);
}
static tsr *integers(world *w)
{
	here = w;
	WRONG(w, tsr_check_finite(w->i, NULL));
	return NULL;
}
static tsr *unnamed(world *w)
{
	tsr *x = ones_but(w, 0, NAN);
	WRONG(w, tsr_check_finite(x, NULL));
	return NULL;
}

static const mistake table[] = {
	MISTAKE(at_once, U, "the loss, f32[8,16], has nan at [2,3]"),
	MISTAKE(scalar, U, "the loss, f32[], has inf"),
	MISTAKE(complex_number, U, "the loss, c64[2], has", "at [0]"),
	MISTAKE(jitted, U, "the loss, f32[8,16], has nan at [1,1]"),
	MISTAKE(gradient, U, "the loss, f32[8,16], has -inf at [1,1]"),
	MISTAKE(again, U, "the loss, f32[8,16], has -inf at [1,1]"),
	MISTAKE(mapped, U, "the loss, f32[2,8], has nan at [1,1], on the device at x=2, y=1"),
	MISTAKE(one_of_batch, U, "the loss, f32[16], has nan at [9]"),
	MISTAKE(in_loop, U, "has inf at [0,0]"),
	MISTAKE(in_eager_loop, U, "has inf at [0,0]"),
	MISTAKE(in_second_loop, U, "has inf at [0,0]"),
	MISTAKE(in_eager_branch, U, "the loss, f32[8,16], has nan at [2,3]"),
	MISTAKE(cut, U, "the loss, f32[8,16], has nan at [5,9]"),
	MISTAKE(integers, TSR_ERROR_TYPE, "check_finite", "floating or complex"),
	MISTAKE(unnamed, U, "the value, f32[8,16], has nan at [0,0]"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_check_finite.c", table, sizeof table / sizeof *table),
	                 0);
}

/* what is finite passes, and the derivative is that of what is checked */
static void nothing_to_find(void **state)
{
	world w = {.ctx = tsr_open()};
	tsr *x = tsr_full(w.ctx, TSR_DIMS(3), 2.0), *y, *g;

	(void)state;
	here = &w;
	tsr_call_into(TSR_OUT(&y, &g), tsr_value_and_grad(w.ctx, of_log), x);
	assert_true(fabs(tsr_item(y) - 3 * log(2)) < 1e-6);
	assert_true(tsr_item(tsr_sum(g)) == 1.5);
	assert_int_equal(tsr_close(w.ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(nothing_to_find),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
