/* test_collective.c - the rows of the collectives: tables of values, and algebra.
 *
 * The tables are what JAX gives for blocks numbered 0, 1, 2, ... in device order. */
#include "collective_net.h"

/* ---- literal tables */

typedef struct table_case {
	const char *what;
	const tsr_prim *prim;
	const void *params;
	int n;
	tsr_dims block, result;
	int32_t want[24];
} table_case;

#define G2 GROUPS(AXIS(0, 2), AXIS(3, 1))

static const table_case table_cases[] = {
	{"psum of 0..3",
         &tsr__prim_psum,
         REDUCE(.on = OVER_X, .to = 1),
         4,
         {.d = {1}},
         {.d = {1}},
         {6, 6, 6, 6}},
	{"psum in groups",
         &tsr__prim_psum,
         REDUCE(.on = HALVES),
         4,
         {.d = {1}},
         {.d = {1}},
         {1, 1, 5, 5}},
	{"psum in uneven groups",
         &tsr__prim_psum,
         REDUCE(.on = {AXIS(X), GROUPS(AXIS(0, 3, 1), AXIS(2))}),
         4,
         {.d = {2, 2}},
         {.d = {2, 2}},
         {8, 11, 8, 11, 4, 5, 8, 11}},
	{"pmax in groups",
         &tsr__prim_pmax,
         REDUCE(.on = {AXIS(X), G2}),
         4,
         {.d = {2, 2}},
         {.d = {2, 2}},
         {4, 5, 6, 7, 4, 5, 6, 7}},
	{"pmin in groups",
         &tsr__prim_pmin,
         REDUCE(.on = {AXIS(X), G2}),
         4,
         {.d = {2, 2}},
         {.d = {2, 2}},
         {0, 1, 2, 3, 0, 1, 2, 3}},
	{"all_gather at 0",
         &tsr__prim_all_gather,
         GATHER(.on = OVER_X),
         2,
         {.d = {3, 2, 2}},
         {.d = {4, 2, 2, 2}},
         {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}},
	{"all_gather at the end",
         &tsr__prim_all_gather,
         GATHER(.on = OVER_X, .dim = 2),
         2,
         {.d = {3, 2, 2}},
         {.d = {4, 2, 2, 2}},
         {0, 4, 1, 5, 2, 6, 3, 7, 0, 4, 1, 5, 2, 6, 3, 7}},
	{"all_gather tiled",
         &tsr__prim_all_gather,
         GATHER(.on = OVER_X, .dim = 1, .tiled = true),
         3,
         {.d = {3, 2, 1}},
         {.d = {3, 2, 3}},
         {0, 2, 4, 1, 3, 5, 0, 2, 4, 1, 3, 5, 0, 2, 4, 1, 3, 5}},
	{"all_gather in groups",
         &tsr__prim_all_gather,
         GATHER(.on = {AXIS(X), G2}, .tiled = true),
         4,
         {.d = {2, 2}},
         {.d = {2, 4}},
         {0, 1, 4, 5, 6, 7, 2, 3, 0, 1, 4, 5, 6, 7, 2, 3}},
	{"psum_scatter tiled",
         &tsr__prim_psum_scatter,
         SCATTER(.on = OVER_X, .dim = 1, .tiled = true),
         2,
         {.d = {3, 2, 4}},
         {.d = {3, 2, 2}},
         {8, 10, 16, 18, 12, 14, 20, 22}},
	{"psum_scatter",
         &tsr__prim_psum_scatter,
         SCATTER(.on = OVER_X),
         3,
         {.d = {3, 3, 2}},
         {.d = {2, 2}},
         {18, 21, 24, 27, 30, 33}},
	{"psum_scatter in groups",
         &tsr__prim_psum_scatter,
         SCATTER(.on = {AXIS(X), G2}, .tiled = true),
         4,
         {.d = {2, 4}},
         {.d = {2, 2}},
         {8, 10, 20, 22, 12, 14, 16, 18}},
	{"all_to_all 0 1",
         &tsr__prim_all_to_all,
         EXCHANGE(.on = OVER_X, .split = 0, .concat = 1),
         2,
         {.d = {3, 2, 3}},
         {.d = {3, 3, 2}},
         {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11}},
	{"all_to_all 1 0",
         &tsr__prim_all_to_all,
         EXCHANGE(.on = OVER_X, .split = 1, .concat = 0),
         2,
         {.d = {3, 3, 2}},
         {.d = {3, 2, 3}},
         {0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}},
	{"all_to_all 0 2",
         &tsr__prim_all_to_all,
         EXCHANGE(.on = OVER_X, .split = 0, .concat = 2),
         2,
         {.d = {4, 2, 2, 2}},
         {.d = {4, 2, 2, 2}},
         {0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15}},
	{"all_to_all tiled 0 1",
         &tsr__prim_all_to_all,
         EXCHANGE(.on = OVER_X, .split = 0, .concat = 1, .tiled = true),
         2,
         {.d = {3, 4, 2}},
         {.d = {3, 2, 4}},
         {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15}},
	{"all_to_all tiled 1 0",
         &tsr__prim_all_to_all,
         EXCHANGE(.on = OVER_X, .split = 1, .concat = 0, .tiled = true),
         2,
         {.d = {3, 2, 4}},
         {.d = {3, 4, 2}},
         {0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15}},
	{"all_to_all tiled 0 0",
         &tsr__prim_all_to_all,
         EXCHANGE(.on = OVER_X, .tiled = true),
         3,
         {.d = {2, 6}},
         {.d = {2, 6}},
         {0, 1, 6, 7, 12, 13, 2, 3, 8, 9, 14, 15, 4, 5, 10, 11, 16, 17}},
	{"all_to_all in groups",
         &tsr__prim_all_to_all,
         EXCHANGE(.on = {AXIS(X), G2}, .tiled = true),
         4,
         {.d = {2, 4}},
         {.d = {2, 4}},
         {0, 1, 8, 9, 14, 15, 6, 7, 2, 3, 10, 11, 12, 13, 4, 5}},
	{"ppermute",
         &tsr__prim_ppermute,
         PERMUTE(.on = OVER_X, .perm = AXIS(0, 1, 1, 3, 3, 0)),
         4,
         {.d = {2, 2}},
         {.d = {2, 2}},
         {6, 7, 0, 1, 0, 0, 2, 3}},
	{"ppermute in groups",
         &tsr__prim_ppermute,
         PERMUTE(.on = {AXIS(X), G2}, .perm = AXIS(0, 1)),
         4,
         {.d = {2, 2}},
         {.d = {2, 2}},
         {0, 0, 6, 7, 0, 1, 0, 0}},
	{"pbroadcast",
         &tsr__prim_pbroadcast,
         BROADCAST(.on = OVER_X, .source = 2),
         4,
         {.d = {2, 2}},
         {.d = {2, 2}},
         {4, 5, 4, 5, 4, 5, 4, 5}},
	{"pbroadcast in groups",
         &tsr__prim_pbroadcast,
         BROADCAST(.on = {AXIS(X), G2}, .source = 0),
         4,
         {.d = {2, 2}},
         {.d = {2, 2}},
         {0, 1, 6, 7, 0, 1, 6, 7}},
	{"assume_equal",
         &tsr__prim_assume_equal,
         AXES(.on = OVER_X),
         4,
         {.d = {2, 2}},
         {.d = {2, 2}},
         {0, 1, 0, 1, 0, 1, 0, 1}},
};

