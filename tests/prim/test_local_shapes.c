/* test_local_shapes.c - rows that move elements, small reductions and products; factor rules;
 * errors of type rules.
 *
 * Operand k holds 100 k, 100 k + 1, ... in every dtype that the row accepts; a table says what
 * comes out. */
#include "prim/local_rig.h"
#include "support/windows.h"

enum { MOVES = 0, NUMBERS = 1, ORDERED = 2, BITS = 3 };
#define MIXED " whole (the reshape mixes its elements)"
#define NONE " whole (there are no elements)"
#define ANY_PART " whole (any block may need any part of it)"
#define VECTORS " whole (it holds index vectors)"

static const struct row_case {
	const char *operands, *equation, *result, *numbers, *factors;
	int accepts;
} cases[] = {
	/* layout */
	{"T[2,3]", "reshape %0 dims=[3,2]", "T[3,2]", "0 1 2 3 4 5",
         "ab->cd | a" MIXED ", b" MIXED ", c" MIXED ", d" MIXED, MOVES},
	{"T[2,3]", "reshape %0 dims=[6]", "T[6]", "0 1 2 3 4 5", "ab->(ab)", MOVES},
	{"T[6]", "reshape %0 dims=[2,1,3]", "T[2,1,3]", "0 1 2 3 4 5", "(ab)->a1b", MOVES},
	{"T[4,3]", "reshape %0 dims=[2,6]", "T[2,6]", "0 1 2 3 4 5 6 7 8 9 10 11", "(ab)c->a(bc)",
         MOVES},
	{"T[4,3]", "reshape %0 dims=[6,2]", "T[6,2]", "0 1 2 3 4 5 6 7 8 9 10 11",
         "(ab)c->(ad)e | b" MIXED ", c" MIXED ", d" MIXED ", e" MIXED, MOVES},
	{"T[2,3,2]", "reshape %0 dims=[3,2,2]", "T[3,2,2]", "0 1 2 3 4 5 6 7 8 9 10 11",
         "abc->dec | a" MIXED ", b" MIXED ", d" MIXED ", e" MIXED, MOVES},
	{"T[6,4]", "reshape %0 dims=[4,6]", "T[4,6]", NULL,
         "(ab)(cd)->(ae)(fd) | b" MIXED ", c" MIXED ", e" MIXED ", f" MIXED, MOVES},
	{"T[1]", "reshape %0 dims=[]", "T[]", "0", "1->", MOVES},
	{"T[]", "reshape %0 dims=[1,1]", "T[1,1]", "0", "->11", MOVES},
	{"T[0,3]", "reshape %0 dims=[5,0]", "T[5,0]", "",
         "ab->cd | a" NONE ", b" NONE ", c" NONE ", d" NONE, MOVES},
	{"T[2,3]", "transpose %0 perm=[1,0]", "T[3,2]", "0 3 1 4 2 5", "ab->ba", MOVES},
	{"T[2,1,3]", "transpose %0 perm=[2,0,1]", "T[3,2,1]", "0 3 1 4 2 5", "abc->cab", MOVES},
	{"T[]", "transpose %0 perm=[]", "T[]", "0", "->", MOVES},
	{"T[0,2]", "transpose %0 perm=[1,0]", "T[2,0]", "", "ab->ba", MOVES},
	{"T[]", "broadcast_in_dim %0 dims=[2,2] at=[]", "T[2,2]", "0 0 0 0",
         "->ab | a free, b free", MOVES},
	{"T[2]", "broadcast_in_dim %0 dims=[2,3] at=[0]", "T[2,3]", "0 0 0 1 1 1", "a->ab | b free",
         MOVES},
	{"T[2]", "broadcast_in_dim %0 dims=[3,2] at=[1]", "T[3,2]", "0 1 0 1 0 1", "a->ba | b free",
         MOVES},
	{"T[1,2]", "broadcast_in_dim %0 dims=[2,2] at=[0,1]", "T[2,2]", "0 1 0 1",
         "1a->ba | b free", MOVES},
	{"T[2]", "broadcast_in_dim %0 dims=[2,0] at=[0]", "T[2,0]", "", "a->ab | b free", MOVES},
	{"T[1,2,1]", "squeeze %0 dims=[0,2]", "T[2]", "0 1", "1a1->a", MOVES},
	{"T[1]", "squeeze %0 dims=[0]", "T[]", "0", "1->", MOVES},
	{"T[2]", "expand_dims %0 dims=[0,2]", "T[1,2,1]", "0 1", "a->1a1", MOVES},
	{"T[2,3]", "rev %0 dims=[1]", "T[2,3]", "2 1 0 5 4 3", "ab[-i+2]->ab | b move", MOVES},
	{"T[2,3]", "rev %0 dims=[0,1]", "T[2,3]", "5 4 3 2 1 0",
         "a[-i+1]b[-i+2]->ab | a move, b move", MOVES},
	{"T[0,3]", "rev %0 dims=[0]", "T[0,3]", "", "ab->ab", MOVES},
	{"", "iota dtype=T dims=[2,3] dim=1", "T[2,3]", "0 1 2 0 1 2",
         "->ab | a free, b free own", NUMBERS},
	{"", "iota dtype=T dims=[2,2,2] dim=0", "T[2,2,2]", "0 0 0 0 1 1 1 1",
         "->abc | a free own, b free, c free", NUMBERS},
	{"", "iota dtype=T dims=[0] dim=0", "T[0]", "", "->a | a free own", NUMBERS},
	/* parts */
	{"T[2]; T[1]; T[3]", "concatenate %0 %1 %2 dim=0", "T[6]", "0 1 100 200 201 202",
         "a[i],a[i-2],a[i-3]->a | a move", MOVES},
	{"T[2,1]; T[2,2]", "concatenate %0 %1 dim=1", "T[2,3]", "0 100 101 1 102 103",
         "ab[i],ab[i-1]->ab | b move", MOVES},
	{"T[0]; T[2]", "concatenate %0 %1 dim=0", "T[2]", "100 101",
         "a[i],a->a | a move", MOVES},
	{"T[2]; T[]", "pad %0 %1 low=[1] high=[2] interior=[1]", "T[6]", "100 0 100 1 100 100",
         "a[(i-1)/2],->a | a move", MOVES},
	{"T[4]; T[]", "pad %0 %1 low=[-1] high=[-1] interior=[0]", "T[2]", "1 2",
         "a[i+1],->a | a move", MOVES},
	{"T[3]; T[]", "pad %0 %1 low=[-1] high=[0] interior=[1]", "T[4]", "100 1 100 2",
         "a[(i+1)/2],->a | a move", MOVES},
	{"T[3]; T[]", "pad %0 %1 low=[-9] high=[9] interior=[0]", "T[3]", "100 100 100",
         "a[i+9],->a | a move", MOVES},
	{"T[2,2]; T[]", "pad %0 %1 low=[0,1] high=[0,0] interior=[0,0]", "T[2,3]",
         "100 0 1 100 2 3", "ab[i-1],->ab | b move", MOVES},
	{"T[0]; T[]", "pad %0 %1 low=[1] high=[1] interior=[5]", "T[2]", "100 100",
         "a[i-1],->a | a move", MOVES},
	{"T[]; T[]", "pad %0 %1 low=[] high=[] interior=[]", "T[]", "0", ",->", MOVES},
	{"T[6]", "slice %0 start=[1] stop=[6] step=[2]", "T[3]", "1 3 5", "a[2i+1]->a | a move",
         MOVES},
	{"T[2,3]", "slice %0 start=[0,1] stop=[2,2] step=[1,9]", "T[2,1]", "1 4",
         "ab[i+1]->ab | b move", MOVES},
	{"T[3]", "slice %0 start=[3] stop=[3] step=[1]", "T[0]", "", "a[i+3]->a | a move",
         MOVES},
	{"T[]", "slice %0 start=[] stop=[] step=[]", "T[]", "0", "->", MOVES},
	{"T[3,4]", "dynamic_slice %0 1:i32 2:i32 dims=[2,2]", "T[2,2]", "6 7 10 11",
         "ab,,->cd | a sum own, b sum own, c free own, d free own", NUMBERS},
	{"T[3,4]", "dynamic_slice %0 9:i64 -5:i64 dims=[2,4]", "T[2,4]", "4 5 6 7 8 9 10 11",
         "ab,,->cb | a sum own, c free own", NUMBERS},
	{"T[3]", "dynamic_slice %0 18446744073709551615:u64 dims=[1]", "T[1]", "2",
         "a,->1 | a sum own", NUMBERS},
	{"bool[3]", "dynamic_slice %0 1:i32 dims=[2]", "bool[2]", NULL,
         "a,->b | a or own, b free own", -1},
	{"T[]", "dynamic_slice %0 dims=[]", "T[]", "0", "->", MOVES},
	{"T[4]; T[2]", "dynamic_update_slice %0 %1 1:i32", "T[4]", "0 100 101 3",
         "a,b,->a | a own, b" ANY_PART, MOVES},
	{"T[2,2]; T[1,2]", "dynamic_update_slice %0 %1 7:i32 7:i32", "T[2,2]", "0 1 100 101",
         "ab,1b,,->ab | a own", MOVES},
	{"T[2]; T[0]", "dynamic_update_slice %0 %1 0:i32", "T[2]", "0 1",
         "a,b,->a | a own, b" ANY_PART, MOVES},
	/* windows; test_windows.c has their numbers */
	{"T[5,2]; i32[3,1]",
         "gather %0 %1" GATHER_DIMS("1", "0", "0", "", "") " slice_sizes=[1,2] mode=clip", "T[3,2]",
         NULL, "ab,c1->cb | a sum own", NUMBERS},
	{"T[5,4]; i32[3,2]",
         "gather %0 %1" GATHER_DIMS("0,2", "", "0,1", "", "") " slice_sizes=[2,4] mode=fill",
         "T[2,3,4]", NULL, "ab,cd->ecb | a sum own, d" VECTORS ", e free own", NUMBERS},
	{"T[3,6,4]; i64[7,3,1]",
         "gather %0 %1" GATHER_DIMS("2", "1", "1", "0", "1") " slice_sizes=[1,1,4] mode=zero",
         "T[7,3,4]", NULL, "abc,da1->dac | b sum own", NUMBERS},
	{"bool[5]; i32[3,1]",
         "gather %0 %1" GATHER_DIMS("", "0", "0", "", "") " slice_sizes=[1] mode=fill", "bool[3]",
         NULL, "a,b1->b | a or own", -1},
	{"T[5,2]; i32[3,1]; T[3,2]",
         "scatter %0 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=set mode=clip", "T[5,2]",
         NULL, "ab,c1,cb->ab | a own, c whole (a later window replaces an earlier one)", MOVES},
	{"T[5,4]; i32[3,2]; T[2,3,4]",
         "scatter %0 %1 %2" SCATTER_DIMS("0,2", "", "0,1", "", "") " combine=add mode=drop",
         "T[5,4]", NULL, "ab,cd,ecb->ab | a own, c sum own, d" VECTORS ", e" ANY_PART, NUMBERS},
	{"T[3,6,4]; i64[7,3,1]; T[7,3,4]",
         "scatter %0 %1 %2" SCATTER_DIMS("2", "1", "1", "0", "1") " combine=max mode=drop",
         "T[3,6,4]", NULL, "abc,da1,dac->abc | b own, d max", MOVES},
	/* reductions */
	{"T[2,3]", "reduce_sum %0 dims=[1]", "T[2]", "3 12", "ab->a | b sum", NUMBERS},
	{"T[2,3]", "reduce_sum %0 dims=[0]", "T[3]", "3 5 7", "ab->b | a sum", NUMBERS},
	{"T[2,2,2]", "reduce_sum %0 dims=[0,2]", "T[2]", "10 18", "abc->b | a sum, c sum", NUMBERS},
	{"T[2,3]", "reduce_sum %0 dims=[0,1]", "T[]", "15", "ab-> | a sum, b sum", NUMBERS},
	{"T[2]", "reduce_sum %0 dims=[]", "T[2]", "0 1", "a->a", NUMBERS},
	{"T[]", "reduce_sum %0 dims=[]", "T[]", "0", "->", NUMBERS},
	{"T[0,2]", "reduce_sum %0 dims=[0]", "T[2]", "0 0", "ab->b | a sum", NUMBERS},
	{"T[2,0]", "reduce_sum %0 dims=[0]", "T[0]", "", "ab->b | a sum", NUMBERS},
	{"T[]; T[2]", "reduce_prod %1 dims=[0]", "T[]", NULL, "a-> | a prod", NUMBERS},
	{"T[2,2]", "reduce_prod %0 dims=[1]", "T[2]", "0 6", "ab->a | b prod", NUMBERS},
	{"T[0]", "reduce_prod %0 dims=[0]", "T[]", "1", "a-> | a prod", NUMBERS},
	{"T[2,3]", "reduce_max %0 dims=[1]", "T[2]", "2 5", "ab->a | b max", ORDERED},
	{"T[2,3]", "reduce_min %0 dims=[0]", "T[3]", "0 1 2", "ab->b | a min", ORDERED},
	{"T[7]", "reduce_and %0 dims=[0]", "T[]", "0", "a-> | a and", BITS},
	{"T[7]", "reduce_or %0 dims=[0]", "T[]", "7", "a-> | a or", BITS},
	{"T[0]", "reduce_or %0 dims=[0]", "T[]", "0", "a-> | a or", BITS},
	{"T[2,3]", "argmax %0 dim=1 dtype=T", "T[2]", "2 2", "ab->a | b min own", -1},
	{"T[2,3]", "argmin %0 dim=0 dtype=T", "T[3]", "0 0 0", "ab->b | a min own", -1},
	{"T[5]", "patches %0 along=[0] sizes=[3] strides=[2] dilations=[1]", "T[2,3]",
         "0 1 2 2 3 4", "a[2i..2i+2]->ab | a move, b whole (a window is whole)", MOVES},
	{"T[2,3]", "patches %0 along=[1] sizes=[2] strides=[1] dilations=[2]", "T[2,1,2]",
         "0 2 3 5", "ab[i..i+2]->abc | b move, c whole (a window is whole)", MOVES},
	{"T[2,3]", "add_patches %0 along=[0] sizes=[3] strides=[2] dilations=[1] dims=[5]", "T[5]",
         "0 1 5 4 5", "a[(i-2..i)/2]b->a | a move, b whole (a window is whole)", NUMBERS},
	/* along a dim */
	{"T[2,3]", "cumsum %0 dim=1", "T[2,3]", "0 1 3 3 7 12", "ab->ab | b own", NUMBERS},
	{"T[2,3]", "cumsum %0 dim=0 reverse=true", "T[2,3]", "3 5 7 3 4 5", "ab->ab | a own",
         NUMBERS},
	{"T[2,1]", "cumsum %0 dim=1", "T[2,1]", "0 1", "a1->a1", NUMBERS},
	{"T[2,3]", "cumprod %0 dim=1 reverse=true", "T[2,3]", "0 2 2 60 20 5", "ab->ab | b own",
         NUMBERS},
	{"T[2,3]", "cummax %0 dim=0 reverse=true", "T[2,3]", "3 4 5 3 4 5", "ab->ab | a own",
         NUMBERS},
	{"T[2,3]", "cummin %0 dim=1", "T[2,3]", "0 0 0 3 3 3", "ab->ab | b own", NUMBERS},
	{"f32[2,3]", "cumlogsumexp %0 dim=1", "f32[2,3]", NULL, "ab->ab | b own", -1},
	{"T[2,3]; f32[2,3]", "sort %0 %1 dim=1 num_keys=1", "T[2,3]; f32[2,3]", NULL,
         "ab,ab->ab,ab | b own", MOVES},
	{"T[2,3]", "top_k %0 k=2 dim=1", "T[2,2]; i32[2,2]", NULL,
         "ab->ac,ad | b the row own, c whole (picked), d whole (picked)", -1},
	{"T[2,3]", "top_k %0 k=1 dim=0", "T[1,3]; i32[1,3]", NULL, "ab->1b,1b | a the row own", -1},
	/* random numbers */
	{"u32[2,3]; u32[2,3]", "threefry2x32 0:u32 1:u32 %0 %1", "u32[2,3]; u32[2,3]", NULL,
         ",,ab,ab->ab,ab", -1},
	{"u64[2,3]", "random_gamma %0 2:f32 log=true", "f32[2,3]", NULL, "ab,->ab", -1},
	{"u32[2]; u64[]", "random_bits %0 %1 dtype=u32 dims=[5,1,6] strides=[6,6,1]", "u32[5,1,6]",
         NULL, "a,->b1c | a whole (the words of a key), b free own, c free own", -1},
	{"u32[3,2]; u64[3]", "random_bits %0 %1 dtype=u8 dims=[3,4] strides=[1]", "u8[3,4]", NULL,
         "ab,a->ac | b whole (the words of a key), c free own", -1},
	/* products */
	{"T[2,3]; T[3]",
         "dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=T", "T[2]",
         NULL, "ab,b->a | b sum", NUMBERS},
	{"T[2]; T[2]",
         "dot_general %0 %0 contract_a=[] contract_b=[] batch_a=[] batch_b=[] dtype=T", "T[2,2]",
         "0 0 0 1", "a,b->ab", NUMBERS},
	{"T[3]", "dot_general %0 %0 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=T",
         "T[]", "5", "a,a-> | a sum", NUMBERS},
	{"T[2,3]",
         "dot_general %0 %0 contract_a=[1] contract_b=[1] batch_a=[0] batch_b=[0] dtype=T", "T[2]",
         "5 50", "ab,ab->a | b sum", NUMBERS},
	{"T[2,2]", "dot_general %0 %0 contract_a=[0] contract_b=[1] batch_a=[] batch_b=[] dtype=T",
         "T[2,2]", "2 6 3 11", "ab,ca->bc | a sum", NUMBERS},
	{"T[2,2]",
         "dot_general %0 %0 contract_a=[0,1] contract_b=[1,0] batch_a=[] batch_b=[] dtype=T", "T[]",
         "13", "ab,ba-> | a sum, b sum", NUMBERS},
	{"T[2,0]", "dot_general %0 %0 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[] dtype=T",
         "T[2,2]", "0 0 0 0", "ab,cb->ac | b sum", NUMBERS},
	{"T[0,2]", "dot_general %0 %0 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[] dtype=T",
         "T[0,0]", "", "ab,cb->ac | b sum", NUMBERS},
	{"T[2,3]; T[2,3]",
         "dot_general %0 %1 contract_a=[] contract_b=[] batch_a=[0,1] batch_b=[0,1] dtype=T",
         "T[2,3]", NULL, "ab,ab->ab", NUMBERS},
	/* elementwise */
	{"T[2,3]; T[2,3]", "add %0 %1", "T[2,3]", NULL, "ab,ab->ab", NUMBERS},
	{"T[2]", "neg %0", "T[2]", NULL, "a->a", NUMBERS},
	{"bool[]; T[2]; T[2]", "select_n %0 %1 %2", "T[2]", NULL, ",a,a->a", NUMBERS},
	{"T[2]; T[2]; T[]", "clamp %0 %1 %2", "T[2]", NULL, "a,a,->a", ORDERED},
};

