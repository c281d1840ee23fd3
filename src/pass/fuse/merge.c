/* merge.c - kernels beside each other become one: small ones, because a step costs more than
 * their work, and larger ones that read the same large value. Copies of one piece of code, such as
 * what eight devices do, stay apart: then they are one kernel, which is compiled once.
 *
 * The level of a group is the longest way to it from the inputs of the program. Groups of one level
 * do not need each other, and merging them changes no level, so there is nothing to search for.
 *
 *     pass fuse
 *     f(%0: f32[8], %1: f32[8]) -> f32[8], f32[8] {
 *       %2: f32[8] = sin %0
 *       %3: f32[8] = cos %1
 *       return %2 %3
 *     }
 *     gives
 *     f(%0: f32[8], %1: f32[8]) -> f32[8], f32[8] {
 *       %2: f32[8], %3: f32[8] = call %1 %0
 *           program=cos(%0: f32[8], %1: f32[8]) -> f32[8], f32[8] {
 *         %2: f32[8] = cos %0
 *         %3: f32[8] = sin %1
 *         return %2 %3
 *       }
 *       return %3 %2
 *     } */
#include "pass/fuse/fuse.h"

typedef struct merging {
	fuse *f;
	int32_t *level; /* of each group */
	int32_t *needs; /* of each group: values that others make */
	int32_t *order; /* groups, makers first; then by level */
	int32_t norder;
	bool *twin;      /* of each group: another one of its level is like it */
	int32_t *reader; /* by variable: 1 + the last group that reads it */
	int32_t open[TUNE_SMALL_OPEN];
	int32_t nopen;
} merging;

/* ---- levels */

static void count_needs(merging *w)
{
	const fuse *f = w->f;

	for (int32_t v = 1; v < f->nvalues; v++)
		for (const use *u = f->home[v] ? f->uses[v] : NULL; u; u = u->next)
			w->needs[u->group] += !u->inside;
}

static void reach_users(merging *w, int32_t at, int32_t var)
{
	for (const use *u = w->f->uses[var]; u; u = u->next) {
		if (u->inside) continue;
		if (w->level[u->group] <= w->level[at]) w->level[u->group] = w->level[at] + 1;
		if (--w->needs[u->group] == 0) w->order[w->norder++] = u->group;
	}
}

static void find_levels(merging *w)
{
	const fuse *f = w->f;

	count_needs(w);
	for (size_t g = 0; g < f->ngroups; g++)
		if (!w->needs[g]) w->order[w->norder++] = (int32_t)g;
	for (int32_t i = 0; i < w->norder; i++) {
		for (const member *m = f->groups[w->order[i]].members; m; m = m->next)
			for (int k = 0, v; m->stored && (v = gives(f, m, k)); k++)
				reach_users(w, w->order[i], v);
	}
}

static bool sort_by_level(merging *w)
{
	int32_t *first = arena_array(w->f->scratch, (size_t)w->norder + 2, sizeof *first);
	int32_t *sorted = arena_array(w->f->scratch, (size_t)w->norder + 1, sizeof *sorted);

	if (!first || !sorted) return false;
	for (int32_t i = 0; i < w->norder; i++) first[w->level[i] + 1]++;
	for (int32_t i = 0; i < w->norder; i++) first[i + 1] += first[i];
	for (int32_t i = 0; i < w->norder; i++) sorted[first[w->level[i]]++] = i;
	w->order = sorted;
	return true;
}

/* ---- two groups in one */

static bool can_merge(const group *a, const group *b)
{
	return a->kernel && b->kernel && !a->puts && !b->puts && same_loops(a->whole, b->whole) &&
	       a->nmembers + b->nmembers <= TUNE_KERNEL_MEMBERS &&
	       a->nvalues + b->nvalues <= TUNE_KERNEL_VALUES &&
	       a->nodes + b->nodes <= TUNE_KERNEL_NODES;
}

static void merge(fuse *f, int32_t into, int32_t from)
{
	group *a = &f->groups[into], *b = &f->groups[from];
	member *last = b->members;

	for (const member *m = b->members; m; m = m->next)
		if (m->stored) f->home[m->var] = 1 + into;
	while (last->next) last = last->next;
	last->next = a->members;
	a->members = b->members;
	if (b->whole->ndim > a->whole->ndim) a->whole = b->whole;
	a->nmembers += b->nmembers;
	a->nvalues += b->nvalues;
	a->nresults += b->nresults;
	a->nodes += b->nodes;
	a->work += b->work;
	a->content += b->content;
	*b = (group){.kernel = false};
}

/* ---- small ones */

static bool is_small(const target *on, const group *g)
{
	return g->kernel && g->work <= on->small_work && g->nmembers <= TUNE_SMALL_MEMBERS / 2;
}

static bool is_it(const void *entry, const void *key) { return (void)key, entry; }

/* By hash; those of little code do not count: steps would take more time than is saved. false: no
 * memory */
