/* test_null.c - calls with NULL: the error belongs to the right context, is recorded and logged,
 * and nothing crashes. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static tsr *const none;
static tsr_ctx *const no_ctx;
static tsr_mesh *const no_mesh;
static tsr_fn *const no_fn;
static const tsr_sharding *const no_sharding;

/* what the calls below have to work with */
typedef struct scene {
	tsr_ctx *ctx;
	tsr_mesh *mesh;
	tsr *x; /* f32[8] */
} scene;

static tsr *twice(tsr *x)
{
	return tsr_mul(x, 2);
}

static bool is_true(tsr *x)
{
	return !tsr_is_poison(x);
}

/* ---- each gives whether the call looks as if it had worked */

#define CASE(name, good) \
	static bool name(scene *s) \
	{ \
		(void)s; \
		return (good); \
	}

CASE(one_operand, is_true(tsr_exp(none)))
CASE(two_operands, is_true(tsr_add(none, none)))
CASE(second_operand, is_true(tsr_add(s->x, none)))
CASE(reduction, is_true(tsr_sum(none)))
CASE(sort, is_true(tsr_sort(none)))
CASE(sort_of_none, tsr_sort_operands(&(tsr *){none}, &(tsr *){NULL}, 1))
CASE(sort_of_no_list, tsr_sort_operands(NULL, &(tsr *){NULL}, 1))
CASE(sort_of_nothing, tsr_sort_operands(NULL, NULL, 0))
CASE(running_sum, is_true(tsr_cumsum(none)))
CASE(running_max, is_true(tsr_cummax(none)))
CASE(running_from_0, is_true(tsr_cumulative_sum(none)))
CASE(window, is_true(tsr_reduce_window(none, TSR_COMBINE_ADD, TSR_DIMS(1))))
CASE(pool, is_true(tsr_avg_pool(none, TSR_DIMS(1))))
CASE(convolution, is_true(tsr_conv_general_dilated(none, none)))
CASE(shape, is_true(tsr_reshape(none, TSR_DIMS(1))))
CASE(collective, is_true(tsr_psum(none, "x")))
CASE(item, tsr_item(none) == tsr_item(none))
CASE(item_int, tsr_item_int(none) != 0)
CASE(number_of_dims, tsr_ndim(none) != 0)
CASE(sharding_of, tsr_sharding_of(none) != NULL)
CASE(wait_for, tsr_wait(none))
CASE(read_nowhere, tsr_read(s->x, NULL, 32))
CASE(read_into_nowhere, tsr_read_into(s->x, NULL))
CASE(read_it, tsr_read(none, &(float){0}, 4))
CASE(save, tsr_save_npy(none, "none.npy"))
CASE(save_nowhere, tsr_save_npy(s->x, NULL))
CASE(zeros, is_true(tsr_zeros(no_ctx, TSR_DIMS(2))))
CASE(zeros_of_a_handle, is_true(tsr_zeros(none, TSR_DIMS(2))))
CASE(arange, is_true(tsr_arange(no_ctx, 3)))
CASE(eye, is_true(tsr_eye(no_ctx, 3)))
CASE(scalar, is_true(tsr_scalar(no_ctx, 1)))
CASE(from, is_true(tsr_from(no_ctx, &(float){0}, TSR_F32, TSR_DIMS(1))))
CASE(load, is_true(tsr_load_npy(no_ctx, "none.npy")))
CASE(parse, is_true(tsr_call(tsr_parse(no_ctx, "f() -> f32[] {\n  return 1:f32\n}"))))
CASE(load_program, is_true(tsr_call(tsr_load_program(no_ctx, "none.tsr"))))
CASE(jit, is_true(tsr_call(tsr_jit(no_ctx, twice), s->x)))
CASE(grad, is_true(tsr_call(tsr_grad(no_ctx, twice), s->x)))
CASE(vmap, is_true(tsr_call(tsr_vmap(no_ctx, twice), s->x)))
CASE(call, is_true(tsr_call(no_fn, s->x)))
CASE(call_argument, is_true(tsr_call(tsr_jit(s->ctx, twice), none)))
CASE(jit_of_fn, is_true(tsr_call(tsr_jit(s->ctx, no_fn), s->x)))
CASE(fn_text, *tsr_fn_text(no_fn, s->x))
CASE(map_over_mesh, is_true(tsr_call(tsr_shard_map(no_mesh, twice, .sig = "[x] -> [x]"), s->x)))
CASE(put_on_mesh, is_true(tsr_put(s->x, no_mesh, TSR_P("x"))))
CASE(put_it, is_true(tsr_put(none, s->mesh, TSR_P("x"))))
CASE(put_by_sharding, is_true(tsr_put_sharding(s->x, no_sharding)))
CASE(sharding, is_true(tsr_put_sharding(s->x, tsr_sharding_make(no_mesh, TSR_P("x")))))
CASE(sharding_device, is_true(tsr_put_sharding(s->x, tsr_sharding_device(no_ctx, 0))))
CASE(mesh, tsr_mesh_size(tsr_mesh_make(no_ctx, {"x", 2})) != 0)
CASE(mesh_of_no_devices, tsr_mesh_size(tsr_mesh_make_devices(s->ctx, NULL, 0, {"x", 8})) != 0)
CASE(mesh_of_no_list, tsr_mesh_size(tsr_mesh_make_devices(s->ctx, NULL, 8, {"x", 8})) != 0)
CASE(axis_size, tsr_mesh_axis_size(no_mesh, "x") != 0)
CASE(scope, tsr_scope_open(no_ctx) != NULL)
CASE(raise, is_true(tsr_fail(no_ctx, "raised without a context")))
CASE(list_of_shards, is_true(tsr_from_shards_at(NULL, s->ctx, tsr_sharding_device(s->ctx, 0),
                                                TSR_DIMS(8), NULL, 1)))
