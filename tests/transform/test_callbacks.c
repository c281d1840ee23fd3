/* test_callbacks.c - callbacks that fail, compute, or are left, and refused calls. Each case
 * interpreted, compiled, and compiled for workers that share whatever they can. */
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>

typedef struct config {
	const char *engine, *debug;
	int workers;
} config;
static const config configs[] = {{"interp", "v", 1}, {"cpu", "vc", 1}, {"cpu", "cw", 5}};

static tsr_ctx *open_as(const config *as, int devices, size_t cache)
{
	const char *plugins = PLUGIN_DIR;

	return tsr_open(.devices = devices, .engine = as->engine, .debug = as->debug,
	                .workers = as->workers, .plugin_dir = plugins,
	                .require_compiled = plugins && strchr(as->debug, 'c'),
	                .cache_limit = cache);
}

#define EACH_CONFIG(as) \
	for (const config *as = configs; as < configs + sizeof configs / sizeof *configs; as++)
#define SCALAR TSR_RESULTS({TSR_F32, TSR_DIMS()})
#define ARANGE(ctx, n) tsr_arange(ctx, n, .dtype = TSR_F32)

/* ---- mistakes: the code, and what the message has */

static bool half(const tsr_host_call *c)
{
	*(float *)c->out[0] = *(const float *)c->in[0] / 2;
	return true;
}
static bool says_no(const tsr_host_call *c) { return (void)c, false; }
static bool says_why(const tsr_host_call *c)
{
	tsr_fail(c->ctx, "the disk is full");
	return false;
}
/* the error counts, whatever it returns */
static bool computes_badly(const tsr_host_call *c)
{
	tsr *x = tsr_add(ARANGE(c->ctx, 2), ARANGE(c->ctx, 3));

	return tsr_is_poison(x);
}
static bool closes(const tsr_host_call *c) { return tsr_close(c->ctx) == TSR_OK; }
static bool cancels(const tsr_host_call *c)
{
	tsr_cancel(c->ctx);
	*(float *)c->out[0] = 0;
	return true;
}

static tsr *with(tsr *x, tsr_host_fn *f)
{
	return tsr_sin(tsr_call(tsr_io_callback(x, f, .name = "asked", .results = SCALAR), x));
}
static tsr *ask_no(tsr *x) { return with(x, says_no); }
static tsr *ask_why(tsr *x) { return with(x, says_why); }
static tsr *ask_badly(tsr *x) { return with(x, computes_badly); }
static tsr *ask_closing(tsr *x) { return with(x, closes); }
static tsr *ask_cancelling(tsr *x) { return with(x, cancels); }
static tsr *ask_half(tsr *x)
{
	return tsr_call(tsr_pure_callback(x, half, .results = SCALAR), x);
}
static tsr *ask_still(tsr *x) { return tsr_add(x, ask_half(tsr_stop_gradient(x))); }

static tsr *prints(tsr *x)
{
	tsr_debug_print("never {}", x);
	return x;
}
static tsr *ask_in_order(tsr *x)
{
	return tsr_call(tsr_io_callback(x, half, .ordered = true, .results = SCALAR), x);
}
static tsr *parts(tsr *x)
{
	tsr *v = tsr_reshape(x, TSR_DIMS());
	return tsr_reshape(tsr_cond(tsr_gt(v, 0.5), ask_in_order, prints, v), TSR_DIMS(1));
}
static tsr *sum_beside(tsr *x)
{
	tsr_debug_print("never {}", x);
	return tsr_psum(x, "i");
}
static tsr *chooses(tsr *x) { return tsr_cond(tsr_gt(x, 0.5), sum_beside, prints, x); }
static tsr *goes_on(tsr *x) { return tsr_lt(x, 2.0); }
static tsr *step(tsr *x) { return tsr_add(x, ask_in_order(tsr_stop_gradient(x))); }
static tsr *steps(tsr *x) { return tsr_while(goes_on, step, x); }
static tsr *steps_and_tangent(tsr *x)
{
	tsr *y;

	tsr_linearized l = tsr_linearize(TSR_OUT(&y), tsr_jit(x, steps), x);
	return tsr_call(l.fn, l.residuals, x);
}

