/* fuse.h - declares the records and functions of the files of pass_fuse. docs/design/0012-fusion.md
 * has the reasons.
 *
 *     prepare.c what is replaced before: by sums.c, put_parts.c, panels.c
 *     panels.c  operands of large products as tiles read them
 *     kinds.c   which equations are no kernels
 *     products.c who computes an equation
 *     weigh.c   what it takes to compute a value anew
 *     sites.c   at which indices a kernel asks for the elements of a value
 *     groups.c  groups of equations
 *     puts.c    groups that put elements
 *     choose.c  which equations are one kernel
 *     merge.c   which groups beside each other are one kernel
 *     views.c   where a product reads patches
 *     body.c    the program of a call
 *     fuse.c    the program that is made of it all
 *
 * Work is counted in operations on one element, such as an addition in a vector. */
#ifndef TSR_SRC_PASS_FUSE_H
#define TSR_SRC_PASS_FUSE_H
#include "pass/pass.h"

/* ---- prepare.c: the program, in which some equations are replaced by others; a reference, NULL:
 * failed */
const program *fuse_prepare(const target *, const program *);

/* ---- sums.c: reductions with few results, made of parts */
bool sum_has_parts(const target *, const program *, const eqn *);
var sum_of_parts(build *, const target *, const program *, const eqn *, var x);

/* ---- put_parts.c: elements put at places in a small array, likewise */
bool put_has_parts(const target *, const program *, const eqn *);
var put_of_parts(build *, const target *, const program *, const eqn *, const var *in);

/* ---- kinds.c */
double nodes_of(const program *, const eqn *); /* of the kernel, at most, for one element */
typedef enum eqn_kind {
	EQN_LOCAL, /* part of kernels */
	EQN_PLAIN, /* part of kernels that use it; where it is stored, a plain move */
	EQN_ALONE  /* is a group by itself */
} eqn_kind;
eqn_kind eqn_kind_of(const target *, const program *, const eqn *);

/* ---- sites.c */
typedef struct loop {
	int32_t parent;
	double steps; /* how often its inside is reached */
	double rows;  /* of these, in the loops of results: what workers can share */
} loop;
typedef struct site_dim {
	uint64_t id;  /* of the index: equal ones are equal */
	int32_t loop; /* the innermost loop that it depends on */
	bool plain;   /* the index of a loop itself, or of a dim of size 1 */
} site_dim;
/* an index at which elements of a value are asked */
typedef struct site {
	struct site *next;
	uint64_t id;
	int32_t loop;   /* the innermost loop or branch in which it has to be computed */
	int32_t branch; /* the innermost branch; 0: none */
	int32_t ndim;
	site_dim dim[];
} site;
typedef struct use { /* of a value by a group */
	int32_t group, var;
	bool inside; /* the group makes it itself */
	bool held;   /* the group puts elements into it, so it is stored */
	int32_t nsites;
	site *sites;      /* of a kernel */
	struct use *next; /* of the value */
} use;

/* ---- groups.c */
typedef struct member {
	int32_t eqn;
	int32_t var; /* of a kernel: which result it is of; 0: all, of one that is alone */
	bool stored;
	struct member *next, *next_stored;
} member;
typedef struct group { /* a kernel, or one equation that is none, with what it gathers */
	bool kernel;
	bool puts;           /* elements into its one result: the loops are those of what is put */
	const type *whole;   /* its result of most dims: the loops */
	const int32_t *loop; /* of each dim of it */
	member *members;     /* before those that use them */
	member *stored;      /* of these, those that are stored; until groups merge */
	int32_t nmembers, nresults;
	int32_t nvalues;   /* inputs and results */
	int32_t low, high; /* the least and greatest height of its equations */
	double work, nodes;
	uint64_t content; /* a hash of its rows, in whatever order */
	double narrow;    /* the fewest rows that share much work */
	int32_t seen;     /* by a search */
	bool made;        /* in the new program */
} group;

typedef struct leaves { /* stored values that a value is computed from */
	int n;
	const int32_t *var;
} leaves;

