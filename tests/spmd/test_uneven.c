/* test_uneven.c - every row, and gradients, on operands of sizes 0 to 9 that are spread over a mesh
 * without dividing, for the most part, against the same on one device, bit for bit.
 *
 * Padding holds garbage: each program puts NaN, infinities or extreme integers where there is 0,
 * which no operand holds, but padding does at first.
 *
 * In the table an upper-case letter is a size, but for T, a dtype: A to C are drawn from 0 to 9, D
 * to F from 1 to 9; P is A B, S is B + C, U is B + 3 and V is B + 1.
 *
 * TSR_EVERY=1 in the environment tries every placement of the operands instead, each of all sizes,
 * or of as many as make PLACEMENTS of them on a mesh. */
#include "spmd/every_placement.h"
#include "support/windows.h"

enum { DRAWS_A_CASE = 200, DRAWS_A_GRADIENT = 90, DRAWS_A_ROW = 40, PLACEMENTS = 1000 };

static const struct sized {
	one as;
	const char *dtypes; /* those that T is */
} cases[] = {
	{{"T[A,B]", "integer_pow %0 y=3", "T[A,B]"}, "f32 i32"},
	{{"T[A,B]", "reduce_precision %0 exponent_bits=5 mantissa_bits=2", "T[A,B]"}, "f32"},
	{{"T[A,B]", "bitcast_convert_type %0 dtype=i16", "i16[A,B,2]"}, "f32 i32"},
	{{"T[A,B,2]", "bitcast_convert_type %0 dtype=f64", "f64[A,B]"}, "f32 i32"},
	{{"T[A,B]", "name %0 name=\"q\"", "T[A,B]"}, "f32"},
	{{"T[A,B]; T[B]", "placed_like %0 %1", "T[A,B]"}, "f32 i32"},
	{{"T[A,B]; T[B]", "optimization_barrier %0 %1", "T[A,B]; T[B]"}, "f32 i32"},
	{{"T[A,B]; T[A,B]", "shard_alike %0 %1", "T[A,B]; T[A,B]"}, "f32 i32"},
	{{"T[A,U]", "patches %0 along=[1] sizes=[4] strides=[1] dilations=[1]", "T[A,B,4]"},
         "f32 i32"},
	{{"T[B,A]", "patches %0 along=[0] sizes=[1] strides=[1] dilations=[1]", "T[B,A,1]"}, "f32"},
	{{"T[A,B,4]",
          "add_patches %0 along=[1] sizes=[4] strides=[1] dilations=[1] dims=[A,U]", "T[A,U]"},
         "f32 i32"},
	{{"c64[A,B]", "real %0", "T[A,B]"}, "f32"},
	{{"c64[A,B]", "imag %0", "T[A,B]"}, "f32"},
	{{"T[A,B]", "conj %0", "T[A,B]"}, "c64"},
	{{"T[A,B]; T[A,B]", "complex %0 %1", "c64[A,B]"}, "f32"},
	{{"T[A,B]", "convert_element_type %0 dtype=i32", "i32[A,B]"}, "f32 u32"},
	{{"bool[]; T[A,B]; T[A,B]", "select_n %0 %1 %2", "T[A,B]"}, "f32"},
	{{"bool[A,B]; T[A,B]; T[A,B]", "select_n %0 %1 %2", "T[A,B]"}, "f32 i32"},
	{{"T[A,B,6]", "reshape %0 dims=[A,B,2,3]", "T[A,B,2,3]"}, "i32"},
	{{"T[A,B,C]", "reshape %0 dims=[P,C]", "T[P,C]"}, "i32"},
	{{"T[P,C]", "reshape %0 dims=[A,B,C]", "T[A,B,C]"}, "i32"},
	{{"T[A,B,C]", "transpose %0 perm=[2,0,1]", "T[C,A,B]"}, "f32"},
	{{"T[A,1]", "broadcast_in_dim %0 dims=[B,A,C] at=[1,2]", "T[B,A,C]"}, "f32"},
	{{"T[]", "broadcast_in_dim %0 dims=[A,B] at=[]", "T[A,B]"}, "i32"},
	{{"T[1,A,1]", "squeeze %0 dims=[0,2]", "T[A]"}, "i32"},
	{{"T[A,B]", "expand_dims %0 dims=[1]", "T[A,1,B]"}, "i32"},
	{{"T[A,B]", "rev %0 dims=[1]", "T[A,B]"}, "i32"},
	{{"T[A,B]; T[A,C]", "concatenate %0 %1 dim=1", "T[A,S]"}, "i32"},
	{{"T[A,B]; T[]", "pad %0 %1 low=[0,1] high=[0,2] interior=[0,0]", "T[A,U]"}, "f32"},
	{{"T[A,U]", "slice %0 start=[0,1] stop=[A,V] step=[1,1]", "T[A,B]"}, "f32"},
	{{"T[A,U]; i32[]; i32[]", "dynamic_slice %0 %1 %2 dims=[A,B]", "T[A,B]"}, "i32"},
	{{"T[A,U]; T[A,B]; i32[]; i32[]", "dynamic_update_slice %0 %1 %2 %3", "T[A,U]"}, "i32"},
	{{"T[A,B,C]", "reduce_sum %0 dims=[0,2]", "T[B]"}, "f32 i32 u32"},
	{{"T[A,B,C]", "reduce_prod %0 dims=[1]", "T[A,C]"}, "i32 u32"},
	{{"T[A,B,C]", "reduce_max %0 dims=[0,1]", "T[C]"}, "f32 i32 u32"},
	{{"T[A,B]", "reduce_max %0 dims=[0,1]", "T[]"}, "f32 i32"},
	{{"T[A,B,C]", "reduce_min %0 dims=[0,2]", "T[B]"}, "f32 i32 u32"},
	{{"T[A,B]", "reduce_and %0 dims=[1]", "T[A]"}, "i32 u32 bool"},
	{{"T[A,B]", "reduce_or %0 dims=[0]", "T[B]"}, "i32 bool"},
	{{"T[A,B]", "reduce_xor %0 dims=[0,1]", "T[]"}, "i32 u32"},
	{{"T[A,D,B]", "argmax %0 dim=1 dtype=i32", "i32[A,B]"}, "f32 i32"},
	{{"T[D,B]", "argmin %0 dim=0 dtype=i32", "i32[B]"}, "f32"},
	{{"T[A,B]; T[B,C]",
          "dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=T",
          "T[A,C]"},
         "f32 i32"},
	{{"T[A,B,C]; T[C,B,D]",
          "dot_general %0 %1 contract_a=[1] contract_b=[1] batch_a=[2] batch_b=[0] dtype=T",
          "T[C,A,D]"},
         "f32 i32"},
	{{"T[A,B]; T[B,A]",
          "dot_general %0 %1 contract_a=[0,1] contract_b=[1,0] batch_a=[] batch_b=[] dtype=T",
          "T[]"},
         "f32 u32"},
	{{"T[A,B]; i32[A,B]", "sort %0 %1 dim=1 num_keys=1 is_stable=true", "T[A,B]; i32[A,B]"},
         "f32"},
	{{"T[A,B]", "sort %0 dim=0 num_keys=1 is_stable=true", "T[A,B]"}, "f32 i32 u32 bool"},
	{{"i32[A,B]; T[A,B]; f32[A,B]", "sort %0 %1 %2 dim=0 num_keys=2 is_stable=true",
          "i32[A,B]; T[A,B]; f32[A,B]"},
         "f32"},
	{{"T[U,A]", "top_k %0 k=2 dim=0", "T[2,A]; i32[2,A]"}, "f32 i32 u32 bool"},
	{{"T[A,D]", "top_k %0 k=D dim=1", "T[A,D]; i32[A,D]"}, "f32"},
	{{"T[A,B]", "cumsum %0 dim=0 reverse=false", "T[A,B]"}, "f32 i32"},
	{{"T[A,B]", "cumsum %0 dim=1 reverse=true", "T[A,B]"}, "f32 i32"},
	{{"T[A,B]", "cumprod %0 dim=0 reverse=false", "T[A,B]"}, "i32 u32"},
	{{"T[A,B]", "cumprod %0 dim=1 reverse=true", "T[A,B]"}, "i32"},
	{{"T[A,B]", "cummax %0 dim=0 reverse=true", "T[A,B]"}, "f32 i32 u32"},
	{{"T[A,B]", "cummin %0 dim=1 reverse=true", "T[A,B]"}, "f32 i32 u32"},
	{{"T[A,B]", "cumlogsumexp %0 dim=0 reverse=true", "T[A,B]"}, "f32"},
	{{"T[A,B,1,1]", "cholesky %0", "T[A,B,1,1]"}, "f32"},
	{{"c64[3,A]", "fft %0 type=irfft dim=0 length=4", "T[4,A]"}, "f32"},
	{{"T[A,3,2]", "lu %0", "T[A,3,2]; i32[A,2]; i32[A,3]"}, "f32"},
	{{"T[A,3,2]", "qr %0", "T[A,3,2]; T[A,2,2]"}, "f32"},
	{{"T[A,3,3]", "eigh %0", "T[A,3,3]; T[A,3]"}, "f32"},
	{{"T[A,B,2,2]", "svd %0", "T[A,B,2]"}, "f32"},
	{{"T[A,3,3]", "hessenberg %0", "T[A,3,3]; T[A,2]"}, "f32"},
	{{"T[A,B,3,3]", "tridiagonal %0", "T[A,B,3,3]; T[A,B,3]; T[A,B,2]; T[A,B,2]"}, "f32"},
	{{"T[A,3,3]", "schur %0", "T[A,3,3]; T[A,3,3]"}, "f32"},
	{{"T[A,3,3]", "eig %0 right=true", "c64[A,3]; c64[A,3,3]"}, "f32"},
	{{"T[A,2,2]; T[A,2,B]", "triangular_solve %0 %1 left_side=true unit_diagonal=true",
          "T[A,2,B]"},
         "f32"},
	{{"u32[A,B]; u32[A,B]; u32[A,B]; u32[A,B]", "threefry2x32 %0 %1 %2 %3",
          "u32[A,B]; u32[A,B]"},
         "u32"},
	{{"u64[A,B]; T[A,B]", "random_gamma %0 %1", "T[A,B]"}, "f32 f64"},
	{{"u32[A,2]; u64[]", "random_bits %0 %1 dtype=T dims=[A,B,C] strides=[C,1]", "T[A,B,C]"},
         "u32 u64"},
	{{"T[D,B]; i32[A,1]",
          "gather %0 %1" GATHER_DIMS("1", "0", "0", "", "") " slice_sizes=[1,B] mode=clip",
          "T[A,B]"},
         "i32"},
	{{"T[A,D,B]; i32[A,C,1]",
          "gather %0 %1" GATHER_DIMS("2", "1", "1", "0", "0") " slice_sizes=[1,1,B] mode=fill",
          "T[A,C,B]"},
         "f32"},
	{{"T[D,B]; i32[C,1]",
          "gather %0 %1" GATHER_DIMS("1", "0", "0", "", "")
          " slice_sizes=[1,B] mode=promise_in_bounds",
          "T[C,B]"},
         "f32"},
	{{"T[D,B]; i32[C,1]; T[C,B]",
          "scatter %0 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=add mode=drop",
          "T[D,B]"},
         "i32"},
	{{"T[A,D,B]; i32[A,C,1]; T[A,C,B]",
          "scatter %0 %1 %2" SCATTER_DIMS("2", "1", "1", "0", "0") " combine=max mode=clip",
          "T[A,D,B]"},
         "i32"},
};

