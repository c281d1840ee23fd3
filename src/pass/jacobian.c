/* jacobian.c - all derivatives of results by inputs: the linear half of a program, or its
 * transpose, on the whole basis at once.
 *
 * By columns (forward): the batch %5 holds the unit tensors of the input, and the linear half
 * runs on the whole batch.
 *
 *     pass jacobian_by_columns 1
 *     f(%0: f32[2]) -> f32[2] {
 *       %1: f32[2] = sin %0
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[2]) -> f32[2], f32[2,2] {
 *       %1: f32[2] = sin %0
 *       %2: i64[2,2] = iota dtype=i64 dims=[2,2] dim=0
 *       %3: i64[2,2] = iota dtype=i64 dims=[2,2] dim=1
 *       %4: bool[2,2] = eq %2 %3
 *       %5: f32[2,2] = convert_element_type %4 dtype=f32
 *       %6: f32[2] = cos %0
 *       %7: f32[2,2] = broadcast_in_dim %6 dims=[2,2] at=[1]
 *       %8: f32[2,2] = mul %5 %7
 *       %9: f32[2,2] = transpose %8 perm=[1,0]
 *       %10: f32[2,2] = placed_like %9 %0
 *       return %1 %10
 *     }
 *
 * By rows (reverse) the basis is that of the result, which is what to take when there are fewer
 * results than inputs. */
#include "pass/pass.h"

typedef struct jacobian {
	const program *from;
	arena *scratch;
	build *b;
	var *x;   /* the inputs */
	var *out; /* the results, then the derivatives: of result o by moving input i at
	             nout + o * nmoving + i, where o counts the wanted ones */
	const bool *moves, *wanted;
	int nmoving, nwanted;
	const int *input_rank, *result_rank; /* among those that move, or are wanted */
} jacobian;

static var *place(const jacobian *j, int result, int input)
{
	return &j->out[j->from->nout + j->result_rank[result] * j->nmoving + j->input_rank[input]];
}

/* [n, dims]: the n unit tensors of a type, n its number of elements */
static var basis(jacobian *j, const type *t)
{
	const int64_t square[] = {t->size, t->size};
	const var row_at = emit_iota(j->b, TSR_I64, square, 2, 0);
	const var column_at = emit_iota(j->b, TSR_I64, square, 2, 1);
	const var same = emit_2(j->b, &tsr__prim_eq, row_at, column_at);
	const var all = emit_dims(j->b, emit_convert(j->b, same, t->dtype), 1, 1, t->dims, t->ndim);

	return is_zero(all) ? all : build_vary(j->b, all, t->varying, NULL);
}

/* the derivative's dims: those of the result, then those of the input */
static const type *pair_type(const jacobian *j, const type *y, const type *x, axis_set varying)
{
	int64_t *dims = arena_array(j->scratch, (size_t)(y->ndim + x->ndim) + 1, sizeof *dims);

	if (!dims) return NULL;
	for (int d = 0; d < y->ndim; d++) dims[d] = y->dims[d];
	for (int d = 0; d < x->ndim; d++) dims[y->ndim + d] = x->dims[d];
	const type *t = type_shaped(build_ir(j->b), y, dims, y->ndim + x->ndim, varying);
	return t ? type_weaken(build_ir(j->b), t, y->weak && x->weak) : NULL;
}

/* v in the dims of t, and weak like it */
static var shaped_like(build *b, var v, const type *t)
{
	const var y = emit_reshape(b, v, t->dims, t->ndim);

	return is_zero(y) ? y : emit_as(b, y, (etype){build_type(b, y)->dtype, t->weak});
}

/* the linear program with operand `at` of each unit tensor, the others as given. made: its results,
 * each [n, dims] */
static bool on_basis(jacobian *j, const program *linear, int at, var *operand, var *made)
{
	const type *t = type_of(linear, linear->in[at]);
	bool *mapped = arena_array(j->scratch, (size_t)(linear->nin + 2 * linear->nout) + 1,
	                           sizeof *mapped);

	const batching of = {.size = t->size, .axis = -1};

	if (!mapped) return false;
	bool *must = mapped + linear->nin, *are = must + linear->nout;
	mapped[at] = true;
	for (int i = 0; i < linear->nout; i++) must[i] = true;
	program *all = pass_batch(linear, &of, mapped, must, are);
	if (!all) return false;
	operand[at] = basis(j, t);
	const bool ok = operand[at].id && build_inline(j->b, all, operand, made, NULL);
	program_release(all);
	return ok;
}

/* ---- forward: a column at a time */

/* dy: of the results that move, each [n, dims of the result] */
static bool give_column(jacobian *j, int input, const bool *moves_out, const var *dy)
{
	const program *p = j->from;

	for (int o = 0; o < p->nout; o++) {
		const type *y = type_of(p, p->out[o]);
		if (!j->wanted[o]) continue;
		const type *t = pair_type(j, y, type_of(p, p->in[input]), y->varying);
		if (!t) return false;
		*place(j, o, input) =
			moves_out[o] ? shaped_like(j->b, emit_move_dim(j->b, *dy++, 0, y->ndim), t)
				     : emit_zeros(j->b, t);
	}
	return !build_failed(j->b);
}

