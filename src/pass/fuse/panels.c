/* panels.c - packs operands of large products: lays them out as tiles read them, once for all.
 *
 * A tile (native/products/tile.c) reads some rows of the first operand, element by element, and a
 * panel of the second: 256 lines of as many columns as it has sums for, 16 of f32 with AVX2. Lines
 * of a wide matrix are so far apart that their pieces share a few places of a cache, so a panel is
 * copied before it is used; and it has to be copied again for other rows, or by another worker.
 * Here an equation copies it once, panel after panel:
 *
 *     pass fuse
 *     f(%0: f32[1024,512], %1: f32[512,1024], %2: f32[1024,512]) -> f32[1024,1024],
 *             f32[1024,1024] {
 *       %3: f32[1024,1024] =
 *             dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       %4: f32[1024,1024] =
 *             dot_general %2 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       return %3 %4
 *     }
 *     gives
 *     f(%0: f32[1024,512], %1: f32[512,1024], %2: f32[1024,512]) -> f32[1024,1024],
 *             f32[1024,1024] {
 *       %3: f32[64,512,16] = call %1 program=transpose(%0: f32[512,1024]) -> f32[64,512,16] {
 *         %1: f32[512,64,16] = reshape %0 dims=[512,64,16]
 *         %2: f32[64,512,16] = transpose %1 perm=[1,0,2]
 *         return %2
 *       }
 *       %4: f32[1024,64,16] =
 *             dot_general %0 %3 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[] dtype=f32
 *       %5: f32[1024,1024] = reshape %4 dims=[1024,1024]
 *       %6: f32[1024,64,16] =
 *             dot_general %2 %3 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[] dtype=f32
 *       %7: f32[1024,1024] = reshape %6 dims=[1024,1024]
 *       return %5 %7
 *     }
 *
 * As a picture, of 512 lines and 1024 columns:
 *
 *     a line, 4096 bytes                       panel 0   panel 1      panel 63
 *     [ 16 | 16 | 16 | ..            | 16 ]    [ 16 ]    [ 16 ]       [ 16 ]
 *     [ 16 | 16 | 16 | ..            | 16 ]    [ 16 ]    [ 16 ]  ..   [ 16 ]
 *     ..                                       ..        ..           ..
 *
 * Columns that are lines of memory are copied likewise. Numbers of 16 bits are widened before, and
 * rounded behind the product. And where the elements of a row are far apart, the first operand is
 * transposed: each of them is in another line of a cache, which would be fetched again for the
 * next rows.
 *
 *     pass fuse
 *     f(%0: bf16[512,1024], %1: bf16[512,288]) -> bf16[1024,288] {
 *       %2: bf16[1024,288] =
 *             dot_general %0 %1 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=bf16
 *       return %2
 *     }
 *     gives
 *     f(%0: bf16[512,1024], %1: bf16[512,288]) -> bf16[1024,288] {
 *       %2: f32[1024,512] = call %0 program=transpose(%0: bf16[512,1024]) -> f32[1024,512] {
 *         %1: f32[512,1024] = convert_element_type %0 dtype=f32
 *         %2: f32[1024,512] = transpose %1 perm=[1,0]
 *         return %2
 *       }
 *       %3: f32[12,512,24] = call %1 program=transpose(%0: bf16[512,288]) -> f32[12,512,24] {
 *         %1: f32[512,288] = convert_element_type %0 dtype=f32
 *         %2: f32[512,12,24] = reshape %1 dims=[512,12,24]
 *         %3: f32[12,512,24] = transpose %2 perm=[1,0,2]
 *         return %3
 *       }
 *       %4: f32[1024,12,24] =
 *             dot_general %2 %3 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[] dtype=f32
 *       %5: bf16[1024,288] =
 *             call %4 program=convert_element_type(%0: f32[1024,12,24]) -> bf16[1024,288] {
 *         %1: f32[1024,288] = reshape %0 dims=[1024,288]
 *         %2: bf16[1024,288] = convert_element_type %1 dtype=bf16
 *         return %2
 *       }
 *       return %5
 *     }
 *
 * These are equations like others: workers share them, and they are computed together with what
 * makes the operand. Products with the same operand, such as those of virtual devices, have one
 * copy, and pass/hoist.c takes it out of loops. */
#include "pass/fuse/fuse.h"

typedef struct packing { /* what is done with the operands of a product */
	bool turns;      /* the first one: contracted dims come last */
	int64_t columns; /* of a panel of the second one; 0: it stays as it is */
	bool widens;     /* both, and the result, have the dtype of the sums */
} packing;

/* ---- what pays */

static int64_t lanes_of(const target *on, const matrix_product *p)
{
	return on->vector_bytes / (int64_t)tsr_dtype_size(p->dtype);
}

/* panels as wide as tiles, so that no column is left; 0: there are none */
static int64_t columns_for(const target *on, const matrix_product *p)
{
	const int64_t lanes = lanes_of(on, p);

	for (int64_t n = (int64_t)on->panel * lanes; n >= 2 * lanes; n -= lanes)
		if (p->n % n == 0 && p->n > n) return n;
	return 0;
}

