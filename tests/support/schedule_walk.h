/* schedule_walk.h - a table of steps, run slowly and by the book.
 *
 * The walk does the pieces of a shared wave from the last to the first, and knows of each byte
 * which step, or which chain, has touched it. What depends on who is faster, reads what nobody has
 * written, writes what is not its own, or is in no piece, is wrong. Kernels are evaluated, not
 * compiled: walk_native stands for the plug-in. */
#ifndef TSR_TESTS_SCHEDULE_WALK_H
#define TSR_TESTS_SCHEDULE_WALK_H
#include "engine/cpu/cpu.h"

/* makes no machine code; kernels have 7 items, or one for each element if these are less */
extern const native_type walk_native;
target walk_target(void); /* with a library that computes all products of f32, however small */

/* in: the operands; out: gets the results, each of its own size. donates: nobody else holds the
 * operands, so outputs take their memory. false: why not */
bool schedule_walk(const coded *, const program *, void *const *in, void *const *out,
                   bool donates, char *why, size_t n);

/* steps that were walked in this process, those that were shared, the waves of these, how often
 * several waves were done together, and kernels that products computed */
extern int64_t walked_steps, walked_shared, walked_waves, walked_chains, walked_epilogues;

#endif
