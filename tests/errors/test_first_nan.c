/* test_first_nan.c - letter N: the equation that made the first NaN of a result, and its line; in
 * fns and at once, interpreted and compiled, under transformations, on devices. */
#include "support/quiet.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>

static int line; /* of the equation */
#define HERE(call) (line = __LINE__, (call))

static tsr *loss(tsr *x)
{
	tsr *y = HERE(tsr_log(x));
	return tsr_sum(tsr_mul(y, y));
}
static tsr *chosen(tsr *x) { return tsr_sum(tsr_where(tsr_gt(x, 0), tsr_log(x), 0)); }
static tsr *norm(tsr *x) { return HERE(tsr_sqrt(tsr_sum(tsr_square(x)))); }
static tsr *step(tsr *c, tsr *x)
{
	tsr *y = HERE(tsr_sqrt(tsr_sub(c, x)));
	return y;
}
static tsr *loop(tsr *x) { return tsr_scan(step, 3.0f, x); }
static tsr *block(tsr *x) { return tsr_psum(tsr_sum(HERE(tsr_sqrt(x))), "x*y"); }
static tsr *differences(tsr *x)
{
	tsr *whole = tsr_psum(x, "x*y");
	return HERE(tsr_sub(whole, whole));
}
static int calls;
static bool half_or_nan(const tsr_host_call *c)
{
	const float x = *(const float *)c->in[0];

	calls++;
	*(float *)c->out[0] = x < 0 ? NAN : x / 2;
	return true;
}
static tsr *asked(tsr *x)
{
	tsr_fn *f = tsr_pure_callback(x, half_or_nan,
	                              .results = TSR_RESULTS({TSR_F32, TSR_DIMS()}));
	tsr_debug_print("{}", x);
	return HERE(tsr_call(f, x));
}
static tsr *total(tsr *x) { return tsr_sum(x); }
static tsr *integers(tsr *x) { return tsr_sum(tsr_astype(x, TSR_I32)); }

/* f32[8] of ones, and one other element */
static tsr *ones_but(tsr_ctx *ctx, int at, float value)
{
	float x[8];

	for (int i = 0; i < 8; i++) x[i] = i == at ? value : 1;
	return tsr_from(ctx, x, TSR_F32, TSR_DIMS(8));
}

static tsr *jitted(tsr_ctx *ctx) { return tsr_call(tsr_jit(ctx, loss), ones_but(ctx, 5, -1)); }
static tsr *given_up(tsr_ctx *ctx)
{
	tsr *x = NULL;
	tsr_set(&x, ones_but(ctx, 5, -1));
	tsr *y = tsr_call(tsr_jit(ctx, loss, .donate = TSR_DIMS(0)), x);
	tsr_drop(&x);
	return y;
}
static tsr *at_once(tsr_ctx *ctx) { return loss(ones_but(ctx, 5, -1)); }
static tsr *gradient(tsr_ctx *ctx)
{
	return tsr_call(tsr_grad(ctx, norm), tsr_zeros(ctx, TSR_DIMS(3)));
}
static tsr *batch(tsr_ctx *ctx)
{
	return tsr_call(tsr_vmap(ctx, loss), tsr_reshape(ones_but(ctx, 5, -1), TSR_DIMS(2, 4)));
}
static tsr *looped(tsr_ctx *ctx) { return tsr_call(tsr_jit(ctx, loop), ones_but(ctx, 2, 4)); }
static tsr *mapped(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	tsr_fn *f = tsr_shard_map(mesh, block, .sig = "[x*y] -> []");
	return tsr_call(f, ones_but(ctx, 5, -1));
}
static tsr *exchanged(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_shard_map(tsr_mesh_make(ctx, {"x", 2}, {"y", 2}), differences,
	                          .sig = "[x*y] -> []");
	return tsr_call(f, ones_but(ctx, 5, INFINITY));
}
static tsr *spread(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	tsr *x = tsr_put(ones_but(ctx, 5, -1), mesh, TSR_P("x*y"));
	return tsr_call(tsr_jit(ctx, loss), x);
}
static tsr *of_callback(tsr_ctx *ctx)
{
	return tsr_call(tsr_jit(ctx, asked), tsr_scalar(ctx, -1.0f));
}
static tsr *from_outside(tsr_ctx *ctx)
{
	return HERE(tsr_call(tsr_jit(ctx, total), ones_but(ctx, 3, NAN)));
}

