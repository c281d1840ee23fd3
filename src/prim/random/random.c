/* random.c - random bits as a function of a key and a counter: of any counters (threefry2x32), and
 * of those that the elements of an array have (random_bits).
 *
 *     threefry2x32 0:u32 0:u32 0:u32 0:u32    gives    1797259609:u32 2579123966:u32
 *     random_bits [0 42]:u32 0:u64 dtype=u32 dims=[3] strides=[1]
 *       gives    [2098992034 2919706841 2646866425]:u32
 *     random_bits [0 42]:u32 1:u64 dtype=u32 dims=[2] strides=[1]
 *       gives    [2919706841 2646866425]:u32
 *
 * So a device that has the last two of three elements makes them alone. */
#include "prim/cursors.h"
#define WORDS_NODES
#include "prim/elementwise/words.h"
#include "prim/random/threefry.h"
#include "prim/elementwise/words_end.h"
#define WORDS_F32
#include "prim/elementwise/words.h"
#include "prim/random/threefry.h"
#include "prim/elementwise/words_end.h"
#include "prim/elementwise/elementwise.h"

static bool threefry2x32_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	for (int i = 0; i < e->nin; i++)
		if (in[i]->dtype != TSR_U32)
			return fail_type(b, e, "%s requires operands of dtype u32, got %s",
			                 eqn_name(b, e), types_words(b, in, e->nin));
	const type *shape = common_shape(b, e, in, 0);
	if (!shape || !give_type(b, TSR_U32, shape->dims, shape->ndim, &out[0])) return false;
	out[1] = out[0];
	return true;
}

void threefry2x32(const uint32_t key[2], uint32_t x[2]) { threefry_f32(key, x); }

static void threefry2x32_lower(kernel *k, const eqn *e, const kvar *index, kvar *x)
{
	const kvar key[2] = {k_operand(k, e, 0, index), k_operand(k, e, 1, index)};

	for (int i = 0; i < 2; i++) x[i] = k_operand(k, e, 2 + i, index);
	k_threefry(k, key, x);
}

static void threefry2x32_eval(const eval_args *args)
{
	const uint32_t *of[4];
	int64_t stride[4];

	for (int k = 0; k < 4; k++) {
		of[k] = args->x[k];
		stride[k] = ELEMENT_STRIDE(args, k);
	}
	for (int64_t i = 0; i < args->out[0]->size; i++) {
		uint32_t x[2] = {of[2][i * stride[2]], of[3][i * stride[3]]};
		threefry2x32((uint32_t[]){of[0][i * stride[0]], of[1][i * stride[1]]}, x);
		for (int k = 0; k < 2; k++) ((uint32_t *)args->y[k])[i] = x[k];
	}
}

const tsr_prim tsr__prim_threefry2x32 = {
	.name = "threefry2x32",
	.doc = "two words of random bits, of two words of a key and two of a counter",
	.flags = PRIM_ELEMENTWISE,
	.cost = 60,
	.nin = 4,
	.nout = 2,
	.types = threefry2x32_types,
	.factors = factors_elementwise,
	.batch = batch_elementwise,
	.eval = threefry2x32_eval,
	.lower = threefry2x32_lower,
	TSR_NO_RULE(COL_JVP, "its operands are integers, which have no tangents"),
	NOT_LINEAR,
};

/* ---- random_bits: each element from its counter, which is its place among all elements of the
 * array, whoever computes it. Operands: keys u32[..., 2], one for each array that is made, and
 * where the counters start: u64, of rank 0 or one for each key. Element (a..., i, j) of the result
 * has key a... and the counter start + i strides[0] + j strides[1]. Example: a device with columns
 * 2 and 3 of u32[4,6] has dims=[4,2] strides=[6,1], and its counters start at 2. */

/* the first dim behind those of the keys */
static int first_counted(const type *keys) { return keys->ndim - 1; }

/* what the counter of the last element is above that of the first; false: it is beyond i64 */
static bool counters_end(const random_bits_params *p, int first, int64_t *end)
{
	int64_t more;

	*end = 0;
	for (int d = first; d < p->dims.n; d++)
		if (!mul_ok(p->dims.v[d] > 0 ? p->dims.v[d] - 1 : 0, p->strides.v[d - first],
		            &more) ||
		    !add_ok(*end, more, end))
			return false;
	return true;
}

