/* text.c - a schedule as text that a person can follow: TSR_DEBUG=e.
 *
 * Example:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = neg %0
 *       %2: f32[4] = sort %1 dim=0 num_keys=1
 *       %3: f32[4] = mul %2 2.0:f32
 *       return %3
 *     }
 *
 * and its plan, for vectors of 32 bytes:
 *
 *     the plan of f: 3 steps, 192 bytes of scratch memory
 *       kernel 0: neg
 *       kernel 1: mul
 *       0  kernel 0  in0 -> scratch+0  0.006 us
 *       1  call sort  scratch+0 -> scratch+64, scratch+128  0.212 us
 *       2  kernel 1  scratch+64, constant -> out0  0.006 us
 *
 * Behind the arrow is what a step writes; the sort writes its result and memory of its own. The
 * constant is the list of kernel 1's literals, which is 2.0 (docs/kernel-text.md). Each line ends
 * with the estimated time of the step, the number of its items if it has several, what the engine
 * has made of it (engine/cpu/code.c has an example), and the line of the user's call. Where a step
 * may go on elsewhere, it says where. */
#include "engine/plan/plan.h"

static void put_place(str *s, const schedule *of, place at)
{
	const root *r = &of->root[at.root];

	switch (r->kind) {
	case ROOT_INPUT: str_printf(s, "in%d", r->index); break;
	case ROOT_OUTPUT: str_printf(s, "out%d", r->index); break;
	case ROOT_CONSTANTS: str_put(s, "constant"); break;
	case ROOT_SLICE:
		str_put(s, "slice of ");
		put_place(s, of, r->whole);
		break;
	case ROOT_SCRATCH: /* of a loop's body: a part of that around it */
		for (; r->whole.root >= 0; r = &of->root[r->whole.root])
			at.offset += r->whole.offset;
		str_put(s, "scratch");
		str_printf(s, "+%lld", (long long)at.offset);
		return;
	}
	if (at.offset) str_printf(s, "+%lld", (long long)at.offset);
}

static void put_args(str *s, const schedule *of, const step *x)
{
	for (int32_t i = 0; i < x->nargs; i++) {
		const bool first_result = i == x->nargs - x->nresults;
		str_put(s, first_result ? (i ? " -> " : "-> ") : i ? ", " : "");
		put_place(s, of, x->arg[i]);
	}
}

static void put_product(str *s, const matrix_product *p)
{
	str_printf(s, "product %lldx%lldx%lld %s", (long long)p->m, (long long)p->k,
	           (long long)p->n, tsr_dtype_name(p->dtype));
	if (p->from != p->dtype || p->to != p->dtype)
		str_printf(s, " of %s to %s", tsr_dtype_name(p->from), tsr_dtype_name(p->to));
	if (p->pairs) str_put(s, ", by pairs");
	if (p->batch > 1) str_printf(s, ", %lld times", (long long)p->batch);
	if (p->symmetric) str_printf(s, ", symmetric");
	if (p->phase) str_put(s, p->phase == PRODUCT_CHAINS ? ", its chains" : ", chains joined");
}

static void put_targets(str *s, const step *x)
{
	for (int32_t i = 0; i < x->ntargets; i++)
		str_printf(s, "%s%d", i ? ", " : "", (int)x->target[i]);
}

/* "begin 0  in0 to 1, scratch+0 from 1" */
static void put_transfer(str *s, const schedule *of, const step *x)
{
	const step_of_transfer *t = &x->transfer;

	str_printf(s, "%s %d ", x->kind == STEP_BEGIN ? "begin" : "end", (int)t->number);
	for (int i = 0; i < t->to.n + t->from.n; i++) {
		const bool sent = i < t->to.n;
		str_put(s, i ? ", " : " ");
		put_place(s, of, x->arg[i]);
		str_printf(s, sent ? " to %lld" : " from %lld",
		           (long long)(sent ? t->to.v[i] : t->from.v[i - t->to.n]));
	}
}

static void put_jump(str *s, const schedule *of, const step *x)
{
	switch (x->kind) {
	case STEP_SWITCH:
		str_put(s, "by ");
		put_place(s, of, x->arg[0]);
		str_put(s, " to ");
		put_targets(s, x);
		break;
	case STEP_HOST:
		str_printf(s, "host %s  ", x->call.eqn->prim->name);
		put_args(s, of, x);
		break;
	case STEP_BEGIN:
	case STEP_END: put_transfer(s, of, x); break;
	case STEP_GO: str_printf(s, "to %d", (int)x->target[0]); break;
	case STEP_LOOP:
		str_printf(s, "loop %d, %lld times, ends at %d", (int)x->count.counter,
		           (long long)x->count.length, (int)x->target[0]);
		break;
	case STEP_SLICES: str_printf(s, "next slices of loop %d", (int)x->slices.counter); break;
	case STEP_NEXT:
		str_printf(s, "loop %d again from %d", (int)x->count.counter, (int)x->target[0]);
		break;
	default: str_printf(s, "all up to %d", (int)x->target[0]);
	}
}

