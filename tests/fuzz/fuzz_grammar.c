/* fuzz_grammar.c - bytes as decisions that draw a whole program text (grammar.h), and then change
 * it here and there.
 *
 * What is drawn must parse, and run compiled as it runs interpreted, bit for bit. What a change
 * leaves must be refused or run alike. A program that cannot be compiled is a fault here. */
#include <math.h>
#include <tsr/tsr.h>
#include "fuzz.h"
#include "grammar.h"

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

/* results as one block, in turn; NULL: there was an error. The caller frees it */
static char *run(tsr_ctx *ctx, const program *p, const char *text)
{
	size_t bytes = 1;

	for (int i = 0; i < p->nout; i++) bytes += bytes_of(type_of(p, p->out[i]));
	char *all = calloc(bytes, 1), *at = all;
	TSR_SCOPE(ctx);
	tsr *in[64] = {NULL}, *out[64] = {NULL};
	for (int i = 0; i < p->nin; i++) in[i] = input(ctx, type_of(p, p->in[i]));
	tsr_tree ins = TSR_LEAVES(in, (size_t)p->nin), outs = TSR_LEAVES(out, (size_t)p->nout);
	tsr_call_into(TSR_OUT(outs), tsr_parse(ctx, text), ins);
	for (int i = 0; i < p->nout; i++) {
		const size_t n = bytes_of(type_of(p, p->out[i]));
		if (!tsr_status(ctx)) tsr_read(out[i], at, n);
		at += n;
	}
	if (!tsr_status(ctx)) return all;
	free(all);
	return NULL;
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

static void run_both(const program *p, const char *text)
{
	const engines *e = engines_get();

	if (p->nin > 64 || p->nout > 64 || p->nin == 0 || p->nout == 0) return;
	running = text;
	char *want = run(e->plain, p, text), *got = run(e->compiled, p, text), *x = want, *y = got;
	if (!want != !got)
		fault(want ? "compiled" : "interpreted",
		      tsr_message(want ? e->compiled : e->plain), text);
	for (int i = 0; want && i < p->nout; i++) {
		const type *t = type_of(p, p->out[i]);
		if (!same_bits(t, x, y)) fault("results", "they differ", text);
		x += bytes_of(t), y += bytes_of(t);
	}
	tsr_clear(e->plain);
	tsr_clear(e->compiled);
	free(want);
	free(got);
}

/* ---- texts */

static void one_text(ir *r, const char *text, bool drawn)
{
	program *p = program_parse(r, "fuzz", text, strlen(text));

	if (drawn && !p) fault("parse", error_text(r->base), text);
	if (p && !program_verify(p, "parse")) fault("verify", error_text(r->base), text);
	if (p && is_small(p, drawn)) run_both(p, text);
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

static void one_input(ir *r, const char *data, size_t size)
{
	bytes b = {(const uint8_t *)data, size};
	program *p = grammar_draw(r, &b);
	str s = {.base = r->base};

	if (!p) fault("draw", error_text(r->base), "no program");
	program_print(&s, p, 0);
	program_release(p);
	if (!s.lost) one_text(r, s.s, true);
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
