/* pool.h - memory for the time that the compilation of one kernel takes. */
#ifndef TSR_SRC_NATIVE_POOL_H
#define TSR_SRC_NATIVE_POOL_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct pool_block {
	struct pool_block *next;
	_Alignas(16) char bytes[];
} pool_block;
typedef struct pool {
	pool_block *blocks;
	char *at;
	size_t left;
} pool;

/* zeros, aligned to 16 bytes. NULL: no memory */
static inline void *pool_take(pool *from, size_t n, size_t size)
{
	if (size && n > (SIZE_MAX / 2) / size) return NULL;
	const size_t bytes = (n * size + 16) / 16 * 16;
	if (bytes > from->left) {
		const size_t room = bytes > 16384 ? bytes : 16384;
		pool_block *b = calloc(1, sizeof *b + room);
		if (!b) return NULL;
		b->next = from->blocks;
		from->blocks = b;
		from->at = b->bytes;
		from->left = room;
	}
	void *out = from->at;
	from->at += bytes;
	from->left -= bytes;
	return out;
}

static inline void pool_free(pool *pool)
{
	while (pool->blocks) {
		pool_block *next = pool->blocks->next;
		free(pool->blocks);
		pool->blocks = next;
	}
	pool->at = NULL;
	pool->left = 0;
}

#endif
