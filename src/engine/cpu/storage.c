/* storage.c - memory of one program while it is planned: holes by offset, best fit. */
#include "engine/cpu/cpu.h"

struct hole {
	int64_t offset, bytes;
};
enum { ALIGNED = 64 };

static int64_t rounded(int64_t bytes)
{
	return bytes > 0 ? (bytes + ALIGNED - 1) / ALIGNED * ALIGNED : ALIGNED;
}

int64_t storage_take(storage *s, int64_t bytes)
{
	size_t best = s->nholes;

	if (bytes > INT64_MAX / 4 || s->end > INT64_MAX / 4) {
		fail(s->base, NULL, TSR_ERROR_MEMORY, "a program needs more than 2^61 bytes");
		return -1;
	}
	bytes = rounded(bytes);
	for (size_t i = 0; i < s->nholes; i++)
		if (s->hole[i].bytes >= bytes &&
		    (best == s->nholes || s->hole[i].bytes < s->hole[best].bytes))
			best = i;
	if (best == s->nholes) {
		const int64_t offset = s->end;
		s->end += bytes;
		return offset;
	}
	struct hole *h = &s->hole[best];
	const int64_t offset = h->offset;
	h->offset += bytes;
	h->bytes -= bytes;
	if (!h->bytes) memmove(h, h + 1, (--s->nholes - best) * sizeof *h);
	return offset;
}

bool storage_give(storage *s, int64_t offset, int64_t bytes)
{
	size_t at = s->nholes;

	bytes = rounded(bytes);
	if (!mem_room(s->base, (void **)&s->hole, s->nholes, &s->cap, sizeof *s->hole))
		return false;
	while (at > 0 && s->hole[at - 1].offset > offset) at--;
	struct hole *h = &s->hole[at];
	const bool before = at > 0 && h[-1].offset + h[-1].bytes == offset;
	const bool behind = at < s->nholes && offset + bytes == h->offset;
	if (before && behind) {
		h[-1].bytes += bytes + h->bytes;
		memmove(h, h + 1, (--s->nholes - at) * sizeof *h);
	} else if (before) {
		h[-1].bytes += bytes;
	} else if (behind) {
		*h = (struct hole){offset, bytes + h->bytes};
	} else {
		memmove(h + 1, h, (s->nholes++ - at) * sizeof *h);
		*h = (struct hole){offset, bytes};
	}
	return true;
}

void storage_free(storage *s) { mem_free(s->base, s->hole); }
