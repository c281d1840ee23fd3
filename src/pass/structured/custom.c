/* custom.c - defines the rows with derivatives that the user gives: custom_jvp, custom_vjp, and
 * custom_lin, the tangents of custom_vjp until they are transposed.
 *
 * All rules are programs that were traced with the program they belong to. custom_rules.c puts them
 * in the place of derivatives; where nothing is differentiated, the pass inline puts the program in
 * the place of its equation, and the rules are gone. */
#include "pass/structured/structured.h"

/* ---- types */

/* types of the values that have tangents; NULL: no memory */
static const type **moving(build *b, const type *const *t, int n, int *count)
{
	const type **list = arena_array(build_arena(b), (size_t)n + 1, sizeof *list);

	*count = 0;
	for (int i = 0; list && i < n; i++)
		if (has_tangent(t[i]->dtype)) list[(*count)++] = t[i];
	return list;
}

static const type **joined(build *b, const type *const *s, int m, const type *const *t, int n)
{
	const type **list = arena_array(build_arena(b), (size_t)(m + n) + 1, sizeof *list);

	for (int i = 0; list && i < m; i++) list[i] = s[i];
	for (int i = 0; list && i < n; i++) list[m + i] = t[i];
	return list;
}

static bool check_wrt(build *b, const eqn *e, const ints *wrt, const type *const *in)
{
	for (int i = 0; i < wrt->n; i++)
		if (wrt->v[i] < (i ? wrt->v[i - 1] + 1 : 0) || wrt->v[i] >= e->nin ||
		    !has_tangent(in[wrt->v[i]]->dtype))
			return fail_type(b, e, "%s: wrt must list operands of floating or complex "
			                 "dtype, in rising order", e->prim->name);
	return true;
}

static const type **types_wrt(build *b, const ints *wrt, const type *const *in)
{
	const type **list = arena_array(build_arena(b), (size_t)wrt->n + 1, sizeof *list);

	for (int i = 0; list && i < wrt->n; i++) list[i] = in[wrt->v[i]];
	return list;
}

static inner nth_inner(const eqn *e, int n)
{
	inner k = {0};

	for (int i = 0; i <= n; i++) inner_next(e->prim, e->params, &k);
	return k;
}

static bool custom_jvp_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const custom_jvp_params *p = e->params;
	const inner rule = nth_inner(e, 1);
	int n;

	if (!check_inside(b, e, in, out) || !check_wrt(b, e, &p->wrt, in)) return false;
	const int nout = p->program->nout;
	const type **dx = types_wrt(b, &p->wrt, in), **dy = moving(b, out, nout, &n);
	const type **x = dx ? joined(b, in, e->nin, dx, p->wrt.n) : NULL;
	const type **y = dy ? joined(b, out, nout, dy, n) : NULL;
	return x && y && check_rule(b, e, &rule, x, e->nin + p->wrt.n, y, nout + n);
}

/* of the residuals, which forward gives and backward takes; NULL: no memory */
static const type **residuals_of(build *b, const program *forward, int nout)
{
	const int n = forward->nout - nout;
	const type **list = arena_array(build_arena(b), (size_t)(n < 0 ? 0 : n) + 1, sizeof *list);

	for (int i = 0; list && i < n; i++) list[i] = type_of(forward, forward->out[nout + i]);
	return list;
}

static bool custom_vjp_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const custom_vjp_params *p = e->params;
	const inner forward = nth_inner(e, 1), backward = nth_inner(e, 2);
	int n;

	if (!check_inside(b, e, in, out) || !check_wrt(b, e, &p->wrt, in)) return false;
	const int nout = p->program->nout, nres = p->forward->nout - nout;
	const type **res = residuals_of(b, p->forward, nout), **ct = moving(b, out, nout, &n);
	const type **y = res && nres >= 0 ? joined(b, out, nout, res, nres) : out;
	const type **x = ct && res && nres >= 0 ? joined(b, res, nres, ct, n) : NULL;
	const type **dx = types_wrt(b, &p->wrt, in);
	return y && check_rule(b, e, &forward, in, e->nin, y, nres < 0 ? nout : nout + nres) && x &&
	       dx && check_rule(b, e, &backward, x, nres + n, dx, p->wrt.n);
}

