/* test_automatic_loops.c - loops with operands spread over a mesh, against the same on one device,
 * bit for bit, and the exchanges of their bodies. Whole numbers, so that sums are exact in any
 * order. */
#include "placed_rig.h"
#define D TSR_DIMS

enum { STEPS = 4, OPERANDS = 4 };

/* ---- a recurrent network: operands are slices for all steps, the first state, and matrices, by
 * which a step multiplies its slice and the state */

static tsr *by_slice, *by_state;

static void cell(tsr_frame *f)
{
	tsr *h = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1);

	h = tsr_maximum(tsr_add(tsr_dot(x, by_slice), tsr_dot(h, by_state)), 0);
	tsr_return(f, h, tsr_add(h, 1));
}

/* the last state; *all: what the steps gave */
static tsr *run(tsr_frame *f, tsr **all)
{
	tsr *h = tsr_frame_arg(f, 1);

	by_slice = tsr_frame_arg(f, 2), by_state = tsr_frame_arg(f, 3);
	tsr_scan_into(TSR_OUT(&h, all), cell, h, tsr_frame_arg(f, 0));
	return h;
}

static void states(tsr_frame *f)
{
	tsr *all, *h = run(f, &all);

	tsr_return(f, h, all);
}

static void network(tsr_frame *f)
{
	tsr *all, *h = run(f, &all);

	tsr_return(f, tsr_add(tsr_sum(h), tsr_sum(all)));
}

/* ---- training: operands are examples, their labels, and the weights of a linear model. The rate
 * is a power of two, so that all stays exact */

static tsr *examples, *labels;

static void loss(tsr_frame *f)
{
	tsr *off = tsr_sub(tsr_dot(examples, tsr_frame_arg(f, 0)), labels);

	tsr_return(f, tsr_sum(tsr_mul(off, off)));
}

static tsr *descend(tsr *i, tsr *w)
{
	(void)i;
	return tsr_sub(w, tsr_mul(tsr_call(tsr_grad(tsr_ctx_of(w), loss), w), 1. / 64));
}

static void train(tsr_frame *f)
{
	examples = tsr_frame_arg(f, 0), labels = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_sum(tsr_fori(0, STEPS, descend, tsr_frame_arg(f, 2))));
}

/* ---- as long as the largest is small */

static tsr *is_small(tsr *x) { return tsr_lt(tsr_max(x), 1000); }
static tsr *square(tsr *x) { return tsr_sub(tsr_mul(x, x), by_state); }

static void grow(tsr_frame *f)
{
	by_state = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_while(is_small, square, tsr_frame_arg(f, 0)));
}

/* ---- one of two */

static tsr *product(tsr *x) { return tsr_dot(x, by_state); }
static tsr *shrink(tsr *x) { return tsr_neg(x); }

static void choose(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);

	by_state = tsr_frame_arg(f, 1);
	x = tsr_cond(tsr_gt(tsr_sum(x), tsr_frame_arg(f, 2)), product, shrink, x);
	tsr_return(f, tsr_sum(x));
}

/* ---- the same loop twice, on two values */

static tsr *add_third(tsr *i, tsr *x) { return tsr_add(tsr_mul(x, 3), tsr_astype(i, TSR_F32)); }

static void twice(tsr_frame *f)
{
	tsr_fn *step_of = tsr_jit(tsr_frame_ctx(f), add_third);
	tsr *x = tsr_fori(0, STEPS, step_of, tsr_frame_arg(f, 0));

	tsr *y = tsr_fori(0, STEPS, step_of, tsr_frame_arg(f, 1));
	tsr_return(f, tsr_add(tsr_sum(x), tsr_sum(y)));
}

/* ---- somebody looks at the carry: he sees all of it, once in each step */

static int nseen;
static float seen[STEPS];

