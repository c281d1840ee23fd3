/* fori.c - traces tsr_fori: a body that is given the number of the step.
 *
 * The number is carried along with the rest. If both bounds are C numbers, the length is known and
 * the loop is a scan, which has a derivative backward; otherwise it is a while.
 *
 * Example:
 *
 *     static tsr *plus(tsr *i, tsr *x) { return tsr_add(x, i); }
 *     static tsr *thrice(tsr *x) { return tsr_fori(0, 3, plus, x); }
 *
 * The first carry is i, which the step counts up beside what the body does:
 *
 *     thrice(%0: f32[4]) -> f32[4] {
 *       %1: i32*[], %2: f32[4] = scan 0:i32* %0 length=3 consts=0 carry=2 unroll=1
 *         body=body(%0: i32*[], %1: f32[4]) -> i32*[], f32[4] {
 *         %2: i32*[] = add %0 1:i32*
 *         %3: f32[] = convert_element_type %0 dtype=f32
 *         %4: f32[4] = broadcast_in_dim %3 dims=[4] at=[]
 *         %5: f32[4] = add %1 %4
 *         return %2 %5
 *       }
 *       return %2
 *     } */
#include "trace/control/control.h"

typedef struct bounds {
	bool known;
	int64_t from, to;
	tsr *lower, *upper;
} bounds;

/* ---- bounds */

static bool number_of(const flow *f, const char *what, const tsr_arg *a, int64_t *out)
{
	const bool whole =
		a->kind == TSR_KIND_INT || (a->kind == TSR_KIND_UINT && a->as.u <= INT64_MAX);

	*out = a->as.i;
	return whole ||
	       flow_fail(f, TSR_ERROR_TYPE, "fori: %s must be an integer of at most 64 bits", what);
}

static bool is_number(const tsr_arg *a) { return a->kind > TSR_KIND_TREE; }

static bool check_bound(const flow *f, const char *what, const tsr *h)
{
	const type *t = handle_type(h);
	const enum dtype_kind kind = dtype_kind(t->dtype);
	str s = {.base = &f->site.ctx->base};

	if (!t->ndim && (kind == KIND_INT || kind == KIND_UINT)) return true;
	flow_put_type(f, &s, t);
	flow_fail(f, TSR_ERROR_TYPE, "fori: %s must be an integer scalar, got %s", what,
	          s.s ? s.s : "?");
	str_free(&s);
	return false;
}

static bool read_known(const flow *f, const tsr_arg *lower, const tsr_arg *upper, bounds *b)
{
	if (!number_of(f, "lower", lower, &b->from) || !number_of(f, "upper", upper, &b->to))
		return false;
	b->known = true;
	const base *bs = &f->site.ctx->base;
	const etype both = etype_join(etype_of_number(bs, lower), etype_of_number(bs, upper));
	b->lower = constant_as(&f->site, both, lower);
	return !handle_is_poison(b->lower);
}

/* a bound that is a number takes the dtype of a bound that is a handle */
static bool read_bound(const flow *f, const char *what, const tsr_arg *a, const tsr_arg *other,
                       tsr **out)
{
	int64_t value;

	if (!is_number(a)) return flow_operand(f, what, a, out) && check_bound(f, what, *out);
	if (!number_of(f, what, a, &value) || !flow_operand(f, "other bound", other, out) ||
	    !check_bound(f, "the other bound", *out))
		return false;
	*out = constant_as(&f->site, etype_of(handle_type(*out)), a);
	return !handle_is_poison(*out);
}

