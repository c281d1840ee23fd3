/* update.c - lets arrays be updated in place: every equation that reads an array is computed before
 * the one that replaces some of its elements.
 *
 * The update could be computed first, since it needs nothing of %2. Then it had to be made in a
 * copy of %0, which would take as long as the array is large, for one element. So it reads %0
 * through a barrier, behind what else reads it:
 *
 *     pass update
 *     f(%0: f32[2048], %1: i32[]) -> f32[2048], f32[1] {
 *       %2: f32[1] = broadcast_in_dim 0.0:f32 dims=[1] at=[]
 *       %3: f32[2048] = dynamic_update_slice %0 %2 %1
 *       %4: f32[1] = dynamic_slice %0 %1 dims=[1]
 *       %5: f32[1] = sin %4
 *       return %3 %5
 *     }
 *     gives
 *     f(%0: f32[2048], %1: i32[]) -> f32[2048], f32[1] {
 *       %2: f32[1] = dynamic_slice %0 %1 dims=[1]
 *       %3: f32[2048], %4: f32[1] = optimization_barrier %0 %2
 *       %5: f32[1] = broadcast_in_dim 0.0:f32 dims=[1] at=[]
 *       %6: f32[2048] = dynamic_update_slice %3 %5 %1
 *       %7: f32[1] = sin %4
 *       return %6 %7
 *     }
 *
 * Such pairs are what the gradient of a loop has that writes a row of its carry in each step: the
 * cotangent's row is read, and then replaced by zeros. With a copy in each step, the loop takes the
 * square of its steps.
 *
 * What needs the element that was read has it from the barrier too. So no kernel reads the array
 * for it again, after the update: there the element would be another one.
 *
 * It is done where the array is so large that it would not be a part of a kernel, where what is
 * read of it is much smaller, where no reader needs the update, and where it does not need all that
 * is made of what is read. */
#include "pass/pass.h"

/* how much smaller than the array what is read of it is, and in how many values at most */
enum { SMALLER = 4, MOST_READ = 8 };

/* Nodes are the equations, and behind them a barrier for each. Equations come behind those that
 * make their operands, and behind some others besides */
typedef struct behind {
	int node;
	struct behind *next;
} behind;

typedef struct updates {
	const program *p;
	arena *arena;
	int *maker;      /* by variable: 1 + its equation, 0: none */
	int *first_user; /* by variable: of `user`; as many as up to that of the next one */
	int *user;       /* equations */
	behind **others; /* by node */
	int *order, *at; /* by node: its place in an order in which each is behind all that it
			  * comes behind; and the node at each place */
	int *mark, now;  /* by node: when it was last looked at */
	int *stack;
	int nties;
} updates;

/* ---- the equations as a graph, and an order of it. Whether one comes behind another is seen from
 * the equations between the two: in a loop that is written out, updates and the equations they wait
 * for are neighbours, however many steps there are */

static void visit(updates *w, int node, int *depth)
{
	if (w->mark[node] == w->now) return;
	w->mark[node] = w->now;
	w->stack[(*depth)++] = node;
}

static void visit_from(updates *w, int node, int place, int *depth)
{
	if (w->order[node] >= place) visit(w, node, depth);
}

/* marks the node and all that it comes behind, as far as that is at this place or later */
static void mark_before(updates *w, int node, int place)
{
	int depth = 0;

	w->now++;
	visit_from(w, node, place, &depth);
	while (depth) {
		const int at = w->stack[--depth];
		for (const behind *o = w->others[at]; o; o = o->next)
			visit_from(w, o->node, place, &depth);
		if (at >= w->p->neqns) continue;
		const eqn *e = &w->p->eqns[at];
		for (int k = 0; k < e->nin; k++)
			if (w->maker[e->in[k].id])
				visit_from(w, w->maker[e->in[k].id] - 1, place, &depth);
	}
}

/* does the node come behind this one? */
static bool is_behind(updates *w, int node, int other)
{
	mark_before(w, node, w->order[other]);
	return w->mark[other] == w->now;
}

static void put_at(updates *w, int place, int node)
{
	w->at[place] = node;
	w->order[node] = place;
}

/* what `other` comes behind, and it, go in front of all others from the node on */
static void reorder(updates *w, int node, int other)
{
	const int first = w->order[node], last = w->order[other];
	int place = first, n = 0;

	mark_before(w, other, first);
	for (int i = first; i <= last; i++) {
		if (w->mark[w->at[i]] == w->now)
			put_at(w, place++, w->at[i]);
		else
			w->stack[n++] = w->at[i];
	}
	for (int i = 0; i < n; i++) put_at(w, place++, w->stack[i]);
}

