/* scatter.c - defines the row that puts windows into an array, or combines them with its elements,
 * at places that another array holds: scatter.
 *
 * Two windows of one element, both at place 1; the second one of those that are set stays:
 *
 *     scatter [1 2 3] [1; 1]:i32 [10 20] update_window_dims=[] inserted_window_dims=[0]
 *       scatter_dims_to_operand_dims=[0] operand_batching_dims=[]
 *       scatter_indices_batching_dims=[] combine=set mode=clip  gives  [1 20 3]
 *     scatter [1 2 3] [1; 1]:i32 [10 20] update_window_dims=[] inserted_window_dims=[0]
 *       scatter_dims_to_operand_dims=[0] operand_batching_dims=[]
 *       scatter_indices_batching_dims=[] combine=add mode=clip  gives  [1 32 3] */
#include "prim/elementwise/nodes.h"
#include "prim/numbers.h"
#include "prim/row.h"
#include "prim/layout/windows.h"

static const scatter_params *params_of(const eqn *e) { return e->params; }

/* ---- types */

static const char *const combine_words[] = {"set", "add", "mul", "min", "max", NULL};

static bool check_updates(build *b, const eqn *e, const type *const *in, const window_dims *w)
{
	const type *x = in[0], *indices = in[1], *updates = in[2];
	const int counts = indices->ndim - 1;

	if (updates->ndim != w->through.n + counts)
		return fail_type(b, e,
		                 "%s: updates must have %d dims, %d that go through windows "
		                 "and %d that count them as %s does, got %s",
		                 eqn_name(b, e), w->through.n + counts, w->through.n, counts,
		                 type_words(b, indices), type_words(b, updates));
	for (int d = 0; d < x->ndim; d++) {
		const int part = part_dim(w, d);
		if (part >= 0 && updates->dims[part] > x->dims[d])
			return fail_type(b, e,
			                 "%s: dim %d of the updates %s is larger than dim %d "
			                 "of the operand %s, which it goes through",
			                 eqn_name(b, e), part, type_words(b, updates), d,
			                 type_words(b, x));
	}
	for (int j = 0; j < counts; j++)
		if (updates->dims[counting_dim(w, j)] != indices->dims[j])
			return fail_type(b, e,
			                 "%s: dim %d of the updates %s counts windows, and "
			                 "must have the size of dim %d of the indices %s",
			                 eqn_name(b, e), counting_dim(w, j), type_words(b, updates),
			                 j, type_words(b, indices));
	return true;
}

static bool scatter_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const scatter_params *p = params_of(e);
	const bool counts = p->combine == SCATTER_ADD || p->combine == SCATTER_MUL;

	if (in[0]->dtype != in[2]->dtype)
		return fail_type(b, e,
		                 "%s requires operand and updates of equal dtypes, got %s and "
		                 "%s",
		                 eqn_name(b, e), type_words(b, in[0]), type_words(b, in[2]));
	if (counts && dtype_kind(in[0]->dtype) == KIND_BOOL)
		return fail_type(b, e, "%s that combines by %s does not accept dtype bool",
		                 eqn_name(b, e), combine_words[p->combine]);
	return check_window_dims(b, e, in, &p->dims) && check_updates(b, e, in, &p->dims) &&
	       give_type(b, in[0]->dtype, in[0]->dims, in[0]->ndim, out) &&
	       weaken(b, in[0]->weak, out);
}

/* Windows may share an element, wherever they are counted. Blocks of them may each be combined with
 * the operand where that makes no difference; otherwise one of them is */
static int each_combines(const eqn *e, const type *const *in, factors *f, int64_t size)
{
	static const factor_op ops[] = {[SCATTER_ADD] = FACTOR_SUM,
	                                [SCATTER_MUL] = FACTOR_PROD,
	                                [SCATTER_MIN] = FACTOR_MIN,
	                                [SCATTER_MAX] = FACTOR_MAX};
	const int combine = params_of(e)->combine;

	if (combine == SCATTER_SET)
		return factor_replicated(f, size, "a later window replaces an earlier one");
	const int factor = factor_reduced(f, size, ops[combine]);
	if (combine == SCATTER_MIN || combine == SCATTER_MAX) return factor;
	return factor_rounds(f, factor_own(f, factor), in[0]->dtype);
}

