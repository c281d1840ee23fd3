/* test_automatic.c - single equations and their gradients, whose operands are spread over a mesh,
 * against the same on one device, bit for bit: whole numbers, so that sums are exact in any order.
 * test_automatic_programs.c has programs.
 *
 * Each draw places the operands at random: every axis cuts a dim, which it need not divide, or
 * none. TSR_EVERY=1 in the environment tries every placement of the operands of each equation
 * instead. */
#include "spmd/every_placement.h"
#include "support/windows.h"

enum { DRAWS_A_CASE = 24, DRAWS_A_GRADIENT = 8, DRAWS_A_ROW = 2 };

/* ---- each equation */

#define SAME(row) \
	{ \
		"i32[8,6,4]; i32[8,6,4]", row " %0 %1", "i32[8,6,4]" \
	}
static const one cases[] = {
	SAME("add"),
	SAME("mul"),
	SAME("max"),
	SAME("xor"),
	{"f32[8,12]", "exp %0", "f32[8,12]"},
	{"f32[8,12]; f32[8,12]", "lt %0 %1", "bool[8,12]"},
	{"bool[8,6]; f32[8,6]; f32[8,6]", "select_n %0 %1 %2", "f32[8,6]"},
	{"bool[]; f32[8,6]; f32[8,6]", "select_n %0 %1 %2", "f32[8,6]"},
	{"i32[8,6]", "convert_element_type %0 dtype=f32", "f32[8,6]"},
	{"i32[8,4]", "reshape %0 dims=[32]", "i32[32]"},
	{"i32[32]", "reshape %0 dims=[4,8]", "i32[4,8]"},
	{"i32[4,8,6]", "reshape %0 dims=[2,16,6]", "i32[2,16,6]"},
	{"i32[6,4,8]", "reshape %0 dims=[4,6,8]", "i32[4,6,8]"},
	{"i32[8]", "reshape %0 dims=[2,4]", "i32[2,4]"},
	{"i32[2,16]", "reshape %0 dims=[32]", "i32[32]"},
	{"i32[24,3]", "reshape %0 dims=[2,12,3]", "i32[2,12,3]"},
	{"i32[64]", "reshape %0 dims=[2,2,2,8]", "i32[2,2,2,8]"},
	{"i32[8,4,6]", "transpose %0 perm=[2,0,1]", "i32[6,8,4]"},
	{"i32[8,1]", "broadcast_in_dim %0 dims=[4,8,6] at=[1,2]", "i32[4,8,6]"},
	{"i32[]", "broadcast_in_dim %0 dims=[4,8] at=[]", "i32[4,8]"},
	{"i32[2,4,2,2,4,2]; i32[2,4,2,2,4,2]", "add %0 %1", "i32[2,4,2,2,4,2]"},
	{"i32[1,8,1]", "squeeze %0 dims=[0,2]", "i32[8]"},
	{"i32[8,6]", "expand_dims %0 dims=[1]", "i32[8,1,6]"},
	{"i32[8,4]", "rev %0 dims=[1]", "i32[8,4]"},
	{"i32[8,2]; i32[8,4]", "concatenate %0 %1 dim=1", "i32[8,6]"},
	{"i32[8,4]; i32[]", "pad %0 %1 low=[0,1] high=[0,2] interior=[0,1]", "i32[8,10]"},
	{"i32[8,8]", "slice %0 start=[0,1] stop=[8,8] step=[1,2]", "i32[8,4]"},
	{"i32[8,7,4]; i32[]; i32[]; i32[]", "dynamic_slice %0 %1 %2 %3 dims=[8,4,4]", "i32[8,4,4]"},
	{"i32[8,4]; i32[8,2]; i32[]; i32[]", "dynamic_update_slice %0 %1 %2 %3", "i32[8,4]"},
	{"i32[8,6,4]", "reduce_sum %0 dims=[0,2]", "i32[6]"},
	{"i32[8,6,4]", "reduce_prod %0 dims=[0]", "i32[6,4]"},
	{"f32[8,6,4]", "reduce_max %0 dims=[0,1]", "f32[4]"},
	{"f32[8,6]", "reduce_min %0 dims=[0,1]", "f32[]"},
	{"i32[8,4]", "reduce_and %0 dims=[0]", "i32[4]"},
	{"i32[8,4]", "reduce_or %0 dims=[1]", "i32[8]"},
	{"i32[8,4]", "reduce_xor %0 dims=[0,1]", "i32[]"},
	{"bool[8,4]", "reduce_and %0 dims=[0]", "bool[4]"},
	{"f32[8,6,4]", "argmax %0 dim=1 dtype=i32", "i32[8,4]"},
	{"f32[8,6,4]; f32[4,6,2]",
         "dot_general %0 %1 contract_a=[1] contract_b=[1] batch_a=[2] batch_b=[0] dtype=f32",
         "f32[4,8,2]"},
	{"i32[8,4]; i32[4,16]",
         "dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=i32",
         "i32[8,16]"},
	{"i32[8,4]; i32[8,4]",
         "dot_general %0 %1 contract_a=[0,1] contract_b=[0,1] batch_a=[] batch_b=[] dtype=i32",
         "i32[]"},
	{"f32[8,4]; i32[8,4]", "sort %0 %1 dim=1 num_keys=1 is_stable=true", "f32[8,4]; i32[8,4]"},
	{"f32[16,4]", "sort %0 dim=0 num_keys=1 is_stable=true", "f32[16,4]"},
	{"i32[16]; f32[16]; c64[16]", "sort %0 %1 %2 dim=0 num_keys=3 is_stable=true",
         "i32[16]; f32[16]; c64[16]"},
	{"f32[16,4]", "top_k %0 k=3 dim=0", "f32[3,4]; i32[3,4]"},
	{"i32[4,64]", "top_k %0 k=5 dim=1", "i32[4,5]; i32[4,5]"},
	{"f32[16,8]", "patches %0 along=[0,1] sizes=[3,2] strides=[2,1] dilations=[1,3]",
         "f32[7,5,3,2]"},
	{"i32[16,4]", "patches %0 along=[0] sizes=[3] strides=[1] dilations=[1]", "i32[14,4,3]"},
	{"f32[7,5,3,2]",
         "add_patches %0 along=[0,1] sizes=[3,2] strides=[2,1] dilations=[1,3] dims=[16,8]",
         "f32[16,8]"},
	{"i32[8,4,3]", "add_patches %0 along=[0] sizes=[3] strides=[1] dilations=[1] dims=[10,4]",
         "i32[10,4]"},
	{"f32[8,4]", "cumsum %0 dim=0 reverse=false", "f32[8,4]"},
	{"f32[8,4]", "cumsum %0 dim=1 reverse=true", "f32[8,4]"},
	{"i32[8,4]", "cumprod %0 dim=0 reverse=true", "i32[8,4]"},
	{"f32[8,4]", "cummax %0 dim=0 reverse=false", "f32[8,4]"},
	{"i32[8,4]", "cummin %0 dim=1 reverse=true", "i32[8,4]"},
	{"f32[8,4]", "cumlogsumexp %0 dim=0 reverse=true", "f32[8,4]"},
	{"f32[8,2,1,1]", "cholesky %0", "f32[8,2,1,1]"},
	{"f32[8,6,4]", "fft %0 type=rfft dim=1 length=6", "c64[8,4,4]"},
	{"f32[8,4,3]", "lu %0", "f32[8,4,3]; i32[8,3]; i32[8,4]"},
	{"f32[8,4,3]", "qr %0", "f32[8,4,3]; f32[8,3,3]"},
	{"f32[8,4,4]", "eigh %0 lower=true", "f32[8,4,4]; f32[8,4]"},
	{"f32[8,4,3]", "svd %0 compute_uv=true", "f32[8,3]; f32[8,4,3]; f32[8,3,3]"},
	{"f32[8,4,4]", "hessenberg %0", "f32[8,4,4]; f32[8,3]"},
	{"f32[8,4,4]", "tridiagonal %0 lower=true", "f32[8,4,4]; f32[8,4]; f32[8,3]; f32[8,3]"},
	{"f32[8,2,4,4]", "schur %0", "f32[8,2,4,4]; f32[8,2,4,4]"},
	{"f32[8,4,4]", "eig %0 left=true right=true", "c64[8,4]; c64[8,4,4]; c64[8,4,4]"},
	{"f32[8,4,4]; f32[8,4,4]", "triangular_solve %0 %1 lower=true unit_diagonal=true",
         "f32[8,4,4]"},
	{"u32[8]; u32[8]; u32[8]; u32[8]", "threefry2x32 %0 %1 %2 %3", "u32[8]; u32[8]"},
	{"u64[8,4]; f32[8,4]", "random_gamma %0 %1 log=true", "f32[8,4]"},
	{"u32[8,2]; u64[]", "random_bits %0 %1 dtype=u32 dims=[8,6,4] strides=[4,1]", "u32[8,6,4]"},
	{"i32[8,4]; i32[4,1]",
         "gather %0 %1" GATHER_DIMS("1", "0", "0", "", "") " slice_sizes=[1,4] mode=clip",
         "i32[4,4]"},
	{"i32[4,8,6]; i32[4,2,1]",
         "gather %0 %1" GATHER_DIMS("2", "1", "1", "0", "0") " slice_sizes=[1,1,6] mode=fill",
         "i32[4,2,6]"},
	{"i32[8,4]; i32[4,1]; i32[4,4]",
         "scatter %0 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=add mode=drop",
         "i32[8,4]"},
	{"i32[8,4]; i32[4,1]; i32[4,4]",
         "scatter %0 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=set mode=clip",
         "i32[8,4]"},
	{"i32[64,4]; i32[5,1]",
         "gather %0 %1" GATHER_DIMS("1", "0", "0", "", "") " slice_sizes=[1,4] mode=fill",
         "i32[5,4]"},
	{"f32[61,9]; i32[4,2]",
         "gather %0 %1" GATHER_DIMS("0,2", "", "0,1", "", "") " slice_sizes=[3,2] mode=fill",
         "f32[3,4,2]"},
	{"i32[61,9]; i32[4,1]",
         "gather %0 %1" GATHER_DIMS("0,2", "", "1", "", "") " slice_sizes=[3,2] mode=clip",
         "i32[3,4,2]"},
	{"i32[7,6]; i32[40,2]; i32[3,40,2]",
         "scatter %0 %1 %2" SCATTER_DIMS("0,2", "", "0,1", "", "") " combine=add mode=drop",
         "i32[7,6]"},
	{"i32[7,6]; i32[41,1]; i32[3,41,2]",
         "scatter %0 %1 %2" SCATTER_DIMS("0,2", "", "1", "", "") " combine=mul mode=clip",
         "i32[7,6]"},
	{"i32[7,6]; i32[41,2]; i32[3,41,2]",
         "scatter %0 %1 %2" SCATTER_DIMS("0,2", "", "0,1", "", "") " combine=max mode=drop",
         "i32[7,6]"},
	{"f32[9,64]", "argmin %0 dim=1 dtype=i32", "i32[9]"},
	{"bool[9,64]", "argmax %0 dim=1 dtype=u32", "u32[9]"},
	{"i32[64,5]; i32[]", "dynamic_slice %0 %1 2:i32 dims=[7,3]", "i32[7,3]"},
	{"i32[23,5]; i32[7,5]; i32[]", "dynamic_update_slice %0 %1 %2 0:i32", "i32[23,5]"},
};

