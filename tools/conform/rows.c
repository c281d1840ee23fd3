/* rows.c - every row of the table of primitives, in every dtype that it takes. A row that is added
 * needs a line here, or in control.c, exchanges.c or effects.c: without one no engine conforms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "conform.h"

#define BOOL "bool "
#define INTS "i8 i16 i32 i64 u8 u16 u32 u64 "
#define REALS "f16 bf16 f32 f64 "
#define COMPLEX "c64 c128 "
#define NUMBERS INTS REALS COMPLEX
#define ALL BOOL NUMBERS
#define LONG_FLOATS "f32 f64 c64 c128 "

/* A program of one equation: f(%0: in ...) -> out ... { ... = row operands }. T is each of the
 * dtypes in turn, also in `operands`, and R the same, or the real dtype of a complex one */
static const struct row_case {
	const char *row, *operands, *in, *out, *dtypes;
} cases[] = {
	{"neg", "%0", "T[3,5]", "T[3,5]", NUMBERS},
	{"sign", "%0", "T[3,5]", "T[3,5]", NUMBERS},
	{"abs", "%0", "T[3,5]", "R[3,5]", NUMBERS},
	{"floor", "%0", "T[3,5]", "T[3,5]", REALS},
	{"ceil", "%0", "T[3,5]", "T[3,5]", REALS},
	{"round", "%0", "T[3,5]", "T[3,5]", REALS COMPLEX},
	{"exp", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"exp2", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"expm1", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"log", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"log1p", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"logistic", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"tanh", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"sin", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"cos", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"tan", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"asin", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"acos", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"atan", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"sinh", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"cosh", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"asinh", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"acosh", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"atanh", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"cbrt", "%0", "T[3,70]", "T[3,70]", REALS},
	{"erf", "%0", "T[3,70]", "T[3,70]", REALS},
	{"erfc", "%0", "T[3,70]", "T[3,70]", REALS},
	{"erf_inv", "%0", "T[3,70]", "T[3,70]", REALS},
	{"gamma", "%0", "T[3,70]", "T[3,70]", REALS},
	{"lgamma", "%0", "T[3,70]", "T[3,70]", REALS},
	{"digamma", "%0", "T[3,70]", "T[3,70]", REALS},
	{"bessel_i0e", "%0", "T[3,70]", "T[3,70]", REALS},
	{"bessel_i1e", "%0", "T[3,70]", "T[3,70]", REALS},
	{"regularized_incomplete_beta", "%0 %1 %2", "T[3,7] T[3,7] T[3,7]", "T[3,7]", REALS},
	{"zeta", "%0 %1", "T[3,7] T[3,7]", "T[3,7]", REALS},
	{"igamma", "%0 %1", "T[3,7] T[3,7]", "T[3,7]", REALS},
	{"igammac", "%0 %1", "T[3,7] T[3,7]", "T[3,7]", REALS},
	{"igamma_grad_a", "%0 %1", "T[3,7] T[3,7]", "T[3,7]", REALS},
	{"random_gamma_grad", "%0 %1", "T[3,7] T[3,7]", "T[3,7]", REALS},
	{"polygamma", "%0 %1", "T[3,7] T[3,7]", "T[3,7]", REALS},
	{"sqrt", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"rsqrt", "%0", "T[3,70]", "T[3,70]", REALS COMPLEX},
	{"square", "%0", "T[3,5]", "T[3,5]", NUMBERS},
	{"integer_pow", "%0 y=5", "T[3,5]", "T[3,5]", NUMBERS},
	{"integer_pow", "%0 y=-3", "T[3,5]", "T[3,5]", REALS COMPLEX},
	{"is_finite", "%0", "T[3,5]", "bool[3,5]", REALS COMPLEX},
	{"not", "%0", "T[3,5]", "T[3,5]", BOOL INTS},
	{"population_count", "%0", "T[3,5]", "T[3,5]", INTS},
	{"clz", "%0", "T[3,5]", "T[3,5]", INTS},
	{"real", "%0", "T[3,5]", "R[3,5]", COMPLEX},
	{"imag", "%0", "T[3,5]", "R[3,5]", COMPLEX},
	{"conj", "%0", "T[3,5]", "T[3,5]", COMPLEX},
	{"complex", "%0 %1", "R[3,5] R[3,5]", "T[3,5]", COMPLEX},
	{"fma", "%0 %1 %2", "T[3,5] T[3,5] T[3,5]", "T[3,5]", REALS},
	{"nextafter", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", REALS},
	{"reduce_precision", "%0 exponent_bits=5 mantissa_bits=2", "T[3,5]", "T[3,5]", REALS},
	{"bitcast_convert_type", "%0 dtype=u32", "T[3,5]", "u32[3,5]", "i32 f32 "},
	{"bitcast_convert_type", "%0 dtype=f16", "T[3,5]", "f16[3,5,4]", "u64 f64 "},
	{"bitcast_convert_type", "%0 dtype=f64", "T[3,5,4]", "f64[3,5]", "i16 bf16 "},
	{"add", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", ALL},
	{"sub", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", NUMBERS},
	{"sub", "3:T %0", "T[3,5]", "T[3,5]", INTS REALS},
	{"mul", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", ALL},
	{"div", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", NUMBERS},
	{"rem", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", INTS REALS},
	{"max", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", ALL},
	{"min", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", ALL},
	{"pow", "%0 %1", "T[3,70] T[3,70]", "T[3,70]", REALS COMPLEX},
	{"pow", "%0 %1", "T[3,70] T[3,70]", "T[3,70]", INTS},
	{"pow", "%0 %1", "T[3,5] i32[3,5]", "T[3,5]", REALS COMPLEX},
	{"atan2", "%0 %1", "T[3,70] T[3,70]", "T[3,70]", REALS},
	{"and", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", BOOL INTS},
	{"or", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", BOOL INTS},
	{"xor", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", BOOL INTS},
	{"shift_left", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", INTS},
	{"shift_right_logical", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", INTS},
	{"shift_right_arithmetic", "%0 %1", "T[3,5] T[3,5]", "T[3,5]", INTS},
	{"eq", "%0 %1", "T[3,5] T[3,5]", "bool[3,5]", ALL},
	{"ne", "%0 %1", "T[3,5] T[3,5]", "bool[3,5]", ALL},
	{"lt", "%0 %1", "T[3,5] T[3,5]", "bool[3,5]", BOOL INTS REALS},
	{"le", "%0 %1", "T[3,5] T[3,5]", "bool[3,5]", BOOL INTS REALS},
	{"gt", "%0 %1", "T[3,5] T[3,5]", "bool[3,5]", BOOL INTS REALS},
	{"ge", "%0 %1", "T[3,5] T[3,5]", "bool[3,5]", BOOL INTS REALS},
	{"select_n", "%0 %1 %2", "bool[3,5] T[3,5] T[3,5]", "T[3,5]", ALL},
	{"clamp", "%0 %1 %2", "T[3,5] T[3,5] T[3,5]", "T[3,5]", INTS REALS},
	{"convert_element_type", "%0 dtype=f32", "T[3,5]", "f32[3,5]", BOOL INTS REALS},
	{"convert_element_type", "%0 dtype=i8", "T[3,5]", "i8[3,5]", BOOL INTS REALS},
	{"convert_element_type", "%0 dtype=u64", "T[3,5]", "u64[3,5]", BOOL INTS REALS},
	{"convert_element_type", "%0 dtype=bf16", "T[3,5]", "bf16[3,5]", BOOL INTS REALS},
	{"convert_element_type", "%0 dtype=c64", "T[3,5]", "c64[3,5]", ALL},
	{"copy", "%0", "T[3,5]", "T[3,5]", ALL},
	{"stop_gradient", "%0", "T[3,5]", "T[3,5]", ALL},
	{"name", "%0 name=\"q\"", "T[3,5]", "T[3,5]", ALL},
	{"optimization_barrier", "%0 %1", "T[3,5] i32[2]", "T[3,5] i32[2]", ALL},
	{"reshape", "%0 dims=[5,3]", "T[3,5]", "T[5,3]", ALL},
	{"transpose", "%0 perm=[2,0,1]", "T[3,5,4]", "T[4,3,5]", ALL},
	{"broadcast_in_dim", "%0 dims=[2,3,5] at=[1,2]", "T[3,1]", "T[2,3,5]", ALL},
	{"squeeze", "%0 dims=[0,2]", "T[1,3,1,5]", "T[3,5]", ALL},
	{"expand_dims", "%0 dims=[0,2]", "T[3,5]", "T[1,3,1,5]", ALL},
	{"rev", "%0 dims=[1]", "T[3,5]", "T[3,5]", ALL},
	{"concatenate", "%0 %1 %2 dim=1", "T[3,5] T[3,1] T[3,2]", "T[3,8]", ALL},
	{"pad", "%0 %1 low=[1,-1] high=[0,2] interior=[2,0]", "T[3,5] T[]", "T[8,6]", ALL},
	{"slice", "%0 start=[1,0] stop=[3,5] step=[1,2]", "T[3,5]", "T[2,3]", ALL},
	{"dynamic_slice", "%0 %1 %2 dims=[2,3]", "T[3,5] i32[] u8[]", "T[2,3]", ALL},
	{"dynamic_update_slice", "%0 %1 %2 %3", "T[3,5] T[2,3] i64[] i32[]", "T[3,5]", ALL},
	{"gather",
         "%0 %1 offset_dims=[1] collapsed_slice_dims=[0] start_index_map=[0] "
         "operand_batching_dims=[] start_indices_batching_dims=[] slice_sizes=[1,4] mode=fill",
         "T[5,4] i32[7,1]", "T[7,4]", ALL},
	{"gather",
         "%0 %1 offset_dims=[1] collapsed_slice_dims=[0] start_index_map=[0] "
         "operand_batching_dims=[] start_indices_batching_dims=[] slice_sizes=[1,3] mode=clip",
         "T[5,4] i32[7,1]", "T[7,3]", ALL},
	{"scatter",
         "%0 %1 %2 update_window_dims=[1] inserted_window_dims=[0] "
         "scatter_dims_to_operand_dims=[0] operand_batching_dims=[] "
         "scatter_indices_batching_dims=[] combine=add mode=drop",
         "T[5,4] i32[7,1] T[7,4]", "T[5,4]", NUMBERS},
	{"scatter",
         "%0 %1 %2 update_window_dims=[1] inserted_window_dims=[0] "
         "scatter_dims_to_operand_dims=[0] operand_batching_dims=[] "
         "scatter_indices_batching_dims=[] combine=set mode=clip",
         "T[5,4] i32[7,1] T[7,4]", "T[5,4]", ALL},
	{"iota", "dtype=T dims=[3,5] dim=1", "", "T[3,5]", NUMBERS},
	{"reduce_sum", "%0 dims=[0,2]", "T[7,5,70]", "T[5]", NUMBERS},
	{"reduce_sum", "%0 dims=[0]", "T[600]", "T[]", NUMBERS},
	{"reduce_prod", "%0 dims=[1]", "T[5,70]", "T[5]", NUMBERS},
	{"reduce_max", "%0 dims=[0]", "T[7,5]", "T[5]", ALL},
	{"reduce_min", "%0 dims=[1]", "T[7,5]", "T[7]", ALL},
	{"reduce_and", "%0 dims=[0]", "T[7,5]", "T[5]", BOOL INTS},
	{"reduce_or", "%0 dims=[1]", "T[7,5]", "T[7]", BOOL INTS},
	{"reduce_xor", "%0 dims=[0,1]", "T[7,5]", "T[]", BOOL INTS},
	{"argmax", "%0 dim=1 dtype=i32", "T[4,9]", "i32[4]", BOOL INTS REALS},
	{"argmin", "%0 dim=0 dtype=i64", "T[4,9]", "i64[9]", BOOL INTS REALS},
	{"dot_general", "%0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=T",
         "T[3,20] T[20,5]", "T[3,5]", NUMBERS},
	{"dot_general", "%0 %1 contract_a=[2] contract_b=[1] batch_a=[0] batch_b=[0] dtype=T",
         "T[2,3,4] T[2,4,5]", "T[2,3,5]", NUMBERS},
	{"sort", "%0 %1 dim=1 num_keys=1", "T[3,9] i32[3,9]", "T[3,9] i32[3,9]", ALL},
	{"sort", "%0 dim=0 num_keys=1", "T[150000]", "T[150000]", "f32 "},
	{"top_k", "%0 k=4 dim=1", "T[3,9]", "T[3,4] i32[3,4]", BOOL INTS REALS},
	{"cholesky", "%0", "T[3,1,1]", "T[3,1,1]", LONG_FLOATS},
	{"fft", "%0 type=fft dim=0 length=6", "T[6,3]", "T[6,3]", COMPLEX},
	{"fft", "%0 type=ifft dim=1 length=67", "T[2,67]", "T[2,67]", COMPLEX},
	{"fft", "%0 type=irfft dim=0 length=5", "T[3,2]", "R[5,2]", COMPLEX},
	{"fft", "%0 type=rfft dim=0 length=5", "f32[5,2]", "c64[3,2]", "f32 "},
	{"lu", "%0", "T[2,4,3]", "T[2,4,3] i32[2,3] i32[2,4]", LONG_FLOATS},
	{"qr", "%0 full_matrices=true", "T[2,4,3]", "T[2,4,4] T[2,4,3]", LONG_FLOATS},
	{"eigh", "%0 lower=true", "T[2,3,3]", "T[2,3,3] R[2,3]", LONG_FLOATS},
	{"svd", "%0 compute_uv=true", "T[2,4,3]", "R[2,3] T[2,4,3] T[2,3,3]", LONG_FLOATS},
	{"hessenberg", "%0", "T[2,4,4]", "T[2,4,4] T[2,3]", LONG_FLOATS},
	{"tridiagonal", "%0 lower=true", "T[2,4,4]", "T[2,4,4] R[2,4] R[2,3] T[2,3]", LONG_FLOATS},
	{"schur", "%0", "T[2,4,4]", "T[2,4,4] T[2,4,4]", LONG_FLOATS},
	{"eig", "%0 left=true right=true", "T[2,4,4]", "T[2,4] T[2,4,4] T[2,4,4]", COMPLEX},
	{"eig", "%0", "T[2,4,4]", "c64[2,4]", "f32 "},
	{"eig", "%0 right=true", "T[2,4,4]", "c128[2,4] c128[2,4,4]", "f64 "},
	{"triangular_solve", "%0 %1 left_side=true lower=true", "T[2,4,4] T[2,4,3]", "T[2,4,3]",
         LONG_FLOATS},
	{"patches", "%0 along=[0,1] sizes=[3,2] strides=[2,1] dilations=[1,3]", "T[8,6]",
         "T[3,3,3,2]", ALL},
	{"add_patches", "%0 along=[0,1] sizes=[3,2] strides=[2,1] dilations=[1,3] dims=[8,6]",
         "T[3,3,3,2]", "T[8,6]", NUMBERS},
	{"cumsum", "%0 dim=0", "T[300,2]", "T[300,2]", NUMBERS},
	{"cumsum", "%0 dim=1 reverse=true", "T[3,5]", "T[3,5]", NUMBERS},
	{"cumprod", "%0 dim=0", "T[300,2]", "T[300,2]", NUMBERS},
	{"cummax", "%0 dim=0 reverse=true", "T[300,2]", "T[300,2]", NUMBERS},
	{"cummin", "%0 dim=1", "T[3,5]", "T[3,5]", NUMBERS},
	{"cumlogsumexp", "%0 dim=0", "T[300,2]", "T[300,2]", REALS},
	{"threefry2x32", "%0 %1 %2 %3", "u32[6] u32[6] u32[6] u32[6]", "u32[6] u32[6]", "u32"},
	{"random_gamma", "%0 %1", "u64[3,7] T[3,7]", "T[3,7]", REALS},
	{"random_gamma", "%0 %1 log=true original=true", "u64[3,7] T[3,7]", "T[3,7]", REALS},
	{"random_bits", "%0 %1 dtype=T dims=[3,70] strides=[70,1]", "u32[2] u64[]", "T[3,70]",
         "u8 u16 u32 u64"},
};
enum { CASES = sizeof cases / sizeof *cases, LONGEST = 4096 };

/* ---- texts */

static const char *real_of(const char *dtype)
{
	return strcmp(dtype, "c64") == 0 ? "f32" : strcmp(dtype, "c128") == 0 ? "f64" : dtype;
}

/* appends, with T and R replaced where a type or a value begins */
static void put(char *text, const char *from, size_t length, const char *dtype)
{
	for (size_t i = 0; i < length; i++) {
		const char before = i ? from[i - 1] : ' ', c = from[i];
		const bool is_name = before == ' ' || before == '=' || before == ':';
		if (is_name && (c == 'T' || c == 'R'))
			strcat(text, c == 'T' ? dtype : real_of(dtype));
		else
			strncat(text, &c, 1);
	}
}

/* "T[3] i32[]" as "%2: f32[3], %3: i32[]", or as types alone if number is NULL */
static void put_types(char *text, const char *types, const char *dtype, int *number)
{
	const char *between = "";

	for (size_t n; *(types += strspn(types, " ")); types += n, between = ", ") {
		n = strcspn(types, " ");
		strcat(text, between);
		if (number) sprintf(text + strlen(text), "%%%d: ", (*number)++);
		put(text, types, n, dtype);
	}
}

static void make_text(char *text, const struct row_case *c, const char *dtype)
{
	int number = 0;

	strcpy(text, "f(");
	put_types(text, c->in, dtype, &number);
	const int first = number;
	strcat(text, ") -> ");
	put_types(text, c->out, dtype, NULL);
	strcat(text, " {\n  ");
	put_types(text, c->out, dtype, &number);
	sprintf(text + strlen(text), " = %s ", c->row);
	put(text, c->operands, strlen(c->operands), dtype);
	strcat(text, "\n  return");
	for (int i = first; i < number; i++) sprintf(text + strlen(text), " %%%d", i);
	strcat(text, "\n}\n");
}

static void check_case(trial *t, const struct row_case *c)
{
	char text[LONGEST], dtype[8], what[64];
	size_t n;

	for (const char *at = c->dtypes; *(at += strspn(at, " ")); at += n) {
		n = strcspn(at, " ");
		snprintf(dtype, sizeof dtype, "%.*s", (int)n, at);
		snprintf(what, sizeof what, "%s of %s", c->row, dtype);
		make_text(text, c, dtype);
		check_program(t, what, text, 1, 1, 3, 0);
	}
}

/* ---- is every row there? */

/* in the files of control flow, exchanges and effects */
static const char *const elsewhere[] = {
	"psum", "pmax", "pmin", "all_gather", "psum_scatter", "all_to_all", "ppermute",
	"pbroadcast", "ragged_all_to_all", "psort", "exchange", "axis_index", "pcast",
	"assume_equal",
	"cond", "while", "scan", "debug_print", "callback", "check_finite",
	/* no engine sees these: passes put what is in them in their place */
	"call", "remat", "custom_jvp", "custom_vjp", "custom_lin", "shard_map",
	"sharding_constraint", "placed_like", "shard_alike",
	"transfer_begin", "transfer_end", /* pass/replicate makes them, for an engine of its own */
};

static bool is_covered(const char *row)
{
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
		if (strcmp(elsewhere[i], row) == 0) return true;
	for (int i = 0; i < CASES; i++)
		if (strcmp(cases[i].row, row) == 0) return true;
	return false;
}

/* A product that is large enough for a library, which may add in any order: each result is a sum
 * of 256 products of numbers below 4, so it is off by at most 256 roundings of partial sums that
 * are at most 256 * 16 */
static void check_large_product(trial *t)
{
	check_program(t, "a large product",
	              "f(%0: f32[256,256], %1: f32[256,256]) -> f32[256,256] {\n"
	              "  %2: f32[256,256] = dot_general %0 %1 contract_a=[1] contract_b=[0] "
	              "batch_a=[] batch_b=[] dtype=f32\n  return %2\n}\n",
	              1, 1, 2, 256 * 0x1p-24 * 256 * 16);
}

void conform_rows(trial *t)
{
	for (int k = 0; tsr__row_name(k); k++)
		check(t, is_covered(tsr__row_name(k)), "no program checks the row %s",
		      tsr__row_name(k));
	for (int i = 0; i < CASES; i++) check_case(t, &cases[i]);
	check_large_product(t);
}
