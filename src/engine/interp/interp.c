/* interp.c - interprets programs in lock step: the oracle of every other engine.
 *
 * It walks the equations of a per-device program once, and evaluates each for every device before
 * it goes on to the next. A value is a row of n buffers, one per device; devices may share a
 * buffer. A local equation whose operands are the same buffers on two devices is evaluated once for
 * both. An equation that replaces elements of an array which nobody else holds replaces them where
 * they are, so that a loop that fills an array takes as long as it has steps. Nothing else here is
 * clever, so that this file can be trusted as the reference.
 *
 * A program inside an equation of control flow runs in the same way, for the devices that get
 * there: where a predicate differs between devices, each takes its own branch. A collective needs
 * all devices of a group; it is an error if only some of them reach it. */
#include "engine/interp/interp.h"
#include "pass/pass.h"

/* ---- compile */

static void interp_release(executable *x)
{
	if (!x) return;
	program_release(x->program);
	table_free(&x->codes, NULL);
	arena_free(x->arena);
	mem_free(x->engine->base, x);
}

static executable *interp_compile(engine *of, const program *p, device_set set)
{
	executable *x = mem_zalloc(of->base, sizeof *x);

	if (!x) return NULL;
	*x = (executable){
		.engine = of, .arena = arena_make(of->base), .program = p, .codes.base = of->base};
	program_retain(p);
	const int64_t *devices =
		x->arena ? arena_copy(x->arena, set.device, (size_t)set.n * sizeof *set.device)
			 : NULL;
	x->set = (device_set){set.n, devices};
	if (devices && (x->all = arena_array(x->arena, (size_t)set.n, sizeof *x->all))) {
		for (int64_t k = 0; k < set.n; k++) x->all[k] = true;
		x->main = code_of(x, p);
		table_free(&x->codes, NULL);
		if (x->main) return x;
	}
	interp_release(x);
	return NULL;
}

/* ---- run */

buffer **frame_value(const frame *r, var v, int64_t k)
{
	return &r->value[(int64_t)v.id * r->x->set.n + k];
}

int device_memory(const executable *x, int64_t k)
{
	return x->engine->devices[x->set.device[k]].memory;
}

buffer *frame_result(const frame *r, const type *t, int64_t k)
{
	return host_alloc(r->x->engine, device_memory(r->x, k),
	                  (size_t)t->size * tsr_dtype_size(t->dtype), false);
}

const void *frame_operand(const frame *r, var v, int64_t k)
{
	const void *literal = r->code->program->vars[v.id].literal;

	return literal ? literal : host_bytes(*frame_value(r, v, k));
}

static bool same_operands(const frame *r, const eqn *e, int64_t j, int64_t k)
{
	if (device_memory(r->x, j) != device_memory(r->x, k)) return false;
	for (int i = 0; i < e->nin; i++)
		if (frame_operand(r, e->in[i], j) != frame_operand(r, e->in[i], k)) return false;
	return true;
}

/* results that are the operands, as they are */
static bool is_alias(const program *p, const eqn *e)
{
	if (e->prim != &tsr__prim_pcast && e->prim != &tsr__prim_optimization_barrier) return false;
	for (int i = 0; i < e->nin; i++)
		if (p->vars[e->in[i].id].literal) return false;
	return true;
}

static void run_alias(const frame *r, const eqn *e)
{
	for (int j = 0; j < e->nout; j++)
		for (int64_t k = 0; k < r->x->set.n; k++)
			*frame_value(r, e->out[j], k) = buffer_retain(*frame_value(r, e->in[j], k));
}

/* from r->from to r->to, for n devices; index: of a collective, their places in the group */
bool frame_eval(const frame *r, const step *s, const int64_t *index, int n)
{
	base *bs = r->x->engine->base;
	const tsr_prim *prim = s->eqn->prim;

	if (eqn_makes_nothing(r->code->program, s->eqn)) return true;
	if (prim->host) return prim->host(&(host_args){bs, s->eqn, s->in, s->out, r->from, r->to});
	const size_t bytes = eqn_scratch(s->eqn, s->in);
	void *scratch = bytes ? mem_alloc(bs, bytes) : NULL;

	if (bytes && !scratch) return false;
	eqn_eval(&(eval_args){.eqn = s->eqn,
	                        .in = s->in,
	                        .out = s->out,
	                        .n = n,
	                        .x = r->from,
	                        .y = r->to,
	                        .index = index,
	                        .scratch = scratch});
	mem_free(bs, scratch);
	return true;
}

/* the device that evaluates the equation for device k: itself, or one before it */
static int64_t evaluates_for(const frame *r, const step *s, int64_t k)
{
	int64_t j = k;

	if (!s->alike.first)
		return k > 0 && r->active[k - 1] && same_operands(r, s->eqn, k - 1, k) ? k - 1 : k;
	for (j = s->alike.first[k]; !r->active[j] || s->alike.first[j] != s->alike.first[k];) j++;
	return j;
}

