/* debugging.c - runs the code of docs/debugging.md. */
#include <stdio.h>
#include <tsr/tsr.h>

TSR_TREE_TYPE(linear, { tsr *w; });

static tsr *apply(tsr_tree params, tsr *x) { return tsr_dot(x, TSR_TREE_OF(linear, params)->w); }

int main(void)
{
	tsr_ctx *ctx = tsr_open();
	tsr_fn *step = tsr_jit(ctx, apply);
	linear w = {.w = tsr_ones(ctx, TSR_DIMS(4, 2))};
	tsr_tree params = TSR_TREE(linear, &w);
	tsr *x = tsr_ones(ctx, TSR_DIMS(3, 4));

	puts(tsr_fn_text(step, params, x)); /* as it was traced, with its calls and maps */
	puts(tsr_fn_compiled_text(step, params, x)); /* as the engine gets it, after all passes */
	return tsr_close(ctx);
}
