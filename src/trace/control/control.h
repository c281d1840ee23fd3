/* control.h - declares control flow in the making, as control.c, branch.c and loop.c see it. */
#ifndef TSR_SRC_TRACE_CONTROL_H
#define TSR_SRC_TRACE_CONTROL_H
#include "trace/trace.h"

/* one call of control flow. What fails leaves ok false, and later steps do nothing */
typedef struct flow {
	call_site site;
	arena *scratch;
	leaves args;  /* of the bodies; args.types are what these see */
	results got;
	turn_mark *turn; /* until the call ends, however it does */
} flow;
/* a variable that begins with a flow: FLOW(loop, l) */
static inline void flow_left(void *of) { turn_end(&((flow *)of)->turn); }
#define FLOW(type, name) __attribute__((cleanup(flow_left))) type name = {0}

/* a body once it is traced: a program and the values of its inputs */
typedef struct traced_body {
	fn *fn;
	traced *t;
	const program *p; /* inputs: the leaves that are there, then captures and lifted values */
	program *own;     /* the same, where it is not the tracing's; else NULL */
	tsr **x;          /* the values of the inputs */
	int nleaves, nout;
	const int *out; /* leaf of the results -> result of the program, or -1: absent */
	result_shape shape;
} traced_body;

/* ---- control/control.c */
/* finds the context in the operands (lists of them) and the bodies; gives memory. false: recorded
 */
bool flow_begin(flow *, const char *where, const char *op, const tsr_arg *first,
                const tsr_arg *args, size_t n, const tsr_body *bodies, size_t nbodies);
/* both end the call: all results go to their places, or the only one is returned; poison where ok
 * is false */
void flow_into(flow *, bool ok, const tsr_out *outs, size_t nout);
tsr *flow_one(flow *, bool ok);
bool flow_fail(const flow *, tsr_code, const char *format, ...) PRINTF_LIKE(3, 4);

/* the arguments of the bodies, and their types at the call */
bool flow_args(flow *, const tsr_arg *, size_t n);
/* an operand that is no argument; a C number is a value of its own dtype */
bool flow_operand(const flow *, const char *what, const tsr_arg *, tsr **out);
/* traces a body on the arguments; values from outside vary over `lift` too. name: for a body
 * without one. The tracing is in the flow's scratch memory; traced_body_done releases the rest. It
 * may also be called after a failure, and for one that is all zeros */
bool traced_body_make(flow *, tsr_body, const char *name, axis_set lift, traced_body *);
void traced_body_done(traced_body *);
/* number of its operands that are no arguments */
int traced_body_nconsts(const traced_body *);

/* a program around p with nin inputs of these types: its input at[i] is input i of p. Result j is
 * cast to out[j] (NULL: as it is). Returns NULL: recorded */
program *wrap(const flow *, const program *p, const type *const *types, int nin, const int *at,
              const type *const *out);
/* binds the primitive to operands, which are cast to vary like the types. Leaf i of the call's
 * results is result out[i] of the equation, or absent if that is negative */
bool flow_bind(flow *, const tsr_prim *, const void *params, tsr **x, const type *const *types,
               int n, int nout, const int *out, int nleaves, const result_shape *);
/* Fails if a collective in p exchanges over an axis of `over`, along which devices may take
 * different branches, or if p has an ordered effect. Not checked in unchecked regions, whose types
 * do not say what varies */
bool check_exchanges(const flow *, const program *p, axis_set over);

/* ---- control/control.c: messages */
void put_axes(const flow *, str *, axis_set); /* "i*j", with its quotes */
void flow_put_type(const flow *, str *, const type *);
/* why two types differ: "the shapes do not match" */
const char *difference(const type *, const type *);
/* records the lines of a complaint: one as it is, several as a list */
bool fail_lines(const flow *, const char *head, str *lines, int nlines, str *fixes, int nfixes,
                const char *advice);

/* ---- control/loop.c */
typedef struct loop {
	flow f;
	int ncarry;  /* arguments that are carried: the first ones */
	int nleaves; /* of them */
	traced_body body;
} loop;

/* the arguments of the body, of which the first ncarry are carried */
bool loop_args(loop *, const tsr_arg *, size_t n, int ncarry);
/* do the body's results begin with (or are: exact) values like the carry's? */
bool carry_fits(const loop *, bool exact);
/* adjusts the types of the carry to what the body returned; *again: they changed, so the body must
 * be traced again. over: axes along which devices may run different numbers of steps */
bool settle(loop *, axis_set over, bool *again);
bool check_carry(const loop *, axis_set over);
/* traces the body until the carry keeps its type, and checks it; count (or NULL): turns the body
 * into a step of fori */
bool settle_body(loop *, tsr_body, axis_set over, bool (*count)(loop *));
int count_carry(const loop *); /* leaves that are there */
/* operands of a row, and their types */
typedef struct order {
	tsr **x;
	const type **types;
	int n;
} order;

bool order_make(const flow *, order *, int most);
void order_add(order *, tsr *x, const type *);
void add_consts(order *, const traced_body *); /* the inputs of the body that are no arguments */
void add_carry(order *, const loop *);
/* the body's program with its constants in front; its first ncarry results are cast to vary like
 * the carry */
program *consts_first(const loop *, const traced_body *, int ncarry);

/* ---- control/scan.c, control/while.c: the rows' equations for a settled body. The first `drop`
 * results are not the call's */
bool bind_scan(loop *, scan_params *, int drop);
/* the number of steps: what is given (0: nothing), or the size of dim 0 of what is scanned over */
bool length_of(loop *, int64_t given, int64_t *length);
/* scans xs without a carry */
bool map_all(loop *, tsr_body, const tsr_arg *xs, size_t n);
/* pred: the program of cond, or of fori's, whose constant is upper */
bool bind_while(loop *, const traced_body *cond, const program *pred, tsr *upper, int drop);

#endif
