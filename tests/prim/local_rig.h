/* local_rig.h - what the tests of local primitives share: one equation from its text, run on given
 * blocks.
 *
 * An equation is written as in program text, its operands as "f32[2,3]; i32[]". Reading infers and
 * checks the types; results are in blocks of their exact size, so that a sanitizer sees any step
 * outside. */
#ifndef TSR_TESTS_PRIM_LOCAL_RIG_H
#define TSR_TESTS_PRIM_LOCAL_RIG_H
#include "prim/prim.h"
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>                        /* after base.h: it takes the name fail */

typedef struct rig {
	base base;
	device device;
	shards shards;
	ir ir;
} rig;

static inline int rig_open(void **state)
{
	rig *r = calloc(1, sizeof *r);

	if (!r || !base_init(&r->base, NULL, NULL, 0) ||
	    !shards_init(&r->shards, &r->base, NULL, &r->device, 1) ||
	    !ir_init(&r->ir, &r->base, &r->shards, all_prims, all_prims_count))
		return -1;
	*state = r;
	return 0;
}

static inline int rig_close(void **state)
{
	rig *r = *state;

	ir_fini(&r->ir);
	shards_fini(&r->shards);
	base_fini(&r->base);
	free(r);
	return 0;
}

/* text with every T replaced by a dtype's name */
static inline void with_dtype(char *to, size_t room, const char *text, tsr_dtype dtype)
{
	size_t n = 0;

	for (const char *c = text; *c && n + 8 < room; c++) {
		if (*c == 'T') n += (size_t)snprintf(to + n, room - n, "%s", tsr_dtype_name(dtype));
		else to[n++] = *c;
	}
	to[n] = 0;
}

/* NULL: an error is recorded */
static inline program *rig_parse(rig *r, const char *operands, const char *equation,
                                 const char *result, tsr_dtype dtype)
{
	char text[4096], whole[4096];
	size_t n = (size_t)snprintf(text, sizeof text, "(");
	int count = 0;

	for (const char *c = operands; *c; c++) {
		if (c == operands || *c == ';')
			n += (size_t)snprintf(text + n, sizeof text - n,
			                      "%s%%%d: ", count ? ", " : "", count),
				count++;
		if (*c != ';' && *c != ' ') text[n++] = *c;
	}
	snprintf(text + n, sizeof text - n, ") -> %s {\n%%99: %s = %s\nreturn %%99\n}", result,
	         result, equation);
	with_dtype(whole, sizeof whole, text, dtype);
	return program_parse(&r->ir, NULL, whole, strlen(whole));
}

static inline program *rig_program(rig *r, const char *operands, const char *equation,
                                   const char *result, tsr_dtype dtype)
{
	program *p = rig_parse(r, operands, equation, result, dtype);

	if (!p) fail_msg("%s | %s | %s: %s", operands, equation, result, error_text(&r->base));
	if (!program_verify(p, "test")) fail_msg("%s: %s", equation, error_text(&r->base));
	return p;
}

static inline size_t type_bytes(const type *t)
{
	return (size_t)t->size * tsr_dtype_size(t->dtype);
}

static inline void *block_make(size_t bytes)
{
	void *block = malloc(bytes ? bytes : 1);

	assert_non_null(block);
	return block;
}

/* evaluates the one equation of p; the result is the caller's to free */
static inline void *rig_eval(const program *p, void *const *operands)
{
	const eqn *e = &p->eqns[0];
	const type *in[16], *out[1] = {type_of(p, e->out[0])};
	const void *x[16];
	void *y[1] = {block_make(type_bytes(out[0]))};

	assert_int_equal(p->neqns, 1);
	assert_true(e->nin <= 16);
	for (int i = 0; i < e->nin; i++) {
		const int32_t id = e->in[i].id;
		in[i] = type_of(p, e->in[i]);
		x[i] = p->vars[id].literal;
		for (int k = 0; !x[i] && k < p->nin; k++)
			if (p->in[k].id == id) x[i] = operands[k];
		assert_non_null(x[i]);
	}
	e->prim->eval(&(eval_args){.eqn = e, .in = in, .out = out, .n = 1, .x = x, .y = y});
	return y[0];
}

static inline uint64_t random_bits(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	const uint64_t z = (*state ^ *state >> 29) * 0xbf58476d1ce4e5b9u;
	return z ^ z >> 32;
}

/* in [lo, hi) */
static inline double random_in(uint64_t *state, double lo, double hi)
{
	return lo + (hi - lo) * ((double)(random_bits(state) >> 11) * 0x1p-53);
}

static inline float from_bits(uint32_t u)
{
	float x;

	memcpy(&x, &u, sizeof x);
	return x;
}

/* |got - want| in units of the last place of `want`, as a number of `digits` binary digits and a
 * least exponent; infinity stands one step above the largest number */
static inline double ulps_off(double got, long double want, int digits, int least)
{
	int exponent;

	if (isnan(want)) return isnan(got) ? 0 : INFINITY;
	if (isnan(got)) return INFINITY;
	if (isinf(want)) return got == (double)want ? 0 : INFINITY;
	const long double end = ldexpl(1, digits == 53 ? 1024 : digits == 11 ? 16 : 128);
	const long double at = isinf(got) ? copysignl(end, got) : (long double)got;
	if (fabsl(want) > end) want = copysignl(end, want);
	frexpl(want, &exponent);
	if (want == 0 || exponent < least + 1) exponent = least + 1;
	return (double)(fabsl(at - want) / ldexpl(1, exponent - digits));
}

static inline double ulps_off_dtype(tsr_dtype dtype, double got, long double want)
{
	switch (dtype) {
	case TSR_F16: return ulps_off(got, want, 11, -14);
	case TSR_BF16: return ulps_off(got, want, 8, -126);
	case TSR_F32: return ulps_off(got, want, 24, -126);
	default: return ulps_off(got, want, 53, -1022);
	}
}

#endif
