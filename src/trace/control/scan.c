/* scan.c - traces tsr_scan and tsr_map: a body on slices of arrays.
 *
 * Example:
 *
 *     static void running(tsr_frame *f)
 *     {
 *             tsr *sum = tsr_add(tsr_frame_arg(f, 0), tsr_frame_arg(f, 1));
 *             tsr_return(f, sum, sum);
 *     }
 *     static void sums(tsr_frame *f)
 *     {
 *             tsr *last, *all, *x = tsr_frame_arg(f, 0);
 *             tsr_scan_into(TSR_OUT(&last, &all), running, tsr_scalar(x, 0.f), x);
 *             tsr_return(f, last, all);
 *     }
 *
 * The first result of the body goes to the next step, and the second one is stacked:
 *
 *     sums(%0: f32[4]) -> f32[], f32[4] {
 *       %1: f32[], %2: f32[4] = scan 0.0:f32 %0 length=4 consts=0 carry=1 unroll=1
 *         body=body(%0: f32[], %1: f32[]) -> f32[], f32[] {
 *         %2: f32[] = add %0 %1
 *         return %2 %2 }
 *       return %1 %2
 *     } */
#include "trace/control/control.h"

static void add_xs(order *o, const loop *l)
{
	const leaves *args = &l->f.args;

	for (int i = l->nleaves; i < args->n; i++)
		if (args->types[i])
			order_add(o, args->leaf[i].handle,
			          trace_type(l->f.site.ctx, args->leaf[i].handle));
}

/* drop: results at the front that are not the call's */
bool bind_scan(loop *l, scan_params *p, int drop)
{
	const traced_body *body = &l->body;
	order o;

	p->consts = traced_body_nconsts(body);
	p->carry = count_carry(l);
	program *ordered = consts_first(l, body, (int)p->carry);
	p->body = ordered;
	bool ok = ordered && order_make(&l->f, &o, body->p->nin);
	if (ok) {
		const result_shape shape = {body->shape.n - drop, body->shape.count + drop};
		add_consts(&o, body);
		add_carry(&o, l);
		add_xs(&o, l);
		ok = flow_bind(&l->f, &tsr__prim_scan, p, o.x, o.types, o.n, body->p->nout,
		               body->out + drop, body->nout - drop, &shape);
	}
	program_release(ordered);
	return ok;
}

bool length_of(loop *l, int64_t given, int64_t *length)
{
	const leaves *args = &l->f.args;
	str sizes = {.base = &l->f.site.ctx->base};
	bool some = false, differ = false;

	*length = given;
	for (int i = l->nleaves; i < args->n; i++) {
		const type *t = args->types[i];
		if (t && !t->ndim) {
			leaf_text(&sizes, args, i);
			flow_fail(&l->f, TSR_ERROR_TYPE,
			          "%s got value with no leading dim to scan over: %s", l->f.site.op,
			          sizes.s ? sizes.s : "?");
			str_free(&sizes);
			return false;
		}
		if (!t) continue;
		str_printf(&sizes, some ? ", %lld" : "%lld", (long long)t->dims[0]);
		if (!some && !given) *length = t->dims[0];
		differ = differ || t->dims[0] != *length;
		some = true;
	}
	if (differ && given)
		flow_fail(&l->f, TSR_ERROR_TYPE,
		          "%s got .length of %lld, which disagrees with leading dim sizes %s",
		          l->f.site.op, (long long)given, sizes.s ? sizes.s : "?");
	else if (differ)
		flow_fail(&l->f, TSR_ERROR_TYPE,
		          "%s got values with different leading dim sizes: %s", l->f.site.op,
		          sizes.s ? sizes.s : "?");
	else if (!some && !given)
		flow_fail(&l->f, TSR_ERROR_ARGUMENT,
		          "%s got no values to scan over and .length not provided", l->f.site.op);
	str_free(&sizes);
	return !differ && (some || given);
}

/* the body sees slices */
static bool slice_xs(loop *l)
{
	leaves *args = &l->f.args;

	for (int i = l->nleaves; i < args->n; i++)
		if (args->types[i] &&
		    !(args->types[i] = type_slice(&l->f.site.ctx->ir, args->types[i])))
			return false;
	return true;
}

static bool scan(loop *l, tsr_body body, const tsr_arg *args, size_t n, int ncarry,
                 const tsr_scan_args *a)
{
	scan_params p = {.unroll = a->unroll ? a->unroll : 1, .reverse = a->reverse};

	if (a->length < 0 || a->unroll < 0)
		return flow_fail(&l->f, TSR_ERROR_ARGUMENT,
		                 "%s: .length and .unroll cannot be negative", l->f.site.op);
	const bool ok = loop_args(l, args, n, ncarry) && length_of(l, a->length, &p.length) &&
	                slice_xs(l) && settle_body(l, body, 0, NULL) && bind_scan(l, &p, 0);
	traced_body_done(&l->body);
	return ok;
}

static bool has_leaves(const tsr_arg *a)
{
	return a->kind == TSR_KIND_TREE ? a->as.tree.count : a->kind != TSR_KIND_NONE;
}

static bool scan_call(loop *l, const char *where, tsr_body body, const tsr_arg *init,
                      const tsr_arg *xs, const tsr_scan_args *given)
{
	const tsr_scan_args *a = KEYWORDS(tsr_scan_args, where, NULL, given);
	tsr_arg args[2];
	size_t n = 0;

	*l = (loop){0};
	if (!a) return false;
	if (has_leaves(init)) args[n++] = *init;
	const int ncarry = (int)n;
	if (has_leaves(xs)) args[n++] = *xs;
	return flow_begin(&l->f, where, "scan", NULL, args, n, &body, 1) &&
	       scan(l, body, args, n, ncarry, a);
}

void tsr_scan_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_body body,
                      tsr_arg init, tsr_arg xs, const tsr_scan_args *args)
{
	FLOW(loop, l);
	const bool ok = scan_call(&l, where, body, &init, &xs, args);

	flow_into(&l.f, ok, outs, nout);
}

tsr *tsr_scan_at(const char *where, tsr_body body, tsr_arg init, tsr_arg xs,
                 const tsr_scan_args *args)
{
	FLOW(loop, l);
	const bool ok = scan_call(&l, where, body, &init, &xs, args);

	return flow_one(&l.f, ok);
}

bool map_all(loop *l, tsr_body body, const tsr_arg *xs, size_t n)
{
	return scan(l, body, xs, n, 0, &(tsr_scan_args){.size = sizeof(tsr_scan_args)});
}

static bool map_call(loop *l, const char *where, tsr_body body, const tsr_arg *xs, size_t n)
{
	*l = (loop){0};
	return flow_begin(&l->f, where, "map", NULL, xs, n, &body, 1) && map_all(l, body, xs, n);
}

void tsr_map_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_body body,
                     const tsr_arg *xs, size_t n)
{
	FLOW(loop, l);
	const bool ok = map_call(&l, where, body, xs, n);

	flow_into(&l.f, ok, outs, nout);
}

tsr *tsr_map_at(const char *where, tsr_body body, const tsr_arg *xs, size_t n)
{
	FLOW(loop, l);
	const bool ok = map_call(&l, where, body, xs, n);

	return flow_one(&l.f, ok);
}
