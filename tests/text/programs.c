/* programs.c - prints the texts of programs with C text that leaves the order of evaluation to the
 * compiler. Built with each compiler; without locations the texts must be equal. */
#include <stdio.h>
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS

TSR_TREE_TYPE(layer, { tsr *w, *b; });

static tsr *dense(tsr_tree params, tsr *x)
{
	const layer *p = TSR_TREE_OF(layer, params);
	return tsr_add(tsr_dot(tsr_tanh(x), tsr_exp(p->w)), tsr_mul(tsr_sin(p->b), tsr_cos(p->b)));
}

static tsr *deep(tsr *a, tsr *b, tsr *c, tsr *d)
{
	return tsr_concatenate(0, tsr_add(tsr_exp(a), tsr_log(b)),
	                       tsr_sub(tsr_mul(c, tsr_sum(d)), tsr_maximum(tsr_neg(a), tsr_abs(d))),
	                       tsr_where(tsr_gt(tsr_sin(b), tsr_cos(c)), tsr_div(a, 3),
	                                 tsr_add(b, tsr_iota(a, D(4), 0))));
}

static tsr *spread(tsr *a, tsr *b)
{
	return tsr_sub(tsr_psum(tsr_mul(a, tsr_axis_index(a, "x")), "y"),
	               tsr_all_gather(tsr_add(tsr_pmax(b, "y"), tsr_pmin(b, "x")), "x"));
}

static void several(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);
	layer out = {.w = tsr_add(tsr_exp(x), tsr_log(x)), .b = tsr_mul(tsr_sqrt(x), x)};
	tsr_return(f, tsr_sum(out.w), TSR_TREE(layer, &out), tsr_mean(x));
}

int main(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *v = tsr_ones(ctx, D(4)), *m = tsr_ones(ctx, D(8, 4));
	layer w = {.w = tsr_ones(ctx, D(4, 3)), .b = tsr_ones(ctx, D(3))};

	fputs(tsr_fn_text(tsr_jit(ctx, dense), TSR_TREE(layer, &w), m), stdout);
	fputs(tsr_fn_text(tsr_jit(ctx, deep), v, v, tsr_exp(v), tsr_log(v)), stdout);
	fputs(tsr_fn_text(tsr_jit(ctx, several), m), stdout);
	fputs(tsr_fn_text(tsr_jit(ctx, tsr_shard_map(mesh, spread, .sig = "[x,y] [x,y] -> [-,x]",
	                                             .unchecked = true)),
	                  m, m),
	      stdout);
	return tsr_close(ctx);
}
