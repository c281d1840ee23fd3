/* test_eigen.c - eigenvalues and eigenvectors of general matrices, and similar matrices: they
 * satisfy their equations, on both engines, for small matrices and for such as LAPACK takes;
 * numbers and derivatives as JAX 0.10.2 has them (64-bit types on; jax.lax.linalg, and jnp.roots
 * with strip_zeros=False). */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include "support/as_jax.h"
#include "unit/matrices.h"
#include "unit/matrix_laws.h"

/* ---- as JAX has it */

#define P MATRIX(3, 1, 2, 1, -3, 1, 2, -4, 1, 1)
#define G MATRIX(4, 4, 1, 2, 0, 1, 5, 3, 2, 2, 3, 6, 1, 7, 2, 1, 3)
#define H4 \
	tsr_reshape(C128(c, 4, 1 + I, 2, I, 1 - I, 5, 3 * I, 2, 2, -3 * I, 6, 1 - 2 * I, -I, 2, \
	                 1 + 2 * I, 3), \
	            D(4, 4))

static bool eigs(tsr *x, tsr **y) { return tsr_eig(x, y, .left = true); }
static bool hessenbergs(tsr *x, tsr **y) { return tsr_hessenberg(x, y); }
static bool lows(tsr *x, tsr **y) { return tsr_tridiagonal(x, y); }
static bool ups(tsr *x, tsr **y) { return tsr_tridiagonal(x, y, .upper = true); }
static bool polars(tsr *x, tsr **y) { return tsr_polar(x, y); }

static tsr *values_sum(tsr *a)
{
	tsr *w = tsr_eigvals(a);

	return tsr_sum(tsr_add(tsr_sin(tsr_real(w)), tsr_cos(tsr_imag(w))));
}
static tsr *slope(tsr *a)
{
	return tsr_sum(tsr_sin(tsr_call(tsr_grad(tsr_ctx_of(a), values_sum), a)));
}
/* 1, 2, .. times re^2 + 2 im^2 of the elements of vectors, so that no sign matters */
static tsr *vectors_sum(tsr *v)
{
	tsr *n = tsr_reshape(tsr_arange(v, 9, .dtype = TSR_F64), D(3, 3));
	tsr *size = tsr_add(tsr_square(tsr_real(v)), tsr_mul(tsr_square(tsr_imag(v)), 2));

	return tsr_sum(tsr_mul(tsr_add(n, 1), size));
}
static tsr *right_sum(tsr *a) { return vectors_sum(part(1, eigs, a)); }
static tsr *left_sum(tsr *a) { return vectors_sum(part(2, eigs, a)); }

