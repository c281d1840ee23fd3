/* load.c - loads checkpoints, onto any devices: tsr_checkpoint_load().
 *
 * All leaves are looked up first, then arrays are made without content, then each file that has
 * something of them is read. `like` changes only when all is there. */
#include <stdio.h>
#include <sys/stat.h>
#include "lib/checkpoint/checkpoint.h"

typedef struct loading {
	const call_site *site;
	checkpoint from;
	const mesh *mesh; /* NULL: where the leaves are */
	const tsr_specs *specs;
	tsr_tree like;
	leaf_names names;
	needs needs;
	array **made; /* by leaf; NULL: it is absent */
	size_t there; /* bytes of all files, as the disk says; 0: not known yet */
} loading;

/* ---- what is wanted, and where */

static bool leaf_fail(const loading *l, size_t k, const char *what)
{
	return checkpoint_fail(&l->from, TSR_ERROR_TYPE, "the leaf \"%s\" %s", l->names.name[k],
	                       what);
}

static void put_type(str *s, tsr_dtype dtype, const int64_t *dims, int ndim)
{
	str_printf(s, "%s[", tsr_dtype_name(dtype));
	str_dims(s, dims, ndim);
	str_put(s, "]");
}

/* is the leaf what it is here? */
static bool is_alike(const loading *l, size_t k, const saved_leaf *leaf, const type *t)
{
	if (leaf->dtype == t->dtype && dims_same(leaf->dims, leaf->ndim, t->dims, t->ndim))
		return true;
	str s = {.base = l->from.base};
	str_put(&s, "is ");
	put_type(&s, leaf->dtype, leaf->dims, leaf->ndim);
	str_put(&s, " in the checkpoint, and ");
	put_type(&s, t->dtype, t->dims, t->ndim);
	str_put(&s, " here");
	leaf_fail(l, k, s.s ? s.s : "is another one in the checkpoint");
	str_free(&s);
	return false;
}

static const sharding *leaf_sharding(const loading *l, size_t k, const type *t, const array *like)
{
	const tsr_specs *s = l->specs;
	const tsr_spec none = TSR_SPEC();
	const mesh *m = l->mesh || like ? l->mesh : mesh_meant(l->site->ctx, NULL);

	if (m)
		return spec_sharding(l->site, t, m,
		                     s->count ? &s->leaf[s->count > 1 ? k : 0] : &none);
	if (like) return like->sharding;
	return sharding_one(&l->site->ctx->shards, l->site->where, l->site->ctx->home);
}

/* bytes of all files, as the disk says */
static size_t bytes_there(const checkpoint *c)
{
	struct stat about;
	char name[FILE_NAME];
	size_t bytes = 0;

	for (size_t i = 0; i < c->nfiles; i++) {
		str path = {.base = c->base};
		file_name_of(name, c->file[i].rank, c->file[i].device);
		str_printf(&path, "%s/%s", c->path, name);
		if (!path.lost && stat(path.s, &about) == 0) bytes += (size_t)about.st_size;
		str_free(&path);
	}
	return bytes;
}

/* no memory is asked for what an index merely promises */
static bool can_be_there(loading *l, size_t k, const saved_leaf *leaf)
{
	int64_t bytes;

	if (!l->there) l->there = bytes_there(&l->from);
	return (dims_bytes(leaf->dtype, leaf->dims, leaf->ndim, &bytes) &&
	        (size_t)bytes <= l->there) ||
	       checkpoint_fail(&l->from, TSR_ERROR_FILE,
	                       "the files have fewer bytes than the leaf \"%s\"", l->names.name[k]);
}

/* the array of a leaf that is here, which says how it is loaded; NULL: recorded */
static const array *array_like(const loading *l, tsr *handle)
{
	call_site of = *l->site;
	const array *a = operands_check(&of, &handle, 1) ? handle_array(of.where, handle) : NULL;

	if (a && a->ctx != l->site->ctx) {
		fail(l->from.base, of.where, TSR_ERROR_HANDLE,
		     "%s: the leaves are of several contexts", of.op);
		return NULL;
	}
	return a;
}

static bool make_leaf(loading *l, size_t k)
{
	tsr_ctx *ctx = l->site->ctx;
	const saved_leaf *leaf = checkpoint_find(&l->from, l->names.name[k]);
	const array *like = l->like.leaf[k] ? array_like(l, l->like.leaf[k]) : NULL;

	if (l->like.leaf[k] && !like) return false;
	if (!leaf)
		return checkpoint_fail(&l->from, TSR_ERROR_FILE, "it has no leaf \"%s\"",
		                       l->names.name[k]);
	if (!leaf->dtype)
		return !like || leaf_fail(l, k, "was absent when it was saved, and is not here");
	if (like ? !is_alike(l, k, leaf, like->type) : !can_be_there(l, k, leaf)) return false;
	const type *t = type_make(&ctx->ir, leaf->dtype, leaf->dims, leaf->ndim, 0);
	const sharding *s = t ? leaf_sharding(l, k, t, like) : NULL;
	if (!s) return false;
	const bool committed = l->mesh || (like && like->committed);
	l->made[k] = array_from_boxes(ctx, t, NULL, NULL, s, committed);
	return l->made[k] && needs_add(&l->from, &l->needs, leaf, l->made[k]);
}

