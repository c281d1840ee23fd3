/* timing.h - how long calls take, measured and printed.
 *
 * Words: a `loop` is a call with the wait for its results. A `run` is some loops, which are
 * measured together. */
#ifndef TSR_SRC_TIMING_H
#define TSR_SRC_TIMING_H
#include "lib/lib.h"

/* ---- timing_text.c: seconds with three digits and their unit: 1.23 ms, 1min 5s */
void seconds_text(str *, double seconds);

#endif
