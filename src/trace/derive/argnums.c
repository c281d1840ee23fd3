/* argnums.c - finds the arguments of a call that a derivative is taken by, and checks that their
 * leaves, and the tangents of a jvp, are of types that have one.
 *
 * Example:
 *
 *     static tsr *product(tsr *a, tsr *b) { return tsr_sum(tsr_mul(a, b)); }
 *     tsr_grad(ctx, product, .wrt = TSR_DIMS(1))
 *
 * The gradient is that by b alone, which is a. The arguments stay what they are, in their order, so
 * that the derivative is called as the function is:
 *
 *     product(%0: f32[4], %1: f32[4]) -> f32[4] {
 *       %2: f32[4] = broadcast_in_dim 1.0:f32 dims=[4] at=[]
 *       %3: f32[4] = mul %2 %0
 *       %4: f32[4] = placed_like %3 %1
 *       return %4
 *     } */
#include "trace/derive/derive.h"

static bool all_by_default(fn_kind kind)
{
	return kind == FN_JVP || kind == FN_LINEARIZE || kind == FN_VJP ||
	       kind == FN_LINEAR_TRANSPOSE;
}

/* the body's arguments are the first `nargs` */
static void take_args(derive *d, int nargs)
{
	const leaves *all = d->g->args;

	for (int i = 0; i < all->n; i++) d->first[all->leaf[i].arg + 1]++;
	for (int k = 0; k < all->nargs; k++) d->first[k + 1] += d->first[k];
	d->body =
		(leaves){.n = d->first[nargs], .nargs = nargs, .leaf = all->leaf, .arg = all->arg};
}

static bool read_wrt(derive *d)
{
	const fn *fn = d->g->fn;
	const int given = d->g->args->nargs;
	int nargs = given;

	if (fn->kind == FN_JVP && !fn->derive.nwrt && given % 2)
		return fail_derive(d, TSR_ERROR_ARGUMENT,
		                   "jvp of '%s' takes its arguments and then a tangent for each, "
		                   "got %d arguments",
		                   fn->name, given);
	if (fn->kind == FN_JVP) nargs = fn->derive.nwrt ? given - fn->derive.nwrt : given / 2;
	d->nwrt = fn->derive.nwrt ? fn->derive.nwrt : all_by_default(fn->kind) ? nargs : 1;
	for (int i = 0; i < d->nwrt; i++) {
		d->wrt[i] = fn->derive.nwrt ? fn->derive.wrt[i] : i;
		if (d->wrt[i] >= nargs)
			return fail_derive(d, TSR_ERROR_ARGUMENT,
			                   "%s of '%s' with respect to argument %d requires at "
			                   "least %d arguments, but got only %d",
			                   derive_name(d), fn->name, d->wrt[i], d->wrt[i] + 1,
			                   nargs < 0 ? 0 : nargs);
	}
	take_args(d, nargs);
	return true;
}

int leaf_of(const derive *d, int arg) { return d->first[arg]; }
int leaves_of(const derive *d, int arg) { return d->first[arg + 1] - d->first[arg]; }

/* which leaves can be differentiated, for the message about one that cannot */
static const char *wanted_dtypes(const derive *d)
{
	const fn *fn = d->g->fn;
	const fn_kind kind = fn->kind;

	if (fn->derive.holomorphic) return "with .holomorphic requires inputs with complex dtype";
	return kind == FN_JACFWD || kind == FN_JACREV
	               ? "requires real-valued inputs (a floating dtype)"
	               : "requires real- or complex-valued inputs (a floating or complex dtype)";
}

static bool can_move(const derive *d, tsr_dtype dtype)
{
	const fn *fn = d->g->fn;
	const bool real = fn->kind == FN_JACFWD || fn->kind == FN_JACREV;

	if (fn->derive.holomorphic) return dtype_kind(dtype) == KIND_COMPLEX;
	return real ? dtype_kind(dtype) == KIND_FLOAT : has_tangent(dtype);
}

