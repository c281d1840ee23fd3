/* test_edges.c - sizes around every vector, lane, block and item, in one dim and in rows and
 * columns; results in place of an input; large ones; items in any cut and order. Each case has some
 * of the sizes, in turn. TSR_ALL=1 tries all, as make check-slow does. */
#include "kernel/lower_cases.h"
#include "native_rig.h"

/* one of so many sizes; not 3, for most come as one below, at and above some multiple */
static size_t of_sizes(void) { return getenv("TSR_ALL") ? 1 : SANITIZED ? 13 : 4; }
/* of the list, which has many cases */
static size_t of_cases(void) { return getenv("TSR_ALL") ? 1 : SANITIZED ? 101 : 29; }

static const int64_t edge_sizes[] = {1,   2,   3,   15,  16,   17,   31,   33,   63,   64,   65,
                                     127, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 8191};

/* Each case of the list (support/row_cases.def) in f32, and every third in f64 too: one of its
 * sizes, or the only dim, is of these */
static void sizes_equal_eval(void **state)
{
	rig *r = *state;
	char dims[24];

	for (size_t i = 0; i < ROW_CASES; i++) {
		const row_case *c = &row_cases[i];
		if (!is_lowered(r, c) || !row_has(c, "SLABC")) continue;
		for (size_t e = i % of_cases(); e < ARRAY_LEN(edge_sizes); e += of_cases()) {
			const int64_t n = edge_sizes[e];
			int64_t size[] = {2, 3, 4, 5, n};
			if (!row_has(c, "L")) size[(i + e) % 3] = n;
			snprintf(dims, sizeof dims, "%lld", (long long)n);
			case_of_sizes(r, c, dims, size, TSR_F32, native_fault, 1);
			if ((i + e / of_cases()) % 3 == 0)
				case_of_sizes(r, c, dims, size, TSR_F64, native_fault, 1);
		}
	}
}

/* ---- rows of several equations. N: the size; M: twice that; P: one more */

static void with_size(char *to, size_t room, const char *text, int64_t n)
{
	size_t at = 0;

	for (const char *c = text; *c && at + 24 < room; c++)
		if (*c == 'N' || *c == 'M' || *c == 'P')
			at += (size_t)snprintf(to + at, room - at, "%lld",
			                       (long long)(*c == 'N'   ? n
			                                   : *c == 'M' ? 2 * n
			                                               : n + 1));
		else
			to[at++] = *c;
	to[at] = 0;
}

#define ROWS \
	"%1: f32[3] = reduce_max %0 dims=[1]\n" \
	"%2: f32[3,N] = broadcast_in_dim %1 dims=[3,N] at=[0]\n" \
	"%3: f32[3,N] = sub %0 %2\n" \
	"%4: f32[3,N] = exp %3\n" \
	"%5: f32[3] = reduce_sum %4 dims=[1]\n" \
	"%6: f32[3,N] = broadcast_in_dim %5 dims=[3,N] at=[0]\n"
