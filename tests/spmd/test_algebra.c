/* test_algebra.c - laws of collectives, each side computed by the library itself, over every choice
 * of axes on meshes 1, 2, 4, 2x2, 4x2 and 2x2x2; and worked values of the literature. */
#include "support/recipe.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS

static const int meshes[][3] = {{1}, {2}, {4}, {2, 2}, {4, 2}, {2, 2, 2}};

/* a recipe of nothing but this mesh */
static const recipe *on_mesh(const int *sizes)
{
	static recipe r;

	r.naxes = 0;
	recipe_axes(&r, sizes, 3, NULL, 0);
	return &r;
}

/* all axes of the mesh in their order; gives the number of devices */
static int all_axes(const recipe *r, axis_list *all)
{
	int devices = 1;

	*all = (axis_list){.n = r->nmesh};
	for (int k = 0; k < r->nmesh; k++) {
		all->at[k] = k;
		devices *= r->axis[k].size;
	}
	return devices;
}

/* .env of a law's body */
typedef struct law_env {
	char axis[16];      /* "y*x" */
	char part[3][2];    /* "y", "x" */
	int naxes, law;
	int64_t n;          /* devices along axis */
} law_env;

typedef struct sides { tsr *left, *right; } sides;

/* x: f32[n, 2n, 3], integers */
typedef sides (*law)(const law_env *, tsr *x);

static sides psum_is_sum_of_all_gather(const law_env *e, tsr *x)
{
	tsr *all = tsr_all_gather(x, e->axis, .dim = D(-1));
	return (sides){tsr_psum(x, e->axis), tsr_sum(all, .dims = D(-1))};
}

static sides psum_is_scatter_then_gather(const law_env *e, tsr *x)
{
	tsr *part = tsr_psum_scatter(x, e->axis, .dim = D(1), .tiled = true);
	return (sides){tsr_psum(x, e->axis),
		tsr_all_gather(part, e->axis, .dim = D(1), .tiled = true)};
}

static sides untiled_scatter_then_gather(const law_env *e, tsr *x)
{
	tsr *part = tsr_psum_scatter(x, e->axis, .dim = D(0));
	return (sides){tsr_psum(x, e->axis), tsr_all_gather(part, e->axis, .dim = D(0))};
}

static sides tiled_exchange_and_back(const law_env *e, tsr *x)
{
	tsr *y = tsr_all_to_all(x, e->axis, .split = D(1), .concat = D(-1), .tiled = true);
	return (sides){
		x, tsr_all_to_all(y, e->axis, .split = D(-1), .concat = D(1), .tiled = true)};
}

static sides untiled_exchange_and_back(const law_env *e, tsr *x)
{
	tsr *y = tsr_all_to_all(x, e->axis, .split = D(0), .concat = D(2));
	return (sides){x, tsr_all_to_all(y, e->axis, .split = D(2), .concat = D(0))};
}

static sides swap_is_an_exchange(const law_env *e, tsr *x)
{
	return (sides){tsr_pswapaxes(x, e->axis, 0),
		tsr_all_to_all(x, e->axis, .split = D(0), .concat = D(0))};
}

static sides exchange_is_gather_and_cut(const law_env *e, tsr *x)
{
	tsr *all = tsr_all_gather(x, e->axis, .dim = D(0));
	tsr *own = tsr_dynamic_index(all, 1, tsr_axis_index(x, e->axis));
	return (sides){tsr_all_to_all(x, e->axis, .split = D(0), .concat = D(0)), own};
}

static sides shift_and_back(const law_env *e, tsr *x)
{
	tsr *y = tsr_ppermute(x, e->axis, TSR_SHIFT(1));
	return (sides){x, tsr_ppermute(y, e->axis, TSR_SHIFT(-1))};
}

static sides shift_by_all(const law_env *e, tsr *x)
{
	return (sides){x, tsr_ppermute(x, e->axis, TSR_SHIFT(e->n))};
}

