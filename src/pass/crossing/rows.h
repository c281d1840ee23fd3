/* rows.h - declares the plan of a sum of whole rows: rows.c makes it, and whole.c sends it. */
#ifndef TSR_ROWS_H
#define TSR_ROWS_H
#include "pass/replicate.h"

typedef struct part { /* sum of the processes first .. first + span - 1, as far as there are any */
	int first, span;
} part;
typedef struct message {
	int from, to, round, n; /* n: parts */
	part of[2];
	int after; /* it is sent when all of the rounds up to this one has come */
} message;
typedef struct rows_plan { /* the messages of one process */
	message *v;
	int n;
} rows_plan;

/* of the process of this line, for rows of so many bytes; false: no memory */
bool rows_plan_make(arena *, const lineup *, double bytes, rows_plan *);

#endif
