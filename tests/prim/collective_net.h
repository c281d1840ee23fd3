/* collective_net.h - functions that the tests of the collectives share: a mesh, blocks on its
 * devices, calls.
 *
 * Rows are called as an engine calls them, group by group; each call first infers the type of its
 * result in a program of its own, and checks that the factor rule agrees with it. */
#ifndef TSR_TESTS_PRIM_COLLECTIVE_NET_H
#define TSR_TESTS_PRIM_COLLECTIVE_NET_H
#include "prim/prim.h"
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>                        /* after base.h: it takes the name fail */

static const tsr_prim *const all_rows[] = {
	&tsr__prim_psum, &tsr__prim_pmax, &tsr__prim_pmin, &tsr__prim_all_gather,
	&tsr__prim_psum_scatter, &tsr__prim_all_to_all, &tsr__prim_ppermute,
	&tsr__prim_pbroadcast, &tsr__prim_ragged_all_to_all, &tsr__prim_psort, &tsr__prim_exchange,
	&tsr__prim_axis_index, &tsr__prim_pcast, &tsr__prim_assume_equal,
};

#define DEVICES 8
enum { X = 0, Y = 1 };
#define COUNT(item, ...) (int)ARRAY_LEN(((item[]){__VA_ARGS__}))
#define AXIS(...) {COUNT(int64_t, __VA_ARGS__), (int64_t[]){__VA_ARGS__}}
#define OVER_X {.axes = AXIS(X)}
#define GROUPS(...) {COUNT(ints, __VA_ARGS__), (ints[]){__VA_ARGS__}}
#define DIMS(...) ((int64_t[]){__VA_ARGS__}), COUNT(int64_t, __VA_ARGS__)
#define REDUCE(...) (&(const preduce_params){__VA_ARGS__})
#define GATHER(...) (&(const all_gather_params){__VA_ARGS__})
#define SCATTER(...) (&(const psum_scatter_params){__VA_ARGS__})
#define EXCHANGE(...) (&(const all_to_all_params){__VA_ARGS__})
#define PERMUTE(...) (&(const ppermute_params){__VA_ARGS__})
#define BROADCAST(...) (&(const pbroadcast_params){__VA_ARGS__})
#define AXES(...) (&(const axes_params){__VA_ARGS__})
#define CAST(...) (&(const pcast_params){__VA_ARGS__})
#define HALVES {AXIS(X), GROUPS(AXIS(0, 1), AXIS(2, 3))}

/* ---- a mesh, an ir with these rows only, and blocks that are freed with it */

typedef struct net {
	base base;
	shards shards;
	ir ir;
	device devices[DEVICES];
	axis axes[2];
	int naxes;
	int64_t n;                 /* size of axis x: devices the values here live on */
	void *blocks[4096];
	int nblocks;
	uint64_t random;
} net;

typedef struct value {
	const type *type;
	void *block[DEVICES];
} value;

static inline void net_open(net *w, int64_t nx, int64_t ny)
{
	memset(w, 0, sizeof *w);
	w->n = nx;
	w->naxes = ny ? 2 : 1;
	w->random = 0x9e3779b97f4a7c15u + (uint64_t)nx;
	for (int i = 0; i < DEVICES; i++) w->devices[i].id = i;
	assert_true(base_init(&w->base, NULL, NULL, 0));
	assert_true(shards_init(&w->shards, &w->base, NULL, w->devices, DEVICES));
	assert_true(ir_init(&w->ir, &w->base, &w->shards, all_rows, (int)ARRAY_LEN(all_rows)));
	const mesh *m = mesh_make(&w->shards, NULL, (tsr_axis[]){{"x", nx}, {"y", ny}},
	                          (size_t)w->naxes, NULL, (size_t)(nx * (ny ? ny : 1)));
	assert_non_null(m);
	for (int i = 0; i < w->naxes; i++)
		w->axes[i] = (axis){m->axis[i].name, m->axis[i].size, AXIS_MESH, m, i, NULL};
}

