/* transfer.c - brings an array to another sharding where several processes have its shards.
 *
 * Each device of the new sharding needs a box of the whole, whose pieces are in shards of the old
 * one. All processes go over all these pieces in one order, so sender and receiver of a message
 * agree on what is in it. Pieces between the same two processes go in one message. An i32[6] goes
 * from two devices, one a process, to three, of which the third is in process 1 too:
 *
 *     process 0: [0 1 2]    process 1: [3 4 5]          device 0 gets [0 1], which is there;
 *                                                       device 1 gets [2] from 0 and [3] from 1;
 *     0 sends [2] to 1                                  device 2 gets [4 5] from 1
 *
 * A piece comes from a shard of the process that needs it, if that has one with the piece; else
 * from the first device that has it. */
#include <stdlib.h>
#include "runtime/boxes.h"

typedef struct by_process {      /* the devices of a sharding, of each process in turn */
	int64_t *start, *device; /* start[p] .. start[p + 1] - 1 */
} by_process;

typedef struct transfer_plan {
	tsr_ctx *ctx;
	array *from;
	array *to; /* that is being made */
	by_process sources;
	arena *arena;
	size_t *out, *in; /* bytes, by process */
	char **sends, **receives;
} transfer_plan;

typedef struct piece {
	int64_t from, to; /* devices, by their place in the shardings */
	int sender, receiver;
	box here, there; /* the boxes of both devices, and what they share */
	box common;
	size_t bytes;
} piece;

static int process_of(const transfer_plan *p, const sharding *s, int64_t k)
{
	return p->ctx->devices[sharding_device(s, k)].process;
}

static bool sources_make(transfer_plan *p)
{
	const sharding *s = p->from->sharding;
	const int64_t n = sharding_ndevices(s);
	by_process *b = &p->sources;

	b->start = arena_array(p->arena, (size_t)p->ctx->nprocesses + 2, sizeof *b->start);
	b->device = arena_array(p->arena, (size_t)n + 1, sizeof *b->device);
	if (!b->start || !b->device) return false;
	for (int64_t k = 0; k < n; k++) b->start[process_of(p, s, k) + 2]++;
	for (int i = 1; i <= p->ctx->nprocesses; i++) b->start[i + 1] += b->start[i];
	for (int64_t k = 0; k < n; k++) b->device[b->start[process_of(p, s, k) + 1]++] = k;
	return true;
}

static bool has_part(const array *a, int64_t k, const int64_t *part)
{
	for (int d = 0; d < a->sharding->spec.ndim; d++)
		if (sharding_part(a->sharding, d, k) != part[d]) return false;
	return true;
}

/* the device that gives this part of the array to a process */
static int64_t source_of(const transfer_plan *p, const int64_t *part, int process)
{
	const int64_t first = sharding_holder(p->from->sharding, part);

	if (process_of(p, p->from->sharding, first) == process) return first;
	for (int64_t i = p->sources.start[process]; i < p->sources.start[process + 1]; i++)
		if (has_part(p->from, p->sources.device[i], part)) return p->sources.device[i];
	return first;
}

/* does another device of the same memory, before k, get the same? */
static bool is_shared(const transfer_plan *p, const sharding *s, int64_t k)
{
	const int64_t first = sharding_first(s, k);

	return first != k && p->ctx->devices[sharding_device(s, first)].memory ==
	                             p->ctx->devices[sharding_device(s, k)].memory;
}

typedef bool visit(transfer_plan *, const piece *);

static bool visit_device(transfer_plan *p, int64_t k, visit *each)
{
	const type *t = p->from->type;
	const sharding *to = p->to->sharding;
	int64_t first[MAX_NDIM], count[MAX_NDIM], at[MAX_NDIM] = {0}, part[MAX_NDIM];
	piece x = {.to = k, .receiver = process_of(p, to, k)};

	sharding_box(to, t->dims, t->ndim, k, x.there.start, x.there.stop);
	if (!parts_touched(p->from, &x.there, first, count)) return true;
	do {
		for (int d = 0; d < t->ndim; d++) part[d] = first[d] + at[d];
		x.from = source_of(p, part, x.receiver);
		x.sender = process_of(p, p->from->sharding, x.from);
		sharding_box(p->from->sharding, t->dims, t->ndim, x.from, x.here.start,
		             x.here.stop);
		if (!boxes_meet(&x.here, &x.there, t->ndim, &x.common)) continue;
		x.bytes = tsr_dtype_size(t->dtype);
		for (int d = 0; d < t->ndim; d++)
			x.bytes *= (size_t)(x.common.stop[d] - x.common.start[d]);
		if ((x.sender == p->ctx->process || x.receiver == p->ctx->process) && !each(p, &x))
			return false;
	} while (dims_next(at, count, t->ndim));
	return true;
}

static bool visit_all(transfer_plan *p, visit *each)
{
	const int64_t n = sharding_ndevices(p->to->sharding);

	for (int64_t k = 0; p->from->type->size && k < n; k++)
		if (!is_shared(p, p->to->sharding, k) && !visit_device(p, k, each)) return false;
	return true;
}

/* ---- what is done with each piece */

