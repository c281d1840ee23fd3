/* program.h - the one intermediate form: typed, first order, single assignment; and the row type of
 * the primitive table.
 *
 * A variable is a small integer into its program's table of variables, each with an interned type.
 * Literals are rank-0 variables with a value. Programs and all they hold live in one arena and are
 * never changed after build_end; programs inside parameters are kept alive by their parent's arena.
 * docs/program-text.md has the textual form and the meaning.
 *
 * Words: a `var` is a variable, an `eqn` an equation: a primitive on variables, with parameters, a
 * record that the primitive's field table describes. An `inner` program is in a parameter. The
 * `axes` of a program are the table of those in scope, which begins with the table of the enclosing
 * program; an `axis_set` is a set of its entries. A `build` is a program that is being made, and an
 * `ir` is what the programs of a context share. A `factor` is a part of a dim that operands and
 * results have in common. */
#ifndef TSR_SRC_PROGRAM_H
#define TSR_SRC_PROGRAM_H
#include "shard/shard.h"
#include "tsr/engine/program.h" /* what engines see too: types, equations, programs, evaluation */

static inline axis_set axis_bit(int64_t entry) { return (axis_set)1 << entry; }
static inline bool has_axis(axis_set set, int entry) { return entry >= 0 && set >> entry & 1; }
static inline axis_set axes_below(int n) { return n < MAX_AXES ? axis_bit(n) - 1 : ~(axis_set)0; }

/* ---- type.c */
static inline etype etype_of(const type *t) { return (etype){t->dtype, t->weak}; }
/* Are values of one type values of the other? Weakness does not change a value, only the dtype of
 * what the next operation makes of it. */
static inline bool type_agrees(const type *a, const type *b) { return a->strong == b->strong; }

/* where types are interned and names are looked up; a context has one */
struct ir {
	base *base;
	shards *shards;
	arena *arena;
	const char *where; /* the user's call for which types are being made */
	table types;
	const tsr_prim *const *prims;
	int nprims;
	uint64_t debug; /* what is printed and checked: pass/debug.c */
	bool by_mesh;   /* results shall not depend on how many devices share a sum */
	table made;     /* what passes have made (memo.c) */
	table expansions; /* of rows on scalars of some dtypes (expand.c) */
	int passes;     /* how many passes are in progress, one inside another */
	_Atomic size_t bytes; /* of all its programs */
};

bool ir_init(ir *, base *, shards *, const tsr_prim *const *prims, int nprims);
void ir_fini(ir *);
size_t ir_bytes(const ir *); /* of its programs and types */
/* NULL, here and below: overflow, or no memory */
const type *type_make(ir *, tsr_dtype, const int64_t *dims, int ndim, axis_set varying);
/* the same type, but for ... */
const type *type_vary(ir *, const type *, axis_set varying); /* its varying set */
const type *type_as(ir *, const type *, etype);              /* its elements */
const type *type_weaken(ir *, const type *, bool weak); /* weakness: strong, or weak where it can */
const type *type_shaped(ir *, const type *, const int64_t *dims, int ndim, axis_set varying);
const type *type_stack(ir *, const type *, int64_t n); /* one more dim, of size n, in front */
const type *type_slice(ir *, const type *);            /* without its first dim */
/* would a value of the first type have the wanted type after a pcast? Both may be NULL */
bool type_varies_to(ir *, const type *, const type *wanted);
/* Would it after a pcast and a conversion? A wanted weak type accepts every dtype of its kind; a
 * weak value converts to every dtype that it gives way to. */
bool type_becomes(const type *, const type *wanted);
const tsr_prim *prim_named(const ir *, const char *name, size_t len); /* NULL: none */

/* the innermost entry of that name; -1: there is none */
int axis_named(const axis *, int naxes, const char *name, size_t len);

/* ---- variables, equations, programs */
#define MAX_PROGRAM_DEPTH 64
void program_retain(const program *);
void program_release(const program *); /* NULL is fine */

/* ---- parameters: values that the field tables describe */
typedef struct shardings {
	int n;
	const sharding *const *v;
} shardings;

bool ints_same(const ints *, const ints *);
bool params_same(const field *, const void *a, const void *b); /* tables end with a NULL name */
uint64_t params_hash(const field *, const void *);
size_t params_size(const field *); /* bytes of the record */
/* a deep copy in the arena; axes are renumbered by axis_map (NULL: as they are); inner programs are
 * retained by the arena */
void *params_copy(arena *, const field *, const void *, const int *axis_map);
/* The same equation on blocks of its operands and results, of these types, has these parameters:
 * fields that hold dims, sizes and dtypes (field_kind) hold the blocks'. in: the types of its
 * operands.
 * Example: slice %0 start=[0,2] stop=[8,4] step=[1,1] of f32[8,6], on f32[4,6]: stop=[4,4] */
