/* test_viz.c - pictures of shardings: JAX's own (tests/golden/data), and those it does not draw.
 *
 * cmocka.h comes last: it makes fail() a macro. */
#include "lib/pictures/pictures.h"
#include "tsr/tsr.h"
#include "support/quiet.h"
#include "support/specs.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

enum { NDEVICES = 1000 };

typedef struct world {
	base base;
	shards all;
	device device[NDEVICES];
} world;

static void world_open(world *w)
{
	assert_true(base_init(&w->base, NULL, NULL, 0));
	for (int64_t k = 0; k < NDEVICES; k++) w->device[k] = (device){.id = k};
	assert_true(shards_init(&w->all, &w->base, NULL, w->device, NDEVICES));
}

static void world_close(world *w)
{
	shards_fini(&w->all);
	error_clear(&w->base);
	base_fini(&w->base);
	assert_int_equal(mem_in_use(&w->base), 0);
}

/* an array: dims "8,16", axes "x:4 y:2", ids "" for the first devices, spec "[x,-]" */
typedef struct drawing { const char *name, *dims, *axes, *ids, *spec; } drawing;

static int read_numbers(const char *text, int64_t *out)
{
	int n = 0;

	for (char *end; *text; text = *end ? end + 1 : end) out[n++] = strtoll(text, &end, 10);
	return n;
}

static const sharding *sharding_like(world *w, const drawing *d)
{
	char name[4][16];
	tsr_axis axis[4];
	int64_t id[16];
	size_t n = 0;
	const char *axes = d->axes;

	for (int used; *axes; axes += used, n++) {
		long long size = 0;
		assert_int_equal(sscanf(axes, "%15[^:]:%lld%n", name[n], &size, &used), 2);
		used += axes[used] == ' ';
		axis[n] = (tsr_axis){name[n], size};
	}
	const int nids = read_numbers(d->ids, id);
	const mesh *m = mesh_make(&w->all, NULL, axis, n, nids ? id : NULL, (size_t)nids);
	assert_non_null(m);
	const sharding *s = sharding_of_text(&w->all, m, d->spec);
	assert_non_null(s);
	return s;
}

/* dims: where they are kept */
static picture picture_of(world *w, const drawing *d, int64_t *dims, bool colour)
{
	const int ndim = read_numbers(d->dims, dims);
	const sharding *s = sharding_like(w, d);

	return (picture){.sharding = s,
	                 .dims = dims,
	                 .ndim = ndim,
	                 .shown = picture_dims(s, ndim),
	                 .options = *PICTURE_OPTIONS(colour)};
}

/* the picture; the caller frees it */
static str draw(world *w, const drawing *d, bool colour)
{
	int64_t dims[8];
	picture p = picture_of(w, d, dims, colour);
	str s = {.base = &w->base};

	picture_draw(&s, &p);
	assert_false(s.lost);
	return s;
}

/* ---- the original's, byte for byte */

