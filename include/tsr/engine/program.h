/* tsr/engine/program.h - the programs that engines run: typed values, each made once, and equations
 * that compute them.
 *
 *     axes (x of (x:2)) f(%0: f32[4]{x}, %1: f32[4]) -> f32[4] {
 *       %2: f32[4]{x} = pcast %1 axes=(x)             local: each device on its own
 *       %3: f32[4]{x} = mul %0 %2                     local
 *       %4: f32[4] = psum %3 axes=(x) to=invarying    a collective: both devices together, number 1
 *       %5: f32[4] = scan %4 length=3 ... body=(%0: f32[4]) -> f32[4] { ... }    control flow
 *       return %5
 *     }
 *
 * A program is what every device of a set does, all in one order of equations. Values are dense and
 * row-major. A `var` is a number in the program's table of variables; a literal is a variable with
 * a value, of rank 0; beside larger operands of an elementwise equation, it is the operand of each
 * element. An equation names a primitive, which has rules: they compute it, so that an engine need
 * not know what it means (tsr__eqn_eval, tsr__eqn_run). One that makes code of its own finds the
 * primitive by its name, and its parameters by the table of their fields. docs/program-text.md has
 * the primitives' meaning, docs/numerics.md each result to the bit.
 *
 * All of this is read only, is in memory of the program, and lives as long as a reference to the
 * program is held. Names here are for C, and have no prefix but those of functions: include this in
 * the files of an engine alone. */
#ifndef TSR_ENGINE_PROGRAM_H
#define TSR_ENGINE_PROGRAM_H
#include "tsr/base.h"
#include "tsr/engine/device.h"
#ifdef __cplusplus
#error "the headers of engines are C: call what is C++ from a C file"
#endif

typedef struct base base; /* of a context: its memory and its errors */
typedef struct arena arena;
typedef struct ir ir;
typedef struct tsr_prim tsr_prim;

/* ---- types and variables */

typedef uint64_t axis_set; /* bit i: entry i of the program's axis table */

typedef struct type {
	tsr_dtype dtype;
	bool weak; /* never in a program that an engine gets */
	int ndim;
	axis_set varying; /* axes over which the value may differ: it is the same on two devices
	                     that have the same place along all of these */
	uint64_t hash;
	int64_t size;              /* elements */
	const struct type *strong; /* the same type, not weak; of a strong type itself */
	int64_t dims[];
} type;

typedef struct var {
	int32_t id; /* 0: no value */
} var;
typedef struct var_info {
	const type *type;
	const void *literal; /* its value; NULL: an input, or a result of an equation */
} var_info;

/* ---- programs */

typedef enum axis_kind { AXIS_MESH, AXIS_MAP } axis_kind;
typedef struct axis {
	const char *name;
	int64_t size;
	axis_kind kind; /* for an engine AXIS_MESH */
	const tsr_mesh *mesh;
	int position;     /* of the axis in its mesh */
	const char *over; /* AXIS_MAP: mesh axes, as "x*y", over which mapped regions inside split
	                     the batch; NULL: none */
} axis;

typedef struct eqn {
	const tsr_prim *prim;
	const void *params; /* the record that tsr__eqn_fields describes */
	const var *in, *out;
	int nin, nout;
	const char *where; /* "file.c:12" of the user's call, or NULL */
	const char *note;
	/* of one that exchanges values between devices, or has effects, in a per-device program:
	 * 1, 2, ... in the order of the program, which is the same in every process and for every
	 * engine (pass/number.c). Copies keep it. 0: it has none */
	int32_t number;
	int32_t cause; /* of what partition made: the move of the report that it is for; 0: none */
	const struct expansion *expansion; /* tsr__eqn_expansion; NULL: it has none */
} eqn;

typedef struct program {
	ir *ir;
	arena *arena;
	size_t bytes; /* that it takes, without programs inside */
	_Atomic int refs;
	const char *name;
	const axis *axes;
	int naxes;
	const var_info *vars; /* vars[0] is no variable */
	int nvars;
	const var *in, *out;
	int nin, nout;
	const eqn *eqns;
	int neqns;
	unsigned effects; /* which some equation has, here or in a program inside; 0: none */
	bool exchanges;   /* some equation exchanges values between devices, likewise */
	bool weak;        /* some type is, here or in a program inside */
	axis_set names;   /* entries of the axis table that an equation names, inside too */
	int depth;        /* of nested programs, this one included: 1 .. MAX_PROGRAM_DEPTH */
	uint64_t hash;
} program;

static inline const type *type_of(const program *p, var v) { return p->vars[v.id].type; }
TSR_API void tsr__program_retain(const program *);
TSR_API void tsr__program_release(const program *); /* NULL is fine */

