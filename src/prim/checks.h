/* checks.h - declares the checks of type rules, and the words of their messages. */
#ifndef TSR_SRC_PRIM_CHECKS_H
#define TSR_SRC_PRIM_CHECKS_H
#include "prim/dtypes.h"

/* ---- checks.c: false: an error is recorded */
/* the shape that all operands have: rank-0 literals fit any, and so do rank-0 operands in the set
 * `scalars`. NULL: error */
const type *common_shape(build *, const eqn *, const type *const *in, unsigned scalars);
/* operands of a common shape and of one dtype among `kinds`. result: TSR_DTYPE_DEFAULT is the
 * operands' */
bool types_elementwise(build *, const eqn *, const type *const *in, const type **out,
                       unsigned kinds, tsr_dtype result);
bool check_kind(build *, const eqn *, const type *, unsigned kinds);
bool check_same_dtypes(build *, const eqn *, const type *const *in, int first, int n);
/* dims that are in range and increase, for a parameter that messages call `what` */
bool check_dims_rise(build *, const eqn *, const char *what, const ints *, int ndim);
bool check_dim(build *, const eqn *, int64_t dim, int ndim); /* in range */
/* the list has n entries */
bool check_length(build *, const eqn *, const char *what, const ints *, int n);
bool check_known_dtype(build *, const eqn *, tsr_dtype);
/* the type of the result; the build sets what varies */
bool give_type(build *, tsr_dtype, const int64_t *dims, int ndim, const type **out);
bool weaken(build *, bool weak, const type **); /* of a row with PRIM_OWN_WEAK */
/* in the build's arena; NULL: an error is recorded */
int64_t *dims_room(build *, int ndim);
/* for messages, in the arena of the build: "f32[2,3]", "f32[2,3], f32[4] and f32[]", "(2, 3)" */
const char *words_of(build *, str *);                  /* of the str, which is freed */
const char *type_words(build *, const type *);
const char *types_words(build *, const type *const *, int n);
const char *dims_words(build *, const int64_t *dims, int ndim);

#endif
