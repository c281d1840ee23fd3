/* values.c - brings values into the layouts that equations want: it reuses existing ones, cuts,
 * gathers and sends, as the planner says (shard/reshard.c).
 *
 *     pass partition
 *     f(%0: f32[4,4]) -> f32[4,4] {
 *       %1: f32[4,4] = shard_map %0 mesh=(x:2) axes=(x) in=[[x]] out=[[x]]
 *             body=(%0: f32[2,4]{x}) -> f32[2,4]{x} {
 *         %1: f32[2,4]{x} = sin %0
 *         return %1
 *       }
 *       %2: f32[4,4] = shard_map %1 mesh=(x:2) axes=(x) in=[[-,x]] out=[[-,x]]
 *             body=(%0: f32[4,2]{x}) -> f32[4,2]{x} {
 *         %1: f32[4,2]{x} = cos %0
 *         return %1
 *       }
 *       return %2
 *     }
 *     gives
 *     axes (x of (x:2)) f(%0: f32[2,4]{x}) -> f32[4,2]{x} {
 *       %1: f32[2,4]{x} = sin %0
 *       %2: f32[4,2]{x} = all_to_all %1 axes=(x) split=1 concat=0 tiled=true
 *       %3: f32[4,2]{x} = cos %2
 *       return %3
 *     }
 *
 * A value keeps the forms that it has got, so that nothing is sent twice: another map that takes %1
 * as [[-,x]] would read %2 too. What padding holds is a part of a form, as far as it is known. */
#include "pass/partition/partition.h"

/* ---- layouts and shardings */

bool layout_of(const partitioning *p, const sharding *s, const type *whole, layout *to)
{
	int cut = 0; /* behind the last dim that is */

	*to = (layout){0};
	if (!s || s->mesh != p->mesh) return false;
	for (int d = 0; d < s->spec.ndim; d++)
		for (int i = s->spec.start[d]; i < s->spec.start[d + 1]; i++, cut = d + 1)
			cut_along(p, to, d, s->spec.axis[i]);
	return cut <= whole->ndim;
}

bool layout_like(const partitioning *p, const sharding *s, const type *whole, layout *to)
{
	spec_room room;
	int cut = 0;

	if (layout_of(p, s, whole, to)) return true;
	if (!s || !sharding_over(p->fine, s, &room)) return false;
	for (int d = 0; d < room.ndim; d++)
		for (int i = room.start[d]; i < room.start[d + 1]; i++, cut = d + 1)
			layout_cut(to, d, room.axis[i]);
	return cut <= whole->ndim;
}

const sharding *sharding_of(const partitioning *p, const layout *l, int ndim)
{
	spec_room room = {0};
	int n = 0;

	for (int i = 0; i < l->n;) {
		while (room.ndim <= l->dim[i]) room.start[++room.ndim] = n;
		room.axis[n++] = next_axis(p, l, &i);
		room.start[room.ndim] = n;
	}
	while (room.ndim < ndim) room.start[++room.ndim] = n;
	return sharding_of_room(p->ir->shards, p->mesh, &room);
}

int64_t *block_dims(partitioning *p, const type *whole, const layout *l)
{
	int64_t *dims = arena_array(p->scratch, (size_t)whole->ndim + 1, sizeof *dims);

	for (int d = 0; dims && d < whole->ndim; d++)
		dims[d] = layout_block(l, p->size, whole->dims, d);
	return dims;
}

const type *block_type(partitioning *p, const type *whole, const layout *l)
{
	int64_t *dims = block_dims(p, whole, l);

	if (!dims) return NULL;
	return type_shaped(build_ir(p->b), whole, dims, whole->ndim,
	                   layout_axes(l) | axes_renumber(whole->varying, p->axis_map));
}

/* ---- forms */

int entry_of(const partitioning *p, const mesh *m, int position)
{
	int i = p->fine->naxes;

	if (m == p->mesh) return p->part[position];
	while (p->axes[i].mesh != m || p->axes[i].position != position) i++;
	return i;
}

axis_set entries_of(const partitioning *p, const sharding *s)
{
	axis_set set = 0;

	for (int i = 0; i < s->mesh->naxes; i++)
		if (s->axes >> i & 1) set |= axis_bit(entry_of(p, s->mesh, i));
	return set;
}

/* A block varies over the axes that cut the value, even where its elements happen to be alike */
form *spot_add(partitioning *p, spot *s, var v, const layout *at, const sharding *cut)
{
	form *f = arena_alloc(p->scratch, sizeof *f);

	if (!f) return NULL;
	*f = (form){.v = v, .at = at ? *at : (layout){0}, .cut = cut, .next = s->form};
	const axis_set over = cut ? entries_of(p, cut) : layout_axes(&f->at);
	f->v = build_vary(p->b, v, over, p->where);
	s->form = f;
	return f->v.id ? f : NULL;
}

/* the axes of a sharding by dim, as entries of the table */
static bool entries_by_dim(partitioning *p, const sharding *s, int ndim, ints *by)
{
	for (int d = 0; d < ndim; d++) {
		int64_t *v = arena_array(p->scratch, MAX_AXES, sizeof *v);
		by[d] = (ints){0, v};
		if (!v) return false;
		for (int i = d < s->spec.ndim ? s->spec.start[d] : 0;
		     d < s->spec.ndim && i < s->spec.start[d + 1]; i++)
			v[by[d].n++] = entry_of(p, s->mesh, s->spec.axis[i]);
	}
	return true;
}

/* x with dims of these sizes */
static bool in_size(partitioning *p, var x, const int64_t *dims, int ndim, var *out)
{
	static const unsigned char zero[16];
	bool ok = true;

	*out = x;
	for (int d = 0; ok && d < ndim; d++) ok = resized(p, *out, d, dims[d], zero, out);
	return ok;
}

