/* recipe_run_rules.c - the rules of custom_jvp and custom_vjp in recipes: they give the derivative
 * that the region has. */
#include "support/recipe_run.h"

enum { MOST_VALUES = RECIPE_INS + RECIPE_OUTS };
typedef struct rule_values { /* of a frame: handles, and trees as they come */
	tsr_arg arg[2 * MOST_VALUES];
	size_t n;
} rule_values;

static rule_values frame_values(tsr_frame *frame, size_t first)
{
	rule_values v = {.n = 0};

	for (size_t k = first; k < tsr_frame_count(frame); k++)
		v.arg[v.n++] = tsr_arg_tree(tsr_frame_tree(frame, k));
	return v;
}

static tsr_fn *rule_region(tsr_frame *frame, int *nout)
{
	const body_env *env = tsr_frame_env(frame);

	*nout = env->of->r->region[env->region].nout;
	return jit_fn(env->of, (int)env->region);
}

/* the region's results as trees of one leaf, since its arguments are given as trees too */
static int rule_places(tsr **y, int n, tsr_out *out)
{
	for (int k = 0; k < n; k++) out[k] = place(&y[k], 1);
	return n;
}

static void give_values(tsr_frame *frame, tsr **y, size_t n, const rule_values *more)
{
	tsr_arg out[2 * MOST_VALUES];
	size_t count = 0;

	for (size_t k = 0; k < n; k++) out[count++] = tsr_arg_one(y[k]);
	for (size_t k = 0; more && k < more->n; k++) out[count++] = more->arg[k];
	tsr_return_at(TSR_HERE, frame, out, count);
}

/* arguments, then tangents: as many, for all are floating */
void rule_jvp(tsr_frame *frame)
{
	int nout;
	tsr_fn *f = rule_region(frame, &nout);
	rule_values v = frame_values(frame, 0);
	const size_t nargs = v.n / 2;
	tsr *y[2 * RECIPE_OUTS];
	tsr_out out[RECIPE_OUTS], to[RECIPE_OUTS];

	rule_places(y, nout, out);
	rule_places(y + nout, nout, to);
	const tsr_linearized l = tsr_linearize_at(TSR_HERE, out, (size_t)nout, f, v.arg, nargs);
	v.arg[nargs - 1] = tsr_arg_tree(l.residuals);
	tsr_call_into_at(TSR_HERE, to, (size_t)nout, l.fn, &v.arg[nargs - 1], 1 + nargs);
	give_values(frame, y, 2 * (size_t)nout, NULL);
}

/* the residuals are the arguments */
void rule_forward(tsr_frame *frame)
{
	int nout;
	tsr_fn *f = rule_region(frame, &nout);
	const rule_values v = frame_values(frame, 0);
	tsr *y[RECIPE_OUTS];
	tsr_out out[RECIPE_OUTS];

	rule_places(y, nout, out);
	tsr_call_into_at(TSR_HERE, out, (size_t)nout, f, v.arg, v.n);
	give_values(frame, y, (size_t)nout, &v);
}

void rule_backward(tsr_frame *frame)
{
	int nout;
	tsr_fn *f = rule_region(frame, &nout);
	rule_values v = frame_values(frame, 0);
	const size_t nargs = v.n - (size_t)nout;
	tsr *y[RECIPE_OUTS], *dx[RECIPE_INS];
	tsr_out out[RECIPE_OUTS], to[RECIPE_INS];

	rule_places(y, nout, out);
	rule_places(dx, (int)nargs, to);
	const tsr_linearized l = tsr_vjp_at(TSR_HERE, out, (size_t)nout, f, v.arg, nargs);
	v.arg[nargs - 1] = tsr_arg_tree(l.residuals);
	tsr_call_into_at(TSR_HERE, to, nargs, l.fn, &v.arg[nargs - 1], 1 + (size_t)nout);
	give_values(frame, dx, nargs, NULL);
}
