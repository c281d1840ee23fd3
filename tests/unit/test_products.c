/* test_products.c - products.h as JAX has it, and the mistakes of einsum. */
#include "support/cases.h"

#define A OF(TSR_F64, D(2, 3), 1, 2, 3, 4, 5, 6)
#define B OF(TSR_F64, D(3, 2), 1, -1, 2, 0.5, 0, 3)
#define V OF(TSR_F64, D(3), 1, 2, -1)
#define W OF(TSR_F64, D(3), 0.5, 3, 2)
#define T OF(TSR_F64, D(2, 3, 4), -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \
	11, 12, 13, 14, 15, 16)
#define U OF(TSR_F64, D(2, 4, 2), -3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, \
	4, 4.5)
#define SQ OF(TSR_F64, D(3, 3), 1, 2, 3, 4, 5, 6, 7, 8, 10)
#define N OF(TSR_I32, D(2, 2), 1, 2, 3, 4)
#define M OF(TSR_I8, D(2, 2), 100, 2, 3, 4)
#define Z COMPLEX(TSR_C128, D(2), 1 + 2 * I, 3 + -1 * I)
#define Y COMPLEX(TSR_C128, D(2), 2 + -1 * I, 0 + 1 * I)
#define ONE OF(TSR_F64, D(1, 1), 2)
#define H OF(TSR_F16, D(2, 2), 1, 2, 3, 4)
#define P OF(TSR_F64, D(1, 2), 1, 2)

static tsr *loss(tsr *a, tsr *b)
{
	return tsr_sum(tsr_square(tsr_einsum("ij,jk,ii->k", a, b, tsr_matmul(a, tsr_t(a)))));
}

static tsr *row_times(tsr *a, tsr *b) { return tsr_einsum("ij,jk->k", a, b); }

