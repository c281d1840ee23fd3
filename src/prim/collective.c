/* collective.c - what all collectives share, and the rows that exchange nothing: axis_index, pcast,
 * assume_equal. */
#include "prim/collective.h"

const char *const coll_to_words[] = {"varying", "invarying", NULL};

/* ---- texts of messages */

const char *collective_text(build *b, str *s)
{
	const char *text = s->s && !s->lost ? arena_str(build_arena(b), s->s) : NULL;

	str_free(s);
	return text ? text : "?";
}

const char *collective_axes_text(build *b, const ints *axes)
{
	str s = {.base = build_base(b)};
	int naxes;
	const axis *axes_known = build_axes(b, &naxes);

	for (int i = 0; i < axes->n; i++)
		str_printf(&s, "%s%s", i ? "," : "(", axes_known[axes->v[i]].name);
	str_put(&s, ")");
	return collective_text(b, &s);
}

const char *collective_type_text(build *b, const type *t)
{
	str s = {.base = build_base(b)};
	int naxes;
	const axis *axes_known = build_axes(b, &naxes);

	type_text(&s, t, axes_known, naxes);
	return collective_text(b, &s);
}

/* ---- checks */

static bool check_axes(build *b, const eqn *e, const ints *axes, members *m)
{
	int naxes;
	const axis *axes_known = build_axes(b, &naxes);
	axis_set named = 0;

	*m = (members){.size = 1};
	if (axes->n < 1)
		return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
		            "%s needs at least one axis name", e->prim->name);
	for (int i = 0; i < axes->n; i++) {
		if (axes->v[i] < 0 || axes->v[i] >= naxes)
			return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
			            "%s names an unbound axis; to fix this, call it under "
			            "shard_map", e->prim->name);
		const axis *a = &axes_known[axes->v[i]];
		const axis_set one = axis_bit(axes->v[i]);
		if (named & one)
			return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
			            "%s names axis '%s' twice", e->prim->name, a->name);
		if (!mul_ok(m->size, a->size, &m->size))
			return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
			            "%s acts over more devices than can be numbered",
			            e->prim->name);
		named |= one;
		if (a->kind == AXIS_MESH) m->set |= one;
	}
	m->n = m->size;
	return true;
}

static bool fail_groups(build *b, const eqn *e, const collective *on, const members *m,
                        int64_t member, const char *problem)
{
	return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
	            "%s: axis_index_groups must cover all indices exactly once, but %lld of 0 .. "
	            "%lld over axis name %s %s",
	            e->prim->name, (long long)member, (long long)m->size - 1,
	            collective_axes_text(b, &on->axes), problem);
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
			return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
			            "%s: axis_index_groups has an empty group", e->prim->name);
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

	return check_axes(b, e, &on->axes, m) && (!on->groups.n || check_groups(b, e, on, m));
}

bool collective_equal_groups(build *b, const eqn *e, const members *m)
{
	return m->n || fail(build_base(b), e->where, TSR_ERROR_SHARDING,
	                    "%s: axis_index_groups must all be the same size", e->prim->name);
}

bool collective_varies(build *b, const eqn *e, const type *operand, const members *m)
{
	if (!(m->set & ~operand->varying)) return true;
	return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
	            "Collective %s must be applied to a device-varying type, but got %s for "
	            "collective acting over axis name %s; use pcast on it first",
	            e->prim->name, collective_type_text(b, operand),
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
	            "%s: %s %lld is out of range [0, %d) for operand %s", e->prim->name, what,
	            (long long)dim, limit, collective_type_text(b, operand));
}

bool collective_member(build *b, const eqn *e, const char *what, int64_t member, const members *m)
{
	if (member >= 0 && member < m->n) return true;
	return fail(build_base(b), e->where, TSR_ERROR_ARGUMENT,
	            "%s %s %lld is out of range: %lld devices exchange over axis name %s",
	            e->prim->name, what, (long long)member, (long long)m->n,
	            collective_axes_text(b, &((const collective *)e->params)->axes));
}

const type *collective_result(build *b, const eqn *e, const type *t, int to, const members *m)
{
	const collective *on = e->params;

	if (to != COLL_TO_INVARYING) return t;
	if (!on->groups.n) return type_vary(build_ir(b), t, t->varying & ~m->set);
	fail(build_base(b), e->where, TSR_ERROR_SHARDING,
	     "%s with axis_index_groups keeps varying over axis name %s: its result differs "
	     "between groups, so it cannot go to invarying",
	     e->prim->name, collective_axes_text(b, &on->axes));
	return NULL;
}

/* ---- shapes and bytes */

