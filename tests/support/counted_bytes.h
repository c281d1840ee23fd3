/* counted_bytes.h - counts the bytes of collectives from the text of a per-device program, line by
 * line: an independent count for tsr_fn_costs(). */
#ifndef TSR_TESTS_COUNTED_BYTES_H
#define TSR_TESTS_COUNTED_BYTES_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "support/received.h"

/* ---- our programs: "axes (x, y of (x:4,y:2)) f(...) {", "%2: f32[8]{y} = psum %1 axes=(x) ..." */

/* "axes (x of (x:8), x, y of (x:4,y:2)) f(..."; x is the last x, x^1 the one before */
static inline double axis_size(const char *compiled, const char *name, int length)
{
	const char *hat = memchr(name, '^', (size_t)length);
	const int letters = hat ? (int)(hat - name) : length, before = hat ? atoi(hat + 1) : 0;
	double size[16];
	int n = 0;

	for (const char *at = compiled; (at = strstr(at, " of (")) != NULL;)
		for (at += 5; *at != ')'; at += strcspn(at, ",)"), at += *at == ',')
			if (n < 16 && !strncmp(at, name, (size_t)letters) && at[letters] == ':')
				size[n++] = strtod(at + letters + 1, NULL);
	if (n <= before) fail_msg("no axis %.*s in\n%s", length, name, compiled);
	return size[n - 1 - before];
}

static inline double members(const char *compiled, const char *equation)
{
	const char *at = strstr(equation, " axes=(");
	double n = 1;

	assert_non_null(at);
	for (at += 7; *at != ')';) {
		const int length = (int)strcspn(at, ",)");
		n *= axis_size(compiled, at, length);
		at += length;
		at += strspn(at, ", ");
	}
	return n;
}

/* of a loop body once */
static inline double counted_bytes(const char *compiled)
{
	static const word words[] = {
		{"psum", REDUCE},          {"pmax", REDUCE},        {"pmin", REDUCE},
		{"all_gather", GATHER},    {"pbroadcast", PERMUTE}, {"ppermute", PERMUTE},
		{"psum_scatter", SCATTER}, {"all_to_all", TRADE},   {"exchange", PERMUTE},
		{"psort", TRADE},
	};
	double all = 0;

	for (const char *line = compiled; (line = strchr(line, '\n')) && *++line;) {
		const char *sign = strstr(line, " = "), *end = line + strcspn(line, "\n");
		if (!sign || sign > end) continue;
		const word *w = word_at(sign + 3, words, sizeof words / sizeof *words);
		if (!w) continue;
		all += received(w->kind, bytes_between(line, sign), members(compiled, sign));
	}
	return all;
}
#endif
