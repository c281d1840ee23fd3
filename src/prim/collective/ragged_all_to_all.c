/* ragged_all_to_all.c - ragged_all_to_all: any number of rows from each device to each other.
 *
 * Operands: operand [rows, ...], output [rows', ...] with the same dtype and trailing dims, and
 * four lists of integers, input_offsets, send_sizes, output_offsets and recv_sizes. With n members
 * all lists have one length u * n. In the lists of member k, entry i belongs to member j = i / u: k
 * sends send_sizes[i] rows of its operand, from input_offsets[i] on, and they land at
 * output_offsets[i] of the result of j. Rows where nothing lands keep `output`. Pieces land in
 * order of k, then of i; where they overlap, the last one stays.
 *
 *     ragged_all_to_all [1 2 3] [0 0 0] [0 2]:i32 [2 1]:i32 [0 0]:i32 [2 1]:i32
 *       | [4 5 6] [0 0 0] [0 1]:i32 [1 1]:i32 [2 1]:i32 [1 1]:i32 axes=(x)
 *       gives  [1 2 4] | [3 5 0]
 *
 * Member 0 sends its rows 1 2 to itself, to places 0 and 1, and 3 to place 0 of member 1. This one
 * sends 4 to place 2 of member 0, and 5 to place 1 of its own; nothing lands at its place 2.
 *
 * Offsets and sizes are data, so none is refused at run time. A piece is moved inside as by
 * dynamic_slice: its size is clamped to [0, min(rows, rows')], then each offset to [0, rows of its
 * array - size], so that nothing outside is read or written. recv_sizes tells what each peer sends;
 * only the adjoint needs its values. */
#include "prim/collective/collective.h"

enum { OPERAND, OUTPUT, INPUT_OFFSETS, SEND_SIZES, OUTPUT_OFFSETS, RECV_SIZES, RAGGED_OPERANDS };
static const char *const operand_names[] = {"operand",    "output",         "input_offsets",
                                            "send_sizes", "output_offsets", "recv_sizes"};

static bool check_list(build *b, const eqn *e, const type *const *in, int i, const members *m)
{
	const type *t = in[i];
	const char *problem = NULL;

	if (!(ONE_KIND(dtype_kind(t->dtype)) & WRAP_KINDS))
		problem = "must be integer type";
	else if (t->ndim != 1 || t->dims[0] < 1)
		problem = "must be rank 1 with positive dim size";
	else if (t->dims[0] != in[INPUT_OFFSETS]->dims[0])
		problem = "must be as long as input_offsets";
	else if (t->dims[0] % m->n)
		problem = "must have the same number of entries for each device that exchanges";
	if (!problem) return true;
	return fail_type(b, e, "ragged_all_to_all %s %s, but got %s over axis name %s",
	                 operand_names[i], problem, collective_type_text(b, t),
	                 collective_axes_text(b, &((const collective *)e->params)->axes));
}

static bool check_arrays(build *b, const eqn *e, const type *x, const type *y)
{
	if (x->ndim && y->ndim && x->dtype == y->dtype &&
	    dims_same(x->dims + 1, x->ndim - 1, y->dims + 1, y->ndim - 1))
		return true;
	return fail_type(b, e, "ragged_all_to_all operand and output must have rows, and the same "
	                 "dtype and dims after the first, but got %s and %s",
	                 collective_type_text(b, x), collective_type_text(b, y));
}

static bool ragged_all_to_all_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	members m;

	if (!collective_check(b, e, &m) || !collective_equal_groups(b, e, &m)) return false;
	for (int i = 0; i < RAGGED_OPERANDS; i++) {
		if (!collective_varies(b, e, in[i], &m)) return false;
		if (in[i]->varying != in[OPERAND]->varying)
			return fail_sharding(b, e, "Primitive ragged_all_to_all requires varying "
			                     "manual axes to match, but got %s for operand and %s "
			                     "for %s", collective_type_text(b, in[OPERAND]),
			                     collective_type_text(b, in[i]), operand_names[i]);
	}
	if (!check_arrays(b, e, in[OPERAND], in[OUTPUT])) return false;
	for (int i = INPUT_OFFSETS; i < RAGGED_OPERANDS; i++)
		if (!check_list(b, e, in, i, &m)) return false;
	out[0] = in[OUTPUT];
	return true;
}

