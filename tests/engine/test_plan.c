/* test_plan.c - plans (TSR_DEBUG=e): the worked examples at the heads of the sources that make and
 * use them, and each kind of step.
 *
 * support/heads.h has the form of an example. It shows the whole plan, line by line, for vectors of
 * 32 bytes and two workers; a line ".." stands for any number of lines. So that examples are about
 * one thing, most of them have ".." for times and pieces, which change when a number in tuning.def
 * does. Each file has one or is listed here with the reason why not. Plans with calls of OpenBLAS,
 * or of its LAPACK, are tried where the plug-in has them.
 *
 *     test_plan FILE               the plan of the program in a file, to write an example from */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "trace/trace.h"
#include "support/heads.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { VECTOR_BYTES = 32, MOST_VALUES = 8 };
static char logged[1 << 16];

static void keep(void *user, int level, const char *text)
{
	(void)user, (void)level;
	strncat(logged, text, sizeof logged - strlen(logged) - 1);
}

/* zeros of a type */
static tsr *argument(tsr_ctx *ctx, const type *t)
{
	tsr_dims dims = {.d = {t->ndim + 1}};

	memcpy(dims.d + 1, t->dims, (size_t)t->ndim * sizeof *t->dims);
	return tsr_zeros(ctx, dims, .dtype = t->dtype);
}

/* the plan of a program, which is run; NULL where there is no machine code for such vectors */
static const char *plan_of(const char *text)
{
	tsr_ctx *ctx =
		tsr_open(.plugin_dir = PLUGIN_DIR, .debug = "ce", .log = keep, .workers = 2);
	tsr_engine_info info = {.size = sizeof info};
	tsr *x[MOST_VALUES], *y[MOST_VALUES];
	tsr_out out[MOST_VALUES];

	assert_true(tsr_engine(ctx, &info));
	program *p = program_parse(&ctx->ir, NULL, text, strlen(text));
	if (!p) fail_msg("%s in\n%s", tsr_message(ctx), text);
	const int nin = p->nin, nout = p->nout;
	assert_true(nin <= MOST_VALUES && nout <= MOST_VALUES);
	for (int i = 0; i < nin; i++) x[i] = argument(ctx, type_of(p, p->in[i]));
	for (int i = 0; i < nout; i++) out[i] = (tsr_out){.to = TSR_LEAVES(&y[i], 1)};
	program_release(p);
	logged[0] = 0; /* the plans of what makes the arguments */
	const tsr_arg args = tsr_arg_tree(TSR_LEAVES(x, (size_t)nin));
	tsr_call_into_at(NULL, out, (size_t)nout, tsr_parse(ctx, text), &args, 1);
	assert_string_equal(tsr_message(ctx), "");
	assert_int_equal(tsr_close(ctx), TSR_OK);
	return info.compiles && instructions_chosen() == VECTOR_BYTES ? logged : NULL;
}

/* ---- the heads of sources */

static const struct exempt {
	const char *file, *why;
} exempt[] = {
	{"src/engine/plan/storage.c", "has calls instead of a plan: test_storage.c"},
	{"src/engine/plan/overlap.c", "messages to other processes: test_transfers.c"},
	{"src/engine/cpu/cpu.c", "when programs are compiled: test_worth.c"},
	{"src/engine/cpu/worth.c", "has costs instead of a plan: test_worth.c"},
	{"src/engine/cpu/native.c", "finds the plug-in"},
	{"src/engine/cpu/piece_count.c", "has a table instead of a plan: test_schedule.c"},
	{"src/engine/cpu/transfer.c", "messages to other processes: tests/processes"},
#ifndef TSR_OPENBLAS
	{"src/engine/cpu/chains.c", "has products, which are not OpenBLAS's here"},
#endif
};

static bool is_exempt(const char *file)
{
	for (size_t i = 0; i < ARRAY_LEN(exempt); i++)
		if (strcmp(exempt[i].file, file) == 0) return true;
	return false;
}

