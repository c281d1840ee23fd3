/* test_rows.c - is every row of the primitive table complete?
 *
 * A column is due once it is filled for all rows (some columns: for all rows that hold programs).
 * From then on each row has it, or says why it does not apply. */
#include "prim/prim.h"
#include <ctype.h>
#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>                        /* after base.h: it takes the name fail */

static const column due[] = {COL_TYPES, COL_FACTORS, COL_JVP, COL_TRANSPOSE,
                             COL_BATCH, COL_COST, COL_EVAL, COL_LOWER};
static const column due_with_programs[] = {COL_SPLIT, COL_REPLICATE, COL_EDGES};

static const column due_of_collectives[] = {COL_MEMBERS, COL_RECEIVED};

static const char *const listed[] = {
#define PRIM(name) #name,
#include "prim/prims.def"
#undef PRIM
};

#define EACH_ROW(p) \
	for (int k_ = 0; k_ < all_prims_count; k_++) \
		for (const tsr_prim *p = all_prims[k_]; p; p = NULL)

static void check_column(const tsr_prim *p, column c)
{
	const char *why = p->no_rule[c];

	if (prim_has(p, c) && why) fail_msg("%s has %s and says why not", p->name, column_name(c));
	if (!prim_has(p, c) && (!why || !*why))
		fail_msg("%s has no %s and does not say why", p->name, column_name(c));
}

static void due_columns(void **state)
{
	(void)state;
	EACH_ROW(p)
		for (size_t i = 0; i < ARRAY_LEN(due); i++) check_column(p, due[i]);
}

/* their passes ask rows without programs nothing */
static void columns_of_rows_with_programs(void **state)
{
	(void)state;
	EACH_ROW(p)
		for (size_t i = 0; i < ARRAY_LEN(due_with_programs); i++) {
			const column c = due_with_programs[i];
			if (prim_holds_programs(p)) check_column(p, c);
			else if (prim_has(p, c) || p->no_rule[c])
				fail_msg("%s holds no program, and %s", p->name, column_name(c));
		}
}

static void columns_of_collectives(void **state)
{
	(void)state;
	EACH_ROW(p)
		for (size_t i = 0; i < ARRAY_LEN(due_of_collectives); i++) {
			const column c = due_of_collectives[i];
			if (p->flags & PRIM_COLLECTIVE) check_column(p, c);
			else if (prim_has(p, c) || p->no_rule[c])
				fail_msg("%s is no collective, and %s", p->name, column_name(c));
		}
}

static void names_and_sentences(void **state)
{
	(void)state;
	assert_int_equal(all_prims_count, ARRAY_LEN(listed));
	EACH_ROW(p) {
		assert_string_equal(p->name, listed[k_]);
		if (!p->doc || strlen(p->doc) < 5) fail_msg("%s has no sentence", p->name);
		for (const char *c = p->name; *c; c++)
			assert_true(islower(*c) || isdigit(*c) || *c == '_');
		for (int j = 0; j < k_; j++)
			if (strcmp(p->name, all_prims[j]->name) == 0)
				fail_msg("%s is there twice", p->name);
	}
}

static void arities_and_flags(void **state)
{
	const unsigned known = PRIM_ELEMENTWISE | PRIM_COLLECTIVE | PRIM_OWN_VARYING |
	                       PRIM_OWN_WEAK | PRIM_MOVES | PRIM_REDUCES | PRIM_BRANCHES |
	                       PRIM_ALONG | PRIM_LIBRARY | PRIM_UPDATES | PRIM_CALLED;

	(void)state;
	EACH_ROW(p) {
		if (p->nin < -1 || p->nout < -1 || p->flags & ~known)
			fail_msg("%s: arity or flags", p->name);
		if (p->nout == -1 && p->nin != -1 && !p->results)
			fail_msg("%s: how many results?", p->name);
		if (p->flags & PRIM_ELEMENTWISE && (p->nin < 1 || p->nout < 1))
			fail_msg("%s: not elementwise", p->name);
		const bool called = p->eval && !prim_has(p, COL_LOWER) && p->cost > 0 &&
		                    !(p->flags & PRIM_COLLECTIVE);
		if (called != !!(p->flags & PRIM_CALLED))
			fail_msg("%s: is its eval called?", p->name);
		if (p->flags & PRIM_LIBRARY && (p->lower || p->nin > 2))
			fail_msg("%s: no library can compute it", p->name);
		if (p->flags & PRIM_MOVES && (p->cost >= 1 || p->flags & PRIM_REDUCES))
			fail_msg("%s: what only moves costs less than an addition", p->name);
		if (p->flags & PRIM_COLLECTIVE &&
		    (!p->params || p->params[0].kind != FIELD_AXES ||
		     p->params[0].offset != offsetof(collective, axes) ||
		     p->params[1].kind != FIELD_GROUPS ||
		     p->params[1].offset != offsetof(collective, groups)))
			fail_msg("%s: its parameters do not begin with axes and groups", p->name);
	}
}

/* names differ, fields do not overlap, words are there where they are needed and end */
static void parameters(void **state)
{
	(void)state;
	EACH_ROW(p)
		for (const field *f = p->params; f && f->name; f++) {
			if (!*f->name || f->kind < FIELD_BOOL || f->kind > FIELD_RULE)
				fail_msg("%s: a field without name or kind", p->name);
			if ((f->kind == FIELD_WORD) != (f->words != NULL))
				fail_msg("%s.%s: words", p->name, f->name);
			if (f->words && (!f->words[0] || !f->words[1]))
				fail_msg("%s.%s: too few words", p->name, f->name);
			if (f->offset >= params_size(p->params))
				fail_msg("%s.%s: outside", p->name, f->name);
			for (const field *g = p->params; g < f; g++)
				if (strcmp(f->name, g->name) == 0 || f->offset == g->offset)
					fail_msg("%s: fields %s and %s", p->name, g->name, f->name);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(due_columns),
		cmocka_unit_test(columns_of_rows_with_programs),
		cmocka_unit_test(columns_of_collectives),
		cmocka_unit_test(names_and_sentences),
		cmocka_unit_test(arities_and_flags),
		cmocka_unit_test(parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
