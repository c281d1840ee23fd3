/* schedules.c - schedules: fns that give a rate for a step, by Optax's formulas
 * (optax/schedules/_schedule.py, _join.py).
 *
 * A schedule is a fn as users make them: a body in the frame form, whose .env has its numbers. So
 * equal ones are one fn, and they can be called, mapped, differentiated and used in bodies:
 * tsr_call(tsr_linear_schedule(ctx, 1, 0, 4), 1) gives 1 - 1/4 = 0.75. */
#include <stdlib.h>
#include "lib/optim/optim.h"

/* ---- making one */

/* used: the fns that its body calls. env: `size` bytes without padding */
static tsr_fn *schedule(const call_site *site, void (*body)(tsr_frame *), const void *env,
                        size_t size, fn *const *used, int nused)
{
	fn key = {.kind = FN_JIT,
	          .name = site->op,
	          .env = env,
	          .env_size = size,
	          .env_mask = env_of_library,
	          .body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)body},
	          .used = used,
	          .nused = nused};

	return fn_give(site->ctx, fn_intern(site->ctx, &key));
}

static tsr_fn *wrong(const call_site *site, const char *what)
{
	fail_op(site, TSR_ERROR_ARGUMENT, "%s", what);
	return fn_poison(site->ctx);
}

/* what it gives for a step, a scalar; poison: recorded */
tsr_arg schedule_at(const call_site *site, fn *f, tsr_arg step)
{
	tsr_ctx *ctx = f->ctx;
	arena *scratch = call_arena(ctx);
	const call_site own = {ctx, site->where, f->name};
	results r = {0};

	const bool ok = scratch && call_fn(f, site->where, &step, 1, scratch, NULL, &r, NULL);
	tsr *value = result_alone(&own, "call", ok, &r);
	call_arena_free(ctx, scratch);
	return HANDLE(value);
}

/* ---- bodies */

/* a body of one step: what is returned is `formula`, of `step` and of *e, the numbers in .env */
#define SCHEDULE(name, numbers, ...) \
	static void name(tsr_frame *f) \
	{ \
		const numbers *e = tsr_frame_env(f); \
		const call_site here = {f->ctx, f->ctx->trace->where, NULL}, *site = &here; \
		if (!one_step(f)) return; \
		const tsr_arg step = HANDLE(tsr_frame_arg_at(site->where, f, 0)); \
		tsr_arg value = __VA_ARGS__; \
		tsr_return_at(site->where, f, &value, 1); \
	}

static bool one_step(const tsr_frame *f)
{
	return f->nargs == 1 ||
	       fail(&f->ctx->base, f->ctx->trace->where, TSR_ERROR_ARGUMENT,
	            "%s takes one argument, the step, got %zu", f->fn->name, f->nargs);
}

/* x, 0 below that, and n above */
static tsr_arg between(const call_site *site, tsr_arg x, int64_t n)
{
	return CLAMP(INT(0), x, INT(n));
}

static tsr_arg power(const call_site *site, tsr_arg x, double exponent)
{
	return exponent == 1 ? x : OP_2(pow, x, NUM(exponent));
}

static tsr_arg constant_value(const call_site *site, tsr_arg step, double value)
{
	const tsr *x = step.as.one;
	const bool floating = dtype_kind(tsr_dtype_of(x)) >= KIND_FLOAT;
	const tsr_new_args as = {.size = sizeof as,
	                         .dtype = floating ? tsr_dtype_of(x) : TSR_DTYPE_DEFAULT};

	return HANDLE(tsr_full_at(site->where, tsr_ctx_of(x), tsr_shape_at(site->where, x),
	                          NUM(value), &as));
}

typedef struct constant_numbers { double value; } constant_numbers;
SCHEDULE(constant_body, constant_numbers, constant_value(site, step, e->value))

typedef struct polynomial_numbers {
	double init, end, power;
	int64_t steps, begin;
} polynomial_numbers;

