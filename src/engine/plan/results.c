/* results.c - places of results: where one is wanted, memory of an operand that ends, or memory of
 * its own.
 *
 * Example:
 *
 *     f(%0: f32[3000]) -> f32[3000] {
 *       %1: f32[3000] = cumsum %0 dim=0 reverse=false
 *       %2: f32[3000] = neg %1
 *       %3: f32[3000] = cumsum %2 dim=0 reverse=true
 *       %4: f32[3000] = rev %3 dims=[0]
 *       %5: f32[3000] = cumsum %4 dim=0 reverse=true
 *       %6: f32[3000] = abs %5
 *       return %6
 *     }
 *
 * neg takes over the memory of %1: it reads each element only to make that element, and nobody else
 * reads it. rev may not do so with that of %3, whose last element it reads for its first one; that
 * of %2 is free by then. abs is wanted in out0:
 *
 *     the plan of f: 6 steps, 24064 bytes of scratch memory
 *       kernel 0: neg
 *       kernel 1: rev
 *       kernel 2: abs
 *       0  call cumsum  in0 -> scratch+0  ..
 *       1  kernel 0  scratch+0 -> scratch+0  ..
 *       2  call cumsum  scratch+0 -> scratch+12032  ..
 *       3  kernel 1  scratch+12032 -> scratch+0  ..
 *       4  call cumsum  scratch+0 -> scratch+12032  ..
 *       5  kernel 2  scratch+12032 -> out0  ..
 *
 * An output may also take the memory of an input that nothing reads any more: each run decides,
 * since only a run knows whether somebody else holds the input. */
#include "engine/plan/values.h"

/* ---- inputs that nothing reads any more: outputs may take their memory */

typedef struct vacancy { /* of inputs of one size */
	int64_t bytes;
	int32_t first; /* a list */
} vacancy;

static bool is_vacancy(const void *entry, const void *bytes)
{
	return ((const vacancy *)entry)->bytes == *(const int64_t *)bytes;
}

static vacancy *vacancy_of(const level *l, int64_t bytes)
{
	return table_find(&l->vacant, hash_u64((uint64_t)bytes, 0), is_vacancy, &bytes);
}

bool vacate(level *l, struct value *x)
{
	vacancy *of = vacancy_of(l, x->bytes);

	if (!of) {
		if (!(of = arena_alloc(l->arena, sizeof *of)) ||
		    !table_add(&l->vacant, hash_u64((uint64_t)x->bytes, 0), of))
			return false;
		of->bytes = x->bytes;
	}
	x->next = of->first;
	of->first = (int32_t)(x - l->value);
	return true;
}

/* ---- results */

typedef struct result {
	level *l;
	const eqn *e;
	const kernel *k; /* what computes it; NULL: no kernel */
	int j;           /* its number */
	struct value *x; /* the whole that it is */
} result;

/* which operands may give their memory to it */
typedef struct range {
	int first, end;
} range;

static range givers(const result *r)
{
	if (r->k) return (range){0, r->e->nin};
	const int i = operand_of(r->e, r->j);
	return i < 0 ? (range){0, 0} : (range){i, i + 1};
}

/* the whole of an operand */
static struct value *operand_whole(const result *r, int i)
{
	int64_t delta;

	return whole_of(r->l, r->e->in[i], &delta);
}

/* In this wave, does the equation alone read this whole, all of it, and each element only to
 * compute the same element of the result? Or does the result start from its value (operand_of)? */
static bool replaces(const result *r, const struct value *whole)
{
	const range g = givers(r);
	int32_t nuses = 0;

	for (int i = g.first; i < g.end; i++) {
		if (operand_whole(r, i) != whole) continue;
		if (value_at(r->l, r->e->in[i])->bytes != whole->bytes) return false;
		if (r->k && !kernel_in_place(r->k, i, r->j)) return false;
		nuses++;
	}
	return nuses == whole->nuses;
}

