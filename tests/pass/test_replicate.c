/* test_replicate.c - programs of many devices as programs of one, against the interpreter on many
 * devices, bit for bit.
 *
 * Collectives: every row over every ordered choice of the axes of some meshes, whole and in groups,
 * on operands that are the same along none, one or all of these axes. Programs with control flow
 * are the test programs of spmd and transform, which run on an engine that replicates once more. */
#include "support/crowd.h"
#include "support/engine_replicate.h"
#include "transform/collective_trials.h"

static program *cast_and_apply(rig *w, const trial *t, tsr_dtype dtype, axis_set equal)
{
	axis axes[MOST_AXES];
	var x[MOST_OPERANDS], y;
	int64_t list[MOST_AXES];
	pcast_params cast = {{0, list}};

	grid_table(w, &t->g, axes);
	build *b = build_begin(&w->ir, "f", axes, t->g.n);
	for (int i = 0; i < t->g.n; i++)
		if (equal >> i & 1) list[cast.axes.n++] = i;
	for (int i = 0; i < t->nx; i++) {
		const operand *o = &t->x[i];
		const tsr_dtype own = dtype ? dtype : o->dtype;
		x[i] = build_input(b, type_make(&w->ir, own, o->dims, o->ndim, o->over & ~equal));
		if (equal) x[i] = emit(b, &tsr__prim_pcast, &cast, &x[i], 1);
	}
	y = emit(b, t->prim, t->params, x, t->nx);
	return rig_keep(w, build_failed(b) ? NULL : build_end(b, &y, 1), "build");
}

/* numbers of any size, some -0 on every device and some NaN on one */
static double inexact(const grid *g, const int64_t *at, int64_t k)
{
	uint64_t hash = hash_u64((uint64_t)k, 7);

	if (k % 5 == 1) return -0.0;
	for (int i = 0; i < g->n; i++) hash = hash_u64((uint64_t)at[i], hash);
	if (k % 5 == 2 && hash % 3 == 0) return (double)NAN;
	const double number = ldexp((double)(hash >> 40), (int)(hash % 9) - 24);
	return hash >> 20 & 1 ? number : -number;
}

static blocks run_on(rig *w, const engine_type *type, int64_t n, const program *p, const blocks *in)
{
	blocks y;

	w->engine.type = type;
	run_program(w, n, p, in, &y);
	w->engine.type = &interp_engine;
	return y;
}

/* dtype 0: the trial's own */
static void compare(rig *w, const trial *t, tsr_dtype dtype, axis_set equal)
{
	const int64_t n = grid_points(&t->g);
	const program *p = cast_and_apply(w, t, dtype, equal);
	blocks in[MOST_OPERANDS];

	for (int i = 0; i < t->nx; i++) {
		operand x = t->x[i];
		x.over &= ~equal;
		if (!x.number && dtype_kind(type_of(p, p->in[i])->dtype) >= KIND_FLOAT)
			x.number = inexact;
		in[i] = fill_blocks(w, &t->g, p, i, &x, 11);
	}
	const blocks want = run_on(w, &interp_engine, n, p, in);
	const blocks got = run_on(w, &replicate_engine, n, p, in);
	for (int64_t k = 0; k < n; k++)
		if (memcmp(host_bytes(want.at[k]), host_bytes(got.at[k]), want.at[k]->bytes) != 0)
			complain(w, p, "differs");
	rig_clear(w);
}

static void compare_equal_along(rig *w, const trial *t)
{
	const axis_set over = t->nx && t->prim != &tsr__prim_pcast ? t->x[0].over : 0;

	compare(w, t, 0, 0);
	for (int i = 0; i < t->g.n; i++)
		if (over >> i & 1) compare(w, t, 0, axis_bit(i));
	if (over & (over - 1)) compare(w, t, 0, over);
}

static void compare_dtypes(rig *w, const trial *t)
{
	const bool sums = t->prim == &tsr__prim_psum || t->prim == &tsr__prim_psum_scatter;
	const bool orders = t->prim == &tsr__prim_pmax || t->prim == &tsr__prim_pmin;

	for (tsr_dtype d = TSR_BOOL; (sums || orders) && d < TSR_DTYPE_COUNT_; d++) {
		const enum dtype_kind kind = dtype_kind(d);
		if (sums ? kind != KIND_BOOL : kind != KIND_COMPLEX) compare(w, t, d, 0);
	}
}

static int trials;

static void visit(rig *w, const trial *t)
{
	trials++;
	compare_equal_along(w, t);
	compare_dtypes(w, t);
}

