/* test_linear.c - from text to a table of steps, the time grows with the number of equations, not
 * with its square, whatever the program looks like.
 *
 * Each shape is a text of about n equations, and of 4 n. Each stage on the way is timed by itself,
 * by the time that this thread is given, the least of some tries. Linear work takes 4 times as
 * long, its square 16 times; 9 times is too much, and so is what takes nearly no time at all with n
 * but much with 4 n.
 *
 *     TSR_SHOW=1 test_linear       says how long everything takes
 *     TSR_EQUATIONS=20000 ...      takes another n */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "runtime/runtime.h"
#include "support/schedule_walk.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { EQUATIONS = 1000, TRIES = 3, MOST_GROWTH = 9 };
#define NOTHING 0.5e-3 /* seconds: less is not seen */

/* ---- shapes */

#define F8 "f32[8]"

/* opens a program whose inputs %0 .. and results have one type */
static void begin(str *s, int nin, int nout, const char *type)
{
	str_put(s, "f(");
	for (int i = 0; i < nin; i++) str_printf(s, "%s%%%d: %s", i ? ", " : "", i, type);
	str_put(s, ") -> ");
	for (int i = 0; i < nout; i++) str_printf(s, "%s%s", i ? ", " : "", type);
	str_put(s, " {\n");
}

/* its results are the n values from `first` on */
static void end(str *s, int first, int n)
{
	str_put(s, "  return");
	for (int i = 0; i < n; i++) str_printf(s, " %%%d", first + i);
	str_put(s, "\n}\n");
}

static void equations(str *s, int n, const char *type)
{
	for (int i = 1; i <= n; i++)
		str_printf(s, "  %%%d: %s = add %%%d %%%d\n", i, type, i - 1, i / 2);
}

/* each value is used at three distances */
static void put_halves(str *s, int n)
{
	begin(s, 1, 1, F8);
	equations(s, n, F8);
	end(s, n, 1);
}

static void put_scalars(str *s, int n)
{
	begin(s, 1, 1, "f32[]");
	equations(s, n, "f32[]");
	end(s, n, 1);
}

static void put_chain(str *s, int n)
{
	begin(s, 1, 1, F8);
	for (int i = 1; i <= n; i++)
		str_printf(s, "  %%%d: " F8 " = %s %%%d\n", i, i % 2 ? "sin" : "exp", i - 1);
	end(s, n, 1);
}

/* one value that all use */
static void put_wide(str *s, int n)
{
	begin(s, 1, 1, F8);
	str_put(s, "  %1: " F8 " = sin %0\n");
	for (int i = 2; i <= n; i++)
		str_printf(s, "  %%%d: " F8 " = %s %%%d %%1\n", i, i % 2 ? "mul" : "pow", i - 1);
	end(s, n, 1);
}

static void put_results(str *s, int n)
{
	begin(s, 1, n, F8);
	for (int i = 1; i <= n; i++) str_printf(s, "  %%%d: " F8 " = mul %%0 %d.5:f32\n", i, i);
	end(s, 1, n);
}

static void put_partial_results(str *s, int n)
{
	begin(s, 1, n, F8);
	equations(s, n, F8);
	end(s, 1, n);
}

/* inputs that end at any time, and results that could take their memory */
static void put_inputs(str *s, int n)
{
	begin(s, n, n, F8);
	for (int i = 0; i < n; i++)
		str_printf(s, "  %%%d: " F8 " = mul %%%d %%%d\n", n + i, i, i * 7 % n);
	end(s, n, n);
}

static void put_reductions(str *s, int n)
{
	begin(s, 1, 1, F8);
	for (int i = 1; i < n - 3; i += 3)
		str_printf(s,
		           "  %%%d: f32[] = reduce_sum %%%d dims=[0]\n"
		           "  %%%d: " F8 " = broadcast_in_dim %%%d dims=[8] at=[]\n"
		           "  %%%d: " F8 " = sub %%%d %%%d\n",
		           i, i - 1, i + 1, i, i + 2, i - 1, i + 1);
	end(s, (n - 5) / 3 * 3 + 3, 1);
}

static void put_loop(str *s, int n)
{
	begin(s, 1, 1, F8);
	str_put(s, "  %1: " F8 " = scan %0 length=3 consts=0 carry=1 unroll=1 body=");
	put_halves(s, n);
	end(s, 1, 1);
}

static void put_all_loops(str *s, int n)
{
	begin(s, 1, 1, F8);
	for (int i = 1; i <= n / 4; i++) {
		str_printf(s,
		           "  %%%d: " F8 " = scan %%%d length=%d consts=0 carry=1 unroll=1 body=",
		           i, i - 1, i % 9 + 2);
		put_halves(s, 3);
	}
	end(s, n / 4, 1);
}

