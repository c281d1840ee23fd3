/* gather.c - the row that takes windows of an array, from starts that an array holds: gather.
 *
 * Rows 2 and 0 of a matrix; with mode=clip a start behind the end is moved inside, with mode=fill
 * there are NaN:
 *
 *     gather [1 2; 3 4; 5 6] [2; 0]:i32 offset_dims=[1] collapsed_slice_dims=[0]
 *       start_index_map=[0] operand_batching_dims=[] start_indices_batching_dims=[]
 *       slice_sizes=[1,2] mode=clip  gives  [5 6; 1 2]
 *     gather [1 2 3] [1; 7]:i32 offset_dims=[] collapsed_slice_dims=[0] start_index_map=[0]
 *       operand_batching_dims=[] start_indices_batching_dims=[] slice_sizes=[1] mode=fill
 *       gives  [2 nan] */
#include <math.h>
#include "prim/row.h"
#include "prim/layout/windows.h"

static const gather_params *params_of(const eqn *e) { return e->params; }

/* ---- types */

static bool check_sizes(build *b, const eqn *e, const type *const *in, const gather_params *p)
{
	const ints *sizes = &p->sizes;
	bool none = false; /* there are no windows */

	if (!check_length(b, e, "slice_sizes", sizes, in[0]->ndim)) return false;
	for (int d = 0; d < in[1]->ndim - 1; d++) none = none || !in[1]->dims[d];
	for (int d = 0; d < sizes->n; d++) {
		const int64_t size = sizes->v[d];
		if (size < 0 || (!none && size > in[0]->dims[d]))
			return fail_type(b, e,
			                 "%s: slice_sizes must be within the operand's dims, "
			                 "got %s for %s",
			                 eqn_name(b, e), dims_words(b, sizes->v, sizes->n),
			                 type_words(b, in[0]));
		if (size != 1 && has_int(&p->dims.dropped, d))
			return fail_type(b, e,
			                 "%s: a collapsed dim has a slice size of 1, but that "
			                 "of dim %d is %lld",
			                 eqn_name(b, e), d, (long long)size);
		if (size > 1 && has_int(&p->dims.batch, d))
			return fail_type(b, e,
			                 "%s: a batching dim has a slice size of 1, but that "
			                 "of dim %d is %lld",
			                 eqn_name(b, e), d, (long long)size);
	}
	return true;
}

static bool gather_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const gather_params *p = params_of(e);
	const window_dims *w = &p->dims;

	if (!check_window_dims(b, e, in, w) || !check_sizes(b, e, in, p)) return false;
	const int counts = in[1]->ndim - 1, ndim = w->through.n + counts;
	int64_t *dims = dims_room(b, ndim);
	if (!dims) return false;
	for (int j = 0; j < counts; j++) dims[counting_dim(w, j)] = in[1]->dims[j];
	for (int d = 0; d < in[0]->ndim; d++) {
		const int part = part_dim(w, d);
		if (part >= 0) dims[part] = p->sizes.v[d];
	}
	return give_type(b, in[0]->dtype, dims, ndim, out) && weaken(b, in[0]->weak, out);
}

static int each_passes(const eqn *e, const type *const *in, factors *f, int64_t size)
{
	(void)e, (void)in;
	return factor_new(f, size, FACTOR_PASS);
}

static void gather_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	factors_of_windows(e, in, out[0], &params_of(e)->dims, each_passes, f);
}

/* ---- values */

/* the value of elements that are not there: NaN, the lowest signed and the highest unsigned
 * integer, true; or 0 */
static void absent(tsr_dtype dtype, bool zero, void *out)
{
	tsr_arg value = {.kind = TSR_KIND_INT, .as.i = 0};

	switch (zero ? KIND_COMPLEX + 1 : dtype_kind(dtype)) {
	case KIND_BOOL: value = (tsr_arg){.kind = TSR_KIND_BOOL, .as.i = 1}; break;
	case KIND_INT: value.as.i = INT64_MIN >> (64 - dtype_bits(dtype)); break;
	case KIND_UINT:
		value = (tsr_arg){.kind = TSR_KIND_UINT,
		                  .as.u = UINT64_MAX >> (64 - dtype_bits(dtype))};
		break;
	case KIND_FLOAT:
	case KIND_COMPLEX: value = (tsr_arg){.kind = TSR_KIND_FLOAT, .as.f = {NAN, 0}}; break;
	}
	dtype_from_arg(dtype, &value, out);
}

