/* associative_scan.c - all partial results of an associative function of two elements.
 *
 * Neighbours are combined in pairs, and the pairs, half as many, are scanned by recursion: these
 * are the results at odd places. A result at an even place is the one before it, combined with the
 * element there. For addition:
 *
 *	x                1  2  3  4  5
 *	pairs               3     7
 *	scan of these       3    10
 *	result           1  3  6 10 15
 *
 * 1 is x[0] itself, 6 = 3 + 3 and 15 = 10 + 5. */
#include "lib/lib.h"

typedef struct assoc {
	call_site site;
	fn *fn;
	arena *scratch;
	const tsr_arg *elems;
	int n; /* leaves */
	int dim;
} assoc;

static bool alive(tsr *const *x, int n)
{
	for (int i = 0; i < n; i++)
		if (x[i] && handle_is_poison(x[i])) return false;
	return true;
}

/* elements start, start + step, ... before stop, of each leaf */
static bool pick(const assoc *s, tsr *const *x, int64_t start, int64_t stop, int64_t step,
                 tsr ***out)
{
	int64_t from[MAX_NDIM], to[MAX_NDIM], by[MAX_NDIM];

	if (!(*out = arena_array(s->scratch, (size_t)s->n + 1, sizeof **out))) return false;
	for (int i = 0; i < s->n; i++) {
		if (!x[i]) continue;
		const type *t = handle_type(x[i]);
		for (int d = 0; d < t->ndim; d++) {
			const bool here = d == s->dim;
			from[d] = here ? start : 0;
			to[d] = here ? stop : t->dims[d];
			by[d] = here ? step : 1;
		}
		const slice_params p = {{t->ndim, from}, {t->ndim, to}, {t->ndim, by}};
		(*out)[i] = bind(&s->site, &tsr__prim_slice, &p, &x[i], 1);
	}
	return alive(*out, s->n);
}

static tsr_arg as_arg(const assoc *s, tsr **x)
{
	tsr_arg a = *s->elems;

	if (a.kind == TSR_KIND_TREE)
		a.as.tree.leaf = x;
	else
		a = tsr_arg_one(x[0]);
	return a;
}

static bool same_type(const assoc *s, int i, const tsr *given, const tsr *made)
{
	const type *t = given ? handle_type(given) : NULL, *u = made ? handle_type(made) : NULL;
	str a = {.base = &s->site.ctx->base}, b = a, name = a;

	if (!t == !u &&
	    (!t || (t->dtype == u->dtype && dims_same(t->dims, t->ndim, u->dims, u->ndim))))
		return true;
	if (t) type_text(&a, type_vary(&s->site.ctx->ir, t, 0), NULL, 0);
	if (u) type_text(&b, type_vary(&s->site.ctx->ir, u, 0), NULL, 0);
	arg_leaf_text(&name, s->elems, 0, i);
	fail_op(&s->site, TSR_ERROR_TYPE,
	        "fn must give values like those it takes, but %s is %s and it gives %s",
	        name.s ? name.s : "a leaf", t && a.s ? a.s : "absent", u && b.s ? b.s : "none");
	str_free(&name);
	str_free(&a);
	str_free(&b);
	return false;
}

static bool combine(const assoc *s, tsr **x, tsr **y, tsr ***out)
{
	const tsr_arg args[] = {as_arg(s, x), as_arg(s, y)};
	results r;

	if (!call_fn(s->fn, s->site.where, args, 2, s->scratch, NULL, &r, NULL)) return false;
	if (r.n != s->n)
		return fail_op(&s->site, TSR_ERROR_TYPE, "fn gives %d values of %d", r.n, s->n);
	for (int i = 0; i < r.n; i++)
		if (!same_type(s, i, y[i], r.leaf[i])) return false;
	*out = r.leaf;
	return alive(r.leaf, r.n);
}

static tsr *assoc_join(const assoc *s, tsr *const *x, int n, int64_t dim)
{
	return bind(&s->site, &tsr__prim_concatenate, &(dim_params){dim}, x, n);
}

/* a[0] b[0] a[1] b[1] ..; a may have one more */
static tsr *interleave(const assoc *s, tsr *a, tsr *b)
{
	const type *t = handle_type(a), *u = handle_type(b);
	const int64_t pairs = u->dims[s->dim];
	int64_t dims[MAX_NDIM + 1];
	tsr **head = &a, **tail = NULL, *x[2];

	const assoc one = {.site = s->site, .scratch = s->scratch, .n = 1, .dim = s->dim};
	if (t->dims[s->dim] > pairs &&
	    (!pick(&one, &a, pairs, pairs + 1, 1, &tail) || !pick(&one, &a, 0, pairs, 1, &head)))
		return poison_of(s->site.ctx);
	for (int d = 0; d <= s->dim; d++) dims[d] = u->dims[d];
	dims[s->dim + 1] = 1;
	for (int d = s->dim + 1; d < u->ndim; d++) dims[d + 1] = u->dims[d];
	x[0] = reshape_to(&s->site, *head, dims, u->ndim + 1);
	x[1] = reshape_to(&s->site, b, dims, u->ndim + 1);
	if (!alive(x, 2)) return poison_of(s->site.ctx);
	tsr *both = assoc_join(s, x, 2, s->dim + 1);
	for (int d = 0; d < u->ndim; d++) dims[d] = u->dims[d];
	dims[s->dim] = 2 * pairs;
	x[0] = reshape_to(&s->site, both, dims, u->ndim);
	if (!tail || handle_is_poison(x[0])) return x[0];
	x[1] = *tail;
	return assoc_join(s, x, 2, s->dim);
}

