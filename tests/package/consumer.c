/* consumer.c - a program outside of this tree, with functions that have names of the library's
 * internal ones.
 * usage: consumer compiled|interpreted: whether its fn must be compiled, or must not */
#include <stdio.h>
#include <string.h>
#include <tsr/tsr.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

int fail = 1, failed = 2;
extern int fail, failed;
const char *mem_alloc(void);
const char *arena_make(void);
const char *mem_alloc(void) { return "mine"; }
const char *arena_make(void) { return "mine too"; }

static tsr *twice(tsr *x) { return tsr_add(x, x); }

/* with the letter c a fn is compiled for its first call, if anything is here that can */
static int compiles(void)
{
	tsr_ctx *ctx = tsr_open(.debug = "c");
	tsr_fn *f = tsr_jit(ctx, twice);
	const int right = tsr_item(tsr_call(f, tsr_scalar(ctx, 2.0))) == 4;
	const int compiles = (int)tsr_fn_stats(f).compiles;

	return tsr_close(ctx) == TSR_OK && right ? compiles : -1;
}

int main(int argc, char **argv)
{
	const char *expected = TEXT(TSR_VERSION_MAJOR) "." TEXT(TSR_VERSION_MINOR) "."
	                       TEXT(TSR_VERSION_PATCH);

	printf("libtsr %s, headers %s\n", tsr_version(), expected);
	if (strcmp(tsr_version(), expected) != 0) return 1;
	tsr_ctx *ctx = tsr_open(.devices = 2);
	if (tsr_close(ctx) != TSR_OK) return 2;
	if (argc != 2 || compiles() != (strcmp(argv[1], "compiled") == 0)) return 5;
	if (fail + failed != 3 || strcmp(mem_alloc(), "mine") != 0) return 3;
	return strcmp(arena_make(), "mine too") == 0 ? 0 : 4;
}
