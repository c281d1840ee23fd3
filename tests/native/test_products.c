/* test_products.c - products of matrices as kernels, alone and with equations fused behind them:
 * sizes around every tile, vector, lane and block, each dtype and transposition, against the slow
 * evaluator, bit for bit. TSR_SEED repeats one draw, TSR_DRAWS says how many there are. */
#include "native_rig.h"

static const int64_t rows[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17};
static const int64_t columns[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,   10,  11, 12,
                                  13, 14, 15, 16, 17, 18, 23, 24, 25, 30,  31,  32, 33,
                                  47, 48, 49, 63, 64, 65, 79, 80, 81, 127, 128, 129};
static const int64_t summed[] = {0,  1,  2,  3,  4,  5,  6,  7,   8,   9,   10,  11,  12,  13,
                                 14, 15, 16, 17, 31, 32, 33, 255, 256, 257, 272, 511, 512, 513};
#define MOST_STEPS 60000

/* M, N, K: a size; T: the dtype */
static const char *const texts[] = {
	"(%0: T[M,K], %1: T[K,N]) -> T[M,N] {\n%2: T[M,N] = dot_general %0 %1 contract_a=[1] "
	"contract_b=[0] batch_a=[] batch_b=[] dtype=T\nreturn %2\n}",
	"(%0: T[K,M], %1: T[K,N]) -> T[M,N] {\n%2: T[M,N] = dot_general %0 %1 contract_a=[0] "
	"contract_b=[0] batch_a=[] batch_b=[] dtype=T\nreturn %2\n}",
	"(%0: T[M,K], %1: T[N,K]) -> T[M,N] {\n%2: T[M,N] = dot_general %0 %1 contract_a=[1] "
	"contract_b=[1] batch_a=[] batch_b=[] dtype=T\nreturn %2\n}",
	"(%0: T[K,M], %1: T[N,K]) -> T[M,N] {\n%2: T[M,N] = dot_general %0 %1 contract_a=[0] "
	"contract_b=[1] batch_a=[] batch_b=[] dtype=T\nreturn %2\n}",
	"(%0: T[2,M,K], %1: T[2,K,N]) -> T[2,M,N] {\n%2: T[2,M,N] = dot_general %0 %1 "
	"contract_a=[2] contract_b=[1] batch_a=[0] batch_b=[0] dtype=T\nreturn %2\n}",
	/* a matrix and a vector; the sum runs over two dims */
	"(%0: T[N,K], %1: T[K]) -> T[N] {\n%2: T[N] = dot_general %0 %1 contract_a=[1] "
	"contract_b=[0] batch_a=[] batch_b=[] dtype=T\nreturn %2\n}",
	"(%0: T[K], %1: T[K,N]) -> T[N] {\n%2: T[N] = dot_general %0 %1 contract_a=[0] "
	"contract_b=[0] batch_a=[] batch_b=[] dtype=T\nreturn %2\n}",
	"(%0: T[M,3,K], %1: T[K,3,N]) -> T[M,N] {\n%2: T[M,N] = dot_general %0 %1 "
	"contract_a=[1,2] contract_b=[1,0] batch_a=[] batch_b=[] dtype=T\nreturn %2\n}",
	/* heads of attention */
	"(%0: T[2,M,3,K], %1: T[2,N,3,K]) -> T[2,3,M,N] {\n%2: T[2,3,M,N] = dot_general %0 %1 "
	"contract_a=[3] contract_b=[3] batch_a=[0,2] batch_b=[0,2] dtype=T\nreturn %2\n}",
	"(%0: T[2,3,M,K], %1: T[2,K,3,N]) -> T[2,3,M,N] {\n%2: T[2,3,M,N] = dot_general %0 %1 "
	"contract_a=[3] contract_b=[1] batch_a=[0,1] batch_b=[0,2] dtype=T\nreturn %2\n}",
	/* a layer, with values of the row and of the column beside it */
	"(%0: T[M,K], %1: T[K,N], %2: T[N], %3: T[M]) -> T[M,N], T[M] {\n"
	"%4: T[M,N] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] "
	"dtype=T\n%5: T[M,N] = broadcast_in_dim %2 dims=[M,N] at=[1]\n"
	"%6: T[M] = mul %3 %3\n%7: T[M,N] = broadcast_in_dim %6 dims=[M,N] at=[0]\n"
	"%8: T[M,N] = add %4 %5\n%9: T[M,N] = mul %8 %7\n%10: bool[M,N] = eq %9 %8\n"
	"%11: T[M,N] = select_n %10 %4 %9\nreturn %11 %6\n}",
	"(%0: T[M,K], %1: T[N,K], %2: T[M,N]) -> T[M,N], T[M,N] {\n"
	"%3: T[M,N] = dot_general %0 %1 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[] "
	"dtype=T\n%4: T[M,N] = add %3 %2\n%5: T[M,N] = mul %4 %2\nreturn %4 %5\n}",
	/* operands that are computed */
	"(%0: T[M,K], %1: T[K,N], %2: T[M,K]) -> T[M,N] {\n%3: T[M,K] = add %0 %2\n"
	"%4: T[K,N] = mul %1 %1\n%5: T[M,N] = dot_general %3 %4 contract_a=[1] contract_b=[0] "
	"batch_a=[] batch_b=[] dtype=T\nreturn %5\n}",
	"(%0: T[M,K], %1: T[N,K]) -> T[M,N] {\n%2: T[M,K] = mul %0 %0\n"
	"%3: T[M,N] = dot_general %2 %1 contract_a=[1] contract_b=[1] "
	"batch_a=[] batch_b=[] dtype=T\nreturn %3\n}",
	"(%0: T[M,K], %1: T[N,K], %2: T[]) -> T[M,N] {\n"
	"%3: T[M,L] = pad %0 %2 low=[0,1] high=[0,0] interior=[0,0]\n"
	"%4: T[N,L] = pad %1 %2 low=[0,0] high=[0,1] interior=[0,0]\n"
	"%5: T[M,N] = dot_general %3 %4 contract_a=[1] contract_b=[1] "
	"batch_a=[] batch_b=[] dtype=T\nreturn %5\n}",
	/* the sum of two, as of two devices */
	"(%0: T[K,M], %1: T[K,N], %2: T[K,M], %3: T[K,N], %4: T[M,N]) -> T[M,N] {\n"
	"%5: T[M,N] = dot_general %0 %1 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] "
	"dtype=T\n%6: T[M,N] = dot_general %2 %3 contract_a=[0] contract_b=[0] batch_a=[] "
	"batch_b=[] dtype=T\n%7: T[M,N] = add %5 %6\n%8: T[M,N] = sub %4 %7\nreturn %8\n}",
	/* sums, not of products */
	"(%0: T[M,K,N]) -> T[M,N] {\n%1: T[M,N] = reduce_sum %0 dims=[1]\nreturn %1\n}",
	"(%0: T[M,N,K]) -> T[M,N] {\n%1: T[M,N] = reduce_sum %0 dims=[2]\nreturn %1\n}",
};

