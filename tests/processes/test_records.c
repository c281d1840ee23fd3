/* test_records.c - the files of TSR_RECORD: each process writes its last calls, as they begin and
 * end; where two processes have gone apart, so have the lines of their files. */
#include "runtime/runtime.h"
#include "../tools/conform/threads.h"
#include "support/quiet.h"
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

enum { RANKS = 2, LINES = 257, LINE = 256, CALLS = 300 };

static char folder[] = "/tmp/tsr-records-XXXXXX";

static tsr *sum_all(tsr *x) { return tsr_psum(x, "x"); }
static tsr *other_sum(tsr *x) { return tsr_psum(tsr_mul(x, 2), "x"); }

/* all calls but the last are the same everywhere */
static void on_rank(const threads_place *at, void *of)
{
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = RANKS,
	                            .engine = "interp",
	                            .log = log_nothing,
	                            .workers = 1};
	tsr_ctx *ctx = ctx_open(TSR_HERE, &args, 1, &threads_comm, at);
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", RANKS});
	tsr *x = tsr_arange(ctx, RANKS, .dtype = TSR_F32);
	tsr_fn *f = tsr_shard_map(line, sum_all, .sig = "[x] -> []");
	const bool *apart = of;

	for (int i = 1; i < CALLS; i++) tsr_call_at("app.c:88", f, (tsr_arg[]){TSR_ARG(x)}, 1);
	if (*apart && at->rank) f = tsr_shard_map(line, other_sum, .sig = "[x] -> []");
	tsr_call_at(at->rank ? "app.c:93" : "app.c:88", f, (tsr_arg[]){TSR_ARG(x)}, 1);
	tsr_close(ctx);
}

/* the lines of the file of a rank, which then goes */
static void read_file(int rank, char text[LINES * LINE + 1])
{
	char path[512], begin[32];
	bool found = false;
	DIR *d = opendir(folder);

	assert_non_null(d);
	snprintf(begin, sizeof begin, "rank-%d.", rank);
	for (const struct dirent *e; (e = readdir(d));) {
		if (strncmp(e->d_name, begin, strlen(begin)) != 0) continue;
		assert_false(found);
		found = true;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
	}
	closedir(d);
	assert_true(found);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	const size_t n = fread(text, 1, LINES * LINE + 1, f);
	fclose(f);
	assert_int_equal(n, LINES * LINE);
	text[n] = 0;
	for (int i = 0; i < LINES; i++) assert_int_equal(text[i * LINE + LINE - 1], '\n');
	assert_int_equal(unlink(path), 0);
}

static const char *line_of_call(const char *text, int call)
{
	return text + (size_t)(1 + (call - 1) % (LINES - 1)) * LINE;
}

/* the sum of a line */
static unsigned long long sum_of(const char *line)
{
	int order, call;
	unsigned long long sum = 0;

	assert_int_equal(sscanf(line, "%d call %d sum %llx of 2 ranks from 0", &order, &call, &sum),
	                 3);
	assert_int_equal(order, call);
	return sum;
}

static char one[LINES * LINE + 1], two[LINES * LINE + 1];

static void run(bool apart)
{
	threads_world *w = threads_world_make(RANKS, 0, 0);

	threads_run(w, on_rank, &apart);
	threads_world_free(w);
	read_file(0, one);
	read_file(1, two);
	for (int i = CALLS - 200; i < CALLS; i++) {
		assert_memory_equal(line_of_call(one, i), line_of_call(two, i), LINE);
		assert_non_null(strstr(line_of_call(one, i), "\"sum_all\" (app.c:88)"));
		assert_true(sum_of(line_of_call(one, i)) != sum_of(line_of_call(one, i + 1)));
	}
}

static void expect_in_line(const char *line, const char *words)
{
	char text[LINE];

	snprintf(text, sizeof text, "%s", line);
	if (!strstr(text, words)) fail_msg("not \"%s\" in: %s", words, text);
}

static void together(void **state)
{
	char words[64];

	(void)state;
	run(false);
	expect_in_line(line_of_call(one, CALLS + 1), "\"tsr_close\"");
	expect_in_line(one, "0  rank 0 of 2, host ");
	snprintf(words, sizeof words, ", pid %d: closed", (int)getpid());
	expect_in_line(two, words);
}

static void apart(void **state)
{
	(void)state;
	run(true);
	expect_in_line(one, ": call 300 differs: rank 0 runs \"sum_all\" (app.c:88), rank 1 runs ");
	expect_in_line(line_of_call(two, CALLS), "\"other_sum\" (app.c:93)");
	assert_true(sum_of(line_of_call(one, CALLS)) != sum_of(line_of_call(two, CALLS)));
}

/* A folder that cannot be is an error of opening, in all processes: a process reports its own, or,
 * if it was still exchanging names then, that of another one */
static char logged[RANKS][512];

static void keep(void *user, int level, const char *text)
{
	(void)level;
	snprintf(user, sizeof *logged, "%s", text);
}

static void on_rank_in_vain(const threads_place *at, void *of)
{
	int code;
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = RANKS,
	                            .log = keep,
	                            .user = logged[at->rank],
	                            .code = &code};

	(void)of;
	tsr_close(ctx_open("app.c:1", &args, 1, &threads_comm, at));
	assert_true(code != TSR_OK);
}

static void no_folder(void **state)
{
	threads_world *w = threads_world_make(RANKS, 0, 0);

	(void)state;
	setenv("TSR_RECORD", "/dev/null/records", 1);
	threads_run(w, on_rank_in_vain, NULL);
	threads_world_free(w);
	int first = 0;
	for (int rank = 0; rank < RANKS; rank++) {
		const char *why = strstr(logged[rank], "app.c:1: TSR_RECORD: /dev/null/records: ");
		int at = -1, of = -1, n = -1;
		if (!why) fail_msg("%s", logged[rank]);
		*strstr(logged[rank], "app.c:1") = 0;
		sscanf(logged[rank], "[%d] %nrank %d: %n", &at, &n, &of, &n);
		assert_int_equal(at, rank);
		assert_true(n == (int)strlen(logged[rank]) && of < RANKS && of != rank);
		first += of < 0;
	}
	assert_true(first > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(together),
		cmocka_unit_test(apart),
		cmocka_unit_test(no_folder),
	};

	if (!mkdtemp(folder)) return 1;
	setenv("TSR_RECORD", folder, 1);
	const int code = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return code;
}
