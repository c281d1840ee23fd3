/* diagonals.c - takes diagonals and triangles of matrices, and makes matrices of them.
 *
 * In a row-major matrix of n columns the next element of a diagonal is n + 1 elements further on:
 * of [[a, b, c], [d, e, f]] the elements 0, 4 are the diagonal a, e, and 1, 5 the next one, b, f. A
 * diagonal is a slice of the ravelled matrix. */
#include "lib/formula.h"
#include "lib/linalg/products.h"

tsr *diagonal_of(const call_site *site, tsr *x, int first, int second, int64_t offset)
{
	if (handle_is_poison(x)) return x;
	const int ndim = handle_type(x)->ndim;
	int64_t perm[MAX_NDIM], dims[MAX_NDIM], start[MAX_NDIM], stop[MAX_NDIM], step[MAX_NDIM];
	int n = 0;

	for (int d = 0; d < ndim; d++)
		if (d != first && d != second) perm[n++] = d;
	perm[n] = first, perm[n + 1] = second;
	x = turn_dims(site, x, perm, ndim);
	if (handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	const int64_t rows = t->dims[n], columns = t->dims[n + 1];
	const int64_t above = rows < columns - offset ? rows : columns - offset;
	const int64_t below = rows + offset < columns ? rows + offset : columns;
	const int64_t length = offset >= 0 ? above : below;
	for (int d = 0; d < n; d++) dims[d] = stop[d] = t->dims[d], start[d] = 0, step[d] = 1;
	dims[n] = rows * columns;
	start[n] = length <= 0 ? 0 : offset >= 0 ? offset : -offset * columns;
	stop[n] = length <= 0 ? 0 : start[n] + (length - 1) * (columns + 1) + 1;
	step[n] = columns + 1;
	x = reshape_to(site, x, dims, n + 1);
	if (handle_is_poison(x)) return x;
	return bind(site, &tsr__prim_slice,
	            &(slice_params){{n + 1, start}, {n + 1, stop}, {n + 1, step}}, &x, 1);
}

/* the two dims of a matrix. false: recorded */
static bool pair_read(const call_site *site, const tsr_dims *given, const tsr *x, int dims[2])
{
	const int ndim = handle_type(x)->ndim;

	if (!dims_match(site, ".dims", given, 2, false)) return false;
	for (int i = 0; i < 2; i++)
		if (!dim_read(site, dims_given(given) ? dims_of(given)[i] : i, ndim, &dims[i]))
			return false;
	return dims[0] != dims[1] ||
	       fail_op(site, TSR_ERROR_ARGUMENT, "dim %d is named twice", dims[0]);
}

static tsr *diagonal(call_site *site, tsr *x, const tsr_diagonal_args *a)
{
	int dims[2];

	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	if (handle_type(x)->ndim < 2)
		return fail_types(site, "takes two dims at least, and got", &x, 1),
		       poison_of(site->ctx);
	return pair_read(site, &a->dims, x, dims) ? diagonal_of(site, x, dims[0], dims[1], a->k)
	                                          : poison_of(site->ctx);
}

tsr *lib_diagonal(call_site *site, tsr *x, const tsr_diagonal_args *given)
{
	return diagonal(site, x, given);
}

tsr *lib_trace(call_site *site, tsr *x, const tsr_diagonal_args *a)
{
	const tsr_sum_args last = {.size = sizeof last, .dims = TSR_DIMS(-1),
	                           .dtype = a->dtype};

	return tsr_sum_at(site->where, diagonal(site, x, a), &last);
}

/* ---- the diagonal of an element: its column less its row, of dims that are the last two of x, and
 * have size 1 elsewhere */

static tsr_arg columns_less_rows(const call_site *site, int64_t rows, int64_t columns)
{
	const bool large = rows > INT32_MAX / 2 || columns > INT32_MAX / 2;
	const tsr_dtype dtype = large ? TSR_I64 : TSR_I32;
	const int64_t dims[] = {rows, columns};

	const tsr_arg column = HANDLE(iota_of(site, dtype, dims, 2, 1));

	return SUB(column, HANDLE(iota_of(site, dtype, dims, 2, 0)));
}

/* x [..., n] as diagonal k of matrices [..., n + |k|, n + |k|]: each row has x, moved by k, and
 * what does not belong there is 0 */
static tsr *matrix_of(const call_site *site, tsr *x, int k)
{
	const int64_t n = handle_type(x)->dims[0];
	const int64_t more = k < 0 ? -(int64_t)k : k;
	const tsr_dims low = TSR_DIMS(k < 0 ? -(int64_t)k : 0), high = TSR_DIMS(k > 0 ? k : 0);
	const tsr_pad_args none = {.size = sizeof none};

	x = tsr_pad_at(site->where, x, low, high, INT(0), &none);
	const tsr_arg column = HANDLE(tsr_expand_dims_at(site->where, x, TSR_DIMS(1)));
	const tsr_arg there = IS(eq, columns_less_rows(site, n + more, n + more), INT(k));
	return WHERE(there, column, HANDLE(tsr_zeros_like_at(site->where, column.as.one))).as.one;
}

tsr *lib_diag(call_site *site, tsr *x, int k)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	if (handle_type(x)->ndim == 1) return matrix_of(site, x, k);
	if (handle_type(x)->ndim == 2) return diagonal_of(site, x, 0, 1, k);
	return fail_types(site, "takes one or two dims, and got", &x, 1), poison_of(site->ctx);
}