const void *params_on_blocks(arena *, const eqn *, const type *const *in, const type *const *to_in,
                             const type *const *to_out);
const void *params_field(const tsr_prim *, const void *params,
                         field_kind);    /* address of the first field of a kind, or NULL */
const program *eqn_program(const eqn *); /* its last inner program, or NULL */
const program *inner_first(const eqn *); /* its first one, or NULL */
unsigned own_effects(const eqn *);       /* enum effect: without those of equations inside it */
unsigned eqn_effects(const eqn *);       /* with them */
static inline bool eqn_has_effects(const eqn *e) { return eqn_effects(e); }
bool eqn_exchanges(const eqn *);         /* itself: a collective with operands */
/* The bytes that a device receives from others each time that an equation is executed, which has
 * operands and results of these types: 0, unless it exchanges. Where its groups differ in size, a
 * device of the largest */
double eqn_received(const eqn *, const type *const *in, const type *const *out, const axis *);
/* Have all results no elements, and has it no effects? Then there is nothing to compute; a loop
 * over its other dims, [2^44,0], might not end */
bool eqn_makes_nothing(const program *, const eqn *);
bool prim_holds_programs(const tsr_prim *); /* or rules */
bool prim_has_rules(const tsr_prim *);
int prim_nout(const tsr_prim *, const void *params, int nin); /* results beside nin operands */
/* the programs inside an equation, rules included, in the order of its fields:
 *     for (inner i = {0}; inner_next(e->prim, e->params, &i);) ... i.program ... */
bool inner_next(const tsr_prim *, const void *params, inner *);

/* ---- factors.c: one rule that gives sharding, partial sums and local form. Each dim of an operand
 * or result is an ordered list of factors, major first, whose sizes multiply to the dim. As text it
 * is "mk,kn->mn", or "(ab)c->abc" where a dim has several factors. A block along one of several is
 * made of whole runs of those behind it: along a of (ab), of b. */
typedef enum factor_kind {
	FACTOR_PASS,     /* shards pass through */
	FACTOR_FREE,     /* in results only: no operand decides it (iota, a repeated dim) */
	FACTOR_REDUCE,   /* in operands only: an operator joins the shards' partial results */
	FACTOR_PERMUTE,  /* elements move along it: operands have windows */
	FACTOR_REPLICATE /* must be whole */
} factor_kind;
#define OPERATOR(op, name, padding, ...) FACTOR_##op,
typedef enum factor_op {
#include "program/operators.def"
} factor_op;
#undef OPERATOR
/* Index i of a factor, counted in the result, needs the indices j of an operand's dim with
 *     i * step + low <= j * every <= i * step + high
 * Those outside of 0 .. size - 1 do not exist, and the row puts something else there. The identity
 * has step 1, low and high 0, every 1. Examples: slice start=3 step=2 has step 2, low and high 3;
 * pad low=1 interior=2 has step 1, low and high -1, every 3; rev has step -1, low and high
 * size - 1; means of three neighbours have step 1, low -1, high 1. */
typedef struct factor_window {
	int64_t size; /* of the operand's dim, which has no other factor */
	int64_t step, low, high, every;
} factor_window;
typedef struct index_range {
	int64_t first, end; /* first .. end - 1; none: both are 0 */
} index_range;
#define MAX_FACTORS 64
#define MAX_FACTOR_SLOTS 512
/* factors_begin makes it empty. It is large, and only what is counted has a meaning */
typedef struct factors {
	int n;
	int64_t size[MAX_FACTORS]; /* in results, and in operands without a window */
	factor_kind kind[MAX_FACTORS];
	factor_op op[MAX_FACTORS];    /* of FACTOR_REDUCE */
	const char *why[MAX_FACTORS]; /* of FACTOR_REPLICATE */
	/* A set of factors along which an equation on blocks has a form of the row's own (`local`;
	 * iota: an offset is added; cumsum: devices send what their blocks add up to), in place of
	 * the same row with params_on_blocks */
	uint64_t own;
	/* A set of factors: where blocks along one are combined, numbers are rounded in another
	 * order than in the whole */
	uint64_t rounds;
	int nslots; /* entries below: operand (or nin + result), dim, factor, in order */
	struct {
		int16_t value, dim, factor;
		int16_t window; /* 1 + its place in `window`; 0: the identity */
	} slot[MAX_FACTOR_SLOTS];
	int nwindows;
	factor_window window[MAX_FACTOR_SLOTS];
	bool full; /* there was no room for the rule: every dim counts as FACTOR_REPLICATE */
} factors;
void factors_begin(factors *);
int factor_new(factors *, int64_t size, factor_kind);               /* its number */
int factor_reduced(factors *, int64_t size, factor_op);             /* likewise */
int factor_replicated(factors *, int64_t size, const char *why);    /* a few words: "sorted" */
int factor_own(factors *, int factor);                              /* into `own`; the factor */
int factor_rounds(factors *, int factor, tsr_dtype); /* into `rounds`, if numbers of the dtype are
                                                        rounded; the factor */
