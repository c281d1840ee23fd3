/* test_program.c - types, building, order, hash and equality, inlining, the verifier, sizes,
 * failing allocations. */
#include "program_world.h"

/* ---- types */

static void test_types(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	const type *t = f32(&w, 2, 8, 0);
	assert_ptr_equal(t, f32(&w, 2, 8, 0));
	assert_int_equal(t->size, 16);
	assert_ptr_not_equal(t, f32(&w, 2, 8, 1));
	assert_ptr_equal(type_vary(&w.ir, t, 1), f32(&w, 2, 8, 1));
	assert_ptr_equal(type_vary(&w.ir, t, 0), t);
	assert_int_equal(type_as(&w.ir, t, (etype){TSR_I8, false})->dtype, TSR_I8);
	assert_int_equal(f32(&w, 0, 0, 0)->size, 1);
	const int64_t huge[] = {INT64_MAX / 2, 2, 2}, negative[] = {-1};
	assert_null(type_make(&w.ir, TSR_F32, huge, 3, 0));
	expect_error(&w, TSR_ERROR_TYPE, "is no type");
	assert_null(type_make(&w.ir, TSR_F64, huge, 1, 0));
	expect_error(&w, TSR_ERROR_TYPE, "is no type");
	assert_null(type_make(&w.ir, TSR_F32, negative, 1, 0));
	expect_error(&w, TSR_ERROR_TYPE, "is no type");
	assert_null(type_make(&w.ir, TSR_F32, huge, 256, 0));
	expect_error(&w, TSR_ERROR_TYPE, "at most 255 dims");
	assert_null(type_make(&w.ir, TSR_DTYPE_DEFAULT, NULL, 0, 0));
	expect_error(&w, TSR_ERROR_TYPE, "0 is no dtype");
	world_close(&w);
}

static void test_names(void **state)
{
	const axis axes[] = {{"x", 2, AXIS_MAP, NULL, 0, NULL}, {"xy", 2, AXIS_MAP, NULL, 0, NULL},
	                     {"x", 3, AXIS_MAP, NULL, 0, NULL}};
	world w;

	(void)state;
	world_open(&w);
	assert_int_equal(axis_named(axes, 3, "x", 1), 2);
	assert_int_equal(axis_named(axes, 3, "xyz", 2), 1);
	assert_int_equal(axis_named(axes, 3, "xyz", 3), -1);
	assert_int_equal(axis_named(axes, 3, "", 0), -1);
	assert_ptr_equal(prim_named(&w.ir, "added", 3), &add);
	assert_null(prim_named(&w.ir, "ad", 2));
	assert_null(prim_named(&w.ir, "added", 5));
	world_close(&w);
}

/* ---- building */

static void test_build_orders_and_drops(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	build *b = build_begin(&w.ir, "f", NULL, 0);
	const type *t = f32(&w, 3, 0, 0);
	const var x = build_input(b, t), unused = build_input(b, t);
	const float two = 2;
	const var c = build_literal(b, TSR_F32, &two);
	const var right = one(b, &neg, NULL, x, c);
	const var dead = one(b, &neg, NULL, unused, c);
	const var left = one(b, &add, NULL, x, c);
	const var result = one(b, &add, NULL, left, right);
	(void)dead;
	assert_int_equal(build_neqns(b), 4);
	assert_ptr_equal(build_type(b, result), t);
	assert_non_null(build_literal_of(b, c));
	assert_null(build_literal_of(b, x));
	program *p = build_end(b, (var[]){result, x, c}, 3);
	assert_non_null(p);
	expect_print(&w, p, PRINT_WHERE,
	             "f(%0: f32[3], %1: f32[3]) -> f32[3], f32[3], f32[] {\n"
	             "  %2: f32[3] = add %0 2.0:f32   # b.c:3\n"
	             "  %3: f32[3] = neg %0   # b.c:3\n"
	             "  %4: f32[3] = add %2 %3   # b.c:3\n"
	             "  return %4 %0 2.0:f32\n"
	             "}\n");
	assert_int_equal(p->nvars, 7);
	assert_true(program_verify(p, "trace"));
	program_retain(p);
	program_release(p);
	program_release(p);
	program_release(NULL);
	no_error(&w);
	world_close(&w);
}