static const char *const texts_of_rows[] = {
	"(%0: f32[3,N]) -> f32[3,N] {\n" ROWS "%7: f32[3,N] = div %4 %6\nreturn %7\n}",
	"(%0: f32[3,N]) -> f32[3,N], f32[3,N], f32[3] {\n" ROWS
	"%7: f32[3,N] = log %6\n%8: f32[3,N] = sub %3 %7\nreturn %8 %4 %5\n}",
	"(%0: f32[3,N]) -> f32[3,N] {\n" ROWS
	"%7: f32[3,N] = mul %4 %0\n%8: f32[3] = reduce_sum %7 dims=[1]\n"
	"%9: f32[3,N] = broadcast_in_dim %8 dims=[3,N] at=[0]\n"
	"%10: f32[3,N] = div %4 %6\n%11: f32[3,N] = mul %10 %9\nreturn %11\n}",
	/* squares of one operand beside rows of others */
	"(%0: f32[N,40], %1: f32[40,N], %2: f32[40]) -> f32[40,N] {\n"
	"%3: f32[40,N] = transpose %0 perm=[1,0]\n"
	"%4: f32[40,N] = broadcast_in_dim %2 dims=[40,N] at=[0]\n"
	"%5: f32[40,N] = mul %3 %4\n%6: f32[40,N] = sub %5 %1\nreturn %6\n}",
	/* a stencil with the ends of the row around it */
	"(%0: f32[3,N]) -> f32[3,N], bool[3,N] {\n%1: f32[3,M] = concatenate %0 %0 dim=1\n"
	"%2: f32[3,N] = slice %1 start=[0,1] stop=[3,P] step=[1,1]\n"
	"%4: f32[3,N] = mul %2 %0\n%5: f32[3,N] = rev %4 dims=[1]\n"
	"%6: f32[3,N] = add %0 %5\n%7: bool[3,N] = lt %4 %0\nreturn %6 %7\n}",
	/* rows times a number of their own, which the loop around computes for all lanes at once */
	"(%0: f32[N,34]) -> f32[N] {\n%1: i32[N] = iota dims=[N] dim=0 dtype=i32\n"
	"%2: f32[N] = convert_element_type %1 dtype=f32\n"
	"%3: f32[N,34] = broadcast_in_dim %2 dims=[N,34] at=[0]\n"
	"%4: f32[N] = dot_general %0 %3 contract_a=[1] contract_b=[1] batch_a=[0] batch_b=[0] "
	"dtype=f32\nreturn %4\n}",
	"(%0: f64[N,34], %1: f64[N]) -> f64[N] {\n%2: f64[N] = neg %1\n"
	"%3: f64[N,34] = broadcast_in_dim %2 dims=[N,34] at=[0]\n"
	"%4: f64[N] = dot_general %3 %0 contract_a=[1] contract_b=[1] batch_a=[0] batch_b=[0] "
	"dtype=f64\nreturn %4\n}",
	"(%0: c64[N,34], %1: c64[N]) -> c64[N] {\n%2: c64[N] = neg %1\n"
	"%3: c64[N,34] = broadcast_in_dim %2 dims=[N,34] at=[0]\n"
	"%4: c64[N] = dot_general %3 %0 contract_a=[1] contract_b=[1] batch_a=[0] batch_b=[0] "
	"dtype=c64\nreturn %4\n}",
	"(%0: i16[N,34], %1: i16[N]) -> i16[N] {\n%2: i16[N] = neg %1\n"
	"%3: i16[N,34] = broadcast_in_dim %2 dims=[N,34] at=[0]\n"
	"%4: i16[N] = dot_general %3 %0 contract_a=[1] contract_b=[1] batch_a=[0] batch_b=[0] "
	"dtype=i16\nreturn %4\n}",
	/* the reduction reads the row from its end */
	"(%0: f32[3,N]) -> f32[3,N] {\n%1: f32[3,N] = rev %0 dims=[1]\n%2: f32[3,N] = exp %1\n"
	"%3: f32[3] = reduce_sum %2 dims=[1]\n"
	"%4: f32[3,N] = broadcast_in_dim %3 dims=[3,N] at=[0]\n%5: f32[3,N] = exp %0\n"
	"%6: f32[3,N] = div %5 %4\nreturn %6\n}",
};

static void rows_equal_eval(void **state)
{
	rig *r = *state;
	uint64_t random = 3;
	char text[2048];
	bool fits;

	for (size_t i = 0; i < ARRAY_LEN(texts_of_rows); i++)
		for (size_t e = i % of_sizes(); e < ARRAY_LEN(edge_sizes); e += of_sizes()) {
			with_size(text, sizeof text, texts_of_rows[i], edge_sizes[e]);
			program *p = program_parse(&r->ir, NULL, text, strlen(text));
			if (!p) fail_msg("%s", error_text(&r->base));
			const char *fault = native_fault(p, &random, &fits);
			if (fault) fail_msg("%s%s", text, fault);
			program_release(p);
		}
}

/* ---- in place */

static const char *const in_place_equations[] = {"add %0 %1", "sub %1 %0", "mul %0 %0",
                                                 "exp %0",    "max %1 %0", "pow %0 %1"};

/* the result takes the place of the first operand */
static void in_place(rig *r, const char *equation, int64_t n, tsr_dtype dtype, int w)
{
	const natives *plugin = natives_get();
	char operands_text[64], result[64], error[256];
	uint64_t random = (uint64_t)n;
	bool fits;
	native_code code;

	snprintf(operands_text, sizeof operands_text, "T[%lld]; T[%lld]", (long long)n,
	         (long long)n);
	snprintf(result, sizeof result, "T[%lld]", (long long)n);
	program *p = rig_program(r, operands_text, equation, result, dtype);
	kernel *k = kernel_lower(p, &fits);
	const kernel *one = k;
	operands o = operands_make(p, &random);
	assert_true(k && operands_evaluate(&o, k));
	if (!plugin->type->compile(plugin->open[w], &one, NULL, 1, &code, error, sizeof error))
		fail_msg("%s", error);
	char *x[3] = {o.in[0].data, o.in[1].data, o.in[0].data};
	run_cut(&code, x, &random);
	if (first_difference(type_of(p, p->out[0]), o.in[0].data, o.want[0].data) >= 0)
		fail_msg("%s of %lld in place", equation, (long long)n);
	plugin->type->release(plugin->open[w], &code);
	operands_free(&o);
	kernel_free(k);
	program_release(p);
}

