/* crossing.c - what groups with members in other processes need of these: messages.
 *
 * Device 0 is in this process, device 1 in process 1:
 *
 *     pass replicate 10
 *     axes (x of (x:2)) f(%0: f32[2]{x}) -> f32[2] {
 *       %1: f32[2] = psum %0 axes=(x) to=invarying
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[2]) -> f32[2] {
 *       %1: f32[2] = transfer_begin %0 number=1 to=[1] from=[1] types=[f32[2]]
 *       %2: f32[2] = transfer_end %0 %1 number=1 to=[1] from=[1] types=[f32[2]]
 *       %3: f32[2] = add %0 %2
 *       return %3
 *     }
 *     operand 0 on each device: 0
 *     result 0 on each device: 0
 *
 * Each process sends the operands of its members to all others of the group, receives theirs, and
 * then computes what its own members get, as if all were here. Between two processes there is one
 * message for each dtype, of what all groups need that both are in.
 *
 * Who sends what to whom must be known on both sides. So nothing decides it that one process knows
 * alone, such as equal operands, or results that nothing here needs. What types and positions in
 * the mesh say is the same everywhere: messages of an equation go in the order of the groups'
 * numbers; where a predicate varies, those at one place on its axes go together, and these places
 * in their order. */
#include <stdlib.h>
#include "pass/replicate.h"

/* ---- what is sent and received, as a list of pieces */

typedef struct piece {
	int peer;
	const type *type;
	int number; /* in the list, as it was made */
	var v;      /* that is sent; where `to` is NULL */
	var *to;    /* that gets what is received */
} piece;

typedef struct pieces {
	piece *v;
	int n;
	var *value;     /* by message */
	int64_t *peer;  /* likewise */
	const type **t; /* likewise */
	int nmessages;
} pieces;

typedef struct fetching {
	replicating *r;
	const eqn *e;
	int own;  /* this process */
	pieces out, in;
} fetching;

static int process_of(const fetching *f, int64_t device)
{
	return f->r->all->devices[device].process;
}

