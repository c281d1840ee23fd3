/* test_collective_types.c - the rows of the collectives: types, errors and factor rules. */
#include "collective_net.h"

/* ---- types: what varies, and every error, on a mesh of x: 4, y: 2 */

#define VX (1 << X)
#define VY (1 << Y)

typedef struct kind {
	tsr_dtype dtype;
	tsr_dims dims;
	axis_set varying;
} kind;

typedef struct type_case {
	const tsr_prim *prim;
	const void *params;
	kind in;
	const char *want; /* the type, or the error after "t.c:1: " */
} type_case;

#define F32_4(v) {TSR_F32, {.d = {2, 4}}, v}
#define ON(...) .on = {.axes = AXIS(__VA_ARGS__)}

static const type_case type_cases[] = {
	{&tsr__prim_psum, REDUCE(ON(X), .to = 1), F32_4(VX), "f32[4]"},
	{&tsr__prim_psum, REDUCE(ON(X), .to = 0), F32_4(VX), "f32[4]{x}"},
	{&tsr__prim_psum, REDUCE(ON(X), .to = 1), F32_4(VX | VY), "f32[4]{y}"},
	{&tsr__prim_psum, REDUCE(ON(Y, X), .to = 1), F32_4(VX | VY), "f32[4]"},
	{&tsr__prim_pmax, REDUCE(ON(Y), .to = 1), {TSR_BOOL, {.d = {1}}, VX | VY}, "bool[]{x}"},
	{&tsr__prim_all_gather, GATHER(ON(X), .dim = 1), F32_4(VX), "f32[4,4]{x}"},
	{&tsr__prim_all_gather, GATHER(ON(X, Y), .tiled = true), F32_4(VX | VY), "f32[32]{x,y}"},
	{&tsr__prim_all_gather, GATHER(ON(X), .to = 1), F32_4(VX | VY), "f32[4,4]{y}"},
	{&tsr__prim_all_gather, GATHER(.on = HALVES), F32_4(VX), "f32[2,4]{x}"},
	{&tsr__prim_psum_scatter, SCATTER(ON(Y), .tiled = true), F32_4(VX | VY), "f32[2]{x,y}"},
	{&tsr__prim_psum_scatter, SCATTER(ON(X)), F32_4(VX), "f32[]{x}"},
	{&tsr__prim_all_to_all,
         EXCHANGE(ON(X), .split = 1, .concat = 0),
         {TSR_I8, {.d = {3, 3, 4}}, VX},
         "i8[4,3]{x}"},
	{&tsr__prim_all_to_all,
         EXCHANGE(ON(Y), .split = 1, .tiled = true),
         {TSR_I8, {.d = {3, 3, 4}}, VY},
         "i8[6,2]{y}"},
	{&tsr__prim_ppermute, PERMUTE(ON(X), .perm = AXIS(3, 0)), F32_4(VX), "f32[4]{x}"},
	{&tsr__prim_pbroadcast, BROADCAST(ON(X), .source = 3), F32_4(VX), "f32[4]{x}"},
	{&tsr__prim_pbroadcast, BROADCAST(ON(X), .source = 3, .to = 1), F32_4(VX | VY),
         "f32[4]{y}"},
	{&tsr__prim_pcast, CAST(AXIS(X)), F32_4(VY), "f32[4]{x,y}"},
	{&tsr__prim_assume_equal, AXES(ON(X)), F32_4(VX | VY), "f32[4]{y}"},
	{&tsr__prim_axis_index, AXES(ON(Y)), {0}, "i32[]{y}"},
	/* axes */
	{&tsr__prim_psum, REDUCE(.to = 1), F32_4(VX), "psum needs at least one axis name"},
	{&tsr__prim_axis_index,
         AXES(.on = {.axes = {0, NULL}}),
         {0},
         "axis_index needs at least one axis name"},
	{&tsr__prim_psum, REDUCE(ON(X, X)), F32_4(VX), "psum names axis 'x' twice"},
	{&tsr__prim_pcast, CAST(AXIS(X, X)), F32_4(0), "pcast names axis 'x' twice"},
	{&tsr__prim_psum, REDUCE(ON(2)), F32_4(VX),
         "psum names an unbound axis; to fix this, call it under shard_map"},
	{&tsr__prim_psum, REDUCE(ON(X)), F32_4(0),
         "Collective psum must be applied to a device-varying type, but got f32[4] for collective "
         "acting over axis name (x); use tsr_pcast on it first"},
	{&tsr__prim_ppermute, PERMUTE(ON(X, Y)), F32_4(VY),
         "Collective ppermute must be applied to a device-varying type, but got f32[4]{y} for "
         "collective acting over axis name (x,y); use tsr_pcast on it first"},
	{&tsr__prim_pcast, CAST(AXIS(X, Y)), F32_4(VX),
         "pcast goes from invarying to varying: "
         "none of the axes (x,y) may be among those the operand varies over, but got f32[4]{x}"},
	/* groups */
	{&tsr__prim_psum, REDUCE(.on = {AXIS(X), GROUPS(AXIS(0, 1), AXIS(1, 2))}), F32_4(VX),
         "psum: .groups must cover all indices exactly once, but 1 of 0 .. 3 over axis "
         "name (x) is there twice"},
	{&tsr__prim_pmin, REDUCE(.on = {AXIS(X), GROUPS(AXIS(0, 1), AXIS(2))}), F32_4(VX),
         "pmin: .groups must cover all indices exactly once, but 3 of 0 .. 3 over axis "
         "name (x) is missing"},
	{&tsr__prim_all_gather, GATHER(.on = {AXIS(X), GROUPS(AXIS(0, 1), AXIS(2, 4))}), F32_4(VX),
         "all_gather: .groups must cover all indices exactly once, but 4 of 0 .. 3 over "
         "axis name (x) is out of range"},
	{&tsr__prim_psum, REDUCE(.on = {AXIS(Y), GROUPS(AXIS(0, -1))}), F32_4(VY),
         "psum: .groups must cover all indices exactly once, but -1 of 0 .. 1 over axis "
         "name (y) is out of range"},
	{&tsr__prim_psum, REDUCE(.on = {AXIS(Y), {2, (const ints[]){AXIS(0, 1), {0}}}}), F32_4(VY),
         "psum: .groups has an empty group"},
	{&tsr__prim_all_gather, GATHER(.on = {AXIS(X), GROUPS(AXIS(0, 1, 2), AXIS(3))}), F32_4(VX),
         "all_gather: .groups must all be the same size"},
	{&tsr__prim_ppermute, PERMUTE(.on = {AXIS(X), GROUPS(AXIS(3), AXIS(0, 1, 2))}), F32_4(VX),
         "ppermute: .groups must all be the same size"},
	{&tsr__prim_psum, REDUCE(.on = HALVES, .to = 1), F32_4(VX),
         "psum with .groups keeps varying over axis name (x): its result differs between "
         "groups, so it cannot go to invarying"},
	{&tsr__prim_all_gather, GATHER(.on = HALVES, .to = 1), F32_4(VX),
         "all_gather with .groups keeps varying over axis name (x): its result differs "
         "between groups, so it cannot go to invarying"},
	{&tsr__prim_assume_equal, AXES(.on = {AXIS(Y), GROUPS(AXIS(0, 1))}), F32_4(VY),
         "assume_equal takes no .groups: its result would differ between them"},
	/* dtypes */
	{&tsr__prim_psum,
         REDUCE(ON(X)),
         {TSR_BOOL, {.d = {2, 4}}, VX},
         "psum does not sum bool[4]{x}: convert it to i32 first"},
	{&tsr__prim_psum_scatter,
         SCATTER(ON(X)),
         {TSR_BOOL, {.d = {2, 4}}, VX},
         "psum_scatter does not sum bool[4]{x}: convert it to i32 first"},
	{&tsr__prim_pmax,
         REDUCE(ON(X)),
         {TSR_C64, {.d = {2, 4}}, VX},
         "pmax does not accept c64[4]{x}: complex numbers have no order"},
	{&tsr__prim_pmin,
         REDUCE(ON(X)),
         {TSR_C128, {.d = {1}}, VX},
         "pmin does not accept c128[]{x}: complex numbers have no order"},
	/* dims and sizes */
	{&tsr__prim_all_gather, GATHER(ON(X), .dim = 2), F32_4(VX),
         "all_gather: dim 2 is out of range [0, 2) for operand f32[4]{x}"},
	{&tsr__prim_all_gather, GATHER(ON(X), .dim = 1, .tiled = true), F32_4(VX),
         "all_gather: dim 1 is out of range [0, 1) for operand f32[4]{x}"},
	{&tsr__prim_all_gather,
         GATHER(ON(X), .tiled = true),
         {TSR_F32, {.d = {3, INT64_MAX / 2, 0}}, VX},
         "all_gather of f32[4611686018427387903,0]{x} over axis name (x) is too large"},
	{&tsr__prim_psum_scatter, SCATTER(ON(X), .dim = -1), F32_4(VX),
         "psum_scatter: dim -1 is out of range [0, 1) for operand f32[4]{x}"},
	{&tsr__prim_psum_scatter, SCATTER(ON(Y)), F32_4(VY),
         "psum_scatter operand scatter dim size 4 must match shard count 2 of axis name (y)"},
	{&tsr__prim_psum_scatter, SCATTER(ON(X, Y), .tiled = true), F32_4(VX | VY),
         "tiled psum_scatter operand scatter dim size 4 must be divisible by shard count 8 "
         "of axis name (x,y)"},
	{&tsr__prim_all_to_all, EXCHANGE(ON(X), .split = 1), F32_4(VX),
         "all_to_all: split 1 is out of range [0, 1) for operand f32[4]{x}"},
	{&tsr__prim_all_to_all, EXCHANGE(ON(X), .concat = 3), F32_4(VX),
         "all_to_all: concat 3 is out of range [0, 1) for operand f32[4]{x}"},
	{&tsr__prim_all_to_all, EXCHANGE(ON(Y)), F32_4(VY),
         "all_to_all requires the size of the mapped axis (y) to equal that of split dim 0, but "
         "they are 2 and 4 respectively"},
	{&tsr__prim_all_to_all,
         EXCHANGE(ON(X), .tiled = true),
         {TSR_F32, {.d = {2, 6}}, VX},
         "The size of all_to_all split dim (6) has to be divisible by the size of the named axis "
         "(x) (4)"},
	{&tsr__prim_all_to_all,
         EXCHANGE(ON(X), .concat = 1, .tiled = true),
         {TSR_F32, {.d = {3, 0, INT64_MAX / 2}}, VX},
         "all_to_all of f32[0,4611686018427387903]{x} over axis name (x) is too large"},
	/* members */
	{&tsr__prim_ppermute, PERMUTE(ON(X), .perm = AXIS(0, 1, 2, 1)), F32_4(VX),
         "ppermute sources and destinations must be unique, got ((0, 1), (2, 1))"},
	{&tsr__prim_ppermute, PERMUTE(ON(X), .perm = AXIS(0, 1, 0, 2)), F32_4(VX),
         "ppermute sources and destinations must be unique, got ((0, 1), (0, 2))"},
	{&tsr__prim_ppermute, PERMUTE(ON(X), .perm = AXIS(4, 1)), F32_4(VX),
         "ppermute source 4 is out of range: 4 devices exchange over axis name (x)"},
	{&tsr__prim_ppermute, PERMUTE(.on = HALVES, .perm = AXIS(0, 2)), F32_4(VX),
         "ppermute destination 2 is out of range: 2 devices exchange over axis name (x)"},
	{&tsr__prim_ppermute, PERMUTE(ON(X), .perm = AXIS(0, 1, 2)), F32_4(VX),
         "ppermute needs pairs of source and destination, got 3 numbers"},
	{&tsr__prim_pbroadcast, BROADCAST(ON(X), .source = 4), F32_4(VX),
         "pbroadcast source 4 is out of range: 4 devices exchange over axis name (x)"},
	{&tsr__prim_pbroadcast, BROADCAST(ON(X), .source = -1), F32_4(VX),
         "pbroadcast source -1 is out of range: 4 devices exchange over axis name (x)"},
};

