/* schedule_walk.c - a table of steps, run slowly and by the book. */
#include <stdio.h>
#include <stdlib.h>
#include "support/kernels.h"
#include "support/schedule_walk.h"

int64_t walked_steps, walked_shared, walked_waves, walked_chains, walked_epilogues;

/* ---- the plug-in */

static bool units_only(void *machine, const kernel *const *k, const native_window *window,
                       int count, native_code *code, char *error, size_t n)
{
	(void)machine, (void)window, (void)error, (void)n;
	for (int i = 0; i < count; i++) {
		int64_t most = 0;
		for (int32_t r = 0; r < k[i]->nresults; r++)
			if (k[i]->results[r].type->size > most) most = k[i]->results[r].type->size;
		code[i] = (native_code){.items = most < 7 ? most : 7};
	}
	return true;
}

static bool no_routine(void *machine, const native_routine *r, native_code *code, char *error,
                       size_t n)
{
	(void)machine, (void)r, (void)error, (void)n;
	*code = (native_code){0};
	return true;
}

static int64_t parts_of(const matrix_product *p)
{
	return p->dtype == TSR_F32 ? p->batch * ((p->m + 1) / 2) : 0;
}

target walk_target(void)
{
	target t = *target_of(32);

	t.product_parts = parts_of;
	t.product_work = t.product_side = 0;
	return t;
}

/* where it writes its own elements in place of those that it reads */
static bool takes_windows(void *machine, const kernel *k, const native_window *w)
{
	bool in_place = !w->whole_rows;

	(void)machine;
	for (int32_t i = 0; i < k->nresults; i++)
		in_place = in_place && kernel_in_place(k, w->input, i);
	return in_place;
}

const native_type walk_native = {.takes_windows = takes_windows,
                                 .compile = units_only,
                                 .compile_routine = no_routine,
                                 .product_parts = parts_of};

/* ---- memory, and who has touched it */

typedef struct mark {             /* of a byte */
	int64_t phase;            /* the last one in which it was touched */
	int32_t readers, writers; /* then: who it was; -1: several; 0: none */
	bool written;             /* ever */
} mark;

typedef struct region { /* of memory that steps may write */
	char *at;
	int64_t bytes;
	mark *mark;
} region;

enum { MOST_OUTPUTS = 64, MOST_STEPS = 200000 };

typedef struct walk {
	const coded *c;
	const schedule *s;
	int64_t phase; /* a shared wave, whose steps may be done in any order; or one other step */
	char **root;
	int64_t *counter;
	region scratch, output[MOST_OUTPUTS];
	bool donates;
	int32_t now;
	int32_t who; /* 1 + the step at hand; in chains, 1 + its piece */
	bool ok;
	char *why;
	size_t n;
} walk;

static bool wrong(walk *w, const char *what)
{
	if (w->ok) snprintf(w->why, w->n, "step %d %s", (int)w->now, what);
	return w->ok = false;
}

static region region_make(int64_t bytes)
{
	region r = {malloc((size_t)bytes + 1), bytes, calloc((size_t)bytes + 1, sizeof *r.mark)};

	if (!r.at || !r.mark) exit(1);
	memset(r.at, 0xa5, (size_t)bytes);
	return r;
}

/* an output in the memory of an input */
static region region_on(char *at, int64_t bytes)
{
	region r = {at, bytes, calloc((size_t)bytes + 1, sizeof *r.mark)};

	for (int64_t i = 0; i < bytes; i++) r.mark[i].written = true;
	return r;
}

static void region_free(const region *r, bool own)
{
	if (own) free(r->at);
	free(r->mark);
}

static bool holds(const region *r, const char *at, int64_t bytes)
{
	return at >= r->at && at + bytes <= r->at + r->bytes;
}

static const region *region_of(const walk *w, const char *at, int64_t bytes)
{
	if (holds(&w->scratch, at, bytes)) return &w->scratch;
	for (int32_t i = 0; i < w->s->noutputs; i++)
		if (holds(&w->output[i], at, bytes)) return &w->output[i];
	return NULL;
}

