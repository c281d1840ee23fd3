/* expand.c - makes scalar programs of rows that are made of others, and evaluates these strip by
 * strip.
 *
 * Example:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = rsqrt %0
 *       return %1
 *     }
 *
 * The formula of a row (its column `expand`) is written once. Kernels are made of this program
 * (kernel/lower.c), and eval_strips computes it for arrays: each equation by its row's own eval, on
 * so many elements that their values stay in the cache.
 *
 *     rsqrt(%0: f32[]) -> f32[] {
 *       %1: f32[] = sqrt %0
 *       %2: f32[] = div 1.0:f32 %1
 *       return %2
 *     }
 *
 * A context makes the program once for each row, its parameters and the dtypes of its operands.
 * Rows that are made of others inside a formula are expanded too, so that the program consists of
 * rows that are not.
 *
 * A row whose eval and lower compute a function has the steps of this function as well (its column
 * `steps`), for engines that have none. Nothing here computes with them, and they are some hundred
 * equations, so they are made when eqn_steps is asked for them. */
#include "program/program.h"

enum { STRIP = 256, MOST_TAKEN = MOST_EXPANDED + MOST_PREPARED, LINE = 64 /* bytes */ };

/* where a variable is: its slot, or one of these */
enum { LITERAL = -1, RESULT = -2, INPUT = -3 /* and below: INPUT - i */ };

struct expansion {
	const tsr_prim *prim;
	const void *params;
	int nin;
	tsr_dtype in[MOST_EXPANDED];
	program *program; /* NULL: the row has a rule of its own for these dtypes */
	ir *of_steps;     /* it has one, and its steps are made here when they are asked for */
	int32_t *place;   /* of each variable */
	int32_t slots;    /* that are in use at a time; behind them one for each input */
	size_t item;      /* bytes of the largest number in a slot */
	unsigned dtypes;  /* of all variables, as bits */
};
typedef struct expansion expansion;

/* ---- slots, which variables that are not needed at the same time share */

static bool places_make(ir *r, expansion *x)
{
	const program *p = x->program;
	int32_t *last = arena_array(r->arena, 3 * (size_t)p->nvars, sizeof *last);
	int32_t *spare = last ? last + p->nvars : NULL, nspare = 0;

	if (!last) return false;
	x->place = spare + p->nvars;
	for (int v = 1; v < p->nvars; v++) {
		const size_t item = tsr_dtype_size(p->vars[v].type->dtype);
		x->item = item > x->item ? item : x->item;
		x->dtypes |= 1u << p->vars[v].type->dtype;
		x->place[v] = LITERAL;
	}
	for (int i = 0; i < p->nin; i++) x->place[p->in[i].id] = INPUT - i;
	for (int i = 0; i < p->neqns; i++)
		for (int k = 0; k < p->eqns[i].nin; k++) last[p->eqns[i].in[k].id] = i;
	for (int k = 0; k < p->nout; k++) last[p->out[k].id] = p->neqns;
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		x->place[e->out[0].id] = nspare ? spare[--nspare] : x->slots++;
		for (int k = 0; k < e->nin; k++) {
			int32_t *use = &last[e->in[k].id];
			const int32_t slot = x->place[e->in[k].id];
			if (*use != i || slot < 0) continue;
			spare[nspare++] = slot;
			*use = -1; /* an operand that is there twice is given back once */
		}
	}
	if (x->prim->expand) x->place[p->out[0].id] = RESULT;
	return true;
}

/* ---- finding an expansion, or making it */

static bool same_expansion(const void *entry, const void *key)
{
	const expansion *a = entry, *b = key;

	return a->prim == b->prim && a->nin == b->nin &&
	       memcmp(a->in, b->in, (size_t)a->nin * sizeof *a->in) == 0 &&
	       (!a->prim->params || params_same(a->prim->params, a->params, b->params));
}

static uint64_t expansion_hash(const expansion *x)
{
	const uint64_t params = x->prim->params ? params_hash(x->prim->params, x->params) : 0;

	return hash_bytes(x->in, (size_t)x->nin * sizeof *x->in,
	                  hash_u64((uint64_t)(uintptr_t)x->prim, params));
}

