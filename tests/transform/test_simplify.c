/* test_simplify.c - simplified programs give the same bits: random local programs on special
 * values, and the random mapped bodies of spmd.sampled with and without the pass.
 *
 * Each draw has a seed of its own, which every message names; TSR_SEED=n in the environment runs
 * that draw alone and prints its programs. TSR_DRAWS=n changes how many there are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/draws.h"
#include "support/recipe.h"
#include "support/values.h"
#include "support/quiet.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { FIRST_SEED = 1, LOCAL_DRAWS = 20000, MAPPED_DRAWS = 2500, FAILURES_SHOWN = 10 };

/* ---- random programs of local rows. What does not fit is not appended: proposals are many */

enum { INPUTS = 4, PROPOSALS = 60, RESULTS = 6, MOST_SIZE = 64 };

typedef struct sampler {
	lab *l;
	build *b;
	tsr_dtype dtypes[3];
	var values[INPUTS + 2 * PROPOSALS];
	int n;
} sampler;

static const tsr_dtype all_dtypes[] = {TSR_BOOL, TSR_I8,  TSR_I32,  TSR_I64, TSR_U8,  TSR_U32,
                                       TSR_U64,  TSR_F16, TSR_BF16, TSR_F32, TSR_F64, TSR_C64};

static int roll_of(sampler *s, int n) { return (int)dice_roll(s->l, 0, n - 1); }
static tsr_dtype any_dtype(sampler *s) { return s->dtypes[roll_of(s, ARRAY_LEN(s->dtypes))]; }

/* mostly one of the last ones, so that equations stand in chains */
static var any_value(sampler *s)
{
	const int last = s->n < 3 ? s->n : 3;

	switch (roll_of(s, 3)) {
	case 0: return s->values[roll_of(s, INPUTS)];
	case 1: return s->values[roll_of(s, s->n)];
	default: return s->values[s->n - 1 - roll_of(s, last)];
	}
}

static var value_like(sampler *s, var like, bool same_dims)
{
	const type *t = build_type(s->b, like);

	for (int i = 0; i < 12; i++) {
		const var v = any_value(s);
		const type *u = build_type(s->b, v);
		if (u->dtype == t->dtype && (build_literal_of(s->b, v) || !same_dims ||
		                             dims_same(t->dims, t->ndim, u->dims, u->ndim)))
			return v;
	}
	return like;
}

static void keep_value(sampler *s, var v)
{
	if (v.id && build_type(s->b, v)->size <= MOST_SIZE) s->values[s->n++] = v;
}

/* numbers that rules look for, and their neighbours */
static var any_literal(sampler *s, tsr_dtype dtype)
{
	static const double numbers[] = {0, -0.0, 1, -1, 2, 255, 0.5, -3, 1e300, NAN, INFINITY};
	const double number = numbers[roll_of(s, ARRAY_LEN(numbers))];
	_Alignas(16) unsigned char bytes[16] = {0};

	dtype_convert(dtype, bytes, TSR_F64, &number, 1);
	if (roll_of(s, 8) == 0 && dtype_kind(dtype) <= KIND_UINT && dtype != TSR_BOOL)
		memset(bytes, 0xff, tsr_dtype_size(dtype));
	return build_literal(s->b, dtype, bytes);
}

static void any_dims(sampler *s, int64_t *dims, int *ndim)
{
	static const int64_t sizes[] = {1, 2, 3, 2, 1, 0};

	*ndim = roll_of(s, 4);
	for (int d = 0; d < *ndim; d++) dims[d] = sizes[roll_of(s, d ? 5 : 6)];
}

/* appends, or not where the operands do not fit: a variable without id */
static var append(sampler *s, const tsr_prim *prim, const void *params, const var *in, int nin)
{
	var out;

	if (build_eqn_exact(s->b, prim, params, in, nin, &out, NULL, NULL)) {
		keep_value(s, out);
		return out;
	}
	error_clear(&s->l->base);
	return (var){0};
}

