/* test_exchange_layouts.c - from any layout to any other one in one step: the parts that devices
 * then hold, put together, are the whole again, so the step is the identity on wholes; forwards, on
 * a batch, and backwards. */
#include "spmd/placed_rig.h"

enum { DRAWS = 200 };

/* "from=[0>0,1>0]" */
static void put_cuts(written *w, const char *name, const shape *s, char entry[NDIM][16])
{
	const char *comma = "";

	put(w, " %s=[", name);
	for (int d = 0; d < s->ndim; d++)
		for (const char *at = entry[d]; *at; at++) {
			if (*at == '*') continue;
			put(w, "%s%d>%d", comma, *at - 'x', d);
			comma = ",";
		}
	put(w, "]");
}

static void draw_even(uint64_t *dice, const shape *s, const struct mesh_case *m,
                      char entry[NDIM][16])
{
	draw_spec(dice, s, m, entry);
	for (int d = 0; d < s->ndim; d++)
		if (s->dim[d] % parts_of(m, entry[d])) *entry[d] = 0;
}

/* an exchange of %0, or its sum, weighted with %1 */
static void write_exchange(written *w, uint64_t dice, const shape *s, const struct mesh_case *m,
                           bool sum)
{
	char from[NDIM][16], to[NDIM][16];
	const char *const axes[] = {"x", "x,y", "x,y,z"};
	const shape loss = {.dtype = s->dtype};

	draw_even(&dice, s, m, from);
	draw_even(&dice, s, m, to);
	*w = (written){.ninputs = 2, .value = {*s, *s}};
	put_signature(w, sum ? &loss : s, 1);
	put(w, " {\n  %%2: ");
	put_type(w, s);
	put(w, " = shard_map %%0 ");
	put_mesh(w, m);
	put(w, " axes=(%s) in=[", axes[m->naxes - 1]);
	put_spec(w, s, from);
	put(w, "] out=[");
	put_spec(w, s, to);
	put(w, "] body=(%%0: ");
	put_block(w, s, m, from);
	put(w, ") -> ");
	put_block(w, s, m, to);
	put(w, " {\n    %%1: ");
	put_block(w, s, m, to);
	put(w, " = exchange %%0 axes=(%s) mesh=[", axes[m->naxes - 1]);
	for (int a = 0; a < m->naxes; a++) put(w, "%s%d", a ? "," : "", (int)m->size[a]);
	put(w, "] dims=[");
	for (int d = 0; d < s->ndim; d++) put(w, "%s%d", d ? "," : "", (int)s->dim[d]);
	put(w, "]");
	put_cuts(w, "from", s, from);
	put_cuts(w, "to", s, to);
	put(w, "\n    return %%1\n  }\n  %%3: ");
	put_type(w, s);
	put(w, " = mul %%2 %%1\n  %%4: ");
	put_type(w, &loss);
	put(w, " = reduce_sum %%3");
	put_dims(w, "dims", s->ndim);
	put(w, "\n  return %%%d\n}\n", sum ? 4 : 2);
}

static void try_exchange(tsr_ctx *ctx, int seed)
{
	static const shape shapes[] = {
		{3, {8, 4, 6}, "f32"}, {2, {8, 16}, "f32"}, {1, {24}, "f32"},
		{4, {4, 2, 8, 2}, "f32"}, {3, {2, 0, 4}, "f32"},
	};
	TSR_SCOPE(ctx);
	uint64_t dice = (uint64_t)seed;
	const struct mesh_case *m = &meshes[dice_below(&dice, sizeof meshes / sizeof *meshes)];
	const shape *s = &shapes[dice_below(&dice, sizeof shapes / sizeof *shapes)];
	shape batch = {s->ndim + 1, {3}, s->dtype};
	static written w;

	memcpy(batch.dim + 1, s->dim, (size_t)s->ndim * sizeof *s->dim);
	write_exchange(&w, dice, s, m, true);
	tsr_fn *sum = tsr_parse(ctx, w.text);
	write_exchange(&w, dice, s, m, false);
	tsr_fn *f = tsr_parse(ctx, w.text);
	tsr *x = input(ctx, s, 0, 0), *weight = input(ctx, s, 1, 0), *y = tsr_call(f, x, weight);
	tsr *xs = input(ctx, &batch, 0, 0), *weights = input(ctx, &batch, 1, 0);
	tsr *ys = tsr_call(tsr_vmap(ctx, f), xs, weights);
	tsr *dx = tsr_call(tsr_grad(ctx, sum), x, weight);
	if (tsr_status(ctx)) fail_msg("seed %d: %s in\n%s", seed, tsr_message(ctx), w.text);
	if (!same_bytes(x, y)) fail_msg("seed %d: not the whole:\n%s", seed, w.text);
	if (!same_bytes(xs, ys)) fail_msg("seed %d: not the batch:\n%s", seed, w.text);
	if (!same_bytes(weight, dx)) fail_msg("seed %d: not the gradient:\n%s", seed, w.text);
}

static void is_the_identity(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing);
	for (int k = 1; k <= DRAWS; k++) try_exchange(ctx, k);
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- automatic mode: five axes change at once */

