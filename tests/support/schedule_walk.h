/* schedule_walk.h - a table of steps, run slowly and by the book, for several workers at once.
 *
 * The walk does one step after the other, for all workers, and knows of each byte who has touched
 * it since the workers met last. What depends on who is faster, reads what nobody has written,
 * writes what is not its own, or would leave a worker waiting for ever, is wrong. Kernels are
 * evaluated, not compiled: walk_native stands for the plug-in. */
#ifndef TSR_TESTS_SCHEDULE_WALK_H
#define TSR_TESTS_SCHEDULE_WALK_H
#include "engine/cpu/cpu.h"

/* makes no machine code; kernels have 7 items, or one for each element if these are less */
extern const native_type walk_native;

/* in: the operands; out: gets the results, each of its own size. donates: nobody else holds the
 * operands, so outputs take their memory. false: why not */
bool schedule_walk(const schedule *, const program *, void *const *in, void *const *out,
                   bool donates, char *why, size_t n);

/* steps that were walked in this process, and those that were done by several workers; meetings */
extern int64_t walked_steps, walked_shared, walked_meetings;

#endif
