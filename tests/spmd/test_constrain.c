/* test_constrain.c - constraints: the value is the same with and without them, jitted and eagerly,
 * on many meshes; and results lie where those of the same program in JAX do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#define P TSR_P

enum { SIDE = 8 };

static tsr_mesh *grid; /* of the programs; NULL: they run without constraints */

/* the axes that the mesh lacks cut nothing */
static const char *axis_of(const char *name)
{
	for (int k = 0; name && k < tsr_mesh_ndim(grid); k++)
		if (strcmp(tsr_mesh_axis(grid, k).name, name) == 0) return name;
	return NULL;
}

static tsr *C2(tsr *x, const char *a, const char *b)
{
	return grid ? tsr_constrain(x, grid, P(axis_of(a), axis_of(b))) : x;
}

static tsr *C1(tsr *x, const char *a)
{
	return grid ? tsr_constrain(x, grid, P(axis_of(a))) : x;
}

/* ---- programs, each of f32[8,8] a and b, and what JAX 0.10.2 makes of them under jax.jit, with
 * C = lambda v, *spec: with_sharding_constraint(v, NamedSharding(mesh, P(*spec))) */

static tsr *product(tsr *a, tsr *b) { return C2(tsr_dot(a, b), "x", NULL); }
static tsr *product_turned(tsr *a, tsr *b) { return C2(tsr_dot(a, b), NULL, "x"); }
static tsr *product_both(tsr *a, tsr *b) { return C2(tsr_dot(a, b), "x", "y"); }
static tsr *middle(tsr *a, tsr *b)
{
	return tsr_add(tsr_sub(C2(tsr_mul(a, 2.0), "x", NULL), b), b);
}
static tsr *whole(tsr *a, tsr *b) { return tsr_add(tsr_mul(C2(a, NULL, NULL), 2.0), C1(b, NULL)); }
static tsr *chain(tsr *a, tsr *b)
{
	(void)b;
	return tsr_mul(C2(tsr_mul(C2(a, "x", NULL), 2.0), NULL, "y"), 3.0);
}
static tsr *other_reader(tsr *a, tsr *b)
{
	(void)b;
	return tsr_sub(tsr_mul(C2(a, NULL, "y"), 2.0), C2(tsr_add(a, 1.0), NULL, "y"));
}
static tsr *sum(tsr *a, tsr *b)
{
	(void)b;
	return tsr_sum(C2(a, "x", "y"), .dims = TSR_DIMS(0));
}
static tsr *sum_all(tsr *a, tsr *b)
{
	(void)b;
	return tsr_sum(C2(a, "x", "y"));
}
static tsr *turned(tsr *a, tsr *b)
{
	(void)b;
	return tsr_add(tsr_transpose(C2(a, "x", NULL)), 1.0);
}
static tsr *broadcast(tsr *a, tsr *b)
{
	return tsr_add(C2(a, "x", "y"), tsr_sum(b, .dims = TSR_DIMS(0)));
}
static tsr *flattened(tsr *a, tsr *b)
{
	(void)b;
	return tsr_reshape(C2(a, "x", NULL), TSR_DIMS(SIDE * SIDE));
}
static tsr *of_flat(tsr *a, tsr *b)
{
	(void)b;
	return C1(tsr_reshape(a, TSR_DIMS(SIDE * SIDE)), "x");
}

/* ---- derivatives and batches */

static tsr *square_loss(tsr *a, tsr *b)
{
	return tsr_sum(tsr_add(tsr_mul(C2(tsr_mul(a, a), "x", NULL), 3.0), b));
}
static tsr *grad(tsr *a, tsr *b) { return tsr_call(tsr_grad(a, square_loss), a, b); }
static tsr *product_loss(tsr *a, tsr *b) { return tsr_sum(tsr_square(product(a, b))); }
static tsr *grad_product(tsr *a, tsr *b) { return tsr_call(tsr_grad(a, product_loss), a, b); }
static tsr *column_square(tsr *a) { return C2(tsr_mul(a, a), NULL, "y"); }
static tsr *jvp(tsr *a, tsr *b)
{
	tsr *y, *dy;

	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(a, column_square), a, b);
	return dy;
}
static tsr *row(tsr *r) { return C1(tsr_mul(r, 2.0), "y"); }
static tsr *vmap(tsr *a, tsr *b)
{
	(void)b;
	return tsr_call(tsr_vmap(a, row), a);
}
static tsr *vmap_spmd(tsr *a, tsr *b)
{
	(void)b;
	return tsr_call(grid ? tsr_vmap(a, row, .spmd_axis = "x") : tsr_vmap(a, row), a);
}
static tsr *vmap_of_grad(tsr *a, tsr *b)
{
	return tsr_call(tsr_vmap(a, grad), tsr_stack(0, a, b), tsr_stack(0, b, a));
}

