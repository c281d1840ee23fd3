/* windows.c - fetches windows of values that are cut: each device gets the part of a dim that its
 * block of a result needs, from the devices that have it, and no more.
 *
 *     pass partition
 *     f(%0: f32[12], %1: f32[]) -> f32[12] {
 *       %2: f32[12] = shard_map %0 mesh=(x:4) axes=(x) in=[[x]] out=[[x]] body=(%0: f32[3]{x}) ->
 *             f32[3]{x} {
 *         %1: f32[3]{x} = sin %0
 *         return %1
 *       }
 *       %3: f32[12] = rev %2 dims=[0]
 *       %4: f32[12] = pad %3 %1 low=[1] high=[-1] interior=[0]
 *       return %4
 *     }
 *     gives
 *     axes (x of (x:4)) f(%0: f32[3]{x}, %1: f32[]) -> f32[3]{x} {
 *       %2: i32[3] = iota dtype=i32 dims=[3] dim=0
 *       %3: i32[3]{x} = pcast %2 axes=(x)
 *       %4: i32[]{x} = axis_index axes=(x)
 *       %5: i32[]{x} = mul %4 3:i32
 *       %6: i32[]{x} = add %5 -1:i32
 *       %7: i32[3]{x} = broadcast_in_dim %6 dims=[3] at=[]
 *       %8: i32[3]{x} = add %3 %7
 *       %9: bool[3]{x} = lt %8 0:i32
 *       %10: bool[3]{x} = lt %8 12:i32
 *       %11: bool[3]{x} = not %10
 *       %12: bool[3]{x} = or %9 %11
 *       %13: f32[3]{x} = sin %0
 *       %14: f32[3]{x} = ppermute %13 axes=(x) perm=[3>0,2>1,1>2,0>3]
 *       %15: f32[3]{x} = rev %14 dims=[0]
 *       %16: f32[1]{x} = slice %15 start=[2] stop=[3] step=[1]
 *       %17: f32[1]{x} = ppermute %16 axes=(x) perm=[0>1,1>2,2>3]
 *       %18: f32[2]{x} = slice %15 start=[0] stop=[2] step=[1]
 *       %19: f32[3]{x} = concatenate %17 %18 dim=0
 *       %20: f32[]{x} = pcast %1 axes=(x)
 *       %21: f32[3]{x} = broadcast_in_dim %20 dims=[3] at=[]
 *       %22: f32[3]{x} = select_n %12 %19 %21
 *       return %22
 *     }
 *
 * Numbers are indices of %3, a bar ends a block, and "." is the value of elements outside:
 *
 *     the blocks of %3     0  1  2 |  3  4  5 |  6  7  8 |  9 10 11
 *     what those of %4     .  0  1 |  2  3  4 |  5  6  7 |  8  9 10
 *     need
 *
 * Each block needs the last index of the one before: a piece that the devices send on in one round,
 * in which each of them sends at most one piece and gets at most one. The window is what came, and
 * then the first two of the device's own indices. For rev it is a whole block of %2: the first
 * device and the last one change blocks, and so do the two between them.
 *
 * All devices run the same equations: where the places of pieces differ, they are a function of the
 * number of the device's part, which is a line or a few of them (by_part). */
#include "pass/partition/partition.h"

/* ---- numbers that differ from part to part */

typedef struct taking { /* of windows along one dim of a value */
	partitioning *p;
	const plan *plan;
	int dim;
	var part; /* the number of the device's part */
} taking;

/* values on a line: first + (part - from) * step */
typedef struct run {
	int64_t from, first, step;
} run;

/* the longest run from part k on; `any`: parts where any number will do. Gives its end */
static int64_t run_from(const int64_t *v, const bool *any, int64_t k, int64_t parts, run *to)
{
	int64_t second = -1;

	while (k < parts && any && any[k]) k++;
	*to = (run){.from = k, .first = k < parts ? v[k] : 0};
	for (int64_t i = k + 1; i < parts; i++) {
		if (any && any[i]) continue;
		if (second < 0) {
			if ((v[i] - to->first) % (i - k)) return i;
			to->step = (v[i] - to->first) / (i - k);
			second = i;
		} else if (v[i] != to->first + (i - k) * to->step) {
			return i;
		}
	}
	return parts;
}

static var number(const taking *c, int64_t value)
{
	return emit_scalar(c->p->b, build_type(c->p->b, c->part)->dtype, (double)value);
}

static var run_value(const taking *c, const run *r)
{
	build *b = c->p->b;

	if (!r->step) return number(c, r->first);
	const var along = r->step == 1 ? c->part : emit_mul(b, c->part, number(c, r->step));
	const int64_t plus = r->first - r->from * r->step;
	return plus ? emit_add(b, along, number(c, plus)) : along;
}

