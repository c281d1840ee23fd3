/* test_shapes.c - shapes.h as JAX has it, and mistakes. */
#include "support/cases.h"

#define A OF(TSR_F64, D(2, 3), 1, 2, 3, 4, 5, 6)
#define V OF(TSR_F64, D(3), 1, 2, -1)
#define T OF(TSR_F64, D(2, 3, 4), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, \
	18, 19, 20, 21, 22, 23)
#define N OF(TSR_I32, D(2, 2), 1, 2, 3, 4)
#define S OF(TSR_F32, D(), 3.5)
#define PLACES OF(TSR_I32, D(4), 3, 7, -1, 30)
#define J OF(TSR_I32, D(3), 1, 0, 5)
#define SQ OF(TSR_F64, D(3, 3), 1, 2, 3, 4, 5, 6, 7, 8, 9)
#define E OF(TSR_F64, D(0, 3), )
#define Z COMPLEX(TSR_C64, D(2, 2), 1 + 2 * I, 2 + 0 * I, 3 + 0 * I, 0 + 4 * I)
#define F OF(TSR_BOOL, D(2, 2), 1, 1, 0, 1)

static tsr *part(tsr *x, size_t n, size_t k)
{
	tsr *out[4];
	return tsr_array_split(x, 0, out, n) ? out[k] : out[0];
}
static tsr *unstacked(tsr *x, int dim, size_t k)
{
	tsr *out[3];
	return tsr_unstack(x, dim, out, 3) ? out[k] : out[0];
}
static tsr *together(tsr *a, tsr *b, size_t k)
{
	tsr *x[] = {a, b};
	return tsr_broadcast_arrays(x, x, 2) ? x[k] : x[0];
}
static tsr *grid(tsr *a, tsr *b, size_t k, bool ij, bool sparse)
{
	tsr *x[] = {a, b};
	return tsr_meshgrid(x, x, 2, .ij = ij, .sparse = sparse) ? x[k] : x[0];
}
static tsr *unravelled(tsr *x, size_t k)
{
	tsr *out[2];
	return tsr_unravel_index(x, D(2, 4), out) ? out[k] : out[0];
}
static tsr *ravelled(tsr *x, enum tsr_index_mode mode)
{
	return tsr_ravel_multi_index(((tsr *[]){x, x}), D(2, 4), mode);
}
static tsr *weighed(tsr *x)
{
	return tsr_add(tsr_sum(tsr_square(tsr_tril(x, 0))), tsr_mul(3, tsr_trace(x, .k = 1)));
}

#define TIMES tsr_from(c, ((const int32_t[]){2, 0, 3}), TSR_I32, D(3))
#define PAIR COMPLEX(TSR_C128, D(2), 1 + 2 * I, 3 - 1 * I)
static tsr *roll_row(tsr *row, tsr *shift) { return tsr_dynamic_roll(row, shift, 0); }
/* row 0 by 1, row 1 by 2 */
static tsr *rolled_in_turn(tsr *x)
{
	tsr *shift = tsr_add(tsr_iota(x, D(2), 0), 1);

	return tsr_call(tsr_vmap(tsr_ctx_of(x), roll_row), x, shift);
}
static tsr *repeats_sum(tsr *x)
{
	tsr *times = tsr_mul(tsr_abs(tsr_sub(tsr_iota(x, D(3), 0), 1)), 2);

	return tsr_sum(tsr_repeat_each(x, times, 6, 0));
}
static tsr *repeats_slope(tsr *x) { return tsr_call(tsr_grad(tsr_ctx_of(x), repeats_sum), x); }