static inline void net_close(net *w)
{
	for (int i = 0; i < w->nblocks; i++) free(w->blocks[i]);
	ir_fini(&w->ir);
	shards_fini(&w->shards);
	base_fini(&w->base);
}

static inline void forget_blocks(net *w)
{
	for (int i = 0; i < w->nblocks; i++) free(w->blocks[i]);
	w->nblocks = 0;
}

static inline size_t type_bytes(const type *t)
{
	return (size_t)t->size * tsr_dtype_size(t->dtype);
}

static inline value value_of(net *w, const type *t)
{
	value v = {.type = t};

	assert_non_null(t);
	for (int64_t k = 0; k < w->n; k++) {
		assert_true(w->nblocks < (int)ARRAY_LEN(w->blocks));
		v.block[k] = w->blocks[w->nblocks++] = malloc(type_bytes(t) ? type_bytes(t) : 1);
		assert_non_null(v.block[k]);
		memset(v.block[k], 0xa5, type_bytes(t));
	}
	return v;
}

static inline value value_like(net *w, tsr_dtype dtype, const int64_t *dims, int ndim)
{
	return value_of(w, type_make(&w->ir, dtype, dims, ndim, 1 << X));
}

static inline uint64_t next_random(net *w)
{
	w->random = w->random * 6364136223846793005u + 1442695040888963407u;
	return w->random >> 33;
}

static inline void put(tsr_dtype dtype, void *data, int64_t i, double v)
{
	const double pair[2] = {v, -v};
	const size_t size = tsr_dtype_size(dtype);
	const bool complex = dtype_kind(dtype) == KIND_COMPLEX;

	dtype_convert(dtype_real(dtype), (char *)data + (size_t)i * size, TSR_F64, pair,
	              complex ? 2 : 1);
}

/* numbers from -20 to 20 (0 to 20, 0 and 1) that every dtype holds; halves where it can */
static inline void fill(net *w, const value *v)
{
	const enum dtype_kind kind = dtype_kind(v->type->dtype);

	for (int64_t k = 0; k < w->n; k++)
		for (int64_t i = 0; i < v->type->size; i++) {
			double x = (double)(next_random(w) % 41) - 20;
			if (kind == KIND_BOOL) x = fmod(fabs(x), 2);
			if (kind == KIND_UINT) x = fabs(x);
			put(v->type->dtype, v->block[k], i, kind >= KIND_FLOAT ? x / 2 : x);
		}
}

/* floats whose sums round; integers of all bits, so that sums wrap */
static inline void fill_rough(net *w, const value *v)
{
	const enum dtype_kind kind = dtype_kind(v->type->dtype);

	for (int64_t k = 0; k < w->n; k++)
		for (int64_t i = 0; i < v->type->size; i++) {
			const double x = ((double)(next_random(w) % 20001) - 10000) / 3000;
			const uint64_t bits =
				next_random(w) << 40 ^ next_random(w) << 20 ^ next_random(w);
			if (kind >= KIND_FLOAT) put(v->type->dtype, v->block[k], i, x * x * x);
			else
				memcpy((char *)v->block[k] +
				               (size_t)i * tsr_dtype_size(v->type->dtype),
				       &bits, tsr_dtype_size(v->type->dtype));
		}
}

static inline value random_value(net *w, tsr_dtype dtype, const int64_t *dims, int ndim)
{
	const value v = value_like(w, dtype, dims, ndim);

	fill(w, &v);
	return v;
}

static inline value counted(net *w, const int64_t *dims, int ndim)
{
	const value v = value_like(w, TSR_I32, dims, ndim);

	for (int64_t k = 0; k < w->n; k++)
		for (int64_t i = 0; i < v.type->size; i++)
			((int32_t *)v.block[k])[i] = (int32_t)(k * v.type->size + i);
	return v;
}

