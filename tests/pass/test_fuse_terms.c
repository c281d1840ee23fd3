/* test_fuse_terms.c - sums of products that a library computes: which are one product, and that it
 * is the sum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include "support/values.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

#define INPUTS \
	"%0: f32[256,8], %1: f32[256,8], %2: f32[256,8], %3: f32[8,256], %4: f32[8,256], " \
	"%5: f32[8,256], %6: f32[256,256], %7: f32[32,2], %8: f32[2,32]"
#define LARGE   "f32[256,256]"
#define LISTS   " batch_a=[] batch_b=[] dtype=f32\n"
#define ROWS    " contract_a=[1] contract_b=[0]" LISTS
#define COLUMNS " contract_a=[0] contract_b=[1]" LISTS
#define DOT(y, a, b, how)  "  " y ": " LARGE " = dot_general " a " " b how
#define TINY(y)            "  " y ": f32[32,32] = dot_general %7 %8" ROWS
#define ADD(y, a, b, type) "  " y ": " type " = add " a " " b "\n"

static const struct sum {
	const char *name, *results, *body, *given;
	int products; /* as fusion leaves them */
} sums[] = {
	{"two", LARGE, DOT("%9", "%0", "%3", ROWS) DOT("%10", "%1", "%4", ROWS)
	 ADD("%11", "%9", "%10", LARGE), "%11", 1},
	{"three", LARGE, DOT("%9", "%0", "%3", ROWS) DOT("%10", "%1", "%4", ROWS)
	 DOT("%11", "%2", "%5", ROWS) ADD("%12", "%9", "%10", LARGE)
	 ADD("%13", "%11", "%12", LARGE), "%13", 1},
	{"by columns", LARGE, DOT("%9", "%3", "%0", COLUMNS) DOT("%10", "%4", "%1", COLUMNS)
	 ADD("%11", "%9", "%10", LARGE), "%11", 1},
	{"and something else", LARGE, DOT("%9", "%0", "%3", ROWS) DOT("%10", "%1", "%4", ROWS)
	 ADD("%11", "%9", "%10", LARGE) ADD("%12", "%11", "%6", LARGE), "%12", 1},
	{"two sums", LARGE ", " LARGE, DOT("%9", "%0", "%3", ROWS) DOT("%10", "%1", "%4", ROWS)
	 DOT("%11", "%1", "%3", ROWS) DOT("%12", "%2", "%5", ROWS) ADD("%13", "%9", "%10", LARGE)
	 ADD("%14", "%11", "%12", LARGE), "%13 %14", 2},
	{"a term is read", LARGE ", " LARGE,
	 DOT("%9", "%0", "%3", ROWS) DOT("%10", "%1", "%4", ROWS) ADD("%11", "%9", "%10", LARGE),
	 "%11 %9", 2},
	{"a part of it is read", LARGE ", " LARGE,
	 DOT("%9", "%0", "%3", ROWS) DOT("%10", "%1", "%4", ROWS) DOT("%11", "%2", "%5", ROWS)
	 ADD("%12", "%9", "%10", LARGE) ADD("%13", "%11", "%12", LARGE), "%13 %12", 2},
	{"twice the same", LARGE, DOT("%9", "%0", "%3", ROWS) ADD("%10", "%9", "%9", LARGE), "%10",
	 1},
	{"of other dims", LARGE, DOT("%9", "%0", "%3", ROWS) DOT("%10", "%4", "%1", COLUMNS)
	 ADD("%11", "%9", "%10", LARGE), "%11", 2},
	{"of large operands", LARGE, DOT("%9", "%6", "%6", ROWS) DOT("%10", "%6", "%6", ROWS)
	 ADD("%11", "%9", "%10", LARGE), "%11", 2},
	{"of a kernel", "f32[32,32]", TINY("%9") TINY("%10") ADD("%11", "%9", "%10", "f32[32,32]"),
	 "%11", 2},
};

static int count_products(const program *p)
{
	int n = 0;

	for (int i = 0; i < p->neqns; i++) {
		const program *inner = eqn_program(&p->eqns[i]);
		n += inner ? count_products(inner) : p->eqns[i].prim == &tsr__prim_dot_general;
	}
	return n;
}

static const program *make(lab *l, const struct sum *s)
{
	char text[2500];

	snprintf(text, sizeof text, "sum(%s) -> %s {\n%s  return %s\n}\n", INPUTS, s->results,
	         s->body, s->given);
	return lab_keep(l, program_parse(&l->ir, NULL, text, strlen(text)), "the parser");
}

/* whole numbers, so that no order of adding rounds */
static void check(lab *l, const struct sum *s)
{
	const program *p = make(l, s), *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;
	value in[9], want[2], got[2];

	snprintf(l->about, sizeof l->about, "%s", s->name);
	if (!q) return;
	if (count_products(q) != s->products)
		lab_fail(l, q, "%d products, not %d", count_products(q), s->products);
	for (int i = 0; i < p->nin; i++) {
		in[i] = value_zeros(l, type_of(p, p->in[i]));
		for (int64_t k = 0; k < in[i].type->size; k++)
			((float *)in[i].data)[k] = (float)dice_roll(l, -3, 3);
	}
	if (!lab_run(l, p, in, want) || !lab_run(l, q, in, got)) return;
	for (int i = 0; i < p->nout; i++) {
		const int64_t differs = value_same(&want[i], &got[i]);
		if (differs >= 0)
			lab_fail(l, q, "result %d differs at element %lld", i, (long long)differs);
	}
}

static void sums_are_one_product(void **state)
{
	lab *l = lab_open(9);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sums); i++) {
		check(l, &sums[i]);
		lab_clear(l);
	}
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

static void no_memory_is_an_error(void **state)
{
	lab *l = lab_open(5);
	const program *p = make(l, &sums[1]);

	(void)state;
	assert_non_null(p);
	assert_true(lab_without_memory(l, p, lab_fuse) > 20);
	assert_int_equal(l->failures, 0);
	lab_close(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_one_product),
	                                   cmocka_unit_test(no_memory_is_an_error)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
