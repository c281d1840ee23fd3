/* viz.c - the public picture of where the parts of an array are. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "lib/host.h"
#include "lib/lib.h"

/* the picture of a checked array, or nothing and an error */
static bool put_picture(str *out, const char *where, const char *op, const tsr *x, bool colour)
{
	tsr *poison, *h = (tsr *)(uintptr_t)x;
	tsr_ctx *ctx = operands_check(where, op, &h, 1, &poison);
	const array *a = ctx ? handle_array(where, x) : NULL;

	if (!a) {
		error_log_once(&handles_of(poison)->ctx->base);
		return false;
	}
	const type *t = a->type;
	out->base = &ctx->base;
	if (t->ndim < 1 || t->ndim > 2) {
		str shape = {.base = &ctx->base};
		shape_text(&shape, t->dims, t->ndim);
		fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		     "%s only works for shapes with 1 and 2 dims, not for %s: reshape it "
		     "first (tsr_reshape)",
		     op, shape.s ? shape.s : "?");
		str_free(&shape);
		return false;
	}
	picture_draw(out, a->sharding, t->dims, t->ndim, colour);
	return !out->lost;
}

/* https://no-color.org: the variable forbids colour unless it is empty */
static bool stdout_has_colour(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

void tsr_show_sharding_at(const char *where, const tsr *x)
{
	str s = {0};

	if (put_picture(&s, where, "show_sharding", x, stdout_has_colour())) fputs(s.s, stdout);
	if (s.base) str_free(&s);
}

const char *tsr_sharding_picture_at(const char *where, const tsr *x, const tsr_picture_args *given)
{
	const tsr_picture_args *a = KEYWORDS(tsr_picture_args, where, tsr_ctx_of(x), given);
	if (!a) return "";
	str s = {0};

	if (put_picture(&s, where, "sharding_picture", x, a->color))
		return scope_text(handles_of(x)->ctx, &s);
	if (s.base) str_free(&s);
	return "";
}
