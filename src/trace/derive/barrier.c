/* barrier.c - traces tsr_optimization_barrier, one equation that returns its operands, and
 * tsr_checkpoint_name.
 *
 * Example:
 *
 *     static tsr *apart(tsr *x) { return tsr_neg(tsr_optimization_barrier(tsr_neg(x))); }
 *
 * No pass looks through the equation, so the two negations do not cancel:
 *
 *     apart(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = neg %0
 *       %2: f32[4] = optimization_barrier %1
 *       %3: f32[4] = neg %2
 *       return %3
 *     } */
#include "trace/control/control.h"

static bool barrier(flow *f, const char *where, const tsr_arg *args, size_t nargs)
{
	if (!flow_begin(f, where, "optimization_barrier", NULL, args, nargs, NULL, 0) ||
	    !flow_args(f, args, nargs))
		return false;
	const leaves *all = &f->args;
	tsr **x = arena_array(f->scratch, (size_t)all->n + 1, sizeof *x);
	const type **types = arena_array(f->scratch, (size_t)all->n + 1, sizeof *types);
	int *out = arena_array(f->scratch, (size_t)all->n + 1, sizeof *out);
	int *count = arena_array(f->scratch, nargs + 1, sizeof *count), n = 0;
	if (!x || !types || !out || !count) return false;
	for (int i = 0; i < all->n; i++) {
		const leaf *l = &all->leaf[i];
		count[l->arg]++;
		out[i] = l->handle ? n : -1;
		if (!l->handle) continue;
		x[n] = l->handle;
		types[n++] = all->types[i];
	}
	return flow_bind(f, &tsr__prim_optimization_barrier, NULL, x, types, n, n, out, all->n,
	                 &(result_shape){all->nargs, count});
}

tsr *tsr_optimization_barrier_at(const char *where, tsr *x)
{
	TURN_OF(tsr_ctx_of(x), where, poison_of(tsr_ctx_of(x)));
	call_site site = {.where = where, .op = "optimization_barrier"};

	if (!operands_check(&site, &x, 1)) return poison_of(site.ctx);
	return bind(&site, &tsr__prim_optimization_barrier, NULL, &x, 1);
}

void tsr_optimization_barrier_into_at(const char *where, const tsr_out *outs, size_t nout,
                                      const tsr_arg *args, size_t n)
{
	FLOW(flow, f);
	const bool ok = barrier(&f, where, args, n);

	flow_into(&f, ok, outs, nout);
}

tsr *tsr_checkpoint_name_at(const char *where, tsr *x, const char *name)
{
	TURN_OF(tsr_ctx_of(x), where, poison_of(tsr_ctx_of(x)));
	call_site site = {.where = where, .op = "checkpoint_name"};

	if (!operands_check(&site, &x, 1)) return poison_of(site.ctx);
	if (!name || !name_fits(name, strlen(name)))
		return refuse(&site, TSR_ERROR_ARGUMENT,
		              "checkpoint_name: '%s' cannot name a value; use letters, digits, '_' "
		              "and '.'",
		              name ? name : "(NULL)");
	return bind(&site, &tsr__prim_name, &(name_params){name}, &x, 1);
}
