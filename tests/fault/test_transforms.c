/* test_transforms.c - every request for memory fails once, in derivatives, batches, loops and
 * branches, custom rules and effects. */
#include "fault/fault_rig.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

TSR_TREE_TYPE(linear, { tsr *w, *b; });

static void loss_and_more(tsr_frame *frame)
{
	const linear *p = TSR_TREE_OF(linear, tsr_frame_tree(frame, 0));
	tsr *x = tsr_frame_arg(frame, 1);
	tsr_return(frame, tsr_sum(tsr_square(tsr_relu(tsr_dot(x, p->w)))), tsr_argmax(x));
}

static tsr *mapped_loss(tsr *w, tsr *x)
{
	return tsr_psum(tsr_sum(tsr_mul(tsr_square(x), w)), "x");
}

static bool grad(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	linear p = {.w = tsr_ones(ctx, D(3, 2))}, g = p;
	tsr *x = numbers(ctx, 2, 3), *y = NULL, *at = NULL, *dx = NULL, *dw = NULL;
	tsr_fn *f = tsr_value_and_grad(ctx, loss_and_more, .wrt = D(1, 0), .has_aux = true);
	tsr_call_into(TSR_OUT(&y, &at, &dx, TSR_TREE(linear, &g)), f, TSR_TREE(linear, &p), x);
	bool right = tsr_item(y) == 306 && tsr_item_int(at) == 5 && !g.b &&
		tsr_item(tsr_sum(dx)) == 180 && tsr_item(tsr_sum(g.w)) == 612;
	tsr_fn *m = tsr_shard_map(mesh, mapped_loss, .sig = "[] [x] -> []");
	tsr_linearized l = tsr_vjp(TSR_OUT(&y), m, tsr_scalar(ctx, 2.0), numbers(ctx, 4, 2));
	tsr_call_into(TSR_OUT(&dw, &dx), l.fn, l.residuals, tsr_scalar(ctx, 1.0));
	right &= tsr_item(y) == 280 && tsr_item(dw) == 140 && tsr_item(tsr_sum(dx)) == 112;
	l = tsr_linear_transpose(tsr_jit(ctx, tsr_t), numbers(ctx, 2, 3));
	return right && tsr_dim(tsr_call(l.fn, l.residuals, numbers(ctx, 3, 2)), 0) == 2;
}

static tsr *centred(tsr *x, tsr *y) { return tsr_add(tsr_sub(x, tsr_pmean(x, "rows")), y); }
static tsr *total(tsr *x) { return tsr_psum(tsr_square(x), "x"); }

static bool vmap(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr_fn *f = tsr_vmap(ctx, centred, .in = TSR_MAPPED(1, TSR_UNMAPPED), .out = TSR_MAPPED(-1),
	                     .axis = "rows");
	tsr *y = tsr_call(f, numbers(ctx, 2, 3), tsr_ones(ctx, D(2)));
	const bool right = tsr_item(tsr_sum(y)) == 6 && tsr_dim(y, 1) == 3;
	f = tsr_shard_map(mesh, total, .sig = "[x] -> []");
	y = tsr_call(tsr_jit(ctx, tsr_vmap(ctx, f, .spmd_axis = "y")), numbers(ctx, 2, 4));
	return right && tsr_dim(y, 0) == 2 && tsr_item(tsr_sum(y)) == 140;
}

static tsr *saddle(tsr *x, tsr *y) { return tsr_mul(tsr_square(x), tsr_sum(y)); }

static bool jacobians(tsr_ctx *ctx)
{
	tsr *x = tsr_arange(ctx, 3, .dtype = TSR_F32), *y = tsr_ones(ctx, D(2));
	tsr *a = NULL, *b = NULL, *c = NULL, *d = NULL;
	tsr_call_into(TSR_OUT(&a, &b), tsr_jacfwd(ctx, saddle, .wrt = D(0, 1)), x, y);
	tsr_call_into(TSR_OUT(&c, &d), tsr_jacrev(ctx, saddle, .wrt = D(0, 1)), x, y);
	return tsr_array_equal(a, c) && tsr_array_equal(b, d) && tsr_item(tsr_sum(a)) == 12;
}

static bool second(tsr_ctx *ctx)
{
	tsr *x = tsr_arange(ctx, 3, .dtype = TSR_F32), *y = tsr_ones(ctx, D(2));
	return tsr_item(tsr_sum(tsr_call(tsr_hessian(ctx, saddle), x, y))) == 12;
}