typedef struct draw {
	uint64_t random;
	int64_t m, n, k;
	tsr_dtype dtype;
	const char *text;
	bool tiny;
} draw;

static uint64_t drawn(draw *d, uint64_t n) { return random_bits(&d->random) % n; }

static void make(draw *d)
{
	d->text = texts[drawn(d, 3) ? drawn(d, 4) : drawn(d, ARRAY_LEN(texts))];
	d->dtype = (tsr_dtype)(TSR_BOOL + drawn(d, TSR_DTYPE_COUNT_ - TSR_BOOL));
	if (drawn(d, 3) == 0) d->dtype = TSR_F32;
	d->tiny = drawn(d, 4) == 0;
	do {
		d->m = rows[drawn(d, ARRAY_LEN(rows))];
		d->n = columns[drawn(d, ARRAY_LEN(columns))];
		d->k = summed[drawn(d, ARRAY_LEN(summed))];
	} while (d->m * d->n * d->k > MOST_STEPS);
}

static void write_text(const draw *d, char *to, size_t room)
{
	static const char letters[] = "MNKL";
	size_t at = 0;

	for (const char *c = d->text; *c && at + 24 < room; c++) {
		const char *size = strchr(letters, *c);
		const int64_t sizes[] = {d->m, d->n, d->k, d->k + 1};
		if (size)
			at += (size_t)snprintf(to + at, room - at, "%lld",
			                       (long long)sizes[size - letters]);
		else if (*c == 'T')
			at += (size_t)snprintf(to + at, room - at, "%s", tsr_dtype_name(d->dtype));
		else
			to[at++] = *c;
	}
	to[at] = 0;
}

