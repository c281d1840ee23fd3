/* packing.c - calls of OpenBLAS, and the memory that it packs their operands into.
 *
 * Built for one thread, the library gives two that call it at once the same memory, has 128 pieces
 * as distributions build it, and fails without one. So there are fewer calls at a time, and the
 * link wraps the functions that give the memory (cmake/Native.cmake): one thread is at the table at
 * a time.
 *
 * When the process ends, the library's destructor takes everything away. Ours comes before it, as
 * the link has it behind the library: all calls are done by then, but for one of the thread that
 * exits in a signal handler, and whoever wants to call waits for the end. */
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

/* a fork waits until nobody is at the table; those who are in a call stay behind */
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