/* name, dtype, expression, elements */
#define CASES(_) \
	_(eigvals, C128, tsr_eigvals(M), 6.38261399528515, 0.375235993277345, \
	  -3.7578499885625) \
	_(eigvals_pair, C128, tsr_eigvals(P), 1.86447809156042 + 3.20030734654718 * I, \
	  1.86447809156042 - 3.20030734654718 * I, -0.728956183120834) \
	_(eigvals_complex, C128, tsr_eigvals(C), 6.1535999327216 + 2.63544302201039 * I, \
	  0.452539770035036 - 1.99944293965667 * I, -3.60613970275665 + 0.363999917646278 * I) \
	_(eigvals_i32, C64, tsr_eigvals(tsr_astype(MATRIX(2, 2, 1, 0, 3), TSR_I32)), 2, 3) \
	_(eig_right, C128, tsr_square(part(1, eigs, P)), -0.283962949953242 - \
	  0.0105615434952433 * I, -0.283962949953242 + 0.0105615434952433 * I, \
	  0.0403983416314548, 0.264856728011006 - 0.239213373920605 * I, 0.264856728011006 + \
	  0.239213373920605 * I, 0.32666063751325, 0.358948392964789, 0.358948392964789, \
	  0.632941020855295) \
	_(eig_left, C128, tsr_square(part(2, eigs, P)), 0.664085963191498, 0.664085963191498, \
	  0.0803679136183373, -0.19674002517029 + 0.017997809049683 * I, -0.19674002517029 - \
	  0.017997809049683 * I, 0.496099396529817, -0.0651463885883872 - 0.122054757567574 * I, \
	  -0.0651463885883872 + 0.122054757567574 * I, 0.423532689851846) \
	_(hessenberg, F64, part(0, hessenbergs, G), 4, -0.680413817439771, -1.84674527807194, \
	  1.06139950770481, -7.34846922834953, 4.51851851851852, 3.41966394678137, \
	  -1.04244348051028e-16, 0.239564876541492, 3.41966394678137, 6.51725860758119, \
	  -1.21109668807403, 0.838477067895221, -0.71726506827982, -1.21109668807403, \
	  2.96422287390029) \
	_(hessenberg_taus, F64, part(1, hessenbergs, G), 1.13608276348795, 1.32059471980196, \
	  0) \
	_(hessenberg_complex, C128, part(0, hessenbergs, C), 1, 0.208514414057075 - \
	  1.87662972651367 * I, 0.693994422584811 - 2.22556832070301 * I, -4.79583152331272, \
	  4.82608695652174 + 0.652173913043478 * I, 2.71052754816104 + 1.49697765914638 * I, \
	  0.300957771186792 + 0.346216079803927 * I, 1.89417573137321, -2.82608695652174 + \
	  0.347826086956522 * I) \
	_(hessenberg_complex_taus, C128, part(1, hessenbergs, C), 1.62554324217122 + \
	  0.208514414057075 * I, 1.91449872804812 - 0.404588774434443 * I) \
	_(tridiagonal_lows_G_0, F64, part(0, lows, G), 4, 1, 2, 0, -7.34846922834953, \
	  4.51851851851852, 3, 2, 0.239564876541492, 3.41966394678136, 6.51725860758119, 1, \
	  0.838477067895221, -0.71726506827982, -1.21109668807403, 2.96422287390029) \
	_(tridiagonal_lows_G_1, F64, part(1, lows, G), 4, 4.51851851851852, 6.51725860758119, \
	  2.96422287390029) \
	_(tridiagonal_lows_G_2, F64, part(2, lows, G), -7.34846922834953, 3.41966394678136, \
	  -1.21109668807403) \
	_(tridiagonal_lows_G_3, F64, part(3, lows, G), 1.13608276348795, 1.32059471980196, 0) \
	_(tridiagonal_lows_H_0, C128, part(0, lows, H4), 4, 1 + 1 * I, 2, 0 + 1 * I, \
	  -2.64575131106459, 3, 0 + 3 * I, 2, 0.510198459526496 + 0.139943297278144 * I, \
	  2.53546276418555, 8.31111111111111, 1 - 2 * I, 0.0699716486390721 - 0.255099229763248 \
	  * I, 0.140625183634267 + 0.447150618259812 * I, -1.97966736913458, 2.68888888888889) \
	_(tridiagonal_lows_H_1, F64, part(1, lows, H4), 4, 3, 8.31111111111111, \
	  2.68888888888889) \
	_(tridiagonal_lows_H_2, F64, part(2, lows, H4), -2.64575131106459, 2.53546276418555, \
	  -1.97966736913458) \
	_(tridiagonal_lows_H_3, C128, part(3, lows, H4), 1.37796447300923 - 0.377964473009227 * \
	  I, 1.03868243692565 - 0.790119615763452 * I, 1.9907997959432 - 0.135335746788878 * I) \
	_(tridiagonal_ups_G_0, F64, part(0, ups, G), 2.44776119402985, 0.567360531604425, \
	  -0.355249360789851, 0, 1, 4.95223880597015, -2.83548937575156, 0.618033988749895, 2, \
	  3, 7.6, -2.23606797749979, 7, 2, 1, 3) \
	_(tridiagonal_ups_G_1, F64, part(1, ups, G), 2.44776119402985, 4.95223880597015, 7.6, \
	  3) \
	_(tridiagonal_ups_G_2, F64, part(2, ups, G), 0.567360531604425, -2.83548937575156, \
	  -2.23606797749979) \
	_(tridiagonal_ups_G_3, F64, part(3, ups, G), 0, 1.77588017744446, 1.44721359549996) \
	_(tridiagonal_ups_H_0, C128, part(0, ups, H4), 4.5792507204611, 2.03292112848995, \
	  0.104560749947211 - 0.52837410485207 * I, -0.0937885911314945 + 0.195187078822643 * I, \
	  1 - 1 * I, 3.0207492795389, 2.6343879744639, 0.390374157645286 + 0.187577182262989 * \
	  I, 2, -0 - 3 * I, 7.4, -3.16227766016838, -0 - 1 * I, 2, 1 + 2 * I, 3) \
	_(tridiagonal_ups_H_1, F64, part(1, ups, H4), 4.5792507204611, 3.0207492795389, 7.4, 3) \
	_(tridiagonal_ups_H_2, F64, part(2, ups, H4), 2.03292112848995, 2.6343879744639, \
	  -3.16227766016838) \
	_(tridiagonal_ups_H_3, C128, part(3, ups, H4), 1.14490646933802 - 0.989445357331061 * \
	  I, 1.30266861369651 + 0.567908605160984 * I, 1.31622776601684 - 0.632455532033676 * I) \
	_(polar, F64, part(0, polars, T), -0.639345916090948, 0.720977272976933, \
	  0.562564432810261, 0.201653455412315, 0.524173691169918, 0.662968819606939) \
	_(polar_h, F64, part(1, polars, T), 3.66921583818942, 4.64078173724857, \
	  4.64078173724857, 6.8893501048517) \
	_(polar_complex, C128, part(0, polars, C), 0.302333722236354 - 0.537788033057717 * I, \
	  0.351497454125785 + 0.349704520799138 * I, -0.0949382227926123 + 0.603756054733483 * \
	  I, 0.546993308456928 + 0.152621786373287 * I, -0.17356358887211 + 0.193055182450882 * \
	  I, 0.780663329235364 - 0.0259818082784541 * I, 0.141764441217156 + 0.526104653023124 * \
	  I, 0.826737604220965 + 0.0571541668595184 * I, -0.0365912114536489 - 0.122540423925057 \
	  * I) \
	_(polar_complex_h, C128, part(1, polars, C), 3.95777827548411, 1.84879957898082 - \
	  1.26347082191997 * I, 1.78026626195256 - 0.39015991282641 * I, 1.84879957898082 + \
	  1.26347082191997 * I, 5.06997802814294, 0.889046457190322 + 0.70035761580949 * I, \
	  1.78026626195256 + 0.39015991282641 * I, 0.889046457190322 - 0.70035761580949 * I, \
	  4.17103379102972) \
	_(roots, C128, tsr_roots(F64(c, 1, -6, 11, -6)), 3, 2, 1) \
	_(roots_pair, C128, tsr_roots(F64(c, 2, 3, 4)), -0.75 + 1.19895788082818 * I, -0.75 - \
	  1.19895788082818 * I) \
	_(roots_zeros_in_front, F64, tsr_real(tsr_roots(F64(c, 0, 0, 1, -3, 2))), 1, 2, NAN, NAN) \
	_(roots_zeros_behind, F64, tsr_real(tsr_roots(F64(c, 0, 1, -3, 2, 0))), 1, 2, 0, NAN) \
	_(roots_none, F64, tsr_real(tsr_roots(F64(c, 0, 0, 0))), NAN, NAN) \
	_(roots_4, C128, tsr_roots(F64(c, 3, -1, 2, 5, -7)), -1.27910453370963, \
	  0.368539001579101 + 1.39574845746806 * I, 0.368539001579101 - 1.39574845746806 * I, \
	  0.875359863884767) \
	_(roots_complex, C128, tsr_roots(C128(c, 1, 2 * I, -3 + I)), 1.45534669022536 - \
	  1.34356074972251 * I, -1.45534669022536 - 0.656439250277487 * I) \
	_(eigvals_grad, F64, GRAD(values_sum, P), -0.216035096514071, -0.108760088078146, \
	  0.301306346609967, -0.179760986177646, 0.133258657957881, -0.584713311924089, \
	  0.113874197019816, -0.412623489158948, 0.249689909448532) \
	_(eigvals_complex_grad, C128, GRAD(values_sum, C), 0.71918407582499 - \
	  0.459504063171835 * I, 0.259535076477284 + 0.260482063579614 * I, -0.136972164059507 + \
	  0.905364766512147 * I, 0.318557819742485 + 0.0247620764876409 * I, -0.0243062522733099 \
	  + 0.193145703208262 * I, 1.01747722401968 + 0.114855788750184 * I, -0.355767167218619 \
	  + 0.590506163983973 * I, 0.914728036453365 - 0.168592007176747 * I, 0.302052634141028 \
	  + 0.197657419376919 * I) \
	_(eig_grad, F64, GRAD(right_sum, P), -0.239414565839719, -0.156152610005936, \
	  -0.705007571181815, 0.452607170775119, 0.555292946536629, -0.385842123078806, \
	  -0.851695190156185, -0.259962210948086, -0.31587838069691) \
	_(eig_left_grad, F64, GRAD(left_sum, P), 0.394136516296923, 1.37310236939747, \
	  1.36673637427109, 0.208697364608671, -0.440586440723483, 0.3719553776157, \
	  1.01796462181738, -0.1589012872019, 0.0464499244265598) \
	_(eig_complex_grad, C128, GRAD(right_sum, C), 0.140811583679789 + 0.0354018342737295 * \
	  I, -0.382894779429034 - 0.076938545178409 * I, 0.0325896990790081 + 0.650711317029786 \
	  * I, 0.494483117131115 - 0.0943807140423836 * I, -0.185613727115098 + \
	  0.163253641992365 * I, -0.546649531284903 + 0.0487694482756876 * I, -0.167834945493487 \
	  - 0.389521051873956 * I, 0.351553205116339 + 0.19027305903957 * I, 0.0448021434353084 \
	  - 0.198655476266094 * I) \
	_(eigvals_hessian, F64, GRAD(slope, P), -1.14084610023178, 0.318225698358737, \
	  0.687951852082988, -0.475485278318229, -0.651693149510345, -0.700754449815366, \
	  -0.0353225123516415, -0.789833695338033, -0.697489401238727)

