/* report.c - counts the collectives of a per-device program, its operations and its memory.
 *
 *     pass report
 *     f(%0: f32[8]) -> f32[8], f32[8] {
 *       %1: f32[8] = sharding_constraint %0 mesh=(x:4) to=[[x]] open=[]
 *       %2: f32[8] = cumsum %1 dim=0 reverse=false
 *       %3: f32[8] = shard_map %1 mesh=(x:4) axes=(x) in=[[x]] out=[[x]]
 *             body=(%0: f32[2]{x}) -> f32[2]{x} {
 *         %1: f32[2]{x} = scan %0 length=10 consts=0 carry=1 unroll=1 reverse=false
 *               body=(%0: f32[2]{x}) -> f32[2]{x} {
 *           %1: f32[2] = psum %0 axes=(x) to=invarying
 *           %2: f32[2]{x} = pcast %1 axes=(x)
 *           return %2
 *         }
 *         return %1
 *       }
 *       return %2 %3
 *     }
 *     gives
 *     psum over x: 12 bytes, 10 times, the user's own
 *     all_gather over x: 12 bytes, 1 times, cumsum, whose blocks need elements of others
 *     132 bytes received, 4 operations, 48 bytes at most
 *
 * They are counted here and not while partition makes them: passes behind it make equal collectives
 * once, and drop those that nothing needs. The cause of an equation says which move it was made for
 * (eqn.cause). Nobody knows how often a while turns: its collectives count once, and the record
 * says that there are some. */
#include "pass/report/report.h"
#include <stdlib.h>
#include "pass/pass.h"

bool report_begin(report *r, base *b)
{
	*r = (report){.base = b, .arena = arena_make(b)};
	r->last_value = &r->first_value;
	r->last_move = &r->first_move;
	return r->arena;
}

void report_free(report *r)
{
	arena_free(r->arena);
	*r = (report){0};
}

const char *report_keep(report *r, str *s)
{
	const char *text = s->lost ? NULL : arena_str(r->arena, s->s ? s->s : "");

	str_free(s);
	r->lost = r->lost || !text;
	return text;
}

const char *report_keep_text(report *r, const char *text)
{
	const char *own = arena_str(r->arena, text);

	r->lost = r->lost || !own;
	return own;
}

const char *report_keep_place(report *r, const char *where)
{
	return where ? report_keep_text(r, base_name(where)) : NULL;
}

const char *report_keep_type(report *r, const type *t, const axis *axes, int naxes)
{
	str s = {.base = r->base};

	type_text(&s, t, axes, naxes);
	return report_keep(r, &s);
}

const char *report_keep_axes(report *r, const axis *axes, const ints *entries)
{
	str s = {.base = r->base};

	for (int i = 0; i < entries->n; i++)
		str_printf(&s, "%s%s", i ? "*" : "", axes[entries->v[i]].name);
	return report_keep(r, &s);
}

static double bytes_of(const type *t) { return (double)t->size * (double)tsr_dtype_size(t->dtype); }

/* ---- the walk */

typedef struct counting {
	report *r;
	const report_move **numbered; /* moves by their number */
	size_t cap;
} counting;
typedef struct repeated { /* how often a program runs, and at each turn of a while */
	double times;
	bool in_while;
} repeated;

static bool number_moves(counting *c)
{
	report *r = c->r;

	c->numbered = arena_array(r->arena, (size_t)r->nmoves + 1, sizeof *c->numbered);
	for (const report_move *m = r->first_move; c->numbered && m; m = m->next)
		c->numbered[m->number] = m;
	return c->numbered;
}

static void count_collective(counting *c, const program *p, const eqn *e, repeated n)
{
	report *r = c->r;
	void *all = r->collective;
	const type **t = arena_array(r->arena, (size_t)(e->nin + e->nout) + 1, sizeof *t);

	const size_t n_all = (size_t)r->ncollectives;
	if (!t || !mem_room(r->base, &all, n_all, &c->cap, sizeof *r->collective)) {
		r->lost = true;
		return;
	}
	for (int i = 0; i < e->nin; i++) t[i] = type_of(p, e->in[i]);
	for (int i = 0; i < e->nout; i++) t[e->nin + i] = type_of(p, e->out[i]);
	const double bytes = eqn_received(e, t, t + e->nin, p->axes);
	const double ns = collectives_ns(collective_level(p, e->params), 1, bytes);
	r->collective = all;
	r->collective[r->ncollectives] = (report_collective){
		.index = r->ncollectives,
		.move = c->numbered[e->cause],
		.row = e->prim->name,
		.axes = report_keep_axes(r, p->axes, &((const collective *)e->params)->axes),
		.type = report_keep_type(r, t[0], p->axes, p->naxes),
		.becomes = report_keep_type(r, t[e->nin], p->axes, p->naxes),
		.bytes = bytes,
		.ns = ns,
		.times = n.times,
		.in_while = n.in_while,
		.where = report_keep_place(r, e->where)};
	r->ncollectives++;
	r->bytes += bytes * n.times;
	r->ns += ns * n.times;
	r->in_while = r->in_while || n.in_while;
}

static void count_program(counting *c, const program *p, repeated n)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		repeated in = n;
		if (eqn_exchanges(e) && !eqn_program(e) && e->prim != &tsr__prim_assume_equal)
			count_collective(c, p, e, n);
		c->r->flops += n.times * eqn_operations(p, e);
		if (e->prim == &tsr__prim_scan)
			in.times *= (double)((const scan_params *)e->params)->length;
		in.in_while = n.in_while || e->prim == &tsr__prim_while;
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			count_program(c, k.program, in);
	}
}