static const drawing golden[] = {
	{"s0/check_shmap.visualize_ans", "16,4", "i:4", "", "[i]"},
	{"s0/matmul_basic.visualize_c", "8,4", "x:4 y:2", "", "[x,-]"},
	{"s0/matmul_basic_tpu_order.visualize_c", "8,4", "x:4 y:2", "0,1,2,3,6,7,4,5", "[x,-]"},
	{"s0/visualize_abc.visualize_a", "8,16", "x:4 y:2", "", "[x,y]"},
	{"s0/visualize_abc.visualize_b", "16,4", "x:4 y:2", "", "[y,-]"},
	{"s0/visualize_abc.visualize_c", "8,4", "x:4 y:2", "", "[x,-]"},
	{"s1/axes.visualize_devices_reversed", "8", "i:8", "7,6,5,4,3,2,1,0", "[i]"},
	{"s1/nested.visualize_sm_a", "4,2", "rows:4 cols:2", "", "[rows,cols]"},
	{"s1/nested.visualize_sm_b", "4,2", "rows:4 cols:2", "", "[rows,cols]"},
	{"s1/nested.visualize_sm_c", "4,2", "rows:4 cols:2", "", "[rows,cols]"},
	{"s1/use_output.visualize_y", "8", "i:8", "", "[i]"},
	{"s2/collectives.visualize_X", "16,16", "data:4", "", "[data,-]"},
	{"s2/collectives.visualize_all_gather", "16,16", "data:4", "", "[-,-]"},
	{"s2/collectives.visualize_all_reduce", "16,16", "data:4", "", "[-,-]"},
	{"s2/collectives.visualize_reduce_scatter", "16,16", "data:4", "", "[data,-]"},
	{"s2/collectives.visualize_all_to_all", "16,16", "data:4", "", "[-,data]"},
	{"s2/collectives.visualize_X_T_T", "16,16", "data:4", "", "[-,data]"},
	{"s2/collectives_1000.visualize_X", "1000,1000", "data:4", "", "[data,-]"},
	{"s2/collectives_1000.visualize_all_gather", "1000,1000", "data:4", "", "[-,-]"},
	{"s2/collectives_1000.visualize_all_reduce", "1000,1000", "data:4", "", "[-,-]"},
	{"s2/collectives_1000.visualize_reduce_scatter", "1000,1000", "data:4", "", "[data,-]"},
	{"s2/collectives_1000.visualize_all_to_all", "1000,1000", "data:4", "", "[-,data]"},
	{"s2/collectives_1000.visualize_X_T_T", "1000,1000", "data:4", "", "[-,data]"},
	{"s2/fsdp_matmul.visualize_B", "4,10", "data:2 model:2", "", "[data,-]"},
	{"s2/fsdp_matmul.visualize_x", "4,10", "data:2 model:2", "", "[data,-]"},
	{"s2/fsdp_matmul.visualize_A", "10,10", "data:2 model:2", "", "[data,-]"},
	{"s2/fsdp_tp_mlp.visualize_B", "4,10", "data:2 model:2", "", "[data,model]"},
	{"s2/fsdp_tp_mlp.visualize_B_pjit", "4,10", "data:2 model:2", "", "[data,model]"},
	{"s2/tp_mlp.visualize_B", "4,10", "data:2 model:2", "", "[-,model]"},
	{"s2/transformer.visualize_y_as_2_rows", "2,131072", "data:2 model:2", "", "[data]"},
	{"s2/transformer_small.visualize_y_as_2_rows", "2,1024", "data:2 model:2", "", "[data]"},
	{"s3/array_1x8.visualize_empty", "8,2", "data:1 model:8", "", "[]"},
	{"s3/array_1x8.visualize_data_none", "8,2", "data:1 model:8", "", "[data,-]"},
	{"s3/array_1x8.visualize_model_none", "8,2", "data:1 model:8", "", "[model,-]"},
	{"s3/array_1x8.visualize_model_data", "8,2", "data:1 model:8", "", "[model,data]"},
	{"s3/array_1x8.visualize_none_data", "8,2", "data:1 model:8", "", "[-,data]"},
	{"s3/array_1x8.visualize_data+model_none", "8,2", "data:1 model:8", "", "[data*model,-]"},
	{"s3/array_1x8.visualize_model+data_none", "8,2", "data:1 model:8", "", "[model*data,-]"},
	{"s3/array_2x4.visualize_empty", "8,2", "data:2 model:4", "", "[]"},
	{"s3/array_2x4.visualize_data_none", "8,2", "data:2 model:4", "", "[data,-]"},
	{"s3/array_2x4.visualize_model_none", "8,2", "data:2 model:4", "", "[model,-]"},
	{"s3/array_2x4.visualize_model_data", "8,2", "data:2 model:4", "", "[model,data]"},
	{"s3/array_2x4.visualize_none_data", "8,2", "data:2 model:4", "", "[-,data]"},
	{"s3/array_2x4.visualize_data+model_none", "8,2", "data:2 model:4", "", "[data*model,-]"},
	{"s3/array_2x4.visualize_model+data_none", "8,2", "data:2 model:4", "", "[model*data,-]"},
	{"s3/array_4x2.visualize_empty", "8,2", "data:4 model:2", "", "[]"},
	{"s3/array_4x2.visualize_data_none", "8,2", "data:4 model:2", "", "[data,-]"},
	{"s3/array_4x2.visualize_none_model", "8,2", "data:4 model:2", "", "[-,model]"},
	{"s3/array_4x2.visualize_model_none", "8,2", "data:4 model:2", "", "[model,-]"},
	{"s3/array_4x2.visualize_data_model", "8,2", "data:4 model:2", "", "[data,model]"},
	{"s3/array_4x2.visualize_data+model_none", "8,2", "data:4 model:2", "", "[data*model,-]"},
	{"s3/array_4x2.visualize_model+data_none", "8,2", "data:4 model:2", "", "[model*data,-]"},
	{"s3/array_8x1.visualize_empty", "8,2", "data:8 model:1", "", "[]"},
	{"s3/array_8x1.visualize_data_none", "8,2", "data:8 model:1", "", "[data,-]"},
	{"s3/array_8x1.visualize_none_model", "8,2", "data:8 model:1", "", "[-,model]"},
	{"s3/array_8x1.visualize_model_none", "8,2", "data:8 model:1", "", "[model,-]"},
	{"s3/array_8x1.visualize_data_model", "8,2", "data:8 model:1", "", "[data,model]"},
	{"s3/array_8x1.visualize_data+model_none", "8,2", "data:8 model:1", "", "[data*model,-]"},
	{"s3/array_8x1.visualize_model+data_none", "8,2", "data:8 model:1", "", "[model*data,-]"},
	{"s3/dot_positional_variants.visualize_rows_rows", "8,8", "i:8", "", "[i,-]"},
	{"s3/dot_positional_variants.visualize_rows_cols", "8,8", "i:8", "", "[i,-]"},
	{"s3/dot_positional_variants.visualize_cols_rows", "8,8", "i:8", "", "[]"},
	{"s3/dot_positional_variants.visualize_rows_full", "8,8", "i:8", "", "[i,-]"},
	{"s3/dot_positional_variants.visualize_full_cols", "8,8", "i:8", "", "[-,i]"},
	{"s3/dp_training.visualize_x", "16,4", "data:8 model:1", "", "[data,-]"},
	{"s3/dp_training.visualize_w1", "4,4", "data:8 model:1", "", "[]"},
	{"s3/dp_training_nonpartitionable.visualize_x", "16,4", "data:8 model:1", "", "[data,-]"},
	{"s3/dp_training_nonpartitionable.visualize_w1", "4,4", "data:8 model:1", "", "[]"},
	{"s3/int_dp_tp.visualize_X", "8,2", "data:4 model:2", "", "[data,-]"},
	{"s3/int_dp_tp.visualize_w_1", "2,4", "data:4 model:2", "", "[-,model]"},
	{"s3/int_dp_tp.visualize_w_2", "4,2", "data:4 model:2", "", "[model,-]"},
	{"s3/int_dp_tp.visualize_Y", "8,4", "data:4 model:2", "", "[data,model]"},
	{"s3/int_dp_tp.visualize_Z", "8,2", "data:4 model:2", "", "[data]"},
	{"s3/mlp_2d.visualize_z", "8,4", "data:4 model:2", "", "[data,model]"},
	{"s3/mlp_2d.visualize_z_jit", "8,4", "data:4 model:2", "", "[data,model]"},
	{"s3/mlp_2d_nonpartitionable.visualize_z", "8,4", "data:4 model:2", "", "[data,model]"},
};