static bool count_piece(transfer_plan *p, const piece *x)
{
	if (x->receiver != p->ctx->process) p->out[x->receiver] += x->bytes;
	if (x->sender != p->ctx->process) p->in[x->sender] += x->bytes;
	return true;
}

/* the strides of a box whose elements are contiguous */
static void packed_strides(const piece *x, const type *t, int64_t *strides)
{
	int64_t dims[MAX_NDIM];

	for (int d = 0; d < t->ndim; d++) dims[d] = x->common.stop[d] - x->common.start[d];
	dims_strides(dims, t->ndim, strides);
	for (int d = 0; d < t->ndim; d++) strides[d] *= (int64_t)tsr_dtype_size(t->dtype);
}

/* to a message, or to a shard of ours */
static bool give_piece(transfer_plan *p, const piece *x)
{
	const type *t = p->from->type;
	int64_t from[MAX_NDIM], to[MAX_NDIM];

	if (x->sender != p->ctx->process) return true;
	array_strides(p->from, from);
	const strided_piece source = {array_shard(p->from, x->from), NULL, x->here.start, from};
	if (x->receiver == p->ctx->process) {
		block_strides(p->to->sharding, t, to);
		return common_copy(
			&(strided_piece){array_shard(p->to, x->to), NULL, x->there.start, to},
			&source, &x->common, t);
	}
	packed_strides(x, t, to);
	char *room = p->sends[x->receiver] + p->out[x->receiver];
	p->out[x->receiver] += x->bytes;
	return common_copy(&(strided_piece){NULL, room, x->common.start, to}, &source, &x->common,
	                  t);
}

static bool take_piece(transfer_plan *p, const piece *x)
{
	const type *t = p->from->type;
	int64_t from[MAX_NDIM], to[MAX_NDIM];

	if (x->receiver != p->ctx->process || x->sender == p->ctx->process) return true;
	packed_strides(x, t, from);
	block_strides(p->to->sharding, t, to);
	char *room = p->receives[x->sender] + p->in[x->sender];
	p->in[x->sender] += x->bytes;
	return common_copy(&(strided_piece){array_shard(p->to, x->to), NULL, x->there.start, to},
	                  &(strided_piece){NULL, room, x->common.start, from}, &x->common, t);
}

/* ---- all of it */

/* a shard for each device that is here; the same one where they share it */
static bool make_shards(transfer_plan *p)
{
	array *a = p->to;
	const bool clear = !box_is_dense(a->sharding, a->type);

	for (int64_t i = 0; i < a->nshards; i++) {
		const int64_t k = sharding_here(a->sharding, i);
		const int memory = p->ctx->devices[sharding_device(a->sharding, k)].memory;
		a->shard[i] =
			is_shared(p, a->sharding, k)
				? buffer_retain(array_shard(a, sharding_first(a->sharding, k)))
				: buffer_alloc(p->ctx->engine, memory, (size_t)block_bytes(a),
		                               clear);
		if (!a->shard[i]) return false;
	}
	return true;
}

static bool exchange_pieces(transfer_plan *p)
{
	const int n = p->ctx->nprocesses;
	message *out = arena_array(p->arena, (size_t)n, sizeof *out),
		*in = arena_array(p->arena, (size_t)n, sizeof *in);
	int nout = 0, nin = 0;

	p->out = arena_array(p->arena, (size_t)n, sizeof *p->out);
	p->in = arena_array(p->arena, (size_t)n, sizeof *p->in);
	p->sends = arena_array(p->arena, (size_t)n, sizeof *p->sends);
	p->receives = arena_array(p->arena, (size_t)n, sizeof *p->receives);
	if (!out || !in || !p->out || !p->in || !p->sends || !p->receives ||
	    !visit_all(p, count_piece))
		return false;
	for (int i = 0; i < n; i++) {
		if (p->out[i] && !(p->sends[i] = arena_alloc(p->arena, p->out[i]))) return false;
		if (p->in[i] && !(p->receives[i] = arena_alloc(p->arena, p->in[i]))) return false;
		if (p->out[i]) out[nout++] = (message){i, TAG_DATA, p->sends[i], p->out[i]};
		if (p->in[i]) in[nin++] = (message){i, TAG_DATA, p->receives[i], p->in[i]};
		p->out[i] = p->in[i] = 0;
	}
	return visit_all(p, give_piece) &&
	       (nout + nin == 0 || comm_exchange(p->ctx->processes, out, nout, in, nin)) &&
	       visit_all(p, take_piece);
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
	team *t = team_of_devices(ctx, sharding_devices(from->sharding),
	                          sharding_ndevices(from->sharding), sharding_devices(to),
	                          sharding_ndevices(to));
	const call_name call = {.hash = hash_of(from, to),
	                        .name = "put",
	                        .where = where,
	                        .errors_before = error_mark(&ctx->base)};
	if (t && call_begin(ctx->processes, t, &call)) {
		const bool ok = (p.arena = arena_make(&ctx->base)) && sources_make(&p) &&
		                make_shards(&p) && exchange_pieces(&p);
		arena_free(p.arena);
		if (call_end(ctx->processes, ok)) return p.to;
	}
	array_release(p.to);
	return NULL;
}
