/* test_effects.c - prints and calls of running programs: all of those in the program, as often and
 * in the order that it says. The same for every engine, compiled or not, and for any number of
 * workers.
 *
 * A case writes to stdout what it prints, what its callbacks note, and its results, and says how
 * all of that must look. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct config {
	const char *engine, *debug;
	int workers;
} config;
static const config configs[] = {
	{"interp", "v", 1}, {"cpu", "vc", 1}, {"cpu", "cw", 2}, {"cpu", "cwh", 5}, {NULL, "", 2},
};

static tsr *numbers(tsr_ctx *ctx, int n) { return tsr_arange(ctx, n, .dtype = TSR_F32); }
static tsr_mesh *line(tsr_ctx *ctx, int n) { return tsr_mesh_make(ctx, {"x", n}); }

/* ---- host functions */

/* x -> 2 x, noted */
static bool twice(const tsr_host_call *c)
{
	const float *x = c->in[0];
	float *y = c->out[0];

	printf("twice");
	for (int64_t i = 0; i < c->in_type[0].size; i++) printf(" %g", (double)(y[i] = 2 * x[i]));
	printf("\n");
	return true;
}

/* how often it was called */
static bool count(const tsr_host_call *c)
{
	int32_t *calls = c->user;

	*(int32_t *)c->out[0] = (*calls)++;
	return true;
}

static bool look(const tsr_host_call *c)
{
	printf("look at %g\n", (double)*(const float *)c->in[0]);
	return true;
}

static tsr *twice_of(tsr *x, int64_t n)
{
	return tsr_call(tsr_pure_callback(x, twice, .results = TSR_RESULTS({TSR_F32, TSR_DIMS(n)})),
	                x);
}

static tsr *twice_io(tsr *x)
{
	return tsr_call(tsr_io_callback(x, twice, .results = TSR_RESULTS({TSR_F32, TSR_DIMS()})),
	                x);
}

/* ---- one device */

static tsr *two_lines(tsr *x)
{
	tsr_debug_print("x = {}", x);
	tsr *y = tsr_mul(x, x);
	tsr_debug_print("{1} of {0}, {{}}", x, y);
	tsr_debug_print("done");
	return tsr_sum(y);
}

static void jitted(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_jit(ctx, two_lines);

	tsr_print(tsr_call(f, numbers(ctx, 3)));
	tsr_print(tsr_call(f, tsr_add(numbers(ctx, 3), 1.0)));
}

static void at_once(tsr_ctx *ctx)
{
	tsr_debug_print("{} {} {}", numbers(ctx, 2), 3, 0.5);
	tsr_debug_print("nothing");
}

static void gradient(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_grad(ctx, two_lines), numbers(ctx, 2)));
}

/* the linear half prints nothing */
static void linearized(tsr_ctx *ctx)
{
	tsr *x = numbers(ctx, 2), *y;
	tsr_linearized l = tsr_linearize(TSR_OUT(&y), tsr_jit(ctx, two_lines), x);

	tsr_print(tsr_call(l.fn, l.residuals, x));
	tsr_print(tsr_call(l.fn, l.residuals, x));
}

static tsr *step(tsr *i, tsr *x)
{
	tsr_debug_print("step {}: {}", i, x);
	return tsr_mul(x, 2.0);
}

static tsr *no_way(tsr *x)
{
	tsr_debug_print("no way {}", x);
	return x;
}
static tsr *grow(tsr *x)
{
	tsr_debug_print("grow {}", x);
	return tsr_mul(x, 2.0);
}

static tsr *counted_loop(tsr *x)
{
	tsr_debug_print("before {}", x);
	tsr *y = tsr_fori(0, 3, step, x);
	tsr_debug_print("behind {}", y);
	return y;
}

static void loop(tsr_ctx *ctx)
{
	tsr *x = tsr_scalar(ctx, 1.0);

	tsr_print(tsr_call(tsr_jit(ctx, counted_loop), x));
	tsr_print(tsr_call(tsr_grad(ctx, counted_loop), x));
}

