/* transfer.c - brings an array to another sharding where several processes have its shards.
 *
 * Each device of the new sharding needs a box of the whole, whose pieces are in shards of the old
 * one. An i32[6] goes from two devices, one a process, to three, of which the third is in process 1
 * too:
 *
 *     process 0: [0 1 2]    process 1: [3 4 5]          device 0 gets [0 1], which is there;
 *                                                       device 1 gets [2] from 0 and [3] from 1;
 *     0 sends [2] to 1                                  device 2 gets [4 5] from 1
 *
 * A process names only devices whose boxes overlap those of its own, so it takes as long as its own
 * messages, however many devices there are. What it needs, its own boxes say. Who needs what it has
 * follows from the specs: if its part has R replicas, of which it is number r, and overlaps C parts
 * of the new sharding, which have Q replicas each, then C * Q devices need something of that part.
 * Counted in this order, it gives to numbers r, r + R, r + 2 R, .. of these. An array is cut in 2
 * along x of a mesh x:2, y:2, and then whole on all four devices:
 *
 *     part 0 is on devices 0 and 1, so R = 2; C = 1 and Q = 4
 *     device 0 gives to numbers 0 and 2, devices 0 and 2; device 1 to numbers 1 and 3
 *
 * But who has the part in its own process takes it from there. Between two processes there is one
 * message, whose pieces are in the order of the receiving devices, and then of the parts. */
#include <stdlib.h>
#include "runtime/boxes.h"

typedef struct piece {
	int peer;         /* the other process */
	int64_t from, to; /* devices, by their place in the shardings */
	int64_t part;     /* the number of the old part, row-major over the dims */
	size_t bytes;
} piece;

typedef struct pieces {
	piece *v;
	int64_t n, cap;
} pieces;

typedef struct transfer_plan {
	tsr_ctx *ctx;
	array *from;
	array *to; /* that is being made */
	arena *arena;
	pieces out, in;
} transfer_plan;

static const device *device_at(const transfer_plan *p, const sharding *s, int64_t k)
{
	return &p->ctx->devices[sharding_device(s, k)];
}

static bool add(transfer_plan *p, pieces *list, piece x)
{
	if (list->n == list->cap) {
		const int64_t cap = 2 * list->cap + 16;
		piece *v = arena_array(p->arena, (size_t)cap, sizeof *v);
		if (!v) return false;
		if (list->n) memcpy(v, list->v, (size_t)list->n * sizeof *v);
		list->v = v;
		list->cap = cap;
	}
	list->v[list->n++] = x;
	return true;
}

/* ---- who has what */

static void parts_of(const sharding *s, int64_t k, int64_t *part)
{
	for (int d = 0; d < s->spec.ndim; d++) part[d] = sharding_part(s, d, k);
}

static bool has_part(const sharding *s, int64_t k, const int64_t *part)
{
	bool same = true;

	for (int d = 0; same && d < s->spec.ndim; d++) same = sharding_part(s, d, k) == part[d];
	return same;
}

/* The first device with this part in a process, or in a memory of it; -1: there is none. Devices of
 * a process have ids one behind the other */
static int64_t holder_in(const transfer_plan *p, const sharding *s, const int64_t *part,
                         const device *in, bool same_memory)
{
	const device *all = p->ctx->devices;
	int64_t id = in->id, found = -1;

	while (id > 0 && all[id - 1].process == in->process) id--;
	for (; id < p->ctx->ndevices && all[id].process == in->process; id++) {
		const int64_t k = sharding_place(s, id);
		if (k < 0 || (found >= 0 && k > found) ||
		    (same_memory && all[id].memory != in->memory))
			continue;
		if (has_part(s, k, part)) found = k;
	}
	return found;
}

/* the device whose shard is that of k too: the first one of its memory that gets the same */
static int64_t twin_of(const transfer_plan *p, int64_t k)
{
	const sharding *s = p->to->sharding;
	int64_t part[MAX_NDIM];

	if (sharding_replicas(s) == 1) return k;
	parts_of(s, k, part);
	return holder_in(p, s, part, device_at(p, s, k), true);
}

