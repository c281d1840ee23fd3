/* test_joined.c - every row that reduces, for every dtype that it takes, and products for every
 * dtype of results too: dims that are reduced are cut over a mesh, and the results of devices are
 * joined. The results are those of one device, bit for bit.
 *
 * Operands are halves, so that a cast to whole numbers loses something in each part, and sums of
 * products have more bits than f16 and bf16; in f32 they are exact in any order. */
#include "spmd/placed_rig.h"
#include "support/row_cases.h"

enum { DRAWS = 6 };

/* %0 in the place of the first operand becomes its halves, %nin */
static const char *with_halves(const char *text, int nin, char *out)
{
	size_t n = 0;

	for (; *text; text++)
		if (text[0] == '%' && text[1] == '0')
			n += (size_t)sprintf(out + n, "%%%d", nin), text++;
		else
			out[n++] = *text;
	out[n] = 0;
	return out;
}

/* gives the number of results; %nin is the first operand times 20.5, or if it is whole itself */
static int write_joined(written *w, const row_case *c, const char *of, const char *to)
{
	static const shape no_shape;
	row_letters l = row_letters_of(of, "A,B", (const int64_t[]){9, 4, 3, 9, 16});
	char equation[512];
	shape out[4];
	const bool whole = *of != 'f' && strncmp(of, "bf", 2) != 0 && *of != 'c';

	*w = (written){.value = {no_shape}};
	l.wide = to;
	const row_texts t = row_texts_of(c, &l);
	w->ninputs = read_shapes(t.operands, w->value);
	const int nin = w->ninputs;
	const int nout = read_shapes(t.results, out);
	put_signature(w, out, nout);
	put(w, " {\n  %%%d: ", nin);
	put_type(w, &w->value[0]);
	if (whole) put(w, " = copy %%0\n  ");
	else put(w, *of == 'c' ? " = mul %%0 (20.5,1.0):%s\n  " : " = mul %%0 20.5:%s\n  ", of);
	for (int j = 0; j < nout; j++) {
		put(w, "%s%%%d: ", j ? ", " : "", nin + 1 + j);
		put_type(w, &out[j]);
	}
	put(w, " = %s\n  return", with_halves(t.equation, c->halves ? nin : 0, equation));
	for (int j = 0; j < nout; j++) put(w, " %%%d", nin + 1 + j);
	put(w, "\n}\n");
	return nout;
}

static bool is_text(const written *w)
{
	tsr_ctx *ctx = tsr_open(.devices = 1, .log = log_nothing);
	bool legal;

	{
		TSR_SCOPE(ctx);
		legal = tsr_parse(ctx, w->text) && !tsr_status(ctx);
	}
	tsr_close(ctx);
	return legal;
}

static int try_dtypes(const row_case *c, const char *of, const char *to, int seed)
{
	static written w;
	const int nout = write_joined(&w, c, of, to);

	if (!is_text(&w)) return 0;
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing);
	for (int d = 0; d < DRAWS; d++) try_program(ctx, &w, nout, seed + d);
	assert_int_equal(tsr_close(ctx), 0);
	return 1;
}

static void each_dtype(void **state)
{
	const int first = number_from("TSR_SEED", 1);
	int all = 0;

	(void)state;
	for (int k = 0; k < ROW_CASES; k++) {
		const row_case *c = &row_cases[k];
		const bool many = row_has(c, "W");
		const tsr_dtype end = many ? TSR_DTYPE_COUNT_ : TSR_BOOL + 1;
		int tried = 0;
		if (!c->joins) continue;
		for (tsr_dtype of = TSR_BOOL; of < TSR_DTYPE_COUNT_; of++)
			for (tsr_dtype to = TSR_BOOL; to < end; to++)
				tried += try_dtypes(c, tsr_dtype_name(of), tsr_dtype_name(to),
				                    first + k * 1000 + (int)(of * 20 + to));
		if (tried < (many ? 60 : 7)) fail_msg("%s: %d dtypes", c->equation, tried);
		all += tried;
	}
	print_message("%d draws\n", all * DRAWS);
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
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing);
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
