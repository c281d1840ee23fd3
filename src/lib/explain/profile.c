/* profile.c - the public beginning and end of a trace (base/profile.c). */
#include "lib/lib.h"

bool tsr_profile_at(const char *where, tsr_ctx *ctx, const char *path)
{
	TURN_OF(ctx, where, false);

	if (!ctx_ok(where, "profile", ctx)) return false;
	if (!path || !*path)
		return fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		            "profile: the name of the file is %s", path ? "empty" : "NULL");
	return profile_begin(&ctx->base, where, path, true);
}

bool tsr_profile_end_at(const char *where, tsr_ctx *ctx)
{
	TURN_OF(ctx, where, false);
	return ctx_ok(where, "profile_end", ctx) && profile_end(&ctx->base, where);
}