/* a device with this part in the process of `in`; -1: there is none */
static int64_t copy_in(const transfer_plan *p, const int64_t *part, const device *in)
{
	const sharding *s = p->from->sharding;

	if (sharding_replicas(s) > 1) return holder_in(p, s, part, in, false);
	const int64_t k = sharding_holder(s, part, 0);
	return device_at(p, s, k)->process == in->process ? k : -1;
}

/* the number of a part, row-major over `count` parts of each dim from `first` on */
static int64_t number_in(const int64_t *part, const int64_t *first, const int64_t *count, int ndim)
{
	int64_t n = 0;

	for (int d = 0; d < ndim; d++) n = n * count[d] + part[d] - first[d];
	return n;
}

static int64_t number_of(const sharding *s, const int64_t *part, int ndim)
{
	int64_t n = 0;

	for (int d = 0; d < ndim; d++) n = n * sharding_parts(s, d) + part[d];
	return n;
}

static void box_at(const sharding *s, const type *t, int64_t k, box *to)
{
	sharding_box(s, t->dims, t->ndim, k, to->start, to->stop);
}

/* the device that gives a part to device k, in whose process nobody has it */
static int64_t giver_of(const transfer_plan *p, const int64_t *part, int64_t k)
{
	const sharding *from = p->from->sharding, *to = p->to->sharding;
	const type *t = p->from->type;
	int64_t first[MAX_NDIM], count[MAX_NDIM], theirs[MAX_NDIM] = {0};
	box whole;

	box_at(from, t, sharding_holder(from, part, 0), &whole);
	if (!parts_touched(to, t, &whole, first, count)) return 0;
	for (int d = 0; d < t->ndim; d++) theirs[d] = sharding_part(to, d, k);
	const int64_t number = number_in(theirs, first, count, t->ndim) * sharding_replicas(to) +
	                       sharding_replica(to, k);
	return sharding_holder(from, part, number % sharding_replicas(from));
}

/* ---- pieces */

/* what two shards share */
static bool common_of(const transfer_plan *p, int64_t from, int64_t to, box *here, box *there,
                      box *common)
{
	const type *t = p->from->type;

	box_at(p->from->sharding, t, from, here);
	box_at(p->to->sharding, t, to, there);
	return boxes_meet(here, there, t->ndim, common);
}

static size_t bytes_of(const transfer_plan *p, const box *common)
{
	size_t bytes = tsr_dtype_size(p->from->type->dtype);

	for (int d = 0; d < p->from->type->ndim; d++)
		bytes *= (size_t)(common->stop[d] - common->start[d]);
	return bytes;
}

static bool copy_here(const transfer_plan *p, int64_t from, int64_t to)
{
	const type *t = p->from->type;
	int64_t in[MAX_NDIM], out[MAX_NDIM];
	box here, there, common;

	if (!common_of(p, from, to, &here, &there, &common)) return true;
	array_strides(p->from, in);
	block_strides(p->to->sharding, t, out);
	return common_copy(&(strided_piece){array_shard(p->to, to), NULL, there.start, out},
	                   &(strided_piece){array_shard(p->from, from), NULL, here.start, in},
	                   &common, t);
}

static bool add_if_shared(transfer_plan *p, pieces *list, piece x)
{
	box here, there, common;

	if (!common_of(p, x.from, x.to, &here, &there, &common)) return true;
	x.bytes = bytes_of(p, &common);
	return add(p, list, x);
}

/* what device k, which is here, needs; what is here too is copied at once */
static bool list_needs(transfer_plan *p, int64_t k)
{
	const sharding *from = p->from->sharding;
	const type *t = p->from->type;
	int64_t first[MAX_NDIM], count[MAX_NDIM], at[MAX_NDIM] = {0}, part[MAX_NDIM] = {0};
	const device *own = device_at(p, p->to->sharding, k);
	box want;

	box_at(p->to->sharding, t, k, &want);
	if (twin_of(p, k) != k || !parts_touched(from, t, &want, first, count)) return true;
	do {
		for (int d = 0; d < t->ndim; d++) part[d] = first[d] + at[d];
		const int64_t here = copy_in(p, part, own);
		if (here >= 0) {
			if (!copy_here(p, here, k)) return false;
			continue;
		}
		const int64_t giver = giver_of(p, part, k);
		const piece x = {.peer = device_at(p, from, giver)->process,
		                 .from = giver,
		                 .to = k,
		                 .part = number_of(from, part, t->ndim)};
		if (!add_if_shared(p, &p->in, x)) return false;
	} while (dims_next(at, count, t->ndim));
	return true;
}

