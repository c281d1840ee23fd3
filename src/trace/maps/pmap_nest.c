/* pmap_nest.c - makes the mesh of a tsr_pmap and of those inside it.
 *
 * While the outermost one is traced, each has an open mesh of its one axis. Then the mesh is known:
 * its axes are theirs, the outer one major, and its devices the first ones of the context, or of
 * .devices. The maps become maps over it, each of one axis.
 *
 * Example:
 *
 *     static tsr *inner(tsr *x) { return tsr_call(tsr_pmap(x, tsr_sin, .axis = "cols"), x); }
 *     tsr_pmap(ctx, inner, .axis = "rows")
 *
 * The maps are traced over (rows:2) and (cols:2), and for f32[2,2] become
 *
 *     inner(%0: f32[2,2]) -> f32[2,2] {
 *       %1: f32[2,2] = shard_map %0 mesh=(rows:2,cols:2) axes=(rows) ..
 *         %1: f32[2]{rows} = reshape %0 dims=[2]
 *         %2: f32[2]{rows} = shard_map %1 mesh=(rows:2,cols:2) axes=(cols) ..
 *       }
 *       return %1
 *     } */
#include <stdio.h>
#include "trace/trace.h"

typedef struct nest {
	const tracing *g;
	int depth; /* of the maps: how many axes the mesh has */
	tsr_axis axis[MAX_AXES];
	const mesh *mesh;
} nest;

/* ---- what a body calls */

static void put_pmap(str *s, const struct inner_pmap *p)
{
	str_printf(s, "a pmap of %lld (", (long long)p->axis.size);
	if (!axis_unnamed(p->axis.name)) str_printf(s, "axis '%s', ", p->axis.name);
	str_printf(s, "%s)", p->where ? base_name(p->where) : "?");
}

static bool fail_sizes(const trace *t, const struct inner_pmap *one, const struct inner_pmap *other,
                       const char *where)
{
	str text = {.base = &t->ctx->base};

	put_pmap(&text, other);
	str_put(&text, " is called beside ");
	put_pmap(&text, one);
	fail(text.base, where, TSR_ERROR_SHARDING,
	     "%s inside the same pmap; one mesh cannot have both: give them one size, or use "
	     "tsr_shard_map over a mesh of your own",
	     text.s ? text.s : "a pmap");
	str_free(&text);
	return false;
}

static bool copy_one(arena *a, const struct inner_pmap *from, struct inner_pmap *to)
{
	*to = *from;
	to->axis.name = arena_str(a, from->axis.name);
	return to->axis.name && (!to->where || (to->where = arena_str(a, to->where)));
}

bool nest_copy(arena *a, const struct inner_pmap *first, const inner_pmaps *from, inner_pmaps *to)
{
	const int n = from->n + (first != NULL);
	struct inner_pmap *at = arena_array(a, (size_t)n + 1, sizeof *at);
	bool ok = at && (!first || copy_one(a, first, at));

	for (int i = n - from->n; ok && i < n; i++)
		ok = copy_one(a, &from->at[i - (n - from->n)], &at[i]);
	*to = (inner_pmaps){n, at};
	return ok;
}

bool nest_note(trace *t, const char *where, const inner_pmaps *more)
{
	for (int i = 0; i < more->n && i < t->pmaps.n; i++)
		if (more->at[i].axis.size != t->pmaps.at[i].axis.size)
			return fail_sizes(t, &t->pmaps.at[i], &more->at[i], where);
	return more->n <= t->pmaps.n || nest_copy(build_arena(t->build), NULL, more, &t->pmaps);
}

static bool is_open_map(const eqn *e)
{
	return e->prim == &tsr__prim_shard_map &&
	       mesh_is_open(((const shard_map_params *)e->params)->mesh);
}

/* ---- the axes */

static bool is_named(const nest *n, int before, const char *name)
{
	for (int i = 0; i < before; i++)
		if (strcmp(n->axis[i].name, name) == 0) return true;
	return false;
}

/* Inside a body the inner one of two axes of one name is meant. In the mesh it gets another name */
static bool part_names(nest *n)
{
	for (int i = 1; i < n->depth; i++) {
		const char *given = n->axis[i].name;
		const size_t size = strlen(given) + 24;
		char *name = arena_alloc(n->g->scratch, size);
		if (!name) return false;
		for (int k = i; is_named(n, i, n->axis[i].name); k++) {
			snprintf(name, size, "%s_%d", given, k);
			n->axis[i].name = name;
		}
	}
	return true;
}

static bool check_devices(const nest *n, int64_t have)
{
	const fn *fn = n->g->fn;
	str axes = {.base = &fn->ctx->base};
	int64_t need = 1;
	bool ok = true;

	for (int i = 0; i < n->depth; i++) {
		ok = ok && mul_ok(need, n->axis[i].size, &need) && need <= have;
		str_put(&axes, i ? ", " : "");
		if (!axis_unnamed(n->axis[i].name)) str_printf(&axes, "'%s': ", n->axis[i].name);
		str_printf(&axes, "%lld", (long long)n->axis[i].size);
	}
	if (!ok)
		fail(axes.base, n->g->where, TSR_ERROR_SHARDING,
		     "pmap of '%s' needs a device for each element of its axes (%s), and %s "
		     "%lld device%s: map over less, open the context with more, or use tsr_vmap "
		     "for one of them",
		     fn->name, axes.s ? axes.s : "?",
		     fn->mapped.device ? ".devices has" : "the context has", (long long)have,
		     have == 1 ? "" : "s");
	str_free(&axes);
	return ok;
}