static void values_of_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table_cases); i++) {
		const table_case *c = &table_cases[i];
		net w;
		net_open(&w, c->n, 0);
		const value y = call1(&w, c->prim, c->params,
		                      counted(&w, c->block.d + 1, (int)c->block.d[0] - 1));
		assert_true(dims_same(y.type->dims, y.type->ndim, c->result.d + 1,
		                      (int)c->result.d[0] - 1));
		for (int64_t k = 0; k < w.n; k++)
			for (int64_t j = 0; j < y.type->size; j++)
				if (((int32_t *)y.block[k])[j] != c->want[k * y.type->size + j])
					fail_msg("%s: device %d has %d at %d", c->what, (int)k,
					         ((int32_t *)y.block[k])[j], (int)j);
		net_close(&w);
	}
}

static void position_along_axes(void **state)
{
	(void)state;
	net w;
	net_open(&w, 4, 0);
	const value a = call(&w, &tsr__prim_axis_index, AXES(.on = OVER_X), NULL, 0);
	const value b =
		call(&w, &tsr__prim_axis_index, AXES(.on = {AXIS(X), G2}), NULL, 0);
	for (int k = 0; k < 4; k++) assert_int_equal(*(int32_t *)a.block[k], k);
	for (int k = 0; k < 4; k++)
		assert_int_equal(*(int32_t *)b.block[k], ((int[]){0, 1, 1, 0})[k]);
	net_close(&w);
}

