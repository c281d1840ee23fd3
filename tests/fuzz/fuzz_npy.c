/* fuzz_npy.c - any bytes as an .npy file: what is accepted survives writing and reading again. */
#include "lib/host.h"
#include <stdint.h>
#include <stdlib.h>

static void require(bool held)
{
	if (!held) abort();
}

/* the data in C order, behind a header of ours, reads back as the same array */
static void round_trip(base *b, const npy *in, const unsigned char *data)
{
	str file = {.base = b};
	npy again;

	npy_header(&file, in->dtype, in->dims, in->ndim);
	const size_t header = file.len;
	str_putn(&file, (const char *)data, in->bytes);
	require(!file.lost && header % 64 == 0);
	require(npy_parse(b, NULL, "again", file.s, file.len, &again));
	require(again.dtype == in->dtype && again.bytes == in->bytes && again.offset == header);
	require(dims_same(again.dims, again.ndim, in->dims, in->ndim));
	require(!again.fortran && again.bytes + again.offset == file.len);
	unsigned char *copy = malloc(in->bytes + 1);
	require(copy);
	npy_unpack(&again, file.s, copy);
	require(memcmp(copy, data, in->bytes) == 0);
	free(copy);
	str_free(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	base b;
	npy file;

	require(base_init(&b, NULL, NULL, 0));
	if (npy_parse(&b, NULL, "input", bytes, n, &file)) {
		unsigned char *data = malloc(file.bytes + 1);
		require(data && !failed(&b));
		npy_unpack(&file, bytes, data);
		round_trip(&b, &file, data);
		free(data);
	} else {
		require(error_code(&b) == TSR_ERROR_FILE ||
		        error_code(&b) == TSR_ERROR_UNSUPPORTED);
	}
	error_clear(&b);
	base_fini(&b);
	return 0;
}