static bool accepted(const struct row_case *c, tsr_dtype dtype)
{
	const enum dtype_kind kind = dtype_kind(dtype);

	switch (c->accepts) {
	case MOVES: return true;
	case NUMBERS: return kind != KIND_BOOL;
	case ORDERED: return kind != KIND_COMPLEX;
	case BITS: return kind == KIND_INT || kind == KIND_UINT;
	default: return kind == KIND_INT || kind == KIND_UINT;
	}
}

static void check_factors(rig *r, const program *p, const char *want)
{
	const eqn *e = &p->eqns[0];
	const int n = e->nin + e->nout;
	const type *t[17];
	int ndims[17];
	factors *f = calloc(1, sizeof *f);
	str s = {.base = &r->base};

	assert_true(f && n <= 17);
	for (int i = 0; i < n; i++) t[i] = type_of(p, i < e->nin ? e->in[i] : e->out[i - e->nin]);
	for (int i = 0; i < n; i++) ndims[i] = t[i]->ndim;
	e->prim->factors(e, t, t + e->nin, f);
	assert_true(factors_agree(&r->base, e, t, t + e->nin, f));
	factors_text(&s, f, e->nin, ndims, n);
	assert_string_equal(s.s, want);
	str_free(&s);
	free(f);
}

static void check_numbers(const program *p, const char *numbers, tsr_dtype dtype)
{
	char x[3][512], want[16];
	const type *t = type_of(p, p->eqns[0].out[0]);
	const char *at = numbers;

	for (int64_t k = 0; k < 3; k++)
		for (int64_t i = 0; i < 32; i++) {
			const int64_t v = 100 * k + i;
			dtype_convert(dtype, x[k] + (size_t)i * tsr_dtype_size(dtype), TSR_I64, &v,
			              1);
		}
	char *y = rig_eval(p, (void *[]){x[0], x[1], x[2]});
	for (int64_t i = 0; i < t->size; i++) {
		char *next;
		const int64_t v = strtoll(at, &next, 10);
		assert_ptr_not_equal(next, at);
		at = next;
		dtype_convert(t->dtype, want, TSR_I64, &v, 1);
		assert_memory_equal(y + (size_t)i * tsr_dtype_size(t->dtype), want,
		                    tsr_dtype_size(t->dtype));
	}
	assert_int_equal(*at, 0);
	free(y);
}

