/* test_random.c - threefry2x32 against known answers: the vectors of Random123, and words that JAX
 * 0.10.2 gives; as the row computes them, and through the public function, outside a body and in
 * one, element by element. */
#include "prim/local_rig.h"
#include <tsr/tsr.h>

static const struct {
	uint32_t key[2], x[2], y[2];
} known[] = {
	/* Random123's kat_vectors */
	{{0, 0}, {0, 0}, {0x6b200159, 0x99ba4efe}},
	{{0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}, {0x1cb996fc, 0xbb002be7}},
	{{0x13198a2e, 0x03707344}, {0x243f6a88, 0x85a308d3}, {0xc4923a9c, 0x483df7a0}},
	/* jax.random.split(jax.random.key(42), 3) */
	{{0, 42}, {0, 0}, {1832780943, 270669613}},
	{{0, 42}, {0, 1}, {64467757, 2916123636}},
	{{0, 42}, {0, 2}, {2465931498, 255383827}},
	/* jax.random.fold_in(jax.random.key(42), 5) */
	{{0, 42}, {0, 5}, {2765691542, 824333390}},
};
enum { KNOWN = ARRAY_LEN(known) };

static void words_are_known(void **state)
{
	program *p = rig_program(*state, "u32[7]; u32[7]; u32[7]; u32[7]",
	                         "threefry2x32 %0 %1 %2 %3", "u32[7]; u32[7]", TSR_U32);
	uint32_t x[4][KNOWN], *y[2];

	for (int i = 0; i < KNOWN; i++)
		for (int k = 0; k < 4; k++) x[k][i] = (k < 2 ? known[i].key : known[i].x)[k % 2];
	rig_eval_all(p, (void *[]){x[0], x[1], x[2], x[3]}, (void **)y);
	for (int i = 0; i < KNOWN; i++)
		for (int k = 0; k < 2; k++) assert_int_equal(y[k][i], known[i].y[k]);
	free(y[0]);
	free(y[1]);
	program_release(p);
}

/* jax.random.bits(jax.random.key(42), (6,)) */
static const uint32_t bits[] = {2098992034, 2919706841, 2646866425,
                                2409546199, 1935504149, 2516274904};

static tsr *bits_of(tsr *key)
{
	tsr *at = tsr_iota(key, TSR_DIMS(6), 0, .dtype = TSR_U32), *word[2];

	if (!tsr_threefry2x32(tsr_index(key, 0, 0), tsr_index(key, 0, 1), 0, at, word)) return key;
	return tsr_bitwise_xor(word[0], word[1]);
}

static tsr *one_of(tsr *key, tsr *at)
{
	tsr *word[2];

	tsr_threefry2x32(tsr_index(key, 0, 0), tsr_index(key, 0, 1), 0, at, word);
	return tsr_bitwise_xor(word[0], word[1]);
}

static void bits_are_those_of_jax(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *key = tsr_from(ctx, (uint32_t[]){0, 42}, TSR_U32, TSR_DIMS(2));
	tsr *at = tsr_iota(ctx, TSR_DIMS(6), 0, .dtype = TSR_U32);
	tsr_fn *each = tsr_vmap(ctx, one_of, .in = TSR_MAPPED(TSR_UNMAPPED, 0));
	tsr *y[] = {bits_of(key), tsr_call(tsr_jit(ctx, bits_of), key), tsr_call(each, key, at)};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(y); i++) {
		uint32_t got[6] = {0};
		assert_true(tsr_read(y[i], got, sizeof got));
		assert_memory_equal(got, bits, sizeof bits);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_known),
		cmocka_unit_test(bits_are_those_of_jax),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
