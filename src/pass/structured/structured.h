/* structured.h - declares the pieces that the rows of control flow share.
 *
 * Words, besides those of pass.h: a `choice` is a cond, a `loop` a scan or a while, a `region` a
 * shard_map with its body. The `constants` of a loop are operands that every step takes unchanged;
 * the `carry` goes from each step to the next. Each step of a scan takes a slice of its `xs`, and
 * gives one of its `ys`. `instances` and `crews` are explained in pass/replicate.h. */
#ifndef TSR_SRC_PASS_STRUCTURED_H
#define TSR_SRC_PASS_STRUCTURED_H
#include "pass/pass.h"

/* ---- check.c: do the programs inside take and give what their edges say? Sets the types of the
 * results, in a cleared list, for slices those of one step. false: an error is recorded */
bool check_inside(build *, const eqn *, const type *const *in, const type **out);
/* does the rule take and give values of these types? */
bool check_rule(build *, const eqn *, const inner *rule, const type *const *in, int nin,
                const type *const *out, int nout);

/* ---- blocks of a run: lists of n blocks a value, one a device */
static inline void blocks_retain(const run_args *run, block *const *from, block **to, int64_t n)
{
	for (int64_t i = 0; i < n; i++) to[i] = from[i] ? run->on->retain(from[i]) : NULL;
}
static inline void blocks_release(const run_args *run, block **of, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		run->on->release(of[i]);
		of[i] = NULL;
	}
}

/* a reference more to n values of the active devices */
static inline void blocks_hold(const run_args *run, const bool *active, block *const *of, int64_t n)
{
	for (int64_t i = 0; i < n * run->on->n; i++)
		if (active[i % run->on->n]) run->on->retain(of[i]);
}
/* runs program number `which` on n values that stay the caller's */
static inline bool run_inside(const run_args *run, int which, const bool *active, block *const *x,
                              int64_t n, block **y)
{
	blocks_hold(run, active, x, n);
	return run->on->run(run->on, which, active, x, y);
}

/* ---- call.c */
/* runs the first program on the operands: the column run of rows that are its results */
bool run_program_inside(const run_args *);

/* ---- remat_split.c, custom_rules.c */
void remat_split(splitting *, const eqn *, const bool *known, bool *yknown);
void custom_jvp_jvp(build *, const eqn *, const var *x, const var *dx, var *y, var *dy);
void custom_jvp_batch(build *, const eqn *, const batching *, const var *x, const bool *mapped,
                      var *y, bool *ymapped);
void custom_vjp_jvp(build *, const eqn *, const var *x, const var *dx, var *y, var *dy);
void custom_vjp_batch(build *, const eqn *, const batching *, const var *x, const bool *mapped,
                      var *y, bool *ymapped);
void custom_lin_transpose(build *, const eqn *, const type *const *in, const var *x, const var *ct,
                          var *dx);
void custom_lin_batch(build *, const eqn *, const batching *, const var *x, const bool *mapped,
                      var *y, bool *ymapped);

/* ---- one_by_one.c */
/* Where the predicate of a choice or loop varies over some axes, and there are effects inside:
 * devices that have one place on these axes go together, one group after the other, in the order of
 * their first devices. But if they must all take part in a collective over these axes (in unchecked
 * regions), all go together */
bool in_turn(const eqn *, axis_set over);
bool run_in_turn(const run_args *, axis_set over, bool (*run)(const run_args *));

/* ---- arrange.c */
int programs_in(const eqn *); /* how many there are */
void *room_inside(build *, const eqn *, size_t each); /* cleared_room as many */
static inline bool *flags(build *b, int n) { return cleared_room(b, n, sizeof(bool)); }
static inline int *numbers(build *b, int n) { return cleared_room(b, n, sizeof(int)); }

/* ---- flow.c */
/* What is carried has a property as operand if it has as result, and the other way round. true:
 * results have it that had not */
bool carry_alike(const eqn *, bool *out, bool *in);
typedef struct flow { /* of a property */
	const eqn *eqn;
	bool *in, *out; /* by operand, result: has it the property? Operands may come to have it */
	/* Makes program number `which`, p, for inputs that have it; says which of its results do:
	 * those that must, and others. false: failed */
	bool (*make)(void *user, int which, const program *p, const bool *in, const bool *must,
	             bool *out);
	void *user;
} flow;
/* makes the programs that give results, each as often as it takes. false: the build has failed */
bool flow_settle(build *, const flow *);