static sides shift_is_a_shuffle(const law_env *e, tsr *x)
{
	int source[RECIPE_DEVICES];
	for (int i = 0; i < e->n; i++)
		source[i] = (i + 1) % (int)e->n;
	return (sides){tsr_ppermute(x, e->axis, TSR_SHIFT(-1)),
		tsr_pshuffle(x, e->axis, source, (size_t)e->n)};
}

static sides pairs_reach_only_their_destination(const law_env *e, tsr *x)
{
	tsr *at = tsr_axis_index(x, e->axis), *last = tsr_eq(at, e->n - 1);
	tsr *moved = tsr_ppermute(x, e->axis, TSR_PAIRS({0, (int)e->n - 1}));
	return (sides){moved, tsr_where(last, tsr_pbroadcast(x, e->axis, 0), 0)};
}

static sides broadcast_is_a_masked_psum(const law_env *e, tsr *x)
{
	const int source = (int)e->n - 1;
	tsr *mine = tsr_eq(tsr_axis_index(x, e->axis), source);
	return (sides){tsr_pbroadcast(x, e->axis, source),
		tsr_psum(tsr_where(mine, x, 0), e->axis)};
}

static sides pmean_is_a_share_of_psum(const law_env *e, tsr *x)
{
	return (sides){tsr_pmean(x, e->axis), tsr_div(tsr_psum(x, e->axis), e->n)};
}

static sides pmean_of_integers_is_f32(const law_env *e, tsr *x)
{
	return (sides){tsr_pmean(tsr_astype(x, TSR_I32), e->axis), tsr_pmean(x, e->axis)};
}

static sides pmax_is_pmin_of_negatives(const law_env *e, tsr *x)
{
	return (sides){tsr_pmax(x, e->axis), tsr_neg(tsr_pmin(tsr_neg(x), e->axis))};
}

static sides pmax_is_max_of_all_gather(const law_env *e, tsr *x)
{
	tsr *all = tsr_all_gather(x, e->axis, .dim = D(1));
	return (sides){tsr_pmax(x, e->axis), tsr_max(all, .dims = D(1))};
}

static sides axes_are_summed_one_by_one(const law_env *e, tsr *x)
{
	tsr *y = x;
	for (int k = 0; k < e->naxes; k++)
		y = tsr_psum(y, e->part[k]);
	return (sides){tsr_psum(x, e->axis), y};
}

static sides axes_are_gathered_minor_first(const law_env *e, tsr *x)
{
	tsr *y = x;
	for (int k = e->naxes - 1; k >= 0; k--)
		y = tsr_all_gather(y, e->part[k], .dim = D(1), .tiled = true);
	return (sides){tsr_all_gather(x, e->axis, .dim = D(1), .tiled = true), y};
}

static sides index_is_row_major(const law_env *e, tsr *x)
{
	tsr *at = tsr_axis_index(x, e->part[0]);
	for (int k = 1; k < e->naxes; k++)
		at = tsr_add(tsr_mul(at, tsr_axis_size(x, e->part[k])),
		             tsr_axis_index(x, e->part[k]));
	return (sides){tsr_ravel(tsr_axis_index(x, e->axis)), tsr_ravel(at)};
}

static sides psum_of_one_counts(const law_env *e, tsr *x)
{
	tsr *one = tsr_ones(x, D(1), .dtype = TSR_I32);
	if (tsr_axis_size(x, e->axis) != e->n)
		tsr_fail(x, "axis_size");
	return (sides){tsr_psum(one, e->axis), tsr_full(x, D(1), e->n, .dtype = TSR_I32)};
}

static sides psum_again_multiplies(const law_env *e, tsr *x)
{
	tsr *once = tsr_psum(x, e->axis);
	return (sides){tsr_psum(once, e->axis), tsr_mul(once, e->n)};
}

static sides cast_changes_nothing(const law_env *e, tsr *x)
{
	tsr *equal = tsr_pmax(x, e->axis), *cast = tsr_pcast(equal, e->axis, .to = TSR_TO_VARYING);
	if (tsr_varying(equal, e->axis) || !tsr_varying(cast, e->axis))
		tsr_fail(x, "pcast");
	return (sides){equal, cast};
}

