/* partition.c - from a traced program to a per-device program: shard_map equations are replaced
 * by their bodies. Calls are inlined before.
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
 *       %2: f32[8] = all_gather %1 axes=(x) dim=0 tiled=true to=invarying
 *       %3: f32[] = reduce_sum %2 dims=[0]
 *       return %1 %3
 *     }
 *
 * The input comes in blocks, for nothing but the map reads it, and the first result leaves in
 * blocks; the sum outside the map asks for the whole value, which is gathered.
 *
 * Outside the maps a value is whole on every device (which costs one copy a memory). A map
 * slices the blocks it takes out of it, at the device's own coordinates, and a result is
 * gathered back when something asks for all of it. What is only ever seen as blocks stays
 * blocks: between two maps that cut alike, at the program's inputs when every use cuts them
 * alike, and at its outputs. Programs inside control flow are treated like the one around them;
 * what goes in and comes out of them is whole.
 *
 * The result's axis table holds every axis of every mesh that a map names; `axis_map` renumbers
 * from the table of the program being read to it. */
#include "pass/pass.h"

typedef struct spot { /* what stands for a variable of the program being read; either or both */
	var whole;
	var block; /* the device's piece under `cut` */
	const sharding *cut;
} spot;

typedef struct partitioning {
	build *b;
	arena *scratch; /* what the walk needs and the result does not */
	base *bs;
	const char *where;
	const mesh *mesh; /* the first one met: its devices are the program's */
	axis axes[MAX_AXES];
	int naxes;
	table seen; /* programs whose meshes are in there */
} partitioning;

/* ---- the axis table of the result */

static bool add_mesh(partitioning *p, const mesh *m, const char *where)
{
	for (int i = 0; i < p->naxes; i++)
		if (p->axes[i].mesh == m) return true;
	if (!p->mesh) p->mesh = m;
	if (p->mesh->size != m->size ||
	    !same_device_set(p->bs, p->mesh->device, m->device, m->size)) {
		str a = {.base = p->bs}, b = {.base = p->bs};
		devices_text(&a, p->mesh->device, p->mesh->size);
		devices_text(&b, m->device, m->size);
		fail(p->bs, where, TSR_ERROR_SHARDING,
		     "incompatible devices in one program: a shard_map on device ids %s and a "
		     "shard_map on device ids %s; "
		     "make both meshes of the same devices",
		     a.s ? a.s : "?", b.s ? b.s : "?");
		str_free(&a);
		str_free(&b);
		return false;
	}
	if (p->naxes + m->naxes > MAX_AXES)
		return fail(p->bs, where, TSR_ERROR_UNSUPPORTED,
		            "a program can name at most %d mesh axes", MAX_AXES);
	for (int i = 0; i < m->naxes; i++)
		p->axes[p->naxes++] =
			(axis){m->axis[i].name, m->axis[i].size, AXIS_MESH, m, i, NULL};
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
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			if (!find_meshes(p, k.program)) return false;
	}
	return true;
}

static int entry_of(const partitioning *p, const mesh *m, int position)
{
	int i = 0;

	while (p->axes[i].mesh != m || p->axes[i].position != position) i++;
	return i;
}

/* ---- cutting and gluing */

static int entries_of_dim(const partitioning *p, const sharding *s, int d, int64_t out[MAX_AXES])
{
	int n = 0;

	if (d >= s->spec.ndim) return 0;
	for (int i = s->spec.start[d]; i < s->spec.start[d + 1]; i++)
		out[n++] = entry_of(p, s->mesh, s->spec.axis[i]);
	return n;
}

static axis_set entries_of(const partitioning *p, const sharding *s)
{
	axis_set set = 0;

	for (int i = 0; i < s->mesh->naxes; i++)
		if (s->axes >> i & 1) set |= axis_bit(entry_of(p, s->mesh, i));
	return set;
}

static var small_int(partitioning *p, tsr_dtype dtype, int64_t value)
{
	const int32_t narrow = (int32_t)value;

	return build_literal(p->b, dtype, dtype == TSR_I64 ? (const void *)&value : &narrow);
}

/* where this device begins in a dim: its index over the dim's axes, times the block's size */
static bool block_start(partitioning *p, const int64_t *axes, int naxes, int64_t size,
                        tsr_dtype dtype, var *out)
{
	if (naxes == 0) return (*out = small_int(p, dtype, 0)).id;
	const axes_params on = {{{naxes, axes}, {0, NULL}}};
	var index, factor = small_int(p, dtype, size);
	if (!factor.id || !build_eqn(p->b, &tsr__prim_axis_index, &on, NULL, 0, &index, p->where))
		return false;
	if (dtype == TSR_I64 && !build_eqn(p->b, &tsr__prim_convert_element_type,
	                                   &(dtype_params){.dtype = TSR_I64}, &index, 1, &index,
	                                   p->where))
		return false;
	return build_eqn(p->b, &tsr__prim_mul, NULL, (var[]){index, factor}, 2, out, p->where);
}

