/* shapes.c - the public operations that move, repeat and join whole dims, made of those of
 * layout.c: jax.numpy's formulas (jax/_src/numpy/lax_numpy.py). */
#include "lib/formula.h"
#include "lib/linalg/products.h"

/* ---- dims */

static tsr *move_dims(const call_site *site, tsr *x, const int64_t *from, const int64_t *to, int n)
{
	const int ndim = handle_type(x)->ndim;
	int64_t perm[MAX_NDIM];
	bool placed[MAX_NDIM] = {false}, moves[MAX_NDIM] = {false};

	for (int i = 0; i < n; i++) {
		perm[to[i]] = from[i];
		placed[to[i]] = moves[from[i]] = true;
	}
	for (int d = 0, next = 0; d < ndim; d++) {
		if (placed[d]) continue;
		while (moves[next]) next++;
		perm[d] = next++;
	}
	return turn_dims(site, x, perm, ndim);
}

tsr *lib_moveaxis(call_site *site, tsr *x, tsr_dims from, tsr_dims to)
{
	int64_t dims[2][MAX_NDIM];

	if (!operands_check(site, &x, 1) || !dims_ok(site, "from", &from, true) ||
	    !dims_ok(site, "to", &to, true) ||
	    !dims_listed(site, "from", &from, handle_type(x)->ndim, dims[0]) ||
	    !dims_listed(site, "to", &to, handle_type(x)->ndim, dims[1]))
		return poison_of(site->ctx);
	if (dims_count(&from) != dims_count(&to))
		return refuse_op(site, TSR_ERROR_ARGUMENT, "%d dims cannot go to %d places",
		                 dims_count(&from), dims_count(&to));
	return move_dims(site, x, dims[0], dims[1], dims_count(&from));
}

tsr *lib_swapaxes(call_site *site, tsr *x, int a, int b)
{
	int64_t perm[MAX_NDIM];
	int first, second;

	if (!operands_check(site, &x, 1) || !dim_read(site, a, handle_type(x)->ndim, &first) ||
	    !dim_read(site, b, handle_type(x)->ndim, &second))
		return poison_of(site->ctx);
	for (int d = 0; d < handle_type(x)->ndim; d++)
		perm[d] = d == first ? second : d == second ? first : d;
	return turn_dims(site, x, perm, handle_type(x)->ndim);
}

/* with `least` dims: new ones in front, but of three the last one is behind */
static tsr *with_dims(call_site *site, tsr *x, int least)
{
	int64_t dims[MAX_NDIM];

	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	const type *t = handle_type(x);
	if (t->ndim >= least) return x;
	const int front = least == 3 ? t->ndim < 2 : least - t->ndim;
	for (int d = 0; d < least; d++)
		dims[d] = d < front || d - front >= t->ndim ? 1 : t->dims[d - front];
	return reshape_to(site, x, dims, least);
}

tsr *lib_atleast_1d(call_site *site, tsr *x) { return with_dims(site, x, 1); }
tsr *lib_atleast_2d(call_site *site, tsr *x) { return with_dims(site, x, 2); }
tsr *lib_atleast_3d(call_site *site, tsr *x) { return with_dims(site, x, 3); }

/* for operations with a list of results: poison in all of them */
static bool none_made(const call_site *site, tsr **out, size_t n)
{
	for (size_t i = 0; i < n; i++) out[i] = poison_of(site->ctx);
	return false;
}

static bool all_made(const call_site *site, tsr **out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (handle_is_poison(out[i])) return none_made(site, out, n);
	return true;
}

bool lib_broadcast_arrays(call_site *site, tsr *const *x, tsr **out, size_t n)
{
	const int count = n > INT32_MAX ? INT32_MAX : (int)n;
	int64_t dims[MAX_NDIM];
	int ndim;

	if (!operands_check(site, x, count)) return none_made(site, out, n);
	if (!shapes_broadcast(x, count, dims, &ndim))
		return fail_types(site, "cannot broadcast together", x, count),
		       none_made(site, out, n);
	for (size_t i = 0; i < n; i++) out[i] = broadcast_to(site, x[i], dims, ndim);
	return all_made(site, out, n);
}

/* ---- order */

/* the two parts of a dim before and behind its last `shift` elements, the other way round */
static tsr *turn_over(const call_site *site, tsr *x, int dim, int64_t shift)
{
	const int64_t size = handle_type(x)->dims[dim];
	const int64_t cut = size ? (size - shift % size) % size : 0;

	if (!cut) return x;
	return tsr_concatenate_at(site->where, dim,
	                          (tsr *[]){tsr_slice_at(site->where, x, dim, cut, TSR_END),
	                                    tsr_slice_at(site->where, x, dim, 0, cut)},
	                          2);
}

