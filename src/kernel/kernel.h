/* kernel.h - loops that equations are lowered to, for every engine that compiles.
 *
 * A kernel computes the results of a program of local equations element by element: a nest of loops
 * over the dims of the results, and in it a structured, single-assignment program over scalars. It
 * knows no memory but its inputs and results, no vectors and no processor. docs/kernel-text.md has
 * its meaning and its textual form.
 *
 * Lowering pulls: the rule of a row is asked for one element of its result, and itself asks for
 * elements of its operands, at indices that it computes (k_operand). An operand that another
 * equation of the program makes is lowered in place; an input becomes a load. So fusion is the
 * composition of rules, and rows that only move elements become index arithmetic.
 *
 * Words: a `node` is one operation of the kernel, a kvar its value (`nodes` in prim/ are functions
 * that make them). A `region` is a list of nodes: the body, a loop, a branch, a reduction. An
 * `index` is an i64 value that says which element; names that begin with k_ix do arithmetic on
 * those. */
#ifndef TSR_SRC_KERNEL_H
#define TSR_SRC_KERNEL_H
#include "program/program.h"

/* ---- what a kernel is made of */
typedef enum kop {
	K_NONE,
	K_CONST, /* bits: the element's memory; `literal` may be set */
	K_INDEX, /* i64, dim `bits` of the loops of its region */
	K_LOAD,  /* of input `bits`, at one i64 a dim */
	K_HELD,  /* likewise of the result, as it is by now */
	K_NEG,
	K_NOT,
	K_ABS,
	K_FLOOR,
	K_CEIL,
	K_ROUND,
	K_SQRT,
	K_CONVERT, /* as convert_element_type, between real dtypes */
	K_BITCAST, /* the same bits as another dtype of the same size */
	K_RE,
	K_IM,
	K_ADD,
	K_SUB,
	K_MUL,
	K_DIV,
	K_REM,
	K_MIN,
	K_MAX,
	K_AND,
	K_OR,
	K_XOR,
	K_SHL,
	K_SHR,
	K_SAR,
	K_COPYSIGN,
	K_COMPLEX, /* of two parts */
	K_EQ,
	K_NE,
	K_LT,
	K_LE,
	K_GT,
	K_GE,
	K_FMA,
	K_SELECT, /* a bool, the value if it is true, the value if not */
	K_CALL,   /* bits: a kfn; an elementary function */
	K_IF,     /* args[0], a bool, says which of two regions is computed */
	K_REDUCE, /* bits: a kreduction, of what a region gives for all of its indices */
	KOPS
} kop;

/* elementary functions that docs/numerics.md leaves to SLEEF */
typedef enum kfn {
#define FUNCTION(NAME, ...) KFN_##NAME,
#define FUNCTION_F64(NAME, ...) KFN_##NAME,
#include "kernel/functions.def"
	KFNS
} kfn;

/* A reduction goes over its indices, flattened row-major, in the order of docs/numerics.md. Sums,
 * products, extremes and bits take one value an element, and give their neutral value for no
 * elements. DOT takes two values and sums their products by fma. ARGMAX and ARGMIN give the
 * flattened index, i64, and need at least one element. */
typedef enum kreduction {
	KR_SUM,
	KR_PROD,
	KR_MAX,
	KR_MIN,
	KR_AND,
	KR_OR,
	KR_XOR,
	KR_DOT,
	KR_ARGMAX,
	KR_ARGMIN,
	KREDUCTIONS
} kreduction;

typedef struct knode {
	kop op;
	tsr_dtype dtype;
	int32_t region; /* where it is computed */
	int32_t number; /* in the order of the text, from 1; 0: nothing needs it. Indices count
	                   apart: first those of the loops, then those of reductions */
	int32_t literal; /* K_CONST: 1 + its place among the kernel's literals; 0: it is none */
	int32_t nargs;
	const kvar *args; /* K_IF, K_REDUCE: after a condition, what the regions use from outside */
	uint64_t bits;
	int32_t inner[2];  /* K_IF: if true, if not; K_REDUCE: the first */
	int64_t low, high; /* i64: the bounds of the value */
} knode;

