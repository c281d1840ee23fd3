/* test_custom.c - remat, custom_jvp and custom_vjp under jvp, grad, hessian, vmap and their
 * compositions, in loops and branches, and on the devices of a mesh.
 *
 * Each case is compared with the same computation written out, its twin. A rule says another
 * derivative than the body has, so that it shows where it is not used; the twin has the value of
 * the one and the derivatives of the other (like). So have the results of the rules, which second
 * derivatives see. make check compiles a part of the cases (support/part.h), make check-slow
 * all. */
#include "support/part.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "transform/twins.h"
#include <cmocka.h>

#define D TSR_DIMS
enum { N = 3, BATCH = 4, DEVICES = 2, STEPS = 3 };

/* f64[N] */
static tsr *point(tsr_ctx *ctx, int k)
{
	double x[N];

	for (int i = 0; i < N; i++) x[i] = 0.4 * i - 0.3 * k + 0.25;
	return tsr_copy(tsr_from(ctx, x, TSR_F64, D(N)));
}
static tsr *points(tsr_ctx *ctx)
{
	return tsr_stack(0, point(ctx, 0), point(ctx, 1), point(ctx, 2), point(ctx, 3));
}

/* the value of y, and all derivatives of d */
static tsr *like(tsr *y, tsr *d)
{
	return tsr_add(tsr_stop_gradient(y), tsr_sub(d, tsr_stop_gradient(d)));
}

/* ---- rules: 2 sin x, with the derivative of 5 sin x */

static tsr *two_sines(tsr *x) { return tsr_mul(tsr_sin(x), 2); }
static tsr *sines_flat(tsr *x) { return like(two_sines(x), tsr_mul(tsr_sin(x), 5)); }
static void sines_rule(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *dx = tsr_frame_arg(f, 1);
	tsr_return(f, sines_flat(x), tsr_mul(tsr_mul(tsr_cos(x), dx), 5));
}
static void sines_forward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);
	tsr_return(f, sines_flat(x), tsr_cos(x));
}
static tsr *sines_backward(tsr *cosine, tsr *ct) { return tsr_mul(tsr_mul(cosine, ct), 5); }
static tsr_fn *sines_jvp(tsr *x) { return tsr_custom_jvp(x, two_sines, sines_rule); }
static tsr_fn *sines_vjp(tsr *x)
{
	return tsr_custom_vjp(x, two_sines, sines_forward, sines_backward);
}
static tsr *jvp_case(tsr *x) { return tsr_sum(tsr_square(tsr_call(sines_jvp(x), x))); }
static tsr *vjp_case(tsr *x) { return tsr_sum(tsr_square(tsr_call(sines_vjp(x), x))); }
static tsr *rule_flat(tsr *x) { return tsr_sum(tsr_square(sines_flat(x))); }

/* ---- rules that call their own fn: e^x, with three times itself as its derivative */

static tsr_fn *grow_jvp(tsr *x);
static tsr_fn *grow_vjp(tsr *x);
static void grow_rule(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *y = tsr_call(grow_jvp(x), x);
	tsr_return(f, y, tsr_mul(tsr_mul(y, tsr_frame_arg(f, 1)), 3));
}
static void grow_forward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *y = tsr_call(grow_vjp(x), x);
	tsr_return(f, y, y);
}
static tsr *grow_backward(tsr *y, tsr *ct) { return tsr_mul(tsr_mul(y, ct), 3); }
static tsr_fn *grow_jvp(tsr *x) { return tsr_custom_jvp(x, tsr_exp, grow_rule); }
static tsr_fn *grow_vjp(tsr *x)
{
	return tsr_custom_vjp(x, tsr_exp, grow_forward, grow_backward);
}
static tsr *grown_jvp(tsr *x) { return tsr_sum(tsr_square(tsr_call(grow_jvp(x), x))); }
static tsr *grown_vjp(tsr *x) { return tsr_sum(tsr_square(tsr_call(grow_vjp(x), x))); }
static tsr *grown_flat(tsr *x)
{
	tsr *at = tsr_stop_gradient(x), *by = tsr_exp(tsr_mul(tsr_sub(x, at), 3));
	return tsr_sum(tsr_square(tsr_mul(tsr_exp(at), by)));
}

