/* debug_print.c - tsr_debug_print, and its row: values as text, each time that a program runs.
 *
 *     tsr_debug_print("{} of {}, {{}}", i, n)    prints    3 of 8, {}
 *     tsr_debug_print("loss {:.3f}", loss)       prints    loss 1.235 */
#include <ctype.h>
#include <stdio.h>
#include "lib/host.h"
#include "lib/lib.h"
#include "pass/pass.h"

/* ---- formats: texts with places for values, {}, {0}, {:.3f} or {0!s:>20} */

typedef struct format {
	const char *at;
	int next;     /* value of the next {} */
	bool counted, numbered; /* there was a {}, a {0} */
	const char *problem;    /* NULL: none so far */
} format;

/* what a format is made of: text (*value is -1), and the number of a value and how it is written */
typedef struct piece {
	const char *text;
	size_t len;
	int value;
	format_spec spec;
} piece;

static bool format_fails(format *f, const char *problem)
{
	f->problem = problem;
	return false;
}

/* the number of a place, -1 if it has none */
static int read_number(format *f)
{
	const char *start = f->at;
	int number = 0;

	for (; isdigit((unsigned char)*f->at); f->at++)
		if (number <= INT16_MAX) number = 10 * number + (*f->at - '0');
	return f->at == start ? -1 : number;
}

/* "!s" and ":spec" */
static bool read_spec(format *f, format_spec *spec)
{
	const bool of_text = f->at[0] == '!' && f->at[1] == 's';

	if (of_text) f->at += 2;
	const bool given = *f->at == ':';
	if (given) f->at++;
	const size_t n = given ? strcspn(f->at, "{}") : 0;
	if (!(f->problem = format_spec_read(spec, f->at, n, of_text))) f->at += n;
	return !f->problem;
}

/* behind the brace that opens a place */
static bool read_place(format *f, piece *out)
{
	const int number = read_number(f);

	if (!read_spec(f, &out->spec)) return false;
	if (*f->at != '}')
		return format_fails(f, *f->at ? "a place for a value is {}, {0}, {:.3f} or {!s:>20}"
		                              : "a '{' is not closed");
	f->at++;
	f->counted = f->counted || number < 0;
	f->numbered = f->numbered || number >= 0;
	if (f->counted && f->numbered)
		return format_fails(f, "either all places have numbers, or none");
	out->value = number < 0 ? f->next++ : number;
	return true;
}

/* false: the end, or a problem */
static bool read_piece(format *f, piece *out)
{
	*out = (piece){.text = f->at, .len = strcspn(f->at, "{}"), .value = -1};
	f->at += out->len;
	if (out->len || !*f->at) return out->len;
	const char brace = *f->at++;
	if (*f->at == brace) {
		*out = (piece){.text = f->at++, .len = 1, .value = -1};
		return true;
	}
	return brace == '{' ? read_place(f, out) : format_fails(f, "a '}' is not opened");
}

static bool fail_format(build *b, const eqn *e, const char *text, const char *problem)
{
	return fail(build_base(b), e->where, TSR_ERROR_ARGUMENT, "debug_print: \"%s\": %s", text,
	            problem);
}

/* can a value of type t be written as the place of p says? */
static bool check_spec(build *b, const eqn *e, const char *text, const piece *p, const type *t)
{
	const format_spec *spec = &p->spec;
	str s = {.base = build_base(b)};
	int naxes;
	const axis *axes = build_axes(b, &naxes);

	if (!spec->given) return true;
	const char *fault = format_spec_fault(spec, t->dtype);
	const bool array = !fault && t->ndim && !spec->of_text;
	if (!fault && !array) return true;
	str_printf(&s, "value %d is ", p->value);
	type_text(&s, t, axes, naxes);
	str_put(&s, fault ? ": " : ", and a format spec is for scalars: write {}, or {!s:>20} for "
	                           "its text in a field");
	if (fault) str_put(&s, fault);
	if (array && spec->precision >= 0)
		str_printf(&s, "; to round it, tsr_round(x, .decimals = %d)", spec->precision);
	fail_format(b, e, text, s.s ? s.s : "a format spec does not fit");
	str_free(&s);
	return false;
}

