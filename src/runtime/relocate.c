/* relocate.c - moves an error to the line of the call that ran the program.
 *
 * Example, in a context that looks for NaN:
 *
 *     tsr_wait(tsr_log(x));
 *     first = line_of(tsr_message(strict));
 *     tsr_clear(strict);
 *     tsr_wait(tsr_log(x));
 *
 * Both calls are one executable, which has the line of the first one. The error of the second call
 * is at its own line all the same:
 *
 *     3 lines below: log makes the first nan: f32[4] has nan at [0] .. */
#include "runtime/run.h"

/* An executable has the lines of the program that it was made for, which may be another caller's;
 * and the line of that call, where a pass has added something. An operation outside a body has one
 * line, that of its call, unless the bodies of its caller are inside */
typedef struct relocation {
	const running *r;
	const compiled *c; /* NULL: it could not be made */
	const char *first; /* where the error was */
} relocation;

static const char *line_here(void *of, const char *was)
{
	const relocation *at = of;
	const running *r = at->r;
	const compiled *c = at->c;
	const bool one_line = r->options && r->options->one_line;
	const char *line = NULL;

	if (one_line ? strcmp(was, at->first) == 0 : c && c->where && strcmp(was, c->where) == 0)
		return r->where;
	if (c && c->caller == r->program) program_lines(c->global, c->caller, was, &line);
	return line;
}

void place_error(const running *r, const compiled *c)
{
	const char *was = error_place(&r->ctx->base);
	arena *a = was ? arena_make(&r->ctx->base) : NULL;
	const char *first = a ? arena_str(a, was) : NULL;

	if (first) error_move(&r->ctx->base, line_here, &(relocation){r, c, first});
	arena_free(a);
}
