/* emit_dot.h - declares chains of dot products (emit_dot.c), and loads that read a row in each
 * lane (emit_transposed.c). */
#ifndef TSR_SRC_NATIVE_EMIT_DOT_H
#define TSR_SRC_NATIVE_EMIT_DOT_H
#include "engine/cpu/native/emit/emit.h"

enum { MOST_TURNED = 2, MOST_COLUMNS = 16 };

/* a load of which each lane reads a row: squares of these rows are transposed. Where the number is
 * first cast, so are the rows */
typedef struct turned {
	kvar load, node; /* node: the cast, or the load itself */
	row rows;        /* the columns of a square for each copy, one behind the other, ... */
	value column[MOST_COLUMNS]; /* ... or, of a single copy, not in memory */
} turned;

typedef struct dot {
	const reducing *r;
	int lanes;   /* of a chain; 0: it is a number */
	bool blocks; /* each lane is a block of its own; otherwise they are the lanes around */
	int side;    /* of the squares */
	int n;
	turned load[MOST_TURNED];
} dot;

/* ---- emit/emit_dot.c */
int dot_unroll(const dot *, int chains, int64_t steps);
/* the chains of `abreast` blocks take element i of their block; i is that of the first block. x has
 * the copies of the first block first */
void dot_take(const dot *, value *x, int abreast, LLVMValueRef i);
void dot_take_many(const dot *, value *x, int abreast, LLVMValueRef i, int64_t steps);

/* ---- emit/emit_transposed.c */
void turned_find(dot *); /* finds such loads, and takes memory for their squares */
void turned_end(dot *);  /* gives it back */
/* the chains of one block take n elements from i on */
void turned_take(dot *, value *x, LLVMValueRef i, int64_t n);

#endif
