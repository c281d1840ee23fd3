/* interp.c - the lock-step interpreter: the oracle, and the template of an engine.
 *
 * It walks the equations of a per-device program once, and evaluates each for every device before
 * it goes on to the next one. A value is a row of n buffers, one a device; devices may share one. A
 * local equation whose operands are the same buffers on two devices is evaluated once for both.
 * Nothing else here is clever, so that this file can be believed.
 *
 * To write another engine, provide the five functions of the table at the end:
 *   alloc    bytes for one shard in a memory of yours
 *   compile  everything that depends on the program and the devices alone; it runs once
 *   run      from input buffers to output buffers; it runs often, so it should not allocate more
 * than results release  forget what compile made; close: forget the engine */
#include "engine/engine.h"
#include "prim/prim.h"

typedef struct step { /* one equation, with what does not change between runs */
	const eqn *eqn;
	const type **in, **out;
	member_groups groups; /* collectives */
	int ndead;
	var *dead; /* values that no later equation reads */
} step;

struct executable {
	engine *engine;
	arena *arena;
	const program *program;
	device_set set;
	step *steps;
	const void **x; /* scratch of one evaluation: operand and result addresses */
	void **y;
	int64_t *index;
};

/* ---- compile */

static const type **types_of(arena *a, const program *p, const var *v, int n)
{
	const type **t = arena_array(a, (size_t)n + 1, sizeof *t);

	for (int i = 0; t && i < n; i++) t[i] = type_of(p, v[i]);
	return t;
}

static bool step_make(executable *x, const eqn *e, step *s)
{
	base *bs = x->engine->base;

	s->eqn = e;
	s->in = types_of(x->arena, x->program, e->in, e->nin);
	s->out = types_of(x->arena, x->program, e->out, e->nout);
	if (!s->in || !s->out) return false;
	if (!prim_has(e->prim, COL_EVAL))
		return fail(bs, e->where, TSR_ERROR_UNSUPPORTED,
		            "the interpreter cannot run %s: %s", e->prim->name,
		            e->prim->no_rule[COL_EVAL] ? e->prim->no_rule[COL_EVAL]
		                                       : "it has no eval rule");
	if (!(e->prim->flags & PRIM_COLLECTIVE)) return true;
	const collective *on = e->params;
	return member_groups_make(bs, x->arena, x->program, x->set, &on->axes, &on->groups,
	                          &s->groups);
}

/* for each step, the values last read there (or made there and never read) */
static bool find_last_uses(executable *x)
{
	const program *p = x->program;
	int *last =
		arena_array(x->arena, (size_t)p->nvars, sizeof *last); /* 1 + the step; 0: never */

	if (!last) return false;
	for (int i = 0; i < p->neqns; i++) {
		for (int j = 0; j < p->eqns[i].nin; j++) last[p->eqns[i].in[j].id] = i + 1;
		for (int j = 0; j < p->eqns[i].nout; j++) last[p->eqns[i].out[j].id] = i + 1;
	}
	for (int i = 0; i < p->nout; i++) last[p->out[i].id] = 0;
	for (int v = 1; v < p->nvars; v++)
		if (last[v] && !p->vars[v].literal) x->steps[last[v] - 1].ndead++;
	for (int i = 0; i < p->neqns; i++) {
		x->steps[i].dead =
			arena_array(x->arena, (size_t)x->steps[i].ndead + 1, sizeof(var));
		if (!x->steps[i].dead) return false;
		x->steps[i].ndead = 0;
	}
	for (int v = 1; v < p->nvars; v++)
		if (last[v] && !p->vars[v].literal) {
			step *s = &x->steps[last[v] - 1];
			s->dead[s->ndead++] = (var){v};
		}
	return true;
}

static bool scratch_make(executable *x)
{
	int most = 1;

	for (int i = 0; i < x->program->neqns; i++) {
		const eqn *e = &x->program->eqns[i];
		if (e->nin > most) most = e->nin;
		if (e->nout > most) most = e->nout;
	}
	x->x = arena_array(x->arena, (size_t)most * (size_t)x->set.n, sizeof *x->x);
	x->y = arena_array(x->arena, (size_t)most * (size_t)x->set.n, sizeof *x->y);
	x->index = arena_array(x->arena, (size_t)x->set.n, sizeof *x->index);
	return x->x && x->y && x->index;
}

