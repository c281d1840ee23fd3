/* oracle.c - the slow host model of mapped computation: arrays, blocks and exchanges. */
#include "support/oracle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POOL_WORDS = 1 << 21, CONCAT_MOST = 64 };
static int64_t pool[POOL_WORDS];
static size_t pool_used;

void oracle_reset(void)
{
	pool_used = 0;
}

static int64_t *pool_take(int64_t n)
{
	if ((size_t)n > POOL_WORDS - pool_used) {
		fputs("oracle: the pool is too small for this test\n", stderr);
		exit(2);
	}
	int64_t *v = pool + pool_used;
	pool_used += (size_t)n;
	memset(v, 0, (size_t)n * sizeof *v);
	return v;
}

/* ---- arrays */

host host_make(int ndim, const int64_t *dim)
{
	host x = {.ndim = ndim, .size = 1};
	for (int d = 0; d < ndim; d++) {
		x.dim[d] = dim[d];
		x.size *= dim[d];
	}
	x.v = pool_take(x.size);
	return x;
}

/* the place of an index in a row-major array */
static int64_t place_of(const host *x, const int64_t *index)
{
	int64_t at = 0;
	for (int d = 0; d < x->ndim; d++)
		at = at * x->dim[d] + index[d];
	return at;
}

static void index_of(const host *x, int64_t at, int64_t *index)
{
	for (int d = x->ndim - 1; d >= 0; at /= x->dim[d--])
		index[d] = at % x->dim[d];
}

host host_map(const host *x, int64_t (*f)(int64_t x, int64_t k), int64_t k)
{
	const host y = host_make(x->ndim, x->dim);
	for (int64_t i = 0; i < y.size; i++)
		y.v[i] = f(x->v[i], k);
	return y;
}

host host_zip(const host *a, const host *b, int64_t (*f)(int64_t a, int64_t b))
{
	const host y = host_make(a->ndim, a->dim);
	for (int64_t i = 0; i < y.size; i++)
		y.v[i] = f(a->v[i], b->v[i]);
	return y;
}

host host_transpose(const host *x, const int *perm)
{
	int64_t dim[ORACLE_NDIM], to[ORACLE_NDIM], from[ORACLE_NDIM];
	for (int d = 0; d < x->ndim; d++)
		dim[d] = x->dim[perm[d]];
	const host y = host_make(x->ndim, dim);
	for (int64_t i = 0; i < y.size; i++) {
		index_of(&y, i, to);
		for (int d = 0; d < y.ndim; d++)
			from[perm[d]] = to[d];
		y.v[i] = x->v[place_of(x, from)];
	}
	return y;
}

host host_flip(const host *x, int dim)
{
	int64_t index[ORACLE_NDIM];
	const host y = host_make(x->ndim, x->dim);
	for (int64_t i = 0; i < y.size; i++) {
		index_of(&y, i, index);
		index[dim] = x->dim[dim] - 1 - index[dim];
		y.v[i] = x->v[place_of(x, index)];
	}
	return y;
}

host host_reshape(const host *x, int ndim, const int64_t *dim)
{
	host y = {.ndim = ndim, .size = x->size, .v = x->v};
	memcpy(y.dim, dim, (size_t)ndim * sizeof *dim);
	return y;
}

host host_expand(const host *x, int dim)
{
	int64_t dims[ORACLE_NDIM + 1];
	for (int d = 0; d <= x->ndim; d++)
		dims[d] = d < dim ? x->dim[d] : d == dim ? 1 : x->dim[d - 1];
	return host_reshape(x, x->ndim + 1, dims);
}

host host_drop(const host *x, int dim)
{
	int64_t dims[ORACLE_NDIM];
	for (int d = 0; d < x->ndim - 1; d++)
		dims[d] = x->dim[d + (d >= dim)];
	return host_reshape(x, x->ndim - 1, dims);
}

host host_fold(const host *x, int dim, int64_t (*f)(int64_t a, int64_t b), bool keep)
{
	host y = host_slice(x, dim, 0, 1);
	for (int64_t k = 1; k < x->dim[dim]; k++) {
		const host next = host_slice(x, dim, k, k + 1);
		y = host_zip(&y, &next, f);
	}
	return keep ? y : host_drop(&y, dim);
}

host host_concat(const host *x, int n, int dim)
{
	int64_t dims[ORACLE_NDIM], index[ORACLE_NDIM], first = 0;
	memcpy(dims, x->dim, sizeof dims);
	for (int k = 1; k < n; k++)
		dims[dim] += x[k].dim[dim];
	const host y = host_make(x->ndim, dims);
	for (int k = 0; k < n; first += x[k++].dim[dim])
		for (int64_t i = 0; i < x[k].size; i++) {
			index_of(&x[k], i, index);
			index[dim] += first;
			y.v[place_of(&y, index)] = x[k].v[i];
		}
	return y;
}

host host_slice(const host *x, int dim, int64_t start, int64_t stop)
{
	int64_t dims[ORACLE_NDIM], index[ORACLE_NDIM];
	memcpy(dims, x->dim, sizeof dims);
	dims[dim] = stop - start;
	const host y = host_make(x->ndim, dims);
	for (int64_t i = 0; i < y.size; i++) {
		index_of(&y, i, index);
		index[dim] += start;
		y.v[i] = x->v[place_of(x, index)];
	}
	return y;
}

