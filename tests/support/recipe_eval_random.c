/* recipe_eval_random.c - the random numbers of recipes, at each point by itself: the words of
 * threefry2x32 (draw.h), and the inverse of the error function by Newton's method. */
#include "support/draw.h"
#include "support/recipe_cells.h"
#include <math.h>

static draw_key key_of(const cells *x, int point, int number)
{
	return (draw_key){{(uint32_t)cell(x, point, 2 * number)[0],
	                   (uint32_t)cell(x, point, 2 * number + 1)[0]}};
}

static void put_key(const cells *x, int point, int number, draw_key key)
{
	for (int i = 0; i < 2; i++) cell(x, point, 2 * number + i)[0] = key.word[i];
}

/* ---- numbers */

/* erf(y) = u. Where u is near 1, by the distances from there */
static double erf_inverse(double u)
{
	const double a = fabs(u), slope = 2 / sqrt(acos(-1));
	double y = 0;

	for (int i = 0; i < 60; i++) {
		const double error = a < 0.5 ? erf(y) - a : (1 - a) - erfc(y);
		y -= error / (slope * exp(-y * y));
	}
	return copysign(y, u);
}

/* in 0 .. 1: the upper bits, as many as the dtype has digits */
static double fraction(const oracle *o, draw_key key, uint64_t i)
{
	if (o->r->single) return (draw_bits32(key, i) >> 9) * 0x1p-23;
	return (double)(draw_bits(key, i) >> 12) * 0x1p-52;
}

static double normal(const oracle *o, draw_key key, uint64_t i)
{
	const double lowest = o->r->single ? -1 + 0x1p-24 : -1 + 0x1p-53;

	return sqrt(2) * erf_inverse(2 * fraction(o, key, i) + lowest);
}

/* the first six of so many bits, of which there are 64, or less of 32 */
static double first_bits(draw_key key, uint64_t i, int width)
{
	const uint64_t mask = width < 32 ? (1u << width) - 1 : UINT32_MAX;
	const uint64_t bits = width == 64 ? draw_bits(key, i) : draw_bits32(key, i) & mask;

	return (double)(bits >> (width - 6)) / 32 - 1;
}

/* the place of element i in the whole array, row-major */
static uint64_t whole_place(const step *s, const form *f, int i, int start)
{
	int index[RECIPE_NDIM];
	form whole = *f;

	form_index(f, i, index);
	if (s->to) {
		whole.dim[s->at] = s->to;
		index[s->at] += start;
	}
	return (uint64_t)form_place(&whole, index);
}

static double number(const oracle *o, const step *s, draw_key key, uint64_t i)
{
	switch (s->op) {
	case OP_BITS: return first_bits(key, i, s->stop);
	case OP_UNIFORM: return fraction(o, key, i);
	default: return normal(o, key, i);
	}
}

/* ---- steps */

static uint64_t folded(oracle *o, const step *s, const cells *b, int point, int start)
{
	double sum = 0;

	if (s->nin < 2) return (uint64_t)start;
	for (int i = 0; i < b->size; i++) sum += cell(b, point, i)[0];
	oracle_margin(o, sum - s->k);
	return sum > s->k;
}

static int least(int a, int b) { return a < b ? a : b; }

void oracle_random(oracle *o, const world *w, const step *s, const form *value, const cells *in,
                   const cells *out)
{
	const form *to = &value[s->first];

	for (int p = 0; p < w->count; p++) {
		const int start = s->axis < 0 ? s->start : world_place(o, w, p, s->axis);
		const draw_key key = s->nin ? key_of(&in[s->in[0]], p, 0)
		                            : draw_key_of((uint32_t)s->start);
		switch (s->op) {
		case OP_KEY: put_key(out, p, 0, key); break;
		case OP_SPLIT:
			for (int i = 0; i < to->dim[0] && !s->keep; i++)
				put_key(out, p, i, draw_split(key, (uint64_t)i));
			if (s->keep) put_key(out, p, 0, draw_split(key, (uint64_t)start));
			break;
		case OP_FOLD_IN:
			put_key(out, p, 0,
			        draw_split(key, folded(o, s, &in[s->in[1]], p, start)));
			break;
		case OP_KEY_AT: {
			const int last = value[s->in[0]].dim[0] - 1;
			put_key(out, p, 0, key_of(&in[s->in[0]], p, least(start, last)));
			break;
		}
		default:
			for (int i = 0; i < out->size; i++)
				cell(out, p, i)[0] =
					number(o, s, key, whole_place(s, to, i, start));
			break;
		}
	}
}