static char *address(const walk *w, place at) { return w->root[at.root] + at.offset; }

/* has another one touched it in this phase? */
static bool by_another(int32_t before, int32_t who) { return before && before != who; }

/* the step at hand touches memory: may it? */
static void check_touch(walk *w, const char *at, int64_t bytes, bool writes)
{
	const region *r = bytes ? region_of(w, at, bytes) : NULL;

	if (!r && bytes && writes) wrong(w, "writes what is not the run's own");
	for (int64_t i = 0; r && i < bytes; i++) {
		const mark *m = &r->mark[at - r->at + i];
		if (m->phase == w->phase &&
		    (by_another(m->writers, w->who) || (writes && by_another(m->readers, w->who))))
			wrong(w, "is in a race");
		if (!writes && !m->written) wrong(w, "reads what nobody wrote");
	}
}

static void leave_marks(const walk *w, const char *at, int64_t bytes, bool writes)
{
	const region *r = bytes ? region_of(w, at, bytes) : NULL;

	for (int64_t i = 0; r && i < bytes; i++) {
		mark *m = &r->mark[at - r->at + i];
		int32_t *who = writes ? &m->writers : &m->readers;
		if (m->phase != w->phase) m->readers = m->writers = 0;
		m->phase = w->phase;
		*who = by_another(*who, w->who) ? -1 : w->who;
		m->written = m->written || writes;
	}
}

/* ---- steps that compute */

static bool apart(const char *a, int64_t na, const char *b, int64_t nb)
{
	return !na || !nb || a + na <= b || b + nb <= a;
}

/* results touch nothing else that the step has, but operands in the same place */
static void check_args(walk *w, const step *x, char *const *arg)
{
	for (int i = x->nargs - x->nresults; i < x->nargs; i++)
		for (int j = 0; j < i; j++) {
			const bool in_place = j < x->nargs - x->nresults && arg[i] == arg[j] &&
			                      x->bytes[i] == x->bytes[j] && x->kind == STEP_KERNEL;
			if (x->kind == STEP_COPY && arg[0] == arg[1]) continue;
			if (!in_place && !apart(arg[i], x->bytes[i], arg[j], x->bytes[j]))
				wrong(w, "writes over its own operand or result");
		}
}

/* the copied rows alone are touched */
static void do_copy(walk *w, const step_of_copy *x, char *const *arg)
{
	for (int64_t i = 0; i < x->rows; i++) {
		const char *from = arg[0] + i * x->from_stride;
		char *to = arg[1] + i * x->to_stride;
		check_touch(w, from, x->row, false);
		check_touch(w, to, x->row, true);
		memmove(to, from, (size_t)x->row);
		leave_marks(w, from, x->row, false);
		leave_marks(w, to, x->row, true);
	}
}

static void do_update(const step_of_update *x, char *const *arg, char *whole)
{
	int64_t start[16], index[16] = {0};
	const size_t item = tsr_dtype_size(x->whole->dtype);

	for (int d = 0; d < x->whole->ndim; d++) {
		dtype_convert(TSR_I64, &start[d], x->start[d]->dtype, arg[1 + d], 1);
		const int64_t most = x->whole->dims[d] - x->part->dims[d];
		start[d] = start[d] < 0 ? 0 : start[d] > most ? most : start[d];
	}
	for (int64_t i = 0; i < x->part->size; i++) {
		int64_t at = 0;
		for (int d = 0; d < x->whole->ndim; d++)
			at = at * x->whole->dims[d] + start[d] + index[d];
		memcpy(whole + (size_t)at * item, arg[0] + (size_t)i * item, item);
		dims_next(index, x->part->dims, x->part->ndim);
	}
}

/* in elements */
static int64_t offset_along(const view_dims *d, int64_t at)
{
	int64_t offset = 0;

	for (int i = d->n - 1; i >= 0; at /= d->size[i--]) offset += at % d->size[i] * d->stride[i];
	return offset;
}