AS_JAX(CASES, 1e-12)

/* ---- what they stand for. 48 is more than LAPACK is asked for */

static const int64_t orders[] = {0, 1, 2, 3, 6, 48};

static tsr_dtype complex_of(tsr_dtype t)
{
	return t == TSR_F32 ? TSR_C64 : t == TSR_F64 ? TSR_C128 : t;
}

/* no element is larger */
#define check_small(x, tolerance) small_at(TSR_HERE, (x), (tolerance))
static void small_at(const char *where, tsr *x, double tolerance)
{
	if (tsr_size(x) && !(tsr_item(tsr_max(tsr_abs(x))) <= tolerance))
		fail_msg("%s: %g is more than %g", where, tsr_item(tsr_max(tsr_abs(x))), tolerance);
}

/* a v = v w of vectors of size 1 whose largest elements are real */
static void check_vectors(tsr *a, tsr *v, tsr *w, double tolerance)
{
	tsr *sizes = tsr_vector_norm(v, .dims = D(-2));

	check_small(tsr_sub(tsr_matmul(a, v), tsr_mul(v, tsr_expand_dims(w, D(-2)))), tolerance);
	ALIKE(sizes, tsr_ones_like(sizes), tolerance);
	if (!tsr_size(v)) return;
	tsr *size = tsr_abs(v), *most = tsr_max(size, .dims = D(-2), .keep = true);
	tsr *large = tsr_ge(size, tsr_mul(most, 1 - 1e-5)); /* several are alike */
	check_small(tsr_min(tsr_where(large, tsr_abs(tsr_imag(v)), 1), .dims = D(-2)), tolerance);
}

