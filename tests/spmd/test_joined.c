/* test_joined.c - every row that reduces, for every dtype that it takes, and products for every
 * dtype of results too: dims that are reduced are cut over a mesh, and what devices have is joined.
 * The results are those of one device, bit for bit.
 *
 * Operands are halves, so that a cast to whole numbers loses something in each part, and sums of
 * products have more bits than f16 and bf16; in f32 they are exact in any order. */
#include "spmd/placed_rig.h"
#include "support/windows.h"

enum { DRAWS = 6 };

/* T: the dtype of operands, R: that of the result. %9 stands for the first operand, in halves */
static const one cases[] = {
	{"T[9,4]", "reduce_sum %9 dims=[0]", "T[4]"},
	{"T[4,6]", "reduce_sum %9 dims=[0,1]", "T[]"},
	{"T[4,3]", "reduce_prod %0 dims=[0]", "T[3]"},
	{"T[9,4]", "reduce_max %9 dims=[0]", "T[4]"},
	{"T[4,6]", "reduce_min %9 dims=[0,1]", "T[]"},
	{"T[9,4]", "reduce_and %0 dims=[0]", "T[4]"},
	{"T[9,4]", "reduce_or %0 dims=[0]", "T[4]"},
	{"T[9,4]", "reduce_xor %0 dims=[0]", "T[4]"},
	{"T[9,4]", "argmax %9 dim=0 dtype=i32", "i32[4]"},
	{"T[9,4]", "argmin %9 dim=0 dtype=u8", "u8[4]"},
	{"T[16,4]", "top_k %9 k=3 dim=0", "T[3,4]; i32[3,4]"},
	{"T[9,4]", "sort %9 dim=0 num_keys=1 is_stable=true", "T[9,4]"},
	{"T[9,4]", "cumsum %9 dim=0 reverse=false", "T[9,4]"},
	{"T[9,4]", "cummax %9 dim=0 reverse=true", "T[9,4]"},
	{"T[9,4]", "cummin %9 dim=0 reverse=false", "T[9,4]"},
	{"T[10,4]", "dynamic_slice %9 3:i32 1:i32 dims=[4,2]", "T[4,2]"},
	{"T[8,4,3]", "add_patches %9 along=[0] sizes=[3] strides=[1] dilations=[1] dims=[10,4]",
         "T[10,4]"},
	{"T[8,4]; i32[4,1]",
         "gather %9 %1" GATHER_DIMS("1", "0", "0", "", "") " slice_sizes=[1,4] mode=clip",
         "T[4,4]"},
	{"T[8,4]; i32[7,1]; T[7,4]",
         "scatter %0 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=add mode=drop",
         "T[8,4]"},
	{"T[8,4]; i32[7,1]; T[7,4]",
         "scatter %0 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=mul mode=drop",
         "T[8,4]"},
	{"T[8,4]; i32[7,1]; T[7,4]",
         "scatter %9 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=max mode=drop",
         "T[8,4]"},
	{"T[8,4]; i32[7,1]; T[7,4]",
         "scatter %9 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=min mode=clip",
         "T[8,4]"},
	{"T[4,9]; T[9,3]",
         "dot_general %9 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=R",
         "R[4,3]"},
	{"T[8]; T[8]",
         "dot_general %9 %1 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=R",
         "R[]"},
	{"T[2,8]; T[2,8]",
         "dot_general %9 %1 contract_a=[1] contract_b=[1] batch_a=[0] batch_b=[0] dtype=R",
         "R[2]"},
};

/* T, R and %9 replaced */
static const char *with_dtypes(const char *text, const char *of, const char *to, int nin, char *out)
{
	size_t n = 0;

	for (; *text; text++) {
		if (*text == 'T' || *text == 'R')
			n += (size_t)sprintf(out + n, "%s", *text == 'T' ? of : to);
		else if (*text == '9' && text[-1] == '%')
			n += (size_t)sprintf(out + n, "%d", nin);
		else
			out[n++] = *text;
	}
	out[n] = 0;
	return out;
}