CASE(list_of_operands, is_true(tsr_concatenate_at(NULL, 0, NULL, 2)))
CASE(chain_of_nothing, is_true(tsr_multi_dot_at(NULL, NULL, 0)))
CASE(list_of_arguments, is_true(tsr_call_at(NULL, tsr_jit(s->ctx, twice), NULL, 1)))
CASE(list_of_leaves,
     is_true(tsr_call(tsr_jit(s->ctx, twice), ((tsr_tree){.leaf = NULL, .count = 2}))))
CASE(list_of_branches,
     is_true(tsr_switch_at(NULL, tsr_arg_int(0), (tsr_branches){NULL, 2},
                           &(tsr_arg){.kind = TSR_KIND_ONE, .as.one = s->x}, 1)))

/* ---- operands of a kind that there is not, and lists that cannot be */

static bool tree_as_operand(scene *s)
{
	tsr *leaf[2] = {s->x, s->x};
	const tsr_arg ab[2] = {tsr_arg_one(s->x),
	                       tsr_arg_tree((tsr_tree){.leaf = leaf, .count = 2})};
	return is_true(tsr_add_at(NULL, ab));
}

static bool operand_with_kind(scene *s, int64_t kind)
{
	const tsr_arg ab[2] = {tsr_arg_one(s->x), {.kind = kind, .as.i = 7}};
	return is_true(tsr_add_at(NULL, ab));
}

CASE(operand_of_no_kind, operand_with_kind(s, TSR_KIND_NONE))
CASE(operand_of_unknown_kind, operand_with_kind(s, 99))
CASE(argument_of_unknown_kind, is_true(tsr_call_at(NULL, tsr_jit(s->ctx, twice),
                                                   &(tsr_arg){.kind = 99}, 1)))

static tsr *permutes_too_much(tsr *x)
{
	static const int pair[1][2] = {{0, 1}};
	return tsr_ppermute(x, "x", ((tsr_perm){.count = (size_t)1 << 30, .pairs = pair}));
}

CASE(many_pairs, is_true(tsr_call(tsr_shard_map(s->mesh, permutes_too_much,
                                                .sig = "[x] -> [x]"), s->x)))

static bool set_nothing(scene *s)
{
	tsr *slot = NULL;
	(void)s;
	tsr_set(&slot, none);
	return is_true(slot);
}