/* from now on, is this whole read by nothing but the equation, while it makes the result? */
static bool gives_way(const result *r, const struct value *whole)
{
	if (whole->last < r->l->now) return true;
	return whole->last == r->l->now && replaces(r, whole);
}

/* memory of an operand that ends here */
static bool take_over(const result *r)
{
	const range g = givers(r);

	for (int i = g.first; i < g.end; i++) {
		struct value *from = operand_whole(r, i);
		if (!from->owned || from->bytes != r->x->bytes || from->last != r->l->now ||
		    !gives_way(r, from))
			continue;
		r->x->at = from->at;
		from->owned = false;
		return true;
	}
	return false;
}

/* ---- outputs */

/* An output that is made now may take the memory of an input that is not read any more. Each run
 * decides, since only a run knows whether somebody else holds the input */
static bool may_inherit(const result *r, const struct value *from)
{
	return from->input && r->l->s->heir[from->input - 1] < 0 && from->bytes == r->x->bytes &&
	       gives_way(r, from);
}

/* an input whose memory the output may take, preferably an operand */
static const struct value *find_donor(const result *r)
{
	const level *l = r->l;
	const range g = givers(r);

	for (int i = g.first; i < g.end; i++)
		if (may_inherit(r, operand_whole(r, i))) return operand_whole(r, i);
	vacancy *of = vacancy_of(l, r->x->bytes);
	while (of && of->first && l->s->heir[l->value[of->first].input - 1] >= 0)
		of->first = l->value[of->first].next;
	return of && of->first ? &l->value[of->first] : NULL;
}

struct may_take {
	struct may_take *next;
	int32_t input, output;
};

/* the number of the output that a result is */
static int32_t output_of(const result *r) { return r->l->s->root[r->x->at.root].index; }

/* notes the other operands whose memory would do: a run takes one that nobody else holds */
static bool note_others(const result *r)
{
	schedule *s = r->l->s;
	const range g = givers(r);

	for (int i = g.first; i < g.end; i++) {
		const struct value *from = operand_whole(r, i);
		if (!may_inherit(r, from)) continue;
		struct may_take *also = arena_alloc(s->arena, sizeof *also);
		if (!also) return false;
		*also = (struct may_take){s->may_take, from->input - 1, output_of(r)};
		s->may_take = also;
	}
	return true;
}

static void leave_to(schedule *s, int32_t input, int32_t output)
{
	s->heir[input] = output;
	s->next[input] = s->donor[output];
	s->donor[output] = input;
}

void inherit_rest(schedule *s)
{
	for (const struct may_take *m = s->may_take; m; m = m->next)
		if (s->heir[m->input] < 0) leave_to(s, m->input, m->output);
}

static bool inherit(const result *r)
{
	const struct value *from = find_donor(r);

	if (!from) return true;
	leave_to(r->l->s, from->input - 1, output_of(r));
	return note_others(r);
}

/* ---- places */

/* puts the result where it is wanted, if nothing needs what is there. false: no memory */
static bool take_wanted(const result *r)
{
	const wanted *want = r->x->want;
	int64_t delta;

	if (!want) return true;
	if (want->tied >= 0 && !gives_way(r, whole_of(r->l, r->l->p->in[want->tied], &delta)))
		return true;
	r->x->at = want->at;
	return !r->l->outermost || !r->x->bytes || inherit(r);
}

static bool place_result(const result *r)
{
	struct value *x = r->x;

	if (x->at.root < 0 && !take_wanted(r)) return false;
	if (x->at.root >= 0) return true;
	if (!take_over(r)) x->at = (place){r->l->root, storage_take(&r->l->storage, x->bytes)};
	if (x->at.offset < 0) return false;
	x->owned = true;
	end_with(r->l, x);
	return true;
}

bool level_place_results(level *l, const eqn *e, const kernel *k)
{
	int64_t delta;

	for (int j = 0; j < e->nout; j++)
		if (!place_result(&(result){l, e, k, j, whole_of(l, e->out[j], &delta)}))
			return false;
	return true;
}
