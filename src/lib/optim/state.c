/* state.c - the first values of an optimiser's state, each where it belongs.
 *
 * A moment is placed as its parameter is: what is made without a word would be on the first device,
 * and the first step would move it. With .zero = "data" it is cut along that axis too. Example: for
 * a parameter f32[1024, 4096] on a mesh data:4 model:2, placed as [-, model],
 *
 *     its moments            [-, model]       1024 x 2048 on each device
 *     with .zero = "data"    [data, model]     256 x 2048
 *
 * as the first dim of which the least is left: 256 x 2048, and as well 1024 x 512. */
#include "lib/optim/optim.h"

/* ---- where */

/* the array that a parameter is, outside of bodies */
static const array *array_of(const task *t, size_t k)
{
	return in_trace(t->site.ctx) ? NULL : handle_array(t->site.where, t->param[k]);
}

/* Where a slot belongs. It has the dims of its parameter, but for dim `drop`, if that is not -1 */
typedef struct slot_place {
	const task *task;
	const array *param;
	int drop, ndim;
	int64_t dims[MAX_NDIM];
	const mesh *mesh; /* NULL: on one device */
	spec_room spec;   /* over it */
} slot_place;

static int64_t parts_of(const mesh *m, const int *axis, int n)
{
	int64_t parts = 1;

	for (int i = 0; i < n; i++) parts *= m->axis[axis[i]].size;
	return parts;
}

/* into how many parts the spec cuts a dim */
static int64_t cuts_of(const slot_place *s, int dim)
{
	const int *start = s->spec.start;

	if (dim >= s->spec.ndim) return 1;
	return parts_of(s->mesh, s->spec.axis + start[dim], start[dim + 1] - start[dim]);
}

/* the dim of which the least is left on a device if n of them share its blocks, and of equal ones
 * the first; -1: none of them can be shared */
static int dim_to_cut(const slot_place *s, int64_t n)
{
	double least = 1;
	int best = -1;

	for (int d = 0; d < s->ndim; d++) {
		const int64_t cuts = cuts_of(s, d), block = (s->dims[d] + cuts - 1) / cuts;
		const double left = block > 1 ? (double)((block + n - 1) / n) / (double)block : 1;
		if (left < least) {
			least = left;
			best = d;
		}
	}
	return best;
}

/* the axes of .zero, as positions in the mesh. false: recorded */
static bool zero_axes(const slot_place *s, int axis[MAX_AXES], int *n)
{
	const task *t = s->task;

	*n = 0;
	for (const char *at = t->of->zero; *at; at += strcspn(at, "*"), at += *at == '*') {
		const int k = mesh_axis(s->mesh, at, strcspn(at, "*"));
		bool twice = false;
		for (int i = 0; i < *n; i++) twice |= axis[i] == k;
		if (k < 0 || twice)
			return fail(&t->site.ctx->base, t->site.where, TSR_ERROR_SHARDING,
			            "optimizer_init: .zero = \"%s\" of %s %s of %s, which the "
			            "parameters are on",
			            t->of->zero, t->of->rule->name,
			            twice ? "names an axis twice" : "is no axis, or product,",
			            tsr_mesh_text(s->mesh));
		axis[(*n)++] = k;
	}
	return true;
}

/* the spec, with more axes behind those that cut a dim */
static void cut_dim(spec_room *spec, int dim, const int *axis, int n)
{
	for (; spec->ndim <= dim; spec->ndim++)
		spec->start[spec->ndim + 1] = spec->start[spec->ndim];
	const int end = spec->start[dim + 1], all = spec->start[spec->ndim];
	memmove(spec->axis + end + n, spec->axis + end, (size_t)(all - end) * sizeof *axis);
	memcpy(spec->axis + end, axis, (size_t)n * sizeof *axis);
	for (int d = dim + 1; d <= spec->ndim; d++) spec->start[d] += n;
}

/* unless one of the axes of .zero cuts it already. false: recorded */
static bool cut_further(slot_place *s)
{
	int axis[MAX_AXES], n;

	if (!zero_axes(s, axis, &n)) return false;
	for (int i = 0; i < s->spec.start[s->spec.ndim]; i++)
		for (int k = 0; k < n; k++)
			if (s->spec.axis[i] == axis[k]) return true;
	const int dim = dim_to_cut(s, parts_of(s->mesh, axis, n));
	if (dim >= 0) cut_dim(&s->spec, dim, axis, n);
	return true;
}