static void test_effects_stay_in_order(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	build *b = build_begin(&w.ir, NULL, NULL, 0);
	const var x = build_input(b, f32(&w, 3, 0, 0)), none = {0};
	const var late = one(b, &neg, NULL, x, none);
	build_eqn(b, &show, NULL, &x, 1, NULL, NULL);
	build_eqn(b, &show, NULL, &late, 1, NULL, NULL);
	build_eqn(b, &show, NULL, &x, 1, NULL, NULL);
	program *p = build_end(b, &x, 1);
	assert_true(p->effects);
	expect_print(&w, p, 0,
	             "(%0: f32[3]) -> f32[3] {\n  show %0\n  %1: f32[3] = neg %0\n  show %1\n"
	             "  show %0\n  return %0\n}\n");
	program_release(p);
	round_trip(&w, "f(%0: f32[3]) -> () {\n  show %0\n  return\n}\n");
	program *outer = parse_ok(&w, "(%0: i8[]) -> i8[] {\ncall %0 program=(%0: i8[]) -> () {\n"
	                              "show %0\nreturn }\nreturn %0 }");
	assert_true(outer->effects);
	assert_int_equal(outer->neqns, 1);
	assert_int_equal(outer->depth, 2);
	program_release(outer);
	world_close(&w);
}

/* deep chains need no deep stack, and 10,000 equations no time */
static void test_large(void **state)
{
	enum { EQUATIONS = 10000 };
	world w;

	(void)state;
	world_open(&w);
	const clock_t start = clock();
	axis axes[2];
	build *b = build_begin(&w.ir, "large", axes, axes_xy(&w, axes));
	const var x = build_input(b, f32(&w, 8, 0, 1)), c = build_input(b, f32(&w, 8, 0, 0));
	var y = x;
	for (int i = 0; i < EQUATIONS; i++) y = one(b, i % 2 ? &neg : &add, NULL, y, c);
	assert_int_equal(build_neqns(b), EQUATIONS + 1);
	program *p = build_end(b, &y, 1);
	assert_int_equal(p->neqns, EQUATIONS + 1);
	assert_true(program_verify(p, "build"));
	str s = {.base = &w.base}, again = {.base = &w.base};
	program_print(&s, p, PRINT_WHERE);
	program *q = program_parse(&w.ir, NULL, s.s, s.len);
	no_error(&w);
	assert_true(program_same(p, q));
	program_print(&again, q, PRINT_WHERE);
	assert_string_equal(s.s, again.s);
	str_free(&s);
	str_free(&again);
	program_release(p);
	program_release(q);
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 1);
	world_close(&w);
}

static void test_operands_are_joined(void **state)
{
	axis axes[2];
	world w;
	const float half = 0.5f;

	(void)state;
	world_open(&w);
	build *b = build_begin(&w.ir, "f", axes, axes_xy(&w, axes));
	const var x = build_input(b, f32(&w, 2, 0, 1)), y = build_input(b, f32(&w, 2, 0, 2));
	const var z = build_input(b, f32(&w, 2, 0, 0)), c = build_literal(b, TSR_F32, &half);
	const var sum_xy = one(b, &add, NULL, x, y), sum_xz = one(b, &add, NULL, sum_xy, z);
	const var again = one(b, &add, NULL, y, x), scaled = one(b, &add, NULL, z, c);
	assert_int_equal(build_type(b, sum_xy)->varying, 3);
	assert_int_equal(build_type(b, scaled)->varying, 0);
	assert_int_equal(build_vary(b, x, 2, NULL).id, build_vary(b, x, 3, NULL).id);
	program *p = build_end(b, (var[]){sum_xz, again, scaled}, 3);
	expect_print(&w, p, 0,
	             "axes (x, y of (x:4,y:2)) f(%0: f32[2]{x}, %1: f32[2]{y}, %2: f32[2]) -> "
	             "f32[2]{x,y}, f32[2]{x,y}, f32[2] {\n"
	             "  %3: f32[2]{x,y} = pcast %0 axes=(y)\n"
	             "  %4: f32[2]{x,y} = pcast %1 axes=(x)\n"
	             "  %5: f32[2]{x,y} = add %3 %4\n"
	             "  %6: f32[2]{x,y} = pcast %2 axes=(x,y)\n"
	             "  %7: f32[2]{x,y} = add %5 %6\n"
	             "  %8: f32[2]{x,y} = add %4 %3\n"
	             "  %9: f32[2] = add %2 0.5:f32\n"
	             "  return %7 %8 %9\n"
	             "}\n");
	program_release(p);
	world_close(&w);
}

