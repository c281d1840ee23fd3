/* seen.h - compares the elements of an array with a text in the test. */
#ifndef TSR_TESTS_SEEN_H
#define TSR_TESTS_SEEN_H
#include <inttypes.h>
#include <stdio.h>
#include <tsr/tsr.h>

/* dims and elements, "(2,3) 0 1 2 3 4 5"; of poison the message */
static inline const char *seen(tsr *x)
{
	static char text[600];
	int at = snprintf(text, sizeof text, "(");

	for (int d = 0; d < tsr_ndim(x); d++)
		at += snprintf(text + at, sizeof text - (size_t)at, "%s%" PRId64, d ? "," : "",
		               tsr_dim(x, d));
	at += snprintf(text + at, sizeof text - (size_t)at, ")");
	tsr *flat = tsr_ravel(x);
	for (int64_t i = 0; i < tsr_size(x); i++)
		at += snprintf(text + at, sizeof text - (size_t)at, " %g",
		               tsr_item(tsr_index(flat, 0, i)));
	return tsr_is_poison(x) ? tsr_message(tsr_ctx_of(x)) : text;
}
#define SEES(x, want) assert_string_equal(seen(x), want)

#endif
