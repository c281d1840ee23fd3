/* test_agreeing.c - properties that must be equal in all processes of a context, where threads of
 * one process cannot differ: release, libraries, elementary functions, instruction set, cores. They
 * are forked. */
#include "runtime/runtime.h"
#include "kernel/kernel.h"
#include "support/comm_shared.h"
#include "support/quiet.h"
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { RANKS = 2, SIDE = 150, ROUNDS = 3 };

typedef struct seen {    /* in memory that all share */
	char text[1024]; /* of the error */
	int instructions, sharers, place;
	float values[SIDE];
} seen;

/* how a rank differs from others, before it opens its context */
typedef struct way {
	void (*prepare)(int rank);
	const char *plugin_dir; /* of rank 1 */
} way;

/* eigenvalues of a matrix that is large enough for the library */
static tsr *work(tsr *x) { return tsr_eigvalsh(tsr_add(x, tsr_transpose(x))); }

static int on_rank(shared_world *w, int rank, const way *how, seen *s)
{
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = RANKS,
	                            .plugin_dir = rank ? how->plugin_dir : NULL,
	                            .log = log_nothing};
	const shared_place at = {w, rank};

	if (how->prepare) how->prepare(rank);
	tsr_ctx *ctx = ctx_open("app.c:1", &args, 1, &shared_comm, &at);
	snprintf(s->text, sizeof s->text, "%s", tsr_message(ctx));
	if (tsr_status(ctx)) return tsr_close(ctx);
	s->instructions = instructions_chosen();
	s->sharers = ctx->engine->sharers;
	s->place = ctx->engine->place;
	tsr *x = tsr_uniform(tsr_key(ctx, 3), TSR_DIMS(SIDE, SIDE));
	tsr *y = tsr_call(tsr_jit(ctx, work), x);
	tsr_read(y, s->values, sizeof s->values);
	snprintf(s->text, sizeof s->text, "%s", tsr_message(ctx));
	return tsr_close(ctx);
}

static void run(const way *how, int code, seen out[RANKS])
{
	shared_world *w = shared_world_make(RANKS);
	seen *s = mmap(NULL, RANKS * sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
	               -1, 0);
	pid_t pid[RANKS];

	assert_true(s != MAP_FAILED);
	fflush(NULL);
	for (int rank = 0; rank < RANKS; rank++) {
		pid[rank] = fork();
		if (pid[rank] == 0) _exit(on_rank(w, rank, how, &s[rank]));
		assert_true(pid[rank] > 0);
	}
	for (int rank = 0; rank < RANKS; rank++) {
		int status;
		assert_int_equal(waitpid(pid[rank], &status, 0), pid[rank]);
		if (!WIFEXITED(status) || WEXITSTATUS(status) != code)
			fail_msg("rank %d: status %x: %s", rank, (unsigned)status, s[rank].text);
	}
	memcpy(out, s, RANKS * sizeof *s);
	munmap(s, RANKS * sizeof *s);
	shared_world_free(w);
}

static void expect(const seen s[RANKS], const char *words)
{
	for (int rank = 0; rank < RANKS; rank++) {
		if (!strstr(s[rank].text, words)) fail_msg("%s", s[rank].text);
		assert_non_null(strstr(s[rank].text, "app.c:1"));
	}
}

static seen all[RANKS];

static void other_release(int rank)
{
	if (rank) release_here = "0.1.9";
}

static void releases(void **state)
{
	(void)state;
	run(&(way){.prepare = other_release}, TSR_ERROR_PROCESS, all);
	expect(all, "the processes differ: rank 0 has release " RELEASE
	            ", and rank 1 has release 0.1.9");
}

/* ---- another OpenBLAS: that of a plug-in whose text of its release was changed */

#ifndef WITHOUT_NATIVE
static void put_plugin(const char *from, const char *to)
{
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	char *data = malloc(1 << 28), *at = data;

	assert_true(in && out && data);
	const size_t n = fread(data, 1, 1 << 28, in);
	for (; (at = memmem(at, n - (size_t)(at - data), "OpenBLAS 0.", 11)); at += 11)
		at[11] = '0';
	assert_int_equal(fwrite(data, 1, n, out), n);
	free(data);
	fclose(in);
	assert_int_equal(fclose(out), 0);
	chmod(to, 0755);
}