tsr *lib_roll(call_site *site, tsr *x, int64_t shift, int dim)
{
	tsr_ctx *ctx = operands_check(site, &x, 1);
	int at;

	if (!ctx) return poison_of(site->ctx);
	const type *t = handle_type(x);
	if (dim == TSR_FLAT) {
		tsr *flat = tsr_ravel_at(site->where, x);
		if (handle_is_poison(flat)) return flat;
		return reshape_to(site, turn_over(site, flat, 0, shift), t->dims, t->ndim);
	}
	return dim_read(site, dim, t->ndim, &at) ? turn_over(site, x, at, shift) : poison_of(ctx);
}

static tsr *flip_dim(const call_site *site, tsr *x, int dim)
{
	return tsr_flip_at(site->where, x, TSR_DIMS(dim));
}

tsr *lib_rot90(call_site *site, tsr *x, int k, int a, int b)
{
	int first, second;

	if (!operands_check(site, &x, 1) || !dim_read(site, a, handle_type(x)->ndim, &first) ||
	    !dim_read(site, b, handle_type(x)->ndim, &second))
		return poison_of(site->ctx);
	if (first == second)
		return refuse_op(site, TSR_ERROR_ARGUMENT, "a and b are both dim %d", first);
	switch (k & 3) {
	case 0: return x;
	case 1: return tsr_swapaxes_at(site->where, flip_dim(site, x, second), first, second);
	case 2: return flip_dim(site, flip_dim(site, x, first), second);
	default: return flip_dim(site, tsr_swapaxes_at(site->where, x, first, second), second);
	}
}

/* ---- repeating */

/* x [m, n] as [1, m, 1, n], repeated to [a, m, b, n], which is [a m, b n]: dim by dim, so that a
 * value has at most one dim more */
static tsr *repeat_dim(const call_site *site, tsr *x, int dim, int64_t times, bool each)
{
	if (handle_is_poison(x) || times == 1) return x;
	const type *t = handle_type(x);
	int64_t dims[MAX_NDIM + 1], at[MAX_NDIM];
	const int own = dim + !each, new = dim + each;

	if (t->ndim == MAX_NDIM)
		return refuse_op(site, TSR_ERROR_UNSUPPORTED,
		                 "a value of %d dims cannot be repeated", MAX_NDIM);
	for (int d = 0; d < t->ndim; d++) {
		at[d] = d < dim ? d : d == dim ? own : d + 1;
		dims[at[d]] = t->dims[d];
	}
	dims[new] = times;
	tsr *y = bind(site, &tsr__prim_broadcast_in_dim,
	              &(broadcast_params){{t->ndim + 1, dims}, {t->ndim, at}}, &x, 1);
	if (handle_is_poison(y)) return y;
	memcpy(dims, t->dims, (size_t)t->ndim * sizeof *dims);
	dims[dim] *= times;
	return reshape_to(site, y, dims, t->ndim);
}

tsr *lib_tile(call_site *site, tsr *x, tsr_dims times)
{
	int64_t dims[MAX_NDIM];

	if (!operands_check(site, &x, 1) || !dims_ok(site, "times", &times, true))
		return poison_of(site->ctx);
	const type *t = handle_type(x);
	const int n = dims_count(&times), more = n - t->ndim;
	for (int i = 0; i < n; i++)
		if (dims_of(&times)[i] < 0)
			return refuse_op(site, TSR_ERROR_ARGUMENT, "%lld times is too few",
			                 (long long)dims_of(&times)[i]);
	for (int d = 0; more > 0 && d < n; d++) dims[d] = d < more ? 1 : t->dims[d - more];
	if (more > 0) x = reshape_to(site, x, dims, n);
	for (int i = 0; i < n; i++)
		x = repeat_dim(site, x, i + (more < 0 ? -more : 0), dims_of(&times)[i], false);
	return x;
}

tsr *lib_repeat(call_site *site, tsr *x, int64_t n, int dim)
{
	tsr_ctx *ctx = operands_check(site, &x, 1);
	int at = 0;

	if (!ctx) return poison_of(site->ctx);
	if (n < 0)
		return refuse_op(site, TSR_ERROR_ARGUMENT, "%lld times is too few", (long long)n);
	if (dim == TSR_FLAT)
		x = tsr_ravel_at(site->where, x);
	else if (!dim_read(site, dim, handle_type(x)->ndim, &at))
		return poison_of(ctx);
	return repeat_dim(site, x, at, n, true);
}

tsr *lib_resize(call_site *site, tsr *x, tsr_dims given)
{
	tsr_ctx *ctx = operands_check(site, &x, 1);

	if (!ctx) return poison_of(site->ctx);
	const type *t = handle_type(x), *to = type_for(site, t->dtype, &given);
	if (!to) return poison_of(ctx);
	if (!t->size || !to->size) return zeros_of(site, etype_of(t), to->dims, to->ndim);
	const int64_t times = (to->size - 1) / t->size + 1;
	tsr *all = repeat_dim(site, tsr_ravel_at(site->where, x), 0, times, false);
	return reshape_to(site, tsr_slice_at(site->where, all, 0, 0, to->size), to->dims, to->ndim);
}