static void test_build_errors(void **state)
{
	axis axes[2];
	world w;
	var out[2];

	(void)state;
	world_open(&w);
	build *b = build_begin(&w.ir, "f", axes, axes_xy(&w, axes));
	const var x = build_input(b, f32(&w, 2, 0, 1)), z = build_input(b, f32(&w, 2, 0, 0));
	assert_false(build_eqn_exact(b, &add, NULL, (var[]){x, z}, 2, out, "u.c:9", NULL));
	expect_error(&w, TSR_ERROR_SHARDING,
	             "u.c:9: Primitive add requires varying manual axes to match, but got {x} "
	             "and {}; this might be fixed by tsr_pcast(..., \"x\")");
	assert_false(build_eqn(b, &neg, NULL, (var[]){x, z}, 2, out, NULL));
	expect_error(&w, TSR_ERROR_TYPE, "neg takes 1 operand, got 2");
	assert_false(build_eqn(b, &add, NULL, &x, 1, out, NULL));
	expect_error(&w, TSR_ERROR_TYPE, "add takes 2 operands, got 1");
	assert_false(build_eqn(b, &neg, NULL, &(var){99}, 1, out, NULL));
	expect_error(&w, TSR_ERROR_ARGUMENT, "operand 0 is no value");
	assert_int_equal(build_input(b, f32(&w, 2, 0, 4)).id, 0);
	expect_error(&w, TSR_ERROR_SHARDING, "not in scope");
	assert_null(build_end(b, &(var){0}, 1));
	expect_error(&w, TSR_ERROR_ARGUMENT, "result 0 of a program is no value");
	axes[0].name = NULL;
	assert_null(build_begin(&w.ir, "f", axes, 2));
	expect_error(&w, TSR_ERROR_SHARDING, "axis 0 ('') of a program's axis table needs a name");
	axes[0].name = "x";
	axes[0].size = 3;
	assert_null(build_begin(&w.ir, "f", axes, 2));
	expect_error(&w, TSR_ERROR_SHARDING, "axis 0 ('x')");
	assert_null(build_begin(&w.ir, "f", axes, 65));
	expect_error(&w, TSR_ERROR_UNSUPPORTED, "at most 64 axes");
	build_abandon(NULL);
	world_close(&w);
}

static void test_inner_axes_are_checked(void **state)
{
	axis axes[2];
	world w;
	var out;

	(void)state;
	world_open(&w);
	program *inner = parse_ok(&w, "(%0: f32[]) -> f32[] { return %0 }");
	build *b = build_begin(&w.ir, "f", axes, axes_xy(&w, axes));
	const var x = build_input(b, f32(&w, 0, 0, 0));
	assert_false(build_eqn(b, &call_row, &(call_like){inner}, &x, 1, &out, NULL));
	expect_error(&w, TSR_ERROR_SHARDING, "call: the axis table of its program");
	build_abandon(b);
	program *p = inner;
	for (int depth = 1; depth < MAX_PROGRAM_DEPTH; depth++) {
		b = build_begin(&w.ir, NULL, NULL, 0);
		const var in = build_input(b, f32(&w, 0, 0, 0));
		assert_true(build_eqn(b, &call_row, &(call_like){p}, &in, 1, &out, NULL));
		program_release(p);
		p = build_end(b, &out, 1);
		assert_int_equal(p->depth, depth + 1);
	}
	str s = {.base = &w.base};
	program_print(&s, p, 0);
	round_trip(&w, s.s);
	str_free(&s);
	b = build_begin(&w.ir, NULL, NULL, 0);
	const var in = build_input(b, f32(&w, 0, 0, 0));
	assert_false(build_eqn(b, &call_row, &(call_like){p}, &in, 1, &out, NULL));
	expect_error(&w, TSR_ERROR_UNSUPPORTED, "nest deeper than 64");
	build_abandon(b);
	program_release(p);
	world_close(&w);
}

