/* test_into.c - results in the caller's memory: the same elements as in a handle, for every call,
 * layout and other use of the memory; without a buffer between where the program is compiled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include "runtime/runtime.h"
#include "support/quiet.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { N = 12, LARGE = 1 << 18 };
#define DIMS TSR_DIMS(3, 4)
#define INTO(at) TSR_INTO(at, TSR_F32, TSR_DIMS(N))

/* c: programs are compiled before their first run */
static tsr_ctx *open_with(const char *engine)
{
	return tsr_open(.devices = 4, .engine = engine, .plugin_dir = PLUGIN_DIR, .debug = "c",
	                .log = log_nothing);
}

static const char *const engines[] = {"cpu", "interp"};

/* ---- every call that has places */

static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *half(tsr *x) { return tsr_mul(x, 0.5); }
static tsr *sum_of_squares(tsr *x) { return tsr_sum(tsr_mul(x, x)); }
static tsr *is_small(tsr *x) { return tsr_lt(tsr_max(x), 1e3); }
static tsr *add_index(tsr *i, tsr *x) { return tsr_add(x, tsr_astype(i, TSR_F32)); }
static tsr *plus(tsr *a, tsr *b) { return tsr_add(a, b); }

#define PLACE out, 1
#define CALLS \
	CALL(jit, tsr_call_into(PLACE, tsr_jit(x, twice), x)) \
	CALL(shard_map, \
	     tsr_call_into(PLACE, tsr_shard_map(m, twice, .sig = "[-,i] -> [-,i]"), x)) \
	CALL(replicated, tsr_call_into(PLACE, tsr_shard_map(m, twice, .sig = "[] -> []"), x)) \
	CALL(one_device, tsr_call_into(PLACE, tsr_shard_map(one, twice, .sig = "[i] -> [i]"), x)) \
	CALL(grad, tsr_call_into(PLACE, tsr_grad(x, sum_of_squares), x)) \
	CALL(linearize, (void)tsr_linearize(PLACE, tsr_jit(x, twice), x)) \
	CALL(vjp, (void)tsr_vjp(PLACE, tsr_jit(x, twice), x)) \
	CALL(cond, tsr_cond_into(PLACE, 1, twice, half, x)) \
	CALL(while, tsr_while_into(PLACE, is_small, twice, x)) \
	CALL(fori, tsr_fori_into(PLACE, 0, 3, add_index, x)) \
	CALL(map, tsr_map_into(PLACE, twice, x)) \
	CALL(map_batched, tsr_map_batched_into(PLACE, 2, twice, x)) \
	CALL(scan_of_all, tsr_associative_scan_into(PLACE, plus, x)) \
	CALL(scan_of_one, tsr_associative_scan_into(PLACE, plus, x, .dim = TSR_DIMS(2))) \
	CALL(reduce, tsr_reduce_into(PLACE, plus, x, 0, .dims = (TSR_DIMS())))

#define CALL(name, call) \
	static void by_##name(tsr *x, const tsr_mesh *mesh, const tsr_mesh *alone, \
	                      const tsr_out *out) \
	{ \
		tsr_mesh *m = (tsr_mesh *)(uintptr_t)mesh, *one = (tsr_mesh *)(uintptr_t)alone; \
		(void)m, (void)one; \
		call; \
	}
CALLS
#undef CALL
#define CALL(name, call) {#name, by_##name},
static const struct into_call {
	const char *name;
	void (*make)(tsr *x, const tsr_mesh *, const tsr_mesh *, const tsr_out *);
} calls[] = {CALLS};

static void same_elements(const char *what, const float *got, int64_t row, int64_t column,
                          const float *want)
{
	for (int64_t i = 0; i < 3; i++)
		for (int64_t k = 0; k < 4; k++) {
			const float is = got[i * row + k * column];
			if (is != want[4 * i + k])
				fail_msg("%s: [%lld, %lld] is %g, not %g", what, (long long)i,
				         (long long)k, (double)is, (double)want[4 * i + k]);
		}
}

