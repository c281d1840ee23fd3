/* emit.h - from a nest to LLVM's intermediate form.
 *
 * Vectors are explicit: in a context with lanes, a value is either one scalar for all lanes or a
 * vector with an element for each lane; its LLVM type says which. So the same functions emit scalar
 * code (no lanes), vectors along a loop, and vectors along a reduction. bool is i1; f16 and bf16
 * are their 16 bits; a complex number is two values. No fast-math flag is ever set.
 *
 * Words: an emitter (g) is the function that is being made, with its context: the `lanes` of a
 * vector, the index `along` which they run, and the `mask` of the lanes that count. `copies` are
 * the steps of the `jammed` loop that are computed side by side; a `strip` is a run of such steps
 * inside the loop of vectors. A `spare` is an array in the function's frame that can be used again;
 * a `row` is a list of partial results in such an array. nest.h explains items, walks, levels and
 * pieces. */
#ifndef TSR_SRC_NATIVE_EMIT_H
#define TSR_SRC_NATIVE_EMIT_H
#include "engine/cpu/native/llvm.h"
#include "engine/cpu/native/nest.h"

#define MOST_COPIES 16
#define MOST_SPARES 32

typedef struct value {
	LLVMValueRef v, im; /* im: of complex numbers */
} value;

/* an array in the frame */
typedef struct spare {
	LLVMTypeRef type;
	LLVMValueRef array;
	int64_t n;
	bool taken;
} spare;

/* In which nodes are emitted. Who emits inside another one keeps the context around it, and puts it
 * back:
 *
 *     const context around = g->in;
 *     g->in.mask = both_masks(g, around.mask, mask);
 *     ..
 *     g->in = around; */
typedef struct context {
	int lanes;  /* 0: none */
	kvar along; /* the index that is `start` + i in lane i; 0: there is none */
	LLVMValueRef start;
	LLVMValueRef mask; /* the lanes that count; NULL: all */
	bool some;         /* at least one lane counts */
	LLVMValueRef edge; /* the mask that the loop of vectors set */
} context;

typedef struct emitter {
	const kernel *k;
	const nest *nest;
	int max_bytes; /* of a vector register */
	LLVMContextRef c;
	LLVMModuleRef m;
	LLVMBuilderRef b;
	LLVMValueRef fn, first, end;
	LLVMValueRef column, end_column; /* of a window */
	LLVMBasicBlockRef entry;      /* the block for allocas */
	LLVMValueRef *input, *result; /* addresses */
	LLVMValueRef *given;          /* by node: the value of a load that has already been emitted,
					 or NULL */
	spare spare[MOST_SPARES];     /* for partial results */
	int nspare;
	LLVMValueRef *row;        /* the rows of the nest, from 1 on: arrays in the frame */
	value *value;             /* of each node */
	value *copy[MOST_COPIES]; /* the values of each copy; copy 0 is `value` */
	value *cell[MOST_COPIES]; /* memory for the values of other copies */
	int copies;               /* that are being emitted; 1: value alone */
	int across;               /* as many neighbouring copies differ in the index of the vectors;
				     the rest differ in the jammed index */
	LLVMValueRef strip;       /* the first step of the strip */
	LLVMValueRef strip_end;   /* and its end. strip NULL: the jammed loop is around the loop of
				     vectors */
	bool *known;              /* by node: a condition that does not change in the piece that is
				     being emitted */
	int64_t cache;            /* bytes of the last one; 0: as if there were none */
	bool streams;             /* result_streams: those results are written past the caches */
	context in;
} emitter;

/* ---- emit/emit.c */
void emit_node(emitter *, kvar);
/* the function `name` of the module, with the signature of native_run, or of a window that of
 * native_run_window. false: no memory */
bool emit_kernel(LLVMModuleRef, const nest *, const char *name, int max_bytes, int64_t cache,
                 pool *);
void emit_region(emitter *, int32_t region);
void emit_level(emitter *, int level);
/* emits loop `at` for the vector that begins at index i, in the lanes of the mask */
void emit_vectors(emitter *, int at, LLVMValueRef i, LLVMValueRef mask);
LLVMValueRef smaller_index(emitter *, LLVMValueRef, LLVMValueRef);
LLVMValueRef larger_index(emitter *, LLVMValueRef, LLVMValueRef);

/* ---- routine.c: likewise */
bool emit_routine(LLVMModuleRef, const native_routine *, const char *name, int max_bytes, pool *);