/* the name, the dtype and dims, how near, the expression in context c, its elements */
#define CASES(_) \
	_(matrices, F64, D(2, 2), NEARLY, tsr_einsum("ij,jk->ik", A, B), 5, 9, 14, 16.5) \
	_(implicit, F64, D(2, 2), NEARLY, tsr_einsum("ij,jk", A, B), 5, 9, 14, 16.5) \
	_(turned, F64, D(2, 2), NEARLY, tsr_einsum("ij,jk->ki", A, B), 5, 14, 9, 16.5) \
	_(dot, F64, D(), NEARLY, tsr_einsum("i,i", V, W), 4.5) \
	_(outer_product, F64, D(3, 3), NEARLY, tsr_einsum("i,j->ij", V, W), 0.5, 3, 2, 1, 6, 4, \
	  -0.5, -3, -2) \
	_(trace_of, F64, D(), NEARLY, tsr_einsum("ii", SQ), 16) \
	_(diagonal_of, F64, D(3), NEARLY, tsr_einsum("ii->i", SQ), 1, 5, 10) \
	_(diagonal_times, F64, D(3), NEARLY, tsr_einsum("ii,i->i", SQ, V), 1, 10, -10) \
	_(sum_all, F64, D(), NEARLY, tsr_einsum("ijk->", T), 108) \
	_(sum_some, F64, D(3), NEARLY, tsr_einsum("ijk->j", T), 4, 36, 68) \
	_(transposed, F64, D(4, 2, 3), NEARLY, tsr_einsum("ijk->kij", T), -7, -3, 1, 5, 9, 13, \
	  -6, -2, 2, 6, 10, 14, -5, -1, 3, 7, 11, 15, -4, 0, 4, 8, 12, 16) \
	_(implicit_order, F64, D(3, 2), NEARLY, tsr_einsum("ba", A), 1, 4, 2, 5, 3, 6) \
	_(batch, F64, D(2, 3, 2), NEARLY, tsr_einsum("bij,bjk->bik", T, U), 38, 27, 14, 11, -10, \
	  -5, 70, 83, 110, 131, 150, 179) \
	_(ellipsis, F64, D(2, 3, 2), NEARLY, tsr_einsum("...ij,...jk->...ik", T, U), 38, 27, 14, \
	  11, -10, -5, 70, 83, 110, 131, 150, 179) \
	_(ellipsis_broadcast, F64, D(2, 3, 2), NEARLY, tsr_einsum("...ij,jk->...ik", T, \
	  tsr_index(U, 0, 1)), -50, -61, -10, -13, 30, 35, 70, 83, 110, 131, 150, 179) \
	_(ellipsis_last, F64, D(3, 4, 2), NEARLY, tsr_einsum("i...->...i", T), -7, 5, -6, 6, -5, \
	  7, -4, 8, -3, 9, -2, 10, -1, 11, 0, 12, 1, 13, 2, 14, 3, 15, 4, 16) \
	_(ellipsis_summed, F64, D(2, 3), NEARLY, tsr_einsum("...i->...", T), -22, -6, 10, 26, \
	  42, 58) \
	_(chain, F64, D(2, 2), NEARLY, tsr_einsum("ij,jk,kl->il", A, B, N), 32, 46, 63.5, 94) \
	_(chain_of_vectors, F64, D(3), NEARLY, tsr_einsum("i,j,k,jk->i", V, W, V, SQ), 51, 102, \
	  -51) \
	_(elements, F64, D(3), NEARLY, tsr_einsum("i,i,i->i", V, W, V), 0.5, 12, 2) \
	_(one_repeats, F64, D(1, 3), NEARLY, tsr_einsum("ij,jk->ik", ONE, A), 10, 14, 18) \
	_(spaces, F64, D(2, 2), NEARLY, tsr_einsum(" i j , jk -> i k ", A, B), 5, 9, 14, 16.5) \
	_(integers, I32, D(2, 2), 0, tsr_einsum("ij,jk->ik", N, N), 7, 10, 15, 22) \
	_(small_integers, I8, D(2), 0, tsr_einsum("ij->j", M), 103, 6) \
	_(promoted, F16, D(2, 2), NEARLY, tsr_einsum("ij,jk->ik", N, H), 7, 10, 15, 22) \
	_(complex_pairs, C128, D(), NEARLY, tsr_einsum("i,i->", Z, Y), 5 + 6 * I) \
	_(tensordot, F64, D(2, 2), NEARLY, tsr_tensordot(T, tsr_reshape(T, D(3, 4, 2))), 214, \
	  196, 790, 916) \
	_(tensordot_one, F64, D(2, 2), NEARLY, tsr_tensordot(A, B, .n = 1), 5, 9, 14, 16.5) \
	_(tensordot_listed, F64, D(4), NEARLY, tsr_tensordot(T, A, .dims_a = D(1, 0), .dims_b = \
	  D(-1, 0)), 133, 154, 175, 196) \
	_(tensordot_none, F64, D(3, 3), NEARLY, tsr_tensordot(V, W, .dims_a = D(), .dims_b = \
	  D()), 0.5, 3, 2, 1, 6, 4, -0.5, -3, -2) \
	_(inner, F64, D(2, 2), NEARLY, tsr_inner(A, tsr_t(B)), 5, 9, 14, 16.5) \
	_(inner_scalar, F64, D(2, 3), NEARLY, tsr_inner(A, tsr_scalar(c, 2.0)), 2, 4, 6, 8, 10, \
	  12) \
	_(outer, F64, D(6, 3), NEARLY, tsr_outer(A, V), 1, 2, -1, 2, 4, -2, 3, 6, -3, 4, 8, -4, \
	  5, 10, -5, 6, 12, -6) \
	_(vdot, C128, D(), NEARLY, tsr_vdot(Z, Y), -1 + -2 * I) \
	_(vdot_of_matrices, F64, D(), NEARLY, tsr_vdot(A, tsr_reshape(B, D(2, 3))), 25) \
	_(vecdot, F64, D(2), NEARLY, tsr_vecdot(A, V), 2, 8) \
	_(vecdot_dim, C128, D(), NEARLY, tsr_vecdot(Z, Y, .dim = D(0)), -1 + -2 * I) \
	_(vecdot_columns, F64, D(2), NEARLY, tsr_vecdot(B, tsr_t(A), .dim = D(0)), 5, 16.5) \
	_(matvec, F64, D(2), NEARLY, tsr_matvec(A, V), 2, 8) \
	_(matvec_batch, F64, D(2, 3), NEARLY, tsr_matvec(T, tsr_slice(tsr_index(T, 1, 0), 0, 0, \
	  2)), 126, 38, -50, 174, 278, 382) \
	_(vecmat, F64, D(2), NEARLY, tsr_vecmat(V, B), 5, -3) \
	_(vecmat_complex, C128, D(2), NEARLY, tsr_vecmat(Z, N), 10 + 1 * I, 14 + 0 * I) \
	_(kron, F64, D(2, 6), NEARLY, tsr_kron(A, P), 1, 2, 2, 4, 3, 6, 4, 8, 5, 10, 6, 12) \
	_(kron_uneven, F64, D(2, 6), NEARLY, tsr_kron(V, N), 1, 2, 2, 4, -1, -2, 3, 4, 6, 8, -3, \
	  -4) \
	_(cross, F64, D(3), NEARLY, tsr_cross(V, W), 7, -2.5, 2) \
	_(cross_of_two, I32, D(2), 0, tsr_cross(N, tsr_add(N, 1)), -1, -1) \
	_(cross_mixed, F64, D(2, 3), NEARLY, tsr_cross(P, A), 6, -3, 0, 12, -6, -3) \
	_(cross_dim, F64, D(3, 2), NEARLY, tsr_cross(B, tsr_t(A), .dim = D(0)), 6, -12, -3, 18, \
	  0, -7) \
	_(einsum_grad, F64, D(2, 3), 1e-13, tsr_call(tsr_grad(c, loss), A, B), 66276, 230307, \
	  337008, 587559, 1243399.5, 1583925) \
	_(einsum_each, F64, D(2, 2), NEARLY, tsr_call(tsr_vmap(c, row_times), T, U), 42, 33, \
	  330, 393)

