/* listed_plan.c - follows the messages of a listed plan by the book. Processes that are added up
 * are one root where they are all leaves of a subtree; subtrees are cut in two until they are. */
#include "support/listed_plan.h"
#include <stdio.h>
#include <string.h>

enum { MOST = 16 };

typedef struct message {
	int from, to, after;
	bool of[MOST][MOST]; /* by part and process */
} message;

static int64_t roots(const bool *of, int64_t first, int64_t end)
{
	int64_t count = 0, half = 1;

	for (int64_t k = first; k < end; k++) count += of[k];
	if (!count || count == end - first) return count > 0;
	while (2 * half < end - first) half *= 2;
	return roots(of, first, first + half) + roots(of, first + half, end);
}

typedef struct holding { /* of a process */
	bool has[MOST][MOST];  /* by part, whose numbers */
	const message *in[256]; /* that come to it */
	int n, taken;
} holding;

static void take(holding *h, int count)
{
	for (; h->taken < count; h->taken++)
		for (int q = 0; q < MOST; q++)
			for (int k = 0; k < MOST; k++)
				h->has[q][k] |= h->in[h->taken]->of[q][k];
}

/* the text of one message; NULL: there is no other */
static const char *read_text(const char *at, message *m, char *parts)
{
	unsigned from, to, after = 0;
	int size = 0;

	if (sscanf(at, " %1x+%1x>%1x:%16[0-9a-f]%n", &from, &after, &to, parts, &size) < 4 &&
	    sscanf(at, " %1x>%1x:%16[0-9a-f]%n", &from, &to, parts, &size) < 3)
		return NULL;
	*m = (message){.from = (int)from, .to = (int)to, .after = (int)after};
	return at + size;
}

/* the parts that it names leave their sender; how many roots they are. < 0: there is nothing */
static int64_t fill_message(message *m, holding *from, const char *parts, int64_t n)
{
	int64_t size = 0;

	for (; *parts; parts++) {
		const int q = *parts <= '9' ? *parts - '0' : *parts - 'a' + 10;
		const int64_t count = roots(from->has[q], 0, n);
		if (!count) return -1;
		size += count;
		memcpy(m->of[q], from->has[q], sizeof m->of[q]);
		memset(from->has[q], 0, sizeof from->has[q]);
	}
	return size;
}

bool follow_plan(const char *plan, int64_t n, int64_t *received)
{
	static message v[256];
	static holding h[MOST];
	char parts[MOST + 1];
	int count = 0;

	memset(h, 0, sizeof h);
	for (int64_t k = 0; k < n; k++) {
		received[k] = 0;
		for (int64_t q = 0; q < n; q++) h[k].has[q][k] = true;
	}
	while ((plan = read_text(plan, &v[count], parts))) {
		message *m = &v[count++];
		holding *from = &h[m->from], *to = &h[m->to];
		if (m->after < from->taken || m->after > from->n || m->from == m->to) return false;
		take(from, m->after);
		const int64_t size = fill_message(m, from, parts, n);
		if (size < 0) return false;
		received[m->to] += size;
		to->in[to->n++] = m;
	}
	for (int64_t k = 0; k < n; k++) {
		take(&h[k], h[k].n);
		for (int64_t q = 0; q < n; q++)
			for (int64_t j = 0; j < n; j++)
				if (h[k].has[q][j] != (q == k)) return false;
	}
	return true;
}