/* how many results it has */
static int formula(build *b, const eqn *e, bool steps, const var *in, var *y)
{
	if (e->prim->prepare) return e->prim->prepare(b, e, in, y);
	if (steps) y[0] = e->prim->steps(b, e, in);
	if (!steps && e->prim->expand) y[0] = e->prim->expand(b, e, in);
	return 1;
}

/* *none: the row has no formula for these dtypes, or no steps */
static program *formula_make(ir *r, const eqn *e, const expansion *x, bool steps, bool *none)
{
	build *b = build_begin(r, x->prim->name, NULL, 0);
	var in[MOST_EXPANDED], y[MOST_PREPARED] = {{0}};

	if (!b) return NULL;
	build_expanded(b);
	for (int i = 0; i < x->nin; i++) {
		const type *t = type_make(r, x->in[i], NULL, 0, 0);
		if (!t || !(in[i] = build_input(b, t)).id) build_fail(b);
	}
	const int n = build_failed(b) ? 0 : formula(b, e, steps, in, y);
	*none = !build_failed(b) && !y[0].id;
	if (!*none && !build_failed(b)) return build_end(b, y, n);
	build_abandon(b);
	return NULL;
}

static expansion *expansion_make(ir *r, const eqn *e, const expansion *key)
{
	expansion *x = arena_copy(r->arena, key, sizeof *key);
	bool none = false;

	if (!x) return NULL;
	if (x->prim->params &&
	    !(x->params = params_copy(r->arena, x->prim->params, x->params, NULL)))
		return NULL;
	x->program = formula_make(r, e, x, false, &none);
	if (none && x->prim->steps) x->of_steps = r;
	if (none || (x->program && places_make(r, x))) return x;
	program_release(x->program);
	return NULL;
}

bool expansion_find(ir *r, eqn *e, const type *const *in)
{
	expansion key = {.prim = e->prim, .params = e->params, .nin = e->nin};

	e->expansion = NULL;
	if (!e->prim->expand && !e->prim->prepare && !e->prim->steps) return true;
	for (int i = 0; i < e->nin; i++) key.in[i] = in[i]->dtype;
	const uint64_t hash = expansion_hash(&key);
	expansion *x = table_find(&r->expansions, hash, same_expansion, &key);
	if (!x) {
		if (!(x = expansion_make(r, e, &key))) return false;
		if (!table_add(&r->expansions, hash, x)) {
			program_release(x->program);
			return false;
		}
	}
	if (x->program || x->of_steps) e->expansion = x;
	return true;
}

static void release_each(base *b, void *entry)
{
	(void)b;
	program_release(((expansion *)entry)->program);
}

void expansions_free(ir *r) { table_free(&r->expansions, release_each); }

static bool in_strips(const eqn *e) { return e->expansion && !e->expansion->of_steps; }

const program *eqn_expansion(const eqn *e)
{
	return e->prim->expand && in_strips(e) ? e->expansion->program : NULL;
}

const program *eqn_steps(const eqn *e)
{
	expansion *x = (expansion *)(uintptr_t)e->expansion; /* of the context, which is in use */
	bool none;

	if (!x || e->prim->prepare) return NULL;
	if (!x->program) x->program = formula_make(x->of_steps, e, x, true, &none);
	return x->program;
}

/* ---- evaluating one, a strip of elements at a time */

typedef struct strips {
	const expansion *x;
	const eval_args *args;
	char *types;     /* of a strip, by dtype */
	char *slots;
	size_t slot;     /* bytes of one */
	int64_t first, n;
} strips;

static size_t whole_lines(size_t bytes) { return (bytes + LINE - 1) / LINE * LINE; }
static const size_t type_room = (sizeof(type) + LINE - 1) / LINE * LINE;

static size_t slot_bytes(const expansion *x, int64_t n)
{
	return whole_lines((size_t)(n < STRIP ? n : STRIP) * x->item);
}

size_t expansion_scratch(const eqn *e, const type *const *in)
{
	const expansion *x = e->expansion;
	int64_t n = 1;

	if (x->of_steps) return 0;
	for (int i = 0; i < e->nin; i++) n = in[i]->size > n ? in[i]->size : n;
	return LINE + (TSR_C128 + 1) * type_room +
	       (size_t)(x->slots + x->nin) * slot_bytes(x, n);
}

static type *strip_type(const strips *s, tsr_dtype dtype)
{
	return (type *)(void *)(s->types + dtype * type_room);
}