static const type *kind_type(net *w, const kind *k)
{
	return type_make(&w->ir, k->dtype, k->dims.d + 1, (int)k->dims.d[0] - 1, k->varying);
}

/* the type as text, or the text of the error, which must begin with the place of the equation */
static void check_types(net *w, const tsr_prim *prim, const void *params, const type *const *in,
                        int nin, const char *want)
{
	const type *t = infer(w, prim, params, in, nin, NULL);
	str s = {.base = &w->base};

	if (t) {
		type_text(&s, t, w->axes, w->naxes);
	} else {
		const char *text = error_text(&w->base);
		assert_true(error_code(&w->base) != 0);
		assert_true(!strncmp(text, "t.c:1: ", 7));
		str_putn(&s, text + 7, strcspn(text + 7, "\n"));
		error_clear(&w->base);
	}
	assert_non_null(s.s);
	assert_string_equal(s.s, want);
	str_free(&s);
}

static void types_and_errors(void **state)
{
	(void)state;
	net w;
	net_open(&w, 4, 2);
	for (size_t i = 0; i < ARRAY_LEN(type_cases); i++) {
		const type_case *c = &type_cases[i];
		const type *in = c->prim->nin ? kind_type(&w, &c->in) : NULL;
		check_types(&w, c->prim, c->params, &in, c->prim->nin, c->want);
	}
	net_close(&w);
}