static buffer *same_result(const frame *r, const type *t, buffer *of, int64_t k)
{
	if (of->memory == device_memory(r->x, k)) return buffer_retain(of);
	buffer *own = frame_result(r, t, k);
	if (own) memcpy(host_bytes(own), host_bytes(of), own->bytes);
	return own;
}

/* the memory of result j on device k: that of the operand which it is with some elements replaced,
 * if nothing reads that any more, and nobody else holds it */
static buffer *result_place(const frame *r, const step *s, int j, int64_t k)
{
	if (s->in_place && !r->x->onlooker) {
		buffer *operand = *frame_value(r, s->eqn->in[0], k);
		if (atomic_load_explicit(&operand->refs, memory_order_acquire) == 1 &&
		    host_may_write(operand))
			return buffer_retain(operand);
	}
	return frame_result(r, s->out[j], k);
}

static bool run_local(const frame *r, const step *s)
{
	const eqn *e = s->eqn;

	for (int64_t at = 0; at < r->x->set.n; at++) {
		const int64_t k = s->alike.order ? s->alike.order[at] : at;
		if (!r->active[k]) continue;
		const int64_t by = evaluates_for(r, s, k);
		const bool far = by == k && s->alike.from && s->alike.from[k] >= 0;
		for (int i = 0; i < e->nin; i++) r->from[i] = frame_operand(r, e->in[i], k);
		for (int j = 0; j < e->nout; j++) {
			buffer **y = frame_value(r, e->out[j], k);
			*y = by < k ? same_result(r, s->out[j], *frame_value(r, e->out[j], by), k)
			            : result_place(r, s, j, k);
			if (!*y) return false;
			r->to[j] = host_bytes(*y);
		}
		if (far && !effect_receive(r, s, k)) return false;
		if (by != k || far) continue;
		if (!frame_eval(r, s, NULL, 1) || !effect_send(r, s, k)) return false;
	}
	return true;
}

/* ---- equations that hold programs. What their rules call a block is a buffer here */

/* takes one reference to each input of an active device */
static bool run_code(engine_run *, code *, const bool *active, buffer *const *in, buffer **out);

typedef struct inner_run {
	runner runner;
	const frame *run;
	const step *step;
} inner_run;

static void *block_data(block *b) { return host_bytes((buffer *)b); }
static block *block_retain(block *b) { return (block *)buffer_retain((buffer *)b); }
static void block_release(block *b) { tsr__buffer_release((buffer *)b); }

static block *block_make(const runner *on, int64_t k, size_t bytes)
{
	const executable *x = ((const inner_run *)on)->run->x;

	return (block *)host_alloc(x->engine, device_memory(x, k), bytes, false);
}

static bool block_run(const runner *on, int which, const bool *active, block *const *x, block **y)
{
	const inner_run *in = (const inner_run *)on;

	return run_code(in->run->run, in->step->inner[which], active, (buffer *const *)x,
	                (buffer **)y);
}

static bool devices_apart(const runner *on, axis_set over, int64_t *first)
{
	const inner_run *in = (const inner_run *)on;
	const executable *x = in->run->x;
	arena *a = arena_make(on->base);
	const int64_t *alike =
		a ? devices_alike(on->base, a, in->run->code->program, x->set, over) : NULL;

	if (alike) memcpy(first, alike, (size_t)on->n * sizeof *first);
	arena_free(a);
	return alike;
}

static buffer *literal_buffer(const frame *r, var v, int64_t k);

/* all operands as buffers, each held once */
static bool hold_operands(const frame *r, const eqn *e, buffer **x)
{
	const int64_t n = r->x->set.n;

	for (int i = 0; i < e->nin; i++)
		for (int64_t k = 0; k < n; k++) {
			const bool literal = r->code->program->vars[e->in[i].id].literal;
			const bool beside = k && r->active[k - 1] &&
			                    device_memory(r->x, k - 1) == device_memory(r->x, k);
			if (!r->active[k]) continue;
			x[i * n + k] = !literal ? buffer_retain(*frame_value(r, e->in[i], k))
			               : beside ? buffer_retain(x[i * n + k - 1])
			                        : literal_buffer(r, e->in[i], k);
			if (!x[i * n + k]) return false;
		}
	return true;
}

