/* test_random.c - threefry2x32 against known answers: the vectors of Random123, and words that JAX
 * 0.10.2 gives; as the row computes them, and through the public function, outside a body and in
 * one, element by element. And samplers against JAX, digit by digit. */
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

/* ---- samplers whose last digits depend on where XLA rounds: six numbers each of jax.random with
 * key(12345) */

static tsr *uniform_bf16(tsr *key)
{
	return tsr_uniform(key, TSR_DIMS(6), .dtype = TSR_BF16, .minval = TSR_ARG(-3.5),
	                   .maxval = TSR_ARG(17.25));
}
static tsr *uniform_f16(tsr *key)
{
	return tsr_uniform(key, TSR_DIMS(6), .dtype = TSR_F16, .minval = TSR_ARG(-3.5),
	                   .maxval = TSR_ARG(17.25));
}
static tsr *truncated(tsr *key)
{
	return tsr_truncated_normal(key, -0.3, 1.7, .dims = TSR_DIMS(6));
}
static tsr *real_part(tsr *key)
{
	return tsr_real(tsr_normal(key, TSR_DIMS(6), .dtype = TSR_C64));
}
static tsr *imag_part(tsr *key)
{
	return tsr_imag(tsr_normal(key, TSR_DIMS(6), .dtype = TSR_C64));
}

static const struct {
	tsr *(*draw)(tsr *);
	double y[6];
} rounded[] = {
	{uniform_bf16,
	 {0x1.12p+4, 0x1.bcp+1, 0x1p+4,
	  0x1.9p+3, 0x1.3p+2, 0x1p-4}},
	{uniform_f16,
	 {0x1.7cp-2, 0x1.edp+3, -0x1.7p-2,
	  0x1.018p+4, 0x1.28p+2, 0x1.dap+0}},
	{truncated,
	 {0x1.57ab1ep-3, 0x1.0fd08cp+0, 0x1.61311cp-1,
	  0x1.db11fap-4, 0x1.cce24ap-6, 0x1.8c994ep-4}},
	{real_part,
	 {0x1.0e8c5ap+0, -0x1.7a73ap-4, 0x1.b3b502p-2,
	  0x1.f3261p-3, 0x1.a49d0cp-4, 0x1.ad5494p-1}},
	{imag_part,
	 {0x1.1c28cap-2, 0x1.1ffc2ap-6, 0x1.8e9f7ep-1,
	  0x1.d88abcp-1, 0x1.90bb7p-1, -0x1.109618p+0}},
};

static void numbers_round_as_in_jax(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rounded); i++) {
		double got[6];
		tsr *y = rounded[i].draw(tsr_key(ctx, 12345));
		assert_true(tsr_read_into(y, got, .dtype = TSR_F64));
		for (int k = 0; k < 6; k++)
			if (got[k] != rounded[i].y[k])
				fail_msg("sampler %zu, %d: %a, not %a", i, k, got[k],
				         rounded[i].y[k]);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* jax.lax.erf_inv on both sides of where the second polynomial begins, and at the end */
static void erf_inv_at_its_edges(void **state)
{
	static const float x[] = {0x1.fe45aap-1f, 0x1.fe45acp-1f, 0x1.fe45aep-1f, 0x1.fe45bp-1f,
	                          0x1.fffffep-1f, 1,              -0x1.fe45aep-1f};
	static const float y[] = {0x1.095122p+1f, 0x1.09514p+1f, 0x1.095162p+1f, 0x1.095182p+1f,
	                          0x1.ea8f94p+1f, INFINITY,      -0x1.095162p+1f};
	tsr_ctx *ctx = tsr_open();
	tsr *at = tsr_from(ctx, x, TSR_F32, TSR_DIMS(7));
	tsr *got[] = {tsr_erf_inv(at), tsr_call(tsr_jit(ctx, tsr_erf_inv), at)};

	(void)state;
	for (int i = 0; i < 2; i++) {
		float z[7];
		assert_true(tsr_read(got[i], z, sizeof z));
		assert_memory_equal(z, y, sizeof z);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_known),
		cmocka_unit_test(bits_are_those_of_jax),
		cmocka_unit_test(numbers_round_as_in_jax),
		cmocka_unit_test(erf_inv_at_its_edges),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
