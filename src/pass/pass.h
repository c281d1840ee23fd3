/* pass.h - functions from program to program, one file each; pipeline.c says in which order they
 * make a per-device program.
 *
 * Each gives one reference to the caller, or NULL: an error is recorded. Lists of bools have one
 * entry an input or result. The transformations want programs without calls (pass_inline). */
#ifndef TSR_SRC_PASS_H
#define TSR_SRC_PASS_H
#include "prim/prim.h"

/* a per-device program, and where its operands and results live. in[i] NULL: whole, on every device
 * of the set */
typedef struct placed {
	arena *arena; /* holds the lists below */
	program *program;
	const mesh
		*mesh; /* its devices in order; NULL: the program runs on one device, whichever */
	const sharding **in, **out;
} placed;
void placed_free(placed *);

/* ---- debug.c: what the letters of TSR_DEBUG and .debug ask for (docs/debugging.md) */
/* adds the letters of a text (NULL: none) to a set; from: where the text stands, for the error that
 * lists all letters when there is no such one */
bool debug_read(base *, const char *where, const char *from, const char *text, uint32_t *set);
bool debugs(const ir *, char letter);
/* prints to the log if that is asked for */
void debug_print(const program *, const char *pass);
/* prints, and verifies if that is asked for (debug builds always do). Gives back the reference it
 * is given; NULL: there was none, or the program is wrong (error recorded). What is made inside
 * another pass is looked at when that one is done */
program *pass_done(program *, const char *pass);
/* program_same; if not, the first line that differs */
bool debug_same(const program *before, const program *now, str *difference);

/* ---- passes.c: a row for each, behind the last one of them a row without a name */
typedef struct pass_info {
	const char *name;
	char letter;         /* of TSR_DEBUG */
	const char *meaning; /* what it makes of a program */
	/* does it, and what it wants done before; NULL: not on request */
	program *(*run)(const program *, const char *where);
} pass_info;
extern const pass_info all_passes[];
const pass_info *pass_find(const char *name);   /* NULL: none */
const pass_info *pass_on_request(int64_t k);    /* the k-th of those that can run; NULL: none */
/* that pass on its own. Error: there is none of that name, or not on request */
program *pass_named(const program *, const char *where, const char *name);

/* ---- pipeline.c */
bool pipeline(const program *global, const char *where, placed *out);

/* ---- partition.c: shard_map equations of a program without calls are replaced by their bodies. A
 * value between two maps is whole on every device: a map slices what it takes and its
 * results are gathered; where a program's operand or result is only seen as blocks it stays blocks.
 */
bool pass_partition(const program *, const char *where, placed *out);

/* ---- inline.c: what calls call stands in their place, inside inner programs too */
program *pass_inline(const program *);

/* ---- simplify.c: the same bits with fewer equations, in inner programs too: constants are folded,
 * chains of casts and of rearrangements are one, equal equations are made once, and what nothing
 * needs is gone. Inputs, results and their types stay */
program *pass_simplify(const program *);

/* ---- fuse.c: a program for one device, without calls: its equations in calls, of each of which
 * kernel_lower makes one kernel, and outside of calls only control flow, large products, and plain
 * moves of large arrays. In inner programs too. The same bits */
program *pass_fuse(const program *);
/* is an equation a product that a library may compute better than a kernel? (fuse/products.c) */
bool is_large_product(const program *, const eqn *);
/* are the contracted dims of an operand one run, right behind the batch (*first) or at the end?
 * (fuse/products.c) */
bool is_matrix(const type *, const ints *batch, const ints *contract, bool *first);

/* ---- walk.c: values of one program inside another, which the transformations share */
typedef struct value_map {
	const program *from;
	build *to;
	var *of; /* by variable of `from`; literals are made when they are asked for */
} value_map;
bool values_init(value_map *, const program *from, build *to);
var values_get(value_map *, var);
var *values_list(value_map *, const var *, int n); /* in the build's arena; NULL: no memory */
bool values_set(value_map *, const eqn *, const var *out); /* the results of an equation */

/* new inputs of the types that p's have, in a list with room for `more` values behind them */
var *inputs_like(build *, const program *p, int more);
/* a build with the inputs and equations of p, to which more can be added; results: p's, in a list.
 * remade ends it, with n results (b NULL, or failed: NULL) */
build *remake(const program *p, var **results);
program *remade(build *b, const var *results, int n);

/* p once more: `each` puts an equation, or what stands for it, into the build and sets its results.
 * copy_equation puts it there as it is */
program *copy_with(const program *p, bool (*each)(void *user, value_map *, const eqn *),
                   void *user);
bool copy_equation(value_map *, const eqn *);

/* n + 1 numbers: how many of some[0 .. i - 1] are true; NULL: no memory */
int *ranks(arena *, const bool *some, int n);

