/* factor.c - defines the public factorisations lu, qr, eigh and svd, and the operations made of
 * lu: systems of equations, inverses, determinants. */
#include "lib/lib.h"

bool no_factors(const call_site *site, tsr **out, int n)
{
	for (int i = 0; i < n; i++) out[i] = poison_of(site->ctx);
	return false;
}

bool factors_of(const call_site *site, const tsr_prim *prim, const void *params, tsr *x, tsr **out,
                int n)
{
	return (!handle_is_poison(x) &&
	        bind_all(&(operation){site, prim, params, &x, 1}, out, n)) ||
	       no_factors(site, out, n);
}

bool lib_lu(call_site *site, tsr *a, tsr *out[3])
{
	if (!matrices_prepare(site, &a, 1)) return no_factors(site, out, 3);
	return factors_of(site, &tsr__prim_lu, NULL, a, out, 3);
}

bool lib_qr(call_site *site, tsr *a, tsr *out[2], const tsr_qr_args *g)
{
	if (!matrices_prepare(site, &a, 1)) return no_factors(site, out, 2);
	return factors_of(site, &tsr__prim_qr, &(qr_params){g->full_matrices}, a, out, 2);
}

static bool eigen(call_site *site, tsr *a, tsr *out[2], const tsr_eigh_args *g)
{
	if (!matrices_prepare(site, &a, 1) || !is_square(site, a)) return no_factors(site, out, 2);
	if (!g->triangle_only) a = hermitian_of(site, a);
	return factors_of(site, &tsr__prim_eigh, &(eigh_params){!g->upper}, a, out, 2);
}

/* the row gives the vectors first, as that of lax does */
bool lib_eigh(call_site *site, tsr *a, tsr *out[2], const tsr_eigh_args *given)
{
	tsr *y[2];
	const bool done = eigen(site, a, y, given);

	out[0] = y[1];
	out[1] = y[0];
	return done;
}

tsr *lib_eigvalsh(call_site *site, tsr *a, const tsr_eigh_args *given)
{
	tsr *y[2];

	return eigen(site, a, y, given) ? y[1] : y[0];
}

/* likewise, the singular values */
bool lib_svd(call_site *site, tsr *a, tsr *out[3], const tsr_svd_args *g)
{
	if (!matrices_prepare(site, &a, 1)) return no_factors(site, out, 3);
	const svd_params p = {.full_matrices = !g->thin, .compute_uv = true};
	if (!factors_of(site, &tsr__prim_svd, &p, a, out, 3)) return false;
	tsr *s = out[0];
	out[0] = out[1];
	out[1] = s;
	return true;
}

tsr *lib_svdvals(call_site *site, tsr *a)
{
	tsr *s;

	if (!matrices_prepare(site, &a, 1)) return poison_of(site->ctx);
	factors_of(site, &tsr__prim_svd, &(svd_params){0}, a, &s, 1);
	return s;
}

/* ---- by lu */

/* L U x = P b; both prepared */
static tsr *solved(const call_site *site, tsr *const x[2])
{
	tsr *lu[3], *step[2];

	if (!factors_of(site, &tsr__prim_lu, NULL, x[0], lu, 3)) return lu[0];
	const type *b = handle_type(x[1]);
	const int64_t down[] = {b->ndim - 1};
	tsr *rows = bind(site, &tsr__prim_expand_dims, &(dims_params){{1, down}}, &lu[2], 1);
	if (handle_is_poison(rows)) return rows;
	rows = broadcast_to(site, rows, b->dims, b->ndim);
	if (handle_is_poison(rows)) return rows;
	step[0] = lu[0];
	step[1] = tsr_take_along_at(site->where, x[1], -2, rows, NULL);
	for (int upper = 0; upper < 2 && !handle_is_poison(step[1]); upper++) {
		const triangular_solve_params p = {
			.left_side = true, .lower = !upper, .unit_diagonal = !upper};
		step[1] = bind(site, &tsr__prim_triangular_solve, &p, step, 2);
	}
	return step[1];
}

tsr *lib_solve(call_site *site, tsr *a, tsr *b)
{
	tsr *x[2] = {a, b};
	bool vector;

	if (!system_prepare(site, x, &vector)) return poison_of(site->ctx);
	return as_given(site, solved(site, x), vector);
}

tsr *lib_inv(call_site *site, tsr *a)
{
	if (!matrices_prepare(site, &a, 1) || !is_square(site, a)) return poison_of(site->ctx);
	const type *t = handle_type(a);
	const tsr_eye_args same = {.size = sizeof same, .dtype = t->dtype};
	tsr *x[2] = {a, tsr_eye_at(site->where, site->ctx, t->dims[t->ndim - 1], &same)};
	if (handle_is_poison(x[1])) return x[1];
	x[1] = broadcast_to(site, x[1], t->dims, t->ndim);
	return handle_is_poison(x[1]) ? x[1] : solved(site, x);
}

