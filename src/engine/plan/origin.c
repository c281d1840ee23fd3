/* origin.c - kernels that differ only in where they begin to read their operands are one kernel.
 *
 * Such a kernel gets the addresses where the reading begins. So when each device works on its own
 * slice of a value, all of them share one kernel. No result is computed in place of an operand of
 * which only parts are read. Small values are always passed whole, since routines keep them in
 * registers.
 *
 * Example, two halves:
 *
 *     f(%0: f32[1024]) -> f32[512], f32[512] {
 *       %1: f32[512] = slice %0 start=[0] stop=[512] step=[1]
 *       %2: f32[512] = sin %1
 *       %3: f32[512] = slice %0 start=[512] stop=[1024] step=[1]
 *       %4: f32[512] = sin %3
 *       return %2 %4
 *     }
 *
 * The second kernel becomes the first one, on an address that is 512 elements further:
 *
 *     the plan of f: 2 steps, 0 bytes of scratch memory
 *       kernel 0: slice sin
 *       0  kernel 0  in0 -> out0  ..
 *       1  kernel 0  in0+2048 -> out1  .. */
#include "engine/plan/plan.h"

typedef struct reading { /* of an input */
	bool all;        /* something other than a slice reads it */
	int64_t *first;  /* by dim: the least start of its slices; NULL: there are none */
	int64_t begin;   /* the first byte that is read; of inputs only */
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

/* by variable; only those of inputs are used. NULL: no memory */
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

	if (r->all || !r->first || value_bytes(t) <= TUNE_REGISTER_BYTES) return 0;
	for (int d = 0; d < t->ndim; d++) begin = begin * t->dims[d] + r->first[d];
	return begin * (int64_t)tsr_dtype_size(t->dtype);
}

static ints moved(arena *a, ints x, const int64_t *first)
{
	int64_t *v = arena_copy(a, x.v, (size_t)x.n * sizeof *v);

	for (int d = 0; v && d < x.n; d++) v[d] -= first[d];
	return (ints){x.n, v};
}

/* copies an equation; the slices of an input that begins elsewhere are moved along */
static bool copy_moved(void *readings, value_map *v, const eqn *e)
{
	const slice_params *was = slicing_of(e);
	const reading *r = was ? (const reading *)readings + e->in[0].id : NULL;

	if (!was || !r->begin) return copy_equation(v, e);
	arena *a = build_arena(v->to);
	const slice_params s = {moved(a, was->start, r->first), moved(a, was->stop, r->first),
	                        was->step};
	eqn own = *e;
	own.params = &s;
	return s.start.v && s.stop.v && copy_equation(v, &own);
}

const program *program_at_origin(arena *a, const program *p, const int64_t **begin)
{
	reading *r = readings_find(a, p);
	int64_t *from = arena_array(a, (size_t)p->nin + 1, sizeof *from);
	bool any = false;

	if (!r || !from) return NULL;
	for (int i = 0; i < p->nin; i++) {
		reading *x = &r[p->in[i].id];
		from[i] = x->begin = begin_of(x, type_of(p, p->in[i]));
		any = any || from[i];
	}
	*begin = from;
	if (any) return copy_with(p, copy_moved, r);
	program_retain(p);
	return p;
}
