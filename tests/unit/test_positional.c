/* test_positional.c - positional shardings against the definition in JAX: a grid of sets of
 * devices, reshaped as numpy does, with sets joined along dims; their texts, their placements, and
 * that they are shardings like all others. */
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS
enum { DEVICES = 48 };
typedef const tsr_sharding *positional;

static tsr_ctx *ctx;

static int open_all(void **state)
{
	(void)state;
	ctx = tsr_open(.devices = DEVICES, .log = log_nothing);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	return tsr_close(ctx);
}

static positional line(int64_t n) { return tsr_sharding_positional(ctx, D(n)); }

/* ---- texts: repr() of PositionalSharding */

#define INDENT "                    "

static void has_text(positional s, const char *text)
{
	if (strcmp(tsr_sharding_text(s), text) != 0)
		fail_msg("\n%s\nnot\n%s", tsr_sharding_text(s), text);
}

static void test_texts(void **state)
{
	const int64_t ids[] = {3, 1, 0, 2};

	(void)state;
	has_text(line(1), "PositionalSharding([{CPU 0}], shape=(1,))");
	has_text(tsr_sharding_positional(ctx, D()), "PositionalSharding({CPU 0}, shape=())");
	has_text(tsr_sharding_positional(ctx, D(2, 2), TSR_DEVICES(ids)),
	         "PositionalSharding([[{CPU 3} {CPU 1}]\n" INDENT
	         "[{CPU 0} {CPU 2}]], shape=(2, 2))");
	positional s = tsr_sharding_reshape(line(8), D(4, 2));
	has_text(tsr_sharding_replicate(s, .dim = D(1)),
	         "PositionalSharding([[{CPU 0, 1}]\n" INDENT "[{CPU 2, 3}]\n" INDENT
	         "[{CPU 4, 5}]\n" INDENT "[{CPU 6, 7}]], shape=(4, 1))");
	has_text(tsr_sharding_replicate(s, .dim = D(0)),
	         "PositionalSharding([[{CPU 0, 2, 4, 6} {CPU 1, 3, 5, 7}]], shape=(1, 2))");
	has_text(tsr_sharding_replicate(s, .dim = D(-2), .drop = true),
	         "PositionalSharding([{CPU 0, 2, 4, 6} {CPU 1, 3, 5, 7}], shape=(2,))");
	has_text(tsr_sharding_replicate(s),
	         "PositionalSharding([[{CPU 0, 1, 2, 3, 4, 5, 6, 7}]], shape=(1, 1))");
	has_text(tsr_sharding_replicate(s, .drop = true),
	         "PositionalSharding({CPU 0, 1, 2, 3, 4, 5, 6, 7}, shape=())");
	assert_ptr_equal(tsr_sharding_replicate(s, .dim = D()), s);
	/* lines of at most 100 columns, and an empty one between the slabs of three dims */
	has_text(line(10), "PositionalSharding([{CPU 0} {CPU 1} {CPU 2} {CPU 3} {CPU 4} {CPU 5} "
	                   "{CPU 6} {CPU 7} {CPU 8}\n" INDENT "{CPU 9}], shape=(10,))");
	has_text(tsr_sharding_reshape(line(4), D(2, 1, -1)),
	         "PositionalSharding([[[{CPU 0} {CPU 1}]]\n\n" INDENT
	         "[[{CPU 2} {CPU 3}]]], shape=(2, 1, 2))");
	/* the example in the head of src/shard/positional.c: devices in another order */
	s = tsr_sharding_replicate(tsr_sharding_positional(ctx, D(2, 2, 3)), .dim = D(1));
	positional t = tsr_sharding_reshape(s, D(3, 2));
	has_text(t, "PositionalSharding([[{CPU 0, 3} {CPU 1, 4}]\n" INDENT
	            "[{CPU 2, 5} {CPU 6, 9}]\n" INDENT "[{CPU 7, 10} {CPU 8, 11}]], shape=(3, 2))");
	assert_ptr_equal(tsr_sharding_reshape(t, D(2, 1, 3)), s);
}

/* ---- drawn grids: sets as numbers with a bit for each device */

typedef struct grid {
	int64_t ndevices, nsets;
	uint64_t set[DEVICES];
	tsr_dims shape;
	positional made;
} grid;

static uint64_t seed = 1;
static int64_t below(int64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)((seed >> 33) % (uint64_t)n);
}

/* up to five sizes with this product */
static tsr_dims draw_shape(int64_t n)
{
	tsr_dims d = {.d = {1}};

	while (d.d[0] < 6 && (n > 1 || !below(3))) {
		int64_t size = 1 + below(n);
		while (n % size) size--;
		if (d.d[0] == 5) size = n;
		d.d[d.d[0]++] = size;
		n /= size;
	}
	return d;
}