/* v[part]; any: NULL, or the parts where any number will do */
static var by_part(const taking *c, const int64_t *v, const bool *any, int64_t k)
{
	build *b = c->p->b;
	run r;
	const int64_t end = run_from(v, any, k, c->plan->parts, &r);

	if (build_failed(b)) return (var){0};
	const var here = run_value(c, &r);
	if (end >= c->plan->parts) return here;
	const var behind = by_part(c, v, any, end);
	return emit_select(b, emit_before(b, c->part, end), here, behind);
}

static bool all_same(const int64_t *v, const bool *any, int64_t n, int64_t *value)
{
	bool found = false;

	*value = 0;
	for (int64_t k = 0; k < n; k++) {
		if (any && any[k]) continue;
		if (found && v[k] != *value) return false;
		*value = v[k];
		found = true;
	}
	return true;
}

/* ---- the sources: the device's own block, and what it got in each round */

typedef struct source {
	var v;
	int64_t rows;
	int64_t *off, *at, *n; /* by part: n of its rows, from `off` on, are at `at` */
	bool *none;            /* by part: none are */
} source;

static bool source_make(const taking *c, var v, int64_t rows, source *s)
{
	const size_t n = (size_t)c->plan->parts + 1;
	arena *a = c->p->scratch;

	*s = (source){v, rows, arena_array(a, n, sizeof *s->off),
	              arena_array(a, n, sizeof *s->at), arena_array(a, n, sizeof *s->n),
	              arena_array(a, n, sizeof *s->none)};
	if (!s->off || !s->at || !s->n || !s->none) return false;
	memset(s->none, true, n);
	return true;
}

/* n indices of the dim from `off` on */
static var rows_of(const taking *c, var x, int64_t off, int64_t n)
{
	const bool all = n == build_type(c->p->b, x)->dims[c->dim];

	return all ? x : emit_part(c->p->b, x, c->dim, off, off + n);
}

static bool send(const taking *c, var x, const ints *axes, int round, var *out)
{
	const plan *l = c->plan;
	build *b = c->p->b;
	source s;
	int64_t *pairs = arena_array(c->p->scratch, (size_t)l->npieces * 2, sizeof *pairs), same;
	int n = 0;

	if (!pairs || !source_make(c, x, l->block, &s)) return false;
	for (int i = 0; i < l->npieces; i++) {
		const piece *a = &l->piece[i];
		if (a->round != round) continue;
		s.none[a->from] = false;
		s.off[a->from] = sent_from(l, a);
		pairs[n++] = a->from;
		pairs[n++] = a->to;
	}
	if (all_same(s.off, s.none, l->parts, &same))
		x = rows_of(c, x, same, l->rows[round]);
	else
		x = emit_part_at(b, x, c->dim, by_part(c, s.off, s.none, 0), l->rows[round]);
	*out = emit(b, &tsr__prim_ppermute, &(ppermute_params){{*axes, {0, NULL}}, {n, pairs}}, &x,
	            1);
	return !build_failed(b);
}

/* Pieces of the device's own block that several windows need are as many sources */
static bool sources_of(const taking *c, const var *sent, var x, int window, source *s, int *n)
{
	const plan *l = c->plan;
	int first = 0; /* of this round */

	*n = 0;
	for (int round = -1; round < l->nrounds; round++, first = *n)
		for (int i = 0; i < l->npieces; i++) {
			const piece *a = &l->piece[i];
			int to = first;
			if (a->round != round || a->window != window) continue;
			while (to < *n && !s[to].none[a->to]) to++;
			if (to == *n &&
			    !source_make(c, round < 0 ? x : sent[round],
			                 round < 0 ? l->block : l->rows[round], &s[(*n)++]))
				return false;
			s[to].none[a->to] = false;
			s[to].off[a->to] = a->off - (round < 0 ? 0 : sent_from(l, a));
			s[to].at[a->to] = a->at;
			s[to].n[a->to] = a->n;
		}
	return true;
}

/* ---- a window, put together */

/* In all parts that have any of it, a source has the same place in the window, and the sources are
 * side by side: `order` gets them in order */