static bool look(const tsr_host_call *c)
{
	const float *x = c->in[0];
	float sum = 0;

	for (int i = 0; i < 32; i++) sum += x[i];
	if (nseen < STEPS) seen[nseen] = sum;
	nseen++;
	return true;
}

static tsr *shown(tsr *i, tsr *x)
{
	(void)i;
	tsr_call_into(TSR_NO_OUT, tsr_debug_callback(x, look), x);
	return tsr_add(x, x);
}

static void show(tsr_frame *f) { tsr_return(f, tsr_fori(0, STEPS, shown, tsr_frame_arg(f, 0))); }

/* ---- a map in each step, over the mesh of the operands, and another one over another mesh */

static tsr *double_block(tsr *x) { return tsr_add(x, tsr_pmax(tsr_max(x), "x")); }
static tsr *double_other(tsr *x) { return tsr_add(x, tsr_pmax(tsr_max(x), "z")); }

static tsr *mapped(tsr *i, tsr *x)
{
	tsr_ctx *ctx = tsr_ctx_of(x);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});

	(void)i;
	return tsr_call(tsr_shard_map(mesh, double_block, .sig = "[x] -> [x]"), x);
}

static tsr *mapped_elsewhere(tsr *i, tsr *x)
{
	tsr_mesh *mesh = tsr_mesh_make(tsr_ctx_of(x), {"z", 8});

	return tsr_call(tsr_shard_map(mesh, double_other, .sig = "[z] -> [z]"), mapped(i, x));
}

static void maps(tsr_frame *f)
{
	tsr_return(f, tsr_fori(0, STEPS, mapped, tsr_frame_arg(f, 0)));
}

static void maps_elsewhere(tsr_frame *f)
{
	tsr_return(f, tsr_fori(0, STEPS, mapped_elsewhere, tsr_frame_arg(f, 0)));
}

/* ---- cases */

typedef struct model {
	void (*body)(tsr_frame *);
	int n;
	tsr_dims dims[OPERANDS];
} model;
static const model rnn = {network,
                          4,
                          {{.d = {4, STEPS, 8, 4}},
                           {.d = {3, 8, 4}},
                           {.d = {3, 4, 4}},
                           {.d = {3, 4, 4}}}},
		   training = {train, 3, {{.d = {3, 8, 4}}, {.d = {3, 8, 4}}, {.d = {3, 4, 4}}}},
		   growing = {grow, 2, {{.d = {3, 8, 4}}, {.d = {3, 8, 4}}}},
		   choosing = {choose, 3, {{.d = {3, 8, 4}}, {.d = {3, 4, 4}}, {.d = {1}}}},
		   repeating = {twice, 2, {{.d = {3, 8, 4}}, {.d = {3, 8, 4}}}},
		   showing = {show, 1, {{.d = {3, 8, 4}}}}, mapping = {maps, 1, {{.d = {3, 8, 4}}}},
		   elsewhere = {maps_elsewhere, 1, {{.d = {3, 8, 4}}}};

/* where the operands are, as the entries of specs (NULL: on one device), and what is exchanged in
 * bodies, and outside of them */
