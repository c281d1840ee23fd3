/* fuzz_transform.c - any bytes as program text; a text that parses goes through every
 * transformation.
 *
 * A transformation may say that it is not supported. Otherwise its program must verify, and have
 * the types that it promises: a tangent that of its value, a cotangent that of what it belongs to,
 * the batch one more dim. */
#include "fuzz.h"

enum { BATCH = 3, DERIVATIVES = 2, MOST_EQUATIONS = 400 };

static void must(const program *p, const char *what, bool ok)
{
	base *bs = p->ir->base;
	str s = {.base = bs};

	if (ok || error_code(bs) == TSR_ERROR_MEMORY) return;
	program_print(&s, p, 0);
	fprintf(stderr, "%s: %s\nof\n%s", what, failed(bs) ? error_text(bs) : "wrong types",
	        s.s ? s.s : "a program");
	abort();
}

/* made is what a transformation gave, or NULL and a reason */
static bool stands(const program *of, const char *what, const program *made)
{
	base *bs = of->ir->base;

	must(of, what, made || error_code(bs) == TSR_ERROR_UNSUPPORTED);
	if (made) must(made, what, program_verify(made, what));
	error_clear(bs);
	return made;
}

typedef struct fuzz {
	const program *p;
	arena *a;
	bool *moves_in, *moves_out, *some;
} fuzz;

static bool fuzz_begin(fuzz *f, const program *p)
{
	const size_t n = (size_t)p->nin + (size_t)p->nout + 1;

	*f = (fuzz){.p = p, .a = arena_make(p->ir->base)};
	f->moves_in = f->a ? arena_array(f->a, n, 1) : NULL;
	f->moves_out = f->a ? arena_array(f->a, n, 1) : NULL;
	f->some = f->a ? arena_array(f->a, n, 1) : NULL;
	if (!f->moves_in || !f->moves_out || !f->some) return false;
	for (int i = 0; i < p->nin; i++) f->moves_in[i] = has_tangent(type_of(p, p->in[i])->dtype);
	return true;
}

/* ---- derivatives */

static void forward(fuzz *f)
{
	const program *p = f->p;
	program *jvp = pass_jvp(p, f->moves_in, NULL, f->moves_out);
	int n = p->nout;

	if (stands(p, "jvp", jvp)) {
		for (int k = 0; k < p->nout; k++) {
			const type *y = type_of(p, p->out[k]);
			must(p, "jvp", type_of(jvp, jvp->out[k]) == y);
			if (f->moves_out[k]) must(p, "jvp", type_of(jvp, jvp->out[n++]) == y);
		}
		must(p, "jvp", n == jvp->nout);
	}
	program_release(jvp);
}

static void transform(const program *, int derivatives);

static void backward(fuzz *f, int derivatives)
{
	const program *p = f->p;
	halves h = {0};
	int nmoving = 0, n = 0;

	for (int i = 0; i < p->nin; i++) nmoving += f->moves_in[i];
	const bool ok = pass_linearize(p, f->a, f->moves_in, NULL, NULL, &h, f->moves_out);
	if (!stands(p, "linearize", ok ? h.known : NULL)) return;
	must(h.unknown, "linearize", program_verify(h.unknown, "linearize"));
	program *back = pass_vjp(&h, f->a, nmoving, NULL);
	if (stands(h.unknown, "transpose", back)) {
		for (int i = 0; i < p->nin; i++)
			if (f->moves_in[i])
				must(h.unknown, "transpose",
				     type_of(back, back->out[n++]) == type_of(p, p->in[i]));
		if (derivatives > 1) transform(back, derivatives - 1);
	}
	program_release(back);
	halves_free(&h);
}

/* ---- batches */

static bool is_batch_of(const type *whole, const type *one, int64_t size)
{
	return whole->dtype == one->dtype && whole->ndim == one->ndim + 1 &&
	       whole->dims[0] == size &&
	       dims_same(whole->dims + 1, one->ndim, one->dims, one->ndim);
}

