/* axes.c - makes axis tables: of a program inside an equation, of sets of entries under other
 * numbers, and of the entries that an equation names.
 *
 * Example:
 *
 *     axes (x of (x:2,y:4)) f(%0: f32[8]{x}) -> f32[8]{x} {
 *       %1: f32[8]{x} = shard_map %0 mesh=(x:2,y:4) axes=(y) in=[[y]] out=[[y]]
 *         body=(%0: f32[2]{x,y}) -> f32[2]{x,y} {
 *         %1: f32[2]{x,y} = sin %0
 *         return %1
 *       }
 *       return %1
 *     }
 *
 * The table of the body begins with the enclosing one, so that a number of that means the same axis
 * inside, and what a body uses of the outside needs no change:
 *
 *     0: x of size 2
 *     1: y of size 4 */
#include "program/program.h"

int inner_axes(const tsr_prim *prim, const void *params, const axis *axes, int naxes,
               axis out[MAX_AXES])
{
	const mesh *const *m = params_field(prim, params, FIELD_MESH);
	const ints *manual = params_field(prim, params, FIELD_MANUAL);
	const int added = m && *m && manual ? manual->n : 0;

	if (added > MAX_AXES - naxes) return -1;
	for (int i = 0; i < naxes; i++) out[i] = axes[i];
	for (int i = 0; i < added; i++) {
		const int at = (int)manual->v[i];
		const tsr_axis *a = &(*m)->axis[at];
		out[naxes + i] = (axis){a->name, a->size, AXIS_MESH, *m, at, NULL};
	}
	return naxes + added;
}

ints axes_listed(axis_set set, int64_t room[MAX_AXES])
{
	ints list = {0, room};

	for (int i = 0; set; i++, set >>= 1)
		if (set & 1) room[list.n++] = i;
	return list;
}

axis_set axes_renumber(axis_set set, const int *axis_map)
{
	axis_set out = 0;

	for (int i = 0; set; i++, set >>= 1)
		if (set & 1) out |= axis_bit(axis_map[i]);
	return out;
}

static bool axis_same(const axis *a, const axis *b)
{
	if (a->kind != b->kind || a->size != b->size) return false;
	if (a->kind == AXIS_MAP)
		return a->over == b->over ||
		       (a->over && b->over && strcmp(a->over, b->over) == 0);
	return a->position == b->position && (a->mesh == b->mesh || a->mesh->hash == b->mesh->hash);
}

bool axes_same(const axis *a, int na, const axis *b, int nb)
{
	bool same = na == nb;

	for (int i = 0; same && i < na; i++) same = axis_same(&a[i], &b[i]);
	return same;
}

const char *product_next(const char **at, size_t *len)
{
	const char *name = *at + strspn(*at, " *");

	*len = strcspn(name, "*");
	*at = name + *len;
	while (*len && name[*len - 1] == ' ') --*len;
	return *len ? name : NULL;
}

axis_set axes_split(const axis *axes, int naxes)
{
	axis_set split = 0;
	size_t len;

	for (int i = 0; i < naxes; i++) {
		if (axes[i].kind != AXIS_MAP || !axes[i].over) continue;
		for (const char *at = axes[i].over, *name; (name = product_next(&at, &len));) {
			const int entry = axis_named(axes, naxes, name, len);
			if (entry > i && axes[entry].kind == AXIS_MESH) split |= axis_bit(entry);
		}
	}
	return split;
}

/* the table of a program inside begins with the enclosing one; the entries behind it, a map's own,
 * are nobody's outside */
axis_set own_axes(const eqn *e)
{
	const ints *axes = params_field(e->prim, e->params, FIELD_AXES);
	axis_set set = 0;

	for (int i = 0; axes && i < axes->n; i++) set |= axis_bit(axes->v[i]);
	return set;
}

static bool exchanges_over(const eqn *e, uint64_t over)
{
	return eqn_exchanges(e) && own_axes(e) & over;
}

static bool has_effect(const eqn *e, uint64_t effects) { return own_effects(e) & effects; }

static const eqn *find_eqn(const program *p, bool (*is)(const eqn *, uint64_t), uint64_t of,
                           const char **where)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i], *found = is(e, of) ? e : NULL;
		for (inner in = {0}; !found && inner_next(e->prim, e->params, &in);)
			found = find_eqn(in.program, is, of, where);
		if (!found) continue;
		if (found == e || !*where) *where = e->where;
		return found;
	}
	return NULL;
}

const eqn *find_exchange(const program *p, axis_set over, const char **where)
{
	return p->exchanges ? find_eqn(p, exchanges_over, over, where) : NULL;
}

const eqn *find_effect(const program *p, unsigned effects, const char **where)
{
	return p->effects & effects ? find_eqn(p, has_effect, effects, where) : NULL;
}

axis_set eqn_names(const eqn *e)
{
	axis_set names = 0;

	for (const field *f = e->prim->params; f && f->name; f++) {
		const ints *axes = (const void *)((const char *)e->params + f->offset);
		if (f->kind != FIELD_AXES) continue;
		for (int i = 0; i < axes->n; i++) names |= axis_bit(axes->v[i]);
	}
	const ints *manual = params_field(e->prim, e->params, FIELD_MANUAL);
	for (inner i = {0}; inner_next(e->prim, e->params, &i);)
		names |= i.program->names &
		         axes_below(i.program->naxes - (manual ? manual->n : 0));
	return names;
}
