/* permute.c - the collectives that send blocks as they are: ppermute, pbroadcast.
 *
 * What nobody sends to is zero:
 *
 *     ppermute [1] | [2] | [3] axes=(x) perm=[0>1,1>2]    gives  [0] | [1] | [2]
 *     pbroadcast [1] | [2] axes=(x) source=1 to=invarying  gives  [2] | [2] */
#include <stdlib.h>
#include "prim/collective/collective.h"

/* ---- ppermute: each destination gets the operand of its source; a member that is no destination
 * gets zeros */

static const char *pairs_text(build *b, const ints *perm)
{
	str s = {.base = build_base(b)};

	for (int i = 0; i + 1 < perm->n; i += 2)
		str_printf(&s, "%s(%lld, %lld)", i ? ", " : "(", (long long)perm->v[i],
		           (long long)perm->v[i + 1]);
	str_put(&s, ")");
	return words_of(b, &s);
}

/* seen: a byte each member, bit 0 as a source, bit 1 as a destination */
static bool mark_pairs(build *b, const eqn *e, const ints *perm, const members *m, char *seen)
{
	for (int i = 0; i < perm->n; i++) {
		const char bit = i % 2 ? 2 : 1;
		if (!collective_member(b, e, i % 2 ? "destination" : "source", perm->v[i], m))
			return false;
		if (seen[perm->v[i]] & bit)
			return fail(build_base(b), e->where, TSR_ERROR_ARGUMENT,
			            "ppermute sources and destinations must be unique, got %s",
			            pairs_text(b, perm));
		seen[perm->v[i]] = (char)(seen[perm->v[i]] | bit);
	}
	return true;
}

static bool ppermute_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const ppermute_params *p = e->params;
	members m;

	if (!collective_begin(b, e, in[0], &m)) return false;
	if (p->perm.n % 2)
		return fail(build_base(b), e->where, TSR_ERROR_ARGUMENT,
		            "ppermute needs pairs of source and destination, got %d numbers",
		            p->perm.n);
	char *seen = mem_array(build_base(b), (size_t)m.n, 1);
	const bool ok = seen && mark_pairs(b, e, &p->perm, &m, seen);
	mem_free(build_base(b), seen);
	out[0] = in[0];
	return ok;
}

static void ppermute_eval(const eval_args *args)
{
	const ints *perm = &((const ppermute_params *)args->eqn->params)->perm;
	const size_t bytes = collective_bytes(args->in[0]);

	for (int k = 0; k < args->n && bytes; k++) memset(args->y[k], 0, bytes);
	for (int i = 0; i < perm->n; i += 2)
		collective_copy(args->y[perm->v[i + 1]], args->x[perm->v[i]], bytes);
}

/* the same pairs backwards */
static void ppermute_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                               const var *ct, var *dx)
{
	const ppermute_params *p = e->params;
	int64_t *pairs = ints_room(b, p->perm.n);
	const ppermute_params back = {p->on, {p->perm.n, pairs}};

	(void)in, (void)x;
	if (!pairs) return;
	for (int i = 0; i < p->perm.n; i++) pairs[i] = p->perm.v[i ^ 1];
	dx[0] = emit(b, e->prim, &back, ct, 1);
}

/* ---- ppermute over a batch. A pair of members moves an element from one slot of the batch to
 * another, and from one device to another. All slots whose elements move between the same devices
 * go together, in one ppermute: a layer.
 *
 * A shift by one over a map of 4 with no other axis is one layer that stays on its device: the
 * slots 0 1 2 3 get 3 0 1 2. With a mesh axis of 2 after it, member (j, c) has index 2 j + c, and
 * there are two layers: (j, 0) goes to (j, 1), and (j, 1) to (j + 1, 0). */

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

/* the slots of a permutation, sorted so that those of one layer are neighbours; NULL: the build
 * failed */
