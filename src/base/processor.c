/* processor.c - which instruction set machine code is made for: the processor's, or a lower one
 * that TSR_CPU names.
 *
 * The plug-in of the CPU engine has a copy of its own, which it asks when it is opened. */
#include <pthread.h>
#include "base/base.h"

int instructions_named(const char *name)
{
	static const struct {
		const char *name;
		int bytes;
	} sets[] = {{"fma", 16}, {"avx2", 32}, {"avx512", 64}};

	for (size_t i = 0; i < ARRAY_LEN(sets); i++)
		if (strcmp(name, sets[i].name) == 0) return sets[i].bytes;
	return 0;
}

int instructions_here(void)
{
#if defined __x86_64__
	__builtin_cpu_init();
	if (!__builtin_cpu_supports("fma")) return 0;
	if (!__builtin_cpu_supports("avx2")) return 16;
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
	                       __builtin_cpu_supports("avx512bw") &&
	                       __builtin_cpu_supports("avx512dq")
	               ? 64
	               : 32;
#else
	return 0;
#endif
}

static int chosen;

static void choose(void)
{
	const char *name = environment("TSR_CPU");
	const int asked = name ? instructions_named(name) : 0;

	chosen = instructions_here();
	if (asked && asked < chosen) chosen = asked;
}

int instructions_chosen(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, choose);
	return chosen;
}
