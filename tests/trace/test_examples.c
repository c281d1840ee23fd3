/* test_examples.c - the examples at the heads of src/trace and src/runtime: a few lines of C and
 * their program, as tsr_fn_text() prints it, or their results.
 *
 * Each section below is named after a source, and ends with a function that gives the text. The
 * lines of the head are in the section, in their order, so that what the head shows is what is
 * compiled here (support/sections.h).
 *
 *     test_examples [FILE ...]       prints the texts, of these files only
 *
 * cmocka.h comes last: it makes fail() a macro. */
#include "support/quiet.h"
#include "support/sections.h"
#include <tsr/tsr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define HERE "tests/trace/test_examples.c"

static char answer[1024];

/* what went wrong, which is forgotten then */
static const char *message_of(tsr_ctx *ctx)
{
	snprintf(answer, sizeof answer, "%s", tsr_message(ctx));
	tsr_clear(ctx);
	return answer;
}

/* ---- src/trace/bind.c */

static tsr *kept;
static tsr *keeps(tsr *x) { return kept = tsr_sin(x); }
static const char *of_bind(tsr_ctx *ctx, tsr *x)
{
	tsr *y;
	tsr_call(tsr_jit(ctx, keeps), x);
	y = tsr_neg(tsr_add(x, kept));
	return tsr_is_poison(y) ? message_of(ctx) : "";
}

/* ---- src/trace/body.c */

static const char *of_body(tsr_ctx *ctx, tsr *x)
{
	tsr_call(tsr_jit(ctx, tsr_add), x);
	return message_of(ctx);
}

/* ---- src/trace/body_memory.c */

static jmp_buf before;
static tsr *jumps(tsr *x)
{
	longjmp(before, 1);
	return x;
}
static tsr *calls_it(tsr *x) { return tsr_call(tsr_jit(x, jumps), x); }
static size_t held_after_jump(tsr_ctx *ctx, tsr *x)
{
	if (!setjmp(before)) tsr_call(tsr_jit(ctx, calls_it), x);
	assert_int_equal(tsr_status(ctx), TSR_ERROR_ARGUMENT);
	tsr_clear(ctx);
	return tsr_memory(ctx).in_use;
}
static const char *of_body_memory(tsr_ctx *ctx, tsr *x)
{
	const size_t once = held_after_jump(ctx, x), again = held_after_jump(ctx, x);
	snprintf(answer, sizeof answer, "%zu bytes more", again - once);
	return answer;
}

/* ---- src/trace/dims.c */

static const char *of_dims(tsr_ctx *ctx, tsr *x)
{
	static tsr_dims none;
	tsr *y = tsr_zeros(ctx, none);
	(void)x;
	return tsr_is_poison(y) ? message_of(ctx) : "";
}

/* ---- src/trace/frame.c */

static void swap(tsr_frame *f) { tsr_return(f, tsr_frame_arg(f, 1), tsr_frame_arg(f, 0)); }
static const char *of_frame(tsr_ctx *ctx, tsr *x)
{
	return tsr_fn_text(tsr_jit(ctx, swap), x, 2.f);
}

/* ---- src/trace/tracing.c */

static int runs;
static tsr *factor;
static tsr *scaled_by(tsr *x)
{
	runs++;
	return tsr_mul(x, factor);
}
static const char *of_tracing(tsr_ctx *ctx, tsr *x)
{
	tsr *one = tsr_ones(ctx, TSR_DIMS());
	factor = tsr_scalar(ctx, 2.f);
	tsr_fn *f = tsr_jit(ctx, scaled_by, .captures = TSR_LEAVES(&factor, 1));
	tsr *y = tsr_call(f, one);
	factor = tsr_scalar(ctx, 3.f);
	tsr *u = tsr_call(f, one);
	(void)x;
	snprintf(answer, sizeof answer, "y = %g, u = %g, runs = %d", tsr_item(y), tsr_item(u),
	         runs);
	return answer;
}

/* ---- src/trace/control/branch.c */

