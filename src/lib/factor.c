/* factor.c - the public factorisations lu, qr, eigh and svd, and what is made of the first: systems
 * of equations, inverses, determinants. */
#include "lib/lib.h"

/* the results of a row on one operand; false: poison */
static bool factors_of(const call_site *site, const tsr_prim *prim, const void *params, tsr *x,
                       tsr **out, int n)
{
	if (!handle_is_poison(x) && bind_all(&(operation){site, prim, params, &x, 1}, out, n))
		return true;
	for (int i = 0; i < n; i++) out[i] = poison_of(site->ctx);
	return false;
}

static bool no_factors(const call_site *site, tsr **out, int n)
{
	for (int i = 0; i < n; i++) out[i] = poison_of(site->ctx);
	return false;
}

bool tsr_lu_at(const char *where, tsr *a, tsr **out)
{
	call_site site = {.where = where, .op = "lu"};

	if (!matrices_prepare(&site, &a, 1)) return no_factors(&site, out, 3);
	return factors_of(&site, &tsr__prim_lu, NULL, a, out, 3);
}

bool tsr_qr_at(const char *where, tsr *a, tsr **out, const tsr_qr_args *given)
{
	const tsr_qr_args *g = KEYWORDS(tsr_qr_args, where, tsr_ctx_of(a), given);
	call_site site = {.where = where, .op = "qr", .ctx = tsr_ctx_of(a)};

	if (!g || !matrices_prepare(&site, &a, 1)) return no_factors(&site, out, 2);
	return factors_of(&site, &tsr__prim_qr, &(qr_params){g->full_matrices}, a, out, 2);
}

static bool eigen(call_site *site, tsr *a, tsr *out[2], const tsr_eigh_args *given)
{
	const tsr_eigh_args *g = KEYWORDS(tsr_eigh_args, site->where, tsr_ctx_of(a), given);

	site->ctx = tsr_ctx_of(a);
	if (!g || !matrices_prepare(site, &a, 1) || !is_square(site, a))
		return no_factors(site, out, 2);
	if (!g->triangle_only) a = hermitian_of(site, a);
	return factors_of(site, &tsr__prim_eigh, &(eigh_params){!g->upper}, a, out, 2);
}

/* the row gives the vectors first, as that of lax does */
bool tsr_eigh_at(const char *where, tsr *a, tsr **out, const tsr_eigh_args *given)
{
	call_site site = {.where = where, .op = "eigh"};
	tsr *y[2];
	const bool done = eigen(&site, a, y, given);

	out[0] = y[1];
	out[1] = y[0];
	return done;
}

tsr *tsr_eigvalsh_at(const char *where, tsr *a, const tsr_eigh_args *given)
{
	call_site site = {.where = where, .op = "eigvalsh"};
	tsr *y[2];

	return eigen(&site, a, y, given) ? y[1] : y[0];
}

/* likewise, the singular values */
bool tsr_svd_at(const char *where, tsr *a, tsr **out, const tsr_svd_args *given)
{
	const tsr_svd_args *g = KEYWORDS(tsr_svd_args, where, tsr_ctx_of(a), given);
	call_site site = {.where = where, .op = "svd", .ctx = tsr_ctx_of(a)};

	if (!g || !matrices_prepare(&site, &a, 1)) return no_factors(&site, out, 3);
	const svd_params p = {.full_matrices = !g->thin, .compute_uv = true};
	if (!factors_of(&site, &tsr__prim_svd, &p, a, out, 3)) return false;
	tsr *s = out[0];
	out[0] = out[1];
	out[1] = s;
	return true;
}

tsr *tsr_svdvals_at(const char *where, tsr *a)
{
	call_site site = {.where = where, .op = "svdvals"};
	tsr *s;

	if (!matrices_prepare(&site, &a, 1)) return poison_of(site.ctx);
	factors_of(&site, &tsr__prim_svd, &(svd_params){0}, a, &s, 1);
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

tsr *tsr_solve_at(const char *where, tsr *a, tsr *b)
{
	call_site site = {.where = where, .op = "solve"};
	tsr *x[2] = {a, b};
	bool vector;

	if (!system_prepare(&site, x, &vector)) return poison_of(site.ctx);
	return as_given(&site, solved(&site, x), vector);
}

tsr *tsr_inv_at(const char *where, tsr *a)
{
	call_site site = {.where = where, .op = "inv"};

	if (!matrices_prepare(&site, &a, 1) || !is_square(&site, a)) return poison_of(site.ctx);
	const type *t = handle_type(a);
	const tsr_eye_args same = {.size = sizeof same, .dtype = t->dtype};
	tsr *x[2] = {a, tsr_eye_at(where, site.ctx, t->dims[t->ndim - 1], &same)};
	if (handle_is_poison(x[1])) return x[1];
	x[1] = broadcast_to(&site, x[1], t->dims, t->ndim);
	return handle_is_poison(x[1]) ? x[1] : solved(&site, x);
}

/* the diagonal of U, and whether the swaps of rows are an odd number, [...]; false: poison */
static bool determined(call_site *site, tsr *a, tsr **diagonal, tsr **odd)
{
	tsr *lu[3];

	if (!matrices_prepare(site, &a, 1) || !is_square(site, a) ||
	    !factors_of(site, &tsr__prim_lu, NULL, a, lu, 3))
		return false;
	const type *t = handle_type(a);
	const tsr_dims square = {{3, t->dims[t->ndim - 1], t->dims[t->ndim - 1]}};
	const tsr_dims line = {{2, t->dims[t->ndim - 1]}}, last = {{2, -1}};
	const tsr_sum_args across = {.size = sizeof across, .dims = last};
	tsr *row = tsr_iota_at(site->where, site->ctx, square, 0, NULL);
	tsr *column = tsr_iota_at(site->where, site->ctx, square, 1, NULL);
	*diagonal = tsr_sum_at(site->where, R3(where, R2(eq, row, column), lu[0], 0), &across);
	tsr *here = tsr_iota_at(site->where, site->ctx, line, 0, NULL);
	tsr *swaps = tsr_sum_at(site->where, R2(ne, lu[1], here), &across);
	*odd = R2(eq, R2(rem, swaps, 2), 1);
	return !handle_is_poison(*diagonal) && !handle_is_poison(*odd);
}

/* the product along the last dim, with the other sign where that is odd */
static tsr *signed_product(const call_site *site, tsr *x, tsr *odd)
{
	const tsr_sum_args across = {.size = sizeof across, .dims = {{2, -1}}};
	tsr *product = tsr_prod_at(site->where, x, &across);

	return R3(where, odd, R1(neg, product), product);
}

tsr *tsr_det_at(const char *where, tsr *a)
{
	call_site s = {.where = where, .op = "det"}, *site = &s;
	tsr *diagonal, *odd;

	return determined(site, a, &diagonal, &odd) ? signed_product(site, diagonal, odd)
	                                            : poison_of(s.ctx);
}

bool tsr_slogdet_at(const char *where, tsr *a, tsr **out)
{
	const tsr_sum_args across = {.size = sizeof across, .dims = {{2, -1}}};
	call_site s = {.where = where, .op = "slogdet"}, *site = &s;
	tsr *diagonal, *odd;

	if (!determined(site, a, &diagonal, &odd)) return no_factors(site, out, 2);
	out[0] = signed_product(site, R1(sign, diagonal), odd);
	out[1] = tsr_sum_at(where, R1(log, R1(abs, diagonal)), &across);
	return !handle_is_poison(out[0]) && !handle_is_poison(out[1]);
}
