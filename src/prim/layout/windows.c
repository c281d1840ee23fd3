/* windows.c - describes the windows of gather and scatter: one of the operand for each index
 * vector. */
#include "prim/layout/windows.h"

int part_dim(const window_dims *w, int64_t dim)
{
	int before = 0;

	if (has_int(&w->dropped, dim) || has_int(&w->batch, dim)) return -1;
	for (int64_t d = 0; d < dim; d++)
		before += !has_int(&w->dropped, d) && !has_int(&w->batch, d);
	return (int)w->through.v[before];
}

int counting_dim(const window_dims *w, int64_t index_dim)
{
	int d = 0;

	for (int64_t before = index_dim; before > 0 || has_int(&w->through, d); d++)
		before -= !has_int(&w->through, d);
	return d;
}

/* ---- types */

/* dims within 0 .. ndim - 1, each once, in any order */
static bool check_dims_differ(build *b, const eqn *e, const char *what, const ints *list, int ndim)
{
	for (int i = 0; i < list->n; i++) {
		if (list->v[i] < 0 || list->v[i] >= ndim)
			return fail_type(b, e, "%s: %s %s out of range for %d dims", eqn_name(b, e),
			                 what, dims_words(b, list->v, list->n), ndim);
		if (has_int(&(ints){i, list->v}, list->v[i]))
			return fail_type(b, e, "%s: %s must not repeat a dim, got %s",
			                 eqn_name(b, e), what, dims_words(b, list->v, list->n));
	}
	return true;
}

static bool check_apart(build *b, const eqn *e, const ints *list, const char *name,
                        const ints *batch)
{
	for (int i = 0; i < list->n; i++)
		if (has_int(batch, list->v[i]))
			return fail_type(b, e,
			                 "%s: %s and operand_batching_dims must be disjoint, got "
			                 "%s and %s",
			                 eqn_name(b, e), name, dims_words(b, list->v, list->n),
			                 dims_words(b, batch->v, batch->n));
	return true;
}

/* dims of the operand and of the indices, in pairs of one size */
static bool check_batch(build *b, const eqn *e, const type *const *in, const window_dims *w,
                        const char *index_batch)
{
	if (!check_dims_differ(b, e, index_batch, &w->index_batch, in[1]->ndim - 1)) return false;
	if (w->batch.n != w->index_batch.n)
		return fail_type(b, e,
		                 "%s needs as many operand_batching_dims as %s, got %s and %s",
		                 eqn_name(b, e), index_batch, dims_words(b, w->batch.v, w->batch.n),
		                 dims_words(b, w->index_batch.v, w->index_batch.n));
	for (int i = 0; i < w->batch.n; i++)
		if (in[0]->dims[w->batch.v[i]] != in[1]->dims[w->index_batch.v[i]])
			return fail_type(b, e,
			                 "%s: batching dims of operand and indices must have one "
			                 "size, but there are dim %lld of %s and dim %lld of %s",
			                 eqn_name(b, e), (long long)w->batch.v[i],
			                 type_words(b, in[0]), (long long)w->index_batch.v[i],
			                 type_words(b, in[1]));
	return true;
}

