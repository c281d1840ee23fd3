/* params.c - trees of parameters, drawn where they are to be.
 *
 * The table of a tree becomes the .env of a fn, whose one result is a tree of all leaves, and its
 * specs are the fn's .out. So the partitioner cuts each initialiser as its leaf is cut: a sampler
 * makes the numbers of any part from the key and the part's place alone. With 2 devices along "x"
 *
 *     {{D(4, 6), tsr_init_normal, P("x")}, {D(6), tsr_init_zeros}}
 *
 * is a program in which each device draws [2, 6] and fills [6], and which exchanges nothing. */
#include "lib/lib.h"
#include "lib/random/draw.h"

/* What the body must know: plain bytes, in which equal tables are equal */
typedef struct recipe {
	const tsr_tree_type *type; /* for what errors say */
	int64_t n;
	struct one {
		tsr_dims dims;
		tsr_initializer *init;
	} each[];
} recipe;

/* ---- in the body */

/* The leaf that an initialiser gave. NULL: recorded */
static tsr *checked_leaf(const call_site *site, tsr *y, const struct one *p)
{
	call_site own = *site;

	if (!y) return refuse_op(site, TSR_ERROR_HANDLE, "an initialiser returned NULL");
	if (!operands_check(&own, &y, 1)) return poison_of(site->ctx);
	const type *t = handle_type(y);
	const int n = dims_count(&p->dims);
	if (t->ndim == n && !memcmp(t->dims, dims_of(&p->dims), (size_t)n * sizeof *t->dims))
		return y;
	str wanted = {.base = &site->ctx->base};
	str_dims(&wanted, dims_of(&p->dims), n);
	y = refuse_op(site, TSR_ERROR_TYPE, "an initialiser made %s, and not [%s]",
	              tsr_type_text(y), wanted.s ? wanted.s : "?");
	str_free(&wanted);
	return y;
}

static tsr *make_leaf(const call_site *site, const recipe *r, int64_t k, tsr *key)
{
	const struct one *p = &r->each[k];

	key = tsr_fold_in_at(site->where, key, tsr_arg_int(k));
	tsr *y = checked_leaf(site, p->init(key, p->dims), p);
	if (handle_is_poison(y)) note_leaf(site->ctx, r->type, (size_t)k);
	return y;
}

static void make_leaves(tsr_frame *f)
{
	const call_site site = {tsr_frame_ctx(f), NULL, f->fn->name};
	const recipe *r = tsr_frame_env(f);
	tsr *key = tsr_frame_arg_at(NULL, f, 0);
	tsr **leaf = arena_array(f->arena, (size_t)r->n + 1, sizeof *leaf);
	bool ok = leaf;

	for (int64_t k = 0; ok && k < r->n; k++)
		ok = !handle_is_poison(leaf[k] = make_leaf(&site, r, k, key));
	if (!ok) leaf = NULL;
	const tsr_arg one = tsr_arg_one(poison_of(site.ctx));
	const tsr_arg all = tsr_arg_tree((tsr_tree){.leaf = leaf, .count = (size_t)r->n});
	tsr_return_at(NULL, f, ok ? &all : &one, 1);
}

/* ---- the call */

static bool table_ok(const call_site *site, tsr_tree to, const tsr_param *params, size_t n)
{
	if (n != to.count)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "the table has %zu entries, and the tree %zu leaves", n, to.count);
	if (n && (!params || !to.leaf))
		return fail_op(site, TSR_ERROR_ARGUMENT, "%s",
		               params ? "the tree has leaves and no memory of them"
		                      : "the table is NULL");
	for (size_t k = 0; k < n; k++) {
		if (!dims_ok(site, "dims", &params[k].dims, true)) return false;
		if (!params[k].init)
			return fail_op(site, TSR_ERROR_ARGUMENT,
			               "entry %zu of the table has no initialiser", k);
	}
	return true;
}

/* does a spec name an axis? */
static bool is_cut(const tsr_spec *s)
{
	for (int64_t i = 1; i < s->n1 && i <= TSR_MAX_NDIM; i++)
		if (s->d[i] && strcmp(s->d[i], "-") != 0) return true;
	return false;
}

/* The mesh, where one is given, in use, or needed. false: recorded */
static bool mesh_read(const call_site *site, const tsr_param *params, size_t n,
                      const tsr_mesh *given, const mesh **out)
{
	bool needed = given;

	for (size_t k = 0; k < n; k++) needed = needed || is_cut(&params[k].spec);
	if (!needed && !mesh_meant(site->ctx, NULL)) return *out = NULL, true;
	return (*out = mesh_found(site->where, site->op, site->ctx, given));
}

static recipe *recipe_make(arena *a, const tsr_tree_type *type, const tsr_param *params, size_t n)
{
	recipe *r = arena_alloc(a, sizeof *r + n * sizeof *r->each);

	if (!r) return NULL;
	*r = (recipe){type, (int64_t)n};
	for (size_t k = 0; k < n; k++) {
		struct one *p = &r->each[k];
		*p = (struct one){.init = params[k].init};
		memcpy(p->dims.d, params[k].dims.d,
		       (size_t)params[k].dims.d[0] * sizeof *params[k].dims.d);
	}
	return r;
}

/* by one call of a fn, which is given up behind it: few programs draw their parameters twice */
static bool make_all(const call_site *site, arena *a, tsr_tree to, tsr *key, const mesh *over,
                     const tsr_param *params)
{
	const size_t n = to.count;
	recipe *r = recipe_make(a, to.type, params, n);
	tsr_spec *specs = arena_array(a, n + 1, sizeof *specs);

	if (!r || !specs) return false;
	for (size_t k = 0; k < n; k++)
		specs[k] = params[k].spec.n1 ? params[k].spec : (tsr_spec)TSR_SPEC();
	tsr_jit_args how = {.size = sizeof how,
	                    .name = site->op,
	                    .env = r,
	                    .env_size = sizeof *r + n * sizeof *r->each,
	                    .env_mask = env_of_library,
	                    .mesh = over};
	if (over) how.out[0] = (tsr_specs){.count = (int64_t)n, .leaf = specs};
	const tsr_body body = {.form = TSR_FORM_FRAME, .raw = (tsr_raw)make_leaves};
	tsr_fn *fn = tsr_jit_at(site->where, site->ctx, body, site->op, &how);
	const tsr_out out = {.own = TSR_PLACE_SCOPE, .to = to};
	const tsr_arg arg = tsr_arg_one(key);

	tsr_call_into_at(site->where, &out, 1, fn, &arg, 1);
	tsr_fn_release_at(site->where, fn);
	return !n || !handle_is_poison(to.leaf[0]);
}

bool tsr_make_params_at(const char *where, tsr_tree to, tsr *key, const tsr_mesh *given,
                        const tsr_param *params, size_t n)
{
	TURN_OF(tsr_ctx_of(key), where, (poison_leaves(tsr_ctx_of(key), to), false));
	call_site site = {.where = where, .op = "make_params"};
	const mesh *over;
	bool ok = key_ok(&site, key) && table_ok(&site, to, params, n) &&
	          mesh_read(&site, params, n, given, &over);
	arena *a = ok ? arena_make(&site.ctx->base) : NULL;

	ok = a && make_all(&site, a, to, key, over, params);
	arena_free(a);
	if (!ok) poison_leaves(site.ctx, to);
	return ok;
}
