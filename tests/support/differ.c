/* differ.c - the laws that the rules of transformations obey. */
#include <math.h>
#include "support/differ.h"

/* ---- transformed programs */

program *jvp_of(lab *l, const program *p, const bool *moves, bool *moves_out)
{
	return lab_keep(l, pass_jvp(p, moves, NULL, moves_out), "jvp");
}

/* of the linear half of a jvp; NULL: failed */
static program *backward(lab *l, const halves *h, int ndx)
{
	bool linear[MOST_VALUES + 64] = {false}, given[MOST_VALUES];

	if (h->unknown->nin > MOST_VALUES + 64 || h->unknown->nout > MOST_VALUES) return NULL;
	for (int i = 0; i < ndx; i++) linear[i] = true;
	for (int k = 0; k < h->unknown->nout; k++) given[k] = true;
	return lab_keep(l, pass_transpose(h->unknown, linear, given, NULL), "transpose");
}

/* the halves one after the other: x, ct -> dx */
static program *join(lab *l, const program *p, const halves *h, const program *back)
{
	build *b = build_begin(p->ir, "vjp", p->axes, p->naxes);
	const int nct = back->nin - h->nresiduals;
	var *x = arena_array(l->arena, (size_t)p->nin + 1, sizeof *x);
	var *y = arena_array(l->arena, (size_t)h->known->nout + (size_t)nct + 1, sizeof *y);
	var *dx = arena_array(l->arena, (size_t)back->nout + 1, sizeof *dx);

	if (!b || !x || !y || !dx) return NULL;
	for (int i = 0; i < p->nin; i++) x[i] = build_input(b, type_of(p, p->in[i]));
	if (!build_inline(b, h->known, x, y, NULL)) {
		build_abandon(b);
		return NULL;
	}
	var *residuals = y + h->known->nout - h->nresiduals;
	for (int i = 0; i < nct; i++)
		residuals[h->nresiduals + i] =
			build_input(b, type_of(back, back->in[h->nresiduals + i]));
	if (!build_inline(b, back, residuals, dx, NULL)) {
		build_abandon(b);
		return NULL;
	}
	return build_end(b, dx, back->nout);
}

program *vjp_of(lab *l, const program *p, const bool *moves, bool *moves_out)
{
	bool known[MOST_VALUES] = {false}, must[MOST_VALUES] = {false};
	program *j = jvp_of(l, p, moves, moves_out), *made = NULL;
	halves h;

	if (!j || j->nout == p->nout || j->nin > MOST_VALUES || j->nout > MOST_VALUES) return NULL;
	for (int i = 0; i < p->nin; i++) known[i] = true;
	for (int k = p->nout; k < j->nout; k++) must[k] = true;
	if (!pass_split(j, l->arena, known, must, &h)) return lab_keep(l, NULL, "split");
	if (h.known->nout - h.nresiduals != p->nout || h.unknown->nout != j->nout - p->nout)
		lab_fail(l, j, "split: results are in the wrong half");
	else {
		const program *back = backward(l, &h, j->nin - p->nin);
		if (back) made = lab_keep(l, join(l, p, &h, back), "both halves");
	}
	halves_free(&h);
	return made;
}

/* ---- sampled inputs */

static void input_types(const program *p, const type **t)
{
	for (int i = 0; i < p->nin; i++) t[i] = type_of(p, p->in[i]);
}

static void sample(lab *l, const subject *s, const type *const *t, value *x)
{
	for (int i = 0; i < s->p->nin; i++) x[i] = value_zeros(l, t[i]);
	values_points(l, x, s->p->nin, s->points);
}

/* appends directions of the inputs that move */
static int sample_directions(lab *l, const subject *s, int parts, value *dx)
{
	int n = 0;

	for (int i = 0; i < s->p->nin; i++)
		if (s->moves[i]) dx[n++] = value_direction(l, type_of(s->p, s->p->in[i]), parts);
	return n;
}

static double coarsest(const program *p)
{
	double eps = 0;

	for (int i = 0; i < p->nin; i++) eps = fmax(eps, eps_of(type_of(p, p->in[i])->dtype));
	for (int k = 0; k < p->nout; k++) eps = fmax(eps, eps_of(type_of(p, p->out[k])->dtype));
	return eps;
}

