/* blocks.c - gives an executable the blocks of its operands, and makes arrays of those of its
 * results.
 *
 * A program with two operands and one result on devices 4 and 5:
 *
 *     arrays      a: shards on 4, 5      b: on 0            y: shards on 4, 5
 *                    |        |          |  moved              ^        ^
 *     blocks      a on 4,  a on 5,  b on 4,  b on 5  -> run -> y on 4,  y on 5 */
#include "runtime/run.h"

static array *move_operand(const char *where, array *in, const sharding *to)
{
	array *plain = array_contiguous(in);
	array *moved = plain ? array_place(where, plain, to, plain->committed) : NULL;

	array_release(plain);
	return moved;
}

/* flat gets one reference to each block */
static bool gather_operand(const running *r, int i, buffer **flat)
{
	array *in = r->in[i];
	const placing *to = &r->c->in[i];
	const bool there = in->sharding == to->sharding && array_is_plain(in);
	array *moved = there ? NULL : move_operand(r->where, in, to->sharding);
	const array *held = there ? in : moved;
	const int64_t n = r->c->set.n;
	const bool ok = held;

	for (int64_t k = 0; ok && k < n; k++)
		flat[i * n + k] = buffer_retain(held->shard[to->at ? to->at[k] : k]);
	array_release(moved);
	return ok;
}

bool gather_operands(const running *r, buffer **flat)
{
	const run_options *o = r->options;
	const int nin = r->program->nin;
	bool ok = true;

	memset(flat, 0, (size_t)(nin * r->c->set.n) * sizeof *flat);
	for (int i = 0; ok && i < nin; i++) ok = gather_operand(r, i, flat);
	for (int i = 0; ok && o && o->donated && i < nin; i++)
		if (o->donated[i]) ok = array_donate(r->in[i], o->donated_text);
	for (int64_t i = 0; !ok && i < nin * r->c->set.n; i++) tsr__buffer_release(flat[i]);
	return ok;
}

bool release_blocks(buffer *const *b, int64_t n)
{
	for (int64_t i = 0; i < n; i++) tsr__buffer_release(b[i]);
	return false;
}

bool make_results(const running *r, buffer *const *flat, array **out)
{
	const compiled *c = r->c;
	const int64_t n = c->set.n;
	const int nout = c->global->nout;
	int made = 0;

	for (; made < nout; made++) {
		const placing *to = &c->out[made];
		const type *t = type_of(c->global, c->global->out[made]);
		array *y = out[made] = array_make(r->ctx, t, to->sharding, r->commit);
		if (!y) break;
		for (int64_t k = 0; k < n; k++)
			y->shard[to->at ? to->at[k] : k] = flat[made * n + k];
	}
	if (made == nout) return true;
	for (int64_t i = made * n; i < nout * n; i++) tsr__buffer_release(flat[i]);
	while (made-- > 0) array_release(out[made]);
	return false;
}

bool find_wanted(const running *r, buffer *const *in, buffer ***into)
{
	const run_options *o = r->options;
	const compiled *c = r->c;
	const int nin = c->global->nin;

	*into = NULL;
	if (!o || !o->into || (c->placed.mesh && c->placed.mesh->size > 1)) return true;
	*into = memset(o->room, 0, (size_t)c->global->nout * sizeof **into);
	for (int i = 0; i < c->global->nout; i++) {
		const caller_memory *m = o->into[i];
		bool apart = m;
		for (int k = 0; apart && k < nin; k++) apart = !memory_has(m, in[k]);
		const int memory = r->ctx->devices[c->set.device[0]].memory;
		if (apart && !memory_buffer(r->ctx, m, memory, &o->room[i])) return false;
	}
	return true;
}

buffer **hold_operands(const running *r, buffer *const *in, int64_t n)
{
	buffer **held = mem_array(&r->ctx->base, (size_t)n + 1, sizeof *held);

	for (int64_t i = 0; held && i < n; i++) held[i] = buffer_retain(in[i]);
	return held;
}

void release_results(const running *r, array **out)
{
	for (int i = 0; i < r->c->global->nout; i++) array_release(out[i]);
}

bool look_for_nan(const running *r, buffer **held, array **out)
{
	const bool ok = results_without_nan(&(checked_run){.ctx = r->ctx,
	                                                   .where = r->where,
	                                                   .c = r->c,
	                                                   .in = held,
	                                                   .put_operand = put_operand_name,
	                                                   .of = r},
	                                    out);

	if (!ok) release_results(r, out);
	return ok;
}
