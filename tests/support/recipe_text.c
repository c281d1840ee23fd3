/* recipe_text.c - the text of a recipe, for people and tests/peer/run_jax.py: one line a step,
 * "results = operation key=value ...". Lists are joined by commas, axes by '*', groups by '/'. */
#include "support/recipe.h"

static const char *const op_names[OP_EXCHANGE] = {
	"neg",       "sin",           "cos",
	"tanh",      "logistic",      "exp",
	"square",    "cube",          "abs",
	"relu",      "log1p_square",  "sqrt1",
	"affine",    "copy",          "rem",
	"add",       "sub",           "mul",
	"ratio",     "maximum",       "minimum",
	"pick",      "sum",           "mean",
	"max",       "prod",          "logsumexp",
	"cumsum",    "sort_by",       "dot",
	"dot_general", "transpose",
	"reshape",   "flip",          "expand",
	"squeeze",   "broadcast",     "concat",
	"stack",     "slice",         "pad",
	"dynamic_slice", "dynamic_update", "iota",
	"full",      "pcast",         "constrain",
	"key",       "split",         "fold_in",
	"key_at",    "random_bits",   "uniform",
	"normal",
};
static const char *const exchange_names[EX_COUNT] = {
	"psum",         "pmean",      "pmax",      "pmin",     "all_gather",
	"psum_scatter", "all_to_all", "pswapaxes", "ppermute", "pshuffle",
	"pbroadcast",   "ragged",     "axis_index"};
static const char *const nest_names[NEST_COUNT] = {"jit", "vmap", "grad", "value_and_grad",
                                                   "jvp", "scan", "cond", "shard_map", "pmap",
                                                   "remat", "custom_jvp", "custom_vjp"};

const char *nest_name(nest_kind k) { return nest_names[k]; }

typedef struct writer {
	const recipe *r;
	FILE *to;
} writer;

static void put_list(const writer *w, const char *key, const int *v, int n)
{
	fprintf(w->to, " %s=", key);
	for (int i = 0; i < n; i++) {
		if (i) fputc(',', w->to);
		if (v[i] == RECIPE_UNMAPPED)
			fputc('-', w->to);
		else
			fprintf(w->to, "%d", v[i]);
	}
}

static void put_axes(const writer *w, const axis_list *a)
{
	for (int i = 0; i < a->n; i++)
		fprintf(w->to, "%s%c", i ? "*" : "", w->r->axis[a->at[i]].name);
	if (!a->n) fputc('-', w->to);
}

static void put_form(const writer *w, const form *f)
{
	fputs(f->key ? "key[" : "[", w->to);
	for (int d = 0; d < f->ndim; d++) fprintf(w->to, "%s%d", d ? "," : "", f->dim[d]);
	fputc(']', w->to);
}

static void put_splits(const writer *w, const char *key, const split *cut, int n)
{
	fprintf(w->to, " %s=", key);
	for (int k = 0; k < n; k++) {
		if (k) fputc(';', w->to);
		for (int d = 0; d < cut[k].n; d++) {
			if (d) fputc(',', w->to);
			put_axes(w, &cut[k].dim[d]);
		}
	}
}

static void put_exchange(const writer *w, const exchange *e)
{
	fputs(" over=", w->to);
	put_axes(w, &e->over);
	if (e->ngroups) {
		fputs(" groups=", w->to);
		for (int g = 0, at = 0; g < e->ngroups; g++) {
			if (g) fputc('/', w->to);
			for (int i = 0; i < e->group_size[g]; i++)
				fprintf(w->to, "%s%d", i ? "," : "", e->member[at++]);
		}
	}
	if (e->kind == EX_RAGGED) put_list(w, "rows", e->rows, RECIPE_DEVICES * RECIPE_DEVICES);
	if (e->nsource) put_list(w, "source", e->source, e->nsource);
	fprintf(w->to, " at=%d to=%d tiled=%d", e->at, e->to, e->tiled);
	if (e->invarying) fputs(" invarying=1", w->to);
}

static void put_nest(const writer *w, const nest *n, int nout)
{
	static const char *const how[] = {"argument", "capture", "lifted"};

	put_list(w, "region", n->region, 1 + (n->kind == NEST_COND));
	put_list(w, "arg", n->arg, n->nargs);
	fputs(" as=", w->to);
	for (int k = 0; k < n->nargs; k++) fprintf(w->to, "%s%s", k ? "," : "", how[n->as[k]]);
	if (n->tree) fputs(" tree=1", w->to);
	if (n->other) fputs(" other=1", w->to);
	switch (n->kind) {
	case NEST_PMAP:
	case NEST_VMAP:
		put_list(w, "in", n->in_at, n->nargs);
		put_list(w, "out", n->out_at, nout);
		fprintf(w->to, " size=%d", w->r->axis[n->axis].size);
		if (w->r->axis[n->axis].name && !n->anonymous)
			fprintf(w->to, " axis=%c", w->r->axis[n->axis].name);
		break;
	case NEST_GRAD:
	case NEST_VALUE_AND_GRAD: put_list(w, "wrt", n->wrt, n->nwrt); break;
	case NEST_JVP:
		put_list(w, "wrt", n->wrt, n->nwrt);
		put_list(w, "tangent", n->tangent, n->nwrt);
		break;
	case NEST_SCAN:
		fprintf(w->to, " carry=%d length=%d reverse=%d unroll=%d", n->ncarry, n->length,
		        n->reverse, n->unroll);
		break;
	case NEST_COND: fprintf(w->to, " pred=%d k=%.17g", n->pred, n->k); break;
	case NEST_SHARD_MAP:
		fputs(" axes=", w->to);
		put_axes(w, &n->manual);
		put_splits(w, "in", n->in, n->nargs);
		put_splits(w, "out", n->to, nout);
		fprintf(w->to, " unchecked=%d", n->unchecked);
		break;
	default: break;
	}
}

