/* test_edges.c - the edges of rows that hold programs: they agree with the types outside and
 * inside, each value is named as often as it should be, and the example at the head of
 * program/edges.c is true. */
#include "runtime/runtime.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include "support/heads.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

/* Programs of one equation. inside: by operand, what it is in each program inside, one letter each:
 * "-" not there, "s" the same, "c" a carry, "l" a slice, "b" a block. results: the same of the
 * results. All values that may not be taken for each other differ in type. */
static const struct edges_case {
	const char *prim, *inside, *results, *text;
} cases[] = {
	{"call", "s s", "s s",
         "f(%0: f32[2], %1: i32[3]) -> i32[3], f32[2] {\n"
         "  %2: i32[3], %3: f32[2] = call %0 %1 "
         "program=(%0: f32[2], %1: i32[3]) -> i32[3], f32[2] {\n"
         "    return %1 %0\n"
         "  }\n"
         "  return %2 %3\n"
         "}\n"},
	{"remat", "s s", "s",
         "f(%0: f32[2], %1: i32[3]) -> f32[2] {\n"
         "  %2: f32[2] = remat %0 %1 policy=nothing names=\"\" "
         "program=(%0: f32[2], %1: i32[3]) -> f32[2] {\n"
         "    %2: f32[2] = sin %0\n"
         "    return %2\n"
         "  }\n"
         "  return %2\n"
         "}\n"},
	/* rules are not run, and have no edges */
	{"custom_jvp", "s- s-", "s-",
         "f(%0: f32[2], %1: i32[3]) -> f32[2] {\n"
         "  %2: f32[2] = custom_jvp %0 %1 wrt=[0] program=(%0: f32[2], %1: i32[3]) -> f32[2] {\n"
         "    return %0\n"
         "  } rule=(%0: f32[2], %1: i32[3], %2: f32[2]) -> f32[2], f32[2] {\n"
         "    return %0 %2\n"
         "  }\n"
         "  return %2\n"
         "}\n"},
	{"custom_vjp", "s-- s--", "s--",
         "f(%0: f32[2], %1: i32[3]) -> f32[2] {\n"
         "  %2: f32[2] = custom_vjp %0 %1 wrt=[0] program=(%0: f32[2], %1: i32[3]) -> f32[2] {\n"
         "    return %0\n"
         "  } forward=(%0: f32[2], %1: i32[3]) -> f32[2], i32[3] {\n"
         "    return %0 %1\n"
         "  } backward=(%0: i32[3], %1: f32[2]) -> f32[2] {\n"
         "    return %1\n"
         "  }\n"
         "  return %2\n"
         "}\n"},
	{"cond", "-- ss ss", "ss",
         "f(%0: bool[], %1: f32[2], %2: f64[]) -> f32[2] {\n"
         "  %3: f32[2] = cond %0 %1 %2 branches=[(%0: f32[2], %1: f64[]) -> f32[2] {\n"
         "    return %0\n"
         "  }, (%0: f32[2], %1: f64[]) -> f32[2] {\n"
         "    %2: f32[2] = sin %0\n"
         "    return %2\n"
         "  }]\n"
         "  return %3\n"
         "}\n"},
	{"cond", "--- sss", "sss sss",
         "f(%0: i32[], %1: f32[2]) -> f32[2], f32[] {\n"
         "  %2: f32[2], %3: f32[] = cond %0 %1 branches=[(%0: f32[2]) -> f32[2], f32[] {\n"
         "    return %0 1.0:f32\n"
         "  }, (%0: f32[2]) -> f32[2], f32[] {\n"
         "    return %0 2.0:f32\n"
         "  }, (%0: f32[2]) -> f32[2], f32[] {\n"
         "    return %0 3.0:f32\n"
         "  }]\n"
         "  return %2 %3\n"
         "}\n"},
	{"while", "s- -s -s cc cc", "-c -c",
         "f(%0: i32[], %1: f32[2], %2: i32[2], %3: f32[], %4: f64[2]) -> f32[], f64[2] {\n"
         "  %5: f32[], %6: f64[2] = while %0 %1 %2 %3 %4 cond_consts=1 body_consts=2 "
         "cond=(%0: i32[], %1: f32[], %2: f64[2]) -> bool[] {\n"
         "    %3: bool[] = lt %1 9.0:f32\n"
         "    return %3\n"
         "  } body=(%0: f32[2], %1: i32[2], %2: f32[], %3: f64[2]) -> f32[], f64[2] {\n"
         "    %4: f32[] = reduce_sum %0 dims=[0]\n"
         "    return %4 %3\n"
         "  }\n"
         "  return %5 %6\n"
         "}\n"},
	{"scan", "s s c c l", "c c l",
         "f(%0: i32[], %1: f32[2], %2: f32[], %3: f64[2], %4: f32[3,5])\n"
         "  -> f32[], f64[2], f32[3,2] {\n"
         "  %5: f32[], %6: f64[2], %7: f32[3,2] = scan %0 %1 %2 %3 %4 length=3 consts=2 carry=2 "
         "unroll=1 body=(%0: i32[], %1: f32[2], %2: f32[], %3: f64[2], %4: f32[5])\n"
         "    -> f32[], f64[2], f32[2] {\n"
         "    %5: f32[] = reduce_sum %4 dims=[0]\n"
         "    return %5 %3 %1\n"
         "  }\n"
         "  return %5 %6 %7\n"
         "}\n"},
	{"scan", "l", "l",
         "f(%0: f32[3,5]) -> f32[3,5] {\n"
         "  %1: f32[3,5] = scan %0 length=3 consts=0 carry=0 unroll=1 "
         "body=(%0: f32[5]) -> f32[5] {\n"
         "    %1: f32[5] = sin %0\n"
         "    return %1\n"
         "  }\n"
         "  return %1\n"
         "}\n"},
	{"shard_map", "b b", "b b",
         "f(%0: f32[8], %1: i32[2,6]) -> i32[2,6], f32[8] {\n"
         "  %2: i32[2,6], %3: f32[8] = shard_map %0 %1 mesh=(x:2,y:3) axes=(x,y) in=[[x],[-,y]] "
         "out=[[-,y],[x]] body=(%0: f32[4]{x}, %1: i32[2,2]{y}) -> i32[2,2]{y}, f32[4]{x} {\n"
         "    %2: f32[4]{x} = sin %0\n"
         "    return %1 %2\n"
         "  }\n"
         "  return %2 %3\n"
         "}\n"},
};

