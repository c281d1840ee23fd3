/* test_pmap.c - tsr_pmap: mapped dims, places of results, names and collectives, maps inside maps,
 * static and donated arguments, and every transformation around and inside. Values are compared
 * with tsr_vmap, which computes the same on one device. */
#include "support/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS
#define P TSR_P

/* f64 0.5, 1.5, ... of these dims */
static tsr *range(tsr_ctx *ctx, tsr_dims dims)
{
	int64_t n = 1;
	for (int d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	return tsr_div(tsr_reshape(tsr_arange(ctx, n, .start = 0.5, .dtype = TSR_F64), dims), 10);
}

/* x is cut along its dim `at` over the first n devices, one element each; at -1: each has all */
static void cut(tsr *x, int at, int64_t n)
{
	assert_int_equal(tsr_shard_count(x), n);
	for (int64_t k = 0; k < n; k++) {
		tsr_shard s;
		assert_true(tsr_shard_of(x, k, &s));
		assert_int_equal(s.device, k);
		for (int d = 0; d < s.ndim; d++) {
			assert_int_equal(s.start[d], d == at ? k : 0);
			assert_int_equal(s.stop[d], d == at ? k + 1 : tsr_dim(x, d));
		}
	}
}

/* ---- dims of arguments and results */

static tsr *affine(tsr *a, tsr *b) /* f64[2,3], f64[3] -> f64[2,3] */
{
	return tsr_add(tsr_mul(a, 10), tsr_sin(b));
}

static tsr_dims with_dim(int n, const int64_t *dims, int at)
{
	tsr_dims all = TSR_DIMS();
	for (int d = 0; d <= n; d++)
		if (at == TSR_UNMAPPED ? d < n : 1)
			all.d[all.d[0]++] = d == at ? 4 : dims[d - (at != TSR_UNMAPPED && d > at)];
	return all;
}

static void check_dims(tsr_ctx *ctx, int a_dim, int b_dim, int out_dim)
{
	const int at = a_dim < 0 && a_dim != TSR_UNMAPPED ? a_dim + 3 : a_dim;
	const int bt = b_dim < 0 && b_dim != TSR_UNMAPPED ? b_dim + 2 : b_dim;
	tsr *a = range(ctx, with_dim(2, (int64_t[]){2, 3}, at));
	tsr *b = range(ctx, with_dim(1, (int64_t[]){3}, bt));
	tsr *want = tsr_call(tsr_vmap(ctx, affine, .in = TSR_MAPPED(a_dim, b_dim),
	                              .out = TSR_MAPPED(out_dim)),
	                     a, b);
	tsr_fn *f = tsr_pmap(ctx, affine, .in = TSR_MAPPED(a_dim, b_dim),
	                     .out = TSR_MAPPED(out_dim));
	tsr *got = tsr_call(f, a, b);
	ALIKE(got, want, 1e-15);
	cut(got, out_dim < 0 ? out_dim + 3 : out_dim, 4);
	got = tsr_call(tsr_jit(ctx, f), a, b);
	ALIKE(got, want, 1e-15);
	cut(got, out_dim < 0 ? out_dim + 3 : out_dim, 4);
}

static void all_dims(void **state)
{
	const int a_dims[] = {0, 1, 2, -1, -3, TSR_UNMAPPED}, b_dims[] = {0, 1, -1, TSR_UNMAPPED};
	for (size_t i = 0; i < 6; i++)
		for (size_t k = 0; k < 4; k++)
			for (int out = -3; out < 3; out++)
				if (a_dims[i] != TSR_UNMAPPED || b_dims[k] != TSR_UNMAPPED)
					check_dims(*state, a_dims[i], b_dims[k], out);
}

/* ---- trees, absent leaves, results that are the same on all devices */

TSR_TREE_TYPE(dense, { tsr *w, *b; });

static void pair_and_sum(tsr_frame *frame)
{
	const dense *p = TSR_TREE_OF(dense, tsr_frame_tree(frame, 0));
	tsr *y = tsr_frame_arg(frame, 1);
	dense d = {.w = tsr_mul(p->w, y), .b = p->b};
	tsr_return(frame, TSR_TREE(dense, &d), tsr_psum(tsr_sum(p->w), "i"));
}

static void by_leaf(void **state)
{
	tsr_ctx *ctx = *state;
	const int in[] = {1, 0}, out[] = {1, TSR_UNMAPPED};
	tsr *w = range(ctx, D(2, 3)), *s;
	dense p = {.w = w}, d = {.b = w};
	tsr_fn *f = tsr_pmap(ctx, pair_and_sum, .axis = "i",
	                     .in = {TSR_FOR_EACH(in), TSR_MAPPED_ALL(TSR_UNMAPPED)},
	                     .out = {TSR_FOR_EACH(out), TSR_MAPPED_ALL(TSR_UNMAPPED)});
	tsr_call_into(TSR_OUT(TSR_TREE(dense, &d), &s), f, TSR_TREE(dense, &p), 2.0);
	ALIKE(d.w, tsr_mul(w, 2), 1e-15);
	cut(d.w, 1, 3);
	assert_null(d.b);
	ALIKE(s, tsr_sum(w), 1e-15);
	cut(s, -1, 3);
	/* devices that differ: the first one's */
	f = tsr_pmap(ctx, tsr_neg, .out = TSR_MAPPED(TSR_UNMAPPED));
	SAME(tsr_call(f, w), tsr_neg(tsr_index(w, 0, 0)));
}

static tsr *number(tsr_ctx *ctx) { return tsr_add(tsr_axis_index(ctx, "i"), 7); }

static void without_arguments(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *y = tsr_call(tsr_pmap(ctx, number, .axis = "i", .axis_size = 5));
	NEAR(y, 7, 8, 9, 10, 11);
	cut(y, 0, 5);
}

/* ---- devices */

static void chosen_devices(void **state)
{
	static const int64_t ids[] = {7, 5, 3, 2};
	tsr_ctx *ctx = *state;
	tsr_shard s;
	tsr *x = range(ctx, D(3, 2));
	tsr *y = tsr_call(tsr_pmap(ctx, tsr_sin, TSR_DEVICES(ids)), x);
	SAME(y, tsr_sin(x));
	assert_int_equal(tsr_shard_count(y), 3);
	for (int64_t k = 0; k < 3; k++) {
		assert_true(tsr_shard_of(y, k, &s));
		assert_int_equal(s.device, ids[k]);
		assert_int_equal(s.start[0], k);
	}
	/* those of maps inside are the same list's */
	tsr_fn *rows = tsr_pmap(ctx, tsr_pmap(ctx, tsr_sin), TSR_DEVICES(ids));
	x = range(ctx, D(2, 2));
	y = tsr_call(rows, x);
	SAME(y, tsr_sin(x));
	assert_int_equal(tsr_shard_count(y), 4);
	assert_true(tsr_shard_of(y, 3, &s));
	assert_int_equal(s.device, 2);
	assert_int_equal(s.start[0], 1);
}

/* ---- collectives over one axis, and over those of maps inside each other */

static tsr *by_all(tsr *x) { return tsr_div(x, tsr_psum(x, "i*j")); }
static tsr *by_outer(tsr *x) { return tsr_div(x, tsr_psum(x, "i")); }
static tsr *by_inner(tsr *x) { return tsr_div(x, tsr_psum(x, "j")); }
static tsr *gathered(tsr *x) { return tsr_all_gather(x, "j*i"); }
static tsr *moved(tsr *x) { return tsr_ppermute(x, "i*j", TSR_SHIFT(1)); }
static tsr *where_it_is(tsr *x)
{
	return tsr_add(tsr_mul(tsr_axis_index(x, "i"), 10), tsr_axis_index(x, "j"));
}

static void over_both(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, D(4, 2));
	tsr *(*const bodies[])(tsr *) = {by_all, by_outer, by_inner, gathered, moved, where_it_is};
	for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
		tsr_fn *want = tsr_vmap(ctx, tsr_vmap(ctx, bodies[k], .axis = "j"), .axis = "i");
		tsr_fn *inner = tsr_pmap(ctx, bodies[k], .axis = "j");
		tsr_fn *mixed = tsr_vmap(ctx, bodies[k], .axis = "j");
		tsr_fn *all[] = {
			tsr_pmap(ctx, inner, .axis = "i"), tsr_pmap(ctx, mixed, .axis = "i"),
			tsr_vmap(ctx, inner, .axis = "i"),
			tsr_pmap(ctx, tsr_jit(ctx, inner), .axis = "i"),
		};
		for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
			ALIKE(tsr_call(all[i], x), tsr_call(want, x), 1e-14);
			ALIKE(tsr_call(tsr_jit(ctx, all[i]), x), tsr_call(want, x), 1e-14);
		}
	}
}

