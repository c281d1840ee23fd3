/* test_steps.c - functions in steps (src/prim/elementary/) have the bits of the functions that eval
 * and lower call: compiled, over the numbers of f32, and over drawn ones of f64.
 *
 * make check takes f32 numbers that are a prime number of bit patterns apart, so those of all
 * exponents and signs, NaN and infinities among them, and drawn ones, many of them close to where a
 * formula changes. With `all` as argument it takes all 2^32, and more of f64; `time` prints the
 * nanoseconds that each number takes, called and in steps; another argument is the one function to
 * take. */
#include <time.h>
#include <tsr/tsr.h>
#include "kernel/kernel_rig.h"

#ifndef PLUGIN_DIR
#define PLUGIN_DIR NULL /* the interpreter serves */
#endif

enum { BLOCK = 1 << 20, CLOSE = 64, APART = 4093, FEW_BLOCKS = 2, MANY_BLOCKS = 256 };

static bool all, timed;
static const char *only; /* NULL: all functions */

static const char *const of_one[] = {
	"atan", "asin",  "acos", "sinh", "cosh", "asinh", "acosh", "atanh",   "cbrt", "erf",
	"erfc", "tan",   "sin",  "cos",  "exp",  "exp2",  "expm1", "logistic", "log",  "log1p",
	"tanh", "erf_inv",
};
/* of the complex number of two: abs, and the parts of its root */
static const char *const of_two[] = {"atan2", "pow", "abs", "real sqrt", "imag sqrt"};

/* numbers where a formula or its result changes */
static const double corners[] = {0,       0x1p-149, 0x1p-126,  2.93873588e-39, 1e-8,
                                 1e-4,    0.5,      0.70710678, 0.75,           1,
                                 1.2,     1.5,      2.2,        2.5,            4.2,
                                 4.3,     6,        10.1,       15,             27.3,
                                 39000,   62.5,     88,         88.722839,      89,
                                 104,     125,      709,        709.78271,      710,
                                 1000,    0x1p18,   0x1p23,     0x1p24,         0x1p30,
                                 0x1p31,  1e14,     0x1p47,     0x1p63,         1.8446744e19,
                                 0x1p126, 0x1p127,  3.4028235e38, 1.3407807929942596355e+154,
                                 0x1p-1022, 0x1p-1074, 0x1p1023, 1.797693134862315708e308,
                                 INFINITY, 3.14159265358979312, 1.57079632679489656,
                                 0.785398163397448279, 0.996, 0x1p30, 0x1p-14, 14.5, 1e22,
                                 0x1.921fb54442d18p300, 0x1.6ac5b262ca1ffp849};

typedef struct trial {
	tsr_ctx *ctx;
	tsr_dtype dtype;
	int operands;
	const char *name;
	tsr_fn *called, *stepped;
	void *x[2], *y[2]; /* operands; results of both */
	uint64_t random;
} trial;

/* ---- numbers */

static uint32_t next_f32; /* the bits of the next number */

static double drawn(uint64_t *random, bool wide)
{
	const uint64_t bits = random_bits(random);
	const double corner = corners[bits / 4 % ARRAY_LEN(corners)];
	union {
		uint64_t bits;
		double number;
	} x = {.number = corner}, y = {random_bits(random)};
	union {
		uint32_t bits;
		float number;
	} z = {.number = (float)corner}, w = {(uint32_t)y.bits};

	if (bits % 4 == 0) { /* near a corner */
		x.bits += random_bits(random) % (2 * CLOSE) - CLOSE;
		z.bits += (uint32_t)(random_bits(random) % (2 * CLOSE)) - CLOSE;
		if (random_bits(random) & 1) x.number = -x.number, z.number = -z.number;
		return wide ? x.number : (double)z.number;
	}
	if (bits % 4 == 1) return wide ? y.number : (double)w.number;
	if (bits % 4 == 2) return random_in(random, -30, 30);
	return ldexp(random_in(random, -1, 1), (int)(random_bits(random) % (wide ? 80 : 40)) - 20);
}

