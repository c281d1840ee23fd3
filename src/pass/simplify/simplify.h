/* simplify.h - declares the view that the rules of pass_simplify have: simplify.c walks, fold.c,
 * algebra.c, rearrange.c and casts.c have the rules.
 *
 * A rule looks at one equation of one result, whose operands are values of the new program, and at
 * the equations that made these. It returns a value to use in place of the result. That must have
 * the same bits and exactly the type t, including the axes over which it varies. A variable without
 * id says that the rule does not apply (or that the build has failed). Since the equations that
 * made the operands are simplified already, a rule needs to look back one equation only.
 *
 * NaN: any NaN may replace any other (docs/numerics.md). bool: any byte but 0 counts as true, so an
 * operation that only turns it into 1 must stay. */
#ifndef TSR_SRC_PASS_SIMPLIFY_H
#define TSR_SRC_PASS_SIMPLIFY_H
#include "pass/pass.h"

typedef struct simplify simplify;

/* ---- simplify.c */
build *build_of(const simplify *);
const type *type_at(const simplify *, var);
/* the equation that made a value, if it is one of prim; NULL: another one, an input or a literal */
const eqn *made_by(const simplify *, var, const tsr_prim *);
const eqn *maker(const simplify *, var); /* of any primitive */
/* the number that all elements of a value are; NULL: not known */
const void *element_of(const simplify *, var);
/* is it this number, to the bit? Not for complex values */
bool all_are(const simplify *, var, double);
/* an array of this type with all elements equal; a literal if a literal has this type */
var simplify_filled(simplify *, const type *, const void *element);
var simplify_filled_with(simplify *, const type *, double);
/* one result of type t, simplified */
var simplify_make(simplify *, const tsr_prim *, const void *params, const var *in, int nin,
                  const type *t);
/* room that lasts as long as the pass; NULL: the build has failed */
void *simplify_room(simplify *, size_t n, size_t size);

typedef var (*rewrite)(simplify *, const eqn *, const type *t);
typedef struct rule {
	const tsr_prim *prim;
	rewrite apply;
} rule;
var apply_rule(simplify *, const rule *, size_t n, const eqn *, const type *t);

/* ---- one file each */
var rewrite_constants(simplify *, const eqn *, const type *t); /* fold.c */
var rewrite_algebra(simplify *, const eqn *, const type *t);
var rewrite_rearrangement(simplify *, const eqn *, const type *t);
var rewrite_cast(simplify *, const eqn *, const type *t);
/* the operands, with literals for arrays of one number; x has room for e->nin (fold.c) */
void literal_operands(simplify *, const eqn *, const type *t, var *x);

#endif
