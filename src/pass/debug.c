/* debug.c - reads the letters of TSR_DEBUG and of tsr_open's .debug: they ask for programs in
 * the log after passes, and for checks. docs/debugging.md is this table for users. */
#include <assert.h>
#include "pass/pass.h"

enum { LOG_DEBUG = 2 };

/* letters that are not a pass's (passes.c) */
static const struct letter {
	char letter;
	const char *what;
} letters[] = {
	{'C', "print the collectives that partition makes"},
	{'E', "print what of a compiled program calls the code of the interpreter"},
	{'N', "run again where a result has nan, and tell what made the first one"},
	{'P', "print where propagation has each value, and why"},
	{'a', "print the program after every pass"},
	{'c', "compile every program before its first run"},
	{'e', "print the plan by which the engine runs a program"},
	{'h', "workers halt now and then"},
	{'n', "no simplify"},
	{'r', "trace again at each call, and compare"},
	{'v', "verify after every pass"},
	{'w', "compile for little data as for much"},
};

/* all letters there may be, in the order in which they are listed */
static const char alphabet[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

static uint64_t bit_of(char letter)
{
	return (uint64_t)1 << (strchr(alphabet, letter) - alphabet);
}

/* what a letter asks for, behind a comma if need be; nothing if there is no such letter */
static void put_letter(str *s, char letter)
{
	const char *comma = s->len ? ", " : "";

	for (size_t i = 0; i < ARRAY_LEN(letters); i++)
		if (letters[i].letter == letter)
			str_printf(s, "%s%c: %s", comma, letter, letters[i].what);
	for (const pass_info *p = all_passes; p->name; p++)
		if (p->letter == letter)
			str_printf(s, "%s%c: print after %s", comma, letter, p->name);
}

static bool fail_letter(base *bs, const char *where, const char *from, char letter)
{
	str all = {.base = bs};

	for (const char *c = alphabet; *c; c++) put_letter(&all, *c);
	fail(bs, where, TSR_ERROR_ARGUMENT, "%s has no letter '%c'; there are %s", from, letter,
	     all.s ? all.s : "others");
	str_free(&all);
	return false;
}

static bool is_letter(char letter)
{
	for (size_t i = 0; i < ARRAY_LEN(letters); i++)
		if (letters[i].letter == letter) return true;
	for (const pass_info *p = all_passes; p->name; p++)
		if (p->letter == letter) return true;
	return false;
}

bool debug_read(base *bs, const char *where, const char *from, const char *text, uint64_t *set)
{
	for (; text && *text; text++) {
		if (!is_letter(*text)) return fail_letter(bs, where, from, *text);
		*set |= bit_of(*text);
	}
	return true;
}

bool debugs(const ir *r, char letter) { return r->debug & bit_of(letter); }

void debug_text(str *s)
{
	if (s->s && !s->lost) log_text(s->base, LOG_DEBUG, s->s);
	str_free(s);
}

void debug_print(const program *p, const char *pass)
{
	const ir *r = p->ir;
	const pass_info *row = pass_find(pass);
	str text = {.base = r->base};

	assert(row);
	if (!debugs(r, 'a') && !debugs(r, row->letter)) return;
	str_printf(&text, "after %s:\n", pass);
	program_print(&text, p, PRINT_WHERE);
	debug_text(&text);
}

static bool verifies(const ir *r)
{
#ifndef NDEBUG
	(void)r;
	return true;
#else
	return debugs(r, 'v');
#endif
}

program *pass_done(program *p, const char *pass)
{
	if (!p || p->ir->passes) return p;
	debug_print(p, pass);
	if (!verifies(p->ir) || program_verify(p, pass)) return p;
	program_release(p);
	return NULL;
}

/* ---- two tracings of one body */

static void put_line(str *s, const char *at) { str_putn(s, at, strcspn(at, "\n")); }

bool debug_same(const program *before, const program *now, str *difference)
{
	str a = {.base = now->ir->base}, b = a;

	if (program_same(before, now)) return true;
	program_print(&a, before, 0);
	program_print(&b, now, 0);
	const char *x = a.s ? a.s : "", *y = b.s ? b.s : "";
	for (size_t i = 0, line = 0; x[i] || y[i]; i++) {
		if (x[i] != y[i]) {
			str_put(difference, "\"");
			put_line(difference, x + line);
			str_put(difference, "\" became \"");
			put_line(difference, y + line);
			str_put(difference, "\"");
			break;
		}
		if (x[i] == '\n') line = i + 1;
	}
	str_free(&a);
	str_free(&b);
	return false;
}
