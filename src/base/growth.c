/* growth.c - tells of an outermost scope that grows in a loop: each value that a loop without a
 * scope of its own makes stays until tsr_close.
 *
 *     for (int i = 0; i < 20000; i++) w = tsr_sub(w, tsr_mul(w, 1e-3));      two handles a round
 *
 * When it has FIRST handles, and each time that there are twice as many, they are counted by the
 * line of the call that made them. If one line has made MANY, or LARGE bytes are held meanwhile,
 * the warning names that line and the cure, once a context: as soon as the line makes another
 * handle, since only the text of a call in progress is certain to be there. */
#include "base/base.h"

enum { FIRST = 256, MANY = 8192, LINES = 64, TRIES = 64 };
#define LARGE ((size_t)1 << 30)

typedef struct line {
	const char *where;
	size_t count;
} line;

static line *line_of(line *lines, int *n, const char *where)
{
	for (int i = 0; i < *n; i++)
		if (lines[i].where == where) return &lines[i];
	if (*n < LINES) lines[(*n)++].where = where;
	return &lines[*n - 1]; /* what more than LINES lines have made counts for the last */
}

/* the line that made most of the handles of a list */
static line busiest(const handle_slot *first)
{
	line lines[LINES] = {0}, most = {0};
	int n = 0;

	for (const handle_slot *s = first; s; s = s->next) line_of(lines, &n, s->where)->count++;
	for (int i = 0; i < n; i++)
		if (lines[i].count > most.count) most = lines[i];
	return most;
}

static void tell(handles *home, size_t n, const line *most)
{
	str s = {.base = home->base};

	str_printf(&s,
	           "%s: this line has made %zu of %zu values that live until tsr_close, and %zu "
	           "MiB are in use. In a loop write TSR_SCOPE(ctx); at the top of the body, which "
	           "releases what the body makes, and keep what the next round needs with "
	           "tsr_set(&slot, value), or with TSR_OWN in TSR_OUT",
	           most->where, most->count, n, mem_in_use(home->base) >> 20);
	if (s.s) log_text(home->base, 1, s.s);
	str_free(&s);
}

void growth_begin(handles *home) { home->look_at = FIRST; }

void growth_look(handles *home, const handle_slot *first, size_t n, const char *here)
{
	const line most = busiest(first);
	const bool grows = most.count >= FIRST / 4 &&
	                   (most.count >= MANY || mem_in_use(home->base) >= LARGE);

	if (grows && most.where == here && *here) {
		home->look_at = SIZE_MAX;
		tell(home, n, &most);
		return;
	}
	const bool again = grows && home->looks++ < TRIES;
	home->look_at = again ? n + 1 : 2 * n;
	if (!again) home->looks = 0;
}
