/* pass.h - declares the passes, functions from program to program. Each file opens with an example;
 * pipeline.c has the order in which they make a per-device program.
 *
 * A pass gives the caller one reference, or NULL: then an error is recorded. Lists of bools have
 * one entry for each input or result. The transformations want programs without calls
 * (pass_inline).
 *
 * Words: an input or result `moves` if its tangent is not zero. It is `known` if it can be computed
 * before the others are; a `residual` is a known value that the rest needs. `given` are the results
 * that have a cotangent; a cotangent `arrives` at an input if it is not zero. What is `mapped` has
 * a dim for the batch. `must` lists results that count as moving, unknown or mapped although they
 * need not be. */
#ifndef TSR_SRC_PASS_H
#define TSR_SRC_PASS_H
#include "pass/report/report.h"
#include "prim/prim.h"

/* a per-device program, and where its operands and results live */
typedef struct placed {
	arena *arena; /* holds the lists below */
	program *program;
	const mesh *mesh;           /* its devices in order; NULL: it runs on any one device */
	const sharding **in, **out; /* NULL: whole, on every device */
} placed;
void placed_free(placed *);

/* ---- debug.c: what the letters of TSR_DEBUG and .debug ask for (docs/debugging.md) */
/* adds the letters of a text (NULL: none) to a set; from: where the text comes from, for the error
 * that lists all letters when there is no such one */
bool debug_read(base *, const char *where, const char *from, const char *text, uint64_t *set);
bool debugs(const ir *, char letter);
void debug_text(str *); /* to the log, for a letter that asked for it; frees it */
/* prints to the log if that is asked for */
void debug_print(const program *, const char *pass);
/* prints, and verifies if that is asked for (debug builds always do). Gives back the reference it
 * is given; NULL: there was none, or the program is wrong (error recorded). What is made inside
 * another pass is looked at when that one is done */
program *pass_done(program *, const char *pass);
/* program_same; if not, the first line that differs */
bool debug_same(const program *before, const program *now, str *difference);

/* ---- pipeline.c. held: the shardings of the operands that stay where they are; NULL for the
 * others, and for all if it is NULL. report: what partition records; NULL: nothing */
typedef bool placing_pass(const program *, const sharding *const *held, const char *where,
                          report *, placed *out);
placing_pass pipeline;

/* ---- passes.c: a row for each, behind the last one of them a row without a name */
typedef struct pass_info {
	const char *name;
	char letter;         /* of TSR_DEBUG */
	const char *meaning; /* what it makes of a program */
	/* one of them does it; both NULL: not on request */
	program *(*run)(const program *);
	placing_pass *place;
	bool without_calls; /* it wants the program inlined before */
} pass_info;
extern const pass_info all_passes[];
const pass_info *pass_find(const char *name);   /* NULL: none */
const pass_info *pass_on_request(int64_t k);    /* the k-th of those that can run; NULL: none */
/* that pass on its own. Error: there is none of that name, or not on request */
program *pass_named(const program *, const char *where, const char *name);

/* ---- partition/: a program without calls as one that every device runs on its own blocks. Each
 * shard_map equation is replaced by its body. Outside of maps values are where propagation says,
 * and equations whose values are cut work on blocks, inside control flow too */
placing_pass pass_partition;
/* the time that n collectives take between devices so far apart, in which a device receives so much
 * in all (partition/plans.c) */
double collectives_ns(axis_level, double n, double bytes);

/* ---- number.c: the same with numbers of the equations that exchange values between devices or
 * have effects (eqn.number) */
program *pass_number(const program *);

/* ---- inline.c: calls are replaced by the equations of what they call, in inner programs too */
program *pass_inline(const program *);
/* and remats and custom rules by the equations of their programs: nothing more is derived */
program *pass_inline_rules(const program *);

/* ---- update.c: what reads an array comes before the equation that replaces some of its elements,
 * so that it replaces them where they are. In inner programs too; p again if nothing changes */
