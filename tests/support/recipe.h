/* recipe.h - small programs written once as data: operations, collectives, and nests of
 * transformations and control flow around regions of their own. A recipe is drawn at random from a
 * seed, printed, run through the public API, and evaluated by an oracle.
 *
 * The oracle knows no transformation. It computes, in doubles, what every point of a nest sees: a
 * point is one element of each batch and one device of each map that is entered. A batch is a
 * loop, a mapped region is slice, run, concatenate, and a collective is a loop over the points
 * that exchange. Derivatives are carried forwards in dual numbers. A gradient is JAX's: it
 * differentiates the sum of the losses of all points, where points that must hold the same loss by
 * its type count once, with respect to the value at one point, or at all points that must hold the
 * same value by its type. */
#ifndef TSR_TESTS_RECIPE_H
#define TSR_TESTS_RECIPE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <tsr/tsr.h>

enum {
	RECIPE_NDIM = 8,
	RECIPE_INS = 6,
	RECIPE_OUTS = 4,
	RECIPE_STEPS = 30,
	RECIPE_VALUES = 48,
	RECIPE_REGIONS = 12,
	RECIPE_AXES = 8,
	RECIPE_MEMBERS = 64,
	RECIPE_DEVICES = 8,
	RECIPE_SIZE = 1024,
	RECIPE_UNMAPPED = -100
};

/* what one point holds; row-major */
typedef struct form {
	int ndim, dim[RECIPE_NDIM];
	uint32_t varying; /* axes along which points may differ. In checked regions, for axes of the
	                     mesh, just what the type says */
	bool key;         /* keys of random numbers: two words each, which are the last dim. They
	                     have no derivatives, and are no results of the program */
} form;
int form_size(const form *);
bool form_same(const form *, const form *); /* dims, and whether they are keys */

/* axes by number, major first */
typedef struct axis_list {
	int n, at[RECIPE_AXES];
} axis_list;
uint32_t axis_bits(const axis_list *);

typedef enum op {
	/* one operand */
	OP_NEG,
	OP_SIN,
	OP_COS,
	OP_TANH,
	OP_LOGISTIC,
	OP_EXP,
	OP_SQUARE,
	OP_CUBE,
	OP_ABS,
	OP_RELU,
	OP_LOG1P_SQUARE,
	OP_SQRT1,  /* log(1 + x^2), sqrt(1 + x^2) */
	OP_AFFINE, /* k x + k2 */
	OP_COPY,
	OP_REM, /* of a division by k, towards 0 */
	/* two operands, broadcast */
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_RATIO, /* a / (2 + b^2) */
	OP_MAXIMUM,
	OP_MINIMUM,
	OP_PICK, /* a > b ? a / 2 : b */
	/* reductions over dims[0 .. ndims - 1] */
	OP_SUM,
	OP_MEAN,
	OP_MAX,
	OP_PROD,
	OP_LOGSUMEXP,
	/* along dim at; keep: from the last element, or in falling order. sort_by: b in the order
	 * of a */
	OP_CUMSUM,
	OP_SORT_BY,
	/* products: NumPy's dot of one or two dims each; dims at of a and to of b are summed over,
	 * and if keep dims stop of a and stride of b are batches; if k
	 * is 1 they are cut to whole numbers, if 2 they are 1 where they are not 0 */
	OP_DOT,
	OP_DOT_GENERAL,
	/* layout */
	OP_TRANSPOSE,
	OP_RESHAPE,
	OP_FLIP,
	OP_EXPAND,
	OP_SQUEEZE,
	OP_BROADCAST,
	OP_CONCAT,
	OP_STACK,
	OP_SLICE,
	OP_PAD, /* slice: start, stop, stride along at; pad: start, stop, stride - 1 inside */
	OP_DYNAMIC_SLICE,
	OP_DYNAMIC_UPDATE, /* at `start`, or the index along `axis` if that is not
	                      negative; slice: `stop` elements */
	OP_IOTA,
	OP_FULL,
	OP_PCAST,
	OP_CONSTRAIN, /* is placed as `cut` says, along axes that no map has taken */
	/* keys: of the seed `start`; all `stop` keys that a is split into, or if keep number start
	 * of them; a with `start` folded in, or the index along `axis`, or whether the sum of b is
	 * > k; of several ones that at `start`, or at the index along `axis` */
	OP_KEY,
	OP_SPLIT,
	OP_FOLD_IN,
	OP_KEY_AT,
	/* numbers of key a. If `to` is not 0 they are a part of an array whose dim at has this
	 * size, from `start` on, or from the index along `axis`. bits: the first six of `stop`
	 * bits, as a number from -1 to 1 */
	OP_BITS,
	OP_UNIFORM,
	OP_NORMAL,
	OP_EXCHANGE,
	OP_NEST,
	OP_COUNT
} op;