/* the diagonal of a square matrix, [..., n, n] to [..., n] */
static tsr *diagonal_of(const call_site *site, tsr *x)
{
	if (handle_is_poison(x)) return x;
	const int64_t n = handle_type(x)->dims[handle_type(x)->ndim - 1];
	const tsr_dims square = TSR_DIMS(n, n);
	const tsr_sum_args across = {.size = sizeof across, .dims = TSR_DIMS(-1)};
	tsr *row = tsr_iota_at(site->where, site->ctx, square, 0, NULL);
	tsr *column = tsr_iota_at(site->where, site->ctx, square, 1, NULL);

	return tsr_sum_at(site->where, R3(where, R2(eq, row, column), x, 0), &across);
}

/* factors of a, the diagonal of U, and whether the swaps of rows are an odd number, [...]; false:
 * poison */
static bool determined(const call_site *site, tsr *a, tsr *lu[3], tsr **diagonal, tsr **odd)
{
	if (!factors_of(site, &tsr__prim_lu, NULL, a, lu, 3)) return false;
	const type *t = handle_type(a);
	const tsr_dims line = TSR_DIMS(t->dims[t->ndim - 1]);
	const tsr_sum_args across = {.size = sizeof across, .dims = TSR_DIMS(-1)};
	*diagonal = diagonal_of(site, lu[0]);
	tsr *here = tsr_iota_at(site->where, site->ctx, line, 0, NULL);
	tsr *swaps = tsr_sum_at(site->where, R2(ne, lu[1], here), &across);
	*odd = R2(eq, R2(rem, swaps, 2), 1);
	return !handle_is_poison(*diagonal) && !handle_is_poison(*odd);
}

/* the product along the last dim, with the other sign where that is odd */
static tsr *signed_product(const call_site *site, tsr *x, tsr *odd)
{
	const tsr_sum_args across = {.size = sizeof across, .dims = TSR_DIMS(-1)};
	tsr *product = tsr_prod_at(site->where, x, &across);

	return R3(where, odd, R1(neg, product), product);
}

/* det a a^-1 da, of a with l u = a[rows]. With d the product of the diagonal of u without its last
 * element, the last row of l^-1 da[rows] is multiplied by d, the others by det a, and then all by
 * u^-1 as if its last element were 1: that is right where a is singular, of a rank of n - 1. If d
 * is 0, all is 0 */
static tsr *cofactors(const call_site *site, tsr *const lu[3], tsr *det, tsr *d, tsr *da)
{
	const char *where = site->where;
	const type *t = handle_type(da);
	const int row = t->ndim - 2;
	const int64_t n = t->dims[row];
	const tsr_dims two = TSR_DIMS(-2, -1), square = TSR_DIMS(n, n), down = TSR_DIMS(-1);
	const tsr_triangular_solve_args up = {.size = sizeof up, .left_side = true},
					low = {.size = sizeof low,
	                                       .left_side = true,
	                                       .lower = true,
	                                       .unit_diagonal = true};
	tsr *i = tsr_iota_at(where, site->ctx, square, 0, NULL);
	tsr *j = tsr_iota_at(where, site->ctx, square, 1, NULL);
	tsr *last = R2(eq, R2(add, i, j), 2 * (double)n - 2);
	tsr *none = R2(logical_and, R2(eq, i, j), R2(eq, lu[0], 0));
	tsr *u = R3(where, R2(logical_or, last, none), 1, lu[0]);
	tsr *order = tsr_expand_dims_at(where, lu[2], down);
	if (handle_is_poison(order)) return order;
	order = broadcast_to(site, order, t->dims, t->ndim);
	tsr *x = tsr_take_along_at(where, da, row, order, NULL);
	x = tsr_triangular_solve_at(where, lu[0], x, &low);
	tsr *part[] = {
		R2(mul, tsr_slice_at(where, x, row, 0, n - 1), tsr_expand_dims_at(where, det, two)),
		R2(mul, tsr_slice_at(where, x, row, n - 1, n), tsr_expand_dims_at(where, d, two))};
	return tsr_triangular_solve_at(where, u, tsr_concatenate_at(where, row, part, 2), &up);
}

static void det_body(tsr_frame *f)
{
	const call_site site = {tsr_frame_ctx(f), NULL, "det"};
	tsr *a = tsr_frame_arg(f, 0), *lu[3], *diagonal, *odd, *y = poison_of(site.ctx);

	if (determined(&site, a, lu, &diagonal, &odd)) y = signed_product(&site, diagonal, odd);
	tsr_return_at(NULL, f, (tsr_arg[]){tsr_arg_one(y)}, 1);
}

