/* test_weak.c - weak types: values made of C numbers alone give way to strong ones, through
 * operations, calls, loops, branches, batches and derivatives, at once and traced, with default
 * dtypes of 32 bits and of 64; and a number arrives at its operation as it was written.
 *
 * What JAX 0.10.2 says of the same expression stands beside each: "f32*" is weak_type=True. Where
 * ours differs on purpose docs/design/0015-weak-types.md says so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include "trace/trace.h"
#include <cmocka.h>

#define D TSR_DIMS

typedef struct given {
	tsr_ctx *ctx;
	tsr *w, *wi;                /* weak: f32*[2], i32*[2] */
	tsr *bf, *i8, *f, *i64, *m; /* strong, [2]; m: bool */
	int wrong;
} given;

/* "f64*" of "f32*" where the default dtypes have 64 bits */
static const char *usual(const given *g, const char *want, char text[8])
{
	const bool narrow = want[1] == '3' && want[2] == '2';

	if (!g->ctx->base.x64 || !narrow) return want;
	snprintf(text, 8, "%c64%s", want[0], want + 3);
	return text;
}

/* of x: its elements where it leaves the trace, as text */
static void expect_always(given *g, const char *what, tsr *x, const char *want)
{
	str s = {.base = &g->ctx->base};
	const bool is = !tsr_is_poison(x);

	if (is && tsr_is_weak(x) != handle_type(x)->weak) g->wrong++;
	if (is) etype_text(&s, etype_default(&g->ctx->base, etype_of(handle_type(x))));
	if (!is || strcmp(s.s, want) != 0) {
		printf("%s%s: %s, not %s\n", in_trace(g->ctx) ? "traced " : "", what,
		       is ? s.s : tsr_message(g->ctx), want);
		g->wrong++;
	}
	if (!is) tsr_clear(g->ctx);
	str_free(&s);
}
static void expect(given *g, const char *what, tsr *x, const char *want)
{
	char text[8];

	expect_always(g, what, x, usual(g, want, text));
}
#define IS(want, ...) expect(g, #__VA_ARGS__, __VA_ARGS__, want)
#define IS_ALWAYS(want, ...) expect_always(g, #__VA_ARGS__, __VA_ARGS__, want)

/* runs the rows at once, and in the body of a jitted fn */
static given *traced_on;
static void (*traced_rows)(given *);
static void in_a_body(tsr_frame *frame)
{
	given g = {.ctx = traced_on->ctx,
	           .w = tsr_frame_arg(frame, 0),
	           .wi = tsr_frame_arg(frame, 1),
	           .bf = tsr_frame_arg(frame, 2),
	           .i8 = tsr_frame_arg(frame, 3),
	           .f = tsr_frame_arg(frame, 4),
	           .i64 = tsr_frame_arg(frame, 5),
	           .m = tsr_frame_arg(frame, 6)};

	traced_rows(&g);
	traced_on->wrong += g.wrong;
	tsr_return(frame, g.w);
}