static sides gather_may_be_typed_equal(const law_env *e, tsr *x)
{
	tsr *all = tsr_all_gather(x, e->axis);
	tsr *equal = tsr_all_gather(x, e->axis, .to = TSR_TO_INVARYING);
	if (tsr_varying(equal, e->axis) || !tsr_varying(all, e->axis))
		tsr_fail(x, "all_gather");
	return (sides){all, equal};
}

static sides one_group_is_all(const law_env *e, tsr *x)
{
	static const int all[] = {0, 1, 2, 3, 4, 5, 6, 7};
	const tsr_groups one = {.member = all, .count = 1, .size = (size_t)e->n};
	tsr *sum = tsr_psum(x, e->axis, .groups = one);
	if (!tsr_varying(sum, e->axis))
		tsr_fail(x, "groups vary");
	return (sides){sum, tsr_psum(x, e->axis)};
}

static sides groups_of_one_are_alone(const law_env *e, tsr *x)
{
	static const int all[] = {0, 1, 2, 3, 4, 5, 6, 7};
	const tsr_groups alone = {.member = all, .count = (size_t)e->n, .size = 1};
	if (tsr_axis_size(x, e->axis, .groups = alone) != 1)
		tsr_fail(x, "axis_size of groups");
	tsr *sum = tsr_psum(x, e->axis, .groups = alone);
	tsr *max = tsr_pmax(sum, e->axis, .groups = alone);
	return (sides){x, tsr_all_gather(max, e->axis, .tiled = true, .groups = alone)};
}

static const struct { const char *name; law run; } laws[] = {
#define LAW(f) {#f, f}
	LAW(psum_is_sum_of_all_gather), LAW(psum_is_scatter_then_gather),
	LAW(untiled_scatter_then_gather), LAW(tiled_exchange_and_back),
	LAW(untiled_exchange_and_back), LAW(swap_is_an_exchange), LAW(exchange_is_gather_and_cut),
	LAW(shift_and_back), LAW(shift_by_all), LAW(shift_is_a_shuffle),
	LAW(pairs_reach_only_their_destination), LAW(broadcast_is_a_masked_psum),
	LAW(pmean_is_a_share_of_psum), LAW(pmean_of_integers_is_f32),
	LAW(pmax_is_pmin_of_negatives), LAW(pmax_is_max_of_all_gather),
	LAW(axes_are_summed_one_by_one),
	LAW(axes_are_gathered_minor_first), LAW(index_is_row_major), LAW(psum_of_one_counts),
	LAW(psum_again_multiplies), LAW(cast_changes_nothing), LAW(gather_may_be_typed_equal),
	LAW(one_group_is_all), LAW(groups_of_one_are_alone),
};
enum { LAWS = sizeof laws / sizeof *laws };

static void body(tsr_frame *frame)
{
	const law_env *e = tsr_frame_env(frame);
	const sides s = laws[e->law].run(e, tsr_frame_arg(frame, 0));
	tsr_return(frame, s.left, s.right);
}

static tsr *integers(tsr_ctx *ctx, int64_t count, int64_t n)
{
	const tsr_dims dims = D(count * n, 2 * n, 3);
	tsr *x = tsr_arange(ctx, count * n * 2 * n * 3, .dtype = TSR_F32);
	return tsr_reshape(tsr_sub(tsr_rem(tsr_mul(x, 7), 23), 11), dims);
}

/* prints what does not hold */
static bool check_law(tsr_mesh *mesh, const recipe *r, const law_env *e)
{
	TSR_SCOPE(mesh);
	axis_list all;
	const int devices = all_axes(r, &all);
	char rows[2 * RECIPE_AXES];
	const tsr_spec spec = {.n1 = 2, .d = {NULL, axis_list_text(r, &all, rows)}};
	tsr *left = NULL, *right = NULL;
	tsr_fn *f = tsr_shard_map(mesh, body, .in = {TSR_FOR_ALL(spec)},
	                          .out = {TSR_FOR_ALL(spec), TSR_FOR_ALL(spec)}, TSR_ENV(e));
	tsr_call_into(TSR_OUT(&left, &right), f, integers(tsr_mesh_ctx(mesh), devices, e->n));
	if (tsr_array_equal(left, right))
		return true;
	print_error("%s over %s of %s: %s\n", laws[e->law].name, e->axis, tsr_mesh_text(mesh),
	            tsr_message(tsr_mesh_ctx(mesh)));
	tsr_clear(tsr_mesh_ctx(mesh));
	return false;
}