/* ---- ragged_all_to_all */

typedef struct ragged_case {
	int rows, rows_out, entries;
	int32_t operand[2][3], output[2][4], list[4][2][4], want[2][4];
	enum { ANY_LISTS, WIDE_LISTS, UNSIGNED_LISTS } lists; /* of which integers the lists are */
} ragged_case;

static const ragged_case ragged_cases[] = {
	/* the worked example */
	{3, 4, 2, {{1, 2, 2}, {3, 4, 0}}, {{0}, {0}},
	 {{{0, 1}, {0, 1}}, {{1, 2}, {1, 1}}, {{0, 0}, {1, 2}}, {{1, 1}, {2, 1}}},
	 {{1, 3, 0, 0}, {2, 2, 4, 0}},
	 ANY_LISTS},
	/* untouched rows stay; two pieces to each device; the later one wins */
	{3, 4, 4, {{1, 2, 3}, {4, 5, 6}}, {{9, 9, 9, 9}, {8, 8, 8, 8}},
	 {{{0, 2, 0, 1}, {0, 1, 2, 0}}, {{1, 1, 1, 1}, {1, 0, 1, 2}}, {{0, 2, 0, 3}, {2, 0, 1, 2}},
	  {{0}, {0}}},
	 {{1, 9, 4, 9}, {1, 6, 4, 5}},
	 ANY_LISTS},
	/* sizes and offsets outside are brought inside */
	{3, 4, 2, {{1, 2, 3}, {4, 5, 6}}, {{9, 9, 9, 9}, {8, 8, 8, 8}},
	 {{{-5, 7}, {1, INT32_MAX}}, {{2, 1}, {99, -1}}, {{-1, 9}, {100, INT32_MIN}}, {{0}, {0}}},
	 {{1, 4, 5, 6}, {8, 8, 8, 3}},
	 WIDE_LISTS},
	/* there -1 is the largest number, behind everything */
	{3, 4, 2, {{1, 2, 3}, {4, 5, 6}}, {{9, 9, 9, 9}, {8, 8, 8, 8}},
	 {{{-1, 0}, {-1, -1}}, {{1, 1}, {2, -1}}, {{-1, 0}, {0, -1}}, {{0}, {0}}},
	 {{5, 6, 9, 3}, {1, 4, 5, 6}},
	 UNSIGNED_LISTS},
};

static bool lists_can_be(const ragged_case *c, tsr_dtype dtype)
{
	if (c->lists == UNSIGNED_LISTS) return dtype_kind(dtype) == KIND_UINT;
	return c->lists == ANY_LISTS || dtype == TSR_I32 || dtype == TSR_I64;
}

static void ragged_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < 8 * ARRAY_LEN(ragged_cases); i++) {
		const ragged_case *c = &ragged_cases[i / 8];
		const tsr_dtype dtype = (tsr_dtype)(TSR_I8 + i % 8);
		if (!lists_can_be(c, dtype)) continue;
		net w;
		net_open(&w, 2, 0);
		value v[6] = {value_like(&w, TSR_I32, DIMS(c->rows)),
		              value_like(&w, TSR_I32, DIMS(c->rows_out))};
		for (int j = 0; j < 4; j++) v[2 + j] = value_like(&w, dtype, DIMS(c->entries));
		for (int k = 0; k < 2; k++) {
			memcpy(v[0].block[k], c->operand[k], type_bytes(v[0].type));
			memcpy(v[1].block[k], c->output[k], type_bytes(v[1].type));
			for (int j = 0; j < 4; j++)
				dtype_convert(dtype, v[2 + j].block[k], TSR_I32, c->list[j][k],
				              c->entries);
		}
		const value y = call(&w, &tsr__prim_ragged_all_to_all,
		                     AXES(.on = OVER_X), v, 6);
		for (int k = 0; k < 2; k++)
			assert_memory_equal(y.block[k], c->want[k], type_bytes(y.type));
		net_close(&w);
	}
}