enum { MOST_PROGRAMS = 3, MOST_VALUES = 8 };

static const char letters[] = {[EDGE_WHICH] = '-', [EDGE_SAME] = 's', [EDGE_CARRY] = 'c',
                               [EDGE_SLICE] = 'l', [EDGE_BLOCK] = 'b'};
static const char *const words[] = {[EDGE_WHICH] = "which", [EDGE_SAME] = "same",
                                    [EDGE_CARRY] = "carry", [EDGE_SLICE] = "slice",
                                    [EDGE_BLOCK] = "block"};

static program *parse(tsr_ctx *ctx, const char *text)
{
	program *p = program_parse(&ctx->ir, TSR_HERE, text, strlen(text));

	if (!p) fail_msg("%s\n%s", tsr_message(ctx), text);
	return p;
}

static edge_kind kind_of(bool (*next)(const eqn *, bundle *), const eqn *e, int at)
{
	for (bundle s = {0}; next(e, &s);)
		if (at >= s.first && at < s.first + s.n) return s.of->kind;
	fail_msg("%s: number %d is in no bundle", e->prim->name, at);
	return EDGE_END;
}

/* ---- types: inside is what is made of outside */

static void agrees(const program *p, const eqn *e, edge_kind kind, const type *outside,
                   const type *inside, const shardings *specs, int at)
{
	int64_t block[MOST_VALUES];
	bool same = false;

	if (kind == EDGE_SAME || kind == EDGE_CARRY) same = type_agrees(inside, outside);
	if (kind == EDGE_SLICE) same = type_agrees(inside, type_slice(p->ir, outside));
	if (kind == EDGE_BLOCK) {
		assert_true(outside->ndim <= MOST_VALUES);
		sharding_block_dims(specs->v[at], outside->dims, outside->ndim, block);
		same = inside->dtype == outside->dtype &&
		       dims_same(inside->dims, inside->ndim, block, outside->ndim);
	}
	if (!same) fail_msg("%s, value %d: the types do not agree", e->prim->name, at);
}

