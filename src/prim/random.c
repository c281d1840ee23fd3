/* random.c - threefry2x32: random bits as a function of a key and a counter.
 *
 * Threefry-2x32 with 20 rounds: J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, Parallel
 * random numbers: as easy as 1, 2, 3 (SC 2011). */
#include "prim/elementwise.h"

static bool threefry2x32_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	for (int i = 0; i < e->nin; i++)
		if (in[i]->dtype != TSR_U32)
			return fail_type(b, e,
			                 "threefry2x32 requires operands of dtype u32, got %s",
			                 types_words(b, in, e->nin));
	const type *shape = common_shape(b, e, in, 0);
	if (!shape || !give_type(b, TSR_U32, shape->dims, shape->ndim, &out[0])) return false;
	out[1] = out[0];
	return true;
}

/* ---- x is encrypted under the key: a round adds, rotates and mixes; the key is injected, with a
 * count, before the first round and behind each fourth */

static const int turns[8] = {13, 15, 26, 6, 17, 29, 16, 24};
enum { ROUNDS = 20, PARITY = 0x1bd11bda };

static void threefry(uint32_t key0, uint32_t key1, uint32_t x[2])
{
	const uint32_t key[3] = {key0, key1, key0 ^ key1 ^ PARITY};

	x[0] += key[0];
	x[1] += key[1];
	for (int i = 0; i < ROUNDS; i++) {
		const int turn = turns[i % 8], count = i / 4 + 1;
		x[0] += x[1];
		x[1] = x[0] ^ (x[1] << turn | x[1] >> (32 - turn));
		if (i % 4 < 3) continue;
		x[0] += key[count % 3];
		x[1] += key[(count + 1) % 3] + (uint32_t)count;
	}
}

/* the same as nodes */
static kvar k_turn(kernel *k, kvar x, int turn)
{
	return K2(OR, K2(SHL, x, KNUM(x, turn)), K2(SHR, x, KNUM(x, 32 - turn)));
}

static void threefry2x32_lower(kernel *k, const eqn *e, const kvar *index, kvar *x)
{
	const kvar key0 = k_operand(k, e, 0, index), key1 = k_operand(k, e, 1, index);
	const kvar key[3] = {key0, key1, K2(XOR, K2(XOR, key0, key1), KNUM(key0, PARITY))};

	x[0] = K2(ADD, k_operand(k, e, 2, index), key[0]);
	x[1] = K2(ADD, k_operand(k, e, 3, index), key[1]);
	for (int i = 0; i < ROUNDS; i++) {
		const int turn = turns[i % 8], count = i / 4 + 1;
		x[0] = K2(ADD, x[0], x[1]);
		x[1] = K2(XOR, x[0], k_turn(k, x[1], turn));
		if (i % 4 < 3) continue;
		x[0] = K2(ADD, x[0], key[count % 3]);
		x[1] = K2(ADD, x[1], K2(ADD, key[(count + 1) % 3], KNUM(key0, count)));
	}
}

static void threefry2x32_eval(const eval_args *args)
{
	const uint32_t *of[4];
	int64_t stride[4];

	for (int k = 0; k < 4; k++) {
		of[k] = args->x[k];
		stride[k] = ELEMENT_STRIDE(args, k);
	}
	for (int64_t i = 0; i < args->out[0]->size; i++) {
		uint32_t x[2] = {of[2][i * stride[2]], of[3][i * stride[3]]};
		threefry(of[0][i * stride[0]], of[1][i * stride[1]], x);
		for (int k = 0; k < 2; k++) ((uint32_t *)args->y[k])[i] = x[k];
	}
}

const tsr_prim tsr__prim_threefry2x32 = {
	.name = "threefry2x32",
	.doc = "two words of random bits, of two words of a key and two of a counter",
	.flags = PRIM_ELEMENTWISE,
	.cost = 60,
	.nin = 4,
	.nout = 2,
	.types = threefry2x32_types,
	.factors = factors_elementwise,
	.batch = batch_elementwise,
	.eval = threefry2x32_eval,
	.lower = threefry2x32_lower,
	TSR_NO_RULE(COL_JVP, "its operands are integers, which have no tangents"),
	NOT_LINEAR,
};
