/* test_text.c - the text of kernels, equality of kernels, the faults that verify notices, and
 * memory that runs out.
 *
 *     test_text [FILE ...]        only these files; otherwise every .txt file of tests/kernel/texts
 *
 * A file has lines of comment (#), a program, the line "gives", and its kernel. TSR_UPDATE=1 in the
 * environment writes the kernels into the files: look at the difference before it is kept. */
#include <dirent.h>
#include "kernel/kernel_rig.h"

#define FOLDER "tests/kernel/texts/"
#define GIVES "\ngives\n"

static int nfiles;
static char **files;

static char *read_whole(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = calloc(1, 1 << 16);

	if (!f || !text || !fread(text, 1, (1 << 16) - 1, f)) fail_msg("cannot read %s", path);
	fclose(f);
	return text;
}

static program *parse(rig *r, const char *text, size_t len)
{
	program *p = program_parse(&r->ir, NULL, text, len);

	if (!p) fail_msg("%s", error_text(&r->base));
	return p;
}

static kernel *lower(rig *r, const program *p)
{
	bool fits;
	kernel *k = kernel_lower(p, &fits);

	if (!k) fail_msg("%s", fits ? error_text(&r->base) : "too large");
	if (!kernel_verify(k)) fail_msg("%s", error_text(&r->base));
	return k;
}

static kernel *kernel_of(rig *r, const char *text)
{
	program *p = parse(r, text, strlen(text));
	kernel *k = lower(r, p);

	program_release(p);
	return k;
}

static void check_file(rig *r, const char *path)
{
	char *text = read_whole(path), *gives = strstr(text, GIVES);
	const char *begin = text;
	str s = {.base = &r->base};

	if (!gives) fail_msg("%s has no line \"gives\"", path);
	while (*begin == '#') begin = strchr(begin, '\n') + 1;
	program *p = parse(r, begin, (size_t)(gives - begin) + 1);
	kernel *k = lower(r, p);
	kernel_print(&s, k);
	const char *want = gives + strlen(GIVES);
	if (getenv("TSR_UPDATE")) {
		FILE *f = fopen(path, "wb");
		assert_non_null(f);
		fwrite(text, 1, (size_t)(want - text), f);
		fputs(s.s, f);
		fclose(f);
	} else if (strcmp(s.s, want) != 0) {
		fail_msg("%s gives\n%s", path, s.s);
	}
	str_free(&s);
	kernel_free(k);
	program_release(p);
	free(text);
}

static int is_text(const struct dirent *e)
{
	const size_t len = strlen(e->d_name);

	return len > 4 && !strcmp(e->d_name + len - 4, ".txt");
}

static void texts(void **state)
{
	struct dirent **found;
	char path[512];
	const int n = nfiles ? 0 : scandir(FOLDER, &found, is_text, alphasort);

	for (int i = 0; i < nfiles; i++) check_file(*state, files[i]);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, FOLDER "%s", found[i]->d_name);
		check_file(*state, path);
		free(found[i]);
	}
	if (n > 0) free(found);
	assert_true(nfiles || n >= 8);
}

/* ---- the same and another one */

static const char plain[] = "f(%0: f32[4,6], %1: f32[6]) -> f32[4] {\n"
			    "%2: f32[4,6] = broadcast_in_dim %1 dims=[4,6] at=[1]\n"
			    "%3: f32[4,6] = mul %0 %2\n"
			    "%4: f32[4,6] = add %3 1.5:f32\n"
			    "%5: f32[4] = reduce_sum %4 dims=[1]\nreturn %5\n}\n";

static bool same_as_plain(rig *r, const char *from, const char *to)
{
	char text[1024];
	const char *at = strstr(plain, from);

	assert_non_null(at);
	snprintf(text, sizeof text, "%.*s%s%s", (int)(at - plain), plain, to, at + strlen(from));
	kernel *a = kernel_of(r, plain), *b = kernel_of(r, text);
	const bool same = kernel_same(a, b);
	assert_int_equal(same, a->hash == b->hash);
	kernel_free(a);
	kernel_free(b);
	return same;
}

static void same_kernels(void **state)
{
	assert_true(same_as_plain(*state, "f(", "another("));
	assert_true(same_as_plain(*state, "%5\n", "%5 # a comment\n"));
	assert_true(same_as_plain(*state, "mul %0 %2", "mul %0 %2\n%9: f32[4,6] = exp %0"));
	assert_true(same_as_plain(*state, "add %3 1.5:f32", "add %3 1.5e0:f32"));
	assert_false(same_as_plain(*state, "mul", "sub"));
	assert_false(same_as_plain(*state, "%0 %2", "%2 %0"));
	assert_false(same_as_plain(*state, "reduce_sum", "reduce_max"));
	assert_false(same_as_plain(*state, "%1: f32[6])", "%1: f32[6], %8: f32[])"));
}

