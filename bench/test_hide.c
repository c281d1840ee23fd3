/* test_hide.c - a process that hide.c was loaded into sees AVX2 and FMA, and no AVX-512. */
#include <stdio.h>

int main(void)
{
	__builtin_cpu_init();
	const int wide = __builtin_cpu_supports("avx512f") || __builtin_cpu_supports("avx512bw"),
		  usual = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");

	printf("avx512: %d, avx2 and fma: %d\n", wide != 0, usual != 0);
	return wide || !usual;
}
