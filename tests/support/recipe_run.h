/* recipe_run.h - inside the run of recipes through the public API. */
#ifndef TSR_TESTS_RECIPE_RUN_H
#define TSR_TESTS_RECIPE_RUN_H
#include "support/recipe.h"

/* a recipe that runs, and what its regions hold while they are traced */
typedef struct runner {
	const recipe *r;
	tsr_ctx *ctx;
	tsr_mesh *mesh;
	tsr_dtype dtype;
	const nest *around[RECIPE_REGIONS];
	int parent[RECIPE_REGIONS];
	tsr *live[RECIPE_REGIONS][RECIPE_VALUES];
	bool counts[RECIPE_REGIONS];           /* its body gets the number of the step first */
	tsr *slot[RECIPE_REGIONS][RECIPE_INS]; /* captures */
} runner;

/* ---- recipe_run_steps.c */
tsr *local_call(const runner *, const step *, const form *made, tsr *a, tsr *b);
tsr *exchange_call(const runner *, const exchange *, tsr *x, tsr *with);
/* "x*y"; NULL for no axis */
const char *axis_list_text(const recipe *, const axis_list *, char out[2 * RECIPE_AXES]);

#endif
