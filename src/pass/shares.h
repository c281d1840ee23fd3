/* shares.h - declares plans of sums over a number of processes that is no power of two: the blocks,
 * and the elements of each process (crossing_shares.c; crossing_halves.c has the rounds). */
#ifndef TSR_SHARES_H
#define TSR_SHARES_H
#include "pass/replicate.h"

typedef struct block { /* and its rest, which is all blocks behind it */
	int first, n, rest;
	int rounds; /* in which halves are exchanged; then those left send each other all at once */
	int ready;  /* the rest has its sum before this round, */
	int last;   /* and both have theirs after that one */
} block;

typedef struct plan {
	int n, nblocks;
	block v[MOST_BLOCKS];
	halving_way way;
} plan;

plan choose_plan(axis_level, int n, double bytes);
bool in_block(const plan *, int e, int process);
/* the round in which the rest sends what process `at` of block e needs */
int round_sent(const plan *, int e, int at);
/* those whose numbers end with the same bits, so many, have the same elements after round t */
int alike(const block *, int t);
/* the place of a process in the order in which shares are dealt, and messages leave */
int turn_of(const plan *, int process);

typedef struct run { /* elements of a row, in a block and its rest */
	index_range at;
	int owner; /* is to have them of the sum of both */
	int other; /* has them of the sum of the other side */
} run;

typedef struct runs {
	int n;
	run *v;
} runs;

/* who has it of the sum of the block, or of the rest */
int has_it(const block *, const run *, bool of_rest);
/* of the blocks up to this one, from parts of so many elements on */
bool deal_all(arena *, const plan *, int blocks, int64_t size, runs *list);

#endif
