/* partition.h - shared inside pass/partition: from a traced program to one that every device runs
 * on its own blocks.
 *
 * partition.c walks the program, and inner.c the programs inside it. propagate.c has decided before
 * where each value shall be (layout_table.c), over axes that refine.c may have taken apart. cuts.c
 * says along which axes an equation is cut, and local.c makes the equation on blocks. Where
 * elements move along a dim, moves.c, pieces.c and windows.c give each device what its block needs.
 * values.c keeps the forms of a value, steps.c brings it from one layout to another as plans.c
 * says, and mask.c puts numbers into the padding of blocks. reasons.c and collectives.c record what
 * is done, for users (pass/report/).
 *
 * Words: the `whole` of a value is what the user sees; its layout says what of it a device
 * holds. A `form` of a value is a variable of the program that is made, with its layout. Layouts
 * are over the first entries of the axis table, which are the axes of the program's mesh, or
 * parts of them; a form may also be a block of a sharding over another mesh on the same devices. */
#ifndef TSR_SRC_PASS_PARTITION_H
#define TSR_SRC_PASS_PARTITION_H
#include "pass/pass.h"
#include "pass/report/report.h"

typedef struct partitioning partitioning;

static inline int axes_in(const layout *l, int dim) /* that cut the dim */
{
	int n = 0;

	for (int i = 0; i < l->n; i++) n += l->dim[i] == dim;
	return n;
}

/* ---- cuts.c: layouts of the values of an equation, seen as axes along its factors.
 *
 * Example: of f32[8,6] x f32[6,4] -> f32[8,4], "ab,bc->ac | b sum", layouts [x,-], [-,-] and [-,y]
 * are a: x in the first operand, c: y in the result. */
typedef struct axis_list {
	int n;
	uint8_t axis[MAX_AXES];
} axis_list;
typedef struct cutting { /* an equation, and how it may be cut */
	const eqn *e;
	const type *const *type; /* of its operands, then of its results */
	factors f;
	uint64_t even;  /* a set of factors */
	uint64_t whole; /* likewise: those that nothing may cut */
	bool by_mesh;   /* TSR_BY_MESH */
	const layout_axis *axis;
	int64_t shift[MAX_FACTOR_SLOTS]; /* by slot: where the operand begins in its origin */
} cutting;
/* by_mesh: nothing is cut that gives other bits then. false: it is always whole */
bool cutting_make(cutting *, bool by_mesh, const eqn *, const type *const *type,
                  const layout_axis *);
/* The origin of an operand along whose dim elements move: itself, or what it is a slice of along
 * that dim, or what was padded along such dims, from where the elements may be taken as well. The
 * windows of its slots become windows of that */
struct places;
var see_through(cutting *, const struct places *, int operand);
/* the equation that pads the origin to the operand; NULL: none does */
const eqn *pad_before(const cutting *, const struct places *, int operand);
/* may axes cut this factor? */
bool factor_is_cut(const cutting *, int factor);
bool value_has(const cutting *, int value, int factor);
int64_t axes_parts(const cutting *, const axis_list *); /* that the axes make */
/* the axes of a value's layout that cut a factor of it. Of a dim with several factors, the minor
 * ones are cut where all before are cut into parts of 1 */
void factor_axes(const cutting *, int value, const layout *, int factor, axis_list *to);
/* Must axes divide it? Not where it is alone in its dims: their blocks are filled up at the end */
bool factor_is_even(const cutting *, int factor);
/* how many of the axes may cut the factor, one after the other */
int axes_that_fit(const cutting *, int factor, const axis_list *);
bool axes_divide(const cutting *, int factor, const axis_list *);
/* the layout of a value where each factor is cut along its list */
layout factors_layout(const cutting *, int value, const axis_list *by_factor);
/* along which axes each factor is cut, so that no axis cuts two, and most elements of values with
 * the layouts `at` may stay where they are. at: by value; NULL: anywhere. whole: a set of factors
 * that nothing cuts */