static void propose_elementwise(sampler *s)
{
	static const tsr_prim *const unary[] = {
		&tsr__prim_neg, &tsr__prim_neg,    &tsr__prim_neg,      &tsr__prim_not,
		&tsr__prim_not, &tsr__prim_copy,   &tsr__prim_copy,     &tsr__prim_abs,
		&tsr__prim_exp, &tsr__prim_square, &tsr__prim_is_finite};
	static const tsr_prim *const binary[] = {&tsr__prim_add,
	                                         &tsr__prim_add,
	                                         &tsr__prim_sub,
	                                         &tsr__prim_sub,
	                                         &tsr__prim_mul,
	                                         &tsr__prim_mul,
	                                         &tsr__prim_div,
	                                         &tsr__prim_rem,
	                                         &tsr__prim_max,
	                                         &tsr__prim_min,
	                                         &tsr__prim_and,
	                                         &tsr__prim_or,
	                                         &tsr__prim_xor,
	                                         &tsr__prim_eq,
	                                         &tsr__prim_lt,
	                                         &tsr__prim_shift_left,
	                                         &tsr__prim_shift_right_logical,
	                                         &tsr__prim_shift_right_arithmetic};
	const var a = any_value(s);
	const var b =
		roll_of(s, 2) ? value_like(s, a, true) : any_literal(s, build_type(s->b, a)->dtype);
	const var pair[] = {a, b}, riap[] = {b, a};
	const integer_pow_params power = {roll_of(s, 4)};
	const dtype_params to = {.dtype = all_dtypes[roll_of(s, ARRAY_LEN(all_dtypes))]};

	switch (roll_of(s, 6)) {
	case 0: append(s, unary[roll_of(s, ARRAY_LEN(unary))], NULL, &a, 1); break;
	case 1: append(s, &tsr__prim_integer_pow, &power, &a, 1); break;
	case 2: append(s, &tsr__prim_convert_element_type, &to, &a, 1); break;
	default:
		append(s, binary[roll_of(s, ARRAY_LEN(binary))], NULL, roll_of(s, 2) ? pair : riap,
		       2);
		break;
	}
}

/* x > c ? x : max(x, c), and its neighbours: not every row and operand is the right one */
static void propose_maximum(sampler *s)
{
	const var x = any_value(s), c = any_literal(s, build_type(s->b, x)->dtype);
	const var other = roll_of(s, 4) ? c : any_literal(s, build_type(s->b, x)->dtype);
	const var fixed = append(s, &tsr__prim_stop_gradient, NULL, &x, 1);
	const var above = append(s, roll_of(s, 4) ? &tsr__prim_gt : &tsr__prim_ge, NULL,
	                         (var[]){x, c}, 2);
	const var most = append(s, roll_of(s, 4) ? &tsr__prim_max : &tsr__prim_min, NULL,
	                        (var[]){fixed, other}, 2);

	if (above.id && most.id)
		append(s, &tsr__prim_select_n, NULL, (var[]){above, most, x}, 3);
}

static void propose_choice(sampler *s)
{
	const var a = any_value(s), b = value_like(s, a, true), which = any_value(s);

	append(s, &tsr__prim_select_n, NULL, (var[]){which, a, b}, 3);
	append(s, &tsr__prim_clamp, NULL, (var[]){b, a, value_like(s, a, true)}, 3);
}

/* a broadcast that fits: new dims come in, and dims of size 1 may be repeated */
static void propose_broadcast(sampler *s, var x)
{
	const type *t = build_type(s->b, x);
	int64_t dims[9], at[4];
	int n = 0;

	for (int d = 0; d < t->ndim; d++) {
		if (roll_of(s, 3) == 0) dims[n++] = 1 + roll_of(s, 3);
		at[d] = n;
		dims[n++] = t->dims[d] == 1 && roll_of(s, 2) ? 3 : t->dims[d];
	}
	if (roll_of(s, 3) == 0) dims[n++] = 1 + roll_of(s, 2);
	if (n > 4) return;
	append(s, &tsr__prim_broadcast_in_dim, &(broadcast_params){{n, dims}, {t->ndim, at}}, &x,
	       1);
}

