/* test_same_products.c - a product has the same bits whoever computes it: the interpreter or
 * machine code, for one worker or several, whole or with its result split over devices, and a row
 * has the same bits in any batch. ctest runs it for each set of instructions.
 *
 * The oracle is docs/numerics.md, "Dot products" and "Pairs", written down literally. TSR_SEED
 * repeats one draw, TSR_DRAWS says how many there are. */
#include <complex.h>
#include <tsr/tsr.h>
#include "kernel/kernel_rig.h"
#include "support/pair_step.h"

typedef float _Complex cf;
typedef double _Complex cd;

/* letters: b is a batch, m and n are of the result, k and l are contracted */
#define FORMS(_) \
	_(nn, "mk", "kn", "mn") \
	_(nt, "mk", "nk", "mn") \
	_(tn, "km", "kn", "mn") \
	_(tt, "km", "nk", "mn") \
	_(batch, "bmk", "bkn", "bmn") \
	_(heads, "mbk", "nbk", "bmn") \
	_(two, "mkl", "kln", "mn") \
	_(apart, "kml", "knl", "mn") \
	_(turned, "mlk", "kln", "mn") \
	_(matrix_vector, "mk", "k", "m") \
	_(vector_matrix, "k", "kn", "n") \
	_(vectors, "k", "k", "") \
	_(outer, "m", "n", "mn")

typedef struct form {
	const char *a, *b, *y;
	tsr *(*call)(tsr *, tsr *);
	tsr *(*whole)(tsr *, tsr *); /* as i32 */
	tsr *(*wide)(tsr *, tsr *);  /* by pairs, as f32, bf16 and i32 */
	tsr *(*narrow)(tsr *, tsr *);
	tsr *(*cast)(tsr *, tsr *);
} form;

/* those dims of an operand that the other one has too, in the order of the first: of the result or
 * not */
static tsr_dims shared_dims(const char *of, const char *a, const char *b, const char *y, bool kept)
{
	tsr_dims dims = TSR_DIMS();

	for (; *a; a++)
		if (strchr(b, *a) && kept == (strchr(y, *a) != NULL))
			dims.d[dims.d[0]++] = strchr(of, *a) - of;
	return dims;
}

static tsr *dot_as(const form *f, tsr *a, tsr *b, tsr_dtype dtype, tsr_precision precision)
{
	return tsr_dot_general(a, b, .contract_a = shared_dims(f->a, f->a, f->b, f->y, false),
	                       .contract_b = shared_dims(f->b, f->a, f->b, f->y, false),
	                       .batch_a = shared_dims(f->a, f->a, f->b, f->y, true),
	                       .batch_b = shared_dims(f->b, f->a, f->b, f->y, true), .dtype = dtype,
	                       .precision = precision);
}