/* what device j, which is here, gives to others */
static bool list_gifts(transfer_plan *p, int64_t j)
{
	const sharding *from = p->from->sharding, *to = p->to->sharding;
	const type *t = p->from->type;
	const int64_t every = sharding_replicas(from), each = sharding_replicas(to);
	int64_t first[MAX_NDIM], count[MAX_NDIM], part[MAX_NDIM] = {0}, theirs[MAX_NDIM] = {0};
	int64_t all = each;
	box whole;

	box_at(from, t, j, &whole);
	if (!parts_touched(to, t, &whole, first, count)) return true;
	for (int d = 0; d < t->ndim; d++) all *= count[d];
	parts_of(from, j, part);
	for (int64_t number = sharding_replica(from, j); number < all; number += every) {
		int64_t rest = number / each;
		for (int d = t->ndim - 1; d >= 0; rest /= count[d--])
			theirs[d] = first[d] + rest % count[d];
		const int64_t k = sharding_holder(to, theirs, number % each);
		const device *other = device_at(p, to, k);
		const piece x = {.peer = other->process,
		                 .from = j,
		                 .to = k,
		                 .part = number_of(from, part, t->ndim)};
		if (other->process != p->ctx->process && twin_of(p, k) == k &&
		    copy_in(p, part, other) < 0 && !add_if_shared(p, &p->out, x))
			return false;
	}
	return true;
}

static int compare_pieces(const void *a, const void *b)
{
	const piece *x = a, *y = b;

	if (x->peer != y->peer) return x->peer < y->peer ? -1 : 1;
	if (x->to != y->to) return x->to < y->to ? -1 : 1;
	return (x->part > y->part) - (x->part < y->part);
}

/* in the order in which they are in messages */
static bool list_pieces(transfer_plan *p)
{
	const sharding *from = p->from->sharding, *to = p->to->sharding;

	for (int64_t i = 0; i < sharding_nhere(to); i++)
		if (!list_needs(p, sharding_here(to, i))) return false;
	for (int64_t i = 0; i < sharding_nhere(from); i++)
		if (!list_gifts(p, sharding_here(from, i))) return false;
	if (p->out.n) qsort(p->out.v, (size_t)p->out.n, sizeof *p->out.v, compare_pieces);
	if (p->in.n) qsort(p->in.v, (size_t)p->in.n, sizeof *p->in.v, compare_pieces);
	return true;
}

/* ---- messages */

typedef struct messages {
	message *v;
	int n;
} messages;

/* one for each process; false: no memory */
static bool list_messages(transfer_plan *p, const pieces *list, messages *m)
{
	*m = (messages){arena_array(p->arena, (size_t)list->n + 1, sizeof *m->v), 0};
	if (!m->v) return false;
	for (int64_t i = 0; i < list->n; i++) {
		const piece *x = &list->v[i];
		if (!i || x->peer != x[-1].peer) m->v[m->n++] = (message){.peer = x->peer};
		m->v[m->n - 1].bytes += x->bytes;
	}
	for (int i = 0; i < m->n; i++)
		if (!(m->v[i].data = arena_alloc(p->arena, m->v[i].bytes))) return false;
	return true;
}

