/* equations.c - counts equations. */
#include "support/equations.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

int equations_in(const char *text)
{
	int n = 0;
	for (const char *at = text; (at = strstr(at, " = ")); at += 3) n++;
	return n;
}

void at_most_four_times(const char *name, const char *loss, const char *both)
{
	const int one = equations_in(loss), all = equations_in(both);
	print_message("%s: %d equations, with gradients %d\n", name, one, all);
	if (one < 3 || all > 4 * one)
		fail_msg("%s: %d equations, and %d with gradients:\n%s", name, one, all, both);
}
