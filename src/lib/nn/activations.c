/* activations.c - activations and other functions of neural networks: jax.nn's formulas
 * (jax/_src/nn/functions.py). */
#include <math.h>
#include "lib/formula.h"

FORMULA_1(relu6, PROMOTE_BESIDE_FLOAT,
          WHERE(IS(le, x, NUM(0)), NUM(0), WHERE(IS(ge, x, NUM(6)), NUM(6), x)))
FORMULA_1(softplus, PROMOTE_TYPES, OP_2(logaddexp, x, INT(0)))
FORMULA_1(soft_sign, PROMOTE_TYPES, DIV(x, ADD(OP_1(abs, x), INT(1))))
FORMULA_1(silu, PROMOTE_INEXACT, MUL(x, OP_1(logistic, x)))
FORMULA_1(log_sigmoid, PROMOTE_INEXACT, NEG(OP_1(softplus, NEG(x))))
FORMULA_1(hard_tanh, PROMOTE_TYPES,
          WHERE(IS(gt, x, INT(1)), INT(1), WHERE(IS(lt, x, INT(-1)), INT(-1), x)))
FORMULA_1(hard_sigmoid, PROMOTE_BESIDE_FLOAT, DIV(OP_1(relu6, ADD(x, NUM(3))), NUM(6)))
FORMULA_1(hard_silu, PROMOTE_BESIDE_FLOAT, MUL(x, OP_1(hard_sigmoid, x)))
FORMULA_1(mish, PROMOTE_TYPES, MUL(x, OP_1(tanh, OP_1(softplus, x))))
FORMULA_1(sparse_plus, PROMOTE_BESIDE_FLOAT,
          WHERE(IS(le, x, NUM(-1)), NUM(0),
                WHERE(IS(ge, x, NUM(1)), x, DIV(OP_1(square, ADD(x, NUM(1))), NUM(4)))))
FORMULA_1(sparse_sigmoid, PROMOTE_BESIDE_FLOAT,
          MUL(NUM(0.5), OP_2(minimum, OP_2(maximum, ADD(x, NUM(1)), NUM(0)), NUM(2))))

/* ---- in pieces: each gets only numbers that are in it, so that the others' infinite slopes do not
 * reach derivatives */

/* log(-expm1(-x)) below log 2, log1p(-e^-x) above */
static tsr_arg log_less_exp(const call_site *site, tsr_arg x)
{
	const tsr_arg near = IS(lt, x, NUM(0.69314718055994530942));
	const tsr_arg low = WHERE(near, x, NUM(0.5)), high = WHERE(near, NUM(1), x);

	return WHERE(near, OP_1(log, NEG(OP_1(expm1, NEG(low)))),
	             OP_1(log1p, NEG(OP_1(exp, NEG(high)))));
}

FORMULA_1(log1mexp, PROMOTE_INEXACT, log_less_exp(site, x))

static tsr_arg exp_left(const call_site *site, tsr_arg x, tsr_arg alpha)
{
	const tsr_arg right = IS(gt, x, NUM(0)), left = WHERE(right, NUM(0), x);

	return WHERE(right, x, MUL(alpha, OP_1(expm1, left)));
}

FORMULA_2(leaky_relu, PROMOTE_INEXACT, WHERE(IS(ge, x, NUM(0)), x, MUL(y, x)))
FORMULA_2(elu, PROMOTE_INEXACT, exp_left(site, x, y))
FORMULA_2(celu, PROMOTE_INEXACT,
            ADD(OP_2(maximum, x, NUM(0)), MUL(y, OP_1(expm1, DIV(OP_2(minimum, x, NUM(0)), y)))))
FORMULA_2(squareplus, PROMOTE_INEXACT,
            DIV(ADD(x, OP_1(sqrt, ADD(OP_1(square, x), y))), NUM(2)))
FORMULA_1(selu, PROMOTE_BESIDE_FLOAT,
          MUL(NUM(1.0507009873554804934), exp_left(site, x, NUM(1.6732632423543772848))))

/* ---- gelu: x times the normal distribution, or
 * x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 */

static tsr_arg gelu_of(const call_site *site, tsr_arg x, bool exact)
{
	const tsr_arg cube = HANDLE(tsr_integer_pow_at(site->where, x.as.one, 3));
	const tsr_arg inner = MUL(NUM(0.79788456080286535588), ADD(x, MUL(NUM(0.044715), cube)));

	if (exact)
		return MUL(MUL(NUM(0.5), x), OP_1(erfc, MUL(NEG(x), NUM(0.70710678118654752440))));
	return MUL(x, MUL(NUM(0.5), ADD(NUM(1), OP_1(tanh, inner))));
}

tsr *lib_gelu(call_site *site, tsr *a, const tsr_gelu_args *keywords)
{
	operands o;

	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(a)}, 1, PROMOTE_INEXACT))
		return poison_of(o.site.ctx);
	return gelu_of(site, HANDLE(o.x[0]), keywords->exact).as.one;
}

/* ---- along a dim */

tsr *lib_glu(call_site *site, tsr *x, int dim)
{
	tsr *half[2];

	if (!tsr_split_at(site->where, x, dim, half, 2, NULL)) return half[0];
	return MUL(HANDLE(half[0]), OP_1(logistic, HANDLE(half[1]))).as.one;
}

/* x less its largest element along the dim, and the sum of e^ of that; reals as floats. What .where
 * leaves out is -inf. false: an error is recorded */
