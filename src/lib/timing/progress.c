/* progress.c - shows how far long work is, on a terminal. */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "lib/timing/timing.h"

struct tsr_progress {
	tsr_ctx *ctx; /* NULL: nothing is shown */
	const char *label, *unit;
	int64_t total, first; /* first: how many were done when it was shown first; -1: never yet */
	double began, first_at, shown_at;
	bool open; /* a line has been written, and has no end yet */
};

/* where nothing is shown */
static tsr_progress nothing;

static const double between = 0.1; /* seconds from one line to the next */

static bool stderr_can_rewrite(void)
{
	const char *term = environment("TERM");

	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

static int columns_of_stderr(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1
	                                                                       : 79;
}

static void end_line(void *of)
{
	tsr_progress *p = of;

	if (p->open) fputs("\n", stderr);
	p->open = false;
}

tsr_progress *tsr_progress_begin_at(const char *where, tsr_ctx *ctx, int64_t total,
                                    const tsr_progress_args *given)
{
	TURN_OF(ctx, where, &nothing);
	const tsr_progress_args *a = KEYWORDS(tsr_progress_args, where, ctx, given);

	if (!a || !ctx_ok(where, "progress", ctx)) return &nothing;
	if (total < 0) {
		fail(&ctx->base, where, TSR_ERROR_ARGUMENT, "progress: there cannot be %lld steps",
		     (long long)total);
		return &nothing;
	}
	if (ctx->process || !stderr_can_rewrite()) return &nothing; /* one process shows it */
	tsr_progress *p = arena_alloc(ctx->arena, sizeof *p);
	if (!p || !arena_defer(ctx->arena, end_line, p)) return &nothing;
	*p = (tsr_progress){.ctx = ctx,
	                    .label = a->label ? arena_str(ctx->arena, a->label) : "",
	                    .unit = a->unit ? arena_str(ctx->arena, a->unit) : "step",
	                    .total = total,
	                    .first = -1,
	                    .began = now()};
	return p->label && p->unit ? p : &nothing;
}

static void write_line(tsr_progress *p, int64_t done, const char *note, double at)
{
	const int64_t more = done - p->first;
	str s = {.base = &p->ctx->base};

	str_put(&s, "\r");
	progress_text(&s, &(progress_state){p->label, p->unit, note ? note : "", done, p->total,
	                                    more > 0 ? (at - p->first_at) / (double)more : 0,
	                                    at - p->began, columns_of_stderr()});
	str_put(&s, "\033[K");
	if (!s.lost) {
		fputs(s.s, stderr);
		fflush(stderr);
		p->open = true;
	}
	str_free(&s);
}

void tsr_progress_show(tsr_progress *p, int64_t done, const char *note)
{
	if (!p || !p->ctx) return;
	TURN_OF(p->ctx, NULL, );
	const double at = now();

	if (p->first < 0) {
		p->first = done;
		p->first_at = at;
	} else if (at - p->shown_at < between && !(p->total && done >= p->total)) {
		return;
	}
	p->shown_at = at;
	write_line(p, done, note, at);
}

void tsr_progress_end(tsr_progress *p)
{
	if (!p || !p->ctx) return;
	TURN_OF(p->ctx, NULL, );
	end_line(p);
}
