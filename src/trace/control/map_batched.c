/* map_batched.c - traces tsr_map_batched, a map with batches as its steps.
 *
 * Example, for 7 elements in batches of 3:
 *
 *     static tsr *square(tsr *x) { return tsr_mul(x, x); }
 *     static tsr *in_batches(tsr *x) { return tsr_map_batched(3, square, x); }
 *
 * A scan of two turns runs the batched body, and one more call does the element that is left over:
 *
 *     in_batches(%0: f32[7]) -> f32[7] {
 *       %1: f32[6] = slice %0 start=[0] stop=[6] step=[1]
 *       %2: f32[2,3] = reshape %1 dims=[2,3]
 *       %3: f32[2,3] = scan %2 length=2 .. body=fn(%0: f32[3]) -> f32[3] { .. }
 *       %4: f32[6] = reshape %3 dims=[6]
 *       %5: f32[1] = slice %0 start=[6] stop=[7] step=[1]
 *       %6: f32[1] = call %5 program=fn(%0: f32[1]) -> f32[1] {
 *         %1: f32[1] = mul %0 %0
 *         return %1
 *       }
 *       %7: f32[7] = concatenate %4 %6 dim=0
 *       return %7
 *     } */
#include "trace/control/control.h"

typedef struct batches {
	loop *l;
	tsr_fn *batch; /* the body, of a batch */
	const tsr_arg *xs;
	size_t n;
	int64_t size, turns, rest;
} batches;

/* ---- handles; poison gives poison */

static tsr *with_dims(const flow *f, tsr *x, const int64_t *front, int nfront, int skip)
{
	const type *t = handle_is_poison(x) ? NULL : trace_type(f->site.ctx, x);
	const int ndim = t ? t->ndim - skip + nfront : 0;
	int64_t *dims = arena_array(f->scratch, (size_t)ndim + 1, sizeof *dims);

	if (!t || !dims) return poison_of(f->site.ctx);
	for (int d = 0; d < ndim; d++) dims[d] = d < nfront ? front[d] : t->dims[d - nfront + skip];
	return bind(&f->site, &tsr__prim_reshape, &(dims_params){{ndim, dims}}, &x, 1);
}

/* slices [start, stop) of dim 0 */
static tsr *part_of(const flow *f, tsr *x, int64_t start, int64_t stop)
{
	return tsr_slice_at(f->site.where, x, 0, start, stop);
}

static tsr *turns_of(const batches *b, tsr *x)
{
	tsr *all = part_of(&b->l->f, x, 0, b->turns * b->size);

	return with_dims(&b->l->f, all, (int64_t[]){b->turns, b->size}, 2, 1);
}

static tsr *rest_of(const batches *b, tsr *x)
{
	return part_of(&b->l->f, x, b->turns * b->size, b->turns * b->size + b->rest);
}

/* ---- arguments, each of whose leaves is cut. NULL: no memory, or an error is recorded */

static const tsr_arg *cut_args(const batches *b, tsr *(*cut)(const batches *, tsr *))
{
	const flow *f = &b->l->f;
	tsr_arg *to = arena_copy(f->scratch, b->xs, b->n * sizeof *to);

	for (size_t i = 0; to && i < b->n; i++) {
		if (to[i].kind != TSR_KIND_TREE) {
			to[i] = tsr_arg_one(cut(b, b->xs[i].as.one));
			continue;
		}
		const tsr_tree *from = &b->xs[i].as.tree;
		tsr **leaf = arena_array(f->scratch, from->count + 1, sizeof *leaf);
		if (!leaf) return NULL;
		for (size_t k = 0; k < from->count; k++)
			leaf[k] = from->leaf[k] ? cut(b, from->leaf[k]) : NULL;
		to[i].as.tree.leaf = leaf;
	}
	return to;
}

/* ---- results */

static bool run_turns(batches *b)
{
	flow *f = &b->l->f;
	const tsr_arg *xs = cut_args(b, turns_of);

	if (!xs || !map_all(b->l, (tsr_body){.form = -1, .fn = b->batch}, xs, b->n)) return false;
	for (int i = 0; i < f->got.n; i++) {
		tsr **leaf = &f->got.leaf[i];
		if (*leaf) *leaf = with_dims(f, *leaf, (int64_t[]){b->turns * b->size}, 1, 2);
	}
	return true;
}

/* the elements that are left over, concatenated behind the results of the turns */
static bool run_rest(batches *b)
{
	flow *f = &b->l->f;
	const tsr_arg *xs = cut_args(b, rest_of);
	results last;

	if (!xs ||
	    !call_fn(fn_of_handle(b->batch), f->site.where, xs, b->n, f->scratch, NULL, &last,
	             NULL))
		return false;
	if (!b->turns) {
		f->got = last;
		return true;
	}
	for (int i = 0; i < last.n; i++) {
		tsr *const both[] = {f->got.leaf[i], last.leaf[i]};
		if (both[1]) f->got.leaf[i] = tsr_concatenate_at(f->site.where, 0, both, 2);
	}
	return true;
}

static bool run_batches(loop *l, int64_t size, tsr_body body, const tsr_arg *xs, size_t n)
{
	int64_t length;

	if (size < 1)
		return flow_fail(&l->f, TSR_ERROR_ARGUMENT,
		                 "map_batched: batch_size must be at least 1, got %lld",
		                 (long long)size);
	if (!loop_args(l, xs, n, 0) || !length_of(l, 0, &length)) return false;
	if (!length) return map_all(l, body, xs, n);
	const call_site *site = &l->f.site;
	const tsr_vmap_args keywords = {.size = sizeof keywords};
	const asked_call outer = asked_begin(site->where, "map_batched");
	tsr_fn *batch = tsr_vmap_at(site->where, site->ctx, body, NULL, &keywords);
	asked_here = outer;
	batches b = {.l = l,
	             .batch = batch,
	             .xs = xs,
	             .n = n,
	             .size = size,
	             .turns = length / size,
	             .rest = length % size};
	return fn_give_in(l->f.scratch, b.batch) && (!b.turns || run_turns(&b)) &&
	       (!b.rest || run_rest(&b));
}

static bool begin(loop *l, const char *where, int64_t size, tsr_body body, const tsr_arg *xs,
                  size_t n)
{
	*l = (loop){0};
	return flow_begin(&l->f, where, "map_batched", NULL, xs, n, &body, 1) &&
	       run_batches(l, size, body, xs, n);
}

void tsr_map_batched_into_at(const char *where, const tsr_out *outs, size_t nout,
                             int64_t batch_size, tsr_body body, const tsr_arg *xs, size_t n)
{
	FLOW(loop, l);
	const bool ok = begin(&l, where, batch_size, body, xs, n);

	flow_into(&l.f, ok, outs, nout);
}

tsr *tsr_map_batched_at(const char *where, int64_t batch_size, tsr_body body, const tsr_arg *xs,
                        size_t n)
{
	FLOW(loop, l);
	const bool ok = begin(&l, where, batch_size, body, xs, n);

	return flow_one(&l.f, ok);
}
