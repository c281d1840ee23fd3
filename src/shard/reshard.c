/* reshard.c - finds the steps from one layout to another that take least time: the shortest way
 * through all layouts of the axes that change.
 *
 * Example, f32[8,8] on axes a, b and c of 2:
 *
 *     [abc,-] [-,bc]
 *
 * A device holds a row, 32 bytes. Along b and c four devices trade rows for columns: each receives
 * three quarters of what it then has. Along a two share what they have, and each receives as much
 * again. To gather all first and to cut then would bring 224 bytes to each device.
 *
 *     all_to_all [a,bc] 24, all_gather [-,bc] 32
 *
 * A fixed order of steps (cut, permute, trade, gather) finds most of the best ways, but not all: it
 * may be less to let devices that hold the same bring a part each. There are only some hundred
 * layouts of a few axes, so all are looked at. Where too many axes change, one `exchange` moves to
 * each device what it lacks.
 *
 * Where dims do not divide, blocks are filled up, and devices send what fills them too. Blocks of a
 * layout need not be whole blocks of one that is cut along more axes: 9 rows on axes a and b of 2
 * are in blocks of 5 under "[a]", and under "[ab]" in blocks of 3, of which two are 6. Before the
 * blocks of 5 are cut, the first device gets its sixth row from the second one, and behind a gather
 * it gives that back (regroup). */
#include "shard/shard.h"

enum { MOST_ACTIVE = 4, MOST_DIMS = 4 };

typedef struct node {      /* a layout that can be reached */
	reshard_step step; /* the last one to it; its layout */
	int before;        /* the node it starts from; -1: the first one */
	double ns;
	bool done;
} node;

typedef struct search {
	const reshard_case *c;
	arena *arena;
	node *node;
	int n, cap;
	bool ok;
	int nactive, ndims;
	int active[MOST_ACTIVE], dim[MOST_DIMS];
} search;

/* ---- what a step costs */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static double local_bytes(const reshard_case *c, const layout *l)
{
	double bytes = (double)c->item;

	for (int d = 0; d < c->ndim; d++) bytes *= (double)layout_block(l, c->axis, c->dims, d);
	return bytes;
}

/* of a block that is cut along dim as the other layout says */
static double piece_bytes(const reshard_case *c, const layout *l, int dim, const layout *other)
{
	double bytes = (double)c->item;

	for (int d = 0; d < c->ndim; d++)
		bytes *= (double)layout_block(d == dim ? other : l, c->axis, c->dims, d);
	return bytes;
}

/* the rows that a device gets from others when blocks of a dim, as one layout cuts it, become as
 * many blocks which are whole blocks under the other one, or the reverse */
static int64_t regrouped_rows(const reshard_case *c, const layout *from, const layout *to, int dim)
{
	const int64_t before = layout_parts(from, c->axis, dim);
	const int64_t after = layout_parts(to, c->axis, dim);
	const int64_t parts = before < after ? before : after, size = c->dims[dim];
	const int64_t has = before / parts * layout_block(from, c->axis, c->dims, dim);
	const int64_t wants = after / parts * layout_block(to, c->axis, c->dims, dim);
	int64_t most = 0;

	for (int64_t k = 0; parts > 1 && has != wants && k * wants < size; k++) {
		const int64_t end = least(size, (k + 1) * wants), had = least(end, (k + 1) * has);
		const int64_t first = k * wants > k * has ? k * wants : k * has;
		const int64_t lacks = end - k * wants - (had > first ? had - first : 0);
		if (lacks > most) most = lacks;
	}
	return most;
}

/* adds that to a step; other: the layout of the other dims meanwhile */
static void regroup(const reshard_case *c, const layout *from, reshard_step *step, int dim,
                    const layout *other)
{
	const int64_t rows = regrouped_rows(c, from, &step->to, dim);
	const int64_t more = layout_parts(&step->to, c->axis, dim);
	const layout *fewer = layout_parts(from, c->axis, dim) < more ? from : &step->to;
	double bytes = (double)c->item * (double)rows;

	if (!rows) return;
	for (int d = 0; d < c->ndim; d++)
		if (d != dim) bytes *= (double)layout_block(other, c->axis, c->dims, d);
	step->bytes += bytes;
	for (int i = 0; i < fewer->n; i++)
		if (fewer->dim[i] == dim) step->axes |= (uint64_t)1 << fewer->axis[i];
}

static double ns_of(const reshard_case *c, const reshard_step *s)
{
	axis_level level = LEVEL_MEMORY;

	if (!s->axes) return 0; /* a slice */
	for (int a = 0; a < c->naxes; a++)
		if (s->axes >> a & 1 && c->axis[a].level > level) level = c->axis[a].level;
	return c->cost[level].latency + s->bytes * c->cost[level].byte;
}

