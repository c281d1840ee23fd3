/* tails.h - counts the bytes that processes receive of a sum in rounds (pass/crossing/halves.c). */
#ifndef TSR_TESTS_TAILS_H
#define TSR_TESTS_TAILS_H
#include "pass/replicate.h"

/* by process, until each of n has its part of the sum of so many elements */
void elements_received(const halving_way *, axis_level, int64_t n, int64_t all, int64_t *to);
/* until process `at` has all of it, in rows */
double rows_received(int64_t n, int64_t at, int pairs);

#endif
