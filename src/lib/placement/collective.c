/* collective.c - the public collectives: axis names looked up, operands cast to vary over them,
 * groups and permutations read. */
#include "lib/lib.h"

/* what every collective starts with */
typedef struct coll_call {
	call_site site;
	tsr *x; /* varies over the axes */
	int64_t axes[MAX_AXES];
	collective on;
	int64_t size; /* of the named axes */
	ints *group;  /* storage of on.groups */
	int64_t *member;
	int64_t *pairs; /* of a permutation */
} coll_call;

static void coll_end(coll_call *s)
{
	if (!s->site.ctx) return;
	mem_free(&s->site.ctx->base, s->group);
	mem_free(&s->site.ctx->base, s->member);
	mem_free(&s->site.ctx->base, s->pairs);
}

/* the number of members of all groups; false: one is empty, or there is no list */
static bool groups_count(const tsr_groups *g, size_t *total)
{
	*total = 0;
	for (size_t i = 0; i < g->count; i++) {
		const size_t n = g->sizes ? g->sizes[i] : g->size;
		if (n == 0 || n > INT32_MAX || *total > INT32_MAX) return false;
		*total += n;
	}
	return g->member && g->count <= INT32_MAX && *total <= INT32_MAX;
}

static bool groups_read(coll_call *s, const tsr_groups *g)
{
	size_t total;

	if (!g->count) return true;
	if (!groups_count(g, &total))
		return fail_op(&s->site, TSR_ERROR_ARGUMENT,
		               ".groups has an empty group, or no .member list");
	s->group = mem_array(&s->site.ctx->base, g->count, sizeof *s->group);
	s->member = mem_array(&s->site.ctx->base, total, sizeof *s->member);
	if (!s->group || !s->member) return false;
	for (size_t i = 0; i < total; i++) s->member[i] = g->member[i];
	int64_t *at = s->member;
	for (size_t i = 0; i < g->count; i++) {
		const size_t n = g->sizes ? g->sizes[i] : g->size;
		s->group[i] = (ints){(int)n, at};
		at += n;
	}
	s->on.groups = (groups){(int)g->count, s->group};
	return true;
}

static bool axes_begin(coll_call *s, const char *axes)
{
	int n, bound;

	if (!axes_read(&s->site, axes, s->axes, &n)) return false;
	const struct axis *table_of = trace_axes(s->site.ctx, &bound);
	s->on.axes = (ints){n, s->axes};
	s->size = 1;
	for (int i = 0; i < n; i++) s->size *= table_of[s->axes[i]].size;
	return true;
}

/* how many devices exchange with each other; 0: the groups differ in size, which is recorded as an
 * error */
static int64_t members_of_each(const coll_call *s, const tsr_groups *g)
{
	if (!g->count) return s->size;
	if (!g->sizes) return (int64_t)g->size;
	fail_op(&s->site, TSR_ERROR_ARGUMENT, ".groups must all be of one size");
	return 0;
}

/* the named axes of meshes; axes of a vmap are in no varying set */
static axis_set axes_of(const coll_call *s)
{
	int bound;
	const struct axis *table_of = trace_axes(s->site.ctx, &bound);
	axis_set set = 0;

	for (int i = 0; i < s->on.axes.n; i++)
		if (table_of[s->axes[i]].kind == AXIS_MESH) set |= axis_bit(s->axes[i]);
	return set;
}

static bool coll_begin(coll_call *s, const char *where, const char *op, tsr *x, const char *axes,
                       const tsr_groups *g)
{
	*s = (coll_call){.site = {.where = where, .op = op}, .x = x};
	if (!operands_check(&s->site, &x, 1) || !axes_begin(s, axes) || (g && !groups_read(s, g)))
		return false;
	s->x = vary(&s->site, x, axes_of(s));
	return !handle_is_poison(s->x);
}

static tsr *coll_bind(coll_call *s, bool ok, const tsr_prim *prim, const void *params)
{
	tsr *y = ok ? bind(&s->site, prim, params, &s->x, 1) : poison_of(s->site.ctx);

	coll_end(s);
	return y;
}

/* ---- reductions over devices */

/* does the result of a reduction vary? Sums over groups differ from group to group, and in an
 * unchecked region everything varies */
static int reduced_to(const coll_call *s)
{
	return s->on.groups.n || trace_unchecked(s->site.ctx) ? COLL_TO_VARYING : COLL_TO_INVARYING;
}