/* ---- jvp.c: inputs x, then dx of those that move; results y, then dy of those that do.
 * must: results whose tangents are given even if they are zero (NULL: none); moves_out is told */
program *pass_jvp(const program *, const bool *moves_in, const bool *must, bool *moves_out);

/* ---- split.c: a program in two. Known inputs give the results that depend on nothing else and
 * residuals; residuals and unknown inputs give the other results.
 *   known:   known inputs -> known results, residuals
 *   unknown: unknown inputs, residuals -> unknown results
 * must: results that are unknown although they need not be (NULL: none). */
typedef struct halves {
	program *known, *unknown;
	int nresiduals;
	bool *known_out; /* by result; in the arena given */
} halves;
bool pass_split(const program *, arena *, const bool *known_in, const bool *must, halves *);
void halves_free(halves *);

/* what the split rule of a row works on. The row emits into both builds; `carry` makes a value of
 * the known half a value of the unknown one. */
struct splitting {
	build *known, *unknown;
	const type *const *in;    /* of the operands */
	const var *x_known;       /* operands in the known half: those that are known */
	const var *x_unknown;     /* operands in the unknown half: the others */
	var *y_known, *y_unknown; /* results: one of the two is set */
	void *state;              /* of pass_split */
};
var split_carry(splitting *, var known);
/* the equation as it stands, in the unknown half. It keeps its programs then, so that what a nest
 * of them was split into is remembered */
void split_whole(splitting *, const eqn *, const bool *known);

/* ---- transpose.c: a program that is linear in some inputs, backwards.
 *   inputs:  those it is not linear in, cotangents of the results that are `given`
 *   results: cotangents of the linear inputs: all, zeros where nothing arrives, or, with
 *            `arrives`, those that it tells */
program *pass_transpose(const program *, const bool *linear, const bool *given, bool *arrives);
/* the same of a program that computes besides what does not depend on the linear inputs, inside
 * loops too (the number of a step): it is split first */
program *pass_linear_transpose(const program *, const bool *linear, const bool *given,
                               bool *arrives);

/* ---- batch.c: the program for a whole batch, which is dim 0 of what is mapped. The batch's entry
 * of the axis table is gone. must: results that are mapped although they need not be (NULL: none)
 */
program *pass_batch(const program *, const batching *, const bool *mapped_in, const bool *must,
                    bool *mapped_out);

/* ---- vary.c: a program for a scope inside its own, whose axis table begins with its own, and on
 * inputs of the types in, which may vary over fewer of its own axes, and over others. Where they
 * do, so do the results */
program *pass_vary(const program *, const axis *, int naxes, const type *const *in);

/* ---- prune.c: without the results that are not used; inputs that are then not needed are told
 * in used_in, and gone (used_in NULL: all inputs stay) */
program *pass_prune(const program *, const bool *used_out, bool *used_in);
/* with all results and inputs, and without what these do not need, inside inner programs too */
program *pass_dead(const program *);

/* ---- replicate.c: a per-device program on the devices of one memory as one program of one device,
 * without axes. A value has a variable for each of its instances: devices share one where the value
 * is the same on them, whatever its type says. program NULL, and no error: it depends on values
 * whether all devices of a group reach some collective, and only a run on all of them can tell */
typedef struct replicated {
	arena *arena;
	program *program;
	int *in, *out; /* in[i * n + k]: which input is operand i of device k; out likewise */
} replicated;
bool pass_replicate(const program *, device_set, replicated *);
void replicated_free(replicated *);

/* ---- linearize.c: derivatives of a program with respect to the inputs that move. Of the results
 * that are not wanted (NULL: all are), no tangent is asked.
 *
 * The two halves of the jvp:
 *   known:   inputs -> results, residuals
 *   unknown: dx of the inputs that move, residuals -> dy of the results that move and are wanted
 * must as for pass_jvp; moves_out tells which those are. */
bool pass_linearize(const program *, arena *, const bool *moves_in, const bool *wanted,
                    const bool *must, halves *, bool *moves_out);
/* residuals, cotangents of the results -> cotangents of the inputs: the linear half of a program
 * with `nmoving` inputs that move, backwards. given: results whose cotangents come (NULL: all) */
program *pass_vjp(const halves *, arena *, int nmoving, const bool *given);
/* inputs -> results, gradients of result `of`, a scalar, for the inputs that move */
program *pass_grad(const program *, const bool *moves_in, int of);

/* ---- jacobian.c: inputs -> results, and for each wanted result and each input that moves, in this
 * order, their derivative: its dims are those of the result followed by those of the input. A
 * column at a time (forward), or a row (reverse). */
program *pass_jacobian(const program *, const bool *moves_in, const bool *wanted, bool reverse);

#endif