/* ---- sizes and dtypes in place of letters */

typedef struct letters {
	int64_t size[26];
	const char *dtype;
} letters;

static letters letters_of(const int digit[6], const char *dtype)
{
	letters l = {.dtype = dtype};
	int64_t *size = l.size - 'A';

	for (int c = 'A'; c <= 'C'; c++) size[c] = digit[c - 'A'];
	for (int c = 'D'; c <= 'F'; c++) size[c] = 1 + digit[c - 'A'];
	size['P'] = size['A'] * size['B'];
	size['S'] = size['B'] + size['C'];
	size['U'] = size['B'] + 3;
	size['V'] = size['B'] + 1;
	return l;
}

static letters draw_letters(uint64_t *dice, const char *dtype)
{
	int digit[6];

	for (int i = 0; i < 6; i++) digit[i] = dice_below(dice, i < 3 ? 10 : 9);
	return letters_of(digit, dtype);
}

/* an operand's number is replaced by that of its value with garbage behind it: value[k] */
static char *spelled(const char *from, const letters *l, const int *value, char to[512])
{
	char *at = to;

	for (; *from; from++)
		if (*from == 'T')
			at += sprintf(at, "%s", l->dtype);
		else if (*from >= 'A' && *from <= 'Z')
			at += sprintf(at, "%lld", (long long)l->size[*from - 'A']);
		else if (*from == '%' && value)
			at += sprintf(at, "%%%d", value[*++from - '0']);
		else
			*at++ = *from;
	*at = 0;
	return to;
}

