/* instance.c - a case with the context it runs in. */
#include "bench.h"

bool open_case(bench *b, const bench_case *c, const int64_t *size, const char *engine,
               const char *debug)
{
	*b = (bench){.size = size};
	b->ctx = tsr_open(.devices = c->devices, .engine = engine, .debug = debug);
	b->mesh = tsr_mesh_make(b->ctx, {"i", c->devices});
	c->setup(b);
	return tsr_status(b->ctx) == TSR_OK;
}

int close_case(bench *b)
{
	for (int k = 0; k < BENCH_STATE; k++) tsr_drop(&b->state[k]);
	return tsr_close(b->ctx);
}

void take_step(bench *b, const bench_case *c, void (*see)(bench *b, tsr *x, int k))
{
	TSR_SCOPE(b->ctx);
	tsr *out[BENCH_OUTS] = {NULL};

	c->step(b, out);
	for (int k = 0; k < BENCH_OUTS && out[k]; k++) tsr_wait(out[k]);
	for (int k = 0; see && k < BENCH_OUTS && out[k]; k++) see(b, out[k], k);
}
