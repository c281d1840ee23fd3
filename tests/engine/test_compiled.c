/* test_compiled.c - sampled programs with loops and branches (support/loops_draw.h), compiled and
 * run by 1, 2 and 5 workers that share all work, against the interpreter, bit for bit.
 *
 * Each draw has a seed of its own, which every message names; TSR_SEED=n in the environment runs
 * that draw alone. TSR_DRAWS=n changes how many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/draws.h"
#include "engine/engine.h"
#include "support/loops_draw.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { FIRST_SEED = 100001, DRAWS = 300, FAILURES_SHOWN = 5, MOST_BUFFERS = 64 };

static engine engine_open(lab *l, const engine_type *type, int workers)
{
	return (engine){.type = type,
	                .base = &l->base,
	                .devices = l->device,
	                .ndevices = 1,
	                .workers = workers,
	                .plugin_dir = PLUGIN_DIR};
}

/* donates: the run alone holds the inputs, so it may use their memory. Gives references */
static bool run_once(lab *l, executable *x, const engine *e, const program *p, const value *in,
                     bool donates, buffer **out)
{
	buffer *taken[MOST_BUFFERS], *mine[MOST_BUFFERS];

	for (int i = 0; i < p->nin; i++) {
		const size_t bytes = (size_t)in[i].type->size * tsr_dtype_size(in[i].type->dtype);
		mine[i] = taken[i] = host_alloc((engine *)(uintptr_t)e, 0, bytes, false);
		memcpy(host_bytes(mine[i]), in[i].data, bytes);
		if (!donates) buffer_retain(mine[i]);
	}
	const bool ran = run_to_end(e->type, x, taken, NULL, out);
	for (int i = 0; i < p->nin && !donates; i++) {
		if (memcmp(host_bytes(mine[i]), in[i].data, mine[i]->bytes) != 0)
			lab_fail(l, p, "input %d was written", i);
		tsr__buffer_release(mine[i]);
	}
	return ran;
}

/* the same executable twice: the second run finds what the first one left */
static void check_engine(lab *l, engine *e, const program *p, const value *in, buffer *const *want)
{
	buffer *got[MOST_BUFFERS];
	executable *x = e->type->compile(e, p, (device_set){1, (const int64_t[]){0}});

	for (int twice = 0; x && twice < 2; twice++) {
		if (!run_once(l, x, e, p, in, twice, got)) {
			lab_fail(l, p, "%s", error_text(&l->base));
			break;
		}
		for (int i = 0; i < p->nout; i++) {
			if (memcmp(host_bytes(got[i]), host_bytes(want[i]), want[i]->bytes) != 0)
				lab_fail(l, p, "%d workers, run %d: result %d differs", e->workers,
				         twice + 1, i);
			tsr__buffer_release(got[i]);
		}
	}
	if (!x) lab_fail(l, p, "%s", error_text(&l->base));
	e->type->release(x);
}

static void check_engines(lab *l, const program *p, engine *e, int n)
{
	value in[MOST_BUFFERS];
	buffer *want[MOST_BUFFERS];
	engine plain = engine_open(l, &interp_engine, 1);
	executable *x = interp_engine.compile(&plain, p, (device_set){1, (const int64_t[]){0}});

	if (!x) return;
	for (int i = 0; i < p->nin; i++) {
		in[i] = value_zeros(l, type_of(p, p->in[i]));
		loops_fill(l, &in[i]);
	}
	if (run_once(l, x, &plain, p, in, false, want)) {
		for (int k = 0; k < n; k++) check_engine(l, &e[k], p, in, want);
		for (int i = 0; i < p->nout; i++) tsr__buffer_release(want[i]);
	}
	interp_engine.release(x);
}

