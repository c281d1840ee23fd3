/* top_k.c - top_k: the k largest elements along a dim, the largest first, and where they are.
 *
 *     top_k [3 9 4 9] k=3 dim=0    gives    [9 9 4] [1 3 2]:i32
 *
 * Floats are in the order NaN inf 1 0 -0 -1 -inf. All NaNs are equal, whatever their bits, and of
 * equal elements the first one is first. Where the dim is cut, each device picks the best k of its
 * block; all of them get these, and pick once more. */
#include "prim/checks.h"
#include "prim/order/order.h"
#include "prim/row.h"
#include <math.h>

static const top_k_params *params_of(const eqn *e) { return e->params; }

static bool top_k_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const top_k_params *p = params_of(e);
	const int ndim = in[0]->ndim;

	if (!check_kind(b, e, in[0], ORDERED_KINDS) || !check_dim(b, e, p->dim, ndim)) return false;
	const int64_t n = in[0]->dims[p->dim];
	if (p->k < 0 || p->k > n)
		return fail_type(b, e,
		                 "%s: k must be between 0 and the size of dim %lld, which is "
		                 "%lld, but it is %lld",
		                 eqn_name(b, e), (long long)p->dim, (long long)n, (long long)p->k);
	int64_t *dims = dims_room(b, ndim);
	if (!dims) return false;
	for (int d = 0; d < ndim; d++) dims[d] = d == p->dim ? p->k : in[0]->dims[d];
	return give_type(b, in[0]->dtype, dims, ndim, &out[0]) && weaken(b, in[0]->weak, &out[0]) &&
	       give_type(b, dtype_holding(n), dims, ndim, &out[1]);
}

static void top_k_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	for (int d = 0; d < in[0]->ndim; d++) {
		const int64_t size = in[0]->dims[d];
		if (d != params_of(e)->dim) {
			const int factor = factor_new(f, size, FACTOR_PASS);
			for (int v = 0; v < 3; v++) factor_at(f, v, d, factor);
			continue;
		}
		if (size != 1)
			factor_at(f, 0, d, factor_own(f, factor_reduced(f, size, FACTOR_ROW)));
		for (int v = 1; v < 3; v++) factor_whole(f, v, d, out[0]->dims[d], "picked");
	}
}

/* ---- eval: a line is read once. Records (order.h) are collected until there is no more room, and
 * sorted; the best k of them stay. From then on only elements count that are better than the last
 * of these, which is rare.
 *
 * Few long lines are cut into parts, which go in two phases: each picks the best k of its part, and
 * one of them picks from these. */
typedef struct picking {
	const eval_args *args;
	const records *of;
	int64_t n, k, stride, lines, parts; /* elements of a line; lines, and parts of each */
	int64_t room;                       /* records that are collected, at most */
} picking;

static picking picking_of(const eval_args *args)
{
	const top_k_params *p = params_of(args->eqn);
	const type *t = args->in[0];
	picking s = {.args = args, .n = t->dims[p->dim], .k = p->k};

	s.stride = dims_stride(t, (int)p->dim);
	s.lines = p->k ? lines_of(t, (int)p->dim) : 0;
	s.of = records_for(dtype_bits(t->dtype), s.n);
	s.parts = line_parts(s.lines, s.n);
	if (s.parts > s.n / 4 / (s.k + 1)) s.parts = s.n / 4 / (s.k + 1);
	if (s.parts < 1) s.parts = 1;
	s.room = 2 * s.k < TUNE_PICKED ? TUNE_PICKED : 2 * s.k;
	if (s.room > s.n) s.room = s.n;
	return s;
}

/* Of the elements from `from` to `end` - 1, the first one that is larger than element `than`, or
 * `end`. As whole numbers they have the order of the keys, a NaN as the largest of these; those of
 * a run are looked at together first. There NaNs with a sign, which as plain numbers are below
 * -inf, count as larger than all: the distance from -inf, without a sign, says so in one step */
