/* test_program_text.c - programs as text: both ways, free forms, every error. */
#include "program_world.h"

/* ---- text */

static void test_round_trips(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	for (size_t i = 0; i < ARRAY_LEN(sample_texts); i++) round_trip(&w, sample_texts[i]);
	world_close(&w);
}

static void test_comma_locale(void **state)
{
	(void)state;
	if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
		skip();
		return;
	}
	test_round_trips(state);
	setlocale(LC_ALL, "C");
}

/* numbers, order, spaces, comments, defaults: read, and printed in one way */
static void test_free_forms(void **state)
{
	static const char text[] =
		"# a program\r\n"
		"axes( i:8 ,j: 2)f ( %7:f32[ 3 ]{i} , # the operand\n %3: "
			"f32[3]{i})\n->f32[3]{i}{ # begin\n"
		"\n  %9: f32[3]{i} = neg %7 # dead\n"
		"  %4: f32[3]{i} =\n add %3 2:f32\t#  x/y.c:12  \r\n"
		"  %5: f32[3]{i} = move %4 to=varying tiled=false axes=(\n  i,\n j) groups=[] "
			"perm=[]# why\n"
		"  return %5}  # end";
	world w;

	(void)state;
	world_open(&w);
	assert_null(parse(&w, text));
	expect_error(&w, TSR_ERROR_TEXT, "expected '[', found ']'");
	char *fixed = strdup(text);
	memcpy(strstr(fixed, "groups=[]"), "         ", 9);
	program *p = parse_ok(&w, fixed);
	free(fixed);
	expect_print(&w, p, PRINT_WHERE,
	             "axes (i: 8, j: 2) f(%0: f32[3]{i}, %1: f32[3]{i}) -> f32[3]{i} {\n"
	             "  %2: f32[3]{i} = add %1 2.0:f32   # y.c:12\n"
	             "  %3: f32[3]{i} = move %2 axes=(i,j) perm=[] to=varying\n"
	             "  return %3\n"
	             "}\n");
	program_release(p);
	world_close(&w);
}

/* names that an inner program was traced under do not matter to its text */
static void test_inner_names(void **state)
{
	world w;
	var out;

	(void)state;
	world_open(&w);
	program *inner = parse_ok(&w, "axes (j: 8) (%0: f32[]{j}) -> f32[]{j} { return %0 }");
	const axis i = {"i", 8, AXIS_MAP, NULL, 0, NULL};
	build *b = build_begin(&w.ir, "f", &i, 1);
	const var x = build_input(b, f32(&w, 0, 0, 1));
	assert_true(build_eqn(b, &call_row, &(call_like){inner}, &x, 1, &out, NULL));
	program *p = build_end(b, &out, 1);
	str s = {.base = &w.base};
	program_print(&s, p, 0);
	assert_null(strstr(s.s, "j"));
	round_trip(&w, s.s);
	str_free(&s);
	program_release(inner);
	program_release(p);
	world_close(&w);
}

/* what splits a batch is part of what a program means */
static void test_split_batches(void **state)
{
	static const char *const texts[] = {
		"axes (i: 8) f(%0: f32[]) -> f32[] { return %0 }",
		"axes (i: 8 over x) f(%0: f32[]) -> f32[] { return %0 }",
		"axes (i: 8 over x*y) f(%0: f32[]) -> f32[] { return %0 }",
		"axes (j: 8 over x * y) f(%0: f32[]) -> f32[] { return %0 }",
	};
	program *p[ARRAY_LEN(texts)];
	world w;

	(void)state;
	world_open(&w);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) p[i] = parse_ok(&w, texts[i]);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		for (size_t k = 0; k < ARRAY_LEN(texts); k++)
			assert_true(program_same(p[i], p[k]) == (i == k || (i > 1 && k > 1)));
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) program_release(p[i]);
	world_close(&w);
}