/* ---- jvp.c: the column jvp of rows that hold programs */
void jvp_inside(build *, const eqn *, const var *x, const var *dx, var *y, var *dy);

/* ---- transpose.c: the column transpose of rows that hold programs. A transposer is
 * pass_transpose of a program inside e; put appends the equation */
typedef program *transposer(const eqn *e, const program *, const bool *linear, const bool *given,
                            bool *arrives);
void transpose_inside(build *, const eqn *, const type *const *in, const var *x, const var *ct,
                      var *dx, transposer *, void (*put)(const rebuilt *, program **inside));
transposer transpose_linear; /* pass_transpose itself */
transposer transpose_mixed;  /* pass_linear_transpose */
#define TRANSPOSE_INSIDE(prim_, transposer_, put_) \
	static void prim_##_transpose(build *b, const eqn *e, const type *const *in, const var *x, \
	                              const var *ct, var *dx) \
	{ \
		transpose_inside(b, e, in, x, ct, dx, transposer_, put_); \
	}

/* columns of rows that hold programs: the name, the sentence, the table of parameters and the rule
 * of types */
#define STRUCTURED(prim_, doc_, fields_, types_) \
	.name = #prim_, .doc = doc_, .flags = PRIM_OWN_VARYING | PRIM_OWN_WEAK, .nin = -1, \
	.nout = -1, .params = fields_, .types = types_

/* ---- split.c */
/* The halves of the programs that give results, by program, in the arena of the build. NULL: it has
 * failed. *stays: the operands that are known, but for what is carried and becomes unknown.
 * known_out: cleared before */
halves *split_inside(build *, const eqn *, const bool *known, bool **stays, bool *known_out);
/* By residual of the halves of program `which`, the operand that it is, or -1. What is carried is
 * no operand, but at the first step */
int *residual_operands(build *, const eqn *, int which, const halves *, const bool *known);
static inline int known_results(const halves *h) { return h->known->nout - h->nresiduals; }

/* ---- batch.c */
typedef struct batched { /* an equation */
	build *b;
	const eqn *eqn;
	const batching *to;
	const bool *mapped; /* by operand: as it is */
	bool *in, *out;     /* by operand, result: as it becomes */
	program **made;     /* references */
	bool apart;         /* each element of the batch leaves a loop on its own */
} batched;
/* makes the programs; false: the build has failed, and nothing is left to release */
bool batched_begin(batched *, build *, const eqn *, const batching *, const bool *mapped,
                   bool *ymapped);
/* makes them once more, for more mapped operands */
bool batch_programs(batched *);
void batched_release(const batched *);
/* an operand for them; the equation on them, whose references it takes */
var batched_operand(const batched *, const var *x, int i);
void batched_finish(const batched *, const var *x, var *y);
/* the column batch of a row, whose elements all go one way */
void batch_inside(build *, const eqn *, const batching *, const var *x, const bool *mapped, var *y,
                  bool *ymapped);

/* ---- cond_batch.c, cond_split.c */
void cond_split(splitting *, const eqn *, const bool *known, bool *yknown);
void cond_batch(build *, const eqn *, const batching *, const var *x, const bool *mapped, var *y,
                bool *ymapped);

/* ---- scan_split.c */
void scan_split(splitting *, const eqn *, const bool *known, bool *yknown);

/* ---- while_rules.c */
void while_split(splitting *, const eqn *, const bool *known, bool *yknown);
void while_batch(build *, const eqn *, const batching *, const var *x, const bool *mapped, var *y,
                 bool *ymapped);

/* ---- shard_map_rules.c */
void shard_map_split(splitting *, const eqn *, const bool *known, bool *yknown);
void shard_map_transpose(build *, const eqn *, const type *const *in, const var *x, const var *ct,
                         var *dx);
void shard_map_batch(build *, const eqn *, const batching *, const var *x, const bool *mapped,
                     var *y, bool *ymapped);

/* ---- replicate.c: the column replicate of rows that hold programs */
bool replicate_inside(replicating *, const eqn *);

/* why loops and choices have no `lower` */
#define STEPS_OF_A_SCHEDULE "its programs are steps in the schedule of an engine"
#define PROGRAMS_INSIDE "only its programs compute"

#endif
