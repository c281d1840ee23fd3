/* native.h - the contract of the CPU engine's plug-in: kernels as machine code, library products,
 * and what the machine has.
 *
 * The engine itself (schedule, memory, workers) is part of libtsr; what is heavy (LLVM, BLAS,
 * hwloc) is in the plug-in `cpu`, which is opened at first need (native.c) and never unloaded. The
 * plug-in refers to nothing in libtsr, so it serves the shared and the static library alike: it
 * sees the structs of kernel.h, and gives errors as text. All its functions may be called from
 * several threads at once; code is shared by all contexts of a process. */
#ifndef TSR_SRC_NATIVE_H
#define TSR_SRC_NATIVE_H
#include "kernel/kernel.h"

/* A compiled kernel. x: the addresses of its inputs, then of its results, each contiguous; aligned
 * as their elements are. Computes items first .. end - 1. Results may be where an input is, as
 * long as each element of it is only read to compute the same element of the result. Never
 * allocates, traps, or changes the floating-point state (it runs in the default one). */
typedef void native_run(char *const *x, int64_t first, int64_t end);
typedef struct native_code {
	native_run *run;
	int64_t items; /* of a kernel: parts that may be computed in any order, side by side; their
	                  number depends on the kernel alone. 0: nothing is computed */
	void *held;    /* by the plug-in; release gives it back */
} native_code;

typedef struct native_options {
	bool sanitize; /* kernels report accesses outside of their operands (asan preset) */
	int max_width; /* bytes of a vector at most: 64 (AVX-512), 32 (AVX2), 16 (AVX), with no
	                  more instructions than these; 0: as the processor likes. Changes
	                  no bit */
} native_options;

/* A routine: kernels and copies one after the other, with jumps, as one piece of machine code: a
 * loop of small work. Addresses are those of roots plus an offset; what the routine gets, in the
 * place of the addresses of a kernel, is a list of roots. */
typedef struct native_place {
	int32_t root;
	int64_t offset;
} native_place;
typedef enum native_op {
	NATIVE_KERNEL, /* arg: operands, then results, of kernel[of] */
	NATIVE_COPY,   /* bytes, from arg[0] to arg[1] */
	NATIVE_SWITCH, /* goes on at target[the i32 at arg[0], clamped]; of a bool, if `predicate`
	                */
	NATIVE_GO,     /* goes on at target[0] */
	NATIVE_BEGIN,  /* counter `of` is 0; goes on at target[0] if length is 0 */
	NATIVE_MOVE,   /* root `of` stands for arg[0] plus counter `counter` times stride; from the
	                  last step to the first, if `reverse` */
	NATIVE_NEXT    /* counter `of` counts; goes on at target[0] as long as it is below length */
} native_op;
typedef struct native_step {
	native_op op;
	bool predicate, reverse;
	int32_t of, counter;
	int32_t nargs, ntargets;
	const native_place *arg;
	const int32_t *target; /* steps of the routine; nsteps: its end */
	int64_t bytes, length, stride;
} native_step;
/* Memory that the routine may keep elsewhere while it runs, as in registers: no other place that it
 * uses overlaps with it */
typedef struct native_local {
	native_place at;
	int64_t bytes;
} native_local;
typedef struct native_routine {
	int nsteps, nkernels, nlocals, nroots, ncounters;
	const native_step *step;
	const kernel *const *kernel;
	const native_local *local;
} native_routine;

/* c = a b for one matrix or a batch of them; row-major: a is batch x m x k, or with transpose_a
 * batch x k x m, b likewise k x n, c batch x m x n; TSR_F32 or TSR_F64 */
typedef struct native_product {
	tsr_dtype dtype;
	int64_t batch, m, n, k;
	bool transpose_a, transpose_b;
} native_product;

typedef struct native_type {
	const char *abi; /* NATIVE_ABI of the release it was made for */
	const char *doc;
	int (*cores)(void); /* that this process may use: affinity and cgroup limits; at least 1 */
	/* NULL, with a text of at most n bytes: no machine code can be made here */
	void *(*open)(const native_options *, char *error, size_t n);
	void (*close)(void *);
	/* all of them, in parallel where it pays; equal kernels are compiled once in a process. On
	 * success each code[i] is held once */
	bool (*compile)(void *, const kernel *const *, int count, native_code *code, char *error,
	                size_t n);
	void (*release)(void *, native_code *);
	/* code->items is 1; run(roots, 0, 1) runs it all */
	bool (*compile_routine)(void *, const native_routine *, native_code *, char *error,
	                        size_t n);
	void (*release_routine)(void *, native_code *);
	/* Is there a library product that is better than a kernel? Depends on the processor family
	 * and the product alone, never on time. The number of parts of c that may be computed in
	 * any order, side by side; 0: there is none */
	int64_t (*product_parts)(const native_product *);
	/* parts first .. end - 1 of c, on the calling thread alone */
	void (*product)(const native_product *, const void *a, const void *b, void *c,
	                int64_t first, int64_t end);
} native_type;
#define NATIVE_ABI_(a, b, c) "tsr " #a "." #b "." #c " native 1"
#define NATIVE_ABI__(a, b, c) NATIVE_ABI_(a, b, c)
#define NATIVE_ABI NATIVE_ABI__(TSR_VERSION_MAJOR, TSR_VERSION_MINOR, TSR_VERSION_PATCH)
/* the plug-in exports:  const native_type tsr__native; */

/* ---- native.c: the table of the plug-in `cpu` in plugin_dir, or when that is NULL where plug-ins
 * are (engine.h). NULL: from->why says why there is none */
typedef struct plugin plugin;
const native_type *native_find(const char *plugin_dir, plugin *from);

#endif
