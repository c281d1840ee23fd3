/* reduce_by.c - reductions by a function of the user, of arrays and of windows.
 *
 * Elements are combined along dim 0. Halves are combined at once, until one element is left; an odd
 * one waits. Of five elements, fn = +:
 *
 *	x        1  2  3  4  5
 *	halves   1 + 3  2 + 4       waits: 5
 *	         4      6
 *	halves   4 + 6              waits: 5
 *	result   init + (10 + 5)
 *
 * So there are about log2(n) calls of fn on whole arrays, which any mesh cuts as their operands
 * are. */
#include "lib/arrays/windows.h"

typedef struct reducing {
	call_site site;
	fn *fn;
	arena *scratch;
	const tsr_arg *x; /* whose leaves they are */
	int n;
	tsr **leaf, **init;
} reducing;

static bool alive(tsr *const *x, int n)
{
	for (int i = 0; i < n; i++)
		if (x[i] && handle_is_poison(x[i])) return false;
	return true;
}

static tsr **room_for(const reducing *r)
{
	return arena_array(r->scratch, (size_t)r->n + 1, sizeof(tsr *));
}

static tsr_arg as_arg(const reducing *r, tsr **x)
{
	tsr_arg a = *r->x;

	if (a.kind != TSR_KIND_TREE) return tsr_arg_one(x[0]);
	a.as.tree.leaf = x;
	return a;
}

/* fn(a, b), whose results are like a */
static bool combine(const reducing *r, tsr **a, tsr **b, tsr ***out)
{
	const tsr_arg args[] = {as_arg(r, a), as_arg(r, b)};
	const call_site *s = &r->site;
	results got;

	if (!call_fn(r->fn, s->where, args, 2, r->scratch, NULL, &got, NULL)) return false;
	if (got.n != r->n)
		return fail_op(s, TSR_ERROR_TYPE,
		               "fn must give as many values as it combines, %d, and gives %d", r->n,
		               got.n);
	for (int i = 0; i < r->n; i++) {
		if (!a[i] != !got.leaf[i] || !alive(&got.leaf[i], 1)) return false;
		if (!a[i]) continue;
		const type *t = handle_type(a[i]), *u = handle_type(got.leaf[i]);
		if (!dims_same(t->dims, t->ndim, u->dims, u->ndim) || t->dtype != u->dtype)
			return fail_op(s, TSR_ERROR_TYPE,
			               "fn must combine elements place by place, to values of "
			               "their dtype: of %s[%d dims] it makes %s[%d dims]",
			               tsr_dtype_name(t->dtype), t->ndim, tsr_dtype_name(u->dtype),
			               u->ndim);
	}
	*out = got.leaf;
	return true;
}

/* places first .. end - 1 along dim 0; alone: the dim is dropped, too */
static bool part(const reducing *r, tsr *const *x, int64_t first, int64_t end, bool alone,
                 tsr ***out)
{
	if (!(*out = room_for(r))) return false;
	for (int i = 0; i < r->n; i++) {
		if (!x[i]) continue;
		const type *t = handle_type(x[i]);
		int64_t from[MAX_NDIM] = {first}, to[MAX_NDIM] = {end}, by[MAX_NDIM] = {1};
		for (int d = 1; d < t->ndim; d++) {
			to[d] = t->dims[d];
			by[d] = 1;
		}
		const slice_params p = {{t->ndim, from}, {t->ndim, to}, {t->ndim, by}};
		tsr *y = bind(&r->site, &tsr__prim_slice, &p, &x[i], 1);
		if (alone && !handle_is_poison(y))
			y = reshape_to(&r->site, y, t->dims + 1, t->ndim - 1);
		(*out)[i] = y;
	}
	return alive(*out, r->n);
}