static void run_by(tsr_dtype dtype, void (*rows)(given *))
{
	tsr_ctx *ctx = tsr_open(.log = NULL, .dtype = dtype);
	tsr *m = tsr_eq(tsr_arange(ctx, 2), 0);
	given g = {.ctx = ctx,
	           .w = tsr_where(m, 1.0, 0.0),
	           .wi = tsr_where(m, 1, 2),
	           .bf = tsr_ones(ctx, D(2), .dtype = TSR_BF16),
	           .i8 = tsr_ones(ctx, D(2), .dtype = TSR_I8),
	           .f = tsr_ones(ctx, D(2)),
	           .i64 = tsr_ones(ctx, D(2), .dtype = TSR_I64),
	           .m = m};

	rows(&g);
	traced_on = &g;
	traced_rows = rows;
	tsr *w = tsr_call(tsr_jit(ctx, in_a_body), g.w, g.wi, g.bf, g.i8, g.f, g.i64, g.m);
	expect(&g, "the result", w, "f32*");
	assert_int_equal(g.wrong, 0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void run(void (*rows)(given *))
{
	run_by(TSR_F32, rows);
	run_by(TSR_F64, rows);
}

/* ---- operations */

static void operation_rows(given *g)
{
	tsr *w = g->w, *wi = g->wi, *bf = g->bf, *i8 = g->i8, *f = g->f, *m = g->m;

	IS("f32*", tsr_where(m, 1.0, 0.0));
	IS("i32*", tsr_where(m, 1, 0));
	IS("f32*", tsr_where(m, 1, 0.5));
	IS("bool", tsr_where(m, (bool)true, (bool)false));
	IS("f32*", tsr_neg(w));
	IS("i32*", tsr_neg(wi));
	IS("f32*", tsr_sign(w));
	IS("f32*", tsr_abs(w));
	IS("i32*", tsr_floor(wi));
	IS("f32*", tsr_exp(w));
	IS("f32*", tsr_exp(wi));
	IS("f32*", tsr_rsqrt(w));
	IS("f32*", tsr_square(w));
	IS("f32*", tsr_logistic(w));
	IS("f32*", tsr_relu(w));
	IS("i32*", tsr_bitwise_not(wi));
	IS("f32*", tsr_copy(w));
	IS("f32*", tsr_stop_gradient(w));
	IS("f32*", tsr_integer_pow(w, 3));
	IS("f32*", tsr_pow(w, 2));
	IS("i32*", tsr_pow(wi, 2));
	IS("f32*", tsr_pow(w, 2.5));
	IS("bool", tsr_is_finite(w));
	IS("bool", tsr_isnan(w));
	IS("bool", tsr_logical_not(w));

	IS("f32*", tsr_add(w, w));
	IS("f32*", tsr_add(w, 2.0));
	IS("f32*", tsr_add(w, 2));
	IS("i32*", tsr_add(wi, 2));
	IS("f32*", tsr_add(wi, 2.0));
	IS("bf16", tsr_add(w, bf));
	IS("bf16", tsr_add(wi, bf));
	IS("i8", tsr_add(wi, i8));
	IS("f32*", tsr_add(w, i8));
	IS("f32", tsr_add(w, f));
	IS("f32", tsr_add(f, w));
	IS("i32*", tsr_add(wi, m));
	IS("f32*", tsr_add(w, m));
	IS("bf16", tsr_mul(bf, tsr_where(m, 1.0, 0.0)));
	IS("bf16", tsr_mul(bf, tsr_exp(tsr_where(m, 1, 0))));
	IS("bf16", tsr_maximum(bf, w));
	IS("f32*", tsr_div(wi, 2));
	IS_ALWAYS("f32", tsr_div(wi, i8));
	IS("f32*", tsr_div(w, i8));
	IS("bf16", tsr_div(wi, bf));
	IS("i8", tsr_rem(wi, i8));
	IS("bool", tsr_lt(w, 2.0));
	IS("bool", tsr_eq(w, bf));
	IS("i32*", tsr_bitwise_and(wi, 1));
	IS("bf16", tsr_where(m, w, bf));
	IS("f32*", tsr_where(m, w, 1));
	IS("f32*", tsr_clamp(0, w, 1));
	IS("bf16", tsr_clamp(0.0, bf, w));
	IS("f32", tsr_clamp(f, w, f));

	IS("f32*", tsr_reshape(w, D(1, 2)));
	IS("f32*", tsr_broadcast_to(w, D(3, 2)));
	IS("f32*", tsr_expand_dims(w, TSR_DIMS(0)));
	IS("f32*", tsr_flip(w, D(0)));
	IS("f32*", tsr_concatenate(0, w, w));
	IS("bf16", tsr_concatenate(0, w, bf));
	IS("i8", tsr_concatenate(0, wi, i8));
	IS("f32*", tsr_stack(0, w, w));
	IS("f32*", tsr_pad(w, D(1), D(1), 0.0));
	IS("bf16", tsr_pad(bf, D(1), D(1), 0.0));
	IS("f32*", tsr_slice(w, 0, 0, 1));
	IS("f32*", tsr_index(w, 0, 0));
	IS("f32*", tsr_dynamic_index(w, 0, tsr_index(wi, 0, 0)));
	IS("i32*", tsr_dynamic_slice(wi, 0, tsr_astype(tsr_index(wi, 0, 0), TSR_I32), 1));
	IS("f32", tsr_dynamic_update(w, tsr_slice(w, 0, 0, 1), 0, 0));
	IS("f32", tsr_dynamic_update(f, tsr_slice(w, 0, 0, 1), 0, 0));
	IS_ALWAYS("f32", tsr_astype(w, TSR_F32));
	IS_ALWAYS("i32", tsr_astype(w, TSR_I32));
	IS("f32*", tsr_zeros_like(w));
	IS("i32*", tsr_ones_like(wi));
	IS("f32*", tsr_dot(w, w));
	IS("bf16", tsr_dot(w, bf));
	IS("f32", tsr_dot(f, w));

	IS("f32", tsr_sum(w));
	IS("i32", tsr_prod(wi));
	IS("f32", tsr_max(w));
	IS("f32", tsr_mean(w));
	IS("f32", tsr_mean(wi));
	IS("bool", tsr_any(w));
	IS("i32", tsr_argmax(wi));
	IS("f32", tsr_logsumexp(w));
	/* here JAX's are weak: docs/design/0015 */
	IS("f32", tsr_full(g->ctx, D(2), 1.0));
	IS("f32", tsr_scalar(g->ctx, 1.0));
	IS("i32", tsr_arange(g->ctx, 3));
	IS("f32", tsr_zeros(g->ctx, D(2)));
}

static void operations(void **state)
{
	(void)state;
	run(operation_rows);
}

/* ---- calls, loops, branches, batches */

static tsr *same(tsr *x) { return x; }
static tsr *scale(tsr *x, tsr *k) { return tsr_mul(x, k); }
static tsr *add(tsr *c, tsr *x) { return tsr_add(c, x); }
static tsr *second(tsr *x, tsr *k) { return x ? k : k; }
static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *halved(tsr *x) { return tsr_mul(x, 0.5); }
static tsr *one(tsr *x) { return x ? tsr_where(tsr_eq(x, x), 1.0, 0.0) : NULL; }
static tsr *next(tsr *i) { return tsr_add(i, 1); }
static tsr *below_3(tsr *i) { return tsr_lt(i, 3); }
static tsr *add_index(tsr *i, tsr *x) { return tsr_add(x, i); }
static tsr *the_index(tsr *i, tsr *x) { return x ? i : i; }
static tsr *scale_same(tsr *x, tsr *k) { return k ? x : x; }
static tsr *inner_call(tsr *x, tsr *k)
{
	tsr_ctx *ctx = tsr_ctx_of(x);

	return tsr_call(tsr_jit(ctx, scale), x, tsr_call(tsr_jit(ctx, twice), k));
}
static tsr *sum_exp(tsr *x, tsr *k) { return tsr_mul(x, tsr_add(tsr_exp(k), k)); }
static void pair_step(tsr_frame *f)
{
	tsr *c = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_add(c, x), c);
}
/* the second of two results */
#define SECOND(call, ...) (call(TSR_OUT(&first, &other), __VA_ARGS__), other)

static void program_rows(given *g)
{
	tsr_ctx *ctx = g->ctx;
	tsr *w = g->w, *bf = g->bf, *i8 = g->i8, *f = g->f, *m = g->m;
	tsr *b0 = tsr_index(bf, 0, 0), *f0 = tsr_index(f, 0, 0), *p = tsr_index(m, 0, 0);
	tsr *first, *other;

	IS("f32*", tsr_call(tsr_jit(ctx, same), 1.0));
	IS("i32*", tsr_call(tsr_jit(ctx, same), 1));
	IS("i64*", tsr_call(tsr_jit(ctx, same), 3000000000));
	IS("bool", tsr_call(tsr_jit(ctx, same), (bool)true));
	IS("bf16", tsr_call(tsr_jit(ctx, scale), bf, 2.0));
	IS("i8", tsr_call(tsr_jit(ctx, scale), i8, 2));
	IS("f32*", tsr_call(tsr_jit(ctx, second), bf, 2.0));
	IS("bf16", tsr_call(tsr_jit(ctx, inner_call), bf, 2));
	IS("bf16", tsr_call(tsr_jit(ctx, sum_exp), bf, 2));
	IS("f32*", tsr_call(tsr_jit(ctx, twice), w));

	IS("bf16", tsr_scan(add, 0.0, bf));
	IS("i8", tsr_scan(add, 0, i8));
	IS("f32", tsr_scan(add, 0.0, f));
	IS("bf16", SECOND(tsr_scan_into, pair_step, 0.0, bf));
	IS("f32*", SECOND(tsr_scan_into, pair_step, 0.0, f));
	IS("i32*", tsr_scan(tsr_jit(ctx, twice), 1, TSR_NONE, .length = 3));
	IS("f32", tsr_scan(add, f0, w));
	IS("f32*", tsr_map(twice, w));
	IS("i32*", tsr_while(below_3, next, 0));
	IS("i8", tsr_while(below_3, next, tsr_index(i8, 0, 0)));
	IS("i8", tsr_fori(0, 3, add_index, i8));
	IS("i8", tsr_fori(0, tsr_index(g->wi, 0, 0), add_index, i8));
	IS("i32*", tsr_fori(0, 3, tsr_jit(ctx, the_index), 0));
	/* JAX: f32, and an error */
	IS("f32*", tsr_scan(tsr_jit(ctx, halved), 1, TSR_NONE, .length = 3));
	IS("bf16", tsr_scan(one, b0, TSR_NONE, .length = 3));

	IS("bf16", tsr_cond(p, scale, scale_same, bf, 2.0));
	IS("f32*", tsr_cond(p, same, twice, 2.0));
	IS("f32*", tsr_cond(p, one, one, b0));
	IS("f32", tsr_cond(p, one, same, f0));
	IS("f32*", tsr_switch(1, TSR_BRANCHES(tsr_jit(ctx, same), twice, halved), 2.0));
	/* JAX: an error */
	IS("bf16", tsr_cond(p, one, same, b0));

	IS("bf16", tsr_call(tsr_vmap(ctx, scale, .in = TSR_MAPPED(0, TSR_UNMAPPED)), bf, 2.0));
	IS("f32*", tsr_call(tsr_vmap(ctx, second, .in = TSR_MAPPED(0, TSR_UNMAPPED)), bf, 2.0));
	IS("f32*", tsr_call(tsr_vmap(ctx, same), w));
}

static void calls_and_loops(void **state)
{
	(void)state;
	run(program_rows);
}

/* ---- numbers alone: of the context whose body is traced, or of the only one of the thread */

static void number_rows(given *g)
{
	tsr *words[2], *parts[2], *first = NULL;

	IS("i32*", tsr_while(below_3, next, 0));
	IS("f32*", tsr_while(below_3, next, 0.5));
	IS("i32*", tsr_fori(0, 3, add_index, 0));
	IS("i32*", tsr_fori_unrolled(2, 0, 4, add_index, 0));
	IS("f32*", tsr_scan(halved, 1, TSR_NONE, .length = 3));
	IS("i32*", tsr_cond(true, twice, same, 1));
	IS("i32*", tsr_switch(1, TSR_BRANCHES(twice, same), 1));
	IS("i32*", tsr_reduce(add, 3, 0));
	IS("f32*", (tsr_optimization_barrier_into(TSR_OUT(&first), 1.0), first));
	IS("i32*", tsr_add(1, 2));
	IS("f32*", tsr_div(1, 4));
	IS("i32*", tsr_pow(2, 3));
	IS("i32*", tsr_where((bool)true, 1, 2));
	IS("i32*", tsr_clamp(1, 5, 3));
	IS("f32*", tsr_hypot(3, 4));
	IS("bool", tsr_lt(1, 2));
	IS("f32", tsr_ldexp(3, 2));
	IS("f32*", tsr_betainc(1, 2, 0.5));
	IS("i32*", (tsr_divmod(7, 2, parts), parts[1]));
	IS_ALWAYS("u32", (tsr_threefry2x32(0, 42, 0, 1, words), words[0]));
	assert_true(g->ctx);
}

static void numbers_alone(void **state)
{
	(void)state;
	run(number_rows);
	tsr_ctx *ctx = tsr_open(.log = NULL);
	assert_true(tsr_item(tsr_while(below_3, next, 0)) == 3);
	assert_true(tsr_item(tsr_hypot(3, 4)) == 5);
	assert_true(tsr_item(tsr_ldexp(3, 2)) == 12);
	assert_true(tsr_is_poison(tsr_ldexp(3, 0.5)));
	assert_non_null(strstr(tsr_message(ctx), "exponents must be integers"));
	tsr_clear(ctx);

	/* of which of two? */
	tsr_ctx *other = tsr_open(.log = NULL);
	assert_true(tsr_is_poison(tsr_while(below_3, next, 0)));
	assert_true(tsr_is_poison(tsr_add(1, 2)));
	assert_true(tsr_item(tsr_add(1, tsr_while(tsr_jit(other, below_3), next, 0))) == 4);
	assert_int_equal(tsr_close(other), TSR_OK);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- derivatives */

static tsr *square_of(tsr *a) { return tsr_mul(a, a); }
static tsr *sin_exp(tsr *a) { return tsr_sin(tsr_exp(a)); }
static tsr *sum_twice(tsr *x) { return tsr_sum(tsr_mul(x, 2.0)); }
static tsr *sum_product(tsr *k, tsr *x) { return tsr_sum(tsr_mul(x, k)); }
static tsr *cube(tsr *a) { return tsr_integer_pow(a, 3); }
static tsr *to_bf16(tsr *a) { return tsr_astype(a, TSR_BF16); }
static tsr *looped(tsr *a) { return tsr_fori(0, 3, scale, a); }
static tsr *chosen(tsr *a) { return tsr_cond(tsr_gt(a, 0), sin_exp, square_of, a); }


#define PUSH(body, ...) SECOND(tsr_call_into, tsr_jvp(ctx, body), __VA_ARGS__)
#define PULL(ct, body, ...) \
	(l = tsr_vjp(TSR_OUT(&first), tsr_jit(ctx, body), __VA_ARGS__), \
	 tsr_call(l.fn, l.residuals, ct))
#define LINE(dx, body, ...) \
	(l = tsr_linearize(TSR_OUT(&first), tsr_jit(ctx, body), __VA_ARGS__), \
	 tsr_call(l.fn, l.residuals, dx))

/* the derivative by a weak value is weak, and so is what it gives */
static void derivative_rows(given *g)
{
	tsr_ctx *ctx = g->ctx;
	tsr *w = g->w, *bf = g->bf, *f = g->f;
	tsr *b0 = tsr_index(bf, 0, 0), *f0 = tsr_index(f, 0, 0);
	tsr *first, *other;
	tsr_linearized l;

	IS("f32*", tsr_call(tsr_grad(ctx, square_of), 2.0));
	IS("f32*", tsr_call(tsr_grad(ctx, sin_exp), 2.0));
	IS("f32*", tsr_call(tsr_grad(ctx, looped), 2.0));
	IS("f32*", tsr_call(tsr_grad(ctx, chosen), 2.0));
	IS("f32*", tsr_call(tsr_grad(ctx, sum_product), 2.0, bf));
	IS("bf16", tsr_call(tsr_grad(ctx, sum_product, .wrt = D(1)), 2.0, bf));
	IS("f32*", tsr_call(tsr_grad(ctx, sum_twice), w));
	IS("f32", tsr_call(tsr_grad(ctx, sum_twice), f));
	IS("f32*", SECOND(tsr_call_into, tsr_value_and_grad(ctx, square_of), 2.0));
	IS("f32*", PUSH(square_of, 2.0, 1.0));
	IS("f32*", first);
	IS("f32*", PUSH(sin_exp, 2.0, 1.0));
	IS("f32*", PUSH(looped, 2.0, 1.0));
	IS("f32*", PUSH(square_of, 2.0, f0));
	IS("f32", PUSH(square_of, f0, 1.0));
	IS("f32*", PULL(1.0, square_of, 2.0));
	IS("f32*", PULL(f0, sin_exp, 2.0));
	IS("f32", PULL(1.0, square_of, f0));
	IS("f32*", PULL(b0, to_bf16, 2.0));
	IS("f32*", LINE(1.0, square_of, 2.0));
	IS("f32*", first);
	IS("f32*", tsr_call(tsr_jacfwd(ctx, square_of), 2.0));
	IS("f32*", tsr_call(tsr_jacrev(ctx, square_of), 2.0));
	IS("f32*", tsr_call(tsr_jacrev(ctx, square_of), w));
	IS("f32*", tsr_call(tsr_jacfwd(ctx, square_of), w));
	IS("f32*", tsr_call(tsr_hessian(ctx, cube), 2.0));
	IS("f32*", tsr_call(tsr_vmap(ctx, tsr_grad(ctx, cube)), w));
	/* JAX: errors, for a Python number is f32 there */
	IS("bf16", PUSH(square_of, b0, 1.0));
	IS("bf16", PULL(1.0, square_of, b0));
	IS("bf16", LINE(1.0, square_of, b0));
}

static void derivatives(void **state)
{
	(void)state;
	run(derivative_rows);
}

/* ---- numbers arrive as they were written */

static tsr *plus(tsr *x, tsr *k) { return tsr_add(x, k); }
static tsr *masked(tsr *x, tsr *k) { return tsr_mul(x, tsr_where(tsr_gt(x, 0), k, 0)); }
static tsr *clamped(tsr *x, tsr *k) { return tsr_clamp(k, x, 9); }
static tsr *exponential(tsr *x, tsr *k) { return tsr_mul(x, tsr_exp(k)); }
static tsr *by_call(tsr *x, tsr *k) { return tsr_call(tsr_jit(tsr_ctx_of(x), scale), x, k); }
static tsr *by_cond(tsr *x, tsr *k) { return tsr_cond(tsr_gt(x, 0), scale, plus, x, k); }
static void carried(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *k = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_mul(x, k), k);
}
static tsr *above(tsr *x, tsr *k) { return tsr_gt(x, tsr_mul(k, 5)); }
static tsr *kept(tsr *k, tsr *x) { return x ? k : NULL; }
static tsr *sum_kept(tsr *x, tsr *k) { return tsr_sum(tsr_mul(x, tsr_scan(kept, k, x))); }

#define EXACTLY(want, ...) exactly(ctx, #__VA_ARGS__, __VA_ARGS__, want, &wrong)
static void exactly(tsr_ctx *ctx, const char *what, tsr *x, double want, int *wrong)
{
	const double got = tsr_item(x);

	if (got == want && !tsr_status(ctx)) return;
	printf("%s: %.17g, not %.17g %s\n", what, got, want, tsr_message(ctx));
	tsr_clear(ctx);
	++*wrong;
}

static void numbers_are_exact(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = NULL);
	tsr *x = tsr_ones(ctx, D(), .dtype = TSR_F64), *xs = tsr_ones(ctx, D(1), .dtype = TSR_F64);
	tsr *i = tsr_zeros(ctx, D(), .dtype = TSR_I64), *u = tsr_zeros(ctx, D(), .dtype = TSR_U64);
	tsr *c = tsr_ones(ctx, D(), .dtype = TSR_C128), *h = tsr_ones(ctx, D(), .dtype = TSR_U32);
	tsr *first, *other;
	tsr_linearized l;
	int wrong = 0;

	(void)state;
	EXACTLY(0.1, tsr_mul(x, 0.1));
	EXACTLY(0.1, tsr_call(tsr_jit(ctx, scale), x, 0.1));
	EXACTLY(1e-50, tsr_call(tsr_jit(ctx, scale), x, 1e-50));
	EXACTLY(1e300, tsr_call(tsr_jit(ctx, scale), x, 1e300));
	EXACTLY(0.1, tsr_call(tsr_jit(ctx, masked), x, 0.1));
	EXACTLY(1.1, tsr_call(tsr_jit(ctx, clamped), x, 1.1));
	EXACTLY(exp(0.1), tsr_call(tsr_jit(ctx, exponential), x, 0.1));
	EXACTLY(0.1, tsr_call(tsr_jit(ctx, by_call), x, 0.1));
	EXACTLY(0.1, tsr_call(tsr_jit(ctx, by_cond), x, 0.1));
	EXACTLY(0.1, tsr_call(tsr_jit(ctx, scale), c, 0.1));
	EXACTLY(3000000000., tsr_call(tsr_jit(ctx, plus), i, 3000000000));
	EXACTLY(-3000000000., tsr_call(tsr_jit(ctx, plus), i, -3000000000));
	EXACTLY(0x1p63, tsr_call(tsr_jit(ctx, plus), u, (uint64_t)1 << 63));
	EXACTLY(2654435769., tsr_call(tsr_jit(ctx, scale), h, 2654435769));
	EXACTLY(3000000000., tsr_call(tsr_jit(ctx, same), 3000000000));
	EXACTLY(0.1f, tsr_call(tsr_jit(ctx, same), 0.1));

	EXACTLY(0.1, tsr_cond(true, scale, plus, x, 0.1));
	EXACTLY(0.1, tsr_switch(1, TSR_BRANCHES(plus, scale), x, 0.1));
	EXACTLY(1.1, tsr_scan(add, 0.1, xs));
	EXACTLY(3000000000., tsr_scan(add, 3000000000, tsr_reshape(i, D(1))));
	EXACTLY(0.1, (tsr_while_into(TSR_OUT(&first, &other), above, carried, x, 0.1), first));
	EXACTLY(0.1f, other);
	EXACTLY(4000000000., tsr_fori(3999999999, 4000000000, add_index, tsr_add(i, 1)));
	EXACTLY(0.1, tsr_index(tsr_call(tsr_vmap(ctx, scale, .in = TSR_MAPPED(0, TSR_UNMAPPED)), xs,
	                                0.1),
	                       0, 0));
	EXACTLY(0.1, tsr_call(tsr_grad(ctx, scale), x, 0.1));
	EXACTLY(0.1, tsr_call(tsr_grad(ctx, by_cond), x, 0.1));
	EXACTLY(0.1, tsr_index(tsr_call(tsr_grad(ctx, sum_kept), xs, 0.1), 0, 0));
	EXACTLY(0.1, PUSH(square_of, tsr_mul(x, 0.5), 0.1));
	EXACTLY(0.1, PULL(0.1, square_of, tsr_mul(x, 0.5)));
	EXACTLY(0.1, LINE(0.1, square_of, tsr_mul(x, 0.5)));
	EXACTLY(0.1, tsr_call(tsr_parse(ctx, "f(%0: f64[]) -> f64[] { return %0 }"), 0.1));
	EXACTLY(2., tsr_call(tsr_parse(ctx, "f(%0: f32[]) -> f32[] { return %0 }"), 2));
	assert_int_equal(wrong, 0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* another number is no reason to trace again, but for an integer that needs another width */
static void numbers_share_a_tracing(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_ones(ctx, D(2));
	tsr_fn *f = tsr_jit(ctx, scale);

	(void)state;
	static const double numbers[] = {0.5, 0.1, 1e300, 3};
	for (size_t k = 0; k < ARRAY_LEN(numbers); k++) tsr_call(f, x, numbers[k]);
	assert_int_equal(tsr_fn_stats(f).traces, 1);
	for (int k = 0; k < 4; k++) tsr_call(f, x, k - 2);
	assert_int_equal(tsr_fn_stats(f).traces, 2);
	tsr_call(f, x, 3000000000);
	tsr_call(f, x, -3000000000);
	assert_int_equal(tsr_fn_stats(f).traces, 3);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* programs that differ in weakness alone are one program to engines */
static void engines_see_nothing_weak(void **state)
{
	static const char weak[] =
		"f(%0: f32*[4], %1: bool[4]) -> f32*[4], i32*[] {\n"
		"  %2: f32*[4] = select_n %1 %0 0.5:f32*\n"
		"  %3: f32*[4] = scan %2 length=3 consts=0 carry=1 unroll=1 body=g(%0: f32*[4]) -> "
		"f32*[4] {\n"
		"    %1: f32*[4] = mul %0 2.0:f32*\n"
		"    return %1\n"
		"  }\n"
		"  return %3 7:i32*\n"
		"}\n";
	char strong[sizeof weak], *to = strong;
	tsr_ctx *ctx = tsr_open();

	(void)state;
	for (const char *from = weak; *from; from++)
		if (*from != '*') *to++ = *from;
	*to = 0;
	program *p = program_parse(&ctx->ir, NULL, weak, strlen(weak));
	program *q = program_parse(&ctx->ir, NULL, strong, strlen(strong));
	assert_non_null(p);
	assert_non_null(q);
	assert_false(program_same(p, q));
	program *r = pass_strong(p);
	assert_true(program_same(r, q));
	str text = {.base = &ctx->base};
	program_print(&text, p, 0);
	assert_string_equal(text.s, weak);
	str_free(&text);
	program_release(p);
	program_release(q);
	program_release(r);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* what a program gives is weak where its text says so */
static void results_are_weak(void **state)
{
	tsr_ctx *ctx = tsr_open();
	given on = {.ctx = ctx}, *g = &on;

	(void)state;
	tsr_fn *f = tsr_parse(ctx, "f(%0: f32*[]) -> f32*[] {\n"
	                           "  %1: f32*[] = mul %0 2.0:f32*\n"
	                           "  return %1\n"
	                           "}\n");
	IS("f32*", tsr_call(f, 0.5));
	IS("f32*", tsr_call(f, tsr_scalar(ctx, 0.5)));
	assert_int_equal(on.wrong, 0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations),
		cmocka_unit_test(calls_and_loops),
		cmocka_unit_test(numbers_alone),
		cmocka_unit_test(derivatives),
		cmocka_unit_test(numbers_are_exact),
		cmocka_unit_test(numbers_share_a_tracing),
		cmocka_unit_test(engines_see_nothing_weak),
		cmocka_unit_test(results_are_weak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