static int compare_ints(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* the other processes of a group, ascending; *n of them */
static int *peers_of(const fetching *f, const group *g, int *n)
{
	int *list = arena_array(f->r->all->arena, (size_t)g->n, sizeof *list), unique = 0;

	for (int m = 0; list && m < g->n; m++) list[m] = process_of(f, g->device[m]);
	if (!list) return NULL;
	qsort(list, (size_t)g->n, sizeof *list, compare_ints);
	for (int m = 0; m < g->n; m++)
		if (list[m] != f->own && (!unique || list[unique - 1] != list[m]))
			list[unique++] = list[m];
	*n = unique;
	return list;
}

static void add(pieces *p, piece x)
{
	x.number = p->n;
	p->v[p->n++] = x;
}

/* of operand i, unless its value is known everywhere */
static bool list_operand(fetching *f, group *g, const int *peer, int npeers, int i)
{
	const program *p = f->r->from;
	const type *t = type_vary(p->ir, type_of(p, f->e->in[i]), 0);
	const bool literal = p->vars[f->e->in[i].id].literal;

	for (int m = 0; t && m < g->n; m++) {
		var *x = &g->x[i * g->n + m];
		if (literal)
			*x = copy_at(&f->r->value[f->e->in[i].id], 0);
		else if (!t->size)
			*x = emit_zeros(f->r->to, t);
		else if (g->member[m] < 0)
			add(&f->in, (piece){process_of(f, g->device[m]), t, 0, {0}, x});
		else
			for (int k = 0; k < npeers; k++)
				add(&f->out, (piece){peer[k], t, 0, *x, NULL});
	}
	return t;
}

static bool list_group(fetching *f, group *g)
{
	int npeers;
	const int *peer = g->crosses ? peers_of(f, g, &npeers) : NULL;

	if (!g->crosses) return true;
	for (int i = 0; peer && i < f->e->nin; i++)
		if (!list_operand(f, g, peer, npeers, i)) return false;
	return peer;
}

/* one after the other what becomes one message */
static int compare_pieces(const void *a, const void *b)
{
	const piece *x = a, *y = b;

	if (x->peer != y->peer) return x->peer < y->peer ? -1 : 1;
	if (x->type->dtype != y->type->dtype) return x->type->dtype < y->type->dtype ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* the end of the message that begins with piece `first`, and its elements */
static int message_end(const pieces *p, int first, int64_t *size)
{
	int i = first;

	for (*size = 0; i < p->n && p->v[i].peer == p->v[first].peer &&
	                p->v[i].type->dtype == p->v[first].type->dtype;
	     i++)
		*size += p->v[i].type->size;
	return i;
}

static bool pieces_room(fetching *f, pieces *p, size_t n)
{
	arena *a = f->r->all->arena;

	*p = (pieces){.v = arena_array(a, n + 1, sizeof *p->v),
	              .value = arena_array(a, n + 1, sizeof *p->value),
	              .peer = arena_array(a, n + 1, sizeof *p->peer),
	              .t = arena_array(a, n + 1, sizeof *p->t)};
	return p->v && p->value && p->peer && p->t;
}

/* ---- messages */

/* several pieces are one row of elements */
static var pack(build *b, arena *a, const pieces *p, int first, int end)
{
	var *row = arena_array(a, (size_t)(end - first), sizeof *row);

	if (end - first == 1 || !row) return row ? p->v[first].v : (var){0};
	for (int i = first; i < end; i++)
		row[i - first] = emit_reshape(b, p->v[i].v, &p->v[i].type->size, 1);
	return emit_join(b, row, end - first, 0);
}

static bool list_messages(fetching *f, pieces *p, bool out)
{
	build *b = f->r->to;
	int64_t size;

	qsort(p->v, (size_t)p->n, sizeof *p->v, compare_pieces);
	for (int i = 0, end; i < p->n; i = end) {
		const int k = p->nmessages++;
		const type *t = p->v[i].type;
		end = message_end(p, i, &size);
		p->peer[k] = p->v[i].peer;
		p->t[k] = end - i == 1 ? t : type_make(build_ir(b), t->dtype, &size, 1, 0);
		if (!p->t[k]) return false;
		if (out) p->value[k] = pack(b, f->r->all->arena, p, i, end);
	}
	return !build_failed(b);
}

static bool emit_transfer(fetching *f)
{
	build *b = f->r->to;
	const eqn *e = f->e;
	const int nout = f->out.nmessages, nin = f->in.nmessages;
	const transfer_params p = {++f->r->all->transfers,
	                           {nout, f->out.peer},
	                           {nin, f->in.peer},
	                           {nin, f->in.t}};
	var *held = arena_array(f->r->all->arena, (size_t)(nout + nin) + 1, sizeof *held);

	if (!held) return false;
	memcpy(held, f->out.value, (size_t)nout * sizeof *held);
	return build_eqn_exact(b, &tsr__prim_transfer_begin, &p, held, nout, held + nout, e->where,
	                       e->note) &&
	       build_eqn_exact(b, &tsr__prim_transfer_end, &p, held, nout + nin, f->in.value,
	                       e->where, e->note);
}

static bool unpack(fetching *f)
{
	build *b = f->r->to;
	const pieces *p = &f->in;
	int64_t size;

	for (int i = 0, k = 0, end; i < p->n; i = end, k++) {
		end = message_end(p, i, &size);
		const bool alone = end - i == 1;
		if (alone) *p->v[i++].to = p->value[k];
		for (int64_t at = 0; i < end; at += p->v[i++].type->size) {
			const type *t = p->v[i].type;
			const var part = emit_part(b, p->value[k], 0, at, at + t->size);
			*p->v[i].to = emit_reshape(b, part, t->dims, t->ndim);
		}
	}
	return !build_failed(b);
}

bool fetch_operands(replicating *r, const eqn *e, group *g, int n)
{
	fetching f = {.r = r, .e = e, .own = r->all->devices[r->all->set.device[0]].process};
	size_t nout = 0, nin = 0;

	for (int k = 0; k < n; k++) {
		size_t here = 0, all = (size_t)g[k].n;
		for (int m = 0; m < g[k].n; m++) here += g[k].member[m] >= 0;
		nin += g[k].crosses ? (all - here) * (size_t)e->nin : 0;
		nout += g[k].crosses ? (all - here) * here * (size_t)e->nin : 0;
	}
	if (!pieces_room(&f, &f.out, nout) || !pieces_room(&f, &f.in, nin)) return false;
	for (int k = 0; k < n; k++)
		if (!list_group(&f, &g[k])) return false;
	if (!list_messages(&f, &f.out, true) || !list_messages(&f, &f.in, false)) return false;
	return !(f.out.nmessages + f.in.nmessages) || (emit_transfer(&f) && unpack(&f));
}

/* ---- what types say */

bool share_results(replicating *r, const eqn *e, var *y)
{
	const crew *t = r->crew;

	for (int j = 0; j < e->nout; j++) {
		var *v = y + (int64_t)j * t->n;
		const instances *of = instances_over(r->all, r->crew,
		                                     type_of(r->from, e->out[j])->varying);
		if (!of) return false;
		for (int k = 0; k < t->n; k++) v[k] = v[of->first[of->of[k]]];
	}
	return true;
}

typedef struct placed_part {
	int64_t place; /* on the axes, as one number */
	int part;
} placed_part;

static int compare_places(const void *a, const void *b)
{
	const int64_t x = ((const placed_part *)a)->place, y = ((const placed_part *)b)->place;

	return (x > y) - (x < y);
}

const int *parts_in_order(replicating *r, crew *const *part, int n, axis_set over)
{
	const program *p = r->all->program;
	arena *a = r->all->arena;
	placed_part *by = arena_array(a, (size_t)n, sizeof *by);
	int *order = arena_array(a, (size_t)n, sizeof *order);

	if (!by || !order) return NULL;
	for (int c = 0; c < n; c++) by[c].part = c;
	for (int i = 0; i < p->naxes; i++) {
		const mesh *m = p->axes[i].mesh;
		int64_t *at;
		if (!(over >> i & 1)) continue;
		if (!mesh_positions(r->all->base, a, m, r->all->set, &at)) return NULL;
		for (int c = 0; c < n; c++)
			by[c].place = by[c].place * p->axes[i].size +
			              mesh_coordinate(m, at[part[c]->device[0]],
			                              p->axes[i].position);
	}
	qsort(by, (size_t)n, sizeof *by, compare_places);
	for (int c = 0; c < n; c++) order[c] = by[c].part;
	return order;
}