static void put_local(const writer *w, const step *s, const form *made)
{
	static const op list_of_dims[] = {OP_SUM,  OP_MEAN,      OP_MAX,
	                                  OP_PROD, OP_LOGSUMEXP, OP_TRANSPOSE};
	static const op sized[] = {OP_RESHAPE, OP_BROADCAST, OP_IOTA, OP_FULL};

	put_list(w, "x", s->in, s->nin);
	for (size_t i = 0; i < sizeof list_of_dims / sizeof(op); i++)
		if (s->op == list_of_dims[i]) put_list(w, "dims", s->dims, s->ndims);
	for (size_t i = 0; i < sizeof sized / sizeof(op); i++)
		if (s->op == sized[i]) put_list(w, "to", made->dim, made->ndim);
	if (s->op >= OP_SUM && s->op <= OP_LOGSUMEXP) fprintf(w->to, " keep=%d", s->keep);
	if (s->op == OP_AFFINE) fprintf(w->to, " k=%g k2=%g", s->k, s->k2);
	if (s->op == OP_FULL || s->op == OP_PAD || s->op == OP_REM) fprintf(w->to, " k=%g", s->k);
	if (s->op == OP_DOT_GENERAL)
		fprintf(w->to, " contract=%d,%d batch=%s%d,%d", s->at, s->to, s->keep ? "" : "-",
		        s->stop, s->stride);
	else if (s->op >= OP_FLIP && s->op <= OP_IOTA)
		fprintf(w->to, " at=%d", s->at);
	if ((s->op == OP_DOT || s->op == OP_DOT_GENERAL) && s->k != 0)
		fputs(s->k == 1 ? " whole" : " truth", w->to);
	if (s->op == OP_CUMSUM || s->op == OP_SORT_BY)
		fprintf(w->to, " at=%d keep=%d", s->at, s->keep);
	if (s->op >= OP_SLICE && s->op <= OP_DYNAMIC_UPDATE)
		fprintf(w->to, " start=%d stop=%d stride=%d", s->start, s->stop, s->stride);
	if (s->axis >= 0 && (s->op == OP_DYNAMIC_SLICE || s->op == OP_DYNAMIC_UPDATE))
		fprintf(w->to, " index=%c", w->r->axis[s->axis].name);
	if (s->op == OP_PCAST) {
		fputs(" over=", w->to);
		put_axes(w, &s->ex.over);
	}
	if (s->op == OP_CONSTRAIN) put_splits(w, "to", &s->cut, 1);
}

static void put_random(const writer *w, const step *s, const form *made)
{
	put_list(w, "x", s->in, s->nin);
	put_list(w, "to", made->dim, made->ndim);
	fprintf(w->to, " start=%d stop=%d keep=%d at=%d whole=%d", s->start, s->stop, s->keep,
	        s->at, s->to);
	if (s->nin > 1) fprintf(w->to, " k=%.17g", s->k);
	if (s->axis >= 0) fprintf(w->to, " index=%c", w->r->axis[s->axis].name);
}

static void put_step(const writer *w, const region *g, const step *s)
{
	fputs("  ", w->to);
	for (int k = 0; k < s->nout; k++) {
		fprintf(w->to, "%s%d:", k ? " " : "", s->first + k);
		put_form(w, &g->value[s->first + k]);
	}
	if (s->op == OP_NEST) {
		fprintf(w->to, " = %s", nest_names[s->nest.kind]);
		put_nest(w, &s->nest, s->nout);
	} else if (s->op == OP_EXCHANGE) {
		fprintf(w->to, " = %s", exchange_names[s->ex.kind]);
		put_list(w, "x", s->in, s->nin);
		put_exchange(w, &s->ex);
	} else {
		fprintf(w->to, " = %s", op_names[s->op]);
		if (s->op >= OP_KEY)
			put_random(w, s, &g->value[s->first]);
		else
			put_local(w, s, &g->value[s->first]);
	}
	if (s->negative) fputs(" negative=1", w->to);
	fputc('\n', w->to);
}

void recipe_print(const recipe *r, FILE *to)
{
	const writer w = {r, to};

	fprintf(to, "recipe seed=%llu jit=%d twice=%d", (unsigned long long)r->seed, r->jit,
	        r->twice);
	for (int k = 0; k < r->region[0].nin; k++) {
		const char key[] = {'p', 'u', 't', (char)('0' + k), 0};
		if (r->put[k]) put_splits(&w, key, &r->place[k], 1);
	}
	fputs("\nmesh", to);
	put_list(&w, "devices", r->device, RECIPE_DEVICES);
	for (int k = 0; k < r->nmesh; k++) fprintf(to, " %c=%d", r->axis[k].name, r->axis[k].size);
	fputc('\n', to);
	for (int k = 0; k < r->nregions; k++) {
		const region *g = &r->region[k];
		fprintf(to, "region %d%s", k, g->bare ? " bare" : "");
		for (int i = 0; i < g->nin; i++) {
			fprintf(to, " %d:", i);
			put_form(&w, &g->value[i]);
		}
		fputc('\n', to);
		for (int i = 0; i < g->nsteps; i++) put_step(&w, g, &g->step[i]);
		put_list(&w, " return", g->out, g->nout);
		fputc('\n', to);
	}
}
