/* replicate.c - control flow on many devices as control flow on one.
 *
 * The predicate differs between the two devices, and so there are two choices:
 *
 *     pass replicate
 *     axes (x of (x:2)) f(%0: bool[]{x}, %1: f32[]{x}) -> f32[]{x} {
 *       %2: f32[]{x} = cond %0 %1 branches=[(%0: f32[]{x}) -> f32[]{x} {
 *         return %0
 *       }, (%0: f32[]{x}) -> f32[]{x} {
 *         %1: f32[]{x} = sin %0
 *         return %1
 *       }]
 *       return %2
 *     }
 *     gives
 *     f(%0: bool[], %1: bool[], %2: f32[], %3: f32[]) -> f32[], f32[] {
 *       %4: f32[] = cond %0 %2 branches=[(%0: f32[]) -> f32[] {
 *         return %0
 *       }, (%0: f32[]) -> f32[] {
 *         %1: f32[] = sin %0
 *         return %1
 *       }]
 *       %5: f32[] = cond %1 %3 branches=[(%0: f32[]) -> f32[] {
 *         return %0
 *       }, (%0: f32[]) -> f32[] {
 *         %1: f32[] = sin %0
 *         return %1
 *       }]
 *       return %4 %5
 *     }
 *     operand 0 on each device: 0 1
 *     operand 1 on each device: 2 3
 *     result 0 on each device: 0 1
 *
 * Operands, carries and results become one for each instance. Where the predicate is the same
 * for a crew, one equation serves all of it; where it differs, each part of the crew that shares
 * one gets an equation of its own. A carry shares what both its first value and the body's
 * results share: the body is made again until that is so. */
#include "pass/replicate.h"
#include "pass/structured/structured.h"

/* ---- what an equation for a crew, which is the program's or a part of it, takes and gives */

/* the instances of these values in the crew */
static const instances **shares(replicating *r, crew *t, const var *x, int n)
{
	const instances **of = arena_array(r->all->arena, (size_t)n + 1, sizeof *of);

	for (int i = 0; of && i < n; i++) {
		const copies *c = copies_of(r, x[i]);
		if (!c || !(of[i] = instances_within(t, r->crew, c->of))) return NULL;
	}
	return of;
}

static int count_of(const instances *const *of, int n)
{
	int count = 0;

	for (int i = 0; i < n; i++) count += of[i]->n;
	return count;
}

/* a variable for each of these instances, which share no more than the values do */
static var *flat(replicating *r, const crew *t, const var *x, int n, const instances *const *of)
{
	var *v = arena_array(r->all->arena, (size_t)count_of(of, n) + 1, sizeof *v);

	for (int i = 0, at = 0; v && i < n; i++) {
		const copies *c = copies_of(r, x[i]);
		for (int j = 0; j < of[i]->n; j++) {
			const int position = t->device[of[i]->first[j]];
			v[at++] = copy_at(c, crew_find(r->crew, position));
		}
	}
	return v;
}

/* ends a program inside; NULL: the build has failed */
static const program *inner_end(replicating *r, replicating *inner, const instances *const *of)
{
	const program *p = inner->from;
	const var *out = flat(inner, inner->crew, p->out, p->nout, of);

	return out ? build_keep(r->to, replicate_end(inner, out, count_of(of, p->nout))) : NULL;
}

static void inner_abandon(replicating *inner)
{
	build_abandon(inner->to);
	inner->to = NULL;
}

/* the equation with these parameters; of: the instances of its results, y: by device of r's crew */
static bool emit_for(replicating *r, const eqn *e, const void *params, const crew *t, const var *x,
                     int nx, const instances *const *of, var *y)
{
	var *made = arena_array(r->all->arena, (size_t)count_of(of, e->nout) + 1, sizeof *made);

	if (!x || !made || !build_eqn_exact(r->to, e->prim, params, x, nx, made, e->where, e->note))
		return false;
	for (int j = 0; j < e->nout; j++) {
		for (int k = 0; k < t->n; k++)
			y[(int64_t)j * r->crew->n + crew_find(r->crew, t->device[k])] =
				made[of[j]->of[k]];
		made += of[j]->n;
	}
	return true;
}

static var *results_by_device(replicating *r, const eqn *e)
{
	return arena_array(r->all->arena, (size_t)e->nout * (size_t)r->crew->n + 1, sizeof(var));
}

/* those of a crew that go one way together, of whom `of` share a predicate that varies over these
 * axes */
static const instances *parting(replicating *r, const eqn *e, crew *t, const instances *of,
                                axis_set over)
{
	if (!in_turn(e, over)) return of;
	const instances *alike = instances_over(r->all, t, over);
	return alike ? instances_join(t, of, alike) : NULL;
}

/* ---- cond */

