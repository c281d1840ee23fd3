/* quiet.c - the engine of examples/engine/tiny.c made wrong: the function named by the variable
 * TSR_TEST_FAILS fails, and records no error; with NO_ABI it does not say its release. */
#define tsr__engine tiny_engine
#define tsr__engine_abi tiny_engine_abi
#include "engine/tiny.c"
#undef tsr__engine
#undef tsr__engine_abi
#include <stdlib.h>

static bool fails(const char *name)
{
	const char *chosen = getenv("TSR_TEST_FAILS");

	return chosen && strcmp(chosen, name) == 0;
}

static buffer *quiet_alloc(engine *of, int memory, size_t bytes, bool clear)
{
	return fails("alloc") ? NULL : tiny_alloc(of, memory, bytes, clear);
}

static buffer *quiet_wrap(engine *of, int memory, void *data, size_t bytes, bool writable,
                          void (*release)(void *user, void *data), void *user)
{
	return fails("wrap") ? NULL : tiny_wrap(of, memory, data, bytes, writable, release, user);
}

static bool quiet_read(buffer *b, elements at, void *to, const int64_t *strides, const extent *x)
{
	return !fails("read") && tiny_read(b, at, to, strides, x);
}

static bool quiet_write(buffer *b, elements at, const void *from, const int64_t *strides,
                        const extent *x)
{
	return !fails("write") && tiny_write(b, at, from, strides, x);
}

static bool quiet_copy(buffer *to, elements at, buffer *from, elements there, const extent *x)
{
	return !fails("copy") && tiny_copy(to, at, from, there, x);
}

static executable *quiet_compile(engine *of, const program *p, device_set set)
{
	return fails("compile") ? NULL : tiny_compile(of, p, set);
}

static bool quiet_wait(engine_run *r, buffer **out)
{
	const executable *x = r->of;

	if (!tiny_wait(r, out)) return false;
	if (!fails("wait")) return true;
	for (int64_t i = 0; i < x->program->nout * x->set.n; i++) tsr__buffer_release(out[i]);
	return false;
}

__attribute__((visibility("default"))) extern const engine_type tsr__engine;
__attribute__((visibility("default"))) extern const char *const tsr__engine_abi;

const engine_type tsr__engine = {
	.name = "quiet",
	.doc = "fails without a word",
	.why_not = tiny_why_not,
	.alloc = quiet_alloc,
	.wrap = quiet_wrap,
	.free = tiny_free,
	.read = quiet_read,
	.write = quiet_write,
	.copy = quiet_copy,
	.borrow = tiny_borrow,
	.ready = tiny_ready,
	.compile = quiet_compile,
	.compiled = tiny_compiled,
	.bytes = tiny_bytes,
	.start = tiny_start,
	.poll = tiny_poll,
	.wait = quiet_wait,
	.cancel = tiny_cancel,
	.release = tiny_release,
	.close = tiny_close,
};
#ifdef NO_ABI
const char *const tsr__engine_abi = NULL;
#else
const char *const tsr__engine_abi = tsr__abi;
#endif
