/* trees.c - trees of handles: a function of each leaf, paths, comparison, norm and size. */
#include "lib/lib.h"

/* ---- a function of each leaf: the C function is called directly, as JAX's tree.map does, so that
 * it may also put leaves somewhere, or read them */

static tsr_ctx *args_ctx(const tsr_arg *args, size_t n)
{
	tsr_ctx *ctx = NULL;

	for (size_t i = 0; args && !ctx && i < n; i++)
		ctx = args[i].kind == TSR_KIND_TREE  ? tree_ctx(args[i].as.tree)
		      : args[i].kind == TSR_KIND_ONE ? tsr_ctx_of(args[i].as.one)
		                                     : NULL;
	return ctx;
}

/* a tree whose leaves can be looked at */
static bool tree_ok(const call_site *site, tsr_tree x)
{
	return !x.count || x.leaf ||
	       fail_op(site, TSR_ERROR_ARGUMENT, "a tree has %zu leaves and no memory of them",
	               x.count);
}

/* how many handles f takes; -1: any number; -2: it takes something else */
static int handles_taken(const tsr_body *f)
{
	if (f->fn) return -1;
	return f->raw && f->form >= TSR_FORM_1 && f->form <= TSR_FORM_4 ? (int)f->form : -2;
}

static bool function_ok(const call_site *site, const tsr_body *f, size_t n)
{
	const int takes = handles_taken(f);

	if (f->fn && !fn_of(site->where, site->op, f->fn)) return false;
	if (takes == -1 || (takes > 0 && (size_t)takes == n)) return true;
	return fail_op(site, TSR_ERROR_ARGUMENT,
	               takes == -2 ? "the function of each leaf must be a fn, or a C function of 1 "
	                             "to 4 handles"
	                           : "the function of each leaf takes %d handles, and is given "
	                             "%zu",
	               takes, n);
}

/* The arguments of a walk: handles that can be used, numbers, and trees of as many leaves as `to`.
 * Nothing of this is kept, for f may leave by longjmp */
static bool args_ok(const call_site *site, tsr_tree to, const tsr_arg *args, size_t n)
{
	arena *scratch = arena_make(&site->ctx->base);
	leaves all;
	bool ok = scratch && leaves_read(site, scratch, args, n, &all), some = false;

	arena_free(scratch);
	for (size_t i = 0; ok && i < n; i++) {
		if (args[i].kind != TSR_KIND_TREE) continue;
		some = true;
		if (args[i].as.tree.count == to.count) continue;
		ok = fail_op(site, TSR_ERROR_ARGUMENT,
		             "args[%zu] has %zu leaves, and the tree of the results %zu", i,
		             args[i].as.tree.count, to.count);
	}
	return ok && (some || fail_op(site, TSR_ERROR_ARGUMENT, "no tree is among the arguments"));
}

/* ": args[1].layer[1].w" behind what is said */
static bool fail_leaf(const call_site *site, const tsr_arg *args, int i, size_t k, const char *says)
{
	str path = {.base = &site->ctx->base};

	arg_leaf_text(&path, args, i, (int)k);
	fail_op(site, TSR_ERROR_ARGUMENT, "%s: %s", says, path.s ? path.s : "a leaf");
	str_free(&path);
	return false;
}

/* what f is given for leaf k. *absent: all trees lack it. false: some do, which is recorded */
static bool leaf_args(const call_site *site, const tsr_arg *args, size_t n, size_t k,
                      tsr_arg *given, bool *absent)
{
	int there = -1, lacks = -1;

	for (size_t i = 0; i < n; i++) {
		given[i] = args[i];
		if (args[i].kind != TSR_KIND_TREE) continue;
		given[i] = tsr_arg_one(args[i].as.tree.leaf[k]);
		*(given[i].as.one ? &there : &lacks) = (int)i;
	}
	*absent = there < 0;
	return there < 0 || lacks < 0 ||
	       fail_leaf(site, args, lacks, k, "a leaf is absent that another tree has");
}

static tsr *apply_to_leaf(const call_site *site, const tsr_body *f, tsr_arg *given, size_t n)
{
	call_site result = {.where = site->where, .op = site->op};

	if (f->fn) return tsr_call_at(site->where, f->fn, given, n);
	for (size_t i = 0; i < n; i++)
		if (given[i].kind != TSR_KIND_ONE)
			given[i] = tsr_arg_one(number_argument(site, &given[i]));
	tsr *y = body_call(f->form, f->raw, site->ctx, given);
	if (!y) return refuse_op(site, TSR_ERROR_HANDLE, "the function of each leaf returned NULL");
	return operands_check(&result, &y, 1) ? as_default(site, y) : poison_of(site->ctx);
}

void poison_leaves(tsr_ctx *ctx, tsr_tree to)
{
	for (size_t k = 0; to.leaf && k < to.count; k++) to.leaf[k] = poison_of(ctx);
}

static bool walk(const call_site *site, tsr_tree to, const tsr_body *f, const tsr_arg *args,
                 size_t n)
{
	tsr_arg given[TSR_MAX_ARGS];
	bool ok = tree_ok(site, to) && args_ok(site, to, args, n) && function_ok(site, f, n);
	const size_t mark = error_mark(&site->ctx->base);

	if (!ok) return poison_leaves(site->ctx, to), false;
	for (size_t k = 0; k < to.count; k++) {
		bool absent;
		const bool fits = leaf_args(site, args, n, k, given, &absent);
		to.leaf[k] = !fits    ? poison_of(site->ctx)
		             : absent ? NULL
		                      : apply_to_leaf(site, f, given, n);
		if (!to.leaf[k] || !handle_is_poison(to.leaf[k])) continue;
		if (ok && failed_since(&site->ctx->base, mark)) note_leaf(site->ctx, to.type, k);
		ok = false;
	}
	return ok;
}

