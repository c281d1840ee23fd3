/* random_gamma.c - gamma numbers, each of a key of its own: random_gamma.
 *
 * G. Marsaglia and W. W. Tsang, A simple method for generating gamma variables (2000): with d =
 * alpha - 1/3 and c = 1 / (3 sqrt(d)), d V is such a number, where V = (1 + c x)^3 of a normal x
 * for which that is positive, if a uniform u is below 1 - 0.0331 x^4, or log u is below x^2 / 2 + d
 * (1 - V + log V); otherwise x and u are drawn again. For alpha < 1 the number of alpha + 1 is
 * multiplied by (1 - u)^(1 / alpha), of a further u.
 *
 * Keys are split as JAX does: for each element the first of two keys is what x and u come of, and
 * the second one gives the last u. Of three keys that the first one is split into, the first is for
 * the next trial, the second for x, the third for u. How many trials it takes depends on the
 * element, so that kernels do not have it. With `original` keys are split, and numbers drawn, as
 * src/lib/random/keys.c does it in the older form.
 *
 *     random_gamma [42 43]:u64 [2 2]    gives    [1.35892 0.19288] */
#include <math.h>
#include "prim/elementwise/elementwise.h"

/* ---- draws of one key, as those of a whole array of one element */

typedef struct rkey {
	uint32_t word[2];
	bool original;
} rkey;
/* a dtype, how many bits are drawn for one of its numbers, the distance of 1 to the next one, and
 * the smallest one that is normal */
typedef struct floats {
	tsr_dtype dtype;
	int width, digits; /* 2^-digits is the step */
	double step, tiny;
} floats;
static const floats forms[] = {{TSR_F16, 16, 10, 0x1p-10, 0x1p-14},
                               {TSR_BF16, 8, 7, 0x1p-7, 0x1p-126},
                               {TSR_F32, 32, 23, 0x1p-23, 0x1p-126},
                               {TSR_F64, 64, 52, 0x1p-52, 0x1p-1022}};

static const floats *form_of(tsr_dtype dtype)
{
	const floats *f = forms;

	while (f->dtype != dtype) f++;
	return f;
}

/* the two words at a counter */
static rkey words_at(rkey key, uint32_t high, uint32_t low)
{
	rkey y = {{high, low}, key.original};

	threefry2x32(key.word, y.word);
	return y;
}

/* Number i of the n keys that one is split into. In the older form these are neighbours among 2n
 * words, the first words of the counters (k, n + k) before their second ones */
static rkey split(rkey key, uint32_t i, uint32_t n)
{
	rkey y = {{0}, true};

	if (!key.original) return words_at(key, 0, i);
	for (uint32_t k = 0; k < 2; k++) {
		const uint32_t at = 2 * i + k;
		y.word[k] = words_at(key, at % n, n + at % n).word[at / n];
	}
	return y;
}

/* 0 <= u < 1, a multiple of the step, of the upper ones of the bits that are drawn */
static double unit_of(rkey key, const floats *of)
{
	const bool both = of->width == 64;
	const rkey y = words_at(key, 0, both && key.original);
	const uint32_t one = key.original ? y.word[0] : y.word[0] ^ y.word[1];
	const uint64_t bits = both ? (uint64_t)y.word[0] << 32 | y.word[1] : one;

	return (double)(bits << (64 - of->width) >> (64 - of->digits)) * of->step;
}

static float rounded_f32(float x, tsr_dtype dtype)
{
	return dtype == TSR_F16    ? f16_to_f32(f32_to_f16(x))
	       : dtype == TSR_BF16 ? bf16_to_f32(f32_to_bf16(x))
	                           : x;
}

static double rounded_f64(double x, tsr_dtype dtype) { return (void)dtype, x; }

#define REAL float
#define FUSED fmaf
#define OF(name) name##_f32
#include "prim/random/random_gamma_real.h"
#undef REAL
#undef FUSED
#undef OF
#define REAL double
#define FUSED fma
#define OF(name) name##_f64
#include "prim/random/random_gamma_real.h"

/* ---- the row: operands keys u64, the first word of each above the second one, and alpha */

static bool random_gamma_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (in[0]->dtype != TSR_U64 || dtype_kind(in[1]->dtype) != KIND_FLOAT)
		return fail_type(b, e, "%s requires keys of dtype u64 and floats, got %s",
		                 eqn_name(b, e), types_words(b, in, e->nin));
	const type *shape = common_shape(b, e, in, 0);
	return shape && give_type(b, in[1]->dtype, shape->dims, shape->ndim, out);
}

#define GAMMA_OF(a) _Generic((a), float : gamma_f32, double : gamma_f64)
#define LOOP_KEYS(dtype_, mem_, wide_, LOAD, STORE, ...) \
	case dtype_: { \
		const mem_ *x = args->x[1]; \
		mem_ *y = args->y[0]; \
		for (int64_t i = 0; i < n; i++) { \
			const wide_ a = LOAD(x[i * s1]); \
			y[i] = STORE(GAMMA_OF(a)(keys[i * s0], a, of, p)); \
		} \
		break; \
	}

static void some_numbers(const eval_args *args)
{
	const random_gamma_params *p = args->eqn->params;
	const uint64_t *keys = args->x[0];
	const floats *of = form_of(args->in[1]->dtype);
	const int64_t s0 = ELEMENT_STRIDE(args, 0), s1 = ELEMENT_STRIDE(args, 1);
	const int64_t n = args->out[0]->size;

	switch (args->in[1]->dtype) {
		FLOAT_CASES(LOOP_KEYS, ) default : break;
	}
}

static void random_gamma_eval(const eval_args *args) { eval_elements(args, some_numbers); }

/* By alpha, at the share of numbers that are below: that of the logarithm is divided by the number,
 * and where this is too small, by the smallest one that is normal */
static void random_gamma_jvp(build *b, const eqn *e, const var *in, const var *din, var *out,
                             var *dout)
{
	const random_gamma_params *p = e->params;
	const var x = in[1];
	var y = out[0];

	if (build_failed(b)) return;
	if (p->log) {
		y = OF_1(exp, y);
		y = SELECT(OF_2(eq, y, NUM(0)), NUM(form_of(build_type(b, x)->dtype)->tiny), y);
	}
	const var slope = OF_2(random_gamma_grad, x, y);
	dout[0] = MUL(din[1], p->log ? DIV(slope, y) : slope);
}

static const field random_gamma_fields[] = {
	PARAM(random_gamma_params, log, FIELD_BOOL),
	PARAM(random_gamma_params, original, FIELD_BOOL),
	PARAMS_END,
};
const tsr_prim tsr__prim_random_gamma = {
	.name = "random_gamma",
	.doc = "gamma numbers, or their logarithms, each of a key and of a parameter",
	.flags = PRIM_ELEMENTWISE | PRIM_CALLED,
	.cost = 3000,
	.nin = 2,
	.nout = 1,
	.params = random_gamma_fields,
	.types = random_gamma_types,
	.factors = factors_elementwise,
	.jvp = random_gamma_jvp,
	.batch = batch_elementwise,
	.parts = parts_of_elements,
	.eval = random_gamma_eval,
	NOT_LINEAR,
	TSR_NO_RULE(COL_LOWER, "how many trials it takes depends on the element"),
};