static tsr *w;
static tsr *scaled(tsr *x) { return tsr_mul(x, w); }
static tsr *same(tsr *x) { return x; }
static tsr *choose(tsr *x)
{
	w = tsr_sin(x);
	return tsr_cond(tsr_gt(tsr_sum(x), 0), scaled, same, x);
}
static const char *of_branch(tsr_ctx *ctx, tsr *x) { return tsr_fn_text(tsr_jit(ctx, choose), x); }

/* ---- src/trace/control/control.c */

static tsr *more(tsr *n) { return tsr_lt(n, 3); }
static tsr *next(tsr *n) { return tsr_add(n, 1); }
static tsr *counted(tsr *x) { return tsr_mul(x, tsr_while(more, next, tsr_scalar(x, 0))); }
static const char *of_control(tsr_ctx *ctx, tsr *x)
{
	return tsr_fn_text(tsr_jit(ctx, counted), x);
}

/* ---- src/trace/control/fori.c */

static tsr *plus(tsr *i, tsr *x) { return tsr_add(x, i); }
static tsr *thrice(tsr *x) { return tsr_fori(0, 3, plus, x); }
static const char *of_fori(tsr_ctx *ctx, tsr *x) { return tsr_fn_text(tsr_jit(ctx, thrice), x); }

/* ---- src/trace/control/loop.c */

static tsr *add(tsr *sum, tsr *x) { return tsr_add(sum, x); }
static tsr *total(tsr *x) { return tsr_scan(add, 0.0, tsr_astype(x, TSR_BF16)); }
static const char *of_loop(tsr_ctx *ctx, tsr *x) { return tsr_fn_text(tsr_jit(ctx, total), x); }

/* ---- src/trace/control/map_batched.c */

static tsr *square(tsr *x) { return tsr_mul(x, x); }
static tsr *in_batches(tsr *x) { return tsr_map_batched(3, square, x); }
static const char *of_map_batched(tsr_ctx *ctx, tsr *x)
{
	(void)x;
	return tsr_fn_text(tsr_jit(ctx, in_batches), tsr_zeros(ctx, TSR_DIMS(7)));
}

/* ---- src/trace/control/scan.c */

static void running(tsr_frame *f)
{
	tsr *sum = tsr_add(tsr_frame_arg(f, 0), tsr_frame_arg(f, 1));
	tsr_return(f, sum, sum);
}
static void sums(tsr_frame *f)
{
	tsr *last, *all, *x = tsr_frame_arg(f, 0);
	tsr_scan_into(TSR_OUT(&last, &all), running, tsr_scalar(x, 0.f), x);
	tsr_return(f, last, all);
}
static const char *of_scan(tsr_ctx *ctx, tsr *x) { return tsr_fn_text(tsr_jit(ctx, sums), x); }

/* ---- src/trace/control/while.c */

static tsr *limit;
static tsr *below(tsr *x) { return tsr_lt(tsr_sum(x), limit); }
static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *grown(tsr *x)
{
	limit = tsr_max(x);
	return tsr_while(below, twice, x);
}
static const char *of_while(tsr_ctx *ctx, tsr *x) { return tsr_fn_text(tsr_jit(ctx, grown), x); }

/* ---- src/trace/derive/argnums.c */

static tsr *product(tsr *a, tsr *b) { return tsr_sum(tsr_mul(a, b)); }
static const char *of_argnums(tsr_ctx *ctx, tsr *x)
{
	return tsr_fn_text(tsr_grad(ctx, product, .wrt = TSR_DIMS(1)), x, x);
}

/* ---- src/trace/derive/barrier.c */

static tsr *apart(tsr *x) { return tsr_neg(tsr_optimization_barrier(tsr_neg(x))); }
static const char *of_barrier(tsr_ctx *ctx, tsr *x) { return tsr_fn_text(tsr_jit(ctx, apart), x); }

/* ---- src/trace/derive/custom.c */

