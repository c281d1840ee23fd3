/* test_schedule.c - tables of steps, walked by the book (support/schedule_walk.h) for 1, 2 and 5
 * workers, against the interpreter: the results are the same bits, in any order of the workers.
 *
 * Each draw has a seed of its own, which every message names; TSR_SEED=n in the environment runs
 * that draw alone and prints its program. TSR_DRAWS=n changes how many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/draws.h"
#include "support/loops_draw.h"
#include "support/products_draw.h"
#include "support/schedule_walk.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { FIRST_SEED = 1, DRAWS = 4000, PRODUCT_DRAWS = 300, FAILURES_SHOWN = 5, MOST_VALUES_ = 64 };

/* ---- the interpreter */

static bool interpret(lab *l, const program *p, const value *in, value *out)
{
	engine e = {.type = &interp_engine, .base = &l->base, .devices = l->device, .ndevices = 1};
	buffer *x[MOST_VALUES_], *y[MOST_VALUES_];
	executable *exe = interp_engine.compile(&e, p, (device_set){1, (const int64_t[]){0}});

	if (!exe) return false;
	for (int i = 0; i < p->nin; i++) {
		const size_t bytes = (size_t)value_bytes(in[i].type);
		x[i] = host_alloc(&e, 0, bytes, false);
		memcpy(host_bytes(x[i]), in[i].data, bytes);
	}
	const bool ran = run_to_end(&interp_engine, exe, x, NULL, y);
	for (int i = 0; ran && i < p->nout; i++) {
		out[i] = value_zeros(l, type_of(p, p->out[i]));
		memcpy(out[i].data, host_bytes(y[i]), (size_t)value_bytes(out[i].type));
		tsr__buffer_release(y[i]);
	}
	interp_engine.release(exe);
	return ran;
}

/* ---- one table against the interpreter */

static void check_walk(lab *l, const program *p, const coded *c, const value *in,
                       const value *want, bool donates, const char *how)
{
	char why[200] = "";
	void *x[MOST_VALUES_], *y[MOST_VALUES_];
	value copy[MOST_VALUES_], got[MOST_VALUES_];

	for (int i = 0; i < p->nin; i++) {
		copy[i] = value_zeros(l, in[i].type);
		memcpy(copy[i].data, in[i].data, (size_t)value_bytes(in[i].type));
		x[i] = copy[i].data;
	}
	for (int i = 0; i < p->nout; i++) {
		got[i] = value_zeros(l, want[i].type);
		y[i] = got[i].data;
	}
	if (!schedule_walk(c, p, x, y, donates, why, sizeof why))
		lab_fail(l, p, "%d workers, %s: %s", c->workers, how, why);
	for (int i = 0; i < p->nout && !*why; i++)
		if (memcmp(got[i].data, want[i].data, (size_t)value_bytes(want[i].type)) != 0)
			lab_fail(l, p, "%d workers, %s: result %d differs", c->workers, how, i);
	for (int i = 0; i < p->nin; i++)
		if (!(donates && c->plan->heir[i] >= 0) &&
		    memcmp(copy[i].data, in[i].data, (size_t)value_bytes(in[i].type)) != 0)
			lab_fail(l, p, "%d workers, %s: input %d was written", c->workers, how, i);
}

/* as if some steps were long: only they are worth sharing, and loops of the others are one worker's
 */
static void draw_costs(lab *l, const schedule *s)
{
	const int64_t often = dice_roll(l, 1, 12);

	for (size_t i = 0; i < s->nsteps; i++)
		s->step[i].cost = dice_roll(l, 0, often) ? 10 : 20000;
}

static void check_program(lab *l, const program *p, const value *in, const value *want)
{
	static const int workers[] = {1, 2, 5};
	const target here = walk_target();
	str why = {.base = &l->base};

	for (size_t k = 0; k < ARRAY_LEN(workers); k++) {
		coded *c = code_make(&l->base, &walk_native, NULL, &here, p, workers[k], &why);
		if (!c) {
			lab_fail(l, p, "no schedule: %s", error_text(&l->base));
			return;
		}
		check_walk(l, p, c, in, want, false, "shares as they are");
		for (int again = 0; again < 3 && workers[k] > 1; again++) {
			draw_costs(l, c->plan);
			c->share_all = again == 0;
			if (!code_share(c, workers[k])) lab_fail(l, p, "no shares");
			check_walk(l, p, c, in, want, false,
			           again ? "drawn costs" : "all is shared");
			check_walk(l, p, c, in, want, true, "operands are donated");
		}
		code_free(c);
	}
}

