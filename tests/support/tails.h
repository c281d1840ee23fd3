/* tails.h - counts the bytes that processes receive of a sum in rounds (pass/crossing_halves.c). */
#ifndef TSR_TESTS_TAILS_H
#define TSR_TESTS_TAILS_H
#include "pass/replicate.h"

/* until process `at` of n has its part of the sum */
double parts_received(const halving_way *, int64_t n, int64_t at);
/* or all of it, in rows */
double rows_received(int64_t n, int64_t at);

#endif