/* ---- programs */

static const char *draw_garbage(uint64_t *dice, const char *dtype)
{
	static const char *const reals[] = {"nan", "inf", "-inf"};
	static const char *const integers[] = {"-2147483648", "2147483647", "-1"};

	return *dtype == 'f'   ? reals[dice_below(dice, 3)]
	       : *dtype == 'i' ? integers[dice_below(dice, 3)]
	       : *dtype == 'c' ? "(nan,-inf)"
	                       : "4294967295";
}

/* gives the number of a value that is operand i, with garbage where that is 0 */
static int put_garbage(written *w, int i, uint64_t *dice)
{
	const shape *s = &w->value[i];
	shape where = *s;

	if (*s->dtype == 'b' || s->ndim == 0) return i;
	where.dtype = "bool";
	put(w, "  %%%d: ", w->nvalues);
	put_type(w, &where);
	put(w, " = eq %%%d %s:%s\n  %%%d: ", i, *s->dtype == 'c' ? "(0,0)" : "0", s->dtype,
	    w->nvalues + 1);
	put_type(w, s);
	put(w, " = select_n %%%d %%%d %s:%s\n", w->nvalues, i, draw_garbage(dice, s->dtype),
	    s->dtype);
	w->nvalues += 2;
	return w->nvalues - 1;
}

