/* dynamic_slice.c - rows that take or replace a part of an array at a place that is known only when
 * they run: dynamic_slice, dynamic_update_slice.
 *
 * A start from which the part would not be inside is moved to the nearest one from which it does:
 *
 *     dynamic_slice [1 2 3 4 5] 1:i32 dims=[3]            gives  [2 3 4]
 *     dynamic_slice [1 2 3 4 5] 4:i32 dims=[3]            gives  [3 4 5]
 *     dynamic_update_slice [1 2 3 4 5] [8 9] 1:i32        gives  [1 8 9 4 5]
 *     dynamic_update_slice [1 2 3 4 5] [8 9] -1:i32       gives  [8 9 3 4 5] */
#include "prim/row.h"
#include "prim/layout/windows.h"

/* ---- the starts: one for each dim, clamped so that the part is inside. A part of 3 elements that
 * would start at 8 of 10 starts at 7 */

/* operands first .. first + ndim - 1 are the starts */
static bool check_starts(build *b, const eqn *e, const type *const *in, int first, int ndim)
{
	if (e->nin != first + ndim)
		return fail_type(b, e, "%s of %s needs one start for each dim, got %d",
		                 eqn_name(b, e), type_words(b, in[0]), e->nin - first);
	for (int i = first; i < e->nin; i++) {
		if (in[i]->ndim)
			return fail_type(b, e, "%s: starts must be scalars, got %s", eqn_name(b, e),
			                 type_words(b, in[i]));
		if (!(ONE_KIND(dtype_kind(in[i]->dtype)) & WRAP_KINDS))
			return fail_type(b, e, "index arguments to %s must be integers, got %s",
			                 eqn_name(b, e), tsr_dtype_name(in[i]->dtype));
	}
	return true;
}

/* the place in x, in elements, of the part that starts there */
static int64_t part_place(const eval_args *args, const type *x, const int64_t *part, int first)
{
	int64_t at = 0;

	for (int d = 0; d < x->ndim; d++) {
		const int64_t start =
			index_value(args->in[first + d]->dtype, args->x[first + d]);
		const int64_t most = x->dims[d] - part[d];
		at += (start < 0 ? 0 : start > most ? most : start) * dims_stride(x, d);
	}
	return at;
}

/* where the part starts along a dim */
static kvar start_node(kernel *k, const eqn *e, int operand, int64_t most)
{
	kvar start = k_operand(k, e, operand, NULL);

	if (k_dtype(k, start) == TSR_U64)
		start = k_binary(k, K_MIN, start, k_const(k, TSR_U64, &most));
	return k_ix_clamp(k, k_convert(k, start, TSR_I64), most);
}

/* The starts of a batch. Elements that share theirs are one part, with a start of 0 along the
 * batch's dim. Elements that have starts of their own are windows of a gather or a scatter, which
 * clips as these rows do */
static bool share_starts(const bool *mapped, int n)
{
	for (int d = 0; d < n; d++)
		if (mapped[d]) return false;
	return true;
}

/* The equation on a batch that shares them: they are operands `first` and on. The last dims of the
 * operands before them are those of its elements, and the start of the batch's dim is 0 */
static var with_shared_starts(build *b, const eqn *e, const void *params, const batching *to,
                              const var *x, const bool *mapped, int first)
{
	var *operand = var_room(b, e->nin + 1);

	if (!operand) return (var){0};
	for (int i = 0; i < first; i++) operand[i] = batch_whole(b, to, x[i], mapped[i]);
	operand[first] = emit_scalar(b, TSR_I64, 0);
	memcpy(operand + first + 1, x + first, (size_t)(e->nin - first) * sizeof *x);
	return emit(b, e->prim, params, operand, e->nin + 1);
}

/* every dim of an array of n dims: a window has all of them, and each has a start */
static window_dims all_dims(build *b, int n)
{
	const ints all = list_others(b, n, &(ints){0});

	return (window_dims){.through = all, .starts = all};
}

