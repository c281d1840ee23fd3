/* test_memory.c - the memory of the operands of a compiled call: results are made in the buffers of
 * donated operands, and of no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include "runtime/runtime.h"
#include "support/quiet.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { DEVICES = 8, ELEMENTS = 1 << 18, BYTES = 4 * ELEMENTS };

static tsr_ctx *open_compiling(void)
{
	return tsr_open(.devices = DEVICES, .engine = "cpu", .plugin_dir = PLUGIN_DIR, .debug = "c",
	                .log = log_nothing);
}

/* ---- steps: each gives what it gets, changed */

static tsr *elementwise(tsr *x) { return tsr_add(tsr_mul(x, 0.5), 1); }
static tsr *add_index(tsr *i, tsr *x) { return tsr_add(x, tsr_astype(i, TSR_F32)); }
static tsr *loop(tsr *x) { return tsr_fori(0, 3, add_index, x); }
static tsr *update(tsr *x) { return tsr_dynamic_update(x, tsr_zeros(x, TSR_DIMS(5)), 0, 9); }
static tsr *with_sum(tsr *x) { return tsr_add(x, tsr_sum(x)); }
static tsr *of_all(tsr *x) { return tsr_add(x, tsr_psum(tsr_sum(x), "i")); }
static tsr *backwards(tsr *x) { return tsr_flip(x, TSR_DIMS(0)); }
static tsr *moved_down(tsr *x)
{
	return tsr_pad(tsr_slice(x, 0, 1, TSR_END), TSR_DIMS(0), TSR_DIMS(1), 0);
}

static const struct step_case {
	const char *name;
	tsr *(*body)(tsr *);
	bool mapped;   /* over all devices */
	const char *p; /* how x is cut; NULL: whole on each device */
	bool in_place;
} steps[] = {
	{"elementwise", elementwise, false, NULL, true},
	{"loop", loop, false, NULL, true},
	{"update", update, false, NULL, true},
	{"with_sum", with_sum, false, NULL, true},
	{"backwards", backwards, false, NULL, false},
	{"moved_down", moved_down, false, NULL, false},
	{"elementwise, blocks", elementwise, true, "i", true},
	{"of_all, blocks", of_all, true, "i", true},
	{"elementwise, replicated", elementwise, true, NULL, true},
};

static tsr_fn *fn_of(tsr_ctx *ctx, const struct step_case *c, bool donates)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"i", DEVICES});
	const tsr_spec spec = c->p ? TSR_P("i") : TSR_P();
	tsr_fn *f = tsr_jit(ctx, c->body);

	if (c->mapped)
		f = tsr_shard_map(mesh, c->body, .in = TSR_SPECS(spec), .out = TSR_SPECS(spec));
	return donates ? tsr_jit(ctx, f, .donate = TSR_DIMS(0)) : f;
}

static tsr *start(tsr_ctx *ctx, const struct step_case *c)
{
	tsr *x = tsr_arange(ctx, ELEMENTS, .dtype = TSR_F32);

	if (!c->mapped) return x;
	return tsr_put(x, tsr_mesh_make(ctx, {"i", DEVICES}), c->p ? TSR_P("i") : TSR_P());
}

static void check_step(const struct step_case *c)
{
	tsr_ctx *ctx = open_compiling();
	tsr_fn *f = fn_of(ctx, c, true), *plain = fn_of(ctx, c, false);
	tsr *own = NULL;

	for (int i = 0; i < 4; i++) {
		TSR_SCOPE(ctx);
		if (!i) tsr_set(&own, start(ctx, c));
		if (!i) continue; /* whoever else has its buffers lets go of them */
		const void *before = tsr_shard_borrow(own, 0, NULL);
		tsr *want = tsr_call(plain, own);
		tsr_set(&own, tsr_call(f, own));
		const bool stayed = tsr_shard_borrow(own, 0, NULL) == before;
		if (stayed != c->in_place)
			fail_msg("%s: the result is %s", c->name,
			         stayed ? "in place" : "elsewhere");
		assert_true(tsr_array_equal(own, want));
	}
	assert_int_equal(tsr_close(ctx), 0);
}