static bool put_behind(updates *w, int node, int other)
{
	behind *more = arena_alloc(w->arena, sizeof *more);

	if (!more) return false;
	*more = (behind){other, w->others[node]};
	w->others[node] = more;
	if (w->order[other] > w->order[node]) reorder(w, node, other);
	return true;
}

static void find_users(const updates *w)
{
	const program *p = w->p;
	int *end = w->first_user + 2;

	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		for (int k = 0; k < e->nin; k++) end[e->in[k].id]++;
		for (int j = 0; j < e->nout; j++) w->maker[e->out[j].id] = i + 1;
	}
	for (int v = 1; v <= p->nvars; v++) end[v] += end[v - 1];
	for (int i = 0; i < p->neqns; i++)
		for (int k = 0; k < p->eqns[i].nin; k++)
			w->user[end[p->eqns[i].in[k].id - 1]++] = i;
}

static bool updates_init(updates *w, const program *p, arena *a)
{
	const size_t nodes = 2 * (size_t)p->neqns + 1, nvars = (size_t)p->nvars + 3;
	size_t uses = 1;
	int last = -1;

	for (int i = 0; i < p->neqns; i++) uses += (size_t)p->eqns[i].nin;
	*w = (updates){.p = p,
	               .arena = a,
	               .maker = arena_array(a, nvars, sizeof *w->maker),
	               .first_user = arena_array(a, nvars, sizeof *w->first_user),
	               .user = arena_array(a, uses, sizeof *w->user),
	               .others = arena_array(a, nodes, sizeof *w->others),
	               .order = arena_array(a, nodes, sizeof *w->order),
	               .at = arena_array(a, nodes, sizeof *w->at),
	               .mark = arena_array(a, nodes, sizeof *w->mark),
	               .stack = arena_array(a, nodes, sizeof *w->stack)};
	if (!w->maker || !w->first_user || !w->user || !w->others || !w->order || !w->at ||
	    !w->mark || !w->stack)
		return false;
	find_users(w);
	for (int i = 0; i < p->neqns; i++) {
		put_at(w, 2 * i, p->neqns + i); /* the barrier: it needs nothing yet */
		put_at(w, 2 * i + 1, i);
		if (!eqn_has_effects(&p->eqns[i])) continue;
		if (last >= 0 && !put_behind(w, i, last)) return false; /* they keep their order */
		last = i;
	}
	return true;
}

/* ---- which updates wait for what */

static bool is_large_update(const program *p, const eqn *e)
{
	if (!(e->prim->flags & PRIM_UPDATES) || p->vars[e->in[0].id].literal) return false;
	const type *t = type_of(p, e->in[0]);
	return t->size * (int64_t)tsr_dtype_size(t->dtype) >= TUNE_UPDATED;
}

/* may what equation i reads of the array be read before equation e updates it? */
static bool reads_before(updates *w, int i, int e, double *elements, int *values)
{
	const eqn *r = &w->p->eqns[i];

	if (eqn_has_effects(r)) return false;
	for (int j = 0; j < r->nout; j++) *elements += (double)type_of(w->p, r->out[j])->size;
	*values += r->nout;
	return !is_behind(w, i, e);
}

/* is what equation i reads needed by something that equation e does not need? */
static bool is_read_besides(updates *w, int i, int e)
{
	const eqn *r = &w->p->eqns[i];

	if (!is_behind(w, e, i)) return true;
	for (int j = 0; j < r->nout; j++) {
		const int v = r->out[j].id;
		for (int u = w->first_user[v]; u < w->first_user[v + 1]; u++)
			if (w->user[u] != e && !is_behind(w, e, w->user[u])) return true;
	}
	return false;
}

/* Does something else read the array of equation e, and all of it is much smaller? It need not be
 * told to wait for what it needs anyway */
static bool should_wait(updates *w, int e)
{
	const program *p = w->p;
	const var x = p->eqns[e].in[0];
	const double most = (double)type_of(p, x)->size / SMALLER;
	bool besides = false;
	double elements = 0;
	int values = 0;

	for (int k = 0; k < p->nout; k++)
		if (p->out[k].id == x.id) return false;
	for (int i = 1; i < p->eqns[e].nin; i++)
		if (p->eqns[e].in[i].id == x.id) return false;
	for (int u = w->first_user[x.id]; u < w->first_user[x.id + 1]; u++) {
		if (w->user[u] == e) continue;
		if (!reads_before(w, w->user[u], e, &elements, &values) || values > MOST_READ ||
		    elements > most)
			return false;
		besides = besides || is_read_besides(w, w->user[u], e);
	}
	return besides;
}