/* does each place have a value, and each value a place? */
static bool check_format(build *b, const eqn *e, const char *text, const type *const *in)
{
	format f = {.at = text};
	bool *used = arena_array(build_arena(b), (size_t)e->nin + 1, sizeof *used);
	char problem[64];

	if (!used) return false;
	for (piece p; read_piece(&f, &p);) {
		if (p.value < 0) continue;
		if (p.value < e->nin) {
			used[p.value] = true;
			if (!check_spec(b, e, text, &p, in[p.value])) return false;
			continue;
		}
		snprintf(problem, sizeof problem, "there is no value %d: %d %s given", p.value,
		         e->nin, e->nin == 1 ? "is" : "are");
		return fail_format(b, e, text, problem);
	}
	if (f.problem) return fail_format(b, e, text, f.problem);
	for (int i = 0; i < e->nin; i++) {
		if (used[i]) continue;
		snprintf(problem, sizeof problem, "value %d has no place", i);
		return fail_format(b, e, text, problem);
	}
	return true;
}

/* ---- the row */

static const debug_print_params *params_of(const eqn *e) { return e->params; }

static bool debug_print_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	(void)out;
	return check_format(b, e, params_of(e)->format, in) && check_effect_axes(b, e, in);
}

static void put_value(str *s, const format_spec *spec, const type *t, const void *x)
{
	str text = {.base = s->base};

	if (spec->given && !spec->of_text) {
		format_spec_put(s, spec, t->dtype, x);
		return;
	}
	array_text(&text, t->dtype, x, t->dims, t->ndim, TEXT_OPTIONS);
	format_spec_put_text(s, spec, text.s ? text.s : "", text.len);
	s->lost |= text.lost;
	str_free(&text);
}

static bool debug_print_host(const host_args *a)
{
	format f = {.at = params_of(a->eqn)->format};
	str s = {.base = a->base};

	for (piece p; read_piece(&f, &p);) {
		if (p.value < 0) {
			str_putn(&s, p.text, p.len);
			continue;
		}
		put_value(&s, &p.spec, a->in[p.value], a->x[p.value]);
	}
	str_put(&s, "\n");
	const bool ok = !s.lost;
	if (ok) fputs(s.s, stdout);
	str_free(&s);
	return ok;
}

static unsigned debug_print_effects(const eqn *e) { return (void)e, EFFECT_SEEN; }

static const field debug_print_fields[] = {
	{"format", offsetof(debug_print_params, format), FIELD_TEXT, NULL},
	{"axes", offsetof(debug_print_params, axes), FIELD_AXES, NULL},
	{NULL, 0, 0, NULL},
};
const tsr_prim tsr__prim_debug_print = {
	.name = "debug_print",
	.doc = "prints a text with the values of the operands",
	.flags = PRIM_OWN_VARYING,
	.nin = -1,
	.nout = 0,
	.params = debug_print_fields,
	.types = debug_print_types,
	.factors = effect_factors,
	.effects = debug_print_effects,
	.batch = batch_in_turn,
	.host = debug_print_host,
	TSR_NO_RULE(COL_JVP, "it has no results"),
	TSR_NO_RULE(COL_TRANSPOSE, "there is nothing to print where cotangents go backwards"),
	CALLS_THE_USER,
};

/* ---- the operation */

void tsr_debug_print_at(const char *where, const char *format, const tsr_arg *args, size_t n)
{
	call_site site = {.where = where, .op = "debug_print"};
	tsr *x[TSR_MAX_ARGS];
	int64_t room[MAX_AXES];

	if (n > TSR_MAX_ARGS || (n && !args) || !format) {
		fail(&ctx_here()->base, where, TSR_ERROR_ARGUMENT,
		     format ? "debug_print: at most 8 values" : "debug_print: the format is NULL");
		return;
	}
	if (!operands_given(&site, "value", args, (int)n)) return;
	for (size_t i = 0; i < n; i++) x[i] = operand_alone(&site, &args[i]);
	const debug_print_params p = {format, effect_axes(site.ctx, room)};
	bind_all(&(operation){&site, &tsr__prim_debug_print, &p, x, (int)n}, NULL, 0);
}