void choose_cuts(const cutting *, const layout *const *at, uint64_t whole, axis_list *by_factor);

/* ---- layout_table.c: where values shall be: a table for each place where a program is. A program
 * that is inside two equations has two, which may differ */
typedef struct places {
	const program *program;
	layout **at;              /* by variable */
	axis_set *closed;         /* by variable: axes that may not cut it further, ... */
	const ints **open;        /* but for these dims, which any axis may; NULL: none */
	int *uses;                /* by variable: how many read more of it than its place */
	const eqn **made;         /* by variable: the equation that makes it; NULL: none does */
	const layout **out;       /* by result of a program inside an equation: as that wants it */
	const layout **map;       /* of a shard_map: its specs of operands; NULL elsewhere */
	struct inside **inside;   /* of an equation that holds programs; NULL: they are whole */
} places;
#define ALL_CLOSED (~(axis_set)0) /* a value is held where it is */
/* Values that an edge ties together have one layout. It is over the dims that they have inside:
 * where a loop takes a slice each time, dim 0 is not among them, and where a map takes blocks, the
 * axes of its spec are not */
typedef struct tie {
	layout at;
	const type *type;
	axis_set closed; /* axes that cut nothing inside: a map's own */
	int nin, nout; /* values below that go in there (the operand, results of programs), and
	                * those that come out */
	struct tied {
		const places *in;
		var v;
	} *value;
} tie;
typedef struct inside { /* the programs of an equation */
	tie **in, **out; /* by operand and result; NULL: whole on every device */
	int n;
	places *program;
} inside;
/* a program and all programs inside it: nothing is cut yet but by maps. NULL: no memory */
places *places_make(partitioning *, const program *);
/* once operands are held: a value that is alike to one that is held is held there too, also where
 * that is whole */
void places_held_alike(places *);
/* of an operand only the place is read */
bool is_model(const eqn *, int operand);
/* where the equation takes an operand, and gives a result; inside NULL: whole */
layout layout_in(const inside *, const type *whole, int operand);
layout layout_out(const inside *, const type *whole, int result);
/* the layouts as bytes: programs that have the same are partitioned alike */
void places_key(str *, const places *);

/* ---- propagate.c: places that are not held get layouts. false: no memory */
typedef struct decisions decisions;
bool propagate(arena *, const places *, const layout_axis *, decisions *);

/* ---- reasons.c. NULL, unless somebody asks */
bool decisions_begin(partitioning *, decisions **); /* false: no memory */
bool decisions_lost(const decisions *);             /* there was no memory for one */
/* the layout got this axis from a variable (0: what it is tied to) by an equation, in this round */
void decide(decisions *, const layout *, int axis, int round, int from, const cutting *);
/* it got all of it by what the text says; the text and the place last */
void decide_all(decisions *, const layout *, const char *text, const char *where);
/* false: likewise */
bool decisions_record(const partitioning *, const decisions *, const places *);

/* ---- refine.c: axes in parts. again: an axis came apart, and places must be found anew. false: no
 * memory */
bool refine(partitioning *, const places *, bool *again);
/* before that: axes come apart so that this sharding, over another mesh of the same devices, is a
 * layout. false: an error is recorded */
bool refine_for(partitioning *, const sharding *);
/* a layout of a value of ndim dims as users see it, over the program's mesh or another one of
 * theirs; *as NULL: over none. false: an error is recorded */
bool layout_seen(const partitioning *, const layout *, int ndim, const sharding **as);
bool keep_what_is_seen(const partitioning *, layout *, int ndim);
void cut_along(const partitioning *, layout *, int dim, int axis);
/* the axis that begins with the i-th entry of such a layout; *i: where the next one begins */
int next_axis(const partitioning *, const layout *, int *i);