static bool custom_lin_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const program *p = ((const custom_lin_params *)e->params)->backward;
	const int nres = e->nin - p->nout, nout = p->nin - nres;
	const inner backward = nth_inner(e, 0);

	if (nres < 0 || nout < 0)
		return fail_type(b, e, "custom_lin: its operands are residuals, as backward takes "
		                 "them, and a tangent for each result of backward");
	for (int k = 0; k < nout; k++) out[k] = type_of(p, p->in[nres + k]);
	const type **x = joined(b, in, nres, out, nout);
	return x && check_rule(b, e, &backward, x, p->nin, in + nres, p->nout);
}

/* ---- a program that the user calls linear */

static void put_inline(const rebuilt *s, program **inside) { rebuild_inline(s, inside[0]); }

TRANSPOSE_INSIDE(custom, transpose_mixed, put_inline)

/* ---- rows */

static int jvp_results(const void *params, int nin)
{
	return (void)nin, ((const custom_jvp_params *)params)->program->nout;
}

static int vjp_results(const void *params, int nin)
{
	return (void)nin, ((const custom_vjp_params *)params)->program->nout;
}

static int lin_results(const void *params, int nin)
{
	const program *p = ((const custom_lin_params *)params)->backward;
	const int nres = nin - p->nout;

	return nres < 0 || nres > p->nin ? 0 : p->nin - nres;
}

static const field jvp_fields[] = {
	{"wrt", offsetof(custom_jvp_params, wrt), FIELD_INTS, NULL},
	{"program", offsetof(custom_jvp_params, program), FIELD_PROGRAM, NULL},
	{"rule", offsetof(custom_jvp_params, rule), FIELD_RULE, NULL},
	{NULL, 0, 0, NULL},
};
static const field vjp_fields[] = {
	{"wrt", offsetof(custom_vjp_params, wrt), FIELD_INTS, NULL},
	{"program", offsetof(custom_vjp_params, program), FIELD_PROGRAM, NULL},
	{"forward", offsetof(custom_vjp_params, forward), FIELD_RULE, NULL},
	{"backward", offsetof(custom_vjp_params, backward), FIELD_RULE, NULL},
	{NULL, 0, 0, NULL},
};
static const field lin_fields[] = {
	{"backward", offsetof(custom_lin_params, backward), FIELD_RULE, NULL},
	{NULL, 0, 0, NULL},
};

#define INLINED "the pass inline puts its equations in its place, once there is no more to derive"
#define WHOLE "it is known or unknown as a whole"
#define ONLY_FIRST {{.kind = EDGE_SAME, .only = 1}}
/* the columns of a row whose program is run, and whose rules are not */
#define RUNS_ITS_PROGRAM \
	.edges = &(const edges){.in = ONLY_FIRST, .out = ONLY_FIRST}, .run = run_program_inside, \
	.transpose = custom_transpose, \
	.no_rule = {[COL_FACTORS] = INLINED, \
	            [COL_COST] = INLINED, \
	            [COL_SPLIT] = WHOLE, \
	            [COL_LOWER] = INLINED, \
	            [COL_REPLICATE] = INLINED}

const tsr_prim tsr__prim_custom_jvp = {
	STRUCTURED(custom_jvp, "the results of a program on the operands, with a rule of tangents",
	           jvp_fields, custom_jvp_types),
	.results = jvp_results,
	.batch = custom_jvp_batch,
	RUNS_ITS_PROGRAM,
	.jvp = custom_jvp_jvp,
};

const tsr_prim tsr__prim_custom_vjp = {
	STRUCTURED(custom_vjp,
	           "the results of a program on the operands, with a rule of cotangents",
	           vjp_fields, custom_vjp_types),
	.results = vjp_results,
	.batch = custom_vjp_batch,
	RUNS_ITS_PROGRAM,
	.jvp = custom_vjp_jvp,
};

#define BACKWARD_ALONE "its rule says cotangents alone"
#define TRANSPOSED "only its transpose computes anything"

const tsr_prim tsr__prim_custom_lin = {
	STRUCTURED(custom_lin, "the tangents of a custom_vjp, of which only the transpose is known",
	           lin_fields, custom_lin_types),
	.results = lin_results,
	.batch = custom_lin_batch,
	.transpose = custom_lin_transpose,
	.no_rule = {[COL_FACTORS] = TRANSPOSED,
                    [COL_JVP] = BACKWARD_ALONE,
                    [COL_COST] = TRANSPOSED,
                    [COL_SPLIT] = WHOLE,
                    [COL_EVAL] = TRANSPOSED,
                    [COL_LOWER] = TRANSPOSED,
                    [COL_REPLICATE] = TRANSPOSED,
                    [COL_EDGES] = TRANSPOSED},
};
