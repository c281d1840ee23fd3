/* hash.c - 64-bit hashes: XXH3 of the xxHash library, compiled in. */
#define XXH_INLINE_ALL
#include <xxhash.h>
#include "base/base.h"

#define NO_STRING UINT64_C(0x9E3779B97F4A7C15)

uint64_t hash_bytes(const void *data, size_t n, uint64_t seed)
{
	return XXH3_64bits_withSeed(n ? data : "", n, seed);
}

uint64_t hash_str(const char *s, uint64_t seed)
{
	return s ? hash_bytes(s, strlen(s), seed) : hash_u64(NO_STRING, seed);
}

uint64_t hash_u64(uint64_t value, uint64_t seed)
{
	return XXH3_64bits_withSeed(&value, sizeof value, seed);
}
