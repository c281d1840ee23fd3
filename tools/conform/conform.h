/* conform.h - declares the checks of `tsr conform`, by the rules of tsr/engine/engine.h. What it
 * computes is compared with the engine interp, on the same programs and the same bytes. */
#ifndef TSR_TOOLS_CONFORM_H
#define TSR_TOOLS_CONFORM_H
#include <tsr/engine/test.h>
#include "threads.h"

typedef struct trial {
	const char *engine, *plugin_dir; /* as tsr_open takes them */
	int checks, faults;
	const threads_place *place; /* of the process that this thread is; NULL: one is all */
} trial;
/* counts, and prints the text of a fault; gives `ok` back */
bool check(trial *, bool ok, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* devices: of all processes. engine NULL: that of the trial. NULL: it cannot be opened, which
 * counts as a fault */
tsr_ctx *trial_open(trial *, const char *engine, int devices, int memories);
void trial_close(trial *, tsr_ctx *, int code); /* code: of the error that it must have */
/* the error that must be recorded is cleared */
bool check_error(trial *, tsr_ctx *, int code, const char *what);

/* ---- rig.c: a program on an engine, from operands to results */
typedef struct rig {
	trial *trial;
	tsr_ctx *ctx;
	engine *engine;
	const program *program;
	executable *executable;
	int64_t n, first;   /* devices here, and the first one of them */
	buffer **in, **out; /* as the contract counts them */
} rig;
/* false: a fault, and nothing is open */
bool rig_open(rig *, trial *, const char *engine, int devices, int memories, const char *text);
void rig_close(rig *, int code);
/* New operands, held once each: numbers of a draw, the same on devices on which the type says so.
 * some NaN, infinities and -0, if `special` says so */
bool rig_fill(rig *, uint64_t draw, bool special);
void rig_drop_in(rig *);
void rig_drop_out(rig *);
bool rig_run(rig *);                /* takes the operands; sets the results, held once each */
void *rig_result(rig *, int64_t i); /* the bytes of out[i], for free() */
size_t type_bytes(const type *);
const type *result_type(const rig *, int64_t i);
/* are they the same bits? A NaN is any NaN. near > 0: or real numbers no further apart */
bool same_values(const type *, const void *, const void *, double near);
/* runs the program on both engines, `draws` times each, and compares all results */
void check_program(trial *, const char *what, const char *text, int devices, int memories,
                   int draws, double near);

/* ---- exchanges.c: programs that exchange, for a mesh of one axis */
enum { LONGEST_TEXT = 8192 };
/* the k-th, for so many devices and this dtype; its name, or NULL: there is none */
const char *exchange_text(int k, int devices, const char *dtype, char text[LONGEST_TEXT]);

/* ---- the checks */
void conform_memory(trial *);
void conform_rows(trial *);
void conform_control(trial *);
void conform_exchanges(trial *);
void conform_processes(trial *);
void conform_runs(trial *);
void conform_control_of_runs(trial *); /* cancelling, stopping, errors */
void conform_effects(trial *);
void conform_arrays(trial *);

#endif
