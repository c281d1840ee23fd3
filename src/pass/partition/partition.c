/* partition.c - from a traced program to a per-device program: every device works on its own
 * blocks, and shard_map equations are replaced by their bodies. Calls are inlined before.
 *
 *     pass partition
 *     f(%0: f32[8]) -> f32[8], f32[] {
 *       %1: f32[8] = shard_map %0 mesh=(x:2) axes=(x) in=[[x]] out=[[x]] body=(%0: f32[4]{x}) ->
 *             f32[4]{x} {
 *         %1: f32[4]{x} = sin %0
 *         return %1
 *       }
 *       %2: f32[] = reduce_sum %1 dims=[0]
 *       return %1 %2
 *     }
 *     gives
 *     axes (x of (x:2)) f(%0: f32[4]{x}) -> f32[4]{x}, f32[] {
 *       %1: f32[4]{x} = sin %0
 *       %2: f32[]{x} = reduce_sum %1 dims=[0]
 *       %3: f32[] = psum %2 axes=(x) to=invarying
 *       return %1 %3
 *     }
 *
 * The map says where its operand and its result are, and propagation (propagate.c) spreads that:
 * the input comes in blocks, and the sum outside the map adds up blocks (local.c).
 *
 * Programs inside equations have layouts of their own (layout_table.c), and are made once for each
 * choice of these. So have the bodies of maps that leave axes of the mesh to us (maps.c). A value
 * is in the layout in which it was made, and is brought to those in which it is read (values.c,
 * steps.c).
 *
 * The result's axis table holds every axis of every mesh that a map names; `axis_map` renumbers
 * from the table of the program being read to it. The axes of the program's mesh, or parts of them
 * (refine.c), are its first entries, and layouts are over these. Maps over other meshes on the same
 * devices take blocks that are cut out of whole values, and what they give is gathered, but for
 * what only such maps see. */
#include "pass/partition/partition.h"

/* ---- the axis table of the result */

void add_axis(partitioning *p, const mesh *m, int position)
{
	const tsr_axis *a = &m->axis[position];

	p->size[p->naxes] = (layout_axis){a->size, m->level[position]};
	p->axes[p->naxes++] = (axis){a->name, a->size, AXIS_MESH, m, position, NULL};
}

static bool add_mesh(partitioning *p, const mesh *m, const char *where)
{
	for (int i = 0; i < p->naxes; i++)
		if (p->axes[i].mesh == m) return true;
	if (!p->mesh) {
		p->mesh = p->fine = m;
		for (int i = 0; i <= m->naxes; i++) p->part[i] = i;
	}
	if (p->mesh->list->set != m->list->set) {
		str a = {.base = p->bs}, b = {.base = p->bs};
		devices_text(&a, p->mesh->device, p->mesh->size);
		devices_text(&b, m->device, m->size);
		fail(p->bs, where, TSR_ERROR_SHARDING,
		     "incompatible devices in one program: a mesh of device ids %s and a mesh of "
		     "device ids %s; make both of the same devices",
		     a.s ? a.s : "?", b.s ? b.s : "?");
		str_free(&a);
		str_free(&b);
		return false;
	}
	if (p->naxes + m->naxes > MAX_AXES)
		return fail(p->bs, where, TSR_ERROR_UNSUPPORTED,
		            "a program can name at most %d mesh axes", MAX_AXES);
	for (int i = 0; i < m->naxes; i++) add_axis(p, m, i);
	return true;
}

/* the axes of the program's mesh that the equation makes manual, if it is a map */
static void note_manual(partitioning *p, const eqn *e, const mesh *m)
{
	const ints *manual = params_field(e->prim, e->params, FIELD_MANUAL);

	for (int i = 0; manual && m == p->mesh && i < manual->n; i++)
		p->named |= axis_bit((int)manual->v[i]);
}

static bool note_wish(partitioning *p, const eqn *e)
{
	if (e->prim != &tsr__prim_sharding_constraint) return true;
	wish *w = arena_alloc(p->scratch, sizeof *w);
	if (!w) return false;
	*w = (wish){((const constraint_params *)e->params)->to.v[0], p->wishes};
	p->wishes = w;
	return true;
}

static bool is_program(const void *entry, const void *key) { return entry == key; }

