/* test_windows.c - equations that move elements along dims, on operands that are cut along these:
 * each device gets the elements that it lacks, and no more. Results are those of one device, bit
 * for bit, and what a device receives is what stands in the table. */
#include "support/recorded_bytes.h"
#include "support/windows.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>

enum { NDIM = 3, OPERANDS = 3, MOST = 1 << 10 };

/* Operands are f32, or i32 of rank 0. x and y are the axes of the mesh, 4 and 2 */
static const struct halo {
	const char *name, *program;
	const char *spec[OPERANDS]; /* NULL: uncommitted */
	double bytes;               /* that a device receives */
	const char *never;          /* a collective that is not there */
} cases[] = {
	{"a row goes on",
         "f(%0: f32[8,4], %1: f32[]) -> f32[8,4] {\n"
         "  %2: f32[8,4] = pad %0 %1 low=[1,0] high=[-1,0] interior=[0,0]\n  return %2\n}\n",
         {"x,-"}, 16, "all_gather"},
	{"a row goes back, of blocks of 1",
         "f(%0: f32[8,4], %1: f32[]) -> f32[8,4] {\n"
         "  %2: f32[8,4] = pad %0 %1 low=[-1,0] high=[1,0] interior=[0,0]\n  return %2\n}\n",
         {"x*y,-"}, 16, "all_gather"},
	{"more rows than a block has",
         "f(%0: f32[8,4], %1: f32[]) -> f32[8,4] {\n"
         "  %2: f32[8,4] = pad %0 %1 low=[3,0] high=[-3,0] interior=[0,0]\n  return %2\n}\n",
         {"x,-"}, 32, "all_gather"},
	{"both dims",
         "f(%0: f32[8,4], %1: f32[]) -> f32[8,4] {\n"
         "  %2: f32[8,4] = pad %0 %1 low=[1,-1] high=[-1,1] interior=[0,0]\n  return %2\n}\n",
         {"x,y"}, 8 + 8, "all_gather"},
	{"between elements",
         "f(%0: f32[8], %1: f32[]) -> f32[24] {\n"
         "  %2: f32[24] = pad %0 %1 low=[2] high=[0] interior=[2]\n  return %2\n}\n",
         {"x"}, 0, "all_gather"},
	{"blocks change places",
         "f(%0: f32[8,4]) -> f32[8,4] {\n  %1: f32[8,4] = rev %0 dims=[0]\n  return %1\n}\n",
         {"x,-"}, 32, "all_gather"},
	{"every second row",
         "f(%0: f32[16,4]) -> f32[8,4] {\n"
         "  %1: f32[8,4] = slice %0 start=[1,0] stop=[16,4] step=[2,1]\n  return %1\n}\n",
         {"x,-"}, 0, "ppermute"},
	{"the middle half",
         "f(%0: f32[16]) -> f32[8] {\n"
         "  %1: f32[8] = slice %0 start=[4] stop=[12] step=[1]\n  return %1\n}\n",
         {"x"}, 8, "all_gather"},
	{"one behind the other",
         "f(%0: f32[8], %1: f32[8]) -> f32[16] {\n"
         "  %2: f32[16] = concatenate %0 %1 dim=0\n  return %2\n}\n",
         {"x", "x"}, 32, "all_gather"},
	{"one behind itself",
         "f(%0: f32[8]) -> f32[16] {\n  %1: f32[16] = concatenate %0 %0 dim=0\n  return %1\n}\n",
         {"x"}, 16, "all_gather"},
	{"one behind itself, twice: the block of the second is the whole first",
         "f(%0: f32[8]) -> f32[24] {\n  %1: f32[16] = concatenate %0 %0 dim=0\n"
         "  %2: f32[24] = concatenate %0 %1 dim=0\n  return %2\n}\n",
         {"y"}, 32, "all_to_all"},
	{"the same of blocks that do not divide, with a number between them",
         "f(%0: f32[7], %1: f32[]) -> f32[22] {\n"
         "  %2: f32[8] = pad %0 %1 low=[0] high=[1] interior=[0]\n"
         "  %3: f32[14] = concatenate %0 %0 dim=0\n"
         "  %4: f32[22] = concatenate %2 %3 dim=0\n  return %4\n}\n",
         {"y"}, 32, "all_to_all"},
	{"rows go round",
         "f(%0: f32[8,4]) -> f32[8,4] {\n"
         "  %1: f32[1,4] = slice %0 start=[7,0] stop=[8,4] step=[1,1]\n"
         "  %2: f32[7,4] = slice %0 start=[0,0] stop=[7,4] step=[1,1]\n"
         "  %3: f32[8,4] = concatenate %1 %2 dim=0\n  return %3\n}\n",
         {"x,-"}, 16, "all_gather"},
	{"rows go round by three, of blocks that do not divide",
         "f(%0: f32[10]) -> f32[10] {\n"
         "  %1: f32[3] = slice %0 start=[7] stop=[10] step=[1]\n"
         "  %2: f32[7] = slice %0 start=[0] stop=[7] step=[1]\n"
         "  %3: f32[10] = concatenate %1 %2 dim=0\n  return %3\n}\n",
         {"x"}, 16, "all_gather"},
	{"a Jacobi step: slices, and the edges stay",
         "f(%0: f32[16], %1: f32[]) -> f32[16] {\n"
         "  %2: f32[14] = slice %0 start=[0] stop=[14] step=[1]\n"
         "  %3: f32[14] = slice %0 start=[2] stop=[16] step=[1]\n"
         "  %4: f32[14] = add %2 %3\n  %5: f32[14] = div %4 2.0:f32\n"
         "  %6: f32[16] = pad %5 %1 low=[1] high=[1] interior=[0]\n  return %6\n}\n",
         {"x"}, 12, "all_gather"},
	{"means of three neighbours",
         "f(%0: f32[16], %1: f32[]) -> f32[16] {\n"
         "  %2: f32[16] = pad %0 %1 low=[1] high=[-1] interior=[0]\n"
         "  %3: f32[16] = pad %0 %1 low=[-1] high=[1] interior=[0]\n"
         "  %4: f32[16] = add %2 %3\n  %5: f32[16] = add %4 %0\n"
         "  %6: f32[16] = div %5 3.0:f32\n  return %6\n}\n",
         {"x"}, 8, "all_gather"},
	{"windows of a padded row: both neighbours once",
         "f(%0: f32[16], %1: f32[]) -> f32[16] {\n"
         "  %2: f32[18] = pad %0 %1 low=[1] high=[1] interior=[0]\n"
         "  %3: f32[16,3] = patches %2 along=[0] sizes=[3] strides=[1] dilations=[1]\n"
         "  %4: f32[16] = reduce_sum %3 dims=[1]\n  return %4\n}\n",
         {"x"}, 8, "all_gather"},
	{"of blocks that do not divide",
         "f(%0: f32[10,2], %1: f32[]) -> f32[10,2] {\n"
         "  %2: f32[12,2] = pad %0 %1 low=[0,0] high=[2,0] interior=[0,0]\n"
         "  %3: f32[10,2,2] = patches %2 along=[0] sizes=[2] strides=[1] dilations=[2]\n"
         "  %4: f32[10,2] = reduce_sum %3 dims=[2]\n  return %4\n}\n",
         {"x,-"}, 16, "all_gather"},
	{"of a matrix that is padded in both dims, and cut in one",
         "f(%0: f32[16,8], %1: f32[]) -> f32[8,8] {\n"
         "  %2: f32[17,11] = pad %0 %1 low=[1,2] high=[0,1] interior=[0,0]\n"
         "  %3: f32[8,8,3,4] = patches %2 along=[0,1] sizes=[3,4] strides=[2,1] "
         "dilations=[1,1]\n"
         "  %4: f32[8,8] = reduce_max %3 dims=[2,3]\n  return %4\n}\n",
         {"x,-"}, 32, "all_gather"},
	{"and in both",
         "f(%0: f32[16,8], %1: f32[]) -> f32[8,8] {\n"
         "  %2: f32[17,11] = pad %0 %1 low=[1,2] high=[0,1] interior=[0,0]\n"
         "  %3: f32[8,8,3,4] = patches %2 along=[0,1] sizes=[3,4] strides=[2,1] "
         "dilations=[1,1]\n"
         "  %4: f32[8,8] = reduce_max %3 dims=[2,3]\n  return %4\n}\n",
         {"x,y"}, 16 + 40, "all_gather"},
	{"one row, wanted by all",
         "f(%0: f32[8,4]) -> f32[1,4] {\n"
         "  %1: f32[1,4] = slice %0 start=[5,0] stop=[6,4] step=[1,1]\n  return %1\n}\n",
         {"x,-"}, 16, "all_gather"},
	{"a part that starts anywhere",
         "f(%0: f32[64,4], %1: i32[]) -> f32[3,4] {\n"
         "  %2: f32[3,4] = dynamic_slice %0 %1 0:i32 dims=[3,4]\n  return %2\n}\n",
         {"x,-"}, 48 * 2 * 0.75, "all_gather"},
	{"a -0 of such a part, of row 4",
         "f(%0: f32[64,4], %1: i32[]) -> f32[5,4] {\n  %2: f32[64,4] = neg %0\n"
         "  %3: f32[5,4] = dynamic_slice %2 %1 0:i32 dims=[5,4]\n  return %3\n}\n",
         {"x,-"}, 80 * 2 * 0.75, "all_gather"},
	{"the same of a part that is cut",
         "f(%0: f32[64,4], %1: i32[]) -> f32[64,2] {\n"
         "  %2: f32[64,2] = dynamic_slice %0 0:i32 %1 dims=[64,2]\n  return %2\n}\n",
         {"x,-"}, 0, "all_gather"},
	{"a cache in heads",
         "f(%0: f32[4,16,2], %1: f32[4,1,2], %2: i32[]) -> f32[4,16,2] {\n"
         "  %3: f32[4,16,2] = dynamic_update_slice %0 %1 0:i32 %2 0:i32\n  return %3\n}\n",
         {"x,-,-"}, 0, "all_gather"},
	{"a cache in steps",
         "f(%0: f32[4,16,2], %1: f32[4,1,2], %2: i32[]) -> f32[4,16,2] {\n"
         "  %3: f32[4,16,2] = dynamic_update_slice %0 %1 0:i32 %2 0:i32\n  return %3\n}\n",
         {"-,x,-"}, 0, "all_gather"},
	{"an update of more than a block, over two dims",
         "f(%0: f32[8,16], %1: f32[5,9], %2: i32[]) -> f32[8,16] {\n"
         "  %3: f32[8,16] = dynamic_update_slice %0 %1 %2 %2\n  return %3\n}\n",
         {"y,x"}, 0, "all_gather"},
	{"running sums: one row of each block, from three others",
         "f(%0: f32[64,4]) -> f32[64,4] {\n"
         "  %1: f32[64,4] = cumsum %0 dim=0 reverse=true\n  return %1\n}\n",
         {"x,-"}, 16 * 3, "ppermute"},
	{"the largest so far, of blocks that do not divide",
         "f(%0: f32[5,61]) -> f32[5,61] {\n  %1: f32[5,61] = cummax %0 dim=1\n"
         "  return %1\n}\n",
         {"-,x"}, 20 * 3, "ppermute"},
	{"the place of the largest",
         "f(%0: f32[4,64]) -> i32[4] {\n  %1: i32[4] = argmax %0 dim=1 dtype=i32\n"
         "  return %1\n}\n",
         {"-,x"}, 16 * 2 * 0.75 * 2, "all_gather"},
	{"the place of the smallest",
         "f(%0: f32[4,64]) -> i32[4] {\n  %1: i32[4] = argmin %0 dim=1 dtype=i32\n"
         "  return %1\n}\n",
         {"y,x"}, 8 * 2 * 0.75 * 2, "all_gather"},
	{"places that wrap",
         "f(%0: f32[200]) -> i32[] {\n  %1: i8[] = argmax %0 dim=0 dtype=i8\n"
         "  %2: i32[] = convert_element_type %1 dtype=i32\n  return %2\n}\n",
         {"x"}, 600, "pmax"},
	{"the best of each block",
         "f(%0: f32[64,4]) -> f32[2,4] {\n"
         "  %1: f32[2,4], %2: i32[2,4] = top_k %0 k=2 dim=0\n  return %1\n}\n",
         {"x,-"}, 2 * 16 * 3, "ppermute"},
	{"sorted blocks",
         "f(%0: f32[64,4]) -> f32[64,4] {\n"
         "  %1: f32[64,4] = sort %0 dim=0 num_keys=1 is_stable=true\n  return %1\n}\n",
         {"x,-"}, 256 * 0.75, "all_gather"},
	{"rows of a table that is cut",
         "f(%0: f32[64,4], %1: i32[3,1]) -> f32[3,4] {\n  %2: f32[3,4] = gather %0 %1" GATHER_DIMS(
		 "1", "0", "0", "", "") " slice_sizes=[1,4] mode=fill\n  return %2\n}\n",
         {"x,-"}, 48 * 2 * 0.75, "all_gather"},
	{"more rows than half of the table: it is gathered",
         "f(%0: f32[16,4], %1: i32[9,1]) -> f32[9,4] {\n  %2: f32[9,4] = gather %0 %1" GATHER_DIMS(
		 "1", "0", "0", "", "") " slice_sizes=[1,4] mode=fill\n  return %2\n}\n",
         {"x,-"}, 256 * 0.75, "psum"},
	{"a table that is cut is added to",
         "f(%0: f32[64,4], %1: i32[3,1], %2: f32[3,4]) -> f32[64,4] {\n"
         "  %3: f32[64,4] = scatter %0 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=add "
         "mode=drop\n  return %3\n}\n",
         {"x,-"}, 0, "all_gather"},
	{"updates that are cut are added up",
         "f(%0: f32[2,4], %1: i32[65,1], %2: f32[65,4]) -> f32[2,4] {\n"
         "  %3: f32[2,4] = scatter %0 %1 %2" SCATTER_DIMS("1", "0", "0", "", "") " combine=add "
         "mode=clip\n  return %3\n}\n",
         {NULL, "x,-", "x,-"}, 32 * 2 * 0.75, "all_gather"},
	{"windows without indexed dims, cut along a batch dim",
         "f(%0: f32[3,2], %1: f32[3,2,4]) -> f32[3,2] {\n"
         "  %2: i32[2,4,0] = iota dtype=i32 dims=[2,4,0] dim=1\n"
         "  %3: f32[3,2] = scatter %0 %2 %1" SCATTER_DIMS("0", "", "", "1", "0") " combine=add "
         "mode=drop\n  return %3\n}\n",
         {"-,y", "-,y,-"}, 0, "all_gather"},
	{"rolls in a loop",
         "f(%0: f32[8,4]) -> f32[8,4] {\n"
         "  %1: f32[8,4] = scan %0 length=3 consts=0 carry=1 unroll=1 reverse=false "
         "body=step(%0: f32[8,4]) -> f32[8,4] {\n"
         "    %1: f32[1,4] = slice %0 start=[7,0] stop=[8,4] step=[1,1]\n"
         "    %2: f32[7,4] = slice %0 start=[0,0] stop=[7,4] step=[1,1]\n"
         "    %3: f32[8,4] = concatenate %1 %2 dim=0\n    return %3\n  }\n  return %1\n}\n",
         {"x,-"}, 48, "all_gather"},
	{"a row of what all have",
         "f(%0: f32[7,5]) -> f32[1,7] {\n  %1: f32[5,7] = reshape %0 dims=[5,7]\n"
         "  %2: f32[1,7] = slice %1 start=[3,0] stop=[4,7] step=[1,1]\n  return %2\n}\n",
         {"x,-"}, 120, "pbroadcast"},
	{"what all have, backwards",
         "f(%0: f32[7,5]) -> f32[5,7] {\n  %1: f32[5,7] = reshape %0 dims=[5,7]\n"
         "  %2: f32[5,7] = rev %1 dims=[0]\n  return %2\n}\n",
         {"x,-"}, 120, "ppermute"},
	{"a count along a dim",
         "f(%0: f32[8,4]) -> f32[8,4] {\n  %1: f32[8,4] = iota dtype=f32 dims=[8,4] dim=0\n"
         "  %2: f32[8,4] = add %0 %1\n  return %2\n}\n",
         {"x,y"}, 0, "all_gather"},
};