static tsr_arg polynomial_value(const call_site *site, tsr_arg step, const polynomial_numbers *e)
{
	const tsr_arg at = between(site, SUB(step, INT(e->begin)), e->steps);
	const tsr_arg left = SUB(NUM(1), DIV(at, INT(e->steps)));

	return ADD(MUL(NUM(e->init - e->end), power(site, left, e->power)), NUM(e->end));
}
SCHEDULE(polynomial_body, polynomial_numbers, polynomial_value(site, step, e))

typedef struct cosine_numbers {
	double init, alpha, exponent;
	int64_t steps;
} cosine_numbers;

static tsr_arg cosine_value(const call_site *site, tsr_arg step, const cosine_numbers *e)
{
	const double pi = 3.14159265358979323846;
	const tsr_arg at = OP_2(minimum, step, NUM((double)e->steps));
	const tsr_arg turn = DIV(MUL(NUM(pi), at), NUM((double)e->steps));
	const tsr_arg wave = MUL(NUM(0.5), ADD(NUM(1), OP_1(cos, turn)));
	const tsr_arg part = MUL(NUM(1 - e->alpha), power(site, wave, e->exponent));

	return MUL(NUM(e->init), ADD(part, NUM(e->alpha)));
}
SCHEDULE(cosine_body, cosine_numbers, cosine_value(site, step, e))

typedef struct exponential_numbers {
	double init, rate, end;
	int64_t steps, begin, staircase, ends;
} exponential_numbers;

static tsr_arg exponential_value(const call_site *site, tsr_arg step, const exponential_numbers *e)
{
	const tsr_arg since = SUB(step, INT(e->begin)), times = DIV(since, INT(e->steps));
	const tsr_arg exponent = e->staircase ? OP_1(floor, times) : times;
	const tsr_arg decayed = MUL(NUM(e->init), OP_2(pow, NUM(e->rate), exponent));
	const tsr_arg value = WHERE(IS(le, since, INT(0)), NUM(e->init), decayed);

	if (!e->ends) return value;
	return e->rate < 1 ? OP_2(maximum, value, NUM(e->end)) : OP_2(minimum, value, NUM(e->end));
}
SCHEDULE(exponential_body, exponential_numbers, exponential_value(site, step, e))

typedef struct piecewise_numbers {
	double init;
	int64_t n;
	tsr_boundary at[];
} piecewise_numbers;

static tsr_arg piecewise_value(const call_site *site, tsr_arg step, const piecewise_numbers *e)
{
	tsr_arg value = constant_value(site, step, e->init);

	for (int64_t i = 0; i < e->n; i++)
		value = WHERE(IS(lt, step, INT(e->at[i].step)), value,
		              MUL(value, NUM(e->at[i].scale)));
	return value;
}
SCHEDULE(piecewise_body, piecewise_numbers, piecewise_value(site, step, e))

static tsr_arg joined_value(const call_site *site, const tsr_frame *f, tsr_arg step,
                            const int64_t *from)
{
	tsr_arg value = schedule_at(site, f->fn->used[0], step);

	for (int i = 1; i < f->fn->nused && !handle_is_poison(value.as.one); i++) {
		const tsr_arg since = SUB(step, INT(from[i]));
		value = WHERE(IS(lt, since, INT(0)), value,
		              schedule_at(site, f->fn->used[i], since));
	}
	return value;
}
SCHEDULE(joined_body, int64_t, joined_value(site, f, step, e))

/* ---- the public constructors */

#define OF_NUMBERS(site, body, ...) \
	schedule(site, body, &(__VA_ARGS__), sizeof(__VA_ARGS__), NULL, 0)

static tsr_fn *constant_of(const call_site *site, double value)
{
	return OF_NUMBERS(site, constant_body, (constant_numbers){value});
}

