/* layout.h - where the elements of a value are, over the entries of an axis table: the one word for
 * it inside automatic partitioning. What users see stays meshes and specs.
 *
 * Dims are cut along axes, major first, as a spec says. Along a `partial` axis every device holds a
 * term of the value, and an operator joins these. Along all other axes the devices hold the same.
 *
 * As text, with letters for the numbers of axes: "[ab,-]" cuts the first dim along a and b; "[a]
 * sum c" is partial along c. */
#ifndef TSR_SRC_LAYOUT_H
#define TSR_SRC_LAYOUT_H
#include "shard/shard.h"

/* Where links between devices differ in speed, along an axis */
typedef enum axis_level { LEVEL_MEMORY, LEVEL_NODE, LEVEL_NETWORK, LEVELS } axis_level;
typedef struct layout_axis {
	int64_t size;
	axis_level level;
} layout_axis;

/* An axis cuts at most one dim, and is not partial then */
typedef struct layout {
	int n;                  /* axes that cut */
	uint8_t dim[MAX_AXES];  /* of each: the dim, rising */
	uint8_t axis[MAX_AXES]; /* and the axis; of one dim the major one first */
	uint64_t partial;       /* a set of axes */
} layout;

bool layout_same(const layout *, const layout *);
void layout_cut(layout *, int dim, int axis); /* along one more axis, the minor one of the dim */
void layout_text(str *, const layout *, int ndim);
/* what a device holds of a dim: all parts are as long, the last ones filled up */
int64_t layout_parts(const layout *, const layout_axis *, int dim);
int64_t layout_block(const layout *, const layout_axis *, const int64_t *dims, int dim);
bool layout_divides(const layout *, const layout_axis *, const int64_t *dims, int ndim);

/* ---- reshard.c: from one layout to another, in the fewest bytes */
typedef enum reshard_kind {
	RESHARD_SLICE,          /* each device keeps a part of what it has */
	RESHARD_PERMUTE,        /* whole blocks change devices */
	RESHARD_ALL_TO_ALL,     /* minor axes of one dim become those of another */
	RESHARD_ALL_GATHER,     /* minor axes of a dim go */
	RESHARD_REDUCE_SCATTER, /* partial axes become the minor ones of a dim */
	RESHARD_ALL_REDUCE,     /* partial axes go */
	RESHARD_EXCHANGE        /* all at once, whatever the blocks: where dims do not divide */
} reshard_kind;
typedef struct reshard_step {
	reshard_kind kind;
	layout to;
	uint64_t axes; /* along which it communicates */
	double bytes;  /* that a device receives */
} reshard_step;
typedef struct reshard_plan {
	int n;
	const reshard_step *step;
	double bytes; /* of all steps */
	double ns;
} reshard_plan;
/* by level: of a collective, and of a byte that a device receives */
typedef struct reshard_cost {
	double start[LEVELS], byte[LEVELS];
} reshard_cost;
typedef struct reshard_case {
	int ndim, naxes;
	const int64_t *dims;
	int64_t item; /* bytes of an element */
	const layout_axis *axis;
	layout from, to; /* partial axes of `to` are partial in `from` */
	const reshard_cost *cost;
} reshard_case;
/* It depends on the case alone, so all processes plan alike. The plan lies in the arena. false: no
 * memory */
bool reshard_make(arena *, const reshard_case *, reshard_plan *);
const char *reshard_kind_name(reshard_kind);

#endif
