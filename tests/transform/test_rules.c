/* test_rules.c - the rules of local rows: jvp against differences, transposes against jvp, batches
 * against loops, and each of these of each other.
 *
 *     test_rules [ROW ...]       only the cases of these rows
 *     TSR_SEED=n                 in the environment: other points
 *     TSR_PART=2/3               the second of every three types of operands
 *
 * Each set of operands that can move moves, and each set of operands is mapped. */
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/differ.h"
#include "support/part.h"
#include "support/row_cases.h"
#include "transform/kinks.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { SEED = 20260810 };

/* ---- texts */

static const char *const shapes[] = {"", "3", "1,2", "2,0", "2,1,2"};

/* what the letters of a text stand for */
typedef struct form {
	tsr_dtype dtype;
	const char *shape;
	bool varying; /* the operands vary over an axis of a mesh */
} form;

static void put_letters(str *to, const char *text, const form *f)
{
	const row_letters l = row_letters_of(tsr_dtype_name(f->dtype), f->shape,
	                                     (const int64_t[]){2, 3, 2, 4, 9});
	char words[512];

	str_putn(to, words, row_text(words, sizeof words, text, &l));
}

static void put_type(str *to, const char *text, size_t n, const form *f)
{
	char type[64];

	snprintf(type, sizeof type, "%.*s", (int)n, text);
	put_letters(to, type, f);
	if (f->varying) str_put(to, "{x}");
}

/* the types of a list, with names from %first on, or without (-1); how many */
static int put_types(str *to, const char *types, int first, const form *f)
{
	int n = 0;

	for (const char *c = types; *c; n++) {
		const size_t length = strcspn(c, ";");
		str_put(to, n ? ", " : "");
		if (first >= 0) str_printf(to, "%%%d: ", first + n);
		put_type(to, c, length, f);
		c += length + (c[length] == ';');
	}
	return n;
}

/* NULL: the row does not accept the dtype, or the text is wrong; the lab has the error */
static const program *parse(lab *l, const char *operands, const char *equation, const char *results,
                            const form *f)
{
	str text = {.base = &l->base};

	str_put(&text, f->varying ? "axes (i: 3, x, y of (x:2,y:2)) (" : "(");
	put_types(&text, operands, 0, f);
	str_put(&text, ") -> ");
	put_types(&text, results, -1, f);
	str_put(&text, " {\n");
	const int n = put_types(&text, results, 90, f);
	str_put(&text, " = ");
	put_letters(&text, equation, f);
	str_put(&text, "\nreturn");
	for (int i = 0; i < n; i++) str_printf(&text, " %%%d", 90 + i);
	str_put(&text, "\n}");
	const program *p = lab_parse(l, text.s);
	str_free(&text);
	return p;
}

/* ---- each case and form */

typedef struct instance {
	const row_case *c;
	form form;
	const program *p;
	bool wide; /* in f64 or c128 */
} instance;

static int chosen_count;
static char **chosen;

static const tsr_prim *row_of(lab *l, const row_case *c)
{
	return prim_named(&l->ir, c->equation, strcspn(c->equation, " "));
}

static bool is_chosen(const tsr_prim *prim)
{
	for (int i = 0; i < chosen_count; i++)
		if (strcmp(chosen[i], prim->name) == 0) return true;
	return chosen_count == 0;
}

static subject subject_of(const instance *at, const program *p, const bool *moves)
{
	static const double usual[] = {-2, 2};
	const row_case *c = at->c;
	const double *all = c->points[0] < c->points[1] ? c->points : usual;
	subject s = {.p = p, .moves = moves, .linear = c->linear};

	for (size_t i = 0; i < MOST_VALUES; i++) {
		const bool own = i < ARRAY_LEN(c->bounds) && c->bounds[i][0] < c->bounds[i][1];
		memcpy(s.points[i], own ? c->bounds[i] : all, sizeof s.points[i]);
	}
	return s;
}