static const shardings *specs_of(const eqn *e, bool results)
{
	const shard_map_params *p = e->prim == &tsr__prim_shard_map ? e->params : NULL;

	return !p ? NULL : results ? &p->out : &p->in;
}

/* operands: by operand and program, the letter of its input */
static void check_inputs_of(const program *p, const eqn *e, int which, const program *inside,
                            char operands[][MOST_PROGRAMS + 1])
{
	for (int i = 0; i < inside->nin; i++) {
		const int at = edge_operand(e, which, i);
		assert_in_range(at, 0, e->nin - 1);
		const edge_kind kind = kind_of(operands_next, e, at);
		agrees(p, e, kind, type_of(p, e->in[at]), type_of(inside, inside->in[i]),
		       specs_of(e, false), at);
		assert_int_equal(operands[at][which], '-');
		operands[at][which] = letters[kind];
	}
	assert_int_equal(edge_operand(e, which, inside->nin), -1);
}

static void check_results_of(const program *p, const eqn *e, int which, const program *inside,
                             char results[][MOST_PROGRAMS + 1])
{
	for (int k = 0; k < inside->nout; k++) {
		const int at = edge_result(e, which, k);
		const type *t = type_of(inside, inside->out[k]);
		assert_int_equal(at >= 0, edge_gives(e, which));
		if (at < 0) {
			assert_true(t->dtype == TSR_BOOL && !t->ndim);
			continue;
		}
		assert_in_range(at, 0, e->nout - 1);
		const edge_kind kind = kind_of(results_next, e, at);
		agrees(p, e, kind, type_of(p, e->out[at]), t, specs_of(e, true), at);
		assert_int_equal(results[at][which], '-');
		results[at][which] = letters[kind];
	}
	assert_int_equal(edge_result(e, which, inside->nout), -1);
}

/* what is carried goes back to an operand that is, each to its own, of one type */
static void check_carry(const program *p, const eqn *e)
{
	int last = -1, carried = 0;

	for (int r = 0; r < e->nout; r++) {
		const int back = edge_back(e, r);
		assert_int_equal(back >= 0, kind_of(results_next, e, r) == EDGE_CARRY);
		if (back < 0) continue;
		assert_in_range(back, last + 1, e->nin - 1);
		assert_int_equal(kind_of(operands_next, e, back), EDGE_CARRY);
		assert_true(type_agrees(type_of(p, e->in[back]), type_of(p, e->out[r])));
		last = back;
		carried++;
	}
	for (int i = 0; i < e->nin; i++) carried -= kind_of(operands_next, e, i) == EDGE_CARRY;
	assert_int_equal(carried, 0);
}

static void check_names(const struct edges_case *c, const char *what, const char *want,
                        char named[][MOST_PROGRAMS + 1], int n)
{
	char text[MOST_VALUES * (MOST_PROGRAMS + 2)] = "";

	for (int i = 0; i < n; i++) strcat(strcat(text, i ? " " : ""), named[i]);
	if (strcmp(text, want) != 0)
		fail_msg("the %ss of %s are \"%s\", not \"%s\"", what, c->prim, text, want);
}

static void check_case(tsr_ctx *ctx, const struct edges_case *c)
{
	char operands[MOST_VALUES][MOST_PROGRAMS + 1] = {0};
	char results[MOST_VALUES][MOST_PROGRAMS + 1] = {0};
	program *p = parse(ctx, c->text);
	const eqn *e = &p->eqns[0];
	int n = 0;

	assert_string_equal(e->prim->name, c->prim);
	for (inner k = {0}; inner_next(e->prim, e->params, &k); n++)
		for (int j = 0; j < MOST_VALUES; j++) operands[j][n] = results[j][n] = '-';
	n = 0;
	for (inner k = {0}; inner_next(e->prim, e->params, &k); n++) {
		if (k.field->kind == FIELD_RULE) continue;
		check_inputs_of(p, e, n, k.program, operands);
		check_results_of(p, e, n, k.program, results);
	}
	check_carry(p, e);
	check_names(c, "operand", c->inside, operands, e->nin);
	check_names(c, "result", c->results, results, e->nout);
	program_release(p);
}