static void fill_drawn(trial *t, void *x)
{
	for (int64_t i = 0; i < BLOCK; i++) {
		const double number = drawn(&t->random, t->dtype == TSR_F64);
		if (t->dtype == TSR_F64)
			((double *)x)[i] = number;
		else
			((float *)x)[i] = (float)number;
	}
}

static void fill_all(void *x, uint32_t apart)
{
	for (int64_t i = 0; i < BLOCK; i++, next_f32 += apart)
		memcpy((char *)x + 4 * i, &next_f32, 4);
}

/* ---- one block of numbers, called and in steps */

static tsr *result_of(const trial *t, tsr_fn *f)
{
	tsr *x[2] = {NULL};

	for (int k = 0; k < t->operands; k++)
		x[k] = tsr_from(t->ctx, t->x[k], t->dtype, TSR_DIMS(BLOCK));
	return t->operands == 1 ? tsr_call(f, x[0]) : tsr_call(f, x[0], x[1]);
}

static double number_at(const trial *t, const void *x, int64_t i)
{
	return t->dtype == TSR_F64 ? ((const double *)x)[i] : (double)((const float *)x)[i];
}

static void read_result(const trial *t, tsr_fn *f, void *to)
{
	TSR_SCOPE(t->ctx);

	tsr_read(result_of(t, f), to, BLOCK * tsr_dtype_size(t->dtype));
	assert_int_equal(tsr_status(t->ctx), 0);
}

static void check_block(trial *t)
{
	const type whole = {.dtype = t->dtype, .ndim = 1, .size = BLOCK};

	read_result(t, t->called, t->y[0]);
	read_result(t, t->stepped, t->y[1]);
	const int64_t i = first_difference(&whole, t->y[0], t->y[1]);
	if (i < 0) return;
	fail_msg("%s of %s: of %a and %a it is %a, in steps %a", t->name, tsr_dtype_name(t->dtype),
	         number_at(t, t->x[0], i), number_at(t, t->x[1], i), number_at(t, t->y[0], i),
	         number_at(t, t->y[1], i));
}

/* ---- how long they take */

enum { ROUNDS = 15 };

static double nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double time_of(const trial *t, tsr_fn *f)
{
	TSR_SCOPE(t->ctx);
	const double begin = nanoseconds();

	tsr_wait(result_of(t, f));
	return (nanoseconds() - begin) / BLOCK;
}

/* of numbers from -1 to 1, of acosh from 1 to 3 */
static void print_times(trial *t)
{
	const double from = strcmp(t->name, "acosh") == 0 ? 2 : 0;
	double least[2] = {INFINITY, INFINITY};

	for (int64_t i = 0; i < 2 * BLOCK; i++) {
		const double number = from + random_in(&t->random, -1, 1);
		if (t->dtype == TSR_F64)
			((double *)t->x[i / BLOCK])[i % BLOCK] = number;
		else
			((float *)t->x[i / BLOCK])[i % BLOCK] = (float)number;
	}
	for (int i = 0; i < ROUNDS; i++) {
		least[0] = fmin(least[0], time_of(t, t->called));
		least[1] = fmin(least[1], time_of(t, t->stepped));
	}
	printf("%-6s %s  %6.2f %6.2f\n", t->name, tsr_dtype_name(t->dtype), least[0], least[1]);
}

/* ---- functions */

/* the equations of a function of two numbers, %0 and %1. c: the complex dtype */
static void put_two(const trial *t, const char *d, const char *c, char *text, size_t room)
{
	const char *of_complex = strchr(t->name, ' '); /* behind the name of a part */

	if (strcmp(t->name, "abs") == 0)
		snprintf(text, room, "%%2: %s[%d] = complex %%0 %%1\n%%3: %s[%d] = abs %%2", c,
		         BLOCK, d, BLOCK);
	else if (of_complex)
		snprintf(text, room,
		         "%%2: %s[%d] = complex %%0 %%1\n%%4: %s[%d] =%s %%2\n"
		         "%%3: %s[%d] = %.4s %%4",
		         c, BLOCK, c, BLOCK, of_complex, d, BLOCK, t->name);
	else
		snprintf(text, room, "%%3: %s[%d] = %s %%0 %%1", d, BLOCK, t->name);
}