/* gives the number of results; %nin is the first operand times 20.5, or if it is whole itself */
static int write_joined(written *w, const one *c, const char *of, const char *to)
{
	static const shape no_shape;
	char operands[128], results[128], equation[512];
	shape out[4];
	const bool whole = *of != 'f' && strncmp(of, "bf", 2) != 0 && *of != 'c';

	*w = (written){.value = {no_shape}};
	w->ninputs = read_shapes(with_dtypes(c->operands, of, to, 0, operands), w->value);
	const int nin = w->ninputs;
	const int nout = read_shapes(with_dtypes(c->results, of, to, 0, results), out);
	put_signature(w, out, nout);
	put(w, " {\n  %%%d: ", nin);
	put_type(w, &w->value[0]);
	if (whole) put(w, " = copy %%0\n  ");
	else put(w, *of == 'c' ? " = mul %%0 (20.5,1.0):%s\n  " : " = mul %%0 20.5:%s\n  ", of);
	for (int j = 0; j < nout; j++) {
		put(w, "%s%%%d: ", j ? ", " : "", nin + 1 + j);
		put_type(w, &out[j]);
	}
	put(w, " = %s\n  return", with_dtypes(c->equation, of, to, nin, equation));
	for (int j = 0; j < nout; j++) put(w, " %%%d", nin + 1 + j);
	put(w, "\n}\n");
	return nout;
}

static bool is_legal(const written *w)
{
	tsr_ctx *ctx = tsr_open(.devices = 1, .log = silent);
	bool legal;

	{
		TSR_SCOPE(ctx);
		legal = tsr_parse(ctx, w->text) && !tsr_status(ctx);
	}
	tsr_close(ctx);
	return legal;
}

static int try_dtypes(const one *c, const char *of, const char *to, int seed)
{
	static written w;
	const int nout = write_joined(&w, c, of, to);

	if (!is_legal(&w)) return 0;
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = silent);
	for (int d = 0; d < DRAWS; d++) try_program(ctx, &w, nout, seed + d);
	assert_int_equal(tsr_close(ctx), 0);
	return 1;
}

static void each_dtype(void **state)
{
	const int first = number_from("TSR_SEED", 1);

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		const bool many = strchr(cases[k].results, 'R');
		const tsr_dtype end = many ? TSR_DTYPE_COUNT_ : TSR_BOOL + 1;
		int tried = 0;
		for (tsr_dtype of = TSR_BOOL; of < TSR_DTYPE_COUNT_; of++)
			for (tsr_dtype to = TSR_BOOL; to < end; to++)
				tried += try_dtypes(&cases[k], tsr_dtype_name(of),
				                    tsr_dtype_name(to),
				                    first + (int)k * 1000 + (int)(of * 20 + to));
		if (tried < (many ? 60 : 7)) fail_msg("%s: %d dtypes", cases[k].equation, tried);
	}
}

/* ---- functions that are made of such rows: what no collective takes is computed all the same */

enum { SIDE = 12 };

static tsr *softmax(tsr *x) { return tsr_softmax(x, 0); }
static tsr *log_softmax(tsr *x) { return tsr_log_softmax(x, 0); }
static tsr *logsumexp(tsr *x) { return tsr_logsumexp(x, .dims = TSR_DIMS(0)); }
static tsr *ptp(tsr *x) { return tsr_ptp(x, .dims = TSR_DIMS(0)); }
static tsr *ptp_all(tsr *x) { return tsr_ptp(x); }
static tsr *nanmax(tsr *x) { return tsr_nanmax(x, .dims = TSR_DIMS(0)); }
static tsr *nanmin(tsr *x) { return tsr_nanmin(x, .dims = TSR_DIMS(0)); }
static tsr *sorted(tsr *x) { return tsr_sort(x, .dim = TSR_DIMS(0)); }
static tsr *matmul(tsr *x) { return tsr_matmul(tsr_t(x), x); }
static tsr *einsum(tsr *x) { return tsr_einsum("ki,kj->ij", x, x); }
static tsr *einsum_whole(tsr *x) { return tsr_einsum("ki,ki->", x, x); }
static tsr *tensordot(tsr *x)
{
	return tsr_tensordot(x, x, .dims_a = TSR_DIMS(0), .dims_b = TSR_DIMS(0));
}
static tsr *inner_product(tsr *x) { return tsr_inner(tsr_t(x), tsr_t(x)); }
static tsr *convolved(tsr *x)
{
	tsr *line = tsr_reshape(x, TSR_DIMS(SIDE * SIDE));
	return tsr_convolve(line, tsr_slice(line, 0, 0, 5));
}

