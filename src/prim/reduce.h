/* reduce.h - the tree that sums, products and dot products share (docs/numerics.md, "Sums").
 *
 * Blocks of 256 elements; in a block, lane i mod 16 takes its elements in order; then the lanes,
 * then the blocks, by a binary tree of neighbours, lower index left. The blocks come one by one, so
 * the tree over them works like a counter in base two: a finished half waits on a stack until its
 * neighbour is finished. After 6 blocks, 110 in base two, the stack holds ((b0 b1)(b2 b3)) and
 * (b4 b5). */
#ifndef TSR_SRC_PRIM_REDUCE_H
#define TSR_SRC_PRIM_REDUCE_H
#include <stdint.h>

#define WAITING_HALVES 56                                 /* 2^63 elements are 2^55 blocks */

/* OP(l, r) joins two partial results */
#define DEFINE_TREE(tree_, wide_, OP) \
	typedef struct tree_ { \
		wide_ lane[SUM_LANES], half[WAITING_HALVES]; \
		int nhalves; \
		uint64_t nblocks; \
	} tree_; \
	/* ends a block of which the first n lanes have something */ \
	static void tree_##_block(tree_ *t, int n) \
	{ \
		for (int step = 1; step < n; step *= 2) \
			for (int i = 0; i + step < n; i += 2 * step) \
				t->lane[i] = OP(t->lane[i], t->lane[i + step]); \
		wide_ joined = t->lane[0]; \
		for (uint64_t done = t->nblocks++; done & 1; done >>= 1) { \
			t->nhalves--; \
			joined = OP(t->half[t->nhalves], joined); \
		} \
		t->half[t->nhalves++] = joined; \
	} \
	/* of at least one block; neighbours that are missing are left out */ \
	static wide_ tree_##_end(const tree_ *t) \
	{ \
		wide_ joined = t->half[t->nhalves - 1]; \
		for (int i = t->nhalves - 2; i >= 0; i--) joined = OP(t->half[i], joined); \
		return joined; \
	}

#endif