static void test_golden(void **state)
{
	static char want[1 << 14];
	world w;

	(void)state;
	world_open(&w);
	for (size_t i = 0; i < ARRAY_LEN(golden); i++) {
		char path[200];
		snprintf(path, sizeof path, "tests/golden/data/%s.txt", golden[i].name);
		FILE *file = fopen(path, "rb");
		if (!file) fail_msg("%s is missing: run from the root of the tree", path);
		want[fread(want, 1, sizeof want - 1, file)] = 0;
		fclose(file);
		str s = draw(&w, &golden[i], false);
		if (strcmp(s.s, want) != 0)
			fail_msg("%s: got\n%s\nwant\n%s", golden[i].name, s.s, want);
		str_free(&s);
	}
	world_close(&w);
}

/* ---- ours: uneven parts, empty ones, and tables that do not fit */

static void test_ours(void **state)
{
	static const struct ours { drawing what; const char *want;
	} ours[] = {
		{{"one device", "5", "x:1", "", "[]"},
	         "┌───────┐\n"
	         "│ CPU 0 │\n"
	         "└───────┘\n"},
		{{"uneven", "5,3", "x:4 y:2", "", "[x,y]"},
	         "┌────────┬───────┐\n"
	         "│        │       │\n"
	         "│ CPU 0  │ CPU 1 │\n"
	         "│        │       │\n"
	         "├────────┼───────┤\n"
	         "│        │       │\n"
	         "│ CPU 2  │ CPU 3 │\n"
	         "│        │       │\n"
	         "├────────┼───────┤\n"
	         "│ CPU 4  │ CPU 5 │\n"
	         "├────────┼───────┤\n"
	         "│ CPU 6  │ CPU 7 │\n"
	         "└────────┴───────┘\n"},
		{{"empty parts", "3", "x:4", "", "[x]"},
	         "┌───────┬───────┬───────┬───────┐\n"
	         "│ CPU 0 │ CPU 1 │ CPU 2 │ CPU 3 │\n"
	         "└───────┴───────┴───────┴───────┘\n"},
		{{"no elements", "0,4", "x:2 y:2", "3,1,0,2", "[x,y]"},
	         "┌──────────┬──────────┐\n"
	         "│          │          │\n"
	         "│  CPU 3   │  CPU 1   │\n"
	         "│          │          │\n"
	         "│          │          │\n"
	         "├──────────┼──────────┤\n"
	         "│          │          │\n"
	         "│  CPU 0   │  CPU 2   │\n"
	         "│          │          │\n"
	         "│          │          │\n"
	         "└──────────┴──────────┘\n"},
		{{"squeezed", "2,40", "x:2 y:4", "", "[x,y]"},
	         "┌──────────────────┬──────────────────┬──────────────────┬──────────────────┐\n"
	         "│                  │                  │                  │                  │\n"
	         "│      CPU 0       │      CPU 1       │      CPU 2       │      CPU 3       │\n"
	         "│                  │                  │                  │                  │\n"
	         "│                  │                  │                  │                  │\n"
	         "├──────────────────┼──────────────────┼──────────────────┼──────────────────┤\n"
	         "│                  │                  │                  │                  │\n"
	         "│      CPU 4       │      CPU 5       │      CPU 6       │      CPU 7       │\n"
	         "│                  │                  │                  │                  │\n"
	         "│                  │                  │                  │                  │\n"
	         "└──────────────────┴──────────────────┴──────────────────┴──────────────────┘\n"},
		{{"wider than 80", "12", "x:12", "", "[x]"},
	         "┌─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬──────┬──────┐\n"
	         "│CPU 0│CPU 1│CPU 2│CPU 3│CPU 4│CPU 5│CPU 6│CPU 7│CPU 8│CPU 9│CPU 10│CPU 11│\n"
	         "└─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴──────┴──────┘\n"},
		{{"many names", "9", "x:40", "", "[]"},
	         "┌──────────────────────────────────────────────────────────────────────────────┐"
	         "\n"
	         "│CPU "
	         "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,│\n"
	         "│                     28,29,30,31,32,33,34,35,36,37,38,39                      "
	         "│\n"
	         "└──────────────────────────────────────────────────────────────────────────────┘"
	         "\n"},
	};
	world w;

	(void)state;
	world_open(&w);
	for (size_t i = 0; i < ARRAY_LEN(ours); i++) {
		str s = draw(&w, &ours[i].what, false);
		if (strcmp(s.s, ours[i].want) != 0)
			fail_msg("%s: got\n%s\nwant\n%s", ours[i].what.name, s.s, ours[i].want);
		str_free(&s);
	}
	world_close(&w);
}

