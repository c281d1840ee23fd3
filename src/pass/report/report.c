/* report.c - counts the collectives of a per-device program, and what it computes and keeps.
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

static double bytes_of(const type *t) { return (double)t->size * (double)tsr_dtype_size(t->dtype); }

/* ---- the walk */

typedef struct counting {
	report *r;
	double times; /* that the program runs */
	bool in_while, failed;
	size_t cap;
} counting;

static const char *kept(counting *c, str *s)
{
	const char *text = s->lost ? NULL : arena_str(c->r->arena, s->s ? s->s : "");

	str_free(s);
	c->failed = c->failed || !text;
	return text;
}

static const char *type_kept(counting *c, const program *p, var v)
{
	str s = {.base = c->r->base};

	type_text(&s, type_of(p, v), p->axes, p->naxes);
	return kept(c, &s);
}

static const report_move *move_numbered(const report *r, int32_t number)
{
	const report_move *m = r->first_move;

	while (m && m->number != number) m = m->next;
	return number ? m : NULL;
}

static void count_collective(counting *c, const program *p, const eqn *e)
{
	report *r = c->r;
	const ints *over = &((const collective *)e->params)->axes;
	str axes = {.base = r->base};

	if (!mem_room(r->base, (void **)&r->collective, (size_t)r->ncollectives, &c->cap,
	              sizeof *r->collective)) {
		c->failed = true;
		return;
	}
	for (int i = 0; i < over->n; i++)
		str_printf(&axes, "%s%s", i ? "*" : "", p->axes[over->v[i]].name);
	const type **t = arena_array(r->arena, (size_t)(e->nin + e->nout) + 1, sizeof *t);
	for (int i = 0; t && i < e->nin; i++) t[i] = type_of(p, e->in[i]);
	for (int i = 0; t && i < e->nout; i++) t[e->nin + i] = type_of(p, e->out[i]);
	const double bytes = t ? eqn_received(e, t, t + e->nin, p->axes) : 0;
	r->collective[r->ncollectives++] = (report_collective){
		.move = move_numbered(r, e->cause),
		.row = e->prim->name,
		.axes = kept(c, &axes),
		.type = type_kept(c, p, e->in[0]),
		.becomes = type_kept(c, p, e->out[0]),
		.bytes = bytes,
		.ns = collectives_ns(1, bytes),
		.times = c->times,
		.in_while = c->in_while,
		.where = e->where ? arena_str(r->arena, base_name(e->where)) : NULL};
	r->bytes += bytes * c->times;
	r->ns += collectives_ns(1, bytes) * c->times;
	r->in_while = r->in_while || c->in_while;
	c->failed = c->failed || !t;
}

static void count_program(counting *c, const program *p)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		counting in = *c;
		if (eqn_exchanges(e) && !eqn_program(e) && e->prim != &tsr__prim_assume_equal)
			count_collective(c, p, e);
		c->r->flops += c->times * eqn_operations(p, e);
		if (e->prim == &tsr__prim_scan)
			in.times *= (double)((const scan_params *)e->params)->length;
		in.in_while = c->in_while || e->prim == &tsr__prim_while;
		for (inner k = {0}; inner_next(e->prim, e->params, &k);) {
			in.cap = c->cap;
			count_program(&in, k.program);
			c->cap = in.cap;
			c->failed = c->failed || in.failed;
		}
	}
}

/* ---- memory: which lines' values are there when most is */

typedef struct living { /* a program, one equation after the other */
	report *r;
	const program *p;
	int *last_use; /* by variable: the last equation that reads it; neqns: a result */
} living;

static double inner_peak(report *, const program *);

/* bytes of what is there while equation i runs: what was made before and is read then or later, and
 * what it makes itself. By line, if lines are asked for */
static double bytes_during(const living *l, int i, report_line *lines, int *n)
{
	double all = 0;

	for (int k = 0; k <= i; k++) {
		const eqn *e = &l->p->eqns[k];
		double bytes = 0;
		for (int j = 0; j < e->nout; j++)
			if (l->last_use[e->out[j].id] >= i)
				bytes += bytes_of(type_of(l->p, e->out[j]));
		all += bytes;
		for (int m = 0; lines && bytes && m <= *n; m++) {
			const char *where = e->where ? base_name(e->where) : "";
			if (m == *n) lines[(*n)++] = (report_line){where, bytes};
			else if (strcmp(lines[m].where, where) == 0) lines[m].bytes += bytes;
			else continue;
			break;
		}
	}
	return all;
}

static bool living_make(report *r, const program *p, living *l)
{
	*l = (living){r, p, arena_array(r->arena, (size_t)p->nvars + 1, sizeof *l->last_use)};
	if (!l->last_use) return false;
	for (int v = 0; v < p->nvars; v++) l->last_use[v] = -1;
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		for (int j = 0; j < e->nin; j++) l->last_use[e->in[j].id] = i;
	}
	for (int i = 0; i < p->nout; i++) l->last_use[p->out[i].id] = p->neqns;
	return true;
}

/* the equation during which most is there, and what that is */
static double peak_of(const living *l, int *at)
{
	double most = 0;

	*at = -1;
	for (int i = 0; i < l->p->neqns; i++) {
		const eqn *e = &l->p->eqns[i];
		double bytes = bytes_during(l, i, NULL, NULL), inside = 0;
		const bool kernel = e->prim == &tsr__prim_call;
		for (inner k = {0}; !kernel && inner_next(e->prim, e->params, &k);) {
			const double of = inner_peak(l->r, k.program);
			if (of > inside) inside = of;
		}
		bytes += inside;
		if (bytes > most) *at = i;
		if (bytes > most) most = bytes;
	}
	return most;
}

static double inner_peak(report *r, const program *p)
{
	living l;
	int at;

	return living_make(r, p, &l) ? peak_of(&l, &at) : 0;
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
	r->peak_bytes = r->argument_bytes + peak_of(&l, &at);
	if (at >= 0) bytes_during(&l, at, r->line, &r->nlines);
	for (int i = 0; i < r->nlines; i++)
		if (!(r->line[i].where = arena_str(r->arena, r->line[i].where))) return false;
	qsort(r->line, (size_t)r->nlines, sizeof *r->line, larger_first);
	return true;
}

/* ---- all of it */

static int dearer_first(const void *a, const void *b)
{
	const report_collective *x = a, *y = b;
	const double p = x->ns * x->times, q = y->ns * y->times;

	return p == q ? 0 : p < q ? 1 : -1;
}

bool report_program(report *r, const program *p)
{
	counting c = {.r = r, .times = 1};
	report_collective *own = NULL;

	count_program(&c, p);
	if (r->ncollectives && !c.failed)
		own = arena_copy(r->arena, r->collective, (size_t)r->ncollectives * sizeof *own);
	mem_free(r->base, r->collective);
	r->collective = own;
	if (c.failed || (r->ncollectives && !own)) return false;
	if (own) qsort(own, (size_t)r->ncollectives, sizeof *own, dearer_first);
	program *fused = pass_fuse(p, target_of(instructions_chosen()));
	const bool ok = fused && find_memory(r, fused);
	program_release(fused);
	return ok;
}
