/* prims.c - prints rows as text: their operands, parameters and meaning.
 *
 * Example:
 *
 *     reduce_sum
 *
 * is described as
 *
 *     reduce_sum %0 dims=[INT,...]
 *         sum over dims; of no elements 0
 *
 * Parameters look as in program text (docs/program-text.md), with the kind of a value in capitals.
 * Flags (`=true`) and groups may be left out. */
#include "program/program.h"

static const char *const forms[] = {
	[FIELD_BOOL] = "true",
	[FIELD_INT] = "INT",
	[FIELD_DTYPE] = "DTYPE",
	[FIELD_INTS] = "[INT,...]",
	[FIELD_DIMS] = "[INT,...]",
	[FIELD_SIZES] = "[INT,...]",
	[FIELD_AXES] = "(AXIS,...)",
	[FIELD_PAIRS] = "[INT>INT,...]",
	[FIELD_GROUPS] = "[[INT,...],...]",
	[FIELD_MESH] = "(AXIS:SIZE,...)",
	[FIELD_MANUAL] = "(AXIS,...)",
	[FIELD_SPECS] = "[SPEC,...]",
	[FIELD_TEXT] = "TEXT",
	[FIELD_TYPES] = "[TYPE,...]",
	[FIELD_FUNCTION] = "FUNCTION",
	[FIELD_PROGRAM] = "PROGRAM",
	[FIELD_PROGRAMS] = "[PROGRAM,...]",
	[FIELD_RULE] = "PROGRAM",
};

static void put_field(str *s, const field *f)
{
	str_printf(s, " %s=", f->name);
	if (f->kind != FIELD_WORD) str_put(s, forms[f->kind]);
	const char *between = "";
	for (int i = 0; f->kind == FIELD_WORD && f->words[i]; i++) {
		if (!*f->words[i]) continue;
		str_printf(s, "%s%s", between, f->words[i]);
		between = "|";
	}
}

void prim_describe(str *s, const tsr_prim *p)
{
	str_put(s, p->name);
	for (int i = 0; i < p->nin; i++) str_printf(s, " %%%d", i);
	if (p->nin < 0) str_put(s, " %0 ...");
	for (const field *f = p->params; f && f->name; f++) put_field(s, f);
	str_printf(s, "\n    %s\n", p->doc);
}
