/* local.c - makes an array of pieces: each process gives those that its devices need, by
 * tsr_from_local.
 *
 * Along each dim a process has some of the parts, and its data are these parts one behind the
 * other. An array of 8 rows is cut in four over devices 0, 1, 2, 3, of which 0 and 2 are here:
 *
 *     rows of the array        0 1 | 2 3 | 4 5 | 6 7
 *     rows of the data here    0 1 |     | 2 3 |          device 2 takes rows 2 and 3 of the data
 *
 * A dim of which the data have all is taken as it is. */
#include <stdlib.h>
#include "lib/lib.h"

typedef struct
	interval { /* of a dim, that is here: from `start` on in the array, from `at` on in */
	int64_t start, length, at; /* the data */
} interval;

typedef struct dim_parts {
	interval *list; /* by start; NULL: the data have all of the dim */
	size_t n;
} dim_parts;

typedef struct local_data {
	const char *bytes;
	int64_t strides[MAX_NDIM]; /* in bytes */
	dim_parts dim[MAX_NDIM];
	int ndim;
} local_data;

/* ---- where the parts are in the data */

static int by_start(const void *a, const void *b)
{
	const interval *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* the parts of dim d that our devices have. How long they are together, or -1: recorded */
static int64_t parts_here(arena *scratch, const sharding *s, const type *t, int d, dim_parts *to)
{
	const int64_t n = sharding_nhere(s);
	interval *list = to->list = arena_array(scratch, (size_t)n + 1, sizeof *list);
	int64_t start[MAX_NDIM], stop[MAX_NDIM], end = 0;

	if (!list) return -1;
	for (int64_t i = 0; i < n; i++) {
		sharding_box(s, t->dims, t->ndim, sharding_here(s, i), start, stop);
		list[i] = (interval){.start = start[d], .length = stop[d] - start[d]};
	}
	qsort(list, (size_t)n, sizeof *list, by_start);
	for (int64_t i = 0; i < n; i++) { /* each once */
		if (to->n && list[to->n - 1].start == list[i].start) continue;
		list[to->n] = (interval){list[i].start, list[i].length, end};
		end += list[to->n++].length;
	}
	return end;
}

static bool refuse_dim(const call_site *site, const type *t, const array *x, int d, int64_t here)
{
	return fail_op(site, TSR_ERROR_TYPE,
	               "dim %d of the data must be %lld, what the devices of this process have of "
	               "it, or %lld, all of it; got %lld",
	               d, (long long)here, (long long)t->dims[d], (long long)x->type->dims[d]);
}

static bool parts_find(const call_site *site, arena *scratch, const sharding *s, const type *t,
                       const array *x, local_data *data)
{
	for (int d = 0; d < t->ndim; d++) {
		const int64_t here = parts_here(scratch, s, t, d, &data->dim[d]);
		if (here < 0) return false;
		if (x->type->dims[d] == t->dims[d])
			data->dim[d].list = NULL;
		else if (x->type->dims[d] != here)
			return refuse_dim(site, t, x, d, here);
	}
	return true;
}

/* ---- the array */

static const void *box_of_data(void *of, const int64_t *start, const int64_t *stop,
                               int64_t *strides)
{
	const local_data *data = of;
	int64_t at = 0;

	(void)stop;
	for (int d = 0; d < data->ndim; d++) {
		const dim_parts *x = &data->dim[d];
		const interval key = {.start = start[d]};
		const interval *found =
			x->list ? bsearch(&key, x->list, x->n, sizeof key, by_start) : NULL;
		strides[d] = data->strides[d];
		at += strides[d] * (found ? found->at : start[d]);
	}
	return data->bytes + at;
}

static array *from_data(const call_site *site, arena *scratch, const sharding *s, const type *t,
                        array *x)
{
	const size_t bytes = (size_t)array_bytes(x);
	const int64_t item = (int64_t)tsr_dtype_size(t->dtype);
	char *copy = arena_alloc(scratch, bytes + 1);
	local_data data = {.bytes = copy, .ndim = t->ndim};

	if (!copy || !array_to_host(site->where, x, copy, NULL)) return NULL;
	dims_strides(x->type->dims, t->ndim, data.strides);
	for (int d = 0; d < t->ndim; d++) data.strides[d] *= item;
	if (sharding_nhere(s) && !parts_find(site, scratch, s, t, x, &data)) return NULL;
	return array_from_boxes(site->ctx, t, box_of_data, &data, s, true);
}

tsr *tsr_from_local_at(const char *where, const tsr_sharding *s, tsr *x, tsr_dims dims)
{
	TURN_OF(tsr_ctx_of(x), where, poison_of(tsr_ctx_of(x)));
	call_site site = {tsr_ctx_of(x), where, "from_local"};
	array *data = array_checked(&site, x);
	tsr_ctx *ctx = site.ctx;

	if (!data || !sharding_ok(where, site.op, s)) return poison_of(ctx);
	if (s->ctx != ctx)
		return refuse_op(&site, TSR_ERROR_SHARDING, "the sharding is of another context");
	if (!sharding_dims_fit(&site, s, &dims)) return poison_of(ctx);
	if (dims_count(&dims) != data->type->ndim)
		return refuse_op(&site, TSR_ERROR_TYPE,
		                 "the data have %d dims, and the array is to have %d",
		                 data->type->ndim, dims_count(&dims));
	const type *t = type_make(&ctx->ir, data->type->dtype, dims_of(&dims), data->type->ndim, 0);
	arena *scratch = t ? arena_make(&ctx->base) : NULL;
	array *whole = scratch ? from_data(&site, scratch, s, t, data) : NULL;
	arena_free(scratch);
	return handle_of_array(ctx, whole);
}