/* products of which each is too small for a denormal number, and negative: -0 */
static void fill_tiny(const operands *o, tsr_dtype dtype)
{
	const double size = dtype_bits(dtype_real(dtype)) == 64 ? 1e-200 : 1e-30;

	for (int i = 0; i < o->p->nin; i++)
		for (int64_t j = 0; j < type_of(o->p, o->p->in[i])->size; j++) {
			const double x[2] = {i % 2 ? -size : size, 0};
			dtype_convert(dtype, o->in[i].data + (size_t)j * tsr_dtype_size(dtype),
			              TSR_C128, x, 1);
		}
}

static const char *draw_fault(draw *d, const program *p)
{
	bool fits;
	kernel *k = kernel_lower(p, &fits);
	const char *fault = NULL;

	if (!k) return "no kernel";
	operands o = operands_make(p, &d->random);
	if (d->tiny && dtype_kind(d->dtype) >= KIND_FLOAT) fill_tiny(&o, d->dtype);
	if (!operands_evaluate(&o, k)) fault = error_text(p->ir->base);
	for (int w = 0; !fault && w < WIDTHS; w++) fault = compiled_fault(&o, k, w, &d->random);
	operands_free(&o);
	kernel_free(k);
	return fault;
}

/* whether the dtype has the equations */
static bool check(rig *r, draw *d, uint64_t seed)
{
	char text[2048];

	write_text(d, text, sizeof text);
	program *p = program_parse(&r->ir, NULL, text, strlen(text));
	if (!p) {
		error_clear(&r->base);
		return false;
	}
	const char *fault = draw_fault(d, p);
	if (fault) {
		print_both(p);
		fail_msg("seed %llu%s: %s", (unsigned long long)seed, d->tiny ? " (tiny)" : "",
		         fault);
	}
	program_release(p);
	return true;
}

/* lanes and blocks that all are -0, and some that are missing, which are +0 */
static void zeros_have_their_sign(void **state)
{
	static const int64_t sums[] = {1,   2,   4,   5,   8,   9,   15,  16,  17,  32,
	                               255, 256, 257, 272, 511, 512, 528, 768, 784, 1024};

	for (size_t t = 0; t < 7; t++)
		for (size_t i = 0; i < ARRAY_LEN(sums); i += SANITIZED ? 5 : 1) {
			draw d = {t + 1, 5, 9, sums[i], TSR_F32, texts[t], true};
			assert_true(check(*state, &d, 0));
		}
}

static void products_equal_eval(void **state)
{
	const bool one = getenv("TSR_SEED") != NULL;
	const uint64_t seed = from_environment("TSR_SEED", 20261123);
	const uint64_t draws = one ? 1 : from_environment("TSR_DRAWS", SANITIZED ? 40 : 150);
	uint64_t count = 0;

	for (uint64_t i = 0; i < draws; i++) {
		draw d = {.random = (seed + i) * 0x9e3779b97f4a7c15u};
		make(&d);
		count += check(*state, &d, seed + i);
	}
	print_message("seed %llu, %llu draws, %llu kernels\n", (unsigned long long)seed,
	              (unsigned long long)draws, (unsigned long long)count);
	assert_true(one || 2 * count > draws);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(products_equal_eval),
	                                   cmocka_unit_test(zeros_have_their_sign)};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