#undef CASE
#define CASE(name, code) {#name, name, code}
static const struct {
	const char *name;
	bool (*works)(scene *);
	tsr_code code;
} cases[] = {
	CASE(one_operand, TSR_ERROR_HANDLE),
	CASE(two_operands, TSR_ERROR_HANDLE),
	CASE(second_operand, TSR_ERROR_HANDLE),
	CASE(reduction, TSR_ERROR_HANDLE),
	CASE(sort, TSR_ERROR_HANDLE),
	CASE(sort_of_none, TSR_ERROR_HANDLE),
	CASE(sort_of_no_list, TSR_ERROR_ARGUMENT),
	CASE(sort_of_nothing, TSR_ERROR_ARGUMENT),
	CASE(running_sum, TSR_ERROR_HANDLE),
	CASE(running_max, TSR_ERROR_HANDLE),
	CASE(running_from_0, TSR_ERROR_HANDLE),
	CASE(window, TSR_ERROR_HANDLE),
	CASE(pool, TSR_ERROR_HANDLE),
	CASE(convolution, TSR_ERROR_HANDLE),
	CASE(shape, TSR_ERROR_HANDLE),
	CASE(collective, TSR_ERROR_HANDLE),
	CASE(item, TSR_ERROR_HANDLE),
	CASE(item_int, TSR_ERROR_HANDLE),
	CASE(number_of_dims, TSR_ERROR_HANDLE),
	CASE(sharding_of, TSR_ERROR_HANDLE),
	CASE(wait_for, TSR_ERROR_HANDLE),
	CASE(read_nowhere, TSR_ERROR_ARGUMENT),
	CASE(read_into_nowhere, TSR_ERROR_ARGUMENT),
	CASE(read_it, TSR_ERROR_HANDLE),
	CASE(save, TSR_ERROR_HANDLE),
	CASE(save_nowhere, TSR_ERROR_ARGUMENT),
	CASE(zeros, TSR_ERROR_ARGUMENT),
	CASE(zeros_of_a_handle, TSR_ERROR_ARGUMENT),
	CASE(arange, TSR_ERROR_ARGUMENT),
	CASE(eye, TSR_ERROR_ARGUMENT),
	CASE(scalar, TSR_ERROR_ARGUMENT),
	CASE(from, TSR_ERROR_ARGUMENT),
	CASE(load, TSR_ERROR_ARGUMENT),
	CASE(parse, TSR_ERROR_ARGUMENT),
	CASE(load_program, TSR_ERROR_ARGUMENT),
	CASE(jit, TSR_ERROR_ARGUMENT),
	CASE(grad, TSR_ERROR_ARGUMENT),
	CASE(vmap, TSR_ERROR_ARGUMENT),
	CASE(call, TSR_ERROR_ARGUMENT),
	CASE(call_argument, TSR_ERROR_HANDLE),
	CASE(jit_of_fn, TSR_ERROR_ARGUMENT),
	CASE(fn_text, TSR_ERROR_ARGUMENT),
	CASE(map_over_mesh, TSR_ERROR_ARGUMENT),
	CASE(put_on_mesh, TSR_ERROR_ARGUMENT),
	CASE(put_it, TSR_ERROR_HANDLE),
	CASE(put_by_sharding, TSR_ERROR_ARGUMENT),
	CASE(sharding, TSR_ERROR_ARGUMENT),
	CASE(sharding_device, TSR_ERROR_ARGUMENT),
	CASE(mesh, TSR_ERROR_ARGUMENT),
	CASE(mesh_of_no_devices, TSR_ERROR_ARGUMENT),
	CASE(mesh_of_no_list, TSR_ERROR_ARGUMENT),
	CASE(axis_size, TSR_ERROR_ARGUMENT),
	CASE(scope, TSR_ERROR_ARGUMENT),
	CASE(raise, TSR_ERROR_USER),
	CASE(list_of_shards, TSR_ERROR_ARGUMENT),
	CASE(list_of_operands, TSR_ERROR_ARGUMENT),
	CASE(chain_of_nothing, TSR_ERROR_ARGUMENT),
	CASE(list_of_arguments, TSR_ERROR_ARGUMENT),
	CASE(list_of_leaves, TSR_ERROR_ARGUMENT),
	CASE(list_of_branches, TSR_ERROR_ARGUMENT),
	CASE(tree_as_operand, TSR_ERROR_ARGUMENT),
	CASE(operand_of_no_kind, TSR_ERROR_ARGUMENT),
	CASE(operand_of_unknown_kind, TSR_ERROR_ARGUMENT),
	CASE(argument_of_unknown_kind, TSR_ERROR_ARGUMENT),
	CASE(many_pairs, TSR_ERROR_ARGUMENT),
	CASE(set_nothing, TSR_ERROR_HANDLE),
};
#define NCASES (sizeof cases / sizeof *cases)

