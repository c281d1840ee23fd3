/* plugin.c - makes the table of functions that the plug-in `cpu` gives to libtsr. */
#include <stdio.h>
#include <stdlib.h>
#ifdef TSR_LAPACK
#include <openblas_config.h>
#endif
#include "engine/cpu/native/jit.h"

static int least(int a, int b) { return a < b ? a : b; }

static void *open_options(const native_options *wanted, char *error, size_t n)
{
	jit_options *o = calloc(1, sizeof *o);
	int most = 0;

	if (!o) {
		snprintf(error, n, "out of memory");
		return NULL;
	}
	if (!jit_start(&most, error, n)) {
		free(o);
		return NULL;
	}
	*o = (jit_options){wanted->sanitize, most, wanted->past_caches ? 0 : topology_cache(3)};
	if (wanted->max_width) o->max_bytes = least(most, wanted->max_width);
	return o;
}

static bool knows(void *of, const kernel *k) { return cache_knows(*(const jit_options *)of, k); }

static bool takes_windows(void *of, const kernel *k, const native_window *window)
{
	return jit_takes_windows(k, window, *(const jit_options *)of);
}

static bool compile(void *of, const kernel *const *k, const native_window *window, int count,
                    native_code *code, char *error, size_t n)
{
	return cache_compile(*(const jit_options *)of, k, window, count, code, error, n);
}

static void release(void *of, native_code *code)
{
	(void)of;
	cache_release(code);
}

static bool compile_routine(void *of, const native_routine *r, native_code *out, char *error,
                            size_t n)
{
	jit_code code;

	if (!jit_compile_routine(r, *(const jit_options *)of, &code, error, n)) return false;
	*out = (native_code){code.run, code.items, 0, code.linked, code.bytes};
	return true;
}

static void release_routine(void *of, native_code *code)
{
	(void)of;
	jit_drop(code->held);
}

__attribute__((visibility("default"))) const native_type tsr__native = {
	.abi = NATIVE_ABI,
	.doc = "machine code through LLVM, products of matrices",
	.cores = topology_cores,
	.keep_to = jit_keep_to,
#ifdef TSR_LAPACK
	.libraries = OPENBLAS_VERSION,
#endif
	.open = open_options,
	.close = free,
	.knows = knows,
	.takes_windows = takes_windows,
	.compile = compile,
	.release = release,
	.compile_routine = compile_routine,
	.release_routine = release_routine,
	.product_parts = product_parts,
	.product = product_compute,
	.library_scratch = lapack_scratch,
	.library = lapack_eval,
};