static void each_value_is_named_once(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 6);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) check_case(ctx, &cases[i]);
	assert_int_equal(tsr_close(ctx), 0);
}

static bool runs_programs(const tsr_prim *p)
{
	for (const field *f = p->params; f && f->name; f++)
		if (f->kind == FIELD_PROGRAM || f->kind == FIELD_PROGRAMS) return true;
	return false;
}

static void every_row_has_a_case(void **state)
{
	(void)state;
	for (int k = 0; k < all_prims_count; k++) {
		bool has = !runs_programs(all_prims[k]);
		for (size_t i = 0; i < ARRAY_LEN(cases); i++)
			has = has || strcmp(cases[i].prim, all_prims[k]->name) == 0;
		if (!has) fail_msg("%s runs programs, and has no case here", all_prims[k]->name);
	}
}

/* ---- programs that do not take or give what their equation does */

#define SCAN(operands, body) \
	"f(%0: f32[2], %1: f32[3]) -> f32[2], f32[3] {\n" \
	"  %2: f32[2], %3: f32[3] = scan " operands " length=3 consts=0 carry=1 unroll=1 " \
	"body=" body "\n  return %2 %3\n}\n"
#define COND(first) \
	"f(%0: bool[], %1: f32[2]) -> f32[2] {\n" \
	"  %2: f32[2] = cond %0 %1 branches=[" first ", (%0: f32[2]) -> f32[2] {\n" \
	"    return %0\n  }]\n  return %2\n}\n"
#define WHILE(cond, body) \
	"f(%0: i32[], %1: f32[2]) -> f32[2] {\n" \
	"  %2: f32[2] = while %0 %1 cond_consts=0 body_consts=1 cond=" cond " body=" body "\n" \
	"  return %2\n}\n"
#define TEST "(%0: f32[2]) -> bool[] {\n  return true:bool\n}"
#define STEP "(%0: i32[], %1: f32[2]) -> f32[2] {\n  return %1\n}"

static const struct wrong_case {
	const char *text, *message;
} wrong[] = {
	{SCAN("%0 %1", "(%0: f32[2], %1: f32[3]) -> f32[2], f32[] {\n  return %0 1.0:f32\n}"),
         "scan: input 1 of its body is of type f32[3], and must be f32[]"},
	{SCAN("%0 %1", "(%0: f32[], %1: f32[]) -> f32[], f32[] {\n  return %0 %1\n}"),
         "scan: input 0 of its body is of type f32[], and must be f32[2]"},
	{SCAN("%0 %1", "(%0: f32[2], %1: f32[]) -> f32[], f32[] {\n  return %1 %1\n}"),
         "scan: result 0 of its body is of type f32[], and must be f32[2]"},
	{SCAN("%0 %1", "(%0: f32[2]) -> f32[2], f32[] {\n  return %0 1.0:f32\n}"),
         "scan: its body has 1 inputs, and must have 2"},
	{SCAN("%0 %0", "(%0: f32[2], %1: f32[]) -> f32[2], f32[] {\n  return %0 %1\n}"),
         "scan: operand 1 has no leading dim of size 3"},
	{COND("(%0: f32[2]) -> f32[] {\n  return 1.0:f32\n}"),
         "cond: result 0 of its branches[1] is of type f32[2], and must be f32[]"},
	{COND("(%0: f32[2]) -> () {\n  return\n}"),
         "cond: its branches[0] has 0 results, and must have 1"},
	{COND("(%0: f32[3]) -> f32[2] {\n  %1: f32[2] = slice %0 start=[0] stop=[2] step=[1]\n"
              "  return %1\n}"),
         "cond: input 0 of its branches[0] is of type f32[3], and must be f32[2]"},
	{WHILE("(%0: i32[]) -> bool[] {\n  return true:bool\n}", STEP),
         "while: input 0 of its cond is of type i32[], and must be f32[2]"},
	{WHILE("(%0: f32[2]) -> bool[], bool[] {\n  return true:bool true:bool\n}", STEP),
         "while: its cond has 2 results, and must have 1"},
	{WHILE(TEST, "(%0: f32[2], %1: f32[2]) -> f32[2] {\n  return %1\n}"),
         "while: input 0 of its body is of type f32[2], and must be i32[]"},
	{WHILE(TEST, "(%0: i32[], %1: f32[2]) -> i32[] {\n  return %0\n}"),
         "while: result 0 of its body is of type i32[], and must be f32[2]"},
	{"f(%0: f32[2]) -> f32[] {\n  %1: f32[] = call %0 program=(%0: f32[]) -> f32[] {\n"
         "    return %0\n  }\n  return %1\n}\n",
         "call: input 0 of its program is of type f32[], and must be f32[2]"},
};

