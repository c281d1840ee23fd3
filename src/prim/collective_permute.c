/* collective_permute.c - elements of a batch in another order, within a device and between devices.
 */
#include <stdlib.h>
#include "prim/collective.h"

/* ---- within a device: dim 0 as a list of elements, cut into runs of equal steps */

/* entries of the list from `from` on that are one step apart (0: they repeat), or all -1. Two alone
 * that are further apart than one are no run */
static int run_length(const int64_t *index, int from, int n, int64_t *step)
{
	const bool zeros = index[from] < 0;
	int end = from + 1;

	*step = !zeros && end < n && index[end] >= 0 ? index[end] - index[from] : 0;
	while (end < n && (index[end] < 0) == zeros &&
	       (zeros || index[end] - index[end - 1] == *step))
		end++;
	return end == from + 2 && (*step > 1 || *step < -1) ? 1 : end - from;
}

/* elements start, start + step, ... before stop; step > 0 */
static var slice_batch(build *b, var x, int64_t start, int64_t stop, int64_t step)
{
	const type *t = build_type(b, x);
	int64_t *v = list_room(b, 3 * t->ndim);

	if (!v) return (var){0};
	int64_t *from = v, *to = v + t->ndim, *by = to + t->ndim;
	for (int d = 0; d < t->ndim; d++) {
		from[d] = d ? 0 : start;
		to[d] = d ? t->dims[d] : stop;
		by[d] = d ? 1 : step;
	}
	if (start == 0 && stop == t->dims[0] && step == 1) return x;
	const slice_params p = {{t->ndim, from}, {t->ndim, to}, {t->ndim, by}};
	return emit(b, &tsr__prim_slice, &p, &x, 1);
}

/* the batch dim is given another size: of zeros (x of any size), or of x's one element repeated */
static var fill_batch(build *b, var x, int64_t n, bool zeros)
{
	const type *t = build_type(b, x);
	int64_t *v = list_room(b, 2 * t->ndim);

	if (!v) return (var){0};
	int64_t *dims = v, *at = v + t->ndim;
	for (int d = 0; d < t->ndim; d++) dims[d] = d ? t->dims[d] : n;
	if (zeros) {
		const type *whole = type_make(build_ir(b), t->dtype, dims, t->ndim, t->varying);
		if (!whole) build_fail(b);
		return whole ? emit_zeros(b, whole) : (var){0};
	}
	for (int d = 1; d < t->ndim; d++) at[d - 1] = d;
	return emit_broadcast(b, emit_reshape(b, x, t->dims + 1, t->ndim - 1), dims, t->ndim, at);
}

static var take_run(build *b, var x, int64_t first, int64_t step, int64_t n)
{
	static const int64_t leading[] = {0};
	const int64_t last = first + (n - 1) * step, low = step < 0 ? last : first;
	const int64_t high = step < 0 ? first : last;

	if (first < 0) return fill_batch(b, x, n, true);
	const var part = slice_batch(b, x, low, high + 1,
	                             n == 1 || !step ? 1
	                             : step < 0      ? -step
	                                             : step);
	if (is_zero(part) || n == 1) return part;
	if (step == 0) return fill_batch(b, part, n, false);
	return step > 0 ? part : emit(b, &tsr__prim_rev, &(dims_params){{1, leading}}, &part, 1);
}

var batch_take(build *b, var x, const int64_t *index, int n)
{
	var *part = var_room(b, n);
	int nparts = 0;
	int64_t step;

	if (!part || is_zero(x)) return (var){0};
	for (int at = 0, length; at < n; at += length) {
		length = run_length(index, at, n, &step);
		part[nparts++] = take_run(b, x, index[at], step, length);
	}
	return emit_join(b, part, nparts, 0);
}

/* ---- between devices. A pair of members is an element that moves from slot to slot and from
 * device to device. The slots whose elements take the same way between devices go together, in one
 * ppermute: a layer. */

typedef struct hop {
	int64_t from_slot, to_slot, from, to; /* from, to: members of the rest */
} hop;
typedef struct slot {
	const hop *hop; /* all from one slot to another, by from */
	int n;
} slot;

