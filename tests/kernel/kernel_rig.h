/* kernel_rig.h - runs a program as one kernel, and its equations one by one, on difficult values,
 * and compares the results bit for bit. */
#ifndef TSR_TESTS_KERNEL_RIG_H
#define TSR_TESTS_KERNEL_RIG_H
#include "prim/local_rig.h"
#include "support/kernels.h"

static inline double hard_float(uint64_t *random)
{
	static const double special[] = {0.0,
	                                 -0.0,
	                                 1,
	                                 -1,
	                                 0.5,
	                                 2,
	                                 INFINITY,
	                                 -INFINITY,
	                                 NAN,
	                                 1e-40,
	                                 -6e-8,
	                                 0x1p-149,
	                                 -0x1p-1074,
	                                 7e4,
	                                 0x1.fffffep127,
	                                 1e300,
	                                 -0x1.fffffffffffffp1023,
	                                 88.5,
	                                 -103,
	                                 709.5,
	                                 0x1p-126};
	const uint64_t bits = random_bits(random);

	if (bits % 4 == 0) return special[bits / 4 % ARRAY_LEN(special)];
	if (bits % 4 == 1) return ldexp(random_in(random, -1, 1), (int)(bits / 4 % 60) - 30);
	return random_in(random, -4, 4);
}

static inline int64_t hard_integer(uint64_t *random, tsr_dtype dtype)
{
	const uint64_t bits = random_bits(random);
	const int width = dtype_bits(dtype) < 64 ? dtype_bits(dtype) : 64;

	if (bits % 8 == 0) return (int64_t)((uint64_t)1 << (width - 1));
	if (bits % 8 == 1) return (int64_t)(((uint64_t)1 << (width - 1)) - 1);
	if (bits % 8 == 2) return (int64_t)random_bits(random);
	return (int64_t)(bits / 8 % 17) - 4;
}

static inline void fill_hard(tsr_dtype dtype, void *data, int64_t n, uint64_t *random)
{
	const size_t item = tsr_dtype_size(dtype);

	for (int64_t i = 0; i < n; i++) {
		const double pair[2] = {hard_float(random), hard_float(random)};
		const int64_t whole = hard_integer(random, dtype);
		const uint8_t yes = whole & 1;
		void *to = (char *)data + (size_t)i * item;
		if (dtype == TSR_BOOL)
			memcpy(to, &yes, 1);
		else if (dtype_kind(dtype) < KIND_FLOAT)
			dtype_convert(dtype, to, TSR_I64, &whole, 1);
		else
			dtype_convert(dtype, to, TSR_C128, pair, 1);
	}
}

/* the bits of a real number */
static inline uint64_t bits_at(tsr_dtype dtype, const void *x)
{
	uint64_t eight;
	uint32_t four;
	uint16_t two;

	switch (tsr_dtype_size(dtype)) {
	case 8: return memcpy(&eight, x, 8), eight;
	case 4: return memcpy(&four, x, 4), four;
	case 2: return memcpy(&two, x, 2), two;
	default: return *(const uint8_t *)x;
	}
}

/* more than those of infinity, without the sign */
static inline bool is_nan_bits(tsr_dtype dtype, uint64_t bits)
{
	switch (dtype) {
	case TSR_F16: return (bits & 0x7fff) > 0x7c00;
	case TSR_BF16: return (bits & 0x7fff) > 0x7f80;
	case TSR_F32: return (bits & 0x7fffffff) > 0x7f800000;
	case TSR_F64: return (bits & INT64_MAX) > 0x7ff0000000000000;
	default: return false;
	}
}

static inline bool is_nan_at(tsr_dtype dtype, const void *x)
{
	return is_nan_bits(dtype, bits_at(dtype, x));
}

/* the index of the first element whose bits differ (NaN is equal to NaN), or -1 */
static inline int64_t first_difference(const type *t, const void *a, const void *b)
{
	const bool pairs = dtype_kind(t->dtype) == KIND_COMPLEX;
	const tsr_dtype real = dtype_real(t->dtype);
	const size_t item = tsr_dtype_size(real);

	if (!memcmp(a, b, type_bytes(t))) return -1;
	for (int64_t i = 0; i < t->size * (pairs ? 2 : 1); i++) {
		const uint64_t x = bits_at(real, (const char *)a + (size_t)i * item);
		const uint64_t y = bits_at(real, (const char *)b + (size_t)i * item);
		if (x == y || (is_nan_bits(real, x) && is_nan_bits(real, y))) continue;
		return pairs ? i / 2 : i;
	}
	return -1;
}

/* the equations of p one by one; values: of each variable, those of inputs are there. They are the
 * caller's to free */
static inline void run_equations(const program *p, void **values)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		const void *x[32];
		void *y[32];
		assert_true(e->nin <= 32);
		for (int j = 0; j < e->nin; j++) {
			const int32_t id = e->in[j].id;
			x[j] = p->vars[id].literal ? p->vars[id].literal : values[id];
		}
		eval_eqn(p, e, x, y);
		for (int j = 0; j < e->nout; j++) values[e->out[j].id] = y[j];
	}
}

/* why the kernel of p differs from its equations on hard values; NULL: it does not, or it was too
 * large (*fits is false) */
static inline const char *kernel_fault(const program *p, uint64_t *random, bool *fits)
{
	static char text[256];
	const void *x[16];
	void *y[16], **values = calloc((size_t)p->nvars + 1, sizeof *values);
	const char *fault = NULL;
	kernel *k = kernel_lower(p, fits);

	assert_true(values && p->nin <= 16 && p->nout <= 16);
	if (!k) {
		free(values);
		return *fits ? error_text(p->ir->base) : NULL;
	}
	for (int i = 0; i < p->nin; i++) {
		const type *t = type_of(p, p->in[i]);
		x[i] = values[p->in[i].id] = block_make(type_bytes(t));
		fill_hard(t->dtype, values[p->in[i].id], t->size, random);
	}
	for (int j = 0; j < p->nout; j++) {
		y[j] = block_make(type_bytes(type_of(p, p->out[j])));
		memset(y[j], 0xa5, type_bytes(type_of(p, p->out[j])));
	}
	run_equations(p, values);
	if (!kernel_verify(k) || !kernel_eval(k, x, y)) fault = error_text(p->ir->base);
	for (int j = 0; !fault && j < p->nout; j++) {
		const var v = p->out[j];
		const void *want = p->vars[v.id].literal ? p->vars[v.id].literal : values[v.id];
		const int64_t at = first_difference(type_of(p, v), y[j], want);
		if (at < 0) continue;
		snprintf(text, sizeof text, "element %lld of result %d is %.17g, not %.17g",
		         (long long)at, j, dtype_get(type_of(p, v)->dtype, y[j], at),
		         dtype_get(type_of(p, v)->dtype, want, at));
		fault = text;
	}
	for (int j = 0; j < p->nout; j++) free(y[j]);
	for (int i = 0; i <= p->nvars; i++) free(values[i]);
	free(values);
	kernel_free(k);
	return fault;
}

static inline void print_both(const program *p)
{
	str s = {.base = p->ir->base};
	bool fits;
	kernel *k = kernel_lower(p, &fits);

	program_print(&s, p, 0);
	if (k) kernel_print(&s, k);
	if (s.s) fputs(s.s, stderr);
	str_free(&s);
	kernel_free(k);
}

static inline uint64_t from_environment(const char *name, uint64_t usual)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : usual;
}

#endif