/* the second time from what the first one left ready, and to memory that is less aligned */
static void check_call(tsr_ctx *ctx, const struct into_call *c)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"i", 4}), *one = tsr_mesh_make(ctx, {"i", 1});
	float want[N], got[N], column[2 * N];
	char odd[sizeof got + 1];
	tsr *x = tsr_reshape(tsr_arange(ctx, N, .dtype = TSR_F32), DIMS), *y = NULL;
	if (strcmp(c->name, "scan_of_one") == 0) x = tsr_reshape(x, TSR_DIMS(3, 4, 1));
	const tsr_dims dims = tsr_shape(x);
	const tsr_dims reversed = x && tsr_ndim(x) == 3 ? TSR_DIMS(8, 24, 4) : TSR_DIMS(8, 24);

	c->make(x, mesh, one, &(const tsr_out){.to = TSR_LEAVES(&y, 1)});
	assert_true(tsr_read(y, want, sizeof want));
	const tsr_out places[] = {TSR_INTO(got, TSR_F32, dims), TSR_INTO(odd + 1, TSR_F32, dims),
	                          TSR_INTO(column, TSR_F32, dims, .strides = reversed)};
	for (int i = 0; i < 3; i++) c->make(x, mesh, one, &places[i]);
	same_elements(c->name, got, 4, 1, want);
	same_elements(c->name, column, 2, 6, want);
	memcpy(got, odd + 1, sizeof got);
	same_elements(c->name, got, 4, 1, want);
	assert_true(tsr_read(x, got, sizeof got)); /* still there */
	assert_true(got[N - 1] == N - 1);
	assert_int_equal(tsr_close(ctx), 0);
}

static void every_call_has_such_places(void **state)
{
	(void)state;
	for (size_t e = 0; e < ARRAY_LEN(engines); e++)
		for (size_t i = 0; i < ARRAY_LEN(calls); i++)
			check_call(open_with(engines[e]), &calls[i]);
}

/* ---- memory that operands and other results have too */

static void both(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *y = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_add(x, y), tsr_flip(y, TSR_DIMS(0)));
}

static void swapped(tsr_frame *f) { tsr_return(f, tsr_frame_arg(f, 1), tsr_frame_arg(f, 0)); }

static void same_twice(tsr_frame *f)
{
	tsr *y = tsr_sub(tsr_frame_arg(f, 0), tsr_frame_arg(f, 1));
	tsr_return(f, y, y);
}

static void operand_and_result(tsr_frame *f)
{
	tsr_return(f, tsr_frame_arg(f, 0), tsr_mul(tsr_frame_arg(f, 0), tsr_frame_arg(f, 1)));
}

static void (*const bodies[])(tsr_frame *) = {both, swapped, same_twice, operand_and_result};

/* floats from the start of `room` on, in which x is at 0 and y at N */
static void check_overlap(const char *engine, int body, int first, int second, bool handle,
                          uint32_t given)
{
	tsr_ctx *ctx = open_with(engine);
	float room[4 * N], want[2][N], got[N];
	tsr *y[2] = {NULL};
	const tsr_dims donated[] = {{.d = {0}}, TSR_DIMS(0), TSR_DIMS(1), TSR_DIMS(0, 1)};

	for (int i = 0; i < 4 * N; i++) room[i] = (float)(i * i % 17);
	tsr_fn *f = tsr_jit(ctx, bodies[body], .donate = donated[given]);
	tsr_call_into(TSR_OUT(&y[0], &y[1]), tsr_jit(ctx, bodies[body]),
	              tsr_from(ctx, room, TSR_F32, TSR_DIMS(N)),
	              tsr_from(ctx, room + N, TSR_F32, TSR_DIMS(N)));
	for (int i = 0; i < 2; i++) assert_true(tsr_read(y[i], want[i], sizeof want[i]));
	tsr *a = tsr_wrap(ctx, room, TSR_F32, TSR_DIMS(N), .writable = true),
	    *b = tsr_wrap(ctx, room + N, TSR_F32, TSR_DIMS(N), .writable = true);
	if (handle)
		tsr_call_into(TSR_OUT(INTO(room + first), &y[1]), f, a, b);
	else
		tsr_call_into(TSR_OUT(INTO(room + first), INTO(room + second)), f, a, b);
	if (handle)
		assert_true(tsr_read(y[1], got, sizeof got));
	else
		memcpy(got, room + second, sizeof got);
	if (memcmp(room + first, want[0], sizeof got) != 0 ||
	    memcmp(got, want[1], sizeof got) != 0)
		fail_msg("%s: body %d, results at %d and %d, a handle: %d, donated %u", engine,
		         body, first, second, handle, (unsigned)given);
	assert_int_equal(tsr_close(ctx), 0);
}