static tsr *clip(tsr *x) { return tsr_minimum(x, 1); }
static void clip_rule(tsr_frame *f)
{
	tsr_return(f, clip(tsr_frame_arg(f, 0)), tsr_frame_arg(f, 1));
}
static tsr *clipped(tsr *x) { return tsr_call(tsr_custom_jvp(x, clip, clip_rule), x); }
static const char *of_custom(tsr_ctx *ctx, tsr *x)
{
	return tsr_fn_text(tsr_jit(ctx, clipped), x);
}

/* ---- src/trace/derive/custom_programs.c */

static tsr *z;
static void sine_forward(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);
	tsr_return(f, tsr_sin(x), tsr_cos(x));
}
static tsr *sine_backward(tsr *c, tsr *dy) { return tsr_mul(tsr_mul(c, dy), z); }
static tsr *sine(tsr *x)
{
	z = tsr_exp(x);
	return tsr_call(tsr_custom_vjp(x, tsr_sin, sine_forward, sine_backward), x);
}
static const char *of_custom_programs(tsr_ctx *ctx, tsr *x)
{
	return tsr_fn_text(tsr_jit(ctx, sine), x);
}

/* ---- src/trace/derive/derive.c */

static tsr *wave(tsr *x) { return tsr_mul(tsr_sin(x), 3); }
static const char *of_derive(tsr_ctx *ctx, tsr *x) { return tsr_fn_text(tsr_jvp(ctx, wave), x, x); }

/* ---- src/trace/derive/linear.c */

static const char *of_linear(tsr_ctx *ctx, tsr *x)
{
	tsr *y;
	tsr_linearized at = tsr_linearize(TSR_OUT(&y), tsr_jit(ctx, tsr_sin), x);
	return tsr_fn_text(at.fn, at.residuals, x);
}

/* ---- src/trace/maps/mapped_dims.c */

static const char *of_mapped_dims(tsr_ctx *ctx, tsr *x)
{
	tsr_fn *f = tsr_vmap(ctx, tsr_add, .in = TSR_MAPPED(1, TSR_UNMAPPED));
	return tsr_fn_text(f, tsr_zeros(ctx, TSR_DIMS(4, 2)), x);
}

/* ---- src/trace/maps/pmap.c */

static const char *of_pmap(tsr_ctx *ctx, tsr *x)
{
	return tsr_fn_text(tsr_pmap(ctx, tsr_sin, .axis = "i"), x);
}

/* ---- src/trace/maps/pmap_nest.c */

static tsr *inner(tsr *x) { return tsr_call(tsr_pmap(x, tsr_sin, .axis = "cols"), x); }
static const char *of_pmap_nest(tsr_ctx *ctx, tsr *x)
{
	return tsr_fn_text(tsr_pmap(ctx, inner, .axis = "rows"), tsr_reshape(x, TSR_DIMS(2, 2)));
}

/* ---- src/trace/maps/shard_map.c */

static tsr *mean(tsr *x) { return tsr_pmean(x, "x"); }
static const char *of_shard_map(tsr_ctx *ctx, tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	return tsr_fn_text(tsr_shard_map(mesh, mean, .sig = "[x] -> []"), x);
}

/* ---- src/trace/maps/vmap.c */

static tsr *centred(tsr *x) { return tsr_sub(x, tsr_pmean(x, "batch")); }
static const char *of_vmap(tsr_ctx *ctx, tsr *x)
{
	return tsr_fn_text(tsr_vmap(ctx, centred, .axis = "batch"), x);
}

/* ---- src/trace/fn/call.c */

static tsr *layer(tsr *x) { return tsr_tanh(x); }
static tsr *net(tsr *x)
{
	tsr_fn *f = tsr_jit(x, layer);
	return tsr_call(f, tsr_call(f, x));
}
static const char *of_call(tsr_ctx *ctx, tsr *x) { return tsr_fn_text(tsr_jit(ctx, net), x); }

/* ---- src/trace/fn/destinations.c */