static const struct loop_case {
	const char *name;
	const model *of;
	const char *at[OPERANDS];
	const char *inside, *outside;
} cases[] = {
	{"batch", &rnn, {"-,x,-", "x,-", "-,-", "-,-"}, "", "psum psum"},
	{"batch on two axes", &rnn, {"-,x*y,-", "x*y,-", "-,-", "-,-"}, "", "psum psum"},
	{"batch, the state is free", &rnn, {"-,x,-", NULL, "-,-", "-,-"}, "", "psum psum"},
	{"sums of slices", &rnn, {"-,-,x", "-,-", "x,-", "-,-"}, "psum", ""},
	{"sums of the state", &rnn, {"-,-,-", "-,-", "-,-", "x,-"}, "psum_scatter", "psum psum"},
	{"columns", &rnn, {"-,-,-", "-,-", "-,x", "-,x"}, "all_gather", "psum psum"},
	{"batch and columns", &rnn, {"-,x,-", "x,-", "-,y", "-,y"}, "all_gather", "psum psum"},
	{"constants", &rnn, {"-,x,-", "x,-", "-,-", "x,-"}, "", "all_gather psum psum"},
	{"steps are cut", &rnn, {"x,-,-", "-,-", "-,-", "-,-"}, "", "all_gather"},
	{"data-parallel steps", &training, {"x,-", "x,-", "-,-"}, "psum", ""},
	{"on both axes", &training, {"x*y,-", "x*y,-", "-,-"}, "psum", ""},
	{"as long as", &growing, {"x,-", "x,-"}, "pmax", ""},
	{"a choice", &choosing, {"x,-", "-,-", ""}, "", "psum psum"},
	{"once in rows, once in columns", &repeating, {"x*y,-", "-,x"}, "", "psum psum"},
	{"shown", &showing, {"x,-"}, "all_gather", ""},
	{"a map of rows", &mapping, {"x,-"}, "pmax", ""},
	{"a map of rows, of columns", &mapping, {"-,x"}, "pmax", "all_to_all"},
	{"maps over two meshes", &elsewhere, {"x,-"}, "pmax all_gather pmax all_gather", ""},
	{"nothing is cut", &rnn, {"-,-,-", "-,-", "-,-", "-,-"}, "", ""},
};

static tsr *operand(tsr_ctx *ctx, const struct loop_case *c, int which, tsr_mesh *mesh)
{
	const tsr_dims *dims = &c->of->dims[which];
	tsr_spec spec = {.n1 = 1};
	char text[64];
	float v[256];

	for (int i = 0; i < 256; i++) v[i] = (float)((i * 7 + which * 3 + i / 5) % 4) - 1;
	tsr *x = tsr_from(ctx, v, TSR_F32, *dims);
	if (!mesh || !c->at[which]) return x;
	snprintf(text, sizeof text, "%s", c->at[which]);
	for (char *at = strtok(text, ","); at; at = strtok(NULL, ",")) spec.d[spec.n1++] = at;
	return tsr_put(x, mesh, spec);
}

/* adds the name of a collective that a line of a program begins with */
static void note(const char *row, char *to, size_t room)
{
	static const char *const rows[] = {"psum",       "psum_scatter", "pmax",    "pmin",
	                                   "all_gather", "all_to_all",   "ppermute"};
	const size_t n = strlen(to);
	char word[32];

	sscanf(row, "%31[a-z_]", word);
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (strcmp(word, rows[k]) == 0)
			snprintf(to + n, room - n, "%s%s", n ? " " : "", word);
}

/* what stands inside another program is indented further */
static void check_exchanges(const struct loop_case *c, const char *text)
{
	char inside[256] = "", outside[256] = "";

	for (const char *row = text; (row = strstr(row, " = ")); row += 3) {
		const char *line = row;
		while (line > text && line[-1] != '\n') line--;
		note(row + 3, strncmp(line, "    ", 4) ? outside : inside, sizeof inside);
	}
	if (strcmp(inside, c->inside) || strcmp(outside, c->outside))
		fail_msg("%s: inside '%s', outside '%s' in\n%s", c->name, inside, outside, text);
}