/* the inner one of two axes of one name is meant */
static tsr *two_of_a_name(tsr *x) { return tsr_psum(x, "i"); }

static void shadowed(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, D(4, 2));
	tsr_fn *f = tsr_pmap(ctx, tsr_pmap(ctx, two_of_a_name, .axis = "i"), .axis = "i");
	tsr *sums = tsr_sum(x, .dims = D(1), .keep = true);
	ALIKE(tsr_call(f, x), tsr_broadcast_to(sums, D(4, 2)), 1e-15);
}

/* maps side by side inside one, one of them with a map of its own inside */
static tsr *three_deep(tsr *x) /* f64[2,2] on each of 2 devices */
{
	tsr *a = tsr_call(tsr_pmap(x, tsr_pmap(x, tsr_exp, .axis = "k"), .axis = "j"), x);
	tsr *b = tsr_call(tsr_pmap(x, tsr_sin, .axis = "other"), x);
	return tsr_add(a, tsr_psum(b, "i"));
}

static tsr *three_deep_batches(tsr *x)
{
	return tsr_add(tsr_exp(x), tsr_psum(tsr_sin(x), "i"));
}

static void side_by_side(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, D(2, 2, 2));
	tsr *want = tsr_call(tsr_vmap(ctx, three_deep_batches, .axis = "i"), x);
	tsr *got = tsr_call(tsr_pmap(ctx, three_deep, .axis = "i"), x);
	ALIKE(got, want, 1e-15);
	assert_string_equal(tsr_mesh_text(tsr_sharding_mesh(tsr_sharding_of(got))),
	                    "Mesh('i': 2, 'j': 2, 'k': 2, axis_types=(Auto, Auto, Auto), "
	                    "device_ids=[[[0, 1], [2, 3]], [[4, 5], [6, 7]]])");
}

