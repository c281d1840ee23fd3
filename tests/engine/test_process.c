/* test_process.c - the engine cpu in processes that make it hard: where memory must not be
 * executable the interpreter serves, with a warning; a process may fork or end while a thread
 * compiles; a host's own LLVM and BLAS are not disturbed. Each question is a child's. */
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <tsr/tsr.h>
#include "support/forbid.h"
#include <unistd.h>
#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif
enum { YES = 42, SIZE = 96 }; /* the exit status of a child that found all as it should be */

static void child_says_yes(bool (*question)(void))
{
	int status;
	const pid_t child = fork();

	if (child == 0) _exit(question() ? YES : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), YES);
}

/* ---- programs */

static int warnings, without_room;
static void count_warnings(void *user, int level, const char *text)
{
	(void)user, (void)level;
	warnings += strstr(text, "makes no machine code here") ||
	            strstr(text, "cannot be compiled here");
	without_room += !!strstr(text, "Cannot allocate memory");
}

static tsr_ctx *open_engine(const char *name)
{
	return tsr_open(.engine = name, .plugin_dir = PLUGIN_DIR, .debug = "c",
	                .log = count_warnings);
}

static tsr *wave(tsr *x) { return tsr_add(tsr_sin(x), tsr_sum(x)); }
static tsr *twice(tsr *x) { return tsr_mul(wave(x), 2); }

static int length = SIZE;

static bool right_bits(tsr_ctx *ctx, float *got)
{
	tsr *x = tsr_arange(ctx, length, .dtype = TSR_F32);
	const size_t bytes = (size_t)length * sizeof *got;

	return tsr_read(tsr_call(tsr_jit(ctx, wave), x), got, bytes) &&
	       tsr_read(tsr_call(tsr_jit(ctx, twice), x), got + SIZE, bytes);
}

static bool same_as_interpreted(void)
{
	float got[2 * SIZE] = {0}, want[2 * SIZE] = {0};
	tsr_ctx *ctx = open_engine("cpu"), *plain = open_engine("interp");
	const bool ran = right_bits(ctx, got) && right_bits(plain, want);

	return tsr_close(ctx) == 0 && tsr_close(plain) == 0 && ran &&
	       memcmp(got, want, sizeof got) == 0;
}

static bool compiles(void)
{
	return same_as_interpreted() && (warnings == 0) == (PLUGIN_DIR != NULL);
}

static void programs_are_compiled(void **state)
{
	(void)state;
	child_says_yes(compiles);
}

/* ---- several threads with a context each: the pool is one's at a time, and the others work alone
 */

static void *works_beside_others(void *user)
{
	float got[2 * SIZE], want[2 * SIZE];
	tsr_ctx *ctx = tsr_open(.engine = "cpu", .plugin_dir = PLUGIN_DIR, .debug = "cw",
	                        .workers = 3, .log = count_warnings);
	bool right = right_bits(ctx, want);

	for (int i = 0; right && i < 300; i++) {
		TSR_SCOPE(ctx);
		right = right_bits(ctx, got) && memcmp(got, want, sizeof got) == 0;
	}
	*(bool *)user = tsr_close(ctx) == 0 && right;
	return NULL;
}

static bool threads_work(void)
{
	pthread_t thread[3];
	bool right[3];

	for (int i = 0; i < 3; i++)
		if (pthread_create(&thread[i], NULL, works_beside_others, &right[i]) != 0)
			return false;
	for (int i = 0; i < 3; i++) pthread_join(thread[i], NULL);
	return right[0] && right[1] && right[2];
}

static void contexts_run_at_once(void **state)
{
	(void)state;
	child_says_yes(threads_work);
}

/* ---- executable memory */

/* two programs and one warning */
static bool interpreter_serves(void) { return same_as_interpreted() && warnings == 1; }

static bool serves_without_executable_memory(void)
{
	return forbid_executable_memory() && interpreter_serves();
}

static void memory_need_not_be_executable(void **state)
{
	(void)state;
	child_says_yes(serves_without_executable_memory);
}

/* after some programs were compiled: each other one is interpreted, and says so */
static bool serves_when_memory_is_taken_away(void)
{
	if (!compiles() || !forbid_executable_memory()) return false;
	length = SIZE - 1;
	return same_as_interpreted() && warnings > 0;
}

