/* debug.c - what the letters of TSR_DEBUG and of tsr_open's .debug ask for: programs printed to the
 * log after passes, and checks. docs/debugging.md is this table for users. */
#include "pass/pass.h"

enum { LOG_DEBUG = 2 };

static const struct letter {
	char letter;
	const char *pass; /* after which the program is printed; NULL: not a pass */
	const char *what;
} letters[] = {
	{'a', NULL, "print the program after every pass"},
	{'b', "batch", "print after batch"},
	{'c', NULL, "compile every program before its first run"},
	{'d', "transform", "print what grad, vmap and their kin make of a traced program"},
	{'f', "final", "print the per-device program that the engine gets"},
	{'i', "inline", "print after inline"},
	{'j', "jvp", "print after jvp"},
	{'k', "fuse", "print after fuse: each call is a kernel"},
	{'l', "split", "print both halves after split"},
	{'m', "replicate", "print after replicate"},
	{'n', NULL, "no simplify"},
	{'o', "operation", "print the program of each operation outside bodies"},
	{'p', "partition", "print after partition"},
	{'r', NULL, "trace again at each call, and compare"},
	{'s', "simplify", "print after simplify"},
	{'t', "trace", "print each program as it was traced"},
	{'v', NULL, "verify after every pass"},
	{'w', NULL, "compile for little data as for much"},
	{'x', "transpose", "print after transpose"},
};

static uint32_t bit_of(char letter) { return (uint32_t)1 << (letter - 'a'); }

static bool fail_letter(base *bs, const char *where, const char *from, char letter)
{
	str all = {.base = bs};

	for (size_t i = 0; i < ARRAY_LEN(letters); i++)
		str_printf(&all, "%s%c: %s", i ? ", " : "", letters[i].letter, letters[i].what);
	fail(bs, where, TSR_ERROR_ARGUMENT, "%s has no letter '%c'; there are %s", from, letter,
	     all.s ? all.s : "others");
	str_free(&all);
	return false;
}

bool debug_read(base *bs, const char *where, const char *from, const char *text, uint32_t *set)
{
	for (; text && *text; text++) {
		size_t i = 0;
		while (i < ARRAY_LEN(letters) && letters[i].letter != *text) i++;
		if (i == ARRAY_LEN(letters)) return fail_letter(bs, where, from, *text);
		*set |= bit_of(*text);
	}
	return true;
}

bool debugs(const ir *r, char letter) { return r->debug & bit_of(letter); }

static bool prints(const ir *r, const char *pass)
{
	if (!r->debug) return false;
	for (size_t i = 0; i < ARRAY_LEN(letters); i++)
		if (letters[i].pass && strcmp(letters[i].pass, pass) == 0)
			return debugs(r, 'a') || debugs(r, letters[i].letter);
	return false;
}

void debug_print(const program *p, const char *pass)
{
	str text = {.base = p->ir->base};

	if (!prints(p->ir, pass)) return;
	str_printf(&text, "after %s:\n", pass);
	program_print(&text, p, PRINT_WHERE);
	if (text.s) log_text(p->ir->base, LOG_DEBUG, text.s);
	str_free(&text);
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
