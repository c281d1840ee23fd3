/* put_parts.c - splits rows that put many elements into a small array, so that workers can share
 * them: each part has an array of its own, and these are joined.
 *
 *     pass fuse
 *     f(%0: i32[100], %1: i32[320000,1], %2: i32[320000]) -> i32[100] {
 *       %3: i32[100] = scatter %0 %1 %2 update_window_dims=[] inserted_window_dims=[0]
 *         scatter_dims_to_operand_dims=[0] operand_batching_dims=[]
 *         scatter_indices_batching_dims=[] combine=add mode=drop
 *       return %3
 *     }
 *     gives
 *     f(%0: i32[100], %1: i32[320000,1], %2: i32[320000]) -> i32[100] {
 *       %3: i32[32,100] = call program=broadcast_in_dim() -> i32[32,100] {
 *         %0: i32[32,100] = broadcast_in_dim 0:i32 dims=[32,100] at=[]
 *         return %0
 *       }
 *       %4: i32[32,100] = call %3 %1 %2
 *         program=scatter(%0: i32[32,100], %1: i32[320000,1], %2: i32[320000]) -> i32[32,100] {
 *         %3: i32[320000,1] = slice %1 start=[0,0] stop=[320000,1] step=[1,1]
 *         %4: i32[32,10000,1] = reshape %3 dims=[32,10000,1]
 *         %5: i32[320000] = slice %2 start=[0] stop=[320000] step=[1]
 *         %6: i32[32,10000] = reshape %5 dims=[32,10000]
 *         %7: i32[32,100] = scatter %0 %4 %6 update_window_dims=[] inserted_window_dims=[1]
 *           scatter_dims_to_operand_dims=[1] operand_batching_dims=[0]
 *           scatter_indices_batching_dims=[0] combine=add mode=drop
 *         return %7
 *       }
 *       %5: i32[100] = call %0 %4 program=add(%0: i32[100], %1: i32[32,100]) -> i32[100] {
 *         %2: i32[100] = reduce_sum %1 dims=[0]
 *         %3: i32[100] = add %0 %2
 *         return %3
 *       }
 *       return %5
 *     }
 *
 * Only for operations whose order makes no difference, to the bit: max and min, and sums and
 * products of whole numbers. Sums of floats have the one order of docs/numerics.md. */
#include "kernel/kernel.h"
#include "pass/fuse/fuse.h"

typedef struct put_cut {
	const tsr_prim *join, *reduce;
	kreduction kind;
	int64_t count, part; /* updates, and of each part */
} put_cut;

static bool joins(tsr_dtype dtype, int combine, put_cut *c)
{
	const bool whole = dtype_kind(dtype) == KIND_INT || dtype_kind(dtype) == KIND_UINT;
	const bool ordered = dtype_kind(dtype) != KIND_COMPLEX;
	const factor_op op = combine == SCATTER_ADD   ? FACTOR_SUM
	                     : combine == SCATTER_MUL ? FACTOR_PROD
	                     : combine == SCATTER_MIN ? FACTOR_MIN
	                                              : FACTOR_MAX;
	static const kreduction kinds[] = {[SCATTER_ADD] = KR_SUM,
	                                   [SCATTER_MUL] = KR_PROD,
	                                   [SCATTER_MIN] = KR_MIN,
	                                   [SCATTER_MAX] = KR_MAX};

	if (combine == SCATTER_SET) return false;
	c->join = operators[op].join;
	c->reduce = operators[op].reduce;
	c->kind = kinds[combine];
	return combine == SCATTER_ADD || combine == SCATTER_MUL ? whole : ordered;
}

static bool cut_of(const target *on, const program *p, const eqn *e, put_cut *c)
{
	const scatter_params *s = e->prim == &tsr__prim_scatter ? e->params : NULL;

	if (!s || s->dims.through.n || s->dims.batch.n) return false;
	const type *x = type_of(p, e->in[0]), *updates = type_of(p, e->in[2]);
	if (!joins(x->dtype, s->combine, c)) return false;
	c->count = updates->size;
	c->part = updates->size / TUNE_SUM_PARTS;
	return (double)c->count >= on->shared_sum && x->size <= c->part / 4;
}

bool put_has_parts(const target *on, const program *p, const eqn *e)
{
	put_cut c;

	return cut_of(on, p, e, &c);
}

/* each part put into an array of its own, which begins as what changes nothing; then all joined */
static var parts_joined(build *b, const put_cut *c, const scatter_params *s, const type *x,
                        var indices, var updates)
{
	static const int64_t first = 0;
	const int64_t n = TUNE_SUM_PARTS, entries = s->dims.starts.n;
	const kscalar none = scalar_neutral(c->kind, x->dtype);
	const ints dims = list_behind(b, n, &(ints){x->ndim, x->dims}, 0);
	const scatter_params own = {.dims = {.dropped = list_plus(b, &s->dims.dropped, 1),
	                                     .starts = list_plus(b, &s->dims.starts, 1),
	                                     .batch = {1, &first},
	                                     .index_batch = {1, &first}},
	                            .combine = s->combine,
	                            .mode = s->mode};

	if (build_failed(b)) return (var){0};
	indices = emit_part(b, indices, 0, 0, n * c->part);
	updates = emit_part(b, updates, 0, 0, n * c->part);
	const var each[] = {
		emit_broadcast(b, build_literal(b, x->dtype, none.bytes), dims.v, dims.n, NULL),
		emit_reshape(b, indices, (int64_t[]){n, c->part, entries}, 3),
		emit_reshape(b, updates, (int64_t[]){n, c->part}, 2)};
	const var all = emit(b, &tsr__prim_scatter, &own, each, 3);
	return emit(b, c->reduce, &(reduce_params){{1, &first}}, &all, 1);
}

/* the updates that are left over come last */
var put_of_parts(build *b, const target *on, const program *p, const eqn *e, const var *in)
{
	const scatter_params *s = e->params;
	const type *x = type_of(p, e->in[0]);
	put_cut c;

	if (!cut_of(on, p, e, &c)) return (var){0};
	const var indices =
		emit_reshape(b, in[1], (int64_t[]){c.count, s->dims.starts.n}, 2);
	const var updates = emit_reshape(b, in[2], &c.count, 1);
	const var y = emit_2(b, c.join, in[0], parts_joined(b, &c, s, x, indices, updates));
	const int64_t done = TUNE_SUM_PARTS * c.part;
	if (done == c.count || build_failed(b)) return y;
	const var rest[] = {y, emit_part(b, indices, 0, done, c.count),
	                    emit_part(b, updates, 0, done, c.count)};
	return emit(b, e->prim, s, rest, 3);
}
