/* layout.c - the public operations that move elements: shapes, slices, concatenation. */
#include "lib/lib.h"

/* ---- shapes */

/* one -1 stands for what is left over */
static bool fill_wildcard(tsr_ctx *ctx, const char *where, const type *t, const tsr_dims *given,
                          int64_t *dims)
{
	const int ndim = dims_count(given);
	int64_t known = 1;
	int wild = -1;

	for (int d = 0; d < ndim; d++) {
		dims[d] = dims_of(given)[d];
		if (dims[d] >= 0) {
			if (!mul_ok(known, dims[d], &known))
				return fail(&ctx->base, where, TSR_ERROR_TYPE,
				            "reshape: the size of the new shape overflows");
			continue;
		}
		if (dims[d] != -1 || wild >= 0)
			return fail(
				&ctx->base, where, TSR_ERROR_ARGUMENT,
				"reshape: dim %d is %lld; only one -1 may stand for what is left",
				d, (long long)dims[d]);
		wild = d;
	}
	if (wild < 0) return true;
	if (known == 0 || t->size % known) {
		str s = {.base = &ctx->base};
		shape_text(&s, t->dims, t->ndim);
		fail(&ctx->base, where, TSR_ERROR_TYPE,
		     "cannot reshape array of shape %s (size %lld): %lld elements are left over "
		     "for the -1",
		     s.s ? s.s : "?", (long long)t->size,
		     known ? (long long)(t->size % known) : (long long)t->size);
		str_free(&s);
		return false;
	}
	dims[wild] = t->size / known;
	return true;
}

tsr *tsr_reshape_at(const char *where, tsr *x, tsr_dims given)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "reshape", &x, 1, &poison);
	int64_t dims[TSR_MAX_NDIM];

	if (!ctx || !dims_ok(ctx, where, "reshape", "dims", &given, true)) return poison;
	if (!fill_wildcard(ctx, where, handle_type(x), &given, dims)) return poison;
	return reshape_to(ctx, where, x, dims, dims_count(&given));
}

tsr *tsr_ravel_at(const char *where, tsr *x)
{
	return tsr_reshape_at(where, x, (tsr_dims){{2, -1}});
}

tsr *tsr_transpose_at(const char *where, tsr *x, const tsr_transpose_args *given)
{
	const tsr_transpose_args *a = KEYWORDS(tsr_transpose_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "transpose", &x, 1, &poison);
	int64_t perm[255];

	if (!ctx) return poison;
	const int ndim = handle_type(x)->ndim;
	if (!dims_match(ctx, where, "transpose", ".perm", &a->perm, ndim, false)) return poison;
	for (int d = 0, at; d < ndim; d++) {
		if (!dims_given(&a->perm))
			perm[d] = ndim - 1 - d;
		else if (dim_read(ctx, where, "transpose", dims_of(&a->perm)[d], ndim, &at))
			perm[d] = at;
		else
			return poison;
	}
	return bind(ctx, where, &tsr__prim_transpose, &(transpose_params){{ndim, perm}}, &x, 1);
}

tsr *tsr_t_at(const char *where, tsr *x)
{
	return tsr_transpose_at(where, x,
	                        &(tsr_transpose_args){.size = sizeof(tsr_transpose_args)});
}

tsr *tsr_broadcast_to_at(const char *where, tsr *x, tsr_dims given)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "broadcast_to", &x, 1, &poison);

	if (!ctx || !dims_ok(ctx, where, "broadcast_to", "dims", &given, true)) return poison;
	const type *t = handle_type(x);
	const int ndim = dims_count(&given);
	bool ok = ndim >= t->ndim;
	for (int d = 0; ok && d < t->ndim; d++) {
		const int64_t to = dims_of(&given)[d + ndim - t->ndim];
		ok = t->dims[d] == to || t->dims[d] == 1;
	}
	if (ok) return broadcast_to(ctx, where, x, dims_of(&given), ndim);
	str a = {.base = &ctx->base}, b = {.base = &ctx->base};
	shape_text(&a, t->dims, t->ndim);
	shape_text(&b, dims_of(&given), ndim);
	fail(&ctx->base, where, TSR_ERROR_TYPE, "broadcast_to: shape %s cannot be broadcast to %s",
	     a.s ? a.s : "?", b.s ? b.s : "?");
	str_free(&a);
	str_free(&b);
	return poison;
}