/* the line of an example that the plan does not have at its place; NULL: it has all, and no other
 * lines */
static const char *missing(char *lines, const char *plan)
{
	bool skips = false;

	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
		if (strcmp(line, "..") == 0) {
			skips = true;
			continue;
		}
		for (bool fits = false; !fits;) {
			plan += strspn(plan, " ");
			const size_t n = strcspn(plan, "\n");
			fits = line_fits(plan, n, line);
			if (!*plan || (!fits && !skips)) return line;
			plan += n + (plan[n] != 0);
		}
		skips = false;
	}
	return skips || !*plan ? NULL : "(the end)";
}

/* whether it is as it should be */
static bool head_is_true(const char *file)
{
	head_example x;

	if (!head_example_read(file, &x)) {
		print_error("%s does not open with an example\n", file);
		return false;
	}
	const char *plan = plan_of(x.program);
	const char *line = missing(x.lines, plan);
	if (line) print_error("%s: '%s' is not at its place in\n%s", file, line, plan);
	head_example_free(&x);
	return !line;
}

static void check_heads(const char *folder)
{
	DIR *d = opendir(folder);
	char file[512];
	int wrong = 0;

	if (!d) fail_msg("no %s: tests run from the root of the source tree", folder);
	if (!plan_of("f(%0: f32[1]) -> f32[1] {\n  return %0\n}\n")) skip();
	for (const struct dirent *e; (e = readdir(d));) {
		const size_t n = strlen(e->d_name);
		snprintf(file, sizeof file, "%s/%s", folder, e->d_name);
		if (n > 2 && strcmp(e->d_name + n - 2, ".c") == 0 && !is_exempt(file))
			wrong += !head_is_true(file);
	}
	closedir(d);
	assert_int_equal(wrong, 0);
}

static void heads_of_plans(void **state)
{
	(void)state;
	check_heads("src/engine/plan");
}

static void heads_of_the_cpu(void **state)
{
	(void)state;
	check_heads("src/engine/cpu");
#ifdef TSR_OPENBLAS
	assert_true(head_is_true("src/engine/cpu/native/products/product.c"));
#endif
#ifdef TSR_LAPACK
	assert_true(head_is_true("src/engine/cpu/native/lapack/lapack.c"));
#endif
}

/* ---- steps */

static void contains(const char *plan, const char *part)
{
	if (!strstr(plan, part)) fail_msg("\"%s\" is not in\n%s", part, plan);
}

static void every_kind_of_step(void **state)
{
	const char *plan = plan_of(
		"g(%0: f32[512,512], %1: f32[3,4]) -> f32[512,512] {\n"
		"  %2: f32[512,512] = dot_general %0 %0 contract_a=[1] contract_b=[0] batch_a=[] "
		"batch_b=[] dtype=f32\n"
		"  %3: f32[512,512] = scan %2 %1 length=3 consts=0 carry=1 unroll=1 "
		"body=step(%0: f32[512,512], %1: f32[4]) -> f32[512,512] {\n"
		"    %2: f32[] = reduce_sum %1 dims=[0]\n"
		"    %6: f32[512,512] = broadcast_in_dim %2 dims=[512,512] at=[]\n"
		"    %3: f32[512,512] = sub %0 %6\n"
		"    %4: bool[] = gt %2 1.0:f32\n"
		"    %5: f32[512,512] = cond %4 %3 branches=["
		"a(%0: f32[512,512]) -> f32[512,512] {\n"
		"      %1: f32[512,512] = sin %0\n"
		"      return %1\n"
		"    }, b(%0: f32[512,512]) -> f32[512,512] {\n"
		"      %1: f32[1,512] = slice %0 start=[0,0] stop=[1,512] step=[1,1]\n"
		"      %2: f32[512,512] = dynamic_update_slice %0 %1 3:i32 0:i32\n"
		"      return %2\n"
		"    }]\n"
		"    return %5\n"
		"  }\n"
		"  debug_print %1 format=\"{}\" axes=()\n"
		"  return %3\n"
		"}\n");

	(void)state;
	if (!plan) skip();
	contains(plan, "the plan of g: ");
#ifdef TSR_OPENBLAS
	contains(plan, "product 512x512x512 f32  in0, in0 -> ");
#endif
	contains(plan, "loop 0, 3 times, ends at ");
	contains(plan, "next slices of loop 0\n");
	contains(plan, "loop 0 again from ");
	contains(plan, "slice of in1");
	contains(plan, "host debug_print  in1");
	contains(plan, "update  ");
	contains(plan, "copy 1048576 bytes  ");
	contains(plan, " items, shared: ");
	contains(plan, "  by scratch+");
	contains(plan, "constant");
}

