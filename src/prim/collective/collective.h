/* collective.h - declares the checks of axes, groups and varying sets that the rows of the
 * collectives share, and the pieces of their rules.
 *
 * A collective acts over some axes of the table, flattened in the order given, the first one most
 * significant: over (x,y) with x:2 and y:3, the device at x=1, y=0 has index 3. `groups` divides
 * the range of that index into groups, and each group exchanges by itself; a member is named by its
 * position in its group. Rows themselves decide what varies: every operand must already vary over
 * all named mesh axes, and whoever binds a collective casts its operands first. The axis of a map
 * is in no varying set: what depends on it is found by data flow when the map's program is batched.
 *
 * Each collective is whole in the file of its family (psum.c, all_gather.c and so on): its row,
 * types, factors, eval, and the rules that make equations, which are transpose, batch and members.
 * The words of this header: a `group` exchanges, its `members` are devices; the `rest` is what is
 * left of a collective when one of its axes is the dim of a batch. */
#ifndef TSR_SRC_PRIM_COLLECTIVE_H
#define TSR_SRC_PRIM_COLLECTIVE_H
#include "prim/checks.h"
#include "prim/row.h"

typedef struct members {
	axis_set set;              /* the named mesh axes: only these are in varying sets */
	int64_t size;              /* product of the sizes of all named axes */
	int64_t n;                 /* members of a group; 0: the groups differ in size */
} members;

/* ---- collective/collective.c: checks of the type rules; false: an error is recorded */
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

/* ---- collective/collective.c: for messages, in the arena of the build */
const char *collective_axes_text(build *, const ints *axes);           /* "(x,y)" */
const char *collective_type_text(build *, const type *);               /* "f32[2,8]{x,y}" */

/* ---- collective/collective.c: types and bytes */
/* the operand with other dims; NULL: an error is recorded */
const type *collective_redim(build *, const type *operand, const int64_t *dims, int ndim);
/* the type of a result that all members of a group share: with COLL_TO_INVARYING it no longer
 * varies over the axes, which is an error if there are groups; NULL: an error is recorded */
const type *collective_result(build *, const eqn *, const type *, int to, const members *);
int64_t collective_span(const type *, int64_t from, int64_t to); /* product of dims [from, to) */
size_t collective_bytes(const type *);
void collective_copy(void *out, const void *in, size_t bytes);         /* 0 bytes: may be NULL */

/* ---- collective/collective.c: parts of factor rules. The blocks of all members are treated alike,
 * so a dim that the exchange does not touch passes through; a dim in which members have places of
 * their own must be whole. */
int collective_whole(factors *, int64_t size);                         /* a new factor, whole */

/* ---- collective/collective.c: the column `received`. A sum is a scatter and a gather: each device
 * gets its part of what every other one has, adds these up, and gets the sums of the other parts */
double received_reduced(const eqn *, const type *const *in, const type *const *out, double n);
double received_blocks(const eqn *, const type *const *in, const type *const *out, double n);
double received_scattered(const eqn *, const type *const *in, const type *const *out, double n);
/* of each operand, all but the device's own part */
double received_parts(const eqn *, const type *const *in, const type *const *out, double n);
double received_result(const eqn *, const type *const *in, const type *const *out, double n);

/* ---- collective/collective.c: pieces of transposes. A value that does not vary over a mesh axis
 * counts as one value: where a pcast makes copies of it, the cotangents of the copies are summed,
 * and where a psum gives such a value, its cotangent is copied by a pcast. Over the axis of a map,
 * and with to=varying, each member has a cotangent of its own, and psum is its own transpose. */
/* those of the axes that are of one kind */
ints collective_axes_of(build *, const ints *axes, axis_kind);
/* a psum over these axes; over no axes it is the operand. to: COLL_TO_... */
var collective_sum(build *, var, ints axes, int to);
/* For a result that does not vary over the named mesh axes, made of operands that do: its cotangent
 * as each member sees it. It is summed over the axes of maps, and cast to vary over those of
 * meshes. */
var collective_from_invarying(build *, var ct, const ints *axes);
var collective_index(build *, const collective *);                     /* an axis_index */

/* ---- collective/collective.c: pieces of the column `members`. Members often share a block:
 * x[k] and x[k - 1] are then one variable, and what is computed from the same blocks is computed
 * once. */