/* whether the row accepts the dtype */
static bool each_form(lab *l, const row_case *c, form f, void (*check)(lab *, const instance *))
{
	static const row_case *seen; /* of a case the first form is never left out */
	instance at = {c, f, NULL, f.dtype == TSR_F64 || f.dtype == TSR_C128};

	if (c->kinds && !(c->kinds & row_kind(tsr_dtype_name(f.dtype)))) return false;
	error_clear(&l->base);
	at.p = parse(l, c->operands, c->equation, c->results, &f);
	if (!at.p) return false;
	snprintf(l->about, sizeof l->about, "%s | %s | T %s, S [%s]%s", c->operands, c->equation,
	         tsr_dtype_name(f.dtype), f.shape, f.varying ? ", varying" : "");
	const bool left_out = is_left_out();
	if (!left_out || at.c != seen) check(l, &at);
	seen = at.c;
	lab_clear(l);
	return true;
}

/* every dtype and every shape, alike on all devices or not; how often */
static int each_dtype(lab *l, const row_case *c, void (*check)(lab *, const instance *))
{
	const bool shaped = strchr(c->operands, 'S') || strchr(c->results, 'S');
	int count = 0;

	for (int dtype = TSR_BOOL; dtype <= TSR_C128; dtype++)
		for (size_t s = 0; s < (shaped ? ARRAY_LEN(shapes) : 1); s++) {
			form f = {(tsr_dtype)dtype, shapes[s], false};
			if (!each_form(l, c, f, check)) continue;
			count++;
			f.varying = true;
			if (*c->operands && !each_form(l, c, f, check))
				fail_msg("%s, varying: %s", c->equation, error_text(&l->base));
		}
	return count;
}

static void each_case(void **state, column needs, void (*check)(lab *, const instance *))
{
	lab *l = *state;
	const int before = l->failures;
	const uint64_t seed = l->dice;
	int all = 0;

	printf("seed %llu\n", (unsigned long long)seed);
	for (size_t i = 0; i < ROW_CASES; i++) {
		const row_case *c = &row_cases[i];
		const tsr_prim *prim = row_of(l, c);
		if (!prim) fail_msg("%s: no such row", c->equation);
		if (!row_law(c, DERIVED) || !is_chosen(prim) || !prim_has(prim, needs))
			continue;
		l->dice = hash_str(c->equation, seed); /* a new line moves no points of others */
		const int programs = each_dtype(l, c, check);
		if (!programs)
			fail_msg("%s | %s: %s", c->operands, c->equation, error_text(&l->base));
		all += programs;
		error_clear(&l->base);
	}
	printf("%d programs\n", all);
	if (l->failures > before) fail_msg("%d failures", l->failures - before);
}

/* ---- sets of operands */

static unsigned movable(const program *p)
{
	unsigned set = 0;

	for (int i = 0; i < p->nin; i++)
		if (inexact(type_of(p, p->in[i])->dtype)) set |= 1u << i;
	return set;
}

/* what: for reports, what it is about the operands in the set */
static void spread_set(lab *l, bool *of, unsigned set, int n, const char *what)
{
	size_t at = (size_t)snprintf(l->set, sizeof l->set, "%s", what);

	for (int i = 0; i < n; i++) {
		of[i] = set >> i & 1;
		if (of[i] && at < sizeof l->set)
			at += (size_t)snprintf(l->set + at, sizeof l->set - at, " %%%d", i);
	}
}

/* in turn each set of operands but the empty one, all of them in `among`: 0 after the last */
static unsigned next_set(unsigned set, unsigned among) { return (set - among) & among; }

/* ---- first order */

/* does JAX differentiate here as mathematics does? */
static bool differs(const instance *at)
{
	return movable(at->p) &&
	       !(at->c->flat_complex && dtype_kind(at->form.dtype) == KIND_COMPLEX);
}

static void check_jvp(lab *l, const instance *at)
{
	const unsigned all = differs(at) ? movable(at->p) : 0;
	bool moves[MOST_INPUTS];

	for (unsigned set = next_set(0, all); set; set = next_set(set, all)) {
		spread_set(l, moves, set, at->p->nin, "moves");
		const subject s = subject_of(at, at->p, moves);
		if (at->wide || s.linear) law_jvp(l, &s);
		if (at->wide || !inexact(at->form.dtype)) continue;
		form f = at->form;
		f.dtype = dtype_kind(f.dtype) == KIND_FLOAT ? TSR_F64 : TSR_C128;
		const row_case *c = at->c;
		const program *wide = parse(l, c->operands, c->equation, c->results, &f);
		if (!wide)
			lab_fail(l, at->p, "64 bits: %s", error_text(&l->base));
		else
			law_precision(l, &s, wide);
	}
}

