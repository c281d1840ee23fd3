/* linalg.c - defines the public operations on triangular matrices, and the checks of all linear
 * algebra. */
#include "lib/lib.h"

tsr_ctx *matrices_prepare(call_site *site, tsr **x, int n)
{
	tsr_ctx *ctx = operands_check(site, x, n);
	etype common = {0};

	if (!ctx) return NULL;
	for (int i = 0; i < n; i++) {
		const etype own = etype_of(handle_type(x[i]));
		common = i ? etype_join(common, own) : own;
	}
	for (int i = 0; i < n; i++)
		if (handle_is_poison(x[i] = promote(site, x[i], etype_inexact(common))))
			return NULL;
	return ctx;
}

bool fail_types(const call_site *site, const char *text, tsr *const *x, int n)
{
	str s = {.base = &site->ctx->base};
	int naxes;
	const axis *axes = trace_axes(site->ctx, &naxes);

	for (int i = 0; i < n; i++) {
		str_put(&s, i ? " and " : "");
		type_text(&s, handle_type(x[i]), axes, naxes);
	}
	fail(&site->ctx->base, site->where, TSR_ERROR_TYPE, "%s %s %s", site->op, text,
	     s.s ? s.s : "?");
	str_free(&s);
	return false;
}

/* ---- what is made of other operations. Poison in, poison out */

tsr *turned(const call_site *site, tsr *x)
{
	const int n = handle_is_poison(x) ? 0 : handle_type(x)->ndim;
	int64_t perm[MAX_NDIM];

	if (!n) return x;
	for (int d = 0; d < n; d++) perm[d] = d < n - 2 ? d : 2 * n - 3 - d;
	return bind(site, &tsr__prim_transpose, &(transpose_params){{n, perm}}, &x, 1);
}

tsr *adjoint_of(const call_site *site, tsr *x)
{
	return tsr_conj_at(site->where, turned(site, x));
}

tsr *hermitian_of(const call_site *site, tsr *x)
{
	return R2(mul, R2(add, x, adjoint_of(site, x)), 0.5);
}

/* ---- triangular matrices */

bool is_square(const call_site *site, tsr *a)
{
	const type *t = handle_type(a);

	return (t->ndim >= 2 && t->dims[t->ndim - 1] == t->dims[t->ndim - 2]) ||
	       fail_types(site, "takes square matrices, and got", &a, 1);
}

tsr *lib_cholesky(call_site *site, tsr *a, const tsr_cholesky_args *g)
{
	if (!matrices_prepare(site, &a, 1) || !is_square(site, a)) return poison_of(site->ctx);
	if (!g->lower_only) a = hermitian_of(site, a);
	if (handle_is_poison(a)) return a;
	tsr *y = bind(site, &tsr__prim_cholesky, NULL, &a, 1);
	return g->upper ? adjoint_of(site, y) : y;
}

tsr *lib_triangular_solve(call_site *site, tsr *a, tsr *b, const tsr_triangular_solve_args *g)
{
	tsr *x[2] = {a, b};

	if (!matrices_prepare(site, x, 2)) return poison_of(site->ctx);
	const triangular_solve_params p = {.left_side = g->left_side,
	                                   .lower = g->lower,
	                                   .transpose_a = g->transpose_a,
	                                   .conjugate_a = g->conjugate_a,
	                                   .unit_diagonal = g->unit_diagonal};
	return bind(site, &tsr__prim_triangular_solve, &p, x, 2);
}

/* ---- systems of equations: a [..., m, m], b [..., m, n] or [m] */

bool system_prepare(call_site *site, tsr *x[2], bool *vector)
{
	if (!matrices_prepare(site, x, 2) || !is_square(site, x[0])) return false;
	const type *a = handle_type(x[0]), *b = handle_type(x[1]);
	int64_t dims[MAX_NDIM + 1];

	*vector = b->ndim == 1;
	if (b->ndim < 1 || b->dims[*vector ? 0 : b->ndim - 2] != a->dims[a->ndim - 1])
		return fail_types(site, "takes a square matrix and as many rows, and got", x, 2);
	if (*vector && handle_is_poison(x[1] = reshape_to(site, x[1], (int64_t[]){b->dims[0], 1},
	                                                  2)))
		return false;
	b = handle_type(x[1]);
	const int n = (a->ndim > b->ndim ? a->ndim : b->ndim) - 2;
	for (int d = 0; d < n; d++) {
		const int from_a = d - (n + 2 - a->ndim), from_b = d - (n + 2 - b->ndim);
		const int64_t of_a = from_a < 0 ? 1 : a->dims[from_a];
		const int64_t of_b = from_b < 0 ? 1 : b->dims[from_b];
		if (of_a != of_b && of_a != 1 && of_b != 1)
			return fail_types(site, "cannot broadcast the leading dims of", x, 2);
		dims[d] = of_a == 1 ? of_b : of_a;
	}
	const axis_set all = varying_of(site, x, 2);
	for (int i = 0; i < 2; i++) {
		const type *t = handle_type(x[i]);
		memcpy(dims + n, t->dims + t->ndim - 2, 2 * sizeof *dims);
		if (handle_is_poison(x[i] = broadcast_beside(site, x[i], dims, n + 2, all)))
			return false;
	}
	return true;
}

tsr *as_given(const call_site *site, tsr *x, bool vector)
{
	if (!vector || handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	return reshape_to(site, x, t->dims, t->ndim - 1);
}

tsr *lib_solve_triangular(call_site *site, tsr *a, tsr *b, const tsr_solve_triangular_args *g)
{
	tsr *x[2] = {a, b};
	bool vector;

	if (!system_prepare(site, x, &vector)) return poison_of(site->ctx);
	if (g->trans < 0 || g->trans > 2)
		return refuse_op(site, TSR_ERROR_ARGUMENT, ".trans must be 0, 1 or 2, and is %d",
		                 g->trans);
	const triangular_solve_params p = {.left_side = true,
	                                   .lower = g->lower,
	                                   .transpose_a = g->trans > 0,
	                                   .conjugate_a = g->trans == 2,
	                                   .unit_diagonal = g->unit_diagonal};
	return as_given(site, bind(site, &tsr__prim_triangular_solve, &p, x, 2), vector);
}

tsr *lib_cho_solve(call_site *site, tsr *factor, tsr *b, const tsr_cho_solve_args *g)
{
	tsr *x[2] = {factor, b};
	bool vector;

	if (!system_prepare(site, x, &vector)) return poison_of(site->ctx);
	for (int second = 0; second < 2; second++) {
		const bool adjoint = g->lower == second;
		const triangular_solve_params p = {.left_side = true,
		                                   .lower = g->lower,
		                                   .transpose_a = adjoint,
		                                   .conjugate_a = adjoint};
		x[1] = bind(site, &tsr__prim_triangular_solve, &p, x, 2);
		if (handle_is_poison(x[1])) break;
	}
	return as_given(site, x[1], vector);
}