static bool cut(partitioning *p, var whole, const sharding *s, var *out)
{
	const type *t = build_type(p->b, whole);
	var *operand = arena_array(p->scratch, (size_t)t->ndim + 1, sizeof *operand);
	int64_t *block = arena_array(p->scratch, (size_t)t->ndim + 1, sizeof *block);
	tsr_dtype dtype = TSR_I32;

	if (!operand || !block) return false;
	sharding_block_dims(s, t->dims, t->ndim, block);
	operand[0] = whole;
	for (int d = 0; d < t->ndim; d++)
		if (t->dims[d] > INT32_MAX) dtype = TSR_I64;
	for (int d = 0; d < t->ndim; d++) {
		int64_t axes[MAX_AXES];
		const int n = entries_of_dim(p, s, d, axes);
		if (!block_start(p, axes, n, block[d], dtype, &operand[1 + d])) return false;
	}
	return build_eqn(p->b, &tsr__prim_dynamic_slice, &(dynamic_slice_params){{t->ndim, block}},
	                 operand, 1 + t->ndim, out, p->where);
}

static bool glue(partitioning *p, var block, const sharding *s, var *out)
{
	*out = build_vary(p->b, block, entries_of(p, s), p->where);
	for (int d = 0; out->id && d < s->spec.ndim; d++) {
		int64_t axes[MAX_AXES];
		const int n = entries_of_dim(p, s, d, axes);
		const all_gather_params g = {{{n, axes}, {0, NULL}}, d, true, COLL_TO_INVARYING};
		if (n && !build_eqn(p->b, &tsr__prim_all_gather, &g, out, 1, out, p->where))
			return false;
	}
	return out->id;
}

static bool whole_of(partitioning *p, spot *s, var *out)
{
	if (!s->whole.id && !glue(p, s->block, s->cut, &s->whole)) return false;
	*out = s->whole;
	return true;
}

static bool block_of(partitioning *p, spot *s, const sharding *want, var *out)
{
	if (s->block.id && s->cut == want) {
		*out = s->block;
		return true;
	}
	if (!whole_of(p, s, out)) return false;
	return !want->axes || cut(p, *out, want, out);
}

/* ---- the walk */

static bool partition_walk(partitioning *p, const program *from, spot *spots, const int *axis_map);

static bool walk_map(partitioning *p, const eqn *e, spot *spots, const int *axis_map)
{
	const shard_map_params *sm = e->params;
	const program *body = sm->body;
	const int outer = body->naxes - sm->manual.n;
	spot *inner = arena_array(p->scratch, (size_t)body->nvars, sizeof *inner);
	int inner_map[MAX_AXES];

	if (!inner) return false;
	for (int i = 0; i < outer; i++) inner_map[i] = axis_map[i];
	for (int i = 0; i < sm->manual.n; i++)
		inner_map[outer + i] = entry_of(p, sm->mesh, (int)sm->manual.v[i]);
	for (int i = 0; i < body->nin; i++) {
		spot *at = &inner[body->in[i].id];
		const axis_set varying =
			axes_renumber(type_of(body, body->in[i])->varying, inner_map);
		if (!block_of(p, &spots[e->in[i].id], sm->in.v[i], &at->whole)) return false;
		if (!(at->whole = build_vary(p->b, at->whole, varying, e->where)).id) return false;
	}
	if (!partition_walk(p, body, inner, inner_map)) return false;
	for (int i = 0; i < body->nout; i++) {
		spot *at = &spots[e->out[i].id];
		var block;
		if (!whole_of(p, &inner[body->out[i].id], &block)) return false;
		*at = sm->out.v[i]->axes ? (spot){.block = block, .cut = sm->out.v[i]}
		                         : (spot){.whole = block};
	}
	return true;
}

typedef struct within {
	partitioning *p;
	const int *axis_map;
} within;

/* a program inside control flow, on whole values */
static program *part_program(const within *in, const program *from)
{
	partitioning own = *in->p;
	spot *spots = arena_array(own.scratch, (size_t)from->nvars, sizeof *spots);
	var *out = arena_array(own.scratch, (size_t)from->nout + 1, sizeof *out);
	bool ok = spots && out && (own.b = build_begin(from->ir, from->name, own.axes, own.naxes));

	if (!ok) return NULL;
	for (int i = 0; ok && i < from->nin; i++) {
		const type *t = type_of(from, from->in[i]);
		t = type_vary(from->ir, t, axes_renumber(t->varying, in->axis_map));
		ok = t && (spots[from->in[i].id].whole = build_input(own.b, t)).id;
	}
	ok = ok && partition_walk(&own, from, spots, in->axis_map);
	for (int i = 0; ok && i < from->nout; i++)
		ok = whole_of(&own, &spots[from->out[i].id], &out[i]);
	if (ok) return build_end(own.b, out, from->nout);
	build_abandon(own.b);
	return NULL;
}

static program *part_inner(void *user, const program *from)
{
	const within *in = user;
	memo m;

	if (memo_begin(&m, "partition", from,
	               MEMO_PARTS({in->axis_map, (size_t)from->naxes * sizeof *in->axis_map}), NULL,
	               0))
		m.to[0] = part_program(in, from);
	return memo_end(&m);
}

