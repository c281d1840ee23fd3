/* test_poison.c - poison: quiet while its error stands, an error of its own once that was cleared,
 * kept out of owned slots. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

TSR_TREE_TYPE(pair, { tsr *w, *b; });

/* what failed, and what is sound, in one context */
typedef struct scene {
	tsr_ctx *ctx;
	tsr *poison, *x;
	tsr_mesh *no_mesh, *mesh;
	tsr_fn *no_fn;
	const tsr_sharding *no_sharding;
} scene;

typedef struct heard {
	int count;
	char text[2000];
} heard;

static void hear(void *user, int level, const char *text)
{
	heard *h = user;
	if (level == 0) {
		h->count++;
		snprintf(h->text, sizeof h->text, "%s", text);
	}
}

static scene scene_open(heard *h)
{
	scene s = {.ctx = tsr_open(.devices = 4, .log = hear, .user = h)};
	s.x = tsr_arange(s.ctx, 4, .dtype = TSR_F32);
	s.mesh = tsr_mesh_make(s.ctx, {"x", 4});
	s.poison = tsr_fail(s.ctx, "the first text");
	s.no_mesh = tsr_mesh_make(s.ctx, {"x", 5});
	s.no_fn = tsr_parse(s.ctx, "no program");
	s.no_sharding = tsr_sharding_make(s.mesh, TSR_P("y"));
	tsr_clear(s.ctx);
	return s;
}

static tsr *twice(tsr *x)
{
	return tsr_mul(x, 2);
}

static float room[4];

/* ---- uses: each is to fail */

static tsr *captured;

static bool captures(scene *s)
{
	captured = s->poison;
	return !tsr_is_poison(
		tsr_call(tsr_jit(s->ctx, twice, .captures = TSR_LEAVES(&captured, 1)), s->x));
}

static tsr *closed_over;

static tsr *uses_closed_over(tsr *x)
{
	return tsr_add(x, closed_over);
}

static tsr *returns_closed_over(tsr *x)
{
	(void)x;
	return closed_over;
}

static bool in_a_body(scene *s)
{
	closed_over = s->poison;
	return !tsr_is_poison(tsr_call(tsr_jit(s->ctx, uses_closed_over), s->x));
}

static bool as_result(scene *s)
{
	closed_over = s->poison;
	return !tsr_is_poison(tsr_call(tsr_jit(s->ctx, returns_closed_over), s->x));
}

static bool in_a_tree(scene *s)
{
	pair p = {.w = s->x, .b = s->poison};
	return !tsr_is_poison(tsr_call(tsr_jit(s->ctx, twice), TSR_TREE(pair, &p)));
}

static bool owned(scene *s)
{
	tsr *slot = NULL;
	tsr_set(&slot, s->poison);
	return !tsr_is_poison(slot);
}

static bool owned_tree(scene *s)
{
	pair from = {.w = s->x, .b = s->poison}, to = {0};
	tsr_set_tree(TSR_TREE(pair, &to), TSR_TREE(pair, &from));
	return !tsr_is_poison(to.b);
}

#define CASE(name, what, good) \
	static bool name(scene *s) { return (good); }
#define CASES \
	CASE(operand, "neg: the operand", !tsr_is_poison(tsr_neg(s->poison))) \
	CASE(second, "add: operand 1", !tsr_is_poison(tsr_add(s->x, s->poison))) \
	CASE(beside_number, "mul: the operand", !tsr_is_poison(tsr_mul(s->poison, 2))) \
	CASE(argument, "twice: args[0]", \
	     !tsr_is_poison(tsr_call(tsr_jit(s->ctx, twice), s->poison))) \
	CASE(predicate, "cond: the predicate", \
	     !tsr_is_poison(tsr_cond(s->poison, twice, twice, s->x))) \
	CASE(read_it, "read", tsr_read(s->poison, room, sizeof room)) \
	CASE(read_into, "read_into", tsr_read_into(s->poison, room)) \
	CASE(item, "item", tsr_item(s->poison) == 0) \
	CASE(save, "save_npy", tsr_save_npy(s->poison, "/dev/null")) \
	CASE(wait_for, "wait", tsr_wait(s->poison)) \
	CASE(equal, "array_equal: operand 0", tsr_array_equal(s->poison, s->poison)) \
	CASE(type_of, "ndim", tsr_ndim(s->poison) != 0) \
	CASE(put, "put", !tsr_is_poison(tsr_put(s->poison, s->mesh, TSR_P("x")))) \
	CASE(mesh, "put: the mesh", !tsr_is_poison(tsr_put(s->x, s->no_mesh, TSR_P("x")))) \
	CASE(map, "shard_map: the mesh", \
	     !tsr_is_poison(tsr_call(tsr_shard_map(s->no_mesh, twice, .sig = "[x] -> [x]"), \
	                             s->x))) \
	CASE(sharding, "put_sharding: the sharding", \
	     !tsr_is_poison(tsr_put_sharding(s->x, s->no_sharding))) \
	CASE(call, "call: the fn", !tsr_is_poison(tsr_call(s->no_fn, s->x))) \
	CASE(body, "jit: the fn", !tsr_is_poison(tsr_call(tsr_jit(s->ctx, s->no_fn), s->x))) \
	CASE(text, "fn_text: the fn", *tsr_fn_text(s->no_fn, s->x))
