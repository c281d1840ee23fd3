/* slice.c - the public slices: of ranges as Python has them, and of starts that are computed. */
#include "lib/lib.h"

/* A range as Python's x[start:stop:step]: negative ends count from the end, and both are cut to the
 * dim; with a negative step elements go down from start, and end before stop. In a dim of size 5,
 * 4:-6:-2 is the elements 4 2 0: stored as 0:5:2, whose elements are 0 2 4, and `down`, which
 * reverses them. */
typedef struct range {
	int64_t start, stop, step;
	bool down;
} range;

static int64_t cut_end(int64_t end, int64_t size, bool down)
{
	if (end < 0) end += size;
	if (end < 0) return down ? -1 : 0;
	return end < size ? end : down ? size - 1 : size;
}

static range range_make(int64_t size, int64_t start, int64_t stop, int64_t step)
{
	const bool down = step < 0;
	const int64_t by = step == INT64_MIN ? INT64_MAX : down ? -step : step;

	start = cut_end(start, size, down);
	stop = cut_end(stop, size, down);
	if (down ? stop >= start : stop <= start) return (range){0, 0, by, false};
	if (!down) return (range){start, stop, by, false};
	const int64_t n = (start - stop - 1) / by + 1;
	return (range){start - (n - 1) * by, start + 1, by, true};
}

tsr *lib_slice(call_site *site, tsr *x, int dim, int64_t start, int64_t stop)
{
	int64_t from[MAX_NDIM], to[MAX_NDIM], step[MAX_NDIM];
	int at;

	if (!operands_check(site, &x, 1) || !dim_read(site, dim, handle_type(x)->ndim, &at))
		return poison_of(site->ctx);
	const type *t = handle_type(x);
	for (int d = 0; d < t->ndim; d++) from[d] = 0, to[d] = t->dims[d], step[d] = 1;
	const range r = range_make(t->dims[at], start, stop, 1);
	from[at] = r.start;
	to[at] = r.stop;
	return bind(site, &tsr__prim_slice,
	            &(slice_params){{t->ndim, from}, {t->ndim, to}, {t->ndim, step}}, &x, 1);
}

tsr *lib_slice_strided(call_site *site, tsr *x, tsr_dims starts, tsr_dims stops,
                       const tsr_slice_args *a)
{
	int64_t from[MAX_NDIM], to[MAX_NDIM], step[MAX_NDIM], down[MAX_NDIM];
	int ndown = 0;

	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	const type *t = handle_type(x);
	if (!dims_match(site, "starts", &starts, t->ndim, true) ||
	    !dims_match(site, "stops", &stops, t->ndim, true) ||
	    !dims_match(site, ".steps", &a->steps, t->ndim, false))
		return poison_of(site->ctx);
	for (int d = 0; d < t->ndim; d++) {
		const int64_t by = dims_given(&a->steps) ? dims_of(&a->steps)[d] : 1;
		if (!by)
			return refuse_op(site, TSR_ERROR_ARGUMENT,
			                 "the step of dim %d is 0 in .steps; it goes up (> 0) or "
			                 "down (< 0)",
			                 d);
		const range r =
			range_make(t->dims[d], dims_of(&starts)[d], dims_of(&stops)[d], by);
		from[d] = r.start, to[d] = r.stop, step[d] = r.step;
		if (r.down) down[ndown++] = d;
	}
	tsr *y = bind(site, &tsr__prim_slice,
	              &(slice_params){{t->ndim, from}, {t->ndim, to}, {t->ndim, step}}, &x, 1);
	if (handle_is_poison(y) || !ndown) return y;
	return bind(site, &tsr__prim_rev, &(dims_params){{ndown, down}}, &y, 1);
}

/* x without a dim of size 1 */
static tsr *drop_dim(const call_site *site, tsr *x, int dim)
{
	return handle_is_poison(x) ? x
	                           : bind(site, &tsr__prim_squeeze,
	                                  &(dims_params){{1, (int64_t[]){dim}}}, &x, 1);
}

tsr *lib_index(call_site *site, tsr *x, int dim, int64_t i)
{
	int at;

	if (!operands_check(site, &x, 1) || !dim_read(site, dim, handle_type(x)->ndim, &at))
		return poison_of(site->ctx);
	const int64_t size = handle_type(x)->dims[at];
	if (i < -size || i >= size)
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 "%lld is out of range for dim %d of size %lld", (long long)i, at,
		                 (long long)size);
	if (i < 0) i += size;
	return drop_dim(site, tsr_slice_at(site->where, x, at, i, i + 1), at);
}

/* ---- slices whose starts are values, one for each dim. The primitive moves a start so that the
 * part is within the array. Before that, here, the size is added to negative ones: they count from
 * the end */

static bool refuse_start(const call_site *site)
{
	return fail_op(site, TSR_ERROR_TYPE, "the start must be an integer of rank 0");
}

/* the start given by a C number: i32 if that can hold it. A number too large for i64 is behind the
 * end of any dim */
static tsr *known_start(const call_site *site, const tsr_arg *start, int64_t size)
{
	int64_t i = start->as.i;

	if (start->kind == TSR_KIND_UINT && start->as.u > INT64_MAX) i = INT64_MAX;
	if (i < 0) i += size;
	return constant(site, i == (int32_t)i ? TSR_I32 : TSR_I64,
	                &(tsr_arg){.kind = TSR_KIND_INT, .as.i = i});
}