static bool walk_plain(partitioning *p, const eqn *e, spot *spots, const int *axis_map)
{
	var *io = arena_array(p->scratch, (size_t)(e->nin + e->nout) + 1, sizeof *io),
	    *out = io ? io + e->nin : NULL;
	within in = {p, axis_map};
	const void *params =
		e->prim->params ? build_params(p->b, e, axis_map, part_inner, &in) : NULL;

	if (!io || (e->prim->params && !params)) return false;
	for (int i = 0; i < e->nin; i++)
		if (!whole_of(p, &spots[e->in[i].id], &io[i])) return false;
	/* what calls the user may fail when it runs: if it has no place, its place is that of the
	 * call */
	const char *where = e->where || !e->prim->host ? e->where : p->where;
	if (!build_eqn_exact(p->b, e->prim, params, io, e->nin, out, where, e->note)) return false;
	for (int i = 0; i < e->nout; i++) spots[e->out[i].id].whole = out[i];
	return true;
}

static bool partition_walk(partitioning *p, const program *from, spot *spots, const int *axis_map)
{
	for (int v = 1; v < from->nvars; v++) {
		const var_info *info = &from->vars[v];
		if (info->literal &&
		    !(spots[v].whole = build_literal_as(p->b, info->type, info->literal)).id)
			return false;
	}
	for (int i = 0; i < from->neqns; i++) {
		const eqn *e = &from->eqns[i];
		const char *outside = p->where;
		if (e->where) p->where = e->where;
		const bool ok = e->prim == &tsr__prim_shard_map ? walk_map(p, e, spots, axis_map)
		                                                : walk_plain(p, e, spots, axis_map);
		p->where = outside;
		if (!ok) return false;
	}
	return true;
}

/* ---- inputs and outputs */

/* an input enters as blocks when every map that takes it cuts it alike and nothing else reads it */
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

static bool make_inputs(partitioning *p, const program *global, spot *spots, const sharding **in)
{
	int *input = arena_array(p->scratch, (size_t)global->nvars, sizeof *input);
	use *uses = arena_array(p->scratch, (size_t)global->nin + 1, sizeof *uses);

	if (!input || !uses) return false;
	for (int i = 0; i < global->nin; i++) input[global->in[i].id] = i + 1;
	note_uses(global, input, uses);
	for (int i = 0; i < global->nin; i++) {
		const type *t = type_of(global, global->in[i]);
		spot *at = &spots[global->in[i].id];
		int64_t *block = arena_array(p->scratch, (size_t)t->ndim + 1, sizeof *block);
		if (!block) return false;
		in[i] = uses[i].whole ? NULL : uses[i].cut;
		if (in[i]) {
			sharding_block_dims(in[i], t->dims, t->ndim, block);
			t = type_shaped(global->ir, t, block, t->ndim, entries_of(p, in[i]));
			if (!t || !(at->block = build_input(p->b, t)).id) return false;
			at->cut = in[i];
		} else if (!(at->whole = build_input(p->b, t)).id) {
			return false;
		}
	}
	return true;
}

static bool make_outputs(partitioning *p, const program *global, spot *spots, var *result,
                         const sharding **out)
{
	for (int i = 0; i < global->nout; i++) {
		spot *at = &spots[global->out[i].id];
		if (at->block.id) {
			result[i] = build_vary(p->b, at->block, entries_of(p, at->cut), p->where);
			out[i] = at->cut;
		} else {
			result[i] = at->whole;
		}
		if (!result[i].id) return false;
	}
	return true;
}

static bool partition(partitioning *p, const program *global, placed *out)
{
	arena *a = p->scratch;
	spot *spots = arena_array(a, (size_t)global->nvars, sizeof *spots);
	var *result = arena_array(a, (size_t)global->nout + 1, sizeof *result);

	out->in = arena_array(out->arena, (size_t)global->nin + 1, sizeof *out->in);
	out->out = arena_array(out->arena, (size_t)global->nout + 1, sizeof *out->out);
	if (!spots || !result || !out->in || !out->out || !make_inputs(p, global, spots, out->in) ||
	    !partition_walk(p, global, spots, NULL) ||
	    !make_outputs(p, global, spots, result, out->out)) {
		build_abandon(p->b);
		return false;
	}
	out->mesh = p->mesh;
	out->program = build_end(p->b, result, global->nout);
	return out->program != NULL;
}

bool pass_partition(const program *global, const char *where, placed *out)
{
	base *bs = global->ir->base;
	partitioning p = {.bs = bs, .where = where, .seen = {.base = bs}};

	*out = (placed){.arena = arena_make(p.bs)};
	p.scratch = arena_make(p.bs);
	memo_open(global->ir);
	const bool ok = out->arena && p.scratch && find_meshes(&p, global) &&
	                (p.b = build_begin(global->ir, global->name, p.axes, p.naxes)) &&
	                partition(&p, global, out);
	memo_close(global->ir);
	table_free(&p.seen, NULL);
	arena_free(p.scratch);
	if (!ok) placed_free(out);
	return ok;
}