static void memory_may_be_taken_away(void **state)
{
	(void)state;
	child_says_yes(serves_when_memory_is_taken_away);
}

static bool serves_without_plugin(void)
{
	tsr_ctx *ctx = tsr_open(.engine = "cpu", .plugin_dir = "/nowhere", .debug = "c",
	                        .log = count_warnings);
	float got[2 * SIZE];

	return right_bits(ctx, got) && tsr_close(ctx) == 0 && warnings == 1;
}

static void the_plugin_need_not_be_there(void **state)
{
	(void)state;
	child_says_yes(serves_without_plugin);
}

/* ---- memory for code runs out, while malloc still has some */

/* the process may map so many bytes more than it has by now */
static bool limit_address_space(rlim_t more)
{
	char line[64];
	FILE *f = fopen("/proc/self/statm", "r");
	const rlim_t bytes = f && fgets(line, sizeof line, f)
	                             ? strtoull(line, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE)
	                             : 0;

	if (f) fclose(f);
	return bytes && setrlimit(RLIMIT_AS, &(struct rlimit){bytes + more, bytes + more}) == 0;
}

static bool no_room_for_code(void)
{
	enum { SPARE = 256 << 20 };

	if (mallopt(M_MMAP_MAX, 0) != 1 || mallopt(M_TRIM_THRESHOLD, 2 * SPARE) != 1) return false;
	/* volatile: a malloc that is only freed may be left out */
	void *volatile spare = malloc(SPARE);
	free(spare);
	return limit_address_space(0);
}

static bool serves_without_room_for_code(void)
{
	if (!compiles() || !no_room_for_code()) return false;
	length = SIZE - 1;
	return same_as_interpreted() && warnings > 0 && without_room == warnings;
}

/* the address sanitizer has a malloc of its own, which maps memory for itself */
static void memory_for_code_may_run_out(void **state)
{
	(void)state;
	if (PLUGIN_DIR && !SANITIZED) child_says_yes(serves_without_room_for_code);
}

/* ---- memory for the library of products runs out: it maps 128 MiB for what it packs, and more for
 * each further thread */

enum { SIDE = 700 };

static tsr *solved(tsr *a)
{
	tsr *corner = tsr_slice_strided(a, TSR_DIMS(0, 0), TSR_DIMS(40, 40));

	return tsr_add(tsr_dot(a, a), tsr_sum(tsr_solve(corner, tsr_ones(a, TSR_DIMS(40)))));
}

/* a product, and a system of equations, near those of the interpreter */
static bool multiplies(void)
{
	tsr_ctx *ctx = tsr_open(.engine = "cpu", .plugin_dir = PLUGIN_DIR, .debug = "c",
	                        .workers = 4, .log = count_warnings);
	tsr *a = tsr_add(tsr_eye(ctx, SIDE), tsr_full(ctx, TSR_DIMS(SIDE, SIDE), 0.01));
	tsr *y = tsr_call(tsr_jit(ctx, solved), a);
	/* (1 + 0.01 E)^2 = 1 + 0.02 E + 0.0001 SIDE E, and (1 + 0.01 E) x = 1 */
	const double each = 0.02 + 1e-4 * SIDE + 40 / 1.4;
	tsr *off = tsr_abs(tsr_sub(tsr_sub(y, tsr_eye(ctx, SIDE)), each));
	const double most = tsr_item(tsr_max(off));

	return tsr_close(ctx) == 0 && most < 1e-3 && warnings == 0;
}

static bool multiplies_without_room(void)
{
	return compiles() && limit_address_space(100 << 20) && multiplies() && multiplies();
}

/* four workers, and room for two */
static bool multiplies_in_turn(void)
{
	return compiles() && limit_address_space(600 << 20) && multiplies() && multiplies();
}

static bool multiplies_in_a_child(void)
{
	int status = 1;
	pid_t child;

	if (!multiplies() || !limit_address_space(50 << 20) || (child = fork()) < 0) return false;
	if (child == 0) _exit(!multiplies());
	return waitpid(child, &status, 0) == child && status == 0 && multiplies();
}

static void memory_for_products_may_run_out(void **state)
{
	(void)state;
	if (!PLUGIN_DIR || SANITIZED) skip(); /* a limit of address space breaks the sanitizer */
	child_says_yes(multiplies_without_room);
	child_says_yes(multiplies_in_turn);
	child_says_yes(multiplies_in_a_child);
}