/* of "%i: f32[8,4]" in a program; counts whole numbers, or of rank 0 the operand's number */
static tsr *operand(tsr_ctx *ctx, const char *program, int i)
{
	char name[16];
	int32_t v[MOST];
	tsr_dims dims = TSR_DIMS();
	int64_t n = 1;

	snprintf(name, sizeof name, "%%%d: ", i);
	const char *at = strstr(program, name);
	if (!at || at > strchr(program, '>')) return NULL;
	at += strlen(name);
	for (const char *d = strchr(at, '[') + 1; *d != ']'; d += *d == ',') {
		dims.d[dims.d[0]++] = strtoll(d, (char **)&d, 10);
		n *= dims.d[dims.d[0] - 1];
	}
	assert_true(n <= MOST);
	for (int64_t k = 0; k < n; k++) v[k] = dims.d[0] == 1 ? i : (int32_t)(k * 7 % 31 - 9);
	return tsr_astype(tsr_from(ctx, v, TSR_I32, dims), *at == 'i' ? TSR_I32 : TSR_F32);
}

/* "x*y,-" */
static tsr_spec spec_of(char *text)
{
	tsr_spec spec = {.n1 = 1};

	for (char *entry = strtok(text, ","); entry; entry = strtok(NULL, ","))
		spec.d[spec.n1++] = *entry == '-' ? NULL : entry;
	return spec;
}

