/* test_cache.c - the cache of a context stays within its limit: many shapes, many fns, little
 * memory; and fns that are released.
 *
 * The environment variable TSR_CALLS lengthens the walk over shapes and fns; the slow test makes a
 * million calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "trace/trace.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

#define MIB ((size_t)1 << 20)
#define HANDLES MIB /* at most, of 10,000 fns and the values of a call: they are not the cache's */

static char logged[1024];

static void keep(void *user, int level, const char *text)
{
	(void)user;
	if (level == 0) snprintf(logged, sizeof logged, "%s", text);
}

/* ---- many shapes, many fns */

typedef struct hyper {
	int64_t shift;
} hyper;

static void shifted(tsr_frame *f)
{
	const hyper *h = tsr_frame_env(f);
	tsr_return(f, tsr_add(tsr_mul(tsr_frame_arg(f, 0), 2), (double)h->shift));
}

static tsr *product(tsr *x) { return tsr_mul(x, tsr_sin(x)); }

/* of the process; 0: it says nothing, as the address sanitizer keeps what was freed */
static size_t resident(void)
{
#ifdef __SANITIZE_ADDRESS__
	return 0;
#endif
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f && fscanf(f, "%*s %ld", &pages) != 1) pages = 0;
	if (f) fclose(f);
	return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static unsigned next(unsigned *seed) { return (*seed = *seed * 1664525 + 1013904223) >> 8; }

/* one call of a kind that chance decides: an operation, a fn with an env, or a derivative, which is
 * made and released */
static void one_call(tsr_ctx *ctx, tsr *x, int64_t nx, int64_t nfns, unsigned *seed)
{
	TSR_SCOPE(ctx);
	const int64_t n = 1 + next(seed) % nx, k = next(seed) % nfns;
	tsr *v = tsr_slice(x, 0, 0, n);
	const unsigned kind = next(seed) % 8;
	double want = 0, got = 0;

	if (kind < 4) {
		got = tsr_item(tsr_index(tsr_add(v, v), 0, n - 1));
		want = 2 * (double)(n - 1);
	} else if (kind < 7) {
		tsr_fn *f = tsr_jit(ctx, shifted, .name = "shifted", TSR_ENV((&(hyper){k})));
		got = tsr_item(tsr_index(tsr_call(f, v), 0, n - 1));
		want = 2 * (double)(n - 1) + (double)k;
	} else {
		tsr_linearized l = tsr_vjp(TSR_OUT(&v), tsr_jit(ctx, product), v);
		got = tsr_item(tsr_index(tsr_call(l.fn, l.residuals, tsr_ones_like(v)), 0, 0));
		tsr_fn_release(l.fn);
	}
	if (got != want) fail_msg("call of kind %u at size %lld gave %g", kind, (long long)n, got);
}

