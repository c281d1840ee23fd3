/* collective.c - checks collectives, infers their types and factors, and holds the pieces of
 * their columns transpose and members. */
#include "prim/collective/collective.h"

const char *const coll_to_words[] = {"varying", "invarying", NULL};

/* ---- texts of messages */

const char *collective_axes_text(build *b, const ints *axes)
{
	str s = {.base = build_base(b)};
	int naxes;
	const axis *axes_known = build_axes(b, &naxes);

	for (int i = 0; i < axes->n; i++)
		str_printf(&s, "%s%s", i ? "," : "(", axes_known[axes->v[i]].name);
	str_put(&s, ")");
	return words_of(b, &s);
}

const char *collective_type_text(build *b, const type *t)
{
	str s = {.base = build_base(b)};
	int naxes;
	const axis *axes_known = build_axes(b, &naxes);

	type_text(&s, t, axes_known, naxes);
	return words_of(b, &s);
}

/* ---- checks */

bool collective_axes(build *b, const eqn *e, const ints *axes, members *m)
{
	int naxes;
	const axis *axes_known = build_axes(b, &naxes);
	axis_set named = 0;

	*m = (members){.size = 1};
	if (axes->n < 1)
		return fail_sharding(b, e, "%s needs at least one axis name", eqn_name(b, e));
	for (int i = 0; i < axes->n; i++) {
		if (axes->v[i] < 0 || axes->v[i] >= naxes)
			return fail_sharding(b, e, "%s names an unbound axis; to fix this, call it "
			                     "under shard_map", eqn_name(b, e));
		const axis *a = &axes_known[axes->v[i]];
		const axis_set one = axis_bit(axes->v[i]);
		if (named & one)
			return fail_sharding(b, e, "%s names axis '%s' twice", eqn_name(b, e),
			                     a->name);
		if (!mul_ok(m->size, a->size, &m->size))
			return fail_sharding(b, e, "%s acts over more devices than can be numbered",
			                     eqn_name(b, e));
		named |= one;
		if (a->kind == AXIS_MESH) m->set |= one;
	}
	m->n = m->size;
	return true;
}

static bool fail_groups(build *b, const eqn *e, const collective *on, const members *m,
                        int64_t member, const char *problem)
{
	return fail_sharding(b, e, "%s: .groups must cover all indices exactly once, but %lld of 0 "
	                     ".. %lld over axis name %s %s", eqn_name(b, e), (long long)member,
	                     (long long)m->size - 1, collective_axes_text(b, &on->axes), problem);
}

/* seen: one byte for each flattened index */
static bool mark_members(build *b, const eqn *e, const collective *on, const members *m, char *seen)
{
	for (int g = 0; g < on->groups.n; g++)
		for (int i = 0; i < on->groups.group[g].n; i++) {
			const int64_t k = on->groups.group[g].v[i];
			if (k < 0 || k >= m->size)
				return fail_groups(b, e, on, m, k, "is out of range");
			if (seen[k]++) return fail_groups(b, e, on, m, k, "is there twice");
		}
	for (int64_t k = 0; k < m->size; k++)
		if (!seen[k]) return fail_groups(b, e, on, m, k, "is missing");
	return true;
}

static bool check_groups(build *b, const eqn *e, const collective *on, members *m)
{
	for (int g = 0; g < on->groups.n; g++) {
		const int n = on->groups.group[g].n;
		if (n < 1)
			return fail_sharding(b, e, "%s: .groups has an empty group",
			                     eqn_name(b, e));
		m->n = g == 0 || m->n == n ? n : 0;
	}
	char *seen = mem_array(build_base(b), (size_t)m->size, 1);
	const bool ok = seen && mark_members(b, e, on, m, seen);
	mem_free(build_base(b), seen);
	return ok;
}

bool collective_check(build *b, const eqn *e, members *m)
{
	const collective *on = e->params;

	return collective_axes(b, e, &on->axes, m) && (!on->groups.n || check_groups(b, e, on, m));
}

