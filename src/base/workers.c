/* workers.c - the threads of the process: one pool, made at first need and kept.
 *
 * A run takes the pool; the caller is worker 0, and every other worker waits at a door of its own
 * until it is called. A caller that finds the pool taken, by another context or by the run that it
 * is part of, works alone: results do not depend on the number of workers. A waiter spins for some
 * tens of microseconds if there is a core for each worker, and then sleeps.
 *
 * A signal handler may leave a run by siglongjmp: the caller is gone, and the other workers go on.
 * They are sent home by the next run of the same thread, or by whoever owns what the run worked on.
 *
 * After fork() the child has none of the threads: a handler empties its pool, which fills again. */
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

/* ---- doors: a number to wait for. Accesses are sequentially consistent, so either the thread that
 * opens the door sees the sleeper, or the thread that is about to sleep sees the new number */

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

/* one thread: how often it was called, and how often it has finished */
typedef struct seat {
	door called, done;
} seat;

static struct {
	_Atomic uintptr_t taken; /* by the run of this number; 0: free */
	int threads;             /* from here on: owned by whoever has taken the pool */
	int cores;   /* that this process may use */
	bool prepared;
	team team;
	void (*work)(void *user, team *, int worker);
	void *user;
	seat seat[WORKERS_MOST]; /* of worker i + 1 */
} pool;
enum { ENDING = 1 }; /* the number of no run: one that was left is being ended */

static void *worker_main(void *argument)
{
	seat *own = argument;
	const int worker = (int)(own - pool.seat) + 1;
	uint32_t seen = 0;
	int spins = SPINS;

	float_default();
	for (;;) {
		door_wait(&own->called, seen, spins);
		seen = atomic_load_explicit(&own->called.number, memory_order_acquire);
		spins = pool.team.spins;
		pool.work(pool.user, &pool.team, worker);
		door_open(&own->done, seen);
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

/* in the child of a fork: neither the threads nor the one that had taken the pool exist here */
static void pool_empty(void)
{
	while (pool.threads > 0) {
		seat *empty = &pool.seat[--pool.threads];
		atomic_store(&empty->called.number, 0);
		atomic_store(&empty->called.sleepers, 0);
		atomic_store(&empty->done.number, 0);
		atomic_store(&empty->done.sleepers, 0);
	}
	atomic_store(&pool.team.phase.sleepers, 0);
	atomic_store(&pool.team.left, false);
	atomic_store(&pool.taken, 0);
}

/* Done once. Nobody ends the threads, so the code that they run must never be unloaded. */
static bool pool_prepare(void)
{
	Dl_info info;

	if (pool.prepared) return true;
	if (pthread_atfork(NULL, NULL, pool_empty) != 0) return false;
	if (dladdr(&pool, &info) && info.dli_fname)
		dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	return pool.prepared = true;
}

/* makes as many threads as possible: to have fewer is no error */
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
	       pthread_create(&thread, &detached, worker_main, &pool.seat[pool.threads]) == 0)
		pool.threads++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&detached);
}

/* ---- runs */

static void wait_for(int threads)
{
	for (int i = 0; i < threads; i++) {
		seat *x = &pool.seat[i];
		door_wait(&x->done, atomic_load(&x->called.number) - 1, pool.team.spins);
	}
}

static void run_team(int n, void (*work)(void *user, team *, int worker), void *user)
{
	team *t = &pool.team;

	t->n = n;
	atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
	t->spins = n > pool.cores ? 0 : SPINS;
	pool.work = work;
	pool.user = user;
	for (int i = 0; i < n - 1; i++) {
		door *called = &pool.seat[i].called;
		door_open(called, atomic_load(&called->number) + 1);
	}
	work(user, t, 0);
	wait_for(n - 1);
}

/* The signal may have come anywhere: also after a door's number was set but before its sleepers
 * were woken, or while the caller itself was counted as a sleeper. */
static void send_home(void)
{
	door *phase = &pool.team.phase;

	atomic_store(&pool.team.left, true);
	door_open(phase, atomic_load(&phase->number) + 1);
	for (int i = 0; i < pool.threads; i++) wake_all(&pool.seat[i].called.number);
	wait_for(pool.threads);
	for (int i = 0; i < pool.threads; i++) atomic_store(&pool.seat[i].done.sleepers, 0);
	atomic_store(&phase->sleepers, 0);
	atomic_store(&pool.team.left, false);
}

void workers_leave(uintptr_t number)
{
	uintptr_t by = number;

	if (!number) return;
	if (atomic_compare_exchange_strong(&pool.taken, &by, ENDING)) {
		send_home();
		atomic_store(&pool.taken, 0);
	}
	while (atomic_load(&pool.taken) == ENDING) sched_yield(); /* another thread does it */
}

static _Thread_local guard latest; /* the frame of this thread's last run that had the pool */

static bool pool_take(uintptr_t number)
{
	uintptr_t by = 0;

	if (atomic_compare_exchange_strong(&pool.taken, &by, number)) return true;
	if (by != latest.number || !guard_left(&latest)) return false;
	workers_leave(by);
	by = 0;
	return atomic_compare_exchange_strong(&pool.taken, &by, number);
}

static bool run_together(int n, void (*work)(void *user, team *, int worker), void *user,
                         uintptr_t *number)
{
	volatile uintptr_t on_frame;
	guard here;
	char *room = __builtin_alloca(GUARD_ROOM);

	*room = 0;
	guard_set(&here, &on_frame, room);
	*number = here.number;
	if (!pool_take(here.number)) return false;
	latest = here;
	pool_grow((n < WORKERS_MOST ? n : WORKERS_MOST) - 1);
	run_team(n > pool.threads + 1 ? pool.threads + 1 : n, work, user);
	atomic_store(&pool.taken, 0);
	return true;
}

void workers_run(int n, void (*work)(void *user, team *, int worker), void *user, uintptr_t *number)
{
	static team alone = {.n = 1}; /* never written */

	*number = 0;
	if (n == 1 || !run_together(n, work, user, number)) work(user, &alone, 0);
}

/* A worker that still finds the run not left waits for a phase that send_home will end. */
bool team_meet(team *t)
{
	if (t->n == 1) return true;
	const uint32_t phase = atomic_load(&t->phase.number);
	if (atomic_load(&t->left)) return false;
	if (atomic_fetch_add_explicit(&t->arrived, 1, memory_order_acq_rel) + 1 < t->n) {
		door_wait(&t->phase, phase, t->spins);
		return !team_left(t);
	}
	atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
	door_open(&t->phase, phase + 1);
	return true;
}