/* the text of the program; d: the dtype */
static const char *text_of(const trial *t, const char *d)
{
	static char text[512];
	char two[128];

	if (t->operands == 1) {
		snprintf(text, sizeof text,
		         "f(%%0: %s[%d]) -> %s[%d] {\n%%1: %s[%d] = %s %%0\nreturn %%1\n}\n", d,
		         BLOCK, d, BLOCK, d, BLOCK, t->name);
		return text;
	}
	put_two(t, d, t->dtype == TSR_F64 ? "c128" : "c64", two, sizeof two);
	snprintf(text, sizeof text,
	         "f(%%0: %s[%d], %%1: %s[%d]) -> %s[%d] {\n%s\nreturn %%3\n}\n", d, BLOCK, d,
	         BLOCK, d, BLOCK, two);
	return text;
}

static void trial_open(trial *t)
{
	t->ctx = tsr_open(.plugin_dir = PLUGIN_DIR);
	t->called = tsr_parse(t->ctx, text_of(t, tsr_dtype_name(t->dtype)));
	t->stepped = tsr_program_pass(t->called, "expand");
	if (tsr_status(t->ctx)) fail_msg("%s: %s", t->name, tsr_message(t->ctx));
	if (strcmp(tsr_program_text(t->stepped), tsr_program_text(t->called)) == 0)
		fail_msg("%s has no steps", t->name);
	for (int k = 0; k < 2; k++) {
		t->x[k] = block_make(BLOCK * tsr_dtype_size(t->dtype));
		t->y[k] = block_make(BLOCK * tsr_dtype_size(t->dtype));
	}
}

static void trial_close(trial *t)
{
	for (int k = 0; k < 2; k++) free(t->x[k]), free(t->y[k]);
	assert_int_equal(tsr_close(t->ctx), 0);
}

static void check_function(trial t)
{
	const bool whole = all && t.operands == 1 && t.dtype == TSR_F32;
	const int64_t blocks = whole ? ((int64_t)1 << 32) / BLOCK : all ? MANY_BLOCKS : FEW_BLOCKS;

	if (only && strcmp(only, t.name) != 0) return;
	trial_open(&t);
	next_f32 = 0;
	if (timed) print_times(&t);
	for (int64_t i = 0; i < blocks && !timed; i++) {
		if (t.dtype == TSR_F32 && (whole || i == 0))
			fill_all(t.x[0], whole ? 1 : APART);
		else
			fill_drawn(&t, t.x[0]);
		if (t.operands > 1 || !whole) fill_drawn(&t, t.x[1]);
		check_block(&t);
	}
	trial_close(&t);
}

static void of_f32(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(of_one); k++)
		check_function((trial){.dtype = TSR_F32, .operands = 1, .name = of_one[k]});
	for (size_t k = 0; k < ARRAY_LEN(of_two); k++)
		check_function((trial){.dtype = TSR_F32, .operands = 2, .name = of_two[k]});
}

static void of_f64(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(of_one); k++)
		check_function((trial){.dtype = TSR_F64, .operands = 1, .name = of_one[k]});
	for (size_t k = 0; k < ARRAY_LEN(of_two); k++)
		check_function((trial){.dtype = TSR_F64, .operands = 2, .name = of_two[k]});
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_f32),
		cmocka_unit_test(of_f64),
	};

	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "all") == 0)
			all = true;
		else if (strcmp(argv[i], "time") == 0)
			timed = true;
		else
			only = argv[i];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
