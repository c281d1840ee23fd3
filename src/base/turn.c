/* turn.c - notices when two threads use one context at once, by plain loads and stores.
 *
 * A context may go from thread to thread, but two must not be inside of it together. A call is a
 * turn, from turn_begin to turn_end. The thread that had the last turn marks its
 * own turns by plain stores. Another one claims the context, and waits until its claim and those
 * marks have been exchanged among all processors; then it sees whether the first is inside:
 *
 *     A, who had the last turn                B
 *     mark "f.c:3"                            claim
 *     a claim? no: go on                      exchange with all processors (membarrier)
 *       ...                                   A's mark? "f.c:3": B's call fails
 *     unmark
 *     mark "f.c:4"
 *     a claim? a clash is to be told: the error "f.c:9: a call while another thread .. f.c:3"
 *
 * If B saw no mark, B has the context from now on, and A would have to claim it. Why not a lock: a
 * locked instruction takes some 20 cycles, twice a call, and a call takes 200 ns; the exchange
 * takes a microsecond or more, but only where a context changes hands. Every public function that
 * changes a context is a turn, however short: its thread may lose the processor in the middle. */
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "base/base.h"

/* ---- the exchange */

static bool expedited;

static void prepare(void)
{
	expedited = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0;
}

/* What each processor stored before, all see after it. Where the system has no such call (Linux
 * before 4.14), a pause that is far longer than a store waits on its way does as well */
static void exchange(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare);
	if (!expedited || syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) != 0)
		nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

/* ---- claims */

static void lock(turn_record *t)
{
	int is;

	do is = atomic_load_explicit(&t->claim, memory_order_relaxed) & ~TURN_CLAIMED;
	while (!atomic_compare_exchange_weak_explicit(&t->claim, &is, is | TURN_CLAIMED,
	                                              memory_order_acquire, memory_order_relaxed));
}

static void unlock(turn_record *t, int clash)
{
	atomic_store_explicit(&t->claim, clash, memory_order_release);
}

/* the place of the call that another thread is inside of; NULL: of none */
static const char *inside(const turn_mark *last)
{
	if (!last->thread || last->thread == thread_here()) return NULL;
	exchange();
	return atomic_load_explicit(&last->at, memory_order_acquire);
}

/* the mark that this thread had, or one that is not needed any more */
static turn_mark *mark_for(turn_record *t)
{
	turn_mark *other = NULL;

	for (size_t k = 0; k < ARRAY_LEN(t->of); k++) {
		if (t->of[k].thread == thread_here()) return &t->of[k];
		if ((int)k != t->mark) other = &t->of[k];
	}
	*other = (turn_mark){.thread = thread_here()};
	return other;
}

static bool tell_clash(base *b, const char *text)
{
	return fail(b, NULL, TSR_ERROR_THREAD,
	            "%s. A context belongs to one thread at a time: open one for each, or let the "
	            "calls of one end before those of the other begin",
	            text);
}

turn_mark *turn_take(base *b, const char *where, const void *frame)
{
	static turn_mark of_everyone; /* the dead context's, which all threads share */
	turn_record *t = &b->turns;
	char clash[CLASH_MOST] = "";

	if (!b->errors || b->errors == &errors_process) return &of_everyone;
	lock(t);
	const char *busy = inside(&t->of[t->mark]);
	if (busy) {
		if (!(atomic_load_explicit(&t->claim, memory_order_relaxed) & TURN_CLASHED))
			snprintf(error_clash(b->errors), CLASH_MOST,
			         "%s%sa call while another thread is inside of %s%s",
			         where ? where : "", where ? ": " : "",
			         *busy ? "the call at " : "another", busy);
		unlock(t, TURN_CLASHED);
		return NULL;
	}
	turn_mark *own = mark_for(t);
	own->frame = frame;
	atomic_store_explicit(&own->at, where ? where : "", memory_order_relaxed);
	t->mark = (int)(own - t->of);
	atomic_store_explicit(&t->owner, thread_here(), memory_order_relaxed);
	if (atomic_load_explicit(&t->claim, memory_order_relaxed) & TURN_CLASHED)
		memcpy(clash, error_clash(b->errors), sizeof clash);
	unlock(t, 0);
	if (*clash) tell_clash(b, clash);
	return own;
}

bool turn_own(base *b)
{
	const turn_record *t = &b->turns;
	if (atomic_load_explicit(&t->owner, memory_order_relaxed) == thread_here() &&
	    !atomic_load_explicit(&t->claim, memory_order_relaxed))
		return true;
	turn_mark *const own = turn_take(b, NULL, __builtin_frame_address(0));

	turn_end(&own);
	return own;
}
