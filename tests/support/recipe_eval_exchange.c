/* recipe_eval_exchange.c - collectives of recipes: for each point, its partners and the values that
 * it gets of them. Axes may be of a mesh or of batches. */
#include "support/recipe_cells.h"
#include <string.h>

/* the points of a group in order, and the place of this one; gives their number */
static int group_of(const oracle *o, const world *w, const exchange *e, int point, int *member,
                    int *place)
{
	const int own = world_index(o, w, point, &e->over);
	int all = 1, first = 0;

	for (int i = 0; i < e->over.n; i++) all *= o->r->axis[e->over.at[i]].size;
	for (int g = 0; g < (e->ngroups ? e->ngroups : 1); g++) {
		const int n = e->ngroups ? e->group_size[g] : all;
		*place = -1;
		for (int i = 0; i < n; i++) {
			const int at = e->ngroups ? e->member[first + i] : i;
			member[i] = world_move_index(o, w, point, &e->over, at);
			if (at == own) *place = i;
		}
		if (*place >= 0) return n;
		first += n;
	}
	return 0;
}

typedef struct meeting {
	oracle *o;
	const exchange *e;
	const form *from, *to;
	const cells *in, *out;
	int point, n, place, member[RECIPE_MEMBERS * 4];
} meeting;

static void put(const meeting *m, int element, int who, int source)
{
	memcpy(cell(m->out, m->point, element), cell(m->in, m->member[who], source),
	       sizeof(double) << m->in->levels);
}

/* the sum, or the largest or smallest, of an element of everybody */
static void fold(const meeting *m, int source, double *y)
{
	const int levels = m->in->levels;
	const bool sum = m->e->kind != EX_PMAX && m->e->kind != EX_PMIN;

	memcpy(y, cell(m->in, m->member[0], source), sizeof *y << levels);
	for (int i = 1; i < m->n; i++) {
		const double *x = cell(m->in, m->member[i], source);
		if (sum)
			dual_add(levels, y, x, y);
		else if ((x[0] > y[0]) == (m->e->kind == EX_PMAX))
			memcpy(y, x, sizeof *y << levels);
	}
	if (m->e->kind == EX_PMEAN) dual_scale(levels, 1.0 / m->n, y, y);
}

/* Of element i of the result: who sent it, and which of the sender's elements it is. A dim is dealt
 * out in n parts, of which this point gets its own (cut), and the parts of all are put behind each
 * other along a dim (join); a dim of parts that are not tiled is of size n, and comes or goes. */
typedef struct deal {
	int who, element;
} deal;

static deal dealt(const meeting *m, int i, int cut, int join)
{
	int at[RECIPE_NDIM], mid[RECIPE_NDIM], own[RECIPE_NDIM], n = 0;
	const int nto = m->to->ndim, tiled = m->e->tiled;
	deal d = {m->place, 0};

	form_index(m->to, i, at);
	for (int k = 0; k < nto; k++) {
		if (k != join)
			mid[n++] = at[k];
		else if (tiled) {
			const int part = m->to->dim[k] / m->n;
			d.who = at[k] / part;
			mid[n++] = at[k] % part;
		} else
			d.who = at[k];
	}
	for (int k = 0, j = 0; k < m->from->ndim; k++) {
		if (k != cut)
			own[k] = mid[j++];
		else if (tiled)
			own[k] = m->place * (m->from->dim[k] / m->n) + mid[j++];
		else
			own[k] = m->place;
	}
	d.element = form_place(m->from, own);
	return d;
}

static void meet(const meeting *m)
{
	const exchange *e = m->e;
	const int swap = e->kind == EX_PSWAPAXES;

	for (int i = 0; i < form_size(m->to); i++) {
		deal d;
		int from;
		switch (e->kind) {
		case EX_ALL_GATHER:
			d = dealt(m, i, -1, e->at);
			put(m, i, d.who, d.element);
			break;
		case EX_ALL_TO_ALL:
		case EX_PSWAPAXES:
			d = dealt(m, i, e->at, swap ? e->at : e->to);
			put(m, i, d.who, d.element);
			break;
		case EX_PSUM_SCATTER:
			fold(m, dealt(m, i, e->at, -1).element, cell(m->out, m->point, i));
			break;
		case EX_PPERMUTE:
		case EX_PSHUFFLE:
		case EX_PBROADCAST:
			from = e->kind == EX_PBROADCAST ? e->source[0] : e->source[m->place];
			if (from >= 0) put(m, i, from, i);
			break;
		case EX_AXIS_INDEX:
			dual_number(m->out->levels, m->place, cell(m->out, m->point, i));
			break;
		default: fold(m, i, cell(m->out, m->point, i)); break;
		}
	}
}

/* what i sends j stands behind what it sends others before, and lands behind what others send j */
static void ragged(const meeting *m, const cells *output)
{
	const int *rows = m->e->rows, n = m->n, j = m->place;
	const int row = form_size(m->to) / m->to->dim[0];
	const size_t bytes = sizeof(double) << m->in->levels;
	int to = 0;

	memcpy(cell(m->out, m->point, 0), cell(output, m->point, 0),
	       (size_t)form_size(m->to) * bytes);
	for (int i = 0; i < n; i++) {
		int from = 0;
		for (int k = 0; k < j; k++) from += rows[i * n + k];
		memcpy(cell(m->out, m->point, to * row), cell(m->in, m->member[i], from * row),
		       (size_t)(rows[i * n + j] * row) * bytes);
		to += rows[i * n + j];
	}
}

void oracle_exchange(oracle *o, const world *w, const step *s, const form *value, const cells *in,
                     const cells *out)
{
	meeting m = {.o = o,
	             .e = &s->ex,
	             .from = &value[s->in[0]],
	             .to = &value[s->first],
	             .in = &in[s->in[0]],
	             .out = out};

	for (m.point = 0; m.point < w->count; m.point++) {
		m.n = group_of(o, w, &s->ex, m.point, m.member, &m.place);
		if (s->ex.kind == EX_RAGGED)
			ragged(&m, &in[s->in[1]]);
		else
			meet(&m);
	}
}