host host_dot(const host *a, const host *b)
{
	const host y = host_make(2, (int64_t[]){a->dim[0], b->dim[1]});
	for (int64_t i = 0; i < a->dim[0]; i++)
		for (int64_t j = 0; j < b->dim[1]; j++)
			for (int64_t k = 0; k < a->dim[1]; k++)
				y.v[i * y.dim[1] + j] +=
					a->v[i * a->dim[1] + k] * b->v[k * b->dim[1] + j];
	return y;
}

int64_t host_largest(const host *x)
{
	int64_t most = 0;
	for (int64_t i = 0; i < x->size; i++)
		most = larger(most, x->v[i] < 0 ? -x->v[i] : x->v[i]);
	return most;
}

int64_t add_up(int64_t a, int64_t b)
{
	return a + b;
}

int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* ---- grids */

int64_t grid_parts(const grid *g, const axes *a)
{
	int64_t n = 1;
	for (int k = 0; k < a->n; k++)
		n *= g->size[a->at[k]];
	return n;
}

int grid_device(const grid *g, const int64_t *coord)
{
	int64_t at = 0;
	for (int k = 0; k < g->naxes; k++)
		at = at * g->size[k] + coord[k];
	return (int)at;
}

void grid_coord(const grid *g, int device, int64_t *coord)
{
	int64_t at = device;
	for (int k = g->naxes - 1; k >= 0; at /= g->size[k--])
		coord[k] = at % g->size[k];
}

uint32_t axes_mask(const axes *a)
{
	uint32_t mask = 0;
	for (int k = 0; k < a->n; k++)
		mask |= 1u << a->at[k];
	return mask;
}

uint32_t cut_mask(const cut *c)
{
	uint32_t mask = 0;
	for (int d = 0; d < c->n; d++)
		mask |= axes_mask(&c->dim[d]);
	return mask;
}

const char *axes_text(const axes *a, char out[16])
{
	size_t n = 0;
	for (int k = 0; k < a->n; k++) {
		if (k)
			out[n++] = '*';
		out[n++] = "xyz"[a->at[k]];
	}
	out[n] = 0;
	return n ? out : NULL;
}

/* where these coordinates are along some axes taken as one */
static int64_t index_along(const grid *g, const axes *a, const int64_t *coord)
{
	int64_t at = 0;
	for (int k = 0; k < a->n; k++)
		at = at * g->size[a->at[k]] + coord[a->at[k]];
	return at;
}

static void move_along(const grid *g, const axes *a, int64_t index, int64_t *coord)
{
	for (int k = a->n - 1; k >= 0; index /= g->size[a->at[k--]])
		coord[a->at[k]] = index % g->size[a->at[k]];
}

host host_block(const host *whole, const grid *g, const cut *c, int device)
{
	int64_t coord[ORACLE_AXES];
	host x = *whole;
	grid_coord(g, device, coord);
	for (int d = 0; d < c->n; d++) {
		const int64_t parts = grid_parts(g, &c->dim[d]), size = x.dim[d];
		const int64_t part = (size + parts - 1) / parts;
		const int64_t start = index_along(g, &c->dim[d], coord) * part;
		x = host_slice(&x, d, start < size ? start : size,
		               start + part < size ? start + part : size);
	}
	return x;
}

static host whole_from(const host *block, const grid *g, const cut *c, int d, int64_t *coord)
{
	if (d == c->n)
		return block[grid_device(g, coord)];
	host part[CONCAT_MOST];
	const int n = (int)grid_parts(g, &c->dim[d]);
	for (int i = 0; i < n; i++) {
		move_along(g, &c->dim[d], i, coord);
		part[i] = whole_from(block, g, c, d + 1, coord);
	}
	return host_concat(part, n, d);
}

host host_whole(const host *block, const grid *g, const cut *c, uint32_t manual, int device)
{
	int64_t coord[ORACLE_AXES];
	grid_coord(g, device, coord);
	for (int k = 0; k < g->naxes; k++)
		if (manual >> k & 1)
			coord[k] = 0;
	return whole_from(block, g, c, 0, coord);
}

/* ---- exchanges */

int exchange_members(const grid *g, const exchange *e, int device, int *member, int *place)
{
	int64_t coord[ORACLE_AXES];
	const int all = (int)grid_parts(g, &e->over);
	const circles one = {1, {all}, {0, 1, 2, 3, 4, 5, 6, 7}};
	const circles *c = e->groups.count ? &e->groups : &one;
	grid_coord(g, device, coord);
	const int own = (int)index_along(g, &e->over, coord);
	for (int k = 0, first = 0; k < c->count; first += c->size[k++]) {
		*place = -1;
		for (int i = 0; i < c->size[k]; i++) {
			move_along(g, &e->over, c->member[first + i], coord);
			member[i] = grid_device(g, coord);
			if (c->member[first + i] == own)
				*place = i;
		}
		if (*place >= 0)
			return c->size[k];
	}
	return 0;
}

