/* all_gather.c - all_gather: every member of a group gets the blocks of all.
 *
 *     all_gather [1 2] | [3 4] axes=(x) dim=0 tiled=true to=varying
 *       gives  [1 2 3 4] | [1 2 3 4]
 *     all_gather [1 2] | [3 4] axes=(x) dim=0 to=invarying
 *       gives  [1 2; 3 4] | [1 2; 3 4] */
#include "prim/collective/collective.h"

/* ---- all_gather: untiled, result[.., k, ..] with k at `dim` is the block of member k; tiled, the
 * blocks are concatenated along dim */

static bool all_gather_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const all_gather_params *p = e->params;
	const int ndim = in[0]->ndim;
	members m;

	if (!collective_begin(b, e, in[0], &m) ||
	    !collective_dim(b, e, "dim", p->dim, ndim + !p->tiled, in[0]))
		return false;
	int64_t *dims = arena_array(build_arena(b), (size_t)ndim + 1, sizeof *dims);
	if (!dims) return false;
	for (int d = 0, at = 0; d < ndim; d++) {
		if (!p->tiled && at == p->dim) at++;
		dims[at++] = in[0]->dims[d];
	}
	if (!p->tiled) dims[p->dim] = m.n;
	else if (!mul_ok(dims[p->dim], m.n, &dims[p->dim]))
		return fail_type(b, e, "all_gather of %s over axis name %s is too large",
		                 collective_type_text(b, in[0]),
		                 collective_axes_text(b, &p->on.axes));
	const type *t = collective_redim(b, in[0], dims, ndim + !p->tiled);
	return t && (out[0] = collective_result(b, e, t, p->to, &m));
}

/* gathered dim: d -> (n d), or a new dim n */
static void all_gather_factors(const eqn *e, const type *const *in, const type *const *out,
                               factors *f)
{
	const all_gather_params *p = e->params;
	int operand = 0;

	for (int d = 0; d < out[0]->ndim; d++) {
		if (d == p->dim && !p->tiled) {
			factor_at(f, e->nin, d, collective_whole(f, out[0]->dims[d]));
			continue;
		}
		const int64_t size = in[0]->dims[operand];
		const int64_t n = size ? out[0]->dims[d] / size : 1;
		if (d == p->dim) factor_at(f, e->nin, d, collective_whole(f, n));
		const int one = factor_new(f, size, FACTOR_PASS);
		factor_at(f, 0, operand++, one);
		factor_at(f, e->nin, d, one);
	}
}

static void all_gather_eval(const eval_args *args)
{
	const type *t = args->in[0];

	if (!t->size) return;
	/* operand [outer, run], result [outer, n, run] */
	const size_t outer =
		(size_t)collective_span(t, 0, ((const all_gather_params *)args->eqn->params)->dim);
	const size_t run = collective_bytes(t) / outer, n = (size_t)args->n;
	for (size_t to = 0; to < n; to++)
		for (size_t o = 0; o < outer; o++)
			for (size_t k = 0; k < n; k++)
				collective_copy((char *)args->y[to] + (o * n + k) * run,
				                (const char *)args->x[k] + o * run, run);
}

/* chunk k of what was gathered, for member k */
static var own_chunk(build *b, const all_gather_params *p, const type *x, var ct)
{
	const int64_t step = p->tiled ? x->dims[p->dim] : 1;

	if (is_zero(ct)) return ct;
	const tsr_dtype index = build_type(b, ct)->dims[p->dim] > INT32_MAX ? TSR_I64 : TSR_I32;
	const var member = emit_convert(b, collective_index(b, &p->on), index);
	const var at = emit_mul(b, member, emit_scalar(b, index, (double)step));
	const var chunk = emit_part_at(b, ct, (int)p->dim, at, step);
	return p->tiled ? chunk : emit_reshape(b, chunk, x->dims, x->ndim);
}

/* If the result varies, each member has its own cotangent of all blocks: these are summed, and each
 * member gets its own chunk of the sum. If it does not vary, the members share one cotangent, from
 * which each takes its chunk. */
static void all_gather_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                                 const var *ct, var *dx)
{
	const all_gather_params *p = e->params;
	const psum_scatter_params back = {p->on, p->dim, p->tiled};
	const ints meshes = collective_axes_of(b, &p->on.axes, AXIS_MESH);

	(void)x;
	if (p->to == COLL_TO_INVARYING && meshes.n) {
		const ints maps = collective_axes_of(b, &p->on.axes, AXIS_MAP);
		const var sum = collective_sum(b, ct[0], maps, COLL_TO_INVARYING);
		dx[0] = own_chunk(b, p, in[0], sum);
	} else {
		dx[0] = emit(b, &tsr__prim_psum_scatter, &back, ct, 1);
	}
}

/* Stacks the blocks of the members of the rest, so that all members' blocks are along leading dims,
 * and moves these to where the result has them. */
static var all_gather_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const all_gather_params *p = params;
	const all_gather_params stack = {r->on, *mapped, false, p->to};

	x = rest_emit(b, r, &tsr__prim_all_gather, &stack, x); /* [n, s, ...] or [s, ...] */
	x = rest_join(b, r, rest_instances(b, r, x, *mapped), 0);
	x = emit_move_dim(b, x, 0, (int)p->dim);
	*mapped = false;
	return p->tiled ? emit_merged(b, x, (int)p->dim) : x;
}

static void all_gather_shift(void *p) { ((all_gather_params *)p)->dim++; }

BATCH_NAMED(all_gather, .shift = all_gather_shift)

/* untiled along a new last dim */
static var stack_last(build *b, const var *x, int n, int last)
{
	var *v = var_room(b, n);

	for (int k = 0; v && k < n; k++) {
		v[k] = members_again(x, k, v);
		if (is_zero(v[k])) v[k] = emit_dims(b, x[k], last, 0, (int64_t[]){1}, 1);
	}
	return v ? emit_join(b, v, n, last) : (var){0};
}

static void all_gather_members(build *b, const eqn *e, int n, const bool *here, const var *x,
			       var *y)
{
	(void)here;
	const all_gather_params *p = e->params;
	const type *t = build_type(b, x[0]);

	if (!p->tiled && p->dim == t->ndim) {
		members_give_all(y, n, stack_last(b, x, n, t->ndim));
		return;
	}
	var all = emit_join(b, x, n, (int)p->dim);
	if (!p->tiled)
		all = emit_dims(b, all, (int)p->dim, 1, (int64_t[]){n, t->dims[p->dim]}, 2);
	members_give_all(y, n, all);
}

static const field all_gather_fields[] = {
	COLLECTIVE_FIELDS(all_gather_params),
	PARAM(all_gather_params, dim, FIELD_INT),
	PARAM(all_gather_params, tiled, FIELD_BOOL),
	{"to", offsetof(all_gather_params, to), FIELD_WORD, coll_to_words},
	PARAMS_END,
};

COLLECTIVE_ROW(all_gather, "the blocks of all devices along mesh axes, stacked or concatenated", 1,
               all_gather_fields, .factors = all_gather_factors, LINEAR_COLLECTIVE(all_gather),
               .received = received_blocks)