static void scatter_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	(void)out;
	factors_of_windows(e, in, in[2], &params_of(e)->dims, each_combines, f);
}

/* ---- values: of two windows that share an element, the one whose index vector is earlier comes
 * first */

/* the elements of a window, where it is in the result, y, and in the updates, x; both cursors are
 * at the first one, before and after */
typedef struct meeting {
	box copy;          /* from the updates into the result */
	cursor y, x;
	int64_t n, run;    /* elements; how many of them are evenly apart in both */
	int64_t ystep, xstep;
} meeting;

static void meeting_make(meeting *m, const box *window)
{
	*m = (meeting){.n = 1, .run = 1};
	for (int d = 0; d < window->ndim; d++) {
		const int64_t size = window->dims[d];
		m->n *= size;
		box_dim(&m->copy, size, window->from[d], window->to[d]);
		cursor_dim(&m->y, size, window->from[d]);
		cursor_dim(&m->x, size, window->to[d]);
	}
	if (!m->y.ndim) return;
	const int ylast = m->y.ndim - 1, xlast = m->x.ndim - 1;
	/* dims that only one of the cursors has joined are a multiple of the other's last one */
	m->run = min_i64(m->y.dims[ylast], m->x.dims[xlast]);
	m->ystep = m->y.stride[ylast];
	m->xstep = m->x.stride[xlast];
}

#define WINDOW_LOOP(dtype_, mem_, wide_, LOAD, STORE, ...) \
	case dtype_: \
		for (int64_t done = 0; done < m->n; done += m->run) { \
			mem_ *y = (mem_ *)to + y_at + m->y.at; \
			const mem_ *x = (const mem_ *)from + x_at + m->x.at; \
			for (int64_t i = 0; i < m->run; i++) { \
				const wide_ a = LOAD(y[i * m->ystep]); \
				const wide_ b = LOAD(x[i * m->xstep]); \
				y[i * m->ystep] = STORE(__VA_ARGS__); \
			} \
			cursor_next(&m->y, m->run); \
			cursor_next(&m->x, m->run); \
		} \
		break;
#define COMBINE(name_, set, ...) \
	static void combine_##name_(meeting *m, tsr_dtype dtype, void *to, int64_t y_at, \
	                            const void *from, int64_t x_at) \
	{ \
		switch (dtype) { \
			set##_CASES(WINDOW_LOOP, __VA_ARGS__) \
		default: break; \
		} \
	}
COMBINE(add, NUMBER, a + b)
COMBINE(mul, NUMBER, MUL_OF(a, b))
COMBINE(min, SIGNED_ALL, MIN_OF_ALL(a, b))
COMBINE(max, SIGNED_ALL, MAX_OF_ALL(a, b))

static void combine_set(meeting *m, tsr_dtype dtype, void *to, int64_t y_at, const void *from,
                        int64_t x_at)
{
	box_copy(&m->copy, dtype, to, y_at, from, x_at);
}

static void scatter_eval(const eval_args *args)
{
	static void (*const combine[])(meeting *, tsr_dtype, void *, int64_t, const void *,
	                               int64_t) = {combine_set, combine_add, combine_mul,
	                                           combine_min, combine_max};
	const scatter_params *p = params_of(args->eqn);
	const type *y = args->out[0], *updates = args->in[2];
	windows w;
	meeting m;

	if (!y->size) return;
	if (args->y[0] != args->x[0])
		memcpy(args->y[0], args->x[0], (size_t)y->size * tsr_dtype_size(y->dtype));
	if (!updates->size) return;
	windows_begin(&w, args, &p->dims, updates, p->mode == SCATTER_CLIP, 0,
	              windows_count(args->in[1]));
	meeting_make(&m, &w.window);
	for (; w.left; windows_next(&w))
		if (w.inside)
			combine[p->combine](&m, y->dtype, args->y[0], w.at, args->x[2], w.part.at);
}

/* ---- in kernels: windows are put one after the other. Those that count along a dim of a batch go
 * to different elements, and so do the parts of one along a dim that no index vector says anything
 * of */