static int check_laws(tsr_mesh *mesh, const recipe *r, const axis_list *over)
{
	law_env e;
	int broken = 0;
	memset(&e, 0, sizeof e);
	axis_list_text(r, over, e.axis);
	e.naxes = over->n;
	e.n = 1;
	for (int k = 0; k < over->n; k++) {
		e.n *= r->axis[over->at[k]].size;
		e.part[k][0] = r->axis[over->at[k]].name;
	}
	for (e.law = 0; e.law < LAWS; e.law++)
		broken += !check_law(mesh, r, &e);
	return broken;
}

static void test_laws(void **state)
{
	(void)state;
	static const axis_list choices[] = {{1, {0}}, {1, {1}}, {1, {2}}, {2, {0, 1}}, {2, {1, 0}},
		{2, {0, 2}}, {2, {2, 1}}, {3, {0, 1, 2}}, {3, {2, 0, 1}}};
	int broken = 0;
	for (size_t k = 0; k < sizeof meshes / sizeof *meshes; k++) {
		const recipe *r = on_mesh(meshes[k]);
		tsr_ctx *ctx = tsr_open(.devices = 8);
		tsr_mesh *mesh = recipe_mesh(ctx, r);
		for (size_t a = 0; a < sizeof choices / sizeof *choices; a++)
			if (axis_bits(&choices[a]) >> r->nmesh == 0)
				broken += check_laws(mesh, r, &choices[a]);
		assert_int_equal(tsr_close(ctx), 0);
	}
	assert_int_equal(broken, 0);
}

/* ---- worked values: x = 0 1 2 3 on four devices */

static void worked(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0), *sum = tsr_psum(x, "x");
	const tsr_groups pairs = {.member = (const int[]){0, 1, 2, 3}, .count = 2, .size = 2};
	tsr_return(frame, sum, tsr_div(x, sum), tsr_psum(x, "x", .groups = pairs),
	           tsr_pmean(x, "x"));
}

static void test_worked_values(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr_fn *f = tsr_shard_map(mesh, worked, .sig = "[x] -> [] [x] [x] []");
	tsr *y[4];
	tsr_call_into(TSR_OUT(&y[0], &y[1], &y[2], &y[3]), f, tsr_arange(ctx, 4, .dtype = TSR_F32));
	const float third = 2.0f / 6, sixth = 1.0f / 6;
	assert_true(tsr_array_equal(y[0], tsr_full(ctx, D(1), 6.0)));
	assert_true(tsr_array_equal(y[1], tsr_from(ctx, ((float[]){0, sixth, third, 0.5f}), TSR_F32,
	                                           D(4))));
	assert_true(tsr_array_equal(y[2], tsr_from(ctx, ((float[]){1, 1, 5, 5}), TSR_F32,
	                                           D(4))));
	assert_true(tsr_array_equal(y[3], tsr_full(ctx, D(1), 1.5)));
	assert_string_equal(tsr_message(ctx), "");
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- ragged_all_to_all */

static void ragged(tsr_frame *frame)
{
	tsr *v[6];
	const char *axis = tsr_frame_env(frame);
	for (size_t k = 0; k < 6; k++)
		v[k] = tsr_frame_arg(frame, k);
	tsr_return(frame, tsr_ragged_all_to_all(v[0], v[1], v[2], v[3], v[4], v[5], axis));
}

static tsr *column(tsr_ctx *ctx, const int *v, int64_t n)
{
	return tsr_from(ctx, v, TSR_I32, D(n));
}

static void test_ragged_worked_values(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = 2);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	const char axis[16] = "x";
	tsr_fn *f = tsr_shard_map(mesh, ragged, .sig = "[x] [x] [x] [x] [x] [x] -> [x]",
	                          .env = axis, .env_size = sizeof axis);
	tsr *y = tsr_call(f, column(ctx, (int[]){1, 2, 2, 3, 4, 0}, 6),
	                  tsr_zeros(ctx, D(8), .dtype = TSR_I32),
	                  column(ctx, (int[]){0, 1, 0, 1}, 4), column(ctx, (int[]){1, 2, 1, 1}, 4),
	                  column(ctx, (int[]){0, 0, 1, 2}, 4), column(ctx, (int[]){1, 1, 2, 1}, 4));
	assert_true(tsr_array_equal(y, column(ctx, (int[]){1, 3, 0, 0, 2, 2, 4, 0}, 8)));
	assert_string_equal(tsr_message(ctx), "");
	assert_int_equal(tsr_close(ctx), 0);
}

