/* test_s0x_printed.c - the output of the tutorial from inside of maps: the blocks of all devices,
 * one after the other. JAX prints them where the map runs eagerly; here a program prints. */
#include "support/golden.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- blocks, and collectives of them */

#define ON_1 "On cpu:{0} at mesh coordinates (i,) = ({0},):\n{1}\n"
#define ON_2 "On cpu:{0} at mesh coordinates (i, j,) = ({1}, {2}):\n{3}\n"

static bool on_line(const tsr *x)
{
	tsr_axis axes[4];

	return tsr_axis_sizes(tsr_ctx_of(x), axes, 4) == 1;
}

static tsr *print_as(tsr *x, const char *one, const char *two)
{
	if (on_line(x))
		tsr_debug_print(one, tsr_axis_index(x, "i"), x);
	else
		tsr_debug_print(two, tsr_axis_index(x, "i*j"), tsr_axis_index(x, "i"),
		                tsr_axis_index(x, "j"), x);
	return x;
}
static tsr *show(tsr *x) { return print_as(x, ON_1, ON_2); }
/* Python's print puts a space between the title and the text of the first device */
static tsr *before(tsr *x) { return print_as(x, "BEFORE:\n " ON_1, "BEFORE:\n " ON_2); }
static tsr *after(tsr *x) { return print_as(x, "AFTER:\n " ON_1, "AFTER:\n " ON_2); }

static tsr *is_first(tsr *x) { return tsr_eq(tsr_axis_index(x, on_line(x) ? "i" : "i*j"), 0); }

static tsr *around(tsr *x, tsr *(*collective)(tsr *))
{
	tsr *y = collective(tsr_cond(is_first(x), before, show, x));

	y = tsr_cond(is_first(x), after, show, y);
	return tsr_is_poison(y) ? y : x;
}
static tsr *psum(tsr *x) { return tsr_psum(x, "i"); }
static tsr *gather(tsr *x) { return tsr_all_gather(x, "i"); }
static tsr *gather_tiled(tsr *x) { return tsr_all_gather(x, "i", .tiled = true); }
static tsr *scatter(tsr *x) { return tsr_psum_scatter(x, "i", .tiled = true); }
static tsr *next(tsr *x) { return tsr_ppermute(x, "i", TSR_SHIFT(1)); }
static tsr *swap(tsr *x) { return tsr_all_to_all(x, "i", .tiled = true); }

static tsr *around_psum(tsr *x) { return around(x, psum); }
static tsr *around_gather(tsr *x) { return around(x, gather); }
static tsr *around_gather_tiled(tsr *x) { return around(x, gather_tiled); }
static tsr *around_scatter(tsr *x) { return around(x, scatter); }
static tsr *around_next(tsr *x) { return around(x, next); }
static tsr *around_swap(tsr *x) { return around(x, swap); }
static tsr *show_sum(tsr *x) { return show(tsr_psum(x, "i")); }

/* ---- the table */

enum grid { RING_2, RING_4, GRID_2_2, GRID_4_2 };
static const struct trial {
	const char *id, *name;
	tsr *(*body)(tsr *);
	enum grid grid;
	const char *sig;
} trials[] = {
	{"s0x.psum", "printed", around_psum, RING_4, "[i] -> [i]"},
	{"s0x.psum_one_of_two", "printed", around_psum, GRID_2_2, "[i,j] -> [i,j]"},
	{"s0x.all_gather_tiled", "printed", around_gather_tiled, RING_4, "[i] -> [i]"},
	{"s0x.all_gather_untiled", "printed", around_gather, RING_4, "[i] -> [i]"},
	{"s0x.psum_scatter_tiled", "printed", around_scatter, RING_4, "[i] -> [i]"},
	{"s0x.ppermute_ring", "printed", around_next, RING_4, "[i] -> [i]"},
	{"s0x.all_to_all_tiled", "printed", around_swap, RING_4, "[i] -> [i]"},
	{"s0x.eager_print", "varying", show, RING_2, "[i] -> [i]"},
	{"s0x.eager_print", "replicated", show, RING_2, "[] -> []"},
	{"s0x.eager_print", "psum", show_sum, RING_2, "[i] -> []"},
	{"s0x.eager_print", "grid", show, GRID_4_2, "[i,j] -> [i,j]"},
};

static tsr_mesh *mesh_of(tsr_ctx *ctx, enum grid grid)
{
	switch (grid) {
	case RING_2: return tsr_mesh_make(ctx, {"i", 2});
	case RING_4: return tsr_mesh_make(ctx, {"i", 4});
	case GRID_2_2: return tsr_mesh_make(ctx, {"i", 2}, {"j", 2});
	default: return tsr_mesh_make(ctx, {"i", 4}, {"j", 2});
	}
}

/* the grid's operand was not recorded: arange(16).reshape(8, 2) */
static tsr *operand(tsr_ctx *ctx, const struct trial *t)
{
	if (strcmp(t->name, "grid") == 0)
		return tsr_reshape(tsr_arange(ctx, 16, .dtype = TSR_F32), TSR_DIMS(8, 2));
	if (strcmp(t->id, "s0x.eager_print") == 0)
		return golden_load(ctx, "s0x.eager_print", "x");
	return golden_load(ctx, t->id, "x");
}

static void printed(tsr_fn *f, tsr *x, char *to, size_t size)
{
	FILE *file = tmpfile();
	const int kept = dup(STDOUT_FILENO);

	fflush(stdout);
	dup2(fileno(file), STDOUT_FILENO);
	(void)tsr_call(f, x);
	fflush(stdout);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	rewind(file);
	to[fread(to, 1, size - 1, file)] = 0;
	fclose(file);
}

static void run(void **state)
{
	const struct trial *t = *state;
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_fn *f = tsr_shard_map(mesh_of(ctx, t->grid), t->body, .sig = t->sig);
	char text[4096];

	printed(f, operand(ctx, t), text, sizeof text);
	golden_same_text(text, t->id, t->name);
	printed(tsr_jit(ctx, f), operand(ctx, t), text, sizeof text);
	golden_same_text(text, t->id, t->name);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	enum { TRIALS = sizeof trials / sizeof *trials };
	struct CMUnitTest tests[TRIALS];

	for (size_t i = 0; i < TRIALS; i++)
		tests[i] = (struct CMUnitTest){.name = trials[i].id, .test_func = run,
		                               .initial_state = (void *)(uintptr_t)&trials[i]};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
