/* local_rig.h - functions that the tests of local primitives share: one equation from its text, run
 * on given blocks.
 *
 * An equation is written as in program text, its operands, and results, as "f32[2,3]; i32[]".
 * Reading infers and checks the types; results are in blocks of their exact size, so that a
 * sanitizer sees any step outside. */
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

/* the types of a list, with names from %first on, or without (-1); returns how many */
static inline int put_types(str *to, const char *types, int first)
{
	int n = 0;

	for (const char *c = types; *c; c++) {
		if (c == types || *c == ';') {
			str_put(to, n ? ", " : "");
			if (first >= 0) str_printf(to, "%%%d: ", first + n);
			n++;
		}
		if (*c != ';' && *c != ' ') str_putn(to, c, 1);
	}
	return n;
}

/* NULL: an error is recorded */
static inline program *rig_parse(rig *r, const char *operands, const char *equation,
                                 const char *results, tsr_dtype dtype)
{
	str text = {.base = &r->base};
	char whole[4096];

	str_put(&text, "(");
	put_types(&text, operands, 0);
	str_put(&text, ") -> ");
	put_types(&text, results, -1);
	str_put(&text, " {\n");
	const int n = put_types(&text, results, 90);
	str_printf(&text, " = %s\nreturn", equation);
	for (int i = 0; i < n; i++) str_printf(&text, " %%%d", 90 + i);
	str_put(&text, "\n}");
	assert_non_null(text.s);
	with_dtype(whole, sizeof whole, text.s, dtype);
	str_free(&text);
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

/* an equation on what is at x, to blocks that are the caller's to free */
static inline void eval_eqn(const program *p, const eqn *e, const void *const *x, void **y)
{
	const type *in[32], *out[32];

	assert_true(e->nin <= 32 && e->nout <= 32);
	for (int i = 0; i < e->nin; i++) in[i] = type_of(p, e->in[i]);
	for (int j = 0; j < e->nout; j++)
		y[j] = block_make(type_bytes(out[j] = type_of(p, e->out[j])));
	void *scratch = block_make(eqn_scratch(e, in));
	eqn_eval(&(eval_args){
		.eqn = e, .in = in, .out = out, .n = 1, .x = x, .y = y, .scratch = scratch});
	free(scratch);
}

/* evaluates the one equation of p; the results are the caller's to free */
static inline void rig_eval_all(const program *p, void *const *operands, void **y)
{
	const eqn *e = &p->eqns[0];
	const void *x[16];

	assert_int_equal(p->neqns, 1);
	assert_true(e->nin <= 16);
	for (int i = 0; i < e->nin; i++) {
		const int32_t id = e->in[i].id;
		x[i] = p->vars[id].literal;
		for (int k = 0; !x[i] && k < p->nin; k++)
			if (p->in[k].id == id) x[i] = operands[k];
		assert_non_null(x[i]);
	}
	eval_eqn(p, e, x, y);
}

/* the same of one result */
static inline void *rig_eval(const program *p, void *const *operands)
{
	void *y;

	assert_int_equal(p->eqns[0].nout, 1);
	rig_eval_all(p, operands, &y);
	return y;
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