const type *collective_redim(build *b, const type *operand, const int64_t *dims, int ndim)
{
	return type_make(build_ir(b), operand->dtype, dims, ndim, operand->varying);
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

/* ---- factors */

void collective_factors_same(const eqn *e, const type *const *in, const type *const *out,
                             factors *f)
{
	(void)out;
	for (int d = 0; d < in[0]->ndim; d++) {
		const int one = factor_new(f, in[0]->dims[d], FACTOR_PASS);
		factor_at(f, 0, d, one);
		factor_at(f, e->nin, d, one);
	}
}

int collective_whole(factors *f, int64_t size) { return factor_new(f, size, FACTOR_REPLICATE); }

/* ---- axis_index: the position of the device over the named axes; with groups, within its group.
 * It varies over those axes */

static bool axis_index_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	members m;

	(void)in;
	if (!collective_check(b, e, &m)) return false;
	if (m.size > (int64_t)INT32_MAX + 1)
		return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
		            "axis_index over axis name %s does not fit i32",
		            collective_axes_text(b, &((const collective *)e->params)->axes));
	return (out[0] = type_make(build_ir(b), TSR_I32, NULL, 0, m.set));
}

static void axis_index_factors(const eqn *e, const type *const *in, const type *const *out,
                               factors *f)
{
	(void)e, (void)in, (void)out, (void)f; /* a scalar has no dims */
}

static void axis_index_eval(const eval_args *a)
{
	const collective *on = a->eqn->params;

	for (int k = 0; k < a->n; k++)
		*(int32_t *)a->y[k] = (int32_t)(on->groups.n ? k : a->index[k]);
}

static const field axes_fields[] = {COLLECTIVE_FIELDS(axes_params), {NULL, 0, 0, NULL}};

const tsr_prim tsr__prim_axis_index = {
	.name = "axis_index",
	.doc = "which device this is along mesh axes",
	.flags = PRIM_COLLECTIVE | PRIM_OWN_VARYING, .nin = 0, .nout = 1, .params = axes_fields,
	.types = axis_index_types, .factors = axis_index_factors, .eval = axis_index_eval,
	.batch = axis_index_batch,
	TSR_NO_RULE(COL_MEMBERS, "it exchanges nothing: its value is the number of the member"),
	TSR_NO_RULE(COL_JVP, "it has no operand"), TSR_NO_RULE(COL_TRANSPOSE, "it has no operand"),
	TSR_NO_RULE(COL_LOWER, "its value is known to the schedule of an engine"),
};

/* ---- pcast: invarying -> varying. Each device already holds the value, so nothing moves */

static bool pcast_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const pcast_params *p = e->params;
	members m;

	if (!check_axes(b, e, &p->axes, &m)) return false;
	if (in[0]->varying & m.set)
		return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
		            "Unsupported pcast from=varying, to=varying: pcast is an "
		            "invarying->varying collective, so none of the axes "
		            "%s may be among those the operand varies over, but got %s",
		            collective_axes_text(b, &p->axes), collective_type_text(b, in[0]));
	return (out[0] = type_vary(build_ir(b), in[0], in[0]->varying | m.set));
}

static void pcast_eval(const eval_args *a)
{
	collective_copy(a->y[0], a->x[0], collective_bytes(a->out[0]));
}

static kvar pcast_lower(kernel *k, const eqn *e, const kvar *index)
{
	return k_operand(k, e, 0, index);
}

static const field pcast_fields[] = {
	{"axes", offsetof(pcast_params, axes), FIELD_AXES, NULL},
	{NULL, 0, 0, NULL},
};

const tsr_prim tsr__prim_pcast = {
	.name = "pcast",
	.doc = "the same value, allowed to vary over more axes; moves nothing",
	.flags = PRIM_OWN_VARYING, .nin = 1, .nout = 1, .params = pcast_fields,
	.types = pcast_types, .factors = collective_factors_same, .eval = pcast_eval,
	.jvp = jvp_linear, .transpose = pcast_transpose, .batch = pcast_batch,
	.lower = pcast_lower,
};

/* ---- assume_equal: the caller's promise that all devices along the axes hold the same value;
 * everyone gets that of index 0, so that the result does not vary even where the promise is broken
 */

static bool assume_equal_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	members m;

	if (!collective_begin(b, e, in[0], &m)) return false;
	if (((const collective *)e->params)->groups.n)
		return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
		            "assume_equal takes no axis_index_groups: its result would differ "
		            "between them");
	return (out[0] = type_vary(build_ir(b), in[0], in[0]->varying & ~m.set));
}

static void assume_equal_eval(const eval_args *a)
{
	for (int k = 0; k < a->n; k++)
		collective_copy(a->y[k], a->x[0], collective_bytes(a->out[0]));
}

const tsr_prim tsr__prim_assume_equal = {
	.name = "assume_equal",
	.doc = "the value of index 0 along mesh axes, which the others are promised to equal",
	.flags = PRIM_COLLECTIVE | PRIM_OWN_VARYING, .nin = 1, .nout = 1, .params = axes_fields,
	.types = assume_equal_types, .factors = collective_factors_same, .eval = assume_equal_eval,
	.jvp = jvp_linear, .transpose = assume_equal_transpose, .batch = assume_equal_batch,
	.members = assume_equal_members,
	TSR_NO_RULE(COL_LOWER, EXCHANGED),
};