/* with the dtype of the result */
static tsr *matmul_whole(tsr *x) { return tsr_matmul(tsr_t(x), x, .dtype = TSR_I32); }
static tsr *dot_u8(tsr *x) { return tsr_dot(tsr_t(x), x, .dtype = TSR_U8); }
static tsr *tensordot_bool(tsr *x)
{
	return tsr_tensordot(x, tsr_flip(x, TSR_DIMS(1)), .dims_a = TSR_DIMS(0),
	                     .dims_b = TSR_DIMS(0), .dtype = TSR_BOOL);
}
static tsr *sum_whole(tsr *x) { return tsr_sum(x, .dims = TSR_DIMS(0), .dtype = TSR_I32); }
static tsr *sum_f16(tsr *x)
{
	return tsr_sum(tsr_mul(x, 100.5), .dims = TSR_DIMS(0), .dtype = TSR_F16);
}
static tsr *mean_whole(tsr *x) { return tsr_mean(x, .dims = TSR_DIMS(0), .dtype = TSR_I32); }
static tsr *traced(tsr *x) { return tsr_trace(x, .dtype = TSR_I32); }
static tsr *cumulated(tsr *x) { return tsr_cumsum(x, .dim = TSR_DIMS(0), .dtype = TSR_I32); }
static tsr *conv_whole(tsr *x)
{
	tsr *lines = tsr_reshape(x, TSR_DIMS(1, SIDE, SIDE));
	tsr *window = tsr_reshape(x, TSR_DIMS(SIDE, SIDE, 1));
	return tsr_conv_general_dilated(lines, window, .dtype = TSR_I32);
}

typedef tsr *function(tsr *);
static const struct made {
	const char *name;
	function *run;
	tsr_dtype dtype;
} made[] = {
	{"softmax", softmax, TSR_C64},
	{"log_softmax", log_softmax, TSR_C64},
	{"logsumexp", logsumexp, TSR_C64},
	{"ptp", ptp, TSR_C64},
	{"ptp of all", ptp_all, TSR_C128},
	{"nanmax", nanmax, TSR_C64},
	{"nanmin", nanmin, TSR_C128},
	{"sort", sorted, TSR_C64},
	{"matmul", matmul, TSR_BOOL},
	{"einsum", einsum, TSR_BOOL},
	{"einsum to a number", einsum_whole, TSR_BOOL},
	{"tensordot", tensordot, TSR_BOOL},
	{"inner", inner_product, TSR_BOOL},
	{"convolve", convolved, TSR_BOOL},
	{"matmul to i32", matmul_whole, TSR_F32},
	{"dot to u8", dot_u8, TSR_F32},
	{"tensordot to bool", tensordot_bool, TSR_F32},
	{"sum to i32", sum_whole, TSR_F32},
	{"sum to f16", sum_f16, TSR_F32},
	{"mean to i32", mean_whole, TSR_F32},
	{"trace to i32", traced, TSR_F32},
	{"cumsum to i32", cumulated, TSR_F32},
	{"conv to i32", conv_whole, TSR_F32},
};

/* halves, of which some complex numbers have the same; few bools are true */
static tsr *operand(tsr_ctx *ctx, tsr_dtype dtype)
{
	static float of[2 * SIDE * SIDE];
	static bool bools[SIDE * SIDE];

	for (int i = 0; i < SIDE * SIDE; i++) {
		of[2 * i] = (float)(i * 7 % 5) / 2 - 1;
		of[2 * i + 1] = (float)(i * 11 % 13) / 4;
		bools[i] = i * 7 % 17 == 0;
	}
	if (dtype == TSR_BOOL) return tsr_from(ctx, bools, TSR_BOOL, TSR_DIMS(SIDE, SIDE));
	tsr *x = tsr_from(ctx, (const void *)of, TSR_C64, TSR_DIMS(SIDE, SIDE));
	return tsr_astype(x, dtype);
}

static void each_function(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = silent);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	const tsr_spec specs[] = {TSR_P("x"), TSR_P("x", "y"), TSR_P("x*y"), TSR_P(NULL, "y")};

	(void)state;
	for (size_t k = 0; k < sizeof made / sizeof *made; k++)
		for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
			TSR_SCOPE(ctx);
			const struct made *m = &made[k];
			tsr *x = operand(ctx, m->dtype), *cut = tsr_put(x, mesh, specs[s]);
			tsr *want = m->run(x), *eager = m->run(cut);
			tsr *jitted = tsr_call(tsr_jit(ctx, m->run), cut);
			if (tsr_allclose(eager, want, 1e-5, 1e-5) &&
			    tsr_allclose(jitted, want, 1e-5, 1e-5))
				continue;
			fail_msg("%s of %s: %s", m->name, tsr_text(cut),
			         tsr_status(ctx) ? tsr_message(ctx) : "other numbers");
		}
	assert_int_equal(tsr_status(ctx), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_dtype),
		cmocka_unit_test(each_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
