/* derive.c - traces derivatives of a body: it is traced as it is, and its program is transformed.
 *
 * Each result of the call is a group of leaves; a leaf without a derivative is absent. A jvp takes
 * the arguments of the body, and then one tangent for each argument in .wrt.
 *
 * Example:
 *
 *     static tsr *wave(tsr *x) { return tsr_mul(tsr_sin(x), 3); }
 *     tsr_jvp(ctx, wave)
 *
 * The second argument is the tangent of the first, and the second result that of the first:
 *
 *     wave(%0: f32[4], %1: f32[4]) -> f32[4], f32[4] {
 *       %2: f32[4] = sin %0
 *       %3: f32[4] = mul %2 3.0:f32
 *       %4: f32[4] = cos %0
 *       %5: f32[4] = mul %1 %4
 *       %6: f32[4] = mul %5 3.0:f32
 *       return %3 %6
 *     } */
#include "trace/derive/derive.h"

bool fail_derive(derive *d, tsr_code code, const char *format, ...)
{
	va_list list;

	d->told = true;
	va_start(list, format);
	vfail(&d->g->fn->ctx->base, d->g->where, code, format, list);
	va_end(list);
	return false;
}

static const char *kind_name(fn_kind kind)
{
	switch (kind) {
	case FN_JVP: return "jvp";
	case FN_GRAD: return "grad";
	case FN_VALUE_AND_GRAD: return "value_and_grad";
	case FN_JACFWD: return "jacfwd";
	case FN_JACREV: return "jacrev";
	case FN_LINEARIZE: return "linearize";
	case FN_VJP: return "vjp";
	case FN_LINEAR_TRANSPOSE: return "linear_transpose";
	default: return "fn";
	}
}

const char *derive_name(const derive *d) { return kind_name(d->g->fn->kind); }

static bool trace_inner(derive *d)
{
	tracing g = *d->g;
	int n = 0;

	g.args = &d->body;
	if (!trace_body(&g, d->t) || !(d->p = pass_inline(d->t->program))) return false;
	if (nvalues(d) > d->t->shape.n)
		return fail_derive(d, TSR_ERROR_ARGUMENT, "%s of '%s': .has_aux needs a result",
		                   derive_name(d), g.fn->name);
	d->input = arena_array(g.scratch, (size_t)d->body.n + 1, sizeof *d->input);
	d->moves = arena_array(g.scratch, (size_t)d->p->nin + 1, sizeof *d->moves);
	if (!d->input || !d->moves) return false;
	for (int i = 0; i < d->body.n; i++) {
		d->input[i] = d->g->types[i] ? n++ : -1;
		if (d->moving[i]) d->moves[d->input[i]] = true;
	}
	return (d->rank = ranks(g.scratch, d->moves, d->p->nin));
}

/* ---- results: groups of leaves */

bool groups_begin(derive *d, int leaves_at_most, int groups_at_most)
{
	d->out = arena_array(d->t->arena, (size_t)leaves_at_most + 1, sizeof *d->out);
	d->count = arena_array(d->t->arena, (size_t)groups_at_most + 1, sizeof *d->count);
	return d->out && d->count;
}

void group_open(derive *d) { d->count[d->ngroups++] = 0; }
void group_leaf(derive *d, int result)
{
	d->out[d->nout++] = result;
	d->count[d->ngroups - 1]++;
}

/* results [first, n) of the body as they are */
void body_groups(derive *d, int first, int n)
{
	const traced *t = d->t;

	for (int k = 0, at = 0; k < n; at += t->shape.count[k++]) {
		if (k < first) continue;
		group_open(d);
		for (int i = 0; i < t->shape.count[k]; i++) group_leaf(d, t->out[at + i]);
	}
}

/* one group for each argument in .wrt. The derivatives are the results from `first` on, one for
 * each input that moves */
static void wrt_groups(derive *d, int first)
{
	for (int w = 0; w < d->nwrt; w++) {
		const int leaf = leaf_of(d, d->wrt[w]), n = leaves_of(d, d->wrt[w]);
		group_open(d);
		for (int i = leaf; i < leaf + n; i++) {
			const int in = d->input[i];
			group_leaf(d, in >= 0 && d->moves[in] ? first + d->rank[in] : -1);
		}
	}
}

/* the program without the results that no leaf needs; all inputs stay */
static program *only_given(derive *d, program *made)
{
	bool *used = arena_array(d->g->scratch, (size_t)made->nout + 1, sizeof *used);
	int *rank = arena_array(d->g->scratch, (size_t)made->nout + 1, sizeof *rank), n = 0;

	if (!used || !rank) return NULL;
	for (int i = 0; i < d->nout; i++)
		if (d->out[i] >= 0) used[d->out[i]] = true;
	for (int r = 0; r < made->nout; r++) {
		rank[r] = n;
		n += used[r];
	}
	for (int i = 0; i < d->nout; i++)
		if (d->out[i] >= 0) d->out[i] = rank[d->out[i]];
	return pass_prune(made, used, NULL);
}