/* copies the starts, operands first .. nin - 1 */
static void copy_starts(build *b, const eqn *e, const var *x, int first, var *out)
{
	for (int i = first; i < e->nin; i++) {
		if (is_zero(x[i])) not_linear(b, e, "it is not linear in the starts");
		*out++ = x[i];
	}
}

/* ---- on blocks: places are counted in the whole, and then in the block */

static var plus(build *b, var at, int64_t n)
{
	if (is_zero(at) || !n) return at;
	return emit_add(b, at, emit_scalar(b, build_type(b, at)->dtype, (double)n));
}

/* a start of a part that may start at `most` at the latest, clamped, of this dtype */
static var start_clamped(build *b, var start, int64_t most, tsr_dtype dtype)
{
	if (is_zero(start)) return start;
	const var at = emit_2(b, &tsr__prim_max, emit_start(b, start, TSR_I64),
	                      emit_scalar(b, TSR_I64, 0));
	const var last = emit_scalar(b, TSR_I64, (double)most);
	return emit_convert(b, emit_2(b, &tsr__prim_min, at, last), dtype);
}

/* the dtype of starts of blocks; TSR_BOOL: neither value is cut along the dim */
static tsr_dtype start_dtype(build *b, var a, var c)
{
	if (!a.id && !c.id) return TSR_BOOL;
	return build_type(b, a.id ? a : c)->dtype;
}

/* ---- dynamic_slice */

static const ints *sizes_of(const eqn *e)
{
	return &((const dynamic_slice_params *)e->params)->dims;
}

static bool dynamic_slice_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (e->nin < 1) return fail_type(b, e, "%s needs an operand", eqn_name(b, e));
	const ints *sizes = sizes_of(e);
	if (!check_length(b, e, "dims", sizes, in[0]->ndim) ||
	    !check_starts(b, e, in, 1, in[0]->ndim))
		return false;
	for (int d = 0; d < in[0]->ndim; d++)
		if (sizes->v[d] < 0 || sizes->v[d] > in[0]->dims[d])
			return fail_type(b, e,
			                 "%s sizes must be less than or equal to the "
			                 "operand's shape, got sizes %s for operand shape %s",
			                 eqn_name(b, e), dims_words(b, sizes->v, sizes->n),
			                 dims_words(b, in[0]->dims, in[0]->ndim));
	return give_type(b, in[0]->dtype, sizes->v, sizes->n, out) && weaken(b, in[0]->weak, out);
}

static void dynamic_slice_factors(const eqn *e, const type *const *in, const type *const *out,
                                  factors *f)
{
	for (int d = 0; d < out[0]->ndim; d++) {
		if (in[0]->dims[d] == out[0]->dims[d]) {
			factor_shared(e, in, f, d, d);
			continue;
		}
		factor_taken(in, f, d);
		factor_alone(e, f, d, out[0]->dims[d], true);
	}
}

static void dynamic_slice_eval(const eval_args *args)
{
	const type *x = args->in[0], *y = args->out[0];
	box copy = {0};

	if (!y->size) return;
	for (int d = 0; d < y->ndim; d++)
		box_dim(&copy, y->dims[d], dims_stride(y, d), dims_stride(x, d));
	box_copy(&copy, y->dtype, args->y[0], 0, args->x[0], part_place(args, x, y->dims, 1));
}

static void dynamic_slice_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const type *x = k_type(k, e, 0), *y = k_result_type(k, e);
	kvar *from = k_room(k, x->ndim);

	for (int d = 0; d < x->ndim; d++)
		from[d] = k_ix_add(k, start_node(k, e, 1 + d, x->dims[d] - y->dims[d]), index[d]);
	to[0] = k_operand(k, e, 0, from);
}