typedef struct shifted {
	tsr_arg x, exps, sum;
} shifted;
static bool shift(call_site *site, tsr *a, int dim, const tsr_softmax_args *given, shifted *to)
{
	const tsr_dims along = TSR_DIMS(dim);
	tsr_reduce_args top = {.size = sizeof top, .dims = along, .keep = true};
	tsr_sum_args all = {.size = sizeof all, .dims = along, .keep = true};
	operands o;

	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(a)}, 1,
	                      given->where ? PROMOTE_BESIDE_FLOAT : PROMOTE_INEXACT))
		return false;
	tsr_arg x = HANDLE(o.x[0]);
	if (given->where) {
		top.where = all.where = given->where;
		top.initial = NUM(-INFINITY);
		x = WHERE(HANDLE(given->where), x, NUM(-INFINITY));
	}
	if (!handle_type(o.x[0])->size) top.initial = NUM(-INFINITY);
	const tsr_arg most = HANDLE(tsr_max_at(site->where, o.x[0], &top));
	to->x = SUB(x, STOPPED(most));
	to->exps = OP_1(exp, to->x);
	to->sum = HANDLE(tsr_sum_at(site->where, to->exps.as.one, &all));
	return true;
}

/* y, and a number where .where leaves elements out */
static tsr *left_in(const call_site *site, const tsr_softmax_args *a, tsr_arg y, double outside)
{
	return a->where ? WHERE(HANDLE(a->where), y, NUM(outside)).as.one : y.as.one;
}

tsr *lib_softmax(call_site *site, tsr *x, int dim, const tsr_softmax_args *a)
{
	shifted s;

	if (!shift(site, x, dim, a, &s)) return poison_of(tsr_ctx_of(x));
	return left_in(site, a, DIV(s.exps, s.sum), 0);
}

tsr *lib_log_softmax(call_site *site, tsr *x, int dim, const tsr_softmax_args *a)
{
	shifted s;

	if (!shift(site, x, dim, a, &s)) return poison_of(tsr_ctx_of(x));
	return left_in(site, a, SUB(s.x, OP_1(log, s.sum)), -INFINITY);
}

/* tsr_logsumexp() less the logarithm of how many elements count */
tsr *lib_logmeanexp(call_site *site, tsr *x, const tsr_logmeanexp_args *a)
{
	const tsr_logsumexp_args of = {.size = sizeof of, .dims = a->dims, .keep = a->keep,
	                               .where = a->where};
	const tsr_arg sum = HANDLE(tsr_logsumexp_at(site->where, x, &of));

	if (handle_is_poison(sum.as.one)) return sum.as.one;
	const tsr_sum_args count = {.size = sizeof count, .dims = a->dims, .keep = a->keep,
	                            .where = a->where,
	                            .dtype = dtype_real(dtype_of_operand(sum))};
	tsr *each = tsr_sum_at(site->where, tsr_ones_like_at(site->where, x), &count);
	return SUB(sum, OP_1(log, HANDLE(each))).as.one;
}

tsr *lib_standardize(call_site *site, tsr *a, int dim, double epsilon,
                     const tsr_standardize_args *g)
{
	const tsr_mean_args keep = {.size = sizeof keep, .dims = TSR_DIMS(dim), .keep = true,
	                            .where = g->where};
	operands o;

	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(a)}, 1, PROMOTE_INEXACT) ||
	    !keyword_operand(&o.site, ".mean", &g->mean) ||
	    !keyword_operand(&o.site, ".variance", &g->variance))
		return poison_of(o.site.ctx);
	const tsr_arg x = HANDLE(o.x[0]);
	const tsr_arg mean =
		HANDLE(g->mean.kind == TSR_KIND_ONE ? g->mean.as.one
	               : given_arg(&g->mean)        ? number_argument(&o.site, &g->mean)
	                                            : tsr_mean_at(site->where, o.x[0], &keep));
	tsr_arg spread = g->variance;
	if (!given_arg(&g->variance)) {
		spread = HANDLE(tsr_mean_at(site->where, OP_1(square, x).as.one, &keep));
		spread = OP_2(maximum, SUB(spread, OP_1(square, mean)), NUM(0));
	}
	return MUL(SUB(x, mean), OP_1(rsqrt, ADD(spread, NUM(epsilon)))).as.one;
}

tsr *lib_one_hot(call_site *site, tsr *a, int64_t n, const tsr_one_hot_args *g)
{
	tsr_ctx *ctx = operands_check(site, &a, 1);
	int64_t dims[MAX_NDIM];
	int dim;

	if (!ctx || !dtype_given_ok(site, g->dtype) ||
	    !one_dim_read(site, &g->dim, handle_type(a)->ndim + 1, -1, &dim))
		return poison_of(site->ctx);
	const tsr_arg column = HANDLE(tsr_expand_dims_at(site->where, a, TSR_DIMS(dim)));
	if (handle_is_poison(column.as.one)) return column.as.one;
	const int ndim = handle_type(column.as.one)->ndim;
	for (int d = 0; d < ndim; d++) dims[d] = d == dim ? n : 1;
	if (n < 0) return refuse_op(site, TSR_ERROR_ARGUMENT, "the size is %lld", (long long)n);
	const tsr_arg places = HANDLE(iota_of(site, dtype_holding(n), dims, ndim, dim));
	tsr *hot = IS(eq, column, places).as.one;
	return handle_is_poison(hot)
	               ? hot
	               : convert(site, hot, dtype_or_usual(ctx, g->dtype, KIND_FLOAT));
}
