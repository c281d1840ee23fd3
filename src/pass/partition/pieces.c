/* pieces.c - computes the pieces of a value that each device needs for its block of a result, and
 * the rounds that send them: numbers alone, and windows.c makes equations of them.
 *
 * Example: x of 8 indices on 4 devices, and x twice, one after the other, in blocks of 4:
 *
 *     part     has      needs          from        round 0    round 1
 *       0      0 1     0 1 2 3      0 and 1         1>0
 *       1      2 3     4 5 6 7      2 and 3         2>1        3>1
 *       2      4 5     0 1 2 3      0 and 1         0>2        1>2
 *       3      6 7     4 5 6 7      2 and 3                    2>3
 *
 * Part 3 has 6 7 itself. Two rounds of two indices bring four to a device; to gather x would bring
 * six. */
#include <assert.h>
#include "pass/partition/partition.h"

/* ---- what the parts of a result need */

static int64_t divided_down(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* Part k of the result has the indices k * block .. k * block + block - 1, of which those behind
 * the end of the result need nothing */
bool window_make(partitioning *p, const cutting *c, int slot, int64_t parts, int64_t block,
                 window *to)
{
	const factors *f = &c->f;
	const factor_window *w = factor_window_of(f, slot);
	const int64_t size = f->size[f->slot[slot].factor], shift = c->shift[slot];
	const int64_t own = c->type[f->slot[slot].value]->dims[f->slot[slot].dim];

	*to = (window){.size = factor_slot_size(f, slot), .parts = parts, .shift = shift};
	to->first = arena_array(p->scratch, (size_t)parts + 1, sizeof *to->first);
	to->needs = arena_array(p->scratch, (size_t)parts + 1, sizeof *to->needs);
	if (!to->first || !to->needs) return false;
	for (int64_t k = 0; k < parts; k++) {
		const int64_t begin = k * block, end = begin + block;
		int64_t low = begin, high = end - 1;
		if (w) {
			low = w->step > 0 ? begin * w->step : (end - 1) * w->step;
			high = w->step > 0 ? (end - 1) * w->step : begin * w->step;
			low = -divided_down(-(low + w->low), w->every);
			high = divided_down(high + w->high, w->every);
		}
		to->first[k] = low;
		if (high - low + 1 > to->length) to->length = high - low + 1;
		index_range need =
			factor_needs(f, slot, (index_range){begin, end < size ? end : size});
		if (need.first < shift) need.first = shift;
		if (need.end > shift + own) need.end = shift + own;
		to->needs[k] = need.first < need.end ? need : (index_range){0, 0};
	}
	return true;
}

/* ---- a plan: pieces of blocks, and the rounds in which they travel */

static int64_t block_size(const plan *l, const window *w)
{
	return l->cut ? (w->size + l->parts - 1) / l->parts : w->size;
}

/* debug builds check that a piece is in the block that it comes from, and in the window where it
 * goes */
static void put_pieces(plan *l, const window *w, int which, int64_t k)
{
	const index_range need = w->needs[k];

	assert(w->parts == l->parts && block_size(l, w) == l->block);
	for (int64_t at = need.first; at < need.end;) {
		const int64_t from = l->cut ? at / l->block : k;
		const int64_t begin = l->cut ? from * l->block : 0, end = begin + l->block;
		const int64_t stop = need.end < end ? need.end : end;
		const piece here = {which, from, k, at - begin, stop - at, at - w->first[k], -1};
		assert(l->npieces < l->room && from >= 0 && from < l->parts && here.n > 0);
		assert(here.off >= 0 && here.off + here.n <= l->block);
		assert(here.at >= 0 && here.at + here.n <= w->length);
		l->piece[l->npieces++] = here;
		at = stop;
	}
}

/* how far a piece goes, round the parts */
static int64_t way_of(const plan *l, const piece *a)
{
	return (a->to - a->from + l->parts) % l->parts;
}

/* may it travel in this round? alike: beside none that goes another way */
static bool fits_round(const plan *l, const piece *a, int round, bool alike)
{
	for (int i = 0; i < l->npieces; i++) {
		const piece *b = &l->piece[i];
		if (b->round != round) continue;
		if (a->from == b->from || a->to == b->to ||
		    (alike && way_of(l, a) != way_of(l, b)))
			return false;
	}
	return true;
}

static piece *longest_left(const plan *l)
{
	piece *longest = NULL;

	for (int i = 0; i < l->npieces; i++) {
		piece *a = &l->piece[i];
		if (a->from != a->to && a->round < 0 && (!longest || a->n > longest->n))
			longest = a;
	}
	return longest;
}

/* In a round each part sends at most one piece, and gets at most one. Long pieces go first, since a
 * round costs as much as its longest piece. Gives the rows of all rounds */
static int64_t put_rounds(plan *l, bool alike)
{
	int64_t rows = 0;

	l->nrounds = 0;
	for (int i = 0; i < l->npieces; i++) l->piece[i].round = -1;
	for (piece *a; (a = longest_left(l));) {
		int round = 0;
		while (!fits_round(l, a, round, alike)) round++;
		a->round = round;
		if (round < l->nrounds) continue;
		l->rows[l->nrounds++] = a->n;
		rows += a->n;
	}
	return rows;
}

/* Where all pieces of a round go one way they are at one place in all windows, more often than not,
 * so windows are put together in one way on all devices */
static void find_rounds(plan *l)
{
	const int64_t rows = put_rounds(l, false);
	const int rounds = l->nrounds;

	if (put_rounds(l, true) > rows || l->nrounds > rounds) put_rounds(l, false);
}

bool plan_make(partitioning *p, const window *const *w, int n, bool cut, plan *l)
{
	size_t most = 0;

	*l = (plan){.parts = w[0]->parts, .cut = cut};
	l->block = block_size(l, w[0]);
	for (int i = 0; i < n; i++)
		for (int64_t k = 0; k < l->parts; k++) {
			const index_range need = w[i]->needs[k];
			if (need.first < need.end)
				most += (size_t)((need.end - need.first) / l->block) + 2;
		}
	l->piece = arena_array(p->scratch, most + 1, sizeof *l->piece);
	l->rows = arena_array(p->scratch, most + 1, sizeof *l->rows);
	if (!l->piece || !l->rows) return false;
	l->room = (int)most;
	for (int i = 0; i < n; i++)
		for (int64_t k = 0; k < l->parts; k++) put_pieces(l, w[i], i, k);
	find_rounds(l);
	return true;
}

bool windows_pay(partitioning *p, const window *const *w, int n, bool *pay)
{
	plan l;
	int64_t rows = 0;

	if (!plan_make(p, w, n, true, &l)) return false;
	for (int i = 0; i < l.nrounds; i++) rows += l.rows[i];
	*pay = rows < (l.parts - 1) * l.block;
	return true;
}

bool window_shared_pays(const window *w, int64_t parts, double row, axis_level level)
{
	const int64_t block = (w->size + parts - 1) / parts;
	const index_range need = w->needs[0];
	const int64_t rows = need.end - need.first;
	const int64_t blocks = rows ? (need.end - 1) / block - need.first / block + 1 : 0;

	return collectives_ns(level, (double)blocks, row * (double)rows) <
	       collectives_ns(level, 1, row * (double)((parts - 1) * block));
}

/* where a piece begins in what is sent: all pieces of a round are sent as if they were as long, and
 * those at the end of a block begin earlier */
int64_t sent_from(const plan *l, const piece *a)
{
	const int64_t most = l->block - l->rows[a->round];

	return a->off < most ? a->off : most;
}
