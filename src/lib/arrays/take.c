/* take.c - the public operations on elements at indices that an array holds, and lax's gather and
 * scatter.
 *
 * An array of indices becomes index vectors of one entry by a dim of size 1 at its end; tsr_take(x,
 * 1, i) of an f32[4,9,3] and an i32[2,5] takes windows of 4 x 1 x 3 elements, and dims 0 and 3 of
 * the f32[4,2,5,3] go through them. */
#include "lib/lib.h"

/* ---- indices */

static bool mode_ok(const call_site *site, enum tsr_index_mode mode, bool wraps)
{
	if (mode == TSR_WRAP && !wraps)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "windows cannot wrap: give another .mode than TSR_WRAP");
	return (unsigned)mode <= TSR_PROMISE_IN_BOUNDS ||
	       fail_op(site, TSR_ERROR_ARGUMENT, ".mode %d is none of enum tsr_index_mode",
	               (int)mode);
}

static int gather_mode(enum tsr_index_mode mode)
{
	static const int modes[] = {GATHER_FILL, GATHER_CLIP, GATHER_CLIP,
	                            GATHER_PROMISE_IN_BOUNDS};
	return modes[mode];
}

static int scatter_mode(enum tsr_index_mode mode)
{
	return mode == TSR_CLIP || mode == TSR_WRAP ? SCATTER_CLIP : SCATTER_DROP;
}

/* the remainder of indices by the size, which has the sign of the index; in a dtype that holds the
 * size */
static tsr *remainder_of(const call_site *site, tsr *i, int64_t size)
{
	const tsr_dtype own = handle_type(i)->dtype;
	const bool large = own == TSR_I64 || own == TSR_U32 || size > INT32_MAX;

	if (own != TSR_U64) i = convert(site, i, large ? TSR_I64 : TSR_I32);
	return tsr_rem_at(site->where,
	                  (tsr_arg[]){tsr_arg_one(i), {.kind = TSR_KIND_INT, .as.i = size}});
}

/* indices of a dim of this size as index vectors. from_end: negative ones count from the end */
static tsr *index_vectors(const call_site *site, tsr *i, int64_t size, enum tsr_index_mode mode,
                          bool from_end)
{
	const type *t = handle_type(i);

	if (dtype_kind(t->dtype) != KIND_INT && dtype_kind(t->dtype) != KIND_UINT)
		return refuse_op(site, TSR_ERROR_TYPE, "indices must be integers, got %s",
		                 tsr_dtype_name(t->dtype));
	if (mode == TSR_WRAP) i = remainder_of(site, i, size);
	if (!handle_is_poison(i) && from_end) i = index_from_end(site, i, size);
	if (handle_is_poison(i)) return i;
	return bind(site, &tsr__prim_expand_dims, &(dims_params){{1, (int64_t[]){t->ndim}}}, &i, 1);
}

/* ---- take */

/* windows that have one element of a dim and all of the others; n: dims of the indices */
typedef struct along {
	int64_t dim, through[MAX_NDIM];
	window_dims dims; /* points to what is before */
} along;

static void along_dim(along *a, int dim, int ndim, int n)
{
	int k = 0;

	a->dim = dim;
	for (int d = 0; d < ndim; d++)
		if (d != dim) a->through[k++] = d < dim ? d : d + n - 1;
	a->dims = (window_dims){
		.through = {k, a->through}, .dropped = {1, &a->dim}, .starts = {1, &a->dim}};
}

tsr *lib_take(call_site *site, tsr *x, int dim, tsr *indices, const tsr_index_args *g)
{
	const bool from_end = g->mode == TSR_FILL_OR_DROP || g->mode == TSR_WRAP;
	int64_t sizes[MAX_NDIM];
	int at = 0;
	along a;

	if (!operands_check(site, (tsr *[]){x, indices}, 2) || !mode_ok(site, g->mode, true))
		return poison_of(site->ctx);
	if (dim == TSR_FLAT) x = tsr_ravel_at(site->where, x);
	if (handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	if (dim != TSR_FLAT && !dim_read(site, dim, t->ndim, &at)) return poison_of(site->ctx);
	if (!t->dims[at] && handle_type(indices)->size)
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 "dim %d of size 0 has no elements to take", at);
	tsr *vectors = index_vectors(site, indices, t->dims[at], g->mode, from_end);
	if (handle_is_poison(vectors)) return vectors;
	for (int d = 0; d < t->ndim; d++) sizes[d] = d == at ? 1 : t->dims[d];
	along_dim(&a, at, t->ndim, handle_type(indices)->ndim);
	const gather_params p = {a.dims, {t->ndim, sizes}, gather_mode(g->mode),
	                         g->indices_are_sorted, g->unique_indices};
	return bind(site, &tsr__prim_gather, &p, (tsr *[]){x, vectors}, 2);
}