/* inner programs live as long as what holds them */
static void test_programs_are_kept(void **state)
{
	world w;
	var out;

	(void)state;
	world_open(&w);
	program *inner = parse_ok(&w, "g(%0: f32[]) -> f32[] {\n%1: f32[] = neg %0\nreturn %1 }");
	build *b = build_begin(&w.ir, "f", NULL, 0);
	const var x = build_input(b, f32(&w, 0, 0, 0));
	assert_true(build_eqn(b, &call_row, &(call_like){inner}, &x, 1, &out, NULL));
	program_release(inner);
	program *p = build_end(b, &out, 1);
	assert_ptr_equal(eqn_program(&p->eqns[0]), inner);
	assert_int_equal(inner->refs, 1);
	expect_print(&w, p, 0,
	             "f(%0: f32[]) -> f32[] {\n"
	             "  %1: f32[] = call %0 program=g(%0: f32[]) -> f32[] {\n"
	             "    %1: f32[] = neg %0\n"
	             "    return %1\n"
	             "  }\n"
	             "  return %1\n"
	             "}\n");
	program_release(p);
	world_close(&w);
}

/* ---- hash and equality */

/* a mapped region over one axis, of a name and with a spec */
#define REGION(name, size, spec) \
	"f(%0: f32[4,4]) -> f32[4] {\n%1: f32[4] = region %0 mesh=(" name ":" size ")" \
	" axes=(" name ") in=[" spec "] body=(%0: f32[4]{" name "}) -> f32[4]{" name "} {" \
	"return %0 }\nreturn %1 }"

static void test_same(void **state)
{
	static const struct { const char *a, *b; bool same; } pairs[] = {
		{"f() -> () { return }", "g() -> () { return }", true},
		{REGION("x", "4", "[x]"), REGION("u", "4", "[u,-]"), true},
		{REGION("x", "4", "[x]"), REGION("u", "4", "[-,u]"), false},
		{REGION("x", "4", "[x]"), REGION("u", "4", ""), false},
		{REGION("x", "4", "[x]"), REGION("u", "8", "[u]"), false},
		{"axes (x: 2) f() -> () { return }", "axes (y: 2) f() -> () { return }", true},
		{"axes (x: 2) f() -> () { return }", "axes (x: 3) f() -> () { return }", false},
		{"axes (x: 2) f() -> () { return }", "axes (x of (x:2)) f() -> () { return }",
		 false},
		{"axes (x of (x:2,y:2)) f() -> () { return }",
		 "axes (y of (x:2,y:2)) f() -> () { return }", false},
		{"axes (x of (x:2,y:2)) f() -> () { return }",
		 "axes (u of (u:2,y:2)) f() -> () { return }", true},
		{"axes (x of (x:2)) f() -> () { return }",
		 "axes (x of (x:2)[1,0]) f() -> () { return }", false},
		{"f() -> f32[] { return 0:f32 }", "f() -> f32[] { return -0.0:f32 }", false},
		{"f() -> f32[] { return 0:f32 }", "f() -> f32[] { return 0.0:f32 }", true},
		{"f(%0: f32[]) -> f32[] { return %0 }", "f(%0: f32[1]) -> f32[1] { return %0 }",
		 false},
		{"f(%0: f32[2]) -> f32[] {\n%1: f32[] = sum %0 dims=[0]\n return %1 }",
		 "f(%3: f32[2]) -> f32[] {\n%2: f32[] = sum %3 dims=[0] \"n\" # a.c:1\n return "
		 "%2 }", true},
		{"f(%0: f32[2]) -> f32[] {\n%1: f32[] = sum %0 dims=[0]\n return %1 }",
		 "f(%0: f32[2]) -> f32[] {\n%1: f32[] = sum %0 dims=[1]\n return %1 }", false},
		{"f(%0: f32[]) -> f32[] {\n%1: f32[] = call %0 program=g(%0: f32[]) -> f32[] { "
		 "return %0 }\nreturn %1 }",
		 "f(%0: f32[]) -> f32[] {\n%1: f32[] = call %0 program=(%2: f32[]) -> f32[] { "
		 "return %2 }\nreturn %1 }",
		 true},
		{"f(%0: f32[]) -> f32[] {\n%1: f32[] = call %0 program=g(%0: f32[]) -> f32[] { "
		 "return %0 }\nreturn %1 }",
		 "f(%0: f32[]) -> f32[] {\n%1: f32[] = call %0 program=(%2: f32[]) -> f32[] { "
		 "return 1:f32 }\nreturn %1 }",
		 false},
	};
	world w;

	(void)state;
	world_open(&w);
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		program *a = parse_ok(&w, pairs[i].a), *b = parse_ok(&w, pairs[i].b);
		assert_int_equal(program_same(a, b), pairs[i].same);
		assert_int_equal(program_hash(a) == program_hash(b), pairs[i].same);
		program_release(a);
		program_release(b);
	}
	world_close(&w);
}

