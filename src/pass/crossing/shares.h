/* shares.h - declares plans of sums over a number of processes that is no power of two: the blocks
 * (ways.c), the elements of each process (shares.c), and the time of all (walks.c; halves.c has the
 * rounds). */
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

plan choose_plan(base *, axis_level, int n, double bytes);
/* until all processes have their parts, in ns; infinity: no memory */
double walk_ns(base *, const plan *, axis_level, double bytes);
bool in_block(const plan *, int e, int process);
/* the round in which the rest sends what process `at` of block e needs */
int round_sent(const plan *, int e, int at);
typedef struct coming { /* of what a process needs of the rest's sum */
	int from;      /* one of its block passes it on; -1: one of the rest sends it */
	int sent, had; /* rounds */
	int alike;     /* it is for all that have the same elements after this round */
} coming;
coming way_of_rest(const plan *, int e, int at);
/* so many processes have the same elements when they have exchanged their halves */
int left_of(const block *);
/* those whose numbers end with the same bits, so many, have the same elements after round t */
int alike(const block *, int t);
/* the place of a process in the order in which shares are dealt, and messages leave */
int turn_of(const plan *, int process);

enum { MOST_SHARES = 3, WHOLE = 4096 }; /* of which fractions are counted */
/* Of n processes in the order of turns, the one that takes share k: the first share is of one in
 * the second half, the second one of one in the first, and the third of one in the half of that */
int turn_shared(int n, int shares, int k);
/* where each of these shares ends, in WHOLE */
void share_out(int n, const early_way *, int *end);
typedef struct class_cut { /* of what one class of the block has for the rest */
	int64_t at;  /* what one process has ends here, and another one has what is behind it */
	int64_t end; /* where what one of the rest is to have ends, if that is near */
} class_cut;
/* end: of what each of the rest is to have */
void cut_classes(int rest, const int64_t *end, int classes, class_cut *);

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
/* of the blocks up to this one, of a row of so many elements; those of a process may be none */
bool deal_all(arena *, const plan *, int blocks, int64_t all, runs *list);

#endif
