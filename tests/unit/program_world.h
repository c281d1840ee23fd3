/* program_world.h - functions that the tests of programs share: small rows, a place to build in,
 * sample texts.
 *
 * cmocka.h comes last: it makes fail() a macro, so that the library's own is called as (fail)(). */
#ifndef TSR_TESTS_PROGRAM_WORLD_H
#define TSR_TESTS_PROGRAM_WORLD_H
#include "program/program.h"
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

/* ---- rows */

static inline bool same_as_first(build *b, const eqn *e, const type *const *in, const type **out)
{
	for (int i = 1; i < e->nin; i++)
		if (in[i]->ndim && in[0]->ndim && in[i]->size != in[0]->size)
			return (fail)(build_base(b), e->where, TSR_ERROR_TYPE, "%s: sizes differ",
			              e->prim->name);
	for (int i = 0; i < e->nout; i++) out[i] = in[0];
	return true;
}

static inline void pass_factors(const eqn *e, const type *const *in, const type *const *out,
                                factors *f)
{
	for (int d = 0; d < out[0]->ndim; d++) {
		const int one = factor_new(f, out[0]->dims[d], FACTOR_PASS);
		for (int i = 0; i < e->nin; i++)
			if (in[i]->ndim) factor_at(f, i, d, one);
		factor_at(f, e->nin, d, one);
	}
}

typedef struct sum_params { ints dims; } sum_params;
static inline bool sum_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const sum_params *p = e->params;

	if (p->dims.n > in[0]->ndim)
		return (fail)(build_base(b), e->where, TSR_ERROR_TYPE, "sum: too many dims");
	out[0] = type_make(build_ir(b), in[0]->dtype, in[0]->dims, in[0]->ndim - p->dims.n, 0);
	return out[0];
}

/* wrong on purpose: the summed dims are in the result */
static inline void sum_factors(const eqn *e, const type *const *in, const type *const *out,
                               factors *f)
{
	(void)out;
	for (int d = 0; d < in[0]->ndim; d++) {
		const int one = factor_new(f, in[0]->dims[d], FACTOR_REDUCE);
		factor_at(f, 0, d, one);
		if (d < in[0]->ndim - ((const sum_params *)e->params)->dims.n) factor_at(f, 1, d,
		                                                                         one);
	}
}

typedef struct iota_like { tsr_dtype dtype; ints dims; int64_t dim; } iota_like;
static inline bool iota_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const iota_like *p = e->params;
	int64_t dims[8];

	(void)in;
	for (int d = 0; d < p->dims.n && d < 8; d++) dims[d] = p->dims.v[d];
	return (out[0] = type_make(build_ir(b), p->dtype, dims, p->dims.n < 8 ? p->dims.n : 8, 0));
}

typedef struct cast_params { ints axes; } cast_params;
static inline axis_set set_of(const ints *axes)
{
	axis_set set = 0;

	for (int i = 0; i < axes->n; i++) set |= (axis_set)1 << axes->v[i];
	return set;
}

static inline bool cast_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const cast_params *p = e->params;

	return (out[0] = type_vary(build_ir(b), in[0], in[0]->varying | set_of(&p->axes)));
}

static const char *const to_words[] = {"varying", "invarying", NULL};
typedef struct move_params { ints axes; groups groups; ints perm; bool tiled; int to; } move_params;
static inline bool move_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const move_params *p = e->params;
	const axis_set set = set_of(&p->axes);

	return (out[0] = type_vary(build_ir(b), in[0], p->to ? in[0]->varying & ~set
	                           : in[0]->varying));
}

typedef struct call_like { const program *program; } call_like;
static inline bool call_like_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const program *p = ((const call_like *)e->params)->program;

	if (p->nin != e->nin) return (fail)(build_base(b), e->where, TSR_ERROR_TYPE,
	                                    "call: operands");
	for (int i = 0; i < p->nin; i++)
		if (type_of(p, p->in[i]) != in[i])
			return (fail)(build_base(b), e->where, TSR_ERROR_TYPE,
			              "call: type of operand %d", i);
	for (int i = 0; i < p->nout; i++) out[i] = type_of(p, p->out[i]);
	return true;
}

