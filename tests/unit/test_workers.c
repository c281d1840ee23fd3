/* test_workers.c - the pool of threads: the sharing of work, several callers, callers that leave,
 * forks, inherited state of threads. Also built with the thread sanitizer, from this file and the
 * pool's own; there and in a third build workers are put to sleep at random wherever they could
 * be. */
#include "base/base.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef NAPS
void workers_nap(void);
void workers_nap(void) /* one time in 32, up to some tens of microseconds */
{
	static _Thread_local uint32_t state;

	if (!state) state = (uint32_t)(uintptr_t)&state | 1;
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	if (state % 32 == 0)
		nanosleep(&(struct timespec){.tv_nsec = (long)(state >> 16) % 30000}, NULL);
}
enum { TIMES = 300 };
#else
enum { TIMES = 20000 };
#endif

enum { MOST = 5, PIECES = 64 };
static const int sizes[] = {1, 2, MOST};

/* ---- phases whose pieces write plain memory: the thread sanitizer sees what nothing orders */

typedef struct chain {
	int32_t pieces;
	int phase, done[2][PIECES]; /* of the phase before, and of this one: how often each */
	_Atomic int wrong;
	int nap; /* nanoseconds of every seventh piece */
} chain;

/* a piece sees what all pieces of the phase before have written */
static void chain_piece(const void *user, const void *of, int32_t piece)
{
	chain *c = (chain *)(uintptr_t)user;
	const int *before = c->done[(c->phase + 1) % 2];

	(void)of;
	for (int32_t i = 0; i < c->pieces; i++)
		if (before[i] != c->phase) atomic_fetch_add(&c->wrong, 1);
	if (c->nap && piece % 7 == 0) nanosleep(&(struct timespec){.tv_nsec = c->nap}, NULL);
	if (c->done[c->phase % 2][piece] != c->phase - (c->phase > 0))
		atomic_fetch_add(&c->wrong, 1);
	c->done[c->phase % 2][piece] = c->phase + 1;
}

/* is each piece of each phase done once, and after the phase before? */
static bool chain_goes_well(board *b, int32_t pieces, int phases, double cost, int nap)
{
	chain c = {.pieces = pieces, .nap = nap};

	for (c.phase = 0; c.phase < phases; c.phase++) {
		if (c.phase == 0)
			for (int32_t i = 0; i < pieces; i++) c.done[1][i] = 0;
		board_do(b, &(phase){chain_piece, &c, NULL, pieces, cost, cost});
		for (int32_t i = 0; i < pieces; i++)
			if (c.done[c.phase % 2][i] != c.phase + 1) return false;
	}
	return c.wrong == 0;
}

static bool run_goes_well(int n, int32_t pieces, int phases, double cost, int nap)
{
	board *b = board_take(n);
	const bool ok = chain_goes_well(b, pieces, phases, cost, nap);

	board_give(b);
	return ok;
}

static void each_piece_is_done_once_and_in_order(void **state)
{
	static const int32_t pieces[] = {1, 2, 3, 7, PIECES};

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(sizes); k++)
		for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
			assert_true(run_goes_well(sizes[k], pieces[i], TIMES / 4, 1e6, 0));
			assert_true(run_goes_well(sizes[k], pieces[i], 20, 1e6, 200000));
		}
}

static void many_runs_of_few_phases(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(sizes); k++)
		for (int i = 0; i < TIMES; i++) assert_true(run_goes_well(sizes[k], 3, 2, 1000, 0));
}