typedef struct fuse {
	const target *target;
	const program *p;
	base *base;
	arena *scratch;
	/* by equation */
	int32_t *height; /* steps to the results */
	uint8_t *kind;
	int32_t *alone; /* 1 + its group, of one that is alone */
	/* by variable */
	int32_t *maker; /* 1 + the equation; 0: none */
	int32_t *above; /* the height of what makes it */
	int32_t *consumers;
	double *weight; /* work for one element, from what is likely to be stored */
	leaves *leaves; /* likely to be stored, too */
	bool *cut;      /* has too many leaves, and is stored */
	use **uses;
	int32_t *home; /* 1 + the group that stores it; 0: none */
	bool *result;  /* of the program */
	table use_of;  /* by group and variable */
	loop *loops;
	size_t nloops, loops_cap;
	group *groups;
	size_t ngroups, groups_cap;
	int32_t nvalues; /* variables, and the tokens of equations with effects */
	int32_t effects; /* 1 + the group of the next one with effects; 0: none */
	int32_t searches;
	bool all_ways; /* searches leave out no group (choose.c, leads_to) */
	bool cycle;    /* groups need each other's results */
	bool failed;
} fuse;

/* ---- weigh.c */
void weigh(fuse *);
/* values of about the size of this one, or larger, that are read to compute it */
int wide_leaves(const fuse *, int32_t var);
bool is_wide(const fuse *, int32_t var, const type *beside);
static inline const type *fuse_type(const fuse *f, int32_t var) { return f->p->vars[var].type; }

/* ---- sites.c: what is asked of values, and where */
int32_t loop_open(fuse *, int32_t parent, double extent, bool of_results);
/* the element of a result of type t that the loops of a group are at */
site *site_of_loops(fuse *, const group *, const type *);
const site *site_find(const site *, uint64_t id);
void ask_at(use *, site *); /* once each */
/* what an equation in a group, asked at a site, asks of its operands */
void sites_ask(fuse *, int32_t group, const eqn *, const site *);
/* what an equation asks of its operands that puts elements, the last of which is asked at a site */
void sites_ask_put(fuse *, int32_t group, const eqn *, const site *);

/* ---- groups.c: makes them, and adds members */
use *use_in(fuse *, int32_t group, int32_t var); /* new if there is none yet */

/* do the dims of one type begin with those of the other? Then one kernel can have both results */
bool same_loops(const type *, const type *);
/* equation i, which is e, as a member of a group that uses it; stored: others read its results
 * too */
void add_member(fuse *, use *, const eqn *e, int32_t i, bool stored);
void add_stored(fuse *, use *, const eqn *e, int32_t i);
/* The k-th value that a member gives; 0: no more. To keep equations with effects in order, each one
 * also gives a token, which the next one takes. Tokens are numbered after all variables */
int32_t gives(const fuse *, const member *, int k);
/* something uses it, or it is a result of the program */
static inline bool is_needed(const fuse *f, int32_t var) { return f->uses[var] || f->result[var]; }
/* in a group of its own, which stores all results that are needed */
void begin_kernel(fuse *, const eqn *e, int32_t i);
void stand_alone(fuse *, const eqn *e, int32_t i);
group *group_new(fuse *, const eqn *e, int32_t i, bool kernel); /* NULL: no memory */
/* the same for groups of the same rows; t: of the result */
uint64_t content_of(const program *, const eqn *, const type *t);

/* ---- puts.c: in a group of its own too, of an equation that puts elements into operand 0 */
void begin_put(fuse *, const eqn *e, int32_t i);
/* can this value be computed where it is put, although only one worker does that? */
bool is_light_put(const fuse *, const group *, const use *);

/* ---- choose.c */
bool groups_find(fuse *);

/* ---- merge.c: groups that do not need each other */
bool groups_merge(fuse *);

/* ---- body.c */
typedef struct body {
	program *program;
	const char *where;
	int nin, nout;
	var *in, *out; /* variables of the program that is fused: what it takes and gives */
} body;
typedef struct spot {  /* a variable, while the body of a group is made */
	int32_t group; /* that this was last used for, from 1 */
	const eqn *by; /* the member that makes it; NULL: an input */
	uint64_t hash; /* of what it is made of */
	var inside;
} spot;
bool body_make(fuse *, spot *, int32_t group, body *);

#endif
