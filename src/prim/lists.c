/* lists.c - makes lists of dims and values for the rules of transformations. */
#include "prim/prim.h"

void *cleared_room(build *b, int64_t n, size_t each)
{
	void *room = arena_array(build_arena(b), (size_t)n + 1, each);

	if (!room) build_fail(b);
	return room;
}

ints list_plus(build *b, const ints *list, int64_t add)
{
	int64_t *v = ints_room(b, list->n);

	if (!v) return (ints){0};
	for (int i = 0; i < list->n; i++) v[i] = list->v[i] + add;
	return (ints){list->n, v};
}

ints list_behind(build *b, int64_t first, const ints *list, int64_t add)
{
	int64_t *v = ints_room(b, list->n + 1);

	if (!v) return (ints){0};
	v[0] = first;
	for (int i = 0; i < list->n; i++) v[i + 1] = list->v[i] + add;
	return (ints){list->n + 1, v};
}

ints list_others(build *b, int n, const ints *list)
{
	int64_t *v = ints_room(b, n);
	int count = 0;

	if (!v) return (ints){0};
	for (int d = 0; d < n; d++)
		if (!has_int(list, d)) v[count++] = d;
	return (ints){count, v};
}
