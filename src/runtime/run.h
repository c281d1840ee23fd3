/* run.h - declares the steps of a run; run.c takes one after the other. */
#ifndef TSR_SRC_RUN_H
#define TSR_SRC_RUN_H
#include "runtime/runtime.h"

typedef struct running {
	tsr_ctx *ctx;
	const char *where;
	const program *program;
	array *const *in;
	int committed;             /* the first committed operand, or -1 */
	const sharding *over;      /* on the devices that operands are moved to; NULL: none are */
	compiled *c;
	bool commit;               /* are the results committed? */
	size_t mark;               /* error_mark as it began */
	const run_options *options;
} running;

/* ---- committed.c. false and NULL: recorded */
/* All committed operands must be on one set of devices */
bool check_devices(running *);
/* The executable; for a program whose operands stay where they are, one for their shardings */
compiled *compile_running(running *);
/* ... whose devices must be those of the program's mesh, if it has one */
bool check_mesh(const running *);
void put_operand_name(str *, const void *running, int operand);

/* ---- blocks.c; flat lists: a block for each operand, or result, and device. false: recorded */
/* flat gets one reference to each block. Donated operands lose their shards here, so that the
 * engine holds the last reference and can reuse the memory */
bool gather_operands(const running *, buffer **flat);
/* another reference to n of them; NULL: recorded */
buffer **hold_operands(const running *, buffer *const *, int64_t n);
/* Buffers for results that can be made right in the caller's memory: no operand is there, and there
 * is one device. The other results are copied there at the end. *into: NULL if there are none */
bool find_wanted(const running *, buffer *const *in, buffer ***into);
bool release_blocks(buffer *const *, int64_t n); /* false */
/* takes the references in flat, also on failure */
bool make_results(const running *, buffer *const *flat, array **out);
void release_results(const running *, array **out);
/* letter N: no results where they have NaN. held: the operands' blocks */
bool look_for_nan(const running *, buffer **held, array **out);

/* ---- relocate.c: an error of this run moves to the line of its call. c NULL: there is none */
void place_error(const running *, const compiled *c);

#endif