/* the start along a dim of x; poison: recorded */
static tsr *start_of(const call_site *site, tsr *x, int dim, const tsr_arg *start)
{
	const int64_t size = handle_type(x)->dims[dim];
	call_site both = *site;
	tsr *poison = poison_of(site->ctx), *i = start->as.one;

	if (start->kind == TSR_KIND_INT || start->kind == TSR_KIND_UINT)
		return known_start(site, start, size);
	if (start->kind != TSR_KIND_ONE) return refuse_start(site), poison;
	if (!operands_check(&both, (tsr *[]){x, i}, 2)) return poison;
	const type *t = handle_type(i);
	if (t->ndim || (dtype_kind(t->dtype) != KIND_INT && dtype_kind(t->dtype) != KIND_UINT))
		return refuse_start(site), poison;
	return index_from_end(site, i, size);
}

/* starts for a slice of one dim: the others start at 0 */
static bool start_in_dim(const call_site *site, tsr *x, int dim, const tsr_arg *start, tsr **out)
{
	tsr *i = start_of(site, x, dim, start);

	if (handle_is_poison(i)) return false;
	tsr *zero =
		constant(site, handle_type(i)->dtype, &(tsr_arg){.kind = TSR_KIND_INT, .as.i = 0});
	for (int d = 0; d < handle_type(x)->ndim; d++) out[d] = d == dim ? i : zero;
	return !handle_is_poison(zero);
}

static bool start_in_each_dim(const call_site *site, tsr *x, const tsr_arg *starts, size_t n,
                              tsr **out)
{
	const int ndim = handle_type(x)->ndim;

	if (n != (size_t)ndim)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "a value of %d dim%s takes %d start%s, got %zu", ndim,
		               ndim == 1 ? "" : "s", ndim, ndim == 1 ? "" : "s", n);
	for (int d = 0; d < ndim; d++)
		if (handle_is_poison(out[d] = start_of(site, x, d, &starts[d]))) return false;
	return true;
}

tsr *lib_dynamic_slice(call_site *site, tsr *x, int dim, tsr_arg start, int64_t size)
{
	tsr *operand[1 + MAX_NDIM];
	int64_t dims[MAX_NDIM];
	int at;

	if (!operands_check(site, &x, 1) || !dim_read(site, dim, handle_type(x)->ndim, &at))
		return poison_of(site->ctx);
	const type *t = handle_type(x);
	if (!start_in_dim(site, x, at, &start, operand + 1)) return poison_of(site->ctx);
	for (int d = 0; d < t->ndim; d++) dims[d] = d == at ? size : t->dims[d];
	operand[0] = x;
	return bind(site, &tsr__prim_dynamic_slice, &(dynamic_slice_params){{t->ndim, dims}},
	            operand, 1 + t->ndim);
}

tsr *lib_dynamic_index(call_site *site, tsr *x, int dim, tsr_arg i)
{
	int at;

	if (!operands_check(site, &x, 1) || !dim_read(site, dim, handle_type(x)->ndim, &at))
		return poison_of(site->ctx);
	return drop_dim(site, tsr_dynamic_slice_at(site->where, x, at, i, 1), at);
}

tsr *lib_dynamic_update(call_site *site, tsr *x, tsr *update, int dim, tsr_arg start)
{
	tsr *operand[2 + MAX_NDIM];
	int at;

	if (!operands_check(site, (tsr *[]){x, update}, 2) ||
	    !dim_read(site, dim, handle_type(x)->ndim, &at))
		return poison_of(site->ctx);
	const type *t = handle_type(x);
	operand[0] = x;
	operand[1] = promote(site, update, etype_of(t));
	if (handle_is_poison(operand[1]) || !start_in_dim(site, x, at, &start, operand + 2))
		return poison_of(site->ctx);
	return bind(site, &tsr__prim_dynamic_update_slice, NULL, operand, 2 + t->ndim);
}

tsr *lib_dynamic_slice_dims(call_site *site, tsr *x, tsr_dims sizes, const tsr_arg *starts,
                            size_t n)
{
	tsr *operand[1 + MAX_NDIM];

	if (!operands_check(site, &x, 1) ||
	    !dims_match(site, "sizes", &sizes, handle_type(x)->ndim, true) ||
	    !start_in_each_dim(site, x, starts, n, operand + 1))
		return poison_of(site->ctx);
	operand[0] = x;
	return bind(site, &tsr__prim_dynamic_slice,
	            &(dynamic_slice_params){{(int)n, dims_of(&sizes)}}, operand, 1 + (int)n);
}

tsr *lib_dynamic_update_dims(call_site *site, tsr *x, tsr *update, const tsr_arg *starts, size_t n)
{
	tsr *operand[2 + MAX_NDIM];

	if (!operands_check(site, (tsr *[]){x, update}, 2)) return poison_of(site->ctx);
	operand[0] = x;
	operand[1] = promote(site, update, etype_of(handle_type(x)));
	if (handle_is_poison(operand[1]) || !start_in_each_dim(site, x, starts, n, operand + 2))
		return poison_of(site->ctx);
	return bind(site, &tsr__prim_dynamic_update_slice, NULL, operand, 2 + (int)n);
}