static void gather_eval(const eval_args *args)
{
	const gather_params *p = params_of(args->eqn);
	const type *y = args->out[0];
	const bool fills = p->mode == GATHER_FILL || p->mode == GATHER_ZERO;
	_Alignas(16) unsigned char fill[16];
	windows w;
	box nothing; /* one element, for each of a window */

	if (!y->size) return;
	absent(y->dtype, p->mode == GATHER_ZERO, fill);
	windows_begin(&w, args, &p->dims, y, !fills, 0, windows_count(args->in[1]));
	nothing = w.window;
	memset(nothing.from, 0, sizeof nothing.from);
	for (; w.left; windows_next(&w)) {
		if (w.inside)
			box_copy(&w.window, y->dtype, args->y[0], w.part.at, args->x[0], w.at);
		else
			box_copy(&nothing, y->dtype, args->y[0], w.part.at, fill, 0);
	}
}

/* the value of an element of a window that is not there */
static kvar absent_node(kernel *k, tsr_dtype dtype, bool zero)
{
	_Alignas(16) unsigned char bytes[16];

	absent(dtype, zero, bytes);
	return k_const(k, dtype, bytes);
}

static void gather_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const gather_params *p = params_of(e);
	const bool fills = p->mode == GATHER_FILL || p->mode == GATHER_ZERO;
	const type *y = k_result_type(k, e);
	kvar *from = k_room(k, k_type(k, e, 0)->ndim);

	windows_place(k, e, &p->dims, y, true, index, from);
	to[0] = k_operand(k, e, 0, from);
	if (fills)
		to[0] = k_select(k, windows_inside(k, e, &p->dims, y, index), to[0],
		                 absent_node(k, y->dtype, p->mode == GATHER_ZERO));
}

/* ---- transformations */

/* of the tangent: zeros in place of what is not there */
static void gather_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	gather_params p = *params_of(e);

	(void)y;
	if (p.mode == GATHER_FILL) p.mode = GATHER_ZERO;
	dy[0] = emit(b, e->prim, &p, (var[]){dx[0], x[1]}, 2);
}

/* ct is added up where its elements came from */
static void gather_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                             const var *ct, var *dx)
{
	const gather_params *p = params_of(e);
	const bool drops = p->mode == GATHER_FILL || p->mode == GATHER_ZERO;
	const scatter_params back = {p->dims, SCATTER_ADD, drops ? SCATTER_DROP : SCATTER_CLIP,
	                             p->sorted, p->unique};

	if (is_zero(x[1])) not_linear(b, e, "it is not linear in the indices");
	dx[0] = emit(b, &tsr__prim_scatter, &back, (var[]){emit_zeros(b, in[0]), x[1], *ct}, 3);
}

static void gather_batch(build *b, const eqn *e, const batching *to, const var *x,
                         const bool *mapped, var *y, bool *ymapped)
{
	gather_params p = *params_of(e);

	(void)to;
	ymapped[0] = true;
	if (!mapped[1]) {
		p.dims = window_dims_through(b, &p.dims);
		p.sizes = list_behind(b, to->size, &p.sizes, 0);
	} else {
		p.dims = window_dims_counted(b, &p.dims, mapped[0]);
		if (mapped[0]) p.sizes = list_behind(b, 1, &p.sizes, 0);
		/* several elements of the batch may take the same window */
		if (!mapped[0]) p.sorted = p.unique = false;
	}
	y[0] = emit(b, e->prim, &p, x, 2);
}

/* ---- on blocks: each gives the elements that it has, and nothing for the others */

static var and_too(build *b, var a, var c)
{
	return is_zero(a) ? c : emit_2(b, &tsr__prim_and, a, c);
}

/* a condition for each window, for each of its elements */
static var of_elements(build *b, const window_dims *w, var windows, const type *parts)
{
	if (is_zero(windows)) return windows;
	const int counts = build_type(b, windows)->ndim - 1;
	int64_t *at = ints_room(b, counts);

	if (!at) return (var){0};
	for (int j = 0; j < counts; j++) at[j] = counting_dim(w, j);
	windows = emit_dims(b, windows, counts, 1, NULL, 0);
	return emit_broadcast(b, windows, parts->dims, parts->ndim, at);
}

typedef struct local_gather {
	block_starts s;
	int64_t *sizes; /* of windows, in blocks */
	var x;          /* the operand, with room around it */
	var inside;     /* by window: all of it is in the whole; absent: that is so */
	var here;       /* by window: it is in the block; absent: that is so, or is seen from x */
	var first;      /* is the device the first of those that have a block? absent: yes */
} local_gather;

