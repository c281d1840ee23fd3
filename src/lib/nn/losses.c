/* losses.c - losses: optax's formulas (optax/losses). */
#include "lib/nn/layers.h"

/* are they real floats? false: recorded */
static bool is_float(const call_site *site, const char *what, tsr *x)
{
	const tsr_dtype own = handle_type(x)->dtype;

	return dtype_kind(own) == KIND_FLOAT ||
	       fail_op(site, TSR_ERROR_TYPE, "%s must be real floats, not %s", what,
	               tsr_dtype_name(own));
}

/* ---- of classes */

typedef struct classes {
	call_site site;
	int dim;
	tsr *where; /* with as many dims as the predictions, or NULL */
} classes;

/* x: what has the dim of the classes, which is named `what`; false: recorded */
static bool classes_begin(classes *c, const char *what, tsr *x, const tsr_classes_args *a)
{
	c->where = a->where;
	if (!operands_check(&c->site, (tsr *[]){x, a->where}, a->where ? 2 : 1) ||
	    !is_float(&c->site, what, x) ||
	    !one_dim_read(&c->site, &a->dim, handle_type(x)->ndim, -1, &c->dim))
		return false;
	if (c->where && handle_type(c->where)->ndim < handle_type(x)->ndim)
		c->where = tsr_expand_dims_at(c->site.where, c->where, TSR_DIMS(c->dim));
	return !c->where || !handle_is_poison(c->where);
}

static tsr_arg sum_of(const classes *c, tsr_arg x, bool keep)
{
	const tsr_sum_args how = {.size = sizeof how, .dims = TSR_DIMS(c->dim), .keep = keep,
	                          .where = c->where};

	return HANDLE(tsr_sum_at(c->site.where, x.as.one, &how));
}

tsr *lib_softmax_cross_entropy(call_site *site, tsr *logits, tsr *labels, const tsr_classes_args *a)
{
	classes c = {.site = *site};

	if (!classes_begin(&c, "logits", logits, a)) return poison_of(c.site.ctx);
	const tsr_softmax_args of = {.size = sizeof of, .where = c.where};
	tsr_arg chances = HANDLE(tsr_log_softmax_at(site->where, logits, c.dim, &of));
	if (c.where) chances = WHERE(HANDLE(c.where), chances, NUM(0)); /* not -inf times 0 */
	return NEG(sum_of(&c, MUL(HANDLE(labels), chances), false)).as.one;
}

/* labels have the dims of logits but for one, and are integers. false: recorded */
static bool names_classes(const classes *c, tsr *logits, tsr *labels)
{
	call_site own = c->site;

	if (!operands_check(&own, (tsr *[]){logits, labels}, 2)) return false;
	const type *t = handle_type(logits), *u = handle_type(labels);
	bool fits = u->ndim == t->ndim - 1 && (dtype_kind(u->dtype) == KIND_INT ||
	                                       dtype_kind(u->dtype) == KIND_UINT);
	for (int d = 0; fits && d < u->ndim; d++) fits = u->dims[d] == t->dims[d + (d >= c->dim)];
	return fits || fail_types(&c->site,
	                          "takes logits, and integers with their dims but for that of the "
	                          "classes, not", (tsr *[]){logits, labels}, 2);
}

tsr *lib_softmax_cross_entropy_with_integer_labels(call_site *site, tsr *logits, tsr *labels,
                                                   const tsr_classes_args *a)
{
	const char *where = site->where;
	classes c = {.site = *site};
	const tsr_index_args fill = {.size = sizeof fill};

	if (!classes_begin(&c, "logits", logits, a) || !names_classes(&c, logits, labels))
		return poison_of(c.site.ctx);
	const tsr_dims along = TSR_DIMS(c.dim);
	const tsr_logsumexp_args all = {.size = sizeof all, .dims = along, .where = c.where};
	tsr *at = tsr_expand_dims_at(where, labels, along);
	tsr *own = tsr_take_along_at(where, logits, c.dim, at, &fill);
	const tsr_arg loss = SUB(HANDLE(tsr_logsumexp_at(where, logits, &all)),
	                         HANDLE(tsr_squeeze_at(where, own, along)));
	if (!c.where) return loss.as.one;
	const tsr_all_args any = {.size = sizeof any, .dims = along};
	return WHERE(HANDLE(tsr_any_at(where, c.where, &any)), loss, NUM(0)).as.one;
}

