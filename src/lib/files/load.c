/* load.c - trees of arrays from files, by the names of their leaves.
 *
 * All leaves are found before the first is read, and `to` changes only when all are there. */
#include "lib/files/files.h"

typedef struct loading {
	archive archive;
	tsr_ctx *ctx;
	const tsr_load_args *given;
	const mesh *mesh; /* NULL: arrays go to the first device */
	tsr_tree to;
	leaf_names names;
	stored **wanted; /* by leaf; NULL: it is in no file */
	tsr **made;
} loading;

static bool find_leaf(loading *l, size_t k)
{
	const char *name = l->names.name[k];
	const stored *of = name ? (l->wanted[k] = archive_find(&l->archive, name)) : NULL;

	return !name || (of && (!l->names.is_turned[k] || of->ndim >= 2 ||
	                        archive_fail(&l->archive, of, TSR_ERROR_TYPE,
	                                     "it is .turned, and has no two dims")));
}

/* the type that the leaf has here */
static const type *leaf_type(loading *l, size_t k)
{
	const stored *of = l->wanted[k];
	int64_t dims[MAX_NDIM];
	const int n = of->ndim;

	memcpy(dims, of->dims, (size_t)n * sizeof *dims);
	if (l->names.is_turned[k]) {
		dims[n - 2] = of->dims[n - 1];
		dims[n - 1] = of->dims[n - 2];
	}
	return type_make(&l->ctx->ir, of->dtype, dims, n, 0);
}

static const sharding *leaf_sharding(loading *l, size_t k)
{
	const call_site site = {l->ctx, l->archive.file.where, l->archive.file.op};
	const tsr_specs *s = &l->given->spec;
	const tsr_spec none = TSR_SPEC();

	if (!l->mesh) return sharding_one(&l->ctx->shards, site.where, l->ctx->home);
	const type *t = leaf_type(l, k);
	return t ? spec_sharding(&site, t, l->mesh,
	                         s->count ? &s->leaf[s->count > 1 ? k : 0] : &none)
	         : NULL;
}

static bool make_leaf(loading *l, size_t k)
{
	stored *of = l->wanted[k];

	if (!of) return true;
	if (!archive_has_dtype(&l->archive, of)) return false;
	const sharding *s = leaf_sharding(l, k);
	array *a = s ? archive_array(&l->archive, l->ctx, of, l->names.is_turned[k], s, l->mesh)
	             : NULL;
	return a && !handle_is_poison(l->made[k] = handle_of_array(l->ctx, a));
}

static bool load(loading *l)
{
	archive *a = &l->archive;
	bool ok = archive_open(a);

	for (size_t k = 0; ok && k < l->to.count; k++) ok = find_leaf(l, k);
	ok = ok && archive_is_disjoint(a);
	for (size_t k = 0; ok && k < l->to.count; k++) ok = make_leaf(l, k);
	for (size_t k = 0; ok && k < l->to.count; k++) l->to.leaf[k] = l->made[k];
	return ok;
}

static const char *specs_fault(tsr_tree to, const mesh *m, const tsr_specs *s)
{
	if (s->count && !m) return ".spec needs a .mesh, or one in use";
	if (s->count > 1 && (size_t)s->count != to.count)
		return ".spec is one for all leaves, or one a leaf";
	return s->count && !s->leaf ? ".spec has a count and no specs" : NULL;
}

static bool read_keywords(loading *l, arena *a)
{
	const call_site site = {l->ctx, l->archive.file.where, l->archive.file.op};

	l->wanted = arena_array(a, l->to.count + 1, sizeof *l->wanted);
	l->made = arena_array(a, l->to.count + 1, sizeof *l->made);
	return l->wanted && l->made &&
	       leaf_names_read(&site, a, l->to, &l->given->names, &l->given->turned, &l->names);
}

bool tsr_load_at(const char *where, tsr_tree to, const char *path, const tsr_load_args *given)
{
	const tsr_load_args *k = KEYWORDS(tsr_load_args, where, NULL, given);
	const mesh *m = k ? mesh_meant(NULL, k->mesh) : NULL;
	tsr_ctx *ctx = m ? m->ctx : ctx_here();
	TURN_OF(ctx, where, false);
	base *b = &ctx->base;

	if (!k || (m && !mesh_ok(where, "load", m))) return false;
	if (!ctx_alive(ctx) && failed(b) && !ctx_any_here()) return false; /* tsr_open() failed */
	if (!ctx_alive(ctx))
		return fail(b, where, TSR_ERROR_ARGUMENT,
		            "load: which context gets the arrays? Not just one is open on this "
		            "thread: name a .mesh of it");
	ctx_use(ctx);
	const archive_type *from = archive_type_of(b, where, "load", path, false);
	if (!from) return false;
	const char *fault = specs_fault(to, m, &k->spec);
	if (fault) return fail(b, where, TSR_ERROR_ARGUMENT, "load: %s", fault);
	loading l = {.archive = {.file = {.base = b, .where = where, .op = "load", .path = path,
	                                  .fd = -1},
	                         .type = from},
	             .ctx = ctx,
	             .given = k,
	             .mesh = m,
	             .to = to};
	arena *a = arena_make(b);
	const bool ok = a && read_keywords(&l, a) && file_open(&l.archive.file) && load(&l);
	archive_close(&l.archive);
	arena_free(a);
	return ok;
}