bool collective_equal_groups(build *b, const eqn *e, const members *m)
{
	return m->n || fail_sharding(b, e, "%s: .groups must all be the same size", eqn_name(b, e));
}

bool collective_varies(build *b, const eqn *e, const type *operand, const members *m)
{
	if (!(m->set & ~operand->varying)) return true;
	return fail_sharding(b, e, "Collective %s must be applied to a device-varying type, but "
	                     "got %s for collective acting over axis name %s; use tsr_pcast on it "
	                     "first", eqn_name(b, e), collective_type_text(b, operand),
	                     collective_axes_text(b, &((const collective *)e->params)->axes));
}

bool collective_begin(build *b, const eqn *e, const type *operand, members *m)
{
	return collective_check(b, e, m) && collective_equal_groups(b, e, m) &&
	       collective_varies(b, e, operand, m);
}

bool collective_dim(build *b, const eqn *e, const char *what, int64_t dim, int limit,
                    const type *operand)
{
	if (dim >= 0 && dim < limit) return true;
	return fail(build_base(b), e->where, TSR_ERROR_ARGUMENT,
	            "%s: %s %lld is out of range [0, %d) for operand %s", eqn_name(b, e), what,
	            (long long)dim, limit, collective_type_text(b, operand));
}

bool collective_member(build *b, const eqn *e, const char *what, int64_t member, const members *m)
{
	if (member >= 0 && member < m->n) return true;
	return fail(build_base(b), e->where, TSR_ERROR_ARGUMENT,
	            "%s %s %lld is out of range: %lld devices exchange over axis name %s",
	            eqn_name(b, e), what, (long long)member, (long long)m->n,
	            collective_axes_text(b, &((const collective *)e->params)->axes));
}

const type *collective_result(build *b, const eqn *e, const type *t, int to, const members *m)
{
	const collective *on = e->params;

	if (to != COLL_TO_INVARYING) return t;
	if (!on->groups.n) return type_vary(build_ir(b), t, t->varying & ~m->set);
	fail_sharding(b, e, "%s with .groups keeps varying over axis name %s: its result differs "
	              "between groups, so it cannot go to invarying", eqn_name(b, e),
	              collective_axes_text(b, &on->axes));
	return NULL;
}

/* ---- shapes and bytes */

const type *collective_redim(build *b, const type *operand, const int64_t *dims, int ndim)
{
	return type_shaped(build_ir(b), operand, dims, ndim, operand->varying);
}

int64_t collective_span(const type *t, int64_t from, int64_t to)
{
	int64_t n = 1;

	for (int64_t d = from; d < to; d++) n *= t->dims[d];
	return n;
}

size_t collective_bytes(const type *t) { return (size_t)t->size * tsr_dtype_size(t->dtype); }

void collective_copy(void *out, const void *in, size_t bytes)
{
	if (bytes) memcpy(out, in, bytes);
}

/* ---- bytes that a device receives */

double received_reduced(const eqn *e, const type *const *in, const type *const *out, double n)
{
	return 2 * received_parts(e, in, out, n);
}

double received_blocks(const eqn *e, const type *const *in, const type *const *out, double n)
{
	(void)e, (void)out;
	return (double)collective_bytes(in[0]) * (n - 1);
}

double received_scattered(const eqn *e, const type *const *in, const type *const *out, double n)
{
	(void)e, (void)in;
	return (double)collective_bytes(out[0]) * (n - 1);
}

double received_parts(const eqn *e, const type *const *in, const type *const *out, double n)
{
	double bytes = 0;

	(void)out;
	for (int i = 0; i < e->nin; i++) bytes += (double)collective_bytes(in[i]);
	return bytes * (n - 1) / n;
}

double received_result(const eqn *e, const type *const *in, const type *const *out, double n)
{
	(void)e, (void)in, (void)n;
	return (double)collective_bytes(out[0]);
}

/* ---- factors */

int collective_whole(factors *f, int64_t size)
{
	return factor_replicated(f, size, "members have places of their own in it");
}

/* ---- transposes */