/* a map inside a loop, a branch and a call of a body that is called twice */
static tsr *step(tsr *x) { return tsr_call(tsr_pmap(x, by_all, .axis = "j"), x); }
static tsr *step_batches(tsr *x) { return tsr_call(tsr_vmap(x, by_all, .axis = "j"), x); }
static tsr *twice(tsr *i, tsr *x)
{
	(void)i;
	tsr_fn *f = tsr_jit(x, step);
	return tsr_add(tsr_call(f, x), tsr_call(f, tsr_neg(x)));
}
static tsr *twice_batches(tsr *i, tsr *x)
{
	(void)i;
	return tsr_add(step_batches(x), step_batches(tsr_neg(x)));
}
static tsr *looped(tsr *x) { return tsr_fori(0, 2, twice, tsr_add(x, step(x))); }
static tsr *looped_batches(tsr *x)
{
	return tsr_fori(0, 2, twice_batches, tsr_add(x, step_batches(x)));
}

static void inside_control_flow(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, D(2, 4));
	ALIKE(tsr_call(tsr_pmap(ctx, looped, .axis = "i"), x),
	      tsr_call(tsr_vmap(ctx, looped_batches, .axis = "i"), x), 1e-14);
}

/* the mesh of a map inside another one has no devices yet, and says so */
static tsr *tells(tsr *x)
{
	tsr_fn *inner = tsr_pmap(x, tsr_sin, .axis = "j");
	assert_non_null(strstr(tsr_fn_text(inner, x), "mesh=(j:2)[] axes=(j)"));
	return tsr_call(inner, x);
}

static void texts(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, D(4, 2));
	tsr_fn *f = tsr_pmap(ctx, tells, .axis = "i");
	const char *text = tsr_fn_text(f, x);
	assert_non_null(strstr(text, "mesh=(i:4,j:2) axes=(i) in=[[i]] out=[[i]] unchecked=true"));
	assert_non_null(strstr(text, "mesh=(i:4,j:2) axes=(j) in=[[j]] out=[[j]] unchecked=true"));
	/* and is read back, and run */
	SAME(tsr_call(tsr_parse(ctx, text), x), tsr_sin(x));
}

