/* pipeline.c - the way from a traced program to a per-device program. After each pass debug builds
 * run the verifier.
 *
 *     inline -> simplify -> partition -> simplify
 *
 * An operation outside a trace is a program of one equation, and all that it needs is partition. */
#include "pass/pass.h"

/* takes the reference to a program that a pass made, and gives it back if the program is one */
static program *checked(program *p, const char *stage)
{
#ifndef NDEBUG
	if (p && !program_verify(p, stage)) {
		program_release(p);
		return NULL;
	}
#endif
	(void)stage;
	return p;
}

static program *then(program *p, program *(*pass)(const program *), const char *stage)
{
	program *made = p ? checked(pass(p), stage) : NULL;

	program_release(p);
	return made;
}

static bool partition(const program *global, const char *where, placed *out)
{
	if (!pass_partition(global, where, out)) return false;
	out->program = checked(out->program, "partition");
	if (!out->program) placed_free(out);
	return out->program;
}

static bool is_one_operation(const program *p) { return p->neqns == 1 && p->depth == 1; }

bool pipeline(const program *global, const char *where, placed *out)
{
	if (is_one_operation(global)) return partition(global, where, out);
	program_retain(global);
	program *p = then((program *)(uintptr_t)global, pass_inline, "inline");
	p = then(p, pass_simplify, "simplify");
	const bool ok = p && partition(p, where, out);
	program_release(p);
	if (!ok) return false;
	out->program = then(out->program, pass_simplify, "simplify");
	if (!out->program) placed_free(out);
	return out->program;
}

void placed_free(placed *p)
{
	program_release(p->program);
	arena_free(p->arena);
	*p = (placed){0};
}