static void every_case(void **state)
{
	for (size_t k = 0; k < ARRAY_LEN(cases); k++)
		for (int d = TSR_BOOL; d < TSR_DTYPE_COUNT_; d++) {
			const struct row_case *c = &cases[k];
			if (!accepted(c, (tsr_dtype)d)) continue;
			program *p = rig_program(*state, c->operands, c->equation, c->result,
			                         (tsr_dtype)d);
			check_factors(*state, p, c->factors);
			if (c->numbers) check_numbers(p, c->numbers, (tsr_dtype)d);
			program_release(p);
		}
}

/* ---- NaN, infinities, ends of the range */

static void first_of_equals(void **state)
{
	static const struct { const char *equation; float x[5]; int32_t want;
	} at[] = {
		{"argmax %0 dim=0 dtype=i32", {1, 3, 2, 3, 0}, 1},
		{"argmin %0 dim=0 dtype=i32", {1, 0, 2, 0, 0}, 1},
		{"argmax %0 dim=0 dtype=i32", {1, NAN, 9, NAN, 0}, 1},
		{"argmin %0 dim=0 dtype=i32", {NAN, -1, NAN, 0, 0}, 0},
		{"argmax %0 dim=0 dtype=i32",
	         {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY},
	         0},
		{"argmax %0 dim=0 dtype=i32", {-0.0f, 0.0f, -0.0f, 0.0f, -1}, 0},
	};

	for (size_t i = 0; i < ARRAY_LEN(at); i++) {
		float x[5];
		memcpy(x, at[i].x, sizeof x);
		program *p = rig_program(*state, "f32[5]", at[i].equation, "i32[]", TSR_F32);
		int32_t *y = rig_eval(p, (void *[]){x});
		assert_int_equal(*y, at[i].want);
		free(y);
		program_release(p);
	}
}