static bool read_bounds(const flow *f, const tsr_arg *lower, const tsr_arg *upper, bounds *b)
{
	*b = (bounds){0};
	if (is_number(lower) && is_number(upper)) return read_known(f, lower, upper, b);
	if (!read_bound(f, "lower bound", lower, upper, &b->lower) ||
	    !read_bound(f, "upper bound", upper, lower, &b->upper))
		return false;
	const etype both = etype_join(etype_of(handle_type(b->lower)),
	                              etype_of(handle_type(b->upper)));
	if (handle_type(b->lower)->weak) b->lower = convert_as(&f->site, b->lower, both);
	if (handle_type(b->upper)->weak) b->upper = convert_as(&f->site, b->upper, both);
	if (handle_is_poison(b->lower) || handle_is_poison(b->upper)) return false;
	const tsr_dtype from = handle_type(b->lower)->dtype, to = handle_type(b->upper)->dtype;
	return from == to || flow_fail(f, TSR_ERROR_TYPE,
	                               "lower and upper arguments to fori must have equal types, "
	                               "got %s and %s",
	                               tsr_dtype_name(from), tsr_dtype_name(to));
}

/* ---- the body as a step of the loop: (i, carry) -> (i + 1, body(i, carry)) */

static program *count_up(const flow *f, const program *p)
{
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	var *x = b ? arena_array(build_arena(b), (size_t)(p->nin + p->nout) + 1, sizeof *x) : NULL;
	bool ok = x;

	for (int i = 0; ok && i < p->nin; i++)
		ok = (x[i] = build_input(b, type_of(p, p->in[i]))).id;
	var *y = ok ? x + p->nin : NULL;
	if (ok) {
		build_at(b, f->site.where);
		y[0] = emit_2(b, &tsr__prim_add, x[0],
		              emit_number(b, etype_of(build_type(b, x[0])), 1));
		ok = !build_failed(b) && build_inline(b, p, x, y + 1, NULL);
	}
	if (ok) return build_end(b, y, p->nout + 1);
	build_abandon(b);
	return NULL;
}

static bool step_of(loop *l)
{
	traced_body *p = &l->body;
	int *out = arena_array(l->f.scratch, (size_t)p->nout + 1, sizeof *out);
	int *count = arena_array(l->f.scratch, (size_t)p->shape.n + 1, sizeof *count);

	if (!out || !count || !(p->own = count_up(&l->f, p->p))) return false;
	for (int i = 0; i < p->nout; i++) out[1 + i] = p->out[i] < 0 ? -1 : 1 + p->out[i];
	for (int i = 0; i < p->shape.n; i++) count[1 + i] = p->shape.count[i];
	count[0] = 1;
	p->p = p->own;
	p->out = out;
	p->nout++;
	p->shape = (result_shape){1 + p->shape.n, count};
	return true;
}

/* ---- i < upper; inputs: upper, i, the rest of the carry */
static program *below(const loop *l, const type *upper)
{
	int naxes;
	const axis *axes = trace_axes(l->f.site.ctx, &naxes);
	build *b = build_begin(&l->f.site.ctx->ir, "below", axes, naxes);
	bool ok = b;

	if (!ok) return NULL;
	const var limit = build_input(b, upper);
	var first = {0};
	for (int i = 0; ok && i < l->nleaves; i++) {
		if (!l->f.args.types[i]) continue;
		const var v = build_input(b, l->f.args.types[i]);
		if (i == 0) first = v;
		ok = v.id;
	}
	if (ok && limit.id) {
		build_at(b, l->f.site.where);
		const var less = emit_2(b, &tsr__prim_lt, first, limit);
		if (!build_failed(b)) return build_end(b, &less, 1);
	}
	build_abandon(b);
	return NULL;
}

static bool bind_dynamic(loop *l, tsr *upper)
{
	program *pred = below(l, trace_type(l->f.site.ctx, upper));
	const bool ok = pred && bind_while(l, NULL, pred, upper, 1);

	program_release(pred);
	return ok;
}

static bool bind_known(loop *l, const bounds *b, int unroll)
{
	const uint64_t length = b->to > b->from ? (uint64_t)b->to - (uint64_t)b->from : 0;

	if (length > INT64_MAX)
		return flow_fail(&l->f, TSR_ERROR_ARGUMENT, "fori: too many steps to count");
	return bind_scan(l, &(scan_params){.length = (int64_t)length, .unroll = unroll}, 1);
}

