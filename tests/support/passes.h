/* passes.h - passes by name, on program texts, for golden programs and the examples in the sources
 * of the passes.
 *
 *     pass NAME [WORDS]
 *     program text
 *     gives
 *     program texts, as the library prints them
 *
 * Words are 0 or 1, one an input (jvp and its kin: those that move; split: those that are known;
 * batch: those that are mapped, along the last axis of the table; transpose: those it is linear in)
 * or result (prune: those that are used). `decisions` and `collectives` give what partition says
 * when TSR_DEBUG asks (P, C), in place of a program. */
#ifndef TSR_TESTS_PASSES_H
#define TSR_TESTS_PASSES_H
#include "runtime/runtime.h"

/* what the pass of the line `head` gives for the text; file: for messages. false: an error is
 * recorded, or the line names no pass */
bool run_pass(tsr_ctx *, const char *file, const char *head, const str *text, str *out);

#endif
