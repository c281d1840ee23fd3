/* test_automatic.c - single equations and their gradients, whose operands are spread over a mesh,
 * against the same on one device, bit for bit: whole numbers, so that sums are exact in any order.
 * test_automatic_programs.c has programs.
 *
 * Each draw places the operands at random: every axis cuts a dim, which it need not divide, or
 * none. TSR_EVERY=1 in the environment tries every placement of the operands of each equation
 * instead. */
#include "spmd/placed_rig.h"
#include "support/windows.h"

enum { DRAWS_A_CASE = 24, DRAWS_A_GRADIENT = 8 };

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
	{"f32[8,4,4]; f32[8,4,4]", "triangular_solve %0 %1 lower=true unit_diagonal=true",
         "f32[8,4,4]"},
	{"u32[8]; u32[8]; u32[8]; u32[8]", "threefry2x32 %0 %1 %2 %3", "u32[8]; u32[8]"},
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
		tsr_ctx *ctx = tsr_open(.devices = 8, .log = silent);
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
};

static void each_gradient(void **state)
{
	static written w;

	(void)state;
	for (size_t k = 0; k < sizeof slopes / sizeof *slopes; k++) {
		tsr_ctx *ctx = tsr_open(.devices = 8, .log = silent);
		write_loss(&w, &slopes[k]);
		for (int d = 0; d < DRAWS_A_GRADIENT; d++)
			try_program(ctx, &w, 1, 10000 + (int)k * DRAWS_A_GRADIENT + d);
		assert_int_equal(tsr_close(ctx), 0);
	}
}

/* ---- each equation under all placements of its operands, which is slow */

typedef struct placing { /* of an operand: the axes of each dim, major first */
	int n[NDIM], axis[NDIM][3];
} placing;

typedef struct every {
	tsr_ctx *ctx;
	const written *w;
	const struct mesh_case *m;
	tsr_mesh *mesh;
	tsr_fn *f;
	int nout;
	tsr *x[INPUTS], *placed[INPUTS], *want[4];
	long tried;
} every;

static void place_operand(every *t, int operand);

static tsr_spec spec_of(const placing *l, int ndim, char entry[NDIM][16])
{
	tsr_spec spec = {.n1 = 1 + ndim};

	for (int d = 0; d < ndim; d++) {
		*entry[d] = 0;
		for (int i = 0; i < l->n[d]; i++)
			snprintf(entry[d] + strlen(entry[d]), 4, "%s%c", i ? "*" : "",
			         "xyz"[l->axis[d][i]]);
		spec.d[1 + d] = *entry[d] ? entry[d] : NULL;
	}
	return spec;
}

static void place_as(every *t, int operand, const placing *l)
{
	TSR_SCOPE(t->ctx);
	char entry[NDIM][16];

	t->placed[operand] =
		tsr_put(t->x[operand], t->mesh, spec_of(l, t->w->value[operand].ndim, entry));
	place_operand(t, operand + 1);
}

/* The axis cuts nothing, or a dim, behind any of those that cut it already. Axes of one size are
 * alike: in the first operand they come in order. before: the dim of the axis before this one */
static void place_axis(every *t, int operand, int axis, int before, placing *l)
{
	const int ndim = t->w->value[operand].ndim;
	const bool ordered = operand == 0 && axis && t->m->size[axis] == t->m->size[axis - 1];

	if (axis == t->m->naxes) {
		place_as(t, operand, l);
		return;
	}
	for (int d = ordered ? before : 0; d < ndim; d++)
		for (int at = ordered && d == before ? l->n[d] : 0; at <= l->n[d]; at++) {
			placing with = *l;
			for (int i = with.n[d]++; i > at; i--)
				with.axis[d][i] = with.axis[d][i - 1];
			with.axis[d][at] = axis;
			place_axis(t, operand, axis + 1, d, &with);
		}
	place_axis(t, operand, axis + 1, ndim, l);
}

static void call_case(every *t, tsr *const *x, tsr **results)
{
	tsr_arg args[INPUTS];
	tsr_out to[4];

	for (int i = 0; i < t->w->ninputs; i++) args[i] = TSR_ARG(x[i]);
	for (int j = 0; j < t->nout; j++) to[j] = (tsr_out){.to = {&results[j], 1, NULL}};
	tsr_call_into_at(TSR_HERE, to, (size_t)t->nout, t->f, args, (size_t)t->w->ninputs);
}

static void try_placed(every *t)
{
	TSR_SCOPE(t->ctx);
	tsr *got[4] = {0};

	call_case(t, t->placed, got);
	t->tried++;
	for (int j = 0; j < t->nout; j++) {
		if (!tsr_status(t->ctx) && same_bytes(t->want[j], got[j])) continue;
		print_error("mesh %s, %s\n", tsr_mesh_text(t->mesh), tsr_message(t->ctx));
		for (int i = 0; i < t->w->ninputs; i++)
			print_error("%%%d: %s\n", i,
			            tsr_sharding_text(tsr_sharding_of(t->placed[i])));
		fail_msg("result %d of\n%s", j, t->w->text);
	}
}

static void place_operand(every *t, int operand)
{
	if (operand == t->w->ninputs)
		try_placed(t);
	else
		place_axis(t, operand, 0, 0, &(placing){{0}, {{0}}});
}

static long every_placement(const written *w, int nout, const struct mesh_case *m)
{
	every t = {tsr_open(.devices = 8, .log = silent), w, m, .nout = nout};

	t.mesh = make_mesh(t.ctx, m);
	t.f = tsr_parse(t.ctx, w->text);
	for (int i = 0; i < w->ninputs; i++)
		t.x[i] = input(t.ctx, &w->value[i], i, w->more);
	call_case(&t, t.x, t.want);
	assert_int_equal(tsr_status(t.ctx), 0);
	place_operand(&t, 0);
	assert_int_equal(tsr_close(t.ctx), 0);
	return t.tried;
}

static void every_equation(void **state)
{
	static written w;

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		const int nout = write_case(&w, &cases[k]);
		long tried = 0;
		for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++)
			tried += every_placement(&w, nout, &meshes[m]);
		print_message("%s, %s: %ld placements\n", cases[k].equation, cases[k].operands,
		              tried);
	}
}

int main(void)
{
	const struct CMUnitTest every[] = {cmocka_unit_test(every_equation)};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_equation),
		cmocka_unit_test(each_gradient),
	};

	if (getenv("TSR_EVERY")) return cmocka_run_group_tests(every, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
