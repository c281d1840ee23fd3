/* recipe_cells.h - inside the oracle of recipes: the values of all points of a nest. */
#ifndef TSR_TESTS_RECIPE_CELLS_H
#define TSR_TESTS_RECIPE_CELLS_H
#include "support/dual.h"
#include "support/recipe.h"

/* the axes that are entered; points are numbered row-major over them */
typedef struct world {
	axis_list axes;
	int count;
} world;

/* the value of every point: `size` dual numbers each */
typedef struct cells {
	int count, size, levels;
	double *v;
} cells;

typedef struct oracle {
	const recipe *r;
	size_t used;
	int64_t work;
	double largest, margin; /* of coefficients; of distances from kinks, the smallest */
	bool fit;
	double limit; /* of coefficients */
	double noise; /* relative, added to all that is computed */
	uint64_t dice;
} oracle;

/* ---- recipe_cells.c */
cells cells_make(oracle *, const world *, const form *, int levels); /* zeros */
void cells_copy(const cells *to, const cells *from);
double *cell(const cells *, int point, int element);
world world_enter(const oracle *, const world *, const axis_list *);
/* the place of a point along an axis; moves it there */
int world_place(const oracle *, const world *, int point, int axis);
int world_move(const oracle *, const world *, int point, int axis, int place);
int world_index(const oracle *, const world *, int point, const axis_list *);
int world_move_index(const oracle *, const world *, int point, const axis_list *, int index);
/* a number's distance from where its derivative jumps */
void oracle_margin(oracle *, double);

void form_index(const form *, int element, int *index);
int form_place(const form *, const int *index);

/* ---- recipe_eval_local.c, recipe_eval_random.c, recipe_eval_exchange.c: a step for all points */
void oracle_local(oracle *, const world *, const step *, const form *value, const cells *in,
                  const cells *out);
void oracle_random(oracle *, const world *, const step *, const form *value, const cells *in,
                   const cells *out);
void oracle_exchange(oracle *, const world *, const step *, const form *value, const cells *in,
                     const cells *out);

#endif
