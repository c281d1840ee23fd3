/* fused_draws.h - sampled chains of 2 to 6 equations, as one program.
 *
 * An equation takes what stands before it, mostly the newest value. Results are the newest value
 * and now and then another one whose dims are its first ones. */
#ifndef TSR_TESTS_KERNEL_FUSED_DRAWS_H
#define TSR_TESTS_KERNEL_FUSED_DRAWS_H
#include "kernel/kernel_rig.h"

#define MOST_VALUES 24
#define MOST_DIMS 5
#define MOST_ELEMENTS 700

typedef struct draw {
	build *b;
	uint64_t random;
	var value[MOST_VALUES];
	int n;
} draw;

static inline int pick(draw *d, int n) { return (int)(random_bits(&d->random) % (uint64_t)n); }
static const type *type_at(const draw *d, var v) { return build_type(d->b, v); }
static inline enum dtype_kind kind_at(const draw *d, var v)
{
	return dtype_kind(type_at(d, v)->dtype);
}

static inline var add_eqn(draw *d, const tsr_prim *p, const void *params, const var *in, int nin)
{
	var out = {0};

	if (!build_eqn(d->b, p, params, in, nin, &out, NULL))
		fail_msg("%s: %s", p->name, error_text(build_base(d->b)));
	if (d->n < MOST_VALUES) d->value[d->n++] = out;
	return out;
}

static inline var newest(draw *d) { return d->value[pick(d, 4) ? d->n - 1 : pick(d, d->n)]; }

/* a value that an elementwise row takes beside x */
static inline var beside(draw *d, var x)
{
	const type *t = type_at(d, x);
	kscalar number = {.bits = 0};

	for (int tries = 0; tries < 8; tries++) {
		const var v = d->value[pick(d, d->n)];
		const type *u = type_at(d, v);
		if (u->dtype == t->dtype && dims_same(u->dims, u->ndim, t->dims, t->ndim)) return v;
	}
	fill_hard(t->dtype, &number, 1, &d->random);
	return pick(d, 2) ? x : build_literal(d->b, t->dtype, &number);
}

/* ---- elementwise */

static inline void unary(draw *d)
{
	static const tsr_prim *const inexact[] = {
		&tsr__prim_neg,  &tsr__prim_exp,   &tsr__prim_tanh,  &tsr__prim_square,
		&tsr__prim_sqrt, &tsr__prim_log1p, &tsr__prim_expm1, &tsr__prim_logistic,
		&tsr__prim_sign, &tsr__prim_rsqrt, &tsr__prim_copy,  &tsr__prim_sin};
	static const tsr_prim *const whole[] = {&tsr__prim_neg, &tsr__prim_not, &tsr__prim_sign,
	                                        &tsr__prim_square, &tsr__prim_copy};
	const var x = newest(d);
	const tsr_prim *p = &tsr__prim_not;

	if (kind_at(d, x) >= KIND_FLOAT)
		p = inexact[pick(d, (int)ARRAY_LEN(inexact))];
	else if (kind_at(d, x) != KIND_BOOL)
		p = whole[pick(d, (int)ARRAY_LEN(whole))];
	add_eqn(d, p, NULL, &x, 1);
}

static inline void binary(draw *d)
{
	static const tsr_prim *const any[] = {&tsr__prim_add, &tsr__prim_mul};
	static const tsr_prim *const real[] = {&tsr__prim_add, &tsr__prim_sub, &tsr__prim_mul,
	                                       &tsr__prim_div, &tsr__prim_max, &tsr__prim_min,
	                                       &tsr__prim_rem};
	const var x = newest(d), y = beside(d, x), in[2] = {pick(d, 2) ? x : y, pick(d, 2) ? y : x};
	const bool ordered = kind_at(d, x) != KIND_BOOL && kind_at(d, x) != KIND_COMPLEX;

	if (type_at(d, x)->ndim && !type_at(d, in[0])->ndim && !type_at(d, in[1])->ndim) return;
	add_eqn(d, ordered ? real[pick(d, 7)] : any[pick(d, 2)], NULL, in, 2);
}

static inline void choose(draw *d)
{
	const var x = newest(d), y = beside(d, x);

	if (type_at(d, y)->ndim != type_at(d, x)->ndim) return;
	const var c =
		add_eqn(d, pick(d, 2) ? &tsr__prim_eq : &tsr__prim_ne, NULL, (var[]){x, y}, 2);
	add_eqn(d, &tsr__prim_select_n, NULL, (var[]){c, y, x}, 3);
}

static inline void convert(draw *d)
{
	const var x = newest(d);
	const dtype_params to = {
		.dtype = (tsr_dtype)(TSR_BOOL + pick(d, TSR_DTYPE_COUNT_ - TSR_BOOL))};

	add_eqn(d, &tsr__prim_convert_element_type, &to, &x, 1);
}

/* ---- layout */