/* joins the sets along dim d, which has the size 1 then */
static void join(grid *g, int d)
{
	int64_t inner = 1, size = g->shape.d[1 + d];

	for (int64_t i = d + 2; i < g->shape.d[0]; i++) inner *= g->shape.d[i];
	g->nsets /= size;
	for (int64_t at = 0; at < g->nsets; at++) {
		uint64_t all = 0;
		for (int64_t k = 0; k < size; k++)
			all |= g->set[(at / inner * size + k) * inner + at % inner];
		g->set[at] = all;
	}
	g->shape.d[1 + d] = 1;
}

static grid draw_grid(void)
{
	static const int64_t counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 36, 48};
	grid g = {.ndevices = counts[below(11)]};

	g.nsets = g.ndevices;
	for (int64_t k = 0; k < g.nsets; k++) g.set[k] = (uint64_t)1 << k;
	g.shape = draw_shape(g.nsets);
	while (g.shape.d[0] == 1 && g.nsets > 1) g.shape = draw_shape(g.nsets);
	g.made = tsr_sharding_positional(ctx, g.shape);
	for (int64_t n = below(4); n > 0; n--) {
		if (g.shape.d[0] > 1 && below(2)) {
			const int d = (int)below(g.shape.d[0] - 1);
			join(&g, d);
			g.made = tsr_sharding_replicate(g.made, .dim = D(d));
		} else {
			g.shape = draw_shape(g.nsets);
			g.made = tsr_sharding_reshape(g.made, g.shape);
		}
	}
	return g;
}

/* each device of a set has its part of an array that is cut into parts of 1 */
static void check_placement(const grid *g)
{
	const int ndim = (int)g->shape.d[0] - 1;

	for (int64_t k = 0; k < g->ndevices; k++) {
		tsr_shard s;
		int64_t set = 0;
		assert_true(tsr_sharding_index(g->made, g->shape, k, &s));
		for (int d = 0; d < ndim; d++) {
			assert_int_equal(s.stop[d], s.start[d] + 1);
			set = set * g->shape.d[1 + d] + s.start[d];
		}
		assert_true(g->set[set] >> s.device & 1);
	}
}

static void test_drawn_grids(void **state)
{
	enum { DRAWS = 400 };
	static grid all[DRAWS];

	(void)state;
	for (int i = 0; i < DRAWS; i++) {
		all[i] = draw_grid();
		if (tsr_status(ctx)) fail_msg("%s", tsr_message(ctx));
		check_placement(&all[i]);
		for (int k = 0; k < i; k++) { /* equal ones, and no others, are one */
			const bool same = all[i].ndevices == all[k].ndevices &&
			                  !memcmp(&all[i].shape, &all[k].shape, sizeof(tsr_dims)) &&
			                  !memcmp(all[i].set, all[k].set, (size_t)all[i].nsets * 8);
			assert_int_equal(all[i].made == all[k].made, same);
		}
	}
}

/* ---- named shardings that place alike */

