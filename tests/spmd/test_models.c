/* test_models.c - gradients are where their parameters are, and zeros where the array is that they
 * are like: after a jitted call, inside maps and loops, for dims that do not divide, with the
 * numbers of one device. What is passed on from elsewhere stays there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#define P TSR_P

enum { SIDE = 8 };

static tsr_mesh *grid; /* x:4, y:2 */
static tsr *of_grid;   /* f32[8,8] at P("y", "x") */

/* ---- losses of one parameter */

static tsr *sum(tsr *w) { return tsr_sum(w); }
static tsr *constant(tsr *w) { return tsr_sum(tsr_mul(tsr_stop_gradient(w), 2.0)); }
static tsr *rows(tsr *w) { return tsr_sum(tsr_square(tsr_slice(w, 0, 0, 3))); }
static tsr *row(tsr *w) { return tsr_sum(tsr_index(w, 0, 2)); }
static tsr *element(tsr *w) { return tsr_index(tsr_index(w, 0, 2), 0, 1); }
static tsr *taken(tsr *w)
{
	tsr *at = tsr_astype(tsr_arange(w, 3), TSR_I32);
	return tsr_sum(tsr_take(w, 0, at));
}
static tsr *by_itself(tsr *w) { return tsr_sum(tsr_matmul(w, w)); }
static tsr *by_turned(tsr *w) { return tsr_sum(tsr_matmul(w, tsr_transpose(w))); }
static tsr *by_other(tsr *w) { return tsr_sum(tsr_mul(w, of_grid)); }
static tsr *in_block(tsr *w) { return tsr_psum(tsr_sum(w), "x*y"); }
static tsr *mapped(tsr *w)
{
	return tsr_call(tsr_shard_map(grid, in_block, .in = TSR_SPECS(P("x", "y")),
	                              .out = TSR_SPECS(P())), w);
}
static tsr *mapped_whole(tsr *w)
{
	return tsr_call(tsr_shard_map(grid, sum, .in = TSR_SPECS(P()), .out = TSR_SPECS(P())), w);
}
static tsr *in_rows(tsr *w) { return tsr_psum(tsr_sum(w), "x"); }
static tsr *mapped_rows(tsr *w)
{
	return tsr_call(tsr_shard_map(grid, in_rows, .in = TSR_SPECS(P("x")),
	                              .out = TSR_SPECS(P())), w);
}

/* ---- what is made like it */

static tsr *zeros(tsr *w) { return tsr_zeros_like(w); }
static tsr *computed(tsr *w) { return tsr_add(tsr_mul(tsr_ones_like(w), 2.0), 1.0); }
static tsr *halves(tsr *w) { return tsr_astype(tsr_zeros_like(w), TSR_BF16); }
static tsr *of_call(tsr *w) { return tsr_call(tsr_jit(w, zeros), w); }
static tsr *of_rows(tsr *w) { return tsr_call(tsr_vmap(w, zeros), w); }
static tsr *one_more(tsr *c) { return tsr_add(c, 1.0); }
static tsr *again(tsr *c, tsr *w) { return tsr_add(c, tsr_sum(w)); }
static void step(tsr_frame *f)
{
	tsr_return(f, again(tsr_frame_arg(f, 0), tsr_frame_arg(f, 1)));
}
static tsr *carried(tsr *w) { return tsr_scan(step, tsr_zeros_like(w), w); }
static tsr *same(tsr *c) { return c; }
static tsr *chosen(tsr *w)
{
	return tsr_cond(tsr_gt(tsr_sum(w), 0.0), one_more, same, tsr_zeros_like(w));
}
static tsr *updated(tsr *w)
{
	return tsr_sub(w, tsr_mul(tsr_call(tsr_grad(w, sum), w), 0.5));
}
static tsr *state(tsr *w) { return tsr_mul(tsr_call(tsr_grad(w, sum), w), 0.5); }
static tsr *twice(tsr *w)
{
	return tsr_sum(tsr_square(tsr_call(tsr_grad(w, sum), w)));
}
static tsr *given_value(tsr *w)
{
	tsr *y, *g;

	tsr_call_into(TSR_OUT(&y, &g), tsr_value_and_grad(w, sum), w);
	return g;
}
static tsr *jacobian(tsr *w) { return tsr_call(tsr_jacrev(w, sum), w); }
static tsr *forward(tsr *w) { return tsr_call(tsr_jacfwd(w, sum), w); }

/* in a map over x, which leaves y to follow the model */
static tsr *over_x(tsr *w, tsr *(*body)(tsr *))
{
	return tsr_call(tsr_shard_map(grid, body, .sig = "[x] -> [x]", .axes = "x"), w);
}
static tsr *zeros_over_x(tsr *w) { return over_x(w, zeros); }
static tsr *state_over_x(tsr *w) { return over_x(w, state); }