CASES
#undef CASE
#define CASE(name, what, good) {#name, name, what},
static const struct {
	const char *name;
	bool (*works)(scene *);
	const char *what; /* used it */
} cases[] = {
	CASES
	{"captures", captures, "a capture"},
	{"in_a_body", in_a_body, "add: operand 1"},
	{"as_result", as_result, "result"},
	{"in_a_tree", in_a_tree, "args[0].b"},
	{"owned", owned, "tsr_set: the value"},
	{"owned_tree", owned_tree, "tsr_set: the value"},
};

static void test_use_after_clear(void **state)
{
	(void)state;
	int wrong = 0;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		heard h = {0};
		scene s = scene_open(&h);
		const bool works = cases[k].works(&s);
		const int code = tsr_close(s.ctx);
		const bool right = !works && code == TSR_ERROR_HANDLE && h.count == 1 &&
		                   strstr(h.text, cases[k].what) &&
		                   strstr(h.text, "is poison, from an error that was cleared: ") &&
		                   strstr(h.text, "the first text");
		if (!right)
			print_error("%s: works %d, code %d, logged %d: %s\n", cases[k].name, works,
			            code, h.count, h.text);
		wrong += !right;
	}
	assert_int_equal(wrong, 0);
}

/* the same, without clearing: the error that stands is the only one, and is logged once */
static void test_use_before_clear(void **state)
{
	(void)state;
	heard h = {0};
	scene s = scene_open(&h);
	tsr_fail(s.ctx, "this one stands");
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) assert_false(cases[k].works(&s));
	assert_non_null(strstr(tsr_message(s.ctx), "this one stands"));
	assert_null(strstr(tsr_message(s.ctx), "cleared"));
	assert_int_equal(tsr_close(s.ctx), TSR_ERROR_USER);
	assert_int_equal(h.count, 1);
}

/* of several errors that were cleared the last is told, and how many they were */
static void test_several_were_cleared(void **state)
{
	(void)state;
	heard h = {0};
	scene s = scene_open(&h);
	assert_true(tsr_is_poison(tsr_dot(s.x, tsr_ones(s.ctx, TSR_DIMS(3)))));
	assert_int_equal(tsr_status(s.ctx), TSR_ERROR_TYPE);
	tsr_clear(s.ctx);
	assert_true(tsr_is_poison(tsr_neg(s.poison)));
	assert_non_null(strstr(tsr_message(s.ctx), "of 2 that were, the last is: "));
	assert_non_null(strstr(tsr_message(s.ctx), "dot"));
	tsr_clear(s.ctx);
	assert_true(tsr_is_poison(tsr_neg(tsr_poison(s.ctx))));
	assert_non_null(strstr(tsr_message(s.ctx), "of 3 that were"));
	assert_int_equal(tsr_close(s.ctx), TSR_ERROR_HANDLE);
}

/* what was never an error says so; looking records nothing */
static void test_poison_of_nothing(void **state)
{
	(void)state;
	heard h = {0};
	tsr_ctx *ctx = tsr_open(.log = hear, .user = &h);
	tsr *p = tsr_poison(ctx);
	assert_true(tsr_is_poison(p));
	assert_string_equal(tsr_text(p), "poison");
	assert_true(tsr_keep(p) == p);
	assert_int_equal(tsr_status(ctx), 0);
	assert_true(tsr_is_poison(tsr_exp(p)));
	assert_non_null(strstr(tsr_message(ctx), "there was no error"));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_HANDLE);
	assert_int_equal(h.count, 1);
}

/* a slot keeps its value where the new one is none, and the message says so */
static void test_slots_keep(void **state)
{
	(void)state;
	heard h = {0};
	scene s = scene_open(&h);
	tsr *slot = NULL;
	pair p = {0};
	tsr_set(&slot, s.x);
	tsr_set(&p.w, s.x);
	tsr_set(&p.b, s.x);
	tsr *const bad[] = {tsr_dot(s.x, tsr_ones(s.ctx, TSR_DIMS(3))), s.poison, NULL};
	for (size_t k = 0; k < 3; k++) {
		if (k) tsr_clear(s.ctx);
		tsr_set(&slot, bad[k]);
		assert_true(tsr_item(tsr_sum(slot)) == 6);
		assert_non_null(strstr(tsr_message(s.ctx), "tsr_set: the slot keeps the value"));
		assert_int_equal(tsr_status(s.ctx), k ? TSR_ERROR_HANDLE : TSR_ERROR_TYPE);
	}
	tsr_clear(s.ctx);
	pair news = {.w = tsr_neg(s.x), .b = s.poison};
	tsr_set_tree(TSR_TREE(pair, &p), TSR_TREE(pair, &news)); /* neither changes */
	assert_true(tsr_item(tsr_sum(p.w)) == 6 && tsr_item(tsr_sum(p.b)) == 6);
	assert_non_null(strstr(tsr_message(s.ctx), "tsr_set_tree: the slots keep"));
	tsr_drop(&slot);
	tsr_drop_tree(TSR_TREE(pair, &p));
	assert_int_equal(tsr_close(s.ctx), TSR_ERROR_HANDLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_use_after_clear),
		cmocka_unit_test(test_use_before_clear),
		cmocka_unit_test(test_several_were_cleared),
		cmocka_unit_test(test_poison_of_nothing),
		cmocka_unit_test(test_slots_keep),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
