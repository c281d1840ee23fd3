/* timing.h - how long calls take, measured and printed.
 *
 * Words: a `loop` is a call with the wait for its results. A `run` is some loops, which are
 * measured together. */
#ifndef TSR_SRC_TIMING_H
#define TSR_SRC_TIMING_H
#include "lib/lib.h"

/* seconds, from any beginning */
static inline double now(void) { return 1e-9 * profile_clock(); }

/* ---- time.c */
typedef struct timed { /* a call; op: who measures it */
	fn *fn;
	tsr_fn *handle;
	const char *where, *op;
	const tsr_arg *args;
	size_t n;
	bool alone; /* it has one result; timed_first finds that out */
} timed;
/* can it be measured? false: recorded, also if the fn is NULL */
bool timed_ok(const timed *);
bool timed_first(timed *); /* calls and waits; makes machine code */
bool timed_call(const timed *);  /* calls and waits */

/* ---- timing_text.c: seconds with three digits and their unit: 1.23 ms, 1min 5s */
void seconds_text(str *, double seconds);

/* ---- figures.c: what was measured of a collective */
typedef struct moved_bytes {
	double received; /* by a device */
	double moved;    /* read and written by all; 0: the blocks themselves are given on */
} moved_bytes;
typedef struct figures {
	const char *name, *why_not; /* why_not: NULL: it was measured */
	moved_bytes bytes;
	double seconds;
} figures;
/* lines, each ended. rate: bytes read and written in a second, as memory allows */
void figures_table(str *, const figures *, size_t n, double rate);

/* ---- progress_text.c: the line of tsr_progress_show(), cut to the columns of the terminal */
typedef struct progress_state {
	const char *label, *unit, *note; /* none is NULL; unit: of one */
	int64_t done, total;             /* total 0: not known */
	double each;                     /* seconds that one takes; 0: not known yet */
	double seconds;                  /* since the beginning */
	int columns;
} progress_state;
void progress_text(str *, const progress_state *);

#endif
