/* replicate.c - a per-device program on the devices of one memory as one program of one device.
 *
 * %0 is the same on all four devices, so its sine is computed once:
 *
 *     pass replicate
 *     axes (x of (x:4)) f(%0: f32[2], %1: f32[2]{x}) -> f32[2]{x} {
 *       %2: f32[2] = sin %0
 *       %3: f32[2]{x} = pcast %2 axes=(x)
 *       %4: f32[2]{x} = add %3 %1
 *       return %4
 *     }
 *     gives
 *     f(%0: f32[2], %1: f32[2], %2: f32[2], %3: f32[2], %4: f32[2]) ->
 *           f32[2], f32[2], f32[2], f32[2] {
 *       %5: f32[2] = sin %0
 *       %6: f32[2] = add %5 %1
 *       %7: f32[2] = add %5 %2
 *       %8: f32[2] = add %5 %3
 *       %9: f32[2] = add %5 %4
 *       return %6 %7 %8 %9
 *     }
 *     operand 0 on each device: 0 0 0 0
 *     operand 1 on each device: 1 2 3 4
 *     result 0 on each device: 0 1 2 3
 *
 * A value has a variable for each instance: devices share one where the value cannot differ
 * between them. For an input its type says that; a local equation has an instance for each
 * distinct tuple of operands. Groups of a collective that are given the same compute the same,
 * and the members of a group share what is equal for all of them, whatever the type says. So
 * what varies less than its type is computed once. Collectives are in exchange.c, equations with
 * programs inside in structured/. */
#include "pass/replicate.h"

/* ---- values */

const copies *copies_of(replicating *r, var v)
{
	const var_info *info = &r->from->vars[v.id];
	copies *c = &r->value[v.id];

	if (c->of) return c;
	var *literal = arena_alloc(r->all->arena, sizeof *literal);
	if (!literal) return NULL;
	*literal = build_literal_as(r->to, info->type, info->literal);
	if (!literal->id) return NULL;
	*c = (copies){r->crew->one, literal};
	return c;
}

/* v: by device */
static bool copies_set(replicating *r, var of, const var *v)
{
	crew *t = r->crew;
	uint64_t *key = mem_array(r->all->base, (size_t)t->n, sizeof *key);

	for (int k = 0; key && k < t->n; k++) key[k] = (uint64_t)v[k].id;
	const instances *shared = key ? instances_by(t, key) : NULL;
	mem_free(r->all->base, key);
	var *list = shared ? arena_array(r->all->arena, (size_t)shared->n, sizeof *list) : NULL;
	for (int i = 0; list && i < shared->n; i++) list[i] = v[shared->first[i]];
	r->value[of.id] = (copies){shared, list};
	return list;
}

bool copies_give(replicating *r, const eqn *e, const var *v)
{
	for (int j = 0; j < e->nout; j++)
		if (!copies_set(r, e->out[j], v + (int64_t)j * r->crew->n)) return false;
	return true;
}

const instances *instances_over(replication *all, crew *t, axis_set over)
{
	const program *p = all->program;
	const instances *of = t->one;

	for (int i = 0; of && i < p->naxes; i++) {
		int64_t *at;
		if (!(over >> i & 1)) continue;
		const mesh *m = p->axes[i].mesh;
		if (!mesh_positions(all->base, all->arena, m, all->set, &at)) return NULL;
		for (int k = 0; k < t->n; k++)
			at[k] = mesh_coordinate(m, at[t->device[k]], p->axes[i].position);
		const instances *on_axis = instances_by(t, (const uint64_t *)at);
		of = on_axis ? instances_join(t, of, on_axis) : NULL;
	}
	return of;
}

/* ---- local equations: one for each instance */

const copies **operands_of(replicating *r, const eqn *e)
{
	const copies **x = arena_array(r->all->arena, (size_t)e->nin + 1, sizeof *x);

	for (int i = 0; x && i < e->nin; i++)
		if (!(x[i] = copies_of(r, e->in[i]))) return NULL;
	return x;
}

static const instances *instances_of_eqn(replicating *r, const eqn *e, const copies *const *x)
{
	const instances *of = r->crew->one;

	for (int i = 0; of && i < e->nin; i++) of = instances_join(r->crew, of, x[i]->of);
	return of;
}

