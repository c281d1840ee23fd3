/* pipeline.c - the way from a traced program to a per-device program. After each pass debug builds
 * run the verifier. */
#include "pass/pass.h"

bool pipeline(const program *global, const char *where, placed *out)
{
	if (!pass_partition(global, where, out)) return false;
#ifndef NDEBUG
	if (!program_verify(out->program, "partition")) {
		placed_free(out);
		return false;
	}
#endif
	return true;
}

void placed_free(placed *p)
{
	program_release(p->program);
	arena_free(p->arena);
	*p = (placed){0};
}