/* ---- take_along: other dims of size 1 in the indices are gone through, other dims of size 1 in x
 * are squeezed, the rest go in step */

typedef struct in_step {
	int64_t sizes[MAX_NDIM], through[MAX_NDIM], batch[MAX_NDIM], index_batch[MAX_NDIM], dim;
	int64_t kept_x[MAX_NDIM], kept_i[MAX_NDIM]; /* dims of x and of the index vectors */
	int nx, ni, nthrough, nbatch;
} in_step;

/* false: the dims do not broadcast */
static bool dims_in_step(in_step *s, const type *x, const type *i, int at)
{
	for (int d = 0; d < x->ndim; d++) {
		const int64_t of_x = x->dims[d], of_i = i->dims[d];
		const bool one = d == at, all = !one && of_i == 1;
		const bool alone = !one && !all && of_x == 1, pairs = !one && !all && !alone;
		if (pairs && of_x != of_i) return false;
		if (one) s->dim = s->nx;
		if (all) s->through[s->nthrough++] = d;
		if (pairs) {
			s->batch[s->nbatch] = s->nx;
			s->index_batch[s->nbatch++] = s->ni;
		}
		if (!all) s->kept_i[s->ni++] = of_i;
		if (alone) continue;
		s->sizes[s->nx] = all ? of_x : 1;
		s->kept_x[s->nx++] = of_x;
	}
	return true;
}

static tsr *refuse_along(const call_site *site, const type *x, const type *i, int at)
{
	str a = {.base = &site->ctx->base}, b = {.base = &site->ctx->base};

	shape_text(&a, x->dims, x->ndim);
	shape_text(&b, i->dims, i->ndim);
	fail_op(site, TSR_ERROR_TYPE,
	        "x of shape %s and indices of shape %s need as many dims, which broadcast together "
	        "but for dim %d",
	        a.s ? a.s : "?", b.s ? b.s : "?", at);
	str_free(&a);
	str_free(&b);
	return poison_of(site->ctx);
}

tsr *lib_take_along(call_site *site, tsr *x, int dim, tsr *indices, const tsr_index_args *g)
{
	tsr_ctx *ctx = operands_check(site, (tsr *[]){x, indices}, 2);
	in_step s = {.nx = 0};
	int at;

	if (!ctx || !mode_ok(site, g->mode, true)) return poison_of(site->ctx);
	const type *t = handle_type(x), *i = handle_type(indices);
	if (!dim_read(site, dim, t->ndim, &at)) return poison_of(site->ctx);
	if (i->ndim != t->ndim || !dims_in_step(&s, t, i, at)) return refuse_along(site, t, i, at);
	if (!t->dims[at] && i->dims[at])
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 "dim %d of size 0 has no elements to take", at);
	tsr *vectors = index_vectors(site, indices, t->dims[at], g->mode,
	                             g->mode != TSR_PROMISE_IN_BOUNDS);
	s.kept_i[s.ni++] = 1;
	vectors = reshape_to(site, vectors, s.kept_i, s.ni);
	x = reshape_to(site, x, s.kept_x, s.nx);
	if (handle_is_poison(vectors) || handle_is_poison(x)) return poison_of(ctx);
	const window_dims dims = {{s.nthrough, s.through}, {1, &s.dim}, {1, &s.dim},
	                          {s.nbatch, s.batch}, {s.nbatch, s.index_batch}};
	const gather_params p = {dims, {s.nx, s.sizes}, gather_mode(g->mode),
	                         g->indices_are_sorted, g->unique_indices};
	return bind(site, &tsr__prim_gather, &p, (tsr *[]){x, vectors}, 2);
}

/* ---- updates at indices */

/* an array or a C number, with the dtype of x, and the dims of the elements that it updates */
static tsr *updates_read(const call_site *site, const tsr_arg *given, tsr *x, int at,
                         const type *indices)
{
	const char *fault = given->kind == TSR_KIND_ONE ? NULL : number_fault(given);
	const type *t = handle_type(x);
	int64_t dims[2 * MAX_NDIM];
	int ndim = 0;

	if (fault) return refuse_op(site, TSR_ERROR_ARGUMENT, "the updates %s", fault);
	for (int d = 0; d < t->ndim; d++) {
		for (int k = 0; d == at && k < indices->ndim; k++) dims[ndim++] = indices->dims[k];
		if (d != at) dims[ndim++] = t->dims[d];
	}
	tsr *updates = given->kind == TSR_KIND_ONE ? promote(site, given->as.one, etype_of(t))
	                                           : constant_as(site, etype_of(t), given);
	return handle_is_poison(updates) ? updates : broadcast_checked(site, updates, dims, ndim);
}

