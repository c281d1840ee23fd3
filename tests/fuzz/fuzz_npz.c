/* fuzz_npz.c - any bytes as an .npz file: it is refused, or arrays load from it.
 *
 * Checksums of compressed arrays are right by chance alone, so few of these load; but all the way
 * there is gone. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	fuzz_archive(&npz_type, bytes, n);
	return 0;
}