/* p as it is, one kernel an equation, and fused */
static void check_both(lab *l, const program *p)
{
	value in[MOST_VALUES_], want[MOST_VALUES_];
	const target here = walk_target();

	for (int i = 0; i < p->nin; i++) {
		in[i] = value_zeros(l, type_of(p, p->in[i]));
		loops_fill(l, &in[i]);
	}
	if (!interpret(l, p, in, want)) {
		lab_fail(l, p, "the interpreter: %s", error_text(&l->base));
		return;
	}
	check_program(l, p, in, want);
	const program *flat = lab_keep(l, pass_inline(p), "inline");
	const program *simple = flat ? lab_keep(l, pass_simplify(flat), "simplify") : NULL;
	const program *q = simple ? lab_keep(l, pass_fuse(simple, &here), "fuse") : NULL;
	if (q) check_program(l, q, in, want);
}

/* the example of piece_count.c */
static void work_is_cut(void **state)
{
	const coded two = {.workers = 2};

	(void)state;
	assert_int_equal(pieces_of(&two, 5e3), 1);
	assert_int_equal(pieces_of(&two, 8e3), 2);
	assert_int_equal(pieces_of(&two, 30e3), 2);
	assert_int_equal(pieces_of(&two, 200e3), 10);
}

/* ---- programs that ask for one trick each */

