/* end.c - ends a build: the order of the equations, dense numbers, the finished program.
 *
 * Example, of equations in the order in which they were appended:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = exp %0
 *       %2: f32[4] = cos %0
 *       %3: f32[4] = sin %0
 *       %4: f32[4] = add %3 %2
 *       return %4
 *     }
 *
 * C does not define the order in which arguments are evaluated, so the order of appending means
 * nothing: tsr_add(tsr_sin(x), tsr_cos(x)) may append either first. Equations are put in the order
 * of a depth-first walk, operands left to right, which starts from the equations with effects, in
 * their order, and then from the outputs. What nothing needs is not reached:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = sin %0
 *       %2: f32[4] = cos %0
 *       %3: f32[4] = add %1 %2
 *       return %3
 *     }
 *
 * Numbers go to the inputs, then to results in order of definition, then to literals. */
#include "program/build.h"

typedef struct live_frame {
	int32_t eqn;
	int next;                  /* operand to look at */
} live_frame;

typedef struct live_walk {
	const build *b;
	int32_t *producer;         /* of each variable: 1 + its equation, 0: none */
	bool *seen;                /* equations */
	int32_t *order;            /* the equations that stay */
	size_t n;
	live_frame *stack;
	size_t depth;
} live_walk;

static bool walk_init(live_walk *w, const build *b, arena *scratch)
{
	w->b = b;
	w->producer = arena_array(scratch, b->nvars, sizeof *w->producer);
	w->seen = arena_array(scratch, b->neqns + 1, sizeof *w->seen);
	w->order = arena_array(scratch, b->neqns + 1, sizeof *w->order);
	w->stack = arena_array(scratch, b->neqns + 1, sizeof *w->stack);
	if (!w->producer || !w->seen || !w->order || !w->stack) return false;
	for (size_t i = 0; i < b->neqns; i++)
		for (int j = 0; j < b->eqns[i].nout; j++)
			w->producer[b->eqns[i].out[j].id] = (int32_t)i + 1;
	return true;
}

static void enter(live_walk *w, int32_t producer)
{
	if (!producer || w->seen[producer - 1]) return;
	w->seen[producer - 1] = true;
	w->stack[w->depth++] = (live_frame){producer - 1, 0};
}

static void visit(live_walk *w, int32_t producer)
{
	enter(w, producer);
	while (w->depth) {
		live_frame *top = &w->stack[w->depth - 1];
		const eqn *e = &w->b->eqns[top->eqn];
		if (top->next < e->nin) {
			enter(w, w->producer[e->in[top->next++].id]);
		} else {
			w->order[w->n++] = top->eqn;
			w->depth--;
		}
	}
}

static void walk_all(live_walk *w, const var *out, int nout)
{
	const build *b = w->b;

	for (size_t i = 0; b->effects && i < b->neqns; i++)
		if (eqn_has_effects(&b->eqns[i])) visit(w, (int32_t)i + 1);
	for (int i = 0; i < nout; i++) visit(w, w->producer[out[i].id]);
}

/* ---- numbers */

typedef struct numbers {
	int32_t *of;               /* new number of each variable, 0: none */
	int32_t n;
} numbers;

static void define(numbers *to, var v) { to->of[v.id] = to->n++; }

/* a variable that has no number yet when it is used is a literal */
static var *renumber(numbers *to, const var *v, int n)
{
	var *list = (var *)(uintptr_t)v;

	for (int i = 0; i < n; i++) {
		if (!to->of[list[i].id]) define(to, list[i]);
		list[i] = (var){to->of[list[i].id]};
	}
	return list;
}

/* p is as deep and as weak as the programs inside the equation make it */
static void look_inside(program *p, const eqn *e)
{
	p->exchanges = p->exchanges || eqn_exchanges(e);
	for (inner i = {0}; inner_next(e->prim, e->params, &i);) {
		if (1 + i.program->depth > p->depth) p->depth = 1 + i.program->depth;
		p->weak = p->weak || i.program->weak;
		p->exchanges = p->exchanges || i.program->exchanges;
	}
}

/* fills in the lists of p; operand lists are rewritten in place */
static bool fill(program *p, const build *b, const live_walk *w, numbers *to, eqn *eqns, var *in,
                 var *out)
{
	for (int i = 0; i < p->nin; i++) define(to, in[i]);
	for (size_t i = 0; i < w->n; i++) {
		eqns[i] = b->eqns[w->order[i]];
		for (int j = 0; j < eqns[i].nout; j++) define(to, eqns[i].out[j]);
		look_inside(p, &eqns[i]);
		p->names |= eqn_names(&eqns[i]);
	}
	p->in = renumber(to, in, p->nin);
	for (size_t i = 0; i < w->n; i++) {
		eqns[i].in = renumber(to, eqns[i].in, eqns[i].nin);
		eqns[i].out = renumber(to, eqns[i].out, eqns[i].nout);
	}
	p->eqns = eqns;
	p->out = renumber(to, out, p->nout);
	var_info *vars = arena_array(b->arena, (size_t)to->n, sizeof *vars);
	if (!vars) return false;
	for (size_t v = 1; v < b->nvars; v++) {
		if (!to->of[v]) continue;
		vars[to->of[v]] = b->vars[v];
		p->weak = p->weak || b->vars[v].type->weak;
	}
	p->vars = vars;
	p->nvars = to->n;
	return true;
}

static program *program_of_live(const build *b, const live_walk *w, arena *scratch,
                                const var *result, int nout)
{
	program *p = arena_alloc(b->arena, sizeof *p);
	numbers to = {arena_array(scratch, b->nvars, sizeof *to.of), 1};
	eqn *eqns = arena_array(b->arena, w->n + 1, sizeof *eqns);
	var *in = arena_array(b->arena, b->ninputs + 1, sizeof *in);
	var *out = arena_copy(b->arena, result, (size_t)nout * sizeof *out);

	if (!p || !to.of || !eqns || !in || !out) return NULL;
	for (size_t i = 0; i < b->ninputs; i++) in[i] = b->inputs[i];
	*p = (program){
		.ir = b->ir, .arena = b->arena, .name = b->name, .axes = b->axes, .naxes = b->naxes,
		.nin = (int)b->ninputs, .nout = nout, .neqns = (int)w->n, .effects = b->effects,
		.depth = 1,
	};
	atomic_init(&p->refs, 1);
	if (!fill(p, b, w, &to, eqns, in, out)) return NULL;
	p->hash = program_hash(p);
	p->bytes = arena_bytes(p->arena);
	atomic_fetch_add_explicit(&p->ir->bytes, p->bytes, memory_order_relaxed);
	return p;
}

program *build_end(build *b, const var *out, int nout)
{
	base *bs = b->ir->base;
	arena *scratch = arena_make(bs);
	program *p = NULL;
	live_walk w = {0};
	bool ok = scratch;

	for (int i = 0; ok && i < nout; i++)
		if (out[i].id < 1 || (size_t)out[i].id >= b->nvars)
			ok = fail(bs, NULL, TSR_ERROR_ARGUMENT,
			          "result %d of a program is no value", i);
	if (ok && walk_init(&w, b, scratch)) {
		walk_all(&w, out, nout);
		p = program_of_live(b, &w, scratch, out, nout);
	}
	arena_free(scratch);
	if (!p) arena_free(b->arena);
	build_free_lists(b);
	return p;
}