static void every_collective(void **state)
{
	static const grid grids[] = {
		{1, {1}, {0}}, {1, {3}, {0}}, {1, {8}, {0}}, {2, {4, 2}, {0}}, {3, {2, 2, 2}, {0}}};

	(void)state;
	replicate_engine_programs = replicate_engine_left = 0;
	each_grid(grids, ARRAY_LEN(grids), visit);
	print_message("%d trials, %d programs\n", trials, replicate_engine_programs);
	assert_true(trials > 1000);
	assert_int_equal(replicate_engine_left, 0);
}

/* ---- programs as text */

static program *parsed(rig *w, const char *text)
{
	return rig_keep(w, program_parse(&w->ir, "text", text, strlen(text)), "parse");
}

/* a choice that differs along y, with a sum over x inside; a loop that devices along x leave at
 * different times; a scan whose carry is the same everywhere at first */
static const char control[] =
	"axes (x, y of (x:4,y:2)) control(%0: f32[3]{x}, %1: bool[]{y}, %2: i32[]{x}) -> "
	"f32[3]{x,y}, i32[]{x}, i32[]{x}, f32[3]{x,y} {\n"
	"  %3: f32[3]{x,y} = pcast %0 axes=(y)\n"
	"  %4: bool[]{x,y} = pcast %1 axes=(x)\n"
	"  %5: f32[3]{x,y} = cond %4 %3 branches=[no(%0: f32[3]{x,y}) -> f32[3]{x,y} {\n"
	"    %1: f32[3]{y} = psum %0 axes=(x) to=invarying\n"
	"    %2: f32[3]{x,y} = pcast %1 axes=(x)\n"
	"    return %2\n"
	"  }, yes(%0: f32[3]{x,y}) -> f32[3]{x,y} {\n"
	"    return %0\n"
	"  }]\n"
	"  %6: i32[]{x} = while %2 cond_consts=0 body_consts=0 "
	"cond=goes(%0: i32[]{x}) -> bool[]{x} {\n"
	"    %1: bool[]{x} = lt %0 40:i32\n"
	"    return %1\n"
	"  } body=on(%0: i32[]{x}) -> i32[]{x} {\n"
	"    %1: i32[]{x} = axis_index axes=(x)\n"
	"    %2: i32[]{x} = add %0 %1\n"
	"    %3: i32[]{x} = add %2 1:i32\n"
	"    return %3\n"
	"  }\n"
	"  %7: i32[]{x} = pcast 5:i32 axes=(x)\n"
	"  %8: i32[]{x}, %9: f32[3]{x,y} = scan %6 %7 %5 length=3 consts=1 carry=1 unroll=1 "
	"body=step(%0: i32[]{x}, %1: i32[]{x}, %2: f32[]{x,y}) -> i32[]{x}, f32[]{x,y} {\n"
	"    %3: i32[]{x} = axis_index axes=(x)\n"
	"    %4: i32[]{x} = add %0 %3\n"
	"    %5: i32[]{x} = add %4 %1\n"
	"    %6: f32[]{x,y} = neg %2\n"
	"    return %5 %6\n"
	"  }\n"
	"  return %5 %6 %8 %9\n"
	"}\n";

static const grid grid_4x2 = {2, {4, 2}, {0}};

static void fill_control(rig *w, const program *p, blocks *in)
{
	const operand x[] = {
		{TSR_F32, 1, {3}, .over = 1}, {TSR_BOOL, .over = 2}, {TSR_I32, .over = 1}};

	for (int i = 0; i < 3; i++) in[i] = fill_blocks(w, &grid_4x2, p, i, &x[i], 3);
	for (int k = 0; k < 8; k++) *(bool *)host_bytes(in[1].at[k]) = k % 2;
}

static void compare_text(rig *w, const program *p, const blocks *in)
{
	blocks want[4], got[4];

	run_program(w, 8, p, in, want);
	w->engine.type = &replicate_engine;
	replicate_engine_left = 0;
	run_program(w, 8, p, in, got);
	assert_int_equal(replicate_engine_left, 0);
	for (int j = 0; j < p->nout; j++)
		for (int k = 0; k < 8; k++)
			assert_memory_equal(host_bytes(want[j].at[k]), host_bytes(got[j].at[k]),
			                    want[j].at[k]->bytes);
	rig_close(w);
}

static void control_flow(void **state)
{
	static rig w;
	blocks in[3];

	(void)state;
	rig_open(&w);
	const program *p = parsed(&w, control);
	fill_control(&w, p, in);
	compare_text(&w, p, in);
}