/* Windows of one element are taken where they are in the block. Longer ones may be in two: there is
 * room around the block, as much as a window has */
static void gather_along(build *b, const eqn *e, const localizing *to, local_gather *g, int entry)
{
	const gather_params *p = params_of(e);
	const int d = (int)g->s.dims.starts.v[entry], part = part_dim(&p->dims, d);
	const int64_t most = to->whole[0]->dims[d] - p->sizes.v[d], n = g->sizes[d];
	const var by = part < 0 ? (var){0} : to->start[2][part];
	const bool cut = block_starts_cut(&g->s, entry);
	const bool room = cut ? n > 1 : most && by.id && p->sizes.v[d] % n;

	if (p->mode == GATHER_FILL || p->mode == GATHER_ZERO)
		g->inside = and_too(b, g->inside, block_starts_within(b, &g->s, entry, most));
	block_starts_clamp(b, &g->s, entry, most);
	if (!cut && (!most || !by.id)) return;
	block_starts_move(b, &g->s, entry, by, cut && room ? n : 0);
	if (room)
		g->x = emit_pad_dim(b, g->x, d, cut ? n : 0, n,
		                    emit_nothing(b, to->whole[0]->dtype));
	if (!cut) return;
	const tsr_dtype dtype = build_type(b, to->start[0][d])->dtype;
	const var zero = emit_scalar(b, dtype, 0);
	g->first = and_too(b, g->first, emit_2(b, &tsr__prim_eq, to->start[0][d], zero));
	if (!room)
		g->here = and_too(b, g->here, block_starts_within(b, &g->s, entry,
		                                                  to->block[0]->dims[d] - 1));
}

static void gather_local(build *b, const eqn *e, const localizing *to, const var *x, var *y)
{
	const gather_params *p = params_of(e);
	const type *parts = to->block[2];
	local_gather g = {.sizes = ints_room(b, to->whole[0]->ndim), .x = x[0]};
	_Alignas(16) unsigned char bytes[16];

	if (!g.sizes || !block_starts_make(b, to, &p->dims, x[1], &g.s)) return;
	for (int d = 0; d < to->whole[0]->ndim; d++) {
		const int part = part_dim(&p->dims, d);
		g.sizes[d] = part < 0 ? p->sizes.v[d] : parts->dims[part];
	}
	for (int i = 0; i < g.s.n && !build_failed(b); i++) gather_along(b, e, to, &g, i);
	const gather_params own = {g.s.dims, {to->whole[0]->ndim, g.sizes}, GATHER_CLIP, false,
	                           false};
	const var nothing = emit_nothing(b, parts->dtype);
	y[0] = emit(b, e->prim, &own, (var[]){g.x, block_starts_end(b, &g.s, x[1])}, 2);
	if (build_failed(b)) return;
	if (g.here.id)
		y[0] = emit_select(b, of_elements(b, &p->dims, g.here, parts), y[0], nothing);
	if (!g.inside.id) return;
	absent(parts->dtype, p->mode == GATHER_ZERO, bytes);
	var fill = build_literal(b, parts->dtype, bytes);
	if (g.first.id) fill = emit_select(b, g.first, fill, nothing);
	y[0] = emit_select(b, of_elements(b, &p->dims, g.inside, parts), y[0],
	                   emit_spread(b, fill, y[0]));
}

static const char *const gather_modes[] = {"clip", "fill", "zero", "promise_in_bounds", NULL};
static const field gather_fields[] = {
	WINDOW_FIELDS(gather_params, "offset_dims", "collapsed_slice_dims", "start_index_map",
                      "start_indices_batching_dims"),
	{"slice_sizes", offsetof(gather_params, sizes), FIELD_SIZES, NULL},
	{"mode", offsetof(gather_params, mode), FIELD_WORD, gather_modes},
	{"indices_are_sorted", offsetof(gather_params, sorted), FIELD_BOOL, NULL},
	{"unique_indices", offsetof(gather_params, unique), FIELD_BOOL, NULL},
	PARAMS_END,
};
const tsr_prim tsr__prim_gather = {
	.name = "gather",
	.doc = "windows of an array, from starts that are the last dim of another",
	.flags = PRIM_OWN_WEAK,
	.cost = 8,
	.times = windows_of,
	.nin = 2,
	.nout = 1,
	.params = gather_fields,
	.types = gather_types,
	.factors = gather_factors,
	.needs = needs_nothing,
	.local = gather_local,
	.eval = gather_eval,
	.lower = gather_lower,
	.jvp = gather_jvp,
	.transpose = gather_transpose,
	.batch = gather_batch,
};