static void each_equation(void **state)
{
	static written w;

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		tsr_ctx *ctx = tsr_open(.devices = 8, .log = silent, .reproducible = asked_for());
		const int nout = write_case(&w, &cases[k]);
		for (int d = 0; d < DRAWS_A_CASE; d++)
			try_program(ctx, &w, nout, (int)k * DRAWS_A_CASE + d + 1);
		assert_int_equal(tsr_close(ctx), 0);
	}
}

/* ---- their gradients */

static const one slopes[] = {
	{"f32[8,6]; f32[8,6]", "add %0 %1", "f32[8,6]"},
	{"f32[8,6,4]; f32[8,6,4]", "mul %0 %1", "f32[8,6,4]"},
	{"f32[8,6]; f32[8,6]", "max %0 %1", "f32[8,6]"},
	{"bool[8,6]; f32[8,6]; f32[8,6]", "select_n %0 %1 %2", "f32[8,6]"},
	{"f32[4,8,6]", "reshape %0 dims=[2,16,6]", "f32[2,16,6]"},
	{"f32[8,4,6]", "transpose %0 perm=[2,0,1]", "f32[6,8,4]"},
	{"f32[8,1]", "broadcast_in_dim %0 dims=[4,8,6] at=[1,2]", "f32[4,8,6]"},
	{"f32[1,8,1]", "squeeze %0 dims=[0,2]", "f32[8]"},
	{"f32[8,4]", "rev %0 dims=[1]", "f32[8,4]"},
	{"f32[8,2]; f32[8,4]", "concatenate %0 %1 dim=1", "f32[8,6]"},
	{"f32[8,4]; f32[]", "pad %0 %1 low=[0,1] high=[0,2] interior=[0,1]", "f32[8,10]"},
	{"f32[8,8]", "slice %0 start=[0,1] stop=[8,8] step=[1,2]", "f32[8,4]"},
	{"f32[8,7]; i32[]; i32[]", "dynamic_slice %0 %1 %2 dims=[8,4]", "f32[8,4]"},
	{"f32[8,4]; f32[8,2]; i32[]; i32[]", "dynamic_update_slice %0 %1 %2 %3", "f32[8,4]"},
	{"f32[8,6,4]", "reduce_sum %0 dims=[0,2]", "f32[6]"},
	{"f32[4,6]", "reduce_prod %0 dims=[0]", "f32[6]"},
	{"f32[8,6,4]", "reduce_max %0 dims=[0,1]", "f32[4]"},
	{"f32[8,6]", "reduce_min %0 dims=[0,1]", "f32[]"},
	{"f32[8,6,4]; f32[4,6,2]",
         "dot_general %0 %1 contract_a=[1] contract_b=[1] batch_a=[2] batch_b=[0] dtype=f32",
         "f32[4,8,2]"},
	{"f32[8,4]; f32[8,4]",
         "dot_general %0 %1 contract_a=[0,1] contract_b=[0,1] batch_a=[] batch_b=[] dtype=f32",
         "f32[]"},
	{"f32[16,8]", "patches %0 along=[0,1] sizes=[3,2] strides=[2,1] dilations=[1,3]",
         "f32[7,5,3,2]"},
	{"f32[16,4]", "patches %0 along=[0] sizes=[3] strides=[1] dilations=[1]", "f32[14,4,3]"},
	{"f32[7,5,3,2]",
         "add_patches %0 along=[0,1] sizes=[3,2] strides=[2,1] dilations=[1,3] dims=[16,8]",
         "f32[16,8]"},
	{"f32[8,4,3]", "add_patches %0 along=[0] sizes=[3] strides=[1] dilations=[1] dims=[10,4]",
         "f32[10,4]"},
	{"f32[16,4]", "sort %0 dim=0 num_keys=1 is_stable=true", "f32[16,4]"},
	{"f32[8,4]", "cumsum %0 dim=0 reverse=false", "f32[8,4]"},
	{"f32[8,4]", "cumprod %0 dim=0 reverse=false", "f32[8,4]"},
	{"f32[8,4]", "cummin %0 dim=1 reverse=true", "f32[8,4]"},
	{"f32[8,4]", "cumlogsumexp %0 dim=0 reverse=false", "f32[8,4]"},
	{"f32[8,4]; i32[4,1]",
         "gather %0 %1" GATHER_DIMS("1", "0", "0", "", "") " slice_sizes=[1,4] mode=clip",
         "f32[4,4]"},
	{"f32[8,4]; i32[4,1]; f32[4,4]",
         "scatter %0 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=add mode=drop",
         "f32[8,4]"},
	{"f32[8,4]", "cummax %0 dim=0 reverse=false", "f32[8,4]"},
	{"f32[8,6]", "expand_dims %0 dims=[1]", "f32[8,1,6]"},
	{"f32[8,6]", "integer_pow %0 y=3", "f32[8,6]"},
	{"f32[8,6]", "reduce_precision %0 exponent_bits=5 mantissa_bits=2", "f32[8,6]"},
	{"f32[8,6]", "convert_element_type %0 dtype=f32", "f32[8,6]"},
	{"f32[8,6]", "name %0 name=\"q\"", "f32[8,6]"},
	{"f32[8,6]; f32[6]", "placed_like %0 %1", "f32[8,6]"},
	{"f32[8,6]", "optimization_barrier %0", "f32[8,6]"},
	{"f32[8,6]; f32[8,6]", "shard_alike %0 %1", "f32[8,6]; f32[8,6]"},
	{"f32[16,4]", "top_k %0 k=3 dim=0", "f32[3,4]; i32[3,4]"},
	{"f32[8,4,1,1]", "cholesky %0", "f32[8,4,1,1]"},
	{"f32[8,3,2]", "lu %0", "f32[8,3,2]; i32[8,2]; i32[8,3]"},
	{"f32[8,3,2]", "qr %0", "f32[8,3,2]; f32[8,2,2]"},
	{"f32[8,4,1,1]", "eigh %0 lower=true", "f32[8,4,1,1]; f32[8,4,1]"},
	{"f32[8,3,2]", "svd %0", "f32[8,2]"},
	{"f32[8,2,2]; f32[8,2,4]", "triangular_solve %0 %1 left_side=true unit_diagonal=true",
         "f32[8,2,4]"},
};