static void jvp(void **state) { each_case(state, COL_JVP, check_jvp); }

static void check_transpose(lab *l, const instance *at)
{
	const unsigned all = differs(at) ? movable(at->p) : 0;
	bool moves[MOST_INPUTS];

	for (unsigned set = next_set(0, all); set; set = next_set(set, all)) {
		spread_set(l, moves, set, at->p->nin, "moves");
		const subject s = subject_of(at, at->p, moves);
		law_transpose(l, &s);
	}
}

static void transpose(void **state) { each_case(state, COL_JVP, check_transpose); }

static void check_batch(lab *l, const instance *at)
{
	static const int64_t sizes[] = {5, 3, 1, 0};
	const axis_set more = at->form.varying ? axis_bit(1) : 0;
	const unsigned all = (1u << at->p->nin) - 1;
	bool mapped[MOST_INPUTS];

	for (unsigned set = next_set(0, all); set; set = next_set(set, all)) {
		spread_set(l, mapped, set, at->p->nin, "mapped");
		const subject s = subject_of(at, at->p, NULL);
		for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
			law_batch(l, &s, mapped, sizes[i], sizes[i] == 5, more);
	}
}

static void batch(void **state) { each_case(state, COL_BATCH, check_batch); }

/* ---- transformations of transformations */

/* jvp and transpose of the program that jvp makes and of the one that reverse mode makes */
static void check_second_order(lab *l, const instance *at)
{
	bool moves[2 * MOST_INPUTS], moves_out[2 * MOST_INPUTS];

	if (!at->wide || !differs(at)) return;
	spread_set(l, moves, movable(at->p), at->p->nin, "moves");
	const program *made[] = {jvp_of(l, at->p, moves, moves_out),
	                         vjp_of(l, at->p, moves, moves_out)};
	for (size_t i = 0; i < ARRAY_LEN(made); i++) {
		if (!made[i]) continue;
		spread_set(l, moves, movable(made[i]), made[i]->nin, i ? "of vjp" : "of jvp");
		const subject s = subject_of(at, made[i], moves);
		law_jvp(l, &s);
		law_transpose(l, &s);
	}
}

static void second_order(void **state) { each_case(state, COL_JVP, check_second_order); }

static void check_batch_of_vjp(lab *l, const instance *at)
{
	const unsigned all = (1u << at->p->nin) - 1;
	bool mapped[MOST_INPUTS], moves[MOST_INPUTS];

	if (!at->wide || !differs(at)) return;
	spread_set(l, moves, movable(at->p), at->p->nin, "moves");
	const subject s = subject_of(at, at->p, moves);
	for (unsigned set = next_set(0, all); set; set = next_set(set, all)) {
		spread_set(l, mapped, set, at->p->nin, "mapped");
		law_batch_of_vjp(l, &s, mapped, 3);
		law_batch_of_vjp(l, &s, mapped, 0);
	}
}

static void batch_of_vjp(void **state) { each_case(state, COL_JVP, check_batch_of_vjp); }

/* ---- kinks */

/* reads all elements of x, advances text past them; "still": none */
static bool read_numbers(const char **text, const value *x)
{
	char *end;

	*text += strspn(*text, " ");
	if (strncmp(*text, "still", 5) == 0) {
		*text += 5;
		return false;
	}
	for (int64_t k = 0; k < x->type->size; k++) {
		const bool pair = (*text)[strspn(*text, " ")] == '(';
		const char *begin = *text + (pair ? strcspn(*text, "(") + 1 : 0);
		const double re = strtod(begin, &end), im = pair ? strtod(end + 1, &end) : 0;
		if (end == begin) fail_msg("too few numbers: %s", *text);
		value_set(x, k, __builtin_complex(re, im));
		*text = end + pair;
	}
	return true;
}