/* ---- joining and parting */

/* the arrays of a list, each as `as` makes it, joined along a dim */
static tsr *join_as(call_site *site, tsr *const *x, size_t n, int dim,
                    tsr *(*as)(const char *where, tsr *x))
{
	tsr_ctx *ctx = operands_check(site, x, n > INT32_MAX ? INT32_MAX : (int)n);
	tsr **each = ctx ? mem_array(&ctx->base, n, sizeof *each) : NULL;

	for (size_t i = 0; each && i < n; i++) each[i] = as(site->where, x[i]);
	const bool line = each && !handle_is_poison(each[0]) && handle_type(each[0])->ndim == 1;
	tsr *y = each ? tsr_concatenate_at(site->where, line ? 0 : dim, each, n)
	              : poison_of(site->ctx);
	if (ctx) mem_free(&ctx->base, each);
	return y;
}

static tsr *as_column(const char *where, tsr *x)
{
	x = tsr_atleast_1d_at(where, x);
	if (handle_is_poison(x) || handle_type(x)->ndim > 1) return x;
	return tsr_expand_dims_at(where, x, TSR_DIMS(1));
}

tsr *lib_hstack(call_site *site, tsr *const *x, size_t n)
{
	return join_as(site, x, n, 1, tsr_atleast_1d_at);
}
tsr *lib_vstack(call_site *site, tsr *const *x, size_t n)
{
	return join_as(site, x, n, 0, tsr_atleast_2d_at);
}
tsr *lib_dstack(call_site *site, tsr *const *x, size_t n)
{
	return join_as(site, x, n, 2, tsr_atleast_3d_at);
}
tsr *lib_column_stack(call_site *site, tsr *const *x, size_t n)
{
	return join_as(site, x, n, 1, as_column);
}

bool lib_array_split(call_site *site, tsr *x, int dim, tsr **out, size_t n)
{
	int at;

	if (!operands_check(site, &x, 1) || !dim_read(site, dim, handle_type(x)->ndim, &at))
		return none_made(site, out, n);
	const int64_t size = handle_type(x)->dims[at], part = n ? size / (int64_t)n : 0;
	for (int64_t i = 0, from = 0; i < (int64_t)n; i++) {
		const int64_t to = from + part + (i < size - part * (int64_t)n);
		out[i] = tsr_slice_at(site->where, x, at, from, to);
		from = to;
	}
	return all_made(site, out, n);
}

bool lib_unstack(call_site *site, tsr *x, int dim, tsr **out, size_t n)
{
	tsr_ctx *ctx = operands_check(site, &x, 1);
	int at;

	if (!ctx || !dim_read(site, dim, handle_type(x)->ndim, &at)) return none_made(site, out, n);
	if ((size_t)handle_type(x)->dims[at] != n) {
		fail(&ctx->base, site->where, TSR_ERROR_ARGUMENT,
		     "unstack: dim %d has %lld elements, and there is room for %zu", at,
		     (long long)handle_type(x)->dims[at], n);
		return none_made(site, out, n);
	}
	for (size_t i = 0; i < n; i++) out[i] = tsr_index_at(site->where, x, at, (int64_t)i);
	return all_made(site, out, n);
}

/* ---- grids and places */

bool lib_meshgrid(call_site *site, tsr *const *x, tsr **out, size_t n, const tsr_meshgrid_args *g)
{
	tsr_ctx *ctx = operands_check(site, x, n > INT32_MAX ? INT32_MAX : (int)n);
	int64_t dims[MAX_NDIM], own[MAX_NDIM];

	bool ok = ctx && n <= MAX_NDIM;
	if (ctx && !ok)
		fail(&ctx->base, site->where, TSR_ERROR_ARGUMENT,
		     "meshgrid: a value has at most %d dims", MAX_NDIM);
	const bool cross = ok && !g->ij && n > 1;
	for (size_t i = 0; ok && i < n; i++) {
		ok = handle_type(x[i])->ndim <= 1 ||
		     fail_types(site, "takes arrays of one dim, and got", &x[i], 1);
		dims[cross && i < 2 ? 1 - i : i] = handle_type(x[i])->size;
	}
	if (!ok) return none_made(site, out, n);
	for (size_t i = 0; i < n; i++) {
		const size_t at = cross && i < 2 ? 1 - i : i;
		for (size_t d = 0; d < n; d++) own[d] = d == at ? dims[d] : 1;
		out[i] = reshape_to(site, x[i], own, (int)n);
		if (!g->sparse) out[i] = broadcast_to(site, out[i], dims, (int)n);
	}
	return all_made(site, out, n);
}