/* ---- values.c */
typedef struct form {
	var v;
	layout at;
	const sharding *cut; /* NULL, or a block under this, which is over another mesh */
	const void *padding; /* the number that all its padding is; NULL: not known, or none */
	struct form *next;
} form;
typedef struct spot { /* the forms of a variable of the program being read */
	const type *whole;
	form *form;
	int constant; /* 1 + the input that it is, the same in all steps of a loop; 0: none */
} spot;
/* what the body of a loop takes once more, in another layout */
typedef struct more_inputs {
	int n, most;
	struct more_input {
		int like; /* the number of the input whose value it is */
		layout at;
	} v[];
} more_inputs;
/* for what a value is brought elsewhere */
typedef enum ask_kind {
	ASK_NOTHING,
	ASK_OPERAND,    /* of an equation on blocks */
	ASK_WHOLE,      /* an operand of one on whole values */
	ASK_TERMS,      /* a result whose terms devices hold */
	ASK_BLOCKS,     /* what an equation on blocks needs of others */
	ASK_CONSTRAINT,
	ASK_MODEL,
	ASK_MAP,
	ASK_MAP_RESULT,
	ASK_INSIDE,     /* an operand of an equation that holds programs */
	ASK_RESULT      /* of the program */
} ask_kind;
typedef struct ask {
	ask_kind kind;
	const eqn *e;
	int operand;        /* or result */
	const cutting *cut; /* of e on blocks */
} ask;
struct partitioning {
	ir *ir;
	build *b; /* begins when axes and places are known */
	arena *scratch; /* what the walk needs and the result does not */
	base *bs;
	const char *where;
	const mesh *mesh; /* the program's devices, in order */
	/* of refine.c: the same devices over axes that are parts of its axes, or the same. These
	 * are first in the table; parts of axis a begin at entry part[a], and end at part[a + 1] */
	const mesh *fine;
	int part[MAX_AXES + 1];
	const mesh **user; /* others of the same devices that operands and wishes are over */
	int nusers;
	struct wish *wishes; /* what constraints over those say */
	axis_set named; /* by position: axes of the mesh that maps make manual */
	axis axes[MAX_AXES];
	layout_axis size[MAX_AXES];
	int naxes;
	table seen;            /* programs whose meshes are in there */
	table *plans;          /* of plans.c: moves that were planned */
	const int *axis_map;   /* to the table, from that of the program being read, ... */
	axis_set manual;       /* ... and the axes of the maps around it */
	struct blocks *blocks; /* of local.c: room for one equation, which is large */
	more_inputs *more;       /* of inner.c: of the program that is made */
	report *report;          /* NULL: nobody asks */
	int recorded;            /* equations of the build that are in it, ... */
	int build_number;        /* ... and the number of the build there */
	struct ask ask;
	double turns;            /* how often the build runs, ... */
	bool in_while;           /* at each turn of a while */
	int placed; /* of layout_table.c: how many variables have places inside equations */
};
static inline axis_set layout_axes(const layout *l)
{
	axis_set set = l->partial;

	for (int i = 0; i < l->n; i++) set |= axis_bit(l->axis[i]);
	return set;
}
typedef struct wish {
	const sharding *to;
	struct wish *next;
} wish;
form *spot_add(partitioning *, spot *, var, const layout *, const sharding *cut); /* or NULL */
/* of the axis table: the entry of a mesh's axis, and those of the axes that a sharding names */
int entry_of(const partitioning *, const mesh *, int position);
axis_set entries_of(const partitioning *, const sharding *);
/* NULL, here and below: an error is recorded */
int64_t *block_dims(partitioning *, const type *whole, const layout *);
/* whole: as the program being read has it, which may vary over the axes of maps around */
const type *block_type(partitioning *, const type *whole, const layout *);
/* the value in this layout, with this in its padding: a form of it, which it keeps, made from
 * another if there is none; NULL: an error is recorded */
