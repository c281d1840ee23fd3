/* lines.c - matches the lines of programs that are equal except for their lines.
 *
 * Example:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = sin %0       # f.c:3
 *       %2: f32[4] = add %1 %1    # f.c:4
 *       return %2
 *     }
 *     g(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = sin %0       # g.c:7
 *       %2: f32[4] = add %1 %1    # g.c:7
 *       return %2
 *     }
 *
 * From g to f there is no answer, for an equation at g.c:7 may belong to f.c:3 or f.c:4:
 *
 *     f.c:3 is g.c:7
 *     f.c:4 is g.c:7
 *     no answer */
#include "program/program.h"

typedef struct pair {
	const char *from, *to;
} pair;

typedef struct lines {
	arena *arena;
	table pairs; /* by `from` */
	table seen;  /* programs of `from` that were walked: each may be in several places */
} lines;

static bool text_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_from(const void *entry, const void *key)
{
	return text_same(((const pair *)entry)->from, key);
}

static bool add_pair(lines *l, const char *from, const char *to)
{
	const uint64_t hash = hash_str(from, 0);
	pair *known = table_find(&l->pairs, hash, same_from, from);

	if (known) return text_same(known->to, to);
	if (!(known = arena_alloc(l->arena, sizeof *known))) return false;
	*known = (pair){from, to};
	return table_add(&l->pairs, hash, known);
}

static bool is_program(const void *entry, const void *key) { return entry == key; }

static bool add_program(lines *l, const program *from, const program *to)
{
	const uint64_t hash = hash_u64((uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from);

	if (table_find(&l->seen, hash, is_program, from)) return true;
	if (!table_add(&l->seen, hash, (void *)(uintptr_t)from)) return false;
	for (int i = 0; i < from->neqns; i++) {
		const eqn *e = &from->eqns[i], *f = &to->eqns[i];
		inner a = {0}, b = {0};
		if (!add_pair(l, e->where, f->where)) return false;
		while (inner_next(e->prim, e->params, &a) && inner_next(f->prim, f->params, &b))
			if (!add_program(l, a.program, b.program)) return false;
	}
	return true;
}

static bool lines_same(const program *p, const program *q)
{
	if (p == q) return true;
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i], *f = &q->eqns[i];
		inner a = {0}, b = {0};
		if (!text_same(e->where, f->where)) return false;
		while (inner_next(e->prim, e->params, &a) && inner_next(f->prim, f->params, &b))
			if (!lines_same(a.program, b.program)) return false;
	}
	return true;
}

bool program_same_lines(const program *p, const program *q)
{
	return program_same(p, q) && lines_same(p, q);
}

bool program_lines(const program *from, const program *to, const char *where, const char **line)
{
	base *bs = from->ir->base;
	lines l = {.arena = arena_make(bs), .pairs = {.base = bs}, .seen = {.base = bs}};
	const bool ok = l.arena && add_program(&l, from, to);
	const pair *found = ok && where
	                            ? table_find(&l.pairs, hash_str(where, 0), same_from, where)
	                            : NULL;

	if (found && line) *line = found->to;
	table_free(&l.pairs, NULL);
	table_free(&l.seen, NULL);
	arena_free(l.arena);
	return ok;
}
