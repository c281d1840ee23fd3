/* custom.h - describes the body of a custom fn and its rules, traced: custom.c fills it, and
 * custom_programs.c makes the programs of an equation of it. */
#ifndef TSR_SRC_TRACE_CUSTOM_H
#define TSR_SRC_TRACE_CUSTOM_H
#include "trace/trace.h"

/* groups of leaves: arguments or results of the body or of a rule */
typedef struct sides { /* leaves.types: NULL where a leaf is absent */
	leaves of;
	tsr_arg *arg;
	const type **types;
} sides;

static inline int group_size(const sides *s, int group)
{
	return s->arg[group].kind == TSR_KIND_TREE ? (int)s->arg[group].as.tree.count : 1;
}

typedef struct traced_fn {
	const fn *fn;
	const char *role; /* "forward rule"; NULL: the body */
	const program *p;
	sides in, out;
	const int *result;  /* by leaf of its results: result of the program, or -1: absent */
	int first, nlifted; /* which of those that were lifted are its own */
} traced_fn;

typedef struct custom {
	const tracing *g;
	traced *t;
	arena *a;
	traced_fn body, rule[2];
	int nleaves, nown, n; /* operands: leaves, with captures, all */
	const type **operand; /* their types */
	int nwrt;
	int64_t *wrt;
	bool innermost; /* of the calls in its own rules */
} custom;

/* ---- derive/custom_programs.c: the programs of the equation. NULL: failed */
/* its program, and the places of its results among the leaves of the call. false: failed */
bool give_body(custom *);
/* results that are wanted, of these types: the body's, then their tangents */
program *make_rule(const custom *, const sides *want);
/* for the innermost call: results, and zeros as their tangents */
program *make_no_rule(const custom *, const sides *want);
/* results, residuals, what backward reads */
program *make_forward(const custom *);
/* want: cotangents of the operands that are differentiated */
program *make_backward(const custom *, const sides *want);

#endif
