/* test_sampled.c - random mapped bodies on random meshes with random specs, nested or not, checked
 * or not, under jit or not: the library against slice, run, concatenate on the host, bit for bit.
 *
 * Each draw has a seed of its own, which every message names; TSR_SEED=n in the environment runs
 * that draw alone and prints its program. TSR_DRAWS=n changes how many there are. */
#include "support/exchange.h"
#include "support/plan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DRAWS = 6000, FIRST_SEED = 1000, DRAWS_A_CONTEXT = 40, FAILURES_SHOWN = 10 };

/* ---- one step through the library */

static int dim_as(const step *s, int dim, int ndim)
{
	return s->negative ? dim - ndim : dim;
}

static tsr_dims dims_from(const int64_t *dim, int n)
{
	tsr_dims dims = {{1 + n}};
	memcpy(dims.d + 1, dim, (size_t)n * sizeof *dim);
	return dims;
}

static tsr *run_transpose(const step *s, tsr *a)
{
	tsr_dims perm = {{1 + tsr_ndim(a)}};
	for (int d = 0; d < tsr_ndim(a); d++)
		perm.d[1 + d] = dim_as(s, s->perm[d], tsr_ndim(a));
	return tsr_transpose(a, .perm = perm);
}

static tsr *run_local(const plan *p, const step *s, tsr *a, tsr *b)
{
	const int n = tsr_ndim(a);
	const int dim = dim_as(s, s->dim, s->op == OP_EXPAND ? n + 1 : n);
	const tsr_dims dims = TSR_DIMS(dim);
	switch (s->op) {
	case OP_NEG: return tsr_neg(a);
	case OP_RELU: return tsr_relu(a);
	case OP_SCALE: return tsr_add(tsr_mul(a, s->k), 1);
	case OP_REM: return tsr_rem(a, s->k);
	case OP_FLIP: return tsr_flip(a, dims);
	case OP_TRANSPOSE: return run_transpose(s, a);
	case OP_RAVEL: return tsr_ravel(a);
	case OP_SUM: return tsr_sum(a, .dims = dims, .keep = s->flag);
	case OP_MAX: return tsr_max(a, .dims = dims, .keep = s->flag);
	case OP_CONCAT: return tsr_concatenate(dim, a, b);
	case OP_SLICE: return tsr_slice(a, dim, s->start, s->stop);
	case OP_DOT: return tsr_dot(a, b);
	case OP_GRAM: return tsr_dot(tsr_t(a), a);
	case OP_ADD: return tsr_add(a, b);
	case OP_EXPAND: return tsr_expand_dims(a, dim);
	case OP_CONST: return tsr_full(a, dims_from(s->dims, s->ndim), s->k,
		                              .dtype = (tsr_dtype)p->dtype);
	default: return tsr_copy(a);
	}
}

/* ---- bodies and maps */

static void run_region(tsr_frame *);

static tsr_fn *map_of(const plan *p, int level)
{
	char in[PLAN_ARGS][ORACLE_NDIM][16], to[PLAN_OUTS][ORACLE_NDIM][16], manual[16];
	const region *r = &p->region[level];
	tsr_spec in_spec[PLAN_ARGS], out_spec[PLAN_OUTS];
	plan copy;
	memcpy(&copy, p, sizeof copy);
	copy.level = level;
	tsr_shard_map_args a = {.size = sizeof a, .env = &copy, .env_size = sizeof copy,
		.unchecked = r->unchecked, .axes = axes_text(&r->manual, manual)};
	for (int k = 0; k < r->nin; k++) {
		in_spec[k] = cut_spec(&r->in[k], in[k]);
		a.in[k] = (tsr_specs){1, &in_spec[k]};
	}
	for (int k = 0; k < r->nout; k++) {
		out_spec[k] = cut_spec(&r->to[k], to[k]);
		a.out[k] = (tsr_specs){1, &out_spec[k]};
	}
	tsr_mesh *mesh = (tsr_mesh *)(uintptr_t)p->mesh;
	return tsr_shard_map_at(TSR_HERE, mesh, TSR_BODY(run_region), "region", &a);
}