static void scatter_loops(const eqn *e, const type *const *in, put_loops *l)
{
	const window_dims *w = &params_of(e)->dims;
	bool apart[MAX_NDIM] = {false}, counts[MAX_NDIM] = {false};
	int n = 0;

	for (int j = 0; j < in[1]->ndim - 1; j++) {
		apart[counting_dim(w, j)] = has_int(&w->index_batch, j);
		counts[counting_dim(w, j)] = !has_int(&w->index_batch, j);
	}
	for (int d = 0; d < in[0]->ndim; d++)
		if (part_dim(w, d) >= 0) apart[part_dim(w, d)] = !has_int(&w->starts, d);
	for (int d = 0; d < in[2]->ndim; d++)
		if (apart[d]) l->dim[n++] = d;
	l->first = n;
	for (int d = 0; d < in[2]->ndim; d++)
		if (counts[d]) l->dim[n++] = d;
	l->end = n;
	for (int d = 0; d < in[2]->ndim; d++)
		if (!apart[d] && !counts[d]) l->dim[n++] = d;
}

static kvar combined(kernel *k, int combine, kvar held, kvar update)
{
	switch (combine) {
	case SCATTER_ADD: return k_binary(k, K_ADD, held, update);
	case SCATTER_MUL: return k_binary(k, K_MUL, held, update);
	case SCATTER_MIN: return k_min(k, held, update);
	case SCATTER_MAX: return k_max(k, held, update);
	default: return update;
	}
}

/* a window that is not there leaves what it would go to as it is */
static kvar scatter_put(kernel *k, const eqn *e, const kvar *index, kvar *at)
{
	const scatter_params *p = params_of(e);
	const type *parts = k_type(k, e, 2);
	const bool drops = p->mode == SCATTER_DROP;

	if (drops) k_guard(k, windows_inside(k, e, &p->dims, parts, index));
	windows_place(k, e, &p->dims, parts, !drops, index, at);
	const kvar update = k_operand(k, e, 2, index);
	if (p->combine == SCATTER_SET) return update;
	return k_narrow(k, combined(k, p->combine, k_wide(k, k_held(k, at)), k_wide(k, update)),
	                parts->dtype);
}

/* ---- transformations. What is said below of an element of x or of a window holds for those that
 * the row leaves alone, too: nothing reaches them, and windows outside get zeros */

/* the same windows, with another way to combine them */
static var scattered(build *b, const eqn *e, int combine, var x, var indices, var updates)
{
	scatter_params p = *params_of(e);

	p.combine = combine;
	return emit(b, e->prim, &p, (var[]){x, indices, updates}, 3);
}

/* the elements of x where the updates would go; outside: for a window that is not in x */
static var gathered(build *b, const eqn *e, var x, var indices, const type *updates, int outside)
{
	const scatter_params *p = params_of(e);
	const type *t = is_zero(x) ? NULL : build_type(b, x);
	int64_t *sizes = t ? ints_room(b, t->ndim) : NULL;

	if (!sizes || !t->size) return (var){0};
	for (int d = 0; d < t->ndim; d++) {
		const int part = part_dim(&p->dims, d);
		sizes[d] = part < 0 ? 1 : updates->dims[part];
	}
	const gather_params g = {p->dims, {t->ndim, sizes},
	                         p->mode == SCATTER_CLIP ? GATHER_CLIP : outside, p->sorted,
	                         p->unique};
	return emit(b, &tsr__prim_gather, &g, (var[]){x, indices}, 2);
}

/* Which elements of the updates remain in the result of combine=set, a predicate: each window has a
 * number, which is scattered like its elements; those that are found again remain */