/* ---- equations */

/* What an engine has to do for an equation. Other devices do the same equation at the same place,
 * or, inside control flow that goes different ways, do not get there */
typedef enum eqn_reach {
	REACH_DEVICE, /* tsr__eqn_eval on each device */
	REACH_GROUP,  /* tsr__eqn_eval for each group of devices, on the operands of all */
	REACH_ALL,    /* tsr__eqn_run, once for all devices */
	/* tsr__eqn_call, which calls the user, on the thread that waits: for one device after the
	 * other; if it has effects, once for those that are alike */
	REACH_HOST
} eqn_reach;
TSR_API eqn_reach tsr__eqn_reach(const eqn *);
TSR_API const char *tsr__eqn_name(const eqn *); /* of the primitive: "add" */
/* Must be done, in the order of the program: once for each place on tsr__eqn_axes, by the first
 * device that is there (effect_groups) */
TSR_API bool tsr__eqn_effects(const eqn *);
TSR_API axis_set tsr__eqn_axes(const eqn *); /* those that its first list of axes names */
/* why there is no rule that computes it; NULL: there is one */
TSR_API const char *tsr__eqn_why_not(const eqn *);

/* The computation of one element of the results, as a program of other primitives, on scalars of
 * the same dtypes. That of an elementary function, such as erf or exp, is its steps, with the
 * function's bits. An engine that has code for these primitives needs none for the equation. Steps
 * are made at the first call, so it is for the thread that prepares the program. NULL: its
 * primitive is not made of others, and has no such steps */
TSR_API const program *tsr__eqn_expansion(const eqn *);

/* One evaluation. For a local equation n is 1. For a collective n is the number of members of the
 * group: x[i * n + k] is member k's operand i, and y[j * n + k] its result j. */
typedef struct eval_args {
	const eqn *eqn;
	const type *const *in, *const *out; /* of the operands and results */
	int n;
	const void *const *x;
	void *const *y;
	const int64_t *index; /* collectives: member_groups.index of each member */
	void *scratch;        /* tsr__eqn_scratch bytes */
	int64_t first, end;   /* local: of tsr__eqn_parts, those to compute; end 0: all of them */
	int64_t phase;        /* local: of tsr__eqn_phases, which to compute; end 0: all of them */
} eval_args;
/* It cannot fail. From any thread; different parts side by side */
TSR_API void tsr__eqn_eval(const eval_args *);
/* One call of an equation that calls the user, on the operands of one device. He may run other
 * programs of the context, or the same one, and may leave by longjmp */
typedef struct host_args {
	base *base;
	const eqn *eqn;
	const type *const *in, *const *out;
	const void *const *x;
	void *const *y;
} host_args;
/* false: an error is recorded */
TSR_API bool tsr__eqn_call(const host_args *);
/* the number of parts of its results that eval can compute in any order, or side by side */
TSR_API int64_t tsr__eqn_parts(const eqn *, const type *const *in);
/* Parts may need what others have made: all of one phase are computed before any of the next one,
 * mostly there is one */
TSR_API int64_t tsr__eqn_phases(const eqn *, const type *const *in);
/* Bytes that eval needs for itself. Where there is one phase, for each part that is computed beside
 * others: a call for several parts uses them again. Otherwise for all parts together, and kept from
 * the first phase to the last */
TSR_API size_t tsr__eqn_scratch(const eqn *, const type *const *in);

/* Who exchanges with whom in a collective: the groups that have a member in the set. Group g is
 * member[start[g]] .. member[start[g + 1] - 1], in order of the flattened index over the axes that
 * it names. All processes list the groups that they share in the same order */
typedef struct member_groups {
	int ngroups, *start;
	int64_t *member; /* by their place in the set; -1: it is a device of another process */
	int64_t *device; /* their ids */
	int64_t *index;  /* that index, whatever the groups are */
} member_groups;

/* Who evaluates an equation with effects, and who needs its results: for each place on its axes the
 * first device of all, whichever process that is in. Its process sends the results to the others
 * that have devices there. Where all devices are here, all but `first` is NULL */
typedef struct effect_groups {
	const int64_t *first; /* by device: the first one here at the same place */
	/* The devices here, one place after the other, and these in an order that is the same in
	 * all processes: results are sent and received in it */
	const int64_t *order;
	const int *from; /* by device: the process that evaluates it; -1: this one */
	/* by device: the processes that get its results from here are to[start[k]] ..
	 * to[start[k + 1] - 1] */
	const int *start, *to;
} effect_groups;

