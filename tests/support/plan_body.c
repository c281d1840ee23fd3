/* plan_body.c - a drawn plan as a body that runs it through the library. */
#include "support/exchange.h"
#include "support/plan.h"
#include <stdio.h>
#include <string.h>

/* ---- one step through the library */

static int dim_as(const step *s, int dim, int ndim)
{
	return s->negative ? dim - ndim : dim;
}

static tsr_dims dims_from(const int64_t *dim, int n)
{
	tsr_dims dims = {.d = {1 + n}};
	memcpy(dims.d + 1, dim, (size_t)n * sizeof *dim);
	return dims;
}

static tsr *run_transpose(const step *s, tsr *a)
{
	tsr_dims perm = {.d = {1 + tsr_ndim(a)}};
	for (int d = 0; d < tsr_ndim(a); d++)
		perm.d[1 + d] = dim_as(s, s->perm[d], tsr_ndim(a));
	return tsr_transpose(a, .perm = perm);
}

/* what parts of a sum of products are as bools is not what the sum is as one */
static tsr *run_product(const plan *p, const step *s, tsr *a, tsr *b)
{
	const tsr_dtype dtype = (tsr_dtype)p->dtype;
	return s->flag ? tsr_astype(tsr_dot(a, b, .dtype = TSR_BOOL), dtype) : tsr_dot(a, b);
}

static tsr *run_local(const plan *p, const step *s, tsr *a, tsr *b)
{
	const int n = tsr_ndim(a);
	const int dim = dim_as(s, s->dim, s->op == OP_EXPAND ? n + 1 : n);
	const tsr_dims dims = TSR_DIMS(dim);
	switch (s->op) {
	case OP_NEG: return tsr_neg(a);
	case OP_RELU: return tsr_relu(a);
	case OP_SCALE: return tsr_add(tsr_mul(a, s->k), 1);
	case OP_REM: return tsr_rem(a, s->k);
	case OP_FLIP: return tsr_flip(a, dims);
	case OP_TRANSPOSE: return run_transpose(s, a);
	case OP_RAVEL: return tsr_ravel(a);
	case OP_SUM: return tsr_sum(a, .dims = dims, .keep = s->flag);
	case OP_MAX: return tsr_max(a, .dims = dims, .keep = s->flag);
	case OP_CONCAT: return tsr_concatenate(dim, a, b);
	case OP_SLICE: return tsr_slice(a, dim, s->start, s->stop);
	case OP_DOT: return run_product(p, s, a, b);
	case OP_GRAM: return run_product(p, s, tsr_t(a), a);
	case OP_ADD: return tsr_add(a, b);
	case OP_EXPAND: return tsr_expand_dims(a, TSR_DIMS(dim));
	case OP_CONST: return tsr_full(a, dims_from(s->dims, s->ndim), s->k,
		                              .dtype = (tsr_dtype)p->dtype);
	default: return tsr_copy(a);
	}
}

/* ---- bodies and maps */

static void run_region(tsr_frame *);

tsr_fn *plan_map(const plan *p, int level)
{
	char in[PLAN_ARGS][ORACLE_NDIM][16], to[PLAN_OUTS][ORACLE_NDIM][16], manual[16];
	const region *r = &p->region[level];
	tsr_spec in_spec[PLAN_ARGS], out_spec[PLAN_OUTS];
	plan copy;
	memcpy(&copy, p, sizeof copy);
	copy.level = level;
	tsr_shard_map_args a = {.size = sizeof a, .env = &copy, .env_size = sizeof copy,
		.unchecked = r->unchecked, .axes = axes_text(&r->manual, manual)};
	for (int k = 0; k < r->nin; k++) {
		in_spec[k] = cut_spec(&r->in[k], in[k]);
		a.in[k] = (tsr_specs){.count = 1, .leaf = &in_spec[k]};
	}
	for (int k = 0; k < r->nout; k++) {
		out_spec[k] = cut_spec(&r->to[k], to[k]);
		a.out[k] = (tsr_specs){.count = 1, .leaf = &out_spec[k]};
	}
	tsr_mesh *mesh = (tsr_mesh *)(uintptr_t)p->mesh;
	return tsr_shard_map_at(TSR_HERE, mesh, TSR_BODY(run_region), "region", &a);
}

static tsr *run_nested(const plan *p, const step *s, tsr *a, tsr *b)
{
	tsr_fn *f = plan_map(p, s->region);
	return p->region[s->region].nin == 2 ? tsr_call(f, a, b) : tsr_call(f, a);
}

static void check_varying(const plan *p, const region *r, int value, tsr *x)
{
	char text[96];
	for (int k = 0; k < p->grid.naxes; k++) {
		const char name[] = {"xyz"[k], 0};
		if (!(r->bound >> k & 1) || tsr_varying(x, name) == (r->varying[value] >> k & 1))
			continue;
		snprintf(text, sizeof text, "value %d: varies over %s: %d in the library", value,
		         name, (int)tsr_varying(x, name));
		tsr_fail(x, text);
	}
}

static void run_region(tsr_frame *frame)
{
	const plan *p = tsr_frame_env(frame);
	const region *r = &p->region[p->level];
	tsr *value[PLAN_VALUES] = {0};
	tsr_arg out[PLAN_OUTS];
	for (int k = 0; k < r->nin; k++)
		value[k] = tsr_frame_arg(frame, (size_t)k);
	for (int k = 0; k < r->nsteps; k++) {
		const step *s = &r->step[k];
		tsr *a = value[s->a], *b = value[s->b], **to = &value[r->nin + k];
		if (s->op == OP_EXCHANGE)
			*to = exchange_run(&p->grid, &s->ex, s->negative, a, (tsr_dtype)p->dtype);
		else if (s->op == OP_NESTED)
			*to = run_nested(p, s, a, b);
		else if (s->op == OP_CAST) {
			char text[16];
			*to = tsr_pcast(a, axes_text(&s->over, text), .to = TSR_TO_VARYING);
		} else
			*to = run_local(p, s, a, b);
		if (p->exact && !r->unchecked)
			check_varying(p, r, r->nin + k, *to);
	}
	for (int k = 0; k < r->nout; k++)
		out[k] = TSR_ARG(value[r->out[k]]);
	tsr_return_at(TSR_HERE, frame, out, (size_t)r->nout);
}