static void same_numbers(const struct halo *c, tsr *want, tsr *got, const char *text)
{
	float a[MOST], b[MOST];
	const size_t bytes = (size_t)tsr_size(want) * sizeof *a;

	tsr_read(want, (void *)a, bytes); /* i32 too */
	tsr_read(got, (void *)b, bytes);
	if (memcmp(a, b, bytes)) fail_msg("%s: other numbers in\n%s", c->name, text);
}

static void try_case(tsr_ctx *ctx, const struct halo *c)
{
	TSR_SCOPE(ctx);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr_fn *f = tsr_parse(ctx, c->program);
	tsr_arg whole[OPERANDS], placed[OPERANDS];
	tsr *x, *want = NULL, *got = NULL;
	size_t n = 0;

	for (; n < OPERANDS && (x = operand(ctx, c->program, (int)n)); n++) {
		char text[32];
		snprintf(text, sizeof text, "%s", c->spec[n] ? c->spec[n] : "");
		tsr *y = c->spec[n] ? tsr_put(x, mesh, spec_of(text)) : x;
		whole[n] = TSR_ARG(x);
		placed[n] = TSR_ARG(y);
	}
	const tsr_out to_want = {.to = {.leaf = &want, .count = 1}},
		      to_got = {.to = {.leaf = &got, .count = 1}};
	tsr_call_into_at(TSR_HERE, &to_want, 1, f, whole, n);
	tsr_call_into_at(TSR_HERE, &to_got, 1, f, placed, n);
	const char *text = tsr_fn_compiled_text_at(TSR_HERE, f, placed, n);
	if (tsr_status(ctx)) fail_msg("%s: %s", c->name, tsr_message(ctx));
	same_numbers(c, want, got, text);
	tsr_costs costs = {.size = sizeof costs};
	assert_true(tsr_fn_costs_at(TSR_HERE, f, &costs, placed, n));
	if (costs.bytes != c->bytes || strstr(text, c->never))
		fail_msg("%s: %g bytes in\n%s", c->name, costs.bytes, text);
}

static void each_case(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		tsr_ctx *ctx = tsr_open(.devices = 8);
		try_case(ctx, &cases[k]);
		assert_int_equal(tsr_close(ctx), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_case)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
