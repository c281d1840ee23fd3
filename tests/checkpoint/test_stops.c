/* test_stops.c - a process that is stopped at any of its calls of the system, or finds a full disk
 * there, leaves the old checkpoints, or the new one; and nothing has its name before it is on the
 * disk. */
#include "checkpoint/checkpoint_rig.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>

/* ---- calls of the system, which come here first, from any thread */

enum { GO_ON, KILL, FULL };
static int mode, rank_of_this, failing_rank;
static atomic_int calls_left;
/* files with bytes that are not on the disk; names that are not */
static atomic_int unsynced[1024], new_names;

static bool is_due(void)
{
	return mode != GO_ON && rank_of_this == failing_rank &&
	       atomic_fetch_sub(&calls_left, 1) == 1;
}

/* does the call fail? Or it does not return */
static bool fails(void)
{
	if (!is_due()) return false;
	if (mode == KILL) kill(getpid(), SIGKILL);
	errno = ENOSPC;
	return true;
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	const bool due = is_due();

	if (due && mode == FULL) return errno = ENOSPC, -1;
	const long done = syscall(SYS_pwrite64, fd, bytes, due ? n / 2 : n, at);
	if (due) kill(getpid(), SIGKILL);
	atomic_store(&unsynced[fd], 1);
	return done;
}

int fsync(int fd)
{
	struct stat about;

	if (fails()) return -1;
	atomic_store(&unsynced[fd], 0);
	if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode)) atomic_store(&new_names, 0);
	return (int)syscall(SYS_fsync, fd);
}

int close(int fd)
{
	const bool left = fd >= 0 && fd < 1024 && atomic_exchange(&unsynced[fd], 0);

	if (left && (mode == GO_ON || atomic_load(&calls_left) > 0)) abort(); /* not synced */
	return (int)syscall(SYS_close, fd);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	int64_t step;

	if (fails()) return -1;
	if (step_read(to, &step) && atomic_load(&new_names)) abort();
	return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int unlinkat(int at, const char *name, int flags)
{
	if (mode == KILL && fails()) return -1; /* it needs no space */
	return (int)syscall(SYS_unlinkat, at, name, flags);
}

int mkdirat(int at, const char *name, mode_t made)
{
	if (fails()) return -1;
	return (int)syscall(SYS_mkdirat, at, name, made);
}

/* through variadic openat: a new file is a name */
int openat(int at, const char *name, int flags, ...)
{
	va_list args;

	va_start(args, flags);
	const mode_t made = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	if (flags & O_CREAT) {
		if (fails()) return -1;
		atomic_store(&new_names, 1);
	}
	return (int)syscall(SYS_openat, at, name, flags, made);
}

/* ---- saves */

typedef struct plan {
	int64_t step;
	int how, calls, rank, keep;
	bool async;
} plan;

static int save_own(tsr_ctx *ctx, int rank, void *of)
{
	const plan *p = of;
	tsr *x[LEAVES];

	rank_of_this = rank;
	failing_rank = p->rank;
	make_leaves(ctx, 1, (int)p->step, x);
	atomic_store(&calls_left, p->calls);
	mode = p->how;
	bool ok = tsr_checkpoint_save(folder, p->step, TSR_LEAVES(x, LEAVES), .async = p->async,
	                              .keep = p->keep);
	ok = ok && tsr_checkpoint_wait(ctx);
	mode = GO_ON;
	if (!ok &&
	    !strstr(tsr_message(ctx), p->rank == rank ? "No space left" : "by another process") &&
	    !strstr(tsr_message(ctx), "a process is gone"))
		return 3;
	return ok && tsr_close(ctx) == 0 ? 0 : 1;
}

/* how many drafts there are; all but so many are removed */
static int drafts(int stay)
{
	char path[500];
	int n = 0;
	DIR *list = opendir(folder);

	for (const struct dirent *e; (e = readdir(list));) {
		if (!strstr(e->d_name, "draft") || ++n <= stay) continue;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		remove_all(path);
	}
	closedir(list);
	return n;
}

/* the newest checkpoint, which must load; the older ones, too */
static int64_t newest_loads(tsr_ctx *ctx)
{
	const int64_t newest = tsr_checkpoint_latest(ctx, folder);
	tsr *x[LEAVES] = {0};

	for (int64_t step = newest; step >= 0 && step > newest - 2; step--) {
		char path[300];
		snprintf(path, sizeof path, "%s/%d", folder, (int)step);
		if (access(path, F_OK) != 0) continue;
		memset(x, 0, sizeof x);
		if (!tsr_checkpoint_verify(ctx, folder, step) ||
		    !tsr_checkpoint_load(folder, step, TSR_LEAVES(x, LEAVES)) ||
		    !leaves_are_known(x, (int)step))
			fail_msg("step %d: %s", (int)step, tsr_message(ctx));
	}
	return newest;
}

/* until a save goes to its end, each call of it is the one that stops it, or that fails */
static void check_stops(int size, int how, int rank, bool async)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing, .workers = 1);
	plan p = {.how = how, .rank = rank, .keep = 2, .async = async};
	bool ok = false;
	int64_t last = 0;

	remove_all(folder);
	mkdir(folder, 0777);
	assert_true(run_processes(size, 8, save_own, &(plan){.step = 0, .calls = INT32_MAX}));
	/* two processes make twice the calls, mostly the same ones */
	for (p.calls = 1; !ok; p.calls += size) {
		TSR_SCOPE(ctx);
		p.step = last + 1;
		ok = run_processes(size, 8, save_own, &p);
		const int64_t now = newest_loads(ctx);
		/* of a last sync that fails it is not known whether the disk has it */
		if (ok)
			assert_true(now == p.step);
		else
			assert_true(now == last || now == p.step);
		/* the next one removes it, unless it is stopped there */
		assert_true(drafts(1) <= (how == FULL ? 0 : 2));
		assert_true(p.calls < 200);
		last = now;
	}
	assert_int_equal(drafts(0), 0);
	assert_true(p.calls > (rank ? 8 : 20)); /* files, notes, index, syncs, renames, old ones */
	assert_int_equal(tsr_close(ctx), 0);
}

static void test_killed(void **state)
{
	(void)state;
	check_stops(1, KILL, 0, false);
	check_stops(1, KILL, 0, true);
	check_stops(2, KILL, 0, true);
	check_stops(2, KILL, 1, false);
}

static void test_full(void **state)
{
	(void)state;
	check_stops(1, FULL, 0, true);
	check_stops(2, FULL, 0, false);
	check_stops(2, FULL, 1, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
