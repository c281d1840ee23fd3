/* crossing.c - turns exchanges between processes into messages.
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
 * Each process sends what members elsewhere need of the operands of its own, as the row says
 * (tsr_prim.sends), receives what its own need, and then computes what these get, as if all were
 * here. Sums go other ways (sums.c). Between two processes there is one message for each
 * dtype, of what all groups need that both are in, and one for each large part of that.
 *
 * Who sends what to whom must be known on both sides. So nothing decides it that one process knows
 * alone, such as equal operands, or results that nothing here needs. What types and positions in
 * the mesh say is the same everywhere: messages of an equation go in the order of the groups'
 * numbers; where a predicate varies, those at one place on its axes go together, and these places
 * in their order. */
#include <limits.h>
#include <stdlib.h>
#include "pass/replicate.h"

/* ---- messages of one transfer, as pieces */

struct piece {
	int peer, away; /* away: before this process, around from the first to the last; or in the
	                 * order of the list */
	const type *type;
	int number; /* in the list, as it was made */
	/* It is a message alone: it is sent from where it is, and comes where it is needed. What is
	 * small is cheaper to copy, into one message and out of it */
	bool large;
	var v;   /* that is sent; where `to` is NULL */
	var *to; /* that gets what is received */
};

/* in the order in which processes are first sent to, or received from */
static int place_of(const pieces *p, int peer)
{
	for (int i = 0; i < p->n; i++)
		if (p->v[i].peer == peer) return p->v[i].away;
	return p->n;
}

static bool add(transfer *t, pieces *p, piece x)
{
	replicating *r = t->r;

	if (p->n == p->cap) {
		const int cap = 2 * p->cap + 16;
		piece *v = arena_array(r->all->arena, (size_t)cap, sizeof *v);
		if (!v) return false;
		if (p->n) memcpy(v, p->v, (size_t)p->n * sizeof *v);
		p->v = v;
		p->cap = cap;
	}
	const int64_t bytes = x.type->size * (int64_t)tsr_dtype_size(x.type->dtype);
	const int mine = process_of(r, r->all->set.device[0]);
	x.away = t->ordered      ? place_of(p, x.peer)
	         : x.peer < mine ? mine - x.peer
	                         : INT_MAX - x.peer;
	x.number = p->n;
	x.large = bytes >= TUNE_MESSAGE_ALONE || debugs(r->from->ir, 'w');
	p->v[p->n++] = x;
	return true;
}

bool transfer_send(transfer *t, int peer, var v)
{
	return !build_type(t->r->to, v)->size ||
	       add(t, &t->out, (piece){.peer = peer, .type = build_type(t->r->to, v), .v = v});
}

bool transfer_receive(transfer *t, int peer, const type *of, var *to)
{
	if (of->size) return add(t, &t->in, (piece){.peer = peer, .type = of, .to = to});
	*to = emit_zeros(t->r->to, of);
	return !is_zero(*to);
}

/* One after the other what becomes one message. The nearest process before this one comes first:
 * where all send to all, no two begin with the same */
