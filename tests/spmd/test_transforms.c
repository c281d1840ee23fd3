/* test_transforms.c - Fourier transforms along whole dims of arrays with other dims cut: nothing is
 * sent, results and gradients are cut as the operand is, and the bits are those of one device.
 * Called alone and jitted, under grad and vmap, in loops, and inside maps that leave an axis. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#define D TSR_DIMS
#define P TSR_P

static tsr_mesh *grid; /* x:4, y:2 */

/* ---- of c64[a,8,b,4], along dims 1 and 3 */

static tsr *fft(tsr *x) { return tsr_fft(x, .dim = D(1)); }
static tsr *ifft(tsr *x) { return tsr_ifft(x, .dim = D(1)); }
static tsr *rfft(tsr *x) { return tsr_rfft(tsr_real(x), .dim = D(1)); }
static tsr *irfft(tsr *x) { return tsr_irfft(x, .dim = D(1)); }
static tsr *hfft(tsr *x) { return tsr_hfft(x, .dim = D(1)); }
static tsr *ihfft(tsr *x) { return tsr_ihfft(tsr_real(x), .dim = D(1)); }
static tsr *of_real(tsr *x) { return tsr_fft(tsr_imag(x), .dim = D(1)); }
static tsr *longer(tsr *x) { return tsr_fft(x, .dim = D(1), .n = 11); }
static tsr *shorter(tsr *x) { return tsr_fft(x, .dim = D(1), .n = 3, .norm = TSR_FFT_ORTHO); }
static tsr *fft2(tsr *x) { return tsr_fft2(x, .dims = D(1, 3)); }
static tsr *ifft2(tsr *x) { return tsr_ifft2(x, .dims = D(3, 1)); }
static tsr *fftn(tsr *x) { return tsr_fftn(x, .dims = D(1, 3)); }
static tsr *rfftn(tsr *x) { return tsr_rfftn(tsr_real(x), .dims = D(1, 3)); }
static tsr *irfftn(tsr *x) { return tsr_irfftn(x, .dims = D(1, 3), .lengths = D(5, 9)); }
static tsr *shifted(tsr *x) { return tsr_fftshift(x, .dims = D(1, 3)); }
static tsr *shifted_back(tsr *x) { return tsr_ifftshift(x, .dims = D(1)); }
static tsr *convolved(tsr *x)
{
	tsr *f = tsr_fft(x, .dim = D(1), .n = 16);
	return tsr_slice(tsr_ifft(tsr_mul(f, f), .dim = D(1)), 1, 4, 12);
}
static tsr *slope(tsr *x)
{
	tsr *k = tsr_reshape(tsr_fftfreq(x, 8), D(8, 1, 1));
	return tsr_ifft(tsr_mul(tsr_fft(x, .dim = D(1)), k), .dim = D(1));
}
static tsr *step(tsr *i, tsr *x) { return tsr_mul(slope(x), tsr_add(i, 1)); }
static tsr *in_loop(tsr *x) { return tsr_fori(0, 3, step, x); }

typedef tsr *function(tsr *);
static const struct one {
	const char *name;
	function *run;
} functions[] = {
	{"fft", fft},             {"ifft", ifft},       {"rfft", rfft},
	{"irfft", irfft},         {"hfft", hfft},       {"ihfft", ihfft},
	{"of real", of_real},     {"longer", longer},   {"shorter", shorter},
	{"fft2", fft2},           {"ifft2", ifft2},     {"fftn", fftn},
	{"rfftn", rfftn},         {"irfftn", irfftn},   {"shifted", shifted},
	{"back", shifted_back},   {"slope", slope},     {"in loop", in_loop},
	{"convolved", convolved},
};

/* ---- how they are called. .env: one of the functions */

static tsr *run_one(tsr_frame *f)
{
	const struct one *one = tsr_frame_env(f);
	return one->run(tsr_frame_arg(f, 0));
}
static void itself(tsr_frame *f) { tsr_return(f, run_one(f)); }
static void loss(tsr_frame *f) { tsr_return(f, tsr_sum(tsr_abs(run_one(f)))); }

