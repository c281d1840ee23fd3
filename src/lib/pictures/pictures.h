/* pictures.h - where the parts of an array are, drawn for people.
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

#endif