static const struct {
	shape of;
	const char *from, *to;
} changes[] = {
	{{3, {8, 16, 4}, "i32"}, "a*b,c*d,e", "e*c,a,d*b"},
	{{3, {9, 7, 5}, "i32"}, "a*b,c*d,e", "e*c,a,d*b"},
	{{1, {100}, "i32"}, "a*b*c*d*e", "e*d*c*b*a"},
	{{2, {33, 31}, "i32"}, "a*b*c*d*e,-", "-,d*a*e*b*c"},
	{{2, {64, 3}, "i32"}, "a*b*c,d*e", "d*e*b,-"},
	{{5, {4, 3, 2, 5, 6}, "i32"}, "a,b,c,d,e", "b,c,d,e,a"},
};

static void changes_at_once(void **state)
{
	static const char mesh[] = "mesh=(a:2,b:2,c:2,d:2,e:2)";
	tsr_ctx *ctx = tsr_open(.devices = 32, .log = log_nothing);
	static written w;

	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		TSR_SCOPE(ctx);
		const shape *s = &changes[i].of;
		const char *const to[] = {changes[i].from, changes[i].to};
		w = (written){.ninputs = 1, .value = {*s}};
		put_signature(&w, s, 1);
		put(&w, " {\n");
		for (int k = 0; k < 3; k++) {
			put(&w, "  %%%d: ", k + 1);
			put_type(&w, s);
			if (k == 1) put(&w, " = neg %%1\n");
			else put(&w, " = sharding_constraint %%%d %s to=[[%s]] open=[]\n", k, mesh,
			         to[k / 2]);
		}
		put(&w, "  return %%3\n}\n");
		tsr *x = input(ctx, s, 0, 0);
		tsr_fn *f = tsr_parse(ctx, w.text);
		tsr *y = tsr_call(f, x);
		const char *text = tsr_fn_compiled_text(f, x);
		if (tsr_status(ctx)) fail_msg("%s in\n%s", tsr_message(ctx), w.text);
		if (!strstr(text, " = exchange ")) fail_msg("no exchange in\n%s", text);
		if (!same_bytes(tsr_neg(x), y))
			fail_msg("other values:\n%s\nfrom\n%s", text, w.text);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- what its rule refuses */

static const struct {
	const char *type, *over, *result, *message;
} mistakes[] = {
	{"f32[4,8]{x}", "axes=(x) mesh=[2] dims=[8,8] from=[0>0] to=[0>1]", "f32[8,4]{x}", NULL},
	{"f32[4,8]{x}", "axes=(x) mesh=[4] dims=[8,8] from=[0>0] to=[0>1]", "f32[8,4]{x}",
         "axes (x) of a mesh, with their sizes"},
	{"f32[4,8]{x}", "axes=(x) mesh=[2,2] dims=[8,8] from=[0>0] to=[0>1]", "f32[8,4]{x}",
         "axes (x) of a mesh, with their sizes"},
	{"f32[4,8]{x}", "axes=(x) groups=[[0],[1]] mesh=[2] dims=[8,8] from=[0>0] to=[0>1]",
         "f32[8,4]{x}", "no groups"},
	{"f32[4,8]{x}", "axes=(x) mesh=[2] dims=[8,8] from=[1>0] to=[0>1]", "f32[8,4]{x}",
         "from has 1>0, but there are 1 axes and 2 dims"},
	{"f32[4,8]{x}", "axes=(x) mesh=[2] dims=[8,8] from=[0>0] to=[0>2]", "f32[8,4]{x}",
         "to has 0>2, but there are 1 axes and 2 dims"},
	{"f32[4,8]{x}", "axes=(x) mesh=[2] dims=[8,8] from=[0>0] to=[0>1,0>0]", "f32[8,4]{x}",
         "axis 0 of (x) cuts twice in to"},
	{"f32[4,8]{x}", "axes=(x) mesh=[2] dims=[9,8] from=[0>0] to=[0>1]", "f32[9,4]{x}",
         "f32[4,8]{x} is not a block of the whole"},
	{"f32[4,8]{x}", "axes=(x) mesh=[2] dims=[4,8] from=[] to=[0>1]", "f32[4,4]{x}",
         "varies over the axes that cut and over no other one of (x)"},
	{"f32[4,8]{x}", "axes=(x) mesh=[2] dims=[8] from=[0>0] to=[]", "f32[8]",
         "f32[4,8]{x} is not a block of the whole"},
};

static void refused(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 2, .log = log_nothing);

	(void)state;
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		char text[400];
		const char *message = mistakes[i].message;
		snprintf(text, sizeof text,
		         "axes (x of (x:2)) f(%%0: %s) -> %s {\n  %%1: %s = exchange %%0 %s\n"
		         "  return %%1\n}\n",
		         mistakes[i].type, mistakes[i].result, mistakes[i].result,
		         mistakes[i].over);
		tsr_parse(ctx, text);
		if (!message) assert_int_equal(tsr_status(ctx), TSR_OK);
		else if (!strstr(tsr_message(ctx), message))
			fail_msg("'%s' is not in '%s'", message, tsr_message(ctx));
		tsr_clear(ctx);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_the_identity),
		cmocka_unit_test(changes_at_once),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
