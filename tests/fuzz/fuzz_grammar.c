/* fuzz_grammar.c - bytes as decisions that draw a whole program text (grammar.h), and then change
 * it here and there.
 *
 * What is drawn must parse, and run compiled as it runs interpreted: the same bits, the same text
 * printed, the same calls in the same order. What a change leaves must be refused or run alike. A
 * program that cannot be compiled is a fault here. */
#include <math.h>
#include "fuzz.h"
#include "grammar.h"
#include "runtime/runtime.h"

#ifndef PLUGIN_DIR
#define PLUGIN_DIR NULL
#endif

enum { MOST_RUN = 20000, MOST_STEPS = 64, INPUTS_A_CONTEXT = 200, CHANGES = 2 };

static void fault(const char *what, const char *why, const char *text)
{
	fprintf(stderr, "%s: %s\nin\n%s", what, why, text);
	abort();
}

/* ---- is it small enough to run? What was changed may count for ever, so it must not count */

static bool is_small(const program *p, bool counts)
{
	int64_t elements = 0;

	for (int i = 1; i < p->nvars; i++) {
		if (p->vars[i].type->size > MOST_RUN) return false;
		elements += p->vars[i].type->size;
	}
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (e->prim == &tsr__prim_while && !counts) return false;
		if (e->prim == &tsr__prim_scan &&
		    ((const scan_params *)e->params)->length > MOST_STEPS)
			return false;
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			if (!is_small(k.program, counts)) return false;
	}
	return elements <= MOST_RUN;
}

/* ---- values */