/* rows and lists must be whole; the dims inside a row pass through */
static void ragged_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	const int rows = collective_whole(f, out[0]->dims[0]);
	const int entries = collective_whole(f, in[INPUT_OFFSETS]->dims[0]);

	factor_at(f, OPERAND, 0, collective_whole(f, in[OPERAND]->dims[0]));
	factor_at(f, OUTPUT, 0, rows);
	factor_at(f, e->nin, 0, rows);
	for (int i = INPUT_OFFSETS; i < RAGGED_OPERANDS; i++) factor_at(f, i, 0, entries);
	for (int d = 1; d < out[0]->ndim; d++) {
		const int one = factor_new(f, out[0]->dims[d], FACTOR_PASS);
		factor_at(f, OPERAND, d, one);
		factor_at(f, OUTPUT, d, one);
		factor_at(f, e->nin, d, one);
	}
}

/* entry i of list `list` of member k, clamped to [0, most] */
static int64_t entry(const eval_args *args, int list, int k, int64_t i, int64_t most)
{
	const tsr_dtype dtype = args->in[list]->dtype;
	const char *at = args->x[list * args->n + k];
	int64_t v;

	dtype_convert(TSR_I64, &v, dtype, at + (size_t)i * tsr_dtype_size(dtype), 1);
	if (dtype == TSR_U64 && v < 0) return most;
	return v < 0 ? 0 : v > most ? most : v;
}

static void ragged_all_to_all_eval(const eval_args *args)
{
	const int64_t rows_in = args->in[OPERAND]->dims[0], rows_out = args->in[OUTPUT]->dims[0];
	const int64_t most = rows_in < rows_out ? rows_in : rows_out;
	const int64_t entries = args->in[INPUT_OFFSETS]->dims[0], each = entries / args->n;
	const size_t bytes = collective_bytes(args->out[0]);
	const size_t row = bytes ? bytes / (size_t)rows_out : 0;

	for (int k = 0; k < args->n; k++)
		collective_copy(args->y[k], args->x[OUTPUT * args->n + k], bytes);
	for (int k = 0; k < args->n; k++)
		for (int64_t i = 0; i < entries; i++) {
			const int64_t size = entry(args, SEND_SIZES, k, i, most);
			const int64_t from = entry(args, INPUT_OFFSETS, k, i, rows_in - size);
			const int64_t to = entry(args, OUTPUT_OFFSETS, k, i, rows_out - size);
			collective_copy((char *)args->y[i / each] + (size_t)to * row,
			                (const char *)args->x[k] + (size_t)from * row,
			                (size_t)size * row);
		}
}

/* ---- the row is linear in operand and output. Transposed (JAX's rule), every piece of ct, the
 * cotangent of the result, returns to its sender, so the offsets are those of the other side:
 *
 *   d operand = ragged_all_to_all(ct, 0, offsets they wrote at, recv_sizes, offsets they read at,
 *                                 send_sizes)
 *   d output  = ragged_all_to_all(0, ct, the lists as they are), which is 0 where something landed
 *
 * This is the adjoint if recv_sizes are the sizes that arrive, no row is sent twice, and no row
 * lands on another one: returning rows overwrite, they are not added. */

/* entry i of the list of member k, for member j, becomes an entry of j's list, for k */
static var theirs(build *b, const eqn *e, var list)
{
	const all_to_all_params swap = {((const axes_params *)e->params)->on, 0, 0, true};

	return emit(b, &tsr__prim_all_to_all, &swap, &list, 1);
}

