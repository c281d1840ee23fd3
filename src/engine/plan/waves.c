/* waves.c - chooses the wave of each equation: it is computed as soon as its operands are there,
 * or, if its result would only take memory until it is read, just before that.
 *
 * Example:
 *
 *     f(%0: f32[256,256], %1: f32[256,256]) -> f32[256] {
 *       %2: f32[256,256] = cumsum %1 dim=0 reverse=false
 *       %3: f32[256,256] = add %0 %2
 *       %4: f32[256,256] = cumsum %3 dim=0 reverse=false
 *       %5: f32[256,256] = cumsum %1 dim=0 reverse=true
 *       %6: f32[256,256] = add %4 %5
 *       %7: f32[256,256] = cumsum %6 dim=0 reverse=false
 *       %8: f32[256,256] = cummax %1 dim=0 reverse=false
 *       %9: f32[256,256] = add %7 %8
 *       %10: f32[256] = reduce_sum %9 dims=[1]
 *       return %10
 *     }
 *
 * %2, %5 and %8 could all be computed at once, and %5 and %8 would then wait in memory, which would
 * be 1048576 bytes. They are computed beside what is added to them, and take the same memory:
 *
 *     the plan of f: 8 steps, 786432 bytes of scratch memory
 *       kernel 0: add
 *       kernel 1: add reduce_sum
 *       0  call cumsum  in1 -> scratch+0  ..
 *       1  kernel 0  in0, scratch+0 -> scratch+0  ..
 *       2  call cumsum  scratch+0 -> scratch+262144  ..
 *       3  call cumsum  in1 -> scratch+524288  ..
 *       4  kernel 0  scratch+262144, scratch+524288 -> scratch+262144  ..
 *       5  call cumsum  scratch+262144 -> scratch+0  ..
 *       6  call cummax  in1 -> scratch+524288  ..
 *       7  kernel 1  scratch+0, scratch+524288 -> out0  ..
 *
 * So layers that gather their weights, each for itself, need the memory of two gathered ones and
 * not of all. The number of waves stays what it is, so nothing is computed later that something
 * waits for. */
#include "engine/plan/values.h"

/* ---- as soon as possible. Equations with effects are in different waves, in their order, but for
 * transfers: some may begin in one wave, and they end when it suits, after they have begun, and not
 * before the next ones that are in front of the end. An end that receives nothing has no operand
 * that says so */

typedef struct effects {
	int32_t last;   /* the wave of the last one; -1: there was none */
	bool begins;    /* it begins a transfer */
	int32_t *begun; /* by the number of a transfer: the wave in which it begins */
} effects;

static int64_t transfer_number(const eqn *e)
{
	return ((const transfer_params *)e->params)->number;
}

/* not before `wave` */
static int32_t wave_of_effect(effects *x, const eqn *e, int32_t wave)
{
	const bool begins = e->prim == &tsr__prim_transfer_begin;
	const int32_t first = x->last + !(begins && x->begins);

	if (!eqn_has_effects(e)) return wave;
	if (e->prim == &tsr__prim_transfer_end) {
		const int32_t next = x->begun[transfer_number(e)] + 1;
		const int32_t after = next > x->last ? next : x->last;
		return wave > after ? wave : after;
	}
	x->last = wave > first ? wave : first;
	x->begins = begins;
	if (begins) x->begun[transfer_number(e)] = x->last;
	return x->last;
}

/* room for `begun`. NULL: no memory */
static int32_t *find_transfers(const level *l)
{
	int64_t most = 0;

	for (int i = 0; i < l->p->neqns; i++) {
		const eqn *e = &l->p->eqns[i];
		if (e->prim == &tsr__prim_transfer_begin && transfer_number(e) > most)
			most = transfer_number(e);
	}
	return arena_array(l->arena, (size_t)most + 1, sizeof(int32_t));
}

static void find_first_waves(level *l, int32_t *begun, const double *busy)
{
	const int32_t nwaves = l->nwaves;
	effects x = {-1, false, begun};

	l->nwaves = 0;
	for (int i = 0; i < l->p->neqns; i++) {
		const eqn *e = &l->p->eqns[i];
		int32_t wave = 0;
		for (int j = 0; j < e->nin; j++)
			if (value_at(l, e->in[j])->ready > wave)
				wave = value_at(l, e->in[j])->ready;
		wave = wave_of_effect(&x, e, wave);
		l->wave[i] = wave = busy ? end_wave(l, e, wave, busy, nwaves) : wave;
		for (int j = 0; j < e->nout; j++)
			value_at(l, e->out[j])->ready = wave + !l->idle[i];
		if (!l->idle[i] && wave >= l->nwaves) l->nwaves = wave + 1;
	}
}

/* ---- as late as possible */

typedef struct lateness {
	level *l;
	int32_t *first_use; /* by variable: the first wave that needs it; nwaves: none does */
	int32_t *last_use;  /* by variable: the last one that is known to; -1: none */
	double *sources;    /* by variable: bytes that must stay for it to be computed later */
	const int32_t *next_end; /* by wave: what is computed before it is not delayed beyond it */
} lateness;

