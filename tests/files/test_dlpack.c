/* test_dlpack.c - arrays shared with other libraries: both records, their life, and refused ones.
 *
 * The records are declared here once more, as dlpack.h has them. */
#include "files/files_rig.h"
#include <pthread.h>

typedef struct { uint32_t major, minor; } DLPackVersion;
typedef struct { int32_t device_type, device_id; } DLDevice;
typedef struct { uint8_t code, bits; uint16_t lanes; } DLDataType;
typedef struct {
	void *data;
	DLDevice device;
	int32_t ndim;
	DLDataType dtype;
	int64_t *shape, *strides;
	uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
	DLTensor dl_tensor;
	void *manager_ctx;
	void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;
typedef struct DLManagedTensorVersioned {
	DLPackVersion version;
	void *manager_ctx;
	void (*deleter)(struct DLManagedTensorVersioned *self);
	uint64_t flags;
	DLTensor dl_tensor;
} DLManagedTensorVersioned;

/* ---- ours, for others */

static const struct kind {
	tsr_dtype dtype;
	uint8_t code, bits;
} kinds[] = {
	{TSR_BOOL, 6, 8}, {TSR_I8, 0, 8},   {TSR_I16, 0, 16}, {TSR_I32, 0, 32},  {TSR_I64, 0, 64},
	{TSR_U8, 1, 8},   {TSR_U16, 1, 16}, {TSR_U32, 1, 32}, {TSR_U64, 1, 64},  {TSR_F16, 2, 16},
	{TSR_F32, 2, 32}, {TSR_F64, 2, 64}, {TSR_BF16, 4, 16}, {TSR_C64, 5, 64}, {TSR_C128, 5, 128},
};

/* what the record says, and the way back without a copy */
static void test_every_dtype(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		tsr *x = tsr_ones(ctx, TSR_DIMS(2, 3), .dtype = kinds[i].dtype);
		DLManagedTensorVersioned *v = tsr_to_dlpack(x);
		const DLTensor *t = &v->dl_tensor;
		assert_true(v->version.major == 1 && v->flags == 1);
		assert_true(t->device.device_type == 1 && t->ndim == 2 && t->byte_offset == 0);
		assert_true(t->dtype.code == kinds[i].code && t->dtype.bits == kinds[i].bits);
		assert_int_equal(t->dtype.lanes, 1);
		assert_true(t->shape[0] == 2 && t->shape[1] == 3);
		assert_true(t->strides[0] == 3 && t->strides[1] == 1);
		assert_ptr_equal(t->data, tsr_shard_borrow(x, 0, NULL));
		tsr *y = tsr_from_dlpack(ctx, v);
		assert_ptr_equal(tsr_shard_borrow(y, 0, NULL), tsr_shard_borrow(x, 0, NULL));
		assert_true(tsr_dtype_of(y) == kinds[i].dtype && tsr_array_equal(x, y));
		DLManagedTensor *o = tsr_to_dlpack_old(x);
		assert_ptr_equal(o->dl_tensor.data, t->data);
		y = tsr_from_dlpack_old(ctx, o);
		assert_true(tsr_array_equal(x, y));
	}
	assert_int_equal(tsr_close(ctx), 0);
}

static void *call_deleter(void *record)
{
	DLManagedTensorVersioned *v = record;

	v->deleter(v);
	return NULL;
}

/* it stays when the handle goes, when the array is donated, and when the context is closed; the end
 * comes on any thread, and takes all memory along (asan) */
static void test_life(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_full(ctx, TSR_DIMS(1000), 7.0);
	pthread_t other;

	(void)state;
	DLManagedTensorVersioned *v = tsr_to_dlpack(x), *w = tsr_to_dlpack(x);
	tsr *y = tsr_call(tsr_jit(ctx, tsr_neg, .donate = TSR_DIMS(0)), x);
	assert_true(tsr_item(tsr_index(y, 0, 999)) == -7);
	call_deleter(w);
	assert_int_equal(tsr_close(ctx), 0);
	for (int i = 0; i < 1000; i++) assert_true(((float *)v->dl_tensor.data)[i] == 7);
	assert_int_equal(pthread_create(&other, NULL, call_deleter, v), 0);
	assert_int_equal(pthread_join(other, NULL), 0);
}