program *pass_update(const program *);

/* ---- precision.c: products that shall be less exact, as products of parts of their operands. In
 * inner programs too; p again if nothing changes */
program *pass_precision(const program *);

/* ---- unroll.c: steps of scans written out, as many for each turn of the loop as `unroll` says, in
 * inner programs too. The program has no calls */
program *pass_unroll(const program *);

/* ---- sink.c: sums of products over the steps of a scan become one product behind it, in inner
 * programs too. The program has no calls */
program *pass_sink(const program *);

/* ---- add_patches.c: add_patches of a large product is a product of patches, in inner programs
 * too. It adds in another order, on every engine (docs/numerics.md, "Windows") */
program *pass_add_patches(const program *);

/* ---- hoist.c: products that do not depend on the carry of their scan move before it, in inner
 * programs too. The program has no calls */
program *pass_hoist(const program *);
bool multiplies_in_steps(const eqn *); /* a product in a loop of at least two steps */

/* ---- expand.c: what rows are made of in their place, if they are made of others, in inner
 * programs too */
program *pass_expand(const program *);

/* ---- strong.c: the same without weak types, in inner programs too */
program *pass_strong(const program *);

/* ---- simplify/: the same bits with fewer equations, in inner programs too. Constants are folded,
 * chains of casts and of rearrangements become one, equal equations are made once, and equations
 * that nothing needs are dropped. Inputs, results and their types stay,
 * but none is weak */
program *pass_simplify(const program *);

/* ---- target.c: what a program is compiled for, where that decides. No number changes a bit of any
 * result, but for what a library computes */
typedef struct target {
	/* the number of parts of a product of matrices, in any order, or side by side;
	 * 0: kernels compute it. NULL: nobody has asked yet, and none does */
	int64_t (*product_parts)(const matrix_product *);
	/* bytes of scratch memory for each part of an equation that a library computes (row with
	 * PRIM_LIBRARY); -1: it does not. NULL: likewise */
	int64_t (*library_scratch)(const eqn *, const type *const *in);
	int vector_bytes; /* of its vectors */
#define TARGET(name, ...) double name; /* tuning.def says what it is */
#include "base/tuning.def"
} target;
/* of the instruction set with vectors of this many bytes (instructions_chosen) */
const target *target_of(int vector_bytes);

/* ---- fuse/: a program for one device, without calls, as calls that become one kernel each
 * (kernel_lower). Outside of calls there is only control flow, products of matrices, and plain
 * moves of large arrays. In inner programs too. The same bits */
program *pass_fuse(const program *, const target *);
/* ---- fuse/panels.c: does it pay to lay the operands of this equation, a product, out as tiles
 * read them? again: the second one is multiplied with other rows later, as in other steps of a
 * loop */
bool product_wants_packing(const target *, const program *, const eqn *, bool again);
/* the product of operands that are laid out; *made: those of the same build, NULL at first. Each is
 * made once */
typedef struct packed_operand packed_operand;
var product_packed(build *, const target *, const program *, const eqn *, const var *in,
                         bool again, packed_operand **made);

/* ---- fuse/products.c */
/* who computes an equation? */
typedef enum product_maker {
	BY_KERNEL,  /* what is no product, too */
	BY_MATRICES /* *out */
} product_maker;
/* also of a call that pass_fuse has made of a product and of what it gathers */
product_maker maker_of(const target *, const program *, const eqn *, matrix_product *out);
/* the product that a call computes; *p: its program. Of another equation: the same */
const eqn *product_inside(const program **p, const eqn *);
/* Does a library compute this equation, in place of its eval? */
bool library_calls(const target *, const program *, const eqn *);

/* ---- fuse/views.c */
/* The operand of a product that consists of patches, and so can be gathered from the
 * array that they are of; the equations from there, the last one first. false: there
 * is none */
