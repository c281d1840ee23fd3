/* products.c - which products a library may compute, and large ones as libraries know them: of
 * matrices, one behind the other, of f32 or f64.
 *
 * Packing is what a fast product does first anyway. Sums of 16-bit numbers are taken in f32 and
 * rounded once, so products of the widened numbers are the same. */
#include "pass/fuse/fuse.h"

#define MUCH ((double)256 * 256 * 256) /* multiply-adds that are worth a copy of the operands */
#define LEAST_DIM 128                  /* the least dim of a result that is worth a copy */
#define LARGE ((double)64 * 64 * 64)   /* multiply-adds that are more than a kernel's */
#define LEAST_SIDE 8                   /* the least side of operands and results then */

/* ---- sizes */

static double size_of(const type *t, const ints *dims)
{
	double size = 1;

	for (int i = 0; i < dims->n; i++) size *= (double)t->dims[dims->v[i]];
	return size;
}

/* multiply-adds; 0: a matrix of the result has fewer rows or columns than `least` */
static double product_size(const program *p, const eqn *e, double least)
{
	const dot_params *d = e->params;
	const type *a = type_of(p, e->in[0]), *b = type_of(p, e->in[1]);
	const double batch = size_of(a, &d->batch_a), k = size_of(a, &d->contract_a);
	const double m = batch > 0 && k > 0 ? (double)a->size / (batch * k) : 0;
	const double n = batch > 0 && k > 0 ? (double)b->size / (batch * k) : 0;

	return m < least || n < least || k < LEAST_SIDE ? 0 : batch * m * n * k;
}

static tsr_dtype summed_in(const type *operand, const dot_params *d)
{
	return dot_sum_dtype(operand->dtype, d->dtype);
}

/* ---- which */

bool wants_matrices(const program *p, const eqn *e)
{
	if (e->prim != &tsr__prim_dot_general) return false;
	const dot_params *d = e->params;
	const type *a = type_of(p, e->in[0]), *b = type_of(p, e->in[1]);
	const tsr_dtype sum = summed_in(a, d);
	bool first;

	if (dtype_kind(sum) != KIND_FLOAT || product_size(p, e, LEAST_DIM) < MUCH) return false;
	return a->dtype != sum || d->dtype != sum ||
	       !is_matrix(a, &d->batch_a, &d->contract_a, &first) ||
	       !is_matrix(b, &d->batch_b, &d->contract_b, &first);
}

bool is_large_product(const program *p, const eqn *e)
{
	if (e->prim != &tsr__prim_dot_general) return false;
	const tsr_dtype dtype = type_of(p, e->in[0])->dtype;
	const bool known = (dtype == TSR_F32 || dtype == TSR_F64) &&
	                   ((const dot_params *)e->params)->dtype == dtype;

	return (known && product_size(p, e, LEAST_SIDE) >= LARGE) || wants_matrices(p, e);
}

/* ---- operands */

/* batch, then what is contracted and the other dims, in one order or the other: a matrix. Where
 * the batch stands already, so does the rest if it can; contract: where it is then */
static var matrix_of(build *b, var x, const ints *batch, const ints *contract, int64_t *at)
{
	const int n = build_type(b, x)->ndim;
	int64_t *perm = arena_array(build_arena(b), (size_t)n + 1, sizeof *perm);
	bool *taken = arena_array(build_arena(b), (size_t)n + 1, sizeof *taken), first;
	int k = 0;

	*at = n - contract->n;
	if (!perm || !taken) {
		build_fail(b);
		return (var){0};
	}
	if (is_matrix(build_type(b, x), batch, contract, &first)) {
		if (first) *at = batch->n;
		return x;
	}
	for (int i = 0; i < contract->n; i++) taken[contract->v[i]] = true;
	for (int i = 0; i < batch->n; i++) taken[perm[k++] = batch->v[i]] = true;
	for (int d = 0; d < n; d++)
		if (!taken[d]) perm[k++] = d;
	for (int i = 0; i < contract->n; i++) perm[k++] = contract->v[i];
	return emit_transpose(b, x, perm);
}

static ints run_of(build *b, int64_t first, int n)
{
	int64_t *v = arena_array(build_arena(b), (size_t)n + 1, sizeof *v);

	if (!v) build_fail(b);
	for (int i = 0; v && i < n; i++) v[i] = first + i;
	return (ints){n, v};
}

var product_of_matrices(build *b, const eqn *e, var x, var y)
{
	const dot_params *d = e->params;
	const tsr_dtype sum = summed_in(build_type(b, x), d);
	int64_t at_x, at_y;

	x = emit_convert(b, matrix_of(b, x, &d->batch_a, &d->contract_a, &at_x), sum);
	y = emit_convert(b, matrix_of(b, y, &d->batch_b, &d->contract_b, &at_y), sum);
	const dot_params plain = {.contract_a = run_of(b, at_x, d->contract_a.n),
	                          .contract_b = run_of(b, at_y, d->contract_b.n),
	                          .batch_a = run_of(b, 0, d->batch_a.n),
	                          .batch_b = run_of(b, 0, d->batch_b.n),
	                          .dtype = sum};
	if (build_failed(b)) return (var){0};
	return emit_convert(b, emit(b, e->prim, &plain, (var[]){x, y}, 2), d->dtype);
}