static tsr *run_nested(const plan *p, const step *s, tsr *a, tsr *b)
{
	tsr_fn *f = map_of(p, s->region);
	return p->region[s->region].nin == 2 ? tsr_call(f, a, b) : tsr_call(f, a);
}

static void check_varying(const plan *p, const region *r, int value, tsr *x)
{
	char text[96];
	for (int k = 0; k < p->grid.naxes; k++) {
		const char name[] = {"xyz"[k], 0};
		if (!(r->bound >> k & 1) || tsr_varying(x, name) == (r->varying[value] >> k & 1))
			continue;
		snprintf(text, sizeof text, "value %d: varies over %s: %d in the library", value,
		         name, (int)tsr_varying(x, name));
		tsr_fail(x, text);
	}
}

static void run_region(tsr_frame *frame)
{
	const plan *p = tsr_frame_env(frame);
	const region *r = &p->region[p->level];
	tsr *value[PLAN_VALUES] = {0};
	tsr_arg out[PLAN_OUTS];
	for (int k = 0; k < r->nin; k++)
		value[k] = tsr_frame_arg(frame, (size_t)k);
	for (int k = 0; k < r->nsteps; k++) {
		const step *s = &r->step[k];
		tsr *a = value[s->a], *b = value[s->b], **to = &value[r->nin + k];
		if (s->op == OP_EXCHANGE)
			*to = exchange_run(&p->grid, &s->ex, s->negative, a, (tsr_dtype)p->dtype);
		else if (s->op == OP_NESTED)
			*to = run_nested(p, s, a, b);
		else if (s->op == OP_CAST) {
			char text[16];
			*to = tsr_pcast(a, axes_text(&s->over, text), .to = TSR_TO_VARYING);
		} else
			*to = run_local(p, s, a, b);
		if (p->exact && !r->unchecked)
			check_varying(p, r, r->nin + k, *to);
	}
	for (int k = 0; k < r->nout; k++)
		out[k] = TSR_ARG(value[r->out[k]]);
	tsr_frame_return_at(TSR_HERE, frame, out, (size_t)r->nout);
}

/* ---- one draw */

static bool shards_match(const plan *p, const deal *t, int k, const tsr *got, char *why, size_t n)
{
	char text[ORACLE_NDIM][16];
	const cut *to = &p->region[0].to[k];
	const tsr_sharding *want = tsr_sharding_make(p->mesh, cut_spec(to, text));
	if (!tsr_sharding_equivalent(tsr_sharding_of(got), want, tsr_ndim(got))) {
		snprintf(why, n, "is on %s", tsr_sharding_text(tsr_sharding_of(got)));
		return false;
	}
	for (int at = 0; at < p->grid.count; at++) {
		const host block = host_block(&t->want[k], &p->grid, to, at);
		tsr_shard shard = {0};
		char inner[256];
		tsr *part = tsr_shard_data(got, at);
		if (!host_matches(&block, (tsr_dtype)p->dtype, part, inner, sizeof inner) ||
		    !tsr_shard_at(got, at, &shard) || shard.device != t->device[at]) {
			snprintf(why, n, "shard %d on device %lld: %s", at,
			         (long long)shard.device, inner);
			return false;
		}
	}
	return true;
}

static bool results_match(const plan *p, const deal *t, tsr **got, char *why, size_t size)
{
	char inner[512] = "";
	for (int k = 0; k < p->region[0].nout; k++)
		if (!host_matches(&t->want[k], (tsr_dtype)p->dtype, got[k], inner, sizeof inner) ||
		    !shards_match(p, t, k, got[k], inner, sizeof inner)) {
			snprintf(why, size, "result %d: %s", k, inner);
			return false;
		}
	return true;
}