static void ragged_all_to_all_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                             const var *ct, var *dx)
{
	const var *list = x;

	if (is_zero(x[OPERAND])) {
		const var back[] = {ct[0],
		                    emit_zeros(b, in[OPERAND]),
		                    theirs(b, e, list[OUTPUT_OFFSETS]),
		                    list[RECV_SIZES],
		                    theirs(b, e, list[INPUT_OFFSETS]),
		                    list[SEND_SIZES]};
		dx[OPERAND] = emit(b, e->prim, e->params, back, RAGGED_OPERANDS);
	}
	if (is_zero(x[OUTPUT])) {
		const var kept[] = {emit_zeros(b, in[OPERAND]), ct[0],
		                    list[INPUT_OFFSETS],        list[SEND_SIZES],
		                    list[OUTPUT_OFFSETS],       list[RECV_SIZES]};
		dx[OUTPUT] = emit(b, e->prim, e->params, kept, RAGGED_OPERANDS);
	}
}

/* ---- batch: the rows of all elements become one operand, and their lists one list. In it the
 * elements' versions of one entry are neighbours, so that each member keeps its share. The offset
 * of the element's first row is added to offsets, which are clamped before, so that no piece
 * reaches the rows of another element. */

typedef struct folding {
	build *b;
	int64_t n, entries; /* of the batch, and of one list */
} folding;

/* operands of the folded equation are made of [n, ...] */
static var fold_list(const folding *f, var x)
{
	return emit_merged(f->b, emit_move_dim(f->b, x, 0, 1), 0);
}

/* as i64; of u64, what is beyond 2^62 becomes 2^62, which is beyond all rows too */
static var signed_list(build *b, var x)
{
	if (!is_zero(x) && build_type(b, x)->dtype == TSR_U64)
		x = emit_2(b, &tsr__prim_min, x, emit_scalar(b, TSR_U64, 0x1p62));
	return emit_convert(b, x, TSR_I64);
}

static var i64_literal(build *b, int64_t i) { return emit_scalar(b, TSR_I64, (double)i); }

/* as i64, to [0, most] */
static var clamped(build *b, var x, var most)
{
	const var bounds[] = {i64_literal(b, 0), signed_list(b, x), most};

	return emit(b, &tsr__prim_clamp, NULL, bounds, 3);
}

/* offsets into the rows of one element become offsets into all rows */
static var fold_offsets(const folding *f, var offset, var size, int64_t rows)
{
	const int64_t dims[] = {f->n, f->entries};
	const var at = emit_iota(f->b, TSR_I64, dims, 2, 0);
	const var own = clamped(f->b, offset, emit_sub(f->b, i64_literal(f->b, rows), size));

	return fold_list(f, emit_add(f->b, own, emit_mul(f->b, at, i64_literal(f->b, rows))));
}

static var fold_all(const folding *f, const eqn *e, const void *params, const var *x)
{
	build *b = f->b;
	const int64_t rows = build_type(b, x[OPERAND])->dims[1];
	const int64_t rows_out = build_type(b, x[OUTPUT])->dims[1];
	const int64_t most = rows < rows_out ? rows : rows_out;
	const var size = clamped(b, x[SEND_SIZES], i64_literal(b, most));
	const var folded[] = {
		emit_merged(b, x[OPERAND], 0),
		emit_merged(b, x[OUTPUT], 0),
		fold_offsets(f, x[INPUT_OFFSETS], size, rows),
		fold_list(f, size),
		fold_offsets(f, x[OUTPUT_OFFSETS], size, rows_out),
		fold_list(f, x[RECV_SIZES]),
	};
	const var y = emit(b, e->prim, params, folded, RAGGED_OPERANDS);
	const type *t = build_type(b, x[OUTPUT]);
	return emit_reshape(b, y, t->dims, t->ndim);
}

static void ragged_all_to_all_batch(build *b, const eqn *e, const batching *to, const var *x,
                         const bool *mapped, var *y, bool *ymapped)
{
	const axes_params *params = batch_params(b, e, to);
	var all[RAGGED_OPERANDS];

	if (batch_place(&((const axes_params *)e->params)->on.axes, to) >= 0) {
		fail(build_base(b), e->where, TSR_ERROR_UNSUPPORTED,
		     "ragged_all_to_all over the axis name of a vmap is not supported; make the "
		     "vmap a shard_map over a mesh axis, or use all_to_all on padded rows");
		build_fail(b);
		return;
	}
	if (!params || batch_refuse_split(b, e, &params->on.axes, to)) return;
	for (int i = 0; i < RAGGED_OPERANDS; i++) {
		all[i] = batch_whole(b, to, x[i], mapped[i]);
		if (is_zero(all[i])) return;
	}
	const folding f = {b, to->size, build_type(b, all[INPUT_OFFSETS])->dims[1]};
	for (int i = INPUT_OFFSETS; i < RAGGED_OPERANDS; i++)
		all[i] = signed_list(b, all[i]);
	if (!build_failed(b)) y[0] = fold_all(&f, e, params, all);
	ymapped[0] = true;
}