/* the same where sums round: elementwise rows with operands by which there is no derivative, and
 * complex results, of which the loss is the real part */
static const one rough_slopes[] = {
	{"u64[8,6]; f32[8,6]", "random_gamma %0 %1", "f32[8,6]"},
	{"f32[8,6]", "polygamma 2:f32 %0", "f32[8,6]"},
	{"f32[8,6]", "regularized_incomplete_beta 1.5:f32 2.5:f32 %0", "f32[8,6]"},
	{"f32[8,6]; f32[8,6]", "complex %0 %1", "c64[8,6]"},
	{"f32[8,6]", "fft %0 type=rfft dim=1 length=6", "c64[8,4]"},
	{"f32[8,1,1]", "eig %0", "c64[8,1]"},
};

/* ---- elementwise rows, whose factors and local forms are one rule for all */

/* false if it has no such case. The more operands, the fewer dims, for there are as many placements
 * as those of each operand multiplied */
static bool elementwise_case(const tsr_prim *p, const char *from, const char *to, one *c)
{
	static const char *const dims[] = {"", "[8,6,4]", "[8,6]", "[8]"};
	static char operands[64], equation[64], results[32];
	static written w;
	tsr_ctx *ctx = tsr_open(.devices = 1, .log = silent);
	int n = 0, m = snprintf(equation, sizeof equation, "%s", p->name);

	for (int i = 0; i < p->nin; i++) {
		n += snprintf(operands + n, sizeof operands - (size_t)n, "%s%s%s", i ? "; " : "",
		              from, dims[p->nin]);
		m += snprintf(equation + m, sizeof equation - (size_t)m, " %%%d", i);
	}
	snprintf(results, sizeof results, "%s%s", to, dims[p->nin]);
	*c = (one){operands, equation, results};
	write_case(&w, c);
	TSR_SCOPE(ctx);
	const bool legal = tsr_parse(ctx, w.text) && !tsr_status(ctx);
	tsr_close(ctx);
	return legal;
}