static tsr *alone(const struct one *f, tsr *x) { return f->run(x); }
static tsr *jitted(const struct one *f, tsr *x)
{
	return tsr_call(tsr_jit(x, itself, TSR_ENV(f)), x);
}
static tsr *gradient(const struct one *f, tsr *x)
{
	return tsr_call(tsr_grad(x, loss, TSR_ENV(f)), x);
}
/* of twice as many, in a last dim */
static tsr *batched(const struct one *f, tsr *x)
{
	tsr *both = tsr_stack(4, x, tsr_mul(x, 2));
	return tsr_call(tsr_vmap(x, itself, TSR_ENV(f), .in = TSR_MAPPED(4),
	                         .out = TSR_MAPPED(4)), both);
}
/* over x, dim 0; what cuts dim 2 is left */
static tsr *mapped(const struct one *f, tsr *x)
{
	return tsr_call(tsr_shard_map(grid, itself, TSR_ENV(f), .sig = "[x] -> [x]", .axes = "x"),
	                x);
}

static const struct way {
	const char *name;
	tsr *(*call)(const struct one *, tsr *);
} ways[] = {
	{"alone", alone}, {"jitted", jitted}, {"gradient", gradient}, {"batched", batched},
	{"mapped", mapped},
};

/* ---- what is sent: the log of collectives that partition makes */

static void log_text(void *user, int level, const char *text)
{
	(void)level;
	if (strstr(text, " in all: each device receives ")) ++*(int *)user;
}

static tsr *numbers(tsr_ctx *ctx, const tsr_dims *dims)
{
	int64_t n = 1;

	for (int i = 0; i < 4; i++) n *= dims->d[1 + i];
	tsr *x = tsr_sin(tsr_arange(ctx, n, .dtype = TSR_F32));
	return tsr_reshape(tsr_complex(x, tsr_cos(x)), *dims);
}

static void check(const struct one *f, const struct way *w, tsr *x, tsr_spec spec, const int *sent)
{
	tsr_ctx *ctx = tsr_ctx_of(x);
	TSR_SCOPE(ctx);
	tsr *want = w->call(f, x), *cut = tsr_put(x, grid, spec);
	const int before = *sent;
	tsr *got = w->call(f, cut);
	const int after = *sent;
	const tsr_sharding *at = tsr_sharding_of(got), *like = tsr_sharding_of(cut);

	if (!tsr_array_equal(want, got))
		fail_msg("%s %s: other numbers; %s", f->name, w->name, tsr_message(ctx));
	if (after > before)
		fail_msg("%s %s: sends for %s", f->name, w->name, tsr_sharding_text(like));
	if (!tsr_sharding_equivalent(at, like, tsr_ndim(got)))
		fail_msg("%s %s: is at %s, not %s", f->name, w->name, tsr_sharding_text(at),
		         tsr_sharding_text(like));
}

/* a map over x takes dim 0 in blocks of it */
static bool takes(const struct way *w, tsr_spec spec, int64_t rows)
{
	return w->call != mapped || (spec.d[1] && strcmp(spec.d[1], "x") == 0 && rows % 4 == 0);
}

static void lines_stay_where_they_are(void **state)
{
	const tsr_spec specs[] = {P("x"), P("x", NULL, "y"), P(NULL, NULL, "x*y"),
		P("y", NULL, "x"), P("x*y")};
	const tsr_dims dims[] = {D(8, 8, 8, 4), D(8, 8, 5, 4), D(7, 8, 5, 4)};
	int sent = 0;
	tsr_ctx *ctx = tsr_open(.devices = 8, .debug = "C", .log = log_text, .user = &sent);

	(void)state;
	grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	for (size_t d = 0; d < sizeof dims / sizeof *dims; d++) {
		tsr *x = numbers(ctx, &dims[d]);
		for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
			for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
				for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
					if (takes(&ways[w], specs[s], dims[d].d[1]))
						check(&functions[k], &ways[w], x, specs[s], &sent);
	}
	assert_int_equal(sent, 0);
	/* along a dim that is cut that alone is gathered */
	tsr *cut = tsr_put(numbers(ctx, &dims[0]), grid, P("x", NULL, "y"));
	tsr *y = tsr_fft(cut, .dim = D(0));
	assert_int_equal(sent, 1);
	assert_ptr_equal(tsr_sharding_of(y), tsr_sharding_make(grid, P(NULL, NULL, "y")));
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(lines_stay_where_they_are)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
