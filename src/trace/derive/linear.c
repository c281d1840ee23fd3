/* linear.c - makes the fns of linearize, vjp and linear_transpose: linear in all arguments but the
 * first, the residuals.
 *
 * For y = sin(x) * n with an integer n, the residuals are c = cos(x) and n. The linear fn of
 * linearize is (c, n, dx) -> dx * c * n, and that of vjp is (c, n, dy) -> dy * n * c. n has no
 * tangent: an argument without tangents is no argument of the linear fn, and a leaf without one is
 * absent from its tree.
 *
 * Example, without n:
 *
 *     tsr_linearized at = tsr_linearize(TSR_OUT(&y), tsr_jit(ctx, tsr_sin), x);
 *     return tsr_fn_text(at.fn, at.residuals, x);
 *
 * The cosine was computed with y, so each further call is one product:
 *
 *     tsr_sin(%0: f32[4], %1: f32[4]) -> f32[4] {
 *       %2: f32[4] = mul %1 %0
 *       return %2
 *     } */
#include "trace/derive/derive.h"

/* the arguments that have a tangent in at least one leaf, in order */
static int moving_args(const derive *d, int *out)
{
	int n = 0;

	for (int w = 0; w < d->nwrt; w++) {
		const int first = leaf_of(d, d->wrt[w]);
		bool some = false;
		for (int i = first; i < first + leaves_of(d, d->wrt[w]); i++)
			some = some || (d->input[i] >= 0 && d->moves[d->input[i]]);
		if (some) out[n++] = d->wrt[w];
	}
	return n;
}

typedef struct side { /* the tangents of one side of a derivative, its inputs or its results:
                         groups of leaves, some of them absent */
	int ngroups, *count, n;
	bool *present;
	int *rank; /* of each leaf: its number among those present, in the order of the program */
} side;

static bool side_room(derive *d, side *s, int groups, int n)
{
	s->count = arena_array(d->g->scratch, (size_t)groups + 2, sizeof *s->count);
	s->present = arena_array(d->g->scratch, (size_t)n + 1, sizeof *s->present);
	s->rank = arena_array(d->g->scratch, (size_t)n + 1, sizeof *s->rank);
	return s->count && s->present && s->rank;
}

static bool inputs_side(derive *d, side *s)
{
	int args[TSR_MAX_ARGS];

	*s = (side){0};
	s->ngroups = moving_args(d, args);
	if (!side_room(d, s, s->ngroups, d->body.n)) return false;
	for (int k = 0; k < s->ngroups; k++) {
		const int first = leaf_of(d, args[k]);
		s->count[k] = leaves_of(d, args[k]);
		for (int i = first; i < first + s->count[k]; i++, s->n++) {
			const int in = d->input[i];
			s->present[s->n] = in >= 0 && d->moves[in];
			s->rank[s->n] = s->present[s->n] ? d->rank[in] : -1;
		}
	}
	return true;
}

/* all: results without any tangent are groups too, whose leaves are all absent */
static bool results_side(derive *d, side *s, const bool *moves_out, bool all)
{
	const traced *t = d->t;

	*s = (side){0};
	const int *rank = ranks(d->g->scratch, moves_out, d->p->nout);
	if (!rank || !side_room(d, s, nvalues(d), t->nout)) return false;
	for (int k = 0, at = 0; k < nvalues(d); at += t->shape.count[k++]) {
		bool some = all;
		for (int i = 0; i < t->shape.count[k]; i++) {
			const int o = t->out[at + i];
			const bool moves = o >= 0 && moves_out[o];
			s->present[s->n + i] = moves;
			s->rank[s->n + i] = moves ? rank[o] : -1;
			some = some || moves;
		}
		if (!some) continue;
		s->count[s->ngroups++] = t->shape.count[k];
		s->n += t->shape.count[k];
	}
	return true;
}

/* p with its inputs in the order of a call: first the residuals, then the leaves of `from` that are
 * present. p itself takes the residuals first or last, and the leaves by rank */
static program *as_fn(const program *p, int nresiduals, bool residuals_last, const side *from)
{
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	var *x = b ? arena_array(build_arena(b), (size_t)(p->nin + p->nout) + 1, sizeof *x) : NULL;
	const int first = residuals_last ? p->nin - nresiduals : 0;
	const int rest = residuals_last ? 0 : nresiduals;
	bool ok = x;

	for (int i = 0; ok && i < nresiduals; i++)
		ok = (x[first + i] = build_input(b, type_of(p, p->in[first + i]))).id;
	for (int i = 0; ok && i < from->n; i++) {
		if (!from->present[i]) continue;
		const int k = rest + from->rank[i];
		ok = (x[k] = build_input(b, type_of(p, p->in[k]))).id;
	}
	if (ok && build_inline(b, p, x, x + p->nin, NULL)) return build_end(b, x + p->nin, p->nout);
	build_abandon(b);
	return NULL;
}