static void put_work(str *s, const schedule *of, const step *x)
{
	switch (x->kind) {
	case STEP_KERNEL: str_printf(s, "kernel %d", (int)x->unit); break;
	case STEP_COPY:
		str_printf(s, "copy %lld bytes", (long long)(x->copy.rows * x->copy.row));
		break;
	case STEP_PRODUCT: put_product(s, x->product); break;
	case STEP_CALL:
		str_printf(s, "%s %s", x->call.library ? "library" : "call",
		           x->call.eqn->prim->name);
		if (x->call.phase) str_printf(s, ", phase %lld", (long long)x->call.phase);
		break;
	default: str_put(s, "update");
	}
	str_put(s, "  ");
	put_args(s, of, x);
	if (x->cost < 1e6)
		str_printf(s, "  %.3g us", x->cost / 1000);
	else
		str_printf(s, "  %.3g ms", x->cost / 1e6);
	if (x->items > 1) str_printf(s, ", %lld items", (long long)x->items);
}

static void put_units(str *s, const schedule *of)
{
	for (size_t i = 0; i < of->nunits; i++) {
		const program *p = of->unit[i].program;
		str_printf(s, "  kernel %zu:", i);
		for (int k = 0; k < p->neqns; k++) str_printf(s, " %s", p->eqns[k].prim->name);
		str_put(s, "\n");
	}
}

/* ---- a step of a profile */

static double operations_of(const program *p)
{
	double all = 0;

	for (int i = 0; i < p->neqns; i++) all += eqn_operations(p, &p->eqns[i]);
	return all;
}

void step_describe(const profile_note *n, str *name, profile_facts *facts)
{
	const step *x = n->of;
	const schedule *s = n->in;
	const matrix_product *m = x->product;

	for (int32_t i = 0; x->bytes && i < x->nargs; i++) facts->bytes += (double)x->bytes[i];
	switch (x->kind) {
	case STEP_KERNEL: {
		const program *p = s->unit[x->unit].program;
		for (int k = 0; k < p->neqns; k++)
			str_printf(name, "%s%s", k ? " " : "", p->eqns[k].prim->name);
		facts->operations = operations_of(p);
		break;
	}
	case STEP_COPY: str_put(name, "copy"); break;
	case STEP_PRODUCT:
		str_put(name, "dot_general");
		facts->operations =
			2 * (double)m->batch * (double)m->m * (double)m->n * (double)m->k;
		break;
	case STEP_CALL: str_put(name, x->call.eqn->prim->name); break;
	default: str_put(name, "update");
	}
	facts->bytes *= n->share;
	facts->operations *= n->share;
}

/* ---- what is called */

static const eqn *called(const step *x)
{
	return x->kind == STEP_CALL && !x->call.library && !x->call.phase ? x->call.eqn : NULL;
}

void schedule_calls(str *s, const schedule *of)
{
	for (size_t i = 0; i < of->nsteps; i++) {
		const step *x = &of->step[i];
		const eqn *e = called(x);
		if (!e) continue;
		if (!s->len)
			str_printf(s, "what %s calls of the interpreter's code:\n",
			           of->program->name ? of->program->name : "a program");
		str_printf(s, "  %s", e->prim->name);
		if (e->nin) str_put(s, " of ");
		if (e->nin) type_print(s, x->call.in[0], NULL, 0);
		str_printf(s, ": %s%s%s\n", why_called(e), x->where ? "  " : "",
		           x->where ? x->where : "");
	}
}

const eqn *schedule_call_unlisted(const schedule *s)
{
	for (size_t i = 0; i < s->nsteps; i++) {
		const eqn *e = called(&s->step[i]);
		if (e && !(e->prim->flags & PRIM_CALLED)) return e;
	}
	return NULL;
}

void schedule_text(str *s, const schedule *of,
                   void (*remark)(str *, const step *, const void *user), const void *user)
{
	str_printf(s, "the plan of %s: %zu steps, %lld bytes of scratch memory\n",
	           of->program->name ? of->program->name : "a program", of->nsteps,
	           (long long)of->scratch);
	put_units(s, of);
	for (size_t i = 0; i < of->nsteps; i++) {
		const step *x = &of->step[i];
		str_printf(s, "  %zu  ", i);
		if (step_computes(x))
			put_work(s, of, x);
		else
			put_jump(s, of, x);
		remark(s, x, user);
		str_printf(s, "%s%s\n", x->where ? "  " : "", x->where ? x->where : "");
	}
}