static bool find_meshes(partitioning *p, const program *from)
{
	const uint64_t hash = hash_u64((uint64_t)(uintptr_t)from, 0);

	if (table_find(&p->seen, hash, is_program, from)) return true;
	if (!table_add(&p->seen, hash, (void *)(uintptr_t)from)) return false;
	for (int i = 0; i < from->neqns; i++) {
		const eqn *e = &from->eqns[i];
		const mesh *const *m = params_field(e->prim, e->params, FIELD_MESH);
		if (m && !add_mesh(p, *m, e->where)) return false;
		if (m) note_manual(p, e, *m);
		if (!note_wish(p, e)) return false;
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			if (!find_meshes(p, k.program)) return false;
	}
	return true;
}

/* ---- the walk */

spot *make_spots(partitioning *p, const program *from)
{
	spot *spots = arena_array(p->scratch, (size_t)from->nvars, sizeof *spots);

	for (int v = 1; spots && v < from->nvars; v++) spots[v].whole = from->vars[v].type;
	return spots;
}

static bool whole_of(partitioning *p, spot *s, var *out)
{
	return spot_value(p, s, &(layout){0}, out);
}

/* as it is, on whole values */
static bool walk_plain(partitioning *p, const eqn *e, spot *spots)
{
	var *io = arena_array(p->scratch, (size_t)(e->nin + e->nout) + 1, sizeof *io),
	    *out = io ? io + e->nin : NULL;
	const void *params =
		e->prim->params ? params_copy(build_arena(p->b), e->prim->params, e->params,
	                                      p->axis_map)
				: NULL;

	if (!io || (e->prim->params && !params)) return false;
	for (int i = 0; i < e->nin; i++) {
		p->ask = (ask){ASK_WHOLE, e, i, NULL};
		if (!whole_of(p, &spots[e->in[i].id], &io[i])) return false;
	}
	/* what calls the user may fail when it runs: if it has no place, its place is that of the
	 * call */
	const char *where = e->where || !e->prim->host ? e->where : p->where;
	if (!record_rest(p) ||
	    !build_eqn_exact(p->b, e->prim, params, io, e->nin, out, where, e->note))
		return false;
	record_copied(p);
	for (int j = 0; j < e->nout; j++)
		if (!spot_add(p, &spots[e->out[j].id], out[j], NULL, NULL)) return false;
	return true;
}

/* the value of another variable in this layout */
static bool brought(partitioning *p, spot *from, spot *to, const layout *l)
{
	const form *f = spot_form(p, from, l, PAD_ANY);
	form *same = f ? spot_add(p, to, f->v, l, NULL) : NULL;

	if (same) same->padding = f->padding;
	return same;
}

/* the value itself, brought to where its result shall be */
static bool walk_constraint(partitioning *p, const eqn *e, spot *spots, const places *in)
{
	const constraint_params *c = e->params;
	const sharding *to = c->to.v[0];
	spot *from = &spots[e->in[0].id], *at = &spots[e->out[0].id];
	const layout *l = in ? in->at[e->out[0].id] : &(layout){0};
	layout there;
	const bool other = in && to->axes && !layout_like(p, to, from->whole, &there);
	var v;

	p->ask = (ask){.kind = ASK_CONSTRAINT, .e = e};
	if (other) return spot_block(p, from, to, &v) && spot_add(p, at, v, NULL, to);
	return brought(p, from, at, l);
}

/* each value brought to where its result shall be */
static bool walk_alike(partitioning *p, const eqn *e, spot *spots, const places *in)
{
	static const layout whole = {0};
	bool ok = true;

	if (e->prim == &tsr__prim_placed_like) p->ask = (ask){.kind = ASK_MODEL, .e = e};
	for (int i = 0; ok && i < e->nout; i++) {
		const int y = e->out[i].id;
		ok = brought(p, &spots[e->in[i].id], &spots[y], in ? in->at[y] : &whole);
	}
	return ok;
}

/* Values that wait for each other, and have nothing else in common, so that an axis may cut them
 * all: each is taken where its result shall be */
