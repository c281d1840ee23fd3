/* body.c - the program of a call, from the equations of a group.
 *
 * Groups of the same structure give equal programs, in whatever order their equations come: results
 * are ordered by what they are made of, equations by a walk from the results, inputs by their first
 * use in that walk. Here a sine and a cosine come in different orders, and from different operands:
 *
 *     pass fuse
 *     f(%0: f32[64], %1: f32[64]) -> f32[64], f32[64] {
 *       %2: f32[64] = sin %0
 *       %3: f32[64] = cos %1
 *       %4: f32[64] = mul %2 %3
 *       %5: f32[64] = sort %4 dim=0 num_keys=1
 *       %6: f32[64] = cos %5
 *       %7: f32[64] = sin %1
 *       %8: f32[64] = mul %7 %6
 *       return %4 %8
 *     }
 *     gives
 *     f(%0: f32[64], %1: f32[64]) -> f32[64], f32[64] {
 *       %2: f32[64] = call %0 %1 program=mul(%0: f32[64], %1: f32[64]) -> f32[64] {
 *         %2: f32[64] = sin %0
 *         %3: f32[64] = cos %1
 *         %4: f32[64] = mul %2 %3
 *         return %4
 *       }
 *       %3: f32[64] = sort %2 dim=0 num_keys=1
 *       %4: f32[64] = call %1 %3 program=mul(%0: f32[64], %1: f32[64]) -> f32[64] {
 *         %2: f32[64] = sin %0
 *         %3: f32[64] = cos %1
 *         %4: f32[64] = mul %2 %3
 *         return %4
 *       }
 *       return %2 %4
 *     }
 *
 * Both calls hold one program, so there is one kernel. */
#include "pass/fuse/fuse.h"

typedef struct making {
	fuse *f;
	spot *spots; /* by variable */
	int32_t mark;
	build *b;
	body *to;
} making;

/* ---- hashes */

static uint64_t operand_hash(const making *m, var v, uint64_t hash)
{
	const var_info *info = &m->f->p->vars[v.id];
	const spot *s = &m->spots[v.id];

	if (info->literal)
		hash = hash_bytes(info->literal, tsr_dtype_size(info->type->dtype), hash);
	return hash_u64(s->group == m->mark ? s->hash : info->type->hash, hash);
}

static uint64_t eqn_hash(const making *m, const eqn *e)
{
	uint64_t hash = hash_str(e->prim->name, (uint64_t)e->nin);

	for (int i = 0; i < e->nin; i++) hash = operand_hash(m, e->in[i], hash);
	return e->prim->params ? hash_u64(params_hash(e->prim->params, e->params), hash) : hash;
}

/* results by falling number of dims, then by what they are made of */
static bool stands_before(const making *m, var a, var b)
{
	const int na = type_of(m->f->p, a)->ndim, nb = type_of(m->f->p, b)->ndim;

	return na != nb ? na > nb : m->spots[a.id].hash < m->spots[b.id].hash;
}

static void put_result(making *m, var v)
{
	int at = m->to->nout++;

	for (; at > 0 && stands_before(m, v, m->to->out[at - 1]); at--)
		m->to->out[at] = m->to->out[at - 1];
	m->to->out[at] = v;
}

static void read_members(making *m, const group *g)
{
	for (const member *x = g->members; x; x = x->next) {
		const eqn *e = &m->f->p->eqns[x->eqn];
		spot *s = &m->spots[x->var];
		s->hash = eqn_hash(m, e) + (uint64_t)(x->var - e->out[0].id);
		s->group = m->mark;
		s->by = e;
		s->inside = (var){0};
		if (x->stored) put_result(m, (var){x->var});
	}
}

/* ---- equations */

static var value_in(making *m, var v);

/* all results of an equation, of which the group has some */
static void make_in(making *m, const eqn *e)
{
	var *x = arena_array(m->f->scratch, (size_t)(e->nin + e->nout) + 1, sizeof *x);
	bool ok = x;

	for (int i = 0; ok && i < e->nin; i++) ok = (x[i] = value_in(m, e->in[i])).id;
	var *y = x + e->nin;
	if (!ok || !build_eqn_exact(m->b, e->prim, e->params, x, e->nin, y, e->where, e->note))
		return;
	for (int k = 0; k < e->nout; k++) m->spots[e->out[k].id].inside = y[k];
}

static var value_in(making *m, var v)
{
	spot *s = &m->spots[v.id];
	const var_info *info = &m->f->p->vars[v.id];

	if (s->group != m->mark) *s = (spot){.group = m->mark};
	if (s->inside.id) return s->inside;
	if (info->literal)
		s->inside = build_literal_as(m->b, info->type, info->literal);
	else if (s->by)
		make_in(m, s->by);
	else if ((s->inside = build_input(m->b, info->type)).id)
		m->to->in[m->to->nin++] = v;
	return s->inside;
}

static int most_inputs(const fuse *f, const group *g)
{
	int n = 0;

	for (const member *x = g->members; x; x = x->next) n += f->p->eqns[x->eqn].nin;
	return n;
}

static program *body_end(making *m)
{
	var *out = arena_array(m->f->scratch, (size_t)m->to->nout + 1, sizeof *out);
	bool ok = out;

	for (int i = 0; ok && i < m->to->nout; i++) ok = (out[i] = value_in(m, m->to->out[i])).id;
	return remade(m->b, ok, out, m->to->nout);
}

bool body_make(fuse *f, spot *spots, int32_t at, body *to)
{
	const group *g = &f->groups[at];
	making m = {.f = f, .spots = spots, .mark = at + 1, .to = to};

	*to = (body){.in = arena_array(f->scratch, (size_t)most_inputs(f, g) + 1, sizeof(var)),
	             .out = arena_array(f->scratch, (size_t)g->nmembers + 1, sizeof(var))};
	if (!to->in || !to->out) return false;
	read_members(&m, g);
	const eqn *first = spots[to->out[0].id].by;
	to->where = first->where;
	m.b = build_begin(f->p->ir, first->prim->name, f->p->axes, f->p->naxes);
	return m.b && (to->program = body_end(&m));
}
