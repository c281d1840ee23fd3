/* products_draw.c - the value that comes next is a product of two earlier ones, or a small
 * computation on them that an engine may do together with a product. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "support/products_draw.h"

enum { VALUES = 9 };

typedef struct writing {
	uint64_t dice;
	char *text, type[40], row[40];
	size_t at;
	int batch, next;          /* the number of the next variable */
	int value[VALUES + 2], n; /* variables that are arrays */
} writing;

static int roll(writing *w, int n)
{
	w->dice ^= w->dice << 13;
	w->dice ^= w->dice >> 7;
	w->dice ^= w->dice << 17;
	return (int)(w->dice >> 33) % n;
}

static __attribute__((format(printf, 2, 3))) void put(writing *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	w->at += (size_t)vsnprintf(w->text + w->at, PRODUCTS_TEXT - w->at, format, args);
	va_end(args);
}

/* one more equation of that type; returns its variable */
static __attribute__((format(printf, 3, 4))) int equation(writing *w, const char *type,
                                                          const char *format, ...)
{
	va_list args;

	put(w, "  %%%d: %s = ", w->next, type);
	va_start(args, format);
	w->at += (size_t)vsnprintf(w->text + w->at, PRODUCTS_TEXT - w->at, format, args);
	va_end(args);
	put(w, "\n");
	return w->next++;
}

/* mostly the last array, so that much is done in a row */
static int array(writing *w) { return w->value[roll(w, 3) ? w->n - 1 : roll(w, w->n)]; }

static int product(writing *w)
{
	const int a = roll(w, 2), b = roll(w, 2), of = w->batch ? 1 : 0;
	const int x = array(w), y = array(w);

	return equation(w, w->type,
	                "dot_general %%%d %%%d contract_a=[%d] contract_b=[%d] batch_a=[%s] "
	                "batch_b=[%s] dtype=f32",
	                x, y, of + a, of + b, of ? "0" : "", of ? "0" : "");
}

/* a vector along the last dim or the one before */
static int spread(writing *w, int v, bool along)
{
	const char *dims = strchr(w->type, '[');

	return equation(w, w->type, "broadcast_in_dim %%%d dims=%s at=[%d]", v, dims,
	                (w->batch ? 1 : 0) + along);
}

/* what is left of the largest element of a row, or of a column */
static int reduced(writing *w)
{
	const bool rows = roll(w, 4) != 0;
	const int x = array(w), of = w->batch ? 1 : 0;
	const int most = equation(w, w->row, "reduce_max %%%d dims=[%d]", x, of + rows);
	const int all = equation(w, w->type, "broadcast_in_dim %%%d dims=%s at=[%s%d]", most,
	                         strchr(w->type, '['), of ? "0," : "", of + !rows);

	return equation(w, w->type, "sub %%%d %%%d", x, all);
}

static int computed(writing *w, bool exact)
{
	const int x = array(w), of = w->batch ? 1 : 0;

	switch (roll(w, 8)) {
	case 0: return equation(w, w->type, "add %%%d %%%d", x, spread(w, 2, true));
	case 1: return equation(w, w->type, "sub %%%d %%%d", x, spread(w, 3, false));
	case 2: return equation(w, w->type, "add %%%d %%%d", x, array(w));
	case 3: return equation(w, w->type, exact ? "neg %%%d" : "tanh %%%d", x);
	case 4:
		return equation(w, w->type, "transpose %%%d perm=[%s%d,%d]", x, of ? "0," : "",
		                of + 1, of);
	case 5: return equation(w, w->type, "rev %%%d dims=[%d]", x, of + roll(w, 2));
	case 6: return equation(w, w->type, "add %%%d %%%d", product(w), product(w));
	default: return reduced(w);
	}
}

/* numbers up to 3 again; without `exact` up to 1, or rounded to bf16 */
static int limited(writing *w, int v, bool exact)
{
	char narrow[48];

	snprintf(narrow, sizeof narrow, "bf16%s", strchr(w->type, '['));
	if (!exact && roll(w, 4) == 0)
		v = equation(w, w->type, "convert_element_type %%%d dtype=f32",
		             equation(w, narrow, "convert_element_type %%%d dtype=bf16", v));
	v = equation(w, w->type, "max %%%d -%d.0:f32", v, exact ? 3 : 1);
	return equation(w, w->type, "min %%%d %d.0:f32", v, exact ? 3 : 1);
}

const char *products_draw(uint64_t seed, int batch, int side, bool exact, char text[PRODUCTS_TEXT])
{
	writing w = {.dice = seed * 0x2545f4914f6cdd1du + 1,
	             .text = text,
	             .batch = batch,
	             .next = PRODUCTS_INPUTS,
	             .value = {0, 1},
	             .n = 2};
	char outer[16] = "";

	if (batch) snprintf(outer, sizeof outer, "%d,", batch);
	snprintf(w.type, sizeof w.type, "f32[%s%d,%d]", outer, side, side);
	snprintf(w.row, sizeof w.row, "f32[%s%d]", outer, side);
	put(&w, "f(%%0: %s, %%1: %s, %%2: f32[%d], %%3: f32[%d]) -> %s, %s, %s {\n", w.type, w.type,
	    side, side, w.type, w.type, w.type);
	while (w.n < VALUES + 2) {
		const int v = roll(&w, 2) ? product(&w) : computed(&w, exact);
		w.value[w.n++] = exact || roll(&w, 2) ? limited(&w, v, exact) : v;
	}
	put(&w, "  return %%%d %%%d %%%d\n}\n", w.value[w.n - 1], w.value[2 + roll(&w, VALUES)],
	    w.value[2 + roll(&w, VALUES)]);
	return text;
}
