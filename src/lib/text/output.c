/* output.c - prints to stdout once, in one of the processes that make the same call. */
#include <stdarg.h>
#include <stdio.h>
#include "lib/lib.h"

int process_of_least(const sharding *s)
{
	return s->ctx->devices[sharding_printer(s)].process;
}

int process_printing(const array *a)
{
	return a->committed ? process_of_least(a->sharding) : 0;
}

/* in one piece, so that those of other processes do not come in between */
static void print_ranked(tsr_ctx *ctx, const char *text)
{
	str s = {.base = &ctx->base};

	for (const char *end; *text; text = end) {
		end = strchrnul(text, '\n');
		end += *end == '\n';
		str_printf(&s, "[%d] %.*s", ctx->process, (int)(end - text), text);
	}
	if (s.s && !s.lost) fputs(s.s, stdout);
	str_free(&s);
}

void print_in(const tsr_ctx *ctx, int process, bool all, const char *text)
{
	if (all && ctx->nprocesses > 1)
		print_ranked((tsr_ctx *)(uintptr_t)ctx, text);
	else if (process == ctx->process || all)
		fputs(text, stdout);
}

void tsr_printf(const tsr_ctx *ctx, const char *format, ...)
{
	va_list args;

	if (tsr_process(ctx) != 0 || !format) return;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
}