static bool forward(tsr_ctx *ctx)
{
	tsr *x = tsr_arange(ctx, 3, .dtype = TSR_F32), *y = tsr_ones(ctx, D(2));
	tsr *a = NULL, *dz = NULL;
	tsr_call_into(TSR_OUT(&a, &dz), tsr_jvp(ctx, saddle), x, y, tsr_ones_like(x), y);
	const bool right = tsr_item(tsr_sum(dz)) == 22;
	tsr_linearized l = tsr_linearize(TSR_OUT(&a), tsr_jit(ctx, saddle), x, y);
	return right && tsr_array_equal(tsr_call(l.fn, l.residuals, tsr_ones_like(x), y), dz);
}

static tsr *shift;                     /* a value from outside of bodies */
static tsr *lower(tsr *x) { return tsr_sub(x, shift); }
static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *below_20(tsr *x) { return tsr_lt(tsr_sum(x), 20); }
static tsr *add_step(tsr *i, tsr *x) { return tsr_add(x, tsr_astype(i, TSR_F32)); }
static tsr *plus(tsr *a, tsr *b) { return tsr_add(a, b); }
static void running(tsr_frame *f)
{
	tsr *c = tsr_mul(tsr_add(tsr_frame_arg(f, 0), tsr_frame_arg(f, 1)), shift);
	tsr_return(f, c, tsr_square(c));
}
static tsr *loops(tsr *x)
{
	tsr *c, *ys;
	shift = tsr_max(x);
	tsr_scan_into(TSR_OUT(&c, &ys), running, 0, x, .reverse = true);
	return tsr_add(tsr_fori(0, 3, add_step, c), tsr_sum(ys));
}
static tsr *choice(tsr *x)
{
	shift = tsr_sum(x);
	return tsr_sum(tsr_square(tsr_cond(tsr_gt(shift, 2), lower, twice, x)));
}

static tsr *three(tsr_ctx *ctx) { return tsr_arange(ctx, 3, .dtype = TSR_F32); }

static bool looped(tsr_ctx *ctx) { return tsr_item(loops(three(ctx))) == 539; }

static bool control(tsr_ctx *ctx)
{
	tsr *x = three(ctx), *n = tsr_scalar(ctx, 2);
	bool right = tsr_item(choice(x)) == 14;
	right &= tsr_item(tsr_sum(tsr_while(below_20, twice, x))) == 24;
	right &= tsr_item(tsr_sum(tsr_switch(n, TSR_BRANCHES(lower, twice), x))) == 6;
	right &= tsr_item(tsr_sum(tsr_fori(0, n, add_step, x))) == 6;
	return right;
}

static bool associative(tsr_ctx *ctx)
{
	return tsr_item(tsr_sum(tsr_associative_scan(plus, tsr_map(twice, three(ctx))))) == 8;
}

/* the derivatives of loops and branches; the batch has twice the point besides */
static bool back(tsr_ctx *ctx, tsr *(*f)(tsr *), double want)
{
	return tsr_item(tsr_sum(tsr_call(tsr_grad(ctx, f), three(ctx)))) == want;
}
static bool ahead(tsr_ctx *ctx, tsr *(*f)(tsr *), double want)
{
	return tsr_item(tsr_sum(tsr_call(tsr_jacfwd(ctx, f), three(ctx)))) == want;
}
static bool batch(tsr_ctx *ctx, tsr *(*f)(tsr *), double want)
{
	tsr *x = three(ctx), *both = tsr_stack(0, x, tsr_mul(x, 2));
	return tsr_item(tsr_sum(tsr_call(tsr_vmap(ctx, tsr_grad(ctx, f)), both))) == want;
}
static bool loops_back(tsr_ctx *ctx) { return back(ctx, loops, 2054); }
static bool loops_ahead(tsr_ctx *ctx) { return ahead(ctx, loops, 2054); }
static bool loops_batch(tsr_ctx *ctx) { return batch(ctx, loops, 2054 + 176516); }
static bool choice_back(tsr_ctx *ctx) { return back(ctx, choice, 24); }
static bool choice_ahead(tsr_ctx *ctx) { return ahead(ctx, choice, 24); }
static bool choice_batch(tsr_ctx *ctx) { return batch(ctx, choice, 24 + 48); }

static tsr *grow_step(tsr *x) { return tsr_add(tsr_square(x), x); }
static tsr *grown(tsr *x) { return tsr_sum(tsr_while(below_20, grow_step, x)); }

