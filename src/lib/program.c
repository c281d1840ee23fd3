/* program.c - programs from files. */
#include <errno.h>
#include <stdio.h>
#include "lib/lib.h"

enum { MOST = 1 << 28 }; /* bytes of program text: far above any that is real */

/* the whole of an open file, with a final 0; NULL: recorded */
static char *read_all(tsr_ctx *ctx, const char *where, const char *path, FILE *f)
{
	char *text = NULL;
	size_t len = 0, cap = 0;

	do {
		if (len + 1 >= cap) {
			cap = cap ? 2 * cap : 4096;
			char *more = cap > MOST ? NULL : mem_grow(&ctx->base, text, cap);
			if (!more) {
				fail(&ctx->base, where, TSR_ERROR_FILE,
				     "%s is too large for a program", path);
				mem_free(&ctx->base, text);
				return NULL;
			}
			text = more;
		}
		len += fread(text + len, 1, cap - len - 1, f);
	} while (!feof(f) && !ferror(f));
	text[len] = 0;
	if (!ferror(f) && !memchr(text, 0, len)) return text;
	fail(&ctx->base, where, TSR_ERROR_FILE,
	     ferror(f) ? "%s cannot be read: %s" : "%s is no text: it holds a zero byte%.0s", path,
	     strerror(errno));
	mem_free(&ctx->base, text);
	return NULL;
}

tsr_fn *tsr_load_program_at(const char *where, tsr_ctx *ctx, const char *path)
{
	if (!ctx_alive(ctx)) return fn_poison(ctx_dead());
	FILE *f = path ? fopen(path, "rbe") : NULL;
	if (!f) {
		fail(&ctx->base, where, path ? TSR_ERROR_FILE : TSR_ERROR_ARGUMENT,
		     "%s cannot be opened: %s", path ? path : "NULL",
		     path ? strerror(errno) : "no path");
		return fn_poison(ctx);
	}
	char *text = read_all(ctx, where, path, f);
	fclose(f);
	const bool failed_before = failed(&ctx->base);
	tsr_fn *fn = text ? tsr_parse_at(where, ctx, text) : fn_poison(ctx);
	if (fn->poison && text && !failed_before) fail_note(&ctx->base, "in %s", path);
	mem_free(&ctx->base, text);
	return fn;
}