bool check_window_dims(build *b, const eqn *e, const type *const *in, const window_dims *w)
{
	enum { THROUGH, DROPPED, STARTS, BATCH, INDEX_BATCH };
	const field *names = e->prim->params;
	const int ndim = in[0]->ndim, last = in[1]->ndim - 1;

	if (!(ONE_KIND(dtype_kind(in[1]->dtype)) & WRAP_KINDS))
		return fail_type(b, e, "%s: indices must have an integer type, got %s",
		                 eqn_name(b, e), type_words(b, in[1]));
	if (last < 0)
		return fail_type(b, e,
		                 "%s: the last dim of the indices holds index vectors, got %s",
		                 eqn_name(b, e), type_words(b, in[1]));
	if (!check_dims_rise(b, e, names[THROUGH].name, &w->through, w->through.n + last) ||
	    !check_dims_rise(b, e, names[DROPPED].name, &w->dropped, ndim) ||
	    !check_dims_differ(b, e, names[STARTS].name, &w->starts, ndim) ||
	    !check_dims_rise(b, e, names[BATCH].name, &w->batch, ndim) ||
	    !check_apart(b, e, &w->dropped, names[DROPPED].name, &w->batch) ||
	    !check_apart(b, e, &w->starts, names[STARTS].name, &w->batch) ||
	    !check_batch(b, e, in, w, names[INDEX_BATCH].name))
		return false;
	if (w->starts.n != in[1]->dims[last])
		return fail_type(b, e,
		                 "%s: %s names %d dims, but the index vectors, the last dim of %s, "
		                 "have %lld entries",
		                 eqn_name(b, e), names[STARTS].name, w->starts.n,
		                 type_words(b, in[1]), (long long)in[1]->dims[last]);
	if (w->through.n + w->dropped.n + w->batch.n != ndim)
		return fail_type(b, e,
		                 "%s: each dim of the operand must be in %s or "
		                 "operand_batching_dims or have one of %s: %d, %d and %d are not "
		                 "the %d dims of %s",
		                 eqn_name(b, e), names[DROPPED].name, names[THROUGH].name,
		                 w->dropped.n, w->batch.n, w->through.n, ndim,
		                 type_words(b, in[0]));
	return true;
}

/* ---- factors */

/* a dim of the operand that is one of indices and parts too, if it is a batching dim */
static void put_batch_dim(const window_dims *w, int d, int factor, factors *f)
{
	for (int i = 0; i < w->batch.n; i++) {
		if (w->batch.v[i] != d) continue;
		factor_at(f, 1, (int)w->index_batch.v[i], factor);
		factor_at(f, 2, counting_dim(w, w->index_batch.v[i]), factor);
	}
}

/* A dim of the operand. It passes if each window has all of it, or one element for each of a batch.
 * Otherwise a gather takes elements of it; and each block of a scatter's result combines the
 * windows in it */
static void operand_factor(const eqn *e, const type *const *in, const type *parts,
                           const window_dims *w, int d, factors *f)
{
	const int part = part_dim(w, d);
	const bool all = part >= 0 && parts->dims[part] == in[0]->dims[d];
	const bool passes = all || has_int(&w->batch, d);

	if (!passes && e->nin == 2) {
		factor_taken(in, f, d);
		if (part >= 0) factor_alone(e, f, part, parts->dims[part], true);
		return;
	}
	const int factor = factor_new(f, in[0]->dims[d], FACTOR_PASS);
	factor_at(f, 0, d, factor);
	if (e->nin == 3) factor_at(f, 3, d, factor);
	if (all) factor_at(f, 2, part, factor);
	put_batch_dim(w, d, factor, f);
	if (passes) return;
	factor_own(f, factor);
	if (part >= 0)
		factor_whole(f, 2, part, parts->dims[part], "any block may need any part of it");
}

void factors_of_windows(const eqn *e, const type *const *in, const type *parts,
                        const window_dims *w, counted_factor *counted, factors *f)
{
	const int last = in[1]->ndim - 1;

	for (int d = 0; d < in[0]->ndim; d++) operand_factor(e, in, parts, w, d, f);
	for (int j = 0; j < last; j++) {
		if (has_int(&w->index_batch, j)) continue;
		if (e->nin == 3 && !w->starts.n) {
			factor_whole(f, 1, j, in[1]->dims[j], "no index drops a window of padding");
			factor_whole(f, 2, counting_dim(w, j), in[1]->dims[j],
			             "no index drops a window of padding");
			continue;
		}
		const int factor = counted(e, in, f, in[1]->dims[j]);
		factor_at(f, 1, j, factor);
		factor_at(f, 2, counting_dim(w, j), factor);
	}
	factor_whole(f, 1, last, in[1]->dims[last], "it holds index vectors");
}

/* ---- batches */

window_dims window_dims_through(build *b, const window_dims *w)
{
	return (window_dims){
		.through = list_behind(b, 0, &w->through, 1),
		.dropped = list_plus(b, &w->dropped, 1),
		.starts = list_plus(b, &w->starts, 1),
		.batch = list_plus(b, &w->batch, 1),
		.index_batch = w->index_batch,
	};
}

