/* pipeline.c - the way from a traced program to a per-device program.
 *
 *     inline -> simplify -> partition -> simplify
 *
 * An operation outside a trace is a program of one equation, and all that it needs is partition. */
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

static bool partition(const program *global, const char *where, placed *out, const char *name)
{
	if (!pass_partition(global, where, out)) return false;
	out->program = pass_done(out->program, name);
	if (!out->program) placed_free(out);
	return out->program;
}

static bool is_one_operation(const program *p) { return p->neqns == 1 && p->depth == 1; }

static bool whole(const program *global, const char *where, placed *out)
{
	program_retain(global);
	program *p = then((program *)(uintptr_t)global, pass_inline, "inline");
	p = simplify(p);
	const bool ok = p && partition(p, where, out, "partition");
	program_release(p);
	if (!ok) return false;
	out->program = simplify(out->program);
	if (!out->program)
		placed_free(out);
	else
		debug_print(out->program, "final");
	return out->program;
}

bool pipeline(const program *global, const char *where, placed *out)
{
	return is_one_operation(global) ? partition(global, where, out, "operation")
	                                : whole(global, where, out);
}

/* ---- one pass, by its name */

static program *placed_by(bool (*place)(const program *, const char *, placed *), const program *p,
                          const char *where)
{
	placed to;

	if (p->naxes) {
		fail(p->ir->base, where, TSR_ERROR_TEXT,
		     "%s is a per-device program (it has axes): it is partitioned already",
		     p->name ? p->name : "this");
		return NULL;
	}
	if (!place(p, where, &to)) return NULL;
	program_retain(to.program);
	program *made = to.program;
	placed_free(&to);
	return made;
}

/* partition wants programs without calls */
static bool inline_and_partition(const program *p, const char *where, placed *out)
{
	program *flat = pass_inline(p);
	const bool ok = flat && partition(flat, where, out, "partition");

	program_release(flat);
	return ok;
}

static program *fused(const program *p)
{
	program *flat = pass_inline(p);

	return then(then(flat, pass_simplify, "simplify"), pass_fuse, "fuse");
}

program *pass_named(const program *p, const char *where, const char *name)
{
	if (strcmp(name, "inline") == 0) return pass_done(pass_inline(p), name);
	if (strcmp(name, "simplify") == 0) return pass_done(pass_simplify(p), name);
	if (strcmp(name, "fuse") == 0) return fused(p);
	if (strcmp(name, "partition") == 0) return placed_by(inline_and_partition, p, where);
	if (strcmp(name, "all") == 0) return placed_by(pipeline, p, where);
	fail(p->ir->base, where, TSR_ERROR_ARGUMENT,
	     "there is no pass '%s'; there are inline, simplify, partition, fuse, and all", name);
	return NULL;
}

void placed_free(placed *p)
{
	program_release(p->program);
	arena_free(p->arena);
	*p = (placed){0};
}