#define FIND(mem_, distance_) \
	const mem_ *x = (const mem_ *)(const void *)k->x; \
	const mem_ below = (mem_)(k->sign - 1); \
	const mem_ minus = k->sign ? 0 : (mem_)((uint64_t)1 << (k->bits - 1)); \
	const mem_ turned = (mem_)(minus ^ (k->turns ? below : 0)); \
	const mem_ top = (mem_)(((uint64_t)1 << (k->bits - 1)) - 1); \
	const mem_ most = k->infinity ? (mem_)k->infinity : top; \
	const mem_ least = WHOLE(mem_, x[than * k->stride]); \
	const mem_ lowest = (mem_)(k->sign | k->infinity); \
	const mem_ low = k->infinity ? PLAIN(mem_, lowest) : (mem_)~top; \
	const distance_ far = (distance_)((distance_)least - (distance_)low); \
	for (; k->stride == 1 && end - from >= RUN; from += RUN) { \
		int found = 0; \
		for (int i = 0; i < RUN; i++) { \
			const mem_ at = PLAIN(mem_, x[from + i]); \
			found |= (distance_)((distance_)at - (distance_)low) > far; \
		} \
		if (found) break; \
	} \
	for (; from < end; from++) \
		if (WHOLE(mem_, x[from * k->stride]) > least) return from; \
	return end;
#define PLAIN(mem_, a) (mem_)((a) ^ ((a) < 0 ? turned : minus))
#define WHOLE(mem_, a) (mem_)(((a) & top) > most ? top : PLAIN(mem_, a))

/* The same for neighbouring f32 or f64, which processors compare in one step: what is not at most
 * `least` is larger or a NaN, unless that is a NaN itself, or is -0, which 0 is larger than */
#define FIND_FLOAT(real_) \
	const real_ *f = (const real_ *)(const void *)k->x, least = f[than * k->stride]; \
	if (k->stride == 1 && least == least && (least != 0 || !signbit(least))) { \
		for (; end - from >= RUN; from += RUN) { \
			int found = 0; \
			for (int i = 0; i < RUN; i++) found |= !(f[from + i] <= least); \
			if (found) break; \
		} \
		while (from < end && f[from] <= least) from++; \
		return from; \
	}

static int64_t find_larger(const keys *k, int64_t than, int64_t from, int64_t end)
{
	enum { RUN = 64 };

	if (k->infinity && k->bits == 32) { FIND_FLOAT(float) }
	if (k->infinity && k->bits == 64) { FIND_FLOAT(double) }
	switch (k->bits) {
	case 8: { FIND(int8_t, uint8_t) }
	case 16: { FIND(int16_t, uint16_t) }
	case 32: { FIND(int32_t, uint32_t) }
	default: { FIND(int64_t, uint64_t) }
	}
}

/* sorts n records, the best first; how many stay */
static int64_t keep_best(const picking *s, char *record, int64_t n)
{
	s->of->sort(record, record + (size_t)s->room * s->of->size, n,
	            dtype_bits(s->args->in[0]->dtype));
	return n < s->k ? n : s->k;
}

/* the records of the best k elements from `from` to `end` - 1 of a line; returns their number */
static int64_t pick(const picking *s, const keys *order, int64_t from, int64_t end, char *record)
{
	const size_t size = s->of->size;
	int64_t have = end - from < s->room ? end - from : s->room;
	keys own = keys_from(*order, from);

	s->of->number(record, &own, from, have);
	from += have;
	have = keep_best(s, record, have);
	while (from < end) {
		const int64_t least = s->of->at(record, s->k - 1);
		for (; have < s->room; from++) {
			from = find_larger(order, least, from, end);
			if (from == end) break;
			own = keys_from(*order, from);
			s->of->number(record + (size_t)have++ * size, &own, from, 1);
		}
		have = keep_best(s, record, have);
	}
	return have;
}

static keys order_of(const picking *s, int64_t line)
{
	const type *t = s->args->in[0];
	const size_t at = (size_t)line_at(t, (int)params_of(s->args->eqn)->dim, line);
	const char *x = s->args->x[0];

	return keys_down(t->dtype, x + at * tsr_dtype_size(t->dtype), s->stride);
}