static uint64_t random_bits(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static double hard_number(uint64_t *state)
{
	static const double special[] = {0.0,   -0.0,   1e-40, 7e4,   INFINITY, -INFINITY,
	                                 NAN,   -NAN,   1e300, 88.5,  -103,     0x1p-149,
	                                 0.5,   -1,     255,   -32768};
	const uint64_t bits = random_bits(state);

	if (bits % 4 < 2) return special[bits / 4 % ARRAY_LEN(special)];
	if (bits % 4 == 2) return (double)(bits / 4 % 9) - 3;
	return (double)(int64_t)(bits << 20) * 0x1p-61;
}

static void fill(void *to, const type *t)
{
	const tsr_dtype from = dtype_kind(t->dtype) == KIND_COMPLEX ? TSR_C128 : TSR_F64;
	const size_t item = tsr_dtype_size(t->dtype);
	uint64_t state = (uint64_t)t->size + 77 * (uint64_t)t->dtype;

	for (int64_t i = 0; i < t->size; i++) {
		const double parts[2] = {hard_number(&state), hard_number(&state)};
		dtype_convert(t->dtype, (char *)to + (size_t)i * item, from, parts, 1);
	}
}

static size_t bytes_of(const type *t) { return (size_t)t->size * tsr_dtype_size(t->dtype); }

/* NaN is equal to NaN */
static bool same_bits(const type *t, const char *a, const char *b)
{
	const tsr_dtype part = dtype_real(t->dtype);
	const size_t item = tsr_dtype_size(part);
	const int64_t n = t->size * (part == t->dtype ? 1 : 2);

	for (int64_t i = 0; i < n; i++) {
		const char *x = a + (size_t)i * item, *y = b + (size_t)i * item;
		if (!memcmp(x, y, item)) continue;
		if (dtype_kind(part) != KIND_FLOAT || !isnan(dtype_get(part, x, 0)) ||
		    !isnan(dtype_get(part, y, 0)))
			return false;
	}
	return true;
}

/* ---- runs */

static const char *running; /* text */

static void listen(void *user, int level, const char *text)
{
	(void)user, (void)level;
	if (strstr(text, "cannot be compiled")) fault("log", text, running);
}

static tsr *input(tsr_ctx *ctx, const type *t)
{
	void *data = malloc(bytes_of(t) + 1);
	tsr_dims dims = {.d = {t->ndim + 1}};

	if (!data || t->ndim > TSR_MAX_NDIM) abort();
	for (int k = 0; k < t->ndim; k++) dims.d[1 + k] = t->dims[k];
	fill(data, t);
	tsr *x = tsr_from(ctx, data, t->dtype, dims);
	free(data);
	return x;
}

enum { MOST_VALUES = 64 };

/* what a run gives, and what it did besides */
typedef struct outcome {
	int n;                          /* results */
	const type *type[MOST_VALUES];  /* weak ones are strong outside */
	char *result[MOST_VALUES], *printed;
	uint64_t calls;
} outcome;

static bool take(outcome *x, const array *a)
{
	x->type[x->n] = a->type;
	if (!(x->result[x->n] = malloc(bytes_of(a->type) + 1))) abort();
	return array_to_host("fuzz", a, x->result[x->n++], NULL);
}

static void inputs(tsr_ctx *ctx, const program *p, tsr **x)
{
	for (int i = 0; i < p->nin; i++) x[i] = input(ctx, type_of(p, p->in[i]));
}

static array *array_of(const tsr *x) { return handle_slot_of(x)->payload; }

static bool run_text(tsr_ctx *ctx, const program *p, const char *text, outcome *x)
{
	TSR_SCOPE(ctx);
	tsr *in[MOST_VALUES] = {NULL}, *out[MOST_VALUES] = {NULL};
	tsr_out to[MOST_VALUES];
	bool ok;

	inputs(ctx, p, in);
	for (int i = 0; i < p->nout; i++) to[i] = (tsr_out){.to = TSR_LEAVES(&out[i], 1)};
	const tsr_arg ins = tsr_arg_tree(TSR_LEAVES(in, (size_t)p->nin));
	tsr_call_into_at("fuzz", to, (size_t)p->nout, tsr_parse(ctx, text), &ins, 1);
	ok = !tsr_status(ctx);
	for (int i = 0; ok && i < p->nout; i++) ok = take(x, array_of(out[i]));
	return ok;
}

/* a program that no text can hold, drawn once more where it runs */
static bool run_drawn(tsr_ctx *ctx, bytes from, outcome *x)
{
	program *p = grammar_draw(&ctx->ir, &from);
	tsr *handle[MOST_VALUES];
	array *in[MOST_VALUES], *out[MOST_VALUES] = {NULL};

	if (!p) fault("draw", tsr_message(ctx), "no program");
	TSR_SCOPE(ctx);
	inputs(ctx, p, handle);
	for (int i = 0; i < p->nin; i++) in[i] = array_of(handle[i]);
	bool ok = run_program(ctx, "fuzz", p, in, NULL, out);
	for (int i = 0; i < p->nout; i++) {
		ok = ok && take(x, out[i]);
		if (out[i]) array_release(out[i]);
	}
	program_release(p);
	return ok;
}

/* drawn NULL: from the text. false: there was an error */
static bool run(tsr_ctx *ctx, const program *p, const char *text, const bytes *drawn, outcome *x)
{
	size_t n;
	FILE *was = stdout;

	*x = (outcome){0};
	grammar_calls = 0;
	if (!(stdout = open_memstream(&x->printed, &n))) abort();
	const bool ok = drawn ? run_drawn(ctx, *drawn, x) : run_text(ctx, p, text, x);
	fclose(stdout);
	stdout = was;
	x->calls = grammar_calls;
	return ok;
}

static void outcome_free(outcome *x)
{
	for (int i = 0; i < x->n; i++) free(x->result[i]);
	free(x->printed);
}

typedef struct engines {
	tsr_ctx *plain, *compiled;
	int inputs;
} engines;

static tsr_ctx *open_engine(const char *name)
{
	tsr_ctx *ctx = tsr_open(.engine = name, .devices = GRID * GRID, .debug = "c",
	                        .plugin_dir = PLUGIN_DIR, .log = listen);
	if (!ctx || tsr_status(ctx)) fault("tsr_open", "it failed", "no program");
	return ctx;
}

static const engines *engines_get(void)
{
	static engines e;

	if (e.inputs++ % INPUTS_A_CONTEXT == 0) {
		if (e.plain && (tsr_close(e.plain) || tsr_close(e.compiled))) abort();
		e.plain = open_engine("interp");
		e.compiled = open_engine("cpu");
	}
	return &e;
}

static void compare(const outcome *want, const outcome *got, const char *text)
{
	for (int i = 0; i < want->n; i++)
		if (want->type[i]->dtype != got->type[i]->dtype ||
		    want->type[i]->size != got->type[i]->size ||
		    !same_bits(want->type[i], want->result[i], got->result[i]))
			fault("results", "they differ", text);
	if (strcmp(want->printed, got->printed) != 0) fault("printed", got->printed, text);
	if (want->calls != got->calls) fault("calls", "they differ", text);
}

/* What was changed may fail. What was drawn runs, unless devices go different ways and miss each
 * other at a collective, or a check finds what it is for */
static bool may_fail(const tsr_ctx *ctx, bool changed)
{
	const char *said = tsr_message(ctx);

	return changed || strstr(said, "is reached by devices") || strstr(said, "check_finite:");
}

static void run_both(const program *p, const char *text, const bytes *drawn, bool changed)
{
	const engines *e = engines_get();
	outcome want, got;

	if (p->nin > MOST_VALUES || p->nout > MOST_VALUES || p->nin == 0 || p->nout == 0) return;
	running = text;
	const bool ran = run(e->plain, p, text, drawn, &want);
	if (run(e->compiled, p, text, drawn, &got) != ran)
		fault(ran ? "compiled" : "interpreted",
		      tsr_message(ran ? e->compiled : e->plain), text);
	if (!ran && !may_fail(e->plain, changed)) fault("run", tsr_message(e->plain), text);
	if (ran) compare(&want, &got, text);
	tsr_clear(e->plain);
	tsr_clear(e->compiled);
	outcome_free(&want);
	outcome_free(&got);
}

/* ---- texts */

static void one_text(ir *r, const char *text, bool drawn)
{
	program *p = program_parse(r, "fuzz", text, strlen(text));

	if (drawn && !p) fault("parse", error_text(r->base), text);
	if (p && !program_verify(p, "parse")) fault("verify", error_text(r->base), text);
	if (p && is_small(p, drawn)) run_both(p, text, NULL, !drawn);
	program_release(p);
	error_clear(r->base);
}

#define OF_WORDS "0123456789%_.abcdefghijklmnopqrstuvwxyz"

/* one word of the text becomes another one of its kind, sometimes of any kind */
static void change(ir *r, bytes *b, str *s)
{
	static const char *const dtypes[] = {"f32", "i8", "c64", "bool", "bf16", "u64"};
	const size_t at = ((size_t)pick(b, 256) * 256 + (size_t)pick(b, 256)) % (s->len + 1);
	size_t start = at + strcspn(s->s + at, OF_WORDS);
	str out = {.base = s->base};

	while (start > 0 && strchr(OF_WORDS, s->s[start - 1])) start--;
	const char *word = s->s + start;
	str_putn(&out, s->s, start);
	if (!pick(b, 8))
		str_put(&out, dtypes[pick(b, ARRAY_LEN(dtypes))]);
	else if (*word == '%')
		str_printf(&out, "%%%d", pick(b, 12));
	else if (*word >= 'a')
		str_put(&out, r->prims[pick(b, r->nprims)]->name);
	else
		str_printf(&out, "%d", pick(b, 10) - 1);
	str_put(&out, word + strspn(word, OF_WORDS));
	str_free(s);
	*s = out;
}

/* a program that no text can hold */
static void one_drawn(ir *r, const program *p, const char *text, const bytes *from)
{
	program *read = program_parse(r, "fuzz", text, strlen(text));

	if (read) fault("parse", "a C function came of a text", text);
	error_clear(r->base);
	if (!program_verify(p, "draw")) fault("verify", error_text(r->base), text);
	if (is_small(p, true)) run_both(p, text, from, false);
}

static void one_input(ir *r, const char *data, size_t size)
{
	const bytes from = {(const uint8_t *)data, size};
	bytes b = from;
	program *p = grammar_draw(r, &b);
	str s = {.base = r->base};

	if (!p) fault("draw", error_text(r->base), "no program");
	program_print(&s, p, 0);
	if (!s.lost && has_callbacks(p))
		one_drawn(r, p, s.s, &from);
	else if (!s.lost)
		one_text(r, s.s, true);
	program_release(p);
	for (int i = 0; i < CHANGES && b.left && !s.lost; i++) {
		change(r, &b, &s);
		if (!s.lost) one_text(r, s.s, false);
	}
	str_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_input(one_input, data, size);
}