tsr *tsr_broadcast_in_dim_at(const char *where, tsr *x, tsr_dims dims, tsr_dims at)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "broadcast_in_dim", &x, 1, &poison);

	if (!ctx || !dims_ok(ctx, where, "broadcast_in_dim", "dims", &dims, true) ||
	    !dims_ok(ctx, where, "broadcast_in_dim", "at", &at, true))
		return poison;
	const broadcast_params p = {{dims_count(&dims), dims_of(&dims)},
	                            {dims_count(&at), dims_of(&at)}};
	return bind(ctx, where, &tsr__prim_broadcast_in_dim, &p, &x, 1);
}

tsr *tsr_squeeze_at(const char *where, tsr *x, tsr_dims given)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "squeeze", &x, 1, &poison);
	int64_t dims[255], ones[255];
	int n, kept = 0;

	if (!ctx || !dims_read(ctx, where, "squeeze", &given, handle_type(x)->ndim, dims, &n))
		return poison;
	for (int i = 0; i < n; i++)
		if (dims_given(&given) || handle_type(x)->dims[dims[i]] == 1)
			ones[kept++] = dims[i];
	return bind(ctx, where, &tsr__prim_squeeze, &(dims_params){{kept, ones}}, &x, 1);
}

tsr *tsr_expand_dims_at(const char *where, tsr *x, int dim)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "expand_dims", &x, 1, &poison);
	int at;

	if (!ctx || !dim_read(ctx, where, "expand_dims", dim, handle_type(x)->ndim + 1, &at))
		return poison;
	return bind(ctx, where, &tsr__prim_expand_dims, &(dims_params){{1, (int64_t[]){at}}}, &x,
	            1);
}

tsr *tsr_flip_at(const char *where, tsr *x, tsr_dims given)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "flip", &x, 1, &poison);
	int64_t dims[255];
	int n;

	if (!ctx || !dims_read(ctx, where, "flip", &given, handle_type(x)->ndim, dims, &n))
		return poison;
	return bind(ctx, where, &tsr__prim_rev, &(dims_params){{n, dims}}, &x, 1);
}

/* ---- joining and parting */

static bool join_prepare(tsr_ctx *ctx, const char *where, tsr *const *x, size_t n, tsr **out)
{
	etype common = etype_of(handle_type(x[0]));

	for (size_t i = 1; i < n; i++) common = etype_join(common, etype_of(handle_type(x[i])));
	for (size_t i = 0; i < n; i++)
		if (handle_is_poison(out[i] = promote(ctx, where, x[i], common))) return false;
	return true;
}

/* insert: a new dim is made in each operand first, as stack does */
static tsr *join(const char *where, const char *op, int dim, tsr *const *x, size_t n, bool insert)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, op, x, n > INT32_MAX ? INT32_MAX : (int)n, &poison);
	int at;

	if (!ctx) return poison;
	if (!dim_read(ctx, where, op, dim, handle_type(x[0])->ndim + insert, &at)) return poison;
	tsr **each = mem_array(&ctx->base, n, sizeof *each);
	bool ok = each && join_prepare(ctx, where, x, n, each);
	for (size_t i = 0; ok && insert && i < n; i++)
		ok = !handle_is_poison(each[i] = tsr_expand_dims_at(where, each[i], at));
	tsr *y = ok ? bind(ctx, where, &tsr__prim_concatenate, &(dim_params){at}, each, (int)n)
	            : poison;
	mem_free(&ctx->base, each);
	return y;
}