/* ---- static and donated arguments, captures, values from outside */

struct power { int n; double scale; };

static void scaled(tsr_frame *frame)
{
	const struct power *p = tsr_frame_env(frame);
	tsr_return(frame, tsr_mul(tsr_integer_pow(tsr_frame_arg(frame, 0), p->n), p->scale));
}

static void statics(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, D(4));
	for (int n = 1; n < 4; n++) {
		const struct power p = {n, 0.5 * n};
		tsr_fn *f = tsr_pmap(ctx, scaled, TSR_ENV(&p));
		assert_ptr_equal(f, tsr_pmap(ctx, scaled, TSR_ENV(&p)));
		ALIKE(tsr_call(f, x), tsr_mul(tsr_integer_pow(x, n), p.scale), 1e-15);
		ALIKE(tsr_call(f, x), tsr_mul(tsr_integer_pow(x, n), p.scale), 1e-15);
		assert_int_equal(tsr_fn_stats(f).traces, 1);
	}
	assert_ptr_not_equal(tsr_pmap(ctx, tsr_sin), tsr_pmap(ctx, tsr_sin, .axis = "i"));
	assert_ptr_not_equal(tsr_pmap(ctx, tsr_sin, .axis = "i"),
	                     tsr_vmap(ctx, tsr_sin, .axis = "i"));
	assert_ptr_not_equal(tsr_pmap(ctx, tsr_sin), tsr_pmap(ctx, tsr_sin, .donate = D(0)));
}

static void donated(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, D(4, 8)), *want = tsr_sin(tsr_sin(x));
	x = tsr_call(tsr_pmap(ctx, tsr_sin), x);
	tsr *y = tsr_call(tsr_pmap(ctx, tsr_sin, .donate = D(0)), x);
	assert_true(tsr_is_poison(tsr_neg(x)));
	assert_non_null(strstr(tsr_message(ctx), "was donated to tsr_sin at test_pmap.c:"));
	tsr_clear(ctx);
	SAME(y, want);
}

/* how many of six steps are made in the memory of their donated argument */
static int in_place(tsr_fn *f, tsr *x)
{
	int n = 0;
	for (int i = 0; i < 6; i++) {
		const void *before = tsr_shard_borrow(x, 3, NULL);
		x = tsr_call(f, x);
		n += before == tsr_shard_borrow(x, 3, NULL);
	}
	return n;
}

static tsr *row_of_one(tsr *x) /* f32[8,100] as f32[8,1,100], and back */
{
	return tsr_reshape(tsr_add(tsr_expand_dims(x, D(1)), 1), D(8, 100));
}

static void donated_in_place(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 8, .debug = "c", .engine = "cpu");
	tsr_mesh *m = tsr_mesh_make(ctx, {"i", 8});
	tsr *x = tsr_zeros(ctx, D(8, 100));
	tsr_fn *jitted = tsr_jit(ctx, row_of_one, .donate = D(0));
	tsr_fn *mapped = tsr_pmap(ctx, tsr_square, .donate = D(0));
	assert_int_equal(in_place(jitted, tsr_put(x, m, P("i"))), 6);
	assert_int_equal(in_place(mapped, tsr_put(x, m, P("i"))), 6);
	tsr_close(ctx);
}

/* ---- arguments on other devices */

static void elsewhere(void **state)
{
	tsr_ctx *ctx = *state;
	static const int64_t ids[] = {5, 2, 7};
	tsr *x = range(ctx, D(3)), *there = tsr_call(tsr_pmap(ctx, tsr_copy, TSR_DEVICES(ids)), x);
	tsr_fn *f = tsr_pmap(ctx, tsr_sin);
	tsr *y = tsr_call(f, there);
	SAME(y, tsr_sin(x));
	cut(y, 0, 3);
	y = tsr_call(tsr_pmap(ctx, tsr_add), there, tsr_put_device(x, 4)); /* on two others */
	SAME(y, tsr_add(x, x));
	cut(y, 0, 3);
	SAME(tsr_call(tsr_pmap(ctx, tsr_sin, TSR_DEVICES(ids)), y), tsr_sin(tsr_add(x, x)));
	SAME(tsr_call(tsr_jacfwd(ctx, f), there), tsr_call(tsr_jacfwd(ctx, f), x));
	assert_non_null(strstr(tsr_fn_compiled_text(f, there), "sin"));
	assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, f), there))); /* jit takes none */
	tsr_clear(ctx);
}

