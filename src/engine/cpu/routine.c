/* routine.c - loops of small work as one piece of machine code.
 *
 * Each step of the table costs some nanoseconds, and so does memory. A loop that runs often with
 * little work in each step therefore becomes a routine, which keeps small values in registers.
 * Where no routine can be made, the table is walked as usual.
 *
 * Example:
 *
 *     f(%0: f32[], %1: f32[1000]) -> f32[], f32[1000] {
 *       %2: f32[], %3: f32[1000] = scan %0 %1 length=1000 consts=0 carry=1 unroll=1
 *         body=step(%0: f32[], %1: f32[]) -> f32[], f32[] {
 *         %2: f32[] = add %0 %1
 *         %3: f32[] = sin %2
 *         return %2 %3
 *       }
 *       return %2 %3
 *     }
 *
 * Steps 1 to 5 become one function:
 *
 *     the plan of f: 6 steps, 64 bytes of scratch memory
 *       kernel 0: add sin
 *       0  all up to 6, one routine
 *       1  copy 4 bytes  in0 -> out0  ..
 *       2  loop 0, 1000 times, ends at 6
 *       3  next slices of loop 0
 *       4  kernel 0  out0, slice of in1 -> slice of out1, out0  ..
 *       5  loop 0 again from 3
 *
 * Nothing else overlaps out0, and it is small, so it is in a register until the end. The slices are
 * parts of large memory, which is written as the loop goes:
 *
 *     step 1         sum = *in0
 *     2, 3, 5        for (i = 0; i < 1000; i++)
 *     4                  sum += in1[i], out1[i] = sin(sum)
 *                    *out0 = sum */
#include "engine/cpu/cpu.h"

typedef struct section { /* steps first .. end - 1 of the table */
	const schedule *s;
	arena *arena;
	int32_t first, end;
	native_step *step;
	int32_t *place; /* by step of the table from first on: the first step of the routine for
	                 it */
	int nsteps;
	const kernel **kernel;
	int nkernels;
	native_local local[TUNE_ROUTINE_LOCALS];
	int nlocals;
} section;

/* ---- which loops */

static bool is_small(const step *x)
{
	switch (x->kind) {
	case STEP_KERNEL: return x->cost < TUNE_ROUTINE_STEP;
	case STEP_SLICES: return x->slices.times == 1;
	case STEP_COPY: return x->copy.rows == 1 && x->copy.row <= TUNE_REGISTER_BYTES;
	case STEP_PRODUCT:
	case STEP_CALL:
	case STEP_UPDATE:
	case STEP_BEGIN:
	case STEP_END:
	case STEP_HOST: return false;
	default: return true;
	}
}

/* is it a loop that runs often, with small work only? */
static bool is_worth_it(const schedule *s, int32_t first, int32_t end)
{
	bool often = false;
	int32_t nargs = 0;

	if (end - first > TUNE_ROUTINE_STEPS) return false;
	for (int32_t i = first; i < end; i++) {
		const step *x = &s->step[i];
		nargs += x->nargs;
		if (!is_small(x) || x->made || nargs > TUNE_ROUTINE_ARGS) return false;
		often = often || (x->kind == STEP_NEXT && x->count.length >= TUNE_ROUTINE_TURNS) ||
		        (x->kind == STEP_GO && x->target[0] < i);
	}
	return often;
}

/* ---- memory that may be kept in registers */

/* Inputs are only read, and an output that has the memory of one is written when all reads of it
 * are over. If such an output is in a register, its memory is the input still */
static bool is_of_input(const schedule *s, place at)
{
	const root *r = &s->root[at.root];

	while (r->kind == ROOT_SLICE) r = &s->root[r->whole.root];
	return r->kind == ROOT_INPUT;
}

/* Does nothing else that the section uses overlap the value at this place, and is that small?
 * *bytes becomes the size of the largest value there */