/* OP: an equation on %0 and a number; T: its dtype */
static kernel *kernel_on_number(rig *r, const char *op, const char *dtype)
{
	char text[256];
	str s = {.base = &r->base};

	snprintf(text, sizeof text, "(%%0: T[5]) -> T[5] {\n%%1: T[5] = %s\nreturn %%1\n}\n", op);
	for (const char *c = text; *c; c++) *c == 'T' ? str_put(&s, dtype) : str_putn(&s, c, 1);
	kernel *k = kernel_of(r, s.s);
	str_free(&s);
	return k;
}

static const struct {
	const char *dtype, *a, *b;
	bool same;
	int literals; /* of the first */
} on_numbers[] = {
	{"f32", "add %0 1.5:T", "add %0 -7.25:T", true, 1},
	{"f64", "mul 3.0:T %0", "mul 1e300:T %0", true, 1},
	{"f32", "sub 1.0:T %0", "sub inf:T %0", true, 1},
	{"f32", "sub 1.0:T %0", "sub %0 1.0:T", false, 1},
	{"f32", "pow %0 2.5:T", "pow %0 0.3:T", true, 1},
	{"f32", "pow 2.5:T %0", "pow -0.3:T %0", true, 1},
	{"f64", "pow %0 2.5:T", "pow %0 0.3:T", true, 1},
	{"f32", "div 1.0:T %0", "div 3.0:T %0", true, 1},
	{"f32", "div %0 3.0:T", "div %0 5.0:T", true, 1},
	/* the number shapes the code */
	{"f32", "div %0 3.0:T", "div %0 4.0:T", false, 1},
	{"f32", "div %0 2.0:T", "div %0 4.0:T", false, 0},
	{"f32", "mul %0 0.0:T", "mul %0 2.0:T", false, 0},
	{"f32", "max %0 1.0:T", "max %0 2.0:T", true, 1},
	{"f32", "max %0 1.0:T", "max %0 -0.0:T", false, 1},
	{"f32", "min %0 -0.0:T", "min %0 0.0:T", false, 0},
	{"bf16", "mul %0 3.0:T", "mul %0 2.0:T", false, 0},
	{"i32", "add %0 3:T", "add %0 2:T", false, 0},
	{"f32", "integer_pow %0 y=3", "integer_pow %0 y=5", false, 0},
};

static void kernels_that_differ_in_numbers(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(on_numbers); i++) {
		kernel *a = kernel_on_number(*state, on_numbers[i].a, on_numbers[i].dtype);
		kernel *b = kernel_on_number(*state, on_numbers[i].b, on_numbers[i].dtype);
		if (kernel_same(a, b) != on_numbers[i].same)
			fail_msg("%s, %s: %s", on_numbers[i].dtype, on_numbers[i].a,
			         on_numbers[i].b);
		assert_int_equal(a->nliterals, on_numbers[i].literals);
		kernel_free(a);
		kernel_free(b);
	}
}

/* each number once, in the order of the text */
static void literals_are_listed(void **state)
{
	kernel *k = kernel_of(*state, "(%0: f32[5]) -> f32[5] {\n"
	                              "%1: f32[5] = mul 3.0:f32 %0\n"
	                              "%2: f32[5] = add %1 5.0:f32\n"
	                              "%3: f32[5] = mul %2 3.0:f32\nreturn %3\n}\n");
	float x[2];

	assert_int_equal(k->nliterals, 2);
	for (int i = 0; i < 2; i++) memcpy(&x[i], &k->literals[i], sizeof x[i]);
	assert_true(x[0] == 3 && x[1] == 5);
	kernel_free(k);
}

/* ---- what verify notices */

static void breaks(rig *r, const char *what, void (*change)(kernel *))
{
	kernel *k = kernel_of(r, plain);

	change(k);
	if (kernel_verify(k)) fail_msg("%s: not noticed", what);
	error_clear(&r->base);
	kernel_free(k);
}

static knode *first_of(kernel *k, kop op)
{
	for (int32_t id = 1; id < k->nnodes; id++)
		if (k->nodes[id].op == op && k->nodes[id].number) return &k->nodes[id];
	fail_msg("no %s", kop_name(op));
	return NULL;
}

static void other_dtype(kernel *k) { first_of(k, K_MUL)->dtype = TSR_F64; }
static void other_load(kernel *k) { first_of(k, K_LOAD)->dtype = TSR_I32; }
static void other_input(kernel *k) { first_of(k, K_LOAD)->bits = 7; }
static void fewer_indices(kernel *k) { first_of(k, K_LOAD)->nargs--; }
static void fewer_operands(kernel *k) { first_of(k, K_ADD)->nargs = 1; }
static void other_reduction(kernel *k) { first_of(k, K_REDUCE)->bits = KR_DOT; }
static void other_region(kernel *k) { first_of(k, K_MUL)->region = 0; }
static void used_before(kernel *k)
{
	const kvar late[2] = {k->results[0].value, k->results[0].value};

	first_of(k, K_MUL)->args = arena_copy(k->arena, late, sizeof late);
}
static void other_result(kernel *k)
{
	k->results[0].value = (kvar){(int32_t)(first_of(k, K_MUL) - k->nodes)};
}

