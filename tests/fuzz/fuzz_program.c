/* fuzz_program.c - any bytes as program text, with the library's own primitives.
 *
 * What parses must verify, and print, parse, print must give the first text again. Without calls
 * and simplified it must verify too, and keep its signature. As a graph it must be lines in which
 * each string ends, whatever its names are. */
#include "fuzz.h"

/* running out of memory is the one excuse */
static void must(const base *bs, bool ok)
{
	if (!ok && error_code(bs) != TSR_ERROR_MEMORY) {
		fprintf(stderr, "%s\n", error_text(bs));
		abort();
	}
}

static void print_parse_print(ir *r, const program *p)
{
	str first = {.base = r->base}, second = {.base = r->base};

	program_print(&first, p, PRINT_WHERE);
	program *q = first.lost ? NULL : program_parse(r, "again", first.s, first.len);
	must(r->base, q);
	if (q) {
		program_print(&second, q, PRINT_WHERE);
		must(r->base, !second.lost && strcmp(first.s, second.s) == 0 && program_same(p, q));
		program_release(q);
	}
	str_free(&first);
	str_free(&second);
}

static bool same_signature(const program *p, const program *q)
{
	bool same = p->nin == q->nin && p->nout == q->nout;

	for (int i = 0; same && i < p->nin; i++)
		same = type_of(p, p->in[i]) == type_of(q, q->in[i]);
	for (int i = 0; same && i < p->nout; i++)
		same = type_of(p, p->out[i]) == type_of(q, q->out[i]);
	return same;
}

static void simplify(ir *r, const program *p)
{
	program *flat = pass_inline(p), *q = flat ? pass_simplify(flat) : NULL;

	must(r->base, q && program_verify(q, "simplify"));
	if (q && !same_signature(p, q)) abort();
	program_release(flat);
	program_release(q);
}

static bool strings_end(const char *text)
{
	bool inside = false;

	for (; *text && !(inside && *text == '\n'); text++) {
		if (*text == '"') inside = !inside;
		if (inside && *text == '\\' && text[1]) text++;
	}
	return !*text && !inside;
}

static void as_graph(ir *r, const program *p)
{
	str s = {.base = r->base};
	const bool ok = program_graph(&s, p) && !s.lost;

	must(r->base, ok);
	if (ok && !strings_end(s.s)) abort();
	str_free(&s);
}

static void one_input(ir *r, const char *text, size_t size)
{
	program *p = program_parse(r, "fuzz", text, size);

	must(r->base, p || error_code(r->base));
	if (!p) return;
	must(r->base, program_verify(p, "parse"));
	print_parse_print(r, p);
	as_graph(r, p);
	simplify(r, p);
	program_release(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_input(one_input, data, size);
}