static void results_take_the_place_of_operands(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(in_place_equations); i++)
		for (size_t e = i % of_sizes(); e < ARRAY_LEN(edge_sizes); e += of_sizes())
			in_place(*state, in_place_equations[i], edge_sizes[e],
			         (i + e) % 3 || i == 4 ? TSR_F32 : TSR_C64,
			         (int)((i + e) % WIDTHS));
}

/* ---- results that are written past the caches, at addresses that allow it and others */

static const char *const large_texts[] = {
	"(%0: f32[4096,1024]) -> f32[4096,1024] {\n%1: f32[4096] = reduce_sum %0 dims=[1]\n"
	"%2: f32[4096,1024] = broadcast_in_dim %1 dims=[4096,1024] at=[0]\n"
	"%3: f32[4096,1024] = sub %0 %2\nreturn %3\n}",
	"(%0: f64[2048,1040]) -> f64[2048,1040], f64[2048,1040] {\n"
	"%1: f64[2048] = reduce_max %0 dims=[1]\n"
	"%2: f64[2048,1040] = broadcast_in_dim %1 dims=[2048,1040] at=[0]\n"
	"%3: f64[2048,1040] = sub %0 %2\n%4: f64[2048,1040] = mul %0 %2\nreturn %3 %4\n}",
	"(%0: f32[4096,1036]) -> f32[1036,4096], f32[1036,4096] {\n"
	"%1: f32[1036,4096] = transpose %0 perm=[1,0]\n"
	"%2: f32[1036,4096] = abs %1\nreturn %1 %2\n}",
	"(%0: f64[1032,2050]) -> f64[2050,1032] {\n"
	"%1: f64[2050,1032] = transpose %0 perm=[1,0]\nreturn %1\n}",
	"(%0: f32[4100,1025]) -> f32[4100,1025] {\n%1: f32[4100] = reduce_max %0 dims=[1]\n"
	"%2: f32[4100,1025] = broadcast_in_dim %1 dims=[4100,1025] at=[0]\n"
	"%3: f32[4100,1025] = sub %0 %2\nreturn %3\n}",
};

/* bytes from a multiple of the widest vector, for each result */
static const int offsets[][2] = {{0, 0}, {8, 8}, {0, 8}, {32, 16}};

static void large_results(const operands *o, const kernel *k, int w)
{
	const natives *plugin = natives_get();
	const program *p = o->p;
	uint64_t random = 5;
	char *x[3] = {o->in[0].data}, error[256];
	native_code code;

	if (!plugin->type->compile(plugin->open[w], &k, NULL, 1, &code, error, sizeof error))
		fail_msg("%s", error);
	for (size_t i = 0; i < ARRAY_LEN(offsets); i++) {
		for (int j = 0; j < p->nout; j++) {
			x[1 + j] = o->got[j].all + offsets[i][j];
			memset(x[1 + j], 0xa5, o->got[j].bytes);
		}
		run_cut(&code, x, &random);
		for (int j = 0; j < p->nout; j++)
			assert_true(first_difference(type_of(p, p->out[j]), x[1 + j],
			                             o->want[j].data) < 0);
	}
	plugin->type->release(plugin->open[w], &code);
}

static void large_results_equal_eval(void **state)
{
	rig *r = *state;
	uint64_t random = 5;
	bool fits;

	for (size_t i = 0; i < ARRAY_LEN(large_texts); i++) {
		program *p = program_parse(&r->ir, NULL, large_texts[i], strlen(large_texts[i]));
		if (!p) fail_msg("%s", error_text(&r->base));
		kernel *k = kernel_lower(p, &fits);
		assert_non_null(k);
		operands o = operands_make(p, &random);
		assert_true(operands_evaluate(&o, k));
		for (int w = 0; w < WIDTHS; w++) large_results(&o, k, w);
		operands_free(&o);
		kernel_free(k);
		program_release(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_equal_eval),
		cmocka_unit_test(rows_equal_eval),
		cmocka_unit_test(results_take_the_place_of_operands),
		cmocka_unit_test(large_results_equal_eval),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
