/* arguments.c - what the macros of the public headers call to pass arguments, as functions of the
 * library, for callers whose compiler does not inline them. */
#define TSR_INLINE_ TSR_API
#include <tsr/tsr.h>
