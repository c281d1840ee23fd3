/* tree.c - flattens arguments to lists of leaves.
 *
 * Example:
 *
 *     TSR_TREE_TYPE(dense, { tsr *w, *b; });
 *     dense p = {.w = x};
 *     tsr_fn_text(tsr_jit(ctx, apply), TSR_TREE(dense, &p), 2.0)
 *
 * The tree has one leaf, since b is absent. A C number is a weak leaf of 64 bits, exact until it is
 * combined with a strong value:
 *
 *     apply(%0: f32[4], %1: f64*[]) -> f32[4] {
 *       %2: f32[] = convert_element_type %1 dtype=f32
 *       %3: f32[4] = broadcast_in_dim %2 dims=[4] at=[]
 *       %4: f32[4] = mul %0 %3
 *       return %4
 *     } */
#include "trace/trace.h"

bool tree_type_same(const tsr_tree_type *a, const tsr_tree_type *b)
{
	if (a == b) return true;
	return a && b && a->count == b->count &&
	       strcmp(a->fields ? a->fields : "", b->fields ? b->fields : "") == 0;
}

const tsr_tree_type *tree_type_keep(arena *a, const tsr_tree_type *t)
{
	tsr_tree_type *copy = arena_copy(a, t, sizeof *t);

	if (!copy) return NULL;
	if (t->fields) copy->fields = arena_str(a, t->fields);
	if (t->name) copy->name = arena_str(a, t->name);
	return (t->fields && !copy->fields) || (t->name && !copy->name) ? NULL : copy;
}

/* is this the name of one of C's own types, which is no handle? "void", "uint32_t" */
static bool names_number(const char *word, size_t len)
{
	static const char *const names[] = {"void",     "char",   "short",    "int",    "long",
	                                    "float",    "double", "signed",   "unsigned", "bool",
	                                    "_Bool",    "size_t", "_Complex", "enum",   "intptr_t",
	                                    "uintptr_t"};

	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (strlen(names[k]) == len && memcmp(names[k], word, len) == 0) return true;
	if (len && *word == 'u') word++, len--;
	return len > 5 && memcmp(word, "int", 3) == 0 && memcmp(word + len - 2, "_t", 2) == 0 &&
	       strspn(word + 3, "0123456789") == len - 5;
}

/* Fields must be handles. The compiler checks that, with two gaps: C converts a handle to void *
 * silently, and only the first 256 leaves are checked. The text of the fields closes them: a
 * declaration that begins with the name of a type of C, such as `void *user;`, is refused */
bool tree_type_ok(const call_site *s, const tsr_tree_type *t)
{
	const char *at = t && t->fields ? t->fields + strspn(t->fields, "{ \t\n") : "";

	while (*at && *at != '}') {
		if (strncmp(at, "const ", 6) == 0) at += 6;
		if (names_number(at, strcspn(at, " \t\n*;")))
			return fail_op(
				s, TSR_ERROR_TYPE,
				"the tree %s has a field that is no handle, \"%.*s\": fields are "
				"tsr *, arrays of them, or other trees; plain data goes into .env",
				t->name ? t->name : "without a name", (int)strcspn(at, ";}"), at);
		at += strcspn(at, ";}");
		at += strspn(at, "; \t\n");
	}
	return true;
}

static size_t leaf_count(const tsr_arg *a)
{
	return a->kind == TSR_KIND_TREE ? a->as.tree.count : 1;
}

static bool leaf_read(const call_site *s, leaves *all, int i, tsr *h)
{
	all->leaf[i].handle = h;
	if (!h && all->arg[all->leaf[i].arg].kind == TSR_KIND_TREE) return true;
	const char *fault = handle_fault(s->ctx, h);
	if (!fault && !handle_is_poison(h)) return true;
	str text = {.base = &s->ctx->base};
	str_printf(&text, "%s: ", s->op);
	leaf_text(&text, all, i);
	if (fault)
		fail(&s->ctx->base, s->where, TSR_ERROR_HANDLE, "%s %s", text.s ? text.s : "a leaf",
		     fault);
	else
		fail_poison(&s->ctx->base, s->where, text.s ? text.s : "a leaf");
	str_free(&text);
	return false;
}

static bool arg_read(const call_site *s, leaves *all, int arg, int *at)
{
	const tsr_arg *a = &all->arg[arg];
	const tsr_tree *tree = a->kind == TSR_KIND_TREE ? &a->as.tree : NULL;

	if (tree && !tree_type_ok(s, tree->type)) return false;
	for (size_t i = 0; i < leaf_count(a); i++, ++*at) {
		all->leaf[*at] = (leaf){NULL, arg, (int)i};
		tsr *h = tree ? tree->leaf[i] : a->kind == TSR_KIND_ONE ? a->as.one : NULL;
		if (a->kind > TSR_KIND_TREE) h = number_argument(s, a);
		if (!leaf_read(s, all, *at, h)) return false;
	}
	return true;
}

bool leaves_read(const call_site *s, arena *scratch, const tsr_arg *arg, size_t n, leaves *out)
{
	size_t total = 0;

	if (n > TSR_MAX_ARGS)
		return fail_op(s, TSR_ERROR_ARGUMENT, "a call takes at most %d arguments, got %zu",
		               TSR_MAX_ARGS, n);
	if (n && !arg)
		return fail_op(s, TSR_ERROR_ARGUMENT, "the list of %zu arguments is NULL", n);
	for (size_t i = 0; i < n; i++) {
		total += leaf_count(&arg[i]);
		if (arg[i].kind == TSR_KIND_NONE)
			return fail_op(s, TSR_ERROR_ARGUMENT,
			               "args[%zu] is left out (TSR_NONE), and must be a handle, a "
			               "tree or a number",
			               i);
		if (arg[i].kind == TSR_KIND_TREE && arg[i].as.tree.count && !arg[i].as.tree.leaf)
			return fail_op(s, TSR_ERROR_ARGUMENT,
			               "args[%zu] is a tree of %zu leaves without a list of them",
			               i, arg[i].as.tree.count);
	}
	if (total > INT32_MAX) return fail_op(s, TSR_ERROR_ARGUMENT, "too many leaves");
	*out = (leaves){(int)total, (int)n, arena_array(scratch, total + 1, sizeof(leaf)), arg,
	                NULL};
	if (!out->leaf) return false;
	int at = 0;
	for (size_t i = 0; i < n; i++)
		if (!arg_read(s, out, (int)i, &at)) return false;
	return true;
}