/* roundings that may meet in one number of the results */
static double roundings(const program *p)
{
	int64_t most = 0;

	for (int i = 0; i < p->nin; i++) {
		const int64_t size = type_of(p, p->in[i])->size;
		if (size > most) most = size;
	}
	return 8 + (double)most;
}

static bool any_complex(const subject *s)
{
	for (int i = 0; i < s->p->nin; i++)
		if (s->moves[i] && dtype_kind(type_of(s->p, s->p->in[i])->dtype) == KIND_COMPLEX)
			return true;
	return false;
}

/* ---- jvp */

/* (f(x + h dx) - f(x - h dx)) / 2h, in c128; false: failed */
static bool central(lab *l, const subject *s, const value *x, const value *dx, double h, value *out)
{
	value to[2][MOST_VALUES], y[2][MOST_VALUES];

	for (int side = 0; side < 2; side++) {
		for (int i = 0, at = 0; i < s->p->nin; i++)
			to[side][i] =
				s->moves[i] ? value_step(l, &x[i], side ? -h : h, &dx[at++]) : x[i];
		if (!lab_run(l, s->p, to[side], y[side])) return false;
	}
	for (int k = 0; k < s->p->nout; k++) {
		out[k] = value_as(l, &y[0][k], TSR_C128);
		for (int64_t i = 0; i < out[k].type->size; i++)
			value_set(&out[k], i,
			          (value_at(&y[0][k], i) - value_at(&y[1][k], i)) / (2 * h));
	}
	return true;
}

static void compare_along(lab *l, const subject *s, const program *j, const bool *moves_out,
                          int parts)
{
	const double h = s->linear ? 0.25 : 0x1p-17;
	const double tolerance = s->linear ? roundings(s->p) * coarsest(s->p) / h : 2e-7;
	value in[MOST_VALUES], y[MOST_VALUES], out[2 * MOST_VALUES], want[MOST_VALUES];
	const type *t[MOST_VALUES];
	int at = s->p->nout;

	input_types(s->p, t);
	sample(l, s, t, in);
	sample_directions(l, s, parts, in + s->p->nin);
	if (!lab_run(l, s->p, in, y) || !lab_run(l, j, in, out) ||
	    !central(l, s, in, in + s->p->nin, h, want))
		return;
	for (int k = 0; k < s->p->nout; k++) {
		const value zero = value_zeros(l, y[k].type),
			    *got = moves_out[k] ? &out[at++] : &zero;
		const int64_t differs = value_same(&out[k], &y[k]);
		if (differs >= 0) lab_fail(l, j, "jvp changes result %d at %d", k, (int)differs);
		if (!inexact(y[k].type->dtype)) continue;
		const int64_t off =
			got->type == y[k].type ? value_close(got, &want[k], tolerance) : 0;
		if (off >= 0 && got->type == y[k].type)
			lab_fail(l, j,
			         "tangent %d at %d is (%.12g,%.12g), differences say (%.12g,%.12g)",
			         k, (int)off, creal(value_at(got, off)), cimag(value_at(got, off)),
			         creal(value_at(&want[k], off)), cimag(value_at(&want[k], off)));
		else if (off >= 0)
			lab_fail(l, j, "tangent %d is not of the type of its result", k);
	}
}

void law_jvp(lab *l, const subject *s)
{
	bool moves_out[MOST_VALUES];
	const program *j = jvp_of(l, s->p, s->moves, moves_out);

	if (!j) return;
	compare_along(l, s, j, moves_out, 1);
	if (any_complex(s)) compare_along(l, s, j, moves_out, 2);
}

