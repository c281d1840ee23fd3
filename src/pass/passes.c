/* passes.c - lists the passes: their names, their letters, and their functions.
 *
 * Whoever names a pass means a row of it: the log (debug.c), tsr_program_pass(), `tsr print --pass`
 * and its help. */
#include "pass/pass.h"

/* ---- passes by their name */

static program *placed_by(placing_pass *place, const program *p, const char *where)
{
	placed to;

	if (p->naxes) {
		fail(p->ir->base, where, TSR_ERROR_TEXT,
		     "%s is a per-device program (it has axes): it is partitioned already",
		     p->name ? p->name : "this");
		return NULL;
	}
	if (!place(p, NULL, where, NULL, &to)) return NULL;
	program_retain(to.program);
	program *made = to.program;
	placed_free(&to);
	return made;
}

static program *fused_here(const program *p)
{
	program *few = pass_simplify(p);
	program *made = few ? pass_fuse(few, target_of(instructions_chosen())) : NULL;

	program_release(few);
	return made;
}

static program *run_pass(const pass_info *x, const program *p, const char *where)
{
	program *flat = x->without_calls ? pass_inline_rules(p) : retained(p);
	program *made = !flat      ? NULL
	                : x->place ? placed_by(x->place, flat, where)
	                           : x->run(flat);

	program_release(flat);
	return made;
}

/* ---- the table */

const pass_info all_passes[] = {
	{"trace", 't', "the program of a body, as it was traced", .run = NULL},
	{"transform", 'd', "a traced program after grad, vmap and their kin", .run = NULL},
	{"jvp", 'j', "values and tangents", .run = NULL},
	{"split", 'l', "equations of known values alone, and the rest", .run = NULL},
	{"transpose", 'x', "cotangents of the operands of a linear program", .run = NULL},
	{"batch", 'b', "all elements of a batch at once", .run = NULL},
	{"vary", 'y', "the same in a scope with more axes", .run = NULL},
	{"operation", 'o', "the program of an operation outside bodies", .run = NULL},
	{"strong", 'g', "strong dtypes alone, after the choice of operations",
	 .run = pass_strong},
	{"inline", 'i', "the bodies of calls, remats and custom rules in their place",
	 .run = pass_inline_rules},
	{"sink", 'z', "sums of products over the steps of a loop, as products behind it",
	 .run = pass_sink, .without_calls = true},
	{"unroll", 'u', "steps of loops written out, as their unroll says",
	 .run = pass_unroll, .without_calls = true},
	{"simplify", 's', "fewer equations, and the same bits", .run = pass_simplify},
	{"add_patches", 'T', "sums of the patches of a product, as products of patches",
	 .run = pass_add_patches, .without_calls = true},
	{"expand", 'X', "the expansions of rows that are made of others, in their place",
	 .run = pass_expand},
	{"partition", 'p', "the program of each device, on its own blocks",
	 .place = pass_partition, .without_calls = true},
	{"hoist", 'q', "products that no step of a loop changes, before the loop",
	 .run = pass_hoist, .without_calls = true},
	{"update", 'U', "reads of an array before updates of some of its elements",
	 .run = pass_update, .without_calls = true},
	{"precision", 'H', "products of lower precision, as products of parts",
	 .run = pass_precision, .without_calls = true},
	{"all", 'f',
	 "strong, inline, sink, unroll, simplify, turn, partition, simplify, hoist, update, "
	 "precision: for engines",
	 .place = pipeline},
	{"replicate", 'm', "the work of all devices of one memory, as a program of one device",
	 .run = NULL},
	{"fuse", 'k', "equations in calls, each of which is one kernel",
	 .run = fused_here, .without_calls = true},
	{0},
};

static bool is_on_request(const pass_info *p) { return p->run || p->place; }

const pass_info *pass_find(const char *name)
{
	for (const pass_info *p = all_passes; p->name; p++)
		if (strcmp(p->name, name) == 0) return p;
	return NULL;
}

const pass_info *pass_on_request(int64_t k)
{
	for (const pass_info *p = all_passes; k >= 0 && p->name; p++)
		if (is_on_request(p) && k-- == 0) return p;
	return NULL;
}

program *pass_named(const program *p, const char *where, const char *name)
{
	const pass_info *found = pass_find(name), *other;
	str all = {.base = p->ir->base};

	if (found && is_on_request(found)) return pass_done(run_pass(found, p, where), name);
	for (int64_t k = 0; (other = pass_on_request(k)); k++) {
		const bool last = !pass_on_request(k + 1);
		str_printf(&all, "%s%s", !k ? "" : last ? " and " : ", ", other->name);
	}
	fail(p->ir->base, where, TSR_ERROR_ARGUMENT, "there is no pass '%s'; there are %s", name,
	     all.s ? all.s : "others");
	str_free(&all);
	return NULL;
}