static void put_picked(const picking *s, const keys *order, int64_t line, const char *record)
{
	const type *const *out = s->args->out;
	const size_t item = tsr_dtype_size(out[0]->dtype);
	const int64_t at = line_at(out[0], (int)params_of(s->args->eqn)->dim, line);
	char *y = (char *)s->args->y[0] + (size_t)at * item;

	s->of->take(record, s->k, order->x, y, s->stride, item);
	for (int64_t i = 0; i < s->k; i++)
		put_u64(out[1]->dtype, s->args->y[1], at + i * s->stride,
		        (uint64_t)s->of->at(record, i));
}

/* of a part: what it collects, and as much room */
static size_t part_scratch(const picking *s) { return 2 * (size_t)s->room * s->of->size; }
/* of a line: what its parts have picked, and as much room */
static size_t line_scratch(const picking *s)
{
	return 2 * (size_t)(s->parts * s->k) * s->of->size;
}

static void pick_part(const picking *s, int64_t line, int64_t part)
{
	const size_t picked = (size_t)s->k * s->of->size;
	char *scratch = s->args->scratch, *record = scratch + (size_t)line * line_scratch(s);
	const keys order = order_of(s, line);
	char *own = scratch + (size_t)s->lines * line_scratch(s) +
	            (size_t)(line * s->parts + part) * part_scratch(s);

	pick(s, &order, part_first(s->n, s->parts, part), part_first(s->n, s->parts, part + 1),
	     own);
	memcpy(record + (size_t)part * picked, own, picked);
}

static void join_parts(const picking *s, int64_t line)
{
	char *record = (char *)s->args->scratch + (size_t)line * line_scratch(s);
	const keys order = order_of(s, line);
	const int64_t n = s->parts * s->k;

	s->of->sort(record, record + (size_t)n * s->of->size, n, order.bits);
	put_picked(s, &order, line, record);
}

static int64_t parts_of(const picking *s)
{
	return s->parts > 1 ? s->lines * s->parts : parts_shared(s->lines, TUNE_PARTS);
}

static void top_k_eval(const eval_args *args)
{
	const picking s = picking_of(args);
	const int64_t end = args->end ? args->end : parts_of(&s);

	if (s.parts == 1) {
		const part_range lines = range_of_parts(args, s.lines);
		for (int64_t i = lines.first; i < lines.end; i++) {
			const keys order = order_of(&s, i);
			pick(&s, &order, 0, s.n, args->scratch);
			put_picked(&s, &order, i, args->scratch);
		}
		return;
	}
	for (int64_t phase = args->phase; phase < (args->end ? args->phase + 1 : 2); phase++)
		for (int64_t i = args->first; i < end; i++)
			if (phase == 0) pick_part(&s, i / s.parts, i % s.parts);
			else if (i % s.parts == 0) join_parts(&s, i / s.parts);
}

static int64_t top_k_parts(const eqn *e, const type *const *in)
{
	const picking s = picking_of(&(eval_args){.eqn = e, .in = in});

	return parts_of(&s);
}

static int64_t top_k_phases(const eqn *e, const type *const *in)
{
	return picking_of(&(eval_args){.eqn = e, .in = in}).parts > 1 ? 2 : 1;
}

static size_t top_k_scratch(const eqn *e, const type *const *in)
{
	const picking s = picking_of(&(eval_args){.eqn = e, .in = in});

	if (s.parts == 1) return part_scratch(&s);
	return (size_t)s.lines * (line_scratch(&s) + (size_t)s.parts * part_scratch(&s));
}

/* ---- transformations */

/* the elements at these indices along a dim; others are in step */
static var emit_picked(build *b, var x, var indices, int dim)
{
	if (is_zero(x) || build_failed(b)) return (var){0};
	const type *t = build_type(b, indices);
	int64_t *ones = ints_room(b, t->ndim);
	const ints at = {1, (const int64_t[]){dim}}, others = list_others(b, t->ndim, &at);

	if (build_failed(b)) return (var){0};
	for (int d = 0; d < t->ndim; d++) ones[d] = 1;
	const gather_params p = {{.dropped = at, .starts = at, .batch = others,
	                          .index_batch = others},
	                         {t->ndim, ones}, GATHER_PROMISE_IN_BOUNDS, false, true};
	const var starts = emit_dims(b, indices, t->ndim, 0, (int64_t[]){1}, 1);
	return emit(b, &tsr__prim_gather, &p, (var[]){x, starts}, 2);
}