tsr *tsr_concatenate_at(const char *where, int dim, tsr *const *x, size_t n)
{
	return join(where, "concatenate", dim, x, n, false);
}
tsr *tsr_stack_at(const char *where, int dim, tsr *const *x, size_t n)
{
	return join(where, "stack", dim, x, n, true);
}

bool tsr_split_at(const char *where, tsr *x, int dim, tsr **out, size_t n)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "split", &x, 1, &poison);
	int at;

	if (n && !out)
		return fail(handles_of(poison)->base, where, TSR_ERROR_ARGUMENT,
		            "split: the list for %zu parts is NULL", n);
	for (size_t i = 0; i < n; i++) out[i] = poison;
	if (!ctx || !dim_read(ctx, where, "split", dim, handle_type(x)->ndim, &at)) return false;
	const int64_t size = handle_type(x)->dims[at];
	if (n == 0 || size % (int64_t)n)
		return fail(&ctx->base, where, TSR_ERROR_TYPE,
		            "split: dim %d of size %lld does not divide into %zu equal parts: rest "
		            "is %lld",
		            at, (long long)size, n,
		            n ? (long long)(size % (int64_t)n) : (long long)size);
	const int64_t part = size / (int64_t)n;
	for (size_t i = 0; i < n; i++)
		out[i] = tsr_slice_at(where, x, at, (int64_t)i * part, ((int64_t)i + 1) * part);
	return n == 0 || !handle_is_poison(out[n - 1]);
}

tsr *tsr_pad_at(const char *where, tsr *x, tsr_dims low, tsr_dims high, tsr_arg value,
                const tsr_pad_args *given)
{
	const tsr_pad_args *a = KEYWORDS(tsr_pad_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "pad", &x, 1, &poison);
	int64_t none[255] = {0};

	if (!ctx) return poison;
	const int ndim = handle_type(x)->ndim;
	if (!dims_match(ctx, where, "pad", "low", &low, ndim, true) ||
	    !dims_match(ctx, where, "pad", "high", &high, ndim, true) ||
	    !dims_match(ctx, where, "pad", ".interior", &a->interior, ndim, false))
		return poison;
	tsr *v = value.kind == TSR_KIND_ONE ? value.as.one
	                                    : constant_as(ctx, where, etype_of(handle_type(x)),
	                                                  &value);
	if (!operands_check(where, "pad", (tsr *[]){x, v}, 2, &poison)) return poison;
	const pad_params p = {{ndim, dims_of(&low)},
	                      {ndim, dims_of(&high)},
	                      {ndim, dims_given(&a->interior) ? dims_of(&a->interior) : none}};
	return bind(ctx, where, &tsr__prim_pad, &p,
	            (tsr *[]){x, promote(ctx, where, v, etype_of(handle_type(x)))}, 2);
}

/* ---- slices */

/* as Python: negative from the end, cut to the dim, empty when they cross */
static void clip_range(int64_t size, int64_t *start, int64_t *stop)
{
	int64_t *ends[2] = {start, stop};

	for (int i = 0; i < 2; i++) {
		if (*ends[i] < 0) *ends[i] += size;
		if (*ends[i] < 0) *ends[i] = 0;
		if (*ends[i] > size) *ends[i] = size;
	}
	if (*stop < *start) *stop = *start;
}

tsr *tsr_slice_at(const char *where, tsr *x, int dim, int64_t start, int64_t stop)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "slice", &x, 1, &poison);
	int64_t from[255], to[255], step[255];
	int at;

	if (!ctx || !dim_read(ctx, where, "slice", dim, handle_type(x)->ndim, &at)) return poison;
	const type *t = handle_type(x);
	for (int d = 0; d < t->ndim; d++) from[d] = 0, to[d] = t->dims[d], step[d] = 1;
	clip_range(t->dims[at], &start, &stop);
	from[at] = start;
	to[at] = stop;
	return bind(ctx, where, &tsr__prim_slice,
	            &(slice_params){{t->ndim, from}, {t->ndim, to}, {t->ndim, step}}, &x, 1);
}