static int compare_pieces(const void *a, const void *b)
{
	const piece *x = a, *y = b;

	if (x->peer != y->peer) return x->away < y->away ? -1 : 1;
	if (x->type->dtype != y->type->dtype) return x->type->dtype < y->type->dtype ? -1 : 1;
	if (x->large != y->large) return x->large ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

/* the end of the message that begins with piece `first`, and its elements */
static int message_end(const pieces *p, int first, int64_t *size)
{
	int i = first;

	for (*size = 0;
	     i < p->n && p->v[i].peer == p->v[first].peer &&
	     p->v[i].type->dtype == p->v[first].type->dtype && (i == first || !p->v[i].large);
	     i++)
		*size += p->v[i].type->size;
	return i;
}

/* several pieces are one row of elements */
static var pack(build *b, arena *a, const pieces *p, int first, int end)
{
	var *row = arena_array(a, (size_t)(end - first), sizeof *row);

	if (end - first == 1 || !row) return row ? p->v[first].v : (var){0};
	for (int i = first; i < end; i++)
		row[i - first] = emit_reshape(b, p->v[i].v, &p->v[i].type->size, 1);
	return emit_join(b, row, end - first, 0);
}

struct messages {
	int n;
	var *value;
	int64_t *peer;
	const type **type;
};

static bool list_messages(replicating *r, pieces *p, bool out, messages *m)
{
	const size_t room = (size_t)p->n + 1;
	arena *a = r->all->arena;
	int64_t size;

	*m = (messages){0, arena_array(a, room, sizeof *m->value),
	                arena_array(a, room, sizeof *m->peer),
	                arena_array(a, room, sizeof *m->type)};
	if (!m->value || !m->peer || !m->type) return false;
	if (p->n) qsort(p->v, (size_t)p->n, sizeof *p->v, compare_pieces);
	for (int i = 0, end; i < p->n; i = end) {
		const int k = m->n++;
		const type *t = p->v[i].type;
		end = message_end(p, i, &size);
		m->peer[k] = p->v[i].peer;
		m->type[k] = end - i == 1 ? t : type_make(r->from->ir, t->dtype, &size, 1, 0);
		if (!m->type[k]) return false;
		if (out) m->value[k] = pack(r->to, a, p, i, end);
	}
	return !build_failed(r->to);
}

static void unpack(build *b, const pieces *p, const messages *m)
{
	int64_t size;

	for (int i = 0, k = 0, end; i < p->n; i = end, k++) {
		end = message_end(p, i, &size);
		const bool alone = end - i == 1;
		if (alone) *p->v[i++].to = m->value[k];
		for (int64_t at = 0; i < end; at += p->v[i++].type->size) {
			const type *t = p->v[i].type;
			const var part = emit_part(b, m->value[k], 0, at, at + t->size);
			*p->v[i].to = emit_reshape(b, part, t->dims, t->ndim);
		}
	}
}

bool transfer_begin(transfer *t)
{
	replicating *r = t->r;
	messages out, *in = arena_alloc(r->all->arena, sizeof *in);

	t->came = in;
	if (!in || !list_messages(r, &t->out, true, &out) ||
	    !list_messages(r, &t->in, false, in))
		return false;
	if (!out.n && !in->n) return true;
	t->p = (transfer_params){
		++r->all->transfers, {out.n, out.peer}, {in->n, in->peer}, {in->n, in->type}};
	t->held = arena_array(r->all->arena, (size_t)(out.n + in->n), sizeof *t->held);
	if (!t->held) return false;
	memcpy(t->held, out.value, (size_t)out.n * sizeof *t->held);
	return build_eqn_exact(r->to, &tsr__prim_transfer_begin, &t->p, t->held, out.n,
	                       t->held + out.n, t->e->where, t->e->note);
}

bool transfer_end(transfer *t)
{
	build *b = t->r->to;
	const int n = (int)(t->p.to.n + t->p.from.n);

	if (n && !build_eqn_exact(b, &tsr__prim_transfer_end, &t->p, t->held, n, t->came->value,
	                          t->e->where, t->e->note))
		return false;
	unpack(b, &t->in, t->came);
	return !build_failed(b);
}

bool transfer_emit(transfer *t) { return transfer_begin(t) && transfer_end(t); }

/* ---- what members need */

int process_of(const replicating *r, int64_t device) { return r->all->devices[device].process; }

int *members_before(const replicating *r, const group *g)
{
	int most = 0, *before = arena_array(r->all->arena, (size_t)g->n, sizeof *before);

	for (int k = 0; k < g->n; k++)
		if (process_of(r, g->device[k]) > most) most = process_of(r, g->device[k]);
	int *last = mem_array(r->all->base, (size_t)most + 1, sizeof *last); /* 1 + the member */
	for (int p = 0; last && p <= most; p++) last[p] = 0;
	for (int k = 0; before && last && k < g->n; k++) {
		int *of = &last[process_of(r, g->device[k])];
		before[k] = *of - 1;
		*of = k + 1;
	}
	mem_free(r->all->base, last);
	return last ? before : NULL;
}

typedef struct gathering { /* for one equation */
	replicating *r;
	const eqn *e;
	const type **t; /* of its operands */
	transfer transfer;
} gathering;

static bool is_literal(const gathering *f, int i)
{
	return f->r->from->vars[f->e->in[i].id].literal;
}

/* the box of operand i of member `from` that `to` needs; false: none */
static bool box_of(const gathering *f, const group *g, int i, int from, int to, index_range *box)
{
	const type *t = f->t[i];

	for (int d = 0; d < t->ndim; d++) box[d] = (index_range){0, t->dims[d]};
	return !f->e->prim->sends || f->e->prim->sends(f->e, f->t, g->n, i, from, to, box);
}

static var cut_out(build *b, var x, const type *t, const index_range *box)
{
	for (int d = 0; d < t->ndim; d++)
		if (box[d].first || box[d].end < t->dims[d])
			x = emit_part(b, x, d, box[d].first, box[d].end);
	return x;
}

static const type *type_of_box(const gathering *f, const type *t, const index_range *box)
{
	int64_t dims[MAX_NDIM];

	for (int d = 0; d < t->ndim; d++) dims[d] = box[d].end - box[d].first;
	return type_make(f->r->from->ir, t->dtype, dims, t->ndim, 0);
}

static bool same_box(const type *t, const index_range *a, const index_range *b)
{
	bool same = true;

	for (int d = 0; d < t->ndim; d++)
		same = same && a[d].first == b[d].first && a[d].end == b[d].end;
	return same;
}

/* the first member of the process of `to` that needs this box of operand i of `from` too; -1: that
 * is itself */
static int gets_for(const gathering *f, const group *g, int i, int from, int to,
                    const index_range *box)
{
	index_range other[MAX_NDIM];
	int first = -1;

	for (int k = g->before[to]; k >= 0; k = g->before[k])
		if (box_of(f, g, i, from, k, other) && same_box(f->t[i], box, other)) first = k;
	return first;
}

/* operand i of member `from`, to member `to`, one of which is here */
static bool move(gathering *f, group *g, int i, int from, int to)
{
	const bool sends = g->member[from] >= 0;
	index_range box[MAX_NDIM];

	if (!box_of(f, g, i, from, to, box) || gets_for(f, g, i, from, to, box) >= 0) return true;
	if (sends)
		return transfer_send(&f->transfer, process_of(f->r, g->device[to]),
		                     cut_out(f->r->to, g->x[i * g->n + from], f->t[i], box));
	const type *t = type_of_box(f, f->t[i], box);
	return t && transfer_receive(&f->transfer, process_of(f->r, g->device[from]), t,
	                             g->view[to] + i * g->n + from);
}

/* Both sides list messages in the order of members that send, and then of those that receive */
static bool list_group(gathering *f, group *g)
{
	bool ok = true;

	for (int from = 0; from < g->n; from++)
		for (int i = 0; i < f->e->nin; i++) {
			const bool sends = g->member[from] >= 0;
			if (is_literal(f, i)) continue;
			for (int k = 0; ok && k < (sends ? g->n : g->here); k++) {
				const int to = sends ? k : g->own[k];
				if (!sends || g->member[to] < 0) ok = move(f, g, i, from, to);
			}
		}
	return ok;
}

/* what has come, as operands; zeros in place of what is not needed */
static bool place_received(gathering *f, group *g, int view)
{
	var *x = g->view[view];
	index_range box[MAX_NDIM];
	var zeros = {0};

	for (int i = 0; i < f->e->nin; i++, zeros.id = 0)
		for (int m = 0; m < g->n; m++) {
			var *at = &x[i * g->n + m];
			if (g->member[m] >= 0) continue;
			if (is_literal(f, i)) {
				*at = copy_at(&f->r->value[f->e->in[i].id], 0);
			} else if (box_of(f, g, i, m, view, box)) {
				const int other = gets_for(f, g, i, m, view, box);
				if (other >= 0)
					*at = g->view[other][i * g->n + m];
				else
					*at = members_placed(f->r->to, *at, f->t[i], box);
			} else {
				if (is_zero(zeros)) zeros = emit_zeros(f->r->to, f->t[i]);
				*at = zeros;
			}
		}
	return !build_failed(f->r->to);
}

static bool is_fetched(const group *g) { return g->crosses && !g->reduces && !g->moves; }

bool fetch_operands(replicating *r, const eqn *e, group *g, int n)
{
	gathering f = {.r = r, .e = e, .transfer = {.r = r, .e = e}};

	f.t = arena_array(r->all->arena, (size_t)e->nin + 1, sizeof *f.t);
	for (int i = 0; f.t && i < e->nin; i++)
		if (!(f.t[i] = type_vary(r->from->ir, type_of(r->from, e->in[i]), 0))) return false;
	if (!f.t) return false;
	for (int k = 0; k < n; k++)
		if (is_fetched(&g[k]) && !list_group(&f, &g[k])) return false;
	if (!transfer_emit(&f.transfer)) return false;
	for (int k = 0; k < n; k++)
		for (int i = 0; is_fetched(&g[k]) && i < (e->prim->sends ? g[k].here : 1); i++)
			if (!place_received(&f, &g[k], g[k].own[i])) return false;
	return true;
}

/* ---- what types say */

bool share_results(replicating *r, const eqn *e, var *y)
{
	const crew *t = r->crew;

	for (int j = 0; j < e->nout; j++) {
		var *v = y + (int64_t)j * t->n;
		const instances *of =
			instances_over(r->all, r->crew, type_of(r->from, e->out[j])->varying);
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
			by[c].place =
				by[c].place * p->axes[i].size +
				mesh_coordinate(m, at[part[c]->device[0]], p->axes[i].position);
	}
	qsort(by, (size_t)n, sizeof *by, compare_places);
	for (int c = 0; c < n; c++) order[c] = by[c].part;
	return order;
}