static bool check_keys(build *b, const eqn *e, const type *const *in)
{
	const random_bits_params *p = e->params;
	const type *keys = in[0], *start = in[1];
	const int n = keys->ndim - 1;

	if (keys->dtype != TSR_U32 || n < 0 || keys->dims[n] != 2)
		return fail_type(b, e, "%s: keys are u32[..., 2], two words each, got %s",
		                 eqn_name(b, e), type_words(b, keys));
	if (p->dims.n < n || !dims_same(keys->dims, n, p->dims.v, n))
		return fail_type(b, e, "%s: the shape %s does not begin with the dims of %s",
		                 eqn_name(b, e), dims_words(b, p->dims.v, p->dims.n),
		                 type_words(b, keys));
	if (start->dtype == TSR_U64 &&
	    (start->ndim == 0 || dims_same(start->dims, start->ndim, keys->dims, n)))
		return true;
	return fail_type(b, e, "%s: the start must be u64, one or one for each key, got %s",
	                 eqn_name(b, e), type_words(b, start));
}

static bool random_bits_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const random_bits_params *p = e->params;
	int64_t end;

	if (!check_keys(b, e, in)) return false;
	if (dtype_kind(p->dtype) != KIND_UINT)
		return fail_type(b, e, "%s gives u8, u16, u32 or u64", eqn_name(b, e));
	if (!check_length(b, e, "strides", &p->strides, p->dims.n - first_counted(in[0])))
		return false;
	for (int d = 0; d < p->dims.n; d++)
		if (p->dims.v[d] < 0)
			return fail_type(b, e, "%s: the shape %s has a negative dim",
			                 eqn_name(b, e), dims_words(b, p->dims.v, p->dims.n));
	for (int d = 0; d < p->strides.n; d++)
		if (p->strides.v[d] < 0)
			return fail_type(b, e, "%s: stride %lld is negative", eqn_name(b, e),
			                 (long long)p->strides.v[d]);
	if (!counters_end(p, first_counted(in[0]), &end))
		return fail_type(b, e, "%s: there are more than 2^63 counters", eqn_name(b, e));
	return give_type(b, p->dtype, p->dims.v, p->dims.n, out);
}

static void random_bits_factors(const eqn *e, const type *const *in, const type *const *out,
                                factors *f)
{
	const int n = first_counted(in[0]);

	for (int d = 0; d < n; d++) {
		const int factor = factor_new(f, in[0]->dims[d], FACTOR_PASS);
		factor_at(f, 0, d, factor);
		if (in[1]->ndim) factor_at(f, 1, d, factor);
		factor_at(f, e->nin, d, factor);
	}
	factor_whole(f, 0, n, 2, "the words of a key");
	for (int d = n; d < out[0]->ndim; d++) factor_alone(e, f, d, out[0]->dims[d], true);
}

/* the counters start where those of the block do */
static void random_bits_local(build *b, const eqn *e, const localizing *to, const var *x, var *y)
{
	const random_bits_params *p = e->params;
	const type *t = to->block[e->nin];
	const int first = first_counted(to->block[0]);
	var at = {0}, start = x[1];

	for (int d = first; d < t->ndim; d++) {
		const var place = emit_convert(b, to->start[e->nin][d], TSR_U64);
		at = emit_add(b, at,
		              emit_mul(b, place,
		                       build_literal(b, TSR_U64, &p->strides.v[d - first])));
	}
	if (!is_zero(at)) start = emit_add(b, emit_spread(b, at, start), start);
	y[0] = emit(b, e->prim, &(random_bits_params){p->dtype, {t->ndim, t->dims}, p->strides},
	            (var[]){x[0], start}, 2);
}

/* the batch becomes the first dim of the keys */
static void random_bits_batch(build *b, const eqn *e, const batching *to, const var *x,
                              const bool *mapped, var *y, bool *ymapped)
{
	const random_bits_params *p = e->params;
	const var keys = batch_whole(b, to, x[0], mapped[0]);
	const type *t = is_zero(keys) ? NULL : build_type(b, keys);
	var start = x[1];

	ymapped[0] = true;
	if (!t) return;
	const int n = build_type(b, start)->ndim;
	if (mapped[1] && n < t->ndim - 1)
		start = emit_broadcast(b, start, t->dims, t->ndim - 1, (int64_t[]){0});
	else if (!mapped[1] && n)
		start = emit_repeat(b, start, to->size);
	int64_t *dims = dims_room(b, p->dims.n + 1);
	if (!dims) return;
	dims[0] = to->size;
	for (int d = 0; d < p->dims.n; d++) dims[1 + d] = p->dims.v[d];
	y[0] = emit(b, e->prim, &(random_bits_params){p->dtype, {p->dims.n + 1, dims}, p->strides},
	            (var[]){keys, start}, 2);
}

