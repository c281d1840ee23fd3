/* eigen.c - the public operations on general square matrices: eigenvalues and eigenvectors, similar
 * matrices of another form; polar factors. */
#include "lib/lib.h"

/* a, prepared and square; false: recorded, and out is poison */
static bool square_prepare(call_site *site, tsr **a, tsr **out, int n)
{
	return (matrices_prepare(site, a, 1) && is_square(site, *a)) || no_factors(site, out, n);
}

bool lib_eig(call_site *site, tsr *a, tsr *out[3], const tsr_eig_args *g)
{
	const int n = g->left ? 3 : 2;
	tsr *y[3];

	if (!square_prepare(site, &a, out, n)) return false;
	const eig_params p = {.left = g->left, .right = true};
	const bool done = factors_of(site, &tsr__prim_eig, &p, a, y, n);
	out[0] = y[0];
	out[1] = y[n - 1];
	if (g->left) out[2] = y[1];
	return done;
}

tsr *lib_eigvals(call_site *site, tsr *a)
{
	tsr *w;

	if (square_prepare(site, &a, &w, 1))
		factors_of(site, &tsr__prim_eig, &(eig_params){0}, a, &w, 1);
	return w;
}

bool lib_hessenberg(call_site *site, tsr *a, tsr *out[2])
{
	return square_prepare(site, &a, out, 2) &&
	       factors_of(site, &tsr__prim_hessenberg, NULL, a, out, 2);
}

bool lib_tridiagonal(call_site *site, tsr *a, tsr *out[4], const tsr_tridiagonal_args *g)
{
	return square_prepare(site, &a, out, 4) &&
	       factors_of(site, &tsr__prim_tridiagonal, &(tridiagonal_params){!g->upper}, a, out,
	                  4);
}

bool lib_schur(call_site *site, tsr *a, tsr *out[2])
{
	return square_prepare(site, &a, out, 2) &&
	       factors_of(site, &tsr__prim_schur, NULL, a, out, 2);
}

/* a = u s vh = (u vh) (vh^H s vh) */
bool lib_polar(call_site *site, tsr *a, tsr *out[2])
{
	const char *where = site->where;
	const tsr_svd_args thin = {.size = sizeof thin, .thin = true};
	tsr *y[3];

	if (!matrices_prepare(site, &a, 1) || !tsr_svd_at(where, a, y, &thin))
		return no_factors(site, out, 2);
	tsr *rows = tsr_expand_dims_at(where, y[1], TSR_DIMS(-1));
	out[0] = tsr_matmul_at(where, y[0], y[2], NULL);
	out[1] = tsr_matmul_at(where, adjoint_of(site, y[2]), R2(mul, rows, y[2]), NULL);
	return !handle_is_poison(out[0]) && !handle_is_poison(out[1]);
}
