/* schedule.c - from a fused program to the table of steps.
 *
 * Equations are taken wave by wave: those of a wave do not depend on each other, so workers can
 * share its steps. Memory is planned as the waves go by (values.c), so nothing that one step of a
 * wave writes is read or written by another one.
 *
 * Example:
 *
 *     f(%0: f32[4096]) -> f32[4096] {
 *       %1: f32[4096] = sin %0
 *       %2: f32[4096] = cumsum %1 dim=0 reverse=false
 *       %3: f32[4096] = cumsum %1 dim=0 reverse=true
 *       %4: f32[4096] = cumsum %2 dim=0 reverse=false
 *       %5: f32[4096] = cumsum %3 dim=0 reverse=false
 *       %6: f32[4096] = add %4 %5
 *       return %6
 *     }
 *
 * The waves are step 0, steps 1 and 2, steps 3 and 4, and step 5. Step 4 does not write where step
 * 3 still reads, since both may be under way at a time; the memory of %1, at scratch+0, is free by
 * then:
 *
 *     the plan of f: 6 steps, 65536 bytes of scratch memory
 *       kernel 0: sin
 *       kernel 1: add
 *       0  kernel 0  in0 -> scratch+0  ..
 *       1  call cumsum  scratch+0 -> scratch+16384  ..
 *       2  call cumsum  scratch+0 -> scratch+32768  ..
 *       3  call cumsum  scratch+16384 -> scratch+0  ..
 *       4  call cumsum  scratch+32768 -> scratch+49152  ..
 *       5  kernel 1  scratch+0, scratch+49152 -> out0  .. */
#include "engine/plan/plan.h"

/* ---- the table */

step *add_step(schedule *s, step_kind kind, const eqn *e)
{
	if (!mem_room(s->base, (void **)&s->step, s->nsteps, &s->step_cap, sizeof *s->step))
		return NULL;
	step *to = &s->step[s->nsteps++];
	*to = (step){.kind = kind, .wave = s->nwaves, .items = 1};
	if (e) to->where = e->where;
	if (e) to->number = e->number;
	return to;
}

int32_t root_add(schedule *s, root r)
{
	if (!mem_room(s->base, (void **)&s->root, s->nroots, &s->root_cap, sizeof *s->root))
		return -1;
	s->root[s->nroots] = r;
	return (int32_t)s->nroots++;
}

place constant_place(schedule *s, const void *value, int64_t bytes)
{
	enum { EACH = 16, FIRST = 256 };
	const size_t room = ((size_t)bytes + EACH - 1) / EACH * EACH;

	if (s->nconstants + room > s->constants_cap) {
		const size_t cap = 2 * s->constants_cap + room + FIRST;
		char *larger = mem_grow(s->base, s->constants, cap);
		if (!larger) return NOWHERE;
		s->constants = larger;
		s->constants_cap = cap;
	}
	memset(s->constants + s->nconstants, 0, room);
	memcpy(s->constants + s->nconstants, value, (size_t)bytes);
	s->nconstants += room;
	return (place){s->constants_root, (int64_t)(s->nconstants - room)};
}

static bool step_args(schedule *s, step *to, const place *arg, const int64_t *bytes, int n,
                      int nresults)
{
	to->nargs = n;
	to->nresults = nresults;
	to->arg = arena_copy(s->arena, arg, (size_t)n * sizeof *arg);
	to->bytes = arena_copy(s->arena, bytes, (size_t)n * sizeof *bytes);
	return to->arg && to->bytes;
}

/* rows of `row` bytes, or one range */
static bool copy_rows(schedule *s, const eqn *e, place from, place to, int64_t rows, int64_t row,
                      int64_t from_stride, int64_t to_stride)
{
	step *x = rows && row ? add_step(s, STEP_COPY, e) : NULL;

	if (!rows || !row) return true;
	if (!x) return false;
	if (row == from_stride && row == to_stride) {
		row *= rows;
		rows = 1;
	}
	x->copy = (step_of_copy){rows, row, from_stride, to_stride, TUNE_COPY_PIECE};
	x->items = rows == 1 ? (row + TUNE_COPY_PIECE - 1) / TUNE_COPY_PIECE : rows;
	x->cost = copy_ns(s->target, rows * row);
	return step_args(s, x, (place[]){from, to},
	                 (int64_t[]){(rows - 1) * from_stride + row, (rows - 1) * to_stride + row},
	                 2, 1);
}

