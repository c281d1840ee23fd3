/* test_linalg.c - factors of matrices, and systems of triangular ones: numbers and derivatives as
 * JAX 0.10.2 has them (64-bit types on; jnp.linalg, jax.scipy.linalg and lax.linalg, as the lines
 * say). test_linalg_laws.c has larger matrices. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/as_jax.h"
#include "unit/matrices.h"
#include <cmocka.h>

static tsr *lower(tsr *a, tsr *w) { return weighed(tsr_cholesky(a), w); }
static tsr *upper(tsr *a, tsr *w) { return weighed(tsr_cholesky(a, .upper = true), w); }
static tsr *as_it_is(tsr *a, tsr *w) { return weighed(tsr_cholesky(a, .lower_only = true), w); }
static tsr *sizes(tsr *a, tsr *w) { return weighed(tsr_abs(tsr_cholesky(a)), w); }
static tsr *slope(tsr *a, tsr *w) { return tsr_call(tsr_grad(tsr_ctx_of(a), lower), a, w); }
static tsr *bent(tsr *a, tsr *w) { return weighed(slope(a, w), w); }

static tsr *solved(tsr *a, tsr *b) { return waves(tsr_solve_triangular(a, b)); }
static tsr *solved_low(tsr *a, tsr *b) { return waves(tsr_solve_triangular(a, b, .lower = true)); }
static tsr *solved_t(tsr *a, tsr *b) { return waves(tsr_solve_triangular(a, b, .trans = 1)); }
static tsr *solved_h(tsr *a, tsr *b)
{
	return waves(tsr_solve_triangular(a, b, .trans = 2, .lower = true));
}
static tsr *solved_1(tsr *a, tsr *b)
{
	return waves(tsr_solve_triangular(a, b, .unit_diagonal = true));
}
static tsr *solved_c(tsr *a, tsr *b)
{
	return tsr_sum(tsr_abs(tsr_solve_triangular(a, b, .trans = 2)));
}

static bool lus(tsr *x, tsr **y) { return tsr_lu(x, y); }
static bool qrs(tsr *x, tsr **y) { return tsr_qr(x, y); }
static bool qrs_full(tsr *x, tsr **y) { return tsr_qr(x, y, .full_matrices = true); }
static bool eighs(tsr *x, tsr **y) { return tsr_eigh(x, y); }
static bool svds(tsr *x, tsr **y) { return tsr_svd(x, y, .thin = true); }

static tsr *total(tsr *x) { return tsr_sum(tsr_abs(x)); }
static tsr *lu_sum(tsr *a) { return waves(part(0, lus, a)); }
static tsr *lu_sizes(tsr *a) { return total(part(0, lus, a)); }
static tsr *qr_sum(tsr *a) { return tsr_add(waves(part(0, qrs, a)), waves(part(1, qrs, a))); }
static tsr *qr_sizes(tsr *a) { return tsr_add(total(part(0, qrs, a)), total(part(1, qrs, a))); }
/* 1, 2, 3, ... times the elements */
static tsr *counted(tsr *x)
{
	tsr *n = tsr_arange(x, tsr_size(x) + 1, .dtype = TSR_F64);
	return weighed(tsr_ravel(x), tsr_slice(n, 0, 1, tsr_size(x) + 1));
}
/* of squares, so that no sign matters */
static tsr *eigh_sum(tsr *a)
{
	return tsr_add(waves(part(0, eighs, a)), counted(tsr_square(part(1, eighs, a))));
}
static tsr *eigh_sizes(tsr *a)
{
	return tsr_add(waves(part(0, eighs, a)), counted(tsr_abs(part(1, eighs, a))));
}
static tsr *svd_sum(tsr *a)
{
	tsr *u = counted(tsr_square(part(0, svds, a))), *vh = counted(tsr_square(part(2, svds, a)));
	return tsr_add(waves(part(1, svds, a)), tsr_add(u, vh));
}
static tsr *svd_sizes(tsr *a)
{
	return tsr_add(waves(part(1, svds, a)), counted(tsr_abs(part(0, svds, a))));
}
static tsr *svdvals_sum(tsr *a) { return waves(tsr_svdvals(a)); }
static tsr *qr_full_sum(tsr *a)
{
	tsr *n = tsr_add(tsr_reshape(tsr_arange(a, 9, .dtype = TSR_F64), D(3, 3)), 1);

	return tsr_add(waves(tsr_mul(part(0, qrs_full, a), n)), waves(part(1, qrs_full, a)));
}