ints collective_axes_of(build *b, const ints *axes, axis_kind kind)
{
	int naxes;
	const axis *known = build_axes(b, &naxes);
	int64_t *v = ints_room(b, axes->n);
	ints of_kind = {0, v};

	for (int i = 0; v && i < axes->n; i++)
		if (known[axes->v[i]].kind == kind) v[of_kind.n++] = axes->v[i];
	return of_kind;
}

static axis_set axes_set(const ints *axes)
{
	axis_set set = 0;

	for (int i = 0; i < axes->n; i++) set |= axis_bit(axes->v[i]);
	return set;
}

var collective_sum(build *b, var x, ints axes, int to)
{
	const preduce_params p = {.on = {.axes = axes}, .to = to};

	return axes.n ? emit(b, &tsr__prim_psum, &p, &x, 1) : x;
}

var collective_from_invarying(build *b, var ct, const ints *axes)
{
	const ints maps = collective_axes_of(b, axes, AXIS_MAP);
	const ints meshes = collective_axes_of(b, axes, AXIS_MESH);

	return emit_vary(b, collective_sum(b, ct, maps, COLL_TO_INVARYING), axes_set(&meshes));
}

var collective_index(build *b, const collective *on)
{
	return emit(b, &tsr__prim_axis_index, &(axes_params){*on}, NULL, 0);
}

/* ---- members */

/* Of a value that another process has, the part that is here is padded with zeros (members_placed).
 * A part of the value is a part of that with zeros, or that alone */
static bool part_of_placed(build *b, var x, int64_t dim, int64_t start, int64_t stop, var *part)
{
	const eqn *e = build_maker(b, x);
	const pad_params *p = e && e->prim == &tsr__prim_pad ? e->params : NULL;

	if (!p || p->low.v[dim] < 0 || start < p->low.v[dim] || p->interior.v[dim]) return false;
	const var held = e->in[0], zero = e->in[1];
	const int64_t size = build_type(b, held)->dims[dim];
	const int64_t first = start - p->low.v[dim], end = stop - p->low.v[dim];
	if (end > size) return false;
	pad_params own = *p;
	int64_t *low = ints_room(b, p->low.n), *high = ints_room(b, p->low.n);
	if (!low || !high) return false;
	bool rest = false;
	for (int d = 0; d < p->low.n; d++) {
		low[d] = d == dim ? 0 : p->low.v[d];
		high[d] = d == dim ? 0 : p->high.v[d];
		rest = rest || low[d] || high[d] || p->interior.v[d];
	}
	own.low.v = low;
	own.high.v = high;
	*part = members_part(b, held, dim, first, end);
	if (rest) *part = emit(b, &tsr__prim_pad, &own, (var[]){*part, zero}, 2);
	return true;
}

var members_part(build *b, var x, int64_t dim, int64_t start, int64_t stop)
{
	var part;

	if (is_zero(x) || (start == 0 && stop == build_type(b, x)->dims[dim])) return x;
	return part_of_placed(b, x, dim, start, stop, &part)
	               ? part
	               : emit_part(b, x, (int)dim, start, stop);
}

var members_placed(build *b, var part, const type *t, const index_range *box)
{
	int64_t *low = ints_room(b, t->ndim), *high = ints_room(b, t->ndim),
		*none = ints_room(b, t->ndim);
	bool all = true;

	for (int d = 0; none && low && high && d < t->ndim; d++) {
		low[d] = box[d].first;
		high[d] = t->dims[d] - box[d].end;
		all = all && !low[d] && !high[d];
	}
	if (all || !none || !low || !high) return part;
	const pad_params p = {{t->ndim, low}, {t->ndim, high}, {t->ndim, none}};
	return emit(b, &tsr__prim_pad, &p, (var[]){part, emit_scalar(b, t->dtype, 0)}, 2);
}

var members_again(const var *x, int i, const var *made)
{
	return i && x[i].id == x[i - 1].id ? made[i - 1] : (var){0};
}

void members_give_all(var *y, int n, var all)
{
	for (int k = 0; k < n; k++) y[k] = all;
}