/* ---- all of it */

static bool load(loading *l)
{
	bool ok = checkpoint_read(&l->from);

	l->needs.arena = l->from.arena;
	for (size_t k = 0; ok && k < l->like.count; k++) ok = make_leaf(l, k);
	ok = ok && needs_read(&l->from, &l->needs);
	if (l->needs.arena) needs_free(&l->needs);
	checkpoint_free(&l->from);
	return ok;
}

/* handles of all, before the first leaf changes */
static bool give(loading *l, arena *a)
{
	tsr_ctx *ctx = l->site->ctx;
	tsr **h = arena_array(a, l->like.count + 1, sizeof *h);

	for (size_t k = 0; h && k < l->like.count; k++) {
		if (!l->made[k]) continue;
		h[k] = handle_of_array(ctx, l->made[k]);
		l->made[k] = NULL;
		if (handle_is_poison(h[k])) return false;
	}
	for (size_t k = 0; h && k < l->like.count; k++) l->like.leaf[k] = h[k];
	return h;
}

static bool load_into(loading *l, arena *a, const char *dir, int64_t step)
{
	const tsr_names none = {.name = NULL};
	const call_site *site = l->site;

	l->from.path = step_path(a, dir, step);
	l->made = arena_array(a, l->like.count + 1, sizeof *l->made);
	bool ok = l->from.path && l->made &&
	          leaf_names_read(site, a, l->like, &none, &none, &l->names) && load(l);
	const bool all = all_agree(site->ctx, ok);
	if (ok && !all)
		fail(l->from.base, site->where, TSR_ERROR_FILE,
		     "%s: %s: another process could not load it, and says why", site->op,
		     l->from.path);
	ok = all && give(l, a);
	for (size_t k = 0; l->made && k < l->like.count; k++)
		if (l->made[k]) array_release(l->made[k]);
	return ok;
}

static const char *fault_of(tsr_tree like, const char *dir, const mesh *m, const tsr_specs *s)
{
	if (!dir || !*dir) return "the folder has no name";
	if (s->count && !m) return ".spec needs a .mesh, or one in use";
	if (s->count > 1 && (size_t)s->count != like.count)
		return ".spec is one for all leaves, or one a leaf";
	return s->count && !s->leaf ? ".spec has a count and no specs" : NULL;
}

/* NULL: recorded, or tsr_open() failed */
static tsr_ctx *context_of(const char *where, tsr_ctx *ctx)
{
	if (ctx_alive(ctx)) return ctx;
	if (!failed(&ctx->base) || ctx_any_here())
		fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		     "checkpoint_load: which context gets the arrays? Not just one is open on this "
		     "thread: name a .mesh of it");
	return NULL;
}

bool tsr_checkpoint_load_at(const char *where, const char *dir, int64_t step, tsr_tree like,
                            const tsr_checkpoint_load_args *given)
{
	const tsr_checkpoint_load_args *k = KEYWORDS(tsr_checkpoint_load_args, where, NULL, given);
	const mesh *m = k ? k->mesh : NULL;
	tsr_ctx *ctx = m ? m->ctx : ctx_or_here(tree_ctx(like));
	TURN_OF(ctx, where, false);
	base *b = &ctx->base;

	if (!k || (m && !mesh_ok(where, "checkpoint_load", m)) || !context_of(where, ctx))
		return false;
	const call_site site = {ctx, where, "checkpoint_load"};
	ctx_use(ctx);
	const tsr_specs *specs = &k->spec;
	if (specs->count && !m) m = mesh_meant(ctx, NULL);
	const char *fault = fault_of(like, dir, m, specs);
	if (fault) return fail(b, where, TSR_ERROR_ARGUMENT, "%s: %s", site.op, fault);
	if (!together_begin(&site, step)) return false;
	if (!checkpoint_end_last(&site)) return together_end(&site, false);
	arena *a = arena_make(b);
	if (!a) return together_end(&site, all_agree(ctx, false));
	loading l = {.site = &site,
	             .from = {.base = b, .where = where, .op = site.op},
	             .mesh = m,
	             .specs = specs,
	             .like = like};
	const bool ok = load_into(&l, a, dir, step);
	arena_free(a);
	return together_end(&site, ok);
}