static void ends_of_the_range(void **state)
{
	static const struct { const char *equation, *low, *high; } rows[] = {
		{"reduce_max %0 dims=[0]", "-inf", NULL}, {"reduce_min %0 dims=[0]", NULL, "inf"},
	};
	static const struct { tsr_dtype dtype; double low, high;
	} ends[] = {
		{TSR_BOOL, 0, 1},
		{TSR_I8, -128, 127},
		{TSR_I16, -32768, 32767},
		{TSR_I32, INT32_MIN, INT32_MAX},
		{TSR_I64, -0x1p63, 0x1p63},
		{TSR_U8, 0, 255},
		{TSR_U16, 0, 65535},
		{TSR_U32, 0, UINT32_MAX},
		{TSR_U64, 0, 0x1p64},
		{TSR_F16, -INFINITY, INFINITY},
		{TSR_BF16, -INFINITY, INFINITY},
		{TSR_F32, -INFINITY, INFINITY},
		{TSR_F64, -INFINITY, INFINITY},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (size_t k = 0; k < ARRAY_LEN(ends); k++) {
			program *p =
				rig_program(*state, "T[0]", rows[i].equation, "T[]", ends[k].dtype);
			void *y = rig_eval(p, (void *[]){""});
			assert_true(dtype_get(ends[k].dtype, y, 0) ==
			            (rows[i].low ? ends[k].low : ends[k].high));
			free(y);
			program_release(p);
		}
	float x[] = {1, NAN, 3}, zeros[] = {-0.0f, 0.0f, -0.0f};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		program *p = rig_program(*state, "f32[3]", rows[i].equation, "f32[]", TSR_F32);
		float *y = rig_eval(p, (void *[]){x}), *z = rig_eval(p, (void *[]){zeros});
		assert_true(isnan(*y));
		assert_true(*z == 0 && !signbit(*z) == (i == 0));
		free(y);
		free(z);
		program_release(p);
	}
}

