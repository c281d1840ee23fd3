/* grammar_draw.c - equations drawn from the rows. */
#include <math.h>
#include <string.h>
#include "grammar.h"

int pick(bytes *b, int n)
{
	if (n < 2 || !b->left) return 0;
	b->left--;
	return *b->at++ % n;
}

/* ---- values */

static const type *at(const drawing *d, var v) { return build_type(d->b, v); }

const type *draw_type(drawing *d)
{
	static const int64_t sizes[] = {4, 2, 3, 1, 8, 17, 34, 6};
	int64_t dims[3];
	const int ndim = pick(d->bytes, 4);

	for (int k = 0; k < ndim; k++) dims[k] = sizes[pick(d->bytes, k ? 6 : 8)];
	return type_make(d->ir, (tsr_dtype)(TSR_BOOL + pick(d->bytes, TSR_DTYPE_COUNT_ - 1)), dims,
	                 ndim, 0);
}

var draw_any(drawing *d)
{
	const int back = pick(d->bytes, 3) ? (d->n < 6 ? d->n : 6) : d->n;

	return d->n ? d->v[d->n - 1 - pick(d->bytes, back)] : (var){0};
}

var draw_number(drawing *d, tsr_dtype dtype)
{
	static const double numbers[] = {0,        1,        -1,  2,        0.5,   -0.0,
	                                 INFINITY, NAN,      3,   -2.5,     1e-40, 7e4,
	                                 1e300,    0x1p-126, 100, -INFINITY};
	const double parts[2] = {numbers[pick(d->bytes, 16)], numbers[pick(d->bytes, 16)]};
	char bits[16];

	dtype_convert(dtype, bits, dtype_kind(dtype) == KIND_COMPLEX ? TSR_C128 : TSR_F64, parts,
	              1);
	return build_literal(d->b, dtype, bits);
}

void draw_keep(drawing *d, var v)
{
	if (v.id && d->n < MOST_DRAWN) d->v[d->n++] = v;
}

bool draw_append(drawing *d, const tsr_prim *row, const void *params, const var *in, int nin)
{
	var out[2 * MOST_HELD + 2] = {0};

	if (!build_eqn(d->b, row, params, in, nin, out, NULL)) {
		error_clear(d->ir->base);
		return false;
	}
	for (int i = 0; i < prim_nout(row, params, nin); i++)
		if (at(d, out[i])->size <= MOST_ELEMENTS) draw_keep(d, out[i]);
	return true;
}

var draw_of_type(drawing *d, const type *t)
{
	int64_t none = 0;
	var x = {0};

	for (int i = pick(d->bytes, 4); i < d->n; i++)
		if (at(d, d->v[i]) == t) return d->v[i];
	x = draw_number(d, t->dtype);
	const broadcast_params p = {{t->ndim, t->dims}, {0, &none}};
	if (!build_eqn(d->b, &tsr__prim_broadcast_in_dim, &p, &x, 1, &x, NULL)) return (var){0};
	return build_vary(d->b, x, t->varying, NULL);
}

/* ---- parameters */

/* what fields of one equation have in common */
typedef struct proposal {
	drawing *d;
	const type *x; /* of the first operand */
	int before;    /* dims that a broadcast puts before those of the operand */
	int nin;
} proposal;

static bool is(const field *f, const char *name) { return strcmp(f->name, name) == 0; }

static int64_t members(const drawing *d, const ints *axes)
{
	int64_t n = 1;

	for (int i = 0; i < axes->n; i++) n *= d->axes[axes->v[i]].size;
	return n;
}

