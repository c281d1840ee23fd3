/* associative.h - writes running combinations as equations, so that rules can take their
 * derivatives. */
#ifndef TSR_SRC_PRIM_ASSOCIATIVE_H
#define TSR_SRC_PRIM_ASSOCIATIVE_H
#include "prim/prim.h"

/* ---- reduce/associative.c: an operation that combines neighbours, lower index left */
typedef struct combining {
	const tsr_prim *row; /* NULL: the logarithm of the sum of their exponentials */
	padding nothing;     /* the number that changes no other */
} combining;
var emit_combined(build *, const combining *, var x, var y);
var emit_nothing_of(build *, const combining *, tsr_dtype); /* that number */
/* of the elements up to each one along a dim, reverse: from the last one: the tangent of what they
 * combine to. dx: the tangent of x */
var emit_running_tangent(build *, const combining *, var x, var dx, int dim, bool reverse);

#endif