/* the instances of each result that suit all branches: these have to give equally many */
static const instances **branch_results(replicating *r, crew *t, const eqn *e, replicating *branch,
                                        int n)
{
	const instances **of = arena_array(r->all->arena, (size_t)e->nout + 1, sizeof *of);

	for (int j = 0; of && j < e->nout; j++) {
		of[j] = t->one;
		for (int b = 0; of[j] && b < n; b++)
			of[j] = instances_join(t, of[j],
			                       copies_of(&branch[b], branch[b].from->out[j])->of);
		if (!of[j]) return NULL;
	}
	return of;
}

static bool cond_emit(replicating *r, const eqn *e, crew *t, var index, replicating *branch,
                      const instances *const *in, var *y)
{
	const programs *from = &((const cond_params *)e->params)->branches;
	const program **list = arena_array(r->all->arena, (size_t)from->n, sizeof *list);
	const instances **of = branch_results(r, t, e, branch, from->n);
	const int nin = e->nin - 1, nx = count_of(in, nin);
	const var *operands = flat(r, t, e->in + 1, nin, in);
	var *x = arena_array(r->all->arena, (size_t)nx + 1, sizeof *x);

	if (!list || !of || !operands || !x) return false;
	for (int b = 0; b < from->n; b++)
		if (!(list[b] = inner_end(r, &branch[b], of))) return false;
	x[0] = index;
	memcpy(x + 1, operands, (size_t)nx * sizeof *x);
	return emit_for(r, e, &(cond_params){{from->n, list}}, t, x, nx + 1, of, y);
}

static bool cond_on(replicating *r, const eqn *e, crew *t, var index, var *y)
{
	const programs *from = &((const cond_params *)e->params)->branches;
	const instances **in = shares(r, t, e->in + 1, e->nin - 1);
	replicating *branch = arena_array(r->all->arena, (size_t)from->n, sizeof *branch);
	bool ok = in && branch;

	for (int b = 0; ok && b < from->n; b++)
		ok = replicate_begin(&branch[b], r->all, t, from->v[b], in);
	ok = ok && cond_emit(r, e, t, index, branch, in, y);
	for (int b = 0; branch && b < from->n; b++) inner_abandon(&branch[b]);
	return ok;
}

bool cond_replicate(replicating *r, const eqn *e)
{
	const copies *index = copies_of(r, e->in[0]);
	var *y = results_by_device(r, e);
	const instances *of =
		index ? parting(r, e, r->crew, index->of, type_of(r->from, e->in[0])->varying)
		      : NULL;
	crew *const *part = of ? crew_parts(r->crew, of) : NULL;
	bool ok = part && y;

	for (int c = 0; ok && c < of->n; c++)
		ok = cond_on(r, e, part[c], copy_at(index, of->first[c]), y);
	return ok && copies_give(r, e, y);
}

/* ---- loops */

typedef struct settled { /* what was found for a loop on a crew */
	const eqn *eqn;
	const instances **in; /* of the body's inputs, before */
	const instances **carry;
} settled;

static bool same_loop(const void *entry, const void *key)
{
	return ((const settled *)entry)->eqn == key;
}

/* Does this share no more than that? */
static bool refines(crew *t, const instances *const *in, const instances *const *than, int n)
{
	bool all = true;

	for (int i = 0; all && i < n; i++) all = instances_join(t, in[i], than[i]) == in[i];
	return all;
}

/* A loop inside other loops is met again, mostly with operands that share less than before. Then
 * its carry shares no more than it did, so the search starts from what was found last; from the
 * beginning, it would double the work at each level of a nest. */
static bool start_from(crew *t, const settled *known, const instances **in, int nin, int at, int n)
{
	bool ok = true;

	if (!known->in || !refines(t, in, known->in, nin)) return true;
	for (int i = 0; ok && i < n; i++)
		ok = (in[at + i] = instances_join(t, in[at + i], known->carry[i]));
	return ok;
}

static settled *settled_of(crew *t, const eqn *e)
{
	const uint64_t hash = hash_u64((uint64_t)(uintptr_t)e, 0);
	settled *known = table_find(&t->settled, hash, same_loop, e);

	if (known || !(known = arena_alloc(t->arena, sizeof *known))) return known;
	known->eqn = e;
	return table_add(&t->settled, hash, known) ? known : NULL;
}

/* tries the body with this carry; *grown: its results share less than the carry, which now shares
 * less too */
static bool try_body(replicating *r, crew *t, const program *body, const instances **in, int at,
                     int n, replicating *inner, bool *grown)
{
	bool ok = replicate_begin(inner, r->all, t, body, in);

	*grown = false;
	for (int i = 0; ok && i < n; i++) {
		const instances *before = in[at + i];
		in[at + i] = instances_join(t, before, copies_of(inner, body->out[i])->of);
		*grown = *grown || in[at + i] != before;
		ok = in[at + i];
	}
	if (*grown || !ok) inner_abandon(inner);
	return ok;
}