static bool while_ahead(tsr_ctx *ctx)
{
	return tsr_item(tsr_sum(tsr_call(tsr_jacfwd(ctx, grown), tsr_ones(ctx, D(2))))) == 390;
}
static bool while_batch(tsr_ctx *ctx)
{
	tsr *x = tsr_ones(ctx, D(2)), *both = tsr_stack(0, x, tsr_mul(x, 30));
	return tsr_item(tsr_sum(tsr_call(tsr_vmap(ctx, grown), both))) == 84 + 60;
}
static bool while_linear(tsr_ctx *ctx)
{
	tsr *x = tsr_ones(ctx, D(2)), *y;
	tsr_linearized l = tsr_linearize(TSR_OUT(&y), tsr_jit(ctx, grown), x);
	return tsr_item(tsr_call(l.fn, l.residuals, x)) == 390;
}

static tsr *halved(tsr *x) { return tsr_mul(tsr_sum(x), 0.5); }
static tsr *add_up(tsr *c, tsr *x) { return tsr_add(c, x); }
static tsr *sum_unrolled(tsr *x) { return tsr_scan(add_up, 0.0f, x, .unroll = 2); }
static tsr *add_product(tsr *c, tsr *x) { return tsr_add(c, tsr_dot_general(x, tsr_add(x, x))); }
static tsr *sum_of_products(tsr *c, tsr *x) { return tsr_scan(add_product, c, x); }
static void halves(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);
	tsr_return(f, halved(x), x);
}

static bool unrolled(tsr_ctx *ctx)
{
	tsr *x = tsr_arange(ctx, 5, .dtype = TSR_F32), *y = NULL, *a = NULL;
	const bool right = tsr_item(tsr_call(tsr_jit(ctx, sum_unrolled), x)) == 10 &&
	                   tsr_item(tsr_sum(tsr_map_batched(2, halved, x))) == 5 &&
	                   tsr_item(tsr_sum(tsr_call(tsr_jit(ctx, sum_of_products),
	                                             tsr_zeros(ctx, D(4, 4)),
	                                             numbers(ctx, 3, 4)))) == 3928;
	tsr_linearized l = tsr_vjp_aux(TSR_OUT(&y, &a), tsr_jit(ctx, halves), x);
	return right && tsr_array_equal(a, x) &&
	       tsr_item(tsr_sum(tsr_call(l.fn, l.residuals, tsr_ones_like(y)))) == 2.5;
}

static tsr *scale; /* a value that bodies take from outside */
static tsr *curve(tsr *x, tsr *w) { return tsr_mul(tsr_sin(tsr_dot(x, w)), scale); }
static void curve_forward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *w = tsr_frame_arg(f, 1);
	tsr_return(f, curve(x, w), x, w);
}
static void curve_backward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *w = tsr_frame_arg(f, 1);
	tsr *ct = tsr_mul(tsr_frame_arg(f, 2), scale);
	tsr_return(f, tsr_dot(ct, w), tsr_dot(x, ct));
}
static void curve_rule(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *w = tsr_frame_arg(f, 1);
	tsr *dx = tsr_dot(tsr_frame_arg(f, 2), w), *dw = tsr_dot(x, tsr_frame_arg(f, 3));
	tsr_return(f, curve(x, w), tsr_mul(tsr_add(dx, dw), scale));
}
static tsr *curves(tsr *x, tsr *w)
{
	scale = tsr_full(x, D(), 2.0);
	tsr *y = tsr_call(tsr_custom_vjp(x, curve, curve_forward, curve_backward), x, w);
	tsr *z = tsr_call(tsr_custom_jvp(x, curve, curve_rule), tsr_checkpoint_name(y, "y"), w);
	tsr_check_finite(z, "z");
	return tsr_sum(tsr_optimization_barrier(z));
}
static tsr *curves_again(tsr *x, tsr *w)
{
	return tsr_call(tsr_remat(x, curves, .save = TSR_SAVE_DOTS, .names = "y"), x, w);
}

static bool rules(tsr_ctx *ctx)
{
	tsr *x = tsr_ones(ctx, D(2, 2)), *w = tsr_ones(ctx, D(2, 2));
	tsr_fn *all = tsr_vmap(ctx, tsr_grad(ctx, curves_again), .in = TSR_MAPPED(0, TSR_UNMAPPED));
	tsr *g = tsr_call(all, tsr_stack(0, x, x), w);
	return tsr_item(tsr_sum(g)) == 128;
}

static tsr *moved(tsr *x, tsr *i)
{
	tsr *y = tsr_at_set(x, 0, i, tsr_square(tsr_take(x, 0, i)));
	tsr *z = tsr_at_max(y, 0, i, tsr_take_along(x, 0, i));
	return tsr_sum(tsr_mul(tsr_dynamic_update(z, tsr_slice(x, 0, 0, 1), 0, tsr_index(i, 0, 1)),
	                       tsr_dynamic_slice(x, 0, tsr_index(i, 0, 0), 4)));
}