/* pieces, one behind the other in the messages, from shards of ours or to these */
static bool copy_pieces(const transfer_plan *p, const pieces *list, const messages *m, bool out)
{
	const type *t = p->from->type;
	int64_t in_block[MAX_NDIM], packed[MAX_NDIM], dims[MAX_NDIM];
	const char *peer_end = NULL;
	char *at = NULL;
	int next = 0;

	if (out) array_strides(p->from, in_block);
	else block_strides(p->to->sharding, t, in_block);
	for (int64_t i = 0; i < list->n; i++) {
		const piece *x = &list->v[i];
		box here, there, common;
		if (at == peer_end) {
			at = m->v[next].data;
			peer_end = at + m->v[next++].bytes;
		}
		common_of(p, x->from, x->to, &here, &there, &common);
		for (int d = 0; d < t->ndim; d++) dims[d] = common.stop[d] - common.start[d];
		dims_strides(dims, t->ndim, packed);
		for (int d = 0; d < t->ndim; d++) packed[d] *= (int64_t)tsr_dtype_size(t->dtype);
		const strided_piece there_packed = {NULL, at, common.start, packed};
		const strided_piece block = {out ? array_shard(p->from, x->from)
		                                 : array_shard(p->to, x->to),
		                             NULL, out ? here.start : there.start, in_block};
		if (!common_copy(out ? &there_packed : &block, out ? &block : &there_packed,
		                 &common, t))
			return false;
		at += x->bytes;
	}
	return true;
}

/* a shard for each device that is here; the same one where they share it */
static bool make_shards(transfer_plan *p)
{
	array *a = p->to;
	const bool clear = !box_is_dense(a->sharding, a->type);

	for (int64_t i = 0; i < a->nshards; i++) {
		const int64_t k = sharding_here(a->sharding, i), twin = twin_of(p, k);
		const int memory = device_at(p, a->sharding, k)->memory;
		a->shard[i] = twin != k ? buffer_retain(array_shard(a, twin))
		                        : buffer_alloc(p->ctx->engine, memory,
		                                       (size_t)block_bytes(a), clear);
		if (!a->shard[i]) return false;
	}
	return true;
}

static bool exchange_pieces(transfer_plan *p)
{
	messages out, in;

	if (!p->from->type->size) return true;
	return list_pieces(p) && list_messages(p, &p->out, &out) && list_messages(p, &p->in, &in) &&
	       copy_pieces(p, &p->out, &out, true) &&
	       (out.n + in.n == 0 ||
	        comm_exchange(p->ctx->processes, out.v, out.n, in.v, in.n)) &&
	       copy_pieces(p, &p->in, &in, false);
}

static uint64_t hash_of(const array *from, const sharding *to)
{
	const type *t = from->type;
	uint64_t hash = hash_u64(sharding_id(from->sharding), sharding_id(to));

	return hash_bytes(t->dims, (size_t)t->ndim * sizeof *t->dims,
	                  hash_u64((uint64_t)t->dtype, hash));
}

bool transfer_needed(const array *a, const sharding *to)
{
	const tsr_ctx *ctx = a->ctx;
	const bool ours = !a->sharding->mesh && !a->sharding->elsewhere && !a->committed;

	if (!ctx->processes || ours) return false; /* each process has its own */
	return a->sharding->elsewhere || to->elsewhere ||
	       sharding_nhere(a->sharding) < sharding_ndevices(a->sharding) ||
	       sharding_nhere(to) < sharding_ndevices(to);
}

array *array_transfer(const char *where, array *from, const sharding *to, bool committed)
{
	tsr_ctx *ctx = from->ctx;
	transfer_plan p = {
		.ctx = ctx, .from = from, .to = array_make(ctx, from->type, to, committed)};

	if (!p.to || (!from->nshards && !p.to->nshards)) return p.to;
	team *t = team_of_shardings(ctx, from->sharding, to);
	const call_name call = {.hash = hash_of(from, to),
	                        .name = "put",
	                        .where = where,
	                        .errors_before = error_mark(&ctx->base)};
	if (t && call_begin(ctx->processes, t, &call)) {
		const bool ok = (p.arena = arena_make(&ctx->base)) && make_shards(&p) &&
		                exchange_pieces(&p);
		arena_free(p.arena);
		if (call_end(ctx->processes, ok)) return p.to;
	}
	array_release(p.to);
	return NULL;
}