void factor_at(factors *, int value, int dim, int factor);          /* appends to that dim's list */
/* likewise, an operand's dim with a window; its factor becomes FACTOR_PERMUTE, unless this is the
 * identity on a dim of the factor's size */
void factor_at_window(factors *, int value, int dim, int factor, factor_window);
bool factor_window_stays(const factor_window *); /* i needs i alone */
const factor_window *factor_window_of(const factors *, int slot); /* NULL: the identity */
int64_t factor_slot_size(const factors *, int slot);
/* Is the equation on blocks along this factor the same row, with params_on_blocks? */
bool factor_same_row(const factors *, int factor);
/* The indices of an operand's slot that these indices of its factor need, and those between them.
 * Where the step is not 1 or -1 there may be more at the ends, which no index needs */
index_range factor_needs(const factors *, int slot, index_range);
/* Kinds come after a bar, with the reason of what must be whole, and windows behind their factor,
 * as the indices that i needs: "mk,kn->mn | k sum", "a[2i+3]->a | a move", "a[i-1..i+1]->a | a
 * move", "a[(i-1)/3],->a | a move", "->ab | a free own, b free", "ab->ab | b whole (sorted)" */
void factors_text(str *, const factors *, int nin, const int *ndims, int nvalues);
/* Do the sizes of each dim's slots multiply to the dim? Is every factor where its kind says, has
 * it the windows or the reason that its kind needs, and are the windows possible? */
bool factors_agree(base *, const eqn *, const type *const *in, const type *const *out,
                   const factors *);

/* ---- padding.c: blocks of a dim that does not divide are filled up at the end, with anything.
 * Where a block's results depend on its padding, that must hold a number which changes nothing */
typedef enum padding {
	PAD_ANY,
	PAD_ZERO,
	PAD_ONE,
	PAD_LOWEST, /* of the dtype: nothing is less */
	PAD_HIGHEST,
	PAD_ONES, /* all bits are 1 */
	PAD_NONE  /* no number will do: axes must divide the factor */
} padding;
/* What an operand's padding must hold where this factor is cut, which it has, and which has the
 * same row on blocks (factor_same_row): for a reduction what its operator ignores, as 0 in both
 * operands of a product; otherwise anything. A row may say otherwise (needs) */
padding eqn_needs(const eqn *, const type *const *in, const factors *, int operand, int factor);
/* the number, an element of the dtype; where there is none it is 0 */
void padding_number(padding, tsr_dtype, void *out);

/* ---- edges: what the operands and results of an equation are in the programs inside it. Those
 * that are alike are together, in a bundle */
typedef enum edge_kind {
	EDGE_END,   /* none: the list ends */
	EDGE_WHICH, /* one operand, which says what program is run; none of them has it */
	EDGE_SAME,  /* the value itself */
	EDGE_CARRY, /* the same at the first step; what a step gives, the next one takes, and the
	             * result is what the last one gave, or without steps the operand */
	EDGE_SLICE, /* at each step its slice along dim 0 */
	EDGE_BLOCK  /* on each device its block, under its sharding */
} edge_kind;
typedef struct edge { /* a bundle, as the row has it */
	edge_kind kind;
	/* the offset in the parameters of the number of its values, an int64_t, or of their
	 * shardings (EDGE_BLOCK). The last bundle has all that is left, and needs no number */
	size_t at;
	int only; /* 0: all programs have it; 1 + the number of the only one that does */
} edge;
/* of the operands and of the results, in their order; the inputs and results of a program are in
 * the same order */
typedef struct edges {
	edge in[4], out[3];
} edges;

/* ---- the row type: everything about one primitive */
typedef struct build build;
typedef struct splitting splitting;
typedef struct replicating replicating;
/* what a map over a batch is told */
typedef struct batching {
	int64_t size;
	int axis;              /* the entry that is removed: the name of the batch; -1: none */
	const char *spmd_axis; /* mesh axes, as "x*y", over which shard_map splits it; NULL: none */
	axis_set varying;      /* inside shard_map: these axes, over which mapped values vary too */
	const int *axis_map;   /* new numbers of the other entries; pass_batch sets it */
} batching;
/* what a row is told that makes an equation on one device's blocks */
typedef struct localizing {
	const type *const *whole, *const *block; /* of the operands, then of the results */
	/* By value and dim: the index in the whole of the first element of the block, an integer
	 * scalar; without id: the dim is whole. The block of an operand that has a window is that
	 * window, and may begin before the whole does, or end behind it: such elements hold
	 * anything */
	const var *const *start;
	const ints *const *cut; /* likewise: the axes that cut the dim, major first */
	axis_set joined; /* the axes along which the results are partial */
} localizing;
typedef struct kernel kernel;
/* loops over dims of the last operand of a row that puts elements (tsr_prim.put) */
typedef struct put_loops {
	int *dim;       /* by loop, the outermost first; its list is the caller's */
	int first, end; /* steps of these loops are taken in order, since they may go to one place;
	                   those of the others go to different places */
} put_loops;
typedef struct kvar { /* a value inside a kernel */
	int32_t id;   /* 0: none */
} kvar;