/* with one row from each to each, it is all_to_all */
static void ragged_is_all_to_all(void **state)
{
	(void)state;
	for (int n = 1; n <= DEVICES; n++) {
		net w;
		net_open(&w, n, 0);
		const value x = random_value(&w, TSR_C64, DIMS(n, 2, 3));
		value v[6] = {x, random_value(&w, TSR_C64, DIMS(n, 2, 3))};
		for (int j = 2; j < 6; j++) v[j] = value_like(&w, TSR_I32, DIMS(n));
		for (int k = 0; k < n; k++)
			for (int j = 0; j < n; j++) {
				((int32_t *)v[2].block[k])[j] = j;
				((int32_t *)v[3].block[k])[j] = 1;
				((int32_t *)v[4].block[k])[j] = k;
				((int32_t *)v[5].block[k])[j] = 1;
			}
		same(&w,
		     call(&w, &tsr__prim_ragged_all_to_all, AXES(.on = OVER_X), v,
		          6),
		     all_to_all(&w, x, 0, 0, false));
		net_close(&w);
	}
}

/* ---- algebra, for every dtype and number of devices; also for blocks without elements */

typedef void algebra(net *, tsr_dtype, int64_t rows);

static void each_dtype(algebra *test, bool sums)
{
	for (int n = 1; n <= DEVICES; n++)
		for (tsr_dtype dtype = sums ? TSR_I8 : TSR_BOOL; dtype < TSR_DTYPE_COUNT_; dtype++)
			for (int64_t rows = 0; rows <= 2; rows += 2) {
				net w;
				net_open(&w, n, 0);
				test(&w, dtype, rows);
				net_close(&w);
			}
}

static void scatter_gather_law(net *w, tsr_dtype dtype, int64_t rows)
{
	for (int64_t dim = 0; dim < 3; dim++) {
		int64_t dims[3] = {2, rows, 3};
		dims[dim] *= w->n;
		const value x = value_like(w, dtype, dims, 3);
		fill_rough(w, &x);
		const value all = psum(w, x);
		same(w, all_gather(w, psum_scatter(w, x, dim, true), dim, true), all);
		dims[dim] = w->n;
		const value z = value_like(w, dtype, dims, 3);
		fill_rough(w, &z);
		same(w, all_gather(w, psum_scatter(w, z, dim, false), dim, false), psum(w, z));
	}
}

static void all_to_all_law(net *w, tsr_dtype dtype, int64_t rows)
{
	for (int64_t i = 0; i < 9; i++) {
		const int64_t split = i / 3, concat = i % 3;
		int64_t dims[3] = {2, rows, 3};
		dims[split] *= w->n;
		const value x = random_value(w, dtype, dims, 3);
		same(w, all_to_all(w, all_to_all(w, x, split, concat, true), concat, split, true),
		     x);
		dims[split] = w->n;
		const value z = random_value(w, dtype, dims, 3);
		same(w, all_to_all(w, all_to_all(w, z, split, concat, false), concat, split, false),
		     z);
	}
}

static void permute_law(net *w, tsr_dtype dtype, int64_t rows)
{
	int64_t forth[2 * DEVICES], back[2 * DEVICES];

	for (int i = 0; i < w->n; i++) {
		forth[2 * i] = back[2 * i + 1] = i;
		forth[2 * i + 1] = back[2 * i] = (i + 3) % w->n;
	}
	const int n = 2 * (int)w->n;
	const value x = random_value(w, dtype, DIMS(rows, 3));
	const value y = call1(w, &tsr__prim_ppermute,
	                      PERMUTE(.on = OVER_X, .perm = {n, forth}), x);
	same(w,
	     call1(w, &tsr__prim_ppermute, PERMUTE(.on = OVER_X, .perm = {n, back}),
	           y),
	     x);
}

static void gather_index_law(net *w, tsr_dtype dtype, int64_t rows)
{
	const value x = random_value(w, dtype, DIMS(rows, 3)), y = all_gather(w, x, 0, false);

	for (int64_t to = 0; to < w->n; to++)
		for (int64_t k = 0; k < w->n; k++)
			assert_memory_equal((char *)y.block[to] + (size_t)k * type_bytes(x.type),
			                    x.block[k], type_bytes(x.type));
}