tsr *tsr_slice_strided_at(const char *where, tsr *x, tsr_dims starts, tsr_dims stops,
                          const tsr_slice_args *given)
{
	const tsr_slice_args *a = KEYWORDS(tsr_slice_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "slice_strided", &x, 1, &poison);
	int64_t from[255], to[255], step[255];

	if (!ctx) return poison;
	const type *t = handle_type(x);
	if (!dims_match(ctx, where, "slice_strided", "starts", &starts, t->ndim, true) ||
	    !dims_match(ctx, where, "slice_strided", "stops", &stops, t->ndim, true) ||
	    !dims_match(ctx, where, "slice_strided", ".steps", &a->steps, t->ndim, false))
		return poison;
	for (int d = 0; d < t->ndim; d++) {
		from[d] = dims_of(&starts)[d];
		to[d] = dims_of(&stops)[d];
		step[d] = dims_given(&a->steps) ? dims_of(&a->steps)[d] : 1;
		clip_range(t->dims[d], &from[d], &to[d]);
	}
	return bind(ctx, where, &tsr__prim_slice,
	            &(slice_params){{t->ndim, from}, {t->ndim, to}, {t->ndim, step}}, &x, 1);
}

/* x without a dim of size 1 */
static tsr *drop_dim(tsr_ctx *ctx, const char *where, tsr *x, int dim)
{
	return handle_is_poison(x) ? x
	                           : bind(ctx, where, &tsr__prim_squeeze,
	                                  &(dims_params){{1, (int64_t[]){dim}}}, &x, 1);
}

tsr *tsr_index_at(const char *where, tsr *x, int dim, int64_t i)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "index", &x, 1, &poison);
	int at;

	if (!ctx || !dim_read(ctx, where, "index", dim, handle_type(x)->ndim, &at)) return poison;
	const int64_t size = handle_type(x)->dims[at];
	if (i < -size || i >= size)
		return refuse(ctx, where, TSR_ERROR_ARGUMENT,
		              "index: %lld is out of range for dim %d of size %lld", (long long)i,
		              at, (long long)size);
	if (i < 0) i += size;
	return drop_dim(ctx, where, tsr_slice_at(where, x, at, i, i + 1), at);
}

/* ---- slices whose start is a value: one start a dim, zero but for `dim`. The row moves a start so
 * that the part fits in; before that, here, negative ones are counted from the end */

static bool refuse_start(tsr_ctx *ctx, const char *where, const char *op)
{
	return fail(&ctx->base, where, TSR_ERROR_TYPE,
	            "%s: the start must be an integer of rank 0", op);
}

/* of a C number, in i32 where that holds it; what is beyond i64 is behind every dim */
static tsr *known_start(tsr_ctx *ctx, const char *where, const tsr_arg *start, int64_t size)
{
	int64_t i = start->as.i;

	if (start->kind == TSR_KIND_UINT && start->as.u > INT64_MAX) i = INT64_MAX;
	if (i < 0) i += size;
	return constant(ctx, where, i == (int32_t)i ? TSR_I32 : TSR_I64,
	                &(tsr_arg){TSR_KIND_INT, {.i = i}});
}

/* select(i < 0, i + size, i) of a signed i, in a dtype that holds the size */
static tsr *computed_start(tsr_ctx *ctx, const char *where, tsr *i, int64_t size)
{
	const tsr_dtype own = handle_type(i)->dtype;

	if (dtype_kind(own) == KIND_UINT) return i;
	i = convert(ctx, where, i, own == TSR_I64 || size > INT32_MAX ? TSR_I64 : TSR_I32);
	const tsr_arg at = {TSR_KIND_ONE, {.one = i}}, n = {TSR_KIND_INT, {.i = size}};
	tsr *below = tsr_lt_at(where, (tsr_arg[]){at, {TSR_KIND_INT, {.i = 0}}});
	tsr *from_end = tsr_add_at(where, (tsr_arg[]){at, n});
	return tsr_where_at(where, (tsr_arg[]){{TSR_KIND_ONE, {.one = below}},
	                                       {TSR_KIND_ONE, {.one = from_end}},
	                                       at});
}