/* gives the number of results */
static int write_uneven(written *w, const one *c, const letters *l, uint64_t *dice)
{
	shape out[4];
	int value[INPUTS];
	char text[512];
	const int nout = read_shapes(spelled(c->results, l, NULL, text), out);

	*w = (written){.more = dice_below(dice, 2) ? 2 : -9};
	w->ninputs = w->nvalues = read_shapes(spelled(c->operands, l, NULL, text), w->value);
	put_signature(w, out, nout);
	put(w, " {\n");
	for (int i = 0; i < w->ninputs; i++) value[i] = put_garbage(w, i, dice);
	for (int j = 0; j < nout; j++) {
		put(w, "%s%%%d: ", j ? ", " : "  ", w->nvalues + j);
		put_type(w, &out[j]);
	}
	put(w, " = %s\n  return", spelled(c->equation, l, value, text));
	for (int j = 0; j < nout; j++) put(w, " %%%d", w->nvalues + j);
	put(w, "\n}\n");
	return nout;
}

/* the letters of sizes that a case has, as a text; P, S, U and V come of A, B and C */
static void list_letters(const one *c, char to[8])
{
	static const char of[][4] = {"PAB", "SBC", "UB", "VB"};
	const char *const texts[] = {c->operands, c->equation, c->results};
	bool has[26] = {0};

	for (int k = 0; k < 3; k++)
		for (const char *at = texts[k]; *at; at++)
			if (*at >= 'A' && *at <= 'Z') has[*at - 'A'] = true;
	for (size_t k = 0; k < sizeof of / sizeof *of; k++)
		for (int i = 1; has[of[k][0] - 'A'] && of[k][i]; i++) has[of[k][i] - 'A'] = true;
	for (int i = 0; i < 6; i++)
		if (has[i]) *to++ = (char)('A' + i);
	*to = 0;
}

