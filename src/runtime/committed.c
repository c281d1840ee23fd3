/* committed.c - says where a program runs: where its committed operands are.
 *
 * tsr_put commits an array to its devices, and other arrays follow:
 *
 *     operands                                  runs on
 *     a on 2, committed; b on 0                 2, and the result is committed
 *     a on 2, b on 3, both committed            nowhere: an error names both
 *     a on 0, b on 0                            the context's first device
 *
 * A program with a mesh runs on that; its committed operands must be on the same devices. */
#include "runtime/run.h"

static void held_by_text(str *s, const sharding *sh)
{
	devices_text(s, sharding_devices(sh), sharding_ndevices(sh));
}

/* "args[0].w of type f32[8]" */
void put_operand_name(str *s, const void *of, int i)
{
	const running *r = of;
	const run_options *o = r->options;

	if (o && o->put_name)
		o->put_name(s, o->names, i);
	else
		str_printf(s, "operand %d", i);
	str_put(s, " of type ");
	type_text(s, r->in[i]->type, NULL, 0);
}

/* "args[0].w of type f32[8] is on device ids [0, 1]" */
static void put_operand(const running *r, str *s, int i)
{
	put_operand_name(s, r, i);
	str_put(s, " is on device ids ");
	held_by_text(s, r->in[i]->sharding);
}

static bool incompatible(const running *r, int i, int j)
{
	str a = {.base = &r->ctx->base}, b = a;

	put_operand(r, &a, i);
	put_operand(r, &b, j);
	fail(a.base, r->where, TSR_ERROR_SHARDING,
	     "incompatible devices for %s: %s and %s; put both on the same devices first",
	     r->program->name ? r->program->name : "this operation", a.s ? a.s : "?",
	     b.s ? b.s : "?");
	str_free(&a);
	str_free(&b);
	return false;
}

/* an operand that the run moves has no say in where that is */
static bool is_committed(const running *r, int i, const sharding *over)
{
	return r->in[i]->committed &&
	       (!over || sharding_same_devices(r->in[i]->sharding, over));
}

bool check_devices(running *r)
{
	const mesh *m = r->options ? r->options->over : NULL;

	r->over = m ? sharding_replicated_on(&r->ctx->shards, m) : NULL;
	if (m && !r->over) return false;
	r->committed = -1;
	for (int i = 0; i < r->program->nin; i++) {
		if (!is_committed(r, i, r->over)) continue;
		if (r->committed < 0)
			r->committed = i;
		else if (!sharding_same_devices(r->in[r->committed]->sharding, r->in[i]->sharding))
			return incompatible(r, r->committed, i);
	}
	return true;
}

/* where a program runs that has no mesh */
static int64_t choose_device(running *r)
{
	const sharding *held = r->committed < 0 ? NULL : r->in[r->committed]->sharding;

	r->commit = held && sharding_ndevices(held) == 1;
	return held ? sharding_device(held, 0) : r->ctx->home;
}

compiled *compile_running(running *r)
{
	const int n = r->program->nin;
	const sharding *small[16], **held = n <= (int)ARRAY_LEN(small) ? small : NULL;

	if (r->committed < 0 || !array_held(r->in[r->committed]))
		return compile_program(r->ctx, r->where, r->program, NULL, choose_device(r));
	if (!held && !(held = mem_array(&r->ctx->base, (size_t)n, sizeof *held))) return NULL;
	for (int i = 0; i < n; i++)
		held[i] = is_committed(r, i, r->over) ? array_held(r->in[i]) : NULL;
	compiled *c = compile_program(r->ctx, r->where, r->program, held, choose_device(r));
	if (held != small) mem_free(&r->ctx->base, held);
	return c;
}

bool check_mesh(const running *r)
{
	const mesh *m = r->c->placed.mesh;

	if (!m || r->committed < 0) return true;
	const sharding *held = r->in[r->committed]->sharding;
	if (held->mesh == m) return true;
	const sharding *all = sharding_replicated_on(&r->ctx->shards, m);
	if (!all) return false;
	if (sharding_same_devices(held, all)) return true;
	str a = {.base = &r->ctx->base}, b = {.base = &r->ctx->base};
	put_operand(r, &a, r->committed);
	held_by_text(&b, all);
	fail(&r->ctx->base, r->where, TSR_ERROR_SHARDING,
	     "incompatible devices for %s: %s, and it computes on device ids %s: put the first "
	     "there",
	     r->program->name ? r->program->name : "this program", a.s ? a.s : "?",
	     b.s ? b.s : "?");
	str_free(&a);
	str_free(&b);
	return false;
}