static void compiled_programs_give_the_same_bits(void **state)
{
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", FIRST_SEED);
	const int draws = one ? 1 : number_from("TSR_DRAWS", DRAWS);
	lab *l = lab_open(1);
	engine e[] = {engine_open(l, &cpu_engine, 1), engine_open(l, &cpu_engine, 2),
	              engine_open(l, &cpu_engine, 5)};

	(void)state;
	assert_true(debug_read(&l->base, NULL, "the test", "cw", &l->ir.debug));
	print_message("seeds %d to %d\n", first, first + draws - 1);
	for (int k = 0; k < draws && l->failures < FAILURES_SHOWN; k++) {
		l->dice = (uint64_t)(first + k) * 0x2545f4914f6cdd1du;
		snprintf(l->about, sizeof l->about, "TSR_SEED=%d", first + k);
		const program *drawn = lab_keep(l, loops_draw(l), "the sampler");
		const program *p = drawn ? lab_keep(l, pass_simplify(drawn), "simplify") : NULL;
		if (p) check_engines(l, p, e, ARRAY_LEN(e));
		lab_clear(l);
	}
	for (size_t i = 0; i < ARRAY_LEN(e); i++) cpu_engine.close(&e[i]);
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

/* ---- much work that is shared beside loops that are one worker's: without the letter w */

static const char mixed[] =
	"mixed(%0: i32[400,500], %1: i32[]) -> i32[400,500], i32[], i32[500] {\n"
	"  %2: i32[400,500] = mul %0 %0\n"
	"  %3: i32[400,500] = rev %2 dims=[0]\n"
	"  %4: i32[500] = reduce_sum %3 dims=[0]\n"
	"  %5: i32[] = reduce_max %4 dims=[0]\n"
	"  %6: i32[], %7: i32[] = while 150:i32 %1 %5 cond_consts=1 body_consts=0 "
	"cond=test(%0: i32[], %1: i32[], %2: i32[]) -> bool[] {\n"
	"    %3: bool[] = lt %1 %0\n"
	"    return %3\n"
	"  } body=body(%0: i32[], %1: i32[]) -> i32[], i32[] {\n"
	"    %2: i32[] = add %0 1:i32\n"
	"    %3: i32[] = mul %1 3:i32\n"
	"    %4: i32[] = xor %3 %0\n"
	"    return %2 %4\n"
	"  }\n"
	"  %8: i32[400,500] = scan %7 %2 length=3 consts=1 carry=1 unroll=1 "
	"body=step(%0: i32[], %1: i32[400,500]) -> i32[400,500] {\n"
	"    %2: i32[400,500] = rev %1 dims=[1]\n"
	"    %3: i32[400,500] = broadcast_in_dim %0 dims=[400,500] at=[]\n"
	"    %4: i32[400,500] = sub %2 %3\n"
	"    %5: i32[] = reduce_min %4 dims=[0,1]\n"
	"    %6: bool[] = lt %5 0:i32\n"
	"    %7: i32[400,500] = cond %6 %4 %5 branches=[no(%0: i32[400,500], %1: i32[]) -> "
	"i32[400,500] {\n"
	"      return %0\n"
	"    }, yes(%0: i32[400,500], %1: i32[]) -> i32[400,500] {\n"
	"      %2: i32[], %3: i32[] = scan %1 %1 length=120 consts=0 carry=2 unroll=1 "
	"body=small(%0: i32[], %1: i32[]) -> i32[], i32[] {\n"
	"        %2: i32[] = mul %0 %1\n"
	"        %3: i32[] = add %2 7:i32\n"
	"        return %1 %3\n"
	"      }\n"
	"      %4: i32[400,500] = broadcast_in_dim %3 dims=[400,500] at=[]\n"
	"      %5: i32[400,500] = xor %0 %4\n"
	"      return %5\n"
	"    }]\n"
	"    return %7\n"
	"  }\n"
	"  return %8 %7 %4\n"
	"}\n";

static void check_text(const char *text, int times)
{
	lab *l = lab_open(1);
	engine e[] = {engine_open(l, &cpu_engine, 1), engine_open(l, &cpu_engine, 2),
	              engine_open(l, &cpu_engine, 5)};
	const program *p = lab_parse(l, text);

	assert_non_null(p);
	assert_true(debug_read(&l->base, NULL, "the test", "c", &l->ir.debug));
	for (int i = 0; i < times && !l->failures; i++) check_engines(l, p, e, ARRAY_LEN(e));
	for (size_t i = 0; i < ARRAY_LEN(e); i++) cpu_engine.close(&e[i]);
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

static void shared_work_beside_small_loops(void **state)
{
	(void)state;
	check_text(mixed, 20);
}

/* ---- rows that no kernel computes, beside others and inside a loop */

static const char without_kernels[] =
	"sorts(%0: i32[40,50], %1: i32[]) -> i32[40,50], i32[], i32[3,40,50] {\n"
	"  %2: i32[40,50] = mul %0 3:i32\n"
	"  %3: i32[40,50], %4: i32[40,50] = sort %2 %0 dim=1 num_keys=1 is_stable=true\n"
	"  %5: i32[40,50] = add %3 %4\n"
	"  %6: i32[], %7: i32[3,40,50] = scan %5 %1 length=3 consts=1 carry=1 unroll=1 "
	"body=step(%0: i32[40,50], %1: i32[]) -> i32[], i32[40,50] {\n"
	"    %2: i32[40,50] = broadcast_in_dim %1 dims=[40,50] at=[]\n"
	"    %3: i32[40,50] = xor %0 %2\n"
	"    %4: i32[40,50] = cumsum %3 dim=0 reverse=true\n"
	"    %5: i32[] = reduce_min %4 dims=[0,1]\n"
	"    return %5 %4\n"
	"  }\n"
	"  return %5 %6 %7\n"
	"}\n";

static void rows_without_kernels(void **state)
{
	(void)state;
	check_text(without_kernels, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(compiled_programs_give_the_same_bits),
	                                   cmocka_unit_test(shared_work_beside_small_loops),
	                                   cmocka_unit_test(rows_without_kernels)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
