/* recipe_run_steps.c - the single steps of recipes, as calls of the public API. */
#include "support/recipe_run.h"

tsr_dims dims_of(const int *v, int n)
{
	tsr_dims dims = {.d = {1 + n}};

	for (int i = 0; i < n; i++) dims.d[1 + i] = v[i];
	return dims;
}

static tsr_dims dims_at(int n, int at, int value, int others)
{
	tsr_dims dims = {.d = {1 + n}};

	for (int i = 0; i < n; i++) dims.d[1 + i] = i == at ? value : others;
	return dims;
}

const char *axis_list_text(const recipe *r, const axis_list *a, char out[2 * RECIPE_AXES])
{
	size_t n = 0;

	for (int i = 0; i < a->n; i++) {
		if (i) out[n++] = '*';
		out[n++] = r->axis[a->at[i]].name;
	}
	out[n] = 0;
	return n ? out : NULL;
}

/* a dim of n, as the step writes dims */
static int written(const step *s, int dim, int n) { return s->negative ? dim - n : dim; }

static tsr_dims written_dims(const step *s, int n)
{
	tsr_dims dims = dims_of(s->dims, s->ndims);

	for (int i = 0; i < s->ndims; i++) dims.d[1 + i] = written(s, s->dims[i], n);
	return dims;
}

/* with numbers that promote nothing: they are whole where all are */
static tsr *run_affine(const runner *u, const step *s, tsr *x)
{
	const int k = (int)s->k, k2 = (int)s->k2;

	return u->r->whole ? tsr_add(tsr_mul(x, k), k2) : tsr_add(tsr_mul(x, s->k), s->k2);
}

static tsr *run_rem(const runner *u, const step *s, tsr *x)
{
	return u->r->whole ? tsr_rem(x, (int)s->k) : tsr_rem(x, s->k);
}

static tsr *run_unary(const runner *u, const step *s, tsr *x)
{
	switch (s->op) {
	case OP_COPY: return tsr_copy(x);
	case OP_REM: return run_rem(u, s, x);
	case OP_NEG: return tsr_neg(x);
	case OP_SIN: return tsr_sin(x);
	case OP_COS: return tsr_cos(x);
	case OP_TANH: return tsr_tanh(x);
	case OP_LOGISTIC: return tsr_logistic(x);
	case OP_EXP: return tsr_exp(x);
	case OP_SQUARE: return tsr_square(x);
	case OP_CUBE: return tsr_integer_pow(x, 3);
	case OP_ABS: return tsr_abs(x);
	case OP_RELU: return tsr_relu(x);
	case OP_LOG1P_SQUARE: return tsr_log1p(tsr_mul(x, x));
	case OP_SQRT1: return tsr_sqrt(tsr_add(1, tsr_square(x)));
	default: return run_affine(u, s, x);
	}
}

static tsr *run_binary(const step *s, tsr *a, tsr *b)
{
	switch (s->op) {
	case OP_ADD: return tsr_add(a, b);
	case OP_SUB: return tsr_sub(a, b);
	case OP_MUL: return tsr_mul(a, b);
	case OP_RATIO: return tsr_div(a, tsr_add(tsr_square(b), 2));
	case OP_MAXIMUM: return tsr_maximum(a, b);
	case OP_MINIMUM: return tsr_minimum(a, b);
	default: return tsr_where(tsr_gt(a, b), tsr_mul(a, 0.5), b);
	}
}

static tsr *run_reduction(const step *s, tsr *x)
{
	const tsr_dims dims = written_dims(s, tsr_ndim(x));

	switch (s->op) {
	case OP_SUM: return tsr_sum(x, .dims = dims, .keep = s->keep);
	case OP_MEAN: return tsr_mean(x, .dims = dims, .keep = s->keep);
	case OP_MAX: return tsr_max(x, .dims = dims, .keep = s->keep);
	case OP_PROD: return tsr_prod(x, .dims = dims, .keep = s->keep);
	default: return tsr_logsumexp(x, .dims = dims, .keep = s->keep);
	}
}

static tsr *run_dot_general(const step *s, tsr *a, tsr *b, tsr_dtype dtype)
{
	const tsr_dims none = TSR_DIMS();

	return tsr_dot_general(a, b, .dtype = dtype,
	                       .contract_a = TSR_DIMS(s->at), .contract_b = TSR_DIMS(s->to),
	                       .batch_a = s->keep ? TSR_DIMS(s->stop) : none,
	                       .batch_b = s->keep ? TSR_DIMS(s->stride) : none);
}

/* whole numbers and truths of the whole sum, not of its parts */
static tsr *run_product(const runner *u, const step *s, tsr *a, tsr *b)
{
	const tsr_dtype dtype = s->k == 0 ? 0 : s->k == 1 ? TSR_I32 : TSR_BOOL;
	tsr *y = s->op == OP_DOT_GENERAL ? run_dot_general(s, a, b, dtype)
	                                 : tsr_dot(a, b, .dtype = dtype);

	return s->k != 0 ? tsr_astype(y, u->dtype) : y;
}

