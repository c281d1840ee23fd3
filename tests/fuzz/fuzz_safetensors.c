/* fuzz_safetensors.c - any bytes as a .safetensors file: it is refused, or its arrays load. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	fuzz_archive(&safetensors_type, bytes, n);
	return 0;
}