/* The sizes of turn k: all digits of it, in an order that jumps, so that some of them are like all.
 * false behind the last */
static bool sizes_of_turn(const char *names, long k, int digit[6])
{
	long all = 1;

	for (const char *at = names; *at; at++) all *= *at < 'D' ? 10 : 9;
	if (k >= all) return false;
	long rest = k * 7919 % all; /* no size divides 7919 */
	for (const char *at = names; *at; at++) {
		digit[*at - 'A'] = (int)(rest % (*at < 'D' ? 10 : 9));
		rest /= *at < 'D' ? 10 : 9;
	}
	return true;
}

/* writes a program of the case at some sizes; gives the number of its results */
typedef int writer(written *w, const one *c, const letters *l, uint64_t *dice);

static void try_every_uneven(const one *c, const char *dtype, writer *write)
{
	static written w;
	char names[8];
	long all = 0;

	list_letters(c, names);
	for (size_t m = 0; m < FEW_MESHES; m++) {
		int digit[6] = {0};
		long placements = 0;
		for (long k = 0; placements < PLACEMENTS && sizes_of_turn(names, k, digit); k++) {
			uint64_t dice = (uint64_t)k + 1;
			const letters l = letters_of(digit, dtype);
			const int nout = write(&w, c, &l, &dice);
			placements += try_every_placement(k < 1 ? NULL : "interp", &w, nout,
			                                  &meshes[m]);
		}
		all += placements;
	}
	print_message("%s, T is %s: %ld placements\n", c->equation, dtype, all);
}

static void try_uneven(const one *c, const char *dtype, int first, int draws)
{
	static written w;

	if (getenv("TSR_EVERY")) {
		try_every_uneven(c, dtype, write_uneven);
		return;
	}
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = silent, .reproducible = asked_for());
	for (int k = 0; k < draws; k++) {
		uint64_t dice = (uint64_t)(first + k) * 7919;
		const letters l = draw_letters(&dice, dtype);
		const int nout = write_uneven(&w, c, &l, &dice);
		try_program(ctx, &w, nout, first + k);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

static void each_case(void **state)
{
	char dtype[8];
	int seed = 100000, size;

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		for (const char *at = cases[k].dtypes; sscanf(at, "%7s%n", dtype, &size) == 1;
		     at += size, seed += DRAWS_A_CASE)
			try_uneven(&cases[k].as, dtype, seed, DRAWS_A_CASE);
	}
}

/* ---- gradients */