bool give(derive *d, program *made)
{
	program *pruned = only_given(d, made);

	program_release(made);
	if (!pruned) return false;
	program_release(d->t->program);
	d->t->program = pruned;
	d->t->out = d->out;
	d->t->nout = d->nout;
	d->t->shape = (result_shape){d->ngroups, d->count};
	return true;
}

int body_leaves(const derive *d) { return d->t->nout; }

/* how many results are differentiated; those behind them are passed on */
int nvalues(const derive *d)
{
	const int given = d->g->fn->derive.nvalues;

	return given ? given : d->t->shape.n;
}

/* which results of the body's program belong to the first `groups` groups */
bool *results_of(const derive *d, int groups)
{
	const traced *t = d->t;
	bool *are = arena_array(d->g->scratch, (size_t)d->p->nout + 1, sizeof *are);

	for (int k = 0, at = 0; are && k < groups; at += t->shape.count[k++])
		for (int i = 0; i < t->shape.count[k]; i++)
			if (t->out[at + i] >= 0) are[t->out[at + i]] = true;
	return are;
}

/* ---- grad, value_and_grad */

/* is a differentiated result of a dtype that has the derivative? */
static bool check_result(derive *d, tsr_dtype dtype)
{
	const fn *fn = d->g->fn;
	const bool complex = fn->derive.holomorphic;

	if (dtype_kind(dtype) == (complex ? KIND_COMPLEX : KIND_FLOAT)) return true;
	return fail_derive(d, TSR_ERROR_TYPE,
	                   complex ? "%s with .holomorphic requires outputs with complex dtype, "
	                             "but '%s' gives %s"
	                           : "%s requires real-valued outputs (a floating dtype), but "
	                             "'%s' gives %s",
	                   derive_name(d), fn->name, tsr_dtype_name(dtype));
}

static bool check_loss(derive *d)
{
	const fn *fn = d->g->fn;
	const traced *t = d->t;

	if (t->shape.n < 1 || t->shape.count[0] != 1 || t->out[0] < 0 ||
	    (t->shape.n > 1 && !fn->derive.nvalues))
		return fail_derive(d, TSR_ERROR_ARGUMENT,
		                   "Gradient only defined for functions of one scalar result; '%s' "
		                   "returns %d%s",
		                   fn->name, t->shape.n,
		                   fn->derive.nvalues ? ", the first of which is not one handle"
		                               : " (.has_aux lets those after the first pass)");
	const type *y = type_of(d->p, d->p->out[t->out[0]]);
	if (y->ndim) {
		str s = {.base = &fn->ctx->base};
		type_text(&s, y, d->p->axes, d->p->naxes);
		fail_derive(d, TSR_ERROR_TYPE,
		            "Gradient only defined for scalar-output functions. Output of '%s' had "
		            "type %s: reduce it, with tsr_sum or tsr_mean%s",
		            fn->name, s.s ? s.s : "?",
		            y->size == 1 ? ", or tsr_reshape to ()" : "");
		str_free(&s);
		return false;
	}
	return check_result(d, y->dtype);
}

static bool derive_grad(derive *d)
{
	if (!check_loss(d) || !groups_begin(d, body_leaves(d) + d->body.n, d->t->shape.n + d->nwrt))
		return false;
	program *made = pass_grad(d->p, d->moves, d->t->out[0]);
	if (!made) return false;
	const bool value = d->g->fn->kind == FN_VALUE_AND_GRAD;
	if (value) body_groups(d, 0, d->t->shape.n);
	wrt_groups(d, d->p->nout);
	if (!value) body_groups(d, 1, d->t->shape.n);
	return give(d, made);
}

/* ---- jacobians: one group for each pair of a value and an argument. It has a leaf for each pair
 * of their leaves: (y0, x0), (y0, x1), (y1, x0), (y1, x1) */

/* rank[r]: how many results of p in front of r are differentiated */
static void jacobian_groups(derive *d, const int *rank)
{
	const traced *t = d->t;
	const int nmoving = d->rank[d->p->nin];

	for (int k = 0, at = 0; k < nvalues(d); at += t->shape.count[k++])
		for (int w = 0; w < d->nwrt; w++) {
			const int leaf = leaf_of(d, d->wrt[w]);
			group_open(d);
			for (int j = 0; j < t->shape.count[k]; j++)
				for (int i = leaf; i < leaf + leaves_of(d, d->wrt[w]); i++) {
					const int o = t->out[at + j], in = d->input[i];
					group_leaf(d, o < 0 || in < 0 || !d->moves[in]
					                      ? -1
					                      : d->p->nout + rank[o] * nmoving +
					                                d->rank[in]);
				}
		}
}

static bool derive_jacobian(derive *d)
{
	const bool *values = results_of(d, nvalues(d));

	if (!values || !groups_begin(d, body_leaves(d) * (d->body.n + 1),
	                             d->t->shape.n + nvalues(d) * d->nwrt))
		return false;
	for (int r = 0; r < d->p->nout; r++)
		if (values[r] && !check_result(d, type_of(d->p, d->p->out[r])->dtype)) return false;
	const int *rank = ranks(d->g->scratch, values, d->p->nout);
	program *made =
		!rank ? NULL : pass_jacobian(d->p, d->moves, values, d->g->fn->kind == FN_JACREV);
	if (!made) return false;
	jacobian_groups(d, rank);
	body_groups(d, nvalues(d), d->t->shape.n);
	return give(d, made);
}

