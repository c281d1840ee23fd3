/* test_float_state.c - a caller's rounding, flushing of denormals and traps change no result, and
 * are his again after each call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fenv.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include "base/base.h"
#include "support/quiet.h"
#include <cmocka.h>

/* ---- states of the processor */

static void flush_denormals(void)
{
#if defined __x86_64__
	__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined __aarch64__
	uint64_t control;

	__asm__ volatile("mrs %0, fpcr" : "=r"(control));
	__asm__ volatile("msr fpcr, %0" : : "r"(control | 1 << 24));
#endif
}

static void trap_all(void)
{
	feclearexcept(FE_ALL_EXCEPT);
	feenableexcept(FE_ALL_EXCEPT);
}

static const char *const engines[] = {"interp", "cpu"};

static void nothing(void) {}
/* the worst first: what is compiled serves all contexts of the process */
static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
static void (*const changes[])(void) = {trap_all, flush_denormals, nothing};

/* all of what the state is, exception flags included */
typedef struct control {
	int64_t own, rounding, traps, flags;
} control;

static control control_now(void)
{
	control c = {0, fegetround(), fegetexcept(), fetestexcept(FE_ALL_EXCEPT)};

#if defined __x86_64__
	c.own = __builtin_ia32_stmxcsr();
#elif defined __aarch64__
	__asm__ volatile("mrs %0, fpcr" : "=r"(c.own));
#endif
	return c;
}

/* ---- what is computed in each; no arithmetic of floats here, it would trap */

typedef struct results {
	char bytes[16384];
	size_t len;
} results;

static void keep(results *r, const void *bytes, size_t n)
{
	assert_true(r->len + n <= sizeof r->bytes);
	memcpy(r->bytes + r->len, bytes, n);
	r->len += n;
}

static void keep_array(results *r, tsr *x)
{
	char bytes[1024];
	const size_t n = (size_t)tsr_nbytes(x);

	assert_true(n <= sizeof bytes && tsr_read(x, bytes, n));
	keep(r, bytes, n);
	const char *text = tsr_text(x);
	keep(r, text, strlen(text));
}

static tsr *folded(tsr *x)
{
	tsr *c = tsr_div(tsr_scalar(tsr_ctx_of(x), 1.0f), tsr_exp(tsr_scalar(tsr_ctx_of(x), 3.0f)));

	return tsr_add(tsr_mul(x, c), tsr_full(tsr_ctx_of(x), TSR_DIMS(4), 0.1));
}
static tsr *loss(tsr *x) { return tsr_sum(tsr_sin(tsr_mul(x, tsr_div(x, 3)))); }
static tsr *mean(tsr *x) { return tsr_psum(tsr_div(tsr_sum(x), 7), "x"); }
static tsr *third(tsr *x) { return tsr_div(x, 3); }

static void in_bodies(results *r, tsr_ctx *ctx, tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr_fn *jitted = tsr_jit(ctx, folded);

	keep_array(r, tsr_call(jitted, x));
	const char *text = tsr_fn_compiled_text(jitted, x);
	keep(r, text, strlen(text));
	keep_array(r, tsr_call(tsr_grad(ctx, loss), x));
	keep_array(r, tsr_call(tsr_vmap(ctx, third), x));
	keep_array(r, tsr_call(tsr_shard_map(mesh, mean, .in = TSR_SPECS(TSR_P("x")),
	                                     .out = TSR_SPECS(TSR_P())),
	                       x));
}

static void outside_bodies(results *r, tsr_ctx *ctx, tsr *x)
{
	static const tsr_dtype dtypes[] = {TSR_F16, TSR_BF16, TSR_F64, TSR_C64, TSR_I32, TSR_BOOL};
	const int64_t large[2] = {(1LL << 62) + 1, -(1LL << 53) - 1}, denormal = 0x123456789;
	tsr *tiny = tsr_from(ctx, (const void *)&denormal, TSR_F64, TSR_DIMS(1));
	float out[4];

	keep_array(r, x);
	keep_array(r, tsr_mul(x, tsr_div(tsr_full(ctx, TSR_DIMS(4), 0.3), 7.7)));
	keep_array(r, tsr_sqrt(tsr_exp(x)));
	keep_array(r, tsr_div(x, 0));
	keep_array(r, tsr_sum(x));
	keep_array(r, tsr_mul(x, FLT_MIN));
	for (size_t i = 0; i < ARRAY_LEN(dtypes); i++) keep_array(r, tsr_astype(x, dtypes[i]));
	keep_array(r, tsr_astype(tsr_from(ctx, large, TSR_I64, TSR_DIMS(2)), TSR_F32));
	keep_array(r, tsr_arange(ctx, 5, .step = 0.1, .start = 0.7));
	assert_true(tsr_read_into(tsr_astype(x, TSR_F64), out, .dtype = TSR_F32));
	keep(r, out, sizeof out);
	const bool same[2] = {tsr_allclose(x, tsr_mul(x, 1.0001), 1e-3, 1e-45),
	                      tsr_array_equal(tiny, tsr_zeros_like(tiny))};
	keep(r, same, sizeof same);
	const char *text = "0.1";
	assert_true(number_read(&text, TSR_F32, out));
	keep(r, out, sizeof *out);
}

