/* plan.h - from a fused program to a table of steps on planned memory, for every engine that
 * compiles.
 *
 * What all devices do is one program for one device by now (pass/replicate), whose equations are
 * gathered into kernels (pass/fuse). values.c and storage.c give every value its place. schedule.c
 * makes the steps of every equation, control.c and loops.c those of branches and loops. kernels.c
 * finds the distinct kernels. text.c prints it all. Nothing here knows a processor, machine code,
 * workers or an address: an engine compiles the kernels, fills in how many items they have, and
 * walks the table.
 *
 * Words: a `schedule` is the table of `steps`; a `level` is one program that is being put into it.
 * A `place` is an offset from a `root`, an address that is known when a run begins. Steps of one
 * `wave` do not depend on each other. A `unit` is a distinct kernel. The `items` of a step may be
 * computed in any order. A `whole` is a value with memory of its own; other values are parts of a
 * whole. */
#ifndef TSR_SRC_PLAN_H
#define TSR_SRC_PLAN_H
#include "kernel/kernel.h"
#include "pass/pass.h"

/* ---- where values are: the address of a root, plus an offset in bytes. Roots get their addresses
 * when a run begins; a loop moves those of slices */
typedef struct place {
	int32_t root; /* -1: none */
	int64_t offset;
} place;
#define NOWHERE ((place){-1, 0})
static inline bool same_place(place a, place b) { return a.root == b.root && a.offset == b.offset; }
typedef enum root_kind {
	ROOT_INPUT,
	ROOT_OUTPUT,
	ROOT_CONSTANTS, /* the literals of the program */
	ROOT_SCRATCH,   /* a part of the scratch memory of the run */
	ROOT_SLICE      /* a part of `whole` */
} root_kind;
typedef struct root {
	root_kind kind;
	int32_t index;  /* which input or output */
	int64_t offset; /* in scratch memory */
	place whole;
	int64_t bytes; /* of the output, the scratch memory, the whole */
} root;

/* ---- the table: what all steps have, and what only those of a kind have (text.c and
 * engine/cpu/code.c have examples) */
typedef enum step_kind {
	STEP_KERNEL,  /* args: operands, literals of the kernel if it has any, results */
	STEP_COPY,    /* args: from, to */
	STEP_PRODUCT, /* args: a, b, c */
	/* args of an eval, or of a library in its place: operands, results, and scratch memory if
	 * it needs some */
	STEP_CALL,
	STEP_UPDATE,  /* args: a part, its starts, the whole it is put into */
	STEP_HOST,    /* args: operands, results. Calls the user, on the calling thread */
	/* Begins to send its first args to other processes and to receive the others from there;
	 * args of its end are the same, which are sent and received then. On the calling thread */
	STEP_BEGIN,
	STEP_END,
	STEP_SWITCH,  /* arg: an index, clamped, or a predicate. Goes on at target[its value] */
	STEP_GO,      /* goes on at target[0] */
	STEP_LOOP,    /* the counter is 0. Goes on at target[0] if length is 0 */
	STEP_SLICES,  /* moves slices along with the counter */
	STEP_NEXT,    /* adds 1 to the counter; goes on at target[0] while it is below length */
	STEP_WHOLE    /* a branch or a loop: an engine may do all up to target[0] at once */
} step_kind;
typedef struct step_of_copy { /* bytes */
	int64_t rows, row, from_stride, to_stride;
	int64_t grain; /* of an item, where there is one row */
} step_of_copy;
typedef struct step_of_call {
	const eqn *eqn;
	const type *const *in, *const *out; /* of its operands and results */
	int64_t scratch;  /* bytes that each part has of its own; 0: none, or one range for all */
	int64_t phase;    /* of its eval: one has a step each, in waves that follow each other */
	bool has_scratch; /* the last arg */
	bool library;     /* a library computes it, not its eval */
} step_of_call;
typedef struct step_of_update {
	const type *part, *whole, *const *start;
	const int64_t *from, *to; /* strides, bytes: of the part and of the whole */
} step_of_update;
typedef struct step_of_transfer {
	int32_t number; /* from 0 on. Of one number, one is under way at a time */
	ints to, from;  /* processes: of the first args, and of those behind them */
} step_of_transfer;
typedef struct step_of_count {
	int32_t counter;
	int64_t length;
} step_of_count;
typedef struct slice {
	int32_t root;
	int64_t stride; /* bytes */
} slice;
typedef struct step_of_slices { /* number times * counter + plus, of `length` */
	int32_t counter, n;
	bool reverse; /* from the last slice to the first */
	int64_t times, plus, length;
	const slice *v;
} step_of_slices;
typedef struct step {
	step_kind kind;
	int32_t wave;            /* steps of a wave do not depend on each other */
	int32_t nargs, nresults; /* results are the last args */
	const place *arg;
	const int64_t *bytes; /* by arg */
	int32_t made;         /* what the engine has made of it: its own number; 0: nothing */
	int64_t items;        /* parts of the step, in any order or side by side; of a kernel, the
				 engine sets it */
	double cost;          /* nanoseconds, estimated */
	const char *where;    /* of the equation */
	int32_t number;       /* likewise: eqn.number */
	int32_t ntargets; /* of jumps: steps */
	int32_t *target;
	union { /* of its kind */
		int32_t unit;
		step_of_copy copy;
		const matrix_product *product;
		step_of_call call; /* STEP_CALL, STEP_HOST */
		step_of_update update;
		step_of_transfer transfer; /* STEP_BEGIN, STEP_END */
		bool predicate;      /* STEP_SWITCH: of a bool */
		step_of_count count; /* STEP_LOOP, STEP_NEXT */
		step_of_slices slices;
	};
} step;