static void top_k_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	(void)x;
	dy[0] = emit_picked(b, dx[0], y[1], (int)params_of(e)->dim);
	dy[1] = (var){0};
}

static void top_k_batch(build *b, const eqn *e, const batching *to, const var *x,
                        const bool *mapped, var *y, bool *ymapped)
{
	const top_k_params p = {params_of(e)->k, params_of(e)->dim + 1};

	(void)to, (void)mapped;
	emit_all(b, e->prim, &p, x, 1, y);
	ymapped[0] = ymapped[1] = true;
}

static bool has_padding(build *b, const localizing *to, int dim)
{
	int64_t all = to->block[0]->dims[dim];
	int naxes;
	const axis *axes = build_axes(b, &naxes);

	for (int i = 0; i < to->cut[0][dim].n; i++) all *= axes[to->cut[0][dim].v[i]].size;
	return all != to->whole[0]->dims[dim];
}

/* x with a value that nothing is less than in its padding, which comes behind all elements that are
 * as good */
static var without_padding(build *b, const localizing *to, int dim, var x)
{
	const type *t = to->block[0];
	const keys k = keys_of(t->dtype, NULL, 1);
	const uint64_t lowest = k.sign | k.infinity;
	const var place = emit_places(b, t->dims, t->ndim, dim, to->start[0][dim]);
	const var number = build_literal(b, t->dtype, &lowest);

	return emit_select(b, emit_before(b, place, to->whole[0]->dims[dim]), x, number);
}

/* The best of each block are in the order of blocks, so that of equal ones the first is that of the
 * whole */
static void top_k_local(build *b, const eqn *e, const localizing *to, const var *x, var *y)
{
	const top_k_params *p = params_of(e);
	const int dim = (int)p->dim;
	const int64_t size = to->block[0]->dims[dim];
	const top_k_params own = {p->k < size ? p->k : size, dim};
	const var start = to->start[0][dim];

	if (!start.id) {
		emit_all(b, e->prim, p, x, 1, y);
		return;
	}
	const all_gather_params all = {
		{to->cut[0][dim], {0, NULL}}, dim, true, COLL_TO_INVARYING};
	const tsr_dtype dtype = to->whole[2]->dtype;
	var best[2], block = x[0];
	if (has_padding(b, to, dim)) block = without_padding(b, to, dim, block);
	emit_all(b, e->prim, &own, &block, 1, best);
	var at = emit_convert(b, best[1], dtype);
	at = emit_2(b, &tsr__prim_add, at, emit_spread(b, emit_convert(b, start, dtype), at));
	best[0] = emit(b, &tsr__prim_all_gather, &all, &best[0], 1);
	best[1] = emit(b, &tsr__prim_all_gather, &all, &at, 1);
	emit_all(b, e->prim, p, best, 1, y);
	y[1] = emit_picked(b, best[1], y[1], dim);
}

/* what is read of each element, and what is sorted of those that are picked */
static double top_k_times(const program *p, const eqn *e)
{
	return (double)type_of(p, e->in[0])->size + 32 * (double)type_of(p, e->out[0])->size;
}

static const field top_k_fields[] = {
	PARAM(top_k_params, k, FIELD_INT),
	PARAM(top_k_params, dim, FIELD_INT),
	PARAMS_END,
};
const tsr_prim tsr__prim_top_k = {
	.name = "top_k",
	.doc = "the k largest elements along a dim, the largest first, and where they are",
	.flags = PRIM_OWN_WEAK | PRIM_CALLED,
	.cost = 1,
	.times = top_k_times,
	.nin = 1,
	.nout = 2,
	.params = top_k_fields,
	.types = top_k_types,
	.factors = top_k_factors,
	.needs = needs_nothing,
	.local = top_k_local,
	.jvp = top_k_jvp,
	NOT_LINEAR,
	.batch = top_k_batch,
	.eval = top_k_eval,
	.parts = top_k_parts,
	.phases = top_k_phases,
	.scratch = top_k_scratch,
	TSR_NO_RULE(COL_LOWER, "which elements are picked depends on all of them"),
};
