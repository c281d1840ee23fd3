/* test_compose_jax.c - transformations around control flow, maps and random numbers, many at a
 * time, as users stack them: programs that once were hard to get right, with the numbers of JAX
 * 0.10.2 for the same in Python (64-bit types on; maps of maps are vmaps there). */
#include "support/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS
#define P TSR_P
#define MAPPED TSR_MAPPED
#define WHOLE TSR_UNMAPPED

/* f64 from .. from + (n - 1) / 8 */
static tsr *row(tsr_ctx *ctx, int64_t n, double from)
{
	return tsr_arange(ctx, n, .start = from, .step = 0.125, .dtype = TSR_F64);
}
static tsr *grid(tsr_ctx *ctx, int64_t m, int64_t n, double from)
{
	return tsr_reshape(row(ctx, m * n, from), D(m, n));
}
static tsr *keys(tsr_ctx *ctx, int64_t n) { return tsr_split_keys(tsr_key(ctx, 7), D(n)); }
static tsr *number(tsr *x) { return tsr_uniform(x, D(), .dtype = TSR_F64); }
static tsr *normal(tsr *x) { return tsr_normal(x, D(), .dtype = TSR_F64); }
static tsr *real(tsr *x) { return tsr_astype(x, TSR_F64); }

/* ---- trials until one is small enough, each element of a batch with its key and its limit */

static tsr *limit;
static tsr *too_large(tsr *key, tsr *x, tsr *n)
{
	(void)key, (void)n;
	return tsr_gt(x, limit);
}
static void trial(tsr_frame *f)
{
	tsr *part[2], *n = tsr_frame_arg(f, 2);
	tsr_split_key(tsr_frame_arg(f, 0), part, 2);
	tsr_return(f, part[0], number(part[1]), tsr_add(n, 1));
}
static tsr *trials(tsr *key, tsr *most)
{
	tsr *x, *n;
	limit = most;
	tsr_while_into(TSR_OUT(&key, &x, &n), too_large, trial, key, tsr_mul(most, 2),
	               tsr_zeros(key, D(), .dtype = TSR_I32));
	return tsr_add(tsr_mul(x, most), real(n));
}
static tsr *rejection(tsr_ctx *ctx)
{
	return tsr_call(tsr_vmap(ctx, trials), keys(ctx, 5), row(ctx, 5, 0.125));
}
/* tangents go by the limit, and by the start where no trial was made */
static tsr *trials_grow(tsr *key, tsr *most)
{
	tsr *y, *dy;
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(key, trials, .wrt = D(1)), key, most,
	              tsr_ones(most, D(), .dtype = TSR_F64));
	return tsr_add(y, tsr_mul(dy, 100));
}
static tsr *rejection_slope(tsr_ctx *ctx)
{
	return tsr_call(tsr_vmap(ctx, trials_grow), keys(ctx, 5), row(ctx, 5, 0.125));
}

/* ---- the gradient of a mean over keys of a walk whose steps are drawn */

static tsr *walk_key, *walk_scale;
static tsr *walk_step(tsr *x, tsr *i)
{
	tsr *noise = normal(tsr_fold_in(walk_key, i));
	return tsr_add(x, tsr_mul(tsr_mul(walk_scale, noise), tsr_sin(x)));
}
static tsr *walk(tsr *key, tsr *scale)
{
	walk_key = key;
	walk_scale = scale;
	return tsr_scan(walk_step, tsr_add(scale, 1), tsr_arange(key, 4, .dtype = TSR_I32));
}
static tsr *mean_walk(tsr *scale, tsr *all)
{
	return tsr_mean(tsr_call(tsr_vmap(scale, walk, .in = MAPPED(0, WHOLE)), all, scale));
}
static tsr *walk_slopes(tsr_ctx *ctx)
{
	tsr *g[2], *scale = tsr_full(ctx, D(), 0.75, .dtype = TSR_F64);
	g[0] = tsr_call(tsr_grad(ctx, mean_walk), scale, keys(ctx, 6));
	g[1] = tsr_call(tsr_hessian(ctx, tsr_remat(ctx, mean_walk)), scale, keys(ctx, 6));
	return tsr_stack(0, g[0], g[1]);
}

/* ---- the gradient of a remat of a pmap, by what all devices have */