/* Workers share elements, and matrices, in few parts, each of which has scratch memory */
static void scratch_is_less_than_operands(void **state)
{
	static const struct {
		const char *program;
		long operands; /* bytes */
	} rows[] = {
		{"f(%0: f32[1000000]) -> f32[1000000] {\n"
		 "  %1: f32[1000000] = igamma %0 %0\n"
		 "  return %1\n"
		 "}\n",
		 4000000},
		{"f(%0: f32[20000,8,8]) -> f32[20000,8,8] {\n"
		 "  %1: f32[20000,8,8], %2: f32[20000,8] = eigh %0 lower=true\n"
		 "  return %1\n"
		 "}\n",
		 5120000},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *plan = plan_of(rows[i].program), *text;
		if (!plan) skip();
		text = strstr(plan, " steps, ");
		const long scratch = text ? strtol(text + strlen(" steps, "), NULL, 10) : -1;
		if (scratch < 1 || scratch >= rows[i].operands) fail_msg("%s", plan);
		/* each matrix is small, however many there are */
		if (strstr(plan, "library")) fail_msg("%s", plan);
	}
}

/* .require_compiled: a row whose eval is called must be one of the listed rows */
static void another_call_is_an_error(void **state)
{
	tsr_prim listed = tsr__prim_cumsum, other = listed;
	const cumulative_params along = {0, false};

	(void)state;
	other.flags &= ~(unsigned)PRIM_CALLED;
	for (int i = 0; i < 2; i++) {
		tsr_ctx *ctx = tsr_open(.plugin_dir = PLUGIN_DIR, .debug = "c");
		tsr_engine_info info = {.size = sizeof info};
		assert_true(tsr_engine(ctx, &info));
		const bool compiles = info.compiles;
		assert_int_equal(tsr_close(ctx), TSR_OK);
		if (!compiles) skip();
		ctx = tsr_open(.plugin_dir = PLUGIN_DIR, .debug = "c", .require_compiled = true);
		const call_site site = {.where = "here", .op = "cumsum", .ctx = ctx};
		tsr *x = tsr_zeros(ctx, TSR_DIMS(9));
		tsr_wait(bind(&site, i ? &other : &listed, &along, &x, 1));
		if (i) contains(tsr_message(ctx), "cumsum has no kernel, and is none of the rows");
		assert_int_equal(tsr_close(ctx), i ? TSR_ERROR_UNSUPPORTED : TSR_OK);
	}
}

static int show(const char *path)
{
	static char text[1 << 16];
	FILE *f = fopen(path, "r");

	if (!f || !fread(text, 1, sizeof text - 1, f)) return 1;
	fclose(f);
	const char *plan = plan_of(text);
	puts(plan ? plan : "there is no machine code for such vectors here");
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heads_of_plans),
		cmocka_unit_test(heads_of_the_cpu),
		cmocka_unit_test(every_kind_of_step),
		cmocka_unit_test(scratch_is_less_than_operands),
		cmocka_unit_test(another_call_is_an_error),
	};

	if (instructions_here() >= VECTOR_BYTES) setenv("TSR_CPU", "avx2", 1);
	if (argc > 1) return show(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
