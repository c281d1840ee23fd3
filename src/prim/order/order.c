/* order.c - elements as keys that compare like whole numbers, and records of these, sorted by their
 * digits. */
#include "prim/order/order.h"

/* ---- keys */

keys keys_of(tsr_dtype dtype, const void *x, int64_t stride)
{
	static const uint64_t infinity[] = {
		[TSR_F16] = 0x7c00,
		[TSR_BF16] = 0x7f80,
		[TSR_F32] = 0x7f800000,
		[TSR_F64] = 0x7ff0000000000000,
	};
	const enum dtype_kind kind = dtype_kind(dtype);
	const int bits = (int)(8 * tsr_dtype_size(dtype));
	const uint64_t sign = (uint64_t)1 << (bits - 1);

	return (keys){.x = x,
	              .stride = stride,
	              .bits = bits,
	              .turns = kind == KIND_FLOAT,
	              .sign = kind == KIND_INT || kind == KIND_FLOAT ? sign : 0,
	              .infinity = kind == KIND_FLOAT ? infinity[dtype] : 0,
	              .zeros = kind == KIND_FLOAT};
}

static uint64_t highest(const keys *k) { return UINT64_MAX >> (64 - k->bits); }

keys keys_down(tsr_dtype dtype, const void *x, int64_t stride)
{
	keys k = keys_of(dtype, x, stride);

	k.zeros = false;
	k.flip = highest(&k);
	return k;
}

word word_of(const type *const *in, int64_t num_keys, int number)
{
	for (int k = (int)num_keys - 1; k >= 0; k--) {
		const int words = dtype_kind(in[k]->dtype) == KIND_COMPLEX ? 2 : 1;
		if (number < words)
			return (word){k, words - 1 - number, dtype_bits(dtype_real(in[k]->dtype))};
		number -= words;
	}
	return (word){0};
}

keys word_keys(word w, tsr_dtype dtype, const void *x, int64_t at, int64_t stride)
{
	const int64_t words = dtype_kind(dtype) == KIND_COMPLEX ? 2 : 1;
	const char *from = (const char *)x + (words * at + w.part) * (w.bits / 8);

	return keys_of(dtype_real(dtype), from, words * stride);
}

static inline uint64_t key_of(const keys *k, uint64_t bits)
{
	const uint64_t size = bits & (k->sign - 1);

	if (k->infinity && size > k->infinity) return highest(k) ^ k->flip;
	if (k->zeros && !size) return k->sign ^ k->flip;
	return (k->turns && bits & k->sign ? bits ^ highest(k) : bits ^ k->sign) ^ k->flip;
}

/* the element whose key it is, unless there are several: zeros, NaNs */
static inline uint64_t key_bits(const keys *k, uint64_t key)
{
	key ^= k->flip;
	return k->turns && !(key & k->sign) ? key ^ highest(k) : key ^ k->sign;
}

static inline bool key_is_alone(const keys *k, uint64_t key)
{
	key ^= k->flip;
	return !(k->zeros && key == k->sign) && !(k->infinity && key == highest(k));
}

/* ---- records */

typedef struct record {
	uint32_t key, at;
} record;
typedef struct long_record {
	uint64_t key, at;
} long_record;

#define OF(name) short_##name
#define KEY uint32_t
#define RECORD record
#include "prim/order/order_body.h"
#undef OF
#undef KEY
#undef RECORD
#define OF(name) long_##name
#define KEY uint64_t
#define RECORD long_record
#include "prim/order/order_body.h"

const records *records_for(int bits, int64_t n)
{
	return bits <= 32 && n <= UINT32_MAX ? &short_records : &long_records;
}

const records *records_by(const type *const *in, int64_t num_keys, int64_t n)
{
	int bits = 0;
	word w;

	for (int k = 0; (w = word_of(in, num_keys, k)).bits; k++)
		if (w.bits > bits) bits = w.bits;
	return records_for(bits, n);
}
