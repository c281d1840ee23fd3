/* emit.h - from a nest to LLVM's intermediate form.
 *
 * Vectors are explicit: in a context with lanes, a value is one scalar for all lanes or a vector of
 * as many elements, and its LLVM type says which. So the same functions emit scalar code (no
 * lanes), vectors along a loop, and vectors along a reduction. bool is i1; f16 and bf16 are their
 * 16 bits; a complex number is two values. No fast-math flag is ever set. */
#ifndef TSR_SRC_NATIVE_EMIT_H
#define TSR_SRC_NATIVE_EMIT_H
#include "engine/cpu/native/llvm.h"
#include "engine/cpu/native/nest.h"

typedef struct value {
	LLVMValueRef v, im; /* im: of complex numbers */
} value;

typedef struct emitter {
	const kernel *k;
	const nest *nest;
	int max_bytes; /* of a vector register */
	LLVMContextRef c;
	LLVMModuleRef m;
	LLVMBuilderRef b;
	LLVMValueRef fn, first, end;
	LLVMBasicBlockRef entry;      /* holds what the function keeps in memory */
	LLVMValueRef *input, *result; /* addresses */
	LLVMValueRef *given;          /* of each node that is a load: its value, if that is known */
	LLVMValueRef *row;            /* of the nest, from 1 on, in the frame */
	value *value;                 /* of each node */
	bool *known;                  /* of each node: its value is that of the piece of the loop */
	/* the context, from here on */
	int lanes;  /* 0: none */
	kvar along; /* the index of which lane i has `start` + i, if there is one */
	LLVMValueRef start;
	int rows;    /* lanes run so often along `along`, at steps of `across` from */
	kvar across; /* row_start on; 0: once */
	LLVMValueRef row_start;
	LLVMValueRef mask; /* of lanes that count; NULL: all */
	bool some;         /* at least one lane counts */
} emitter;

/* ---- emit.c */
/* the function `name` of the module, with the signature of native_run. false: no memory */
bool emit_kernel(LLVMModuleRef, const nest *, const char *name, int max_bytes, pool *);
void emit_region(emitter *, int32_t region);
void emit_level(emitter *, int level);
/* the content of loop `at`, at index i, in the lanes of mask */
void emit_vectors(emitter *, int at, LLVMValueRef i, LLVMValueRef mask);
LLVMValueRef smaller_index(emitter *, LLVMValueRef, LLVMValueRef);
LLVMValueRef larger_index(emitter *, LLVMValueRef, LLVMValueRef);
value emit_constant(emitter *, tsr_dtype, uint64_t bits);

/* ---- routine.c: likewise */
bool emit_routine(LLVMModuleRef, const native_routine *, const char *name, int max_bytes, pool *);

/* ---- emit_values.c */
LLVMTypeRef type_one(const emitter *, tsr_dtype); /* of a number, complex ones by part */
LLVMTypeRef type_many(LLVMTypeRef, int lanes);    /* lanes 0: one */
LLVMValueRef constant_int(const emitter *, LLVMTypeRef like, uint64_t); /* a splat for vectors */
LLVMValueRef constant_float(LLVMTypeRef like, double);
LLVMValueRef i64_of(const emitter *, int64_t);
LLVMValueRef splat(emitter *, LLVMValueRef, int lanes); /* vectors stay as they are */
value splat_value(emitter *, value, int lanes);
LLVMValueRef counting(emitter *, LLVMTypeRef, int lanes, int64_t step); /* 0, step, 2 step .. */
LLVMValueRef intrinsic(emitter *, const char *name, LLVMValueRef *args, int nargs);
/* lanes first, first + step ..; n of them */
LLVMValueRef lanes_from(emitter *, LLVMValueRef, int first, int step, int n);
LLVMValueRef two_halves(emitter *, LLVMValueRef, LLVMValueRef); /* as one */
LLVMValueRef choose(emitter *, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b);
value choose_value(emitter *, LLVMValueRef condition, value a, value b);
LLVMValueRef any_lane(emitter *, LLVMValueRef mask);
LLVMValueRef mask_first(const emitter *, int n, int lanes);     /* constant: the first n */
LLVMValueRef both_masks(emitter *, LLVMValueRef, LLVMValueRef); /* NULL: all */