static bool indices(tsr_ctx *ctx)
{
	tsr *i = tsr_from(ctx, ((int32_t[]){0, 0, 1, 3, -1, 2}), TSR_I32, D(3, 2));
	tsr *g = tsr_call(tsr_vmap(ctx, tsr_grad(ctx, moved)), numbers(ctx, 3, 4), i);
	tsr *rows = tsr_gather(g, tsr_expand_dims(i, D(-1)), D(1, 2), .offset_dims = D(2),
	                       .collapsed_slice_dims = D(0), .start_index_map = D(0),
	                       .mode = TSR_CLIP);
	tsr *sums = tsr_scatter(g, tsr_expand_dims(tsr_index(i, 1, 0), D(-1)), g,
	                        .update_window_dims = D(1), .inserted_window_dims = D(0),
	                        .scatter_dims_to_operand_dims = D(0), .mode = TSR_CLIP,
	                        .combine = TSR_COMBINE_ADD);
	return tsr_item(tsr_sum(g)) == 533 && tsr_item(tsr_sum(rows)) == 184 &&
	       tsr_item(tsr_sum(sums)) == 1066;
}

/* computes in the run that calls it */
static bool next_number(const tsr_host_call *c)
{
	tsr *x = tsr_scalar(c->ctx, (double)*(const float *)c->in[0]);

	*(float *)c->out[0] = (float)tsr_item(tsr_add(x, 1.0));
	return true;
}
static tsr *asked(tsr *x)
{
	tsr_fn *f = tsr_io_callback(x, next_number, .results = TSR_RESULTS({TSR_F32, D()}));
	return tsr_call(f, tsr_stop_gradient(x));
}
static tsr *numbered(tsr *x)
{
	tsr_debug_print("{} of {}", x, 3);
	return tsr_cond(tsr_gt(x, 1), asked, twice, x);
}
static tsr *numbered_block(tsr *x)
{
	return tsr_reshape(numbered(tsr_reshape(x, D())), D(1));
}
static tsr *numbered_steps(tsr *x) { return tsr_while(below_20, numbered, x); }


/* without what it prints */
static bool silently(bool (*run)(tsr_ctx *), tsr_ctx *ctx)
{
	const int kept = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);

	fflush(stdout);
	dup2(nowhere, STDOUT_FILENO);
	const bool right = run(ctx);
	fflush(stdout);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	close(nowhere);
	return right;
}

static bool number_batch(tsr_ctx *ctx)
{
	tsr *x = tsr_arange(ctx, 4, .dtype = TSR_F32);
	return tsr_item(tsr_sum(tsr_call(tsr_vmap(ctx, numbered), x))) == 9;
}
static bool number_blocks(tsr_ctx *ctx)
{
	tsr *x = tsr_arange(ctx, 4, .dtype = TSR_F32);
	tsr_fn *map = tsr_shard_map(tsr_mesh_make(ctx, {"x", 4}), numbered_block,
	                            .sig = "[x] -> [x]");
	return tsr_item(tsr_sum(tsr_call(map, x))) == 9;
}
static bool number_steps(tsr_ctx *ctx)
{
	tsr *y, *dy;
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(ctx, numbered_steps), tsr_scalar(ctx, 0.5), 1.0);
	return tsr_item(y) == 20 && tsr_item(dy) == 0;
}
static bool effects_batch(tsr_ctx *ctx) { return silently(number_batch, ctx); }
static bool effects_blocks(tsr_ctx *ctx) { return silently(number_blocks, ctx); }
static bool effects_steps(tsr_ctx *ctx) { return silently(number_steps, ctx); }

static const scenario scenarios[] = {
	SCENARIO(grad), SCENARIO(vmap), SCENARIO(jacobians), SCENARIO(second), SCENARIO(forward),
	SCENARIO(looped), SCENARIO(control), SCENARIO(associative),
	SCENARIO(loops_back), SCENARIO(loops_ahead), SCENARIO(loops_batch),
	SCENARIO(choice_back), SCENARIO(choice_ahead), SCENARIO(choice_batch),
	SCENARIO(while_ahead), SCENARIO(while_batch), SCENARIO(while_linear),
	SCENARIO(unrolled), SCENARIO(rules), SCENARIO(indices),
	SCENARIO(effects_batch), SCENARIO(effects_blocks), SCENARIO(effects_steps),
};

static void test_scenarios(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; k++)
		check_scenario(&scenarios[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenarios)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