static const char *of_destinations(tsr_ctx *ctx, tsr *x)
{
	tsr *y;
	float row[3] = {1, 2, 3};
	tsr_fn *f = tsr_jit(ctx, swap);
	tsr_call_into(TSR_OUT(&y, TSR_INTO(row, TSR_F32, TSR_DIMS(3))), f, x, x);
	snprintf(answer, sizeof answer, "y: %s, row: %g %g %g, %s",
	         tsr_is_poison(y) ? "poison" : "a value", (double)row[0], (double)row[1],
	         (double)row[2], tsr_message(ctx));
	tsr_clear(ctx);
	return answer;
}

/* ---- src/trace/fn/donate.c */

static tsr *step(tsr *w, tsr *dw) { return tsr_sub(w, dw); }
static const char *of_donate(tsr_ctx *ctx, tsr *x)
{
	tsr_fn *f = tsr_jit(ctx, step, .donate = TSR_DIMS(0));
	tsr_call(f, x, tsr_ones(ctx, TSR_DIMS(4)));
	x = tsr_neg(x);
	return message_of(ctx);
}

/* ---- src/trace/fn/fn.c */

static const char *of_fn(tsr_ctx *ctx, tsr *x)
{
	tsr_fn *a = tsr_jit(ctx, tsr_sin), *b = tsr_jit(ctx, tsr_sin);
	tsr_fn *c = tsr_jit(ctx, tsr_sin, .name = "sine");

	(void)x;
	snprintf(answer, sizeof answer, "a %s b, a %s c", a == b ? "==" : "!=",
	         a == c ? "==" : "!=");
	return answer;
}

/* ---- src/trace/fn/fn_life.c */

typedef struct settings {
	int scale;
} settings;
static bool gone;
static void at_end(void *env) { gone = env != NULL; }
static const char *of_fn_life(tsr_ctx *ctx, tsr *x)
{
	static settings s = {2};
	tsr_fn *f = tsr_jit(ctx, tsr_sum, TSR_ENV(&s), .env_release = at_end);
	tsr_fn *g = tsr_grad(ctx, f);
	tsr_fn_release(f);
	const bool held = !gone;
	tsr_fn_release(g);
	(void)x;
	snprintf(answer, sizeof answer, "after the first release: %s, after the second: %s",
	         held ? "held" : "gone", gone ? "gone" : "held");
	return answer;
}

/* ---- src/trace/fn/invoke.c */

static const char *of_invoke(tsr_ctx *ctx, tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr_fn *f = tsr_jit(ctx, tsr_sum, .mesh = mesh, .in = TSR_SPECS(TSR_P("x")));
	return tsr_fn_compiled_text(f, x);
}

/* ---- src/trace/fn/leaf_text.c */

TSR_TREE_TYPE(linear, { tsr *w, *b; });
TSR_TREE_TYPE(mlp, { linear layer[6]; tsr *scale; });
static void first_row(tsr_frame *f)
{
	const mlp *p = TSR_TREE_OF(mlp, tsr_frame_tree(f, 0));
	tsr_return(f, tsr_sum(p->layer[0].w));
}
static const char *of_leaf_text(tsr_ctx *ctx, tsr *x)
{
	mlp p = {.scale = x};
	p.layer[0].w = x;
	p.layer[1].b = tsr_astype(x, TSR_I32);
	tsr_call(tsr_grad(ctx, first_row), TSR_TREE(mlp, &p));
	return message_of(ctx);
}

/* ---- src/trace/fn/make.c */

static const char *of_make(tsr_ctx *ctx, tsr *x)
{
	tsr *(*chosen[])(tsr *) = {layer};
	tsr_fn *a = tsr_jit(ctx, layer), *b = tsr_jit(ctx, chosen[0]);
	(void)x;
	snprintf(answer, sizeof answer, "%s, %s", tsr_fn_name(a), tsr_fn_name(b));
	return answer;
}

/* ---- src/trace/fn/make_custom.c */

static void unfinished(tsr_frame *f) { (void)f; }
static const char *of_make_custom(tsr_ctx *ctx, tsr *x)
{
	tsr_fn *f = tsr_custom_jvp(ctx, clip, unfinished);
	tsr_call(f, x);
	return message_of(ctx);
}

