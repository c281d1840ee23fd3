/* test_custom.c - custom rules that do not fit their bodies, remats that cannot be made, and
 * derivatives that rules say nothing of: each mistake in its own words, at its line. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#define A TSR_ERROR_ARGUMENT
#define T TSR_ERROR_TYPE
#define U TSR_ERROR_UNSUPPORTED

static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *times(tsr *x, tsr *w) { return tsr_mul(x, w); }

/* ---- rules of twice and times that are wrong */

static void good_rule(tsr_frame *f)
{
	tsr_return(f, twice(tsr_frame_arg(f, 0)), tsr_frame_arg(f, 1));
}
static void good_forward(tsr_frame *f) { tsr_return(f, twice(tsr_frame_arg(f, 0))); }
static void no_tangent(tsr_frame *f) { tsr_return(f, twice(tsr_frame_arg(f, 0))); }
static void longer_tangent(tsr_frame *f)
{
	tsr *dx = tsr_frame_arg(f, 1);
	tsr_return(f, twice(tsr_frame_arg(f, 0)), tsr_concatenate(0, dx, dx));
}
static void integer_result(tsr_frame *f)
{
	tsr_return(f, tsr_astype(tsr_frame_arg(f, 0), TSR_I32), tsr_frame_arg(f, 1));
}
static void forward_nothing(tsr_frame *f) { tsr_return(f); }
static void forward_sum(tsr_frame *f) { tsr_return(f, tsr_sum(tsr_frame_arg(f, 0))); }
static tsr *backward_sum(tsr *ct) { return tsr_sum(ct); }
static tsr *backward_same(tsr *ct) { return ct; }
static tsr *backward_three(tsr *r, tsr *q, tsr *ct) { return tsr_mul(tsr_mul(r, q), ct); }
static void backward_two(tsr_frame *f)
{
	tsr *ct = tsr_frame_arg(f, 0);
	tsr_return(f, ct, ct);
}
static void times_forward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *w = tsr_frame_arg(f, 1);
	tsr_return(f, times(x, w), x, w);
}
static void times_backward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *w = tsr_frame_arg(f, 1), *ct = tsr_frame_arg(f, 2);
	tsr_return(f, tsr_mul(w, ct), tsr_mul(x, ct));
}
static tsr *half_backward(tsr *x, tsr *w, tsr *ct)
{
	return tsr_mul(tsr_mul(x, 0), tsr_mul(w, ct));
}

#define CALL(name, rules, ...) \
	static tsr *name(world *w) \
	{ \
		tsr_fn *f = rules; \
		return WRONG(w, tsr_call(f, __VA_ARGS__)); \
	}
CALL(no_tangents, tsr_custom_jvp(w->ctx, twice, no_tangent), w->v)
CALL(long_tangent, tsr_custom_jvp(w->ctx, twice, longer_tangent), w->v)
CALL(other_result, tsr_custom_jvp(w->ctx, twice, integer_result), w->v)
CALL(no_result, tsr_custom_vjp(w->ctx, twice, forward_nothing, backward_same), w->v)
CALL(other_value, tsr_custom_vjp(w->ctx, twice, forward_sum, backward_same), w->v)
CALL(scalar_cotangent, tsr_custom_vjp(w->ctx, twice, good_forward, backward_sum), w->v)
CALL(many_cotangents, tsr_custom_vjp(w->ctx, twice, good_forward, backward_two), w->v)
CALL(few_cotangents, tsr_custom_vjp(w->ctx, times, times_forward, half_backward), w->v, w->v)
CALL(more_residuals, tsr_custom_vjp(w->ctx, twice, good_forward, backward_three), w->v)
CALL(not_twice,
     tsr_custom_vjp(w->ctx, times, times_forward, times_backward, .nondiff = TSR_DIMS(1)), w->v,
     w->v)

/* rules that take less than they are given: they have the names of the C source */
CALL(short_rule, tsr_custom_jvp(w->ctx, twice, backward_same), w->v)
CALL(short_backward, tsr_custom_vjp(w->ctx, times, times_forward, backward_same), w->v, w->v)

/* a cotangent that differs between devices, of an argument that does not */
static world *here;
static tsr *weighed(tsr *x, tsr *w)
{
	tsr_fn *f = tsr_custom_vjp(x, times, times_forward, times_backward);
	return WRONG(here, tsr_call(f, x, w));
}
static tsr *varying(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, weighed, .sig = "[-,x] [] -> [-,x]");
	tsr *a = tsr_ones(w->ctx, TSR_DIMS(2, 4)), *b = tsr_ones(w->ctx, TSR_DIMS(2, 1));
	here = w;
	return tsr_call(f, a, b);
}

/* ---- derivatives */