/* dims in one, or one dim in two */
static inline void reshape(draw *d)
{
	const var x = newest(d);
	const type *t = type_at(d, x);
	int64_t dims[MOST_DIMS + 1];
	int n = 0;

	if (pick(d, 2) || t->ndim == 0 || t->ndim == MOST_DIMS)
		dims[n++] = t->size;
	else {
		const int at = pick(d, t->ndim);
		for (int i = 0; i < t->ndim; i++) {
			const int64_t size = t->dims[i];
			int64_t by = 1 + pick(d, 4);
			if (i != at || size % by) by = 1;
			if (i == at) dims[n++] = by;
			dims[n++] = size / by;
		}
	}
	add_eqn(d, &tsr__prim_reshape, &(dims_params){{n, dims}}, &x, 1);
}

static inline void transpose(draw *d)
{
	const var x = newest(d);
	const int n = type_at(d, x)->ndim;
	int64_t perm[MOST_DIMS] = {0, 1, 2, 3, 4};

	for (int i = n - 1; i > 0; i--) {
		const int j = pick(d, i + 1);
		const int64_t was = perm[i];
		perm[i] = perm[j];
		perm[j] = was;
	}
	add_eqn(d, &tsr__prim_transpose, &(transpose_params){{n, perm}}, &x, 1);
}

/* one more dim, anywhere; dims of size 1 may grow */
static inline void broadcast(draw *d)
{
	const var x = newest(d);
	const type *t = type_at(d, x);
	int64_t dims[MOST_DIMS], at[MOST_DIMS];
	const int new = pick(d, t->ndim + 1);

	if (t->ndim == MOST_DIMS || t->size > MOST_ELEMENTS / 8) return;
	for (int i = 0; i < t->ndim; i++) {
		at[i] = i + (i >= new);
		dims[at[i]] = t->dims[i] == 1 && !pick(d, 2) ? 2 : t->dims[i];
	}
	dims[new] = 1 + pick(d, 3);
	add_eqn(d, &tsr__prim_broadcast_in_dim,
	        &(broadcast_params){{t->ndim + 1, dims}, {t->ndim, at}}, &x, 1);
}

static inline void reverse(draw *d)
{
	const var x = newest(d);
	int64_t dims[MOST_DIMS];
	int n = 0;

	for (int i = 0; i < type_at(d, x)->ndim; i++)
		if (pick(d, 2)) dims[n++] = i;
	add_eqn(d, &tsr__prim_rev, &(dims_params){{n, dims}}, &x, 1);
}

static inline void slice(draw *d)
{
	const var x = newest(d);
	const type *t = type_at(d, x);
	int64_t start[MOST_DIMS], stop[MOST_DIMS], step[MOST_DIMS];

	for (int i = 0; i < t->ndim; i++) {
		start[i] = t->dims[i] ? pick(d, (int)t->dims[i]) / 2 : 0;
		stop[i] = start[i] + pick(d, (int)(t->dims[i] - start[i]) + 1);
		if (pick(d, 2)) stop[i] = t->dims[i];
		step[i] = 1 + pick(d, 2);
	}
	add_eqn(d, &tsr__prim_slice,
	        &(slice_params){{t->ndim, start}, {t->ndim, stop}, {t->ndim, step}}, &x, 1);
}

static inline void pad(draw *d)
{
	const var x = newest(d);
	const type *t = type_at(d, x);
	int64_t low[MOST_DIMS], high[MOST_DIMS], interior[MOST_DIMS];
	kscalar number = {.bits = 0};

	if (t->size > MOST_ELEMENTS / 8) return;
	for (int i = 0; i < t->ndim; i++) {
		low[i] = pick(d, 4) - (t->dims[i] > 1);
		high[i] = pick(d, 3);
		interior[i] = pick(d, 4) ? 0 : 1;
	}
	fill_hard(t->dtype, &number, 1, &d->random);
	const var value = build_literal(d->b, t->dtype, &number);
	add_eqn(d, &tsr__prim_pad,
	        &(pad_params){{t->ndim, low}, {t->ndim, high}, {t->ndim, interior}},
	        (var[]){x, value}, 2);
}

static inline void concatenate(draw *d)
{
	const var x = newest(d), y = beside(d, x);
	const int n = type_at(d, x)->ndim;

	if (!n || type_at(d, y)->ndim != n || type_at(d, x)->size > MOST_ELEMENTS / 4) return;
	add_eqn(d, &tsr__prim_concatenate, &(dim_params){pick(d, n)}, (var[]){x, y, x},
	        2 + pick(d, 2));
}

/* ---- places known when it runs: value 1 is an i32 */

static inline void dynamic(draw *d)
{
	const var x = newest(d);
	const type *t = type_at(d, x);
	int64_t sizes[MOST_DIMS], stops[MOST_DIMS], zeros[MOST_DIMS] = {0}, ones[MOST_DIMS];
	var in[2 + MOST_DIMS] = {x};

	for (int i = 0; i < t->ndim; i++) {
		sizes[i] = stops[i] = pick(d, (int)t->dims[i] + 1);
		ones[i] = 1;
		in[1 + i] = in[2 + i] = d->value[1];
	}
	if (pick(d, 2)) {
		add_eqn(d, &tsr__prim_dynamic_slice, &(dynamic_slice_params){{t->ndim, sizes}}, in,
		        1 + t->ndim);
		return;
	}
	in[1] = add_eqn(d, &tsr__prim_slice,
	                &(slice_params){{t->ndim, zeros}, {t->ndim, stops}, {t->ndim, ones}}, &x,
	                1);
	add_eqn(d, &tsr__prim_dynamic_update_slice, NULL, in, 2 + t->ndim);
}