typedef struct region_params {
	const mesh *mesh;
	ints manual;
	shardings in;
	bool unchecked;
	const program *body;
} region_params;
static inline bool region_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const region_params *p = e->params;
	int outer;

	(void)in;
	build_axes(b, &outer);
	const axis_set enclosing = outer < MAX_AXES ? ((axis_set)1 << outer) - 1 : ~(axis_set)0;
	if (p->body->nin != e->nin) return (fail)(build_base(b), e->where, TSR_ERROR_TYPE,
	                                          "region");
	for (int i = 0; i < p->body->nout; i++) {
		const type *t = type_of(p->body, p->body->out[i]);
		if (!(out[i] = type_vary(build_ir(b), t, t->varying & enclosing))) return false;
	}
	return true;
}

typedef struct pick_params { const program *yes, *no; } pick_params;
static inline bool pick_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const pick_params *p = e->params;

	(void)in;
	if (p->no->nout != p->yes->nout)
		return (fail)(build_base(b), e->where, TSR_ERROR_TYPE, "pick: results");
	for (int i = 0; i < p->yes->nout; i++) out[i] = type_of(p->yes, p->yes->out[i]);
	return true;
}

static const field sum_fields[] = {{"dims", offsetof(sum_params, dims), FIELD_INTS, NULL}, {0}};
static const field iota_fields[] = {
	{"dtype", offsetof(iota_like, dtype), FIELD_DTYPE, NULL},
	{"dims", offsetof(iota_like, dims), FIELD_INTS, NULL},
	{"dim", offsetof(iota_like, dim), FIELD_INT, NULL},
	{0},
};
static const field cast_fields[] = {{"axes", offsetof(cast_params, axes), FIELD_AXES, NULL}, {0}};
static const field move_fields[] = {
	{"axes", offsetof(move_params, axes), FIELD_AXES, NULL},
	{"groups", offsetof(move_params, groups), FIELD_GROUPS, NULL},
	{"perm", offsetof(move_params, perm), FIELD_PAIRS, NULL},
	{"tiled", offsetof(move_params, tiled), FIELD_BOOL, NULL},
	{"to", offsetof(move_params, to), FIELD_WORD, to_words},
	{0},
};
static const field call_like_fields[] = {
	{"program", offsetof(call_like, program), FIELD_PROGRAM, NULL},
	{0},
};
static const field region_fields[] = {
	{"mesh", offsetof(region_params, mesh), FIELD_MESH, NULL},
	{"axes", offsetof(region_params, manual), FIELD_MANUAL, NULL},
	{"in", offsetof(region_params, in), FIELD_SPECS, NULL},
	{"unchecked", offsetof(region_params, unchecked), FIELD_BOOL, NULL},
	{"body", offsetof(region_params, body), FIELD_PROGRAM, NULL},
	{0},
};
static const field pick_fields[] = {
	{"yes", offsetof(pick_params, yes), FIELD_PROGRAM, NULL},
	{"no", offsetof(pick_params, no), FIELD_PROGRAM, NULL},
	{0},
};