static tsr *on_device(tsr *w, tsr *x)
{
	return tsr_mul(tsr_psum(tsr_sum(tsr_sin(tsr_mul(x, w))), "i"), x);
}
static tsr *of_devices(tsr *w, tsr *x)
{
	tsr_fn *f = tsr_pmap(w, on_device, .axis = "i", .in = MAPPED(WHOLE, 0));
	return tsr_sum(tsr_square(tsr_call(f, w, x)));
}
static tsr *remat_of_pmap(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_grad(ctx, tsr_remat(ctx, of_devices));
	return tsr_call(f, row(ctx, 3, 0.5), grid(ctx, 4, 3, -0.5));
}

/* ---- a scan of pmaps inside each other, with sums over the axes of one and of both */

static tsr *cell(tsr *c, tsr *x)
{
	tsr *both = tsr_psum(tsr_mul(c, x), "rows*cols"), *own = tsr_pmean(c, "cols");
	tsr *at = real(tsr_axis_index(c, "rows"));
	return tsr_add(tsr_mul(c, 0.5), tsr_sub(tsr_mul(both, 0.125), tsr_mul(own, at)));
}
static tsr *cells(tsr *c, tsr *x) { return tsr_call(tsr_pmap(c, cell, .axis = "cols"), c, x); }
static tsr *grids(tsr *c, tsr *x)
{
	return tsr_sin(tsr_call(tsr_pmap(c, cells, .axis = "rows"), c, x));
}
static tsr *scanned(tsr *c, tsr *xs) { return tsr_sum(tsr_square(tsr_scan(grids, c, xs))); }
static tsr *scan_of_pmaps(tsr_ctx *ctx)
{
	tsr *xs = tsr_reshape(row(ctx, 24, -1), D(3, 2, 4));
	return tsr_call(tsr_grad(ctx, scanned), grid(ctx, 2, 4, 0.25), xs);
}

/* ---- a choice that each element makes, with a sum over the batch in one branch: of all elements,
 * also in its derivative, where JAX leaves out those that chose the other one */

static tsr *of_all(tsr *x) { return tsr_psum(tsr_sin(x), "b"); }
static tsr *alone(tsr *x) { return tsr_square(x); }
static tsr *choice(tsr *x)
{
	tsr *most = tsr_pmax(tsr_stop_gradient(x), "b");
	return tsr_mul(tsr_cond(tsr_gt(x, 0.0), of_all, alone, x), most);
}
static tsr *chosen(tsr *x) { return tsr_call(tsr_vmap(x, choice, .axis = "b"), x); }
static tsr *choices(tsr_ctx *ctx)
{
	tsr *x = row(ctx, 5, -0.25);
	return tsr_concatenate(0, tsr_call(tsr_jit(ctx, chosen), x),
	                       tsr_ravel(tsr_call(tsr_jacrev(ctx, chosen), x)));
}

/* ---- a rule of one's own in a scan, of an integer, a key and what is differentiated */

static tsr *noisy(tsr *x, tsr *n, tsr *key)
{
	return tsr_mul(tsr_add(x, normal(key)), real(n));
}
static void noisy_forward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *n = tsr_frame_arg(f, 1), *key = tsr_frame_arg(f, 2);
	tsr_return(f, noisy(x, n, key), n, key);
}
static tsr *noisy_backward(tsr *n, tsr *key, tsr *ct)
{
	return tsr_mul(tsr_mul(ct, real(n)), tsr_add(number(key), 1));
}
static tsr *draw_key;
static tsr *noisy_step(tsr *x, tsr *n)
{
	tsr_fn *f = tsr_custom_vjp(x, noisy, noisy_forward, noisy_backward);
	return tsr_sin(tsr_call(f, x, n, tsr_fold_in(draw_key, n)));
}
static tsr *noisy_walk(tsr *x, tsr *key)
{
	draw_key = key;
	return tsr_scan(noisy_step, x, tsr_arange(x, 4, .start = 1, .dtype = TSR_I32));
}
static tsr *noisy_sum(tsr *x, tsr *all)
{
	return tsr_sum(tsr_square(tsr_call(tsr_vmap(x, noisy_walk), x, all)));
}
static tsr *ruled_walk(tsr_ctx *ctx)
{
	return tsr_call(tsr_grad(ctx, tsr_remat(ctx, noisy_sum)), row(ctx, 4, -0.5), keys(ctx, 4));
}

/* ---- second derivatives of a loop with a choice, and a rule in one branch */