static void psum_of_equal_law(net *w, tsr_dtype dtype, int64_t rows)
{
	const value ones = value_like(w, dtype, DIMS(rows, 3)),
		    x = random_value(w, dtype, DIMS(rows, 3));

	for (int64_t k = 0; k < w->n; k++)
		for (int64_t i = 0; i < ones.type->size; i++) put(dtype, ones.block[k], i, 1);
	for (int64_t k = 1; k < w->n; k++) memcpy(x.block[k], x.block[0], type_bytes(x.type));
	const value n = psum(w, ones), s = psum(w, x);
	for (int64_t k = 0; k < w->n; k++)
		for (int64_t i = 0; i < ones.type->size; i++) {
			const double sum = dtype_get(dtype, s.block[k], i),
				     one = dtype_get(dtype, x.block[k], i);
			assert_true(dtype_get(dtype, n.block[k], i) == (double)w->n);
			if (dtype_bits(dtype) > 8) assert_true(sum / (double)w->n == one);
		}
}

static void scatter_then_gather(void **state) { (void)state, each_dtype(scatter_gather_law, true); }
static void all_to_all_there_and_back(void **state)
{
	(void)state, each_dtype(all_to_all_law, false);
}
static void ppermute_there_and_back(void **state) { (void)state, each_dtype(permute_law, false); }
static void gathered_then_indexed(void **state)
{
	(void)state, each_dtype(gather_index_law, false);
}
static void psum_of_equal_values(void **state) { (void)state, each_dtype(psum_of_equal_law, true); }

/* every row in two groups equals the row on each half by itself */
static void groups_are_smaller_collectives(void **state)
{
	(void)state;
	const struct {
		const tsr_prim *prim;
		union {
			preduce_params r;
			all_gather_params g;
			psum_scatter_params s;
			all_to_all_params a;
			ppermute_params p;
			pbroadcast_params b;
		} params;
	} cases[] = {
		{&tsr__prim_psum, {.r = {.on = OVER_X}}},
		{&tsr__prim_pmax, {.r = {.on = OVER_X}}},
		{&tsr__prim_pmin, {.r = {.on = OVER_X}}},
		{&tsr__prim_all_gather, {.g = {.on = OVER_X, .dim = 1}}},
		{&tsr__prim_psum_scatter, {.s = {.on = OVER_X, .dim = 1}}},
		{&tsr__prim_all_to_all, {.a = {.on = OVER_X, .split = 1}}},
		{&tsr__prim_pbroadcast, {.b = {.on = OVER_X, .source = 1}}},
		{&tsr__prim_ppermute, {.p = {.on = OVER_X, .perm = AXIS(0, 2, 2, 1)}}},
	};
	static const int64_t half[2][3] = {{4, 0, 2}, {1, 5, 3}};
	const groups halves = {2, (ints[]){{3, half[0]}, {3, half[1]}}};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		net w, small;
		net_open(&w, 6, 0);
		net_open(&small, 3, 0);
		union {
			collective on;
			char all[sizeof cases[0].params];
		} cut;
		memcpy(&cut, &cases[i].params, sizeof cases[i].params);
		cut.on.groups = halves;
		const value x = random_value(&w, TSR_F32, DIMS(2, 3, 2)),
			    y = call1(&w, cases[i].prim, &cut, x);
		for (int h = 0; h < 2; h++) {
			const value part = value_like(&small, TSR_F32, DIMS(2, 3, 2));
			for (int k = 0; k < 3; k++)
				memcpy(part.block[k], x.block[half[h][k]], type_bytes(x.type));
			const value want = call1(&small, cases[i].prim, &cases[i].params, part);
			for (int k = 0; k < 3; k++)
				assert_memory_equal(y.block[half[h][k]], want.block[k],
				                    type_bytes(want.type));
		}
		net_close(&small);
		net_close(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_tables),
		cmocka_unit_test(position_along_axes),
		cmocka_unit_test(ragged_values),
		cmocka_unit_test(ragged_is_all_to_all),
		cmocka_unit_test(scatter_then_gather),
		cmocka_unit_test(all_to_all_there_and_back),
		cmocka_unit_test(ppermute_there_and_back),
		cmocka_unit_test(gathered_then_indexed),
		cmocka_unit_test(psum_of_equal_values),
		cmocka_unit_test(groups_are_smaller_collectives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
