/* precision.c - replaces products of f32 that shall be less exact by products of parts that are
 * bf16.
 *
 *     pass precision
 *     f(%0: f32[2,3], %1: f32[3,4]) -> f32[2,4] {
 *       %2: f32[2,4] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *           dtype=f32 precision=bf16_bf16_f32
 *       return %2
 *     }
 *     gives
 *     f(%0: f32[2,3], %1: f32[3,4]) -> f32[2,4] {
 *       %2: bf16[2,3] = convert_element_type %0 dtype=bf16
 *       %3: bf16[3,4] = convert_element_type %1 dtype=bf16
 *       %4: f32[2,4] =
 *             dot_general %2 %3 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       return %4
 *     }
 *
 * A product by pairs (docs/numerics.md, "Pairs") stays one, of operands that are bf16:
 *
 *     f(%0: f32[2,3], %1: f32[3,4]) -> f32[2,4] {
 *       %2: f32[2,4] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *           dtype=f32 precision=bf16_pairs
 *       return %2
 *     }
 *     gives
 *     f(%0: f32[2,3], %1: f32[3,4]) -> f32[2,4] {
 *       %2: bf16[2,3] = convert_element_type %0 dtype=bf16
 *       %3: bf16[3,4] = convert_element_type %1 dtype=bf16
 *       %4: f32[2,4] = dot_general %2 %3 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *           dtype=f32 precision=bf16_pairs
 *       return %4
 *     }
 *
 * The second part of a number is what the first one leaves, and so on (docs/numerics.md, "Parts");
 * three products of two parts each have twice the digits of one. All engines see these equations,
 * and so do passes that know products. It comes late: derivatives and sums over devices are those
 * of the one product. */
#include "pass/pass.h"

/* the part, and what it leaves */
static var part(build *b, var *x)
{
	const var high = emit_convert(b, *x, TSR_BF16);
	const var wide = emit_convert(b, high, TSR_F32);

	*x = emit_select(b, emit_1(b, &tsr__prim_is_finite, wide), emit_sub(b, *x, wide), (var){0});
	return high;
}

static void parts(build *b, var x, int n, var *out)
{
	for (int i = 0; i < n; i++)
		out[i] = i < n - 1 ? part(b, &x) : emit_convert(b, x, TSR_BF16);
}

/* as many as the terms need */
static int count_parts(const dot_term *term, int n)
{
	int most = 0;

	for (int i = 0; i < n; i++)
		if (term[i].a > most) most = term[i].a;
	return most + 1;
}

/* Operands that are bf16, and a float as the result: who computes the equation takes these. Of no
 * elements the sum is the same as any */
static bool write_pairs(value_map *v, const eqn *e)
{
	build *b = v->to;
	dot_params p = *(const dot_params *)e->params;
	const tsr_dtype to = p.dtype;
	var x[2], y;

	if (!steps_of(v->from, e)) p.precision = DOT_EXACT;
	if (dtype_kind(to) != KIND_FLOAT) p.dtype = TSR_F32;
	build_at(b, e->where);
	for (int i = 0; i < 2; i++)
		x[i] = i && e->in[1].id == e->in[0].id
		               ? x[0]
		               : emit_convert(b, values_get(v, e->in[i]), TSR_BF16);
	y = emit_convert(b, emit(b, e->prim, &p, x, 2), to);
	return !build_failed(b) && values_set(v, e, &y);
}

static bool write_parts(value_map *v, const eqn *e)
{
	build *b = v->to;
	dot_params p = *(const dot_params *)e->params;
	const tsr_dtype to = p.dtype;
	const dot_term *term;
	const int n = dot_terms(p.precision, &term), count = count_parts(term, n);
	var x[MOST_DOT_PARTS], y[MOST_DOT_PARTS], sum = {0};

	build_at(b, e->where);
	parts(b, values_get(v, e->in[0]), count, x);
	if (e->in[0].id == e->in[1].id)
		memcpy(y, x, sizeof y);
	else
		parts(b, values_get(v, e->in[1]), count, y);
	p.dtype = dot_sum_dtype(TSR_F32, to);
	p.precision = DOT_EXACT;
	for (int i = 0; i < n && !build_failed(b); i++) {
		const var one = emit(b, e->prim, &p, (var[]){x[term[i].a], y[term[i].b]}, 2);
		if (i && i == n - 1)
			sum = emit_select(b, emit_2(b, &tsr__prim_ne, sum, sum), (var){0}, sum);
		sum = i ? emit_add(b, sum, one) : one;
	}
	if (build_failed(b)) return false;
	sum = emit_convert(b, sum, to);
	return !build_failed(b) && values_set(v, e, &sum);
}

static bool write_product(value_map *v, const eqn *e)
{
	return sums_pairs(e) ? write_pairs(v, e) : write_parts(v, e);
}

static bool is_due(const eqn *e)
{
	return e->prim == &tsr__prim_dot_general &&
	       ((const dot_params *)e->params)->precision != DOT_EXACT;
}

program *pass_precision(const program *p)
{
	return rewritten(&(rewriting){"precision", is_due, write_product}, p);
}
