/* test_calls.c - rows without a kernel in compiled programs: steps that call their eval, alone, in
 * loops, on several devices, in parts that workers share, with scratch memory; against the
 * interpreter, bit for bit. And what has a kernel although its places are known only when it
 * runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>

enum { ROWS = 64, COLUMNS = 100, DEVICES = 4 };

/* ---- programs of f32[ROWS, COLUMNS] to the same */

static tsr *sorts(tsr *x) { return tsr_sort(x); }
static tsr *sorts_columns(tsr *x) { return tsr_sort(tsr_mul(x, 2), .dim = TSR_DIMS(0)); }
static tsr *sums(tsr *x) { return tsr_cumsum(tsr_sin(x), .dim = TSR_DIMS(1)); }
static tsr *sums_back(tsr *x) { return tsr_cumsum(x, .dim = TSR_DIMS(0), .reverse = true); }

/* of several operands, whose order then takes and adds */
static tsr *moves(tsr *x)
{
	tsr *order = tsr_argsort(tsr_sum(x, .dims = TSR_DIMS(1)));
	tsr *taken = tsr_take(x, 0, order);

	return tsr_at_add(tsr_neg(taken), 0, tsr_slice(order, 0, 0, ROWS / 2),
	                  tsr_slice(x, 0, 0, ROWS / 2));
}

static tsr *step(tsr *i, tsr *x)
{
	return tsr_cumsum(tsr_sub(tsr_sort(tsr_mul(x, 0.5)), tsr_astype(i, TSR_F32)),
	                  .dim = TSR_DIMS(0));
}
static tsr *in_a_loop(tsr *x) { return tsr_fori(0, 5, step, x); }

static tsr *block(tsr *x)
{
	return tsr_add(tsr_sort(x), tsr_psum(tsr_cumsum(x, .dim = TSR_DIMS(1)), "x"));
}
static tsr *on_devices(tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(tsr_ctx_of(x), {"x", DEVICES});

	return tsr_call(tsr_shard_map(mesh, block, .sig = "[x] -> [x]"), x);
}

/* x so many times, multiplied with 0, 1, .., as a line; and back */
static tsr *long_of(tsr *x, int times)
{
	tsr *by = tsr_reshape(tsr_arange(tsr_ctx_of(x), times), TSR_DIMS(times, 1));

	return tsr_ravel(tsr_mul(by, tsr_ravel(x)));
}

static tsr *begin_of(tsr *line)
{
	return tsr_reshape(tsr_slice(line, 0, 0, ROWS * COLUMNS), TSR_DIMS(ROWS, COLUMNS));
}

/* one long line, which goes in phases */
static tsr *long_line(tsr *x)
{
	tsr *line = long_of(x, 32), *best[2];

	tsr_top_k(line, 3, best);
	line = tsr_cumsum(tsr_sub(tsr_sort(line), tsr_max(best[0])));
	return tsr_add(x, begin_of(line));
}

/* transforms of one, of 41 * 6400, of 2 * 65537 and of 3 * 43691 numbers */
static tsr *waves(tsr *x)
{
	tsr *line = long_of(x, 41), *z = tsr_fft(tsr_complex(line, tsr_flip(line, TSR_DIMS(0))));
	tsr *half = tsr_rfft(tsr_slice(line, 0, 0, 2 * 65537));
	tsr *odd = tsr_irfft(tsr_slice(z, 0, 0, 3 * 43691 / 2 + 1), .n = 3 * 43691);
	tsr *y = tsr_add(tsr_abs(tsr_ifft(tsr_square(z))), tsr_irfft(z, .n = 41 * ROWS * COLUMNS));

	return tsr_add(tsr_add(begin_of(y), begin_of(tsr_abs(half))), begin_of(odd));
}

/* elementwise, but without a kernel */
static tsr *shares(tsr *x)
{
	tsr *a = tsr_add(tsr_abs(x), 0.5), *b = tsr_flip(a, TSR_DIMS(0));
	tsr *y = tsr_add(tsr_igamma(a, b), tsr_igammac(b, 3.0));

	return tsr_add(tsr_betainc(a, b, tsr_div(a, tsr_add(a, b))),
	               tsr_add(y, tsr_igamma_grad_a(2.0, a)));
}

/* ---- places that only a run knows: nothing of these is called */

static tsr *whole(tsr *x) { return tsr_astype(tsr_mul(x, 4), TSR_I32); } /* -252 .. 252 */

static tsr *puts_numbers(tsr *x)
{
	tsr *at = tsr_index(whole(x), 0, 3), *line = tsr_index(x, 0, 3);
	tsr *y = tsr_at_set(tsr_zeros(x, TSR_DIMS(150)), 0, at, line);

	y = tsr_at_max(tsr_at_min(y, 0, at, tsr_neg(line)), 0, at, line, .mode = TSR_CLIP);
	return tsr_add(x, tsr_slice(tsr_at_mul(y, 0, at, 1.5), 0, 0, COLUMNS));
}

static tsr *puts_rows(tsr *x)
{
	tsr *rows = tsr_index(whole(x), 1, 5), *y = tsr_at_add(tsr_zeros_like(x), 0, rows, x);

	return tsr_sub(tsr_at_add(y, 1, tsr_index(whole(x), 0, 1), x), tsr_take(x, 0, rows));
}

/* what is put is read where it is put, and must be what was there before */
static tsr *puts_its_own(tsr *x)
{
	tsr *y = tsr_mul(tsr_sort(x), 2), *rows = tsr_index(whole(x), 1, 5);

	return tsr_at_add(y, 0, rows, tsr_flip(y, TSR_DIMS(0)));
}