static void memory_may_be_that_of_operands(void **state)
{
	static const int at[][2] = {{0, N}, {N, 0}, {2 * N, 3 * N}, {N / 2, 2 * N}, {3 * N, N / 2},
	                            {1, N + 1}, {0, 2 * N}, {2 * N, N}};

	(void)state;
	for (size_t e = 0; e < ARRAY_LEN(engines); e++)
		for (int body = 0; body < (int)ARRAY_LEN(bodies); body++)
			for (size_t i = 0; i < ARRAY_LEN(at); i++)
				for (uint32_t given = 0; given < 4; given++)
					for (int handle = 0; handle < 2; handle++)
						check_overlap(engines[e], body, at[i][0], at[i][1],
						              handle, given);
}

/* interleaved columns do not overlap, although what they reach does */
static void columns_of_a_matrix(void **state)
{
	tsr_ctx *ctx = open_with("cpu");
	float m[N][2];
	tsr *x = tsr_arange(ctx, N, .dtype = TSR_F32);

	(void)state;
	tsr_call_into(TSR_OUT(TSR_INTO(&m[0][0], TSR_F32, TSR_DIMS(N), .strides = TSR_DIMS(8)),
	                      TSR_INTO(&m[0][1], TSR_F32, TSR_DIMS(N), .strides = TSR_DIMS(8))),
	              tsr_jit(ctx, both), x, x);
	for (int i = 0; i < N; i++) {
		assert_true(m[i][0] == 2 * (float)i);
		assert_true(m[i][1] == N - 1 - (float)i);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- no buffer between: what the context holds stays far below the size of the result */

static tsr *saxpy(tsr *x, tsr *y) { return tsr_add(tsr_mul(x, 2), y); }
static tsr *backwards(tsr *x, tsr *y) { return tsr_flip(tsr_sub(x, y), TSR_DIMS(0)); }
static tsr *steps(tsr *x, tsr *y) { return (void)x, tsr_fori(0, 3, add_index, y); }

static int released;
static void count_release(void *user, void *data) { (void)user, (void)data, released++; }

typedef struct memory_case {
	const char *name;
	tsr *(*body)(tsr *, tsr *);
	bool writable, donates, to_y; /* of y; the result's place is y's memory */
	bool direct;                  /* no buffer is made */
} memory_case;

static const memory_case memory_cases[] = {
	{"saxpy", saxpy, false, false, false, true},
	{"backwards", backwards, false, false, false, true},
	{"steps", steps, false, false, false, true},
	{"saxpy to its operand", saxpy, false, false, true, false},
	{"saxpy in place", saxpy, true, true, true, true},
	{"steps in place", steps, true, true, true, true},
	{"backwards in place", backwards, true, true, true, false},
	{"saxpy, not donated", saxpy, true, false, true, false},
	{"saxpy, not writable", saxpy, false, true, true, false},
};

static void check_memory(const memory_case *c)
{
	static float x[LARGE], y[LARGE], other[LARGE], want[LARGE];
	tsr_ctx *ctx = open_with("cpu");
	const tsr_dims dims = TSR_DIMS(LARGE);
	float *to = c->to_y ? y : other;
	tsr_fn *f = c->donates ? tsr_jit(ctx, c->body, .donate = TSR_DIMS(1))
	                       : tsr_jit(ctx, c->body);

	released = 0;
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < LARGE; k++) x[k] = (float)(k % 100), y[k] = (float)i;
		for (int k = 0; k < LARGE; k++) {
			const float a = x[k], b = (float)i, flipped = x[LARGE - 1 - k] - b;
			want[k] = c->body == saxpy ? 2 * a + b
			          : c->body == steps ? b + 3 : flipped;
		}
		tsr_call_into(TSR_OUT(TSR_INTO(to, TSR_F32, dims)), f,
		              tsr_wrap(ctx, x, TSR_F32, dims),
		              tsr_wrap(ctx, y, TSR_F32, dims, .writable = c->writable,
		                       .release = count_release));
		if (memcmp(to, want, sizeof want) != 0) fail_msg("%s: other elements", c->name);
		if (released != (c->donates ? i + 1 : 0))
			fail_msg("%s: %d releases after %d calls", c->name, released, i + 1);
	}
	const bool direct = tsr_memory(ctx).peak < sizeof want;
	if (direct != c->direct)
		fail_msg("%s: %s", c->name, direct ? "no buffer was made" : "a buffer was made");
	assert_int_equal(tsr_close(ctx), 0);
}