static void run_mistake(tsr_ctx *ctx, tsr *(*body)(tsr *))
{
	tsr_print(tsr_call(tsr_jit(ctx, body), tsr_scalar(ctx, 1.0)));
}
static void run_grad(tsr_ctx *ctx, tsr *(*body)(tsr *))
{
	tsr_print(tsr_call(tsr_grad(ctx, body), tsr_scalar(ctx, 1.0)));
}
static void run_map(tsr_ctx *ctx, tsr *(*body)(tsr *))
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});

	tsr_print(tsr_call(tsr_shard_map(mesh, body, .sig = "[x] -> [x]"), ARANGE(ctx, 2)));
}
static void run_batch(tsr_ctx *ctx, tsr *(*body)(tsr *))
{
	tsr_print(tsr_call(tsr_vmap(ctx, body, .axis = "i"), ARANGE(ctx, 2)));
}
static void run_transpose(tsr_ctx *ctx, tsr *(*body)(tsr *))
{
	tsr *x = tsr_scalar(ctx, 1.0);
	tsr_linearized l = tsr_linear_transpose(tsr_jit(ctx, body), x);

	tsr_print(tsr_call(l.fn, l.residuals, x));
}
static void run_array(tsr_ctx *ctx, tsr *(*body)(tsr *))
{
	assert_null(body);
	tsr_debug_print("{:.3f}", ARANGE(ctx, 2));
}
static void run_print(tsr_ctx *ctx, const char *format)
{
	tsr_debug_print(format, tsr_scalar(ctx, 1.0), 2);
}

