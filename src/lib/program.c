/* program.c - reads programs from files, and checks that a file may hold them. */
#include "lib/files/files.h"

enum { MOST = 1 << 28 }; /* bytes of program text: far above any that is real */

static tsr_fn *fn_of_text(const char *where, tsr_ctx *ctx, const char *path, const char *text,
                          size_t n)
{
	const bool failed_before = failed(&ctx->base);

	if (memchr(text, 0, n)) {
		fail(&ctx->base, where, TSR_ERROR_FILE,
		     "load_program: %s is no text: it holds a zero byte", path);
		return fn_poison(ctx);
	}
	tsr_fn *fn = tsr_parse_at(where, ctx, text);
	if (fn_is_poison(fn) && !failed_before) fail_note(&ctx->base, "in %s", path);
	return fn;
}

tsr_fn *tsr_load_program_at(const char *where, tsr_ctx *ctx, const char *path)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	size_t n;

	if (!ctx_ok(where, "load_program", ctx)) return fn_poison(ctx);
	if (!path) {
		fail(&ctx->base, where, TSR_ERROR_ARGUMENT, "load_program: the path is NULL");
		return fn_poison(ctx);
	}
	char *text = file_read(&ctx->base, where, "load_program", path, MOST, &n);
	tsr_fn *fn = text ? fn_of_text(where, ctx, path, text, n) : fn_poison(ctx);
	mem_free(&ctx->base, text);
	return fn;
}

const char *tsr_pass_name(int64_t k)
{
	const pass_info *p = pass_on_request(k);

	return p ? p->name : NULL;
}

const char *tsr_pass_meaning(int64_t k)
{
	const pass_info *p = pass_on_request(k);

	return p ? p->meaning : NULL;
}

const char *tsr_prims_text(tsr_ctx *ctx)
{
	TURN_OF(ctx, NULL, "");
	if (!ctx_alive(ctx)) return "";
	str s = {.base = &ctx->base};
	for (int i = 0; i < all_prims_count; i++) prim_describe(&s, all_prims[i]);
	return scope_text(ctx, &s);
}