/* a distinct kernel */
typedef struct unit {
	const program *program; /* a reference */
	kernel *kernel;
	place literals; /* of the kernel, if it has any */
	double cost; /* nanoseconds, estimated */
} unit;

/* how an equation uses a kernel */
typedef struct kernel_use {
	int32_t unit;
	const kernel *kernel;
	const int64_t *begin; /* by input: the first byte that it reads */
} kernel_use;

/* what a result of the program is: an input, unchanged, or an output of the run */
typedef struct given {
	bool is_input;
	int32_t index;
} given;

typedef struct schedule {
	base *base;
	const program *program; /* a reference: steps know equations of it */
	arena *arena;
	const target *target; /* while it is made: the caller's */
	str *why;             /* likewise: why it cannot be */
	step *step;
	root *root;
	unit *unit;
	size_t nsteps, step_cap, nroots, root_cap, nunits, unit_cap;
	table unit_of; /* by program */
	char *constants;
	size_t nconstants, constants_cap;
	int32_t constants_root;
	int32_t nwaves, nloops, ncounters, ninputs, noutputs;
	int32_t ntransfers;
	int64_t scratch;       /* bytes */
	int64_t *output_bytes; /* by output */
	size_t *output_item;   /* by output: of an element */
	given *given;          /* by result of the program */
	int32_t *heir;         /* by input: the output that may take its memory; -1: none */
	int32_t *donor, *next; /* by output: the first input whose memory it may take; by input: the
	                          next one for the same output; -1: none */
	struct may_take *may_take; /* a list: what outputs may take if no other output does */
	bool all_large;            /* for tests: small work is treated like large work */
} schedule;

/* ---- storage.c: memory of one program, given and taken back as its waves go by */
typedef struct storage {
	base *base;
	struct hole *hole;
	size_t nholes, cap;
	int32_t top[2], spare; /* of the tree of each order; a hole that is none any more */
	int64_t end;           /* the most bytes that were in use */
} storage;
int64_t storage_take(storage *, int64_t bytes); /* an offset; -1: no memory */
bool storage_give(storage *, int64_t offset, int64_t bytes);
void storage_free(storage *);

/* ---- values.c: where the values of one program are.
 *
 * A value is a whole, or a part of another value. Reshapes, and slices that are one range of
 * memory, are parts of their operands; what is joined along the outermost dim is computed right
 * where the result has it. A whole gets memory when its first part is made, and gives it back after
 * the last use of any part. */
typedef struct wanted { /* where a result of a program should be */
	place at;       /* NOWHERE: anywhere */
	int tied;       /* the input that is already there; -1: none */
	int64_t moved;  /* set to the number of bytes that had to be copied there at the end */
} wanted;
typedef struct level { /* one program that is being scheduled */
	schedule *s;
	arena *arena;
	const program *p;
	struct value *value; /* by variable */
	int32_t *wave;       /* by equation */
	bool *idle;          /* by equation: it has no steps, since its result is where its operands
				are */
	int32_t *leaves;     /* by result: the wave that copies it to where it is wanted, if that is
	                        not done at the end; -1: it is */
	int32_t *ending;     /* by wave: a list of the owned wholes that nothing needs afterwards */
	int32_t nwaves, now;
	int32_t root;   /* its scratch memory */
	bool outermost; /* its inputs and results are those of a run */
	storage storage;
	struct borrowed *borrowed; /* for this wave */
	table vacant; /* of the outermost: inputs that nothing reads any more, by their bytes */
} level;
bool level_init(level *, schedule *, bool outermost, const program *, const place *in,
                const wanted *);