/* one number for each dim of the operand, by the name of the field */
static void each_dim(const proposal *p, const field *f, int64_t *v)
{
	bytes *b = p->d->bytes;

	for (int k = 0; k < p->x->ndim; k++) {
		const int64_t dim = p->x->dims[k];
		if (is(f, "start")) v[k] = pick(b, 2);
		if (is(f, "stop")) v[k] = dim - (dim > 1 ? pick(b, 2) : 0);
		if (is(f, "step")) v[k] = 1 + pick(b, 5) / 4;
		if (is(f, "low") || is(f, "high")) v[k] = pick(b, 4) - 1;
		if (is(f, "interior")) v[k] = pick(b, 3) / 2;
	}
}

static void permutation(bytes *b, int64_t *v, int n)
{
	for (int k = 0; k < n; k++) v[k] = k;
	for (int k = n - 1; k > 0; k--) {
		const int other = pick(b, k + 1);
		const int64_t was = v[k];
		v[k] = v[other];
		v[other] = was;
	}
}

/* other dims for the same elements, or some more, or dims of the operand by number */
static int some_dims(proposal *p, int64_t *v)
{
	bytes *b = p->d->bytes;
	const type *x = p->x;
	int n = 0;

	switch (pick(b, 6)) {
	case 0: /* numbers of dims */
		for (int k = 0; k < x->ndim; k++)
			if (pick(b, 2)) v[n++] = k;
		return n;
	case 1: v[0] = x->size; return 1;
	case 2:
		v[0] = 1 + pick(b, 4);
		v[1] = x->size / v[0];
		return 2;
	case 3: /* as they are, or a little less */
		for (int k = 0; k < x->ndim; k++) v[n++] = x->dims[k] - (pick(b, 4) == 3);
		return n;
	case 4: v[0] = pick(b, x->ndim + 1); return 1;
	default: /* the operand's, with others before and behind */
		p->before = pick(b, 3);
		while (n < p->before) v[n++] = 1 + pick(b, 4);
		for (int k = 0; k < x->ndim; k++) v[n++] = x->dims[k];
		if (pick(b, 2)) v[n++] = 1 + pick(b, 4);
		return n;
	}
}

static ints propose_ints(proposal *p, const field *f)
{
	const int ndim = p->x->ndim;
	int64_t *v = arena_array(build_arena(p->d->b), (size_t)ndim + 4, sizeof *v);
	int n = ndim;

	if (!v) return (ints){0};
	if (is(f, "perm")) {
		permutation(p->d->bytes, v, ndim);
	} else if (is(f, "at")) {
		for (int k = 0; k < ndim; k++) v[k] = p->before + k;
	} else if (strncmp(f->name, "contract", 8) == 0 || strncmp(f->name, "batch", 5) == 0) {
		n = ndim && !pick(p->d->bytes, 2);
		v[0] = pick(p->d->bytes, ndim);
	} else if (is(f, "dims")) {
		n = some_dims(p, v);
	} else {
		each_dim(p, f, v);
	}
	return (ints){n, v};
}

static ints propose_axes(proposal *p)
{
	int64_t *v = arena_array(build_arena(p->d->b), (size_t)p->d->naxes + 1, sizeof *v);
	int n = 0;

	for (int k = 0; v && k < p->d->naxes; k++)
		if (!pick(p->d->bytes, 2)) v[n++] = k;
	return (ints){n, v};
}

/* who sends to whom, of the members along the axes of the record, which come first */
static ints propose_pairs(proposal *p, const collective *on)
{
	const int n = (int)members(p->d, &on->axes), turn = pick(p->d->bytes, n);
	int64_t *v = arena_array(build_arena(p->d->b), 2 * (size_t)n, sizeof *v);
	int count = 0;

	for (int k = 0; v && k < n; k++) {
		if (!pick(p->d->bytes, 5)) continue;
		v[count++] = k;
		v[count++] = (k + turn) % n;
	}
	return (ints){count, v};
}

/* with a place for each operand */
static const char *propose_text(const proposal *p)
{
	static const char *const texts[] = {"",           "{}",          "{} {}",      "{} {} {}",
	                                    "{} {} {} {}", "{{}}", "{0}", "{1}, {0}{{"};

	return texts[pick(p->d->bytes, 4) ? p->nin : 5 + pick(p->d->bytes, 3)];
}

