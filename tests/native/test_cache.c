/* test_cache.c - kernels that are equal but for their literals are compiled once in a process, from
 * any number of threads, and unused code is freed. */
#include <pthread.h>
#include "native_rig.h"

#define KERNELS 24
#define THREADS 4

typedef struct shelf { /* kernels: x * factor of n elements */
	program *p[KERNELS];
	kernel *k[KERNELS];
} shelf;

static kernel *kernel_of(rig *r, int64_t n, int factor, program **p)
{
	char text[32], equation[32];
	bool fits;

	snprintf(text, sizeof text, "f32[%lld]", (long long)n);
	snprintf(equation, sizeof equation, "mul %%0 %d.0:f32", factor);
	*p = rig_program(r, text, equation, text, TSR_F32);
	kernel *k = kernel_lower(*p, &fits);
	assert_non_null(k);
	return k;
}

static shelf shelf_make(rig *r, int64_t first, int factor)
{
	shelf s;

	for (int i = 0; i < KERNELS; i++) s.k[i] = kernel_of(r, first + i, factor, &s.p[i]);
	return s;
}

static void shelf_free(shelf *s)
{
	for (int i = 0; i < KERNELS; i++) {
		kernel_free(s->k[i]);
		program_release(s->p[i]);
	}
}

static void compile(const shelf *s, int w, native_code *code)
{
	const natives *n = natives_get();
	char error[256];

	if (!n->type->compile(n->open[w], (const kernel *const *)s->k, NULL, KERNELS, code, error,
	                      sizeof error))
		fail_msg("%s", error);
}

static void release(int w, native_code *code)
{
	const natives *n = natives_get();

	for (int i = 0; i < KERNELS; i++) n->type->release(n->open[w], &code[i]);
}

static void multiplies(const native_code *code, int64_t n, float factor)
{
	float x[2048], y[2048];
	uint64_t literal = 0;
	char *at[3] = {(char *)x, (char *)&literal, (char *)y};

	memcpy(&literal, &factor, sizeof factor);
	for (int64_t i = 0; i < n; i++) x[i] = (float)i;
	code->run(at, 0, code->items);
	for (int64_t i = 0; i < n; i++) assert_true(y[i] == factor * (float)i);
}

static void equal_kernels_share_code(void **state)
{
	shelf a = shelf_make(*state, 100, 2), b = shelf_make(*state, 100, 3);
	native_code one[KERNELS], two[KERNELS], wide[KERNELS];

	compile(&a, 0, one);
	compile(&b, 0, two);
	compile(&b, 1, wide);
	for (int i = 0; i < KERNELS; i++) {
		assert_ptr_equal(one[i].run, two[i].run);
		assert_ptr_not_equal(one[i].run, wide[i].run);
		multiplies(&one[i], 100 + i, 2);
		multiplies(&one[i], 100 + i, 3);
		for (int j = 0; j < i; j++) assert_ptr_not_equal(one[i].run, one[j].run);
	}
	release(0, one);
	multiplies(&two[3], 103, 3);
	native_run *const was = two[5].run;
	release(0, two);
	release(1, wide);
	assert_null(two[5].held);
	compile(&a, 0, one); /* still there */
	assert_ptr_equal(one[5].run, was);
	release(0, one);
	shelf_free(&a);
	shelf_free(&b);
}

/* more than stay when nobody uses them: those of the start have gone, and come again */
static void unused_code_goes(void **state)
{
	for (int round = 0; round < (SANITIZED ? 8 : 50); round++) {
		shelf s = shelf_make(*state, 400 + (round % 49) * KERNELS, 2);
		native_code code[KERNELS];
		compile(&s, 0, code);
		multiplies(&code[7], 400 + (round % 49) * KERNELS + 7, 2);
		release(0, code);
		shelf_free(&s);
	}
}

typedef struct user {
	const shelf *shelf;
	native_code code[KERNELS];
	bool ok;
} user;

static void *use(void *of)
{
	user *u = of;
	const natives *n = natives_get();
	char error[256];

	u->ok = true;
	for (int round = 0; u->ok && round < 20; round++) {
		const int w = round % WIDTHS;
		u->ok = n->type->compile(n->open[w], (const kernel *const *)u->shelf->k, NULL,
		                         KERNELS, u->code, error, sizeof error);
		for (int i = 0; u->ok && i < KERNELS; i++) {
			float x[64] = {1.5f, 2.5f}, y[64];
			uint64_t *literals = (uint64_t *)(uintptr_t)u->shelf->k[i]->literals;
			u->code[i].run((char *[]){(char *)x, (char *)literals, (char *)y}, 0,
			               u->code[i].items);
			u->ok = y[0] == 3 && y[1] == 5;
			n->type->release(n->open[w], &u->code[i]);
		}
	}
	return NULL;
}

static void threads_share(void **state)
{
	shelf s = shelf_make(*state, 30, 2);
	pthread_t thread[THREADS];
	user users[THREADS];

	natives_get();
	for (int i = 0; i < THREADS; i++) {
		users[i].shelf = &s;
		assert_int_equal(pthread_create(&thread[i], NULL, use, &users[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
	for (int i = 0; i < THREADS; i++) assert_true(users[i].ok);
	shelf_free(&s);
}

static void there_is_a_core(void **state)
{
	(void)state;
	assert_in_range(natives_get()->type->cores(), 1, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_kernels_share_code),
		cmocka_unit_test(unused_code_goes),
		cmocka_unit_test(threads_share),
		cmocka_unit_test(there_is_a_core),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
