/* loops.c - loops as jumps.
 *
 * The carry of a loop is kept where the results of the loop are, and the body writes it there. A
 * body that still needs the old carry when it writes the new one must write elsewhere and copy
 * afterwards. Where that is many bytes, two copies of the body take turns instead: the first reads
 * the carry here and writes it there, the second reads it there and writes it here. Slices are
 * roots that move from step to step.
 *
 * Example:
 *
 *     f(%0: f32[2000]) -> f32[2000] {
 *       %1: f32[2000] = scan %0 length=5 consts=0 carry=1 unroll=1
 *         body=turn(%0: f32[2000]) -> f32[2000] {
 *         %1: f32[2000] = rev %0 dims=[0]
 *         %2: f32[2000] = sub %0 %1
 *         return %2
 *       }
 *       return %1
 *     }
 *
 * The first element of the difference needs the last one of the carry, and the other way round, so
 * it cannot be written where the carry is:
 *
 *     the plan of f: 11 steps, 8192 bytes of scratch memory
 *       kernel 0: rev sub
 *       0  all up to 11
 *       1  copy 8000 bytes  in0 -> out0  ..
 *       2  loop 0, 2 times, ends at 8
 *       3  next slices of loop 0
 *       4  kernel 0  out0 -> scratch+0  ..
 *       5  next slices of loop 0
 *       6  kernel 0  scratch+0 -> out0  ..
 *       7  loop 0 again from 3
 *       8  next slices of loop 0
 *       9  kernel 0  out0 -> scratch+0  ..
 *       10  copy 8000 bytes  scratch+0 -> out0  ..
 *
 * The carry goes to and fro, c0 to c5. Five is odd, so one more body follows the loop, and the
 * carry that it leaves there is copied back:
 *
 *     here: out0            c0      c2      c4      c5
 *                             \    /  \    /  \    /
 *     there: scratch+0          c1      c3      c5 */
#include "engine/plan/plan.h"

typedef struct loop_plan {
	level *l;
	const eqn *e;
	const program *body;
	int n, carry; /* values that are carried, and the first input of the body that is one */
	place *in;
	wanted *want;
	int32_t number;      /* among the loops of the schedule, from 1 on */
	place *here, *there; /* the carry, and where every second body leaves it */
} loop_plan;

/* what input i of program `which` is */
static edge_kind kind_inside(const eqn *e, int which, int i)
{
	return operand_role(e, edge_operand(e, which, i)).of->kind;
}

/* the inputs of a program that are the same at every step get their places; returns the first one
 * that is carried. The carried ones are adjacent, as are the results that they become */
static int place_same(const level *l, const eqn *e, int which, const program *p, place *in)
{
	int carry = p->nin;

	for (int i = p->nin - 1; i >= 0; i--) {
		const edge_kind kind = kind_inside(e, which, i);
		if (kind == EDGE_SAME) in[i] = level_place(l, e->in[edge_operand(e, which, i)]);
		if (kind == EDGE_CARRY) carry = i;
	}
	return carry;
}

static bool loop_init(loop_plan *x, level *l, const eqn *e, int which, const program *body)
{
	int n = 0;

	while (n < e->nout && edge_back(e, n) >= 0) n++;
	*x = (loop_plan){.number = ++l->s->nloops, .l = l, .e = e, .body = body, .n = n};
	x->in = arena_array(l->arena, (size_t)body->nin + 1, sizeof *x->in);
	x->want = arena_array(l->arena, (size_t)body->nout + 1, sizeof *x->want);
	x->here = arena_array(l->arena, (size_t)n + 1, sizeof *x->here);
	x->there = arena_array(l->arena, (size_t)n + 1, sizeof *x->there);
	if (!x->in || !x->want || !x->here || !x->there) return false;
	x->carry = place_same(l, e, which, body, x->in);
	for (int i = 0; i < n; i++) x->here[i] = x->there[i] = level_place(l, e->out[i]);
	return true;
}

static int64_t carry_bytes(const loop_plan *x, int i)
{
	return value_bytes(type_of(x->l->p, x->e->out[i]));
}

/* copies the operands that the first step takes to where the carry is kept */
static bool begin_carry(const loop_plan *x)
{
	const level *l = x->l;

	for (int i = 0; i < x->n; i++)
		if (!step_copy(l->s, x->e, level_place(l, x->e->in[edge_back(x->e, i)]), x->here[i],
		               carry_bytes(x, i)))
			return false;
	l->s->nwaves++;
	return true;
}