static void test_equivalence(void **state)
{
	tsr_mesh *xy = tsr_mesh_make(ctx, {"x", 4}, {"y", 2}), *d = tsr_mesh_make(ctx, {"d", 8});
	const int64_t back[] = {7, 6, 5, 4, 3, 2, 1, 0};
	positional s = tsr_sharding_reshape(line(8), D(4, 2));
	const struct {
		positional is;
		tsr_mesh *mesh;
		tsr_spec spec;
		bool same;
	} rows[] = {
		{s, xy, P("x", "y"), true},
		{s, xy, P("y", "x"), false},
		{tsr_sharding_replicate(s, .dim = D(1)), xy, P("x"), true},
		{tsr_sharding_replicate(s, .dim = D(0)), xy, P(NULL, "y"), true},
		{tsr_sharding_replicate(s, .dim = D(0)), xy, P("y"), false},
		{tsr_sharding_replicate(s), xy, P(), true},
		{tsr_sharding_reshape(line(8), D(8, 1)), xy, P("x*y"), true},
		{tsr_sharding_reshape(line(8), D(8, 1)), d, P("d"), true},
		{tsr_sharding_reshape(line(8), D(1, 8)), d, P(NULL, "d"), true},
		{tsr_sharding_positional(ctx, D(8, 1), TSR_DEVICES(back)), d, P("d"), false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		positional named = tsr_sharding_make(rows[i].mesh, rows[i].spec);
		if (tsr_sharding_equivalent(rows[i].is, named, 2) != rows[i].same ||
		    tsr_sharding_equivalent(named, rows[i].is, 2) != rows[i].same)
			fail_msg("row %zu", i);
	}
	assert_true(tsr_sharding_equivalent(line(1), tsr_sharding_device(ctx, 0), 1));
}

/* ---- arrays */

static void is_at(const tsr *x, positional s)
{
	if (tsr_sharding_of(x) != s)
		fail_msg("%s\n%s\nnot\n%s", tsr_message(ctx), tsr_sharding_text(tsr_sharding_of(x)),
		         tsr_sharding_text(s));
}

static tsr *counted(tsr_dims dims)
{
	int64_t n = 1;

	for (int64_t i = 1; i < dims.d[0]; i++) n *= dims.d[i];
	return tsr_reshape(tsr_arange(ctx, n), dims);
}

static void test_arrays(void **state)
{
	positional s = tsr_sharding_reshape(line(8), D(8, 1)), whole = tsr_sharding_replicate(s);
	tsr *x = counted(D(13, 4)), *to[2] = {x, counted(D(3, 3))}; /* short and empty parts */
	const tsr_tree tree = TSR_LEAVES(to, 2);

	(void)state;
	tsr *y = tsr_put_sharding(x, s);
	is_at(y, s);
	assert_true(tsr_array_equal(x, y));
	assert_true(tsr_put_tree(tree, tree, NULL, .sharding = s));
	is_at(to[0], s), is_at(to[1], s);
	assert_true(tsr_array_equal(to[0], x));
	/* whole, of any rank */
	is_at(tsr_put_sharding(tsr_arange(ctx, 5), whole), whole);
	is_at(tsr_put_sharding(tsr_scalar(ctx, 2), whole), whole);
	assert_int_equal((int)tsr_item(tsr_sum(tsr_put_sharding(tsr_scalar(ctx, 2), whole))), 2);
	assert_string_equal(tsr_sharding_picture(y),
	                    tsr_sharding_picture(tsr_put(x, tsr_mesh_make(ctx, {"d", 8}), P("d"))));
	tsr_shard part;
	assert_true(tsr_shard_of(y, 6, &part));
	assert_int_equal(part.start[0], 12);
	assert_int_equal(part.stop[0], 13);
}

/* ---- programs: results of positional arguments are positional, as in JAX */

static tsr *product(tsr *a, tsr *b) { return tsr_dot(a, b); }
static tsr *of_sum(tsr *a) { return tsr_sum(tsr_sin(a)); }
static positional wanted;
static tsr *there(tsr *a) { return tsr_constrain_sharding(tsr_mul(a, 2), wanted); }

static void test_programs(void **state)
{
	positional s = line(8), rows = tsr_sharding_reshape(s, D(8, 1));
	positional columns = tsr_sharding_reshape(s, D(1, 8));
	positional grid_of_8 = tsr_sharding_reshape(s, D(4, 2));
	tsr *x = counted(D(8, 8)), *want = tsr_dot(x, x);

	(void)state;
	tsr *y = tsr_dot(tsr_put_sharding(x, rows),
	                 tsr_put_sharding(x, tsr_sharding_replicate(rows)));
	is_at(y, rows);
	assert_true(tsr_array_equal(y, want));
	y = tsr_dot(tsr_put_sharding(x, tsr_sharding_replicate(rows)),
	            tsr_put_sharding(x, columns));
	is_at(y, columns);
	assert_true(tsr_array_equal(y, want));
	/* the cell of the notebook: both operands are whole */
	tsr *small = counted(D(4, 4));
	y = tsr_dot(tsr_put_sharding(small, tsr_sharding_replicate(columns, .dim = D(1))),
	            tsr_put_sharding(small, tsr_sharding_replicate(rows, .dim = D(0))));
	assert_true(tsr_array_equal(y, tsr_dot(small, small)));
	has_text(tsr_sharding_of(y),
	         "PositionalSharding([{CPU 0, 1, 2, 3, 4, 5, 6, 7}], shape=(1,))");
	/* in bodies, with derivatives, and beside named ones */
	tsr *f = tsr_put_sharding(tsr_astype(x, TSR_F32), grid_of_8);
	is_at(tsr_call(tsr_grad(ctx, of_sum), f), grid_of_8);
	wanted = tsr_sharding_replicate(grid_of_8, .dim = D(0));
	is_at(tsr_call(tsr_jit(ctx, there), f), wanted);
	is_at(tsr_call(tsr_vmap(ctx, there), tsr_expand_dims(x, D(0))),
	      tsr_sharding_reshape(wanted, D(1, 1, 2)));
	tsr_mesh *xy = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	y = tsr_call(tsr_jit(ctx, product), tsr_put_sharding(x, rows),
	             tsr_put(x, xy, P(NULL, "y")));
	assert_true(tsr_array_equal(y, want));
	is_at(tsr_add(tsr_put_sharding(x, grid_of_8), tsr_put(x, xy, P("x", "y"))), grid_of_8);
	/* one that needs its devices in another order */
	positional t = tsr_sharding_reshape(
		tsr_sharding_replicate(tsr_sharding_positional(ctx, D(2, 2, 3)), .dim = D(1)),
		D(3, 2));
	tsr *z = tsr_put_sharding(counted(D(6, 4)), t);
	is_at(z, t);
	is_at(tsr_neg(z), t);
	assert_true(tsr_array_equal(tsr_neg(tsr_neg(z)), counted(D(6, 4))));
}

/* ---- errors */

static void refused(tsr_code code, const char *says)
{
	if (tsr_status(ctx) != (int)code || !strstr(tsr_message(ctx), says))
		fail_msg("status %d: %s", tsr_status(ctx), tsr_message(ctx));
	tsr_clear(ctx);
}

static void test_errors(void **state)
{
	const int64_t twice[] = {0, 1, 0, 2}, unknown[] = {0, DEVICES};
	positional s = tsr_sharding_reshape(line(8), D(4, 2));
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 8});
	tsr *x = counted(D(8, 2)), *to[1] = {x};
	const tsr_tree tree = TSR_LEAVES(to, 1);

	(void)state;
	(void)!tsr_sharding_positional(ctx, D(49));
	refused(TSR_ERROR_SHARDING, "sharding_positional: the product of the axis sizes is 49");
	(void)!tsr_sharding_positional(ctx, D(0, 8));
	refused(TSR_ERROR_SHARDING, "each size must be at least 1");
	(void)!tsr_sharding_positional(ctx, D(8), TSR_DEVICES(twice));
	refused(TSR_ERROR_SHARDING,
	        "the number of devices, 4, must equal the product of the sizes, 8");
	(void)!tsr_sharding_positional(ctx, D(4), TSR_DEVICES(twice));
	refused(TSR_ERROR_SHARDING, "device 0 is listed twice, at places 0 and 2");
	(void)!tsr_sharding_positional(ctx, D(2), TSR_DEVICES(unknown));
	refused(TSR_ERROR_SHARDING, "there is no device 48");
	(void)!tsr_sharding_positional(ctx, D(2), .device_count = 2);
	refused(TSR_ERROR_ARGUMENT, "TSR_DEVICES(ids) gives both");
	(void)!tsr_sharding_reshape(s, D(3, 2));
	refused(TSR_ERROR_SHARDING,
	        "8 sets of devices in the shape (4, 2) cannot be reshaped to (3, 2)");
	(void)!tsr_sharding_reshape(s, D(-1, -1));
	refused(TSR_ERROR_SHARDING, "cannot be reshaped to (-1, -1)");
	(void)!tsr_sharding_reshape(s, D(-1, 3));
	refused(TSR_ERROR_SHARDING, "cannot be reshaped to (-1, 3)");
	(void)!tsr_sharding_reshape(tsr_sharding_make(mesh, P("x")), D(8));
	refused(TSR_ERROR_SHARDING, "the sharding is NamedSharding(mesh=Mesh('x': 8)");
	(void)!tsr_sharding_replicate(tsr_sharding_device(ctx, 1));
	refused(TSR_ERROR_SHARDING, "the sharding is SingleDeviceSharding(device=1)");
	(void)!tsr_sharding_replicate(s, .dim = D(2));
	refused(TSR_ERROR_ARGUMENT, ".dim names dim 2, and the grid has 2");
	(void)!tsr_sharding_replicate(s, .dim = D(1, -1));
	refused(TSR_ERROR_ARGUMENT, ".dim names dim -1 twice");
	assert_true(tsr_is_poison(tsr_put_sharding(tsr_arange(ctx, 8), s)));
	refused(TSR_ERROR_SHARDING,
	        "is only valid for values of rank 2, but was applied to a value of "
	        "rank 1; tsr_sharding_reshape gives it as many dims");
	wanted = line(8);
	assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, there), x)));
	refused(TSR_ERROR_SHARDING, "is only valid for values of rank 1");
	assert_false(tsr_put_tree(tree, tree, mesh, .sharding = s));
	refused(TSR_ERROR_ARGUMENT, "give .sharding, or a mesh and .spec, not both");
	assert_ptr_equal(to[0], x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),       cmocka_unit_test(test_drawn_grids),
		cmocka_unit_test(test_equivalence), cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_programs),    cmocka_unit_test(test_errors),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
