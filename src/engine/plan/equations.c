/* equations.c - makes the steps of an equation: a kernel, a product of matrices, a call of the
 * row's function, an update in place, or copies.
 *
 * Example:
 *
 *     f(%0: f32[100000], %1: f32[100], %2: i32[]) -> f32[100000] {
 *       %3: f32[100000] = cumsum %0 dim=0 reverse=false
 *       %4: f32[100000] = dynamic_update_slice %3 %1 %2
 *       %5: f32[100000] = cumsum %4 dim=0 reverse=false
 *       return %5
 *     }
 *
 * cumsum has no kernel: a step calls what the row does. Nothing else reads the first of them, so
 * the update writes its hundred elements where it is, in place of a kernel that would write all:
 *
 *     the plan of f: 3 steps, 400000 bytes of scratch memory
 *       0  call cumsum  in0 -> scratch+0  ..
 *       1  update  in1, in2 -> scratch+0  ..
 *       2  call cumsum  scratch+0 -> out0  .. */
#include "engine/plan/plan.h"

/* ---- copies */

static bool step_args(schedule *s, step *to, const place *arg, const int64_t *bytes, int n,
                      int nresults)
{
	to->nargs = n;
	to->nresults = nresults;
	to->arg = arena_copy(s->arena, arg, (size_t)n * sizeof *arg);
	to->bytes = arena_copy(s->arena, bytes, (size_t)n * sizeof *bytes);
	return to->arg && to->bytes;
}

/* rows of `row` bytes, or one range */
static bool copy_rows(schedule *s, const eqn *e, place from, place to, int64_t rows, int64_t row,
                      int64_t from_stride, int64_t to_stride)
{
	step *x = rows && row ? add_step(s, STEP_COPY, e) : NULL;

	if (!rows || !row) return true;
	if (!x) return false;
	if (row == from_stride && row == to_stride) {
		row *= rows;
		rows = 1;
	}
	x->copy = (step_of_copy){rows, row, from_stride, to_stride, TUNE_COPY_PIECE};
	x->items = rows == 1 ? (row + TUNE_COPY_PIECE - 1) / TUNE_COPY_PIECE : rows;
	x->cost = copy_ns(s->target, rows * row);
	return step_args(s, x, (place[]){from, to},
	                 (int64_t[]){(rows - 1) * from_stride + row, (rows - 1) * to_stride + row},
	                 2, 1);
}

bool step_copy(schedule *s, const eqn *e, place from, place to, int64_t bytes)
{
	if (same_place(from, to)) return true;
	return copy_rows(s, e, from, to, 1, bytes, bytes, bytes);
}

/* ---- equations */

bool is_called(const eqn *e)
{
	const bool local = eqn_evaluates(e) && !(e->prim->flags & PRIM_COLLECTIVE);

	return e->prim->host || (local && !prim_has(e->prim, COL_LOWER));
}

const char *why_called(const eqn *e)
{
	return sums_pairs(e) ? "pairs of operands with too many dims to be matrices"
	                     : e->prim->no_rule[COL_LOWER];
}

/* operands and results of an equation as the args of the step made last; use: as the kernel that
 * computes it wants them, NULL: it is no kernel */
static bool equation_args(const level *l, const eqn *e, const kernel_use *use)
{
	step *to = &l->s->step[l->s->nsteps - 1];
	const int literals = use && use->kernel->nliterals, n = e->nin + literals + e->nout;
	place *arg = arena_array(l->s->arena, (size_t)n + 1, sizeof *arg);
	int64_t *bytes = arena_array(l->s->arena, (size_t)n + 1, sizeof *bytes);

	if (!arg || !bytes) return false;
	for (int i = 0; i < e->nin; i++) {
		const int64_t begin = use ? use->begin[i] : 0;
		arg[i] = level_place(l, e->in[i]);
		arg[i].offset += begin;
		bytes[i] = value_bytes(type_of(l->p, e->in[i])) - begin;
	}
	if (literals) {
		arg[e->nin] = l->s->unit[use->unit].literals;
		bytes[e->nin] = literals_bytes(use->kernel);
	}
	for (int i = 0; i < e->nout; i++) {
		arg[e->nin + literals + i] = level_place(l, e->out[i]);
		bytes[e->nin + literals + i] = value_bytes(type_of(l->p, e->out[i]));
	}
	to->nargs = n;
	to->nresults = e->nout;
	to->arg = arg;
	to->bytes = bytes;
	return true;
}