/* Control flow on all devices at once. A block is the bytes of one value on one device, where the
 * host can read and write them; devices and values may share it, for nobody writes a block that
 * others have seen. x[i * n + k] is operand i on the k-th device, and y[j * n + k] gets a reference
 * to result j there. Only `active` devices take part; the others have no blocks. */
typedef struct block block;
typedef struct runner { /* what the engine lends; it may put more behind */
	base *base;
	int64_t n; /* devices */
	void *(*data)(block *);
	block *(*make)(const struct runner *, int64_t device, size_t bytes); /* NULL: recorded */
	block *(*retain)(block *);
	void (*release)(block *); /* NULL is fine */
	/* runs program number `which` inside the equation on the active devices, and takes one
	 * reference to each of their blocks x: what nobody else holds may be updated in place.
	 * Sets y on success only. false: an error is recorded */
	bool (*run)(const struct runner *, int which, const bool *active, block *const *x,
	            block **y);
	/* by device the first one that has the same place on these axes (tsr__devices_alike);
	 * false: an error is recorded */
	bool (*alike)(const struct runner *, axis_set over, int64_t *first);
} runner;
typedef struct run_args {
	const eqn *eqn;
	const type *const *in, *const *out;
	const runner *on;
	const bool *active;
	block *const *x;
	block **y; /* NULL at first; on failure the engine releases those that were set */
} run_args;
/* false: an error is recorded */
TSR_API bool tsr__eqn_run(const run_args *);

/* ---- parameters */

typedef struct ints {
	int n;
	const int64_t *v;
} ints;
typedef struct groups {
	int n; /* 0: one group of all */
	const ints *group;
} groups;
typedef struct programs {
	int n;
	const struct program *const *v;
} programs;
typedef struct type_list { /* types that vary over nothing and are strong */
	int n;
	const type *const *v;
} type_list;
typedef struct host_function { /* of the user, with its data. The name is for texts alone */
	void (*at)(void);
	void *user;
	const char *name;
} host_function;
typedef struct collective { /* the record of a collective begins with it */
	ints axes;
	groups groups;
} collective;

typedef enum field_kind {
	FIELD_BOOL,     /* bool; printed as name=true, left out when false */
	FIELD_INT,      /* int64_t */
	FIELD_DTYPE,    /* tsr_dtype */
	FIELD_WORD,     /* int, an index into `words`; left out where the word is "" */
	FIELD_INTS,     /* ints: name=[0,2] */
	FIELD_DIMS,     /* likewise: the dims of the result */
	FIELD_SIZES,    /* likewise, by dim of operand 0; where a dim is taken whole, its size */
	FIELD_AXES,     /* ints of entries of the axis table, in the user's order: name=(x,y) */
	FIELD_PAIRS,    /* ints, an even number: name=[0>1,1>0] */
	FIELD_GROUPS,   /* groups: name=[[0,1],[2,3]], left out when n is 0 */
	FIELD_MESH,     /* these three never in a program that an engine gets. const mesh *:
	                  name=(x:4,y:2), with devices when they are not 0, 1, ... */
	FIELD_MANUAL,   /* ints of positions in the mesh: name=(x,y); these axes are appended to the
	                 axis table of the inner program */
	FIELD_SPECS,    /* shardings over the mesh: name=[[x,-],[y]] */
	FIELD_TEXT,     /* const char *: name="x = {}" */
	FIELD_TYPES,    /* type_list, of the results: name=[f32[2],i32[]] */
	FIELD_FUNCTION, /* host_function: name=NAME, which cannot be read back */
	FIELD_PROGRAM,  /* const program *: name=f(...) -> ... { ... } at the end of the equation */
	FIELD_PROGRAMS, /* programs, at least one: name=[f(...) ..., g(...) ...] there */
	FIELD_RULE      /* as FIELD_PROGRAM, but it does not run: transformations put it in the
	                  equation's place. Never in a program that an engine gets */
} field_kind;
typedef struct field {
	const char *name;
	size_t offset; /* in the record */
	field_kind kind;
	const char *const *words; /* FIELD_WORD: NULL-ended */
} field;
TSR_API const field *tsr__eqn_fields(const eqn *); /* a field without name ends it; NULL: none */

/* Iterates over the programs inside an equation, in the order that `run` counts them in:
 *     for (inner i = {0}; tsr__eqn_next(e, &i);) ... i.program ... */
typedef struct inner {
	const field *field;
	int at;               /* in the list of a FIELD_PROGRAMS */
	const program **slot; /* where the parameters hold it */
	const program *program;
} inner;
TSR_API bool tsr__eqn_next(const eqn *, inner *);

#endif
