/* viz.c - the public pictures of where the parts of an array are: as text, and as SVG. */
#include <stdio.h>
#include <unistd.h>
#include "lib/lib.h"
#include "lib/pictures/pictures.h"

/* a public call: what it draws, and as what */
typedef struct drawing {
	call_site site;
	picture p;
	tsr_dims which; /* the keyword .dims */
	bool as_svg;
	str text;
} drawing;

/* ---- keywords. false: recorded */

static bool read_dims(drawing *d)
{
	int64_t named[MAX_NDIM];
	const int n = dims_count(&d->which);

	d->p.shown = picture_dims(d->p.sharding, d->p.ndim);
	if (!dims_given(&d->which)) return true;
	if (!dims_listed(&d->site, ".dims", &d->which, d->p.ndim, named)) return false;
	if (n < 1 || n > 2)
		return fail_op(&d->site, TSR_ERROR_ARGUMENT,
		               ".dims names %d dims, and a picture shows one or two", n);
	d->p.shown.n = n;
	for (int i = 0; i < n; i++) d->p.shown.dim[i] = (int)named[i];
	return true;
}

static bool sizes_ok(const drawing *d)
{
	const picture_options *o = &d->p.options;

	if (o->scale > 0 && o->scale <= 1000 && o->min_width >= 0 && o->max_width >= 0 &&
	    o->min_width <= 1000 && o->max_width <= 1000)
		return true;
	return fail_op(&d->site, TSR_ERROR_ARGUMENT,
	               ".scale must be above 0 and .min_width and .max_width not below, and each "
	               "at most 1000");
}

static drawing text_drawing(const char *where, const char *op, const tsr_picture_args *a)
{
	return (drawing){.site = {.where = where, .op = op},
	                 .which = a->dims,
	                 .p.options = {.colour = a->color,
	                               .scale = a->scale == 0 ? 1 : a->scale,
	                               .min_width = a->min_width ? a->min_width : 9,
	                               .max_width = a->max_width ? a->max_width : 80}};
}

static drawing svg_drawing(const char *where, const char *op, const tsr_svg_args *a)
{
	return (drawing){.site = {.where = where, .op = op},
	                 .which = a->dims,
	                 .as_svg = true,
	                 .p.options = *PICTURE_OPTIONS(true)};
}

/* ---- drawing. false: recorded */

/* type: as SVG shows it */
static bool draw(drawing *d, const sharding *s, const int64_t *dims, int ndim, const str *type)
{
	base *b = d->text.base = &s->ctx->base;

	d->p.sharding = s;
	d->p.dims = dims;
	d->p.ndim = ndim;
	if (!sizes_ok(d)) return false;
	if (ndim < 1)
		return fail(b, d->site.where, TSR_ERROR_ARGUMENT,
		            "%s: an array without dims, (), has no parts to draw: reshape it first "
		            "(tsr_reshape)",
		            d->site.op);
	if (!read_dims(d) || type->lost) return false;
	if (d->as_svg)
		picture_svg(&d->text, &d->p, type->s);
	else
		picture_draw(&d->text, &d->p);
	return !d->text.lost;
}

/* of a checked array */
static bool draw_array(drawing *d, const tsr *x)
{
	tsr *h = (tsr *)(uintptr_t)x;
	tsr_ctx *ctx = operands_check(&d->site, &h, 1);
	const array *all = ctx ? handle_array(d->site.where, x) : NULL;
	str type = {.base = &d->site.ctx->base};

	if (!all) {
		error_log_once(&d->site.ctx->base);
		return false;
	}
	type_text(&type, all->type, NULL, 0);
	const bool ok = draw(d, all->sharding, all->type->dims, all->type->ndim, &type);
	str_free(&type);
	return ok;
}

/* of dims alone, without an array */
static bool draw_dims(drawing *d, const tsr_dims *dims, const sharding *s)
{
	if (!sharding_dims_fit(&d->site, s, dims)) return false;
	str type = {.base = &s->ctx->base};
	shape_text(&type, dims_of(dims), dims_count(dims));
	const bool ok = draw(d, s, dims_of(dims), dims_count(dims), &type);
	str_free(&type);
	return ok;
}