/* "c": what the engine cpu runs is compiled at once, in the state that is set; by two workers */
static void compute(const char *engine, results *r)
{
	/* a third, a denormal, a huge and a negative number */
	const uint32_t bits[4] = {0x3eaaaaab, 0x00012345, 0x7f000001, 0xc0490fdb};
	tsr_ctx *ctx = tsr_open(.devices = 2, .engine = engine, .plugin_dir = PLUGIN_DIR,
	                        .debug = "c", .workers = 2, .log = log_nothing);
	tsr *x = tsr_from(ctx, (const void *)bits, TSR_F32, TSR_DIMS(4));

	outside_bodies(r, ctx, x);
	in_bodies(r, ctx, x);
	keep(r, tsr_sharding_picture(x), 16);
	assert_int_equal(tsr_close(ctx), 0);
}

static void check_state(const char *engine, int rounding, void (*change)(void),
                        const results *expected)
{
	static results got;

	got.len = 0;
	fesetround(rounding);
	change();
	const control before = control_now();
	compute(engine, &got);
	const control after = control_now();
	fesetenv(FE_DFL_ENV);
	assert_memory_equal(&before, &after, sizeof before);
	assert_int_equal(got.len, expected->len);
	assert_memory_equal(got.bytes, expected->bytes, got.len);
}

static void results_are_the_same_in_each_state(void **state)
{
	static results expected;

	(void)state;
	compute("interp", &expected);
	for (size_t e = 0; e < ARRAY_LEN(engines); e++)
		for (size_t i = 0; i < ARRAY_LEN(roundings); i++)
			for (size_t k = 0; k < ARRAY_LEN(changes); k++)
				check_state(engines[e], roundings[i], changes[k], &expected);
}

/* a call that fails has changed nothing either, whichever request for memory it fails at */
static void the_state_is_restored_after_errors(void **state)
{
	bool failed = true;

	(void)state;
	for (int64_t n = 1; failed; n += 7) {
		tsr_ctx *ctx = tsr_open(.fail_at = n);
		fesetround(FE_UPWARD);
		trap_all();
		const control before = control_now();
		tsr *x = tsr_zeros(ctx, TSR_DIMS(4));
		tsr_call(tsr_jit(ctx, folded), x);
		failed = tsr_status(ctx);
		tsr_clear(ctx);
		(void)!tsr_add(x, tsr_zeros(ctx, TSR_DIMS(3, 5)));
		const control after = control_now();
		fesetenv(FE_DFL_ENV);
		tsr_clear(ctx);
		tsr_close(ctx);
		assert_memory_equal(&before, &after, sizeof before);
	}
}

/* the test itself: the states are what they are called */
static void states_change_arithmetic(void **state)
{
	volatile float one = 1, tiny = FLT_MIN, up, down, flushed, kept;

	(void)state;
	fesetround(FE_UPWARD);
	up = one / 3;
	fesetround(FE_DOWNWARD);
	down = one / 3;
	fesetround(FE_TONEAREST);
	flush_denormals();
	flushed = tiny / 2;
	fesetenv(FE_DFL_ENV);
	kept = tiny / 2;
	assert_true(up > down && flushed == 0 && kept > 0);
	trap_all();
	assert_int_equal(fegetexcept(), FE_ALL_EXCEPT);
	fesetenv(FE_DFL_ENV);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_change_arithmetic),
		cmocka_unit_test(results_are_the_same_in_each_state),
		cmocka_unit_test(the_state_is_restored_after_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
