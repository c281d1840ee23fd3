/* hash.c - makes 64-bit hashes: XXH3 of the xxHash library, compiled in. */
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

_Static_assert(sizeof(XXH3_state_t) <= sizeof(hash_stream), "a stream has room for its state");

static XXH3_state_t *state_of(const hash_stream *s) { return (XXH3_state_t *)(uintptr_t)s->state; }

void hash_begin(hash_stream *s)
{
	XXH3_INITSTATE(state_of(s));
	XXH3_64bits_reset(state_of(s));
}

void hash_more(hash_stream *s, const void *bytes, size_t n)
{
	XXH3_64bits_update(state_of(s), n ? bytes : "", n);
}

uint64_t hash_end(const hash_stream *s) { return XXH3_64bits_digest(state_of(s)); }