const form *spot_form(partitioning *, spot *, const layout *, padding);
bool spot_value(partitioning *, spot *, const layout *, var *out);
/* the time that this takes */
bool spot_ns(partitioning *, const spot *, const layout *, double *ns);
/* as a block of a sharding, over whatever mesh */
bool spot_block(partitioning *, spot *, const sharding *, var *out);
/* the layout that a sharding says. false: it is over another mesh */
bool layout_of(const partitioning *, const sharding *, const type *whole, layout *);
/* the same, also of one over another mesh, if a spec over the program's says so too */
bool layout_like(const partitioning *, const sharding *, const type *whole, layout *);
/* of values of ndim dims. NULL: an error is recorded */
const sharding *sharding_of(const partitioning *, const layout *, int ndim);

/* ---- steps.c */
/* the axes of a dim from its `first` one on; v NULL: no memory */
ints axes_of_dim(partitioning *, const layout *, int dim, int first);
/* by[d]: the axes along which dim d is cut into parts of block[d] */
bool cut_dims(partitioning *, var x, const ints *by, const int64_t *block, var *out);
/* a dim of x in this size: cut off at the end, or filled up with a number */
bool resized(partitioning *, var x, int dim, int64_t size, const void *number, var *out);
/* The same value in another layout; new padding is this number. kept: what padding held before it
 * holds still, as far as it is not new */
bool reshard(partitioning *, var from, const type *whole, const layout *, const layout *to,
             const void *number, var *out, bool *kept);

/* ---- plans.c */
/* the steps between two layouts that differ, valid while the partitioning is; NULL: no memory */
const reshard_plan *plan_of(partitioning *, const type *whole, const layout *from,
                            const layout *to);
/* the time that reshard() would take in one memory, so that choices by it are the same on any
 * number of processes; false: no memory */
bool reshard_ns(partitioning *, const type *whole, const layout *from, const layout *to,
                double *ns);

/* ---- collectives.c: nothing, unless somebody asks. false: no memory */
/* the collectives appended since the last call bring a value from one layout to another, for
 * p->ask */
bool record_moved(partitioning *, const type *whole, const layout *from, const layout *to);
bool record_rest(partitioning *);   /* they do something else */
void record_copied(partitioning *); /* they are the user's own */
void record_inside(partitioning *own, const eqn *); /* own is for a build inside this equation */
/* the build ends with these results: what they do not need goes with it */
bool record_needed(partitioning *, const var *out, int nout);

/* ---- mask.c: false, and a var without id: the build has failed */
tsr_dtype index_dtype(int64_t most); /* of indices up to this one */
/* a device's index over these axes, times the size of a block: where its block begins */
bool block_start(partitioning *, const ints *axes, int64_t size, tsr_dtype, var *out);
bool has_padding(const partitioning *, const type *whole, const layout *);
/* x, a block of a value in this layout, with this number in all its padding */
bool fill_padding(partitioning *, var x, const type *whole, const layout *, const void *number,
                  var *out);
var element_like(partitioning *, const type *, const void *number); /* a literal of its dtype */

/* ---- pieces.c */
typedef struct window { /* what parts of a result need of a dim of an operand */
	int64_t size, parts; /* of the dim; of the result */
	int64_t length;      /* of the window: all are as long */
	int64_t shift;       /* where the operand begins in its origin, whose indices these are: */
	int64_t *first;      /* by part: the index that is first in it, which may be outside */
	index_range *needs;  /* by part: these must be right, the others may hold anything */
} window;
/* of a slot, when its factor is cut into so many parts of `block` indices */
bool window_make(partitioning *, const cutting *, int slot, int64_t parts, int64_t block,
                 window *);
typedef struct piece {
	int window;        /* to which it belongs */
	int64_t from, to;  /* parts */
	int64_t off, n;    /* these of the block of `from` */
	int64_t at;        /* where they are in the window */
	int round;         /* -1: none, the device has them */
} piece;