/* ---- memory: which lines' values are there when most is. A value lives from the equation that
 * makes it to the last one that reads it:
 *
 *     %2: f32[64] = sort %0        256 bytes
 *     %3: f32[64] = cumsum %2      512: %2 and %3
 *     %4: f32[] = reduce_max %3    260: %3 and %4 */
typedef struct living {
	const program *p;
	int *last_use; /* by variable: the last equation that reads it, or what makes it; neqns: a
	                * result; -1: nothing here makes it */
} living;

static double inner_peak(report *, const program *);

static bool living_make(report *r, const program *p, living *l)
{
	*l = (living){p, arena_array(r->arena, (size_t)p->nvars + 1, sizeof *l->last_use)};
	if (!l->last_use) return false;
	for (int v = 0; v < p->nvars; v++) l->last_use[v] = -1;
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		for (int j = 0; j < e->nout; j++) l->last_use[e->out[j].id] = i;
		for (int j = 0; j < e->nin; j++)
			if (l->last_use[e->in[j].id] >= 0) l->last_use[e->in[j].id] = i;
	}
	for (int i = 0; i < p->nout; i++)
		if (l->last_use[p->out[i].id] >= 0) l->last_use[p->out[i].id] = p->neqns;
	return true;
}

/* the bytes that end with equation i, where one operand may be there twice */
static double ending_with(const living *l, int i)
{
	const eqn *e = &l->p->eqns[i];
	double bytes = 0;

	for (int j = 0; j < e->nin; j++) {
		bool again = false;
		for (int k = 0; k < j; k++) again = again || e->in[k].id == e->in[j].id;
		if (!again && l->last_use[e->in[j].id] == i)
			bytes += bytes_of(type_of(l->p, e->in[j]));
	}
	for (int j = 0; j < e->nout; j++)
		if (l->last_use[e->out[j].id] == i) bytes += bytes_of(type_of(l->p, e->out[j]));
	return bytes;
}

/* the equation during which most is there, and what that is */
static double peak_of(report *r, const living *l, int *at)
{
	double most = 0, there = 0;

	*at = -1;
	for (int i = 0; i < l->p->neqns; i++) {
		const eqn *e = &l->p->eqns[i];
		const bool kernel = e->prim == &tsr__prim_call;
		double inside = 0;
		for (int j = 0; j < e->nout; j++) there += bytes_of(type_of(l->p, e->out[j]));
		for (inner k = {0}; !kernel && inner_next(e->prim, e->params, &k);) {
			const double of = inner_peak(r, k.program);
			if (of > inside) inside = of;
		}
		if (there + inside > most) {
			*at = i;
			most = there + inside;
		}
		there -= ending_with(l, i);
	}
	return most;
}

static double inner_peak(report *r, const program *p)
{
	living l;
	int at;

	return living_make(r, p, &l) ? peak_of(r, &l, &at) : 0;
}

/* what is there while equation i runs, by the line that made it */
static void find_lines(report *r, const living *l, int i)
{
	for (int k = 0; k <= i; k++) {
		const eqn *e = &l->p->eqns[k];
		const char *where = e->where ? base_name(e->where) : "";
		double bytes = 0;
		int m = 0;
		for (int j = 0; j < e->nout; j++)
			if (l->last_use[e->out[j].id] >= i)
				bytes += bytes_of(type_of(l->p, e->out[j]));
		if (!bytes) continue;
		while (m < r->nlines && strcmp(r->line[m].where, where) != 0) m++;
		if (m == r->nlines)
			r->line[r->nlines++] = (report_line){report_keep_text(r, where), 0};
		if (r->lost) return;
		r->line[m].bytes += bytes;
	}
}

static int larger_first(const void *a, const void *b)
{
	const report_line *x = a, *y = b;

	return x->bytes == y->bytes ? strcmp(x->where, y->where) : x->bytes < y->bytes ? 1 : -1;
}

/* kernels keep no values between their equations, so the program is fused first */
static bool find_memory(report *r, const program *p)
{
	living l;
	int at;

	if (!living_make(r, p, &l)) return false;
	r->line = arena_array(r->arena, (size_t)p->neqns + 1, sizeof *r->line);
	if (!r->line) return false;
	for (int i = 0; i < p->nin; i++) r->argument_bytes += bytes_of(type_of(p, p->in[i]));
	for (int i = 0; i < p->nout; i++) r->result_bytes += bytes_of(type_of(p, p->out[i]));
	r->peak_bytes = r->argument_bytes + peak_of(r, &l, &at);
	if (at >= 0) find_lines(r, &l, at);
	if (!r->lost) qsort(r->line, (size_t)r->nlines, sizeof *r->line, larger_first);
	return !r->lost;
}

/* ---- all of it */

static int dearer_first(const void *a, const void *b)
{
	const report_collective *x = a, *y = b;
	const double p = x->ns * x->times, q = y->ns * y->times;

	return p == q ? x->index - y->index : p < q ? 1 : -1;
}

bool report_program(report *r, const program *p)
{
	counting c = {.r = r};
	report_collective *own = NULL;

	if (!number_moves(&c)) return false;
	count_program(&c, p, (repeated){1, false});
	if (r->ncollectives && !r->lost)
		own = arena_copy(r->arena, r->collective, (size_t)r->ncollectives * sizeof *own);
	mem_free(r->base, r->collective);
	r->collective = own;
	if (r->lost || (r->ncollectives && !own)) return false;
	if (own) qsort(own, (size_t)r->ncollectives, sizeof *own, dearer_first);
	program *fused = pass_fuse(p, target_of(instructions_chosen()));
	const bool ok = fused && find_memory(r, fused);
	program_release(fused);
	return ok;
}