void law_precision(lab *l, const subject *s, const program *wide)
{
	bool moves_out[MOST_VALUES], moves_wide[MOST_VALUES];
	const program *j = jvp_of(l, s->p, s->moves, moves_out);
	const program *jw = jvp_of(l, wide, s->moves, moves_wide);
	value in[MOST_VALUES], in_wide[MOST_VALUES], out[2 * MOST_VALUES], want[2 * MOST_VALUES];
	const type *t[MOST_VALUES];

	if (!j || !jw) return;
	if (j->nout != jw->nout) {
		lab_fail(l, j, "in other dtypes there are other tangents");
		return;
	}
	input_types(s->p, t);
	sample(l, s, t, in);
	sample_directions(l, s, 3, in + s->p->nin);
	for (int i = 0; i < j->nin; i++)
		in_wide[i] = value_as(l, &in[i], type_of(jw, jw->in[i])->dtype);
	if (!lab_run(l, j, in, out) || !lab_run(l, jw, in_wide, want)) return;
	for (int k = s->p->nout; k < j->nout; k++) {
		const int64_t off =
			value_close(&out[k], &want[k], roundings(s->p) * coarsest(s->p));
		if (off >= 0)
			lab_fail(l, j, "a tangent at %d is (%.9g,%.9g), in 64 bits (%.9g,%.9g)",
			         (int)off, creal(value_at(&out[k], off)),
			         cimag(value_at(&out[k], off)), creal(value_at(&want[k], off)),
			         cimag(value_at(&want[k], off)));
	}
}

/* ---- transpose */

/* the real part of the sum of a b; size: the sum of |a b| is added, each at least 1 */
static double product(const value *a, const value *b, double *size)
{
	double sum = 0;

	for (int64_t i = 0; i < a->type->size; i++) {
		sum += creal(value_at(a, i) * value_at(b, i));
		*size += fmax(1, cabs(value_at(a, i)) * cabs(value_at(b, i)));
	}
	return sum;
}

void law_transpose(lab *l, const subject *s)
{
	bool moves_out[MOST_VALUES];
	const program *j = jvp_of(l, s->p, s->moves, moves_out);
	const program *back = j ? vjp_of(l, s->p, s->moves, moves_out) : NULL;
	value in[MOST_VALUES], u[MOST_VALUES], out[2 * MOST_VALUES], ct[MOST_VALUES];
	const type *t[MOST_VALUES];
	double forward = 0, backward = 0, size = 0;

	if (!back) return;
	input_types(s->p, t);
	sample(l, s, t, in);
	const int n = s->p->nin, ndx = sample_directions(l, s, 3, in + n), m = s->p->nout;
	if (back->nout != ndx || back->nin - n != j->nout - m) {
		lab_fail(l, back, "there are not as many cotangents as tangents");
		return;
	}
	for (int i = 0; i < n; i++) u[i] = in[i];
	for (int k = n; k < back->nin; k++)
		u[k] = value_direction(l, type_of(back, back->in[k]), 3);
	if (!lab_run(l, j, in, out) || !lab_run(l, back, u, ct)) return;
	for (int k = m; k < j->nout; k++) forward += product(&out[k], &u[n + k - m], &size);
	for (int i = 0; i < ndx; i++) {
		if (ct[i].type != in[n + i].type) {
			lab_fail(l, back, "cotangent %d is not of the type of its operand", i);
			return;
		}
		backward += product(&in[n + i], &ct[i], &size);
	}
	if (!(fabs(forward - backward) <= 8 * coarsest(s->p) * size))
		lab_fail(l, back, "<Jv,u> = %.12g, <v,J'u> = %.12g", forward, backward);
}

/* ---- batch: entry 0 of the axis table, if there is one, is the batch's */

static batching batch_of(const program *p, int64_t size, axis_set varying)
{
	return (batching){.size = size, .axis = p->naxes ? 0 : -1, .varying = varying};
}

/* of the values for all elements of a batch, or of one that is not mapped */
static const type *batched_type(lab *l, const program *p, const type *t, bool mapped,
                                const batching *of)
{
	int64_t dims[64] = {of->size};
	const axis_set varying = p->naxes ? t->varying >> 1 : t->varying;

	for (int d = 0; d < t->ndim; d++) dims[d + mapped] = t->dims[d];
	return type_make(&l->ir, t->dtype, dims, t->ndim + mapped,
	                 varying | (mapped ? of->varying : 0));
}

static void batched_types(lab *l, const program *p, const bool *mapped, const batching *of,
                          const type **t)
{
	for (int i = 0; i < p->nin; i++)
		t[i] = batched_type(l, p, type_of(p, p->in[i]), mapped[i], of);
}