/* ---- inside control flow and maps */

static tsr *doubled(tsr *c) { return C2(tsr_mul(c, 2.0), "x", NULL); }
static void step(tsr_frame *f)
{
	tsr_return(f, doubled(tsr_frame_arg(f, 0)), tsr_sum(tsr_frame_arg(f, 1)));
}
static tsr *loop(tsr *a, tsr *b)
{
	tsr *c, *sums;

	tsr_scan_into(TSR_OUT(&c, &sums), step, a, b);
	return c;
}
static tsr *same(tsr *c) { return c; }
static tsr *choice(tsr *a, tsr *b)
{
	return tsr_cond(tsr_gt(tsr_sum(b), 0.0), doubled, same, a);
}
static tsr *in_block(tsr *a) { return C2(tsr_mul(a, 2.0), NULL, "y"); }
static tsr *partial_map(tsr *a, tsr *b)
{
	(void)b;
	if (!grid) return in_block(a);
	return tsr_call(tsr_shard_map(grid, in_block, .in = TSR_SPECS(P("x")),
	                              .out = TSR_SPECS(P("x")), .axes = "x"),
	                a);
}

typedef tsr *program(tsr *, tsr *);
static const struct one {
	const char *name;
	program *run;
	tsr_spec a, b; /* not given: uncommitted */
	tsr_spec jax; /* where the result is in JAX, on the mesh x:4, y:2 */
} programs[] = {
	/* C(a @ b, 'x', None) */
	{"product", product, .jax = TSR_SPEC("x")},
	/* C(a @ b, None, 'x') */
	{"product placed", product_turned, TSR_SPEC("x", "y"), TSR_SPEC("y"),
         .jax = TSR_SPEC(NULL, "x")},
	/* C(a @ b, 'x', 'y') */
	{"product both", product_both, .jax = TSR_SPEC("x", "y")},
	/* C(a * 2, 'x') - b + b */
	{"middle", middle, .jax = TSR_SPEC("x")},
	/* C(a) * 2 + C(b) */
	{"whole", whole, TSR_SPEC("x"), .jax = TSR_SPEC(NULL)},
	/* C(C(a, 'x') * 2, None, 'y') * 3 */
	{"chain", chain, .jax = TSR_SPEC(NULL, "y")},
	{"other reader", other_reader, TSR_SPEC("x"), .jax = TSR_SPEC(NULL, "y")},
	{"sum", sum, .jax = TSR_SPEC("y")},
	{"sum of all", sum_all, .jax = TSR_SPEC(NULL)},
	/* C(a, 'x').T + 1 */
	{"turned", turned, .jax = TSR_SPEC(NULL, "x")},
	{"broadcast", broadcast, .jax = TSR_SPEC("x", "y")},
	{"flattened", flattened, .jax = TSR_SPEC("x")},
	{"of flat", of_flat, .jax = TSR_SPEC("x")},
	/* jax.grad(lambda a, b: (C(a * a, 'x') * 3 + b).sum()) */
	{"grad", grad, .jax = TSR_SPEC("x")},
	/* jax.grad(lambda a, b: (C(a @ b, 'x') ** 2).sum()) */
	{"grad of a product", grad_product, .jax = TSR_SPEC("x")},
	{"jvp", jvp, .jax = TSR_SPEC(NULL, "y")},
	/* jax.vmap(lambda r: C(r * 2, 'y')) */
	{"vmap", vmap, .jax = TSR_SPEC(NULL, "y")},
	{"vmap, placed", vmap, TSR_SPEC("x"), .jax = TSR_SPEC("x", "y")},
	{"vmap, spmd_axis", vmap_spmd, .jax = TSR_SPEC("x", "y")},
	{"vmap of grad", vmap_of_grad, .jax = TSR_SPEC(NULL, "x")},
	{"scan", loop, .jax = TSR_SPEC("x")},
	{"cond", choice, .jax = TSR_SPEC("x")},
	{"partial map", partial_map, .jax = TSR_SPEC("x", "y")},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* ---- running them */

static void log_text(void *user, int level, const char *text)
{
	(void)user;
	if (level == 0) print_error("%s\n", text);
}

static void inputs(tsr_ctx *ctx, tsr **a, tsr **b)
{
	static float v[2][SIDE * SIDE];

	for (int i = 0; i < SIDE * SIDE; i++) {
		v[0][i] = (float)(i * 7 % 11 - 4);
		v[1][i] = (float)(i * 5 % 7 - 2);
	}
	*a = tsr_from(ctx, v[0], TSR_F32, TSR_DIMS(SIDE, SIDE));
	*b = tsr_from(ctx, v[1], TSR_F32, TSR_DIMS(SIDE, SIDE));
}

static bool same_bits(tsr *x, tsr *y)
{
	static char u[4 * SIDE * SIDE * SIDE], v[sizeof u];
	const size_t bytes = (size_t)tsr_size(x) * 4;

	assert_int_equal(tsr_size(x), tsr_size(y));
	assert_true(bytes <= sizeof u);
	tsr_read(x, u, bytes);
	tsr_read(y, v, bytes);
	return memcmp(u, v, bytes) == 0;
}

static tsr_mesh *mesh_of(tsr_ctx *ctx, const int64_t *size, int n)
{
	const tsr_axis axes[] = {{"x", size[0]}, {"y", size[1]}, {"z", size[2]}};

	return tsr_mesh_make_at(TSR_HERE, ctx, axes, (size_t)n);
}

static tsr *placed(tsr *x, tsr_spec spec)
{
	for (int d = 1; d < spec.n1; d++) spec.d[d] = axis_of(spec.d[d]);
	return spec.n1 ? tsr_put(x, grid, spec) : x;
}

static void check_values(tsr_ctx *ctx, const struct one *p, tsr_mesh *mesh)
{
	TSR_SCOPE(ctx);
	tsr *a, *b;

	inputs(ctx, &a, &b);
	grid = NULL;
	tsr *want = tsr_call(tsr_jit(ctx, p->run, .name = "plain"), a, b);
	grid = mesh;
	a = placed(a, p->a);
	b = placed(b, p->b);
	tsr *jitted = tsr_call(tsr_jit(ctx, p->run), a, b), *eager = p->run(a, b);
	if (tsr_status(ctx)) fail_msg("%s: %s", p->name, tsr_message(ctx));
	if (!same_bits(want, jitted)) fail_msg("%s differs on %s", p->name, tsr_mesh_text(mesh));
	if (!same_bits(want, eager))
		fail_msg("%s differs eagerly on %s", p->name, tsr_mesh_text(mesh));
}

static void values(void **state)
{
	static const struct { int n; int64_t size[3]; } meshes[] = {
		{1, {2}}, {1, {4}}, {2, {2, 2}}, {2, {4, 2}}, {3, {2, 2, 2}}};

	(void)state;
	for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++) {
		tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_text);
		tsr_mesh *mesh = mesh_of(ctx, meshes[m].size, meshes[m].n);
		for (int k = 0; k < PROGRAMS; k++) check_values(ctx, &programs[k], mesh);
		assert_int_equal(tsr_close(ctx), 0);
	}
}