static tsr *run_slice(const step *s, tsr *x)
{
	const int n = tsr_ndim(x);
	tsr_dims stops = dims_at(n, s->at, s->stop, 0);

	if (s->stride == 1) return tsr_slice(x, written(s, s->at, n), s->start, s->stop);
	for (int d = 0; d < n; d++)
		if (d != s->at) stops.d[1 + d] = TSR_END;
	return tsr_slice_strided(x, dims_at(n, s->at, s->start, 0), stops,
	                         .steps = dims_at(n, s->at, s->stride, 1));
}

static tsr *run_pad(const step *s, tsr *x)
{
	const int n = tsr_ndim(x);

	return tsr_pad(x, dims_at(n, s->at, s->start, 0), dims_at(n, s->at, s->stop, 0), s->k,
	               .interior = dims_at(n, s->at, s->stride - 1, 0));
}

static tsr *run_sort(const step *s, tsr *keys, tsr *x)
{
	tsr *both[] = {keys, x};

	if (!tsr_sort_operands(both, both, 2, .dim = TSR_DIMS(s->at))) return both[1];
	return s->keep ? tsr_flip(both[1], TSR_DIMS(s->at)) : both[1];
}

static tsr *run_dynamic(const runner *u, const step *s, tsr *a, tsr *b)
{
	const char axis[] = {s->axis < 0 ? 0 : u->r->axis[s->axis].name, 0};
	tsr *at = s->axis < 0 ? tsr_scalar(u->ctx, s->start) : tsr_axis_index(u->ctx, axis);

	if (s->op == OP_DYNAMIC_SLICE) return tsr_dynamic_slice(a, s->at, at, s->stop);
	return tsr_dynamic_update(a, b, s->at, at);
}

static tsr *run_made(const runner *u, const step *s, const form *f)
{
	const tsr_dims dims = dims_of(f->dim, f->ndim);

	if (s->op == OP_IOTA) return tsr_iota(u->ctx, dims, s->at, .dtype = u->dtype);
	return tsr_full(u->ctx, dims, s->k, .dtype = u->dtype);
}

static tsr *run_cast(const runner *u, const step *s, tsr *x)
{
	char text[2 * RECIPE_AXES];

	return tsr_pcast(x, axis_list_text(u->r, &s->ex.over, text), .to = TSR_TO_VARYING);
}

static tsr *run_constraint(const runner *u, const step *s, tsr *x)
{
	char text[RECIPE_NDIM][2 * RECIPE_AXES];

	return tsr_constrain(x, u->mesh, split_spec(u->r, &s->cut, text));
}

tsr *local_call(const runner *u, const step *s, const form *made, tsr *a, tsr *b)
{
	const int n = a ? tsr_ndim(a) : 0, same = written(s, s->at, n);
	const int more = written(s, s->at, n + 1);
	const tsr_dims at = TSR_DIMS(same);

	switch (s->op) {
	case OP_SUM:
	case OP_MEAN:
	case OP_MAX:
	case OP_PROD:
	case OP_LOGSUMEXP: return run_reduction(s, a);
	case OP_CUMSUM: return tsr_cumsum(a, .dim = at, .reverse = s->keep);
	case OP_SORT_BY: return run_sort(s, a, b);
	case OP_DOT:
	case OP_DOT_GENERAL: return run_product(u, s, a, b);
	case OP_TRANSPOSE: return tsr_transpose(a, .perm = written_dims(s, n));
	case OP_RESHAPE: return tsr_reshape(a, dims_of(made->dim, made->ndim));
	case OP_FLIP: return tsr_flip(a, at);
	case OP_EXPAND: return tsr_expand_dims(a, TSR_DIMS(more));
	case OP_SQUEEZE: return tsr_squeeze(a, at);
	case OP_BROADCAST: return tsr_broadcast_to(a, dims_of(made->dim, made->ndim));
	case OP_CONCAT: return tsr_concatenate(same, a, b);
	case OP_STACK: return tsr_stack(more, a, b);
	case OP_SLICE: return run_slice(s, a);
	case OP_PAD: return run_pad(s, a);
	case OP_DYNAMIC_SLICE:
	case OP_DYNAMIC_UPDATE: return run_dynamic(u, s, a, b);
	case OP_IOTA:
	case OP_FULL: return run_made(u, s, made);
	case OP_PCAST: return run_cast(u, s, a);
	case OP_CONSTRAIN: return run_constraint(u, s, a);
	case OP_KEY:
	case OP_SPLIT:
	case OP_FOLD_IN:
	case OP_KEY_AT:
	case OP_BITS:
	case OP_UNIFORM:
	case OP_NORMAL: return random_call(u, s, made, a, b);
	default: return s->nin == 1 ? run_unary(u, s, a) : run_binary(s, a, b);
	}
}

/* ---- collectives */

