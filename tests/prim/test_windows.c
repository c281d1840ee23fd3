/* test_windows.c - gather and scatter against their definition, element by element, over drawn
 * dimension numbers; the order of updates of one element; and the values of missing windows.
 *
 *     TSR_SEED=n    in the environment: other draws */
#include "prim/local_rig.h"
#include "support/windows.h"

enum { MOST_DIMS = 6, MOST = 4096, DRAWS = 1500, SEED = 20260817 };

/* ---- a draw: an operand, index vectors and windows that fit each other */

typedef struct list {
	int n;
	int64_t v[MOST_DIMS];
} list;

typedef struct draw {
	uint64_t random;
	list x, counts, parts;  /* dims of the operand, of the indices but the last, of the parts */
	list through, dropped, starts, batch, index_batch, sizes;
	tsr_dtype index_dtype;
	int64_t index[MOST], number[2][MOST]; /* of the operand and the updates */
} draw;

static int64_t roll(draw *d, int64_t n) { return (int64_t)(random_bits(&d->random) % (uint64_t)n); }
static void push(list *to, int64_t entry) { to->v[to->n++] = entry; }
static bool has(const list *in, int64_t entry)
{
	for (int i = 0; i < in->n; i++)
		if (in->v[i] == entry) return true;
	return false;
}

static int64_t size_of(const list *dims)
{
	int64_t n = 1;

	for (int i = 0; i < dims->n; i++) n *= dims->v[i];
	return n;
}

static void shuffle(draw *d, list *of)
{
	for (int i = of->n - 1; i > 0; i--) {
		const int64_t k = roll(d, i + 1), was = of->v[i];
		of->v[i] = of->v[k];
		of->v[k] = was;
	}
}

/* each dim of the operand is dropped, a batching dim, or gone through */
static void draw_operand(draw *d)
{
	const int ndim = (int)roll(d, 4);

	for (int k = 0; k < ndim; k++) {
		const int64_t role = roll(d, 4), size = 1 + roll(d, 4);
		push(&d->x, size);
		if (role == 0) push(&d->dropped, k);
		if (role == 1) push(&d->batch, k);
		push(&d->sizes, role < 2 ? 1 : roll(d, 2) ? size : 1 + roll(d, size));
		if (role != 1 && roll(d, 3)) push(&d->starts, k);
	}
	shuffle(d, &d->starts);
}

/* dims of the indices: those of the batch and one or two more, in any order; dims of the parts */
static void draw_parts(draw *d)
{
	const int n = d->batch.n + (int)roll(d, 3), windows = d->x.n - d->dropped.n - d->batch.n;
	list order = {0}, places = {0};
	int count = 0, dim = -1;

	for (int j = 0; j < n; j++) push(&order, j);
	shuffle(d, &order);
	for (int j = 0; j < n; j++) push(&d->counts, 1 + roll(d, 3));
	for (int j = 0; j < d->batch.n; j++) {
		push(&d->index_batch, order.v[j]);
		d->counts.v[order.v[j]] = d->x.v[d->batch.v[j]];
	}
	for (int k = 0; k < n + windows; k++) push(&places, k < windows);
	shuffle(d, &places);
	for (int k = 0; k < n + windows; k++) {
		if (!places.v[k]) {
			push(&d->parts, d->counts.v[count++]);
			continue;
		}
		do dim++;
		while (has(&d->dropped, dim) || has(&d->batch, dim));
		push(&d->through, k);
		push(&d->parts, d->sizes.v[dim]);
	}
}

static void draw_numbers(draw *d)
{
	static const tsr_dtype dtypes[] = {TSR_I32, TSR_I64, TSR_I8, TSR_I16,
	                                   TSR_U8,  TSR_U16, TSR_U32, TSR_U64};
	const int64_t n = size_of(&d->counts) * d->starts.n;

	d->index_dtype = dtypes[roll(d, ARRAY_LEN(dtypes))];
	const bool sign = dtype_kind(d->index_dtype) == KIND_INT;
	for (int64_t i = 0; i < n; i++) d->index[i] = roll(d, 7) - (sign ? 2 : 0);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < MOST; i++) d->number[k][i] = roll(d, 3);
}