static bool find_twins(merging *w)
{
	const fuse *f = w->f;
	table seen = {.base = f->base};
	bool ok = true;

	for (size_t i = 0; ok && i < f->ngroups; i++) {
		const group *g = &f->groups[i];
		if (!is_small(f->target, g) || g->nodes < TUNE_TWIN_NODES) continue;
		const uint64_t hash = hash_u64((uint64_t)w->level[i],
		                               hash_u64((uint64_t)g->nvalues, g->content));
		bool *other = table_find(&seen, hash, is_it, NULL);
		if (other)
			*other = w->twin[i] = true;
		else
			ok = table_add(&seen, hash, &w->twin[i]);
	}
	table_free(&seen, NULL);
	return ok;
}

static void merge_small(merging *w, int32_t at)
{
	fuse *f = w->f;
	const group *g = &f->groups[at];

	for (int32_t i = 0; i < w->nopen; i++) {
		const group *a = &f->groups[w->open[i]];
		if (a->nmembers + g->nmembers > TUNE_SMALL_MEMBERS ||
		    a->work + g->work > 4 * f->target->small_work || !can_merge(a, g))
			continue;
		merge(f, w->open[i], at);
		return;
	}
	w->open[w->nopen < TUNE_SMALL_OPEN ? w->nopen++ : at % TUNE_SMALL_OPEN] = at;
}

/* ---- readers of one large value */

static bool are_alike(const group *a, const group *b)
{
	return a->content == b->content && a->nvalues == b->nvalues;
}

/* which loop of the group's results goes through a dim of what it reads; -1: a loop inside */
static int place_of_loop(const group *g, int32_t loop)
{
	for (int d = 0; d < g->whole->ndim; d++)
		if (g->loop[d] == loop) return d;
	return -1;
}

static const use *use_by(const fuse *f, int32_t var, int32_t at)
{
	const use *u = f->uses[var];

	while (u && u->group != at) u = u->next;
	return u;
}

/* Do both go through a value in the same order? The sums of rows and of columns do not: together
 * one of the two would jump from row to row, in a loop that the other wants to go along a row */
static bool read_alike(const fuse *f, int32_t var, int32_t a, int32_t b)
{
	const use *u = use_by(f, var, a), *v = use_by(f, var, b);

	if (!u || !v || !u->sites || !v->sites) return true;
	for (int d = 0; d < u->sites->ndim && d < v->sites->ndim; d++)
		if (place_of_loop(&f->groups[a], u->sites->dim[d].loop) !=
		    place_of_loop(&f->groups[b], v->sites->dim[d].loop))
			return false;
	return true;
}

static bool can_share(const merging *w, int32_t a, int32_t b)
{
	const group *g = &w->f->groups[a], *h = &w->f->groups[b];
	const double rows = w->f->target->shared_rows;

	return w->level[a] == w->level[b] && can_merge(g, h) && g->whole->ndim == h->whole->ndim &&
	       g->narrow >= rows && h->narrow >= rows && !are_alike(g, h);
}

static void merge_readers(merging *w, int32_t at)
{
	fuse *f = w->f;

	for (const member *m = f->groups[at].members; m; m = m->next) {
		const eqn *e = &f->p->eqns[m->eqn];
		for (int k = 0; k < e->nin; k++) {
			const int32_t x = e->in[k].id, other = w->reader[x] - 1;
			if (f->p->vars[x].literal) continue;
			if ((double)fuse_type(f, x)->size <= f->target->shared_work) continue;
			if (f->home[x] == at + 1) continue;
			if (other >= 0 && other != at && can_share(w, other, at) &&
			    read_alike(f, x, other, at)) {
				merge(f, other, at);
				return;
			}
			w->reader[x] = at + 1;
		}
	}
}

static void merge_level(merging *w, int32_t first, int32_t end)
{
	w->nopen = 0;
	for (int32_t i = first; i < end; i++) {
		const int32_t at = w->order[i];
		if (w->twin[at]) continue;
		if (is_small(w->f->target, &w->f->groups[at]))
			merge_small(w, at);
		else if (w->f->groups[at].kernel)
			merge_readers(w, at);
	}
}

bool groups_merge(fuse *f)
{
	merging w = {.f = f};
	const size_t n = f->ngroups + 1;

	w.level = arena_array(f->scratch, n, sizeof *w.level);
	w.needs = arena_array(f->scratch, n, sizeof *w.needs);
	w.order = arena_array(f->scratch, n, sizeof *w.order);
	w.twin = arena_array(f->scratch, n, sizeof *w.twin);
	w.reader = arena_array(f->scratch, (size_t)f->p->nvars, sizeof *w.reader);
	if (!w.level || !w.needs || !w.order || !w.twin || !w.reader) return false;
	find_levels(&w);
	f->cycle = w.norder < (int32_t)f->ngroups;
	if (f->cycle || !sort_by_level(&w) || !find_twins(&w)) return false;
	for (int32_t i = 0, end; i < w.norder; i = end) {
		for (end = i; end < w.norder && w.level[w.order[end]] == w.level[w.order[i]]; end++)
			;
		merge_level(&w, i, end);
	}
	return true;
}