static int by_value(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

static int by_number(const void *left, const void *right)
{
	return by_value(*(const int64_t *)left, *(const int64_t *)right);
}

static int by_slots(const void *left, const void *right)
{
	const hop *a = left, *b = right;
	const int to = by_value(a->to_slot, b->to_slot);
	const int from = to ? to : by_value(a->from_slot, b->from_slot);

	return from ? from : by_value(a->from, b->from);
}

static int same_way(const slot *a, const slot *b)
{
	int order = by_value(a->n, b->n);

	for (int i = 0; !order && i < a->n; i++) {
		order = by_value(a->hop[i].from, b->hop[i].from);
		if (!order) order = by_value(a->hop[i].to, b->hop[i].to);
	}
	return order;
}

static int by_way(const void *left, const void *right)
{
	const slot *a = left, *b = right;
	const int order = same_way(a, b);

	return order ? order : by_value(a->hop->to_slot, b->hop->to_slot);
}

int64_t rest_element(const rest *r, int64_t member) { return member / r->minor % r->n; }

int64_t rest_member(const rest *r, int64_t member)
{
	return member / (r->minor * r->n) * r->minor + member % r->minor;
}

/* the slots of a permutation, those with the same way beside each other; NULL: the build failed */
static slot *slots_of(build *b, const rest *r, const ints *perm, int *nslots)
{
	const int n = perm->n / 2;
	hop *hops = arena_array(build_arena(b), (size_t)n + 1, sizeof *hops);
	slot *slots = arena_array(build_arena(b), (size_t)n + 1, sizeof *slots);

	*nslots = 0;
	if (!hops || !slots) {
		build_fail(b);
		return NULL;
	}
	for (int i = 0; i < n; i++) {
		const int64_t from = perm->v[2 * i], to = perm->v[2 * i + 1];
		hops[i] = (hop){rest_element(r, from), rest_element(r, to), rest_member(r, from),
		                rest_member(r, to)};
	}
	qsort(hops, (size_t)n, sizeof *hops, by_slots);
	for (int i = 0; i < n; i++) {
		const bool next = i && hops[i].to_slot == hops[i - 1].to_slot &&
		                  hops[i].from_slot == hops[i - 1].from_slot;
		if (!next) slots[(*nslots)++] = (slot){&hops[i], 0};
		slots[*nslots - 1].n++;
	}
	qsort(slots, (size_t)*nslots, sizeof *slots, by_way);
	return slots;
}

static bool stays(const slot *way, int64_t ndevices)
{
	for (int i = 0; i < way->n; i++)
		if (way->hop[i].from != way->hop[i].to) return false;
	return way->n == ndevices;
}

/* the elements of a layer on their way: nothing moves where all devices keep theirs */
static var send(build *b, const rest *r, const slot *way, var x)
{
	int64_t *pairs = list_room(b, 2 * way->n);

	if (!pairs || stays(way, r->major * r->minor)) return x;
	for (int i = 0; i < way->n; i++) {
		pairs[2 * i] = way->hop[i].from;
		pairs[2 * i + 1] = way->hop[i].to;
	}
	const ppermute_params p = {r->on, {2 * way->n, pairs}};
	return emit(b, &tsr__prim_ppermute, &p, &x, 1);
}

/* is the index (i32, of any shape) one of the list, which rises? */
static var one_of(build *b, var index, const int64_t *list, int n)
{
	var any = {0};

	for (int at = 0, length; at < n; at += length) {
		length = 1;
		while (at + length < n && list[at + length] == list[at] + length) length++;
		const var low = emit_scalar(b, TSR_I32, (double)list[at]);
		const var high = emit_scalar(b, TSR_I32, (double)list[at + length - 1]);
		const var is = length == 1 ? emit_2(b, &tsr__prim_eq, index, low)
		                           : emit_2(b, &tsr__prim_and,
		                                    emit_2(b, &tsr__prim_ge, index, low),
		                                    emit_2(b, &tsr__prim_le, index, high));
		any = at ? emit_2(b, &tsr__prim_or, any, is) : is;
	}
	return any;
}

/* y, but what arrived with a layer where it arrives: in its slots, on the devices it goes to */
static var put_layer(build *b, const rest *r, const slot *layer, int n, var arrived, var y)
{
	int64_t *list = list_room(b, n > layer->n ? n : layer->n);

	if (!list || is_zero(arrived) || is_zero(y)) return (var){0};
	const type *t = build_type(b, y);
	if (n < r->n) {
		const iota_params count = {TSR_I32, {t->ndim, t->dims}, 0};
		for (int i = 0; i < n; i++) list[i] = layer[i].hop->to_slot;
		const var index = emit(b, &tsr__prim_iota, &count, NULL, 0);
		arrived = emit_select(b, one_of(b, index, list, n), arrived, y);
	}
	if (layer->n == r->major * r->minor) return arrived;
	for (int i = 0; i < layer->n; i++) list[i] = layer->hop[i].to;
	qsort(list, (size_t)layer->n, sizeof *list, by_number);
	const var index = emit(b, &tsr__prim_axis_index, &(axes_params){r->on}, NULL, 0);
	return emit_select(b, one_of(b, index, list, layer->n), arrived, y);
}

/* the elements that n slots of one way bring, in their order */
static var layer_bring(build *b, const rest *r, const slot *layer, int n, var x)
{
	int64_t *list = list_room(b, n);

	if (!list) return (var){0};
	for (int i = 0; i < n; i++) list[i] = layer[i].hop->from_slot;
	return send(b, r, layer, batch_take(b, x, list, n));
}

/* the layers one after the other. Those whose slots no earlier one has filled are put together, the
 * rest over them */
typedef struct layers {
	var *part; /* what they bring */
	int n;
	int64_t *place, count; /* by slot, among all that they bring; -1: not filled */
} layers;

static bool fits(const layers *all, const slot *layer, int n)
{
	for (int i = 0; i < n; i++)
		if (all->place[layer[i].hop->to_slot] >= 0) return false;
	return true;
}

static void fill_slots(layers *all, const slot *layer, int n, var bring)
{
	all->part[all->n++] = bring;
	for (int i = 0; i < n; i++) all->place[layer[i].hop->to_slot] = all->count++;
}

static int same_ways(const slot *at, const slot *end)
{
	int n = 1;

	while (at + n < end && !same_way(at, at + n)) n++;
	return n;
}

static var permute(build *b, const rest *r, const slot *slots, int nslots, layers *all, var x)
{
	const slot *end = slots + nslots, *at;
	int64_t *over = list_room(b, nslots);
	int nover = 0, n;

	if (!over) return (var){0};
	for (at = slots; at < end; at += n) {
		n = same_ways(at, end);
		if (fits(all, at, n))
			fill_slots(all, at, n, layer_bring(b, r, at, n, x));
		else
			over[nover++] = at - slots;
	}
	const int size = (int)r->n;
	var y = batch_take(b, all->n ? emit_join(b, all->part, all->n, 0) : x, all->place, size);
	for (int i = 0; i < nover; i++) {
		at = slots + over[i];
		n = same_ways(at, end);
		for (int64_t j = 0; j < size; j++) all->place[j] = -1;
		for (int k = 0; k < n; k++) all->place[at[k].hop->to_slot] = k;
		const var bring = layer_bring(b, r, at, n, x);
		y = put_layer(b, r, at, n, batch_take(b, bring, all->place, size), y);
	}
	return y;
}

var batch_permute(build *b, const rest *r, const ints *perm, var x)
{
	int nslots;
	const slot *slots = slots_of(b, r, perm, &nslots);
	layers all = {.place = list_room(b, (int)r->n)};

	all.part = var_room(b, nslots);
	if (!slots || !all.part || !all.place || is_zero(x)) return (var){0};
	for (int64_t j = 0; j < r->n; j++) all.place[j] = -1;
	return permute(b, r, slots, nslots, &all, x);
}
