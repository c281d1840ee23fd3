/* replicate.h - declares the records of replicating: the devices that have one copy of a value, and
 * the programs that are made for some devices.
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
	const device *devices; /* by id; NULL: all are of this process */
	table exchanges;
	bool crosses;      /* some groups have members in other processes */
	bool fits;         /* no device misses a collective that others of its group reach */
	int64_t transfers; /* so many have a number */
} replication;

struct replicating { /* one program, for one crew */
	replication *all;
	crew *crew;
	const program *from;
	build *to;
	copies *value;   /* by variable */
	axis_set parted; /* only devices at one place on these axes surely come here together */
};

/* A program with an input for each instance of p's, in[i] of input i, and p's equations, to be
 * ended with results. false: nothing to end */
bool replicate_begin(replicating *, replication *, crew *, axis_set parted, const program *p,
                     const instances *const *in);
program *replicate_end(replicating *, const var *out, int n);
/* NULL: no memory */
const copies *copies_of(replicating *, var);
/* devices of the crew share that have one place on these axes */
const instances *instances_over(replication *, crew *, axis_set over);
/* the results of an equation: v[j * crew size + k] is result j on device k */
bool copies_give(replicating *, const eqn *, const var *v);
const copies **operands_of(replicating *, const eqn *); /* NULL: no memory */
/* *own: the equation, as programs without axes have it */
bool without_axes(replicating *, const eqn *, eqn *own);
/* that one as device k of the crew computes it: its results go to y */
bool replicate_one(replicating *, const eqn *own, const copies *const *x, int k, var *y);
/* its results: made[c * nout + j] is result j of instance c. false: no memory */
bool instances_give(replicating *, const eqn *, const instances *, const var *made);

/* ---- exchange.c */
typedef struct group { /* that a crew runs */
	int n, nx, here;
	const int *member;     /* numbers in the crew; -1: of another process */
	const int64_t *device; /* their ids */
	bool crosses;          /* some are of another process */
	bool reduces;          /* then: in parts (crossing/sums.c), */
	bool moves;            /* or what moves goes in rounds (crossing/rounds.c) */
	const int *own;        /* those that are here */
	const int *before;     /* where it crosses: members_before */
	var *x;                /* operand i of member k is x[i * n + k], nx of them */
	var **view;            /* where it crosses: the same, as a member that is here sees it */
	var *y;                /* results likewise */
} group;
bool replicate_collective(replicating *, const eqn *);

/* ---- crossing/crossing.c */
int process_of(const replicating *, int64_t device);
/* by member the one before it in its process; -1: it is the first. NULL: no memory */
int *members_before(const replicating *, const group *);
/* the operands of members in other processes, for these groups of an equation: sends ours there,
 * and receives theirs */
bool fetch_operands(replicating *, const eqn *, group *, int n);
/* Values that are sent to other processes and received from there, at the same time. Both sides
 * list what goes from the one to the other in the same order. false: recorded */
typedef struct piece piece;
typedef struct pieces {
	piece *v;
	int n, cap;
} pieces;
typedef struct messages messages;
typedef struct transfer {
	replicating *r;
	const eqn *e; /* that it is for */
	bool ordered; /* messages leave in the order in which they are listed */
	pieces out, in;
	transfer_params p; /* from the begin on, as the rest */
	messages *came;
	var *held; /* what is sent, and then what is received */
} transfer;
bool transfer_send(transfer *, int process, var);
bool transfer_receive(transfer *, int process, const type *, var *to); /* set by the end */
bool transfer_begin(transfer *);
bool transfer_end(transfer *);
bool transfer_emit(transfer *); /* both */
/* the parts of a crew that go different ways, in one order in all processes */
const int *parts_in_order(replicating *, crew *const *part, int n, axis_set over);
/* Results, as copies_give takes them: devices share what is the same on them by its type. That of
 * groups which receive the same cannot be told otherwise */
bool share_results(replicating *, const eqn *, var *y);

/* ---- crossing/rounds.c */
typedef struct rows_way rows_way;
/* A group whose processes have equally many members, one behind the other */
typedef struct lineup {
	group *g;
	int n, mine, each; /* processes, which of them this one is, and members of each */
	axis_level level;     /* the farthest apart of them */
	const rows_way *rows; /* the plan by which rows of a sum go; NULL: none */
} lineup;
bool is_lined_up(const replicating *, const eqn *, const group *); /* and it has one operand */
lineup lineup_of(const replicating *, const eqn *, group *);
int process_at(const replicating *, const lineup *, int k); /* k from 0, and again behind the end */
int rounds_of(int n); /* log2(n), and no less */
/* n processes send each other so many bytes each: n - 1 messages at once, or in so many rounds */
double direct_ns(axis_level, int n, double bytes);
double rounds_ns(axis_level, int n, double bytes);
/* of n blocks those that move in the round of this span of an all_to_all */
int64_t traded(int64_t n, int64_t span);
/* do rounds take less time? bytes: of what one process has for another */
bool gathers_in_rounds(axis_level, int n);
bool trades_in_rounds(axis_level, int n, double bytes);
/* The element at which part k of n begins; k = n: the end. The first all % n parts have one element
 * more than the others, so that parts of equal length are neighbours, in few slices */
