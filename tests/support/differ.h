/* differ.h - the laws that the rules of transformations obey, each checked for one program of local
 * rows by comparing values. A law that does not hold is a failure of the lab.
 *
 * Points are sampled as values_points says, so that a law holds for functions with kinks too. */
#ifndef TSR_TESTS_DIFFER_H
#define TSR_TESTS_DIFFER_H
#include "support/values.h"

enum { MOST_INPUTS = 16, MOST_VALUES = 2 * MOST_INPUTS };

typedef struct subject {
	const program *p;
	const bool *moves;             /* by input: those that have a tangent */
	double points[MOST_VALUES][2]; /* by input: between which they lie */
	bool linear;                   /* differences are exact at any distance, in any dtype */
} subject;

/* jvp = central differences, along real directions and imaginary ones; its results are those of p.
 * In f64 and c128, or of a linear program in any dtype */
void law_jvp(lab *, const subject *);
/* jvp of p = jvp of `wide`, the same program in f64 or c128, at the same points and directions, to
 * within the roundings of the dtype */
void law_precision(lab *, const subject *, const program *wide);
/* <J v, u> = <v, J' u>, where J' is what jvp, split and transpose make; without conjugation, and
 * since some programs take the real part, only real parts are compared (for all u that is all) */
void law_transpose(lab *, const subject *);
/* the batched program = the program for each element, bit for bit. Entry 0 of an axis table is the
 * batch's. specials: with infinities and NaNs; varying: what is mapped varies over these axes too,
 * as a mapped region around asks for (entries of the table without the batch's) */
void law_batch(lab *, const subject *, const bool *mapped, int64_t size, bool specials,
               axis_set varying);
/* the batch of J' = J' of the batch, where what is not mapped adds up */
void law_batch_of_vjp(lab *, const subject *, const bool *mapped, int64_t size);

/* inputs, tangents of those that move -> results, tangents of those that depend on them. NULL:
 * failed */
program *jvp_of(lab *, const program *, const bool *moves, bool *moves_out);
/* inputs, cotangents of the results that depend on what moves -> cotangents of what moves. NULL:
 * failed, or no result does */
program *vjp_of(lab *, const program *, const bool *moves, bool *moves_out);

#endif
