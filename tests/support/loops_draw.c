/* loops_draw.c - random programs with loops and branches. */
#include "support/loops_draw.h"

enum { MOST_DRAWN = 80, MOST_ELEMENTS = 150, MOST_RESULTS = 5, DEEPEST = 3 };

typedef struct sampler {
	lab *l;
	build *b;
	var v[MOST_DRAWN];
	int n, depth;
} sampler;

static int roll(const sampler *s, int n) { return (int)dice_roll(s->l, 0, n - 1); }
static const type *at(const sampler *s, var v) { return build_type(s->b, v); }

static var any(const sampler *s)
{
	return roll(s, 3) ? s->v[s->n - 1 - roll(s, s->n < 5 ? s->n : 5)] : s->v[roll(s, s->n)];
}

static var of_type(const sampler *s, const type *t, var otherwise)
{
	for (int i = 0; i < 12; i++) {
		const var v = s->v[roll(s, s->n)];
		if (at(s, v) == t) return v;
	}
	return otherwise;
}

static void keep(sampler *s, var v)
{
	if (v.id && s->n < MOST_DRAWN && at(s, v)->size <= MOST_ELEMENTS) s->v[s->n++] = v;
}

static var append(sampler *s, const tsr_prim *prim, const void *params, const var *in, int nin)
{
	var out = {0};

	if (!build_eqn_exact(s->b, prim, params, in, nin, &out, NULL, NULL)) {
		error_clear(&s->l->base);
		return (var){0};
	}
	keep(s, out);
	return out;
}

static var number(const sampler *s, tsr_dtype dtype, int64_t n)
{
	const int32_t as_i32 = (int32_t)n;
	const bool as_bool = n != 0;

	return build_literal(s->b, dtype,
	                     dtype == TSR_BOOL  ? (const void *)&as_bool
	                     : dtype == TSR_I64 ? (const void *)&n
	                                        : (const void *)&as_i32);
}

/* ---- equations without programs */

static void arithmetic(sampler *s)
{
	static const tsr_prim *const rows[] = {&tsr__prim_add, &tsr__prim_mul, &tsr__prim_sub,
	                                       &tsr__prim_max};
	const var x = any(s);
	const tsr_dtype d = at(s, x)->dtype;
	const var y = roll(s, 4) ? of_type(s, at(s, x), x) : number(s, d, roll(s, 5));

	if (d == TSR_BOOL)
		append(s, &tsr__prim_not, NULL, &x, 1);
	else
		append(s, rows[roll(s, ARRAY_LEN(rows))], NULL, (var[]){x, y}, 2);
}

static void convert(sampler *s)
{
	static const tsr_dtype to[] = {TSR_I32, TSR_I64, TSR_BOOL};
	const var x = any(s);

	append(s, &tsr__prim_convert_element_type, &(dtype_params){.dtype = to[roll(s, 3)]}, &x, 1);
}

static void reshape(sampler *s)
{
	const var x = any(s);
	const int64_t size = at(s, x)->size, half = size / 2;
	const int64_t dims[][3] = {{size},    {1, size}, {size, 1},
	                           {2, half}, {half, 2}, {1, half, 2}};
	static const int ndim[] = {1, 2, 2, 2, 2, 3};
	const int k = roll(s, size % 2 ? 3 : 6);

	append(s, &tsr__prim_reshape, &(dims_params){{ndim[k], dims[k]}}, &x, 1);
}

static void slice_some(sampler *s)
{
	const var x = any(s);
	const type *t = at(s, x);
	int64_t start[8] = {0}, stop[8], step[8];

	if (!t->ndim) return;
	for (int d = 0; d < t->ndim; d++) stop[d] = t->dims[d], step[d] = 1;
	const int d = roll(s, 3) ? 0 : roll(s, t->ndim);
	start[d] = roll(s, (int)t->dims[d] + 1);
	stop[d] = start[d] + roll(s, (int)(t->dims[d] - start[d]) + 1);
	step[d] = 1 + roll(s, 5) / 4;
	append(s, &tsr__prim_slice,
	       &(slice_params){{t->ndim, start}, {t->ndim, stop}, {t->ndim, step}}, &x, 1);
}

static void join(sampler *s)
{
	const var x = any(s), y = of_type(s, at(s, x), x), z = any(s);
	const int ndim = at(s, x)->ndim;

	if (ndim)
		append(s, &tsr__prim_concatenate, &(dim_params){roll(s, 3) ? 0 : roll(s, ndim)},
		       (var[]){x, y, z}, 2 + (at(s, z) == at(s, x)));
}

static void rearrange(sampler *s)
{
	const var x = any(s);
	const int ndim = at(s, x)->ndim;
	int64_t list[8];

	for (int d = 0; d < ndim; d++) list[d] = ndim - 1 - d;
	if (ndim && roll(s, 2))
		append(s, &tsr__prim_rev, &(dims_params){{1, &list[ndim - 1]}}, &x, 1);
	else
		append(s, &tsr__prim_transpose, &(transpose_params){{ndim, list}}, &x, 1);
}

