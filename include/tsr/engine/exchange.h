/* tsr/engine/exchange.h - how an engine exchanges with other processes.
 *
 * A run whose groups have members in several processes (member_groups.member -1) is begun by all of
 * them together. Each sends what members elsewhere need, and receives what its own need:
 *
 *     tsr__exchange_begin(engine, &flight, out, nout, in, nin)     messages are on their way
 *     ...                                                          it computes meanwhile
 *     tsr__exchange_end(engine, &flight, in, nin)                  they have arrived
 *
 * Between two processes messages arrive in the order in which they were begun, and nothing else
 * tells them apart. So all processes list what they exchange in the same order: by the numbers of
 * equations, and then by groups, members, operands. What only one process knows decides nothing. */
#ifndef TSR_ENGINE_EXCHANGE_H
#define TSR_ENGINE_EXCHANGE_H
#include "tsr/engine/engine.h"

typedef struct message {
	int peer; /* the other process */
	int tag;  /* the library's */
	void *data;
	size_t bytes; /* the same on both sides */
} message;
typedef struct flight { /* messages on their way; all of it is the library's */
	struct transfer *transfer;
	bool lost;
	struct flight *next;
} flight;

/* What the messages point to, and the flight, stay in place until the end; the lists may go at
 * once. Several may be under way, and end in any order. By the thread that waits for the run.
 * false: an error is recorded, and nothing is under way any more: the run fails, here and in all
 * processes */
TSR_API bool tsr__exchange_begin(engine *, flight *, message *out, int nout, message *in, int nin);
TSR_API bool tsr__exchange_end(engine *, flight *, const message *in, int nin); /* waits */
/* Moves on what is under way, and never waits: a long message may come no further until somebody
 * calls this or waits. From progress, between two items of work */
TSR_API void tsr__exchange_poke(engine *);
/* A run that fails while messages are under way calls this before their memory goes: it tells the
 * other processes, and brings all to its end. The error is recorded before. Always false */
TSR_API bool tsr__exchange_fail(engine *);

#endif