bool step_copy(schedule *s, const eqn *e, place from, place to, int64_t bytes)
{
	if (from.root == to.root && from.offset == to.offset) return true;
	return copy_rows(s, e, from, to, 1, bytes, bytes, bytes);
}

/* ---- equations */

bool is_called(const eqn *e)
{
	const bool local = e->prim->eval && !(e->prim->flags & PRIM_COLLECTIVE);

	return e->prim->host || (local && !e->prim->lower);
}

/* operands and results of an equation as the args of the step made last; use: as the kernel that
 * computes it wants them, NULL: it is no kernel */
static bool equation_args(const level *l, const eqn *e, const kernel_use *use)
{
	step *to = &l->s->step[l->s->nsteps - 1];
	const int literals = use && use->kernel->nliterals, n = e->nin + literals + e->nout;
	place *arg = arena_array(l->s->arena, (size_t)n + 1, sizeof *arg);
	int64_t *bytes = arena_array(l->s->arena, (size_t)n + 1, sizeof *bytes);

	if (!arg || !bytes) return false;
	for (int i = 0; i < e->nin; i++) {
		const int64_t begin = use ? use->begin[i] : 0;
		arg[i] = level_place(l, e->in[i]);
		arg[i].offset += begin;
		bytes[i] = value_bytes(type_of(l->p, e->in[i])) - begin;
	}
	if (literals) {
		arg[e->nin] = l->s->unit[use->unit].literals;
		bytes[e->nin] = literals_bytes(use->kernel);
	}
	for (int i = 0; i < e->nout; i++) {
		arg[e->nin + literals + i] = level_place(l, e->out[i]);
		bytes[e->nin + literals + i] = value_bytes(type_of(l->p, e->out[i]));
	}
	to->nargs = n;
	to->nresults = e->nout;
	to->arg = arg;
	to->bytes = bytes;
	return true;
}

/* the equation on what its kernel has as inputs: literals are inside */
static bool without_literals(const level *l, const eqn *e, eqn *out)
{
	var *in = arena_array(l->arena, (size_t)e->nin + 1, sizeof *in);

	if (!in) return false;
	*out = *e;
	out->in = in;
	out->nin = 0;
	for (int i = 0; i < e->nin; i++)
		if (!l->p->vars[e->in[i].id].literal) in[out->nin++] = e->in[i];
	return true;
}

static bool schedule_kernel(level *l, const eqn *given)
{
	schedule *s = l->s;
	const bool call = given->prim == &tsr__prim_call;
	eqn own = *given;
	const eqn *e = &own;
	kernel_use use;

	if (!(call ? unit_of(s, l->arena, ((const call_params *)given->params)->program, &use)
	           : unit_of_equation(s, l->arena, l->p, given, &use)) ||
	    (!call && !without_literals(l, given, &own)) || !level_place_results(l, e, use.kernel))
		return false;
	step *x = add_step(s, STEP_KERNEL, e);
	if (!x) return false;
	x->unit = use.unit;
	x->cost = s->unit[use.unit].cost;
	return equation_args(l, e, &use);
}

