/* derive.h - declares a derivative in the making, as derive.c, argnums.c and linear.c see it. */
#ifndef TSR_SRC_TRACE_DERIVE_H
#define TSR_SRC_TRACE_DERIVE_H
#include "trace/trace.h"

typedef struct derive {
	const tracing *g;
	traced *t;
	int first[TSR_MAX_ARGS + 1]; /* the first leaf of each argument of the call; behind them
	                                the number of leaves */
	leaves body;                 /* the arguments of the body */
	int nwrt, wrt[TSR_MAX_ARGS];
	bool *moving;    /* by leaf of the body: has a tangent */
	bool told;       /* the error was recorded here, and names the call already */
	program *p;      /* the body's, without calls */
	int *input;      /* of each leaf of the body: its input of p, -1: absent */
	bool *moves;     /* by input of p */
	const int *rank; /* of an input among those that move */
	int nout;        /* the results being listed: leaf -> result of the program or -1 */
	int *out;
	int ngroups, *count;
} derive;

/* ---- derive/derive.c */
bool fail_derive(derive *, tsr_code, const char *format, ...) PRINTF_LIKE(3, 4);
const char *derive_name(const derive *);      /* "grad" */
int nvalues(const derive *);                  /* results that are differentiated */
bool *results_of(const derive *, int groups); /* by result of p: belongs to the first groups */
/* the results of the call, group by group; leaf: its result of the program, -1: absent */
bool groups_begin(derive *, int leaves_at_most, int groups_at_most);
void group_open(derive *);
void group_leaf(derive *, int result);
void body_groups(derive *, int first, int n); /* those of the body in [first, n) */
int body_leaves(const derive *);
/* the call's program, whose reference it takes, with the groups listed */
bool give(derive *, program *);

/* ---- derive/argnums.c */
int leaf_of(const derive *, int arg);   /* the first one of an argument */
int leaves_of(const derive *, int arg); /* their number */
/* finds the arguments that it is taken by, those of the body, and which of their leaves move */
bool read_moving(derive *);

/* ---- derive/linear.c */
bool derive_linear(derive *);
bool derive_transpose(derive *);

#endif