/* what needs a value that was read comes behind the barrier, if the barrier can do without it */
static bool put_users_behind(updates *w, const eqn *reader, int barrier)
{
	for (int j = 0; j < reader->nout; j++) {
		const int v = reader->out[j].id;
		for (int u = w->first_user[v]; u < w->first_user[v + 1]; u++)
			if (!is_behind(w, barrier, w->user[u]) &&
			    !put_behind(w, w->user[u], barrier))
				return false;
	}
	return true;
}

static bool put_update_behind(updates *w, int e)
{
	const var x = w->p->eqns[e].in[0];
	const int barrier = w->p->neqns + e, begin = w->first_user[x.id],
		  end = w->first_user[x.id + 1];
	bool ok = put_behind(w, e, barrier);

	for (int u = begin; ok && u < end; u++)
		if (w->user[u] != e) ok = put_behind(w, barrier, w->user[u]);
	for (int u = begin; ok && u < end; u++)
		if (w->user[u] != e) ok = put_users_behind(w, &w->p->eqns[w->user[u]], barrier);
	w->nties++;
	return ok;
}

static bool find_ties(updates *w)
{
	for (int e = 0; e < w->p->neqns; e++)
		if (is_large_update(w->p, &w->p->eqns[e]) && should_wait(w, e) &&
		    !put_update_behind(w, e))
			return false;
	return true;
}

/* ---- the program in that order */

typedef struct writing {
	updates *of;
	value_map v;
	program *(*within)(void *user, const program *);
} writing;

static bool write_equation(writing *w, const eqn *e)
{
	eqn own = *e;

	if (eqn_program(e) && !(own.params = build_params(w->v.to, e, NULL, w->within, NULL)))
		return false;
	return copy_equation(&w->v, &own);
}

/* the array of equation e and what was read of it, when all of that is there */
static bool write_barrier(writing *w, int e)
{
	const updates *of = w->of;
	const program *p = of->p;
	const var x = p->eqns[e].in[0];
	var from[1 + MOST_READ] = {x}, in[1 + MOST_READ];
	int n = 1;

	for (int u = of->first_user[x.id]; u < of->first_user[x.id + 1]; u++) {
		const eqn *reader = &p->eqns[of->user[u]];
		for (int j = 0; of->user[u] != e && j < reader->nout; j++)
			from[n++] = reader->out[j];
	}
	for (int i = 0; i < n; i++) in[i] = values_get(&w->v, from[i]);
	if (!build_eqn_exact(w->v.to, &tsr__prim_optimization_barrier, NULL, in, n, in,
	                     p->eqns[e].where, NULL))
		return false;
	for (int i = 0; i < n; i++) w->v.of[from[i].id] = in[i];
	return true;
}

/* the next node that this one comes behind and that was not seen yet, or -1 */
static int not_seen(const updates *w, int node)
{
	for (const behind *o = w->others[node]; o; o = o->next)
		if (w->mark[o->node] != w->now) return o->node;
	if (node >= w->p->neqns) return -1;
	const eqn *e = &w->p->eqns[node];
	for (int k = 0; k < e->nin; k++) {
		const int maker = w->maker[e->in[k].id];
		if (maker && w->mark[maker - 1] != w->now) return maker - 1;
	}
	return -1;
}

/* that node and all that it comes behind */
static bool write_from(writing *w, int node)
{
	updates *of = w->of;
	int depth = 0, before;
	bool ok = true;

	visit(of, node, &depth);
	while (ok && depth) {
		const int at = of->stack[depth - 1];
		if ((before = not_seen(of, at)) >= 0) {
			visit(of, before, &depth);
			continue;
		}
		depth--;
		ok = at < of->p->neqns ? write_equation(w, &of->p->eqns[at])
		                       : write_barrier(w, at - of->p->neqns);
	}
	return ok;
}

static program *write_all(updates *of, program *(*within)(void *, const program *))
{
	writing w = {.of = of, .within = within};
	bool ok = copy_begin(&w.v, of->p);

	of->now++;
	for (int i = 0; ok && i < of->p->neqns; i++) ok = write_from(&w, i);
	return copy_end(&w.v, ok);
}

/* ---- programs */

static bool never(const eqn *e) { return (void)e, false; }

static program *updated(void *user, const program *p);

static program *update(const program *p)
{
	arena *a = arena_make(p->ir->base);
	updates w = {0};
	program *made = NULL;

	if (a && updates_init(&w, p, a) && find_ties(&w))
		made = w.nties || changes(p, never, updated, NULL) ? write_all(&w, updated)
		                                                   : retained(p);
	arena_free(a);
	return made;
}

/* for build_params */
static program *updated(void *user, const program *p)
{
	memo m;

	(void)user;
	if (memo_begin(&m, "update", p, NULL, 0, NULL, 0)) m.to[0] = update(p);
	return memo_end(&m);
}

program *pass_update(const program *p) { return updated(NULL, p); }