/* operands first .. last of a fine call are replaced by `with` */
typedef struct ragged_types { int first, last; kind with; const char *want; } ragged_types;

#define LIST(dtype, n) {dtype, {.d = {2, n}}, VX}
static const kind ragged_fine[] = {
	{TSR_F32, {.d = {3, 3, 2}}, VX}, {TSR_F32, {.d = {3, 5, 2}}, VX},
	LIST(TSR_I32, 8), LIST(TSR_I32, 8), LIST(TSR_I32, 8), LIST(TSR_I64, 8),
};

static const ragged_types ragged_type_cases[] = {
	{5, 5, LIST(TSR_I32, 8), "f32[5,2]{x}"},
	{1, 1, {TSR_F32, {.d = {3, 0, 2}}, VX}, "f32[0,2]{x}"},
	{2, 5, LIST(TSR_I64, 16), "f32[5,2]{x}"},
	{3, 3, LIST(TSR_F32, 8),
	 "ragged_all_to_all send_sizes must be integer type, but got f32[8]{x} over "
	 "axis name (x)"},
	{2, 2, {TSR_I32, {.d = {1}}, VX},
	 "ragged_all_to_all input_offsets must be rank 1 with positive dim size, but got "
	 "i32[]{x} over axis name (x)"},
	{2, 2, LIST(TSR_I32, 0),
	 "ragged_all_to_all input_offsets must be rank 1 with positive dim size, but got "
	 "i32[0]{x} over axis name (x)"},
	{4, 4, LIST(TSR_I32, 4),
	 "ragged_all_to_all output_offsets must be as long as input_offsets, but got i32[4]{x} "
	 "over axis name (x)"},
	{2, 5, LIST(TSR_I32, 6),
	 "ragged_all_to_all input_offsets must have the same number of entries for each device "
	 "that exchanges, but got i32[6]{x} over axis name (x)"},
	{1, 1, {TSR_F16, {.d = {3, 5, 2}}, VX},
	 "ragged_all_to_all operand and output must have rows, and the same dtype and dims after "
	 "the first, but got f32[3,2]{x} and f16[5,2]{x}"},
	{1, 1, {TSR_F32, {.d = {3, 5, 3}}, VX},
	 "ragged_all_to_all operand and output must have rows, and the same dtype and dims after "
	 "the first, but got f32[3,2]{x} and f32[5,3]{x}"},
	{0, 1, {TSR_F32, {.d = {1}}, VX},
	 "ragged_all_to_all operand and output must have rows, and the same dtype and dims after "
	 "the first, but got f32[]{x} and f32[]{x}"},
	{1, 1, {TSR_F32, {.d = {3, 5, 2}}, VX | VY},
	 "Primitive ragged_all_to_all requires varying manual axes to match, but got f32[3,2]{x} "
	 "for operand and f32[5,2]{x,y} for output"},
	{1, 1, {TSR_F32, {.d = {3, 5, 2}}, 0},
	 "Collective ragged_all_to_all must be applied to a device-varying type, but got f32[5,2] "
	 "for collective acting over axis name (x); use tsr_pcast on it first"},
};