static const struct text_error { const char *text, *message; int code; } text_errors[] = {
	{"", "line 1, column 1: expected a program, found the end of the text", 0},
	{"f", "line 1, column 2: expected '(', found the end of the text", 0},
	{"f(", "expected a variable (%0, %1, ...), found the end of the text", 0},
	{"axes (i: 8 over) f() -> () { return }",
	 "expected a mesh axis that splits the batch, found ')'", 0},
	{"f(%0: bool*[]", "line 1, column 11: a bool is never weak", 0},
	{"f(%0: f32 *[]", "expected '['", 0},
	{"f(%0: f32*[]) -> f32[] {\n return %0\n}",
	 "the text says f32[], and the type is f32*[]", 0},
	{"f(%0: f33[]", "line 1, column 7: expected a dtype (f32, i32, bool, ...), found 'f'", 0},
	{"f(%0: f32[-1]", "line 1, column 11: -1 is out of range", 0},
	{"f(%0: f32[9223372036854775808]",
	 "line 1, column 11: an integer that does not fit in 64 bits", 0},
	{"f(%0: f32[9223372036854775807]", "line 1, column 7: a type of more bytes", 0},
	{"f(%0: f32[3037000500,3037000500]", "line 1, column 7: a type of more bytes", 0},
	{"f(%0: f32[2]{x}", "line 1, column 14: no axis named 'x' is in scope", 0},
	{"axes (x: 2) f(%0: f32[2]{x,x}", "column 28: an axis is in the set twice", 0},
	{"axes (x: 2) f(%0: f32[2]{x^1}", "no axis named 'x' is in scope", 0},
	{"axes (x: 0) f", "0 is out of range", 0},
	{"axes (x, y: 2) f", "expected 'of' and a mesh, found ':'", 0},
	{"axes (x) f", "expected 'of' and a mesh, found ')'", 0},
	{"axes (x of (y:2)) f", "this mesh has no axis named 'x'", 0},
	{"axes (x of (x:9)) f", "line 1, column 12 of the program text", TSR_ERROR_SHARDING},
	{"axes (x of (x:2)[0,0]) f", "line 1, column 12 of the program text", TSR_ERROR_SHARDING},
	{"f(%0: f32[], %0: f32[])", "line 1, column 14: %0 is defined twice", 0},
	{"f(%x: f32[])", "expected the number of a variable, found 'x'", 0},
	{"f() -> f32[] {\n return %1\n}", "line 2, column 9: %1 is not defined before this", 0},
	{"f() -> f32[] {\n return\n}",
	 "line 2, column 2: 0 results are returned, not 1 as declared", 0},
	{"f() -> f32[] {\n return 1:i32\n}", "the text says f32[], and the type is i32[]", 0},
	{"f() -> () {\n return\n} g", "line 3, column 3: expected the end of the text, found 'g'",
	 0},
	{"f() -> () {\n return", "expected '}', found the end of the text", 0},
	{"f() -> () {\n", "line 2, column 1: expected an equation or return, found the end", 0},
	{"f() -> () {\n 3", "expected an equation or return, found '3'", 0},
	{"f(%0: f32[]) -> () {\n %1: f32[] = nog %0\n",
	 "line 2, column 14: there is no primitive 'nog'; "
	 "did you mean 'neg'?", 0},
	{"f(%0: f32[]) -> () {\n %1: f32[] = xyzzy %0\n", "there is no primitive 'xyzzy'", 0},
	{"f(%0: f32[]) -> () {\n %1: f32[] = neg %0 %0\n",
	 "neg takes 1 operand, got 2\n  line 2, column 14",
	 TSR_ERROR_TYPE},
	{"f(%0: f32[2], %1: f32[3]) -> () {\n\n %2: f32[] = add %0 %1 # a.c:1\n",
	 "a.c:1: add: sizes differ\n  line 3, column 14 of the program text", TSR_ERROR_TYPE},
	{"f(%0: f32[]) -> () {\n neg %0\n", "line 2, column 2: neg has 1 result, not 0", 0},
	{"f(%0: f32[]) -> () {\n %1: f32[], %2: f32[] = neg %0\n", "neg has 1 result, not 2", 0},
	{"f(%0: f32[]) -> () {\n %1: f16[] = neg %0\n",
	 "line 2, column 2: the text says f16[], and the type "
	 "is f32[]", 0},
	{"f(%0: f32[]) -> () {\n %0: f32[] = neg %0\n", "line 2, column 2: %0 is defined twice", 0},
	{"f(%0: f32[]) -> () {\n %1: f32[] = neg %0 x=1\n", "neg has no parameter 'x'", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = sum %0\n",
	 "column 14: parameter dims of sum is missing", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = sum %0 dim=[0]\n",
	 "sum has no parameter 'dim'; did you mean "
	 "'dims'?", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = sum %0 dims=[0] dims=[0]\n",
	 "column 30: parameter dims of sum "
	 "is given twice", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = sum %0 dims=0\n", "expected '[', found '0'", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = sum %0 dims=[0\n", "expected ']'", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = sum %0 dims=[0,0]\n", "sum: too many dims",
	 TSR_ERROR_TYPE},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = sum %0 dims=[0] }",
	 "expected a parameter or the end of the "
	 "line, found '}'", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = neg 1.5.2:f32\n", "'1.5.2' is no f32", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = neg 300:i8\n", "column 18: '300' is no i8", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = neg 1:x8\n", "column 20: expected a dtype", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = move %0 to=nowhere\n", "there is no choice 'nowhere'",
	 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = move %0 to=invaryng\n", "did you mean 'invarying'?",
	 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = region %0 axes=(x)\n",
	 "parameter axes of region comes after "
	 "mesh", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = region %0 mesh=(x:2) body=\n",
	 "parameter body of region comes "
	 "after axes", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = region %0 mesh=(x:2) axes=(x,x)\n",
	 "axis 'x' is there twice", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = region %0 mesh=(x:2)[] axes=(x)\n",
	 "a mesh needs devices: that of a tsr_pmap whose body is being traced has none", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = region %0 mesh=(x:2) in=[[x,x]]\n",
	 "axis 'x' is there twice", 0},
	{"f(%0: f32[2]) -> () {\n %1: f32[] = region %0 mesh=(x:2) in=[[z]]\n",
	 "the mesh has no axis named "
	 "'z'", 0},
	{"axes (x: 2) f(%0: f32[]{x}, %1: f32[]) -> () {\n %2: f32[]{x} = add %0 %1\n",
	 "Primitive add requires varying manual axes to match, but got {x} and {}",
	 TSR_ERROR_SHARDING},
	{"f(%0: f32[]) -> () {\n %1: f32[] = neg %0 \"a\n", "expected the '\"' that ends a string",
	 0},
	{"f(%0: f32[]) -> () {\n %1: f32[] = neg %0 \"\\q\"\n", "a backslash comes before", 0},
	{"\"\\x00\"()", "a backslash comes before", 0},
	{"f(%0: f32[]) -> () {\n %1: f32[] = neg %0 \"a\" \"b\"\n",
	 "expected a parameter or the end", 0},
	{"f(\x80", "found the byte 0x80", 0},
};