/* ---- reductions */

static const tsr_prim *reduction_of(draw *d, var x)
{
	static const tsr_prim *const bits[] = {&tsr__prim_reduce_and, &tsr__prim_reduce_or,
	                                       &tsr__prim_reduce_xor};
	static const tsr_prim *const number[] = {&tsr__prim_reduce_sum, &tsr__prim_reduce_prod,
	                                         &tsr__prim_reduce_max, &tsr__prim_reduce_min};

	if (kind_at(d, x) == KIND_BOOL) return bits[pick(d, 3)];
	return number[pick(d, kind_at(d, x) == KIND_COMPLEX ? 2 : 4)];
}

/* and, half of the time, repeated over the dim again and joined with what it was made from */
static inline void reduce(draw *d)
{
	const var x = newest(d);
	const type *t = type_at(d, x);
	int64_t kept[MOST_DIMS];
	int n = 0;

	if (!t->ndim) return;
	const int64_t gone = pick(d, t->ndim);
	const var y = add_eqn(d, reduction_of(d, x), &(reduce_params){{1, &gone}}, &x, 1);
	for (int i = 0; i < t->ndim; i++)
		if (i != gone) kept[n++] = i;
	if (pick(d, 2)) return;
	const var wide = add_eqn(d, &tsr__prim_broadcast_in_dim,
	                         &(broadcast_params){{t->ndim, t->dims}, {n, kept}}, &y, 1);
	add_eqn(d, kind_at(d, x) == KIND_BOOL ? &tsr__prim_add : &tsr__prim_sub, NULL,
	        (var[]){x, wide}, 2);
}

static inline void argument(draw *d)
{
	const var x = newest(d);
	const type *t = type_at(d, x);

	if (!t->ndim || kind_at(d, x) == KIND_COMPLEX) return;
	const arg_params p = {pick(d, t->ndim), TSR_I32};
	if (t->dims[p.dim])
		add_eqn(d, pick(d, 2) ? &tsr__prim_argmax : &tsr__prim_argmin, &p, &x, 1);
}

static inline void dot(draw *d)
{
	const var x = newest(d);
	const type *t = type_at(d, x);
	const int64_t last = t->ndim - 1, first = 0;

	if (!t->ndim || t->size * t->size > 40000 || t->ndim > 2) return;
	const bool batch = t->ndim == 2 && pick(d, 2);
	const dot_params p = {{1, &last}, {1, &last}, {batch, &first}, {batch, &first}, t->dtype};
	add_eqn(d, &tsr__prim_dot_general, &p, (var[]){x, x}, 2);
}

/* ---- programs */

static void (*const steps[])(draw *) = {
	unary,   binary, binary, choose,      convert, reshape, reshape,  transpose, broadcast,
	reverse, slice,  pad,    concatenate, dynamic, reduce,  argument, dot,       unary};

static const struct {
	int ndim;
	int64_t dims[4];
} starts[] = {{0, {0}},       {1, {1}},       {1, {5}},          {2, {2, 3}}, {2, {4, 17}},
              {3, {3, 1, 5}}, {1, {300}},     {4, {2, 3, 2, 2}}, {2, {0, 3}}, {2, {3, 8}},
              {2, {6, 6}},    {3, {2, 4, 3}}, {2, {2, 260}},     {1, {16}}};

static inline program *sample(rig *r, draw *d)
{
	const int shape = pick(d, (int)ARRAY_LEN(starts)), equations = 2 + pick(d, 5);
	const tsr_dtype dtype =
		pick(d, 2) ? TSR_F32 : (tsr_dtype)(TSR_BOOL + pick(d, TSR_DTYPE_COUNT_ - TSR_BOOL));
	const type *t = type_make(&r->ir, dtype, starts[shape].dims, starts[shape].ndim, 0);

	d->b = build_begin(&r->ir, "sampled", NULL, 0);
	d->n = 0;
	d->value[d->n++] = build_input(d->b, t);
	d->value[d->n++] = build_input(d->b, type_make(&r->ir, TSR_I32, NULL, 0, 0));
	d->value[d->n++] = build_input(d->b, t);
	for (int tries = 0; tries < 40 && build_neqns(d->b) < equations; tries++) {
		const type *last = type_at(d, d->value[d->n - 1]);
		if (last->ndim > MOST_DIMS || last->size > MOST_ELEMENTS) break;
		steps[pick(d, (int)ARRAY_LEN(steps))](d);
	}
	var out[2] = {d->value[d->n - 1], d->value[pick(d, d->n)]};
	const type *a = type_at(d, out[0]), *b = type_at(d, out[1]);
	const int fewer = a->ndim < b->ndim ? a->ndim : b->ndim;
	return build_end(d->b, out, 1 + dims_same(a->dims, fewer, b->dims, fewer));
}

#endif