/* the part of a padded operand that is a part of what was padded; zeros between its rows stay */
static void padded_operands(void **state)
{
	static const char text[] =
		"axes (x, y of (x:4,y:2)) padded(%0: i32[2,4]{x,y}) -> i32[3,4]{x,y} {\n"
		"  %1: i32[3,4]{x,y} = pad %0 0:i32 low=[0,0] high=[0,0] interior=[1,0]\n"
		"  %2: i32[3,4]{x,y} = all_to_all %1 axes=(y) split=1 concat=1 tiled=true\n"
		"  return %2\n"
		"}\n";
	static rig w;

	(void)state;
	rig_open(&w);
	const program *p = parsed(&w, text);
	const blocks in = fill_blocks(&w, &grid_4x2, p, 0,
	                              &(operand){TSR_I32, 2, {2, 4}, .over = 3}, 3);
	compare_text(&w, p, &in);
}

/* ---- devices that go different ways around a collective */

#define PARTED(parameters) \
	"axes (x of (x:2)) parted(%0: bool[]{x}, %1: f32[]{x}) -> f32[]{x} {\n" \
	"  %2: f32[]{x} = cond %0 %1 branches=[no(%0: f32[]{x}) -> f32[]{x} {\n" \
	"    %1: f32[]{x} = psum %0 axes=(x) " parameters "to=varying\n" \
	"    return %1\n" \
	"  }, yes(%0: f32[]{x}) -> f32[]{x} {\n" \
	"    return %0\n" \
	"  }]\n" \
	"  return %2\n" \
	"}\n"
static const char *const parted[] = {PARTED(""), PARTED("groups=[[1,0]] ")};

/* which devices go where is known in a run; then those that wait are an error, and only then */
static void left_to_the_interpreter(void **state)
{
	static const int64_t ids[] = {0, 1};
	static rig w;

	(void)state;
	rig_open(&w);
	for (int trial = 0; trial < 4; trial++) {
		const program *p = parsed(&w, parted[trial / 2]);
		const bool first = trial % 2;
		buffer *x[4], *y[2];
		for (int i = 0; i < 4; i++) {
			x[i] = host_alloc(&w.engine, 0, 4, false);
			*(float *)host_bytes(x[i]) = (float)i;
			if (i < 2) *(uint8_t *)host_bytes(x[i]) = first && i;
		}
		replicate_engine_left = 0;
		w.engine.type = &replicate_engine;
		executable *exe = replicate_engine.compile(&w.engine, p, (device_set){2, ids});
		assert_non_null(exe);
		assert_int_equal(replicate_engine_left, 1);
		const bool ok = run_to_end(&replicate_engine, exe, x, NULL, y);
		assert_int_equal(ok, !first);
		if (first)
			assert_non_null(strstr(error_text(&w.base), "is reached by devices {0}"));
		else
			assert_true(*(float *)host_bytes(y[0]) == 5 &&
			            *(float *)host_bytes(y[1]) == 5);
		for (int k = 0; ok && k < 2; k++) tsr__buffer_release(y[k]);
		replicate_engine.release(exe);
		error_clear(&w.base);
	}
	rig_close(&w);
}

/* ---- sizes */

/* the equations of `text` on n devices once they are one program */
static int equations_on(int64_t n, const char *text)
{
	crowd c;
	replicated to;

	crowd_open(&c, n, n);
	program *p = program_parse(&c.ir, "text", text, strlen(text));
	assert_non_null(p);
	assert_true(pass_replicate(p, (device_set){n, c.ids}, NULL, &to));
	const int count = to.program->neqns;
	replicated_free(&to);
	program_release(p);
	crowd_close(&c);
	return count;
}

static void many_devices(void **state)
{
	(void)state;
	assert_int_equal(
		equations_on(65536, "axes (x, y of (x:256,y:256)) f(%0: f32[]{x,y}) -> f32[]{x} {\n"
	                            "  %1: f32[]{x} = psum %0 axes=(y) to=invarying\n"
	                            "  %2: i32[]{x} = axis_index axes=(x)\n"
	                            "  %3: f32[]{x} = convert_element_type %2 dtype=f32\n"
	                            "  %4: f32[]{x} = mul %1 %3\n"
	                            "  return %4\n"
	                            "}\n"),
		256 * (255 + 1 + 1));
	assert_int_equal(equations_on(65536, "axes (x of (x:65536)) f(%0: f32[]{x}) -> f32[]{x} {\n"
	                                     "  %1: f32[]{x} = neg %0\n"
	                                     "  %2: f32[] = psum %1 axes=(x) to=invarying\n"
	                                     "  %3: f32[]{x} = pcast %2 axes=(x)\n"
	                                     "  %4: f32[]{x} = sub %1 %3\n"
	                                     "  return %4\n"
	                                     "}\n"),
	                 65536 + 65535 + 65536);
}

