/* fuzz.h - the entry of a fuzzer of program texts: a fresh context for each input, checked for
 * leaks at its end. */
#ifndef TSR_TESTS_FUZZ_H
#define TSR_TESTS_FUZZ_H
#include <stdio.h>
#include <stdlib.h>
#include "pass/pass.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline int fuzz_input(void (*one)(ir *, const char *text, size_t size), const uint8_t *data,
                             size_t size)
{
	device devices[8] = {0};
	base bs;
	shards sh;
	ir r;

	for (int k = 0; k < 8; k++) devices[k].id = k;
	if (!base_init(&bs, NULL, NULL, (size_t)256 << 20)) return 0;
	if (!shards_init(&sh, &bs, NULL, devices, 8)) abort();
	if (!ir_init(&r, &bs, &sh, all_prims, all_prims_count)) abort();
	one(&r, (const char *)data, size);
	ir_fini(&r);
	shards_fini(&sh);
	base_fini(&bs);
	if (mem_in_use(&bs)) abort();
	return 0;
}

#endif