enum { MOST_EXPANDED = 3, MOST_PREPARED = 3 }; /* operands; numbers behind them */

typedef enum column {
	COL_TYPES,
	COL_FACTORS,
	COL_LOCAL,
	COL_JVP,
	COL_TRANSPOSE,
	COL_BATCH,
	COL_SPLIT,
	COL_EFFECTS,
	COL_COST,
	COL_EVAL,
	COL_LOWER,
	COL_MEMBERS,
	COL_RECEIVED,
	COL_REPLICATE,
	COL_EDGES,
	COLUMNS
} column;

enum prim_flag {
	PRIM_ELEMENTWISE = 1, /* operands and results are of one shape; literals may be of rank 0 */
	PRIM_COLLECTIVE = 2,  /* params begin with a `collective` record */
	PRIM_OWN_VARYING = 4, /* the types rule decides over which axes results vary; otherwise
	                         operands are cast to a common set, which results have too */
	PRIM_OWN_WEAK = 8,    /* the types rule decides whether results are weak; otherwise they are
	                         if all operands are */
	/* how a kernel computes it (lower) */
	PRIM_MOVES = 16,     /* costs index arithmetic only */
	PRIM_REDUCES = 32,   /* loops over the factors that its result does not have */
	PRIM_BRANCHES = 64,  /* asks for its operands in branches */
	PRIM_ALONG = 128,    /* index d of an operand depends on index d of the result alone */
	/* without a kernel: where its matrices are large, a library of the engine may compute it
	   in place of eval, with other bits (docs/numerics.md) */
	PRIM_LIBRARY = 256,
	PRIM_UPDATES = 512, /* the result is operand 0 with some elements replaced: `eval` may
	                      be given one memory for both */
	PRIM_CALLED = 1024 /* compiled programs call its eval: docs/debugging.md lists these */
};

/* What an equation does besides computing its results. One that has effects is never dropped,
 * repeated, merged with another, or moved past another one. It is evaluated once for each place on
 * the axes that its first list of axes names, by the first device there, in the order of devices.
 * In a mapped region these are all mesh axes in scope; outside there are none, and it is evaluated
 * once */
enum effect {
	EFFECT_SEEN = 1,   /* somebody sees that it is evaluated, and when */
	EFFECT_ORDERED = 2 /* the order of devices counts too: they may not part before it */
};