static bool starts_prepare(tsr_ctx *ctx, const char *where, const char *op, tsr *x, int dim,
                           const tsr_arg *start, tsr **out)
{
	const type *t = handle_type(x);
	tsr *poison, *i = start->as.one;

	if (start->kind == TSR_KIND_ONE) {
		if (!operands_check(where, op, (tsr *[]){x, i}, 2, &poison)) return false;
		const type *own = handle_type(i);
		if (own->ndim ||
		    (dtype_kind(own->dtype) != KIND_INT && dtype_kind(own->dtype) != KIND_UINT))
			return refuse_start(ctx, where, op);
		i = computed_start(ctx, where, i, t->dims[dim]);
	} else if (start->kind == TSR_KIND_INT || start->kind == TSR_KIND_UINT) {
		i = known_start(ctx, where, start, t->dims[dim]);
	} else {
		return refuse_start(ctx, where, op);
	}
	if (handle_is_poison(i)) return false;
	tsr *zero = constant(ctx, where, handle_type(i)->dtype,
	                     &(tsr_arg){TSR_KIND_INT, {.i = 0}});
	for (int d = 0; d < t->ndim; d++) out[d] = d == dim ? i : zero;
	return !handle_is_poison(zero);
}

tsr *tsr_dynamic_slice_at(const char *where, tsr *x, int dim, tsr_arg start, int64_t size)
{
	tsr *poison, *operand[256];
	tsr_ctx *ctx = operands_check(where, "dynamic_slice", &x, 1, &poison);
	int64_t dims[255];
	int at;

	if (!ctx || !dim_read(ctx, where, "dynamic_slice", dim, handle_type(x)->ndim, &at))
		return poison;
	const type *t = handle_type(x);
	if (!starts_prepare(ctx, where, "dynamic_slice", x, at, &start, operand + 1)) return poison;
	for (int d = 0; d < t->ndim; d++) dims[d] = d == at ? size : t->dims[d];
	operand[0] = x;
	return bind(ctx, where, &tsr__prim_dynamic_slice, &(dynamic_slice_params){{t->ndim, dims}},
	            operand, 1 + t->ndim);
}

tsr *tsr_dynamic_index_at(const char *where, tsr *x, int dim, tsr_arg i)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "dynamic_index", &x, 1, &poison);
	int at;

	if (!ctx || !dim_read(ctx, where, "dynamic_index", dim, handle_type(x)->ndim, &at))
		return poison;
	return drop_dim(ctx, where, tsr_dynamic_slice_at(where, x, at, i, 1), at);
}

tsr *tsr_dynamic_update_at(const char *where, tsr *x, tsr *update, int dim, tsr_arg start)
{
	tsr *poison, *operand[257];
	tsr_ctx *ctx = operands_check(where, "dynamic_update", (tsr *[]){x, update}, 2, &poison);
	int at;

	if (!ctx || !dim_read(ctx, where, "dynamic_update", dim, handle_type(x)->ndim, &at))
		return poison;
	const type *t = handle_type(x);
	operand[0] = x;
	operand[1] = promote(ctx, where, update, etype_of(t));
	if (handle_is_poison(operand[1]) ||
	    !starts_prepare(ctx, where, "dynamic_update", x, at, &start, operand + 2))
		return poison;
	return bind(ctx, where, &tsr__prim_dynamic_update_slice, NULL, operand, 2 + t->ndim);
}
