/* collectives.c - measures the collectives of a mesh, beside the time that its memory allows.
 *
 * The bound is the time to read all operands and to write all results, at the best rate at which x
 * was read and written while it was negated on the same devices, which is measured in alternation
 * with each collective. In one memory a result that all devices share is written once. Where the
 * engine gives blocks on as they are, nothing is read or written. Example: 4 devices, of which each
 * has 1 MB, and an x that is negated in 0.2 ms, which reads 4 MB and writes 4:
 *
 *                     reads   writes   at 40 GB/s   takes     of the bound
 *     psum            4 MB    1 MB     0.125 ms     0.25 ms   50 %
 *     all_gather      4 MB    4 MB     0.2 ms       0.25 ms   80 %
 *     psum_scatter    4 MB    1 MB     0.125 ms     0.25 ms   50 %
 *     all_to_all      4 MB    4 MB     0.2 ms       0.25 ms   80 % */
#include <math.h>
#include <stdio.h>
#include "lib/timing/timing.h"

enum { RUNS = 10, MOST_LOOPS = 10000 };
#define RUN_SECONDS 0.01 /* of a run, as far as one loop is shorter */

/* ---- the collectives */

typedef enum gives {
	GIVES_ALL,  /* one value to all devices */
	GIVES_SAME, /* cut along dim 0, as the operand */
	GIVES_DEALT /* cut along another dim, which the devices divide */
} gives;

typedef struct exchanged {
	const char *name;
	tsr *(*apply)(const char *where, tsr *x, const char *axis, int64_t dim);
	gives gives;
	bool ordered; /* not of complex numbers */
} exchanged;

static tsr *apply_psum(const char *where, tsr *x, const char *axis, int64_t dim)
{
	return (void)dim, tsr_psum_at(where, x, axis, NULL);
}

static tsr *apply_pmax(const char *where, tsr *x, const char *axis, int64_t dim)
{
	return (void)dim, tsr_pmax_at(where, x, axis, NULL);
}

static tsr *apply_pmin(const char *where, tsr *x, const char *axis, int64_t dim)
{
	return (void)dim, tsr_pmin_at(where, x, axis, NULL);
}

static tsr *apply_all_gather(const char *where, tsr *x, const char *axis, int64_t dim)
{
	const tsr_all_gather_args a = {.size = sizeof a, .dim = TSR_DIMS(0), .tiled = true};

	return (void)dim, tsr_all_gather_at(where, x, axis, &a);
}

static tsr *apply_psum_scatter(const char *where, tsr *x, const char *axis, int64_t dim)
{
	const tsr_psum_scatter_args a = {.size = sizeof a, .dim = TSR_DIMS(dim), .tiled = true};

	return tsr_psum_scatter_at(where, x, axis, &a);
}

static tsr *apply_all_to_all(const char *where, tsr *x, const char *axis, int64_t dim)
{
	const tsr_all_to_all_args a = {
		.size = sizeof a, .split = TSR_DIMS(dim), .concat = TSR_DIMS(0), .tiled = true};

	return tsr_all_to_all_at(where, x, axis, &a);
}

static tsr *apply_ppermute(const char *where, tsr *x, const char *axis, int64_t dim)
{
	return (void)dim, tsr_ppermute_at(where, x, axis, (tsr_perm){.shift = 1}, NULL);
}

static tsr *apply_pbroadcast(const char *where, tsr *x, const char *axis, int64_t dim)
{
	return (void)dim, tsr_pbroadcast_at(where, x, axis, 0, NULL);
}

static const exchanged all[] = {
	{"psum", apply_psum, GIVES_ALL, false},
	{"pmax", apply_pmax, GIVES_ALL, true},
	{"pmin", apply_pmin, GIVES_ALL, true},
	{"all_gather", apply_all_gather, GIVES_ALL, false},
	{"psum_scatter", apply_psum_scatter, GIVES_DEALT, false},
	{"all_to_all", apply_all_to_all, GIVES_DEALT, false},
	{"ppermute", apply_ppermute, GIVES_SAME, false},
	{"pbroadcast", apply_pbroadcast, GIVES_ALL, false},
};

/* ---- one of them as a fn */

typedef struct job { /* all that is alike for them */
	const char *where, *axis;
	tsr_mesh *mesh;
	tsr *x;         /* cut along dim 0 */
	int64_t n, dim; /* devices; a dim of a block that they divide, -1: there is none */
} job;

typedef struct task { /* the .env of a body */
	const exchanged *what;
	const job *of;
} task;

static void run_task(tsr_frame *frame)
{
	const task *t = tsr_frame_env(frame);
	const char *where = t->of->where;
	tsr *x = tsr_frame_arg_at(where, frame, 0);
	const tsr_arg y = TSR_ARG(t->what->apply(where, x, t->of->axis, t->of->dim));

	tsr_return_at(where, frame, &y, 1);
}

/* "[x] -> [-,x]": the operand is cut along dim 0, and the result along this one; -1: along none */
static void put_specs(str *s, const char *axis, int64_t dim)
{
	str_printf(s, "[%s] -> [", axis);
	for (int64_t d = 0; d < dim; d++) str_put(s, "-,");
	str_printf(s, "%s]", dim < 0 ? "" : axis);
}

