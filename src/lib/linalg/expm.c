/* expm.c - the exponential of a matrix.
 *
 * e^a = (e^(a / 2^s))^(2^s): with s such that a / 2^s is small, its exponential is p / q, where
 * p = v + u and q = v - u are polynomials with the even powers in v and the odd ones in u (Pade),
 * and is then squared s times (Higham, SIAM J. Matrix Anal. Appl. 26, 2005). */
#include <math.h>
#include "lib/lib.h"

enum { MOST_SQUARINGS = 16 }; /* as in JAX */

/* the sum of the n matrices x by these numbers */
static tsr *weighed(const call_site *site, tsr *const *x, const double *by, int n)
{
	tsr *sum = R2(mul, x[0], by[0]);

	for (int i = 1; i < n; i++) sum = R2(add, sum, R2(mul, x[i], by[i]));
	return sum;
}

static tsr *times(const call_site *site, tsr *x, tsr *y)
{
	return tsr_matmul_at(site->where, x, y, NULL);
}

/* of degree 7, for f32: 1, a^2, a^4, a^6 */
static void fraction_7(const call_site *site, tsr *a, tsr *const *even, tsr **u, tsr **v)
{
	static const double odd_by[] = {8648640, 277200, 1512, 1};
	static const double even_by[] = {17297280, 1995840, 25200, 56};

	*u = times(site, a, weighed(site, even, odd_by, 4));
	*v = weighed(site, even, even_by, 4);
}

/* of degree 13, for f64 */
static void fraction_13(const call_site *site, tsr *a, tsr *const *even, tsr **u, tsr **v)
{
	static const double odd_high[] = {40840800, 16380, 1};
	static const double odd_low[] = {32382376266240000., 1187353796428800., 10559470521600.,
	                                 33522128640.};
	static const double even_high[] = {1323241920., 960960, 182};
	static const double even_low[] = {64764752532480000., 7771770303897600., 129060195264000.,
	                                  670442572800.};
	tsr *odd = times(site, even[3], weighed(site, even + 1, odd_high, 3));

	*u = times(site, a, R2(add, odd, weighed(site, even, odd_low, 4)));
	tsr *high = times(site, even[3], weighed(site, even + 1, even_high, 3));
	*v = R2(add, high, weighed(site, even, even_low, 4));
}

tsr *lib_expm(call_site *site, tsr *a)
{
	const char *where = site->where;
	const tsr_matrix_norm_args columns = {.size = sizeof columns, .ord = 1, .keep = true};

	if (!matrices_prepare(site, &a, 1) || !is_square(site, a)) return poison_of(site->ctx);
	const type *t = handle_type(a);
	const bool narrow = dtype_real(t->dtype) == TSR_F32;
	const int64_t side = t->dims[t->ndim - 1];
	if (t->size == 0) return a;
	tsr *norm = tsr_stop_gradient_at(where, tsr_matrix_norm_at(where, a, &columns));
	tsr *share = R2(div, norm, narrow ? 3.925724783138660 : 5.371920351148152);
	tsr *squarings = R2(maximum, R1(ceil, R1(log2, share)), 0);
	const tsr_eye_args same = {.size = sizeof same, .dtype = t->dtype};
	tsr *even[4], *u, *v;
	a = R2(div, a, R1(exp2, squarings));
	even[0] = tsr_eye_at(where, site->ctx, side, &same);
	even[1] = times(site, a, a);
	even[2] = times(site, even[1], even[1]);
	even[3] = times(site, even[2], even[1]);
	(narrow ? fraction_7 : fraction_13)(site, a, even, &u, &v);
	tsr *y = tsr_solve_at(where, R2(sub, v, u), R2(add, v, u));
	for (int i = 0; i < MOST_SQUARINGS; i++)
		y = R3(where, R2(gt, squarings, (double)i), times(site, y, y), y);
	return R3(where, R2(gt, squarings, (double)MOST_SQUARINGS), NAN, y);
}