bool without_axes(replicating *r, const eqn *e, eqn *own)
{
	*own = *e;
	if (!e->prim->params) return true;
	own->params = params_copy(build_arena(r->to), e->prim->params, e->params, NULL);
	if (!own->params) return false;
	ints *axes = (ints *)(uintptr_t)params_field(e->prim, own->params, FIELD_AXES);
	if (axes) axes->n = 0;
	return true;
}

bool replicate_one(replicating *r, const eqn *own, const copies *const *x, int k, var *y)
{
	var *in = arena_array(r->all->arena, (size_t)own->nin + 1, sizeof *in);

	for (int i = 0; in && i < own->nin; i++) in[i] = copy_at(x[i], k);
	return in && build_eqn_owned(r->to, own, in, y);
}

bool instances_give(replicating *r, const eqn *e, const instances *of, const var *made)
{
	const size_t n = (size_t)of->n, nout = (size_t)e->nout;
	var *y = arena_array(r->all->arena, n * nout + 1, sizeof *y);

	for (size_t j = 0; y && j < nout; j++) {
		for (size_t c = 0; c < n; c++) y[j * n + c] = made[c * nout + j];
		r->value[e->out[j].id] = (copies){of, y + j * n};
	}
	return y;
}

static bool replicate_local(replicating *r, const eqn *e)
{
	const copies **x = operands_of(r, e);
	const instances *of = x ? instances_of_eqn(r, e, x) : NULL;
	eqn own;

	if (!of || !without_axes(r, e, &own)) return false;
	const size_t nout = (size_t)e->nout;
	var *made = arena_array(r->all->arena, (size_t)of->n * nout + 1, sizeof *made);
	for (size_t c = 0; made && c < (size_t)of->n; c++)
		if (!replicate_one(r, &own, x, of->first[c], made + c * nout)) return false;
	return made && instances_give(r, e, of, made);
}

/* ---- a program */

/* a cast moves nothing: the result is the operand */
static bool replicate_cast(replicating *r, const eqn *e)
{
	const copies *x = copies_of(r, e->in[0]);

	if (x) r->value[e->out[0].id] = *x;
	return x;
}

/* all instances of all operands wait for each other, and none of them is there twice */
static bool replicate_barrier(replicating *r, const eqn *e)
{
	arena *a = r->all->arena;
	const copies **x = operands_of(r, e);
	int n = 0;

	for (int i = 0; x && i < e->nin; i++) n += x[i]->of->n;
	var *in = arena_array(a, (size_t)n + 1, sizeof *in);
	var *out = arena_array(a, (size_t)n + 1, sizeof *out);
	if (!x || !in || !out) return false;
	for (int i = 0, at = 0; i < e->nin; at += x[i++]->of->n)
		for (int k = 0; k < x[i]->of->n; k++) in[at + k] = x[i]->v[k];
	if (!build_eqn_exact(r->to, e->prim, NULL, in, n, out, e->where, e->note)) return false;
	for (int i = 0; i < e->nin; out += x[i++]->of->n)
		r->value[e->out[i].id] = (copies){x[i]->of, out};
	return true;
}

static bool replicate_eqn(replicating *r, const eqn *e)
{
	if (e->prim == &tsr__prim_pcast) return replicate_cast(r, e);
	if (e->prim == &tsr__prim_optimization_barrier) return replicate_barrier(r, e);
	if (e->prim->replicate) return e->prim->replicate(r, e);
	if (own_effects(e)) return replicate_effects(r, e);
	return e->prim->flags & PRIM_COLLECTIVE ? replicate_collective(r, e)
	                                        : replicate_local(r, e);
}

static bool add_input(replicating *r, var of, const instances *shared)
{
	const type *t = type_vary(r->from->ir, type_of(r->from, of), 0);
	var *v = arena_array(r->all->arena, (size_t)shared->n, sizeof *v);

	for (int i = 0; t && v && i < shared->n; i++)
		if (!(v[i] = build_input(r->to, t)).id) return false;
	r->value[of.id] = (copies){shared, v};
	return t && v;
}

static bool walk(replicating *r, const instances *const *in)
{
	const program *p = r->from;

	for (int i = 0; i < p->nin; i++)
		if (!add_input(r, p->in[i], in[i])) return false;
	for (int i = 0; i < p->neqns; i++)
		if (!replicate_eqn(r, &p->eqns[i])) return false;
	for (int i = 0; i < p->nout; i++)
		if (!copies_of(r, p->out[i])) return false;
	return true;
}