/* whether a literal is shared between equations does not show */
static void test_shared_literals(void **state)
{
	const float two = 2;
	program *p[2];
	world w;

	(void)state;
	world_open(&w);
	for (int shared = 0; shared < 2; shared++) {
		build *b = build_begin(&w.ir, "f", NULL, 0);
		const var x = build_input(b, f32(&w, 2, 0, 0)), c = build_literal(b, TSR_F32, &two);
		const var y = one(b, &add, NULL, x, c);
		const var z = one(b, &add, NULL, y, shared ? c : build_literal(b, TSR_F32, &two));
		p[shared] = build_end(b, &z, 1);
	}
	assert_true(program_same(p[0], p[1]));
	program_release(p[0]);
	program_release(p[1]);
	world_close(&w);
}

/* ---- inlining */

static void test_inline(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	program *p = parse_ok(&w, sample_texts[3]);
	const axis outer[] = {{"i", 3, AXIS_MAP, NULL, 0, NULL},
	                      {"y", 2, AXIS_MESH, mesh_xy(&w), 1, NULL},
	                      {"x", 4, AXIS_MESH, mesh_xy(&w), 0, NULL}};
	build *b = build_begin(&w.ir, "g", outer, 3);
	const var in[] = {build_input(b, f32(&w, 2, 8, 6)),
	                  build_input(b, type_make(&w.ir, TSR_I32, NULL, 0, 2))};
	var out[2];
	assert_true(build_inline(b, p, in, out, (int[]){2, 1}));
	program_release(p);
	p = build_end(b, (var[]){out[1], out[0], in[0]}, 3);
	expect_print(&w, p, PRINT_WHERE,
	             "axes (i: 3, y, x of (x:4,y:2)) g(%0: f32[2,8]{y,x}, %1: i32[]{y}) -> "
	             "i32[]{y}, f32[2,8]{x}, "
	             "f32[2,8]{y,x} {\n"
	             "  %2: i32[]{y} = move %1 axes=(y) groups=[[0],[1]] perm=[0>1,1>0] "
	             "tiled=true to=varying\n"
	             "  %3: f32[2,8]{x} = move %0 axes=(y) perm=[] to=invarying \"a "
	             "\\\"note\\\"\"   # m.c:7\n"
	             "  return %2 %3 %0\n"
	             "}\n");
	assert_true(program_verify(p, "inline"));
	program_release(p);
	no_error(&w);
	world_close(&w);
}

/* programs inside equations are renumbered too */
static void test_inline_inner(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	program *p = parse_ok(&w,
		"axes (j: 5) f(%0: f32[]{j}) -> f32[]{j} {\n"
		"  %1: f32[]{j} = region %0 mesh=(x:4,y:2) axes=(y) in=[] body=(%0: f32[]{j,y}) "
			"-> f32[]{j,y} {\n"
		"    %1: f32[]{j,y} = add %0 2:f32\n"
		"    %2: f32[]{j,y} = call %1 program=(%0: f32[]{j,y}) -> f32[]{j,y} {\n"
		"      return %0\n    }\n"
		"    return %2\n  }\n"
		"  return %1\n}\n");
	const axis outer[] = {{"i", 3, AXIS_MAP, NULL, 0, NULL}, {"j", 5, AXIS_MAP, NULL, 0, NULL}};
	build *b = build_begin(&w.ir, "g", outer, 2);
	const var in = build_input(b, f32(&w, 0, 0, 2));
	var out;
	assert_true(build_inline(b, p, &in, &out, (int[]){1}));
	program_release(p);
	p = build_end(b, &out, 1);
	assert_true(program_verify(p, "inline"));
	const program *body = eqn_program(&p->eqns[0]);
	assert_int_equal(body->naxes, 3);
	assert_int_equal(type_of(body, body->in[0])->varying, 6);
	assert_int_equal(body->refs, 1);
	str s = {.base = &w.base};
	program_print(&s, p, 0);
	round_trip(&w, s.s);
	str_free(&s);
	program_release(p);
	no_error(&w);
	world_close(&w);
}

