/* plan.h - random mapped bodies: a few steps over the blocks of a grid of devices, maps nested in
 * maps, and their results by the host model.
 *
 * A plan is plain bytes, so that it can be a fn's .env: the body that runs it through the library
 * reads it from there. */
#ifndef TSR_TESTS_PLAN_H
#define TSR_TESTS_PLAN_H
#include "support/oracle.h"

enum { PLAN_ARGS = 3, PLAN_OUTS = 3, PLAN_STEPS = 12, PLAN_VALUES = PLAN_ARGS + PLAN_STEPS,
       PLAN_REGIONS = 5, PLAN_NDIM = 4 };

enum op {
	OP_COPY, OP_NEG, OP_RELU, OP_SCALE, OP_REM, OP_FLIP, OP_TRANSPOSE, OP_RAVEL, OP_SUM, OP_MAX,
	OP_CONCAT, OP_SLICE, OP_DOT, OP_GRAM, OP_ADD, OP_EXPAND, OP_CONST, OP_CAST, OP_EXCHANGE,
	OP_NESTED, OP_COUNT
};

typedef struct step {
	int op, a, b;            /* operands: numbers of values */
	int dim, perm[PLAN_NDIM];
	bool flag;               /* reductions: the dim stays; products: if they are not 0 */
	bool negative;           /* dims are written from the end */
	int64_t k, start, stop;
	int ndim;
	int64_t dims[PLAN_NDIM]; /* of a constant */
	axes over;               /* of a cast */
	exchange ex;
	int region;              /* of a nested map; a and b are its arguments */
} step;

/* the body of one map; values are its arguments, then one for each step */
typedef struct region {
	int nin, nsteps, nout, out[PLAN_OUTS];
	axes manual;             /* the axes that this map makes manual */
	uint32_t bound;          /* those, and the ones of the maps around it */
	bool unchecked;
	cut in[PLAN_ARGS], to[PLAN_OUTS];
	step step[PLAN_STEPS];
	uint32_t varying[PLAN_VALUES];
} region;

typedef struct plan {
	grid grid;
	int dtype, level;        /* level: the region that a body runs */
	bool exact;              /* regions say exactly over which axes their values vary */
	const tsr_mesh *mesh;
	int nregions;
	region region[PLAN_REGIONS];
} plan;

/* what a drawn plan takes and gives */
typedef struct deal {
	int64_t device[ORACLE_DEVICES]; /* ids, in mesh order */
	host arg[PLAN_ARGS], want[PLAN_OUTS];
	cut placed[PLAN_ARGS];          /* where arguments are put first */
	bool put[PLAN_ARGS], jit, twice;
	int missing;                    /* an axis over which a result varies and that its spec
	                                   leaves out: the call must fail; -1: none */
} deal;

/* a stream of random numbers */
typedef struct dice { uint64_t state; } dice;
int roll(dice *, int n);            /* 0 .. n - 1 */
bool chance(dice *, int percent);

/* The plan of this seed, and what its call must give. Arrays live until oracle_reset(). */
void plan_draw(plan *, deal *, uint64_t seed);

/* ---- plan_body.c: the shard_map fn of one region, and the maps inside it. plan->mesh is set; the
 * body checks what its values vary over where the plan is exact */
tsr_fn *plan_map(const plan *, int level);

#endif
