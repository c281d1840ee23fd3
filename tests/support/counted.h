/* counted.h - an allocator hook that counts live blocks and bytes, tsr_open(.alloc = counted, .user
 * = &c) of a counter c. A block is preceded by its size. */
#ifndef TSR_TESTS_COUNTED_H
#define TSR_TESTS_COUNTED_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct counter {
	size_t held;
	int64_t requests;
} counter;
enum { BEFORE = 64 }; /* bytes in front of a block, so that it is aligned */

static inline void counted_free(counter *c, void *old)
{
	char *block = (char *)old - BEFORE;
	size_t size = 0;

	memcpy(&size, block, sizeof size);
	c->held -= size;
	free(block);
}

static inline void *counted(void *user, void *old, size_t size)
{
	counter *c = user;
	char *block = NULL;
	size_t before = 0;

	if (size) {
		c->requests++;
		block = aligned_alloc(64, (BEFORE + size + 63) / 64 * 64);
		if (!block) return NULL;
		memcpy(block, &size, sizeof size);
		c->held += size;
	}
	if (old && block) {
		memcpy(&before, (char *)old - BEFORE, sizeof before);
		memcpy(block + BEFORE, old, before < size ? before : size);
	}
	if (old) counted_free(c, old);
	return block ? block + BEFORE : NULL;
}

#endif