typedef tsr *program(tsr *);
static const struct one {
	const char *name;
	program *run;
	bool loss;          /* its gradient is looked at, else its result */
	tsr_spec elsewhere; /* where it is as in JAX; not given: where w is */
} programs[] = {
	{"sum", .run = sum, .loss = true},
	{"constant", .run = constant, .loss = true},
	{"rows", .run = rows, .loss = true},
	{"row", .run = row, .loss = true},
	{"element", .run = element, .loss = true},
	{"taken", .run = taken, .loss = true},
	{"by itself", .run = by_itself, .loss = true, .elsewhere = TSR_SPEC("y", "x")},
	{"by turned", .run = by_turned, .loss = true},
	{"by another", .run = by_other, .loss = true, .elsewhere = TSR_SPEC("y", "x")},
	{"mapped", .run = mapped, .loss = true},
	{"mapped whole", .run = mapped_whole, .loss = true},
	{"mapped by rows", .run = mapped_rows, .loss = true, .elsewhere = TSR_SPEC("x")},
	{"twice", .run = twice, .loss = true},
	{"zeros", .run = zeros},
	{"computed", .run = computed},
	{"halves", .run = halves},
	{"of a call", .run = of_call},
	{"of rows", .run = of_rows},
	{"carried", .run = carried},
	{"chosen", .run = chosen},
	{"updated", .run = updated},
	{"state", .run = state},
	{"value and grad", .run = given_value},
	{"jacobian", .run = jacobian},
	{"forward", .run = forward},
	{"zeros over x", .run = zeros_over_x},
	{"state over x", .run = state_over_x},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static void log_text(void *user, int level, const char *text)
{
	(void)user;
	if (level == 0) print_error("%s\n", text);
}

static tsr *numbers(tsr_ctx *ctx, int64_t rows_of, int64_t columns)
{
	static float v[SIDE * SIDE];

	for (int i = 0; i < SIDE * SIDE; i++) v[i] = (float)(i * 7 % 11 - 4);
	return tsr_from(ctx, v, TSR_F32, TSR_DIMS(rows_of, columns));
}

/* false: it is said */
static bool is_at(const struct one *p, tsr *y, const tsr_sharding *want)
{
	const tsr_sharding *at = tsr_sharding_of(y);

	if (!at) fail_msg("%s: %s", p->name, tsr_message(tsr_ctx_of(y)));
	if (tsr_sharding_equivalent(at, want, tsr_ndim(y))) return true;
	print_error("%s is at %s, not %s\n", p->name, tsr_sharding_text(at),
	            tsr_sharding_text(want));
	return false;
}

static tsr_fn *fn_of(tsr_ctx *ctx, const struct one *p)
{
	return p->loss ? tsr_grad(ctx, p->run) : tsr_jit(ctx, p->run);
}

/* with numbers of one device */
static bool check(tsr_ctx *ctx, const struct one *p, tsr *whole, tsr_spec spec)
{
	const tsr_sharding *at = tsr_sharding_make(grid, spec);
	tsr *w = tsr_put_sharding(whole, at);
	tsr *y = tsr_call(fn_of(ctx, p), w);
	tsr *jitted = tsr_call(tsr_jit(ctx, fn_of(ctx, p)), w);
	const tsr_sharding *want = p->elsewhere.n1 ? tsr_sharding_make(grid, p->elsewhere) : at;
	const bool placed = is_at(p, y, want) && is_at(p, jitted, want);

	if (!tsr_array_equal(y, tsr_call(fn_of(ctx, p), whole)) ||
	    !tsr_array_equal(jitted, y))
		fail_msg("%s: other numbers", p->name);
	return placed;
}

static void follow_their_model(void **state_)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_text);
	int wrong = 0;

	(void)state_;
	grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *w = numbers(ctx, SIDE, SIDE);
	of_grid = tsr_put(w, grid, P("y", "x"));
	for (int k = 0; k < PROGRAMS; k++) {
		TSR_SCOPE(ctx);
		wrong += !check(ctx, &programs[k], w, P("x", "y"));
	}
	assert_int_equal(wrong, 0);
	assert_int_equal(tsr_status(ctx), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

/* other places, and dims that do not divide */
static void wherever_that_is(void **state_)
{
	static const struct one few[] = {
		{"sum", .run = sum, .loss = true},
		{"constant", .run = constant, .loss = true},
		{"rows", .run = rows, .loss = true},
		{"zeros", .run = zeros},
		{"state", .run = state}};
	const tsr_spec specs[] = {P(), P("x"), P(NULL, "x"), P(NULL, "x*y"), P("y")};
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_text);
	int wrong = 0;

	(void)state_;
	grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	for (size_t i = 0; i < sizeof few / sizeof *few; i++)
		for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
			TSR_SCOPE(ctx);
			wrong += !check(ctx, &few[i], numbers(ctx, SIDE, SIDE), specs[s]);
			wrong += !check(ctx, &few[i], numbers(ctx, 7, 3), specs[s]);
		}
	assert_int_equal(wrong, 0);
	assert_int_equal(tsr_status(ctx), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(follow_their_model),
		cmocka_unit_test(wherever_that_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