static var remaining(build *b, const eqn *e, const type *x, var indices, const type *updates)
{
	const window_dims *w = &params_of(e)->dims;
	const type *t = build_type(b, indices);
	const int counts = t->ndim - 1;
	int64_t *at = ints_room(b, counts), n = 1;

	if (!at) return (var){0};
	for (int j = 0; j < counts; j++) {
		at[j] = counting_dim(w, j);
		n *= t->dims[j];
	}
	const tsr_dtype dtype = n < INT32_MAX ? TSR_I32 : TSR_I64;
	const type *places = type_make(build_ir(b), dtype, x->dims, x->ndim, x->varying);
	var number = emit_add(b, emit_iota(b, dtype, &n, 1, 0), emit_scalar(b, dtype, 1));
	number = emit_reshape(b, number, t->dims, counts);
	number = emit_broadcast(b, number, updates->dims, updates->ndim, at);
	if (!places) build_fail(b);
	if (build_failed(b)) return (var){0};
	const var put = scattered(b, e, SCATTER_SET, emit_zeros(b, places), indices, number);
	return emit_2(b, &tsr__prim_eq, gathered(b, e, put, indices, updates, GATHER_ZERO), number);
}

/* do no two windows share an element? None do where each element of a batch has one window */
static bool is_unique(const eqn *e, const type *indices)
{
	const scatter_params *p = params_of(e);
	bool one = true;

	for (int j = 0; j < indices->ndim - 1; j++)
		one = one && (indices->dims[j] == 1 || has_int(&p->dims.index_batch, j));
	return one || p->unique;
}

/* x, where no update is put, and the updates that remain, each once */
static void transpose_set(build *b, const eqn *e, const type *const *in, const var *x, var ct,
                          var *dx)
{
	if (is_zero(x[0])) dx[0] = scattered(b, e, SCATTER_SET, ct, x[1], emit_zeros(b, in[2]));
	if (!is_zero(x[2])) return;
	dx[2] = gathered(b, e, ct, x[1], in[2], GATHER_ZERO);
	if (is_zero(dx[2]) || is_unique(e, in[1])) return;
	dx[2] = emit_select(b, remaining(b, e, in[0], x[1], in[2]), dx[2], (var){0});
}

static bool must_be_unique(build *b, const eqn *e, const type *indices, column c)
{
	if (is_unique(e, indices)) return true;
	rule_missing(b, e, c,
	             "several updates may be of one element; if they are not, unique_indices says "
	             "so");
	build_fail(b);
	return false;
}

static void transpose_mul(build *b, const eqn *e, const type *const *in, const var *x, var ct,
                          var *dx)
{
	if (is_zero(x[0]) && is_zero(x[2])) {
		not_linear(b, e, "it is not linear in operand and updates together");
	} else if (is_zero(x[0])) {
		dx[0] = scattered(b, e, SCATTER_MUL, ct, x[1], x[2]);
	} else if (must_be_unique(b, e, in[1], COL_TRANSPOSE)) {
		dx[2] = gathered(b, e, emit_mul(b, ct, x[0]), x[1], in[2], GATHER_ZERO);
	}
}

static void scatter_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                              const var *ct, var *dx)
{
	if (is_zero(x[1])) {
		not_linear(b, e, "it is not linear in the indices");
		return;
	}
	switch (params_of(e)->combine) {
	case SCATTER_SET: transpose_set(b, e, in, x, *ct, dx); break;
	case SCATTER_ADD:
		if (is_zero(x[0])) dx[0] = *ct;
		if (is_zero(x[2])) dx[2] = gathered(b, e, *ct, x[1], in[2], GATHER_ZERO);
		break;
	case SCATTER_MUL: transpose_mul(b, e, in, x, *ct, dx); break;
	default: not_linear(b, e, "min and max are not linear"); break;
	}
}

/* dx times its updates, and to each element of x its one update's tangent times that element */
static var jvp_mul(build *b, const eqn *e, const var *x, const var *dx)
{
	const var by_x = is_zero(dx[0]) ? dx[0] : scattered(b, e, SCATTER_MUL, dx[0], x[1], x[2]);

	if (is_zero(dx[2]) || !must_be_unique(b, e, build_type(b, x[1]), COL_JVP)) return by_x;
	const var there = gathered(b, e, x[0], x[1], build_type(b, x[2]), GATHER_ZERO);
	return scattered(b, e, SCATTER_ADD, emit_instance(b, by_x, build_type(b, x[0])), x[1],
	                 emit_mul(b, there, dx[2]));
}