/* ---- src/trace/fn/make_derived.c */

static tsr *energy(tsr *x) { return tsr_sum(tsr_mul(x, x)); }
static const char *of_make_derived(tsr_ctx *ctx, tsr *x)
{
	tsr_fn *h = tsr_hessian(ctx, energy);
	tsr_fn *of_rows = tsr_jacfwd(ctx, tsr_jacrev(ctx, energy));
	(void)x;
	return h == of_rows ? "h == of_rows" : "h != of_rows";
}

/* ---- src/trace/fn/make_mapped.c */

static const char *of_make_mapped(tsr_ctx *ctx, tsr *x)
{
	tsr_fn *f = tsr_vmap(ctx, tsr_sin, .axis = "my batch");
	tsr *y;
	y = tsr_call(f, x);
	return tsr_is_poison(y) ? message_of(ctx) : "";
}

/* ---- src/trace/fn/of_program.c */

static tsr *both(tsr *x)
{
	tsr_fn *f = tsr_parse(x, "axes (x of (x:2,y:2)) f(%0: f32[2]{x}) -> f32[2] {\n"
	                         "  %1: f32[2] = psum %0 axes=(x) to=invarying\n"
	                         "  return %1\n"
	                         "}\n");
	return tsr_call(f, tsr_sin(x));
}
static const char *of_program(tsr_ctx *ctx, tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	tsr_fn *f = tsr_shard_map(mesh, both, .sig = "[x*y] -> [y]");
	return tsr_fn_text(f, tsr_concatenate(0, x, x));
}

/* ---- src/trace/fn/pinned.c */

static const char *of_pinned(tsr_ctx *ctx, tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr_fn *f = tsr_jit(ctx, tsr_sin, .mesh = mesh, .in = TSR_SPECS(TSR_P("x")));
	return tsr_fn_text(f, x);
}

/* ---- src/trace/fn/tree.c */

TSR_TREE_TYPE(dense, { tsr *w, *b; });
static void apply(tsr_frame *f)
{
	const dense *p = TSR_TREE_OF(dense, tsr_frame_tree(f, 0));
	dense out = {.w = tsr_mul(p->w, tsr_frame_arg(f, 1))};
	tsr_return(f, TSR_TREE(dense, &out));
}
static const char *of_tree(tsr_ctx *ctx, tsr *x)
{
	dense p = {.w = x};
	return tsr_fn_text(tsr_jit(ctx, apply), TSR_TREE(dense, &p), 2.0);
}

/* ---- src/trace/trace.c */

static tsr *table;
static tsr *shifted(tsr *x) { return tsr_add(x, table); }
static const char *of_trace(tsr_ctx *ctx, tsr *x)
{
	table = tsr_ones(ctx, TSR_DIMS(4));
	return tsr_fn_text(tsr_jit(ctx, shifted), x);
}

/* ---- src/trace/scope.c */

static tsr *astray(tsr *x) { return tsr_psum(x, "y"); }
static const char *of_scope(tsr_ctx *ctx, tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	x = tsr_call(tsr_shard_map(mesh, astray, .sig = "[x] -> [x]"), x);
	return message_of(ctx);
}

/* ---- src/program/build.c */

static tsr *with_bias(tsr *x, tsr *b) { return tsr_add(x, b); }
static const char *of_build(tsr_ctx *ctx, tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr_fn *f = tsr_shard_map(mesh, with_bias, .sig = "[x] [] -> [x]");
	return tsr_fn_text(f, x, tsr_zeros(ctx, TSR_DIMS(2)));
}

/* ---- src/runtime/caller.c */

static tsr *reversed(tsr *x) { return tsr_flip(x, TSR_DIMS(0)); }
static const char *of_caller(tsr_ctx *ctx, tsr *x)
{
	float row[4] = {1, 2, 3, 4};
	x = tsr_wrap(ctx, row, TSR_F32, TSR_DIMS(4));
	tsr_call_into(TSR_OUT(TSR_INTO(row, TSR_F32, TSR_DIMS(4))), tsr_jit(ctx, reversed), x);
	snprintf(answer, sizeof answer, "row = %g %g %g %g", (double)row[0], (double)row[1],
	         (double)row[2], (double)row[3]);
	return answer;
}

