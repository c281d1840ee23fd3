/* recipe_deal.c - deals: a recipe, numbers for its inputs, and the expected results. */
#include "support/recipe.h"
#include <math.h>
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
				d->in[k][i] = 1.5 * recipe_number(&dice);
		const verdict v = recipe_evaluate(&d->r, 0, in, out);
		d->largest = v.largest;
		if (v.fit && v.margin > margin && is_calm(d, in)) return true;
	}
	return false;
}

static tsr_dims dims_of(const form *f)
{
	tsr_dims dims = {.d = {1 + f->ndim}};

	for (int d = 0; d < f->ndim; d++) dims.d[1 + d] = f->dim[d];
	return dims;
}

void recipe_inputs(tsr_ctx *ctx, const recipe_deal *d, tsr_dtype dtype, tsr **in)
{
	const region *g = &d->r.region[0];

	for (int k = 0; k < g->nin; k++) {
		tsr *x = tsr_from(ctx, d->in[k], TSR_F64, dims_of(&g->value[k]));
		in[k] = dtype == TSR_F64 ? x : tsr_astype(x, dtype);
	}
}

bool recipe_matches(const recipe_deal *d, int k, const tsr *got, char *why, size_t size)
{
	const form *f = &d->r.region[0].value[d->r.region[0].out[k]];
	const tsr_dims want = dims_of(f), have = tsr_shape(got);
	double v[RECIPE_SIZE];

	if (tsr_dtype_of(got) != TSR_F64 ||
	    memcmp(want.d, have.d, (size_t)want.d[0] * sizeof *want.d) != 0) {
		snprintf(why, size, "result %d is %s", k, tsr_text(got));
		return false;
	}
	if (!tsr_read(got, v, (size_t)form_size(f) * sizeof *v)) return false;
	for (int i = 0; i < form_size(f); i++)
		if (!(fabs(v[i] - d->want[k][i]) <= TOLERANCE * d->largest)) {
			snprintf(why, size, "result %d, element %d is %.17g, not %.17g", k, i, v[i],
			         d->want[k][i]);
			return false;
		}
	return true;
}
