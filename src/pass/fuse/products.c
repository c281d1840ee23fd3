/* products.c - what libraries compute, and large products as they know them: of matrices, one
 * behind the other, of f32 or f64.
 *
 * Packing is what a fast product does first anyway. Sums of 16-bit numbers are taken in f32 and
 * rounded once, so products of the widened numbers are the same.
 *
 *     pass fuse
 *     f(%0: bf16[512,512], %1: bf16[512,512]) -> bf16[512,512] {
 *       %2: bf16[512,512] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *           dtype=bf16
 *       return %2
 *     }
 *     gives
 *     f(%0: bf16[512,512], %1: bf16[512,512]) -> bf16[512,512] {
 *       %2: f32[512,512] = call %0
 *           program=convert_element_type(%0: bf16[512,512]) -> f32[512,512] {
 *         %1: f32[512,512] = convert_element_type %0 dtype=f32
 *         return %1
 *       }
 *       %3: f32[512,512] = call %1
 *           program=convert_element_type(%0: bf16[512,512]) -> f32[512,512] {
 *         %1: f32[512,512] = convert_element_type %0 dtype=f32
 *         return %1
 *       }
 *       %4: f32[512,512] = dot_general %2 %3 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *           dtype=f32
 *       %5: bf16[512,512] = call %4
 *           program=convert_element_type(%0: f32[512,512]) -> bf16[512,512] {
 *         %1: bf16[512,512] = convert_element_type %0 dtype=bf16
 *         return %1
 *       }
 *       return %5
 *     } */
#include "pass/fuse/fuse.h"

/* ---- who computes it */

static int64_t size_of(const type *t, const ints *dims)
{
	int64_t size = 1;

	for (int i = 0; i < dims->n; i++) size *= t->dims[dims->v[i]];
	return size;
}

static tsr_dtype summed_in(const type *operand, const dot_params *d)
{
	return dot_sum_dtype(operand->dtype, d->dtype);
}

/* a product as it would be of packed operands. false: one of these is empty */
static bool packed_of(const program *p, const eqn *e, matrix_product *out)
{
	const dot_params *d = e->params;
	const type *a = type_of(p, e->in[0]), *b = type_of(p, e->in[1]);

	if (!a->size || !b->size) return false;
	const int64_t batch = size_of(a, &d->batch_a), k = size_of(a, &d->contract_a);
	*out = (matrix_product){.dtype = summed_in(a, d),
	                        .batch = batch,
	                        .m = a->size / batch / k,
	                        .n = b->size / batch / k,
	                        .k = k};
	return true;
}

/* is it as large as that, with results of this many rows and columns? */
static bool is_large(const target *on, const matrix_product *x, double work, double side)
{
	return (double)x->m >= side && (double)x->n >= side && (double)x->k >= on->product_side &&
	       (double)x->batch * (double)x->m * (double)x->n * (double)x->k >= work;
}

static bool library_takes(const target *on, const matrix_product *x)
{
	return (x->dtype == TSR_F32 || x->dtype == TSR_F64) &&
	       (!on->product_parts || on->product_parts(x));
}

const eqn *product_inside(const program **p, const eqn *e)
{
	if (e->prim != &tsr__prim_call) return e;
	*p = ((const call_params *)e->params)->program;
	return (*p)->neqns ? &(*p)->eqns[(*p)->neqns - 1] : e;
}

product_maker maker_of(const target *on, const program *p, const eqn *e, matrix_product *out)
{
	e = product_inside(&p, e);
	if (e->prim != &tsr__prim_dot_general || !packed_of(p, e, out) || !library_takes(on, out))
		return BY_KERNEL;
	if (product_of(p, e, out))
		return is_large(on, out, on->product_work, on->product_side) ? BY_LIBRARY
		                                                             : BY_KERNEL;
	return is_large(on, out, on->packed_work, on->packed_side) ? BY_LIBRARY_PACKED : BY_KERNEL;
}

bool library_calls(const target *on, const program *p, const eqn *e)
{
	const type *in[2] = {NULL};

	if (!(e->prim->flags & PRIM_LIBRARY)) return false;
	for (int i = 0; i < e->nin; i++) in[i] = type_of(p, e->in[i]);
	return work_of(p, e) >= on->called_work * (double)eqn_parts(e, in) &&
	       (!on->library_scratch || on->library_scratch(e, in) >= 0);
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