static void ragged_types_and_errors(void **state)
{
	(void)state;
	net w;
	net_open(&w, 4, 2);
	for (size_t i = 0; i < ARRAY_LEN(ragged_type_cases); i++) {
		const ragged_types *c = &ragged_type_cases[i];
		const type *in[6];
		for (int j = 0; j < 6; j++) {
			const bool replaced = j >= c->first && j <= c->last;
			in[j] = kind_type(&w, replaced ? &c->with : &ragged_fine[j]);
		}
		check_types(&w, &tsr__prim_ragged_all_to_all, AXES(.on = OVER_X), in, 6, c->want);
	}
	net_close(&w);
}

static void psort_types_and_errors(void **state)
{
	const struct {
		psort_params params;
		int nin;
		kind second;
		const char *want;
	} sorts[] = {
		{{OVER_X, 0, 1, 16}, 1, F32_4(VX), "f32[4]{x}"},
		{{OVER_X, 0, 1, 13}, 1, F32_4(VX), "f32[4]{x}"},
		{{OVER_X, 0, 2, 16}, 1, F32_4(VX),
	         "psort: num_keys 2 must be between 1 and 1, the number of operands"},
		{{OVER_X, 0, 0, 16}, 1, F32_4(VX),
	         "psort: num_keys 0 must be between 1 and 1, the number of operands"},
		{{OVER_X, 1, 1, 16}, 1, F32_4(VX),
	         "psort: dim 1 is out of range [0, 1) for operand f32[4]{x}"},
		{{OVER_X, 0, 1, 12}, 1, F32_4(VX),
	         "psort: dim 0 of f32[4]{x} is no block of 12 elements over 4 devices"},
		{{OVER_X, 0, 1, 17}, 1, F32_4(VX),
	         "psort: dim 0 of f32[4]{x} is no block of 17 elements over 4 devices"},
		{{OVER_X, 0, 1, 16}, 2, {TSR_F32, {.d = {2, 5}}, VX},
	         "psort requires operands of equal shapes that vary alike, got f32[4]{x} and "
	         "f32[5]{x}"},
		{{OVER_X, 0, 1, 16}, 2, F32_4(VX | VY),
	         "psort requires operands of equal shapes that vary alike, got f32[4]{x} and "
	         "f32[4]{x,y}"},
	};
	const kind first = F32_4(VX);

	(void)state;
	net w;
	net_open(&w, 4, 2);
	for (size_t i = 0; i < ARRAY_LEN(sorts); i++) {
		const type *in[] = {kind_type(&w, &first), kind_type(&w, &sorts[i].second)};
		check_types(&w, &tsr__prim_psort, &sorts[i].params, in, sorts[i].nin,
		            sorts[i].want);
	}
	net_close(&w);
}