/* the steps of the body, which reads the carry at `from` and writes it to `to`, maybe the same */
static bool take_turn(const loop_plan *x, const place *from, const place *to)
{
	for (int i = 0; i < x->n; i++) {
		const bool stays = same_place(from[i], to[i]);
		x->in[x->carry + i] = from[i];
		x->want[i] = (wanted){to[i], stays ? x->carry + i : -1, 0};
	}
	return schedule_program(x->l->s, x->l, x->body, x->in, x->want);
}

static bool bring_back(const loop_plan *x)
{
	for (int i = 0; i < x->n; i++)
		if (!step_copy(x->l->s, x->e, x->there[i], x->here[i], carry_bytes(x, i)))
			return false;
	x->l->s->nwaves++;
	return true;
}

static bool find_there(const loop_plan *x)
{
	for (int i = 0; i < x->n; i++) {
		if (!x->want[i].moved) continue;
		x->there[i] = (place){x->l->root, level_borrow(x->l, carry_bytes(x, i))};
		if (x->there[i].offset < 0) return false;
	}
	return true;
}

/* The steps of a body that writes the carry in place are made first; if they copy too much, they
 * are taken back */
typedef struct steps_until {
	size_t steps, roots;
} steps_until;

static steps_until steps_until_now(const schedule *s)
{
	return (steps_until){s->nsteps, s->nroots};
}

/* Not with loops inside, at any depth: turns double the body and the test of a while, so a nest of
 * loops would grow as 2^depth */
static bool should_take_turns(const loop_plan *x)
{
	int64_t moved = 0;

	if (x->l->s->nloops > x->number) return false;
	for (int i = 0; i < x->n; i++) moved += x->want[i].moved;
	return moved >= (x->l->s->all_large ? 1 : TUNE_CARRY_MOVED);
}

static bool forget_since(const loop_plan *x, steps_until m)
{
	x->l->s->nsteps = m.steps;
	x->l->s->nroots = m.roots;
	return find_there(x);
}

/* ---- while */

/* the steps that test whether a loop goes on, with its carry at these places. Returns the two
 * targets of the jump: to where the loop ends, and to where it goes on */
static int32_t *test(const loop_plan *x, const while_params *w, const place *carry, place go_on)
{
	place *in = arena_array(x->l->arena, (size_t)w->cond->nin + 1, sizeof *in);

	if (!in) return NULL;
	const int first = place_same(x->l, x->e, WHILE_COND, w->cond, in);
	memcpy(in + first, carry, (size_t)x->n * sizeof *in);
	if (!schedule_program(x->l->s, x->l, w->cond, in, &(wanted){go_on, -1, 0})) return NULL;
	int32_t *target = step_switch(x->l->s, x->e, go_on, true, 2);
	if (target) target[1] = next_step(x->l->s);
	return target;
}

static bool go_back(const loop_plan *x, int32_t top)
{
	int32_t *back = step_jump(x->l->s, STEP_GO, x->e, 1);

	if (back) *back = top;
	return back;
}

bool schedule_while(level *l, const eqn *e)
{
	schedule *s = l->s;
	const while_params *w = e->params;
	const place go_on = {l->root, level_borrow(l, 1)};
	loop_plan x;

	if (go_on.offset < 0 || !loop_init(&x, l, e, WHILE_BODY, w->body) || !begin_carry(&x))
		return false;
	const int32_t top = next_step(s);
	int32_t *first = test(&x, w, x.here, go_on), *second = NULL;
	const steps_until before = steps_until_now(s);
	if (!first || !take_turn(&x, x.here, x.here)) return false;
	const bool turns = should_take_turns(&x);
	if (turns && (!forget_since(&x, before) || !take_turn(&x, x.here, x.there) ||
	              !(second = test(&x, w, x.there, go_on)) || !take_turn(&x, x.there, x.here)))
		return false;
	if (!go_back(&x, top)) return false;
	if (turns) second[0] = next_step(s);
	if (turns && !bring_back(&x)) return false;
	first[0] = next_step(s);
	int32_t *end = step_jump(s, STEP_GO, e, 1); /* all have read go_on before it is used anew */
	if (end) *end = next_step(s);
	return end;
}

/* ---- scan */

