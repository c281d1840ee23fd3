/* watch.h - calls that are watched: a crash, a hang, and poison without an error are told with the
 * call that they came from; and every function in a process of its own. */
#ifndef TSR_TESTS_EVERY_WATCH_H
#define TSR_TESTS_EVERY_WATCH_H
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "every/scene.h"
#include "support/part.h"

static const char *at_work;
static int wrong;

/* ---- what a call must not do */

/* which call it was, without anything that could fail once more */
static void tell_call(const char *what)
{
	char text[300];
	const int n = snprintf(text, sizeof text, "%s: %s (%s, odd %d, which %d, seed %llu)\n",
	                       the.name ? the.name : "?", what, at_work ? at_work : "?", the.odd,
	                       the.which, (unsigned long long)the.seed);

	if (n > 0 && write(2, text, (size_t)n) < 0) return;
}

static void on_death(void) { tell_call("the process ended"); }
static void on_signal(int number)
{
	tell_call(number == SIGFPE ? "a division by zero" : "a crash");
	_exit(1);
}

static void on_alarm(int number)
{
	static int rung;

	(void)number;
	if (!rung++) {
		tsr_cancel(the.ctx);
		alarm(10);
		return;
	}
	tell_call("cannot be cancelled");
	_exit(1);
}

extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));

static void watch_process(void)
{
	signal(SIGALRM, on_alarm);
	if (__sanitizer_set_death_callback) {
		__sanitizer_set_death_callback(on_death);
		return;
	}
	signal(SIGSEGV, on_signal);
	signal(SIGBUS, on_signal);
	signal(SIGFPE, on_signal);
	signal(SIGABRT, on_signal);
}

/* ---- what messages name */

static const char *const rows[] = {
#define PRIM(name) #name,
#include "prim/prims.def"
#undef PRIM
};

/* is it the name of a row, or of a public function? */
static bool is_name(const char *word, size_t n)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strlen(rows[i]) == n && !strncmp(rows[i], word, n)) return true;
	for (size_t i = 0; i < NCALLS; i++) {
		const char *name = calls[i].name + strlen("tsr_");
		if (!strncmp(name, word, n) && (!name[n] || !strcmp(name + n, "_at"))) return true;
	}
	return false;
}

/* a message that begins with the name of an operation begins with that of the one that was called:
 * "every.c:1: ndtr does not accept ..", not "fma does not" */
static void check_named(const char *message)
{
	const char *place = "every.c:1: ", *called = the.name + strlen("tsr_");

	if (strncmp(message, place, strlen(place)) != 0) return;
	if (strstr(message, "another context")) return; /* it may be the other one's */
	const char *word = message + strlen(place);
	const size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyz_0123456789");
	if (!is_name(word, n) || !strncmp(word, called, n)) return;
	fprintf(stderr, "%s: %.150s\n", the.name, message);
	wrong++;
}

/* ---- calls */

/* what is told of a call is what must not be */
static void check_call(size_t k, int way)
{
	if (!scene_stands()) scene_handles();
	alarm(20);
	scene_call(k, way);
	alarm(0);
	if (the.ctx->engine->cancelled)
		the.ctx->engine->cancelled = false; /* tsr_cancel() was called */
	/* poison, and what is kept although it is none, are what is asked for */
	const bool asked = !strcmp(the.name, "tsr_poison") || !strcmp(the.name, "tsr_keep");
	if (the.failed && the.returned == RETURNED_HANDLE && !the.quiet && !asked &&
	    !tsr_status(the.ctx) && !tsr_status(the.other) && !tsr_status(the.dead)) {
		tell_call("poison, and no error");
		wrong++;
	}
	if (tsr_status(the.ctx)) check_named(tsr_message(the.ctx));
	tsr_clear(the.ctx);
	tsr_clear(the.other);
	tsr_clear(the.dead);
}

/* ---- all functions */

static bool is_chosen(size_t k, int n, char **names)
{
	for (int i = 1; i < n; i++)
		if (!strcmp(calls[k].name, names[i])) return true;
	return n == 1 && !is_left_out();
}

/* main() of a test: function k in a process of its own, for each k that is chosen */
static int check_functions(int n, char **names, void (*check_function)(size_t k))
{
	int faults = 0;

	if (!freopen("/dev/null", "w", stdout)) return 2;
	for (size_t k = 0; k < NCALLS; k++) {
		int status = 0;
		if (!is_chosen(k, n, names)) continue;
		const pid_t child = fork();
		if (child < 0) return 2;
		if (!child) {
			the.name = calls[k].name;
			watch_process();
			check_function(k);
			_exit(wrong != 0);
		}
		if (waitpid(child, &status, 0) != child) return 2;
		if (status) fprintf(stderr, "%s: status %x\n", calls[k].name, (unsigned)status);
		faults += status != 0;
	}
	fprintf(stderr, "%d of %zu functions failed\n", faults, NCALLS);
	return faults != 0;
}

#endif