/* zeros with ct in place of the part */
static void dynamic_slice_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                                    const var *ct, var *dx)
{
	var *operand = var_room(b, e->nin + 1);

	if (!operand) return;
	operand[0] = emit_zeros(b, in[0]);
	operand[1] = *ct;
	copy_starts(b, e, x, 1, operand + 2);
	dx[0] = emit(b, &tsr__prim_dynamic_update_slice, NULL, operand, e->nin + 1);
}

static void dynamic_slice_batch(build *b, const eqn *e, const batching *to, const var *x,
                                const bool *mapped, var *y, bool *ymapped)
{
	const int n = e->nin - 1;

	if (share_starts(mapped + 1, n)) {
		const dynamic_slice_params sizes = {list_behind(b, to->size, sizes_of(e), 0)};
		y[0] = with_shared_starts(b, e, &sizes, to, x, mapped, 1);
		ymapped[0] = true;
		return;
	}
	const gather_params p = {all_dims(b, n), *sizes_of(e), GATHER_CLIP, true, true};
	const eqn batched = {.prim = &tsr__prim_gather, .params = &p, .nin = 2, .nout = 1};
	const var starts = emit_starts(b, x + 1, mapped + 1, n, to->size);
	batched.prim->batch(b, &batched, to, (var[]){x[0], starts}, (bool[]){mapped[0], true}, y,
	                    ymapped);
}

/* A block of the operand gives those elements of the part that it has, and nothing for the others:
 * there is room of that before and behind it, for as many as the result's block has */
static void dynamic_slice_local(build *b, const eqn *e, const localizing *to, const var *x, var *y)
{
	const type *whole = to->whole[e->nin], *block = to->block[e->nin];
	var *operand = var_room(b, e->nin);

	if (!operand) return;
	memcpy(operand, x, (size_t)e->nin * sizeof *x);
	for (int d = 0; d < whole->ndim && !build_failed(b); d++) {
		const int64_t most = to->whole[0]->dims[d] - whole->dims[d], n = block->dims[d];
		const var from = to->start[0][d], result = to->start[e->nin][d];
		const tsr_dtype dtype = start_dtype(b, from, result);
		if (!most || dtype == TSR_BOOL) continue;
		const var at = emit_add(b, start_clamped(b, x[1 + d], most, dtype), result);
		const bool behind = from.id || whole->dims[d] % n;
		operand[0] = emit_pad_dim(b, operand[0], d, from.id ? n : 0, behind ? n : 0,
		                          emit_nothing(b, block->dtype));
		operand[1 + d] = plus(b, emit_sub(b, at, from), from.id ? n : 0);
	}
	y[0] = emit(b, e->prim, &(dynamic_slice_params){{block->ndim, block->dims}}, operand,
	            e->nin);
}

static const field dynamic_slice_fields[] = {
	PARAM(dynamic_slice_params, dims, FIELD_DIMS),
	PARAMS_END,
};
LOCAL_ROW(dynamic_slice, "a part of given sizes, from starts that are known only when it runs", -1,
          dynamic_slice_fields, .flags = PRIM_OWN_WEAK | PRIM_MOVES | PRIM_ALONG, .cost = 0.5,
          .needs = needs_nothing, .local = dynamic_slice_local, .jvp = jvp_linear,
          .transpose = dynamic_slice_transpose, .batch = dynamic_slice_batch)

/* ---- dynamic_update_slice */

static bool dynamic_update_slice_types(build *b, const eqn *e, const type *const *in,
                                       const type **out)
{
	if (e->nin < 2) return fail_type(b, e, "%s needs an operand and an update", eqn_name(b, e));
	if (!check_same_dtypes(b, e, in, 0, 2) || !check_starts(b, e, in, 2, in[0]->ndim))
		return false;
	bool fits = in[0]->ndim == in[1]->ndim;
	for (int d = 0; fits && d < in[0]->ndim; d++) fits = in[1]->dims[d] <= in[0]->dims[d];
	if (!fits)
		return fail_type(b, e,
		                 "%s update shape must be smaller than operand "
		                 "shape, got update shape %s for operand shape %s",
		                 eqn_name(b, e), dims_words(b, in[1]->dims, in[1]->ndim),
		                 dims_words(b, in[0]->dims, in[0]->ndim));
	return give_type(b, in[0]->dtype, in[0]->dims, in[0]->ndim, out);
}