/* ---- emit/emit_values.c */
LLVMTypeRef type_one(const emitter *, tsr_dtype); /* of a number; of a part if it is complex */
LLVMTypeRef type_many(LLVMTypeRef, int lanes);    /* lanes 0: a scalar */
LLVMValueRef constant_int(const emitter *, LLVMTypeRef like, uint64_t); /* a splat for vectors */
LLVMValueRef constant_float(LLVMTypeRef like, double);
LLVMValueRef i64_of(const emitter *, int64_t);
LLVMValueRef plus(emitter *, LLVMValueRef i, int64_t n); /* of i64 */
LLVMValueRef splat(emitter *, LLVMValueRef, int lanes); /* vectors stay as they are */
value splat_value(emitter *, value, int lanes);
LLVMValueRef counting(emitter *, LLVMTypeRef, int lanes, int64_t step); /* 0, step, 2 step .. */
LLVMValueRef intrinsic(emitter *, const char *name, LLVMValueRef *args, int nargs);
/* n lanes of a, or of both, where those of b are behind those of a: lanes at[i]; lanes first,
 * first + step .. */
LLVMValueRef shuffled(emitter *, LLVMValueRef a, LLVMValueRef b, const int *at, int n);
LLVMValueRef lanes_of_both(emitter *, LLVMValueRef a, LLVMValueRef b, int first, int step, int n);
LLVMValueRef lanes_from(emitter *, LLVMValueRef a, int first, int step, int n);
LLVMValueRef choose(emitter *, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b);
value choose_value(emitter *, LLVMValueRef condition, value a, value b);
LLVMValueRef any_lane(emitter *, LLVMValueRef mask);
LLVMValueRef mask_first(const emitter *, int n, int lanes);     /* constant: the first n */
LLVMValueRef both_masks(emitter *, LLVMValueRef, LLVMValueRef); /* NULL: all */
value emit_constant(emitter *, tsr_dtype, uint64_t bits);

/* ---- emit/emit_flow.c: loops and branches, and the values that they carry */
#define MOST_CARRIED 20
typedef struct loop_code {
	LLVMBasicBlockRef before, body, after;
	LLVMValueRef index, step, end;
	bool surely; /* has a step */
	int n;
	value initial[MOST_CARRIED], carried[MOST_CARRIED];
} loop_code;
/* for (index = start; index < end; index += step), carrying n values: x is from here on what they
 * are in a step, and behind loop_end, which takes their new values, what they are after the loop */
void loop_begin(emitter *, loop_code *, LLVMValueRef start, LLVMValueRef end, int64_t step,
                value *x, int n);
void loop_end(emitter *, loop_code *, value *x);
/* x, where the block is entered from there; likewise from another block */
value phi_of(emitter *, value x, LLVMBasicBlockRef from);
void phi_add(value phi, value x, LLVMBasicBlockRef from);
typedef struct branch {
	LLVMBasicBlockRef yes, no, after;
} branch;
void branch_begin(emitter *, branch *, LLVMValueRef condition); /* then comes the branch yes */
void branch_else(emitter *, branch *);
value branch_end(emitter *, branch *, value yes, value no);
LLVMBasicBlockRef block_new(emitter *);
LLVMBasicBlockRef block_here(emitter *);
void block_begin(emitter *, LLVMBasicBlockRef);
LLVMValueRef kept_array(emitter *, LLVMTypeRef, int64_t n); /* in the frame of the function */

/* ---- emit/emit_memory.c */
value emit_load(emitter *, kvar);
void emit_store(emitter *, int32_t result);

/* ---- emit/emit_stream.c */
void emit_loops(emitter *);                           /* all of them */
bool result_streams(const emitter *, int32_t result); /* where g->streams */
enum { LINE_BYTES = 64 };                             /* of a cache */

/* ---- emit/emit_ops.c, emit/emit_convert.c, emit/emit_call.c: operands are all scalars or all
 * vectors */