/* ---- layouts that have been reached */

static node *find(search *s, const layout *l)
{
	for (int i = 0; i < s->n; i++)
		if (layout_same(&s->node[i].step.to, l)) return &s->node[i];
	return NULL;
}

static node *add(search *s)
{
	if (s->n == s->cap) {
		const int cap = s->cap ? 2 * s->cap : 64;
		node *larger = arena_array(s->arena, (size_t)cap, sizeof *larger);
		if (!larger) {
			s->ok = false;
			return NULL;
		}
		if (s->n) memcpy(larger, s->node, (size_t)s->n * sizeof *larger);
		s->node = larger;
		s->cap = cap;
	}
	return &s->node[s->n++];
}

/* the step leads from a node to a layout: is that the shortest way to it so far? */
static void reach(search *s, int from, const reshard_step *step)
{
	const reshard_case *c = s->c;

	if (!s->ok) return;
	const double ns = s->node[from].ns + ns_of(c, step);
	node *n = find(s, &step->to);
	if (n && n->ns <= ns) return;
	if (!n && !(n = add(s))) return;
	*n = (node){*step, from, ns, false};
}

/* ---- steps */

static bool is_used(const layout *l, int axis)
{
	for (int i = 0; i < l->n; i++)
		if (l->axis[i] == axis) return true;
	return l->partial >> axis & 1;
}

/* where the axes of a dim begin and end */
static int first_of(const layout *l, int dim)
{
	int i = 0;

	while (i < l->n && l->dim[i] < dim) i++;
	return i;
}

static int end_of(const layout *l, int dim)
{
	int i = first_of(l, dim);

	while (i < l->n && l->dim[i] == dim) i++;
	return i;
}

static int axes_of(const layout *l, int dim) { return end_of(l, dim) - first_of(l, dim); }

/* takes the axes first .. end - 1 out */
static void take_out(layout *l, int first, int end)
{
	memmove(l->dim + first, l->dim + end, (size_t)(l->n - end));
	memmove(l->axis + first, l->axis + end, (size_t)(l->n - end));
	l->n -= end - first;
}

static void slices(search *s, int from)
{
	const layout at = s->node[from].step.to;

	for (int d = 0; d < s->ndims; d++)
		for (int i = 0; i < s->nactive; i++) {
			reshard_step step = {.kind = RESHARD_SLICE, .to = at};
			if (is_used(&at, s->active[i])) continue;
			layout_cut(&step.to, s->dim[d], s->active[i]);
			regroup(s->c, &at, &step, s->dim[d], &at);
			reach(s, from, &step);
		}
}

static bool is_active(const search *s, int axis)
{
	for (int i = 0; i < s->nactive; i++)
		if (s->active[i] == axis) return true;
	return false;
}

/* the minor axes of each dim, more and more of them, go or become those of another dim */
static void gathers_and_exchanges(search *s, int from)
{
	const layout at = s->node[from].step.to;
	const double bytes = local_bytes(s->c, &at);

	for (int d = 0; d < s->ndims; d++) {
		const int first = first_of(&at, s->dim[d]), end = end_of(&at, s->dim[d]);
		double n = 1;
		uint64_t axes = 0;
		for (int i = end - 1; i >= first && is_active(s, at.axis[i]); i--) {
			reshard_step gather = {.kind = RESHARD_ALL_GATHER, .to = at};
			n *= (double)s->c->axis[at.axis[i]].size;
			axes |= (uint64_t)1 << at.axis[i];
			take_out(&gather.to, i, end);
			gather.axes = axes;
			gather.bytes = bytes * (n - 1);
			reshard_step whole = gather;
			regroup(s->c, &at, &whole, s->dim[d], &at);
			reach(s, from, &whole);
			for (int t = 0; t < s->ndims; t++) {
				reshard_step step = gather;
				if (t == d) continue;
				step.kind = RESHARD_ALL_TO_ALL;
				for (int k = i; k < end; k++)
					layout_cut(&step.to, s->dim[t], at.axis[k]);
				step.bytes = (n - 1) * piece_bytes(s->c, &at, s->dim[t], &step.to);
				regroup(s->c, &at, &step, s->dim[t], &at);
				regroup(s->c, &at, &step, s->dim[d], &step.to);
				reach(s, from, &step);
			}
		}
	}
}