/* a loop without steps, and one of one step */
static tsr *no_step(tsr *x) { return tsr_fori(0, 0, step, x); }
static tsr *one_step(tsr *x) { return tsr_fori(0, 1, step, x); }
static void short_loops(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_jit(ctx, no_step), tsr_scalar(ctx, 1.0)));
	tsr_print(tsr_call(tsr_jit(ctx, one_step), tsr_scalar(ctx, 1.0)));
}

/* the predicate is known when the program is made */
static tsr *known_way(tsr *x)
{
	return tsr_cond(true, grow, no_way, tsr_cond(false, grow, no_way, x));
}
static void known_predicate(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_jit(ctx, known_way), tsr_scalar(ctx, 1.0)));
}

static tsr *unrolled_loop(tsr *x) { return tsr_fori_unrolled(2, 0, 3, step, x); }
static void unrolled(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_jit(ctx, unrolled_loop), tsr_scalar(ctx, 1.0)));
}

static tsr *small(tsr *x)
{
	tsr_debug_print("is {} small?", x);
	return tsr_lt(x, 5.0);
}
static tsr *while_small(tsr *x) { return tsr_while(small, grow, x); }
static void endless(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_jit(ctx, while_small), tsr_scalar(ctx, 2.0)));
}

/* the loop of the tangents prints nothing */
static void tangents(tsr_ctx *ctx)
{
	tsr *x = tsr_scalar(ctx, 2.0), *y, *dy;

	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(ctx, while_small), x, x);
	tsr_print(dy);
	tsr_linearized l = tsr_linearize(TSR_OUT(&y), tsr_jit(ctx, while_small), x);
	tsr_print(tsr_call(l.fn, l.residuals, x));
}

static tsr *low(tsr *x)
{
	tsr_debug_print("low {}", x);
	return tsr_neg(x);
}
static tsr *high(tsr *x)
{
	tsr_debug_print("high {}", x);
	return tsr_mul(x, 10.0);
}
static tsr *choose(tsr *x) { return tsr_cond(tsr_gt(x, 1.5), high, low, x); }
static void branch(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_jit(ctx, choose), tsr_scalar(ctx, 1.0)));
	tsr_print(tsr_call(tsr_jit(ctx, choose), tsr_scalar(ctx, 2.0)));
	tsr_print(tsr_call(tsr_grad(ctx, choose), tsr_scalar(ctx, 2.0)));
}

/* as tsr_print does */
static void dtypes(tsr_ctx *ctx)
{
	tsr_debug_print("{} {} {}", 1.5, 3, tsr_ones(ctx, TSR_DIMS(2), .dtype = TSR_BOOL));
	tsr_debug_print("{}", tsr_astype(tsr_scalar(ctx, 1.1), TSR_BF16));
	tsr_debug_print("{}", tsr_reshape(numbers(ctx, 40), TSR_DIMS(2, 20)));
	tsr_debug_print("{} {}", tsr_zeros(ctx, TSR_DIMS(0)),
	                tsr_scalar(ctx, 2.0, .dtype = TSR_C64));
}

/* as Python's str.format() does, in each element of a batch and on each device */
static tsr *by_spec(tsr *x)
{
	tsr_debug_print("{0:.3f}|{0:>+9.1e}|{0!s:*^11.9}", x);
	return x;
}
static void specs(tsr_ctx *ctx)
{
	(void)tsr_call(tsr_vmap(ctx, by_spec), tsr_div(numbers(ctx, 2), 3));
	tsr_debug_print("loss = {:.3f}, step {:04d}, {:.1%} of {:,}", tsr_scalar(ctx, 1.23456), 7,
	                0.125, 1234567);
	tsr_debug_print("{!s:>10}|{!s:.4}", numbers(ctx, 2), numbers(ctx, 3));
}

/* what is called outside of bodies runs at once */
static void no_trace(tsr_ctx *ctx)
{
	tsr *x = tsr_scalar(ctx, 2.0);

	tsr_print(tsr_cond(tsr_gt(x, 1.5), high, low, x));
	tsr_print(tsr_fori(0, 2, step, x));
}