static void check_eig(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *x = draw(c, dtype, D(BATCH, n, n)), *y[3], *alone[3];
	tsr *a = tsr_astype(x, complex_of(dtype));

	assert_true(tsr_eig(x, y, .left = true) && tsr_eig(x, alone));
	check_vectors(a, y[1], y[0], tolerance);
	check_vectors(adjoint(a), y[2], tsr_conj(y[0]), tolerance);
	ALIKE(alone[0], y[0], tolerance);
	ALIKE(alone[1], y[1], tolerance);
	ALIKE(tsr_eigvals(x), y[0], tolerance);
	if (is_complex(dtype) || !n) return;
	/* of a real matrix, vectors of real eigenvalues are real, and others come in pairs */
	tsr *is_real = tsr_eq(tsr_imag(y[0]), 0);
	tsr *other = tsr_where(tsr_expand_dims(is_real, D(-2)), tsr_imag(y[1]), 0);
	assert_true(tsr_item(tsr_max(tsr_abs(other))) == 0);
	tsr *sums = tsr_sum(tsr_imag(y[0]), .dims = D(-1));
	check_small(sums, tolerance);
}

/* where the column is at least `by` behind the row */
static tsr *behind(tsr_ctx *c, int64_t n, double by)
{
	return tsr_ge(tsr_iota(c, D(n, n), 1), tsr_add(tsr_iota(c, D(n, n), 0), by));
}