static bool find_mesh(nest *n, const inner_pmaps *pmaps)
{
	const fn *fn = n->g->fn;
	shards *all = &fn->ctx->shards;
	const int64_t *ids = fn->mapped.device;
	int64_t size = 1;

	for (n->depth = 0; n->depth < pmaps->n; n->depth++)
		n->axis[n->depth] = pmaps->at[n->depth].axis;
	if (!part_names(n) || !check_devices(n, ids ? (int64_t)fn->mapped.ndevices : all->ndevices))
		return false;
	for (int i = 0; i < n->depth; i++) size *= n->axis[i].size;
	n->mesh = mesh_make(all, n->g->where, n->axis, (size_t)n->depth, ids,
	                    ids ? (size_t)size : 0);
	return n->mesh;
}

/* ---- the maps */

/* shardings by the only axis of an open mesh, by axis `level` of the mesh */
static bool bind_shardings(const nest *n, arena *a, int level, shardings *list)
{
	const sharding **to = arena_array(a, (size_t)list->n + 1, sizeof *to);

	for (int i = 0; to && i < list->n; i++) {
		const spec *of = &list->v[i]->spec;
		spec_room room = {.ndim = of->ndim};
		for (int d = 0; d <= of->ndim; d++) room.start[d] = of->ndim ? of->start[d] : 0;
		for (int k = 0; k < room.start[room.ndim]; k++) room.axis[k] = level;
		if (!(to[i] = sharding_of_room(&n->g->fn->ctx->shards, n->mesh, &room)))
			return false;
	}
	list->v = to;
	return to;
}

static bool bind_map(const nest *n, arena *a, int level, shard_map_params *m)
{
	int64_t *only = arena_array(a, 1, sizeof *only);

	if (!only) return false;
	*only = level;
	m->mesh = n->mesh;
	m->manual = (ints){1, only};
	return bind_shardings(n, a, level, &m->in) && bind_shardings(n, a, level, &m->out);
}

static program *bind_program(const nest *n, const program *p, const axis *axes, int naxes);

typedef struct holder { /* of an inner program */
	const nest *n;
	build *b;
	const eqn *e;
	int outer;
} holder;

static program *bind_inner(void *user, const program *p)
{
	const holder *in = user;
	int same[MAX_AXES];
	inner_scope at;
	memo m;

	for (int i = 0; i < in->outer; i++) same[i] = i;
	if (!inner_scope_find(in->b, in->e, in->outer, same, p, &at)) return NULL;
	if (memo_begin(&m, "nest", p,
	               MEMO_PARTS({at.key, (size_t)at.naxes * sizeof *at.key}), NULL, 0))
		m.to[0] = bind_program(in->n, p, at.axes, at.naxes);
	return memo_end(&m);
}

/* how many maps of the nest are around a program with this axis table */
static int level_of(const axis *axes, int naxes)
{
	int level = 0;

	for (int i = 0; i < naxes; i++) level += axes[i].kind == AXIS_MESH;
	return level;
}

static bool bind_eqn(const nest *n, value_map *v, const eqn *e)
{
	build *b = v->to;
	eqn own = *e;
	shard_map_params map;
	int naxes;
	const axis *axes = build_axes(b, &naxes);
	holder in = {n, b, &own, v->from->naxes};

	if (is_open_map(e)) {
		map = *(const shard_map_params *)e->params;
		if (!bind_map(n, build_arena(b), level_of(axes, naxes), &map)) return false;
		own.params = &map;
	}
	if (eqn_program(e) && !(own.params = build_params(b, &own, NULL, bind_inner, &in)))
		return false;
	return copy_equation(v, &own);
}

/* p in the scope of these axes, which are its own but for the meshes */
static program *bind_program(const nest *n, const program *p, const axis *axes, int naxes)
{
	build *b = build_begin(p->ir, p->name, axes, naxes);
	value_map v;
	const var *in = b && values_init(&v, p, b) ? inputs_like(b, p, 0) : NULL;
	bool ok = in;

	for (int i = 0; ok && i < p->nin; i++) v.of[p->in[i].id] = in[i];
	for (int i = 0; ok && i < p->neqns; i++) ok = bind_eqn(n, &v, &p->eqns[i]);
	const var *out = ok ? values_list(&v, p->out, p->nout) : NULL;
	if (out) return build_end(b, out, p->nout);
	build_abandon(b);
	return NULL;
}

program *nest_bind(const tracing *g, const inner_pmaps *pmaps, shard_map_params *m)
{
	nest *n = arena_alloc(g->scratch, sizeof *n);
	axis axes[MAX_AXES];

	if (!n) return NULL;
	*n = (nest){.g = g};
	const eqn map = {.prim = &tsr__prim_shard_map, .params = m};
	if (!find_mesh(n, pmaps) || !bind_map(n, g->scratch, 0, m)) return NULL;
	const int naxes = inner_axes(map.prim, map.params, g->axes, g->naxes, axes);
	ir *r = &g->fn->ctx->ir;
	memo_open(r);
	program *made = bind_program(n, m->body, axes, naxes);
	memo_close(r);
	return made;
}
