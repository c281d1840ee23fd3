/* test_keywords.c - records that begin with their size: of an older release, of a later one, and
 * with a forgotten size. */
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>

static tsr *same(tsr *x)
{
	return x;
}

/* ---- calls with a record that is NULL or of any size: is there a result? */

typedef struct scene {
	tsr_ctx *ctx;
	tsr *x;
	tsr_mesh *mesh;
} scene;

#define WITH(T, size_of, call) \
	T record = {.size = (size_of)}; \
	const T *args = &record; \
	return (call)
#define BODY ((tsr_body){TSR_FORM_1, (tsr_raw)same, NULL})
#define CALLED(f) (!tsr_is_poison(tsr_call((f), s->x)))
#define MADE(x) (!tsr_is_poison(x))
#define CASES \
	CASE(new, tsr_new_args, MADE(tsr_zeros_at("k.c:1", s->ctx, TSR_DIMS(2), args))) \
	CASE(arange, tsr_arange_args, MADE(tsr_arange_at("k.c:1", s->ctx, 2, args))) \
	CASE(iota, tsr_iota_args, MADE(tsr_iota_at("k.c:1", s->ctx, TSR_DIMS(2), 0, args))) \
	CASE(wrap, tsr_wrap_args, \
	     MADE(tsr_wrap_at("k.c:1", s->ctx, TSR_F32, (float[]){1, 2}, TSR_F32, TSR_DIMS(2), \
	                      args))) \
	CASE(reduce, tsr_reduce_args, MADE(tsr_max_at("k.c:1", s->x, args))) \
	CASE(sum, tsr_sum_args, MADE(tsr_sum_at("k.c:1", s->x, args))) \
	CASE(mean, tsr_mean_args, MADE(tsr_mean_at("k.c:1", s->x, args))) \
	CASE(arg, tsr_arg_args, MADE(tsr_argmax_at("k.c:1", s->x, args))) \
	CASE(transpose, tsr_transpose_args, MADE(tsr_transpose_at("k.c:1", s->x, args))) \
	CASE(read, tsr_read_args, tsr_read_into_at("k.c:1", s->x, TSR_F32, (float[4]){0}, args)) \
	CASE(jit, tsr_jit_args, CALLED(tsr_jit_at("k.c:1", s->ctx, BODY, NULL, args))) \
	CASE(vmap, tsr_vmap_args, CALLED(tsr_vmap_at("k.c:1", s->ctx, BODY, NULL, args))) \
	CASE(pmap, tsr_pmap_args, CALLED(tsr_pmap_at("k.c:1", s->ctx, BODY, NULL, args))) \
	CASE(picture, tsr_picture_args, *tsr_sharding_picture_at("k.c:1", s->x, args)) \
	CASE(svg, tsr_svg_args, *tsr_sharding_svg_at("k.c:1", s->x, args)) \
	CASE(shards, tsr_shards_args, *tsr_shards_text_at("k.c:1", s->x, args))

#define CASE(name, T, call) \
	static bool name##_with(scene *s, size_t size) { WITH(T, size, call); }
CASES
#undef CASE
#define CASE(name, T, call) {#T, name##_with, sizeof(T)},
static const struct {
	const char *type;
	bool (*works)(scene *, size_t size);
	size_t size;
} cases[] = {CASES};
#define NCASES (sizeof cases / sizeof *cases)

static scene scene_open(void)
{
	scene s = {.ctx = tsr_open(.devices = 4, .log = log_nothing)};
	s.mesh = tsr_mesh_make(s.ctx, {"x", 4});
	s.x = tsr_put(tsr_arange(s.ctx, 4, .dtype = TSR_F32), s.mesh, TSR_P("x"));
	return s;
}

static void test_sizes(void **state)
{
	(void)state;
	for (size_t k = 0; k < NCASES; k++) {
		scene s = scene_open();
		const size_t wrong[] = {0, 4, 8, SIZE_MAX};
		for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
			assert_false(cases[k].works(&s, wrong[i]));
			assert_int_equal(tsr_status(s.ctx), TSR_ERROR_ARGUMENT);
			assert_non_null(strstr(tsr_message(s.ctx), cases[k].type));
			assert_non_null(strstr(tsr_message(s.ctx), "k.c:1: a record of type"));
			tsr_clear(s.ctx);
		}
		assert_true(cases[k].works(&s, cases[k].size));
		assert_true(cases[k].works(&s, 16)); /* of the first release: no keyword yet */
		assert_int_equal(tsr_close(s.ctx), TSR_OK);
	}
}