static int64_t dim_cut(const job *j, gives gives)
{
	return gives == GIVES_ALL ? -1 : gives == GIVES_SAME ? 0 : j->dim;
}

static tsr_fn *exchanging(const job *j, const exchanged *what)
{
	const tsr_body body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)run_task};
	const task t = {what, j};
	str specs = {.base = &tsr_ctx_of(j->x)->base};

	put_specs(&specs, j->axis, dim_cut(j, what->gives));
	const tsr_shard_map_args a = {.size = sizeof a,
	                              .name = what->name,
	                              .env = &t,
	                              .env_size = sizeof t,
	                              .env_mask = env_of_library,
	                              .sig = specs.s ? specs.s : "",
	                              .axes = j->axis,
	                              .unchecked = true};
	tsr_fn *fn = tsr_shard_map_at(j->where, j->mesh, body, NULL, &a);
	str_free(&specs);
	return fn;
}

/* ---- what it takes */

/* a fn of x, and the least seconds that a call of it took in a run; before the first, INFINITY */
typedef struct timed_fn {
	tsr_fn *fn;
	double least;
} timed_fn;

static int process_of(const job *j) /* that measures for all */
{
	return process_of_least(tsr_sharding_of(j->x));
}

/* as many loops in all processes. false: recorded */
static bool choose_loops(const job *j, const timed_fn *t, int *loops)
{
	const call_site site = {tsr_ctx_of(j->x), j->where, "bench_collectives"};

	*loops = (int)fmin(fmax(RUN_SECONDS / t->least, 1), MOST_LOOPS);
	return together_begin(&site, -1) &&
	       together_end(&site, share_of(site.ctx, process_of(j), loops, sizeof *loops));
}

/* false: an error is recorded */
static bool time_run(const job *j, timed_fn *t)
{
	const tsr_arg x = TSR_ARG(j->x);
	int loops;

	if (!choose_loops(j, t, &loops)) return false;
	const double least = tsr_time_at(j->where, 1, loops, t->fn, &x, 1).least;

	t->least = fmin(t->least, least);
	return !isnan(least);
}

/* in alternation, so that both see the machine equally busy */
static bool time_both(const job *j, timed_fn *a, timed_fn *b)
{
	bool ok = true;

	for (int i = 0; ok && i <= RUNS; i++) ok = time_run(j, a) && time_run(j, b);
	return ok;
}

static double bytes_of(const type *t) { return (double)t->size * (double)tsr_dtype_size(t->dtype); }

static moved_bytes bytes_moved(const job *j, const exchanged *what, const program *p)
{
	const type *in = type_of(p, p->in[0]), *out = type_of(p, p->out[0]);
	const double written = what->gives == GIVES_ALL ? 1 : (double)j->n;
	moved_bytes b = {0, (double)j->n * bytes_of(in) + written * bytes_of(out)};

	for (int i = 0; i < p->neqns; i++)
		if (eqn_exchanges(&p->eqns[i]))
			b.received += eqn_received(&p->eqns[i], &in, &out, p->axes);
	return b;
}

/* are the blocks of the result those of x? */
static bool given_on(const job *j, tsr_fn *fn)
{
	const tsr_arg x = TSR_ARG(j->x);
	tsr *y = tsr_call_at(j->where, fn, &x, 1);
	const array *from = handle_array(j->where, j->x);
	const array *to = handle_is_poison(y) ? NULL : handle_array(j->where, y);

	for (int64_t k = 0; from && to && to->nshards && k < from->nshards; k++)
		if (from->shard[k] == to->shard[0]) return true;
	return false;
}

/* of the program that every device runs on its block. false: an error is recorded */
static bool count_bytes(const job *j, const exchanged *what, const tsr_fn *h, moved_bytes *to)
{
	fn *fn = fn_of_handle(h);
	const call_site site = {fn->ctx, j->where, fn->name};
	const tsr_arg x = TSR_ARG(j->x);
	arena *scratch = call_arena(fn->ctx);
	fn_call c = {.fn = fn, .where = j->where, .scratch = scratch};
	traced *t = scratch && leaves_read(&site, scratch, &x, 1, &c.args) ? trace_fn(&c) : NULL;

	if (t) *to = bytes_moved(j, what, t->program);
	if (t) traced_done(t);
	call_arena_free(fn->ctx, scratch);
	return t;
}

/* ---- the measurement */

/* why it cannot be measured; NULL: it can */
static const char *why_not(const job *j, const exchanged *what)
{
	if (what->gives == GIVES_DEALT && j->dim < 0) return "the devices divide no dim of a block";
	return what->ordered && dtype_kind(handle_type(j->x)->dtype) == KIND_COMPLEX
	               ? "complex numbers have no order"
	               : NULL;
}

/* false: an error is recorded */
static bool measure(const job *j, const exchanged *what, timed_fn *beside, figures *to)
{
	timed_fn t = {exchanging(j, what), INFINITY};

	const bool ok = time_both(j, &t, beside) && count_bytes(j, what, t.fn, &to->bytes);
	if (ok && given_on(j, t.fn)) to->bytes.moved = 0;
	to->seconds = t.least;
	tsr_fn_release_at(j->where, t.fn);
	return ok;
}

