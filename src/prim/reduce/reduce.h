/* reduce.h - the tree that sums and products share (docs/numerics.md, "Sums").
 *
 * Elements are cut into blocks of SUM_BLOCK; in a block, lane i mod SUM_LANES takes its elements in
 * order. Then the lanes are joined, and then the blocks, each by a binary tree of neighbours with
 * the lower index on the left. Blocks come one by one, so the tree over them works like a binary
 * counter: a complete subtree waits on a stack until its neighbour is complete. After 6 blocks,
 * binary 110, the stack holds ((b0 b1)(b2 b3)) and (b4 b5). */
#ifndef TSR_SRC_PRIM_REDUCE_H
#define TSR_SRC_PRIM_REDUCE_H
#include "prim/prim.h"

#define WAITING_HALVES 56                                 /* 2^63 elements are 2^55 blocks */

/* OP(l, r) joins two partial results */
#define DEFINE_TREE(tree_, wide_, OP) \
	typedef struct tree_ { \
		wide_ lane[SUM_LANES], half[WAITING_HALVES]; \
		int nhalves; \
		uint64_t nblocks; \
	} tree_; \
	/* ends a block of which the first n lanes have elements */ \
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
	/* joins the waiting subtrees, at least one; missing neighbours are left out */ \
	static wide_ tree_##_end(const tree_ *t) \
	{ \
		wide_ joined = t->half[t->nhalves - 1]; \
		for (int i = t->nhalves - 2; i >= 0; i--) joined = OP(t->half[i], joined); \
		return joined; \
	}

/* ---- what joins two, and what the first one x is taken as */
#define ADD(a, b) ((a) + (b))
/* 0 + x, of a complex number in each part: no partial sum is -0 */
#define FROM_ZERO(x) (0 + (x))
#define PARTS_FROM_ZERO(z) ((z) + __builtin_complex(0.0f, 0.0f))
#define ITSELF(x) (x)
#define MAX_SIGNED(a, b) ((uint64_t)max_i64((int64_t)(a), (int64_t)(b)))
#define MIN_SIGNED(a, b) ((uint64_t)min_i64((int64_t)(a), (int64_t)(b)))
/* z, or a NaN in both parts */
#define MAX_ITSELF(z) MAX_OF_ALL(z, z)
#define MIN_ITSELF(z) MIN_OF_ALL(z, z)

/* ---- reduce/reduce.c: y[at] gets the sum of n numbers */
void reduce_line_sum(tsr_dtype, const void *x, int64_t n, void *y, int64_t at);

#endif