/* ---- a tree, an integer, an argument that no rule differentiates, two results, data of the fn.
 * The result is a b^n s for an argument s, and a count; derivatives are those of scale a b^n s */

TSR_TREE_TYPE(pair, { tsr *a, *b; });
typedef struct scale_env {
	double scale;
} scale_env;
static tsr *power(const pair *p, tsr *n, tsr *s)
{
	tsr *base = tsr_mul(p->a, tsr_pow(p->b, tsr_astype(n, TSR_F64)));
	return tsr_mul(base, s);
}
static tsr *power_flat_of(const pair *p, tsr *n, tsr *s)
{
	tsr *y = power(p, n, s);
	return like(y, tsr_mul(y, 3));
}
static void power_body(tsr_frame *f)
{
	const pair *p = TSR_TREE_OF(pair, tsr_frame_tree(f, 0));
	tsr *n = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_add(n, 1), power(p, n, tsr_frame_arg(f, 2)));
}
/* a^b is differentiated by b alone where b > 0, so the rules say so */
static void power_slopes(const pair *p, tsr *n, tsr *s, tsr **da, tsr **db)
{
	tsr *e = tsr_astype(n, TSR_F64);
	*da = tsr_mul(tsr_pow(p->b, e), s);
	*db = tsr_mul(tsr_mul(tsr_mul(p->a, e), tsr_pow(p->b, tsr_sub(e, 1))), s);
}
static void power_rule(tsr_frame *f)
{
	const scale_env *env = tsr_frame_env(f);
	const pair *p = TSR_TREE_OF(pair, tsr_frame_tree(f, 0));
	const pair *dp = TSR_TREE_OF(pair, tsr_frame_tree(f, 3));
	tsr *n = tsr_frame_arg(f, 1), *s = tsr_frame_arg(f, 2), *da, *db;
	power_slopes(p, n, s, &da, &db);
	tsr *dy = tsr_add(tsr_mul(da, dp->a), tsr_mul(db, dp->b));
	tsr_return(f, tsr_add(n, 1), power_flat_of(p, n, s), tsr_mul(dy, env->scale));
}
static void power_forward(tsr_frame *f)
{
	const pair *p = TSR_TREE_OF(pair, tsr_frame_tree(f, 0));
	tsr *n = tsr_frame_arg(f, 1), *s = tsr_frame_arg(f, 2);
	pair slope;
	power_slopes(p, n, s, &slope.a, &slope.b);
	tsr_return(f, tsr_add(n, 1), power_flat_of(p, n, s), TSR_TREE(pair, &slope));
}
static void power_backward(tsr_frame *f)
{
	const scale_env *env = tsr_frame_env(f);
	const pair *slope = TSR_TREE_OF(pair, tsr_frame_tree(f, 0));
	tsr *ct = tsr_mul(tsr_frame_arg(f, 1), env->scale);
	pair dp = {.a = tsr_mul(slope->a, ct), .b = tsr_mul(slope->b, ct)};
	tsr_return(f, TSR_TREE(pair, &dp));
}
static tsr *power_of(tsr_fn *f, tsr *x)
{
	pair p = {.a = x, .b = tsr_exp(x)};
	tsr *count, *y;
	tsr_call_into(TSR_OUT(&count, &y), f, TSR_TREE(pair, &p), tsr_scalar(x, 3),
	              tsr_stop_gradient(tsr_cos(x)));
	return tsr_sum(tsr_mul(y, tsr_astype(count, TSR_F64)));
}
static tsr *power_jvp(tsr *x)
{
	return power_of(tsr_custom_jvp(x, power_body, power_rule, .nondiff = D(2),
	                               TSR_ENV((&(scale_env){3}))),
	                x);
}
static tsr *power_vjp(tsr *x)
{
	return power_of(tsr_custom_vjp(x, power_body, power_forward, power_backward,
	                               .nondiff = D(2), TSR_ENV((&(scale_env){3}))),
	                x);
}
static tsr *power_flat(tsr *x)
{
	const pair p = {.a = x, .b = tsr_exp(x)};
	tsr *s = tsr_stop_gradient(tsr_cos(x));
	return tsr_mul(tsr_sum(power_flat_of(&p, tsr_scalar(x, 3), s)), 4);
}