static bool stands_apart(const section *r, place at, int64_t *bytes)
{
	for (int32_t i = r->first; i < r->end; i++) {
		const step *x = &r->s->step[i];
		for (int32_t j = 0; j < x->nargs; j++)
			if (same_place(x->arg[j], at) && x->bytes[j] > *bytes) *bytes = x->bytes[j];
	}
	for (int32_t i = r->first; i < r->end; i++) {
		const step *x = &r->s->step[i];
		for (int32_t j = 0; j < x->nargs; j++)
			if (!same_place(x->arg[j], at) && !is_of_input(r->s, x->arg[j]) &&
			    spans_overlap(r->s, at, *bytes, x->arg[j], x->bytes[j]))
				return false;
	}
	return *bytes <= TUNE_REGISTER_BYTES;
}

static bool is_local(const section *r, place at)
{
	for (int i = 0; i < r->nlocals; i++)
		if (r->local[i].at.root == at.root && r->local[i].at.offset == at.offset)
			return true;
	return false;
}

static void find_locals(section *r)
{
	for (int32_t i = r->first; i < r->end; i++) {
		const step *x = &r->s->step[i];
		for (int32_t j = 0; j < x->nargs && r->nlocals < TUNE_ROUTINE_LOCALS; j++) {
			const place at = x->arg[j];
			int64_t bytes = x->bytes[j];
			const root_kind kind = r->s->root[at.root].kind;
			if ((kind == ROOT_SCRATCH || kind == ROOT_OUTPUT ||
			     kind == ROOT_CONSTANTS) &&
			    bytes && !is_local(r, at) && stands_apart(r, at, &bytes))
				r->local[r->nlocals++] = (native_local){
					{at.root, at.offset}, bytes, kind != ROOT_CONSTANTS};
		}
	}
}

/* ---- steps */

static const native_place *native_args(const section *r, const step *x)
{
	native_place *arg = arena_array(r->arena, (size_t)x->nargs + 1, sizeof *arg);

	for (int32_t i = 0; arg && i < x->nargs; i++)
		arg[i] = (native_place){x->arg[i].root, x->arg[i].offset};
	return arg;
}

static int kernel_number(section *r, const kernel *k)
{
	int i = 0;

	while (i < r->nkernels && r->kernel[i] != k) i++;
	if (i == r->nkernels) r->kernel[r->nkernels++] = k;
	return i;
}

/* a step of the table that moves n slices becomes n steps of the routine */
static bool add_moves(section *r, const step_of_slices *x)
{
	for (int32_t i = 0; i < x->n; i++) {
		const place whole = r->s->root[x->v[i].root].whole;
		native_place *arg = arena_alloc(r->arena, sizeof *arg);
		if (!arg) return false;
		*arg = (native_place){whole.root, whole.offset};
		r->step[r->nsteps++] = (native_step){.op = NATIVE_MOVE,
		                                     .reverse = x->reverse,
		                                     .of = x->v[i].root,
		                                     .counter = x->counter,
		                                     .nargs = 1,
		                                     .arg = arg,
		                                     .length = x->length,
		                                     .stride = x->v[i].stride};
	}
	return true;
}

/* what is only of its kind */
static void set_kind(section *r, native_step *to, const step *x)
{
	static const native_op ops[] = {[STEP_KERNEL] = NATIVE_KERNEL, [STEP_COPY] = NATIVE_COPY,
	                                [STEP_SWITCH] = NATIVE_SWITCH, [STEP_GO] = NATIVE_GO,
	                                [STEP_LOOP] = NATIVE_BEGIN,    [STEP_NEXT] = NATIVE_NEXT};

	to->op = ops[x->kind];
	switch (x->kind) {
	case STEP_KERNEL: to->of = kernel_number(r, r->s->unit[x->unit].kernel); break;
	case STEP_COPY: to->bytes = x->copy.row; break;
	case STEP_SWITCH: to->predicate = x->predicate; break;
	case STEP_LOOP:
	case STEP_NEXT:
		to->of = x->count.counter;
		to->length = x->count.length;
		break;
	default: break;
	}
}