typedef struct plan {
	int64_t parts, block; /* of the value */
	bool cut;             /* it is; otherwise each device has all of it */
	int room, npieces, nrounds;
	piece *piece;
	int64_t *rows; /* by round: how many are sent */
} plan;
/* of n windows of one value along one dim, which is cut into as many parts, or whole */
bool plan_make(partitioning *, const window *const *, int n, bool cut, plan *);
/* Does it move less to take them than to gather the dim? */
bool windows_pay(partitioning *, const window *const *, int n, bool *pay);
/* The same where all devices want one window of a dim that is cut into `parts`, of rows of so many
 * bytes: those that have any of it send it to all */
bool window_shared_pays(const window *, int64_t parts, double row, axis_level);
/* where a piece begins in what is sent */
int64_t sent_from(const plan *, const piece *);

/* ---- windows.c */
/* Windows of one value along one dim, which is cut along the axes, or whole. part: the number of
 * the device's part of the result */
bool windows_take(partitioning *, var x, int dim, const ints *axes, var part, bool cut,
                  const window *const *, int n, var *out);
/* The one window of a dim that is cut along the axes, on all devices */
bool window_share(partitioning *, var x, int dim, const ints *axes, const window *, var *out);
/* the index of the operand that is first in it */
bool window_start(partitioning *, const window *, var part, var *out);

/* ---- partition.c: the walk through a program. Spots by variable. at: where each variable shall
 * be; NULL: whole on every device, as where a map leaves no axis of the mesh */
spot *make_spots(partitioning *, const program *); /* NULL: no memory */
bool partition_walk(partitioning *, const program *, spot *, const places *at);
void add_axis(partitioning *, const mesh *, int position); /* to the table */

/* ---- maps.c: a shard_map. inside NULL: blocks are whole to its body */
bool walk_map(partitioning *, const eqn *, spot *, const inside *);

/* ---- inner.c: an equation that holds programs; but a shard_map. inside NULL: they are whole */
bool walk_inside(partitioning *, const eqn *, spot *, const inside *);

/* ---- moves.c, local.c */
/* an operand's dim of which a device gets a window */
typedef struct move {
	int operand, dim, factor;
	bool cut;         /* the operand comes in blocks, as the factor is cut, ... */
	axis_list shared; /* ... or along these, and all devices want one window; or it is whole */
	window w;
} move;

/* an axis list for each factor of an equation, and what follows from them */
typedef struct blocks {
	cutting c;
	axis_list by_factor[MAX_FACTORS];
	const type **type, **block; /* of operands, then of results */
	const layout **at;
	const form **form; /* of operands */
	axis_set joined;   /* axes along which the results are terms */
	factor_op op;      /* that joins them */
	const var **start; /* of the blocks, if the row has a form of its own, ... */
	const ints **cut;  /* ... and by dim the axes that cut it */
	bool own;          /* not the same row: a factor that is cut moves, or is the row's own */
	tsr_dtype index;   /* of starts */
	int nmoves;
	move *move;
	var *origin; /* of operands, for those that move */
} blocks;
ints axis_ints(partitioning *, const axis_list *); /* v NULL: no memory */
/* when by_factor is chosen: the moves of an equation. false: no memory */
bool find_moves(partitioning *, blocks *, const spot *);
/* the variable that an operand is taken from, and the layout in which it is wanted */
var operand_read(const blocks *, int operand);
layout operand_layout(const blocks *, int operand);
/* x: operands in these layouts, which become windows */
bool take_windows(partitioning *, blocks *, var *x);

/* ---- gathering.c: where it takes less time, products are not cut along what they sum. by_factor
 * is chosen. false: no memory */
bool sum_or_gather(partitioning *, blocks *, const places *, const spot *);

/* ---- local.c: an equation on blocks, if its layouts cut it; its results get forms. Spots by
 * variable. done: it was. false: an error is recorded */
bool walk_on_blocks(partitioning *, const places *, const eqn *, spot *, bool *done);

#endif