static void wrong_programs_are_refused(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 1);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		const char *text = wrong[i].text;
		program *p = program_parse(&ctx->ir, TSR_HERE, text, strlen(text));
		if (p || !strstr(tsr_message(ctx), wrong[i].message))
			fail_msg("\"%s\" is not in \"%s\"\n%s", wrong[i].message,
			         tsr_message(ctx), text);
		tsr_clear(ctx);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- similar equations: of the last case of a row, with these operands and results */

static const struct similar_case {
	const char *prim;
	int in[MOST_VALUES], nin, out[MOST_VALUES], nout;
	int64_t first, second; /* constants and carry, or constants of cond and body */
} alike[] = {
	{"scan", {0, 1, 2, 3, 4}, 5, {0, 1, 2}, 3, 2, 2},
	{"scan", {1, 3, 4, 4}, 4, {1, 2, 2}, 3, 1, 1},
	{"scan", {0, 0, 1, 1, 2, 2, 3}, 7, {0, 0, 1}, 3, 4, 3},
	{"while", {0, 1, 2, 3, 4}, 5, {0, 1}, 2, 1, 2},
	{"while", {1, 3}, 2, {0}, 1, 0, 1},
	{"while", {0, 0, 3, 3, 4, 4}, 6, {0, 0, 1, 1}, 4, 2, 0},
	{"shard_map", {0, 1}, 2, {0, 1}, 2, 0, 0},
	{"shard_map", {1, 1, 0}, 3, {0}, 1, 0, 0},
	{"cond", {0, 1, 1}, 3, {0, 1, 1}, 3, 0, 0},
};

static void check_picked(const shardings *list, const shardings *from, const int *like, int n)
{
	assert_int_equal(list->n, n);
	for (int i = 0; i < n; i++) assert_ptr_equal(list->v[i], from->v[like[i]]);
}

static void check_similar(const struct similar_case *c, const eqn *e, const void *params)
{
	const shard_map_params *map = params, *was = e->params;
	const scan_params *scan = params;
	const while_params *loop = params;

	if (e->prim == &tsr__prim_shard_map) {
		check_picked(&map->in, &was->in, c->in, c->nin);
		check_picked(&map->out, &was->out, c->out, c->nout);
	} else if (e->prim == &tsr__prim_scan) {
		assert_int_equal(scan->consts, c->first);
		assert_int_equal(scan->carry, c->second);
	} else if (e->prim == &tsr__prim_while) {
		assert_int_equal(loop->cond_consts, c->first);
		assert_int_equal(loop->body_consts, c->second);
	}
	if (c->nin == e->nin && c->in[c->nin - 1] == e->nin - 1)
		assert_true(params_same(e->prim->params, params, e->params));
}