static void propose_transpose(sampler *s, var x)
{
	const int n = build_type(s->b, x)->ndim;
	int64_t perm[4];

	for (int d = 0; d < n; d++) perm[d] = d;
	for (int d = n - 1; d > 0; d--) {
		const int j = roll_of(s, d + 1);
		const int64_t swap = perm[d];
		perm[d] = perm[j];
		perm[j] = swap;
	}
	append(s, &tsr__prim_transpose, &(transpose_params){{n, perm}}, &x, 1);
}

/* of one operand, with random dims that often fit */
static void propose_layout(sampler *s)
{
	const var x = any_value(s);
	const type *t = build_type(s->b, x);
	int64_t dims[4], some[4], ones[4];
	int ndim, nsome = 0, nones = 0;

	any_dims(s, dims, &ndim);
	for (int d = 0; d < t->ndim; d++) {
		if (roll_of(s, 2)) some[nsome++] = d;
		if (t->dims[d] == 1 && roll_of(s, 2)) ones[nones++] = d;
	}
	switch (roll_of(s, 6)) {
	case 0: append(s, &tsr__prim_reshape, &(dims_params){{ndim, dims}}, &x, 1); break;
	case 1: append(s, &tsr__prim_squeeze, &(dims_params){{nones, ones}}, &x, 1); break;
	case 2:
		if (t->ndim + nsome <= 4)
			append(s, &tsr__prim_expand_dims, &(dims_params){{nsome, some}}, &x, 1);
		break;
	case 3: append(s, &tsr__prim_rev, &(dims_params){{nsome, some}}, &x, 1); break;
	case 4: propose_broadcast(s, x); break;
	default: propose_transpose(s, x); break;
	}
}

static void propose_part(sampler *s)
{
	const var x = any_value(s), y = value_like(s, x, false);
	const type *t = build_type(s->b, x);
	int64_t start[4], stop[4], step[4], low[4], high[4], zero[4] = {0};
	const int whole = roll_of(s, 3);
	var operand[6] = {x, y};

	for (int d = 0; d < t->ndim; d++) {
		start[d] = whole ? 0 : dice_roll(s->l, 0, t->dims[d]);
		stop[d] = whole ? t->dims[d] : dice_roll(s->l, start[d], t->dims[d]);
		step[d] = 1 + (!whole && roll_of(s, 4) == 0);
		low[d] = roll_of(s, 3) - 1;
		high[d] = roll_of(s, 2) ? -low[d] : low[d];
	}
	const ints from = {t->ndim, start}, to = {t->ndim, stop}, by = {t->ndim, step};
	switch (roll_of(s, 5)) {
	case 0: append(s, &tsr__prim_slice, &(slice_params){from, to, by}, &x, 1); break;
	case 1:
		append(s, &tsr__prim_concatenate, &(dim_params){roll_of(s, 3)}, operand,
		       1 + roll_of(s, 2));
		break;
	case 2:
		append(s, &tsr__prim_pad,
		       &(pad_params){{t->ndim, whole ? zero : low},
		                     {t->ndim, whole ? zero : high},
		                     {t->ndim, zero}},
		       operand, 2);
		break;
	case 3:
		for (int d = 0; d < t->ndim; d++) {
			stop[d] -= start[d];
			operand[1 + d] = any_literal(s, TSR_I32);
			if (roll_of(s, 4) == 0) operand[1 + d] = any_value(s);
		}
		append(s, &tsr__prim_dynamic_slice, &(dynamic_slice_params){to}, operand,
		       1 + t->ndim);
		break;
	default:
		for (int d = 0; d < t->ndim; d++) operand[2 + d] = any_literal(s, TSR_I64);
		append(s, &tsr__prim_dynamic_update_slice, NULL, operand, 2 + t->ndim);
		break;
	}
}