COMPARED(CASES)

/* more than two arrays in the order that takes the fewest multiplications */
static tsr *chain(tsr *a, tsr *b) { return tsr_einsum("ij,jk,kl->il", a, b, tsr_t(a)); }

static void cheapest_first(void **state)
{
	tsr_ctx *c = tsr_open();

	(void)state;
	tsr *wide = tsr_ones(c, D(2, 50)), *square = tsr_ones(c, D(50, 50));
	const char *text = tsr_fn_text(tsr_jit(c, chain), wide, square);
	assert_non_null(strstr(text, "f32[2,50] = dot_general"));
	assert_null(strstr(text, "f32[50,2] = dot_general"));
	assert_int_equal(tsr_close(c), TSR_OK);
}

static void mistakes(void **state)
{
	tsr_ctx *c = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(c, D(2, 3)), *y = tsr_ones(c, D(2, 3));
	const struct { const char *subscripts, *says; } texts[] = {
		{"ij,jk->ik", "one letter"},
		{"ij->ij", "fewer terms"},
		{"ij,ij,ij->ij", "more terms"},
		{"ij,ij->ii", "twice in the result"},
		{"ij,ij->k", "that no array has"},
		{"i,ij->i", "a letter for each dim"},
		{"ijk,ij->i", "more letters"},
		{"ij,i+j->i", "no letter"},
		{"ij,ij->i!", "no letter"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		assert_true(tsr_is_poison(tsr_einsum(texts[i].subscripts, x, y)));
		if (!strstr(tsr_message(c), texts[i].says))
			fail_msg("%s: %s", texts[i].subscripts, tsr_message(c));
		tsr_clear(c);
	}
	assert_true(tsr_is_poison(tsr_tensordot(x, y, .n = 1)));
	assert_non_null(strstr(tsr_message(c), "different sizes"));
	tsr_clear(c);
	assert_true(tsr_is_poison(tsr_tensordot(x, y, .dims_a = D(1))));
	tsr_clear(c);
	assert_true(tsr_is_poison(tsr_cross(tsr_ones(c, D(4)), tsr_ones(c, D(4)))));
	assert_non_null(strstr(tsr_message(c), "vectors of 2 or 3"));
	tsr_clear(c);
	assert_int_equal(tsr_close(c), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_jax_has_it),
	                                   cmocka_unit_test(cheapest_first),
	                                   cmocka_unit_test(mistakes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