static bool walk_barrier(partitioning *p, const eqn *e, spot *spots, const places *in)
{
	var *io = arena_array(p->scratch, (size_t)(e->nin + e->nout), sizeof *io);
	const form **from = arena_array(p->scratch, (size_t)e->nin, sizeof *from);
	static const layout whole = {0};

	if (!io || !from) return false;
	for (int i = 0; i < e->nin; i++) {
		const layout *l = in ? in->at[e->out[i].id] : &whole;
		p->ask = (ask){ASK_INSIDE, e, i, NULL};
		from[i] = spot_form(p, &spots[e->in[i].id], l, PAD_ANY);
		if (!from[i]) return false;
		io[i] = from[i]->v;
	}
	var *out = io + e->nin;
	if (!record_rest(p) ||
	    !build_eqn_exact(p->b, e->prim, NULL, io, e->nin, out, e->where, e->note))
		return false;
	for (int i = 0; i < e->nout; i++) {
		const layout at = from[i]->at;
		form *f = spot_add(p, &spots[e->out[i].id], out[i], &at, NULL);
		if (!f) return false;
		f->padding = from[i]->padding;
	}
	return true;
}

static bool walk_equation(partitioning *p, const program *from, int i, spot *spots,
                          const places *at)
{
	const eqn *e = &from->eqns[i];
	const inside *inside = at ? at->inside[i] : NULL;
	bool done = false;

	if (e->prim == &tsr__prim_shard_map) return walk_map(p, e, spots, inside);
	if (e->prim == &tsr__prim_sharding_constraint) return walk_constraint(p, e, spots, at);
	if (e->prim == &tsr__prim_placed_like || e->prim == &tsr__prim_shard_alike)
		return walk_alike(p, e, spots, at);
	if (e->prim == &tsr__prim_optimization_barrier) return walk_barrier(p, e, spots, at);
	if (at && !walk_on_blocks(p, at, e, spots, &done)) return false;
	if (!done && prim_holds_programs(e->prim)) return walk_inside(p, e, spots, inside);
	return done || walk_plain(p, e, spots);
}

bool partition_walk(partitioning *p, const program *from, spot *spots, const places *at)
{
	for (int v = 1; v < from->nvars; v++) {
		const var_info *info = &from->vars[v];
		if (!info->literal) continue;
		const var x = build_literal_as(p->b, info->type, info->literal);
		if (!x.id || !spot_add(p, &spots[v], x, NULL, NULL)) return false;
	}
	for (int i = 0; i < from->neqns; i++) {
		const char *outside = p->where;
		if (from->eqns[i].where) p->where = from->eqns[i].where;
		const bool ok = walk_equation(p, from, i, spots, at) && record_rest(p);
		p->where = outside;
		if (!ok) return false;
	}
	return true;
}

/* ---- inputs and outputs */

/* An input that every map which takes it cuts alike over another mesh, and nothing else reads,
 * enters as blocks */
typedef struct use {
	const sharding *cut;
	bool whole;
} use;

static void note_use(use *u, const sharding *cut)
{
	if (!cut || !cut->axes || (u->cut && u->cut != cut))
		u->whole = true;
	else
		u->cut = cut;
}

/* input[v]: 1 + the input that variable v is, or 0 */
static void note_uses(const program *p, const int *input, use *uses)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		const shard_map_params *map = e->prim == &tsr__prim_shard_map ? e->params : NULL;
		for (int j = 0; j < e->nin; j++)
			if (input[e->in[j].id])
				note_use(&uses[input[e->in[j].id] - 1], map ? map->in.v[j] : NULL);
	}
}

/* held: where it is, if it stays there. NULL: an error is recorded */
static const sharding *input_seen(partitioning *p, const type *t, const layout *at,
                                  const sharding *held)
{
	const sharding *as;
	layout there;

	if (held && layout_like(p, held, t, &there) && layout_same(&there, at)) return held;
	return layout_seen(p, at, t->ndim, &as) ? as : NULL;
}

static bool make_input(partitioning *p, const type *t, spot *s, const layout *at, const use *u,
                       const sharding *held, const sharding **in)
{
	const bool other = !at->n && u->cut && !u->whole && u->cut->mesh != p->mesh;
	var v;

	*in = NULL;
	if (other) {
		int64_t *block = arena_array(p->scratch, (size_t)t->ndim + 1, sizeof *block);
		*in = u->cut;
		if (!block) return false;
		sharding_block_dims(u->cut, t->dims, t->ndim, block);
		t = type_shaped(build_ir(p->b), t, block, t->ndim, entries_of(p, u->cut));
	} else if (at->n) {
		if (!(*in = input_seen(p, t, at, held))) return false;
		t = block_type(p, t, at);
	}
	return t && (v = build_input(p->b, t)).id && spot_add(p, s, v, at, other ? u->cut : NULL);
}

