/* interrupt.c - ends the tool at Ctrl-C, or when its time is over, whatever it waits for.
 *
 * While a program runs it is cancelled, so that it ends between two steps and says where. All else
 * that takes long is waiting: for a FIFO that nobody opens, for standard input, for a full pipe. So
 * before the run the process simply ends, and after the cancellation it has a second to come to its
 * end; signals do not restart what they interrupt. A second Ctrl-C ends it at once. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "tool.h"

enum { GRACE = 1 }; /* seconds */
static tsr_ctx *volatile running;
static volatile sig_atomic_t ended; /* the signal that ended the program */

int interrupt_status(void)
{
	return ended == SIGINT ? INTERRUPTED : ended == SIGALRM ? TOO_LONG : FINE;
}

static void end_program(int number)
{
	const bool again = ended;

	if (!again) ended = number;
	if (again || !running) _exit(interrupt_status());
	tsr_cancel(running);
	alarm(GRACE);
}

/* where it is ignored, as in a job that the shell runs in the background, it stays ignored */
static void take(int number)
{
	struct sigaction is = {.sa_handler = end_program}, was;

	if (number == SIGINT && sigaction(number, NULL, &was) == 0 && was.sa_handler == SIG_IGN)
		return;
	sigaction(number, &is, NULL);
}

static bool set_time_limit(double seconds)
{
	const time_t whole = (time_t)seconds;
	const struct itimerspec t = {.it_value = {whole, (long)((seconds - (double)whole) * 1e9)}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	timer_t timer;

	return timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 &&
	       timer_settime(timer, 0, &t, NULL) == 0;
}

void interrupt_take(double time_limit)
{
	take(SIGINT);
	take(SIGALRM);
	signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error like any other */
	if (time_limit > 0 && !set_time_limit(time_limit))
		fprintf(stderr, "tsr: --time-limit: %s\n", strerror(errno));
}

void interrupt_cancels(tsr_ctx *ctx) { running = ctx; }
