/* together.c - lets all processes of a context agree in a call that is no program, or take the word
 * of one. */
#include "lib/lib.h"

bool together_begin(const call_site *s, int64_t step)
{
	processes *ps = s->ctx->processes;
	const uint64_t hash = hash_u64((uint64_t)step, hash_str(s->op, 0));
	const call_name call = {.hash = hash,
	                        .name = s->op,
	                        .where = s->where,
	                        .errors_before = error_mark(&s->ctx->base)};

	return !ps || call_begin(ps, ps->all, &call);
}

bool together_end(const call_site *s, bool ok)
{
	return (!s->ctx->processes || call_end(s->ctx->processes, true)) && ok;
}

static void join_answers(void *a, const void *b) { *(bool *)a = *(bool *)a && *(const bool *)b; }

bool all_agree(const tsr_ctx *ctx, bool mine)
{
	processes *ps = ctx->processes;

	return ps ? agree(ps, ps->all, &mine, sizeof mine, join_answers) && mine : mine;
}

bool share_of(const tsr_ctx *ctx, int process, void *bytes, size_t n)
{
	processes *ps = ctx->processes;

	return !ps || broadcast(ps, ps->all, process, bytes, n);
}

bool is_first_process(const tsr_ctx *ctx) { return !ctx->process; }
