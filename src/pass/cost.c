/* cost.c - estimates the time that equations take: one measure for all decisions.
 *
 * Work is counted in additions of elements in a vector. Each row says how much one element is (its
 * column `cost`, program.h): a sine is 12. Loads and stores are counted in bytes, four at least for
 * an element, and twice if the value does not fit into a cache; to fusion each is a work. The
 * target says how many nanoseconds both take, in machine code and in the interpreter. Example, for
 * f32[64,64] and f64:
 *
 *     %1 = sin %0                     12 an element, 49152 in all;         f64: 24, 98304
 *     %2 = reduce_sum %1 dims=[1]     2 + 64 an element, 4224 in all;      f64: 130, 8320
 *     %3 = transpose %1 perm=[1,0]    0.25 an element, 1024 in all;        f64: the same
 *     %4 = sort %0 dim=1 ...          27 an element, 110592 in all;        f64: 51, 208896
 *
 * What is called instead of compiled, such as the last, and what takes windows may count otherwise
 * (its column `times`). An element of a row that is made of others takes what these take: clamp is
 * max and min, 4.
 * A kernel of the first two is 53376 of work, and loads 16384 bytes and stores 256. */
#include <math.h>
#include "pass/pass.h"

bool is_reduction(const eqn *e) { return e->prim->flags & PRIM_REDUCES; }

static double product(const int64_t *dims, const ints *which)
{
	double n = 1;

	for (int i = 0; i < which->n; i++) n *= (double)dims[which->v[i]];
	return n;
}

double steps_of(const program *p, const eqn *e)
{
	const type *x = type_of(p, e->in[0]), *y = type_of(p, e->out[0]);

	if (e->prim == &tsr__prim_dot_general)
		return product(x->dims, &((const dot_params *)e->params)->contract_a);
	return y->size ? (double)x->size / (double)y->size : 0;
}

static double dtype_cost(tsr_dtype dtype)
{
	const double parts = dtype_kind(dtype) == KIND_COMPLEX ? 4 : 1;

	return dtype_bits(dtype_real(dtype)) == 64 ? 2 * parts : parts;
}

static double expansion_cost(const program *p)
{
	double sum = 0;

	for (int i = 0; i < p->neqns; i++) sum += element_cost(p, &p->eqns[i]);
	return sum;
}

double element_cost(const program *p, const eqn *e)
{
	const type *y = type_of(p, e->out[0]);
	const double each = e->prim->cost * dtype_cost(y->dtype);

	if (eqn_expansion(e)) return expansion_cost(eqn_expansion(e));
	if (e->prim->times) return e->prim->cost * e->prim->times(p, e) / fmax(1, (double)y->size);
	if (e->prim->flags & PRIM_MOVES) return e->prim->cost;
	return is_reduction(e) ? 2 + each * steps_of(p, e) : each;
}

double work_of(const program *p, const eqn *e)
{
	return e->nout ? element_cost(p, e) * (double)type_of(p, e->out[0])->size : 0;
}

double eqn_operations(const program *p, const eqn *e)
{
	const double n = e->nout ? (double)type_of(p, e->out[0])->size : 0;

	if (e->prim == &tsr__prim_dot_general) return 2 * n * steps_of(p, e);
	if (is_reduction(e)) return (double)type_of(p, e->in[0])->size;
	return e->prim->flags & PRIM_ELEMENTWISE ? n : 0;
}

/* ---- memory */

double load_work(const target *on, const type *t)
{
	const double item = (double)tsr_dtype_size(t->dtype), n = (double)t->size;
	const double each = n * item > on->cached ? 2 * item : item;

	return n * (each < 4 ? 4 : each);
}

static double bytes_of(const type *t) { return (double)t->size * (double)tsr_dtype_size(t->dtype); }

/* what an equation of a kernel loads of the kernel's input x: what moves elements reads no more
 * than it makes */
static double read_bytes(const target *on, const program *p, const eqn *e, const type *x)
{
	const type *y = type_of(p, e->out[0]);

	return load_work(on, e->prim->flags & PRIM_MOVES && y->size < x->size ? y : x);
}

/* ---- time */

double copy_ns(const target *on, int64_t bytes)
{
	const double each = (double)bytes > on->cached ? 4 : 2; /* loaded and stored */

	return on->code_start + on->code_byte * each * (double)bytes;
}

double product_ns(const target *on, const matrix_product *p)
{
	const double batch = (double)p->batch, m = (double)p->m, n = (double)p->n, k = (double)p->k;
	const double all = batch * m * n * k, item = (double)tsr_dtype_size(p->from);
	const double work = on->library_work * (p->symmetric ? all / 2 : all);
	const double reading = on->code_byte * batch * (m + n) * k * item;

	if (p->phase == PRODUCT_JOINED) /* a number is loaded for each chain */
		return on->code_start + on->code_byte * 4 * all / SUM_BLOCK;
	return on->code_start + (work > reading ? work : reading);
}

bool kernel_ns(const target *on, arena *scratch, const program *p, double *ns)
{
	bool *input = arena_array(scratch, (size_t)p->nvars, sizeof *input);
	double work = 0, loads = 0;

	if (!input) return false;
	for (int i = 0; i < p->nin; i++) input[p->in[i].id] = true;
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		work += work_of(p, e);
		for (int k = 0; k < e->nin; k++)
			if (input[e->in[k].id]) loads += read_bytes(on, p, e, type_of(p, e->in[k]));
	}
	for (int i = 0; i < p->nout; i++) loads += load_work(on, type_of(p, p->out[i]));
	*ns = on->code_start + on->code_work * work + on->code_byte * loads;
	return true;
}

double library_ns(const target *on, const program *p, const eqn *e)
{
	return on->code_start + on->library_work * work_of(p, e);
}

double eval_ns(const target *on, const program *p, const eqn *e)
{
	const double work = work_of(p, e);
	double bytes = 0;

	for (int i = 0; i < e->nin; i++) bytes += bytes_of(type_of(p, e->in[i]));
	for (int i = 0; i < e->nout; i++) bytes += bytes_of(type_of(p, e->out[i]));
	return on->eval_start + on->eval_byte * bytes +
	       (e->prim == &tsr__prim_dot_general ? on->eval_product : on->eval_work) * work;
}