/* ---- gradients, at random */

static bool has_case(const tsr_prim *p, const one *of, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (is_case_of(&of[k], p)) return true;
	return false;
}

/* A case, if the row has a derivative and none above: of an elementwise one by all its operands, if
 * it takes f32. Those of complex numbers alone have theirs in transform.rules, for a loss is
 * derived by what is real */
static bool gradient_case(const tsr_prim *p, one *c)
{
	if (!needs_gradient(p) || has_case(p, slopes, sizeof slopes / sizeof *slopes) ||
	    has_case(p, rough_slopes, sizeof rough_slopes / sizeof *rough_slopes))
		return false;
	if (!is_elementwise(p)) fail_msg("the gradient of %s is in no case", p->name);
	return elementwise_case(p, "f32", "f32", c);
}

static void try_gradient(const one *c, bool rounds, int draws, int seed)
{
	static written w;
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = silent, .reproducible = asked_for());

	write_loss(&w, c);
	w.rounds = rounds;
	for (int d = 0; d < draws; d++) try_program(ctx, &w, 1, seed + d);
	assert_int_equal(tsr_close(ctx), 0);
}

static void each_gradient(void **state)
{
	one c;

	(void)state;
	for (size_t k = 0; k < sizeof slopes / sizeof *slopes; k++)
		try_gradient(&slopes[k], false, DRAWS_A_GRADIENT,
		             10000 + (int)k * DRAWS_A_GRADIENT);
	for (size_t k = 0; k < sizeof rough_slopes / sizeof *rough_slopes; k++)
		try_gradient(&rough_slopes[k], true, DRAWS_A_GRADIENT,
		             30000 + (int)k * DRAWS_A_GRADIENT);
	for (int k = 0; k < all_prims_count; k++)
		if (gradient_case(all_prims[k], &c))
			try_gradient(&c, true, DRAWS_A_ROW, 20000 + k * DRAWS_A_ROW);
}