/* Along a dim of which a part is replaced, each block of the result replaces the elements in it */
static void dynamic_update_slice_factors(const eqn *e, const type *const *in,
                                         const type *const *out, factors *f)
{
	for (int d = 0; d < out[0]->ndim; d++) {
		const int factor = factor_new(f, in[0]->dims[d], FACTOR_PASS);
		factor_at(f, 0, d, factor);
		if (in[1]->dims[d] == in[0]->dims[d]) {
			factor_at(f, 1, d, factor);
		} else {
			factor_own(f, factor);
			factor_whole(f, 1, d, in[1]->dims[d], "any block may need any part of it");
		}
		factor_at(f, e->nin, d, factor);
	}
}

static void dynamic_update_slice_eval(const eval_args *args)
{
	const type *part = args->in[1], *y = args->out[0];
	const size_t bytes = (size_t)y->size * tsr_dtype_size(y->dtype);
	box copy = {0};

	if (bytes && args->y[0] != args->x[0]) memcpy(args->y[0], args->x[0], bytes);
	if (!part->size) return;
	for (int d = 0; d < y->ndim; d++)
		box_dim(&copy, part->dims[d], dims_stride(y, d), dims_stride(part, d));
	box_copy(&copy, y->dtype, args->y[0], part_place(args, y, part->dims, 2), args->x[1], 0);
}

static void dynamic_update_slice_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const type *x = k_type(k, e, 0), *part = k_type(k, e, 1);
	kvar *from = k_room(k, x->ndim), inside = k_number(k, TSR_BOOL, 1), a = {0}, b = {0};

	for (int d = 0; d < x->ndim; d++) {
		const kvar start = start_node(k, e, 2 + d, x->dims[d] - part->dims[d]);
		from[d] = k_ix_add(k, index[d], k_ix_times(k, start, -1));
		inside = k_binary(k, K_AND, inside, k_binary(k, K_GE, from[d], k_ix(k, 0)));
		inside = k_binary(k, K_AND, inside,
		                  k_binary(k, K_LT, from[d], k_ix(k, part->dims[d])));
	}
	if (k_if(k, inside)) a = k_operand(k, e, 1, from);
	if (k_else(k)) b = k_operand(k, e, 0, index);
	to[0] = k_end(k, a, b);
}

/* of x: ct with zeros in place of the part; of the update: that part of ct */
static void dynamic_update_slice_transpose(build *b, const eqn *e, const type *const *in,
                                           const var *x, const var *ct, var *dx)
{
	var *operand = var_room(b, e->nin);
	const dynamic_slice_params sizes = {{in[1]->ndim, in[1]->dims}};

	if (!operand) return;
	copy_starts(b, e, x, 2, operand + 2);
	if (is_zero(x[0])) {
		operand[0] = *ct;
		operand[1] = emit_zeros(b, in[1]);
		dx[0] = emit(b, e->prim, NULL, operand, e->nin);
	}
	operand[1] = *ct;
	if (is_zero(x[1]))
		dx[1] = emit(b, &tsr__prim_dynamic_slice, &sizes, operand + 1, e->nin - 1);
}

static void dynamic_update_slice_batch(build *b, const eqn *e, const batching *to, const var *x,
                                       const bool *mapped, var *y, bool *ymapped)
{
	const int n = e->nin - 2;

	if (share_starts(mapped + 2, n)) {
		y[0] = with_shared_starts(b, e, NULL, to, x, mapped, 2);
		ymapped[0] = true;
		return;
	}
	const scatter_params p = {all_dims(b, n), SCATTER_SET, SCATTER_CLIP, true, true};
	const eqn batched = {.prim = &tsr__prim_scatter, .params = &p, .nin = 3, .nout = 1};
	const var starts = emit_starts(b, x + 2, mapped + 2, n, to->size);
	/* the result of a scatter is weak where its operand is */
	const var strong = emit_as(b, x[0], (etype){build_type(b, x[0])->dtype, false});
	batched.prim->batch(b, &batched, to, (var[]){strong, starts, x[1]},
	                    (bool[]){mapped[0], true, mapped[1]}, y, ymapped);
}