/* a program of one equation; NULL: an error is recorded */
static program *one_equation(net *w, const type_case *c)
{
	build *b = build_begin(&w->ir, "f", w->axes, w->naxes);
	var x = {0}, y = {0};

	if (!b) return NULL;
	const type *t = c->prim->nin ? kind_type(w, &c->in) : NULL;
	if (t) x = build_input(b, t);
	if ((x.id || !c->prim->nin) &&
	    build_eqn(b, c->prim, c->params, &x, c->prim->nin, &y, "t.c:1"))
		return build_end(b, &y, 1);
	build_abandon(b);
	return NULL;
}

/* the field tables say what the records hold: text and back gives the same program */
static void text_and_back(void **state)
{
	(void)state;
	net w;
	net_open(&w, 4, 2);
	for (size_t i = 0; i < ARRAY_LEN(type_cases); i++) {
		program *p = one_equation(&w, &type_cases[i]);
		error_clear(&w.base);
		if (!p) continue;
		str s = {.base = &w.base};
		program_print(&s, p, 0);
		program *q = program_parse(&w.ir, "t.c:1", s.s, s.len);
		if (!q) fail_msg("%s: %s", s.s, error_text(&w.base));
		assert_true(program_same(p, q));
		assert_true(program_verify(p, "test"));
		str_free(&s);
		program_release(p);
		program_release(q);
	}
	net_close(&w);
}

