/* functions.h - a call of a public operation, as a line of functions/NAME.def has it. */
#ifndef TSR_PEER_FUNCTIONS_H
#define TSR_PEER_FUNCTIONS_H
#include <tsr/tsr.h>

enum { MOST_RESULTS = 8, MOST_OPERANDS = 8 };

/* the results of line `number`, of the variables that words as "x=@0 y=@1 dims=2,3 keep=1" give;
 * @0 is in[0], and @0:bf16 its bits as a bf16. Their number, or 0 if a word is unknown */
int call_line(tsr_ctx *ctx, long number, const char *words, tsr *const *in, tsr **out);
/* the number of the line with this call, spaces in it as one; -1: there is none */
long line_of(const char *call);
/* the cotangents of the variables in `by`, in the order x y z w v, for those of such results that
 * can have any */
int gradient_of_line(tsr_ctx *ctx, long number, const char *words, tsr *const *in,
                     const char *by, int cotangents, tsr *const *cotangent, tsr **out);

#endif