/* axis: the entry that goes, or -1. every: 1 maps all inputs, 2 every other one */
static void batched(fuzz *f, int axis, int every)
{
	const program *p = f->p;
	const int64_t size = axis < 0 ? BATCH : p->axes[axis].size;
	const batching of = {.size = size, .axis = axis};

	for (int i = 0; i < p->nin; i++) f->some[i] = i % every == 0;
	program *batch = pass_batch(p, &of, f->some, NULL, f->moves_out);
	if (stands(p, "batch", batch))
		for (int k = 0; k < p->nout; k++) {
			const type *one = type_of(p, p->out[k]),
				   *made = type_of(batch, batch->out[k]);
			must(p, "batch",
			     f->moves_out[k]
			             ? is_batch_of(made, one, size)
			             : dims_same(made->dims, made->ndim, one->dims, one->ndim));
		}
	program_release(batch);
}

static void batches(fuzz *f)
{
	batched(f, -1, 1);
	batched(f, -1, 2);
	for (int i = 0; i < f->p->naxes; i++)
		if (f->p->axes[i].kind == AXIS_MAP) batched(f, i, 1);
}

/* ---- what is left when one result is used */

static void pruned(fuzz *f)
{
	const program *p = f->p;

	for (int k = 0; k < p->nout && k < 4; k++) {
		for (int i = 0; i < p->nout; i++) f->some[i] = i == k;
		program *less = pass_prune(p, f->some, f->moves_out);
		must(p, "prune", less);
		if (stands(p, "prune", less))
			must(p, "prune",
			     less->nout == 1 &&
			             type_of(less, less->out[0]) == type_of(p, p->out[k]));
		program_release(less);
	}
}

/* ---- in a map, on values that vary there. Programs that have a map of their own over other meshes
 * cannot stand there */

static void varied(fuzz *f)
{
	const program *p = f->p;
	ir *r = p->ir;
	axis axes[MAX_AXES];
	const type **in = arena_array(f->a, (size_t)p->nin + 1, sizeof *in);
	const mesh *m = mesh_make(r->shards, "fuzz", &(tsr_axis){"fuzz", 8}, 1, NULL, 0);

	if (!in || !m || p->naxes == MAX_AXES) return;
	for (int i = 0; i < p->naxes; i++) axes[i] = p->axes[i];
	axes[p->naxes] = (axis){"fuzz", 8, AXIS_MESH, m, 0, NULL};
	for (int i = 0; i < p->nin; i++) {
		const type *t = type_of(p, p->in[i]);
		in[i] = i % 2 ? t : type_vary(r, t, t->varying | axis_bit(p->naxes));
		if (!in[i]) return;
	}
	program *more = pass_vary(p, axes, p->naxes + 1, in);
	if (!more && error_code(r->base) == TSR_ERROR_SHARDING)
		error_clear(r->base);
	else if (stands(p, "vary", more))
		for (int k = 0; k < p->nout; k++)
			must(p, "vary",
			     type_of(more, more->out[k]) ==
			             type_vary(r, type_of(p, p->out[k]),
			                       type_of(p, p->out[k])->varying |
			                               (p->nin ? axis_bit(p->naxes) : 0)));
	program_release(more);
}

static void transform(const program *p, int derivatives)
{
	fuzz f;

	if (fuzz_begin(&f, p) && p->neqns <= MOST_EQUATIONS) {
		forward(&f);
		batches(&f);
		pruned(&f);
		varied(&f);
		backward(&f, derivatives);
	}
	error_clear(p->ir->base);
	arena_free(f.a);
}

static void one_input(ir *r, const char *text, size_t size)
{
	program *p = program_parse(r, "fuzz", text, size), *flat = p ? pass_inline(p) : NULL;

	error_clear(r->base);
	if (flat) transform(flat, DERIVATIVES);
	program_release(flat);
	program_release(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_input(one_input, data, size);
}
