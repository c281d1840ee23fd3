/* frame.c - shows a body in the frame form its arguments, and trees as their type.
 *
 * Example:
 *
 *     static void swap(tsr_frame *f) { tsr_return(f, tsr_frame_arg(f, 1), tsr_frame_arg(f, 0)); }
 *     tsr_fn_text(tsr_jit(ctx, swap), x, 2.f)
 *
 * A C function has one result. A body with several, or with trees or an environment, takes a frame:
 *
 *     swap(%0: f32[4], %1: f64*[]) -> f64*[], f32[4] {
 *       return %1 %0
 *     } */
#include "trace/trace.h"

tsr_ctx *tsr_frame_ctx(const tsr_frame *f) { return f ? f->ctx : NULL; }
size_t tsr_frame_count(const tsr_frame *f) { return f ? f->nargs : 0; }
const void *tsr_frame_env(const tsr_frame *f) { return f && f->fn->env_size ? f->fn->env : NULL; }
tsr_tree tsr_frame_captures(tsr_frame *f) { return f ? f->captures : (tsr_tree){.count = 0}; }

static bool has_arg(const char *where, const tsr_frame *f, size_t k)
{
	if (!f)
		return fail(&ctx_here()->base, where, TSR_ERROR_ARGUMENT, "the frame is NULL");
	return k < f->nargs || fail(&f->ctx->base, where, TSR_ERROR_ARGUMENT,
	                            "%s was called with %zu arguments: there is no args[%zu]",
	                            f->fn->name, f->nargs, k);
}

tsr *tsr_frame_arg_at(const char *where, tsr_frame *f, size_t k)
{
	if (!has_arg(where, f, k)) return poison_of(f ? f->ctx : NULL);
	if (f->arg[k].kind == TSR_KIND_ONE) return f->arg[k].as.one;
	return refuse(&(call_site){f->ctx, where, "args"}, TSR_ERROR_ARGUMENT,
	              "args[%zu] of %s is a tree: read it with tsr_frame_tree", k, f->fn->name);
}

tsr_tree tsr_frame_tree_at(const char *where, tsr_frame *f, size_t k)
{
	if (!has_arg(where, f, k)) return (tsr_tree){.count = 0};
	if (f->arg[k].kind == TSR_KIND_TREE) return f->arg[k].as.tree;
	tsr **one = arena_copy(f->arena, &f->arg[k].as.one, sizeof *one);
	return one ? (tsr_tree){.leaf = one, .count = 1} : (tsr_tree){.count = 0};
}

static bool take_result(tsr_frame *f, const char *where, const tsr_arg *r, int *at)
{
	if (r->kind == TSR_KIND_ONE) {
		f->out[(*at)++] = r->as.one;
		return r->as.one || fail(&f->ctx->base, where, TSR_ERROR_HANDLE,
		                         "result %d of %s is NULL", *at - 1, f->fn->name);
	}
	if (r->kind != TSR_KIND_TREE)
		return fail(&f->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "a result of %s is a number: make it a handle with tsr_scalar",
		            f->fn->name);
	if (r->as.tree.count && !r->as.tree.leaf)
		return fail(&f->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "a result of %s is a tree of %zu leaves without a list of them",
		            f->fn->name, r->as.tree.count);
	for (size_t i = 0; i < r->as.tree.count; i++) f->out[(*at)++] = r->as.tree.leaf[i];
	return true;
}

void tsr_return_at(const char *where, tsr_frame *f, const tsr_arg *results, size_t n)
{
	size_t total = 0;
	int at = 0;

	if (!f) {
		fail(&ctx_here()->base, where, TSR_ERROR_ARGUMENT, "return: the frame is NULL");
		return;
	}
	if (f->returned || n > TSR_MAX_ARGS) {
		fail(&f->ctx->base, where, TSR_ERROR_ARGUMENT,
		     f->returned ? "%s has returned already" : "%s returns more than 8 results",
		     f->fn->name);
		return;
	}
	if (n && !results) {
		fail(&f->ctx->base, where, TSR_ERROR_ARGUMENT,
		     "%s: the list of %zu results is NULL", f->fn->name, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		total += results[i].kind == TSR_KIND_TREE ? results[i].as.tree.count : 1;
	f->out = arena_array(f->arena, total + 1, sizeof *f->out);
	f->shape = arena_array(f->arena, n + 1, sizeof *f->shape);
	if (!f->out || !f->shape) return;
	for (size_t i = 0; i < n; i++) {
		f->shape[i] = results[i].kind == TSR_KIND_TREE ? (int)results[i].as.tree.count : 1;
		if (!take_result(f, where, &results[i], &at)) return;
	}
	f->nout = at;
	f->nshape = (int)n;
	f->returned = true;
}

size_t tsr_axis_sizes(const tsr_ctx *ctx, tsr_axis *out, size_t most)
{
	int n = 0;
	const axis *axes = ctx ? trace_axes(ctx, &n) : NULL;

	for (int i = 0; out && i < n && (size_t)i < most; i++)
		out[i] = (tsr_axis){axes[i].name, axes[i].size};
	return (size_t)n < most ? (size_t)n : most;
}

/* ---- trees */

/* the leaves of a tree that was read as the wrong type: all poison, or all absent where there is no
 * context or no memory */
static const void *wrong_tree(tsr_ctx *ctx, size_t count)
{
	static tsr *none[4096];
	tsr **leaf_of = scope_bytes(ctx, count * sizeof *leaf_of);

	for (size_t i = 0; leaf_of && i < count; i++) leaf_of[i] = poison_of(ctx);
	return leaf_of ? leaf_of : count <= ARRAY_LEN(none) ? none : NULL;
}

const void *tsr_tree_as_at(const char *where, tsr_tree tree, const tsr_tree_type *type_wanted)
{
	tsr_ctx *ctx = NULL;

	if (tree.leaf && tree_type_same(tree.type, type_wanted)) return tree.leaf;
	if (tree.leaf && !tree.type && tree.count == type_wanted->count) return tree.leaf;
	for (size_t i = 0; i < tree.count && !ctx; i++)
		if (tree.leaf && tree.leaf[i]) ctx = tsr_ctx_of(tree.leaf[i]);
	if (!ctx) ctx = ctx_here();
	fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
	     "a tree of type %s with %zu leaves (%s) was read as one of type %s with %zu leaves "
	     "(%s)",
	     tree.type && tree.type->name ? tree.type->name : "(none)", tree.count,
	     tree.type && tree.type->fields ? tree.type->fields : "no fields",
	     type_wanted->name ? type_wanted->name : "(none)", type_wanted->count,
	     type_wanted->fields ? type_wanted->fields : "no fields");
	return wrong_tree(ctx, type_wanted->count);
}