typedef struct slices {
	int n;
	slice *v;
} slices;

/* the slices of one of the xs or ys: a root that moves through the whole */
static place slice_place(const loop_plan *x, var whole, slices *to)
{
	const int64_t length = ((const scan_params *)x->e->params)->length;
	const int64_t bytes = value_bytes(type_of(x->l->p, whole));
	slice *y = &to->v[to->n++];

	*y = (slice){root_add(x->l->s, (root){.kind = ROOT_SLICE,
	                                      .whole = level_place(x->l, whole),
	                                      .bytes = bytes}),
	             length ? bytes / length : 0};
	return (place){y->root, 0};
}

static bool find_slices(loop_plan *x, slices *to)
{
	to->n = 0;
	to->v = arena_array(x->l->s->arena, (size_t)(x->e->nin + x->e->nout) + 1, sizeof *to->v);
	if (!to->v) return false;
	for (int i = 0; i < x->body->nin; i++) {
		if (kind_inside(x->e, 0, i) != EDGE_SLICE) continue;
		x->in[i] = slice_place(x, x->e->in[edge_operand(x->e, 0, i)], to);
		if (x->in[i].root < 0) return false;
	}
	for (int i = x->n; i < x->e->nout; i++) {
		x->want[i] = (wanted){slice_place(x, x->e->out[i], to), -1, 0};
		if (x->want[i].at.root < 0) return false;
	}
	return true;
}

/* moves all slices to number times * counter + plus */
static bool move_slices(const loop_plan *x, const slices *to, int32_t counter, int64_t times,
                        int64_t plus)
{
	const scan_params *p = x->e->params;

	if (!step_jump(x->l->s, STEP_SLICES, x->e, 0)) return false;
	last_step(x->l->s)->slices = (step_of_slices){.counter = counter,
	                                              .n = to->n,
	                                              .reverse = p->reverse,
	                                              .times = times,
	                                              .plus = plus,
	                                              .length = p->length,
	                                              .v = to->v};
	return true;
}

/* a jump that depends on the counter of a loop of `length` steps */
static int32_t *count(const loop_plan *x, step_kind kind, int32_t counter, int64_t length)
{
	int32_t *target = step_jump(x->l->s, kind, x->e, 1);

	if (!target) return NULL;
	last_step(x->l->s)->count = (step_of_count){counter, length};
	return target;
}

/* one body, which writes the carry where it is */
static bool scan_in_place(const loop_plan *x, const slices *to, int32_t counter)
{
	const int64_t length = ((const scan_params *)x->e->params)->length;
	int32_t *end = count(x, STEP_LOOP, counter, length), *back;
	const int32_t top = next_step(x->l->s);

	if (!end || !move_slices(x, to, counter, 1, 0) || !take_turn(x, x->here, x->here) ||
	    !(back = count(x, STEP_NEXT, counter, length)))
		return false;
	*back = top;
	*end = next_step(x->l->s);
	return true;
}

/* half as many steps, of two bodies each, and one more body if the length is odd */
static bool scan_in_turns(const loop_plan *x, const slices *to, int32_t counter)
{
	const int64_t length = ((const scan_params *)x->e->params)->length;
	int32_t *end = count(x, STEP_LOOP, counter, length / 2), *back;
	const int32_t top = next_step(x->l->s);

	if (!end || !move_slices(x, to, counter, 2, 0) || !take_turn(x, x->here, x->there) ||
	    !move_slices(x, to, counter, 2, 1) || !take_turn(x, x->there, x->here) ||
	    !(back = count(x, STEP_NEXT, counter, length / 2)))
		return false;
	*back = top;
	*end = next_step(x->l->s);
	return length % 2 == 0 || (move_slices(x, to, counter, 0, length - 1) &&
	                           take_turn(x, x->here, x->there) && bring_back(x));
}

bool schedule_scan(level *l, const eqn *e)
{
	schedule *s = l->s;
	const scan_params *p = e->params;
	const int32_t counter = s->ncounters++;
	slices to;
	loop_plan x;

	if (!loop_init(&x, l, e, 0, p->body) || !begin_carry(&x) || !find_slices(&x, &to))
		return false;
	const steps_until before = steps_until_now(s);
	if (!scan_in_place(&x, &to, counter)) return false;
	if (!should_take_turns(&x)) return true;
	return forget_since(&x, before) && scan_in_turns(&x, &to, counter);
}