static bool add_native(section *r, const step *x)
{
	if (x->kind == STEP_WHOLE) return true;
	if (x->kind == STEP_SLICES) return add_moves(r, &x->slices);
	native_step *to = &r->step[r->nsteps++];
	*to = (native_step){.nargs = x->nargs,
	                    .ntargets = x->ntargets,
	                    .arg = native_args(r, x),
	                    .target = x->target}; /* steps of the table; find_targets puts steps of
						     the routine */
	set_kind(r, to, x);
	return to->arg;
}

static bool find_targets(const section *r)
{
	for (int i = 0; i < r->nsteps; i++) {
		native_step *x = &r->step[i];
		int32_t *target = arena_array(r->arena, (size_t)x->ntargets + 1, sizeof *target);
		if (!target) return false;
		for (int32_t j = 0; j < x->ntargets; j++) {
			if (x->target[j] < r->first || x->target[j] > r->end) return false;
			target[j] = r->place[x->target[j] - r->first];
		}
		x->target = target;
	}
	return true;
}

static size_t moves_of(const step *x)
{
	return x->kind == STEP_SLICES ? (size_t)x->slices.n : 0;
}

static bool write_steps(section *r)
{
	size_t most = (size_t)(r->end - r->first) + 1;

	for (int32_t i = r->first; i < r->end; i++) most += moves_of(&r->s->step[i]);
	r->step = arena_array(r->arena, most, sizeof *r->step);
	r->kernel = arena_array(r->arena, most, sizeof *r->kernel);
	r->place = arena_array(r->arena, (size_t)(r->end - r->first) + 1, sizeof *r->place);
	if (!r->step || !r->kernel || !r->place) return false;
	for (int32_t i = r->first; i < r->end; i++) {
		r->place[i - r->first] = r->nsteps;
		if (!add_native(r, &r->s->step[i])) return false;
	}
	r->place[r->end - r->first] = r->nsteps;
	return find_targets(r);
}

static bool compile_section(section *r, coded *c, native_code *code)
{
	const schedule *s = r->s;
	char text[256];

	if (!write_steps(r)) return false;
	find_locals(r);
	const native_routine routine = {.nsteps = r->nsteps,
	                                .nkernels = r->nkernels,
	                                .nlocals = r->nlocals,
	                                .nroots = (int)s->nroots,
	                                .ncounters = s->ncounters,
	                                .step = r->step,
	                                .kernel = r->kernel,
	                                .local = r->local};
	if (!c->native->compile_routine(c->machine, &routine, code, text, sizeof text))
		*code = (native_code){0};
	return true;
}

/* the loop that a step begins, if it is worth it and can be made. false: no memory */
static bool make_routine(coded *c, step *x, int32_t first)
{
	section r = {.s = c->plan,
	             .arena = arena_make(c->base),
	             .first = first,
	             .end = x->target[0]};
	native_code code = {0};
	const bool ok = r.arena && compile_section(&r, c, &code);

	arena_free(r.arena);
	if (!code.run) return ok;
	c->routine[c->nroutines++] = code;
	x->made = c->nroutines;
	return ok;
}

bool code_routines(coded *c)
{
	schedule *s = c->plan;
	bool ok = true;

	routines_release(c);
	for (int32_t i = 0; ok && i < (int32_t)s->nsteps; i++) {
		step *x = &s->step[i];
		if (x->kind != STEP_WHOLE || !is_worth_it(s, i + 1, x->target[0])) continue;
		ok = mem_room(c->base, (void **)&c->routine, (size_t)c->nroutines, &c->routine_cap,
		              sizeof *c->routine) &&
		     make_routine(c, x, i + 1);
		i = x->target[0] - 1;
	}
	return ok;
}

void routines_release(coded *c)
{
	while (c->nroutines) c->native->release_routine(c->machine, &c->routine[--c->nroutines]);
}
