/* moved_bytes.h - what collectives move, of our programs and of recorded ones.
 *
 * Counted is what one device receives: of a gather, a trade or a scatter over n devices the n-1
 * parts of others, and for a sum, which is a scatter and a gather, twice that. */
#ifndef TSR_TESTS_MOVED_BYTES_H
#define TSR_TESTS_MOVED_BYTES_H

/* of a program, as tsr_fn_compiled_text() gives it; of a loop body once */
double moved_bytes(const char *compiled);
/* of recorded collectives, with types of blocks and the groups of devices:
 * "2x all-gather f32[2,8]->f32[8,8] {{0,2,4,6},{1,3,5,7}}; ...", or "-" for none */
double recorded_bytes(const char *collectives);
/* ends the running test if the program moves more than is recorded */
void moves_at_most(const char *compiled, const char *collectives);
#endif