/* pairs {source, destination}; a shift where they are one, in one direction or back */
static tsr *run_permute(const exchange *e, bool back, tsr *x, const char *axis, tsr_groups groups)
{
	int pair[RECIPE_MEMBERS][2];
	size_t count = 0;
	const int n = e->nsource, by = (n - e->source[0]) % n;
	bool shift = e->source[0] >= 0;

	for (int i = 0; i < n; i++) {
		shift = shift && e->source[i] == (i - by + n) % n;
		if (e->source[i] < 0) continue;
		pair[count][0] = e->source[i];
		pair[count++][1] = i;
	}
	if (shift)
		return tsr_ppermute(x, axis, TSR_SHIFT(back ? by - n : by), .groups = groups);
	if (!count) /* no pair at all cannot be written: zeros that vary over the axes */
		return tsr_mul(tsr_pbroadcast(x, axis, 0, .groups = groups), 0);
	const tsr_perm perm = {.count = count, .pairs = (const int(*)[2])pair};
	return tsr_ppermute(x, axis, perm, .groups = groups);
}

/* the list of this device, of a table [n,n] with one for each */
static tsr *own_list(const runner *u, const int *table, int n, const char *axis, tsr_groups groups)
{
	tsr *all = tsr_from(u->ctx, table, TSR_I32, TSR_DIMS(n, n));

	return tsr_dynamic_index(all, 0, tsr_axis_index(u->ctx, axis, .groups = groups));
}

static tsr *run_ragged(const runner *u, const exchange *e, tsr *x, tsr *output, const char *axis,
                       tsr_groups groups)
{
	enum { MOST = RECIPE_DEVICES * RECIPE_DEVICES };
	const int n = (int)tsr_axis_size(u->ctx, axis, .groups = groups);
	int from[MOST], to[MOST], got[MOST];

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			from[i * n + j] = j ? from[i * n + j - 1] + e->rows[i * n + j - 1] : 0;
			to[i * n + j] = i ? to[(i - 1) * n + j] + e->rows[(i - 1) * n + j] : 0;
			got[j * n + i] = e->rows[i * n + j];
		}
	return tsr_ragged_all_to_all(x, output, own_list(u, from, n, axis, groups),
	                             own_list(u, e->rows, n, axis, groups),
	                             own_list(u, to, n, axis, groups),
	                             own_list(u, got, n, axis, groups), axis, .groups = groups);
}

tsr *exchange_call(const runner *u, const step *s, tsr *x, tsr *with)
{
	const exchange *e = &s->ex;
	char text[2 * RECIPE_AXES];
	size_t sizes[RECIPE_MEMBERS];
	const char *axis = axis_list_text(u->r, &e->over, text);
	tsr_groups groups = {.member = e->member, .count = (size_t)e->ngroups};

	for (int k = 0; k < e->ngroups; k++) {
		sizes[k] = (size_t)e->group_size[k];
		if (sizes[k] != sizes[0]) groups.sizes = sizes;
	}
	if (!groups.sizes && e->ngroups) groups.size = sizes[0];
	const int n = tsr_ndim(x) + (e->kind == EX_ALL_GATHER && !e->tiled);
	const tsr_dims at = TSR_DIMS(written(s, e->at, n)), to = TSR_DIMS(written(s, e->to, n));
	switch (e->kind) {
	case EX_PSUM: return tsr_psum(x, axis, .groups = groups);
	case EX_PMEAN: return tsr_pmean(x, axis, .groups = groups);
	case EX_PMAX: return tsr_pmax(x, axis, .groups = groups);
	case EX_PMIN: return tsr_pmin(x, axis, .groups = groups);
	case EX_ALL_GATHER:
		return tsr_all_gather(x, axis, .dim = at, .tiled = e->tiled, .groups = groups,
		                      .to = e->invarying ? TSR_TO_INVARYING : TSR_TO_VARYING);
	case EX_PSUM_SCATTER:
		return tsr_psum_scatter(x, axis, .dim = at, .tiled = e->tiled, .groups = groups);
	case EX_ALL_TO_ALL:
		return tsr_all_to_all(x, axis, .split = at, .concat = to, .tiled = e->tiled,
		                      .groups = groups);
	case EX_PSWAPAXES: return tsr_pswapaxes(x, axis, written(s, e->at, n), .groups = groups);
	case EX_PPERMUTE: return run_permute(e, s->negative, x, axis, groups);
	case EX_PSHUFFLE:
		return tsr_pshuffle(x, axis, e->source, (size_t)e->nsource, .groups = groups);
	case EX_PBROADCAST:
		return tsr_pbroadcast(x, axis, e->source[0], .groups = groups,
		                      .to = e->invarying ? TSR_TO_INVARYING : TSR_TO_VARYING);
	case EX_RAGGED: return run_ragged(u, e, x, with, axis, groups);
	default: return tsr_astype(tsr_axis_index(u->ctx, axis, .groups = groups), u->dtype);
	}
}
