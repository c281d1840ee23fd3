/* mistakes.c - makes each mistake of a table and compares the library's message. */
#include "support/mistakes.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void mistakes_log(void *user, int level, const char *text)
{
	(void)text;
	if (user && level == 0)
		++*(int *)user;
}

static void world_open(world *w)
{
	*w = (world){.ctx = tsr_open(.devices = 8, .log = mistakes_log),
	             .other = tsr_open(.devices = 8, .log = mistakes_log)};
	w->mesh = tsr_mesh_make(w->ctx, {"x", 4}, {"y", 2});
	w->a = tsr_reshape(tsr_arange(w->ctx, 128, .dtype = TSR_F32), TSR_DIMS(8, 16));
	w->b = tsr_reshape(tsr_arange(w->ctx, 64, .dtype = TSR_F32), TSR_DIMS(16, 4));
	w->v = tsr_arange(w->ctx, 6, .dtype = TSR_F32);
	w->i = tsr_arange(w->ctx, 8);
	w->elsewhere = tsr_ones(w->other, TSR_DIMS(8, 16));
}

static bool complain(const mistake *m, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static bool complain(const mistake *m, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	fprintf(stderr, "%s: ", m->name);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	va_end(list);
	return false;
}

static bool text_is_right(const char *file, const mistake *m, const world *w)
{
	char place[128];
	const char *text = tsr_message(w->ctx);
	snprintf(place, sizeof place, "%s:%d: ", file, w->line);
	if (w->line && !strstr(text, place))
		return complain(m, "the place %s is not in: %s", place, text);
	for (int k = 0; k < MISTAKE_FACTS && m->fact[k]; k++)
		if (!strstr(text, m->fact[k]))
			return complain(m, "\"%s\" is not in: %s", m->fact[k], text);
	return true;
}

static tsr *product(tsr *a, tsr *b)
{
	return tsr_psum(tsr_dot(a, b), "y");
}

/* does a mapped product still give what the plain one gives? */
static bool still_works(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, product, .sig = "[x,y] [y,-] -> [x,-]");
	tsr *c = tsr_call(f, w->a, w->b);
	return tsr_array_equal(c, tsr_dot(w->a, w->b)) && tsr_status(w->ctx) == 0;
}

static bool mistake_is_told(const char *file, const mistake *m)
{
	world w;
	world_open(&w);
	tsr *result = m->make(&w);
	bool right = !result || tsr_is_poison(result) || complain(m, "the result is not poison");
	if (tsr_status(w.ctx) != (int)m->code)
		right = complain(m, "code %d, not %d: %s", tsr_status(w.ctx), (int)m->code,
		                 tsr_message(w.ctx));
	else
		right = text_is_right(file, m, &w) && right;
	tsr_clear(w.ctx);
	if (tsr_status(w.ctx) != 0 || tsr_message(w.ctx)[0])
		right = complain(m, "tsr_clear() leaves %s", tsr_message(w.ctx));
	if (!still_works(&w))
		right = complain(m, "a good call fails afterwards: %s", tsr_message(w.ctx));
	const int code = tsr_close(w.ctx), other = tsr_close(w.other);
	return code == 0 && other == 0 ? right : complain(m, "closes with %d and %d", code, other);
}

int mistakes_check(const char *file, const mistake *table, size_t count)
{
	int wrong = 0;
	for (size_t k = 0; k < count; k++)
		wrong += !mistake_is_told(file, &table[k]);
	return wrong;
}