static bool by_column(jacobian *j, const halves *h, int input, const bool *moves_out)
{
	const program *p = j->from;
	const int nout = p->nout, n = h->nresiduals;
	var *y = arena_array(j->scratch, 2 * (size_t)(nout + n) + 2, sizeof *y);

	if (!y || !build_inline(j->b, h->known, j->x, y, NULL)) return false;
	var *operand = y + nout + n, *dy = operand + 1 + n;
	for (int o = 0; o < nout; o++) j->out[o] = y[o];
	for (int i = 0; i < n; i++) operand[1 + i] = y[nout + i];
	return on_basis(j, h->unknown, 0, operand, dy) && give_column(j, input, moves_out, dy);
}

static bool columns(jacobian *j)
{
	const program *p = j->from;
	bool *moves = arena_array(j->scratch, (size_t)(p->nin + p->nout) + 1, sizeof *moves);
	bool ok = moves && build_inline(j->b, p, j->x, j->out, NULL);
	halves h;

	for (int i = 0; ok && i < p->nin; i++) {
		if (!j->moves[i]) continue;
		moves[i] = true;
		ok = pass_linearize(p, j->scratch, moves, j->wanted, NULL, &h, moves + p->nin) &&
		     by_column(j, &h, i, moves + p->nin);
		moves[i] = false;
		halves_free(&h);
	}
	return ok;
}

/* ---- reverse: a row at a time */

static bool give_row(jacobian *j, int result, const var *dx)
{
	const program *p = j->from;

	for (int i = 0; i < p->nin; i++) {
		if (!j->moves[i]) continue;
		const type *x = type_of(p, p->in[i]);
		const type *t = pair_type(j, type_of(p, p->out[result]), x, x->varying);
		if (!t) return false;
		*place(j, result, i) =
			dx ? shaped_like(j->b, *dx++, t) : emit_zeros(j->b, t);
	}
	return !build_failed(j->b);
}

/* at: of the result among those that move */
static bool by_row(jacobian *j, const halves *h, const var *residual, int result, int at)
{
	const int n = h->nresiduals;
	bool *given = arena_array(j->scratch, (size_t)j->from->nout + 1, sizeof *given);
	var *operand = arena_array(j->scratch, (size_t)(n + j->nmoving) + 2, sizeof *operand);

	if (!given || !operand) return false;
	given[at] = true;
	for (int i = 0; i < n; i++) operand[i] = residual[i];
	program *back = pass_vjp(h, j->scratch, j->nmoving, given);
	const bool ok = back && on_basis(j, back, n, operand, operand + n + 1) &&
	                give_row(j, result, operand + n + 1);
	program_release(back);
	return ok;
}

static bool rows(jacobian *j)
{
	const program *p = j->from;
	bool *moves_out = arena_array(j->scratch, (size_t)p->nout + 1, sizeof *moves_out);
	halves h = {0};
	int at = 0;

	if (!moves_out || !pass_linearize(p, j->scratch, j->moves, j->wanted, NULL, &h, moves_out))
		return false;
	var *y = arena_array(j->scratch, (size_t)(p->nout + h.nresiduals) + 1, sizeof *y);
	bool ok = y && build_inline(j->b, h.known, j->x, y, NULL);
	for (int o = 0; ok && o < p->nout; o++) {
		j->out[o] = y[o];
		if (moves_out[o])
			ok = by_row(j, &h, y + p->nout, o, at++);
		else if (j->wanted[o])
			ok = give_row(j, o, NULL);
	}
	halves_free(&h);
	return ok;
}

/* ---- both */

static bool begin(jacobian *j)
{
	const program *p = j->from;
	bool *all = arena_array(j->scratch, (size_t)p->nout + 1, sizeof *all);

	j->b = build_begin(p->ir, p->name, p->axes, p->naxes);
	j->x = j->b ? inputs_like(j->b, p, 0) : NULL;
	if (!all || !j->x) return false;
	for (int i = 0; i < p->nout; i++) all[i] = true;
	if (!j->wanted) j->wanted = all;
	j->input_rank = ranks(j->scratch, j->moves, p->nin);
	j->result_rank = ranks(j->scratch, j->wanted, p->nout);
	if (!j->input_rank || !j->result_rank) return false;
	j->nmoving = j->input_rank[p->nin];
	j->nwanted = j->result_rank[p->nout];
	j->out = arena_array(j->scratch,
	                     (size_t)p->nout + (size_t)j->nwanted * (size_t)j->nmoving + 1,
	                     sizeof *j->out);
	return j->out;
}

static bool follow(jacobian *j)
{
	var *out = j->out + j->from->nout;
	bool ok = true;

	for (int o = 0; ok && o < j->nwanted; o++)
		ok = follow_inputs(j->b, j->from, j->moves, j->x, out + o * j->nmoving);
	return ok;
}

program *pass_jacobian(const program *p, const bool *moves_in, const bool *wanted, bool reverse)
{
	jacobian j = {
		.from = p, .scratch = arena_make(p->ir->base), .moves = moves_in, .wanted = wanted};
	const bool ok = j.scratch && begin(&j) && (reverse ? rows(&j) : columns(&j)) &&
	                follow(&j);
	program *made = remade(j.b, ok, j.out, p->nout + j.nwanted * j.nmoving);

	arena_free(j.scratch);
	return made;
}
