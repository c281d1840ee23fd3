/* recipe_deal.c - deals: a recipe, numbers for its inputs, and the expected results. */
#include "support/recipe.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 100 };
/* of the largest number on the way, which is at most 1e4: for f64, the rounding of some hundred
 * operations */
static const double TOLERANCE = 1e-12, MARGIN = 1e-5, NOISE = 1e-13, GROWTH = 300;

/* do errors stay small? */
static bool is_calm(const recipe_deal *d, double *const *in)
{
	static double noisy[RECIPE_OUTS][RECIPE_SIZE];
	double *out[RECIPE_OUTS];
	const region *g = &d->r.region[0];

	for (int k = 0; k < RECIPE_OUTS; k++) out[k] = noisy[k];
	if (!recipe_evaluate(&d->r, NOISE, in, out).fit) return false;
	for (int k = 0; k < g->nout; k++)
		for (int i = 0; i < form_size(&g->value[g->out[k]]); i++)
			if (!(fabs(noisy[k][i] - d->want[k][i]) <= GROWTH * NOISE * d->largest))
				return false;
	return true;
}

static double some_input(const recipe_deal *d, uint64_t *dice)
{
	const double x = recipe_number(dice);

	return d->r.whole ? trunc(4 * x) : 1.5 * x;
}

bool recipe_deal_make(recipe_deal *d, uint64_t seed, const recipe_limits *limits)
{
	const double margin = limits->margin > 0 ? limits->margin : MARGIN;
	double *in[RECIPE_INS], *out[RECIPE_OUTS];

	for (int k = 0; k < RECIPE_INS; k++) in[k] = d->in[k];
	for (int k = 0; k < RECIPE_OUTS; k++) out[k] = d->want[k];
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		uint64_t dice = ~seed;
		if (!recipe_draw(&d->r, seed, attempt, limits)) continue;
		for (int k = 0; k < d->r.region[0].nin; k++)
			for (int i = 0; i < form_size(&d->r.region[0].value[k]); i++)
				d->in[k][i] = some_input(d, &dice);
		const verdict v = recipe_evaluate(&d->r, 0, in, out);
		d->largest = v.largest;
		if (v.fit && (limits->whole || (v.margin > margin && is_calm(d, in))))
			return true;
	}
	return false;
}

static tsr_dims dims_of(const form *f)
{
	tsr_dims dims = {.d = {1 + f->ndim}};

	for (int d = 0; d < f->ndim; d++) dims.d[1 + d] = f->dim[d];
	return dims;
}

tsr *form_array(tsr_ctx *ctx, const form *f, const double *v, tsr_dtype dtype)
{
	static const double none;
	tsr *x = tsr_from(ctx, form_size(f) ? v : &none, TSR_F64, dims_of(f));

	return dtype == TSR_F64 ? x : tsr_astype(x, dtype);
}

void recipe_inputs(tsr_ctx *ctx, const recipe_deal *d, tsr_dtype dtype, tsr **in)
{
	const region *g = &d->r.region[0];

	for (int k = 0; k < g->nin; k++) in[k] = form_array(ctx, &g->value[k], d->in[k], dtype);
}

static bool same_numbers(const double *v, int n, const double *want, double error, char *why,
                         size_t size)
{
	for (int i = 0; i < n; i++)
		if (!(fabs(v[i] - want[i]) <= error)) {
			snprintf(why, size, "element %d is %.17g, not %.17g", i, v[i], want[i]);
			return false;
		}
	return true;
}

bool form_matches(const form *f, const double *want, double error, tsr_dtype dtype, const tsr *got,
                  char *why, size_t size)
{
	const tsr_dims need = dims_of(f), have = tsr_shape(got);
	const int n = form_size(f);

	if (tsr_dtype_of(got) != dtype ||
	    memcmp(need.d, have.d, (size_t)need.d[0] * sizeof *need.d) != 0) {
		snprintf(why, size, "is %s of %d dims and %lld elements, not %s of %d and %d",
		         tsr_dtype_name(tsr_dtype_of(got)), tsr_ndim(got),
		         (long long)tsr_size(got), tsr_dtype_name(dtype), f->ndim, n);
		return false;
	}
	double *v = malloc((size_t)n * sizeof *v + 1);
	const bool same = v && tsr_read_into(got, v, .dtype = TSR_F64) &&
	                  same_numbers(v, n, want, error, why, size);
	free(v);
	return same;
}

bool recipe_matches(const recipe_deal *d, int k, const tsr *got, char *why, size_t size)
{
	const form *f = &d->r.region[0].value[d->r.region[0].out[k]];
	char inner[512] = "";

	if (form_matches(f, d->want[k], d->r.whole ? 0 : TOLERANCE * d->largest, d->r.dtype, got,
	                 inner, sizeof inner))
		return true;
	snprintf(why, size, "result %d: %s", k, inner);
	return false;
}