static tsr *half_sine(tsr *x) { return tsr_mul(tsr_sin(x), 0.5); }
static tsr *half_sine_ruled(tsr *x);
static void half_sine_rule(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);
	tsr_return(f, half_sine_ruled(x), tsr_mul(tsr_mul(tsr_cos(x), tsr_frame_arg(f, 1)), 2));
}
static tsr *half_sine_ruled(tsr *x)
{
	return tsr_call(tsr_custom_jvp(x, half_sine, half_sine_rule), x);
}
static tsr *ruled(tsr *c, tsr *x) { return tsr_mul(half_sine_ruled(c), x); }
static tsr *unruled(tsr *c, tsr *x) { return tsr_exp(tsr_mul(c, x)); }
static tsr *branching_step(tsr *c, tsr *x)
{
	return tsr_cond(tsr_lt(c, 0.5), unruled, ruled, c, x);
}
static tsr *branching(tsr *xs)
{
	return tsr_scan(branching_step, tsr_mul(tsr_index(xs, 0, 0), 2), xs);
}
static tsr *curvatures(tsr_ctx *ctx)
{
	return tsr_call(tsr_vmap(ctx, tsr_hessian(ctx, branching)), grid(ctx, 2, 3, -0.25));
}

/* ---- samplers of batches of keys, and what gamma numbers depend on */

static tsr *shuffled(tsr *key, tsr *x)
{
	tsr *order = tsr_permutation(key, x), *logits = tsr_mul(x, 3);
	tsr *class = real(tsr_categorical(key, logits));
	tsr *few = tsr_choice(key, x, D(2), .no_replace = true);
	return tsr_concatenate(0, order, few, tsr_reshape(class, D(1)));
}
static tsr *samples(tsr_ctx *ctx)
{
	return tsr_call(tsr_vmap(ctx, shuffled), keys(ctx, 3), grid(ctx, 3, 4, -1));
}
static tsr *gamma_of(tsr *a, tsr *key)
{
	return tsr_sum(tsr_log(tsr_random_gamma(key, a, .dims = D(3), .dtype = TSR_F64)));
}
static tsr *gamma_slopes(tsr_ctx *ctx)
{
	return tsr_call(tsr_vmap(ctx, tsr_grad(ctx, gamma_of)), row(ctx, 4, 0.5), keys(ctx, 4));
}

/* ---- devices that take different numbers of steps, with a batch on each, and meet behind */

static tsr *last;
static tsr *below(tsr *x, tsr *n)
{
	(void)x;
	return tsr_lt(n, last);
}
static void double_step(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *n = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_add(tsr_mul(x, 1.5), tsr_sin(real(n))), tsr_add(n, 1));
}
static tsr *as_long(tsr *x, tsr *most)
{
	tsr *n;
	last = tsr_add(most, tsr_axis_index(x, "i"));
	tsr_while_into(TSR_OUT(&x, &n), below, double_step, x, tsr_mul(most, 0));
	return tsr_add(x, real(n));
}
static tsr *then_meet(tsr *x, tsr *most)
{
	tsr *y = tsr_call(tsr_vmap(x, as_long), x, most);
	return tsr_add(tsr_ppermute(y, "i", TSR_SHIFT(1)), tsr_psum(y, "i"));
}
static tsr *uneven_steps(tsr_ctx *ctx)
{
	tsr *most = tsr_from(ctx, ((int[]){0, 2, 1, 3, 3, 0, 1, 1}), TSR_I32, D(4, 2));
	return tsr_call(tsr_pmap(ctx, then_meet, .axis = "i"), grid(ctx, 4, 2, -0.5), most);
}

/* ---- forward over reverse of a scan of a remat that keeps products, in a batch */

static tsr *dense(tsr *h, tsr *w) { return tsr_tanh(tsr_dot(w, tsr_sin(h))); }
static tsr *deep(tsr *ws, tsr *h)
{
	tsr_fn *layer = tsr_remat(ws, dense, .save = TSR_SAVE_DOTS);
	return tsr_sum(tsr_square(tsr_scan(layer, h, ws)));
}
static tsr *deep_turn(tsr *ws, tsr *h)
{
	tsr *g, *dg;
	tsr_call_into(TSR_OUT(&g, &dg), tsr_jvp(ws, tsr_grad(ws, deep), .wrt = D(1)), ws, h,
	              tsr_cos(h));
	return tsr_sum(tsr_add(g, tsr_mul(dg, 10)), .dims = D(0));
}
static tsr *deep_turns(tsr_ctx *ctx)
{
	tsr *ws = tsr_reshape(row(ctx, 12, -0.75), D(3, 2, 2));
	tsr_fn *f = tsr_vmap(ctx, deep_turn, .in = MAPPED(WHOLE, 0));
	return tsr_call(f, ws, grid(ctx, 2, 2, 0.25));
}