static void draw_make(draw *d, uint64_t seed)
{
	*d = (draw){.random = seed};
	draw_operand(d);
	draw_parts(d);
	draw_numbers(d);
}

/* ---- the definition */

static int64_t place_of(const list *dims, const int64_t *index)
{
	int64_t at = 0;

	for (int k = 0; k < dims->n; k++) at = at * dims->v[k] + index[k];
	return at;
}

static void index_of(const list *dims, int64_t place, int64_t *index)
{
	for (int k = dims->n - 1; k >= 0; k--) {
		index[k] = place % dims->v[k];
		place /= dims->v[k];
	}
}

/* the element of the operand that an element of the parts stands for; -1: its window is outside */
static int64_t source_of(const draw *d, int64_t part, bool clip)
{
	int64_t at[MOST_DIMS], count[MOST_DIMS], offset[MOST_DIMS] = {0}, start[MOST_DIMS] = {0};
	int n = 0, dim = -1;

	index_of(&d->parts, part, at);
	for (int k = 0; k < d->parts.n; k++) {
		if (!has(&d->through, k)) {
			count[n++] = at[k];
			continue;
		}
		do dim++;
		while (has(&d->dropped, dim) || has(&d->batch, dim));
		offset[dim] = at[k];
	}
	for (int i = 0; i < d->starts.n; i++)
		start[d->starts.v[i]] = d->index[place_of(&d->counts, count) * d->starts.n + i];
	for (int k = 0; k < d->x.n; k++) {
		const int64_t most = d->x.v[k] - d->sizes.v[k];
		if (clip && start[k] > most) start[k] = most;
		if (clip && start[k] < 0) start[k] = 0;
		if (start[k] < 0 || start[k] > most) return -1;
		start[k] += offset[k];
	}
	for (int i = 0; i < d->batch.n; i++) start[d->batch.v[i]] = count[d->index_batch.v[i]];
	return place_of(&d->x, start);
}

/* elements of the parts, windows in order: the dims that count come first */
static void parts_in_order(const draw *d, int64_t *order)
{
	list turned = {0}, from = {0};
	int64_t index[MOST_DIMS], at[MOST_DIMS];

	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < d->parts.n; k++)
			if (has(&d->through, k) == pass) {
				push(&turned, d->parts.v[k]);
				push(&from, k);
			}
	for (int64_t i = 0; i < size_of(&turned); i++) {
		index_of(&turned, i, index);
		for (int k = 0; k < turned.n; k++) at[from.v[k]] = index[k];
		order[i] = place_of(&d->parts, at);
	}
}

static int64_t combined(int combine, int64_t a, int64_t b)
{
	switch (combine) {
	case SCATTER_ADD: return a + b;
	case SCATTER_MUL: return a * b;
	case SCATTER_MIN: return a < b ? a : b;
	case SCATTER_MAX: return a > b ? a : b;
	default: return b;
	}
}

/* ---- programs and their values */

static void put_list(str *s, const char *before, const list *entries)
{
	str_printf(s, "%s[", before);
	str_dims(s, entries->v, entries->n);
	str_put(s, "]");
}

static program *program_of(rig *r, const draw *d, tsr_dtype dtype, bool gathers, const char *how)
{
	static const char *const names[2][5] = {
		{" update_window_dims=", " inserted_window_dims=", " scatter_dims_to_operand_dims=",
	         " operand_batching_dims=", " scatter_indices_batching_dims="},
		{" offset_dims=", " collapsed_slice_dims=", " start_index_map=",
	         " operand_batching_dims=", " start_indices_batching_dims="}};
	const list *const dims[] = {&d->through, &d->dropped, &d->starts, &d->batch,
	                            &d->index_batch};
	list vectors = d->counts;
	str in = {.base = &r->base}, e = {.base = &r->base}, out = {.base = &r->base};

	push(&vectors, d->starts.n);
	put_list(&in, "T", &d->x);
	str_printf(&in, "; %s", tsr_dtype_name(d->index_dtype));
	put_list(&in, "", &vectors);
	if (!gathers) put_list(&in, "; T", &d->parts);
	str_put(&e, gathers ? "gather %0 %1" : "scatter %0 %1 %2");
	for (int i = 0; i < 5; i++) put_list(&e, names[gathers][i], dims[i]);
	if (gathers) put_list(&e, " slice_sizes=", &d->sizes);
	str_put(&e, how);
	put_list(&out, "T", gathers ? &d->parts : &d->x);
	program *p = rig_program(r, in.s, e.s, out.s, dtype);
	str_free(&in);
	str_free(&e);
	str_free(&out);
	return p;
}