static void check_schur(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *x = draw(c, dtype, D(BATCH, n, n)), *y[2];

	assert_true(tsr_schur(x, y));
	check_columns(y[1], tolerance);
	ALIKE(tsr_matmul(tsr_matmul(y[1], y[0]), adjoint(y[1])), x, tolerance);
	assert_true(tsr_array_equal(
		tsr_where(behind(c, n, is_complex(dtype) ? 0 : -1), y[0], 0), y[0]));
	if (is_complex(dtype) || n < 3) return;
	/* a pair of rows [x b; c x] with b c < 0, and none that meets another */
	tsr *low = tsr_diagonal(y[0], .k = -1, .dims = D(1, 2));
	tsr *up = tsr_diagonal(y[0], .k = 1, .dims = D(1, 2));
	tsr *here = tsr_diagonal(y[0], .dims = D(1, 2));
	tsr *pair = tsr_ne(low, 0);
	tsr *step = tsr_sub(tsr_slice(here, 1, 0, n - 1), tsr_slice(here, 1, 1, n));
	assert_true(tsr_item_int(tsr_all(tsr_logical_or(
		tsr_logical_not(pair),
		tsr_logical_and(tsr_lt(tsr_mul(low, up), 0),
	                        tsr_le(tsr_abs(step), tolerance))))));
	assert_false(tsr_item_int(tsr_any(tsr_logical_and(tsr_slice(pair, 1, 0, n - 2),
	                                                  tsr_slice(pair, 1, 1, n - 1)))));
}

/* with a first row and column of 1 */
static tsr *behind_one(tsr *q, int64_t n)
{
	return tsr_add(tsr_pad(q, D(0, 1, 1), D(0, 0, 0), 0),
	               tsr_pad(tsr_ones(q, D(BATCH, 1, 1), .dtype = tsr_dtype_of(q)), D(0, 0, 0),
	                       D(0, n - 1, n - 1), 0));
}

/* of the reflections below the elements next to the diagonal */
static tsr *product_of(tsr *a, tsr *taus, int64_t n)
{
	tsr *vectors = tsr_slice(tsr_slice(a, 1, 1, n), 2, 0, n - 1);

	return behind_one(tsr_householder_product(vectors, taus), n);
}

static void check_hessenberg(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *x = draw(c, dtype, D(BATCH, n, n)), *y[2];

	assert_true(tsr_hessenberg(x, y));
	SHAPE(y[1], BATCH, n ? n - 1 : 0);
	if (!n) return;
	tsr *h = tsr_where(behind(c, n, -1), y[0], 0), *q = product_of(y[0], y[1], n);
	check_columns(q, tolerance);
	ALIKE(tsr_matmul(tsr_matmul(q, h), adjoint(q)), x, tolerance);
}

/* d and e as a matrix */
static tsr *of_diagonals(tsr *d, tsr *e, int64_t n)
{
	tsr_ctx *c = tsr_ctx_of(d);
	tsr *eye = tsr_eye(c, n, .dtype = tsr_dtype_of(d));
	tsr *next = tsr_pad(e, D(0, 0), D(0, 1), 0);
	tsr *above = tsr_mul(tsr_expand_dims(next, D(2)),
	                     tsr_eye(c, n, .k = 1, .dtype = tsr_dtype_of(d)));

	return tsr_add(tsr_mul(tsr_expand_dims(d, D(2)), eye),
	               tsr_add(above, tsr_matrix_transpose(above)));
}

/* rows and columns from the last to the first: the upper half as a lower one */
static tsr *turned_over(tsr *x) { return tsr_flip(x, D(1, 2)); }