int64_t part_begin(int64_t all, int64_t n, int64_t k);
/* the elements of all, if each part were as long as the first one */
int64_t filled(int64_t all, int64_t n);
/* each row, of one dim, becomes that of all processes of its line, in their order; all: by row, the
 * elements of which each process has its part */
bool gather_rows(replicating *, const eqn *, lineup *const *, int n, const int64_t *all, var *row);
/* first the elements of a row from `at` on, and then the others */
var turned_row(build *, var row, int64_t at);
/* does the row move, and in rounds? */
bool moves_in_rounds(const replicating *, const eqn *, group *);
/* the results of those of these groups that do */
bool move_in_rounds(replicating *, const eqn *, group *, int n);

/* MOST_BLOCKS: blocks of 2^i processes, each of which is larger than all behind it. MOST_WALKED:
 * all messages of a plan of so many processes are walked at most, since a formula may be wrong */
enum { MOST_BLOCKS = 31, MOST_WALKED = 128 };

/* ---- crossing/ways.c */
/* How n processes get their parts of a sum of rows of so many bytes */
typedef struct early_way { /* of a block and its rest */
	int from;    /* the rest sends its sum from this round on; behind all halves: not early */
	int keep;    /* to so many of those who have different elements then in later rounds */
	int classes; /* have equally much of what the rest is to have: those with the same end */
	int shares;  /* of what one of the rest is to have, each smaller than the one before; */
	int start;   /* of a message, in WHOLE of the bytes of that; for the largest share, */
	int own;     /* and so much its process still gets behind its halves */
	bool together; /* the rest's sum is passed on with halves, not before them */
	bool shifted;  /* the last one of the rest takes the first share, and so on */
} early_way;
typedef struct halving_way {
	double ns;
	early_way early[MOST_BLOCKS]; /* by block */
	int base;   /* the processes from this block on are one */
	int whole;  /* in so many blocks, the first ones, shares end where those of an owner do */
} halving_way;
halving_way halving_way_of(base *, axis_level, int n, double bytes);

/* ---- crossing/around.c */
/* the largest power of two that divides n: so many processes are the leaves of a subtree */
static inline int block_of(int n) { return n & -n; }
/* sum_around: each row becomes the sum of all. scatter_around: processes have exchanged halves in
 * blocks of block_of(n) already, so a row has the parts of those with the same number in their
 * blocks; it becomes the part of this process */
bool sum_around(replicating *, const eqn *, lineup *const *, int n, var *row);
bool scatter_around(replicating *, const eqn *, lineup *const *, int n, var *row);
/* of rows of so many bytes, with what it takes to join them. Infinity: no memory */
double sum_around_ns(base *, axis_level, int n, double bytes);
double scatter_around_ns(axis_level, int n, double bytes);

/* ---- crossing/halves.c */
bool scatter_in_rounds(replicating *, const eqn *, lineup *const *, int n, var *row);

/* ---- crossing/rows.c */
struct rows_way { /* a plan of a sum of rows that all get */
	double ns;  /* until all have it. Infinity: no memory */
	int pairs;  /* of the first block that get the sum of its rest in two parts */
	bool last;  /* they get that from behind the rest's block after all of that block */
	bool waits; /* messages that wait least for their receivers go first */
};
/* of n processes, no power of two, and rows of so many bytes */
rows_way choose_rows(base *, axis_level, int n, double bytes);

/* ---- crossing/whole.c */
bool sum_whole(replicating *, const eqn *, lineup *const *, int n, var *row);

/* ---- effects.c */
bool replicate_effects(replicating *, const eqn *);

/* ---- crossing/sums.c */
/* How n processes get the sum of rows of so many bytes in the least time by message_costs: each its
 * part of it; or all of them all, as roots of subtrees, which go around or are planned, or in parts
 * of which then all get all */
typedef enum scatter_way {
	SCATTERS_AT_ONCE,   /* behind some halves, in crossing/sums.c */
	SCATTERS_AROUND,    /* crossing/around.c */
	SCATTERS_IN_ROUNDS, /* crossing/halves.c */
	SCATTERS_AS_LISTED, /* crossing/listed.c */
	SCATTER_WAYS
} scatter_way;
scatter_way choose_scatter(base *, axis_level, int n, double bytes);
typedef enum sum_kind { SUMS_IN_PARTS, SUMS_AROUND, SUMS_BY_PLANS } sum_kind;
typedef struct sum_way {
	sum_kind kind;
	rows_way rows; /* of SUMS_BY_PLANS */
} sum_way;
sum_way choose_sum(base *, axis_level, int n, double bytes);
/* in how many rounds n processes halve their parts, before they send each other the rest at once */
int halvings_of(axis_level, int n);
/* does the group add up, or join otherwise, in parts? */
bool reduces_in_parts(const replicating *, const eqn *, const group *);
/* the results of those of these groups that do */
bool reduce_in_parts(replicating *, const eqn *, group *, int n);

#endif