/* x of n elements along dim 0, with init */
static bool tree(const reducing *r, tsr **x, int64_t n, tsr ***out)
{
	tsr **a, **b, **waits = NULL;

	if (!(*out = room_for(r))) return false;
	for (int i = 0; i < r->n; i++) {
		if (!x[i]) continue;
		const type *t = handle_type(x[i]);
		tsr *y = broadcast_to(&r->site, r->init[i], t->dims + 1, t->ndim - 1);
		if (!n && !handle_is_poison(y)) /* a handle of its own */
			y = bind(&r->site, &tsr__prim_copy, NULL, &y, 1);
		(*out)[i] = y;
	}
	if (!alive(*out, r->n)) return false;
	if (!n) return true;
	for (; n > 1; n /= 2) {
		if (n % 2 && (!part(r, x, n - 1, n, true, &a) ||
		              (waits && !combine(r, a, waits, &a))))
			return false;
		if (n % 2) waits = a;
		if (!part(r, x, 0, n / 2, false, &a) || !part(r, x, n / 2, n / 2 * 2, false, &b) ||
		    !combine(r, a, b, &x))
			return false;
	}
	return part(r, x, 0, 1, true, &x) && (!waits || combine(r, x, waits, &x)) &&
	       combine(r, *out, x, out);
}

/* ---- operands */

/* the dims of a list in front, as one */
static tsr *gathered_dims(const reducing *r, tsr *x, const int64_t *dims, int n)
{
	const type *t = handle_type(x);
	int64_t perm[MAX_NDIM], to[MAX_NDIM] = {1};
	bool listed[MAX_NDIM] = {false};
	int k = 0, ndim = 1;

	for (int i = 0; i < n; i++) {
		listed[perm[k++] = dims[i]] = true;
		to[0] *= t->dims[dims[i]];
	}
	for (int d = 0; d < t->ndim; d++) {
		if (listed[d]) continue;
		perm[k++] = d;
		to[ndim++] = t->dims[d];
	}
	x = turn_dims(&r->site, x, perm, t->ndim);
	return handle_is_poison(x) ? x : reshape_to(&r->site, x, to, ndim);
}

/* one initial value for each leaf, of its dtype; all leaves have the same dims */
static bool read_leaves(reducing *r, const leaves *all)
{
	const call_site *s = &r->site;
	const type *first = NULL;

	for (r->n = 0; r->n < all->n && all->leaf[r->n].arg == 0;) r->n++;
	r->leaf = room_for(r);
	r->init = room_for(r);
	if (!r->leaf || !r->init) return false;
	for (int i = 0; i < r->n; i++) {
		tsr *x = r->leaf[i] = all->leaf[i].handle;
		tsr *init = i + r->n < all->n ? all->leaf[i + r->n].handle : NULL;
		if (!x && !init) continue;
		if (!x || !init || all->n != 2 * r->n || handle_type(init)->ndim)
			return fail_op(s, TSR_ERROR_TYPE,
			               "init must have a scalar for each leaf of x");
		const type *t = handle_type(x);
		if (first && !dims_same(first->dims, first->ndim, t->dims, t->ndim))
			return fail_op(s, TSR_ERROR_TYPE,
			               "all leaves of x must have the same dims");
		first = t;
		r->init[i] = convert_as(s, init, etype_of(t));
	}
	return alive(r->init, r->n) &&
	       (first || fail(&s->ctx->base, s->where, TSR_ERROR_ARGUMENT,
	                      "%s got no values", s->op));
}

static const type *type_of_leaves(const reducing *r)
{
	for (int i = 0; i < r->n; i++)
		if (r->leaf[i]) return handle_type(r->leaf[i]);
	return NULL;
}

static bool reduce(reducing *r, const tsr_dims *given, tsr ***out)
{
	int64_t dims[MAX_NDIM], count = 1;
	int n;

	const type *t = type_of_leaves(r);
	if (!dims_read(&r->site, given, t->ndim, dims, &n)) return false;
	for (int i = 0; i < n; i++) count *= t->dims[dims[i]];
	for (int i = 0; i < r->n; i++)
		if (r->leaf[i]) r->leaf[i] = gathered_dims(r, r->leaf[i], dims, n);
	return alive(r->leaf, r->n) && tree(r, r->leaf, count, out);
}