static tsr *outside;
static tsr *plus_outside(tsr *x) { return tsr_add(x, outside); }
static tsr *sums_with(tsr *x) /* f64[3] -> f64[3,3]: x[i] + x */
{
	outside = x;
	return tsr_call(tsr_pmap(x, plus_outside), x);
}
static tsr *sum_of_sums(tsr *x) { return tsr_sum(sums_with(x)); }

static void captured(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *slot[1] = {outside = range(ctx, D(2))}, *x = range(ctx, D(3));
	tsr_fn *f = tsr_pmap(ctx, plus_outside, .captures = TSR_LEAVES(slot, 1));
	tsr *column = tsr_expand_dims(x, D(1));
	SAME(tsr_call(f, x), tsr_add(column, slot[0]));
	outside = slot[0] = tsr_neg(slot[0]); /* read afresh */
	SAME(tsr_call(f, x), tsr_add(column, slot[0]));
	SAME(tsr_call(tsr_jit(ctx, sums_with), x), tsr_add(column, x));
	SAME(sums_with(x), tsr_add(column, x));
	NEAR(tsr_call(tsr_grad(ctx, sum_of_sums), x), 6, 6, 6);
}

/* ---- inside remat and functions with rules of their own, whose programs hold maps too. `map` is
 * tsr_pmap or tsr_vmap */

static bool on_devices;

static tsr_fn *map(tsr *x, tsr *(*body)(tsr *), const char *axis)
{
	return on_devices ? tsr_pmap(x, body, .axis = axis) : tsr_vmap(x, body, .axis = axis);
}

static tsr *wave(tsr *x) { return tsr_mul(tsr_sin(x), tsr_psum(tsr_cos(x), "i*j")); }
static tsr *waves(tsr *x) { return tsr_call(map(x, wave, "j"), x); }
static tsr *triple(tsr *x) { return tsr_mul(x, 3); }

static void waves_jvp(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0), *dx = tsr_frame_arg(frame, 1);
	tsr_return(frame, waves(x), tsr_mul(tsr_call(map(x, triple, "k"), dx), tsr_cos(x)));
}

static void waves_forward(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0);
	tsr_return(frame, waves(x), tsr_cos(x));
}

static tsr *waves_backward(tsr *cosine, tsr *ct)
{
	return tsr_mul(tsr_call(map(ct, triple, "k"), ct), cosine);
}

static tsr *again(tsr *x) { return tsr_call(tsr_remat(x, waves), x); }
static tsr *by_jvp(tsr *x) { return tsr_call(tsr_custom_jvp(x, waves, waves_jvp), x); }
static tsr *by_vjp(tsr *x)
{
	return tsr_call(tsr_custom_vjp(x, waves, waves_forward, waves_backward), x);
}

static tsr *(*under)(tsr *);
static tsr *squares(tsr *x) { return tsr_sum(tsr_square(tsr_call(map(x, under, "i"), x))); }

static void with_rules(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, D(4, 2)), *got[2];
	tsr *(*const all[])(tsr *) = {again, by_jvp, by_vjp};
	for (int k = 0; k < 3; k++) {
		under = all[k];
		for (int how = 0; how < 2; how++) {
			const int which[] = {k, how}; /* what the body reads beside x */
			on_devices = how;
			got[how] = tsr_call(tsr_grad(ctx, squares, TSR_ENV(&which)), x);
		}
		ALIKE(got[1], got[0], 1e-13);
		assert_int_equal(tsr_shard_count(got[0]), 1);
		assert_int_equal(tsr_shard_count(got[1]), 8);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, near_open, near_close)
	const struct CMUnitTest tests[] = {
		TEST(all_dims),     TEST(by_leaf),      TEST(without_arguments),
		TEST(chosen_devices), TEST(over_both),  TEST(shadowed),
		TEST(side_by_side), TEST(inside_control_flow), TEST(statics),
		TEST(donated),      TEST(donated_in_place), TEST(elsewhere),
		TEST(captured),      TEST(texts),
		TEST(with_rules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