/* part `at` of n along a dim */
static host share(const host *x, int dim, int at, int n)
{
	const int64_t part = x->dim[dim] / n;
	return host_slice(x, dim, at * part, (at + 1) * part);
}

static host exchange_join(const exchange *e, host *x, int n, int place)
{
	const bool gather = e->kind == EX_ALL_GATHER;
	const int to = gather ? e->dim : e->concat;
	for (int i = 0; i < n; i++) {
		if (!gather)
			x[i] = share(&x[i], e->dim, place, n);
		if (!gather && !e->tiled)
			x[i] = host_drop(&x[i], e->dim);
		if (!e->tiled)
			x[i] = host_expand(&x[i], to);
	}
	return host_concat(x, n, to);
}

static host exchange_fold(const exchange *e, const host *x, int n, int place)
{
	host y = x[0];
	for (int i = 1; i < n; i++)
		y = host_zip(&y, &x[i], e->kind == EX_PMAX ? larger :
		             e->kind == EX_PMIN ? smaller : add_up);
	if (e->kind != EX_PSUM_SCATTER)
		return y;
	y = share(&y, e->dim, place, n);
	return e->tiled ? y : host_drop(&y, e->dim);
}

host host_exchange(const host *block, const grid *g, const exchange *e, int device)
{
	int member[ORACLE_DEVICES], place = 0;
	host x[ORACLE_DEVICES];
	const int n = exchange_members(g, e, device, member, &place);
	if (e->kind == EX_AXIS_INDEX) {
		const host y = host_make(0, NULL);
		y.v[0] = place;
		return y;
	}
	for (int i = 0; i < n; i++)
		x[i] = block[member[i]];
	switch (e->kind) {
	case EX_ALL_GATHER:
	case EX_ALL_TO_ALL:
		return exchange_join(e, x, n, place);
	case EX_PPERMUTE:
	case EX_PSHUFFLE:
		return e->source[place] < 0 ? host_make(x->ndim, x->dim) : x[e->source[place]];
	case EX_PBROADCAST:
		return x[e->source[0]];
	default:
		return exchange_fold(e, x, n, place);
	}
}

/* ---- to and from the library */

static tsr_dims dims_of(const host *x)
{
	tsr_dims dims = {.d = {1 + x->ndim}};
	memcpy(dims.d + 1, x->dim, (size_t)x->ndim * sizeof *x->dim);
	return dims;
}

tsr *host_array(tsr_ctx *ctx, const host *x, tsr_dtype dtype)
{
	int64_t none = 0;
	tsr *wide = tsr_from(ctx, x->size ? x->v : &none, TSR_I64, dims_of(x));
	return tsr_astype(wide, dtype);
}

static bool values_match(const host *want, const tsr *got, char *why, size_t size)
{
	double *v = malloc((size_t)want->size * sizeof *v + 1);
	bool same = v && tsr_read_into(got, v, .dtype = TSR_F64);
	if (!same)
		snprintf(why, size, "cannot be read: %s", tsr_message(tsr_ctx_of(got)));
	for (int64_t i = 0; same && i < want->size; i++)
		if (v[i] != (double)want->v[i]) {
			snprintf(why, size, "element %lld is %g, not %lld", (long long)i, v[i],
			         (long long)want->v[i]);
			same = false;
		}
	free(v);
	return same;
}

bool host_matches(const host *want, tsr_dtype dtype, const tsr *got, char *why, size_t size)
{
	if (tsr_is_poison(got)) {
		snprintf(why, size, "poison: %s", tsr_message(tsr_ctx_of(got)));
		return false;
	}
	if (tsr_dtype_of(got) != dtype) {
		snprintf(why, size, "dtype %s, not %s", tsr_dtype_name(tsr_dtype_of(got)),
		         tsr_dtype_name(dtype));
		return false;
	}
	const tsr_dims dims = tsr_shape(got), need = dims_of(want);
	if (memcmp(dims.d, need.d, (size_t)need.d[0] * sizeof *need.d) != 0) {
		snprintf(why, size, "%d dims of %lld elements, not %d of %lld", tsr_ndim(got),
		         (long long)tsr_size(got), want->ndim, (long long)want->size);
		return false;
	}
	return values_match(want, got, why, size);
}

tsr_mesh *grid_mesh(tsr_ctx *ctx, const grid *g, const int64_t *device_ids)
{
	const tsr_axis axis[] = {{"x", g->size[0]}, {"y", g->size[1]}, {"z", g->size[2]}};
	if (!device_ids)
		return tsr_mesh_make_at(TSR_HERE, ctx, axis, (size_t)g->naxes);
	return tsr_mesh_make_devices_at(TSR_HERE, ctx, device_ids, (size_t)g->count, axis,
	                                (size_t)g->naxes);
}

tsr_spec cut_spec(const cut *c, char text[ORACLE_NDIM][16])
{
	tsr_spec spec = {.n1 = 1 + c->n};
	for (int d = 0; d < c->n; d++)
		spec.d[1 + d] = axes_text(&c->dim[d], text[d]);
	return spec;
}