/* what is printed does not depend on the loop, or on any operand: it is not computed before the
 * loop for all that, nor once more in the linear half */
static tsr *step_and_more(tsr *c, tsr *x)
{
	tsr_debug_print("here");
	return tsr_add(tsr_mul(c, x), tsr_sin(c));
}
static tsr *way_and_more(tsr *x)
{
	tsr_debug_print("there");
	return tsr_mul(x, tsr_sin(x));
}
static tsr *constants(tsr *x)
{
	tsr *y = tsr_scan(step_and_more, x, tsr_full(x, TSR_DIMS(2), 1.0));
	return tsr_cond(tsr_gt(x, 1.5), way_and_more, low, tsr_mul(y, 0.0));
}
static void gradient_of_constants(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_grad(ctx, constants), tsr_scalar(ctx, 2.0)));
}

/* ---- batches */

static tsr *of_element(tsr *x)
{
	tsr_debug_print("all");
	tsr_debug_print("one {}", x);
	return tsr_mul(x, 2.0);
}
static void batch(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_vmap(ctx, of_element), numbers(ctx, 3)));
}
static void batch_of_branches(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_vmap(ctx, choose), numbers(ctx, 3)));
	tsr_print(tsr_call(tsr_vmap(ctx, tsr_grad(ctx, choose)), numbers(ctx, 3)));
}
static void batch_of_loops(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_vmap(ctx, while_small), tsr_add(numbers(ctx, 3), 1.0)));
}
static void batch_of_gradients(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_vmap(ctx, tsr_grad(ctx, counted_loop)), numbers(ctx, 2)));
}

/* ---- callbacks */

static tsr *pure_unused(tsr *x)
{
	(void)twice_of(x, 2);
	return tsr_add(twice_of(tsr_neg(x), 2), x);
}
static tsr *io_unused(tsr *x)
{
	(void)twice_io(x);
	return tsr_neg(x);
}
static void unused(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_jit(ctx, pure_unused), numbers(ctx, 2)));
	tsr_print(tsr_call(tsr_jit(ctx, io_unused), tsr_scalar(ctx, 3.0)));
}

static tsr *numbered(tsr *i, tsr *sum)
{
	static int32_t calls;
	tsr_fn *f = tsr_io_callback(sum, count, .user = &calls,
	                            .results = TSR_RESULTS({TSR_I32, TSR_DIMS()}));

	(void)i;
	return tsr_add(tsr_mul(sum, 10), tsr_sub(tsr_call(f), tsr_call(f)));
}
/* two equal calls are two calls */
static tsr *numbers_loop(tsr_ctx *ctx) { return tsr_fori(0, 4, numbered, tsr_scalar(ctx, 0)); }
static void equal_calls(tsr_ctx *ctx) { tsr_print(tsr_call(tsr_jit(ctx, numbers_loop))); }

static tsr *looked_at(tsr *x)
{
	tsr_fn *f = tsr_debug_callback(x, look);

	tsr_call_into(TSR_NO_OUT, f, x);
	return tsr_mul(x, x);
}
static void debugged(tsr_ctx *ctx)
{
	tsr *x = tsr_scalar(ctx, 3.0);

	tsr_call_into(TSR_NO_OUT, tsr_debug_callback(ctx, look), x);
	tsr_print(tsr_call(tsr_grad(ctx, looked_at), x));
	tsr_print(tsr_call(tsr_vmap(ctx, tsr_grad(ctx, looked_at)), numbers(ctx, 2)));
}

