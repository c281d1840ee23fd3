/* cells.c - one step of a recurrent net: flax's SimpleCell, OptimizedLSTMCell and GRUCell. Kernels
 * of the gates are side by side in one, so that a step is two products. */
#include "lib/nn/layers.h"

typedef struct cell {
	call_site site;
	tsr *h, *x, *kernel, *recurrent, *bias;
	int gates;
	int64_t hidden;
} cell;

/* false: recorded */
static bool cell_begin(cell *c)
{
	tsr *const all[] = {c->h, c->x, c->kernel, c->recurrent, c->bias};

	if (!operands_check(&c->site, all, c->bias ? 5 : 4)) return false;
	const type *h = handle_type(c->h), *x = handle_type(c->x);
	const int64_t hidden = h->ndim ? h->dims[h->ndim - 1] : 0, of = c->gates * hidden;
	if (!h->ndim || !x->ndim || !dims_same(h->dims, h->ndim - 1, x->dims, x->ndim - 1))
		return fail_types(&c->site, "takes h [..., hidden] and x [..., in], not", all, 2);
	c->hidden = hidden;
	return parameter_fits(&c->site, "the kernel", c->kernel,
	                      (int64_t[]){x->dims[x->ndim - 1], of}, 2) &&
	       parameter_fits(&c->site, "the recurrent kernel", c->recurrent,
	                      (int64_t[]){hidden, of}, 2) &&
	       (!c->bias || parameter_fits(&c->site, "the bias", c->bias, &of, 1));
}

static tsr_arg product(const cell *c, tsr *x, tsr *kernel, tsr *bias, tsr_dtype dtype)
{
	const tsr_linear_args how = {.size = sizeof how, .dtype = dtype};

	return HANDLE(tsr_linear_at(c->site.where, x, kernel, bias, &how));
}

/* what each gate gets of the sum of products. false: poison */
static bool split_gates(const cell *c, tsr_arg all, tsr_arg *gate)
{
	tsr *part[4];

	const bool ok = tsr_split_at(c->site.where, all.as.one, -1, part, (size_t)c->gates, NULL);
	for (int i = 0; i < c->gates; i++) gate[i] = HANDLE(part[i]);
	return ok;
}

tsr *lib_rnn_cell(call_site *site, tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias,
                  const tsr_rnn_cell_args *a)
{
	cell c = {*site, h, x, kernel, recurrent, bias, .gates = 1};

	if (!cell_begin(&c)) return poison_of(c.site.ctx);
	tsr_arg y = ADD(product(&c, x, kernel, bias, a->dtype),
	                product(&c, h, recurrent, NULL, a->dtype));
	if (a->residual) y = ADD(y, HANDLE(h));
	return OP_1(tanh, y).as.one;
}

static bool no_cell(const cell *c, tsr **out)
{
	out[0] = out[1] = poison_of(c->site.ctx);
	return false;
}

bool lib_lstm_cell(call_site *site, tsr *memory, tsr *h, tsr *x, tsr *kernel, tsr *recurrent,
                   tsr *bias, tsr *out[2], const tsr_lstm_cell_args *a)
{
	cell c = {*site, h, x, kernel, recurrent, bias, .gates = 4};
	tsr_arg gate[4];

	if (!cell_begin(&c) || !operands_check(&c.site, (tsr *[]){h, memory}, 2) ||
	    !parameter_fits(&c.site, "c", memory, handle_type(h)->dims, handle_type(h)->ndim))
		return no_cell(&c, out);
	const tsr_arg sum = ADD(product(&c, x, kernel, NULL, a->dtype),
	                        product(&c, h, recurrent, bias, a->dtype));
	if (!split_gates(&c, sum, gate)) return no_cell(&c, out);
	const tsr_arg kept = MUL(OP_1(logistic, gate[1]), HANDLE(memory));
	const tsr_arg now = ADD(kept, MUL(OP_1(logistic, gate[0]), OP_1(tanh, gate[2])));
	const tsr_arg state = MUL(OP_1(logistic, gate[3]), OP_1(tanh, now));
	if (handle_is_poison(state.as.one)) return no_cell(&c, out);
	out[0] = now.as.one;
	out[1] = state.as.one;
	return true;
}

tsr *lib_gru_cell(call_site *site, tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias,
                  const tsr_gru_cell_args *a)
{
	cell c = {*site, h, x, kernel, recurrent, bias, .gates = 3};
	tsr_arg of_x[4], of_h[4];

	if (!cell_begin(&c)) return poison_of(c.site.ctx);
	if (a->recurrent_bias &&
	    (!operands_check(&c.site, (tsr *[]){h, a->recurrent_bias}, 2) ||
	     !parameter_fits(&c.site, ".recurrent_bias", a->recurrent_bias, &c.hidden, 1)))
		return poison_of(c.site.ctx);
	if (!split_gates(&c, product(&c, x, kernel, bias, a->dtype), of_x) ||
	    !split_gates(&c, product(&c, h, recurrent, NULL, a->dtype), of_h))
		return poison_of(c.site.ctx);
	const tsr_arg r = OP_1(logistic, ADD(of_x[0], of_h[0]));
	const tsr_arg z = OP_1(logistic, ADD(of_x[1], of_h[1]));
	const tsr_arg old = HANDLE(add_bias(site, of_h[2].as.one, a->recurrent_bias));
	const tsr_arg n = OP_1(tanh, ADD(of_x[2], MUL(r, old)));
	return ADD(MUL(SUB(NUM(1), z), n), MUL(z, HANDLE(h))).as.one;
}
