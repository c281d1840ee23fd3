/* list.c - lists checkpoints, the newest or all, and tells whether one is sound.
 *
 *     12  3 leaves  1088 bytes in 2 files
 *     13  damaged */
#include <unistd.h>
#include "lib/checkpoint/checkpoint.h"

const char *step_path(arena *a, const char *dir, int64_t step)
{
	str s = {.base = arena_base(a)};

	str_printf(&s, "%s/%lld", dir, (long long)step);
	const char *path = s.lost ? NULL : arena_str(a, s.s);
	str_free(&s);
	return path;
}

static bool dir_given(const call_site *site, const char *dir)
{
	return (dir && *dir) || fail_op(site, TSR_ERROR_ARGUMENT, "the folder has no name");
}

/* is there an index? Else it is no checkpoint at all */
static bool has_index(base *b, const char *path)
{
	str s = {.base = b};

	str_printf(&s, "%s/" INDEX_NAME, path);
	const bool has = !s.lost && access(s.s, F_OK) == 0;
	str_free(&s);
	return has;
}

/* each step with an index, from the newest on, until one says that it is enough. A damaged
 * index is no error. false: recorded */
typedef bool of_step(void *of, const checkpoint *, int64_t step, bool sound);
static bool each_step(const call_site *site, const char *dir, of_step *each, void *of)
{
	base *b = &site->ctx->base;
	arena *a = arena_make(b);
	const size_t mark = error_mark(b);
	int64_t *step = NULL;
	bool enough = false;

	for (int64_t k = a ? steps_in(site, a, dir, &step) : 0; !enough && k-- > 0;) {
		checkpoint c = {.base = b,
		                .where = site->where,
		                .op = site->op,
		                .quiet = true,
		                .path = step_path(a, dir, step[k])};
		if (!c.path || failed_since(b, mark)) break;
		if (!has_index(b, c.path)) continue;
		const bool sound = checkpoint_read(&c);
		enough = failed_since(b, mark) || each(of, &c, step[k], sound);
		checkpoint_free(&c);
	}
	arena_free(a);
	return !failed_since(b, mark);
}

static bool is_newest(void *of, const checkpoint *c, int64_t step, bool sound)
{
	int64_t *newest = of;

	(void)c;
	if (sound) *newest = step;
	return sound;
}

int64_t tsr_checkpoint_latest_at(const char *where, tsr_ctx *ctx, const char *dir)
{
	TURN_OF(ctx, where, -1);
	const call_site site = {ctx, where, "checkpoint_latest"};
	int64_t newest = -1;

	if (!ctx_ok(where, site.op, ctx) || !dir_given(&site, dir) || !together_begin(&site, -1))
		return -1;
	bool ok = checkpoint_end_last(&site);
	if (ok) {
		ok = !is_first_process(ctx) || each_step(&site, dir, is_newest, &newest);
		ok = all_agree(ctx, ok) && share_of(ctx, 0, &newest, sizeof newest);
	}
	return together_end(&site, ok) ? newest : -1;
}

/* ---- a list */

static bool put_step(void *of, const checkpoint *c, int64_t step, bool sound)
{
	str line = {.base = c->base}, *all = of;
	size_t bytes = 0;

	for (size_t k = 0; k < c->nfiles; k++) bytes += c->file[k].bytes;
	if (sound)
		str_printf(&line, "%lld  %zu leaves  %zu bytes in %zu files\n", (long long)step,
		           c->nleaves, bytes, c->nfiles);
	else
		str_printf(&line, "%lld  damaged\n", (long long)step);
	if (all->s) str_put(&line, all->s); /* the newest is last */
	str_free(all);
	*all = line;
	return line.lost;
}

const char *tsr_checkpoint_text_at(const char *where, tsr_ctx *ctx, const char *dir)
{
	TURN_OF(ctx, where, "");
	const call_site site = {ctx, where, "checkpoint_text"};
	str all = {.base = &ctx_or_here(ctx)->base};

	if (!ctx_ok(where, site.op, ctx) || !dir_given(&site, dir)) return "";
	if (!each_step(&site, dir, put_step, &all) || all.lost) return str_free(&all), "";
	str_put(&all, "");
	return scope_text(ctx, &all);
}

bool tsr_checkpoint_verify_at(const char *where, tsr_ctx *ctx, const char *dir, int64_t step)
{
	TURN_OF(ctx, where, false);
	const call_site site = {ctx, where, "checkpoint_verify"};

	if (!ctx_ok(where, site.op, ctx) || !dir_given(&site, dir)) return false;
	arena *a = arena_make(&ctx->base);
	checkpoint c = {.base = &ctx->base,
	                .where = where,
	                .op = site.op,
	                .path = a ? step_path(a, dir, step) : NULL};
	const bool ok = c.path && checkpoint_read(&c) && checkpoint_check(&c);
	if (c.path) checkpoint_free(&c);
	arena_free(a);
	return ok;
}