static const char *const hazards[] = {
	/* carries that change places, of which one is xs too */
	"swap(%0: i32[3,4], %1: i32[3,4]) -> i32[3,4], i32[3,4], i32[3,4] {\n"
	"  %2: i32[3,4], %3: i32[3,4], %4: i32[3,4] = scan %0 %1 %0 length=3 consts=0 carry=2 "
	"unroll=1 body=step(%0: i32[3,4], %1: i32[3,4], %2: i32[4]) -> i32[3,4], i32[3,4], i32[4] "
	"{\n"
	"    %3: i32[4] = add %2 %2\n"
	"    return %1 %0 %3\n"
	"  }\n"
	"  return %2 %3 %4\n"
	"}\n",
	/* an inner loop whose carry stands in that of the outer one, with products */
	"inside(%0: f32[4,4], %1: f32[4,4]) -> f32[4,4] {\n"
	"  %2: f32[4,4] = scan %1 %0 length=3 consts=1 carry=1 unroll=1 "
	"body=outer(%0: f32[4,4], %1: f32[4,4]) -> f32[4,4] {\n"
	"    %2: f32[4,4] = scan %0 %1 length=2 consts=1 carry=1 unroll=1 "
	"body=inner(%0: f32[4,4], %1: f32[4,4]) -> f32[4,4] {\n"
	"      %2: f32[4,4] = dot_general %1 %0 contract_a=[1] contract_b=[0] batch_a=[] "
	"batch_b=[] dtype=f32\n"
	"      %3: f32[4,4] = sub %2 %1\n"
	"      %4: f32[4,4] = min %3 9.0:f32\n"
	"      %5: f32[4,4] = max %4 -9.0:f32\n"
	"      return %5\n"
	"    }\n"
	"    return %2\n"
	"  }\n"
	"  return %2\n"
	"}\n",
	/* a carry that a product reads, and the kernel behind it writes */
	"carry(%0: f32[4,4], %1: f32[4,4]) -> f32[4,4] {\n"
	"  %2: f32[4,4] = scan %1 %0 length=3 consts=1 carry=1 unroll=1 "
	"body=step(%0: f32[4,4], %1: f32[4,4]) -> f32[4,4] {\n"
	"    %2: f32[4,4] = dot_general %1 %0 contract_a=[1] contract_b=[0] batch_a=[] "
	"batch_b=[] dtype=f32\n"
	"    %3: f32[4,4] = min %2 3.0:f32\n"
	"    return %3\n"
	"  }\n"
	"  return %2\n"
	"}\n",
	/* products at the ends of branches, and a kernel behind them */
	"ends(%0: f32[4,4], %1: bool[]) -> f32[4,4] {\n"
	"  %2: f32[4,4] = cond %1 %0 branches=["
	"(%0: f32[4,4]) -> f32[4,4] {\n"
	"    %1: f32[4,4] = dot_general %0 %0 contract_a=[1] contract_b=[0] batch_a=[] "
	"batch_b=[] dtype=f32\n"
	"    return %1\n"
	"  }, (%0: f32[4,4]) -> f32[4,4] {\n"
	"    %1: f32[4,4] = dot_general %0 %0 contract_a=[0] contract_b=[0] batch_a=[] "
	"batch_b=[] dtype=f32\n"
	"    return %1\n"
	"  }]\n"
	"  %3: f32[4,4] = neg %2\n"
	"  return %3\n"
	"}\n",
	/* a kernel behind a product reads a part of it */
	"half(%0: f32[8,4], %1: f32[4,4]) -> f32[4,4], f32[8,4] {\n"
	"  %2: f32[8,4] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] "
	"batch_b=[] dtype=f32\n"
	"  %3: f32[4,4] = slice %2 start=[4,0] stop=[8,4] step=[1,1]\n"
	"  %4: f32[4,4] = neg %3\n"
	"  return %4 %2\n"
	"}\n",
	/* rows without kernels: scratch memory, literals, several results, in a loop too */
	"called(%0: f32[5,6], %1: i32[5,6]) -> f32[5,6], i32[5,6] {\n"
	"  %2: f32[5,6], %3: i32[5,6] = sort %0 %1 dim=1 num_keys=1 is_stable=true\n"
	"  %4: f32[5,6] = cumsum %2 dim=0 reverse=true\n"
	"  %5: f32[5,6] = scan %4 length=3 consts=0 carry=1 unroll=1 "
	"body=step(%0: f32[5,6]) -> f32[5,6] {\n"
	"    %1: f32[5,6] = neg %0\n"
	"    %2: f32[5,6] = sort %1 dim=0 num_keys=1\n"
	"    return %2\n"
	"  }\n"
	"  return %5 %3\n"
	"}\n",
	/* kernels that are equal but for their literals, in a loop that becomes a routine too */
	"numbers(%0: f32[5]) -> f32[5], f32[5], f32[5] {\n"
	"  %1: f32[5] = mul %0 3.0:f32\n"
	"  %2: f32[5] = mul %0 0.5:f32\n"
	"  %3: f32[5] = scan %2 length=200 consts=0 carry=1 unroll=1 "
	"body=step(%0: f32[5]) -> f32[5] {\n"
	"    %1: f32[5] = mul %0 0.75:f32\n"
	"    %2: f32[5] = add %1 7.0:f32\n"
	"    return %2\n"
	"  }\n"
	"  return %1 %2 %3\n"
	"}\n",
	/* results that are an input, a part of one, a literal, and each other */
	"same(%0: i32[4,2]) -> i32[4,2], i32[2,2], i32[], i32[4,2], i32[4,2], i32[8] {\n"
	"  %1: i32[2,2] = slice %0 start=[1,0] stop=[3,2] step=[1,1]\n"
	"  %2: i32[4,2] = neg %0\n"
	"  %3: i32[8] = reshape %2 dims=[8]\n"
	"  return %0 %1 5:i32 %2 %2 %3\n"
	"}\n",
	/* joins of joins, of one value twice, of nothing, and a part of the whole */
	"joins(%0: i32[2,3], %1: i32[0,3]) -> i32[14,3], i32[3] {\n"
	"  %2: i32[2,3] = neg %0\n"
	"  %3: i32[2,3] = add %0 %2\n"
	"  %4: i32[6,3] = concatenate %2 %3 %2 dim=0\n"
	"  %5: i32[8,3] = concatenate %4 %1 %0 dim=0\n"
	"  %6: i32[14,3] = concatenate %5 %4 dim=0\n"
	"  %7: i32[1,3] = slice %5 start=[6,0] stop=[7,3] step=[1,1]\n"
	"  %8: i32[3] = reshape %7 dims=[3]\n"
	"  return %6 %8\n"
	"}\n",
	/* a choice in a loop that hands the carry on, or a constant; the other carry is left alone
         */
	"choose(%0: i32[], %1: i32[5], %2: i32[5]) -> i32[], i32[5], i32[5] {\n"
	"  %3: i32[], %4: i32[5], %5: i32[5] = while %1 %0 %1 %2 cond_consts=0 body_consts=1 "
	"cond=cond(%0: i32[], %1: i32[5], %2: i32[5]) -> bool[] {\n"
	"    %3: bool[] = lt %0 20:i32\n"
	"    return %3\n"
	"  } body=body(%0: i32[5], %1: i32[], %2: i32[5], %3: i32[5]) -> i32[], i32[5], i32[5] {\n"
	"    %4: i32[] = rem %1 3:i32\n"
	"    %5: i32[5] = cond %4 %0 %2 branches=[a(%0: i32[5], %1: i32[5]) -> i32[5] {\n"
	"      return %0\n"
	"    }, b(%0: i32[5], %1: i32[5]) -> i32[5] {\n"
	"      return %1\n"
	"    }, c(%0: i32[5], %1: i32[5]) -> i32[5] {\n"
	"      %2: i32[5] = rev %1 dims=[0]\n"
	"      return %2\n"
	"    }]\n"
	"    %6: i32[] = add %1 1:i32\n"
	"    return %6 %5 %3\n"
	"  }\n"
	"  return %3 %4 %5\n"
	"}\n",
	/* no steps, and nothing in what is carried */
	"never(%0: i32[2], %1: i32[0,3], %2: i32[0]) -> i32[2], i32[0,3], i32[0,2], i32[0] {\n"
	"  %3: i32[2], %4: i32[0,2] = scan %0 %1 length=0 consts=0 carry=1 unroll=1 "
	"body=step(%0: i32[2], %1: i32[3]) -> i32[2], i32[2] {\n"
	"    %2: i32[2] = neg %0\n"
	"    return %2 %0\n"
	"  }\n"
	"  %5: i32[0] = scan %2 length=4 consts=0 carry=1 unroll=1 body=empty(%0: i32[0]) -> "
	"i32[0] {\n"
	"    %1: i32[0] = rev %0 dims=[0]\n"
	"    return %1\n"
	"  }\n"
	"  return %3 %1 %4 %5\n"
	"}\n",
	/* a carry that is updated in place, one row a step, and read before */
	"rows(%0: i32[4,3], %1: i32[4]) -> i32[4,3], i32[4,3] {\n"
	"  %2: i32[4,3], %3: i32[4,3] = scan %0 %1 length=4 consts=0 carry=1 unroll=1 "
	"body=step(%0: i32[4,3], %1: i32[]) -> i32[4,3], i32[3] {\n"
	"    %2: i32[1,3] = dynamic_slice %0 %1 0:i32 dims=[1,3]\n"
	"    %3: i32[1,3] = add %2 %2\n"
	"    %4: i32[4,3] = dynamic_update_slice %0 %3 %1 0:i32\n"
	"    %5: i32[3] = reshape %2 dims=[3]\n"
	"    return %4 %5\n"
	"  }\n"
	"  return %2 %3\n"
	"}\n",
	/* kernels that read parts of their operands, the last one in a place that it may not take
         */
	"parts(%0: i32[4,6]) -> i32[4,2], i32[4,2], i32[3,4], i32[4,6] {\n"
	"  %1: i32[4,6] = neg %0\n"
	"  %2: i32[4,2] = call %0 program=a(%0: i32[4,6]) -> i32[4,2] {\n"
	"    %1: i32[4,2] = slice %0 start=[0,1] stop=[4,3] step=[1,1]\n"
	"    %2: i32[4,2] = add %1 %1\n"
	"    return %2\n"
	"  }\n"
	"  %3: i32[4,2] = call %0 program=b(%0: i32[4,6]) -> i32[4,2] {\n"
	"    %1: i32[4,2] = slice %0 start=[0,4] stop=[4,6] step=[1,1]\n"
	"    %2: i32[4,2] = add %1 %1\n"
	"    return %2\n"
	"  }\n"
	"  %4: i32[3,4] = call %1 program=c(%0: i32[4,6]) -> i32[3,4] {\n"
	"    %1: i32[3,4] = slice %0 start=[1,2] stop=[4,6] step=[1,1]\n"
	"    %2: i32[2,4] = slice %0 start=[2,1] stop=[4,5] step=[1,1]\n"
	"    %3: i32[3,4] = pad %2 3:i32 low=[1,0] high=[0,0] interior=[0,0]\n"
	"    %4: i32[3,4] = sub %1 %3\n"
	"    return %4\n"
	"  }\n"
	"  %5: i32[4,6] = neg %0\n"
	"  %6: i32[4,6] = call %5 program=d(%0: i32[4,6]) -> i32[4,6] {\n"
	"    %1: i32[3,5] = slice %0 start=[1,1] stop=[4,6] step=[1,1]\n"
	"    %2: i32[4,6] = pad %1 7:i32 low=[0,0] high=[1,1] interior=[0,0]\n"
	"    return %2\n"
	"  }\n"
	"  return %2 %3 %4 %6\n"
	"}\n",
};