/* which numbers stand in a picture, outside the escapes of its colours */
static void note_numbers(const char *at, bool *named)
{
	while (*at) {
		if (*at == '\x1b') at += strcspn(at, "m");
		char *end;
		const long k = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : -1;
		if (k >= 0 && k < NDEVICES) named[k] = true;
		at = k >= 0 ? end : at + 1;
	}
}

/* every device is named, whatever the shape */
static void test_nobody_lost(void **state)
{
	static const char *const specs[] = {"[]",    "[x]",     "[y]",  "[x,y]",
	                                    "[y,x]", "[-,x*y]", "[y*x]"};
	static const char *const dims[] = {"1,1",    "7,3",    "0,0",
	                                   "1000,1", "1,1000", "9223372036854775807,1"};
	world w;

	(void)state;
	world_open(&w);
	for (size_t i = 0; i < ARRAY_LEN(specs) * ARRAY_LEN(dims) * 2; i++) {
		const drawing d = {"", dims[i / 2 % ARRAY_LEN(dims)], "x:10 y:100", "",
		                   specs[i / 2 / ARRAY_LEN(dims)]};
		str s = draw(&w, &d, i % 2);
		bool named[NDEVICES] = {false};
		note_numbers(s.s, named);
		for (int k = 0; k < NDEVICES; k++)
			if (!named[k]) fail_msg("%s %s: no device %d", d.dims, d.spec, k);
		str_free(&s);
	}
	world_close(&w);
}

