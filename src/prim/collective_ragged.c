/* collective_ragged.c - ragged_all_to_all: rows of any number to each device.
 *
 * Operands: operand [rows, ...], output [rows', ...] with the same dtype and trailing dims, and
 * four lists of one length u * n, for n members: input_offsets, send_sizes, output_offsets,
 * recv_sizes. Of the lists of member k, entry i belongs to member j = i / u: k sends send_sizes[i]
 * rows of its operand, from input_offsets[i] on, and they land at output_offsets[i] of the result
 * of j. Rows where nothing lands keep `output`. Pieces land in order of k, then i: where they
 * overlap the last one stays.
 *
 * Offsets and sizes are data, so nothing is refused at run time; a piece is brought inside as
 * dynamic_slice does it. Its size is clamped to [0, min(rows, rows')], then each offset to [0, rows
 * of its array - size]: nothing is read or written outside. recv_sizes says what each peer sends
 * (the adjoint needs it); the values are not looked at here. */
#include "prim/collective.h"

enum { OPERAND, OUTPUT, INPUT_OFFSETS, SEND_SIZES, OUTPUT_OFFSETS, RECV_SIZES, RAGGED_OPERANDS };
static const char *const operand_names[] = {"operand",    "output",         "input_offsets",
                                            "send_sizes", "output_offsets", "recv_sizes"};

static bool check_list(build *b, const eqn *e, const type *const *in, int i, const members *m)
{
	const type *t = in[i];
	const char *problem = NULL;

	if (t->dtype != TSR_I32 && t->dtype != TSR_I64)
		problem = "must be integer type, i32 or i64";
	else if (t->ndim != 1 || t->dims[0] < 1)
		problem = "must be rank 1 with positive dimension size";
	else if (t->dims[0] != in[INPUT_OFFSETS]->dims[0])
		problem = "must be as long as input_offsets";
	else if (t->dims[0] % m->n)
		problem = "must have the same number of entries for each device that exchanges";
	return !problem || fail(build_base(b), e->where, TSR_ERROR_TYPE,
	                        "ragged_all_to_all %s %s, but got %s over axis name %s",
	                        operand_names[i], problem, collective_type_text(b, t),
	                        collective_axes_text(b, &((const collective *)e->params)->axes));
}

static bool check_arrays(build *b, const eqn *e, const type *x, const type *y)
{
	if (x->ndim && y->ndim && x->dtype == y->dtype &&
	    dims_same(x->dims + 1, x->ndim - 1, y->dims + 1, y->ndim - 1))
		return true;
	return fail(build_base(b), e->where, TSR_ERROR_TYPE,
	            "ragged_all_to_all operand and output must have rows, and the same dtype and "
	            "dims after the first, but got %s and %s",
	            collective_type_text(b, x), collective_type_text(b, y));
}

static bool ragged_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	members m;

	if (!collective_check(b, e, &m) || !collective_equal_groups(b, e, &m)) return false;
	for (int i = 0; i < RAGGED_OPERANDS; i++) {
		if (!collective_varies(b, e, in[i], &m)) return false;
		if (in[i]->varying != in[OPERAND]->varying)
			return fail(build_base(b), e->where, TSR_ERROR_SHARDING,
			            "Primitive ragged_all_to_all requires varying manual axes to "
			            "match, but got %s for operand and %s for %s",
			            collective_type_text(b, in[OPERAND]),
			            collective_type_text(b, in[i]), operand_names[i]);
	}
	if (!check_arrays(b, e, in[OPERAND], in[OUTPUT])) return false;
	for (int i = INPUT_OFFSETS; i < RAGGED_OPERANDS; i++)
		if (!check_list(b, e, in, i, &m)) return false;
	out[0] = in[OUTPUT];
	return true;
}

/* rows and lists must be whole; what a row holds passes through */
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
static int64_t entry(const eval_args *a, int list, int k, int64_t i, int64_t most)
{
	const void *at = a->x[list * a->n + k];
	const int64_t v =
		a->in[list]->dtype == TSR_I32 ? ((const int32_t *)at)[i] : ((const int64_t *)at)[i];

	return v < 0 ? 0 : v > most ? most : v;
}

static void ragged_eval(const eval_args *a)
{
	const int64_t rows_in = a->in[OPERAND]->dims[0], rows_out = a->in[OUTPUT]->dims[0];
	const int64_t most = rows_in < rows_out ? rows_in : rows_out;
	const int64_t entries = a->in[INPUT_OFFSETS]->dims[0], each = entries / a->n;
	const size_t row = a->out[0]->size ? collective_bytes(a->out[0]) / (size_t)rows_out : 0;

	for (int k = 0; k < a->n; k++)
		collective_copy(a->y[k], a->x[OUTPUT * a->n + k], collective_bytes(a->out[0]));
	for (int k = 0; k < a->n; k++)
		for (int64_t i = 0; i < entries; i++) {
			const int64_t size = entry(a, SEND_SIZES, k, i, most);
			const int64_t from = entry(a, INPUT_OFFSETS, k, i, rows_in - size);
			const int64_t to = entry(a, OUTPUT_OFFSETS, k, i, rows_out - size);
			collective_copy((char *)a->y[i / each] + (size_t)to * row,
			                (const char *)a->x[k] + (size_t)from * row,
			                (size_t)size * row);
		}
}

static const field ragged_fields[] = {COLLECTIVE_FIELDS(axes_params), {NULL, 0, 0, NULL}};

const tsr_prim tsr__prim_ragged_all_to_all = {
	.name = "ragged_all_to_all",
	.doc = "sends rows, as many as lists say, to each device along mesh axes",
	.flags = PRIM_COLLECTIVE | PRIM_OWN_VARYING,
	.nin = RAGGED_OPERANDS, .nout = 1, .params = ragged_fields,
	.types = ragged_types, .factors = ragged_factors, .eval = ragged_eval,
};
