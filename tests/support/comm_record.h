/* comm_record.h - a comm that sends nothing: one rank of many, without the others. What they would
 * have sent is taken to be what this rank sends, where both have a message of the same kind and
 * length, and 0 elsewhere; so agreements end, and programs run with wrong numbers. */
#ifndef TEST_COMM_RECORD_H
#define TEST_COMM_RECORD_H
#include "comm/comm.h"

typedef struct recorded {
	int peer, tag;
	size_t bytes;
	bool out; /* sent; else received */
} recorded;
typedef struct record_place { /* `given` of record_comm */
	int rank, size;
	/* what was started, if `all` is not NULL: n of them, of which `most` are kept */
	recorded *all;
	int64_t n, most;
} record_place;
extern const comm_type record_comm;
#endif
