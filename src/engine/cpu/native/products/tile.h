/* tile.h - computes one tile of a product: a few rows times a few vectors of columns, with its
 * sums in registers. */
#ifndef TSR_SRC_NATIVE_TILE_H
#define TSR_SRC_NATIVE_TILE_H
#include "prim/prim.h"

/* loops that are written out, so that what they count is in registers */
#ifdef __clang__
#define WRITTEN_OUT _Pragma("unroll")
#else
#define WRITTEN_OUT _Pragma("GCC unroll 8")
#endif

enum {
	TILE_ROWS = 8,    /* at most */
	TILE_BYTES = 256, /* of a line of columns, at most */
	TILE_DEPTH = 256  /* elements that are summed in one chain (docs/numerics.md) */
};
static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

typedef struct tile_run {       /* along the contracted index: elements that are `step` apart */
	int64_t offset, length; /* bytes, elements */
} tile_run;
/* what is still to be asked for, ahead of its use: lines of `bytes`, of the first one what comes
 * after `offset`, and `left` more */
typedef struct tile_lines {
	const char *at;
	int64_t apart, bytes, offset, left;
} tile_lines;
/* rows of a, which are where they are, times columns of b, which are lines of memory; they sum
 * what the runs say, which is a block of the contracted index. c has nrows rows and ncolumns
 * columns */
typedef struct tile {
	const char *const *row; /* as many as the tile has; those that are too many are others */
	const tile_run *runs, *end;
	int64_t step;  /* bytes from an element of a run to the next */
	int64_t depth; /* elements of all runs */
	const char *b;
	int64_t apart_b; /* bytes from a line of b to the next */
	char *copy;      /* for the lines of b, one behind the other, each as wide as the tile */
	char *c;
	int64_t apart_c; /* bytes from a row of c to the next */
	int nrows, ncolumns;
	bool adds; /* to what is in c */
	/* rows of the tile that comes next, if they are far away, or NULL; what later tiles read */
	const char *const *next;
	tile_lines *ahead;
	int64_t each; /* lines of it, at a time */
} tile;
/* tiles of the same dtype and instruction set */
typedef struct tile_width {
	int rows, columns;
	void (*multiply)(const tile *);
	void (*copying)(const tile *); /* the same, which copies the lines of b to t->copy */
} tile_width;
enum { TILE_WIDTHS = 4 };
typedef struct tile_kind {
	int bytes; /* of vectors of the instruction set */
	tsr_dtype dtype;
	tile_width width[TILE_WIDTHS]; /* from the widest to the narrowest */
} tile_kind;

/* ---- tile.c; NULL: there are none */
const tile_kind *tiles_of(tsr_dtype);
/* that sums by pairs can be taken by: where a number of a row is a pair of bf16, and those of lines
 * are (dtype TSR_BF16); or those of f32 */
const tile_kind *tiles_of_pairs(void);

/* ---- products/pairs.c */
/* Has the processor an instruction for pairs of bf16, which computes what docs/numerics.md defines?
 * Some thousand sums are compared, once */
bool pairs_agree(void);

#endif
