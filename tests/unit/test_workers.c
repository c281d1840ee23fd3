/* test_workers.c - the pool of threads: who runs, meetings, pools wanted twice, forks, what threads
 * inherit. Also built with the thread sanitizer, from this file and the pool's own. */
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

enum { MOST = 5 };
static const int sizes[] = {1, 2, MOST};

static void run(int n, void (*work)(void *user, team *, int worker), void *user)
{
	uintptr_t number;

	workers_run(n, work, user, &number);
}

/* plain memory all over: the thread sanitizer sees what nothing orders */
typedef struct seen {
	int n, runs[MOST];
} seen;

static void count(void *user, team *t, int worker)
{
	seen *s = user;

	if (worker == 0) s->n = t->n;
	s->runs[worker]++;
}

static bool all_ran(const seen *s, int n, int times)
{
	for (int i = 0; i < MOST; i++)
		if (s->runs[i] != (i < n ? times : 0)) return false;
	return s->n == n;
}

static void every_worker_runs_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		seen s = {0};
		run(sizes[i], count, &s);
		assert_true(all_ran(&s, sizes[i], 1));
	}
}

static void many_tiny_runs(void **state)
{
	static const int times[] = {100000, 20000, 2000};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		seen s = {0};
		for (int k = 0; k < times[i]; k++) run(sizes[i], count, &s);
		assert_true(all_ran(&s, sizes[i], times[i]));
	}
}

/* the workers sleep in between */
static void runs_far_apart(void **state)
{
	seen s = {0};

	(void)state;
	for (int k = 0; k < 20; k++) {
		run(MOST, count, &s);
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
	assert_true(all_ran(&s, MOST, 20));
}

/* ---- meetings */

typedef struct rounds {
	int rounds, at[MOST][16], wrong[MOST];
	bool late; /* one worker, another one each round, lets the others wait */
} rounds;

static void go_rounds(void *user, team *t, int worker)
{
	rounds *r = user;

	for (int k = 1; k <= r->rounds; k++) {
		if (r->late && k % t->n == worker)
			nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
		r->at[worker][0] = k;
		team_meet(t);
		for (int i = 0; i < t->n; i++) r->wrong[worker] += r->at[i][0] != k;
		team_meet(t);
	}
}

static bool rounds_go_well(int n, int times, bool late)
{
	rounds r = {.rounds = times, .late = late};
	int wrong = 0;

	run(n, go_rounds, &r);
	for (int i = 0; i < MOST; i++) wrong += r.wrong[i];
	return wrong == 0 && r.at[n - 1][0] == times;
}

static void nobody_leaves_a_meeting_early(void **state)
{
	static const int times[] = {1000, 20000, 2000};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		assert_true(rounds_go_well(sizes[i], times[i], false));
		assert_true(rounds_go_well(sizes[i], 50, true));
	}
}

/* ---- a pool that is wanted twice */

static void run_inside(void *user, team *t, int worker)
{
	seen *s = user;

	run(MOST, count, &s[worker]);
	team_meet(t);
	run(MOST, count, &s[worker]);
}

static void a_run_inside_a_run_is_alone(void **state)
{
	seen s[MOST] = {0};

	(void)state;
	run(3, run_inside, s);
	for (int i = 0; i < 3; i++) assert_true(all_ran(&s[i], 1, 2));
}

static void *runs_of_a_thread(void *user)
{
	int *wrong = user;

	for (int k = 0; k < 500; k++) {
		seen s = {0};
		run(2 + k % 2, count, &s);
		*wrong += !all_ran(&s, 1, 1) && !all_ran(&s, 2 + k % 2, 1);
		rounds r = {.rounds = 3};
		run(2, go_rounds, &r);
		*wrong += r.wrong[0] + r.wrong[1] + (r.at[0][0] != 3);
	}
	return NULL;
}

static void threads_share_the_pool(void **state)
{
	pthread_t thread[4];
	int wrong[4] = {0};

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, runs_of_a_thread, &wrong[i]), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(thread[i], NULL);
		assert_int_equal(wrong[i], 0);
	}
}

static bool all_sizes_work(void)
{
	bool ok = true;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		seen s = {0};
		run(sizes[i], count, &s);
		ok = ok && all_ran(&s, sizes[i], 1) && rounds_go_well(sizes[i], 100, false);
	}
	return ok;
}