static bool side_by_side(const taking *c, const source *s, int n, int64_t length, int *order)
{
	const int64_t parts = c->plan->parts;
	int64_t end = 0, off, at, rows;
	int done = 0;

	while (done < n) {
		int next = -1;
		for (int i = 0; i < n; i++) {
			if (!all_same(s[i].off, s[i].none, parts, &off) ||
			    !all_same(s[i].at, s[i].none, parts, &at) ||
			    !all_same(s[i].n, s[i].none, parts, &rows))
				return false;
			if (at != end) continue;
			if (next >= 0) return false;
			order[done] = next = i;
		}
		if (next < 0) return false;
		all_same(s[next].n, s[next].none, parts, &rows);
		end += rows;
		done++;
	}
	return end == length;
}

static var join_sources(const taking *c, const source *s, const int *order, int n)
{
	build *b = c->p->b;
	var *part = var_room(b, n);

	for (int i = 0; part && i < n; i++) {
		const source *from = &s[order[i]];
		int64_t off, rows;
		all_same(from->off, from->none, c->plan->parts, &off);
		all_same(from->n, from->none, c->plan->parts, &rows);
		part[i] = rows_of(c, from->v, off, rows);
	}
	if (!part) build_fail(b);
	return build_failed(b) ? (var){0} : emit_join(b, part, n, c->dim);
}

/* a source moved so that its rows are where they belong in the window */
static var moved(const taking *c, const source *s, int64_t length)
{
	build *b = c->p->b;
	const int64_t parts = c->plan->parts;
	int64_t *by = arena_array(c->p->scratch, (size_t)parts + 1, sizeof *by), same;
	int64_t before = 0, behind = 0;

	if (!by) build_fail(b);
	if (build_failed(b)) return (var){0};
	const var zero = emit_scalar(b, build_type(b, s->v)->dtype, 0);
	for (int64_t k = 0; k < parts; k++) by[k] = s->off[k] - s->at[k];
	if (all_same(by, s->none, parts, &same))
		return emit_pad_dim(b, s->v, c->dim, -same, length + same - s->rows, zero);
	for (int64_t k = 0; k < parts; k++) {
		if (s->none[k]) continue;
		if (-by[k] > before) before = -by[k];
		if (by[k] + length - s->rows > behind) behind = by[k] + length - s->rows;
	}
	for (int64_t k = 0; k < parts; k++) by[k] += before;
	const var room = emit_pad_dim(b, s->v, c->dim, before, behind, zero);
	return emit_part_at(b, room, c->dim, by_part(c, by, s->none, 0), length);
}

/* true where the window has the rows of a source */
static var stands(const taking *c, const source *s, var like, int64_t length)
{
	build *b = c->p->b;
	const type *t = build_type(b, like);
	const int64_t parts = c->plan->parts;
	int64_t *some = arena_array(c->p->scratch, 3 * ((size_t)parts + 1), sizeof *some);
	var from = {0}, to = {0};

	if (!some) build_fail(b);
	if (build_failed(b)) return from;
	int64_t *first = some + parts, *end = first + parts, at, stop;
	for (int64_t k = 0; k < parts; k++) {
		some[k] = !s->none[k];
		first[k] = s->none[k] ? length : s->at[k];
		end[k] = s->none[k] ? 0 : s->at[k] + s->n[k];
	}
	const bool from_0 = all_same(first, s->none, parts, &at) && at == 0;
	const bool to_end = all_same(end, s->none, parts, &stop) && stop == length;
	if (from_0 && to_end)
		return emit_2(b, &tsr__prim_gt, by_part(c, some, NULL, 0), number(c, 0));
	const var place = emit_places(b, t->dims, t->ndim, c->dim, number(c, 0));
	if (!from_0) {
		from = by_part(c, first, to_end ? NULL : s->none, 0);
		from = emit_2(b, &tsr__prim_ge, place, emit_spread(b, from, place));
	}
	if (!to_end) {
		to = emit_spread(b, by_part(c, end, NULL, 0), place);
		to = emit_2(b, &tsr__prim_lt, place, to);
	}
	return from_0 ? to : to_end ? from : emit_2(b, &tsr__prim_and, from, to);
}

static var put_together(const taking *c, const source *s, int n, var x, int64_t length)
{
	build *b = c->p->b;
	int *order = arena_array(c->p->scratch, (size_t)n + 1, sizeof *order);

	if (!order) build_fail(b);
	if (build_failed(b)) return (var){0};
	if (n && side_by_side(c, s, n, length, order)) return join_sources(c, s, order, n);
	if (!n) { /* nobody needs any of it */
		const var zero = emit_scalar(b, build_type(b, x)->dtype, 0);
		return emit_pad_dim(b, emit_part(b, x, c->dim, 0, 0), c->dim, 0, length, zero);
	}
	var y = moved(c, &s[0], length);
	for (int i = 1; i < n && !build_failed(b); i++)
		y = emit_select(b, stands(c, &s[i], y, length), moved(c, &s[i], length), y);
	return y;
}