static slot *slots_of(build *b, const rest *r, const ints *perm, int *nslots)
{
	const int n = perm->n / 2;
	hop *hops = cleared_room(b, n, sizeof *hops);
	slot *slots = cleared_room(b, n, sizeof *slots);

	*nslots = 0;
	if (!hops || !slots) return NULL;
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

/* sends the elements of a layer between devices; nothing to do if each device keeps its own */
static var send(build *b, const rest *r, const slot *way, var x)
{
	int64_t *pairs = ints_room(b, 2 * way->n);

	if (!pairs || stays(way, r->major * r->minor)) return x;
	for (int i = 0; i < way->n; i++) {
		pairs[2 * i] = way->hop[i].from;
		pairs[2 * i + 1] = way->hop[i].to;
	}
	const ppermute_params p = {r->on, {2 * way->n, pairs}};
	return emit(b, &tsr__prim_ppermute, &p, &x, 1);
}

/* is the index (i32, of any shape) in the list, which increases? */
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

/* y with the elements of a layer put in, in the slots and on the devices where they arrive */
static var put_layer(build *b, const rest *r, const slot *layer, int n, var arrived, var y)
{
	int64_t *list = ints_room(b, n > layer->n ? n : layer->n);

	if (!list || is_zero(arrived) || is_zero(y)) return (var){0};
	const type *t = build_type(b, y);
	if (n < r->n) {
		for (int i = 0; i < n; i++) list[i] = layer[i].hop->to_slot;
		const var index = emit_iota(b, TSR_I32, t->dims, t->ndim, 0);
		arrived = emit_select(b, one_of(b, index, list, n), arrived, y);
	}
	if (layer->n == r->major * r->minor) return arrived;
	for (int i = 0; i < layer->n; i++) list[i] = layer->hop[i].to;
	qsort(list, (size_t)layer->n, sizeof *list, by_number);
	const var index = collective_index(b, &r->on);
	return emit_select(b, one_of(b, index, list, layer->n), arrived, y);
}

/* the elements that the n slots of a layer receive, in their order */
static var layer_bring(build *b, const rest *r, const slot *layer, int n, var x)
{
	int64_t *list = ints_room(b, n);

	if (!list) return (var){0};
	for (int i = 0; i < n; i++) list[i] = layer[i].hop->from_slot;
	return send(b, r, layer, batch_take(b, x, list, n));
}

/* The layers so far. Those that fill only empty slots are concatenated; each of the others is put
 * over the result of that. */
typedef struct layers {
	var *part; /* the elements that each of them brings */
	int n;
	int64_t *place, count; /* of each slot, its element among all these; -1: not filled */
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
	int64_t *over = ints_room(b, nslots);
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

static var ppermute_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const ints *perm = &((const ppermute_params *)params)->perm;
	int nslots;
	const slot *slots = slots_of(b, r, perm, &nslots);
	layers all = {.place = ints_room(b, (int)r->n)};

	x = rest_instances(b, r, x, *mapped);
	*mapped = true;
	all.part = var_room(b, nslots);
	if (!slots || !all.part || !all.place || is_zero(x)) return (var){0};
	for (int64_t j = 0; j < r->n; j++) all.place[j] = -1;
	return permute(b, r, slots, nslots, &all, x);
}

BATCH_NAMED(ppermute, .shift = NULL)

static void ppermute_members(build *b, const eqn *e, int n, const bool *here, const var *x,
			     var *y)
{
	(void)here;
	const ints *perm = &((const ppermute_params *)e->params)->perm;
	var zeros = {0};

	members_give_all(y, n, zeros);
	for (int i = 0; i < perm->n; i += 2) y[perm->v[i + 1]] = x[perm->v[i]];
	for (int k = 0; k < n; k++) {
		if (!is_zero(y[k])) continue;
		if (is_zero(zeros)) zeros = emit_zeros(b, build_type(b, x[0]));
		y[k] = zeros;
	}
}

/* where the block of a member goes, each of which is a source at most once; -1: nowhere. As a rule
 * all are sources, in their order */
static int64_t destination_of(const ints *perm, int from)
{
	int k = 2 * from;

	if (k < perm->n && perm->v[k] == from) return perm->v[k + 1];
	for (k = 0; k < perm->n; k += 2)
		if (perm->v[k] == from) return perm->v[k + 1];
	return -1;
}

static bool ppermute_sends(const eqn *e, const type *const *in, int n, int i, int from, int to,
			   index_range *box)
{
	(void)in, (void)n, (void)i, (void)box;
	return destination_of(&((const ppermute_params *)e->params)->perm, from) == to;
}

static const field ppermute_fields[] = {
	COLLECTIVE_FIELDS(ppermute_params),
	PARAM(ppermute_params, perm, FIELD_PAIRS),
	PARAMS_END,
};

COLLECTIVE_ROW(ppermute, "sends blocks from sources to destinations along mesh axes", 1,
               ppermute_fields, .factors = factors_kept, LINEAR_COLLECTIVE(ppermute),
               .sends = ppermute_sends, .received = received_result)

/* ---- pbroadcast: the operand of one member, everywhere */

static bool pbroadcast_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const pbroadcast_params *p = e->params;
	members m;

	return collective_begin(b, e, in[0], &m) &&
	       collective_member(b, e, "source", p->source, &m) &&
	       (out[0] = collective_result(b, e, in[0], p->to, &m));
}

