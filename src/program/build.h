/* build.h - declares a program in the making, as build.c, end.c and inline.c see it. */
#ifndef TSR_SRC_PROGRAM_BUILD_H
#define TSR_SRC_PROGRAM_BUILD_H
#include "program/program.h"

struct build {
	ir *ir;
	arena *arena;              /* will be the program's */
	const char *name;
	const axis *axes;
	int naxes;
	var_info *vars;            /* [0] is no variable */
	size_t nvars, vars_cap;
	eqn *eqns;
	size_t neqns, eqns_cap;
	var *inputs;
	size_t ninputs, inputs_cap;
	const type **types;        /* scratch of one equation */
	size_t types_cap;
	table casts;               /* pcast equations, by operand and added set */
	const tsr_prim *pcast;     /* its row; NULL until a cast is needed */
	const char *where;         /* the source line that was copied last */
	const char *at;            /* the source line of what rules emit */
	int32_t cause;             /* of equations without one */
	unsigned effects;
	bool expands;              /* build_expanded */
	bool failed;
};

void build_free_lists(build *);    /* all but the arena, and the build itself */

#endif