/* elements first .. end - 1 of the contracted index, of one result */
static double product_sum(const matrix_product *p, char *const *arg, int64_t at, int64_t first,
                          int64_t end)
{
	const int64_t j = at % p->n, i = at / p->n % p->m, batch = at / p->n / p->m;
	const float *x = (const float *)arg[0] + offset_along(&p->a.batch, batch) +
	                 offset_along(&p->a.own, i);
	const float *y = (const float *)arg[1] + offset_along(&p->b.batch, batch) +
	                 offset_along(&p->b.own, j);
	double sum = 0;

	for (int64_t k = first; k < end && k < p->k; k++)
		sum += (double)x[offset_along(&p->a.sum, k)] *
		       (double)y[offset_along(&p->b.sum, k)];
	return sum;
}

static void do_product(const matrix_product *p, char *const *arg)
{
	const int64_t all = p->batch * p->m * p->n, chains = (p->k + SUM_BLOCK - 1) / SUM_BLOCK;
	float *c = (float *)arg[2];

	for (int64_t at = 0; at < all; at++) {
		double sum = 0;
		for (int64_t k = 0; p->phase == PRODUCT_JOINED && k < chains; k++)
			sum += (double)((const float *)arg[0])[k * all + at];
		if (p->phase == PRODUCT_WHOLE) sum = product_sum(p, arg, at, 0, p->k);
		if (p->phase != PRODUCT_CHAINS) c[at] = (float)sum;
		for (int64_t k = 0; p->phase == PRODUCT_CHAINS && k < chains; k++)
			c[k * all + at] = (float)product_sum(p, arg, at, k * SUM_BLOCK,
			                                     (k + 1) * SUM_BLOCK);
	}
}

static void do_call(const step *x, char *const *arg)
{
	const eqn *e = x->call.eqn;
	char *scratch = arg[e->nin + e->nout];

	for (int64_t k = x->items; k-- > 0;) /* the parts from the last one to the first */
		eqn_eval(&(eval_args){.eqn = e,
		                           .in = x->call.in,
		                           .out = x->call.out,
		                           .n = 1,
		                           .x = (const void *const *)arg,
		                           .y = (void *const *)arg + e->nin,
		                           .scratch = scratch,
		                           .first = k,
		                           .end = k + 1,
		                           .phase = x->call.phase});
}

static void do_kernel(walk *w, const step *x, char *const *arg)
{
	const kernel *k = w->s->unit[x->unit].kernel;
	const int nin = k->program->nin, literals = k->nliterals > 0;

	if (x->nresults != k->nresults || x->nargs - x->nresults != nin + literals)
		wrong(w, "has another number of args than its kernel");
	else if (literals && memcmp(arg[nin], k->literals, (size_t)literals_bytes(k)))
		wrong(w, "has other literals than its kernel");
	else if (!kernel_eval(k, (const void *const *)arg,
	                      (void *const *)arg + (x->nargs - x->nresults)))
		wrong(w, "cannot be evaluated");
}

static void compute(walk *w, const step *x)
{
	char **arg = calloc((size_t)x->nargs + 1, sizeof *arg);
	const int first = x->nargs - x->nresults;

	for (int i = 0; i < x->nargs; i++) arg[i] = address(w, x->arg[i]);
	check_args(w, x, arg);
	if (x->kind == STEP_COPY) do_copy(w, &x->copy, arg);
	for (int i = 0; x->kind != STEP_COPY && i < x->nargs; i++)
		if (x->kind != STEP_UPDATE || i < first)
			check_touch(w, arg[i], x->bytes[i], i >= first);
	if (x->kind == STEP_UPDATE) /* what is not updated stays as it was written */
		check_touch(w, arg[first], x->bytes[first], false),
			check_touch(w, arg[first], x->bytes[first], true);
	if (w->ok && x->kind == STEP_UPDATE) do_update(&x->update, arg, arg[first]);
	if (w->ok && x->kind == STEP_PRODUCT) do_product(x->product, arg);
	if (w->ok && x->kind == STEP_KERNEL) do_kernel(w, x, arg);
	if (w->ok && x->kind == STEP_CALL) do_call(x, arg);
	for (int i = 0; x->kind != STEP_COPY && i < x->nargs; i++)
		leave_marks(w, arg[i], x->bytes[i], i >= first);
	free(arg);
}