static double bytes_of(const lateness *w, var v) { return (double)value_at(w->l, v)->bytes; }

/* Does something else count on the memory of an input? A carry is written where it is read, and an
 * output may take what is given up */
static bool is_awaited(const level *l, const wanted *want, int input)
{
	const int64_t bytes = value_at(l, l->p->in[input])->bytes;

	for (int k = 0; k < l->p->nout; k++)
		if (l->outermost ? value_at(l, l->p->out[k])->bytes == bytes
		                 : want[k].tied == input)
			return true;
	return false;
}

/* From the first equation to the last: what must stay in memory for a value to be computed later,
 * if that is less than the value */
static void find_sources(const lateness *w, const wanted *want)
{
	const program *p = w->l->p;

	for (int i = 0; i < p->nin; i++)
		if (is_awaited(w->l, want, i)) w->sources[p->in[i].id] = bytes_of(w, p->in[i]);
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		double sum = 0;
		for (int j = 0; j < e->nin; j++) sum += w->sources[e->in[j].id];
		for (int j = 0; j < e->nout; j++) {
			const double own = bytes_of(w, e->out[j]);
			w->sources[e->out[j].id] = sum < own ? sum : own;
		}
	}
}

static void note_use(const lateness *w, var v, int32_t first, int32_t last)
{
	if (first < w->first_use[v.id]) w->first_use[v.id] = first;
	if (last > w->last_use[v.id]) w->last_use[v.id] = last;
}

/* may it be moved, and is what it makes so large that this is worth a thought? */
static bool may_wait(const lateness *w, const eqn *e)
{
	double bytes = 0;

	if (eqn_has_effects(e) || (eqn_program(e) && e->prim != &tsr__prim_call)) return false;
	for (int j = 0; j < e->nout; j++) {
		if (value_at(w->l, e->out[j])->is_result) return false;
		bytes += bytes_of(w, e->out[j]);
	}
	return bytes >= (w->l->s->all_large ? 1 : TUNE_COMPUTED_LATE);
}

/* in this wave, does it take less memory than from its first wave on? */
static bool should_wait(const lateness *w, const eqn *e, int32_t wave)
{
	double made = 0, kept = 0;

	for (int j = 0; j < e->nout; j++) made += bytes_of(w, e->out[j]);
	for (int j = 0; j < e->nin; j++)
		if (w->last_use[e->in[j].id] < wave) kept += w->sources[e->in[j].id];
	return kept < made;
}

/* from the last equation to the first, so that the users of a value have their waves */
static void delay(const lateness *w)
{
	level *l = w->l;

	for (int i = l->p->neqns - 1; i >= 0; i--) {
		const eqn *e = &l->p->eqns[i];
		int32_t first = l->nwaves, last = -1;
		for (int j = 0; j < e->nout; j++) {
			const int v = e->out[j].id;
			if (w->first_use[v] < first) first = w->first_use[v];
			if (w->last_use[v] > last) last = w->last_use[v];
		}
		if (!l->idle[i]) {
			const int32_t end = w->next_end[l->wave[i]];
			const int32_t latest = end < first - 1 ? end : first - 1;
			if (first < l->nwaves && latest > l->wave[i] && may_wait(w, e) &&
			    should_wait(w, e, latest))
				l->wave[i] = latest;
			first = last = l->wave[i];
		}
		for (int j = 0; j < e->nin; j++) note_use(w, e->in[j], first, last);
	}
}

/* the waves that can use the values, now that some are made later */
static void find_ready(const level *l)
{
	for (int i = 0; i < l->p->neqns; i++) {
		const eqn *e = &l->p->eqns[i];
		int32_t ready = l->wave[i] + 1;
		for (int j = 0; j < e->nin && l->idle[i]; j++) {
			if (!j) ready = 0;
			if (value_at(l, e->in[j])->ready > ready)
				ready = value_at(l, e->in[j])->ready;
		}
		for (int j = 0; j < e->nout; j++) value_at(l, e->out[j])->ready = ready;
	}
}

bool find_waves(level *l, const wanted *want)
{
	const size_t nvars = (size_t)l->p->nvars + 1;

	int32_t *begun = find_transfers(l);
	double *busy;
	if (!begun) return false;
	find_first_waves(l, begun, NULL);
	if (!find_busy(l, &busy)) return false;
	if (busy) find_first_waves(l, begun, busy);
	lateness w = {.l = l,
	              .next_end = find_next_ends(l),
	              .first_use = arena_array(l->arena, nvars, sizeof *w.first_use),
	              .last_use = arena_array(l->arena, nvars, sizeof *w.last_use),
	              .sources = arena_array(l->arena, nvars, sizeof *w.sources)};
	if (!w.first_use || !w.last_use || !w.sources || !w.next_end) return false;
	for (int v = 0; v < l->p->nvars; v++) {
		w.first_use[v] = l->nwaves;
		w.last_use[v] = -1;
	}
	find_sources(&w, want);
	delay(&w);
	find_ready(l);
	return true;
}
