/* packing.c - calls of OpenBLAS, and the memory that it packs their operands into.
 *
 * The library is built for one thread: it would give two threads that call it at once the same
 * memory, and it fails when no piece is left (distributions build it with 128). So we allow fewer
 * calls at a time, each of which may have a second piece for what it multiplies; and the link wraps
 * the functions that hand out the memory (cmake/Native.cmake), so that one thread at a time is at
 * its table.
 *
 * When the process ends, the library's destructor frees everything. Ours runs before it, since it
 * is linked after the library. It waits until all calls have returned, except one of the exiting
 * thread itself, which may exit in a signal handler. Whoever wants to call after that waits for the
 * end of the process. */
#include <pthread.h>
#include "engine/cpu/native/jit.h"

enum { MOST_CALLS = 64 };

static struct packing {
	pthread_mutex_t lock;
	pthread_cond_t less;
	int calls;
	bool ended; /* the process ends */
	pthread_once_t once;
} packing = {.lock = PTHREAD_MUTEX_INITIALIZER,
             .less = PTHREAD_COND_INITIALIZER,
             .once = PTHREAD_ONCE_INIT};

static _Thread_local __attribute__((tls_model("initial-exec"))) int own; /* calls of this thread */

/* ---- fork and exit */

/* a fork waits until nobody is at the table; threads that are in a call are not in the child */
static void before_fork(void) { pthread_mutex_lock(&packing.lock); }
static void after_fork(void) { pthread_mutex_unlock(&packing.lock); }
static void in_child(void)
{
	packing.calls = own;
	pthread_cond_init(&packing.less, NULL);
	pthread_mutex_unlock(&packing.lock);
}
static void watch_forks(void) { pthread_atfork(before_fork, after_fork, in_child); }

__attribute__((destructor)) static void at_the_end(void)
{
	pthread_mutex_lock(&packing.lock);
	packing.ended = true;
	while (packing.calls > own) pthread_cond_wait(&packing.less, &packing.lock);
	pthread_mutex_unlock(&packing.lock);
}

/* ---- calls */

void blas_begin(void)
{
	pthread_once(&packing.once, watch_forks);
	pthread_mutex_lock(&packing.lock);
	while (packing.ended || packing.calls == MOST_CALLS)
		pthread_cond_wait(&packing.less, &packing.lock);
	packing.calls++;
	own++;
	pthread_mutex_unlock(&packing.lock);
}

void blas_end(void)
{
	pthread_mutex_lock(&packing.lock);
	packing.calls--;
	own--;
	pthread_cond_broadcast(&packing.less);
	pthread_mutex_unlock(&packing.lock);
}

/* ---- their memory */

void *__real_blas_memory_alloc(int kind);
void *__wrap_blas_memory_alloc(int kind);
void __real_blas_memory_free(void *);
void __wrap_blas_memory_free(void *);

void *__wrap_blas_memory_alloc(int kind)
{
	pthread_mutex_lock(&packing.lock);
	void *p = __real_blas_memory_alloc(kind);
	pthread_mutex_unlock(&packing.lock);
	return p;
}

void __wrap_blas_memory_free(void *p)
{
	pthread_mutex_lock(&packing.lock);
	__real_blas_memory_free(p);
	pthread_mutex_unlock(&packing.lock);
}

void *blas_room(void) { return __wrap_blas_memory_alloc(0); }
void blas_room_free(void *p) { __wrap_blas_memory_free(p); }
