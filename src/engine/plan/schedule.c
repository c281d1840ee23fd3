/* schedule.c - from a fused program to the table of steps.
 *
 * Equations are taken wave by wave: those of a wave do not depend on each other, so workers can
 * share its steps (waves.c). Memory is planned as the waves go by (values.c), so nothing that
 * one step of a wave writes is read or written by another one.
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

/* ---- waves */

static bool is_control(const eqn *e)
{
	return prim_holds_programs(e->prim) && e->prim != &tsr__prim_call;
}

/* results that are parts of others leave as soon as they are there */
static bool copy_parts(const level *l, const wanted *want)
{
	for (int i = 0; i < l->p->nout; i++)
		if (l->leaves[i] == l->now &&
		    !step_copy(l->s, NULL, level_place(l, l->p->out[i]), want[i].at,
		               value_bytes(type_of(l->p, l->p->out[i]))))
			return false;
	return true;
}

/* transfers begin before anything else of a wave, and end behind what is computed; loops and
 * branches are last */
static int turn_of(const eqn *e)
{
	if (e->prim == &tsr__prim_transfer_begin) return 0;
	if (e->prim == &tsr__prim_transfer_end) return 2;
	return is_control(e) ? 3 : 1;
}

static bool schedule_wave(level *l, const wanted *want, const int *eqns, int n)
{
	if (!copy_parts(l, want)) return false;
	for (int turn = 0; turn <= 3; turn++) {
		if (turn == 3) l->s->nwaves++;
		for (int i = 0; i < n; i++) {
			const eqn *e = &l->p->eqns[eqns[i]];
			if (turn_of(e) == turn &&
			    !(turn == 3 ? schedule_control : schedule_equation)(l, e))
				return false;
		}
	}
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
	return same_place(m->from, m->to);
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
		if (want[i].at.root < 0 || l->leaves[i] >= 0) continue;
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

static bool schedule_waves(level *l, const wanted *want)
{
	int *start;
	const int *sorted = sort_by_wave(l, &start);

	for (int32_t w = 0; sorted && w < l->nwaves; w++)
		if (!level_next_wave(l, w) ||
		    !schedule_wave(l, want, sorted + start[w], start[w + 1] - start[w]))
			return false;
	return sorted;
}

bool schedule_program(schedule *s, level *around, const program *p, const place *in, wanted *want)
{
	level l;
	bool ok = level_init(&l, s, !around, p, in, want);

	ok = ok && schedule_waves(&l, want) && move_results(&l, want);
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
