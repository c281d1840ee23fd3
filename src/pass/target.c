/* target.c - describes the machines that programs are compiled for: for each instruction set its
 * numbers in tuning.def. */
#include "pass/pass.h"

static const target targets[] = {
	{
		.vector_bytes = 16,
#define TARGET(name, fma, avx2, avx512, ...) .name = (fma),
#include "base/tuning.def"
	},
	{
		.vector_bytes = 32,
#define TARGET(name, fma, avx2, avx512, ...) .name = (avx2),
#include "base/tuning.def"
	},
	{
		.vector_bytes = 64,
#define TARGET(name, fma, avx2, avx512, ...) .name = (avx512),
#include "base/tuning.def"
	},
};

const target *target_of(int vector_bytes)
{
	return &targets[vector_bytes == 64 ? 2 : vector_bytes == 32 ? 1 : 0];
}