static void verify_notices(void **state)
{
	breaks(*state, "dtype", other_dtype);
	breaks(*state, "dtype of a load", other_load);
	breaks(*state, "input", other_input);
	breaks(*state, "indices", fewer_indices);
	breaks(*state, "operands", fewer_operands);
	breaks(*state, "reduction", other_reduction);
	breaks(*state, "region", other_region);
	breaks(*state, "order", used_before);
	breaks(*state, "result", other_result);
}

/* ---- what does not become a kernel */

/* n equations, each of them the sum of two shifted copies of the one before: 2^n elements */
static void doubling(str *s, int n)
{
	str_put(s, "(%0: f32[100]) -> f32[100] {\n");
	for (int i = 0; i < n; i++) {
		const int at = 1 + 3 * i, from = i ? at - 1 : 0;
		str_printf(s, "%%%d: f32[100] = pad %%%d 0.0:f32 low=[%d] high=[%d] interior=[0]\n",
		           at, from, i + 1, -i - 1);
		str_printf(s, "%%%d: f32[100] = rev %%%d dims=[0]\n", at + 1, at);
		str_printf(s, "%%%d: f32[100] = add %%%d %%%d\n", at + 2, at + 1, from);
	}
	str_printf(s, "return %%%d\n}\n", 3 * n);
}

static void chain(str *s, int n)
{
	str_put(s, "(%0: f32[3]) -> f32[3] {\n");
	for (int i = 0; i < n; i++) str_printf(s, "%%%d: f32[3] = neg %%%d\n", i + 1, i);
	str_printf(s, "return %%%d\n}\n", n);
}

static bool becomes_kernel(rig *r, void (*write)(str *, int), int n)
{
	str s = {.base = &r->base};
	bool fits;

	write(&s, n);
	program *p = parse(r, s.s, s.len);
	kernel *k = kernel_lower(p, &fits);
	const bool made = k;
	assert_true(made == fits && !failed(&r->base));
	kernel_free(k);
	program_release(p);
	str_free(&s);
	return made;
}

static void too_large(void **state)
{
	assert_true(becomes_kernel(*state, doubling, 6));
	assert_false(becomes_kernel(*state, doubling, 40));
	assert_true(becomes_kernel(*state, chain, 500));
	assert_false(becomes_kernel(*state, chain, 501));
}

static void refused(void **state)
{
	static const char text[] = "axes (x of (x:1)) (%0: f32[2]{x}) -> f32[2] {\n"
				   "%1: f32[2] = psum %0 axes=(x) to=invarying\nreturn %1\n}\n";
	static const char two[] = "(%0: f32[2]) -> f32[2], f32[3] {\n"
				  "%1: f32[3] = pad %0 0.0:f32 low=[0] high=[1] interior=[0]\n"
				  "return %0 %1\n}\n";
	rig *r = *state;
	bool fits;
	program *p = parse(r, text, strlen(text)), *q = parse(r, two, strlen(two));

	assert_null(kernel_lower(p, &fits));
	assert_true(fits);
	assert_non_null(
		strstr(error_text(&r->base), "psum is not lowered to kernels: what devices"));
	error_clear(&r->base);
	assert_null(kernel_lower(q, &fits));
	assert_non_null(strstr(error_text(&r->base), "the first dims of another"));
	error_clear(&r->base);
	program_release(p);
	program_release(q);
}

/* ---- the n-th request for memory fails */

static void memory_runs_out(void **state)
{
	rig *r = *state;
	char *text = read_whole(FOLDER "places.txt"), *begin = strchr(text, '\n') + 1;
	program *p = parse(r, begin, (size_t)(strstr(text, GIVES) - begin) + 1);
	const size_t before = mem_in_use(&r->base);
	int failures = 0;

	for (int64_t n = 1;; n++) {
		bool fits;
		r->base.mem.fail_at = n;
		kernel *k = kernel_lower(p, &fits);
		r->base.mem.fail_at = -1;
		assert_true(fits);
		kernel_free(k);
		assert_int_equal(mem_in_use(&r->base), before);
		if (k) break;
		assert_int_equal(error_code(&r->base), TSR_ERROR_MEMORY);
		error_clear(&r->base);
		failures++;
	}
	assert_true(failures > 5);
	program_release(p);
	free(text);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(same_kernels),
		cmocka_unit_test(kernels_that_differ_in_numbers),
		cmocka_unit_test(literals_are_listed),
		cmocka_unit_test(verify_notices),
		cmocka_unit_test(too_large),
		cmocka_unit_test(refused),
		cmocka_unit_test(memory_runs_out),
	};

	nfiles = argc - 1;
	files = argv + 1;
	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