/* the equation on what its kernel has as inputs: literals are inside */
static bool without_literals(const level *l, const eqn *e, eqn *out)
{
	var *in = arena_array(l->arena, (size_t)e->nin + 1, sizeof *in);

	if (!in) return false;
	*out = *e;
	out->in = in;
	out->nin = 0;
	for (int i = 0; i < e->nin; i++)
		if (!l->p->vars[e->in[i].id].literal) in[out->nin++] = e->in[i];
	return true;
}

/* the result that elements are put into is the operand, or a copy of it */
static bool begin_with_held(level *l, const eqn *e, int held)
{
	const place from = level_place(l, e->in[held]), to = level_place(l, e->out[0]);

	if (!step_copy(l->s, e, from, to, value_bytes(type_of(l->p, e->out[0])))) return false;
	l->s->nwaves++;
	return true;
}

static bool schedule_kernel(level *l, const eqn *given)
{
	schedule *s = l->s;
	const bool call = given->prim == &tsr__prim_call;
	eqn own = *given;
	const eqn *e = &own;
	kernel_use use;

	if (!(call ? unit_of(s, l->arena, ((const call_params *)given->params)->program, &use)
	           : unit_of_equation(s, l->arena, l->p, given, &use)) ||
	    (!call && !without_literals(l, given, &own)) || !level_place_results(l, e, use.kernel))
		return false;
	if (use.kernel->held >= 0 && !begin_with_held(l, e, use.kernel->held)) return false;
	if (use.kernel->held >= 0 && !type_of(l->p, e->out[0])->size) return true;
	step *x = add_step(s, STEP_KERNEL, e);
	if (!x) return false;
	x->unit = use.unit;
	x->cost = s->unit[use.unit].cost;
	return equation_args(l, e, &use);
}

/* operands that are not made in place are copied into it */
static bool schedule_concatenate(level *l, const eqn *e)
{
	const type *out = type_of(l->p, e->out[0]);
	const int64_t size = (int64_t)tsr_dtype_size(out->dtype);
	const int64_t dim = ((const dim_params *)e->params)->dim;
	int64_t rows = 1, inner = size, at = 0;

	if (!level_place_results(l, e, NULL)) return false;
	for (int d = 0; d < out->ndim; d++)
		if (d < dim)
			rows *= out->dims[d];
		else if (d > dim)
			inner *= out->dims[d];
	const place whole = level_place(l, e->out[0]);
	for (int i = 0; i < e->nin; i++) {
		const int64_t row = type_of(l->p, e->in[i])->dims[dim] * inner;
		const place from = level_place(l, e->in[i]), to = {whole.root, whole.offset + at};
		if (!same_place(from, to) &&
		    !copy_rows(l->s, e, from, to, rows, row, row, out->dims[dim] * inner))
			return false;
		at += row;
	}
	return true;
}

/* what the caller has for an input of the program that it calls */
static var given_for(const program *inside, const eqn *call, var x)
{
	for (int i = 0; i < inside->nin; i++)
		if (inside->in[i].id == x.id) return call->in[i];
	return x;
}

/* the two operands of a product in memory: one may be what the product gathers from */
static bool product_operands(level *l, const eqn *e, matrix_product *p, var in[2])
{
	const program *inside = l->p;
	const eqn *product = product_inside(&inside, e);
	gathered from;

	for (int i = 0; i < 2; i++) in[i] = product->in[i];
	if (product == e) return true;
	if (!product_gathers(inside, product, &from)) return false;
	in[from.operand] = from.base;
	for (int i = 0; i < 2; i++) in[i] = given_for(inside, e, in[i]);
	*(from.operand ? &p->b : &p->a) = from.view;
	p->symmetric = false;
	return true;
}

static bool product_step(level *l, const eqn *e, const matrix_product *p, const place arg[3],
                         const int64_t bytes[3])
{
	const target *on = l->s->target;
	step *x = add_step(l->s, STEP_PRODUCT, e);

	if (!x) return false;
	x->product = arena_copy(l->s->arena, p, sizeof *p);
	x->items = on->product_parts ? on->product_parts(p) : p->batch;
	x->cost = product_ns(on, p);
	return x->product && step_args(l->s, x, arg, bytes, 3, 1);
}