typedef enum exchange_kind {
	EX_PSUM,
	EX_PMEAN,
	EX_PMAX,
	EX_PMIN,
	EX_ALL_GATHER,
	EX_PSUM_SCATTER,
	EX_ALL_TO_ALL,
	EX_PSWAPAXES,
	EX_PPERMUTE,
	EX_PSHUFFLE,
	EX_PBROADCAST,
	EX_RAGGED,
	EX_AXIS_INDEX,
	EX_COUNT
} exchange_kind;
typedef struct exchange {
	exchange_kind kind;
	axis_list over;
	int ngroups, group_size[RECIPE_MEMBERS], member[RECIPE_MEMBERS]; /* 0: one group of all */
	int at, to; /* dims; all_to_all: at is split, to grows */
	bool tiled;
	bool invarying;                            /* all_gather, pbroadcast */
	int nsource, source[RECIPE_MEMBERS];       /* whose value each place gets, -1: zeros */
	int rows[RECIPE_DEVICES * RECIPE_DEVICES]; /* ragged: how many rows go from i to j, at
	                                                  i n + j; all that i sends stand one behind
	                                                  the other, and so does what j gets */
} exchange;

typedef enum nest_kind {
	NEST_JIT,
	NEST_VMAP,
	NEST_GRAD,
	NEST_VALUE_AND_GRAD,
	NEST_JVP,
	NEST_SCAN,
	NEST_COND,
	NEST_SHARD_MAP,
	NEST_PMAP,
	NEST_REMAT,
	/* the next two say the derivative that the region has. All their values are arguments, and
	 * numbers */
	NEST_CUSTOM_JVP,
	NEST_CUSTOM_VJP,
	NEST_COUNT
} nest_kind;
/* how a value of this region becomes an input of a nested one */
typedef enum pass_as { AS_ARGUMENT, AS_CAPTURE, AS_LIFTED } pass_as;

/* over which axes each dim is split; dims beyond n are not */
typedef struct split {
	int n;
	axis_list dim[RECIPE_NDIM];
} split;
uint32_t split_bits(const split *);

typedef struct nest {
	nest_kind kind;
	int region[2]; /* cond: if true, if false */
	int nargs, arg[RECIPE_INS];
	pass_as as[RECIPE_INS];
	bool tree;  /* the arguments are one tree */
	bool other; /* written with another function: cond as switch, scan as fori, jvp as
	               linearize, grad and value_and_grad as vjp, where that can say it */
	int in_at[RECIPE_INS], out_at[RECIPE_OUTS], axis; /* vmap, pmap: an axis of the mesh */
	bool anonymous;                                   /* pmap: its axis has no name */
	int nwrt, wrt[RECIPE_INS];                        /* grad, jvp: inputs of the region */
	int tangent[RECIPE_INS];                          /* jvp: values, one for each of wrt */
	int ncarry, length, unroll;                       /* scan; the other arguments are xs */
	bool reverse;
	int pred; /* cond: sum of this value > k */
	double k;
	axis_list manual; /* shard_map */
	bool unchecked;
	split in[RECIPE_INS], to[RECIPE_OUTS];
} nest;

typedef struct step {
	op op;
	int in[2], nin;  /* values */
	int first, nout; /* values that it makes */
	int ndims, dims[RECIPE_NDIM];
	int at, to, start, stop, stride, axis;
	bool keep;
	bool negative; /* dims are written from the end */
	double k, k2;
	split cut;
	exchange ex;
	nest nest;
} step;

/* values are the inputs, then what each step makes */
typedef struct region {
	int nin, nvalues, nsteps, nout, out[RECIPE_OUTS];
	form value[RECIPE_VALUES];
	step step[RECIPE_STEPS];
	axis_list bound; /* axes in scope, outermost first */
	bool unchecked;  /* inside an unchecked map */
	uint32_t manual; /* of these, those of the innermost map */
	bool in_pmap;    /* the axes of the mesh that are in scope are those of pmaps */
	uint32_t nameless; /* axes in scope that have no name here */
	bool bare;       /* one nest of all inputs, whose fn is the body */
	uint64_t idle;   /* while it is drawn: values, as bits, that nothing uses yet */
} region;

typedef struct axis_info {
	char name;
	int size;
	bool mesh;
} axis_info;