static bool reduce_windows(reducing *r, const tsr_dims *window, const tsr_window_args *a,
                           tsr ***out)
{
	const type *t = type_of_leaves(r);
	int64_t last[MAX_NDIM], count = 1;
	windows w;

	if (!window_args_read(&r->site, t, window, a, &w)) return false;
	for (int i = 0; i < w.n; i++) {
		last[i] = w.n + i;
		count *= w.size[i];
	}
	for (int i = 0; i < r->n; i++) {
		if (!r->leaf[i]) continue;
		const tsr_arg outside = tsr_arg_one(r->init[i]);
		tsr *y = take_patches(&r->site, &w, r->leaf[i], &outside);
		r->leaf[i] = handle_is_poison(y) ? y : gathered_dims(r, y, last, w.n);
	}
	return alive(r->leaf, r->n) && tree(r, r->leaf, count, out);
}

/* ---- the public functions */

typedef struct call {
	call_site site;
	arena *scratch;
	results got;
} call;

/* of windows, if there are keywords; handles in between are freed, results are kept */
static bool run(call *c, tsr_body fn, const tsr_arg *x, const tsr_dims *dims,
                const tsr_window_args *windowed)
{
	reducing r = {.x = x};
	leaves all;

	tsr_ctx *ctx = c->site.ctx = arg_ctx(c->site.where, c->site.op, x, 2, &fn, 1);
	if (!ctx_alive(ctx)) return false;
	ctx_use(ctx);
	if (!(c->scratch = call_arena(ctx))) return false;
	r.site = c->site;
	r.scratch = c->scratch;
	if (!(r.fn = fn_of_body(&c->site, c->scratch, fn, "fn"))) return false;
	tsr_scope *scope = scope_open(&ctx->handles, false);
	int *count = arena_array(c->scratch, 1, sizeof *count);
	bool ok = scope && count && leaves_read(&c->site, c->scratch, x, 2, &all) &&
	          read_leaves(&r, &all) &&
	          (windowed ? reduce_windows(&r, dims, windowed, &c->got.leaf)
	                    : reduce(&r, dims, &c->got.leaf));
	if (count) *count = r.n;
	c->got.n = r.n;
	c->got.shape = (result_shape){1, count};
	for (int i = 0; ok && i < r.n; i++)
		if (c->got.leaf[i]) handle_keep(c->got.leaf[i]);
	scope_close(scope);
	return ok;
}

static tsr *run_alone(const char *where, const char *op, tsr_body fn, const tsr_arg *x,
                      const tsr_dims *dims, const tsr_window_args *windowed)
{
	call c = {.site = {.where = where, .op = op}};
	const bool ok = run(&c, fn, x, dims, windowed);
	tsr *y = result_alone(&c.site, op, ok, &c.got);

	call_arena_free(c.site.ctx, c.scratch);
	return y;
}

tsr *tsr_reduce_at(const char *where, tsr_body fn, tsr_arg x, tsr_arg init,
                   const tsr_reduce_by_args *given)
{
	const tsr_reduce_by_args *a = KEYWORDS(tsr_reduce_by_args, where, NULL, given);

	return a ? run_alone(where, "reduce", fn, (tsr_arg[]){x, init}, &a->dims, NULL)
	         : poison_of(NULL);
}

void tsr_reduce_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_body fn,
                        tsr_arg x, tsr_arg init, const tsr_reduce_by_args *given)
{
	const tsr_reduce_by_args *a = KEYWORDS(tsr_reduce_by_args, where, NULL, given);
	call c = {.site = {.where = where, .op = "reduce"}};
	const bool ok = a && run(&c, fn, (tsr_arg[]){x, init}, &a->dims, NULL);

	results_into(&c.site, c.scratch, ok, outs, nout, &c.got);
	call_arena_free(c.site.ctx, c.scratch);
}

tsr *tsr_reduce_window_by_at(const char *where, tsr_body fn, tsr_arg x, tsr_arg init,
                             tsr_dims window, const tsr_window_args *given)
{
	const tsr_window_args *a = KEYWORDS(tsr_window_args, where, NULL, given);

	return a ? run_alone(where, "reduce_window_by", fn, (tsr_arg[]){x, init}, &window, a)
	         : poison_of(NULL);
}
