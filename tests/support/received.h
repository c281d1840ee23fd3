/* received.h - counts the bytes that a device receives in a collective from the types of its
 * results as text: apart from the library, for comparison. */
#ifndef TSR_TESTS_RECEIVED_H
#define TSR_TESTS_RECEIVED_H
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum kind { REDUCE, GATHER, SCATTER, TRADE, PERMUTE };

/* of the result's bytes and the number of devices that take part */
static inline double received(enum kind kind, double bytes, double n)
{
	switch (kind) {
	case REDUCE: return 2 * bytes * (n - 1) / n;
	case GATHER: return bytes * (n - 1) / n;
	case SCATTER: return bytes * (n - 1);
	case TRADE: return bytes * (n - 1) / n;
	case PERMUTE: break;
	}
	return n > 1 ? bytes : 0;
}

typedef struct word {
	const char *name;
	enum kind kind;
} word;

static inline const word *word_at(const char *at, const word *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const size_t size = strlen(words[i].name);
		if (!strncmp(at, words[i].name, size) && at[size] == ' ') return &words[i];
	}
	return NULL;
}

/* the bytes of all types, as f32[2,8], between two places of a text */
static inline double bytes_between(const char *from, const char *to)
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
#endif