static void check_tridiagonal(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *x = draw(c, dtype, D(BATCH, n, n)), *y[4];
	tsr *a = tsr_mul(tsr_add(x, adjoint(x)), 0.5);

	for (int upper = 0; upper < 2; upper++) {
		tsr *other = behind(c, n, 1);
		if (upper) other = tsr_matrix_transpose(other);
		/* the other half is not read */
		assert_true(tsr_tridiagonal(tsr_where(other, 7, a), y, .upper = upper));
		assert_int_equal(tsr_dtype_of(y[1]), tsr_dtype_of(tsr_real(x)));
		SHAPE(y[2], BATCH, n ? n - 1 : 0);
		SHAPE(y[3], BATCH, n ? n - 1 : 0);
		if (!n) continue;
		SAME(tsr_where(other, y[0], 7), tsr_add(tsr_zeros_like(x), 7));
		tsr *t = tsr_astype(of_diagonals(y[1], y[2], n), dtype), *of = y[0], *taus = y[3];
		tsr *want = a;
		if (upper) {
			t = turned_over(t);
			of = turned_over(of);
			want = turned_over(a);
			taus = tsr_flip(taus, D(1));
		}
		tsr *q = product_of(of, taus, n);
		ALIKE(tsr_matmul(tsr_matmul(q, t), adjoint(q)), want, tolerance);
	}
}

static void check_polar(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	for (int64_t m = n; m <= n + 2; m++) {
		tsr *x = draw(c, dtype, D(BATCH, m, n)), *y[2];
		assert_true(tsr_polar(x, y));
		check_columns(y[0], tolerance);
		ALIKE(tsr_matmul(y[0], y[1]), x, tolerance);
		ALIKE(adjoint(y[1]), y[1], tolerance);
		if (n) assert_true(tsr_item(tsr_min(tsr_eigvalsh(y[1]))) >= -tolerance);
	}
	tsr *wide = draw(c, dtype, D(BATCH, n, n + 1)), *y[2];
	assert_true(tsr_polar(wide, y));
	check_columns(adjoint(y[0]), tolerance);
	ALIKE(tsr_matmul(y[0], y[1]), wide, tolerance);
}

static void try_all(tsr_ctx *c)
{
	static matrix_law *const laws[] = {check_eig, check_schur, check_hessenberg,
	                                   check_tridiagonal, check_polar};

	srand(11);
	try_laws(c, laws, COUNT(laws), orders, COUNT(orders));
}

static void what_they_stand_for(void **state)
{
	(void)state;
	on_each_engine(try_all);
}

/* ---- matrices that are hard: each f64[n,n], of which rounding moves elements by a few units of
 * their size */

static tsr *zeros_of(tsr_ctx *c, int64_t n) { return tsr_zeros(c, D(n, n), .dtype = TSR_F64); }
static tsr *ones_of(tsr_ctx *c, int64_t n) { return tsr_ones(c, D(n, n), .dtype = TSR_F64); }
static tsr *one_of(tsr_ctx *c, int64_t n) { return tsr_eye(c, n, .dtype = TSR_F64); }
/* one vector for all eigenvalues, which are 2 */
static tsr *chain_of(tsr_ctx *c, int64_t n)
{
	return tsr_add(tsr_mul(one_of(c, n), 2), tsr_eye(c, n, .k = 1, .dtype = TSR_F64));
}
/* the same with 0 and -1 below the diagonal */
static tsr *low_chain_of(tsr_ctx *c, int64_t n)
{
	return tsr_neg(tsr_eye(c, n, .k = -1, .dtype = TSR_F64));
}
/* the roots of 1: shifts of 0 go in a circle */
static tsr *ring_of(tsr_ctx *c, int64_t n) { return tsr_roll(one_of(c, n), 1, 1); }
static tsr *triangle_of(tsr_ctx *c, int64_t n)
{
	tsr *i = tsr_iota(c, D(n, n), 0, .dtype = TSR_F64);

	return tsr_where(behind(c, n, 1), 0, tsr_add(i, tsr_iota(c, D(n, n), 1)));
}
static tsr *noise_of(tsr_ctx *c, int64_t n) { return draw(c, TSR_F64, D(n, n)); }
static tsr *huge_of(tsr_ctx *c, int64_t n) { return tsr_mul(noise_of(c, n), 1e300); }
static tsr *tiny_of(tsr_ctx *c, int64_t n) { return tsr_mul(noise_of(c, n), 1e-300); }