enum { VIEW_EQUATIONS = 4 };
typedef struct gathered {
	int operand, n;
	const eqn *eqn[VIEW_EQUATIONS];
	var base; /* the array */
	matrix_view view;
} gathered;
bool product_gathers(const program *, const eqn *product, gathered *);

/* ---- cost.c: work is counted in additions of elements in a vector */
double element_cost(const program *, const eqn *); /* of one element of the first result */
double work_of(const program *, const eqn *);      /* of all; without the programs inside */
/* additions, products and other operations of numbers, each as one; likewise */
double eqn_operations(const program *, const eqn *);
/* does it add up elements of an operand, or join them otherwise? steps: how many to one */
bool is_reduction(const eqn *);
double steps_of(const program *, const eqn *);
double load_work(const target *, const type *); /* to load a value, or to store it: its bytes */
/* nanoseconds on one thread, estimated: of machine code for all of a program of local equations
 * (false: no memory), of a library, and of the eval of an equation */
bool kernel_ns(const target *, arena *scratch, const program *, double *ns);
double copy_ns(const target *, int64_t bytes);
double product_ns(const target *, const matrix_product *);
double library_ns(const target *, const program *, const eqn *);
double eval_ns(const target *, const program *, const eqn *);

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

/* new inputs of the same types as p's, in a list with room for `more` values behind them */
var *inputs_like(build *, const program *p, int more);
/* a build with the inputs and equations of p, to which more can be added; *results is a list of p's
 * results in it */
build *remake(const program *p, var **results);
/* ends a build, with n results. It is abandoned if that is not ok, or it has failed; NULL is fine:
 * then NULL */
program *remade(build *b, bool ok, const var *results, int n);
/* begins a copy of p, which has the inputs of p, and ends it with those that its results are now.
 * false: v->to is to be abandoned, as copy_end and remade do */
bool copy_begin(value_map *v, const program *p);
program *copy_end(value_map *v, bool ok);

/* a copy of p: `each` is called for one equation after the other, puts it or its replacement into
 * the build, and sets its results. copy_equation puts it there as it is */
program *copy_with(const program *p, bool (*each)(void *user, value_map *, const eqn *),
                   void *user);
bool copy_equation(value_map *, const eqn *);
/* an elementwise equation on one element of each operand: y[] gets those of the results. types: of
 * the operands, then of the results. false: it has no eval, or no memory */
bool element_eval(ir *, arena *, const eqn *, const type *const *types, const void *const *x,
                  void *const *y);
program *retained(const program *p); /* p itself, with one reference more */
/* Would a pass that works on equations that are `due` change p? within: what it makes of programs
 * inside, remembered. Also true where that failed, so that the pass gets the error itself */
bool changes(const program *p, bool (*due)(const eqn *),
             program *(*within)(void *user, const program *), void *user);
/* p with the equations that are due written anew: `write` is called as copy_with calls `each`, for
 * inner programs first. p itself, with one reference more, if that changes nothing */
typedef struct rewriting {
	const char *pass; /* its name */
	bool (*due)(const eqn *);
	bool (*write)(value_map *, const eqn *);
} rewriting;
program *rewritten(const rewriting *, const program *p);
/* and then without what nothing needs any more, if that changed it */
program *rewritten_alive(const rewriting *, const program *p);
/* n + 1 numbers, the i-th of which is how many of some[0 .. i - 1] are true; NULL: no memory */
int *ranks(arena *, const bool *some, int n);

/* ---- hoist.c: is there a product in the loop e whose operands had better be laid out
 * (fuse/panels.c)? Then those that are the same in each step are laid out before the loop */
bool loop_wants_packing(const target *, const eqn *e);
bool hoist_packing(value_map *, const target *, const eqn *e);

/* ---- jvp.c: takes the inputs, then tangents of those that move; gives the results, then tangents
 * of those that move. moves_out tells which results those are. must: results whose tangents are
 * given even if they are zero (NULL: none) */