/* the name, the dtype and dims, how near, the expression in context c, its elements */
#define CASES(_) \
	_(moveaxis, F64, D(3, 4, 2), NEARLY, tsr_moveaxis(T, D(0), D(-1)), 0, 12, 1, 13, 2, 14, \
	  3, 15, 4, 16, 5, 17, 6, 18, 7, 19, 8, 20, 9, 21, 10, 22, 11, 23) \
	_(moveaxis_two, F64, D(4, 2, 3), NEARLY, tsr_moveaxis(T, D(2, 0), D(0, 1)), 0, 4, 8, 12, \
	  16, 20, 1, 5, 9, 13, 17, 21, 2, 6, 10, 14, 18, 22, 3, 7, 11, 15, 19, 23) \
	_(swapaxes, F64, D(4, 3, 2), NEARLY, tsr_swapaxes(T, 0, -1), 0, 12, 4, 16, 8, 20, 1, 13, \
	  5, 17, 9, 21, 2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23) \
	_(atleast_1d, F32, D(1), NEARLY, tsr_atleast_1d(S), 3.5) \
	_(atleast_2d, F64, D(1, 3), NEARLY, tsr_atleast_2d(V), 1, 2, -1) \
	_(atleast_2d_same, F64, D(2, 3, 4), NEARLY, tsr_atleast_2d(T), 0, 1, 2, 3, 4, 5, 6, 7, \
	  8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23) \
	_(atleast_3d_scalar, F32, D(1, 1, 1), NEARLY, tsr_atleast_3d(S), 3.5) \
	_(atleast_3d_line, F64, D(1, 3, 1), NEARLY, tsr_atleast_3d(V), 1, 2, -1) \
	_(atleast_3d_matrix, F64, D(2, 3, 1), NEARLY, tsr_atleast_3d(A), 1, 2, 3, 4, 5, 6) \
	_(roll, F64, D(2, 3), NEARLY, tsr_roll(A, 1, 1), 3, 1, 2, 6, 4, 5) \
	_(roll_back, F64, D(2, 3), NEARLY, tsr_roll(A, -4, 1), 2, 3, 1, 5, 6, 4) \
	_(roll_flat, F64, D(2, 3), NEARLY, tsr_roll(A, 2, TSR_FLAT), 5, 6, 1, 2, 3, 4) \
	_(roll_none, F64, D(0, 3), NEARLY, tsr_roll(E, 2, 0), 0) \
	_(dynamic_roll, F64, D(2, 3), NEARLY, tsr_dynamic_roll(A, tsr_scalar(c, 1), 1), 3, 1, 2, \
	  6, 4, 5) \
	_(dynamic_roll_back, F64, D(2, 3), NEARLY, tsr_dynamic_roll(A, -4, 1), 2, 3, 1, 5, 6, 4) \
	_(dynamic_roll_flat, F64, D(2, 3), NEARLY, tsr_dynamic_roll(A, 2, TSR_FLAT), 5, 6, 1, 2, \
	  3, 4) \
	_(dynamic_roll_whole, F64, D(2, 3), NEARLY, tsr_dynamic_roll(A, 6, 1), 1, 2, 3, 4, 5, 6) \
	_(dynamic_roll_far, F64, D(3), NEARLY, tsr_dynamic_roll(V, \
	  tsr_scalar(c, UINT64_MAX, .dtype = TSR_U64), 0), 1, 2, -1) \
	_(dynamic_roll_narrow, F64, D(3), NEARLY, tsr_dynamic_roll(V, \
	  tsr_scalar(c, -128, .dtype = TSR_I8), 0), -1, 1, 2) \
	_(dynamic_roll_none, F64, D(0, 3), NEARLY, tsr_dynamic_roll(E, 2, 0), 0) \
	_(rolls_in_turn, F64, D(2, 3), NEARLY, rolled_in_turn(A), 3, 1, 2, 5, 6, 4) \
	_(rot90, F64, D(3, 2), NEARLY, tsr_rot90(A, 1, 0, 1), 3, 6, 2, 5, 1, 4) \
	_(rot90_twice, F64, D(2, 3), NEARLY, tsr_rot90(A, 2, 0, 1), 6, 5, 4, 3, 2, 1) \
	_(rot90_back, F64, D(4, 3, 2), NEARLY, tsr_rot90(T, -1, 2, 0), 3, 15, 7, 19, 11, 23, 2, \
	  14, 6, 18, 10, 22, 1, 13, 5, 17, 9, 21, 0, 12, 4, 16, 8, 20) \
	_(tile, F64, D(4, 3), NEARLY, tsr_tile(A, D(2, 1)), 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6) \
	_(tile_more, F64, D(2, 9), NEARLY, tsr_tile(V, D(2, 3)), 1, 2, -1, 1, 2, -1, 1, 2, -1, \
	  1, 2, -1, 1, 2, -1, 1, 2, -1) \
	_(tile_less, F64, D(2, 6), NEARLY, tsr_tile(A, D(2)), 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, \
	  6) \
	_(tile_none, F64, D(0, 6), NEARLY, tsr_tile(A, D(0, 2)), 0) \
	_(repeat, F64, D(4, 3), NEARLY, tsr_repeat(A, 2, 0), 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6) \
	_(repeat_columns, F64, D(2, 6), NEARLY, tsr_repeat(A, 2, -1), 1, 1, 2, 2, 3, 3, 4, 4, 5, \
	  5, 6, 6) \
	_(repeat_flat, I32, D(12), 0, tsr_repeat(N, 3, TSR_FLAT), 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, \
	  4, 4) \
	_(repeat_each, F64, D(6), NEARLY, tsr_repeat_each(V, TIMES, 6, 0), 1, 1, -1, -1, -1, -1) \
	_(repeat_each_cut, F64, D(3), NEARLY, tsr_repeat_each(V, TIMES, 3, 0), 1, 1, -1) \
	_(repeat_each_column, F64, D(2, 5), NEARLY, tsr_repeat_each(A, TIMES, 5, -1), 1, 1, 3, 3, \
	  3, 4, 4, 6, 6, 6) \
	_(repeat_each_alike, F64, D(4, 3), NEARLY, tsr_repeat_each(A, tsr_scalar(c, 2), 4, 0), 1, \
	  2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6) \
	_(repeat_each_flat, F64, D(4), NEARLY, tsr_repeat_each(A, tsr_scalar(c, 3), 4, TSR_FLAT), \
	  1, 1, 1, 2) \
	_(repeat_each_none, F64, D(0, 3), NEARLY, tsr_repeat_each(A, tsr_scalar(c, 3), 0, 0), 0) \
	_(repeat_each_slope, F64, D(3), NEARLY, repeats_slope(V), 2, 0, 4) \
	_(view_as_real, F64, D(2, 2), NEARLY, tsr_view_as_real(PAIR), 1, 2, 3, -1) \
	_(view_as_complex, C128, D(2), NEARLY, tsr_view_as_complex(tsr_view_as_real(PAIR)), \
	  1 + 2 * I, 3 - 1 * I) \
	_(resize, F64, D(2, 4), NEARLY, tsr_resize(A, D(2, 4)), 1, 2, 3, 4, 5, 6, 1, 2) \
	_(resize_none, F64, D(2), NEARLY, tsr_resize(E, D(2)), 0, 0) \
	_(hstack, F64, D(2, 8), NEARLY, tsr_hstack(A, A, N), 1, 2, 3, 1, 2, 3, 1, 2, 4, 5, 6, 4, \
	  5, 6, 3, 4) \
	_(hstack_lines, F64, D(7), NEARLY, tsr_hstack(V, V, S), 1, 2, -1, 1, 2, -1, 3.5) \
	_(vstack, F64, D(3, 3), NEARLY, tsr_vstack(V, A), 1, 2, -1, 1, 2, 3, 4, 5, 6) \
	_(dstack, F64, D(1, 3, 2), NEARLY, tsr_dstack(V, V), 1, 1, 2, 2, -1, -1) \
	_(dstack_matrices, F64, D(2, 3, 2), NEARLY, tsr_dstack(A, A), 1, 1, 2, 2, 3, 3, 4, 4, 5, \
	  5, 6, 6) \
	_(column_stack, F64, D(3, 4), NEARLY, tsr_column_stack(V, SQ), 1, 1, 2, 3, 2, 4, 5, 6, \
	  -1, 7, 8, 9) \
	_(array_split, F64, D(2), NEARLY, part(V, 2, 0), 1, 2) \
	_(array_split_last, F64, D(1), NEARLY, part(V, 2, 1), -1) \
	_(unstack, F64, D(2, 4), NEARLY, unstacked(T, 1, 2), 8, 9, 10, 11, 20, 21, 22, 23) \
	_(broadcast, F64, D(2, 3), NEARLY, together(A, V, 1), 1, 2, -1, 1, 2, -1) \
	_(diagonal, F64, D(2), NEARLY, tsr_diagonal(A), 1, 5) \
	_(diagonal_above, F64, D(2), NEARLY, tsr_diagonal(A, .k = 1), 2, 6) \
	_(diagonal_below, F64, D(1), NEARLY, tsr_diagonal(A, .k = -1), 4) \
	_(diagonal_outside, F64, D(0), NEARLY, tsr_diagonal(A, .k = 3), 0) \
	_(diagonal_dims, F64, D(3, 1), NEARLY, tsr_diagonal(T, .k = 1, .dims = D(-1, 0)), 12, \
	  16, 20) \
	_(trace, F64, D(), NEARLY, tsr_trace(SQ), 15) \
	_(trace_dtype, F32, D(), NEARLY, tsr_trace(N, .k = 1, .dtype = TSR_F32), 2) \
	_(trace_batch, F64, D(2), NEARLY, tsr_trace(T, .dims = D(1, 2)), 15, 51) \
	_(diag, F64, D(3, 3), NEARLY, tsr_diag(V, 0), 1, 0, 0, 0, 2, 0, 0, 0, -1) \
	_(diag_above, F64, D(5, 5), NEARLY, tsr_diag(V, 2), 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, \
	  0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) \
	_(diag_below, F64, D(4, 4), NEARLY, tsr_diag(V, -1), 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, \
	  0, 0, -1, 0) \
	_(diag_of, F64, D(2), NEARLY, tsr_diag(A, 1), 2, 6) \
	_(diagflat, I32, D(5, 5), 0, tsr_diagflat(N, 1), 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, \
	  3, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0) \
	_(tril, F64, D(3, 3), NEARLY, tsr_tril(SQ, 0), 1, 0, 0, 4, 5, 0, 7, 8, 9) \
	_(tril_batch, F64, D(2, 3, 4), NEARLY, tsr_tril(T, 1), 0, 1, 0, 0, 4, 5, 6, 0, 8, 9, 10, \
	  11, 12, 13, 0, 0, 16, 17, 18, 0, 20, 21, 22, 23) \
	_(triu, F64, D(3, 3), NEARLY, tsr_triu(SQ, -1), 1, 2, 3, 4, 5, 6, 0, 8, 9) \
	_(triu_complex, C64, D(2, 2), NEARLY, tsr_triu(Z, 0), 1 + 2 * I, 2 + 0 * I, 0 + 0 * I, 0 \
	  + 4 * I) \
	_(triu_bool, BOOL, D(2, 2), 0, tsr_triu(F, 1), 0, 1, 0, 0) \
	_(tri, I8, D(2, 4), 0, tsr_tri(c, 2, 4, 1, .dtype = TSR_I8), 1, 1, 0, 0, 1, 1, 1, 0) \
	_(eye_moved, F32, D(2, 4), NEARLY, tsr_eye(c, 2, .columns = 4, .k = 1), 0, 1, 0, 0, 0, \
	  0, 1, 0) \
	_(fill_diagonal, F64, D(2, 3), NEARLY, tsr_fill_diagonal(A, -1), -1, 2, 3, 4, -1, 6) \
	_(vander, F64, D(3, 3), NEARLY, tsr_vander(V, 3, false), 1, 1, 1, 4, 2, 1, 1, -1, 1) \
	_(vander_increasing, I32, D(3, 4), 0, tsr_vander(J, 4, true), 1, 1, 1, 1, 1, 0, 0, 0, 1, \
	  5, 25, 125) \
	_(meshgrid, F64, D(3, 3), NEARLY, grid(V, J, 0, false, false), 1, 2, -1, 1, 2, -1, 1, 2, \
	  -1) \
	_(meshgrid_second, I32, D(3, 3), 0, grid(V, J, 1, false, false), 1, 1, 1, 0, 0, 0, 5, 5, \
	  5) \
	_(meshgrid_ij, I32, D(3, 3), 0, grid(V, J, 1, true, false), 1, 0, 5, 1, 0, 5, 1, 0, 5) \
	_(meshgrid_sparse, F64, D(3, 1), NEARLY, grid(V, J, 0, true, true), 1, 2, -1) \
	_(indices, I32, D(2, 2, 3), 0, tsr_indices(c, D(2, 3)), 0, 0, 0, 1, 1, 1, 0, 1, 2, 0, 1, \
	  2) \
	_(unravel_index, I32, D(4), 0, unravelled(PLACES, 0), 0, 1, 1, 1) \
	_(unravel_index_last, I32, D(4), 0, unravelled(PLACES, 1), 3, 3, 3, 3) \
	_(ravel_multi_index, I32, D(3), 0, ravelled(J, TSR_CLIP), 5, 0, 7) \
	_(ravel_multi_index_wrap, I32, D(3), 0, ravelled(J, TSR_WRAP), 5, 0, 5) \
	_(tril_grad, F64, D(3, 3), NEARLY, tsr_call(tsr_grad(c, weighed), SQ), 2, 3, 0, 8, 10, \
	  3, 14, 16, 18)