/* ---- emit_flow.c: loops and branches; what they carry has a value after them */
#define MOST_CARRIED 40
typedef struct loop {
	LLVMBasicBlockRef before, body, after;
	LLVMValueRef index, step, end;
	bool surely; /* has a step */
	int n;
	LLVMValueRef initial[MOST_CARRIED], carried[MOST_CARRIED];
} loop;
/* for (index = start; index < end; index += step), carrying n values */
void loop_begin(emitter *, loop *, LLVMValueRef start, LLVMValueRef end, int64_t step,
                const LLVMValueRef *initial, int n);
/* next: of each that is carried; out: what it is after the loop */
void loop_end(emitter *, loop *, const LLVMValueRef *next, LLVMValueRef *out);
typedef struct branch {
	LLVMBasicBlockRef yes, no, after;
} branch;
void branch_begin(emitter *, branch *, LLVMValueRef condition); /* then comes the branch yes */
void branch_else(emitter *, branch *);
value branch_end(emitter *, branch *, value yes, value no);
LLVMBasicBlockRef block_new(emitter *);
LLVMBasicBlockRef block_here(emitter *);
void block_start(emitter *, LLVMBasicBlockRef);
LLVMValueRef kept_array(emitter *, LLVMTypeRef, int64_t n); /* in the frame of the function */

/* ---- emit_memory.c */
/* where the lanes of an access go */
typedef struct place {
	LLVMValueRef first;   /* i64: the element of lane 0, or what all lanes add */
	int64_t step, across; /* from one lane to the next, and from one row of lanes to the next */
	LLVMValueRef offsets; /* what a lane adds besides; NULL: nothing */
} place;
value emit_read(emitter *, tsr_dtype, LLVMValueRef array, const place *);
void emit_write(emitter *, tsr_dtype, value, LLVMValueRef array, const place *);
value emit_load(emitter *, kvar);
void emit_store(emitter *, int32_t result);

/* ---- emit_ops.c, emit_convert.c, emit_call.c: of operands that are all one or all vectors */
value emit_op(emitter *, const knode *, tsr_dtype from, const value *x);
LLVMValueRef emit_binary(emitter *, kop, tsr_dtype, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef emit_convert(emitter *, tsr_dtype to, tsr_dtype from, LLVMValueRef);
LLVMValueRef emit_call(emitter *, kfn, tsr_dtype, LLVMValueRef *x);

/* ---- emit_tile.c: loop `at` and the one inside it, along which vectors run */
void emit_squares(emitter *, int at, LLVMValueRef start, LLVMValueRef end);

/* ---- emit_rows.c: the same in a context of several rows; loop `at` and the one inside it */
value emit_rows_read(emitter *, tsr_dtype, LLVMValueRef array, const place *);
void emit_rows_write(emitter *, tsr_dtype, value, LLVMValueRef array, const place *);
void emit_rows(emitter *, int at, LLVMValueRef start, LLVMValueRef end);

/* ---- emit_if.c */
value emit_if(emitter *, const knode *);
int region_size(const nest *, int32_t region); /* nodes in it, at any depth */
void context_restore(emitter *, const emitter *was);

/* ---- emit_reduce.c */
value emit_reduce(emitter *, kvar);
typedef struct reducing {
	emitter *e;
	kreduction kind;
	tsr_dtype dtype, from; /* of the result; of the elements */
	int32_t region;
	const walks *walks;
	int64_t count;
	int lanes; /* elements at a time; 0: one, in the context that there is */
	int size;  /* nodes of the region */
} reducing;
/* what the region gives at element i, or from element i on in the lanes of mask; in vectors where
 * there are lanes */
void element_at(const reducing *, LLVMValueRef i, LLVMValueRef mask, value out[2]);
value joined(const reducing *, value a, value b); /* two partial results; not of arguments */
int width_of(const reducing *);                   /* lanes of an element, 0: none */
value neutral_of(const reducing *);

/* ---- emit_sum.c: sums, products and dot products in the order of docs/numerics.md */
value emit_ordered(const reducing *);
/* ---- emit_arg.c */
value emit_argument(const reducing *);

/* ---- symbols.c: functions that code calls */
#define MOST_SYMBOL 48
/* the elementary function for n numbers at once, in text */
void symbol_of_call(char *text, kfn, tsr_dtype, int n);
#define MOST_SYMBOLS 96
int symbols_count(void);
const char *symbol_name(int i);
void *symbol_address(int i);

#endif
