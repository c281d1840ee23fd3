/* products.c - decides between a kernel, products of matrices and a library as the maker of an
 * equation.
 *
 *     pass fuse
 *     f(%0: f32[64,64], %1: f32[64,64]) -> f32[64,64] {
 *       %2: f32[64,64] = neg %0
 *       %3: f32[64,64] =
 *             dot_general %2 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       %4: f32[64,64] = exp %3
 *       return %4
 *     }
 *     gives
 *     f(%0: f32[64,64], %1: f32[64,64]) -> f32[64,64] {
 *       %2: f32[64,64] = call %0 program=neg(%0: f32[64,64]) -> f32[64,64] {
 *         %1: f32[64,64] = neg %0
 *         return %1
 *       }
 *       %3: f32[64,64] =
 *             dot_general %2 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       %4: f32[64,64] = call %3 program=exp(%0: f32[64,64]) -> f32[64,64] {
 *         %1: f32[64,64] = exp %0
 *         return %1
 *       }
 *       return %4
 *     } */
#include "pass/fuse/fuse.h"

const eqn *product_inside(const program **p, const eqn *e)
{
	if (e->prim != &tsr__prim_call) return e;
	*p = ((const call_params *)e->params)->program;
	return (*p)->neqns ? &(*p)->eqns[(*p)->neqns - 1] : e;
}

static bool has_lines(const matrix_view *v) { return v->own.n && v->own.stride[v->own.n - 1] == 1; }

static bool has_columns(const matrix_view *v) { return v->sum.n == 1 && v->sum.stride[0] == 1; }

/* A few rows, or one column, by a large matrix whose lines are one behind the other in memory: that
 * takes as long as it is read. Where numbers are widened, or where it stays in a cache, kernels are
 * faster */
static bool is_thin(const target *on, const matrix_product *x)
{
	const double m = (double)x->m, n = (double)x->n, own = m > n ? m : n;

	return x->from == x->dtype &&
	       own * (double)x->k * (double)tsr_dtype_size(x->dtype) >= on->product_read &&
	       ((m < on->product_side && n >= on->product_long && has_lines(&x->b)) ||
	        (n == 1 && m >= on->product_long && has_lines(&x->a)));
}

/* A few rows, or one column, by a matrix whose columns are one behind the other; a few rows by a
 * few such columns, where those of both are */
static bool has_dots(const target *on, const matrix_product *x)
{
	const double m = (double)x->m, n = (double)x->n, side = on->product_side;

	if (dtype_kind(x->dtype) < KIND_FLOAT) return false;
	return (m <= on->product_thin && n >= side && has_columns(&x->b)) ||
	       (n == 1 && m >= side && has_columns(&x->a)) ||
	       (m < side && n < side && has_columns(&x->a) && has_columns(&x->b));
}

/* each of a batch by itself: kernels compute many small ones as fast as a large one */
static bool is_large(const target *on, const matrix_product *x)
{
	const double m = (double)x->m, n = (double)x->n, k = (double)x->k, side = on->product_side;

	if (x->pairs) return true; /* which kernels do not compute */
	return (is_thin(on, x) || has_dots(on, x) || (m >= side && n >= side)) && k >= side &&
	       m * n * k >= on->product_work;
}

/* sums in i32 of bytes; in f32 of what f32 holds, rounded to what it holds, and the same of f64 and
 * f32 */
static bool can_take(const target *on, const matrix_product *x)
{
	const bool narrow = x->dtype == TSR_F32;
	const tsr_dtype part[] = {x->from, x->to};

	if (x->dtype == TSR_I32 && (x->from == TSR_I8 || x->from == TSR_U8))
		return !on->product_parts || on->product_parts(x);
	if (!narrow && x->dtype != TSR_F64) return false;
	for (int i = 0; i < 2; i++) {
		const bool half = part[i] == TSR_F16 || part[i] == TSR_BF16;
		if (part[i] != x->dtype && !(narrow ? half : part[i] == TSR_F32)) return false;
	}
	return !on->product_parts || on->product_parts(x);
}

product_maker maker_of(const target *on, const program *p, const eqn *e, matrix_product *out)
{
	e = product_inside(&p, e);
	return e->prim == &tsr__prim_dot_general && product_of(p, e, out) &&
	                       sums_pairs(e) == out->pairs && is_large(on, out) && can_take(on, out)
	               ? BY_MATRICES
	               : BY_KERNEL;
}

bool library_calls(const target *on, const program *p, const eqn *e)
{
	const type *in[2] = {NULL};

	if (!(e->prim->flags & PRIM_LIBRARY)) return false;
	for (int i = 0; i < e->nin; i++) in[i] = type_of(p, e->in[i]);
	return work_of(p, e) >= on->called_work * (double)matrices_of(in[0]) &&
	       (!on->library_scratch || on->library_scratch(e, in) >= 0);
}