static bool sum_and_product(const tsr_host_call *c)
{
	const float *a = c->in[0], *b = c->in[1];

	assert_int_equal(c->nin, 2);
	assert_int_equal(c->nout, 2);
	assert_int_equal(c->out_type[1].dtype, TSR_F64);
	*(float *)c->out[0] = *a + *b;
	*(double *)c->out[1] = (double)*a * (double)*b;
	return true;
}
TSR_TREE_TYPE(pair, { tsr *a, *b; });
static void several_results(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_pure_callback(ctx, sum_and_product,
	                              .results = TSR_RESULTS({TSR_F32, TSR_DIMS()},
	                                                     {TSR_F64, TSR_DIMS()}));
	pair p = {{tsr_scalar(ctx, 2.0), tsr_scalar(ctx, 5.0)}};
	tsr *sum, *product;

	tsr_call_into(TSR_OUT(&sum, &product), f, TSR_TREE(pair, &p));
	tsr_debug_print("{} {}", sum, product);
	tsr_call_into(TSR_OUT(&sum, &product), tsr_vmap(ctx, f, .in = TSR_MAPPED(0, TSR_UNMAPPED)),
	              numbers(ctx, 2), p.b);
	tsr_debug_print("{} {}", sum, product);
}

/* n -> n!, by the program that is running */
static bool factorial_of(const tsr_host_call *c);
static tsr *factorial(tsr *n)
{
	tsr_fn *f = tsr_pure_callback(n, factorial_of,
	                              .results = TSR_RESULTS({TSR_F32, TSR_DIMS()}));
	return tsr_mul(n, tsr_call(f, tsr_sub(n, 1.0)));
}
static bool factorial_of(const tsr_host_call *c)
{
	const float n = *(const float *)c->in[0];
	tsr *x = tsr_scalar(c->ctx, (double)n, .dtype = TSR_F32);
	tsr *y = n > 1 ? tsr_call(tsr_jit(c->ctx, factorial), x) : x;

	*(float *)c->out[0] = (float)tsr_item(y);
	return true;
}
static void recursion(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_jit(ctx, factorial), tsr_scalar(ctx, 6.0)));
	tsr_print(tsr_call(tsr_vmap(ctx, factorial), tsr_add(numbers(ctx, 4), 2.0)));
}

/* ---- devices */

static tsr *of_block(tsr *x)
{
	tsr_debug_print("block {}", x);
	tsr *sum = tsr_psum(tsr_sum(x), "x");
	tsr_debug_print("sum {}", sum);
	return sum;
}
static tsr *around(tsr *x)
{
	tsr *y = tsr_mul(x, 2.0);
	tsr_debug_print("whole {}", y);
	y = tsr_call(tsr_shard_map(line(tsr_ctx_of(x), 4), of_block, .sig = "[x] -> []"), y);
	tsr_debug_print("result {}", y);
	return y;
}
static void mapped(tsr_ctx *ctx) { tsr_print(tsr_call(tsr_jit(ctx, around), numbers(ctx, 8))); }

static tsr *in_rows(tsr *x)
{
	tsr_debug_print("{} {}", x, tsr_axis_index(x, "y"));
	return x;
}
static void two_axes(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	tsr *x = tsr_put(numbers(ctx, 2), mesh, TSR_P("x"));

	tsr_fn *f = tsr_shard_map(mesh, in_rows, .sig = "[x] -> [x]");

	tsr_print(tsr_call(f, x));
}

static tsr *scalar_of(tsr *x) { return tsr_reshape(x, TSR_DIMS()); }
static tsr *vector_of(tsr *x) { return tsr_reshape(x, TSR_DIMS(1)); }
static tsr *own_way(tsr *x) { return vector_of(choose(scalar_of(x))); }
static tsr *own_steps(tsr *x) { return vector_of(while_small(scalar_of(x))); }
static void part(tsr_ctx *ctx)
{
	tsr_mesh *mesh = line(ctx, 4);
	tsr *x = tsr_flip(numbers(ctx, 4), TSR_DIMS(0));

	tsr_print(tsr_call(tsr_shard_map(mesh, own_way, .sig = "[x] -> [x]"), x));
	tsr_print(tsr_call(tsr_shard_map(mesh, own_steps, .sig = "[x] -> [x]"), tsr_add(x, 1.0)));
}