/* without the axes that they vary over: the row adds them */
static type_list propose_types(const proposal *p)
{
	const int n = pick(p->d->bytes, 3);
	const type **t = arena_array(build_arena(p->d->b), (size_t)n + 1, sizeof *t);
	int made = 0;

	while (t && made < n && (t[made] = draw_type(p->d))) made++;
	return (type_list){made, t};
}

static void propose_field(proposal *p, const field *f, char *record)
{
	bytes *b = p->d->bytes;
	void *to = record + f->offset;
	int words = 0;

	switch (f->kind) {
	case FIELD_BOOL: *(bool *)to = pick(b, 2); break;
	case FIELD_INT: *(int64_t *)to = pick(b, 8) ? pick(b, 3) : pick(b, 256) - 128; break;
	case FIELD_DTYPE:
		*(tsr_dtype *)to = pick(b, 2)
		                           ? (tsr_dtype)(TSR_BOOL + pick(b, TSR_DTYPE_COUNT_ - 1))
		                           : p->x->dtype;
		break;
	case FIELD_WORD:
		while (f->words[words]) words++;
		*(int *)to = pick(b, words);
		break;
	case FIELD_INTS:
	case FIELD_DIMS:
	case FIELD_SIZES: *(ints *)to = propose_ints(p, f); break;
	case FIELD_AXES: *(ints *)to = propose_axes(p); break;
	case FIELD_TEXT: *(const char **)to = propose_text(p); break;
	case FIELD_TYPES: *(type_list *)to = propose_types(p); break;
	case FIELD_PAIRS: *(ints *)to = propose_pairs(p, (const collective *)(void *)record); break;
	default: break; /* groups of all; what programs and functions are: the other files */
	}
}

/* ---- operands: the first is any value; others are often like it, or numbers of its dtype */

static int propose_operands(drawing *d, const tsr_prim *row, var *in)
{
	const int n = row->nin < 0 ? 1 + pick(d->bytes, 4) : row->nin;
	const bool scalars = row->nin < 0 && pick(d->bytes, 2); /* behind the first: i32[] */

	for (int i = 0; i < n; i++) {
		const int how = pick(d->bytes, 6);
		in[i] = draw_any(d);
		if (i && scalars)
			in[i] = draw_number(d, TSR_I32);
		else if (i && how < 3)
			in[i] = draw_of_type(d, at(d, in[pick(d->bytes, i)]));
		else if (i && how == 3)
			in[i] = draw_number(d, at(d, in[0])->dtype);
		if (!in[i].id) return -1;
	}
	return n;
}

/* Does LAPACK compute it in compiled programs, with other bits than the interpreter's? */
static bool by_library(const drawing *d, const tsr_prim *row, const var *in, int nin)
{
	static const tsr_prim *const rows[] = {
		&tsr__prim_cholesky, &tsr__prim_triangular_solve, &tsr__prim_lu, &tsr__prim_qr,
		&tsr__prim_eigh,     &tsr__prim_svd,              &tsr__prim_hessenberg,
		&tsr__prim_tridiagonal, &tsr__prim_schur,         &tsr__prim_eig};
	bool of_matrices = false, large = false;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) of_matrices = of_matrices || row == rows[i];
	for (int i = 0; i < nin; i++)
		for (int k = 0; k < at(d, in[i])->ndim; k++)
			large = large || at(d, in[i])->dims[k] > 8;
	return of_matrices && large;
}