static void interp_release(executable *x)
{
	if (!x) return;
	program_release(x->program);
	arena_free(x->arena);
	mem_free(x->engine->base, x);
}

static bool steps_make(executable *x)
{
	const program *p = x->program;

	x->steps = arena_array(x->arena, (size_t)p->neqns + 1, sizeof *x->steps);
	if (!x->steps) return false;
	for (int i = 0; i < p->neqns; i++)
		if (!step_make(x, &p->eqns[i], &x->steps[i])) return false;
	return find_last_uses(x) && scratch_make(x);
}

static executable *interp_compile(engine *of, const program *p, device_set set)
{
	executable *x = mem_zalloc(of->base, sizeof *x);

	if (!x) return NULL;
	*x = (executable){.engine = of, .arena = arena_make(of->base), .program = p};
	program_retain(p);
	const int64_t *devices =
		x->arena ? arena_copy(x->arena, set.device, (size_t)set.n * sizeof *set.device)
			 : NULL;
	x->set = (device_set){set.n, devices};
	if (devices && steps_make(x)) return x;
	interp_release(x);
	return NULL;
}

/* ---- run */

typedef struct run {
	executable *x;
	buffer **value;
} run; /* value[v * n + k] */

static buffer **value_at(const run *r, var v, int64_t k)
{
	return &r->value[(int64_t)v.id * r->x->set.n + k];
}

static int memory_of(const executable *x, int64_t k)
{
	return x->engine->devices[x->set.device[k]].memory;
}

static buffer *result_make(const run *r, const type *t, int64_t k)
{
	return tsr__buffer_make(r->x->engine->base, memory_of(r->x, k),
	                        (size_t)t->size * tsr_dtype_size(t->dtype));
}

static const void *operand_at(const run *r, var v, int64_t k)
{
	const void *literal = r->x->program->vars[v.id].literal;

	return literal ? literal : (*value_at(r, v, k))->data;
}

static bool same_operands(const run *r, const eqn *e, int64_t j, int64_t k)
{
	if (memory_of(r->x, j) != memory_of(r->x, k)) return false;
	for (int i = 0; i < e->nin; i++)
		if (operand_at(r, e->in[i], j) != operand_at(r, e->in[i], k)) return false;
	return true;
}

/* pcast moves nothing: the result is the operand */
static void run_alias(const run *r, const eqn *e)
{
	for (int64_t k = 0; k < r->x->set.n; k++)
		*value_at(r, e->out[0], k) = buffer_retain(*value_at(r, e->in[0], k));
}

static bool run_local(const run *r, const step *s)
{
	const eqn *e = s->eqn;

	for (int64_t k = 0; k < r->x->set.n; k++) {
		const bool shared =
			!(e->prim->flags & PRIM_EFFECT) && k > 0 && same_operands(r, e, k - 1, k);
		for (int i = 0; i < e->nin; i++) r->x->x[i] = operand_at(r, e->in[i], k);
		for (int j = 0; j < e->nout; j++) {
			buffer **y = value_at(r, e->out[j], k);
			*y = shared ? buffer_retain(*value_at(r, e->out[j], k - 1))
			            : result_make(r, s->out[j], k);
			if (!*y) return false;
			r->x->y[j] = (*y)->data;
		}
		if (!shared)
			e->prim->eval(&(eval_args){.eqn = e,
			                           .in = s->in,
			                           .out = s->out,
			                           .n = 1,
			                           .x = r->x->x,
			                           .y = r->x->y});
	}
	return true;
}

/* does result j differ between the members of a group? What does not is stored once a memory */
static bool results_differ(const run *r, const eqn *e, int j)
{
	const collective *on = e->params;

	for (int i = 0; i < on->axes.n; i++)
		if (type_of(r->x->program, e->out[j])->varying >> on->axes.v[i] & 1) return true;
	return false;
}

