/* listed.h - declares the listed plans of sums over few processes: how each is read, and the time
 * that its messages take. */
#ifndef TSR_LISTED_H
#define TSR_LISTED_H
#include "pass/replicate.h"

typedef struct listed_plan {
	int n; /* processes */
	const char *messages;
} listed_plan;
extern const listed_plan listed_plans[]; /* of listed.def; the last one has no processes */

enum { MOST_LISTED = 16, MOST_PLANNED = MOST_LISTED * (MOST_LISTED - 1) };
typedef struct planned { /* a message */
	uint8_t from, to;
	uint8_t after;             /* the sender has received so many messages before */
	uint8_t n;                 /* parts that it has, */
	uint8_t part[MOST_LISTED]; /* and for whom these are */
	uint16_t of[MOST_LISTED];  /* by part, in bits: the processes whose sum it has of that */
} planned;

/* How many messages a plan of n processes has, written as in listed.def, to v, with room for
 * MOST_PLANNED. 0: it does not give each process its part */
int list_planned(const char *plan, int n, planned *v);
/* of a message, in parts: the roots that it has */
int planned_size(const planned *, int n);
/* until all have their parts, of so many bytes each */
double planned_ns(const planned *, int count, axis_level, int n, double bytes);

/* Blocks of block_of(n) processes exchange halves of rows of so many bytes, and then those with the
 * same number in their blocks go by a plan. The one that takes least, and how long both take; NULL
 * and infinity: none is listed for so many blocks */
const char *choose_listed(axis_level, int n, double bytes, double *ns);
/* each row has the parts of those with the same number in their blocks, equally long, and becomes
 * the part of this process */
bool scatter_as_listed(replicating *, const eqn *, lineup *const *, int n, var *row);

#endif