static bool make_inputs(partitioning *p, const program *global, spot *spots, const places *at,
                        const sharding *const *held, const sharding **in)
{
	int *input = arena_array(p->scratch, (size_t)global->nvars, sizeof *input);
	use *uses = arena_array(p->scratch, (size_t)global->nin + 1, sizeof *uses);

	if (!input || !uses) return false;
	for (int i = 0; i < global->nin; i++) input[global->in[i].id] = i + 1;
	note_uses(global, input, uses);
	for (int i = 0; i < global->nin; i++) {
		const int id = global->in[i].id;
		const layout *l = at ? at->at[id] : &(layout){0};
		const sharding *own = held ? held[i] : NULL;
		if (!make_input(p, spots[id].whole, &spots[id], l, &uses[i], own, &in[i]))
			return false;
	}
	return true;
}

/* as the constraint says that gives it, if one does */
static bool result_seen(partitioning *p, const places *at, int id, const layout *l, const type *t,
                        const sharding **as)
{
	const eqn *e = at->made[id];
	const bool said = e && e->prim == &tsr__prim_sharding_constraint;
	layout there;

	*as = said ? ((const constraint_params *)e->params)->to.v[0] : NULL;
	if (said && layout_like(p, *as, t, &there) && layout_same(&there, l)) return true;
	return layout_seen(p, l, t->ndim, as) && *as;
}

static bool make_outputs(partitioning *p, const program *global, spot *spots, const places *at,
                         var *result, const sharding **out)
{
	for (int i = 0; i < global->nout; i++) {
		const int id = global->out[i].id;
		const sharding *cut = spots[id].form->cut;
		const layout *l = at ? at->at[id] : &(layout){0};
		out[i] = cut;
		if (cut) {
			result[i] = spots[id].form->v;
			continue;
		}
		p->ask = (ask){.kind = ASK_RESULT, .operand = i};
		if (!spot_value(p, &spots[id], l, &result[i])) return false;
		if (l->n && !result_seen(p, at, id, l, spots[id].whole, &out[i])) return false;
	}
	return true;
}

/* where values shall be, from where operands are; NULL: no memory */
static const places *propagate_from(partitioning *p, const program *global,
                                    const sharding *const *held, decisions **why)
{
	places *at = places_make(p, global);

	if (!decisions_begin(p, why)) return NULL;
	for (int i = 0; at && held && i < global->nin; i++) {
		const int id = global->in[i].id;
		const type *t = type_of(global, global->in[i]);
		const bool there = layout_like(p, held[i], t, at->at[id]);
		if (there) at->closed[id] = ALL_CLOSED;
		else *at->at[id] = (layout){0};
	}
	if (at) places_held_alike(at);
	return at && propagate(p->scratch, at, p->size, *why) ? at : NULL;
}

/* no axis in part where values come in, and where they leave */
static const places *find_places(partitioning *p, const program *global,
                                 const sharding *const *held)
{
	const places *at = NULL;
	decisions *why = NULL;

	for (bool again = true; again;) {
		at = propagate_from(p, global, held, &why);
		if (!at || !refine(p, at, &again)) return NULL;
	}
	if (!decisions_record(p, why, at)) return NULL;
	for (int i = 0; i < global->nin + global->nout; i++) {
		const var v = i < global->nin ? global->in[i] : global->out[i - global->nin];
		if (!keep_what_is_seen(p, at->at[v.id], type_of(global, v)->ndim)) return NULL;
	}
	return at;
}