static const tsr_prim neg = {
	.name = "neg", .nin = 1, .nout = 1, .types = same_as_first, .factors = pass_factors,
};
static const tsr_prim add = {
	.name = "add", .nin = 2, .nout = 1, .types = same_as_first, .factors = pass_factors,
};
static const tsr_prim both = {.name = "both", .nin = 2, .nout = 2, .types = same_as_first};
static const tsr_prim join = {.name = "join", .nin = -1, .nout = 1, .types = same_as_first};
static unsigned seen(const eqn *e) { return (void)e, EFFECT_SEEN; }
static const tsr_prim show = {
	.name = "show", .effects = seen, .nin = 1, .nout = 0, .types = same_as_first,
};
static const tsr_prim sum = {
	.name = "sum", .nin = 1, .nout = 1, .params = sum_fields, .types = sum_types,
};
static const tsr_prim bad_sum = {
	.name = "bad_sum", .nin = 1, .nout = 1, .params = sum_fields, .types = sum_types,
	.factors = sum_factors,
};
static const tsr_prim iota = {
	.name = "iota", .nin = 0, .nout = 1, .params = iota_fields, .types = iota_types,
};
static const tsr_prim pcast = {
	.name = "pcast", .flags = PRIM_OWN_VARYING, .nin = 1, .nout = 1, .params = cast_fields,
	.types = cast_types,
};
static const tsr_prim move = {
	.name = "move", .flags = PRIM_OWN_VARYING, .nin = 1, .nout = 1, .params = move_fields,
	.types = move_types,
};
static const tsr_prim call_row = {
	.name = "call", .flags = PRIM_OWN_VARYING, .nin = -1, .nout = -1,
		.params = call_like_fields,
	.types = call_like_types,
};
static const tsr_prim region = {
	.name = "region", .flags = PRIM_OWN_VARYING, .nin = -1, .nout = -1, .params = region_fields,
	.types = region_types,
};
static const tsr_prim pick = {
	.name = "pick", .flags = PRIM_OWN_VARYING, .nin = -1, .nout = -1, .params = pick_fields,
	.types = pick_types,
};
static const tsr_prim *const rows[] = {
	&neg, &add, &both, &join, &show, &sum, &bad_sum, &iota, &pcast, &move, &call_row, &region,
		&pick,
};

/* ---- a world to build in */

typedef struct world {
	base base;
	device device[8];
	shards shards;
	ir ir;
} world;

static inline bool world_try(world *w)
{
	for (int k = 0; k < 8; k++) w->device[k] = (device){.id = k};
	return shards_init(&w->shards, &w->base, NULL, w->device, 8) &&
	       ir_init(&w->ir, &w->base, &w->shards, rows, (int)ARRAY_LEN(rows));
}

static inline void world_open(world *w)
{
	memset(w, 0, sizeof *w);
	assert_true(base_init(&w->base, NULL, NULL, 0));
	assert_true(world_try(w));
}

static inline void world_close(world *w)
{
	ir_fini(&w->ir);
	shards_fini(&w->shards);
	error_clear(&w->base);
	base_fini(&w->base);
	assert_int_equal(mem_in_use(&w->base), 0);
}

static inline void no_error(const world *w) { assert_string_equal(error_text(&w->base), ""); }

static inline void expect_error(world *w, int code, const char *part)
{
	if (!strstr(error_text(&w->base), part))
		fail_msg("'%s' is not in '%s'", part, error_text(&w->base));
	assert_int_equal(error_code(&w->base), code);
	error_clear(&w->base);
}

static inline program *parse(world *w, const char *text)
{
	return program_parse(&w->ir, NULL, text, strlen(text));
}

static inline program *parse_ok(world *w, const char *text)
{
	program *p = parse(w, text);

	if (!p) fail_msg("%s\n%s", error_text(&w->base), text);
	return p;
}

static inline void expect_print(world *w, const program *p, unsigned flags, const char *text)
{
	str s = {.base = &w->base};

	program_print(&s, p, flags);
	assert_false(s.lost);
	assert_string_equal(s.s, text);
	str_free(&s);
}

/* text of a program, as it prints, reads back to the same text and the same program */
static inline void round_trip(world *w, const char *text)
{
	program *p = parse_ok(w, text), *q = parse_ok(w, text);

	expect_print(w, p, PRINT_WHERE, text);
	assert_true(program_verify(p, "parse"));
	no_error(w);
	assert_true(program_same(p, q));
	assert_true(program_hash(p) == program_hash(q));
	program_release(p);
	program_release(q);
}

static inline const type *f32(world *w, int64_t d0, int64_t d1, axis_set varying)
{
	const int64_t dims[] = {d0, d1};

	return type_make(&w->ir, TSR_F32, dims, d1 ? 2 : d0 ? 1 : 0, varying);
}

static inline const mesh *mesh_xy(world *w)
{
	const tsr_axis axes[] = {{"x", 4}, {"y", 2}};

	return mesh_make(&w->shards, NULL, axes, 2, NULL, 8);
}

static inline int axes_xy(world *w, axis out[2])
{
	const mesh *m = mesh_xy(w);

	out[0] = (axis){"x", 4, AXIS_MESH, m, 0, NULL};
	out[1] = (axis){"y", 2, AXIS_MESH, m, 1, NULL};
	return m ? 2 : -1;
}

