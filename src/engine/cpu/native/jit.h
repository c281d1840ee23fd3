/* jit.h - machine code for kernels and routines, and the cache of it; products, cores, and the way
 * into LLVM. */
#ifndef TSR_SRC_NATIVE_JIT_H
#define TSR_SRC_NATIVE_JIT_H
#include "engine/cpu/native.h"

/* ---- jit.c; functions that may fail leave a text of at most n bytes */
typedef struct jit_options {
	bool sanitize;
	int max_bytes; /* of a vector */
	int64_t cache; /* bytes of the last one; 0: as if there were none */
} jit_options;
typedef struct jit_code {
	native_run *run;
	int64_t items;
	uint64_t cut;
	void *linked; /* for jit_drop, once */
	size_t bytes; /* of memory, estimated */
} jit_code;
bool jit_keep_to(int bytes); /* as native_type's */
/* makes what all compilations share, once; says how wide vectors may be */
bool jit_start(int *max_bytes, char *error, size_t n);
/* all of them as one object; window: by kernel, or NULL (native.h) */
bool jit_compile(const kernel *const *, const native_window *window, int count, jit_options,
                 jit_code *, char *error, size_t n);
/* native_type's takes_windows */
bool jit_takes_windows(const kernel *, const native_window *, jit_options);
bool jit_compile_routine(const native_routine *, jit_options, jit_code *, char *error, size_t n);
void jit_drop(void *linked); /* no thread runs it any more */

/* ---- cache.c */
bool cache_compile(jit_options, const kernel *const *, const native_window *, int count,
                   native_code *, char *error, size_t n);
/* is its code there, or about to be? As an epilogue, too */
bool cache_knows(jit_options, const kernel *);
void cache_release(native_code *);

/* ---- products/product.c: product_parts and product of the contract */
int64_t product_parts(const matrix_product *);
void product_compute(const matrix_product *, const native_epilogue *, const void *a, const void *b,
                     void *c, int64_t first, int64_t end);

/* ---- lapack/lapack.c: library_scratch and library of the contract */
int64_t lapack_scratch(const eqn *, const type *const *in);
void lapack_eval(const eval_args *);

/* ---- lapack/openblas.c: can OpenBLAS have the memory that it needs? Settled by the first
 * question */
bool blas_ready(void);
/* asks anew for which processor it computes, unless it has computed: then false */
bool blas_choose(void);
/* around each call of it, if it can */
void blas_begin(void);
void blas_end(void);

/* ---- topology.c */
int topology_cores(void);
int64_t topology_cache(int level); /* bytes of level 2, of a core, or 3; 0: not known */

/* ---- gate.c */
/* calls what(of), during which no thread forks. false: what returned false, or LLVM gave up, as
 * error then says. Not inside a visit */
bool gate_visit(bool (*what)(void *), void *of, char *error, size_t n);

#endif