/* Bytes of the sums of all blocks, if workers share these instead of the results: there are few
 * results, and the sums are little beside the operands. 0: they do not */
static int64_t bytes_of_chains(const level *l, const matrix_product *p)
{
	const target *on = l->s->target;
	const int64_t wide = (int64_t)tsr_dtype_size(p->dtype);
	const int64_t chains = (p->k + SUM_BLOCK - 1) / SUM_BLOCK;

	if (!on->product_parts || p->batch * on->product_parts(p) >= TUNE_BLOCKS_FEW ||
	    product_ns(on, p) < TUNE_LONG_SUM || p->m * p->n > TUNE_LONG_SUM_SIDE * (p->m + p->n))
		return 0;
	return chains * p->batch * p->m * p->n * wide;
}

/* all blocks of the contracted index side by side, and then what they give together */
static bool schedule_chains(level *l, const eqn *e, const matrix_product *p, const place arg[3],
                            const int64_t bytes[3], int64_t of_chains)
{
	const int64_t offset = level_borrow(l, of_chains);
	const place chains = {l->root, offset};
	matrix_product part = *p, joined = *p;

	part.phase = PRODUCT_CHAINS;
	part.to = p->dtype;
	joined.phase = PRODUCT_JOINED;
	if (offset < 0 || !product_step(l, e, &part, (place[]){arg[0], arg[1], chains},
	                                (int64_t[]){bytes[0], bytes[1], of_chains}))
		return false;
	l->s->nwaves++;
	return product_step(l, e, &joined, (place[]){chains, chains, arg[2]},
	                    (int64_t[]){of_chains, of_chains, bytes[2]});
}

static bool schedule_product(level *l, const eqn *e, matrix_product *p)
{
	var in[3] = {{0}, {0}, e->out[0]};
	place arg[3];
	int64_t bytes[3];

	if (!level_place_results(l, e, NULL) || !product_operands(l, e, p, in)) return false;
	for (int i = 0; i < 3; i++) {
		arg[i] = level_place(l, in[i]);
		bytes[i] = value_bytes(type_of(l->p, in[i]));
	}
	const int64_t of_chains = bytes_of_chains(l, p);
	return of_chains ? schedule_chains(l, e, p, arg, bytes, of_chains)
	                 : product_step(l, e, p, arg, bytes);
}

/* one more arg, behind the results: memory that the step writes */
static bool scratch_arg(const level *l, step *x, int64_t offset, int64_t size)
{
	place *arg = arena_array(l->s->arena, (size_t)x->nargs + 1, sizeof *arg);
	int64_t *bytes = arena_array(l->s->arena, (size_t)x->nargs + 1, sizeof *bytes);

	if (!arg || !bytes) return false;
	memcpy(arg, x->arg, (size_t)x->nargs * sizeof *arg);
	memcpy(bytes, x->bytes, (size_t)x->nargs * sizeof *bytes);
	arg[x->nargs] = (place){l->root, offset};
	bytes[x->nargs] = size;
	x->arg = arg;
	x->bytes = bytes;
	x->nargs++;
	x->nresults++;
	return true;
}

/* The row has no kernel: steps call its eval, or a library, one for each phase. Parts of the
 * results are items. In one phase each item has scratch memory of its own, in several they share
 * it */
static bool schedule_call(level *l, const eqn *e)
{
	schedule *s = l->s;
	const type **t = arena_array(s->arena, (size_t)(e->nin + e->nout), sizeof *t);

	for (int i = 0; t && i < e->nin + e->nout; i++)
		t[i] = type_of(l->p, i < e->nin ? e->in[i] : e->out[i - e->nin]);
	if (!t || !level_place_results(l, e, NULL)) return false;
	const bool library = s->target->library_scratch && library_calls(s->target, l->p, e);
	const int64_t bytes =
		library ? s->target->library_scratch(e, t) : (int64_t)eqn_scratch(e, t);
	const int64_t parts = eqn_parts(e, t), phases = library ? 1 : eqn_phases(e, t);
	const int64_t each = phases > 1 ? 0 : bytes, all = phases > 1 ? bytes : parts * bytes;
	const int64_t offset = all ? level_borrow(l, all) : 0;
	const double cost = library ? library_ns(s->target, l->p, e) : eval_ns(s->target, l->p, e);

	for (int64_t k = 0; k < phases; k++) {
		if (k) s->nwaves++;
		step *x =
			offset >= 0 ? add_step(s, e->prim->host ? STEP_HOST : STEP_CALL, e) : NULL;
		if (!x || !equation_args(l, e, NULL)) return false;
		x->call = (step_of_call){e, t, t + e->nin, each, k, all != 0, library};
		x->items = parts;
		x->cost = cost / (double)phases;
		if (all && !scratch_arg(l, x, offset, all)) return false;
	}
	return true;
}