/* are lines so near each other that they are read where they are? */
static bool has_near_lines(const matrix_product *p)
{
	const view_dims *own = &p->b.own, *sum = &p->b.sum;

	return p->from == p->dtype && own->n == 1 && own->stride[0] == 1 && sum->n == 1 &&
	       sum->stride[0] * (int64_t)tsr_dtype_size(p->from) <= TUNE_LINES_APART;
}

/* Is it laid out so already? */
static bool is_in_panels(const target *on, const matrix_product *p)
{
	const view_dims *own = &p->b.own, *sum = &p->b.sum;
	const int64_t lanes = lanes_of(on, p), columns = own->n == 2 ? own->size[1] : 0;

	return columns >= 2 * lanes && columns <= (int64_t)on->panel * lanes &&
	       columns % lanes == 0 && own->stride[1] == 1 && sum->n == 1 &&
	       sum->stride[0] == columns;
}

static bool has_rows_on_pages(const matrix_product *p)
{
	enum { PAGE = 4096 };
	const view_dims *own = &p->a.own;

	return own->n == 1 && own->stride[0] * (int64_t)tsr_dtype_size(p->from) % PAGE == 0;
}

/* Would a panel be copied more than once? Not for as many rows as are multiplied with one at a
 * time, which are fewer where they are pages apart (engine/cpu/native/products/multiply.c) */
static bool copies_again(const matrix_product *p)
{
	return p->m >= (has_rows_on_pages(p) ? TUNE_PANEL_ROWS : TUNE_BLOCK_SIDE + 1);
}

/* is the next element of a row not beside it? */
static bool has_far_elements(const matrix_product *p)
{
	const view_dims *sum = &p->a.sum;

	return sum->n && sum->stride[sum->n - 1] != 1;
}

static packing packing_of(const target *on, const program *p, const eqn *e, bool again)
{
	matrix_product x;
	gathered from;
	packing to = {0};

	if (e->prim != &tsr__prim_dot_general || maker_of(on, p, e, &x) != BY_MATRICES ||
	    dtype_kind(x.dtype) < KIND_FLOAT || x.symmetric || x.pairs ||
	    product_gathers(p, e, &from))
		return to;
	const bool large = x.m >= TUNE_PANEL_ROWS && x.n >= TUNE_PANEL_ROWS;
	to.widens = large && (x.from != x.dtype || x.to != x.dtype);
	to.turns = large && has_far_elements(&x);
	again = again ? x.m >= TUNE_PACKED_ROWS : copies_again(&x);
	if ((to.widens || again) && !has_near_lines(&x) && !is_in_panels(on, &x) &&
	    type_of(p, e->in[1])->ndim < MAX_NDIM && type_of(p, e->out[0])->ndim < MAX_NDIM)
		to.columns = columns_for(on, &x);
	return to;
}

bool product_wants_packing(const target *on, const program *p, const eqn *e, bool again)
{
	const packing x = packing_of(on, p, e, again);

	return x.turns || x.columns || x.widens;
}

/* ---- the operands */

enum { MOST_DIMS = MAX_NDIM + 2 };
typedef struct dim_list {
	int n;
	int64_t v[MOST_DIMS];
} dim_list;
typedef struct operand {
	var v;
	int ndim;
	int64_t dims[MOST_DIMS];
	dim_list batch, contract, own; /* own: those that are in the result */
} operand;

static bool is_listed(const dim_list *list, int64_t entry)
{
	for (int i = 0; i < list->n; i++)
		if (list->v[i] == entry) return true;
	return false;
}

static void set_list(dim_list *to, const ints *from)
{
	to->n = from->n;
	for (int i = 0; i < from->n; i++) to->v[i] = from->v[i];
}

static void set_operand(operand *to, const type *t, const ints *batch, const ints *contract, var v)
{
	to->v = v;
	to->ndim = t->ndim;
	memcpy(to->dims, t->dims, (size_t)t->ndim * sizeof *to->dims);
	set_list(&to->batch, batch);
	set_list(&to->contract, contract);
	to->own.n = 0;
	for (int i = 0; i < t->ndim; i++)
		if (!is_listed(&to->batch, i) && !is_listed(&to->contract, i))
			to->own.v[to->own.n++] = i;
}

static void insert(int64_t *v, int n, int at, int64_t entry)
{
	memmove(v + at + 1, v + at, (size_t)(n - at) * sizeof *v);
	v[at] = entry;
}

/* Cuts an own dim in two, so that its second part and those behind it have so many elements.
 * Returns how many own dims are before that part; 0: none can be cut so */
