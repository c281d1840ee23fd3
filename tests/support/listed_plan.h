/* listed_plan.h - follows the messages of a listed plan (pass/crossing/listed.def) by the
 * book, and counts the parts that each process receives. */
#ifndef TSR_TESTS_LISTED_PLAN_H
#define TSR_TESTS_LISTED_PLAN_H
#include <stdbool.h>
#include <stdint.h>

/* Does each of n processes have its part of the sum then, and no other part? received: how many
 * parts each receives, or roots of their sums */
bool follow_plan(const char *plan, int64_t n, int64_t *received);

#endif