/* what device i sends to device j: some of its rows; it goes to rows 2 i and 2 i + 1 there */
static int rows_sent(int i, int j)
{
	return (i * 5 + j * 3 + i * j) % 3;
}

/* n devices; all lists of all devices one behind the other */
typedef struct ragged_case {
	int from[64], size[64], to[64], back[64], operand[256], output[256], want[256];
} ragged_case;

static void ragged_fill(ragged_case *c, int n)
{
	for (int i = 0; i < n * 2 * n * 2; i++) {
		c->operand[i] = 100 + i;
		c->want[i] = c->output[i] = -i;
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			c->from[i * n + j] = 2 * ((j + 1) % n);
			c->size[i * n + j] = rows_sent(i, j);
			c->to[i * n + j] = 2 * i;
			c->back[j * n + i] = rows_sent(i, j);
			for (int r = 0; r < 2 * rows_sent(i, j); r++)
				c->want[(j * 2 * n + 2 * i) * 2 + r] =
					c->operand[(i * 2 * n + 2 * ((j + 1) % n)) * 2 + r];
		}
}

/* lists of the same dtype, if it is one of integers */
static void check_ragged(const recipe *r, tsr_dtype dtype)
{
	const tsr_dtype lists = dtype >= TSR_I8 && dtype <= TSR_U64 ? dtype : TSR_I32;
	ragged_case c;
	tsr_ctx *ctx = tsr_open(.devices = 8);
	axis_list all;
	const int n = all_axes(r, &all);
	char axis[2 * RECIPE_AXES] = "";
	axis_list_text(r, &all, axis);
	const tsr_spec spec = {.n1 = 2, .d = {NULL, axis}};
	tsr_fn *f = tsr_shard_map(recipe_mesh(ctx, r), ragged,
	                          .env = axis, .env_size = sizeof axis,
	                          .in = TSR_SPECS(spec, spec, spec, spec, spec, spec),
	                          .out = TSR_SPECS(spec));
	ragged_fill(&c, n);
	const tsr_dims rows = D(n * 2 * n, 2);
	tsr *operand = tsr_astype(tsr_from(ctx, c.operand, TSR_I32, rows), dtype);
	tsr *output = tsr_astype(tsr_from(ctx, c.output, TSR_I32, rows), dtype);
	tsr *want = tsr_astype(tsr_from(ctx, c.want, TSR_I32, rows), dtype);
	tsr *from = tsr_astype(column(ctx, c.from, n * n), lists);
	tsr *size = tsr_astype(column(ctx, c.size, n * n), lists);
	tsr *to = tsr_astype(column(ctx, c.to, n * n), lists);
	tsr *back = tsr_astype(column(ctx, c.back, n * n), lists);
	tsr *y = tsr_call(f, operand, output, from, size, to, back);
	if (!tsr_array_equal(y, want))
		fail_msg("%s of %d devices, %s: %s", axis, n, tsr_dtype_name(dtype),
		         tsr_message(ctx));
	assert_int_equal(tsr_close(ctx), 0);
}

static void test_ragged_against_loops(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof meshes / sizeof *meshes; k++) {
		const recipe *r = on_mesh(meshes[k]);
		for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_COUNT_; dtype++)
			check_ragged(r, (tsr_dtype)dtype);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_laws),
		cmocka_unit_test(test_worked_values),
		cmocka_unit_test(test_ragged_worked_values),
		cmocka_unit_test(test_ragged_against_loops),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