static void pbroadcast_eval(const eval_args *args)
{
	const int64_t source = ((const pbroadcast_params *)args->eqn->params)->source;

	for (int k = 0; k < args->n; k++)
		collective_copy(args->y[k], args->x[source], collective_bytes(args->in[0]));
}

/* All members got the block of the source, so the source gets the sum of their cotangents; if the
 * result does not vary, they share one cotangent, and it gets that. */
static void pbroadcast_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                                 const var *ct, var *dx)
{
	const pbroadcast_params *p = e->params;
	const preduce_params all = {p->on, COLL_TO_VARYING};
	const var sum = p->to == COLL_TO_INVARYING
	                        ? collective_from_invarying(b, ct[0], &p->on.axes)
	                        : emit(b, &tsr__prim_psum, &all, ct, 1);
	const var source = emit_scalar(b, TSR_I32, (double)p->source);

	(void)in, (void)x;
	dx[0] = emit_select(b, emit_2(b, &tsr__prim_eq, collective_index(b, &p->on), source), sum,
	                    (var){0});
}

static var pbroadcast_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const pbroadcast_params *all = params;
	const pbroadcast_params p = {r->on, rest_member(r, all->source), all->to};

	x = rest_take(b, x, rest_element(r, all->source), *mapped);
	*mapped = false;
	return rest_emit(b, r, &tsr__prim_pbroadcast, &p, x);
}

BATCH_NAMED(pbroadcast, .shift = NULL)

static void pbroadcast_members(build *b, const eqn *e, int n, const bool *here, const var *x,
			       var *y)
{
	(void)here;
	(void)b;
	members_give_all(y, n, x[((const pbroadcast_params *)e->params)->source]);
}

static bool pbroadcast_sends(const eqn *e, const type *const *in, int n, int i, int from, int to,
			     index_range *box)
{
	(void)in, (void)n, (void)i, (void)to, (void)box;
	return from == ((const pbroadcast_params *)e->params)->source;
}

static const field pbroadcast_fields[] = {
	COLLECTIVE_FIELDS(pbroadcast_params),
	PARAM(pbroadcast_params, source, FIELD_INT),
	{"to", offsetof(pbroadcast_params, to), FIELD_WORD, coll_to_words},
	PARAMS_END,
};

COLLECTIVE_ROW(pbroadcast, "the block of one device, on all of them along mesh axes", 1,
               pbroadcast_fields, .factors = factors_kept, LINEAR_COLLECTIVE(pbroadcast),
               .sends = pbroadcast_sends, .received = received_result)
