/* multiply.h - declares how one worker computes a block of a product, some rows and columns of the
 * result. */
#ifndef TSR_SRC_NATIVE_MULTIPLY_H
#define TSR_SRC_NATIVE_MULTIPLY_H
#include "engine/cpu/native.h"
#include "engine/cpu/native/products/panel.h"

typedef struct lines { /* of a matrix in memory, bytes apart */
	char *at;
	int64_t apart;
} lines;
typedef struct multiplication {
	const tile_kind *kind;
	int64_t row, m, column, n; /* rows and columns of c */
	int64_t first, k;          /* what is summed: k elements from there on */
	side a, b;
	const char *const *rows; /* of a: as many as there are, and then some up to a tile */
	bool pairs;              /* sums by pairs */
	const writing *write;
	lines c;
	bool above; /* only what is not below the diagonal */
	/* not 0: the chains are results, and those of a chain are so many bytes from those of the
	 * one before */
	int64_t apart;
	const native_epilogue *epilogue; /* NULL: none */
	int64_t above_rows;              /* of the matrices of the batch before this one */
} multiplication;

enum {
	MULTIPLE = 16, /* of rows and columns of a block, but for the last one */
	MOST_BLOCK = TUNE_BLOCK_SIDE + MULTIPLE,
	THIN_ROWS = 4,       /* of a thin product, at most */
	THIN_BYTES = 32768,  /* of the sums of columns at a time, which stay in a near cache */
	THIN_COLUMNS = 4096, /* of a block of it, at most */
	DOT_COLUMNS = 8      /* fewer: blocks are side by side */
};

static inline int64_t shares(int64_t n, int64_t most) { return (n + most - 1) / most; }

/* ---- products/multiply.c */
void multiply(const multiplication *);
/* `depth` elements of n rows from k on, in the dtype of the sums, one behind the other */
void widen_rows(const multiplication *, const char *const *row, int n, int64_t k, int64_t depth,
                char *to);

/* ---- products/thin.c: a few rows. Does it pay here? */
bool is_thin(const multiplication *);
void multiply_thin(const multiplication *);

/* ---- products/pairs.c: sums by pairs. A panel, and a tile of it */
void pairs_panel(const multiplication *, const panel_part *, char *room, tile *);
void pairs_tile(const multiplication *, const tile_width *, const panel_part *, tile);

/* ---- products/integers.c: sums of i8 or u8 in i32 */
bool has_integers(const multiplication *);
void multiply_integers(const multiplication *);

/* ---- products/dots.c: columns that are lines of memory, of a few rows; few rows and columns */
bool has_dots(const multiplication *);
void multiply_dots(const multiplication *);
bool has_blocks(const multiplication *);
void multiply_blocks(const multiplication *);

#endif