static bool partition(partitioning *p, const program *global, const sharding *const *held,
                      const places *at, placed *out)
{
	arena *a = p->scratch;
	spot *spots = make_spots(p, global);
	var *result = arena_array(a, (size_t)global->nout + 1, sizeof *result);

	out->in = arena_array(out->arena, (size_t)global->nin + 1, sizeof *out->in);
	out->out = arena_array(out->arena, (size_t)global->nout + 1, sizeof *out->out);
	if (!spots || !result || !out->in || !out->out ||
	    !make_inputs(p, global, spots, at, held, out->in) ||
	    !partition_walk(p, global, spots, at) ||
	    !make_outputs(p, global, spots, at, result, out->out) || !record_rest(p) ||
	    !record_needed(p, result, global->nout)) {
		build_abandon(p->b);
		return false;
	}
	out->mesh = p->mesh;
	out->program = build_end(p->b, result, global->nout);
	return out->program != NULL;
}

/* a sharding that is said, or held, is a layout if that can be, and is seen as it is */
static bool take_user(partitioning *p, const sharding *s)
{
	if (!s || !s->mesh || s->mesh == p->mesh || !mesh_same_devices(s->mesh, p->mesh))
		return true;
	for (int i = 0; i < p->nusers; i++)
		if (p->user[i] == s->mesh) return refine_for(p, s);
	p->user[p->nusers++] = s->mesh;
	return refine_for(p, s);
}

static bool take_users(partitioning *p, const program *global, const sharding *const *held)
{
	size_t most = (size_t)global->nin + 1;
	bool ok = true;

	for (const wish *w = p->wishes; w; w = w->next) most++;
	p->user = arena_array(p->scratch, most, sizeof *p->user);
	if (!p->user) return false;
	for (int i = 0; ok && held && i < global->nin; i++) ok = take_user(p, held[i]);
	for (const wish *w = p->wishes; ok && w; w = w->next) ok = take_user(p, w->to);
	return ok;
}

/* the mesh of the program: that of its first map, or else of the first input that is on one */
static bool choose_mesh(partitioning *p, const program *global, const sharding *const *held)
{
	if (!find_meshes(p, global)) return false;
	for (int i = 0; held && !p->mesh && i < global->nin; i++)
		if (held[i] && held[i]->mesh && held[i]->mesh->size > 1 &&
		    !add_mesh(p, held[i]->mesh, p->where))
			return false;
	return !p->mesh || take_users(p, global, held);
}

static bool letters_ask(const ir *r) { return debugs(r, 'P') || debugs(r, 'C'); }

/* names the record; what its letters ask for is printed at the end */
static bool name_report(const partitioning *p, const program *global)
{
	report *r = p->report;
	str mesh = {.base = p->bs};

	if (!r || !p->mesh) return true;
	mesh_text(&mesh, p->fine);
	r->name = arena_str(r->arena, global->name ? global->name : "a program");
	r->mesh = mesh.s && !mesh.lost ? arena_str(r->arena, mesh.s) : NULL;
	str_free(&mesh);
	return r->name && r->mesh;
}

static bool partition_reported(const program *global, const sharding *const *held,
                               const char *where, report *to, placed *out)
{
	base *bs = global->ir->base;
	table plans = {.base = bs};
	partitioning p = {.ir = global->ir,
	                  .bs = bs,
	                  .where = where,
	                  .seen = {.base = bs},
	                  .plans = &plans,
	                  .report = to,
	                  .turns = 1};

	*out = (placed){.arena = arena_make(p.bs)};
	p.scratch = arena_make(p.bs);
	memo_open(global->ir);
	const bool found = out->arena && p.scratch && choose_mesh(&p, global, held);
	const places *at = found && p.mesh ? find_places(&p, global, held) : NULL;
	const bool ok = found && (at || !p.mesh) && name_report(&p, global) &&
	                (p.b = build_begin(global->ir, global->name, p.axes, p.naxes)) &&
	                partition(&p, global, held, at, out);
	memo_close(global->ir);
	table_free(&p.seen, NULL);
	table_free(&plans, NULL);
	arena_free(p.scratch);
	if (!ok) placed_free(out);
	return ok;
}

bool pass_partition(const program *global, const sharding *const *held, const char *where,
                    report *asked, placed *out)
{
	const ir *r = global->ir;
	report own, *to = asked;

	if (!asked && letters_ask(r)) {
		if (!report_begin(&own, r->base)) return false;
		to = &own;
	}
	const bool ok = partition_reported(global, held, where, to, out);
	if (ok && to && debugs(r, 'P')) report_values_print(to);
	if (ok && to && debugs(r, 'C')) report_moves_print(to);
	if (to == &own) report_free(&own);
	return ok;
}