/* each allocation in turn fails: an error, and nothing else */
static void allocations_may_fail(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(type_cases); i++)
		for (int64_t n = 1;; n++) {
			net w;
			net_open(&w, 4, 2);
			w.base.mem.fail_at = n;
			program *p = one_equation(&w, &type_cases[i]);
			const bool refused = w.base.mem.fail_at > 0 && !p;
			w.base.mem.fail_at = -1;
			assert_int_equal(!p, failed(&w.base));
			const bool done = p || refused;
			program_release(p);
			net_close(&w);
			if (done) break;
			assert_true(n < 1000);
		}
}

/* what cannot happen on a mesh of devices that exist, and over the axis of a map, which is in no
 * varying set: an index range beyond i32, or beyond i64 */
static void ranges_too_large(void **state)
{
	(void)state;
	net w;
	net_open(&w, 4, 2);
	w.axes[0] = (axis){"x", (int64_t)1 << 31, AXIS_MAP, NULL, 0, NULL};
	check_types(&w, &tsr__prim_axis_index, AXES(ON(X)), NULL, 0, "i32[]");
	w.axes[0].size++;
	check_types(&w, &tsr__prim_axis_index, AXES(ON(X)), NULL, 0,
	            "axis_index over axis name (x) does not fit i32");
	w.axes[0].size = INT64_MAX;
	check_types(&w, &tsr__prim_axis_index, AXES(ON(X, Y)), NULL, 0,
	            "axis_index acts over more devices than can be numbered");
	net_close(&w);
}

/* ---- factor rules */

typedef struct factor_case {
	const tsr_prim *prim;
	const void *params;
	kind in;
	const char *want;
} factor_case;

#define I32_3_4 {TSR_I32, {.d = {3, 3, 4}}, VX}

#define WHOLE " whole (members have places of their own in it)"