static tsr *reduce(const char *where, const char *op, const tsr_prim *prim, tsr *x,
                   const char *axes, const tsr_group_args *given)
{
	const tsr_group_args *a = KEYWORDS(tsr_group_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	coll_call s;
	const bool ok = coll_begin(&s, where, op, x, axes, &a->groups);
	const preduce_params p = {s.on, ok ? reduced_to(&s) : 0};

	return coll_bind(&s, ok, prim, &p);
}

/* sums of bool count the true ones, in i32 */
static tsr *countable(const char *where, const char *op, tsr *x)
{
	call_site site = {.where = where, .op = op};

	if (!operands_check(&site, &x, 1)) return poison_of(site.ctx);
	return handle_type(x)->dtype == TSR_BOOL ? convert(&site, x, TSR_I32) : x;
}

tsr *tsr_psum_at(const char *where, tsr *x, const char *axes, const tsr_group_args *given)
{
	const tsr_group_args *a = KEYWORDS(tsr_group_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	x = countable(where, "psum", x);
	return handle_is_poison(x) ? x : reduce(where, "psum", &tsr__prim_psum, x, axes, a);
}

tsr *tsr_pmax_at(const char *where, tsr *x, const char *axes, const tsr_group_args *given)
{
	return reduce(where, "pmax", &tsr__prim_pmax, x, axes, given);
}

tsr *tsr_pmin_at(const char *where, tsr *x, const char *axes, const tsr_group_args *given)
{
	return reduce(where, "pmin", &tsr__prim_pmin, x, axes, given);
}

/* sum / n; integers and bools become floats by the division, floats of 16 bits are f32 until the
 * end. Groups must be of one size, for there is one n */
tsr *tsr_pmean_at(const char *where, tsr *x, const char *axes, const tsr_group_args *given)
{
	const tsr_group_args *a = KEYWORDS(tsr_group_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	x = countable(where, "pmean", x);
	if (handle_is_poison(x)) return x;
	tsr_ctx *ctx = handles_of(x)->ctx;
	coll_call s = {.site = {ctx, where, name_asked(where, "pmean")}};
	if (!axes_begin(&s, axes)) return poison_of(ctx);
	const int64_t n = members_of_each(&s, &a->groups);
	if (!n) return poison_of(ctx);
	const tsr_dtype dtype = handle_type(x)->dtype;
	tsr *wide = convert(&s.site, x, dtype_wide(dtype));
	tsr *sum = reduce(where, "pmean", &tsr__prim_psum, wide, axes, a);
	tsr *y = tsr_div_at(where, (tsr_arg[]){{.kind = TSR_KIND_ONE, .as.one = sum},
	                                       {.kind = TSR_KIND_INT, .as.i = n}});
	return convert(&s.site, y, dtype_inexact(dtype));
}

/* ---- pieces */

static int coll_to(enum tsr_to to)
{
	return to == TSR_TO_INVARYING ? COLL_TO_INVARYING : COLL_TO_VARYING;
}

tsr *tsr_all_gather_at(const char *where, tsr *x, const char *axes,
                       const tsr_all_gather_args *given)
{
	const tsr_all_gather_args *a = KEYWORDS(tsr_all_gather_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	coll_call s;
	bool ok = coll_begin(&s, where, "all_gather", x, axes, &a->groups);
	int dim = 0;

	ok = ok && one_dim_read(&s.site, &a->dim, handle_type(s.x)->ndim + !a->tiled, 0, &dim);
	const all_gather_params p = {s.on, dim, a->tiled, coll_to(a->to)};
	return coll_bind(&s, ok, &tsr__prim_all_gather, &p);
}

tsr *tsr_psum_scatter_at(const char *where, tsr *x, const char *axes,
                         const tsr_psum_scatter_args *given)
{
	const tsr_psum_scatter_args *a =
		KEYWORDS(tsr_psum_scatter_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	coll_call s;
	int dim = 0;

	x = countable(where, "psum_scatter", x);
	if (handle_is_poison(x)) return x;
	bool ok = coll_begin(&s, where, "psum_scatter", x, axes, &a->groups);
	ok = ok && one_dim_read(&s.site, &a->dim, handle_type(s.x)->ndim, 0, &dim);
	const psum_scatter_params p = {s.on, dim, a->tiled};
	return coll_bind(&s, ok, &tsr__prim_psum_scatter, &p);
}

static tsr *exchange(const char *where, const char *op, tsr *x, const char *axes,
                     const tsr_all_to_all_args *a)
{
	coll_call s;
	bool ok = coll_begin(&s, where, op, x, axes, &a->groups);
	int split = 0, concat = 0;

	ok = ok && dim_keyword(&s.site, ".split", &a->split, handle_type(s.x)->ndim, 0, &split) &&
	     dim_keyword(&s.site, ".concat", &a->concat, handle_type(s.x)->ndim, 0, &concat);
	const all_to_all_params p = {s.on, split, concat, a->tiled};
	return coll_bind(&s, ok, &tsr__prim_all_to_all, &p);
}

tsr *tsr_all_to_all_at(const char *where, tsr *x, const char *axes,
                       const tsr_all_to_all_args *given)
{
	const tsr_all_to_all_args *a = KEYWORDS(tsr_all_to_all_args, where, tsr_ctx_of(x), given);

	return a ? exchange(where, "all_to_all", x, axes, a) : poison_of(tsr_ctx_of(x));
}

tsr *tsr_pswapaxes_at(const char *where, tsr *x, const char *axes, int dim,
                      const tsr_group_args *given)
{
	const tsr_group_args *a = KEYWORDS(tsr_group_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	const tsr_dims at = TSR_DIMS(dim);
	const tsr_all_to_all_args both = {
		.size = sizeof both, .split = at, .concat = at, .groups = a->groups};

	return exchange(where, "pswapaxes", x, axes, &both);
}

/* ---- permutations */

/* both ends of a pair; false: one is no index, recorded */
static bool pair_ok(const coll_call *s, const int *pair, int64_t size)
{
	const bool ok = pair[0] >= 0 && pair[0] < size && pair[1] >= 0 && pair[1] < size;

	return ok || fail_op(&s->site, TSR_ERROR_ARGUMENT,
	                     "the pair {%d, %d} is out of range: indices are 0 to %lld", pair[0],
	                     pair[1], (long long)size - 1);
}

static bool perm_read(coll_call *s, const tsr_perm *perm, int *n)
{
	const int64_t size = s->on.groups.n ? s->on.groups.group[0].n : s->size;
	const size_t count = perm->pairs ? perm->count : (size_t)size;

	if (perm->count && !perm->pairs)
		return fail_op(&s->site, TSR_ERROR_ARGUMENT, "the list of %zu pairs is NULL",
		               perm->count);
	if (count > (size_t)size || size > INT32_MAX / 2)
		return fail_op(&s->site, TSR_ERROR_ARGUMENT,
		               "%zu pairs for %lld indices: each can be the source of one pair",
		               count, (long long)size);
	s->pairs = mem_array(&s->site.ctx->base, count + 1, 2 * sizeof *s->pairs);
	if (!s->pairs) return false;
	*n = 2 * (int)count;
	for (size_t i = 0; i < count; i++) {
		const int64_t k = (int64_t)i;
		if (perm->pairs && !pair_ok(s, perm->pairs[i], size)) return false;
		s->pairs[2 * i] = perm->pairs ? perm->pairs[i][0] : k;
		s->pairs[2 * i + 1] =
			perm->pairs ? perm->pairs[i][1] : (k + perm->shift % size + size) % size;
	}
	return true;
}

tsr *tsr_ppermute_at(const char *where, tsr *x, const char *axes, tsr_perm perm,
                     const tsr_group_args *given)
{
	const tsr_group_args *a = KEYWORDS(tsr_group_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	coll_call s;
	int n = 0;
	const bool ok =
		coll_begin(&s, where, "ppermute", x, axes, &a->groups) && perm_read(&s, &perm, &n);

	return coll_bind(&s, ok, &tsr__prim_ppermute, &(ppermute_params){s.on, {n, s.pairs}});
}

/* the pairs {source[i], i}; they must be a permutation of all `size` indices */
static bool shuffle_read(coll_call *s, const int *source, size_t n)
{
	const int64_t size = s->on.groups.n ? s->on.groups.group[0].n : s->size;
	bool *seen = mem_array(&s->site.ctx->base, (size_t)size, sizeof *seen);
	bool whole = source && n == (size_t)size;

	s->pairs = mem_array(&s->site.ctx->base, (size_t)size, 2 * sizeof *s->pairs);
	if (!seen || !s->pairs) return mem_free(&s->site.ctx->base, seen), false;
	for (int64_t i = 0; whole && i < size; i++) {
		whole = source[i] >= 0 && source[i] < size && !seen[source[i]];
		if (whole) seen[source[i]] = true;
		s->pairs[2 * i] = source[i];
		s->pairs[2 * i + 1] = i;
	}
	mem_free(&s->site.ctx->base, seen);
	return whole || fail_op(&s->site, TSR_ERROR_ARGUMENT,
	                        "the list of %zu sources%s is not a permutation of %lld indices: "
	                        "each from 0 to %lld must be in it once",
	                        n, source ? "" : " (NULL)", (long long)size, (long long)(size - 1));
}

/* source[i] is where the value of index i comes from */
tsr *tsr_pshuffle_at(const char *where, tsr *x, const char *axes, const int *source, size_t n,
                     const tsr_group_args *given)
{
	const tsr_group_args *a = KEYWORDS(tsr_group_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	coll_call s;
	const bool ok = coll_begin(&s, where, "pshuffle", x, axes, &a->groups) &&
	                shuffle_read(&s, source, n);
	const ppermute_params p = {s.on, {ok ? 2 * (int)n : 0, s.pairs}};

	return coll_bind(&s, ok, &tsr__prim_ppermute, &p);
}

tsr *tsr_pbroadcast_at(const char *where, tsr *x, const char *axes, int source,
                       const tsr_pbroadcast_args *given)
{
	const tsr_pbroadcast_args *a = KEYWORDS(tsr_pbroadcast_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	coll_call s;
	const bool ok = coll_begin(&s, where, "pbroadcast", x, axes, &a->groups);
	const pbroadcast_params p = {s.on, source, coll_to(a->to)};

	return coll_bind(&s, ok, &tsr__prim_pbroadcast, &p);
}

/* ---- about axes */

tsr *tsr_axis_index_at(const char *where, tsr_ctx *ctx, const char *axes,
                       const tsr_group_args *given)
{
	const tsr_group_args *a = KEYWORDS(tsr_group_args, where, ctx, given);
	if (!a) return poison_of(ctx);
	coll_call s = {.site = {ctx, where, "axis_index"}};
	if (!ctx_ok(where, s.site.op, ctx)) return poison_of(ctx);
	tsr *y = poison_of(ctx);
	if (axes_begin(&s, axes) && groups_read(&s, &a->groups))
		y = bind(&s.site, &tsr__prim_axis_index, &(axes_params){s.on}, NULL, 0);
	coll_end(&s);
	return y;
}

/* groups are checked by asking for the index within them; nothing uses that index, so no program
 * keeps it */
int64_t tsr_axis_size_at(const char *where, tsr_ctx *ctx, const char *axes,
                         const tsr_group_args *given)
{
	const tsr_group_args *a = KEYWORDS(tsr_group_args, where, ctx, given);
	if (!a) return 0;
	coll_call s = {.site = {ctx, where, "axis_size"}};

	if (!ctx_ok(where, s.site.op, ctx) || !axes_begin(&s, axes)) return 0;
	if (a->groups.count && handle_is_poison(tsr_axis_index_at(where, ctx, axes, a))) return 0;
	return members_of_each(&s, &a->groups);
}

tsr *tsr_pcast_at(const char *where, tsr *x, const char *axes, const tsr_pcast_args *given)
{
	const tsr_pcast_args *a = KEYWORDS(tsr_pcast_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	coll_call s = {.site = {.where = where, .op = "pcast"}, .x = x};

	if (!operands_check(&s.site, &x, 1) || !axes_begin(&s, axes)) return poison_of(s.site.ctx);
	if (a->to != TSR_TO_VARYING)
		return refuse(
			&s.site, TSR_ERROR_SHARDING,
			"pcast can only go to varying: to make a value invarying use psum, pmax, "
			"or all_gather with .to = TSR_TO_INVARYING");
	const axis_set mesh_axes = axes_of(&s);
	if (trace_unchecked(s.site.ctx) || !mesh_axes) return vary(&s.site, x, mesh_axes);
	return bind(&s.site, &tsr__prim_pcast, &(pcast_params){s.on.axes}, &x, 1);
}

tsr *tsr_ragged_all_to_all_at(const char *where, tsr *operand, tsr *output, tsr *input_offsets,
                              tsr *send_sizes, tsr *output_offsets, tsr *recv_sizes,
                              const char *axes, const tsr_group_args *given)
{
	const tsr_group_args *a = KEYWORDS(tsr_group_args, where, tsr_ctx_of(operand), given);
	if (!a) return poison_of(tsr_ctx_of(operand));
	tsr *x[6] = {operand, output, input_offsets, send_sizes, output_offsets, recv_sizes};
	coll_call s = {.site = {.where = where, .op = "ragged_all_to_all"}};

	if (!operands_check(&s.site, x, 6) || !axes_begin(&s, axes) ||
	    !groups_read(&s, &a->groups)) {
		coll_end(&s);
		return poison_of(s.site.ctx);
	}
	const axis_set all = axes_of(&s) | varying_of(&s.site, x, 6);
	for (int i = 0; i < 6; i++) x[i] = vary(&s.site, x[i], all);
	bool ok = true;
	for (int i = 0; i < 6; i++) ok = ok && !handle_is_poison(x[i]);
	tsr *y = ok ? bind(&s.site, &tsr__prim_ragged_all_to_all, &(axes_params){s.on}, x, 6)
	            : poison_of(s.site.ctx);
	coll_end(&s);
	return y;
}