typedef enum kregion_kind {
	KREGION_BODY,
	KREGION_LOOP,
	KREGION_REDUCE,
	KREGION_BRANCH
} kregion_kind;
typedef struct kregion {
	kregion_kind kind;
	int32_t parent; /* -1: none */
	int32_t ndim;   /* of its own loops: LOOP 1, REDUCE any, others 0 */
	const int64_t *extents;
	const kvar *index; /* of size 1: the constant 0 */
	int32_t nnodes;
	const kvar *nodes; /* in the order in which they are computed; no constants, no indices */
	int32_t nyields;   /* REDUCE and BRANCH */
	kvar yield[2];
} kregion;

typedef struct kresult {
	const type *type;
	kvar value;
	int32_t loops;  /* in so many loops it is stored */
	const kvar *at; /* where, one i64 a dim. NULL: at the indices of these loops */
	kvar guard;     /* if this is true, or there is none; value and at are in a branch then, */
	int32_t branch; /* this region */
} kresult;

/* Region 0 is the body; region d + 1 is the loop over dim d, inside region d. If a loop has no
 * steps, only nodes outside it are computed. */
typedef struct kernel {
	base *base;
	arena *arena;
	const program *program; /* what it was made from; a reference */
	struct kwork *work;     /* while it is built */
	int32_t nnodes, nregions, nresults, ndim;
	/* A kernel that puts elements into its one result, which holds input `held` when it begins;
	 * -1: all others. The steps of the loops over dims ordered .. ordered_end - 1 are taken in
	 * order; places of the other loops' steps differ */
	int32_t held, ordered, ordered_end;
	knode *nodes; /* nodes[0] is no value */
	kregion *regions;
	kresult *results;
	/* Numbers of the program that are no part of the structure: kernels that differ in them
	 * alone are equal. The memory of each, in 8 bytes */
	int32_t nliterals;
	const uint64_t *literals;
	size_t ncode; /* structure in canonical words: equal kernels have equal code */
	const uint64_t *code;
	uint64_t hash;
} kernel;

/* ---- lower.c */
/* The kernel that computes all results of a program, whose equations must all have the column
 * `lower`. The dims of each result must be the first dims of the result that has the most; or the
 * one result is made by a row that puts elements into an input. NULL: no memory (recorded), or,
 * with *fits false, the kernel would be too large */
kernel *kernel_lower(const program *, bool *fits);
void kernel_free(kernel *); /* NULL is fine */
size_t kernel_bytes(const kernel *); /* of memory, without its program; NULL: 0 */

/* element index[] of an operand, one index a dim; the index along a dim of size 1 is ignored.
 * Indices must be in range wherever the value is used: an access that may be outside is in a branch
 * (k_if) */
kvar k_operand(kernel *, const eqn *, int operand, const kvar *index);
const type *k_type(const kernel *, const eqn *, int operand);
const type *k_result_type(const kernel *, const eqn *);

/* ---- build.c: nodes and regions. A node is made once, in the outermost loop in which its operands
 * are; nothing leaves a branch. */
/* For rules (tsr_prim.lower), as the functions above. One that fails marks the kernel and returns a
 * meaningless value; rules need not check and go on. */
void k_refuse(kernel *); /* the equation needs another maker: no kernel fits */
/* a list in the kernel's arena; not NULL for any n up to twice the most dims of a value of the
 * program */
kvar *k_room(kernel *, int n);
int64_t *k_extents(kernel *, int n);
tsr_dtype k_dtype(const kernel *, kvar);
kvar k_node(kernel *, kop, tsr_dtype, const kvar *args, int nargs, uint64_t bits);
kvar k_load(kernel *, int input, const kvar *index, int ndim);
/* For rules (tsr_prim.put): what comes after is in a branch, and the element is left alone where
 * the condition is false; element at[] of the result */
void k_guard(kernel *, kvar condition);
kvar k_held(kernel *, const kvar *at);
/* A reduction: begin opens its region and gives the indices; end closes it, with the value of one
 * element (KR_DOT: two values) */
void k_reduce_begin(kernel *, const int64_t *extents, int ndim, kvar *index);
kvar k_reduce_end(kernel *, kreduction, kvar a, kvar b);
/* A branch: if (k_if(k, c)) a = ...; if (k_else(k)) b = ...; v = k_end(k, a, b). If the condition
 * is known, one of k_if and k_else gives false, and its value is not computed */
bool k_if(kernel *, kvar condition);
bool k_else(kernel *);
kvar k_end(kernel *, kvar if_true, kvar if_false);