window_dims window_dims_counted(build *b, const window_dims *w, bool operand)
{
	window_dims to = *w;

	to.through = list_plus(b, &w->through, 1);
	to.index_batch = list_plus(b, &w->index_batch, 1);
	if (!operand) return to;
	to.dropped = list_plus(b, &w->dropped, 1);
	to.starts = list_plus(b, &w->starts, 1);
	to.batch = list_behind(b, 0, &w->batch, 1);
	to.index_batch = list_behind(b, 0, &w->index_batch, 1);
	return to;
}

var emit_start(build *b, var start, tsr_dtype dtype)
{
	if (build_type(b, start)->dtype == TSR_U64 && dtype != TSR_U64)
		start = emit_2(b, &tsr__prim_min, start,
		               emit_scalar(b, TSR_U64, 0x1p63 - 0x1p10));
	return emit_convert(b, start, dtype);
}

var emit_starts(build *b, const var *start, const bool *mapped, int n, int64_t size)
{
	var *entry = var_room(b, n);
	tsr_dtype dtype = build_type(b, start[0])->dtype;
	const int64_t dims[] = {size, 1};

	if (!entry) return (var){0};
	for (int i = 1; i < n; i++)
		if (build_type(b, start[i])->dtype != dtype) dtype = TSR_I64;
	for (int i = 0; i < n; i++) {
		const var x = emit_start(b, start[i], dtype);
		entry[i] = mapped[i] ? emit_reshape(b, x, dims, 2)
		                     : emit_broadcast(b, x, dims, 2, NULL);
	}
	return emit_join(b, entry, n, 1);
}

/* ---- on blocks */

/* does a window have less than this dim of the operand? */
static bool takes_part(const localizing *to, const window_dims *w, int64_t d)
{
	const int parts = 2, part = part_dim(w, d);

	if (has_int(&w->batch, d)) return false;
	return part < 0 || to->whole[parts]->dims[part] != to->whole[0]->dims[d];
}

/* of dims in which it has: the block of the operand, or of the parts, is not the whole */
static bool counts_in_blocks(const localizing *to, const window_dims *w, int d)
{
	const int parts = 2, part = part_dim(w, d);

	return takes_part(to, w, d) &&
	       (to->start[0][d].id || (part >= 0 && to->start[parts][part].id));
}

bool block_starts_make(build *b, const localizing *to, const window_dims *w, var indices,
                       block_starts *s)
{
	const int last = to->whole[1]->ndim - 1, ndim = to->whole[0]->ndim;
	int64_t *starts = ints_room(b, ndim);

	*s = (block_starts){.dims = *w, .column = var_room(b, ndim), .to = to};
	if (build_failed(b)) return false;
	for (; s->n < w->starts.n; s->n++) {
		const var entry = emit_part(b, indices, last, s->n, s->n + 1);
		starts[s->n] = w->starts.v[s->n];
		s->column[s->n] = emit_start(b, entry, TSR_I64);
		if (build_failed(b)) return false;
	}
	for (int d = 0; d < ndim; d++) {
		if (has_int(&w->starts, d) || !counts_in_blocks(to, w, d)) continue;
		int64_t *dims = ints_room(b, last + 1);
		if (!dims) return false;
		memcpy(dims, to->block[1]->dims, (size_t)last * sizeof *dims);
		dims[last] = 1;
		starts[s->n] = d;
		s->column[s->n++] =
			emit_broadcast(b, emit_scalar(b, TSR_I64, 0), dims, last + 1, NULL);
	}
	s->dims.starts = (ints){s->n, starts};
	return !build_failed(b);
}

bool block_starts_cut(const block_starts *s, int entry)
{
	const int64_t d = s->dims.starts.v[entry];

	return s->to->start[0][d].id && takes_part(s->to, &s->dims, d);
}

var block_starts_within(build *b, const block_starts *s, int entry, int64_t most)
{
	return emit_inside(b, s->column[entry], most + 1);
}