/* the places of a window that must be right */
static index_range places_of(const window *w, int64_t k)
{
	const index_range need = w->needs[k];

	return (index_range){need.first - w->first[k], need.end - w->first[k]};
}

/* In no part do two of the windows need the same place: one will do for all of them */
static bool apart(const window *const *w, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++) {
			if (w[i]->length != w[j]->length) return false;
			for (int64_t k = 0; k < w[i]->parts; k++) {
				const index_range a = places_of(w[i], k), b = places_of(w[j], k);
				if (a.first < b.end && b.first < a.end && a.first < a.end &&
				    b.first < b.end)
					return false;
			}
		}
	return true;
}

static bool take(const taking *c, const window *const *w, int n, const ints *axes, var x, var *out)
{
	const plan *l = c->plan;
	arena *a = c->p->scratch;
	source *s = arena_array(a, (size_t)l->nrounds + (size_t)n + 1, sizeof *s);
	var *sent = arena_array(a, (size_t)l->nrounds + 1, sizeof *sent);
	const bool one = apart(w, n);
	int nsources;

	if (!s || !sent) return false;
	for (int i = 0; i < l->nrounds; i++)
		if (!send(c, x, axes, i, &sent[i])) return false;
	for (int i = 0; one && i < l->npieces; i++) l->piece[i].window = 0;
	for (int i = 0; i < n; i++) {
		out[i] = out[0];
		if (one && i) continue;
		if (!sources_of(c, sent, x, i, s, &nsources)) return false;
		out[i] = put_together(c, s, nsources, x, w[i]->length);
		if (build_failed(c->p->b)) return false;
	}
	return true;
}

bool windows_take(partitioning *p, var x, int dim, const ints *axes, var part, bool cut,
                  const window *const *w, int n, var *out)
{
	plan l;
	const taking c = {p, &l, dim, part};

	return plan_make(p, w, n, cut, &l) && take(&c, w, n, axes, x, out);
}

/* none of the indices of a dim: the same on all devices along the axes, whatever x is */
static var nothing_of(partitioning *p, var x, int dim, const ints *axes)
{
	const type *t = build_type(p->b, x);
	int64_t *dims = arena_array(p->scratch, (size_t)t->ndim, sizeof *dims);
	axis_set varying = t->varying;

	for (int d = 0; dims && d < t->ndim; d++) dims[d] = d == dim ? 0 : t->dims[d];
	for (int i = 0; i < axes->n; i++) varying &= ~axis_bit(axes->v[i]);
	t = dims ? type_shaped(build_ir(p->b), t, dims, t->ndim, varying) : NULL;
	if (t) return emit_zeros(p->b, t);
	build_fail(p->b);
	return (var){0};
}

bool window_share(partitioning *p, var x, int dim, const ints *axes, const window *w, var *out)
{
	build *b = p->b;
	const int64_t block = build_type(b, x)->dims[dim];
	const index_range need = w->needs[0];
	const var zero = emit_scalar(b, build_type(b, x)->dtype, 0);
	const int64_t most = block ? (need.end - need.first) / block + 3 : 1; /* pieces */
	var *part = arena_array(p->scratch, (size_t)most, sizeof *part);
	int n = 0;

	if (!part) return false;
	if (need.first == need.end) part[0] = nothing_of(p, x, dim, axes);
	for (int64_t at = need.first; at < need.end;) {
		const int64_t source = at / block, begin = source * block;
		const int64_t stop = need.end < begin + block ? need.end : begin + block;
		const pbroadcast_params from = {{*axes, {0, NULL}}, source, COLL_TO_INVARYING};
		const var sent = emit_part(b, x, dim, at - begin, stop - begin);
		part[n++] = emit(b, &tsr__prim_pbroadcast, &from, &sent, 1);
		at = stop;
	}
	if (build_failed(b)) return false;
	const int64_t low = need.first - w->first[0], high = w->length - low;
	*out = emit_pad_dim(b, emit_join(b, part, n ? n : 1, dim), dim, low,
	                    high - (need.end - need.first), zero);
	return !build_failed(b);
}

bool window_start(partitioning *p, const window *w, var part, var *out)
{
	const plan l = {.parts = w->parts};
	const taking c = {p, &l, 0, part};
	int64_t *first = arena_array(p->scratch, (size_t)w->parts + 1, sizeof *first);

	if (!first) return false;
	for (int64_t k = 0; k < w->parts; k++) first[k] = w->first[k] - w->shift;
	*out = by_part(&c, first, NULL, 0);
	return !build_failed(p->b);
}