static var scalar(sampler *s)
{
	const type *t = type_make(&s->l->ir, TSR_I32, NULL, 0, 0);
	const var x = of_type(s, t, (var){0});
	int64_t dims[8];

	if (x.id) return x;
	for (int i = 0; i < 20; i++) {
		const var v = any(s);
		const int ndim = at(s, v)->ndim;
		for (int d = 0; d < ndim; d++) dims[d] = d;
		if (at(s, v)->dtype == TSR_I32 && ndim)
			return append(s, &tsr__prim_reduce_sum, &(reduce_params){{ndim, dims}}, &v,
			              1);
	}
	return (var){0};
}

static void update(sampler *s)
{
	const var x = any(s), i = scalar(s);
	const type *t = at(s, x);
	var in[8] = {x, x};

	if (!t->ndim || t->ndim > 6 || !i.id) return;
	for (int k = 0; k < 8; k++) { /* a part that fits; else the whole */
		const var v = any(s);
		bool fits = at(s, v)->ndim == t->ndim && at(s, v)->dtype == t->dtype;
		for (int d = 0; fits && d < t->ndim; d++) fits = at(s, v)->dims[d] <= t->dims[d];
		if (fits) in[1] = v;
	}
	for (int d = 0; d < t->ndim; d++) in[2 + d] = roll(s, 2) ? i : number(s, TSR_I32, d);
	append(s, &tsr__prim_dynamic_update_slice, NULL, in, 2 + t->ndim);
}

/* ---- programs inside equations */

/* results: of the types `result`, which inputs have, then `more` of any type. counts: the first of
 * them is one more than the input that begins the carry */
static const program *draw_inner(sampler *s, const type *const *in, int nin,
                                 const type *const *result, int nresults, int more, bool counts);

static bool append_control(sampler *s, const tsr_prim *prim, const void *params, const var *in,
                           int nin, int nout)
{
	var out[2 * MOST_RESULTS] = {{0}};

	if (!build_eqn_exact(s->b, prim, params, in, nin, out, NULL, NULL)) {
		error_clear(&s->l->base);
		return false;
	}
	for (int i = 0; i < nout; i++) keep(s, out[i]);
	return true;
}

static void branch(sampler *s)
{
	const int nin = 1 + roll(s, 3), nout = 1 + roll(s, 3), nbranches = 1 + roll(s, 3);
	const type *in[MOST_RESULTS], *out[MOST_RESULTS];
	const program *body[3];
	var x[1 + MOST_RESULTS] = {scalar(s)};

	if (!x[0].id) return;
	for (int i = 0; i < nin; i++) in[i] = at(s, x[1 + i] = any(s));
	for (int i = 0; i < nout; i++) out[i] = in[roll(s, nin)];
	for (int k = 0; k < nbranches; k++) {
		body[k] = k && !roll(s, 4) ? body[0] : draw_inner(s, in, nin, out, nout, 0, false);
		if (!body[k]) return;
	}
	append_control(s, &tsr__prim_cond, &(cond_params){{nbranches, body}}, x, 1 + nin, nout);
}

/* operands of a loop: constants, then the carry */
static int draw_operands(sampler *s, var *x, const type **in, int n)
{
	for (int i = 0; i < n; i++) {
		x[i] = i && !roll(s, 5) ? x[roll(s, i)] : any(s);
		in[i] = at(s, x[i]);
	}
	return n;
}

static void scan(sampler *s)
{
	const int length = roll(s, 4), consts = roll(s, 3), carry = roll(s, 4), ys = roll(s, 3);
	const type *in[3 * MOST_RESULTS];
	var x[3 * MOST_RESULTS];
	int n = draw_operands(s, x, in, consts + carry);

	for (int i = 0; i < 10 && n < consts + carry + 2; i++) {
		const var v = s->v[roll(s, s->n)];
		const type *t = at(s, v);
		if (!t->ndim || t->dims[0] != length) continue;
		x[n] = v;
		in[n++] = type_make(&s->l->ir, t->dtype, t->dims + 1, t->ndim - 1, 0);
	}
	if (n == 0 || carry + ys == 0) return;
	const program *body = draw_inner(s, in, n, in + consts, carry, ys, false);
	const scan_params p = {length, consts, carry, 1, roll(s, 2), body};
	if (body) append_control(s, &tsr__prim_scan, &p, x, n, carry + ys);
}