static void propose(sampler *s)
{
	int64_t dims[4];
	int ndim;

	switch (roll_of(s, 16)) {
	case 0: keep_value(s, any_literal(s, any_dtype(s))); break;
	case 1: {
		const var v = any_literal(s, any_dtype(s));
		any_dims(s, dims, &ndim);
		append(s, &tsr__prim_broadcast_in_dim, &(broadcast_params){{ndim, dims}, {0, NULL}},
		       &v, 1);
		break;
	}
	case 2: propose_choice(s); break;
	case 3:
	case 4: propose_layout(s); break;
	case 5: propose_part(s); break;
	case 6: propose_maximum(s); break;
	default: propose_elementwise(s); break;
	}
}

static program *draw_program(lab *l)
{
	sampler s = {.l = l, .b = build_begin(&l->ir, "drawn", NULL, 0)};
	int64_t dims[4];
	var out[RESULTS];
	int ndim;

	for (size_t i = 0; i < ARRAY_LEN(s.dtypes); i++)
		s.dtypes[i] = all_dtypes[roll_of(&s, ARRAY_LEN(all_dtypes))];
	s.dtypes[0] = all_dtypes[(int)ARRAY_LEN(all_dtypes) - 1 - roll_of(&s, 5)];
	for (int i = 0; i < INPUTS; i++) {
		any_dims(&s, dims, &ndim);
		const type *t = type_make(&l->ir, i < 3 ? s.dtypes[i] : TSR_BOOL, dims, ndim, 0);
		s.values[s.n++] = build_input(s.b, t);
	}
	for (int i = 0; i < PROPOSALS; i++) propose(&s);
	for (int i = 0; i < RESULTS; i++)
		out[i] = s.values[s.n - 1 - roll_of(&s, s.n < 12 ? s.n : 12)];
	return build_end(s.b, out, RESULTS);
}

/* numbers of all sizes, and those that rules must beware of; bools of any byte */
static value draw_input(lab *l, const type *t)
{
	static const double special[] = {0, -0.0, 1, -1, NAN, INFINITY, -INFINITY, 1e300, 3e-39};
	const size_t size = tsr_dtype_size(t->dtype);
	value v = value_zeros(l, t);
	unsigned char *bytes = v.data;

	for (int64_t i = 0; i < t->size; i++) {
		const double c128[2] = {dice_roll(l, 0, 2)
		                                ? dice_in(l, -300, 300)
		                                : special[dice_roll(l, 0, ARRAY_LEN(special) - 1)],
		                        special[dice_roll(l, 0, 3)]};
		const uint64_t any = dice_bits(l);
		if (t->dtype == TSR_BOOL)
			bytes[i] = (unsigned char)(any % 4);
		else if (dtype_kind(t->dtype) <= KIND_UINT && any % 4 == 0)
			memcpy(bytes + (size_t)i * size, &any, size);
		else
			dtype_convert(t->dtype, bytes + (size_t)i * size, TSR_C128, c128, 1);
	}
	return v;
}

typedef struct tally {
	int64_t before, after; /* equations */
} tally;

static void local_draw(lab *l, uint64_t seed, bool loud, tally *count)
{
	value in[INPUTS], want[RESULTS], got[RESULTS];

	l->dice = seed * 0x2545f4914f6cdd1du;
	snprintf(l->about, sizeof l->about, "TSR_SEED=%llu", (unsigned long long)seed);
	const program *p = lab_keep(l, draw_program(l), "the sampler");
	const program *q = p ? lab_keep(l, pass_simplify(p), "simplify") : NULL;
	if (!q) return;
	if (loud) show_program(p), show_program(q);
	if (!program_verify(q, "simplify")) lab_fail(l, p, "%s", error_text(&l->base));
	count->before += p->neqns;
	count->after += q->neqns;
	for (int i = 0; i < INPUTS; i++) in[i] = draw_input(l, type_of(p, p->in[i]));
	if (!lab_run(l, p, in, want) || !lab_run(l, q, in, got)) return;
	for (int i = 0; i < RESULTS; i++) {
		const int64_t at = value_same(&want[i], &got[i]);
		if (at >= 0) lab_fail(l, p, "result %d differs at element %lld", i, (long long)at);
	}
	const program *again = lab_keep(l, pass_simplify(q), "simplify");
	if (again && again->neqns > q->neqns) lab_fail(l, q, "simplified again it is longer");
}

