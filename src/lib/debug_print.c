/* debug_print.c - tsr_debug_print, and its row: values as text, each time that a program runs.
 *
 *     tsr_debug_print("{} of {1}, {{}}", i, n)    prints    3 of 8, {} */
#include <ctype.h>
#include <stdio.h>
#include "lib/host.h"
#include "lib/lib.h"
#include "pass/pass.h"

/* ---- formats: texts with places for values, {} or {0} */

typedef struct format {
	const char *at;
	int next;     /* value of the next {} */
	bool counted, numbered; /* there was a {}, a {0} */
	const char *problem;    /* NULL: none so far */
} format;

/* what a format is made of: text (*value is -1), and the number of a value */
typedef struct piece {
	const char *text;
	size_t len;
	int value;
} piece;

static bool format_fails(format *f, const char *problem)
{
	f->problem = problem;
	return false;
}

/* behind the brace that opens a place */
static bool read_place(format *f, piece *out)
{
	long number = 0;
	const char *start = f->at;

	for (; isdigit((unsigned char)*f->at); f->at++)
		if (number <= INT16_MAX) number = 10 * number + (*f->at - '0');
	const bool counted = f->at == start;
	if (*f->at != '}')
		return format_fails(f, *f->at ? "a place for a value is {} or {0}"
		                              : "a '{' is not closed");
	f->at++;
	f->counted = f->counted || counted;
	f->numbered = f->numbered || !counted;
	if (f->counted && f->numbered)
		return format_fails(f, "either all places have numbers, or none");
	out->value = counted ? f->next++ : (int)number;
	return true;
}

/* false: the end, or a problem */
static bool read_piece(format *f, piece *out)
{
	*out = (piece){f->at, strcspn(f->at, "{}"), -1};
	f->at += out->len;
	if (out->len || !*f->at) return out->len;
	const char brace = *f->at++;
	if (*f->at == brace) {
		*out = (piece){f->at++, 1, -1};
		return true;
	}
	return brace == '{' ? read_place(f, out) : format_fails(f, "a '}' is not opened");
}

static bool fail_format(build *b, const eqn *e, const char *text, const char *problem)
{
	return fail(build_base(b), e->where, TSR_ERROR_ARGUMENT, "debug_print: \"%s\": %s", text,
	            problem);
}

/* does each place have a value, and each value a place? */
static bool check_format(build *b, const eqn *e, const char *text)
{
	format f = {.at = text};
	bool *used = arena_array(build_arena(b), (size_t)e->nin + 1, sizeof *used);
	char problem[64];

	if (!used) return false;
	for (piece p; read_piece(&f, &p);) {
		if (p.value < e->nin) {
			if (p.value >= 0) used[p.value] = true;
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
	return check_format(b, e, params_of(e)->format) && check_effect_axes(b, e, in);
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
		const type *t = a->in[p.value];
		array_text(&s, t->dtype, a->x[p.value], t->dims, t->ndim, TEXT_OPTIONS);
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

static bool read_value(const call_site *site, const tsr_arg *a, size_t i, tsr **out)
{
	const char *fault = a->kind == TSR_KIND_ONE ? NULL : number_fault(a);

	if (fault)
		return fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
		            "debug_print: value %zu %s", i, fault);
	*out = a->kind == TSR_KIND_ONE ? a->as.one
	                               : as_default(site, number_argument(site, a));
	return true;
}

/* the context of the values; of numbers alone, that of the place of the call */
static bool find_context(call_site *site, const tsr_arg *args, size_t n)
{
	tsr *x[TSR_MAX_ARGS];
	int handles = 0;

	for (size_t i = 0; i < n; i++)
		if (args[i].kind == TSR_KIND_ONE) x[handles++] = args[i].as.one;
	if (handles) return operands_check(site, x, handles);
	site->ctx = ctx_here();
	return ctx_ok(site->where, site->op, site->ctx);
}

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
	if (!find_context(&site, args, n)) return;
	for (size_t i = 0; i < n; i++)
		if (!read_value(&site, &args[i], i, &x[i])) return;
	const debug_print_params p = {format, effect_axes(site.ctx, room)};
	bind_all(&(operation){&site, &tsr__prim_debug_print, &p, x, (int)n}, NULL, 0);
}