/* ---- a loop around an exchange between devices that draw their own numbers */

static tsr *ring_key;
static tsr *ring_step(tsr *x, tsr *i)
{
	tsr *own = tsr_fold_in(tsr_fold_in(ring_key, i), tsr_axis_index(x, "x"));
	tsr *next = tsr_ppermute(tsr_sin(x), "x", TSR_SHIFT(1));
	return tsr_add(tsr_mul(next, number(own)), tsr_mul(x, 0.25));
}
static tsr *ring_body(tsr *x, tsr *key)
{
	ring_key = key;
	return tsr_scan(ring_step, x, tsr_arange(x, 3, .dtype = TSR_I32));
}
static tsr *ring(tsr *x, tsr *key)
{
	tsr_mesh *mesh = tsr_mesh_make(tsr_ctx_of(x), {"x", 4});
	tsr_fn *f = tsr_shard_map(mesh, ring_body, .in = TSR_SPECS(P("x"), P()),
	                          .out = TSR_SPECS(P("x")));
	return tsr_sum(tsr_square(tsr_call(f, x, key)));
}
static tsr *ring_curvature(tsr_ctx *ctx)
{
	tsr *x = row(ctx, 8, -0.5), *key = tsr_key(ctx, 3);
	return tsr_sum(tsr_call(tsr_hessian(ctx, ring), x, key), .dims = D(0));
}
static tsr *ring_slopes(tsr_ctx *ctx)
{
	return tsr_call(tsr_vmap(ctx, tsr_grad(ctx, ring)), grid(ctx, 3, 8, -1), keys(ctx, 3));
}

/* ---- running products of matrices from the end, each with its gradient */

static tsr *after(tsr *a, tsr *b) { return tsr_matmul(b, a); }
static tsr *chain(tsr *m)
{
	tsr *all = tsr_associative_scan(after, m, .reverse = true);
	return tsr_sum(tsr_sin(tsr_index(all, 0, 0)));
}
static tsr *chains(tsr_ctx *ctx)
{
	tsr *m = tsr_reshape(row(ctx, 24, -1), D(2, 3, 2, 2));
	return tsr_call(tsr_vmap(ctx, tsr_grad(ctx, chain)), m);
}

/* ---- two names of batches, in the carry of a loop */

static tsr *named_step(tsr *c, tsr *x)
{
	tsr *rows = tsr_all_gather(tsr_mul(c, x), "j");
	tsr *total = tsr_psum(c, "i*j");
	return tsr_add(tsr_sum(tsr_cumsum(rows)), tsr_mul(tsr_sin(total), x));
}
static tsr *named_loop(tsr *c) { return tsr_scan(named_step, c, row(tsr_ctx_of(c), 3, 0.25)); }
static tsr *named_rows(tsr *c) { return tsr_call(tsr_vmap(c, named_loop, .axis = "j"), c); }
static tsr *named(tsr *c)
{
	return tsr_sum(tsr_square(tsr_call(tsr_vmap(c, named_rows, .axis = "i"), c)));
}
static tsr *named_batches(tsr_ctx *ctx)
{
	return tsr_call(tsr_grad(ctx, named), grid(ctx, 2, 3, -0.25));
}

/* ---- a switch by each element whose branches keep different things */