/* ---- ops.c: operations on any number; those on complex numbers become operations on their parts.
 * Operands have one dtype, which is also the result's, except for comparisons. f16 and bf16 can
 * only be loaded, converted, selected and stored: k_wide and k_narrow are put around
 * computations */
kvar k_unary(kernel *, kop, kvar);
kvar k_binary(kernel *, kop, kvar, kvar); /* comparisons too */
kvar k_fma(kernel *, kvar a, kvar b, kvar c);
kvar k_select(kernel *, kvar condition, kvar if_true, kvar if_false);
kvar k_convert(kernel *, kvar, tsr_dtype);
kvar k_bitcast(kernel *, kvar, tsr_dtype);
kvar k_call(kernel *, kfn, const kvar *args, int nargs);
kvar k_complex(kernel *, kvar re, kvar im);
kvar k_wide(kernel *, kvar);              /* f16 and bf16 as f32 */
kvar k_narrow(kernel *, kvar, tsr_dtype); /* f32 rounded to f16 or bf16, others as they are */
kvar k_const(kernel *, tsr_dtype, const void *value);
kvar k_number(kernel *, tsr_dtype, double); /* a number that the dtype holds exactly */

/* ---- index.c: sums of multiples of indices, kept in one form and as short as possible. Values are
 * i64 and must not overflow; a dividend must not be negative wherever the quotient is used */
kvar k_ix(kernel *, int64_t);
kvar k_ix_add(kernel *, kvar, kvar);
kvar k_ix_plus(kernel *, kvar, int64_t);
kvar k_ix_times(kernel *, kvar, int64_t);
kvar k_ix_div(kernel *, kvar, int64_t by);
kvar k_ix_rem(kernel *, kvar, int64_t by);
kvar k_ix_clamp(kernel *, kvar, int64_t high); /* to 0 .. high */
/* the place of an element among all, row-major, and the indices of an element at a place */
kvar k_ix_flat(kernel *, const kvar *index, const int64_t *dims, int ndim);
void k_ix_unflat(kernel *, kvar place, const int64_t *dims, int ndim, kvar *index);

/* ---- end.c */
bool kernel_end(kernel *); /* drops what nothing needs, numbers, hashes; lower.c calls it */
bool kernel_same(const kernel *, const kernel *);

/* ---- functions.c: elementary functions of SLEEF, the same bits everywhere */
float kfn_f32(kfn, const float *x);
double kfn_f64(kfn, const double *x);

/* ---- scalar.c: operations on one number that docs/numerics.md defines */
int64_t div_i64(int64_t a, int64_t b);    /* x / 0 = -1; the most negative / -1 = itself */
uint64_t div_u64(uint64_t a, uint64_t b); /* x / 0 = all ones */
int64_t rem_i64(int64_t a, int64_t b);    /* x rem 0 = x */
uint64_t rem_u64(uint64_t a, uint64_t b);
/* shifts of numbers of so many bits; an amount of at least the width shifts every bit out. The sign
 * bit fills up from above, also of unsigned numbers */
static inline uint64_t shifted_left(uint64_t a, uint64_t by, int width)
{
	return by < (uint64_t)width ? a << by : 0;
}
static inline uint64_t shifted_right(uint64_t a, uint64_t by, int width)
{
	return by < (uint64_t)width ? (a & UINT64_MAX >> (64 - width)) >> by : 0;
}
static inline uint64_t shifted_right_filled(uint64_t a, uint64_t by, int width)
{
	const uint64_t last = (uint64_t)width - 1, sign = 0 - (a >> last & 1);

	return shifted_right(a ^ sign, by < last ? by : last, width) ^ sign;
}
/* a NaN wins; +0 is larger than -0 */
float max_f32(float, float), min_f32(float, float);
double max_f64(double, double), min_f64(double, double);
typedef union kscalar { /* an element's memory */
	uint8_t bytes[16];
	uint64_t bits;
	float f32, c64[2];
	double f64, c128[2];
} kscalar;
/* the value of one node that is no load, no index and has no regions; from: the dtype of its
 * operands (of a select: of the last one) */
kscalar scalar_of(const knode *, tsr_dtype from, const kscalar *args);
kscalar scalar_neutral(kreduction, tsr_dtype); /* the result of no elements */

#endif