static inline var one(build *b, const tsr_prim *prim, const void *params, var x, var y)
{
	var out = {0};

	build_eqn(b, prim, params, (var[]){x, y}, prim->nin, &out, "a/b.c:3");
	return out;
}

/* ---- programs as they print */

static const char *const sample_texts[] = {
	"(%0: f32[]) -> f32[] {\n  return %0\n}\n",
	"\"axes\"() -> () {\n  return\n}\n",
	"\"a \\\"b\\\\ \\x0a\"() -> bool[], c64[], f16[], bf16[], i8[], u64[], f64[], f32[] {\n"
	"  return true:bool (1.0,-2.5):c64 nan:f16 -inf:bf16 -128:i8 18446744073709551615:u64 "
	"1e-07:f64 -0.0:f32\n}\n",
	"axes (x, y of (x:4,y:2)) f(%0: f32[2,8]{x,y}, %1: i32[]{y}) -> f32[2,8]{x}, i32[]{y} {\n"
	"  %2: f32[2,8]{x} = move %0 axes=(y) perm=[] to=invarying \"a \\\"note\\\"\"   # m.c:7\n"
	"  %3: i32[]{y} = move %1 axes=(y) groups=[[0],[1]] perm=[0>1,1>0] tiled=true to=varying\n"
	"  return %2 %3\n}\n",
	"axes (y of (x:4,y:2)[7,6,5,4,3,2,1,0], i: 8, \"my axis\": 3, x of (x:2)) f(%0: f32[0]{y,i,"
	"\"my axis\",x}) -> f32[0]{y,i,\"my axis\",x} {\n  return %0\n}\n",
	"axes (x, x of (x:4), y: 2, x: 5) f(%0: i8[]{x^2,x^1,y,x}, %1: i8[]{x^1}) -> "
		"i8[]{x^2,x^1,y,x} {\n"
	"  %2: i8[]{x^2,x^1,y,x} = pcast %1 axes=(y,x^2,x)\n"
	"  %3: i8[]{x^2,x^1,y,x} = add %0 %2\n"
	"  return %3\n}\n",
	"axes (\"\": 8 over x*y, i: 2 over x) f(%0: f32[]{\"\",i}) -> f32[]{\"\",i} {\n"
	"  return %0\n}\n",
	"f() -> i32[2,3] {\n  %0: i32[2,3] = iota dtype=i32 dims=[2,3] dim=-1\n  return %0\n}\n",
	"f(%0: f32[3]) -> f32[3], f32[] {\n"
	"  %1: f32[3], %2: f32[3] = both %0 %0   # the file.c:1\n"
	"  %3: f32[] = sum %2 dims=[0]\n"
	"  return %1 %3\n}\n",
	"axes (i: 8) f(%0: f32[8,2]{i}) -> f32[4]{i} {\n"
	"  %1: f32[4]{i} = region %0 mesh=(x:4,y:2) axes=(y,x) in=[[x*y],[-,y],[]] "
		"unchecked=true body=b"
	"(%0: f32[4]{i,x}) -> f32[4]{i,y,x} {\n"
	"    %1: f32[4]{i,y,x} = pcast %0 axes=(y)\n"
	"    return %1\n"
	"  }   # m.c:12\n"
	"  return %1\n}\n",
	"f(%0: f32[]) -> f32[] {\n"
	"  %1: f32[] = pick %0 yes=(%0: f32[]) -> f32[] {\n"
	"    %1: f32[] = call %0 program=g(%0: f32[]) -> f32[] {\n"
	"      return %0\n"
	"    }\n"
	"    return %1\n"
	"  } no=(%0: f32[]) -> f32[] {\n"
	"    return 0.0:f32\n"
	"  }\n"
	"  return %1\n}\n",
	"weak(%0: f64*[2], %1: i8[2]) -> f64*[2], i32*[], i8[2] {\n"
	"  %2: f64*[2] = add %0 0.1:f64*\n"
	"  return %2 7:i32* %1\n}\n",
};

#endif