program *pass_jvp(const program *, const bool *moves_in, const bool *must, bool *moves_out);

/* ---- accumulate.c: the sum of two cotangents of a value, either of which may be absent (var 0) */
var accumulate(build *, var sum, var ct);

/* ---- split.c: a program in two halves. A result is known if it depends on known inputs alone;
 * what the other half needs of such values are residuals.
 *   known:   known inputs -> known results, residuals
 *   unknown: unknown inputs, residuals -> unknown results
 * must: results that count as unknown although they need not be (NULL: none) */
typedef struct halves {
	program *known, *unknown;
	int nresiduals;
	bool *known_out; /* by result; in the arena given */
} halves;
bool pass_split(const program *, arena *, const bool *known_in, const bool *must, halves *);
/* the same for a known half that is computed at another time, or again: equations with effects are
 * in the other one */
bool pass_split_pure(const program *, arena *, const bool *known_in, const bool *must, halves *);
void halves_free(halves *);

/* what the split rule of a row works on. The row emits into both builds; split_carry makes a value
 * of the known half a residual, and gives it as a value of the unknown half */
struct splitting {
	build *known, *unknown;
	const type *const *in;    /* of the operands */
	const var *x_known;       /* operands in the known half: those that are known */
	const var *x_unknown;     /* operands in the unknown half: the others */
	var *y_known, *y_unknown; /* results: one of the two is set */
	void *state;              /* of pass_split */
};
var split_carry(splitting *, var known);
/* puts the equation into the unknown half as it is. Then it keeps the programs it holds, and the
 * halves of these are remembered when they come again */
void split_whole(splitting *, const eqn *, const bool *known);

/* ---- residuals.c: the halves without residuals that can be computed again from others, for less
 * than the memory costs. same: inputs of the known half that are the same whenever it is computed,
 * so that what depends on them alone costs no memory (NULL: none). false: the halves are freed, an
 * error is recorded */
bool halves_trim(halves *, arena *, const bool *same);

/* ---- transpose.c: a program that is linear in some inputs, backwards. It takes the inputs that it
 * is not linear in, then cotangents of the results that are `given`, and gives cotangents of the
 * linear inputs. arrives NULL: of all of them, zeros where no cotangent arrives; otherwise only of
 * those where one arrives, which `arrives` then tells */
program *pass_transpose(const program *, const bool *linear, const bool *given, bool *arrives);
/* the same of a program that also computes things that do not depend on the linear inputs, perhaps
 * inside loops (such as the number of a step). It is split first */
program *pass_linear_transpose(const program *, const bool *linear, const bool *given,
                               bool *arrives);

/* ---- batch.c: the program for a whole batch, which is dim 0 of what is mapped. The axis table
 * loses the batch's entry. must: results that are mapped although they need not be (NULL: none) */
program *pass_batch(const program *, const batching *, const bool *mapped_in, const bool *must,
                    bool *mapped_out);

/* ---- structured/one_by_one.c: the column `batch` of rows with effects: one element of the batch
 * after the other */
void batch_in_turn(build *, const eqn *, const batching *, const var *x, const bool *mapped, var *y,
                   bool *ymapped);

/* ---- silent.c: the program without its effects, for where it is computed once more. NULL: what it
 * computes needs them, which is recorded, or there is no memory */
program *pass_silent(const program *);

/* ---- vary.c: a program as it is in a scope inside its own, whose axis table begins with its
 * own. The inputs are of the types `in`: they may vary over fewer of its own axes, and over the
 * others of the table. Over these the results then vary too */
program *pass_vary(const program *, const axis *, int naxes, const type *const *in);

/* ---- prune.c: without the results that are not used, and without the inputs that are then not
 * needed. used_in tells which inputs are left (NULL: all inputs stay) */
program *pass_prune(const program *, const bool *used_out, bool *used_in);
/* structured/prune.c: the parameters of an equation that holds programs, without the results that
 * are not used. Adds to used_out what has to stay all the same, and to used_in the operands that
 * are left. NULL: no memory */