static void *place_of(const strips *s, var v)
{
	const int32_t place = s->x->place[v.id];
	const int i = INPUT - place;

	if (place >= 0) return s->slots + (size_t)place * s->slot;
	if (place == LITERAL) return (void *)(uintptr_t)s->x->program->vars[v.id].literal;
	if (place == RESULT)
		return (char *)s->args->y[0] +
		       (size_t)s->first * tsr_dtype_size(s->args->out[0]->dtype);
	if (!s->args->in[i]->ndim) return s->slots + (size_t)(s->x->slots + i) * s->slot;
	return (char *)(uintptr_t)s->args->x[i] +
	       (size_t)s->first * tsr_dtype_size(s->args->in[i]->dtype);
}

static void eval_strip(const strips *s)
{
	const program *p = s->x->program;

	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		const type *in[MOST_EXPANDED];
		const type *out = strip_type(s, type_of(p, e->out[0])->dtype);
		const void *x[MOST_EXPANDED];
		void *y = place_of(s, e->out[0]);
		for (int k = 0; k < e->nin; k++) {
			const type *t = type_of(p, e->in[k]);
			in[k] = p->vars[e->in[k].id].literal ? t : strip_type(s, t->dtype);
			x[k] = place_of(s, e->in[k]);
		}
		e->prim->eval(&(eval_args){
			.eqn = e, .in = in, .out = &out, .n = 1, .x = x, .y = &y});
	}
}

/* a row's own eval, on a strip of its operands, and what was prepared for it */
static void eval_prepared(const strips *s)
{
	const program *p = s->x->program;
	const eval_args *whole = s->args;
	const type *in[MOST_TAKEN], *out = strip_type(s, whole->out[0]->dtype);
	const void *x[MOST_TAKEN];
	void *y = (char *)whole->y[0] + (size_t)s->first * tsr_dtype_size(out->dtype);

	for (int k = 0; k < p->nin + p->nout; k++) {
		const var v = k < p->nin ? p->in[k] : p->out[k - p->nin];
		in[k] = strip_type(s, type_of(p, v)->dtype);
		x[k] = place_of(s, v);
	}
	whole->eqn->prim->eval(&(eval_args){
		.eqn = whole->eqn, .in = in, .out = &out, .n = 1, .x = x, .y = &y});
}

/* the types of a strip of n elements. Rows ask types for their dtype, size and number of dims */
static void strip_begin(strips *s, int64_t first, int64_t n)
{
	s->first = first;
	if (s->n == n) return;
	s->n = n;
	const unsigned dtypes = s->x->dtypes | 1u << s->args->out[0]->dtype;
	for (int d = 0; d <= TSR_C128; d++)
		if (dtypes >> d & 1)
			*strip_type(s, (tsr_dtype)d) =
				(type){.dtype = (tsr_dtype)d, .ndim = 1, .size = n};
}

/* an operand that is one number for all elements, as many times as a strip has elements */
static void spread_number(const strips *s, int i, int64_t n)
{
	const size_t item = tsr_dtype_size(s->args->in[i]->dtype);
	char *to = place_of(s, s->x->program->in[i]);

	for (int64_t k = 0; k < n; k++) memcpy(to + (size_t)k * item, s->args->x[i], item);
}

static void eval_strips(const eval_args *args)
{
	const expansion *x = args->eqn->expansion;
	const int64_t all = args->out[0]->size;
	const part_range part = range_of_parts(args, all);
	char *room = (char *)(whole_lines((uintptr_t)args->scratch));
	strips s = {.x = x,
	            .args = args,
	            .types = room,
	            .slots = room + (TSR_C128 + 1) * type_room,
	            .slot = slot_bytes(x, all)};

	for (int i = 0; i < x->nin; i++)
		if (!args->in[i]->ndim) spread_number(&s, i, all < STRIP ? all : STRIP);
	for (int64_t first = part.first; first < part.end; first += STRIP) {
		strip_begin(&s, first, part.end - first < STRIP ? part.end - first : STRIP);
		eval_strip(&s);
		if (x->prim->prepare) eval_prepared(&s);
	}
}

void eqn_eval(const eval_args *args)
{
	(in_strips(args->eqn) ? eval_strips : args->eqn->prim->eval)(args);
}
