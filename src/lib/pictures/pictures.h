/* pictures.h - where the parts of an array are, and what is in them, drawn for people.
 *
 * What is declared here needs base and shard alone: no context, no handle. */
#ifndef TSR_SRC_PICTURES_H
#define TSR_SRC_PICTURES_H
#include "shard/shard.h"

/* ---- picture.c */
typedef struct picture_options {
	bool colour;              /* cells with backgrounds in place of borders */
	double scale;             /* the whole is 10 times as many lines high */
	int min_width, max_width; /* of a cell; max_width also of the whole picture */
} picture_options;
#define PICTURE_OPTIONS(colour) (&(const picture_options){colour, 1, 9, 80}) /* JAX's own */
/* How JAX's visualize_array_sharding draws dims (1 or 2 of them) under a sharding; lost in `out`
 * when memory ran out. */
void picture_draw(str *out, const sharding *, const int64_t *dims, int ndim,
                  const picture_options *);

/* ---- grid.c: texts in the frame that Python's tabulate calls "fancy_grid" */
typedef struct grid {
	int64_t rows, columns;
	str *cell;         /* rows * columns, row by row: lines, the last one not ended */
	int64_t *width;    /* of the columns, in characters */
	const char **rest; /* of the row that is drawn: the lines that are not yet */
} grid;
/* empty cells. false: no memory. grid_free also of what could not be made */
bool grid_make(base *, grid *, int64_t rows, int64_t columns);
void grid_free(base *, grid *);
/* finds the width of each column; then draws n rows from row `first` on, framed, each line ended */
void grid_measure(const grid *);
void grid_draw(str *out, const grid *, int64_t first, int64_t n);

#endif