/* ---- where it goes */

/* https://no-color.org: the variable forbids colour unless it is empty */
static bool stdout_has_colour(void)
{
	const char *no = environment("NO_COLOR"), *term = environment("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

static tsr_ctx *sharding_ctx_of(const sharding *s) { return s && s->ctx ? s->ctx : ctx_dead(); }

/* s: that is drawn */
static void show(drawing *d, bool made, const sharding *s, bool all)
{
	if (made) print_in(s->ctx, process_of_least(s), all, d->text.s);
	if (d->text.base) str_free(&d->text);
}

/* the picture as text of the innermost scope */
static const char *keep(drawing *d, bool made)
{
	if (made) return scope_text(d->site.ctx, &d->text);
	if (d->text.base) str_free(&d->text);
	return "";
}

void tsr_show_sharding_at(const char *where, const tsr *x, const tsr_picture_args *given)
{
	TURN_OF(tsr_ctx_of(x), where, );
	const tsr_picture_args *a = KEYWORDS(tsr_picture_args, where, tsr_ctx_of(x), given);
	if (!a) return;
	drawing d = text_drawing(where, "show_sharding", a);

	d.p.options.colour |= stdout_has_colour();
	const bool made = draw_array(&d, x);
	show(&d, made, made ? ((const array *)handle_slot_of(x)->payload)->sharding : NULL,
	     a->all);
}

const char *tsr_sharding_picture_at(const char *where, const tsr *x, const tsr_picture_args *given)
{
	TURN_OF(tsr_ctx_of(x), where, "");
	const tsr_picture_args *a = KEYWORDS(tsr_picture_args, where, tsr_ctx_of(x), given);
	if (!a) return "";
	drawing d = text_drawing(where, "sharding_picture", a);

	return keep(&d, draw_array(&d, x));
}

const char *tsr_sharding_svg_at(const char *where, const tsr *x, const tsr_svg_args *given)
{
	TURN_OF(tsr_ctx_of(x), where, "");
	const tsr_svg_args *a = KEYWORDS(tsr_svg_args, where, tsr_ctx_of(x), given);
	if (!a) return "";
	drawing d = svg_drawing(where, "sharding_svg", a);

	return keep(&d, draw_array(&d, x));
}

void tsr_show_sharding_of_at(const char *where, tsr_dims dims, const tsr_sharding *s,
                             const tsr_picture_args *given)
{
	TURN_OF(s ? s->ctx : NULL, where, );
	const tsr_picture_args *a = KEYWORDS(tsr_picture_args, where, sharding_ctx_of(s), given);
	if (!a) return;
	drawing d = text_drawing(where, "show_sharding_of", a);

	d.p.options.colour |= stdout_has_colour();
	show(&d, draw_dims(&d, &dims, s), s, a->all);
}

const char *tsr_sharding_picture_of_at(const char *where, tsr_dims dims, const tsr_sharding *s,
                                       const tsr_picture_args *given)
{
	TURN_OF(s ? s->ctx : NULL, where, "");
	const tsr_picture_args *a = KEYWORDS(tsr_picture_args, where, sharding_ctx_of(s), given);
	if (!a) return "";
	drawing d = text_drawing(where, "sharding_picture_of", a);

	return keep(&d, draw_dims(&d, &dims, s));
}

const char *tsr_sharding_svg_of_at(const char *where, tsr_dims dims, const tsr_sharding *s,
                                   const tsr_svg_args *given)
{
	TURN_OF(s ? s->ctx : NULL, where, "");
	const tsr_svg_args *a = KEYWORDS(tsr_svg_args, where, sharding_ctx_of(s), given);
	if (!a) return "";
	drawing d = svg_drawing(where, "sharding_svg_of", a);

	return keep(&d, draw_dims(&d, &dims, s));
}