static tsr *keeps_two(tsr *x, tsr *w) { return tsr_mul(tsr_tanh(x), tsr_exp(w)); }
static tsr *keeps_none(tsr *x, tsr *w) { return tsr_add(x, w); }
static tsr *keeps_loop(tsr *x, tsr *w)
{
	tsr *ws = tsr_mul(w, row(tsr_ctx_of(x), 3, 0.5));
	return tsr_scan(keeps_two, x, ws);
}
static tsr *switched(tsr *x, tsr *w, tsr *i)
{
	return tsr_switch(i, TSR_BRANCHES(keeps_two, keeps_none, keeps_loop), x, w);
}
static tsr *switched_all(tsr *x, tsr *w, tsr *i)
{
	tsr_fn *each = tsr_vmap(x, switched, .in = MAPPED(0, WHOLE, 0));
	return tsr_sum(tsr_square(tsr_call(each, x, w, i)));
}
static tsr *switches(tsr_ctx *ctx)
{
	tsr *i = tsr_from(ctx, ((int[]){0, 2, 1, 2, -3, 9}), TSR_I32, D(6)), *dx, *dw;
	tsr_fn *f = tsr_grad(ctx, switched_all, .wrt = D(0, 1));
	tsr_call_into(TSR_OUT(&dx, &dw), f, row(ctx, 6, -0.25),
	              tsr_full(ctx, D(), 0.5, .dtype = TSR_F64), i);
	return tsr_concatenate(0, dx, tsr_reshape(dw, D(1)));
}

/* ---- sorted elements in a loop of a batch, and the largest ones' places */

static tsr *sorting_step(tsr *c, tsr *x)
{
	tsr *best[2], *y = tsr_sort(tsr_mul(c, x));
	tsr_top_k(tsr_sin(y), 2, best);
	return tsr_add(tsr_cumlogsumexp(y), tsr_sum(tsr_take(tsr_square(y), 0, best[1])));
}
static tsr *sorting(tsr *c, tsr *xs) { return tsr_sum(tsr_scan(sorting_step, c, xs)); }
static tsr *sortings(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_vmap(ctx, tsr_grad(ctx, sorting), .in = MAPPED(0, WHOLE));
	tsr *xs = tsr_sin(tsr_mul(grid(ctx, 2, 4, 1), 5));
	return tsr_call(f, tsr_cos(tsr_mul(grid(ctx, 2, 4, 1), 3)), xs);
}

/* ---- each element has its own number of steps */

static tsr *fori_step(tsr *i, tsr *x) { return tsr_add(tsr_sin(x), tsr_mul(real(i), 0.25)); }
static tsr *steps(tsr *n, tsr *x) { return tsr_fori(1, n, fori_step, x); }
static tsr *own_steps(tsr_ctx *ctx)
{
	tsr *n = tsr_from(ctx, ((int[]){0, 1, 4, 2}), TSR_I32, D(4));
	tsr *x = row(ctx, 4, 0.5), *y, *dy;
	tsr_fn *f = tsr_vmap(ctx, tsr_jvp(ctx, steps, .wrt = D(1)));
	tsr_call_into(TSR_OUT(&y, &dy), f, n, x, tsr_add(tsr_mul(x, 0), 1));
	return tsr_concatenate(0, y, dy);
}

/* ---- what JAX has for them */

#define CASE(name, tolerance, ...) \
	{#name, name, tolerance, \
	 sizeof((double _Complex[]){__VA_ARGS__}) / sizeof(double _Complex), \
	 (const double _Complex[]){__VA_ARGS__}}