/* parts of parts, each of them a result */
static void put_parts(str *s, int n)
{
	const int half = n / 2;

	str_printf(s, "f(%%0: f32[%d,1]) -> f32[%d,1]", half + 1, half);
	for (int m = half - 1; m > 0; m--)
		str_printf(s, (half - m) % 2 ? ", f32[1,%d]" : ", f32[%d,1]", m);
	str_put(s, " {\n");
	for (int i = 1, m = half; m > 0; i += 2, m--)
		if ((half - m) % 2)
			str_printf(s,
			           "  %%%d: f32[1,%d] = reshape %%%d dims=[1,%d]\n"
			           "  %%%d: f32[1,%d] = slice %%%d start=[0,1] stop=[1,%d] "
			           "step=[1,1]\n",
			           i, m + 1, i - 1, m + 1, i + 1, m, i, m + 1);
		else
			str_printf(s,
			           "  %%%d: f32[%d,1] = reshape %%%d dims=[%d,1]\n"
			           "  %%%d: f32[%d,1] = slice %%%d start=[1,0] stop=[%d,1] "
			           "step=[1,1]\n",
			           i, m + 1, i - 1, m + 1, i + 1, m, i, m + 1);
	str_put(s, "  return");
	for (int i = 1; i <= half; i++) str_printf(s, " %%%d", 2 * i);
	str_put(s, "\n}\n");
}

/* each puts a part into what the one before has made */
static void put_updates(str *s, int n)
{
	str_printf(s, "f(%%0: f32[%d], %%1: f32[2], %%2: i32[]) -> f32[%d] {\n", 3 * n, 3 * n);
	for (int i = 3; i < n + 3; i++)
		str_printf(s, "  %%%d: f32[%d] = dynamic_update_slice %%%d %%1 %%2\n", i, 3 * n,
		           i == 3 ? 0 : i - 1);
	end(s, n + 2, 1);
}

static void put_joined(str *s, int n)
{
	str_printf(s, "f(%%0: f32[2]) -> f32[%d] {\n", 2 * n);
	for (int i = 1; i <= n; i++)
		str_printf(s, "  %%%d: f32[2] = %s %%%d\n", i, i % 2 ? "sin" : "exp", i - 1);
	str_printf(s, "  %%%d: f32[%d] = concatenate", n + 1, 2 * n);
	for (int i = 1; i <= n; i++) str_printf(s, " %%%d", i);
	str_put(s, " dim=0\n");
	end(s, n + 1, 1);
}

static const struct shape {
	const char *name;
	void (*put)(str *, int n);
} shapes[] = {
	{"halves", put_halves},   {"halves of scalars", put_scalars},
	{"chain", put_chain},     {"wide", put_wide},
	{"results", put_results}, {"results on the way", put_partial_results},
	{"inputs", put_inputs},   {"reductions", put_reductions},
	{"one loop", put_loop},   {"loops", put_all_loops},
	{"parts", put_parts},     {"updates", put_updates},
	{"joined", put_joined},
};

/* ---- stages */

enum { PARSE, PIPELINE, REPLICATE, FUSE, SCHEDULE, STAGES };
static const char *const stages[] = {"parse", "pipeline", "replicate", "fuse", "schedule"};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void take(double *least, double *since)
{
	const double t = now();

	if (t - *since < *least) *least = t - *since;
	*since = now();
}

static void need(const tsr_ctx *ctx, bool made)
{
	if (!made) fail_msg("%s", tsr_message(ctx));
}

/* times[stage]: the least until now */
static void walk_stages(tsr_ctx *ctx, const str *text, double *times)
{
	const int64_t device = 0;
	placed to;
	replicated on;
	str why = {.base = &ctx->base};
	double since = now();

	program *p = program_parse(&ctx->ir, NULL, text->s, text->len);
	need(ctx, p);
	take(&times[PARSE], &since);
	need(ctx, pipeline(p, NULL, NULL, NULL, &to));
	take(&times[PIPELINE], &since);
	need(ctx, pass_replicate(to.program, (device_set){1, &device}, NULL, &on));
	take(&times[REPLICATE], &since);
	program *fused = pass_fuse(on.program, target_of(32));
	need(ctx, fused);
	take(&times[FUSE], &since);
	const target t = walk_target();
	coded *c = code_make(&ctx->base, &walk_native, NULL, &t, fused, 2, &why);
	need(ctx, c);
	take(&times[SCHEDULE], &since);
	code_free(c);
	program_release(fused);
	replicated_free(&on);
	placed_free(&to);
	program_release(p);
}

static void time_shape(const struct shape *of, int n, double *times)
{
	tsr_ctx *ctx = tsr_open();
	str text = {.base = &ctx->base};

	of->put(&text, n);
	for (int i = 0; i < STAGES; i++) times[i] = 1e9;
	for (int i = 0; i < TRIES; i++) walk_stages(ctx, &text, times);
	str_free(&text);
	assert_int_equal(tsr_close(ctx), 0);
}

static void test_linear(void **state)
{
	const char *given = getenv("TSR_EQUATIONS");
	const int n = given ? atoi(given) : EQUATIONS;
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		double few[STAGES], many[STAGES];
		time_shape(&shapes[i], n, few);
		time_shape(&shapes[i], 4 * n, many);
		for (int k = 0; k < STAGES; k++) {
			const double least = few[k] > NOTHING ? few[k] : NOTHING;
			const bool is_wrong = many[k] > MOST_GROWTH * least;
			if (getenv("TSR_SHOW") || is_wrong)
				print_message("%s of %s: %.2f ms, of four times as many %.2f%s\n",
				              stages[k], shapes[i].name, 1e3 * few[k],
				              1e3 * many[k], is_wrong ? " TOO MUCH" : "");
			wrong += is_wrong;
		}
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_linear)};

#ifdef __SANITIZE_ADDRESS__
	/* it keeps what was freed, so that four times the work touches ever fresh memory */
	printf("the times of the address sanitizer say nothing of the library's\n");
	return 0;
#endif
	return cmocka_run_group_tests(tests, NULL, NULL);
}