/* results for one element of the batch, beside those of the whole */
static bool compare_element(lab *l, const program *p, const program *batched, const bool *mapped,
                            const bool *mapped_out, const value *x, const value *y, int64_t b)
{
	value in[MOST_VALUES], want[MOST_VALUES];

	for (int i = 0; i < p->nin; i++) {
		in[i] = mapped[i] ? value_element(l, &x[i], b) : x[i];
		in[i].type = type_of(p, p->in[i]); /* other axes have other numbers */
	}
	if (!lab_run(l, p, in, want)) return false;
	for (int k = 0; k < p->nout; k++) {
		const value got = mapped_out[k] ? value_element(l, &y[k], b) : y[k];
		const int64_t off = value_same(&got, &want[k]);
		if (off < 0) continue;
		lab_fail(l, batched,
		         "element %d, result %d at %d: (%.17g,%.17g), alone (%.17g,%.17g)", (int)b,
		         k, (int)off, creal(value_at(&got, off)), cimag(value_at(&got, off)),
		         creal(value_at(&want[k], off)), cimag(value_at(&want[k], off)));
		return false;
	}
	return true;
}

void law_batch(lab *l, const subject *s, const bool *mapped, int64_t size, bool specials,
               axis_set varying)
{
	bool mapped_out[MOST_VALUES];
	const program *p = s->p;
	const batching of = batch_of(p, size, varying);
	const program *batched = lab_keep(l, pass_batch(p, &of, mapped, NULL, mapped_out), "batch");
	value x[MOST_VALUES], y[MOST_VALUES];
	const type *t[MOST_VALUES];

	if (!batched) return;
	batched_types(l, p, mapped, &of, t);
	sample(l, s, t, x);
	for (int i = 0; specials && i < p->nin; i++) value_specials(l, &x[i]);
	if (!lab_run(l, batched, x, y)) return;
	for (int k = 0; k < p->nout; k++) {
		const type *want = type_of(p, p->out[k]);
		if (y[k].type == batched_type(l, p, want, mapped_out[k], &of)) continue;
		lab_fail(l, batched,
		         "result %d has not the batch in front of its dims, or varies otherwise",
		         k);
		return;
	}
	for (int64_t b = 0; b < size; b++)
		if (!compare_element(l, p, batched, mapped, mapped_out, x, y, b)) return;
}

/* operands of a vjp: those of the program, then a cotangent each result, which are mapped */
void law_batch_of_vjp(lab *l, const subject *s, const bool *mapped, int64_t size)
{
	bool moves_out[MOST_VALUES], all[2 * MOST_VALUES], mapped_too[2 * MOST_VALUES];
	const program *p = s->p, *back = vjp_of(l, p, s->moves, moves_out);
	value x[2 * MOST_VALUES], got[MOST_VALUES], want[MOST_VALUES];
	const type *t[2 * MOST_VALUES];
	const batching of = batch_of(p, size, 0);

	if (!back) return;
	for (int i = 0; i < 2 * MOST_VALUES; i++) {
		all[i] = true;
		mapped_too[i] = i >= p->nin || mapped[i];
	}
	const program *batch_of_back =
		lab_keep(l, pass_batch(back, &of, mapped_too, all, moves_out), "batch of vjp");
	const program *batched = lab_keep(l, pass_batch(p, &of, mapped, all, moves_out), "batch");
	const program *back_of_batch = batched ? vjp_of(l, batched, s->moves, moves_out) : NULL;
	if (!batch_of_back || !back_of_batch) return;
	batched_types(l, back, mapped_too, &of, t);
	for (int i = 0; i < back->nin; i++) x[i] = value_zeros(l, t[i]);
	values_points(l, x, back->nin, s->points);
	if (!lab_run(l, batch_of_back, x, got) || !lab_run(l, back_of_batch, x, want)) return;
	for (int i = 0, at = 0; i < p->nin; i++) {
		if (!s->moves[i]) continue;
		const value sum = mapped[i] ? got[at] : value_sum_elements(l, &got[at]);
		const int64_t off = value_close(&sum, &want[at], 64 * coarsest(p));
		if (off >= 0)
			lab_fail(l, back_of_batch,
			         "cotangent of operand %d at %d: %.12g, by element %.12g", i,
			         (int)off, creal(value_at(&want[at], off)),
			         creal(value_at(&sum, off)));
		at++;
	}
}