/* its dims, and the spec of the parameter, without dim `drop` */
static void read_param(slot_place *s)
{
	const type *of = s->param->type;
	const spec *from = &s->param->sharding->spec;
	spec_room *to = &s->spec;

	s->ndim = to->ndim = to->start[0] = 0;
	for (int d = 0; d < of->ndim; d++) {
		if (d == s->drop) continue;
		s->dims[s->ndim++] = of->dims[d];
		if (d >= from->ndim) continue;
		const int n = from->start[d + 1] - from->start[d], at = to->start[to->ndim];
		memcpy(to->axis + at, from->axis + from->start[d], (size_t)n * sizeof *to->axis);
		to->start[++to->ndim] = at + n;
	}
}

/* NULL: recorded */
static const sharding *place_for(slot_place *s)
{
	const array *x = s->param;
	const task *t = s->task;
	const bool zero = *t->of->zero;

	read_param(s);
	s->mesh = x->committed ? x->sharding->mesh : NULL;
	if (!s->mesh && !zero) return x->sharding;
	if (!s->mesh &&
	    !(s->mesh = mesh_found(t->site.where, "optimizer_init: .zero", t->site.ctx, NULL)))
		return NULL;
	if (zero && !cut_further(s)) return NULL;
	return sharding_of_room(&t->site.ctx->shards, s->mesh, &s->spec);
}

/* ---- what */

/* without dim `drop`; in a body */
static tsr *zeros_in_body(const task *t, size_t k, tsr_dtype dtype, int drop)
{
	const call_site *site = &t->site;
	tsr *x = t->param[k];

	if (drop >= 0) x = tsr_index_at(site->where, x, drop, 0);
	return TO(dtype, HANDLE(tsr_zeros_like_at(site->where, x))).as.one;
}

static tsr *zeros_at(const task *t, const array *x, tsr_dtype dtype, int drop)
{
	_Alignas(16) static const unsigned char zero[16];
	slot_place s = {.task = t, .param = x, .drop = drop};
	const sharding *to = place_for(&s);
	const type *made = to ? type_make(&t->site.ctx->ir, dtype, s.dims, s.ndim, 0) : NULL;

	return handle_of_array(
		t->site.ctx,
		made ? array_filled(t->site.ctx, made, zero, to, x->committed || s.mesh) : NULL);
}

tsr *zeros_for(const task *t, size_t k, tsr_dtype dtype, int drop)
{
	const array *x = array_of(t, k);

	if (!dtype) dtype = tsr_dtype_of(t->param[k]);
	return x ? zeros_at(t, x, dtype, drop) : zeros_in_body(t, k, dtype, drop);
}

tsr *copy_for(const task *t, size_t k)
{
	const array *x = array_of(t, k);

	if (!x) return tsr_copy_at(t->site.where, t->param[k]);
	slot_place s = {.task = t, .param = x, .drop = -1};
	const sharding *to = place_for(&s);
	if (!to) return poison_of(t->site.ctx);
	if (to == x->sharding) return tsr_copy_at(t->site.where, t->param[k]);
	return tsr_put_sharding_at(t->site.where, t->param[k], to);
}

/* A count is on all devices of the parameters, lest the second step be another program than the
 * first one */
static tsr *zero_count(const task *t)
{
	for (size_t k = 0; k < t->n && !in_trace(t->site.ctx); k++) {
		const array *x = t->param[k] ? array_of(t, k) : NULL;
		const int32_t zero = 0;
		if (!x || !x->committed) continue;
		const mesh *m = x->sharding->mesh;
		const sharding *to =
			m ? sharding_replicated_on(&t->site.ctx->shards, m) : x->sharding;
		const type *made = type_make(&t->site.ctx->ir, TSR_I32, NULL, 0, 0);
		return handle_of_array(t->site.ctx,
		                       to && made ? array_filled(t->site.ctx, made, &zero, to, true)
		                                  : NULL);
	}
	return tsr_scalar_at(t->site.where, t->site.ctx, INT(0), NULL);
}

/* ---- all of it */

bool state_init(const task *t)
{
	const part_rule *rule = t->of->rule;
	size_t at = 0;
	bool ok = true;

	if (*t->of->zero && in_trace(t->site.ctx))
		return fail(&t->site.ctx->base, t->site.where, TSR_ERROR_UNSUPPORTED,
		            "optimizer_init: in a body that is traced it is not known where the "
		            "parameters are, which .zero = \"%s\" of %s cuts further; call it "
		            "outside",
		            t->of->zero, rule->name);
	while (at < (size_t)rule->counts) t->state[at++] = zero_count(t);
	for (int i = 0; i < rule->slots; i++)
		for (size_t k = 0; k < t->n; k++, at++)
			if (t->param[k]) t->state[at] = rule->init(t, i, k);
	for (size_t i = 0; i < at; i++)
		ok = ok && !(t->state[i] && handle_is_poison(t->state[i]));
	for (int i = 0; ok && i < t->of->nparts; i++) {
		const task part = task_of(t, i);
		ok = state_init(&part);
	}
	return ok;
}