/* operands that are not made in place are copied into it */
static bool schedule_concatenate(level *l, const eqn *e)
{
	const type *out = type_of(l->p, e->out[0]);
	const int64_t size = (int64_t)tsr_dtype_size(out->dtype);
	const int64_t dim = ((const dim_params *)e->params)->dim;
	int64_t rows = 1, inner = size, at = 0;

	if (!level_place_results(l, e, NULL)) return false;
	for (int d = 0; d < out->ndim; d++)
		if (d < dim)
			rows *= out->dims[d];
		else if (d > dim)
			inner *= out->dims[d];
	const place whole = level_place(l, e->out[0]);
	for (int i = 0; i < e->nin; i++) {
		const int64_t row = type_of(l->p, e->in[i])->dims[dim] * inner;
		const place from = level_place(l, e->in[i]), to = {whole.root, whole.offset + at};
		if ((from.root != to.root || from.offset != to.offset) &&
		    !copy_rows(l->s, e, from, to, rows, row, row, out->dims[dim] * inner))
			return false;
		at += row;
	}
	return true;
}

/* what the caller has for an input of the program that it calls */
static var given_for(const program *inside, const eqn *call, var x)
{
	for (int i = 0; i < inside->nin; i++)
		if (inside->in[i].id == x.id) return call->in[i];
	return x;
}

/* the two operands of a product in memory: one may be what the product gathers from */
static bool product_operands(level *l, const eqn *e, matrix_product *p, var in[2])
{
	const program *inside = l->p;
	const eqn *product = product_inside(&inside, e);
	gathered from;

	for (int i = 0; i < 2; i++) in[i] = product->in[i];
	if (product == e) return true;
	if (!product_gathers(inside, product, p, &from)) return false;
	in[from.operand] = from.base;
	for (int i = 0; i < 2; i++) in[i] = given_for(inside, e, in[i]);
	p->view = arena_copy(l->s->arena, &from.view, sizeof from.view);
	p->view_b = from.operand;
	return p->view;
}

static bool schedule_product(level *l, const eqn *e, matrix_product *p)
{
	var *in = arena_array(l->arena, 2, sizeof *in);

	if (!in || !level_place_results(l, e, NULL) || !product_operands(l, e, p, in)) return false;
	step *x = add_step(l->s, STEP_PRODUCT, e);
	if (!x) return false;
	x->product = *p;
	x->items = l->s->target->product_parts(p);
	x->cost = product_ns(l->s->target, p);
	return equation_args(l, &(eqn){.in = in, .nin = 2, .out = e->out, .nout = 1}, NULL);
}

/* one more arg, behind the results: memory that the step writes */
static bool scratch_arg(const level *l, step *x, int64_t offset, int64_t size)
{
	place *arg = arena_array(l->s->arena, (size_t)x->nargs + 1, sizeof *arg);
	int64_t *bytes = arena_array(l->s->arena, (size_t)x->nargs + 1, sizeof *bytes);

	if (!arg || !bytes) return false;
	memcpy(arg, x->arg, (size_t)x->nargs * sizeof *arg);
	memcpy(bytes, x->bytes, (size_t)x->nargs * sizeof *bytes);
	arg[x->nargs] = (place){l->root, offset};
	bytes[x->nargs] = size;
	x->arg = arg;
	x->bytes = bytes;
	x->nargs++;
	x->nresults++;
	return true;
}

/* The row has no kernel: steps call its eval, or a library, one for each phase. Parts of the
 * results are items. In one phase each item has scratch memory of its own, in several they share
 * it */
static bool schedule_call(level *l, const eqn *e)
{
	schedule *s = l->s;
	const type **t = arena_array(s->arena, (size_t)(e->nin + e->nout), sizeof *t);

	for (int i = 0; t && i < e->nin + e->nout; i++)
		t[i] = type_of(l->p, i < e->nin ? e->in[i] : e->out[i - e->nin]);
	if (!t || !level_place_results(l, e, NULL)) return false;
	const bool library = s->target->library_scratch && library_calls(s->target, l->p, e);
	const int64_t bytes =
		library ? s->target->library_scratch(e, t) : (int64_t)eqn_scratch(e, t);
	const int64_t parts = eqn_parts(e, t), phases = library ? 1 : eqn_phases(e, t);
	const int64_t each = phases > 1 ? 0 : bytes, all = phases > 1 ? bytes : parts * bytes;
	const int64_t offset = all ? level_borrow(l, all) : 0;
	const double cost = library ? library_ns(s->target, l->p, e) : eval_ns(s->target, l->p, e);

	for (int64_t k = 0; k < phases; k++) {
		if (k) s->nwaves++;
		step *x = offset >= 0 ? add_step(s, e->prim->host ? STEP_HOST : STEP_CALL, e)
		                      : NULL;
		if (!x || !equation_args(l, e, NULL)) return false;
		x->call = (step_of_call){e, t, t + e->nin, each, k, all != 0, library};
		x->items = parts;
		x->cost = cost / (double)phases;
		if (all && !scratch_arg(l, x, offset, all)) return false;
	}
	return true;
}

