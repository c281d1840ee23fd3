/* draws.h - functions that tests of sampled programs share: numbers from the environment (TSR_SEED,
 * TSR_DRAWS; part.h), and printing a program to the log. */
#ifndef TSR_TESTS_DRAWS_H
#define TSR_TESTS_DRAWS_H
#include <stdio.h>
#include "program/program.h"
#include "support/part.h"

static inline void show_program(const program *p)
{
	str s = {.base = p->ir->base};

	program_print(&s, p, 0);
	fprintf(stderr, "%s\n", s.s ? s.s : "");
	str_free(&s);
}

#endif