/* Makes the body for a carry that shares exactly what its results share. in: the instances of its
 * inputs; those of the carry, n from `at` on, become more */
static bool settle(replicating *r, crew *t, const eqn *e, const program *body, const instances **in,
                   int at, int n, replicating *inner)
{
	const size_t bytes = (size_t)body->nin * sizeof *in;
	const instances **before = arena_copy(r->all->arena, in, bytes);
	settled *known = settled_of(t, e);
	bool grown = true;

	if (!before || !known || !start_from(t, known, in, body->nin, at, n)) return false;
	while (grown)
		if (!try_body(r, t, body, in, at, n, inner, &grown)) return false;
	known->in = before;
	known->carry = arena_copy(r->all->arena, in + at, (size_t)n * sizeof *in);
	if (!known->carry) inner_abandon(inner);
	return known->carry;
}

typedef struct crew_loop {
	const while_params *p;
	int cc, bc, carry;
	const instances **in; /* of the operands */
	replicating cond, body;
} crew_loop;

static bool crew_loop_begin(replicating *r, const eqn *e, crew *t, crew_loop *l)
{
	const while_params *p = e->params;
	const int cc = (int)p->cond_consts, bc = (int)p->body_consts;

	*l = (crew_loop){.p = p, .cc = cc, .bc = bc, .carry = e->nout};
	const instances **in = l->in = shares(r, t, e->in, e->nin);
	const instances **asked = arena_array(r->all->arena, (size_t)e->nin + 1, sizeof *asked);
	if (!in || !asked || !settle(r, t, e, p->body, in + cc, bc, e->nout, &l->body))
		return false;
	for (int i = 0; i < cc; i++) asked[i] = in[i];
	for (int i = 0; i < e->nout; i++) asked[cc + i] = in[cc + bc + i];
	return replicate_begin(&l->cond, r->all, t, p->cond, asked);
}

static bool crew_loop_emit(replicating *r, const eqn *e, const crew *t, crew_loop *l, var *y)
{
	const instances *const *carry = l->in + l->cc + l->bc;
	const while_params own = {
		.cond_consts = count_of(l->in, l->cc),
		.body_consts = count_of(l->in + l->cc, l->bc),
		.cond = inner_end(r, &l->cond, &t->one),
		.body = inner_end(r, &l->body, carry),
	};
	const var *x = flat(r, t, e->in, e->nin, l->in);

	return own.cond && own.body &&
	       emit_for(r, e, &own, t, x, count_of(l->in, e->nin), carry, y);
}

static bool while_on(replicating *r, const eqn *e, crew *t, var *y)
{
	crew_loop l;
	bool ok = crew_loop_begin(r, e, t, &l);
	const copies *predicate = ok ? copies_of(&l.cond, l.cond.from->out[0]) : NULL;
	const instances *goes =
		predicate ? parting(r, e, t, predicate->of, predicate_axes(e)) : NULL;

	if (goes && goes->n == 1) ok = crew_loop_emit(r, e, t, &l, y);
	inner_abandon(&l.cond);
	inner_abandon(&l.body);
	if (!ok || !goes || goes->n == 1) return ok && goes;
	crew *const *part = crew_parts(t, goes);
	for (int c = 0; part && ok && c < goes->n; c++) ok = while_on(r, e, part[c], y);
	return part && ok;
}

bool while_replicate(replicating *r, const eqn *e)
{
	var *y = results_by_device(r, e);

	return y && while_on(r, e, r->crew, y) && copies_give(r, e, y);
}

static bool scan_emit(replicating *r, const eqn *e, replicating *body, const instances *const *in,
                      var *y)
{
	scan_params own = *(const scan_params *)e->params;
	const int consts = (int)own.consts, carry = (int)own.carry;
	const instances **of = shares(body, r->crew, body->from->out, e->nout);
	const var *x = flat(r, r->crew, e->in, e->nin, in);

	for (int i = 0; of && i < carry; i++) of[i] = in[consts + i];
	if (!of || !(own.body = inner_end(r, body, of))) return false;
	own.consts = count_of(in, consts);
	own.carry = count_of(in + consts, carry);
	return emit_for(r, e, &own, r->crew, x, count_of(in, e->nin), of, y);
}

bool scan_replicate(replicating *r, const eqn *e)
{
	const scan_params *p = e->params;
	const instances **in = shares(r, r->crew, e->in, e->nin);
	var *y = results_by_device(r, e);
	replicating body;

	if (!in || !y || !settle(r, r->crew, e, p->body, in, (int)p->consts, (int)p->carry, &body))
		return false;
	const bool ok = scan_emit(r, e, &body, in, y);
	inner_abandon(&body);
	return ok && copies_give(r, e, y);
}