static int64_t *byte_strides(schedule *s, const type *t)
{
	int64_t *stride = arena_array(s->arena, (size_t)t->ndim + 1, sizeof *stride);

	if (!stride) return NULL;
	dims_strides(t->dims, t->ndim, stride);
	for (int d = 0; d < t->ndim; d++) stride[d] *= (int64_t)tsr_dtype_size(t->dtype);
	return stride;
}

/* A kernel would compute the whole array although only a part changes. So the part is written into
 * the memory of the operand, or into a copy of it */
static bool schedule_update(level *l, const eqn *e)
{
	schedule *s = l->s;
	const type **t = arena_array(s->arena, (size_t)e->nin, sizeof *t);

	for (int i = 0; t && i < e->nin; i++) t[i] = type_of(l->p, e->in[i]);
	if (!t || !level_place_results(l, e, NULL) ||
	    !step_copy(s, e, level_place(l, e->in[0]), level_place(l, e->out[0]),
	               value_bytes(t[0])))
		return false;
	s->nwaves++;
	const eqn rest = {.in = e->in + 1, .nin = e->nin - 1, .out = e->out, .nout = 1};
	step *x = add_step(s, STEP_UPDATE, e);
	if (!x) return false;
	x->update = (step_of_update){.part = t[1],
	                             .whole = t[0],
	                             .start = t + 2,
	                             .from = byte_strides(s, t[1]),
	                             .to = byte_strides(s, t[0])};
	x->cost = copy_ns(s->target, value_bytes(t[1]));
	return x->update.from && x->update.to && equation_args(l, &rest, NULL);
}

static bool schedule_equation(level *l, const eqn *e)
{
	matrix_product product;

	if (is_called(e)) return schedule_call(l, e);
	if (e->prim == &tsr__prim_dynamic_update_slice) return schedule_update(l, e);
	if (e->prim == &tsr__prim_concatenate) return schedule_concatenate(l, e);
	if (maker_of(l->s->target, l->p, e, &product) == BY_LIBRARY)
		return schedule_product(l, e, &product);
	return schedule_kernel(l, e);
}

static bool is_control(const eqn *e)
{
	return prim_holds_programs(e->prim) && e->prim != &tsr__prim_call;
}

/* equations of a wave: loops and branches behind the others */
static bool schedule_wave(level *l, const int *eqns, int n)
{
	for (int i = 0; i < n; i++)
		if (!is_control(&l->p->eqns[eqns[i]]) &&
		    !schedule_equation(l, &l->p->eqns[eqns[i]]))
			return false;
	l->s->nwaves++;
	for (int i = 0; i < n; i++)
		if (is_control(&l->p->eqns[eqns[i]]) && !schedule_control(l, &l->p->eqns[eqns[i]]))
			return false;
	return true;
}

/* equations with steps, in the order of waves: those of wave w from start[w] to start[w + 1] */
static int *sort_by_wave(const level *l, int **start)
{
	const program *p = l->p;
	int *sorted = arena_array(l->arena, (size_t)p->neqns + 1, sizeof *sorted);
	int *end = arena_array(l->arena, (size_t)l->nwaves + 2, sizeof *end);

	if (!sorted || !end) return NULL;
	for (int i = 0; i < p->neqns; i++)
		if (!l->idle[i]) end[l->wave[i] + 2]++;
	for (int w = 2; w < l->nwaves + 2; w++) end[w] += end[w - 1];
	for (int i = 0; i < p->neqns; i++)
		if (!l->idle[i]) sorted[end[l->wave[i] + 1]++] = i;
	*start = end;
	return sorted;
}

