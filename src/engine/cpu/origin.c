/* origin.c - kernels that differ only in where the parts begin that they read of their operands are
 * one kernel, which gets the addresses of these parts: what each device does to its own slice.
 * Nothing is made in place of an operand of which only parts are read; small values, which routines
 * keep in registers, are seen as a whole. */
#include "engine/cpu/cpu.h"

typedef struct reading { /* of an input */
	bool all;        /* not in slices alone */
	int64_t *first;  /* by dim: the least start of its slices; NULL: there are none */
} reading;

static const slice_params *slicing_of(const eqn *e)
{
	return e->prim == &tsr__prim_slice ? e->params : NULL;
}

static bool read_slice(arena *a, reading *r, const slice_params *s)
{
	if (!r->first) {
		r->first = arena_copy(a, s->start.v, (size_t)s->start.n * sizeof *r->first);
		return r->first;
	}
	for (int d = 0; d < s->start.n; d++)
		if (s->start.v[d] < r->first[d]) r->first[d] = s->start.v[d];
	return true;
}

/* by variable; of use for inputs only. NULL: no memory */
static reading *readings_find(arena *a, const program *p)
{
	reading *r = arena_array(a, (size_t)p->nvars, sizeof *r);

	for (int i = 0; r && i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		const slice_params *s = slicing_of(e);
		for (int k = 0; k < e->nin; k++)
			if (!s)
				r[e->in[k].id].all = true;
			else if (!read_slice(a, &r[e->in[k].id], s))
				return NULL;
	}
	for (int i = 0; r && i < p->nout; i++) r[p->out[i].id].all = true;
	return r;
}

/* bytes before what is read */
static int64_t begin_of(const reading *r, const type *t)
{
	int64_t begin = 0;

	if (r->all || !r->first || value_bytes(t) <= SMALL_BYTES) return 0;
	for (int d = 0; d < t->ndim; d++) begin = begin * t->dims[d] + r->first[d];
	return begin * (int64_t)tsr_dtype_size(t->dtype);
}

static ints moved(arena *a, ints x, const int64_t *first)
{
	int64_t *v = arena_copy(a, x.v, (size_t)x.n * sizeof *v);

	for (int d = 0; v && d < x.n; d++) v[d] -= first[d];
	return (ints){x.n, v};
}

/* an equation on operands whose parts begin where they are read */
static bool copy_moved(value_map *v, const eqn *e, const reading *r)
{
	const var *in = values_list(v, e->in, e->nin);
	var *out = arena_array(build_arena(v->to), (size_t)e->nout + 1, sizeof *out);
	eqn own = *e;
	slice_params s;

	if (!in || !out) return false;
	if (r) {
		s = *slicing_of(e);
		s.start = moved(build_arena(v->to), s.start, r->first);
		s.stop = moved(build_arena(v->to), s.stop, r->first);
		own.params = &s;
		if (!s.start.v || !s.stop.v) return false;
	}
	return build_copy(v->to, &own, v->from->naxes, in, out, NULL) && values_set(v, e, out);
}

static const program *program_moved(const program *p, const reading *r, const int64_t *begin)
{
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	value_map v;
	bool ok = b && values_init(&v, p, b);
	var *in = ok ? inputs_like(b, p, 0) : NULL;
	bool *moves = ok ? arena_array(build_arena(b), (size_t)p->nvars, sizeof *moves) : NULL;

	ok = in && moves;
	for (int i = 0; ok && i < p->nin; i++) {
		v.of[p->in[i].id] = in[i];
		moves[p->in[i].id] = begin[i] != 0;
	}
	for (int i = 0; ok && i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		ok = copy_moved(&v, e,
		                slicing_of(e) && moves[e->in[0].id] ? &r[e->in[0].id] : NULL);
	}
	const var *out = ok ? values_list(&v, p->out, p->nout) : NULL;
	if (out) return build_end(b, out, p->nout);
	build_abandon(b);
	return NULL;
}

const program *program_at_origin(arena *a, const program *p, const int64_t **begin)
{
	const reading *r = readings_find(a, p);
	int64_t *from = arena_array(a, (size_t)p->nin + 1, sizeof *from);
	bool any = false;

	if (!r || !from) return NULL;
	for (int i = 0; i < p->nin; i++) {
		from[i] = begin_of(&r[p->in[i].id], type_of(p, p->in[i]));
		any = any || from[i];
	}
	*begin = from;
	if (any) return program_moved(p, r, from);
	program_retain(p);
	return p;
}