static const program *counts_to(sampler *s, const type *const *in, int nin, int64_t most)
{
	build *b = build_begin(&s->l->ir, "cond", NULL, 0);
	const int32_t top = (int32_t)most;
	var x[3 * MOST_RESULTS], y = {0};

	for (int i = 0; i < nin; i++) x[i] = build_input(b, in[i]);
	const var pair[] = {x[0], build_literal(b, TSR_I32, &top)};
	build_eqn_exact(b, &tsr__prim_lt, NULL, pair, 2, &y, NULL, NULL);
	return lab_keep(s->l, build_end(b, &y, 1), "build");
}

/* the first of the carry counts */
static void loop_while(sampler *s)
{
	const int consts = roll(s, 3), carry = 1 + roll(s, 3);
	const type *in[3 * MOST_RESULTS];
	var x[3 * MOST_RESULTS];

	draw_operands(s, x, in, consts + carry);
	x[consts] = number(s, TSR_I32, roll(s, 4));
	in[consts] = at(s, x[consts]);
	const program *cond = counts_to(s, in + consts, carry, roll(s, 5));
	const program *body = draw_inner(s, in, consts + carry, in + consts, carry, 0, true);
	if (cond && body)
		append_control(s, &tsr__prim_while, &(while_params){0, consts, cond, body}, x,
		               consts + carry, carry);
}

/* ---- programs */

static void step(sampler *s)
{
	static void (*const plain[])(sampler *) = {arithmetic, arithmetic, arithmetic, convert,
	                                           reshape,    slice_some, slice_some, join,
	                                           join,       rearrange,  update};
	static void (*const control[])(sampler *) = {branch, scan, scan, loop_while};

	if (s->depth < DEEPEST && !roll(s, 5))
		control[roll(s, ARRAY_LEN(control))](s);
	else
		plain[roll(s, ARRAY_LEN(plain))](s);
}

static const program *draw_inner(sampler *around, const type *const *in, int nin,
                                 const type *const *result, int nresults, int more, bool counts)
{
	sampler s = {.l = around->l,
	             .b = build_begin(&around->l->ir, "inner", NULL, 0),
	             .depth = around->depth + 1};
	var out[2 * MOST_RESULTS];

	for (int i = 0; i < nin; i++) keep(&s, build_input(s.b, in[i]));
	const var one = number(&s, TSR_I32, 1), counter = s.v[counts ? nin - nresults : 0];
	if (s.n != nin) {
		build_abandon(s.b);
		return NULL;
	}
	for (int i = roll(&s, 6); i > 0; i--) step(&s);
	for (int i = 0; i < nresults; i++) {
		out[i] = of_type(&s, result[i], (var){0});
		for (int k = 0; !out[i].id; k++)
			if (at(&s, s.v[k]) == result[i]) out[i] = s.v[k];
		if (!result[i]->ndim && !roll(&s, 8)) out[i] = number(&s, result[i]->dtype, 2);
	}
	for (int i = nresults; i < nresults + more; i++) out[i] = any(&s);
	if (counts)
		build_eqn_exact(s.b, &tsr__prim_add, NULL, (var[]){counter, one}, 2, &out[0], NULL,
		                NULL);
	return lab_keep(s.l, build_end(s.b, out, nresults + more), "build");
}

program *loops_draw(lab *l)
{
	static const struct {
		tsr_dtype dtype;
		int ndim;
		int64_t dims[3];
	} starts[] = {{TSR_I32, 1, {6}},    {TSR_I32, 2, {3, 4}}, {TSR_I32, 0, {0}},
	              {TSR_I32, 2, {2, 0}}, {TSR_I64, 2, {2, 3}}, {TSR_I32, 2, {1, 6}},
	              {TSR_BOOL, 1, {3}},   {TSR_I32, 1, {0}},    {TSR_I32, 2, {2, 6}}};
	sampler s = {.l = l, .b = build_begin(&l->ir, "drawn", NULL, 0)};
	var out[MOST_RESULTS];

	for (int i = 0; i < LOOPS_INPUTS; i++) {
		const int k = i ? roll(&s, ARRAY_LEN(starts)) : 0;
		keep(&s, build_input(s.b, type_make(&l->ir, starts[k].dtype, starts[k].dims,
		                                    starts[k].ndim, 0)));
	}
	for (int i = 3 + roll(&s, 25); i > 0; i--) step(&s);
	const int nout = 1 + roll(&s, MOST_RESULTS);
	for (int i = 0; i < nout; i++) {
		out[i] = any(&s);
		if (!roll(&s, 20)) out[i] = number(&s, TSR_I64, 7);
	}
	return build_end(s.b, out, nout);
}

void loops_fill(lab *l, const value *x)
{
	for (int64_t i = 0; i < x->type->size; i++) {
		const int64_t n = dice_roll(l, -2, 9);
		const size_t size = tsr_dtype_size(x->type->dtype);
		char *to = (char *)x->data + (size_t)i * size;
		if (x->type->dtype == TSR_BOOL)
			*(bool *)to = n > 3;
		else
			dtype_convert(x->type->dtype, to, TSR_I64, &n, 1);
	}
}
