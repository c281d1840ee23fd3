/* test_not_linear.c - a program that should be linear and is not gives an error of the equation at
 * fault, for every row. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/values.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

static const program *parse(lab *l, const char *body)
{
	char text[512];

	snprintf(text, sizeof text, "(%%0: f32[3], %%1: bool[3]) -> %s {\n%s\nreturn %%9\n}",
	         strstr(body, "f32[3,3]") ? "f32[3,3]" : "f32[3]", body);
	const program *p = lab_parse(l, text);
	if (!p) fail_msg("%s: %s", body, error_text(&l->base));
	return p;
}

/* %0 is f32[3], %1 a predicate, and one or both of them are to be linear; the message names the row
 * and says why it is not */
static const struct {
	const char *body, *row, *why;
	bool linear[2];
} cases[] = {
	{"%9: f32[3] = mul %0 %0", "mul", "not linear in both operands", {true, false}},
	{"%9: f32[3,3] = dot_general %0 %0 contract_a=[] contract_b=[] batch_a=[] batch_b=[] "
         "dtype=f32",
         "dot_general",
         "not linear in both operands",
         {true, false}},
	{"%9: f32[3] = div 1.0:f32 %0", "div", "not linear in the divisor", {true, false}},
	{"%9: f32[3] = div %0 %0", "div", "not linear in the divisor", {true, false}},
	{"%9: f32[3] = exp %0", "exp", "not linear", {true, false}},
	{"%9: f32[3] = max %0 0.0:f32", "max", "not linear", {true, false}},
	{"%9: f32[3] = integer_pow %0 y=1", "integer_pow", "not linear", {true, false}},
	{"%9: f32[3] = select_n %1 %0 0.0:f32", "select_n", "in the predicate", {true, true}},
	{"%8: bool[3] = lt %0 0.0:f32\n%9: f32[3] = select_n %8 %0 0.0:f32",
         "select_n",
         "in the predicate",
         {true, false}},
};

static void refused(void **state)
{
	lab *l = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const program *p = parse(l, cases[i].body);
		assert_null(pass_transpose(p, cases[i].linear, (bool[]){true}, NULL));
		const char *said = error_text(&l->base);
		if (!strstr(said, cases[i].row) || !strstr(said, cases[i].why))
			fail_msg("%s: said '%s'", cases[i].body, said);
		error_clear(&l->base);
		lab_clear(l);
	}
}

/* what is linear in one of the two is not refused */
static void not_refused(void **state)
{
	static const char *const bodies[] = {
		"%9: f32[3] = mul %0 %0",
		"%9: f32[3] = div 1.0:f32 %0",
		"%9: f32[3] = select_n %1 %0 0.0:f32",
	};
	lab *l = *state;

	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		const program *p = parse(l, bodies[i]);
		program *t = pass_transpose(p, (bool[]){false, false}, (bool[]){true}, NULL);
		if (!t) fail_msg("%s: %s", bodies[i], error_text(&l->base));
		program_release(t);
		lab_clear(l);
	}
}

static int open_lab(void **state)
{
	*state = lab_open(1);
	return 0;
}

static int close_lab(void **state)
{
	lab_close(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused),
		cmocka_unit_test(not_refused),
	};

	return cmocka_run_group_tests(tests, open_lab, close_lab);
}