/* a leaf that must be differentiable and is not */
static bool refuse_leaf(derive *d, int i)
{
	const fn_kind kind = d->g->fn->kind;
	const type *t = d->g->types[i];
	str name = {.base = &d->g->fn->ctx->base};
	const bool ints = !has_tangent(t->dtype) && !d->g->fn->derive.holomorphic &&
	                  kind != FN_JVP && kind != FN_JACFWD;

	leaf_text(&name, d->g->args, i);
	fail_derive(d, TSR_ERROR_TYPE,
	            "%s %s, but got %s for %s of '%s'; convert it with tsr_astype, or leave it out "
	            "with .wrt%s",
	            derive_name(d), wanted_dtypes(d), tsr_dtype_name(t->dtype),
	            name.s ? name.s : "an argument", d->g->fn->name,
	            ints ? ", or set .allow_int" : "");
	str_free(&name);
	return false;
}

/* must a leaf of this dtype have a derivative? */
static bool must_move(const derive *d, tsr_dtype dtype)
{
	const fn *fn = d->g->fn;

	if (fn->derive.allow_int && !fn->derive.holomorphic && !has_tangent(dtype)) return false;
	return !(fn->kind == FN_LINEARIZE || fn->kind == FN_VJP) || fn->derive.nwrt;
}

static bool find_moving(derive *d)
{
	d->moving = arena_array(d->g->scratch, (size_t)d->body.n + 1, sizeof *d->moving);
	for (int w = 0; d->moving && w < d->nwrt; w++) {
		const int first = leaf_of(d, d->wrt[w]);
		for (int i = first; i < first + leaves_of(d, d->wrt[w]); i++) {
			const type *t = d->g->types[i];
			if (!t) continue;
			d->moving[i] = can_move(d, t->dtype);
			if (!d->moving[i] && must_move(d, t->dtype)) return refuse_leaf(d, i);
		}
	}
	return d->moving;
}

/* leaf i of the call, and leaf di, which is its tangent */
static bool refuse_tangent(derive *d, int i, int di)
{
	const type *x = d->g->types[i], *dx = d->g->types[di];
	str a = {.base = &d->g->fn->ctx->base}, b = a, name = a, dname = a;
	const bool wider = x && type_vary(&d->g->fn->ctx->ir, dx, x->varying) == x;

	leaf_text(&name, d->g->args, i);
	leaf_text(&dname, d->g->args, di);
	if (x) type_text(&a, x, d->g->axes, d->g->naxes);
	type_text(&b, dx, d->g->axes, d->g->naxes);
	fail_derive(d, TSR_ERROR_TYPE,
	            "primal and tangent arguments to jvp of '%s' must have equal types: %s is %s, "
	            "and its tangent, %s, is %s%s",
	            d->g->fn->name, name.s ? name.s : "an argument", a.s ? a.s : "absent",
	            dname.s ? dname.s : "another", b.s ? b.s : "?",
	            wider ? "; tsr_pcast the argument, so that it varies too" : "");
	str_free(&name);
	str_free(&dname);
	str_free(&a);
	str_free(&b);
	return false;
}

static bool check_tangents(derive *d)
{
	for (int w = 0; w < d->nwrt; w++) {
		const int arg = d->wrt[w], tangent = d->body.nargs + w, n = leaves_of(d, arg);
		if (leaves_of(d, tangent) != n)
			return fail_derive(d, TSR_ERROR_ARGUMENT,
			                   "jvp of '%s': args[%d] has %d leaves, and its tangent, "
			                   "args[%d], has %d",
			                   d->g->fn->name, arg, n, tangent, leaves_of(d, tangent));
		for (int k = 0; k < n; k++) {
			const int i = leaf_of(d, arg) + k, di = leaf_of(d, tangent) + k;
			const type *x = d->g->types[i], *dx = d->g->types[di];
			if (x && !dx) d->moving[i] = false;
			if (dx && !type_varies_to(&d->g->fn->ctx->ir, dx, x) &&
			    !(x && type_becomes(dx, x)))
				return refuse_tangent(d, i, di);
		}
	}
	return true;
}

bool read_moving(derive *d)
{
	return read_wrt(d) && find_moving(d) && (d->g->fn->kind != FN_JVP || check_tangents(d));
}