static bool run_structured(const frame *r, const step *s)
{
	const eqn *e = s->eqn;
	const int64_t n = r->x->set.n, nx = e->nin * n, ny = e->nout * n;
	base *bs = r->x->engine->base;
	const inner_run in = {{bs, n, block_data, block_make, block_retain, block_release,
	                       block_run, devices_apart},
	                      r,
	                      s};
	buffer **x = mem_array(bs, (size_t)(nx + ny) + 1, sizeof *x), **y = x ? x + nx : NULL;

	if (!x) return false;
	const bool ok = hold_operands(r, e, x) && e->prim->run(&(run_args){.eqn = e,
	                                                                   .in = s->in,
	                                                                   .out = s->out,
	                                                                   .on = &in.runner,
	                                                                   .active = r->active,
	                                                                   .x = (block *const *)x,
	                                                                   .y = (block **)y});
	for (int j = 0; ok && j < e->nout; j++)
		for (int64_t k = 0; k < n; k++) {
			*frame_value(r, e->out[j], k) = y[j * n + k];
			y[j * n + k] = NULL;
		}
	for (int64_t i = 0; i < nx + ny; i++) tsr__buffer_release(x[i]);
	mem_free(bs, x);
	return ok;
}

static bool show(const frame *r, const step *s)
{
	const int64_t n = r->x->set.n;
	const eqn *e = s->eqn;

	for (int64_t k = 0; k < n; k++) {
		for (int i = 0; i < e->nin; i++)
			r->from[i * n + k] = r->active[k] ? frame_operand(r, e->in[i], k) : NULL;
		for (int j = 0; j < e->nout; j++)
			r->to[j * n + k] =
				r->active[k] ? host_bytes(*frame_value(r, e->out[j], k)) : NULL;
	}
	return r->x->onlooker->look(r->x->onlooker, &(look){.base = r->x->engine->base,
	                                                    .eqn = e,
	                                                    .in = s->in,
	                                                    .out = s->out,
	                                                    .set = r->x->set,
	                                                    .x = r->from,
	                                                    .y = r->to});
}

static bool run_step(const frame *r, const step *s)
{
	if (is_alias(r->code->program, s->eqn)) {
		run_alias(r, s->eqn);
		return true;
	}
	if (s->eqn->prim->run) return run_structured(r, s);
	return s->eqn->prim->flags & PRIM_COLLECTIVE ? run_collective(r, s) : run_local(r, s);
}

static bool run_watched(const frame *r, const step *s)
{
	if (!r->x->onlooker) return run_step(r, s);
	if (!s->eqn->nout) return true; /* an effect */
	return run_step(r, s) && (s->eqn->prim->run || show(r, s));
}

static void forget(const frame *r, var v)
{
	for (int64_t k = 0; k < r->x->set.n; k++) {
		tsr__buffer_release(*frame_value(r, v, k));
		*frame_value(r, v, k) = NULL;
	}
}

static double bytes_of(const type *t) { return (double)t->size * (double)tsr_dtype_size(t->dtype); }

static void equation_describe(const profile_note *n, str *name, profile_facts *facts)
{
	const step *s = n->of;
	const code *c = n->in;

	str_put(name, s->eqn->prim->name);
	for (int i = 0; i < s->eqn->nin; i++) facts->bytes += bytes_of(s->in[i]);
	for (int i = 0; i < s->eqn->nout; i++) facts->bytes += bytes_of(s->out[i]);
	facts->operations = eqn_operations(c->program, s->eqn) * n->share;
	facts->bytes *= n->share;
}

/* what holds programs is seen as the steps of these */
static bool run_profiled(const frame *r, const step *s)
{
	profile *p = r->x->engine->base->profile;
	profile_note n = {.category = "step",
	                  .where = s->eqn->where,
	                  .describe = equation_describe,
	                  .of = s,
	                  .in = r->code,
	                  .share = (double)r->x->set.n};

	if (!p || s->eqn->prim->run) return run_watched(r, s);
	n.begin = profile_clock();
	const bool ok = run_watched(r, s);
	profile_add(p, &n);
	return ok;
}

static bool run_steps(const frame *r)
{
	const bool failed_before = failed(r->x->engine->base);

	for (int i = 0; i < r->code->program->neqns; i++) {
		const step *s = &r->code->steps[i];
		if (!host_goes_on(r->x->engine, r->run, s->eqn) || !run_profiled(r, s)) {
			if (!failed_before)
				fail_note(r->x->engine->base, "while running %s (%s)",
				          s->eqn->prim->name,
				          s->eqn->where ? s->eqn->where : "no location");
			return false;
		}
		for (int d = 0; d < s->ndead; d++) forget(r, s->dead[d]);
	}
	return true;
}

static buffer *literal_buffer(const frame *r, var v, int64_t k)
{
	const type *t = type_of(r->code->program, v);
	buffer *b = frame_result(r, t, k);

	if (b)
		memcpy(host_bytes(b), r->code->program->vars[v.id].literal,
		       tsr_dtype_size(t->dtype));
	return b;
}