tsr *lib_indices(call_site *site, tsr_ctx *ctx, tsr_dims dims, const tsr_new_args *a)
{
	tsr *along[MAX_NDIM];
	int64_t most = 0;

	if (!type_for(site, a->dtype ? a->dtype : TSR_I32, &dims)) return poison_of(ctx);
	const int n = dims_count(&dims);
	for (int d = 0; d < n; d++)
		if (dims_of(&dims)[d] > most) most = dims_of(&dims)[d];
	const tsr_dtype dtype = a->dtype ? a->dtype : dtype_counting(&ctx->base, most);
	const tsr_iota_args of = {.size = sizeof of, .dtype = dtype};
	if (!n)
		return tsr_zeros_at(site->where, ctx, TSR_DIMS(0),
		                    &(tsr_new_args){.size = sizeof *a, .dtype = dtype});
	for (int d = 0; d < n; d++) along[d] = tsr_iota_at(site->where, ctx, dims, d, &of);
	return tsr_stack_at(site->where, 0, along, (size_t)n);
}

/* places as integers of at least 32 bits, and of more where there are so many */
static tsr *as_places(const call_site *site, tsr *x, int64_t most)
{
	const int bits = dtype_bits(handle_type(x)->dtype);

	return bits < dtype_bits(dtype_holding(most)) ? convert(site, x, dtype_holding(most)) : x;
}

/* how many elements an array of these dims has. false: too many, recorded */
static bool count_ok(const call_site *site, const tsr_dims *dims, int64_t *all)
{
	if (dims_size(dims_of(dims), dims_count(dims), all)) return true;
	return fail_op(site, TSR_ERROR_ARGUMENT, "an array of these dims is too large");
}

/* from the last dim to the first, the rest and the quotient by its size; what is left over says
 * whether the number lay beyond an end */
bool lib_unravel_index(call_site *site, tsr *x, tsr_dims dims, tsr **out)
{
	tsr_ctx *ctx = operands_check(site, &x, 1);
	const bool read = dims_ok(site, "dims", &dims, true);
	const int n = read ? dims_count(&dims) : 0;
	tsr_arg left = HANDLE(x);

	if (!ctx || !read) return none_made(site, out, (size_t)n);
	if (dtype_kind(handle_type(x)->dtype) >= KIND_FLOAT) {
		fail(&ctx->base, site->where, TSR_ERROR_TYPE,
		     "unravel_index: the numbers must be integers");
		return none_made(site, out, (size_t)n);
	}
	const bool is_signed = dtype_kind(handle_type(x)->dtype) == KIND_INT;
	for (int d = 0; d < n; d++)
		if (dims_of(&dims)[d] > INT32_MAX) left = HANDLE(as_places(site, x, INT64_MAX));
	for (int d = n - 1; d >= 0; d--) {
		const tsr_arg size = INT(dims_of(&dims)[d]), number = left;
		left = OP_2(floor_divide, number, size);
		out[d] = OP_2(remainder, number, size).as.one;
	}
	const tsr_arg beyond = IS(gt, left, INT(0));
	for (int d = 0; d < n; d++) {
		tsr_arg at = HANDLE(out[d]);
		if (is_signed) at = WHERE(IS(lt, left, INT(-1)), INT(0), at);
		out[d] = WHERE(beyond, INT(dims_of(&dims)[d] - 1), at).as.one;
	}
	return all_made(site, out, (size_t)n);
}

tsr *lib_ravel_multi_index(call_site *site, tsr *const *x, tsr_dims dims, enum tsr_index_mode mode)
{
	site->ctx = ctx_or_here(x ? tsr_ctx_of(x[0]) : NULL);
	const int n = dims_ok(site, "dims", &dims, true) ? dims_count(&dims) : -1;
	tsr_arg sum = INT(0);
	int64_t step = 1, all;

	if (n < 0 || !operands_check(site, x, n) || !count_ok(site, &dims, &all))
		return poison_of(site->ctx);
	for (int d = n - 1; d >= 0; d--) {
		const tsr_dtype own = handle_type(x[d])->dtype;
		const int64_t size = dims_of(&dims)[d];
		if (dtype_kind(own) >= KIND_FLOAT || own == TSR_BOOL)
			return refuse_op(site, TSR_ERROR_TYPE,
			                 "the places must be integers, and are %s",
			                 tsr_dtype_name(own));
		tsr_arg at = HANDLE(as_places(site, x[d], all));
		if (mode == TSR_CLIP) at = CLAMP(INT(0), at, INT(size - 1));
		if (mode == TSR_WRAP) at = OP_2(remainder, at, INT(size));
		sum = d == n - 1 ? at : ADD(MUL(at, INT(step)), sum);
		step *= size;
	}
	return sum.as.one;
}