static tsr *io_of_block(tsr *x)
{
	static int32_t calls;
	tsr_fn *f = tsr_io_callback(x, count, .user = &calls, .ordered = true,
	                            .results = TSR_RESULTS({TSR_I32, TSR_DIMS()}));

	tsr *first = tsr_call(f), *second = tsr_call(f);

	return tsr_reshape(tsr_sub(first, second), TSR_DIMS(1));
}
static void results_differ(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_shard_map(line(ctx, 4), io_of_block, .sig = "[] -> [x]"),
	                   tsr_scalar(ctx, 1.0)));
}

/* a program that was made outside of the map prints on each device, too */
static tsr *by_text(tsr *x)
{
	tsr_fn *f = tsr_parse(x, "f(%0: f32[1]) -> f32[1] {\n"
	                         "  debug_print %0 format=\"text {}\" axes=()\n"
	                         "  return %0\n}\n");
	return tsr_call(f, x);
}
static void text_in_map(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_parse(ctx, "f(%0: f32[1]) -> f32[1] {\n"
	                           "  debug_print %0 format=\"text {}\" axes=()\n"
	                           "  return %0\n}\n");

	tsr_print(tsr_call(f, numbers(ctx, 1)));
	tsr_print(tsr_call(tsr_shard_map(line(ctx, 2), by_text, .sig = "[x] -> [x]"),
	                   numbers(ctx, 2)));
}

static tsr *step_of_block(tsr *i, tsr *x)
{
	tsr_debug_print("{}: {}", i, x);
	return tsr_ppermute(x, "x", TSR_SHIFT(1));
}
static tsr *ring(tsr *x) { return tsr_fori(0, 2, step_of_block, x); }
static void eight_devices(tsr_ctx *ctx)
{
	tsr_print(tsr_call(tsr_shard_map(line(ctx, 8), ring, .sig = "[x] -> [x]"),
	                   numbers(ctx, 8)));
}

/* devices along x have different elements of the batch */
static tsr *of_part(tsr *x)
{
	tsr_debug_print("element {}", x);
	return tsr_neg(x);
}
static void split_batch(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_shard_map(line(ctx, 2), of_part, .sig = "[] -> []");

	tsr_print(tsr_call(tsr_vmap(ctx, f, .spmd_axis = "x"), numbers(ctx, 4)));
}

static void batch_of_maps(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_shard_map(line(ctx, 2), of_block, .sig = "[x] -> []");

	tsr_print(tsr_call(tsr_vmap(ctx, f), tsr_reshape(numbers(ctx, 4), TSR_DIMS(2, 2))));
}

static tsr *grad_in_map(tsr *x) { return tsr_call(tsr_grad(x, of_block), x); }
static void gradient_of_maps(tsr_ctx *ctx)
{
	tsr_mesh *mesh = line(ctx, 2);

	tsr_print(tsr_call(tsr_shard_map(mesh, grad_in_map, .sig = "[x] -> [x]"), numbers(ctx, 2)));
	tsr_print(tsr_call(tsr_grad(ctx, tsr_shard_map(mesh, of_block, .sig = "[x] -> []")),
	                   numbers(ctx, 2)));
}

/* ---- all of them */