static void test_local(void **state)
{
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", FIRST_SEED);
	const int draws = one ? 1 : number_from("TSR_DRAWS", LOCAL_DRAWS);
	lab *l = lab_open(1);
	tally count = {0, 0};

	(void)state;
	print_message("local programs: seeds %d to %d\n", first, first + draws - 1);
	for (int k = 0; k < draws && l->failures < FAILURES_SHOWN; k++) {
		local_draw(l, (uint64_t)(first + k), one, &count);
		lab_clear(l);
	}
	print_message("%lld equations became %lld\n", (long long)count.before,
	              (long long)count.after);
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
	if (!one) assert_true(4 * count.after < 3 * count.before);
}

/* ---- mapped bodies */

/* the results as bytes, one after the other; size 0: the call failed, as some draws must */
static size_t run_recipe(tsr_ctx *ctx, const recipe_deal *d, char *out, size_t size)
{
	TSR_SCOPE(ctx);
	const recipe *r = &d->r;
	tsr *in[RECIPE_INS], *got[RECIPE_OUTS];
	size_t used = 0;

	recipe_inputs(ctx, d, r->dtype, in);
	recipe_run(ctx, r, r->dtype, in, got);
	for (int k = 0; k < r->region[0].nout && !tsr_status(ctx); k++) {
		const size_t bytes =
			(size_t)tsr_size(got[k]) * tsr_dtype_size(tsr_dtype_of(got[k]));
		assert_true(used + bytes <= size);
		if (bytes) tsr_read(got[k], (void *)(out + used), bytes);
		used += bytes;
	}
	if (tsr_status(ctx)) used = 0;
	tsr_clear(ctx);
	return used;
}

static void test_mapped(void **state)
{
	static char want[1 << 20], got[1 << 20];
	static recipe_deal d;
	const recipe_limits limits = {.whole = true};
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", FIRST_SEED);
	const int draws = one ? 1 : number_from("TSR_DRAWS", MAPPED_DRAWS);
	int failures = 0, failed_calls = 0;

	(void)state;
	print_message("mapped bodies: seeds %d to %d\n", first, first + draws - 1);
	for (int k = 0; k < draws;) {
		tsr_ctx *with = tsr_open(.devices = 8, .log = one ? NULL : log_nothing,
		                         .debug = one ? "f" : "v");
		tsr_ctx *without = tsr_open(.devices = 8, .log = log_nothing, .debug = "n");
		for (int end = k + 50; k < draws && k < end; k++) {
			const uint64_t seed = (uint64_t)(first + k);
			assert_true(recipe_deal_make(&d, seed, &limits));
			d.r.jit = true;
			const size_t n = run_recipe(without, &d, want, sizeof want);
			const size_t m = run_recipe(with, &d, got, sizeof got);
			failed_calls += n == 0;
			if (n == m && memcmp(want, got, n) == 0) continue;
			if (++failures <= FAILURES_SHOWN)
				print_error("TSR_SEED=%llu: results differ\n",
				            (unsigned long long)seed);
		}
		assert_int_equal(tsr_close(with), 0);
		assert_int_equal(tsr_close(without), 0);
	}
	print_message("%d calls fail, as they must\n", failed_calls);
	assert_int_equal(failures, 0);
	assert_true(one || draws - failed_calls >= draws * 3 / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_local),
	                                   cmocka_unit_test(test_mapped)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