/* false: the active devices have nothing in out */
static bool give_outputs(const frame *r, buffer **out)
{
	const program *p = r->code->program;
	const int64_t n = r->x->set.n;

	for (int i = 0; i < p->nout; i++)
		for (int64_t k = 0; k < n; k++) {
			const bool literal = p->vars[p->out[i].id].literal;
			if (!r->active[k]) continue;
			out[i * n + k] = literal ? literal_buffer(r, p->out[i], k)
			                         : buffer_retain(*frame_value(r, p->out[i], k));
			if (out[i * n + k]) continue;
			for (int64_t j = 0; j < i * n + k; j++) {
				if (!r->active[j % n]) continue;
				tsr__buffer_release(out[j]);
				out[j] = NULL;
			}
			return false;
		}
	return true;
}

static bool run_code(engine_run *run, code *c, const bool *active, buffer *const *in, buffer **out)
{
	executable *x = run->of;
	const program *p = c->program;
	const int64_t n = x->set.n;
	const size_t values = (size_t)p->nvars * (size_t)n;
	const size_t most = (size_t)c->most * (size_t)n;
	frame r = {.run = run, .x = x, .code = c, .active = active};

	r.value = mem_array(x->engine->base, values + 2 * most, sizeof *r.value);
	r.from = r.value ? (const void **)(r.value + values) : NULL;
	r.to = r.value ? (void **)(r.value + values + most) : NULL;
	for (int i = 0; i < p->nin; i++)
		for (int64_t k = 0; k < n; k++) {
			if (active[k] && r.value)
				*frame_value(&r, p->in[i], k) = in[i * n + k];
			else if (active[k])
				tsr__buffer_release(in[i * n + k]);
		}
	if (!r.value) return false;
	const bool ok = run_steps(&r) && give_outputs(&r, out);
	for (size_t i = 0; i < values; i++) tsr__buffer_release(r.value[i]);
	mem_free(x->engine->base, r.value);
	return ok;
}

typedef struct interp_run {
	engine_run run;
	buffer *in[];
} interp_run;

static engine_run *interp_start(executable *x, buffer *const *in, buffer *const *into)
{
	const size_t n = (size_t)(x->program->nin * x->set.n);
	interp_run *r = mem_alloc(x->engine->base, sizeof *r + n * sizeof *in);

	(void)into;
	for (size_t i = 0; !r && i < n; i++) tsr__buffer_release(in[i]);
	if (!r) return NULL;
	r->run = (engine_run){.of = x, .by = &interp_engine};
	memcpy(r->in, in, n * sizeof *in);
	return &r->run;
}

static bool interp_poll(engine_run *r) { return (void)r, false; }

static bool interp_wait(engine_run *r, buffer **out)
{
	executable *x = r->of;
	base *bs = x->engine->base;
	const double begin = profile_start(bs);
	const bool ok = run_code(r, x->main, x->all, ((interp_run *)r)->in, out);
	profile_done(bs, "run", x->main->program->name, NULL, begin);

	mem_free(x->engine->base, r);
	return ok;
}

bool interp_watched(engine *of, const program *p, device_set set, buffer *const *in, onlooker *by)
{
	const size_t nin = (size_t)(p->nin * set.n), nout = (size_t)(p->nout * set.n);
	executable *x = interp_compile(of, p, set);
	buffer **out = x ? mem_array(of->base, nout + 1, sizeof *out) : NULL;

	if (out) x->onlooker = by;
	for (size_t i = 0; out && i < nin; i++) buffer_retain(in[i]);
	const bool ok = out && run_to_end(&interp_engine, x, in, NULL, out);
	for (size_t i = 0; ok && i < nout; i++) tsr__buffer_release(out[i]);
	mem_free(of->base, out);
	interp_release(x);
	return ok;
}

bool interp_can_watch(const engine *of) { return of->type->borrow == host_bytes; }

static void interp_close(engine *of) { (void)of; }
static bool interp_compiled(const executable *x) { return (void)x, false; }
static size_t interp_bytes(const executable *x) { return mem_bytes(x) + arena_bytes(x->arena); }

static const char *interp_why_not(engine *of)
{
	(void)of;
	return "the engine interp interprets programs, and compiles none";
}

const engine_type interp_engine = {
	.name = "interp",
	.doc = "lock-step interpreter: slow, obvious, the reference for every other engine",
	.why_not = interp_why_not,
	HOST_MEMORY,
	.compile = interp_compile,
	.compiled = interp_compiled,
	.bytes = interp_bytes,
	.start = interp_start,
	.poll = interp_poll,
	.wait = interp_wait,
	.cancel = host_cancel,
	.release = interp_release,
	.close = interp_close,
};
