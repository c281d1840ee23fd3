/* nest.h - describes the computation of a kernel: its loops, the addresses of its loads and
 * stores, and the index that vectors run along. Knows nothing of LLVM. */
#ifndef TSR_SRC_NATIVE_NEST_H
#define TSR_SRC_NATIVE_NEST_H
#include "engine/cpu/native.h"
#include "engine/cpu/native/pool.h"

/* short names for the constants of sums in docs/numerics.md */
#define BLOCK SUM_BLOCK
#define LANES SUM_LANES
#define MOST_LANES 64
#define MOST_TILED 2

/* ---- dtypes: written again, since the plug-in refers to no symbol of libtsr */
static inline bool is_complex(tsr_dtype t) { return t == TSR_C64 || t == TSR_C128; }
static inline bool is_float(tsr_dtype t) { return t == TSR_F32 || t == TSR_F64; }
static inline bool has_sign(tsr_dtype t) { return t >= TSR_I8 && t <= TSR_I64; }
static inline tsr_dtype part_of(tsr_dtype t)
{
	return t == TSR_C64 ? TSR_F32 : t == TSR_C128 ? TSR_F64 : t;
}
static inline int bits_of(tsr_dtype t)
{
	static const uint8_t bytes[TSR_DTYPE_COUNT_] = {0, 1, 1, 2, 4, 8, 1, 2,
	                                                4, 8, 2, 2, 4, 8, 8, 16};
	return 8 * bytes[t];
}

/* The place of an element: a constant plus multiples of atoms, which are indices and values known
 * only when the kernel runs */
typedef struct term {
	kvar atom;
	int64_t times;
} term;
typedef struct address {
	int64_t constant;
	int n;
	term *term;
} address;

/* One loop, over neighbouring dims that are walked as one: an index and its extent */
typedef struct walk {
	kvar index;
	int64_t extent;
} walk;
typedef struct walks {
	int n;
	walk *walk; /* the outermost first; those of extent 1 are left out */
} walks;

/* Level l: the regions first .. end - 1, which are inside walk l - 1 of the loops of the results
 * but outside walk l */
typedef struct level {
	int32_t first, end;
} level;

/* a comparison of the vectors' index with constants: times * index + constant `op` 0 */
typedef struct condition {
	int32_t node;
	kop op;
	int64_t times, constant;
} condition;
/* which indices a value changes with: the jammed one, that of the vectors */
enum { VARIES_JAM = 1, VARIES_ALONG = 2 };
/* indices first .. end - 1: whole vectors, in which no condition changes */
typedef struct piece {
	int64_t first, end;
} piece;

/* a reduction without lanes around it */
typedef struct alone {
	bool known, in_lanes; /* its own elements are computed 16 at a time */
	double cost;
} alone;

typedef struct nest {
	const kernel *k;
	pool *pool;
	bool *needed;           /* by node: its value is needed */
	address *load;          /* of each node that is a load */
	address *store;         /* of each result */
	walks loops;            /* of the results */
	walks *reductions;      /* of each region that is one */
	alone *alone;           /* by region that is a reduction: what cost.c has found */
	bool *dot;              /* by region: it is a sum of products */
	level *level;           /* loops.n + 1 of them */
	int vector;             /* the walk of loops that vectors run along, or -1 */
	int lanes;              /* then */
	kvar tiled[MOST_TILED]; /* loads that stride along the vectors, and read neighbours along
	                           the loop around */
	int ntiled;
	condition *condition;
	piece *piece;
	int nconditions, npieces;
	int rows;        /* how many rows of memory there are (reuse.c), each as long as the last
			    walk of the loops */
	int *row;        /* by node: the row, from 1 on, in which a reduction keeps the values for
			    the loop after it; 0: none */
	int jam;         /* the walk of the loops of which `copies` steps are computed side by side,
			    or -1 */
	int copies;      /* then; else 1 */
	bool joint;      /* there are reductions of several results at once */
	uint8_t *varies; /* by node */
	bool *columns;   /* by node: a reduction that is computed for each lane around it alone, in
			    lanes of its own */
	native_window window; /* of an epilogue; rows 0: it is none */
	int64_t item;    /* steps of the first loop in one item */
	int64_t items;
	uint64_t cut; /* native_code.cut */
} nest;

/* ---- address.c */
bool addresses_find(nest *); /* false: no memory */
int64_t address_times(const address *, kvar atom);
/* a - b; false: no memory */
bool address_of_difference(nest *, address *, kvar a, kvar b);
/* takes out an atom that another one now represents */
void address_drop(address *, kvar atom);

/* ---- nest.c: window NULL: it is no epilogue. max_bytes: of a vector. false: no memory */
bool nest_make(nest *, const kernel *, const native_window *, pool *, int max_bytes);
int64_t count_steps(const walks *);
bool walk_in_order(const nest *, const walk *); /* are its steps taken one after the other? */
int region_size(const nest *, int32_t region);    /* nodes in it, at any depth */
bool level_is_empty(const nest *, const level *); /* nothing is computed or stored there */
bool level_reduces(const nest *, const level *);  /* a reduction is computed there */

/* ---- pieces.c */
bool pieces_find(nest *); /* of the vectors' walk; false: no memory */
bool condition_at(const condition *, int64_t index);

/* ---- reuse.c */
bool rows_find(nest *); /* false: no memory */

/* ---- window.c: can the nest, which is that of a window, be computed window by window? */
bool nest_takes_windows(const nest *);

/* ---- cost.c */
/* whether a reduction without lanes around it takes its own elements 16 at a time */
bool reduction_in_lanes(const nest *, kvar reduction);
/* sets vector and lanes; false: no memory */
bool vectors_choose(nest *, int max_bytes);
int lanes_of(const nest *, int vector, int max_bytes); /* of one register */
/* An item has a multiple of these along the vectors, on every processor */
int lanes_of_item(const nest *);

/* ---- jam.c */
bool is_joint(const knode *); /* a reduction that can be computed for several results side by
				 side */
/* in vectors along `along`, would each lane read a row of its own, and can the reduction be
 * computed for each lane alone? */
bool reads_columns(const nest *, kvar reduction, kvar along);
/* In vectors along `along`, does each lane of the load, in a sum of products, read neighbours in a
 * row of its own? Then squares of these rows are transposed (emit_dot.c). along 0: lanes that are
 * parts of the sum */
bool is_load_of_rows(const nest *, kvar load, kvar along);
int square_side(const walks *, int most); /* of squares that a reduction is made of; 1: of none */
/* sets jam and copies, and the lanes that go with them; false: no memory */
bool jam_choose(nest *, int max_bytes);

#endif