typedef struct recipe {
	uint64_t seed;
	int nmesh, naxes; /* axes of the mesh come first */
	axis_info axis[RECIPE_AXES];
	int nregions; /* region 0 is the program */
	region region[RECIPE_REGIONS];
	bool own_meshes;      /* there are pmaps, which make them */
	bool jit;             /* the program is one fn; otherwise its steps run at once */
	bool twice;           /* the fn is called twice; the second results count */
	int device[RECIPE_DEVICES]; /* of the mesh */
	bool single;          /* random numbers are those of f32 */
	bool whole;           /* the program is one mapped body of whole numbers, of this dtype,
	                         which holds each exactly, in any order of its sums */
	tsr_dtype dtype;      /* of inputs and results */
	bool mixed;           /* there are checked maps in unchecked ones or the other way round:
	                         their values vary at most as the recipe says */
	int missing;          /* this axis, over which the first result varies, its spec leaves out:
	                         the call must fail. 0: none; otherwise 1 + the axis */
	bool put[RECIPE_INS]; /* inputs are placed on the mesh before */
	split place[RECIPE_INS];
} recipe;

/* ---- recipe_draw.c */
/* what draws may hold */
typedef struct recipe_limits {
	int depth;        /* of nests; 0: 1 to 4 */
	bool jax;         /* only what JAX does too */
	uint32_t without; /* kinds of nests, as bits, that are not drawn */
	double margin;    /* distance from kinks; 0: 1e-5 */
	bool single;      /* it will run in f32, which draws other random numbers than f64 */
	bool whole;       /* one mapped body of whole numbers, in f32 or i32 */
} recipe_limits;
/* The recipe of a seed; of several attempts the caller takes one that is fit. false: it did not
 * come together */
bool recipe_draw(recipe *, uint64_t seed, int attempt, const recipe_limits *);
double recipe_number(uint64_t *state); /* in [-1, 1) */
/* of one that has none: x, y, z of these sizes, up to a 0, of devices in their order; i, j, k of
 * batches */
void recipe_axes(recipe *, const int *mesh, int nmesh, const int *batch, int nbatch);
/* the deepest nest, outermost kind first; kinds has room for RECIPE_REGIONS. Gives its depth */
int recipe_stack(const recipe *, nest_kind *kinds);
const char *nest_name(nest_kind);
bool derives(nest_kind); /* has derivatives in it */
bool has_rules(nest_kind);

/* ---- recipe_text.c */
void recipe_print(const recipe *, FILE *);

/* ---- recipe_oracle.c */
typedef struct verdict {
	bool fit;       /* numbers stay below 1e4 */
	double largest; /* the largest coefficient on the way */
	double margin;  /* distance from the nearest kink */
} verdict;
/* in, out: arrays of the inputs and results of region 0, out with room for them. noise: relative,
 * of all that is computed */
verdict recipe_evaluate(const recipe *, double noise, double *const *in, double *const *out);

/* ---- recipe_deal.c */
/* the numbers as an array */
tsr *form_array(tsr_ctx *, const form *, const double *, tsr_dtype);
/* an array of this dtype with these numbers, up to an error? If not, says why */
bool form_matches(const form *, const double *want, double error, tsr_dtype, const tsr *got,
                  char *why, size_t size);
/* A recipe with numbers for its inputs, and its results by the oracle. Errors of 1e-13 in all that
 * is computed grow at most 300-fold, relative to the largest number; whole numbers are exact */
typedef struct recipe_deal {
	recipe r;
	double in[RECIPE_INS][RECIPE_SIZE], want[RECIPE_OUTS][RECIPE_SIZE];
	double largest;
} recipe_deal;
/* the deal of a seed. false: all attempts of this seed failed */
bool recipe_deal_make(recipe_deal *, uint64_t seed, const recipe_limits *);
/* the inputs as arrays of this dtype */
void recipe_inputs(tsr_ctx *, const recipe_deal *, tsr_dtype, tsr **in);
/* an array with the numbers of result k? If not, says why */
bool recipe_matches(const recipe_deal *, int k, const tsr *got, char *why, size_t size);

/* ---- recipe_run.c: the recipe through the public API. Handles of the inputs to those of the
 * results, which are poison if something failed. The recipe must stay as it is until the context is
 * closed. */
void recipe_run(tsr_ctx *, const recipe *, tsr_dtype, tsr *const *in, tsr **out);
tsr_mesh *recipe_mesh(tsr_ctx *, const recipe *);
/* "x*y"; NULL for no axis */
const char *axis_list_text(const recipe *, const axis_list *, char out[2 * RECIPE_AXES]);
tsr_spec split_spec(const recipe *, const split *, char text[][2 * RECIPE_AXES]);
/* the text of the program, if it is one fn */
const char *recipe_program(tsr_ctx *, const recipe *, tsr_dtype, tsr *const *in);

#endif
