/* processor.c - chooses the instruction set that machine code is made for: the processor's, or a
 * lower one that TSR_CPU names, or that another process of a context has.
 *
 * The plug-in of the CPU engine has a copy of its own, which it asks when it is opened. */
#include <stdatomic.h>
#include "base/base.h"

#define WITH_PAIRS "avx512_bf16" /* of AVX-512, also VDPBF16PS */

int instructions_named(const char *name)
{
	static const struct {
		const char *name;
		int bytes;
	} sets[] = {{"fma", 16}, {"avx2", 32}, {"avx512", 64}, {WITH_PAIRS, 64}};

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

static bool has_pairs(void)
{
#if defined __x86_64__
	return __builtin_cpu_supports("avx512bf16");
#else
	return false;
#endif
}

bool instructions_have(const char *name)
{
	const int bytes = instructions_named(name);

	return bytes && bytes <= instructions_here() &&
	       (strcmp(name, WITH_PAIRS) != 0 || has_pairs());
}

static _Atomic int chosen; /* 1 + what it is; 0: nobody has asked */

static int choose(void)
{
	const char *name = environment("TSR_CPU");
	const int asked = name ? instructions_named(name) : 0, here = instructions_here();

	return asked && asked < here ? asked : here;
}

int instructions_chosen(void)
{
	int is = atomic_load_explicit(&chosen, memory_order_relaxed);

	if (is) return is - 1;
	const int found = 1 + choose();
	/* whoever was first, or has lowered it since, has it his way */
	return (atomic_compare_exchange_strong(&chosen, &is, found) ? found : is) - 1;
}

/* Intel's processors (Sapphire Rapids, Emerald Rapids) begin one in two cycles, and four fused
 * multiply-adds in that time, which are twice as many products */
static bool are_pairs_fast(void)
{
#if defined __x86_64__
	return !__builtin_cpu_is("intel");
#else
	return false;
#endif
}

static bool choose_pairs(void)
{
	const char *name = environment("TSR_CPU");

	if (instructions_chosen() != 64 || !has_pairs()) return false;
	return name && *name ? strcmp(name, WITH_PAIRS) == 0 : are_pairs_fast();
}

bool instructions_take_pairs(void)
{
	static _Atomic int take; /* 1 + whether they do; 0: nobody has asked */
	int is = atomic_load_explicit(&take, memory_order_relaxed);

	if (!is) atomic_store(&take, is = 1 + choose_pairs());
	return is == 2;
}

void instructions_lower(int bytes)
{
	if (bytes < instructions_chosen()) atomic_store(&chosen, 1 + bytes);
}

const char *instructions_name(int bytes)
{
	return bytes == 64 ? "avx512" : bytes == 32 ? "avx2" : bytes ? "fma" : "none";
}
