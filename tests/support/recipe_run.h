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
	uint64_t serial; /* of the recipe, among all that were run */
	const nest *around[RECIPE_REGIONS];
	int parent[RECIPE_REGIONS];
	tsr *live[RECIPE_REGIONS][RECIPE_VALUES];
	bool counts[RECIPE_REGIONS];           /* its body gets the number of the step first */
	tsr *slot[RECIPE_REGIONS][RECIPE_INS]; /* captures */
} runner;

/* bytes of a body: `serial` makes those of another recipe other fns */
typedef struct body_env {
	runner *of;
	uint64_t serial;
	int64_t region;
} body_env;

/* ---- recipe_run.c */
void run_body(tsr_frame *); /* of any region, which its .env says */

/* ---- recipe_run_fns.c */
tsr_fn *jit_fn(runner *, int region);
tsr_fn *nest_fn(runner *, const nest *);
int argument_number(const nest *, int input); /* of an input, among the arguments */
tsr_out place(tsr **value, int n);            /* of a tree of n leaves */

/* ---- recipe_run_rules.c */
void rule_jvp(tsr_frame *);
void rule_forward(tsr_frame *);
void rule_backward(tsr_frame *);

/* ---- recipe_run_random.c */
tsr *random_call(const runner *, const step *, const form *made, tsr *a, tsr *b);

/* ---- recipe_run_steps.c */
tsr_dims dims_of(const int *v, int n);
tsr *local_call(const runner *, const step *, const form *made, tsr *a, tsr *b);
tsr *exchange_call(const runner *, const step *, tsr *x, tsr *with);

#endif