static const one slopes[] = {
	{"f32[A,B]; f32[A,B]", "mul %0 %1", "f32[A,B]"},
	{"f32[A,B]; f32[A,B]", "max %0 %1", "f32[A,B]"},
	{"f32[A,B,C]", "transpose %0 perm=[2,0,1]", "f32[C,A,B]"},
	{"f32[P,C]", "reshape %0 dims=[A,B,C]", "f32[A,B,C]"},
	{"f32[A,1]", "broadcast_in_dim %0 dims=[B,A,C] at=[1,2]", "f32[B,A,C]"},
	{"f32[A,B]; f32[A,C]", "concatenate %0 %1 dim=1", "f32[A,S]"},
	{"f32[A,B]; f32[]", "pad %0 %1 low=[0,1] high=[0,2] interior=[0,0]", "f32[A,U]"},
	{"f32[A,U]", "slice %0 start=[0,1] stop=[A,V] step=[1,1]", "f32[A,B]"},
	{"f32[A,U]; i32[]; i32[]", "dynamic_slice %0 %1 %2 dims=[A,B]", "f32[A,B]"},
	{"f32[A,B,C]", "reduce_sum %0 dims=[0,2]", "f32[B]"},
	{"f32[A,D,C]", "reduce_max %0 dims=[1]", "f32[A,C]"},
	{"f32[D,B]", "reduce_min %0 dims=[0]", "f32[B]"},
	{"f32[A,B,C]; f32[C,B,D]",
         "dot_general %0 %1 contract_a=[1] contract_b=[1] batch_a=[2] batch_b=[0] dtype=f32",
         "f32[C,A,D]"},
	{"f32[A,B]", "sort %0 dim=0 num_keys=1 is_stable=true", "f32[A,B]"},
	{"f32[A,B]", "cumsum %0 dim=0 reverse=false", "f32[A,B]"},
	{"f32[A,B]", "cumprod %0 dim=0 reverse=true", "f32[A,B]"},
	{"f32[A,B]", "cummax %0 dim=1 reverse=false", "f32[A,B]"},
	{"f32[A,B]", "cumlogsumexp %0 dim=0 reverse=false", "f32[A,B]"},
	{"f32[D,B]; i32[C,1]",
         "gather %0 %1" GATHER_DIMS("1", "0", "0", "", "") " slice_sizes=[1,B] mode=clip",
         "f32[C,B]"},
	{"f32[D,B]; i32[C,1]; f32[C,B]",
         "scatter %0 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=add mode=drop",
         "f32[D,B]"},
	{"f32[A,1,B]", "squeeze %0 dims=[1]", "f32[A,B]"},
	{"f32[A,B]", "expand_dims %0 dims=[1]", "f32[A,1,B]"},
	{"f32[A,B]", "rev %0 dims=[0]", "f32[A,B]"},
	{"f32[U,A]; f32[B,A]; i32[]; i32[]", "dynamic_update_slice %0 %1 %2 %3", "f32[U,A]"},
	{"f32[U,A]", "patches %0 along=[0] sizes=[3] strides=[1] dilations=[1]", "f32[V,A,3]"},
	{"f32[V,A,3]", "add_patches %0 along=[0] sizes=[3] strides=[1] dilations=[1] dims=[U,A]",
         "f32[U,A]"},
	{"f32[A,B]", "reduce_prod %0 dims=[1]", "f32[A]"},
	{"f32[A,B]", "cummin %0 dim=0 reverse=true", "f32[A,B]"},
	{"f32[U,A]", "top_k %0 k=2 dim=0", "f32[2,A]; i32[2,A]"},
	{"f32[A,B]", "integer_pow %0 y=3", "f32[A,B]"},
	{"f32[A,B]", "reduce_precision %0 exponent_bits=5 mantissa_bits=2", "f32[A,B]"},
	{"f32[A,B]", "convert_element_type %0 dtype=f32", "f32[A,B]"},
	{"f32[A,B]", "name %0 name=\"q\"", "f32[A,B]"},
	{"f32[A,B]; f32[B]", "placed_like %0 %1", "f32[A,B]"},
	{"f32[A,B]", "optimization_barrier %0", "f32[A,B]"},
	{"f32[A,B]; f32[A,B]", "shard_alike %0 %1", "f32[A,B]; f32[A,B]"},
	{"f32[A,B,1,1]", "cholesky %0", "f32[A,B,1,1]"},
	{"f32[A,3,2]", "lu %0", "f32[A,3,2]; i32[A,2]; i32[A,3]"},
	{"f32[A,3,1]", "qr %0", "f32[A,3,1]; f32[A,1,1]"},
	{"f32[A,1,1]", "eigh %0", "f32[A,1,1]; f32[A,1]"},
	{"f32[A,3,1]", "svd %0", "f32[A,1]"},
	{"f32[A,1,1]", "eig %0", "c64[A,1]"},
	{"f32[A,2,2]; f32[A,2,B]", "triangular_solve %0 %1 left_side=true unit_diagonal=true",
         "f32[A,2,B]"},
	{"u64[A,B]; f32[A,B]", "random_gamma %0 %1", "f32[A,B]"},
	{"f32[A,4]", "fft %0 type=rfft dim=1 length=4", "c64[A,3]"},
};

static int write_uneven_loss(written *w, const one *c, const letters *l, uint64_t *dice)
{
	char operands[512], equation[512], results[512];
	const one sized = {spelled(c->operands, l, NULL, operands),
	                   spelled(c->equation, l, NULL, equation),
	                   spelled(c->results, l, NULL, results)};

	(void)dice;
	write_loss(w, &sized);
	w->rounds = strncmp(c->equation, "random_gamma ", 13) == 0; /* its numbers' sum */
	return 1;
}