/* of 64 bits the first word is the upper half; of fewer, both words make one */
static uint64_t bits_of_words(const uint32_t word[2], tsr_dtype dtype)
{
	return dtype == TSR_U64 ? (uint64_t)word[0] << 32 | word[1] : word[0] ^ word[1];
}

static void random_bits_eval(const eval_args *args)
{
	const random_bits_params *p = args->eqn->params;
	const type *t = args->out[0];
	const int first = first_counted(args->in[0]);
	const uint32_t *keys = args->x[0];
	const uint64_t *start = args->x[1];
	int64_t each = 1; /* elements of a key */

	for (int d = first; d < t->ndim; d++) each *= t->dims[d];
	for (int64_t i = 0; i < t->size; i++) {
		const int64_t key = i / each;
		uint64_t at = start[args->in[1]->ndim ? key : 0];
		for (int d = first; d < t->ndim; d++)
			at += (uint64_t)(i / dims_stride(t, d) % t->dims[d] *
			                 p->strides.v[d - first]);
		uint32_t word[2] = {(uint32_t)(at >> 32), (uint32_t)at};
		threefry2x32(keys + 2 * key, word);
		const uint64_t bits = bits_of_words(word, p->dtype);
		dtype_convert(p->dtype,
		              (char *)args->y[0] + (size_t)i * tsr_dtype_size(p->dtype), TSR_U64,
		              &bits, 1);
	}
}

/* the two words of start + place, as word 0 the upper one; wide: place may be 2^32 or more */
static void counter_nodes(kernel *k, kvar start, kvar place, bool wide, kvar word[2])
{
	const kvar low = k_convert(k, start, TSR_U32);
	const kvar high = k_convert(k, K2(SHR, start, KNUM(start, 32)), TSR_U32);
	const kvar more = k_convert(k, K2(SHR, place, KNUM(place, 32)), TSR_U32);

	word[1] = K2(ADD, low, k_convert(k, place, TSR_U32));
	const kvar carry = k_convert(k, K2(LT, word[1], low), TSR_U32);
	word[0] = K2(ADD, wide ? K2(ADD, high, more) : high, carry);
}

static void random_bits_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const random_bits_params *p = e->params;
	const int first = first_counted(k_type(k, e, 0));
	kvar *at = k_room(k, first + 1), key[2], word[2], place = k_ix(k, 0);
	int64_t end = 0;

	for (int d = 0; d < first; d++) at[d] = index[d];
	for (int i = 0; i < 2; i++) {
		at[first] = k_ix(k, i);
		key[i] = k_operand(k, e, 0, at);
	}
	for (int d = first; d < p->dims.n; d++)
		place = k_ix_add(k, place, k_ix_times(k, index[d], p->strides.v[d - first]));
	counters_end(p, first, &end);
	counter_nodes(k, k_operand(k, e, 1, index), place, end > UINT32_MAX, word);
	k_threefry(k, key, word);
	if (p->dtype == TSR_U64) {
		const kvar upper = k_convert(k, word[0], TSR_U64);
		to[0] = K2(OR, K2(SHL, upper, KNUM(upper, 32)), k_convert(k, word[1], TSR_U64));
	} else {
		to[0] = k_convert(k, K2(XOR, word[0], word[1]), p->dtype);
	}
}

static const field random_bits_fields[] = {
	PARAM(random_bits_params, dtype, FIELD_DTYPE),
	PARAM(random_bits_params, dims, FIELD_DIMS),
	PARAM(random_bits_params, strides, FIELD_INTS),
	PARAMS_END,
};
LOCAL_ROW(random_bits, "random bits, each of a key and of the place of its element", 2,
          random_bits_fields, .cost = 60, .local = random_bits_local, .batch = random_bits_batch,
          TSR_NO_RULE(COL_JVP, "its operands are integers, which have no tangents"), NOT_LINEAR)