static void *values_of(tsr_dtype dtype, const int64_t *numbers, int64_t n)
{
	void *x = block_make((size_t)n * tsr_dtype_size(dtype));

	dtype_convert(dtype, x, TSR_I64, numbers, n);
	return x;
}

static void check(rig *r, const draw *d, tsr_dtype dtype, bool gathers, const char *how,
                  const int64_t *want)
{
	program *p = program_of(r, d, dtype, gathers, how);
	const int64_t n = type_of(p, p->out[0])->size;
	void *const x[] = {values_of(dtype, d->number[0], size_of(&d->x)),
	                   values_of(d->index_dtype, d->index,
	                             size_of(&d->counts) * d->starts.n),
	                   values_of(dtype, d->number[1], size_of(&d->parts))};
	void *y = rig_eval(p, x), *expected = values_of(dtype, want, n);

	if (memcmp(y, expected, (size_t)n * tsr_dtype_size(dtype)) != 0) {
		str s = {.base = &r->base};
		program_print(&s, p, 0);
		fail_msg("%s: other values than by definition\n%s", tsr_dtype_name(dtype), s.s);
	}
	for (int i = 0; i < 3; i++) free(x[i]);
	free(y);
	free(expected);
	program_release(p);
}

static void check_gather(rig *r, draw *d, tsr_dtype dtype)
{
	static const char *const how[] = {" mode=clip", " mode=promise_in_bounds", " mode=zero"};
	const int k = (int)roll(d, 3);
	int64_t want[MOST];

	for (int64_t i = 0; i < size_of(&d->parts); i++) {
		const int64_t from = source_of(d, i, k < 2);
		want[i] = from < 0 ? 0 : d->number[0][from];
	}
	check(r, d, dtype, true, how[k], want);
}

static void check_scatter(rig *r, draw *d, tsr_dtype dtype)
{
	static const char *const words[] = {"set", "add", "mul", "min", "max"};
	const bool clip = roll(d, 2), truth = dtype == TSR_BOOL;
	const int combine = (int)roll(d, 5);
	int64_t want[MOST], order[MOST];
	char how[64];

	if (truth && (combine == SCATTER_ADD || combine == SCATTER_MUL)) return;
	memcpy(want, d->number[0], sizeof want);
	parts_in_order(d, order);
	for (int64_t i = 0; truth && i < MOST; i++) want[i] = want[i] != 0;
	for (int64_t i = 0; i < size_of(&d->parts); i++) {
		const int64_t to = source_of(d, order[i], clip), update = d->number[1][order[i]];
		if (to >= 0) want[to] = combined(combine, want[to], truth ? !!update : update);
	}
	snprintf(how, sizeof how, " combine=%s mode=%s", words[combine], clip ? "clip" : "drop");
	check(r, d, dtype, false, how, want);
}

static void draws_are_as_defined(void **state)
{
	const char *given = getenv("TSR_SEED");
	const uint64_t seed = given ? strtoull(given, NULL, 10) : SEED;
	draw *d = calloc(1, sizeof *d);

	assert_non_null(d);
	printf("seed %llu\n", (unsigned long long)seed);
	for (uint64_t i = 0; i < DRAWS; i++) {
		draw_make(d, seed + i);
		const tsr_dtype dtype = (tsr_dtype)(TSR_BOOL + roll(d, TSR_DTYPE_COUNT_ - 1));
		check_gather(*state, d, dtype);
		check_scatter(*state, d, dtype);
	}
	free(d);
}

/* ---- what is not there */

