/* interp.h - a program as the interpreter runs it. */
#ifndef TSR_SRC_ENGINE_INTERP_INTERP_H
#define TSR_SRC_ENGINE_INTERP_INTERP_H
#include "engine/engine.h"
#include "prim/prim.h"

typedef struct step { /* one equation, with what does not change between runs */
	const eqn *eqn;
	const type **in, **out;
	member_groups groups; /* collectives */
	const int64_t *alike; /* effects: by device, the first one at the same place */
	struct code **inner;  /* the programs inside, in order */
	bool in_place;        /* PRIM_UPDATES: nothing else reads operand 0, now or later */
	int ndead;
	var *dead; /* values that no later equation reads */
} step;

typedef struct code { /* one program */
	const program *program;
	step *steps;
	int most; /* operands or results of an equation */
} code;

struct executable {
	engine *engine;
	arena *arena;
	const program *program;
	device_set set;
	bool *all;   /* every device takes part */
	table codes; /* of its programs, each once; while it is compiled */
	code *main;
	onlooker *onlooker; /* NULL: nobody looks on */
};

/* ---- steps.c */
/* a program that stands in several places has one code, which lives in the arena of the executable.
 * NULL: an error is recorded */
code *code_of(executable *, const program *);

#endif
