/* holders.c - tells whether one process has all parts of an array, from its own devices alone.
 *
 * Example, the devices of a process, and of another one:
 *
 *     x:2 y:4 [y] 8
 *     2 3 4 5
 *     4 5 6
 *
 * A dim of 8 split over y has four parts; device k has part k % 4. The first process has the parts
 * 2, 3, 0 and 1. The second one lacks part 3, which device 3 has as the first one:
 *
 *     has all
 *     lacks what device 3 has
 *
 * A process looks at its own devices only, of which there are few, however many it has not. */
#include "shard/shard.h"

enum { WORDS = 64 }; /* a set of 64 parts each */

static int64_t count_parts(const sharding *s)
{
	int64_t n = 1;

	for (int d = 0; d < s->spec.ndim; d++) n *= sharding_parts(s, d);
	return n;
}

/* the number of the part that device k has, row-major over the dims */
static int64_t number_of(const sharding *s, int64_t k)
{
	int64_t number = 0;

	for (int d = 0; d < s->spec.ndim; d++)
		number = number * sharding_parts(s, d) + sharding_part(s, d, k);
	return number;
}

static int64_t holder_of(const sharding *s, int64_t number)
{
	int64_t part[MAX_NDIM];

	for (int d = s->spec.ndim - 1; d >= 0; d--) {
		part[d] = number % sharding_parts(s, d);
		number /= sharding_parts(s, d);
	}
	return sharding_holder(s, part, 0);
}

/* the least of the parts from `first` on, of at most `most`, that no device of the list has; -1:
 * all are there */
static int64_t first_lacking(const sharding *s, const int64_t *place, int64_t n, int64_t first,
                             int64_t most)
{
	uint64_t has[WORDS] = {0};

	for (int64_t i = 0; i < n; i++) {
		const int64_t at = number_of(s, place[i]) - first;
		if (at >= 0 && at < most) has[at / 64] |= UINT64_C(1) << at % 64;
	}
	for (int64_t at = 0; at < most; at++)
		if (!(has[at / 64] >> at % 64 & 1)) return first + at;
	return -1;
}

int64_t sharding_lacking(const sharding *s, bool printer)
{
	const device_list *l = s->mesh ? s->mesh->list : NULL;
	const int64_t parts = count_parts(s), step = INT64_C(64) * WORDS;

	if (!l) return s->elsewhere && !printer ? 0 : -1;
	if (!l->here) return -1;
	const int64_t *place = printer ? l->printer : l->here;
	const int64_t n = printer ? l->nprinter : l->nhere;
	for (int64_t first = 0; first < parts; first += step) {
		const int64_t most = parts - first < step ? parts - first : step;
		const int64_t lacks = first_lacking(s, place, n, first, most);
		if (lacks >= 0) return holder_of(s, lacks);
	}
	return -1;
}

int64_t sharding_printer(const sharding *s)
{
	const device_list *l = s->mesh ? s->mesh->list : NULL;

	return !l ? s->device : l->id[l->here ? l->printer[0] : 0];
}
