/* loops_draw.h - random programs of one device with loops and branches in each other, on small
 * arrays of integers, that ask for every trick of a memory plan: carries that change places,
 * results that are operands, literals or one another, slices, joins and parts of each other, loops
 * of no steps, empty arrays, values that nobody needs. */
#ifndef TSR_TESTS_LOOPS_DRAW_H
#define TSR_TESTS_LOOPS_DRAW_H
#include "support/values.h"

enum { LOOPS_INPUTS = 5 };

/* NULL: an error is recorded. The same program for the same dice */
program *loops_draw(lab *);
/* of type t: inputs are small numbers */
void loops_fill(lab *, const value *);

#endif
