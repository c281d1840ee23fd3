/* passes.c - lists the passes: their names, their letters, and their functions.
 *
 * Whoever names a pass means a row of it: the log (debug.c), tsr_program_pass(), `tsr print --pass`
 * and its help. */
#include "pass/pass.h"

/* ---- passes by their name. Some want programs without calls, or simplified ones */

static program *inlined(const program *p, const char *where)
{
	(void)where;
	return pass_inline_rules(p);
}

static program *strong(const program *p, const char *where)
{
	(void)where;
	return pass_strong(p);
}

static program *sunk(const program *p, const char *where)
{
	program *flat = pass_inline_rules(p), *made = flat ? pass_sink(flat) : NULL;

	(void)where;
	program_release(flat);
	return made;
}

static program *turned(const program *p, const char *where)
{
	program *flat = pass_inline_rules(p), *made = flat ? pass_add_patches(flat) : NULL;

	(void)where;
	program_release(flat);
	return made;
}

static program *unrolled(const program *p, const char *where)
{
	program *flat = pass_inline_rules(p), *made = flat ? pass_unroll(flat) : NULL;

	(void)where;
	program_release(flat);
	return made;
}

static program *simplified(const program *p, const char *where)
{
	(void)where;
	return pass_simplify(p);
}

static program *expanded(const program *p, const char *where)
{
	(void)where;
	return pass_expand(p);
}

static program *hoisted(const program *p, const char *where)
{
	program *flat = pass_inline_rules(p), *made = flat ? pass_hoist(flat) : NULL;

	(void)where;
	program_release(flat);
	return made;
}

static program *updated(const program *p, const char *where)
{
	program *flat = pass_inline_rules(p), *made = flat ? pass_update(flat) : NULL;

	(void)where;
	program_release(flat);
	return made;
}

static program *in_parts(const program *p, const char *where)
{
	program *flat = pass_inline_rules(p), *made = flat ? pass_precision(flat) : NULL;

	(void)where;
	program_release(flat);
	return made;
}

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

static program *partitioned(const program *p, const char *where)
{
	program *flat = pass_inline_rules(p), *made = NULL;

	if (flat) made = placed_by(pass_partition, flat, where);
	program_release(flat);
	return made;
}

static program *fused_alone(const program *p, const char *where)
{
	program *flat = pass_inline_rules(p), *few = flat ? pass_simplify(flat) : NULL,
		*made = few ? pass_fuse(few, target_of(instructions_chosen())) : NULL;

	(void)where;
	program_release(flat);
	program_release(few);
	return made;
}

static program *final(const program *p, const char *where)
{
	return placed_by(pipeline, p, where);
}

/* ---- the table */

const pass_info all_passes[] = {
	{"trace", 't', "the program of a body, as it was traced", NULL},
	{"transform", 'd', "what grad, vmap and their kin make of a traced program", NULL},
	{"jvp", 'j', "values and tangents", NULL},
	{"split", 'l', "what depends on known values alone, and the rest", NULL},
	{"transpose", 'x', "cotangents of the operands of a linear program", NULL},
	{"batch", 'b', "all elements of a batch at once", NULL},
	{"vary", 'y', "the same in a scope with more axes", NULL},
	{"operation", 'o', "the program of an operation outside bodies", NULL},
	{"strong", 'g', "nothing is weak any more: all operations have been chosen", strong},
	{"inline", 'i', "what calls, remats and custom rules run stands in their place", inlined},
	{"sink", 'z', "sums of products over the steps of a loop, as products behind it", sunk},
	{"unroll", 'u', "steps of loops written out, as their unroll says", unrolled},
	{"simplify", 's', "fewer equations, and the same bits", simplified},
	{"add_patches", 'T', "sums of what patches of a product have, as products of patches",
	 turned},
	{"expand", 'X', "what rows are made of in their place, as far as they are made of others",
	 expanded},
	{"partition", 'p', "what every device runs on its own blocks", partitioned},
	{"hoist", 'q', "products that no step of a loop changes, before the loop", hoisted},
	{"update", 'U', "what reads an array comes before what replaces some of its elements",
	 updated},
	{"precision", 'H', "products of lower precision, as products of parts", in_parts},
	{"all", 'f',
	 "strong, inline, sink, unroll, simplify, turn, partition, simplify, hoist, update, "
	 "precision: for engines",
	 final},
	{"replicate", 'm', "what all devices of one memory do, as a program of one device", NULL},
	{"fuse", 'k', "equations in calls, each of which is one kernel", fused_alone},
	{0},
};

const pass_info *pass_find(const char *name)
{
	for (const pass_info *p = all_passes; p->name; p++)
		if (strcmp(p->name, name) == 0) return p;
	return NULL;
}

const pass_info *pass_on_request(int64_t k)
{
	for (const pass_info *p = all_passes; k >= 0 && p->name; p++)
		if (p->run && k-- == 0) return p;
	return NULL;
}

program *pass_named(const program *p, const char *where, const char *name)
{
	const pass_info *found = pass_find(name), *other;
	str all = {.base = p->ir->base};

	if (found && found->run) return pass_done(found->run(p, where), name);
	for (int64_t k = 0; (other = pass_on_request(k)); k++) {
		const bool last = !pass_on_request(k + 1);
		str_printf(&all, "%s%s", !k ? "" : last ? " and " : ", ", other->name);
	}
	fail(p->ir->base, where, TSR_ERROR_ARGUMENT, "there is no pass '%s'; there are %s", name,
	     all.s ? all.s : "others");
	str_free(&all);
	return NULL;
}