static void test_text_errors(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	for (size_t i = 0; i < ARRAY_LEN(text_errors); i++) {
		const struct text_error *e = &text_errors[i];
		program *p = parse(&w, e->text);
		if (p) fail_msg("no error in: %s", e->text);
		expect_error(&w, e->code ? e->code : TSR_ERROR_TEXT, e->message);
	}
	assert_null(program_parse(&w.ir, "u.c:2", "f(\0)", 4));
	expect_error(&w, TSR_ERROR_TEXT,
	             "u.c:2: line 1, column 3: expected a variable (%0, %1, ...), found "
	             "the byte 0x00");
	world_close(&w);
}

static void test_nesting_is_limited(void **state)
{
	enum { DEPTH = 70 };
	world w;

	(void)state;
	world_open(&w);
	str s = {.base = &w.base};
	for (int i = 0; i < DEPTH; i++) str_put(&s, "(%0: i8[]) -> () {\n call %0 program=");
	assert_null(parse(&w, s.s));
	expect_error(&w, TSR_ERROR_TEXT, "line 65, column 18: programs nest deeper than 64");
	str_free(&s);
	str_put(&s, "f(%0: f32[");
	for (int i = 0; i < 256; i++) str_put(&s, "1,");
	assert_null(parse(&w, s.s));
	expect_error(&w, TSR_ERROR_TEXT, "a type of more than 255 dims");
	str_free(&s);
	str_put(&s, "axes (");
	for (int i = 0; i < 65; i++) str_put(&s, "x: 1,");
	assert_null(parse(&w, s.s));
	expect_error(&w, TSR_ERROR_TEXT, "more than 64 axes are in scope");
	str_free(&s);
	world_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_comma_locale),
		cmocka_unit_test(test_free_forms),
		cmocka_unit_test(test_inner_names),
		cmocka_unit_test(test_split_batches),
		cmocka_unit_test(test_text_errors),
		cmocka_unit_test(test_nesting_is_limited),
	};
	return cmocka_run_group_tests_name("program text", tests, NULL, NULL);
}