tsr *lib_diagflat(call_site *site, tsr *x, int k)
{
	return tsr_diag_at(site->where, tsr_ravel_at(site->where, x), k);
}

/* x, and zeros where the comparison of a column less its row with k does not hold */
static tsr *triangle(call_site *site, tsr *x, int64_t k, bool upper)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	const type *t = handle_type(x);
	if (t->ndim < 2)
		return fail_types(site, "takes two dims at least, and got", &x, 1),
		       poison_of(site->ctx);
	const tsr_arg place = columns_less_rows(site, t->dims[t->ndim - 2], t->dims[t->ndim - 1]);
	const tsr_arg keep = upper ? IS(ge, place, INT(k)) : IS(le, place, INT(k));
	return WHERE(keep, HANDLE(x), HANDLE(tsr_zeros_like_at(site->where, x))).as.one;
}

tsr *lib_tril(call_site *site, tsr *x, int k) { return triangle(site, x, k, false); }
tsr *lib_triu(call_site *site, tsr *x, int k) { return triangle(site, x, k, true); }

tsr *lib_tri(call_site *site, tsr_ctx *ctx, int64_t n, int64_t m, int k, const tsr_new_args *a)
{
	const tsr_dtype dtype = a->dtype ? a->dtype : TSR_F32;

	if (!type_for(site, dtype, &TSR_DIMS(n, m))) return poison_of(ctx);
	const tsr_arg below = IS(le, columns_less_rows(site, n, m), INT(k));
	return TO(dtype, below).as.one;
}

/* the elements whose indices are all alike */
tsr *lib_fill_diagonal(call_site *site, tsr *x, tsr_arg value)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	const type *t = handle_type(x);
	bool fits = t->ndim >= 2;
	for (int d = 1; d < t->ndim && t->ndim > 2; d++) fits = fits && t->dims[d] == t->dims[0];
	if (!fits)
		return fail_types(site, "takes two dims, or more of one size, and got", &x, 1),
		       poison_of(site->ctx);
	const tsr_arg first = HANDLE(iota_of(site, TSR_I64, t->dims, t->ndim, 0));
	tsr_arg all = IS(eq, first, HANDLE(iota_of(site, TSR_I64, t->dims, t->ndim, 1)));
	for (int d = 2; d < t->ndim; d++) {
		const tsr_arg next = HANDLE(iota_of(site, TSR_I64, t->dims, t->ndim, d));
		all = BOTH(all, IS(eq, first, next));
	}
	return convert(site, WHERE(all, value, HANDLE(x)).as.one, t->dtype);
}

tsr *lib_vander(call_site *site, tsr *x, int64_t n, bool increasing)
{
	tsr_ctx *ctx = operands_check(site, &x, 1);

	if (!ctx) return poison_of(site->ctx);
	if (handle_type(x)->ndim != 1)
		return fail_types(site, "takes one dim, and got", &x, 1), poison_of(ctx);
	const tsr_iota_args of = {.size = sizeof of, .dtype = handle_type(x)->dtype};
	tsr *number = tsr_iota_at(site->where, ctx, TSR_DIMS(n), 0, &of);
	if (handle_is_poison(number)) return number;
	const tsr_arg power = increasing ? HANDLE(number) : SUB(INT(n - 1), HANDLE(number));
	return OP_2(pow, HANDLE(tsr_expand_dims_at(site->where, x, TSR_DIMS(1))), power).as.one;
}