static void same_results(const struct loop_case *c, tsr_fn *f, tsr_mesh *mesh, int nout)
{
	tsr_ctx *ctx = tsr_mesh_ctx(mesh);
	tsr_arg whole[OPERANDS], placed[OPERANDS];
	tsr *want[OPERANDS], *got[OPERANDS], *x;
	tsr_out to_want[OPERANDS], to_got[OPERANDS];

	for (int i = 0; i < c->of->n; i++) {
		whole[i] = TSR_ARG((x = operand(ctx, c, i, NULL)));
		placed[i] = TSR_ARG((x = operand(ctx, c, i, mesh)));
	}
	for (int j = 0; j < nout; j++) {
		to_want[j] = (tsr_out){.to = {.leaf = &want[j], .count = 1}};
		to_got[j] = (tsr_out){.to = {.leaf = &got[j], .count = 1}};
	}
	tsr_call_into_at(TSR_HERE, to_want, (size_t)nout, f, whole, (size_t)c->of->n);
	tsr_call_into_at(TSR_HERE, to_got, (size_t)nout, f, placed, (size_t)c->of->n);
	if (tsr_status(ctx)) fail_msg("%s: %s", c->name, tsr_message(ctx));
	const char *text = tsr_fn_compiled_text_at(TSR_HERE, f, placed, (size_t)c->of->n);
	for (int j = 0; j < nout; j++)
		if (!same_bytes(want[j], got[j]))
			fail_msg("%s: result %d differs in\n%s", c->name, j, text);
	if (nout == 1) check_exchanges(c, text);
}

static void loops_work_on_blocks(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		tsr_ctx *ctx = tsr_open(.devices = 8);
		tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
		same_results(&cases[k], tsr_jit(ctx, cases[k].of->body), mesh, 1);
		assert_int_equal(tsr_close(ctx), 0);
	}
}

static void check_spec(const char *name, tsr *x, const char *want)
{
	const char *text = tsr_sharding_text(tsr_sharding_of(x)), *spec = strstr(text, "spec=");

	assert_non_null(spec);
	if (strncmp(spec + 5, want, strlen(want)) || strcmp(spec + 5 + strlen(want), ")"))
		fail_msg("%s: a result lies as %s, not %s", name, text, want);
}