static const struct program {
	const char *name;
	tsr *(*make)(tsr_ctx *);
	double tolerance;
	size_t n;
	const double _Complex *want;
} programs[] = {
	CASE(rejection, 1e-12,
	     9.005740591662692, 5.060210796290477, 4.097297855693579, 2.192863799895842,
	     3.117365178125887),
	CASE(rejection_slope, 1e-12,
	     13.59821392181547, 29.14452931248107, 30.04339270731476, 40.76562377906418,
	     21.89579367826775),
	CASE(walk_slopes, 1e-12,
	     1.863975783705759, -0.6917840512000297),
	CASE(remat_of_pmap, 1e-12,
	     1.808694244558311, 5.181368086185675, 8.032911440026059),
	CASE(scan_of_pmaps, 1e-12,
	     0.1068171992828435, 0.03795585941370275, -0.03072107232082477, -0.09874613441868021,
	     0.2080915426955249, 0.1519832673498927, 0.09275392347078851, 0.03077591844880646),
	CASE(choices, 1e-12,
	     0.015625, 0.00390625, 0, 0, 0, -0.125, 0, 0, 0, 0, 0, -0.0625, 0, 0, 0, 0, 0, 0, 0, 0,
	     0.2422281054276612, 0.2480494168073323, 0.25, 0.2480494168073323, 0.2422281054276612,
	     0.2422281054276612, 0.2480494168073323, 0.25, 0.2480494168073323, 0.2422281054276612),
	CASE(ruled_walk, 1e-12,
	     11.02712094378522, 38.30763193985658, 20.64391730361349, 41.75973461575319),
	CASE(curvatures, 1e-12,
	     0, 0, 0.1200599677393602, 0, 0, 0.4528755114674833, 0.1200599677393602,
	     0.4528755114674833, 0.003204628576358353, 0.3973496150664469, 0.2150766788750654,
	     0.143384452583377, 0.2150766788750654, 0.0269553817677626, 0.464681467137952,
	     0.143384452583377, 0.464681467137952, 0.01198016967456116),
	CASE(samples, 1e-12,
	     -0.875, -0.75, -0.625, -1, -0.875, -0.75, 3, -0.5, -0.375, -0.25, -0.125, -0.5, -0.375,
	     2, 0.375, 0.25, 0.125, 0, 0.375, 0.25, 3),
	CASE(gamma_slopes, 1e-9,
	     7.432553778096113, 6.977837995185783, 9.695507467189389, 4.261509707865546),
	CASE(uneven_steps, 1e-12,
	     28.44773401390652, 30.47963206196426, 19.28373314979036, 23.180539682656,
	     22.06270413459826, 27.94838206196426, 29.12449445065667, 24.305539682656),
	CASE(deep_turns, 1e-12,
	     -0.8499736661548738, -0.8796867476933294, -0.7463067642161967, -1.047265409716108,
	     -0.5281011143810224, -0.648212859832022, -0.5417870914092958, -0.9412406626966954),
	CASE(ring_curvature, 1e-12,
	     0.08881043580746191, 0.09750153566047087, 0.2281289276773428, 0.2406320336962281,
	     0.2289607091665803, 0.2245443471589821, 0.1227533624657461, 0.1123846284851097),
	CASE(ring_slopes, 1e-12,
	     -0.1330263662531762, -0.1163882719179727, -0.3309870663041573, -0.3281035353941117,
	     -0.4264041887636248, -0.3968183277998258, -0.3297453987212406, -0.283354124580307,
	     0.0874866344162763, 0.1255948672597512, 0.08383315088542642, 0.120145815523446,
	     0.03406851312568559, 0.04758491228669963, 0.03025539614533416, 0.03813796922052602,
	     0.2771397835057743, 0.2194107016843214, 0.2090060123203017, 0.1612874771027646,
	     0.1999628195323633, 0.1757452543790515, 0.02971196650700952, 0.01933663655117869),
	CASE(chains, 1e-12,
	     -0.2887488032701342, -0.1062847459365408, -0.2924004804273627, -0.1076734214894779,
	     -0.2122810902811652, -1.071756315866863, -0.1819184809908857, -0.9185233670214036,
	     1.242594014095482, 1.212961323106432, 0.8387535295594247, 0.8187617518343814,
	     -0.8993502964312589, -1.109998887729718, 6.643629099954188, 8.200034369590806,
	     1.966894222816357, 2.281024403496582, 2.278520471815147, 2.642276493666872,
	     1.458552315051478, 1.616748516928045, 1.619397936877647, 1.794845996367851),
	CASE(named_batches, 1e-12,
	     -57.61055970185268, -38.40008741813865, -19.18961513442463, 57.71951842314732,
	     38.48663133186135, 19.25374424057537),
	CASE(switches, 1e-12,
	     -1.251644716411269, -1.450895160012046, 1, 1.450895160012046, 1.251644716411269,
	     2.010269065867513, 4.249620057203443),
	CASE(sortings, 1e-12,
	     -42.87054366048542, -19.77141877465017, -0.3506055932415263, 4.804437527390164,
	     -6.658447060710714, -3.479068174179179, -0.1736064983756194, 6.292371692329887),
	CASE(own_steps, 1e-12,
	     0.5, 0.625, 1.714250045951812, 1.017543502236027, 1, 1, 0.1156610780588001,
	     0.6409968581633251),
};

/* as calls, and as one program */
static void as_in_jax(void **state)
{
	tsr_ctx *ctx = *state;

	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		const struct program *p = &programs[i];
		TSR_SCOPE(ctx);
		near_at(p->name, tsr_ravel(p->make(ctx)), p->want, p->n, p->tolerance);
		tsr *y = tsr_call(tsr_jit(ctx, p->make));
		near_at(p->name, tsr_ravel(y), p->want, p->n, p->tolerance);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(as_in_jax, near_open, near_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
