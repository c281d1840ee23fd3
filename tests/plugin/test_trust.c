/* test_trust.c - trust in code that is loaded: a file that others may write to, or that belongs to
 * another user, is refused; a relative folder is that of the moment when the context is opened; and
 * a set-user-id program takes no folder from its caller's environment. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tsr/tsr.h>
#include <unistd.h>
#include <cmocka.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define RELEASE TEXT(TSR_VERSION_MAJOR) "." TEXT(TSR_VERSION_MINOR) "." TEXT(TSR_VERSION_PATCH)
#define OBJECT "libtsr-engine-tiny-" RELEASE ".so"
enum { NOBODY = 65534 };

static char folder[PATH_MAX], object[PATH_MAX + 80];

static void drop_log(void *user, int level, const char *text)
{
	(void)user, (void)level, (void)text;
}

static bool copy(const char *from, const char *to)
{
	static char bytes[1 << 16];
	const int in = open(from, O_RDONLY | O_CLOEXEC);
	const int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	ssize_t n = -1;

	while (in >= 0 && out >= 0 && (n = read(in, bytes, sizeof bytes)) > 0)
		if (write(out, bytes, (size_t)n) != n) break;
	close(in);
	return close(out) == 0 && n == 0;
}

/* a folder of our own with a copy of the engine */
static int make_folder(void **state)
{
	const char *temporary = getenv("TMPDIR");

	(void)state;
	snprintf(folder, sizeof folder, "%s/tsr-trust-XXXXXX", temporary ? temporary : "/tmp");
	if (!mkdtemp(folder) || chmod(folder, 0755) != 0) return -1;
	snprintf(object, sizeof object, "%s/" OBJECT, folder);
	return copy(PLUGIN_DIR "/" OBJECT, object) && chmod(object, 0755) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(object);
	return rmdir(folder);
}

static void loads(const char *dir)
{
	tsr_ctx *ctx = tsr_open(.engine = "tiny", .plugin_dir = dir);

	assert_true(tsr_item(tsr_sum(tsr_ones(ctx, TSR_DIMS(3)))) == 3);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void refuses(const char *reason)
{
	tsr_ctx *ctx = tsr_open(.engine = "tiny", .plugin_dir = folder, .log = drop_log);

	assert_non_null(strstr(tsr_message(ctx), reason));
	assert_non_null(strstr(tsr_message(ctx), object));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_PLUGIN);
}

static void only_what_nobody_else_can_write(void **state)
{
	(void)state;
	loads(folder);
	assert_int_equal(chmod(object, 0775), 0);
	refuses("others may write to it (chmod go-w makes it safe)");
	assert_int_equal(chmod(object, 0757), 0);
	refuses("others may write to it");
	assert_int_equal(chmod(object, 0755), 0);
	assert_int_equal(chmod(folder, 0777), 0);
	refuses("everyone may write to its folder");
	assert_int_equal(chmod(folder, 01777), 0);
	loads(folder);
	assert_int_equal(chmod(folder, 0755), 0);
}

static void only_files_of_root_and_the_user(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("not run: only root can give a file away\n");
		skip();
	}
	assert_int_equal(chown(object, NOBODY, NOBODY), 0);
	refuses("it belongs neither to root nor to the user who runs this program");
	assert_int_equal(chown(object, 0, 0), 0);
	loads(folder);
}

static void relative_folders_are_those_of_the_opening(void **state)
{
	char here[PATH_MAX];

	(void)state;
	assert_non_null(getcwd(here, sizeof here));
	assert_int_equal(chdir(folder), 0);
	loads(".");
	assert_int_equal(setenv("TSR_PLUGIN_DIR", ".", 1), 0);
	loads(NULL);
	assert_int_equal(unsetenv("TSR_PLUGIN_DIR"), 0);
	assert_int_equal(chdir(here), 0);
}

/* ---- set-user-id */

/* what the copy of this program does that runs with other rights than its caller's */
static int with_other_rights(void)
{
	tsr_ctx *ctx = tsr_open(.engine = "tiny", .log = drop_log);
	const bool found = !tsr_status(ctx);

	tsr_close(ctx);
	return getuid() == geteuid() ? 2 : found;
}

static int run_as_nobody(const char *program)
{
	const pid_t child = fork();
	int status = 0;

	if (child == 0) {
		if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0) _exit(3);
		setenv("TSR_PLUGIN_DIR", folder, 1);
		execl(program, program, "with other rights", (char *)NULL);
		_exit(4); /* the libraries are where nobody may read, say */
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 5;
}

static void no_folder_from_the_environment(void **state)
{
	char program[PATH_MAX + 80];

	(void)state;
	snprintf(program, sizeof program, "%s/program", folder);
	assert_true(copy("/proc/self/exe", program));
	const bool can = geteuid() == 0 && chmod(program, 04755) == 0;
	const int code = can ? run_as_nobody(program) : 2;
	unlink(program);
	if (code >= 2) {
		print_message("not run: no set-user-id program can be made here (%d)\n", code);
		skip();
	}
	assert_int_equal(code, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_nobody_else_can_write),
		cmocka_unit_test(only_files_of_root_and_the_user),
		cmocka_unit_test(relative_folders_are_those_of_the_opening),
		cmocka_unit_test(no_folder_from_the_environment),
	};

	if (argc > 1 && strcmp(argv[1], "with other rights") == 0) return with_other_rights();
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