/* ---- trees */

TSR_TREE_TYPE(pair, { tsr *w, *b; });

static void both(tsr_frame *f)
{
	const tsr_spec specs[] = {P("x", "y"), P("y")};
	pair p = {.w = tsr_frame_arg(f, 0), .b = tsr_frame_arg(f, 1)};

	tsr_constrain_tree(TSR_TREE(pair, &p), TSR_TREE(pair, &p), grid,
	                   .spec = TSR_FOR_EACH(specs));
	tsr_return(f, TSR_TREE(pair, &p));
}

static void trees(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_text);
	pair p, q = {.w = NULL};

	(void)state;
	grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	inputs(ctx, &p.w, &p.b);
	tsr_call_into(TSR_OUT(TSR_TREE(pair, &q)), tsr_jit(ctx, both), p.w, p.b);
	assert_ptr_equal(tsr_sharding_of(q.w), tsr_sharding_make(grid, P("x", "y")));
	assert_ptr_equal(tsr_sharding_of(q.b), tsr_sharding_make(grid, P("y")));
	assert_true(same_bits(p.w, q.w) && same_bits(p.b, q.b));
	/* outside of bodies; an absent leaf stays absent */
	p.b = NULL;
	assert_true(tsr_constrain_tree(TSR_TREE(pair, &q), TSR_TREE(pair, &p), grid,
	                               .spec = TSR_FOR_ALL(P("y"))));
	assert_ptr_equal(tsr_sharding_of(q.w), tsr_sharding_make(grid, P("y")));
	assert_null(q.b);
	assert_int_equal(tsr_close(ctx), 0);
}