/* Axes for dims d and on, each cut into as many parts as before: all ways to choose them */
static void permutes(search *s, int from, const layout *at, int d, reshard_step *step)
{
	if (d == s->ndims) {
		if (!layout_same(&step->to, at)) reach(s, from, step);
		return;
	}
	const int64_t want = layout_parts(at, s->c->axis, s->dim[d]);
	const int64_t have = layout_parts(&step->to, s->c->axis, s->dim[d]);
	if (have == want) permutes(s, from, at, d + 1, step);
	for (int i = 0; i < s->nactive && have < want; i++) {
		const reshard_step before = *step;
		if (is_used(&before.to, s->active[i]) ||
		    want % (have * s->c->axis[s->active[i]].size))
			continue;
		layout_cut(&step->to, s->dim[d], s->active[i]);
		step->axes |= (uint64_t)1 << s->active[i];
		permutes(s, from, at, d, step);
		*step = before;
	}
}

static void all_permutes(search *s, int from)
{
	const layout at = s->node[from].step.to;
	reshard_step step = {.kind = RESHARD_PERMUTE, .to = at, .bytes = local_bytes(s->c, &at)};

	for (int i = step.to.n; i-- > 0;)
		if (is_active(s, step.to.axis[i])) {
			step.axes |= (uint64_t)1 << step.to.axis[i];
			take_out(&step.to, i, i + 1);
		}
	permutes(s, from, &at, 0, &step);
}

/* some partial axes more, in all orders: their terms are joined, and each device keeps all of the
 * sum, or its part along a dim */
static void sums(search *s, int from, const reshard_step *so_far, double n)
{
	const layout at = s->node[from].step.to;
	const double bytes = local_bytes(s->c, &at);

	for (int i = 0; i < s->nactive; i++) {
		const int a = s->active[i];
		reshard_step step = *so_far;
		if (!(step.to.partial >> a & 1) || s->c->to.partial >> a & 1) continue;
		const double m = n * (double)s->c->axis[a].size;
		step.to.partial &= ~((uint64_t)1 << a);
		step.axes |= (uint64_t)1 << a;
		if (step.kind == RESHARD_ALL_REDUCE) {
			step.bytes = 2 * bytes * (m - 1) / m;
			reach(s, from, &step);
			sums(s, from, &step, m);
			continue;
		}
		for (int d = 0; d < s->ndims; d++) {
			reshard_step part = step;
			if (so_far->axes &&
			    axes_of(&so_far->to, s->dim[d]) == axes_of(&at, s->dim[d]))
				continue; /* all along one dim */
			layout_cut(&part.to, s->dim[d], a);
			part.bytes = (m - 1) * local_bytes(s->c, &part.to);
			reshard_step all = part;
			regroup(s->c, &at, &all, s->dim[d], &at);
			reach(s, from, &all);
			sums(s, from, &part, m);
		}
	}
}

static void expand(search *s, int from)
{
	slices(s, from);
	gathers_and_exchanges(s, from);
	all_permutes(s, from);
	const layout at = s->node[from].step.to;
	sums(s, from, &(reshard_step){.kind = RESHARD_ALL_REDUCE, .to = at}, 1);
	sums(s, from, &(reshard_step){.kind = RESHARD_REDUCE_SCATTER, .to = at}, 1);
}

/* ---- the way */

/* the nearest node that is not done; -1: there is none */
static int nearest(const search *s)
{
	int best = -1;

	for (int i = 0; i < s->n; i++)
		if (!s->node[i].done && (best < 0 || s->node[i].ns < s->node[best].ns)) best = i;
	return best;
}

static bool write_plan(search *s, int last, reshard_plan *to)
{
	int n = 0;

	for (int i = last; s->node[i].before >= 0; i = s->node[i].before) n++;
	reshard_step *step = arena_array(s->arena, (size_t)n + 1, sizeof *step);
	*to = (reshard_plan){.n = n, .step = step, .ns = s->node[last].ns};
	for (int i = last; step && s->node[i].before >= 0; i = s->node[i].before) {
		step[--n] = s->node[i].step;
		to->bytes += step[n].bytes;
	}
	return step;
}

static bool search_way(search *s, reshard_plan *to)
{
	node *first = add(s);

	if (!first) return false;
	*first = (node){.step.to = s->c->from, .before = -1};
	for (int at; s->ok && (at = nearest(s)) >= 0;) {
		if (layout_same(&s->node[at].step.to, &s->c->to)) return write_plan(s, at, to);
		s->node[at].done = true;
		expand(s, at);
	}
	return false;
}

/* ---- which axes and dims change */

/* how many axes at the beginning of a dim are the same in both layouts */
static int same_axes(const reshard_case *c, int dim)
{
	const int a = first_of(&c->from, dim), b = first_of(&c->to, dim);
	int n = 0;

	while (a + n < end_of(&c->from, dim) && b + n < end_of(&c->to, dim) &&
	       c->from.axis[a + n] == c->to.axis[b + n])
		n++;
	return n;
}