bool replicate_begin(replicating *r, replication *all, crew *t, axis_set parted, const program *p,
                     const instances *const *in)
{
	copies *value = arena_array(all->arena, (size_t)p->nvars, sizeof *value);

	*r = (replicating){all, t, p, NULL, value, parted};
	if (!value || !(r->to = build_begin(p->ir, p->name, NULL, 0))) return false;
	if (walk(r, in)) return true;
	build_abandon(r->to);
	r->to = NULL;
	return false;
}

program *replicate_end(replicating *r, const var *out, int n)
{
	build *b = r->to;

	r->to = NULL;
	return build_end(b, out, n);
}

/* ---- the whole of it */

static const instances **instances_of_inputs(replication *all, crew *t)
{
	const program *p = all->program;
	const instances **in = arena_array(all->arena, (size_t)p->nin + 1, sizeof *in);

	for (int i = 0; in && i < p->nin; i++) {
		const axis_set varying = type_of(p, p->in[i])->varying;
		for (int j = 0; j < i && !in[i]; j++)
			if (type_of(p, p->in[j])->varying == varying) in[i] = in[j];
		if (!in[i] && !(in[i] = instances_over(all, t, varying))) return NULL;
	}
	return in;
}

static crew *everybody(replication *all)
{
	int *device = arena_array(all->arena, (size_t)all->set.n, sizeof *device);

	for (int64_t k = 0; device && k < all->set.n; k++) device[k] = (int)k;
	return device ? crew_make(all->arena, (int)all->set.n, device) : NULL;
}

/* which variable device k has of each of these values: at[i * devices + k]. Their number */
static int count_copies(replicating *r, const var *of, int n, int *at)
{
	const crew *t = r->crew;
	int count = 0;

	for (int i = 0; i < n; i++) {
		const copies *c = &r->value[of[i].id];
		for (int k = 0; k < t->n; k++) at[(int64_t)i * t->n + k] = count + c->of->of[k];
		count += c->of->n;
	}
	return count;
}

static var *all_copies(replicating *r, const var *of, int n, int count)
{
	var *v = arena_array(r->all->arena, (size_t)count + 1, sizeof *v);

	for (int i = 0, next = 0; v && i < n; i++) {
		const copies *c = &r->value[of[i].id];
		for (int j = 0; j < c->of->n; j++) v[next++] = c->v[j];
	}
	return v;
}

static bool finish(replicating *r, replicated *out)
{
	const program *p = r->from;
	const size_t n = (size_t)r->crew->n;

	out->in = arena_array(out->arena, n * (size_t)p->nin + 1, sizeof *out->in);
	out->out = arena_array(out->arena, n * (size_t)p->nout + 1, sizeof *out->out);
	if (!out->in || !out->out) return false;
	count_copies(r, p->in, p->nin, out->in);
	const int count = count_copies(r, p->out, p->nout, out->out);
	const var *results = all_copies(r, p->out, p->nout, count);
	if (!results) return false;
	out->program = pass_done(replicate_end(r, results, count), "replicate");
	return out->program;
}

static bool replicate(replication *all, replicated *out)
{
	crew *t = everybody(all);
	const instances **in = t ? instances_of_inputs(all, t) : NULL;
	replicating r;

	if (!in || !replicate_begin(&r, all, t, 0, all->program, in)) return false;
	const bool ok = finish(&r, out);
	build_abandon(r.to);
	return ok;
}

bool pass_replicate(const program *p, device_set set, const device *devices, replicated *out)
{
	base *bs = p->ir->base;
	replication all = {.base = bs,
	                   .arena = arena_make(bs),
	                   .program = p,
	                   .set = set,
	                   .devices = devices,
	                   .exchanges = {.base = bs},
	                   .fits = true};

	*out = (replicated){.arena = arena_make(bs)};
	const bool ok = all.arena && out->arena &&
	                (!devices || program_crosses(bs, p, set, &all.crosses)) &&
	                (replicate(&all, out) || !all.fits);
	table_free(&all.exchanges, NULL);
	arena_free(all.arena);
	if (!ok) replicated_free(out);
	return ok;
}

void replicated_free(replicated *r)
{
	program_release(r->program);
	arena_free(r->arena);
	*r = (replicated){0};
}