/* ---- colour: made with the original, which repeats the escape before and behind a name */

static void test_colour(void **state)
{
#define ROW(text) \
	"\x1b[38;2;255;255;255;48;2;57;59;121m" text(0,1) "\x1b[0m" \
	"\x1b[38;2;255;255;255;48;2;222;158;214m" text(2,3) "\x1b[0m" \
	"\x1b[38;2;255;255;255;48;2;173;73;74m" text(4,5) "\x1b[0m" \
	"\x1b[38;2;0;0;0;48;2;181;207;107m" text(6,7) "\x1b[0m\n"
#define NAMES(a, b) " CPU " #a "," #b " "
#define BLANK(a, b) "         "
	world w;

	(void)state;
	world_open(&w);
	str s = draw(&w, &(drawing){"", "8", "x:4 y:2", "", "[x]"}, true);
	assert_string_equal(s.s, ROW(NAMES) ROW(BLANK));
	str_free(&s);
	world_close(&w);
}

static void lost(bool svg)
{
	int64_t dims[8];
	bool done = false;

	for (int64_t n = 1; !done; n++) {
		world w;
		world_open(&w);
		picture p = picture_of(&w, &golden[0], dims, false);
		str text = {.base = &w.base};
		w.base.mem.fail_at = n;
		if (svg)
			picture_svg(&text, &p, "f32[16,4]");
		else
			picture_draw(&text, &p);
		done = !text.lost;
		w.base.mem.fail_at = -1;
		assert_true(done == !failed(&w.base));
		str_free(&text);
		world_close(&w);
		assert_true(n < 100);
	}
}

static void test_lost(void **state)
{
	(void)state;
	lost(false);
	lost(true);
}

/* ---- the public functions */

static tsr *shows(tsr *x)
{
	tsr_show_sharding(x);
	return x;
}

static void assert_refused(tsr_ctx *ctx, int code, const char *text)
{
	assert_int_equal(tsr_status(ctx), code);
	if (!strstr(tsr_message(ctx), text)) fail_msg("got %s, not %s", tsr_message(ctx), text);
	tsr_clear(ctx);
}

/* the texts are those of jax.debug's visualize_sharding with these keywords */
static void test_keywords(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	const tsr_sharding *grid = tsr_sharding_make(m, TSR_P("x", "y"));
	const tsr_sharding *rows = tsr_sharding_make(m, TSR_P("x"));
	const tsr_sharding *columns = tsr_sharding_make(m, TSR_P(NULL, "y"));
	int lines = 0;

	(void)state;
	const char *small = "┌──────────┬──────────┐\n│  CPU 0   │  CPU 1   │\n"
			    "├──────────┼──────────┤\n│  CPU 2   │  CPU 3   │\n"
			    "├──────────┼──────────┤\n│  CPU 4   │  CPU 5   │\n"
			    "├──────────┼──────────┤\n│  CPU 6   │  CPU 7   │\n"
			    "└──────────┴──────────┘\n";
	assert_string_equal(tsr_sharding_picture_of(TSR_DIMS(8, 16), grid, .scale = 0.5), small);
	tsr *x = tsr_put_sharding(tsr_zeros(ctx, TSR_DIMS(8, 16)), grid);
	assert_string_equal(tsr_sharding_picture(x, .scale = 0.5), small);
	/* too narrow for JAX, which leaves the names out */
	assert_non_null(strstr(tsr_sharding_picture(x, .max_width = 20), "│ CPU 0  │ CPU 1  │\n"));
	assert_string_equal(tsr_sharding_picture_of(TSR_DIMS(8), rows, .min_width = 12),
	                    "┌──────────┬──────────┬──────────┬──────────┐\n"
	                    "│ CPU 0,1  │ CPU 2,3  │ CPU 4,5  │ CPU 6,7  │\n"
	                    "└──────────┴──────────┴──────────┴──────────┘\n");
	const char *large = tsr_sharding_picture_of(TSR_DIMS(8, 8), columns, .scale = 2);
	for (const char *c = large; *c; c++) lines += *c == '\n';
	assert_int_equal(lines, 21);
	assert_non_null(strstr(large, "│      CPU 0,2,4,6      │      CPU 1,3,5,7      │\n"));
	assert_string_equal(tsr_sharding_picture(x),
	                    tsr_sharding_picture_of(TSR_DIMS(8, 16), grid));
	assert_int_equal(tsr_close(ctx), 0);
}