struct tsr_prim {
	const char *name, *doc;
	unsigned flags;
	/* nin -1: any number. nout -1: as many as `results` says, or without it as the last program
	 * inside has */
	int nin, nout;
	int (*results)(const void *params, int nin);
	const field *params;
	const edges *edges; /* of a row that holds programs */
	/* sets e->nout results' types; false: an error is recorded (e->where) */
	bool (*types)(build *, const eqn *, const type *const *in, const type **out);
	void (*factors)(const eqn *, const type *const *in, const type *const *out, factors *);
	/* what the padding of an operand must hold for the equation on blocks, where this factor is
	 * cut into blocks that do not divide it; NULL: what eqn_needs says */
	padding (*needs)(const eqn *, const type *const *in, const factors *, int operand,
	                 int factor);
	/* Emits what one device makes of its blocks: its blocks of the results. NULL: the same row,
	 * with params_on_blocks. A row with factors of the set `own` has it */
	void (*local)(build *, const eqn *, const localizing *, const var *x, var *y);
	/* The dtype in which the row reduces, before it casts to that of its result: what devices
	 * have is joined in it, and cast then. NULL: that of the result */
	tsr_dtype (*reduces_in)(const eqn *, const type *const *in, const type *const *out);
	/* The work of one element of a result, or with PRIM_REDUCES of one element that is reduced:
	 * 1 is an addition in a vector whose operands are at hand. Of f32; wider numbers are
	 * counted by their users. 0: it has no work of its own. Where the row is made of others
	 * (expand), it takes what these take */
	double cost;
	/* how often an equation takes that cost, whatever the dtype; NULL: once for each element */
	double (*times)(const program *, const eqn *);
	unsigned (*effects)(const eqn *); /* enum effect; NULL: none */
	/* Rules that emit equations into a build (prim/prim.h, emit.c). A variable without id is
	 * an absent tangent or cotangent: a zero that is not computed. A failure marks the build
	 * (build_failed), so rules check nothing.
	 *
	 * jvp: gives the tangents dy of the results y, from the operands x and their tangents dx,
	 * at least one of which is present. y has been emitted, except for a row that holds
	 * programs, which emits it itself; a rule may put values as right in its place. */
	void (*jvp)(build *, const eqn *, const var *x, const var *dx, var *y, var *dy);
	/* Gives the cotangents of the operands in which the equation is linear, from ct, those of
	 * the results, at least one of which is present. Operands in which it is linear have no
	 * value (x[i].id == 0). in: the types of the operands */
	void (*transpose)(build *, const eqn *, const type *const *in, const var *x, const var *ct,
	                  var *dx);
	/* Gives y, the results for all elements of a batch. The batch is dim 0 of each mapped
	 * operand. At least one operand is mapped, or the equation names the batch's axis */
	void (*batch)(build *, const eqn *, const batching *, const var *x, const bool *mapped,
	              var *y, bool *ymapped);
	/* a row that holds programs: emits what depends on known operands alone into one build,
	 * and the rest into another (pass/pass.h) */
	void (*split)(splitting *, const eqn *, const bool *known, bool *yknown);
	void (*eval)(const eval_args *);
	/* the number of parts of its results that eval can compute in any order, or side by side.
	 * It depends on the types alone; NULL: 1 */
	int64_t (*parts)(const eqn *, const type *const *in);
	/* Parts that need what others have made go in phases: all parts of one are computed before
	 * any of the next. How many there are depends on the types alone; NULL: 1 */
	int64_t (*phases)(const eqn *, const type *const *in);
	/* bytes that eval needs for itself: for each part, or where there are several phases for
	 * all parts together, from the first phase to the last; NULL: none */
	size_t (*scratch)(const eqn *, const type *const *in);
	bool (*run)(const run_args *); /* of a row that holds programs, in place of eval */
	/* of a row that calls the user, in place of eval: on the calling thread, and never while
	 * programs are made. The user may run other programs of the context, and executables may be
	 * evicted meanwhile. false: an error is recorded */
	bool (*host)(const host_args *);
	/* In place of eval and lower, of an elementwise row with one result that is made of others:
	 * emits what it computes of one element, from scalars x. Without id: of these dtypes eval
	 * and lower compute it */
	var (*expand)(build *, const eqn *, const var *x);
	/* Of an elementwise row whose eval and lower compute or call a function: emits what this
	 * computes of one element in steps of other rows, with the same bits, for engines that have
	 * no such function. Without id: not of these dtypes */
	var (*steps)(build *, const eqn *, const var *x);
	/* Of an elementwise row with eval: emits numbers that eval takes behind its operands, from
	 * scalars x; how many, MOST_PREPARED at most. eval gets as many elements at a time as an
	 * array of each has */
	int (*prepare)(build *, const eqn *, const var *x, var *y);
	/* element index[] of each result, one index a dim, as a value of the kernel
	 * (kernel/kernel.h). Several results have the same dims */
	void (*lower)(kernel *, const eqn *, const kvar *index, kvar *to);
	/* In place of lower, of a row whose one result is operand 0 with other elements at places
	 * that are known only when it runs. A kernel goes over the elements of the last operand,
	 * in the loops that put_loops says. put gives where element index[] of it goes, at[], and
	 * what is there then, which it makes of what is there now, k_held */
	void (*put_loops)(const eqn *, const type *const *in, put_loops *);
	kvar (*put)(kernel *, const eqn *, const kvar *index, kvar *at);
	/* a collective as equations of one device that compute what all n members of a group would,
	 * with the same bits as eval. x[i * n + k] is operand i of member k, and y[j * n + k] gets
	 * its result j; of members that are not `here` none is asked for (NULL: all are). Several
	 * members may share one variable as operand; results that are equal whatever the operands
	 * are share one variable. */
	void (*members)(build *, const eqn *, int n, const bool *here, const var *x, var *y);
	/* a collective: which box of operand i of member `from` does member `to` of its group of n
	 * need? box has all of it, by dim. Other elements of it change no result of that member.
	 * false: it needs none. NULL: it needs all */
	bool (*sends)(const eqn *, const type *const *in, int n, int i, int from, int to,
	              index_range *box);
	/* a collective: the bytes that a member of a group of n gets from others, n > 1; the most
	 * where they depend on values (eqn_received) */
	double (*received)(const eqn *, const type *const *in, const type *const *out, double n);
	/* a row that holds programs: emits what all devices do as equations of one (pass/pass.h) */
	bool (*replicate)(replicating *, const eqn *);
	const char *no_rule[COLUMNS]; /* TSR_NO_RULE: why a column does not apply */
};
#define TSR_NO_RULE(column, why) .no_rule[column] = (why)

/* Rows compute n lines, matrices or elements one after the other, in parts that workers share. Each
 * part may have scratch memory of its own, so there are at most `most`: 10 in at most 4 parts are
 * 0-2, 3-5, 6-7 and 8-9 */