static void absent_elements(void **state)
{
	static const struct { tsr_dtype dtype; double want; } rows[] = {
		{TSR_BOOL, 1},     {TSR_I8, -128},     {TSR_I16, -32768}, {TSR_I32, INT32_MIN},
		{TSR_I64, -0x1p63}, {TSR_U8, 255},     {TSR_U16, 65535},  {TSR_U32, UINT32_MAX},
		{TSR_U64, 0x1p64}, {TSR_F16, NAN},     {TSR_BF16, NAN},   {TSR_F32, NAN},
		{TSR_F64, NAN},    {TSR_C64, NAN},     {TSR_C128, NAN},
	};
	char x[2 * 16] = {0};

	assert_int_equal(ARRAY_LEN(rows), TSR_DTYPE_COUNT_ - 1);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		program *p = rig_program(*state, "T[2]; i32[3,1]",
		                         "gather %0 %1" GATHER_DIMS("", "0", "0", "", "")
		                         " slice_sizes=[1] mode=fill", "T[3]", rows[i].dtype);
		void *y = rig_eval(p, (void *[]){x, (int32_t[]){2, 1, -1}});
		for (int64_t k = 0; k < 3; k += 2) {
			const double want = rows[i].want;
			double parts[2];
			dtype_get_complex(rows[i].dtype, y, k, parts);
			assert_true(isnan(want) ? isnan(parts[0]) : parts[0] == want);
			assert_true(parts[1] == 0);
		}
		assert_true(dtype_get(rows[i].dtype, y, 1) == 0);
		free(y);
		program_release(p);
	}
}

/* ---- the order of updates; in f16 each sum is rounded */

static const struct order_case {
	const char *operands, *equation, *result;
	float x[4];
	int32_t index[4];
	float updates[4], want[4];
} orders[] = {
	{"f32[1]; i32[4,1]; f32[4]",
         "scatter %0 %1 %2" SCATTER_DIMS("", "0", "0", "", "") " combine=add mode=clip", "f32[1]",
         {0}, {0}, {1, 1e8f, -1e8f, 1}, {1}},
	{"f32[1]; i32[4,1]; f32[4]",
         "scatter %0 %1 %2" SCATTER_DIMS("", "0", "0", "", "") " combine=set mode=clip", "f32[1]",
         {0}, {0}, {1, 2, 3, 4}, {4}},
	/* windows of 2 from 0 and from 1 meet in element 1, where the second one stays, though its
         * elements stand beside those of the first */
	{"f32[3]; i32[2,1]; f32[2,2]",
         "scatter %0 %1 %2" SCATTER_DIMS("0", "", "0", "", "") " combine=set mode=clip", "f32[3]",
         {0}, {0, 1}, {1, 2, 3, 4}, {1, 2, 4}},
};

static void updates_meet_in_order(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
		struct order_case c = orders[i];
		program *p = rig_program(*state, c.operands, c.equation, c.result, TSR_F32);
		float *y = rig_eval(p, (void *[]){c.x, c.index, c.updates});
		for (int64_t k = 0; k < type_of(p, p->out[0])->size; k++)
			assert_true(y[k] == c.want[k]);
		free(y);
		program_release(p);
	}
}

static void each_sum_is_rounded(void **state)
{
	static const struct { tsr_dtype dtype; double want; } rows[] = {
		{TSR_F16, 2048}, {TSR_BF16, 256}, {TSR_F32, 3000}};
	int64_t ones[3000];
	int32_t index[3000] = {0};

	for (int i = 0; i < 3000; i++) ones[i] = 1;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		void *updates = values_of(rows[i].dtype, ones, 3000);
		program *p = rig_program(*state, "T[1]; i32[3000,1]; T[3000]",
		                         "scatter %0 %1 %2" SCATTER_DIMS("", "0", "0", "", "")
		                         " combine=add mode=drop", "T[1]", rows[i].dtype);
		void *y = rig_eval(p, (void *[]){"\0\0\0\0", index, updates});
		assert_true(dtype_get(rows[i].dtype, y, 0) == rows[i].want);
		free(updates);
		free(y);
		program_release(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draws_are_as_defined),
		cmocka_unit_test(absent_elements),
		cmocka_unit_test(updates_meet_in_order),
		cmocka_unit_test(each_sum_is_rounded),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