void block_starts_clamp(build *b, block_starts *s, int entry, int64_t most)
{
	var *at = &s->column[entry];

	*at = emit_2(b, &tsr__prim_max, *at, emit_scalar(b, TSR_I64, 0));
	*at = emit_2(b, &tsr__prim_min, *at, emit_scalar(b, TSR_I64, (double)most));
}

void block_starts_move(build *b, block_starts *s, int entry, var by, int64_t n)
{
	var *at = &s->column[entry];
	const var start = s->to->start[0][s->dims.starts.v[entry]];
	var plus = emit_sub(b, emit_convert(b, by, TSR_I64), emit_convert(b, start, TSR_I64));

	if (n) plus = emit_add(b, plus, emit_scalar(b, TSR_I64, (double)n));
	*at = emit_add(b, *at, emit_spread(b, plus, *at));
}

var block_starts_end(build *b, const block_starts *s, var indices)
{
	if (build_failed(b) || !s->n) return indices;
	return emit_join(b, s->column, s->n, build_type(b, s->column[0])->ndim - 1);
}

/* the last start along a dim of the operand from which a window is inside */
static int64_t last_start(const type *x, const type *parts, const window_dims *w, int64_t d)
{
	const int part = part_dim(w, d);

	return x->dims[d] - (part < 0 ? 1 : parts->dims[part]);
}

/* ---- in kernels */

/* entry i of the index vector whose number is index[] along the dims that count windows */
static kvar start_node(kernel *k, const eqn *e, const window_dims *w, const kvar *index, int entry)
{
	const int last = k_type(k, e, 1)->ndim - 1;
	kvar *at = k_room(k, last + 1);

	for (int j = 0; j < last; j++) at[j] = index[counting_dim(w, j)];
	at[last] = k_ix(k, entry);
	return k_operand(k, e, 1, at);
}

/* does a number of this dtype hold `most`? Then starts may be compared with it as they are */
static bool holds(tsr_dtype dtype, int64_t most)
{
	const int bits = dtype_bits(dtype) - (dtype_kind(dtype) == KIND_INT);

	return bits >= 63 || most < INT64_C(1) << bits;
}

static kvar whole_node(kernel *k, tsr_dtype dtype, int64_t value)
{
	return k_const(k, dtype, &value);
}

/* A start moved to 0 .. most, as an index. It is compared in its own dtype where that holds `most`:
 * lanes of 4 bytes are half the work of those of 8 */
static kvar start_moved(kernel *k, kvar start, int64_t most)
{
	const tsr_dtype dtype = k_dtype(k, start);

	if (!holds(dtype, most) || dtype == TSR_I64)
		return k_ix_clamp(k, k_convert(k, start, TSR_I64), most);
	start = k_binary(k, K_MIN, start, whole_node(k, dtype, most));
	if (dtype_kind(dtype) == KIND_INT)
		start = k_binary(k, K_MAX, start, whole_node(k, dtype, 0));
	return k_convert(k, start, TSR_I64);
}

static tsr_dtype without_sign(tsr_dtype dtype)
{
	static const tsr_dtype of[TSR_DTYPE_COUNT_] = {
		[TSR_I8] = TSR_U8, [TSR_I16] = TSR_U16, [TSR_I32] = TSR_U32, [TSR_I64] = TSR_U64};

	return of[dtype] ? of[dtype] : dtype;
}

/* Is a start from 0 to `most`? A negative one is a large number without its sign */
static kvar start_inside(kernel *k, kvar start, int64_t most)
{
	const tsr_dtype dtype = k_dtype(k, start), bare = without_sign(dtype);

	if (bare != dtype) start = k_bitcast(k, start, bare);
	if (dtype != bare && !holds(dtype, most)) most = INT64_MAX >> (64 - dtype_bits(dtype));
	return holds(bare, most) ? k_binary(k, K_LE, start, whole_node(k, bare, most))
	                         : k_number(k, TSR_BOOL, 1);
}