/* ---- members: to land a piece, the operand is shifted until the piece is at its rows of the
 * result, and these rows are selected. The operand is first padded, before and after, with as many
 * rows of zeros as the result has rows, so that a slice of it is any shift. */

typedef struct pieces { /* of one member, by entry of its lists: rows `to` .. `end` - 1 of a result
	                   are the rows of `padded` from `start` on */
	var padded, start, to, end;
} pieces;

/* x: operand i of this member is x[i * n] */
static pieces pieces_read(build *b, const var *x, int n, int64_t rows_in, int64_t rows_out)
{
	const int64_t most = rows_in < rows_out ? rows_in : rows_out;
	const var of_in = i64_literal(b, rows_in), rows = x[OPERAND * n];
	const var of_out = i64_literal(b, rows_out);
	const var size = clamped(b, x[SEND_SIZES * n], i64_literal(b, most));
	const var from = clamped(b, x[INPUT_OFFSETS * n], emit_sub(b, of_in, size));
	const var to = clamped(b, x[OUTPUT_OFFSETS * n], emit_sub(b, of_out, size));

	const var zero = emit_scalar(b, build_type(b, rows)->dtype, 0);

	return (pieces){emit_pad_dim(b, rows, 0, rows_out, rows_out, zero),
	                emit_add(b, emit_sub(b, from, to), of_out), to, emit_add(b, to, size)};
}

static var entry_of(build *b, var list, int64_t i)
{
	return emit_reshape(b, emit_part(b, list, 0, i, i + 1), NULL, 0);
}

/* y after piece i has landed; row: the number of each row of y */
static var land(build *b, const pieces *p, int64_t i, var row, var y)
{
	if (is_zero(y) || is_zero(row)) return (var){0};
	const type *t = build_type(b, y);
	const var to = emit_spread(b, entry_of(b, p->to, i), row);
	const var end = emit_spread(b, entry_of(b, p->end, i), row);
	const var lands = emit_2(b, &tsr__prim_and, emit_2(b, &tsr__prim_ge, row, to),
	                         emit_2(b, &tsr__prim_lt, row, end));
	const var start = entry_of(b, p->start, i);
	const var moved = emit_part_at(b, p->padded, 0, start, t->dims[0]);
	return emit_select(b, emit_broadcast(b, lands, t->dims, t->ndim, (int64_t[]){0}), moved, y);
}

static void ragged_all_to_all_members(build *b, const eqn *e, int n, const bool *here, const var *x,
			   var *y)
{
	(void)here;
	const int64_t rows_in = build_type(b, x[OPERAND * n])->dims[0];
	const type *t = build_type(b, x[OUTPUT * n]);
	const int64_t each = build_type(b, x[INPUT_OFFSETS * n])->dims[0] / n;

	(void)e;
	for (int k = 0; k < n; k++) y[k] = x[OUTPUT * n + k];
	if (!rows_in || !t->size) return;
	const var row = emit_iota(b, TSR_I64, t->dims, 1, 0);
	for (int k = 0; k < n; k++) {
		const pieces p = pieces_read(b, x + k, n, rows_in, t->dims[0]);
		for (int64_t i = 0; i < n * each; i++)
			y[i / each] = land(b, &p, i, row, y[i / each]);
	}
}

static const field ragged_fields[] = {COLLECTIVE_FIELDS(axes_params), PARAMS_END};

COLLECTIVE_ROW(ragged_all_to_all,
               "sends rows, as many as lists say, to each device along mesh axes", RAGGED_OPERANDS,
               ragged_fields, .factors = ragged_factors, LINEAR_COLLECTIVE(ragged_all_to_all),
               .received = received_result)
