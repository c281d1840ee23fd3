/* save.c - trees of arrays to files, by the names of their leaves. */
#include <stdlib.h>
#include "lib/files/files.h"

/* ---- what is saved */

/* no controls, and nothing that is not UTF-8: other programs must find it */
static bool is_text(const char *name)
{
	for (int size; *name; name += size) {
		size = (unsigned char)*name < ' ' || *name == 127 ? 0 : character_size(name);
		if (!size) return false;
	}
	return true;
}

static bool refuse_leaf(const saving *s, const saved *x, const char *why)
{
	str name = {.base = &s->ctx->base};

	json_text(&name, x->name);
	fail(&s->ctx->base, s->where, TSR_ERROR_ARGUMENT, "save: the leaf %s: %s",
	     name.s ? name.s : "?", why);
	str_free(&name);
	return false;
}

static bool add_leaf(saving *s, const archive_type *to, tsr *handle, const char *name,
                     bool turned)
{
	call_site site = {.where = s->where, .op = "save"};
	saved *x = &s->array[s->n];
	const array *a = operands_check(&site, &handle, 1) ? handle_array(s->where, handle) : NULL;

	if (!a) return false;
	if (a->ctx != s->ctx)
		return fail(&s->ctx->base, s->where, TSR_ERROR_HANDLE,
		            "save: the leaves are of several contexts");
	x->name = name;
	x->of = a;
	x->turned = turned;
	x->bytes = (size_t)array_bytes(a);
	const int n = a->type->ndim;
	memcpy(x->dims, a->type->dims, (size_t)n * sizeof *x->dims);
	if (!*name || !is_text(name)) return refuse_leaf(s, x, "this is no name for an array");
	if (turned && n < 2) return refuse_leaf(s, x, "it is .turned, and has no two dims");
	if (turned) {
		x->dims[n - 2] = a->type->dims[n - 1];
		x->dims[n - 1] = a->type->dims[n - 2];
	}
	const char *fault = to->fault(x);
	if (fault)
		return fail(&s->ctx->base, s->where, TSR_ERROR_UNSUPPORTED,
		            "save: the leaf \"%s\": %s", name, fault);
	s->n++;
	return true;
}

static int by_name(const void *x, const void *y)
{
	return strcmp((*(const saved *const *)x)->name, (*(const saved *const *)y)->name);
}

static bool names_differ(const saving *s)
{
	const saved **sorted = mem_array(&s->ctx->base, s->n + 1, sizeof *sorted);
	bool ok = sorted;

	for (size_t i = 0; ok && i < s->n; i++) sorted[i] = &s->array[i];
	if (ok && s->n) qsort(sorted, s->n, sizeof *sorted, by_name);
	for (size_t i = 1; ok && i < s->n; i++)
		ok = strcmp(sorted[i - 1]->name, sorted[i]->name) != 0 ||
		     refuse_leaf(s, sorted[i], "another leaf has the same name");
	mem_free(&s->ctx->base, sorted);
	return ok;
}

const void *saved_bytes(saving *s, const saved *x)
{
	int64_t strides[MAX_NDIM];
	const int n = x->of->type->ndim;

	dims_strides(x->dims, n, strides);
	for (int d = 0; d < n; d++) strides[d] *= (int64_t)tsr_dtype_size(x->of->type->dtype);
	if (x->turned) {
		const int64_t kept = strides[n - 1];
		strides[n - 1] = strides[n - 2];
		strides[n - 2] = kept;
	}
	if (!array_to_host(s->where, x->of, s->room, strides)) return NULL;
	npy_little_endian(s->room, x->bytes, x->of->type->dtype);
	return s->room;
}

/* ---- the call */

static bool collect(saving *s, const archive_type *to, tsr_tree tree, const leaf_names *names)
{
	for (size_t i = 0; i < tree.count; i++)
		if (names->name[i] && tree.leaf[i] &&
		    !add_leaf(s, to, tree.leaf[i], names->name[i], names->is_turned[i]))
			return false;
	return names_differ(s);
}

static bool save(saving *s, const archive_type *to, const char *path)
{
	base *b = &s->ctx->base;
	file_writer w = {.base = b, .where = s->where, .op = "save", .path = path};
	size_t most = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->array[i].bytes > most) most = s->array[i].bytes;
	if (!(s->room = mem_alloc(b, most + 1))) return false;
	const bool ok = file_begin(&w) && file_end(&w, to->save(s, &w));
	mem_free(b, s->room);
	return ok;
}

bool tsr_save_at(const char *where, tsr_tree tree, const char *path, const tsr_save_args *given)
{
	tsr_ctx *ctx = ctx_or_here(tree_ctx(tree));
	TURN_OF(ctx, where, false);
	base *b = &ctx->base;

	if (!ctx_ok(where, "save", ctx)) return false;
	const tsr_save_args *k = KEYWORDS(tsr_save_args, where, ctx, given);
	const archive_type *to = k ? archive_type_of(b, where, "save", path, false) : NULL;
	arena *a = to ? arena_make(b) : NULL;
	if (!a) return false;
	const call_site site = {ctx, where, "save"};
	saving s = {.where = where, .ctx = ctx};
	leaf_names names;
	const bool ok = leaf_names_read(&site, a, tree, &k->names, &k->turned, &names) &&
	                (s.array = arena_array(a, tree.count + 1, sizeof *s.array)) &&
	                collect(&s, to, tree, &names) && save(&s, to, path);
	arena_free(a);
	return ok;
}