static const factor_case factor_cases[] = {
	{&tsr__prim_psum, REDUCE(ON(X)), I32_3_4, "ab->ab"},
	{&tsr__prim_pmax, REDUCE(ON(X), .to = 1), I32_3_4, "ab->ab"},
	{&tsr__prim_all_gather, GATHER(ON(X)), I32_3_4, "ab->cab | c" WHOLE},
	{&tsr__prim_all_gather, GATHER(ON(X), .dim = 2), I32_3_4, "ab->abc | c" WHOLE},
	{&tsr__prim_all_gather, GATHER(ON(X), .dim = 1, .tiled = true), I32_3_4,
	 "ab->a(cb) | c" WHOLE},
	{&tsr__prim_psum_scatter, SCATTER(ON(X), .dim = 1), I32_3_4, "ab->a | b" WHOLE},
	{&tsr__prim_psum_scatter, SCATTER(ON(X), .dim = 1, .tiled = true), I32_3_4,
	 "a(bc)->ac | b" WHOLE},
	{&tsr__prim_all_to_all, EXCHANGE(ON(X), .split = 1), I32_3_4, "ab->ba | b" WHOLE},
	{&tsr__prim_all_to_all, EXCHANGE(ON(X), .split = 1, .concat = 1), I32_3_4,
	 "ab->ab | b" WHOLE},
	{&tsr__prim_all_to_all, EXCHANGE(ON(X), .split = 1, .tiled = true), I32_3_4,
	 "a(bc)->(ba)c | b" WHOLE},
	{&tsr__prim_all_to_all, EXCHANGE(ON(X), .split = 1, .concat = 1, .tiled = true), I32_3_4,
	 "ab->ab | b" WHOLE},
	{&tsr__prim_ppermute, PERMUTE(ON(X), .perm = AXIS(0, 1)), I32_3_4, "ab->ab"},
	{&tsr__prim_pbroadcast, BROADCAST(ON(X)), I32_3_4, "ab->ab"},
	{&tsr__prim_axis_index, AXES(ON(X)), {0}, "->"},
	{&tsr__prim_pcast, CAST(AXIS(Y)), I32_3_4, "ab->ab"},
	{&tsr__prim_assume_equal, AXES(ON(X)), I32_3_4, "ab->ab"},
};

static void factor_texts(void **state)
{
	(void)state;
	net w;
	net_open(&w, 4, 2);
	str s = {.base = &w.base};
	for (size_t i = 0; i < ARRAY_LEN(factor_cases); i++) {
		const factor_case *c = &factor_cases[i];
		const type *in = c->prim->nin ? kind_type(&w, &c->in) : NULL;
		assert_non_null(infer(&w, c->prim, c->params, &in, c->prim->nin, &s));
		assert_string_equal(s.s, c->want);
		str_free(&s);
	}
	const type *in[6];
	for (int j = 0; j < 6; j++) in[j] = kind_type(&w, &ragged_fine[j]);
	assert_non_null(infer(&w, &tsr__prim_ragged_all_to_all, AXES(.on = OVER_X), in, 6, &s));
	assert_string_equal(s.s, "ab,cb,d,d,d,d->cb | a" WHOLE ", c" WHOLE ", d" WHOLE);
	str_free(&s);
	net_close(&w);
}

static void pcast_copies(void **state)
{
	(void)state;
	net w;
	net_open(&w, 1, 0);
	const type *t = type_make(&w.ir, TSR_BF16, DIMS(3, 5), 0);
	const type *to = infer(&w, &tsr__prim_pcast, CAST(AXIS(X)), &t, 1, NULL);
	const value x = value_of(&w, t), y = value_of(&w, to);
	const void *in[] = {x.block[0]};
	void *out[] = {y.block[0]};
	fill(&w, &x);
	tsr__prim_pcast.eval(
		&(eval_args){.in = &x.type, .out = &y.type, .n = 1, .x = in, .y = out});
	same(&w, x, y);
	net_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_and_errors),
		cmocka_unit_test(ragged_types_and_errors),
		cmocka_unit_test(psort_types_and_errors),
		cmocka_unit_test(text_and_back),
		cmocka_unit_test(allocations_may_fail),
		cmocka_unit_test(ranges_too_large),
		cmocka_unit_test(factor_texts),
		cmocka_unit_test(pcast_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