/* the factor rule fits the types; its text is added to s */
static inline void check_factors(net *w, const eqn *e, const type *const *in, const type *out,
                                 str *s)
{
	static factors f;
	int ndims[9];

	f = (factors){0};
	e->prim->factors(e, in, &out, &f);
	assert_true(factors_agree(&w->base, e, in, &out, &f));
	for (int i = 0; i < e->nin; i++) ndims[i] = in[i]->ndim;
	ndims[e->nin] = out->ndim;
	factors_text(s, &f, e->nin, ndims, e->nin + 1);
}

/* the result's type, or NULL with an error; one equation in a build of its own */
static inline const type *infer(net *w, const tsr_prim *prim, const void *params,
                                const type *const *in, int nin, str *factors_too)
{
	build *b = build_begin(&w->ir, "test", w->axes, w->naxes);
	var v[8] = {{0}}, y = {0};
	const type *t = NULL;
	str text = {.base = &w->base};

	assert_non_null(b);
	for (int i = 0; i < nin; i++) v[i] = build_input(b, in[i]);
	if (build_eqn_exact(b, prim, params, v, nin, &y, "t.c:1", NULL)) t = build_type(b, y);
	build_abandon(b);
	const eqn e = {.prim = prim, .params = params, .nin = nin, .nout = 1, .where = "t.c:1"};
	if (t) check_factors(w, &e, in, t, factors_too ? factors_too : &text);
	str_free(&text);
	return t;
}

static inline void run_group(const eqn *e, const type *const *in, const type *const *out,
                             const value *x, const value *y, const ints *member)
{
	const void *xs[8 * DEVICES];
	void *ys[DEVICES];
	int64_t index[DEVICES];

	for (int k = 0; k < member->n; k++) {
		for (int i = 0; i < e->nin; i++) xs[i * member->n + k] = x[i].block[member->v[k]];
		ys[k] = y->block[member->v[k]];
		index[k] = member->v[k];
	}
	e->prim->eval(&(eval_args){
		.eqn = e, .in = in, .out = out, .n = member->n, .x = xs, .y = ys, .index = index});
}

static inline value call(net *w, const tsr_prim *prim, const void *params, const value *x, int nin)
{
	const type *in[8];
	static const int64_t all[DEVICES] = {0, 1, 2, 3, 4, 5, 6, 7};
	const groups *g = &((const collective *)params)->groups;

	for (int i = 0; i < nin; i++) in[i] = x[i].type;
	const value y = value_of(w, infer(w, prim, params, in, nin, NULL));
	const eqn e = {.prim = prim, .params = params, .nin = nin, .nout = 1};
	for (int i = 0; i < (g->n ? g->n : 1); i++)
		run_group(&e, in, &y.type, x, &y, g->n ? &g->group[i] : &(ints){(int)w->n, all});
	return y;
}

static inline value call1(net *w, const tsr_prim *prim, const void *params, value x)
{
	return call(w, prim, params, &x, 1);
}

static inline void same(const net *w, value a, value b)
{
	assert_int_equal(a.type->dtype, b.type->dtype);
	assert_true(dims_same(a.type->dims, a.type->ndim, b.type->dims, b.type->ndim));
	for (int64_t k = 0; k < w->n; k++)
		assert_memory_equal(a.block[k], b.block[k], type_bytes(a.type));
}

static inline value psum(net *w, value x)
{
	return call1(w, &tsr__prim_psum, &(preduce_params){.on = OVER_X, .to = COLL_TO_INVARYING},
	             x);
}

static inline value all_gather(net *w, value x, int64_t dim, bool tiled)
{
	return call1(w, &tsr__prim_all_gather,
	             &(all_gather_params){.on = OVER_X, .dim = dim, .tiled = tiled}, x);
}

static inline value psum_scatter(net *w, value x, int64_t dim, bool tiled)
{
	return call1(w, &tsr__prim_psum_scatter,
	             &(psum_scatter_params){.on = OVER_X, .dim = dim, .tiled = tiled}, x);
}

static inline value all_to_all(net *w, value x, int64_t split, int64_t concat, bool tiled)
{
	return call1(w, &tsr__prim_all_to_all,
	             &(all_to_all_params){
			     .on = OVER_X, .split = split, .concat = concat, .tiled = tiled},
	             x);
}

#endif