/* of more than two dims: those that are cut, the first two of them, or those that are named. The
 * pictures below the captions are those of the same parts of two dims */
static void test_more_dims(void **state)
{
	static const char *const one = "dim 2 across, of [8,3,2]\n"
				       "┌───────┬───────┐\n"
				       "│CPU 0,2│CPU 1,3│\n"
				       "└───────┴───────┘\n";
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 2}, {"y", 2}), *cube;
	const tsr_sharding *xy = tsr_sharding_make(m, TSR_P("x", "y")), *s;
	const tsr_sharding *yx = tsr_sharding_make(m, TSR_P("y", "x"));
	char want[1024];

	(void)state;
	tsr *x = tsr_put(tsr_zeros(ctx, TSR_DIMS(8, 3, 16, 5)), m, TSR_P("x", NULL, "y"));
	snprintf(want, sizeof want, "dim 0 down, dim 2 across, of [8,3,16,5]\n%s",
	         tsr_sharding_picture_of(TSR_DIMS(8, 16), xy));
	assert_string_equal(tsr_sharding_picture(x), want);
	assert_string_equal(tsr_sharding_picture(x, .dims = TSR_DIMS(0, -2)), want);
	snprintf(want, sizeof want, "dim 2 down, dim 0 across, of [8,3,16,5]\n%s",
	         tsr_sharding_picture_of(TSR_DIMS(16, 8), yx));
	assert_string_equal(tsr_sharding_picture(x, .dims = TSR_DIMS(2, 0)), want);
	s = tsr_sharding_make(m, TSR_P(NULL, NULL, "y"));
	assert_string_equal(tsr_sharding_picture_of(TSR_DIMS(8, 3, 2), s), one);
	s = tsr_sharding_make(m, TSR_P());
	assert_string_equal(tsr_sharding_picture_of(TSR_DIMS(2, 2, 2), s),
	                    "dim 0 across, of [2,2,2]\n"
	                    "┌───────────┐\n"
	                    "│CPU 0,1,2,3│\n"
	                    "└───────────┘\n");

	/* three dims are cut */
	cube = tsr_mesh_make(ctx, {"a", 2}, {"b", 2}, {"c", 2});
	s = tsr_sharding_make(cube, TSR_P("a", "b", "c"));
	const tsr_sharding *ab = tsr_sharding_make(cube, TSR_P("a", "b"));
	snprintf(want, sizeof want, "dim 0 down, dim 1 across, of [8,4,2]; dim 2 is cut too\n%s",
	         tsr_sharding_picture_of(TSR_DIMS(8, 4), ab));
	assert_string_equal(tsr_sharding_picture_of(TSR_DIMS(8, 4, 2), s), want);
	snprintf(want, sizeof want, "dim 1 across, of [8,4,2]; dims 0 and 2 are cut too\n%s",
	         tsr_sharding_picture_of(TSR_DIMS(4), tsr_sharding_make(cube, TSR_P("b"))));
	assert_string_equal(tsr_sharding_picture_of(TSR_DIMS(8, 4, 2), s, .dims = TSR_DIMS(1)),
	                    want);

	/* of one and two dims, too; all of them in their order are the usual picture */
	snprintf(want, sizeof want, "dim 1 down, dim 0 across, of [16,8]\n%s",
	         tsr_sharding_picture_of(TSR_DIMS(8, 16), xy));
	assert_string_equal(tsr_sharding_picture_of(TSR_DIMS(16, 8), yx, .dims = TSR_DIMS(1, 0)),
	                    want);
	assert_string_equal(tsr_sharding_picture_of(TSR_DIMS(8, 16), xy, .dims = TSR_DIMS(0, 1)),
	                    tsr_sharding_picture_of(TSR_DIMS(8, 16), xy));
	assert_int_equal(tsr_close(ctx), 0);
}