static bool glue(partitioning *p, const form *f, const type *whole, var *out)
{
	const int ndim = whole->ndim;
	ints *by = arena_array(p->scratch, (size_t)ndim + 1, sizeof *by);

	if (!by || !entries_by_dim(p, f->cut, ndim, by)) return false;
	*out = f->v;
	for (int d = 0; d < ndim; d++) {
		const all_gather_params g = {{by[d], {0, NULL}}, d, true, COLL_TO_INVARYING};
		if (by[d].n && !build_eqn(p->b, &tsr__prim_all_gather, &g, out, 1, out, p->where))
			return false;
	}
	return in_size(p, *out, whole->dims, whole->ndim, out);
}

/* the form in this layout, or else the one that is cut along fewest axes, since to cut costs
 * nothing. NULL: there is none over our mesh */
static const form *form_for(const spot *s, const layout *to)
{
	const form *least = NULL;

	for (const form *f = s->form; f; f = f->next) {
		if (f->cut) continue;
		if (layout_same(&f->at, to)) return f;
		if (!least || f->at.n < least->at.n) least = f;
	}
	return least;
}

static bool is_padded_with(const form *f, const type *whole, padding want)
{
	_Alignas(16) unsigned char number[16];

	if (!f->padding) return false;
	padding_number(want, whole->dtype, number);
	return memcmp(f->padding, number, tsr_dtype_size(whole->dtype)) == 0;
}

/* the form in another layout */
static form *moved(partitioning *p, spot *s, const form *f, const layout *to, const void *number,
                   padding with)
{
	const bool known = !has_padding(p, s->whole, &f->at) || is_padded_with(f, s->whole, with);
	bool kept;
	var v;

	if (!reshard(p, f->v, s->whole, &f->at, to, number, &v, &kept)) return NULL;
	form *new = spot_add(p, s, v, to, NULL);
	if (new && known && kept) new->padding = number;
	return new;
}

/* A constant of a loop is brought to a layout before the loop, which takes it once more */
static form *taken_again(partitioning *p, spot *s, const layout *to)
{
	const type *t = block_type(p, s->whole, to);
	const var v = t ? build_input(p->b, t) : (var){0};

	p->more->v[p->more->n++] = (struct more_input){s->constant - 1, *to};
	return v.id ? spot_add(p, s, v, to, NULL) : NULL;
}

static form *filled(partitioning *p, spot *s, const form *f, const void *number)
{
	var v;

	if (!fill_padding(p, f->v, s->whole, &f->at, number, &v)) return NULL;
	form *new = spot_add(p, s, v, &f->at, NULL);
	if (new) new->padding = number;
	return new;
}

/* one that is there already; NULL: none */
static const form *ready(const partitioning *p, const spot *s, const layout *to, padding want)
{
	const bool any = want == PAD_ANY || !has_padding(p, s->whole, to);

	for (const form *f = s->form; f; f = f->next)
		if (!f->cut && layout_same(&f->at, to) &&
		    (any || is_padded_with(f, s->whole, want)))
			return f;
	return NULL;
}

const form *spot_form(partitioning *p, spot *s, const layout *to, padding want)
{
	const form *f = ready(p, s, to, want);
	unsigned char *number;
	var v;

	if (f) return f;
	if (!(number = arena_alloc(p->scratch, 16))) return NULL;
	padding_number(want, s->whole->dtype, number);
	if (!(f = form_for(s, to)) && /* a block over another mesh */
	    (!glue(p, s->form, s->whole, &v) ||
	     !(f = spot_add(p, s, v, &(layout){0}, NULL))))
		return NULL;
	const bool again = s->constant && p->more->n < p->more->most;
	if (!layout_same(&f->at, to) &&
	    !(again ? taken_again(p, s, to) : moved(p, s, f, to, number, want)))
		return NULL;
	f = ready(p, s, to, want);
	return f ? f : filled(p, s, form_for(s, to), number);
}

bool spot_value(partitioning *p, spot *s, const layout *to, var *out)
{
	const form *f = spot_form(p, s, to, PAD_ANY);

	if (f) *out = f->v;
	return f;
}

/* A constant of a loop counts as any other value, though it is brought there once: what is cut in a
 * loop's operands is often so because it has no room elsewhere */
bool spot_ns(partitioning *p, const spot *s, const layout *to, double *ns)
{
	const layout none = {0};
	const form *f = form_for(s, to);

	return reshard_ns(p, s->whole, f ? &f->at : &none, to, ns);
}

bool spot_block(partitioning *p, spot *s, const sharding *want, var *out)
{
	const layout none = {0};
	layout to;

	if (layout_of(p, want, s->whole, &to)) return spot_value(p, s, &to, out);
	for (const form *f = s->form; f; f = f->next)
		if (f->cut == want) return (*out = f->v).id;
	if (!spot_value(p, s, &none, out)) return false;
	if (!want->axes) return true;
	const int ndim = s->whole->ndim;
	ints *by = arena_array(p->scratch, (size_t)ndim + 1, sizeof *by);
	int64_t *block = arena_array(p->scratch, (size_t)ndim + 1, sizeof *block);
	int64_t *full = arena_array(p->scratch, (size_t)ndim + 1, sizeof *full);
	if (!by || !block || !full || !entries_by_dim(p, want, ndim, by)) return false;
	sharding_block_dims(want, s->whole->dims, ndim, block);
	for (int d = 0; d < ndim; d++) full[d] = block[d] * sharding_parts(want, d);
	return in_size(p, *out, full, ndim, out) && cut_dims(p, *out, by, block, out);
}