static void try_gradient(const one *c, int seed)
{
	static written w;
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = silent, .reproducible = asked_for());

	for (int d = 0; d < DRAWS_A_GRADIENT; d++) {
		uint64_t dice = (uint64_t)(seed + d) * 7919;
		const letters l = draw_letters(&dice, "f32");
		try_program(ctx, &w, write_uneven_loss(&w, c, &l, &dice), seed + d);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* elementwise rows without parameters, which partition does not tell apart, are in no case but mul
 * and max */
static bool has_gradient_case(const tsr_prim *p)
{
	for (size_t k = 0; k < sizeof slopes / sizeof *slopes; k++)
		if (is_case_of(&slopes[k], p)) return true;
	return is_elementwise(p) || !needs_gradient(p);
}

static void each_gradient(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof slopes / sizeof *slopes; k++)
		if (getenv("TSR_EVERY"))
			try_every_uneven(&slopes[k], "f32", write_uneven_loss);
		else
			try_gradient(&slopes[k], 300000 + (int)k * DRAWS_A_GRADIENT);
	for (int k = 0; k < all_prims_count; k++)
		if (!has_gradient_case(all_prims[k]))
			fail_msg("the gradient of %s is in no case", all_prims[k]->name);
}

/* ---- elementwise rows, on the dtypes that they take */

static bool is_legal(const one *c, const char *dtype)
{
	tsr_ctx *ctx = tsr_open(.devices = 1, .log = silent);
	uint64_t dice = 1;
	const letters l = draw_letters(&dice, dtype);
	static written w;

	write_uneven(&w, c, &l, &dice);
	TSR_SCOPE(ctx);
	const bool legal = tsr_parse(ctx, w.text) && !tsr_status(ctx);
	tsr_close(ctx);
	return legal;
}

/* "T[A,B]; T[A,B]". Under all placements, of which there are as many as those of each operand
 * multiplied, operands have fewer dims the more there are */
static void write_operands(int n, char to[64], char result[2][32])
{
	static const char *const dims[] = {"", "[A,B,C]", "[A,B]", "[A]"};
	const char *const of_each = dims[getenv("TSR_EVERY") ? n : 1];

	for (int i = 0; i < n; i++) to += sprintf(to, "%sT%s", i ? "; " : "", of_each);
	sprintf(result[0], "T%s", of_each);
	sprintf(result[1], "bool%s", of_each);
}

static int try_row(const tsr_prim *p, int seed)
{
	static const char *const dtypes[] = {"f32", "i32", "u32", "bool"};
	char equation[64], operands[64] = "", result[2][32];
	int n = snprintf(equation, sizeof equation, "%s", p->name);

	for (int i = 0; i < p->nin; i++)
		n += snprintf(equation + n, sizeof equation - (size_t)n, " %%%d", i);
	write_operands(p->nin, operands, result);
	for (size_t k = 0; k < 4; k++)
		for (size_t r = 0; r < (k == 3 ? 1 : 2); r++) { /* T is bool */
			const one c = {operands, equation, result[r]};
			if (!is_legal(&c, dtypes[k])) continue;
			try_uneven(&c, dtypes[k], seed, DRAWS_A_ROW);
			seed += DRAWS_A_ROW;
		}
	return seed;
}

/* A row has a case above, or is elementwise without parameters. Those that call the user have no
 * eval, nor have those that hold programs: test_automatic_loops.c and test_automatic_programs.c */
static void each_row(void **state)
{
	int seed = 200000;

	(void)state;
	for (int k = 0; k < all_prims_count; k++) {
		const tsr_prim *p = all_prims[k];
		const int first = seed;
		if (is_elementwise(p)) seed = try_row(p, seed);
		bool found = seed > first || !p->eval || !p->nin || names_axes(p);
		for (size_t i = 0; !found && i < sizeof cases / sizeof *cases; i++)
			found = is_case_of(&cases[i].as, p);
		if (!found) fail_msg("%s is in no case", p->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_case),
		cmocka_unit_test(each_gradient),
		cmocka_unit_test(each_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
