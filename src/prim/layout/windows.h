/* windows.h - describes the windows of gather and scatter: one of the operand for each index
 * vector.
 *
 * The last dim of the indices holds index vectors; the others count them. An index vector says
 * where a window of the operand starts. A gather copies the windows into its result, a scatter
 * combines them with its updates: both of these, here `parts`, have dims that count windows, in the
 * order of the indices' dims, and dims that go through a window, in the order of the operand's.
 * Rows 4, 0 and 1 of an f32[5,2]:
 *
 *     %2: f32[3,2] = gather %0 %1 offset_dims=[1] collapsed_slice_dims=[0] start_index_map=[0] ...
 *           slice_sizes=[1,2] ...
 *
 * with indices i32[3,1] that hold 4, 0, 1: each vector has one entry, the start along dim 0;
 * windows have 1 x 2 elements; dim 0 of the operand is dropped, so dim 1 of the result goes through
 * the window's dim 1, and dim 0 counts windows. Batching dims of the operand and of the indices go
 * in step: a vector that is in element i of the batch starts in element i of the operand. */
#ifndef TSR_SRC_PRIM_WINDOWS_H
#define TSR_SRC_PRIM_WINDOWS_H
#include "prim/checks.h"
#include "kernel/kernel.h"
#include "prim/cursors.h"

/* the dim of the parts that goes through windows along this dim of the operand; -1: none does, it
 * is dropped or a batching dim */
int part_dim(const window_dims *, int64_t dim);
/* the dim of the parts that counts windows with this dim of the indices */
int counting_dim(const window_dims *, int64_t index_dim);

/* ---- types. The rows' tables of parameters begin with WINDOW_FIELDS: gather and scatter have
 * other names for them, JAX's, which messages take from there */
#define WINDOW_FIELDS(record, through_, dropped_, starts_, index_batch_) \
	{through_, offsetof(record, dims.through), FIELD_INTS, NULL}, \
	{dropped_, offsetof(record, dims.dropped), FIELD_INTS, NULL}, \
	{starts_, offsetof(record, dims.starts), FIELD_INTS, NULL}, \
	{"operand_batching_dims", offsetof(record, dims.batch), FIELD_INTS, NULL}, \
	{index_batch_, offsetof(record, dims.index_batch), FIELD_INTS, NULL}
/* does each fit the others, the operand in[0] and the indices in[1]? false: recorded */
bool check_window_dims(build *, const eqn *, const type *const *in, const window_dims *);

/* how many windows index vectors of this type have; the column `times` */
int64_t windows_count(const type *indices);
double windows_of(const program *, const eqn *);

/* ---- factors. parts: value 2, the result of a gather, the updates of a scatter. counted makes the
 * factor of a dim that counts windows */
typedef int counted_factor(const eqn *, const type *const *in, factors *, int64_t size);
void factors_of_windows(const eqn *, const type *const *in, const type *parts, const window_dims *,
                        counted_factor *counted, factors *);

/* ---- one more dim in front, of a batch */
/* of the operand and the parts, through which each window goes; the indices are not mapped */
window_dims window_dims_through(build *, const window_dims *);
/* of indices and parts; and of the operand, if it is mapped: then they go in step */
window_dims window_dims_counted(build *, const window_dims *, bool operand);
/* Scalars, and vectors of `size` where they are mapped, as index vectors: an array of [size, n] */
var emit_starts(build *, const var *start, const bool *mapped, int n, int64_t size);

/* a start as a value of this dtype: one that i64 does not hold is beyond every dim */
var emit_start(build *, var start, tsr_dtype);

/* ---- on blocks: index vectors count in blocks of the operand */
typedef struct block_starts {
	window_dims dims; /* with an entry for each dim that blocks cut */
	int n;            /* entries */
	var *column;      /* by entry: the starts along a dim, i64, in the whole */
	const localizing *to;
} block_starts;
/* false: the build has failed */
bool block_starts_make(build *, const localizing *, const window_dims *, var indices,
                       block_starts *);
/* Is the dim of an entry cut, so that windows may be in other blocks? */
bool block_starts_cut(const block_starts *, int entry);
/* true where the starts of an entry are from 0 to most */
var block_starts_within(build *, const block_starts *, int entry, int64_t most);
void block_starts_clamp(build *, block_starts *, int entry, int64_t most);
/* minus the beginning of the operand's block, plus this scalar, which may be absent, plus n */
void block_starts_move(build *, block_starts *, int entry, var by, int64_t n);
/* the index vectors: those given where there are no entries */
var block_starts_end(build *, const block_starts *, var indices);

/* ---- in kernels: of the window that element index[] of the parts is in */
/* is it in the operand? */
kvar windows_inside(kernel *, const eqn *, const window_dims *, const type *parts,
                    const kvar *index);
/* at[]: the element of the operand that this one goes to, or comes from; move: once the window is
 * moved so that it is inside */
void windows_place(kernel *, const eqn *, const window_dims *, const type *parts, bool move,
                   const kvar *index, kvar *at);

/* ---- walking over the windows, in row-major order of the index vectors:
 *
 *     windows_begin(&w, ...);
 *     for (; w.left; windows_next(&w))
 *             ... w.inside, w.at, w.part.at ... */
typedef struct windows {
	int64_t left;   /* windows, this one included */
	bool inside;    /* is all of it in the operand? */
	int64_t at;     /* its place there, in elements, if so */
	cursor part;    /* its place in the parts */
	box window;     /* its dims; to: the strides in the parts, from: those in the operand */
	/* for windows_next */
	cursor element; /* where its element of the batch is in the operand */
	bool clip;      /* it is moved so that it is inside */
	tsr_dtype dtype;
	const char *index; /* its index vector */
	int entries;
	int64_t most[MAX_NDIM]; /* by entry: the last start from which it is inside */
	int64_t stride[MAX_NDIM];
} windows;
/* those from number `first` to `end` - 1, of operands that are not empty */
void windows_begin(windows *, const eval_args *, const window_dims *, const type *parts, bool clip,
                   int64_t first, int64_t end);
void windows_next(windows *);

#endif
