/* crowd.h - many devices, a number of them in each process, for passes that are given device sets:
 * nothing runs on them. */
#ifndef TSR_TESTS_CROWD_H
#define TSR_TESTS_CROWD_H
#include "engine/engine.h"
#include "pass/pass.h"

typedef struct crowd {
	base base;
	shards shards;
	ir ir;
	device *devices;
	int64_t n, *ids; /* of all of them */
} crowd;
void crowd_open(crowd *, int64_t n, int64_t each); /* `each` in a process */
void crowd_close(crowd *);                         /* no memory may be in use */

#endif