static tsr *put_at(call_site *site, enum scatter_combine combine, tsr *x, int dim, tsr *indices,
                   const tsr_arg *updates, const tsr_index_args *g)
{
	const bool handle = updates->kind == TSR_KIND_ONE;
	tsr *operand[] = {x, indices, handle ? updates->as.one : NULL};
	along a;
	int at;

	if (!operands_check(site, operand, handle ? 3 : 2) || !mode_ok(site, g->mode, true))
		return poison_of(site->ctx);
	const type *t = handle_type(x), *i = handle_type(indices);
	if (!dim_read(site, dim, t->ndim, &at)) return poison_of(site->ctx);
	operand[1] = index_vectors(site, indices, t->dims[at], g->mode, true);
	if (handle_is_poison(operand[1])) return operand[1];
	operand[2] = updates_read(site, updates, x, at, i);
	if (handle_is_poison(operand[2])) return operand[2];
	along_dim(&a, at, t->ndim, i->ndim);
	const scatter_params p = {a.dims, (int)combine, scatter_mode(g->mode),
	                          g->indices_are_sorted, g->unique_indices};
	return bind(site, &tsr__prim_scatter, &p, operand, 3);
}

#define PUT_AT(name_, combine_) \
	tsr *lib_at_##name_(call_site *site, tsr *x, int dim, tsr *indices, \
	                         tsr_arg updates, const tsr_index_args *args) \
	{ \
		return put_at(site, combine_, x, dim, indices, &updates, args); \
	}
PUT_AT(set, SCATTER_SET)
PUT_AT(add, SCATTER_ADD)
PUT_AT(mul, SCATTER_MUL)
PUT_AT(min, SCATTER_MIN)
PUT_AT(max, SCATTER_MAX)

/* ---- the general forms */

/* lists of dims of the operand, of the indices and of what holds windows */
typedef struct lists {
	tsr_dims v[5];
	window_dims dims;
} lists;

/* given: in the order of window_dims */
static bool lists_read(lists *l, const call_site *site, const tsr_dims *const *given, int ndim,
                       int index_ndim)
{
	const int parts = dims_count(given[0]) + index_ndim - 1;
	const int of[] = {parts, ndim, ndim, ndim, index_ndim};
	ints *to[] = {&l->dims.through, &l->dims.dropped, &l->dims.starts, &l->dims.batch,
	              &l->dims.index_batch};

	for (int i = 0; i < 5; i++) {
		if (!dims_resolved(site, "a list of dims", given[i], of[i], &l->v[i])) return false;
		*to[i] = (ints){dims_count(&l->v[i]), dims_of(&l->v[i])};
	}
	return true;
}

tsr *lib_gather(call_site *site, tsr *x, tsr *indices, tsr_dims slice_sizes,
                const tsr_gather_args *g)
{
	tsr *operand[] = {x, indices};
	const tsr_dims *const dims[] = {&g->offset_dims, &g->collapsed_slice_dims,
	                                &g->start_index_map, &g->operand_batching_dims,
	                                &g->start_indices_batching_dims};
	lists l;

	if (!operands_check(site, operand, 2) || !mode_ok(site, g->mode, false) ||
	    !dims_ok(site, "slice_sizes", &slice_sizes, true) ||
	    !lists_read(&l, site, dims, handle_type(x)->ndim, handle_type(indices)->ndim))
		return poison_of(site->ctx);
	const gather_params p = {l.dims, {dims_count(&slice_sizes), dims_of(&slice_sizes)},
	                         gather_mode(g->mode), g->indices_are_sorted, g->unique_indices};
	return bind(site, &tsr__prim_gather, &p, operand, 2);
}

tsr *lib_scatter(call_site *site, tsr *x, tsr *indices, tsr *updates, const tsr_scatter_args *g)
{
	tsr *operand[] = {x, indices, updates};
	const tsr_dims *const dims[] = {&g->update_window_dims, &g->inserted_window_dims,
	                                &g->scatter_dims_to_operand_dims, &g->operand_batching_dims,
	                                &g->scatter_indices_batching_dims};
	lists l;

	if (!operands_check(site, operand, 3) || !mode_ok(site, g->mode, false) ||
	    !lists_read(&l, site, dims, handle_type(x)->ndim, handle_type(indices)->ndim))
		return poison_of(site->ctx);
	if ((unsigned)g->combine > TSR_COMBINE_MAX)
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 ".combine %d is none of enum tsr_combine", (int)g->combine);
	const scatter_params p = {l.dims, (int)g->combine, scatter_mode(g->mode),
	                          g->indices_are_sorted, g->unique_indices};
	return bind(site, &tsr__prim_scatter, &p, operand, 3);
}
