/* dlpack.c - arrays that other libraries share without a copy: the records of DLPack.
 *
 * The declarations follow its specification (version 1), which is the layout of these records:
 *
 *     f32[2,3] of ours    code 2 (float), bits 32, lanes 1, ndim 2, shape 2 3, strides 3 1
 *
 * Strides count elements. What is lent holds buffers, not an array: an array may be donated while
 * another library reads. It also holds the context, whose memory the buffers are. */
#include "lib/lib.h"

typedef struct DLPackVersion {
	uint32_t major, minor;
} DLPackVersion;
typedef struct DLDevice {
	int32_t type, id;
} DLDevice;
typedef struct DLDataType {
	uint8_t code, bits;
	uint16_t lanes;
} DLDataType;
typedef struct DLTensor {
	void *data;
	DLDevice device;
	int32_t ndim;
	DLDataType dtype;
	int64_t *shape, *strides;
	uint64_t byte_offset;
} DLTensor;
struct DLManagedTensor {
	DLTensor tensor;
	void *manager_ctx;
	void (*deleter)(struct DLManagedTensor *);
};
struct DLManagedTensorVersioned {
	DLPackVersion version;
	void *manager_ctx;
	void (*deleter)(struct DLManagedTensorVersioned *);
	uint64_t flags;
	DLTensor tensor;
};

enum { CPU = 1, CUDA_HOST = 3, ROCM_HOST = 11, CUDA_MANAGED = 13 }; /* devices */
enum { READ_ONLY = 1, IS_COPIED = 2 };                              /* flags */

/* in the order of enum dtype_kind, and bf16 */
static const uint8_t codes[] = {6, 0, 1, 2, 5};
enum { BFLOAT = 4 };

static DLDataType type_of_dtype(tsr_dtype dtype)
{
	const uint8_t code = dtype == TSR_BF16 ? BFLOAT : codes[dtype_kind(dtype)];

	return (DLDataType){code, (uint8_t)(8 * tsr_dtype_size(dtype)), 1};
}

static tsr_dtype dtype_of_type(DLDataType t)
{
	for (tsr_dtype dtype = TSR_BOOL; dtype < TSR_DTYPE_COUNT_; dtype++) {
		const DLDataType own = type_of_dtype(dtype);
		if (own.code == t.code && own.bits == t.bits && own.lanes == t.lanes) return dtype;
	}
	return TSR_DTYPE_DEFAULT;
}

/* ---- ours, for others */

typedef struct lent {
	union {
		struct DLManagedTensorVersioned versioned;
		struct DLManagedTensor old;
	} record;
	tsr_ctx *ctx;
	buffer *buffer;
	int64_t dims[]; /* and behind them strides */
} lent;

static void give_back(lent *l)
{
	tsr_ctx *ctx = l->ctx;

	tsr__buffer_release(l->buffer);
	mem_free(&ctx->base, l);
	ctx_returned(ctx);
}

static void versioned_ends(struct DLManagedTensorVersioned *v) { give_back(v->manager_ctx); }
static void old_ends(struct DLManagedTensor *o) { give_back(o->manager_ctx); }

/* Can strides count elements? */
static bool in_elements(const array *a)
{
	for (int d = 0; a->strides && d < a->type->ndim; d++)
		if (a->strides[d] % (int64_t)tsr_dtype_size(a->type->dtype)) return false;
	return true;
}

/* an array with all of x on each device, and strides that count elements. A new reference */
static array *whole_array(call_site *site, const tsr *x, bool *copied)
{
	array *a = array_checked(site, x);

	if (!a) return NULL;
	if (sharding_ndevices(a->sharding) > 1 && !sharding_is_replicated(a->sharding)) {
		fail(&a->ctx->base, site->where, TSR_ERROR_SHARDING,
		     "%s: the array is in %lld shards: tsr_shard_data gives each as an array",
		     site->op, (long long)sharding_ndevices(a->sharding));
		return NULL;
	}
	*copied = !in_elements(a);
	return *copied ? array_contiguous(a) : array_retain(a);
}

