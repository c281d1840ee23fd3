/* pipeline.c - the way from a traced program to a per-device program.
 *
 *     pass pipeline
 *     f(%0: f32[8]) -> f32[8] {
 *       %1: f32[8] = call %0 program=waves(%0: f32[8]) -> f32[8] {
 *         %1: f32[8] = mul %0 1.0:f32
 *         %2: f32[8] =
 *               shard_map %1 mesh=(x:2) axes=(x) in=[[x]] out=[[x]] body=(%0: f32[4]{x}) ->
 *                     f32[4]{x} {
 *           %1: f32[4]{x} = sin %0
 *           return %1
 *         }
 *         return %2
 *       }
 *       return %1
 *     }
 *     gives
 *     axes (x of (x:2)) f(%0: f32[4]{x}) -> f32[4]{x} {
 *       %1: f32[4]{x} = sin %0
 *       return %1
 *     }
 *
 * In this order: strong, inline, sink, unroll, simplify, turn, partition, simplify, hoist, update,
 * precision, number. Partition needs programs without calls. They are simplified before, so that
 * partition has less to do, and after, because partition makes equations of its own: blocks are cut
 * out of whole values and gathered again, often more than once. Products leave the loops of what
 * one device computes, but sums of products before loops are written out, and products of patches
 * before anything is cut, since they then add in another order.
 *
 * Most operations outside of traces are programs of one equation, and all that these need is
 * strong, partition and precision. */
#include "pass/pass.h"

/* what a pass makes of a program whose reference it takes */
static program *then(program *p, program *(*pass)(const program *), const char *name)
{
	program *made = p ? pass_done(pass(p), name) : NULL;

	program_release(p);
	return made;
}

static program *simplify(program *p)
{
	return p && !debugs(p->ir, 'n') ? then(p, pass_simplify, "simplify") : p;
}

/* the same for a pass that leaves most programs as they are; `more` follows if it changed p */
static program *then_if(program *p, program *(*pass)(const program *), const char *name,
                        program *(*more)(program *))
{
	program *made = p ? pass(p) : NULL;
	const bool same = made == p;

	program_release(p);
	return same ? made : more(pass_done(made, name));
}

static program *as_it_is(program *p) { return p; }

static bool partition(const program *global, const sharding *const *held, const char *where,
                      report *r, placed *out, const char *name)
{
	if (!pass_partition(global, held, where, r, out)) return false;
	out->program = pass_done(out->program, name);
	if (!out->program) placed_free(out);
	return out->program;
}

static bool is_one_operation(const program *p) { return p->neqns == 1 && p->depth == 1; }

static bool whole(const program *global, const sharding *const *held, const char *where,
                  report *r, placed *out)
{
	program *p = then(retained(global), pass_inline_rules, "inline");
	p = then_if(p, pass_sink, "sink", as_it_is);
	p = simplify(then(p, pass_unroll, "unroll"));
	p = then_if(p, pass_add_patches, "add_patches", simplify);
	const bool ok = p && partition(p, held, where, r, out, "partition");
	program_release(p);
	if (!ok) return false;
	out->program = then_if(simplify(out->program), pass_hoist, "hoist", simplify);
	out->program = then_if(out->program, pass_update, "update", as_it_is);
	if (!out->program) placed_free(out);
	return out->program;
}

bool pipeline(const program *global, const sharding *const *held, const char *where, report *r,
              placed *out)
{
	program *p = pass_strong(global);
	if (p != global) p = pass_done(p, "strong");
	const bool one = p && is_one_operation(p);
	const bool ok = p && (one ? partition(p, held, where, r, out, "operation")
	                          : whole(p, held, where, r, out));

	program_release(p);
	if (!ok) return false;
	out->program = then_if(out->program, pass_precision, "precision", as_it_is);
	if (out->program && !one) debug_print(out->program, "all");
	program *numbered = out->program ? pass_number(out->program) : NULL;
	program_release(out->program);
	out->program = numbered;
	if (!numbered) placed_free(out);
	return numbered;
}

void placed_free(placed *p)
{
	program_release(p->program);
	arena_free(p->arena);
	*p = (placed){0};
}
