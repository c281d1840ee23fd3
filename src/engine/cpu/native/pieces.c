/* pieces.c - splits a loop of vectors at the indices where comparisons with constants change.
 * Between these indices a comparison has one result, and the loads behind it need no mask. So a
 * padded or concatenated row becomes a few plain loops, with some masked vectors between them.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[100]) -> f32[104] {
 *       %1: f32[104] = pad %0 0:f32 low=[2] high=[2] interior=[0]
 *       return %1
 *     }
 *
 * Elements 2 to 101 come from %0, so the vectors that begin at 8, 16 .. 88 are inside and need no
 * mask; the one before them and the one after them do:
 *
 *     piece 8 to 96
 *     call <8 x float> @llvm.masked.load
 *     .. = load <8 x float>, ptr
 *     call <8 x float> @llvm.masked.load
 */
#include "engine/cpu/native/nest.h"

bool condition_at(const condition *c, int64_t i)
{
	const int64_t x = (int64_t)((uint64_t)c->times * (uint64_t)i + (uint64_t)c->constant);

	switch (c->op) {
	case K_EQ: return x == 0;
	case K_NE: return x != 0;
	case K_LT: return x < 0;
	case K_LE: return x <= 0;
	case K_GT: return x > 0;
	default: return x >= 0;
	}
}

/* ---- conditions */

static bool is_condition(nest *s, int32_t id, kvar index, condition *c)
{
	const knode *n = &s->k->nodes[id];
	address difference;

	if (!s->needed[id] || n->op < K_EQ || n->op > K_GE ||
	    s->k->nodes[n->args[0].id].dtype != TSR_I64 ||
	    !address_of_difference(s, &difference, n->args[0], n->args[1]))
		return false;
	*c = (condition){id, n->op, address_times(&difference, index), difference.constant};
	for (int i = 0; i < difference.n; i++)
		if (difference.term[i].atom.id != index.id && difference.term[i].times)
			return false;
	return c->times != 0;
}

/* ---- places */

typedef struct places {
	int n, room;
	int64_t *at;
} places;

static void put_place(places *p, int64_t at)
{
	int i = p->n;

	if (i == p->room) return;
	for (; i > 0 && p->at[i - 1] > at; i--) p->at[i] = p->at[i - 1];
	p->at[i] = at;
	p->n++;
}

/* the first index after `first` at which the condition is not what it is at `first`; it changes at
 * most once */
static int64_t change_after(const condition *c, int64_t first, int64_t extent)
{
	const bool was = condition_at(c, first);
	int64_t same = first, other = extent;

	if (first >= extent || condition_at(c, extent - 1) == was) return extent;
	while (other - same > 1) {
		const int64_t middle = same + (other - same) / 2;
		*(condition_at(c, middle) == was ? &same : &other) = middle;
	}
	return other;
}

static void put_changes(places *p, const condition *c, int64_t extent)
{
	if (c->op == K_EQ || c->op == K_NE) {
		const int64_t at = -c->constant / c->times;
		if (at >= 0 && at < extent) {
			put_place(p, at);
			put_place(p, at + 1);
		}
		return;
	}
	put_place(p, change_after(c, 0, extent));
}

/* ---- pieces: whole vectors between two places */

static void put_piece(nest *s, int64_t first, int64_t end)
{
	const int64_t lanes = s->lanes;

	first = (first + lanes - 1) / lanes * lanes;
	end = end / lanes * lanes;
	if (end - first >= TUNE_LOOP_VECTORS * lanes) s->piece[s->npieces++] = (piece){first, end};
}

static int size_inside(const nest *s, int32_t region)
{
	int size = 0;

	for (int32_t id = 1; id < s->k->nnodes; id++) {
		int32_t at = s->k->nodes[id].region;
		while (at > region) at = s->k->regions[at].parent;
		size += at == region && s->needed[id];
	}
	return size;
}

bool pieces_find(nest *s)
{
	const walk *w = &s->loops.walk[s->vector];
	condition c;
	int n = 0;

	for (int32_t id = 1; id < s->k->nnodes; id++) n += is_condition(s, id, w->index, &c);
	places p = {.room = 2 * n + 1};
	p.at = pool_take(s->pool, (size_t)p.room + 1, sizeof *p.at);
	s->condition = pool_take(s->pool, (size_t)n + 1, sizeof *s->condition);
	s->piece = pool_take(s->pool, (size_t)p.room + 1, sizeof *s->piece);
	if (!p.at || !s->condition || !s->piece) return false;
	for (int32_t id = 1; n && id < s->k->nnodes; id++)
		if (is_condition(s, id, w->index, &c)) {
			s->condition[s->nconditions++] = c;
			put_changes(&p, &c, w->extent);
		}
	put_place(&p, w->extent);
	int64_t first = 0;
	for (int i = 0; n && i < p.n; first = p.at[i++]) put_piece(s, first, p.at[i]);
	if (s->npieces * size_inside(s, s->level[s->vector + 1].first) > TUNE_LOOP_NODES)
		s->npieces = 0;
	return true;
}