tsr_fn *tsr_constant_schedule_at(const char *where, tsr_ctx *ctx, double value)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const call_site site = {ctx, where, "constant_schedule"};

	return ctx_ok(where, site.op, ctx) ? constant_of(&site, value) : fn_poison(ctx);
}

static tsr_fn *polynomial(const call_site *site, polynomial_numbers e,
                          const tsr_schedule_args *given)
{
	tsr_ctx *ctx = site->ctx;
	const tsr_schedule_args *a = KEYWORDS(tsr_schedule_args, site->where, ctx, given);

	if (!a || !ctx_ok(site->where, site->op, ctx)) return fn_poison(ctx);
	if (e.steps < 1) return constant_of(site, e.init);
	e.begin = a->transition_begin > 0 ? a->transition_begin : 0;
	return OF_NUMBERS(site, polynomial_body, e);
}

tsr_fn *tsr_polynomial_schedule_at(const char *where, tsr_ctx *ctx, double init_value,
                                   double end_value, double exponent, int64_t transition_steps,
                                   const tsr_schedule_args *given)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const polynomial_numbers e = {init_value, end_value, exponent, transition_steps, 0};

	return polynomial(&(call_site){ctx, where, "polynomial_schedule"}, e, given);
}

tsr_fn *tsr_linear_schedule_at(const char *where, tsr_ctx *ctx, double init_value,
                               double end_value, int64_t transition_steps,
                               const tsr_schedule_args *given)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const polynomial_numbers e = {init_value, end_value, 1, transition_steps, 0};

	return polynomial(&(call_site){ctx, where, "linear_schedule"}, e, given);
}

tsr_fn *tsr_cosine_decay_schedule_at(const char *where, tsr_ctx *ctx, double init_value,
                                     int64_t decay_steps, const tsr_cosine_decay_args *given)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const tsr_cosine_decay_args *a = KEYWORDS(tsr_cosine_decay_args, where, ctx, given);
	const call_site site = {ctx, where, "cosine_decay_schedule"};

	if (!a || !ctx_ok(where, site.op, ctx)) return fn_poison(ctx);
	if (decay_steps < 1) return wrong(&site, "decay_steps must be positive");
	const cosine_numbers e = {init_value, a->alpha, given_or(a->exponent, 1), decay_steps};
	return OF_NUMBERS(&site, cosine_body, e);
}

tsr_fn *tsr_exponential_decay_at(const char *where, tsr_ctx *ctx, double init_value,
                                 int64_t transition_steps, double decay_rate,
                                 const tsr_exponential_decay_args *given)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const tsr_exponential_decay_args *a =
		KEYWORDS(tsr_exponential_decay_args, where, ctx, given);
	const call_site site = {ctx, where, "exponential_decay"};

	if (!a || !ctx_ok(where, site.op, ctx)) return fn_poison(ctx);
	if (transition_steps < 1 || decay_rate == 0) return constant_of(&site, init_value);
	const exponential_numbers e = {.init = init_value,
	                               .rate = decay_rate,
	                               .end = given_or(a->end_value, 0),
	                               .steps = transition_steps,
	                               .begin = a->transition_begin > 0 ? a->transition_begin : 0,
	                               .staircase = a->staircase,
	                               .ends = is_given(a->end_value)};
	return OF_NUMBERS(&site, exponential_body, e);
}

static int by_step(const void *a, const void *b)
{
	const int64_t x = ((const tsr_boundary *)a)->step, y = ((const tsr_boundary *)b)->step;

	return (x > y) - (x < y);
}

