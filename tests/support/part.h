/* part.h - numbers from the environment, and parts of tests: with TSR_PART=2/5 every fifth of all
 * draws that a test makes, from the second on; without it, all. */
#ifndef TSR_TESTS_PART_H
#define TSR_TESTS_PART_H
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static inline int number_from(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text ? atoi(text) : otherwise;
}

/* asked once for each draw */
static inline bool is_left_out(void)
{
	static int draw;
	const char *text = getenv("TSR_PART");
	int part = 1, parts = 1;

	if (text) sscanf(text, "%d/%d", &part, &parts);
	return draw++ % parts != part - 1;
}

#endif