static fn *linear_fn(derive *d, const program *p, int nresiduals, const side *from, const side *to)
{
	arena *a = d->g->scratch;
	int *nleaves = arena_array(a, (size_t)from->ngroups + 1, sizeof *nleaves);
	bool *present = arena_array(a, (size_t)(nresiduals + from->n) + 1, sizeof *present);
	program_form form = {.nargs = from->ngroups + 1,
	                     .nleaves = nleaves,
	                     .present = present,
	                     .nout = to->n,
	                     .out = to->rank,
	                     .results = {to->ngroups, to->count}};

	if (!nleaves || !present) return NULL;
	nleaves[0] = nresiduals;
	for (int i = 0; i < nresiduals; i++) present[i] = true;
	for (int k = 0; k < from->ngroups; k++) nleaves[k + 1] = from->count[k];
	for (int i = 0; i < from->n; i++) present[nresiduals + i] = from->present[i];
	fn key = {.kind = FN_TEXT, .name = d->g->fn->name, .given = {p, &form}};
	return fn_intern(d->g->fn->ctx, &key);
}

static void only_floating(const derive *d, bool *values)
{
	for (int r = 0; r < d->p->nout; r++)
		values[r] = values[r] && has_tangent(type_of(d->p, d->p->out[r])->dtype);
}

bool derive_linear(derive *d)
{
	const bool back = d->g->fn->kind == FN_VJP;
	bool *values = results_of(d, nvalues(d));
	bool *moves_out = arena_array(d->g->scratch, (size_t)d->p->nout + 1, sizeof *moves_out);
	halves h = {0};
	side inputs, results;

	if (!values || !moves_out) return false;
	only_floating(d, values);
	if (!pass_linearize(d->p, d->g->scratch, d->moves, values, values, &h, moves_out))
		return false;
	const int n = h.nresiduals, nmoving = d->rank[d->p->nin];
	program *linear = back ? pass_vjp(&h, d->g->scratch, nmoving, NULL) : NULL, *ordered = NULL;
	if ((!back || linear) && inputs_side(d, &inputs) &&
	    results_side(d, &results, moves_out, !back))
		ordered = back ? as_fn(linear, n, false, &results)
		               : as_fn(h.unknown, n, true, &inputs);
	d->t->linear = !ordered ? NULL
	               : back   ? linear_fn(d, ordered, n, &results, &inputs)
	                        : linear_fn(d, ordered, n, &inputs, &results);
	program_release(linear);
	program_release(ordered);
	bool ok = d->t->linear && groups_begin(d, body_leaves(d) + n, d->t->shape.n + 1);
	if (ok) {
		body_groups(d, 0, d->t->shape.n);
		group_open(d);
		for (int i = 0; i < n; i++) group_leaf(d, d->p->nout + i);
		program_retain(h.known);
		ok = give(d, h.known);
	}
	halves_free(&h);
	return ok;
}

/* computes no results of the body. The residuals are the inputs that are not transposed: what the
 * body reads besides its arguments */
bool derive_transpose(derive *d)
{
	const int nin = d->p->nin, n = nin - d->rank[nin];
	bool *values = results_of(d, nvalues(d));
	side inputs, results;

	if (values) only_floating(d, values);
	if (!values || !inputs_side(d, &inputs) || !results_side(d, &results, values, false))
		return false;
	program *back = pass_linear_transpose(d->p, d->moves, values, NULL);
	program *ordered = back ? as_fn(back, n, false, &results) : NULL;
	d->t->linear = ordered ? linear_fn(d, ordered, n, &results, &inputs) : NULL;
	program_release(back);
	program_release(ordered);
	if (!d->t->linear || !groups_begin(d, n, 1)) return false;
	build *b = build_begin(d->p->ir, d->p->name, d->p->axes, d->p->naxes);
	var *out = b ? arena_array(build_arena(b), (size_t)nin + 1, sizeof *out) : NULL;
	bool ok = out;
	group_open(d);
	for (int i = 0, k = 0; ok && i < nin; i++) {
		const var v = build_input(b, type_of(d->p, d->p->in[i]));
		ok = v.id;
		if (d->moves[i]) continue;
		group_leaf(d, k);
		out[k++] = v;
	}
	program *made = ok ? build_end(b, out, n) : NULL;
	if (!ok) build_abandon(b);
	return made && give(d, made);
}