void level_free(level *);
/* equations of this wave come next: frees the memory that no value needs any more */
bool level_next_wave(level *, int32_t wave);
place level_place(const level *, var);   /* of an operand, or of a result once it has one */
bool level_is_input(const level *, var); /* or a part of one */
/* scratch memory until the end of this wave; -1: no memory */
int64_t level_borrow(level *, int64_t bytes);
bool level_give_back(level *); /* what was borrowed last */
int64_t value_bytes(const type *);

/* ---- results.c */
/* a place for each result of an equation; kernel: what computes it, or NULL */
bool level_place_results(level *, const eqn *, const kernel *);
/* at the end: an input whose memory no output takes goes to one that could take it too */
void inherit_rest(schedule *);

/* ---- schedule.c */
/* NULL: an error is recorded; or there can be none, as *why then says */
schedule *schedule_make(base *, const target *, const program *fused, str *why);
void schedule_free(schedule *);          /* NULL is fine */
size_t schedule_bytes(const schedule *); /* of memory, without programs */
static inline bool step_computes(const step *x) { return x->kind <= STEP_UPDATE; }
/* the end of the steps that compute in one wave, from step i on, which is one of them */
int32_t wave_end(const schedule *, int32_t i);
/* makes the steps of a program whose inputs are at `in`; around: the level that holds it, or
 * NULL */
bool schedule_program(schedule *, level *around, const program *, const place *in, wanted *);
/* NULL: no memory. The steps may move when another one is made */
step *add_step(schedule *, step_kind, const eqn *);
int32_t root_add(schedule *, root);                                   /* -1: no memory */
place constant_place(schedule *, const void *literal, int64_t bytes); /* NOWHERE: no memory */

/* ---- equations.c */
/* it has no kernel: a step calls its eval, or its host */
bool is_called(const eqn *);
const char *why_called(const eqn *);
bool step_copy(schedule *, const eqn *, place from, place to, int64_t bytes);
/* the steps of an equation that is no loop or branch */
bool schedule_equation(level *, const eqn *);

/* ---- span.c: memory that steps write, as offsets that can be compared */
typedef struct span {
	int32_t memory; /* 0: scratch; 1 + an output */
	int64_t from, to;
} span;
bool span_of(const schedule *, place, int64_t bytes, span *); /* false: nobody writes there */
bool spans_overlap(const schedule *, place a, int64_t na, place b, int64_t nb);

/* ---- text.c: for people, one step a line. remark puts what the engine has made of a step */
void schedule_text(str *, const schedule *, void (*remark)(str *, const step *, const void *user),
                   const void *user);

/* the equations of a note's step, and what it reads and writes; note->in: the schedule */
void step_describe(const profile_note *, str *name, profile_facts *);

/* what it calls eval for, one row and place in the source a line; nothing if there is none */
void schedule_calls(str *, const schedule *);
/* an equation whose eval is called although its row is not listed; NULL: there is none */
const eqn *schedule_call_unlisted(const schedule *);

/* ---- control.c */
bool schedule_control(level *, const eqn *);
/* the operand whose value a result starts from: a carry, or an array that is updated; -1: none */
int operand_of(const eqn *, int result);
int updated_operand(const eqn *); /* that the result is, updated in place; -1: none */
int32_t next_step(const schedule *); /* the number of the step that is made next */
step *last_step(const schedule *);
/* a step with targets, which are the caller's to set. NULL: no memory */
int32_t *step_jump(schedule *, step_kind, const eqn *, int ntargets);
/* goes on at the target that the scalar at a place selects */
int32_t *step_switch(schedule *, const eqn *, place, bool predicate, int ntargets);

/* ---- loops.c */
bool schedule_while(level *, const eqn *);
bool schedule_scan(level *, const eqn *);

/* ---- kernels.c */
/* the list in the use is allocated in the arena */
bool unit_of(schedule *, arena *, const program *, kernel_use *);
bool unit_of_equation(schedule *, arena *, const program *, const eqn *, kernel_use *);
int64_t literals_bytes(const kernel *);
/* is each element of the input only read to compute the same element of the result? */
bool kernel_in_place(const kernel *, int input, int result);

/* ---- origin.c: the program for inputs that begin where it begins to read them, begin[i] bytes
 * after their first element. A reference; NULL: failed */
const program *program_at_origin(arena *, const program *, const int64_t **begin);

#endif