tsr_fn *tsr_piecewise_constant_schedule_at(const char *where, tsr_ctx *ctx, double init_value,
                                           const tsr_boundary *boundaries, size_t n)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const call_site site = {ctx, where, "piecewise_constant_schedule"};
	size_t bytes;

	if (!ctx_ok(where, site.op, ctx)) return fn_poison(ctx);
	if (n && !boundaries) return wrong(&site, "the list of boundaries is NULL");
	for (size_t i = 0; i < n; i++)
		if (!(boundaries[i].scale >= 0)) return wrong(&site, "a scale is negative");
	if (n > INT32_MAX) return wrong(&site, "there are more than 2^31 boundaries");
	bytes = sizeof(piecewise_numbers) + n * sizeof *boundaries;
	piecewise_numbers *e = mem_alloc(&ctx->base, bytes);
	if (!e) return fn_poison(ctx);
	*e = (piecewise_numbers){init_value, (int64_t)n};
	if (n) memcpy(e->at, boundaries, n * sizeof *boundaries);
	qsort(e->at, n, sizeof *e->at, by_step);
	tsr_fn *made = schedule(&site, piecewise_body, e, bytes, NULL, 0);
	mem_free(&ctx->base, e);
	return made;
}

/* used: n fns */
static tsr_fn *joined(const call_site *site, fn *const *used, const int64_t *from, size_t n)
{
	return schedule(site, joined_body, from, n * sizeof *from, used, (int)n);
}

tsr_fn *tsr_join_schedules_at(const char *where, tsr_ctx *ctx, const tsr_phase *phases, size_t n)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const call_site site = {ctx, where, "join_schedules"};

	if (!ctx_ok(where, site.op, ctx)) return fn_poison(ctx);
	if (!n || !phases) return wrong(&site, "there are no phases");
	if (n > INT32_MAX) return wrong(&site, "there are more than 2^31 phases");
	fn **used = mem_array(&ctx->base, n, sizeof *used);
	int64_t *from = mem_array(&ctx->base, n, sizeof *from);
	bool ok = used && from;
	for (size_t i = 0; ok && i < n; i++) {
		if (!phases[i].schedule)
			ok = fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
			          "%s: schedule %zu is NULL", site.op, i);
		ok = ok && (used[i] = fn_of(where, site.op, phases[i].schedule)) &&
		     (used[i]->ctx == ctx ||
		      fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		           "%s: schedule %zu belongs to another context", site.op, i));
		from[i] = i ? phases[i].from : 0;
	}
	tsr_fn *made = ok ? joined(&site, used, from, n) : fn_poison(ctx);
	mem_free(&ctx->base, used);
	mem_free(&ctx->base, from);
	return made;
}

tsr_fn *tsr_warmup_cosine_decay_schedule_at(const char *where, tsr_ctx *ctx, double init_value,
                                            double peak_value, int64_t warmup_steps,
                                            int64_t decay_steps,
                                            const tsr_warmup_cosine_decay_args *given)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const tsr_warmup_cosine_decay_args *a =
		KEYWORDS(tsr_warmup_cosine_decay_args, where, ctx, given);
	const call_site site = {ctx, where, "warmup_cosine_decay_schedule"};

	if (!a || !ctx_ok(where, site.op, ctx)) return fn_poison(ctx);
	if (warmup_steps < 0) return wrong(&site, "warmup_steps is negative");
	if (decay_steps <= warmup_steps)
		return wrong(&site, "decay_steps must exceed warmup_steps");
	const double alpha = peak_value == 0 ? 0 : a->end_value / peak_value;
	const tsr_cosine_decay_args rest = {
		.size = sizeof rest, .alpha = alpha, .exponent = a->exponent};
	tsr_fn *part[] = {
		tsr_linear_schedule_at(where, ctx, init_value, peak_value, warmup_steps, NULL),
		tsr_cosine_decay_schedule_at(where, ctx, peak_value, decay_steps - warmup_steps,
	                                     &rest)};
	fn *used[2];
	tsr_fn *made = (used[0] = fn_of(where, site.op, part[0])) &&
	                               (used[1] = fn_of(where, site.op, part[1]))
	                       ? joined(&site, used, (int64_t[]){0, warmup_steps}, 2)
	                       : fn_poison(ctx);
	for (int i = 0; i < 2; i++) tsr_fn_release_at(where, part[i]);
	return made;
}