#define DEFINE(name, a_, b_, y_) \
	static tsr *call_##name(tsr *a, tsr *b) { return tsr_einsum(a_ "," b_ "->" y_, a, b); } \
	static const form dims_of_##name = {.a = a_, .b = b_, .y = y_}; \
	static tsr *whole_##name(tsr *a, tsr *b) \
	{ \
		return dot_as(&dims_of_##name, a, b, TSR_I32, TSR_PRECISION_DEFAULT); \
	} \
	static tsr *wide_##name(tsr *a, tsr *b) \
	{ \
		return dot_as(&dims_of_##name, a, b, TSR_F32, TSR_BF16_PAIRS); \
	} \
	static tsr *narrow_##name(tsr *a, tsr *b) \
	{ \
		return dot_as(&dims_of_##name, a, b, TSR_BF16, TSR_BF16_PAIRS); \
	} \
	static tsr *cast_##name(tsr *a, tsr *b) \
	{ \
		return dot_as(&dims_of_##name, a, b, TSR_I32, TSR_BF16_PAIRS); \
	}
FORMS(DEFINE)
#define LINE(name, a_, b_, y_) \
	{a_, b_, y_, call_##name, whole_##name, wide_##name, narrow_##name, cast_##name},
static const form forms[] = {FORMS(LINE)};

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif
enum { LETTERS = 5, DEVICES = 8, MOST_STEPS = 1 << 20, LARGE_STEPS = 1 << 22 };
static const char letters[] = "bmnkl";

typedef struct draw {
	const form *form;
	int64_t size[LETTERS];
	tsr_dtype dtype, to; /* of operands and result */
	bool tiny;           /* products are too small for a denormal number */
	bool hard;           /* some numbers are infinite, NaN, denormal or huge */
	bool pairs;
	uint64_t random;
} draw;

static int64_t size_of(const draw *d, char letter)
{
	return d->size[strchr(letters, letter) - letters];
}

static tsr_dims dims_of(const draw *d, const char *text)
{
	tsr_dims dims = {.d = {1 + (int64_t)strlen(text)}};

	for (int i = 0; text[i]; i++) dims.d[1 + i] = size_of(d, text[i]);
	return dims;
}

static int64_t count_of(const draw *d, const char *text)
{
	int64_t n = 1;

	for (; *text; text++) n *= size_of(d, *text);
	return n;
}

/* ---- the oracle */

static cf step_cf(cf a, cf b, cf s)
{
	const float re = fmaf(-cimagf(a), cimagf(b), fmaf(crealf(a), crealf(b), crealf(s)));

	return __builtin_complex(re,
	                         fmaf(cimagf(a), crealf(b), fmaf(crealf(a), cimagf(b), cimagf(s))));
}

static cd step_cd(cd a, cd b, cd s)
{
	const double re = fma(-cimag(a), cimag(b), fma(creal(a), creal(b), creal(s)));

	return __builtin_complex(re, fma(cimag(a), creal(b), fma(creal(a), cimag(b), cimag(s))));
}

static uint64_t step_whole(uint64_t a, uint64_t b, uint64_t s) { return s + a * b; }

/* x: of each step, the operands' elements side by side */
#define CHAINS(name, wide_, STEP) \
	static wide_ name(const wide_ *x, int64_t n) \
	{ \
		wide_ sum = 0, chain = 0; \
		for (int64_t k = 0; k < n; k++) { \
			chain = STEP(x[2 * k], x[2 * k + 1], k % 256 ? chain : 0); \
			if (k % 256 == 255 || k == n - 1) sum = k < 256 ? chain : sum + chain; \
		} \
		return sum; \
	}
CHAINS(chains_f, float, fmaf)
CHAINS(chains_d, double, fma)
CHAINS(chains_cf, cf, step_cf)
CHAINS(chains_cd, cd, step_cd)
CHAINS(chains_whole, uint64_t, step_whole)

static float chains_pairs(const float *x, int64_t n)
{
	float sum = 0;

	for (int64_t first = 0; first < n; first += 256) {
		float chain = 0;
		for (int64_t k = first; k < n && k < first + 256; k += 2) {
			const float *low = x + 2 * k, none[] = {0, 0};
			chain = pair_step(low, k + 1 < n ? low + 2 : none, chain);
		}
		sum = first ? sum + chain : chain;
	}
	return sum;
}

static tsr_dtype wide_of(tsr_dtype t)
{
	return dtype_kind(t) < KIND_FLOAT ? TSR_U64 : dtype_bits(t) == 16 ? TSR_F32 : t;
}

static void sum_of(bool pairs, tsr_dtype wide, const void *x, int64_t n, void *y)
{
	if (pairs)
		*(float *)y = chains_pairs(x, n);
	else
		switch (wide) {
		case TSR_F32: *(float *)y = chains_f(x, n); break;
		case TSR_F64: *(double *)y = chains_d(x, n); break;
		case TSR_C64: *(cf *)y = chains_cf(x, n); break;
		case TSR_C128: *(cd *)y = chains_cd(x, n); break;
		default: *(uint64_t *)y = chains_whole(x, n);
		}
}

/* by letter: how far elements are apart in the operand or result of this text whose indices differ
 * by one */
typedef struct strides {
	int64_t of[LETTERS];
} strides;

static int number_of(char letter) { return (int)(strchr(letters, letter) - letters); }

static strides strides_of(const draw *d, const char *text)
{
	strides s = {{0}};
	int64_t stride = 1;

	for (size_t i = strlen(text); i-- > 0; stride *= size_of(d, text[i]))
		s.of[number_of(text[i])] = stride;
	return s;
}

/* letters whose indices are walked, the last one first, and the places in both operands */
typedef struct walk {
	const draw *d;
	strides a, b;
	int n, letter[LETTERS];
	int64_t index[LETTERS], at_a, at_b;
} walk;

static walk walk_of(const draw *d, const char *text)
{
	walk w = {.d = d, .a = strides_of(d, d->form->a), .b = strides_of(d, d->form->b)};

	for (; *text; text++) w.letter[w.n++] = number_of(*text);
	return w;
}

/* false: there is none, and all indices are 0 again */
static bool next(walk *w)
{
	for (int i = w->n; i-- > 0;) {
		const int k = w->letter[i];
		const int64_t by = ++w->index[i] < w->d->size[k] ? 1 : 1 - w->d->size[k];
		w->at_a += by * w->a.of[k];
		w->at_b += by * w->b.of[k];
		if (by > 0) return true;
		w->index[i] = 0;
	}
	return false;
}

/* the contracted letters, in the order of the first operand */
static void contracted_of(const form *f, char *to)
{
	for (const char *c = f->a; *c; c++)
		if (!strchr(f->y, *c)) *to++ = *c;
	*to = 0;
}

static char *widened(const draw *d, const char *text, const void *x)
{
	const tsr_dtype wide = wide_of(d->dtype);
	char *y = malloc((size_t)count_of(d, text) * tsr_dtype_size(wide));

	assert_non_null(y);
	dtype_convert(wide, y, d->dtype, x, count_of(d, text));
	return y;
}

/* without a call for each */
static char *put_item(char *to, const char *from, size_t item)
{
	switch (item) {
	case 4: memcpy(to, from, 4); break;
	case 8: memcpy(to, from, 8); break;
	default: memcpy(to, from, 16);
	}
	return to + item;
}

static void oracle(const draw *d, const void *a, const void *b, char *y)
{
	const tsr_dtype wide = wide_of(d->dtype);
	const size_t item = tsr_dtype_size(wide);
	char k[LETTERS + 1], sum[16], *wide_a = widened(d, d->form->a, a);
	char *wide_b = widened(d, d->form->b, b);

	contracted_of(d->form, k);
	walk results = walk_of(d, d->form->y), steps = walk_of(d, k);
	char *x = malloc(2 * item * (size_t)count_of(d, k));
	assert_non_null(x);
	do {
		char *to = x;
		do {
			const int64_t i = results.at_a + steps.at_a, j = results.at_b + steps.at_b;
			to = put_item(to, wide_a + (size_t)i * item, item);
			to = put_item(to, wide_b + (size_t)j * item, item);
		} while (next(&steps));
		sum_of(d->pairs, wide, x, count_of(d, k), sum);
		dtype_convert(d->to, y, wide, sum, 1);
		y += tsr_dtype_size(d->to);
	} while (next(&results));
	free(x);
	free(wide_a);
	free(wide_b);
}

/* ---- draws */

static const tsr_dtype dtypes[] = {TSR_F32, TSR_F32,  TSR_F32, TSR_F64, TSR_F64, TSR_BF16, TSR_F16,
                                   TSR_C64, TSR_C128, TSR_I8,  TSR_I32, TSR_U8,  TSR_I8,   TSR_U8};

static uint64_t drawn(draw *d, uint64_t n) { return random_bits(&d->random) % n; }

static double work_of(const draw *d)
{
	double work = 1;

	for (int i = 0; i < LETTERS; i++)
		if (strchr(d->form->a, letters[i]) || strchr(d->form->b, letters[i]))
			work *= (double)d->size[i];
	return work;
}

/* of which the others have one: as many steps as may be, or fewer */
static int64_t long_sum(draw *d)
{
	const double most = MOST_STEPS / work_of(d);

	return most < 1 ? MOST_STEPS : 1 + (int64_t)drawn(d, (uint64_t)most);
}

/* large enough for operands that are laid out before (pass/fuse/panels.c), in panels or not */
static void make_large(draw *d)
{
	do {
		d->size[0] = 1 + (int64_t)(drawn(d, 4) == 0);
		d->size[1] = 280 + (int64_t)drawn(d, 420);
		d->size[2] = 280 + (int64_t)drawn(d, 450);
		if (drawn(d, 4)) d->size[2] -= d->size[2] % 16;
		d->size[3] = 8 + (int64_t)drawn(d, 12);
		d->size[4] = 1 + (int64_t)drawn(d, 2);
	} while (work_of(d) > LARGE_STEPS);
}

static void make(draw *d)
{
	d->form = &forms[drawn(d, ARRAY_LEN(forms))];
	d->dtype = dtypes[drawn(d, ARRAY_LEN(dtypes))];
	d->to = dtype_bits(d->dtype) == 8 && drawn(d, 4) ? TSR_I32 : d->dtype;
	d->pairs = drawn(d, 3) == 0;
	if (d->pairs) {
		d->dtype = drawn(d, 3) ? TSR_BF16 : TSR_F32;
		d->to = drawn(d, 9) == 0 ? TSR_I32 : drawn(d, 2) ? TSR_F32 : TSR_BF16;
	}
	d->tiny = drawn(d, d->pairs ? 3 : 8) == 0;
	d->hard = drawn(d, 4) == 0;
	if (drawn(d, SANITIZED ? 100 : 20) == 0) {
		make_large(d);
		return;
	}
	do {
		for (int i = 0; i < LETTERS; i++) {
			static const uint64_t most[] = {300, 300, 24, 6};
			const uint64_t to = most[drawn(d, ARRAY_LEN(most))];
			d->size[i] = 1 + (int64_t)drawn(d, letters[i] == 'b' ? 9 : to);
		}
		/* around the blocks, or many of them */
		const uint64_t which = drawn(d, 6);
		if (which < 2) d->size[3] = 254 + (int64_t)drawn(d, 6);
		if (which == 2) d->size[3] = 1;
		if (which == 2) d->size[3] = long_sum(d);
	} while (work_of(d) > MOST_STEPS);
}

/* products and sums of them are next to the smallest normal f32, on both sides of it */
static double small_number(draw *d)
{
	static const int less[] = {0, 0, 0, 1, 12, 24, 25};
	const double one = drawn(d, 2) ? 1 : 1 + (double)drawn(d, 128) / 128;

	return ldexp(drawn(d, 2) ? one : -one, -63 - less[drawn(d, ARRAY_LEN(less))]);
}

static char *numbers(draw *d, const char *text, int sign)
{
	const int64_t n = count_of(d, text);
	const double size = dtype_bits(dtype_real(d->dtype)) == 64 ? 1e-180 : 1e-28;
	char *x = malloc((size_t)n * tsr_dtype_size(d->dtype));

	assert_non_null(x);
	for (int64_t i = 0; i < n; i++) {
		double pair[2] = {random_in(&d->random, -8, 8), random_in(&d->random, -8, 8)};
		if (dtype_bits(d->dtype) == 8) pair[0] = 17 * pair[0] + 100 * (d->dtype == TSR_U8);
		if (d->tiny) pair[0] = sign * size, pair[1] = 0;
		if (d->tiny && d->pairs) pair[0] = small_number(d);
		if (drawn(d, 50) == 0) pair[0] = drawn(d, 2) ? 0 : -0.0;
		if (d->hard && drawn(d, 100) == 0) pair[drawn(d, 2)] = hard_float(&d->random);
		dtype_convert(d->dtype, x + (size_t)i * tsr_dtype_size(d->dtype), TSR_C128, pair,
		              1);
	}
	return x;
}

/* ---- who computes it */

/* NaNs have no sign and no digits */
static bool is_same(tsr_dtype dtype, const char *a, const char *b)
{
	const tsr_dtype part = dtype_real(dtype);

	if (memcmp(a, b, tsr_dtype_size(dtype)) == 0) return true;
	for (int i = 0; i < (part == dtype ? 1 : 2); i++) {
		const double x = dtype_get(part, a, i), y = dtype_get(part, b, i);
		if (!(isnan(x) && isnan(y)) && (x != y || signbit(x) != signbit(y))) return false;
	}
	return true;
}

static tsr_fn *fn_of(tsr_ctx *c, const draw *d)
{
	const form *f = d->form;

	if (d->pairs)
		return tsr_jit(c, d->to == TSR_F32    ? f->wide
		                  : d->to == TSR_BF16 ? f->narrow
		                                      : f->cast);
	return tsr_jit(c, d->to == d->dtype ? f->call : f->whole);
}

static void check(const draw *d, const char *who, tsr *y, const char *want)
{
	const size_t item = tsr_dtype_size(d->to), n = (size_t)count_of(d, d->form->y);
	char *got = malloc(n * item);

	assert_non_null(got);
	if (!tsr_read(y, got, n * item)) fail_msg("%s", tsr_message(tsr_ctx_of(y)));
	const bool equal = memcmp(got, want, n * item) == 0;
	for (size_t i = 0; !equal && i < n; i++) {
		if (is_same(d->to, got + i * item, want + i * item)) continue;
		fail_msg("%s,%s->%s of %s, b %lld, m %lld, n %lld, k %lld, l %lld%s%s: %s: "
		         "element %zu is %.17g, not %.17g",
		         d->form->a, d->form->b, d->form->y, tsr_dtype_name(d->dtype),
		         (long long)d->size[0], (long long)d->size[1], (long long)d->size[2],
		         (long long)d->size[3], (long long)d->size[4], d->tiny ? " (tiny)" : "",
		         d->pairs ? " (pairs)" : "", who, i, dtype_get(d->to, got, (int64_t)i),
		         dtype_get(d->to, want, (int64_t)i));
	}
	free(got);
}

/* the letter is split over the devices of the mesh, in both operands */
static tsr *split(const draw *d, tsr_mesh *mesh, const char *text, char letter, tsr *x)
{
	tsr_spec spec = TSR_P();

	spec.n1 = 1 + (int)strlen(text);
	for (int i = 0; text[i]; i++) spec.d[1 + i] = text[i] == letter ? "x" : NULL;
	(void)d;
	return tsr_put(x, mesh, spec);
}

static void check_split(draw *d, tsr_ctx *c, tsr *a, tsr *b, const char *want)
{
	const form *f = d->form;
	const int devices = 2 + (int)drawn(d, DEVICES - 1);
	char who[64];

	if (!*f->y) return;
	const char letter = f->y[drawn(d, strlen(f->y))];
	tsr_mesh *mesh = tsr_mesh_make(c, {"x", devices});
	tsr *y = tsr_call(fn_of(c, d), split(d, mesh, f->a, letter, a),
	                  split(d, mesh, f->b, letter, b));
	snprintf(who, sizeof who, "%c split over %d devices", letter, devices);
	check(d, who, y, want);
}

static void check_one(draw *d, tsr_ctx *const *c, int n)
{
	static const char *const who[] = {"interpreted", "1 worker", "2 workers", "5 workers"};
	const size_t bytes = (size_t)count_of(d, d->form->y) * tsr_dtype_size(d->to);
	char *x = numbers(d, d->form->a, 1), *z = numbers(d, d->form->b, -1), *want = malloc(bytes);

	assert_non_null(want);
	oracle(d, x, z, want);
	for (int i = 0; i < n; i++) {
		TSR_SCOPE(c[i]);
		tsr *a = tsr_from(c[i], (void *)x, d->dtype, dims_of(d, d->form->a));
		tsr *b = tsr_from(c[i], (void *)z, d->dtype, dims_of(d, d->form->b));
		check(d, who[i], tsr_call(fn_of(c[i], d), a, b), want);
		if (i == n - 1) check_split(d, c[i], a, b, want);
	}
	free(x);
	free(z);
	free(want);
}

/* which the draws reach seldom: bytes, blocks of few results, columns that are lines of memory, a
 * few rows by large matrices, operands that are laid out before (pass/fuse/panels.c) */
static const struct always {
	const char *a, *b, *y;
	tsr_dtype dtype, to;
	int64_t m, n, k;
	bool pairs;
} always[] = {
	{"mk", "kn", "mn", TSR_I8, TSR_I32, 43, 96, 130},
	{"mk", "nk", "mn", TSR_U8, TSR_I32, 65, 70, 1100},
	{"km", "kn", "mn", TSR_I8, TSR_I32, 33, 50, 271},
	{"k", "k", "", TSR_F32, TSR_F32, 1, 1, 900000},
	{"k", "k", "", TSR_BF16, TSR_BF16, 1, 1, 300001},
	{"mk", "nk", "mn", TSR_F64, TSR_F64, 3, 2, 140000},
	{"mk", "k", "m", TSR_F32, TSR_F32, 270, 1, 1003},
	{"mk", "nk", "mn", TSR_F16, TSR_F16, 3, 201, 700},
	{"k", "kn", "n", TSR_F32, TSR_F32, 1, 1007, 2300},
	{"mk", "kn", "mn", TSR_F64, TSR_F64, 3, 520, 2061},
	{"mk", "kn", "mn", TSR_F32, TSR_F32, 6, 1003, 2110},
	{"mk", "kn", "mn", TSR_F32, TSR_F32, 515, 576, 9},
	{"mk", "nk", "mn", TSR_F64, TSR_F64, 513, 288, 260},
	{"km", "kn", "mn", TSR_F32, TSR_F32, 290, 291, 258},
	{"km", "nk", "mn", TSR_BF16, TSR_BF16, 289, 336, 257},
	{"mk", "kn", "mn", TSR_F16, TSR_F16, 288, 301, 12},
	{"mk", "kn", "mn", TSR_BF16, TSR_F32, 65, 130, 600, true},
	{"mk", "nk", "mn", TSR_BF16, TSR_BF16, 40, 71, 513, true},
	{"km", "nk", "mn", TSR_F32, TSR_F32, 33, 50, 271, true},
	{"k", "k", "", TSR_BF16, TSR_F32, 1, 1, 300001, true},
	{"mk", "k", "m", TSR_BF16, TSR_F32, 270, 1, 1003, true},
	{"k", "kn", "n", TSR_F32, TSR_BF16, 1, 1007, 2300, true},
	{"mk", "kn", "mn", TSR_BF16, TSR_F32, 3, 2, 1, true},
};

static void always_the_same(tsr_ctx *const *c, int n)
{
	for (size_t i = 0; i < ARRAY_LEN(always); i += SANITIZED ? 2 : 1) {
		const struct always *of = &always[i];
		const form *f = forms;
		while (strcmp(f->a, of->a) || strcmp(f->b, of->b) || strcmp(f->y, of->y)) f++;
		check_one(&(draw){.form = f,
		                  .size = {1, of->m, of->n, of->k, 1},
		                  .dtype = of->dtype,
		                  .to = of->to,
		                  .pairs = of->pairs,
		                  .random = i + 1},
		          c, n);
	}
}

static void all_give_the_same(void **state)
{
	const bool one = getenv("TSR_SEED") != NULL;
	const uint64_t seed = from_environment("TSR_SEED", 20261127);
	const uint64_t draws = one ? 1 : from_environment("TSR_DRAWS", SANITIZED ? 12 : 60);
	tsr_ctx *c[] = {tsr_open(.engine = "interp", .devices = DEVICES),
	                tsr_open(.debug = "c", .devices = DEVICES, .workers = 1),
	                tsr_open(.debug = "cw", .devices = DEVICES, .workers = 2),
	                tsr_open(.debug = "cw", .devices = DEVICES, .workers = 5)};

	(void)state;
	if (!one) always_the_same(c, ARRAY_LEN(c));
	for (uint64_t i = 0; i < draws; i++) {
		draw d = {.random = (seed + i) * 0x9e3779b97f4a7c15u};
		make(&d);
		check_one(&d, c, ARRAY_LEN(c));
	}
	for (size_t i = 0; i < ARRAY_LEN(c); i++) assert_int_equal(tsr_close(c[i]), TSR_OK);
}

/* ---- rows */

static tsr *layer(tsr *x, tsr *w) { return tsr_tanh(tsr_dot(x, w)); }

/* a row through a layer, alone, in batches, and where the rows are split */
static void rows_keep_their_bits(void **state)
{
	tsr_ctx *c = tsr_open(.devices = 4, .debug = "c");
	tsr_mesh *mesh = tsr_mesh_make(c, {"x", 4});
	tsr_fn *f = tsr_jit(c, layer);

	(void)state;
	for (int k = 60; k <= 300; k += 80) {
		TSR_SCOPE(c);
		tsr *row = tsr_normal(tsr_key(c, 4), TSR_DIMS(1, k));
		tsr *w = tsr_normal(tsr_key(c, 5), TSR_DIMS(k, k)), *one = tsr_call(f, row, w);
		for (int b = 2; b <= 130; b *= 4) {
			tsr *x = tsr_broadcast_to(row, TSR_DIMS(b, k)), *y = tsr_call(f, x, w);
			assert_true(tsr_array_equal(y, tsr_broadcast_to(one, TSR_DIMS(b, k))));
			y = tsr_call(f, tsr_put(x, mesh, TSR_P("x")), w);
			assert_true(tsr_array_equal(y, tsr_broadcast_to(one, TSR_DIMS(b, k))));
		}
	}
	assert_int_equal(tsr_close(c), TSR_OK);
}

/* ---- steps of a loop, whose matrix is laid out before it (pass/hoist.c) */

static tsr *matrix;

static tsr *through(tsr *i, tsr *x) { return (void)i, layer(x, matrix); }

static tsr *steps(tsr *x, tsr *w)
{
	matrix = w;
	return tsr_fori(0, 3, through, x);
}

static void steps_keep_their_bits(void **state)
{
	const char *const engines[] = {"interp", "cpu"};
	enum { ROWS = 97, SIDE = 768 };
	float *y[] = {malloc(ROWS * SIDE * sizeof(float)), malloc(ROWS * SIDE * sizeof(float))};

	(void)state;
	for (int i = 0; i < 2; i++) {
		tsr_ctx *c = tsr_open(.engine = engines[i], .debug = i ? "c" : NULL);
		tsr *x = tsr_normal(tsr_key(c, 4), TSR_DIMS(ROWS, SIDE));
		tsr *w = tsr_mul(tsr_normal(tsr_key(c, 5), TSR_DIMS(SIDE, SIDE)), 0.04);
		assert_true(tsr_read(tsr_call(tsr_jit(c, steps), x, w), y[i],
		                     ROWS * SIDE * sizeof(float)));
		assert_int_equal(tsr_close(c), TSR_OK);
	}
	assert_memory_equal(y[0], y[1], ROWS * SIDE * sizeof(float));
	free(y[0]);
	free(y[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_give_the_same),
	                                   cmocka_unit_test(rows_keep_their_bits),
	                                   cmocka_unit_test(steps_keep_their_bits)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