static void bits_of_bools(void **state)
{
	static const struct { const char *equation; uint8_t want[3];
	} rows[] = {
		{"reduce_and %0 dims=[1]", {0, 1, 0}}, {"reduce_or %0 dims=[1]", {1, 1, 0}},
		{"reduce_xor %0 dims=[1]", {1, 0, 0}}, {"reduce_max %0 dims=[1]", {1, 1, 0}},
		{"reduce_min %0 dims=[1]", {0, 1, 0}},
	};
	uint8_t x[] = {1, 0, 1, 1, 0, 0};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		program *p =
			rig_program(*state, "bool[3,2]", rows[i].equation, "bool[3]", TSR_BOOL);
		uint8_t *y = rig_eval(p, (void *[]){x});
		assert_memory_equal(y, rows[i].want, 3);
		free(y);
		program_release(p);
	}
}

/* ---- errors: the rule's words */

/* of an f32[4,3], with these indices; of rows of it, with these updates */
#define GATHERS(indices, through, dropped, starts, batch, index_batch, sizes, error) \
	{"f32[4,3]; " indices, \
	 "gather %0 %1" GATHER_DIMS(through, dropped, starts, batch, index_batch) \
	 " slice_sizes=[" sizes "] mode=clip", "f32[2,3]", error}
#define SCATTERS(updates, through, dropped, starts, how, error) \
	{"f32[4,3]; i32[2,1]; " updates, \
	 "scatter %0 %1 %2" SCATTER_DIMS(through, dropped, starts, "", "") " combine=" how \
	 " mode=drop", "f32[4,3]", error}

