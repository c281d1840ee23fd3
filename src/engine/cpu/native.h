/* native.h - declares the functions of the CPU engine's plug-in: they compile kernels, multiply
 * matrices, and describe the machine.
 *
 * The engine itself (schedule, memory, workers) is part of libtsr. The heavy libraries (LLVM, BLAS,
 * hwloc) are in the plug-in `cpu`, which is opened at first need (native.c) and never unloaded. The
 * plug-in refers to no symbol of libtsr, so the same one serves the shared and the static library:
 * it uses the structs of kernel.h, and reports errors as text. All its functions may be called from
 * several threads at once; code is shared by all contexts of a process. */
#ifndef TSR_SRC_NATIVE_H
#define TSR_SRC_NATIVE_H
#include "kernel/kernel.h"
#include "prim/prim.h"

/* A compiled kernel. x: the addresses of its inputs, of its literals if it has any (kernel.h), and
 * of its results, each contiguous; aligned as their elements are, literals to 8 bytes. Computes
 * items first .. end - 1. A result may have the address of an input if each element of that input
 * is only read to compute the same element of the result. Never allocates, traps, or changes the
 * floating-point state (it runs in the default one). */
typedef void native_run(char *const *x, int64_t first, int64_t end);
typedef struct native_code {
	native_run *run; /* of a window: a native_run_window */
	int64_t items; /* of a kernel: parts that may be computed in any order, or side by side; how
			  many there are depends on the kernel alone. 0: there is nothing to
			  compute */
	uint64_t cut;  /* bit j: item i touches of x[j] only the i-th of `items` equal runs of
			  bytes; of the first 64 */
	void *held;    /* by the plug-in; release gives it back */
	size_t bytes;  /* of memory that it takes, estimated */
} native_code;

typedef struct native_options {
	bool sanitize; /* kernels report accesses outside their operands (asan preset) */
	int max_width; /* the most bytes of a vector: 64 (AVX-512), 32 (AVX2) or 16 (AVX), with the
			  instructions of that set only, if TSR_CPU allows as many; 0: as many as
			  the processor and TSR_CPU allow. Changes no bit of any result */
	bool past_caches; /* large results are written past the caches, however large these are */
} native_options;

/* A kernel as the epilogue of a product, whose results it reads: it computes a window of its own
 * results at a time, some rows of some columns, as soon as the product has those. Both are counted
 * in the product's results, all matrices of a batch one below the other */
typedef struct native_window {
	int64_t rows, columns; /* of all results. rows 0: the kernel is none */
	int32_t input;         /* of the kernel: what the product gives */
	tsr_dtype dtype;       /* of its sums */
	bool whole_rows;       /* windows have all columns: the kernel reduces rows, say */
} native_window;
/* like native_run, for a window. Its columns begin and end with a vector of sums, or with a row */
typedef void native_run_window(char *const *x, int64_t row, int64_t end_row, int64_t column,
                               int64_t end_column);
typedef struct native_epilogue {
	native_run_window *run;
	char *const *x;
	bool whole_rows;
} native_epilogue;

/* Nanoseconds of one thread that compiling a kernel takes, estimated: of 466 objects of the
 * benchmark's kernels the time was 0.6 to 2.3 times the estimate for nine of ten. A second product
 * adds little: it is computed in the tiles of the first */
static inline double native_price(const kernel *k)
{
	double ns = TUNE_PRICE_KERNEL + k->nnodes * TUNE_PRICE_NODE;

	for (int32_t i = 1; i < k->nnodes; i++)
		if (k->nodes[i].op == K_REDUCE && k->nodes[i].bits == KR_DOT)
			return ns + TUNE_PRICE_PRODUCT;
	return ns;
}

/* A routine: a loop of small work, its kernels, copies and jumps, as one piece of machine code. It
 * is called like a kernel, but with a list of roots instead of addresses; each place is an offset
 * from one of them. Behind the last root is the address of a byte: when that is not 0, the routine
 * ends at the next turn of a loop. */