static void draw_plain(drawing *d, const tsr_prim *row)
{
	enum { TRIES = 12 };
	const size_t size = row->params ? params_size(row->params) : 0;
	char *record = arena_array(build_arena(d->b), size + 1, 1);
	var in[8];

	for (int t = 0; record && t < TRIES && (t < 2 || d->bytes->left); t++) {
		const int nin = propose_operands(d, row, in);
		if (nin < 0) return;
		if (by_library(d, row, in, nin)) continue;
		proposal p = {d, nin ? at(d, in[0]) : at(d, draw_any(d)), 0, nin};
		memset(record, 0, size + 1);
		for (const field *f = row->params; f && f->name; f++) propose_field(&p, f, record);
		if (row == &tsr__prim_callback) draw_function((callback_params *)(void *)record);
		if (draw_append(d, row, record, in, nin)) return;
	}
}

/* index vectors of one entry: counted up, or any that are there */
static var draw_vectors(drawing *d, int64_t n)
{
	static const tsr_dtype dtypes[] = {TSR_I32, TSR_U8, TSR_I64, TSR_I8};
	const tsr_dtype dtype = dtypes[pick(d->bytes, ARRAY_LEN(dtypes))];
	const iota_params count = {dtype, {2, (int64_t[]){n, 1}}, 0};
	var v = {0};

	if (pick(d->bytes, 2))
		return draw_of_type(d, type_make(d->ir, dtype, count.dims.v, 2, 0));
	build_eqn(d->b, &tsr__prim_iota, &count, NULL, 0, &v, NULL);
	return v;
}

/* What a gather takes of one dim of a value, and a scatter puts there. Their lists of dims must fit
 * each other, as they never would by chance */
static void draw_windows(drawing *d, const tsr_prim *row)
{
	enum { MOST = 16 };
	const var x = draw_any(d);
	int64_t through[MOST], sizes[MOST], dims[MOST], dim;
	int k = 0;

	if (!x.id || !at(d, x)->ndim || at(d, x)->ndim > MOST) return;
	const type *t = at(d, x);
	dim = pick(d->bytes, t->ndim);
	for (int i = 0; i < t->ndim; i++) {
		dims[i] = i == dim ? 1 + pick(d->bytes, 5) : t->dims[i];
		sizes[i] = i == dim ? 1 : t->dims[i];
		if (i != dim) through[k++] = i;
	}
	const window_dims windows = {{k, through}, {1, &dim}, {1, &dim}, {0, &dim}, {0, &dim}};
	const var vectors = draw_vectors(d, dims[dim]);
	if (row == &tsr__prim_gather) {
		const gather_params p = {windows, {t->ndim, sizes}, pick(d->bytes, 4), false,
		                         false};
		if (vectors.id) draw_append(d, row, &p, (var[]){x, vectors}, 2);
		return;
	}
	const var updates = draw_of_type(d, type_make(d->ir, t->dtype, dims, t->ndim, t->varying));
	const scatter_params p = {windows, pick(d->bytes, 5), pick(d->bytes, 2), false, false};
	if (vectors.id && updates.id) draw_append(d, row, &p, (var[]){x, vectors, updates}, 3);
}

/* bits of a key, or of as many keys as a dim has */
static void draw_bits(drawing *d)
{
	static const tsr_dtype dtypes[] = {TSR_U32, TSR_U8, TSR_U16, TSR_U64};
	const int ndim = pick(d->bytes, 4), first = ndim ? pick(d->bytes, 2) : 0;
	int64_t dims[4], strides[4] = {0}, counters = 1, keys[2];
	const random_bits_params p = {dtypes[pick(d->bytes, ARRAY_LEN(dtypes))],
	                              {ndim, dims},
	                              {ndim - first, strides}};

	for (int k = ndim - 1; k >= 0; counters *= dims[k--]) {
		dims[k] = 1 + pick(d->bytes, 6);
		if (k >= first) strides[k - first] = counters;
	}
	keys[0] = first ? dims[0] : 2;
	keys[1] = 2;
	const var in[] = {draw_of_type(d, type_make(d->ir, TSR_U32, keys, 1 + first, 0)),
	                  draw_of_type(d, type_make(d->ir, TSR_U64, dims, first, 0))};
	if (in[0].id && in[1].id) draw_append(d, &tsr__prim_random_bits, &p, in, 2);
}