static void other_openblas(void **state)
{
	char folder[] = "/tmp/tsr-agreeing-XXXXXX", file[64];

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(file, sizeof file, "%s/libtsr-cpu-" RELEASE ".so", folder);
	put_plugin(PLUGIN_DIR "/libtsr-cpu-" RELEASE ".so", file);
	run(&(way){.plugin_dir = folder}, TSR_ERROR_PROCESS, all);
	unlink(file);
	rmdir(folder);
	expect(all, "the processes differ: rank 0 has the library OpenBLAS 0.");
	expect(all, ", and rank 1 has the library OpenBLAS 0.0.");
}
#endif

/* ---- other elementary functions: this program is linked with --wrap=kfn_f64 */

static bool rounds_otherwise;
double __real_kfn_f64(kfn f, const double x[2]);
double __wrap_kfn_f64(kfn f, const double x[2]);

double __wrap_kfn_f64(kfn f, const double x[2])
{
	const double y = __real_kfn_f64(f, x);

	return rounds_otherwise ? nextafter(y, 9) : y;
}

static void other_functions_on_1(int rank) { rounds_otherwise = rank == 1; }

static void other_functions(void **state)
{
	(void)state;
	run(&(way){.prepare = other_functions_on_1}, TSR_ERROR_PROCESS, all);
	expect(all, "the processes differ: rank 0 has elementary functions of the kind ");
	expect(all, ", and rank 1 has elementary functions of the kind ");
}

static void libraries(void **state)
{
	(void)state;
	run(&(way){.plugin_dir = "/nowhere"}, TSR_ERROR_PROCESS, all);
	expect(all, "rank 0 has machine code, and rank 1 has no machine code");
	assert_non_null(strstr(all[1].text, "this one has no machine code: the plug-in /nowhere/"));
}

/* ---- instruction sets */

static void lower_on_1(int rank)
{
	if (rank) setenv("TSR_CPU", "avx2", 1);
}

static tsr *twice(tsr *x) { return tsr_add(x, x); }

/* rank 0 has compiled before */
static void lower_too_late(int rank)
{
	lower_on_1(rank);
	if (rank) return;
	tsr_ctx *ctx = tsr_open(.debug = "c", .log = log_nothing);
	tsr_call(tsr_jit(ctx, twice), tsr_ones(ctx, TSR_DIMS(64)));
	tsr_close(ctx);
}

static void instruction_sets(void **state)
{
	(void)state;
	if (instructions_here() < 64) skip();
	run(&(way){.prepare = lower_on_1}, TSR_OK, all);
	for (int rank = 0; rank < RANKS; rank++) assert_int_equal(all[rank].instructions, 32);
	assert_memory_equal(all[0].values, all[1].values, sizeof all->values);
	run(&(way){.prepare = lower_too_late}, TSR_ERROR_PROCESS, all);
	expect(all, "rank 0 has no machine code, and rank 1 has machine code");
	assert_non_null(strstr(all[0].text,
	                       "it has made machine code for more than avx2, which not all "
	                       "processes have; set TSR_CPU=avx2"));
}

/* ---- cores */

static void one_core(int rank)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 2) return;
	int n = 0;
	for (size_t core = 0; core < CPU_SETSIZE; core++)
		if (CPU_ISSET(core, &set) && n++ != rank) CPU_CLR(core, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static void cores_are_divided(void **state)
{
	(void)state;
	run(&(way){0}, TSR_OK, all);
	for (int rank = 0; rank < RANKS; rank++) {
		assert_int_equal(all[rank].sharers, RANKS);
		assert_int_equal(all[rank].place, rank);
	}
	assert_memory_equal(all[0].values, all[1].values, sizeof all->values);
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) return;
	run(&(way){.prepare = one_core}, TSR_OK, all); /* each has its own */
	for (int rank = 0; rank < RANKS; rank++) assert_int_equal(all[rank].sharers, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(releases),
		cmocka_unit_test(libraries),
#ifndef WITHOUT_NATIVE
		cmocka_unit_test(other_openblas),
#endif
		cmocka_unit_test(other_functions),
		cmocka_unit_test(instruction_sets),
		cmocka_unit_test(cores_are_divided),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