static const struct effects_case {
	const char *name;
	int devices;
	void (*run)(tsr_ctx *);
	const char *want;
} cases[] = {
	{"jitted", 1, jitted,
	 "x = [0. 1. 2.]\n[0. 1. 4.] of [0. 1. 2.], {}\ndone\n5.0\n"
	 "x = [1. 2. 3.]\n[1. 4. 9.] of [1. 2. 3.], {}\ndone\n14.0\n"},
	{"at once", 1, at_once, "[0. 1.] 3 0.5\nnothing\n"},
	{"gradient", 1, gradient, "x = [0. 1.]\n[0. 1.] of [0. 1.], {}\ndone\n[0. 2.]\n"},
	{"linearized", 1, linearized, "x = [0. 1.]\n[0. 1.] of [0. 1.], {}\ndone\n2.0\n2.0\n"},
	{"loop", 1, loop,
	 "before 1.0\nstep 0: 1.0\nstep 1: 2.0\nstep 2: 4.0\nbehind 8.0\n8.0\n"
	 "before 1.0\nstep 0: 1.0\nstep 1: 2.0\nstep 2: 4.0\nbehind 8.0\n8.0\n"},
	{"short loops", 1, short_loops, "1.0\nstep 0: 1.0\n2.0\n"},
	{"known predicate", 1, known_predicate, "no way 1.0\ngrow 1.0\n2.0\n"},
	{"unrolled", 1, unrolled, "step 0: 1.0\nstep 1: 2.0\nstep 2: 4.0\n8.0\n"},
	{"endless", 1, endless,
	 "is 2.0 small?\ngrow 2.0\nis 4.0 small?\ngrow 4.0\nis 8.0 small?\n8.0\n"},
	{"tangents", 1, tangents,
	 "is 2.0 small?\ngrow 2.0\nis 4.0 small?\ngrow 4.0\nis 8.0 small?\n8.0\n"
	 "is 2.0 small?\ngrow 2.0\nis 4.0 small?\ngrow 4.0\nis 8.0 small?\n8.0\n"},
	{"branch", 1, branch, "low 1.0\n-1.0\nhigh 2.0\n20.0\nhigh 2.0\n10.0\n"},
	{"dtypes", 1, dtypes,
	 "1.5 3 [ True  True]\n1.10156\n"
	 "[[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16. 17.\n"
	 "  18. 19.]\n"
	 " [20. 21. 22. 23. 24. 25. 26. 27. 28. 29. 30. 31. 32. 33. 34. 35. 36. 37.\n"
	 "  38. 39.]]\n[] (2+0j)\n"},
	{"specs", 1, specs,
	 "0.000| +0.0e+00|****0.0****\n0.333| +3.3e-01|*0.3333333*\n"
	 "loss = 1.235, step 0007, 12.5% of 1,234,567\n   [0. 1.]|[0. \n"},
	{"no trace", 1, no_trace, "high 2.0\n20.0\nstep 0: 2.0\nstep 1: 4.0\n8.0\n"},
	{"gradient of constants", 1, gradient_of_constants, "here\nhere\nthere\n0.0\n"},
	{"batch", 1, batch, "all\none 0.0\none 1.0\none 2.0\n[0. 2. 4.]\n"},
	{"batch of branches", 1, batch_of_branches,
	 "low 0.0\nlow 1.0\nhigh 2.0\n[-0. -1. 20.]\nlow 0.0\nlow 1.0\nhigh 2.0\n[-1. -1. 10.]\n"},
	{"batch of loops", 1, batch_of_loops,
	 "is 1.0 small?\ngrow 1.0\nis 2.0 small?\ngrow 2.0\nis 4.0 small?\ngrow 4.0\n"
	 "is 8.0 small?\nis 2.0 small?\ngrow 2.0\nis 4.0 small?\ngrow 4.0\nis 8.0 small?\n"
	 "is 3.0 small?\ngrow 3.0\nis 6.0 small?\n[8. 8. 6.]\n"},
	{"batch of gradients", 1, batch_of_gradients,
	 "before 0.0\nbefore 1.0\nstep 0: 0.0\nstep 0: 1.0\nstep 1: 0.0\nstep 1: 2.0\n"
	 "step 2: 0.0\nstep 2: 4.0\nbehind 0.0\nbehind 8.0\n[8. 8.]\n"},
	{"unused", 1, unused, "twice -0 -2\n[ 0. -1.]\ntwice 6\n-3.0\n"},
	{"equal calls", 1, equal_calls, "-1111\n"},
	{"debugged", 1, debugged, "look at 3\nlook at 3\n6.0\nlook at 0\nlook at 1\n[0. 2.]\n"},
	{"several results", 1, several_results, "7.0 10.0\n[5. 6.] [0. 5.]\n"},
	{"recursion", 1, recursion, "720.0\n[  2.   6.  24. 120.]\n"},
	{"mapped", 4, mapped,
	 "whole [ 0.  2.  4.  6.  8. 10. 12. 14.]\nblock [0. 2.]\nblock [4. 6.]\nblock [ 8. 10.]\n"
	 "block [12. 14.]\nsum 56.0\nsum 56.0\nsum 56.0\nsum 56.0\nresult 56.0\n56.0\n"},
	{"two axes", 4, two_axes, "[0.] 0\n[0.] 1\n[1.] 0\n[1.] 1\n[0. 1.]\n"},
	{"part", 4, part,
	 "high 3.0\nhigh 2.0\nlow 1.0\nlow 0.0\n[30. 20. -1. -0.]\n"
	 "is 4.0 small?\ngrow 4.0\nis 8.0 small?\nis 3.0 small?\ngrow 3.0\nis 6.0 small?\n"
	 "is 2.0 small?\ngrow 2.0\nis 4.0 small?\ngrow 4.0\nis 8.0 small?\n"
	 "is 1.0 small?\ngrow 1.0\nis 2.0 small?\ngrow 2.0\nis 4.0 small?\ngrow 4.0\n"
	 "is 8.0 small?\n[8. 6. 8. 8.]\n"},
	{"results differ", 4, results_differ, "[-4 -4 -4 -4]\n"},
	{"text in map", 2, text_in_map, "text [0.]\n[0.]\ntext [0.]\ntext [1.]\n[0. 1.]\n"},
	{"eight devices", 8, eight_devices,
	 "0: [0.]\n0: [1.]\n0: [2.]\n0: [3.]\n0: [4.]\n0: [5.]\n0: [6.]\n0: [7.]\n"
	 "1: [7.]\n1: [0.]\n1: [1.]\n1: [2.]\n1: [3.]\n1: [4.]\n1: [5.]\n1: [6.]\n"
	 "[6. 7. 0. 1. 2. 3. 4. 5.]\n"},
	{"split batch", 2, split_batch,
	 "element 0.0\nelement 2.0\nelement 1.0\nelement 3.0\n[-0. -1. -2. -3.]\n"},
	{"batch of maps", 2, batch_of_maps,
	 "block [0.]\nblock [1.]\nblock [2.]\nblock [3.]\nsum 1.0\nsum 1.0\nsum 5.0\nsum 5.0\n"
	 "[1. 5.]\n"},
	{"gradient of maps", 2, gradient_of_maps,
	 "block [0.]\nblock [1.]\nsum 1.0\nsum 1.0\n[1. 1.]\n"
	 "block [0.]\nblock [1.]\nsum 1.0\nsum 1.0\n[1. 1.]\n"},
};