/* ---- verifier */

static void expect_unverified(world *w, const program *p, const char *message)
{
	assert_false(program_verify(p, "a pass"));
	expect_error(w, error_code(&w->base), message);
}

static void test_verify(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	program *p = parse_ok(&w, "f(%0: f32[2]) -> f32[2] {\n%1: f32[2] = neg %0 # a.c:1\n"
	                          "%2: f32[2] = add %1 %1\nreturn %2 }");
	var_info vars[4];
	eqn eqns[2];
	memcpy(vars, p->vars, sizeof vars);
	memcpy(eqns, p->eqns, sizeof eqns);
	program bad = *p;
	bad.vars = vars;
	bad.eqns = eqns;
	assert_true(program_verify(&bad, "a pass"));
	vars[2].type = f32(&w, 3, 0, 0);
	expect_unverified(&w, &bad, "a.c:1: %1 has type f32[3], inferred is f32[2]\n"
	                  "  equation 0: %1: f32[3] = neg %0   # a.c:1\n  in program 'f' after a "
	                  "pass");
	vars[2] = p->vars[2];
	eqns[0].in = &(var){3};
	expect_unverified(&w, &bad, "%2 is used before its definition");
	eqns[0].in = &(var){4};
	eqns[0].nin = 0;
	expect_unverified(&w, &bad, "neg takes 1 operand, got 0");
	eqns[0] = p->eqns[0];
	eqns[1].out = &(var){2};
	expect_unverified(&w, &bad, "%1 is defined twice");
	eqns[1] = p->eqns[1];
	eqns[1].nout = 0;
	expect_unverified(&w, &bad, "add has 1 results, not 0");
	eqns[1] = p->eqns[1];
	bad.out = &(var){9};
	expect_unverified(&w, &bad, "variable id 9 is not in the table");
	bad.out = p->out;
	bad.effects = true;
	expect_unverified(&w, &bad, "the program is marked with effects");
	program_release(p);
	/* one program in two equations */
	build *b = build_begin(&w.ir, "g", NULL, 0);
	var x = build_input(b, f32(&w, 0, 0, 0));
	p = parse_ok(&w, sample_texts[0]);
	for (int i = 0; i < 2; i++)
		assert_true(build_eqn(b, &call_row, &(call_like){p}, &x, 1, &x, NULL));
	program_release(p);
	p = build_end(b, &x, 1);
	assert_true(program_verify(p, "a pass"));
	program_release(p);
	p = parse_ok(&w, "f(%0: f32[2]) -> f32[2] {\n%1: f32[2] = bad_sum %0 dims=[]\nreturn %1 }");
	expect_unverified(&w, p,
	                  "factor rule of bad_sum: dim 0 of result 0 has a factor that is summed "
	                  "over\n"
	                  "  equation 0: %1: f32[2] = bad_sum %0 dims=[]\n  in program 'f' after "
	                  "a pass");
	program_release(p);
	world_close(&w);
}

/* ---- parameters */

static void test_rows(void **state)
{
	(void)state;
	assert_int_equal(params_size(NULL), 0);
	assert_int_equal(params_size(move_fields), sizeof(move_params));
	assert_int_equal(params_size(region_fields), sizeof(region_params));
	assert_string_equal(column_name(COL_TYPES), "types");
	assert_string_equal(column_name(COL_LOWER), "lower");
	assert_true(prim_has(&neg, COL_FACTORS));
	assert_false(prim_has(&sum, COL_FACTORS));
	assert_int_equal(prim_nout(&both, NULL, 1), 2);
	assert_null(params_field(&move, &(move_params){0}, FIELD_MESH));
}

/* ---- memory */

