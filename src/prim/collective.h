/* collective.h - what the rows of the collectives share: checks of axes, groups and varying sets,
 * and the pieces of their rules.
 *
 * A collective acts over some axes of the table, flattened in the order given, the first one most
 * significant: over (x,y) with x:2 and y:3, the device at x=1, y=0 has index 3. axis_index_groups
 * cut that index range into groups, and each group exchanges by itself; a member is named by its
 * position in its group. Rows decide what varies themselves: every operand must already vary over
 * all named mesh axes, because whoever binds one casts its operands first. The axis of a map is in
 * no varying set: what depends on it is found by data flow when the map's batch is made.
 *
 * Each collective stands whole in the file of its family (collective_reduce.c, collective_gather.c
 * and so on): its row, types, factors, eval, and the rules that make equations, which are
 * transpose, batch and members. The words of this header: a `group` exchanges, its `members` are
 * devices; the `rest` is what is left of a collective when one of its axes is the dim of a batch.
 */
#ifndef TSR_SRC_PRIM_COLLECTIVE_H
#define TSR_SRC_PRIM_COLLECTIVE_H
#include "prim/checks.h"
#include "prim/lists.h"

typedef struct members {
	axis_set set;              /* the named mesh axes: those that varying sets speak of */
	int64_t size;              /* product of the sizes of all named axes */
	int64_t n;                 /* members of a group; 0: the groups differ in size */
} members;

/* ---- collective.c: checks of the type rules; false: an error is recorded */
/* axes: at least one, bound, each once */
bool collective_axes(build *, const eqn *, const ints *axes, members *);
/* the same, and groups: none empty, together every index exactly once */
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

/* ---- collective.c: pieces of transposes. Over a mesh axis a value that does not vary is one
 * value: where it fans out (pcast) the cotangents of its copies are summed, and where a sum does
 * not vary its cotangent fans out. Over the axis of a map, and where a sum goes to varying, each
 * member has a cotangent of its own, and a sum is its own transpose. */
/* those of the axes that are of one kind */
ints collective_axes_of(build *, const ints *axes, axis_kind);
/* a psum over these axes; over none it is the operand. to: COLL_TO_... */
var collective_sum(build *, var, ints axes, int to);
/* the cotangent of what does not vary over the named mesh axes and comes from what does: summed
 * over the axes of maps, the same on all devices along those of meshes */
var collective_from_invarying(build *, var ct, const ints *axes);
var collective_index(build *, const collective *);                     /* an axis_index */

/* ---- collective.c: pieces of the column `members`. Members often share a block: x[k] and x[k - 1]
 * are one variable then, and what is made of the same blocks again is made once. */
/* the part [start, stop) of one dim; all of it is the operand */
var members_part(build *, var, int64_t dim, int64_t start, int64_t stop);
/* made[i - 1] if operand i is the variable that operand i - 1 is, otherwise no value */
var members_again(const var *x, int i, const var *made);
/* neighbours are joined by a binary operation, level by level; v is overwritten */
var members_tree(build *, const tsr_prim *join, var *v, int n);
void members_give_all(var *y, int n, var all);

/* ---- collective_batch.c: a batch, of which the collective names the axis */

/* what is left of a collective when one of its axes is a dim: a member of the flattened index is
 * (a, j, c), where j is the element of the batch and (a, c) the member of what is left */
typedef struct rest {
	collective on;             /* the axes that are left, maybe none; without groups */
	int before;                /* how many of them stand before the batch's */
	int64_t major, n, minor;   /* sizes: of these axes, of the batch, of the axes after it */
} rest;
int64_t rest_element(const rest *, int64_t member);                    /* j */
int64_t rest_member(const rest *, int64_t member);                     /* of (a, c) */
/* a collective over the axes that are left; over none it is the operand */
var rest_emit(build *, const rest *, const tsr_prim *, const void *params, var x);
/* dims [n, s] from `at` on, for s members of the rest, into one dim of all members in order; where
 * no axis is left there is no s, and nothing to do. rest_part: the other way */
var rest_join(build *, const rest *, var x, int at);
var rest_part(build *, const rest *, var x, int at);
/* a dim of chunks for all members, to the front; what is left of it stays where it is (tiled), or
 * nothing is */
var rest_chunks(build *, const rest *, var x, int dim, bool tiled);
/* x for each element of the batch */
var rest_instances(build *, const rest *, var x, bool mapped);
/* the sum over the batch: n times x where it is not mapped */
var rest_sum(build *, const rest *, var x, bool mapped);
/* x for element j of the batch */
var rest_take(build *, var x, int64_t j, bool mapped);

/* dims at, at + 1 made one */
var batch_merge(build *, var x, int64_t at);
var batch_times(build *, var x, int64_t n);                            /* n times the same value */
/* elements of a batch by number, -1 for zeros: of x [3, ...], {2, -1} gives [2, ...] */
var batch_take(build *, var x, const int64_t *index, int n);
/* the list without entry k. It is one of batch_params, so it may be changed */
ints batch_without(const ints *axes, int k);
/* where the axis of the batch stands among these, or -1 */
int batch_place(const ints *axes, const batching *);
/* the parameters, of the arena, with the axes of the new table, where the batch's is -1. NULL: the
 * build failed */
void *batch_params(build *, const eqn *, const batching *);
/* those of the axes, of the new table, over which .spmd_axis splits the batch */
axis_set batch_split_axes(const ints *axes, const batching *);
/* Fails the build and gives true if one of the axes, of the new table, splits the batch: what acts
 * over it would mix the elements of what is mapped. */
bool batch_refuse_split(build *, const eqn *, const ints *axes, const batching *);

/* How a collective works whose axis is the dim of a batch.
 *
 * rule: the equations where the batch is dim 0 of x (if it is mapped, else all elements share x)
 * and `rest` is left; params has the axes of the new table. It says whether its result is mapped.
 * shift: moves the dims in the parameters past the batch's, where the equation does not name the
 * axis; NULL: there are none. of_nothing: the result over no members is defined, as that of a sum
 * is; otherwise a batch of no elements is one element of zeros, which goes again. */
typedef struct named_axis {
	var (*rule)(build *, const void *params, const rest *, var x, bool *mapped);
	void (*shift)(void *params);
	bool of_nothing;
} named_axis;
void batch_collective(build *, const eqn *, const batching *, const var *x, const bool *mapped,
                      var *y, bool *ymapped, const named_axis *);
/* the column `batch` of a row, by its rule prim_named; then further members of the record */
#define BATCH_NAMED(prim_, ...) \
	static void prim_##_batch(build *b, const eqn *e, const batching *to, const var *x, \
	                          const bool *mapped, var *y, bool *ymapped) \
	{ \
		batch_collective(b, e, to, x, mapped, y, ymapped, \
		                 &(named_axis){.rule = prim_##_named, __VA_ARGS__}); \
	}

#define COLLECTIVE_FIELDS(record) \
	{"axes", offsetof(record, on.axes), FIELD_AXES, NULL}, \
	{"groups", offsetof(record, on.groups), FIELD_GROUPS, NULL}

/* why collectives have no `lower` */
#define EXCHANGED "what devices exchange is a step in the schedule of an engine"

#endif