static tsr *outer;
static tsr *with_outer(tsr *x) { return tsr_mul(x, outer); }
static tsr *captured(tsr *x)
{
	outer = tsr_sin(x);
	tsr_fn *f = tsr_custom_jvp(x, with_outer, good_rule);
	return tsr_sum(WRONG(here, tsr_call(f, x)));
}
static void nothing_back(tsr_frame *f) { tsr_return(f); }
static tsr *fixed_alone(tsr *x)
{
	tsr_fn *f = tsr_custom_vjp(x, twice, good_forward, nothing_back, .nondiff = TSR_DIMS(0));
	return tsr_sum(WRONG(here, tsr_call(f, x)));
}
static tsr *reverse_alone(tsr *x)
{
	tsr_fn *f = tsr_custom_vjp(x, twice, good_forward, backward_same);
	return tsr_sum(WRONG(here, tsr_call(f, x)));
}
static tsr *captured_derived(world *w)
{
	here = w;
	return tsr_call(tsr_grad(w->ctx, captured), w->v);
}
static tsr *fixed_derived(world *w)
{
	here = w;
	return tsr_call(tsr_grad(w->ctx, fixed_alone), w->v);
}
static tsr *forward_derived(world *w)
{
	here = w;
	return tsr_call(tsr_jacfwd(w->ctx, reverse_alone), w->v);
}

/* its rule calls the fn itself, for three derivatives */
static void in_itself(tsr_frame *f);
static tsr *of_itself(tsr *x)
{
	return tsr_sum(WRONG(here, tsr_call(tsr_custom_jvp(x, twice, in_itself), x)));
}
static void in_itself(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);
	tsr *y = WRONG(here, tsr_call(tsr_custom_jvp(x, twice, in_itself), x));
	tsr_return(f, y, tsr_mul(y, tsr_frame_arg(f, 1)));
}
static tsr *fourth(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, of_itself);
	here = w;
	for (int k = 0; k < 4; k++) f = tsr_jacfwd(w->ctx, f);
	return tsr_call(f, w->v);
}

/* ---- fns that cannot be made */

#define MAKE(name, fn) \
	static tsr *name(world *w) \
	{ \
		tsr_fn *f = WRONG(w, fn); \
		return tsr_call(f, w->v); \
	}
MAKE(strange_save, tsr_remat(w->ctx, twice, .save = (tsr_remat_save)7))
MAKE(strange_names, tsr_remat(w->ctx, twice, .names = "q**k"))
MAKE(names_by_space, tsr_remat(w->ctx, twice, .names = "q k"))
MAKE(names_by_comma, tsr_remat(w->ctx, twice, .names = "q,k"))
MAKE(spmd_axes_by_comma, tsr_vmap(w->ctx, twice, .spmd_axis = "x,y"))
MAKE(far_nondiff, tsr_custom_jvp(w->ctx, twice, good_rule, .nondiff = TSR_DIMS(8)))
MAKE(no_nondiff, tsr_custom_jvp(w->ctx, twice, good_rule, .nondiff = {.d = {-3}}))
static tsr *strange_name(world *w) { return WRONG(w, tsr_checkpoint_name(w->v, "a b")); }

static const mistake table[] = {
	MISTAKE(no_tangents, A, "custom_jvp of 'twice'",
                "the results of its rule are 1, and must be 2"),
	MISTAKE(long_tangent, T, "result 1 of its rule is f32[12], and must be f32[6]"),
	MISTAKE(other_result, T, "result 0 of its rule is i32[6], and must be f32[6]"),
	MISTAKE(no_result, A, "custom_vjp of 'twice'",
                "its forward rule are 0, and must be at least 1"),
	MISTAKE(other_value, T, "result 0 of its forward rule is f32[], and must be f32[6]"),
	MISTAKE(scalar_cotangent, T, "result 0 of its backward rule is f32[], and must be f32[6]"),
	MISTAKE(many_cotangents, A, "its backward rule are 2, and must be 1"),
	MISTAKE(few_cotangents, A, "its backward rule are 1, and must be 2"),
	MISTAKE(more_residuals, A, "takes 3 arguments, got 1"),
	MISTAKE(short_rule, A, "backward_same takes 1 argument, got 2"),
	MISTAKE(short_backward, A, "backward_same takes 1 argument, got 3"),
	MISTAKE(not_twice, A, "its backward rule are 2, and must be 1"),
	MISTAKE(varying, T, "result 1 of its backward rule is f32[2,1]{x}, and must be f32[2,1]",
                "tsr_psum"),
	MISTAKE(captured_derived, U, "custom_jvp is differentiated", "takes from outside",
                ".nondiff"),
	MISTAKE(fixed_derived, U, "custom_vjp is differentiated", "tsr_stop_gradient"),
	MISTAKE(forward_derived, U, "custom_vjp", "cotangents alone", "tsr_custom_jvp"),
	MISTAKE(fourth, U, "custom_jvp is differentiated", "three derivatives"),
	MISTAKE(strange_save, A, ".save is 7", "tsr_remat_save"),
	MISTAKE(strange_names, A, ".names \"q**k\""),
	MISTAKE(names_by_space, A, "\"q k\" is not a name or a product"),
	MISTAKE(names_by_comma, A, "\"q,k\" is not a name or a product"),
	MISTAKE(spmd_axes_by_comma, A, "\"x,y\" is not an axis name or a product"),
	MISTAKE(far_nondiff, A, ".nondiff names argument 8", "0 to 7"),
	MISTAKE(no_nondiff, A, ".nondiff is no list"),
	MISTAKE(strange_name, A, "'a b' cannot name a value"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_custom.c", table, sizeof table / sizeof *table), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