static bool is_collective(const tsr_prim *row) { return row->flags & PRIM_COLLECTIVE; }

/* The row is any of them, but often one that holds programs, and in a mapped region a collective */
static const tsr_prim *draw_row(drawing *d)
{
	const int n = d->ir->nprims, at = pick(d->bytes, 256) * 256 + pick(d->bytes, 256);
	const int how = pick(d->bytes, 8);
	bool (*const wanted)(const tsr_prim *) = how == 7            ? prim_holds_programs
	                                         : d->naxes && how < 4 ? is_collective
	                                                               : NULL;
	int count = 0;

	for (int i = 0; wanted && i < n; i++) count += wanted(d->ir->prims[i]);
	for (int i = 0, k = count ? at % count : 0; wanted && i < n; i++)
		if (wanted(d->ir->prims[i]) && k-- == 0) return d->ir->prims[i];
	return d->ir->prims[at % n];
}

static void draw_equation(drawing *d)
{
	const tsr_prim *row = draw_row(d);

	if (row == &tsr__prim_gather || row == &tsr__prim_scatter)
		draw_windows(d, row);
	else if (row == &tsr__prim_random_bits)
		draw_bits(d);
	else if (row == &tsr__prim_sharding_constraint)
		draw_constraint(d);
	else if (draw_exchange(d, row))
		return;
	else if (!prim_holds_programs(row))
		draw_plain(d, row);
	else if (d->depth < DEEPEST)
		draw_holding(d, row);
}

/* ---- programs */

static drawing begin(ir *r, bytes *b, const axis *axes, int naxes, int depth)
{
	drawing d = {.ir = r, .bytes = b, .naxes = naxes, .depth = depth};

	for (int i = 0; i < naxes; i++) d.axes[i] = axes[i];
	d.b = build_begin(r, depth ? "inner" : "drawn", axes, naxes);
	return d;
}

const program *draw_inner(drawing *around, const axis *axes, int naxes, const type *const *in,
                          int nin, const type *const *first, int nfirst, int more, int counted)
{
	drawing d = begin(around->ir, around->bytes, axes, naxes, around->depth + 1);
	const int32_t one = 1;
	var out[2 * MOST_HELD], input[3 * MOST_HELD];
	bool ok = d.b != NULL;

	if (!ok) return NULL;
	for (int i = 0; i < nin; i++) draw_keep(&d, input[i] = build_input(d.b, in[i]));
	for (int i = pick(d.bytes, 6); d.n && d.bytes->left && i > 0; i--) draw_equation(&d);
	for (int i = 0; ok && i < nfirst; i++) ok = (out[i] = draw_of_type(&d, first[i])).id;
	for (int i = nfirst; ok && i < nfirst + more; i++) ok = (out[i] = draw_any(&d)).id;
	if (ok && counted >= 0)
		ok = build_eqn(d.b, &tsr__prim_add, NULL,
		               (var[]){input[counted], build_literal(d.b, TSR_I32, &one)}, 2,
		               &out[0], NULL);
	if (ok) return build_keep(around->b, build_end(d.b, out, nfirst + more));
	build_abandon(d.b);
	return NULL;
}

program *grammar_draw(ir *r, bytes *b)
{
	drawing d = begin(r, b, NULL, 0, 0);
	var out[3];

	if (!d.b) return NULL;
	for (int i = 1 + pick(b, 4); i > 0; i--) draw_keep(&d, build_input(d.b, draw_type(&d)));
	for (int i = 1 + pick(b, 12); b->left && i > 0; i--) draw_equation(&d);
	const int nout = 1 + pick(b, 3);
	for (int i = 0; i < nout; i++) out[i] = d.v[d.n - 1 - (i < d.n ? i : 0)];
	return build_end(d.b, out, nout);
}