COMPARED(CASES)

static void mistakes(void **state)
{
	tsr_ctx *c = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(c, D(2, 3)), *line = tsr_ones(c, D(3)), *out[4];
	tsr *i = tsr_arange(c, 4);
	const refusal made[] = {
		{tsr_is_poison(tsr_moveaxis(x, D(0, 1), D(0))), "2 dims cannot go to 1"},
		{tsr_is_poison(tsr_moveaxis(x, D(0, -2), D(0, 1))), "named twice"},
		{tsr_is_poison(tsr_swapaxes(x, 0, 2)), "out of range"},
		{tsr_is_poison(tsr_rot90(x, 1, 1, -1)), "both dim 1"},
		{tsr_is_poison(tsr_tile(x, D(-1))), "too few"},
		{tsr_is_poison(tsr_repeat(x, -1, 0)), "too few"},
		{tsr_is_poison(tsr_repeat_each(x, line, 3, 0)), "times that are floats"},
		{tsr_is_poison(tsr_repeat_each(x, tsr_ones(c, D(3), .dtype = TSR_I32), 3, 0)),
	         "3 for a dim of 2"},
		{tsr_is_poison(tsr_repeat_each(x, tsr_scalar(c, 1), -1, 0)), "a size below 0"},
		{tsr_is_poison(tsr_repeat_each(tsr_zeros(c, D(0)), tsr_scalar(c, 1), 2, 0)),
	         "copies of nothing"},
		{tsr_is_poison(tsr_dynamic_roll(x, line, 0)), "three shifts"},
		{tsr_is_poison(tsr_dynamic_roll(x, 1.5, 0)), "a shift that is no integer"},
		{tsr_is_poison(tsr_view_as_real(x)), "parts of real numbers"},
		{tsr_is_poison(tsr_view_as_complex(x)), "triples"},
		{tsr_is_poison(tsr_diagonal(line)), "two dims at least"},
		{tsr_is_poison(tsr_trace(x, .dims = D(1, 1))), "named twice"},
		{tsr_is_poison(tsr_diag(tsr_ones(c, D(1, 1, 1)), 0)), "one or two dims"},
		{tsr_is_poison(tsr_tril(line, 0)), "two dims at least"},
		{tsr_is_poison(tsr_fill_diagonal(line, 1)), "two dims"},
		{tsr_is_poison(tsr_vander(x, 2, false)), "one dim"},
		{!tsr_unstack(x, 0, out, 3), "room for 3"},
		{!tsr_meshgrid(((tsr *[]){x, x}), out, 2), "arrays of one dim"},
		{!tsr_unravel_index(x, D(2, 4), out), "must be integers"},
		{!tsr_unravel_index(i, ((tsr_dims){.d = {60, 2}}), NULL), "no list of dims"},
		{!tsr_unravel_index(i, ((tsr_dims){.d = {-3}}), NULL), "no list of dims"},
		{tsr_is_poison(tsr_ravel_multi_index(&i, ((tsr_dims){.d = {60, 2}}), TSR_CLIP)),
		 "no list of dims"},
		{!tsr_broadcast_arrays(((tsr *[]){x, tsr_ones(c, D(4))}), out, 2), "broadcast"},
	};

	(void)state;
	all_refused(c, made, COUNT(made));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_jax_has_it),
	                                   cmocka_unit_test(mistakes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
