/* interp.h - a program as the interpreter runs it. */
#ifndef TSR_SRC_ENGINE_INTERP_INTERP_H
#define TSR_SRC_ENGINE_INTERP_INTERP_H
#include "comm/comm.h"
#include "engine/engine.h"
#include "prim/prim.h"

typedef struct step { /* one equation, with what does not change between runs */
	const eqn *eqn;
	const type **in, **out;
	member_groups groups; /* collectives */
	effect_groups alike;  /* effects; first NULL: it has none */
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

typedef struct frame { /* a program in progress */
	engine_run *run;
	executable *x;
	code *code;
	const bool *active; /* devices that take part; the others have no values */
	buffer **value;     /* value[v * n + k] */
	const void **from;  /* of the equation being evaluated: the addresses of its operands, */
	void **to;          /* and of its results */
} frame;

/* ---- interp.c */
buffer **frame_value(const frame *, var, int64_t k);
int device_memory(const executable *, int64_t k);
buffer *frame_result(const frame *, const type *, int64_t k); /* NULL: recorded */
const void *frame_operand(const frame *, var, int64_t k);
/* from f->from to f->to, for n devices; index: of a collective, their places in the group */
bool frame_eval(const frame *, const step *, const int64_t *index, int n);

/* ---- exchange.c: false: recorded */
bool run_collective(const frame *, const step *);
/* results of an effect, which device k has evaluated or another process does */
bool effect_send(const frame *, const step *, int64_t k);
bool effect_receive(const frame *, const step *, int64_t k);

/* ---- steps.c */
/* a program that occurs in several places has one code, which lives in the arena of the executable.
 * NULL: an error is recorded */
code *code_of(executable *, const program *);

#endif