static void try_hard(tsr *a, int64_t n, double tolerance)
{
	tsr *y[3], *x = tsr_astype(a, TSR_C128), *most = tsr_max(tsr_abs(a));
	const double size = tsr_item(most) > 0 ? tsr_item(most) : 1;

	assert_true(tsr_eig(a, y, .left = true));
	check_vectors(tsr_div(x, size), y[1], tsr_div(y[0], size), tolerance);
	check_vectors(adjoint(tsr_div(x, size)), y[2], tsr_conj(tsr_div(y[0], size)), tolerance);
	assert_true(tsr_schur(a, y));
	ALIKE(tsr_matmul(adjoint(y[1]), y[1]), one_of(tsr_ctx_of(a), n), tolerance);
	tsr *product = tsr_matmul(tsr_matmul(y[1], tsr_div(y[0], size)), adjoint(y[1]));
	check_small(tsr_sub(product, tsr_div(a, size)), tolerance);
}

static void try_all_hard(tsr_ctx *c)
{
	static tsr *(*const makers[])(tsr_ctx *, int64_t) = {
		zeros_of, ones_of, one_of,      chain_of, low_chain_of,
		ring_of,  noise_of, triangle_of, huge_of,  tiny_of};

	for (int64_t n = 3; n < 40; n += 9)
		for (size_t k = 0; k < COUNT(makers); k++) {
			TSR_SCOPE(c);
			try_hard(makers[k](c, n), n, 1e-14 * (double)(8 + n));
		}
}

static void hard_matrices(void **state)
{
	(void)state;
	on_each_engine(try_all_hard);
}

/* on the diagonal of a triangular matrix, exact; balanced rows have small eigenvalues too */
static void exact_values(void **state)
{
	tsr_ctx *c = *state;
	tsr *low = MATRIX(3, 3, 0, 0, 1, 0.1, 0, 5, 7, -2), *up = tsr_t(low);
	tsr *apart = MATRIX(2, 1, 1e9, 1e-9, 2);

	CLOSE(tsr_sort(tsr_real(tsr_eigvals(low))), 0, -2, 0.1, 3);
	CLOSE(tsr_real(tsr_eigvals(up)), 0, 3, 0.1, -2);
	CLOSE(tsr_sort(tsr_real(tsr_eigvals(apart))), 1e-15, 0.38196601125010515,
	      2.618033988749895);
}

static void try_no_numbers(tsr_ctx *c)
{
	static const double bad[] = {NAN, INFINITY};

	for (int64_t n = 3; n < 40; n += 30)
		for (int k = 0; k < 2; k++) {
			tsr *a = tsr_add(one_of(c, n), bad[k]), *y[3];
			assert_true(tsr_eig(a, y, .left = true));
			for (int i = 0; i < 3; i++)
				assert_true(tsr_item_int(tsr_all(tsr_isnan(y[i]))));
			assert_true(tsr_item_int(tsr_all(tsr_isnan(tsr_eigvals(a)))));
			assert_true(tsr_schur(a, y));
			for (int i = 0; i < 2; i++)
				assert_true(tsr_item_int(tsr_all(tsr_isnan(y[i]))));
		}
}

static void no_numbers(void **state)
{
	(void)state;
	on_each_engine(try_no_numbers);
}

/* The sum of the squares of eigenvalues is the trace of a a, whose gradient is 2 a^T. Of many
 * eigenvalues LAPACK has another order where it finds vectors too */
static tsr *squares(tsr *a) { return tsr_sum(tsr_real(tsr_square(tsr_eigvals(a)))); }

static void many_slopes(void **state)
{
	enum { SIDE = 200 };
	tsr_ctx *c = tsr_open(.plugin_dir = PLUGIN_DIR);

	(void)state;
	srand(5);
	tsr *a = draw(c, TSR_F64, D(SIDE, SIDE));
	tsr *got = tsr_call(tsr_jit(c, tsr_grad(c, squares)), a);
	ALIKE(got, tsr_mul(tsr_t(a), 2), 1e-10);
	assert_int_equal(tsr_close(c), TSR_OK);
}

/* no coefficients, and one */
static void no_roots(void **state)
{
	tsr_ctx *c = *state;

	for (int64_t n = 0; n < 2; n++) {
		tsr *y = tsr_roots(tsr_ones(c, D(n)));
		SHAPE(y, 0);
		assert_int_equal(tsr_dtype_of(y), TSR_C64);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_jax_has_it),
		cmocka_unit_test(what_they_stand_for),
		cmocka_unit_test(hard_matrices),
		cmocka_unit_test_setup_teardown(exact_values, near_open, near_close),
		cmocka_unit_test(no_numbers),
		cmocka_unit_test(many_slopes),
		cmocka_unit_test_setup_teardown(no_roots, near_open, near_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