static tsr *put_each(tsr *y, tsr *i, tsr *x) { return tsr_at_add(y, 0, i, x); }
static tsr *puts_in_each(tsr *x)
{
	return tsr_call(tsr_vmap(tsr_ctx_of(x), put_each), x, whole(x), x);
}

/* the number that elements are put into is a constant */
static tsr *adds_up(tsr *x)
{
	tsr *none = tsr_zeros(x, TSR_DIMS(COLUMNS, 0), .dtype = TSR_I32);

	return tsr_add(x, tsr_scatter(tsr_zeros(x, TSR_DIMS()), none, tsr_index(x, 0, 2),
	                              .combine = TSR_COMBINE_ADD));
}

static tsr *counts(tsr *x)
{
	tsr *y[2], *line = tsr_ravel(x);

	if (!tsr_histogram(line, COLUMNS, y)) return NULL;
	tsr *at = tsr_searchsorted(y[1], x);
	return tsr_add(tsr_mul(tsr_interp(x, tsr_slice(y[1], 0, 0, COLUMNS), y[0]), at),
	               tsr_bincount(tsr_ravel(whole(x)), COLUMNS));
}

static tsr *picked(tsr *x) { return tsr_sum(tsr_sin(tsr_take(x, 0, tsr_index(whole(x), 1, 5)))); }
static tsr *slopes(tsr *x) { return tsr_call(tsr_grad(tsr_ctx_of(x), picked), x); }

static tsr *put_in_turn(tsr *i, tsr *x)
{
	tsr *at = tsr_rem(tsr_add(tsr_index(whole(x), 1, 2), i), ROWS);

	return tsr_at_add(x, 0, at, tsr_mul(x, 0.5));
}
static tsr *puts_in_a_loop(tsr *x) { return tsr_fori(0, 5, put_in_turn, x); }

/* ---- */

static const struct program {
	const char *name;
	tsr *(*of)(tsr *);
	bool has_kernels; /* of all it does */
} programs[] = {
	{"sort", sorts, false},
	{"sort of columns", sorts_columns, false},
	{"cumsum", sums, false},
	{"cumsum back", sums_back, false},
	{"a long line", long_line, false},
	{"transforms of long lines", waves, false},
	{"shares of functions", shares, false},
	{"in a loop", in_a_loop, false},
	{"on devices", on_devices, false},
	{"take and add", moves, false},
	{"numbers at places", puts_numbers, true},
	{"rows at places", puts_rows, true},
	{"its own rows at places", puts_its_own, false},
	{"numbers of a batch at places", puts_in_each, true},
	{"numbers into one", adds_up, true},
	{"counts and lines", counts, true},
	{"the gradient of taking", slopes, true},
	{"rows at places, in a loop", puts_in_a_loop, true},
};

static void run(tsr *(*of)(tsr *), const char *engine, const char *debug, int workers, float *y)
{
	static float data[ROWS * COLUMNS];
	tsr_ctx *ctx = tsr_open(.devices = DEVICES, .plugin_dir = PLUGIN_DIR, .engine = engine,
	                        .debug = debug, .workers = workers);
	tsr_engine_info info = {.size = sizeof info};

	srand(7);
	for (int i = 0; i < ROWS * COLUMNS; i++) data[i] = (float)(rand() % 2000 - 1000) / 16;
	assert_true(tsr_engine(ctx, &info));
	tsr *x = tsr_from(ctx, data, TSR_F32, TSR_DIMS(ROWS, COLUMNS));
	tsr_fn *f = tsr_jit(ctx, of);
	for (int again = 0; again < 3; again++)
		assert_true(tsr_read(tsr_call(f, x), y, ROWS * COLUMNS * sizeof *y));
	assert_string_equal(tsr_message(ctx), "");
	if (info.compiles) assert_int_equal(tsr_fn_stats(f).compiles, 1);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void compiled_as_interpreted(void **state)
{
	static float want[ROWS * COLUMNS], got[ROWS * COLUMNS];
	static const int workers[] = {1, 2, 5};
	static const char *const debug[] = {"c", "cw", "cwh"};

	(void)state;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		print_message("%s\n", programs[i].name);
		run(programs[i].of, "interp", "", 1, want);
		for (int k = 0; k < 3; k++) {
			run(programs[i].of, "cpu", debug[k], workers[k], got);
			assert_memory_equal(want, got, sizeof want);
		}
	}
}

/* ---- the letter E tells what is called */

static void keep(void *user, int level, const char *text)
{
	char *all = user;
	const size_t used = strlen(all);

	(void)level;
	snprintf(all + used, 4096 - used, "%s", text);
}

static void what_is_called_is_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		char told[4096] = "";
		tsr_ctx *ctx = tsr_open(.devices = DEVICES, .plugin_dir = PLUGIN_DIR,
		                        .engine = "cpu", .debug = "cE", .require_compiled = true,
		                        .log = keep, .user = told);
		tsr_wait(tsr_call(tsr_jit(ctx, programs[i].of),
		                  tsr_zeros(ctx, TSR_DIMS(ROWS, COLUMNS))));
		assert_int_equal(tsr_close(ctx), TSR_OK);
		if (!!*told == programs[i].has_kernels)
			fail_msg("%s: %s", programs[i].name, *told ? told : "nothing is told");
		if (programs[i].of == sorts &&
		    !strstr(told, " calls of the interpreter's code:\n"
		                  "  sort of f32[64,100]: where an element goes depends on all the "
		                  "others  "))
			fail_msg("%s", told);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(compiled_as_interpreted),
	                                   cmocka_unit_test(what_is_called_is_told)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
