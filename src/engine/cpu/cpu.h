/* cpu.h - shared inside engine/cpu.
 *
 * worth.c says whether a program is worth compiling. engine/plan makes a schedule of it, a table of
 * steps. epilogue.c finds kernels that products compute, code.c makes the machine code of kernels,
 * share.c cuts waves that are worth it into pieces, which workers claim, chains.c finds waves that
 * are done together, and routine.c makes machine code of whole loops. run.c walks the table.
 *
 * Words, besides those of plan.h: a wave that is worth it is `shared`: cut into `pieces` of some
 * items each, which workers claim. A `section` is the part of the table that becomes a routine. */
#ifndef TSR_SRC_CPU_H
#define TSR_SRC_CPU_H
#include "comm/comm.h"
#include "engine/cpu/native.h"
#include "engine/engine.h"
#include "engine/plan/plan.h"

enum { LOG_WARNING = 1, LOG_DEBUG = 2 };

/* A wave that is worth it, or several waves whose steps hang together in chains, are cut into
 * pieces, which workers claim. Piece k is the stretches begin[k] .. begin[k + 1] - 1, in this
 * order */
typedef struct stretch { /* items first .. end - 1 of a step */
	int32_t step;
	int64_t first, end;
} stretch;
typedef struct shared_wave {
	int32_t first, end; /* steps */
	int32_t pieces;
	const int32_t *begin;
	const stretch *stretch;
	double cost, longest; /* nanoseconds, estimated: of all pieces, and of the longest */
} shared_wave;

/* A product, and a kernel of the next wave that it computes window by window: the step of the
 * kernel has no items, and what it costs counts to the product */
typedef struct epilogue {
	int32_t product, kernel; /* steps */
	native_window window;
	native_code code;
} epilogue;

/* ---- code.c: a schedule with its machine code, and who does what of it */
typedef struct coded {
	base *base;
	schedule *plan; /* its own. A step's `made` is 1 + its shared wave, or 1 + its routine */
	const native_type *native;
	void *machine;        /* what native->open gave */
	native_code *code;    /* by unit; of those that only epilogues use, nothing */
	epilogue *epilogue;
	int32_t nepilogues;
	const int32_t *epilogue_of; /* by step that is a product: 1 + its epilogue; 0: none */
	native_code *routine;
	int32_t nroutines;
	size_t routine_cap;
	int workers;       /* at most */
	shared_wave *wave; /* those that are shared, in the order of their steps */
	int32_t nshared;
	int32_t most_args;   /* of a step */
	const bool *entered; /* by step: a jump leads to it */
	bool share_all;      /* for tests: small work is treated like large work, and pieces are
			   done from the last one to the first */
	bool halts;     /* for tests: workers halt now and then */
} coded;
/* NULL: an error is recorded; or there can be no machine code for it, as *why then says */
coded *code_make(base *, const native_type *, void *machine, const target *,
                 const program *fused, int workers, str *why);
void code_free(coded *); /* NULL is fine */
/* of memory, without programs; of machine code an estimate, as if nobody else had these kernels.
 * NULL: 0 */
size_t code_bytes(const coded *);
void code_text(str *, const coded *); /* its plan, for people */

/* ---- epilogue.c: before anything is compiled. false: no memory */
bool epilogues_find(coded *);
/* of a product, or NULL */
static inline const epilogue *epilogue_of(const coded *c, int32_t step)
{
	return c->epilogue_of[step] ? &c->epilogue[c->epilogue_of[step] - 1] : NULL;
}

/* ---- worth.c */
typedef struct weight {
	double ns;          /* of interpreting it once, on one device, estimated */
	double equations;   /* with those of inner programs, at each of their places */
	bool by_library;    /* a library computes some of it */
} weight;
/* false: no memory */
bool program_weight(const target *, const program *, weight *);
/* interpreting it so far, in nanoseconds of the processor */
typedef struct spent {
	double ns;    /* of all runs */
	double each;  /* of one; an estimate before the first */
	int64_t runs; /* that were begun */
} spent;
typedef struct watched { /* a run */
	bool measured;
	double processor, wall; /* clocks, when it began */
} watched;
watched spent_begin(spent *);
void spent_end(spent *, const watched *, bool ok); /* ok: the run came to its end */
typedef struct price { /* of machine code for a plan, estimated */
	double ns;     /* on one thread */
	double kernels; /* distinct ones, which threads share */
} price;
/* without the kernels that the plug-in knows; machine NULL: it is not open. false: no memory */
bool plan_price(const schedule *, const native_type *, void *machine, price *);

/* ---- share.c */
bool code_share(coded *, int workers); /* again, if it was before */

/* ---- piece_count.c; times in nanoseconds */
int32_t pieces_of(const coded *, double time); /* into how many pieces so much work is cut */
double steps_time(const coded *, int32_t first, int32_t end);

/* ---- chains.c: the wave that begins with step `first`, and waves after it whose steps hang
 * together with its steps in chains, if that is worth it. false: no memory */
bool chains_find(const coded *, int32_t first, shared_wave *, bool *found);

/* ---- routine.c */
bool code_routines(coded *); /* likewise */
void routines_release(coded *);

/* ---- run.c: one run. Only the caller moves roots and counts; who has claimed a piece of a wave
 * reads the addresses of its args alone */
typedef struct cpu_run {
	engine_run run;
	engine *engine;
	const void *caller; /* the thread that walks the table */
	bool noted;     /* a profile gets notes of its steps */
	double done_at; /* of a profile: when the caller had done its last piece of a wave */
	const coded *c;
	const schedule *s; /* its plan */
	buffer **held;     /* the references that the run was given */
	buffer **made;     /* by output */
	char **in, **out;  /* addresses, by input and output of the schedule */
	char *scratch;
	char **root;
	int64_t *counter;
	char **arg;   /* of a step that the caller does alone */
	message *message; /* likewise, of a transfer */
	flight *flight;   /* by number of a transfer */
	int32_t flying;   /* transfers under way */
	double poked_at;  /* when they were moved on, on the clock of profiles */
	board *board; /* NULL: the caller works alone */
	bool asked;   /* for a board */
	bool calls;   /* it is in a step that calls the user, in a frame with this guard */
	guard guard;
	struct cpu_run *next; /* of those that are idle; of those in progress, the one around it */
} cpu_run;
cpu_run *run_make(const coded *, int64_t nheld); /* mem_free frees it */
/* in, out and scratch are set. All that it is given is read until it returns, or until run_leave
 * does where siglongjmp has left it. false: an error is recorded, also where it was cancelled */
bool run_do(cpu_run *);
void run_leave(cpu_run *); /* nobody works at it any more */

/* ---- transfer.c: a step that begins a transfer, or waits for its end. false: recorded */
bool run_transfer(cpu_run *, const step *, char *const *arg);
/* moves on what is under way, if that was a while ago */
double poke_transfers(cpu_run *); /* now */
/* items of a step that take no longer than that while */
int64_t items_until_poke(const step *);

#endif