/* ---- weights that are one for a whole batch, and rules that take a value from outside */

static tsr *outer;
static tsr *weighted(tsr *x, tsr *w) { return tsr_mul(tsr_sin(x), tsr_mul(w, outer)); }
static tsr *weighted_flat(tsr *x, tsr *w)
{
	tsr *y = weighted(x, w);
	return like(y, tsr_mul(y, 2));
}
static void weighted_forward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *w = tsr_frame_arg(f, 1);
	tsr_return(f, weighted_flat(x, w), x, w);
}
static void weighted_backward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *w = tsr_frame_arg(f, 1), *ct = tsr_frame_arg(f, 2);
	tsr *c = tsr_mul(tsr_mul(ct, outer), 2);
	tsr_return(f, tsr_mul(tsr_mul(tsr_cos(x), w), c), tsr_mul(tsr_sin(x), c));
}
static void weighted_rule(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *w = tsr_frame_arg(f, 1);
	tsr *dx = tsr_mul(tsr_mul(tsr_cos(x), w), tsr_frame_arg(f, 2));
	tsr *dw = tsr_mul(tsr_sin(x), tsr_frame_arg(f, 3));
	tsr_return(f, weighted_flat(x, w), tsr_mul(tsr_add(dx, dw), tsr_mul(outer, 2)));
}
static tsr *weights_of(tsr_fn *f, tsr *x)
{
	tsr *rows = tsr_stack(0, x, tsr_mul(x, 2)), *w = tsr_exp(x);
	tsr_fn *all = tsr_vmap(x, f, .in = TSR_MAPPED(0, TSR_UNMAPPED));
	return tsr_sum(tsr_square(tsr_call(all, rows, w)));
}
static tsr *weights_vjp(tsr *x)
{
	outer = tsr_stop_gradient(tsr_cos(x));
	return weights_of(tsr_custom_vjp(x, weighted, weighted_forward, weighted_backward), x);
}
static tsr *weights_jvp(tsr *x)
{
	outer = tsr_stop_gradient(tsr_cos(x));
	return weights_of(tsr_custom_jvp(x, weighted, weighted_rule), x);
}
static tsr *weights_flat(tsr *x)
{
	outer = tsr_stop_gradient(tsr_cos(x));
	tsr *w = tsr_exp(x), *y[2];
	for (int k = 0; k < 2; k++) y[k] = weighted_flat(tsr_mul(x, k + 1), w);
	return tsr_sum(tsr_square(tsr_stack(0, y[0], y[1])));
}

/* ---- in a loop, a branch, a jit, a vmap */

static bool by_vjp;
static tsr *ruled(tsr *x) { return tsr_call(by_vjp ? sines_vjp(x) : sines_jvp(x), x); }
static tsr *loop_step(tsr *c, tsr *x) { return tsr_add(ruled(c), x); }
static tsr *choice(tsr *x) { return tsr_mul(ruled(x), 3); }
static tsr *same(tsr *x) { return x; }
static tsr *nest(tsr *x)
{
	tsr *c = tsr_scan(loop_step, x, tsr_broadcast_to(tsr_mul(x, 0.5), D(STEPS, N)));
	tsr *d = tsr_cond(tsr_gt(tsr_sum(x), 0.4), choice, same, c);
	return tsr_sum(tsr_mul(tsr_call(tsr_vmap(x, tsr_jit(x, ruled)), d), x));
}
static tsr *nest_jvp(tsr *x)
{
	by_vjp = false;
	return nest(x);
}
static tsr *nest_vjp(tsr *x)
{
	by_vjp = true;
	return nest(x);
}
static tsr *nest_flat(tsr *x)
{
	tsr *c = x;
	for (int k = 0; k < STEPS; k++) c = tsr_add(sines_flat(c), tsr_mul(x, 0.5));
	tsr *d = tsr_where(tsr_gt(tsr_sum(x), 0.4), tsr_mul(sines_flat(c), 3), c);
	return tsr_sum(tsr_mul(sines_flat(d), x));
}