/* ---- results that are not where they are wanted. All of a carry is read before any of it is
 * written */

typedef struct move {
	place from, to;
	int64_t bytes;
} move;

static bool in_loop(const wanted *want, int n)
{
	for (int i = 0; i < n; i++)
		if (want[i].tied >= 0) return true;
	return false;
}

static bool is_there(const move *m)
{
	return m->from.root == m->to.root && m->from.offset == m->to.offset;
}

static bool step_move(level *l, const move *m)
{
	return step_copy(l->s, NULL, m->from, m->to, m->bytes);
}

static bool move_aside(level *l, move *m)
{
	const place aside = {l->root, level_borrow(l, m->bytes)};

	if (aside.offset < 0 || !step_move(l, &(move){m->from, aside, m->bytes})) return false;
	m->from = aside;
	return true;
}

/* what is read before the carry is written: results of a loop's body that are inputs of it. Slices
 * go where they are wanted at once */
static bool move_early(level *l, move *m, bool is_carry)
{
	if (is_there(m)) return true;
	if (is_carry) return move_aside(l, m);
	const bool ok = step_move(l, m);
	m->bytes = 0;
	return ok;
}

static bool move_results(level *l, wanted *want)
{
	const program *p = l->p;
	const bool loop = in_loop(want, p->nout);
	move *m = arena_array(l->arena, (size_t)p->nout + 1, sizeof *m);

	if (!m) return false;
	for (int i = 0; i < p->nout; i++) {
		if (want[i].at.root < 0) continue;
		m[i] = (move){level_place(l, p->out[i]), want[i].at,
		              value_bytes(type_of(p, p->out[i]))};
		want[i].moved = is_there(&m[i]) ? 0 : m[i].bytes;
		if (loop && level_is_input(l, p->out[i]) &&
		    !move_early(l, &m[i], want[i].tied >= 0))
			return false;
	}
	l->s->nwaves++;
	for (int i = 0; i < p->nout; i++)
		if (m[i].bytes && !step_move(l, &m[i])) return false;
	l->s->nwaves++;
	return true;
}

/* ---- programs. What comes after one may reuse its memory; but not if that is small, since
 * routines keep in registers only what overlaps nothing else (routine.c) */

static bool schedule_waves(level *l)
{
	int *start;
	const int *sorted = sort_by_wave(l, &start);

	for (int32_t w = 0; sorted && w < l->nwaves; w++)
		if (!level_next_wave(l, w) ||
		    !schedule_wave(l, sorted + start[w], start[w + 1] - start[w]))
			return false;
	return sorted;
}

bool schedule_program(schedule *s, level *around, const program *p, const place *in, wanted *want)
{
	level l;
	bool ok = level_init(&l, s, !around, p, in, want);

	ok = ok && schedule_waves(&l) && move_results(&l, want);
	if (ok && around) {
		const int64_t offset = level_borrow(around, l.storage.end);
		s->root[l.root].whole = (place){around->root, offset};
		ok = offset >= 0 && (l.storage.end < (s->all_large ? 1 : TUNE_LOOP_SCRATCH) ||
		                     level_give_back(around));
	} else if (ok) {
		s->scratch = l.storage.end;
	}
	level_free(&l);
	return ok;
}

/* ---- the whole */

int32_t wave_end(const schedule *s, int32_t i)
{
	int32_t end = i + 1;

	while (end < (int32_t)s->nsteps && s->step[end].wave == s->step[i].wave &&
	       step_computes(&s->step[end]))
		end++;
	return end;
}