static inline int64_t parts_shared(int64_t n, int64_t most)
{
	return n < 1 ? 1 : n < most ? n : most;
}
/* n in parts that are as even as can be: the first one of part k */
static inline int64_t part_first(int64_t n, int64_t parts, int64_t k)
{
	return n / parts * k + (k < n % parts ? k : n % parts);
}

/* ---- expand.c: rows that are made of others */
/* finds the expansion of an equation on operands of these types: the same for all of the context.
 * false: no memory, or the row's formula failed, which is recorded */
bool expansion_find(ir *, eqn *, const type *const *in);
void expansions_free(ir *);
const program *eqn_expansion(const eqn *); /* the scalar program; NULL: there is none */
/* the same, or the steps of a function that eval and lower compute; NULL: there are none */
const program *eqn_steps(const eqn *);
size_t expansion_scratch(const eqn *, const type *const *in);
/* Is there a way to evaluate a local equation? Then by the row's eval, or by its expansion, some
 * elements at a time */
static inline bool eqn_evaluates(const eqn *e) { return e->prim->eval || e->expansion; }
void eqn_eval(const eval_args *);

static inline int64_t eqn_parts(const eqn *e, const type *const *in)
{
	return e->prim->parts ? e->prim->parts(e, in) : 1;
}
static inline int64_t eqn_phases(const eqn *e, const type *const *in)
{
	return e->prim->phases ? e->prim->phases(e, in) : 1;
}
typedef struct part_range {
	int64_t first, end;
} part_range;
/* of n that an equation computes in its parts: those of the parts that its eval is asked for */
static inline part_range range_of_parts(const eval_args *args, int64_t n)
{
	const int64_t parts = eqn_parts(args->eqn, args->in), end = args->end ? args->end : parts;

	return (part_range){part_first(n, parts, args->first), part_first(n, parts, end)};
}
/* bytes that its eval needs for itself, for each part or, with several phases, for all of them */
static inline size_t eqn_scratch(const eqn *e, const type *const *in)
{
	if (e->expansion) return expansion_scratch(e, in);
	return e->prim->scratch ? e->prim->scratch(e, in) : 0;
}

/* ---- program.c */
const char *column_name(column);
bool prim_has(const tsr_prim *, column);

/* ---- edges.c: of equations that hold programs. Programs are counted as inner_next finds them.
 *
 * The bundles of operands, or of results, one after the other:
 *     for (bundle in = {0}; operands_next(e, &in);) ... operands in.first .. in.first + in.n - 1 */
typedef struct bundle {
	const edge *of;
	int first, n;
} bundle;
bool operands_next(const eqn *, bundle *);
bool results_next(const eqn *, bundle *);
bool edge_inside(const edge *, int which); /* has program `which` the values of this bundle? */
/* the operand that an input of program `which` is */
int edge_operand(const eqn *, int which, int input);
/* the result that result k of program `which` is; -1: none */
int edge_result(const eqn *, int which, int k);
/* Are its results those of the equation? That of the test of a loop is not */
bool edge_gives(const eqn *, int which);
/* of a result that is carried: the operand whose inputs it is at the next step; -1: it is not */
int edge_back(const eqn *, int result);
/* The parameters of e with these programs inside, whose references it takes; they are good as long
 * as those of e are. NULL: no memory, or one of the programs is; the build has failed */
void *with_programs(build *, const eqn *, program *const *inside);
/* What an operand or a result is: its bundle, and of what comes in blocks (EDGE_BLOCK) the sharding
 * that says so */
typedef struct role {
	const edge *of;
	const sharding *block;
} role;
role operand_role(const eqn *, int operand);
role result_role(const eqn *, int result);
/* of an operand, or a result, that an equation like e has besides: the first bundle of this kind.
 * of NULL: there is none */
role takes_as(const eqn *, edge_kind, const sharding *block);
role gives_as(const eqn *, edge_kind, const sharding *block);
/* The parameters, as of with_programs, of an equation like e with other operands and results: of
 * these roles, in the order of bundles. Without the first of its constants, scan %0 %1 %2 consts=2
 * carry=1 has consts=1 */
void *similar_params(build *, const eqn *, const role *in, int nin, const role *out, int nout,
                     program *const *inside);
/* the roles of these operands or results; NULL: the build has failed */
role *operands_like(build *, const eqn *, const int *like, int n);
role *results_like(build *, const eqn *, const int *like, int n);

/* ---- build.c: makes a program. The type of each equation is inferred when it is appended, so an
 * ill-typed program cannot be built. */
build *build_begin(ir *, const char *name, const axis *, int naxes); /* copies the axes */
/* from now on equations are replaced by their expansions, where they have one, and none is made
 * twice */
