/* arguments.c - passes arguments for the macros of the public headers, as functions of the
 * library, for callers with a compiler that does not inline them. */
#define TSR_INLINE_ TSR_API
#include <tsr/tsr.h>