static uint64_t changing_of(const reshard_case *c, const layout *l)
{
	uint64_t set = l->partial;

	for (int i = 0; i < l->n; i++)
		if (i - first_of(l, l->dim[i]) >= same_axes(c, l->dim[i]))
			set |= (uint64_t)1 << l->axis[i];
	return set;
}

static uint64_t used_of(const layout *l)
{
	uint64_t set = l->partial;

	for (int i = 0; i < l->n; i++) set |= (uint64_t)1 << l->axis[i];
	return set;
}

/* false: there are too many. Axes that neither layout uses, and dims that neither cuts, are looked
 * at too while there is room: devices that hold the same can each bring a part, and share these at
 * the end */
static bool find_changes(search *s)
{
	const layout *from = &s->c->from, *to = &s->c->to;
	const uint64_t both = from->partial & to->partial;
	const uint64_t change = (changing_of(s->c, from) | changing_of(s->c, to)) & ~both;
	const uint64_t used = used_of(from) | used_of(to);

	for (int free = 0; free < 2; free++)
		for (int a = 0; a < s->c->naxes; a++) {
			if (!((free ? ~(used | s->c->closed) : change) >> a & 1)) continue;
			if (s->nactive == MOST_ACTIVE && !free) return false;
			if (s->nactive == MOST_ACTIVE) continue;
			s->active[s->nactive++] = a;
		}
	for (int free = 0; free < 2; free++)
		for (int d = 0; d < s->c->ndim; d++) {
			if ((axes_of(from, d) || axes_of(to, d)) == free) continue;
			if (s->ndims == MOST_DIMS && !free) return false;
			if (s->ndims < MOST_DIMS) s->dim[s->ndims++] = d;
		}
	return true;
}

/* ---- all at once */

/* the part of a dim that a device with these coordinates holds */
static void part_of(const reshard_case *c, const layout *l, int dim, const int64_t *at,
                    int64_t *start, int64_t *stop)
{
	const int64_t block = layout_block(l, c->axis, c->dims, dim);
	int64_t index = 0;

	for (int i = 0; i < l->n; i++)
		if (l->dim[i] == dim) index = index * c->axis[l->axis[i]].size + at[l->axis[i]];
	*start = index * block < c->dims[dim] ? index * block : c->dims[dim];
	*stop = *start + block < c->dims[dim] ? *start + block : c->dims[dim];
}

/* the elements that it needs and does not have */
static double lacks(const reshard_case *c, const int64_t *at)
{
	double wanted = 1, had = 1;

	for (int d = 0; d < c->ndim; d++) {
		int64_t a, b, x, y;
		part_of(c, &c->to, d, at, &a, &b);
		part_of(c, &c->from, d, at, &x, &y);
		const int64_t both = (b < y ? b : y) - (a > x ? a : x);
		wanted *= (double)(b - a);
		had *= both > 0 ? (double)both : 0;
	}
	return wanted - had;
}

static double exchanged(const reshard_case *c)
{
	int64_t at[MAX_AXES] = {0};
	double most = 0;

	for (int a = 0; a < c->naxes;) {
		const double bytes = lacks(c, at) * (double)c->item;
		if (bytes > most) most = bytes;
		for (a = 0; a < c->naxes && ++at[a] == c->axis[a].size; a++) at[a] = 0;
	}
	return most;
}

/* sums first, then one exchange */
static bool plan_exchange(search *s, reshard_plan *to)
{
	const reshard_case *c = s->c;
	const uint64_t sums = c->from.partial & ~c->to.partial;
	reshard_step *step = arena_array(s->arena, 2, sizeof *step);
	double n = 1;

	if (!step) return false;
	*to = (reshard_plan){.step = step};
	for (int a = 0; a < c->naxes; a++)
		if (sums >> a & 1) n *= (double)c->axis[a].size;
	layout summed = c->from;
	summed.partial &= ~sums;
	if (sums)
		step[to->n++] = (reshard_step){RESHARD_ALL_REDUCE, summed, sums,
		                               2 * local_bytes(c, &summed) * (n - 1) / n};
	const uint64_t axes = changing_of(c, &summed) | changing_of(c, &c->to);
	if (!layout_same(&summed, &c->to))
		step[to->n++] = (reshard_step){RESHARD_EXCHANGE, c->to, axes, exchanged(c)};
	for (int i = 0; i < to->n; i++) {
		to->bytes += step[i].bytes;
		to->ns += ns_of(c, &step[i]);
	}
	return true;
}

bool reshard_make(arena *a, const reshard_case *c, reshard_plan *to)
{
	search s = {.c = c, .arena = a, .ok = true};

	return find_changes(&s) ? search_way(&s, to) : plan_exchange(&s, to);
}