static const struct { const char *operands, *equation, *result, *error;
} errors_of[] = {
	{"f32[2,3]; f32[4]", "add %0 %1", "f32[2,3]",
         "add requires operands of equal shapes, got f32[2,3] and f32[4]"},
	{"f32[2]; f32[]", "mul %0 %1", "f32[2]",
         "mul requires operands of equal shapes, got f32[2] and f32[]"},
	{"f32[2]; i32[2]", "add %0 %1", "f32[2]",
         "add requires operands of equal dtypes, got f32 and i32"},
	{"i32[2]", "exp %0", "i32[2]", "exp does not accept dtype i32"},
	{"bool[2]", "neg %0", "bool[2]", "neg does not accept dtype bool"},
	{"bool[2]; bool[2]", "sub %0 %1", "bool[2]", "sub does not accept dtype bool"},
	{"bool[2]", "sign %0", "bool[2]", "sign does not accept dtype bool"},
	{"c64[2]; c64[2]", "lt %0 %1", "bool[2]", "lt does not accept dtype c64"},
	{"c64[2]; c64[2]", "lt %0 %1", "bool[2]", "lt does not accept dtype c64"},
	{"c64[2]; c64[2]", "rem %0 %1", "c64[2]", "rem does not accept dtype c64"},
	{"f32[2]; f32[2]", "and %0 %1", "f32[2]", "and does not accept dtype f32"},
	{"f32[2]; f32[2]", "shift_left %0 %1", "f32[2]", "shift_left does not accept dtype f32"},
	{"bool[2]; bool[2]", "pow %0 %1", "bool[2]", "pow does not accept dtype bool"},
	{"i32[2]; f32[2]", "pow %0 %1", "f32[2]", "got i32 and f32"},
	{"f32[2]; bool[2]", "pow %0 %1", "f32[2]", "got f32 and bool"},
	{"i32[2]", "is_finite %0", "bool[2]", "is_finite does not accept dtype i32"},
	{"i32[2]", "integer_pow %0 y=-1", "i32[2]", "Integers cannot be raised to negative powers"},
	{"i32[2]; f32[2]; f32[2]", "select_n %0 %1 %2", "f32[2]",
         "select_n requires a predicate of dtype bool, got i32"},
	{"bool[2]; f32[2]; f32[3]", "select_n %0 %1 %2", "f32[2]",
         "got bool[2], f32[2] and f32[3]"},
	{"f32[2]; f32[3]; f32[3]", "clamp %0 %1 %2", "f32[3]",
         "clamp requires operands of equal shapes"},
	{"f32[2,3]", "reshape %0 dims=[4,2]", "f32[4,2]",
         "cannot reshape array of shape (2, 3) (size 6) into shape (4, 2) (size 8)"},
	{"f32[2,3]", "reshape %0 dims=[-1,2]", "f32[4,2]",
         "the new shape (-1, 2) has a negative dim"},
	{"f32[2,3]", "transpose %0 perm=[0,0]", "f32[2,2]",
         "isn't a permutation of operand dims, got permutation (0, 0)"},
	{"f32[2,3]", "transpose %0 perm=[0]", "f32[2]",
         "got permutation (0,) for operand shape (2, 3)"},
	{"f32[2]", "broadcast_in_dim %0 dims=[3] at=[0]", "f32[3]",
         "got operand of shape (2,), target shape (3,), at (0,)"},
	{"f32[2]", "broadcast_in_dim %0 dims=[2] at=[]", "f32[2]",
         "at must have one entry for each dim of the operand"},
	{"f32[2,2]", "broadcast_in_dim %0 dims=[2,2] at=[1,0]", "f32[2,2]",
         "at must increase without repeats, got (1, 0)"},
	{"f32[2]", "squeeze %0 dims=[0]", "f32[]", "got shape (2,) and dims (0,)"},
	{"f32[2]", "squeeze %0 dims=[1]", "f32[2]",
         "dims (1,) out of range for an array of 1 dims"},
	{"f32[2]", "expand_dims %0 dims=[2]", "f32[2,1]",
         "dims (2,) out of range for an array of 2 dims"},
	{"f32[2]", "rev %0 dims=[-1]", "f32[2]", "dims (-1,) out of range"},
	{"", "iota dtype=bool dims=[2] dim=0", "bool[2]", "iota does not accept dtype bool"},
	{"", "iota dtype=i32 dims=[2] dim=1", "i32[2]",
         "iota: dim 1 out of range for an array of 1 dims"},
	{"", "iota dtype=i32 dims=[] dim=0", "i32[]",
         "iota: dim 0 out of range for an array of 0 dims"},
	{"", "concatenate dim=0", "f32[]", "concatenate expects at least one operand"},
	{"f32[2]; f32[2]", "concatenate %0 %1 dim=1", "f32[4]",
         "concatenate dim out of bounds: dim 1 for shapes"},
	{"f32[2,2]; f32[3,3]", "concatenate %0 %1 dim=0", "f32[5,2]",
         "concatenating along dim 0 for shapes f32[2,2] and f32[3,3]"},
	{"f32[2]; i32[2]", "concatenate %0 %1 dim=0", "f32[4]",
         "concatenate requires operands of equal dtypes"},
	{"f32[2]; f32[1]", "pad %0 %1 low=[0] high=[0] interior=[0]", "f32[2]",
         "the value to pad with must be a scalar; got f32[1]"},
	{"f32[2]; f32[]", "pad %0 %1 low=[0] high=[0] interior=[-1]", "f32[2]",
         "must be nonnegative, got -1"},
	{"f32[2]; f32[]", "pad %0 %1 low=[-2] high=[-1] interior=[0]", "f32[2]",
         "with padding (-2, -1, 0)"},
	{"f32[2]; f32[]", "pad %0 %1 low=[9223372036854775807] high=[1] interior=[0]", "f32[2]",
         "too large"},
	{"f32[2]; f32[]", "pad %0 %1 low=[] high=[1] interior=[0]", "f32[2]",
         "low must have one entry for each dim"},
	{"f32[4]", "slice %0 start=[1] stop=[5] step=[1]", "f32[4]",
         "0 <= start <= stop <= 4 and step >= 1, got start 1, stop 5"},
	{"f32[4]", "slice %0 start=[3] stop=[2] step=[1]", "f32[4]", "got start 3, stop 2, step 1"},
	{"f32[4]", "slice %0 start=[0] stop=[2] step=[0]", "f32[4]", "got start 0, stop 2, step 0"},
	{"f32[4]", "slice %0 start=[0,0] stop=[2] step=[0]", "f32[4]",
         "start must have one entry for each dim"},
	{"f32[4]", "dynamic_slice %0 0:i32 dims=[5]", "f32[5]",
         "got sizes (5,) for operand shape (4,)"},
	{"f32[4]", "dynamic_slice %0 dims=[2]", "f32[2]",
         "dynamic_slice of f32[4] needs one start for each dim, got 0"},
	{"f32[4]", "dynamic_slice %0 0.0:f32 dims=[2]", "f32[2]",
         "index arguments to dynamic_slice must be integers, got f32"},
	{"f32[4]; i32[1]", "dynamic_slice %0 %1 dims=[2]", "f32[2]",
         "starts must be scalars, got i32[1]"},
	{"f32[4]; f32[5]", "dynamic_update_slice %0 %1 0:i32", "f32[4]",
         "got update shape (5,) for operand shape (4,)"},
	{"f32[4]; f32[1,1]", "dynamic_update_slice %0 %1 0:i32", "f32[4]",
         "got update shape (1, 1) for operand shape (4,)"},
	{"f32[4]", "dynamic_update_slice %0", "f32[4]", "needs an operand and an update"},
	GATHERS("i32[4,1]", "1", "", "1", "0", "", "1,3", "needs as many operand_batching_dims as"),
	GATHERS("i32[2,1]", "1,1", "0", "0", "", "", "1,3", "offset_dims must increase"),
	GATHERS("i32[2,1]", "2", "0", "0", "", "", "1,3", "offset_dims (2,) out of range"),
	GATHERS("i32[2,1]", "1", "2", "0", "", "", "1,3", "collapsed_slice_dims (2,) out of range"),
	GATHERS("i32[2,1]", "1", "0", "2", "", "", "1,3", "start_index_map (2,) out of range"),
	GATHERS("i32[2,2]", "1", "0", "0,0", "", "", "1,3", "start_index_map must not repeat"),
	GATHERS("i32[2,2]", "1", "0", "0", "", "", "1,3",
                "names 1 dims, but the index vectors, the last dim of i32[2,2], have 2"),
	GATHERS("i32[2,1]", "1", "0", "0", "0", "0", "1,3",
                "collapsed_slice_dims and operand_batching_dims must be disjoint"),
	GATHERS("i32[4,1]", "1", "", "0", "0", "0", "1,3",
                "start_index_map and operand_batching_dims must be disjoint"),
	GATHERS("i32[4,1]", "1", "", "1", "0", "1", "1,3",
                "start_indices_batching_dims (1,) out of range"),
	GATHERS("i32[2,1]", "1", "", "1", "0", "0", "1,3",
                "one size, but there are dim 0 of f32[4,3] and dim 0 of i32[2,1]"),
	GATHERS("i32[2,1]", "1", "", "0", "", "", "1,3", "0, 0 and 1 are not the 2 dims of"),
	GATHERS("f32[2,1]", "1", "0", "0", "", "", "1,3", "indices must have an integer type"),
	GATHERS("i32[]", "1", "0", "0", "", "", "1,3", "the last dim of the indices holds index"),
	GATHERS("i32[2,1]", "1", "0", "0", "", "", "1", "slice_sizes must have one entry"),
	GATHERS("i32[2,1]", "1", "0", "0", "", "", "1,4", "got (1, 4) for f32[4,3]"),
	GATHERS("i32[2,1]", "1", "0", "0", "", "", "2,3", "that of dim 0 is 2"),
	GATHERS("i32[4,1]", "1", "", "1", "0", "0", "2,3", "a batching dim has a slice size of 1"),
	SCATTERS("f32[2]", "1", "0", "0", "add", "updates must have 2 dims"),
	SCATTERS("f32[2,4]", "1", "0", "0", "add", "is larger than dim 1 of the operand f32[4,3]"),
	SCATTERS("f32[3,3]", "1", "0", "0", "add", "must have the size of dim 0 of the indices"),
	SCATTERS("i32[2,3]", "1", "0", "0", "add", "got f32[4,3] and i32[2,3]"),
	SCATTERS("f32[2,3]", "1", "0", "2", "add", "scatter_dims_to_operand_dims (2,) out of"),
	SCATTERS("f32[2,3]", "1", "1,0", "0", "add", "inserted_window_dims must increase"),
	SCATTERS("f32[2,3]", "0,1,2,3", "", "0", "add", "0, 0 and 4 are not the 2 dims"),
	{"bool[2]; i32[1]; bool[1]",
         "scatter %0 %1 %2" SCATTER_DIMS("0", "", "0", "", "") " combine=mul mode=drop", "bool[2]",
         "scatter that combines by mul does not accept dtype bool"},
	{"f32[2,3]", "reduce_sum %0 dims=[2]", "f32[2]",
         "reduce_sum: dims (2,) out of range for an array of 2 dims"},
	{"f32[2,3]", "reduce_sum %0 dims=[1,0]", "f32[]",
         "dims must increase without repeats, got (1, 0)"},
	{"bool[2]", "reduce_sum %0 dims=[0]", "bool[]", "reduce_sum does not accept dtype bool"},
	{"c64[2]", "argmax %0 dim=0 dtype=i32", "i32[]", "argmax does not accept dtype c64"},
	{"f32[2]", "reduce_xor %0 dims=[0]", "f32[]", "reduce_xor does not accept dtype f32"},
	{"f32[0]", "argmax %0 dim=0 dtype=i32", "i32[]",
         "argmax requires a non-empty reduced dim, got dim 0 of f32[0]"},
	{"f32[2]", "argmin %0 dim=1 dtype=i32", "i32[]", "argmin: dim 1 out of range"},
	{"f32[2]", "argmin %0 dim=0 dtype=f32", "f32[]",
         "the dtype of the result must be an integer type, but got f32"},
	{"f32[2]; f32[3]", "sort %0 %1 dim=0 num_keys=1", "f32[2]; f32[3]",
         "sort requires operands of equal shapes, got f32[2] and f32[3]"},
	{"f32[2]; i32[2]", "sort %0 %1 dim=0 num_keys=3", "f32[2]; i32[2]",
         "sort: num_keys 3 must be between 1 and 2, the number of operands"},
	{"f32[2]", "sort %0 dim=0 num_keys=0", "f32[2]", "num_keys 0 must be between 1 and"},
	{"f32[]", "sort %0 dim=0 num_keys=1", "f32[]", "sort: dim 0 out of range"},
	{"", "sort dim=0 num_keys=1", "f32[2]", "sort has 0 results, not 1"},
	{"c64[2]", "top_k %0 k=1 dim=0", "c64[1]; i32[1]", "top_k does not accept dtype c64"},
	{"f32[2]", "top_k %0 k=3 dim=0", "f32[3]; i32[3]",
         "top_k: k must be between 0 and the size of dim 0, which is 2, but it is 3"},
	{"f32[2]", "top_k %0 k=-1 dim=0", "f32[0]; i32[0]", "k must be between 0 and"},
	{"f32[]", "top_k %0 k=1 dim=0", "f32[]; i32[]", "top_k: dim 0 out of range"},
	{"u32[2]; i32[2]", "threefry2x32 %0 %0 %0 %1", "u32[2]; u32[2]",
         "threefry2x32 requires operands of dtype u32, got u32[2], u32[2], u32[2] and i32[2]"},
	{"u32[2]; u32[3]", "threefry2x32 %0 %0 %0 %1", "u32[2]; u32[2]",
         "threefry2x32 requires operands of equal shapes"},
	{"u32[2]; f32[2]", "random_gamma %0 %1", "f32[2]",
         "random_gamma requires keys of dtype u64 and floats, got u32[2] and f32[2]"},
	{"u64[2]; i32[2]", "random_gamma %0 %1", "i32[2]",
         "random_gamma requires keys of dtype u64 and floats, got u64[2] and i32[2]"},
	{"u64[2]; f32[3]", "random_gamma %0 %1", "f32[2]",
         "random_gamma requires operands of equal shapes"},
	{"u32[3]", "random_bits %0 0:u64 dtype=u32 dims=[2] strides=[1]", "u32[2]",
         "random_bits: keys are u32[..., 2], two words each, got u32[3]"},
	{"i32[2]", "random_bits %0 0:u64 dtype=u32 dims=[2] strides=[1]", "u32[2]",
         "random_bits: keys are u32[..., 2], two words each, got i32[2]"},
	{"u32[]", "random_bits %0 0:u64 dtype=u32 dims=[2] strides=[1]", "u32[2]",
         "random_bits: keys are u32[..., 2], two words each, got u32[]"},
	{"u32[4,2]", "random_bits %0 0:u64 dtype=u32 dims=[2] strides=[]", "u32[2]",
         "random_bits: the shape (2,) does not begin with the dims of u32[4,2]"},
	{"u32[2]", "random_bits %0 0:u32 dtype=u32 dims=[2] strides=[1]", "u32[2]",
         "random_bits: the start must be u64, one or one for each key, got u32[]"},
	{"u32[4,2]; u64[3]", "random_bits %0 %1 dtype=u32 dims=[4] strides=[]", "u32[4]",
         "random_bits: the start must be u64, one or one for each key, got u64[3]"},
	{"u32[2]", "random_bits %0 0:u64 dtype=i32 dims=[2] strides=[1]", "i32[2]",
         "random_bits gives u8, u16, u32 or u64"},
	{"u32[2]", "random_bits %0 0:u64 dtype=u32 dims=[2] strides=[]", "u32[2]",
         "random_bits: strides"},
	{"u32[2]", "random_bits %0 0:u64 dtype=u32 dims=[-2] strides=[1]", "u32[2]",
         "random_bits: the shape (-2,) has a negative dim"},
	{"u32[2]", "random_bits %0 0:u64 dtype=u32 dims=[2] strides=[-1]", "u32[2]",
         "random_bits: stride -1 is negative"},
	{"u32[2]", "random_bits %0 0:u64 dtype=u32 dims=[4,2] strides=[4000000000000000000,1]",
         "u32[4,2]", "random_bits: there are more than 2^63 counters"},
	{"f32[5]", "patches %0 along=[0] sizes=[0] strides=[1] dilations=[1]", "f32[6,0]",
         "patches: sizes, strides and dilations must be at least 1, got 0, 1 and 1 along dim 0"},
	{"f32[5]", "patches %0 along=[1] sizes=[1] strides=[1] dilations=[1]", "f32[5,1]",
         "along"},
	{"f32[2,3]", "add_patches %0 along=[0] sizes=[3] strides=[2] dilations=[1] dims=[7]",
         "f32[7]", "add_patches: an array of dims (7,) has patches of dims (3, 3), got f32[2,3]"},
	{"bool[2]", "cumsum %0 dim=0", "bool[2]", "cumsum does not accept dtype bool"},
	{"i32[2]", "cumlogsumexp %0 dim=0", "i32[2]", "cumlogsumexp does not accept dtype i32"},
	{"f32[2]", "cumsum %0 dim=-1", "f32[2]", "cumsum: dim -1 out of range"},
	{"f32[2,3]; f32[4,5]",
         "dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32",
         "f32[2,5]",
         "dim 1 of the lhs has size 3 and dim 0 of the rhs has size 4, got f32[2,3] and f32[4,5]"},
	{"f32[2,3]; f32[3]",
         "dot_general %0 %1 contract_a=[2] contract_b=[0] batch_a=[] batch_b=[] dtype=f32",
         "f32[2]", "contracting dims to be nonnegative and less than the number of dims"},
	{"f32[2,3]; f32[3]",
         "dot_general %0 %1 contract_a=[1,0] contract_b=[0] batch_a=[] batch_b=[] dtype=f32",
         "f32[2]", "equal numbers of contracting dims, got lhs (1, 0) and rhs (0,)"},
	{"f32[3,3]; f32[3,3]",
         "dot_general %0 %1 contract_a=[1,1] contract_b=[0,1] batch_a=[] batch_b=[] dtype=f32",
         "f32[3]", "contracting dims to be distinct, got (1, 1)"},
	{"f32[3,3]; f32[3,3]",
         "dot_general %0 %1 contract_a=[1] contract_b=[1] batch_a=[1] batch_b=[0] dtype=f32",
         "f32[3]", "batch dims to be disjoint from contracting dims, got lhs dim 1"},
	{"i32[3]; i32[3]",
         "dot_general %0 %1 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=bf16",
         "bf16[]", "got bf16 for i32"},
	{"c128[3]; c128[3]",
         "dot_general %0 %1 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=c64",
         "c64[]", "got c64 for c128"},
	{"i32[3]; f32[3]",
         "dot_general %0 %1 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=f32", "f32[]",
         "dot_general requires operands of equal dtypes, got i32 and f32"},
};