/* what a case writes, with this engine; errors too */
static void written(const struct effects_case *c, const config *as, char *to, size_t size)
{
	FILE *file = tmpfile();
	const int kept = dup(STDOUT_FILENO);

	fflush(stdout);
	dup2(fileno(file), STDOUT_FILENO);
	const char *plugins = PLUGIN_DIR;
	tsr_ctx *ctx = tsr_open(.devices = c->devices, .engine = as->engine, .debug = as->debug,
	                        .workers = as->workers, .plugin_dir = plugins,
	                        .require_compiled = plugins && strchr(as->debug, 'c'));
	c->run(ctx);
	if (tsr_status(ctx)) printf("%s\n", tsr_message(ctx));
	tsr_clear(ctx);
	tsr_close(ctx);
	fflush(stdout);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	rewind(file);
	to[fread(to, 1, size - 1, file)] = 0;
	fclose(file);
}

static void all_cases(void **state)
{
	int wrong = 0;
	char text[4096];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t k = 0; k < sizeof configs / sizeof *configs; k++) {
			written(&cases[i], &configs[k], text, sizeof text);
			if (strcmp(text, cases[i].want) == 0) continue;
			print_error("%s, %s \"%s\" with %d workers:\n%s--- and not\n%s\n",
			            cases[i].name, configs[k].engine ? configs[k].engine : "any",
			            configs[k].debug,
			            configs[k].workers, text, cases[i].want);
			wrong++;
		}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_cases)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