void build_expanded(build *);
void build_abandon(build *);                                         /* NULL is fine */
ir *build_ir(const build *);
base *build_base(const build *);
arena *build_arena(const build *);
const axis *build_axes(const build *, int *n);
const type *build_type(const build *, var);
const void *build_literal_of(const build *, var); /* NULL: not a literal */
int build_neqns(const build *);
const eqn *build_eqn_at(const build *, int i);
/* the equation that a value is a result of; NULL: an input or a literal. As long-lived as below */
const eqn *build_maker(const build *, var);
/* the equation appended last; the next append may move this record, but not what it points to */
const eqn *build_last(const build *);
var build_input(build *, const type *);
var build_literal(build *, tsr_dtype, const void *value);       /* of rank 0 */
var build_literal_as(build *, const type *, const void *value); /* of this type, of rank 0 */
/* Appends an equation: casts operands to a common varying set where the row asks for it (by pcast
 * equations; literals need none), infers the types, and gives prim_nout results in out. Parameters
 * are copied. */
bool build_eqn(build *, const tsr_prim *, const void *params, const var *in, int nin, var *out,
               const char *where);
/* the same without casts: operands must fit. For the parser, and for passes that keep types */
bool build_eqn_exact(build *, const tsr_prim *, const void *params, const var *in, int nin,
                     var *out, const char *where, const char *note);
/* the same; the parameters are in the build's arena, which retains the programs in them */
bool build_eqn_owned(build *, const eqn *, const var *in, var *out);
/* sets the user's source line for the equations that rules emit from now on */
void build_at(build *, const char *where);
const char *build_where(const build *);
/* sets the cause of equations that are made from now on, unless they are copies that have one */
void build_because(build *, int32_t cause);
void build_set_cause(build *, int i, int32_t cause); /* of equation i, when it is there */
/* what messages call it: its row, or the public function that its user called */
const char *eqn_name(const build *, const eqn *);
void build_fail(build *); /* marks the build as failed */
bool build_failed(const build *);
/* value with `varying` added to its set by a pcast equation, if it lacks any of it */
var build_vary(build *, var, axis_set varying, const char *where);

/* ---- inline.c: copies of equations and of programs */
/* Copies an equation's parameters into the build's arena, with axes renumbered by axis_map. Each
 * program inside is replaced by what `make` returns for it, with one reference. NULL: failed */
void *build_params(build *, const eqn *, const int *axis_map,
                   program *(*make)(void *user, const program *), void *user);
/* Gives the reference to the build, so that parameters may hold the program. The build fails when
 * the program is NULL, or there is no memory */
const program *build_keep(build *, program *);
/* copies the equations of p into b, on `in` as its inputs; its results go to `out`. Axes are
 * renumbered by axis_map (NULL: they stay) */
bool build_inline(build *, const program *p, const var *in, var *out, const int *axis_map);
/* Appends a copy of e, an equation of a program with `outer` axes, on other operands. Axes and
 * inner programs are renumbered by axis_map (NULL: as they are) */
bool build_copy(build *, const eqn *, int outer, const var *in, var *out, const int *axis_map);
/* All that an axis record says, as words. The record itself has bytes between its fields, which may
 * hold anything: it is no key */
typedef struct axis_key {
	uint64_t word[6];
} axis_key;
/* For p, a program inside the equation e, when e is copied into b from a program with `outer` axes
 * that axis_map renumbers: finds p's new axis table, and the new numbers of the entries of its old
 * one. false: an error is recorded */
typedef struct inner_scope {
	axis axes[MAX_AXES];
	int naxes, axis_map[MAX_AXES];
	axis_key key[MAX_AXES]; /* of the axes, for memo_begin() */
} inner_scope;
bool inner_scope_find(build *, const eqn *, int outer, const int *axis_map, const program *,
                      inner_scope *);

/* ---- end.c */
/* Ends the program and frees the build, also on failure (NULL). Equations are put in depth-first
 * order from the results, operands left to right. Those that nothing needs are dropped; those with
 * effects stay, and keep their order. The caller gets one reference. */
program *build_end(build *, const var *out, int nout);

/* ---- verify.c, hash.c */
/* Is every type what the rules infer, every value defined before its use, every factor rule right?
 * stage: names the pass in the message */
bool program_verify(const program *, const char *stage);
uint64_t program_hash(const program *); /* structural: names and locations do not count */
bool program_same(const program *, const program *);
/* of two that are the same: are their meshes, also by the names of axes? */
bool program_same_meshes(const program *, const program *);
/* ---- lines.c */
bool program_same_lines(const program *, const program *); /* the same, and from the same lines */
/* Of two programs that are the same: are the equations of one line of `from` at one line of `to`,
 * too? If so, *line gets the one that belongs to `where`; it stays if there is none. line NULL: it
 * is not asked for. false also without memory, which is recorded */
bool program_lines(const program *from, const program *to, const char *where, const char **line);

/* ---- axes.c */
/* The axis table of the programs inside an equation of this primitive: the enclosing table, then
 * the manual axes of a mapped region. Returns the number of entries; -1: more than MAX_AXES */