/* the kernel that a product computes leaves the product's operands alone */
static void check_epilogue(walk *w, const step *p, const step *k)
{
	for (int32_t i = k->nargs - k->nresults; i < k->nargs; i++)
		for (int32_t j = 0; j < 2; j++)
			if (!apart(address(w, k->arg[i]), k->bytes[i], address(w, p->arg[j]),
			           p->bytes[j]))
				wrong(w, "writes over the operands of its product");
	walked_epilogues++;
}

static void compute_all(walk *w, const step *x)
{
	const epilogue *e = epilogue_of(w->c, (int32_t)(x - w->s->step));

	if (!x->items && x->kind == STEP_KERNEL) return; /* a product has computed it */
	compute(w, x);
	if (!e) return;
	check_epilogue(w, x, &w->s->step[e->kernel]);
	compute(w, &w->s->step[e->kernel]);
}

/* ---- jumps */

static int32_t choose(walk *w, const step *x)
{
	const char *at = address(w, x->arg[0]);
	int32_t index = *at != 0;

	check_touch(w, at, x->bytes[0], false);
	leave_marks(w, at, x->bytes[0], false);
	if (!x->predicate) memcpy(&index, at, sizeof index);
	index = index < 0 ? 0 : index >= x->ntargets ? x->ntargets - 1 : index;
	return x->target[index];
}

static void move_slices(walk *w, const step_of_slices *x)
{
	const int64_t at = x->times * w->counter[x->counter] + x->plus;

	if (at < 0 || at >= x->length) wrong(w, "moves a slice out of its array");
	for (int32_t i = 0; i < x->n; i++)
		w->root[x->v[i].root] = address(w, w->s->root[x->v[i].root].whole) +
		                        (x->reverse ? x->length - 1 - at : at) * x->v[i].stride;
}

static int32_t jump(walk *w, const step *x)
{
	switch (x->kind) {
	case STEP_SWITCH: return choose(w, x);
	case STEP_GO: return x->target[0];
	case STEP_LOOP:
		w->counter[x->count.counter] = 0;
		return x->count.length ? w->now + 1 : x->target[0];
	case STEP_NEXT:
		return ++w->counter[x->count.counter] < x->count.length ? x->target[0] : w->now + 1;
	case STEP_SLICES: move_slices(w, &x->slices); return w->now + 1;
	default: return w->now + 1;
	}
}

/* ---- the whole */

static void find_roots(const walk *w, void *const *in)
{
	for (size_t i = 0; i < w->s->nroots; i++) {
		const root *r = &w->s->root[i];
		if (r->kind == ROOT_INPUT)
			w->root[i] = in[r->index];
		else if (r->kind == ROOT_OUTPUT)
			w->root[i] = w->output[r->index].at;
		else if (r->kind == ROOT_CONSTANTS)
			w->root[i] = w->s->constants;
		else if (r->kind == ROOT_SCRATCH)
			w->root[i] = r->whole.root < 0 ? w->scratch.at : address(w, r->whole);
	}
}

static bool has_chains(const walk *w, const shared_wave *v)
{
	return w->s->step[v->first].wave != w->s->step[v->end - 1].wave;
}

/* each item of each step is in one stretch */
static void check_pieces(walk *w, const shared_wave *v)
{
	const int32_t nsteps = v->end - v->first, nstretches = v->begin[v->pieces];
	int64_t *next = calloc((size_t)nsteps + 1, sizeof *next);

	if (v->pieces < 1 || v->begin[0]) wrong(w, "begins a wave without pieces");
	for (int32_t i = 0; i < v->pieces && w->ok; i++)
		if (v->begin[i] >= v->begin[i + 1]) wrong(w, "begins a wave with an empty piece");
	for (int32_t i = 0; i < nstretches && w->ok; i++) {
		const stretch *x = &v->stretch[i];
		if (x->step < v->first || x->step >= v->end || x->first >= x->end ||
		    x->first != next[x->step - v->first])
			wrong(w, "begins a wave with stretches out of order");
		else
			next[x->step - v->first] = x->end;
	}
	for (int32_t i = 0; i < nsteps && w->ok; i++)
		if (next[i] != w->s->step[v->first + i].items)
			wrong(w, "begins a wave whose pieces are not the whole of it");
	free(next);
	walked_waves++;
	walked_shared += nsteps;
	walked_chains += has_chains(w, v);
}