static void similar_equations(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 6);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(alike); i++) {
		const struct similar_case *c = &alike[i];
		program *inside[MOST_PROGRAMS];
		int n = 0;
		size_t at = 0;
		while (strcmp(cases[at].prim, c->prim) != 0) at++;
		program *p = parse(ctx, cases[at].text);
		const eqn *e = &p->eqns[0];
		build *b = build_begin(p->ir, NULL, p->axes, p->naxes);
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			inside[n++] = retained(k.program);
		const void *params = similar_params(b, e, operands_like(b, e, c->in, c->nin),
		                                    c->nin, results_like(b, e, c->out, c->nout),
		                                    c->nout, inside);
		assert_true(params && !build_failed(b));
		check_similar(c, e, params);
		build_abandon(b);
		program_release(p);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- equations whose bundles are listed the other way round, as their programs then take and give
 * them, are what they were */

/* the operands or results from the last bundle to the first */
static void bundles_back(bool (*next)(const eqn *, bundle *), const eqn *e, int *list, int all)
{
	for (bundle s = {0}; next(e, &s); all -= s.n)
		for (int i = 0; i < s.n; i++) list[all - s.n + i] = s.first + i;
}

/* takes and gives the values of a program in the order of this list */
static program *listed(const program *p, const eqn *e, int which, const int *in, const int *out)
{
	int takes[MOST_VALUES], gives[MOST_VALUES] = {0}, nin = 0, nout = 0;

	for (int i = 0; i < e->nin; i++)
		for (int k = 0; k < p->nin; k++)
			if (edge_operand(e, which, k) == in[i]) takes[nin++] = k;
	for (int j = 0; j < e->nout; j++)
		for (int k = 0; k < p->nout; k++)
			if (edge_result(e, which, k) == out[j]) gives[nout++] = k;
	return arranged(retained(p), takes, nin, gives, nout ? nout : 1);
}

static void check_listing(const program *p)
{
	const eqn *e = &p->eqns[0];
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	var x[MOST_VALUES], y[MOST_VALUES] = {0};
	int in[MOST_VALUES], out[MOST_VALUES], n = 0;
	program *inside[MOST_PROGRAMS];
	rebuilt to;

	bundles_back(operands_next, e, in, e->nin);
	bundles_back(results_next, e, out, e->nout);
	assert_true(rebuild_begin(&to, b, e, e->nin, e->nout));
	for (int i = 0; i < p->nin; i++) x[i] = build_input(b, type_of(p, p->in[i]));
	for (int i = 0; i < e->nin; i++) rebuild_takes(&to, operand_role(e, in[i]), x[in[i]]);
	for (int r = 0; r < e->nout; r++) rebuild_gives(&to, result_role(e, out[r]), &y[out[r]]);
	for (inner k = {0}; inner_next(e->prim, e->params, &k); n++)
		inside[n] = listed(k.program, e, n, in, out);
	rebuild_put(&to, inside);
	program *q = build_end(b, y, e->nout);
	if (!q || !program_same(p, q)) fail_msg("%s is another one", e->prim->name);
	program_release(q);
}

static void any_order_will_do(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 6);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		program *p = parse(ctx, cases[i].text);
		if (!prim_has_rules(p->eqns[0].prim)) check_listing(p);
		program_release(p);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- the head of edges.c */

static void describe(str *to, const eqn *e)
{
	int which = 0;

	for (inner k = {0}; inner_next(e->prim, e->params, &k); which++) {
		str_printf(to, "program %d\n", which);
		for (int i = 0; i < k.program->nin; i++) {
			const int at = edge_operand(e, which, i);
			str_printf(to, "input %d is operand %d: %s\n", i, at,
			           words[kind_of(operands_next, e, at)]);
		}
		for (int i = 0; i < k.program->nout; i++) {
			const int at = edge_result(e, which, i), back = edge_back(e, at);
			str_printf(to, "result %d is result %d: %s", i, at,
			           words[kind_of(results_next, e, at)]);
			if (back >= 0) str_printf(to, ", then operand %d", back);
			str_put(to, "\n");
		}
	}
}

static void head_is_true(void **state)
{
	tsr_ctx *ctx = tsr_open();
	str text = {.base = &ctx->base};
	head_example x;

	(void)state;
	assert_true(head_example_read("src/program/edges.c", &x));
	program *p = parse(ctx, x.program);
	describe(&text, &p->eqns[0]);
	assert_string_equal(x.lines, text.s);
	str_free(&text);
	program_release(p);
	head_example_free(&x);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_value_is_named_once),
		cmocka_unit_test(every_row_has_a_case),
		cmocka_unit_test(wrong_programs_are_refused),
		cmocka_unit_test(similar_equations),
		cmocka_unit_test(any_order_will_do),
		cmocka_unit_test(head_is_true),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
