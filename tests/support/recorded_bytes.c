/* recorded_bytes.c - reads the bytes that collectives move from records of other compilers. */
#include "support/recorded_bytes.h"
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "support/received.h"

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

void moves_at_most(const char *what, double bytes, const char *collectives)
{
	const double recorded = recorded_bytes(collectives);

	if (!(bytes >= 0 && bytes <= recorded))
		fail_msg("%s: %g bytes move, and recorded are %g: %s", what, bytes, recorded,
		         collectives);
}
