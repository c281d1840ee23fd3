/* test_tiny.c - engines as plug-ins: one that fits runs, and one of another release, a missing one
 * and a bad name are refused with the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include <unistd.h>
#include <cmocka.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define RELEASE TEXT(TSR_VERSION_MAJOR) "." TEXT(TSR_VERSION_MINOR) "." TEXT(TSR_VERSION_PATCH)

static char logged[8192];

static void keep_log(void *user, int level, const char *text)
{
	(void)user, (void)level;
	strncat(logged, text, sizeof logged - strlen(logged) - 1);
}

static void fitting_engine_runs(void **state)
{
	tsr_ctx *ctx = tsr_open(.engine = "tiny", .plugin_dir = PLUGIN_DIR);
	tsr *x = tsr_arange(ctx, 5, .dtype = TSR_F32);

	(void)state;
	assert_true(tsr_item(tsr_sum(tsr_add(tsr_mul(x, x), 1))) == 35);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- effects: once for each device in a map, in the order of the program and of devices */

static char noted[80];
static bool note(const tsr_host_call *c)
{
	const float *x = c->in[0];

	snprintf(noted + strlen(noted), sizeof noted - strlen(noted), "%g ", (double)*x);
	*(float *)c->out[0] = 2 * *x;
	return true;
}
static tsr *noting(tsr *x)
{
	tsr_fn *f = tsr_io_callback(x, note, .results = TSR_RESULTS({TSR_F32, TSR_DIMS()}));

	return tsr_call(f, tsr_reshape(x, TSR_DIMS()));
}
static tsr *noting_some(tsr *x)
{
	tsr *v = tsr_reshape(x, TSR_DIMS());
	return tsr_reshape(tsr_cond(tsr_gt(v, 1.5), noting, tsr_neg, v), TSR_DIMS(1));
}
static tsr *noting_twice(tsr *x)
{
	tsr_fn *f = tsr_shard_map(tsr_mesh_make(x, {"x", 4}), noting_some, .sig = "[x] -> [x]");
	tsr *first = noting(tsr_sum(x));

	return tsr_add(tsr_call(f, x), first);
}

static void effects_are_in_order(void **state)
{
	tsr_ctx *ctx = tsr_open(.engine = "tiny", .plugin_dir = PLUGIN_DIR, .devices = 4);
	tsr *y = tsr_call(tsr_jit(ctx, noting_twice), tsr_arange(ctx, 4, .dtype = TSR_F32));

	(void)state;
	assert_string_equal(tsr_text(y), "[12. 11. 16. 18.]");
	assert_string_equal(noted, "6 2 3 ");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static int released;
static void release(void *user, void *data) { (void)user, (void)data, released++; }

/* its memory is read, written and copied through the contract alone */
static void memory_may_be_the_engines_own(void **state)
{
	static const float data[6] = {1, 2, 3, 4, 5, 6};
	float back[3] = {0};
	tsr_ctx *ctx = tsr_open(.engine = "tiny", .plugin_dir = PLUGIN_DIR);
	tsr *x = tsr_wrap(ctx, data, TSR_F32, TSR_DIMS(3), .strides = TSR_DIMS(8),
	                  .release = release);

	(void)state;
	assert_string_equal(tsr_text(x), "[1. 3. 5.]");
	assert_true(tsr_read(tsr_add(x, x), back, sizeof back));
	assert_true(back[0] == 2 && back[1] == 6 && back[2] == 10);
	assert_true(tsr_item(tsr_sum(tsr_shard_data(x, 0))) == 9);
	assert_int_equal(tsr_status(ctx), TSR_OK);
	assert_null(tsr_shard_borrow(x, 0, NULL));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_UNSUPPORTED);
	assert_non_null(strstr(tsr_message(ctx), "cannot read the memory of device 0"));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_UNSUPPORTED);
	assert_int_equal(released, 1);
}

