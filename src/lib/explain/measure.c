/* measure.c - runs a call once for its report, and adds up the times of the steps of each line.
 *
 * The call before it, which is not measured, makes the machine code. Times are of all workers
 * together, so with two of them they may add up to twice the time of the run. */
#include "lib/explain/explain.h"
#include <stdlib.h>

typedef struct adding {
	report *r;
	size_t cap;
	bool lost;
} adding;

static report_measured *line_of(adding *a, const char *where)
{
	report *r = a->r;
	void *lines = r->measured;

	for (int i = 0; i < r->nmeasured; i++)
		if (strcmp(r->measured[i].where, where) == 0) return &r->measured[i];
	const char *own = arena_str(r->arena, where);
	a->lost = a->lost || !own ||
	          !mem_room(r->base, &lines, (size_t)r->nmeasured, &a->cap, sizeof *r->measured);
	if (a->lost) return NULL;
	r->measured = lines;
	r->measured[r->nmeasured] = (report_measured){.where = own};
	return &r->measured[r->nmeasured++];
}

static void add_note(void *user, const profile_note *n)
{
	adding *a = user;

	if (strcmp(n->category, "run") == 0) a->r->run_ns += n->end - n->begin;
	if (strcmp(n->category, "step") != 0) return;
	report_measured *line = line_of(a, n->where ? base_name(n->where) : "");
	if (!line) return;
	line->ns += n->end - n->begin;
	line->steps++;
}

static int longer_first(const void *x, const void *y)
{
	const report_measured *a = x, *b = y;

	return a->ns == b->ns ? strcmp(a->where, b->where) : a->ns < b->ns ? 1 : -1;
}

bool explain_measure(timed *t, report *r)
{
	base *bs = r->base;
	adding a = {.r = r};

	if (!timed_ok(t) || !timed_first(t) ||
	    !profile_collect(bs, t->where, add_note, &a))
		return false;
	bool ok = timed_call(t);
	ok = profile_end(bs, t->where) && ok && !a.lost;
	if (ok && r->nmeasured)
		qsort(r->measured, (size_t)r->nmeasured, sizeof *r->measured, longer_first);
	report_measured *own = NULL;
	if (ok && r->nmeasured)
		own = arena_copy(r->arena, r->measured, (size_t)r->nmeasured * sizeof *own);
	mem_free(bs, r->measured);
	r->measured = own;
	return ok && (own || !r->nmeasured);
}