/* ---- .require_compiled: what cannot be compiled is an error, each time it is called */

static bool refuses_to_interpret(void)
{
	float got[SIZE];
	tsr_ctx *ctx = tsr_open(.engine = "cpu", .plugin_dir = PLUGIN_DIR, .debug = "c",
	                        .require_compiled = true, .log = count_warnings);
	tsr_fn *fn = tsr_jit(ctx, wave);
	bool right =
		tsr_read(tsr_call(fn, tsr_arange(ctx, SIZE, .dtype = TSR_F32)), got, sizeof got) &&
		forbid_executable_memory();

	for (int i = 0; right && i < 2; i++) {
		tsr *y = tsr_call(fn, tsr_arange(ctx, SIZE - 1, .dtype = TSR_F32));
		right = !tsr_read(y, got, sizeof got - sizeof *got) &&
		        tsr_status(ctx) == TSR_ERROR_UNSUPPORTED &&
		        strstr(tsr_message(ctx), "test_process.c:") &&
		        strstr(tsr_message(ctx), ".require_compiled: this program cannot be") &&
		        strstr(tsr_message(ctx), "Operation not permitted");
		if (!right) fprintf(stderr, "%s\n", tsr_message(ctx));
		tsr_clear(ctx);
	}
	return tsr_close(ctx) == 0 && right && warnings == 0;
}

static void compiling_can_be_required(void **state)
{
	(void)state;
	if (PLUGIN_DIR != NULL) child_says_yes(refuses_to_interpret);
}

/* ---- fork and exit while a thread compiles or multiplies */

enum { FORKS = 6, EXITS = 3 };
static atomic_int compiling; /* the size of what the thread compiles */

static tsr *much(tsr *x)
{
	for (int i = 0; i < 10; i++) x = tsr_tanh(tsr_add(tsr_mul(x, 1.01), 0.1));
	return tsr_sum(x);
}

static bool computes_much(int size)
{
	tsr_ctx *ctx = open_engine("cpu");
	const double sum =
		tsr_item(tsr_call(tsr_jit(ctx, much), tsr_ones(ctx, TSR_DIMS(size))));

	return tsr_close(ctx) == 0 && sum > 0;
}

static void *compiles_for_ever(void *user)
{
	for (int size = 7;; size++) {
		atomic_store(&compiling, size);
		if (!computes_much(size)) return user;
	}
}

static bool thread_compiles(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, compiles_for_ever, NULL) == 0;
}