/* outside of bodies the thread's only context has it, logs it, and closes with its code */
static void test_the_only_context(void **state)
{
	(void)state;
	int wrong = 0;
	for (size_t k = 0; k < NCASES; k++) {
		int logged = 0;
		scene s = {.ctx = tsr_open(.devices = 8, .log = mistakes_log, .user = &logged)};
		s.mesh = tsr_mesh_make(s.ctx, {"x", 8});
		s.x = tsr_arange(s.ctx, 8, .dtype = TSR_F32);
		const bool works = cases[k].works(&s);
		const int code = tsr_close(s.ctx);
		const bool right = !works && code == (int)cases[k].code && logged == 1;
		if (!right)
			print_error("%s: works %d, code %d, logged %d\n", cases[k].name, works,
			            code, logged);
		wrong += !right;
	}
	assert_int_equal(wrong, 0);
}

/* inside a body it is that of the context that traces, also where the thread has several */
static size_t traced_case;
static scene traced_scene;

static tsr *makes_the_mistake(tsr *x)
{
	cases[traced_case].works(&traced_scene);
	return twice(x);
}

static void test_the_context_that_traces(void **state)
{
	(void)state;
	int wrong = 0;
	for (traced_case = 0; traced_case < NCASES; traced_case++) {
		tsr_ctx *other = tsr_open(.log = mistakes_log);
		scene *s = &traced_scene;
		*s = (scene){.ctx = tsr_open(.devices = 8, .log = mistakes_log)};
		s->mesh = tsr_mesh_make(s->ctx, {"x", 8});
		s->x = tsr_arange(s->ctx, 8, .dtype = TSR_F32);
		tsr *y = tsr_call(tsr_jit(s->ctx, makes_the_mistake), s->x);
		const int code = tsr_close(s->ctx), of_other = tsr_close(other);
		const bool right = code != 0 && of_other == 0;
		(void)y;
		if (!right)
			print_error("%s: code %d, of the other %d\n", cases[traced_case].name,
			            code, of_other);
		wrong += !right;
	}
	assert_int_equal(wrong, 0);
}

/* what only looks, or gives back, takes NULL and is silent */
static void test_what_takes_null(void **state)
{
	(void)state;
	tsr *slot = NULL;
	tsr_ctx *ctx = tsr_open(.log = mistakes_log);
	assert_int_equal(tsr_status(no_ctx), TSR_ERROR_ARGUMENT);
	assert_non_null(strstr(tsr_message(no_ctx), "NULL"));
	tsr_clear(no_ctx);
	assert_int_equal(tsr_memory(no_ctx).in_use, 0);
	assert_int_equal(tsr_device_count(no_ctx), 0);
	assert_int_equal(tsr_device(no_ctx, 0).id, -1);
	assert_null(tsr_ctx_of(none));
	assert_null(tsr_mesh_ctx(no_mesh));
	assert_null(tsr_fn_ctx(no_fn));
	assert_null(tsr_frame_ctx(NULL));
	assert_true(tsr_is_poison(tsr_poison(no_ctx)));
	assert_true(tsr_is_poison(none));
	assert_string_equal(tsr_text(none), "NULL");
	assert_string_equal(tsr_mesh_text(no_mesh), "");
	assert_string_equal(tsr_sharding_text(no_sharding), "");
	assert_null(tsr_keep(none));
	tsr_scope_close(NULL);
	tsr_drop(&slot);
	assert_int_equal(tsr_close(no_ctx), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_only_context),
		cmocka_unit_test(test_the_context_that_traces),
		cmocka_unit_test(test_what_takes_null),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