static void hazards_are_none(void **state)
{
	lab *l = lab_open(1);

	(void)state;
	for (size_t i = 0; i < 2 * ARRAY_LEN(hazards); i++) {
		l->ir.debug = 0;
		if (i % 2) debug_read(&l->base, NULL, "the test", "w", &l->ir.debug);
		const program *p = lab_parse(l, hazards[i / 2]);
		assert_non_null(p);
		check_both(l, p);
		lab_clear(l);
	}
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

/* kernels that differ only in where the parts begin that they read are one */
static void parts_share_a_kernel(void **state)
{
	lab *l = lab_open(1);
	const program *p = lab_parse(l, hazards[ARRAY_LEN(hazards) - 1]);
	const target here = walk_target();
	str why = {.base = &l->base};

	(void)state;
	assert_non_null(p);
	coded *c = code_make(&l->base, &walk_native, NULL, &here, p, 1, &why);
	assert_non_null(c);
	assert_int_equal(c->plan->nunits, 4); /* neg, a and b, c, d */
	code_free(c);
	lab_close(l);
}

/* ---- nests: loops around choices around loops, which change the places of two large values. A
 * body that takes turns stands in the table twice, so this must not happen on every level */

#define TWO_LARGE "(%0: f32[4000], %1: f32[4000]) -> f32[4000], f32[4000] {\n"
static const char nest_level[] = TWO_LARGE
	" %2: f32[4000], %3: f32[4000] = while %0 %1 cond_consts=0 body_consts=0 "
	"cond=(%0: f32[4000], %1: f32[4000]) -> bool[] {\n"
	" %2: f32[] = reduce_sum %0 dims=[0]\n %3: bool[] = lt %2 1.0:f32\n return %3\n"
	"} body=" TWO_LARGE " %2: f32[] = reduce_sum %1 dims=[0]\n %3: bool[] = lt %2 1.0:f32\n"
	" %4: f32[4000], %5: f32[4000] = cond %3 %0 %1 branches=[" TWO_LARGE " return %0 %1\n}, ";
static const char nest_core[] = TWO_LARGE " %2: f32[4000] = mul %0 %1\n return %1 %2\n}";
static const char nest_end[] = "]\n return %5 %4\n}\n return %3 %2\n}";

static size_t steps_of_nest(lab *l, int depth)
{
	str text = {.base = &l->base}, why = {.base = &l->base};
	const target here = walk_target();

	for (int i = 0; i < depth; i++) str_put(&text, nest_level);
	str_put(&text, nest_core);
	for (int i = 0; i < depth; i++) str_put(&text, nest_end);
	const program *p = lab_parse(l, text.s);
	assert_non_null(p);
	coded *c = code_make(&l->base, &walk_native, NULL, &here, p, 1, &why);
	assert_non_null(c);
	const size_t steps = c->plan->nsteps;
	code_free(c);
	str_free(&text);
	return steps;
}

static void nests_grow_with_their_depth(void **state)
{
	enum { DEPTH = 8 };
	lab *l = lab_open(1);
	const size_t half = steps_of_nest(l, DEPTH), whole = steps_of_nest(l, 2 * DEPTH);

	(void)state;
	assert_in_range(whole, half, 3 * half);
	lab_close(l);
}

/* ---- sampled programs */

static void sampled_programs(void **state)
{
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", FIRST_SEED);
	const int draws = one ? 1 : number_from("TSR_DRAWS", DRAWS);
	lab *l = lab_open(1);

	(void)state;
	print_message("seeds %d to %d\n", first, first + draws - 1);
	for (int k = 0; k < draws && l->failures < FAILURES_SHOWN; k++) {
		l->dice = (uint64_t)(first + k) * 0x2545f4914f6cdd1du;
		l->ir.debug = 0; /* what pays for much: two bodies of a loop that take turns */
		if ((first + k) % 2) debug_read(&l->base, NULL, "the test", "w", &l->ir.debug);
		snprintf(l->about, sizeof l->about, "TSR_SEED=%d", first + k);
		const program *p = lab_keep(l, loops_draw(l), "the sampler");
		if (p && one) show_program(p);
		if (p) check_both(l, p);
		lab_clear(l);
	}
	print_message("%lld steps, %lld of them shared, %lld waves, %lld epilogues\n",
	              (long long)walked_steps, (long long)walked_shared, (long long)walked_waves,
	              (long long)walked_epilogues);
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
	assert_true(one || (walked_shared > draws && walked_waves > draws));
}

/* products, some of which compute what follows them */
static void sampled_products(void **state)
{
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", FIRST_SEED);
	const int draws = one ? 1 : number_from("TSR_DRAWS", PRODUCT_DRAWS);
	const int64_t before = walked_epilogues;
	lab *l = lab_open(1);
	char text[PRODUCTS_TEXT];

	(void)state;
	for (int k = first; k < first + draws && l->failures < FAILURES_SHOWN; k++) {
		l->dice = (uint64_t)k * 0x2545f4914f6cdd1du;
		debug_read(&l->base, NULL, "the test", "w", &l->ir.debug);
		snprintf(l->about, sizeof l->about, "TSR_SEED=%d", k);
		const program *p = lab_parse(
			l, products_draw((uint64_t)k, k % 3 ? 0 : 2, 4 + k % 2, true, text));
		if (p && one) show_program(p);
		if (p) check_both(l, p);
		lab_clear(l);
	}
	print_message("%lld epilogues\n", (long long)(walked_epilogues - before));
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
	assert_true(one || walked_epilogues - before > 10 * draws);
}

/* ---- memory */

/* every request for memory fails once: there is no schedule then, an error, and nothing is lost */
static void without_memory(lab *l, const program *p, int64_t *requests)
{
	const size_t in_use = mem_in_use(&l->base);
	const target here = walk_target();
	str why = {.base = &l->base};
	coded *c = NULL;

	for (int64_t at = 0; !c; at++, ++*requests) {
		l->base.mem.fail_at = at;
		c = code_make(&l->base, &walk_native, NULL, &here, p, 2, &why);
		l->base.mem.fail_at = -1;
		assert_true(c || failed(&l->base));
		error_clear(&l->base);
		if (!c) assert_int_equal(mem_in_use(&l->base), in_use);
	}
	code_free(c);
	assert_int_equal(mem_in_use(&l->base), in_use);
}

static void no_memory_is_an_error(void **state)
{
	lab *l = lab_open(1);
	int64_t requests = 0;
	const target here = walk_target();
	str why = {.base = &l->base};

	(void)state;
	for (int seed = 1; seed <= 20; seed++) {
		l->dice = (uint64_t)seed * 0x2545f4914f6cdd1du;
		const program *p = lab_keep(l, loops_draw(l), "the sampler");
		assert_non_null(p);
		code_free(code_make(&l->base, &walk_native, NULL, &here, p, 2, &why)); /* types */
		without_memory(l, p, &requests);
		lab_clear(l);
	}
	print_message("%lld requests\n", (long long)requests);
	assert_true(requests > 500);
	lab_close(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_is_cut),
		cmocka_unit_test(hazards_are_none), cmocka_unit_test(parts_share_a_kernel),
		cmocka_unit_test(sampled_programs), cmocka_unit_test(sampled_products),
		cmocka_unit_test(nests_grow_with_their_depth),
		cmocka_unit_test(no_memory_is_an_error)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