/* what the host cannot read is copied for a checkpoint; and what is loaded goes by the contract */
static void its_memory_is_saved(void **state)
{
	char dir[] = "/tmp/tsr-tiny-XXXXXX", path[100];
	tsr_ctx *ctx = tsr_open(.engine = "tiny", .plugin_dir = PLUGIN_DIR, .devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr *x = tsr_put(tsr_arange(ctx, 6, .dtype = TSR_F32), mesh, TSR_P("x")), *y = NULL;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_true(tsr_checkpoint_save(dir, 1, TSR_LEAVES(&x, 1), .async = true));
	assert_true(tsr_checkpoint_load(dir, 1, TSR_LEAVES(&y, 1)));
	assert_string_equal(tsr_text(y), "[0. 1. 2. 3. 4. 5.]");
	assert_true(tsr_checkpoint_load(dir, 1, TSR_LEAVES(&x, 1)));
	assert_string_equal(tsr_text(tsr_shard_data(x, 1)), "[2. 3.]");
	for (int k = 0; k < 3; k++) { /* the last device has nothing */
		snprintf(path, sizeof path, "%s/1/00000-0000%d.safetensors", dir, k);
		assert_int_equal(unlink(path), 0);
	}
	snprintf(path, sizeof path, "%s/1/index.json", dir);
	assert_int_equal(unlink(path), 0);
	snprintf(path, sizeof path, "%s/1", dir);
	assert_true(rmdir(path) == 0 && rmdir(dir) == 0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void refused(const char *engine, int code, const char *fragment)
{
	logged[0] = 0;
	tsr_ctx *ctx = tsr_open(.engine = engine, .plugin_dir = PLUGIN_DIR, .log = keep_log);
	assert_true(tsr_is_poison(tsr_zeros(ctx, TSR_DIMS(2))));
	assert_non_null(strstr(tsr_message(ctx), fragment));
	assert_int_equal(tsr_close(ctx), code);
}

static void others_are_refused(void **state)
{
	(void)state;
	refused("tiny-stale", TSR_ERROR_PLUGIN, "TSR_PRIVATE");
	refused("no-abi", TSR_ERROR_PLUGIN, "does not define tsr__engine and tsr__engine_abi");
	refused("missing", TSR_ERROR_PLUGIN, "libtsr-engine-missing-" RELEASE ".so");
	refused("../tiny", TSR_ERROR_ARGUMENT, "../tiny");
}

/* a function of an engine that fails without an error: the call fails with one that names it */
static void quiet_failures_are_told(void **state)
{
	static const char *const functions[] = {"alloc", "wrap", "read", "write",
	                                        "copy", "compile", "wait"};
	static const float data[6] = {1, 2, 3, 4, 5, 6};
	char want[100];

	(void)state;
	for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
		float back[6] = {0};
		tsr_ctx *ctx = tsr_open(.engine = "quiet", .plugin_dir = PLUGIN_DIR, .devices = 2,
		                        .log = keep_log);
		tsr *x = tsr_arange(ctx, 6, .dtype = TSR_F32);
		tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
		assert_int_equal(tsr_status(ctx), 0);
		assert_int_equal(setenv("TSR_TEST_FAILS", functions[k], 1), 0);
		tsr *y = tsr_put(tsr_sin(x), mesh, TSR_P("x"));
		tsr *z = tsr_wrap(ctx, data, TSR_F32, TSR_DIMS(6));
		tsr *w = tsr_from(ctx, data, TSR_F32, TSR_DIMS(6));
		const bool read = tsr_read(x, back, sizeof back);
		assert_int_equal(unsetenv("TSR_TEST_FAILS"), 0);
		const bool all = read && !tsr_is_poison(y) && !tsr_is_poison(z) &&
		                 !tsr_is_poison(w);
		snprintf(want, sizeof want, "the engine quiet failed in its function `%s`",
		         functions[k]);
		if (all || tsr_status(ctx) != TSR_ERROR_PLUGIN || !strstr(tsr_message(ctx), want))
			fail_msg("%s: status %d, %s", functions[k], tsr_status(ctx),
			         tsr_message(ctx));
		assert_int_equal(tsr_close(ctx), TSR_ERROR_PLUGIN);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(fitting_engine_runs),
	                                   cmocka_unit_test(effects_are_in_order),
	                                   cmocka_unit_test(memory_may_be_the_engines_own),
		cmocka_unit_test(its_memory_is_saved),
	                                   cmocka_unit_test(others_are_refused),
	                                   cmocka_unit_test(quiet_failures_are_told)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
