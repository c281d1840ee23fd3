/* open_replicate.c - opens contexts with the engine that replicates, for test programs linked with
 * --wrap=tsr_open_at. */
#include <stdio.h>
#include "runtime/runtime.h"
#include "support/engine_replicate.h"

tsr_ctx *__real_tsr_open_at(const char *where, const tsr_open_args *args);
tsr_ctx *__wrap_tsr_open_at(const char *where, const tsr_open_args *args);

tsr_ctx *__wrap_tsr_open_at(const char *where, const tsr_open_args *args)
{
	tsr_open_args own = *args;

	if (!own.engine) own.engine = "interp";
	tsr_ctx *ctx = __real_tsr_open_at(where, &own);

	if (ctx->engine && ctx->engine->type == &interp_engine)
		ctx->engine->type = &replicate_engine;
	return ctx;
}

__attribute__((destructor)) static void say_how_many(void)
{
	printf("%d programs, %d of them left to the interpreter\n", replicate_engine_programs,
	       replicate_engine_left);
}
