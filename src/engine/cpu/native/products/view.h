/* view.h - finds places in a view that products gather their operands from (prim.h,
 * matrix_view). */
#ifndef TSR_SRC_NATIVE_VIEW_H
#define TSR_SRC_NATIVE_VIEW_H
#include "prim/prim.h"

typedef struct view_place {
	const view_dims *of;
	int64_t index[VIEW_DIMS], offset; /* in elements */
} view_place;

static inline view_place place_of(const view_dims *of, int64_t at)
{
	view_place p = {.of = of};

	for (int d = of->n - 1; d >= 0; at /= of->size[d--]) {
		p.index[d] = at % of->size[d];
		p.offset += p.index[d] * of->stride[d];
	}
	return p;
}

/* n steps along the last dim, at most to its end */
static inline void place_move(view_place *p, int64_t n)
{
	for (int d = p->of->n - 1; d >= 0; d--, n = 1) {
		p->index[d] += n;
		p->offset += n * p->of->stride[d];
		if (p->index[d] < p->of->size[d]) return;
		p->offset -= p->of->size[d] * p->of->stride[d];
		p->index[d] = 0;
	}
}

/* elements along the last dim; of none there is one */
static inline int64_t to_the_end(const view_place *p)
{
	const int last = p->of->n - 1;

	return last < 0 ? 1 : p->of->size[last] - p->index[last];
}

#endif
