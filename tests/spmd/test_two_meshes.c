/* test_two_meshes.c - operands on several meshes of the same devices: a layout on one is a layout
 * of the program over the others, so that nothing is made whole, and each is seen in its own
 * mesh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#define P TSR_P

static tsr_ctx *ctx;
static tsr_mesh *xy, *pq, *d; /* x:4, y:2; p:2, q:4; d:8 */
static tsr *a, *b;            /* i32[8,8] */

static int open_all(void **state)
{
	(void)state;
	ctx = tsr_open(.devices = 8);
	xy = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	pq = tsr_mesh_make(ctx, {"p", 2}, {"q", 4});
	d = tsr_mesh_make(ctx, {"d", 8});
	a = tsr_reshape(tsr_arange(ctx, 64), TSR_DIMS(8, 8));
	b = tsr_mul(a, a);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	return tsr_close(ctx);
}

static tsr *sum(tsr *x, tsr *y) { return tsr_add(x, y); }
static tsr *second(tsr *x, tsr *y) { return tsr_add(tsr_neg(y), tsr_mul(tsr_sum(x), 0)); }
static tsr *product(tsr *x, tsr *y) { return tsr_dot(x, y); }
static tsr *wished(tsr *x, tsr *y) { return tsr_add(tsr_constrain(x, pq, P("p")), y); }

/* how often a collective is in the text of the program */
static int collectives(const char *text)
{
	static const char *const names[] = {"all_gather", "all_to_all", "ppermute", "psum"};
	int n = 0;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (const char *at = text; (at = strstr(at, names[i])); at++) n++;
	return n;
}

static void test_layouts(void **state)
{
	static const struct {
		tsr *(*body)(tsr *, tsr *);
		int mesh[2]; /* of x and y: 0 is xy, 1 pq, 2 d */
		tsr_spec x, y;
		int result; /* mesh of the result, and its spec there */
		tsr_spec spec;
		int moves;
	} rows[] = {
		{sum, {0, 2}, TSR_SPEC("x*y"), TSR_SPEC("d"), 0, TSR_SPEC("x*y"), 0},
		{sum, {2, 0}, TSR_SPEC("d"), TSR_SPEC("x*y"), 2, TSR_SPEC("d"), 0},
		/* x is p and a half of q */
		{sum, {0, 1}, TSR_SPEC("x"), TSR_SPEC("p"), 0, TSR_SPEC("x"), 0},
		{sum, {1, 0}, TSR_SPEC("p"), TSR_SPEC("x"), 0, TSR_SPEC("x"), 0},
		{sum, {0, 1}, TSR_SPEC(), TSR_SPEC(NULL, "q"), 1, TSR_SPEC(NULL, "q"), 0},
		{second, {0, 1}, TSR_SPEC(), TSR_SPEC("p", "q"), 1, TSR_SPEC("p", "q"), 0},
		{second, {0, 1}, TSR_SPEC(), TSR_SPEC("q", "p"), 1, TSR_SPEC("q", "p"), 0},
		{product, {0, 1}, TSR_SPEC("y"), TSR_SPEC(NULL, "p"), 0, TSR_SPEC("y"), -1},
		{wished, {0, 0}, TSR_SPEC(), TSR_SPEC(NULL, "y"), 0, TSR_SPEC(), -1},
	};
	tsr_mesh *const meshes[] = {xy, pq, d};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		tsr *x = tsr_put(a, meshes[rows[i].mesh[0]], rows[i].x);
		tsr *y = tsr_put(b, meshes[rows[i].mesh[1]], rows[i].y);
		tsr_fn *f = tsr_jit(ctx, rows[i].body);
		tsr *z = tsr_call(f, x, y);
		if (!tsr_array_equal(z, tsr_call(f, a, b)))
			fail_msg("row %zu: %s", i, tsr_message(ctx));
		const char *text = tsr_fn_compiled_text(f, x, y);
		if (rows[i].moves >= 0 && rows[i].body != second &&
		    collectives(text) != rows[i].moves)
			fail_msg("row %zu: %s", i, text);
		const tsr_sharding *at = tsr_sharding_of(z),
				   *want = tsr_sharding_make(meshes[rows[i].result], rows[i].spec);
		if (rows[i].moves >= 0 && at != want)
			fail_msg("row %zu: at %s, not %s\n%s", i, tsr_sharding_text(at),
			         tsr_sharding_text(want), text);
	}
}

/* all pairs of specs over all pairs of meshes, even such as no common axes have */
static void test_all_pairs(void **state)
{
	static const tsr_spec specs[2][7] = {
		{TSR_SPEC(), TSR_SPEC("x"), TSR_SPEC("y"), TSR_SPEC(NULL, "x"), TSR_SPEC("x*y"),
	         TSR_SPEC("y*x"), TSR_SPEC("y", "x")},
		{TSR_SPEC(), TSR_SPEC("p"), TSR_SPEC("q"), TSR_SPEC(NULL, "q"), TSR_SPEC("p*q"),
	         TSR_SPEC("q*p"), TSR_SPEC("q", "p")}};
	tsr *(*const bodies[])(tsr *, tsr *) = {sum, product};

	(void)state;
	for (int k = 0; k < 2; k++) {
		tsr_fn *f = tsr_jit(ctx, bodies[k]);
		tsr *want = tsr_call(f, a, b);
		for (int i = 0; i < 7; i++)
			for (int j = 0; j < 7; j++) {
				TSR_SCOPE(ctx);
				tsr *x = tsr_put(a, xy, specs[0][i]),
				    *y = tsr_put(b, pq, specs[1][j]);
				if (!tsr_array_equal(tsr_call(f, x, y), want))
					fail_msg("%d, %d: %s", i, j, tsr_message(ctx));
			}
	}
}

/* meshes without common axes: 6 devices as 2, 3 and as 3, 2 */
static void test_nothing_in_common(void **state)
{
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 2}, {"y", 3});
	tsr_mesh *n = tsr_mesh_make(ctx, {"p", 3}, {"q", 2});

	(void)state;
	tsr *x = tsr_put(a, m, P("x", "y")), *y = tsr_put(b, n, P("p", "q"));
	assert_true(tsr_array_equal(tsr_add(x, y), tsr_add(a, b)));
	assert_true(tsr_array_equal(tsr_dot(x, y), tsr_dot(a, b)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_layouts),
	                                   cmocka_unit_test(test_all_pairs),
	                                   cmocka_unit_test(test_nothing_in_common)};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
