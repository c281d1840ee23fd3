/* loggp.h - the time of the messages of many processes in LogGP (src/shard/message_cost.c). */
#ifndef TSR_TESTS_LOGGP_H
#define TSR_TESTS_LOGGP_H
#include "pass/pass.h"

typedef struct loggp loggp;
loggp *loggp_open(int64_t n, axis_level); /* of n processes, all so far apart */
void loggp_add(loggp *, int64_t process, const program *);
double loggp_ns(loggp *); /* until all have all; < 0: one waits for what nobody sends */
void loggp_free(loggp *);

#endif
