/* test_fuse.c - fused programs give the same bits, and every call of them is one kernel.
 *
 * Each draw has a seed of its own, which every message names; TSR_SEED=n in the environment runs
 * that draw alone and prints its programs. TSR_DRAWS=n changes how many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/draws.h"
#include "support/kernels.h"
#include "support/values.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { FIRST_SEED = 1, DRAWS = 3000, FAILURES_SHOWN = 5, INPUTS = 4, MOST_VALUES = 100 };
#define MOST_ELEMENTS 20000

/* ---- what must hold of a fused program */

static void check_call(lab *l, const program *whole, const eqn *e)
{
	const program *body = eqn_program(e);
	bool fits;
	kernel *k = kernel_lower(body, &fits);

	if (!k)
		lab_fail(l, body, fits ? "is no kernel: %s" : "does not fit%s",
		         error_text(&l->base));
	if (k && !kernel_verify(k)) lab_fail(l, body, "%s", error_text(&l->base));
	kernel_free(k);
	error_clear(&l->base);
	for (int i = 0; i < e->nin; i++)
		if (whole->vars[e->in[i].id].literal) lab_fail(l, whole, "a call takes a literal");
}

static bool may_stand_alone(const program *p, const eqn *e)
{
	static const tsr_prim *const moves[] = {
		&tsr__prim_reshape, &tsr__prim_squeeze,     &tsr__prim_expand_dims,
		&tsr__prim_slice,   &tsr__prim_concatenate, &tsr__prim_dynamic_update_slice};
	matrix_product product;
	bool may = eqn_program(e) || maker_of(target_of(32), p, e, &product) != BY_KERNEL;

	for (size_t i = 0; i < ARRAY_LEN(moves); i++) may = may || e->prim == moves[i];
	return may;
}

static void check_fused(lab *l, const program *q)
{
	if (!program_verify(q, "fuse")) lab_fail(l, q, "%s", error_text(&l->base));
	for (int i = 0; i < q->neqns; i++) {
		const eqn *e = &q->eqns[i];
		if (e->prim == &tsr__prim_call)
			check_call(l, q, e);
		else if (!may_stand_alone(q, e))
			lab_fail(l, q, "%s stands outside of calls", e->prim->name);
	}
}

/* equations, those in calls too, that cost too much to be made twice */
static int count_heavy(const program *p)
{
	static const tsr_prim *const heavy[] = {&tsr__prim_exp, &tsr__prim_tanh,
	                                        &tsr__prim_reduce_sum, &tsr__prim_reduce_max,
	                                        &tsr__prim_dot_general,
	                                        &tsr__prim_threefry2x32};
	int n = 0;

	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (eqn_program(e)) n += count_heavy(eqn_program(e));
		for (size_t k = 0; k < ARRAY_LEN(heavy); k++)
			n += e->prim == heavy[k] && type_of(p, e->in[0])->size >= 300;
	}
	return n;
}

/* ---- random programs: chains of what fusion tells apart */

typedef struct sampler {
	lab *l;
	build *b;
	var values[MOST_VALUES];
	int n;
} sampler;

static int roll(sampler *s, int n) { return (int)dice_roll(s->l, 0, n - 1); }
static const type *at(const sampler *s, var v) { return build_type(s->b, v); }
static var newest(sampler *s)
{
	return s->values[roll(s, 3) ? s->n - 1 - roll(s, s->n < 4 ? s->n : 4) : roll(s, s->n)];
}

static var append(sampler *s, const tsr_prim *prim, const void *params, const var *in, int nin)
{
	var out = {0};

	if (s->n == MOST_VALUES) return in[0];
	if (!build_eqn_exact(s->b, prim, params, in, nin, &out, NULL, NULL)) {
		error_clear(&s->l->base);
		return in[0];
	}
	if (at(s, out)->size <= MOST_ELEMENTS) s->values[s->n++] = out;
	return out;
}

static var like(sampler *s, var x)
{
	const type *t = at(s, x);

	for (int i = 0; i < 10; i++) {
		const var v = s->values[roll(s, s->n)];
		if (at(s, v) == t) return v;
	}
	return x;
}

static void one_operand(sampler *s)
{
	static const tsr_prim *const rows[] = {&tsr__prim_neg, &tsr__prim_exp, &tsr__prim_tanh,
	                                       &tsr__prim_abs, &tsr__prim_square};
	const var x = newest(s);

	append(s, rows[roll(s, ARRAY_LEN(rows))], NULL, &x, 1);
}

static void two_operands(sampler *s)
{
	static const tsr_prim *const rows[] = {&tsr__prim_add, &tsr__prim_sub, &tsr__prim_mul,
	                                       &tsr__prim_max, &tsr__prim_div};
	const var x = newest(s);

	append(s, rows[roll(s, ARRAY_LEN(rows))], NULL, (var[]){x, like(s, x)}, 2);
}

