/* kernels.c - the distinct kernels of a schedule, and whether one may write where it reads.
 *
 * Example:
 *
 *     f(%0: f32[8]) -> f32[8] {
 *       %1: f32[8] = mul %0 2.0:f32
 *       %2: f32[8] = sort %1 dim=0 num_keys=1
 *       %3: f32[8] = mul %2 2.0:f32
 *       %4: f32[8] = sort %3 dim=0 num_keys=1
 *       %5: f32[8] = mul %4 3.0:f32
 *       return %5
 *     }
 *
 * Two of the products are equal programs, so they are one kernel. The third has another literal,
 * which is 16 bytes further among the constants (its machine code is that of the others, since it
 * reads the literal there: native/cache.c). Each product reads an element only to compute the same
 * one, so step 2 leaves its result where its operand was:
 *
 *     the plan of f: 5 steps, 256 bytes of scratch memory
 *       kernel 0: mul
 *       kernel 1: mul
 *       0  kernel 0  in0, constant -> scratch+0  ..
 *       1  call sort  scratch+0 -> scratch+64, scratch+128  ..
 *       2  kernel 0  scratch+64, constant -> scratch+64  ..
 *       3  call sort  scratch+64 -> scratch+0, scratch+128  ..
 *       4  kernel 1  scratch+0, constant+16 -> out0  .. */
#include "engine/plan/plan.h"

/* ---- units */

typedef struct known { /* that a program is a unit */
	const program *program;
	int32_t unit;
} known;

static bool is_program(const void *entry, const void *p)
{
	return program_same(((const known *)entry)->program, p);
}

static int32_t find_unit(const schedule *s, const program *p)
{
	const known *k = table_find(&s->unit_of, p->hash, is_program, p);

	return k ? k->unit : -1;
}

int64_t literals_bytes(const kernel *k) { return k->nliterals * (int64_t)sizeof *k->literals; }

/* -1: failed */
static int32_t unit_add(schedule *s, arena *scratch, const program *p)
{
	known *entry = arena_alloc(s->arena, sizeof *entry);
	bool fits;
	double ns;

	if (!entry || !kernel_ns(s->target, scratch, p, &ns) ||
	    !mem_room(s->base, (void **)&s->unit, s->nunits, &s->unit_cap, sizeof *s->unit))
		return -1;
	*entry = (known){p, (int32_t)s->nunits};
	kernel *k = kernel_lower(p, &fits);
	if (!k) {
		if (!fits) str_printf(s->why, "%d equations are too much for one kernel", p->neqns);
		return -1;
	}
	place literals = NOWHERE;
	if (k->nliterals) literals = constant_place(s, k->literals, literals_bytes(k));
	if (k->nliterals && literals.root < 0) {
		kernel_free(k);
		return -1;
	}
	program_retain(p);
	s->unit[s->nunits++] = (unit){.program = p, .kernel = k, .literals = literals, .cost = ns};
	return table_add(&s->unit_of, p->hash, entry) ? entry->unit : -1;
}

bool unit_of(schedule *s, arena *a, const program *p, kernel_use *use)
{
	const program *own = program_at_origin(a, p, &use->begin);

	if (!own) return false;
	use->unit = find_unit(s, own);
	if (use->unit < 0) use->unit = unit_add(s, a, own);
	program_release(own);
	if (use->unit >= 0) use->kernel = s->unit[use->unit].kernel;
	return use->unit >= 0;
}

/* the program that is this equation */
static program *program_of(const program *p, const eqn *e)
{
	build *b = build_begin(p->ir, e->prim->name, p->axes, p->naxes);
	var *v = b ? var_room(b, e->nin + e->nout) : NULL;
	bool ok = v;

	for (int i = 0; ok && i < e->nin; i++) {
		const var_info *x = &p->vars[e->in[i].id];
		v[i] = x->literal ? build_literal_as(b, x->type, x->literal)
		                  : build_input(b, x->type);
		ok = v[i].id;
	}
	ok = ok && build_copy(b, e, p->naxes, v, v + e->nin, NULL);
	return remade(b, ok, v ? v + e->nin : v, e->nout);
}

bool unit_of_equation(schedule *s, arena *a, const program *p, const eqn *e, kernel_use *use)
{
	program *own = program_of(p, e);
	const bool found = own && unit_of(s, a, own, use);

	program_release(own);
	return found;
}

/* ---- in place */

/* The dims of size 1 left out, a load has the indices of the element that is computed. So has that
 * of f32[1,8], as %0[0, i], where f32[8] is computed: what a tsr_pmap reads of its block */
static bool loads_own_element(const kernel *k, const knode *load, const type *from, const type *to)
{
	int at = 0;

	for (int32_t d = 0; d < load->nargs; d++) {
		if (from->dims[d] == 1) continue;
		while (to->dims[at] == 1) at++;
		if (load->args[d].id != k->regions[++at].index[0].id) return false;
	}
	return true;
}

/* same elements in the same order, but for dims of size 1 */
static bool dims_alike(const type *a, const type *b)
{
	int i = 0, j = 0;

	for (;; i++, j++) {
		while (i < a->ndim && a->dims[i] == 1) i++;
		while (j < b->ndim && b->dims[j] == 1) j++;
		if (i == a->ndim || j == b->ndim) return i == a->ndim && j == b->ndim;
		if (a->dims[i] != b->dims[j]) return false;
	}
}

static bool is_loaded(const kernel *k, int input)
{
	for (int32_t id = 1; id < k->nnodes; id++) {
		const knode *n = &k->nodes[id];
		if (n->op == K_LOAD && n->bits == (uint64_t)input && n->number) return true;
	}
	return false;
}

/* what elements are put into is where they are put, if nothing reads it besides */
bool kernel_in_place(const kernel *k, int input, int result)
{
	const type *from = type_of(k->program, k->program->in[input]),
		   *to = k->results[result].type;

	if (k->held >= 0) return k->held == input && !is_loaded(k, input);
	if (!dims_alike(from, to) || to->ndim != k->ndim ||
	    tsr_dtype_size(from->dtype) != tsr_dtype_size(to->dtype))
		return false;
	for (int32_t id = 1; id < k->nnodes; id++) {
		const knode *n = &k->nodes[id];
		if (n->op != K_LOAD || n->bits != (uint64_t)input || !n->number) continue;
		if (!loads_own_element(k, n, from, to) || n->region != k->ndim) return false;
	}
	return true;
}