static void test_errors(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 2, .log = log_nothing);
	tsr_fn *fn = tsr_jit(ctx, shows);

	(void)state;
	tsr_show_sharding(tsr_scalar(ctx, 1));
	assert_refused(ctx, TSR_ERROR_ARGUMENT, "without dims, (), has no parts to draw: reshape");
	assert_string_equal(tsr_sharding_svg(tsr_scalar(ctx, 1)), "");
	assert_refused(ctx, TSR_ERROR_ARGUMENT, "sharding_svg: an array without dims, ()");
	tsr_call(fn, tsr_zeros(ctx, TSR_DIMS(2)));
	assert_refused(ctx, TSR_ERROR_HANDLE, "traced");
	tsr *x = tsr_zeros(ctx, TSR_DIMS(2));
	assert_string_equal(tsr_sharding_picture(x, .scale = -1), "");
	assert_refused(ctx, TSR_ERROR_ARGUMENT, ".scale must be above 0");
	assert_string_equal(tsr_sharding_picture(x, .min_width = -1), "");
	assert_refused(ctx, TSR_ERROR_ARGUMENT, ".min_width");
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 2});
	const tsr_sharding *s = tsr_sharding_make(m, TSR_P(NULL, "x"));
	const tsr_sharding *rows = tsr_sharding_make(m, TSR_P("x"));
	for (int64_t n = -1; n > -4; n--) {
		assert_string_equal(tsr_sharding_picture_of(TSR_DIMS(n), rows), "");
		assert_refused(ctx, TSR_ERROR_ARGUMENT, "no array has these dims: one is negative");
	}
	assert_int_equal(tsr_sharding_shard_shape(rows, TSR_DIMS(-4)).d[0], 0);
	assert_refused(ctx, TSR_ERROR_ARGUMENT, "sharding_shard_shape: no array has these dims");
	assert_string_equal(tsr_sharding_picture_of(TSR_DIMS(4), s), "");
	assert_refused(ctx, TSR_ERROR_SHARDING, "");
	assert_string_equal(tsr_sharding_svg_of(TSR_DIMS(4), s), "");
	assert_refused(ctx, TSR_ERROR_SHARDING, "");
	assert_string_equal(tsr_sharding_picture(x, .dims = TSR_DIMS(1)), "");
	assert_refused(ctx, TSR_ERROR_ARGUMENT, "dim 1");
	assert_string_equal(tsr_sharding_picture(x, .dims = TSR_DIMS()), "");
	assert_refused(ctx, TSR_ERROR_ARGUMENT, ".dims names 0 dims, and a picture shows one or");
	assert_string_equal(tsr_sharding_svg_of(TSR_DIMS(2, 4), s, .dims = TSR_DIMS(1, -1)), "");
	assert_refused(ctx, TSR_ERROR_ARGUMENT, "dim 1 is named twice in .dims");
	assert_string_equal(tsr_sharding_svg_of(TSR_DIMS(2, 4, 1), s, .dims = TSR_DIMS(0, 1, 2)),
	                    "");
	assert_refused(ctx, TSR_ERROR_ARGUMENT, "sharding_svg_of: .dims names 3 dims");
	assert_string_equal(tsr_sharding_svg(tsr_poison(ctx)), "");
	assert_refused(ctx, TSR_ERROR_HANDLE, "poison, from an error that was cleared");
	assert_string_equal(tsr_sharding_picture(tsr_poison(ctx)), "");
	assert_refused(ctx, TSR_ERROR_HANDLE, "poison, from an error that was cleared");
	assert_int_equal(tsr_close(ctx), 0);
}

/* stdout of a test is no terminal: what show_sharding prints there is the picture without colour */
static void test_show(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr *x = tsr_put(tsr_zeros(ctx, TSR_DIMS(8, 4)), tsr_mesh_make(ctx, {"x", 4}), TSR_P("x"));
	char got[4096];
	FILE *file = tmpfile();

	(void)state;
	assert_non_null(file);
	fflush(stdout);
	const int kept = dup(STDOUT_FILENO);
	dup2(fileno(file), STDOUT_FILENO);
	tsr_show_sharding(x);
	fflush(stdout);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	rewind(file);
	got[fread(got, 1, sizeof got - 1, file)] = 0;
	fclose(file);
	assert_string_equal(got, tsr_sharding_picture(x));
	assert_non_null(strstr(got, "│  CPU 3   │"));
	assert_null(strchr(got, '\x1b'));
	assert_non_null(strstr(tsr_sharding_picture(x, .color = true),
	                       "\x1b[38;2;255;255;255;48;2;57;59;121m"));
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_ours),
		cmocka_unit_test(test_nobody_lost),
		cmocka_unit_test(test_colour),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_keywords),
		cmocka_unit_test(test_more_dims),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_show),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