static void describe(DLTensor *t, const array *a, lent *l, void *data)
{
	const int n = a->type->ndim;
	int64_t *strides = l->dims + n;

	memcpy(l->dims, a->type->dims, (size_t)n * sizeof *l->dims);
	dims_strides(l->dims, n, strides);
	for (int d = 0; a->strides && d < n; d++)
		strides[d] = a->strides[d] / (int64_t)tsr_dtype_size(a->type->dtype);
	*t = (DLTensor){.data = data,
	                .device = {CPU, 0},
	                .ndim = n,
	                .dtype = type_of_dtype(a->type->dtype),
	                .shape = l->dims,
	                .strides = strides};
}

/* where the elements are, which are computed; NULL, and *ok is false: recorded */
static void *elements_here(const call_site *site, const array *a, bool *ok)
{
	base *bs = &a->ctx->base;
	buffer *b = a->nshards ? a->shard[0] : NULL;

	if (!b)
		return *ok = fail(bs, site->where, TSR_ERROR_UNSUPPORTED,
		                  "%s: the array is in another process; "
		                  "tsr_gather_whole() gives every process the whole",
		                  site->op),
		       NULL;
	void *data = (*ok = b->engine->type->ready(b, true)) ? b->engine->type->borrow(b) : NULL;
	if (*ok && !data && b->bytes)
		*ok = fail(bs, site->where, TSR_ERROR_UNSUPPORTED,
		           "%s: the host cannot read the memory of this array; tsr_read copies it",
		           site->op);
	return data;
}

/* a record of either kind, without what they differ in. NULL: recorded */
static lent *lend(call_site *site, const tsr *x, bool versioned, bool *copied)
{
	array *a = whole_array(site, x, copied);
	bool ok = a;
	void *data = a ? elements_here(site, a, &ok) : NULL;
	const size_t dims = ok ? (size_t)a->type->ndim : 0;
	lent *l = ok ? mem_zalloc(&a->ctx->base, sizeof *l + 2 * dims * sizeof *l->dims) : NULL;

	if (l) {
		l->ctx = a->ctx;
		l->buffer = buffer_retain(a->shard[0]);
		ctx_lend(l->ctx);
		describe(versioned ? &l->record.versioned.tensor : &l->record.old.tensor, a, l,
		         data);
	}
	array_release(a);
	return l;
}

tsr_dlpack *tsr_to_dlpack_at(const char *where, const tsr *x)
{
	TURN_OF(tsr_ctx_of(x), where, NULL);
	bool copied = false;
	lent *l = lend(&(call_site){.where = where, .op = "to_dlpack"}, x, true, &copied);

	if (!l) return NULL;
	struct DLManagedTensorVersioned *v = &l->record.versioned;
	v->version = (DLPackVersion){1, 0};
	v->manager_ctx = l;
	v->deleter = versioned_ends;
	v->flags = READ_ONLY | (copied ? IS_COPIED : 0);
	return v;
}

tsr_dlpack_old *tsr_to_dlpack_old_at(const char *where, const tsr *x)
{
	TURN_OF(tsr_ctx_of(x), where, NULL);
	bool copied;
	lent *l = lend(&(call_site){.where = where, .op = "to_dlpack_old"}, x, false, &copied);

	if (!l) return NULL;
	l->record.old.manager_ctx = l;
	l->record.old.deleter = old_ends;
	return &l->record.old;
}

/* ---- those of others */

static void end_versioned(void *user, void *data)
{
	struct DLManagedTensorVersioned *v = user;

	(void)data;
	if (v->deleter) v->deleter(v);
}

static void end_old(void *user, void *data)
{
	struct DLManagedTensor *o = user;

	(void)data;
	if (o->deleter) o->deleter(o);
}