/* each level starts again with a carry that is the same everywhere, and gives one that is not; this
 * would not end if the work doubled at each */
static void deep_loops(void **state)
{
	enum { DEPTH = 50 };
	str text = {.base = NULL};
	crowd c;
	replicated to;

	(void)state;
	crowd_open(&c, 2, 2);
	text.base = &c.base;
	str_put(&text, "axes (x of (x:2)) f(%0: i32[]{x}) -> i32[]{x} {\n");
	for (int d = 0; d < DEPTH; d++)
		str_put(&text, "%1: i32[]{x} = pcast 0:i32 axes=(x)\n"
		               "%2: i32[]{x} = scan %1 length=2 consts=0 carry=1 unroll=1 "
		               "body=step(%0: i32[]{x}) -> i32[]{x} {\n");
	str_put(&text, "%1: i32[]{x} = axis_index axes=(x)\n%2: i32[]{x} = add %0 %1\nreturn %2\n");
	for (int d = 0; d < DEPTH; d++) str_put(&text, "}\n%3: i32[]{x} = add %2 %0\nreturn %3\n");
	str_put(&text, "}\n");
	program *p = program_parse(&c.ir, "text", text.s, text.len);
	if (!p) fail_msg("%s", error_text(&c.base));
	assert_true(pass_replicate(p, (device_set){2, c.ids}, NULL, &to));
	assert_non_null(to.program);
	assert_int_equal(to.program->depth, DEPTH + 1);
	replicated_free(&to);
	program_release(p);
	str_free(&text);
	crowd_close(&c);
}

/* One program may stand in several loops. Where it is met on values that are shared more, its loops
 * start from the beginning. */
static void shared_bodies(void **state)
{
	static const char text[] =
		"axes (x of (x:2)) f(%0: i32[]{x}) -> i32[]{x} {\n"
		"%1: i32[]{x} = scan %0 length=2 consts=0 carry=1 unroll=1 "
		"body=step(%0: i32[]{x}) -> i32[]{x} {\n"
		"%1: i32[]{x} = pcast 0:i32 axes=(x)\n"
		"%2: i32[]{x} = scan %0 %1 length=2 consts=1 carry=1 unroll=1 "
		"body=step(%0: i32[]{x}, %1: i32[]{x}) -> i32[]{x} {\n"
		"%2: i32[]{x} = add %0 %1\nreturn %2\n}\nreturn %2\n}\nreturn %1\n}\n";
	crowd c;
	replicated to;
	var x[2], y[2];

	(void)state;
	crowd_open(&c, 2, 2);
	program *p = program_parse(&c.ir, "text", text, sizeof text - 1);
	if (!p) fail_msg("%s", error_text(&c.base));
	const eqn *e = &p->eqns[0];
	build *b = build_begin(&c.ir, "f", p->axes, p->naxes);
	x[0] = build_input(b, type_of(p, p->in[0]));
	x[1] = emit_vary(b, build_input(b, type_make(&c.ir, TSR_I32, NULL, 0, 0)), 1);
	for (int i = 0; i < 2; i++) y[i] = emit(b, e->prim, e->params, &x[i], 1);
	program *twice = build_end(b, y, 2);
	assert_true(pass_replicate(twice, (device_set){2, c.ids}, NULL, &to));
	assert_true(to.out[0] != to.out[1] && to.out[2] == to.out[3]);
	replicated_free(&to);
	program_release(twice);
	program_release(p);
	crowd_close(&c);
}

/* ---- memory */

static void every_failure_is_clean(void **state)
{
	static const int64_t ids[] = {0, 1, 2, 3, 4, 5, 6, 7};
	static rig w;
	bool ok = false;
	int tried = 0;

	(void)state;
	for (; !ok; tried++) {
		replicated to;
		rig_open(&w);
		const program *p = parsed(&w, control);
		w.base.mem.fail_at = tried + 1;
		ok = pass_replicate(p, (device_set){8, ids}, NULL, &to);
		w.base.mem.fail_at = -1;
		assert_int_equal(ok, !failed(&w.base));
		if (ok) assert_non_null(to.program);
		if (ok) replicated_free(&to);
		rig_close(&w);
	}
	print_message("%d requests for memory\n", tried - 1);
	assert_true(tried > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_collective),
		cmocka_unit_test(control_flow),
		cmocka_unit_test(padded_operands),
		cmocka_unit_test(left_to_the_interpreter),
		cmocka_unit_test(many_devices),
		cmocka_unit_test(deep_loops),
		cmocka_unit_test(shared_bodies),
		cmocka_unit_test(every_failure_is_clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
