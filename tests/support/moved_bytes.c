/* moved_bytes.c - what collectives move, counted from the text of a program or from a record. */
#include "support/moved_bytes.h"
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum kind { REDUCE, GATHER, SCATTER, TRADE, PERMUTE };

/* of the result's bytes and the number of devices that take part */
static double received(enum kind kind, double bytes, double n)
{
	switch (kind) {
	case REDUCE: return 2 * bytes * (n - 1) / n;
	case GATHER: return bytes * (n - 1) / n;
	case SCATTER: return bytes * (n - 1);
	case TRADE: return bytes * (n - 1) / n;
	case PERMUTE: break;
	}
	return bytes;
}

typedef struct word {
	const char *name;
	enum kind kind;
} word;

static const word *word_at(const char *at, const word *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const size_t size = strlen(words[i].name);
		if (!strncmp(at, words[i].name, size) && at[size] == ' ') return &words[i];
	}
	return NULL;
}

/* the bytes of all types, as f32[2,8], between two places of a text */
static double bytes_between(const char *from, const char *to)
{
	double all = 0;

	for (const char *at = from; (at = memchr(at, '[', (size_t)(to - at)));) {
		const char *digits = at;
		while (digits > from && isdigit((unsigned char)digits[-1])) digits--;
		double bytes = digits == at ? 1 : strtod(digits, NULL) / 8; /* bool */
		for (at++; *at != ']'; at += *at == ',') bytes *= strtod(at, (char **)&at);
		all += bytes;
	}
	return all;
}

/* ---- our programs: "axes (x, y of (x:4,y:2)) f(...) {", "%2: f32[8]{y} = psum %1 axes=(x) ..." */

static double axis_size(const char *compiled, const char *name, int length)
{
	const char *at = strstr(compiled, " of (");

	assert_non_null(at);
	for (at += 5; strncmp(at, name, (size_t)length) || at[length] != ':'; at++)
		assert_non_null(at = strchr(at, ','));
	return strtod(at + length + 1, NULL);
}

static double members(const char *compiled, const char *equation)
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

double moved_bytes(const char *compiled)
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

/* ---- records: "1x all-reduce f32[16]->f32[16] {{0,2,4,6},{1,3,5,7}}; ..." */

double recorded_bytes(const char *collectives)
{
	static const word words[] = {
		{"all-reduce", REDUCE},          {"all-gather", GATHER},
		{"reduce-scatter", SCATTER},     {"all-to-all", TRADE},
		{"collective-permute", PERMUTE},
	};
	double all = 0;

	for (const char *at = collectives; *at && *at != '-';) {
		const double count = strtod(at, (char **)&at);
		const word *w = word_at(at + 2, words, sizeof words / sizeof *words);
		const char *result = strstr(at, "->"), *group = strstr(at, " {{");
		const char *end = strpbrk(at, ";\n");
		assert_true(w && result && group);
		double n = 1;
		for (const char *c = group + 3; *c != '}'; c++) n += *c == ',';
		all += count * received(w->kind, bytes_between(result, group), n);
		if (!end || *end == '\n') break;
		at = end + 2;
	}
	return all;
}

void moves_at_most(const char *compiled, const char *collectives)
{
	const double moved = moved_bytes(compiled), recorded = recorded_bytes(collectives);

	if (moved > recorded)
		fail_msg("%g bytes move, and recorded are %g: %s; in\n%s", moved, recorded,
		         collectives, compiled);
}