/* ---- remat: of straight code with each policy, of loops and in loops, of itself and of rules */

static tsr *layer(tsr *x)
{
	tsr *m = tsr_mul(tsr_reshape(x, D(N, 1)), tsr_sin(tsr_reshape(x, D(1, N))));
	tsr *q = tsr_checkpoint_name(tsr_dot(tsr_tanh(m), tsr_exp(x)), "q");
	tsr *rows = tsr_matmul(tsr_reshape(m, D(N, 1, N)), tsr_reshape(tsr_exp(m), D(N, N, 1)));
	tsr *k = tsr_checkpoint_name(tsr_reshape(rows, D(N)), "k");
	return tsr_add(tsr_mul(tsr_sin(q), tsr_cos(k)), outer);
}
static tsr *layers(tsr *x, tsr_fn *f)
{
	outer = tsr_cos(x);
	for (int k = 0; k < 2; k++) x = tsr_call(f, x);
	return tsr_sum(x);
}
static tsr *layers_flat(tsr *x) { return layers(x, tsr_jit(x, layer)); }
static tsr *nothing_case(tsr *x) { return layers(x, tsr_remat(x, layer)); }
static tsr *dots_case(tsr *x) { return layers(x, tsr_remat(x, layer, .save = TSR_SAVE_DOTS)); }
static tsr *no_batch_case(tsr *x)
{
	return layers(x, tsr_remat(x, layer, .save = TSR_SAVE_DOTS_WITHOUT_BATCH));
}
static tsr *names_case(tsr *x) { return layers(x, tsr_remat(x, layer, .names = "q*k")); }
static tsr *twice_case(tsr *x)
{
	return layers(x, tsr_remat(x, tsr_remat(x, layer, .names = "k"), .names = "q"));
}

static tsr *carried(tsr *c, tsr *x) { return tsr_add(layer(c), tsr_mul(x, c)); }
static tsr *carried_again(tsr *c, tsr *x) { return tsr_call(tsr_remat(c, carried), c, x); }
static tsr *steps(tsr *x, body of_scan)
{
	outer = tsr_cos(x);
	return of_scan(x);
}
static tsr *many(tsr *x) { return tsr_broadcast_to(tsr_mul(x, 0.5), D(STEPS, N)); }
static tsr *plain_scan(tsr *x) { return tsr_sum(tsr_scan(carried, x, many(x))); }
static tsr *scan_of_remat(tsr *x) { return tsr_sum(tsr_scan(carried_again, x, many(x))); }
static tsr *remat_of_scan(tsr *x) { return tsr_call(tsr_remat(x, plain_scan), x); }
static tsr *in_scan(tsr *x) { return steps(x, scan_of_remat); }
static tsr *of_scan(tsr *x) { return steps(x, remat_of_scan); }
static tsr *scan_flat(tsr *x) { return steps(x, plain_scan); }

static tsr *branches(tsr *x)
{
	return tsr_sum(tsr_cond(tsr_gt(tsr_sum(x), 0.4), layer, two_sines, x));
}
static tsr *of_cond(tsr *x)
{
	outer = tsr_cos(x);
	return tsr_call(tsr_remat(x, branches), x);
}
static tsr *cond_flat(tsr *x)
{
	outer = tsr_cos(x);
	return branches(x);
}
static tsr *remat_of_rules(tsr *x)
{
	by_vjp = true;
	return tsr_call(tsr_remat(x, nest), x);
}
static tsr *guarded(tsr *x)
{
	tsr *y, *z;
	tsr_optimization_barrier_into(TSR_OUT(&y, &z), tsr_sin(x), tsr_cos(x));
	return tsr_sum(tsr_mul(tsr_optimization_barrier(tsr_mul(y, z)), x));
}
static tsr *guarded_flat(tsr *x) { return tsr_sum(tsr_mul(tsr_mul(tsr_sin(x), tsr_cos(x)), x)); }

