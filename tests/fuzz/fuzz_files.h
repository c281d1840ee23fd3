/* fuzz_files.h - what the fuzzers of files share: one context, and how a file is refused. */
#ifndef TSR_TESTS_FUZZ_FILES_H
#define TSR_TESTS_FUZZ_FILES_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "lib/files/files.h"

static inline void require(bool held)
{
	if (!held) abort();
}

static inline void hear_nothing(void *user, int level, const char *text)
{
	(void)user, (void)level, (void)text;
}

/* one for all inputs; types and shardings that are kept for long do not grow without end */
static inline tsr_ctx *fuzz_ctx(void)
{
	static tsr_ctx *ctx;
	static int inputs;

	if (ctx && ++inputs % 1000 == 0) {
		require(tsr_close(ctx) == 0);
		ctx = NULL;
	}
	if (!ctx) ctx = tsr_open(.devices = 2, .log = hear_nothing);
	return ctx;
}

/* the error that stands is one of a file, and says where; it is cleared */
static inline void require_refused(tsr_ctx *ctx)
{
	const int code = tsr_status(ctx);

	if (code != TSR_ERROR_FILE && code != TSR_ERROR_UNSUPPORTED) {
		fprintf(stderr, "error %d: %s\n", code, tsr_message(ctx));
		abort();
	}
	tsr_clear(ctx);
}

#endif
