/* fuse.c - groups equations into calls, and kernel_lower makes one kernel of each call.
 *
 *     pass fuse
 *     f(%0: f32[64], %1: f32[64]) -> f32[64] {
 *       %2: f32[64] = sin %0
 *       %3: f32[64] = mul %2 %1
 *       %4: f32[64] = add %3 1.0:f32
 *       return %4
 *     }
 *     gives
 *     f(%0: f32[64], %1: f32[64]) -> f32[64] {
 *       %2: f32[64] = call %0 %1 program=add(%0: f32[64], %1: f32[64]) -> f32[64] {
 *         %2: f32[64] = sin %0
 *         %3: f32[64] = mul %2 %1
 *         %4: f32[64] = add %3 1.0:f32
 *         return %4
 *       }
 *       return %2
 *     }
 *
 * What stays outside of calls is control flow, large products, and plain moves of large arrays.
 * Programs inside equations are fused likewise, each once; calls of equal programs hold the same
 * one. docs/design/0012-fusion.md says how groups are found. */
#include "pass/fuse/fuse.h"

/* ---- what is known before */

/* equations with effects have different heights, in their order */
static int32_t height_of(const fuse *f, const eqn *e, int32_t effects)
{
	int32_t height = eqn_has_effects(e) ? effects : 0;

	for (int k = 0; k < e->nout; k++)
		if (f->above[e->out[k].id] > height) height = f->above[e->out[k].id];
	return height;
}

/* from the last equation to the first */
static void read_users(fuse *f)
{
	const program *p = f->p;
	int32_t effects = 0;

	for (int i = p->neqns - 1; i >= 0; i--) {
		const eqn *e = &p->eqns[i];
		const int32_t height = f->height[i] = height_of(f, e, effects);
		if (eqn_has_effects(e)) effects = height + 1;
		f->kind[i] = (uint8_t)eqn_kind_of(f->target, p, e);
		for (int k = 0; k < e->nin; k++) {
			int32_t *above = &f->above[e->in[k].id];
			if (*above <= height) *above = height + 1;
			f->consumers[e->in[k].id]++;
		}
		for (int k = 0; k < e->nout; k++) f->maker[e->out[k].id] = 1 + i;
	}
}

static bool read_program(fuse *f)
{
	const program *p = f->p;
	const size_t nvars = (size_t)p->nvars + (p->effects ? (size_t)p->neqns : 0);
	const size_t neqns = (size_t)p->neqns + 1;
	arena *a = f->scratch;

	f->nvalues = (int32_t)nvars;
	f->height = arena_array(a, neqns, sizeof *f->height);
	f->kind = arena_array(a, neqns, sizeof *f->kind);
	f->alone = arena_array(a, neqns, sizeof *f->alone);
	f->maker = arena_array(a, nvars, sizeof *f->maker);
	f->above = arena_array(a, nvars, sizeof *f->above);
	f->consumers = arena_array(a, nvars, sizeof *f->consumers);
	f->weight = arena_array(a, nvars, sizeof *f->weight);
	f->leaves = arena_array(a, nvars, sizeof *f->leaves);
	f->cut = arena_array(a, nvars, sizeof *f->cut);
	f->uses = arena_array(a, nvars, sizeof *f->uses);
	f->home = arena_array(a, nvars, sizeof *f->home);
	f->result = arena_array(a, nvars, sizeof *f->result);
	if (!f->height || !f->kind || !f->alone || !f->maker || !f->above || !f->consumers ||
	    !f->weight || !f->leaves || !f->cut || !f->uses || !f->home || !f->result)
		return false;
	for (int i = 0; i < p->nout; i++) f->result[p->out[i].id] = true;
	read_users(f);
	weigh(f);
	return !f->failed;
}

/* ---- the new program */

typedef struct bodies { /* what is made of a program and those inside it */
	const target *target;
	table programs; /* of calls */
} bodies;

static program *fused(void *user, const program *); /* as build_params wants it: of bodies */

typedef struct frame { /* of a walk from the results to what they are made of */
	int32_t group;
	int next; /* operand to look at */
	body body;
} frame;

typedef struct output {
	fuse *f;
	bodies *bodies;
	value_map v;
	spot *spots;
	frame *stack;
	int depth;
} output;

static bool is_program(const void *entry, const void *key) { return program_same(entry, key); }
static void program_entry_free(base *bs, void *entry)
{
	(void)bs;
	program_release(entry);
}

/* the same program in place of an equal one */
static bool share_body(table *known, body *b)
{
	program *same = table_find(known, program_hash(b->program), is_program, b->program);
	const bool ok = same || table_add(known, program_hash(b->program), b->program);

	if (same || !ok) program_release(b->program);
	if (same) b->program = same;
	return ok;
}

static bool becomes_call(const group *g) { return g->kernel || g->nmembers > 1; }

static bool enter(output *o, int32_t at)
{
	group *g = &o->f->groups[at];
	frame *to = &o->stack[o->depth];
	const eqn *e = &o->f->p->eqns[g->members->eqn];

	if (g->made) return true;
	g->made = true;
	*to = (frame){.group = at,
	              .body = {.nin = e->nin,
	                       .nout = e->nout,
	                       .in = (var *)(uintptr_t)e->in,
	                       .out = (var *)(uintptr_t)e->out}};
	o->depth++;
	return !becomes_call(g) || (body_make(o->f, o->spots, at, &to->body) &&
	                            share_body(&o->bodies->programs, &to->body));
}