bool tsr_tree_map_at(const char *where, tsr_tree to, tsr_body f, tsr_tree x)
{
	const tsr_arg arg = tsr_arg_tree(x);
	tsr_ctx *ctx = ctx_or_here(tree_ctx(x));
	TURN_OF(ctx, where, (poison_leaves(ctx, to), false));

	return walk(&(call_site){ctx, where, "tree_map"}, to, &f, &arg, 1);
}

bool tsr_tree_zip_at(const char *where, tsr_tree to, tsr_body f, const tsr_arg *args, size_t n)
{
	tsr_ctx *ctx = ctx_or_here(n > TSR_MAX_ARGS ? NULL : args_ctx(args, n));
	TURN_OF(ctx, where, (poison_leaves(ctx, to), false));

	return walk(&(call_site){ctx, where, "tree_zip"}, to, &f, args, n);
}

/* ---- paths */

const char *tsr_tree_path_at(const char *where, tsr_tree tree, size_t k)
{
	tsr_ctx *ctx = ctx_or_here(tree_ctx(tree));
	TURN_OF(ctx, where, "");
	str s = {.base = &ctx->base};

	if (k >= tree.count) {
		fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		     "tree_path: there is no leaf %zu in a tree of %zu", k, tree.count);
		return "";
	}
	tree_path_text(&s, tree.type, k);
	if (s.s && s.s[0] == '.') memmove(s.s, s.s + 1, s.len--);
	return scope_text(ctx, &s);
}

void note_leaf(tsr_ctx *ctx, const tsr_tree_type *type, size_t k)
{
	str path = {.base = &ctx->base};

	tree_path_text(&path, type, k);
	if (path.s) fail_note(path.base, "at the leaf %s", path.s + (path.s[0] == '.'));
	str_free(&path);
}

/* ---- all leaves as one vector */

bool tsr_tree_allclose_at(const char *where, tsr_tree a, tsr_tree b, double rtol, double atol)
{
	tsr_ctx *ctx = ctx_or_here(tree_ctx(a));
	TURN_OF(ctx, where, false);
	const call_site site = {ctx, where, "tree_allclose"};
	const tsr_arg both[] = {tsr_arg_tree(a), tsr_arg_tree(b)};
	tsr_arg x[2];
	bool close = args_ok(&site, a, both, 2), absent;
	const size_t mark = error_mark(&ctx->base);
	const asked_call outer = asked_begin(where, site.op);

	for (size_t k = 0; close && k < a.count; k++) {
		close = leaf_args(&site, both, 2, k, x, &absent) &&
		        (absent || tsr_allclose_at(where, x[0].as.one, x[1].as.one, rtol, atol));
		if (failed_since(&ctx->base, mark)) note_leaf(ctx, a.type, k);
	}
	asked_here = outer;
	return close;
}

/* root of the sum of sums of squares, by optax.global_norm: leaf after leaf, from 0 on */
static tsr *norm_of(const call_site *site, tsr_tree x)
{
	const tsr_sum_args all = {.size = sizeof all};
	tsr *total = number_argument(site, &(tsr_arg){.kind = TSR_KIND_INT});

	for (size_t k = 0; k < x.count; k++) {
		tsr *y = x.leaf[k];
		if (!y) continue;
		const bool complex = dtype_kind(handle_type(y)->dtype) == KIND_COMPLEX;
		tsr *square = complex ? R2(add, R1(square, R1(real, y)), R1(square, R1(imag, y)))
		                      : R1(square, y);
		total = R2(add, total, tsr_sum_at(site->where, square, &all));
	}
	return R1(sqrt, total);
}

static void norm_body(tsr_frame *f)
{
	const call_site site = {tsr_frame_ctx(f), NULL, f->fn->name};
	tsr *y = norm_of(&site, tsr_frame_tree_at(NULL, f, 0));

	tsr_return_at(NULL, f, (tsr_arg[]){tsr_arg_one(y)}, 1);
}

/* outside of bodies it is one program, however many leaves there are */
tsr *tsr_tree_norm_at(const char *where, tsr_tree x)
{
	tsr_ctx *ctx = ctx_or_here(tree_ctx(x));
	TURN_OF(ctx, where, poison_of(ctx));
	const call_site site = {ctx, where, "tree_norm"};
	const tsr_body body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)norm_body};
	const tsr_arg arg = tsr_arg_tree(x);
	const tsr_jit_args how = {.size = sizeof how, .name = site.op};

	if (!tree_ok(&site, x)) return poison_of(ctx);
	tsr_fn *fn = tsr_jit_at(where, ctx, body, site.op, &how);
	return tsr_call_at(where, fn, &arg, 1);
}

int64_t tsr_tree_size(tsr_tree x)
{
	int64_t n = 0;

	for (size_t k = 0; x.leaf && k < x.count; k++)
		if (x.leaf[k] && __builtin_add_overflow(n, tsr_size(x.leaf[k]), &n))
			return INT64_MAX;
	return n;
}