/* name, dtype, expression, elements */
#define CASES(_) \
	_(cholesky, F64, tsr_cholesky(A), 2, 0, 0, 0.5, 2.17944947177034, 0, 1, 1.14707866935281, \
	  1.91942973987479) \
	_(cholesky_complex, C128, tsr_cholesky(H), 2, 0, 0, 0.5 - 0.5 * I, 2.1213203435596424, 0, \
	  1, -0.23570226039551587 - 1.649915822768611 * I, 1.4907119849998596) \
	_(cholesky_of_none, F64, tsr_cholesky(MATRIX(2, 1, 2, 2, 1)), NAN, 0, NAN, NAN) \
	_(cholesky_of_nan, F64, tsr_cholesky(MATRIX(2, 1, 0, 0, NAN)), NAN, 0, NAN, NAN) \
	_(cholesky_of_i32, F32, tsr_cholesky(tsr_astype(MATRIX(2, 4, 2, 2, 5), TSR_I32)), 2, 0, 1, \
	  2) \
	_(cholesky_lower_only, F64, tsr_cholesky(MATRIX(2, 4, 9, 2, 5), .lower_only = true), 2, 0, \
	  1, 2) \
	_(cholesky_grad, F64, GRAD(lower, A, W), -0.0866274306215486, 0.491659423855749, \
	  0.427425149315223, 0.491659423855749, 0.830548799629882, 0.60140675247356, \
	  0.427425149315223, 0.60140675247356, 2.34444632513277) \
	_(cholesky_upper_grad, F64, GRAD(upper, A, W), 0.438757842829392, 0.160702596181426, \
	  -0.457866983749496, 0.160702596181426, 1.07203904580942, 0.142575284732437, \
	  -0.457866983749496, 0.142575284732437, 2.34444632513277) \
	_(cholesky_lower_only_grad, F64, GRAD(as_it_is, A, W), -0.0866274306215486, \
	  -1.4260035116265, -0.863743382943654, 2.409322359338, 0.830548799629882, \
	  -1.23391911849093, 1.7185936815741, 2.43673262343805, 2.34444632513277) \
	_(cholesky_complex_grad, C128, GRAD(sizes, H, W), 0.10865908694774928, \
	  0.2826300657709158 - 0.07639947589601051 * I, \
	  0.10316705527103842 - 0.10311529493745283 * I, \
	  0.2826300657709158 + 0.07639947589601051 * I, 1.5604198017459228, \
	  0.06874352995830187 + 0.481204709708113 * I, \
	  0.10316705527103842 + 0.10311529493745283 * I, \
	  0.06874352995830187 - 0.481204709708113 * I, 3.0186917696247164) \
	_(cholesky_hessian, F64, GRAD(bent, A, W), 0.636630401479534, -0.51671313151028, \
	  -2.71514253096483, -0.51671313151028, 0.209316589391859, -1.81640182423197, \
	  -2.71514253096483, -1.81640182423197, -0.200952542154238) \
	_(solve, F64, tsr_solve_triangular(A, B), -0.191666666666667, -0.05, 0.1, 0.2, \
	  0.833333333333333, 1) \
	_(solve_grad, F64, GRAD(solved, A, B), 0.0595236000268169, -0.0744797156833378, \
	  -0.454205920628654, 0, -0.0442068032825426, -0.271006158988855, 0, 0, 0.103464079269975) \
	_(solve_grad_b, F64, GRAD_1(solved, A, B), 0.245422026635895, 0.249687565098742, \
	  0.149916427728426, 0.1460758025485, -0.0446968487290019, -0.0662167053291406) \
	_(solve_low, F64, tsr_solve_triangular(A, B, .lower = true), 0.25, 0.5, 0.55, 0.7, 0.475, \
	  0.483333333333333) \
	_(solve_low_grad, F64, GRAD(solved_low, A, B), -0.101682736787668, 0, 0, \
	  -0.0526055900925304, -0.0899629525794594, 0, -0.110841424564823, -0.184821085111524, \
	  -0.141730316253563) \
	_(solve_low_grad_b, F64, GRAD_1(solved_low, A, B), 0.147726470563334, 0.129502238293668, \
	  0.0815756322495843, 0.0644233640602685, 0.148215453603861, 0.147575122327715) \
	_(solve_t_grad, F64, GRAD(solved_t, A, B), -0.101682736787668, -0.0526055900925304, \
	  -0.110841424564823, 0, -0.0899629525794594, -0.184821085111524, 0, 0, \
	  -0.141730316253563) \
	_(solve_h_grad, F64, GRAD(solved_h, A, B), 0.0595236000268169, 0, 0, -0.0744797156833378, \
	  -0.0442068032825426, 0, -0.454205920628654, -0.271006158988855, 0.103464079269975) \
	_(solve_1, F64, tsr_solve_triangular(A, B, .unit_diagonal = true), 3, 4, -12, -14, 5, 6) \
	_(solve_1_grad, F64, GRAD(solved_1, A, B), 0, -21.0309206512959, 8.8718242081839, 0, 0, \
	  -13.9115173110934, 0, 0, 0) \
	_(solve_complex, C128, tsr_solve_triangular(H, B, .trans = 2), 0.25, 0.5, 0.55 + 0.05 * I, \
	  0.7 + 0.1 * I, 0.725 + 0.275 * I, 0.7833333333333333 + 0.35 * I) \
	_(solve_complex_grad, C128, GRAD(solved_c, H, B), \
	  -0.07287650040566243 + 0.05631026194104802 * I, \
	  -0.17805296865201783 + 0.050356450762879125 * I, \
	  -0.11504228948122666 - 0.048772264937526684 * I, 0, \
	  -0.2861316789013681 + 0.12118814548308927 * I, \
	  -0.20198024247181545 - 0.05709452082030998 * I, 0, 0, -0.27222871656318737) \
	_(solve_vector, F64, tsr_solve_triangular(MATRIX(2, 0, 1, 0, 1), F64(c, 1, 1)), NAN, 1) \
	_(triangular_solve, F64, tsr_triangular_solve(A, BT, .lower = true), -0.191666666666667, \
	  0.1, 0.833333333333333, -0.05, 0.2, 1) \
	_(triangular_solve_conj, C128, tsr_triangular_solve(H, BT, .conjugate_a = true), 0.25, \
	  0.55 + 0.05 * I, 0.725 + 0.275 * I, 0.5, 0.7 + 0.1 * I, 0.7833333333333333 + 0.35 * I) \
	_(cho_solve, F64, tsr_cho_solve(tsr_cholesky(A), B, .lower = true), -0.2, 0, \
	  0.142857142857143, 0.285714285714286, 0.828571428571429, 0.857142857142857) \
	_(cho_solve_upper, F64, \
	  tsr_cho_solve(tsr_cholesky(A, .upper = true), tsr_index(B, 1, 0)), -0.2, \
	  0.142857142857143, 0.828571428571429) \
	_(lu, F64, part(0, lus, M), 3, 1, 4, 0.666666666666667, 4.33333333333333, \
	  -1.66666666666667, 0.333333333333333, 0.384615384615385, -0.692307692307692) \
	_(lu_grad_m, F64, GRAD(lu_sum, M), -0.881373458443474, 0.509977198728439, \
	  0.76977503072918, -1.3449211491806, 0.747768835223029, -0.649041386089606, \
	  0.973079708091965, -0.566188393396553, -0.391790867525599) \
	_(lu_grad_t, F64, GRAD(lu_sum, T), -1.69442305910566, 1.35031169619565, \
	  -2.03983241841912, 1.5749282438579, 1.84644624833583, -0.461117031210562) \
	_(lu_grad_wd, F64, GRAD(lu_sum, WD), -0.889393536628053, 0.54030230586814, \
	  0.0707372016677029, 0.0285499317668841, -0.923794773797682, 0.718533653509453) \
	_(lu_complex_grad, C128, GRAD(lu_sizes, C), 0.93648230424517 + 1.75160404370018 * I, \
	  0.424060484529697 - 0.956377682955448 * I, -0.131454581159493 - 0.991322194390997 * I, \
	  0.132965100864135 - 0.0387048338546205 * I, \
	  -0.276130219021391 - 0.220172383979612 * I, 1.61861667138137 + 0.0508304461698349 * I, \
	  -0.0648020199582908 - 0.787024291562792 * I, 1.4457645786799 + 0.0526205373361818 * I, \
	  -0.191853789592623 + 0.251441167232268 * I) \
	_(q_m, F64, part(0, qrs, M), -0.267261241912424, 0.24880667576406, -0.930949336251263, \
	  -0.801783725737273, -0.593308226821988, 0.0716114874039431, -0.534522483824849, \
	  0.765559002350953, 0.358057437019717) \
	_(r_m, F64, part(1, qrs, M), -3.74165738677394, -4.00891862868637, -3.74165738677394, 0, \
	  3.7321001364609, -1.607673904937, 0, 0, 0.644503386635489) \
	_(qr_grad_m, F64, GRAD(qr_sum, M), 1.35252219323484, -0.134287054184857, \
	  -0.532802108884392, 0.151101394134749, 1.01921515555736, 0.740832264809896, \
	  0.641079978136205, -0.251499852510734, 0.6991458231831) \
	_(q_t, F64, part(0, qrs, T), -0.169030850945703, 0.948683298050514, -0.50709255283711, \
	  -0.316227766016838, -0.845154254728517, 2.22044604925031e-16) \
	_(r_t, F64, part(1, qrs, T), -5.91607978309962, -8.28251169633946, 0, 0.632455532033676) \
	_(qr_grad_t, F64, GRAD(qr_sum, T), -1.77540030165238, 0.997379300093815, \
	  -0.781678188253751, 0.441513013527735, -0.28029145298717, 0.0272830628209478) \
	_(q_wd, F64, part(0, qrs, WD), -0.447213595499958, -0.894427190999916, \
	  -0.894427190999916, 0.447213595499958) \
	_(r_wd, F64, part(1, qrs, WD), -2.23606797749979, -4.91934955049954, -8.4970583144992, \
	  0, -0.894427190999915, -1.34164078649987) \
	_(qr_grad_wd, F64, GRAD(qr_sum, WD), 2.7520975731516, -0.651776935616177, \
	  0.065002479440322, -0.685916730363269, 0.0961478167965495, 0.63793947293656) \
	_(qr_complex_grad, C128, GRAD(qr_sizes, C), 0.191154735032279 - 0.0941237011892601 * I, \
	  0.875549613629606 + 0.0324293887716016 * I, \
	  -0.423142344991774 - 0.472891038930142 * I, 0.546124742995536 - 0.688808384413262 * I, \
	  -0.166238200898401 + 0.115952505734876 * I, 1.50558124832434 + 0.351086976127343 * I, \
	  0.738812046812996 - 0.301006014502739 * I, 1.18338533306217 - 0.447949245993971 * I, \
	  -0.118453923011856 - 0.439609291513969 * I) \
	_(q_full, F64, part(0, qrs_full, T), -0.169030850945703, 0.948683298050514, \
	  -0.267261241912425, -0.50709255283711, -0.316227766016838, -0.801783725737273, \
	  -0.845154254728517, 2.22044604925031e-16, 0.534522483824849) \
	_(qr_full_grad, F64, GRAD(qr_full_sum, T), -0.620992745118191, -0.303898683129302, \
	  5.90802561708367, -3.46232093614161, -4.52499524749646, 2.62983902926718) \
	_(eigvalsh, F64, tsr_eigvalsh(A), 2.19439716742241, 3.38677015660755, 9.41883267597004) \
	_(eigh_grad, F64, GRAD(eigh_sum, A), -0.899110977940946, 0.0919038929272161, \
	  -0.125166056408058, 0.0919038929272161, -0.851346205336942, -0.16567952445048, \
	  -0.125166056408058, -0.16567952445048, -0.80358143273294) \
	_(eigvalsh_complex, F64, tsr_eigvalsh(H), 0.852058674033866, 5.31444315047958, \
	  8.83349817548656) \
	_(eigh_complex_grad, C128, GRAD(eigh_sizes, H), 0.408819491387023, \
	  0.281167588972292 - 0.15232435848131 * I, -0.276893736569297 - 0.0644216152454911 * I, \
	  0.281167588972292 + 0.15232435848131 * I, 0.492051661475657, \
	  0.0429477434969946 + 0.763334839091681 * I, \
	  -0.276893736569297 + 0.0644216152454911 * I, \
	  0.0429477434969946 - 0.763334839091681 * I, -0.506327361409655) \
	_(eigvalsh_lower, F64, tsr_eigvalsh(M, .triangle_only = true), -4.128394736747, \
	  -0.710691585515151, 7.83908632226215) \
	_(eigvalsh_upper, F64, tsr_eigvalsh(M, .triangle_only = true, .upper = true), \
	  -3.47213595499958, 1, 5.47213595499958) \
	_(svdvals_m, F64, tsr_svdvals(M), 6.84170349883517, 3.75074507445069, 0.350720145572585) \
	_(svd_grad_m, F64, GRAD(svd_sum, M), 0.883937048307478, -0.184077453758285, \
	  -0.193486656285575, 0.128943104367117, 0.782421980827366, -0.247742755019175, \
	  0.153395243213283, 0.250302464162337, 0.802941291012426) \
	_(svdvals_t, F64, tsr_svdvals(T), 10.1914282570972, 0.367137685943899) \
	_(svd_grad_t, F64, GRAD(svd_sum, T), -0.294360870509146, -0.0477222868571554, \
	  1.58549898983701, -1.75830680296797, -1.34036052192763, 0.33867865211948) \
	_(svdvals_wd, F64, tsr_svdvals(WD), 10.1914282570972, 0.3671376859439) \
	_(svd_grad_wd, F64, GRAD(svd_sum, WD), -0.549462911325477, 0.820192867388029, \
	  -0.830156440294971, 0.166563427428563, -1.11544966011082, -0.0898927764519535) \
	_(svdvals_grad, F64, GRAD(svdvals_sum, T), -0.804564952141802, 0.380849141714276, \
	  0.0548867449390525, -0.472592517253678, -0.319952358662323, -0.518464205023379) \
	_(svd_complex_grad, C128, GRAD(svd_sizes, C), \
	  -0.0993243863067896 - 0.138492872463303 * I, 0.592971579481271 + 0.58105539185142 * I, \
	  -0.808294745360404 - 1.09567510165962 * I, -0.454898432523061 - 0.365906092853608 * I, \
	  1.01215115709739 + 0.555450751558233 * I, -0.449667221245294 + 0.249291489881414 * I, \
	  0.413600533169764 + 0.225153992018948 * I, -1.20480762573233 - 0.221145097802002 * I, \
	  0.582139409709667 + 0.0372841214854861 * I)

AS_JAX(CASES, 1e-12)

/* a matrix is factorised once for values and derivatives */
static int times_in(const char *text, const char *word)
{
	int n = 0;

	for (const char *at = text; (at = strstr(at, word)); at++) n++;
	return n;
}

static tsr *eigvalsh_sum(tsr *a) { return tsr_sum(tsr_eigvalsh(a)); }
static tsr *eigvals_sum(tsr *a) { return tsr_sum(tsr_real(tsr_eigvals(a))); }

static void factorised_once(void **state)
{
	static const struct {
		const char *row;
		tsr *(*of)(tsr *);
	} cases[] = {{" = svd ", svdvals_sum},
	             {" = eigh ", eigvalsh_sum},
	             {" = eig ", eigvals_sum}};
	tsr_ctx *c = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *text = tsr_fn_text(tsr_value_and_grad(c, cases[i].of), M);
		assert_int_equal(times_in(text, cases[i].row), 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_jax_has_it),
		cmocka_unit_test_setup_teardown(factorised_once, near_open, near_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
