/* collective.h - what the rows of the collectives share: checks of axes, groups and varying sets,
 * and the pieces of their rules.
 *
 * A collective acts over some axes of the table, flattened in the order given, the first one most
 * significant; axis_index_groups cut that index range into groups, and each group exchanges by
 * itself. Rows decide what varies themselves: every operand must already vary over all named mesh
 * axes, for whoever binds one casts its operands first. The axis of a map is in no varying set:
 * what depends on it is found by data flow when the map's batch is made. */
#ifndef TSR_SRC_PRIM_COLLECTIVE_H
#define TSR_SRC_PRIM_COLLECTIVE_H
#include "prim/local.h"

typedef struct members {
	axis_set set;              /* the named mesh axes: those that varying sets speak of */
	int64_t size;              /* product of the sizes of all named axes */
	int64_t n;                 /* members of a group; 0: the groups differ in size */
} members;

/* ---- collective.c: checks of the type rules; false: an error is recorded */
/* axes: at least one, bound, each once. groups: none empty, together every index exactly once */
bool collective_check(build *, const eqn *, members *);
bool collective_equal_groups(build *, const eqn *, const members *);
bool collective_varies(build *, const eqn *, const type *operand, const members *);
/* all of these at once, for a row whose groups must be of one size */
bool collective_begin(build *, const eqn *, const type *operand, members *);
/* a dim parameter that the user calls `what`: 0 <= dim < limit */
bool collective_dim(build *, const eqn *, const char *what, int64_t dim, int limit, const type *);
/* a member number within a group */
bool collective_member(build *, const eqn *, const char *what, int64_t member, const members *);

/* ---- collective.c: for messages, in the arena of the build */
const char *collective_axes_text(build *, const ints *axes);           /* "(x,y)" */
const char *collective_type_text(build *, const type *);               /* "f32[2,8]{x,y}" */
const char *collective_text(build *, str *);                           /* of the str; frees it */

/* ---- collective.c: types and bytes */
/* the operand with other dims; NULL: an error is recorded */
const type *collective_redim(build *, const type *operand, const int64_t *dims, int ndim);
/* of what all members of a group share: with COLL_TO_INVARYING it no longer varies over the axes,
 * which is an error with groups; NULL: an error is recorded */
const type *collective_result(build *, const eqn *, const type *, int to, const members *);
int64_t collective_span(const type *, int64_t from, int64_t to);       /* dims in [from, to) */
size_t collective_bytes(const type *);
void collective_copy(void *out, const void *in, size_t bytes);         /* none: NULL is fine */

/* ---- collective.c: parts of factor rules. The blocks of all members are treated alike, so a dim
 * that the exchange does not touch passes through; what it numbers by member must be whole. */
/* operand 0 and result 0 */
void collective_factors_same(const eqn *, const type *const *in, const type *const *out, factors *);
int collective_whole(factors *, int64_t size);                         /* a new factor, whole */

/* ---- collective_batch.c, collective_permute.c: a batch, of which the collective names the axis */

/* what is left of a collective when one of its axes is a dim: a member of the flattened index is
 * (a, j, c), where j is the element of the batch and (a, c) the member of what is left */
typedef struct rest {
	collective on;             /* the axes that are left, maybe none; without groups */
	int before;                /* how many of them stand before the batch's */
	int64_t major, n, minor;   /* sizes: of these axes, of the batch, of the axes after it */
} rest;
int64_t rest_element(const rest *, int64_t member);                    /* j */
int64_t rest_member(const rest *, int64_t member);                     /* of (a, c) */

/* where the axis of the batch stands among these, or -1 */
int batch_place(const ints *axes, const batching *);
/* the parameters, of the arena, with the axes of the new table, where the batch's is -1. NULL: the
 * build failed */
void *batch_params(build *, const eqn *, const batching *);
/* Fails the build and gives true if one of the axes, of the new table, splits the batch: what acts
 * over it would mix the elements of what is mapped. */
bool refuse_split(build *, const eqn *, const ints *axes, const batching *);
/* elements of a batch by number, -1 for zeros */
var batch_take(build *, var x, const int64_t *index, int n);
/* a ppermute over all members, of x [n, ...], which has an instance for each member of the rest */
var batch_permute(build *, const rest *, const ints *perm, var x);

/* ---- the columns. All rows but pmax and pmin are linear in what moves: jvp_linear */
#define COLLECTIVE_TRANSPOSE(prim_) \
	void prim_##_transpose(build *b, const eqn *e, const type *const *in, const var *x, \
	                       const var *ct, var *dx)
#define COLLECTIVE_BATCH(prim_) \
	void prim_##_batch(build *b, const eqn *e, const batching *to, const var *x, \
	                   const bool *mapped, var *y, bool *ymapped)
#define COLLECTIVE_MEMBERS(prim_) \
	void prim_##_members(build *b, const eqn *e, int n, const var *x, var *y)
COLLECTIVE_TRANSPOSE(psum);
COLLECTIVE_TRANSPOSE(psum_scatter);
COLLECTIVE_TRANSPOSE(all_gather);
COLLECTIVE_TRANSPOSE(all_to_all);
COLLECTIVE_TRANSPOSE(ppermute);
COLLECTIVE_TRANSPOSE(pbroadcast);
COLLECTIVE_TRANSPOSE(pcast);
COLLECTIVE_TRANSPOSE(assume_equal);
COLLECTIVE_BATCH(psum);
COLLECTIVE_BATCH(pmax);
COLLECTIVE_BATCH(pmin);
COLLECTIVE_BATCH(psum_scatter);
COLLECTIVE_BATCH(all_gather);
COLLECTIVE_BATCH(all_to_all);
COLLECTIVE_BATCH(ppermute);
COLLECTIVE_BATCH(pbroadcast);
COLLECTIVE_BATCH(pcast);
COLLECTIVE_BATCH(assume_equal);
COLLECTIVE_BATCH(axis_index);
COLLECTIVE_MEMBERS(psum);
COLLECTIVE_MEMBERS(pmax);
COLLECTIVE_MEMBERS(pmin);
COLLECTIVE_MEMBERS(psum_scatter);
COLLECTIVE_MEMBERS(all_gather);
COLLECTIVE_MEMBERS(all_to_all);
COLLECTIVE_MEMBERS(ppermute);
COLLECTIVE_MEMBERS(pbroadcast);
COLLECTIVE_MEMBERS(assume_equal);

#define COLLECTIVE_FIELDS(record) \
	{"axes", offsetof(record, on.axes), FIELD_AXES, NULL}, \
	{"groups", offsetof(record, on.groups), FIELD_GROUPS, NULL}

/* why collectives have no `lower` */
#define EXCHANGED "what devices exchange is a step in the schedule of an engine"

#endif
