/* hand.c - the module with the cases that are written by hand, beside this program. It is missing
 * where CMake did not find OpenMP and CBLAS; other sides do not load it, nor what it needs. */
#include "bench.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* the folder of this program, with the slash */
static bool own_folder(char *path, size_t size)
{
	const ssize_t n = readlink("/proc/self/exe", path, size - 1);

	if (n < 0) return false;
	path[n] = 0;
	char *last = strrchr(path, '/');
	if (!last) return false;
	last[1] = 0;
	return true;
}

static void *open_module(enum hand side, const char **why)
{
	static char text[1024];
	char folder[4096], path[5000];
	const char *isa = getenv("TSR_CPU");

	*why = "it was built without OpenMP or CBLAS";
	if (!own_folder(folder, sizeof folder)) return NULL;
	snprintf(path, sizeof path, "%sby_hand-%s.so", folder, isa ? isa : "native");
	if (access(path, R_OK)) return NULL;
	/* an OpenBLAS older than the processor takes it for one without AVX, 5 times as slow */
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
		setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
	else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		setenv("OPENBLAS_CORETYPE", "Haswell", 0);
	/* the threads of OpenMP would spin beside those of CBLAS, and the other way round */
	if (side == HAND_NET) setenv("OMP_WAIT_POLICY", "passive", 1);
	void *module = dlopen(path, RTLD_NOW);
	snprintf(text, sizeof text, "%s", module ? "" : dlerror());
	*why = text;
	return module;
}

const hand_side *hand_find(enum hand side, const char **why)
{
	void *module = open_module(side, why);
	const hand_side *sides = module ? dlsym(module, "bench_by_hand") : NULL;
	const char *(*lacks)(enum hand) = NULL;

	if (!sides) return NULL;
	*(void **)&lacks = dlsym(module, "bench_by_hand_lacks");
	*why = lacks ? lacks(side) : "its module is another one";
	return *why ? NULL : &sides[side];
}

bool hand_begin(by_hand *w, const hand_side *side, const int64_t *size)
{
	*w = (by_hand){.size = size};
	side->begin(w);
	if (w->failed) fputs("bench: no memory for the work by hand\n", stderr);
	return !w->failed;
}

void hand_end(by_hand *w)
{
	for (int k = 0; k < w->count; k++) free(w->at[k]);
}