static const struct mistake {
	tsr_code code;
	void (*run)(tsr_ctx *, tsr *(*)(tsr *));
	tsr *(*body)(tsr *);
	const char *format;
	const char *says[3];
} mistakes[] = {
	{TSR_ERROR_USER, run_mistake, ask_no, NULL,
	 {"test_callbacks.c:", "the callback asked has failed", "while running body"}},
	{TSR_ERROR_USER, run_mistake, ask_why, NULL, {"the disk is full", "while running"}},
	{TSR_ERROR_TYPE, run_mistake, ask_badly, NULL, {"incompatible shapes", "(2,), (3,)"}},
	{TSR_ERROR_ARGUMENT, run_mistake, ask_closing, NULL, {"tsr_close: a callback cannot"}},
	{TSR_ERROR_CANCELLED, run_mistake, ask_cancelling, NULL, {"the run was cancelled"}},
	{TSR_ERROR_UNSUPPORTED, run_grad, ask_half, NULL,
	 {"test_callbacks.c:", "the callback half has no derivative", "tsr_stop_gradient"}},
	{TSR_ERROR_SHARDING, run_map, parts, NULL,
	 {"varies over axes \"x\"", "callback at test_callbacks.c:", "is ordered"}},
	{TSR_ERROR_UNSUPPORTED, run_batch, chooses, NULL, {"cond under vmap", "collective"}},
	{TSR_ERROR_UNSUPPORTED, run_transpose, prints, NULL, {"debug_print", "are linear"}},
	{TSR_ERROR_UNSUPPORTED, run_mistake, steps_and_tangent, NULL, {"called twice"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{} {", {"a '{' is not closed", "test_callbacks.c:"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{} {}}", {"a '}' is not opened"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{} {1}", {"either all places have numbers, or none"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{x} {y}", {"a place for a value is {}, {0}"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{!r} {}", {"a place for a value is {}, {0}"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{:{}} {}", {"a place for a value is {}, {0}"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{:d} {}",
	 {"value 0 is f32[]", "write {:.0f}", "test_callbacks.c:"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{} {:.2d}", {"value 1 is i32[]", "no precision"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{} {:>9", {"a '{' is not closed"}},
	{TSR_ERROR_ARGUMENT, run_array, NULL, NULL,
	 {"value 0 is f32[2]", "write {}, or {!s:>20}", "tsr_round(x, .decimals = 3)"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{0} {2}", {"there is no value 2: 2 are given"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{}{}{}", {"there is no value 2: 2 are given"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{}", {"value 1 has no place"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, "{99999999999999999999}", {"there is no value"}},
	{TSR_ERROR_ARGUMENT, NULL, NULL, NULL, {"the format is NULL"}},
};

static void said(const struct mistake *m, const char *text)
{
	for (int i = 0; i < 3 && m->says[i]; i++)
		if (!strstr(text, m->says[i])) fail_msg("no \"%s\" in: %s", m->says[i], text);
}

static void mistakes_are_located(void **state)
{
	(void)state;
	tsr_log_to(log_nothing, NULL);
	EACH_CONFIG(as)
		for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
			const struct mistake *m = &mistakes[i];
			tsr_ctx *ctx = open_as(as, 2, 0);
			if (m->run) m->run(ctx, m->body);
			else run_print(ctx, m->format);
			said(m, tsr_message(ctx));
			assert_int_equal(tsr_status(ctx), m->code);
			/* and all is as before */
			tsr_clear(ctx);
			tsr *y = tsr_call(tsr_grad(ctx, ask_still), tsr_scalar(ctx, 1.0));
			assert_true(tsr_item(y) == 1);
			assert_int_equal(tsr_close(ctx), TSR_OK);
		}
	tsr_log_to(NULL, NULL);
}

/* one program, called from two lines */
static void the_place_is_the_callers(void **state)
{
	(void)state;
	tsr_log_to(log_nothing, NULL);
	EACH_CONFIG(as) {
		tsr_ctx *ctx = open_as(as, 1, 0);
		tsr_fn *f = tsr_io_callback(ctx, says_no, .results = SCALAR);
		char place[40];
		for (int i = 0; i < 2; i++) {
			const int line = i ? __LINE__ + 1 : __LINE__ + 2;
			tsr *y = i ? tsr_call(f, 1.0) :
				     tsr_call(f, 1.0);
			assert_true(tsr_is_poison(y));
			snprintf(place, sizeof place, "test_callbacks.c:%d: the callback", line);
			if (!strstr(tsr_message(ctx), place))
				fail_msg("no \"%s\" in: %s", place, tsr_message(ctx));
			tsr_clear(ctx);
		}
		tsr_close(ctx);
	}
	tsr_log_to(NULL, NULL);
}

static void what_cannot_be_made(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr_fn *f = tsr_pure_callback(ctx, NULL);

	(void)state;
	assert_non_null(strstr(tsr_message(ctx), "pure_callback: the function is NULL"));
	assert_true(tsr_is_poison(tsr_call(f, 1.0)));
	tsr_clear(ctx);
	f = tsr_debug_callback(ctx, half, .results = SCALAR);
	assert_non_null(strstr(tsr_message(ctx), "a debug callback has no results"));
	tsr_clear(ctx);
	f = tsr_io_callback(ctx, half, .results = TSR_RESULTS({.dtype = TSR_F32}));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_ARGUMENT);
	tsr_clear(ctx);
	/* equal ones are one fn; others are not */
	assert_ptr_equal(tsr_io_callback(ctx, half, .results = SCALAR),
	                 tsr_io_callback(ctx, half, .results = SCALAR));
	assert_ptr_not_equal(tsr_io_callback(ctx, half, .results = SCALAR, .user = ctx),
	                     tsr_io_callback(ctx, half, .results = SCALAR));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- texts */

static tsr *says_x(tsr *x)
{
	tsr_debug_print("\"x\" = {0}\\ {{}}", x);
	return tsr_call(tsr_pure_callback(x, half, .results = SCALAR), x);
}

static void texts(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr_fn *f = tsr_parse(ctx, "f(%0: f32[]) -> () {\n"
	                           "  debug_print %0 format=\"\\\"x\\\" = {0}\\\\ {{}}\" axes=()\n"
	                           "  return\n}\n");
	const char *text = tsr_program_text(f);

	(void)state;
	assert_string_equal(tsr_message(ctx), "");
	assert_string_equal(tsr_program_text(tsr_parse(ctx, text)), text);
	assert_non_null(strstr(text, "debug_print %0 format=\"\\\"x\\\" = {0}\\\\ {{}}\" axes=()"));
	text = tsr_fn_text(tsr_jit(ctx, says_x), tsr_scalar(ctx, 1.0));
	assert_non_null(strstr(text, "callback %0 function=half results=[f32[]] effect=pure "
	                             "axes=()"));
	assert_true(tsr_is_poison(tsr_call(tsr_parse(ctx, text), 1.0)));
	assert_non_null(strstr(tsr_message(ctx), "line 4, column"));
	assert_non_null(strstr(tsr_message(ctx), "'half' is a C function, which a text cannot"));
	tsr_clear(ctx);
	f = tsr_parse(ctx, "f(%0: f32[]) -> () {\n  debug_print %0 format=\"{} {}\" axes=()\n"
	                   "  return\n}\n");
	assert_non_null(strstr(tsr_message(ctx), "there is no value 1: 1 is given"));
	assert_non_null(strstr(tsr_message(ctx), "line 2, column"));
	tsr_clear(ctx);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- computing */

enum { LARGE = 100000 };

static tsr *much(tsr *x) { return tsr_sum(tsr_sqrt(tsr_add(tsr_mul(x, x), 1.0))); }

/* other programs, each of them large enough to be shared, and new in each call */
static bool compute(const tsr_host_call *c)
{
	int64_t *calls = c->user;
	double sum = 0;

	for (int64_t n = 1; n <= 3; n++) {
		tsr *x = ARANGE(c->ctx, LARGE + 10 * ++*calls);
		sum += tsr_item(tsr_call(tsr_jit(c->ctx, much), x));
		sum += tsr_item(tsr_sum(tsr_call(tsr_grad(c->ctx, much), x)));
	}
	*(float *)c->out[0] = (float)(sum * 0) + *(const float *)c->in[0] + 1;
	return tsr_status(c->ctx) == TSR_OK;
}
static int64_t computed;
static tsr *compute_once(tsr *i, tsr *x)
{
	tsr_fn *f = tsr_io_callback(x, compute, .user = &computed, .results = SCALAR);

	(void)i;
	return tsr_call(f, x);
}
static tsr *compute_often(tsr *x)
{
	tsr *before = much(x), *y = tsr_fori(0, 4, compute_once, tsr_mul(before, 0.0));
	return tsr_add(y, tsr_sub(much(x), before));
}

/* programs that run are never evicted, whatever those inside need */
static void computing_in_a_run(void **state)
{
	(void)state;
	EACH_CONFIG(as)
		for (int k = 0; k < 2; k++) {
			tsr_ctx *ctx = open_as(as, 1, k ? 1 : 0);
			tsr *x = ARANGE(ctx, LARGE);
			for (int i = 0; i < 2; i++) {
				tsr *y = tsr_call(tsr_jit(ctx, compute_often), x);
				assert_true(tsr_item(y) == 4);
			}
			assert_int_equal(tsr_close(ctx), TSR_OK);
		}
}

/* depth-first through one program that is running at each level */
static bool deeper(const tsr_host_call *c);
static tsr *descend(tsr *n)
{
	tsr_fn *f = tsr_pure_callback(n, deeper, .results = SCALAR);
	return tsr_add(tsr_call(f, tsr_sub(n, 1.0)), n);
}
static bool deeper(const tsr_host_call *c)
{
	const float n = *(const float *)c->in[0];
	tsr *x = tsr_scalar(c->ctx, (double)n, .dtype = TSR_F32);

	*(float *)c->out[0] = n > 0 ? (float)tsr_item(tsr_call(tsr_jit(c->ctx, descend), x)) : 0;
	return true;
}
static void a_program_in_itself(void **state)
{
	(void)state;
	EACH_CONFIG(as) {
		tsr_ctx *ctx = open_as(as, 1, 1);
		tsr_fn *f = tsr_jit(ctx, descend);
		assert_true(tsr_item(tsr_call(f, tsr_scalar(ctx, 20.0))) == 210);
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* ---- handles that the function makes end with it; what it keeps stays */

static bool keeps(const tsr_host_call *c)
{
	tsr **kept = c->user;
	tsr *x = tsr_scalar(c->ctx, 7.0);

	tsr_set(&kept[0], x);
	kept[1] = x;
	return true;
}
static void handles(void **state)
{
	(void)state;
	EACH_CONFIG(as) {
		tsr_ctx *ctx = open_as(as, 1, 0);
		tsr *kept[2] = {NULL};
		tsr_call_into(TSR_NO_OUT, tsr_io_callback(ctx, keeps, .user = kept), 1.0);
		assert_true(tsr_item(kept[0]) == 7);
		assert_int_equal(tsr_status(ctx), TSR_OK);
		tsr_log_to(log_nothing, NULL);
		assert_true(tsr_is_poison(tsr_neg(kept[1])));
		tsr_log_to(NULL, NULL);
		assert_int_equal(tsr_status(ctx), TSR_ERROR_HANDLE);
		tsr_clear(ctx);
		tsr_drop(&kept[0]);
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* ---- left by longjmp */

static jmp_buf outside;
static int levels;

static bool leaves(const tsr_host_call *c)
{
	float *x = c->out[0];

	if (levels == 0) longjmp(outside, 1);
	if (levels > 0) {
		levels--;
		*x = (float)tsr_item(tsr_call(tsr_io_callback(c->ctx, leaves, .results = SCALAR)));
	} else {
		*x = 5;
	}
	return true;
}
static tsr *leave_within(tsr *x)
{
	tsr_fn *f = tsr_io_callback(x, leaves, .results = SCALAR);
	return tsr_add(tsr_sum(tsr_exp(x)), tsr_mul(tsr_call(f), 2.0));
}

static void left(void **state)
{
	(void)state;
	tsr_log_to(log_nothing, NULL);
	EACH_CONFIG(as)
		for (int depth = 0; depth < 3; depth++) {
			/* what an interpreted program held is lost (docs/errors-and-memory.md) */
			if (strcmp(as->engine, "interp") == 0) continue;
			tsr_ctx *ctx = open_as(as, 1, 0);
			tsr *x = tsr_zeros(ctx, TSR_DIMS(100));
			tsr_fn *f = tsr_jit(ctx, leave_within);
			levels = depth;
			tsr_scope *volatile scope = tsr_scope_open(ctx);
			if (setjmp(outside) == 0) {
				(void)tsr_call(f, x);
				fail_msg("the callback was not left");
			}
			levels = -1;
			/* the scopes of the callbacks have ended */
			tsr *y = tsr_keep(tsr_scalar(ctx, 3.0));
			tsr_scope_close(scope);
			assert_true(tsr_item(y) == 3);
			assert_true(tsr_item(tsr_call(f, x)) == 110);
			tsr_clear(ctx);
			assert_int_equal(tsr_close(ctx), TSR_OK);
		}
	tsr_log_to(NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_located),
		cmocka_unit_test(the_place_is_the_callers),
		cmocka_unit_test(what_cannot_be_made),
		cmocka_unit_test(texts),
		cmocka_unit_test(computing_in_a_run),
		cmocka_unit_test(a_program_in_itself),
		cmocka_unit_test(handles),
		cmocka_unit_test(left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
