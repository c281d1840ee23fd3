/* names.c - gives the leaves of a tree their names in a file, and finds those turned there. */
#include <stdlib.h>
#include "lib/files/files.h"

/* what is wrong with a tree and with lists of names for it; NULL: nothing */
static const char *fault_of(tsr_tree tree, const tsr_names *names, const tsr_names *turned)
{
	if (tree.count && !tree.leaf) return "the tree has leaves and no memory of them";
	if (names->count && (size_t)names->count != tree.count)
		return ".names are one a leaf: NULL for a leaf that is in no file";
	if (turned->count < 0) return ".turned has less than no names";
	if ((names->count && !names->name) || (turned->count && !turned->name))
		return "a list of names has a count and no names";
	for (int64_t i = 0; i < turned->count; i++)
		if (!turned->name[i]) return "a name in .turned is NULL";
	return NULL;
}

static int by_name(const void *x, const void *y)
{
	return strcmp(((const turned_name *)x)->name, ((const turned_name *)y)->name);
}

/* the path of leaf k, in the arena; NULL: recorded */
static const char *path_of(arena *a, tsr_tree tree, size_t k)
{
	str s = {.base = arena_base(a)};

	tree_path_text(&s, tree.type, k);
	const char *path = s.lost ? NULL : arena_str(a, s.s + (*s.s == '.'));
	str_free(&s);
	return path;
}

static bool find_names(leaf_names *l, arena *a, tsr_tree tree, const tsr_names *given)
{
	for (size_t k = 0; k < tree.count; k++) {
		l->name[k] = given->count ? given->name[k] : path_of(a, tree, k);
		if (!given->count && !l->name[k]) return false;
	}
	return true;
}

/* each name in .turned must be one of a leaf */
static bool find_turned(const call_site *site, leaf_names *l, size_t count)
{
	turned_name *of = l->turned;

	if (l->nturned) qsort(of, l->nturned, sizeof *of, by_name);
	for (size_t k = 0; k < count; k++) {
		const turned_name key = {.name = l->name[k]};
		turned_name *t = key.name && l->nturned
		                         ? bsearch(&key, of, l->nturned, sizeof *of, by_name)
		                         : NULL;
		if (!t) continue;
		t->found = l->is_turned[k] = true;
	}
	for (size_t i = 0; i < l->nturned; i++) {
		if (of[i].found) continue;
		str name = {.base = &site->ctx->base};
		json_text(&name, of[i].name);
		fail_op(site, TSR_ERROR_ARGUMENT,
		        ".turned has %s, which is no name of a leaf, or has it twice",
		        name.s ? name.s : "?");
		str_free(&name);
		return false;
	}
	return true;
}

bool leaf_names_read(const call_site *site, arena *a, tsr_tree tree, const tsr_names *names,
                     const tsr_names *turned, leaf_names *out)
{
	const char *fault = fault_of(tree, names, turned);

	if (fault) return fail_op(site, TSR_ERROR_ARGUMENT, "%s", fault);
	*out = (leaf_names){.nturned = (size_t)turned->count};
	out->name = arena_array(a, tree.count + 1, sizeof *out->name);
	out->is_turned = arena_array(a, tree.count + 1, sizeof *out->is_turned);
	out->turned = arena_array(a, out->nturned + 1, sizeof *out->turned);
	if (!out->name || !out->is_turned || !out->turned) return false;
	for (size_t i = 0; i < out->nturned; i++) out->turned[i].name = turned->name[i];
	return find_names(out, a, tree, names) && find_turned(site, out, tree.count);
}