int inner_axes(const tsr_prim *, const void *params, const axis *, int naxes, axis out[MAX_AXES]);
/* the entries of a set, ascending, in this room */
ints axes_listed(axis_set, int64_t room[MAX_AXES]);
/* the same set where entry i has become entry axis_map[i] */
axis_set axes_renumber(axis_set, const int *axis_map);
bool axes_same(const axis *, int na, const axis *, int nb); /* by all but names */
/* The mesh axes over which the batch of an enclosing map is split. Devices along these hold
 * different elements of the batch: not copies, even of a value that does not vary over these
 * axes. */
axis_set axes_split(const axis *, int naxes);
/* the names in a product such as "x*y", one after the other; NULL: no more.
 *     for (const char *at = text, *name; (name = product_next(&at, &len));) ... */
const char *product_next(const char **at, size_t *len);
/* entries of the axis table that an equation, or an equation inside it, names in a list of axes */
axis_set eqn_names(const eqn *);
/* those that its own first list names: where an equation with effects is evaluated */
axis_set own_axes(const eqn *);
/* The first equation of a program, or of one inside, that exchanges over an axis of the set, or
 * that has one of these effects; NULL: none. *where: its place, or, where it has none, that of the
 * equation that holds it */
const eqn *find_exchange(const program *, axis_set over, const char **where);
const eqn *find_effect(const program *, unsigned effects, const char **where);

/* ---- memo.c: what a pass made of a program, remembered until the outermost pass ends.
 *
 *     memo m;
 *     if (memo_begin(&m, "prune", p, MEMO_PARTS({used_out, n}), used_in, p->nin))
 *             m.to[0] = ... what the pass makes of p, and fills used_in ...
 *     return memo_end(&m); */
typedef struct memo_part { /* one of the arguments that the result depends on */
	const void *at;
	size_t bytes;
} memo_part;
#define MEMO_PARTS(...) \
	(const memo_part[]){__VA_ARGS__}, \
		(int)(sizeof((const memo_part[]){__VA_ARGS__}) / sizeof(memo_part))
typedef struct memo {
	ir *ir;
	void *told;
	struct memo_entry *asked; /* NULL: the result is known */
	program *to[2];           /* the result: one or two references */
} memo;
/* true: the caller must make the result now. false: it is known, and m->to and `told` are set; or
 * there is no memory, and memo_end returns NULL */
bool memo_begin(memo *, const char *pass, const program *, const memo_part *, int n, void *told,
                size_t ntold);
/* m->to[0]. NULL: the result was not made, or there is no memory; m->to is empty then */
program *memo_end(memo *);
/* for a pass that makes more than programs: what passes inside it make is kept until memo_close */
void memo_open(ir *);
void memo_close(ir *);

/* ---- groups.c: who exchanges with whom */
/* the groups of a collective over `axes` (entries of p's table) and `groups` that these devices
 * belong to, with all their members */
bool member_groups_make(base *, arena *, const program *p, device_set, const ints *axes,
                        const groups *, member_groups *);
/* does the program exchange anything with devices that are not in the set? false: recorded */
bool program_crosses(base *, const program *p, device_set, bool *crosses);
/* The farthest apart of devices that differ only along these axes, and of members of any group of a
 * collective, whose parameters are these; the same in all processes */
axis_level axes_level(const axis *, const ints *entries);
axis_level collective_level(const program *, const collective *);
/* by position in the set: the first device that has the same place on these axes. NULL: no
 * memory */
const int64_t *devices_alike(base *, arena *, const program *p, device_set, axis_set over);

/* ---- effects.c: as tsr__effect_groups_make; devices: by id, NULL: all are here. false: no memory
 */
bool effect_groups_make(base *, arena *, const program *, const eqn *, device_set, const device *,
                        effect_groups *);

/* ---- prims.c */
void prim_describe(str *, const tsr_prim *); /* two lines: how it is written in text, its meaning */

/* ---- print.c */
enum print_flag { PRINT_WHERE = 1 }; /* "# matmul.c:7" after each equation that has one */
void program_print(str *, const program *, unsigned flags);
void type_print(str *, const type *, const axis *, int naxes); /* f32[2,8]{x,y}, f64*[] */
/* for messages, as the type is for the user: strong, of default width (f32[] for an f64*[]), and
 * varying over the axes that have a name */
void type_text(str *, const type *, const axis *, int naxes);
#define UNNAMED "_pmap" /* begins the name of an axis of a tsr_pmap without .axis */
static inline bool axis_unnamed(const char *name)
{
	return !strncmp(name, UNNAMED, strlen(UNNAMED));
}
void etype_text(str *, etype); /* f32, f64* */
/* ---- parse.c. NULL: an error with line and column is recorded */
program *program_parse(ir *, const char *where, const char *text, size_t len);
/* ---- graph.c: in the language of Graphviz. false: no memory, which is recorded */
bool program_graph(str *, const program *);

#endif