/* ---- src/runtime/ctx.c */

static const char *of_ctx(tsr_ctx *ctx, tsr *x)
{
	tsr_ctx *none = tsr_open(.devices = -1, .log = log_nothing);
	tsr *y = tsr_neg(tsr_ones(none, TSR_DIMS(4)));
	(void)ctx, (void)x;
	snprintf(answer, sizeof answer, "y: %s, %s", tsr_is_poison(y) ? "poison" : "a value",
	         tsr_message(none));
	return answer;
}

/* ---- src/runtime/first_nan.c */

static tsr *sum_of_logs(tsr *x)
{
	tsr *a = tsr_log(x);
	tsr *b = tsr_where(tsr_gt(x, 0), a, 0);
	return tsr_add(tsr_sum(a), tsr_sum(b));
}
static const char *of_first_nan(tsr_ctx *ctx, tsr *x)
{
	tsr_ctx *strict = tsr_open(.log = log_nothing, .debug = "N");
	(void)ctx;
	x = tsr_from(strict, ((float[]){1, -1, 4}), TSR_F32, TSR_DIMS(3));
	tsr_wait(tsr_call(tsr_jit(strict, sum_of_logs), x));
	snprintf(answer, sizeof answer, "%s", tsr_message(strict));
	tsr_close(strict);
	return answer;
}

/* ---- src/runtime/here.c */

static tsr *seen;
static tsr *careless(tsr *x)
{
	seen = tsr_neg(NULL);
	return x;
}
static const char *of_here(tsr_ctx *ctx, tsr *x)
{
	tsr_ctx *other = tsr_open(.log = log_nothing);
	tsr *alone = tsr_neg(NULL);
	tsr *y = tsr_call(tsr_jit(ctx, careless), x);
	const bool of_both = tsr_ctx_of(alone) == ctx || tsr_ctx_of(alone) == other;
	snprintf(answer, sizeof answer, "alone: %s, in the body: %s, y: %s",
	         of_both ? "one of both" : "neither", tsr_ctx_of(seen) == ctx ? "ctx" : "another",
	         tsr_is_poison(y) ? "poison" : "valid");
	tsr_clear(ctx);
	tsr_close(other);
	return answer;
}

/* ---- src/runtime/mesh_use.c */

static const char *of_mesh_use(tsr_ctx *ctx, tsr *x)
{
	tsr_mesh *a = tsr_mesh_make(ctx, {"x", 2}), *b = tsr_mesh_make(ctx, {"x", 4});
	const tsr_sharding *first, *second;
	(void)x;
	{
		TSR_MESH(a);
		{
			TSR_MESH(b);
			first = tsr_sharding_make(NULL, TSR_P("x"));
		}
		second = tsr_sharding_make(NULL, TSR_P("x"));
	}
	snprintf(answer, sizeof answer, "first: %s, second: %s",
	         tsr_sharding_mesh(first) == b ? "b" : "a",
	         tsr_sharding_mesh(second) == a ? "a" : "b");
	return answer;
}

/* ---- src/runtime/relocate.c */

/* of "file.c:12: ..." */
static long line_of(const char *message) { return strtol(strchr(message, ':') + 1, NULL, 10); }
static const char *of_relocate(tsr_ctx *ctx, tsr *x)
{
	tsr_ctx *strict = tsr_open(.log = log_nothing, .debug = "N");
	long first;

	(void)ctx, (void)x;
	x = tsr_neg(tsr_ones(strict, TSR_DIMS(4)));
	tsr_wait(tsr_log(x));
	first = line_of(tsr_message(strict));
	tsr_clear(strict);
	tsr_wait(tsr_log(x));
	snprintf(answer, sizeof answer, "%ld lines below: %s", line_of(tsr_message(strict)) - first,
	         strstr(tsr_message(strict), "log"));
	tsr_close(strict);
	return answer;
}