/* Along one dim: the rows of a block that an update may replace, the first `size` of them from `at`
 * on, and the update moved onto them: its element `skip` comes first. Of a block of 4 that begins
 * at 8, an update of 3 that starts at 6 replaces one: at = 0, skip = 2 */
typedef struct replaced {
	int64_t size;
	var at, skip;
} replaced;

static replaced replace_in(build *b, const localizing *to, int d, var start, var *update)
{
	const int64_t n = to->whole[1]->dims[d], block = to->block[0]->dims[d];
	replaced r = {.size = n < block ? n : block};
	const var from = to->start[0][d];
	const tsr_dtype dtype = build_type(b, from)->dtype;
	const var zero = emit_scalar(b, build_type(b, *update)->dtype, 0);

	start = emit_sub(b, start_clamped(b, start, to->whole[0]->dims[d] - n, dtype), from);
	if (build_failed(b)) return r;
	r.at = emit_2(b, &tsr__prim_max, start, emit_scalar(b, dtype, 0));
	r.at = emit_2(b, &tsr__prim_min, r.at, emit_scalar(b, dtype, (double)(block - r.size)));
	r.skip = emit_sub(b, r.at, start);
	*update = emit_pad_dim(b, *update, d, r.size, r.size, zero);
	*update = emit_part_at(b, *update, d, plus(b, r.skip, r.size), r.size);
	return r;
}

/* The part of a block that the update may replace is taken, and put back with the elements of the
 * update in it */
static void dynamic_update_slice_local(build *b, const eqn *e, const localizing *to, const var *x,
                                       var *y)
{
	const int ndim = e->nin - 2;
	int64_t *sizes = ints_room(b, ndim);
	var *operand = var_room(b, e->nin), *skip = var_room(b, ndim), update = x[1], inside = {0};

	if (build_failed(b)) return;
	memcpy(operand, x, (size_t)e->nin * sizeof *x);
	for (int d = 0; d < ndim && !build_failed(b); d++) {
		sizes[d] = to->block[1]->dims[d];
		if (!to->start[0][d].id || to->whole[0]->dims[d] == to->whole[1]->dims[d]) continue;
		const replaced r = replace_in(b, to, d, x[2 + d], &update);
		sizes[d] = r.size;
		operand[2 + d] = r.at;
		skip[d] = r.skip;
	}
	for (int d = 0; d < ndim; d++) {
		if (!skip[d].id) continue;
		const var place = emit_places(b, sizes, ndim, d, skip[d]);
		const var here = emit_inside(b, place, to->whole[1]->dims[d]);
		inside = is_zero(inside) ? here : emit_2(b, &tsr__prim_and, inside, here);
	}
	operand[1] = operand[0];
	const var now = emit(b, &tsr__prim_dynamic_slice, &(dynamic_slice_params){{ndim, sizes}},
	                     operand + 1, 1 + ndim);
	operand[1] = emit_select(b, inside, update, now);
	y[0] = emit(b, e->prim, NULL, operand, e->nin);
}

LOCAL_ROW(dynamic_update_slice,
          "the operand with a part replaced, from starts known only when it runs", -1, NULL,
          .flags = PRIM_OWN_WEAK | PRIM_BRANCHES | PRIM_ALONG | PRIM_UPDATES, .cost = 3,
          .local = dynamic_update_slice_local, .jvp = jvp_linear,
          .transpose = dynamic_update_slice_transpose,
          .batch = dynamic_update_slice_batch)