/* the helpers sleep in between */
static void runs_far_apart(void **state)
{
	(void)state;
	for (int k = 0; k < 20; k++) {
		assert_true(run_goes_well(MOST, 9, 3, 1e6, 0));
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
}

/* ---- helpers come, and nobody waits for those who do not */

typedef struct crowd {
	_Atomic int workers, pieces;
	int want;
	const void *_Atomic seen[PIECES];
} crowd;

/* waits until so many workers are at it, up to some seconds */
static void crowd_piece(const void *user, const void *of, int32_t piece)
{
	crowd *c = (crowd *)(uintptr_t)user;

	(void)of;
	atomic_store(&c->seen[piece], thread_here());
	atomic_fetch_add(&c->workers, 1);
	for (int i = 0; i < 50000 && atomic_load(&c->workers) < c->want; i++)
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void helpers_are_woken(void **state)
{
	(void)state;
	for (int n = 2; n <= MOST; n++) {
		crowd c = {.want = n};
		board *b = board_take(n);
		nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
		board_do(b, &(phase){crowd_piece, &c, NULL, n, 1e9, 1e9});
		board_give(b);
		for (int i = 0; i < n; i++)
			for (int j = 0; j < i; j++) assert_ptr_not_equal(c.seen[i], c.seen[j]);
	}
}

static _Atomic int stuck;

/* whoever is not the caller stays until it is let go */
static void stuck_piece(const void *user, const void *of, int32_t piece)
{
	(void)of;
	(void)piece;
	if (thread_here() == user) return;
	while (atomic_load(&stuck)) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void *occupy(void *user)
{
	board *b = board_take(MOST);

	(void)user;
	board_do(b, &(phase){stuck_piece, thread_here(), NULL, PIECES, 1e9, 1e9});
	board_give(b);
	return NULL;
}

/* all helpers are busy for another caller: this one does everything, and soon */
static void nobody_waits_for_who_does_not_come(void **state)
{
	pthread_t other;

	(void)state;
	atomic_store(&stuck, 1);
	assert_int_equal(pthread_create(&other, NULL, occupy, NULL), 0);
	nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	assert_true(run_goes_well(MOST, 16, 100, 1e6, 0));
	atomic_store(&stuck, 0);
	pthread_join(other, NULL);
}

/* ---- several callers */

typedef struct lateness {
	const void *caller;
	_Atomic int late; /* pieces that others than the caller took */
} lateness;

static void late_piece(const void *user, const void *of, int32_t piece)
{
	lateness *l = (lateness *)(uintptr_t)user;
	const bool own = thread_here() == l->caller;

	(void)of;
	(void)piece;
	if (!own) atomic_fetch_add(&l->late, 1);
	nanosleep(&(struct timespec){.tv_nsec = own ? 20000 : 2000000}, NULL);
}

/* how many pieces helpers take, for 2 ms each, in two seconds of phases of 80 us */
static int late_pieces(double longest)
{
	lateness l = {.caller = thread_here()};
	board *b = board_take(2);
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	for (const time_t end = t.tv_sec + 2; t.tv_sec < end; clock_gettime(CLOCK_MONOTONIC, &t))
		board_do(b, &(phase){late_piece, &l, NULL, 8, 80000, longest});
	board_give(b);
	return atomic_load(&l.late);
}

/* Pieces should take 10 us. Each helper takes some sixty, and not a thousand: 2 ms of work, 2 ms
 * away, 2 ms of work, 4 ms away, and so on, up to 32 ms */
static void who_is_late_stays_away(void **state)
{
	(void)state;
	const int late = late_pieces(10000);
	if (late > 100 * MOST) fail_msg("%d late pieces", late);
}

/* in units of 0.1 ms: good work of 16 ms between two stops of 1 ms is forgiven whatever was before;
 * less of it only in part */
static void good_work_is_forgiven_its_past(void **state)
{
	const int64_t unit = 100000;
	int64_t away = 0;
	const struct stop {
		int64_t worked, took, away;
	} stops[] = {{10, 10, 10},  {160, 1, 0},   {10, 10, 10}, {160, 1, 0},  {10, 10, 10},
	             {5, 1, 5},     {10, 10, 10},  {10, 10, 20}, {10, 10, 40}, {10, 10, 80},
	             {10, 10, 160}, {10, 10, 160}, {100, 1, 60}, {100, 1, 0},  {40, 40, 40}};

	(void)state;
	for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
		away = workers_away(away, stops[i].worked * unit, stops[i].took * unit, 20000);
		assert_int_equal(away, stops[i].away * unit);
	}
}

/* where one of the pieces should take 2 ms, who takes 2 ms is not late */
static void who_has_a_long_piece_is_not_late(void **state)
{
	(void)state;
	const int late = late_pieces(2000000);
	if (late < 50) fail_msg("%d pieces", late);
}

static void *runs_of_a_thread(void *user)
{
	int *wrong = user;

	for (int k = 0; k < TIMES / 40; k++)
		*wrong += !run_goes_well(2 + k % 4, 1 + k % 16, 3, k % 3 ? 1e5 : 100,
		                         k % 50 ? 0 : 50000);
	return NULL;
}

static void threads_share_the_helpers(void **state)
{
	enum { CALLERS = 6 };
	pthread_t thread[CALLERS];
	int wrong[CALLERS] = {0};

	(void)state;
	for (int i = 0; i < CALLERS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, runs_of_a_thread, &wrong[i]), 0);
	for (int i = 0; i < CALLERS; i++) {
		pthread_join(thread[i], NULL);
		assert_int_equal(wrong[i], 0);
	}
}

/* a run inside a run has a board of its own; when there is none any more, it is alone */
static void more_callers_than_boards(void **state)
{
	enum { MANY = 100 };
	board *b[MANY];
	int alone = 0;

	(void)state;
	for (int i = 0; i < MANY; i++) alone += !(b[i] = board_take(3));
	assert_in_range(alone, 1, MANY - 60);
	for (int i = 0; i < MANY; i += 9) assert_true(chain_goes_well(b[i], 5, 10, 1e5, 0));
	for (int i = 0; i < MANY; i++) board_give(b[i]);
	assert_true(run_goes_well(3, 5, 10, 1e5, 0));
}

static bool all_sizes_work(void)
{
	bool ok = true;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		ok = run_goes_well(sizes[i], 1 + (int32_t)i * 4, 30, 1e5, 0) && ok;
	return ok;
}

/* ---- phases that the caller leaves, as a signal handler may */

typedef struct leaving {
	board *board;
	const void *caller;
	int32_t at;       /* the caller leaves in this piece of his */
	_Atomic int here; /* workers that are in a piece */
	int begun;
	bool late;
} leaving;
static jmp_buf out;

static void leave_piece(const void *user, const void *of, int32_t piece)
{
	leaving *l = (leaving *)(uintptr_t)user;

	(void)of;
	(void)piece;
	if (l->caller == thread_here()) {
		if (l->begun++ == l->at) longjmp(out, 1);
		return;
	}
	atomic_fetch_add(&l->here, 1);
	if (l->late) nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
	atomic_fetch_sub(&l->here, 1);
}

static bool starts_and_leaves(leaving *l)
{
	l->caller = thread_here();
	l->board = board_take(3);
	if (setjmp(out)) return true;
	board_do(l->board, &(phase){leave_piece, l, NULL, PIECES, 1e9, 1e9});
	board_give(l->board);
	return false;
}

static void nobody_is_at_a_board_that_was_left(void **state)
{
	(void)state;
	for (int k = 0; k < 60; k++) {
		static leaving l;
		l = (leaving){.at = k / 2 % 5, .late = k % 2};
		if (!starts_and_leaves(&l)) continue; /* helpers have done nearly all */
		board_leave(l.board);
		assert_int_equal(l.here, 0);
		assert_true(run_goes_well(1 + k % MOST, 9, 10, 1e6, 0));
	}
	assert_true(all_sizes_work());
}

static void *end_run(void *user)
{
	const leaving *l = user;

	board_leave(l->board);
	return l->here ? NULL : user;
}

static void another_thread_ends_a_run(void **state)
{
	static leaving l;
	pthread_t thread;
	void *home;

	(void)state;
	for (int k = 0; k < 20; k++) {
		l = (leaving){.at = k / 2 % 5, .late = k % 2};
		if (!starts_and_leaves(&l)) continue;
		assert_int_equal(pthread_create(&thread, NULL, end_run, &l), 0);
		pthread_join(thread, &home);
		assert_non_null(home);
		assert_true(all_sizes_work());
	}
}

/* ---- forks */

/* what `works` says in a child, which has no threads yet */
static bool in_child(bool (*works)(void))
{
	int status;
	const pid_t child = fork();

	if (child == 0) {
		alarm(60);
		_exit(works() ? 0 : 1);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool works_in_a_child_too(void) { return all_sizes_work() && in_child(all_sizes_work); }

static void children_have_a_pool_of_their_own(void **state)
{
	(void)state;
	assert_true(in_child(works_in_a_child_too));
	assert_true(all_sizes_work());
}

/* a thread forks while another one is in a run */
static void a_fork_may_come_during_a_run(void **state)
{
	pthread_t other;

	(void)state;
	atomic_store(&stuck, 1);
	assert_int_equal(pthread_create(&other, NULL, occupy, NULL), 0);
	nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	const bool works = in_child(all_sizes_work);
	atomic_store(&stuck, 0);
	pthread_join(other, NULL);
	assert_true(works);
	assert_true(all_sizes_work());
}

/* what a caller does between two phases of his run, a callback say */
static void a_fork_may_come_between_phases(void **state)
{
	board *b = board_take(3);

	(void)state;
	assert_true(chain_goes_well(b, 9, 10, 1e6, 0));
	const pid_t child = fork();
	const bool ok = chain_goes_well(b, 9, 10, 1e6, 0);
	board_give(b);
	if (child == 0) _exit(ok && all_sizes_work() ? 0 : 1);
	int status = -1;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(ok);
}

/* ---- what threads have, and what callers keep */

typedef struct look {
	const void *caller;
	_Atomic int workers, wrong;
} look;

static void look_around(const void *user, const void *of, int32_t piece)
{
	look *l = (look *)(uintptr_t)user;
	const bool helps = thread_here() != l->caller;
	sigset_t blocked;

	(void)of;
	(void)piece;
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	if (sigismember(&blocked, SIGINT) != helps || sigismember(&blocked, SIGCHLD) != helps ||
	    fegetround() != (helps ? FE_TONEAREST : FE_UPWARD))
		atomic_fetch_add(&l->wrong, 1);
	atomic_fetch_add(&l->workers, 1);
	for (int i = 0; i < 50000 && atomic_load(&l->workers) < 3; i++)
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static bool threads_block_signals_and_round_to_nearest(void)
{
	look l = {.caller = thread_here()};

	fesetround(FE_UPWARD);
	board *b = board_take(3);
	board_do(b, &(phase){look_around, &l, NULL, 3, 1e9, 1e9});
	board_give(b);
	return b && !l.wrong && fegetround() == FE_UPWARD;
}

static bool callers_affinity_stays(void)
{
	cpu_set_t before, after;

	if (sched_getaffinity(0, sizeof before, &before) != 0) return false;
	return all_sizes_work() && sched_getaffinity(0, sizeof after, &after) == 0 &&
	       CPU_EQUAL(&before, &after);
}

static bool threads_with_stacks_of(size_t bytes)
{
	pthread_attr_t attr;

	return pthread_attr_init(&attr) == 0 && pthread_attr_setstacksize(&attr, bytes) == 0 &&
	       pthread_setattr_default_np(&attr) == 0;
}

/* stacks larger than the address space */
static bool fewer_threads_are_no_error(void)
{
	if (!threads_with_stacks_of((size_t)1 << 50)) return false;
	const board *none = board_take(3);
	const bool ok = !none && run_goes_well(3, 9, 10, 1e6, 0);
	if (!threads_with_stacks_of((size_t)1 << 23)) return false;
	board *b = board_take(3);
	board_give(b);
	return ok && b && run_goes_well(3, 9, 10, 1e6, 0);
}

static void new_threads(void **state)
{
	(void)state;
	assert_true(in_child(threads_block_signals_and_round_to_nearest));
	assert_true(in_child(callers_affinity_stays));
	assert_true(in_child(fewer_threads_are_no_error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_piece_is_done_once_and_in_order),
		cmocka_unit_test(many_runs_of_few_phases),
		cmocka_unit_test(runs_far_apart),
		cmocka_unit_test(helpers_are_woken),
		cmocka_unit_test(nobody_waits_for_who_does_not_come),
		cmocka_unit_test(who_is_late_stays_away),
		cmocka_unit_test(good_work_is_forgiven_its_past),
		cmocka_unit_test(who_has_a_long_piece_is_not_late),
		cmocka_unit_test(threads_share_the_helpers),
		cmocka_unit_test(more_callers_than_boards),
		cmocka_unit_test(nobody_is_at_a_board_that_was_left),
		cmocka_unit_test(another_thread_ends_a_run),
		cmocka_unit_test(children_have_a_pool_of_their_own),
		cmocka_unit_test(a_fork_may_come_during_a_run),
		cmocka_unit_test(a_fork_may_come_between_phases),
		cmocka_unit_test(new_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