/* ---- runs that the caller leaves, as a signal handler may */

typedef struct leaving {
	int at; /* the caller leaves before this meeting */
	uintptr_t number;
	atomic_int home; /* workers that are not at it any more */
	bool late;       /* they come to meetings late */
} leaving;
static jmp_buf out;

static void leave(void *user, team *t, int worker)
{
	leaving *l = user;

	for (int k = 0; worker || k < l->at; k++) {
		if (worker && l->late) nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
		if (team_meet(t)) continue;
		atomic_fetch_add(&l->home, 1);
		return;
	}
	longjmp(out, 1);
}

static void start_and_leave(leaving *l)
{
	if (setjmp(out) == 0) workers_run(3, leave, l, &l->number);
}

static void a_run_after_one_that_was_left(void **state)
{
	(void)state;
	for (int k = 0; k < 40; k++) {
		static leaving l;
		seen s = {0};
		l = (leaving){.at = k / 2 % 5, .late = k % 2};
		start_and_leave(&l);
		run(1 + k % MOST, count, &s);
		assert_true(all_ran(&s, 1 + k % MOST, 1));
		run(MOST, count, &s);
		assert_int_equal(s.n, MOST);
		assert_int_equal(l.home, 2);
	}
	assert_true(all_sizes_work());
}

static void *end_run(void *user)
{
	const leaving *l = user;
	seen s = {0};
	bool *alone = malloc(sizeof *alone);

	run(MOST, count, &s); /* another thread cannot know that the run was left */
	*alone = all_ran(&s, 1, 1);
	workers_leave(l->number);
	workers_leave(l->number);
	return alone;
}

static void another_thread_ends_a_run(void **state)
{
	static leaving l;
	pthread_t thread;
	void *alone;

	(void)state;
	for (int k = 0; k < 20; k++) {
		l = (leaving){.at = k / 2 % 5, .late = k % 2};
		start_and_leave(&l);
		assert_int_equal(pthread_create(&thread, NULL, end_run, &l), 0);
		pthread_join(thread, &alone);
		assert_true(*(bool *)alone);
		assert_int_equal(l.home, 2);
		free(alone);
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

static void fork_meanwhile(void *user, team *t, int worker)
{
	bool *worked = user;

	team_meet(t);
	if (worker == t->n - 1) *worked = in_child(all_sizes_work);
	team_meet(t);
}

static void a_fork_may_come_during_a_run(void **state)
{
	bool worked = false;

	(void)state;
	run(3, fork_meanwhile, &worked);
	assert_true(worked);
	assert_true(all_sizes_work());
}

/* ---- what threads have, and what callers keep */

static void look_around(void *user, team *t, int worker)
{
	bool *as_it_should = user;
	sigset_t blocked;

	(void)t;
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	as_it_should[worker] = sigismember(&blocked, SIGINT) == (worker > 0) &&
	                       sigismember(&blocked, SIGCHLD) == (worker > 0) &&
	                       fegetround() == (worker ? FE_TONEAREST : FE_UPWARD);
}

static bool threads_block_signals_and_round_to_nearest(void)
{
	bool ok[3] = {false};

	fesetround(FE_UPWARD);
	run(3, look_around, ok);
	return ok[0] && ok[1] && ok[2] && fegetround() == FE_UPWARD;
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
	seen s = {0}, later = {0};

	if (!threads_with_stacks_of((size_t)1 << 50)) return false;
	run(3, count, &s);
	if (!threads_with_stacks_of((size_t)1 << 23)) return false;
	run(3, count, &later);
	return all_ran(&s, 1, 1) && all_ran(&later, 3, 1);
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
		cmocka_unit_test(every_worker_runs_once),
		cmocka_unit_test(many_tiny_runs),
		cmocka_unit_test(runs_far_apart),
		cmocka_unit_test(nobody_leaves_a_meeting_early),
		cmocka_unit_test(a_run_inside_a_run_is_alone),
		cmocka_unit_test(threads_share_the_pool),
		cmocka_unit_test(a_run_after_one_that_was_left),
		cmocka_unit_test(another_thread_ends_a_run),
		cmocka_unit_test(children_have_a_pool_of_their_own),
		cmocka_unit_test(a_fork_may_come_during_a_run),
		cmocka_unit_test(new_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
