/* viz.c - the public picture of where the parts of an array are. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "lib/host.h"
#include "lib/lib.h"

/* the picture of dims under a sharding, or nothing and an error */
static bool put_picture(str *out, const char *where, const char *op, const sharding *s,
                        const int64_t *dims, int ndim, const tsr_picture_args *a, bool colour)
{
	const picture_options o = {.colour = colour, .scale = a->scale == 0 ? 1 : a->scale,
	                           .min_width = a->min_width ? a->min_width : 9,
	                           .max_width = a->max_width ? a->max_width : 80};

	if (!(o.scale > 0 && o.scale <= 1000) || o.min_width < 0 || o.max_width < 0 ||
	    o.min_width > 1000 || o.max_width > 1000)
		return fail(out->base, where, TSR_ERROR_ARGUMENT,
		            "%s: .scale must be above 0 and .min_width and .max_width not below, "
		            "and each at most 1000",
		            op);
	if (ndim < 1 || ndim > 2) {
		str shape = {.base = out->base};
		shape_text(&shape, dims, ndim);
		fail(out->base, where, TSR_ERROR_ARGUMENT,
		     "%s only works for shapes with 1 and 2 dims, not for %s: reshape it "
		     "first (tsr_reshape)",
		     op, shape.s ? shape.s : "?");
		str_free(&shape);
		return false;
	}
	picture_draw(out, s, dims, ndim, &o);
	return !out->lost;
}

/* of a checked array */
static bool put_of_array(str *out, const char *where, const char *op, const tsr *x,
                         const tsr_picture_args *a, bool colour)
{
	call_site site = {.where = where, .op = op};
	tsr *h = (tsr *)(uintptr_t)x;
	tsr_ctx *ctx = operands_check(&site, &h, 1);
	const array *all = ctx ? handle_array(where, x) : NULL;

	if (!all) {
		error_log_once(&site.ctx->base);
		return false;
	}
	out->base = &ctx->base;
	return put_picture(out, where, op, all->sharding, all->type->dims, all->type->ndim, a,
	                   colour);
}

/* the picture of dims alone, without an array */
static bool put_of_dims(str *out, const char *where, const char *op, const tsr_dims *dims,
                        const sharding *s, const tsr_picture_args *a, bool colour)
{
	if (!sharding_dims_fit(s, where, op, dims)) return false;
	out->base = &s->ctx->base;
	return put_picture(out, where, op, s, dims_of(dims), dims_count(dims), a, colour);
}

/* https://no-color.org: the variable forbids colour unless it is empty */
static bool stdout_has_colour(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

static tsr_ctx *sharding_ctx_of(const sharding *s) { return s && s->ctx ? s->ctx : ctx_dead(); }

static void show(str *s, bool made)
{
	if (made) fputs(s->s, stdout);
	if (s->base) str_free(s);
}

static const char *keep(tsr_ctx *ctx, str *s, bool made)
{
	if (made) return scope_text(ctx, s);
	if (s->base) str_free(s);
	return "";
}

void tsr_show_sharding_at(const char *where, const tsr *x, const tsr_picture_args *given)
{
	const tsr_picture_args *a =
		KEYWORDS(tsr_picture_args, where, tsr_ctx_of(x), given);
	if (!a) return;
	str s = {0};

	show(&s, put_of_array(&s, where, "show_sharding", x, a, a->color || stdout_has_colour()));
}

const char *tsr_sharding_picture_at(const char *where, const tsr *x, const tsr_picture_args *given)
{
	const tsr_picture_args *a =
		KEYWORDS(tsr_picture_args, where, tsr_ctx_of(x), given);
	if (!a) return "";
	str s = {0};
	const bool made = put_of_array(&s, where, "sharding_picture", x, a, a->color);

	return keep(made ? handles_of(x)->ctx : NULL, &s, made);
}

void tsr_show_sharding_of_at(const char *where, tsr_dims dims, const tsr_sharding *sharding,
                             const tsr_picture_args *given)
{
	const tsr_picture_args *a =
		KEYWORDS(tsr_picture_args, where, sharding_ctx_of(sharding), given);
	if (!a) return;
	str s = {0};

	show(&s, put_of_dims(&s, where, "show_sharding_of", &dims, sharding, a,
	                     a->color || stdout_has_colour()));
}

const char *tsr_sharding_picture_of_at(const char *where, tsr_dims dims,
                                       const tsr_sharding *sharding,
                                       const tsr_picture_args *given)
{
	const tsr_picture_args *a =
		KEYWORDS(tsr_picture_args, where, sharding_ctx_of(sharding), given);
	if (!a) return "";
	str s = {0};
	const bool made =
		put_of_dims(&s, where, "sharding_picture_of", &dims, sharding, a, a->color);

	return keep(made ? sharding->ctx : NULL, &s, made);
}