static bool put_call(output *o, const body *b, const var *x, var *y)
{
	return build_eqn_exact(o->v.to, &tsr__prim_call, &(call_params){b->program}, x, b->nin, y,
	                       b->where, NULL);
}

/* squeeze and expand_dims are reshapes, so that engines see one row that moves nothing */
static bool put_reshape(output *o, const eqn *e, const var *x, var *y)
{
	const type *t = type_of(o->f->p, e->out[0]);

	return build_eqn_exact(o->v.to, &tsr__prim_reshape, &(dims_params){{t->ndim, t->dims}}, x,
	                       1, y, e->where, e->note);
}

static bool put_alone(output *o, const eqn *e, const var *x, var *y)
{
	eqn own = *e;

	if (e->prim == &tsr__prim_squeeze || e->prim == &tsr__prim_expand_dims)
		return put_reshape(o, e, x, y);
	if (eqn_program(e) && !(own.params = build_params(o->v.to, e, NULL, fused, o->bodies)))
		return false;
	return build_copy(o->v.to, &own, 0, x, y, NULL);
}

static bool leave(output *o)
{
	const frame *at = &o->stack[--o->depth];
	const group *g = &o->f->groups[at->group];
	const body *b = &at->body;
	var *x = values_list(&o->v, b->in, b->nin);
	var *y = arena_array(o->f->scratch, (size_t)b->nout + 1, sizeof *y);

	if (!x || !y ||
	    !(becomes_call(g) ? put_call(o, b, x, y)
	                      : put_alone(o, &o->f->p->eqns[g->members->eqn], x, y)))
		return false;
	for (int i = 0; i < b->nout; i++) o->v.of[b->out[i].id] = y[i];
	return true;
}

static bool reach(output *o, int32_t home)
{
	if (!home) return true;
	if (!enter(o, home - 1)) return false;
	while (o->depth) {
		frame *top = &o->stack[o->depth - 1];
		if (top->next == top->body.nin) {
			if (!leave(o)) return false;
			continue;
		}
		const int32_t from = o->f->home[top->body.in[top->next++].id];
		if (from && !enter(o, from - 1)) return false;
	}
	return true;
}

/* equations with effects in their order, then what the results need */
static bool reach_all(output *o)
{
	const program *p = o->f->p;

	for (int i = 0; p->effects && i < p->neqns; i++)
		if (eqn_has_effects(&p->eqns[i]) && !reach(o, o->f->alone[i])) return false;
	for (int i = 0; i < p->nout; i++)
		if (!reach(o, o->f->home[p->out[i].id])) return false;
	return true;
}

static program *put_all(fuse *f, bodies *known, build **b)
{
	const program *p = f->p;
	output o = {.f = f, .bodies = known};

	o.spots = arena_array(f->scratch, (size_t)p->nvars, sizeof *o.spots);
	o.stack = arena_array(f->scratch, f->ngroups + 1, sizeof *o.stack);
	if (!o.spots || !o.stack || !values_init(&o.v, p, *b)) return NULL;
	for (int i = 0; i < p->nin; i++)
		if (!(o.v.of[p->in[i].id] = build_input(*b, type_of(p, p->in[i]))).id) return NULL;
	const var *out = reach_all(&o) ? values_list(&o.v, p->out, p->nout) : NULL;
	if (!out) return NULL;
	build *end = *b;
	*b = NULL;
	return build_end(end, out, p->nout);
}

/* cycle: some groups need each other's results; NULL then */
static program *fuse_groups(bodies *known, const program *p, bool all_ways, bool *cycle)
{
	base *bs = p->ir->base;
	fuse f = {.target = known->target,
	          .p = p,
	          .all_ways = all_ways,
	          .base = bs,
	          .scratch = arena_make(bs),
	          .use_of = {.base = bs}};
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	program *made = NULL;

	if (f.scratch && b && read_program(&f) && groups_find(&f) && groups_merge(&f))
		made = put_all(&f, known, &b);
	build_abandon(b);
	table_free(&f.use_of, NULL);
	mem_free(bs, f.loops);
	mem_free(bs, f.groups);
	arena_free(f.scratch);
	*cycle = f.cycle;
	return made;
}

static program *fuse_program(bodies *known, const program *given)
{
	const program *p = fuse_prepare(known->target, given);
	bool cycle = false;

	if (!p) return NULL;
	program *made = fuse_groups(known, p, false, &cycle);
	if (cycle) made = fuse_groups(known, p, true, &cycle);
	program_release(p);
	return made;
}

static program *fused(void *user, const program *p)
{
	bodies *known = user;
	memo m;

	if (memo_begin(&m, "fuse", p, MEMO_PARTS({&known, sizeof known}), NULL, 0))
		m.to[0] = fuse_program(known, p);
	return memo_end(&m);
}

program *pass_fuse(const program *p, const target *on)
{
	bodies known = {.target = on, .programs = {.base = p->ir->base}};
	program *made = fused(&known, p);

	table_free(&known.programs, program_entry_free);
	return made;
}