kvar windows_inside(kernel *k, const eqn *e, const window_dims *w, const type *parts,
                    const kvar *index)
{
	const type *x = k_type(k, e, 0);
	kvar inside = k_number(k, TSR_BOOL, 1);

	for (int i = 0; i < w->starts.n; i++)
		inside = k_binary(k, K_AND, inside,
		                  start_inside(k, start_node(k, e, w, index, i),
		                               last_start(x, parts, w, w->starts.v[i])));
	return inside;
}

void windows_place(kernel *k, const eqn *e, const window_dims *w, const type *parts, bool move,
                   const kvar *index, kvar *at)
{
	const type *x = k_type(k, e, 0);

	for (int d = 0; d < x->ndim; d++) {
		const int part = part_dim(w, d);
		at[d] = part < 0 ? k_ix(k, 0) : index[part];
	}
	for (int i = 0; i < w->batch.n; i++)
		at[w->batch.v[i]] = index[counting_dim(w, w->index_batch.v[i])];
	for (int i = 0; i < w->starts.n; i++) {
		const int64_t d = w->starts.v[i];
		kvar start = start_node(k, e, w, index, i);
		start = move ? start_moved(k, start, last_start(x, parts, w, d))
		             : k_convert(k, start, TSR_I64);
		at[d] = k_ix_add(k, start, at[d]);
	}
}

/* ---- walking */

static void find_window(windows *w)
{
	const size_t size = tsr_dtype_size(w->dtype);

	w->at = w->element.at;
	w->inside = true;
	for (int i = 0; i < w->entries && w->inside; i++) {
		int64_t start = index_value(w->dtype, w->index + (size_t)i * size);
		if (w->clip) start = start < 0 ? 0 : start > w->most[i] ? w->most[i] : start;
		w->inside = start >= 0 && start <= w->most[i];
		w->at += w->inside ? start * w->stride[i] : 0;
	}
}

int64_t windows_count(const type *indices)
{
	int64_t n = 1;

	for (int j = 0; j < indices->ndim - 1; j++) n *= indices->dims[j];
	return n;
}

double windows_of(const program *p, const eqn *e)
{
	return (double)windows_count(type_of(p, e->in[1]));
}

/* the dims that count windows: their places in the parts, and in the operand those of the batch */
static void count_windows(windows *w, const window_dims *dims, const type *x, const type *indices,
                          const type *parts)
{
	for (int j = 0; j < indices->ndim - 1; j++) {
		const int part = counting_dim(dims, j);
		int64_t stride = 0;
		for (int i = 0; i < dims->batch.n; i++)
			if (dims->index_batch.v[i] == j)
				stride = dims_stride(x, (int)dims->batch.v[i]);
		cursor_dim(&w->part, indices->dims[j], dims_stride(parts, part));
		cursor_dim(&w->element, indices->dims[j], stride);
	}
}

void windows_begin(windows *w, const eval_args *args, const window_dims *dims, const type *parts,
                   bool clip, int64_t first, int64_t end)
{
	const type *x = args->in[0], *indices = args->in[1];
	const size_t vector = (size_t)dims->starts.n * tsr_dtype_size(indices->dtype);

	*w = (windows){.clip = clip,
	               .dtype = indices->dtype,
	               .index = (const char *)args->x[1] + (size_t)first * vector,
	               .entries = dims->starts.n,
	               .left = end - first};
	count_windows(w, dims, x, indices, parts);
	for (int d = 0; d < x->ndim; d++) {
		const int part = part_dim(dims, d);
		if (part >= 0)
			box_dim(&w->window, parts->dims[part], dims_stride(parts, part),
			        dims_stride(x, d));
	}
	for (int i = 0; i < w->entries; i++) {
		const int d = (int)dims->starts.v[i];
		w->most[i] = last_start(x, parts, dims, d);
		w->stride[i] = dims_stride(x, d);
	}
	cursor_skip(&w->part, first);
	cursor_skip(&w->element, first);
	if (w->left) find_window(w);
}

void windows_next(windows *w)
{
	if (!--w->left) return;
	w->index += (size_t)w->entries * tsr_dtype_size(w->dtype);
	cursor_next(&w->part, 1);
	cursor_next(&w->element, 1);
	find_window(w);
}
