/* message_cost.c - estimates the time of messages, by the distance of sender and receiver: the one
 * measure for all plans of messages.
 *
 * The model is LogGP (Alexandrov, Ionescu, Schauser, Scheiman, 1995) with three numbers: n messages
 * that a process sends and receives at once, of so many bytes together, take
 *
 *     latency + (n - 1) start + bytes byte
 *
 * Nothing is measured while a program runs: who plans must come to the same in all processes. The
 * numbers are those of one machine, which bench/processes/links.c found (docs/benchmarks.md); on
 * others what counts is that the levels differ as much. In a memory nothing is sent: there it is a
 * collective that takes the latency. */
#include "shard/shard.h"

const message_cost message_costs[LEVELS] = {
	[LEVEL_MEMORY] = {TUNE_MEMORY_LATENCY, TUNE_MEMORY_START, 1000.0 / TUNE_MEMORY_RATE},
	[LEVEL_NODE] = {TUNE_NODE_LATENCY, TUNE_NODE_START, 1000.0 / TUNE_NODE_RATE},
	[LEVEL_NETWORK] = {TUNE_NETWORK_LATENCY, TUNE_NETWORK_START, 1000.0 / TUNE_NETWORK_RATE},
};