static bool make_group_results(const run *r, const step *s, const int64_t *member, int n)
{
	const eqn *e = s->eqn;

	for (int j = 0; j < e->nout; j++) {
		const bool differ = results_differ(r, e, j);
		for (int k = 0; k < n; k++) {
			const bool shared =
				!differ && k > 0 &&
				memory_of(r->x, member[k]) == memory_of(r->x, member[k - 1]);
			buffer **y = value_at(r, e->out[j], member[k]);
			*y = shared ? buffer_retain(*value_at(r, e->out[j], member[k - 1]))
			            : result_make(r, s->out[j], member[k]);
			if (!*y) return false;
			r->x->y[j * n + k] = (*y)->data;
		}
	}
	return true;
}

static bool run_group(const run *r, const step *s, const int64_t *member, const int64_t *index,
                      int n)
{
	const eqn *e = s->eqn;

	for (int i = 0; i < e->nin; i++)
		for (int k = 0; k < n; k++) r->x->x[i * n + k] = operand_at(r, e->in[i], member[k]);
	if (!make_group_results(r, s, member, n)) return false;
	e->prim->eval(&(eval_args){.eqn = e,
	                           .in = s->in,
	                           .out = s->out,
	                           .n = n,
	                           .x = r->x->x,
	                           .y = r->x->y,
	                           .index = index});
	return true;
}

static bool run_collective(const run *r, const step *s)
{
	const member_groups *g = &s->groups;

	for (int i = 0; i < g->ngroups; i++)
		if (!run_group(r, s, g->member + g->start[i], g->index + g->start[i],
		               g->start[i + 1] - g->start[i]))
			return false;
	return true;
}

static bool run_step(const run *r, const step *s)
{
	if (s->eqn->prim == &tsr__prim_pcast && !r->x->program->vars[s->eqn->in[0].id].literal) {
		run_alias(r, s->eqn);
		return true;
	}
	return s->eqn->prim->flags & PRIM_COLLECTIVE ? run_collective(r, s) : run_local(r, s);
}

static void forget(const run *r, var v)
{
	for (int64_t k = 0; k < r->x->set.n; k++) {
		tsr__buffer_release(*value_at(r, v, k));
		*value_at(r, v, k) = NULL;
	}
}

static bool run_steps(const run *r)
{
	const bool failed_before = failed(r->x->engine->base);

	for (int i = 0; i < r->x->program->neqns; i++) {
		const step *s = &r->x->steps[i];
		if (!run_step(r, s)) {
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

static buffer *literal_buffer(const run *r, var v, int64_t k)
{
	const type *t = type_of(r->x->program, v);
	buffer *b = result_make(r, t, k);

	if (b) memcpy(b->data, r->x->program->vars[v.id].literal, tsr_dtype_size(t->dtype));
	return b;
}

static bool give_outputs(const run *r, buffer **out)
{
	const program *p = r->x->program;
	const int64_t n = r->x->set.n;

	for (int i = 0; i < p->nout; i++)
		for (int64_t k = 0; k < n; k++) {
			const bool literal = p->vars[p->out[i].id].literal;
			out[i * n + k] = literal ? literal_buffer(r, p->out[i], k)
			                         : buffer_retain(*value_at(r, p->out[i], k));
			if (out[i * n + k]) continue;
			for (int64_t j = 0; j < i * n + k; j++) tsr__buffer_release(out[j]);
			return false;
		}
	return true;
}

static bool interp_run(executable *x, buffer *const *in, buffer **out)
{
	const program *p = x->program;
	const int64_t n = x->set.n;
	const size_t values = (size_t)p->nvars * (size_t)n;
	run r = {x, mem_array(x->engine->base, values, sizeof *r.value)};

	if (!r.value) return false;
	for (int i = 0; i < p->nin; i++)
		for (int64_t k = 0; k < n; k++)
			*value_at(&r, p->in[i], k) = buffer_retain(in[i * n + k]);
	const bool ok = run_steps(&r) && give_outputs(&r, out);
	for (size_t i = 0; i < values; i++) tsr__buffer_release(r.value[i]);
	mem_free(x->engine->base, r.value);
	return ok;
}

static buffer *interp_alloc(engine *of, int memory, size_t bytes)
{
	return tsr__buffer_make(of->base, memory, bytes);
}
static void interp_close(engine *of) { (void)of; }

const engine_type interp_engine = {
	.name = "interp",
	.doc = "lock-step interpreter: slow, obvious, the reference for every other engine",
	.alloc = interp_alloc,
	.compile = interp_compile,
	.run = interp_run,
	.release = interp_release,
	.close = interp_close,
};
