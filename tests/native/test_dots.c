/* test_dots.c - matrix products as kernels: sizes around rows, lanes, vectors and blocks, each
 * operand as it is and transposed, alone and with what stands before and behind. One of so many
 * draws of all combinations; TSR_ALL=1 takes all. */
#include "native_rig.h"

#define OF_MANY (SANITIZED ? 97 : 19)

static const int64_t rows[] = {1, 3, 4, 5, 9}, depths[] = {1, 5, 16, 17, 32, 256, 272, 300},
		     columns[] = {1, 7, 16, 33, 64, 70};
static const tsr_dtype dtypes[] = {TSR_F32, TSR_F64, TSR_C64, TSR_BF16, TSR_I32, TSR_BOOL};

/* M, K, N: the sizes */
static const char *const texts[] = {
	"(%0: T[M,K], %1: T[K,N]) -> T[M,N] {\n%2: T[M,N] = dot_general %0 %1 contract_a=[1] "
	"contract_b=[0] batch_a=[] batch_b=[] dtype=T\nreturn %2\n}",
	"(%0: T[K,M], %1: T[K,N]) -> T[M,N] {\n%2: T[M,N] = dot_general %0 %1 contract_a=[0] "
	"contract_b=[0] batch_a=[] batch_b=[] dtype=T\nreturn %2\n}",
	"(%0: T[M,K], %1: T[N,K]) -> T[M,N] {\n%2: T[M,N] = dot_general %0 %1 contract_a=[1] "
	"contract_b=[1] batch_a=[] batch_b=[] dtype=T\nreturn %2\n}",
	"(%0: T[2,M,K], %1: T[2,K,N]) -> T[2,M,N] {\n%2: T[2,M,N] = dot_general %0 %1 "
	"contract_a=[2] contract_b=[1] batch_a=[0] batch_b=[0] dtype=T\nreturn %2\n}",
	/* an operand that is padded, and a result that has something added */
	"(%0: T[M,K], %1: T[K,N], %2: T[N], %3: T[]) -> T[M,N] {\n"
	"%4: T[M,K] = pad %0 %3 low=[1,0] high=[-1,0] interior=[0,0]\n"
	"%5: T[M,N] = dot_general %4 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] "
	"dtype=T\n%6: T[M,N] = broadcast_in_dim %2 dims=[M,N] at=[1]\n"
	"%7: T[M,N] = add %5 %6\nreturn %7\n}",
};

static void with_sizes(char *to, size_t room, const char *text, const int64_t *size,
                       tsr_dtype dtype)
{
	size_t at = 0;

	for (const char *c = text; *c && at + 24 < room; c++) {
		const int which = *c == 'M' ? 0 : *c == 'K' ? 1 : *c == 'N' ? 2 : -1;
		if (which >= 0)
			at += (size_t)snprintf(to + at, room - at, "%lld", (long long)size[which]);
		else if (*c == 'T')
			at += (size_t)snprintf(to + at, room - at, "%s", tsr_dtype_name(dtype));
		else
			to[at++] = *c;
	}
	to[at] = 0;
}

static void check(rig *r, const char *of, const int64_t *size, tsr_dtype dtype)
{
	static uint64_t random = 11;
	char text[1024];
	bool fits;

	with_sizes(text, sizeof text, of, size, dtype);
	program *p = program_parse(&r->ir, NULL, text, strlen(text));
	if (!p) fail_msg("%s: %s", text, error_text(&r->base));
	const char *fault = native_fault(p, &random, &fits);
	if (fault) fail_msg("%s\n%s", text, fault);
	program_release(p);
}

static void products_equal_eval(void **state)
{
	const bool all = getenv("TSR_ALL") != NULL;
	const size_t m = ARRAY_LEN(rows), k = ARRAY_LEN(depths), n = ARRAY_LEN(columns);
	int turn = 0, count = 0;

	for (size_t t = 0; t < ARRAY_LEN(texts); t++)
		for (size_t d = 0; d < ARRAY_LEN(dtypes); d++)
			for (size_t i = 0; i < m * k * n; i++) {
				const int64_t size[] = {rows[i % m], depths[i / m % k],
				                        columns[i / m / k]};
				if (turn++ % OF_MANY && !all) continue;
				check(*state, texts[t], size, dtypes[d]);
				count++;
			}
	print_message("%d products\n", count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(products_equal_eval)};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