const void *prune_inside(build *, const eqn *, bool *used_out, bool *used_in);
/* with all inputs and results, but without what the results do not need, in inner programs too */
program *pass_dead(const program *);

/* ---- structured/arrange.c: the program with input i for its input in[i] (others are not used),
 * and result k for its result out[k]; takes the reference to p, NULL is fine */
program *arranged(program *p, const int *in, int nin, const int *out, int nout);

/* ---- structured/rebuild.c: an equation that holds programs like another one, in the making. Its
 * operands and results are listed in the order in which its programs take and give them, as they
 * are made. In the equation they come bundle by bundle, in each as they were listed, and in its
 * programs too */
typedef struct rebuilt {
	build *b;
	const eqn *e;     /* the other one */
	role *in, *out;   /* of operands and results, as they are listed */
	var *x, **y;      /* operands, and where results go */
	int nin, nout;
} rebuilt;
/* most: operands and results. false: the build has failed */
bool rebuild_begin(rebuilt *, build *, const eqn *, int most_in, int most_out);
void rebuild_takes(rebuilt *, role, var x);
/* a result that has no role (of is NULL) is the programs' alone */
void rebuild_gives(rebuilt *, role, var *y);
/* Its parameters, for these programs, whose references it takes. NULL: no memory, or one of them
 * is; the build has failed */
void *rebuild_made(const rebuilt *, program **inside);
void rebuild_emit(const rebuilt *, const void *params); /* NULL is fine */
void rebuild_put(const rebuilt *, program **inside);    /* both */
/* in its place the equations of the one program that takes and gives what is listed */
void rebuild_inline(const rebuilt *, program *);

/* ---- replicate.c: a per-device program on the devices of one memory as one program of one device,
 * without axes. A value has a variable for each of its instances: devices share one where the value
 * is the same on them, whatever its type says. program NULL, and no error: it depends on values
 * whether all devices of a group reach some collective, and only a run on all of them can tell */
typedef struct replicated {
	arena *arena;
	program *program;
	int *in, *out; /* in[i * n + k]: which input is operand i of device k; out likewise */
} replicated;
/* devices: by id, where groups may have members in other processes: what these have is sent and
 * received (crossing/crossing.c). NULL: all devices are of this one */
bool pass_replicate(const program *, device_set, const device *devices, replicated *);
void replicated_free(replicated *);

/* ---- linearize.c: derivatives of a program with respect to the inputs that move. No tangents are
 * computed for results that are not wanted (NULL: all are).
 *
 * The two halves of the jvp:
 *   known:   inputs -> results, residuals
 *   unknown: dx of the inputs that move, residuals -> dy of the results that move and are wanted
 * must as for pass_jvp; moves_out tells which results move and are wanted */
bool pass_linearize(const program *, arena *, const bool *moves_in, const bool *wanted,
                    const bool *must, halves *, bool *moves_out);
/* The linear half backwards: residuals, cotangents of the results -> cotangents of the inputs that
 * move, of which there are `nmoving`. given: the results whose cotangents it takes (NULL: all) */
program *pass_vjp(const halves *, arena *, int nmoving, const bool *given);
/* inputs -> results, then the gradients of result `of`, a scalar, by the inputs that move */
program *pass_grad(const program *, const bool *moves_in, int of);
/* out: for each input that moves its gradient, or derivatives with the input's dims last. They
 * become values that are where the input is, if nothing else says where (prim/placement/model.c) */
bool follow_inputs(build *, const program *, const bool *moves_in, const var *x, var *out);

/* ---- jacobian.c: inputs -> results, then for each wanted result and each input that moves, in
 * this order, the derivative of the one by the other. Its dims are those of the result followed
 * by those of the input. Made by columns (forward) or by rows (reverse) */
program *pass_jacobian(const program *, const bool *moves_in, const bool *wanted, bool reverse);

#endif
