/* test_process.c - the plug-in inside its process: it counts the cores that the process may use,
 * says where memory must not be executable, and leaves signals alone. Each question is a
 * child's. */
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "support/forbid.h"
#include "native_rig.h"

#define YES 42 /* the exit status of a child that found all as it should be */

static int status_of_child(bool (*question)(rig *), rig *r)
{
	int status;
	const pid_t child = fork();

	if (child == 0) _exit(question(r) ? YES : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- cores */

static bool counts_one_core(rig *r)
{
	plugin from;
	cpu_set_t one;

	(void)r;
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof one, &one)) return false;
	const native_type *n = native_find(PLUGIN_DIR, &from);
	return n && n->cores() == 1;
}

static void cores_follow_affinity(void **state)
{
	assert_int_equal(status_of_child(counts_one_core, *state), YES);
}

/* ---- executable memory: mprotect that asks for it fails */

static bool says_what_is_forbidden(rig *r)
{
	const native_options o = {0};
	plugin from;
	char error[256] = "";
	const native_type *n = native_find(PLUGIN_DIR, &from);

	(void)r;
	return n && forbid_executable_memory() && !n->open(&o, error, sizeof error) &&
	       strstr(error, "executable");
}

static void forbidden_memory_is_an_error(void **state)
{
	assert_int_equal(status_of_child(says_what_is_forbidden, *state), YES);
}

/* ---- signals */

static bool leaves_signals_alone(rig *r)
{
	struct sigaction before[SIGRTMAX + 1], after;
	uint64_t random = 1;
	sigset_t mask, mask_after;
	bool fits;

	for (int s = 1; s <= SIGRTMAX; s++) sigaction(s, NULL, &before[s]);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	program *p = rig_program(r, "f32[70]", "exp %0", "f32[70]", TSR_F32);
	const bool right = !native_fault(p, &random, &fits);
	program_release(p);
	pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
	for (int s = 1; s <= SIGRTMAX; s++) {
		if (sigaction(s, NULL, &after)) continue;
		if (after.sa_handler != before[s].sa_handler) return false;
		if (sigismember(&mask, s) != sigismember(&mask_after, s)) return false;
	}
	return right;
}

static void signals_stay(void **state)
{
	assert_int_equal(status_of_child(leaves_signals_alone, *state), YES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_follow_affinity),
		cmocka_unit_test(forbidden_memory_is_an_error),
		cmocka_unit_test(signals_stay),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