static int cut(operand *x, int64_t elements)
{
	dim_list *all[] = {&x->batch, &x->contract, &x->own}, *own = &x->own;
	int i = own->n - 1;

	for (; i >= 0 && elements % x->dims[own->v[i]] == 0; i--) elements /= x->dims[own->v[i]];
	if (i < 0 || x->dims[own->v[i]] % elements) return 0;
	const int64_t at = own->v[i];
	insert(x->dims, x->ndim++, (int)at + 1, elements);
	x->dims[at] /= elements;
	for (int k = 0; k < 3; k++)
		for (int j = 0; j < all[k]->n; j++) all[k]->v[j] += all[k]->v[j] > at;
	insert(own->v, own->n++, i + 1, at + 1);
	return i + 1;
}

/* dims `first` to `end` - 1 of a list come next in the result of a transpose, which has n so far */
static int take(dim_list *list, int first, int end, int64_t *perm, int n)
{
	for (int i = first; i < end; i++) {
		perm[n] = list->v[i];
		list->v[i] = n++;
	}
	return n;
}

static int take_all(dim_list *list, int64_t *perm, int n)
{
	return take(list, 0, list->n, perm, n);
}

static void put(build *b, operand *x, const int64_t *perm)
{
	x->v = emit_transpose(b, emit_reshape(b, x->v, x->dims, x->ndim), perm);
}

/* batch, own and contracted dims */
static void lay_rows(build *b, operand *x)
{
	int64_t perm[MOST_DIMS];
	int n = take_all(&x->batch, perm, 0);

	n = take_all(&x->own, perm, n);
	take_all(&x->contract, perm, n);
	put(b, x, perm);
}

/* batch, panels, contracted dims, and columns of a panel */
static void lay_panels(build *b, operand *x, int panels)
{
	int64_t perm[MOST_DIMS];
	int n = take_all(&x->batch, perm, 0);

	n = take(&x->own, 0, panels, perm, n);
	n = take_all(&x->contract, perm, n);
	take(&x->own, panels, x->own.n, perm, n);
	put(b, x, perm);
}

static ints as_ints(dim_list *x) { return (ints){x->n, x->v}; }

static var emit_product(build *b, const dot_params *of, tsr_dtype dtype, operand *const x[2])
{
	dot_params d = *of;

	d.dtype = dtype;
	d.batch_a = as_ints(&x[0]->batch);
	d.contract_a = as_ints(&x[0]->contract);
	d.batch_b = as_ints(&x[1]->batch);
	d.contract_b = as_ints(&x[1]->contract);
	return emit(b, &tsr__prim_dot_general, &d, (var[]){x[0]->v, x[1]->v}, 2);
}

/* an operand that was laid out before, and what it has become */
struct packed_operand {
	packed_operand *next;
	var from;
	const ints *batch, *contract;
	tsr_dtype dtype;
	int64_t columns;
	bool turns;
	operand to;
};

static bool is_same(const packed_operand *x, const packed_operand *y)
{
	return x->from.id == y->from.id && x->dtype == y->dtype && x->columns == y->columns &&
	       x->turns == y->turns && ints_same(x->batch, y->batch) &&
	       ints_same(x->contract, y->contract);
}

/* the operand as `how` says, which is made once. NULL: no memory */
static operand *lay_out(build *b, const type *t, const packed_operand *how, packed_operand **made)
{
	packed_operand *own = *made;

	while (own && !is_same(own, how)) own = own->next;
	if (own) return &own->to;
	own = arena_copy(build_arena(b), how, sizeof *how);
	if (!own) return build_fail(b), NULL;
	operand *x = &own->to;
	set_operand(x, t, how->batch, how->contract, emit_convert(b, how->from, how->dtype));
	const int panels = how->columns ? cut(x, how->columns) : 0;
	if (how->turns) lay_rows(b, x);
	if (panels) lay_panels(b, x, panels);
	own->next = *made;
	*made = own;
	return x;
}

var product_packed(build *b, const target *on, const program *p, const eqn *e, const var *in,
                   bool again, packed_operand **made)
{
	const packing how = packing_of(on, p, e, again);
	const dot_params *d = e->params;
	const type *first = type_of(p, e->in[0]), *second = type_of(p, e->in[1]);
	const type *t = type_of(p, e->out[0]);
	const tsr_dtype wide = dot_sum_dtype(first->dtype, d->dtype);
	const tsr_dtype dtype = how.widens ? wide : first->dtype;
	const packed_operand a = {.from = in[0],
	                          .batch = &d->batch_a,
	                          .contract = &d->contract_a,
	                          .dtype = dtype,
	                          .turns = how.turns};
	const packed_operand y = {.from = in[1],
	                          .batch = &d->batch_b,
	                          .contract = &d->contract_b,
	                          .dtype = dtype,
	                          .columns = how.columns};
	operand *x[] = {lay_out(b, first, &a, made), lay_out(b, second, &y, made)};

	if (!x[0] || !x[1]) return (var){0};
	const var z = emit_product(b, d, how.widens ? wide : d->dtype, x);
	return emit_convert(b, emit_reshape(b, z, t->dims, t->ndim), t->dtype);
}
