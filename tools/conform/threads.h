/* threads.h - declares a comm for processes that are threads of this one, each with its own
 * context. */
#ifndef TSR_TOOLS_CONFORM_THREADS_H
#define TSR_TOOLS_CONFORM_THREADS_H
#include "comm/comm.h"

typedef struct threads_world threads_world;
/* n ranks, of which `a_node` share a node (0: all). seed: messages are late by chance; 0: none is
 * */
threads_world *threads_world_make(int n, int a_node, uint64_t seed);
/* From now on each message of data travels for so long, which takes no processor */
void threads_world_delay(threads_world *, double seconds);
typedef struct threads_times { /* in seconds of the processor that the thread of a rank has had */
	double began, over;    /* when the last transfer of data was started, and was over */
} threads_times;
threads_times threads_world_times(const threads_world *, int rank);
void threads_world_free(threads_world *);
extern const comm_type threads_comm; /* `given` is a threads_place */
typedef struct threads_place {
	threads_world *world;
	int rank, size;
} threads_place;
/* what a broken comm does to the message with this number, counted over all */
typedef enum fault { FAULT_NONE, FAULT_LOSE, FAULT_SWAP, FAULT_SHORT, FAULT_REFUSE } fault;
void threads_world_break(threads_world *, fault, int64_t message);

/* runs body(rank, of) on a thread for each rank, with a place to open a context at; waits for all
 * */
void threads_run(threads_world *, void (*body)(const threads_place *, void *of), void *of);
#endif