static bool tensor_fits(const call_site *site, const DLTensor *t)
{
	base *b = &site->ctx->base;
	const int32_t on = t->device.type;

	if (on != CPU && on != CUDA_HOST && on != ROCM_HOST && on != CUDA_MANAGED)
		return fail_op(site, TSR_ERROR_UNSUPPORTED,
		               "the memory is that of another device (type %d of DLPack), which "
		               "the host cannot read",
		               (int)on);
	if (t->ndim < 0 || t->ndim > MAX_NDIM || (t->ndim && !t->shape))
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "%d dims, or no list of them: arrays have from 0 to %d",
		               (int)t->ndim, MAX_NDIM);
	return dtype_of_type(t->dtype) ||
	       fail_op(site, TSR_ERROR_UNSUPPORTED,
	               "the dtype (code %d, %d bits, %d lanes of DLPack) is none of ours",
	               t->dtype.code, t->dtype.bits, t->dtype.lanes);
}

/* strides in bytes; NULL: dense. false: recorded */
static bool read_strides(const call_site *site, const DLTensor *t, int64_t *room,
                         const int64_t **out)
{
	const int64_t item = t->dtype.bits / 8;

	*out = t->strides ? room : NULL;
	for (int d = 0; t->strides && d < t->ndim; d++)
		if (!mul_ok(t->strides[d], item, &room[d]))
			return fail_op(site, TSR_ERROR_ARGUMENT, "the strides are too large");
	return true;
}

/* NULL: recorded, and nothing has been released */
static array *take(const call_site *site, const DLTensor *t, void (*release)(void *, void *),
                   void *user)
{
	tsr_ctx *ctx = site->ctx;
	int64_t strides[MAX_NDIM], bytes;

	if (!tensor_fits(site, t)) return NULL;
	const tsr_dtype dtype = dtype_of_type(t->dtype);
	if (!dims_bytes(dtype, t->shape, t->ndim, &bytes)) {
		fail(&ctx->base, site->where, TSR_ERROR_ARGUMENT,
		     "%s: a dim is negative, or the array is too large", site->op);
		return NULL;
	}
	caller_memory m = {.type = type_make(&ctx->ir, dtype, t->shape, t->ndim, 0),
	                   .data = t->data ? (char *)t->data + t->byte_offset : NULL};
	if (bytes && !m.data) {
		fail(&ctx->base, site->where, TSR_ERROR_ARGUMENT, "%s: the data is NULL",
		     site->op);
		return NULL;
	}
	return m.type && read_strides(site, t, strides, &m.strides) &&
	                       memory_measure(ctx, site->where, site->op, &m)
	               ? array_wrap(ctx, site->where, &m, false, release, user)
	               : NULL;
}

/* tensor NULL: recorded */
static tsr *from_dlpack(const call_site *site, const DLTensor *tensor,
                        void (*release)(void *, void *), void *user)
{
	array *a = tensor ? take(site, tensor, release, user) : NULL;

	if (!a) release(user, NULL);
	return handle_of_array(site->ctx, a);
}

tsr *tsr_from_dlpack_at(const char *where, tsr_ctx *ctx, tsr_dlpack *from)
{
	TURN_OF(ctx, where, poison_of(ctx));
	const call_site site = {ctx, where, "from_dlpack"};

	if (!ctx_ok(where, site.op, ctx)) {
		if (from) end_versioned(from, NULL);
		return poison_of(ctx);
	}
	if (!from) return refuse_op(&site, TSR_ERROR_ARGUMENT, "the record is NULL");
	const bool known = from->version.major == 1;
	if (!known)
		fail(&ctx->base, where, TSR_ERROR_UNSUPPORTED,
		     "%s: the record has version %u of DLPack, and 1 is known", site.op,
		     (unsigned)from->version.major);
	return from_dlpack(&site, known ? &from->tensor : NULL, end_versioned, from);
}

tsr *tsr_from_dlpack_old_at(const char *where, tsr_ctx *ctx, tsr_dlpack_old *from)
{
	TURN_OF(ctx, where, poison_of(ctx));
	const call_site site = {ctx, where, "from_dlpack_old"};

	if (!ctx_ok(where, site.op, ctx)) {
		if (from) end_old(from, NULL);
		return poison_of(ctx);
	}
	if (!from) return refuse_op(&site, TSR_ERROR_ARGUMENT, "the record is NULL");
	return from_dlpack(&site, &from->tensor, end_old, from);
}