/* Who is fast may be anywhere: pieces from the last one to the first, and each step where its last
 * item is, so that this is also the order of its chain */
static void walk_wave(walk *w, const shared_wave *v)
{
	check_pieces(w, v);
	w->phase++;
	for (int32_t p = v->pieces; w->ok && p-- > 0;)
		for (int32_t i = v->begin[p]; w->ok && i < v->begin[p + 1]; i++) {
			const stretch *x = &v->stretch[i];
			w->now = x->step;
			w->who = 1 + (has_chains(w, v) ? p : x->step);
			if (x->end == w->s->step[x->step].items)
				compute_all(w, &w->s->step[x->step]);
		}
	if (w->ok) w->now = v->end;
}

static void walk_steps(walk *w)
{
	int64_t steps = 0;

	while (w->ok && w->now < (int32_t)w->s->nsteps) {
		const step *x = &w->s->step[w->now];
		w->phase++;
		w->who = 1 + w->now;
		if (++steps > MOST_STEPS) wrong(w, "is one too many");
		if (!step_computes(x))
			w->now = jump(w, x);
		else if (x->made)
			walk_wave(w, &w->c->wave[x->made - 1]);
		else
			compute_all(w, x), w->now++;
	}
	walked_steps += steps;
}

static bool results_are_there(walk *w, void *const *in, void *const *out, const program *p)
{
	for (int i = 0; w->ok && i < p->nout; i++) {
		const given *g = &w->s->given[i];
		const size_t bytes = (size_t)value_bytes(type_of(p, p->out[i]));
		if (!g->is_input && (int64_t)bytes != w->output[g->index].bytes)
			return wrong(w, "is the end, and a result has another size");
		memcpy(out[i], g->is_input ? in[g->index] : w->output[g->index].at, bytes);
		for (size_t k = 0; !g->is_input && k < bytes; k++)
			if (!w->output[g->index].mark[k].written)
				return wrong(w, "is the end, and a result was not written");
	}
	return w->ok;
}

static bool is_own(const walk *w, int32_t output) { return !w->donates || w->s->donor[output] < 0; }

/* of those that it may take, one that follows from its number */
static int32_t donor_of(const schedule *s, int32_t output)
{
	int32_t from = s->donor[output];

	for (int32_t i = 0; i < output % 3 && s->next[from] >= 0; i++) from = s->next[from];
	return from;
}

bool schedule_walk(const coded *c, const program *p, void *const *in, void *const *out,
                   bool donates, char *why, size_t n)
{
	const schedule *s = c->plan;
	walk w = {.c = c, .s = s, .donates = donates, .ok = true, .why = why, .n = n};

	if (s->noutputs > MOST_OUTPUTS) return false;
	w.root = calloc(s->nroots + 1, sizeof *w.root);
	w.counter = calloc((size_t)s->ncounters + 1, sizeof *w.counter);
	w.scratch = region_make(s->scratch);
	for (int32_t i = 0; i < s->noutputs; i++)
		w.output[i] = is_own(&w, i) ? region_make(s->output_bytes[i])
		                            : region_on(in[donor_of(s, i)], s->output_bytes[i]);
	find_roots(&w, in);
	walk_steps(&w);
	results_are_there(&w, in, out, p);
	region_free(&w.scratch, true);
	for (int32_t i = 0; i < s->noutputs; i++) region_free(&w.output[i], is_own(&w, i));
	free(w.root);
	free(w.counter);
	return w.ok;
}