static var spread(sampler *s, var x, const type *to, int without)
{
	int64_t where[8];
	int n = 0;

	for (int d = 0; d < to->ndim; d++)
		if (d != without) where[n++] = d;
	return append(s, &tsr__prim_broadcast_in_dim,
	              &(broadcast_params){{to->ndim, to->dims}, {at(s, x)->ndim ? n : 0, where}},
	              &x, 1);
}

/* over one dim or all; mostly used beside what it was made of */
static void reduce(sampler *s)
{
	static const tsr_prim *const rows[] = {&tsr__prim_reduce_sum, &tsr__prim_reduce_max};
	const var x = newest(s);
	const type *t = at(s, x);
	int64_t dims[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	const bool all = roll(s, 5) == 0;

	if (!t->ndim) return;
	if (!all) dims[0] = roll(s, t->ndim);
	const int without = (int)dims[0];
	const var y =
		append(s, rows[roll(s, 2)], &(reduce_params){{all ? t->ndim : 1, dims}}, &x, 1);
	if (y.id == x.id || roll(s, 3) == 0) return;
	append(s, &tsr__prim_sub, NULL, (var[]){x, spread(s, y, t, without)}, 2);
}

static void rearrange(sampler *s)
{
	const var x = newest(s);
	const type *t = at(s, x);
	int64_t list[8], size = t->size;

	switch (roll(s, 3)) {
	case 0:
		for (int d = 0; d < t->ndim; d++) list[d] = t->ndim - 1 - d;
		append(s, &tsr__prim_transpose, &(transpose_params){{t->ndim, list}}, &x, 1);
		break;
	case 1: append(s, &tsr__prim_reshape, &(dims_params){{1, &size}}, &x, 1); break;
	default:
		list[0] = 0;
		if (t->ndim) append(s, &tsr__prim_rev, &(dims_params){{1, list}}, &x, 1);
	}
}

static var shifted(sampler *s, var x, int64_t by)
{
	const type *t = at(s, x);
	int64_t start[8] = {0}, stop[8], step[8];

	for (int d = 0; d < t->ndim; d++) stop[d] = t->dims[d], step[d] = 1;
	start[t->ndim - 1] = by;
	stop[t->ndim - 1] += by - 2;
	return append(s, &tsr__prim_slice,
	              &(slice_params){{t->ndim, start}, {t->ndim, stop}, {t->ndim, step}}, &x, 1);
}

static void stencil(sampler *s)
{
	const var x = newest(s);
	const type *t = at(s, x);

	if (!t->ndim || t->dims[t->ndim - 1] < 3) return;
	const var a = shifted(s, x, 0), b = shifted(s, x, 1);
	if (a.id == x.id || b.id == x.id) return;
	append(s, &tsr__prim_add, NULL, (var[]){a, b}, 2);
}

static void pieces(sampler *s)
{
	const var x = newest(s), y = like(s, x);
	const type *t = at(s, x);
	const int64_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, zeros[8] = {0};
	const float zero = 0;
	var in[8] = {x, y, x};

	if (!t->ndim) return;
	switch (roll(s, 3)) {
	case 0: append(s, &tsr__prim_concatenate, &(dim_params){roll(s, t->ndim)}, in, 3); break;
	case 1:
		in[1] = build_literal(s->b, TSR_F32, &zero);
		append(s, &tsr__prim_pad,
		       &(pad_params){{t->ndim, ones}, {t->ndim, ones}, {t->ndim, zeros}}, in, 2);
		break;
	default:
		in[1] = t->dims[t->ndim - 1] > 2 ? shifted(s, x, 1) : x;
		for (int d = 0; d < t->ndim; d++) in[2 + d] = s->values[1];
		append(s, &tsr__prim_dynamic_update_slice, NULL, in, 2 + t->ndim);
	}
}

static void dot(sampler *s)
{
	const var x = newest(s);
	const type *t = at(s, x);
	const int64_t last = t->ndim - 1;

	if (t->ndim != 2 || t->size > 6000) return;
	append(s, &tsr__prim_dot_general,
	       &(dot_params){{1, &last}, {1, &last}, {0, NULL}, {0, NULL}, t->dtype},
	       (var[]){x, like(s, x)}, 2);
}

/* a row of two results, of which both are used, or one */
static void words(sampler *s)
{
	const dtype_params to_words = {.dtype = TSR_U32}, to_numbers = {.dtype = TSR_F32};
	const var x = newest(s);
	var key = append(s, &tsr__prim_convert_element_type, &to_words, &x, 1), out[2];

	if (!build_eqn_exact(s->b, &tsr__prim_threefry2x32, NULL, (var[]){key, key, key, key}, 4,
	                     out, NULL, NULL)) {
		error_clear(&s->l->base);
		return;
	}
	for (int k = roll(s, 2); k < 1 + roll(s, 2); k++)
		append(s, &tsr__prim_convert_element_type, &to_numbers, &out[k], 1);
	if (roll(s, 3)) append(s, &tsr__prim_xor, NULL, out, 2);
}

static const struct {
	int ndim;
	int64_t dims[3];
} starts[] = {{0, {0}},         {1, {5}},     {2, {40, 300}}, {2, {4, 6}},
              {2, {3, 5000}},   {1, {12000}}, {2, {300, 7}},  {2, {70, 70}},
              {3, {2, 60, 64}}, {2, {0, 3}},  {2, {1, 40}}};

static program *draw(lab *l)
{
	static void (*const steps[])(sampler *) = {one_operand, two_operands, two_operands, reduce,
	                                           rearrange,   stencil,      pieces,       dot,
	                                           one_operand, two_operands, reduce,
	                                           words};
	sampler s = {.l = l, .b = build_begin(&l->ir, "drawn", NULL, 0)};
	const int shape = roll(&s, ARRAY_LEN(starts)), proposals = 2 + roll(&s, 40);
	const type *t = type_make(&l->ir, TSR_F32, starts[shape].dims, starts[shape].ndim, 0);
	var out[4];

	for (int i = 0; i < INPUTS; i++)
		s.values[s.n++] =
			build_input(s.b, i == 1 ? type_make(&l->ir, TSR_I32, NULL, 0, 0) : t);
	for (int i = 0; i < proposals; i++) steps[roll(&s, ARRAY_LEN(steps))](&s);
	const int nout = 1 + roll(&s, 4);
	for (int k = 0; k < nout; k++) out[k] = s.values[s.n - 1 - roll(&s, s.n < 9 ? s.n : 9)];
	return build_end(s.b, out, nout);
}

static void check_draw(lab *l, uint64_t seed, bool loud, int64_t *kernels)
{
	value in[INPUTS], want[4], got[4];

	l->dice = seed * 0x2545f4914f6cdd1du;
	snprintf(l->about, sizeof l->about, "TSR_SEED=%llu", (unsigned long long)seed);
	const program *drawn = lab_keep(l, draw(l), "the sampler");
	const program *p = drawn ? lab_keep(l, pass_simplify(drawn), "simplify") : NULL;
	const program *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;
	if (!q) return;
	if (loud) show_program(p), show_program(q);
	check_fused(l, q);
	if (count_heavy(q) != count_heavy(p)) lab_fail(l, p, "something is made twice");
	*kernels += q->neqns;
	static const double bounds[INPUTS][2] = {{-2, 2}, {0, 3}, {-2, 2}, {-2, 2}};
	for (int i = 0; i < INPUTS; i++) in[i] = value_zeros(l, type_of(p, p->in[i]));
	values_points(l, in, INPUTS, bounds);
	if (!lab_run(l, p, in, want) || !lab_run(l, q, in, got)) return;
	for (int i = 0; i < p->nout; i++) {
		const int64_t differs = value_same(&want[i], &got[i]);
		if (differs >= 0)
			lab_fail(l, p, "result %d differs at element %lld", i, (long long)differs);
	}
}

static void sampled_programs_give_the_same_bits(void **state)
{
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", FIRST_SEED);
	const int draws = one ? 1 : number_from("TSR_DRAWS", DRAWS);
	lab *l = lab_open(1);
	int64_t kernels = 0;

	(void)state;
	print_message("seeds %d to %d\n", first, first + draws - 1);
	for (int k = 0; k < draws && l->failures < FAILURES_SHOWN; k++) {
		check_draw(l, (uint64_t)(first + k), one, &kernels);
		lab_clear(l);
	}
	print_message("%lld steps\n", (long long)kernels);
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

/* ---- what is heavy is made once: both results of a row in one place, elements at equal indices
 * together */

static const struct {
	const char *text;
	int steps;
} cases[] = {
	{"(%0: u32[9000], %1: u32[9000]) -> u32[9000] {\n"
         "%2: u32[9000] = not %1\n"
         "%3: u32[9000], %4: u32[9000] = threefry2x32 %0 1:u32 %1 %2\n"
         "%5: u32[9000] = xor %3 %4\nreturn %5\n}",
         1},
	{"(%0: u32[9000]) -> u32[9000], u32[9000] {\n"
         "%1: u32[9000], %2: u32[9000] = threefry2x32 %0 2:u32 %0 1:u32\nreturn %2 %1\n}",
         1},
	{"(%0: u32[9000]) -> u32[9000] {\n"
         "%1: u32[9000], %2: u32[9000] = threefry2x32 %0 2:u32 %0 1:u32\nreturn %2\n}",
         1},
	{"(%0: u32[9000]) -> u32[9000], u32[] {\n"
         "%1: u32[9000], %2: u32[9000] = threefry2x32 %0 2:u32 %0 1:u32\n"
         "%3: u32[] = reduce_or %1 dims=[0]\nreturn %2 %3\n}",
         2},
	{"(%0: u32[70,90]) -> u32[90,70], u32[70,90] {\n"
         "%1: u32[70,90], %2: u32[70,90] = threefry2x32 %0 2:u32 %0 1:u32\n"
         "%3: u32[90,70] = transpose %1 perm=[1,0]\n%4: u32[70,90] = not %2\n"
         "return %3 %4\n}",
         3},
	/* two slices whose columns are the same: one exponential for both */
	{"(%0: f32[3000]) -> f32[1,2000] {\n"
         "%1: f32[3000] = exp %0\n"
         "%2: f32[4,3000] = broadcast_in_dim %1 dims=[4,3000] at=[1]\n"
         "%3: f32[1,2000] = slice %2 start=[0,500] stop=[1,2500] step=[1,1]\n"
         "%4: f32[1,2000] = slice %2 start=[1,500] stop=[2,2500] step=[1,1]\n"
         "%5: f32[1,2000] = add %3 %4\nreturn %5\n}",
         1},
	/* the columns differ, so there would be two */
	{"(%0: f32[3000]) -> f32[1,2000] {\n"
         "%1: f32[3000] = exp %0\n"
         "%2: f32[4,3000] = broadcast_in_dim %1 dims=[4,3000] at=[1]\n"
         "%3: f32[1,2000] = slice %2 start=[0,500] stop=[1,2500] step=[1,1]\n"
         "%4: f32[1,2000] = slice %2 start=[1,501] stop=[2,2501] step=[1,1]\n"
         "%5: f32[1,2000] = add %3 %4\nreturn %5\n}",
         2},
};

static void heavy_work_is_done_once(void **state)
{
	lab *l = lab_open(1);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		value in[2], want[2], got[2];
		const program *p = lab_parse(l, cases[i].text);
		const program *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;
		if (!q) fail_msg("%s", error_text(&l->base));
		check_fused(l, q);
		if (count_heavy(q) != 1 || q->neqns != cases[i].steps) {
			show_program(q);
			lab_fail(l, p, "%d steps", q->neqns);
		}
		for (int k = 0; k < p->nin; k++) {
			in[k] = value_zeros(l, type_of(p, p->in[k]));
			value_set(&in[k], 77, 5 + k);
		}
		if (!lab_run(l, p, in, want) || !lab_run(l, q, in, got)) continue;
		for (int k = 0; k < p->nout; k++)
			assert_int_equal(value_same(&want[k], &got[k]), -1);
	}
	assert_int_equal(l->failures, 0);
	lab_close(l);
}

/* Kernels that read one large value are one, unless one goes along the rows of a matrix and the
 * other along its columns */
static void large_values_are_read_once_in_one_order(void **state)
{
	static const struct {
		const char *first, *second; /* dims that are summed, of f32[600,600] */
		int steps;
	} pairs[] = {{"[1]", "[1]", 1}, {"[0]", "[0]", 1}, {"[0]", "[1]", 2}, {"[1]", "[0]", 2}};
	lab *l = lab_open(1);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		char text[400];
		snprintf(text, sizeof text,
		         "(%%0: f32[600,600]) -> f32[600], f32[600] {\n"
		         "%%1: f32[600,600] = mul %%0 %%0\n"
		         "%%2: f32[600] = reduce_sum %%1 dims=%s\n"
		         "%%3: f32[600] = reduce_max %%0 dims=%s\nreturn %%2 %%3\n}",
		         pairs[i].first, pairs[i].second);
		const program *p = lab_parse(l, text);
		const program *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;
		if (!q) fail_msg("%s", error_text(&l->base));
		check_fused(l, q);
		if (q->neqns != pairs[i].steps) {
			show_program(q);
			lab_fail(l, p, "%d steps", q->neqns);
		}
	}
	assert_int_equal(l->failures, 0);
	lab_close(l);
}

static void no_memory_is_an_error(void **state)
{
	lab *l = lab_open(1);

	(void)state;
	l->dice = 7;
	const program *drawn = lab_keep(l, draw(l), "the sampler");
	const program *p = drawn ? lab_keep(l, pass_simplify(drawn), "simplify") : NULL;
	assert_non_null(p);
	assert_true(lab_without_memory(l, p, lab_fuse) > 20);
	assert_int_equal(l->failures, 0);
	lab_close(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sampled_programs_give_the_same_bits),
		cmocka_unit_test(heavy_work_is_done_once),
		cmocka_unit_test(large_values_are_read_once_in_one_order),
		cmocka_unit_test(no_memory_is_an_error)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
