/* gate.c - the one way into LLVM and hwloc: libraries that must not be left halfway.
 *
 * A fork copies the locks as they are, but only the thread that forks: what another thread has
 * locked stays locked in the child for ever. So a fork waits until nobody is inside.
 *
 * exit() would destroy LLVM's static objects while other threads still use them. So they are never
 * destroyed: the link wraps __cxa_atexit, with which they ask for it (cmake/Native.cmake).
 *
 * What LLVM calls a fatal error would end the process. Here it ends the visit: LLVM is left by a
 * jump, and what the visit had allocated is lost. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include "engine/cpu/native/jit.h"
#include "engine/cpu/native/llvm.h"

typedef struct visit {
	jmp_buf out;
	char *error;
	size_t n;
} visit;

/* what this thread is inside for; in static TLS, since leak checkers misread the TLS of objects
 * that are opened later */
static _Thread_local __attribute__((tls_model("initial-exec"))) visit *visiting;

static struct gate {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int inside;
	bool closed; /* for the time of a fork */
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* ---- exit */

int __wrap___cxa_atexit(void (*destroy)(void *), void *object, void *library);

int __wrap___cxa_atexit(void (*destroy)(void *), void *object, void *library)
{
	(void)destroy, (void)object, (void)library;
	return 0;
}

/* ---- fork; a signal handler may do it while its own thread is inside */

static void before_fork(void)
{
	pthread_mutex_lock(&gate.lock);
	gate.closed = true;
	while (gate.inside > (visiting != NULL)) pthread_cond_wait(&gate.changed, &gate.lock);
}

static void after_fork(void)
{
	gate.closed = false;
	pthread_cond_broadcast(&gate.changed);
	pthread_mutex_unlock(&gate.lock);
}

/* the threads that waited are not in the child */
static void in_child(void)
{
	pthread_cond_init(&gate.changed, NULL);
	after_fork();
}

/* ---- visits */

static void leave_for_good(const char *reason)
{
	if (!visiting) return;
	snprintf(visiting->error, visiting->n, "%s", reason);
	longjmp(visiting->out, 1);
}

static void watch(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
	LLVMInstallFatalErrorHandler(leave_for_good);
}

static void enter(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch);
	pthread_mutex_lock(&gate.lock);
	while (gate.closed) pthread_cond_wait(&gate.changed, &gate.lock);
	gate.inside++;
	pthread_mutex_unlock(&gate.lock);
}

static void leave(void)
{
	pthread_mutex_lock(&gate.lock);
	gate.inside--;
	pthread_cond_broadcast(&gate.changed);
	pthread_mutex_unlock(&gate.lock);
}

bool gate_visit(bool (*what)(void *), void *of, char *error, size_t n)
{
	visit v = {.error = error, .n = n};
	volatile bool done = false;

	enter();
	visiting = &v;
	if (!setjmp(v.out)) done = what(of);
	visiting = NULL;
	leave();
	return done;
}