/* what tsr_fori is called with */
typedef struct fori_call {
	tsr_arg lower, upper;
	int unroll; /* steps for each turn of the loop; 0: one */
	const tsr_arg *init;
	size_t n;
} fori_call;

static bool fori(loop *l, tsr_body body, const fori_call *c)
{
	tsr_arg args[TSR_MAX_ARGS] = {{.kind = TSR_KIND_NONE}};
	bounds b;

	if (c->n >= TSR_MAX_ARGS)
		return flow_fail(&l->f, TSR_ERROR_ARGUMENT,
		                 "fori carries at most %d values, got %zu", TSR_MAX_ARGS - 1, c->n);
	if (!read_bounds(&l->f, &c->lower, &c->upper, &b)) return false;
	if (c->unroll > 1 && !b.known)
		return flow_fail(&l->f, TSR_ERROR_ARGUMENT,
		                 "fori can only be unrolled if its bounds are C numbers");
	args[0] = tsr_arg_one(b.lower);
	for (size_t i = 0; i < c->n; i++) args[1 + i] = c->init[i];
	if (!loop_args(l, args, 1 + c->n, 1 + (int)c->n)) return false;
	const type **t = &l->f.args.types[0];
	const axis_set upper_over = b.known ? 0 : trace_type(l->f.site.ctx, b.upper)->varying;
	if (!(*t = type_vary(&l->f.site.ctx->ir, *t, (*t)->varying | upper_over))) return false;
	const axis_set over = b.known ? 0 : (*t)->varying;
	return settle_body(l, body, over, step_of) &&
	       (b.known ? bind_known(l, &b, c->unroll ? c->unroll : 1)
	                : bind_dynamic(l, b.upper));
}

static bool fori_begin(loop *l, const char *where, tsr_body body, const fori_call *c)
{
	const tsr_arg *first = is_number(&c->lower) ? &c->upper : &c->lower;

	*l = (loop){0};
	if (!flow_begin(&l->f, where, "fori", first, c->init, c->n, &body, 1)) return false;
	if (c->unroll < 0)
		return flow_fail(&l->f, TSR_ERROR_ARGUMENT, "fori: unroll cannot be negative");
	const bool ok = fori(l, body, c);
	traced_body_done(&l->body);
	return ok;
}

static tsr *fori_one(const char *where, tsr_body body, const fori_call *c)
{
	FLOW(loop, l);
	const bool ok = fori_begin(&l, where, body, c);

	return flow_one(&l.f, ok);
}

static void fori_into(const char *where, const tsr_out *outs, size_t nout, tsr_body body,
                      const fori_call *c)
{
	FLOW(loop, l);
	const bool ok = fori_begin(&l, where, body, c);

	flow_into(&l.f, ok, outs, nout);
}

void tsr_fori_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_arg lower,
                      tsr_arg upper, tsr_body body, const tsr_arg *init, size_t n)
{
	fori_into(where, outs, nout, body, &(fori_call){lower, upper, 0, init, n});
}

tsr *tsr_fori_at(const char *where, tsr_arg lower, tsr_arg upper, tsr_body body,
                 const tsr_arg *init, size_t n)
{
	return fori_one(where, body, &(fori_call){lower, upper, 0, init, n});
}

void tsr_fori_unrolled_into_at(const char *where, const tsr_out *outs, size_t nout, int unroll,
                               tsr_arg lower, tsr_arg upper, tsr_body body, const tsr_arg *init,
                               size_t n)
{
	fori_into(where, outs, nout, body, &(fori_call){lower, upper, unroll, init, n});
}

tsr *tsr_fori_unrolled_at(const char *where, int unroll, tsr_arg lower, tsr_arg upper,
                          tsr_body body, const tsr_arg *init, size_t n)
{
	return fori_one(where, body, &(fori_call){lower, upper, unroll, init, n});
}
