/* output.c - prints to stdout once, in one of the processes that make the same call. */
#include <stdarg.h>
#include <stdio.h>
#include "lib/lib.h"

int process_of_least(const sharding *s)
{
	const tsr_ctx *ctx = s->ctx;
	int64_t least = sharding_device(s, 0);

	for (int64_t k = 1; k < sharding_ndevices(s); k++)
		if (sharding_device(s, k) < least) least = sharding_device(s, k);
	return ctx->devices[least].process;
}

int process_printing(const array *a)
{
	return a->committed ? process_of_least(a->sharding) : 0;
}

void print_in(const tsr_ctx *ctx, int process, const char *text)
{
	if (process == ctx->process) fputs(text, stdout);
}

void tsr_printf(const tsr_ctx *ctx, const char *format, ...)
{
	va_list args;

	if (tsr_process(ctx) != 0 || !format) return;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
}