static void build_print_parse(world *w)
{
	axis axes[2];
	const int n = axes_xy(w, axes);
	build *b = n < 0 ? NULL : build_begin(&w->ir, "f", axes, n);

	if (!b) return;
	const type *t = f32(w, 2, 0, 1), *u = f32(w, 2, 0, 0);
	const var x = t ? build_input(b, t) : (var){0}, y = u ? build_input(b, u) : (var){0};
	var z = one(b, &add, NULL, x, y);
	z = one(b, &add, NULL, z, y);
	program *p = build_end(b, &z, 1);
	if (!p) return;
	program_verify(p, "build");
	str s = {.base = &w->base};
	program_print(&s, p, PRINT_WHERE);
	program *q = s.lost ? NULL : program_parse(&w->ir, NULL, s.s, s.len);
	if (q) assert_true(program_same(p, q));
	str_free(&s);
	program_release(p);
	program_release(q);
	for (size_t i = 0; i < ARRAY_LEN(sample_texts); i++)
		if ((p = parse(w, sample_texts[i]))) {
			program_verify(p, "parse");
			program_release(p);
		}
}

static void inline_region(world *w)
{
	const axis outer[] = {{"j", 3, AXIS_MAP, NULL, 0, NULL}, {"i", 8, AXIS_MAP, NULL, 0, NULL}};
	const type *t = f32(w, 8, 2, 2);
	const char *text = NULL; /* the one that maps a region */
	for (size_t i = 0; i < ARRAY_LEN(sample_texts); i++)
		if (strstr(sample_texts[i], " region ")) text = sample_texts[i];
	program *p = parse(w, text);
	build *b = p ? build_begin(&w->ir, "g", outer, 2) : NULL;
	var in = {0}, out = {0};

	if (b && t) in = build_input(b, t);
	const bool ok = in.id && build_inline(b, p, &in, &out, (int[]){1});
	program_release(p);
	if (ok) program_release(build_end(b, &out, 1));
	else build_abandon(b);
}

static void test_failing_allocations(void **state)
{
	int64_t used = 1, failures = 0;

	(void)state;
	for (int64_t n = 1; used > 0; n++) {
		world w;
		memset(&w, 0, sizeof w);
		assert_true(base_init(&w.base, NULL, NULL, 0));
		w.base.mem.fail_at = n;
		if (world_try(&w)) {
			build_print_parse(&w);
			inline_region(&w);
		}
		used = w.base.mem.fail_at <= 0;
		if (used) {
			assert_int_equal(error_code(&w.base), TSR_ERROR_MEMORY);
			failures++;
		}
		w.base.mem.fail_at = -1;
		world_close(&w);
	}
	assert_true(failures > 100);
}

/* what is between the fields of a record is no part of a key */
static void test_keys_of_axes(void **state)
{
	world w;
	axis axes[2];
	static inner_scope scope[2];

	(void)state;
	world_open(&w);
	for (int i = 0; i < 2; i++) {
		memset(axes, i ? 0xff : 0, sizeof axes);
		memset(&scope[i], i ? 0xff : 0, sizeof scope[i]);
		for (int k = 0; k < 2; k++) {
			axes[k].name = k ? "y" : "x";
			axes[k].size = 2;
			axes[k].kind = AXIS_MAP;
			axes[k].mesh = NULL;
			axes[k].position = 0;
			axes[k].over = NULL;
		}
		build *b = build_begin(&w.ir, "f", axes, 2);
		const program *p = build_end(b, NULL, 0);
		assert_non_null(p);
		b = build_begin(&w.ir, "g", axes, 2);
		assert_true(inner_scope_find(b, &(eqn){.prim = &neg}, 0, NULL, p, &scope[i]));
		assert_int_equal(scope[i].naxes, 2);
		for (int k = 0; k < 2; k++) scope[i].key[k].word[0] = 0; /* its own name */
		build_abandon(b);
		program_release(p);
	}
	assert_memory_equal(scope[0].key, scope[1].key, 2 * sizeof scope[0].key[0]);
	world_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_build_orders_and_drops),
		cmocka_unit_test(test_effects_stay_in_order),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_operands_are_joined),
		cmocka_unit_test(test_build_errors),
		cmocka_unit_test(test_inner_axes_are_checked),
		cmocka_unit_test(test_programs_are_kept),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_shared_literals),
		cmocka_unit_test(test_inline),
		cmocka_unit_test(test_inline_inner),
		cmocka_unit_test(test_keys_of_axes),
		cmocka_unit_test(test_verify),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_failing_allocations),
	};
	return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