/* strides of wrapped memory are told where they count elements; others are copied, which is told */
static void test_strides(void **state)
{
	static float data[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
	static char odd[64];
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_wrap(ctx, data + 11, TSR_F32, TSR_DIMS(3, 2), .strides = TSR_DIMS(-16, -8));
	DLManagedTensorVersioned *v = tsr_to_dlpack(x);

	(void)state;
	assert_true(v->dl_tensor.strides[0] == -4 && v->dl_tensor.strides[1] == -2);
	assert_ptr_equal(v->dl_tensor.data, data + 11);
	assert_int_equal(v->flags, 1);
	v->deleter(v);
	memcpy(odd + 1, data + 5, 4);
	memcpy(odd + 8, data + 6, 4);
	v = tsr_to_dlpack(tsr_wrap(ctx, odd + 1, TSR_F32, TSR_DIMS(2), .strides = TSR_DIMS(7)));
	assert_int_equal(v->dl_tensor.strides[0], 1);
	assert_true(((float *)v->dl_tensor.data)[1] == 6);
	assert_int_equal(v->flags, 3);
	v->deleter(v);
	assert_int_equal(tsr_close(ctx), 0);
}

static void test_sharded(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4, .log = log_nothing);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr *x = tsr_arange(ctx, 8, .dtype = TSR_F32);

	(void)state;
	DLManagedTensorVersioned *v = tsr_to_dlpack(tsr_put(x, mesh, TSR_P(NULL)));
	assert_true(((float *)v->dl_tensor.data)[7] == 7);
	v->deleter(v);
	assert_null(tsr_to_dlpack(tsr_put(x, mesh, TSR_P("x"))));
	assert_message(ctx, TSR_ERROR_SHARDING, "to_dlpack: the array is in 4 shards");
	v = tsr_to_dlpack(tsr_shard_data(tsr_put(x, mesh, TSR_P("x")), 3));
	assert_true(((float *)v->dl_tensor.data)[0] == 6 && v->dl_tensor.shape[0] == 2);
	v->deleter(v);
	assert_null(tsr_to_dlpack(NULL));
	assert_message(ctx, TSR_ERROR_HANDLE, "to_dlpack: the operand is NULL");
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- those of others */

static int ended;
static void end_versioned(DLManagedTensorVersioned *v) { (void)v, ended++; }
static void end_old(DLManagedTensor *o) { (void)o, ended++; }

static double data[6] = {0, 1, 2, 3, 4, 5};
static int64_t shape[2] = {2, 2}, order[2] = {1, 3};

static DLManagedTensorVersioned record(void)
{
	return (DLManagedTensorVersioned){
		.version = {1, 9},
		.deleter = end_versioned,
		.dl_tensor = {data, {1, 0}, 2, {2, 64, 1}, shape, order, 8}};
}

static void test_theirs(void **state)
{
	tsr_ctx *ctx = tsr_open();
	DLManagedTensorVersioned v = record();
	DLManagedTensor o = {.deleter = end_old, .dl_tensor = v.dl_tensor};
	double y[4];

	(void)state;
	ended = 0;
	for (int old = 0; old < 2; old++) {
		tsr *x = old ? tsr_from_dlpack_old(ctx, &o) : tsr_from_dlpack(ctx, &v);
		assert_true(tsr_read(x, y, sizeof y));
		assert_true(y[0] == 1 && y[1] == 4 && y[2] == 2 && y[3] == 5);
		assert_int_equal(ended, old);
		tsr_drop(&x);
		assert_int_equal(ended, old + 1);
	}
	v.dl_tensor.strides = NULL;
	tsr *x = tsr_from_dlpack(ctx, &v);
	assert_true(tsr_read(x, y, sizeof y) && y[1] == 2);
	assert_int_equal(tsr_close(ctx), 0);
	assert_int_equal(ended, 3);
}

/* whatever is wrong, the record is done with */
static void test_refused(void **state)
{
	static int64_t negative[2] = {-1, 2}, huge[2] = {INT64_MAX, INT64_MAX};
	static int64_t far[2] = {INT64_MAX / 2, 1};
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	DLManagedTensorVersioned v;
	int n = 0;

	(void)state;
	ended = 0;
#define REFUSED(change, code, text) \
	v = record(); \
	change; \
	assert_true(tsr_is_poison(tsr_from_dlpack(ctx, &v))); \
	assert_message(ctx, code, text); \
	assert_int_equal(ended, ++n)
	REFUSED(v.version.major = 2, TSR_ERROR_UNSUPPORTED, "version 2 of DLPack");
	REFUSED(v.dl_tensor.device.device_type = 2, TSR_ERROR_UNSUPPORTED, "another device");
	REFUSED(v.dl_tensor.ndim = -1, TSR_ERROR_ARGUMENT, "-1 dims");
	REFUSED(v.dl_tensor.ndim = 256, TSR_ERROR_ARGUMENT, "256 dims");
	REFUSED(v.dl_tensor.shape = NULL, TSR_ERROR_ARGUMENT, "no list of them");
	REFUSED(v.dl_tensor.dtype.lanes = 4, TSR_ERROR_UNSUPPORTED, "4 lanes");
	REFUSED(v.dl_tensor.dtype.bits = 8, TSR_ERROR_UNSUPPORTED, "code 2, 8 bits");
	REFUSED(v.dl_tensor.shape = negative, TSR_ERROR_ARGUMENT, "a dim is negative");
	REFUSED(v.dl_tensor.shape = huge, TSR_ERROR_ARGUMENT, "too large");
	REFUSED(v.dl_tensor.strides = far, TSR_ERROR_ARGUMENT, "strides are too large");
	REFUSED(v.dl_tensor.data = NULL, TSR_ERROR_ARGUMENT, "the data is NULL");
	assert_true(tsr_is_poison(tsr_from_dlpack(ctx, NULL)));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "from_dlpack: the record is NULL");
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_dtype), cmocka_unit_test(test_life),
		cmocka_unit_test(test_strides),     cmocka_unit_test(test_sharded),
		cmocka_unit_test(test_theirs),      cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