/* the last state, and the stack of all, as JAX 0.10.2 has them */
static void lie_where_jax_has_them(void **state)
{
	static const struct jax {
		const char *name, *last, *all;
	} jax[] = {
		{"batch", "P('x',)", "P(None, 'x')"},
		{"batch, the state is free", "P('x',)", "P(None, 'x')"},
		{"sums of slices", "P()", "P()"},
		{"sums of the state", "P(None, 'x')", "P(None, None, 'x')"},
		{"columns", "P(None, 'x')", "P(None, None, 'x')"},
		{"batch and columns", "P('x', 'y')", "P(None, 'x', 'y')"},
		{"constants", "P('x',)", "P(None, 'x')"},
		{"steps are cut", "P()", "P()"},
	};
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *in[OPERANDS], *last, *all;

	(void)state;
	for (size_t k = 0; k < sizeof jax / sizeof *jax; k++) {
		const struct loop_case *c = cases;
		while (strcmp(c->name, jax[k].name)) c++;
		for (int i = 0; i < OPERANDS; i++) in[i] = operand(ctx, c, i, mesh);
		tsr_call_into(TSR_OUT(&last, &all), tsr_jit(ctx, states), in[0], in[1], in[2],
		              in[3]);
		check_spec(c->name, last, jax[k].last);
		check_spec(c->name, all, jax[k].all);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

static void callbacks_see_whole_values(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = tsr_put(tsr_ones(ctx, D(8, 4)), mesh, TSR_P("x")), *y;

	(void)state;
	nseen = 0;
	y = tsr_fori(0, STEPS, shown, x);
	assert_true(tsr_item(tsr_sum(y)) == 32 << STEPS);
	const int sees = tsr_process(ctx) ? 0 : STEPS; /* the first one of several does */
	assert_int_equal(nseen, sees);
	for (int i = 0; i < sees; i++) assert_true(seen[i] == (float)(32 << i));
	assert_int_equal(tsr_close(ctx), 0);
}

/* the program on one device, but for its axis table */
static void what_is_whole_stays_as_it_is(void **state)
{
	const struct loop_case whole = {
		"whole", &rnn, {"-,-,-", "-,-", "-,-", "-,-"}, NULL, NULL};
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr_fn *f = tsr_grad(ctx, network, .wrt = D(0, 1, 2, 3));
	tsr_arg alone[OPERANDS], all[OPERANDS];
	tsr *x;

	(void)state;
	for (int i = 0; i < 4; i++) {
		alone[i] = TSR_ARG((x = operand(ctx, &whole, i, NULL)));
		all[i] = TSR_ARG((x = operand(ctx, &whole, i, mesh)));
	}
	const char *text = tsr_fn_compiled_text_at(TSR_HERE, f, all, 4),
		   *want = tsr_fn_compiled_text_at(TSR_HERE, f, alone, 4);
	assert_string_equal(strstr(text, "(%0"), strstr(want, "(%0"));
	assert_int_equal(tsr_close(ctx), 0);
}

static void gradients_are_the_same(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		const model *of = cases[k].of;
		if (of != &rnn && of != &training && of != &choosing) continue;
		tsr_ctx *ctx = tsr_open(.devices = 8);
		tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
		tsr_fn *f = of->n == 4 ? tsr_grad(ctx, of->body, .wrt = D(0, 1, 2, 3))
		                       : tsr_grad(ctx, of->body, .wrt = D(0, 1, 2));
		same_results(&cases[k], f, mesh, of->n);
		assert_int_equal(tsr_close(ctx), 0);
	}
}

/* ---- single equations that hold programs, on operands that are spread at random, and their
 * gradients */

#define ROWS_BY(a, b) \
	"dot_general " a " " b " contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] dtype=f32\n"
static const one equations[] = {
	{"f32[4,4]; f32[8,4]; f32[2,8,4]",
         "scan %0 %1 %2 length=2 consts=1 carry=1 unroll=1 reverse=false "
         "body=f(%0: f32[4,4], %1: f32[8,4], %2: f32[8,4]) -> f32[8,4] {\n"
         "  %3: f32[8,4] = " ROWS_BY("%1", "%0") "  %4: f32[8,4] = add %3 %2\n"
         "  %5: f32[8,4] = max %4 0.0:f32\n  return %5\n}",
         "f32[8,4]"},
	{"f32[6]; f32[4,9,6]",
         "scan %0 %1 length=4 consts=1 carry=0 unroll=1 reverse=true "
         "body=f(%0: f32[6], %1: f32[9,6]) -> f32[9] {\n"
         "  %2: f32[9] = " ROWS_BY("%1", "%0") "  return %2\n}",
         "f32[4,9]"},
	{"i32[]; f32[8,4]; f32[4,4]",
         "cond %0 %1 %2 branches=[f(%0: f32[8,4], %1: f32[4,4]) -> f32[8,4] {\n"
         "  %2: f32[8,4] = " ROWS_BY("%0", "%1") "  return %2\n}, "
         "f(%0: f32[8,4], %1: f32[4,4]) -> f32[8,4] {\n"
         "  %2: f32[8,4] = mul %0 %0\n  return %2\n}, "
         "f(%0: f32[8,4], %1: f32[4,4]) -> f32[8,4] {\n  return %0\n}]",
         "f32[8,4]"},
};

static void placed_at_random(void **state)
{
	static written w;
	enum { DRAWS = 40 };

	(void)state;
	for (size_t k = 0; k < sizeof equations / sizeof *equations; k++)
		for (int derived = 0; derived < 2; derived++) {
			tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing);
			if (derived)
				write_loss(&w, &equations[k]);
			else
				write_case(&w, &equations[k]);
			for (int d = 0; d < DRAWS; d++) try_program(ctx, &w, 1, 1 + d);
			assert_int_equal(tsr_close(ctx), 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_work_on_blocks),
		cmocka_unit_test(gradients_are_the_same),
		cmocka_unit_test(placed_at_random),
		cmocka_unit_test(lie_where_jax_has_them),
		cmocka_unit_test(callbacks_see_whole_values),
		cmocka_unit_test(what_is_whole_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