/* 1 / count where that element is the result, otherwise 0 */
static var share(build *b, var is_result, var count, etype of)
{
	if (is_zero(count)) return count;
	const tsr_dtype wide = build_type(b, count)->dtype;
	const var part = emit_div(b, emit_scalar(b, wide, 1), count);
	return emit_as(b, emit_select(b, is_result, part, emit_scalar(b, wide, 0)), of);
}

/* the mean of the tangents of all that are equal to the result, the operand and updates */
static var jvp_extreme(build *b, const eqn *e, const var *x, const var *dx, var y)
{
	const type *t = build_type(b, x[0]), *updates = build_type(b, x[2]);
	const tsr_dtype wide = dtype_real(dtype_wide(t->dtype));
	const var result = gathered(b, e, y, x[1], updates, GATHER_FILL);

	if (is_zero(result)) return result;
	const var kept = emit_2(b, &tsr__prim_eq, x[0], y);
	const var won = emit_2(b, &tsr__prim_eq, x[2], result);
	const var count = scattered(b, e, SCATTER_ADD, emit_convert(b, kept, wide), x[1],
	                            emit_convert(b, won, wide));
	const var there = gathered(b, e, count, x[1], updates, GATHER_ZERO);
	const var from_x = emit_mul(b, dx[0], share(b, kept, count, etype_of(t)));
	const var from_updates = emit_mul(b, dx[2], share(b, won, there, etype_of(t)));
	return scattered(b, e, SCATTER_ADD, emit_instance(b, from_x, t), x[1],
	                 emit_instance(b, from_updates, updates));
}

static void scatter_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	switch (params_of(e)->combine) {
	case SCATTER_SET:
	case SCATTER_ADD: jvp_linear(b, e, x, dx, y, dy); break;
	case SCATTER_MUL: dy[0] = jvp_mul(b, e, x, dx); break;
	default: dy[0] = jvp_extreme(b, e, x, dx, y[0]); break;
	}
}

static void scatter_batch(build *b, const eqn *e, const batching *to, const var *x,
                          const bool *mapped, var *y, bool *ymapped)
{
	scatter_params p = *params_of(e);
	const var operand[] = {batch_whole(b, to, x[0], mapped[0]), x[1],
	                       batch_whole(b, to, x[2], mapped[2])};

	p.dims = mapped[1] ? window_dims_counted(b, &p.dims, true)
	                   : window_dims_through(b, &p.dims);
	y[0] = emit(b, e->prim, &p, operand, 3);
	ymapped[0] = true;
}

/* ---- on blocks: each combines the windows in it */

/* Indices that count windows may be cut, too: then one device has the operand, and the others what
 * combining ignores */
static var held_once(build *b, const eqn *e, const localizing *to, var x)
{
	const tsr_dtype dtype = to->whole[0]->dtype;
	var first = {0};

	if (params_of(e)->combine != SCATTER_ADD && params_of(e)->combine != SCATTER_MUL) return x;
	for (int j = 0; j < to->whole[1]->ndim; j++) {
		const var start = to->start[1][j];
		if (!start.id || has_int(&params_of(e)->dims.index_batch, j)) continue;
		const var here = emit_2(b, &tsr__prim_eq, start,
		                        emit_scalar(b, build_type(b, start)->dtype, 0));
		first = is_zero(first) ? here : emit_2(b, &tsr__prim_and, first, here);
	}
	if (is_zero(first)) return x;
	const var ignored = params_of(e)->combine == SCATTER_MUL ? emit_scalar(b, dtype, 1)
	                                                         : emit_nothing(b, dtype);
	return emit_select(b, first, x, emit_spread(b, ignored, x));
}

/* Windows in the padding of indices that are cut: 9 of them on 4 devices are 3, 3, 3 and none */
static var counted(build *b, const localizing *to, const window_dims *w, var at, var far)
{
	const type *t = build_type(b, at);

	for (int j = 0; j < t->ndim - 1; j++) {
		const var start = to->start[1][j];
		if (!start.id || has_int(&w->index_batch, j)) continue;
		const var place = emit_places(b, t->dims, t->ndim, j, start);
		at = emit_select(b, emit_before(b, place, to->whole[1]->dims[j]), at, far);
	}
	return at;
}