static int64_t *byte_strides(schedule *s, const type *t)
{
	int64_t *stride = arena_array(s->arena, (size_t)t->ndim + 1, sizeof *stride);

	if (!stride) return NULL;
	dims_strides(t->dims, t->ndim, stride);
	for (int d = 0; d < t->ndim; d++) stride[d] *= (int64_t)tsr_dtype_size(t->dtype);
	return stride;
}

/* A kernel would compute the whole array although only a part changes. So the part is written into
 * the memory of the operand, or into a copy of it */
static bool schedule_update(level *l, const eqn *e)
{
	schedule *s = l->s;
	const type **t = arena_array(s->arena, (size_t)e->nin, sizeof *t);

	for (int i = 0; t && i < e->nin; i++) t[i] = type_of(l->p, e->in[i]);
	if (!t || !level_place_results(l, e, NULL) ||
	    !step_copy(s, e, level_place(l, e->in[0]), level_place(l, e->out[0]),
	               value_bytes(t[0])))
		return false;
	s->nwaves++;
	const eqn rest = {.in = e->in + 1, .nin = e->nin - 1, .out = e->out, .nout = 1};
	step *x = add_step(s, STEP_UPDATE, e);
	if (!x) return false;
	x->update = (step_of_update){.part = t[1],
	                             .whole = t[0],
	                             .start = t + 2,
	                             .from = byte_strides(s, t[1]),
	                             .to = byte_strides(s, t[0])};
	x->cost = copy_ns(s->target, value_bytes(t[1]));
	return x->update.from && x->update.to && equation_args(l, &rest, NULL);
}

static bool schedule_copy(level *l, const eqn *e)
{
	return level_place_results(l, e, NULL) &&
	       step_copy(l->s, e, level_place(l, e->in[0]), level_place(l, e->out[0]),
	                 value_bytes(type_of(l->p, e->out[0])));
}

/* what a begin receives has its place from then on; the results of the end are there too */
static bool schedule_transfer(level *l, const eqn *e)
{
	const transfer_params *p = e->params;
	const bool begins = e->prim == &tsr__prim_transfer_begin;
	step *x = level_place_results(l, e, NULL)
	                  ? add_step(l->s, begins ? STEP_BEGIN : STEP_END, e)
	                  : NULL;

	if (!x) return false;
	x->transfer = (step_of_transfer){(int32_t)p->number - 1, p->to, p->from};
	if (p->number > l->s->ntransfers) l->s->ntransfers = (int32_t)p->number;
	const eqn args = {.in = e->in, .nin = e->nin, .out = e->out, .nout = begins ? e->nout : 0};
	return equation_args(l, &args, NULL);
}

bool schedule_equation(level *l, const eqn *e)
{
	matrix_product product;

	if (eqn_makes_nothing(l->p, e)) return level_place_results(l, e, NULL);
	if (e->prim == &tsr__prim_transfer_begin || e->prim == &tsr__prim_transfer_end)
		return schedule_transfer(l, e);
	if (is_called(e)) return schedule_call(l, e);
	if (e->prim == &tsr__prim_copy) return schedule_copy(l, e);
	if (e->prim == &tsr__prim_dynamic_update_slice) return schedule_update(l, e);
	if (e->prim == &tsr__prim_concatenate) return schedule_concatenate(l, e);
	if (maker_of(l->s->target, l->p, e, &product) == BY_MATRICES)
		return schedule_product(l, e, &product);
	return sums_pairs(e) ? schedule_call(l, e) : schedule_kernel(l, e);
}