value emit_op(emitter *, const knode *, tsr_dtype from, const value *x);
LLVMValueRef emit_binary(emitter *, kop, tsr_dtype, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef converted(emitter *, tsr_dtype to, tsr_dtype from, LLVMValueRef);
LLVMValueRef emit_call(emitter *, kfn, tsr_dtype, LLVMValueRef *x);

/* ---- emit/emit_tile.c: loop `at`, and the one inside it, which is that of the vectors */
void emit_squares(emitter *, int at, LLVMValueRef start, LLVMValueRef end);
int squares_across(const emitter *); /* as many as have rows of a line or more, where g->streams */
/* swaps rows and columns of squares of n x n numbers, which are side by side in `lanes` */
void turn_squares(emitter *, LLVMValueRef *row, int n, int lanes);

/* ---- emit/emit_if.c */
value emit_if(emitter *, const knode *);

/* ---- emit/emit_jam.c: copies side by side */
value *copy_of(const emitter *g, int copy); /* its values */
void set_copies(emitter *, kvar, value);    /* in all of them */
void emit_copies(emitter *, kvar);          /* a node, once for each copy in which it differs */
void emit_jammed(emitter *, LLVMValueRef start, LLVMValueRef end); /* the jammed loop */
void emit_strip(emitter *); /* the steps of a strip, inside the loop of vectors */

/* ---- emit/emit_reduce.c */
void emit_reduce(emitter *, kvar);
typedef struct reducing {
	emitter *g;
	kreduction kind;
	tsr_dtype dtype, from; /* of the result; of the elements */
	int32_t region;
	const walks *walks;
	int64_t count;
	int lanes;    /* how many of its own elements it takes at a time; 0: one, which is a vector
			 if there are lanes around it */
	int size;     /* nodes of the region */
	bool columns; /* as nest.h has it */
} reducing;
/* What the region gives for element i; with lanes, for that many elements from i on, those in the
 * mask. `out` has two places for each copy, since a region gives one value or two */
void element_at(const reducing *, LLVMValueRef i, LLVMValueRef mask, value *out);
/* likewise for elements i, i + apart .., as many as lanes */
void elements_apart(const reducing *, LLVMValueRef i, int lanes, int64_t apart, value *out);
/* the context of the elements i .. i + lanes - 1, in the lanes; its caller puts back the one
 * around */
void begin_lanes(const reducing *, LLVMValueRef i, LLVMValueRef mask);
value joined(const reducing *, value a, value b); /* joins two partial results; not for argmax and
						     argmin */
int width_of(const reducing *);                   /* lanes of an element, 0: none */
value neutral_of(const reducing *);
/* registers that one partial result of so many lanes fills */
int registers_of(const reducing *, int lanes);
/* How many elements a step of a loop takes, where the partial results of it fill so many registers.
 * The additions of one result do not wait for those of another: results that fill enough registers
 * need one element only, and their code is compiled in less time. Of few results, several elements
 * share what the loop itself costs:
 *
 *     4 copies of 4 registers: 16 chains side by side      1 element
 *     4 copies of 1 register                               4 elements */
int unroll_of(const reducing *, int registers, int64_t steps);

/* ---- emit/emit_joint.c: reductions of all copies at once */
void emit_joint(const reducing *, value *out);

/* ---- emit/emit_halves.c: neighbouring partial results are joined in the way a binary counter
 * counts: place l holds the result of 2^l of them, for n results side by side */
typedef struct row { /* values in memory: each a scalar, or a vector of the lanes around */
	LLVMTypeRef type;
	LLVMValueRef v, im;
} row;
row row_of(emitter *, tsr_dtype, int lanes, int64_t n);
row row_new(const reducing *, int lanes, int64_t n); /* of its results */
void row_done(const reducing *, const row *); /* its memory is free for the next row */
value row_get(const reducing *, const row *, LLVMValueRef i);
void row_put(const reducing *, const row *, LLVMValueRef i, value);
row halves_new(const reducing *, int64_t count, int n);
/* takes partial result number `number`; they come in order. While there is a left neighbour of the
 * same size, the two are joined */
void halves_push(const reducing *, const row *, LLVMValueRef number, const value *x, int n);
/* the result of all `count` of them; `half` is given back */
void halves_join(const reducing *, const row *, int64_t count, value *x, int n);
value zero_of(const reducing *, int lanes);

/* ---- emit/emit_dot.c: dot products in the order of docs/numerics.md, of all copies at once */
void emit_dot(const reducing *, value *out);

/* ---- emit/emit_sum.c: sums and products in the order of docs/numerics.md */
value emit_ordered(const reducing *);
/* ---- emit/emit_arg.c */
value emit_argument(const reducing *);

/* ---- symbols.c: functions that code calls */
#define MOST_SYMBOL 48
/* the name of SLEEF's function for n numbers at once */
void symbol_of_call(char *text, kfn, tsr_dtype, int n);
#define MOST_SYMBOLS 144
int symbols_count(void);
const char *symbol_name(int i);
void *symbol_address(int i);

#endif