static void walk(size_t limit, const char *debug, int64_t calls, int64_t shapes, int64_t nfns)
{
	tsr_ctx *ctx = tsr_open(.cache_limit = limit, .plugin_dir = PLUGIN_DIR, .debug = debug,
	                        .workers = 1, .log = keep);
	tsr *x = tsr_arange(ctx, (int)shapes, .dtype = TSR_F32);
	unsigned seed = 7;
	size_t before = 0;

	assert_int_equal(tsr_status(ctx), TSR_OK);
	const size_t alone = tsr_memory(ctx).in_use;
	for (int64_t i = 0; i < calls; i++) {
		one_call(ctx, x, shapes, nfns, &seed);
		if (tsr_memory(ctx).in_use > alone + limit + HANDLES)
			fail_msg("after %lld calls %zu bytes are in use", (long long)i,
			         tsr_memory(ctx).in_use);
		if (i == calls / 10) before = resident();
	}
	const size_t after = resident();
	if (after > before + 64 * MIB)
		fail_msg("resident memory grew from %zu to %zu bytes", before, after);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void many_shapes_and_fns(void **state)
{
	const char *text = getenv("TSR_CALLS");
	const int64_t calls = text ? atoll(text) : 10000;

	(void)state;
	walk(64 * MIB, "", calls, 10000, 10000);
	walk(8 * MIB, "", calls / 10, 1000, 500);
	walk(4 * MIB, "c", calls / 200, 500, 100); /* everything is compiled */
}

/* ---- entries that are in use stay */

static tsr *doubled(tsr *x) { return tsr_add(x, x); }
static tsr *twice_in(tsr *x) { return tsr_call(tsr_jit(tsr_ctx_of(x), doubled), doubled(x)); }
static tsr *counts_up(tsr *i, tsr *x) { return tsr_add(x, tsr_astype(i, TSR_F32)); }
static tsr *flows(tsr *x)
{
	return tsr_add(tsr_fori(0, 3, counts_up, x), tsr_map_batched(2, doubled, x));
}

/* with room for nothing, everything is made again at each call, and nothing goes too early */
static void a_limit_of_one_byte(void **state)
{
	static const char *const debug[] = {"", "c", "r"};

	(void)state;
	for (size_t d = 0; d < ARRAY_LEN(debug); d++) {
		tsr_ctx *ctx = tsr_open(.cache_limit = 1, .plugin_dir = PLUGIN_DIR,
		                        .debug = debug[d], .log = keep);
		tsr *x = tsr_ones(ctx, TSR_DIMS(4)), *y;
		tsr_fn *f = tsr_jit(ctx, twice_in), *g = tsr_jit(ctx, flows);
		for (int i = 0; i < 3; i++) {
			assert_true(tsr_item(tsr_sum(tsr_call(f, x))) == 16);
			assert_true(tsr_item(tsr_sum(tsr_call(g, x))) == 24);
			assert_true(tsr_item(tsr_sum(flows(x))) == 24);
			tsr_linearized l = tsr_vjp(TSR_OUT(&y), f, x);
			assert_true(tsr_item(tsr_sum(tsr_call(l.fn, l.residuals, y))) == 64);
		}
		assert_int_equal(tsr_fn_stats(f).executables, 0);
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* when memory runs out, what is kept goes before a call fails */
static void kept_things_make_room(void **state)
{
	tsr_ctx *ctx = tsr_open(.memory_limit = 2 * MIB, .engine = "interp", .log = keep);
	tsr *x = tsr_arange(ctx, 1000, .dtype = TSR_F32);

	(void)state;
	for (int n = 1; n <= 1000; n++) {
		TSR_SCOPE(ctx);
		assert_true(tsr_item(tsr_index(doubled(tsr_slice(x, 0, 0, n)), 0, n - 1)) ==
		            2 * (n - 1));
	}
	tsr *large = tsr_zeros(ctx, TSR_DIMS(1 << 18)); /* 1 MiB */
	assert_false(tsr_is_poison(large));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- fns that are released */

static int released;
static int64_t released_shift;
static void on_release(void *env)
{
	released++;
	released_shift = ((const hyper *)env)->shift;
}

static size_t fns(const tsr_ctx *ctx) { return ctx->fns.count; }

static tsr_fn *with_env(tsr_ctx *ctx, int64_t shift)
{
	return tsr_jit(ctx, shifted, .name = "shifted", TSR_ENV((&(hyper){shift})),
	               .env_release = on_release);
}

static void a_released_fn_goes(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = keep);
	tsr *x = tsr_ones(ctx, TSR_DIMS(3));

	(void)state;
	released = 0;
	tsr_fn *f = with_env(ctx, 5), *again = with_env(ctx, 5);
	assert_ptr_equal(f, again);
	assert_true(tsr_item(tsr_sum(tsr_call(f, x))) == 21);
	tsr_fn_release(f);
	assert_int_equal(released, 0); /* it was made twice */
	assert_true(tsr_item(tsr_sum(tsr_call(f, x))) == 21);
	assert_int_equal(tsr_fn_stats(f).hits, 1);
	tsr_fn_release(again);
	assert_int_equal(released, 1);
	assert_int_equal(released_shift, 5);
	assert_int_equal(fns(ctx), 0);
	/* made anew, it is another one */
	tsr_fn *third = with_env(ctx, 5);
	assert_ptr_not_equal(third, f);
	assert_int_equal(tsr_fn_stats(third).calls, 0);
	tsr_fn_release(NULL);
	assert_int_equal(tsr_status(ctx), TSR_OK);
	assert_int_equal(tsr_close(ctx), TSR_OK);
	assert_int_equal(released, 2); /* by tsr_close */
}

/* what is made of a fn holds it */
static void a_fn_that_is_held_stays(void **state)
{
	static tsr *y;
	tsr_ctx *ctx = tsr_open(.log = keep);
	tsr *x = tsr_ones(ctx, TSR_DIMS(3));

	(void)state;
	released = 0;
	tsr_fn *f = with_env(ctx, 5), *batch = tsr_vmap(ctx, f), *outer = tsr_jit(ctx, batch);
	tsr_fn_release(f);
	tsr_fn_release(batch);
	assert_int_equal(released, 0);
	assert_true(tsr_item(tsr_sum(tsr_call(outer, x))) == 21);
	tsr_fn_release(outer);
	assert_int_equal(released, 1);
	/* but not what the library makes of it for itself */
	f = with_env(ctx, 6);
	tsr_linearized l = tsr_vjp(TSR_OUT(&y), f, x);
	assert_true(tsr_item(tsr_sum(tsr_map_batched(2, f, x))) == 24);
	tsr_fn_release(f);
	assert_int_equal(released, 2);
	assert_true(tsr_item(tsr_sum(tsr_call(l.fn, l.residuals, x))) == 6);
	tsr_fn_release(l.fn);
	assert_int_equal(fns(ctx), 0);
	/* a hessian has an inner fn */
	tsr_fn *h = tsr_hessian(ctx, shifted, TSR_ENV((&(hyper){7})), .env_release = on_release);
	tsr_fn_release(h);
	assert_int_equal(released, 3);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static tsr_fn *itself;
static void releases_itself(tsr_frame *f)
{
	tsr_fn_release(itself);
	assert_int_equal(released, 0); /* the call holds it */
	tsr_return(f, tsr_add(tsr_frame_arg(f, 0), 1));
}

static void a_call_holds_its_fn(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = keep);

	(void)state;
	released = 0;
	itself = tsr_jit(ctx, releases_itself, TSR_ENV((&(hyper){1})), .env_release = on_release);
	assert_true(tsr_item(tsr_call(itself, 2.0)) == 3);
	assert_int_equal(released, 1);
	assert_int_equal(fns(ctx), 0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* each use of a released fn says where it is */
static void released_fns_are_stale(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = keep);
	tsr *x = tsr_ones(ctx, TSR_DIMS(3)), *y = NULL;
	tsr_fn *f = tsr_jit(ctx, doubled);

	(void)state;
	tsr_fn_release(f);
	for (int use = 0; use < 9; use++) {
		char where[40];
		int line = 0;
		switch (use) {
		case 0:
			line = __LINE__ + 1;
			y = tsr_call(f, x);
			break;
		case 1:
			line = __LINE__ + 1;
			tsr_call_into(TSR_OUT(&y), f, x);
			break;
		case 2:
			line = __LINE__ + 1;
			y = tsr_call(tsr_jit(ctx, f), x);
			break;
		case 3:
			line = __LINE__ + 1;
			y = tsr_call(tsr_grad(ctx, f), x);
			break;
		case 4:
			line = __LINE__ + 1;
			y = tsr_map(f, x);
			break;
		case 5:
			line = __LINE__ + 1;
			(void)tsr_vjp(TSR_OUT(&y), f, x);
			break;
		case 6:
			line = __LINE__ + 1;
			assert_string_equal(tsr_fn_text(f, x), "");
			break;
		case 7:
			line = __LINE__ + 1;
			tsr_fn_release(f);
			break;
		case 8:
			line = __LINE__ + 1;
			assert_string_equal(tsr_program_text(f), "");
			break;
		default: break;
		}
		if (use < 6) assert_true(tsr_is_poison(y));
		assert_int_equal(tsr_status(ctx), TSR_ERROR_HANDLE);
		assert_non_null(strstr(tsr_message(ctx), "the fn is a stale handle"));
		snprintf(where, sizeof where, "test_cache.c:%d: ", line);
		if (!strstr(tsr_message(ctx), where)) fail_msg("%s", tsr_message(ctx));
		tsr_clear(ctx);
	}
	assert_string_equal(tsr_fn_name(f), "");
	assert_int_equal(tsr_close(ctx), TSR_ERROR_HANDLE);
}

static void env_release_needs_an_env(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = keep);

	(void)state;
	assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, doubled, .env_release = on_release), 1)));
	assert_non_null(strstr(tsr_message(ctx), "jit: there is an .env_release, and no .env"));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_ARGUMENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_shapes_and_fns),
		cmocka_unit_test(a_limit_of_one_byte),
		cmocka_unit_test(kept_things_make_room),
		cmocka_unit_test(a_released_fn_goes),
		cmocka_unit_test(a_fn_that_is_held_stays),
		cmocka_unit_test(a_call_holds_its_fn),
		cmocka_unit_test(released_fns_are_stale),
		cmocka_unit_test(env_release_needs_an_env),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