tsr *lib_smooth_labels(call_site *site, tsr *labels, tsr_arg alpha, const tsr_classes_args *a)
{
	classes c = {.site = *site};

	if (!classes_begin(&c, "labels", labels, a) ||
	    !operands_given(&c.site, "operand", (tsr_arg[]){HANDLE(labels), alpha}, 2))
		return poison_of(c.site.ctx);
	tsr_arg count = INT(handle_type(labels)->dims[c.dim]);
	if (c.where) {
		const tsr_arg mask = HANDLE(c.where);
		c.where = NULL;
		count = sum_of(&c, mask, true);
	}
	return ADD(MUL(SUB(NUM(1), alpha), HANDLE(labels)), DIV(alpha, count)).as.one;
}

tsr *lib_sigmoid_binary_cross_entropy(call_site *site, tsr *logits, tsr *labels)
{
	if (!operands_check(site, (tsr *[]){logits, labels}, 2) ||
	    !is_float(site, "logits", logits))
		return poison_of(site->ctx);
	const tsr_arg x = HANDLE(logits), yes = TO(dtype_of_operand(x), HANDLE(labels));
	const tsr_arg of_yes = MUL(NEG(yes), OP_1(log_sigmoid, x));
	return SUB(of_yes, MUL(SUB(NUM(1), yes), OP_1(log_sigmoid, NEG(x)))).as.one;
}

/* ---- of numbers */

/* predictions less targets, if there are any. false: recorded */
static bool errors_of(call_site *site, tsr *predictions, tsr *targets, tsr_arg *to)
{
	if (!operands_check(site, (tsr *[]){predictions, targets}, targets ? 2 : 1) ||
	    !is_float(site, "predictions", predictions))
		return false;
	*to = targets ? SUB(HANDLE(predictions), HANDLE(targets)) : HANDLE(predictions);
	return !handle_is_poison(to->as.one);
}

/* targets of other dims are refused, which would broadcast a column with a row */
static bool same_dims(call_site *site, tsr *predictions, tsr *targets)
{
	if (!targets) return true;
	if (!operands_check(site, (tsr *[]){predictions, targets}, 2)) return false;
	const type *t = handle_type(predictions), *u = handle_type(targets);
	return dims_same(t->dims, t->ndim, u->dims, u->ndim) ||
	       fail_types(site, "takes predictions and targets of the same dims, not",
	                  (tsr *[]){predictions, targets}, 2);
}

tsr *lib_squared_error(call_site *site, tsr *predictions, tsr *targets)
{
	tsr_arg e;

	if (!same_dims(site, predictions, targets) || !errors_of(site, predictions, targets, &e))
		return poison_of(site->ctx);
	return OP_1(square, e).as.one;
}

tsr *lib_l2_loss(call_site *site, tsr *predictions, tsr *targets)
{
	return MUL(NUM(0.5), HANDLE(tsr_squared_error_at(site->where, predictions, targets)))
	        .as.one;
}

tsr *lib_huber_loss(call_site *site, tsr *predictions, tsr *targets, const tsr_huber_args *a)
{
	const tsr_arg delta = NUM(a->delta != 0 ? a->delta : 1);
	tsr_arg e;

	if (!errors_of(site, predictions, targets, &e)) return poison_of(site->ctx);
	e = OP_1(abs, e);
	const tsr_arg near = OP_2(minimum, e, delta), far = SUB(e, near);
	return ADD(MUL(NUM(0.5), OP_1(square, near)), MUL(delta, far)).as.one;
}