/* what a result is; seen: by variable 1 + the input, or -1 - the output, that it is; 0: neither */
static bool give_result(schedule *s, const program *p, int i, int32_t *seen, wanted *want)
{
	int32_t *known = &seen[p->out[i].id];

	*want = (wanted){NOWHERE, -1, 0};
	if (*known) {
		s->given[i] = *known > 0 ? (given){true, *known - 1} : (given){false, -1 - *known};
		return true;
	}
	const int64_t bytes = value_bytes(type_of(p, p->out[i]));
	want->at = (place){
		root_add(s, (root){.kind = ROOT_OUTPUT, .index = s->noutputs, .bytes = bytes}), 0};
	s->output_bytes[s->noutputs] = bytes;
	s->output_item[s->noutputs] = tsr_dtype_size(type_of(p, p->out[i])->dtype);
	s->donor[s->noutputs] = -1;
	s->given[i] = (given){false, s->noutputs};
	*known = -1 - s->noutputs++;
	return want->at.root >= 0;
}

static bool schedule_lists(schedule *s, const program *p)
{
	const size_t nin = (size_t)p->nin + 1, nout = (size_t)p->nout + 1;

	s->given = arena_array(s->arena, nout, sizeof *s->given);
	s->output_bytes = arena_array(s->arena, nout, sizeof *s->output_bytes);
	s->output_item = arena_array(s->arena, nout, sizeof *s->output_item);
	s->donor = arena_array(s->arena, nout, sizeof *s->donor);
	s->heir = arena_array(s->arena, nin, sizeof *s->heir);
	s->next = arena_array(s->arena, nin, sizeof *s->next);
	s->constants_root = root_add(s, (root){.kind = ROOT_CONSTANTS});
	return s->given && s->output_bytes && s->output_item && s->donor && s->heir && s->next &&
	       s->constants_root >= 0;
}

static bool schedule_whole(schedule *s, const program *p)
{
	place *in = arena_array(s->arena, (size_t)p->nin + 1, sizeof *in);
	wanted *want = arena_array(s->arena, (size_t)p->nout + 1, sizeof *want);
	int32_t *seen = arena_array(s->arena, (size_t)p->nvars, sizeof *seen);

	if (!in || !want || !seen || !schedule_lists(s, p)) return false;
	for (int i = 0; i < p->nin; i++) {
		in[i] = (place){root_add(s, (root){.kind = ROOT_INPUT, .index = i}), 0};
		if (in[i].root < 0) return false;
		s->heir[i] = s->next[i] = -1;
		seen[p->in[i].id] = 1 + i;
	}
	for (int i = 0; i < p->nout; i++)
		if (!give_result(s, p, i, seen, &want[i])) return false;
	if (!schedule_program(s, NULL, p, in, want)) return false;
	inherit_rest(s);
	return true;
}

schedule *schedule_make(base *bs, const target *t, const program *fused, str *why)
{
	schedule *s = mem_zalloc(bs, sizeof *s);

	if (!s) return NULL;
	*s = (schedule){.base = bs,
	                .target = t,
	                .why = why,
	                .arena = arena_make(bs),
	                .unit_of = {.base = bs},
	                .program = fused,
	                .ninputs = fused->nin,
	                .all_large = debugs(fused->ir, 'w')};
	program_retain(fused);
	if (s->arena && schedule_whole(s, fused)) return s;
	schedule_free(s);
	return NULL;
}

void schedule_free(schedule *s)
{
	if (!s) return;
	for (size_t i = 0; i < s->nunits; i++) {
		kernel_free(s->unit[i].kernel);
		program_release(s->unit[i].program);
	}
	table_free(&s->unit_of, NULL);
	mem_free(s->base, s->unit);
	mem_free(s->base, s->step);
	mem_free(s->base, s->root);
	mem_free(s->base, s->constants);
	program_release(s->program);
	arena_free(s->arena);
	mem_free(s->base, s);
}

size_t schedule_bytes(const schedule *s)
{
	size_t bytes = mem_bytes(s) + mem_bytes(s->unit) + mem_bytes(s->step) +
	               mem_bytes(s->root) + mem_bytes(s->constants) + arena_bytes(s->arena);

	for (size_t i = 0; i < s->nunits; i++) bytes += kernel_bytes(s->unit[i].kernel);
	return bytes;
}
