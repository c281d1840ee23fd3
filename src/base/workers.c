/* workers.c - the threads of the process: one pool, made at first need and kept.
 *
 * The pool is the only thing in the library that belongs to the process. A run takes it, the caller
 * is its worker 0, and each of the others waits at a door of its own until its number is called.
 * Who finds the pool taken, by another context or by the run he is part of, works alone: results do
 * not depend on the number of workers. Waiting is spinning for some tens of microseconds, as long
 * as there is a core for each worker, and then sleeping.
 *
 * After fork() the child has none of the threads; a handler empties its pool, which fills again. */
#include "base/base.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

enum { SPINS = 2000 };

/* ---- doors: a number to wait for. Sequentially consistent, so that either who opens the door sees
 * the sleeper, or who wants to sleep sees the number */

static void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
	__builtin_ia32_pause();
#elif defined __aarch64__
	__asm__ volatile("isb");
#endif
}

static void sleep_while(_Atomic uint32_t *word, uint32_t old)
{
#ifdef __linux__
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, old, NULL, NULL, 0);
#else
	if (atomic_load(word) == old) sched_yield();
#endif
}

static void wake_all(_Atomic uint32_t *word)
{
#ifdef __linux__
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
#else
	(void)word;
#endif
}

/* until the number is no longer `old` */
static void door_wait(door *d, uint32_t old, int spins)
{
	for (int i = 0; i < spins; i++) {
		if (atomic_load_explicit(&d->number, memory_order_acquire) != old) return;
		pause_briefly();
	}
	while (atomic_load(&d->number) == old) {
		atomic_fetch_add(&d->sleepers, 1);
		sleep_while(&d->number, old);
		atomic_fetch_sub(&d->sleepers, 1);
	}
}

static void door_open(door *d, uint32_t number)
{
	atomic_store(&d->number, number);
	if (atomic_load(&d->sleepers)) wake_all(&d->number);
}

/* ---- the pool */

static struct {
	atomic_flag taken;
	int threads; /* all below are the taker's */
	int cores;   /* that this process may use */
	bool prepared;
	team team;
	void (*work)(void *user, team *, int worker);
	void *user;
	door left;                 /* how many workers are not yet done with the run */
	door called[WORKERS_MOST]; /* how often worker i + 1 has been called */
} pool = {.taken = ATOMIC_FLAG_INIT};

static void done(void)
{
	const uint32_t left = atomic_fetch_sub(&pool.left.number, 1) - 1;

	if (!left && atomic_load(&pool.left.sleepers)) wake_all(&pool.left.number);
}

static void *worker_main(void *argument)
{
	door *called = argument;
	const int worker = (int)(called - pool.called) + 1;
	uint32_t seen = 0;
	int spins = SPINS;

	float_default();
	for (;;) {
		door_wait(called, seen, spins);
		seen = atomic_load_explicit(&called->number, memory_order_acquire);
		spins = pool.team.spins;
		pool.work(pool.user, &pool.team, worker);
		done();
	}
	return NULL;
}

static int usable_cores(void)
{
#ifdef __linux__
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* in the child of a fork: the threads have stayed behind, and so has who had taken the pool */
static void pool_empty(void)
{
	while (pool.threads > 0) {
		door *called = &pool.called[--pool.threads];
		atomic_store(&called->number, 0);
		atomic_store(&called->sleepers, 0);
	}
	atomic_store(&pool.left.sleepers, 0);
	atomic_store(&pool.team.phase.sleepers, 0);
	atomic_flag_clear(&pool.taken);
}

/* Once: what is true for all threads. The code of threads that nobody ends must not be unloaded. */
static bool pool_prepare(void)
{
	Dl_info info;

	if (pool.prepared) return true;
	if (pthread_atfork(NULL, NULL, pool_empty) != 0) return false;
	if (dladdr(&pool, &info) && info.dli_fname)
		dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	return pool.prepared = true;
}

/* as many as can be had: a thread less is no error */
static void pool_grow(int threads)
{
	sigset_t all, before;
	pthread_attr_t detached;
	pthread_t thread;

	if (pool.threads >= threads || !pool_prepare() || pthread_attr_init(&detached) != 0) return;
	pool.cores = usable_cores();
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (pool.threads < threads &&
	       pthread_create(&thread, &detached, worker_main, &pool.called[pool.threads]) == 0)
		pool.threads++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&detached);
}

/* ---- runs */

static void run_team(int n, void (*work)(void *user, team *, int worker), void *user)
{
	team *t = &pool.team;

	t->n = n;
	atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
	t->spins = n > pool.cores ? 0 : SPINS;
	pool.work = work;
	pool.user = user;
	atomic_store_explicit(&pool.left.number, (uint32_t)n - 1, memory_order_relaxed);
	for (int i = 0; i < n - 1; i++)
		door_open(&pool.called[i], atomic_load(&pool.called[i].number) + 1);
	work(user, t, 0);
	for (uint32_t left; (left = atomic_load(&pool.left.number));)
		door_wait(&pool.left, left, t->spins);
}

void workers_run(int n, void (*work)(void *user, team *, int worker), void *user)
{
	static team alone = {.n = 1}; /* never written */
	bool taken = n > 1 && !atomic_flag_test_and_set_explicit(&pool.taken, memory_order_acquire);

	if (taken) {
		pool_grow((n < WORKERS_MOST ? n : WORKERS_MOST) - 1);
		if (n > pool.threads + 1) n = pool.threads + 1;
	}
	if (taken && n > 1)
		run_team(n, work, user);
	else
		work(user, &alone, 0);
	if (taken) atomic_flag_clear_explicit(&pool.taken, memory_order_release);
}

void team_meet(team *t)
{
	if (t->n == 1) return;
	const uint32_t phase = atomic_load_explicit(&t->phase.number, memory_order_relaxed);
	if (atomic_fetch_add_explicit(&t->arrived, 1, memory_order_acq_rel) + 1 < t->n) {
		door_wait(&t->phase, phase, t->spins);
		return;
	}
	atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
	door_open(&t->phase, phase + 1);
}