/* the call must fail, and name the axis */
static bool mistake_found(tsr_ctx *ctx, const deal *t, char *why, size_t size)
{
	const char name[] = {'\'', "xyz"[t->missing], '\'', 0}, set[] = {"xyz"[t->missing], 0};
	const bool found = tsr_status(ctx) == TSR_ERROR_SHARDING &&
		(strstr(tsr_message(ctx), name) || strstr(tsr_message(ctx), set));
	if (!found)
		snprintf(why, size, "a result varies over %s, but: %.300s", set, tsr_message(ctx));
	tsr_clear(ctx);
	return found;
}

static void show(const plan *p, tsr_fn *f, const tsr_arg *args)
{
	print_message("mesh %s, dtype %s\n%s\n", tsr_mesh_text(p->mesh),
	              tsr_dtype_name((tsr_dtype)p->dtype),
	              tsr_fn_text_at(TSR_HERE, f, args, (size_t)p->region[0].nin));
}

static bool call_matches(const plan *p, const deal *t, tsr_fn *f, const tsr_arg *args, char *why,
                         size_t size)
{
	tsr *got[PLAN_OUTS] = {0};
	tsr_out out[PLAN_OUTS];
	tsr_ctx *ctx = tsr_mesh_ctx(p->mesh);
	for (int k = 0; k < p->region[0].nout; k++)
		out[k] = (tsr_out){0, {&got[k], 1, NULL}};
	tsr_call_into_at(TSR_HERE, out, (size_t)p->region[0].nout, f, args,
	                 (size_t)p->region[0].nin);
	if (t->missing >= 0)
		return mistake_found(ctx, t, why, size);
	if (tsr_status(ctx)) {
		snprintf(why, size, "%.700s", tsr_message(ctx));
		tsr_clear(ctx);
		return false;
	}
	return results_match(p, t, got, why, size);
}

static bool draw_matches(tsr_ctx *ctx, uint64_t seed, bool loud, char *why, size_t size)
{
	TSR_SCOPE(ctx);
	static plan p;
	deal t;
	tsr_arg args[PLAN_ARGS];
	char text[ORACLE_NDIM][16];
	plan_draw(&p, &t, seed);
	p.mesh = grid_mesh(ctx, &p.grid, t.device);
	for (int k = 0; k < p.region[0].nin; k++) {
		tsr *x = host_array(ctx, &t.arg[k], (tsr_dtype)p.dtype);
		if (t.put[k])
			x = tsr_put(x, p.mesh, cut_spec(&t.placed[k], text));
		args[k] = TSR_ARG(x);
	}
	tsr_fn *f = map_of(&p, 0);
	if (t.jit)
		f = tsr_jit(ctx, f);
	if (loud)
		show(&p, f, args);
	bool same = call_matches(&p, &t, f, args, why, size);
	if (same && t.twice)
		same = call_matches(&p, &t, f, args, why, size);
	oracle_reset();
	return same;
}

static int number_from(const char *name, int otherwise)
{
	const char *text = getenv(name);
	return text ? atoi(text) : otherwise;
}

static void silent(void *user, int level, const char *text)
{
	(void)user;
	(void)level;
	(void)text;
}

static void test_sampled(void **state)
{
	(void)state;
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", FIRST_SEED);
	const int draws = one ? 1 : number_from("TSR_DRAWS", DRAWS);
	int failures = 0;
	tsr_ctx *ctx = NULL;
	print_message("seeds %d to %d\n", first, first + draws - 1);
	for (int k = 0; k < draws; k++) {
		char why[1024] = "";
		if (k % DRAWS_A_CONTEXT == 0) {
			assert_int_equal(tsr_close(ctx), 0);
			ctx = tsr_open(.devices = 8, .log = silent);
		}
		if (draw_matches(ctx, (uint64_t)(first + k), one, why, sizeof why))
			continue;
		if (++failures <= FAILURES_SHOWN)
			print_error("TSR_SEED=%d: %s\n", first + k, why);
		tsr_clear(ctx);
	}
	assert_int_equal(tsr_close(ctx), 0);
	if (failures)
		fail_msg("%d of %d draws failed", failures, draws);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sampled)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
