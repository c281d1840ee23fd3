/* viz.c - the public picture of where the parts of an array are. */
#include <stdio.h>
#include <unistd.h>
#include "lib/pictures/pictures.h"
#include "lib/lib.h"

typedef struct drawing {
	call_site site;
	const tsr_picture_args *a;
	bool colour;
	str text;
} drawing;

/* the picture of dims under a sharding, or nothing and an error */
static bool draw(drawing *p, const sharding *s, const int64_t *dims, int ndim)
{
	const tsr_picture_args *a = p->a;
	const picture_options o = {.colour = p->colour,
	                           .scale = a->scale == 0 ? 1 : a->scale,
	                           .min_width = a->min_width ? a->min_width : 9,
	                           .max_width = a->max_width ? a->max_width : 80};
	base *b = p->text.base = &s->ctx->base;

	if (!(o.scale > 0 && o.scale <= 1000) || o.min_width < 0 || o.max_width < 0 ||
	    o.min_width > 1000 || o.max_width > 1000)
		return fail(b, p->site.where, TSR_ERROR_ARGUMENT,
		            "%s: .scale must be above 0 and .min_width and .max_width not below, "
		            "and each at most 1000",
		            p->site.op);
	if (ndim < 1 || ndim > 2) {
		str shape = {.base = b};
		shape_text(&shape, dims, ndim);
		fail(b, p->site.where, TSR_ERROR_ARGUMENT,
		     "%s only works for shapes with 1 and 2 dims, not for %s: reshape it "
		     "first (tsr_reshape)",
		     p->site.op, shape.s ? shape.s : "?");
		str_free(&shape);
		return false;
	}
	picture_draw(&p->text, s, dims, ndim, &o);
	return !p->text.lost;
}

/* of a checked array */
static bool draw_array(drawing *p, const tsr *x)
{
	tsr *h = (tsr *)(uintptr_t)x;
	tsr_ctx *ctx = operands_check(&p->site, &h, 1);
	const array *all = ctx ? handle_array(p->site.where, x) : NULL;

	if (all) return draw(p, all->sharding, all->type->dims, all->type->ndim);
	error_log_once(&p->site.ctx->base);
	return false;
}

/* of dims alone, without an array */
static bool draw_dims(drawing *p, const tsr_dims *dims, const sharding *s)
{
	return sharding_dims_fit(&p->site, s, dims) && draw(p, s, dims_of(dims), dims_count(dims));
}

/* https://no-color.org: the variable forbids colour unless it is empty */
static bool stdout_has_colour(void)
{
	const char *no = environment("NO_COLOR"), *term = environment("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

static tsr_ctx *sharding_ctx_of(const sharding *s) { return s && s->ctx ? s->ctx : ctx_dead(); }

static void show(drawing *p, bool made)
{
	if (made) fputs(p->text.s, stdout);
	if (p->text.base) str_free(&p->text);
}

/* the picture as text of the innermost scope */
static const char *keep(drawing *p, bool made)
{
	if (made) return scope_text(p->site.ctx, &p->text);
	if (p->text.base) str_free(&p->text);
	return "";
}

void tsr_show_sharding_at(const char *where, const tsr *x, const tsr_picture_args *given)
{
	TURN_OF(tsr_ctx_of(x), where, );
	const tsr_picture_args *a = KEYWORDS(tsr_picture_args, where, tsr_ctx_of(x), given);
	if (!a) return;
	drawing p = {.site = {.where = where, .op = "show_sharding"},
	             .a = a,
	             .colour = a->color || stdout_has_colour()};

	show(&p, draw_array(&p, x));
}

const char *tsr_sharding_picture_at(const char *where, const tsr *x, const tsr_picture_args *given)
{
	TURN_OF(tsr_ctx_of(x), where, "");
	const tsr_picture_args *a = KEYWORDS(tsr_picture_args, where, tsr_ctx_of(x), given);
	if (!a) return "";
	drawing p = {
		.site = {.where = where, .op = "sharding_picture"}, .a = a, .colour = a->color};

	return keep(&p, draw_array(&p, x));
}

void tsr_show_sharding_of_at(const char *where, tsr_dims dims, const tsr_sharding *s,
                             const tsr_picture_args *given)
{
	TURN_OF(s ? s->ctx : NULL, where, );
	const tsr_picture_args *a = KEYWORDS(tsr_picture_args, where, sharding_ctx_of(s), given);
	if (!a) return;
	drawing p = {.site = {.where = where, .op = "show_sharding_of"},
	             .a = a,
	             .colour = a->color || stdout_has_colour()};

	show(&p, draw_dims(&p, &dims, s));
}

const char *tsr_sharding_picture_of_at(const char *where, tsr_dims dims, const tsr_sharding *s,
                                       const tsr_picture_args *given)
{
	TURN_OF(s ? s->ctx : NULL, where, "");
	const tsr_picture_args *a = KEYWORDS(tsr_picture_args, where, sharding_ctx_of(s), given);
	if (!a) return "";
	drawing p = {
		.site = {.where = where, .op = "sharding_picture_of"}, .a = a, .colour = a->color};

	return keep(&p, draw_dims(&p, &dims, s));
}