static const struct {
	const char *name;
	tsr *(*make)(tsr_ctx *);
	const char *fact[3];
} cases[] = {
	{"jitted", jitted, {"log makes the first nan: f32[8] has nan at [5]"}},
	{"given_up", given_up, {"log makes the first nan: f32[8] has nan at [5]"}},
	{"at_once", at_once, {"log makes the first nan: f32[8] has nan at [5]"}},
	{"gradient", gradient, {"makes the first nan: f32[3] has nan at [0]"}},
	{"batch", batch, {"log makes the first nan: f32[2,4] has nan at [1,1]"}},
	{"looped", looped, {"sqrt makes the first nan: f32[] has nan"}},
	{"mapped", mapped, {"sqrt makes the first nan: f32[2] has nan at [1]", "on device 2"}},
	{"exchanged", exchanged, {"sub makes the first nan: f32[2] has nan at [1]"}},
	{"spread", spread, {"log makes the first nan: f32[2] has nan at [1]", "on device 2"}},
	{"of_callback", of_callback, {"callback makes the first nan: f32[] has nan"}},
	{"from_outside", from_outside,
         {"result 0, f32[] has nan", "it came in with args[0] of type f32[8]"}},
};

static tsr_ctx *open_with(const char *letters)
{
	return tsr_open(.devices = 4, .debug = letters, .log = log_nothing);
}

static void check_case(size_t k, const char *letters)
{
	tsr_ctx *ctx = open_with(letters);
	const char *said;
	char place[80];

	line = 0;
	tsr *y = cases[k].make(ctx);
	said = tsr_message(ctx);
	if (tsr_status(ctx) != TSR_ERROR_USER || !tsr_is_poison(y))
		fail_msg("%s, %s: %s", cases[k].name, letters, said);
	for (int i = 0; i < 3 && cases[k].fact[i]; i++)
		if (!strstr(said, cases[k].fact[i])) fail_msg("%s: %s", cases[k].name, said);
	snprintf(place, sizeof place, "test_first_nan.c:%d", line);
	if (!strstr(said, place)) fail_msg("%s, not at %s: %s", cases[k].name, place, said);
	assert_int_equal(tsr_close(ctx), TSR_ERROR_USER);
}

static void first_equation_is_told(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		check_case(k, "N");
		check_case(k, "Nc");
	}
}

/* what no result shows is none, and a run without NaN is as it was */
static void unseen_is_none(void **state)
{
	tsr_ctx *ctx = open_with("N");

	(void)state;
	assert_true(tsr_item(tsr_call(tsr_jit(ctx, chosen), ones_but(ctx, 5, -1))) == 0);
	assert_true(tsr_item_int(tsr_call(tsr_jit(ctx, integers), ones_but(ctx, 5, 3))) == 10);
	assert_true(tsr_item(tsr_call(tsr_jit(ctx, loop), tsr_zeros(ctx, TSR_DIMS(4)))) >= 0);
	assert_int_equal(tsr_close(ctx), 0);
}

/* without the letter a NaN is a number like others */
static void not_unasked(void **state)
{
	tsr_ctx *ctx = open_with(NULL);

	(void)state;
	assert_true(isnan(tsr_item(jitted(ctx))));
	assert_int_equal(tsr_close(ctx), 0);
}

/* the second run calls what has results once more, and prints nothing again */
static void effects_of_the_second_run(void **state)
{
	tsr_ctx *ctx = open_with("N");

	(void)state;
	calls = 0;
	of_callback(ctx);
	assert_int_equal(calls, 2);
	assert_int_equal(tsr_close(ctx), TSR_ERROR_USER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_equation_is_told),
		cmocka_unit_test(unseen_is_none),
		cmocka_unit_test(not_unasked),
		cmocka_unit_test(effects_of_the_second_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