/* the record of a place, which a call gets in a list */
static void test_place(void **state)
{
	const size_t sizes[] = {0, 4, 8, SIZE_MAX, 16, sizeof(tsr_into_args)};
	scene s = scene_open();
	float out[4] = {0};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const tsr_into_args into = {
			.size = sizes[i], .data = out, .dims = TSR_DIMS(4), .dtype = TSR_F32};
		const tsr_out place = {.own = TSR_PLACE_MEMORY, .memory = &into};
		const bool whole = sizes[i] == sizeof into;
		tsr_call_into_at("k.c:3", &place, 1, tsr_jit(s.ctx, same),
		                 (&(tsr_arg){.kind = TSR_KIND_ONE, .as.one = s.x}), 1);
		assert_int_equal(tsr_status(s.ctx), whole ? 0 : TSR_ERROR_ARGUMENT);
		assert_true(out[3] == (whole ? 3 : 0));
		if (i < 4) assert_non_null(strstr(tsr_message(s.ctx), "type tsr_into_args"));
		tsr_clear(s.ctx);
	}
	assert_int_equal(tsr_close(s.ctx), TSR_OK);
}

/* a longer record is of a later release: legal as long as what we do not know is not given */
static void test_later_release(void **state)
{
	struct later { tsr_sum_args known; int64_t unknown; } record = {
		.known = {.size = sizeof record}};
	(void)state;
	scene s = scene_open();
	assert_true(tsr_item(tsr_sum_at("k.c:2", s.x, &record.known)) == 6);
	record.unknown = 1;
	assert_true(tsr_is_poison(tsr_sum_at("k.c:2", s.x, &record.known)));
	assert_int_equal(tsr_status(s.ctx), TSR_ERROR_UNSUPPORTED);
	assert_int_equal(tsr_close(s.ctx), TSR_ERROR_UNSUPPORTED);
}

/* tsr_open has no context to record in: the dead one, and .code where it can be told */
static void test_open(void **state)
{
	tsr_open_args forgotten = {.devices = 4};
	int code = -1;
	(void)state;
	tsr_log_to(log_nothing, NULL);
	tsr_ctx *ctx = tsr_open_at("k.c:3", &forgotten);
	assert_non_null(strstr(tsr_message(ctx), "k.c:3: a record of type tsr_open_args"));
	assert_true(tsr_is_poison(tsr_ones(ctx, TSR_DIMS(2))));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_ARGUMENT);
	ctx = tsr_open(.engine = "none", .code = &code);
	assert_int_not_equal(code, TSR_OK);
	assert_int_equal(tsr_close(ctx), code);
	ctx = tsr_open(.code = &code);
	assert_int_equal(code, TSR_OK);
	assert_int_equal(tsr_close(ctx), TSR_OK);
	ctx = tsr_open(.fail_at = 1, .code = &code);
	assert_int_equal(code, TSR_ERROR_MEMORY);
	assert_int_equal(tsr_close(ctx), TSR_ERROR_MEMORY);
	tsr_log_to(NULL, NULL);
}

/* what is filled is filled as far as the record goes */
static void test_filled(void **state)
{
	(void)state;
	scene s = scene_open();
	tsr_memory_info m = {.size = offsetof(tsr_memory_info, peak), .peak = 7};
	tsr_memory_fill(s.ctx, &m);
	assert_true(m.in_use > 0 && m.peak == 7 && m.size == offsetof(tsr_memory_info, peak));
	tsr_device_info d = {.size = sizeof d};
	tsr_device_fill(s.ctx, 3, &d);
	assert_int_equal(d.id, 3);
	tsr_fn *f = tsr_jit(s.ctx, same);
	assert_true(tsr_item(tsr_sum(tsr_call(f, s.x))) == 6);
	tsr_fn_info i = {.size = sizeof i};
	tsr_fn_stats_fill(f, &i);
	assert_int_equal(i.calls, 1);
	assert_int_equal(tsr_status(s.ctx), TSR_OK);
	tsr_fn_stats_fill(f, &(tsr_fn_info){0});
	assert_int_equal(tsr_status(s.ctx), TSR_ERROR_ARGUMENT);
	tsr_clear(s.ctx);
	tsr_memory_fill(s.ctx, NULL);
	assert_int_equal(tsr_close(s.ctx), TSR_ERROR_ARGUMENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_later_release),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_filled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