/* the part [start, stop) of one dim; the operand itself if that is all of it */
var members_part(build *, var, int64_t dim, int64_t start, int64_t stop);
/* made[i - 1] if x[i] is the same variable as x[i - 1], otherwise no value */
var members_again(const var *x, int i, const var *made);
void members_give_all(var *y, int n, var all);

/* ---- collective/batch.c: collectives that name the axis of a batch */

/* What is left of a collective when one of its axes becomes a dim: a member of the flattened index
 * is (a, j, c), where j is the element of the batch and (a, c) the member of the rest. */
typedef struct rest {
	collective on;             /* the axes that are left, maybe none; without groups */
	int before;                /* how many of them come before the batch's */
	int64_t major, n, minor;   /* sizes: of these axes, of the batch, of the axes after it */
} rest;
int64_t rest_element(const rest *, int64_t member);                    /* j */
int64_t rest_member(const rest *, int64_t member);                     /* the number of (a, c) */
/* a collective over the axes that are left; if none is left, the operand */
var rest_emit(build *, const rest *, const tsr_prim *, const void *params, var x);
/* Merges the dims [n, s] from `at` on, with s members in the rest, to one dim of all members in
 * order. If no axis is left there is no s, and nothing to do. rest_part: the inverse. */
var rest_join(build *, const rest *, var x, int at);
var rest_part(build *, const rest *, var x, int at);
/* From a dim with a chunk for each member, moves the number of the member to the front. The dim of
 * the chunk stays where it is (tiled), or there is none. */
var rest_chunks(build *, const rest *, var x, int dim, bool tiled);
/* x with a batch dim: repeated if it is not mapped */
var rest_instances(build *, const rest *, var x, bool mapped);
/* the sum over the batch: n times x where it is not mapped */
var rest_sum(build *, const rest *, var x, bool mapped);
/* x for element j of the batch */
var rest_take(build *, var x, int64_t j, bool mapped);

var batch_times(build *, var x, int64_t n);                            /* n times the same value */
/* elements of a batch by number, -1 for zeros: of x [3, ...], {2, -1} gives [2, ...]: x[2] and 0 */
var batch_take(build *, var x, const int64_t *index, int n);
/* the list without entry k, changed in place: it belongs to what batch_params made */
ints batch_without(const ints *axes, int k);
/* where the axis of the batch is among these, or -1 */
int batch_place(const ints *axes, const batching *);
/* the parameters, copied to the arena, with the axes of the new table; the batch's axis is -1.
 * NULL: the build failed */
void *batch_params(build *, const eqn *, const batching *);
/* those of the axes (of the new table) over which .spmd_axis splits the batch */
axis_set batch_split_axes(const ints *axes, const batching *);
/* Fails the build and gives true if one of the axes (of the new table) splits the batch: a
 * collective over it would mix different elements of the batch. */
bool batch_refuse_split(build *, const eqn *, const ints *axes, const batching *);

/* How a collective that names the axis of a batch is batched.
 *
 * rule: emits the equations, where the batch is dim 0 of x (if *mapped; else all elements share x)
 * and `rest` is left; params has the axes of the new table. It sets *mapped for its result. shift:
 * for an equation that does not name the axis, moves the dims in the parameters past the batch's;
 * NULL: there are none. of_nothing: the result over no members is defined, as for a sum; otherwise
 * a batch without elements is handled as one element of zeros, which is dropped again. */
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

/* A row: its name and its sentence, the number of operands, the table of parameters and further
 * columns. Its rules are called name_types, name_eval, name_batch and name_members */
#define COLLECTIVE_ROW(prim_, doc_, nin_, fields_, ...) \
	const tsr_prim tsr__prim_##prim_ = { \
		.name = #prim_, .doc = doc_, .flags = PRIM_COLLECTIVE | PRIM_OWN_VARYING, \
		.cost = 1, .nin = nin_, .nout = 1, .params = fields_, .types = prim_##_types, \
		.eval = prim_##_eval, .batch = prim_##_batch, .members = prim_##_members, \
		TSR_NO_RULE(COL_LOWER, EXCHANGED), __VA_ARGS__ \
	};
/* the columns jvp and transpose of a linear one */
#define LINEAR_COLLECTIVE(prim_) .jvp = jvp_linear, .transpose = prim_##_transpose
#define EXCHANGED "what devices exchange is a step in the schedule of an engine"

#endif
