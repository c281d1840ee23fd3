/* replicate.h - what replicating shares: which devices have one copy of a value, and the programs
 * that are made for some devices.
 *
 * A crew is some devices of the set, which run a program together: all of them, or those that a
 * predicate sends one way. */
#ifndef TSR_SRC_PASS_REPLICATE_H
#define TSR_SRC_PASS_REPLICATE_H
#include "pass/pass.h"

/* ---- instances.c */

/* Which devices of a crew share a value. Instances are numbered in the order of their first
 * devices; equal ones are one pointer. */
typedef struct instances {
	int n;
	const int *of;    /* by device: its instance */
	const int *first; /* by instance: its first device */
} instances;

typedef struct crew {
	arena *arena;
	int n;
	const int *device;           /* their positions in the device set, rising */
	const instances *one, *each; /* one for all of them; one for each of them */
	table known, joins, parts;
	table settled; /* of structured/replicate.c */
} crew;

crew *crew_make(arena *, int n, const int *device); /* NULL: no memory, here and below */
/* by instance the crew of its devices; the same ones each time */
crew *const *crew_parts(crew *, const instances *);
int crew_find(const crew *, int64_t position); /* its number in the crew; -1: it is not there */
/* devices with equal keys share */
const instances *instances_by(crew *, const uint64_t *key);
/* devices share that share in both */
const instances *instances_join(crew *, const instances *, const instances *);
/* of another crew, for a part of its devices */
const instances *instances_within(crew *part, const crew *, const instances *);

/* ---- replicate.c */

/* a value: a variable for each instance */
typedef struct copies {
	const instances *of; /* NULL: none yet */
	const var *v;
} copies;
static inline var copy_at(const copies *c, int k) { return c->v[c->of->of[k]]; }

typedef struct replication { /* of a whole program */
	base *base;
	arena *arena; /* for as long as it takes */
	const program *program;
	device_set set;
	table exchanges;
	bool fits; /* no device misses a collective that others of its group reach */
} replication;

struct replicating { /* one program, for one crew */
	replication *all;
	crew *crew;
	const program *from;
	build *to;
	copies *value; /* by variable */
};

/* A program with an input for each instance of p's, in[i] of input i, and p's equations, to be
 * ended with results. false: nothing to end */
bool replicate_begin(replicating *, replication *, crew *, const program *p,
                     const instances *const *in);
program *replicate_end(replicating *, const var *out, int n);
/* NULL: no memory */
const copies *copies_of(replicating *, var);
/* devices of the crew share that have one place on these axes */
const instances *instances_over(replication *, crew *, axis_set over);
/* the results of an equation: v[j * crew size + k] is result j on device k */
bool copies_give(replicating *, const eqn *, const var *v);

#endif