/* beside: the seconds in which x was read and written */
static void print_figures(const job *j, const figures *f, size_t n, double beside)
{
	str s = {.base = &tsr_ctx_of(j->x)->base};

	str_printf(&s, j->n == 1 ? "%lld device along %s" : "%lld devices along %s",
	           (long long)j->n, j->axis);
	str_printf(&s, ", of %s cut along dim 0\n", tsr_type_text(j->x));
	figures_table(&s, f, n, 2 * bytes_of(handle_type(j->x)) / beside);
	if (s.s && !s.lost) print_in(tsr_ctx_of(j->x), process_of(j), false, s.s);
	str_free(&s);
}

static void measure_all(const job *j)
{
	const tsr_body body = {.form = TSR_FORM_1, .raw = (tsr_raw)(tsr_neg)};
	timed_fn negate = {tsr_jit_at(j->where, tsr_ctx_of(j->x), body, "ctx, negate", NULL),
	                   INFINITY};
	figures f[ARRAY_LEN(all)] = {0};
	bool ok = true;

	for (size_t i = 0; ok && i < ARRAY_LEN(all); i++) {
		f[i] = (figures){.name = all[i].name, .why_not = why_not(j, &all[i])};
		ok = f[i].why_not || measure(j, &all[i], &negate, &f[i]);
	}
	if (ok) print_figures(j, f, ARRAY_LEN(all), negate.least);
	tsr_fn_release_at(j->where, negate.fn);
}

/* ---- what they are measured with */

/* the number of devices along "x" or "x*y"; 0: an error is recorded */
static int64_t devices_along(const call_site *site, const mesh *m, const char *axis)
{
	const char *at = axis ? axis : "";
	int64_t n = *at ? 1 : 0;
	size_t len;

	if (!n) fail_op(site, TSR_ERROR_SHARDING, "the axis is %s", axis ? "empty" : "NULL");
	for (const char *name; (name = product_next(&at, &len));) {
		const int entry = mesh_axis(m, name, len);
		if (entry < 0) {
			str text = {.base = &site->ctx->base};
			mesh_text(&text, m);
			fail(text.base, site->where, TSR_ERROR_SHARDING,
			     "%s: \"%s\" is no axis of %s, nor a product of some", site->op, axis,
			     text.s ? text.s : "the mesh");
			str_free(&text);
			return 0;
		}
		n *= m->axis[entry].size;
	}
	return n;
}

static bool operand_ok(const call_site *site, tsr *x, int64_t n)
{
	call_site own = *site;

	if (!x || tsr_ctx_of(x) != site->ctx)
		return fail_op(site, TSR_ERROR_HANDLE,
		               x ? "the array belongs to another context than the mesh"
		                 : "the array is NULL");
	const array *held = array_checked(&own, x);
	if (!held) return false;
	const type *t = held->type;
	if (t->dtype == TSR_BOOL || !t->ndim)
		return fail(&site->ctx->base, site->where, TSR_ERROR_TYPE,
		            "%s takes an array of numbers that has a dim to cut, not %s", site->op,
		            tsr_type_text(x));
	return t->dims[0] % n == 0 ||
	       fail(&site->ctx->base, site->where, TSR_ERROR_SHARDING,
	            "%s cuts dim 0 into one part for each of %lld devices, which do not divide %s",
	            site->op, (long long)n, tsr_type_text(x));
}

/* one that is whole on a device if there is one; dim 0 of a block is an nth of that of x */
static int64_t dim_dealt(const type *whole, int64_t n)
{
	for (int d = 1; d < whole->ndim; d++)
		if (whole->dims[d] % n == 0) return d;
	return whole->dims[0] / n % n == 0 ? 0 : -1;
}

static bool job_make(const call_site *site, job *j, tsr_mesh *m, const char *axis, tsr *x)
{
	*j = (job){.where = site->where, .axis = axis, .mesh = m};
	j->n = devices_along(site, m, axis);
	if (!j->n || !operand_ok(site, x, j->n)) return false;
	j->dim = dim_dealt(handle_type(x), j->n);
	j->x = tsr_put_at(site->where, x, m, TSR_P(axis));
	return !handle_is_poison(j->x);
}

static bool outside_bodies(const call_site *site)
{
	return !in_trace(site->ctx) ||
	       fail_op(site, TSR_ERROR_HANDLE, "a body is being traced: measure outside of bodies");
}

void tsr_bench_collectives_at(const char *where, tsr_mesh *given, const char *axis, tsr *x)
{
	TURN_OF(tsr_ctx_of(x), where, );
	call_site site = {tsr_ctx_of(x), where, "bench_collectives"};
	mesh *m = (mesh *)(uintptr_t)mesh_found(where, site.op, site.ctx, given);
	job j;

	if (!m) return;
	TSR_SCOPE(m->ctx);
	site.ctx = m->ctx;
	if (outside_bodies(&site) && job_make(&site, &j, m, axis, x)) measure_all(&j);
}