typedef struct twin {
	const char *name;
	body ruled, flat;
	bool backward_only; /* its rules say no tangents */
} twin;
static const twin twins[] = {
	{"custom_jvp", jvp_case, rule_flat, false},
	{"custom_vjp", vjp_case, rule_flat, true},
	{"custom_jvp in its rule", grown_jvp, grown_flat, false},
	{"custom_jvp of a tree", power_jvp, power_flat, false},
	{"custom_vjp of a tree", power_vjp, power_flat, true},
	{"custom_jvp of weights", weights_jvp, weights_flat, false},
	{"custom_vjp of weights", weights_vjp, weights_flat, true},
	{"custom_jvp in control flow", nest_jvp, nest_flat, false},
	{"custom_vjp in control flow", nest_vjp, nest_flat, true},
	{"remat", nothing_case, layers_flat, false},
	{"remat saving dots", dots_case, layers_flat, false},
	{"remat saving dots without batch", no_batch_case, layers_flat, false},
	{"remat saving names", names_case, layers_flat, false},
	{"remat of remat", twice_case, layers_flat, false},
	{"remat in scan", in_scan, scan_flat, false},
	{"remat of scan", of_scan, scan_flat, false},
	{"remat of cond", of_cond, cond_flat, false},
	{"remat of rules", remat_of_rules, nest_flat, true},
	{"optimization_barrier", guarded, guarded_flat, false},
};

/* ---- transformations of one body */

typedef tsr_fn *transformation(tsr_ctx *, body);
static tsr_fn *reverse_forward(tsr_ctx *ctx, body f) { return tsr_jacrev(ctx, tsr_jacfwd(ctx, f)); }
static tsr_fn *again(tsr_ctx *ctx, body f) { return tsr_grad(ctx, tsr_remat(ctx, f)); }
static tsr_fn *again_twice(tsr_ctx *ctx, body f)
{
	return tsr_jacrev(ctx, tsr_remat(ctx, tsr_grad(ctx, tsr_remat(ctx, f))));
}
static const struct derivative {
	const char *name;
	transformation *of;
	bool forward;
} derivatives[] = {
	{"value", plain, false},
	{"grad", gradient, false},
	{"jvp", forward, true},
	{"hessian", curvature, false},
	{"jvp of jvp", forward_twice, true},
	{"grad of grad", reverse_twice, false},
	{"grad of jvp", reverse_forward, true},
	{"grad of remat", again, false},
	{"grad of remat of grad of remat", again_twice, false},
};
#define EACH(T, t, list) for (const T *t = list; t < list + sizeof list / sizeof *list; t++)