static void donated_buffers_hold_results(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(steps); i++) check_step(&steps[i]);
}

/* whichever of several operands is given */
static tsr *mixed(tsr *x, tsr *y, tsr *z) { return tsr_add(tsr_mul(x, 0.5), tsr_sub(y, z)); }

static void any_operand_may_be_given(void **state)
{
	tsr_ctx *ctx = open_compiling();

	(void)state;
	for (int given = 0; given < 3; given++) {
		tsr_fn *f = tsr_jit(ctx, mixed, .donate = TSR_DIMS(given));
		tsr *own = NULL, *x[3];
		for (int i = 0; i < 4; i++) {
			TSR_SCOPE(ctx);
			for (int k = 0; k < 3; k++)
				x[k] = tsr_full(ctx, TSR_DIMS(ELEMENTS), k + i, .dtype = TSR_F32);
			tsr_set(&own, x[given]);
			const void *before = tsr_shard_borrow(own, 0, NULL);
			x[given] = own;
			tsr *y = tsr_call(f, x[0], x[1], x[2]);
			assert_ptr_equal(tsr_shard_borrow(y, 0, NULL), before);
			assert_float_equal(tsr_item(tsr_max(y)), 0.5F * (float)i - 1, 0);
			assert_float_equal(tsr_item(tsr_min(y)), 0.5F * (float)i - 1, 0);
		}
		tsr_drop(&own);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- memory that others have stays as it is */

static void shared_buffers_are_not_written(void **state)
{
	tsr_ctx *ctx = open_compiling();
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"i", DEVICES});
	tsr_fn *f = tsr_jit(ctx, elementwise, .donate = TSR_DIMS(0));
	tsr *x = tsr_put(tsr_arange(ctx, ELEMENTS, .dtype = TSR_F32), mesh, TSR_P("i"));
	tsr *y = tsr_shard_data(x, 3); /* another array with one of its buffers */
	const float first = 3 * (ELEMENTS / DEVICES);

	(void)state;
	assert_ptr_equal(tsr_shard_borrow(x, 3, NULL), tsr_shard_borrow(y, 0, NULL));
	assert_false(tsr_is_poison(tsr_call(f, x)));
	assert_float_equal(tsr_item(tsr_min(y)), first, 0);
	assert_float_equal(tsr_item(tsr_max(y)), first + ELEMENTS / DEVICES - 1, 0);
	assert_int_equal(tsr_close(ctx), 0);
}

static void wrapped_memory_is_not_written(void **state)
{
	static float numbers[ELEMENTS];
	tsr_ctx *ctx = open_compiling();
	tsr_fn *f = tsr_jit(ctx, elementwise, .donate = TSR_DIMS(0));

	(void)state;
	tsr *x = tsr_wrap(ctx, numbers, TSR_F32, TSR_DIMS(ELEMENTS));
	assert_float_equal(tsr_item(tsr_max(tsr_call(f, x))), 1, 0);
	for (int i = 0; i < ELEMENTS; i++) assert_true(numbers[i] == 0);
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- and steps need no second copy */

static size_t peak_of(bool donate)
{
	tsr_ctx *ctx = open_compiling();
	tsr_fn *f = donate ? tsr_jit(ctx, with_sum, .donate = TSR_DIMS(0)) : tsr_jit(ctx, with_sum);
	tsr *own = NULL;

	for (int i = 0; i < 5; i++) {
		TSR_SCOPE(ctx);
		tsr_set(&own, i ? tsr_call(f, own) : tsr_ones(ctx, TSR_DIMS(4 * ELEMENTS)));
	}
	const size_t peak = tsr_memory(ctx).peak;
	assert_int_equal(tsr_close(ctx), 0);
	return (peak + BYTES) / (4 * BYTES);
}

static void a_donated_step_has_one_copy(void **state)
{
	(void)state;
	assert_int_equal(peak_of(false), 2);
	assert_int_equal(peak_of(true), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(donated_buffers_hold_results),
		cmocka_unit_test(any_operand_may_be_given),
		cmocka_unit_test(shared_buffers_are_not_written),
		cmocka_unit_test(wrapped_memory_is_not_written),
		cmocka_unit_test(a_donated_step_has_one_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
