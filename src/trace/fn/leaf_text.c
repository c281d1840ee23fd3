/* leaf_text.c - names a leaf in messages by its path in C, such as args[0].layer[1].w.
 *
 * Example, a tree whose leaf 3 is i32:
 *
 *     TSR_TREE_TYPE(linear, { tsr *w, *b; });
 *     TSR_TREE_TYPE(mlp, { linear layer[6]; tsr *scale; });
 *     tsr_call(tsr_grad(ctx, first_row), TSR_TREE(mlp, &p));
 *
 * The path is read from the text of the fields, which the macro keeps. Leaf 3 of an mlp is in
 * layer, whose elements have the 2 leaves of a linear, so it is leaf 1, b, of layer[1]:
 *
 *     ..: grad requires .. but got i32 for args[0].layer[1].b of 'first_row'; .. */
#include <stdlib.h>
#include "trace/trace.h"

enum { MAX_EXTENTS = 8, MAX_NESTED = 32 };

/* one declarator of the fields; zeroed but for `at`, it is before the first */
typedef struct member {
	const char *at;            /* the text behind it */
	const tsr_tree_type *type; /* of its elements; NULL: handles */
	const char *name;
	int len, nextents;
	size_t extent[MAX_EXTENTS]; /* 0: written as a name, such as an enumerator */
	const char *unknown;        /* the last of these, "LAYERS]"; NULL: there is none */
} member;

static size_t word_len(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

static bool word_is(const char *text, const char *word)
{
	const size_t len = word_len(text);

	return len == strlen(word) && memcmp(text, word, len) == 0;
}

/* behind blanks and words that do not matter here */
static const char *skip(const char *at, const char *blanks)
{
	static const char *const words[] = {"const", "volatile", "restrict", "struct", "union"};

	for (size_t k = 0; k < ARRAY_LEN(words); k++) {
		at += strspn(at, blanks);
		if (!word_is(at, words[k])) continue;
		at += strlen(words[k]);
		k = (size_t)-1;
	}
	return at;
}

/* the tree type with the name that `text` begins with, of the file that `near` is in */
static const tsr_tree_type *type_named(const tsr_tree_type *near, const char *text)
{
	const tsr_tree_unit *u = near->unit;

	for (const tsr_tree_type *const *t = u ? u->first : NULL; t && t < u->end; t++)
		if (*t && (*t)->unit == u && word_is(text, (*t)->name)) return *t;
	return NULL;
}

static bool read_extents(member *m)
{
	m->nextents = 0;
	m->unknown = NULL;
	for (char *end; *m->at == '['; m->at += strspn(m->at, " \t\n")) {
		if (m->nextents == MAX_EXTENTS) return false;
		const unsigned long long n = strtoull(m->at + 1, &end, 0);
		m->extent[m->nextents] = *end == ']' ? (size_t)n : 0;
		if (!m->extent[m->nextents++]) m->unknown = m->at + 1;
		m->at += strcspn(m->at, "]");
		if (!*m->at++) return false;
	}
	return true;
}

/* false: there is none, and *m->at is the closing brace; or it is not understood */
static bool next_member(const tsr_tree_type *t, member *m)
{
	if (*m->at != ',') {
		m->at = skip(m->at, "{; \t\n");
		m->type = word_is(m->at, "tsr") ? NULL : type_named(t, m->at);
		if (!m->type && !word_is(m->at, "tsr")) return false;
		m->at += word_len(m->at);
	}
	m->name = skip(m->at, ",* \t\n");
	m->len = (int)word_len(m->name);
	m->at = m->name + m->len;
	m->at += strspn(m->at, " \t\n");
	return m->len && read_extents(m) && (*m->at == ',' || *m->at == ';');
}

/* leaves of one element behind the first k extents; unknown: the value of an extent that is 0 */
static size_t leaves_behind(const member *m, int k, size_t unknown)
{
	size_t n = m->type ? m->type->count : 1;

	for (; k < m->nextents; k++) n *= m->extent[k] ? m->extent[k] : unknown;
	return n;
}

/* are two extents one text? */
static bool extent_same(const char *a, const char *b)
{
	const size_t n = strcspn(a, "]");

	return n == strcspn(b, "]") && memcmp(a, b, n) == 0;
}

/* The text of the fields must agree with the number of leaves. It also tells an extent that is
 * written as a name, if there is only one: of { tsr *w[LAYERS], *b[LAYERS], *c; } with 9 leaves it
 * is 4. */
static bool fields_agree(const tsr_tree_type *t, size_t *unknown)
{
	member m = {.at = t->fields};
	const char *named = NULL;
	size_t known = 0, unit = 0;

	*unknown = 1;
	while (next_member(t, &m)) {
		int names = 0;
		for (int k = 0; k < m.nextents; k++) names += !m.extent[k];
		if (names > 1 || (names && named && !extent_same(named, m.unknown))) return false;
		if (names) named = m.unknown;
		*(names ? &unit : &known) += leaves_behind(&m, 0, 1);
	}
	if (*m.at != '}' || known > t->count) return false;
	if (unit) *unknown = (t->count - known) / unit;
	return known + unit * *unknown == t->count;
}

/* the member that leaf `index` is in; `index` becomes its number there. false: not known */
static bool member_of(const tsr_tree_type *t, size_t *index, member *m, size_t *unknown)
{
	if (!t || !t->fields || !fields_agree(t, unknown)) return false;
	for (*m = (member){.at = t->fields}; next_member(t, m);) {
		const size_t n = leaves_behind(m, 0, *unknown);
		if (*index < n) return true;
		*index -= n;
	}
	return false;
}

/* Writes the members that leaf *index of *t is in, as far as the texts tell. false: not down to a
 * handle, and it is leaf *index of *t, whose text does not tell */
static bool put_members(str *s, const tsr_tree_type **t, size_t *index)
{
	member m;
	size_t unknown;

	for (int depth = 0; depth < MAX_NESTED && member_of(*t, index, &m, &unknown); depth++) {
		str_printf(s, ".%.*s", m.len, m.name);
		for (int k = 0; k < m.nextents; k++) {
			const size_t each = leaves_behind(&m, k + 1, unknown);
			str_printf(s, "[%zu]", *index / each);
			*index %= each;
		}
		if (!m.type) return true;
		*t = m.type;
	}
	return false;
}

void tree_leaf_text(str *s, const tsr_tree_type *t, size_t index)
{
	if (put_members(s, &t, &index)) return;
	str_printf(s, " (tree %s, leaf %zu)", t && t->name ? t->name : "without a type", index);
}

/* A tree type is a union of its fields and .leaf, so that is a path too */
void tree_path_text(str *s, const tsr_tree_type *t, size_t index)
{
	if (!put_members(s, &t, &index)) str_printf(s, t ? ".leaf[%zu]" : "[%zu]", index);
}

void arg_leaf_text(str *s, const tsr_arg *args, int arg, int index)
{
	str_printf(s, "args[%d]", arg);
	if (args[arg].kind == TSR_KIND_TREE)
		tree_leaf_text(s, args[arg].as.tree.type, (size_t)index);
}

void leaf_text(str *s, const leaves *all, int i)
{
	arg_leaf_text(s, all->arg, all->leaf[i].arg, all->leaf[i].index);
}