static void results_are_made_in_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(memory_cases); i++) check_memory(&memory_cases[i]);
}

/* the result is in the caller's memory, and keeps it in use */
static void donated_memory_holds_the_result(void **state)
{
	static float y[LARGE];
	tsr_ctx *ctx = open_with("cpu");
	tsr_fn *f = tsr_jit(ctx, saxpy, .donate = TSR_DIMS(1));
	tsr *own = NULL;

	(void)state;
	released = 0;
	tsr *x = tsr_ones(ctx, TSR_DIMS(LARGE));
	tsr_set(&own, tsr_wrap(ctx, y, TSR_F32, TSR_DIMS(LARGE), .writable = true,
	                       .release = count_release));
	for (int i = 0; i < 3; i++) {
		TSR_SCOPE(ctx);
		tsr_set(&own, tsr_call(f, x, own));
		if (!i) continue; /* the scope around the loop held y too */
		assert_ptr_equal(tsr_shard_borrow(own, 0, NULL), y);
	}
	assert_true(y[0] == 6 && y[LARGE - 1] == 6);
	assert_int_equal(released, 0);
	tsr_drop(&own);
	assert_int_equal(released, 1);
	assert_int_equal(tsr_close(ctx), 0);
}

/* the array of a result that only memory gets does not live on */
static void nothing_refers_to_the_memory(void **state)
{
	static float to[2 * LARGE];
	tsr_ctx *ctx = open_with("interp"); /* which makes a buffer of its own */
	tsr_fn *f = tsr_jit(ctx, twice);
	tsr *x = tsr_ones(ctx, TSR_DIMS(LARGE));

	(void)state;
	for (int i = 0; i < 8; i++)
		tsr_call_into(TSR_OUT(TSR_INTO(to, TSR_F32, tsr_shape(x), .strides = TSR_DIMS(8))),
		              f, x);
	assert_true(to[2 * LARGE - 2] == 2);
	assert_true(tsr_memory(ctx).in_use < 2 * LARGE * sizeof *to);
	assert_int_equal(tsr_close(ctx), 0);
}

static void of_couple(tsr_frame *f);
TSR_TREE_TYPE(couple, { tsr *sum, *difference; });
TSR_TREE_TYPE(nested, { couple couple; tsr *other; });

/* three results: a tree of two, one of one, and the sum of a part of a tree that is passed on */
static void several(tsr_frame *f)
{
	const nested *p = TSR_TREE_OF(nested, tsr_frame_tree(f, 0));
	couple b = {.sum = tsr_add(p->couple.sum, p->other),
	          .difference = tsr_sub(p->couple.sum, p->other)};
	tsr *y;

	tsr_call_into(TSR_OUT(NULL, &y), tsr_jit(f, of_couple), TSR_TREE(couple, &p->couple));
	tsr_return(f, TSR_TREE(couple, &b), p->other, y);
}

static void of_couple(tsr_frame *f)
{
	const couple *b = TSR_TREE_OF(couple, tsr_frame_tree(f, 0));

	tsr_return(f, b->sum, tsr_add(b->sum, b->difference));
}

/* NULL in place of a result that is not wanted, be it one handle or a tree */
static void a_result_is_not_wanted(void **state)
{
	(void)state;
	for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
		tsr_ctx *ctx = open_with(engines[e]);
		tsr *one = tsr_ones(ctx, TSR_DIMS()), *y = NULL, *z = NULL;
		nested p = {.couple = {.sum = one, .difference = one}, .other = one};
		float memory = 0;

		tsr_call_into(TSR_OUT(NULL, &y, &z), tsr_jit(ctx, several), TSR_TREE(nested, &p));
		assert_true(tsr_item(y) == 1 && tsr_item(z) == 2);
		tsr_call_into(TSR_OUT(NULL, TSR_INTO(&memory, TSR_F32, TSR_DIMS()), NULL),
		              tsr_jit(ctx, several), TSR_TREE(nested, &p));
		assert_true(memory == 1);
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_has_such_places),
		cmocka_unit_test(memory_may_be_that_of_operands),
		cmocka_unit_test(columns_of_a_matrix),
		cmocka_unit_test(results_are_made_in_place),
		cmocka_unit_test(donated_memory_holds_the_result),
		cmocka_unit_test(nothing_refers_to_the_memory),
		cmocka_unit_test(a_result_is_not_wanted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
