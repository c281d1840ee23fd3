/* fuzz_npy.c - any bytes as an .npy file: accepted files survive writing and reading again. */
#include "lib/files/files.h"
#include "fuzz_files.h"

/* the elements in C order, behind a header of ours, read back as the same array */
static void round_trip(tsr_ctx *ctx, tsr *x)
{
	base *b = &ctx->base;
	const type *t = handle_type(x);
	const size_t bytes = (size_t)tsr_nbytes(x);
	void *data = malloc(bytes + 1), *again = malloc(bytes + 1);
	str file = {.base = b};

	npy_header(&file, t->dtype, t->dims, t->ndim);
	require(data && again && !file.lost && file.len % 64 == 0 && tsr_read(x, data, bytes));
	str_putn(&file, data, bytes);
	require(!file.lost);
	tsr *y = tsr_read_npy(ctx, file.s, file.len);
	require(handle_type(y) == t && tsr_read(y, again, bytes));
	require(memcmp(data, again, bytes) == 0);
	str_free(&file);
	free(data);
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	tsr_ctx *ctx = fuzz_ctx();
	TSR_SCOPE(ctx);
	tsr *x = tsr_read_npy(ctx, bytes, n);

	if (!tsr_is_poison(x)) round_trip(ctx, x);
	else require_refused(ctx);
	return 0;
}
