/* fuzz_files.h - functions that the fuzzers of files share: one context, and how a file is
 * refused. */
#ifndef TSR_TESTS_FUZZ_FILES_H
#define TSR_TESTS_FUZZ_FILES_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "lib/files/files.h"
#include "../support/quiet.h"

static inline void require(bool held)
{
	if (!held) abort();
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
	if (!ctx) ctx = tsr_open(.devices = 2, .log = log_nothing);
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

/* What an array has must be in the file, or be what its packed bytes can give */
static inline void load_all(archive *a, tsr_ctx *ctx, const sharding *s)
{
	for (size_t k = 0; k < a->n; k++) {
		stored *of = a->array[k];
		if (!archive_know(a, of) || !archive_has_dtype(a, of)) {
			require_refused(ctx);
			continue;
		}
		array *x = archive_array(a, ctx, of, of->ndim > 1 && of->bytes % 3 == 0, s, true);
		require(of->packed ? of->bytes / 1032 <= of->end - of->begin
		                   : of->offset + of->bytes <= a->file.size);
		if (x) array_release(x);
		else require_refused(ctx);
	}
	if (!archive_is_disjoint(a)) require_refused(ctx);
}

/* any bytes as an archive: each of its arrays loads, or is refused */
static inline void fuzz_archive(const archive_type *type, const uint8_t *bytes, size_t n)
{
	tsr_ctx *ctx = fuzz_ctx();
	TSR_SCOPE(ctx);
	archive a = {.file = {.base = &ctx->base, .where = "fuzz.c:1", .op = "load",
	                      .path = "input"},
	             .type = type};
	const sharding *s = sharding_one(&ctx->shards, NULL, 1);

	file_of_memory(&a.file, bytes, n);
	require(s);
	if (archive_open(&a)) load_all(&a, ctx, s);
	else require_refused(ctx);
	archive_close(&a);
}

#endif
