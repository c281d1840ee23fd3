/* test_progress.c - the line that shows how far long work is: its text, and that it is written to
 * terminals alone. */
#include "lib/timing/timing.h"
#include "support/quiet.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <tsr/tsr.h>
#include <unistd.h>
#include <cmocka.h> /* after base.h: it takes the name fail */

/* ---- the text */

static void is_line(base *b, progress_state p, const char *want)
{
	str s = {.base = b};

	progress_text(&s, &p);
	assert_string_equal(s.s, want);
	str_free(&s);
}

/* the examples at the head of src/lib/timing/progress_text.c are the first two */
static void lines(void **state)
{
	base b;

	(void)state;
	assert_true(base_init(&b, NULL, NULL, 0));
	is_line(&b, (progress_state){"training", "step", "loss 0.43", 450, 1000, 1 / 36.5, 12, 200},
	        "training   45% [=========           ] 450/1000  36.5 steps/s  0:16 left  loss "
	        "0.43");
	is_line(&b, (progress_state){"training", "step", "", 1200, 0, 2.31, 2772, 200},
	        "training  1200 steps  2.31 s/step  46:12");
	is_line(&b, (progress_state){"", "file", "", 1, 0, 0, 3600 + 61, 200}, "1 file  1:01:01");
	is_line(&b, (progress_state){"", "step", "", 0, 7, 0, 0, 200},
	        "  0% [                    ] 0/7");
	is_line(&b, (progress_state){"", "step", "", 7, 7, 1, 8, 200},
	        "100% [====================] 7/7  1 s/step  0:08 in all");
	/* more than there were to be */
	is_line(&b, (progress_state){"", "step", "", 9, 6, 0.5, 8, 200},
	        "150% [====================] 9/6  2 steps/s  0:08 in all");
	/* cut between characters */
	is_line(&b, (progress_state){"für", "step", "", 7, 7, 1, 8, 2}, "fü");
	base_fini(&b);
}

/* ---- where it is written */

static char written[8192];

/* what a program writes to stderr that is one end of `terminal`, or, for -1, of a pipe */
static void watch(int terminal, void (*work)(tsr_ctx *))
{
	int pipes[2] = {-1, -1}, from = terminal;
	const int before = dup(STDERR_FILENO);
	tsr_ctx *ctx = tsr_open(.devices = 1);

	if (terminal < 0) {
		assert_int_equal(pipe(pipes), 0);
		from = pipes[0];
	}
	const int to = terminal < 0 ? pipes[1] : open(ptsname(terminal), O_RDWR | O_NOCTTY);
	assert_true(to >= 0 && before >= 0);
	fflush(stderr);
	dup2(to, STDERR_FILENO);
	work(ctx);
	assert_int_equal(tsr_close(ctx), TSR_OK);
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	assert_int_equal(write(to, "|", 1), 1);
	size_t n = 0;
	while (n < sizeof written - 1 && (!n || written[n - 1] != '|'))
		n += (size_t)read(from, written + n, 1);
	written[n] = 0;
	close(before);
	close(to);
	if (terminal < 0) close(from);
}

static void some_work(tsr_ctx *ctx)
{
	tsr_progress *p = tsr_progress_begin(ctx, 100, .label = "work", .unit = "item");

	for (int i = 1; i <= 100; i++) tsr_progress_show(p, i, i == 100 ? "done" : NULL);
	tsr_progress_end(p);
	tsr_progress_end(p);
	tsr_progress_end(NULL);
	tsr_progress_show(NULL, 1, NULL);
}

/* the context ends the line */
static void no_end(tsr_ctx *ctx) { tsr_progress_show(tsr_progress_begin(ctx, 2), 1, NULL); }

static void on_a_terminal_only(void **state)
{
	const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
	struct winsize wide = {.ws_row = 24, .ws_col = 70};

	(void)state;
	if (terminal < 0 || grantpt(terminal) || unlockpt(terminal)) skip(); /* no terminals here */
	assert_int_equal(ioctl(terminal, TIOCSWINSZ, &wide), 0);
	setenv("TERM", "xterm", 1);
	watch(terminal, some_work);
	/* ten times a second at most: the first, and the last */
	assert_memory_equal(written, "\rwork    1% [                    ] 1/100\033[K\r", 43);
	assert_non_null(strstr(written, "\rwork  100% [====================] 100/100  "));
	assert_non_null(strstr(written, "\033[K\r\n|"));
	watch(terminal, no_end);
	assert_string_equal(written, "\r 50% [==========          ] 1/2\033[K\r\n|");
	setenv("TERM", "dumb", 1);
	watch(terminal, some_work);
	assert_string_equal(written, "|");
	setenv("TERM", "xterm", 1);
	watch(-1, some_work);
	assert_string_equal(written, "|");
	close(terminal);
}

static void bad_numbers(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 1, .log = log_nothing);

	(void)state;
	tsr_progress_show(tsr_progress_begin(ctx, -1), 1, NULL);
	assert_int_equal(tsr_status(ctx), TSR_ERROR_ARGUMENT);
	assert_non_null(strstr(tsr_message(ctx), "progress: there cannot be -1 steps"));
	tsr_clear(ctx);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(on_a_terminal_only),
		cmocka_unit_test(bad_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