typedef struct native_place {
	int32_t root;
	int64_t offset;
} native_place;
typedef enum native_op {
	NATIVE_KERNEL, /* arg: operands, literals if there are any, and results of kernel[of] */
	NATIVE_COPY,   /* bytes, from arg[0] to arg[1] */
	NATIVE_SWITCH, /* goes on at target[the i32 at arg[0], clamped]; of a bool, if
	                `predicate` */
	NATIVE_GO,     /* goes on at target[0] */
	NATIVE_BEGIN,  /* counter `of` is 0; goes on at target[0] if length is 0 */
	NATIVE_MOVE,   /* root `of` becomes arg[0] plus `counter` times stride; if `reverse`,
			  counting from the last step down */
	NATIVE_NEXT    /* adds 1 to counter `of`; goes on at target[0] if it is still below
			  length */
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
/* Memory that the routine may keep elsewhere, say in registers, while it runs: no other place that
 * it uses overlaps it */
typedef struct native_local {
	native_place at;
	int64_t bytes;
	bool written; /* false: it has the same value at the end */
} native_local;
typedef struct native_routine {
	int nsteps, nkernels, nlocals, nroots, ncounters;
	const native_step *step;
	const kernel *const *kernel;
	const native_local *local;
} native_routine;

typedef struct native_type {
	const char *abi; /* NATIVE_ABI of the release it was made for */
	const char *doc;
	int (*cores)(void); /* how many cores this process may use, by affinity and cgroup limits;
			       at least 1 */
	/* All that is made from now on, and the library, keeps to this instruction set
	 * (instructions_chosen), where the other processes have no higher one. false: too late,
	 * more has been used */
	bool (*keep_to)(int bytes);
	const char *libraries; /* whose bits are theirs; NULL: none */
	/* NULL, with a text of at most n bytes: no machine code can be made here */
	void *(*open)(const native_options *, char *error, size_t n);
	void (*close)(void *);
	/* is its code there, or about to be? Then compiling it takes no time */
	bool (*knows)(void *, const kernel *);
	/* Can it be computed window by window? The answer depends on the instruction set and these
	 * two alone; false where there is no memory, too */
	bool (*takes_windows)(void *, const kernel *, const native_window *);
	/* compiles all of them, in parallel where that pays; equal kernels are compiled once per
	 * process. window: by kernel, or NULL: none is an epilogue. On success the caller holds
	 * each code[i] once */
	bool (*compile)(void *, const kernel *const *, const native_window *window, int count,
	                native_code *code, char *error, size_t n);
	void (*release)(void *, native_code *);
	/* code->items is 1; run(roots, 0, 1) runs it all */
	bool (*compile_routine)(void *, const native_routine *, native_code *, char *error,
	                        size_t n);
	void (*release_routine)(void *, native_code *);
	/* The number of parts of c, which may be computed in any order, or side by side; of a
	 * batch, those of the first matrix come first, and each has as many. 0: kernels compute
	 * such products. The answer depends on the instruction set and the product alone */
	int64_t (*product_parts)(const matrix_product *);
	/* parts first .. end - 1 of c, on the calling thread alone, and the windows of the epilogue
	 * there, if it is not NULL: of a product that is no phase of one, and not symmetric */
	void (*product)(const matrix_product *, const native_epilogue *, const void *a,
	                const void *b, void *c, int64_t first, int64_t end);
	/* If a library computes this equation, which has no kernel: bytes of scratch memory for
	 * each part (eqn_parts); -1: it does not. The answer depends on the equation, and on that
	 * memory */
	int64_t (*library_scratch)(const eqn *, const type *const *in);
	/* as its eval, on the calling thread alone */
	void (*library)(const eval_args *);
} native_type;
#define NATIVE_ABI_(a, b, c) "tsr " #a "." #b "." #c " native 9"
#define NATIVE_ABI__(a, b, c) NATIVE_ABI_(a, b, c)
#define NATIVE_ABI NATIVE_ABI__(TSR_VERSION_MAJOR, TSR_VERSION_MINOR, TSR_VERSION_PATCH)
/* the plug-in exports:  const native_type tsr__native; */

/* ---- native.c: the table of the plug-in `cpu` in plugin_dir, or when that is NULL where plug-ins
 * are (engine.h). NULL: from->why says why there is none */
typedef struct plugin plugin;
const native_type *native_find(const char *plugin_dir, plugin *from);

#endif
