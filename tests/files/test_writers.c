/* test_writers.c - a writer that is killed at any of its calls of the system, or finds a full disk
 * there, leaves the old file or the new one; and the new file is on the disk before the name
 * changes. */
#include "files/files_rig.h"
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* ---- calls of the system, which come here first */

enum { GO_ON, KILL, FULL };
static int mode, calls_left;
static char calls[1 << 16]; /* w, s, r: of this process */
static size_t ncalls;

/* is it this one that fails? A killed writer has written a half */
static bool is_due(char which)
{
	if (mode != GO_ON || ncalls) calls[ncalls < sizeof calls - 1 ? ncalls++ : ncalls] = which;
	return mode != GO_ON && --calls_left == 0;
}

static void die(void) { kill(getpid(), SIGKILL); }

ssize_t write(int fd, const void *bytes, size_t n)
{
	const bool due = fd > 2 && is_due('w');

	if (due && mode == FULL) return errno = ENOSPC, -1;
	const long done = syscall(SYS_write, fd, bytes, due ? n / 2 : n);
	if (due) die();
	return done;
}

int fsync(int fd)
{
	if (is_due('s')) {
		if (mode == KILL) die();
		return errno = ENOSPC, -1;
	}
	return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	if (is_due('r')) {
		if (mode == KILL) die();
		return errno = ENOSPC, -1;
	}
	return (int)syscall(SYS_rename, from, to);
}

/* ---- a save */

static bool save(const char *path, double value)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing, .workers = 1);
	tsr *x[3] = {tsr_full(ctx, TSR_DIMS(50000), value), tsr_full(ctx, TSR_DIMS(3), value),
	             tsr_full(ctx, TSR_DIMS(7, 9), value, .dtype = TSR_I16)};
	const bool ok = strstr(path, ".npy") ? tsr_save_npy(x[0], path)
	                                     : tsr_save(TSR_LEAVES(x, 3), path);

	assert_int_equal(ok, !tsr_close(ctx));
	return ok;
}

/* the wait status of a process that saves, and has the n-th of its calls go wrong */
static int status_of(const char *path, int how, int n)
{
	int status;
	const pid_t child = fork();

	if (!child) {
		mode = how;
		calls_left = n;
		_exit(!save(path, 2));
	}
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	return status;
}

static int entries(void)
{
	DIR *dir = opendir(folder);
	int n = 0;

	while (readdir(dir)) n++;
	closedir(dir);
	return n;
}

static void check_writer(const char *ending, int how)
{
	const char *path = in_folder(ending), *old = in_folder("old"), *new = in_folder("new");
	char new_path[500];
	int n = 0, status, before;

	snprintf(new_path, sizeof new_path, "%s%s", new, ending);
	assert_true(save(new_path, 2) && save(path, 1));
	copy_file(path, old);
	before = entries();
	do {
		copy_file(old, path);
		status = status_of(path, how, ++n);
		if (status && how == KILL) assert_true(WIFSIGNALED(status));
		if (status) assert_same_files(path, old);
		if (status && how == FULL) assert_int_equal(entries(), before);
	} while (status);
	assert_same_files(path, new_path);
	assert_true(n > 3); /* some writes, fsync, rename */
}

static void test_killed(void **state)
{
	(void)state;
	check_writer("k.npy", KILL);
	check_writer("k.npz", KILL);
	check_writer("k.safetensors", KILL);
}

static void test_full(void **state)
{
	(void)state;
	check_writer("f.npy", FULL);
	check_writer("f.npz", FULL);
	check_writer("f.safetensors", FULL);
}

/* the file is on the disk before it has the name */
static void test_order(void **state)
{
	static const char *const names[] = {"o.npy", "o.npz", "o.safetensors"};

	(void)state;
	for (int i = 0; i < 3; i++) {
		mode = FULL;
		calls_left = INT32_MAX;
		ncalls = 0;
		assert_true(save(in_folder(names[i]), 1));
		mode = GO_ON;
		assert_true(ncalls > 3 && !memcmp(calls + ncalls - 3, "wsr", 3));
		ncalls = 0;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