/* Starts along one dim, in the block, which gets room for windows that are in it in part. Those
 * that are no windows of the whole go far away, where they are dropped */
static var scatter_along(build *b, const eqn *e, const localizing *to, block_starts *s, int entry,
                         var x)
{
	const scatter_params *p = params_of(e);
	const int d = (int)s->dims.starts.v[entry], part = part_dim(&p->dims, d);
	const int64_t n = part < 0 ? 1 : to->whole[2]->dims[part], all = to->whole[0]->dims[d];
	const bool cut = block_starts_cut(s, entry);
	const var far = emit_scalar(b, TSR_I64, (double)(-2 * all - n));

	if (p->mode == SCATTER_CLIP)
		block_starts_clamp(b, s, entry, all - n);
	else if (cut)
		s->column[entry] = emit_select(b, block_starts_within(b, s, entry, all - n),
		                               s->column[entry], far);
	if (build_failed(b)) return x;
	s->column[entry] = counted(b, to, &p->dims, s->column[entry], far);
	if (!cut || build_failed(b)) return x;
	block_starts_move(b, s, entry, (var){0}, n - 1);
	return emit_pad_dim(b, x, d, n - 1, n - 1, emit_scalar(b, to->whole[0]->dtype, 0));
}

static void scatter_local(build *b, const eqn *e, const localizing *to, const var *x, var *y)
{
	const scatter_params *p = params_of(e);
	var operand = held_once(b, e, to, x[0]);
	block_starts s;

	if (!block_starts_make(b, to, &p->dims, x[1], &s)) return;
	for (int i = 0; i < s.n && !build_failed(b); i++)
		operand = scatter_along(b, e, to, &s, i, operand);
	const scatter_params own = {s.dims, p->combine, SCATTER_DROP, false, false};
	const var starts = block_starts_end(b, &s, x[1]);
	y[0] = emit(b, e->prim, &own, (var[]){operand, starts, x[2]}, 3);
	for (int d = 0; d < to->whole[0]->ndim && !build_failed(b); d++) {
		const int64_t room = build_type(b, y[0])->dims[d] - to->block[0]->dims[d];
		y[0] = emit_pad_dim(b, y[0], d, -room / 2, -room / 2, y[0]);
	}
}

/* min and max ignore these updates, wherever they go; those that are added are dropped */
static padding scatter_needs(const eqn *e, const type *const *in, const factors *f, int operand,
                             int factor)
{
	(void)in, (void)operand;
	if (f->kind[factor] != FACTOR_REDUCE) return PAD_ANY;
	return params_of(e)->combine == SCATTER_MIN   ? PAD_HIGHEST
	       : params_of(e)->combine == SCATTER_MAX ? PAD_LOWEST
	                                              : PAD_ANY;
}

static const char *const scatter_modes[] = {"clip", "drop", NULL};
static const field scatter_fields[] = {
	WINDOW_FIELDS(scatter_params, "update_window_dims", "inserted_window_dims",
                      "scatter_dims_to_operand_dims", "scatter_indices_batching_dims"),
	{"combine", offsetof(scatter_params, combine), FIELD_WORD, combine_words},
	{"mode", offsetof(scatter_params, mode), FIELD_WORD, scatter_modes},
	{"indices_are_sorted", offsetof(scatter_params, sorted), FIELD_BOOL, NULL},
	{"unique_indices", offsetof(scatter_params, unique), FIELD_BOOL, NULL},
	PARAMS_END,
};
const tsr_prim tsr__prim_scatter = {
	.name = "scatter",
	.doc = "an array with windows set, or combined with updates, at starts that another holds",
	.flags = PRIM_OWN_WEAK | PRIM_UPDATES,
	.cost = 20,
	.times = windows_of,
	.nin = 3,
	.nout = 1,
	.params = scatter_fields,
	.types = scatter_types,
	.factors = scatter_factors,
	.needs = scatter_needs,
	.local = scatter_local,
	.eval = scatter_eval,
	.put_loops = scatter_loops,
	.put = scatter_put,
	.jvp = scatter_jvp,
	.transpose = scatter_transpose,
	.batch = scatter_batch,
};