/* ---- the heads */

static const struct example {
	const char *file;
	const char *(*text)(tsr_ctx *, tsr *x); /* x: f32[4] */
} examples[] = {
	{"src/program/build.c", of_build},
	{"src/runtime/caller.c", of_caller},
	{"src/runtime/ctx.c", of_ctx},
	{"src/runtime/first_nan.c", of_first_nan},
	{"src/runtime/here.c", of_here},
	{"src/runtime/mesh_use.c", of_mesh_use},
	{"src/runtime/relocate.c", of_relocate},
	{"src/trace/bind.c", of_bind},
	{"src/trace/body.c", of_body},
	{"src/trace/body_memory.c", of_body_memory},
	{"src/trace/dims.c", of_dims},
	{"src/trace/frame.c", of_frame},
	{"src/trace/scope.c", of_scope},
	{"src/trace/trace.c", of_trace},
	{"src/trace/tracing.c", of_tracing},
	{"src/trace/control/branch.c", of_branch},
	{"src/trace/control/control.c", of_control},
	{"src/trace/control/fori.c", of_fori},
	{"src/trace/control/loop.c", of_loop},
	{"src/trace/control/map_batched.c", of_map_batched},
	{"src/trace/control/scan.c", of_scan},
	{"src/trace/control/while.c", of_while},
	{"src/trace/derive/argnums.c", of_argnums},
	{"src/trace/derive/barrier.c", of_barrier},
	{"src/trace/derive/custom.c", of_custom},
	{"src/trace/derive/custom_programs.c", of_custom_programs},
	{"src/trace/derive/derive.c", of_derive},
	{"src/trace/derive/linear.c", of_linear},
	{"src/trace/fn/call.c", of_call},
	{"src/trace/fn/destinations.c", of_destinations},
	{"src/trace/fn/donate.c", of_donate},
	{"src/trace/fn/fn.c", of_fn},
	{"src/trace/fn/fn_life.c", of_fn_life},
	{"src/trace/fn/invoke.c", of_invoke},
	{"src/trace/fn/leaf_text.c", of_leaf_text},
	{"src/trace/fn/make.c", of_make},
	{"src/trace/fn/make_custom.c", of_make_custom},
	{"src/trace/fn/make_derived.c", of_make_derived},
	{"src/trace/fn/make_mapped.c", of_make_mapped},
	{"src/trace/fn/of_program.c", of_program},
	{"src/trace/fn/pinned.c", of_pinned},
	{"src/trace/fn/tree.c", of_tree},
	{"src/trace/maps/mapped_dims.c", of_mapped_dims},
	{"src/trace/maps/pmap.c", of_pmap},
	{"src/trace/maps/pmap_nest.c", of_pmap_nest},
	{"src/trace/maps/shard_map.c", of_shard_map},
	{"src/trace/maps/vmap.c", of_vmap},
};
enum { NEXAMPLES = sizeof examples / sizeof *examples };

static void heads(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4, .log = log_nothing);
	int wrong = 0;

	(void)state;
	for (int i = 0; i < NEXAMPLES; i++)
		wrong += !head_is_shown(HERE, examples[i].file,
		                        examples[i].text(ctx, tsr_zeros(ctx, TSR_DIMS(4))));
	assert_int_equal(tsr_close(ctx), TSR_OK);
	assert_int_equal(wrong, 0);
}

static int show(int n, char **files)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);

	for (int i = 0; i < NEXAMPLES; i++)
		for (int k = 0; k < n; k++)
			if (strstr(examples[i].file, files[k]))
				printf("%s\n%s\n", examples[i].file,
				       examples[i].text(ctx, tsr_zeros(ctx, TSR_DIMS(4))));
	return tsr_close(ctx);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(heads)};

	return argc > 1 ? show(argc - 1, argv + 1)
	                : cmocka_run_group_tests_name("examples of heads", tests, NULL, NULL);
}