/* operands, and in dx the tangents of those that move; what is left is the result's */
static const char *read_kink(lab *l, const program *p, const char *text, value *x, bool *moves)
{
	int at = p->nin;

	for (int i = 0; i < p->nin; i++) {
		x[i] = value_zeros(l, type_of(p, p->in[i]));
		read_numbers(&text, &x[i]);
	}
	if (*text++ != ';') fail_msg("no ; in a kink's numbers");
	for (int i = 0; i < p->nin; i++) {
		x[at] = value_zeros(l, type_of(p, p->in[i]));
		moves[i] = read_numbers(&text, &x[at]);
		at += moves[i];
	}
	if (*text++ != ';') fail_msg("no second ; in a kink's numbers");
	return text;
}

static bool same_number(double got, double want)
{
	return isnan(want) ? isnan(got) : got == want || fabs(got - want) <= 1e-8 * fabs(want);
}

static void check_kink(lab *l, const struct kink *k)
{
	const program *p =
		parse(l, k->operands, k->equation, k->result, &(form){TSR_F64, "", false});
	bool moves[MOST_INPUTS], moves_out[1];
	value x[2 * MOST_INPUTS], out[2];

	if (!p) fail_msg("%s: %s", k->equation, error_text(&l->base));
	snprintf(l->about, sizeof l->about, "%s | %s at a kink", k->operands, k->equation);
	const char *left = read_kink(l, p, k->numbers, x, moves);
	const program *j = jvp_of(l, p, moves, moves_out);
	if (!j || !lab_run(l, j, x, out)) return;
	const value want = value_zeros(l, out[0].type);
	read_numbers(&left, &want);
	if (*left) fail_msg("too many numbers: %s", k->numbers);
	if (!moves_out[0]) out[1] = value_zeros(l, out[0].type);
	for (int64_t i = 0; i < want.type->size; i++) {
		const double _Complex a = value_at(&out[1], i), b = value_at(&want, i);
		if (!same_number(creal(a), creal(b)) || !same_number(cimag(a), cimag(b)))
			lab_fail(l, j, "tangent at %d is (%g,%g), in JAX (%g,%g)", (int)i, creal(a),
			         cimag(a), creal(b), cimag(b));
	}
}

static void at_kinks(void **state)
{
	lab *l = *state;
	const int before = l->failures;

	for (size_t i = 0; i < ARRAY_LEN(kinks); i++) {
		const char *name = kinks[i].equation;
		const tsr_prim *prim = prim_named(&l->ir, name, strcspn(name, " "));
		if (!prim) fail_msg("%s: no such row", name);
		if (!is_chosen(prim) || !prim_has(prim, COL_JVP)) continue;
		check_kink(l, &kinks[i]);
		lab_clear(l);
	}
	assert_int_equal(l->failures, before);
}

/* ---- are the cases good, and is there one for each row? */

static void nothing(lab *l, const instance *at) { (void)l, (void)at; }

static void cases_are_programs(void **state) { each_case(state, COL_TYPES, nothing); }

static bool is_local(const tsr_prim *prim)
{
	return !params_field(prim, "", FIELD_AXES) && !prim_holds_programs(prim);
}

static void every_row_has_a_case(void **state)
{
	lab *l = *state;
	int without = 0;

	for (int k = 0; k < all_prims_count; k++) {
		const tsr_prim *prim = all_prims[k];
		bool found =
			!is_local(prim) || (!prim_has(prim, COL_JVP) && !prim_has(prim, COL_BATCH));
		for (size_t i = 0; i < ROW_CASES; i++)
			found = found || (row_law(&row_cases[i], DERIVED) &&
			                  row_of(l, &row_cases[i]) == prim);
		if (!found) fprintf(stderr, "no case for %s\n", prim->name);
		without += !found;
	}
	assert_int_equal(without, 0);
}

/* ---- */

static int open_lab(void **state)
{
	const char *seed = getenv("TSR_SEED");

	*state = lab_open(seed ? strtoull(seed, NULL, 10) : SEED);
	return 0;
}

static int close_lab(void **state)
{
	lab_close(*state);
	return 0;
}

#define LAB_TEST(f) cmocka_unit_test_setup_teardown(f, open_lab, close_lab)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		LAB_TEST(jvp),
		LAB_TEST(transpose),
		LAB_TEST(batch),
		LAB_TEST(second_order),
		LAB_TEST(batch_of_vjp),
		LAB_TEST(at_kinks),
		LAB_TEST(cases_are_programs),
		LAB_TEST(every_row_has_a_case),
	};

	chosen_count = argc - 1;
	chosen = argv + 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