/* ---- under all placements of the operands, which is slow */

static void every_placement_of(const written *w, int nout, const char *what)
{
	long placements = 0;

	for (size_t m = 0; m < FEW_MESHES; m++)
		placements += try_every_placement(NULL, w, nout, &meshes[m]);
	print_message("%s: %ld placements\n", what, placements);
}

static void every_equation(void **state)
{
	static written w;

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		const int nout = write_case(&w, &cases[k]);
		every_placement_of(&w, nout, cases[k].equation);
	}
}

static void every_elementwise_row(void **state)
{
	static const char *const dtypes[][2] = {
		{"f32", "f32"}, {"i32", "i32"}, {"bool", "bool"}, {"f32", "bool"}};
	static written w;
	one c;

	(void)state;
	for (int k = 0; k < all_prims_count; k++) {
		const tsr_prim *p = all_prims[k];
		size_t d = 0;
		if (!is_elementwise(p)) continue;
		while (d < 4 && !elementwise_case(p, dtypes[d][0], dtypes[d][1], &c)) d++;
		if (d < 4) every_placement_of(&w, write_case(&w, &c), c.equation);
	}
}

static void every_gradient_of(const one *c, bool rounds)
{
	static written w;

	write_loss(&w, c);
	w.rounds = rounds;
	every_placement_of(&w, 1, c->equation);
}

static void every_gradient(void **state)
{
	one c;

	(void)state;
	for (size_t k = 0; k < sizeof slopes / sizeof *slopes; k++)
		every_gradient_of(&slopes[k], false);
	for (size_t k = 0; k < sizeof rough_slopes / sizeof *rough_slopes; k++)
		every_gradient_of(&rough_slopes[k], true);
	for (int k = 0; k < all_prims_count; k++)
		if (gradient_case(all_prims[k], &c)) every_gradient_of(&c, true);
}

int main(void)
{
	const struct CMUnitTest every[] = {
		cmocka_unit_test(every_equation),
		cmocka_unit_test(every_elementwise_row),
		cmocka_unit_test(every_gradient),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_equation),
		cmocka_unit_test(each_gradient),
	};

	if (getenv("TSR_EVERY")) return cmocka_run_group_tests(every, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