static void check_derivatives(bool batch)
{
	tsr_ctx *ctx = tsr_open();

	EACH(twin, t, twins)
	EACH(struct derivative, d, derivatives)
	{
		TSR_SCOPE(ctx);
		if ((d->forward && t->backward_only) || is_left_out()) continue;
		tsr_fn *f = d->of(ctx, t->ruled), *g = d->of(ctx, t->flat);
		if (batch) f = tsr_vmap(ctx, f);
		if (batch) g = tsr_vmap(ctx, g);
		for (int k = 0; k < (batch ? 1 : 2); k++) {
			tsr *x = batch ? points(ctx) : point(ctx, k);
			assert_true(close_to(d->name, t->name, tsr_call(f, x), tsr_call(g, x)));
		}
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void alone(void **state)
{
	(void)state;
	check_derivatives(false);
}

static void in_batches(void **state)
{
	(void)state;
	check_derivatives(true);
}

/* derivatives of a whole batch: weights that are one for all get the sum */
static body of_each;
static tsr *one_of_batch(tsr *x, tsr *w) { return of_each(tsr_mul(x, w)); }
static tsr *sum_of_batch(tsr *x, tsr *w)
{
	tsr_fn *f = tsr_vmap(x, one_of_batch, .in = TSR_MAPPED(0, TSR_UNMAPPED));
	return tsr_sum(tsr_call(f, x, w));
}

static void of_batches(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	EACH(twin, t, twins)
	{
		tsr *got[2], *want[2], *x = points(ctx), *w = tsr_add(point(ctx, 1), 1);
		of_each = t->ruled;
		tsr_fn *ruled_fn = tsr_grad(ctx, tsr_jit(ctx, sum_of_batch, TSR_ENV(&of_each)),
		                            .wrt = D(0, 1));
		tsr_call_into(TSR_OUT(&got[0], &got[1]), ruled_fn, x, w);
		of_each = t->flat;
		tsr_fn *flat_fn = tsr_grad(ctx, tsr_jit(ctx, sum_of_batch, TSR_ENV(&of_each)),
		                           .wrt = D(0, 1));
		tsr_call_into(TSR_OUT(&want[0], &want[1]), flat_fn, x, w);
		for (int k = 0; k < 2; k++)
			assert_true(close_to("grad of vmap", t->name, got[k], want[k]));
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- on a mesh, by the user's maps and by automatic mode */

static body on_block;
static tsr *block_and_sum(tsr *x) { return tsr_psum(on_block(x), "x"); }

static void on_devices(void **state)
{
	(void)state;
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_ctx *ctx = tsr_open(.devices = DEVICES);
		tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", DEVICES});
		tsr *x = tsr_concatenate(0, point(ctx, 0), point(ctx, 1));
		EACH(twin, t, twins)
		EACH(struct derivative, d, derivatives)
		{
			TSR_SCOPE(ctx);
			if ((d->forward && t->backward_only) || is_left_out()) continue;
			tsr *y[2];
			for (int flat = 0; flat < 2; flat++) {
				on_block = flat ? t->flat : t->ruled;
				tsr_fn *f =
					tsr_shard_map(mesh, block_and_sum, .sig = "[x] -> []",
				                      .unchecked = unchecked, TSR_ENV(&on_block));
				tsr_fn *g = tsr_jit(ctx, f);
				y[flat] = tsr_call(d->of == plain      ? g
				                   : d->of == gradient ? tsr_grad(ctx, g)
				                   : d->of == forward  ? tsr_jacfwd(ctx, g)
				                   : d->of == curvature
				                           ? tsr_hessian(ctx, g)
				                           : tsr_grad(ctx, tsr_remat(ctx, g)),
				                   x);
			}
			assert_true(close_to(d->name, t->name, y[0], y[1]));
		}
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

static void where_it_is_cut(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = DEVICES);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", DEVICES});

	(void)state;
	EACH(twin, t, twins)
	EACH(struct derivative, d, derivatives)
	{
		TSR_SCOPE(ctx);
		if ((d->forward && t->backward_only) || is_left_out()) continue;
		tsr *x = points(ctx), *cut = tsr_put(x, mesh, TSR_P("x"));
		tsr_fn *f = tsr_vmap(ctx, d->of(ctx, t->ruled));
		assert_true(close_to(d->name, t->name, tsr_call(f, cut), tsr_call(f, x)));
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* as many derivatives as there are rules within rules; the fn is then as it was */
static void three_derivatives(void **state)
{
	const body f[] = {grown_flat, grown_jvp, grown_vjp};
	tsr_ctx *ctx = tsr_open();
	tsr *x = point(ctx, 0), *y[3];

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (int k = 0; k < 3; k++) {
			tsr_fn *back = tsr_jacrev(ctx, tsr_jacrev(ctx, tsr_jacrev(ctx, f[k])));
			y[k] = tsr_call(round ? tsr_grad(ctx, f[k]) : back, x);
		}
		assert_true(close_to("three derivatives", "custom_jvp", y[1], y[0]));
		assert_true(close_to("three derivatives", "custom_vjp", y[2], y[0]));
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alone),           cmocka_unit_test(in_batches),
		cmocka_unit_test(of_batches),      cmocka_unit_test(on_devices),
		cmocka_unit_test(where_it_is_cut), cmocka_unit_test(three_derivatives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
