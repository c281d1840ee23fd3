/* draw.h - the random numbers that inputs of golden records were drawn with: those of jax.random,
 * bit for bit. The recipe is that of its threefry2x32 generator in its partitionable form. */
#ifndef TESTS_SUPPORT_DRAW_H
#define TESTS_SUPPORT_DRAW_H
#include <stddef.h>
#include <stdint.h>

typedef struct draw_key {
	uint32_t word[2];
} draw_key;

/* the key of a seed */
draw_key draw_key_of(uint32_t seed);
/* the k-th of the keys that a key is split into; how many there are does not matter. It is also the
 * key with k folded in */
draw_key draw_split(draw_key key, uint64_t k);
/* 64 bits of element i, and 32 */
uint64_t draw_bits(draw_key key, uint64_t i);
uint32_t draw_bits32(draw_key key, uint64_t i);
/* n standard normals drawn with the key, row-major, each multiplied by a number */
void draw_normal(draw_key key, float scale, float *out, size_t n);
/* n integers in 0 .. below - 1: jax.random.randint() */
void draw_int(draw_key key, uint32_t below, int32_t *out, size_t n);
#endif
