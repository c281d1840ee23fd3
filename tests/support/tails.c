/* tails.c - counts the bytes that processes receive of a sum in rounds (pass/crossing_halves.c), by
 * following the tree of blocks and their rests for one part after the other. */
#include "support/tails.h"

/* a block and its rest, n processes from `first` on */
typedef struct tail {
	const halving_way *way;
	int64_t total, depth, first, n, block;
} tail;

static tail tail_of(const halving_way *way, int64_t total, int64_t depth, int64_t first)
{
	tail x = {way, total, depth, first, total - first, 1};

	while (2 * x.block <= x.n) x.block *= 2;
	return x;
}

static tail rest_of(const tail *x)
{
	tail rest = tail_of(x->way, x->total, x->depth + 1, x->first + x->block);

	if (rest.depth == x->way->base) rest.block = rest.n;
	return rest;
}

static bool is_base(const tail *x) { return x->depth && x->depth == x->way->base; }

/* as many places as the next power of two */
static int64_t places_of(const tail *x)
{
	int64_t places = 1;

	while (places < x->n) places *= 2;
	return places;
}

/* each of its processes takes a place; the others are shared */
static int64_t owner_in_base(const tail *x, int64_t part)
{
	const int64_t places = places_of(x), at = part % places;

	if (at < x->n) return at;
	return ((at - x->n) * x->way->spread + part / places % x->way->spread) % x->n;
}

static int64_t owner(tail x, int64_t part)
{
	const int64_t at = part % places_of(&x), behind = at - x.block;

	if (is_base(&x)) return x.first + owner_in_base(&x, part);
	if (behind < 0) return x.first + at;
	if (behind >= x.n - x.block) return x.first + behind;
	x = rest_of(&x);
	return owner(x, is_base(&x) ? part : behind);
}

static bool owned_by_block(const tail *x, int64_t part)
{
	const int64_t process = owner(*x, part);

	return process >= x->first && process < x->first + x->block;
}

static int64_t count_owned(const tail *x, int64_t process)
{
	int64_t count = 0;

	for (int64_t part = 0; part < x->total; part++) count += owner(*x, part) == process;
	return count;
}

/* how many parts with this end the block needs of its rest */
static int64_t count_ends(const tail *x, int64_t end, int64_t ends)
{
	int64_t count = 0;

	for (int64_t part = end; part < x->total; part += ends) count += owned_by_block(x, part);
	return count;
}

/* the parts of the rest's sum that process `at` of the block receives, with those that it passes
 * on. Each place of the rest has a list of ends, sends all but `keep` of them in a round, and of
 * what is left the halves come next */
static int64_t of_rest(const tail *x, int64_t at)
{
	const tail rest = rest_of(x);
	const int64_t place = at % places_of(&rest);
	int64_t ends = 2, list[2][1 << 13], n = 0, *now = list[0], *next = list[1];

	for (int i = 0; i < x->way->early[x->depth].from && ends < x->block; i++) ends *= 2;
	const bool late = x->way->early[x->depth].from >= rounds_of((int)x->block);
	if (late) return count_ends(x, at, x->block);
	for (int64_t end = place; end < ends; end += places_of(&rest)) now[n++] = end;
	for (;; ends *= 2) {
		const bool all = ends == x->block;
		const int64_t half = n - x->way->early[x->depth].keep;
		int64_t more = 0;
		for (int64_t i = 0; i < half; i++) {
			if (at % ends != now[i]) continue;
			for (; at >= ends; ends *= 2)
				if (at < 2 * ends) return count_ends(x, at, 2 * ends);
			return count_ends(x, at, ends);
		}
		if (all) return count_ends(x, at, ends);
		for (int64_t i = half; i < n; i++) {
			next[more++] = now[i];
			next[more++] = now[i] + ends;
		}
		int64_t *other = now;
		now = next;
		next = other;
		n = more;
	}
}

double parts_received(const halving_way *way, int64_t n, int64_t at)
{
	tail x = tail_of(way, n, 0, 0);
	int64_t parts = 0;

	for (; at >= x.first + x.block; x = rest_of(&x)) parts += count_owned(&x, at);
	if (is_base(&x)) return (double)(parts + (x.n - 1) * count_owned(&x, at));
	for (int64_t ends = 2; ends <= x.block; ends *= 2)
		parts += (n - (at - x.first) % ends + ends - 1) / ends;
	return (double)(parts + (x.n > x.block ? of_rest(&x, at - x.first) : 0));
}

/* one in each round of its block, and then one of each sum that is joined */
double rows_received(int64_t n, int64_t at)
{
	const halving_way none = {0};
	tail x = tail_of(&none, n, 0, 0);

	while (at >= x.first + x.block) x = rest_of(&x);
	return (double)(rounds_of((int)x.block) + x.depth + (x.n > x.block));
}
