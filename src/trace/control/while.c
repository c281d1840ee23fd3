/* while.c - traces tsr_while: a body that runs as long as another one gives true.
 *
 * Example:
 *
 *     static tsr *below(tsr *x) { return tsr_lt(tsr_sum(x), limit); }
 *     static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
 *     static tsr *grown(tsr *x)
 *     {
 *             limit = tsr_max(x);
 *             return tsr_while(below, twice, x);
 *     }
 *
 * limit is captured: a constant of the condition, in front of the carry. The body has none:
 *
 *     grown(%0: f32[4]) -> f32[4] {
 *       %1: f32[] = reduce_max %0 dims=[0]
 *       %2: f32[4] = while %1 %0 cond_consts=1 body_consts=0
 *         cond=cond_fn(%0: f32[], %1: f32[4]) -> bool[] {
 *         %2: f32[] = reduce_sum %1 dims=[0]
 *         %3: bool[] = lt %2 %0
 *         return %3
 *       } body=body(%0: f32[4]) -> f32[4] { .. }
 *       return %2
 *     } */
#include "trace/control/control.h"

static bool check_pred(const loop *l, const traced_body *cond, axis_set *over)
{
	const program *p = cond->p;
	str s = {.base = &l->f.site.ctx->base};

	*over = p->nout == 1 ? type_of(p, p->out[0])->varying : 0;
	if (cond->nout == 1 && p->nout == 1 && !type_of(p, p->out[0])->ndim &&
	    type_of(p, p->out[0])->dtype == TSR_BOOL)
		return true;
	for (int i = 0; i < p->nout; i++) {
		if (i) str_put(&s, ", ");
		flow_put_type(&l->f, &s, type_of(p, p->out[i]));
	}
	flow_fail(&l->f, TSR_ERROR_TYPE,
	          "cond_fn of while must return a boolean scalar, but got output type(s) [%s]",
	          s.s ? s.s : "");
	str_free(&s);
	return false;
}

/* operands: the constants of cond (or upper, where cond is NULL), those of the body, and the
 * carry */
bool bind_while(loop *l, const traced_body *cond, const program *pred, tsr *upper, int drop)
{
	const traced_body *body = &l->body;
	const int ncarry = count_carry(l), nconsts = cond ? traced_body_nconsts(cond) : 1;
	program *ordered = consts_first(l, body, ncarry);
	const while_params p = {nconsts, traced_body_nconsts(body), pred, ordered};
	order o;
	bool ok = ordered && pred && order_make(&l->f, &o, nconsts + body->p->nin);

	if (ok) {
		const result_shape shape = {body->shape.n - drop, body->shape.count + drop};
		if (cond)
			add_consts(&o, cond);
		else
			order_add(&o, upper, type_of(pred, pred->in[0]));
		add_consts(&o, body);
		add_carry(&o, l);
		ok = flow_bind(&l->f, &tsr__prim_while, &p, o.x, o.types, o.n, body->p->nout,
		               body->out + drop, body->nout - drop, &shape);
	}
	program_release(ordered);
	return ok;
}

static bool settle_while(loop *l, tsr_body cond_fn, tsr_body body, traced_body *cond)
{
	axis_set over = 0;

	for (bool again = true; again;) {
		traced_body_done(cond);
		traced_body_done(&l->body);
		if (!traced_body_make(&l->f, cond_fn, "cond_fn", 0, cond) ||
		    !check_pred(l, cond, &over) ||
		    !traced_body_make(&l->f, body, "body", 0, &l->body) || !carry_fits(l, true) ||
		    !settle(l, over, &again))
			return false;
	}
	return check_exchanges(&l->f, cond->p, over) && check_exchanges(&l->f, l->body.p, over) &&
	       check_carry(l, over);
}

static bool while_call(loop *l, const char *where, tsr_body cond_fn, tsr_body body,
                       const tsr_arg *init, size_t n)
{
	const tsr_body bodies[] = {cond_fn, body};
	traced_body cond = {0};

	*l = (loop){0};
	if (!flow_begin(&l->f, where, "while", NULL, init, n, bodies, 2)) return false;
	bool ok = loop_args(l, init, n, (int)n) && settle_while(l, cond_fn, body, &cond);
	if (ok) {
		program *pred = consts_first(l, &cond, 0);
		ok = bind_while(l, &cond, pred, NULL, 0);
		program_release(pred);
	}
	traced_body_done(&cond);
	traced_body_done(&l->body);
	return ok;
}

void tsr_while_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_body cond_fn,
                       tsr_body body, const tsr_arg *init, size_t n)
{
	FLOW(loop, l);
	const bool ok = while_call(&l, where, cond_fn, body, init, n);

	flow_into(&l.f, ok, outs, nout);
}

tsr *tsr_while_at(const char *where, tsr_body cond_fn, tsr_body body, const tsr_arg *init, size_t n)
{
	FLOW(loop, l);
	const bool ok = while_call(&l, where, cond_fn, body, init, n);

	return flow_one(&l.f, ok);
}
