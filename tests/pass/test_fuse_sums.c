/* test_fuse_sums.c - large reductions with few results: in parts that workers can share, and the
 * same bits as in one, whatever is left over behind the last part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include "support/values.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

static const struct sum {
	const char *operand, *result, *dims;
	bool parts;
} sums[] = {
	{"[131072]", "[]", "[0]", true},           {"[131073]", "[]", "[0]", true},
	{"[139519]", "[]", "[0]", true},           {"[262144]", "[]", "[0]", true},
	{"[200000]", "[]", "[0]", true},           {"[301,503]", "[]", "[0,1]", true},
	{"[3,45000]", "[3]", "[1]", true},         {"[70000,2]", "[2]", "[0]", true},
	{"[2,4097,130]", "[2,130]", "[1]", true},  {"[2,4096,130]", "[2,130]", "[1]", false},
	{"[2,70,90,40]", "[2,40]", "[1,2]", true}, {"[131071]", "[]", "[0]", false},
	{"[4096,40]", "[4096]", "[1]", false},     {"[90,30,50]", "[30]", "[0,2]", false},
	{"[0,131072]", "[131072]", "[0]", false},
};
static const char *const dtypes[] = {"f32", "f64", "f16", "bf16", "i32", "u8", "c64"};
static const char *const rows[] = {"reduce_sum", "reduce_max", "reduce_prod", "reduce_xor"};

/* sums of every dtype, every row of two */
static bool is_due(size_t dtype, size_t row) { return !row || dtype % 4 == 0; }

/* a row, of the squares of an operand minus a half */
static const program *make(lab *l, const struct sum *s, const char *row, const char *dtype)
{
	char text[600];

	snprintf(text, sizeof text,
	         "sum(%%0: %s%s) -> %s%s {\n  %%1: %s%s = mul %%0 %%0\n"
	         "  %%2: %s%s = %s %%1 dims=%s\n  return %%2\n}\n",
	         dtype, s->operand, dtype, s->result, dtype, s->operand, dtype, s->result, row,
	         s->dims);
	program *p = program_parse(&l->ir, NULL, text, strlen(text));
	if (!p) error_clear(&l->base); /* the row has no such dtype */
	return p ? lab_keep(l, p, "the parser") : NULL;
}

static int count_reductions(const program *p)
{
	int n = 0;

	for (int i = 0; i < p->neqns; i++) {
		const program *inner = eqn_program(&p->eqns[i]);
		n += inner ? count_reductions(inner)
		           : strncmp(p->eqns[i].prim->name, "reduce_", 7) == 0;
	}
	return n;
}

static int64_t largest(const program *p)
{
	int64_t size = 0;

	for (int i = 0; i < p->neqns; i++)
		if (type_of(p, p->eqns[i].out[0])->size > size)
			size = type_of(p, p->eqns[i].out[0])->size;
	return size;
}

static void check(lab *l, const struct sum *s, const program *p)
{
	static const double bounds[1][2] = {{-2, 2}};
	value in = value_zeros(l, type_of(p, p->in[0])), want, got;
	const program *q = lab_keep(l, lab_fuse(p), "fuse");

	values_points(l, &in, 1, bounds);
	if (!q || !lab_run(l, p, &in, &want) || !lab_run(l, q, &in, &got)) return;
	const int64_t differs = value_same(&want, &got);
	if (differs >= 0) lab_fail(l, p, "differs at element %lld", (long long)differs);
	/* the parts are results of their own, and nothing else is stored */
	if (s->parts != (q->neqns > 1 && largest(q) > type_of(p, p->out[0])->size))
		lab_fail(l, q, "parts: %d", !s->parts);
	if (s->parts && count_reductions(q) > 2) lab_fail(l, q, "too many reductions");
}

static void parts_give_the_same_bits(void **state)
{
	lab *l = lab_open(5);
	int checked = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sums); i++)
		for (size_t d = 0; d < ARRAY_LEN(dtypes); d++)
			for (size_t r = 0; r < ARRAY_LEN(rows); r++) {
				const program *p =
					is_due(d, r) ? make(l, &sums[i], rows[r], dtypes[d]) : NULL;
				if (p) check(l, &sums[i], p);
				checked += p != NULL;
				lab_clear(l);
			}
	print_message("%d reductions\n", checked);
	assert_true(checked > 150);
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

static void no_memory_is_an_error(void **state)
{
	lab *l = lab_open(5);
	const program *p = make(l, &sums[1], "reduce_sum", "bf16");

	(void)state;
	assert_non_null(p);
	assert_true(lab_without_memory(l, p, lab_fuse) > 20);
	assert_int_equal(l->failures, 0);
	lab_close(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parts_give_the_same_bits),
	                                   cmocka_unit_test(no_memory_is_an_error)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