static void type_errors(void **state)
{
	rig *r = *state;

	for (size_t i = 0; i < ARRAY_LEN(errors_of); i++) {
		const program *p = rig_parse(r, errors_of[i].operands, errors_of[i].equation,
		                             errors_of[i].result, TSR_F32);
		if (p || !strstr(error_text(&r->base), errors_of[i].error))
			fail_msg("%s: \"%s\", not \"%s\"", errors_of[i].equation,
			         error_text(&r->base), errors_of[i].error);
		error_clear(&r->base);
	}
}

/* sizes that cannot be: refused, never wrapped */
static void huge(void **state)
{
	static const char *const shapes[][3] = {
		{"f32[0,4611686018427387904]", "transpose %0 perm=[1,0]",
	         "f32[4611686018427387904,0]"},
		{"f32[0,4611686018427387904]", "reshape %0 dims=[0]", "f32[0]"},
		{"f32[0,4611686018427387904]", "reduce_sum %0 dims=[0,1]", "f32[]"},
		{"f32[0,3]; f32[0,3]", "concatenate %0 %1 dim=1", "f32[0,6]"},
	};
	rig *r = *state;
	float nothing = 0;

	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		program *p = rig_parse(r, shapes[i][0], shapes[i][1], shapes[i][2], TSR_F32);
		if (p) free(rig_eval(p, (void *[]){&nothing, &nothing}));
		program_release(p);
		error_clear(&r->base);
	}
	assert_null(rig_parse(r, "f32[]", "broadcast_in_dim %0 dims=[4611686018427387904,4] at=[]",
	                      "f32[4]", TSR_F32));
	error_clear(&r->base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_case),        cmocka_unit_test(first_of_equals),
		cmocka_unit_test(ends_of_the_range), cmocka_unit_test(bits_of_bools),
		cmocka_unit_test(type_errors),       cmocka_unit_test(huge),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
