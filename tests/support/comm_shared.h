/* comm_shared.h - a comm between processes that were forked, through memory that they share. One of
 * them may be stopped or killed at any place. */
#ifndef TEST_COMM_SHARED_H
#define TEST_COMM_SHARED_H
#include "comm/comm.h"

typedef struct shared_world shared_world;
shared_world *shared_world_make(int ranks); /* before the processes are forked */
/* so many share a node; before the contexts are opened. Not called: all do */
void shared_world_nodes(shared_world *, int a_node);
void shared_world_free(shared_world *);
void shared_world_again(shared_world *); /* as it was made: nobody uses it any more */
void shared_world_end(shared_world *); /* one is gone: nobody waits any more */
extern const comm_type shared_comm; /* `given` is a shared_place */
typedef struct shared_place {
	shared_world *world;
	int rank;
} shared_place;
#endif