/* the tangent is the sum of the diagonal of det a a^-1 da */
static void det_rule(tsr_frame *f)
{
	const call_site here = {tsr_frame_ctx(f), NULL, "det"}, *site = &here;
	tsr *a = tsr_frame_arg(f, 0), *da = tsr_frame_arg(f, 1), *lu[3], *diagonal, *odd;
	tsr *y = poison_of(site->ctx), *dy = y;

	if (determined(site, a, lu, &diagonal, &odd)) {
		const int last = handle_type(diagonal)->ndim - 1;
		const int64_t n = handle_type(diagonal)->dims[last];
		y = signed_product(site, diagonal, odd);
		tsr *most = tsr_slice_at(NULL, diagonal, last, 0, n - 1);
		tsr *d = signed_product(site, most, odd);
		dy = diagonal_of(site, cofactors(site, lu, y, d, da));
		dy = tsr_sum_at(
			NULL, dy,
			&(tsr_sum_args){.size = sizeof(tsr_sum_args), .dims = TSR_DIMS(-1)});
	}
	tsr_return_at(NULL, f, (tsr_arg[]){tsr_arg_one(y), tsr_arg_one(dy)}, 2);
}

tsr *lib_det(call_site *site, tsr *a)
{
	const tsr_body body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)det_body};
	const tsr_body rule = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)det_rule};
	const tsr_custom_args named = {.size = sizeof named, .name = "det"};

	if (!matrices_prepare(site, &a, 1) || !is_square(site, a)) return poison_of(site->ctx);
	const type *t = handle_type(a);
	if (t->dims[t->ndim - 1] == 0) {
		const tsr_arg one = TSR_ARG(1.0);
		return full_of(site, etype_of(t), t->dims, t->ndim - 2, &one);
	}
	tsr_fn *fn = tsr_custom_jvp_at(site->where, site->ctx, body, "det", rule, &named);
	return tsr_call_at(site->where, fn, (tsr_arg[]){tsr_arg_one(a)}, 1);
}

/* x / |x|, whose derivative turns; that of sign, as in JAX, is 0 */
static tsr *unit_numbers(const call_site *site, tsr *x)
{
	if (dtype_kind(handle_type(x)->dtype) != KIND_COMPLEX) return R1(sign, x);
	tsr *size = R1(abs, x);
	return R2(div, x, R3(where, R2(eq, size, 0), 1, size));
}

/* The sum of the diagonal of a^-1 da is the tangent of the logarithm of the determinant: its real
 * part is that of the logarithm of the size, the other one turns the sign */
static void slogdet_tangents(const call_site *site, tsr *a, tsr *da, tsr *sign, tsr **out)
{
	const tsr_sum_args across = {.size = sizeof across, .dims = TSR_DIMS(-1)};
	tsr *turn = tsr_sum_at(site->where, diagonal_of(site, tsr_solve_at(site->where, a, da)),
	                       &across);
	const bool real = dtype_kind(handle_type(a)->dtype) != KIND_COMPLEX;

	out[1] = real ? turn : tsr_real_at(site->where, turn);
	out[0] = real ? R2(mul, sign, 0) : R2(mul, R2(sub, turn, out[1]), sign);
}

static bool slogdet_values(const call_site *site, tsr *a, tsr **out)
{
	const tsr_sum_args across = {.size = sizeof across, .dims = TSR_DIMS(-1)};
	tsr *diagonal, *odd, *lu[3];

	if (!determined(site, a, lu, &diagonal, &odd)) return no_factors(site, out, 2);
	out[0] = signed_product(site, unit_numbers(site, diagonal), odd);
	out[1] = tsr_sum_at(site->where, R1(log, R1(abs, diagonal)), &across);
	return !handle_is_poison(out[0]) && !handle_is_poison(out[1]);
}

static void slogdet_body(tsr_frame *f)
{
	const call_site site = {tsr_frame_ctx(f), NULL, "slogdet"};
	tsr *y[2];

	slogdet_values(&site, tsr_frame_arg(f, 0), y);
	tsr_return_at(NULL, f, (tsr_arg[]){tsr_arg_one(y[0]), tsr_arg_one(y[1])}, 2);
}

static void slogdet_rule(tsr_frame *f)
{
	const call_site site = {tsr_frame_ctx(f), NULL, "slogdet"};
	tsr *a = tsr_frame_arg(f, 0), *y[2], *dy[2];

	slogdet_values(&site, a, y);
	slogdet_tangents(&site, a, tsr_frame_arg(f, 1), y[0], dy);
	tsr_return_at(NULL, f,
	              (tsr_arg[]){tsr_arg_one(y[0]), tsr_arg_one(y[1]), tsr_arg_one(dy[0]),
	                          tsr_arg_one(dy[1])},
	              4);
}

bool lib_slogdet(call_site *site, tsr *a, tsr *out[2])
{
	const tsr_body body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)slogdet_body};
	const tsr_body rule = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)slogdet_rule};
	const tsr_custom_args named = {.size = sizeof named, .name = "slogdet"};

	if (!matrices_prepare(site, &a, 1) || !is_square(site, a)) return no_factors(site, out, 2);
	tsr_fn *fn = tsr_custom_jvp_at(site->where, site->ctx, body, "slogdet", rule, &named);
	out[0] = out[1] = NULL;
	tsr_call_into_at(site->where, TSR_OUT(&out[0], &out[1]), fn, (tsr_arg[]){tsr_arg_one(a)},
	                 1);
	if (!out[0] || !out[1]) return no_factors(site, out, 2);
	return !handle_is_poison(out[0]) && !handle_is_poison(out[1]);
}