/* the scan of x, n elements long */
static bool scan(const assoc *s, tsr **x, int64_t n, tsr ***out)
{
	tsr **a, **b, **pairs, **odd, **even, **first;

	*out = x;
	if (n < 2) return true;
	if (!pick(s, x, 0, n - 1, 2, &a) || !pick(s, x, 1, n, 2, &b) || !combine(s, a, b, &pairs) ||
	    !scan(s, pairs, n / 2, &odd) || !pick(s, x, 0, 1, 1, &first))
		return false;
	even = first;
	if (n > 2) {
		if (!pick(s, odd, 0, (n - 1) / 2, 1, &a) || !pick(s, x, 2, n, 2, &b) ||
		    !combine(s, a, b, &even))
			return false;
		for (int i = 0; i < s->n; i++)
			if (even[i])
				even[i] = assoc_join(s, (tsr *[]){first[i], even[i]}, 2, s->dim);
	}
	if (!alive(even, s->n) || !(*out = arena_array(s->scratch, (size_t)s->n + 1, sizeof **out)))
		return false;
	for (int i = 0; i < s->n; i++)
		if (even[i]) (*out)[i] = interleave(s, even[i], odd[i]);
	return alive(*out, s->n);
}

static bool reverse(const assoc *s, tsr **x)
{
	const int64_t dim = s->dim;

	for (int i = 0; i < s->n; i++)
		if (x[i])
			x[i] = bind(&s->site, &tsr__prim_rev, &(dims_params){{1, &dim}}, &x[i], 1);
	return alive(x, s->n);
}

/* the common length of all leaves along the dim */
static bool length_of(assoc *s, const leaves *all, const tsr_dims *given, int64_t *n)
{
	tsr_dims at = *given;

	*n = -1;
	for (int i = 0; i < all->n; i++) {
		if (!all->leaf[i].handle) continue;
		const type *t = handle_type(all->leaf[i].handle);
		if (!one_dim_read(&s->site, &at, t->ndim, 0, &s->dim)) return false;
		at = TSR_DIMS(s->dim); /* a negative dim counts from the end of the first leaf */
		if (*n >= 0 && t->dims[s->dim] != *n)
			return fail(
				&s->site.ctx->base, s->site.where, TSR_ERROR_TYPE,
				"Array inputs to associative_scan must have the same size along "
				"the dim, got %lld and %lld",
				(long long)*n, (long long)t->dims[s->dim]);
		*n = t->dims[s->dim];
	}
	return *n >= 0 || fail(&s->site.ctx->base, s->site.where, TSR_ERROR_ARGUMENT,
	                       "%s got no values", s->site.op);
}

/* the elements themselves, as handles of the call's own */
static bool same_values(const assoc *s, tsr **x, results *out)
{
	out->leaf = x;
	for (int i = 0; i < s->n; i++)
		if (x[i]) x[i] = handle_of_array(s->site.ctx,
		                                 array_retain(handle_slot_of(x[i])->payload));
	return alive(x, s->n);
}

static bool associative(assoc *s, const tsr_associative_scan_args *a, results *out)
{
	leaves all;
	int64_t n;
	int *count = arena_array(s->scratch, 1, sizeof *count);

	if (!count || !leaves_read(&s->site, s->scratch, s->elems, 1, &all) ||
	    !length_of(s, &all, &a->dim, &n))
		return false;
	s->n = *count = all.n;
	*out = (results){NULL, all.n, {1, count}};
	tsr **x = arena_array(s->scratch, (size_t)all.n + 1, sizeof *x);
	if (!x) return false;
	for (int i = 0; i < all.n; i++) x[i] = all.leaf[i].handle;
	if (n < 2 && !in_trace(s->site.ctx)) return same_values(s, x, out);
	return (!a->reverse || reverse(s, x)) && scan(s, x, n, &out->leaf) &&
	       (!a->reverse || reverse(s, out->leaf));
}

/* ---- the public functions */

typedef struct call {
	call_site site;
	arena *scratch;
	results got;
} call;

/* intermediate handles are freed, results are kept */
static bool run(call *c, const char *where, tsr_body fn, const tsr_arg *elems,
                const tsr_associative_scan_args *a)
{
	assoc s = {.elems = elems};

	*c = (call){.site = {NULL, where, "associative_scan"}};
	if (!a) return false;
	tsr_ctx *ctx = c->site.ctx = arg_ctx(where, c->site.op, elems, 1, &fn, 1);
	if (!ctx_alive(ctx)) return false;
	ctx_use(ctx);
	if (!(c->scratch = call_arena(ctx))) return false;
	s.site = c->site;
	s.scratch = c->scratch;
	if (!(s.fn = fn_of_body(&c->site, c->scratch, fn, "fn"))) return false;
	tsr_scope *scope = scope_open(&ctx->handles, false);
	const bool ok = scope && associative(&s, a, &c->got);
	for (int i = 0; ok && i < c->got.n; i++)
		if (c->got.leaf[i]) handle_keep(c->got.leaf[i]);
	scope_close(scope);
	return ok;
}

tsr *tsr_associative_scan_at(const char *where, tsr_body fn, tsr_arg elems,
                             const tsr_associative_scan_args *given)
{
	call c;
	const bool ok =
		run(&c, where, fn, &elems, KEYWORDS(tsr_associative_scan_args, where, NULL, given));
	tsr *y = result_alone(&c.site, c.site.op, ok, &c.got);

	call_arena_free(c.site.ctx, c.scratch);
	return y;
}

void tsr_associative_scan_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_body fn,
                                  tsr_arg elems, const tsr_associative_scan_args *given)
{
	call c;
	const bool ok =
		run(&c, where, fn, &elems, KEYWORDS(tsr_associative_scan_args, where, NULL, given));

	results_into(&c.site, c.scratch, ok, outs, nout, &c.got);
	call_arena_free(c.site.ctx, c.scratch);
}