/* a child waits neither for a lock nor for a kernel of the thread that stayed behind */
static bool child_computes_the_same(void)
{
	int status;
	const pid_t child = fork();

	if (child == 0) {
		alarm(60);
		_exit(computes_much(atomic_load(&compiling)) ? YES : 1);
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == YES;
}

static bool forks_while_a_thread_compiles(void)
{
	if (!computes_much(3) || !thread_compiles()) return false;
	for (int i = 0; i < FORKS; i++) {
		usleep(30000 + 7000 * (unsigned)i);
		if (!child_computes_the_same()) return false;
	}
	return true;
}

/* Not under the address sanitizer: gcc 12's does not lock its allocator for a fork, so that the
 * child waits for ever in malloc if the thread was there (glibc's malloc does, in other builds) */
static void a_fork_leaves_nothing_locked(void **state)
{
	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
	child_says_yes(forks_while_a_thread_compiles);
}

static ssize_t linger(void *user, const char *bytes, size_t n)
{
	(void)user, (void)bytes;
	usleep(100000);
	return (ssize_t)n;
}

/* streams are written out when all libraries have ended: then threads go on for a while */
static bool lingers_at_exit(void)
{
	FILE *f = fopencookie(NULL, "w", (cookie_io_functions_t){.write = linger});

	return f && fputs("the end", f) >= 0;
}

static unsigned patience; /* microseconds */
static bool exits_while_a_thread_compiles(void)
{
	if (!lingers_at_exit() || !thread_compiles()) return false;
	usleep(patience);
	exit(YES);
}

static void *multiplies_for_ever(void *user)
{
	tsr_ctx *ctx = open_engine("cpu");
	tsr *x = tsr_ones(ctx, TSR_DIMS(8 * SIZE, 8 * SIZE));

	for (double sum = 1; sum > 0;) {
		TSR_SCOPE(ctx);
		sum = tsr_item(tsr_sum(tsr_matmul(x, x)));
		*(atomic_int *)user += 1;
	}
	return user;
}

static bool exits_while_a_thread_multiplies(void)
{
	static atomic_int products;
	pthread_t thread;

	if (!lingers_at_exit() ||
	    pthread_create(&thread, NULL, multiplies_for_ever, &products) != 0)
		return false;
	while (!products) usleep(1000);
	usleep(patience);
	exit(YES);
}

static void exits(bool (*question)(void))
{
	fflush(NULL);
	for (unsigned i = 0; i < EXITS; i++) {
		patience = 90000 + 30000 * i;
		child_says_yes(question);
	}
}

static void threads_compile_to_the_end(void **state)
{
	(void)state;
	exits(exits_while_a_thread_compiles);
}

static void threads_multiply_to_the_end(void **state)
{
	(void)state;
	exits(exits_while_a_thread_multiplies);
}

/* ---- a host's own libraries */

typedef void sgemm(const char *, const char *, const int *, const int *, const int *, const float *,
                   const float *, const int *, const float *, const int *, const float *, float *,
                   const int *);

/* the host's product of ones */
static bool host_multiplies(void *blas)
{
	static float a[SIZE * SIZE], c[SIZE * SIZE];
	const int n = SIZE;
	const float one = 1, zero = 0;
	sgemm *multiply;
	void *symbol = dlsym(blas, "sgemm_");
	bool right = symbol != NULL;

	memcpy(&multiply, &symbol, sizeof multiply);
	for (int i = 0; i < n * n; i++) a[i] = 1;
	if (symbol) multiply("n", "n", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
	for (int i = 0; right && i < n * n; i++) right = c[i] == (float)n;
	return right;
}

static bool library_multiplies(void)
{
	tsr_ctx *ctx = open_engine("cpu");
	tsr *x = tsr_ones(ctx, TSR_DIMS(4 * SIZE, 4 * SIZE));
	const double sum = tsr_item(tsr_sum(tsr_matmul(x, x)));

	return tsr_close(ctx) == 0 && sum == 64.0 * SIZE * SIZE * SIZE;
}

static bool beside_other_blas(void)
{
	void *blas = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_GLOBAL);

	return host_multiplies(blas) && compiles() && library_multiplies() && host_multiplies(blas);
}

static bool beside_other_llvm(void)
{
	void *llvm = dlopen("libLLVM-19.so", RTLD_NOW | RTLD_GLOBAL);
	void *symbol = dlsym(llvm, "LLVMGetVersion");
	void (*version)(unsigned *, unsigned *, unsigned *);
	unsigned major = 0, minor, patch;

	memcpy(&version, &symbol, sizeof version);
	if (!symbol || !compiles()) return false;
	version(&major, &minor, &patch);
	return major == 19;
}

static void beside(const char *name, bool (*question)(void))
{
	void *there = dlopen(name, RTLD_LAZY | RTLD_LOCAL);

	if (!there) {
		print_message("%s is not installed here\n", name);
		skip();
	}
	dlclose(there);
	child_says_yes(question);
}

static void a_host_has_its_own_blas(void **state)
{
	(void)state;
	beside("libopenblas.so.0", beside_other_blas);
}

static void a_host_has_its_own_llvm(void **state)
{
	(void)state;
	beside("libLLVM-19.so", beside_other_llvm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_are_compiled),
		cmocka_unit_test(contexts_run_at_once),
		cmocka_unit_test(memory_need_not_be_executable),
		cmocka_unit_test(memory_may_be_taken_away),
		cmocka_unit_test(memory_for_code_may_run_out),
		cmocka_unit_test(memory_for_products_may_run_out),
		cmocka_unit_test(compiling_can_be_required),
		cmocka_unit_test(the_plugin_need_not_be_there),
		cmocka_unit_test(a_fork_leaves_nothing_locked),
		cmocka_unit_test(threads_compile_to_the_end),
		cmocka_unit_test(threads_multiply_to_the_end),
		cmocka_unit_test(a_host_has_its_own_blas),
		cmocka_unit_test(a_host_has_its_own_llvm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