/* ---- jvp: results, then their tangents */

/* to[i]: the input of the jvp that leaf i of the call becomes; -1: none. The call takes tangents
 * behind the arguments of the body. The jvp takes them behind all inputs, captures included */
static void find_inputs(const derive *d, int *to)
{
	for (int i = 0; i < d->g->args->n; i++) to[i] = i < d->body.n ? d->input[i] : -1;
	for (int w = 0; w < d->nwrt; w++)
		for (int k = 0; k < leaves_of(d, d->wrt[w]); k++) {
			const int in = d->input[leaf_of(d, d->wrt[w]) + k];
			if (in >= 0 && d->moves[in])
				to[leaf_of(d, d->body.nargs + w) + k] = d->p->nin + d->rank[in];
		}
}

static program *order_inputs(derive *d, const program *jvp)
{
	const leaves *all = d->g->args;
	build *b = build_begin(jvp->ir, jvp->name, jvp->axes, jvp->naxes);
	var *x = b ? arena_array(build_arena(b), (size_t)(jvp->nin + jvp->nout) + 1, sizeof *x)
	           : NULL;
	int *to = arena_array(d->g->scratch, (size_t)all->n + 1, sizeof *to);
	int at = 0; /* inputs behind those of leaves: captures, and what was lifted */
	bool ok = x && to;

	if (ok) find_inputs(d, to);
	for (int i = 0; ok && i < all->n; i++) {
		if (!d->g->types[i]) continue;
		const var v = build_input(b, d->g->types[i]);
		ok = v.id;
		if (i < d->body.n) at++;
		if (!ok || to[i] < 0) continue;
		const type *t = type_of(jvp, jvp->in[to[i]]);
		const var dx = emit_as(b, v, etype_of(t));
		ok = !build_failed(b) &&
		     (x[to[i]] = build_vary(b, dx, t->varying, d->g->where)).id;
	}
	for (; ok && at < d->p->nin; at++)
		ok = (x[at] = build_input(b, type_of(jvp, jvp->in[at]))).id;
	var *y = ok ? x + jvp->nin : NULL;
	if (ok && build_inline(b, jvp, x, y, NULL)) return build_end(b, y, jvp->nout);
	build_abandon(b);
	return NULL;
}

/* for each value the group of its tangents, absent where it does not move */
static bool tangent_groups(derive *d, const bool *moves_out)
{
	const int *rank = ranks(d->g->scratch, moves_out, d->p->nout);
	const traced *t = d->t;

	if (!rank) return false;
	for (int k = 0, at = 0; k < nvalues(d); at += t->shape.count[k++]) {
		group_open(d);
		for (int i = 0; i < t->shape.count[k]; i++) {
			const int o = t->out[at + i];
			group_leaf(d, o >= 0 && moves_out[o] ? d->p->nout + rank[o] : -1);
		}
	}
	return true;
}

static bool derive_jvp(derive *d)
{
	bool *values = results_of(d, nvalues(d));
	bool *moves_out = arena_array(d->g->scratch, (size_t)d->p->nout + 1, sizeof *moves_out);

	if (!values || !moves_out || !groups_begin(d, 2 * body_leaves(d), 2 * d->t->shape.n))
		return false;
	for (int r = 0; r < d->p->nout; r++)
		values[r] = values[r] && has_tangent(type_of(d->p, d->p->out[r])->dtype);
	program *jvp = pass_jvp(d->p, d->moves, values, moves_out);
	program *made = jvp ? order_inputs(d, jvp) : NULL;
	program_release(jvp);
	if (!made) return false;
	body_groups(d, 0, nvalues(d));
	if (!tangent_groups(d, moves_out)) {
		program_release(made);
		return false;
	}
	body_groups(d, nvalues(d), d->t->shape.n);
	return give(d, made);
}

static bool transform(derive *d)
{
	switch (d->g->fn->kind) {
	case FN_GRAD:
	case FN_VALUE_AND_GRAD: return derive_grad(d);
	case FN_JACFWD:
	case FN_JACREV: return derive_jacobian(d);
	case FN_JVP: return derive_jvp(d);
	case FN_LINEAR_TRANSPOSE: return derive_transpose(d);
	default: return derive_linear(d);
	}
}

/* the arguments are checked as far as possible before the body runs */
bool trace_derived(const tracing *g, traced *t)
{
	derive d = {.g = g, .t = t};
	base *bs = &g->fn->ctx->base;
	const bool failed_before = failed(bs);
	bool ok = read_moving(&d) && trace_inner(&d);

	if (ok && !(ok = transform(&d)) && !d.told && !failed_before)
		fail_note(bs, "in %s of %s, called at %s", derive_name(&d), g->fn->name,
		          g->where ? base_name(g->where) : "an unknown place");
	program_release(d.p);
	return ok;
}
