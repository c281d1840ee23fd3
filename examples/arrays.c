/* arrays.c - shows arrays, computations with them, ownership, and errors. */
#include <tsr/tsr.h>
#define D TSR_DIMS

static void compute(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx); /* the arrays that are made in this block end with it */
	tsr *x = tsr_from(ctx, (float[]){1, 2, 3, 4, 5, 6}, TSR_F32, D(2, 3));
	tsr *total = tsr_sum(x, .dims = D(1), .keep = true); /* f32[2,1] */
	tsr *share = tsr_div(x, total);                      /* broadcast: f32[2,3] */

	tsr_print(share, .precision = 3);
	tsr_print(tsr_where(tsr_gt(x, 2), tsr_mul(10, x), 0));
	tsr_printf(ctx, "%s, its largest element is %g\n", tsr_type_text(share),
	           tsr_item(tsr_max(share)));
}

/* numbers come in by tsr_from() and go out by tsr_read() */
static void read_numbers(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx);
	double squares[4];

	tsr_read_into(tsr_square(tsr_arange(ctx, 4)), squares, .dtype = TSR_F64);
	tsr_printf(ctx, "%g %g %g %g\n", squares[0], squares[1], squares[2], squares[3]);
}

/* what is kept longer than a scope has a slot that owns it */
static void keep(tsr_ctx *ctx)
{
	tsr *sum = NULL;

	tsr_set(&sum, tsr_scalar(ctx, 0));
	for (int i = 1; i <= 100; i++) {
		TSR_SCOPE(ctx);
		tsr_set(&sum, tsr_add(sum, i));
	}
	tsr_printf(ctx, "%lld\n", (long long)tsr_item_int(sum));
	tsr_drop(&sum);
}

static void fail(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx);
	tsr *x = tsr_ones(ctx, D(2, 3));
	tsr *wrong = tsr_dot(x, x); /* rows of 3 times columns of 2: an error, and poison */
	tsr *later = tsr_sum(tsr_add(wrong, 1)); /* of poison: poison, and no further error */

	tsr_printf(ctx, "poison: %d, as a number %g\n", tsr_is_poison(later), tsr_item(later));
	if (tsr_status(ctx) == TSR_ERROR_TYPE) tsr_printf(ctx, "%s\n", tsr_message(ctx));
	tsr_clear(ctx); /* handled: otherwise tsr_close() returns the code */
}

/* errors are told where they happen; this program prints them itself, so the log stays quiet */
static void quiet(void *user, int level, const char *text) { (void)user, (void)level, (void)text; }

int main(void)
{
	tsr_ctx *ctx = tsr_open(.log = quiet);

	compute(ctx);
	read_numbers(ctx);
	keep(ctx);
	fail(ctx);
	return tsr_close(ctx);
}
