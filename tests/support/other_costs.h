/* other_costs.h - replaces the costs of messages, so that sums of few elements go in parts: with
 * the real ones they go as roots of subtrees.
 *
 * For one file of a program that is linked with --wrap=message_costs. */
#ifndef TSR_TESTS_OTHER_COSTS_H
#define TSR_TESTS_OTHER_COSTS_H
#include "shard/shard.h"

extern const message_cost __real_message_costs[LEVELS];
message_cost __wrap_message_costs[LEVELS]; /* zeros until one of these is called */

static inline void set_costs(double latency, double start, double byte)
{
	for (int l = 0; l < LEVELS; l++)
		__wrap_message_costs[l] = (message_cost){latency, start, byte};
}

static inline void set_real_costs(void)
{
	memcpy(__wrap_message_costs, __real_message_costs, sizeof __wrap_message_costs);
}

#endif