static void where_jax_has_them(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_text);
	int wrong = 0;

	(void)state;
	grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	for (int k = 0; k < PROGRAMS; k++) {
		TSR_SCOPE(ctx);
		const struct one *p = &programs[k];
		tsr *a, *b;
		inputs(ctx, &a, &b);
		tsr *y = tsr_call(tsr_jit(ctx, p->run), placed(a, p->a), placed(b, p->b));
		const tsr_sharding *want = tsr_sharding_make(grid, p->jax);
		if (tsr_sharding_equivalent(tsr_sharding_of(y), want, tsr_ndim(y))) continue;
		wrong++;
		print_error("%s is at %s, not %s\n", p->name,
		            tsr_sharding_text(tsr_sharding_of(y)), tsr_sharding_text(want));
	}
	assert_int_equal(wrong, 0);
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- what is put in a body, and what has another array as its model */

static tsr *puts_to(tsr *x) { return tsr_mul(tsr_put(x, grid, P("x", "y")), 2.0); }
static tsr *puts_as(tsr *x)
{
	return tsr_mul(tsr_put_sharding(x, tsr_sharding_make(grid, P(NULL, "x"))), 2.0);
}
static tsr *loss(tsr *x)
{
	tsr *y = puts_to(x);
	return tsr_sum(tsr_mul(y, y));
}

static void puts_in_bodies(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_text);
	tsr *a, *b;

	(void)state;
	grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	inputs(ctx, &a, &b);
	tsr *y = tsr_call(tsr_jit(ctx, puts_to), a), *z = tsr_call(tsr_jit(ctx, puts_as), a);
	tsr *g = tsr_call(tsr_jit(ctx, tsr_grad(ctx, loss)), a);
	assert_ptr_equal(tsr_sharding_of(y), tsr_sharding_make(grid, P("x", "y")));
	assert_ptr_equal(tsr_sharding_of(z), tsr_sharding_make(grid, P(NULL, "x")));
	assert_ptr_equal(tsr_sharding_of(g), tsr_sharding_make(grid, P("x", "y")));
	assert_true(same_bits(y, tsr_mul(a, 2.0)) && same_bits(z, y));
	assert_int_equal(tsr_close(ctx), 0);
}

/* every dtype; dims that do not divide, a scalar, none; on a mesh and on one device. x: whole */
static void is_like(tsr *x, const tsr_sharding *at)
{
	tsr *model = at ? tsr_put_sharding(x, at) : x;
	tsr *const y[] = {tsr_zeros_like(model), tsr_ones_like(model)};
	tsr *const want[] = {tsr_mul(x, 0), tsr_add(tsr_mul(x, 0), 1)};

	for (int k = 0; k < 2; k++) {
		if (tsr_sharding_of(y[k]) != tsr_sharding_of(model))
			fail_msg("%s is at %s", tsr_text(y[k]),
			         tsr_sharding_text(tsr_sharding_of(y[k])));
		assert_int_equal(tsr_dtype_of(y[k]), tsr_dtype_of(x));
		assert_true(tsr_array_equal(y[k], tsr_astype(want[k], tsr_dtype_of(x))));
	}
}

static void lies_as_its_model(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_text);

	(void)state;
	grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	for (tsr_dtype d = TSR_BOOL; d < TSR_DTYPE_COUNT_; d++) {
		TSR_SCOPE(ctx);
		tsr *x = tsr_ones(ctx, TSR_DIMS(7, 3), .dtype = d);
		is_like(x, tsr_sharding_make(grid, P("x", "y")));
		is_like(x, tsr_sharding_make(grid, P(NULL, "y")));
		is_like(x, tsr_sharding_make(grid, P()));
		is_like(x, tsr_sharding_device(ctx, 2));
		is_like(x, NULL);
		is_like(tsr_zeros(ctx, TSR_DIMS(0, 3), .dtype = d),
		        tsr_sharding_make(grid, P("x")));
		is_like(tsr_ones(ctx, TSR_DIMS(), .dtype = d), tsr_sharding_make(grid, P()));
	}
	assert_int_equal(tsr_status(ctx), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(trees),
		cmocka_unit_test(where_jax_has_them),
		cmocka_unit_test(puts_in_bodies),
		cmocka_unit_test(lies_as_its_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
